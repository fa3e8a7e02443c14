//! A request tells its dialect by its shape: every one of the vectors, read without the name.

use ask_user_core::{Dialect, Form, Host};
use ask_user_tests::requests;
use serde_json::{Value, json};

fn read(request: &Value, dialect: Dialect) -> Option<&'static str> {
    Form::read(request, dialect, &Host::default()).ok().map(|form| form.dialect())
}

/// What a request of a dialect looks like when nothing in it is that dialect's own.
fn plain(request: &Value) -> bool {
    let own = [
        "id",
        "text",
        "answer_type",
        "type",
        "multiple",
        "custom",
        "isOther",
        "isSecret",
        "allowFreeformInput",
        "multi_select",
    ];
    let questions = request["questions"].as_array().map(Vec::as_slice).unwrap_or_default();
    // What says its type is known by that.
    request.get("type").is_none()
        && !questions.is_empty()
        && questions.iter().all(|question| own.iter().all(|field| question.get(field).is_none_or(Value::is_null)))
}

#[test]
fn every_request_is_detected_as_what_it_is() {
    let mut detected = 0;
    for (named, request) in requests().unwrap() {
        let Some(named) = named.and_then(|name| name.parse::<Dialect>().ok()) else { continue };
        let Some(dialect) = read(&request, named) else { continue };
        // A field in another notation may be another agent's own.
        if Form::read(&request, named, &Host::default())
            .is_ok_and(|form| form.warnings().iter().any(|one| one.code() == "renamed_field"))
        {
            continue;
        }
        // Where the shape is that of `ask_user_question` it is read as that: only a host knows that it is another agent's.
        let taken_for = match dialect {
            _ if plain(&request) => "ask_user_question",
            "zed" | "cline"
                if request.as_object().unwrap().keys().all(|name| ["question", "options"].contains(&&**name)) =>
            {
                "deepagents"
            }
            dialect => dialect,
        };
        let expected = read(&request, taken_for.parse().unwrap());
        assert_eq!(read(&request, Dialect::Detect), expected, "{}: {request}", named.name());
        detected += 1;
    }
    assert!(detected > 50, "only {detected} requests");
}

/// The problems of a request whose dialect nobody names: tool, code, path.
fn refused(request: &Value) -> (Option<&'static str>, Vec<(&'static str, String)>) {
    let rejection = Form::read(request, Dialect::Detect, &Host::default()).expect_err(&request.to_string());
    let problems = rejection.problems.iter().map(|problem| (problem.code(), problem.path.as_str().to_owned()));
    (rejection.tool, problems.collect())
}

