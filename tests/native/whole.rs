//! A request is shown whole or not at all: no change of a field's name or place makes a form that lacks what the field says.

use ask_user_core::{Dialect, Form, Host};
use ask_user_tests::{files, folders};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// The dialects whose questions have fields of their own.
const LISTS: &[&str] = &[
    "ask_user",
    "ask_user_question",
    "claude",
    "codex",
    "deepagents",
    "gemini",
    "opencode",
    "openclaw",
    "vscode",
    "kimi",
    "copilot",
    "zed",
    "mastra",
    "roo",
];
/// What other tools call a field.
pub(super) const SYNONYMS: &[(&str, &[&str])] = &[
    ("options", &["choices", "enum"]),
    ("choices", &["options"]),
    ("multiSelect", &["multiple", "allowMultiple"]),
    ("multi_select", &["multiple"]),
    ("multiple", &["multiSelect"]),
    ("custom", &["allowCustom", "isOther", "allowFreeformInput"]),
    ("allow_custom", &["custom", "allowOther", "allow_free_text"]),
    ("isOther", &["other", "allow_custom"]),
    ("other", &["custom"]),
    ("isSecret", &["secret", "hidden"]),
    ("required", &["is_required"]),
    ("when", &["condition", "depends_on", "show_if", "if"]),
];
/// What explains a question. Without it, the form has a warning.
const EXPLAINING: &[&str] = &[
    "header",
    "context",
    "placeholder",
    "description",
    "preview",
    "recommended",
    "default",
    "notes",
    "implied",
    "rule",
    "shown",
];

/// Requests of the vectors that are forms, each with its dialect.
fn requests() -> Vec<(Value, Dialect)> {
    let mut found = Vec::new();
    for file in folders().iter().flat_map(|folder| files(folder).unwrap()) {
        let cases: Vec<Value> = serde_json::from_str(&std::fs::read_to_string(&file).unwrap()).unwrap();
        for case in cases {
            let (Some(request), None) = (case.get("request"), case.get("host")) else { continue };
            let Ok(named) = case["dialect"].as_str().map_or(Ok(Dialect::Detect), str::parse) else { continue };
            let Ok(form) = Form::read(request, named, &Host::default()) else { continue };
            if LISTS.contains(&form.dialect())
                && form.questions().iter().all(|question| question.answer_type.approval().is_none())
            {
                found.push((request.clone(), form.dialect().parse().unwrap()));
            }
        }
    }
    found
}

/// What a form asks, without what explains it.
pub(super) fn essence(form: &Form) -> Value {
    fn strip(value: &mut Value) {
        match value {
            Value::Object(map) => {
                map.retain(|name, _| !EXPLAINING.contains(&name.as_str()));
                map.values_mut().for_each(strip);
            }
            Value::Array(list) => list.iter_mut().for_each(strip),
            _ => {}
        }
    }
    let mut questions: Vec<(Value, Option<String>)> = Vec::new();
    for question in form.questions() {
        let mut json = json!(**question);
        strip(&mut json);
        questions.push((json, question.when.as_ref().map(|when| format!("{when:?}"))));
    }
    json!(questions)
}

/// A name in other notations.
pub(super) fn notations(name: &str) -> Vec<String> {
    let mut words: Vec<String> = vec![String::new()];
    for letter in name.chars() {
        if letter == '_' || letter.is_uppercase() {
            words.push(String::new());
        }
        if letter != '_' {
            words.last_mut().unwrap().extend(letter.to_lowercase());
        }
    }
    let capital = |word: &String| word[..1].to_uppercase() + &word[1..];
    let camel = words[0].clone() + &words[1..].iter().map(capital).collect::<String>();
    let all = vec![words.join("_"), words.join("-"), camel, words.concat(), words.join("_").to_uppercase()];
    all.into_iter().filter(|other| other != name).collect()
}

