//! Agents whose requests were read as another agent's, or not at all: each is answered in its own shape, or is rejected. `tests/cases/agents.json` has
//! them with the exact result that the agent's own package reads.

use ask_user_core::{Action, Detect, Dialect, Form, Given, Host, Scope, Walk};
use serde_json::{Value, json};

/// A small request of a dialect that a table declares: a choice of `blue` and `red`.
pub(crate) fn small(dialect: Dialect) -> Value {
    let labels = json!([{ "label": "blue" }, { "label": "red" }]);
    match dialect {
        Dialect::Vscode => json!({ "questions": [
            { "header": "Color", "question": "Color?", "options": labels, "allowFreeformInput": true },
            { "header": "Why", "question": "Why?" },
        ] }),
        Dialect::Kimi => json!({ "questions": [
            { "question": "Color?", "header": "Color", "options": labels, "multi_select": false },
            { "question": "Mood?", "options": [{ "label": "calm" }, { "label": "loud" }] },
        ] }),
        Dialect::Copilot => json!({ "question": "Color?", "choices": ["blue", "red"], "allowFreeform": true }),
        Dialect::Zed => json!({ "question": "Color?", "options": ["blue", "red"], "allow_free_text": true }),
        Dialect::Mastra => json!({ "question": "Color?", "options": labels, "selectionMode": "single_select" }),
        Dialect::Openclaw => json!({ "id": "id0", "expiresAtMs": 4_102_444_800_000_u64, "questions": [
            { "questionId": "color", "header": "Color", "question": "Color?", "options": labels, "isOther": true },
            { "questionId": "why", "header": "Why", "question": "Why?", "options": [] },
        ] }),
        Dialect::Roo => json!({ "question": "Color?", "follow_up": [{ "text": "blue" }, { "text": "red" }] }),
        Dialect::Cline => json!({ "question": "Color?", "options": ["blue", "red"] }),
        dialect => call(dialect, 1),
    }
}

/// A small request of a dialect that a table declares: so many calls to approve.
pub(crate) fn call(dialect: Dialect, calls: usize) -> Value {
    let arguments = json!({ "file": "old.txt" });
    match dialect {
        Dialect::PydanticAi => json!({ "calls": [], "approvals": (0..calls).map(|place| json!({
            "tool_name": "write", "args": arguments, "tool_call_id": format!("id{place}"),
        })).collect::<Vec<_>>() }),
        _ if calls != 1 => Value::Null,
        Dialect::OpenaiResponses => json!({
            "type": "mcp_approval_request", "id": "id0", "name": "write", "server_label": "disk", "arguments": arguments.to_string(),
        }),
        Dialect::Adk => json!({ "name": "adk_request_confirmation", "id": "id0", "args": {
            "originalFunctionCall": { "name": "write", "args": arguments, "id": "c" }, "toolConfirmation": { "hint": "Write it?", "confirmed": false },
        } }),
        Dialect::AgentFramework => json!({ "type": "function_approval_request", "id": "id0", "function_call": {
            "type": "function_call", "call_id": "c", "name": "write", "arguments": arguments.to_string(),
        } }),
        Dialect::ManagedAgents => json!({
            "type": "agent.tool_use", "id": "id0", "name": "write", "input": arguments, "evaluated_permission": "ask",
        }),
        Dialect::Langgraph => json!({
            "action_request": { "action": "write", "args": arguments }, "description": "Write it?",
            "config": { "allow_accept": true, "allow_edit": true, "allow_ignore": true, "allow_respond": true },
        }),
        Dialect::Goose => json!({ "type": "actionRequired", "data": {
            "actionType": "toolConfirmation", "id": "id0", "toolName": "write", "arguments": arguments, "prompt": "Write it?",
        } }),
        Dialect::Acp => {
            let call = json!({ "toolCallId": "c", "title": "Write it?", "kind": "edit", "rawInput": arguments });
            json!({ "sessionId": "s", "toolCall": call, "options": [
                { "optionId": "yes", "name": "Allow", "kind": "allow_once" },
                { "optionId": "ever", "name": "Always allow", "kind": "allow_always" },
                { "optionId": "no", "name": "Reject", "kind": "reject_once" },
            ] })
        }
        Dialect::Codex => json!({ "id": 0, "method": "item/commandExecution/requestApproval", "params": {
            "threadId": "t", "turnId": "u", "itemId": "i", "command": "write old.txt",
        } }),
        Dialect::Openclaw => json!({ "id": "id0", "createdAtMs": 1, "expiresAtMs": 4_102_444_800_000_u64, "request": {
            "command": "write old.txt", "cwd": "/w", "allowedDecisions": ["allow-once", "allow-always", "deny"],
        } }),
        Dialect::Opencode => json!({
            "id": "id0", "sessionID": "s", "permission": "edit", "patterns": ["old.txt"], "metadata": arguments, "always": ["*"],
        }),
        _ => Value::Null,
    }
}

