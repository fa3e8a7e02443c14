//! Checks whether a value answers a question. No other module checks answers.

use super::{Answer, Content, Exact, Secret, Selection, format, typed};
use crate::{
    budget::{Budget, Exhausted},
    host::Limits,
    json::{self, Oversize, shown, type_name},
    problem::{NotAllowed, Refusal, object},
    question::{
        AnswerType, Approval, Choices, Decision, Grant, NumberRules, Question, Selections, TextRules, Unselectable,
    },
    schema::Schema,
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
            Content::Other { text, beside } => other(question, &text, beside, limits, budget),
        }
    }

    /// Checks an answer of the host or of an assistant. If the question offers "Other", a text that is not an option counts as one.
    ///
    /// # Errors
    /// As [`Answer::new`].
    pub fn implied(question: &Question, value: &Value, limits: &Limits, budget: &mut Budget) -> Result<Self, Refusal> {
        json::weigh(value, limits.bytes, limits.depth).map_err(|oversize| too_large(oversize, limits))?;
        let content = as_other(&question.answer_type, value).unwrap_or_else(|| Content::Value(value.clone()));
        let answer = Self::new(question, content, limits, budget)?;
        if answer.grant().is_some() { Err(Refusal::NotAllowed(NotAllowed::GRANT_OF_PERSON)) } else { Ok(answer) }
    }

    /// An answer to start a field from. Its rules are not checked: the person may change it first. `None` if the field could not show it.
    pub(crate) fn draft(question: &Question, given: Content, limits: &Limits, budget: &mut Budget) -> Option<Self> {
        match (&question.answer_type, given) {
            (AnswerType::Text(_), Content::Value(Value::String(text))) => Some(Self::Text(text)),
            (AnswerType::Schema { .. }, Content::Value(value)) => Some(Self::Schema(Exact { value, text: None })),
            (AnswerType::Schema { .. }, Content::Json(text)) => parsed(text, limits, budget).ok().map(Self::Schema),
            (AnswerType::Text(_) | AnswerType::Schema { .. }, _) => None,
            (_, given) => Self::new(question, given, limits, budget).ok(),
        }
    }

    /// Weighs an answer by its value, however it was given. A saved walk keeps the value alone, and is decided again with the same weight.
    fn weighed(question: &Question, given: Exact, limits: &Limits, budget: &mut Budget) -> Result<Self, Refusal> {
        match json::weigh(&given.value, limits.bytes, limits.depth) {
            // A saved walk has no secrets, so what they cost may not depend on their values.
            Ok(_) if question.answer_type.is_secret() => Self::of(question, given, budget),
            Ok(units) => {
                let given = plainly(question, given);
                let units = match question.answer_type.approval() {
                    None => units,
                    Some(_) => json::weigh(&given.value, limits.bytes, limits.depth).unwrap_or(units),
                };
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
            (AnswerType::Url(_), Value::Bool(false)) => Err(Refusal::NotAllowed(NotAllowed::NO_DECLINE)),
            (AnswerType::Url(_), value) => Err(misfit("consent (true)", &value)),
            (AnswerType::Schema { schema }, value) => {
                fits(schema, &value, neighbour(text.as_deref()).as_ref(), budget)?;
                Ok(Self::Schema(Exact { value, text }))
            }
            (AnswerType::Approval(approval), value) => {
                decided(approval, question.danger, Exact { value, text }, budget).map(Self::Approval)
            }
        }
    }
}

/// A decision on a tool call as it is kept: its word alone becomes an object, and what says nothing is left out. Any other answer as it is.
fn plainly(question: &Question, given: Exact) -> Exact {
    let Exact { mut value, text } = given;
    if let Some(approval) = question.answer_type.approval() {
        if let Value::String(word) = &value {
            let own = if Decision::named(word).is_none() { approval.answer_of(word) } else { None };
            value = Value::Object(own.unwrap_or_else(|| object([("type", value)])));
        }
        if let Value::Object(fields) = &mut value {
            let is_blank = |name: &str, value: &Value| {
                name == "message" && value.as_str().is_some_and(|text| text.trim().is_empty())
            };
            fields.retain(|name, value| !value.is_null() && !is_blank(name, value));
        }
    }
    Exact { value, text }
}

