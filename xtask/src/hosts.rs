//! Tries what is built where people embed it: what takes longer, or needs more on the machine, than the tests of every change.

use crate::{
    build, component,
    setup::{self, Chromium, say},
    shell::{Done, cargo, node, run, target},
};
use std::time::Instant;

/// The version of wasmtime that the component is tried in.
const WASMTIME: &str = "50.0.1";

/// A host: its name, what it needs, and the suite of scripts that shows it.
type Host = (&'static str, fn() -> Done, &'static str);

const HOSTS: &[Host] = &[
    ("packaging", build::package, "tests/packaging/packaging.test.mjs"),
    ("component", component, "tests/component/component.test.mjs"),
    ("desktop", desktop, "tests/shells/desktop.test.mjs"),
];

/// Tries all of them, or those that are named.
pub fn run_all(names: &[String]) -> Done {
    if let Some(unknown) = names.iter().find(|name| !HOSTS.iter().any(|(host, ..)| host == name)) {
        let known: Vec<&str> = HOSTS.iter().map(|(host, ..)| *host).collect();
        return Err(format!("there is no host {unknown}: say {}", known.join(", ")));
    }
    setup::npm()?;
    let chromium = Chromium::ready()?;
    for (name, prepare, suite) in
        HOSTS.iter().filter(|(host, ..)| names.is_empty() || names.iter().any(|name| name == host))
    {
        let started = Instant::now();
        say(name);
        prepare()?;
        let mut command = node(&["--test", "--test-reporter=spec", suite]);
        chromium.name_to(&mut command);
        run(&mut command)?;
        say(&format!("{name}: passed in {} s", started.elapsed().as_secs()));
    }
    Ok(())
}

fn component() -> Done {
    // The tool definitions are compared with the package's.
    build::package()?;
    component::build()?;
    setup::python("wasmtime", WASMTIME, &target().join("component/python"))
}

fn desktop() -> Done {
    setup::debian(&["libwebkit2gtk-4.1-dev", "xvfb", "xdotool", "imagemagick"])?;
    build::package()?;
    // A workspace of its own, with a folder of its own: its dependencies are those of a desktop.
    for command in ["clippy", "test", "build"] {
        let manifest = ["--quiet", "--manifest-path", "examples/desktop/Cargo.toml", "--target-dir"];
        run(cargo(&[command]).args(manifest).arg(target().join("desktop")))?;
    }
    Ok(())
}
