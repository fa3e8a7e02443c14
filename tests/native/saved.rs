//! A saved walk leads to where it was saved, within every limit, through every store; and each ending has a key of its own.

use ask_user_core::{
    Action, Asks, Content, Dialect, Event, Form, Given, Host, Limits, Policy, Reader, Reading, Step, Target,
    Unresumable, Walk, schema::Validator,
};
use serde_json::{Value, json};

fn form(request: &Value, host: &Host) -> Form {
    Form::read(request, Dialect::Detect, host).unwrap()
}

fn texts(count: usize) -> Value {
    let question = |place: usize| json!({ "id": format!("q{place}"), "text": "?", "answer_type": "text" });
    json!({ "questions": (0..count).map(question).collect::<Vec<_>>() })
}

#[track_caller]
fn resumes(form: &Form, walk: &Walk) {
    let saved = serde_json::from_str(&walk.save().to_string()).unwrap();
    assert_eq!(Walk::resume(form.clone(), &saved), Ok(walk.clone()));
}

#[test]
fn a_walk_of_answers_that_are_each_within_the_limit_resumes() {
    // Whatever the letters: some are twice or six times as long in the saved walk.
    for letter in ["x", "\n", "\"", "\u{1}", "ü"] {
        let text = letter.repeat(990 / letter.len());
        let host = Host { limits: Limits { bytes: 1_000, ..Limits::default() }, ..Host::default() };
        let form = form(&texts(12), &host);
        let mut walk = Walk::new(form.clone());
        for place in 0..12 {
            let answer = if place % 2 == 0 { Action::answer(text.as_str()) } else { Action::typed(text.as_str()) };
            walk.act(answer).unwrap();
            resumes(&form, &walk);
        }
        assert!(walk.outcome().is_some());
    }
}

#[test]
fn edited_arguments_that_are_within_the_limit_resume() {
    let request = json!({
        "action_requests": [{ "name": "scale", "args": { "n": 1 } }],
        "review_configs": [{ "action_name": "scale", "allowed_decisions": ["approve", "edit"] }]
    });
    // The digits of a long number are kept as text, which stands in the decision when the walk is saved.
    let arguments = format!("{{ \"n\": {} }}", "1234567890".repeat(20));
    let mut taken = 0;
    for bytes in arguments.len() - 5..arguments.len() + 60 {
        let host = Host { limits: Limits { bytes, ..Limits::default() }, ..Host::default() };
        let Ok(form) = Form::read(&request, Dialect::Langchain, &host) else { continue };
        let mut walk = Walk::new(form.clone());
        if walk.act(Action::typed(arguments.as_str())).is_ok() {
            taken += 1;
            resumes(&form, &walk);
        }
    }
    assert!(taken > 0);
}

#[test]
fn an_answer_is_as_large_however_it_is_given() {
    let host = Host { limits: Limits { bytes: 1_000, ..Limits::default() }, ..Host::default() };
    let walk = Walk::new(form(&texts(1), &host));
    for (length, fits) in [(998, true), (999, false)] {
        let text = "x".repeat(length);
        for content in
            [Content::Value(json!(text)), Content::Json(json!(text).to_string()), Content::Typed(text.clone())]
        {
            let mut walk = walk.clone();
            assert_eq!(
                walk.act(Action::Answer(Given::new(content))).map_err(|refusal| refusal.code()),
                if fits { Ok(()) } else { Err("too_large") }
            );
        }
    }
}

#[test]
fn a_walk_that_used_up_its_work_resumes() {
    let host = |work| Host { limits: Limits { work, ..Limits::default() }, ..Host::default() };
    let read = |work| Form::read(&texts(12), Dialect::Detect, &host(work)).ok();
    let form = (1..).find_map(|thousand| read(thousand * 1_000)).unwrap();
    let mut walk = Walk::new(form.clone());
    let mut answered = 0;
    while answered < 12 && walk.act(Action::typed("\n".repeat(600))).is_ok() {
        answered += 1;
        resumes(&form, &walk);
    }
    assert_eq!(walk.act(Action::typed("x".repeat(600))).unwrap_err().code(), "too_large");
    assert!((2..12).contains(&answered), "{answered}");
    // The person can still leave.
    walk.act(Action::Back).unwrap();
    walk.act(Action::Reply(None)).unwrap();
    resumes(&form, &walk);
}

