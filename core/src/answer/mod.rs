//! Does this value answer this question? An [`Answer`] only comes from here.

mod format;

use crate::{
    form::{AnswerType, Choices, NumberRules, Question, Selections, TextRules},
    host::Limits,
    json::{self, Measure, digits::marked, shown, type_name},
    problem::Refusal,
};
use serde_json::Value;
use std::{cmp::Ordering, fmt};

/// What a secret reads as wherever an answer is shown.
pub const REDACTED: &str = "[redacted]";

/// An answer as somebody gives it, before anybody has looked whether it fits.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Given {
    /// The value; null leaves an optional question empty.
    pub value: Value,
    /// Whether a free text stands in place of an option ("Other"): the value itself, or the last one of a list.
    pub other: bool,
    /// A note beside the answer; one that says nothing is none.
    pub note: Option<String>,
    /// Whether the answer is to be remembered for the rest of the turn.
    pub remember: bool,
    /// The value as the JSON text that it was read from, for the digits of numbers that the value does not hold; a text that
    /// says something else is none.
    pub text: Option<String>,
}

impl Given {
    /// Reads an answer from JSON text.
    pub fn read(text: String) -> Result<Self, Refusal> {
        let value = json::parse(&text).map_err(Refusal::InvalidJson)?;
        Ok(Self { value, text: Some(text), ..Self::default() })
    }
}

impl From<Value> for Given {
    fn from(value: Value) -> Self {
        Self { value, ..Self::default() }
    }
}

/// A value that its question takes.
#[derive(Clone, PartialEq)]
pub struct Answer {
    value: Value,
    other: bool,
    note: Option<String>,
    secret: bool,
    exact: Option<String>,
}

impl Answer {
    /// Checks a value against a question, within the limits of the host. Selections come out in the options' order, a free
    /// text after them.
    pub fn new(question: &Question, given: Given, limits: &Limits) -> Result<Self, Refusal> {
        let Given { value, other, note, remember: _, text } = given;
        let note = note.filter(|note| !note.trim().is_empty());
        if note.as_ref().is_some_and(|note| note.len() > limits.bytes) {
            json::dismantle(value);
            return Err(too_many_bytes(limits));
        }
        match json::measure(&value, limits.bytes, limits.depth) {
            Measure::Fits => {}
            Measure::TooManyBytes => {
                json::dismantle(value);
                return Err(too_many_bytes(limits));
            }
            Measure::TooDeep => {
                json::dismantle(value);
                return Err(too_deep(limits));
            }
        }
        if note.is_some() && !question.notes {
            return Err(Refusal::NotAllowed { why: "This question takes no note beside its answer." });
        }
        let value = if value.is_null() && question.optional && !other {
            value
        } else if other {
            with_other(&question.answer_type, value)?
        } else {
            fitting(&question.answer_type, value)?
        };
        let exact = text.filter(|text| is_exact(question, text, &value, limits));
        Ok(Self { value, other, note, secret: question.answer_type.is_secret(), exact })
    }

    /// A secret that was given, but whose value is lost, as after resuming; `None` for other questions.
    pub(crate) fn missing(question: &Question) -> Option<Self> {
        let secret = question.answer_type.is_secret();
        secret.then_some(Self { value: Value::Null, other: false, note: None, secret, exact: None })
    }

    /// Whether this is a secret whose value is lost.
    pub(crate) fn is_missing(&self) -> bool {
        self.secret && self.value.is_null()
    }

    /// The answer as it may be seen: a secret is `"[redacted]"`.
    pub fn shown(&self) -> Value {
        if self.secret { REDACTED.into() } else { self.value.clone() }
    }

    /// The answer itself, where it is no secret. Null: the question was left empty.
    pub fn open(&self) -> Option<&Value> {
        (!self.secret).then_some(&self.value)
    }

    /// The secret itself, for the host alone; `None` where the answer is none.
    pub fn secret(&self) -> Option<&Value> {
        self.secret.then_some(&self.value)
    }

    /// The free text that stands in place of an option; `None` where an option was chosen.
    pub fn other(&self) -> Option<&str> {
        match &self.value {
            Value::Array(list) if self.other => list.last()?.as_str(),
            value if self.other => value.as_str(),
            _ => None,
        }
    }

    /// The answer as the JSON text that it was given as, where it has numbers of more digits than a value holds.
    pub fn exact(&self) -> Option<&str> {
        self.exact.as_deref()
    }

    /// The answer as JSON text, with every digit; `None` for a secret.
    pub fn text(&self) -> Option<String> {
        self.open().map(|value| self.exact.clone().unwrap_or_else(|| value.to_string()))
    }

