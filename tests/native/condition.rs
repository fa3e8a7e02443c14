//! Conditions: a second reading of them, as plainly as it can be written, and what must hold of walks and pages under any of them.

use crate::sample::{Dice, Sample, ask_user, dice, fitting, tries};
use ask_user_core::{Dialect, Form, Given, Host, Limits, Refusal, Step, Taken, Walk};
use proptest::prelude::*;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// The type and the answer of each question, by its id. A question that was skipped, or left empty, has the answer null.
pub type Answers = BTreeMap<String, (String, Value)>;

/// What a walk has been told so far.
pub fn answers(walk: &Walk) -> Answers {
    let shown = |taken: Option<&Taken>| taken.map_or(Value::Null, |taken| taken.answer.shown());
    let of = |(question, taken): (&ask_user_core::Question, Option<&Taken>)| {
        (question.id.clone(), (question.answer_type.name().to_owned(), shown(taken)))
    };
    walk.answered().map(of).collect()
}

/// Whether a condition holds, from the JSON of the request alone.
pub fn holds(when: &Value, answers: &Answers) -> bool {
    let list = |name: &str| when[name].as_array().map(Vec::as_slice).unwrap_or_default();
    if when.get("all").is_some() {
        return list("all").iter().filter(|when| holds(when, answers)).count() == list("all").len();
    }
    if when.get("any").is_some() {
        return list("any").iter().filter(|when| holds(when, answers)).count() > 0;
    }
    if let Some(when) = when.get("not") {
        return !holds(when, answers);
    }
    let (kind, answer) = &answers[when["question_id"].as_str().unwrap()];
    if when.get("in").is_some() {
        return list("in").iter().any(|value| equal(kind, answer, value));
    }
    if let Some(value) = when.get("contains") {
        return answer.as_array().is_some_and(|chosen| chosen.iter().any(|one| equal("", one, value)));
    }
    if let Some(answered) = when.get("answered") {
        return answered == &Value::Bool(!answer.is_null());
    }
    equal(kind, answer, &when["equals"])
}

fn equal(kind: &str, answer: &Value, value: &Value) -> bool {
    match (kind, answer, value) {
        ("multi_select", Value::Array(a), Value::Array(b)) => {
            let among = |one: &Value, list: &[Value]| list.iter().any(|other| equal("", one, other));
            a.iter().all(|one| among(one, b)) && b.iter().all(|one| among(one, a))
        }
        (_, Value::Number(a), Value::Number(b)) => a.as_f64() == b.as_f64(),
        (_, Value::Object(a), Value::Object(b)) => {
            a.len() == b.len() && a.iter().all(|(name, a)| b.get(name).is_some_and(|b| equal("", a, b)))
        }
        (_, a, b) => a == b,
    }
}

/// A form of `ask_user` that the person answers, and an answer to each of its questions, asked or not.
fn form(dice: &mut Dice) -> (Value, Form, BTreeMap<String, Given>) {
    let request = ask_user(dice);
    let form = Form::read(&request, Dialect::AskUser, &Host::default()).unwrap();
    let given = answered(dice, &form);
    (request, form, given)
}

fn answered(dice: &mut Dice, form: &Form) -> BTreeMap<String, Given> {
    let given = |question: &std::sync::Arc<ask_user_core::Question>| {
        (question.id.clone(), Given::new(dice.pick(&fitting(question, &Limits::default()))))
    };
    form.questions().iter().map(given).collect()
}

/// The ids of the questions that a walk asks, where each is answered with what is given for it.
fn asked(form: &Form, given: &BTreeMap<String, Given>) -> (Vec<String>, Walk) {
    let mut walk = Walk::new(form.clone());
    let mut asked = Vec::new();
    while let Step::Asking(asking) = walk.step() {
        let id = asking.question.id.clone();
        walk.act(ask_user_core::Action::Answer(given[&id].clone())).unwrap();
        asked.push(id);
    }
    (asked, walk)
}

