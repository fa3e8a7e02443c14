//! How far a decision on a tool call reaches: no further than the agent offers, and only where the person chose it.

use crate::agents::call;
use ask_user_core::{
    Action, Approval, Decision, Dialect, Form, Host, Outcome, Refusal, SENTENCES, Scope, Target, Verdict, Walk, Wording,
};
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
        (
            json!({ "type": "removeRules", "behavior": "deny" }),
            "Stop refusing Bash(rm:*) until this session ends".into(),
        ),
        (
            json!({ "type": "removeRules", "behavior": "allow" }),
            "Stop allowing Bash(rm:*) until this session ends".into(),
        ),
        (
            json!({ "type": "replaceRules", "behavior": "deny" }),
            "Refuse Bash(rm:*), and remove every other rule that refuses a call until this session ends".into(),
        ),
        (json!({ "rules": [] }), "\"rules\":[]".to_owned()),
        (json!({ "type": "removeRules", "behavior": null }), "\"type\":\"removeRules\"".to_owned()),
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
        "itemId": "c", "threadId": "t", "turnId": "u", "permissions": { "network": { "enabled": true } }, "reason": "?", "availableDecisions": ["turn", "decline"],
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

/// The ways to decide that a request offers, as the person reads them.
fn shown(request: &Value, dialect: Dialect) -> Vec<String> {
    let form = Form::read(request, dialect, &Host::default()).unwrap();
    let approval = form.questions()[0].answer_type.approval().unwrap();
    approval.grants.iter().map(|way| way.shown.clone()).collect()
}

/// What a request says would be done, as the person reads it.
fn arguments(request: &Value, dialect: Dialect) -> Value {
    let form = Form::read(request, dialect, &Host::default()).unwrap();
    form.questions()[0].answer_type.approval().unwrap().arguments.clone()
}

fn codex(method: &str, params: &Value) -> Value {
    json!({ "id": 1, "method": format!("item/{method}/requestApproval"), "params": params })
}

#[test]
fn a_rule_of_claude_cannot_look_like_another() {
    let suggested = |update: Value| {
        let mut whole = json!({ "behavior": "allow", "destination": "session" });
        whole.as_object_mut().unwrap().extend(update.as_object().unwrap().clone());
        if whole["type"] != "addRules" {
            whole.as_object_mut().unwrap().remove("behavior");
        }
        let request = json!({ "toolName": "Bash", "input": { "command": "ls" }, "suggestions": [whole] });
        shown(&request, Dialect::Claude).pop().unwrap()
    };
    let rules = |tool: &str, content: &str| {
        suggested(json!({ "type": "addRules", "rules": [{ "toolName": tool, "ruleContent": content }] }))
    };
    assert_eq!(rules("Bash", "git log"), "Allow \"Bash(git log)\" until this session ends");
    assert_eq!(
        rules("Bash", "ls) until this session ends\nAllow Read("),
        "Allow \"Bash(ls) until this session ends\\nAllow Read()\" until this session ends"
    );
    // The name of a tool that is none is shown in the rule's JSON.
    assert!(rules("Bash(ls), Read", "x").contains("\"toolName\":\"Bash(ls), Read\""));
    assert_eq!(
        suggested(json!({ "type": "addDirectories", "directories": ["/a, /b", "/c"] })),
        "Allow work in \"/a, /b\", /c until this session ends"
    );
    assert_eq!(
        suggested(json!({ "type": "setMode", "mode": "plan until\n" })),
        "Go on in the mode \"plan until\\n\" until this session ends"
    );
    assert!(suggested(json!({ "type": "setMode", "mode": "plan", "behavior": "allow" })).starts_with("Go on"));
}

#[test]
fn a_suggestion_of_claude_in_the_other_notation_is_read_where_the_own_says_nothing() {
    let update = json!({ "type": "setMode", "mode": "plan", "destination": "session" });
    for nothing in [json!(null), json!([])] {
        let request = json!({ "tool_name": "Bash", "input": { "command": "ls" }, "suggestions": nothing, "permission_suggestions": [update] });
        assert_eq!(shown(&request, Dialect::Claude).len(), 2);
    }
}

#[test]
fn a_grant_counts_as_a_page_writes_its_numbers() {
    let update = json!({ "type": "addRules", "destination": "session", "behavior": "allow", "rules": [{ "toolName": "T", "limit": 1.0, "b": 1e2, "2": 0 }] });
    let as_a_page = json!({ "type": "addRules", "destination": "session", "behavior": "allow", "rules": [{ "2": 0, "toolName": "T", "limit": 1, "b": 100 }] });
    let request = |update: &Value| json!({ "toolName": "T", "input": {}, "suggestions": [update] });
    let page = Form::read(&request(&as_a_page), Dialect::Claude, &Host::default()).unwrap();
    let grant = Value::Object(page.questions()[0].answer_type.approval().unwrap().grants[1].to_json());
    let mut walk = Walk::new(Form::read(&request(&update), Dialect::Claude, &Host::default()).unwrap());
    walk.act(Action::answer(json!({ "type": "approve", "grant": grant }))).unwrap();
    // The agent gets the rule as it sent it.
    assert_eq!(walk.outcome().unwrap().result.unwrap()["updatedPermissions"], json!([update]));
}

