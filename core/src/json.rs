//! JSON: reading it, comparing it by value, and measuring it. This module does not know forms.

pub(crate) mod decimal;
pub(crate) mod digits;
mod reason;
mod scanner;
mod shape;
mod weight;

pub(crate) use scanner::{Complete, Scanner};
pub use shape::{FromJson, ToJson};
pub(crate) use shape::{deserialize, put, serialize};
pub use weight::{Oversize, size, weigh, weigh_text};

use crate::text::shortened;
use serde::{Serialize, Serializer};
use serde_json::{Map, Number, Value};
use std::{cmp::Ordering, marker::PhantomData};

/// Why a text is not JSON.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotJson {
    /// The line of the error, from 1.
    pub line: usize,
    /// The column of the error, from 1, in bytes.
    pub column: usize,
    /// What is wrong, in a few words.
    pub reason: String,
}

/// Reads one JSON text (RFC 8259).
///
/// Integers from -2⁶³ to 2⁶⁴-1 are exact. Other numbers become doubles: the nearest one with the feature `schema`. Without it, some numbers of
/// more than 15 digits become a double next to the nearest.
///
/// # Errors
/// [`NotJson`] if the text is not JSON, nests deeper than 127 levels, or has an escape of half a surrogate pair, which no Rust string can hold.
pub fn parse(text: &str) -> Result<Value, NotJson> {
    // Compiled where serde_json is, at its level of optimisation.
    text.parse().map_err(|error: serde_json::Error| NotJson {
        line: error.line(),
        column: error.column(),
        reason: reason::reason(text, &error),
    })
}

/// Whether no object of a JSON text has a name twice. `value` is what was read of it: the last of each.
pub fn names_once(text: &str, value: &Value) -> bool {
    members(value) == colons(text)
}

/// How many members all objects of a value have.
fn members(value: &Value) -> usize {
    match value {
        Value::Array(items) => items.iter().map(members).sum(),
        Value::Object(fields) => fields.values().map(members).sum::<usize>().saturating_add(fields.len()),
        _ => 0,
    }
}

/// How many members a JSON text writes: the colons outside of its texts.
fn colons(text: &str) -> usize {
    let (mut found, mut in_text, mut is_escaped) = (0_usize, false, false);
    for byte in text.bytes() {
        match byte {
            b'"' if !is_escaped => in_text = !in_text,
            b':' if !in_text => found = found.saturating_add(1),
            _ => {}
        }
        is_escaped = in_text && byte == b'\\' && !is_escaped;
    }
    found
}

/// A value, or a type of this crate, as JSON text. In the form's download this is 2 kB smaller than `Value::to_string`.
pub fn text(value: &impl Serialize) -> String {
    // Nothing here has keys other than strings, so this cannot fail.
    serde_json::to_string(value).unwrap_or_default()
}

/// JSON text with a line for each element and member, indented by two spaces. Every other character stays as it is, the digits of numbers
/// included.
pub fn pretty(text: &str) -> String {
    let mut pretty = String::with_capacity(text.len());
    let (mut level, mut in_string, mut escaped) = (0_usize, false, false);
    let mut characters = text.chars().peekable();
    let line = |pretty: &mut String, level: usize| {
        pretty.push('\n');
        (0..level).for_each(|_| pretty.push_str("  "));
    };
    while let Some(character) = characters.next() {
        if in_string {
            in_string = escaped || character != '"';
            escaped = !escaped && character == '\\';
            pretty.push(character);
            continue;
        }
        match character {
            ' ' | '\n' | '\r' | '\t' => continue,
            '}' | ']' => {
                level = level.saturating_sub(1);
                line(&mut pretty, level);
            }
            '"' => in_string = true,
            _ => {}
        }
        pretty.push(character);
        match character {
            '{' | '[' => {
                while characters.next_if(|next| next.is_ascii_whitespace()).is_some() {}
                if let Some(end) = characters.next_if(|next| matches!(next, '}' | ']')) {
                    pretty.push(end);
                } else {
                    level = level.saturating_add(1);
                    line(&mut pretty, level);
                }
            }
            ',' => line(&mut pretty, level),
            ':' => pretty.push(' '),
            _ => {}
        }
    }
    pretty
}

/// Whether two JSON values are equal. Numbers are compared by value: `1` equals `1.0`. The order of an object's keys does not matter.
pub fn equal(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => canonical(a) == canonical(b),
        (Value::Array(a), Value::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| equal(a, b)),
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len() && a.iter().all(|(key, a)| b.get(key).is_some_and(|b| equal(a, b)))
        }
        (Value::Null, Value::Null) => true,
        (Value::Bool(a), Value::Bool(b)) => a == b,
        (Value::String(a), Value::String(b)) => a == b,
        (
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) | Value::Object(_),
            _,
        ) => false,
    }
}

/// A JSON text in which the keys of objects are sorted, and numbers have one notation. [`equal`] values have the same text, but for objects of more than 64 keys.
/// So a rule of an agent reads the same wherever it was read.
#[cold]
pub fn canonical_text(value: &Value) -> String {
    text(&sorted(value))
}