proptest! {
    #![proptest_config(tries())]

    /// The walks of `properties` are checked by the same reading, whoever answers.
    #[test]
    fn a_walk_asks_what_the_conditions_say(mut dice in dice()) {
        let (request, form, given) = form(&mut dice);
        let (asked, walk) = asked(&form, &given);
        let answers = answers(&walk);
        let expected = request["questions"].as_array().unwrap().iter().filter(|question| {
            question.get("when").is_none_or(|when| holds(when, &answers))
        });
        let expected: Vec<&str> = expected.map(|question| question["id"].as_str().unwrap()).collect();
        prop_assert_eq!(asked, expected);
    }

    /// A page shows what is asked whatever else is answered, and once all is answered, exactly what is asked.
    #[test]
    fn a_page_shows_what_is_asked_whatever_else_is_answered(mut dice in dice()) {
        let (_, form, given) = form(&mut dice);
        let page = |given: &BTreeMap<String, Given>| -> Vec<String> {
            let answers = given.iter().map(|(id, given)| (id.clone(), given.clone())).collect();
            Walk::new(form.clone()).page(answers).iter().map(|asking| asking.question.id.clone()).collect()
        };
        prop_assert_eq!(page(&given), asked(&form, &given).0);
        let some: BTreeMap<_, _> = given.iter().filter(|_| dice.once_in(2)).map(|(id, given)| (id.clone(), given.clone())).collect();
        let shown = page(&some);
        for _ in 0..4 {
            let mut whole = answered(&mut dice, &form);
            whole.extend(some.iter().map(|(id, given)| (id.clone(), given.clone())));
            let (asked, _) = asked(&form, &whole);
            for id in &shown {
                prop_assert!(asked.contains(id), "{} is on the page, and is not asked with {:?}", id, whole);
            }
        }
    }

    /// A preview has the questions of the page, says what is missing, and has each answer as it is taken then.
    #[test]
    fn a_preview_says_what_becomes_of_the_answers_of_a_page(mut dice in dice()) {
        let (_, form, given) = form(&mut dice);
        let given: BTreeMap<_, _> = given.into_iter().filter(|_| !dice.once_in(4)).collect();
        let mut walk = Walk::new(form);
        let answers: Vec<_> = given.clone().into_iter().collect();
        let preview = walk.preview(answers.clone());
        let page: Vec<_> = walk.page(answers).into_iter().map(|asking| asking.question.id.clone()).collect();
        prop_assert_eq!(preview.iter().map(|(question, _)| question.id.clone()).collect::<Vec<_>>(), page);
        for (question, taken) in &preview {
            match given.get(&question.id) {
                Some(_) => prop_assert!(taken.is_ok(), "{}: {:?}", question.id, taken),
                None => prop_assert_eq!(taken.clone(), Err(Refusal::Required)),
            }
        }
        if preview.iter().all(|(_, taken)| taken.is_ok()) {
            let answers = preview.iter().map(|(question, _)| (question.id.clone(), given[&question.id].clone()));
            prop_assert_eq!(walk.answer_all(answers.collect()), Ok(()));
            let taken = |id: &str| walk.answered().find(|(question, _)| question.id == id).and_then(|(_, taken)| taken.cloned());
            for (question, preview) in preview {
                prop_assert_eq!(preview.ok(), taken(&question.id), "{}", question.id);
            }
        }
    }
}

/// The page of a request where these answers are given.
fn page(request: &Value, given: &[(&str, Value)]) -> Vec<String> {
    let form = Form::read(request, Dialect::AskUser, &Host::default()).unwrap();
    let answers = given.iter().map(|(id, value)| ((*id).to_owned(), value.clone().into())).collect();
    Walk::new(form).page(answers).iter().map(|asking| asking.question.id.clone()).collect()
}

#[test]
fn a_page_leaves_out_what_depends_on_a_question_that_may_be_asked() {
    let request = json!({ "questions": [
        { "id": "a", "text": "?", "answer_type": "boolean" },
        { "id": "b", "text": "?", "answer_type": "boolean", "when": { "question_id": "a", "equals": true } },
        { "id": "c", "text": "?", "answer_type": "text", "when": { "question_id": "b", "equals": null } },
        { "id": "d", "text": "?", "answer_type": "text", "when": { "not": { "question_id": "c", "answered": true } } },
    ] });
    // Whether "c" is asked is not known before it is known whether "b" is.
    assert_eq!(page(&request, &[]), ["a"]);
    assert_eq!(page(&request, &[("a", json!(true))]), ["a", "b"]);
    assert_eq!(page(&request, &[("a", json!(false))]), ["a", "c"]);
    assert_eq!(page(&request, &[("a", json!(true)), ("b", json!(false))]), ["a", "b", "d"]);
}

