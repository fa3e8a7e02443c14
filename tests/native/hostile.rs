//! Input that means harm: each is a clear refusal at once. Nothing hangs, nothing is fetched, nothing is lost.

use ask_user_core::{
    Action, Asks, Content, Dialect, Form, Host, Limits, Refusal, Rejection, Step, Target, Unresumable, Verdict, Walk,
};
use serde_json::{Value, json};
use std::{sync::mpsc, thread, time::Duration};

/// Runs something that must not hang. How long it may take is measured by `cargo xtask bench hostile`.
fn at_once<T: Send + 'static>(act: impl FnOnce() -> T + Send + 'static) -> T {
    let (send, receive) = mpsc::channel();
    thread::spawn(move || send.send(act()));
    receive.recv_timeout(Duration::from_secs(60)).expect("an answer, and no panic")
}

fn read(request: Value) -> Result<Form, Rejection> {
    read_text(request.to_string(), Limits::default())
}

fn read_text(text: String, limits: Limits) -> Result<Form, Rejection> {
    at_once(move || Form::read(&text, Dialect::Detect, &Host { limits, ..Host::default() }))
}

fn codes(read: Result<Form, Rejection>) -> Vec<&'static str> {
    let problems = read.expect_err("a rejection").problems;
    for problem in &problems {
        assert!(!problem.to_string().is_empty() && !problem.hint().is_empty());
        assert!(problem.to_json().to_string().len() < 2_000, "a message that repeats what it refuses");
    }
    problems.iter().map(|problem| problem.code()).collect()
}

fn asks_schema(schema: Value) -> Value {
    json!({ "question": "Value?", "answer_type": "schema", "schema": schema })
}

/// Answers a schema question; the walk must be as before where it refuses.
fn answer(schema: Value, value: Value) -> Result<(), Refusal> {
    let mut walk = Walk::new(read(asks_schema(schema)).expect("a form"));
    at_once(move || {
        let before = walk.clone();
        let answered = walk.act(Action::answer(value));
        assert!(answered.is_ok() || walk == before);
        answered
    })
}

#[test]
fn a_request_of_ten_megabytes_is_too_large() {
    let text = json!({ "question": "x".repeat(10 * 1024 * 1024) }).to_string();
    assert_eq!(codes(read_text(text, Limits::default())), ["too_large"]);
    let request = json!({ "question": "x".repeat(10 * 1024 * 1024) });
    assert_eq!(codes(at_once(move || Form::read(&request, Dialect::Detect, &Host::default()))), ["too_large"]);
}

#[test]
fn a_request_nested_ten_thousand_deep_is_too_large() {
    for (open, close) in [("[", "]"), ("{\"a\":", "}")] {
        let text = format!("{}1{}", open.repeat(10_000), close.repeat(10_000));
        assert_eq!(codes(read_text(text, Limits::default())), ["too_large"]);
        assert_eq!(codes(read_text(open.repeat(10_000), Limits::default())), ["too_large"]);
    }
}

#[test]
fn a_hundred_thousand_questions_are_too_many() {
    let questions = |count: usize| -> Vec<Value> {
        (0..count).map(|place| json!({ "id": place.to_string(), "text": "?", "answer_type": "text" })).collect()
    };
    let text = json!({ "questions": questions(100_000) }).to_string();
    assert_eq!(codes(read_text(text.clone(), Limits::default())), ["too_large"]);
    assert_eq!(codes(read_text(text, Limits { bytes: 100 << 20, ..Limits::default() })), ["too_large"]);
    let text = json!({ "questions": questions(10_000) }).to_string();
    assert_eq!(codes(read_text(text, Limits::default())), ["too_many_questions"]);
}

#[test]
fn thirty_thousand_problems_are_counted_and_not_all_listed() {
    let questions: Vec<Value> = (0..10_000).map(|_| json!({ "text": 1 })).collect();
    let text = json!({ "questions": questions }).to_string();
    let limits = Limits { questions: Some(1_000_000), work: u64::MAX, ..Limits::default() };
    let rejection = read_text(text, limits).expect_err("a rejection");
    assert!(json!(rejection.to_json()).to_string().len() <= 64_000);
    assert!(rejection.to_string().contains("30000 problems"), "{rejection}");
}

