//! Writes the conversation as a request of the chat completions protocol. What goes to the model is all here: the instructions, the tools, what
//! the person and the model said, the calls and their results. Secrets are in none of them.

use crate::{
    agent::{Entry, Reply},
    tools,
};
use ask_user_core::{Consultation, Dialect, ToolDefinition, conversation::ToolCall};
use serde_json::{Value, json};

/// What the model is told before the conversation.
const INSTRUCTIONS: &str = "You are an agent that helps with a migration of a database. Use the tools for everything that you look up or do, and \
say only what their results show. If a call gives an error, read it, mend the call and try again. Say in a sentence or two what you found or did.";

/// Bytes of arguments that were no JSON, as they are shown to the model again.
const SHOWN: usize = 2000;

/// A request for the next reply in a conversation.
pub fn turn(model: &str, transcript: &[Entry]) -> Value {
    let mut definitions = ToolDefinition::of(Dialect::AskUser);
    // A model gets one of the two: the full definition comes first.
    definitions.truncate(1);
    let mut instructions = INSTRUCTIONS.to_owned();
    for words in definitions.iter().filter_map(|tool| tool.instructions.as_deref()) {
        instructions.push_str("\n\n");
        instructions.push_str(words);
    }
    definitions.extend(tools::definitions());
    let tools: Vec<Value> = definitions.iter().map(tool).collect();
    let mut messages = vec![json!({ "role": "system", "content": instructions })];
    for entry in transcript {
        add(&mut messages, entry);
    }
    json!({ "model": model, "messages": messages, "tools": tools, "stream": true })
}

/// A request for an answer in the person's place.
pub fn advice(model: &str, consultation: &Consultation) -> Value {
    // The schema is in the words, too, for servers that do not know `response_format`.
    let words = format!(
        "{}\n\nReply with one JSON object, and nothing else. It must match this JSON Schema:\n{}",
        consultation.prompt, consultation.schema
    );
    let schema = json!({ "name": "verdict", "strict": true, "schema": consultation.schema });
    json!({
        "model": model,
        "messages": [{ "role": "user", "content": words }],
        "response_format": { "type": "json_schema", "json_schema": schema },
        "stream": true,
    })
}

fn tool(definition: &ToolDefinition) -> Value {
    let ToolDefinition { name, description, parameters, .. } = definition;
    json!({ "type": "function", "function": { "name": name, "description": description, "parameters": parameters } })
}

fn add(messages: &mut Vec<Value>, entry: &Entry) {
    match entry {
        Entry::User(text) => says(messages, text),
        Entry::Answer { call_id, content } => {
            says(
                messages,
                &format!("The answer to the question that you asked with the call {call_id}: {}", text_of(content)),
            );
        }
        Entry::Model(Reply { text, calls, .. }) if calls.is_empty() => {
            if !text.is_empty() {
                messages.push(json!({ "role": "assistant", "content": text }));
            }
        }
        Entry::Model(Reply { text, calls, .. }) => {
            let content = if text.is_empty() { Value::Null } else { text.as_str().into() };
            let calls: Vec<Value> = calls.iter().map(call).collect();
            messages.push(json!({ "role": "assistant", "content": content, "tool_calls": calls }));
        }
        Entry::Result { call_id, content } => {
            messages.push(json!({ "role": "tool", "tool_call_id": call_id, "content": text_of(content) }));
        }
    }
}

/// Adds what the person says. Some models want the roles to take turns: what was said after a failure or a stop belongs to what was said before it.
fn says(messages: &mut Vec<Value>, text: &str) {
    match messages.last_mut() {
        Some(last) if last["role"] == "user" => {
            let before = last["content"].as_str().unwrap_or_default();
            last["content"] = format!("{before}\n\n{text}").into();
        }
        _ => messages.push(json!({ "role": "user", "content": text })),
    }
}

fn text_of(content: &Value) -> String {
    content.as_str().map_or_else(|| content.to_string(), str::to_owned)
}

fn call(ToolCall { id, name, input }: &ToolCall) -> Value {
    // Servers refuse a request with arguments that are no JSON object, for ever after.
    let arguments = match input {
        Value::String(text) => {
            let shown: String = text.chars().take(SHOWN).collect();
            json!({ "not_json": shown }).to_string()
        }
        other => other.to_string(),
    };
    json!({ "id": id, "type": "function", "function": { "name": allowed(name), "arguments": arguments } })
}

/// A name that servers take: a model may have invented another one.
fn allowed(name: &str) -> String {
    let letter = |letter: char| if letter.is_ascii_alphanumeric() || "_-".contains(letter) { letter } else { '_' };
    let name: String = name.chars().take(64).map(letter).collect();
    if name.is_empty() { "unnamed".into() } else { name }
}