#[test]
fn a_page_shows_what_an_answer_decides_though_another_is_missing() {
    let yes = |id: &str| json!({ "question_id": id, "equals": true });
    let request = json!({ "questions": [
        { "id": "a", "text": "?", "answer_type": "boolean" },
        { "id": "b", "text": "?", "answer_type": "boolean" },
        { "id": "either", "text": "?", "answer_type": "text", "when": { "any": [yes("a"), yes("b")] } },
        { "id": "both", "text": "?", "answer_type": "text", "when": { "all": [yes("a"), yes("b")] } },
        { "id": "neither", "text": "?", "answer_type": "text", "when": { "not": { "any": [yes("a"), yes("b")] } } },
    ] });
    assert_eq!(page(&request, &[]), ["a", "b"]);
    assert_eq!(page(&request, &[("b", json!(true))]), ["a", "b", "either"]);
    assert_eq!(page(&request, &[("a", json!(false))]), ["a", "b"]);
    assert_eq!(page(&request, &[("a", json!(true)), ("b", json!(true))]), ["a", "b", "either", "both"]);
    assert_eq!(page(&request, &[("a", json!(false)), ("b", json!(false))]), ["a", "b", "neither"]);
}

/// The problems of a request: code and path.
fn problems(request: &Value) -> Vec<(&'static str, String)> {
    let read = Form::read(request, Dialect::AskUser, &Host::default());
    let problems = read.err().map(|rejection| rejection.problems).unwrap_or_default();
    problems.iter().map(|problem| (problem.code(), problem.path.as_str().to_owned())).collect()
}

#[test]
fn a_value_that_can_never_be_the_answer_is_a_problem_at_its_place() {
    let options = json!(["x", "y"]);
    let first = [
        json!({ "id": "one", "text": "?", "answer_type": "select", "options": options }),
        json!({ "id": "many", "text": "?", "answer_type": "multi_select", "options": options }),
        json!({ "id": "own", "text": "?", "answer_type": "multi_select", "options": options, "other": true }),
        json!({ "id": "maybe", "text": "?", "answer_type": "text", "optional": true }),
        json!({ "id": "asked", "text": "?", "answer_type": "text", "when": { "question_id": "one", "equals": "x" } }),
        json!({ "id": "some", "text": "?", "answer_type": "multi_select", "options": options, "min_selections": 1, "max_selections": 1 }),
        json!({ "id": "whole", "text": "?", "answer_type": "schema", "schema": { "type": "integer" } }),
        json!({ "id": "short", "text": "?", "answer_type": "text", "pattern": "^[a-z]$" }),
    ];
    let on = |id: &str, name: &str, value: Value| json!({ "question_id": id, name: value });
    for (when, paths) in [
        (on("one", "equals", json!("x")), vec![]),
        (on("one", "equals", json!("z")), vec!["equals"]),
        (on("one", "equals", json!(null)), vec!["equals"]),
        (on("maybe", "equals", json!(null)), vec![]),
        (on("one", "in", json!(["z", "x"])), vec![]),
        (on("one", "in", json!(["z", "x", null])), vec!["in/2"]),
        (on("one", "in", json!(["z", 1])), vec!["in/0", "in/1"]),
        (on("many", "contains", json!("x")), vec![]),
        (on("many", "contains", json!("z")), vec!["contains"]),
        (on("own", "contains", json!("z")), vec![]),
        (on("own", "contains", json!(1)), vec!["contains"]),
        (on("many", "equals", json!(["z"])), vec!["equals"]),
        (on("own", "equals", json!(["x", "z"])), vec![]),
        (on("own", "equals", json!(["a", "z"])), vec!["equals"]),
        (on("one", "answered", json!(false)), vec![]),
        (json!({ "any": [on("one", "equals", json!("z")), on("one", "equals", json!("x"))] }), vec!["any/0/equals"]),
        (json!({ "not": { "all": [on("many", "contains", json!(1))] } }), vec!["not/all/0/contains"]),
        (on("asked", "equals", json!("x")), vec![]),
        (on("asked", "equals", json!(null)), vec![]),
        (on("asked", "in", json!(["x", null, 1])), vec!["in/2"]),
        (on("some", "equals", json!(["x"])), vec![]),
        (on("some", "equals", json!([])), vec!["equals"]),
        (on("some", "in", json!([["x"], ["x", "y"], "x"])), vec!["in/1", "in/2"]),
        (on("some", "contains", json!("x")), vec![]),
        (on("whole", "in", json!([1, "x"])), vec!["in/1"]),
        (on("whole", "equals", json!(null)), vec!["equals"]),
        (json!({ "not": on("short", "equals", json!("AB")) }), vec!["not/equals"]),
        (on("short", "equals", json!("a")), vec![]),
    ] {
        let question = json!({ "id": "q", "text": "?", "answer_type": "text", "when": when });
        let list: Vec<Value> = first.iter().cloned().chain([question]).collect();
        let place = list.len() - 1;
        let expected: Vec<_> =
            paths.iter().map(|path| ("when_never_true", format!("/questions/{place}/when/{path}"))).collect();
        assert_eq!(problems(&json!({ "questions": list })), expected, "{when}");
    }
}

