//! Builds the component's hosts in Go: the example in a terminal, and the driver of the tests. They call Wasmtime's C API, whose library is in the package for
//! Python, and whose headers are in a crate.

use crate::{
    build::registry,
    setup,
    shell::{Done, cargo, program, read, run, run_quietly, target, text},
};
use std::{
    fs,
    path::{Path, PathBuf},
};

/// The crate with the headers, in the version of the library.
const HEADERS: &str = "wasmtime-c-api-impl";

/// Builds the programs into `target/component/go`. `python` is the folder that has wasmtime for Python.
pub fn build(python: &Path, version: &str) -> Done {
    setup::debian(&["golang-go", "build-essential"])?;
    let headers = headers(version)?;
    let api = target().join("component/c-api");
    let configured = text(&headers.join("wasmtime/conf.h.in"))?.replace("#cmakedefine", "#define");
    write(&api.join("include/wasmtime/conf.h"), configured.as_bytes())?;
    let library = library(python)?;
    let bytes = fs::read(&library).map_err(|error| format!("{}: {error}", library.display()))?;
    write(&api.join("lib/libwasmtime.so"), &bytes)?;
    let (include, lib) = (api.join("include"), api.join("lib"));
    let compiler = format!("-I{} -I{}", include.display(), headers.display());
    let linker = format!("-L{0} -Wl,-rpath,{0}", lib.display());
    for (folder, package, name) in [("examples/go", "./ask", "ask"), ("tests/component/driver", ".", "driver")] {
        let unformatted = read(&mut program("gofmt", folder, &["-l", "."]))?;
        if !unformatted.is_empty() {
            return Err(format!("gofmt -w {folder} changes:\n{unformatted}"));
        }
        let to = target().join("component/go").join(name);
        for arguments in [&["vet", "./..."][..], &["build", "-o", &to.to_string_lossy(), package]] {
            let mut go = program("go", folder, arguments);
            // Only what is in the project.
            go.envs([("GOFLAGS", "-mod=mod"), ("GOPROXY", "off"), ("CGO_ENABLED", "1")]);
            run(go.env("CGO_CFLAGS", &compiler).env("CGO_LDFLAGS", &linker))?;
        }
    }
    Ok(())
}

/// The folder of the headers. Looking the crate up downloads it.
fn headers(version: &str) -> Done<PathBuf> {
    run_quietly(&mut cargo(&["info", "--quiet", "--registry", "crates-io", &format!("{HEADERS}@{version}")]))?;
    let crates = registry()?;
    let folders = fs::read_dir(&crates).map_err(|error| format!("{}: {error}", crates.display()))?;
    let mut found = folders.filter_map(|entry| Some(entry.ok()?.path().join(format!("{HEADERS}-{version}/include"))));
    found.find(|folder| folder.is_dir()).ok_or_else(|| format!("{} has no {HEADERS} {version}", crates.display()))
}

/// The library of the package for Python, which has a folder for its platform.
fn library(python: &Path) -> Done<PathBuf> {
    let package = python.join("wasmtime");
    let folders = fs::read_dir(&package).map_err(|error| format!("{}: {error}", package.display()))?;
    let mut found = folders.filter_map(|entry| Some(entry.ok()?.path().join("_libwasmtime.so")));
    found.find(|library| library.is_file()).ok_or_else(|| format!("{} has no library", package.display()))
}

fn write(path: &Path, bytes: &[u8]) -> Done {
    let folder = path.parent().unwrap_or(path);
    let written = fs::create_dir_all(folder).and_then(|()| fs::write(path, bytes));
    written.map_err(|error| format!("{}: {error}", path.display()))
}
