//! A rejection mends a call in one go: for every code there is a wrong call, the rejection as the model gets it, and the call after the model has done
//! what the hints say. `WRITE=1 cargo test -p ask-user-tests mending` writes the rejections into the table; read them before you commit.

use ask_user_core::{Dialect, Form, Host, Rejection};
use serde_json::{Value, json};
use std::{collections::BTreeSet, fs, path::Path};

const TABLE: &str = "native/rejections.json";
/// Where the codes are declared.
const TYPES: &str = "../pkg/types/core.d.ts";

fn path(name: &str) -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(name)
}

fn read(case: &Value, call: &Value) -> Result<Form, Rejection> {
    let dialect = case["dialect"].as_str().map_or(Dialect::Detect, |name| name.parse().unwrap());
    let host = case.get("host").map_or_else(Host::default, |host| Host::from_json(host).unwrap());
    match call {
        Value::String(text) => Form::read(text, dialect, &host),
        call => Form::read(call, dialect, &host),
    }
}

#[test]
fn the_hints_of_a_rejection_mend_the_call() {
    let mut table: Vec<Value> = serde_json::from_str(&fs::read_to_string(path(TABLE)).unwrap()).unwrap();
    let mut codes = BTreeSet::new();
    for case in &mut table {
        let name = case["name"].as_str().unwrap().to_owned();
        let call = case.get("call").or(case.get("text")).unwrap().clone();
        let rejection = read(case, &call).expect_err(&name);
        codes.extend(rejection.problems.iter().map(|problem| problem.code().to_owned()));
        let said = Value::Object(rejection.to_json());
        if std::env::var_os("WRITE").is_some() {
            case["rejection"] = said.clone();
        }
        assert_eq!(case["rejection"], said, "{name}");
        let mended = case["mended"].clone();
        let form = read(case, &mended);
        assert!(form.is_ok(), "{name}: {:?}", form.err().map(|rejection| json!(rejection.to_json())));
        // The model changes what the problems point at, and nothing else: in the object or the list that each of them is in.
        let places: Vec<&str> = rejection.problems.iter().map(|problem| around(problem.path.as_str())).collect();
        for changed in differences(&call, &mended, String::new()) {
            let is_named = places.iter().any(|place| changed == *place || changed.starts_with(&format!("{place}/")));
            assert!(is_named, "{name}: {changed} is changed, and no problem is there");
        }
    }
    if std::env::var_os("WRITE").is_some() {
        fs::write(path(TABLE), serde_json::to_string_pretty(&table).unwrap() + "\n").unwrap();
    }
    assert_eq!(codes, declared());
}

/// What holds the place of a problem.
fn around(place: &str) -> &str {
    place.rsplit_once('/').map_or("", |(around, _)| around)
}

/// Where two values differ.
fn differences(one: &Value, other: &Value, place: String) -> Vec<String> {
    match (one, other) {
        (Value::Object(one), Value::Object(other)) => {
            let names: BTreeSet<&String> = one.keys().chain(other.keys()).collect();
            let null = Value::Null;
            let inner = |name: &&String| {
                let of = |map: &serde_json::Map<String, Value>| map.get(*name).unwrap_or(&null).clone();
                differences(&of(one), &of(other), format!("{place}/{name}"))
            };
            names.iter().flat_map(inner).collect()
        }
        (Value::Array(one), Value::Array(other)) if one.len() == other.len() => {
            let pairs = one.iter().zip(other).enumerate();
            pairs.flat_map(|(at, (one, other))| differences(one, other, format!("{place}/{at}"))).collect()
        }
        (one, other) if one == other => Vec::new(),
        _ => vec![place],
    }
}

/// The codes of problems that the types of the package declare.
fn declared() -> BTreeSet<String> {
    let types = fs::read_to_string(path(TYPES)).unwrap();
    let (_, rest) = types.split_once("export type ProblemCode =").unwrap();
    let (codes, _) = rest.split_once(';').unwrap();
    codes.split('"').skip(1).step_by(2).map(str::to_owned).collect()
}