#[test]
fn a_catastrophic_pattern_does_not_hang() {
    for pattern in [
        "^(a+)+$",
        "^(a|a)*$",
        "^(a*)*b$",
        "^(\\w+\\s?)*$",
        "(a?){400}a{400}",
        "(.*){1,1000}x",
        "(?=(a+)+$)a",
        "^(?:(?!b).)*$",
        "(?<=a+)b",
        "(a+)\\1+$",
        "a{1000}{1000}",
    ] {
        let schema = json!({ "type": "string", "pattern": pattern });
        match read(asks_schema(schema.clone())) {
            Ok(_) => {
                for length in [100, 2_500, 10_000, 50_000, 1_000_000] {
                    drop(answer(schema.clone(), json!(format!("{}!", "a".repeat(length)))));
                }
            }
            Err(rejection) => assert_eq!(rejection.problems[0].code(), "too_large", "{pattern}"),
        }
    }
    let names: serde_json::Map<String, Value> =
        (0..5_000).map(|place| ("a".repeat(50) + &place.to_string(), json!(1))).collect();
    drop(answer(json!({ "patternProperties": { "(?=(a+)+$)b": true } }), Value::Object(names.clone())));
    drop(answer(json!({ "propertyNames": { "pattern": "(?=(a+)+$)b" } }), Value::Object(names)));
    drop(answer(json!({ "items": { "format": "regex" } }), json!(vec!["(\\w{100}){100}"; 5_000])));
    let many: Vec<Value> =
        (0..10_000).map(|place| json!({ "pattern": format!("\\p{{L}}{{{}}}", place % 100) })).collect();
    assert_eq!(codes(read(asks_schema(json!({ "anyOf": many })))), ["too_large"]);
}

#[test]
fn a_schema_that_refers_to_itself_ends() {
    let recursive = json!({ "$defs": { "n": { "type": "object", "properties": { "next": { "$ref": "#/$defs/n" } } } }, "$ref": "#/$defs/n" });
    assert_eq!(answer(recursive, json!({ "next": { "next": {} } })), Ok(()));
    for circle in [
        json!({ "$ref": "#" }),
        json!({ "allOf": [{ "$ref": "#" }] }),
        json!({ "$defs": { "a": { "$ref": "#/$defs/b" }, "b": { "$ref": "#/$defs/a" } }, "$ref": "#/$defs/a" }),
        json!({ "$dynamicAnchor": "x", "$dynamicRef": "#x" }),
    ] {
        assert_eq!(codes(read(asks_schema(circle.clone()))), ["invalid_schema"], "{circle}");
    }
}

#[test]
fn a_schema_that_multiplies_is_refused_before_it_is_tried() {
    let links = (0..40).map(|link| {
        let next = format!("#/$defs/n{}", link + 1);
        (format!("n{link}"), json!({ "allOf": [{ "$ref": next }, { "$ref": next }] }))
    });
    let mut definitions: serde_json::Map<String, Value> = links.collect();
    definitions.insert("n40".into(), json!({ "type": "string" }));
    let schema = json!({ "$defs": definitions, "$ref": "#/$defs/n0" });
    match read(asks_schema(schema.clone())) {
        Ok(_) => assert!(matches!(answer(schema, json!("x")), Err(Refusal::TooLarge { .. }))),
        Err(rejection) => assert_eq!(rejection.problems[0].code(), "invalid_schema"),
    }
}

