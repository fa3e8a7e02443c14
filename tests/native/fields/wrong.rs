//! What is wrong with a value, at the place of each field.

use super::{fields, parsed};
use ask_user_core::Budget;
use serde_json::{Value, json};

/// The places and keywords of all violations.
fn wrong(schema: &Value, text: &str, options: &Value) -> Vec<(String, String)> {
    let found = parsed(&fields(schema, text).violations(&options.to_string(), &mut Budget::default()));
    let text = |violation: &Value, key: &str| violation[key].as_str().unwrap().to_owned();
    found.as_array().unwrap().iter().map(|one| (text(one, "pointer"), text(one, "keyword"))).collect()
}

fn places(list: &[(&str, &str)]) -> Vec<(String, String)> {
    list.iter().map(|(pointer, keyword)| ((*pointer).to_owned(), (*keyword).to_owned())).collect()
}

#[test]
fn a_violation_names_the_place_of_its_field() {
    let schema = json!({
        "properties": {
            "a/b": { "properties": { "n": { "minimum": 3 } }, "required": ["m~"], "propertyNames": { "maxLength": 2 } },
            "x": {}, "y": {}
        },
        "required": ["x"],
        "additionalProperties": false,
        "dependentRequired": { "a/b": ["y"] }
    });
    assert_eq!(wrong(&schema, "", &json!({})), []);
    assert_eq!(wrong(&schema, r#"{"x":1}"#, &json!({})), []);
    let mut found = wrong(&schema, r#"{"a/b":{"n":1,"long":2},"u":1,"v":2}"#, &json!({}));
    found.sort();
    assert_eq!(
        found,
        places(&[
            ("/a~1b/long", "propertyNames"),
            ("/a~1b/m~0", "required"),
            ("/a~1b/n", "minimum"),
            ("/u", "additionalProperties"),
            ("/x", "required"),
            ("/y", "required"),
        ])
    );
    let found = parsed(&fields(&schema, r#"{"x":1,"y":2,"u":1,"v":2}"#).violations("", &mut Budget::default()));
    assert_eq!((&found[0]["pointer"], &found[0]["others"]), (&json!("/u"), &json!(["/v"])));
}

#[test]
fn the_violations_of_the_option_that_holds_are_listed() {
    let schema = json!({ "properties": { "shape": { "oneOf": [
        { "properties": { "kind": { "const": "circle" }, "radius": { "type": "number" } }, "required": ["kind", "radius"] },
        { "properties": { "kind": { "const": "square" }, "side": { "anyOf": [{ "type": "number", "minimum": 1 }, { "type": "null" }] } }, "required": ["kind", "side"] }
    ] } } });
    assert_eq!(wrong(&schema, r#"{"shape":{"kind":"circle"}}"#, &json!({})), places(&[("/shape/radius", "required")]));
    assert_eq!(
        wrong(&schema, r#"{"shape":{"kind":"square","side":0}}"#, &json!({})),
        places(&[("/shape/side", "minimum")])
    );
    assert_eq!(wrong(&schema, r#"{"shape":{}}"#, &json!({})), places(&[("/shape", "oneOf")]));
    assert_eq!(
        wrong(&schema, r#"{"shape":{}}"#, &json!({ "choices": { "/shape": { "oneOf": 0 } } })),
        places(&[("/shape/kind", "required"), ("/shape/radius", "required")])
    );
}

#[test]
fn the_only_option_always_holds() {
    let schema =
        json!({ "anyOf": [{ "if": { "required": ["n"] }, "then": { "properties": { "n": { "type": "number" } } } }] });
    assert_eq!(wrong(&schema, r#"{"n":"x"}"#, &json!({})), places(&[("/n", "type")]));
}

#[test]
fn places_are_never_shortened_and_lists_are_bounded() {
    let long = "k".repeat(1_000);
    let schema = json!({ "additionalProperties": { "type": "string" } });
    let text = json!({ &long: 1 }).to_string();
    assert_eq!(wrong(&schema, &text, &json!({})), places(&[(&format!("/{long}"), "type")]));
    let many: serde_json::Map<_, _> = (0..500).map(|place| (format!("{place}{long}"), json!(1))).collect();
    let found = fields(&schema, &Value::Object(many).to_string()).violations("", &mut Budget::default());
    assert!(found.len() < 150_000, "{}", found.len());
    let huge = json!({ "x".repeat(1_000_000): 1 }).to_string();
    let found = parsed(&fields(&schema, &huge).violations("", &mut Budget::default()));
    assert_eq!((found[0]["keyword"].as_str(), found.as_array().unwrap().len()), (Some(""), 1));
}