#[test]
fn the_hint_says_which_value_was_meant() {
    let options = json!([{ "value": "dev", "label": "Development" }, { "value": 2, "label": "Prod" }]);
    for (earlier, equals, hint) in [
        (
            json!({ "answer_type": "select", "options": options }),
            json!("develop"),
            "The values of its options are \"dev\", 2.",
        ),
        (json!({ "answer_type": "select", "options": options }), json!("Prod"), "Write 2, the value of that option."),
        (
            json!({ "answer_type": "multi_select", "options": options }),
            json!("Prod"),
            "Write \"contains\": 2, in a condition of its own for each option.",
        ),
        (json!({ "answer_type": "boolean" }), json!("yes"), "Use true or false."),
        (
            json!({ "answer_type": "number", "maximum": 1 }),
            json!(2),
            "Use a value that the question takes as its answer.",
        ),
        (
            json!({ "answer_type": "text" }),
            json!(null),
            "This question is always asked and must be answered, so its answer is never null: compare it with another value, or make that question \"optional\".",
        ),
    ] {
        let mut first = json!({ "id": "a", "text": "?" });
        first.as_object_mut().unwrap().extend(earlier.as_object().unwrap().clone());
        let last =
            json!({ "id": "b", "text": "?", "answer_type": "text", "when": { "question_id": "a", "equals": equals } });
        let rejection =
            Form::read(&json!({ "questions": [first, last] }), Dialect::AskUser, &Host::default()).unwrap_err();
        assert_eq!(rejection.problems[0].hint(), hint, "{equals}");
    }
}

