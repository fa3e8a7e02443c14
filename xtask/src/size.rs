//! What a page downloads, gzipped and with Brotli, file by file.

use crate::shell::{self, Done, node, root};
use flate2::{Compression, write::GzEncoder};
use std::{io::Write as _, path::Path};

/// The first download may have this many bytes, gzipped.
const LIMIT: usize = 174_000;

/// What a page fetches to show a question without a schema. The style sheet stands in the script.
const FIRST: &[&str] = &["ask-user.js", "form.first.wasm"];
/// What is fetched right after, before the question can be answered.
const REST: &[&str] = &["form.rest.wasm"];
/// The rest may have this many bytes, gzipped.
const REST_LIMIT: usize = 254_200;
/// What is fetched beside the first part where answers are sent or kept, or a host announces its questions.
const HOSTED: &[&str] = &["hosted.js"];
/// It may have this many bytes, gzipped.
const HOSTED_LIMIT: usize = 6_950;
/// What is fetched when a form has a schema, before a usual one is checked.
const VALIDATOR: &[&str] = &["validator.js", "validator.first.wasm"];
/// It may have this many bytes, gzipped.
const VALIDATOR_LIMIT: usize = 478_000;
/// What is fetched right after, and needed by unusual schemas.
const VALIDATOR_REST: &[&str] = &["validator.rest.wasm"];
/// It may have this many bytes, gzipped.
const VALIDATOR_REST_LIMIT: usize = 226_000;
/// What a headless host loads, and a page whose assistant is asked.
const HEADLESS: &[&str] = &["core.js", "core.load.js", "core.wasm"];
/// What a page loads that has everything in one file.
const INLINE: &[&str] = &["inline.js"];
/// What is fetched beside it; the editor where the pointer is fine.
const EDITOR: &[&str] = &["fields.js", "editor.js"];
/// What is fetched where a check of the fields takes longer than a frame.
const WORKER: &[&str] = &["fields.worker.js"];
/// The editor may have this many bytes, gzipped.
const EDITOR_LIMIT: usize = 190_000;
/// What is fetched once a text of an agent has Markdown.
const MARKDOWN: &[&str] = &["markdown.js"];
/// Markdown may have this many bytes, gzipped.
const MARKDOWN_LIMIT: usize = 17_900;

/// What is fetched where a question expires.
const DEADLINE: &[&str] = &["deadline.js"];
/// It may have this many bytes, gzipped.
const DEADLINE_LIMIT: usize = 700;

/// What is fetched where a page lets a person put the form away.
const FOLD: &[&str] = &["fold.js"];
/// It may have this many bytes, gzipped.
const FOLD_LIMIT: usize = 2_200;

/// A language besides English, fetched where a page speaks it.
const LANGUAGE: &[&str] = &["locales/ar.js"];
/// A language may have this many bytes, gzipped.
const LANGUAGE_LIMIT: usize = 7_800;

/// Prints the sizes; or, with `--top` and a count, which modules and functions the first download consists of.
pub fn run_all(words: &[String]) -> Done {
    match words {
        [] => run(),
        [top, count @ ..] if top == "--top" && count.len() < 2 => shell::run(node(&["pkg/top.mjs"]).args(count)),
        _ => Err("usage: cargo xtask size [--top [COUNT]]".into()),
    }
}

/// Prints the sizes, and fails above the limit.
pub fn run() -> Done {
    println!("{:>36}  {:>9}  {:>9}  {:>9}", "", "bytes", "gzipped", "Brotli");
    let first = print("to show a question", FIRST)?;
    let rest = print("more, to answer it", REST)?;
    let hosted = print("more, if a host gets or keeps answers", HOSTED)?;
    let validator = print("more, for a schema question", VALIDATOR)?;
    let unusual = print("more, for an unusual schema", VALIDATOR_REST)?;
    let editor = print("and the editor for it", EDITOR)?;
    print("more, if a check takes long", WORKER)?;
    let markdown = print("more, for Markdown", MARKDOWN)?;
    let deadline = print("more, if a question expires", DEADLINE)?;
    let fold = print("more, if a form can be put away", FOLD)?;
    let language = print("more, for the largest language", LANGUAGE)?;
    print("without a page", HEADLESS)?;
    print("all of a form in one file", INLINE)?;
    println!("The first download is {first} bytes gzipped; the limit is {LIMIT}.");
    for (what, size, limit) in [
        ("first download", first, LIMIT),
        ("rest of the form", rest, REST_LIMIT),
        ("part for hosts", hosted, HOSTED_LIMIT),
        ("validator", validator, VALIDATOR_LIMIT),
        ("rest of the validator", unusual, VALIDATOR_REST_LIMIT),
        ("editor", editor, EDITOR_LIMIT),
        ("Markdown", markdown, MARKDOWN_LIMIT),
        ("countdown", deadline, DEADLINE_LIMIT),
        ("part that folds a form", fold, FOLD_LIMIT),
        ("language", language, LANGUAGE_LIMIT),
    ] {
        if size > limit {
            return Err(format!("the {what} is {} bytes too large", size - limit));
        }
    }
    Ok(())
}

/// Prints the sizes of files and of all together, and gives the sum of what they are gzipped.
pub fn print(what: &str, files: &[impl AsRef<Path>]) -> Done<usize> {
    let mut sum = (0, 0, 0);
    for file in files {
        let path = root().join("pkg/dist").join(file);
        let file = path.file_name().unwrap_or_default().to_string_lossy();
        let bytes = std::fs::read(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        let (packed, smaller) = (gzipped(&bytes)?, brotli(&bytes)?);
        println!("{file:>36}  {:>9}  {packed:>9}  {smaller:>9}", bytes.len());
        sum = (sum.0 + bytes.len(), sum.1 + packed, sum.2 + smaller);
    }
    println!("{what:>36}  {:>9}  {:>9}  {:>9}", sum.0, sum.1, sum.2);
    Ok(sum.1)
}

fn gzipped(bytes: &[u8]) -> Done<usize> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder
        .write_all(bytes)
        .and_then(|()| encoder.finish())
        .map(|packed| packed.len())
        .map_err(|error| error.to_string())
}

/// At the highest quality, as a file that is packed once and served often.
fn brotli(bytes: &[u8]) -> Done<usize> {
    let mut packed = Vec::new();
    let parameters = brotli::enc::BrotliEncoderParams { quality: 11, lgwin: 22, ..Default::default() };
    brotli::BrotliCompress(&mut &bytes[..], &mut packed, &parameters).map_err(|error| error.to_string())?;
    Ok(packed.len())
}
