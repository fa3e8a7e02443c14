//! Runs every test: what is cheap to know first.

use crate::{
    build, serve,
    setup::{self, Bindgen, Chromium, WASM, say},
    shell::{Done, cargo, run},
    suites, tidy, vectors,
};
use std::{path::Path, time::Instant};

/// A name, and what it does.
type Step<'a> = (&'a str, Box<dyn Fn() -> Done + 'a>);

/// Runs every test, or the suites of scripts whose names have one of these words. `--stress N` repeats those N times, beside a load.
pub fn run_all(arguments: &[String]) -> Done {
    match arguments {
        [] => all(),
        [option, times, words @ ..] if option == "--stress" && times.parse::<u32>().is_ok_and(|times| times > 1) => {
            some(words, &["--times", times])
        }
        words if words.iter().all(|word| !word.starts_with('-')) => some(words, &[]),
        _ => Err("say `cargo xtask test`, `cargo xtask test NAME ...` or `cargo xtask test --stress N [NAME ...]` with N of at least 2".into()),
    }
}

fn all() -> Done {
    let begun = Instant::now();
    setup::wasm_target()?;
    setup::npm()?;
    let (bindgen, chromium) = (Bindgen::with_runner()?, Chromium::ready()?);
    let runner = bindgen.runner();
    build::development()?;
    // A step that fails keeps no other from being tried: one run says all that is wrong.
    let steps: [Step; 6] = [
        ("the crates", Box::new(|| run(&mut cargo(&["test", "--quiet", "--no-fail-fast"])))),
        ("the core in Node", Box::new(|| everywhere(&runner, None))),
        ("the core in Chromium", Box::new(|| everywhere(&runner, Some(&chromium)))),
        ("the vectors in each build", Box::new(|| vectors::run_all(&[]))),
        ("the package, the element, the form, a host", Box::new(|| some(&[], &[]))),
        ("the promises about the sources", Box::new(|| tidy::run_all(&[]))),
    ];
    let mut failures = Vec::new();
    for (name, step) in &steps {
        let started = Instant::now();
        say(name);
        let seconds = || started.elapsed().as_secs();
        match step() {
            Ok(()) => say(&format!("{name}: passed in {} s", seconds())),
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