/// A condition in the words of another language, or in another field, is read by nobody. Each hint, followed, makes a form that asks as was meant.
#[test]
fn a_condition_in_other_words_is_refused_with_the_right_one() {
    let equals = r#"{"question_id":"env","equals":"dev"}"#;
    let not = r#"{"not":{"question_id":"env","equals":"dev"}}"#;
    for (field, when, path, hint) in [
        ("when", json!({ "question_id": "env", "operator": "!=", "value": "dev" }), "when/operator", not),
        ("when", json!({ "question": "env", "op": "==", "value": "dev" }), "when/op", equals),
        ("when", json!({ "question_id": "env", "not_equals": "dev" }), "when/not_equals", not),
        ("when", json!({ "question_id": "env", "equals": "dev", "negate": true }), "when/negate", not),
        (
            "when",
            json!({ "question_id": "env", "notIn": ["dev"] }),
            "when/notIn",
            r#"{"not":{"question_id":"env","in":["dev"]}}"#,
        ),
        ("depends_on", json!({ "env": "dev" }), "depends_on", equals),
        ("dependsOn", json!({ "env": ["dev"] }), "dependsOn", r#"{"question_id":"env","in":["dev"]}"#),
        ("showIf", json!({ "question_id": "env", "equals": "dev" }), "showIf", equals),
        ("visible-if", json!({ "question": "env", "operator": "is", "value": "dev" }), "visible-if", equals),
        ("skip_if", json!({ "question_id": "env", "equals": "dev" }), "skip_if", not),
        ("unless", json!({ "env": "dev" }), "unless", not),
    ] {
        let mut question = json!({ "id": "who", "text": "?", "answer_type": "text" });
        question[field] = when;
        let request = |question: &Value| json!({ "questions": [{ "id": "env", "text": "?", "answer_type": "select", "options": ["dev", "prod"] }, question] });
        let rejection = Form::read(&request(&question), Dialect::Detect, &Host::default()).unwrap_err();
        let found: Vec<_> = rejection.problems.iter().map(|problem| (problem.code(), problem.path.as_str())).collect();
        assert_eq!(found, [("invalid_condition", &*format!("/questions/1/{path}"))]);
        let said = rejection.problems[0].hint();
        assert!(said.contains(hint), "{said}");
        question.as_object_mut().unwrap().remove(field);
        question["when"] = serde_json::from_str(hint).unwrap();
        Form::read(&request(&question), Dialect::Detect, &Host::default()).unwrap();
    }
    for field in ["condition", "if", "only_if", "conditions", "hideIf"] {
        let mut question = json!({ "id": "who", "text": "?", "answer_type": "text" });
        question[field] = json!("env == 'dev'");
        assert_eq!(
            problems(&json!({ "questions": [question] })),
            [("invalid_condition", format!("/questions/0/{field}"))]
        );
    }
}

#[test]
fn a_null_beside_another_operator_is_an_absent_field() {
    let read = |when: Value| {
        let request = json!({ "questions": [
            { "id": "a", "text": "?", "answer_type": "boolean", "optional": true },
            { "id": "b", "text": "?", "answer_type": "boolean", "when": when },
        ] });
        let form = Form::read(&request, Dialect::AskUser, &Host::default());
        form.map(|form| form.questions()[1].when.clone().unwrap()).map_err(|rejection| rejection.problems)
    };
    let all = |mut when: Value| {
        for name in ["question_id", "equals", "in", "contains", "answered", "all", "any", "not"] {
            when.as_object_mut().unwrap().entry(name).or_insert(Value::Null);
        }
        when
    };
    for when in [
        json!({ "question_id": "a", "equals": true }),
        json!({ "question_id": "a", "in": [true] }),
        json!({ "question_id": "a", "answered": false }),
        json!({ "question_id": "a", "equals": null }),
        json!({ "not": { "question_id": "a", "equals": false } }),
    ] {
        assert_eq!(read(all(when.clone())), read(when.clone()), "{when}");
        assert!(read(when).is_ok());
    }
}

#[test]
fn a_sample_has_conditions_of_every_kind() {
    let mut seen = BTreeMap::<String, usize>::new();
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    for _ in 0..400 {
        let mut dice = proptest::strategy::ValueTree::current(&dice().new_tree(&mut runner).unwrap());
        let request = Sample::new(&mut dice).request.to_string();
        for name in [
            "\"all\":",
            "\"any\":",
            "\"not\":",
            "\"in\":",
            "\"contains\":",
            "\"answered\":",
            "\"danger\":",
            "\"other\":true",
        ] {
            *seen.entry(name.to_owned()).or_default() += usize::from(request.contains(name));
        }
    }
    assert!(seen.values().all(|count| *count > 4), "{seen:?}");
}

/// A request whose last question has one more field.
fn with_field(name: &str, value: &Value) -> Value {
    let mut request = json!({ "questions": [
        { "id": "env", "text": "Where?", "answer_type": "select", "options": ["dev", "prod"] },
        { "id": "parts", "text": "What?", "answer_type": "multi_select", "options": ["x", "y"] },
        { "id": "why", "text": "Why?", "answer_type": "text" },
    ] });
    request["questions"][2][name] = value.clone();
    request
}

/// The problem of a field that says when a question is asked: its code and its hint.
fn refused(request: &Value, path: &str) -> (String, String) {
    let rejection = Form::read(request, Dialect::AskUser, &Host::default()).expect_err(&request.to_string());
    let problem = rejection.problems.iter().find(|problem| problem.path.to_string() == path);
    let problem = problem.unwrap_or_else(|| panic!("{request}: {rejection:?}"));
    (problem.code().to_owned(), problem.hint())
}

/// The condition that a hint says to write.
fn hinted(hint: &str) -> Option<Value> {
    let written = hint.strip_prefix("Write ")?.trim_start_matches("\"when\": ").strip_suffix('.')?;
    serde_json::from_str(written).ok()
}

#[test]
fn whatever_says_when_a_question_is_asked_is_read_or_refused() {
    let plain = json!({ "question": "env", "equals": "dev" });
    for name in [
        "hidden_if",
        "required_if",
        "applies_if",
        "ask_when",
        "only_when",
        "exceptWhen",
        "dependsOn",
        "depends",
        "precondition",
        "if_answer",
        "unlessAnswer",
        "branch",
        "goto",
        "relevant",
        "display_logic",
        "trigger",
        "rules",
        "visibility",
        "dependencies",
    ] {
        let (code, hint) = refused(&with_field(name, &plain), &format!("/questions/2/{name}"));
        assert_eq!(code, "invalid_condition", "{name}");
        if let Some(when) = hinted(&hint) {
            Form::read(&with_field("when", &when), Dialect::AskUser, &Host::default()).expect(&hint);
            let is_denied = when.get("not").is_some();
            assert_eq!(is_denied, name.contains("hidden") || name.contains("skip"), "{name}: {hint}");
        }
    }
    // By the id of a question alone, where a field leads to it.
    for value in [json!("env"), json!(["env"]), json!({ "env": "dev" }), json!([{ "field": "env", "value": "dev" }])] {
        assert_eq!(refused(&with_field("after", &value), "/questions/2/after").0, "invalid_condition", "{value}");
    }
    // In an expression, deep in another language, or by a name that has the id.
    for (name, value) in [
        ("visible", json!("{{env}} == 'dev'")),
        ("visible", json!("always")),
        ("relevance", json!("${env} = 'dev'")),
        ("skip", json!("if env is dev")),
        ("flow", json!("env = dev")),
        ("logic", json!({ "==": [{ "var": "env" }, "dev"] })),
        ("display", json!({ "rules": { "all": [{ "question": "env", "is": "dev" }] } })),
        ("skip_logic", json!({ "a": "env == 'dev'" })),
        ("next", json!({ "yes": "env", "no": null })),
        ("when_env", json!("dev")),
        ("condtion", json!("blue")),
        ("depnds_on", json!("blue")),
    ] {
        let (code, _) = refused(&with_field(name, &value), &format!("/questions/2/{name}"));
        assert_eq!(code, "invalid_condition", "{name}: {value}");
    }
    // Words that only begin or end alike say nothing of the kind.
    for name in ["motif", "whenever", "gif", "ifc", "category", "branch", "if_unsure"] {
        Form::read(&with_field(name, &json!("blue")), Dialect::AskUser, &Host::default()).expect(name);
    }
    // What is empty says nothing, and data may have the word that is an id.
    for (name, value) in [
        ("depends_on", json!([])),
        ("condition", json!("")),
        ("category", json!("env")),
        ("tags", json!(["env"])),
        ("metadata", json!({ "step": "env" })),
        ("examples", json!(["a", "b"])),
        ("visible", json!(true)),
        ("note", json!("This is for the env of the team.")),
        ("edition", json!("blue")),
    ] {
        Form::read(&with_field(name, &value), Dialect::AskUser, &Host::default()).expect(name);
    }
    let mut option = with_field("header", &json!("Why"));
    option["questions"][0]["options"][0] =
        json!({ "value": "dev", "best_when": "it is small", "dependencies": ["pg"] });
    Form::read(&option, Dialect::AskUser, &Host::default()).expect("an option that is explained");
}

#[test]
fn a_condition_on_an_option_or_around_the_questions_is_refused() {
    let mut request = with_field("header", &json!("Why"));
    request["questions"][0]["options"][0] = json!({ "value": "dev", "show_if": { "question": "env" } });
    assert_eq!(refused(&request, "/questions/0/options/0/show_if").0, "invalid_condition");
    let mut request = with_field("header", &json!("Why"));
    request["ask_when"] = json!({ "question_id": "env", "equals": "dev" });
    assert_eq!(refused(&request, "/ask_when").0, "invalid_condition");
    let options = json!([{ "label": "a", "show_if": "x" }, { "label": "b" }]);
    let labelled = json!({ "questions": [{ "question": "Which?", "header": "H", "options": options }] });
    let rejection = Form::read(&labelled, Dialect::AskUserQuestion, &Host::default()).unwrap_err();
    assert_eq!(rejection.problems[0].code(), "invalid_condition");
    // One may say when it is best.
    for name in ["best_when", "when_to_use", "if_unsure"] {
        let options = json!([{ "label": "a", name: "it is small" }, { "label": "b" }]);
        let labelled = json!({ "questions": [{ "question": "Which?", "header": "H", "options": options }] });
        Form::read(&labelled, Dialect::AskUserQuestion, &Host::default()).expect(name);
    }
}

#[test]
fn a_hint_for_a_condition_in_other_words_says_what_was_meant_and_gives_a_form() {
    let when = |condition: Value| {
        let request = with_field("when", &condition);
        let rejection = Form::read(&request, Dialect::AskUser, &Host::default()).expect_err(&request.to_string());
        let meant = hinted(&rejection.problems[0].hint());
        if let Some(meant) = &meant {
            Form::read(&with_field("when", meant), Dialect::AskUser, &Host::default()).expect("the hint gives a form");
        }
        meant
    };
    let env = |operator: &str, value: Value| json!({ "question_id": "env", operator: value });
    let part = |value: &str| json!({ "question_id": "parts", "contains": value });
    for (given, meant) in [
        (
            json!({ "question": "env", "operator": "!=", "value": "dev" }),
            Some(json!({ "not": env("equals", json!("dev")) })),
        ),
        (
            json!({ "question": "env", "operator": "==", "value": "dev", "negate": true }),
            Some(json!({ "not": env("equals", json!("dev")) })),
        ),
        (
            json!({ "question": "env", "operator": "!=", "value": "dev", "negate": true }),
            Some(env("equals", json!("dev"))),
        ),
        // What is neither yes nor no may say the opposite of what would be read.
        (json!({ "question": "env", "operator": "==", "value": "dev", "negate": "true" }), None),
        (json!({ "question": "env", "operator": "==", "value": "dev", "mode": "inverse" }), None),
        (json!({ "question": "env", "operator": "not in", "value": "dev" }), None),
        (json!({ "question": "why", "operator": "contains", "value": "x" }), None),
        (json!({ "question_id": "env", "not_equals": null, "action": "hide" }), None),
        (
            json!({ "question": "env", "operator": "!=", "value": ["dev", "prod"] }),
            Some(json!({ "not": env("in", json!(["dev", "prod"])) })),
        ),
        (json!({ "question": "parts", "operator": "!=", "value": "x" }), Some(json!({ "not": part("x") }))),
        (
            json!({ "question": "parts", "operator": "contains", "value": ["x", "y"] }),
            Some(json!({ "all": [part("x"), part("y")] })),
        ),
        (
            json!({ "question": "parts", "operator": "in", "value": ["x", "y"] }),
            Some(json!({ "any": [part("x"), part("y")] })),
        ),
    ] {
        assert_eq!(when(given.clone()), meant, "{given}");
    }
    // A question alone: the answer that a condition on it can look at.
    let with_flag = |is_optional: bool, kind: &str| {
        json!({ "questions": [
            { "id": "env", "text": "Where?", "answer_type": kind, "optional": is_optional },
            { "id": "why", "text": "Why?", "answer_type": "text", "depends_on": { "question": "env" } },
        ] })
    };
    for (is_optional, kind, meant) in [
        (false, "boolean", Some(env("equals", json!(true)))),
        (true, "text", Some(env("answered", json!(true)))),
        (false, "text", None),
    ] {
        let (_, hint) = refused(&with_flag(is_optional, kind), "/questions/1/depends_on");
        assert_eq!(hinted(&hint), meant, "{kind}: {hint}");
    }
}
