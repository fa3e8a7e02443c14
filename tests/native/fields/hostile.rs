//! Schemas and values that are made to be costly: each call stays within its work, and an ordinary form takes little of it.

use super::{fields, open, parsed};
use ask_user_core::{
    Budget,
    schema::{SchemaFault, Validator},
};
use serde_json::{Map, Value, json};

/// An object of so many members.
fn object(count: usize, member: impl Fn(usize) -> Value) -> Value {
    (0..count).map(|place| (format!("p{place}"), member(place))).collect::<Map<_, _>>().into()
}

/// The work that opening a place takes, and the field.
fn opening(schema: &Value, text: &str, pointer: &str, options: &Value) -> (u64, Value) {
    let mut budget = Budget::default();
    let field = fields(schema, text).open(pointer, &options.to_string(), &mut budget);
    (Budget::DEFAULT - budget.left(), parsed(&field))
}

/// A part of the default budget.
fn part(divisor: u64) -> u64 {
    Budget::DEFAULT / divisor
}

#[test]
fn an_ordinary_level_takes_little_work() {
    let kinds = [
        json!({ "type": "string", "title": "Name", "description": "What it is called", "minLength": 1 }),
        json!({ "type": "integer", "minimum": 1, "maximum": 65535, "default": 80 }),
        json!({ "enum": ["fast", "safe", "careful"] }),
        json!({ "anyOf": [{ "type": "string" }, { "type": "null" }] }),
        json!({ "type": "object", "properties": { "a": { "type": "string" } } }),
        json!({ "type": "array", "items": { "$ref": "#/$defs/item" } }),
    ];
    let many = |count: usize| {
        let properties = object(count, |place| kinds[place % kinds.len()].clone());
        json!({ "properties": properties, "required": ["p1", "p3"], "$defs": { "item": { "type": "string" } } })
    };
    let (small, _) = opening(&many(30), "", "", &json!({}));
    let (large, field) = opening(&many(500), "", "", &json!({}));
    assert_eq!(field["children"].as_array().unwrap().len(), 500);
    assert!(small < part(200), "{small}");
    assert!(large < part(20), "{large}");
    // One level costs the same, however much is below it and beside it.
    let wrapped = |count: usize| json!({ "properties": { "rest": many(count), "level": { "properties": { "a": { "type": "string" } } } }, "$defs": { "item": {} } });
    let cost = |count: usize, value: &Value| opening(&wrapped(count), &value.to_string(), "/level", &json!({})).0;
    assert_eq!(cost(1, &json!({ "rest": {} })), cost(500, &json!({ "rest": object(500, |place| place.into()) })));
}

#[test]
fn a_schema_of_many_references_is_refused_or_opened_in_parts() {
    let refers = |count: usize| {
        let properties = object(count, |place| json!({ "$ref": format!("#/$defs/p{}", place % 50) }));
        json!({ "properties": properties, "$defs": object(50, |place| json!({ "type": "string", "title": format!("T{place}") })) })
    };
    let refused = Validator::default().prepare(&refers(20_000), &mut Budget::default());
    assert!(matches!(refused, Err(SchemaFault::TooLarge { .. })));
    let (work, field) = opening(&refers(5_000), "", "", &json!({}));
    assert_eq!((field["total"].as_u64(), field["children"].as_array().unwrap().len()), (Some(5_000), 500));
    assert!(work < part(10), "{work}");
    // The same subschema is looked at once, and only so many apply to one place.
    let all = |count: usize, index: fn(usize) -> usize| {
        let list: Value = (0..count).map(|place| json!({ "$ref": format!("#/$defs/p{}", index(place)) })).collect();
        json!({ "allOf": list, "$defs": object(count, |place| json!({ "title": place.to_string(), "type": "string" })) })
    };
    assert_eq!(opening(&all(150, |_| 0), "", "", &json!({})).1["kind"], "text");
    let (work, field) = opening(&all(2_000, |place| place), "", "", &json!({}));
    assert_eq!((&field["kind"], &field["reason"]), (&json!("json"), &json!("too_many_parts")));
    assert!(work < part(10), "{work}");
}

#[test]
fn recursion_is_opened_no_further_than_asked() {
    let schema = json!({ "$defs": { "n": { "properties": { "next": { "$ref": "#/$defs/n" }, "other": { "$ref": "#/$defs/n" } } } }, "$ref": "#/$defs/n" });
    let deep = (0..120).fold(json!({}), |value, _| json!({ "next": value }));
    let (work, field) = opening(&schema, &deep.to_string(), &"/next".repeat(120), &json!({}));
    assert_eq!((field["kind"].as_str(), field["total"].as_u64()), (Some("object"), Some(2)));
    assert!(work < part(20), "{work}");
    // A pointer may lead further than any value.
    let (work, field) = opening(&schema, "", &"/other".repeat(500), &json!({}));
    assert!(field["kind"] == "object" && work < part(2), "{work} {field}");
    let (_, field) = opening(&schema, "", &"/other".repeat(500_000), &json!({}));
    assert_eq!(field["reason"], "too_much_work");
}