#[test]
fn ids_that_refer_to_each_other_on_all_ways_are_refused_before_they_are_compiled() {
    let woven = |count: usize, dynamic: bool| {
        let refers = |_| (0..count).map(|to| (format!("p{to}"), json!({ "$ref": format!("urn:r{to}") })));
        let part = |from: usize| {
            let properties: Value = refers(from).collect::<serde_json::Map<_, _>>().into();
            let mut part = json!({ "$id": format!("urn:r{from}"), "properties": properties });
            if dynamic {
                part["$dynamicAnchor"] = json!("node");
                part["items"] = json!({ "$dynamicRef": "#node" });
            }
            (format!("d{from}"), part)
        };
        json!({ "$defs": (0..count).map(part).collect::<serde_json::Map<_, _>>(), "$ref": "urn:r0" })
    };
    for dynamic in [true, false] {
        assert!(read(asks_schema(woven(4, dynamic))).is_ok());
        for count in [9, 40] {
            assert_eq!(codes(read(asks_schema(woven(count, dynamic)))), ["too_large"]);
        }
    }
    let many: serde_json::Map<_, _> =
        (0..20_000).map(|id| (format!("d{id}"), json!({ "$id": format!("urn:r{id}") }))).collect();
    assert_eq!(codes(read(asks_schema(json!({ "$defs": many })))), ["too_large"]);
}

/// The place of a fault is one of the request, however the subschema was reached.
#[test]
fn the_path_of_a_fault_in_a_schema_leads_into_the_schema_as_it_was_sent() {
    for (schema, at) in [
        (json!({ "$ref": "#/$defs/a", "$defs": { "a": { "items": [{ "$ref": "𞊐" }] } } }), "/$defs/a/items/0/$ref"),
        (
            json!({ "properties": { "x": { "$ref": "#/definitions/a" } }, "definitions": { "a": { "$ref": "#/nowhere" } } }),
            "/definitions/a/$ref",
        ),
        (json!({ "$ref": "#/$defs/a", "$defs": { "a": { "allOf": [{ "$ref": "#" }] } } }), ""),
        (json!({ "allOf": [{ "$ref": "other.json" }] }), "/allOf/0/$ref"),
    ] {
        let rejection = read(asks_schema(schema.clone())).expect_err("a rejection");
        let path = format!("/schema{at}");
        assert_eq!(rejection.problems[0].path.as_str(), path, "{schema}");
        assert!(asks_schema(schema).pointer(&path).is_some());
    }
}

#[test]
fn nothing_outside_the_schema_is_referred_to() {
    for reference in [
        "https://example.com/schema.json",
        "file:///etc/passwd",
        "other.json",
        "//example.com/x",
        "urn:x",
        "data:application/json,{}",
    ] {
        for schema in [
            json!({ "$ref": reference }),
            json!({ "items": { "$dynamicRef": reference } }),
            json!({ "$schema": reference }),
        ] {
            assert_eq!(codes(read(asks_schema(schema.clone()))), ["invalid_schema"], "{schema}");
        }
    }
}

#[test]
fn text_that_is_not_json_is_rejected_with_line_and_column() {
    for (text, place) in [
        ("{\n  \"question\": \"Why?\",\n  oops\n}", "(line 3, column 3)"),
        ("", "(line 1, column 0)"),
        ("{} {}", "(line 1, column 4)"),
    ] {
        let rejection = read_text(text.into(), Limits::default()).unwrap_err();
        let [problem] = &rejection.problems[..] else { panic!("one problem for {text:?}") };
        assert_eq!((problem.code(), problem.path.as_str()), ("invalid_json", ""));
        assert!(problem.to_string().contains(place), "{problem}");
    }
    let mut walk = Walk::new(read(asks_schema(json!({ "type": "object" }))).expect("a form"));
    let refusal = walk.act(Action::typed("{\n  \"a\": 1,\n}")).unwrap_err();
    assert_eq!(refusal.code(), "invalid_json");
    assert!(refusal.to_string().contains("line 3, column 1"), "{refusal}");
}

