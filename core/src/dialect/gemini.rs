//! The dialect `gemini`: the tool `ask_user` of Gemini CLI, with choices, texts and yes-or-no, answered by position.

use super::{
    declared::Level,
    draft::{Draft, Rules, Tells, any_question_has, failed, texts},
    fields::{Fields, Reader},
    labelled::{self, Shape},
};
use crate::{
    outcome::{Ended, Ending, Reply, Write},
    problem::object,
    question::{AnswerType, Choice, Choices},
};
use serde_json::{Map, Value};
use std::sync::Arc;

pub(super) const RULES: Rules = Rules {
    name: "gemini",
    tool: |_| "ask_user",
    recognises,
    tells: Tells { listed: &["type", "multiSelect"], ..Tells::NONE },
    read,
    unread: |_| Arc::new(Positions),
};

const QUESTIONS: usize = 4;
pub(super) const FIELDS: &[&str] = &["question", "header", "type", "options", "multiSelect", "placeholder", "danger"];
const SHAPE: Shape = Shape { header: 16, options: 2..=4, multiple: "multiSelect", other: ("", true), fields: FIELDS };
const TYPES: &[&str] = &["choice", "text", "yesno"];

fn recognises(request: &Value) -> bool {
    any_question_has(request, &["question"]) && any_question_has(request, &["type"])
}

fn read(reader: &mut Reader, request: &Map<String, Value>) -> Option<Draft> {
    let mut fields = Fields::root(request);
    fields.declare(reader, &["questions"], Level::Request)?;
    let list = fields.questions(reader, QUESTIONS)?;
    reader.ask_each(list, &fields.place("questions"), &mut |reader, fields, place| {
        fields.declare(reader, SHAPE.fields, Level::Question)?;
        let kind = fields.text(reader, "type");
        if matches!(kind, Some("text" | "yesno")) {
            fields.refuse_for(reader, &["options", "multiSelect"], "type");
        }
        let answer_type = match kind {
            None | Some("choice") => {
                // Nothing is written, so there is no field to show it in.
                if fields.present("placeholder").is_some() {
                    fields.name_strays(reader, &[], &["placeholder"]);
                }
                return labelled::question(reader, fields, place, &SHAPE);
            }
            Some("text") => Some(AnswerType::text()),
            Some("yesno") => {
                let (choices, _) = Choices::new(vec![Choice::new("Yes"), Choice::new("No")]);
                Some(AnswerType::Select(choices))
            }
            Some(given) => {
                reader.unknown_type(fields.place("type"), "type", given, TYPES);
                None
            }
        };
        let placeholder = fields.note(reader, "placeholder");
        let mut question = labelled::asked(reader, fields, place, &SHAPE, answer_type)?;
        question.placeholder = placeholder;
        Some(question)
    });
    Some(Draft::new(Positions))
}

/// Writes the answers by position.
struct Positions;

impl Write for Positions {
    fn reply(&self) -> Reply {
        Reply::WithoutWords
    }

    fn write(&self, ended: &Ended<'_>) -> Option<Value> {
        match ended.ending {
            Ending::Completed => {
                let mut answers = Map::new();
                for (place, (_, taken)) in ended.answers().enumerate() {
                    if taken.is_some() {
                        answers.insert(place.to_string(), texts(taken).join(", ").into());
                    }
                }
                Some(Value::Object(object([("answers", Value::Object(answers))])))
            }
            Ending::Replied { .. } => Some("User dismissed ask_user dialog without answering.".into()),
            Ending::TurnEnded => None,
            Ending::Failed(failure) => Some(failed(failure)),
        }
    }
}