/// What a call is read as, by the dialect or by none: the questions, and the warnings with their places and hints.
fn mended(call: &Value, dialect: Dialect) -> (Value, Vec<(&'static str, String, String)>) {
    let form = Form::read(call, dialect, &Host::default()).unwrap_or_else(|rejection| panic!("{call}: {rejection:?}"));
    assert_eq!(form.dialect(), "ask_user", "{call}");
    let warnings = form.warnings().iter().map(|one| (one.code(), one.path.as_str().to_owned(), one.hint()));
    (form.questions().iter().map(|question| json!(**question)).collect(), warnings.collect())
}

#[test]
fn a_call_in_the_words_of_other_tools_is_read_where_it_can_mean_one_thing() {
    let list = |question: Value| json!({ "questions": [question] });
    let select = json!({ "id": "a", "text": "Which?", "answer_type": "select", "options": ["x", "y"] });
    let with = |fields: Value| {
        let mut question = select.clone();
        question.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
        question.as_object_mut().unwrap().retain(|_, value| !value.is_null());
        list(question)
    };
    for (call, ours, renamed) in [
        (
            json!({ "id": "a", "question": "Which?", "answer_type": "select", "choices": ["x", "y"] }),
            with(json!({})),
            vec![("question", "text"), ("choices", "options")],
        ),
        (
            json!({ "id": "a", "prompt": "Which?", "type": "select", "options": [{ "name": "x" }, { "title": "y" }] }),
            with(json!({})),
            vec![
                ("prompt", "text"),
                ("type", "answer_type"),
                ("options/0/name", "label"),
                ("options/1/title", "label"),
            ],
        ),
        (
            json!({ "id": "a", "label": "Which?", "answerType": "select", "Options": ["x", "y"] }),
            with(json!({})),
            vec![("label", "text"), ("answerType", "answer_type"), ("Options", "options")],
        ),
        (
            json!({ "id": "a", "text": "Which?", "options": ["x", "y"], "multiSelect": true }),
            with(json!({ "answer_type": "multi_select" })),
            vec![("multiSelect", "answer_type")],
        ),
        (
            json!({ "id": "a", "text": "Which?", "options": ["x", "y"], "multiple": false }),
            with(json!({})),
            vec![("multiple", "answer_type")],
        ),
        (
            json!({ "id": "a", "text": "Which?", "answer_type": "multi_select", "options": ["x", "y"], "multiSelect": true }),
            with(json!({ "answer_type": "multi_select" })),
            vec![("multiSelect", "answer_type")],
        ),
        (
            json!({ "id": "a", "text": "Which?", "answer_type": "select", "options": ["x", "y"], "allow_custom": true, "required": false, "description": "It matters." }),
            with(json!({ "other": true, "optional": true, "context": "It matters." })),
            vec![("allow_custom", "other"), ("required", "optional"), ("description", "context")],
        ),
        (
            json!({ "id": "a", "text": "Which?", "answer_type": "select", "options": ["x", { "id": "y", "irreversible": true }], "dangr": true }),
            with(json!({ "options": ["x", { "value": "y", "danger": true }], "danger": true })),
            vec![("dangr", "danger"), ("options/1/id", "value"), ("options/1/irreversible", "danger")],
        ),
        (
            json!({ "id": "a", "text": "Token?", "isSecret": true }),
            list(json!({ "id": "a", "text": "Token?", "answer_type": "secret" })),
            vec![("isSecret", "answer_type")],
        ),
        (
            json!({ "id": "a", "text": "How many?", "type": "number", "min": 1, "max": 5 }),
            list(json!({ "id": "a", "text": "How many?", "answer_type": "number", "minimum": 1, "maximum": 5 })),
            vec![("type", "answer_type"), ("min", "minimum"), ("max", "maximum")],
        ),
        // A limit is one of what is asked for.
        (
            json!({ "id": "a", "text": "Which?", "min": 1, "max": 2, "answer_type": "multi_select", "options": ["x", "y"] }),
            with(json!({ "answer_type": "multi_select", "min_selections": 1, "max_selections": 2 })),
            vec![("min", "min_selections"), ("max", "max_selections")],
        ),
        (
            json!({ "id": "a", "text": "Which?", "minItems": 1, "kind": "multi_select", "options": ["x", "y"] }),
            with(json!({ "answer_type": "multi_select", "min_selections": 1 })),
            vec![("minItems", "min_selections"), ("kind", "answer_type")],
        ),
        (
            json!({ "id": "a", "text": "What?", "answer_type": "text", "min": 3, "max": 9 }),
            list(json!({ "id": "a", "text": "What?", "answer_type": "text", "min_length": 3, "max_length": 9 })),
            vec![("min", "min_length"), ("max", "max_length")],
        ),
    ] {
        let call = list(call);
        let (questions, warnings) = mended(&call, Dialect::AskUser);
        assert_eq!(questions, mended(&ours, Dialect::AskUser).0, "{call}");
        let expected: BTreeSet<_> = renamed
            .iter()
            .map(|(given, field)| ("renamed_field", format!("/questions/0/{given}"), format!("Write \"{field}\".")))
            .collect();
        assert_eq!(warnings.into_iter().collect::<BTreeSet<_>>(), expected, "{call}");
    }
}

#[test]
fn a_condition_in_other_words_is_read_too() {
    let with = |when: Value| {
        json!({ "questions": [
            { "id": "a", "text": "?", "answer_type": "boolean" },
            { "id": "b", "text": "?", "answer_type": "text", "when": when },
        ] })
    };
    let read = |when: Value| {
        let form = Form::read(&with(when), Dialect::Detect, &Host::default()).unwrap();
        form.questions()[1].when.clone()
    };
    let ours = read(json!({ "question_id": "a", "equals": true }));
    for when in [json!({ "question": "a", "value": true }), json!({ "questionId": "a", "is": true })] {
        assert_eq!(read(when.clone()), ours, "{when}");
    }
}

#[test]
fn without_a_name_only_a_call_with_an_answer_type_is_read_in_other_words() {
    let question = json!({ "id": "a", "text": "Which?", "choices": ["x", "y"] });
    let with = |name: &str| {
        let mut question = question.clone();
        question[name] = "select".into();
        json!({ "questions": [question] })
    };
    assert_eq!(mended(&with("answer_type"), Dialect::Detect).1[0].0, "renamed_field");
    // `type` is a field of other tools: the result could have their shape.
    let rejection = Form::read(&with("type"), Dialect::Detect, &Host::default()).unwrap_err();
    let said: Vec<_> = rejection.problems.iter().map(|one| (one.code(), one.path.as_str(), one.hint())).collect();
    assert_eq!(said, [("missing_field", "/questions/0/answer_type", "Rename \"type\" to \"answer_type\".".to_owned())]);
    // A host that names the dialect has said which shape the result has.
    assert_eq!(mended(&with("type"), Dialect::AskUser).1.len(), 2);
}

#[test]
fn what_a_call_has_in_our_words_counts_and_the_rest_is_named() {
    let call = json!({ "questions": [{
        "id": "a", "text": "Which?", "question": "Which one?", "answer_type": "select", "options": ["x"], "choices": [],
        "heder": "H", "colour": "red",
    }] });
    let (questions, warnings) = mended(&call, Dialect::AskUser);
    assert_eq!((&questions[0]["text"], &questions[0]["options"][0]["value"]), (&json!("Which?"), &json!("x")));
    let expected = [
        ("question", "Check its spelling, or leave it out."),
        ("choices", "Check its spelling, or leave it out."),
        ("heder", "Did you mean \"header\"?"),
        ("colour", "Check its spelling, or leave it out."),
    ];
    let expected: Vec<_> = expected
        .into_iter()
        .map(|(field, hint)| ("unknown_field", format!("/questions/0/{field}"), hint.to_owned()))
        .collect();
    assert_eq!(warnings, expected);
    // What is not named in a warning alone: it would be lost.
    for (field, value) in [("choices", json!(["y"])), ("enum", json!(["y"])), ("subQuestions", json!([1]))] {
        let mut call = call.clone();
        call["questions"][0][field] = value;
        let read = Form::read(&call, Dialect::AskUser, &Host::default());
        let problems: Vec<_> = read
            .err()
            .into_iter()
            .flat_map(|rejection| rejection.problems)
            .map(|one| (one.code(), one.path.to_string()))
            .collect();
        assert_eq!(problems, [("misplaced_field", format!("/questions/0/{field}"))]);
    }
}

#[test]
fn an_id_in_another_field_is_named_and_not_read() {
    // Other questions refer to it: two of them could be the same.
    let call = json!({ "questions": [{ "name": "a", "text": "?", "answer_type": "boolean" }, { "Id": "a", "text": "?", "answer_type": "boolean" }] });
    let rejection = Form::read(&call, Dialect::AskUser, &Host::default()).unwrap_err();
    let hints: Vec<String> = rejection.problems.iter().map(|problem| problem.hint()).collect();
    assert_eq!(hints, ["Rename \"name\" to \"id\".", "Rename \"Id\" to \"id\"."]);
}
