//! The same tests natively, in Node and in a browser: the vectors through the core as each of them has it, and what a small
//! stack must bear. Nothing here may touch a file.

use ask_user_core::{Action, Dialect, Form, Host, Limits, Refusal, Step, Walk};
use ask_user_tests::case;
use serde_json::{Value, json};
#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

/// Every vector, and our own cases.
const CASES: [&str; 21] = [
    include_str!("../vectors/ask_user_full.json"),
    include_str!("../vectors/ask_user_question.json"),
    include_str!("../vectors/consent.json"),
    include_str!("../vectors/deepagents.json"),
    include_str!("../vectors/mcp.json"),
    include_str!("../vectors/other_dialects.json"),
    include_str!("../vectors/records.json"),
    include_str!("../vectors/rejections.json"),
    include_str!("../vectors/routing.json"),
    include_str!("../vectors/schema.json"),
    include_str!("../vectors/seeds.json"),
    include_str!("../vectors/walk.json"),
    include_str!("../cases/approvals.json"),
    include_str!("../cases/dialects.json"),
    include_str!("../cases/explanations.json"),
    include_str!("../cases/fields.json"),
    include_str!("../cases/full.json"),
    include_str!("../cases/mcp_limits.json"),
    include_str!("../cases/mcp_pages.json"),
    include_str!("../cases/other.json"),
    include_str!("../cases/routing.json"),
];

fn cases() -> impl Iterator<Item = Value> {
    CASES.iter().flat_map(|file| serde_json::from_str::<Vec<Value>>(file).unwrap())
}

#[test]
fn every_case_passes_in_each_build() {
    for case in cases() {
        assert_eq!(case::play(&case), Ok(()), "{}", case["name"]);
        // While the request is still being written.
        for piece in [1, 50] {
            assert_eq!(case::play_in(&case, piece), Ok(()), "{} by {piece}", case["name"]);
        }
    }
}

// Natively, and in Node by the package (`tests/js/vectors.mjs`): in an unoptimised module it takes minutes.
#[cfg(not(target_arch = "wasm32"))]
#[test]
fn requests_cut_at_each_byte_are_what_they_are_at_once() {
    let cut = |case: Value| case::cut(&case).unwrap_or_else(|why| panic!("{}: {why}", case["name"]));
    let grown: usize = cases().map(cut).sum();
    assert!(grown > 10_000, "a question was there early at {grown} bytes alone");
}

fn nested(depth: usize, inner: Value, wrap: impl Fn(Value) -> Value) -> Value {
    (0..depth).fold(inner, |value, _| wrap(value))
}

#[test]
fn the_deepest_value_that_a_host_can_allow_fits_the_stack() {
    let limits = Limits { depth: Limits::MAX_DEPTH, ..Limits::default() };
    let host = Host { limits, ..Host::default() };
    let request = json!({ "question": "Value?", "answer_type": "schema", "schema": { "items": { "$ref": "#" } } });
    let form = Form::read(&request, Dialect::Detect, &host).unwrap();
    let mut walk = Walk::new(form.clone());
    let value = nested(Limits::MAX_DEPTH, json!(1), |value| json!([value]));
    walk.act(Action::answer(value)).unwrap();
    let saved = serde_json::from_str(&walk.save().to_string()).unwrap();
    assert_eq!(Walk::resume(form, &saved), Ok(walk));
}

#[test]
fn the_deepest_schema_fits_the_stack() {
    let schema = nested(50, json!({ "type": "integer" }), |schema| json!({ "allOf": [{ "items": schema }] }));
    let request = json!({ "question": "Value?", "answer_type": "schema", "schema": schema });
    let limits = Limits { depth: Limits::MAX_DEPTH, ..Limits::default() };
    match Form::read(&request, Dialect::Detect, &Host { limits, ..Host::default() }) {
        Ok(form) => drop(Walk::new(form).act(Action::answer(nested(49, json!([1]), |value| json!([value]))))),
        Err(rejection) => assert_eq!(rejection.problems[0].code(), "too_large"),
    }
}

#[test]
fn a_text_that_nests_too_deep_is_refused_before_it_is_read() {
    let request = json!({ "question": "Value?", "answer_type": "schema", "schema": {} });
    let mut walk = Walk::new(Form::read(&request, Dialect::Detect, &Host::default()).unwrap());
    let refused = walk.act(Action::typed("[".repeat(1_000_000)));
    assert!(matches!(refused, Err(Refusal::TooLarge { .. })));
    assert!(matches!(walk.step(), Step::Asking(_)));
}

#[test]
fn a_pattern_that_goes_back_over_its_text_does_not_hang() {
    let schema = json!({ "type": "string", "pattern": "(?=(a+)+$)b" });
    let request = json!({ "question": "Value?", "answer_type": "schema", "schema": schema });
    let mut walk = Walk::new(Form::read(&request, Dialect::Detect, &Host::default()).unwrap());
    for length in [100, 15_000, 1_000_000] {
        assert!(walk.act(Action::answer("a".repeat(length))).is_err());
    }
}
