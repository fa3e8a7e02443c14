//! How large a JSON text or value is, found before anything else is done with it.

use serde_json::Value;

/// Which limit a text or a value passes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Oversize {
    /// It has more bytes of JSON text than allowed. For a value they are estimated from below: separators are not counted.
    Bytes,
    /// Arrays and objects are nested deeper than allowed.
    Depth,
}

/// Units of work for each byte of text, each array or object, each element of an array and each member of an object: reading them and
/// keeping them. A list of one element has room for four.
const BYTE: u64 = 2;
const NEST: u64 = 150;
const ELEMENT: u64 = 72;
const MEMBER: u64 = 130;

/// Weighs a JSON text in units of [`crate::Budget`], without parsing it. An upper bound for a text that is JSON.
///
/// # Errors
/// [`Oversize`] when the text passes a limit.
pub fn weigh_text(text: &str, bytes: usize, depth: usize) -> Result<u64, Oversize> {
    if text.len() > bytes {
        return Err(Oversize::Bytes);
    }
    let mut units = (text.len() as u64).saturating_mul(BYTE);
    let mut level = 0_usize;
    let (mut in_string, mut escaped) = (false, false);
    for byte in text.bytes() {
        match (in_string, byte) {
            (true, _) if escaped => escaped = false,
            (true, b'\\') => escaped = true,
            (_, b'"') => in_string = !in_string,
            (false, b'[' | b'{') => {
                level = level.saturating_add(1);
                if level > depth {
                    return Err(Oversize::Depth);
                }
                units = units.saturating_add(NEST);
            }
            (false, b']' | b'}') => level = level.saturating_sub(1),
            (false, b',') => units = units.saturating_add(ELEMENT),
            (false, b':') => units = units.saturating_add(MEMBER),
            (true | false, _) => {}
        }
    }
    Ok(units)
}

/// Weighs a value like the text that it is written as. Looks no deeper than `depth`, so it never recurses further.
///
/// # Errors
/// [`Oversize`] when the value passes a limit.
pub fn weigh(value: &Value, bytes: usize, depth: usize) -> Result<u64, Oversize> {
    let mut left = bytes;
    let mut units = 0;
    add(value, &mut left, depth, &mut units)?;
    Ok(units)
}

/// The weight of a value that has been measured before, in units of [`crate::Budget`].
pub fn size(value: &Value) -> u64 {
    weigh(value, usize::MAX, usize::MAX).unwrap_or(u64::MAX)
}

fn add(value: &Value, left: &mut usize, depth: usize, units: &mut u64) -> Result<(), Oversize> {
    let (bytes, counted) = match value {
        Value::Null | Value::Bool(_) | Value::Number(_) => (4, 0),
        Value::String(text) => (text.len().saturating_add(2), 0),
        Value::Array(items) => {
            (items.len().saturating_add(2), ELEMENT.saturating_mul(items.len() as u64).saturating_add(NEST))
        }
        Value::Object(fields) => {
            let keys = fields.keys().fold(2_usize, |sum, key| sum.saturating_add(key.len()).saturating_add(4));
            (keys, MEMBER.saturating_mul(fields.len() as u64).saturating_add(NEST))
        }
    };
    *left = left.checked_sub(bytes).ok_or(Oversize::Bytes)?;
    let own = (bytes as u64).saturating_mul(BYTE).saturating_add(counted);
    *units = units.saturating_add(own);
    match value {
        Value::Array(items) => {
            let depth = depth.checked_sub(1).ok_or(Oversize::Depth)?;
            items.iter().try_for_each(|item| add(item, left, depth, units))
        }
        Value::Object(fields) => {
            let depth = depth.checked_sub(1).ok_or(Oversize::Depth)?;
            fields.values().try_for_each(|field| add(field, left, depth, units))
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::{Oversize, weigh, weigh_text};
    use crate::json::parse;
    use serde_json::json;

    #[test]
    fn depth_is_the_same_in_values_and_in_text() {
        for (text, depth, fits) in [
            ("[[1]]", 2, true),
            ("[[1]]", 1, false),
            ("\"[[[\\\"[[\"", 0, true),
            ("{\"a\": [\"]\", {}]}", 3, true),
            ("{\"a\": [\"]\", {}]}", 2, false),
        ] {
            for weighed in [weigh_text(text, 100, depth), weigh(&parse(text).unwrap(), 100, depth)] {
                assert_eq!(weighed.err(), (!fits).then_some(Oversize::Depth), "{text}");
            }
        }
        assert_eq!(weigh(&json!("abc"), 4, 1), Err(Oversize::Bytes));
        assert_eq!(weigh_text("\"abc\"", 4, 1), Err(Oversize::Bytes));
    }
}
