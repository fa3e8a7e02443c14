//! What takes longer than `.ci/run` has time for, area by area. `tests/soak.txt` notes when each area last passed, at which commit and of which sources.

use crate::{
    bench, build, fuzz, hosts,
    inputs::Inputs,
    setup::{Chromium, say},
    shell::{Done, cargo, program, read, root, run, text},
    suites,
};
use std::{fs, time::Instant};

/// The file with the notes: a line for each area.
const NOTES: &str = "tests/soak.txt";
/// How often each property is tried.
const CASES: &str = "100000";
/// How many acts of people random pages see.
const ACTS: &str = "90000";
/// How many minutes each target of the fuzzers gets.
const MINUTES: &str = "10";

/// What can be run by its name.
struct Area {
    name: &'static str,
    /// The sources whose change makes an earlier run say nothing.
    covers: &'static [&'static str],
    run: fn() -> Done,
}

const CORE: &[&str] = &["Cargo.lock", "core", "tests/native", "tests/vectors", "tests/cases"];
const PACKAGE: &[&str] = &["Cargo.lock", "core", "web", "validator", "html", "pkg", "tests/js"];

const AREAS: [Area; 18] = [
    Area { name: "properties", covers: CORE, run: properties },
    Area {
        name: "fuzz",
        covers: &["Cargo.lock", "core", "fuzz", "pkg/src/channel", "pkg/src/channel.js"],
        run: fuzzers,
    },
    Area { name: "hostile", covers: &["Cargo.lock", "core", "tests/bench/hostile"], run: || bench::hostile(&[]) },
    Area { name: "faults", covers: &["core", "pkg", "host", "tests/bench/faults"], run: faults },
    Area {
        name: "recipes",
        covers: &["core", "web", "pkg", "examples/chats", "tests/recipes"],
        run: || host("recipes"),
    },
    Area { name: "benchmarks", covers: &["core", "pkg", "host", "tests/bench"], run: || host("benchmarks") },
    Area { name: "servers", covers: &["core", "pkg", "tests/servers"], run: || host("servers") },
    Area { name: "python", covers: &["core", "python", "tests/python"], run: || host("python") },
    Area { name: "postgres", covers: &["core", "host", "tests/postgres"], run: || host("postgres") },
    Area { name: "telemetry", covers: &["host", "tests/telemetry"], run: || host("telemetry") },
    Area {
        name: "desktop",
        covers: &["core", "web", "pkg", "examples/desktop", "tests/shells"],
        run: || host("desktop"),
    },
    Area {
        name: "component",
        covers: &["core", "component", "wit", "tests/component"],
        run: hosts::component_at_length,
    },
    Area { name: "pages", covers: PACKAGE, run: pages },
    Area { name: "texts", covers: PACKAGE, run: hosts::texts_at_length },
    Area {
        name: "inbox",
        covers: &["core", "pkg", "tests/bench/inbox.mjs", "tests/js/inbox-app-crowd.mjs"],
        run: || build::package().and_then(|()| bench::inbox()),
    },
    Area { name: "js-host", covers: &["core", "pkg/src/hosting", "tests/js"], run: hosts::js_host_at_length },
    Area { name: "firefox", covers: PACKAGE, run: || hosts::engine_at_length("firefox") },
    Area { name: "webkit", covers: PACKAGE, run: || hosts::engine_at_length("webkit") },
];

/// Runs the named areas, or all, and then lists the areas that have not passed since their sources changed.
pub fn run_all(names: &[String]) -> Done {
    if let Some(unknown) = names.iter().find(|name| !AREAS.iter().any(|area| area.name == *name)) {
        let known: Vec<&str> = AREAS.iter().map(|area| area.name).collect();
        return Err(format!("there is no area {unknown}: say {}", known.join(", ")));
    }
    let mut failed = Vec::new();
    for area in AREAS.iter().filter(|area| names.is_empty() || names.iter().any(|name| name == area.name)) {
        say(area.name);
        let begun = Instant::now();
        match (area.run)() {
            Ok(()) => {
                note(area)?;
                say(&format!("{}: passed in {} s", area.name, begun.elapsed().as_secs()));
            }
            Err(error) => failed.push(format!("{}: {error}", area.name)),
        }
    }
    for area in &AREAS {
        if let Some(why) = outdated(area)? {
            println!("{} {why}", area.name);
        }
    }
    if failed.is_empty() { Ok(()) } else { Err(failed.join("\n")) }
}

/// Notes that an area has passed now.
fn note(area: &Area) -> Done {
    let commit = read(&mut program("git", "", &["rev-parse", "--short=12", "HEAD"]))?;
    let day = read(&mut program("date", "", &["-u", "+%F"]))?;
    let line = format!("{} {} {} {}", area.name, day.trim(), commit.trim(), Inputs::of(area.covers)?.hash());
    let path = root().join(NOTES);
    let noted = text(&path).unwrap_or_default();
    let mut lines: Vec<&str> = noted.lines().filter(|line| line.split(' ').next() != Some(area.name)).collect();
    lines.push(&line);
    lines.sort_unstable();
    fs::write(&path, lines.join("\n") + "\n").map_err(|error| format!("{}: {error}", path.display()))
}

/// Why the last run of an area does not speak for the sources that are there now.
fn outdated(area: &Area) -> Done<Option<String>> {
    let noted = text(&root().join(NOTES)).unwrap_or_default();
    let mut lines = noted.lines().map(|line| line.split(' ').collect::<Vec<_>>());
    let line = lines.find(|words| words.first() == Some(&area.name));
    let Some([_, day, commit, hash]) = line.as_deref() else {
        return Ok(Some("has never passed".into()));
    };
    let same = Inputs::of(area.covers)?.hash() == *hash;
    Ok((!same).then(|| format!("last passed on {day}, at {commit}; its sources have changed since")))
}

fn properties() -> Done {
    let mut properties = cargo(&["test", "--release", "--package", "ask-user-tests", "--test", "contract", "--"]);
    properties.args(["properties", "random", "conversation", "condition", "drafts", "stream"]);
    run(properties.env("ASK_USER_CASES", CASES))
}

fn fuzzers() -> Done {
    fuzz::run_all(&["--minutes".to_owned(), MINUTES.to_owned()])
}

fn faults() -> Done {
    build::package().and_then(|()| bench::faults(&[]))
}

/// Random pages and people, in the order that a new seed makes.
fn pages() -> Done {
    let chromium = Chromium::ready()?;
    let dist = build::development()?;
    run(suites::command(&dist, &["tests/js/random-pages.test.mjs"], &chromium).env("ACTS", ACTS))
}

fn host(name: &str) -> Done {
    hosts::run_all(&[name.to_owned()])
}
