//! What a value, an item or an option begins with: what the schema states, and nothing that nobody said.

use super::{children, fields, open, start, switched};
use ask_user_core::{
    Budget,
    schema::{CompiledSchema, Validator},
};
use serde_json::{Value, json};

fn template(schema: &Value) -> Option<Value> {
    Validator::default().prepare(schema, &mut Budget::default()).unwrap().template()
}

#[test]
fn nothing_is_filled_in_that_nobody_said() {
    let schema = json!({
        "properties": {
            "environment": { "enum": ["production", "staging"] },
            "attempts": { "type": "integer", "minimum": 1 },
            "force": { "type": "boolean" },
            "host": { "type": "string" },
            "tags": { "type": "array", "items": { "type": "string" } },
            "inner": { "properties": { "a": { "type": "string" } }, "required": ["a"] },
            "maybe": { "type": ["string", "null"] },
            "either": { "oneOf": [{ "const": 1 }, { "type": "string" }] }
        }
    });
    let mut required = schema.clone();
    required["required"] = schema["properties"].as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(template(&required), Some(json!({})));
    assert_eq!(template(&schema), Some(json!({})));
    for (schema, expected) in [
        (json!({ "type": "string" }), None),
        (json!({ "type": "integer", "minimum": 1 }), None),
        (json!({ "enum": ["a", "b"] }), None),
        (json!({ "type": "boolean" }), None),
        (json!({ "type": "null" }), None),
        (json!({ "oneOf": [{ "const": "a" }, { "const": "b" }] }), None),
        (json!({}), None),
        (json!({ "type": "array" }), None),
        (json!({ "type": "array", "minItems": 1 }), Some(json!([]))),
        (json!({ "type": "array", "items": { "enum": ["a", "b"] } }), None),
        (json!({ "type": "array", "default": [] }), Some(json!([]))),
        (json!({ "type": "string", "default": "x" }), Some(json!("x"))),
        (json!({ "const": 5 }), Some(json!(5))),
    ] {
        assert_eq!(template(&schema), expected, "{schema}");
    }
}

#[test]
fn what_the_schema_states_is_filled_in() {
    let schema = json!({
        "$defs": { "mode": { "default": "fast", "enum": ["fast", "safe"] } },
        "properties": {
            "version": { "const": 2 },
            "kind": { "const": "x" },
            "mode": { "$ref": "#/$defs/mode" },
            "force": { "default": false, "type": "boolean" },
            "inner": { "properties": { "deep": { "default": 1 }, "v": { "enum": [null] }, "no": {} }, "required": ["v"] },
            "absent": { "properties": { "deep": { "default": 1 } } }
        },
        "required": ["version", "inner"]
    });
    let expected = json!({ "version": 2, "mode": "fast", "force": false, "inner": { "deep": 1, "v": null } });
    assert_eq!(template(&schema), Some(expected));
    assert_eq!(
        template(&json!({ "default": { "a": 1 }, "properties": { "b": { "default": 2 } } })),
        Some(json!({ "a": 1 }))
    );
}

#[test]
fn a_template_is_small_whatever_the_schema() {
    let large = "x".repeat(10_000_000);
    let size = |schema: &Value| template(schema).map_or(0, |template| template.to_string().len());
    assert_eq!(
        template(&json!({ "properties": { "a": { "default": large }, "b": { "default": "b" } } })),
        Some(json!({ "b": "b" }))
    );
    let many =
        serde_json::Map::from_iter((0..1_000).map(|name| (name.to_string(), json!({ "default": "x".repeat(10_000) }))));
    assert!(size(&json!({ "properties": many })) < 1_000_000);
    let recursive = json!({ "$defs": { "node": {
        "properties": { "next": { "$ref": "#/$defs/node" }, "kind": { "const": 1 } }, "required": ["next", "kind"]
    } }, "$ref": "#/$defs/node" });
    assert!(size(&recursive) < 1_000);
}

