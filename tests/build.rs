//! Makes tests of the Rust code in documents: each fenced block becomes the body of one, in `documents.rs`.

use std::{env, error::Error, fmt::Write, fs, path::Path};

/// The documents, from the folder of the project.
const DOCUMENTS: [&str; 2] = ["README.md", "docs/putting-ask-user-into-your-agent.md"];

fn main() -> Result<(), Box<dyn Error>> {
    let root = Path::new(&env::var("CARGO_MANIFEST_DIR")?).join("..");
    let mut tests = String::new();
    for document in DOCUMENTS {
        let path = root.join(document);
        println!("cargo::rerun-if-changed={}", path.display());
        for (place, block) in blocks(&fs::read_to_string(path)?).iter().enumerate() {
            let name = document.to_lowercase().replace(|letter: char| !letter.is_ascii_alphanumeric(), "_");
            writeln!(
                tests,
                "#[test]\nfn {name}_{place}() -> Result<(), Box<dyn std::error::Error>> {{\n{block}\nOk(())\n}}"
            )?;
        }
    }
    fs::write(Path::new(&env::var("OUT_DIR")?).join("documents.rs"), tests)?;
    Ok(())
}

/// The fenced blocks that are marked as Rust.
fn blocks(document: &str) -> Vec<String> {
    let parts = document.split("```rust\n").skip(1);
    parts.map(|part| part.split("\n```").next().unwrap_or_default().to_owned()).collect()
}