#[test]
fn a_request_of_each_declared_dialect_is_read_as_what_it_is_if_the_host_names_it() {
    for dialect in Dialect::ALL {
        let request = small(dialect);
        if request.is_null() {
            continue;
        }
        let form = Form::read(&request, dialect, &Host::default()).unwrap();
        assert_eq!((form.dialect(), form.warnings()), (dialect.name(), &[][..]), "{request}");
    }
}

#[test]
fn a_request_that_tells_of_its_agent_is_never_read_as_another_agent_s() {
    // Nothing in its requests tells of it: a host names it.
    let plain = [Dialect::Cline];
    for dialect in Dialect::ALL.into_iter().filter(|dialect| !plain.contains(dialect)) {
        let request = small(dialect);
        if request.is_null() {
            continue;
        }
        let form = Form::read(&request, Dialect::Detect, &Host::default()).unwrap();
        assert_eq!(form.dialect(), dialect.name(), "{request}");
        // The same in a host that wants evidence.
        let strict = Host { detect: Detect::Strict, ..Host::default() };
        assert!(Form::read(&request, Dialect::Detect, &strict).is_ok(), "{request}");
    }
}

#[test]
fn a_change_of_openclaw_itself_is_denied_with_its_kind_where_nobody_can_be_asked() {
    let request = json!({ "event": "openclaw.approval.requested", "payload": {
        "approvalKind": "system-agent", "id": "s", "createdAtMs": 1, "expiresAtMs": 4_102_444_800_000_u64,
        "request": { "title": "A change", "description": "Of a channel" },
    } });
    let host = Host { sub_agent: true, ..Host::default() };
    let outcome = Walk::new(Form::read(&request, Dialect::Openclaw, &host).unwrap()).outcome().unwrap();
    assert_eq!(outcome.result, Some(json!({ "id": "s", "kind": "system-agent", "decision": "deny" })));
}

#[test]
fn an_agent_without_a_user_is_told_so_in_the_shape_that_it_reads() {
    for dialect in Dialect::ALL {
        let host = Host { sub_agent: true, ..Host::default() };
        let form = Form::read(&small(dialect), dialect, &host).unwrap();
        let outcome = Walk::new(form).outcome().unwrap();
        assert_eq!(outcome.error(), Some("sub_agent"), "{}", dialect.name());
        let text = outcome.result.map(|result| result.to_string()).unwrap_or_default();
        // No agent takes it for a consent.
        for consent in
            ["\"approved\":true", "\"allow\"", "allow_once", "\"accept\"", "\"confirmed\":true", "\"yes\"", "\"ever\""]
        {
            assert!(!text.contains(consent), "{}: {text}", dialect.name());
        }
    }
}

#[test]
fn an_empty_text_is_no_answer_for_gemini() {
    let request =
        json!({ "questions": [{ "question": "Name?", "header": "Name", "type": "text", "placeholder": "x" }] });
    let mut walk = Walk::new(Form::read(&request, Dialect::Gemini, &Host::default()).unwrap());
    let refused = walk.act(Action::Answer(Given::from(json!("")))).unwrap_err();
    assert_eq!(refused.code(), "too_short");
}

/// Every object of a request, by its pointer, but what is a tool's own.
fn objects(value: &Value, at: &str, found: &mut Vec<String>) {
    let Some(map) = value.as_object() else { return };
    found.push(at.to_owned());
    for (name, inner) in
        map.iter().filter(|(name, _)| !["args", "arguments", "input", "rawInput", "metadata"].contains(&name.as_str()))
    {
        objects(inner, &format!("{at}/{name}"), found);
        for (place, inner) in inner.as_array().into_iter().flatten().enumerate() {
            objects(inner, &format!("{at}/{name}/{place}"), found);
        }
    }
}

/// The dialects that ask about calls, and a call of each.
fn calls() -> Vec<(Dialect, Value)> {
    Dialect::ALL
        .into_iter()
        .map(|dialect| (dialect, call(dialect, 1)))
        .filter(|(_, request)| !request.is_null())
        .collect()
}

