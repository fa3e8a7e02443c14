//! What is an answer, and what could be mistaken for one.

use ask_user_core::{Action, Answer, Content, Dialect, Form, Given, Host, Refusal, Step, Walk};
use serde_json::{Number, Value, json};

fn codes(request: &Value, dialect: Dialect) -> Vec<(&'static str, String)> {
    let rejection = Form::read(request, dialect, &Host::default()).unwrap_err();
    rejection.problems.iter().map(|problem| (problem.code(), problem.path.as_str().to_owned())).collect()
}

fn ask(answer_type: &str, options: Value) -> Value {
    json!({ "questions": [{ "id": "a", "text": "A?", "answer_type": answer_type, "options": options }] })
}

#[test]
fn ids_that_make_a_completed_result_look_cancelled_or_failed_are_refused() {
    for (id, valid) in [
        ("cancelled", false),
        ("error", false),
        ("answered", true),
        ("Error", true),
        ("a.b", false),
        ("", false),
        ("a\nb", false),
    ] {
        let request = json!({ "questions": [{ "id": id, "text": "A?", "answer_type": "boolean" }] });
        match valid {
            true => assert!(Form::read(&request, Dialect::Detect, &Host::default()).is_ok(), "{id}"),
            false => {
                assert_eq!(codes(&request, Dialect::Detect), [("invalid_id", "/questions/0/id".to_owned())], "{id:?}")
            }
        }
    }
}

#[test]
fn an_option_that_shows_nothing_is_refused_where_its_text_stands() {
    for (option, place) in [
        (json!({ "value": "" }), "value"),
        (json!({ "value": " ", "label": null }), "value"),
        (json!({ "value": "x", "label": "" }), "label"),
        (json!({ "label": "\u{200b}" }), "label"),
    ] {
        let path = format!("/questions/0/options/0/{place}");
        assert_eq!(codes(&ask("select", json!([option, "b"])), Dialect::Detect), [("empty_text", path)], "{option}");
    }
}

#[test]
fn options_that_look_alike_are_duplicates() {
    let labelled = |label: &str| json!({ "value": label.len() + 100, "label": label });
    for twin in
        ["Keep", "Ke\u{200b}ep", " Keep ", "Keep\u{202e}", "\u{feff}Keep", "Ke\u{ad}ep", "Keep\u{e0041}", "Keep\u{7}"]
    {
        for kind in ["select", "multi_select"] {
            let mut second = labelled(twin);
            second["value"] = "other".into();
            let request = ask(kind, json!([labelled("Keep"), labelled("Drop it"), second]));
            let found = codes(&request, Dialect::Detect);
            assert_eq!(found.iter().map(|(code, _)| *code).collect::<Vec<_>>(), ["duplicate_option"], "{twin:?}");
        }
    }
    let spaced = ask("select", json!(["Keep it", "Keep  it", "Keep\u{a0}it"]));
    assert_eq!(codes(&spaced, Dialect::Detect).len(), 2);
    // What looks different is different, however near.
    assert!(
        Form::read(&ask("select", json!(["Keep", "keep", "Keep.", "Кeep"])), Dialect::Detect, &Host::default()).is_ok()
    );
    let gemini = json!({ "questions": [{ "question": "?", "type": "choice", "options": [{ "label": "Keep" }, { "label": "Keep\u{200b}" }] }] });
    assert_eq!(codes(&gemini, Dialect::Gemini)[0].0, "duplicate_option");
}

#[test]
fn options_with_equal_values_are_duplicates() {
    let request = ask("select", json!([{ "value": 1, "label": "One" }, { "value": 1.0, "label": "Uno" }]));
    assert_eq!(codes(&request, Dialect::Detect)[0].0, "duplicate_option");
}