/// By hand: the library's way to sort is 4 kB in the form.
fn sorted(value: &Value) -> Value {
    const MOST: usize = 64;
    match value {
        Value::Number(number) => Value::Number(canonical(number)),
        Value::Array(list) => list.iter().map(sorted).collect(),
        Value::Object(map) => {
            let mut fields: Vec<(&String, &Value)> = Vec::with_capacity(map.len());
            for (name, value) in map {
                let later = fields.iter().position(|(other, _)| *other > name).filter(|_| map.len() <= MOST);
                fields.insert(later.unwrap_or(fields.len()), (name, value));
            }
            Value::Object(fields.into_iter().map(|(name, value)| (name.clone(), sorted(value))).collect())
        }
        Value::Null | Value::Bool(_) | Value::String(_) => value.clone(),
    }
}

/// A text for a scalar. Two scalars have the same text exactly if they are [`equal`]. `None` for arrays and objects.
pub fn scalar_key(value: &Value) -> Option<String> {
    match value {
        Value::Null | Value::Bool(_) | Value::String(_) => Some(text(value)),
        Value::Number(number) => Some(text(&canonical(number))),
        Value::Array(_) | Value::Object(_) => None,
    }
}

/// The value of a field. In an object of a few fields, comparing their names is faster than hashing one.
pub(crate) fn field<'a>(map: &'a Map<String, Value>, name: &str) -> Option<&'a Value> {
    /// The most fields that are looked through.
    const FEW: usize = 16;
    if map.len() > FEW {
        return map.get(name);
    }
    map.iter().find(|(own, _)| *own == name).map(|(_, value)| value)
}

/// Whether a number is whole. `2.0` is.
pub fn is_integer(number: &Number) -> bool {
    !number.is_f64() || number.as_f64().is_some_and(|float| float.fract() == 0.0)
}

/// Compares two numbers by value: two integers exactly, others as doubles.
pub fn compare(a: &Number, b: &Number) -> Ordering {
    match (canonical(a).as_i128(), canonical(b).as_i128()) {
        (Some(a), Some(b)) => a.cmp(&b),
        _ => a.as_f64().partial_cmp(&b.as_f64()).unwrap_or(Ordering::Equal),
    }
}

/// The number, as an integer if an integer equals it.
fn canonical(number: &Number) -> Number {
    // Both bounds are doubles. Between them, every whole double is exact as an integer.
    const ABOVE: f64 = 18_446_744_073_709_551_616.0;
    const BELOW: f64 = -9_223_372_036_854_775_808.0;
    match number.as_f64() {
        Some(float) if number.is_f64() && float.fract() == 0.0 && (BELOW..ABOVE).contains(&float) => {
            if float < 0.0 {
                (float as i64).into()
            } else {
                (float as u64).into()
            }
        }
        _ => number.clone(),
    }
}

/// Values of one type by name; in JSON, an object. It keeps them in the map of `serde_json`, since every other kind of map makes the form's
/// download some kilobytes larger.
#[derive(Clone, Debug, PartialEq)]
pub struct Named<T> {
    /// Invariant: each can be read as `T`.
    values: Map<String, Value>,
    of: PhantomData<T>,
}

impl<T: ToJson + FromJson> Named<T> {
    /// The value with this name.
    pub fn get(&self, name: &str) -> Option<T> {
        T::from_json(self.values.get(name)?)
    }

    /// Sets the value with this name.
    pub fn set(&mut self, name: String, value: T) {
        self.values.insert(name, value.to_json());
    }

    /// Whether there are no values.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }
}

impl<T> Default for Named<T> {
    fn default() -> Self {
        Self { values: Map::new(), of: PhantomData }
    }
}

impl<T: ToJson> FromIterator<(String, T)> for Named<T> {
    fn from_iter<I: IntoIterator<Item = (String, T)>>(values: I) -> Self {
        Self { values: values.into_iter().map(|(name, value)| (name, value.to_json())).collect(), of: PhantomData }
    }
}

impl<T> ToJson for Named<T> {
    fn to_json(&self) -> Value {
        Value::Object(self.values.clone())
    }
}

impl<T: FromJson> FromJson for Named<T> {
    fn from_json(value: &Value) -> Option<Self> {
        let values = value.as_object().filter(|values| values.values().all(|value| T::from_json(value).is_some()))?;
        Some(Self { values: values.clone(), of: PhantomData })
    }
}

impl<T> Serialize for Named<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.values.serialize(serializer)
    }
}

/// Whole numbers by name; in JSON, an object.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Numbers(Map<String, Value>);

impl Numbers {
    /// The number with this name.
    pub fn get(&self, name: &str) -> Option<u64> {
        self.0.get(name)?.as_u64()
    }

    /// Sets the number with this name.
    pub fn set(&mut self, name: String, number: u64) {
        self.0.insert(name, number.into());
    }

    /// Whether there is no number.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The sum of all numbers.
    pub fn sum(&self) -> u64 {
        self.0.values().filter_map(Value::as_u64).fold(0, u64::saturating_add)
    }
}

