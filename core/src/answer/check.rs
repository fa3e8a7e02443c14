//! Checks whether a value answers a question. No other module checks answers.

use super::{Answer, Content, Exact, Secret, Selection, format, typed};
use crate::{
    budget::{Budget, Exhausted},
    host::Limits,
    json::{self, Oversize, shown, type_name},
    problem::Refusal,
    question::{AnswerType, Choices, NumberRules, Question, Selections, TextRules, Unselectable, When},
};
use serde_json::Value;
use std::cmp::Ordering;

impl Answer {
    /// Checks an answer within the limits of the host, and charges the work to a budget.
    ///
    /// # Errors
    /// A [`Refusal`] if the question does not take it, or if the budget does not suffice for the check.
    pub fn new(question: &Question, given: Content, limits: &Limits, budget: &mut Budget) -> Result<Self, Refusal> {
        match given {
            Content::Value(value) => Self::weighed(question, Exact { value, text: None }, limits, budget),
            Content::Json(text) => Self::weighed(question, parsed(text, limits, budget)?, limits, budget),
            Content::Typed(text) => Self::weighed(question, read(question, text, limits, budget)?, limits, budget),
            Content::Other { text, beside } => other(question, text, beside, limits, budget),
        }
    }

    /// Checks an answer of the host or of an assistant. If the question offers "Other", a text that is not an option counts as one.
    ///
    /// # Errors
    /// As [`Answer::new`].
    pub fn implied(question: &Question, value: &Value, limits: &Limits, budget: &mut Budget) -> Result<Self, Refusal> {
        json::weigh(value, limits.bytes, limits.depth).map_err(|oversize| too_large(oversize, limits))?;
        let content = as_other(&question.answer_type, value).unwrap_or_else(|| Content::Value(value.clone()));
        Self::new(question, content, limits, budget)
    }

    /// Weighs an answer by its value, however it was given. A saved walk keeps the value alone, and is decided again with the same weight.
    fn weighed(question: &Question, given: Exact, limits: &Limits, budget: &mut Budget) -> Result<Self, Refusal> {
        match json::weigh(&given.value, limits.bytes, limits.depth) {
            // A saved walk has no secrets, so what they cost may not depend on their values.
            Ok(_) if question.answer_type.is_secret() => Self::of(question, given, budget),
            Ok(units) => {
                let digits = given.text.as_ref().map_or(0, String::len) as u64;
                charge(budget, units.saturating_add(digits.saturating_mul(2)))?;
                Self::of(question, given, budget)
            }
            Err(oversize) => {
                json::dismantle(given.value);
                Err(too_large(oversize, limits))
            }
        }
    }

    fn of(question: &Question, given: Exact, budget: &mut Budget) -> Result<Self, Refusal> {
        let Exact { value, text } = given;
        if value.is_null() && question.optional {
            return Ok(Self::Empty);
        }
        match (&question.answer_type, value) {
            (AnswerType::Boolean, Value::Bool(answer)) => Ok(Self::Boolean(answer)),
            (AnswerType::Boolean, value) => Err(misfit("yes or no (a boolean)", &value)),
            (AnswerType::Text(rules), Value::String(text)) => rules.check(text, budget).map(Self::Text),
            (AnswerType::Secret, Value::String(text)) if text.is_empty() => Err(Refusal::Required),
            (AnswerType::Secret, Value::String(text)) => Ok(Self::Secret(Secret(Some(text)))),
            (AnswerType::Text(_) | AnswerType::Secret, value) => Err(misfit("a text (a string)", &value)),
            (AnswerType::Number(rules), value @ Value::Number(_)) => {
                rules.check(Exact { value, text }).map(Self::Number)
            }
            (AnswerType::Number(_), value) => Err(misfit("a number", &value)),
            (AnswerType::Select(_), value @ (Value::Null | Value::Array(_) | Value::Object(_))) => {
                Err(misfit("one of the options", &value))
            }
            (AnswerType::Select(choices), value) => match choices.get(&value) {
                Some(choice) => Ok(Self::Select(choice.value.clone())),
                None => Err(Refusal::NotAnOption { value: shown(&value) }),
            },
            (AnswerType::MultiSelect { choices, selections }, Value::Array(chosen)) => {
                selected(choices, selections, &chosen, None).map(Self::MultiSelect)
            }
            (AnswerType::MultiSelect { .. }, value) => Err(misfit("a list of options", &value)),
            (AnswerType::Url(_), Value::Bool(true)) => Ok(Self::Consent),
            (AnswerType::Url(_), Value::Bool(false)) => {
                Err(Refusal::NotAllowed { why: "To decline, use Reply or End turn." })
            }
            (AnswerType::Url(_), value) => Err(misfit("consent (true)", &value)),
            (AnswerType::Schema { schema }, value) => {
                let compiled = schema.compiled().ok_or(UNCHECKED)?;
                compiled.check(&value, budget)?;
                // The exact value lies between two doubles. It fits if both fit.
                let neighbour = text.as_deref().and_then(json::digits::nudged).and_then(|text| json::parse(&text).ok());
                if let Some(neighbour) = neighbour {
                    compiled.check(&neighbour, budget)?;
                }
                Ok(Self::Schema(Exact { value, text }))
            }
        }
    }
}

