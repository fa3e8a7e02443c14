//! What has passed, and with which files: it is not run again before one of these files changes.

use crate::{
    inputs::Inputs,
    setup::Chromium,
    shell::{Done, node, read, root, target, text},
    suites::FOLDER,
};
use std::{
    fs,
    path::{Path, PathBuf},
};

/// Folders of the project that no suite of scripts reads. A change of a module is in the package.
const UNREAD: [&str; 20] = [
    "component",
    "core",
    "docs",
    "tests/soak.txt",
    "fuzz",
    "host",
    "html",
    "python",
    "validator",
    "web",
    "xtask",
    "tests/bench",
    "tests/component",
    "tests/everywhere",
    "tests/frameworks",
    "tests/leptos",
    "tests/native",
    "tests/packages",
    "tests/python",
    "tests/src",
];
/// With these a suite names a document, or files whose names it makes up: it depends on all files.
const NAMES: [&str; 4] = ["docs", ".md", "\"../../\"", "../../${"];

/// The folder with a note for each thing that has passed.
fn notes() -> PathBuf {
    target().join("passed")
}

/// Whether something has passed with these inputs.
pub fn has(name: &str, inputs: &Inputs) -> bool {
    inputs.are_noted_in(&note(name))
}

/// Notes that something has passed with these inputs.
pub fn passes(name: &str, inputs: &Inputs) -> Done {
    fs::create_dir_all(notes()).map_err(|error| error.to_string())?;
    inputs.note_in(&note(name))
}

fn note(name: &str) -> PathBuf {
    notes().join(name.replace('/', " "))
}

/// The names of a folder of the project, without what is made and what is hidden.
fn names_in(folder: &str) -> Done<Vec<String>> {
    let path = root().join(folder);
    let entries = fs::read_dir(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    let names = entries.filter_map(|entry| Some(entry.ok()?.file_name().to_string_lossy().into_owned()));
    let in_folder = |name: String| if folder.is_empty() { name } else { format!("{folder}/{name}") };
    let mut names: Vec<String> =
        names.filter(|name| !name.starts_with('.') && name != "target").map(in_folder).collect();
    names.sort();
    Ok(names)
}

/// All files of the project, for what the compiler runs.
pub fn of_all() -> Done<Inputs> {
    let mut all = names_in("")?;
    all.push(".cargo".into());
    Inputs::of(&all)
}

/// What the suites of scripts depend on.
pub struct Suites {
    /// What all of them do.
    common: Inputs,
    /// The same with all files of the project.
    with_all: Inputs,
}

impl Suites {
    /// Those that are run with this package, this browser and this agent host.
    pub fn with(dist: &Path, host: &Path, chromium: &Chromium) -> Done<Self> {
        let mut all: Vec<String> = names_in("")?.into_iter().filter(|name| name != "tests").collect();
        all.extend(names_in("tests")?.into_iter().filter(|name| name != FOLDER));
        all.extend(names_in(FOLDER)?.into_iter().filter(|name| !name.ends_with(".test.mjs")));
        all.retain(|name| !UNREAD.contains(&name.as_str()) && !name.ends_with(".md"));
        all.extend([dist, host].map(|path| path.to_string_lossy().into_owned()));
        let programs = [read(&mut node(&["--version"]))?, chromium.version()?];
        let common = Inputs::of(&all)?.and(&programs.concat());
        let with_all = common.and(of_all()?.hash());
        Ok(Self { common, with_all })
    }

    /// What this suite depends on.
    pub fn of(&self, suite: &str) -> Done<Inputs> {
        let own = text(&root().join(suite))?;
        let reads_any = NAMES.iter().any(|name| own.contains(name));
        Ok(if reads_any { &self.with_all } else { &self.common }.and(&own))
    }
}
