//! What a walk does not take, where it stands, and what it says. The walk is as it was.

use ask_user_core::{
    Action, Answer, Content, Dialect, Form, Given, Host, Limits, Refusal, Reply, Reuse, Step, Target, Verdict, Walk,
    problem::NotAllowed,
};
use serde_json::{Value, json};

fn walk(request: &Value, host: &Host) -> Walk {
    Walk::new(Form::read(request, Dialect::Detect, host).unwrap())
}

fn two() -> Value {
    json!({ "questions": [
        { "id": "a", "text": "A?", "answer_type": "text" }, { "id": "b", "text": "B?", "answer_type": "secret" },
    ] })
}

fn not_allowed(why: NotAllowed) -> Refusal {
    Refusal::NotAllowed(why)
}

fn too_large(what: &str) -> Refusal {
    Refusal::TooLarge { what: what.into() }
}

#[track_caller]
fn refuses(walk: &Walk, action: Action, refusal: Refusal) {
    let mut again = walk.clone();
    assert_eq!(again.act(action), Err(refusal));
    assert_eq!(again, *walk);
}

fn given(text: &str) -> Given {
    Given::from(json!(text))
}

fn verdict(record: &str) -> Action {
    Action::Assistant(Verdict { record: record.into(), reason: Some("So.".into()), answer: json!("x"), model: None })
}

#[test]
fn a_step_refuses_what_it_does_not_offer() {
    let review = Host { review: Some(true), ..Host::default() };
    let mut walk = walk(&two(), &review);
    refuses(&walk, Action::Back, not_allowed(NotAllowed::NO_EARLIER_ANSWER));
    refuses(&walk, Action::Submit, not_allowed(NotAllowed::STILL_ASKING));
    refuses(&walk, Action::Change("a".into()), not_allowed(NotAllowed::NOT_IN_REVIEW));
    refuses(&walk, Action::NoAssistant, not_allowed(NotAllowed::NO_ASSISTANT));
    refuses(&walk, verdict("call_1.a.1"), not_allowed(NotAllowed::NO_ASSISTANT));
    walk.act(Action::answer("x")).unwrap();
    refuses(&walk, Action::Change("a".into()), not_allowed(NotAllowed::NOT_IN_REVIEW));
    walk.act(Action::answer("y")).unwrap();
    assert!(matches!(walk.step(), Step::Review(_)));
    refuses(&walk, Action::Change("c".into()), not_allowed(NotAllowed::NOT_ANSWERED));
    refuses(&walk, Action::answer("x"), not_allowed(NotAllowed::NOTHING_OPEN));
    assert_eq!(walk.check(Content::Typed("x".into())), Err(not_allowed(NotAllowed::NOTHING_OPEN)));
    walk.act(Action::Submit).unwrap();
    for action in [
        Action::answer("x"),
        Action::Back,
        Action::Reply(None),
        Action::EndTurn,
        Action::Submit,
        Action::Change("a".into()),
        Action::NoAssistant,
        verdict("call_1.a.1"),
    ] {
        refuses(&walk, action, Refusal::Finished);
    }
    assert_eq!(walk.clone().answer_all(Vec::new()), Err(Refusal::Finished));
    assert_eq!(walk.check(Content::Typed("x".into())), Err(Refusal::Finished));
    let first = walk.form().question("a").unwrap();
    assert_eq!(walk.check_for(first, Content::Typed("x".into())), Err(Refusal::Finished));
}

#[test]
fn a_page_is_a_list_of_steps() {
    let mut walk = walk(&two(), &Host::default());
    assert_eq!(json!(walk.page(Vec::new()))[0], json!(walk.step()));
    walk.act(Action::answer("x")).unwrap();
    assert_eq!(json!(walk.page(Vec::new())), json!([walk.step()]));
}

#[test]
fn what_is_not_allowed_has_one_code_and_says_what_to_do_instead() {
    for (why, message) in [
        (NotAllowed::NOT_IN_REVIEW, "Go back instead: answers are changed from the review."),
        (NotAllowed::NO_DECLINE, "To decline, use Reply or End turn."),
        (NotAllowed::NO_REPLY, "This form takes no reply. Answer it, or end the turn."),
    ] {
        assert_eq!(json!(not_allowed(why).to_json()), json!({ "code": "not_allowed", "message": message }));
    }
}

#[test]
fn a_bug_in_ask_user_is_reported_as_one() {
    let message = "This is a bug in ask-user: please report it. Nothing was changed.";
    assert_eq!(json!(Refusal::Internal.to_json()), json!({ "code": "internal", "message": message }));
}