/// A yes-or-no question, a schema question that the host answers, and a text.
fn with_schema() -> (Value, Host) {
    let request = json!({ "questions": [
        { "id": "a", "text": "A?", "answer_type": "boolean" },
        { "id": "b", "text": "B?", "answer_type": "schema", "schema": { "type": "integer" } },
        { "id": "c", "text": "C?", "answer_type": "text" },
    ] });
    let static_answers = [("b".to_owned(), json!(7))].into_iter().collect();
    (request, Host { static_answers, ..Host::default() })
}

#[test]
fn a_walk_that_was_saved_before_its_schemas_were_compiled_resumes() {
    let (request, host) = with_schema();
    let form = form(&request, &host);
    let begun = Walk::begin(Reading::new(&request, Dialect::Detect, &host).unwrap().provisional().unwrap());
    for actions in [
        vec![],
        vec![Action::answer(true)],
        vec![Action::answer(true), Action::Back],
        vec![Action::answer(true), Action::Back, Action::answer(false)],
        vec![Action::answer(true), Action::Reply(Some("Later".into()))],
        vec![Action::answer(true), Action::EndTurn],
    ] {
        let mut walk = begun.clone();
        for action in actions.clone() {
            walk.act(action).unwrap();
        }
        let saved = walk.save();
        walk.accept(form.clone()).unwrap();
        assert_eq!(Walk::resume(form.clone(), &saved), Ok(walk.clone()), "{actions:?}");
        resumes(&form, &walk);
    }
}

#[test]
fn a_schema_question_is_answered_by_the_host_once_its_schema_is_compiled() {
    let (request, host) = with_schema();
    let mut walk = Walk::begin(Reading::new(&request, Dialect::Detect, &host).unwrap().provisional().unwrap());
    walk.act(Action::answer(true)).unwrap();
    assert_eq!(walk.step(), Step::Checking);
    assert!(!walk.is_checked());
    let finished = Reading::new(&request, Dialect::Detect, &host).unwrap().finish(&Validator::default()).unwrap();
    walk.accept(finished).unwrap();
    walk.act(Action::answer("x")).unwrap();
    assert_eq!(walk.outcome().unwrap().result, Some(json!({ "a": true, "b": 7, "c": "x" })));
    let other = form(&texts(1), &host);
    assert_eq!(walk.accept(other), Err(Unresumable::OtherForm));
}

#[test]
fn a_schema_question_goes_to_nobody_before_its_schema_is_compiled() {
    let schema =
        json!({ "id": "a", "text": "A?", "answer_type": "schema", "schema": { "type": "integer" }, "default": 7 });
    let request = json!({ "questions": [schema] });
    let detached = Host { attached: false, detached: Policy::Defaults.into(), ..Host::default() };
    for host in [assistant(), detached] {
        let reading = Reading::new(&request, Dialect::Detect, &host).unwrap();
        let mut walk = Walk::begin(reading.provisional().unwrap());
        assert_eq!((walk.step(), walk.consultation()), (Step::Checking, None));
        walk.accept(form(&request, &host)).unwrap();
        assert_ne!(walk.step(), Step::Checking);
    }
}

#[test]
fn a_form_that_was_read_reaches_its_first_step_whatever_work_is_left() {
    let questions: Vec<Value> = (0..50)
        .map(|place| json!({ "id": format!("q{place}"), "text": "x".repeat(2_000), "answer_type": "boolean" }))
        .collect();
    let request = json!({ "questions": questions });
    let static_answers: serde_json::Map<_, _> = (0..50).map(|place| (format!("q{place}"), json!(true))).collect();
    let read = |work: u64| {
        let limits = Limits { work, ..Limits::default() };
        let host = Host { limits, static_answers: static_answers.clone().into_iter().collect(), ..Host::default() };
        Form::read(&request, Dialect::Detect, &host).ok()
    };
    let (mut none, mut enough) = (0, Limits::default().work);
    while enough - none > 1 {
        let middle = (none + enough) / 2;
        if read(middle).is_some() { enough = middle } else { none = middle }
    }
    for work in [enough, enough + 1, enough * 2] {
        assert!(matches!(Walk::new(read(work).unwrap()).step(), Step::Done { .. }), "{work}");
    }
}

