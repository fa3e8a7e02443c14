//! A form that is asked again starts from what was answered before. A draft never answers anything, is never consent and never a secret.

use crate::{
    journey::{Journey, deeds},
    sample::{Sample, dice, host, tries},
};
use ask_user_core::{Action, AnswerType, Asking, Content, Dialect, Form, Given, Host, Step, Verdict, Walk};
use proptest::prelude::*;
use serde_json::{Map, Value, json};

fn walk(request: &Value, drafts: Map<String, Value>) -> Walk {
    Walk::new(Form::read(request, Dialect::Detect, &Host { drafts, ..Host::default() }).unwrap())
}

fn open(walk: &Walk) -> Asking {
    match walk.step() {
        Step::Asking(asking) => *asking,
        step => panic!("{step:?}"),
    }
}

/// What a question of this kind starts from when it is asked again after a Reply, where the answer was this.
fn again(first: &Value, given: Action, second: &Value) -> (Option<Value>, bool) {
    let ask =
        |question: &Value| json!({ "questions": [question, { "id": "last", "text": "?", "answer_type": "text" }] });
    let mut before = walk(&ask(first), Map::new());
    before.act(given).unwrap();
    before.act(Action::Reply(Some("Why?".into()))).unwrap();
    let asking = open(&walk(&ask(second), before.drafts()));
    (asking.draft, asking.draft_answered)
}

fn with(question: &Value, fields: Value) -> Value {
    let mut question = question.clone();
    question.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
    question
}

#[test]
fn a_question_that_is_asked_again_starts_from_the_answer() {
    for (question, given) in [
        (json!({ "id": "a", "text": "A?", "answer_type": "text" }), json!("two\nlines")),
        (json!({ "id": "a", "text": "A?", "answer_type": "number" }), json!(4)),
        (json!({ "id": "a", "text": "A?", "answer_type": "select", "options": ["x", "y"] }), json!("y")),
        (
            json!({ "id": "a", "text": "A?", "answer_type": "multi_select", "options": ["x", "y", "z"] }),
            json!(["x", "z"]),
        ),
        (
            json!({ "id": "a", "text": "A?", "answer_type": "schema", "schema": { "type": "object" } }),
            json!({ "b": [1] }),
        ),
    ] {
        let same = again(&question, Action::answer(given.clone()), &question);
        assert_eq!(same, (Some(given.clone()), true), "{question}");
        let worded = with(&question, json!({ "text": "B?" }));
        assert_eq!(again(&question, Action::answer(given.clone()), &worded), (None, false), "another text: {question}");
        let renamed = with(&question, json!({ "id": "b" }));
        assert_eq!(again(&question, Action::answer(given.clone()), &renamed), (None, false), "another id: {question}");
        let secret = json!({ "id": "a", "text": "A?", "answer_type": "secret" });
        assert_eq!(again(&question, Action::answer(given), &secret), (None, false), "another type: {question}");
    }
    let first = json!({ "id": "a", "text": "A?", "answer_type": "select", "options": ["x", "y"] });
    let more = with(&first, json!({ "options": ["x", "y", "z"] }));
    assert_eq!(again(&first, Action::answer("y"), &more), (None, false), "other options");
}

#[test]
fn the_text_of_other_and_the_note_are_drafts_too() {
    let request = json!({ "questions": [
        { "id": "0", "header": "A", "question": "A?", "options": [{ "label": "x" }, { "label": "y" }], "isOther": true },
        { "id": "1", "header": "B", "question": "B?", "options": [{ "label": "x" }, { "label": "y" }], "isOther": true },
    ] });
    let read = |drafts| {
        let host = Host { drafts, ..Host::default() };
        Walk::new(Form::read(&request, Dialect::Codex, &host).unwrap())
    };
    let mut before = read(Map::new());
    let content = Content::Other { text: "z".into(), beside: Vec::new() };
    before.act(Action::Answer(Given { content, note: Some("soon".into()), remember: false })).unwrap();
    before.act(Action::Reply(None)).unwrap();
    let asking = open(&read(before.drafts()));
    assert_eq!((asking.draft, asking.draft_other), (Some(json!("z")), true));
    assert_eq!(asking.draft_note.as_deref(), Some("soon"));
}

