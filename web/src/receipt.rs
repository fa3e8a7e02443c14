//! What stays after the end: what was asked and answered, read-only. Secrets are dots.

use crate::words;
use ask_user_core::{Answer, AnswerType, Ending, Outcome, Question};
use leptos::{html, prelude::*};
use serde_json::Value;

/// The receipt of an outcome.
pub fn view(outcome: &Outcome<'_>) -> AnyView {
    let heading = match outcome.ending() {
        Ending::Completed => words::ANSWERED,
        Ending::Replied { .. } => words::REPLIED,
        Ending::TurnEnded => words::TURN_ENDED,
        Ending::Failed(_) => words::FAILED,
    };
    let reply = match outcome.ending() {
        Ending::Replied { text: Some(text) } => Some(html::blockquote().attr("dir", "auto").child(words::shown(text))),
        Ending::Replied { text: None } | Ending::Completed | Ending::TurnEnded | Ending::Failed(_) => None,
    };
    let rows: Vec<_> = outcome
        .answers()
        .filter_map(|(question, given)| {
            Some(html::div().class("row").child((
                html::dt().attr("dir", "auto").child(words::shown(&question.text)),
                html::dd().attr("dir", "auto").child(answer(question, given?)),
            )))
        })
        .collect();
    html::div()
        .class("receipt")
        .attr("part", "receipt")
        .attr("data-ends", outcome.ending().name())
        .child((
            html::p().class("heading").attr("tabindex", "-1").attr("data-question-text", "").child(heading),
            reply,
            (!rows.is_empty()).then(|| html::dl().child(rows)),
        ))
        .into_any()
}

/// An answer as a person reads it.
pub fn answer(question: &Question, answer: &Answer) -> AnyView {
    let Some(value) = answer.open() else { return html::span().child(words::SECRET).into_any() };
    let label = |value: &Value| {
        let options = question.answer_type.options();
        let found = options.iter().find(|option| option.value == *value);
        words::shown(&found.map_or_else(|| value.to_string(), |option| option.label.clone()))
    };
    let text = match (&question.answer_type, value) {
        (AnswerType::Schema(_), value) => {
            let text = serde_json::to_string_pretty(value).unwrap_or_default();
            return html::pre().attr("dir", "ltr").child(words::shown(&text)).into_any();
        }
        (_, Value::Bool(answer)) => if *answer { words::YES } else { words::NO }.to_owned(),
        (AnswerType::Select(_), value) => label(value),
        (_, Value::Array(chosen)) if chosen.is_empty() => words::NONE_CHOSEN.to_owned(),
        (_, Value::Array(chosen)) => chosen.iter().map(label).collect::<Vec<_>>().join(", "),
        (_, Value::String(text)) if text.is_empty() => words::EMPTY.to_owned(),
        (_, Value::String(text)) => words::shown(text),
        (_, other) => other.to_string(),
    };
    html::span().class("answer").child(text).into_any()
}
