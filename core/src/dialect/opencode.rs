//! The dialect `opencode`: the tool `question` of opencode, answered by position with lists of labels.

use super::{
    draft::{Draft, Rules, any_question_has, failed, texts},
    fields::{Fields, QUESTIONS, Reader},
    labelled::{self, Shape},
};
use crate::{
    outcome::{Ended, Ending, Write},
    problem::object,
};
use serde_json::{Map, Value};
use std::sync::Arc;

pub(super) const RULES: Rules =
    Rules { name: "opencode", tool: "question", recognises, read, unread: |_| Arc::new(Labels) };

const SHAPE: Shape = Shape { header: usize::MAX, options: 0..=10_000, multiple: "multiple", other: ("custom", true) };

fn recognises(request: &Value) -> bool {
    any_question_has(request, &["question"]) && any_question_has(request, &["multiple", "custom"])
}

fn read(reader: &mut Reader, request: &Map<String, Value>) -> Option<Draft> {
    let fields = Fields::root(request);
    let list = fields.questions(reader, QUESTIONS)?;
    reader.ask_each(list, &fields.path.field("questions"), &mut |reader, fields, place| {
        labelled::question(reader, fields, place, &SHAPE)
    });
    Some(Draft::new(Labels))
}

/// Writes a list of labels for each question, by position.
struct Labels;

impl Write for Labels {
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