#[test]
fn a_prefix_of_codex_is_shown_word_by_word() {
    let amended = |rule: Value| {
        let params = json!({ "command": "git add .", "availableDecisions": ["accept", { "acceptWithExecpolicyAmendment": rule }, "cancel"] });
        shown(&codex("commandExecution", &params), Dialect::Codex).remove(1)
    };
    const BEGINS: &str = "Run commands that begin with this without asking: ";
    assert_eq!(amended(json!({ "execpolicy_amendment": ["git", "add"] })), [BEGINS, "git add"].concat());
    assert_eq!(amended(json!({ "execpolicy_amendment": ["git add"] })), [BEGINS, "\"git add\""].concat());
    assert_eq!(amended(json!({ "execpolicy_amendment": [] })), "Run every command without asking");
    let also = json!({ "execpolicy_amendment": ["ls"], "also": ["rm"] });
    assert_eq!(amended(also), [BEGINS, "{\"also\":[\"rm\"],\"execpolicy_amendment\":[\"ls\"]}"].concat());
}

#[test]
fn a_rule_of_codex_for_hosts_is_shown_in_full() {
    let amended = |rule: Value| {
        let params = json!({ "command": "curl", "availableDecisions": ["accept", { "applyNetworkPolicyAmendment": rule }, "cancel"] });
        shown(&codex("commandExecution", &params), Dialect::Codex).remove(1)
    };
    assert_eq!(
        amended(json!({ "host": "a.example", "action": "allow" })),
        "Allow connections to a.example without asking"
    );
    let other = |rule: Value| amended(json!({ "network_policy_amendment": rule }));
    assert_eq!(
        other(json!({ "host": "", "action": "allow" })),
        "Allow connections without asking: {\"network_policy_amendment\":{\"action\":\"allow\",\"host\":\"\"}}"
    );
    assert!(other(json!({ "host": "a.example", "action": "deny", "ports": "all" })).contains("\"ports\":\"all\""));
    assert_eq!(
        other(json!({ "host": "a.example and all others", "action": "allow" })),
        "Allow connections to \"a.example and all others\" without asking"
    );
}

#[test]
fn codex_offers_the_decisions_of_its_request_alone() {
    for (method, params, word) in [
        ("commandExecution", json!({ "command": "ls" }), "turn"),
        ("commandExecution", json!({ "command": "ls" }), "session"),
        ("fileChange", json!({ "changes": ["a"] }), "turn"),
        ("permissions", json!({ "permissions": { "network": { "enabled": true } } }), "accept"),
        ("permissions", json!({ "permissions": { "network": { "enabled": true } } }), "cancel"),
    ] {
        let mut params = params.clone();
        params["availableDecisions"] = json!([word]);
        let errors = Form::read(&codex(method, &params), Dialect::Codex, &Host::default()).unwrap_err();
        assert_eq!(errors.problems[0].code(), "unknown_answer_type", "{method} {word}");
    }
    let rule = json!({ "acceptWithExecpolicyAmendment": { "execpolicy_amendment": ["ls"] } });
    let params = json!({ "changes": ["a"], "availableDecisions": ["accept", rule] });
    assert!(Form::read(&codex("fileChange", &params), Dialect::Codex, &Host::default()).is_err());
}

#[test]
fn codex_says_what_a_session_keeps() {
    let session = |params: Value| shown(&codex("commandExecution", &params), Dialect::Codex).remove(1);
    for nothing in [json!({}), json!({ "additionalPermissions": {} }), json!({ "networkApprovalContext": {} })] {
        let mut params = json!({ "command": "ls" });
        params.as_object_mut().unwrap().extend(nothing.as_object().unwrap().clone());
        assert_eq!(session(params), "Run the same command without asking until this session ends");
    }
    let host = json!({ "host": "a.example", "protocol": "https" });
    assert_eq!(
        session(json!({ "networkApprovalContext": host })),
        "Allow connections to this host without asking until this session ends"
    );
    // A command beside it may be kept, too.
    assert_eq!(
        session(json!({ "command": "ls", "networkApprovalContext": host })),
        "Run the same command without asking until this session ends\nAllow connections to this host without asking until this session ends"
    );
    let more = json!({ "network": { "enabled": true } });
    assert_eq!(
        session(json!({ "command": "ls", "additionalPermissions": more })),
        "Run the same command without asking until this session ends\nAllow these permissions without asking until this session ends"
    );
}

