//! JSON values as this project means them: read from text, compared by value, measured before anything walks them.
//! Knows nothing of forms.

pub(crate) mod digits;

use serde_json::{Map, Number, Value};
use std::cmp::Ordering;

/// Why a text is not JSON. Lines and columns count from 1, columns in bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotJson {
    /// The line of the first offence.
    pub line: usize,
    /// The column of the first offence.
    pub column: usize,
    /// What is wrong there, in a few words.
    pub reason: String,
}

/// Reads one JSON text (RFC 8259).
///
/// Numbers are kept exactly when they are integers from -2⁶³ to 2⁶⁴-1, else as IEEE 754 doubles: the nearest one with the
/// feature `schema`; without it, the next to the nearest for some numbers of more than 15 digits. A lone surrogate escape is
/// refused, since no Rust string can hold it.
pub fn parse(text: &str) -> Result<Value, NotJson> {
    serde_json::from_str(text).map_err(|error| {
        let said = error.to_string();
        let position = format!(" at line {} column {}", error.line(), error.column());
        NotJson {
            line: error.line(),
            column: error.column(),
            reason: said.strip_suffix(&position).unwrap_or(&said).to_owned(),
        }
    })
}

/// Equality of JSON values: numbers by value (`1` equals `1.0`), objects whatever their key order.
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

/// A scalar as a text that is the same exactly when the JSON values are equal; `None` for arrays and objects.
pub fn scalar_key(value: &Value) -> Option<String> {
    match value {
        Value::Null | Value::Bool(_) | Value::String(_) => Some(value.to_string()),
        Value::Number(number) => Some(canonical(number).to_string()),
        Value::Array(_) | Value::Object(_) => None,
    }
}

/// Whether a number is whole (`2.0` is).
pub fn is_integer(number: &Number) -> bool {
    !number.is_f64() || number.as_f64().is_some_and(|float| float.fract() == 0.0)
}

/// How two numbers compare by value. Integers compare exactly, others as doubles.
pub fn compare(a: &Number, b: &Number) -> Ordering {
    match (canonical(a).as_i128(), canonical(b).as_i128()) {
        (Some(a), Some(b)) => a.cmp(&b),
        _ => a.as_f64().partial_cmp(&b.as_f64()).unwrap_or(Ordering::Equal),
    }
}

/// The number itself, as an integer wherever one equals it.
fn canonical(number: &Number) -> Number {
    // Both bounds are doubles; between them, every double without a fraction is exact as an integer.
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

/// Whole numbers by text. `serde_json`'s own map, since every other kind of map adds kilobytes to the form's download.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Numbers(Map<String, Value>);

impl Numbers {
    /// The number of a text.
    pub fn get(&self, text: &str) -> Option<u64> {
        self.0.get(text)?.as_u64()
    }

    /// Sets the number of a text.
    pub fn set(&mut self, text: String, number: u64) {
        self.0.insert(text, number.into());
    }

    /// The JSON form, an object.
    pub fn to_json(&self) -> Value {
        Value::Object(self.0.clone())
    }

    /// Reads the JSON form; `None` for anything but an object of whole numbers.
    pub fn from_json(value: &Value) -> Option<Self> {
        let numbers = value.as_object()?;
        numbers.values().all(Value::is_u64).then(|| Self(numbers.clone()))
    }
}

/// How large a value is, found without recursion and without reading past the limits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measure {
    /// Within both limits.
    Fits,
    /// The value would take more bytes as JSON text than allowed (estimated from below, separators not counted).
    TooManyBytes,
    /// Arrays and objects are nested deeper than allowed.
    TooDeep,
}

/// Measures a value against a number of bytes of JSON text and a depth of nesting.
pub fn measure(value: &Value, bytes: usize, depth: usize) -> Measure {
    let mut left = bytes;
    let mut open = vec![(value, 0_usize)];
    while let Some((value, level)) = open.pop() {
        let own = match value {
            Value::Null | Value::Bool(_) | Value::Number(_) => 4,
            Value::String(text) => text.len().saturating_add(2),
            Value::Array(items) => {
                let level = level.saturating_add(1);
                open.extend(items.iter().map(|item| (item, level)));
                items.len().saturating_add(2)
            }
            Value::Object(fields) => {
                let level = level.saturating_add(1);
                open.extend(fields.values().map(|field| (field, level)));
                fields.keys().fold(2_usize, |sum, key| sum.saturating_add(key.len()).saturating_add(4))
            }
        };
        let nests = matches!(value, Value::Array(_) | Value::Object(_));
        if nests && level >= depth {
            return Measure::TooDeep;
        }
        match left.checked_sub(own) {
            Some(rest) => left = rest,
            None => return Measure::TooManyBytes,
        }
    }
    Measure::Fits
}