#[test]
fn a_client_counts_the_attempts_and_questions_of_the_host() {
    let request = texts(2);
    let turn = {
        let mut walk = Walk::new(form(&request, &Host::default()));
        walk.act(Action::answer("x")).unwrap();
        walk.turn()
    };
    let own = Walk::new(form(&request, &Host::default()));
    let mut other = Walk::new(form(&request, &Host { turn, ..Host::default() }));
    other.act(Action::answer("x")).unwrap();
    let response = json!({ "walk": other.save(), "secrets": {} });
    assert!(matches!(own.continued(&response), Err(Unresumable::Tampered { .. })));
}

#[test]
fn no_result_leaves_before_the_form_is_accepted() {
    let request = json!({ "questions": [
        { "id": "a", "text": "A?", "answer_type": "boolean" },
        { "id": "b", "text": "B?", "answer_type": "schema", "schema": true, "when": { "question_id": "a", "equals": true } },
    ] });
    let host = Host::default();
    let begun = Walk::begin(Reading::new(&request, Dialect::Detect, &host).unwrap().provisional().unwrap());
    for action in [Action::answer(false), Action::Reply(None)] {
        let mut walk = begun.clone();
        walk.act(action).unwrap();
        assert_eq!((walk.step(), walk.outcome(), walk.result_text()), (Step::Checking, None, None));
        let key = walk.idempotency_key();
        walk.accept(form(&request, &host)).unwrap();
        assert!(walk.outcome().is_some());
        assert_eq!(walk.idempotency_key(), key);
    }
    let mut ended = begun;
    ended.act(Action::EndTurn).unwrap();
    assert!(ended.outcome().is_some());
}

#[test]
fn a_client_that_began_early_says_the_same_to_a_host_that_did_not() {
    let (request, host) = with_schema();
    let form = form(&request, &host);
    let mut client = Walk::begin(Reading::new(&request, Dialect::Detect, &host).unwrap().provisional().unwrap());
    client.act(Action::answer(true)).unwrap();
    assert_eq!(client.continued(&client.response()), Err(Unresumable::Unchecked));
    client.accept(form.clone()).unwrap();
    client.act(Action::answer("x")).unwrap();
    let own = Walk::new(form);
    let continued = own.continued(&client.response()).unwrap();
    assert_eq!(continued.outcome(), client.outcome());
    assert_eq!(continued.idempotency_key(), client.idempotency_key());
    // And the other way round.
    assert_eq!(client.continued(&continued.response()), Ok(client));
}

/// A walk ends with the answer to its last question. Before that answer's schema is compiled, the person can still reply, end the turn or go back.
#[test]
fn a_host_ends_a_walk_as_the_client_did_that_had_no_schemas_yet() {
    let request = json!({ "questions": [
        { "id": "a", "text": "A?", "answer_type": "boolean" },
        { "id": "b", "text": "B?", "answer_type": "schema", "schema": { "type": "string" } },
    ] });
    let text = request.to_string();
    for fixed in [json!("x"), json!(1)] {
        let host = Host { static_answers: [("b".to_owned(), fixed)].into_iter().collect(), ..Host::default() };
        let form = form(&request, &host);
        let growing = |bytes: usize| {
            let mut reader = Reader::new(Dialect::AskUser, &host);
            reader.write(&text.as_bytes()[..bytes]);
            reader.check(&Validator::default());
            Walk::stream(reader.form())
        };
        let unchecked = Walk::begin(Reading::new(&request, Dialect::Detect, &host).unwrap().provisional().unwrap());
        for begun in [unchecked, growing(text.len() - 2), growing(text.find("\"B?").unwrap())] {
            for last in [Action::Reply(Some("Wait.".into())), Action::EndTurn, Action::Back] {
                let mut client = begun.clone();
                client.act(Action::answer(true)).unwrap();
                client.act(last.clone()).unwrap();
                client.accept(form.clone()).unwrap();
                let own = Walk::new(form.clone());
                let continued = own.continued(&client.response()).unwrap();
                assert_eq!(continued.step(), client.step());
                assert_eq!(continued.outcome(), client.outcome());
                assert_eq!(continued.idempotency_key(), client.idempotency_key());
                assert!(continued.records().eq(client.records()));
                resumes(&form, &continued);
                // What the host has heard once, it takes again; and what comes after it.
                assert_eq!(continued.continued(&client.response()), Ok(continued.clone()));
                if continued.ending().is_none() {
                    client.act(Action::answer(false)).unwrap();
                    let (one, both) = (continued.continued(&client.response()), own.continued(&client.response()));
                    assert!(one.is_ok(), "{one:?} {} {}", continued.save(), client.save());
                    assert_eq!(one.unwrap().outcome(), client.outcome());
                    assert_eq!(both.unwrap().outcome(), client.outcome());
                }
            }
        }
    }
}

