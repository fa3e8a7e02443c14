//! JSON forms, written and read by hand. What derives them adds 13 kB to the form's download, so derived code serves only the types that
//! the form does not write or read.

use super::Value;

/// A type with a JSON form.
pub trait ToJson {
    /// The JSON form.
    fn to_json(&self) -> Value;
}

/// A type that can be read from its JSON form.
pub trait FromJson: Sized {
    /// Reads the JSON form. `None` if `value` is not one.
    fn from_json(value: &Value) -> Option<Self>;
}

impl ToJson for bool {
    fn to_json(&self) -> Value {
        (*self).into()
    }
}

impl FromJson for bool {
    fn from_json(value: &Value) -> Option<Self> {
        value.as_bool()
    }
}

impl FromJson for u64 {
    fn from_json(value: &Value) -> Option<Self> {
        value.as_u64()
    }
}

impl FromJson for usize {
    fn from_json(value: &Value) -> Option<Self> {
        value.as_u64()?.try_into().ok()
    }
}

impl FromJson for String {
    fn from_json(value: &Value) -> Option<Self> {
        value.as_str().map(str::to_owned)
    }
}

impl FromJson for super::Map<String, Value> {
    fn from_json(value: &Value) -> Option<Self> {
        value.as_object().cloned()
    }
}

/// Null is `None`.
impl<T: FromJson> FromJson for Option<T> {
    fn from_json(value: &Value) -> Option<Self> {
        if value.is_null() { Some(None) } else { T::from_json(value).map(Some) }
    }
}

/// Reads a value into a field. `None` if the value does not fit; the field is then as before.
pub(crate) fn put<T: FromJson>(field: &mut T, value: &Value) -> Option<()> {
    *field = T::from_json(value)?;
    Some(())
}

/// Serializes types by their JSON form.
macro_rules! serialize {
    ($($type:ty),*) => {
        $(impl serde::Serialize for $type {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                crate::json::ToJson::to_json(self).serialize(serializer)
            }
        })*
    };
}

/// Deserializes types by their JSON form, and says what was expected of one that cannot be read.
macro_rules! deserialize {
    ($($type:ty: $expected:expr),*) => {
        $(impl<'de> serde::Deserialize<'de> for $type {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let value = serde_json::Value::deserialize(deserializer)?;
                let expected = || serde::de::Error::custom(concat!("expected ", $expected));
                crate::json::FromJson::from_json(&value).ok_or_else(expected)
            }
        })*
    };
}

pub(crate) use {deserialize, serialize};