#[test]
fn a_question_of_the_assistant_is_not_open_to_the_person_who_can_leave() {
    let targets = [("b".to_owned(), Target::Assistant { model: None, escalation: false })].into_iter().collect();
    let request = json!({ "questions": [
        { "id": "a", "text": "A?", "answer_type": "text" }, { "id": "b", "text": "B?", "answer_type": "text" },
    ] });
    let mut walk = walk(&request, &Host { targets, ..Host::default() });
    walk.act(Action::answer("x")).unwrap();
    refuses(&walk, Action::answer("x"), not_allowed(NotAllowed::NOTHING_OPEN));
    refuses(&walk, verdict("call_1.a.1"), not_allowed(NotAllowed::OTHER_VERDICT));
    refuses(&walk, verdict("call_1.b.2"), not_allowed(NotAllowed::OTHER_VERDICT));
    for action in [Action::Back, Action::Reply(None), Action::EndTurn, verdict("call_1.b.1")] {
        assert_eq!(walk.clone().act(action), Ok(()));
    }
}

#[test]
fn an_answer_is_remembered_where_it_may_be() {
    for (reuse, remembers) in [(None, true), (Some(Reuse::Turn), true), (Some(Reuse::None), false)] {
        let mut walk = walk(&two(), &Host { reuse, ..Host::default() });
        let Step::Asking(asking) = walk.step() else { panic!() };
        assert_eq!(asking.remember, remembers);
        let refusal = not_allowed(NotAllowed::NOT_REMEMBERED);
        if !remembers {
            refuses(&walk, Action::Answer(Given { remember: true, ..given("x") }), refusal.clone());
        }
        walk.act(Action::answer("x")).unwrap();
        // Never a secret.
        refuses(&walk, Action::Answer(Given { remember: true, ..given("x") }), refusal);
    }
}

#[test]
fn words_are_held_to_the_limit_as_answers_are() {
    let host = Host { limits: Limits { bytes: 300, ..Limits::default() }, ..Host::default() };
    let (fits, long) = ("x".repeat(300), "x".repeat(301));
    let plain = walk(&two(), &host);
    assert_eq!(plain.clone().act(Action::Reply(Some(fits.clone()))), Ok(()));
    refuses(&plain, Action::Reply(Some(long.clone())), too_large("the message has more than 300 bytes"));
    refuses(&plain, Action::Answer(Given { note: Some(fits.clone()), ..given("x") }), not_allowed(NotAllowed::NO_NOTE));
    assert_eq!(plain.clone().act(Action::Answer(Given { note: Some(" \n".into()), ..given("x") })), Ok(()));
    let request =
        json!({ "questions": [{ "id": "a", "question": "A?", "options": [{ "label": "One" }], "isOther": true }] });
    let noted = walk(&request, &host);
    assert_eq!(noted.clone().act(Action::Answer(Given { note: Some(fits), ..given("One") })), Ok(()));
    refuses(
        &noted,
        Action::Answer(Given { note: Some(long), ..given("One") }),
        too_large("the note has more than 300 bytes"),
    );
    let other = |text: usize| Action::Answer(Given::new(Content::Other { text: "x".repeat(text), beside: Vec::new() }));
    assert_eq!(noted.clone().act(other(298)), Ok(()));
    refuses(&noted, other(299), too_large("it has more than 300 bytes"));
    let number = walk(&json!({ "question": "?", "answer_type": "number" }), &host);
    assert_eq!(number.clone().act(Action::typed(format!("{:>300}", 5))), Ok(()));
    for length in [301, 302] {
        let text = format!("{:>length$}", 5);
        refuses(&number, Action::typed(text), too_large("it has more than 300 bytes"));
    }
}

#[test]
fn a_blank_field_leaves_an_optional_question_empty() {
    for kind in ["string", "number", "integer"] {
        let mut request = property(json!({ "type": kind }));
        request["requestedSchema"].as_object_mut().unwrap().shift_remove("required");
        for blank in ["", " \n"] {
            let mut walk = walk(&request, &Host::default());
            walk.act(Action::typed(blank)).unwrap();
            let (_, taken) = walk.answered().next().unwrap();
            assert_eq!(taken.unwrap().answer, Answer::Empty, "{kind}");
        }
    }
}

#[test]
fn a_reply_without_words_is_a_reply_without_text() {
    for (said, kept) in [(None, None), (Some(" \n"), None), (Some(" Why? "), Some(" Why? "))] {
        let mut walk = walk(&two(), &Host::default());
        walk.act(Action::Reply(said.map(str::to_owned))).unwrap();
        assert_eq!(walk.outcome().unwrap().reply(), kept);
    }
}

