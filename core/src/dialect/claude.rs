//! The dialect `claude`: the request of `ask_user_question` as the Claude Agent SDK passes it to `canUseTool`, and the permission that the SDK
//! expects. Its requests look like those of `ask_user_question`, so a host must name this dialect.

use super::{
    ask_user_question,
    draft::{Draft, Rules},
    fields::Reader,
};
use crate::{
    outcome::{Ended, Ending, Write},
    problem::object,
};
use serde_json::{Map, Value};
use std::sync::Arc;

pub(super) const RULES: Rules = Rules { name: "claude", tool: "AskUserQuestion", recognises: |_| false, read };

fn read(reader: &mut Reader, request: &Map<String, Value>) -> Option<Draft> {
    let questions = request.get("questions").cloned().unwrap_or_default();
    let draft = ask_user_question::read(reader, request)?;
    Some(Draft { writer: Arc::new(Permission { questions }), ..draft })
}

/// Writes the permission, with the questions of the request.
struct Permission {
    questions: Value,
}

impl Write for Permission {
    fn write(&self, ended: &Ended<'_>) -> Option<Value> {
        let deny = |message: String| Value::Object(object([("behavior", "deny".into()), ("message", message.into())]));
        match ended.ending {
            Ending::Completed => {
                let mut input = object([("questions", self.questions.clone())]);
                input.extend(ask_user_question::answers(ended));
                Some(Value::Object(object([("behavior", "allow".into()), ("updatedInput", Value::Object(input))])))
            }
            Ending::Replied { text } => {
                Some(deny(text.clone().unwrap_or_else(|| ask_user_question::DECLINED.to_owned())))
            }
            Ending::TurnEnded => None,
            Ending::Failed(failure) => Some(deny(failure.to_string())),
        }
    }
}