#[test]
fn a_log_cannot_leave_out_what_the_host_answers() {
    let (request, host) = with_schema();
    let host = Host { static_answers: [("b".to_owned(), json!("x"))].into_iter().collect(), ..host };
    let form = form(&request, &host);
    let own = Walk::new(form.clone());
    let mut forged = own.save();
    forged["log"] =
        json!([["unchecked"], ["answer", "a", "true", "", ""], ["unchecked"], ["answer", "b", "\"y\"", "", ""]]);
    crate::properties::sign(&mut forged);
    let response = json!({ "walk": forged, "secrets": {} });
    assert!(matches!(own.continued(&response), Err(Unresumable::Tampered { .. })));
}

#[test]
fn the_result_keeps_each_answer_with_its_property_after_the_keys_were_reordered() {
    let property = |title: &str| json!({ "type": "string", "title": title });
    let request = |keys: &[&str]| {
        let properties: serde_json::Map<String, Value> =
            keys.iter().map(|key| ((*key).to_owned(), property(key))).collect();
        json!({ "message": "?", "requestedSchema": { "type": "object", "properties": properties } })
    };
    let several = |keys: &[&str]| {
        let call = |key: &&str| {
            ((*key).to_owned(), json!({ "method": "elicitation/create", "params": request(&["b.a", "b_a", "a"]) }))
        };
        json!({ "inputRequests": keys.iter().map(call).collect::<serde_json::Map<_, _>>() })
    };
    for (sent, stored, questions) in [
        (request(&["zeta", "b.a", "b_a", "a"]), request(&["a", "b.a", "b_a", "zeta"]), 4),
        (several(&["z", "y", "x"]), several(&["x", "y", "z"]), 9),
    ] {
        let mut walk = Walk::new(form(&sent, &Host::default()));
        for place in 0..questions {
            let Step::Asking(asking) = walk.step() else { panic!() };
            walk.act(Action::answer(format!("{place} for {}", asking.question.text))).unwrap();
        }
        let mut again = Walk::resume(form(&stored, &Host::default()), &walk.save()).unwrap();
        assert_eq!(again.step(), walk.step());
        walk.act(Action::Submit).unwrap();
        again.act(Action::Submit).unwrap();
        // As text: the answers stand in the order in which they were asked.
        assert_eq!(
            again.outcome().unwrap().result.unwrap().to_string(),
            walk.outcome().unwrap().result.unwrap().to_string()
        );
        assert_eq!(again.idempotency_key(), walk.idempotency_key());
    }
}

#[test]
fn the_order_of_a_question_list_is_the_agents_own() {
    let walk = Walk::new(form(&texts(2), &Host::default()));
    let mut saved = walk.save();
    saved["questions"] = json!(["q1", "q0"]);
    crate::properties::sign(&mut saved);
    assert_eq!(Walk::resume(form(&texts(2), &Host::default()), &saved), Err(Unresumable::OtherForm));
}

#[test]
fn two_requests_without_a_tool_call_id_have_different_keys_given_nonces() {
    let key = |nonce: Option<&str>| {
        let host = Host { nonce: nonce.map(str::to_owned), ..Host::default() };
        let mut walk = Walk::new(form(&json!({ "question": "Sure?", "answer_type": "boolean" }), &host));
        walk.act(Action::answer(true)).unwrap();
        walk.idempotency_key()
    };
    assert_ne!(key(Some("1")), key(Some("2")));
    assert_ne!(key(Some("1")), key(None));
    assert_eq!(key(Some("1")), key(Some("1")));
}

