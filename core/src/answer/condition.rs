//! Whether a condition holds. It takes time in proportion to the condition, whatever the answers are.

use super::{Answer, Selection};
use crate::{
    budget::Budget,
    host::Limits,
    json,
    problem::Refusal,
    question::{AnswerType, Question, Test, Wanted, When},
};

/// Whether a condition holds. `answer` gives the answer to the question at a place: `None` if it is not known yet, `Some(None)` if the question
/// was skipped. `None` if it is not known whether the condition holds, since it would hold with some of the answers that are not known and not
/// with others.
pub fn holds<'a>(when: &When, answer: &mut dyn FnMut(usize) -> Option<Option<&'a Answer>>) -> Option<bool> {
    match when {
        When::Answer { question, is } => answer(*question).map(|answer| passes(answer, is)),
        When::All(list) => joined(list, answer, false),
        When::Any(list) => joined(list, answer, true),
        When::Not(when) => holds(when, answer).map(|holds| !holds),
    }
}

/// Whether one of several conditions is as `decides`, which says what all of them come to.
fn joined<'a>(
    list: &[When],
    answer: &mut dyn FnMut(usize) -> Option<Option<&'a Answer>>,
    decides: bool,
) -> Option<bool> {
    let mut all = Some(!decides);
    for when in list {
        match holds(when, answer) {
            Some(holds) if holds == decides => return Some(decides),
            Some(_) => {}
            None => all = None,
        }
    }
    all
}

/// Whether an answer passes a test. `None` is the answer of a skipped question.
fn passes(answer: Option<&Answer>, test: &Test) -> bool {
    match test {
        Test::Equals(wanted) => equals(answer, wanted),
        Test::In(list) => list.iter().any(|wanted| equals(answer, wanted)),
        Test::Contains(wanted) => match (answer, &wanted.selection) {
            (Some(Answer::MultiSelect(chosen)), Some(wanted)) => {
                let has = |place: &usize| chosen.places.binary_search(place).is_ok();
                wanted.places.iter().all(has) && (wanted.other.is_none() || wanted.other == chosen.other)
            }
            _ => false,
        },
        Test::Answered(answered) => *answered != matches!(answer, None | Some(Answer::Empty)),
    }
}

/// Whether an answer equals a value. Selections compare as sets, everything else as JSON values.
fn equals(answer: Option<&Answer>, wanted: &Wanted) -> bool {
    let value = &wanted.value;
    match answer {
        Some(Answer::MultiSelect(Selection { places, other, .. })) => {
            wanted.selection.as_ref().is_some_and(|wanted| (&wanted.places, &wanted.other) == (places, other))
        }
        Some(Answer::Secret(_)) => false,
        Some(Answer::Text(text) | Answer::Other(text)) => value.as_str() == Some(text),
        Some(Answer::Select(chosen)) => json::equal(chosen, value),
        Some(Answer::Number(exact) | Answer::Schema(exact) | Answer::Approval(exact)) => {
            json::equal(&exact.value, value)
        }
        Some(Answer::Boolean(answer)) => value.as_bool() == Some(*answer),
        Some(Answer::Consent) => value.as_bool() == Some(true),
        Some(Answer::Empty) | None => value.is_null(),
    }
}

/// Whether the answer to a question can equal a value, or, for `contains`, have it among the chosen ones. True if that is not known, as before its schema
/// is compiled.
pub(crate) fn can_equal(question: &Question, wanted: &Wanted, limits: &Limits, budget: &mut Budget) -> bool {
    if wanted.value.is_null() && (question.optional || question.when.is_some()) {
        return true;
    }
    match &question.answer_type {
        AnswerType::MultiSelect { selections, .. } => wanted.selection.as_ref().is_some_and(|selected| {
            let count = selected.places.len().saturating_add(selected.other.is_some().into());
            // A value that is one of the chosen ones says nothing of their number.
            !wanted.value.is_array()
                || count >= selections.minimum && selections.maximum.is_none_or(|maximum| count <= maximum)
        }),
        answer_type if answer_type.awaits_schema() => true,
        // A schema may accept null itself.
        answer_type if wanted.value.is_null() && !matches!(answer_type, AnswerType::Schema { .. }) => false,
        _ => {
            let read = Answer::implied(question, &wanted.value, limits, budget);
            matches!(read, Ok(_) | Err(Refusal::TooLarge { .. }))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn is(question: usize, equals: Value) -> When {
        When::Answer { question, is: Test::Equals(Wanted::new(None, equals)) }
    }

    #[test]
    fn the_consent_to_a_url_equals_true() {
        for (value, met) in [(json!(true), true), (json!(false), false), (Value::Null, false)] {
            assert_eq!(holds(&is(0, value), &mut |_| Some(Some(&Answer::Consent))), Some(met));
        }
    }

    #[test]
    fn a_condition_is_known_where_the_unknown_answers_do_not_matter() {
        let (yes, no) = (Answer::Boolean(true), Answer::Boolean(false));
        // The answer to question 0 is "yes", to question 1 "no"; that to question 2 is not known; question 3 was skipped.
        let mut answer = |place: usize| match place {
            0 => Some(Some(&yes)),
            1 => Some(Some(&no)),
            2 => None,
            _ => Some(None),
        };
        let yes = |place| is(place, json!(true));
        let not = |when| When::Not(Box::new(when));
        for (when, expected) in [
            (yes(0), Some(true)),
            (yes(2), None),
            (not(yes(2)), None),
            (is(3, Value::Null), Some(true)),
            (When::Any(vec![yes(2), yes(0)]), Some(true)),
            (When::Any(vec![yes(2), yes(1)]), None),
            (When::All(vec![yes(2), yes(1)]), Some(false)),
            (When::All(vec![yes(0), yes(2)]), None),
            (not(When::Any(vec![yes(2), yes(0)])), Some(false)),
            (When::All(vec![not(yes(1)), When::Any(vec![yes(1), yes(0)])]), Some(true)),
        ] {
            assert_eq!(holds(&when, &mut answer), expected, "{when:?}");
        }
    }
}