#[test]
fn consent_and_secrets_are_never_drafts() {
    for (question, given) in [
        (json!({ "id": "a", "text": "A?", "answer_type": "boolean" }), json!(true)),
        (json!({ "id": "a", "text": "A?", "answer_type": "secret" }), json!("s3cret")),
        (
            json!({ "id": "a", "text": "A?", "answer_type": "schema", "schema": { "type": "object", "properties": { "key": { "type": "string", "format": "password" } } } }),
            json!({ "key": "s3cret" }),
        ),
        (
            json!({ "id": "a", "text": "A?", "answer_type": "schema", "schema": { "anyOf": [{ "writeOnly": true }] } }),
            json!("s3cret"),
        ),
    ] {
        assert_eq!(again(&question, Action::answer(given.clone()), &question), (None, false), "{question}");
        let mut before =
            walk(&json!({ "questions": [question, { "id": "b", "text": "B?", "answer_type": "text" }] }), Map::new());
        before.act(Action::answer(given)).unwrap();
        let typed = json!({ "a": "s3cret", "b": "open", ".": "x" });
        let drafts = json!(before.drafts_with(typed.as_object().unwrap()));
        assert!(!drafts.to_string().contains("s3cret") && drafts.get("a").is_none(), "{drafts}");
        assert_eq!(drafts["b"]["typed"], json!({ "": "open" }));
    }
    let call = json!({ "action_requests": [{ "name": "rm", "args": {} }], "review_configs": [{ "action_name": "rm", "allowed_decisions": ["approve", "reject"] }] });
    let before = walk(&call, Map::new());
    let typed = json!({ "0.decision": "approve", "0": "approve", "1.decision": "approve" });
    assert_eq!(before.drafts_with(typed.as_object().unwrap()), Map::new());
}

#[test]
fn only_what_the_person_answered_is_a_draft() {
    let request = json!({ "questions": [
        { "id": "a", "text": "A?", "answer_type": "text" },
        { "id": "b", "text": "B?", "answer_type": "text" },
        { "id": "c", "text": "C?", "answer_type": "text" },
    ] });
    let targets =
        Host::from_json(&json!({ "targets": { "b": "assistant" }, "static_answers": { "a": "fixed" } })).unwrap();
    let mut walk = Walk::new(Form::read(&request, Dialect::Detect, &targets).unwrap());
    let record = walk.consultation().unwrap().record;
    walk.act(Action::Assistant(Verdict { record, reason: Some("r".into()), answer: json!("said"), model: None }))
        .unwrap();
    walk.act(Action::Reply(None)).unwrap();
    assert_eq!(walk.drafts(), Map::new());
}

#[test]
fn drafts_last_until_the_question_is_answered_or_the_turn_ends() {
    let ask = |ids: &[&str]| {
        let question = |id: &&str| json!({ "id": id, "text": "?", "answer_type": "text" });
        json!({ "questions": ids.iter().map(question).collect::<Vec<_>>() })
    };
    let mut first = walk(&ask(&["a", "b"]), Map::new());
    first.act(Action::answer("one")).unwrap();
    first.act(Action::Reply(None)).unwrap();
    // Another question in between takes nothing away.
    let mut between = walk(&ask(&["c"]), first.drafts());
    between.act(Action::answer("x")).unwrap();
    assert_eq!(between.drafts(), first.drafts());
    // Left again without an answer, it is there again.
    let mut second = walk(&ask(&["a"]), between.drafts());
    second.act(Action::Reply(None)).unwrap();
    assert_eq!(second.drafts(), first.drafts());
    let mut ended = walk(&ask(&["a"]), second.drafts());
    ended.act(Action::EndTurn).unwrap();
    assert_eq!(ended.drafts(), Map::new());
    let mut answered = walk(&ask(&["a"]), second.drafts());
    answered.act(Action::answer("two")).unwrap();
    assert_eq!(answered.drafts(), Map::new());
}

