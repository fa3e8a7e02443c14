//! Makes a draft for a schema question without a default: a small value of the right shape, not necessarily valid.

use super::{
    bounds::copying,
    references::{Located, References},
};
use crate::budget::Budget;
use jsonschema::ReferencingError;
use serde_json::{Map, Value};
use std::collections::BTreeSet;

/// The most levels of a template, the most subschemas that it uses, and the most that copying their values may cost.
const DEPTH: usize = 6;
const VALUES: usize = 200;
const COPIES: u64 = 300_000;

/// A draft for a schema: its defaults, constants and first choices, or else empty values of the right types. An object has its required
/// members, or all of them if none is required.
pub(super) fn template(references: &References<'_>) -> Value {
    Template { left: VALUES, copies: Budget::new(COPIES) }.of(Ok(references.root()), DEPTH)
}

struct Template {
    left: usize,
    copies: Budget,
}

impl Template {
    fn of(&mut self, located: Result<Located<'_>, ReferencingError>, depth: usize) -> Value {
        let (Some(left), Ok(located)) = (self.left.checked_sub(1), located) else { return Value::Null };
        let Some(fields) = located.schema.as_object() else { return Value::Null };
        self.left = left;
        if let Some(given) = fields.get("default").or_else(|| fields.get("const")) {
            return self.copy(given);
        }
        let first = |keyword: &str| fields.get(keyword).and_then(Value::as_array).and_then(|list| list.first());
        if let Some(choice) = first("enum") {
            return self.copy(choice);
        }
        let Some(depth) = depth.checked_sub(1) else { return Value::Null };
        if let Some(target) = located.target("$ref") {
            return self.of(target, depth);
        }
        match type_of(fields) {
            Some("object") => Value::Object(self.members(&located, fields, depth)),
            Some("array") => Value::Array(Vec::new()),
            Some("string") => Value::String(String::new()),
            Some("integer" | "number") => fields.get("minimum").cloned().unwrap_or_else(|| 0.into()),
            Some("boolean") => Value::Bool(false),
            _ => ["allOf", "anyOf", "oneOf"]
                .into_iter()
                .find_map(first)
                .map_or(Value::Null, |branch| self.of(located.inner(branch), depth)),
        }
    }

    /// A copy of a value of the schema, or `null` if the value is too large.
    fn copy(&mut self, value: &Value) -> Value {
        let mut rest = self.copies.clone();
        let copied = copying(value, &mut rest).and_then(|cost| rest.charge(cost));
        // Looking at a value takes at most half of the rest, so that one large value leaves work for the others.
        self.copies = if copied.is_ok() { rest } else { Budget::new(self.copies.left() / 2) };
        copied.map_or(Value::Null, |()| value.clone())
    }

    fn members<'r>(
        &mut self,
        located: &Located<'r>,
        fields: &'r Map<String, Value>,
        depth: usize,
    ) -> Map<String, Value> {
        let Some(properties) = fields.get("properties").and_then(Value::as_object) else { return Map::new() };
        let required: BTreeSet<&str> = fields
            .get("required")
            .and_then(Value::as_array)
            .map(|names| names.iter().filter_map(Value::as_str).collect())
            .unwrap_or_default();
        properties
            .iter()
            .filter(|(name, _)| required.is_empty() || required.contains(name.as_str()))
            .take(VALUES)
            .map_while(|(name, schema)| {
                self.copies.charge(name.len() as u64).ok()?;
                Some((name.clone(), self.of(located.inner(schema), depth)))
            })
            .collect()
    }
}

/// The type of a schema, by its `type` or by its other keywords.
fn type_of(fields: &Map<String, Value>) -> Option<&str> {
    match fields.get("type") {
        Some(Value::String(name)) => Some(name),
        Some(Value::Array(names)) => names.iter().find_map(Value::as_str),
        _ if fields.contains_key("properties") => Some("object"),
        _ if fields.contains_key("items") || fields.contains_key("prefixItems") => Some("array"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{References, Value};
    use crate::schema::references::Documents;
    use serde_json::json;

    fn template(schema: &Value) -> Value {
        super::template(&References::new(schema, &Documents::default()).unwrap())
    }

    #[test]
    fn a_template_has_the_required_members() {
        let schema = json!({
            "properties": {
                "host": { "type": "string" },
                "port": { "type": "integer", "minimum": 1 },
                "mode": { "enum": ["fast", "safe"] },
                "note": { "type": "string" }
            },
            "required": ["host", "port", "mode"]
        });
        assert_eq!(template(&schema), json!({ "host": "", "port": 1, "mode": "fast" }));
    }

    #[test]
    fn a_template_is_small_whatever_the_schema() {
        let large = "x".repeat(1_000_000);
        let schema = json!({ "properties": { "a": { "default": large }, "b": { "const": "b" } } });
        assert_eq!(template(&schema), json!({ "a": null, "b": "b" }));
        let many = serde_json::Map::from_iter(
            (0..1_000).map(|name| (name.to_string(), json!({ "default": "x".repeat(10_000) }))),
        );
        assert!(template(&json!({ "properties": many })).to_string().len() < 1_000_000);
    }

    #[test]
    fn a_recursive_schema_has_a_template_that_ends() {
        let schema = json!({
            "$defs": { "node": { "properties": { "next": { "$ref": "#/$defs/node" } } } },
            "$ref": "#/$defs/node"
        });
        assert!(template(&schema).to_string().len() < 100);
    }
}
