//! Values into this crate's types and back. The errors of `serde_json` bring along code that formats every kind of value; this one says only
//! that the value does not fit, and so adds little to the form's download.

use serde::{
    Deserialize, Deserializer, Serialize, Serializer,
    de::{
        Error, IntoDeserializer, Visitor,
        value::{MapDeserializer, SeqDeserializer},
    },
    forward_to_deserialize_any,
    ser::{self, Impossible},
};
use serde_json::{Map, Value};
use std::fmt;

/// A type of this crate as JSON. Smaller than `serde_json::to_value`.
pub fn to_value(value: &impl Serialize) -> Value {
    // The types of this crate have nothing that fails: no bytes, no tuple variants, and all keys are strings.
    value.serialize(Writer).unwrap_or_default()
}

/// A type of this crate from JSON. Smaller than `serde_json::from_value`, and its error has no details.
///
/// # Errors
/// [`Unfit`] if the value does not have the fields and types that `T` needs.
pub fn from_value<'a, T: Deserialize<'a>>(value: &'a Value) -> Result<T, Unfit> {
    T::deserialize(Plain(value))
}

/// A value that does not have the fields and types that were needed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unfit;

impl fmt::Display for Unfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("The JSON value does not have the fields and types that are needed.")
    }
}

impl std::error::Error for Unfit {}

impl Error for Unfit {
    fn custom<T: fmt::Display>(_: T) -> Self {
        Self
    }
}

struct Plain<'a>(&'a Value);

impl<'a> Plain<'a> {
    fn fields<V: Visitor<'a>>(fields: &'a Map<String, Value>, visitor: V) -> Result<V::Value, Unfit> {
        visitor.visit_map(MapDeserializer::new(fields.iter().map(|(name, value)| (name.as_str(), Plain(value)))))
    }

    fn scalar<V: Visitor<'a>>(self, visitor: V) -> Result<V::Value, Unfit> {
        match self.0 {
            Value::Null => visitor.visit_unit(),
            Value::Bool(flag) => visitor.visit_bool(*flag),
            Value::String(text) => visitor.visit_borrowed_str(text),
            Value::Number(number) => match (number.as_u64(), number.as_i64()) {
                (Some(number), _) => visitor.visit_u64(number),
                (None, Some(number)) => visitor.visit_i64(number),
                (None, None) => visitor.visit_f64(number.as_f64().unwrap_or_default()),
            },
            Value::Array(_) | Value::Object(_) => Err(Unfit),
        }
    }
}

macro_rules! scalars {
    ($($method:ident)*) => {
        $(fn $method<V: Visitor<'a>>(self, visitor: V) -> Result<V::Value, Unfit> {
            self.scalar(visitor)
        })*
    };
}

impl<'a> Deserializer<'a> for Plain<'a> {
    type Error = Unfit;

    scalars! { deserialize_bool deserialize_u64 deserialize_str deserialize_string deserialize_identifier }

    fn deserialize_any<V: Visitor<'a>>(self, visitor: V) -> Result<V::Value, Unfit> {
        match self.0 {
            Value::Array(items) => visitor.visit_seq(SeqDeserializer::new(items.iter().map(Plain))),
            Value::Object(fields) => Self::fields(fields, visitor),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => self.scalar(visitor),
        }
    }

    fn deserialize_map<V: Visitor<'a>>(self, visitor: V) -> Result<V::Value, Unfit> {
        Self::fields(self.0.as_object().ok_or(Unfit)?, visitor)
    }

    fn deserialize_struct<V: Visitor<'a>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Unfit> {
        self.deserialize_map(visitor)
    }

    fn deserialize_option<V: Visitor<'a>>(self, visitor: V) -> Result<V::Value, Unfit> {
        if self.0.is_null() { visitor.visit_none() } else { visitor.visit_some(self) }
    }

    fn deserialize_newtype_struct<V: Visitor<'a>>(self, _: &'static str, visitor: V) -> Result<V::Value, Unfit> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'a>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Unfit> {
        visitor.visit_enum(self.0.as_str().ok_or(Unfit)?.into_deserializer())
    }

    forward_to_deserialize_any! {
        <V: Visitor<'a>>
        i8 i16 i32 i64 i128 u8 u16 u32 u128 f32 f64 char bytes byte_buf unit unit_struct seq tuple tuple_struct ignored_any
    }
}

impl ser::Error for Unfit {
    fn custom<T: fmt::Display>(_: T) -> Self {
        Self
    }
}

/// Writes a type of this crate as a value.
struct Writer;

/// The items of a list.
struct Items(Vec<Value>);

/// The fields of an object, which stands in one named after a variant if there is one.
struct Fields {
    fields: Map<String, Value>,
    key: String,
    variant: Option<&'static str>,
}

impl Fields {
    fn new(variant: Option<&'static str>) -> Self {
        Self { fields: Map::new(), key: String::new(), variant }
    }

