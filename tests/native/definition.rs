//! The tool definitions for models: valid JSON Schema, in the subset that model providers take, and true.

use ask_user_core::{Dialect, Form, Host, Limits, ToolDefinition, Walk};
use ask_user_tests::requests;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// The keywords that OpenAI, Anthropic and Gemini all take in the parameters of a tool.
const KEYWORDS: &[&str] = &[
    "type",
    "description",
    "properties",
    "required",
    "items",
    "anyOf",
    "enum",
    "minItems",
    "maxItems",
    "minLength",
    "maxLength",
    "default",
];

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
            "anyOf" => {
                for (at, inner) in value.as_array().unwrap().iter().enumerate() {
                    check_subset(inner, &format!("{path}/anyOf/{at}"));
                }
            }
            "type" => assert!(value.is_string(), "{path} has several types"),
            _ => {}
        }
    }
    for name in fields.get("required").and_then(Value::as_array).into_iter().flatten() {
        assert!(schema["properties"].get(name.as_str().unwrap()).is_some(), "{path} requires {name}");
    }
}

/// The dialects whose requests a framework writes, and those of agents that tell their models themselves: this project has no definition for them.
const FRAMEWORKS: &[Dialect] = &[
    Dialect::Langchain,
    Dialect::AiSdk,
    Dialect::OpenaiAgents,
    Dialect::AgUi,
    Dialect::OpenaiResponses,
    Dialect::Adk,
    Dialect::AgentFramework,
    Dialect::ManagedAgents,
    Dialect::PydanticAi,
    Dialect::Langgraph,
    Dialect::Goose,
    Dialect::Acp,
    Dialect::Openclaw,
    Dialect::Vscode,
    Dialect::Kimi,
    Dialect::Copilot,
    Dialect::Zed,
    Dialect::Mastra,
    Dialect::Roo,
    Dialect::Cline,
];

#[test]
fn every_definition_is_in_the_subset_that_providers_take() {
    for dialect in Dialect::ALL {
        let definitions = ToolDefinition::of(dialect);
        assert_eq!(definitions.is_empty(), FRAMEWORKS.contains(&dialect), "{}", dialect.name());
        for definition in definitions {
            jsonschema::meta::validate(&definition.parameters).unwrap();
            check_subset(&definition.parameters, "");
        }
    }
    assert_eq!(ToolDefinition::of(Dialect::Detect), []);
}

/// What no schema in the subset can say: how values relate to each other, and what words hold.
const BEYOND: &[&str] = &[
    "ambiguous_field",
    "duplicate_id",
    "duplicate_option",
    "duplicate_question",
    "empty_text",
    "forward_reference",
    "invalid_condition",
    "invalid_default",
    "invalid_id",
    "invalid_rules",
    "invalid_schema",
    "length_mismatch",
    "multiline_question",
    "options_not_allowed",
    "options_required",
    "schema_not_allowed",
    "schema_required",
    "secret_reference",
    "too_large",
    "unknown_question",
    "unsafe_url",
    "when_never_true",
];

/// Why a request that reads as a form is none that a model is told to send.
fn extends(dialect: &str, request: &Value) -> Option<&'static str> {
    let text = request.to_string();
    match dialect {
        "ask_user" if request.get("question").is_some() => Some("the short form for hosts"),
        "ask_user" if text.contains("\"secret\"") => Some("a type for tools' own forms"),
        "ask_user" if text.contains("\"schema\":{") => {
            Some("a schema as an object, which not all providers can describe")
        }
        "ask_user" if any_option(request, Value::is_number) => Some("a bare number as an option"),
        "ask_user" if any_option(request, |option| option.get("value").is_some() && option.get("label").is_none()) => {
            Some("an option that has its value for a label")
        }
        "ask_user" if text.contains("\"choices\"") => Some("a call in the words of another tool"),
        "ask_user" if nests(request) => Some("a condition within a condition within another one"),
        "deepagents" if request["type"] == "confirm_action" => Some("the interrupt, not the tool's arguments"),
        "codex" if unwrapped(request).into_iter().any(lone_option) => {
            Some("a single option, which the model is told not to give")
        }
        "mcp" if request["requestedSchema"].get("properties").is_none() => {
            Some("a schema without properties, which is none of a tool")
        }
        _ if text.contains(":null") => Some("null in place of an absent field"),
        _ => None,
    }
}

fn any_option(request: &Value, is: impl Fn(&Value) -> bool) -> bool {
    let questions = request["questions"].as_array().into_iter().flatten();
    questions.flat_map(|question| question["options"].as_array().into_iter().flatten()).any(is)
}