/// Measures a JSON text the same way, before it is parsed: a text may be small and yet nest very deep.
pub fn measure_text(text: &str, bytes: usize, depth: usize) -> Measure {
    if text.len() > bytes {
        return Measure::TooManyBytes;
    }
    let mut level = 0_usize;
    let mut in_string = false;
    let mut escaped = false;
    for byte in text.bytes() {
        match (in_string, byte) {
            (true, _) if escaped => escaped = false,
            (true, b'\\') => escaped = true,
            (_, b'"') => in_string = !in_string,
            (false, b'[' | b'{') => {
                level = level.saturating_add(1);
                if level > depth {
                    return Measure::TooDeep;
                }
            }
            (false, b']' | b'}') => level = level.saturating_sub(1),
            (true | false, _) => {}
        }
    }
    Measure::Fits
}

/// Drops a value without recursion, however deep it nests.
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

/// The name of a value's JSON type, with its article: "a string", "null".
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

/// A value as it is named in a message: JSON text, cut after 80 characters.
pub fn shown(value: &Value) -> String {
    cut(&value.to_string())
}

/// A text as it is named in a message: in double quotes, controls escaped, cut after 80 characters.
pub fn quoted(text: &str) -> String {
    let start: String = text.chars().take(MESSAGE_CHARACTERS.saturating_add(1)).collect();
    cut(&Value::String(start).to_string())
}

const MESSAGE_CHARACTERS: usize = 80;

fn cut(text: &str) -> String {
    let mut characters = text.chars();
    let mut cut: String = characters.by_ref().take(MESSAGE_CHARACTERS).collect();
    if characters.next().is_some() {
        cut.push('…');
    }
    cut
}

/// A fingerprint of a sequence of values and texts: 64-bit FNV-1a, insensitive to key order and number notation.
///
/// It tells two requests apart and notices damage. It is no signature: whoever can write a saved walk can write a
/// fingerprint that fits it, and so everything that is read back is checked again.
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

    /// Adds a value. The caller has measured it: this recurses as deep as the value nests.
    pub fn value(self, value: &Value) -> Self {
        match value {
            Value::Array(items) => items.iter().fold(self.text("["), Self::value).text("]"),
            Value::Object(fields) => {
                // A sum is blind to the order of what it adds up.
                let sum = fields
                    .iter()
                    .fold(0_u64, |sum, (key, value)| sum.wrapping_add(Self::new().text(key).value(value).0));
                self.text("{").bytes(sum.to_le_bytes()).text("}")
            }
            Value::String(text) => self.text("\"").text(text),
            Value::Number(number) => self.text(&canonical(number).to_string()),
            Value::Null | Value::Bool(_) => self.text(&value.to_string()),
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
    fn depth_is_measured_in_values_and_in_text_alike() {
        for (text, depth, measure_of_it) in [
            ("[[1]]", 2, Measure::Fits),
            ("[[1]]", 1, Measure::TooDeep),
            ("\"[[[\\\"[[\"", 0, Measure::Fits),
            ("{\"a\": [\"]\", {}]}", 3, Measure::Fits),
            ("{\"a\": [\"]\", {}]}", 2, Measure::TooDeep),
        ] {
            assert_eq!(measure_text(text, 100, depth), measure_of_it, "{text}");
            assert_eq!(measure(&parse(text).unwrap(), 100, depth), measure_of_it, "{text}");
        }
        assert_eq!(measure(&json!("abc"), 4, 1), Measure::TooManyBytes);
        assert_eq!(measure_text("\"abc\"", 4, 1), Measure::TooManyBytes);
    }

    #[test]
    fn a_fingerprint_is_blind_to_notation_only() {
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