#[test]
fn what_a_call_says_in_a_field_that_is_not_known_is_shown() {
    for (dialect, request) in calls() {
        let mut places = Vec::new();
        objects(&request, "", &mut places);
        for place in places {
            // What says which decisions there are, and what is around a list or a message, is no part of the call.
            let is_around = place.is_empty() && [Dialect::PydanticAi, Dialect::Codex].contains(&dialect);
            if place == "/config" || is_around {
                continue;
            }
            let mut changed = request.clone();
            changed
                .pointer_mut(&place)
                .unwrap()
                .as_object_mut()
                .unwrap()
                .insert("kwargs".into(), json!({ "force": "MARK" }));
            let form = Form::read(&changed, dialect, &Host::default());
            let shown = match &form {
                Ok(form) => serde_json::to_string(&form.questions()).unwrap(),
                Err(rejection) => format!("{rejection:?}"),
            };
            assert!(
                shown.contains("MARK") || form.is_err() && shown.contains("kwargs"),
                "{}: {place}\n{shown}",
                dialect.name()
            );
        }
    }
}

#[test]
fn a_call_without_arguments_is_shown_where_its_agent_leaves_them_out() {
    for (dialect, pointer, name) in [
        (Dialect::PydanticAi, "/approvals/0", "args"),
        (Dialect::Adk, "/args/originalFunctionCall", "args"),
        (Dialect::AgentFramework, "/function_call", "arguments"),
    ] {
        for given in [None, Some(Value::Null)] {
            let mut request = call(dialect, 1);
            let around = request.pointer_mut(pointer).unwrap().as_object_mut().unwrap();
            match given {
                None => around.remove(name),
                Some(given) => around.insert(name.into(), given),
            };
            let form = Form::read(&request, dialect, &Host::default()).unwrap();
            let approval = form.questions()[0].answer_type.approval().unwrap();
            assert_eq!(approval.arguments, Value::Null, "{}", dialect.name());
            // A field that is not known may have been meant for them.
            let around = request.pointer_mut(pointer).unwrap().as_object_mut().unwrap();
            around.insert("argumnts".into(), json!({ "file": "old.txt" }));
            assert!(Form::read(&request, dialect, &Host::default()).is_err(), "{}", dialect.name());
        }
    }
    let mut request = call(Dialect::AgentFramework, 1);
    request["function_call"]["arguments"] = json!("");
    let form = Form::read(&request, Dialect::Detect, &Host::default()).unwrap();
    assert_eq!(form.questions()[0].answer_type.approval().unwrap().arguments, Value::Null);
}

#[test]
fn a_call_whose_id_another_call_of_the_message_has_is_not_asked_about() {
    let call = |name: &str| json!({ "id": "c", "type": "function", "function": { "name": name, "arguments": "{}" } });
    let request = |first: &[Value], second: &[Value]| {
        json!({
            "messages": [{ "role": "assistant", "toolCalls": first }, { "role": "assistant", "toolCalls": second }],
            "outcome": { "type": "interrupt", "interrupts": [{ "id": "i", "reason": "tool_call", "toolCallId": "c" }] },
        })
    };
    let read = |request: Value| Form::read(&request, Dialect::AgUi, &Host::default());
    let rejection = read(request(&[call("list"), call("delete")], &[])).unwrap_err();
    assert_eq!(rejection.problems[0].code(), "duplicate_id");
    // The same call twice is one call, and one of an earlier message is over.
    for request in [request(&[call("list"), call("list")], &[]), request(&[call("delete")], &[call("list")])] {
        assert_eq!(read(request).unwrap().questions()[0].text, "Run list?");
    }
}

#[test]
fn an_event_of_opencode_is_read_from_the_stream_and_as_it_is_kept() {
    let questions = json!([{ "question": "Color?", "header": "Color", "options": [{ "label": "blue", "description": "" }, { "label": "red", "description": "" }] }]);
    let asked = json!({ "id": "q", "sessionID": "s", "questions": questions });
    let permission =
        json!({ "id": "p", "sessionID": "s", "permission": "edit", "patterns": ["a"], "metadata": {}, "always": [] });
    for (kind, request) in
        [("question.asked", &asked), ("question.v2.asked", &asked), ("permission.asked", &permission)]
    {
        for around in ["properties", "data"] {
            let event = json!({ "id": "e", "type": kind, around: request, "durable": { "aggregateID": "s", "seq": 1, "version": 1 } });
            let form = Form::read(&event, Dialect::Detect, &Host::default()).unwrap();
            assert_eq!((form.dialect(), form.questions().len()), ("opencode", 1), "{event}");
        }
    }
}