#[test]
fn codex_asks_for_nothing_that_nobody_sees() {
    let host = json!({ "host": "a.example", "protocol": "https" });
    for (method, params) in [
        ("fileChange", json!({ "networkApprovalContext": host })),
        ("permissions", json!({ "networkApprovalContext": host })),
        ("fileChange", json!({ "changes": [] })),
        ("fileChange", json!({ "changes": {} })),
        ("commandExecution", json!({ "command": "" })),
    ] {
        let errors = Form::read(&codex(method, &params), Dialect::Codex, &Host::default()).unwrap_err();
        assert_eq!(errors.problems[0].code(), "missing_field", "{method} {params}");
    }
    let params = json!({ "threadId": "t", "command": "ls", "kind": "sandbox", "environmentId": "production" });
    assert_eq!(
        arguments(&codex("commandExecution", &params), Dialect::Codex),
        json!({ "command": "ls", "kind": "sandbox", "environmentId": "production" })
    );
}

#[test]
fn codex_gets_a_decision_where_nobody_decided() {
    for (method, params, expected) in [
        (
            "commandExecution",
            json!({ "command": "ls", "availableDecisions": ["accept"] }),
            json!({ "decision": "cancel" }),
        ),
        (
            "permissions",
            json!({ "permissions": { "a": 1 }, "availableDecisions": ["turn"] }),
            json!({ "permissions": {}, "scope": "turn" }),
        ),
    ] {
        for action in [Action::EndTurn, Action::Expire] {
            let mut walk = Walk::new(Form::read(&codex(method, &params), Dialect::Codex, &Host::default()).unwrap());
            walk.act(action).unwrap();
            assert_eq!(walk.outcome().unwrap().result.unwrap()["result"], expected);
        }
    }
}

#[test]
fn all_that_a_subject_of_acp_has_is_shown() {
    let options = json!([{ "optionId": "y", "name": "Yes", "kind": "allow_once" }, { "optionId": "n", "name": "No", "kind": "reject_once" }]);
    let of = |request: Value| {
        let mut request = request;
        request["title"] = json!("T");
        request["options"] = options.clone();
        arguments(&request, Dialect::Acp)
    };
    let call = json!({ "toolCallId": "c", "title": "T", "rawInput": { "path": "a" } });
    assert_eq!(of(json!({ "toolCall": call })), json!({ "path": "a" }));
    assert_eq!(of(json!({ "subject": { "type": "tool_call", "toolCall": call } })), json!({ "path": "a" }));
    assert_eq!(
        of(json!({ "subject": { "type": "command", "command": "ls", "cwd": "/", "env": { "A": "1" } } })),
        json!({ "command": "ls", "cwd": "/", "env": { "A": "1" } })
    );
    assert_eq!(of(json!({ "subject": { "type": "_x", "drops": "all" } })), json!({ "type": "_x", "drops": "all" }));
    let command = json!({ "type": "command", "command": "rm -r /" });
    assert_eq!(
        of(json!({ "subject": command, "toolCall": call })),
        json!({ "rawInput": { "path": "a" }, "command": "rm -r /" })
    );
    let both = json!({ "type": "tool_call", "toolCall": call, "command": "rm -r /" });
    assert_eq!(of(json!({ "subject": both })), json!({ "rawInput": { "path": "a" }, "command": "rm -r /" }));
    let other = json!({ "toolCallId": "d", "rawInput": { "path": "b" } });
    let two = of(json!({ "subject": { "type": "tool_call", "toolCall": call }, "toolCall": other }));
    assert_eq!(two, json!({ "rawInput": { "path": "a" }, "toolCall": other }));
    // A name that is taken takes nothing away.
    let taken = json!({ "toolCallId": "c", "title": "T", "x": 1, "request.x": "rm -r /" });
    assert_eq!(
        of(json!({ "toolCall": taken, "x": 2 })),
        json!({ "x": 1, "request.x": "rm -r /", "request.request.x": 2 })
    );
    // What a later version adds.
    assert_eq!(of(json!({ "toolCall": call, "risk": "high" })), json!({ "rawInput": { "path": "a" }, "risk": "high" }));
}

#[test]
fn of_several_ways_to_approve_once_the_person_names_one() {
    let request = json!({ "toolCall": { "toolCallId": "c", "title": "T" }, "options": [
        { "optionId": "a", "name": "Yes", "kind": "allow_once" },
        { "optionId": "b", "name": "Yes, and stop asking", "kind": "allow_once" },
        { "optionId": "n", "name": "No", "kind": "reject_once" },
        { "optionId": "m", "name": "No, and stop", "kind": "reject_once" },
    ] });
    let mut walk = Walk::new(Form::read(&request, Dialect::Acp, &Host::default()).unwrap());
    assert_eq!(walk.act(Action::answer(json!({ "type": "approve" }))).unwrap_err().code(), "required");
    walk.act(Action::answer("a")).unwrap();
    assert_eq!(walk.outcome().unwrap().result.unwrap()["outcome"]["optionId"], "a");
    let mut walk = Walk::new(Form::read(&request, Dialect::Acp, &Host::default()).unwrap());
    walk.act(Action::answer(json!({ "type": "reject" }))).unwrap();
    assert_eq!(walk.outcome().unwrap().result.unwrap()["outcome"]["optionId"], "n");
}

