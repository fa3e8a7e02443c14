//! A field as the model gives it: what there is to fill in at one place.

use super::{parts::Choice, within::Source};
use serde_json::Value;
use std::borrow::Cow;

/// What is filled in at a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Text,
    Number,
    Integer,
    Boolean,
    Null,
    Choice,
    Choices,
    Object,
    Array,
    Options,
    Nothing,
    Json(Reason),
}

/// Why a place is shown as JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    NotAllowed,
    Contradiction,
    TooManyParts,
    TooLarge,
}

/// Where a field stands in its object or array.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Key<'a> {
    Root,
    Member(Cow<'a, str>),
    Item(usize),
}

/// A field.
pub struct Field<'a> {
    pub pointer: String,
    pub key: Key<'a>,
    pub kind: Kind,
    pub says: Says<'a>,
    pub constant: Option<&'a Value>,
    pub source: Option<Source>,
    pub required: bool,
    pub present: bool,
    /// The type of the present value, if the kind cannot show it.
    pub mismatch: Option<&'static str>,
    pub limits: Vec<(&'static str, Limit<'a>)>,
    pub groups: Vec<Grouped<'a>>,
    pub values: Vec<Choice<'a>>,
    pub selected: Vec<usize>,
    pub unlisted: usize,
    pub add: Option<Add<'a>>,
    /// The children, in a field that was opened.
    pub level: Option<Level<'a>>,
}

/// What the schema says of a place, without demanding it.
#[derive(Default)]
pub struct Says<'a> {
    pub title: Option<&'a str>,
    pub description: Option<&'a str>,
    pub format: Option<&'a str>,
    pub encoding: Option<&'a str>,
    pub media_type: Option<&'a str>,
    pub default: Option<&'a Value>,
    pub examples: Option<&'a Value>,
    pub deprecated: bool,
    pub read_only: bool,
    pub write_only: bool,
}

/// The value of a limit.
pub enum Limit<'a> {
    Value(&'a Value),
    True,
    Texts(Vec<&'a str>),
}

/// A group of options, as it is shown.
pub struct Grouped<'a> {
    pub id: String,
    pub by: &'static str,
    pub options: Vec<Named<'a>>,
    pub current: Option<usize>,
    pub chosen: bool,
}

/// An option of a group.
pub struct Named<'a> {
    pub kind: &'static str,
    pub title: Option<&'a str>,
    pub description: Option<&'a str>,
    pub name: Option<String>,
    /// The property that tells the option from others, and its value then.
    pub told: Option<(&'a str, Value)>,
    pub deprecated: bool,
}

/// The children that were asked for.
pub struct Level<'a> {
    pub from: usize,
    pub total: usize,
    pub children: Vec<Field<'a>>,
}

/// What may be added.
pub enum Add<'a> {
    Member { stated: bool, names: Vec<(&'static str, Limit<'a>)>, values: Vec<&'a Value>, of: Vec<Addable<'a>> },
    Item { index: usize, kind: &'static str, title: Option<&'a str> },
}

/// What a new member holds.
pub struct Addable<'a> {
    pub kind: &'static str,
    pub title: Option<&'a str>,
    pub pattern: Option<&'a str>,
}

impl Field<'_> {
    /// Whether the present value does not belong here: the schema does not allow it, or its kind is another.
    pub fn is_out_of_place(&self) -> bool {
        self.mismatch.is_some() || self.kind == Kind::Json(Reason::NotAllowed)
    }
}

impl Kind {
    pub fn name(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Number => "number",
            Self::Integer => "integer",
            Self::Boolean => "boolean",
            Self::Null => "null",
            Self::Choice => "choice",
            Self::Choices => "choices",
            Self::Object => "object",
            Self::Array => "array",
            Self::Options => "options",
            Self::Nothing => "nothing",
            Self::Json(_) => "json",
        }
    }

    /// Whether it can show a value, of whatever content.
    pub fn takes(self, value: &Value) -> bool {
        match self {
            Self::Text => value.is_string(),
            Self::Number | Self::Integer => value.is_number(),
            Self::Boolean => value.is_boolean(),
            Self::Null => value.is_null(),
            Self::Object => value.is_object(),
            Self::Array | Self::Choices => value.is_array(),
            Self::Options => match value {
                Value::Object(members) => members.is_empty(),
                Value::Array(items) => items.is_empty(),
                Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => false,
            },
            Self::Choice | Self::Nothing | Self::Json(_) => true,
        }
    }

    /// Whether it has children.
    pub fn opens(self) -> bool {
        matches!(self, Self::Object | Self::Array)
    }
}

impl Reason {
    pub fn name(self) -> &'static str {
        match self {
            Self::NotAllowed => "not_allowed",
            Self::Contradiction => "contradiction",
            Self::TooManyParts => "too_many_parts",
            Self::TooLarge => "too_large",
        }
    }
}