#[test]
fn what_was_typed_can_be_checked_before_it_is_given() {
    let request = json!({ "questions": [{ "id": "n", "text": "N?", "answer_type": "number" }] });
    let walk = walk(&request, &Host::default());
    let before = walk.clone();
    assert_eq!(walk.check(Content::Typed("7".into())), Ok(()));
    assert_eq!(walk.check(Content::Typed("seven".into())), Err(Refusal::NotANumber { text: "\"seven\"".into() }));
    assert_eq!(walk.check(Content::Typed(" ".into())), Err(Refusal::Required));
    assert_eq!(walk, before);
}

/// A question of `mcp` with this schema, which must be answered.
fn property(schema: Value) -> Value {
    json!({ "message": "?", "requestedSchema": { "type": "object", "properties": { "p": schema }, "required": ["p"] } })
}

#[test]
fn each_kind_of_question_says_why_it_does_not_take_an_answer() {
    let several = json!({ "type": "array", "items": { "enum": ["p", "q", "r"] }, "minItems": 1, "maxItems": 2 });
    let text = json!({ "type": "string", "minLength": 2, "maxLength": 3, "pattern": "^[a-z]+$" });
    let (number, whole) = (json!({ "type": "number", "minimum": 1, "maximum": 2 }), json!({ "type": "integer" }));
    let wrong = |expected, found| Refusal::WrongType { expected, found };
    for (schema, answer, refusal) in [
        (json!({ "type": "boolean" }), json!("yes"), wrong("yes or no (a boolean)", "a string")),
        (json!({ "type": "boolean" }), Value::Null, Refusal::Required),
        (json!({ "type": "string" }), json!(1), wrong("a text (a string)", "a number")),
        (text.clone(), json!("a"), Refusal::TooShort { minimum: 2 }),
        (text.clone(), json!("abcd"), Refusal::TooLong { maximum: 3, found: 4 }),
        (text, json!("ab1"), Refusal::PatternMismatch { pattern: "^[a-z]+$".into() }),
        (json!({ "type": "string", "format": "date" }), json!("2026-02-30"), Refusal::BadFormat { format: "date" }),
        (number.clone(), json!(0.5), Refusal::OutOfRange { limit: 1.into(), below: true }),
        (number.clone(), json!(2.5), Refusal::OutOfRange { limit: 2.into(), below: false }),
        (number, json!(true), wrong("a number", "a boolean")),
        (whole, json!(1.5), Refusal::NotAnInteger),
        (json!({ "enum": ["p", "q"] }), json!("z"), Refusal::NotAnOption { value: "\"z\"".into() }),
        (json!({ "enum": ["p", "q"] }), json!(["p"]), wrong("one of the options", "an array")),
        (several.clone(), json!([]), Refusal::TooFew { minimum: 1 }),
        (several.clone(), json!(["p", "q", "r"]), Refusal::TooMany { maximum: 2 }),
        (several.clone(), json!(["r", "r"]), Refusal::DuplicateSelection { value: "\"r\"".into() }),
        (several.clone(), json!(["p", 1]), Refusal::NotAnOption { value: "1".into() }),
        (several, json!("p"), wrong("a list of options", "a string")),
    ] {
        let asked = walk(&property(schema.clone()), &Host::default());
        refuses(&asked, Action::answer(answer.clone()), refusal);
    }
    let consent =
        walk(&json!({ "mode": "url", "message": "Open it?", "url": "https://example.com" }), &Host::default());
    refuses(&consent, Action::answer(false), not_allowed(NotAllowed::NO_DECLINE));
    refuses(&consent, Action::answer("yes"), wrong("consent (true)", "a string"));
    refuses(&consent, Action::typed("yes"), not_allowed(NotAllowed::NO_TEXT_FIELD));
}

#[test]
fn each_kind_of_question_takes_what_is_within_its_rules() {
    let several = json!({ "type": "array", "items": { "enum": ["p", "q", "r"] }, "minItems": 1, "maxItems": 2 });
    let text = json!({ "type": "string", "minLength": 2, "maxLength": 3, "pattern": "^[a-zä]+$" });
    for (schema, content, answer) in [
        (json!({ "type": "boolean" }), Content::Value(json!(false)), json!(false)),
        (text.clone(), Content::Value(json!("ab")), json!("ab")),
        (text, Content::Typed("äbc".into()), json!("äbc")),
        (json!({ "type": "string" }), Content::Typed("".into()), json!("")),
        (json!({ "type": "number", "minimum": 1, "maximum": 2 }), Content::Typed("1".into()), json!(1)),
        (json!({ "type": "number", "minimum": 1, "maximum": 2 }), Content::Json("2.0".into()), json!(2.0)),
        (json!({ "type": "integer" }), Content::Typed("2.0".into()), json!(2.0)),
        (json!({ "enum": ["p", 1] }), Content::Value(json!(1.0)), json!(1)),
        (several.clone(), Content::Value(json!(["r", "p"])), json!(["p", "r"])),
        (several, Content::Json("[\"q\"]".into()), json!(["q"])),
    ] {
        let mut walk = walk(&property(schema), &Host::default());
        walk.act(Action::Answer(Given::new(content))).unwrap();
        let answers: Vec<Value> = walk.answered().filter_map(|(_, taken)| Some(taken?.answer.shown())).collect();
        assert_eq!(answers, [answer]);
    }
}