#[test]
fn no_two_ways_of_acp_read_alike() {
    let option = |(id, name): &(&str, &str)| json!({ "optionId": id, "name": name, "kind": "allow_once" });
    let of = |options: &[(&str, &str)]| {
        let options: Vec<Value> = options.iter().map(option).collect();
        shown(&json!({ "toolCall": { "toolCallId": "c", "title": "T" }, "options": options }), Dialect::Acp)
    };
    assert_eq!(of(&[("a", "Yes"), ("b", "Yes")]), ["Yes (a)", "Yes (b)"]);
    assert_eq!(of(&[("a", "Yes"), ("b", "Yes"), ("c", "Yes (a)")]), ["1. Yes (a)", "2. Yes (b)", "3. Yes (a)"]);
}

#[test]
fn a_control_request_of_claude_gets_a_result_where_nobody_answered() {
    let questions = json!([{ "question": "Which?", "header": "H", "multiSelect": false, "options": [{ "label": "A", "description": "a" }, { "label": "B", "description": "b" }] }]);
    let request = json!({ "type": "control_request", "request_id": "r", "request": { "subtype": "can_use_tool", "tool_name": "AskUserQuestion", "input": { "questions": questions } } });
    for (action, interrupts) in [(Action::EndTurn, true), (Action::Expire, false)] {
        let mut walk = Walk::new(Form::read(&request, Dialect::Claude, &Host::default()).unwrap());
        walk.act(action).unwrap();
        let result = walk.outcome().unwrap().result.unwrap();
        assert_eq!(result["response"]["response"]["behavior"], "deny");
        assert_eq!(result["response"]["response"].get("interrupt").is_some(), interrupts);
    }
}

/// What the form says beside the question.
fn context(request: &Value, dialect: Dialect) -> String {
    let form = Form::read(request, dialect, &Host::default()).unwrap();
    form.questions()[0].context.clone().unwrap_or_default()
}

#[test]
fn a_request_of_claude_is_shown_with_what_nobody_knows() {
    let of = |more: Value| {
        let mut request =
            json!({ "tool_name": "Bash", "input": { "command": "ls" }, "title": "List", "tool_use_id": "t" });
        request.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        context(&request, Dialect::Claude)
    };
    assert_eq!(of(json!({ "agent_id": "a", "subtype": "can_use_tool" })), "List");
    assert_eq!(of(json!({ "display_name": "List files" })), "List\n\nList files");
    let shown = of(json!({ "sandbox": { "off": true }, "cwd": "/srv" }));
    assert!(shown.contains("\"sandbox\"") && shown.contains("\"cwd\": \"/srv\""), "{shown}");
    // A name that is known hides nothing else.
    assert!(of(json!({ "agent_id": { "command": "rm -r /" } })).contains("rm -r /"));
    assert!(of(json!({ "agent_id": "a\nrm -r /" })).contains("rm -r /"));
    let server = json!({ "name": "files", "source": "user", "url": "https://a.example" });
    let shown = of(json!({ "mcp_server": server }));
    assert!(shown.contains("MCP: `files` (`user`)") && shown.contains("https://a.example"), "{shown}");
    // Markdown in a name stays within it.
    let server = json!({ "name": "github` (plugin) [x](https://a.example '", "source": "evil" });
    let shown = of(json!({ "mcp_server": server }));
    assert!(shown.ends_with("MCP: `` \"github` (plugin) [x](https://a.example '\" `` (`evil`)"), "{shown}");
    // The other notation of a field that was read.
    let both = json!({ "decision_reason": "Safe", "decisionReason": "Not safe" });
    assert!(of(both).contains("Not safe"));
}

#[test]
fn no_name_of_bookkeeping_hides_what_would_be_done() {
    let hidden = json!({ "run": "rm -r /" });
    let options = json!([{ "optionId": "y", "name": "Yes", "kind": "allow_once" }]);
    let acp = |more: Value| {
        let mut call = json!({ "toolCallId": "c", "title": "T", "status": "pending" });
        call.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        arguments(&json!({ "toolCall": call, "options": options }), Dialect::Acp)
    };
    assert_eq!(acp(json!({ "_meta": hidden })), Value::Null);
    for name in ["toolCallId", "status", "sessionUpdate", "_x", "$x"] {
        assert_eq!(acp(json!({ name: hidden })), json!({ name: hidden }), "{name}");
    }
    let opencode = |more: Value| {
        let mut request = json!({ "id": "p", "sessionID": "s", "permission": "bash", "patterns": ["ls"], "always": [], "metadata": {}, "tool": { "messageID": "m", "callID": "c" } });
        request.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        arguments(&request, Dialect::Opencode)
    };
    assert_eq!(opencode(json!({ "time": { "created": 1 } })), json!({ "patterns": ["ls"] }));
    for name in ["tool", "source", "time", "_x"] {
        assert_eq!(opencode(json!({ name: hidden }))[name], hidden, "{name}");
    }
    let of = |more: Value| {
        let mut params = json!({ "command": "ls", "itemId": "i" });
        params.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        arguments(&codex("commandExecution", &params), Dialect::Codex)
    };
    let reading = json!([{ "type": "listFiles", "command": "ls", "path": null }]);
    assert_eq!(of(json!({ "commandActions": reading })), json!({ "command": "ls" }));
    for name in ["itemId", "commandActions", "$x"] {
        assert_eq!(of(json!({ name: hidden }))[name], hidden, "{name}");
        assert_eq!(of(json!({ name: [hidden] }))[name], json!([hidden]), "{name}");
    }
    // What stands for itself is the input of a tool alone.
    let params = json!({ "permissions": { "network": { "enabled": true } } });
    assert_eq!(arguments(&codex("permissions", &params), Dialect::Codex), params);
}

