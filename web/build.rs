//! Makes the words of the form of `words.txt`: a constant for each key, and a list of them all. Sets `cfg(page)` where the view is made of the browser's
//! DOM (`src/dom.rs`): for wasm, unless the feature `html` asks for text.

use std::{env, error::Error, fmt::Write, fs, path::Path};

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=words.txt");
    println!("cargo::rustc-check-cfg=cfg(page)");
    let is_wasm = env::var("CARGO_CFG_TARGET_ARCH").is_ok_and(|arch| arch == "wasm32");
    if is_wasm && env::var_os("CARGO_FEATURE_HTML").is_none() {
        println!("cargo::rustc-cfg=page");
    }
    let (mut constants, mut catalogue) = (String::new(), String::new());
    let mut is_script = false;
    let mut is_core = false;
    // The core has the English, too.
    let mut is_sentence = false;
    for (at, line) in fs::read_to_string("words.txt")?.lines().enumerate() {
        if let Some(heading) = line.strip_prefix('[') {
            is_script = heading.ends_with("(scripts)]");
            is_core = heading.ends_with("(said by the core)]");
            is_sentence = heading.ends_with("(sentences of the core)]");
            continue;
        }
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let fault = || format!("words.txt, line {}: it should be `key = text // what it is for`", at + 1);
        let (key, rest) = line.split_once(" = ").ok_or_else(fault)?;
        let (text, about) = rest.rsplit_once(" // ").ok_or_else(fault)?;
        if !is_script && !is_sentence {
            let name = key.replace('.', "_").to_uppercase();
            let english = if is_core { "" } else { text };
            writeln!(constants, "/// {about}\npub const {name}: Word = Word({:?});", format!("{key}={english}"))?;
        }
        writeln!(catalogue, "{key}={text}")?;
    }
    let out = env::var("OUT_DIR")?;
    fs::write(Path::new(&out).join("words.rs"), constants)?;
    fs::write(Path::new(&out).join("catalogue.txt"), catalogue)?;
    Ok(())
}