#[test]
fn every_digit_that_was_typed_counts() {
    let number = json!({ "message": "?", "requestedSchema": { "type": "object", "required": ["n"], "properties": {
        "n": { "type": "number", "minimum": -10, "maximum": 10 }
    } } });
    let whole = json!({ "message": "?", "requestedSchema": { "type": "object", "required": ["n"], "properties": {
        "n": { "type": "integer" }
    } } });
    let schema = json!({ "question": "?", "answer_type": "schema", "schema": { "type": "number", "minimum": -10, "maximum": 10 } });
    let act = |request: &Value, content: Content| {
        let mut walk = Walk::new(Form::read(request, Dialect::Detect, &Host::default()).unwrap());
        walk.act(Action::Answer(Given::new(content))).map(|()| walk)
    };
    for (text, code) in [
        ("10.0000000000000000001", Some("out_of_range")),
        ("-10.0000000000000000001", Some("out_of_range")),
        ("9.9999999999999999999", None),
        ("10.0000000000000000000", None),
        ("10", None),
    ] {
        for content in [Content::Typed(text.into()), Content::Json(text.into())] {
            assert_eq!(act(&number, content.clone()).err().map(|refusal| refusal.code()), code, "{text}");
            let code = code.map(|_| "schema_mismatch");
            assert_eq!(act(&schema, content).err().map(|refusal| refusal.code()), code, "{text}");
        }
    }
    let limit = Number::from(10);
    let refusal = act(&number, Content::Typed("10.0000000000000000001".into())).unwrap_err();
    assert_eq!(refusal, Refusal::OutOfRange { limit, below: false });
    assert_eq!(act(&whole, Content::Typed("1.0000000000000000001".into())).unwrap_err(), Refusal::NotAnInteger);
    let walk = act(&number, Content::Typed("9.9999999999999999999".into())).unwrap();
    assert_eq!(walk.result_text().unwrap(), r#"{"action":"accept","content":{"n":9.9999999999999999999}}"#);
}

#[test]
fn a_text_is_kept_only_for_digits_that_a_value_does_not_hold() {
    for (typed, kept) in
        [("[ 1, 2.50 ]", false), ("1e2", false), ("0.10000000000000000001", true), ("[ 1.0000000000000000001 ]", true)]
    {
        let request = json!({ "question": "?", "answer_type": "schema", "schema": {} });
        let mut walk = Walk::new(Form::read(&request, Dialect::Detect, &Host::default()).unwrap());
        walk.act(Action::typed(typed)).unwrap();
        let Answer::Schema(exact) = &walk.answered().next().unwrap().1.unwrap().answer else { panic!("{typed}") };
        assert_eq!(exact.text.as_deref(), kept.then_some(typed));
    }
}

#[test]
fn a_page_names_every_refusal_and_takes_nothing() {
    let request = json!({ "questions": [
        { "id": "a", "text": "A?", "answer_type": "boolean" }, { "id": "b", "text": "B?", "answer_type": "number" },
        { "id": "c", "text": "C?", "answer_type": "text" }, { "id": "d", "text": "D?", "answer_type": "boolean" },
    ] });
    let mut walk = Walk::new(Form::read(&request, Dialect::Detect, &Host::default()).unwrap());
    let before = walk.clone();
    let page = |answers: [(&str, Value); 4]| answers.map(|(id, value)| (id.to_owned(), value.into())).to_vec();
    let Err(Refusal::Answers { refused }) =
        walk.answer_all(page([("a", json!(true)), ("b", json!("x")), ("c", json!("x")), ("d", json!(1))]))
    else {
        panic!()
    };
    let named: Vec<_> = refused.iter().map(|one| (one.question.as_str(), one.refusal.code())).collect();
    assert_eq!(named, [("b", "wrong_type"), ("d", "wrong_type")]);
    assert_eq!(walk, before);
    // In another order than that of the questions, or twice, they are not asked here.
    for answers in [
        [("b", json!(1)), ("a", json!(true)), ("c", json!("x")), ("d", json!(true))],
        [("a", json!(true)), ("a", json!(true)), ("b", json!(1)), ("c", json!("x"))],
    ] {
        let first = usize::from(answers[0].0 == "a");
        let id = answers[first].0;
        let Err(Refusal::Answers { refused }) = walk.answer_all(page(answers)) else { panic!() };
        assert_eq!((refused[0].question.as_str(), refused[0].refusal.code()), (id, "not_allowed"));
        assert_eq!(walk, before);
    }
    walk.answer_all(page([("a", json!(true)), ("b", json!(1)), ("c", json!("x")), ("d", json!(true))])).unwrap();
    assert_eq!(walk.outcome().unwrap().result, Some(json!({ "a": true, "b": 1, "c": "x", "d": true })));
}

#[test]
fn a_rejection_is_short_whatever_it_is_about() {
    let long = "x".repeat(1_000_000);
    let key = |key: &str| json!({ "message": "?", "requestedSchema": { "type": "object", "properties": { key: { "type": "nonsense", "minLength": -1, "pattern": 1 } } } });
    for (dialect, request) in [
        (
            Dialect::Detect,
            json!({ "questions": [{ "id": long, "text": "", "answer_type": long }, { "id": long, "text": 1, "answer_type": "boolean" }] }),
        ),
        (
            Dialect::Detect,
            json!({ "questions": [{ "id": "a", "text": "A?", "answer_type": "select", "options": [long, long] }] }),
        ),
        (
            Dialect::Detect,
            json!({ "questions": [{ "id": "a", "text": "A?", "answer_type": "schema", "schema": { "$ref": format!("#/{long}") } }] }),
        ),
        (
            Dialect::Detect,
            json!({ "questions": [{ "id": "a", "text": "A?", "answer_type": "text", "when": { "question_id": long, "equals": long } }] }),
        ),
        (Dialect::Mcp, key(&long)),
        (Dialect::Mcp, key(&"~".repeat(100_000))),
    ] {
        let Err(rejection) = Form::read(&request, dialect, &Host::default()) else { panic!("{dialect:?}") };
        let text = json!(rejection.to_json()).to_string();
        assert!(
            !rejection.problems.is_empty() && text.len() <= 64_000,
            "{} bytes, {} problems",
            text.len(),
            rejection.problems.len()
        );
    }
}

/// JavaScript holds whole numbers up to 2^53.
#[test]
fn a_number_that_not_every_reader_holds_comes_back_as_text() {
    let question = |id: &str| json!({ "id": id, "text": "N?", "answer_type": "number" });
    let request = json!({ "questions": [question("n"), question("m")] });
    let form = Form::read(&request, Dialect::AskUser, &Host::default()).unwrap();
    for (given, text) in [
        ("9007199254740991", None),
        ("9007199254740993", Some("9007199254740993")),
        ("18446744073709551615", Some("18446744073709551615")),
        ("123456789012345678901234567890", Some("123456789012345678901234567890")),
    ] {
        let mut walk = Walk::new(form.clone());
        walk.act(Action::typed(given)).unwrap();
        walk.act(Action::Back).unwrap();
        let Step::Asking(asking) = walk.step() else { panic!("{given}") };
        assert_eq!(asking.draft_text.as_deref(), text);
    }
}
