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
                json::dismantle(value);
                return Err(Refusal::TooLarge { what: format!("more than {} bytes", limits.bytes) });
            }
            Measure::TooDeep => {
                json::dismantle(value);
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
            selection(choices, wanted).is_some_and(|wanted| selection(choices, chosen) == Some(wanted))
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

/// The options that a list names, as marks in the options' order; `None` when it names something else.
fn selection(choices: &Choices, wanted: &[Value]) -> Option<Vec<bool>> {
    let mut marks = vec![false; choices.as_slice().len()];
    for value in wanted {
        *marks.get_mut(choices.place(value)?)? = true;
    }
    Some(marks)
}

fn fitting(answer_type: &AnswerType, value: Value) -> Result<Value, Refusal> {
    match answer_type {
        AnswerType::Boolean if value.is_boolean() => Ok(value),
        AnswerType::Boolean => Err(misfit("yes or no (a boolean)", &value)),
        AnswerType::Text | AnswerType::Secret if value.is_string() => Ok(value),
        AnswerType::Text | AnswerType::Secret => Err(misfit("a text (a string)", &value)),
        AnswerType::Number if value.is_number() => Ok(value),
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

/// A decimal number as people type it: JSON's notation, or with a leading `+`, with leading zeros, or with a bare point
/// (`.5`, `5.`).
fn number(text: &str) -> Result<Value, Refusal> {
    let text = text.trim();
    if text.is_empty() {
        return Err(Refusal::Required);
    }
    let (sign, digits) = match text.strip_prefix('-') {
        Some(digits) => ("-", digits),
        None => ("", text.strip_prefix('+').unwrap_or(text)),
    };
    let (whole, rest) = digits.split_at(digits.bytes().take_while(u8::is_ascii_digit).count());
    let (fraction, exponent) = match rest.strip_prefix('.') {
        Some(rest) => rest.split_at(rest.bytes().take_while(u8::is_ascii_digit).count()),
        None => ("", rest),
    };
    let point = if fraction.is_empty() { "" } else { "." };
    let plain = match whole.trim_start_matches('0') {
        "" => "0",
        whole => whole,
    };
    let has_digits = !whole.is_empty() || !fraction.is_empty();
    let number = json::parse(&format!("{sign}{plain}{point}{fraction}{exponent}")).ok();
    let number = number.filter(|number| has_digits && number.is_number());
    number.ok_or_else(|| Refusal::NotANumber { text: json::quoted(text) })
}

#[cfg(test)]
mod tests {
    use super::number;
    use serde_json::json;

    #[test]
    fn numbers_are_read_as_people_type_them() {
        for (text, value) in [
            ("42", json!(42)),
            (" -1.5 ", json!(-1.5)),
            ("+7", json!(7)),
            ("007", json!(7)),
            (".5", json!(0.5)),
            ("5.", json!(5)),
            ("-.5e2", json!(-50.0)),
            ("1e3", json!(1000.0)),
            ("0", json!(0)),
            ("18446744073709551615", json!(18_446_744_073_709_551_615_u64)),
        ] {
            assert_eq!(number(text), Ok(value), "{text}");
        }
        for text in
            ["", "x", ".", "-", "+-1", "1 2", "1,5", "0x10", "NaN", "inf", "1e", "1e999", "--1", "1.2.3", "\"1\"", "e5"]
        {
            assert!(number(text).is_err(), "{text}");
        }
    }
}
