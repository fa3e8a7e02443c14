//! A request says one thing: two requests in one object, a condition or a secret in other words, and numbers that a page cannot hold are kept apart from what they look like.

use ask_user_core::{Action, Dialect, Form, Host, Walk};
use serde_json::{Value, json};

fn read(request: &Value) -> Result<Form, Vec<(&'static str, String, String)>> {
    Form::read(request, Dialect::Detect, &Host::default()).map_err(|rejection| {
        let one =
            |problem: &ask_user_core::problem::Problem| (problem.code(), problem.path.to_string(), problem.hint());
        rejection.problems.iter().map(one).collect()
    })
}

fn codes(request: &Value) -> Vec<(&'static str, String)> {
    match read(request) {
        Ok(form) => form.warnings().iter().map(|one| (one.code(), one.path.to_string())).collect(),
        Err(problems) => problems.into_iter().map(|(code, path, _)| (code, path)).collect(),
    }
}

fn hints(request: &Value) -> String {
    read(request).unwrap_err().into_iter().map(|(.., hint)| hint).collect::<Vec<_>>().join(" ")
}

#[test]
fn two_requests_in_one_object_are_rejected() {
    let call = json!({ "action_requests": [{ "name": "rm", "args": { "x": 1 } }], "review_configs": [{ "action_name": "rm", "allowed_decisions": ["approve", "reject"] }] });
    let form =
        json!({ "message": "M", "requestedSchema": { "type": "object", "properties": { "x": { "type": "string" } } } });
    let interrupt = json!({ "interrupts": [{ "id": "i", "reason": "x", "message": "Go on?" }] });
    let listed = json!({ "questions": [{ "id": "q", "text": "Delete it?", "answer_type": "boolean" }] });
    let bash = json!({ "tool_name": "Bash", "input": { "command": "rm" } });
    let single = json!({ "question": "Go on?", "answer_type": "boolean" });
    let all = [&call, &form, &interrupt, &listed, &bash, &single];
    for (at, one) in all.iter().enumerate() {
        read(one).unwrap();
        for other in all.iter().skip(at + 1) {
            let both: serde_json::Map<_, _> = one
                .as_object()
                .unwrap()
                .iter()
                .chain(other.as_object().unwrap())
                .map(|(name, value)| (name.clone(), value.clone()))
                .collect();
            let both = Value::Object(both);
            assert!(read(&both).is_err(), "{both}");
            // Also where the host names one of the two.
            for dialect in
                [Dialect::of(*one, &Host::default()).unwrap(), Dialect::of(*other, &Host::default()).unwrap()]
            {
                assert!(Form::read(&both, dialect, &Host::default()).is_err(), "{} {both}", dialect.name());
            }
        }
    }
    let both = json!({ "tool_name": "Bash", "input": { "command": "rm" }, "interrupts": [{ "id": "i", "reason": "x", "message": "?" }] });
    assert_eq!(codes(&both)[0].0, "unknown_dialect");
    assert!(hints(&both).contains("a call of its own"));
    // A form beside an address is none of the protocol's, and is named.
    let url = json!({ "mode": "url", "message": "M", "url": "https://example.com", "elicitationId": "e", "requestedSchema": { "type": "object", "properties": { "pw": { "type": "string" } } } });
    assert_eq!(codes(&url), [("unknown_field", "/requestedSchema".to_owned())]);
    // A question of its own beside a list.
    let beside = json!({ "questions": [{ "id": "q", "text": "Go on?", "answer_type": "boolean" }], "question": "Delete all?", "answer_type": "boolean" });
    assert_eq!(codes(&beside)[0], ("misplaced_field", "/question".to_owned()));
}

/// A question with a field, after the choice of a region.
fn with(field: &str, value: Value) -> Value {
    let mut question = json!({ "id": "q", "text": "Q?", "answer_type": "text" });
    question[field] = value;
    json!({ "questions": [{ "id": "region", "text": "R?", "answer_type": "select", "options": ["eu", "us"] }, question] })
}