#[test]
fn a_near_miss_is_never_answered_in_another_dialects_words() {
    let options = json!([{ "label": "a" }, { "label": "b" }]);
    let choices = json!([{ "value": "a" }, { "value": "b" }]);
    let list = |question: Value| json!({ "questions": [question] });
    let (elicitation, deepagents) = (Some("elicitation/create"), Some("ask_user_question"));
    for (request, tool, problems) in [
        // Elicitation, with something missing or misspelled.
        (json!({ "method": "elicitation/create" }), elicitation, vec![("missing_field", "/params")]),
        (json!({ "method": "elicitation/create", "params": [] }), elicitation, vec![("wrong_type", "/params")]),
        (
            json!({ "method": "elicitation/create", "params": { "question": "Which?", "options": ["a", "b"] } }),
            elicitation,
            vec![("missing_field", "/params/message"), ("missing_field", "/params/requestedSchema")],
        ),
        (
            json!({ "method": "elicitation/ask", "question": "Which?", "options": ["a", "b"] }),
            elicitation,
            vec![("unknown_answer_type", "/method")],
        ),
        (
            json!({ "message": "Which?", "mode": "form", "question": "Which?" }),
            elicitation,
            vec![("missing_field", "/requestedSchema")],
        ),
        (
            json!({ "message": "Which?", "question": "Which?", "requestedSchem": {} }),
            None,
            vec![("unknown_dialect", "/requestedSchem")],
        ),
        // Interrupts and tools of deepagents.
        (
            json!({ "type": "user_questions", "question": "Which?", "options": ["a", "b"] }),
            deepagents,
            vec![("unknown_answer_type", "/type")],
        ),
        (json!({ "type": "user_questions", "question": "Why?" }), deepagents, vec![("unknown_answer_type", "/type")]),
        (
            json!({ "type": "askuser", "questions": [{ "question": "Why?", "type": "text" }] }),
            deepagents,
            vec![("unknown_answer_type", "/type")],
        ),
        (
            json!({ "type": "confirm", "action": "Delete it", "default": true }),
            deepagents,
            vec![("unknown_answer_type", "/type")],
        ),
        (json!({ "question": "Which?", "optoins": ["a", "b"] }), None, vec![("unknown_dialect", "/optoins")]),
        (
            list(json!({ "question": "Which?", "type": "choice", "choices": choices })),
            Some("ask_user"),
            vec![("unknown_answer_type", "/questions/0/type")],
        ),
        (
            list(json!({ "question": "Which?", "header": "H", "choises": choices, "type": "text" })),
            None,
            vec![("unknown_dialect", "/questions/0/choises")],
        ),
        // The list and the single form of ask_user.
        (
            list(json!({ "id": "a", "question": "Go on?", "answerType": "boolean" })),
            None,
            vec![("unknown_dialect", "/questions/0/answerType")],
        ),
        (
            list(json!({ "id": "a", "text": "Go on?", "type": "boolean" })),
            Some("ask_user"),
            vec![("missing_field", "/questions/0/answer_type")],
        ),
        (
            json!({ "question": "Which?", "answertype": "select", "options": ["a", "b"] }),
            None,
            vec![("unknown_dialect", "/answertype")],
        ),
        (
            json!({ "question": "Which?", "options": ["a", "b"], "context": "It matters." }),
            None,
            vec![("unknown_dialect", "/context")],
        ),
        // Codex.
        (
            json!({ "questions": [
                { "id": "a", "question": "Which?", "header": "H", "options": options },
                { "question": "And which?", "header": "H", "options": options },
            ] }),
            Some("request_user_input"),
            vec![("missing_field", "/questions/1/id")],
        ),
        (
            list(json!({ "question": "Which?", "header": "H", "options": options, "isSecret": false })),
            Some("request_user_input"),
            vec![("missing_field", "/questions/0/id")],
        ),
        (
            list(json!({ "question": "Which?", "header": "H", "options": options, "is_other": true })),
            None,
            vec![("unknown_dialect", "/questions/0/is_other")],
        ),
        (
            list(json!({ "id": "a", "question": "Which?", "options": options, "multiple": true })),
            None,
            vec![("unknown_dialect", "/questions/0/multiple")],
        ),
        (
            list(json!({ "id": "a", "question": "Which?", "options": options, "multiSelect": true })),
            None,
            vec![("unknown_dialect", "/questions/0/multiSelect")],
        ),
        (
            list(json!({ "id": "a", "question": "Go on?", "type": "yesno" })),
            None,
            vec![("unknown_dialect", "/questions/0/type")],
        ),
        // Gemini.
        (
            list(json!({ "question": "Go on?", "header": "H", "type": "yes_no" })),
            Some("ask_user"),
            vec![("unknown_answer_type", "/questions/0/type")],
        ),
        (
            list(json!({ "question": "Which?", "header": "H", "typ": "choice", "options": options })),
            None,
            vec![("unknown_dialect", "/questions/0/typ")],
        ),
        (
            list(json!({ "question": "Which?", "type": "choice", "options": options, "custom": false })),
            None,
            vec![("unknown_dialect", "/questions/0/custom")],
        ),
        // opencode.
        (
            list(json!({ "question": "Which?", "header": "H", "options": options, "multiples": true })),
            None,
            vec![("unknown_dialect", "/questions/0/multiples")],
        ),
        (
            list(json!({ "question": "Which?", "header": "H", "options": options, "mutliple": true })),
            None,
            vec![("unknown_dialect", "/questions/0/mutliple")],
        ),
        (
            json!({ "questions": [
                { "question": "Which?", "options": options, "cusotm": false },
                { "question": "And?", "options": options, "Custom": false },
            ] }),
            None,
            vec![("unknown_dialect", "/questions/0/cusotm"), ("unknown_dialect", "/questions/1/Custom")],
        ),
        (
            list(json!({ "question": "Which?", "options": options, "multiple": true, "multiSelect": true })),
            None,
            vec![("unknown_dialect", "/questions/0/multiSelect")],
        ),
        // The labelled questions of coding agents.
        (
            list(json!({ "question": "Which?", "header": "H", "optins": options })),
            deepagents,
            vec![("misplaced_field", "/questions/0/optins"), ("missing_field", "/questions/0/options")],
        ),
        (
            json!({ "qestions": [{ "question": "Which?", "options": options }] }),
            None,
            vec![("unknown_dialect", "/qestions")],
        ),
    ] {
        let problems: Vec<_> = problems.into_iter().map(|(code, path)| (code, path.to_owned())).collect();
        assert_eq!(refused(&request), (tool, problems), "{request}");
    }
}