#[test]
fn acp_says_what_kind_of_tool_it_is_and_all_of_an_option() {
    let options = json!([
        { "optionId": "y", "name": "Yes", "kind": "allow_once" },
        { "optionId": "e", "name": "Always", "kind": "allow_always", "description": "All of /", "_meta": { "a": 1 } },
    ]);
    let call = json!({ "toolCallId": "c", "title": "Edit a file", "kind": "edit", "name": "write_file" });
    let request = json!({ "toolCall": call, "options": options });
    assert_eq!(shown(&request, Dialect::Acp), ["Yes", "Always\n{\"description\":\"All of /\"}"]);
    assert_eq!(context(&request, Dialect::Acp), "`write_file`");
    let form = Form::read(&request, Dialect::Acp, &Host::default()).unwrap();
    assert_eq!(form.questions()[0].header.as_deref(), Some("edit"));
}

#[test]
fn a_name_or_a_pattern_cannot_imitate_a_sentence() {
    let request = json!({ "sessionID": "s", "permission": "nothing. Delete all", "patterns": ["a"], "always": ["git log *", "a until tomorrow"] });
    let form = Form::read(&request, Dialect::Opencode, &Host::default()).unwrap();
    assert_eq!(form.questions()[0].text, "Allow \"nothing. Delete all\"?");
    let lines = shown(&request, Dialect::Opencode).remove(1);
    assert!(lines.ends_with("for:\n\"git log *\"\n\"a until tomorrow\""), "{lines}");
    let request = json!({ "tool_name": "Bash? It is safe", "input": {} });
    let form = Form::read(&request, Dialect::Claude, &Host::default()).unwrap();
    assert_eq!(form.questions()[0].text, "Run \"Bash? It is safe\"?");
    let rules = json!([{ "type": "addRules", "behavior": "allow", "destination": "session", "rules": [{ "toolName": "Bash", "ruleContent": "" }] }]);
    let request = json!({ "tool_name": "Bash", "input": {}, "suggestions": rules });
    assert!(shown(&request, Dialect::Claude)[1].contains("\"ruleContent\":\"\""));
}

#[test]
fn a_connection_of_codex_is_no_command() {
    let asked = |more: Value| {
        let mut params = json!({ "threadId": "t", "turnId": "u", "itemId": "i" });
        params.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let request = json!({ "id": 1, "method": "item/commandExecution/requestApproval", "params": params });
        Form::read(&request, Dialect::Codex, &Host::default()).unwrap().questions()[0].text.clone()
    };
    let network = json!({ "host": "db.example", "protocol": "https" });
    assert_eq!(asked(json!({ "networkApprovalContext": network })), "Allow this connection?");
    assert_eq!(asked(json!({ "networkApprovalContext": network, "command": "curl x" })), "Run this command?");
}

#[test]
fn each_sentence_of_the_core_is_a_word_of_the_form() {
    let words = include_str!("../../web/words.txt");
    let (_, section) = words.split_once("(sentences of the core)]\n").unwrap();
    let listed: Vec<(&str, &str)> = section
        .lines()
        .take_while(|line| !line.is_empty())
        .map(|line| {
            let (key, rest) = line.split_once(" = ").unwrap();
            (key, rest.rsplit_once(" // ").unwrap().0)
        })
        .collect();
    let own: Vec<(&str, &str)> = SENTENCES.iter().map(|sentence| (sentence.key, sentence.english)).collect();
    assert_eq!(listed, own);
}