fn nests(request: &Value) -> bool {
    let questions = request["questions"].as_array().into_iter().flatten();
    let parts = |when: &Value| -> Vec<Value> {
        let list = |name: &str| when[name].as_array().cloned().unwrap_or_default();
        [list("all"), list("any"), when.get("not").cloned().into_iter().collect()].concat()
    };
    questions.flat_map(|question| parts(&question["when"])).any(|part| !parts(&part).is_empty())
}

fn lone_option(request: &Value) -> bool {
    let questions = request["questions"].as_array();
    questions
        .into_iter()
        .flatten()
        .any(|question| question["options"].as_array().is_some_and(|options| options.len() == 1))
}

/// The arguments within what the protocol puts around them.
fn unwrapped(request: &Value) -> Vec<&Value> {
    let request = request.get("result").or_else(|| request.get("properties")).unwrap_or(request);
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
        let name = match (&read, named.as_deref()) {
            (Ok(form), _) => form.dialect(),
            (Err(_), Some(named)) => named,
            (Err(rejection), None) if rejection.tool == Some("elicitation/create") => "mcp",
            (Err(_), None) => "ask_user",
        };
        let Ok(dialect) = name.parse::<Dialect>() else { continue };
        // What libraries write, no model is told of.
        let is_library =
            ["tool_name", "request", "data", "requests", "error"].iter().any(|name| request.get(*name).is_some())
                || request
                    .get("method")
                    .is_some_and(|method| method.as_str().is_some_and(|method| method.ends_with("requestApproval")))
                || request.get("sessionID").is_some_and(|_| request.get("questions").is_none())
                || request.get("subtype").is_some()
                || request.pointer("/properties/questions").is_none() && request.get("properties").is_some();
        if FRAMEWORKS.contains(&dialect) || is_library {
            continue;
        }
        let name = dialect.name();
        let definitions = ToolDefinition::of(dialect);
        let validators: Vec<_> =
            definitions.iter().map(|one| jsonschema::validator_for(&one.parameters).unwrap()).collect();
        // What the simple tool of `ask_user` does not know, it lets pass.
        let counted = if read.is_err() && name == "ask_user" { 1 } else { validators.len() };
        let allows = |request: &Value| validators.iter().take(counted).any(|validator| validator.is_valid(request));
        let inner = unwrapped(&request);
        let allowed = !inner.is_empty() && inner.into_iter().all(allows);
        let (forms, rejections) = counts.entry(name).or_default();
        match &read {
            Ok(_) if extends(name, &request).is_some() => {}
            // A header that is too long is cut.
            Ok(form) if form.warnings().iter().any(|warning| warning.code() == "header_truncated") => assert!(!allowed),
            // A field in another notation is read; not every definition forbids further fields.
            Ok(form) if form.warnings().iter().any(|warning| warning.code() == "renamed_field") => {}
            Ok(_) => {
                assert!(allowed, "{name}: {request}");
                *forms += 1;
            }
            Err(rejection) => {
                // Which operator a condition has, is one of several.
                let is_condition = |path: &str| path.contains("/when") && path.ends_with("/equals");
                let beyond = rejection
                    .problems
                    .iter()
                    .all(|problem| BEYOND.contains(&problem.code()) || is_condition(problem.path.as_str()));
                assert!(!allowed || beyond, "{name}: {request} {:?}", rejection.to_json());
                *rejections += 1;
            }
        }
    }
    for name in Dialect::ALL.into_iter().filter(|dialect| !FRAMEWORKS.contains(dialect)).map(Dialect::name) {
        assert!(counts.get(name).is_some_and(|(forms, _)| *forms > 0), "{name} has no vector: {counts:?}");
    }
}

/// Every schema within a schema, with its path.
fn schemas<'s>(schema: &'s Value, path: String, found: &mut Vec<(String, &'s Value)>) {
    for (name, inner) in schema["properties"].as_object().into_iter().flatten() {
        schemas(inner, format!("{path}/{name}"), found);
    }
    if let Some(items) = schema.get("items") {
        schemas(items, format!("{path}/0"), found);
    }
    found.push((path, schema));
}

fn definitions() -> impl Iterator<Item = (Dialect, ToolDefinition)> {
    Dialect::ALL.into_iter().flat_map(|dialect| ToolDefinition::of(dialect).into_iter().map(move |one| (dialect, one)))
}

