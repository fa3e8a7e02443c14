//! The time for an answer: nothing counts after it, and nothing that was entered is lost.

use crate::{agents::call, matrix::calling};
use ask_user_core::{
    Action, Closing, Dialect, Ends, Form, Host, Moment, Unresumable, Walk,
    desk::{Asked, Code, Desk, Input},
    record::{Cancelled, Record, Response},
};
use serde_json::{Value, json};

const END: &str = "2026-11-28T12:00:00Z";

fn end() -> i64 {
    Moment::parse(END).unwrap().millis()
}

fn host() -> Host {
    Host::from_json(&json!({ "expires_at": END })).unwrap()
}

fn two() -> Form {
    let request = json!({ "questions": [
        { "id": "go", "text": "Go on?", "answer_type": "boolean" },
        { "id": "why", "text": "Why?", "answer_type": "text" },
    ] });
    Form::read(&request, Dialect::AskUser, &host()).unwrap()
}

/// Interrupts of AG-UI that expire.
fn interrupts(expires: &[&str]) -> Value {
    let one = |(place, expires): (usize, &&str)| json!({ "id": format!("i{place}"), "reason": "input", "message": "?", "expiresAt": expires });
    json!({ "outcome": { "type": "interrupt", "interrupts": expires.iter().enumerate().map(one).collect::<Vec<_>>() } })
}

#[test]
fn a_walk_expires_when_its_time_is_over_and_not_before() {
    let mut walk = Walk::new(two());
    let before = walk.clone();
    assert!(!walk.expire(end() - 1) && walk == before);
    assert!(walk.expire(end()));
    assert!(walk.expire(end() - 1), "it has expired");
    let outcome = walk.outcome().unwrap();
    assert_eq!((outcome.ends(), outcome.result, outcome.secrets.len()), (Ends::Expired, None, 0));
    assert_eq!(walk.act(Action::answer(true)).unwrap_err().code(), "finished");
}

#[test]
fn a_walk_without_an_end_of_its_time_and_one_that_has_ended_do_not_expire() {
    let request = json!({ "questions": [{ "id": "go", "text": "Go on?", "answer_type": "boolean" }] });
    let mut walk = Walk::new(Form::read(&request, Dialect::AskUser, &Host::default()).unwrap());
    assert!(!walk.expire(i64::MAX));
    for action in [Action::answer(true), Action::Reply(None), Action::EndTurn] {
        let mut walk = Walk::new(Form::read(&request, Dialect::AskUser, &host()).unwrap());
        walk.act(action).unwrap();
        let before = walk.clone();
        assert!(!walk.expire(i64::MAX) && walk == before);
    }
}

#[test]
fn what_was_answered_and_typed_is_a_draft_and_the_record_says_that_the_time_was_over() {
    let request = json!({ "questions": [
        { "id": "who", "text": "Who?", "answer_type": "text" },
        { "id": "why", "text": "Why?", "answer_type": "text" },
    ] });
    let mut walk = Walk::new(Form::read(&request, Dialect::AskUser, &host()).unwrap());
    walk.act(Action::answer("Ada")).unwrap();
    walk.expire(end());
    let drafts = walk.drafts_with(&json!({ "why": "Because" }).as_object().unwrap().clone());
    assert_eq!(drafts.keys().collect::<Vec<_>>(), ["who", "why"]);
    let responses: Vec<_> = walk.records().filter(|record| matches!(record, Record::Response(_))).collect();
    assert!(matches!(
        &responses[..],
        [
            Record::Response(Response::Answered { .. }),
            Record::Response(Response::Cancelled { reason: Cancelled::Expired, .. })
        ]
    ));
    // The next form of the same turn begins with them.
    let next = Host { drafts: drafts.clone(), ..Host::default() };
    let next = Walk::new(Form::read(&request, Dialect::AskUser, &next).unwrap());
    assert_eq!(next.drafts(), drafts);
}

#[test]
fn an_expired_walk_is_expired_after_it_was_saved() {
    let mut walk = Walk::new(two());
    walk.act(Action::answer(true)).unwrap();
    walk.expire(end());
    let again = Walk::resume(two(), &walk.save()).unwrap();
    assert_eq!(
        (again.outcome(), again.drafts(), again.idempotency_key()),
        (walk.outcome(), walk.drafts(), walk.idempotency_key())
    );
}

#[test]
fn a_client_cannot_say_that_the_time_is_over() {
    let (own, mut client) = (Walk::new(two()), Walk::new(two()));
    client.act(Action::Expire).unwrap();
    assert!(matches!(own.continued(&client.response()), Err(Unresumable::Tampered { .. })));
}

