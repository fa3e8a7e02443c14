//! Documents that stay true: what ARCHITECTURE.md names is there, and the code in README.md runs.

use super::Source;
use crate::{
    setup::Chromium,
    shell::{Done, cargo, node, root, run, run_quietly, target, text},
};
use std::{collections::BTreeSet, fs};

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

/// Runs the code of a document: Rust in a crate of its own, JavaScript in Node, HTML in a browser.
pub fn code(document: &str) -> Done {
    rust(&blocks(&text(&root().join(document))?, "rust"))?;
    let mut command = node(&["tests/js/readme.mjs", document]);
    Chromium::ready()?.name_to(&mut command);
    run(&mut command)
}

/// Runs pieces of Rust, each as the body of a program that may use the core and `serde_json`.
pub fn rust(blocks: &[String]) -> Done {
    // A target folder of its own: this project's profiles are not those of the workspace, and cargo would mix up the two.
    let folder = target().join("readme");
    let failed = |error: std::io::Error| format!("{}: {error}", folder.display());
    fs::create_dir_all(folder.join("src")).map_err(failed)?;
    let core = root().join("core");
    let manifest = format!(
        "[package]\nname = \"readme\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[workspace]\n\n[dependencies]\n\
         ask-user-core = {{ path = {core:?} }}\nserde_json = {{ version = \"1\", features = [\"preserve_order\"] }}\n"
    );
    fs::write(folder.join("Cargo.toml"), manifest).map_err(failed)?;
    fs::copy(root().join("Cargo.lock"), folder.join("Cargo.lock")).map_err(failed)?;
    for block in blocks {
        let (uses, body): (Vec<_>, Vec<_>) = block.lines().partition(|line| line.starts_with("use "));
        let program = format!(
            "{}\nfn main() -> Result<(), Box<dyn std::error::Error>> {{\n{}\nOk(())\n}}\n",
            uses.join("\n"),
            body.join("\n")
        );
        fs::write(folder.join("src/main.rs"), program).map_err(failed)?;
        let manifest = folder.join("Cargo.toml").to_string_lossy().into_owned();
        let command = &mut cargo(&["run", "--quiet", "--manifest-path", &manifest]);
        run_quietly(command.env("CARGO_TARGET_DIR", folder.join("target")))?;
    }
    Ok(())
}

/// The fenced blocks of a document that are marked with a language.
fn blocks(document: &str, language: &str) -> Vec<String> {
    let mut blocks: Vec<Vec<&str>> = Vec::new();
    let mut within = false;
    for line in document.lines() {
        match line.strip_prefix("```") {
            Some(mark) => {
                within = !within && mark == language;
                if within {
                    blocks.push(Vec::new());
                }
            }
            None if within => blocks.last_mut().into_iter().for_each(|block| block.push(line)),
            None => {}
        }
    }
    blocks.into_iter().map(|lines| lines.join("\n")).collect()
}
