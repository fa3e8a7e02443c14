//! Agents whose requests were read as another agent's, or not at all: each is answered in its own shape, or is rejected. `tests/cases/agents.json` has
//! them with the exact result that the agent's own package reads.

use ask_user_core::{Action, Detect, Dialect, Form, Given, Host, Walk};
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
