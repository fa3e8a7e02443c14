//! The linker of the form's module: that of the compiler, without the exports that dependencies have for JavaScript and the form never calls. The
//! compiler hands it every export of every crate; what is not exported and not used, it leaves out. Beside the module stands the same with relocations, from which
//! `pkg/layout.mjs` knows which of its constants each function needs.

use crate::shell::{Done, read, run};
use std::{
    path::{Path, PathBuf},
    process::Command,
};

/// What the names of unwanted exports have in them: those of `wasm-streams`, which Leptos has for server functions.
const UNWANTED: &str = "intounderlying";

/// Whether the compiler calls, and not a person.
pub fn is_meant(arguments: &[String]) -> bool {
    arguments.first().is_some_and(|first| first == "-flavor")
}

/// Links. Where the arguments are in a file, since they are too many for the system, nothing is left out, and the module is larger.
pub fn link(arguments: &[String]) -> Done {
    let mut wanted: Vec<&String> = Vec::new();
    for argument in arguments {
        if argument.contains(UNWANTED) && wanted.last().is_some_and(|last| *last == "--export") {
            wanted.pop();
        } else {
            wanted.push(argument);
        }
    }
    run(Command::new(linker()?).args(&wanted))?;
    let Some(place) = wanted.iter().position(|argument| *argument == "-o").map(|place| place + 1) else {
        return Ok(());
    };
    let Some(to) = wanted.get(place).map(|to| with_relocations(Path::new(to.as_str()))) else { return Ok(()) };
    let to = to.display().to_string();
    let others = wanted.iter().enumerate().filter(|(_, argument)| !argument.starts_with("--strip"));
    let others = others.map(|(at, argument)| if at == place { &to } else { *argument });
    run(Command::new(linker()?).args(others).arg("--emit-relocs"))
}

/// Where the module with relocations stands, beside the module.
pub fn with_relocations(module: &Path) -> PathBuf {
    module.with_extension("relocs.wasm")
}

/// The linker that comes with the compiler.
fn linker() -> Done<PathBuf> {
    let libraries = PathBuf::from(read(Command::new("rustc").args(["--print", "sysroot"]))?.trim()).join("lib/rustlib");
    let entries = std::fs::read_dir(&libraries).map_err(|error| format!("{}: {error}", libraries.display()))?;
    let name = format!("rust-lld{}", std::env::consts::EXE_SUFFIX);
    let mut found = entries.filter_map(|entry| Some(entry.ok()?.path().join("bin").join(&name)));
    found.find(|path| path.is_file()).ok_or_else(|| format!("{} has no {name}", libraries.display()))
}
