//! JSON: reading it, comparing it by value, and measuring it. This module does not know forms.

mod convert;
#[allow(dead_code, reason = "for the checks of answers, which come next")]
pub(crate) mod decimal;
#[allow(dead_code, reason = "for the checks of answers, which come next")]
pub(crate) mod digits;
mod weight;

pub use convert::{Unfit, from_value, to_value};
pub use weight::{Oversize, size, weigh, weigh_text};

use crate::text::shortened;
use serde::{Deserialize, Serialize, Serializer, de::DeserializeOwned};
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

/// A text for a scalar. Two scalars have the same text exactly if they are [`equal`]. `None` for arrays and objects.
pub fn scalar_key(value: &Value) -> Option<String> {
    match value {
        Value::Null | Value::Bool(_) | Value::String(_) => Some(value.to_string()),
        Value::Number(number) => Some(canonical(number).to_string()),
        Value::Array(_) | Value::Object(_) => None,
    }
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
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(try_from = "Map<String, Value>", bound = "T: DeserializeOwned")]
pub struct Named<T> {
    /// Invariant: each can be read as `T`.
    values: Map<String, Value>,
    of: PhantomData<T>,
}

/// Whole numbers by name; in JSON, an object.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(from = "Named<u64>")]
pub struct Numbers(Map<String, Value>);

impl From<Named<u64>> for Numbers {
    fn from(numbers: Named<u64>) -> Self {
        Self(numbers.values)
    }
}

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

impl<T: Serialize + DeserializeOwned> Named<T> {
    /// The value with this name.
    pub fn get(&self, name: &str) -> Option<T> {
        from_value(self.values.get(name)?).ok()
    }

    /// Sets the value with this name.
    pub fn set(&mut self, name: String, value: T) {
        self.values.insert(name, to_value(&value));
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

impl<T: Serialize> FromIterator<(String, T)> for Named<T> {
    fn from_iter<I: IntoIterator<Item = (String, T)>>(values: I) -> Self {
        Self { values: values.into_iter().map(|(name, value)| (name, to_value(&value))).collect(), of: PhantomData }
    }
}

impl<T: DeserializeOwned> TryFrom<Map<String, Value>> for Named<T> {
    type Error = Unfit;

    fn try_from(values: Map<String, Value>) -> Result<Self, Unfit> {
        values.values().try_for_each(|value| from_value::<T>(value).map(drop))?;
        Ok(Self { values, of: PhantomData })
    }
}

impl<T> Serialize for Named<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.values.serialize(serializer)
    }
}

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
    shortened(&value.to_string(), MESSAGE_BYTES).into_owned()
}

/// A text as messages show it: in double quotes, control characters escaped, shortened in the middle.
pub fn quoted(text: &str) -> String {
    Value::String(shortened(text, MESSAGE_BYTES).into_owned()).to_string()
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