    /// Not once more for each type of value.
    #[inline(never)]
    fn put(&mut self, name: String, value: Value) {
        self.fields.insert(name, value);
    }

    fn done(self) -> Value {
        match self.variant {
            Some(variant) => named(variant, Value::Object(self.fields)),
            None => Value::Object(self.fields),
        }
    }
}

fn named(variant: &str, value: Value) -> Value {
    Value::Object(Map::from_iter([(variant.to_owned(), value)]))
}

macro_rules! values {
    ($($method:ident: $type:ty)*) => {
        $(fn $method(self, value: $type) -> Result<Value, Unfit> {
            Ok(value.into())
        })*
    };
}

impl Serializer for Writer {
    type Ok = Value;
    type Error = Unfit;
    type SerializeSeq = Items;
    type SerializeTuple = Items;
    type SerializeTupleStruct = Items;
    type SerializeTupleVariant = Impossible<Value, Unfit>;
    type SerializeMap = Fields;
    type SerializeStruct = Fields;
    type SerializeStructVariant = Fields;

    values! {
        serialize_bool: bool
        serialize_i8: i8 serialize_i16: i16 serialize_i32: i32 serialize_i64: i64
        serialize_u8: u8 serialize_u16: u16 serialize_u32: u32 serialize_u64: u64
        serialize_f32: f32 serialize_f64: f64
        serialize_str: &str
    }

    fn serialize_char(self, value: char) -> Result<Value, Unfit> {
        Ok(value.to_string().into())
    }

    fn serialize_bytes(self, _: &[u8]) -> Result<Value, Unfit> {
        Err(Unfit)
    }

    fn serialize_none(self) -> Result<Value, Unfit> {
        Ok(Value::Null)
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<Value, Unfit> {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Result<Value, Unfit> {
        Ok(Value::Null)
    }

    fn serialize_unit_struct(self, _: &'static str) -> Result<Value, Unfit> {
        Ok(Value::Null)
    }

    fn serialize_unit_variant(self, _: &'static str, _: u32, variant: &'static str) -> Result<Value, Unfit> {
        Ok(variant.into())
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, _: &'static str, value: &T) -> Result<Value, Unfit> {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<Value, Unfit> {
        Ok(named(variant, value.serialize(self)?))
    }

    fn serialize_seq(self, length: Option<usize>) -> Result<Items, Unfit> {
        Ok(Items(Vec::with_capacity(length.unwrap_or_default())))
    }

    fn serialize_tuple(self, length: usize) -> Result<Items, Unfit> {
        self.serialize_seq(Some(length))
    }

    fn serialize_tuple_struct(self, _: &'static str, length: usize) -> Result<Items, Unfit> {
        self.serialize_seq(Some(length))
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Impossible<Value, Unfit>, Unfit> {
        Err(Unfit)
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Fields, Unfit> {
        Ok(Fields::new(None))
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Fields, Unfit> {
        Ok(Fields::new(None))
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Fields, Unfit> {
        Ok(Fields::new(Some(variant)))
    }
}

macro_rules! lists {
    ($($trait:ident::$method:ident)*) => {
        $(impl ser::$trait for Items {
            type Ok = Value;
            type Error = Unfit;

            fn $method<T: Serialize + ?Sized>(&mut self, item: &T) -> Result<(), Unfit> {
                self.0.push(item.serialize(Writer)?);
                Ok(())
            }

            fn end(self) -> Result<Value, Unfit> {
                Ok(Value::Array(self.0))
            }
        })*
    };
}

lists! { SerializeSeq::serialize_element SerializeTuple::serialize_element SerializeTupleStruct::serialize_field }

macro_rules! objects {
    ($($trait:ident)*) => {
        $(impl ser::$trait for Fields {
            type Ok = Value;
            type Error = Unfit;

            fn serialize_field<T: Serialize + ?Sized>(&mut self, name: &'static str, value: &T) -> Result<(), Unfit> {
                let value = value.serialize(Writer)?;
                self.put(name.to_owned(), value);
                Ok(())
            }

            fn end(self) -> Result<Value, Unfit> {
                Ok(self.done())
            }
        })*
    };
}

objects! { SerializeStruct SerializeStructVariant }

impl ser::SerializeMap for Fields {
    type Ok = Value;
    type Error = Unfit;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), Unfit> {
        match key.serialize(Writer)? {
            Value::String(key) => self.key = key,
            _ => return Err(Unfit),
        }
        Ok(())
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Unfit> {
        let value = value.serialize(Writer)?;
        let key = std::mem::take(&mut self.key);
        self.put(key, value);
        Ok(())
    }

    fn end(self) -> Result<Value, Unfit> {
        Ok(self.done())
    }
}

impl<'a> IntoDeserializer<'a, Unfit> for Plain<'a> {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}
