//! Documents that stay true: what ARCHITECTURE.md names is there.

use super::Source;
use std::collections::BTreeSet;

/// Lists the names in backticks that are neither a path of the project nor a word of its sources.
pub fn names(document: &str, sources: &[Source]) -> Vec<String> {
    let documents = ["ARCHITECTURE.md", "README.md", "CHANGELOG.md", "CONTRIBUTING.md"];
    let code = sources.iter().filter(|source| !documents.contains(&source.path.as_str()));
    let words: BTreeSet<&str> = code.flat_map(|source| source.text.split(|letter: char| !is_word(letter))).collect();
    let mut in_code = false;
    let mut faults = Vec::new();
    for line in document.lines() {
        if line.starts_with("```") {
            in_code = !in_code;
        }
        if in_code {
            continue;
        }
        for name in line.split('`').skip(1).step_by(2) {
            let there = if is_path(name) {
                let path = name.trim_end_matches('/');
                sources.iter().any(|source| source.path == path || source.path.starts_with(&format!("{path}/")))
            } else if name.chars().all(|letter| is_word(letter) || ":.-".contains(letter)) {
                name.split(|letter: char| !is_word(letter)).all(|word| word.is_empty() || words.contains(word))
            } else {
                true
            };
            if !there {
                faults.push(format!("ARCHITECTURE.md: `{name}` is not there"));
            }
        }
    }
    faults
}

fn is_word(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}

/// A path has a folder or a known ending, and no blank.
fn is_path(name: &str) -> bool {
    let ends = [".rs", ".js", ".mjs", ".ts", ".css", ".html", ".md", ".toml", ".json"]
        .iter()
        .any(|ending| name.ends_with(ending));
    (name.contains('/') || ends) && name.chars().all(|letter| is_word(letter) || "/.-".contains(letter))
}
