//! Names that are nearly another one: mistyped, or what other tools call the same, and values that say nothing. This module does not know a dialect.

use serde_json::Value;

/// What kinds of questions are called, here and in other tools. The names of one row mean the same.
const KINDS: &[&[&str]] = &[
    &["boolean", "bool", "yesno", "yesorno", "confirm", "confirmation", "toggle"],
    &[
        "select",
        "choice",
        "multiplechoice",
        "singlechoice",
        "singleselect",
        "single",
        "radio",
        "list",
        "dropdown",
        "enum",
    ],
    &["multiselect", "multi", "multiple", "multichoice", "checkbox", "checkboxes"],
    &["text", "string", "str", "input", "freetext", "textarea", "open"],
    &["number", "integer", "int", "float", "numeric"],
    &["secret", "password"],
    &["schema", "json", "jsonschema", "object"],
];

/// The kind of question that was probably meant, of those that there are.
pub(super) fn nearest_kind(given: &str, known: &[&'static str]) -> Option<&'static str> {
    let meant = |is: &dyn Fn(&str) -> bool| known.iter().copied().find(|known| is(known));
    let row = KINDS.iter().find(|row| row.iter().any(|name| is_same(given, name)));
    row.and_then(|row| meant(&|known| row.iter().any(|name| is_same(known, name))))
        .or_else(|| meant(&|known| is_near(given, known)))
}

/// Whether two names differ in upper case and in what stands between their words alone. Any other sign, and a letter beyond ASCII, is part of the name: `!when` is
/// the opposite of `when`.
pub(super) fn is_same(one: &str, other: &str) -> bool {
    // A difference that long is none of spelling, and names can be any length.
    one.len().abs_diff(other.len()) <= DIFFERENCE && letters(one).eq(letters(other))
}

/// Whether a name is one of a list, in any notation. The names of the list stand with a space between them.
pub(super) fn is_one(name: &str, names: &str) -> bool {
    names.split(' ').any(|one| is_same(name, one))
}

/// By how many bytes the lengths of names may differ that are nearly the same.
const DIFFERENCE: usize = 4;

/// What a name consists of besides its notation. A sign at its beginning is no notation.
fn letters(text: &str) -> impl Iterator<Item = u8> {
    let is_notation = |place: usize, byte: u8| {
        matches!(byte, b'_' | b' ' | b'/' | b'.' | b'?' | b'[' | b']') || byte == b'-' && place > 0
    };
    let own = text.bytes().enumerate().filter(move |(place, byte)| !is_notation(*place, *byte));
    own.map(|(_, letter)| letter.to_ascii_lowercase())
}

/// The signs of a name, which are none of its notation.
pub(super) fn signs(text: &str) -> impl Iterator<Item = u8> {
    letters(text).filter(|byte| !byte.is_ascii_alphanumeric())
}

/// Whether a name differs from another one in upper case or in what stands between its words, or in one place: by a letter (two in a long
/// name), or by two letters that changed places.
pub(super) fn is_near(name: &str, meant: &str) -> bool {
    const LONG: usize = 8;
    if name.len().abs_diff(meant.len()) > DIFFERENCE || !signs(name).eq(signs(meant)) {
        return false;
    }
    let (name, meant): (Vec<u8>, Vec<u8>) = (letters(name).collect(), letters(meant).collect());
    let begin = name.iter().zip(&meant).take_while(|(one, other)| one == other).count();
    let shorter = name.len().min(meant.len()).saturating_sub(begin);
    let end = name.iter().rev().zip(meant.iter().rev()).take(shorter).take_while(|(one, other)| one == other).count();
    let differs = |text: &[u8]| text.len().saturating_sub(begin).saturating_sub(end);
    let most = if meant.len() < LONG { 1 } else { 2 };
    let swapped = || name.iter().skip(begin).take(2).eq(meant.iter().skip(begin).take(2).rev());
    match (differs(&name), differs(&meant)) {
        (2, 2) => most == 2 || swapped(),
        (one, other) => one.max(other) <= most,
    }
}

/// Whether a field is one of whoever wrote the request, and none of a dialect.
pub(super) fn is_private(name: &str) -> bool {
    name.starts_with(['_', '$'])
}

/// Whether a value says nothing, whatever its field means.
pub(super) fn says_nothing(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::String(text) => text.is_empty(),
        Value::Array(list) => list.is_empty(),
        Value::Object(map) => map.is_empty(),
        Value::Bool(_) | Value::Number(_) => false,
    }
}

/// The field that says what another one does, which is written after it.
pub(super) fn said(field: &str) -> &str {
    field.split(' ').next().unwrap_or(field)
}

#[cfg(test)]
mod tests {
    use super::{is_near, nearest_kind};

    #[test]
    fn a_name_is_near_another_one_that_it_could_be_mistyped_from() {
        for (name, meant, near) in [
            ("answerType", "answer_type", true),
            ("multiples", "multiple", true),
            ("mutliple", "multiple", true),
            ("cusotm", "custom", true),
            ("typ", "type", true),
            ("secret", "isSecret", true),
            ("requestSchema", "requestedSchema", true),
            ("customer", "custom", false),
            ("costum", "custom", false),
            ("test", "type", false),
            ("multi", "multiple", false),
            ("", "type", false),
            ("!when", "when", false),
            ("-when", "when", false),
            ("not-when", "notWhen", true),
            ("¬equals", "equals", false),
            ("description", "question", false),
            ("a-name-that-is-much-too-long-to-be-any-of-these", "type", false),
        ] {
            assert_eq!(is_near(name, meant), near, "{name} {meant}");
        }
    }

    #[test]
    fn a_kind_is_found_by_what_other_tools_call_it_and_by_its_spelling() {
        let ours = &["boolean", "select", "multi_select", "text", "schema", "number", "secret"];
        for (given, meant) in [
            ("bool", Some("boolean")),
            ("yes/no", Some("boolean")),
            ("choice", Some("select")),
            ("multiSelect", Some("multi_select")),
            ("multi-select", Some("multi_select")),
            ("STRING", Some("text")),
            ("slect", Some("select")),
            ("colour", None),
            ("", None),
        ] {
            assert_eq!(nearest_kind(given, ours), meant, "{given}");
        }
        assert_eq!(nearest_kind("boolean", &["choice", "text", "yesno"]), Some("yesno"));
        assert_eq!(nearest_kind("select", &["text", "multiple_choice"]), Some("multiple_choice"));
    }
}