#[test]
fn no_agent_is_told_that_an_expired_question_was_answered() {
    let mut tried = 0;
    for dialect in Dialect::ALL {
        let requests = [call(dialect, 1), calling(dialect, 1)];
        for request in requests.iter().filter(|request| !request.is_null()) {
            let mut walk = Walk::new(Form::read(request, dialect, &host()).unwrap());
            let approved = {
                let mut walk = walk.clone();
                walk.act(Action::answer(json!({ "type": "approve" }))).unwrap();
                walk.outcome().unwrap().result
            };
            walk.expire(end());
            let result = walk.outcome().unwrap().result;
            let mut stopped = Walk::new(Form::read(request, dialect, &host()).unwrap());
            stopped.act(Action::EndTurn).unwrap();
            assert_ne!(result, approved, "{dialect:?}");
            if dialect == Dialect::AgUi {
                assert_eq!(result, None);
                continue;
            }
            // As after End turn, but that nobody has stopped the agent.
            let same = |result: Option<Value>| {
                let text = result.map(|result| {
                    result.to_string().replace(",\"interrupt\":true", "").replace("\"interrupt\":true,", "")
                });
                text.map(|text| text.replace("The user ended the turn.", "The user did not answer in time."))
            };
            assert_eq!(same(result), same(stopped.outcome().unwrap().result), "{dialect:?}");
            tried += 1;
        }
    }
    assert!(tried > 10, "{tried}");
}

#[test]
fn interrupts_of_ag_ui_expire_together_with_the_first_of_them_and_are_not_resumed() {
    // The first as a text is the last as a moment.
    let form = Form::read(
        &interrupts(&["2026-11-28T12:30:00+01:00", "2026-11-28T12:00:00Z"]),
        Dialect::AgUi,
        &Host::default(),
    )
    .unwrap();
    assert_eq!(form.expires_at().unwrap().as_str(), "2026-11-28T12:30:00+01:00");
    let mut walk = Walk::new(form);
    walk.act(Action::answer("a")).unwrap();
    assert!(walk.expire(end() - 30 * 60 * 1000));
    assert_eq!(walk.outcome().unwrap().result, None);
}

#[test]
fn the_host_can_only_shorten_the_time() {
    for (host, expected) in [("2026-11-28T11:00:00Z", "2026-11-28T11:00:00Z"), ("2027-01-01T00:00:00Z", END)] {
        let host = Host::from_json(&json!({ "expires_at": host })).unwrap();
        let form = Form::read(&interrupts(&[END]), Dialect::AgUi, &host).unwrap();
        assert_eq!(form.to_json()["expires_at"], expected);
    }
}

#[test]
fn a_moment_that_cannot_be_read_is_named() {
    for wrong in ["tomorrow", "2026-11-28", "2026-11-28T12:00:00", "2026-02-30T12:00:00Z", ""] {
        let rejection = Form::read(&interrupts(&[wrong]), Dialect::AgUi, &Host::default()).unwrap_err();
        let paths: Vec<_> = rejection.problems.iter().map(|problem| problem.path.to_string()).collect();
        assert_eq!(paths, ["/outcome/interrupts/0/expiresAt"], "{wrong}");
        let misuse = Host::from_json(&json!({ "expires_at": wrong })).unwrap_err().to_string();
        assert_eq!(misuse, "The option \"expires_at\" must be a moment (RFC 3339), such as \"2026-11-28T12:00:00Z\".");
    }
}

/// A desk of two questions, and the walk that a page begins with.
fn desk() -> (Desk, Walk) {
    let request = r#"{"questions":[{"id":"go","text":"Go on?","answer_type":"boolean"},{"id":"why","text":"Why?","answer_type":"text"}]}"#;
    let options = json!({ "expires_at": END, "nonce": "n1", "tool_call_id": "call_1" });
    let host = Host::from_json(&options).unwrap();
    let walk = Walk::new(Form::read(request, Dialect::AskUser, &host).unwrap());
    let asked = Asked { call: "call_1".into(), request: request.into(), dialect: Dialect::AskUser, options };
    (Desk::ask(asked, None).unwrap(), walk)
}

