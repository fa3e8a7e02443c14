//! Runs every test: what is cheap to know first.

use crate::{
    bench, build, serve,
    setup::{self, Bindgen, Chromium, WASM, say},
    shell::{Done, cargo, node, root, run},
    size, tidy, vectors,
};
use std::{path::Path, time::Instant};

/// The suites of scripts, all run by Node's own runner.
const SUITES: &str = "tests/js";

/// A name, and what it does.
type Step<'a> = (&'a str, Box<dyn Fn() -> Done + 'a>);

/// Runs every test, to the first step that fails.
pub fn run_all() -> Done {
    let begun = Instant::now();
    setup::wasm_target()?;
    setup::npm()?;
    let (bindgen, chromium) = (Bindgen::ready()?, Chromium::ready()?);
    let runner = bindgen.program("wasm-bindgen-test-runner");
    let steps: [Step; 9] = [
        ("the package, and its size", Box::new(|| build::package().and_then(|()| size::run()))),
        ("the crates", Box::new(|| run(&mut cargo(&["test", "--quiet"])))),
        ("their documentation", Box::new(documentation)),
        ("the core in Node", Box::new(|| everywhere(&runner, None))),
        ("the core in Chromium", Box::new(|| everywhere(&runner, Some(&chromium)))),
        ("the vectors in each build", Box::new(|| vectors::run_all(&[]))),
        (
            "the package, the element, the form, a host",
            Box::new(|| serve::agent_host().and_then(|_| scripts(&chromium))),
        ),
        ("the promises about the sources", Box::new(|| tidy::run_all(&[]))),
        ("the benchmarks run", Box::new(benchmarks)),
    ];
    for (name, step) in &steps {
        let started = Instant::now();
        say(name);
        step()?;
        say(&format!("{name}: passed in {} s", started.elapsed().as_secs()));
    }
    say(&format!("every test passed, in {} s", begun.elapsed().as_secs()));
    Ok(())
}

/// Documentation without a warning.
fn documentation() -> Done {
    for package in [&["ask-user-core", "--all-features"][..], &["ask-user-web", "--target", WASM]] {
        let mut command = cargo(&["doc", "--quiet", "--no-deps", "--package"]);
        run(command.args(package).env("RUSTDOCFLAGS", "-D warnings"))?;
    }
    Ok(())
}

/// Every benchmark once, whatever the time it takes.
fn benchmarks() -> Done {
    run(&mut cargo(&["test", "--quiet", "--package", "ask-user-tests", "--bench", "walk", "--", "--test"]))?;
    bench::hostile(&["--short".to_owned()])?;
    bench::first_question(1)?;
    bench::options(1)?;
    bench::editor(4)?;
    bench::schema(1)?;
    bench::stream(1)?;
    let host = serve::agent_host()?;
    run(node(&["tests/bench/agent-host.mjs"]).arg(&host).args(["20", "32"]))?;
    for words in [&["40", "2", "6"][..], &["40", "1", "0", "--lying"]] {
        bench::faults_of(&host, &words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>())?;
    }
    Ok(())
}

/// The tests that run wherever the core does, compiled to wasm.
fn everywhere(runner: &Path, browser: Option<&Chromium>) -> Done {
    let arguments = ["test", "--package", "ask-user-tests", "--test", "everywhere", "--target", WASM];
    let mut command = cargo(&arguments);
    command.env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUNNER", runner);
    if let Some(chromium) = browser {
        chromium.name_to(command.env("WASM_BINDGEN_USE_BROWSER", "1"));
    }
    run(&mut command)
}

fn scripts(chromium: &Chromium) -> Done {
    let folder = root().join(SUITES);
    let entries = std::fs::read_dir(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let names = entries.filter_map(|entry| Some(entry.ok()?.file_name().to_string_lossy().into_owned()));
    let mut suites: Vec<String> =
        names.filter(|name| name.ends_with(".test.mjs")).map(|name| format!("{SUITES}/{name}")).collect();
    suites.sort();
    // Two at a time: a suite waits more than it works.
    let mut command = node(&["--test", "--test-concurrency=2", "--test-reporter=spec"]);
    chromium.name_to(&mut command);
    run(command.args(suites))
}
