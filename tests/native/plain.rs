//! Plain answers: a client's values by name, decided on the host's own walk.

use ask_user_core::{Action, Dialect, Ends, Form, Given, Host, Limits, Refusal, Step, Target, Walk};
use serde_json::{Map, Value, json};

fn walk(request: &Value, dialect: Dialect, host: &Host) -> Walk {
    Walk::new(Form::read(request, dialect, host).unwrap())
}

fn ours(request: &Value) -> Walk {
    walk(request, Dialect::Detect, &Host::default())
}

fn named(answers: Value) -> Map<String, Value> {
    answers.as_object().cloned().unwrap()
}

/// What is refused: names and codes. The walk is as it was.
#[track_caller]
fn refused(walk: &Walk, answers: Value) -> Vec<(String, &'static str)> {
    let mut again = walk.clone();
    let Err(Refusal::Answers { refused }) = again.answers(named(answers)) else { panic!("nothing is refused") };
    assert_eq!(again, *walk);
    assert_eq!(refused.total(), refused.len());
    refused.iter().map(|one| (one.question.clone(), one.refusal.code())).collect()
}

fn expected<const N: usize>(refused: [(&str, &'static str); N]) -> Vec<(String, &'static str)> {
    refused.map(|(name, code)| (name.to_owned(), code)).to_vec()
}

fn branching() -> Value {
    json!({ "questions": [
        { "id": "apply", "text": "Apply?", "answer_type": "boolean" },
        { "id": "env", "text": "Where?", "answer_type": "select", "options": ["staging", "production"],
          "when": { "question_id": "apply", "equals": true } },
        { "id": "why", "text": "Why?", "answer_type": "text", "when": { "question_id": "apply", "equals": false } },
        { "id": "count", "text": "How many?", "answer_type": "number" },
    ] })
}

#[test]
fn answers_in_any_order_are_decided_in_that_of_the_form() {
    let mut plain = ours(&branching());
    let mut one_by_one = plain.clone();
    plain.answers(named(json!({ "count": 3, "env": "staging", "apply": true }))).unwrap();
    for answer in [json!(true), json!("staging"), json!(3)] {
        one_by_one.act(Action::answer(answer)).unwrap();
    }
    assert_eq!(plain, one_by_one);
    assert_eq!(plain.idempotency_key(), one_by_one.idempotency_key());
    assert_eq!(
        plain.outcome().unwrap().result,
        Some(json!({ "apply": true, "env": "staging", "why": null, "count": 3 }))
    );
}

#[test]
fn everything_that_is_wrong_comes_back_at_once() {
    let walk = ours(&branching());
    for (answers, problems) in [
        (json!({}), expected([("apply", "required"), ("count", "required")])),
        (json!({ "apply": true }), expected([("env", "required"), ("count", "required")])),
        (json!({ "apply": false, "count": 1 }), expected([("why", "required")])),
        (json!({ "apply": null, "count": 1 }), expected([("apply", "required")])),
        (
            json!({ "apply": 1, "env": "test", "why": 2, "count": "x", "nobody": 1 }),
            expected([
                ("nobody", "not_allowed"),
                ("apply", "wrong_type"),
                ("count", "wrong_type"),
                ("env", "not_an_option"),
                ("why", "wrong_type"),
            ]),
        ),
        // What is asked after a refused answer is not known: it may be there, or not.
        (json!({ "apply": 1, "env": "staging", "why": null, "count": 1 }), expected([("apply", "wrong_type")])),
        (json!({ "apply": true, "env": "staging", "why": "x", "count": 1 }), expected([("why", "not_allowed")])),
        (
            json!({ "apply": true, "env": "test", "why": "x" }),
            expected([("env", "not_an_option"), ("count", "required"), ("why", "not_allowed")]),
        ),
        (json!({ "apply": true, "env": "staging", "why": "", "count": 1 }), expected([("why", "not_allowed")])),
        // The text of a question is no name where the agent has its answers by id.
        (
            json!({ "Apply?": true, "env": "staging", "count": 1 }),
            expected([("Apply?", "not_allowed"), ("apply", "required")]),
        ),
    ] {
        assert_eq!(refused(&walk, answers.clone()), problems, "{answers}");
    }
    let mut skipped = walk.clone();
    skipped.answers(named(json!({ "apply": true, "env": "staging", "why": null, "count": 1 }))).unwrap();
    assert!(skipped.outcome().is_some());
    assert_eq!(skipped.answers(Map::new()), Err(Refusal::Finished));
}

#[test]
fn a_question_that_is_missing_from_plain_answers_is_not_answered() {
    let request = json!({ "message": "?", "requestedSchema": { "type": "object", "required": ["a"], "properties": {
        "a": { "type": "boolean" }, "b": { "type": "string" }
    } } });
    let walk = ours(&request);
    assert_eq!(refused(&walk, json!({ "a": true })), expected([("b", "required")]));
    let mut empty = walk.clone();
    empty.answers(named(json!({ "a": true, "b": null }))).unwrap();
    // A form with a review is submitted: whoever sends the answers has seen them.
    let outcome = empty.outcome().unwrap();
    assert_eq!(outcome.ends(), Ends::Completed);
    assert_eq!(outcome.result, Some(json!({ "action": "accept", "content": { "a": true } })));
    let mut reviewed = walk.clone();
    for action in [Action::answer(true), Action::answer(Value::Null), Action::Submit] {
        reviewed.act(action).unwrap();
    }
    assert_eq!(empty, reviewed);
}

#[test]
fn labelled_questions_are_answered_by_their_text() {
    let options = json!([{ "label": "JWT", "description": "x" }, { "label": "OAuth" }]);
    let request = json!({ "questions": [
        { "question": "Which way?", "header": "Auth", "options": options },
        { "question": "Which parts?", "header": "Parts", "multiSelect": true, "options": options },
        { "question": "q1", "header": "Odd", "options": options },
    ] });
    let answers = json!({ "Which parts?": ["OAuth", "my own"], "q3": "JWT", "Which way?": "a third way" });
    for (dialect, result) in [
        (
            Dialect::AskUserQuestion,
            json!({ "answers": {
            "Which way?": "a third way", "Which parts?": "OAuth, my own", "q1": "JWT" } }),
        ),
        (
            Dialect::Claude,
            json!({ "behavior": "allow", "updatedInput": { "questions": request["questions"], "answers": {
            "Which way?": "a third way", "Which parts?": "OAuth, my own", "q1": "JWT" } } }),
        ),
    ] {
        let walk = walk(&request, dialect, &Host::default());
        let mut plain = walk.clone();
        plain.answers(named(answers.clone())).unwrap();
        assert_eq!(plain.outcome().unwrap().result, Some(result));
        // One name for two questions, and two names for one.
        assert_eq!(
            refused(&walk, json!({ "q1": "JWT", "Which parts?": [], "q3": "JWT" })),
            expected([("q1", "not_allowed"), ("q1", "required")])
        );
        assert_eq!(
            refused(&walk, json!({ "Which parts?": ["JWT"], "q2": ["OAuth"], "q3": "JWT", "Which way?": "JWT" })),
            expected([("q2", "not_allowed")])
        );
    }
}

#[test]
fn a_secret_is_taken_and_never_shown() {
    let request = json!({ "questions": [
        { "id": "a", "text": "A?", "answer_type": "boolean" }, { "id": "key", "text": "Key?", "answer_type": "secret" },
    ] });
    let walk = ours(&request);
    let mut answered = walk.clone();
    answered.answers(named(json!({ "key": "hunter2", "a": true }))).unwrap();
    assert_eq!(answered.outcome().unwrap().secrets["key"], "hunter2");
    assert!(!format!("{answered:?}{}", answered.save()).contains("hunter2"));
    let mut again = walk.clone();
    let refusal = again.answers(named(json!({ "key": "hunter2", "a": 1, "b": "hunter2" }))).unwrap_err();
    assert!(!format!("{refusal:?}{refusal}{:?}", refusal.to_json()).contains("hunter2"));
    assert_eq!(refused(&walk, json!({ "key": "", "a": true })), expected([("key", "required")]));
}

#[test]
fn what_the_host_answers_is_not_answered_again() {
    let request = json!({ "questions": [
        { "id": "a", "text": "A?", "answer_type": "boolean" }, { "id": "b", "text": "B?", "answer_type": "text" },
        { "id": "c", "text": "C?", "answer_type": "text" },
    ] });
    let fixed = Host { static_answers: named(json!({ "b": "fixed" })), ..Host::default() };
    let walk = walk(&request, Dialect::Detect, &fixed);
    assert_eq!(refused(&walk, json!({ "a": true, "b": "x", "c": "y" })), expected([("b", "not_allowed")]));
    let mut answered = walk.clone();
    answered.answers(named(json!({ "a": true, "c": "y" }))).unwrap();
    assert_eq!(answered.outcome().unwrap().result, Some(json!({ "a": true, "b": "fixed", "c": "y" })));
    // One that was begun goes on with what is open.
    let mut begun = walk.clone();
    begun.act(Action::answer(true)).unwrap();
    assert_eq!(refused(&begun, json!({ "a": false, "c": "y" })), expected([("a", "not_allowed")]));
    begun.answers(named(json!({ "c": "y" }))).unwrap();
    assert_eq!(begun, answered);
    // Where the host has a wrong answer, the form fails, and the rest does not matter.
    let wrong = Host { static_answers: named(json!({ "b": 1 })), ..Host::default() };
    let mut failed = self::walk(&request, Dialect::Detect, &wrong);
    failed.answers(named(json!({ "a": true, "c": "y" }))).unwrap();
    assert_eq!(failed.outcome().unwrap().error(), Some("invalid_static_answer"));
}

#[test]
fn the_walk_stops_where_an_assistant_is_asked() {
    let request = json!({ "questions": [
        { "id": "a", "text": "A?", "answer_type": "boolean" }, { "id": "b", "text": "B?", "answer_type": "text" },
        { "id": "c", "text": "C?", "answer_type": "text" },
    ] });
    let targets = [("b".to_owned(), Target::Assistant { model: None, escalation: false })].into_iter().collect();
    let host = Host { targets, ..Host::default() };
    let walk = walk(&request, Dialect::Detect, &host);
    let mut answered = walk.clone();
    answered.answers(named(json!({ "a": true }))).unwrap();
    assert!(answered.consultation().is_some_and(|asked| asked.record == "call_1.b.1"));
    assert_eq!(
        refused(&walk, json!({ "a": true, "b": "x", "c": "y" })),
        expected([("b", "not_allowed"), ("c", "not_allowed")])
    );
    assert_eq!(
        refused(&walk, json!({ "a": 1, "b": "x", "c": 1 })),
        expected([("a", "wrong_type"), ("c", "wrong_type")])
    );
    assert_eq!(refused(&answered, json!({ "c": "y" })), expected([("c", "not_allowed")]));
    assert!(matches!(answered.step(), Step::Asking(_)));
}

#[test]
fn refused_answers_share_one_budget() {
    let schema = json!({ "type": "array", "items": { "type": "string", "minLength": 1 }, "uniqueItems": true });
    let questions: Vec<Value> = (0..200)
        .map(|place| json!({ "id": format!("q{place}"), "text": "?", "answer_type": "schema", "schema": schema }))
        .collect();
    let host = Host { limits: Limits { work: 3_000_000, ..Limits::default() }, ..Host::default() };
    let walk = walk(&json!({ "questions": questions }), Dialect::Detect, &host);
    let dear: Value =
        (0..2_000).map(|number| if number == 0 { json!(1) } else { json!(format!("{number}")) }).collect();
    let answers: Map<String, Value> = (0..200).map(|place| (format!("q{place}"), dear.clone())).collect();
    let refusal = walk.clone().answers(answers).unwrap_err();
    let Refusal::Answers { refused } = refusal else { panic!() };
    assert_eq!((refused.total(), refused[0].refusal.code()), (200, "schema_mismatch"));
    assert_eq!(refused[refused.len() - 1].refusal.code(), "too_large", "each answer had a budget of its own");
}

#[test]
fn a_refusal_is_bounded_and_counts_the_rest() {
    let questions: Vec<Value> = (0..1_000)
        .map(|place| {
            json!({ "id": format!("q{place}"), "text": "?", "answer_type": "schema",
                    "schema": { "type": "array", "items": { "type": "string" } } })
        })
        .collect();
    let walk = ours(&json!({ "questions": questions }));
    let bad: Value = (0..1_000).map(|place| (format!("q{place}"), json!([1, 2, 3]))).collect::<Map<_, _>>().into();
    let list: Vec<(String, Given)> =
        named(bad.clone()).into_iter().map(|(id, value)| (id, Given::from(value))).collect();
    for taken in [walk.clone().answers(named(bad)), walk.clone().answer_all(list)] {
        let refusal = taken.unwrap_err();
        let Refusal::Answers { refused } = &refusal else { panic!("{refusal:?}") };
        assert!(refused.total() == 1_000 && refused.len() > 20, "{} of {}", refused.len(), refused.total());
        let json = Value::Object(refusal.to_json());
        assert!(json.to_string().len() <= 64_000, "{}", json.to_string().len());
        assert_eq!(json["total"], 1_000);
        assert!(refusal.to_string().contains("1000"), "{refusal}");
    }
    let long = "x".repeat(1_000_000);
    let refusal = walk.clone().answers(named(json!({ long.clone(): 1 }))).unwrap_err();
    assert!(Value::Object(refusal.to_json()).to_string().len() <= 64_000);
}
