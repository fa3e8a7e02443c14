//! The tool definitions for models: valid JSON Schema, in the subset that model providers take, and true.

use ask_user_core::{Dialect, Form, Host, Limits, ToolDefinition};
use ask_user_tests::requests;
use serde_json::Value;
use std::collections::BTreeMap;

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
    for dialect in Dialect::ALL {
        let definitions = ToolDefinition::of(dialect);
        assert!(!definitions.is_empty(), "{} has no definition", dialect.name());
        for definition in definitions {
            jsonschema::meta::validate(&definition.parameters).unwrap();
            check_subset(&definition.parameters, "");
        }
    }
    assert_eq!(ToolDefinition::of(Dialect::Detect), []);
}

/// What no schema in the subset can say: how values relate to each other, how many there are, and what words hold.
const BEYOND: &[&str] = &[
    "duplicate_id",
    "duplicate_option",
    "duplicate_question",
    "empty_questions",
    "empty_text",
    "forward_reference",
    "invalid_default",
    "invalid_id",
    "invalid_schema",
    "length_mismatch",
    "multiline_question",
    "options_not_allowed",
    "options_required",
    "schema_not_allowed",
    "schema_required",
    "secret_reference",
    "too_few_options",
    "too_large",
    "too_many_options",
    "too_many_questions",
    "unknown_question",
    "unsafe_url",
];

/// Why a request that reads as a form is none that a model is told to send.
fn extends(dialect: &str, request: &Value) -> Option<&'static str> {
    let text = request.to_string();
    match dialect {
        "ask_user" if request.get("question").is_some() => Some("the short form for hosts"),
        "ask_user" if text.contains("\"number\"") || text.contains("\"secret\"") => Some("types for tools' own forms"),
        "ask_user" if text.contains("\"value\"") || text.contains("\"label\"") => Some("options as objects"),
        "ask_user" if text.contains(":null") => Some("null in place of an absent field"),
        "deepagents" if request["type"] == "confirm_action" => Some("the interrupt, not the tool's arguments"),
        _ => None,
    }
}

/// The arguments within what the protocol puts around them.
fn unwrapped(request: &Value) -> Vec<&Value> {
    let request = request.get("result").unwrap_or(request);
    match (request.get("params"), request.get("inputRequests").and_then(Value::as_object)) {
        (Some(params), _) => vec![params],
        (None, Some(requests)) => {
            let elicitations = requests.values().filter(|request| request["method"] == "elicitation/create");
            elicitations.map(|request| &request["params"]).collect()
        }
        (None, None) => vec![request],
    }
}

#[test]
fn the_definitions_say_what_the_dialects_read() {
    let mut counts = BTreeMap::<&str, (usize, usize)>::new();
    for (named, request) in requests().unwrap() {
        let Ok(dialect) = named.as_deref().map_or(Ok(Dialect::Detect), str::parse) else { continue };
        let host = Host { limits: Limits { questions: Some(10_000), ..Limits::default() }, ..Host::default() };
        let read = Form::read(&request, dialect, &host);
        let name = read.as_ref().map_or_else(|_| named.as_deref().unwrap_or("ask_user"), |form| form.dialect());
        let Ok(dialect) = name.parse::<Dialect>() else { continue };
        let name = dialect.name();
        let definitions = ToolDefinition::of(dialect);
        let validators: Vec<_> =
            definitions.iter().map(|one| jsonschema::validator_for(&one.parameters).unwrap()).collect();
        let allows = |request: &Value| validators.iter().any(|validator| validator.is_valid(request));
        let allowed = unwrapped(&request).into_iter().all(allows);
        let (forms, rejections) = counts.entry(name).or_default();
        match &read {
            Ok(_) if extends(name, &request).is_some() => {}
            Ok(_) => {
                assert!(allowed, "{name}: {request}");
                *forms += 1;
            }
            Err(rejection) => {
                let beyond = rejection.problems.iter().all(|problem| BEYOND.contains(&problem.code()));
                assert!(!allowed || beyond, "{name}: {request} {:?}", rejection.to_json());
                *rejections += 1;
            }
        }
    }
    for name in Dialect::ALL.map(Dialect::name) {
        assert!(counts.get(name).is_some_and(|(forms, _)| *forms > 0), "{name} has no vector: {counts:?}");
    }
}
