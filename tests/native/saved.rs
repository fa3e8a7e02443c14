//! A saved walk leads to where it was saved, within every limit, through every store; and each ending has a key of its own.

use ask_user_core::{
    Action, Content, Dialect, Form, Given, Host, Limits, Reading, Step, Unresumable, Walk, schema::Validator,
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
    let alone = Host { attached: false, detached: ask_user_core::Policy::Defaults.into(), ..Host::default() };
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