#[test]
fn lone_surrogates_are_no_json_and_control_characters_are_kept() {
    for text in [
        r#"{"question": "\ud800"}"#,
        r#"{"question": "\udc00x"}"#,
        r#"{"question": "\ud800\ud800"}"#,
        "{\"question\": \"\u{1}\"}",
    ] {
        assert_eq!(codes(read_text(text.into(), Limits::default())), ["invalid_json"], "{text}");
    }
    let said = "\u{0}\u{7}\u{1b}[2J\u{202e}\u{feff}\u{10ffff}";
    let form = read(json!({ "question": said, "answer_type": "text" })).expect("a form");
    assert_eq!(form.questions()[0].text, said);
    let mut walk = Walk::new(form);
    walk.act(Action::answer(said)).unwrap();
    assert_eq!(walk.outcome().unwrap().result, Some(json!({ "answer_type": "text", "answer": said })));
}

#[test]
fn markup_is_text_like_any_other() {
    let evil = "<script>alert(1)</script><img src=x onerror=alert(1)>";
    let request = json!({ "questions": [{
        "id": evil, "text": evil, "answer_type": "select", "header": evil, "context": evil,
        "options": [{ "value": evil, "label": evil, "description": evil, "preview": evil }],
    }] });
    let mut walk = Walk::new(read(request).expect("a form"));
    walk.act(Action::answer(evil)).unwrap();
    assert_eq!(walk.outcome().unwrap().result.unwrap()[evil], evil);
}

/// Wherever the work budget runs out, to the unit: the request is refused, or all of it is asked.
#[test]
fn a_form_read_under_any_work_limit_is_whole() {
    let requests = [
        json!({ "questions": [{ "id": "n", "text": "Name?", "answer_type": "text" }, { "id": "w", "text": "Which?", "answer_type": "select", "options": ["a", "b"], "default": "a" }] }),
        json!({ "message": "Please.", "requestedSchema": { "type": "object", "properties": {
            "name": { "type": "string" }, "which": { "type": "string", "enum": ["a", "b"], "default": "a" },
            "some": { "type": "array", "items": { "enum": ["p", "q"] } }, "sure": { "type": "boolean" } } } }),
        json!({ "inputRequests": {
            "one": { "method": "elicitation/create", "params": { "mode": "url", "message": "Sign in", "url": "https://example.com/" } },
            "two": { "method": "elicitation/create", "params": { "message": "m", "requestedSchema": { "type": "object", "properties": { "a": { "type": "string" } } } } } } }),
        json!({ "questions": [{ "id": "a", "question": "A?", "header": "H" }, { "id": "b", "question": "B?", "header": "H", "options": [{ "label": "One" }] }] }),
        json!({ "questions": [{ "question": "A?", "header": "H", "multiSelect": true, "options": [{ "label": "One" }, { "label": "Two" }] }] }),
    ];
    for request in requests {
        let whole = Form::read(&request, Dialect::Detect, &Host::default()).unwrap();
        let read = |work| {
            let host = Host { limits: Limits { work, ..Limits::default() }, ..Host::default() };
            Form::read(&request, Dialect::Detect, &host)
        };
        let enough = (0..).step_by(500).find(|work| read(*work).is_ok()).unwrap();
        for work in 0..enough {
            match read(work) {
                Ok(form) => assert_eq!(form.questions(), whole.questions(), "with {work} units"),
                Err(rejection) => assert!(rejection.problems.iter().any(|problem| problem.code() == "too_large")),
            }
        }
    }
}

#[test]
fn an_answer_is_held_to_the_limits_too() {
    let nested = || (0..100_000).fold(json!(1), |value, _| Value::Array(vec![value]));
    assert!(matches!(answer(json!({}), nested()), Err(Refusal::TooLarge { .. })));
    assert!(matches!(answer(json!({}), json!("x".repeat(3 << 20))), Err(Refusal::TooLarge { .. })));
    let mut walk = Walk::new(read(asks_schema(json!({}))).expect("a form"));
    let typed = at_once(move || walk.act(Action::typed("[".repeat(10_000))));
    assert!(matches!(typed, Err(Refusal::TooLarge { .. })));
    let mut ended = Walk::new(read(asks_schema(json!({}))).expect("a form"));
    ended.act(Action::EndTurn).unwrap();
    assert_eq!(at_once(move || ended.act(Action::answer(nested()))), Err(Refusal::Finished));
}