/// Checks a decision on a tool call.
fn decided(approval: &Approval, danger: bool, given: Exact, budget: &mut Budget) -> Result<Exact, Refusal> {
    let Exact { value, text } = given;
    let Value::Object(mut fields) = value else { return Err(misfit("a decision (an object with \"type\")", &value)) };
    let kind = fields.get("type").unwrap_or_default();
    let decision = kind.as_str().and_then(Decision::named).filter(|decision| approval.allows(*decision));
    let decision = decision.ok_or_else(|| Refusal::NotAnOption { value: shown(kind) })?;
    let beside = match decision {
        Decision::Approve => "",
        Decision::Edit => "arguments",
        Decision::Reject | Decision::Respond => "message",
    };
    if fields.keys().any(|name| name != "type" && name != beside && name != "grant") {
        return Err(Refusal::NotAllowed(NotAllowed::DECISION_FIELDS));
    }
    if decision == Decision::Reject && !approval.reasons && fields.contains_key("message") {
        return Err(Refusal::NotAllowed(NotAllowed::REJECTION_HAS_NO_WORDS));
    }
    if let Some(grant) = reaches(approval, danger, decision, fields.get("grant"))? {
        // As the agent sent it: a page may have written a number otherwise.
        fields.insert("grant".into(), Value::Object(grant.to_json()));
    }
    if let Some(message) = fields.get("message").filter(|message| !message.is_string()) {
        return Err(misfit("a text (a string)", message));
    }
    match (decision, fields.get(beside)) {
        (Decision::Edit | Decision::Respond, None) => return Err(Refusal::Required),
        (Decision::Edit, Some(arguments)) => {
            if approval.arguments.is_object() && !arguments.is_object() {
                return Err(misfit("the arguments (an object)", arguments));
            }
            if let Some(schema) = &approval.schema {
                let neighbour = neighbour(text.as_deref());
                fits(schema, arguments, neighbour.as_ref().and_then(|value| value.get(beside)), budget)?;
            }
        }
        _ => {}
    }
    Ok(Exact { value: Value::Object(fields), text })
}

/// Checks how far a decision reaches: no further than the agent offers, and for a dangerous call no further than it.
#[cold]
#[inline(never)]
fn reaches<'a>(
    approval: &'a Approval,
    danger: bool,
    decision: Decision,
    grant: Option<&Value>,
) -> Result<Option<&'a Grant>, Refusal> {
    let Some(given) = grant else {
        return if approval.needs_grant(decision) { Err(Refusal::Required) } else { Ok(None) };
    };
    let place = approval.way(decision, given).ok_or_else(|| Refusal::NotAnOption { value: shown(given) })?;
    if approval.ways(decision, danger).any(|(way, _)| way == place) {
        Ok(approval.grants.get(place))
    } else {
        Err(Refusal::NotAllowed(NotAllowed::DANGEROUS_GRANT))
    }
}

/// The value on the other side of a JSON text with more digits than a value holds: the exact one lies between the two.
fn neighbour(text: Option<&str>) -> Option<Value> {
    json::parse(&json::digits::nudged(text?)?).ok()
}

/// Checks a value by a schema. An exact value fits if both of the values around it do.
fn fits(schema: &Schema, value: &Value, neighbour: Option<&Value>, budget: &mut Budget) -> Result<(), Refusal> {
    let compiled = schema.compiled().ok_or(UNCHECKED)?;
    compiled.check(value, budget)?;
    neighbour.map_or(Ok(()), |neighbour| compiled.check(neighbour, budget))
}

const UNCHECKED: Refusal = Refusal::NotAllowed(NotAllowed::LOADING);

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
            Err(Refusal::NotAllowed(NotAllowed::NO_TEXT_FIELD))
        }
        _ if question.optional && text.trim().is_empty() => Ok(Exact { value: Value::Null, text: None }),
        AnswerType::Text(_) | AnswerType::Secret => Ok(Exact { value: text.into(), text: None }),
        AnswerType::Number(_) | AnswerType::Schema { .. } if text.trim().is_empty() => Err(Refusal::Required),
        AnswerType::Number(_) => {
            let number = typed::number(&text).and_then(|number| parsed(number, limits, budget).ok());
            let number = number.filter(|number| number.value.is_number());
            number.ok_or_else(|| Refusal::NotANumber { text: json::quoted(text.trim()) })
        }
        AnswerType::Schema { .. } => parsed(text, limits, budget),
        AnswerType::Approval(_) => {
            let Exact { value, text } = parsed(text, limits, budget)?;
            let value = Value::Object(object([("type", Decision::Edit.name().into()), ("arguments", value)]));
            let text = text.map(|text| format!("{{\"type\":\"edit\",\"arguments\":{text}}}"));
            // A saved walk has this text, which is weighed again when it is resumed.
            if let Some(text) = &text {
                json::weigh_text(text, limits.bytes, limits.depth).map_err(|oversize| too_large(oversize, limits))?;
            }
            Ok(Exact { value, text })
        }
    }
}