/// The pointers to the objects that are questions or options of a request.
fn objects(request: &Value) -> Vec<String> {
    let mut found = Vec::new();
    let base = if request.pointer("/input/questions").is_some() { "/input" } else { "" };
    match request.pointer(&format!("{base}/questions")).and_then(Value::as_array) {
        Some(questions) => {
            for (at, question) in questions.iter().enumerate() {
                found.push(format!("{base}/questions/{at}"));
                for list in ["options", "choices"] {
                    let options = question.get(list).and_then(Value::as_array).into_iter().flatten().enumerate();
                    found.extend(
                        options
                            .filter(|(_, option)| option.is_object())
                            .map(|(option, _)| format!("{base}/questions/{at}/{list}/{option}")),
                    );
                }
            }
        }
        None => found.push(String::new()),
    }
    found
}

/// The request with its fields in this order, some of them renamed.
fn renamed(request: &Value, place: &str, from: &str, to: &str) -> Value {
    let mut request = request.clone();
    let object = request.pointer_mut(place).unwrap().as_object_mut().unwrap();
    let fields: Map<String, Value> = std::mem::take(object);
    object.extend(fields.into_iter().map(|(name, value)| (if name == from { to.to_owned() } else { name }, value)));
    request
}

/// What became of a changed request, or why it must not become that.
fn outcome(request: &Value, dialect: Dialect, was: &Value, path: &str) -> Result<&'static str, String> {
    match Form::read(request, dialect, &Host::default()) {
        Err(_) => Ok("rejected"),
        Ok(form) if essence(&form) != *was => Err("it is shown with a part missing".into()),
        Ok(form) if form.warnings().iter().any(|warning| warning.path.as_str() == path) => Ok("warned"),
        Ok(_) => Ok("said nothing"),
    }
}

/// A field's name in JSON Pointer notation.
fn pointer(place: &str, name: &str) -> String {
    format!("{place}/{name}")
}

#[test]
fn a_field_in_other_words_or_at_another_place_is_read_or_named_and_never_lost() {
    let mut counts = BTreeMap::<&str, usize>::new();
    for (request, dialect) in requests() {
        let was = essence(&Form::read(&request, dialect, &Host::default()).unwrap());
        for place in objects(&request) {
            let names: Vec<String> = request.pointer(&place).unwrap().as_object().unwrap().keys().cloned().collect();
            for name in names {
                let synonyms =
                    SYNONYMS.iter().filter(|(field, _)| *field == name).flat_map(|(_, others)| others.iter());
                let others = notations(&name).into_iter().chain(synonyms.map(|other| (*other).to_owned()));
                for other in others {
                    let changed = renamed(&request, &place, &name, &other);
                    let found = outcome(&changed, dialect, &was, &pointer(&place, &other));
                    let found =
                        found.unwrap_or_else(|why| panic!("{name} as {other} in {dialect:?}: {why}: {changed}"));
                    *counts.entry(found).or_default() += 1;
                }
                // The field around the questions, or in the first option.
                let mut moved = request.clone();
                let Some(value) = moved.pointer_mut(&place).unwrap().as_object_mut().unwrap().remove(&name) else {
                    continue;
                };
                let to = if place.contains("/options/") || place.contains("/choices/") || place.is_empty() {
                    continue;
                } else if place.starts_with("/input") {
                    "/input"
                } else {
                    ""
                };
                if ["text", "header", "context", "placeholder", "default", "id", "type"].contains(&name.as_str()) {
                    continue;
                }
                moved.pointer_mut(to).unwrap().as_object_mut().unwrap().insert(name.clone(), value);
                let found = outcome(&moved, dialect, &was, &pointer(to, &name));
                let found = found.unwrap_or_else(|why| panic!("{name} moved to {to:?} in {dialect:?}: {why}: {moved}"));
                *counts.entry(found).or_default() += 1;
            }
        }
    }
    let all: usize = counts.values().sum();
    assert!(all > 2_500 && counts["rejected"] > 500 && counts["warned"] > 500, "{counts:?}");
}

/// The codes and places of the problems of a request.
fn problems(request: &Value, dialect: Dialect) -> Vec<(&'static str, String)> {
    let read = Form::read(request, dialect, &Host::default());
    let problems = read.err().map(|rejection| rejection.problems).unwrap_or_default();
    problems.iter().map(|problem| (problem.code(), problem.path.to_string())).collect()
}