const UNCHECKED: Refusal = Refusal::NotAllowed { why: "The form is still loading. Try again in a moment." };

/// Charges the work of checking an answer.
fn charge(budget: &mut Budget, units: u64) -> Result<(), Refusal> {
    let spent =
        |Exhausted| Refusal::TooLarge { what: "checking it, with the answers before it, takes too much work".into() };
    budget.charge(units).map_err(spent)
}

/// Parses JSON text, and keeps it where a value does not hold its digits. It parses nothing that the budget does not allow for, and charges
/// nothing: the value is charged.
fn parsed(text: String, limits: &Limits, budget: &Budget) -> Result<Exact, Refusal> {
    let units = json::weigh_text(&text, limits.bytes, limits.depth).map_err(|oversize| too_large(oversize, limits))?;
    charge(&mut budget.clone(), units)?;
    let value = json::parse(&text).map_err(Refusal::InvalidJson)?;
    let long = json::digits::marked(&text).len() > text.len() && json::text(&value) != text;
    Ok(Exact { value, text: long.then_some(text) })
}

/// What was typed into the question's field, as a value. Blank text leaves an optional question empty.
fn read(question: &Question, text: String, limits: &Limits, budget: &Budget) -> Result<Exact, Refusal> {
    if text.len() > limits.bytes {
        return Err(too_large(Oversize::Bytes, limits));
    }
    match &question.answer_type {
        AnswerType::Boolean | AnswerType::Select(_) | AnswerType::MultiSelect { .. } | AnswerType::Url(_) => {
            Err(Refusal::NotAllowed { why: "Choose an answer: this question has no text field." })
        }
        _ if question.optional && text.trim().is_empty() => Ok(Exact { value: Value::Null, text: None }),
        AnswerType::Text(_) | AnswerType::Secret => Ok(Exact { value: text.into(), text: None }),
        AnswerType::Number(_) if text.trim().is_empty() => Err(Refusal::Required),
        AnswerType::Number(_) => {
            let number = typed::number(&text).and_then(|number| parsed(number, limits, budget).ok());
            let number = number.filter(|number| number.value.is_number());
            number.ok_or_else(|| Refusal::NotANumber { text: json::quoted(text.trim()) })
        }
        AnswerType::Schema { .. } => parsed(text, limits, budget),
    }
}

/// A text that is not an option, or a list of a multi-select whose last item is one. `None` if the question does not offer "Other".
fn as_other(answer_type: &AnswerType, value: &Value) -> Option<Content> {
    let choices = answer_type.choices().filter(|choices| choices.other())?;
    let (last, beside) = match (answer_type, value) {
        (AnswerType::MultiSelect { .. }, Value::Array(list)) => list.split_last()?,
        _ => (value, &[][..]),
    };
    let text = last.as_str().filter(|_| choices.place(last).is_none())?;
    Some(Content::Other { text: text.to_owned(), beside: beside.to_vec() })
}

/// An answer with a free text in place of an option, or beside options.
fn other(
    question: &Question,
    text: String,
    beside: Vec<Value>,
    limits: &Limits,
    budget: &mut Budget,
) -> Result<Answer, Refusal> {
    let beside = Value::Array(beside);
    let weighed = json::weigh(&beside, limits.bytes.saturating_sub(text.len()), limits.depth);
    let Value::Array(chosen) = (match weighed {
        Ok(units) => {
            charge(budget, units.saturating_add(text.len() as u64))?;
            beside
        }
        Err(oversize) => {
            json::dismantle(beside);
            return Err(too_large(oversize, limits));
        }
    }) else {
        return Err(Refusal::Required);
    };
    match &question.answer_type {
        answer_type if !answer_type.choices().is_some_and(Choices::other) => {
            Err(Refusal::NotAllowed { why: "Choose one of the options: this question takes no text in place of one." })
        }
        _ if text.trim().is_empty() => Err(Refusal::Required),
        AnswerType::MultiSelect { choices, selections } => {
            selected(choices, selections, &chosen, Some(text)).map(Answer::MultiSelect)
        }
        _ if chosen.is_empty() => Ok(Answer::Other(text)),
        _ => Err(Refusal::NotAllowed { why: "Choose one option, or write a text, but not both." }),
    }
}

