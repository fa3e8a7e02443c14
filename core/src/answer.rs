//! Does this value answer this question? An [`Answer`] only comes from here.

use crate::{
    form::{AnswerType, Choices, Question},
    host::Limits,
    json::{self, Measure, shown, type_name},
    problem::Refusal,
};
use serde_json::Value;
use std::fmt;

/// What a secret reads as wherever an answer is shown.
pub const REDACTED: &str = "[redacted]";

/// A value that its question takes.
#[derive(Clone, PartialEq)]
pub struct Answer {
    value: Value,
    secret: bool,
}

impl Answer {
    /// Checks a value against a question, within the limits of the host. Selections come out in the options' order.
    pub fn new(question: &Question, value: Value, limits: &Limits) -> Result<Self, Refusal> {
        match json::measure(&value, limits.bytes, limits.depth) {
            Measure::Fits => {}
            Measure::TooManyBytes => {
                return Err(Refusal::TooLarge { what: format!("more than {} bytes", limits.bytes) });
            }
            Measure::TooDeep => {
                return Err(Refusal::TooLarge { what: format!("nested more than {} levels deep", limits.depth) });
            }
        }
        let secret = question.answer_type.is_secret();
        Ok(Self { value: fitting(&question.answer_type, value)?, secret })
    }

    /// A secret that was given, but whose value is lost, as after resuming; `None` for other questions.
    pub(crate) fn missing(question: &Question) -> Option<Self> {
        question.answer_type.is_secret().then_some(Self { value: Value::Null, secret: true })
    }

    /// Whether this is a secret whose value is lost.
    pub(crate) fn is_missing(&self) -> bool {
        self.secret && self.value.is_null()
    }

    /// The answer as it may be seen: a secret is `"[redacted]"`.
    pub fn shown(&self) -> Value {
        if self.secret { REDACTED.into() } else { self.value.clone() }
    }

    /// The answer itself, where it is no secret.
    pub fn open(&self) -> Option<&Value> {
        (!self.secret).then_some(&self.value)
    }

    /// The secret itself, for the host alone; `None` where the answer is none.
    pub fn secret(&self) -> Option<&Value> {
        self.secret.then_some(&self.value)
    }
}

impl fmt::Debug for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Answer({})", self.shown())
    }
}

/// What was typed into a question's field, as a value: JSON for `schema`, a decimal number for `number`, the text itself
/// for `text` and `secret`. The other types are not typed.
pub fn typed(question: &Question, text: String, limits: &Limits) -> Result<Value, Refusal> {
    match &question.answer_type {
        AnswerType::Text | AnswerType::Secret => Ok(Value::String(text)),
        AnswerType::Number => number(&text),
        AnswerType::Schema(_) => match json::measure_text(&text, limits.bytes, limits.depth) {
            Measure::Fits => json::parse(&text).map_err(Refusal::InvalidJson),
            Measure::TooManyBytes => Err(Refusal::TooLarge { what: format!("more than {} bytes", limits.bytes) }),
            Measure::TooDeep => {
                Err(Refusal::TooLarge { what: format!("nested more than {} levels deep", limits.depth) })
            }
        },
        AnswerType::Boolean | AnswerType::Select(_) | AnswerType::MultiSelect(_) => {
            Err(Refusal::NotAllowed { why: "This question is answered by choosing, not by typing." })
        }
    }
}

/// Whether an answer, or `None` for a skipped question, meets a condition: a selection as a set, all else as JSON values.
pub fn meets(question: &Question, answer: Option<&Answer>, equals: &Value) -> bool {
    let Some(value) = answer.and_then(Answer::open) else { return equals.is_null() };
    match (&question.answer_type, value, equals) {
        (AnswerType::MultiSelect(choices), Value::Array(chosen), Value::Array(wanted)) => {
            selection(choices, wanted).is_some_and(|wanted| places(choices, chosen) == wanted)
        }
        _ => json::equal(value, equals),
    }
}