fn of_one(question: Value) -> Value {
    json!({ "questions": [question] })
}

#[test]
fn what_a_field_says_is_not_lost_where_its_type_or_another_field_leaves_no_place_for_it() {
    let options = json!([{ "label": "Ship" }, { "label": "Hold" }]);
    for (dialect, request, path) in [
        (
            Dialect::Gemini,
            of_one(json!({ "question": "?", "header": "H", "type": "yesno", "options": options })),
            "options",
        ),
        (
            Dialect::Gemini,
            of_one(json!({ "question": "?", "header": "H", "type": "text", "multiSelect": true })),
            "multiSelect",
        ),
        (Dialect::Deepagents, of_one(json!({ "question": "?", "choices": [{ "value": "a" }] })), "choices"),
        (
            Dialect::Codex,
            of_one(json!({ "id": "a", "header": "H", "question": "?", "isSecret": true, "options": options })),
            "options",
        ),
        (Dialect::Opencode, of_one(json!({ "question": "?", "options": [], "multiple": true })), "multiple"),
        (Dialect::Opencode, of_one(json!({ "question": "?", "options": [], "custom": false })), "custom"),
        (
            Dialect::AskUserQuestion,
            of_one(json!({ "question": "?", "options": options, "selectionMode": "multiple" })),
            "selectionMode",
        ),
        (
            Dialect::AskUserQuestion,
            of_one(json!({ "question": "?", "options": options, "maxChoices": 1 })),
            "maxChoices",
        ),
        (Dialect::AskUserQuestion, of_one(json!({ "question": "?", "options": options, "type": "checkbox" })), "type"),
    ] {
        assert_eq!(problems(&request, dialect), [("misplaced_field", format!("/questions/0/{path}"))], "{request}");
    }
    let both = json!({ "type": "user_question", "question": "?", "questions": [{ "question": "?", "type": "text" }] });
    assert!(!problems(&both, Dialect::Deepagents).is_empty());
    for (field, value) in
        [("isSecret", json!("true")), ("isSecret", json!(1)), ("required", json!("false")), ("multiple", json!(1))]
    {
        let mut request = of_one(json!({ "id": "a", "text": "?", "answer_type": "text" }));
        request["questions"][0][field] = value;
        assert_eq!(
            problems(&request, Dialect::AskUser),
            [("wrong_type", format!("/questions/0/{field}"))],
            "{request}"
        );
    }
}

#[test]
fn what_says_nothing_here_stands_in_nobodys_way() {
    let question = |fields: Value| {
        let mut question = json!({ "question": "?", "header": "H", "multiSelect": false, "options": [{ "label": "a", "type": "option", "required": false, "kind": "x" }, { "label": "b" }] });
        question.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
        question
    };
    for (request, warned) in [
        (
            json!({ "$schema": "https://json-schema.org/draft/2020-12/schema", "_type": "x", "inputs": {}, "format": "markdown", "max": 4, "questions": [question(json!({ "$id": "a", "_type": "b" }))] }),
            None,
        ),
        (of_one(question(json!({ "type": "choice", "format": "markdown", "selectionMode": "single" }))), None),
        (of_one(question(json!({ "message": "This costs 40 EUR per day." }))), Some("/questions/0/message")),
        (json!({ "context": "Read this.", "questions": [question(json!({}))] }), Some("/context")),
    ] {
        let form = Form::read(&request, Dialect::AskUserQuestion, &Host::default())
            .unwrap_or_else(|why| panic!("{request}: {why:?}"));
        let warnings: Vec<_> = form.warnings().iter().map(|one| one.path.to_string()).collect();
        assert_eq!(warnings, warned.into_iter().collect::<Vec<_>>(), "{request}");
    }
    // A limit that this type does not have is named, whatever it is called.
    for limit in ["min", "min_length", "minLength", "minimum", "minItems"] {
        let mut question = json!({ "id": "a", "text": "?", "answer_type": "boolean" });
        question[limit] = 3.into();
        let form = Form::read(&of_one(question), Dialect::AskUser, &Host::default()).unwrap();
        let said: Vec<_> = form.warnings().iter().map(|one| (one.code(), one.path.to_string())).collect();
        assert_eq!(said, [("unknown_field", format!("/questions/0/{limit}"))]);
    }
}