#[test]
fn a_free_text_stands_where_it_is_offered() {
    let request = |other: bool| {
        json!({ "questions": [
        { "question": "A?", "options": ["One", "Two"], "multiple": true, "custom": other },
        { "question": "B?", "options": ["One", "Two"], "custom": other },
    ] })
    };
    let other = |text: &str, beside: &[&str]| {
        Action::Answer(Given::new(Content::Other {
            text: text.into(),
            beside: beside.iter().map(|one| json!(one)).collect(),
        }))
    };
    let closed = walk(&request(false), &Host::default());
    refuses(&closed, other("Three", &[]), not_allowed(NotAllowed::NO_OTHER));
    let mut open = walk(&request(true), &Host::default());
    refuses(&open, other(" ", &[]), Refusal::Required);
    refuses(&open, other("Three", &["Four"]), Refusal::NotAnOption { value: "\"Four\"".into() });
    open.act(other("Three", &["Two", "One"])).unwrap();
    refuses(&open, other("Three", &["One"]), not_allowed(NotAllowed::OPTION_AND_TEXT));
    open.act(other("Three", &[])).unwrap();
    let answers: Vec<&Answer> = open.answered().filter_map(|(_, taken)| Some(&taken?.answer)).collect();
    assert_eq!(answers[1], &Answer::Other("Three".into()));
    assert_eq!(answers[0].shown(), json!(["One", "Two", "Three"]));
    assert_eq!((answers[0].other(), answers[1].other()), (Some("Three"), Some("Three")));
}

#[test]
fn a_free_text_is_trimmed_and_may_name_an_option() {
    let request = json!({ "questions": [
        { "question": "A?", "options": ["One", "Two"], "multiple": true, "custom": true },
        { "question": "B?", "options": ["One", "Two"], "custom": true },
    ] });
    let shown = |first: (&str, &[&str]), second: &str| {
        let mut walk = walk(&request, &Host::default());
        let other = |text: &str, beside: &[&str]| {
            let beside = beside.iter().map(|one| json!(one)).collect();
            Action::Answer(Given::new(Content::Other { text: text.into(), beside }))
        };
        walk.act(other(first.0, first.1)).unwrap();
        walk.act(other(second, &[])).unwrap();
        // A resumed walk decides the same, with the same weight.
        assert_eq!(
            Walk::resume(Form::read(&request, Dialect::Detect, &Host::default()).unwrap(), &walk.save())
                .unwrap()
                .events(),
            walk.events()
        );
        let answers: Vec<_> = walk.answered().filter_map(|(_, taken)| Some(&taken?.answer)).collect();
        let read = |answer: &Answer| (answer.shown(), answer.other().map(str::to_owned));
        (read(answers[0]), read(answers[1]))
    };
    let text = |text: &str| Some(text.to_owned());
    assert_eq!(
        shown((" Three\n", &["One"]), "\u{3000}a  b\u{a0}\t"),
        ((json!(["One", "Three"]), text("Three")), (json!("a  b"), text("a  b")))
    );
    assert_eq!(shown(("Two", &["One"]), " One "), ((json!(["One", "Two"]), None), (json!("One"), None)));
    assert_eq!(shown(("Two", &["Two"]), "one"), ((json!(["Two"]), None), (json!("one"), text("one"))));
    // An empty text beside options is left out.
    assert_eq!(shown((" \u{2003}\n", &["Two", "One"]), "x").0, (json!(["One", "Two"]), None));
}

#[test]
fn there_is_no_reply_where_a_call_would_stay_open() {
    let request = json!({
        "action_requests": [{ "name": "mail", "args": {} }],
        "review_configs": [{ "action_name": "mail", "allowed_decisions": ["approve", "edit"] }],
    });
    for replies in ["result", "message", "none"] {
        let mut walk = walk(&request, &Host::from_json(&json!({ "replies": replies })).unwrap());
        assert_eq!(walk.form().reply(), Reply::No, "{replies}");
        assert!(walk.act(Action::Reply(Some("Not now.".into()))).is_err());
    }
}