#[test]
fn a_question_and_a_grant_in_parts_say_what_they_show() {
    let mut sentences = 0;
    let update =
        json!({ "type": "addRules", "rules": [{ "toolName": "Bash" }], "behavior": "allow", "destination": "session" });
    let claude = json!({ "toolName": "Bash", "input": {}, "suggestions": [update] });
    let mut walks = vec![Walk::new(Form::read(&claude, Dialect::Claude, &Host::default()).unwrap())];
    for dialect in [Dialect::Acp, Dialect::Codex, Dialect::Opencode] {
        walks.push(walk(dialect, &Host::default()));
    }
    for walk in walks {
        let question = &walk.form().questions()[0];
        if let Some(wording) = &question.wording {
            assert_eq!(wording.english(), question.text);
        }
        for way in offered(&walk).grants {
            let said: Vec<String> = way.wording.iter().map(Wording::english).collect();
            assert_eq!(said.join("\n"), way.shown);
            sentences += way.wording.iter().filter(|part| matches!(part, Wording::Phrase(_))).count();
        }
    }
    assert!(sentences > 8, "{sentences}");
    // A value that looks like a place for one stays as it is.
    let request = json!({ "sessionID": "s", "id": "p", "permission": "{what}", "patterns": ["x"], "always": ["x"] });
    let form = Form::read(&request, Dialect::Opencode, &Host::default()).unwrap();
    assert_eq!(form.questions()[0].text, "Allow \"{what}\"?");
}

/// How many of the earlier calls the grant of a request covers.
fn covered(dialect: Dialect, request: &Value, calls: &Value) -> Option<(usize, usize)> {
    let host = Host::from_json(&json!({ "calls": calls })).unwrap();
    let form = Form::read(request, dialect, &host).unwrap();
    let approval = form.questions()[0].answer_type.approval().unwrap();
    let covered = approval.grants.iter().find_map(|way| way.covered)?;
    Some((covered.calls, covered.of))
}

fn bash(commands: &[&str]) -> Value {
    commands.iter().map(|command| json!({ "tool": "Bash", "arguments": { "command": command } })).collect()
}

#[test]
fn a_rule_of_claude_says_how_many_earlier_calls_it_would_have_covered() {
    let of = |rule: Value, calls: &Value| {
        let update =
            json!({ "type": "addRules", "rules": [rule], "behavior": "allow", "destination": "localSettings" });
        let request = json!({ "toolName": "Bash", "input": { "command": "npm test" }, "suggestions": [update] });
        covered(Dialect::Claude, &request, calls)
    };
    let npm = json!({ "toolName": "Bash", "ruleContent": "npm run:*" });
    assert_eq!(of(npm.clone(), &bash(&["npm run a", "npm run", "npm runner", "ls"])), Some((2, 4)));
    assert_eq!(of(npm.clone(), &json!([])), None);
    // A shell reads more than one command, or what nobody can foresee.
    for command in ["npm run a && rm -r x", "npm run $(x)", "npm run a; b", "npm run 'a'", "npm run a\nb"] {
        assert_eq!(of(npm.clone(), &bash(&[command])), None, "{command}");
    }
    let exact = json!({ "toolName": "Bash", "ruleContent": "a && b" });
    assert_eq!(of(exact, &bash(&["a && b", "a"])), Some((1, 2)));
    assert_eq!(of(json!({ "toolName": "Bash" }), &bash(&["x; y", "z"])), Some((2, 2)));
    assert_eq!(of(json!({ "toolName": "Bash", "ruleContent": "npm * x" }), &bash(&["npm a x"])), None);
    let tools = json!([{ "tool": "mcp__files__read" }, { "tool": "mcp__filesystem__read" }, { "tool": "mcp__files" }]);
    assert_eq!(of(json!({ "toolName": "mcp__files" }), &tools), Some((2, 3)));
    assert_eq!(of(json!({ "toolName": "mcp__files__*" }), &tools), Some((1, 3)));
    assert_eq!(of(json!({ "toolName": "mcp__files__read" }), &tools), Some((1, 3)));
    let write = json!([{ "tool": "Write", "arguments": { "file_path": "/a" } }]);
    assert_eq!(of(json!({ "toolName": "Edit" }), &write), None);
    assert_eq!(of(json!({ "toolName": "Edit", "ruleContent": "/a" }), &write), None);
    assert_eq!(of(json!({ "toolName": "Write" }), &write), Some((1, 1)));
}

#[test]
fn only_rules_that_allow_further_calls_are_counted() {
    let rules = json!([{ "toolName": "Bash" }]);
    for update in [
        json!({ "type": "addRules", "rules": rules, "behavior": "deny", "destination": "session" }),
        json!({ "type": "removeRules", "rules": rules, "behavior": "allow", "destination": "session" }),
        json!({ "type": "setMode", "mode": "acceptEdits", "destination": "session" }),
    ] {
        let request = json!({ "toolName": "Bash", "input": { "command": "x" }, "suggestions": [update] });
        assert_eq!(covered(Dialect::Claude, &request, &bash(&["x"])), None);
    }
    assert_eq!(covered(Dialect::Acp, &call(Dialect::Acp, 1), &bash(&["x"])), None);
}