#[test]
fn a_large_or_circular_request_is_read_or_refused_at_once() {
    let many = |count: usize, name: &str| (0..count).map(|at| json!(format!("{name}{at}"))).collect::<Vec<_>>();
    let mut when = json!({ "question_id": "a", "equals": "x" });
    when.as_object_mut().unwrap().extend((0..20_000).map(|at| (format!("k{at}"), json!("t"))));
    let text = json!({ "id": "a", "text": "?", "answer_type": "text" });
    let unknown = json!({ "questions": [text, { "id": "b", "text": "?", "answer_type": "text", "when": when }] });
    let select = json!({ "id": "a", "text": "?", "answer_type": "select", "options": many(9_000, "o") });
    let listed = json!({ "questions": [select, { "id": "b", "text": "?", "answer_type": "text", "when": { "question_id": "a", "in": many(20_000, "z") } }] });
    let list = json!({ "type": "array", "items": { "$ref": "#/$defs/Node" } });
    let node = json!({ "message": "M", "requestedSchema": { "type": "object", "$defs": { "Node": list }, "properties": { "x": list } } });
    let mut chain = Map::new();
    for at in 0..5_000 {
        chain.insert(format!("A{at}"), json!({ "type": "array", "items": { "$ref": format!("#/$defs/A{}", at + 1) } }));
    }
    let chain = json!({ "message": "M", "requestedSchema": { "type": "object", "$defs": chain, "properties": { "x": { "$ref": "#/$defs/A0" } } } });
    for request in [unknown, listed, node, chain] {
        let read = Form::read(&request, Dialect::Detect, &Host::default());
        assert!(read.map_or_else(|rejection| rejection.total > 0, |form| !form.questions().is_empty()));
    }
}

