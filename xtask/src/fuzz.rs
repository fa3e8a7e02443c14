//! Fuzzes, guided by coverage: the core with the targets of `fuzz/`, whose seeds the vectors give, and the channel with
//! `tests/js/channel-fuzz.mjs`. What is found is kept in `target/fuzz/artifacts`, what was learned in `target/fuzz/corpus`.

mod report;

use crate::{
    setup::{self, say},
    shell::{Done, cargo, node, program, root, run, target},
};
use report::Report;
use std::{
    collections::BTreeSet,
    fs,
    io::{BufRead, BufReader},
    path::{Path, PathBuf},
    process::{Command, Stdio},
    time::Instant,
};

/// The targets in Rust: functions of `fuzz/src/lib.rs`.
const CORE: [&str; 9] =
    ["request", "stream", "commands", "saved", "response", "records", "schema", "fields", "conversation"];
/// The target in JavaScript.
const CHANNEL: &str = "channel";
/// How long one text may take, in seconds, and how much memory, in MiB.
const LIMITS: [&str; 2] = ["-timeout=10", "-rss_limit_mb=2048"];
/// How long a text may be, in KiB, where nothing else is said.
const LONGEST: u64 = 64;

/// What is asked for.
struct Wanted {
    targets: Vec<&'static str>,
    /// The option of libFuzzer that says when a target ends.
    end: String,
    /// How long a text may be, in KiB.
    longest: u64,
    /// Whether the figures go into the document.
    write: bool,
    /// A text that was found, to try again instead.
    again: Option<PathBuf>,
}

impl Wanted {
    fn read(arguments: &[String]) -> Done<Self> {
        let (mut only, mut end, mut write, mut again) = (None, "-max_total_time=60".to_owned(), false, None);
        let mut longest = LONGEST;
        let mut rest = arguments.iter();
        while let Some(argument) = rest.next() {
            let number = |text: Option<&String>| text.and_then(|text| text.parse::<f64>().ok()).ok_or("say a number");
            match argument.as_str() {
                "--minutes" => end = format!("-max_total_time={:.0}", number(rest.next())? * 60.0),
                "--seconds" => end = format!("-max_total_time={:.0}", number(rest.next())?),
                "--runs" => end = format!("-runs={:.0}", number(rest.next())?),
                "--kib" => {
                    let count = rest.next().and_then(|count| count.parse().ok());
                    longest = count.filter(|count| (1..=LONGEST).contains(count)).ok_or("say from 1 to 64 KiB")?;
                }
                "--write" => write = true,
                "--again" => {
                    let file = rest.next().ok_or("say which file")?;
                    again = Some(fs::canonicalize(file).map_err(|error| format!("{file}: {error}"))?);
                }
                name => match CORE.iter().chain([&CHANNEL]).find(|target| **target == name) {
                    Some(target) => only = Some(*target),
                    None => return Err(format!("there is no target {name}: say {} or {CHANNEL}", CORE.join(", "))),
                },
            }
        }
        if again.is_some() && only.is_none() {
            return Err("say which target tries the file again".into());
        }
        let targets = only.map_or_else(|| [&CORE[..], &[CHANNEL]].concat(), |only| vec![only]);
        Ok(Self { targets, end, longest, write, again })
    }

    /// The option of libFuzzer for the longest text, in bytes.
    fn max_len(&self) -> String {
        format!("-max_len={}", self.longest * 1024)
    }
}

/// Runs all targets, or one, each for a time (a minute by default), or so many executions. Fails after all of them if something was found.
pub fn run_all(arguments: &[String]) -> Done {
    let wanted = Wanted::read(arguments)?;
    let built = target().join("fuzz");
    let mut faults = Vec::new();
    if wanted.targets != [CHANNEL] {
        seeds(&built)?;
    }
    for name in &wanted.targets {
        let folders = Folders::ready(&built, name)?;
        let again = wanted.again.as_deref();
        let mut command =
            if *name == CHANNEL { channel(&folders, again) } else { core(&built, name, &folders, again)? };
        if again.is_some() {
            run(&mut command)?;
            continue;
        }
        let report =
            watched(Report::new(name, wanted.longest), &folders, command.arg(&wanted.end).arg(wanted.max_len()))?;
        if wanted.write {
            report::write(&report)?;
        }
        match report.fault() {
            None => say(&format!("{name}: {report}")),
            Some(fault) => faults.push(format!("{name}: {fault} ({report})")),
        }
    }
    if faults.is_empty() { Ok(()) } else { Err(faults.join("\n")) }
}

