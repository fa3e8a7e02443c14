//! The JSON types that a subschema allows.

use serde_json::{Map, Value};

/// A set of JSON types.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Types(u8);

/// A JSON type. A number is also of the type `Integer` if it is whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Type {
    Text,
    Number,
    Integer,
    Boolean,
    Null,
    Object,
    Array,
}

impl Type {
    /// All types, in the order in which they are offered. Every integer is a number.
    pub const ALL: [Self; 7] =
        [Self::Text, Self::Number, Self::Integer, Self::Boolean, Self::Object, Self::Array, Self::Null];

    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|one| one.name() == name)
    }

    /// Its name in JSON Schema.
    pub fn name(self) -> &'static str {
        match self {
            Self::Text => "string",
            Self::Number => "number",
            Self::Integer => "integer",
            Self::Boolean => "boolean",
            Self::Null => "null",
            Self::Object => "object",
            Self::Array => "array",
        }
    }

    /// The type of a value: `Number` for every number.
    pub fn of(value: &Value) -> Self {
        match value {
            Value::Null => Self::Null,
            Value::Bool(_) => Self::Boolean,
            Value::Number(_) => Self::Number,
            Value::String(_) => Self::Text,
            Value::Array(_) => Self::Array,
            Value::Object(_) => Self::Object,
        }
    }

    fn bit(self) -> u8 {
        match self {
            Self::Text => 1,
            Self::Number => 2,
            Self::Integer => 4,
            Self::Boolean => 8,
            Self::Null => 16,
            Self::Object => 32,
            Self::Array => 64,
        }
    }
}

impl Types {
    /// Every type. `Integer` is part of `Number` and not named besides.
    pub const ALL: Self = Self(1 | 2 | 8 | 16 | 32 | 64);
    pub const NONE: Self = Self(0);

    pub fn one(one: Type) -> Self {
        Self(one.bit())
    }

    /// What the keyword `type` allows. `None` if it is not there.
    pub fn stated(fields: &Map<String, Value>) -> Option<Self> {
        let named = |value: &Value| value.as_str().and_then(Type::named).map(Self::one);
        match fields.get("type")? {
            Value::Array(names) => Some(names.iter().filter_map(named).fold(Self::NONE, Self::or)),
            name => named(name),
        }
    }

    /// What the other keywords speak of. A schema without `type` allows every type, and this is what it is meant for.
    pub fn meant(fields: &Map<String, Value>) -> Self {
        fields.keys().map(|keyword| meant_by(keyword)).fold(Self::NONE, Self::or)
    }

    pub fn or(self, other: Self) -> Self {
        let both = self.0 | other.0;
        // A number may be whole.
        if both & Type::Number.bit() == 0 { Self(both) } else { Self(both & !Type::Integer.bit()) }
    }

    /// The types that are in both.
    pub fn and(self, other: Self) -> Self {
        let whole = |one: Self, other: Self| one.has(Type::Integer) && other.has(Type::Number);
        let both = Self(self.0 & other.0);
        if whole(self, other) || whole(other, self) { Self(both.0 | Type::Integer.bit()) } else { both }
    }

    pub fn has(self, one: Type) -> bool {
        self.0 & one.bit() != 0
    }

    pub fn list(self) -> impl Iterator<Item = Type> {
        Type::ALL.into_iter().filter(move |one| self.has(*one))
    }

    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether a value is of one of the types.
    pub fn accept(self, value: &Value) -> bool {
        let whole = || self.has(Type::Integer) && value.as_number().is_some_and(crate::json::is_integer);
        self.has(Type::of(value)) || whole()
    }
}

fn meant_by(keyword: &str) -> Types {
    let one = match keyword {
        "properties"
        | "required"
        | "additionalProperties"
        | "patternProperties"
        | "propertyNames"
        | "minProperties"
        | "maxProperties"
        | "unevaluatedProperties"
        | "dependentRequired"
        | "dependentSchemas"
        | "dependencies" => Type::Object,
        "items" | "prefixItems" | "additionalItems" | "minItems" | "maxItems" | "uniqueItems" | "contains"
        | "unevaluatedItems" => Type::Array,
        "minLength" | "maxLength" | "pattern" | "format" | "contentEncoding" | "contentMediaType" => Type::Text,
        "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum" | "multipleOf" => Type::Number,
        _ => return Types::NONE,
    };
    Types::one(one)
}