/// The codes of the problems, or of the warnings, of a request, each with its place.
fn said(request: &Value, dialect: Dialect) -> (bool, Vec<(&'static str, String)>) {
    let read = Form::read(request, dialect, &Host::default());
    let found = read.as_ref().map_or_else(|rejection| &rejection.problems[..], |form| form.warnings());
    (read.is_ok(), found.iter().map(|one| (one.code(), one.path.to_string())).collect())
}

#[test]
fn a_limit_is_read_as_one_of_what_is_asked_for_wherever_that_is_said() {
    for (question, limit) in [
        (json!({ "min": 1, "choices": ["x", "y"], "multiple": true }), "/min"),
        (json!({ "max": 1, "enum": ["x", "y"], "allowMultiple": true }), "/max"),
    ] {
        let mut asked = json!({ "id": "a", "text": "?" });
        asked.as_object_mut().unwrap().extend(question.as_object().unwrap().clone());
        let form = Form::read(&of_one(asked), Dialect::AskUser, &Host::default()).unwrap();
        assert!(form.warnings().iter().all(|one| one.code() == "renamed_field"), "{limit}: {:?}", form.warnings());
        assert!(format!("{:?}", form.questions()[0].answer_type).contains("imum: "), "{limit}");
        let selections = serde_json::to_value(&*form.questions()[0]).unwrap();
        assert!(selections["min_selections"] == 1 || selections["max_selections"] == 1, "{selections}");
    }
    // Where there is none of the kind, it is named, once.
    for (question, given) in [
        (json!({ "multiple": false, "options": ["x", "y"], "min": 1 }), "min"),
        (json!({ "isSecret": true, "min": 3 }), "min"),
        (json!({ "answer_type": "secret", "required": false }), "required"),
    ] {
        let mut asked = json!({ "id": "a", "text": "?" });
        asked.as_object_mut().unwrap().extend(question.as_object().unwrap().clone());
        let (is_read, mut said) = said(&of_one(asked), Dialect::AskUser);
        said.retain(|(_, path)| *path == format!("/questions/0/{given}"));
        assert_eq!((is_read, said), (true, vec![("unknown_field", format!("/questions/0/{given}"))]));
    }
    let form = Form::read(&json!({ "question": "?", "min": 3 }), Dialect::AskUser, &Host::default()).unwrap();
    assert_eq!(serde_json::to_value(&*form.questions()[0]).unwrap()["min_length"], 3);
    for kind in ["text", "boolean"] {
        let asked = json!({ "id": "a", "text": "?", "answer_type": kind, "multiple": true });
        assert_eq!(
            said(&of_one(asked), Dialect::AskUser),
            (false, vec![("ambiguous_field", "/questions/0/multiple".into())])
        );
    }
}

#[test]
fn an_elicitation_never_asks_for_nothing_where_it_says_something() {
    let object = json!({ "type": "object", "properties": { "a": { "type": "string" } }, "required": ["a"] });
    // A schema with a name, as generators write it.
    for around in ["$defs", "definitions"] {
        let mut schema =
            json!({ "$schema": "http://json-schema.org/draft-07/schema#", "$ref": format!("#/{around}/X") });
        schema[around] = json!({ "X": object });
        let request = json!({ "message": "?", "requestedSchema": schema });
        let form = Form::read(&request, Dialect::Mcp, &Host::default()).unwrap();
        assert_eq!(form.questions().iter().map(|one| (&*one.id, one.optional)).collect::<Vec<_>>(), [("a", false)]);
    }
    let call = |schema: Value| json!({ "message": "?", "requestedSchema": schema });
    let outer = |more: Value| {
        let mut call = json!({ "jsonrpc": "2.0", "id": 1, "method": "elicitation/create", "params": call(json!({ "type": "object" })) });
        call.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        call
    };
    let beside = |name: &str| {
        let mut request = call(json!({}));
        request[name] = object.clone();
        request
    };
    for (request, expected) in [
        (call(json!({ "type": "object", "allOf": [object] })), vec![("missing_field", "/requestedSchema/properties")]),
        (call(json!({ "type": "object", "required": ["a"] })), vec![("missing_field", "/requestedSchema/properties")]),
        (call(json!({ "schema": object })), vec![("misplaced_field", "/requestedSchema/schema")]),
        (
            call(json!({ "properties": {}, "Properties": { "a": {} } })),
            vec![("misplaced_field", "/requestedSchema/Properties")],
        ),
        (outer(json!({ "properties": { "a": {} } })), vec![("misplaced_field", "/properties")]),
        (beside("requested_schema"), vec![("misplaced_field", "/requested_schema")]),
        (beside("schema"), vec![("misplaced_field", "/schema")]),
    ] {
        let expected: Vec<_> = expected.into_iter().map(|(code, path)| (code, path.to_owned())).collect();
        assert_eq!(said(&request, Dialect::Mcp), (false, expected), "{request}");
    }
    // What says nothing does not.
    for schema in [
        json!({ "type": "object", "Properties": {} }),
        json!({ "type": "object", "_properties": { "x": {} } }),
        json!({}),
    ] {
        assert!(said(&call(schema), Dialect::Mcp).0);
    }
    let property = call(json!({ "type": "object", "properties": { "a": { "type": "string", "required": true } } }));
    assert_eq!(
        said(&property, Dialect::Mcp),
        (true, vec![("unknown_field", "/requestedSchema/properties/a/required".into())])
    );
}

#[test]
fn the_fields_of_protocols_in_another_notation_are_read_and_private_ones_are_not() {
    let action = json!({ "name": "a", "args": {} });
    let calls = json!([{ "id": "c", "function": { "name": "rm", "arguments": "{}" } }]);
    for (dialect, request, expected) in [
        (Dialect::AgUi, json!({ "interrupts": [{ "id": "i", "_message": "internal" }] }), (true, vec![])),
        (
            Dialect::AgUi,
            json!({ "interrupts": [{ "_id": "65f", "message": "go?" }] }),
            (false, vec![("missing_field", "/interrupts/0/id")]),
        ),
        (
            Dialect::AgUi,
            json!({ "interrupts": [{ "id": "i", "message": "", "Message": "go?" }] }),
            (true, vec![("renamed_field", "/interrupts/0/Message")]),
        ),
        (
            Dialect::AgUi,
            json!({ "outcome": { "interrupts": [{ "id": "i", "message": "one?" }] }, "interrupts": [{ "id": "j", "message": "two?" }] }),
            (false, vec![("misplaced_field", "/interrupts")]),
        ),
        (Dialect::Claude, json!({ "tool_name": "Bash", "input": {}, "_description": "hidden" }), (true, vec![])),
        (
            Dialect::Claude,
            json!({ "tool_name": "Bash", "input": {}, "decisionReason": { "type": "rule" } }),
            (true, vec![("unknown_field", "/decisionReason")]),
        ),
        (
            Dialect::Claude,
            json!({ "toolName": "Bash", "Input": { "command": "ls" }, "title": "", "Title": "Danger" }),
            (true, vec![("renamed_field", "/toolName"), ("renamed_field", "/Input"), ("renamed_field", "/Title")]),
        ),
        (
            Dialect::Langchain,
            json!({ "action_requests": [action, action, action], "reviewConfigs": [{ "actionName": "a", "allowedDecisions": ["approve"] }] }),
            (
                true,
                vec![
                    ("renamed_field", "/reviewConfigs"),
                    ("renamed_field", "/reviewConfigs/0/actionName"),
                    ("renamed_field", "/reviewConfigs/0/allowedDecisions"),
                ],
            ),
        ),
        (
            Dialect::AskUser,
            of_one(json!({ "id": "a", "text": "?", "answer_type": "text", "_min": 3 })),
            (true, vec![("unknown_field", "/questions/0/_min")]),
        ),
    ] {
        let (is_read, expected) = expected;
        let expected: Vec<_> = expected.into_iter().map(|(code, path)| (code, path.to_owned())).collect();
        assert_eq!(said(&request, dialect), (is_read, expected), "{request}");
    }
    // The call that an interrupt names is found in either notation, also beside an empty list in the other one.
    for list in [json!(null), json!([])] {
        let message = json!({ "toolCalls": list, "tool_calls": calls });
        let request = json!({ "interrupts": [{ "id": "i", "toolCallId": "c" }], "Messages": [message] });
        let form = Form::read(&request, Dialect::AgUi, &Host::default()).unwrap();
        assert_eq!(form.questions()[0].text, "Run rm?");
    }
}

#[test]
fn values_under_another_name_are_options_only_where_they_fit_the_type_of_an_elicitation() {
    let objects = |values: [Value; 2]| values.map(|value| json!({ "value": value, "label": "L" }));
    for (property, kind) in [
        (json!({ "type": "string", "options": ["a", "b"] }), "select"),
        (json!({ "type": "integer", "options": [1, 2] }), "select"),
        (json!({ "type": "array", "options": ["a", "b"] }), "multi_select"),
        (json!({ "type": "boolean", "options": ["Yes", "No"] }), "boolean"),
        (json!({ "type": "integer", "options": ["1", "2"] }), "number"),
        (json!({ "type": "string", "options": [1, 2] }), "text"),
        (json!({ "type": "string", "options": objects([json!(null), json!("x")]) }), "text"),
        (json!({ "type": "string", "options": objects([json!({ "a": 1 }), json!("x")]) }), "text"),
    ] {
        let schema = json!({ "type": "object", "properties": { "p": property }, "required": ["p"] });
        let request = json!({ "message": "?", "requestedSchema": schema });
        let form = Form::read(&request, Dialect::Mcp, &Host::default()).unwrap();
        assert_eq!(form.questions()[0].answer_type.name(), kind, "{property}");
        assert_eq!(form.warnings().len(), 1, "{property}");
    }
}