#[test]
fn a_saved_walk_of_another_form_or_with_changes_is_refused() {
    let request = json!({ "questions": [
        { "id": "a", "text": "A?", "answer_type": "boolean" },
        { "id": "b", "text": "B?", "answer_type": "text", "when": { "question_id": "a", "equals": true } },
    ] });
    let form = read(request).expect("a form");
    let mut walk = Walk::new(form.clone());
    walk.act(Action::answer(true)).unwrap();
    let saved = walk.save();
    let resume = |saved: Value| {
        let form = form.clone();
        at_once(move || Walk::resume(form, &saved))
    };
    assert_eq!(resume(saved.clone()), Ok(walk));
    let with = |key: &str, value: Value| {
        let mut saved = saved.clone();
        saved[key] = value;
        saved
    };
    assert!(matches!(
        resume(with("log", json!([["answer", "a", "false", "", ""]]))),
        Err(Unresumable::Tampered { .. })
    ));
    assert!(matches!(resume(with("checksum", json!("0"))), Err(Unresumable::Tampered { .. })));
    assert!(matches!(resume(with("form", json!("0"))), Err(Unresumable::OtherForm)));
    assert!(matches!(resume(with("ask_user_walk", json!(1))), Err(Unresumable::OtherVersion)));
    assert!(matches!(
        resume(with("log", json!(vec!["x"; 1_000_000]))),
        Err(Unresumable::NotASavedWalk { .. } | Unresumable::Tampered { .. })
    ));
    assert!(matches!(resume(json!([])), Err(Unresumable::NotASavedWalk { .. })));
}

#[test]
fn a_checksum_that_fits_makes_no_walk_that_could_not_have_been_walked() {
    let form = read(json!({ "questions": [
        { "id": "a", "text": "A?", "answer_type": "boolean" }, { "id": "b", "text": "B?", "answer_type": "text" },
    ] }))
    .expect("a form");
    let saved = Walk::new(form.clone()).save();
    for (log, reason) in [
        (json!([["answer", "b", "\"x\"", "", ""]]), "it answers \"b\" where another question is open"),
        (json!([["answer", "a", "\"yes\"", "", ""]]), "This question takes yes or no (a boolean), not a string."),
        (json!([["answer", "a", "true", "", "a note"]]), "This question takes no note."),
        (json!([["answer", "a", "true", "", ""], ["submit"]]), "Answer this question first, then send the answers."),
        (json!([["change", "a"]]), "Go back instead: answers are changed from the review."),
        (json!([["resume", "a"]]), "it asks again for a secret that was not missing"),
        (json!([["back"]]), "There is no earlier answer of yours to go back to."),
        (json!([["verdict", "a", "true", "So.", ""]]), "a line of its log cannot be read"),
        (json!([["no_assistant", "a"]]), "No assistant is asked at this step."),
        (json!([["answered", "a", "true"]]), "a line of its log cannot be read"),
        (json!([[]]), "a line of its log cannot be read"),
        (json!([["end_turn"], ["answer", "a", "true", "", ""]]), "it answers \"a\" where another question is open"),
        (json!([["end_turn"], ["reply"]]), "This form has already ended. It takes no more answers."),
    ] {
        let mut forged = saved.clone();
        forged["log"] = log.clone();
        crate::properties::sign(&mut forged);
        let (resumed, form) = (forged, form.clone());
        let resumed = at_once(move || Walk::resume(form, &resumed));
        assert_eq!(resumed, Err(Unresumable::Tampered { reason: reason.into() }), "{log}");
    }
}

#[test]
fn a_log_that_fits_and_other_events_than_it_leads_to_are_those_of_other_options() {
    let request = json!({ "question": "Sure?", "answer_type": "boolean" });
    let form = read(request).expect("a form");
    let mut forged = Walk::new(form.clone()).save();
    forged["log"] = json!([["answer", "answer", "true", "", ""]]);
    crate::properties::sign(&mut forged);
    // Events that were there are not believed. More may follow from the log than were counted.
    assert!(Walk::resume(form.clone(), &forged).is_ok());
    for (count, print) in [(1, "0"), (2, forged["events"][1].as_str().unwrap()), (4, "0")] {
        let mut forged = forged.clone();
        forged["events"] = json!([count, print]);
        crate::properties::sign(&mut forged);
        assert_eq!(Walk::resume(form.clone(), &forged), Err(Unresumable::OtherOptions));
    }
}

