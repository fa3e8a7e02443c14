//! Plays vectors against the builds of the core: natively, in Node, and in a browser on the rendered form.

use crate::{
    build,
    setup::{self, Chromium},
    shell::{Done, built, program, run},
    suites,
};
use std::path::Path;

const BUILDS: [&str; 3] = ["--native", "--node", "--browser"];

/// Plays files or folders in one build or in all. Every build is played, also when one before it fails.
pub fn run_all(arguments: &[String]) -> Done {
    let (named, paths): (Vec<&str>, Vec<&str>) =
        arguments.iter().map(String::as_str).partition(|a| a.starts_with("--"));
    if let Some(unknown) = named.iter().find(|name| !BUILDS.contains(name)) {
        return Err(format!("there is no build {unknown}: say --native, --node or --browser"));
    }
    let paths: Vec<String> = paths.into_iter().map(absolute).collect::<Done<_>>()?;
    let builds: Vec<&str> = BUILDS.into_iter().filter(|build| named.is_empty() || named.contains(build)).collect();
    if builds.iter().any(|build| *build != "--native") {
        setup::npm()?;
        build::development()?;
    }
    let failed: Vec<&str> = builds.into_iter().filter(|build| play(build, &paths).is_err()).collect();
    if failed.is_empty() { Ok(()) } else { Err(format!("{} failed", failed.join(", "))) }
}

fn play(build: &str, paths: &[String]) -> Done {
    let mut command = match build {
        "--native" => program(built(&["vectors"])?, "", &[]),
        _ => suites::on(&build::development()?, &["tests/js/vectors.mjs", build]),
    };
    if build == "--browser" {
        Chromium::ready()?.name_to(&mut command);
    }
    run(command.args(paths))
}

/// The builds run in the folder of the project; a path is meant from where the command was called.
fn absolute(path: &str) -> Done<String> {
    let found = Path::new(path).canonicalize().map_err(|error| format!("{path}: {error}"))?;
    Ok(found.to_string_lossy().into_owned())
}