#[test]
fn what_comes_too_late_counts_for_nothing_and_is_among_the_drafts() {
    let (_, mut page) = desk();
    page.act(Action::answer(true)).unwrap();
    let saved = page.save();
    page.act(Action::answer("Because")).unwrap();
    let response = page.response();
    let inputs = [
        json!({ "type": "responded", "response": response }),
        json!({ "type": "saved", "walk": saved }),
        json!({ "type": "answered", "answers": { "go": true, "why": "Because" } }),
    ];
    for input in inputs {
        let (mut desk, _) = desk();
        let late = desk.on_at(end(), Desk::input(&input.to_string()).unwrap());
        assert_eq!((late.closed, late.reply.unwrap().code), (Some(Closing::Expired), Code::NotOpen), "{input}");
        let hand = late.hand.unwrap();
        assert_eq!((hand.outcome.ends(), hand.result), (Ends::Expired, None), "{input}");
        if input["type"] != "saved" {
            assert!(json!(hand.drafts).to_string().contains("Because"), "{input}: {:?}", hand.drafts);
        }
    }
}

#[test]
fn an_older_walk_that_comes_too_late_replaces_nothing_that_is_kept() {
    let (mut desk, mut page) = desk();
    let old = page.save();
    page.act(Action::answer(true)).unwrap();
    let mut newer = page.clone();
    newer.act(Action::answer("An hour of work")).unwrap();
    desk.on(Desk::input(&json!({ "type": "saved", "walk": newer.save() }).to_string()).unwrap());
    let (version, walk) = (desk.version(), desk.walk());
    assert!(walk.unwrap().to_string().contains("An hour of work"));
    for input in [
        json!({ "type": "saved", "walk": old }),
        json!({ "type": "saved", "walk": old, "replaces": format!("x{version}") }),
        json!({ "type": "responded", "response": { "walk": old, "secrets": {} } }),
    ] {
        let mut desk = Desk::from_json(&desk.to_json()).unwrap();
        let hand = desk.on_at(end(), Desk::input(&input.to_string()).unwrap()).hand.unwrap();
        assert!(json!(hand.drafts).to_string().contains("An hour of work"), "{input}: {:?}", hand.drafts);
    }
}

#[test]
fn what_expires_as_the_host_says_that_it_handed_over_is_still_handed_over() {
    for kind in ["handed", "restored", "expired"] {
        let (mut desk, _) = desk();
        let late = desk.on_at(end(), Desk::input(&json!({ "type": kind }).to_string()).unwrap());
        assert_eq!((late.closed, late.hand.is_some(), late.store), (Some(Closing::Expired), true, true), "{kind}");
        // After a crash of the host, it is handed over again.
        let mut stored = Desk::from_json(&desk.to_json()).unwrap();
        assert!(stored.on(Input::Restored).hand.is_some(), "{kind}");
    }
}

#[test]
fn an_expired_walk_gives_no_secrets() {
    let request = json!({ "questions": [
        { "id": "key", "text": "The key?", "answer_type": "secret" }, { "id": "why", "text": "Why?", "answer_type": "text" },
    ] });
    let mut walk = Walk::new(Form::read(&request, Dialect::AskUser, &host()).unwrap());
    walk.act(Action::answer("sk-1")).unwrap();
    assert_eq!(walk.response()["secrets"]["key"], "sk-1");
    walk.expire(end());
    assert!(walk.outcome().unwrap().secrets.is_empty());
    assert_eq!(walk.response()["secrets"], json!({}));
}

#[test]
fn plain_answers_that_come_late_are_drafts_whatever_question_has_none() {
    let request = json!({ "questions": [
        { "id": "go", "text": "Go?", "answer_type": "boolean" },
        { "id": "why", "text": "Why?", "answer_type": "text" },
        { "id": "own", "text": "Which?", "answer_type": "select", "options": ["A", "B"], "other": true },
        { "id": "many", "text": "Which ones?", "answer_type": "multi_select", "options": ["A", "B"] },
        { "id": "count", "text": "How many?", "answer_type": "number", "maximum": 50 },
        { "id": "more", "text": "How many more?", "answer_type": "number", "maximum": 50 },
        { "id": "key", "text": "Which key?", "answer_type": "secret" },
    ] });
    let answers =
        json!({ "why": "a text", "own": "in my words", "many": ["A", "B"], "count": 42, "more": 51, "key": "hunter2" });
    let walk = |options: &Value| {
        Walk::new(Form::read(&request, Dialect::AskUser, &Host::from_json(options).unwrap()).unwrap())
    };
    for first in [json!({}), json!({ "go": true })] {
        let options = json!({ "expires_at": END, "nonce": "n1", "tool_call_id": "call_1" });
        let request = request.to_string();
        let asked = Asked { call: "call_1".into(), request, dialect: Dialect::AskUser, options };
        let mut desk = Desk::ask(asked, None).unwrap();
        let mut given = answers.as_object().unwrap().clone();
        given.extend(first.as_object().unwrap().clone());
        let input = json!({ "type": "answered", "key": "k", "answers": given });
        let drafts = desk.on_at(end(), Desk::input(&input.to_string()).unwrap()).hand.unwrap().drafts;
        let mut left: Vec<_> = drafts.keys().map(String::as_str).collect();
        left.sort_unstable();
        assert_eq!(left, ["count", "many", "own", "why"], "{first}: {drafts:?}");
        assert!(!json!(drafts).to_string().contains("hunter2"));
        // The next form of the same questions begins with them.
        let next = walk(&json!({ "drafts": drafts }));
        assert_eq!(next.drafts().len(), 4);
    }
}