fn selected(
    choices: &Choices,
    selections: &Selections,
    chosen: &[Value],
    other: Option<String>,
) -> Result<Selection, Refusal> {
    let value = |at: usize| chosen.get(at).map(shown).unwrap_or_default();
    let places = choices.places(chosen).map_err(|error| match error {
        Unselectable::Unknown(at) => Refusal::NotAnOption { value: value(at) },
        Unselectable::Repeated(at) => Refusal::DuplicateSelection { value: value(at) },
    })?;
    let found = places.len().saturating_add(other.is_some().into());
    if found < selections.minimum {
        return Err(Refusal::TooFew { minimum: selections.minimum });
    }
    match selections.maximum.filter(|maximum| found > *maximum) {
        Some(maximum) => Err(Refusal::TooMany { maximum }),
        None => {
            let choice = |place: &usize| choices.as_slice().get(*place).map(|choice| choice.value.clone());
            Ok(Selection { options: places.iter().filter_map(choice).collect(), other, places })
        }
    }
}

impl TextRules {
    fn check(&self, text: String, budget: &mut Budget) -> Result<String, Refusal> {
        let found = text.chars().count();
        if found < self.min_length {
            return Err(Refusal::TooShort { minimum: self.min_length });
        }
        if let Some(maximum) = self.max_length.filter(|maximum| found > *maximum) {
            return Err(Refusal::TooLong { maximum, found });
        }
        if let Some(format) = self.format.filter(|format| !format::is_of(*format, &text)) {
            return Err(Refusal::BadFormat { format: format.name() });
        }
        let Some(pattern) = &self.pattern else { return Ok(text) };
        let value = Value::String(text);
        match (pattern.compiled().ok_or(UNCHECKED)?.check(&value, budget), value) {
            (Ok(()), Value::String(text)) => Ok(text),
            (Err(Refusal::SchemaMismatch { .. }), _) => {
                Err(Refusal::PatternMismatch { pattern: self.pattern().unwrap_or_default().to_owned() })
            }
            (Err(refusal), _) => Err(refusal),
            (Ok(()), _) => Err(Refusal::Required),
        }
    }
}

impl NumberRules {
    /// Compares every digit: `10.0000000000000000001` is more than 10.
    fn check(&self, number: Exact) -> Result<Exact, Refusal> {
        let digits = number.text.as_deref().map_or_else(|| json::text(&number.value), str::to_owned);
        if self.integer && !json::decimal::is_whole(&digits) {
            return Err(Refusal::NotAnInteger);
        }
        for (limit, beyond) in [(&self.minimum, Ordering::Less), (&self.maximum, Ordering::Greater)] {
            if let Some(limit) = limit
                && json::decimal::compare_digits(&digits, &json::text(limit)) == beyond
            {
                return Err(Refusal::OutOfRange { limit: limit.clone(), below: beyond == Ordering::Less });
            }
        }
        Ok(number)
    }
}

/// Whether an answer meets a condition. `None` is the answer of a skipped question. Selections compare as sets, everything else as
/// JSON values.
pub fn meets(answer: Option<&Answer>, when: &When) -> bool {
    match (answer, &when.places) {
        (Some(Answer::MultiSelect(selection)), Some(places)) => {
            selection.other.is_none() && selection.places == *places
        }
        (Some(Answer::MultiSelect(_)), None) | (Some(Answer::Secret(_)), _) => false,
        (Some(Answer::Text(text) | Answer::Other(text)), _) => when.equals.as_str() == Some(text),
        (Some(Answer::Select(value)), _) => json::equal(value, &when.equals),
        (Some(Answer::Number(exact) | Answer::Schema(exact)), _) => json::equal(&exact.value, &when.equals),
        (Some(Answer::Boolean(answer)), _) => when.equals.as_bool() == Some(*answer),
        (Some(Answer::Consent), _) => when.equals.as_bool() == Some(true),
        (Some(Answer::Empty) | None, _) => when.equals.is_null(),
    }
}

/// Whether any answer to the question can meet the condition. True if that is not known.
pub fn can_meet(question: &Question, when: &When, limits: &Limits, budget: &mut Budget) -> bool {
    match (&question.answer_type, &when.equals) {
        (AnswerType::MultiSelect { .. }, Value::Array(_)) => when.places.is_some(),
        (answer_type, _) if answer_type.awaits_schema() => true,
        _ => match Answer::implied(question, &when.equals, limits, budget) {
            Ok(_) | Err(Refusal::TooLarge { .. }) => true,
            Err(_) => false,
        },
    }
}

fn too_large(oversize: Oversize, limits: &Limits) -> Refusal {
    Refusal::TooLarge {
        what: match oversize {
            Oversize::Bytes => format!("it has more than {} bytes", limits.bytes),
            Oversize::Depth => format!("it is nested more than {} levels deep", limits.depth),
        },
    }
}

fn misfit(expected: &'static str, value: &Value) -> Refusal {
    if value.is_null() { Refusal::Required } else { Refusal::WrongType { expected, found: type_name(value) } }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_consent_to_a_url_meets_true() {
        for (equals, met) in [(json!(true), true), (json!(false), false), (Value::Null, false)] {
            assert_eq!(meets(Some(&Answer::Consent), &When::new(0, None, equals)), met);
        }
    }
}
