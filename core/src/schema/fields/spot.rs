//! A subschema and the way to it, from which its URI can be written.

use crate::{
    budget::{Budget, Exhausted},
    schema::references::Located,
};
use jsonschema::Draft;
use serde_json::Value;
use std::{borrow::Cow, fmt::Write, rc::Rc};

/// The cost of a value that is looked at in the search for a subschema.
const VALUE: u64 = 40;

/// A subschema that the model came to.
#[derive(Clone)]
pub struct Spot<'a> {
    pub located: Located<'a>,
    trail: Rc<Trail<'a>>,
}

/// How a subschema was reached.
enum Trail<'a> {
    /// It has an id, or is a document.
    Resource,
    /// By a reference of another subschema.
    Reference(Located<'a>, &'a str),
    /// By a dynamic anchor of its resource, which has the name.
    Anchor(&'a str),
    /// By a keyword of another subschema, and a member or an item under it.
    Keyword(Rc<Trail<'a>>, &'static str, Option<Step<'a>>),
}

/// A part of the value of a keyword.
#[derive(Clone, Copy)]
pub enum Step<'a> {
    Member(&'a str),
    Item(usize),
}

impl<'a> Spot<'a> {
    pub fn root(located: Located<'a>) -> Self {
        Self { located, trail: Rc::new(Trail::Resource) }
    }

    /// The value of a keyword, if the schema has it.
    pub fn get(&self, keyword: &str) -> Option<&'a Value> {
        self.located.schema.get(keyword)
    }

    /// The subschema of a keyword.
    pub fn inner(&self, keyword: &'static str, step: Option<Step<'a>>, schema: &'a Value) -> Option<Self> {
        let located = self.located.inner(schema).ok()?;
        let trail = if located.has_base_of(&self.located) {
            Rc::new(Trail::Keyword(Rc::clone(&self.trail), keyword, step))
        } else {
            Rc::new(Trail::Resource)
        };
        Some(Self { located, trail })
    }

    /// The only subschema of a keyword, if the draft has it.
    pub fn single(&self, keyword: &'static str) -> Option<Self> {
        let since = match keyword {
            "unevaluatedProperties" | "unevaluatedItems" => Draft::Draft201909,
            "if" | "then" | "else" => Draft::Draft7,
            "propertyNames" => Draft::Draft6,
            _ => Draft::Draft4,
        };
        if self.located.draft < since {
            return None;
        }
        self.inner(keyword, None, self.get(keyword).filter(|schema| schema.is_object() || schema.is_boolean())?)
    }

    /// A subschema of a keyword that has a map of them.
    pub fn member(&self, keyword: &'static str, name: &str) -> Option<Self> {
        let (name, schema) = self.get(keyword)?.as_object()?.get_key_value(name)?;
        self.inner(keyword, Some(Step::Member(name)), schema)
    }

    /// The subschemas of a keyword that has a list of them.
    pub fn items(&self, keyword: &'static str) -> impl Iterator<Item = Self> + use<'a> {
        let spot = self.clone();
        let list = self.get(keyword).and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
        list.iter().enumerate().filter_map(move |(index, schema)| spot.inner(keyword, Some(Step::Item(index)), schema))
    }

    /// Whether the keywords beside `$ref` do not count, as up to draft 7.
    pub fn only_refers(&self) -> bool {
        self.located.draft <= Draft::Draft7 && self.get("$ref").is_some_and(Value::is_string)
    }

    /// The targets of all references of this subschema.
    pub fn targets(&self) -> impl Iterator<Item = Self> + '_ {
        let keywords: &[&str] = match self.located.draft {
            Draft::Draft4 | Draft::Draft6 | Draft::Draft7 => &["$ref"],
            Draft::Draft201909 => &["$ref", "$recursiveRef"],
            _ => &["$ref", "$dynamicRef"],
        };
        keywords.iter().filter_map(|keyword| self.target(keyword))
    }

    /// The target of a reference keyword.
    pub fn target(&self, keyword: &'static str) -> Option<Self> {
        let reference = self.get(keyword)?.as_str()?;
        let located = self.located.followed(keyword)?.ok()?;
        let anchor = located.schema.get("$dynamicAnchor").and_then(Value::as_str);
        let trail = match (keyword, anchor) {
            ("$recursiveRef", _) => Trail::Resource,
            ("$dynamicRef", Some(anchor)) if reference.ends_with(anchor) => Trail::Anchor(anchor),
            _ => Trail::Reference(self.located.clone(), reference),
        };
        Some(Self { located, trail: Rc::new(trail) })
    }

    /// Its absolute URI. Charges the search for it where it was reached from an anchor, since a URI has an anchor or a pointer.
    pub fn uri(&self, budget: &mut Budget) -> Result<Option<String>, Exhausted> {
        self.uri_of_trail().map_or_else(|| self.searched(budget), |uri| Ok(Some(uri)))
    }

    fn uri_of_trail(&self) -> Option<String> {
        let mut steps = Vec::new();
        let mut trail = &self.trail;
        while let Trail::Keyword(outer, keyword, step) = &**trail {
            steps.push((*keyword, *step));
            trail = outer;
        }
        let mut uri = match &**trail {
            Trail::Reference(from, reference) => from.absolute(reference)?,
            Trail::Anchor(anchor) => format!("{}#{anchor}", self.located.base()),
            Trail::Resource | Trail::Keyword(..) => format!("{}#", self.located.base()),
        };
        let (_, fragment) = uri.split_once('#')?;
        if !steps.is_empty() && !fragment.is_empty() && !fragment.starts_with('/') {
            return None;
        }
        for (keyword, step) in steps.into_iter().rev() {
            escaped(&mut uri, keyword);
            match step {
                Some(Step::Member(name)) => escaped(&mut uri, name),
                Some(Step::Item(index)) => escaped(&mut uri, &index.to_string()),
                None => {}
            }
        }
        Some(uri)
    }

    fn searched(&self, budget: &mut Budget) -> Result<Option<String>, Exhausted> {
        let Some(root) = self.located.resource() else { return Ok(None) };
        // Every value with its step, and the one that contains it.
        let mut found: Vec<(&Value, usize, Cow<'_, str>)> = vec![(root, 0, "".into())];
        let mut place = 0_usize;
        while let Some((value, ..)) = found.get(place) {
            budget.charge(VALUE)?;
            if std::ptr::eq(*value, self.located.schema) {
                let mut steps = vec![];
                while let Some((_, outer, step)) = found.get(place).filter(|_| place > 0) {
                    steps.push(step.clone());
                    place = *outer;
                }
                let mut uri = format!("{}#", self.located.base());
                steps.iter().rev().for_each(|step| escaped(&mut uri, step));
                return Ok(Some(uri));
            }
            match value {
                Value::Object(fields) => {
                    found.extend(fields.iter().map(|(name, field)| (field, place, name.as_str().into())));
                }
                Value::Array(items) => {
                    let items = items.iter().enumerate();
                    found.extend(items.map(|(index, item)| (item, place, index.to_string().into())));
                }
                Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
            }
            place = place.saturating_add(1);
        }
        Ok(None)
    }
}

/// Adds a step to a JSON Pointer in a fragment of a URI.
fn escaped(uri: &mut String, step: &str) {
    uri.push('/');
    for byte in step.bytes() {
        match byte {
            b'~' => uri.push_str("~0"),
            b'/' => uri.push_str("~1"),
            _ if byte.is_ascii_alphanumeric() || b"-._".contains(&byte) => uri.push(byte.into()),
            // Writing to a string cannot fail.
            _ => drop(write!(uri, "%{byte:02X}")),
        }
    }
}
