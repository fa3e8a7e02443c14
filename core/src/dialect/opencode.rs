//! The dialect `opencode`: the tool `question` of opencode, answered by position with lists of labels.

use super::{
    declared::Level,
    draft::{Draft, Rules, Tells, any_question_has, failed, texts},
    fields::{Fields, QUESTIONS, Reader},
    labelled::{self, Shape},
};
use crate::{
    outcome::{Ended, Ending, Reply, Write},
    problem::object,
};
use serde_json::{Map, Value};
use std::sync::Arc;

pub(super) const RULES: Rules = Rules {
    name: "opencode",
    tool: |_| "question",
    recognises,
    tells: Tells { listed: &["multiple", "custom"], ..Tells::NONE },
    read,
    unread: |_| Arc::new(Labels),
};

pub(super) const FIELDS: &[&str] = &["question", "header", "options", "multiple", "custom", "danger"];
const SHAPE: Shape =
    Shape { header: usize::MAX, options: 0..=10_000, multiple: "multiple", other: ("custom", true), fields: FIELDS };

fn recognises(request: &Value) -> bool {
    // Its event names the session, and the call that waits.
    let is_event =
        request.get("sessionID").is_some() || request.get("tool").is_some_and(|tool| tool.get("callID").is_some());
    any_question_has(request, &["question"]) && (is_event || any_question_has(request, &["multiple", "custom"]))
}

fn read(reader: &mut Reader, request: &Map<String, Value>) -> Option<Draft> {
    let mut fields = Fields::root(request);
    fields.declare(reader, &["questions"], Level::Request)?;
    let list = fields.questions(reader, QUESTIONS)?;
    reader.ask_each(list, &fields.place("questions"), &mut |reader, fields, place| {
        fields.declare(reader, SHAPE.fields, Level::Question)?;
        labelled::question(reader, fields, place, &SHAPE)
    });
    Some(Draft::new(Labels))
}

/// Writes a list of labels for each question, by position.
struct Labels;

impl Write for Labels {
    fn reply(&self) -> Reply {
        Reply::WithoutWords
    }

    fn write(&self, ended: &Ended<'_>) -> Option<Value> {
        match ended.ending {
            Ending::Completed => {
                let answers = ended.answers().map(|(_, taken)| Value::from(texts(taken))).collect();
                Some(Value::Object(object([("answers", Value::Array(answers))])))
            }
            Ending::Replied { .. } => Some(Value::Object(object([("rejected", true.into())]))),
            Ending::TurnEnded => None,
            Ending::Failed(failure) => Some(failed(failure)),
        }
    }
}
