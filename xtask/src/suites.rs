//! The suites of scripts, which `tests/run.mjs` runs on a snapshot of the package.

use crate::{
    setup::Chromium,
    shell::{Done, node, root},
};
use std::{path::Path, process::Command};

/// The suites of every test run.
pub const FOLDER: &str = "tests/js";

/// The suites that run on the published package: those of its two parts, of names with hashes, and of what it has for hosts that run no wasm; and those
/// that a slow module takes other ways.
pub const PUBLISHED: [&str; 9] = [
    "tests/js/copy.test.mjs",
    "tests/js/fields-worker.test.mjs",
    "tests/js/first-question.test.mjs",
    "tests/js/hostile-text.test.mjs",
    "tests/js/mcp-app.test.mjs",
    "tests/js/mcp-server.test.mjs",
    "tests/js/memory.test.mjs",
    "tests/js/rest.test.mjs",
    "tests/js/rest-validator.test.mjs",
];

/// The suites that run on the development build: all others. With words, those whose names have one of them.
pub fn of_development(words: &[String]) -> Done<Vec<String>> {
    let folder = root().join(FOLDER);
    let entries = std::fs::read_dir(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let names = entries.filter_map(|entry| Some(entry.ok()?.file_name().to_string_lossy().into_owned()));
    let suites = names.filter(|name| name.ends_with(".test.mjs")).map(|name| format!("{FOLDER}/{name}"));
    let mut suites: Vec<String> = suites.filter(|name| !PUBLISHED.contains(&name.as_str())).collect();
    suites.retain(|name| words.is_empty() || words.iter().any(|word| name.contains(word.as_str())));
    suites.sort();
    if suites.is_empty() {
        Err(format!("no suite of {FOLDER} has {} in its name", words.join(" or ")))
    } else {
        Ok(suites)
    }
}

/// Node, whose imports of the package are those of a folder with its files.
pub fn on(dist: &Path, arguments: &[&str]) -> Command {
    let mut command = node(&["--import=./tests/dist.mjs"]);
    command.args(arguments).env("ASK_USER_DIST", dist);
    command
}

/// The command that runs suites on the files of a package. Options of `tests/run.mjs` can be added to it.
pub fn command<S: AsRef<std::ffi::OsStr>>(dist: &Path, suites: &[S], chromium: &Chromium) -> Command {
    let mut command = node(&["tests/run.mjs", "--dist"]);
    command.arg(dist).args(suites);
    chromium.name_to(&mut command);
    command.env("CHROMIUM_SHELL", chromium.shell());
    command
}
