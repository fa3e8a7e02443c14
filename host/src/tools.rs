//! The tools of the example: what a model is told about them, what they do, and what they give once the person has answered. They
//! migrate nothing. They only know which call it is, so that a scripted and a real model can have them.

use crate::agent::{Asking, Execution, with_explanation};
use ask_user_core::{Dialect, Ends, Form, Host, Outcome, Source, Target, ToolDefinition, conversation::ToolCall};
use serde_json::{Value, json};

/// The definitions of all tools but `ask_user`, whose definition is the core's.
pub fn definitions() -> Vec<ToolDefinition> {
    let tool = |name: &str, description: &str, properties: Value| {
        let required: Vec<&String> = properties.as_object().into_iter().flat_map(|fields| fields.keys()).collect();
        let parameters = json!({ "type": "object", "properties": properties, "required": required });
        ToolDefinition {
            name: name.into(),
            description: description.into(),
            parameters,
            strict_parameters: None,
            instructions: None,
        }
    };
    let environment = json!({ "type": "string", "enum": ENVIRONMENTS, "description": "Where to run it." });
    vec![
        tool("read_migration", "Tells how many statements the migration has, and how many rows it changes.", json!({})),
        tool("list_backups", "Lists the backups of the database.", json!({})),
        tool(
            "run_migration",
            "Runs the migration. It asks for the go-ahead itself: do not ask the user for it before. If the result has no \
             \"ran\": true, it has not run.",
            json!({ "environment": environment }),
        ),
        tool(
            "announce",
            "Posts in #deploys that the migration has run. It asks the user for the token itself: never ask for a token.",
            json!({}),
        ),
    ]
}

const ENVIRONMENTS: [&str; 2] = ["staging", "production"];

/// The name of a tool, if there is one of this name.
pub fn named(name: &str) -> Option<&'static str> {
    NAMES.into_iter().find(|known| *known == name)
}

const NAMES: [&str; 5] = ["read_migration", "list_backups", "ask_user", "run_migration", "announce"];

/// What comes of a call.
pub fn execution(call: &ToolCall) -> Execution {
    if named(&call.name).is_none() {
        let message = format!("There is no tool {:?}. Nothing was executed.", call.name);
        return Execution::Failed(json!({ "error": "unknown_tool", "message": message }));
    }
    if let Value::String(text) = &call.input {
        return Execution::Failed(not_json(&call.name, text));
    }
    let tool = |question: Value, target: Target| {
        let source = Source::Tool { name: call.name.clone() };
        let request = json!({ "questions": [question] });
        Execution::Asks(Asking { request, dialect: Dialect::AskUser, source, target, blocking: true })
    };
    match call.name.as_str() {
        "read_migration" => Execution::Done(json!({ "statements": 2, "rows": 1_200_000 })),
        "list_backups" => Execution::Done(json!(["last night"])),
        "run_migration" => {
            let environment = call.input["environment"].as_str().unwrap_or_default();
            if !ENVIRONMENTS.contains(&environment) {
                let message = "\"environment\" must be \"staging\" or \"production\". Nothing was executed.";
                return Execution::Failed(json!({ "error": "invalid_arguments", "message": message }));
            }
            let question = json!({
                "id": "run",
                "text": format!("Run the migration on {environment} now?"),
                "context": "It adds users.last_seen, then fills it in for 1.2 million rows.",
                "answer_type": "boolean"
            });
            tool(question, Target::Assistant { model: None, escalation: true })
        }
        "announce" => {
            let text = "Which token may I use to post in #deploys?";
            tool(json!({ "id": "token", "text": text, "answer_type": "secret" }), Target::User)
        }
        _ => Execution::Asks(Asking {
            request: call.input.clone(),
            dialect: Dialect::AskUser,
            source: Source::Assistant,
            target: Target::User,
            blocking: true,
        }),
    }
}

/// What the model is told of arguments that are no JSON object: for `ask_user` what the core says, with its hints.
fn not_json(name: &str, text: &str) -> Value {
    if name == "ask_user"
        && let Err(rejection) = Form::read(text, Dialect::AskUser, &Host::default())
    {
        return Value::Object(rejection.to_json());
    }
    let why = match serde_json::from_str::<Value>(text) {
        Err(error) => format!("The arguments are not valid JSON: {error}."),
        Ok(_) => "The arguments must be one JSON object.".into(),
    };
    let message = format!("{why} Nothing was executed. Call the tool again with all of its arguments.");
    json!({ "error": "invalid_arguments", "message": message })
}

/// What a tool gives once its question is answered. The secrets are in `outcome` alone.
pub fn answered(call: &ToolCall, outcome: &Outcome) -> Value {
    if outcome.ends() != Ends::Completed {
        return with_explanation(outcome);
    }
    match call.name.as_str() {
        // It only pretends. A tool that migrates must not do so here, because the answer is not stored yet: see `Agent::answered`.
        "run_migration" => match &outcome.result {
            Some(result) if result["run"] == true => json!({ "ran": true, "rows": 1_200_000 }),
            _ => with_explanation(outcome),
        },
        // It only pretends, too. Here the token would be used, because it is nowhere else: in a request that counts once, however often it is sent.
        "announce" => json!({ "posted": outcome.secrets.contains_key("token") }),
        _ => with_explanation(outcome),
    }
}

#[cfg(test)]
mod tests {
    use super::{definitions, execution};
    use crate::agent::Execution;
    use ask_user_core::{Dialect, ToolDefinition, conversation::ToolCall};
    use serde_json::{Value, json};

    fn failure(name: &str, input: Value) -> Option<Value> {
        match execution(&ToolCall { id: "call_1".into(), name: name.into(), input }) {
            Execution::Failed(content) => Some(content),
            Execution::Done(_) | Execution::Asks(_) => None,
        }
    }

    #[test]
    fn every_tool_that_a_model_is_told_about_runs() {
        for ToolDefinition { name, .. } in definitions().iter().chain(ToolDefinition::of(Dialect::AskUser).first()) {
            assert_eq!(failure(name, json!({ "environment": "staging" })), None, "{name}");
        }
    }

    #[test]
    fn what_is_wrong_with_a_call_is_said_and_nothing_runs() {
        for (name, input, error, words) in [
            ("drop_table", json!({}), "unknown_tool", "drop_table"),
            ("", json!({}), "unknown_tool", "no tool"),
            ("run_migration", json!({}), "invalid_arguments", "environment"),
            ("run_migration", json!({ "environment": "prod" }), "invalid_arguments", "staging"),
            ("run_migration", json!({ "environment": null }), "invalid_arguments", "staging"),
            ("run_migration", json!("{\"environment\": \"stag"), "invalid_arguments", "EOF"),
            ("announce", json!("[]"), "invalid_arguments", "one JSON object"),
            ("ask_user", json!("{\"questions\": ["), "invalid_request", "invalid_json"),
        ] {
            let content = failure(name, input).expect(name);
            assert_eq!(content["error"], error, "{name}: {content}");
            assert!(content.to_string().contains(words), "{name}: {content}");
        }
    }
}