#[test]
fn what_was_only_typed_is_among_the_drafts_of_a_question_that_expires() {
    let drafts = |input: Value| {
        let (mut desk, mut page) = desk();
        page.act(Action::answer(true)).unwrap();
        let mut walk = page.save();
        walk["typed"] = json!({ "why": "An hour of work", "other": "x" });
        desk.on(Desk::input(&json!({ "type": "saved", "walk": walk }).to_string()).unwrap());
        let mut desk = Desk::from_json(&desk.to_json()).unwrap();
        let hand = desk.on_at(end(), Desk::input(&input.to_string()).unwrap()).hand.unwrap();
        // The same after a crash of the host.
        let mut again = Desk::from_json(&desk.to_json()).unwrap();
        assert_eq!(again.on(Input::Restored).hand.unwrap().drafts, hand.drafts);
        json!(hand.drafts).to_string()
    };
    let (_, mut behind) = desk();
    behind.act(Action::answer(false)).unwrap();
    for input in [
        json!({ "type": "expired" }),
        json!({ "type": "answered", "answers": { "nothing": 1 } }),
        json!({ "type": "answered", "answers": {} }),
        json!({ "type": "responded", "response": behind.response() }),
    ] {
        assert!(drafts(input.clone()).contains("An hour of work"), "{input}");
    }
}

#[test]
fn plain_answers_that_come_too_late_are_drafts_also_where_they_are_not_whole() {
    let request = json!({ "questions": [
        { "id": "who", "text": "Who?", "answer_type": "text" },
        { "id": "many", "text": "How many?", "answer_type": "number" },
        { "id": "why", "text": "Why?", "answer_type": "text" },
    ] })
    .to_string();
    let asked = Asked {
        call: "call_1".into(),
        request,
        dialect: Dialect::AskUser,
        options: json!({ "nonce": "n", "expires_at": END }),
    };
    for (answers, expected) in [
        (json!({ "who": "Ada" }), vec!["Ada"]),
        (json!({ "who": "Ada", "many": "no number", "Why?": "Because" }), vec!["Ada", "Because"]),
        (json!({ "who": "Ada", "many": 7 }), vec!["Ada", "7"]),
    ] {
        let mut desk = Desk::ask(asked.clone(), None).unwrap();
        let input = json!({ "type": "answered", "answers": answers }).to_string();
        let drafts = json!(desk.on_at(end(), Desk::input(&input).unwrap()).hand.unwrap().drafts).to_string();
        assert!(expected.iter().all(|text| drafts.contains(text)), "{answers}: {drafts}");
    }
}

#[test]
fn a_finished_answer_that_comes_too_late_is_not_hidden_by_what_was_typed_before() {
    let request = json!({ "questions": [{ "id": "why", "text": "Why?", "answer_type": "text" }] }).to_string();
    let options = json!({ "nonce": "n", "expires_at": END });
    let host = Host::from_json(&options).unwrap();
    let asked = Asked { call: "c".into(), request: request.clone(), dialect: Dialect::AskUser, options };
    let mut page = Walk::new(Form::read(&*request, Dialect::AskUser, &host).unwrap());
    let mut saved = page.save();
    saved["typed"] = json!({ "why": "half a sent" });
    page.act(Action::answer("the final words")).unwrap();
    for late in [
        json!({ "type": "responded", "response": page.response() }),
        json!({ "type": "answered", "answers": { "why": "the final words" } }),
    ] {
        let mut desk = Desk::ask(asked.clone(), None).unwrap();
        desk.on(Desk::input(&json!({ "type": "saved", "walk": saved }).to_string()).unwrap());
        let drafts = json!(desk.on_at(end(), Desk::input(&late.to_string()).unwrap()).hand.unwrap().drafts).to_string();
        assert!(drafts.contains("the final words") && !drafts.contains("half a sent"), "{drafts}");
    }
}
