//! The common shape of several dialects: questions with `question`, `header` and labelled `options`. The file of each dialect has its
//! differences.

use super::{
    declared::Level,
    fields::{Fields, Reader},
};
use crate::{
    problem::Pointer,
    question::{AnswerType, Choice, Question},
};
use serde_json::Value;
use std::ops::RangeInclusive;

/// The differences between the dialects with this shape.
pub(super) struct Shape {
    /// The most characters of a header that are shown.
    pub header: usize,
    /// The allowed numbers of options. If 0 is allowed, a question without options asks for text.
    pub options: RangeInclusive<usize>,
    /// The field that allows several options.
    pub multiple: &'static str,
    /// The field that offers "Other", if there is one, and whether "Other" is offered if the field is absent.
    pub other: (&'static str, bool),
    /// The fields of a question.
    pub fields: &'static [&'static str],
}

/// The fields of an option.
const OPTION: &[&str] = &["label", "description", "preview", "recommended", "danger"];

/// Reads a question whose fields are declared. Its id is its place, from 1: `q1`.
pub(super) fn question(reader: &mut Reader, fields: &Fields<'_>, place: usize, shape: &Shape) -> Option<Question> {
    let multiple = fields.flag(reader, shape.multiple, false);
    let other = fields.flag(reader, shape.other.0, shape.other.1);
    let by_text = *shape.options.start() == 0;
    let list = if by_text { fields.list(reader, "options", "a list") } else { fields.required_list(reader, "options") };
    let answer_type = match list {
        Some([]) if by_text => {
            // Of a text, there are neither several nor only some.
            if multiple {
                fields.refuse(reader, fields.sent(shape.multiple), Some("options"));
            }
            if shape.other.1 && !other {
                fields.refuse(reader, fields.sent(shape.other.0), Some("options"));
            }
            Some(AnswerType::text())
        }
        None => None,
        Some(list) => {
            let path = fields.place("options");
            let choices = reader.options(list, &path, &shape.options, &mut option);
            choices.map(|choices| AnswerType::choice(choices.with_other(other), multiple))
        }
    };
    asked(reader, fields, place, shape, answer_type)
}

/// Reads the rest of a question whose answer type has been read.
pub(super) fn asked(
    reader: &mut Reader,
    fields: &Fields<'_>,
    place: usize,
    shape: &Shape,
    answer_type: Option<AnswerType>,
) -> Option<Question> {
    let text = fields.shown_text(reader, "question");
    let header = fields.header(reader, shape.header);
    let danger = fields.flag(reader, "danger", false);
    let mut question = Question::new(format!("q{}", place.saturating_add(1)), text?, answer_type?);
    (question.header, question.danger) = (header, danger);
    Some(question)
}

/// Reads an option: `{label, description, preview}`, or the label alone.
fn option(reader: &mut Reader, option: &Value, path: Pointer) -> Option<Choice> {
    if option.is_string() {
        return reader.plain(option, path);
    }
    let mut fields = reader.object(option, path, "an object with \"label\"")?;
    fields.declare(reader, OPTION, Level::Option)?;
    let label = fields.shown_text(reader, "label");
    let (description, preview) = (fields.note(reader, "description"), fields.note(reader, "preview"));
    let (recommended, danger) = (fields.flag(reader, "recommended", false), fields.flag(reader, "danger", false));
    Some(Choice { description, preview, recommended, danger, ..Choice::new(label?) })
}