#[test]
fn the_hint_for_a_condition_that_denies_denies() {
    let eu = json!({ "question_id": "region", "equals": "eu" });
    for name in [
        "hidden_when",
        "not_if",
        "not_when",
        "omit_if",
        "exclude_if",
        "ignore_if",
        "disabled_if",
        "unless",
        "skip_if",
        "show_unless",
        "hiddenWhen",
    ] {
        let hint = hints(&with(name, eu.clone()));
        assert!(hint.contains(r#"{"not":{"question_id":"region","equals":"eu"}}"#), "{name}: {hint}");
        let hint = hints(&with(name, json!("region == eu")));
        assert!(hint.contains(r#"{"not": {"#), "{name}: {hint}");
    }
    for name in ["skip_unless", "hide_unless", "show_if", "visible_when"] {
        let hint = hints(&with(name, eu.clone()));
        assert!(hint.contains(r#""when": {"question_id""#), "{name}: {hint}");
    }
    // What the condition says already is kept.
    let mut both = with("unless", eu);
    both["questions"][1]["when"] = json!({ "question_id": "region", "in": ["eu", "us"] });
    assert!(hints(&both).contains(r#"{"all":[{"question_id":"region","in":["eu","us"]},{"not":"#), "{}", hints(&both));
    // Neither of two, or not both: that cannot be told.
    let mut several = with("when", json!({ "question_id": "region", "not_contains": ["eu", "us"] }));
    several["questions"][0]["answer_type"] = json!("multi_select");
    assert!(!hints(&several).contains("\"not\":"), "{}", hints(&several));
    let odd = with("when", json!({ "question_id": "region", "not": { "question_id": "region", "equals": "eu" } }));
    assert_eq!(codes(&odd), [("invalid_condition", "/questions/1/when/question_id".to_owned())]);
}

#[test]
fn a_condition_is_told_by_its_value_in_every_dialect() {
    let options = json!([{ "label": "staging", "description": "s" }, { "label": "production", "description": "p" }]);
    for name in ["requires", "branch", "rules", "given", "only_for", "if_not"] {
        let mut request = json!({ "questions": [{ "header": "E", "question": "Env?", "options": options }, { "header": "Q", "question": "Wipe it?", "options": options }] });
        request["questions"][1][name] = json!({ "question_id": "env", "equals": "staging" });
        assert_eq!(codes(&request), [("invalid_condition", format!("/questions/1/{name}"))]);
        let mut request = json!({ "questions": [{ "header": "E", "question": "Env?", "options": options }] });
        request["questions"][0]["options"][0][name] = json!({ "question_id": "env", "equals": "staging" });
        assert_eq!(codes(&request), [("invalid_condition", format!("/questions/0/options/0/{name}"))]);
    }
    // An option may say in words when it is best.
    let mut request = json!({ "questions": [{ "header": "E", "question": "Env?", "options": options }] });
    request["questions"][0]["options"][0]["best_when"] = json!("You have an hour.");
    assert!(read(&request).is_ok());
}

#[test]
fn no_hint_takes_the_mark_off_a_secret() {
    for name in ["secret", "sensitive", "isSecret", "is_secret", "isPassword", "masked"] {
        let hint = hints(&with(name, json!(true)));
        assert!(hint.contains(r#""answer_type" "secret""#), "{name}: {hint}");
        let hint = hints(&json!({ "question": "Token?", "choices": ["a", "b"], "allowFreeform": true, name: true }));
        assert!(!hint.contains("Remove"), "{name}: {hint}");
    }
    // An option that is to be hidden is none.
    let option = json!({ "questions": [{ "id": "q", "text": "Q?", "answer_type": "select", "options": [{ "value": "a", "label": "A", "hidden": true }, "b"] }] });
    assert!(hints(&option).starts_with("Remove \"hidden\""), "{}", hints(&option));
}

#[test]
fn what_must_be_answered_is_named_where_it_need_not_be() {
    for (dialect, fields) in [
        ("gemini", json!({ "header": "Q", "question": "Q?", "type": "text", "required": true })),
        ("vscode", json!({ "header": "Q", "question": "Q?", "required": true })),
        ("codex", json!({ "id": "q", "header": "Q", "question": "Q?", "required": true })),
    ] {
        let form = Form::read(&json!({ "questions": [fields] }), dialect.parse().unwrap(), &Host::default()).unwrap();
        let found: Vec<_> = form.warnings().iter().map(|one| one.path.to_string()).collect();
        assert!(found.contains(&"/questions/0/required".to_owned()), "{dialect}: {found:?}");
    }
    let contrary = json!({ "questions": [{ "id": "q", "text": "Q?", "answer_type": "text", "optional": false, "required": false }] });
    assert_eq!(codes(&contrary)[0].0, "misplaced_field");
}

#[test]
fn a_default_as_json_text_is_the_list_that_it_says() {
    let request = json!({ "type": "user_question", "question": "Q?", "options": ["a", "b"], "multi_select": true, "default": "[\"a\"]" });
    let form = read(&request).unwrap();
    assert_eq!(form.questions()[0].default, Some(json!(["a"])));
}

#[test]
fn an_option_beyond_the_numbers_of_a_page_is_there_as_text() {
    let request = json!({ "questions": [{ "id": "n", "text": "N?", "answer_type": "select", "options": [9_007_199_254_740_993_u64, 5] }] });
    let mut walk = Walk::new(read(&request).unwrap());
    let step = ask_user_core::json::ToJson::to_json(&walk.step());
    assert_eq!(step["question"]["options"][0]["value_text"], "9007199254740993");
    assert!(step["question"]["options"][1].get("value_text").is_none());
    walk.act(Action::answer(9_007_199_254_740_993_u64)).unwrap();
    let records: Vec<Value> = walk.records().map(|record| ask_user_core::json::ToJson::to_json(&record)).collect();
    assert!(records.iter().any(|record| record["answer_text"] == "9007199254740993"), "{records:?}");
}

#[test]
fn an_option_that_breaks_its_own_schema_is_not_taken() {
    for (property, refused, taken) in [
        (json!({ "type": "integer", "enum": [1, 2.5] }), json!(2.5), json!(1)),
        (
            json!({ "type": "string", "format": "email", "enum": ["ops", "ops@example.com"] }),
            json!("ops"),
            json!("ops@example.com"),
        ),
        (
            json!({ "type": "string", "oneOf": [{ "const": "a", "title": "A", "minLength": 3 }, { "const": "abc", "title": "B" }] }),
            json!("a"),
            json!("abc"),
        ),
        (json!({ "type": "array", "items": { "type": "integer", "enum": [1, 2.5] } }), json!([2.5]), json!([1])),
    ] {
        let request = json!({ "message": "M", "requestedSchema": { "type": "object", "properties": { "n": property }, "required": ["n"] } });
        let answered = |answer: &Value| Walk::new(read(&request).unwrap()).act(Action::answer(answer.clone())).is_ok();
        assert!(!answered(&refused), "{request}");
        assert!(answered(&taken), "{request}");
    }
    // The type of a constant is that of the property.
    let typed = json!({ "message": "M", "requestedSchema": { "type": "object", "properties": { "n": { "oneOf": [{ "const": "a", "type": "string" }, { "const": "b", "type": "string" }] } } } });
    assert_eq!(read(&typed).unwrap().questions()[0].answer_type.choices().unwrap().as_slice().len(), 2);
}

#[test]
fn two_agents_with_a_tool_of_one_name_are_told_apart() {
    let item = |agent: &str, id: &str| json!({ "type": "tool_approval_item", "rawItem": { "type": "function_call", "name": "delete_records", "callId": id, "arguments": "{}" }, "agent": { "name": agent } });
    let request = json!({ "interruptions": [item("production", "a"), item("sandbox", "b")] });
    let walk = Walk::new(read(&request).unwrap());
    let headers: Vec<_> = walk.form().questions().iter().map(|question| question.header.as_deref()).collect();
    assert_eq!(headers, [Some("production"), Some("sandbox")]);
}

#[test]
fn a_request_within_another_value_is_named_with_its_place() {
    let call = json!({ "question": "Which?", "options": ["a", "b"], "multi_select": false });
    let written = call.to_string();
    for (around, path) in [
        (
            json!({ "tool_calls": [{ "id": "c", "function": { "name": "ask_user", "arguments": written } }] }),
            "/tool_calls/0/function/arguments",
        ),
        (json!({ "functionCall": { "name": "ask_user", "args": call } }), "/functionCall/args"),
        (json!({ "role": "assistant", "content": [{ "type": "tool_use", "input": call }] }), "/content/0/input"),
        (json!({ "input": call }), "/input"),
        (json!([{ "function": { "arguments": call } }]), "/0/function/arguments"),
    ] {
        let found = read(&around).unwrap_err();
        assert_eq!(found[0].0, "unknown_dialect", "{around}");
        assert_eq!(found[0].2, format!("Send what is at \"{path}\", and nothing around it."));
    }
    let listed = json!([{ "question": "Which?", "header": "W", "options": [{ "label": "a", "description": "a" }, { "label": "b", "description": "b" }] }]);
    assert_eq!(hints(&listed), "Send {\"questions\": [...]}, with this list.");
    // What has no request within it, however deep or wide, has the hint of before.
    let mut deep = json!({});
    (0..40).for_each(|_| deep = json!({ "a": deep }));
    for other in [json!({}), json!([]), json!({ "a": ["{", "{}", "{\"b\":[]}"] }), deep] {
        assert!(hints(&other).contains("as the definition of your tool has it"), "{other}");
    }
}

#[test]
fn a_required_property_that_is_not_there_and_a_decision_that_nobody_knows_are_named() {
    let request = json!({ "message": "M", "requestedSchema": { "type": "object", "properties": { "a": { "type": "string" } }, "required": ["a", "b"] } });
    assert_eq!(codes(&request), [("unknown_field", "/requestedSchema/required/1".to_owned())]);
    let request = json!({ "action_requests": [{ "name": "x", "args": {} }], "review_configs": [{ "action_name": "x", "allowed_decisions": ["approve", "reject", "postpone"] }] });
    assert_eq!(codes(&request), [("unknown_field", "/review_configs/0/allowed_decisions/2".to_owned())]);
}

#[test]
fn a_rejection_takes_no_words_where_they_reach_nobody() {
    let codex = json!({ "method": "item/commandExecution/requestApproval", "id": 1, "params": { "threadId": "t", "turnId": "u", "itemId": "i", "command": "ls", "availableDecisions": ["accept", "decline"] } });
    let claude = json!({ "tool_name": "Bash", "input": { "command": "ls" } });
    for (request, takes) in [(codex, false), (claude, true)] {
        let with = json!({ "type": "reject", "message": "Use pnpm." });
        let mut walk = Walk::new(read(&request).unwrap());
        assert_eq!(walk.act(Action::answer(with)).is_ok(), takes, "{request}");
        let mut walk = Walk::new(read(&request).unwrap());
        assert!(walk.act(Action::answer(json!({ "type": "reject", "message": " " }))).is_ok());
    }
}

#[test]
fn what_an_option_or_a_question_cannot_have_is_named() {
    let options = json!([{ "label": "a", "description": "A" }, { "label": "b", "description": "B" }]);
    for (name, value) in [("disabled", json!(true)), ("schema", json!({ "type": "string" })), ("max", json!(3))] {
        let mut request = json!({ "questions": [{ "header": "E", "question": "Env?", "options": options }] });
        request["questions"][0]["options"][0][name] = value;
        assert!(codes(&request).contains(&("unknown_field", format!("/questions/0/options/0/{name}"))), "{name}");
    }
    let request = json!({ "questions": [{ "header": "E", "question": "Env?", "options": options, "readOnly": true }] });
    assert!(codes(&request).contains(&("unknown_field", "/questions/0/readOnly".to_owned())));
}

#[test]
fn an_agent_that_cannot_be_read_is_named() {
    let item = |name: &str, agent: Value| {
        let mut item = json!({ "type": "tool_approval_item", "rawItem": { "type": "function_call", "name": "x", "callId": "a", "arguments": "{}" } });
        item[name] = agent;
        item
    };
    assert_eq!(codes(&item("agent", json!({ "name": "A" }))), []);
    assert_eq!(codes(&item("agent", json!("A"))), []);
    for (name, agent) in [
        ("AGENT", json!({ "name": "A" })),
        ("agent", json!([{ "name": "A" }])),
        ("agent", json!({ "name": ["A"] })),
        ("agent", json!({ "title": "A" })),
    ] {
        assert_eq!(codes(&item(name, agent)), [("unknown_field", format!("/{name}"))]);
    }
}

#[test]
fn a_call_in_two_notations_is_one_call() {
    let call =
        |arguments: Value| json!({ "type": "function_call", "name": "x", "callId": "a", "arguments": arguments });
    let item = |one: Value, other: Value| json!({ "type": "tool_approval_item", "raw_item": call(one), "rawItem": call(other) });
    assert_eq!(codes(&item(json!("{}"), json!("{}"))), []);
    assert_eq!(codes(&item(json!("{}"), json!("{\"order\":42}"))), [("misplaced_field", "/rawItem".to_owned())]);
    // A part that has an approval without a decision asks for one.
    let parts = json!({ "role": "assistant", "parts": [{ "type": "tool-mail", "toolCallId": "c", "input": { "to": "a@b.co" }, "approval": {} }] });
    assert_eq!(codes(&parts)[0], ("missing_field", "/parts/0/approval/id".to_owned()));
}

#[test]
fn the_id_of_a_call_holds_nothing_else() {
    let request = json!({ "calls": [], "approvals": [{ "tool_name": "delete", "tool_call_id": { "value": "c", "args": "{\"path\":\"a\"}" }, "part_kind": "tool-call" }] });
    assert_eq!(codes(&request), [("wrong_type", "/approvals/0/tool_call_id".to_owned())]);
}

#[test]
fn calls_within_what_reviews_them_are_named() {
    let request = json!({ "action_requests": [{ "name": "x", "args": {} }], "review_configs": [{ "action_name": "x", "allowed_decisions": ["approve", "reject"], "action_requests": [{ "name": "y", "args": {} }] }] });
    assert_eq!(codes(&request), [("unknown_field", "/review_configs/0/action_requests".to_owned())]);
}

#[test]
fn a_sign_is_no_notation() {
    let when = |condition: Value| with("when", condition);
    for name in ["!equals", "!in", "¬equals", "≠equals", "非equals", "-equals", "~equals", "!is", "not!"] {
        let mut condition = json!({ "question_id": "region" });
        condition[name] = json!("eu");
        let found = codes(&when(condition.clone()));
        assert_eq!(found[0].0, "invalid_condition", "{name}: {found:?}");
        assert!(!hints(&when(condition)).contains(r#""equals":"eu""#), "{name}");
    }
    for operator in ["!equals", "≠equals", "非 equals", "!in"] {
        let hint = hints(&when(json!({ "question_id": "region", "operator": operator, "value": "eu" })));
        assert!(!hint.contains(r#""equals":"eu""#), "{operator}: {hint}");
    }
    for name in ["!when", "-when", "~when", "!if", "!show_if", "!depends_on", "≠if"] {
        let found = read(&with(name, json!({ "question_id": "region", "equals": "eu" }))).unwrap_err();
        assert_eq!(found[0].0, "invalid_condition", "{name}: {found:?}");
        assert!(found[0].2.contains(r#"{"not": {"#) || found[0].2.contains(r#"{"not":{"#), "{name}: {}", found[0].2);
    }
    assert!(!hints(&when(json!({ "question_id": "!region", "equals": "eu" }))).contains("Did you mean"));
    for name in ["!required", "!optional"] {
        let form = read(&with(name, json!(true))).unwrap();
        assert!(!form.questions()[1].optional, "{name}");
    }
    let kind = json!({ "toolCall": { "toolCallId": "c", "title": "T" }, "options": [{ "optionId": "a", "name": "A", "kind": "!allow_once" }] });
    assert!(!hints(&kind).contains("Did you mean"), "{}", hints(&kind));
}

#[test]
fn every_word_that_denies_is_heard() {
    for name in ["when_not", "if_not", "ifNot", "dont_ask_if", "suppress_if", "suppress", "inactive"] {
        let hint = hints(&with(name, json!({ "question_id": "region", "equals": "eu" })));
        assert!(hint.contains(r#"{"not""#), "{name}: {hint}");
    }
    let hint =
        hints(&with("rule", json!({ "effect": "HIDE", "condition": { "question_id": "region", "equals": "eu" } })));
    assert!(hint.contains(r#"{"not""#), "{hint}");
    assert_eq!(codes(&with("if_not", json!("region")))[0].0, "invalid_condition");
}

#[test]
fn what_a_bridge_carries_is_shown_beside_an_approval() {
    let raw = json!({ "action_requests": [{ "name": "drop_database", "args": { "db": "prod" } }], "review_configs": [{ "action_name": "drop_database", "allowed_decisions": ["approve", "reject"] }] });
    let schema =
        json!({ "type": "object", "properties": { "approved": { "type": "boolean" } }, "required": ["approved"] });
    let shown = |interrupt: Value| {
        let form = read(&json!({ "interrupts": [interrupt] })).unwrap();
        let question = &form.questions()[0];
        format!("{} {}", question.text, question.context.as_deref().unwrap_or_default())
    };
    let of = |carried: Value| json!({ "id": "a", "reason": "tool_call", "message": "OK?", "toolCallId": "c", "responseSchema": schema, "metadata": { "langgraph": { "raw": carried } } });
    for carried in [raw, json!({ "command": "drop_database" }), json!("drop_database"), json!(["drop_database"])] {
        let all = shown(of(carried.clone()));
        assert!(all.contains("OK?") && all.contains("drop_database"), "{carried}: {all}");
        let mut silent = of(carried.clone());
        silent.as_object_mut().unwrap().remove("message");
        assert!(shown(silent).contains("drop_database"), "{carried}");
    }
    let one = json!({ "id": "a", "reason": "confirmation", "message": "Continue?", "metadata": { "langgraph": { "raw": { "sql": "DROP TABLE users" } } } });
    assert!(shown(one.clone()).contains("DROP TABLE users"), "{}", shown(one));
    // What the text says already is not said again.
    assert_eq!(shown(of(json!({ "message": "OK?" }))), "OK? ");
}

#[test]
fn no_two_questions_have_one_id() {
    let form = json!({ "message": "M", "requestedSchema": { "type": "object", "properties": { "q2": { "type": "string" }, "q3": { "type": "string" } }, "required": ["q2"] } });
    let request = json!({ "outcome": { "type": "interrupt", "interrupts": [
        { "id": "i1", "reason": "x", "metadata": { "langgraph": { "raw": form } } },
        { "id": "i2", "reason": "tool_call", "message": "Deploy", "toolCallId": "c1" },
        { "id": "i3", "reason": "input", "message": "Why?" },
        { "id": "i4", "reason": "x", "metadata": { "langgraph": { "raw": { "type": "user_question", "question": "Who?" } } } },
    ] } });
    let form = read(&request).unwrap();
    let ids: std::collections::BTreeSet<_> = form.questions().iter().map(|question| &question.id).collect();
    assert_eq!(ids.len(), form.questions().len(), "{ids:?}");
}

#[test]
fn edited_arguments_are_what_their_schema_takes() {
    let request = |edited: Value| {
        let schema = json!({ "type": "object", "properties": { "approved": { "type": "boolean" }, "editedArgs": edited }, "required": ["approved"] });
        json!({ "interrupts": [{ "id": "a", "reason": "tool_call", "message": "OK?", "toolCallId": "c", "responseSchema": schema }],
            "messages": [{ "role": "assistant", "toolCalls": [{ "id": "c", "type": "function", "function": { "name": "x", "arguments": "{\"a\":1,\"b\":2,\"c\":3}" } }] }] })
    };
    let edits = |edited: Value, arguments: Value| {
        let form = read(&request(edited)).unwrap();
        Walk::new(form).act(Action::answer(json!({ "type": "edit", "arguments": arguments }))).is_ok()
    };
    assert!(!edits(json!({ "type": "object", "minProperties": 3 }), json!({ "a": 2 })));
    assert!(edits(json!({ "type": "object", "minProperties": 3 }), json!({ "a": 2, "b": 3, "c": 4 })));
    assert!(edits(json!({ "type": "object" }), json!({ "a": 2 })));
    assert!(!edits(json!({ "type": "object", "properties": { "a": { "$ref": "#/x" } } }), json!({ "a": 2 })));
}

#[test]
fn a_call_that_is_there_twice_is_not_asked_about_once() {
    let stored =
        |path: &str| json!({ "type": "tool-call", "toolCallId": "c", "toolName": "rm", "input": { "path": path } });
    let request = json!({ "role": "assistant", "content": [stored("/"), stored("tmp.txt"), { "type": "tool-approval-request", "approvalId": "a", "toolCallId": "c" }] });
    assert_eq!(codes(&request), [("duplicate_id", "/content/1".to_owned())]);
    let part = |id: &str| json!({ "type": "tool-rm", "toolCallId": id, "state": "approval-requested", "input": {}, "approval": { "id": id } });
    assert_eq!(
        codes(&json!({ "parts": [part("a")], "content": [part("b")] })),
        [("misplaced_field", "/content".to_owned())]
    );
    // A name that stands twice in written arguments: the text is shown.
    let item = json!({ "type": "tool_approval_item", "rawItem": { "type": "function_call", "name": "x", "callId": "a", "arguments": "{\"path\":\"/\",\"path\":\"a:b\"}" } });
    let form = read(&item).unwrap();
    assert_eq!(
        form.questions()[0].answer_type.approval().unwrap().arguments,
        json!("{\"path\":\"/\",\"path\":\"a:b\"}")
    );
}

#[test]
fn a_description_is_cut_where_it_repeats_the_call_alone() {
    let request = |description: &str| json!({ "action_requests": [{ "name": "rm", "args": { "path": "tmp", "n": 1, "on": true, "it": "it's" }, "description": description }], "review_configs": [{ "action_name": "rm", "allowed_decisions": ["approve", "reject"] }] });
    let context = |description: &str| read(&request(description)).unwrap().questions()[0].context.clone();
    let own = "Look.\n\nTool: rm\nArgs: {'path': 'tmp', 'n': 1, 'on': True, 'it': \"it's\"}";
    assert_eq!(context(own).as_deref(), Some("Look."));
    let other = "Look.\n\nTool: rm\nArgs: {'path': '/'}";
    assert_eq!(context(other).as_deref(), Some(other));
}

#[test]
fn several_requests_in_one_message_are_each_sent_alone() {
    let call = |id: &str| json!({ "function": { "name": "ask_user", "arguments": json!({ "question": id, "options": ["a", "b"] }).to_string() } });
    assert!(hints(&json!({ "tool_calls": [call("A?")] })).starts_with("Send what is at "));
    assert_eq!(
        hints(&json!({ "tool_calls": [call("A?"), call("B?")] })),
        "Send each of them alone, in a call of its own."
    );
}

#[test]
fn a_name_that_stands_twice_in_a_request_with_calls_is_rejected() {
    let read = |text: &str| {
        let host = Host::default();
        Form::read(text, Dialect::Detect, &host).map(drop).map_err(|rejection| rejection.problems[0].code())
    };
    assert_eq!(read(r#"{"tool_name":"Bash","input":{"command":"ls","command":"rm -rf /"}}"#), Err("invalid_json"));
    assert_eq!(read(r#"{"question":"a: \"b\": {}","answer_type":"boolean","context":"\\"}"#), Ok(()));
    assert_eq!(read(r#"{"tool_name":"Bash","input":{"n":9007199254740993}}"#), Err("too_large"));
}

#[test]
fn a_person_reads_each_way_to_decide() {
    let request = |count: usize| {
        let options: Vec<Value> = (0..count)
            .map(|at| json!({ "optionId": format!("o{at}"), "name": format!("A{at}"), "kind": "allow_always" }))
            .collect();
        json!({ "toolCall": { "toolCallId": "c", "title": "x" }, "options": options })
    };
    assert!(read(&request(100)).is_ok());
    assert_eq!(codes(&request(101)), [("too_many_options", "/options".to_owned())]);
}

#[test]
fn a_confirmation_beside_a_question_is_rejected() {
    for request in [
        json!({ "question": "Do you approve the refund of $900?", "options": ["approve", "reject"], "action": "approve" }),
        json!({ "questions": [{ "question": "A?", "type": "multiple_choice", "choices": [{ "value": "a" }, { "value": "b" }] }], "action": "deploy" }),
    ] {
        assert!(
            codes(&request).contains(&("misplaced_field", "/action".to_owned())),
            "{request} {:?}",
            codes(&request)
        );
    }
    assert!(read(&json!({ "action": "deploy", "details": "To production.", "default": false })).is_ok());
}

/// All that a form shows before anything is answered: its message, and each question with its message and its context.
fn all_of(request: &Value) -> String {
    let form = read(request).unwrap();
    let each = form.questions().iter().map(|question| {
        format!(
            "{:?} {} {} {:?} {:?}",
            question.header,
            question.text,
            question.context.as_deref().unwrap_or_default(),
            question.message,
            question.answer_type
        )
    });
    [form.message().unwrap_or_default().to_owned()].into_iter().chain(each).collect::<Vec<_>>().join("\n")
}

#[test]
fn what_an_elicitation_says_is_shown_where_another_protocol_carries_it() {
    let params = |properties: Value| json!({ "serverName": "evil", "message": "Share your key?", "requestedSchema": { "type": "object", "properties": properties } });
    let codex =
        |properties: Value| json!({ "id": 1, "method": "mcpServer/elicitation/request", "params": params(properties) });
    let ag_ui = |properties: Value| json!({ "interrupts": [{ "id": "i", "message": "M", "metadata": { "langgraph": { "raw": params(properties) } } }] });
    for request in [codex(json!({})), ag_ui(json!({}))] {
        assert!(all_of(&request).contains("Share your key?"), "{request}: {}", all_of(&request));
    }
    assert!(all_of(&codex(json!({}))).contains("evil"));
    // Several answers are reviewed before they are sent.
    let two = json!({ "a": { "type": "string" }, "b": { "type": "string" } });
    for request in [codex(two.clone()), ag_ui(two)] {
        let mut walk = Walk::new(read(&request).unwrap());
        walk.act(Action::answer("x")).unwrap();
        walk.act(Action::answer("y")).unwrap();
        assert!(walk.outcome().is_none(), "{request}");
    }
}

#[test]
fn a_walk_of_a_carried_elicitation_is_resumed_in_another_order() {
    let request = |properties: &str| {
        format!(
            r#"{{"id":1,"method":"mcpServer/elicitation/request","params":{{"serverName":"s","message":"M","requestedSchema":{{"type":"object","properties":{{{properties}}}}}}}}}"#
        )
    };
    let form = |properties: &str| Form::read(&*request(properties), Dialect::Detect, &Host::default()).unwrap();
    let (a, b) = (r#""a":{"type":"string"}"#, r#""b":{"type":"string"}"#);
    let mut walk = Walk::new(form(&format!("{b},{a}")));
    walk.act(Action::answer("x")).unwrap();
    let mut resumed = Walk::resume(form(&format!("{a},{b}")), &walk.save()).unwrap();
    resumed.act(Action::answer("y")).unwrap();
    resumed.act(Action::Submit).unwrap();
    assert_eq!(resumed.outcome().unwrap().result.as_ref().unwrap()["result"]["content"], json!({ "b": "x", "a": "y" }));
}

#[test]
fn options_with_long_numbers_are_rejected() {
    let text = r#"{"message":"Whom?","requestedSchema":{"type":"object","required":["n"],"properties":{"n":{"type":"integer","oneOf":[{"const":12345678901234567890123,"title":"Alice"},{"const":12345678901234567890124,"title":"Bob"}]}}}}"#;
    let read = |text: &str| Form::read(text, Dialect::Detect, &Host::default()).map(drop);
    assert_eq!(read(text).unwrap_err().problems[0].code(), "too_large");
    assert!(
        read(
            &text
                .replace("12345678901234567890123", "1")
                .replace("12345678901234567890124", "0.12345678901234567890124")
        )
        .is_ok()
    );
}

#[test]
fn what_a_schema_says_of_a_yes_is_shown() {
    let schema = json!({ "type": "boolean", "title": "Abort", "description": "true aborts the deployment" });
    let boolean = json!({ "interrupts": [{ "id": "i", "message": "Deploy now?", "responseSchema": schema }] });
    let mut call = boolean.clone();
    call["interrupts"][0]["toolCallId"] = json!("c");
    let approved = json!({ "interrupts": [{ "id": "i", "message": "Deploy now?", "toolCallId": "c", "responseSchema": { "type": "object", "properties": { "approved": { "type": "boolean", "description": "true aborts the deployment" } } } }] });
    for request in [boolean, call, approved] {
        assert!(all_of(&request).contains("true aborts the deployment"), "{request}");
    }
}

#[test]
fn the_call_that_a_carried_question_is_about_is_shown() {
    let raw = json!({ "question": "OK?", "options": ["Yes", "No"] });
    let thread = json!({ "interrupts": [{ "id": "i", "message": "Continue?", "toolCallId": "c", "metadata": { "langgraph": { "raw": raw } } }], "messages": [{ "role": "assistant", "toolCalls": [{ "id": "c", "type": "function", "function": { "name": "drop_db", "arguments": "{\"db\":\"prod\"}" } }] }] });
    let mastra = json!({ "interrupts": [{ "id": "i", "message": "Continue?", "metadata": { "mastra": { "toolName": "drop_db", "args": { "db": "prod" }, "suspendPayload": raw } } }] });
    let event = json!({ "type": "CUSTOM", "name": "on_interrupt", "value": { "toolName": "drop_db", "args": { "db": "prod" }, "suspendPayload": raw } });
    for request in [thread, mastra, event] {
        let all = all_of(&request);
        assert!(all.contains("drop_db") && all.contains("prod") && all.contains("OK?"), "{request}: {all}");
    }
}

#[test]
fn nothing_that_a_call_says_stands_in_the_place_of_another_part() {
    let meta = json!({ "codex_approval_kind": "mcp_tool_call", "tool_name": "read", "tool_title": "Delete everything", "tool_params": { "path": "a", "_meta": { "target": "/etc/passwd" } }, "x": 1 });
    let codex = json!({ "id": 1, "method": "mcpServer/elicitation/request", "params": { "serverName": "s", "message": "M", "_meta": meta } });
    let all = all_of(&codex);
    assert!(all.contains("/etc/passwd") && all.contains("Delete everything") && all.contains("\"x\""), "{all}");
    let langgraph = json!({ "action_request": { "action": "x", "args": {}, "warning": "B" }, "config": { "allow_accept": true, "allow_ignore": true, "allow_edit": false, "allow_respond": false }, "description": "D", "warning": "A: production" });
    let all = all_of(&langgraph);
    assert!(all.contains("A: production") && all.contains("\"B\""), "{all}");
    let elsewhere = json!({ "action_request": { "action": "x", "args": {}, "config": { "target": "production" } }, "config": { "allow_accept": true, "allow_ignore": true, "allow_edit": false, "allow_respond": false } });
    assert!(all_of(&elsewhere).contains("production"));
    let typed = json!({ "role": "assistant", "content": [{ "type": ["tool-approval-request"], "approvalId": "b", "toolCall": { "toolCallId": "c", "toolName": "rm", "input": {} } }, { "type": "tool-approval-request", "approvalId": "a", "toolCall": { "toolCallId": "d", "toolName": "ls", "input": {} } }] });
    assert_eq!(codes(&typed)[0].1, "/content/0/type");
    let reasons = json!({ "type": "tool-approval-request", "approvalId": "a", "reason": "Deletes production", "requestReason": "Cleanup", "toolCall": { "toolCallId": "c", "toolName": "rm", "input": { "p": 1 } } });
    let all = all_of(&reasons);
    assert!(all.contains("Deletes production") && all.contains("Cleanup"), "{all}");
}

#[test]
fn no_way_to_say_no_is_lost() {
    let decisions =
        |request: &Value| read(request).unwrap().questions()[0].answer_type.approval().unwrap().decisions.clone();
    let schema = json!({ "type": "object", "properties": { "type": { "enum": ["approve", "reject"] } } });
    let tool = json!({ "type": "tool_approval", "name": "x", "args": {}, "response_schema": schema });
    assert_eq!(decisions(&tool).len(), 2);
    let denied = json!({ "action_requests": [{ "name": "x", "args": {} }], "review_configs": [{ "action_name": "x", "allowed_decisions": ["approve", "deny"] }] });
    assert_eq!(codes(&denied)[0], ("unknown_answer_type", "/review_configs/0/allowed_decisions/1".to_owned()));
    let only_edit = json!({ "action_request": { "action": "x", "args": "text" }, "config": { "allow_edit": true, "allow_accept": false, "allow_ignore": false, "allow_respond": false } });
    assert!(read(&only_edit).is_err());
    // Each carried request has its own questions.
    let question = |text: &str| json!({ "question": text, "header": "H", "multiSelect": false, "options": [{ "label": "a", "description": "A" }, { "label": "b", "description": "B" }] });
    let interrupt = |id: &str, questions: Value| json!({ "id": id, "metadata": { "langgraph": { "raw": { "questions": questions } } } });
    let two = json!({ "interrupts": [interrupt("i", json!([question("X?"), question("Y?")])), interrupt("j", json!([question("Y?")]))] });
    assert!(read(&two).is_ok(), "{:?}", codes(&two));
}

#[test]
fn a_request_that_offers_no_decision_is_rejected() {
    let asks = |decisions: Value| json!({ "id": 7, "method": "item/commandExecution/requestApproval", "params": { "threadId": "t", "turnId": "u", "itemId": "i", "startedAtMs": 1, "command": "ls", "availableDecisions": decisions } });
    let [(code, path)] = &codes(&asks(json!([])))[..] else { panic!("one problem") };
    assert_eq!((*code, path.as_str()), ("unknown_answer_type", "/params/availableDecisions"));
    assert!(hints(&asks(json!([]))).contains("accept"));
    assert!(read(&asks(Value::Null)).is_ok());
}

#[test]
fn two_tools_of_one_namespace_are_shown_with_different_names() {
    let tool = |raw: Value| {
        let request = json!({ "type": "tool_approval_item", "rawItem": raw, "toolName": "fs.read" });
        read(&request).unwrap().questions()[0].answer_type.approval().unwrap().tool.clone()
    };
    let call = |name: Value, namespace: Value| json!({ "type": "function_call", "callId": "c", "name": name, "namespace": namespace, "arguments": "{}" });
    assert_eq!(tool(call(json!("read"), json!("fs"))), "fs.read");
    assert_eq!(tool(call(json!("fs.read"), json!("fs"))), "fs.fs.read");
    // A tool that is loaded late has its own name as its namespace, and an item may have the whole name.
    assert_eq!(tool(call(json!("read"), json!("read"))), "read");
    assert_eq!(tool(call(Value::Null, json!("fs"))), "fs.read");
}

#[test]
fn edited_arguments_are_checked_wherever_their_schema_stands() {
    let arguments = json!({ "type": "object", "properties": { "n": { "type": "integer" } }, "required": ["n"] });
    let action = json!({ "properties": { "name": { "type": "string" }, "args": arguments } });
    let edit = |action: Value| json!({ "properties": { "type": { "const": "edit" }, "edited_action": action } });
    let approve = json!({ "properties": { "type": { "const": "approve" } } });
    let reject = json!({ "properties": { "type": { "const": "reject" } } });
    let inline = json!({ "oneOf": [approve, edit(action.clone()), reject] });
    let referred = json!({ "anyOf": [{ "$ref": "#/$defs/E" }, approve, reject], "$defs": { "E": edit(json!({ "$ref": "#/$defs/Action" })), "Action": action } });
    for schema in [inline, referred] {
        let request = json!({ "type": "tool_approval", "name": "x", "args": { "n": 1 }, "response_schema": schema });
        let edited = |arguments: Value| {
            let mut walk = Walk::new(read(&request).unwrap());
            walk.act(Action::answer(json!({ "type": "edit", "arguments": arguments })))
        };
        assert!(edited(json!({ "n": "many" })).is_err(), "{request}");
        assert!(edited(json!({ "n": 2 })).is_ok(), "{request}");
    }
}

#[test]
fn a_control_request_needs_the_id_by_which_its_answer_is_found() {
    let inner = json!({ "subtype": "can_use_tool", "tool_name": "Bash", "input": { "command": "ls" } });
    assert_eq!(
        codes(&json!({ "type": "control_request", "request": inner })),
        [("missing_field", "/request_id".to_owned())]
    );
    assert!(read(&json!({ "type": "control_request", "request_id": "r", "request": inner })).is_ok());
}

fn result_of(request: &Value, acts: &[Action]) -> Option<Value> {
    let mut walk = Walk::new(read(request).unwrap());
    for act in acts {
        walk.act(act.clone()).unwrap();
    }
    walk.outcome().unwrap().result.as_ref().map(|result| json!(result))
}

#[test]
fn the_arguments_of_a_hosted_tool_are_shown() {
    let provider = json!({ "type": "mcp_approval_request", "id": "m", "name": "delete_repo", "server_label": "github", "arguments": "{\"repo\":\"prod\"}" });
    for name in ["delete_repo", "mcp_approval_request"] {
        let request = json!({ "interruptions": [{ "type": "tool_approval_item", "rawItem": { "type": "hosted_tool_call", "name": name, "id": "m", "status": "in_progress", "providerData": provider }, "agent": { "name": "A" }, "toolName": name }] });
        let form = read(&request).unwrap();
        let approval = form.questions()[0].answer_type.approval().unwrap();
        assert_eq!((approval.tool.as_str(), &approval.arguments), ("github.delete_repo", &json!({ "repo": "prod" })));
    }
    let checks = json!([{ "id": "s", "code": "malicious", "message": "The page may be malicious" }]);
    let computer = json!({ "type": "tool_approval_item", "rawItem": { "type": "computer_call", "callId": "c", "action": { "type": "click" }, "providerData": { "pending_safety_checks": checks } } });
    assert!(all_of(&computer).contains("The page may be malicious"));
    let call = |server: &str| json!({ "type": "tool_approval_item", "raw_item": { "type": "function_call", "name": "delete", "call_id": server, "arguments": "{}" }, "tool_name": "delete", "tool_origin": { "type": "mcp", "mcp_server_name": server } });
    let all = all_of(&json!({ "interruptions": [call("prod"), call("dev")] }));
    assert!(all.contains("prod.delete") && all.contains("dev.delete"), "{all}");
    let item = json!({ "type": "tool_approval_item", "rawItem": { "type": "function_call", "name": "x", "callId": "c", "arguments": "{}" }, "toolName": "prod.x", "target": "disk" });
    let all = all_of(&item);
    assert!(all.contains("prod.x") && all.contains("disk"), "{all}");
}

#[test]
fn what_an_approval_says_in_unknown_fields_is_shown() {
    let part = |server: &str| json!({ "type": "dynamic-tool", "toolName": "drop", "toolCallId": server, "state": "approval-requested", "input": {}, "title": "T", "toolMetadata": { "server": server }, "approval": { "id": server, "note": "why" } });
    let model = json!({ "type": "tool-approval-request", "approvalId": "a", "target": "disk", "toolCall": { "toolCallId": "c", "toolName": "rm", "input": {}, "cwd": "/prod" } });
    let interrupt = json!({ "interrupts": [{ "id": "i", "reason": "Deletes production", "message": "Continue?", "toolCallId": "c", "arguments": { "db": "prod" }, "metadata": { "command": "rm -rf /" } }] });
    let asks = json!({ "interrupts": [{ "id": "i", "message": "Continue?", "metadata": { "command": "rm -rf /" }, "responseSchema": { "type": "object", "properties": { "n": { "type": "integer" } } } }] });
    let event = json!({ "id": "e", "type": "permission.v2.asked", "location": { "directory": "/prod" }, "metadata": { "x": "danger" }, "data": { "id": "p", "sessionID": "s", "action": "bash", "resources": ["rm -rf build"] } });
    let langchain = json!({ "action_requests": [{ "name": "w", "args": {} }], "review_configs": [{ "action_name": "w", "allowed_decisions": ["approve", "reject"], "note": "on prod" }], "context": "Production database" });
    let pydantic = json!({ "approvals": [{ "tool_name": "w", "args": "{}", "tool_call_id": "c" }], "context": "Production database" });
    let connector = json!({ "id": 1, "method": "mcpServer/elicitation/request", "params": { "threadId": "t", "serverName": "codex_apps", "mode": "form", "message": "Allow this tool?", "_meta": { "codex_approval_kind": "mcp_tool_call", "tool_name": "delete_all_mail", "tool_params": { "to": "x" }, "connector_id": "gmail", "connector_name": "Gmail of the boss" } } });
    let cases: [(Value, &[&str]); 8] = [
        (json!({ "role": "assistant", "parts": [part("prod"), part("dev")] }), &["prod", "dev", "why", "\"T\""]),
        (model, &["disk", "/prod"]),
        (interrupt, &["Deletes production", "prod", "rm -rf /"]),
        (asks, &["rm -rf /"]),
        (event, &["/prod", "danger"]),
        (langchain, &["on prod", "Production database"]),
        (pydantic, &["Production database"]),
        (connector, &["Gmail of the boss", "gmail", "`codex_apps.delete_all_mail`"]),
    ];
    for (request, said) in cases {
        let all = all_of(&request);
        assert!(said.iter().all(|said| all.contains(said)), "{request}: {all}");
    }
}

#[test]
fn a_response_to_the_provider_of_a_model_says_so() {
    let request = json!({ "role": "assistant", "content": [{ "type": "tool-call", "toolCallId": "c", "toolName": "mcp", "input": { "a": 1 }, "providerExecuted": true }, { "type": "tool-approval-request", "approvalId": "a", "toolCallId": "c" }] });
    let approved =
        json!([{ "type": "tool-approval-response", "approvalId": "a", "approved": true, "providerExecuted": true }]);
    assert_eq!(result_of(&request, &[Action::answer("approve")]), Some(approved));
}

#[test]
fn who_asks_and_what_for_is_shown_above_a_carried_elicitation() {
    let schema = json!({ "type": "object", "properties": { "k": { "type": "string" } } });
    let control = json!({ "type": "control_request", "request_id": "r", "request": { "subtype": "elicitation", "mcp_server_name": "evil-server", "message": "Key?", "mode": "form", "title": "A title", "display_name": "A name", "description": "It may write to your files", "requested_schema": schema } });
    let langchain = json!({ "type": "mcp_elicitation", "tool_name": "a_tool", "requests": [{ "key": "a", "message": "Key?", "requested_schema": schema }] });
    let urls = json!({ "error": { "code": -32042, "message": "Sign in first", "data": { "elicitations": [{ "mode": "url", "elicitationId": "e", "url": "https://example.com/", "message": "Go" }] } } });
    let cases: [(Value, &[&str]); 3] = [
        (control, &["evil-server: Key?", "A title", "A name", "It may write to your files"]),
        (langchain, &["a_tool"]),
        (urls, &["Sign in first"]),
    ];
    for (request, said) in cases {
        let all = all_of(&request);
        assert!(said.iter().all(|said| all.contains(said)), "{request}: {all}");
    }
    // One without properties is a consent, in each notation.
    let empty = json!({ "type": "object", "properties": {} });
    for request in [
        json!({ "type": "control_request", "request_id": "r", "request": { "subtype": "elicitation", "mcp_server_name": "s", "message": "Delete all?", "mode": "form", "requested_schema": empty } }),
        json!({ "type": "mcp_elicitation", "tool_name": "t", "requests": [{ "key": "a", "message": "Delete all?", "requested_schema": empty }] }),
        json!({ "type": "actionRequired", "data": { "actionType": "elicitation", "id": "i", "message": "Delete all?", "requested_schema": empty } }),
    ] {
        assert!(read(&request).is_ok(), "{request}: {:?}", codes(&request));
    }
}

#[test]
fn no_ending_reads_as_an_answer() {
    let event = json!({ "type": "CUSTOM", "name": "on_interrupt", "value": "Delete the database?" });
    assert_eq!(result_of(&event, &[Action::EndTurn]), None);
    assert_eq!(result_of(&event, &[Action::Expire]), None);
    assert_eq!(result_of(&event, &[Action::Reply(Some("Why?".into()))]), Some(json!("Why?")));
    let question = |header: &str| json!({ "question": "Delete it?", "header": header, "allowFreeformInput": true, "options": [{ "label": "Yes" }, { "label": "No" }] });
    let skipped = json!({ "selected": [], "freeText": null, "skipped": true });
    let vscode = json!({ "questions": [question("A"), question("B")] });
    assert_eq!(
        result_of(&vscode, &[Action::answer("Yes"), Action::Reply(None)]),
        Some(json!({ "answers": { "A": skipped, "B": skipped } }))
    );
    // The error of the request, and no response that its agent cannot read.
    let codex = json!({ "id": 7, "jsonrpc": "2.0", "method": "item/tool/requestUserInput", "params": { "questions": [{ "id": "a", "header": "H", "question": "Q?", "options": null }] } });
    let host = Host::from_json(&json!({ "attached": false })).unwrap();
    let walk = Walk::new(Form::read(&codex, Dialect::Detect, &host).unwrap());
    let result = json!(walk.outcome().unwrap().result);
    assert_eq!((&result["id"], &result["error"]["code"]), (&json!(7), &json!(-32603)), "{result}");
    assert!(result.get("result").is_none());
}

#[test]
fn two_selections_never_have_one_result() {
    let options: Vec<Value> =
        ["logs", "cache", "logs, cache"].iter().map(|label| json!({ "label": label, "description": "" })).collect();
    for request in [
        json!({ "questions": [{ "question": "Keep?", "header": "H", "multi_select": true, "options": options }] }),
        json!({ "questions": [{ "question": "Keep?", "header": "H", "type": "choice", "multiSelect": true, "options": options }] }),
    ] {
        let several = result_of(&request, &[Action::answer(json!(["logs", "cache"]))]);
        assert_ne!(several, result_of(&request, &[Action::answer(json!(["logs, cache"]))]), "{request}");
    }
}

#[test]
fn a_long_label_in_quotes_is_whole() {
    let long = format!("{}, b", "a".repeat(5_000));
    let options: Vec<Value> =
        [long.as_str(), "c"].iter().map(|label| json!({ "label": label, "description": "" })).collect();
    let request =
        json!({ "questions": [{ "question": "Keep?", "header": "H", "multi_select": true, "options": options }] });
    let result = result_of(&request, &[Action::answer(json!([long]))]).unwrap();
    assert!(result.to_string().contains(&long));
}
