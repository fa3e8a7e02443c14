//! What the model is told when somebody said no: who, why, that nothing was applied, and what it may do next. In the words
//! of the model's world: no word of questions routed or records kept.

use super::Consulted;
use crate::{
    answer::Answer,
    form::{AnswerType, Form, Question},
    host::Source,
};
use serde_json::Value;

/// The explanation of a completed form: one paragraph for each "no" to what a tool wanted to do; `None` where there is none.
/// A "no" to a question of the agent itself is an answer like any other.
pub(crate) fn explanation<'a>(
    form: &Form,
    answered: impl Iterator<Item = (&'a Question, Option<&'a Answer>, &'a Consulted)>,
) -> Option<String> {
    if !matches!(form.host().source, Source::Tool { .. }) {
        return None;
    }
    let said_no = answered.filter(|(question, answer, _)| {
        let no = answer.and_then(Answer::open) == Some(&Value::Bool(false));
        no && question.answer_type == AnswerType::Boolean
    });
    let paragraphs: Vec<String> = said_no.map(|(question, _, consulted)| paragraph(question, consulted)).collect();
    (!paragraphs.is_empty()).then(|| paragraphs.join("\n\n"))
}

fn paragraph(question: &Question, consulted: &Consulted) -> String {
    let named = |model: &Option<String>| match model {
        Some(model) => format!("A secondary assistant ({model})"),
        None => String::from("A secondary assistant"),
    };
    let asked = &question.text;
    match consulted {
        Consulted::Answered(advice) => format!(
            "{} answered no to {asked:?} on the user's behalf. Reason: {} It was not applied, and nothing was changed. Mend \
             what the reason names and try again, or take another way.",
            named(&advice.model),
            sentence(&advice.reason)
        ),
        Consulted::Advised(advice) => format!(
            "The user answered no to {asked:?}. {} had advised against it. Reason: {} It was not applied, and nothing was \
             changed. Do not try the same again; change it as the reason says, or ask the user what they want.",
            named(&advice.model),
            sentence(&advice.reason)
        ),
        Consulted::Not | Consulted::InVain => format!(
            "The user answered no to {asked:?}. It was not applied, and nothing was changed. Do not try the same again; ask \
             the user what they want, or take another way."
        ),
    }
}

fn sentence(reason: &str) -> String {
    let reason = reason.trim();
    if reason.ends_with(['.', '!', '?']) { reason.to_owned() } else { format!("{reason}.") }
}
