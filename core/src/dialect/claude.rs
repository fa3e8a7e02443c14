//! The dialect `claude`: the request of `ask_user_question` as the Claude Agent SDK hands it to `canUseTool`, and the
//! permission that it wants back. Its requests look like those of `ask_user_question`: a host has to name it.

use super::{Draft, Rules, ToolDefinition, ask_user_question, fields::Reader};
use crate::{
    outcome::{Ending, Outcome},
    problem::object,
};
use serde_json::{Map, Value};

pub(super) const RULES: Rules = Rules { name: "claude", tool: "AskUserQuestion", recognises: |_| false, read, write };

fn read(reader: &mut Reader, request: &Map<String, Value>) -> Option<Draft> {
    let questions = request.get("questions").cloned().unwrap_or_default();
    let draft = ask_user_question::read(reader, request)?;
    Some(Draft { envelope: questions, ..draft })
}

fn write(outcome: &Outcome<'_>) -> Option<Value> {
    let deny = |message: String| Value::Object(object([("behavior", "deny".into()), ("message", message.into())]));
    match outcome.ending() {
        Ending::Completed => {
            let mut input = object([("questions", outcome.form().envelope.clone())]);
            input.extend(ask_user_question::answers(outcome));
            Some(Value::Object(object([("behavior", "allow".into()), ("updatedInput", Value::Object(input))])))
        }
        Ending::Replied { text } => Some(deny(text.clone().unwrap_or_else(|| ask_user_question::DECLINED.to_owned()))),
        Ending::TurnEnded => None,
        Ending::Failed(failure) => Some(deny(failure.to_string())),
    }
}

pub(super) fn definitions() -> Vec<ToolDefinition> {
    vec![ask_user_question::definition(RULES.tool)]
}
