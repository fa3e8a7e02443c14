//! Tries the built package where people embed it: what takes longer, or needs more on the machine, than the tests of every change.

use crate::{
    build,
    setup::{self, Chromium, say},
    shell::{Done, node, run},
};
use std::time::Instant;

/// A name, what it does, and the suites of scripts that show it.
const HOSTS: &[(&str, &str)] = &[("packaging", "tests/packaging/packaging.test.mjs")];

/// Runs all of them, or those that are named.
pub fn run_all(names: &[String]) -> Done {
    if let Some(unknown) = names.iter().find(|name| !HOSTS.iter().any(|(host, _)| host == name)) {
        let known: Vec<&str> = HOSTS.iter().map(|(host, _)| *host).collect();
        return Err(format!("there is no host {unknown}: say {}", known.join(", ")));
    }
    setup::npm()?;
    let chromium = Chromium::ready()?;
    build::package()?;
    for (name, suite) in HOSTS.iter().filter(|(host, _)| names.is_empty() || names.iter().any(|name| name == host)) {
        let started = Instant::now();
        say(name);
        let mut command = node(&["--test", "--test-reporter=spec", suite]);
        chromium.name_to(&mut command);
        run(&mut command)?;
        say(&format!("{name}: passed in {} s", started.elapsed().as_secs()));
    }
    Ok(())
}
