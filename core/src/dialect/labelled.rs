//! The common shape of several dialects: questions with `question`, `header` and labelled `options`. The table or the file of each dialect has its
//! differences.

use super::{
    declared::Level,
    fields::{Fields, OPTIONS, Reader},
};
use crate::{
    problem::{Pointer, ProblemKind},
    question::{AnswerType, Choice, Question},
};
use serde_json::Value;
use std::ops::RangeInclusive;

/// The differences between the dialects with this shape. A field that a dialect does not have is empty here.
pub(super) struct Shape {
    /// The field with the text of the question.
    pub text: &'static str,
    /// The most characters of a header that are shown. 0 where there is none.
    pub header: usize,
    /// The field with the options.
    pub list: &'static str,
    /// The allowed numbers of options. If 0 is allowed, a question without options asks for text.
    pub options: RangeInclusive<usize>,
    /// The fewest options where own words are not allowed.
    pub closed: usize,
    /// The fields of an option, and the one with its label.
    pub option: &'static [&'static str],
    pub label: &'static str,
    /// The field of an option with what the answer has for it. Where there is none, that is the label.
    pub value: &'static str,
    /// What an option may say that no result can: a request with it is rejected.
    pub refused: &'static [&'static str],
    /// The field that allows several options, and the word in it that says so. Without a word, it is a flag.
    pub multiple: &'static str,
    pub several: Option<&'static [&'static str; 2]>,
    /// The field that offers "Other", if there is one, and whether "Other" is offered if the field is absent.
    pub other: (&'static str, bool),
    /// The field with more to know, as Markdown.
    pub context: &'static str,
    /// The field that says that the answer is a secret.
    pub secret: &'static str,
    /// Whether a question may be left empty, and whether a note may stand beside an option.
    pub optional: bool,
    pub notes: bool,
    /// The fields of a question.
    pub fields: &'static [&'static str],
}

impl Shape {
    /// One with any number of options, none of them necessary, and nothing else.
    pub const PLAIN: Self = Self {
        text: "question",
        header: usize::MAX,
        list: "options",
        options: 0..=*OPTIONS.end(),
        closed: 0,
        option: &["label", "description", "preview", "recommended", "danger"],
        label: "label",
        value: "",
        refused: &[],
        multiple: "",
        several: None,
        other: ("", true),
        context: "",
        secret: "",
        optional: false,
        notes: false,
        fields: &[],
    };
}

/// Reads a question whose fields are declared. Its id is its place, from 1: `q1`.
pub(super) fn question(reader: &mut Reader, fields: &Fields<'_>, place: usize, shape: &Shape) -> Option<Question> {
    let multiple = match shape.several {
        None => fields.flag(reader, shape.multiple, false),
        Some(words) => several(reader, fields, shape.multiple, words),
    };
    let other = fields.flag(reader, shape.other.0, shape.other.1);
    let by_text = *shape.options.start() == 0;
    let list =
        if by_text { fields.list(reader, shape.list, "a list") } else { fields.required_list(reader, shape.list) };
    if let Some(found) = list.map(<[Value]>::len).filter(|found| !other && *found < shape.closed) {
        if fields.required(reader, shape.list).is_some() {
            reader.problem(fields.place(shape.list), ProblemKind::TooFewOptions { limit: shape.closed, found });
        }
        return None;
    }
    let answer_type = match list {
        Some([]) if by_text => {
            // Of a text, there are neither several nor only some.
            if multiple {
                fields.refuse(reader, fields.sent(shape.multiple), Some(shape.list));
            }
            if shape.other.1 && !other {
                fields.refuse(reader, fields.sent(shape.other.0), Some(shape.list));
            }
            Some(AnswerType::text())
        }
        None => None,
        Some(list) => {
            let path = fields.place(shape.list);
            let choices =
                reader.options(list, &path, &shape.options, &mut |reader, one, path| option(reader, one, path, shape));
            choices.map(|choices| AnswerType::choice(choices.with_other(other), multiple))
        }
    };
    let secret = !shape.secret.is_empty() && fields.flag(reader, shape.secret, false);
    let mut question = asked(reader, fields, place, shape, answer_type)?;
    if secret {
        fields.refuse_for(reader, &[shape.list], shape.secret);
        question.answer_type = AnswerType::Secret;
    }
    question.optional = shape.optional && !secret;
    question.notes = shape.notes && !secret && question.answer_type.choices().is_some();
    Some(question)
}

/// Reads how many options may be chosen, from the words for one and for several.
#[cold]
#[inline(never)]
fn several(reader: &mut Reader, fields: &Fields<'_>, name: &'static str, words: &'static [&'static str; 2]) -> bool {
    let given = fields.text(reader, name).unwrap_or(words[0]);
    if !words.contains(&given) {
        reader.unknown_type(fields.place(name), name, given, words);
    }
    given == words[1]
}

/// Reads the rest of a question whose answer type has been read.
pub(super) fn asked(
    reader: &mut Reader,
    fields: &Fields<'_>,
    place: usize,
    shape: &Shape,
    answer_type: Option<AnswerType>,
) -> Option<Question> {
    let text = fields.shown_text(reader, shape.text);
    let header = if shape.header == 0 { None } else { fields.header(reader, shape.header) };
    let danger = fields.flag(reader, "danger", false);
    let context = if shape.context.is_empty() { None } else { fields.note(reader, shape.context) };
    let mut question = Question::new(format!("q{}", place.saturating_add(1)), text?, answer_type?);
    (question.header, question.danger, question.context) = (header, danger, context);
    Some(question)
}

/// Reads an option: an object with a label, or the label alone.
fn option(reader: &mut Reader, option: &Value, path: Pointer, shape: &Shape) -> Option<Choice> {
    if option.is_string() {
        return reader.plain(option, path);
    }
    let mut fields = reader.object(option, path, "an object with \"label\"")?;
    fields.declare(reader, shape.option, Level::Option)?;
    for name in shape.refused {
        if fields.present(name).is_some() {
            fields.refuse(reader, name, None);
        }
    }
    let label = fields.shown_text(reader, shape.label);
    let (description, preview) = (fields.note(reader, "description"), fields.note(reader, "preview"));
    let (recommended, danger) = (fields.flag(reader, "recommended", false), fields.flag(reader, "danger", false));
    let value = if shape.value.is_empty() { label } else { fields.shown_text(reader, shape.value) };
    let choice = Choice::of(value?.into(), label?.to_owned());
    Some(Choice { description, preview, recommended, danger, ..choice })
}