#[test]
fn a_walk_keeps_its_nonce_wherever_it_is_resumed() {
    let host = |nonce: Option<&str>| Host { nonce: nonce.map(str::to_owned), ..Host::default() };
    let request = json!({ "question": "Sure?", "answer_type": "boolean" });
    let mut client = Walk::new(form(&request, &host(Some("tab"))));
    client.act(Action::answer(true)).unwrap();
    let resumed = Walk::resume(form(&request, &host(Some("another"))), &client.save()).unwrap();
    assert_eq!(resumed.idempotency_key(), client.idempotency_key());
    let continued = Walk::new(form(&request, &host(None))).continued(&client.response()).unwrap();
    assert_eq!(continued.idempotency_key(), client.idempotency_key());
}

#[test]
fn options_that_lead_elsewhere_are_other_options() {
    let request = json!({ "questions": [
        { "id": "a", "text": "A?", "answer_type": "boolean" }, { "id": "b", "text": "B?", "answer_type": "boolean" },
    ] });
    let mut walk = Walk::new(form(&request, &Host::default()));
    walk.act(Action::answer(true)).unwrap();
    let resume = |host: Host| Walk::resume(form(&request, &host), &walk.save());
    let fixed =
        |id: &str| Host { static_answers: [(id.to_owned(), json!(true))].into_iter().collect(), ..Host::default() };
    assert_eq!(resume(fixed("b")), Err(Unresumable::OtherOptions));
    assert!(matches!(resume(fixed("a")), Err(Unresumable::Tampered { .. })));
    assert_eq!(resume(Host { label: Some("New".into()), ..Host::default() }).unwrap().step(), walk.step());
}

#[test]
fn an_answer_given_by_the_host_is_not_the_same_ending_as_another_authors() {
    let request = json!({ "questions": [{ "id": "a", "text": "A?", "answer_type": "boolean", "default": false }] });
    let key = |host: &Host| Walk::new(form(&request, host)).idempotency_key();
    let fixed = Host { static_answers: [("a".to_owned(), json!(false))].into_iter().collect(), ..Host::default() };
    let alone = Host { attached: false, detached: Policy::Defaults.into(), ..Host::default() };
    assert_ne!(key(&fixed), key(&alone));
}

/// Each time that a client resumes without its secrets, they are asked for again. The host has them once, and takes the response wherever the
/// client's work budget sufficed.
#[test]
fn a_client_that_resumed_within_its_work_is_continued() {
    let request = json!({ "questions": [
        { "id": "a", "text": "?", "answer_type": "text" }, { "id": "s", "text": "?", "answer_type": "secret" },
        { "id": "b", "text": "?", "answer_type": "text" },
    ] });
    let (mut continued, mut refused) = (0, 0);
    for work in (4_000..12_000).step_by(7) {
        let host = Host { limits: Limits { work, ..Limits::default() }, ..Host::default() };
        let Ok(form) = Form::read(&request, Dialect::Detect, &host) else { continue };
        let own = Walk::new(form.clone());
        let mut client = own.clone();
        let answer = |client: &mut Walk, text: &str| client.act(Action::answer(text)).is_ok();
        let mut taken = answer(&mut client, "x") && answer(&mut client, "hunter2");
        for _ in 0..3 {
            client = Walk::resume(form.clone(), &client.save()).unwrap();
            taken = taken && answer(&mut client, &"hunter2".repeat(60));
        }
        if taken {
            assert_eq!(own.continued(&client.response()).map(|own| own.step()), Ok(client.step()), "with {work} units");
            continued += 1;
        } else {
            refused += 1;
        }
    }
    assert!(continued > 0 && refused > 0, "{continued} {refused}");
}

fn question(id: &str, answer_type: &str) -> Value {
    json!({ "id": id, "text": format!("{id}?"), "answer_type": answer_type })
}

/// A saved walk after its fields were changed by somebody who can compute its checksum.
fn signed(mut saved: Value) -> Value {
    crate::properties::sign(&mut saved);
    saved
}

/// A client's response that continues a walk with lines of its own.
fn response(walk: &Walk, lines: &[Value], secrets: Value) -> Value {
    let mut saved = walk.save();
    saved["log"].as_array_mut().unwrap().extend_from_slice(lines);
    json!({ "walk": signed(saved), "secrets": secrets })
}

fn assistant() -> Host {
    Host { target: Target::Assistant { model: None, escalation: false }, ..Host::default() }
}

