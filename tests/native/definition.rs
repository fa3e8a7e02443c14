//! The tool definitions for models: valid JSON Schema, in the subset that model providers take, and true.

use ask_user_core::{Dialect, Form, Host, ToolDefinition, dialect_names};
use ask_user_tests::files;
use serde_json::{Value, json};
use std::path::Path;

/// The keywords that OpenAI, Anthropic and Gemini all take in the parameters of a tool.
const KEYWORDS: &[&str] = &["type", "description", "properties", "required", "items", "enum"];

fn check_subset(schema: &Value, path: &str) {
    let fields = schema.as_object().unwrap_or_else(|| panic!("{path} is no object"));
    for (keyword, value) in fields {
        assert!(KEYWORDS.contains(&keyword.as_str()), "{path} has {keyword}");
        match keyword.as_str() {
            "properties" => {
                for (name, inner) in value.as_object().unwrap() {
                    check_subset(inner, &format!("{path}/properties/{name}"));
                }
            }
            "items" => check_subset(value, &format!("{path}/items")),
            "type" => assert!(value.is_string(), "{path} has several types"),
            _ => {}
        }
    }
    for name in fields.get("required").and_then(Value::as_array).into_iter().flatten() {
        assert!(schema["properties"].get(name.as_str().unwrap()).is_some(), "{path} requires {name}");
    }
}

#[test]
fn every_definition_is_in_the_subset_that_providers_take() {
    for dialect in dialect_names() {
        let definition = ToolDefinition::of(dialect).unwrap_or_else(|| panic!("{dialect} has no definition"));
        jsonschema::meta::validate(&definition.parameters).unwrap();
        check_subset(&definition.parameters, "");
    }
    assert_eq!(ToolDefinition::of("none"), None);
}

#[test]
fn the_definition_allows_what_the_dialect_reads() {
    let parameters = ToolDefinition::of("ask_user").unwrap().parameters;
    let validator = jsonschema::validator_for(&parameters).unwrap();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("vectors");
    let mut allowed = 0;
    for file in files(&folder).unwrap().iter().filter(|file| file.ends_with("walk.json")) {
        let cases: Vec<Value> = serde_json::from_str(&std::fs::read_to_string(file).unwrap()).unwrap();
        for request in cases.iter().map(|case| &case["request"]).filter(|request| request.get("questions").is_some()) {
            let extends = request.to_string().contains("\"number\"") || request.to_string().contains("\"secret\"");
            let read = Form::read(request, Dialect::Detect, &Host::default()).is_ok();
            let objects = request.to_string().contains("\"value\"");
            if read && !extends && !objects {
                assert!(validator.is_valid(request), "{request}");
                allowed += 1;
            }
        }
    }
    assert!(allowed > 10, "{allowed} requests");
    assert!(!validator.is_valid(&json!({ "questions": [{ "id": "a", "text": "A?" }] })));
}
