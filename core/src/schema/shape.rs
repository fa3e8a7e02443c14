//! Decides quickly whether a subschema is valid: each of its keywords has a value of the right type. A subschema that fails this test may
//! still be valid. Then the metaschema decides, which takes many times as long to compile as most schemas.

use jsonschema::Draft;
use serde_json::{Map, Value};
use std::collections::BTreeSet;

const TYPES: [&str; 7] = ["array", "boolean", "integer", "null", "number", "object", "string"];

/// Whether the metaschema of the draft certainly accepts these keywords, without their subschemas. False for drafts before 2019-09, whose
/// small metaschemas are always asked.
pub(super) fn is_plain(fields: &Map<String, Value>, draft: Draft, root: bool) -> bool {
    draft >= Draft::Draft201909 && fields.iter().all(|(keyword, value)| fits(keyword, value, root))
}

fn fits(keyword: &str, value: &Value, root: bool) -> bool {
    match keyword {
        "type" => match value {
            Value::String(name) => TYPES.contains(&name.as_str()),
            _ => distinct_texts(value)
                .is_some_and(|names| !names.is_empty() && names.iter().all(|name| TYPES.contains(name))),
        },
        "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum" => value.is_number(),
        "multipleOf" => value.as_f64().is_some_and(|number| number > 0.0),
        "minLength" | "maxLength" | "minItems" | "maxItems" | "minProperties" | "maxProperties" | "minContains"
        | "maxContains" => value.is_u64(),
        "uniqueItems" | "deprecated" | "readOnly" | "writeOnly" => value.is_boolean(),
        "title" | "description" | "$comment" | "format" | "pattern" | "contentEncoding" | "contentMediaType" => {
            value.is_string()
        }
        "required" => distinct_texts(value).is_some(),
        "enum" | "examples" => value.is_array(),
        "not"
        | "if"
        | "then"
        | "else"
        | "items"
        | "additionalItems"
        | "contains"
        | "additionalProperties"
        | "propertyNames"
        | "unevaluatedItems"
        | "unevaluatedProperties"
        | "contentSchema" => is_schema(value),
        "properties" | "patternProperties" | "dependentSchemas" | "$defs" | "definitions" => {
            value.as_object().is_some_and(|schemas| schemas.values().all(is_schema))
        }
        "allOf" | "anyOf" | "oneOf" | "prefixItems" => {
            value.as_array().is_some_and(|schemas| !schemas.is_empty() && schemas.iter().all(is_schema))
        }
        "$ref" => value.as_str().is_some_and(is_plain_reference),
        "$schema" => root && value.is_string(),
        "dependencies" | "dependentRequired" => false,
        // Other keywords with a dollar are about identity, and rare. All other keywords may have any value.
        other => !other.starts_with('$'),
    }
}

fn is_schema(value: &Value) -> bool {
    value.is_object() || value.is_boolean()
}

fn distinct_texts(value: &Value) -> Option<BTreeSet<&str>> {
    let items = value.as_array()?;
    let texts: BTreeSet<&str> = items.iter().filter_map(Value::as_str).collect();
    (texts.len() == items.len()).then_some(texts)
}

/// Whether a reference leads into the same schema and has only characters that need no escape in a URI.
fn is_plain_reference(reference: &str) -> bool {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"/$-._~".contains(&byte);
    reference.strip_prefix('#').is_some_and(|pointer| pointer.bytes().all(plain))
}

#[cfg(test)]
mod tests {
    use super::is_plain;
    use jsonschema::Draft;
    use serde_json::{Value, json};

    /// Tries every keyword with values of every type. The metaschema accepts all that is plain, and most of what it accepts is plain.
    #[test]
    fn what_is_plain_is_accepted_by_the_metaschema() {
        let keywords = [
            "type",
            "minimum",
            "exclusiveMaximum",
            "multipleOf",
            "minLength",
            "maxContains",
            "uniqueItems",
            "deprecated",
            "title",
            "$comment",
            "format",
            "pattern",
            "contentEncoding",
            "required",
            "enum",
            "const",
            "default",
            "examples",
            "not",
            "if",
            "items",
            "additionalItems",
            "contains",
            "propertyNames",
            "unevaluatedItems",
            "contentSchema",
            "properties",
            "patternProperties",
            "dependentSchemas",
            "$defs",
            "definitions",
            "allOf",
            "prefixItems",
            "$ref",
            "$schema",
            "$id",
            "$anchor",
            "$dynamicRef",
            "$dynamicAnchor",
            "$recursiveRef",
            "$recursiveAnchor",
            "$vocabulary",
            "dependencies",
            "dependentRequired",
            "x-other",
        ];
        let values = [
            json!(null),
            json!(true),
            json!(0),
            json!(-1),
            json!(1.5),
            json!(2.0),
            json!(1e300),
            json!(""),
            json!("string"),
            json!("#/$defs/a~0b"),
            json!("a b#<"),
            json!([]),
            json!(["string"]),
            json!(["string", "string"]),
            json!([1, "null"]),
            json!([{}]),
            json!([true, false]),
            json!([{}, 1]),
            json!({}),
            json!({ "a": {} }),
            json!({ "a": false }),
            json!({ "a": 1 }),
            json!({ "a": ["b"] }),
        ];
        let mut plain = 0;
        let mut valid = 0;
        for (draft, uri) in [
            (Draft::Draft201909, "https://json-schema.org/draft/2019-09/schema"),
            (Draft::Draft202012, "https://json-schema.org/draft/2020-12/schema"),
        ] {
            for keyword in keywords.iter().filter(|keyword| **keyword != "$schema") {
                for value in &values {
                    let schema = Value::Object(
                        [("$schema".into(), uri.into()), ((*keyword).to_owned(), value.clone())].into_iter().collect(),
                    );
                    let accepted = jsonschema::meta::is_valid(&schema);
                    let found = is_plain(schema.as_object().unwrap(), draft, true);
                    assert!(accepted || !found, "{schema} is no schema");
                    plain += u32::from(found);
                    valid += u32::from(accepted);
                }
            }
        }
        assert!(plain * 10 > valid * 7, "{plain} of {valid} schemas are plain");
    }
}