/// The limits that a description states in words, as keywords.
fn stated(description: &str) -> Vec<(&'static str, Value)> {
    let number = |word: &str| match word.to_lowercase().as_str() {
        "one" => 1,
        "two" => 2,
        "three" => 3,
        "four" => 4,
        "five" => 5,
        digits => digits.parse::<u64>().unwrap_or_default(),
    };
    let words: Vec<&str> = description.split([' ', '.', ',', ':', ';']).filter(|word| !word.is_empty()).collect();
    let mut stated = Vec::new();
    for window in words.windows(4) {
        match window {
            ["at", "most", most, "characters"] => stated.push(("maxLength", number(most).into())),
            [least, "to", most, things] if ["questions", "options"].contains(things) && number(least) > 0 => {
                stated.push(("minItems", number(least).into()));
                stated.push(("maxItems", number(most).into()));
            }
            [least, "or", "more", _] if number(least) > 0 => stated.push(("minItems", number(least).into())),
            _ => {}
        }
    }
    if description.contains("One or more questions.") {
        stated.push(("minItems", 1.into()));
    }
    if description.contains("Not empty") {
        stated.push(("minLength", 1.into()));
    }
    for pair in words.windows(2) {
        if let ["Default", value] = pair {
            stated.push(("default", serde_json::from_str(value).unwrap_or_else(|_| (*value).into())));
        }
    }
    stated.sort_by_key(|(keyword, _)| *keyword);
    stated.dedup();
    stated
}

#[test]
fn every_limit_in_words_is_a_keyword_and_the_other_way_round() {
    const LIMITS: [&str; 5] = ["default", "maxItems", "maxLength", "minItems", "minLength"];
    let mut count = 0;
    for (dialect, definition) in definitions() {
        let mut found = Vec::new();
        schemas(&definition.parameters, String::new(), &mut found);
        for (path, schema) in found {
            let description = schema["description"].as_str().unwrap_or_default();
            let keywords: Vec<_> =
                LIMITS.into_iter().filter_map(|limit| Some((limit, schema.get(limit)?.clone()))).collect();
            assert_eq!(stated(description), keywords, "{} {} {path}: {description}", dialect.name(), definition.name);
            count += keywords.len();
        }
    }
    assert!(count > 40, "{count} limits");
}

/// Arguments of a tool that have all of its fields with limits.
fn example(dialect: Dialect, tool: &str) -> Value {
    let options = json!([{ "label": "x" }, { "label": "y" }]);
    match (dialect, tool) {
        (Dialect::AskUser, _) => {
            json!({ "questions": [{ "id": "i", "text": "T?", "answer_type": "select", "options": ["x", "y"] }] })
        }
        (Dialect::AskUserQuestion | Dialect::Claude, _) => {
            json!({ "questions": [{ "question": "Q?", "header": "H", "options": options, "multiSelect": true }] })
        }
        (Dialect::Deepagents, "confirm_action") => json!({ "action": "Delete it", "default": false }),
        (Dialect::Deepagents, "ask_user") => json!({ "questions": [
            { "question": "Q?", "type": "multiple_choice", "choices": [{ "value": "x" }], "required": false }
        ] }),
        (Dialect::Deepagents, _) => {
            json!({ "question": "Q?", "header": "H", "options": ["x", "y"], "multi_select": true, "allow_custom": false })
        }
        (Dialect::Mcp, _) => json!({ "mode": "form", "message": "M.", "requestedSchema": {
            "type": "object", "properties": { "a": { "type": "string" } }
        } }),
        (Dialect::Gemini, _) => json!({ "questions": [
            { "question": "Q?", "header": "H", "type": "choice", "options": options, "multiSelect": true }
        ] }),
        (Dialect::Codex, _) => json!({ "questions": [
            { "id": "i", "header": "H", "question": "Q?", "options": options, "isOther": true, "isSecret": false }
        ] }),
        (Dialect::Opencode, _) => json!({ "questions": [
            { "question": "Q?", "options": options, "multiple": true, "custom": false }
        ] }),
        _ => Value::Null,
    }
}

/// A list of a value, with texts of their own where dialects ask for that.
fn numbered(value: &Value, count: u64) -> Value {
    let own = |place: u64| {
        let mut value = value.clone();
        match &mut value {
            Value::String(text) => *text = format!("{text}{place}"),
            Value::Object(fields) => {
                for name in ["id", "question", "label", "value"] {
                    if let Some(Value::String(text)) = fields.get_mut(name) {
                        *text = format!("{text}{place}");
                    }
                }
            }
            _ => {}
        }
        value
    };
    (0..count).map(own).collect()
}

/// The example with another value at a path.
fn with(example: &Value, path: &str, value: Value) -> Value {
    let mut example = example.clone();
    // The options of a text question are not read.
    if ["/options/0/label", "/options", "/multiSelect"].iter().any(|end| path.ends_with(end)) {
        example
            .pointer_mut("/questions/0")
            .and_then(Value::as_object_mut)
            .map(|question| question.shift_remove("type"));
    }
    // A secret has no options.
    if path.ends_with("/isOther") {
        example["questions"][0]["isSecret"] = false.into();
    }
    *example.pointer_mut(path).unwrap_or_else(|| panic!("the example has no {path}")) = value;
    example
}