#[cfg(test)]
mod tests {
    use super::{advice, turn};
    use crate::agent::{Entry, Reply};
    use ask_user_core::{Consultation, conversation::ToolCall};
    use serde_json::{Value, json};

    fn messages(transcript: &[Entry]) -> Vec<Value> {
        let request = turn("m", transcript);
        request["messages"].as_array().expect("a list")[1..].to_vec()
    }

    fn said(text: &str, calls: &[(&str, &str, Value)]) -> Entry {
        let call = |(id, name, input): &(&str, &str, Value)| ToolCall {
            id: (*id).into(),
            name: (*name).into(),
            input: input.clone(),
        };
        Entry::Model(Reply { text: text.into(), calls: calls.iter().map(call).collect(), note: None })
    }

    #[test]
    fn a_conversation_becomes_the_messages_of_the_protocol() {
        let transcript = [
            Entry::User("Go on.".into()),
            said("I look.", &[("a", "read_migration", json!({})), ("b", "ask_user", json!({ "z": 1, "a": [2] }))]),
            Entry::Result { call_id: "a".into(), content: json!({ "rows": 3 }) },
            Entry::Result { call_id: "b".into(), content: "User cancelled the question".into() },
            said("Done.", &[]),
            Entry::Answer { call_id: "z".into(), content: json!({ "color": "red" }) },
            Entry::User("Use it.".into()),
        ];
        let function = |name: &str, arguments: &str| json!({ "name": name, "arguments": arguments });
        assert_eq!(
            messages(&transcript),
            [
                json!({ "role": "user", "content": "Go on." }),
                json!({ "role": "assistant", "content": "I look.", "tool_calls": [
                    { "id": "a", "type": "function", "function": function("read_migration", "{}") },
                    { "id": "b", "type": "function", "function": function("ask_user", r#"{"z":1,"a":[2]}"#) },
                ] }),
                json!({ "role": "tool", "tool_call_id": "a", "content": r#"{"rows":3}"# }),
                json!({ "role": "tool", "tool_call_id": "b", "content": "User cancelled the question" }),
                json!({ "role": "assistant", "content": "Done." }),
                json!({ "role": "user", "content":
                    "The answer to the question that you asked with the call z: {\"color\":\"red\"}\n\nUse it." }),
            ]
        );
    }

    #[test]
    fn what_a_server_would_refuse_is_never_sent() {
        let long = "x".repeat(300);
        let transcript = [
            Entry::User("One.".into()),
            Entry::User("Two.".into()),
            said("", &[]),
            said("", &[("a", "rm -rf /", json!("{\"half")), ("b", "", json!({})), ("c", &long, json!({}))]),
        ];
        let sent = messages(&transcript);
        assert_eq!(sent[0], json!({ "role": "user", "content": "One.\n\nTwo." }));
        assert_eq!(sent[1]["content"], Value::Null);
        let calls = sent[1]["tool_calls"].as_array().expect("calls");
        let names: Vec<&Value> = calls.iter().map(|call| &call["function"]["name"]).collect();
        assert_eq!(names, ["rm_-rf__", "unnamed", &long[..64]]);
        let arguments = calls[0]["function"]["arguments"].as_str().expect("text");
        let read: Value = serde_json::from_str(arguments).expect("the arguments are JSON");
        assert_eq!(read, json!({ "not_json": "{\"half" }));
    }

    #[test]
    fn the_tools_are_those_of_the_project_and_of_the_example() {
        let request = turn("m", &[]);
        let names: Vec<&str> = request["tools"]
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(|tool| tool["function"]["name"].as_str())
            .collect();
        assert_eq!(names, ["ask_user", "read_migration", "list_backups", "run_migration", "announce"]);
        let system = request["messages"][0]["content"].as_str().expect("text");
        assert!(system.contains("is no consent"), "the instructions of ask_user are missing");
    }

    #[test]
    fn an_assistant_gets_the_schema_in_both_ways() {
        let schema = json!({ "type": "object" });
        let consultation =
            Consultation { record: "r".into(), prompt: "Run it?".into(), schema: schema.clone(), model: None };
        let request = advice("small", &consultation);
        assert_eq!(request["response_format"]["json_schema"]["schema"], schema);
        let words = request["messages"][0]["content"].as_str().expect("text");
        assert!(words.starts_with("Run it?") && words.contains(r#"{"type":"object"}"#));
        assert_eq!(request["model"], "small");
    }
}
