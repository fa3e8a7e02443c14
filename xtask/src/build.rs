//! Builds the npm package into `pkg/dist`: four wasm modules for size, their bindings, and the bundles around them.

use crate::{
    setup::{self, Bindgen, WASM},
    shell::{Done, cargo, node, program, root, run, target},
};
use std::{
    env,
    fs::File,
    path::{Path, PathBuf},
};

/// The wasm modules: crate, its features, and the folder of `pkg/build/published` that its bindings go to.
const MODULES: [(&str, &str, &str); 4] = [
    ("ask-user-core", "wasm", "core"),
    (VALIDATOR, "", "validator"),
    ("ask-user-html", "", "html"),
    (FORM, ELEMENT, "web"),
];
/// The crate of the validator.
const VALIDATOR: &str = "ask-user-validator";
/// The crate of the form.
const FORM: &str = "ask-user-web";
/// The feature of the form that the custom element is made of.
const ELEMENT: &str = "element";

/// Builds all of the package. A second build waits: both write the same files.
pub fn package() -> Done {
    let path = target().join("package.lock");
    let lock = File::create(&path).and_then(|file| file.lock().map(|()| file));
    let _lock = lock.map_err(|error| format!("{}: {error}", path.display()))?;
    setup::wasm_target()?;
    let bindgen = Bindgen::ready()?;
    setup::npm()?;
    for (name, features, folder) in MODULES {
        module(&bindgen, name, features, folder)?;
    }
    script(&bindgen)?;
    run(&mut node(&["pkg/build.mjs"]))
}

/// Writes the bindings of the form once more, for a form that is a script: without tables of the page's values and without several results of
/// one function, which a script has not. Whether they may be used, wasm-bindgen asks the module.
fn script(bindgen: &Bindgen) -> Done {
    let compiled = wasm(FORM, ELEMENT)?;
    let bindings = root().join("pkg/build/published/script");
    if written(&bindings.join("ask_user_script_bg.wasm")).is_some_and(|at| Some(at) > written(&compiled)) {
        return Ok(());
    }
    let [silent, modest] = ["silent", "modest"].map(|name| compiled.with_extension(format!("{name}.wasm")));
    let [from, between, to, out] = [&compiled, &silent, &modest, &bindings].map(|path| path.to_string_lossy());
    let optimiser = "pkg/node_modules/binaryen/bin/wasm-opt";
    run(&mut node(&[optimiser, &from, "--strip-target-features", "-o", &between]))?;
    let features = ["bulk-memory", "mutable-globals", "nontrapping-float-to-int", "sign-ext"];
    let mut command = node(&[optimiser, &between, "--mvp-features", "--emit-target-features", "-o", &to]);
    run(command.args(features.map(|feature| format!("--enable-{feature}"))))?;
    let arguments = ["--target", "bundler", "--no-typescript", "--out-dir", &out, "--out-name", "ask_user_script", &to];
    run(&mut program(bindgen.program("wasm-bindgen"), "", &arguments))
}

/// Compiles one module, and writes its bindings if the compiler wrote it anew.
fn module(bindgen: &Bindgen, name: &str, features: &str, folder: &str) -> Done {
    let compiled = wasm(name, features)?;
    let bindings = root().join("pkg/build/published").join(folder);
    let bound = bindings.join(format!("ask_user_{folder}_bg.wasm"));
    if written(&bound).is_some_and(|at| Some(at) > written(&compiled)) {
        return Ok(());
    }
    let (from, to, named) = (compiled.to_string_lossy(), bindings.to_string_lossy(), format!("ask_user_{folder}"));
    let (out, name) = (["--out-dir", &to], ["--out-name", &named, &from]);
    let arguments = [&["--target", "web", "--no-typescript", "--omit-default-module-path"][..], &out, &name].concat();
    run(&mut program(bindgen.program("wasm-bindgen"), "", &arguments))
}

/// Compiles a crate to wasm, and gives where its module is.
pub fn wasm(name: &str, features: &str) -> Done<PathBuf> {
    // Panic messages name source files: without this, by where they lie on the machine that builds.
    let flags = [format!("--remap-path-prefix={}=cargo", registry()?.display())];
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
        command.args(["--", "-Cllvm-args=-inline-threshold=0", &format!("-Clinker={}", linker.display())]);
    }
    run(&mut command)?;
    Ok(target().join(WASM).join("release").join(format!("{}.wasm", name.replace('-', "_"))))
}

/// Where cargo keeps the sources of dependencies.
pub fn registry() -> Done<PathBuf> {
    let home = env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home
        .or_else(|| Some(PathBuf::from(env::var_os("HOME").or_else(|| env::var_os("USERPROFILE"))?).join(".cargo")));
    home.map(|home| home.join("registry/src")).ok_or_else(|| "neither CARGO_HOME nor HOME is set".into())
}

fn written(path: &Path) -> Option<std::time::SystemTime> {
    std::fs::metadata(path).and_then(|data| data.modified()).ok()
}