#[test]
fn branches_that_double_are_within_the_work() {
    let by_reference = |keyword: &str, count: usize| {
        let mut definitions = object(count, |link| {
            let next = json!({ "$ref": format!("#/$defs/p{}", link + 1) });
            json!({ keyword: [next, { "title": "Other", "properties": { "x": next } }] })
        });
        definitions[format!("p{count}")] = json!({ "type": "object", "required": ["never"] });
        json!({ "$defs": definitions, "$ref": "#/$defs/p0" })
    };
    for keyword in ["oneOf", "anyOf", "allOf"] {
        for text in ["", "{}", r#"{"x":{"x":{"x":{"x":1}}}}"#] {
            let (_, field) = opening(&by_reference(keyword, 30), text, "", &json!({}));
            assert_ne!(field["kind"], "json", "{keyword} {text}: {field}");
        }
    }
    // What would take too much work to decide stays open: the rest of the level is still given.
    let hard = json!({
        "properties": {
            "hard": { "oneOf": [{ "items": { "pattern": "^(a|aa){1,500}$" } }, { "items": { "pattern": "^(b|bb){1,500}$" } }] },
            "easy": { "type": "string" }
        }
    });
    let list: Value = (0..2_000).map(|_| "c".repeat(200)).collect();
    let (_, field) = opening(&hard, &json!({ "hard": list }).to_string(), "", &json!({}));
    assert_eq!((&field["kind"], &field["children"][1]["kind"]), (&json!("object"), &json!("text")));
}

#[test]
fn large_choices_are_json_and_long_lists_are_cut() {
    let (work, field) = opening(&json!({ "enum": (0..4_000).collect::<Value>() }), "3999", "", &json!({}));
    assert_eq!((field["kind"].as_str(), field["selected"].as_u64()), (Some("choice"), Some(3_999)));
    assert!(work < part(20), "{work}");
    let (_, field) = opening(&json!({ "enum": (0..10_000).collect::<Value>() }), "", "", &json!({}));
    assert_eq!(field["reason"], "too_large");
    let (_, field) = opening(&json!({ "enum": ["x".repeat(2_000_000), 1] }), "", "", &json!({}));
    assert_eq!(field["reason"], "too_large");
    let both =
        json!({ "allOf": [{ "enum": (0..4_000).collect::<Value>() }, { "enum": (1..4_001).collect::<Value>() }] });
    let (_, field) = opening(&both, "", "", &json!({}));
    assert!(field["reason"] == "too_much_work" || field["values"].as_array().unwrap().len() == 3_999);
    let items = format!("[{}]", vec!["1"; 200_000].join(","));
    let (work, field) = opening(&json!({ "items": { "type": "integer" } }), &items, "", &json!({ "from": 199_990 }));
    assert_eq!((field["total"].as_u64(), field["children"].as_array().unwrap().len()), (Some(200_000), 10));
    assert!(work < part(10), "{work}");
    let several = json!({ "uniqueItems": true, "items": { "enum": (0..3_000).collect::<Value>() } });
    let text = (0..3_000).rev().collect::<Value>().to_string();
    let (_, field) = opening(&several, &text, "", &json!({}));
    assert!(field["reason"] == "too_much_work" || field["kind"] == "choices", "{field}");
}

#[test]
fn many_options_and_long_names_are_within_the_work() {
    let options: Value = (0..2_000).map(|place| json!({ "title": format!("T{place}"), "properties": { "kind": { "const": place }, "v": { "type": "string" } } })).collect();
    let (work, field) = opening(&json!({ "oneOf": options }), r#"{"kind":1500}"#, "", &json!({}));
    assert_eq!((field["groups"][0]["current"].as_u64(), field["total"].as_u64()), (Some(1_500), Some(2)));
    assert!(work < part(4), "{work}");
    let long = "k".repeat(500_000);
    let schema = json!({ "properties": { &long: { "properties": { &long: { "type": "string" } } } } });
    let (_, field) = opening(&schema, &json!({ &long: { &long: 1 } }).to_string(), &format!("/{long}"), &json!({}));
    assert!(field["reason"] == "too_much_work" || field["children"][0]["key"] == long.as_str());
    let patterns = object(300, |_| json!({ "type": "string" }))
        .as_object()
        .unwrap()
        .iter()
        .map(|(name, schema)| (format!("^{name}.*x$"), schema.clone()))
        .collect::<Map<_, _>>();
    let members = object(300, |_| "x".into());
    let (_, field) = opening(&json!({ "patternProperties": patterns }), &members.to_string(), "", &json!({}));
    assert!(field["reason"] == "too_much_work" || field["total"] == 300, "{}", field["reason"]);
}

/// A value that fits none of many options, at every one of many places.
#[test]
fn decisions_of_a_whole_level_share_its_work() {
    let option = |place: usize| json!({ "properties": { "a": { "items": { "minLength": place } } } });
    let schema = json!({ "additionalProperties": { "oneOf": (0..40).map(option).collect::<Value>() } });
    let value = object(400, |_| json!({ "a": ["x", "y", "z"] }));
    let mut fields = fields(&schema, &value.to_string());
    let field = open(&mut fields, "", &json!({}));
    assert!(field["reason"] == "too_much_work" || field["total"] == 400, "{}", field["reason"]);
    assert!(parsed(&fields.violations("", &mut Budget::default())).is_array());
}