    /// The same with a text in place of each number that a value does not hold.
    pub(crate) fn marked(&self) -> Self {
        let marked = self.exact.as_ref().and_then(|text| json::parse(&marked(text)).ok());
        Self { value: marked.unwrap_or_else(|| self.value.clone()), ..self.clone() }
    }

    /// The note beside the answer.
    pub fn note(&self) -> Option<&str> {
        self.note.as_deref()
    }

    /// Whether the question was left empty.
    pub fn is_empty(&self) -> bool {
        !self.secret && self.value.is_null()
    }
}

impl fmt::Debug for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Answer({})", self.shown())
    }
}

/// What was typed into a question's field, as a value: JSON for `schema`, a decimal number for `number`, the text itself
/// for `text` and `secret`; nothing at all is null where the question is optional. The other types are not typed.
pub fn typed(question: &Question, text: String, limits: &Limits) -> Result<Given, Refusal> {
    match &question.answer_type {
        AnswerType::Boolean | AnswerType::Select(_) | AnswerType::MultiSelect(..) | AnswerType::Url(_) => {
            Err(Refusal::NotAllowed { why: "This question is answered by choosing, not by typing." })
        }
        _ if question.optional && text.trim().is_empty() => Ok(Value::Null.into()),
        AnswerType::Text(_) | AnswerType::Secret => Ok(Value::String(text).into()),
        AnswerType::Number(_) => number(&text),
        AnswerType::Schema(_) => match json::measure_text(&text, limits.bytes, limits.depth) {
            Measure::Fits => Given::read(text),
            Measure::TooManyBytes => Err(too_many_bytes(limits)),
            Measure::TooDeep => Err(too_deep(limits)),
        },
    }
}

/// Whether a text says to the digit what a value says less exactly, and is kept for that.
fn is_exact(question: &Question, text: &str, value: &Value, limits: &Limits) -> bool {
    matches!(question.answer_type, AnswerType::Number(_) | AnswerType::Schema(_))
        && text.len() <= limits.bytes
        && marked(text).len() > text.len()
        && value.to_string().as_str() != text
        && json::parse(text).is_ok_and(|read| json::equal(&read, value))
}

/// Whether an answer, or `None` for a skipped question, meets a condition: a selection as a set, all else as JSON values.
pub fn meets(question: &Question, answer: Option<&Answer>, equals: &Value) -> bool {
    let Some(value) = answer.and_then(Answer::open) else { return equals.is_null() };
    match (&question.answer_type, value, equals) {
        (AnswerType::MultiSelect(choices, _), Value::Array(chosen), Value::Array(wanted)) => {
            selection(choices, wanted).is_some_and(|wanted| selection(choices, chosen) == Some(wanted))
        }
        _ => json::equal(value, equals),
    }
}

/// Whether the question can ever have an answer that meets a condition (a skip aside).
pub fn can_meet(question: &Question, equals: &Value, limits: &Limits) -> bool {
    match (&question.answer_type, equals) {
        (AnswerType::MultiSelect(choices, _), Value::Array(wanted)) => selection(choices, wanted).is_some(),
        (answer_type, _) if answer_type.awaits_schema() => true,
        (AnswerType::Secret, _) => false,
        _ => Answer::new(question, equals.clone().into(), limits).is_ok(),
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
        AnswerType::Text(rules) => match value {
            Value::String(text) => text_of(rules, text),
            value => Err(misfit("a text (a string)", &value)),
        },
        AnswerType::Secret if value.is_string() => Ok(value),
        AnswerType::Secret => Err(misfit("a text (a string)", &value)),
        AnswerType::Number(rules) if value.is_number() => number_within(rules, value),
        AnswerType::Number(_) => Err(misfit("a number", &value)),
        AnswerType::Select(_) if matches!(value, Value::Null | Value::Array(_) | Value::Object(_)) => {
            Err(misfit("one of the options", &value))
        }
        AnswerType::Select(choices) => match choices.get(&value) {
            Some(choice) => Ok(choice.value.clone()),
            None => Err(Refusal::NotAnOption { value: shown(&value) }),
        },
        AnswerType::MultiSelect(choices, selections) => match value {
            Value::Array(chosen) => as_many(selections, in_order(choices, &chosen)?),
            value => Err(misfit("a list of options", &value)),
        },
        AnswerType::Url(_) if value == Value::Bool(true) => Ok(value),
        AnswerType::Url(_) if value == Value::Bool(false) => {
            Err(Refusal::NotAllowed { why: "Who does not agree to open the address replies, or ends the turn." })
        }
        AnswerType::Url(_) => Err(misfit("consent (true)", &value)),
        AnswerType::Schema(schema) => match schema.compiled() {
            Some(compiled) => compiled.check(&value).map(|()| value),
            None => Err(UNCHECKED),
        },
    }
}