#[test]
fn a_value_that_nests_too_deep_is_refused_wherever_it_is_given() {
    let deep = || (0..200_000).fold(Value::Null, |inner, _| Value::Array(vec![inner]));
    let request = json!({ "questions": [{ "id": "a", "text": "A?", "answer_type": "schema", "schema": {} }] });
    let assistant = Host { target: Target::Assistant { model: None, escalation: false }, ..Host::default() };
    let mut walk = Walk::new(Form::read(&request, Dialect::Detect, &assistant).unwrap());
    assert_eq!(walk.check(Content::Value(deep())).unwrap_err().code(), "not_allowed");
    let record = walk.consultation().unwrap().record;
    walk.act(Action::Assistant(Verdict { record, reason: Some("So".into()), answer: deep(), model: None })).unwrap();
    assert!(matches!(walk.step(), Step::Asking(asking) if asking.asks == Asks::Person));
    assert_eq!(walk.act(Action::answer(deep())).unwrap_err().code(), "too_large");
}

#[test]
fn a_rejection_lists_a_problem_whatever_the_names_in_a_schema() {
    let long = "x".repeat(70_000);
    for fault in [json!({ "pattern": "(" }), json!({ "type": "foo" })] {
        let question =
            |id: &str, schema: Value| json!({ "id": id, "text": "?", "answer_type": "schema", "schema": schema });
        let request = json!({ "questions": [
            question("c", json!({ "properties": { long.clone(): fault.clone() } })), question("d", fault.clone()),
        ] });
        let rejection = Form::read(&request, Dialect::Detect, &Host::default()).unwrap_err();
        assert_eq!(rejection.problems.len(), 2, "{fault}");
    }
    let not_a_text = json!({ "question": "?", "answer_type": "schema", "schema": { "$schema": 5 } });
    assert!(Form::read(&not_a_text, Dialect::Detect, &Host::default()).is_err());
}

#[test]
fn tool_calls_that_share_something_large_are_refused_before_it_is_copied() {
    let large = "x".repeat(1 << 20);
    let actions: Vec<Value> = (0..900).map(|_| json!({ "name": "a", "args": {} })).collect();
    let schema = json!({ "type": "object", "description": large });
    let config = json!({ "action_name": "a", "allowed_decisions": ["approve", "edit"], "args_schema": schema });
    let mut found = codes(read(json!({ "action_requests": actions, "review_configs": [config] })));
    found.dedup();
    assert_eq!(found, ["too_large"]);
    let interrupts: Vec<Value> =
        (0..900).map(|place| json!({ "id": format!("i{place}"), "reason": "tool_call", "toolCallId": "c" })).collect();
    let function = json!({ "name": "a", "arguments": json!({ "text": large }).to_string() });
    let messages = json!([{ "role": "assistant", "toolCalls": [{ "id": "c", "function": function }] }]);
    assert_eq!(codes(read(json!({ "interrupts": interrupts, "messages": messages }))), ["too_large"]);
}

#[test]
fn every_tool_call_within_the_hosts_limit_is_asked_about() {
    let actions: Vec<Value> = (0..1_500).map(|place| json!({ "name": format!("t{place}"), "args": {} })).collect();
    let configs: Vec<Value> = (0..1_500)
        .rev()
        .map(|place| json!({ "action_name": format!("t{place}"), "allowed_decisions": ["approve"] }))
        .collect();
    let request = json!({ "action_requests": actions, "review_configs": configs });
    assert_eq!(codes(read(request.clone())), ["too_many_questions"]);
    let form = read_text(request.to_string(), Limits { questions: Some(2_000), ..Limits::default() }).unwrap();
    assert_eq!(form.questions().len(), 1_500);
}