/// A text that is not an option, or a list of a multi-select whose last item is one. `None` if the question does not offer "Other".
pub(crate) fn as_other(answer_type: &AnswerType, value: &Value) -> Option<Content> {
    let choices = answer_type.choices().filter(|choices| choices.other())?;
    let (last, beside) = match (answer_type, value) {
        (AnswerType::MultiSelect { .. }, Value::Array(list)) => list.split_last()?,
        _ => (value, &[][..]),
    };
    let text = last.as_str().filter(|_| choices.place(last).is_none())?;
    Some(Content::Other { text: text.to_owned(), beside: beside.to_vec() })
}

/// An answer with a free text in place of an option, or beside options. White space around the text is dropped. A text that equals the value of
/// an option is that option. An empty text beside options is left out; alone, it leaves an optional question with several answers empty.
fn other(
    question: &Question,
    text: &str,
    beside: Vec<Value>,
    limits: &Limits,
    budget: &mut Budget,
) -> Result<Answer, Refusal> {
    let beside = Value::Array(beside);
    let weighed = json::weigh(&beside, limits.bytes.saturating_sub(text.len()), limits.depth);
    let units = match weighed {
        Ok(units) => units,
        Err(oversize) => {
            json::dismantle(beside);
            return Err(too_large(oversize, limits));
        }
    };
    let Some(choices) = question.answer_type.choices().filter(|choices| choices.other()) else {
        return Err(Refusal::NotAllowed(NotAllowed::NO_OTHER));
    };
    let (text, Value::Array(mut chosen)) = (text.trim(), beside) else { return Err(Refusal::Required) };
    let option = choices.get(&text.into()).map(|choice| choice.value.clone());
    // A saved walk has a value where there is no free text, and weighs it as one.
    let mut valued = |value| Answer::weighed(question, Exact { value, text: None }, limits, budget);
    match (&question.answer_type, option) {
        (AnswerType::MultiSelect { selections, .. }, None) if !text.is_empty() => {
            charge(budget, units.saturating_add(text.len() as u64))?;
            selected(choices, selections, &chosen, Some(text.to_owned())).map(Answer::MultiSelect)
        }
        (AnswerType::MultiSelect { .. }, option) => {
            if let Some(option) = option.filter(|option| !chosen.contains(option)) {
                chosen.push(option);
            }
            match chosen.is_empty() {
                false => valued(Value::Array(chosen)),
                true if question.optional => valued(Value::Null),
                true => Err(Refusal::Required),
            }
        }
        _ if text.is_empty() => Err(Refusal::Required),
        _ if !chosen.is_empty() => Err(Refusal::NotAllowed(NotAllowed::OPTION_AND_TEXT)),
        (_, Some(option)) => valued(option),
        (_, None) => {
            charge(budget, units.saturating_add(text.len() as u64))?;
            Ok(Answer::Other(text.to_owned()))
        }
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
        if self.is_filled && text.trim().is_empty() {
            return Err(Refusal::Required);
        }
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
    use crate::question::Choice;

    #[test]
    fn an_empty_other_alone_is_refused_unless_several_may_be_left_empty() {
        let check = |several: bool, optional: bool| {
            let choices = Choices::new(vec![Choice::new("x")]).0.with_other(true);
            let mut question = Question::new("q", "?", AnswerType::choice(choices, several));
            question.optional = optional;
            let blank = Content::Other { text: " \u{2003}".into(), beside: Vec::new() };
            Answer::new(&question, blank, &Limits::default(), &mut Budget::new(1_000))
        };
        assert_eq!(check(false, false), Err(Refusal::Required));
        assert_eq!(check(false, true), Err(Refusal::Required));
        assert_eq!(check(true, false), Err(Refusal::Required));
        assert_eq!(check(true, true), Ok(Answer::Empty));
    }
}