/// What is read: the questions and the first step, with what was warned of, or the codes of the problems.
fn read(dialect: Dialect, arguments: &Value) -> Result<(Vec<Value>, Vec<&'static str>), Vec<&'static str>> {
    match Form::read(arguments, dialect, &Host::default()) {
        Ok(form) => {
            let questions = form.questions().iter().map(|question| json!(**question));
            let shown = questions.chain([json!(Walk::new(form.clone()).step())]).collect();
            Ok((shown, form.warnings().iter().map(|warning| warning.code()).collect()))
        }
        Err(rejection) => Err(rejection.problems.iter().map(|problem| problem.code()).collect()),
    }
}

#[test]
fn every_keyword_is_what_the_reader_enforces() {
    // What Codex advises its model, and reads anyway.
    let advice = |dialect, keyword: &str, path: &str| {
        dialect == Dialect::Codex
            && (keyword == "maxItems"
                || path.ends_with("/options") && keyword == "minItems"
                || path.ends_with("/header"))
    };
    for (dialect, definition) in definitions() {
        let mut found = Vec::new();
        schemas(&definition.parameters, String::new(), &mut found);
        for (path, schema) in found {
            let limit = |keyword: &str| schema.get(keyword).and_then(Value::as_u64);
            let name = format!("{} {} {path}", dialect.name(), definition.name);
            let (tool, example) = (definition.name.as_str(), example(dialect, &definition.name));
            assert_eq!(read(dialect, &example).map(|_| ()), Ok(()), "{tool}");
            let at = |value| read(dialect, &with(&example, &path, value));
            let item = || example.pointer(&format!("{path}/0")).unwrap_or_else(|| panic!("{name}")).clone();
            for (keyword, past) in [("maxItems", 1_i64), ("minItems", -1)] {
                let Some(limit) = limit(keyword) else { continue };
                assert!(at(numbered(&item(), limit)).is_ok(), "{name} {keyword}");
                let refused = at(numbered(&item(), limit.saturating_add_signed(past))).is_err();
                assert_eq!(refused, !advice(dialect, keyword, &path), "{name} {keyword}");
            }
            if let Some(limit) = limit("maxLength") {
                let warned = |length: u64| at("x".repeat(length as usize).into()).unwrap().1;
                assert_eq!(warned(limit), Vec::<&str>::new(), "{name}");
                assert_eq!(warned(limit + 1).is_empty(), advice(dialect, "maxLength", &path), "{name}");
            }
            if limit("minLength").is_some() {
                assert!(at("".into()).is_err() && at("x".into()).is_ok(), "{name}");
            }
            // With a default in place of these, the rest of the example has no place in it.
            let default = schema.get("default").filter(|_| !path.ends_with("/options") && !path.ends_with("/type"));
            if let Some(default) = default {
                let stated = with(&example, &path, default.clone());
                let mut left_out = stated.clone();
                let (parent, field) = path.rsplit_once('/').unwrap();
                left_out.pointer_mut(parent).unwrap().as_object_mut().unwrap().shift_remove(field);
                let read =
                    |request: &Value| read(dialect, request).unwrap_or_else(|why| panic!("{name}: {why:?} {request}"));
                let (stated, left_out) = (read(&stated), read(&left_out));
                assert_eq!(stated, left_out, "{name}");
                // What the example states is not the default, but for the one mode that these arguments can have, and for a secret, which has no options.
                assert!(
                    dialect == Dialect::Mcp
                        || path.ends_with("/isSecret")
                        || Ok(&stated) != at(example.pointer(&path).unwrap().clone()).as_ref(),
                    "{name}"
                );
            }
        }
    }
}

#[test]
fn every_definition_says_when_not_to_ask_and_whom() {
    for (dialect, definition) in definitions() {
        let instructions = definition.instructions.unwrap_or_default();
        for text in [&definition.description, &instructions] {
            for words in
                ["trivial decisions", "a preference that the user has already expressed", "Sub-agents have no user"]
            {
                assert!(text.contains(words), "{} {} lacks {words:?}", dialect.name(), definition.name);
            }
        }
        assert!(instructions.contains("Example. Ask: ") && instructions.contains("Do not ask: "), "{}", dialect.name());
        let sub_agent = Host { sub_agent: true, ..Host::default() };
        assert_eq!(ToolDefinition::for_agent(dialect, &sub_agent), []);
        // Of those of `ask_user` an agent gets one.
        let simple = |definition: &ToolDefinition| definition.name == "ask_user_simple";
        let expected: Vec<_> = ToolDefinition::of(dialect).into_iter().filter(|one| !simple(one)).collect();
        assert_eq!(ToolDefinition::for_agent(dialect, &Host::default()), expected);
        assert!(!expected.is_empty(), "{}", dialect.name());
    }
}
