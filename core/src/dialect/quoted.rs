//! Texts of an agent where they could be read as more than themselves: within a sentence of the form, or as JSON.

use crate::json;
use serde_json::Value;

/// A text of an agent within a sentence: as it is where it is a word that cannot be read as more than itself, in quotes where it is not.
pub(super) fn in_sentence(text: &str) -> String {
    let is_plain = |letter: u8| letter.is_ascii_alphanumeric() || b"_-./:*@~+=%".contains(&letter);
    if text.is_empty() || !text.bytes().all(is_plain) { json::text(&text) } else { text.to_owned() }
}

/// A text of an agent within Markdown, as code: in quotes where it is not one line that is a word.
pub(super) fn as_code(text: &str) -> String {
    let text = in_sentence(text);
    let marks = marks(&text, 1);
    // A mark at an end would be one of the code's.
    let space = if marks.len() > 1 { " " } else { "" };
    [&marks, space, &text, space, &marks].concat()
}

/// More backticks than stand side by side in a text, and at least so many.
fn marks(text: &str, least: usize) -> String {
    let longest = text.split(|letter| letter != '`').map(str::len).max().unwrap_or_default();
    "`".repeat(longest.saturating_add(1).max(least))
}

/// A value as a block of code. Its fence is longer than any run of its mark within.
pub(super) fn fenced(value: &Value) -> String {
    let text = json::pretty(&json::text(value));
    let fence = marks(&text, 3);
    [&fence, "json\n", &text, "\n", &fence].concat()
}
