//! Builds the npm package: the wasm modules, their bindings, and the bundles around them. The published build is optimised for size and takes minutes; the
//! development build takes seconds once its dependencies are compiled.

use crate::{
    inputs::Inputs,
    link,
    setup::{self, Bindgen, WASM, say},
    shell::{Done, cargo, node, program, root, run, target},
};
use std::{
    env,
    fs::{self, File},
    path::{Path, PathBuf},
};

/// The wasm modules: crate, its features, and the folder of the bindings.
const MODULES: [(&str, &str, &str); 4] = [
    ("ask-user-core", "wasm,fixed-seeds", "core"),
    (VALIDATOR, "", "validator"),
    (HTML, "", "html"),
    (FORM, ELEMENT, "web"),
];
/// The crate of the validator.
const VALIDATOR: &str = "ask-user-validator";
/// The crate of forms as HTML.
const HTML: &str = "ask-user-html";
/// The crate of the form.
const FORM: &str = "ask-user-web";
/// The feature of the form that the custom element is made of.
const ELEMENT: &str = "element";
/// What the package is built from, besides the compiler.
const SOURCES: [&str; 12] = [
    ".cargo",
    "Cargo.lock",
    "Cargo.toml",
    "core",
    "html",
    "pkg",
    "tests/vectors",
    "validator",
    "web",
    "xtask/bindgen",
    "xtask/src/build.rs",
    "xtask/src/link.rs",
];

/// Hash maps of our modules take the seeds of `core/src/seeds.rs`: the modules import no randomness.
pub const UNRANDOM: [&str; 2] = ["--cfg", "getrandom_backend=\"custom\""];

/// How a package is built.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    /// As it is published: into `pkg/dist`.
    Published,
    /// For tests and the playground: not optimised, and each module in one part. Into `pkg/build/development/dist`, and without the view for hosts that run no wasm.
    Development,
    /// The same without the module for forms as HTML, whose crates take a minute to compile.
    Playground,
}

impl Kind {
    /// The folder of the modules with their bindings.
    fn bindings(self) -> PathBuf {
        root().join("pkg/build").join(if self == Kind::Published { "published" } else { "development" })
    }

    /// The folder of the package's files.
    fn dist(self) -> PathBuf {
        if self == Kind::Published { root().join("pkg/dist") } else { self.bindings().join("dist") }
    }
}

/// The folder of what is published.
pub fn published() -> PathBuf {
    Kind::Published.dist()
}

/// Builds what is published into `pkg/dist`.
pub fn package() -> Done {
    built(Kind::Published).map(drop)
}

/// Builds the package for tests, and gives the folder of its files.
pub fn development() -> Done<PathBuf> {
    built(Kind::Development)
}

/// Builds what a page and a host in Node need of it, which is the package without forms as HTML, unless all of it is there.
pub fn playground() -> Done<PathBuf> {
    built(Kind::Playground)
}

/// Builds a package, unless the one that is there was built from the same sources. A second build waits: both write the same files.
fn built(kind: Kind) -> Done<PathBuf> {
    let path = target().join("package.lock");
    let lock = File::create(&path).and_then(|file| file.lock().map(|()| file));
    let _lock = lock.map_err(|error| format!("{}: {error}", path.display()))?;
    let inputs = Inputs::of(&SOURCES)?;
    let note = kind.bindings().join("inputs");
    let of_playground = kind.bindings().join("inputs.playground");
    let is_noted = inputs.are_noted_in(&note) || kind == Kind::Playground && inputs.are_noted_in(&of_playground);
    // The file that is written last.
    if is_noted && kind.dist().join("preload.json").is_file() {
        return Ok(kind.dist());
    }
    setup::wasm_target()?;
    let bindgen = Bindgen::ready()?;
    setup::packages("pkg")?;
    for (name, features, folder) in MODULES {
        if kind == Kind::Playground && name == HTML {
            continue;
        }
        say(&format!("compiling {name} to wasm"));
        module(&bindgen, kind, name, features, folder)?;
    }
    if kind == Kind::Published {
        script(&bindgen)?;
        run(&mut node(&["pkg/build.mjs"]))?;
    } else {
        run(&mut node(&["pkg/build.mjs", "--development"]))?;
    }
    inputs.note_in(if kind == Kind::Playground { &of_playground } else { &note })?;
    Ok(kind.dist())
}

/// Writes the bindings of the form once more, for a form that is a script: without tables of the page's values and without several results of
/// one function, which a script has not. Whether they may be used, wasm-bindgen asks the module.
fn script(bindgen: &Bindgen) -> Done {
    let compiled = wasm(FORM, ELEMENT)?;
    let bindings = Kind::Published.bindings().join("script");
    if written(&bindings.join("ask_user_script_bg.wasm")).is_some_and(|at| Some(at) > written(&compiled)) {
        return Ok(());
    }
    let [silent, modest] = ["silent", "modest"].map(|name| compiled.with_extension(format!("{name}.wasm")));
    let [from, between, to] = [&compiled, &silent, &modest].map(|path| path.to_string_lossy());
    let optimiser = "pkg/node_modules/binaryen/bin/wasm-opt";
    run(&mut node(&[optimiser, &from, "--strip-target-features", "-o", &between]))?;
    let features = ["bulk-memory", "mutable-globals", "nontrapping-float-to-int", "sign-ext"];
    let mut command = node(&[optimiser, &between, "--mvp-features", "--emit-target-features", "-o", &to]);
    run(command.args(features.map(|feature| format!("--enable-{feature}"))))?;
    bind(bindgen, "bundler", &modest, &bindings, "ask_user_script")
}

