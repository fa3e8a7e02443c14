//! Fuzzes the core, guided by coverage: `fuzz/` has the targets, the vectors give the seeds. What is found is kept in `target/fuzz/artifacts`,
//! what was learned in `target/fuzz/corpus`.

use crate::{
    setup::{self, say},
    shell::{Done, cargo, program, root, run, target},
};
use std::time::Instant;

/// The targets: functions of `fuzz/src/lib.rs`.
const TARGETS: [&str; 7] = ["request", "commands", "saved", "response", "records", "schema", "conversation"];
/// How long a text may be, in bytes, how long one may take, in seconds, and how much memory, in MiB.
const LIMITS: [&str; 3] = ["-max_len=65536", "-timeout=10", "-rss_limit_mb=2048"];

/// Runs all targets, or one, each for some minutes (1), or so many executions.
pub fn run_all(arguments: &[String]) -> Done {
    let (mut only, mut end) = (None, "-max_total_time=60".to_owned());
    let mut rest = arguments.iter();
    while let Some(argument) = rest.next() {
        let number = |text: Option<&String>| text.and_then(|text| text.parse::<f64>().ok()).ok_or("say a number");
        match argument.as_str() {
            "--minutes" => end = format!("-max_total_time={:.0}", number(rest.next())? * 60.0),
            "--seconds" => end = format!("-max_total_time={:.0}", number(rest.next())?),
            "--runs" => end = format!("-runs={:.0}", number(rest.next())?),
            name if TARGETS.contains(&name) => only = Some(name.to_owned()),
            other => return Err(format!("there is no target {other}: say {}", TARGETS.join(", "))),
        }
    }
    let cargo_fuzz = setup::cargo_fuzz()?;
    let seeds = target().join("fuzz/seeds");
    let built = target().join("fuzz");
    let manifest = root().join("fuzz/Cargo.toml");
    let mut command = cargo(&["run", "--quiet", "--example", "seeds"]);
    command.arg("--manifest-path").arg(&manifest).arg("--target-dir").arg(&built).arg("--");
    run(command.arg(root().join("tests/vectors")).arg(&seeds))?;
    for name in TARGETS.iter().filter(|name| only.as_deref().is_none_or(|only| only == **name)) {
        let started = Instant::now();
        let [corpus, artifacts] = ["corpus", "artifacts"].map(|kind| built.join(kind).join(name));
        for folder in [&corpus, &artifacts] {
            std::fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        }
        let found = format!("-artifact_prefix={}/", artifacts.display());
        let mut command = program(&cargo_fuzz, "", &["run", name, "--sanitizer", "none", "--target-dir"]);
        command.arg(&built).arg(&corpus).arg(seeds.join(name)).arg("--").args(LIMITS).args([&found, &end]);
        run(command.args(["-print_final_stats=1", "-print_funcs=0", "-verbosity=0"]).current_dir(root()))?;
        say(&format!("{name}: nothing found in {} s", started.elapsed().as_secs()));
    }
    Ok(())
}