/// Where a target keeps what it learns and finds.
struct Folders {
    corpus: PathBuf,
    seeds: PathBuf,
    artifacts: PathBuf,
}

impl Folders {
    fn ready(built: &Path, name: &str) -> Done<Self> {
        let [corpus, seeds, artifacts] = ["corpus", "seeds", "artifacts"].map(|kind| built.join(kind).join(name));
        for folder in [&corpus, &seeds, &artifacts] {
            fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        }
        Ok(Self { corpus, seeds, artifacts })
    }

    /// Tells a fuzzer what to begin with, or what to try again.
    fn name_to(&self, command: &mut Command, again: Option<&Path>) {
        match again {
            Some(file) => command.arg(file),
            None => command.args([&self.corpus, &self.seeds]),
        };
    }

    fn prefix(&self) -> String {
        format!("-artifact_prefix={}/", self.artifacts.display())
    }

    /// The files of what was found.
    fn found(&self) -> BTreeSet<PathBuf> {
        fs::read_dir(&self.artifacts).into_iter().flatten().filter_map(|entry| Some(entry.ok()?.path())).collect()
    }
}

/// Writes the seeds of the targets in Rust.
fn seeds(built: &Path) -> Done {
    let mut command = cargo(&["run", "--quiet", "--example", "seeds"]);
    // With the project's own builds: most of what they need is there.
    command.arg("--manifest-path").arg(root().join("fuzz/Cargo.toml")).arg("--target-dir").arg(target()).arg("--");
    run(command.arg(root().join("tests/vectors")).arg(built.join("seeds")))
}

/// A target in Rust, without a sanitizer: the core has no unsafe code.
fn core(built: &Path, name: &str, folders: &Folders, again: Option<&Path>) -> Done<Command> {
    // libFuzzer is C++.
    setup::needs("c++", &["--version"], "g++")?;
    let arguments = ["run", name, "--sanitizer", "none", "--target-dir"];
    let mut command = program(setup::cargo_fuzz()?, "", &arguments);
    folders.name_to(command.arg(built), again);
    command.arg("--").args(LIMITS).args(["-print_final_stats=1", "-print_funcs=0"]).arg(folders.prefix());
    Ok(command)
}

/// The target in JavaScript, which takes the same options.
fn channel(folders: &Folders, again: Option<&Path>) -> Command {
    let mut command = node(&["tests/js/channel-fuzz.mjs"]);
    folders.name_to(&mut command, again);
    command.arg(folders.prefix());
    command
}

/// Runs a target to its end. What it says of its progress is read and not shown; what it found is shown as base64, since the machine may not last.
fn watched(mut report: Report, folders: &Folders, command: &mut Command) -> Done<Report> {
    let name = report.name().to_owned();
    let (before, begun) = (folders.found(), Instant::now());
    let mut child = command.stderr(Stdio::piped()).spawn().map_err(|error| format!("{name}: {error}"))?;
    for line in child.stderr.take().into_iter().flat_map(|stderr| BufReader::new(stderr).split(b'\n')) {
        let line = line.map_err(|error| format!("{name}: {error}"))?;
        let line = String::from_utf8_lossy(&line);
        if !report.read(&line) {
            eprintln!("{line}");
        }
    }
    report.ended_well = child.wait().is_ok_and(|status| status.success()) || report.interrupted;
    report.ran(begun.elapsed());
    for path in folders.found().difference(&before) {
        let bytes = fs::read(path).map_err(|error| format!("{}: {error}", path.display()))?;
        report.found += 1;
        eprintln!("{}, {} bytes, is in base64:\n{}", path.display(), bytes.len(), report::base64(&bytes));
        eprintln!("Try it again: base64 --decode > found; cargo xtask fuzz {name} --again found");
    }
    Ok(report)
}
