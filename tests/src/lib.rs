//! Plays vectors (`tests/vectors/`) against the core as it is compiled for this machine.

pub mod case;
pub mod desk;
pub mod pending;

use serde_json::Value;
use std::path::{Path, PathBuf};

/// What came of a file, or of several.
#[derive(Debug, Default)]
pub struct Report {
    /// How many cases were played.
    pub played: usize,
    /// The cases that failed, as `file#name`, with why.
    pub failed: Vec<(String, String)>,
}

/// Plays every case of a file.
///
/// # Errors
/// Where the file cannot be read or is no list of cases.
pub fn play_file(path: &Path) -> Result<Report, String> {
    let text = std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
    let cases: Value = serde_json::from_str(&text).map_err(|error| format!("{}: {error}", path.display()))?;
    let cases = cases.as_array().ok_or_else(|| format!("{}: not a list of cases", path.display()))?;
    let file = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let mut report = Report { played: cases.len(), failed: Vec::new() };
    for case in cases {
        if let Err(why) = case::play(case) {
            let name = case.get("name").and_then(Value::as_str).unwrap_or("(without a name)");
            report.failed.push((format!("{file}#{name}"), why));
        }
    }
    Ok(report)
}

/// The folders of vectors: the contract, and the cases that this project adds to it.
pub fn folders() -> [PathBuf; 2] {
    ["vectors", "cases"].map(|folder| Path::new(env!("CARGO_MANIFEST_DIR")).join(folder))
}

/// Every request of the vectors that is a JSON value, with the dialect that its case names.
///
/// # Errors
/// Where a file cannot be read.
pub fn requests() -> Result<Vec<(Option<String>, Value)>, String> {
    let mut requests = Vec::new();
    for folder in folders() {
        for file in files(&folder)? {
            let text = std::fs::read_to_string(&file).map_err(|error| format!("{}: {error}", file.display()))?;
            let cases: Vec<Value> = serde_json::from_str(&text).map_err(|error| error.to_string())?;
            for case in cases {
                let dialect = case.get("dialect").and_then(Value::as_str).map(str::to_owned);
                requests.extend(case.get("request").map(|request| (dialect, request.clone())));
            }
        }
    }
    Ok(requests)
}

/// The files of vectors at a path: the file itself, or the `.json` files of a folder, by name, but for those about desks.
///
/// # Errors
/// Where there is no such path.
pub fn files(path: &Path) -> Result<Vec<PathBuf>, String> {
    if path.is_file() {
        return Ok(vec![path.to_owned()]);
    }
    let entries = std::fs::read_dir(path).map_err(|error| format!("{}: {error}", path.display()))?;
    let mut files: Vec<_> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    files.retain(|file| {
        file.extension().is_some_and(|extension| extension == "json")
            && file.file_name().is_none_or(|name| name != desk::FILE)
    });
    files.sort();
    Ok(files)
}