/// What the app server of Codex passes on from a server of the Model Context Protocol.
fn passed_on(params: &Value) -> Value {
    let mut request = json!({ "id": 7, "method": "mcpServer/elicitation/request", "params": {
        "threadId": "t", "turnId": "u", "serverName": "disk", "mode": "form", "message": "Write it?",
        "requestedSchema": { "type": "object", "properties": {} },
    } });
    let fields = request["params"].as_object_mut().unwrap();
    fields.extend(params.as_object().unwrap().clone());
    request
}

#[test]
fn an_elicitation_that_codex_passes_on_is_a_form_with_the_name_of_its_server() {
    let schema = json!({ "type": "object", "properties": { "name": { "type": "string" } }, "required": ["name"] });
    let request = passed_on(&json!({ "message": "Who?", "requestedSchema": schema, "_meta": null }));
    let form = Form::read(&request, Dialect::Detect, &Host::default()).unwrap();
    assert_eq!((form.dialect(), form.questions()[0].header.as_deref()), ("codex", Some("disk")));
    let mut walk = Walk::new(form.clone());
    walk.act(Action::Answer(Given::from(json!("Ada")))).unwrap();
    let result = walk.outcome().unwrap().result.unwrap();
    assert_eq!(
        result,
        json!({ "id": 7, "result": { "action": "accept", "content": { "name": "Ada" }, "_meta": null } })
    );
    let mut walk = Walk::new(form);
    walk.act(Action::EndTurn).unwrap();
    let result = walk.outcome().unwrap().result.unwrap();
    assert_eq!(result, json!({ "id": 7, "result": { "action": "cancel", "content": null, "_meta": null } }));
}

#[test]
fn a_tool_of_a_server_that_codex_asks_about_is_approved_with_its_arguments_in_sight() {
    let meta = json!({
        "codex_approval_kind": "mcp_tool_call", "persist": ["session", "always"], "tool_name": "write",
        "tool_description": "Writes a file.", "tool_params": { "file": "old.txt" }, "risk": { "level": "high" },
    });
    let request = passed_on(&json!({ "_meta": meta }));
    let form = Form::read(&request, Dialect::Detect, &Host::default()).unwrap();
    let approval = form.questions()[0].answer_type.approval().unwrap().clone();
    assert_eq!((form.questions()[0].text.as_str(), approval.tool.as_str()), ("Write it?", "disk.write"));
    assert_eq!(approval.arguments, json!({ "file": "old.txt", "_meta": { "risk": { "level": "high" } } }));
    let scopes: Vec<_> = approval.grants.iter().map(|grant| grant.scope).collect();
    assert_eq!(scopes, [Scope::Once, Scope::Session, Scope::Always, Scope::Once, Scope::Once]);
    let results = [
        json!({ "action": "accept", "content": {}, "_meta": null }),
        json!({ "action": "accept", "content": {}, "_meta": { "persist": "session" } }),
        json!({ "action": "accept", "content": {}, "_meta": { "persist": "always" } }),
        json!({ "action": "decline", "content": null, "_meta": null }),
        json!({ "action": "cancel", "content": null, "_meta": null }),
    ];
    for (word, result) in ["accept", "session", "always", "decline", "cancel"].into_iter().zip(results) {
        let mut walk = Walk::new(form.clone());
        walk.act(Action::Answer(Given::from(json!(word)))).unwrap();
        assert_eq!(walk.outcome().unwrap().result.unwrap(), json!({ "id": 7, "result": result }), "{word}");
    }
    // An approval of another kind, one with a form, and one that holds for nobody knows how long, are not half shown.
    for more in [
        json!({ "_meta": { "codex_approval_kind": "tool_suggestion" } }),
        json!({ "_meta": meta, "requestedSchema": { "type": "object", "properties": { "a": { "type": "string" } } } }),
        json!({ "_meta": { "codex_approval_kind": "mcp_tool_call", "persist": "month" } }),
    ] {
        Form::read(&passed_on(&more), Dialect::Detect, &Host::default()).unwrap_err();
    }
}

#[test]
fn what_pydantic_ai_says_about_a_call_beside_the_list_is_shown_at_that_call() {
    let mut request = call(Dialect::PydanticAi, 2);
    request["metadata"] = json!({ "id1": { "reason": "It is large." }, "id0": {} });
    let form = Form::read(&request, Dialect::Detect, &Host::default()).unwrap();
    let contexts: Vec<_> = form.questions().iter().map(|one| one.context.clone()).collect();
    let block = "```json\n{\n  \"metadata\": {\n    \"reason\": \"It is large.\"\n  }\n}\n```";
    assert_eq!(contexts, [None, Some(block.to_owned())]);
}
