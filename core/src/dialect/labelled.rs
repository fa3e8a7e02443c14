//! What several dialects have in common: questions with `question`, `header` and labelled `options`. Each says in its file
//! what is its own.

use super::fields::{Fields, Reader};
use crate::{
    problem::Pointer,
    question::{AnswerType, Choice, Question},
};
use serde_json::Value;
use std::ops::RangeInclusive;

/// How a dialect asks.
pub(super) struct Shape {
    /// How many characters of a header are shown.
    pub header: usize,
    /// How many options there may be. Where there may be none, a question without options asks for text.
    pub options: RangeInclusive<usize>,
    /// The field that allows several options.
    pub multiple: &'static str,
    /// The field that offers "Other", if there is one, and whether it is offered where the field is absent.
    pub other: (&'static str, bool),
}

/// Reads a question. Its id is its place, from 1: `q1`.
pub(super) fn question(reader: &mut Reader, fields: &Fields<'_>, place: usize, shape: &Shape) -> Option<Question> {
    let multiple = fields.flag(reader, shape.multiple, false);
    let other = fields.flag(reader, shape.other.0, shape.other.1);
    let by_text = *shape.options.start() == 0;
    let list = if by_text { fields.list(reader, "options", "a list") } else { fields.required_list(reader, "options") };
    let answer_type = match list {
        Some([]) if by_text => Some(AnswerType::text()),
        None => None,
        Some(list) => {
            let path = fields.path.field("options");
            let choices = reader.options(list, &path, &shape.options, &mut option);
            choices.map(|choices| AnswerType::choice(choices.with_other(other), multiple))
        }
    };
    asked(reader, fields, place, shape, answer_type)
}

/// A question whose answer type has been read, with what stands around it.
pub(super) fn asked(
    reader: &mut Reader,
    fields: &Fields<'_>,
    place: usize,
    shape: &Shape,
    answer_type: Option<AnswerType>,
) -> Option<Question> {
    let text = fields.shown_text(reader, "question");
    let header = fields.header(reader, shape.header);
    let mut question = Question::new(format!("q{}", place.saturating_add(1)), text?, answer_type?);
    question.header = header;
    Some(question)
}

/// An option of the form `{label, description, preview}`, or its label alone.
fn option(reader: &mut Reader, option: &Value, path: Pointer) -> Option<Choice> {
    if option.is_string() {
        return reader.plain(option, path);
    }
    let fields = reader.object(option, path, "an object with \"label\"")?;
    let label = fields.shown_text(reader, "label");
    let (description, preview) = (fields.note(reader, "description"), fields.note(reader, "preview"));
    Some(Choice { description, preview, ..Choice::new(label?) })
}