#[test]
fn a_client_brings_no_verdict_however_its_line_is_written() {
    let request = json!({ "questions": [question("a", "boolean")] });
    let walk = Walk::new(form(&request, &assistant()));
    for line in [
        json!(["verdict", "a", "true", "ok", "gpt"]),
        json!([0, "verdict", "a", "true", "ok", "gpt"]),
        json!([null, "verdict", "a", "true", "ok", "gpt"]),
        json!([["verdict"], "verdict", "a", "true", "ok", "gpt"]),
    ] {
        let continued = walk.continued(&response(&walk, std::slice::from_ref(&line), json!({})));
        assert!(matches!(continued, Err(Unresumable::Tampered { .. })), "{line}");
    }
}

#[test]
fn a_line_has_the_texts_of_its_action_and_no_others() {
    let request = json!({ "questions": [question("a", "boolean"), question("key", "secret")] });
    let walk = Walk::new(form(&request, &Host::default()));
    let answered = json!(["answer", "a", "true", "", ""]);
    let takes = |lines: &[Value]| walk.continued(&response(&walk, lines, json!({ "key": "x" }))).is_ok();
    assert!(takes(&[answered.clone(), json!(["answer", "key", "", "", ""])]));
    for line in [
        json!(["answer", null, "a", "true", "", ""]),
        json!(["answer", "a", "true", ""]),
        json!(["answer", "a", "true", "", "", ""]),
        json!(["reply", 5]),
        json!(["end_turn", ""]),
        json!([]),
        json!("end_turn"),
    ] {
        assert!(!takes(std::slice::from_ref(&line)), "{line}");
    }
    for line in [
        json!(["remember", "key", "", "", ""]),
        json!(["answer", "key", "", "", "a note"]),
        json!(["answer", "key", "[]", "other", ""]),
    ] {
        assert!(!takes(&[answered.clone(), line.clone()]), "{line}");
        let mut saved = walk.save();
        saved["log"] = json!([answered, line]);
        assert!(Walk::resume(form(&request, &Host::default()), &signed(saved)).is_err(), "{line}");
    }
}

#[test]
fn a_client_goes_back_to_no_secret_of_the_host() {
    let request =
        json!({ "questions": [question("key", "secret"), question("a", "boolean"), question("b", "boolean")] });
    let host = Host {
        secret_answers: [("key".to_owned(), json!("hunter2"))].into_iter().collect(),
        static_answers: [("a".to_owned(), json!(true))].into_iter().collect(),
        ..Host::default()
    };
    let walk = Walk::new(form(&request, &host));
    let resumed = vec![json!(["resume", "key"]); 100];
    assert!(walk.continued(&response(&walk, &resumed, json!({}))).is_err());
    // Nor twice to one of the person's.
    let walk = Walk::new(form(&request, &Host::default()));
    let answered = json!(["answer", "key", "", "", ""]);
    let back = json!(["resume", "key"]);
    let continued = |lines: &[&Value]| {
        let lines: Vec<Value> = lines.iter().copied().cloned().collect();
        walk.continued(&response(&walk, &lines, json!({ "key": "x" }))).is_ok()
    };
    assert!(continued(&[&answered, &back, &answered]));
    assert!(!continued(&[&answered, &back, &back]));
    // Of two, the first is asked for again.
    let request = json!({ "questions": [question("a", "secret"), question("b", "secret"), question("c", "text")] });
    let walk = Walk::new(form(&request, &Host::default()));
    for (again, taken) in [("a", true), ("b", false)] {
        let lines = [json!(["answer", "a", "", "", ""]), json!(["answer", "b", "", "", ""]), json!(["resume", again])];
        assert_eq!(walk.continued(&response(&walk, &lines, json!({}))).is_ok(), taken);
    }
}

#[test]
fn the_work_of_a_secret_does_not_depend_on_its_value() {
    let request = json!({ "questions": [{ "id": "key", "question": "Key?", "isSecret": true }] });
    let walk = Walk::new(form(&request, &Host::default()));
    let after = |secret: &str| {
        let mut walk = walk.clone();
        walk.act(Action::answer(secret)).unwrap();
        let work = walk.events().iter().filter_map(|event| match event {
            Event::Answered { work, .. } => Some(*work),
            _ => None,
        });
        work.sum::<u64>()
    };
    assert_eq!(after("x"), after(&"x".repeat(10_000)));
}

