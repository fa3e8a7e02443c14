//! What cannot be undone: which answers those are, and that nobody but the person gives them.

use ask_user_core::{Action, Asks, Content, Dialect, Form, Given, Host, Policy, Question, Step, Target, Turn, Walk};
use serde_json::{Value, json};

fn one(question: &Value) -> Value {
    json!({ "questions": [question, { "id": "last", "text": "?", "answer_type": "text" }] })
}

fn form(question: &Value, host: &Host) -> Form {
    Form::read(&one(question), Dialect::AskUser, host).unwrap()
}

fn drop_it() -> Value {
    json!({ "id": "q", "text": "Drop it?", "answer_type": "boolean", "danger": true })
}

/// A choice among a branch that stays and one that goes.
fn branch(fields: Value) -> Value {
    let options = json!([{ "value": "keep", "recommended": true }, { "value": "delete", "danger": true }]);
    let mut question = json!({ "id": "q", "text": "Which?", "answer_type": "select", "options": options });
    question.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
    question
}

fn confirms(question: &Value, given: Given) -> bool {
    let walk = Walk::new(form(question, &Host::default()));
    !walk.to_confirm(&[("q".to_owned(), given)]).is_empty()
}

#[test]
fn what_cannot_be_undone_is_confirmed() {
    let several = branch(json!({ "answer_type": "multi_select", "optional": true, "other": true }));
    let whole = branch(json!({ "danger": true, "other": true, "optional": true }));
    let text = json!({ "id": "q", "text": "?", "answer_type": "text", "danger": true, "optional": true });
    for (question, value, expected) in [
        (drop_it(), json!(true), true),
        (drop_it(), json!(false), false),
        (branch(json!({})), json!("delete"), true),
        (branch(json!({})), json!("keep"), false),
        (several.clone(), json!(["keep"]), false),
        (several.clone(), json!(["keep", "delete"]), true),
        (several.clone(), json!([]), false),
        (several, json!(null), false),
        (whole.clone(), json!("keep"), true),
        (whole.clone(), json!(null), false),
        (text.clone(), json!("x"), true),
        (text.clone(), json!(""), true),
        (text, json!(null), false),
        (json!({ "id": "q", "text": "?", "answer_type": "secret", "danger": true }), json!("x"), true),
        (json!({ "id": "q", "text": "?", "answer_type": "number", "danger": true }), json!(1), true),
        (
            json!({ "id": "q", "text": "?", "answer_type": "schema", "schema": {}, "danger": true }),
            json!({ "a": 1 }),
            true,
        ),
        // An answer that would be refused is refused first.
        (drop_it(), json!("yes"), false),
        (branch(json!({})), json!("burn"), false),
    ] {
        assert_eq!(confirms(&question, value.clone().into()), expected, "{question} {value}");
    }
    let mine = Content::Other { text: "mine".into(), beside: Vec::new() };
    assert!(confirms(&whole, Given::new(mine.clone())));
    assert!(!confirms(&branch(json!({ "other": true })), Given::new(mine)));
}

#[test]
fn a_page_confirms_all_at_once_what_cannot_be_undone() {
    let request = json!({ "questions": [drop_it(), { "id": "note", "text": "?", "answer_type": "text" }, { "id": "b", "text": "Sure?", "answer_type": "boolean" }] });
    let walk = Walk::new(Form::read(&request, Dialect::AskUser, &Host::default()).unwrap());
    let answers = |drop: bool, note: Value| {
        vec![
            ("q".to_owned(), json!(drop).into()),
            ("note".to_owned(), note.into()),
            ("b".to_owned(), json!(true).into()),
        ]
    };
    let ids = |answers: &[(String, Given)]| {
        walk.to_confirm(answers)
            .into_iter()
            .map(|(question, taken)| (question.id.clone(), taken.answer.shown()))
            .collect::<Vec<_>>()
    };
    assert_eq!(ids(&answers(true, json!("x"))), [("q".to_owned(), json!(true))]);
    assert_eq!(ids(&answers(false, json!("x"))), []);
    // One of them is refused: nothing would be taken.
    assert_eq!(ids(&answers(true, json!(1))), []);
}

#[test]
fn a_step_and_a_record_say_what_is_recommended_and_what_cannot_be_undone() {
    let walk = Walk::new(form(&branch(json!({ "danger": true })), &Host::default()));
    let step = json!(walk.step());
    let options = json!([
        { "value": "keep", "label": "keep", "recommended": true },
        { "value": "delete", "label": "delete", "danger": true },
    ]);
    assert_eq!(
        (&step["question"]["danger"], &step["question"]["options"], &step["remember"]),
        (&json!(true), &options, &json!(false))
    );
    // Nothing is selected for the person.
    assert_eq!(step["draft"], Value::Null);
    let record = json!(walk.records().next().unwrap());
    let options = json!([{ "value": "keep", "recommended": true }, { "value": "delete", "danger": true }]);
    assert_eq!(
        (&record["question"]["danger"], &record["question"]["answer_type"]["options"]),
        (&json!(true), &options)
    );
    let plain = Walk::new(form(&json!({ "id": "q", "text": "?", "answer_type": "boolean" }), &Host::default()));
    assert!(!format!("{}{}", json!(plain.step()), json!(plain.records().next())).contains("danger"));
    let question: Question = serde_json::from_value(step["question"].clone()).unwrap();
    assert_eq!(json!(question), step["question"]);
}

