//! How far a decision on a tool call reaches: no further than the agent offers, and only where the person chose it.

use crate::agents::call;
use ask_user_core::{Action, Approval, Decision, Dialect, Form, Host, Outcome, Refusal, Scope, Target, Verdict, Walk};
use serde_json::{Value, json};

fn walk(dialect: Dialect, host: &Host) -> Walk {
    Walk::new(Form::read(&call(dialect, 1), dialect, host).unwrap())
}

fn offered(walk: &Walk) -> Approval {
    walk.form().questions()[0].answer_type.approval().unwrap().clone()
}

fn answered(answer: Value) -> Result<Outcome, Refusal> {
    let mut walk = walk(Dialect::Acp, &Host::default());
    walk.act(Action::answer(answer))?;
    Ok(walk.outcome().unwrap())
}

fn grant() -> Value {
    json!({ "scope": "always", "rule": { "optionId": "ever" }, "shown": "Always allow" })
}

#[test]
fn each_dialect_with_grants_offers_them_with_the_rule_in_full() {
    let shown = |dialect| -> Vec<_> {
        let approval = offered(&walk(dialect, &Host::default()));
        approval.grants.into_iter().map(|way| (way.decision, way.scope, way.shown)).collect()
    };
    let once = |decision, shown: &str| (decision, Scope::Once, shown.to_owned());
    assert_eq!(shown(Dialect::Acp)[1], (Decision::Approve, Scope::Always, "Always allow".into()));
    assert_eq!(
        shown(Dialect::Opencode),
        [
            once(Decision::Approve, "Allow once"),
            (
                Decision::Approve,
                Scope::Session,
                "Allow edit without asking until opencode is restarted, for:\n*".into()
            ),
            once(Decision::Reject, "Reject"),
        ]
    );
    assert_eq!(shown(Dialect::Codex).last(), Some(&once(Decision::Reject, "No, and stop")));
}

#[test]
fn a_rule_that_is_not_understood_is_shown_as_it_is() {
    let rules = json!([{ "toolName": "Bash", "ruleContent": "rm:*" }]);
    for (change, whole) in [
        (json!({}), "Allow Bash(rm:*) until this session ends".to_owned()),
        (json!({ "rules": [{ "toolName": "Bash" }] }), "Allow Bash until this session ends".to_owned()),
        (json!({ "rules": [{ "toolName": "Bash", "ruleContent": { "value": "rm:*" } }] }), "\"rm:*\"".to_owned()),
        (json!({ "rules": [{ "toolName": "Bash", "until": "2027" }] }), "\"until\":\"2027\"".to_owned()),
        (json!({ "directories": ["/srv"] }), "\"/srv\"".to_owned()),
    ] {
        let mut update = json!({ "type": "addRules", "rules": rules, "behavior": "allow", "destination": "session" });
        update.as_object_mut().unwrap().extend(change.as_object().unwrap().clone());
        let request = json!({ "toolName": "Bash", "input": { "command": "rm -r x" }, "suggestions": [update] });
        let form = Form::read(&request, Dialect::Claude, &Host::default()).unwrap();
        let grants = &form.questions()[0].answer_type.approval().unwrap().grants;
        assert!(grants[1].shown.contains(&whole), "{}", grants[1].shown);
    }
}

#[test]
fn an_approval_without_a_grant_is_about_the_call_alone() {
    let outcome = answered(json!({ "type": "approve" })).unwrap();
    assert_eq!(outcome.result.unwrap()["outcome"]["optionId"], "yes");
}

#[test]
fn a_grant_is_one_of_those_that_were_offered_to_the_letter() {
    let approve = |grant: Value| answered(json!({ "type": "approve", "grant": grant }));
    assert_eq!(approve(grant()).unwrap().result.unwrap()["outcome"]["optionId"], "ever");
    for (field, other) in [
        ("scope", json!("session")),
        ("rule", json!({ "optionId": "no" })),
        ("shown", json!("Allow once")),
        ("more", json!(true)),
    ] {
        let mut changed = grant();
        changed[field] = other;
        assert_eq!(approve(changed).unwrap_err().code(), "not_an_option", "{field}");
    }
    for none in [json!("always"), json!(true), json!([]), json!({})] {
        assert_eq!(approve(none).unwrap_err().code(), "not_an_option");
    }
    // A grant of the other decision.
    let rejected = answered(json!({ "type": "reject", "grant": grant() }));
    assert_eq!(rejected.unwrap_err().code(), "not_an_option");
}

#[test]
fn the_agent_s_own_word_stands_for_its_decision() {
    let chosen = |word: &str| answered(word.into()).unwrap().result.unwrap()["outcome"]["optionId"].clone();
    assert_eq!(["yes", "ever", "no"].map(chosen), ["yes", "ever", "no"]);
    assert_eq!(answered("approve".into()).unwrap().result.unwrap()["outcome"]["optionId"], "yes");
    assert_eq!(answered("sometimes".into()).unwrap_err().code(), "not_an_option");
}