/// Whether the question can ever have an answer that meets a condition (a skip aside).
pub fn can_meet(question: &Question, equals: &Value, limits: &Limits) -> bool {
    match (&question.answer_type, equals) {
        (AnswerType::MultiSelect(choices), Value::Array(wanted)) => selection(choices, wanted).is_some(),
        (AnswerType::Schema(schema), _) if schema.compiled().is_none() => true,
        (AnswerType::Secret, _) => false,
        _ => Answer::new(question, equals.clone(), limits).is_ok(),
    }
}

/// The set of places that a condition on a selection names; `None` when it names no option.
fn selection(choices: &Choices, wanted: &[Value]) -> Option<Vec<usize>> {
    let places: Option<Vec<_>> = wanted.iter().map(|value| choices.place(value)).collect();
    let mut places = places?;
    places.sort_unstable();
    places.dedup();
    Some(places)
}

fn places(choices: &Choices, chosen: &[Value]) -> Vec<usize> {
    chosen.iter().filter_map(|value| choices.place(value)).collect()
}

fn fitting(answer_type: &AnswerType, value: Value) -> Result<Value, Refusal> {
    match answer_type {
        AnswerType::Boolean if value.is_boolean() => Ok(value),
        AnswerType::Boolean => Err(misfit("yes or no (a boolean)", &value)),
        AnswerType::Text | AnswerType::Secret if value.is_string() => Ok(value),
        AnswerType::Text | AnswerType::Secret => Err(misfit("a text (a string)", &value)),
        AnswerType::Number if value.as_f64().is_some_and(f64::is_finite) => Ok(value),
        AnswerType::Number => Err(misfit("a number", &value)),
        AnswerType::Select(_) if matches!(value, Value::Null | Value::Array(_) | Value::Object(_)) => {
            Err(misfit("one of the options", &value))
        }
        AnswerType::Select(choices) => match choices.place(&value).and_then(|place| choices.as_slice().get(place)) {
            Some(choice) => Ok(choice.value.clone()),
            None => Err(Refusal::NotAnOption { value: shown(&value) }),
        },
        AnswerType::MultiSelect(choices) => match value {
            Value::Array(chosen) => in_order(choices, &chosen),
            value => Err(misfit("a list of options", &value)),
        },
        AnswerType::Schema(schema) => match schema.compiled() {
            Some(compiled) => compiled.check(&value).map(|()| value),
            None => {
                Err(Refusal::NotAllowed { why: "The schema of this question is still being loaded; try again soon." })
            }
        },
    }
}

fn in_order(choices: &Choices, chosen: &[Value]) -> Result<Value, Refusal> {
    let mut selected = vec![false; choices.as_slice().len()];
    for value in chosen {
        match choices.place(value).and_then(|place| selected.get_mut(place)) {
            Some(true) => return Err(Refusal::DuplicateSelection { value: shown(value) }),
            Some(mark) => *mark = true,
            None => return Err(Refusal::NotAnOption { value: shown(value) }),
        }
    }
    let options = choices.as_slice().iter().zip(selected);
    Ok(options.filter(|(_, selected)| *selected).map(|(choice, _)| choice.value.clone()).collect())
}

fn misfit(expected: &'static str, value: &Value) -> Refusal {
    if value.is_null() { Refusal::Required } else { Refusal::WrongType { expected, found: type_name(value) } }
}

/// A decimal number as people type it: JSON's notation, or with a leading `+` or zeros, or a bare point (`.5`).
fn number(text: &str) -> Result<Value, Refusal> {
    let text = text.trim();
    if text.is_empty() {
        return Err(Refusal::Required);
    }
    let json = json::parse(text).ok().filter(Value::is_number);
    let decimal = || {
        let plain = text.bytes().all(|byte| byte.is_ascii_digit() || b"+-.eE".contains(&byte));
        text.parse::<f64>().ok().filter(|_| plain).and_then(serde_json::Number::from_f64).map(Value::Number)
    };
    json.or_else(decimal).ok_or_else(|| Refusal::NotANumber { text: json::quoted(text) })
}
