//! What a host says of tool calls: it is shown and recorded, and takes nothing back of what is found.

use ask_user_core::{Dialect, Form, Host, RiskKind, Walk};
use serde_json::{Value, json};

fn two_calls() -> Value {
    json!({
        "action_requests": [
            { "name": "delete_branches", "args": { "count": 14 } },
            { "name": "bash", "args": { "command": "git push --force" } },
        ],
        "review_configs": [
            { "action_name": "delete_branches", "allowed_decisions": ["approve", "reject"] },
            { "action_name": "bash", "allowed_decisions": ["approve", "reject"] },
        ],
    })
}

fn form(risks: &Value) -> Form {
    let host = Host::from_json(&json!({ "risks": risks })).unwrap();
    Form::read(&two_calls(), Dialect::Langchain, &host).unwrap()
}

/// What is said of a call: its risks, and its button.
type Said = (Vec<(RiskKind, String)>, Option<String>);

/// What is said of each call.
fn said(form: &Form) -> Vec<Said> {
    let approvals = form.questions().iter().filter_map(|question| question.answer_type.approval());
    let risks = approvals.map(|call| (call.risks(), call.action.clone()));
    risks.map(|(risks, action)| (risks.into_iter().map(|risk| (risk.kind, risk.found)).collect(), action)).collect()
}

#[test]
fn what_a_host_states_is_said_of_its_tool_and_its_question_beside_what_is_found() {
    let form = form(&json!([
        { "tool": "delete_branches", "text": "Two are not merged.", "action": "Delete 14 branches" },
        { "tool": "delete_branches", "action": "Not this one" },
        { "question": "q2", "text": "Others work on it." },
        { "question": "q9", "text": "Nobody asks it." },
    ]));
    let named = "delete_branches".to_owned();
    let stated = |text: &str| (RiskKind::Stated, text.to_owned());
    assert_eq!(
        said(&form),
        [
            (vec![stated("Two are not merged."), (RiskKind::Deletes, named)], Some("Delete 14 branches".to_owned())),
            (vec![stated("Others work on it."), (RiskKind::Overwrites, "git push --force".into())], None),
        ]
    );
    let question = serde_json::to_value(&form.questions()[0]).unwrap();
    assert_eq!(question["risks"][0], json!({ "kind": "stated", "found": "Two are not merged." }));
    assert_eq!(question["action"], json!("Delete 14 branches"));
}

#[test]
fn what_names_a_call_comes_before_what_is_said_of_every_call() {
    let mut risks: Vec<Value> =
        (0..9).map(|place| json!({ "text": format!("Risk {place}"), "action": "Do it" })).collect();
    risks.push(json!({ "question": "q2", "text": "Others work on it.", "action": "Overwrite" }));
    let said = said(&form(&json!(risks)));
    assert_eq!((said[0].0[0].1.as_str(), said[0].1.as_deref()), ("Risk 0", Some("Do it")));
    assert_eq!((said[1].0[0].1.as_str(), said[1].1.as_deref()), ("Others work on it.", Some("Overwrite")));
}

#[test]
fn however_much_a_host_states_what_is_found_is_still_said() {
    let many: Vec<Value> = (0..100).map(|place| json!({ "text": format!("Risk {place}") })).collect();
    let said = said(&form(&json!(many)));
    assert_eq!(said[1].0.len(), 6);
    assert_eq!(said[1].0.last().unwrap().0, RiskKind::Overwrites);
}

#[test]
fn what_a_host_has_stated_is_in_the_records_and_a_walk_goes_on_with_what_it_states_now() {
    let stated = |text: &str| form(&json!([{ "tool": "delete_branches", "text": text, "action": "Delete" }]));
    let walk = Walk::new(stated("14 branches."));
    let mut walk = Walk::resume(stated("15 branches."), &walk.save()).unwrap();
    walk.answer_all(vec![("q1".into(), json!("approve").into()), ("q2".into(), json!("reject").into())]).unwrap();
    let records: Vec<Value> = walk.records().map(|record| json!(record)).collect();
    let asked = records.iter().find_map(|record| record["question"].get("answer_type")).unwrap();
    assert_eq!((&asked["risks"][0]["found"], &asked["action"]), (&json!("15 branches."), &json!("Delete")));
}

#[test]
fn an_option_that_says_nothing_or_too_much_is_refused_with_what_it_must_be() {
    for wrong in [
        json!({}),
        json!([{}]),
        json!([{ "tool": "bash" }]),
        json!([{ "text": " " }]),
        json!([{ "action": "" }]),
        json!([{ "action": "Delete\nnothing" }]),
        json!([{ "action": "x".repeat(61) }]),
        json!([{ "text": "x".repeat(501) }]),
        json!([{ "text": "x", "level": "high" }]),
        json!([{ "text": "x", "tool": null }]),
        Value::Array(vec![json!({ "text": "x" }); 101]),
    ] {
        let error = Host::from_json(&json!({ "risks": wrong })).unwrap_err().to_string();
        assert!(error.starts_with("The option \"risks\" must be a list of at most 100 objects, each with"), "{error}");
    }
}
