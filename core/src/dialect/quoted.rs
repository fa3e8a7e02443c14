//! Texts of an agent where they could be read as more than themselves: within a sentence of the form, or as JSON.

use crate::json;
use serde_json::Value;

/// A text of an agent within a sentence: as it is where it is a word that cannot be read as more than itself, in quotes where it is not.
pub(super) fn in_sentence(text: &str) -> String {
    let is_plain = |letter: u8| letter.is_ascii_alphanumeric() || b"_-./:*@~+=%".contains(&letter);
    if text.is_empty() || !text.bytes().all(is_plain) { json::text(&text) } else { text.to_owned() }
}

/// A value as a block of code. Its fence is longer than any run of its mark within.
pub(super) fn fenced(value: &Value) -> String {
    let text = json::pretty(&json::text(value));
    let longest = text.split(|letter| letter != '`').map(str::len).max().unwrap_or_default();
    let fence = "`".repeat(longest.max(2).saturating_add(1));
    [&fence, "json\n", &text, "\n", &fence].concat()
}
