//! What a page downloads, gzipped, file by file.

use crate::shell::{Done, root};
use flate2::{Compression, write::GzEncoder};
use std::io::Write as _;

/// The first download may have this many bytes, gzipped: 145 kB.
const LIMIT: usize = 158_000;

/// What a page fetches to show a form without a schema. The style sheet stands in the script.
const FIRST: &[&str] = &["ask-user.js", "ask_user_web_bg.wasm"];
/// What is fetched when a form has a schema, and what a headless host loads.
const SCHEMA: &[&str] = &["core.js", "ask_user_core_bg.wasm"];

/// Prints the sizes, and fails above the limit.
pub fn run() -> Done {
    println!("{:>36}  {:>9}  {:>9}", "", "bytes", "gzipped");
    let first = print("to show a form", FIRST)?;
    print("more, for a schema question", SCHEMA)?;
    println!("The first download is {first} bytes gzipped; the limit is {LIMIT}.");
    if first > LIMIT { Err(format!("the first download is {} bytes too large", first - LIMIT)) } else { Ok(()) }
}

fn print(what: &str, files: &[&str]) -> Done<usize> {
    let mut sum = (0, 0);
    for file in files {
        let path = root().join("pkg/dist").join(file);
        let bytes = std::fs::read(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        let packed = gzipped(&bytes)?;
        println!("{file:>36}  {:>9}  {packed:>9}", bytes.len());
        sum = (sum.0 + bytes.len(), sum.1 + packed);
    }
    println!("{what:>36}  {:>9}  {:>9}", sum.0, sum.1);
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