const UNCHECKED: Refusal =
    Refusal::NotAllowed { why: "The schema of this question is still being loaded; try again soon." };

/// An answer with a free text in place of an option.
fn with_other(answer_type: &AnswerType, value: Value) -> Result<Value, Refusal> {
    if !answer_type.choices().is_some_and(Choices::other) {
        return Err(Refusal::NotAllowed { why: "This question takes no text in place of an option." });
    }
    let written = |value: &Value| match value {
        Value::String(text) if text.trim().is_empty() => Err(Refusal::Required),
        Value::String(_) => Ok(()),
        value => Err(misfit("a text in place of an option (a string)", value)),
    };
    match (answer_type, value) {
        (AnswerType::MultiSelect(choices, selections), Value::Array(mut chosen)) => {
            let text = chosen.pop().unwrap_or_default();
            written(&text)?;
            let mut selected = in_order(choices, &chosen)?;
            if let Value::Array(selected) = &mut selected {
                selected.push(text);
            }
            as_many(selections, selected)
        }
        (AnswerType::MultiSelect(..), value) => Err(misfit("a list of options", &value)),
        (_, value) => written(&value).map(|()| value),
    }
}

fn text_of(rules: &TextRules, text: String) -> Result<Value, Refusal> {
    let TextRules { min_length, max_length, format, pattern } = rules;
    // Most texts have no rules: their characters are not counted.
    if *min_length > 0 || max_length.is_some() {
        let found = text.chars().count();
        if found < *min_length {
            return Err(Refusal::TooShort { minimum: *min_length });
        }
        if let Some(maximum) = max_length.filter(|maximum| found > *maximum) {
            return Err(Refusal::TooLong { maximum, found });
        }
    }
    if let Some(format) = format.filter(|format| !format::is_of(*format, &text)) {
        return Err(Refusal::BadFormat { format: format.name() });
    }
    let text = Value::String(text);
    if let Some(pattern) = pattern {
        match pattern.compiled().ok_or(UNCHECKED)?.check(&text) {
            Err(Refusal::SchemaMismatch { .. }) => {
                let pattern = rules.pattern().unwrap_or_default().to_owned();
                return Err(Refusal::PatternMismatch { pattern });
            }
            checked => checked?,
        }
    }
    Ok(text)
}

fn number_within(rules: &NumberRules, value: Value) -> Result<Value, Refusal> {
    let Value::Number(number) = &value else { return Ok(value) };
    if rules.integer && !json::is_integer(number) {
        return Err(Refusal::NotAnInteger);
    }
    for (limit, beyond) in [(&rules.minimum, Ordering::Less), (&rules.maximum, Ordering::Greater)] {
        if let Some(limit) = limit
            && json::compare(number, limit) == beyond
        {
            return Err(Refusal::OutOfRange { limit: limit.clone(), below: beyond == Ordering::Less });
        }
    }
    Ok(value)
}

fn as_many(selections: &Selections, selected: Value) -> Result<Value, Refusal> {
    let found = selected.as_array().map_or(0, Vec::len);
    if found < selections.minimum {
        return Err(Refusal::TooFew { minimum: selections.minimum });
    }
    match selections.maximum.filter(|maximum| found > *maximum) {
        Some(maximum) => Err(Refusal::TooMany { maximum }),
        None => Ok(selected),
    }
}

fn too_many_bytes(limits: &Limits) -> Refusal {
    Refusal::TooLarge { what: format!("more than {} bytes", limits.bytes) }
}

fn too_deep(limits: &Limits) -> Refusal {
    Refusal::TooLarge { what: format!("nested more than {} levels deep", limits.depth) }
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
fn number(text: &str) -> Result<Given, Refusal> {
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
    let number = Given::read(format!("{sign}{plain}{point}{fraction}{exponent}")).ok();
    let number = number.filter(|number| has_digits && number.value.is_number());
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
            assert_eq!(number(text).map(|given| given.value), Ok(value), "{text}");
        }
        for text in
            ["", "x", ".", "-", "+-1", "1 2", "1,5", "0x10", "NaN", "inf", "1e", "1e999", "--1", "1.2.3", "\"1\"", "e5"]
        {
            assert!(number(text).is_err(), "{text}");
        }
    }
}
