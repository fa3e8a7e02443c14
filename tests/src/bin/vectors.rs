//! Plays files or folders of vectors: a line for each case that fails, then a count. Without a path, all of
//! `tests/vectors` and `tests/cases` but the files that are listed as pending.

use ask_user_tests::{Report, files, folders, pending::pending, play_file};
use std::{path::PathBuf, process::ExitCode};

fn main() -> ExitCode {
    let paths: Vec<PathBuf> = std::env::args().skip(1).map(PathBuf::from).collect();
    match run(&paths) {
        Ok(report) => {
            for (case, why) in &report.failed {
                println!("FAILED {case}: {why}");
            }
            println!("native: {} passed, {} failed", report.played - report.failed.len(), report.failed.len());
            if report.failed.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
        }
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn run(paths: &[PathBuf]) -> Result<Report, String> {
    let everything = folders();
    let (paths, by_default) = if paths.is_empty() { (&everything[..], true) } else { (paths, false) };
    let mut total = Report::default();
    for path in paths {
        for file in files(path)? {
            let name = file.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
            let listed = pending().iter().any(|(pending, _)| by_default && *pending == name);
            let mut report = play_file(&file)?;
            if listed {
                let passes = report.failed.is_empty();
                report = Report::default();
                if passes {
                    let why = "passes whole: remove it from tests/vectors.pending".to_owned();
                    report = Report { played: 1, failed: vec![(name, why)] };
                }
            }
            total.played += report.played;
            total.failed.extend(report.failed);
        }
    }
    Ok(total)
}
