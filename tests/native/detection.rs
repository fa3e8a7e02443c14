//! A request tells its dialect by its shape: every one of the vectors, read without the name.

use ask_user_core::{Dialect, Form, Host};
use ask_user_tests::requests;
use serde_json::{Value, json};

fn read(request: &Value, dialect: Dialect) -> Option<&'static str> {
    Form::read(request, dialect, &Host::default()).ok().map(|form| form.dialect())
}

/// What a request of a dialect looks like when nothing in it is that dialect's own.
fn plain(request: &Value) -> bool {
    let own = ["id", "text", "answer_type", "type", "multiple", "custom", "isOther", "isSecret"];
    let questions = request["questions"].as_array().map(Vec::as_slice).unwrap_or_default();
    !questions.is_empty() && questions.iter().all(|question| own.iter().all(|field| question.get(field).is_none()))
}

#[test]
fn every_request_is_detected_as_what_it_is() {
    let mut detected = 0;
    for (named, request) in requests().unwrap() {
        let Some(named) = named.and_then(|name| name.parse::<Dialect>().ok()) else { continue };
        let Some(dialect) = read(&request, named) else { continue };
        // Where the shape is that of `ask_user_question` it is read as that: only a host knows that it is another agent's.
        let taken_for = if plain(&request) { "ask_user_question" } else { dialect };
        let expected = read(&request, taken_for.parse().unwrap());
        assert_eq!(read(&request, Dialect::Detect), expected, "{}: {request}", named.name());
        detected += 1;
    }
    assert!(detected > 50, "only {detected} requests");
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