#[test]
fn a_saved_walk_has_its_drafts_and_a_response_has_none() {
    let request = json!({ "questions": [
        { "id": "a", "text": "A?", "answer_type": "text" }, { "id": "b", "text": "B?", "answer_type": "text" },
    ] });
    let mut before = walk(&request, Map::new());
    before.act(Action::answer("unsent")).unwrap();
    before.act(Action::Reply(None)).unwrap();
    let asked = walk(&request, before.drafts());
    let saved = serde_json::from_str(&asked.save().to_string()).unwrap();
    let form = Form::read(&request, Dialect::Detect, &Host::default()).unwrap();
    let resumed = Walk::resume(form, &saved).unwrap();
    assert_eq!(resumed.step(), asked.step());
    assert_eq!(open(&resumed).draft, Some(json!("unsent")));
    assert!(!asked.response().to_string().contains("unsent"));
}

#[test]
fn drafts_of_many_forms_do_not_pile_up() {
    let mut drafts = Map::new();
    for place in 0..500 {
        let question = |id: String| json!({ "id": id, "text": "?", "answer_type": "text" });
        let mut walk = walk(&json!({ "questions": [question(format!("q{place}")), question("last".into())] }), drafts);
        walk.act(Action::answer("x")).unwrap();
        walk.act(Action::Reply(None)).unwrap();
        drafts = walk.drafts();
    }
    assert!((100..110).contains(&drafts.len()), "{}", drafts.len());
    assert!(drafts.contains_key("q499"));
}

proptest! {
    #![proptest_config(tries())]

    /// The same form with drafts and without: the same deeds lead to the same events, records and outcome.
    #[test]
    fn a_draft_never_answers(dice_before in dice(), before in deeds(), after in deeds()) {
        let Some(mut first) = Journey::begin(dice_before.clone())? else { return Ok(()) };
        for deed in &before {
            first.go(deed)?;
        }
        let typed: Map<String, Value> =
            first.form.questions().iter().map(|question| (question.id.clone(), Value::from("x"))).collect();
        let drafts = first.walk.drafts_with(&typed);
        prop_assert!(!json!(drafts).to_string().contains(crate::sample::SECRET), "a draft shows a secret: {:?}", drafts);
        let mut rolls = dice_before.clone();
        let sample = Sample::new(&mut rolls);
        let host = host(&mut rolls, &sample);
        let mut plain = Journey::of(sample.clone(), &host, rolls.clone(), false)?.unwrap();
        let drafted = Host { drafts, ..host };
        let mut drafted = Journey::of(sample, &drafted, rolls, false)?.unwrap();
        for deed in [None].into_iter().chain(after.iter().map(Some)) {
            for journey in [&mut plain, &mut drafted] {
                deed.map_or(Ok(()), |deed| journey.go(deed))?;
            }
            prop_assert_eq!(plain.walk.events(), drafted.walk.events());
            prop_assert_eq!(plain.walk.outcome(), drafted.walk.outcome());
            prop_assert_eq!(plain.walk.idempotency_key(), drafted.walk.idempotency_key());
            if let (Step::Asking(plain), Step::Asking(drafted)) = (plain.walk.step(), drafted.walk.step()) {
                let is_consent = matches!(
                    drafted.question.answer_type,
                    AnswerType::Boolean | AnswerType::Secret | AnswerType::Url(_) | AnswerType::Approval(_)
                );
                if is_consent {
                    prop_assert_eq!(plain, drafted);
                }
            }
        }
    }

    /// A host may give any JSON: a page keeps drafts where others can write.
    #[test]
    fn any_drafts_are_drafts_or_nothing(rolls in dice(), answer in any::<String>(), other in any::<String>(), junk in crate::sample::any_json()) {
        let mut rolls = rolls;
        let sample = Sample::new(&mut rolls);
        let Ok(form) = Form::read(&sample.request, sample.dialect, &Host::default()) else { return Ok(()) };
        let typed: Map<String, Value> = form.questions().iter().map(|question| (question.id.clone(), Value::from("x"))).collect();
        let mut drafts = Walk::new(form).drafts_with(&typed);
        for (_, draft) in &mut drafts {
            draft["answer"] = answer.as_str().into();
            draft["other"] = other.as_str().into();
            draft["typed"] = junk.clone();
        }
        let host = Host { drafts, ..Host::default() };
        let walk = Walk::new(Form::read(&sample.request, sample.dialect, &host).unwrap());
        prop_assert!(walk.outcome().is_none() || walk.form().questions().is_empty());
        drop((walk.step(), walk.drafts(), walk.typed_drafts()));
    }
}