#[test]
fn a_walk_that_has_ended_stays_as_it_ended() {
    let request = json!({ "questions": [question("key", "secret"), question("b", "boolean")] });
    let answered = |id: &str, answer: &str| json!(["answer", id, answer, "", ""]);
    let again = [json!(["resume", "key"]), answered("key", ""), answered("b", "true")];
    for end in [json!(["end_turn"]), json!(["reply", "No!"]), json!(["reply"])] {
        let lines: Vec<Value> = [answered("key", ""), end.clone()].iter().chain(&again).cloned().collect();
        let walk = Walk::new(form(&request, &Host::default()));
        assert!(walk.continued(&response(&walk, &lines, json!({ "key": "x" }))).is_err(), "{end}");
        let mut saved = walk.save();
        saved["log"] = lines.into();
        assert!(Walk::resume(form(&request, &Host::default()), &signed(saved)).is_err(), "{end}");
    }
    for end in [Action::EndTurn, Action::Reply(Some("No!".into())), Action::answer(false)] {
        let mut walk = Walk::new(form(&request, &Host::default()));
        walk.act(Action::answer("first")).unwrap();
        walk.act(end.clone()).unwrap();
        assert!(walk.continued(&response(&walk, &again, json!({ "key": "second" }))).is_err(), "{end:?}");
        if end != Action::answer(false) {
            // What was said at the end is still there.
            let resumed = Walk::resume(form(&request, &Host::default()), &walk.save()).unwrap();
            assert_eq!((resumed.step(), resumed.ending()), (walk.step(), walk.ending()));
        }
    }
}

#[test]
fn a_client_without_an_assistant_asks_the_person_or_nobody() {
    let request = json!({ "questions": [{ "id": "a", "text": "Delete?", "answer_type": "boolean", "default": true }] });
    let line = json!(["no_assistant", "a"]);
    let walk = Walk::new(form(&request, &assistant()));
    let continued = walk.continued(&response(&walk, std::slice::from_ref(&line), json!({}))).unwrap();
    assert!(matches!(continued.step(), Step::Asking(asking) if asking.asks == Asks::Person));
    let detached = Host { attached: false, detached: Policy::Defaults.into(), ..assistant() };
    let walk = Walk::new(form(&request, &detached));
    assert!(walk.continued(&response(&walk, std::slice::from_ref(&line), json!({}))).is_err());
}

#[test]
fn a_saved_walk_has_each_question_once() {
    let property = json!({ "type": "string" });
    let request = json!({ "message": "?", "requestedSchema": { "type": "object",
        "properties": { "a": property, "b": property }, "required": ["a", "b"] } });
    let mut walk = Walk::new(form(&request, &Host::default()));
    walk.act(Action::answer("x")).unwrap();
    let mut saved = walk.save();
    saved["questions"] = json!(["a", "a"]);
    assert!(Walk::resume(form(&request, &Host::default()), &signed(saved)).is_err());
}

#[test]
fn the_order_of_the_questions_is_part_of_an_ending() {
    let request = |first: &str, second: &str| {
        let property = json!({ "type": "string" });
        let properties: Value = [(first, property.clone()), (second, property)]
            .into_iter()
            .map(|(name, value)| (name.to_owned(), value))
            .collect::<serde_json::Map<_, _>>()
            .into();
        json!({ "message": "?", "requestedSchema": { "type": "object", "properties": properties, "required": ["a", "b"] } })
    };
    let ended = |request: &Value| {
        let mut walk = Walk::new(form(request, &Host { review: Some(false), ..Host::default() }));
        walk.act(Action::answer("x")).unwrap();
        walk.act(Action::answer("y")).unwrap();
        walk
    };
    let (ab, ba) = (ended(&request("a", "b")), ended(&request("b", "a")));
    assert_ne!(ab.outcome(), ba.outcome());
    assert_ne!(ab.idempotency_key(), ba.idempotency_key());
    // The form that is accepted late keeps the order of the walk.
    let host = Host { review: Some(false), ..Host::default() };
    let reading = Reading::new(&request("a", "b"), Dialect::Detect, &host).unwrap();
    let mut walk = Walk::begin(reading.provisional().unwrap());
    walk.act(Action::answer("for a")).unwrap();
    walk.accept(form(&request("b", "a"), &host)).unwrap();
    walk.act(Action::answer("for b")).unwrap();
    assert_eq!(walk.outcome().unwrap().result.unwrap()["content"], json!({ "a": "for a", "b": "for b" }));
}
