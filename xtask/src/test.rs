//! Runs every test: what is cheap to know first.

use crate::{
    build,
    passed::{self, Suites},
    serve,
    setup::{self, Bindgen, Chromium, WASM, say},
    shell::{Done, cargo, run, target, text},
    suites, tidy, vectors,
};
use std::{path::Path, time::Instant};

/// A name, and what it does.
type Step<'a> = (&'a str, Box<dyn Fn() -> Done + 'a>);

/// Runs every test that has not passed with the files that are there now, or with `--again` every test; or the suites of scripts whose names have one of these words. `--stress N` repeats
/// those N times, beside a load.
pub fn run_all(arguments: &[String]) -> Done {
    match arguments {
        [] => all(false),
        [option] if option == "--again" => all(true),
        [option, times, words @ ..] if option == "--stress" && times.parse::<u32>().is_ok_and(|times| times > 1) => {
            some(words, &["--times", times])
        }
        words if words.iter().all(|word| !word.starts_with('-')) => some(words, &[]),
        _ => Err("say `cargo xtask test [--again]`, `cargo xtask test NAME ...` or `cargo xtask test --stress N [NAME ...]` with N of at least 2".into()),
    }
}

fn all(again: bool) -> Done {
    let begun = Instant::now();
    setup::wasm_target()?;
    setup::npm()?;
    let (bindgen, chromium) = (Bindgen::with_runner()?, Chromium::ready()?);
    let runner = bindgen.runner();
    build::development()?;
    let inputs = passed::of_all()?;
    // A step that fails keeps no other from being tried: one run says all that is wrong.
    let steps: [Step; 6] = [
        ("the crates", Box::new(|| run(&mut cargo(&["test", "--quiet", "--no-fail-fast"])))),
        ("the core in Node", Box::new(|| everywhere(&runner, None))),
        ("the core in Chromium", Box::new(|| everywhere(&runner, Some(&chromium)))),
        ("the vectors in each build", Box::new(|| vectors::run_all(&[]))),
        (SUITES, Box::new(|| every_suite(again))),
        ("the promises about the sources", Box::new(|| tidy::run_all(&[]))),
    ];
    let mut failures = Vec::new();
    for (name, step) in &steps {
        // Each suite has inputs of its own.
        if !again && *name != SUITES && passed::has(name, &inputs) {
            say(&format!("{name}: passed before, with the same files"));
            continue;
        }
        let started = Instant::now();
        say(name);
        let seconds = || started.elapsed().as_secs();
        match step() {
            Ok(()) => {
                say(&format!("{name}: passed in {} s", seconds()));
                passed::passes(name, &inputs)?;
            }
            Err(error) => {
                say(&format!("{name}: failed after {} s: {error}", seconds()));
                failures.push(format!("{name}: {error}"));
            }
        }
    }
    if !failures.is_empty() {
        return Err(failures.join("\n"));
    }
    say(&format!("every test passed, in {} s", begun.elapsed().as_secs()));
    Ok(())
}

/// The step of the suites of scripts.
const SUITES: &str = "the package, the element, the form, a host";

/// The suites of scripts on the development build: those that have not passed with the same files, or all of them.
fn every_suite(again: bool) -> Done {
    let chromium = Chromium::ready()?;
    let dist = build::development()?;
    let host = serve::agent_host()?;
    let inputs = Suites::with(&dist, &host, &chromium)?;
    let all = suites::of_development(&[])?;
    let all: Vec<_> = all.into_iter().map(|suite| Ok((inputs.of(&suite)?, suite))).collect::<Done<_>>()?;
    let left: Vec<_> = all.iter().filter(|(inputs, suite)| again || !passed::has(suite, inputs)).collect();
    let before = all.len().saturating_sub(left.len());
    if before > 0 {
        say(&format!("{before} of {} suites passed before, with the same files", all.len()));
    }
    if left.is_empty() {
        return Ok(());
    }
    let names: Vec<&str> = left.iter().map(|(_, suite)| suite.as_str()).collect();
    let list = target().join("passed.txt");
    // One of an earlier run would pass for this one's.
    drop(std::fs::remove_file(&list));
    let ended = run(suites::command(&dist, &names, &chromium).arg("--passed").arg(&list));
    let passed = text(&list).unwrap_or_default();
    for (inputs, suite) in left.iter().filter(|(_, suite)| passed.lines().any(|line| line == suite)) {
        passed::passes(suite, inputs)?;
    }
    ended
}

/// The suites of scripts on the development build whose names have one of these words, or all of them.
fn some(words: &[String], options: &[&str]) -> Done {
    let suites = suites::of_development(words)?;
    let chromium = Chromium::ready()?;
    setup::npm()?;
    let dist = build::development()?;
    serve::agent_host()?;
    run(suites::command(&dist, &suites, &chromium).args(options))
}

/// The tests that run wherever the core does, compiled to wasm.
fn everywhere(runner: &Path, browser: Option<&Chromium>) -> Done {
    let arguments = ["test", "--package", "ask-user-tests", "--test", "everywhere", "--target", WASM];
    let mut command = cargo(&arguments);
    // With the flags of the modules, what both need is compiled once.
    command.arg("--config").arg(format!("target.{WASM}.rustflags={:?}", build::UNRANDOM));
    command.env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUNNER", runner);
    if let Some(chromium) = browser {
        chromium.name_to(command.env("WASM_BINDGEN_USE_BROWSER", "1"));
    }
    run(&mut command)
}