/// Compiles one module, and writes its bindings if the compiler wrote it anew.
fn module(bindgen: &Bindgen, kind: Kind, name: &str, features: &str, folder: &str) -> Done {
    let compiled = if kind == Kind::Published { wasm(name, features)? } else { unoptimised(name, features)? };
    let bindings = kind.bindings().join(folder);
    let bound = bindings.join(format!("ask_user_{folder}_bg.wasm"));
    if name == FORM && kind == Kind::Published {
        // From it the build knows which constants the first part needs (`pkg/split.mjs`).
        fs::create_dir_all(&bindings).map_err(|error| format!("{}: {error}", bindings.display()))?;
        fs::copy(linked(), bindings.join("linked.wasm")).map_err(|error| format!("{}: {error}", linked().display()))?;
    }
    if written(&bound).is_some_and(|at| Some(at) > written(&compiled)) {
        return Ok(());
    }
    bind(bindgen, "package", &compiled, &bindings, &format!("ask_user_{folder}"))
}

/// Writes the bindings of a compiled module into a folder, for a use that `xtask/bindgen` knows.
pub fn bind(bindgen: &Bindgen, purpose: &str, compiled: &Path, folder: &Path, name: &str) -> Done {
    let [compiled, folder] = [compiled, folder].map(Path::to_string_lossy);
    run(&mut program(bindgen.generator(), "", &[purpose, &folder, name, &compiled]))
}

/// Compiles a crate to wasm as it stands, and gives where its module is.
fn unoptimised(name: &str, features: &str) -> Done<PathBuf> {
    let arguments = ["rustc", "--quiet", "--target", WASM, "--package", name, "--features", features];
    let flags = format!("target.{WASM}.rustflags={UNRANDOM:?}");
    run(cargo(&arguments).args(["--lib", "--crate-type", "cdylib", "--config", &flags]))?;
    Ok(compiled(name, "debug"))
}

/// Compiles a crate to wasm, optimised for size, and gives where its module is.
pub fn wasm(name: &str, features: &str) -> Done<PathBuf> {
    // Panic messages name source files: without this, by where they lie on the machine that builds.
    let prefix = format!("--remap-path-prefix={}=cargo", registry()?.display());
    let flags = [UNRANDOM[0], UNRANDOM[1], &prefix];
    // The type is said here: a library that is also a cdylib in its manifest has file names without a hash, and tests in release mode, which
    // compile it with and without unwinding, write one over the other.
    let arguments = ["rustc", "--quiet", "--release", "--target", WASM, "--package", name, "--features", features];
    let library = ["--lib", "--crate-type", "cdylib", "--config", &format!("target.{WASM}.rustflags={flags:?}")];
    let mut command = cargo(&arguments);
    command.args(library);
    if name == VALIDATOR {
        // A check reads a value each time. The form reads few, and has to stay small.
        command.args(["--config", "profile.release.package.serde_json.opt-level=\"s\""]);
    }
    if name == FORM {
        // Inlining only what makes the caller no larger takes 1.1 kB off the first download, a linker of our own (`link.rs`) takes 3 kB. Both are said of
        // this crate alone, which all others are linked into: flags of all crates that differ from the other modules' would have all compiled anew.
        let linker = env::current_exe().map_err(|error| error.to_string())?;
        // Another linker has made it: it is made anew.
        if !linked().is_file() {
            drop(fs::remove_file(compiled(name, "release/deps")));
        }
        command.args(["--", "-Cllvm-args=-inline-threshold=0", &format!("-Clinker={}", linker.display())]);
    }
    run(&mut command)?;
    Ok(compiled(name, "release"))
}

/// The module of the form with relocations, as `link.rs` leaves it beside the module.
fn linked() -> PathBuf {
    link::with_relocations(&compiled(FORM, "release/deps"))
}

/// Where the compiler writes the module of a crate.
fn compiled(name: &str, profile: &str) -> PathBuf {
    target().join(WASM).join(profile).join(format!("{}.wasm", name.replace('-', "_")))
}

/// Where cargo keeps the sources of dependencies.
pub fn registry() -> Done<PathBuf> {
    let home = env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home
        .or_else(|| Some(PathBuf::from(env::var_os("HOME").or_else(|| env::var_os("USERPROFILE"))?).join(".cargo")));
    home.map(|home| home.join("registry/src")).ok_or_else(|| "neither CARGO_HOME nor HOME is set".into())
}

fn written(path: &Path) -> Option<std::time::SystemTime> {
    fs::metadata(path).and_then(|data| data.modified()).ok()
}