#[test]
fn an_item_keeps_its_place_and_a_property_begins_with_what_is_stated() {
    let of = |items: Value| start(&json!({ "items": items }), "/-");
    assert_eq!(of(json!({ "type": "string" })), json!({ "text": "\"\"", "empty": true }));
    assert_eq!(of(json!({ "type": "integer", "minimum": 1 })), json!({ "text": "null", "empty": true }));
    assert_eq!(of(json!({ "enum": ["a", "b"] })), json!({ "text": "null", "empty": true }));
    assert_eq!(of(json!({ "properties": { "a": {} } })), json!({ "text": "{}", "empty": true }));
    assert_eq!(of(json!({ "type": "array" })), json!({ "text": "[]", "empty": true }));
    assert_eq!(of(json!({ "default": 7 })), json!({ "text": "7" }));
    assert_eq!(
        of(json!({ "properties": { "a": { "const": 1 }, "b": { "default": "x" } }, "required": ["a"] })),
        json!({ "text": r#"{"a":1,"b":"x"}"# })
    );
    let properties = json!({ "properties": {
        "a": { "type": "string" }, "b": { "properties": { "c": { "default": 1 } } }, "d": { "const": 1 }
    }, "additionalProperties": { "default": "new" } });
    assert_eq!(start(&properties, "/a"), json!({}));
    assert_eq!(start(&properties, "/b"), json!({ "text": r#"{"c":1}"# }));
    assert_eq!(start(&properties, "/d"), json!({}));
    assert_eq!(start(&properties, "/other"), json!({ "text": "\"new\"" }));
}

/// Two shapes that share a property.
fn shapes() -> Value {
    json!({ "properties": { "shape": { "oneOf": [
        { "properties": { "kind": { "const": "circle" }, "id": { "type": "string" }, "size": { "type": "number" }, "radius": { "type": "number" } }, "required": ["kind", "radius"] },
        { "properties": { "kind": { "const": "square" }, "id": { "type": "string" }, "size": { "type": "string" }, "side": { "type": "number", "default": 1 } }, "required": ["kind"] },
        { "type": "null" },
        { "type": "string", "enum": ["none"] }
    ] } } })
}

#[test]
fn another_option_keeps_what_still_fits() {
    let text = r#"{"shape":{"kind":"circle","id":"a","size":1,"radius":2,"x":3}}"#;
    let to = |index: usize| switched(&shapes(), text, "/shape", "oneOf", index);
    assert_eq!(
        to(1),
        json!({
            "keep": ["id", "x"], "drop": ["size", "radius"],
            "set": [{ "key": "kind", "text": "\"square\"" }, { "key": "side", "text": "1" }]
        })
    );
    assert_eq!(to(0), json!({ "keep": ["kind", "id", "size", "radius", "x"], "drop": [], "set": [] }));
    assert_eq!(to(2), json!({ "text": "null" }));
    assert_eq!(to(3), json!({ "text": "\"none\"" }));
    assert_eq!(switched(&shapes(), "", "/shape", "oneOf", 1), json!({ "text": r#"{"kind":"square","side":1}"# }));
    let types = json!({ "type": ["string", "integer", "array"], "items": { "type": "integer" } });
    assert_eq!(switched(&types, "\"a\"", "", "type", 1), json!({}));
    assert_eq!(switched(&types, "7", "", "type", 1), json!({ "same": true }));
    let lists = json!({ "oneOf": [{ "items": { "type": "integer" }, "type": "array" }, { "items": { "type": "string" }, "type": "array" }] });
    assert_eq!(switched(&lists, "[1]", "", "oneOf", 0), json!({ "same": true }));
    assert_eq!(switched(&lists, "[1]", "", "oneOf", 1), json!({}));
}

#[test]
fn a_further_member_has_a_name_and_a_kind() {
    let add = |schema: &Value, text: &str| open(&mut fields(schema, text), "", &json!({}))["add"].clone();
    assert_eq!(
        add(
            &json!({ "additionalProperties": { "type": "string", "title": "Label" }, "propertyNames": { "pattern": "^[a-z]+$", "maxLength": 9 } }),
            ""
        ),
        json!({ "stated": true, "names": { "maxLength": 9, "patterns": ["^[a-z]+$"] }, "of": [{ "kind": "text", "title": "Label" }] })
    );
    assert_eq!(
        add(&json!({ "patternProperties": { "^n": { "type": "integer" } }, "additionalProperties": false }), ""),
        json!({ "stated": true, "of": [{ "kind": "integer", "pattern": "^n" }] })
    );
    assert_eq!(add(&json!({ "properties": { "a": {} } }), ""), json!({ "of": [{ "kind": "options" }] }));
    let listed = json!({ "additionalProperties": { "type": "boolean" }, "propertyNames": { "enum": ["a", "b"] } });
    assert_eq!(
        add(&listed, r#"{"a":true}"#),
        json!({ "stated": true, "names": { "values": ["b"] }, "of": [{ "kind": "boolean" }] })
    );
    assert_eq!(add(&listed, r#"{"a":true,"b":true}"#), Value::Null);
    assert_eq!(add(&json!({ "type": "object", "maxProperties": 1 }), r#"{"a":1}"#), Value::Null);
    assert_eq!(children(&json!({ "additionalProperties": { "type": "string" } }), "", ""), [""; 0]);
    let field = open(&mut fields(&listed, ""), "/b", &json!({}));
    assert_eq!(
        (&field["kind"], &field["source"], field.get("present")),
        (&json!("boolean"), &json!("additional"), None)
    );
}