#[test]
fn a_beginning_of_codex_says_how_many_earlier_calls_it_would_have_covered() {
    let request = json!({ "id": 1, "method": "item/commandExecution/requestApproval", "params": {
        "threadId": "t", "turnId": "u", "itemId": "i", "command": "git push", "proposedExecpolicyAmendment": ["git", "push"] } });
    let command = |command: Value| json!({ "tool": "shell", "arguments": { "command": command } });
    let calls = json!([
        command(json!("git push origin")),
        command(json!(["git", "push"])),
        command(json!(["/bin/bash", "-lc", "git  push -f"])),
        command(json!("git pull")),
        command(json!(["git"])),
        { "tool": "apply_patch", "arguments": "x" },
    ]);
    assert_eq!(covered(Dialect::Codex, &request, &calls), Some((3, 6)));
    for unclear in [json!("git push; x"), json!(["bash", "-c", "git push | x"]), json!(7), json!(["git", 7])] {
        assert_eq!(covered(Dialect::Codex, &request, &json!([command(unclear)])), None);
    }
}

#[test]
fn patterns_of_opencode_say_how_many_earlier_calls_they_would_have_covered() {
    let of = |permission: &str, patterns: Value, calls: &[(&str, &str)]| {
        let request =
            json!({ "sessionID": "s", "id": "p", "permission": permission, "patterns": ["x"], "always": patterns });
        let calls: Value =
            calls.iter().map(|(tool, command)| json!({ "tool": tool, "arguments": { "command": command } })).collect();
        covered(Dialect::Opencode, &request, &calls)
    };
    let calls = [("bash", "git status"), ("bash", "git status -s"), ("bash", "git statuses"), ("edit", "git status")];
    assert_eq!(of("bash", json!(["git status *"]), &calls), Some((2, 4)));
    assert_eq!(of("bash", json!(["git st?tus*", "ls"]), &calls), Some((3, 4)));
    assert_eq!(of("bash", json!(["*"]), &calls), Some((3, 4)));
    assert_eq!(of("edit", json!(["*"]), &calls), Some((1, 4)));
    assert_eq!(of("edit", json!(["src/*"]), &calls), None);
    // Nothing is said where it would take too long.
    let long = ["*a".repeat(2_000).as_str(), "b"].concat();
    assert_eq!(of("bash", json!([long]), &[("bash", "a".repeat(2_000).as_str())]), None);
}

#[test]
fn what_a_rule_would_have_covered_is_said_beside_it_and_changes_no_answer() {
    let request = json!({ "sessionID": "s", "id": "p", "permission": "edit", "patterns": ["x"], "always": ["*"] });
    let host = |calls: Value| Host::from_json(&json!({ "calls": calls })).unwrap();
    let one = host(json!([{ "tool": "edit" }, { "tool": "read" }]));
    let walk = Walk::new(Form::read(&request, Dialect::Opencode, &one).unwrap());
    let shown = json!(walk.step())["question"]["grants"][1].clone();
    assert_eq!(shown["covered"], json!({ "calls": 1, "of": 2 }));
    let grant = |extra: Value| {
        let mut grant = json!({ "scope": shown["scope"], "rule": shown["rule"], "shown": shown["shown"] });
        grant.as_object_mut().unwrap().extend(extra.as_object().unwrap().clone());
        json!({ "type": "approve", "grant": grant })
    };
    for (answer, counts) in [
        (grant(json!({})), true),
        (grant(json!({ "covered": { "calls": 1, "of": 2 } })), true),
        (grant(json!({ "until": "2027" })), false),
    ] {
        let mut walk = walk.clone();
        assert_eq!(walk.act(Action::answer(answer.clone())).is_ok(), counts, "{answer}");
    }
    // The turn may have gone on when the form is opened again.
    let saved = walk.save();
    let later = host(json!([{ "tool": "edit" }, { "tool": "edit" }, { "tool": "edit" }]));
    let form = Form::read(&request, Dialect::Opencode, &later).unwrap();
    let walk = Walk::resume(form, &saved).unwrap();
    assert_eq!(json!(walk.step())["question"]["grants"][1]["covered"], json!({ "calls": 3, "of": 3 }));
}

#[test]
fn earlier_calls_are_a_list_of_tools_and_arguments() {
    for wrong in [json!({}), json!(["x"]), json!([{ "arguments": 1 }]), json!([{ "tool": "x", "input": 1 }])] {
        let error = Host::from_json(&json!({ "calls": wrong })).unwrap_err();
        assert_eq!(
            error.to_string(),
            "The option \"calls\" must be a list of calls, each {\"tool\": …, \"arguments\": …}."
        );
    }
    let many: Value = (0..1_500).map(|place| json!({ "tool": place.to_string() })).collect();
    let host = Host::from_json(&json!({ "calls": many })).unwrap();
    assert_eq!((host.calls.as_slice().len(), &*host.calls.as_slice()[0].tool), (1_000, "500"));
}

/// A host that offers to keep what is decided for a tool.
fn offering(grants: Value) -> Host {
    Host::from_json(&json!({ "grants": grants })).unwrap()
}

fn kept(decision: &str) -> Value {
    json!({ "decision": decision, "scope": "session", "rule": { "keep": 1 }, "shown": "Until the run ends" })
}