impl ToJson for Numbers {
    fn to_json(&self) -> Value {
        Value::Object(self.0.clone())
    }
}

impl FromJson for Numbers {
    fn from_json(value: &Value) -> Option<Self> {
        value.as_object().filter(|numbers| numbers.values().all(Value::is_u64)).map(|numbers| Self(numbers.clone()))
    }
}

serialize!(Numbers);
deserialize!(Numbers: "an object of whole numbers that are not negative");

/// Drops a value without recursion. Dropping a deeply nested value the usual way can overflow the stack.
pub fn dismantle(value: Value) {
    let mut open = vec![value];
    while let Some(value) = open.pop() {
        match value {
            Value::Array(items) => open.extend(items),
            Value::Object(fields) => open.extend(fields.into_iter().map(|(_, field)| field)),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
        }
    }
}

/// The JSON type of a value, with an article: "a string", "null".
pub fn type_name(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "an array",
        Value::Object(_) => "an object",
    }
}

/// A value as messages show it: its JSON text, shortened in the middle.
pub fn shown(value: &Value) -> String {
    shortened(&text(value), MESSAGE_BYTES).into_owned()
}

/// A text as messages show it: in double quotes, control characters escaped, shortened in the middle.
pub fn quoted(text: &str) -> String {
    self::text(&Value::String(shortened(text, MESSAGE_BYTES).into_owned()))
}

/// How many bytes of a text a message shows.
const MESSAGE_BYTES: usize = 120;

/// A hash of values and texts: 64-bit FNV-1a. [`equal`] values have the same fingerprint.
///
/// It tells requests apart and detects damage. It does not protect against forgery: anyone who can change a saved walk can compute its
/// fingerprint.
#[derive(Clone, Copy, Debug)]
pub struct Fingerprint(u64);

impl Fingerprint {
    /// The fingerprint of nothing.
    pub fn new() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }

    /// Adds a text.
    pub fn text(self, text: &str) -> Self {
        self.bytes(text.bytes().chain([0xff]))
    }

    /// Adds a value. Measure it first: this recurses as deep as the value nests.
    pub fn value(self, value: &Value) -> Self {
        match value {
            Value::Array(items) => items.iter().fold(self.text("["), Self::value).text("]"),
            Value::Object(fields) => {
                // A sum does not depend on the order of the fields.
                let sum = fields
                    .iter()
                    .fold(0_u64, |sum, (key, value)| sum.wrapping_add(Self::new().text(key).value(value).0));
                self.text("{").bytes(sum.to_le_bytes()).text("}")
            }
            Value::String(text) => self.text("\"").text(text),
            Value::Number(number) => self.text(&text(&canonical(number))),
            Value::Null | Value::Bool(_) => self.text(&text(value)),
        }
    }
}

impl Fingerprint {
    fn bytes(mut self, bytes: impl IntoIterator<Item = u8>) -> Self {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
        self
    }
}

impl Default for Fingerprint {
    fn default() -> Self {
        Self::new()
    }
}

impl std::fmt::Display for Fingerprint {
    /// Sixteen hexadecimal digits.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn pretty_text_is_that_of_serde_json() {
        for value in [
            json!(null),
            json!([]),
            json!({}),
            json!([[], {}, [1, "a,b:{}[]\\\"é"]]),
            json!({ "a": { "b\"": [true, -1.5e300], "": [] }, "ü": "" }),
        ] {
            let expected = serde_json::to_string_pretty(&value).unwrap();
            assert_eq!((pretty(&text(&value)), pretty(&expected)), (expected.clone(), expected));
        }
        assert_eq!(
            pretty("{ \"a\" : [ ],\"b\":1.000000000000000000001}"),
            "{\n  \"a\": [],\n  \"b\": 1.000000000000000000001\n}"
        );
    }

    #[test]
    fn numbers_are_equal_by_value() {
        assert!(equal(&json!(1), &json!(1.0)));
        assert!(equal(&json!(-0.0), &json!(0)));
        assert!(!equal(&json!(9_007_199_254_740_993_u64), &json!(9_007_199_254_740_992_u64)));
        assert!(!equal(&json!(u64::MAX), &json!(u64::MAX as f64)));
        assert!(!equal(&json!(1), &json!(true)));
    }

    #[test]
    fn objects_are_equal_whatever_their_order() {
        assert!(equal(&json!({"a": 1, "b": [2]}), &json!({"b": [2.0], "a": 1})));
        assert!(!equal(&json!({"a": 1}), &json!({"a": 1, "b": null})));
    }

    #[test]
    fn equal_values_alone_have_the_same_fingerprint() {
        let print = |value: Value| Fingerprint::new().value(&value).to_string();
        assert_eq!(print(json!({"a": 1, "b": 2})), print(json!({"b": 2.0, "a": 1})));
        assert_ne!(print(json!(["ab"])), print(json!(["a", "b"])));
        assert_ne!(print(json!("1")), print(json!(1)));
    }

    #[test]
    fn a_lone_surrogate_is_not_json() {
        let error = parse("\"\\ud800\"").unwrap_err();
        assert_eq!(error.line, 1);
    }
}