#[test]
fn an_empty_text_decides_nothing() {
    let request = json!({ "toolName": "Bash", "input": { "command": "rm -rf /" }, "suggestions": [
        { "type": "addRules", "rules": [{ "toolName": "Bash" }], "behavior": "allow", "destination": "session" },
    ] });
    for dialect in [Dialect::Claude, Dialect::Acp, Dialect::Codex, Dialect::Opencode] {
        let request = if dialect == Dialect::Claude { request.clone() } else { call(dialect, 1) };
        let mut walk = Walk::new(Form::read(&request, dialect, &Host::default()).unwrap());
        assert!(walk.act(Action::answer("")).is_err(), "{dialect:?}");
        assert!(walk.outcome().is_none());
    }
}

#[test]
fn a_permission_of_codex_that_is_not_given_has_nothing_in_it() {
    let request = json!({ "id": 1, "method": "item/permissions/requestApproval", "params": {
        "itemId": "c", "threadId": "t", "turnId": "u", "permissions": { "network": { "enabled": true } }, "reason": "?", "availableDecisions": ["turn", "cancel"],
    } });
    let form = Form::read(&request, Dialect::Codex, &Host::default()).unwrap();
    for action in [Action::answer(json!({ "type": "reject" })), Action::EndTurn, Action::Expire] {
        let mut walk = Walk::new(form.clone());
        walk.act(action).unwrap();
        let result = walk.outcome().unwrap().result.unwrap_or_default().to_string();
        assert!(!result.contains("network"), "{result}");
    }
}

#[test]
fn an_agent_cannot_give_a_decision_the_name_of_the_other() {
    let request = json!({ "toolCall": { "toolCallId": "c", "title": "T" }, "options": [
        { "optionId": "reject", "name": "Reject", "kind": "allow_always" },
        { "optionId": "approve", "name": "Approve", "kind": "reject_once" },
        { "optionId": "once", "name": "Once", "kind": "allow_once" },
    ] });
    let chosen = |word: &str| {
        let mut walk = Walk::new(Form::read(&request, Dialect::Acp, &Host::default()).unwrap());
        walk.act(Action::answer(word)).unwrap();
        walk.outcome().unwrap().result.unwrap()["outcome"]["optionId"].clone()
    };
    assert_eq!((chosen("approve"), chosen("reject")), (json!("once"), json!("approve")));
}

#[test]
fn where_nothing_holds_once_the_person_names_the_grant() {
    let request = json!({ "toolCall": { "toolCallId": "c", "title": "T" }, "options": [
        { "optionId": "ever", "name": "Always allow", "kind": "allow_always" },
        { "optionId": "no", "name": "Reject", "kind": "reject_once" },
    ] });
    let mut walk = Walk::new(Form::read(&request, Dialect::Acp, &Host::default()).unwrap());
    assert!(offered(&walk).needs_grant(Decision::Approve));
    assert_eq!(walk.act(Action::answer("approve")).unwrap_err().code(), "required");
    walk.act(Action::answer(json!({ "type": "approve", "grant": grant() }))).unwrap();
    assert_eq!(walk.outcome().unwrap().result.unwrap()["outcome"]["optionId"], "ever");
}

#[test]
fn no_assistant_and_no_configuration_gives_a_grant() {
    let always = json!({ "type": "approve", "grant": grant() });
    for word in [always.clone(), json!("ever")] {
        let host = Host { target: Target::Assistant { model: None, escalation: false }, ..Host::default() };
        let mut asked = walk(Dialect::Acp, &host);
        if let Some(record) = asked.consultation().map(|consultation| consultation.record) {
            drop(asked.act(Action::Assistant(Verdict { record, reason: None, answer: word.clone(), model: None })));
        }
        let result = asked.outcome().and_then(|outcome| outcome.result).unwrap_or_default().to_string();
        assert!(!result.contains("ever"), "{result}");

        let host = Host { static_answers: [("q1".to_owned(), word)].into_iter().collect(), ..Host::default() };
        let form = Form::read(&call(Dialect::Acp, 1), Dialect::Acp, &host);
        let result = form.ok().and_then(|form| Walk::new(form).outcome()?.result).unwrap_or_default().to_string();
        assert!(!result.contains("ever"), "{result}");
    }
}

#[test]
fn no_draft_begins_with_a_grant() {
    let always = json!({ "type": "approve", "grant": grant() });
    let mut earlier = walk(Dialect::Acp, &Host::default());
    earlier.act(Action::answer(always)).unwrap();
    let again = walk(Dialect::Acp, &Host { drafts: earlier.drafts(), ..Host::default() });
    assert!(!serde_json::to_string(&again.step()).unwrap().contains("\"grant\""));
}

#[test]
fn the_record_says_what_was_offered_and_what_was_granted() {
    let mut walk = walk(Dialect::Acp, &Host::default());
    walk.act(Action::answer(json!({ "type": "approve", "grant": grant() }))).unwrap();
    let records: Vec<Value> = walk.records().map(|record| json!(record)).collect();
    assert_eq!(records[0]["question"]["answer_type"]["grants"][1]["shown"], "Always allow");
    assert_eq!(records[1]["answer"]["grant"], grant());
    // The walk says the same when it is resumed.
    let form = Form::read(&call(Dialect::Acp, 1), Dialect::Acp, &Host::default()).unwrap();
    let resumed = Walk::resume(form, &walk.save()).unwrap();
    assert_eq!(resumed.outcome(), walk.outcome());
}
