//! The project's own commands: `cargo xtask <command>`. Each sets up what it needs, and says so.

mod bench;
mod build;
mod component;
mod figures;
mod fuzz;
mod go;
mod hosts;
mod inputs;
mod link;
mod passed;
mod python;
mod serve;
mod setup;
mod shell;
mod size;
mod soak;
mod suites;
mod test;
mod tidy;
mod vectors;

use std::process::ExitCode;

const USAGE: &str = "\
cargo xtask <command>

  serve [--port N]      builds the package for development, and serves the playground (port 8080, or the next free)
  test [--again]        runs every test, but for what has passed with the files that are there now; --again: that, too
  test NAME ...         runs the suites of tests/js whose names have one of these words
  test --stress N [NAME ...]
                        runs these suites N times, beside a load on every processor
  build [--development] builds the npm package into pkg/dist, optimised, and prints its sizes; --development: what the tests of
                        scripts run on, into pkg/build/development/dist
  size [--top [COUNT]]  prints what a page downloads; fails above the limit; --top: which modules and functions the first
                        download consists of, by default the largest 30 of each
  vectors [--native | --node | --browser] [PATH ...]
                        plays files or folders of vectors; by default tests/vectors in all three builds
  hosts [NAME ...]      tries what is built where people embed it: packaging (bundlers), frameworks, leptos, firefox, webkit,
                        electron; and if they are named, component, benchmarks (each once), recipes (agent frameworks), servers (the host in
                        JavaScript), python, postgres (agent hosts over one database), telemetry (OpenTelemetry), desktop
  component             builds the WebAssembly component into target/component
  suite                 runs the JSON Schema project's test suite, and writes the report in docs/json-schema.md
  tidy [--write]        checks imports between modules and files, first lines, documents and licences;
                        --write: writes docs/requirements.md from the tests instead
  soak [AREA ...]       runs what takes longer than CI has: properties (each 100,000 times), fuzz (each target for ten minutes),
                        hostile (at full size), faults (10,000 answers), the hosts that are tried when they are named, component
                        and js-host at full length, firefox and webkit (every suite), texts (every hostile text in
                        Chromium); notes what passed in tests/soak.txt, and lists the areas that have not passed since
                        their sources changed
  fuzz [TARGET] [--minutes N | --seconds N | --runs N] [--write]
                        fuzzes the core and the channel, guided by coverage; each target for a minute by default;
                        --write: the figures go into docs/testing.md, too
  fuzz TARGET --again FILE
                        tries a text again that was found
  bench [FILTER]        runs the benchmarks
  bench hostile [WORD ...] [--short | --write]
                        measures what hostile input costs; fails where it is more than promised; --short: each kind once and
                        small; --write: the table goes into docs/hostile-input.md, too
  bench profile [COUNT] prints the functions in which the form spends its time, by default 25 of each of four scenes
  bench peers [--quick] [--write]
                        compares the form and the validator with others, for some minutes; --quick: a few runs of each;
                        --write: the tables go into docs/performance.md, too
  bench scale [--long] [--write]
                        measures the agent host on one, two and three processes, and kills, crashes and cuts off what it runs on;
                        fails where an answer is lost, doubled or stuck; --long: 10,000 conversations on three; --write: the
                        table goes into docs/scaling.md, too
  bench faults [ENDINGS [KILLS [TABS]]] [--lying]
                        sends answers through a network and a host that fail; fails where one is lost, doubled, or shown as
                        sent and not there; --lying: fails where a lie of the network is not found";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if link::is_meant(&arguments) {
        return ended(link::link(&arguments));
    }
    if let Err(error) = shell::end_together() {
        return ended(Err(error));
    }
    let (command, rest) = arguments.split_first().map_or(("", &[][..]), |(command, rest)| (command.as_str(), rest));
    let done = match command {
        "serve" => serve::run_until_stopped(rest),
        "test" => test::run_all(rest),
        "build" if rest == ["--development"] => build::development().map(drop),
        "build" | "component" | "suite" if !rest.is_empty() => {
            Err(format!("`cargo xtask {command}` does not take {:?}.\n\n{USAGE}", rest.join(" ")))
        }
        "build" => build::package().and_then(|()| size::run()),
        "size" => build::package().and_then(|()| size::run_all(rest)),
        "vectors" => vectors::run_all(rest),
        "component" => component::run_once(),
        "hosts" => hosts::run_all(rest),
        "suite" => build::package().and_then(|()| shell::run(&mut shell::node(&["tests/js/suite.mjs"]))),
        "tidy" => tidy::run_all(rest),
        "soak" => soak::run_all(rest),
        "fuzz" => fuzz::run_all(rest),
        "bench" => bench::run_all(rest),
        "" | "help" | "--help" | "-h" => {
            println!("{USAGE}");
            Ok(())
        }
        unknown => Err(format!("there is no command {unknown:?}.\n\n{USAGE}")),
    };
    ended(done)
}

fn ended(done: shell::Done) -> ExitCode {
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}
