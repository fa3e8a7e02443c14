//! Properties of the public types.

use ask_user_core::{
    Dialect, Form, Format, Host, Limits, NewCondition, NewOption, NewQuestion, Outcome, Progress, Refusal, Rejection,
    Step, Walk,
};
use serde_json::json;

#[test]
fn public_values_can_be_sent_between_threads() {
    fn crosses<T: Send + Sync>() {}
    crosses::<Form>();
    crosses::<Walk>();
    crosses::<Rejection>();
    crosses::<Refusal>();
    crosses::<Step>();
    crosses::<Outcome>();
}

#[test]
fn a_step_takes_a_few_machine_words() {
    assert!(size_of::<Step>() <= 96, "{} bytes", size_of::<Step>());
    assert!(size_of::<Refusal>() <= 64, "{} bytes", size_of::<Refusal>());
}

#[test]
fn progress_is_a_pair_in_json() {
    let progress = Progress { at: 2, of: Some(3) };
    let json = serde_json::json!([2, 3]);
    assert_eq!(serde_json::to_value(progress).unwrap(), json);
    assert_eq!(serde_json::from_value::<Progress>(json).unwrap(), progress);
}

#[test]
fn questions_made_in_rust_are_the_request_that_an_agent_would_send() {
    let staging = NewOption::new("staging").label("Staging").description("No users").preview("s-1").recommended();
    let made = [
        NewQuestion::boolean("go", "Go on?").header("First").context("**Now**").danger(),
        NewQuestion::select("env", "Where?", [staging, NewOption::from("production").danger()])
            .other()
            .when(NewCondition::all([NewCondition::equals("go", true), NewCondition::answered("go", true)])),
        NewQuestion::multi_select("parts", "Which?", ["a", "b", "c"])
            .min_selections(1)
            .max_selections(2)
            .suggest(json!(["a"])),
        NewQuestion::text("why", "Why?")
            .min_length(2)
            .max_length(80)
            .pattern("^[A-Z]")
            .placeholder("Because")
            .optional(),
        NewQuestion::text("mail", "To whom?").format(Format::Email).when(!NewCondition::any([
            NewCondition::one_of("env", ["production"]),
            NewCondition::contains("parts", "c"),
        ])),
        NewQuestion::number("many", "How many?").minimum(1).maximum(9.5).integer(),
        NewQuestion::secret("token", "Which token?"),
        NewQuestion::schema("config", "Which configuration?", json!({ "type": "object" })),
    ];
    let sent = json!({ "questions": [
        { "id": "go", "text": "Go on?", "answer_type": "boolean", "header": "First", "context": "**Now**", "danger": true },
        { "id": "env", "text": "Where?", "answer_type": "select", "options": [
            { "value": "staging", "label": "Staging", "description": "No users", "preview": "s-1", "recommended": true },
            { "value": "production", "danger": true }
        ], "other": true, "when": { "all": [
            { "question_id": "go", "equals": true }, { "question_id": "go", "answered": true }
        ] } },
        { "id": "parts", "text": "Which?", "answer_type": "multi_select",
          "options": [{ "value": "a" }, { "value": "b" }, { "value": "c" }],
          "min_selections": 1, "max_selections": 2, "default": ["a"] },
        { "id": "why", "text": "Why?", "answer_type": "text", "min_length": 2, "max_length": 80, "pattern": "^[A-Z]",
          "placeholder": "Because", "optional": true },
        { "id": "mail", "text": "To whom?", "answer_type": "text", "format": "email", "when": { "not": { "any": [
            { "question_id": "env", "in": ["production"] }, { "question_id": "parts", "contains": "c" }
        ] } } },
        { "id": "many", "text": "How many?", "answer_type": "number", "minimum": 1, "maximum": 9.5, "integer": true },
        { "id": "token", "text": "Which token?", "answer_type": "secret" },
        { "id": "config", "text": "Which configuration?", "answer_type": "schema", "schema": { "type": "object" } },
    ] });
    assert_eq!(NewQuestion::request(made.clone()), sent);
    let host = Host::default();
    assert_eq!(Form::of(made.clone(), &host), Form::read(&sent, Dialect::AskUser, &host));
    assert_eq!(Form::of(made.clone(), &host).unwrap().warnings(), []);
    let few = Host { limits: Limits { questions: Some(7), ..Limits::default() }, ..Host::default() };
    assert_eq!(Form::of(made, &few), Form::read(&sent, Dialect::AskUser, &few));
    let none = Form::of([], &host).unwrap_err();
    assert_eq!(none.problems.iter().map(|problem| problem.code()).collect::<Vec<_>>(), ["empty_questions"]);
}