#[test]
fn what_cannot_be_undone_is_not_remembered() {
    for question in [drop_it(), branch(json!({}))] {
        let mut walk = Walk::new(form(&question, &Host::default()));
        let refused = walk.act(Action::Answer(Given { remember: true, ..Given::from(json!(true)) }));
        assert_eq!(refused.unwrap_err().code(), "not_allowed", "{question}");
    }
    // Nor does what was remembered before it was said to be so.
    let mut safe = drop_it();
    safe.as_object_mut().unwrap().shift_remove("danger");
    let mut walk = Walk::new(form(&safe, &Host::default()));
    walk.act(Action::Answer(Given { remember: true, ..Given::from(json!(true)) })).unwrap();
    let turn: Turn = walk.turn();
    let again = |question: &Value| {
        let walk = Walk::new(form(question, &Host { turn: turn.clone(), ..Host::default() }));
        matches!(walk.step(), Step::Asking(asking) if asking.question.id == "q")
    };
    assert_eq!((again(&safe), again(&drop_it())), (false, true));
}

#[test]
fn a_default_that_cannot_be_undone_is_dropped() {
    let with = |question: Value, default: Value| {
        let mut question = question;
        question["default"] = default;
        question
    };
    let several = branch(json!({ "answer_type": "multi_select" }));
    let text = json!({ "id": "q", "text": "?", "answer_type": "text", "danger": true });
    for (question, kept) in [
        (with(drop_it(), json!(true)), false),
        (with(drop_it(), json!(false)), true),
        (with(branch(json!({})), json!("delete")), false),
        (with(branch(json!({})), json!("keep")), true),
        (with(branch(json!({ "danger": true })), json!("keep")), false),
        (with(several.clone(), json!(["delete", "keep"])), false),
        (with(several, json!(["keep"])), true),
        // What is written into a field is there to be read, and sent by the person.
        (with(text.clone(), json!("x")), true),
    ] {
        let form = form(&question, &Host::default());
        let warnings: Vec<_> = form.warnings().iter().map(|one| (one.code(), one.path.as_str())).collect();
        let expected = if kept { vec![] } else { vec![("dangerous_default", "/questions/0/default")] };
        assert_eq!((form.questions()[0].default.is_some(), warnings), (kept, expected), "{question}");
        // While nobody is there, a default takes only what can be undone.
        let host = Host { attached: false, detached: Policy::Defaults.into(), ..Host::default() };
        let error =
            Walk::new(self::form(&question, &host)).outcome().and_then(|outcome| outcome.error().map(str::to_owned));
        let takes = kept && question["answer_type"] != "text";
        let walk = Walk::new(self::form(&question, &host));
        let first = walk.answered().next().unwrap().1.is_some();
        assert_eq!((first, error.as_deref()), (takes, Some("no_default")), "{question}");
    }
}

#[test]
fn no_assistant_is_asked_what_cannot_be_undone() {
    let assistant = Target::Assistant { model: None, escalation: true };
    for question in [drop_it(), branch(json!({}))] {
        let host = Host { target: assistant.clone(), ..Host::default() };
        let walk = Walk::new(form(&question, &host));
        assert!(matches!(walk.step(), Step::Asking(asking) if asking.asks == Asks::Person), "{question}");
        for (policy, target) in
            [(Policy::Auto, Target::User), (Policy::Auto, assistant.clone()), (Policy::Deny, assistant.clone())]
        {
            let host = Host { attached: false, detached: policy.into(), target, ..Host::default() };
            let outcome = Walk::new(form(&question, &host)).outcome().unwrap();
            assert_eq!(outcome.error(), Some("no_prompt_backend"), "{question}");
        }
    }
}

#[test]
fn the_configuration_of_the_host_may_give_an_answer_that_cannot_be_undone() {
    let host = Host { static_answers: [("q".to_owned(), json!(true))].into_iter().collect(), ..Host::default() };
    let walk = Walk::new(form(&drop_it(), &host));
    assert!(matches!(walk.step(), Step::Asking(asking) if asking.question.id == "last"));
}

#[test]
fn what_cannot_be_undone_is_no_draft_of_the_next_form() {
    let text = json!({ "id": "q", "text": "?", "answer_type": "text", "danger": true });
    for (question, answer) in
        [(branch(json!({})), json!("delete")), (branch(json!({})), json!("keep")), (text, json!("x"))]
    {
        let mut walk = Walk::new(form(&question, &Host::default()));
        walk.act(Action::answer(answer.clone())).unwrap();
        // Going back is within the same form: the answer is a draft, and is confirmed again.
        walk.act(Action::Back).unwrap();
        assert!(matches!(walk.step(), Step::Asking(asking) if asking.draft == Some(answer.clone())));
        walk.act(Action::answer(answer.clone())).unwrap();
        walk.act(Action::Reply(None)).unwrap();
        assert!(!walk.drafts().contains_key("q"), "{question}");
        let typed = [("q".to_owned(), json!("y"))].into_iter().collect();
        let drafts = walk.drafts_with(&typed);
        assert!(!drafts.contains_key("q"), "{question}");
        // One that a host has kept from a form without danger is not taken up either.
        let mut safe = question.clone();
        safe.as_object_mut().unwrap().shift_remove("danger");
        if let Some(options) = safe.get_mut("options") {
            *options = json!(["keep", "delete"]);
        }
        let mut before = Walk::new(form(&safe, &Host::default()));
        before.act(Action::answer(answer)).unwrap();
        before.act(Action::Reply(None)).unwrap();
        assert!(before.drafts().contains_key("q"));
        let walk = Walk::new(form(&question, &Host { drafts: before.drafts(), ..Host::default() }));
        assert!(matches!(walk.step(), Step::Asking(asking) if asking.draft.is_none()), "{question}");
    }
}
