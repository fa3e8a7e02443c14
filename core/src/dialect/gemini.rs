//! The dialect `gemini`: the tool `ask_user` of Gemini CLI, with choices, texts and yes-or-no, answered by position.

use super::{
    draft::{Rules, Tells},
    fields::{Fields, Reader},
    labelled::{self, Shape},
    table::{Key, Said, Table},
};
use crate::{
    problem::ProblemKind,
    question::{AnswerType, Choice, Choices, Question, TextRules},
};

pub(super) const RULES: Rules = Rules {
    name: "gemini",
    tool: |_| "ask_user",
    recognises: |request| TABLE.recognises(request),
    tells: Tells { listed: &["type", "multiSelect"], ..Tells::NONE },
    read: |reader, request| TABLE.read(reader, request),
    unread: |request| TABLE.unread(request),
    own: None,
};

pub(super) const FIELDS: &[&str] = &["question", "header", "type", "options", "multiSelect", "placeholder", "danger"];
const TYPES: &[&str] = &["choice", "text", "yesno"];

static TABLE: Table = Table {
    telling: &["type"],
    most: 4,
    shape: Shape {
        header: 16,
        options: 2..=4,
        multiple: "multiSelect",
        optional: true,
        fields: FIELDS,
        ..Shape::PLAIN
    },
    ask: Some(ask),
    key: Key::Place,
    answer: |given| given.joined(),
    replied: Said::Json("\"User dismissed ask_user dialog without answering.\""),
    ..Table::LIST
};

fn ask(reader: &mut Reader, fields: &Fields<'_>, place: usize, shape: &Shape) -> Option<Question> {
    let kind = fields.text(reader, "type");
    if matches!(kind, Some("text" | "yesno")) {
        fields.refuse_for(reader, &["options", "multiSelect"], "type");
    }
    let answer_type = match kind {
        None | Some("choice") => {
            // Nothing is written, so there is no field to show it in.
            if fields.present("placeholder").is_some() {
                let field = fields.sent("placeholder").to_owned();
                reader.warning(fields.place("placeholder"), ProblemKind::UnknownField { field, near: None });
            }
            return labelled::question(reader, fields, place, shape);
        }
        // A text says something, or the question is left unanswered.
        Some("text") => Some(AnswerType::Text(TextRules { min_length: 1, ..TextRules::default() })),
        Some("yesno") => {
            let (choices, _) = Choices::new(vec![Choice::new("Yes"), Choice::new("No")]);
            Some(AnswerType::Select(choices.with_other(true)))
        }
        Some(given) => {
            reader.unknown_type(fields.place("type"), "type", given, TYPES);
            None
        }
    };
    let placeholder = fields.note(reader, "placeholder");
    let mut question = labelled::asked(reader, fields, place, shape, answer_type)?;
    (question.placeholder, question.optional) = (placeholder, true);
    Some(question)
}