#[test]
fn what_no_other_dialect_has_tells_ask_user_whatever_the_other_fields_are_called() {
    for (request, warned) in [
        (
            json!({ "questions": [{ "id": "a", "question": "Go on?", "answer_type": "boolean" }] }),
            vec!["/questions/0/question"],
        ),
        (json!({ "question": "Which?", "answer_type": "select", "choices": ["a", "b"] }), vec!["/choices"]),
    ] {
        let form = Form::read(&request, Dialect::Detect, &Host::default()).unwrap();
        assert_eq!(form.dialect(), "ask_user", "{request}");
        let warnings: Vec<_> = form.warnings().iter().map(|one| (one.code(), one.path.as_str())).collect();
        let warned: Vec<_> = warned.into_iter().map(|path| ("renamed_field", path)).collect();
        assert_eq!(warnings, warned, "{request}");
    }
}

#[test]
fn a_near_miss_names_the_field_and_the_dialect() {
    let near = json!({ "questions": [{ "question": "Which?", "options": [{ "label": "a" }, { "label": "b" }], "multiples": true }] });
    let rejection = Form::read(&near, Dialect::Detect, &Host::default()).unwrap_err();
    let said = rejection.problems[0].to_string();
    assert!(said.contains("\"multiples\"") && said.contains("\"multiple\"") && said.contains("opencode"), "{said}");
    assert!(said.contains("ask_user_question"), "{said}");
    assert!(rejection.problems[0].hint().contains("name the dialect"));
}

#[test]
fn other_fields_do_not_stand_in_the_way() {
    let options = json!([{ "label": "a", "size": 1 }, { "label": "b", "kinds": "x" }]);
    for (request, dialect) in [
        (json!({ "question": "Name?", "_meta": {}, "customer": 1 }), "ask_user"),
        (json!({ "question": "Which?", "options": ["a"], "tags": [], "contents": 1 }), "deepagents"),
        (
            json!({ "questions": [{ "question": "Which?", "options": options, "metadata": {}, "customer": "x", "test": 1, "multiSelect": false }],
                    "answers": {}, "multiple": false, "type": null }),
            "ask_user_question",
        ),
        (
            json!({ "questions": [{ "question": "Which?", "options": options, "multiple": true, "id": null }] }),
            "opencode",
        ),
        (json!({ "questions": [{ "question": "Why?", "required": false }] }), "deepagents"),
    ] {
        assert_eq!(read(&request, Dialect::Detect), Some(dialect), "{request}");
    }
}

#[test]
fn what_no_agent_sends_is_no_dialect() {
    for request in [
        json!({}),
        json!({ "questions": "none" }),
        json!({ "action": "go", "more": 1 }),
        json!([]),
        json!(null),
        json!({ "options": ["a"] }),
    ] {
        let problems = Form::read(&request, Dialect::Detect, &Host::default()).unwrap_err().problems;
        assert!(["unknown_dialect", "wrong_type"].contains(&problems[0].code()), "{request}: {problems:?}");
    }
}

#[test]
fn the_question_of_a_request_that_cannot_be_shown_is_found_and_bounded() {
    for (request, asked) in [
        (r#"{"question": "Go on?", "answer_type": "bool"}"#, Some("Go on?")),
        (r#"{"questions": [{"text": "Which?"}, {"text": "Why?"}]}"#, Some("Which?")),
        (r#"{"questions": [{"question": "Which?"}]}"#, Some("Which?")),
        (r#"{"question": 1, "message": "Tell us."}"#, Some("Tell us.")),
        (r#"{"questions": {"text": "Which?"}}"#, None),
        (r#"[{"question": "Go on?"}]"#, None),
        ("{", None),
    ] {
        assert_eq!(Dialect::asked(request).as_deref(), asked, "{request}");
    }
    let long = json!({ "question": "ä".repeat(501) }).to_string();
    assert_eq!(Dialect::asked(&long), Some("ä".repeat(500)));
}
