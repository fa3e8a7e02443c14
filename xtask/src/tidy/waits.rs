//! The waits of tests: a test waits for a state, with the helpers in `tests/js/wait.mjs` and `tests/python/wait.py`, and never for a time. A timer of
//! its own is a fault, except in the files that are listed here.

use super::Source;

/// What waits for a time.
const TIMERS: [&str; 4] = ["setTimeout", "setInterval", "waitForTimeout", "sleep("];

/// The files and folders that have timers of their own, and why.
const EXEMPT: [(&str, &str); 11] = [
    ("tests/js/wait.mjs", "it has the waits"),
    ("tests/js/probe.js", "it has those that run in a page"),
    ("tests/python/wait.py", "it has those of the tests in Python"),
    ("tests/js/browser.mjs", "it stops the time of a page"),
    ("tests/js/first-question.test.mjs", "it holds what a page does in place of a frame"),
    ("tests/js/fake-page.mjs", "it stands in for a page, timers included"),
    ("tests/js/channel-fuzz.mjs", "it ends a process that hangs"),
    ("tests/engines/", "its drivers ask an engine again and again"),
    ("tests/frameworks/apps/parent.js", "it is an app that renders all the time"),
    ("tests/shells/electron-main.mjs", "it stands in for Electron, which ends by itself"),
    ("tests/bench/", "it measures time"),
];

/// Lists the timers of tests, and the exceptions that nothing needs.
pub fn check(sources: &[Source]) -> Vec<String> {
    let found: Vec<_> = sources.iter().filter(|source| is_test(&source.path)).flat_map(timers).collect();
    let faults = found.iter().filter(|(path, ..)| !EXEMPT.iter().any(|(exempt, _)| path.starts_with(exempt)));
    let faults = faults.map(|(path, line, timer)| {
        format!("{path}:{line}: `{timer}` waits for a time: wait for a state, as tests/js/wait.mjs and tests/python/wait.py do")
    });
    let is_there = |exempt: &str| sources.iter().any(|source| source.path.starts_with(exempt));
    let is_needed = |exempt: &str| found.iter().any(|(path, ..)| path.starts_with(exempt));
    let stale = EXEMPT.iter().filter(|(exempt, _)| is_there(exempt) && !is_needed(exempt));
    let stale = stale.map(|(exempt, _)| format!("{exempt}: it has no timer, and needs no exception"));
    faults.chain(stale).collect()
}

fn is_test(path: &str) -> bool {
    path.starts_with("tests/") && path.rsplit('.').next().is_some_and(|kind| ["mjs", "js", "py", "rs"].contains(&kind))
}

/// The timers of a file: its path, the line, and what waits there.
fn timers(source: &Source) -> Vec<(&str, usize, &'static str)> {
    let first = |line: &str| TIMERS.into_iter().find(|timer| line.contains(timer));
    let lines = (1..).zip(source.text.lines());
    lines.filter_map(|(number, line)| Some((source.path.as_str(), number, first(line)?))).collect()
}