/// The result where the host's grant of this decision is taken, with the grant of the record.
fn taken(dialect: Dialect, request: &Value, decision: &str, host: &Host) -> (Value, Value) {
    let form = Form::read(request, dialect, host).unwrap();
    let grants = form.questions()[0].answer_type.approval().unwrap().grants.clone();
    let mut grant = kept(decision);
    grant.as_object_mut().unwrap().remove("decision");
    assert!(grants.iter().any(|way| way.to_json() == *grant.as_object().unwrap()), "{grants:?}");
    let mut walk = Walk::new(form);
    walk.act(Action::answer(json!({ "type": decision, "grant": grant }))).unwrap();
    let records: Vec<Value> = walk.records().map(|record| json!(record)).collect();
    (walk.outcome().unwrap().result.unwrap(), records[1]["answer"]["grant"].clone())
}

#[test]
fn a_host_offers_grants_of_its_own_and_the_agent_gets_the_decision_on_the_call() {
    let host = offering(json!([kept("approve"), kept("reject")]));
    let grant = json!({ "scope": "session", "rule": { "keep": 1 }, "shown": "Until the run ends" });
    let interruption = json!({ "type": "tool_approval_item", "rawItem": {
        "type": "function_call", "callId": "c", "name": "deploy", "arguments": "{}" } });
    let decided = |decision| taken(Dialect::OpenaiAgents, &interruption, decision, &host);
    assert_eq!(decided("approve"), (json!({ "approved": true, "always": true }), grant.clone()));
    let (rejected, record) = decided("reject");
    assert_eq!(
        (rejected["approved"].clone(), rejected["always"].clone(), record),
        (json!(false), json!(true), grant.clone())
    );
    // The agent's own rules are not the host's.
    for (dialect, plain) in [
        (Dialect::Opencode, json!({ "reply": "once" })),
        (Dialect::Codex, json!({ "decision": "accept" })),
        (Dialect::Acp, json!({ "outcome": { "outcome": "selected", "optionId": "yes" } })),
    ] {
        let (result, record) = taken(dialect, &call(dialect, 1), "approve", &host);
        let result = result.get("result").cloned().unwrap_or(result);
        assert_eq!((result, record), (plain, grant.clone()), "{dialect:?}");
    }
    let update =
        json!({ "type": "addRules", "rules": [{ "toolName": "Bash" }], "behavior": "allow", "destination": "session" });
    let claude = json!({ "toolName": "Bash", "input": {}, "suggestions": [update] });
    let (result, _) = taken(Dialect::Claude, &claude, "approve", &host);
    assert_eq!(result, json!({ "behavior": "allow", "updatedInput": {} }));
}

#[test]
fn a_grant_of_the_host_is_for_its_tool_and_never_the_only_way() {
    let ways = |request: &Value, dialect, host: &Host| -> Vec<String> {
        let form = Form::read(request, dialect, host).unwrap();
        let approval = form.questions()[0].answer_type.approval().unwrap();
        assert!(
            !approval.needs_grant(Decision::Approve)
                || approval.grants.iter().all(|way| way.shown != "Until the run ends")
        );
        approval.grants.iter().map(|way| way.shown.clone()).collect()
    };
    let mut other = kept("approve");
    other["tool"] = json!("other");
    let langchain = json!({ "action_requests": [{ "name": "deploy", "args": {} }],
        "review_configs": [{ "action_name": "deploy", "allowed_decisions": ["approve", "reject"] }] });
    assert_eq!(ways(&langchain, Dialect::Langchain, &offering(json!([other]))), Vec::<String>::new());
    other["tool"] = json!("deploy");
    let shown = ["Allow this call", "Until the run ends"];
    assert_eq!(ways(&langchain, Dialect::Langchain, &offering(json!([other]))), shown);
    // Where the agent only offers what holds from now on, a host's grant could not be written.
    let acp = json!({ "sessionId": "s", "toolCall": { "toolCallId": "c", "title": "T" },
        "options": [{ "optionId": "a", "name": "Always", "kind": "allow_always" }] });
    assert_eq!(ways(&acp, Dialect::Acp, &offering(json!([kept("approve")]))), ["Always"]);
}

#[test]
fn a_grant_of_the_host_says_how_long_it_holds_and_what_it_covers() {
    for wrong in [
        json!({}),
        json!([{ "scope": "once", "shown": "x" }]),
        json!([{ "scope": "session", "shown": " " }]),
        json!([{ "scope": "session" }]),
        json!([{ "scope": "session", "shown": "x", "decision": "edit" }]),
        json!([{ "scope": "session", "shown": "x", "until": "tomorrow" }]),
        Value::Array(vec![kept("approve"); 21]),
    ] {
        let error = Host::from_json(&json!({ "grants": wrong })).unwrap_err().to_string();
        assert!(error.starts_with("The option \"grants\" must be a list of at most 20 grants"), "{error}");
    }
}
