//! What stays after the end: what was asked and answered, read-only. Secrets are dots.

use crate::{
    element::{El, el},
    words,
};
use ask_user_core::{Answer, AnswerType, Choices, Ending, Outcome, Question};
use serde_json::Value;

/// The receipt of an outcome.
pub fn view(outcome: &Outcome<'_>) -> El {
    let heading = match outcome.ending() {
        Ending::Completed => words::ANSWERED,
        Ending::Replied { .. } => words::REPLIED,
        Ending::TurnEnded => words::TURN_ENDED,
        Ending::Failed(_) => words::FAILED,
    };
    let reply = match outcome.ending() {
        Ending::Replied { text: Some(text) } => Some(el("blockquote").attr("dir", "auto").text(&words::shown(text))),
        Ending::Replied { text: None } | Ending::Completed | Ending::TurnEnded | Ending::Failed(_) => None,
    };
    let rows: Vec<El> = outcome.answers().filter_map(|(question, given)| Some(row(question, given?, None))).collect();
    el("div")
        .named("receipt", "receipt")
        .attr("data-ends", outcome.ending().name())
        .child(el("p").attr("class", "heading").attr("tabindex", "-1").attr("data-question-text", "").text(heading))
        .children(reply)
        .children((!rows.is_empty()).then(|| el("dl").children(rows)))
}

/// A question with its answer, and perhaps a button.
pub fn row(question: &Question, given: &Answer, button: Option<El>) -> El {
    let note = given.note().map(|note| el("span").attr("class", "note").text(&words::noted(note)));
    el("div")
        .attr("class", "row")
        .child(el("dt").attr("dir", "auto").text(&words::shown(&question.text)))
        .child(el("dd").attr("dir", "auto").child(answer(question, given)).children(note).children(button))
}

/// An answer as a person reads it.
fn answer(question: &Question, answer: &Answer) -> El {
    let Some(value) = answer.open() else { return el("span").text(words::SECRET) };
    // A text in place of an option is its own label.
    let label = |choices: &Choices, value: &Value| match (choices.get(value), value) {
        (Some(choice), _) => words::shown(&choice.label),
        (None, Value::String(text)) => words::shown(text),
        (None, value) => value.to_string(),
    };
    let text = match (&question.answer_type, value) {
        (_, Value::Null) if question.optional => words::LEFT_EMPTY.to_owned(),
        (AnswerType::Url(link), _) => words::opened(link.host()),
        (AnswerType::Schema(_), value) => {
            let exact = answer.exact().map(str::to_owned);
            let text = exact.unwrap_or_else(|| serde_json::to_string_pretty(value).unwrap_or_default());
            return el("pre").attr("dir", "ltr").text(&words::shown(&text));
        }
        (AnswerType::Select(choices), value) => label(choices, value),
        (_, Value::Bool(answer)) => if *answer { words::YES } else { words::NO }.to_owned(),
        (_, Value::Array(chosen)) if chosen.is_empty() => words::NONE_CHOSEN.to_owned(),
        (AnswerType::MultiSelect(choices, _), Value::Array(chosen)) => {
            chosen.iter().map(|value| label(choices, value)).collect::<Vec<_>>().join(", ")
        }
        (_, Value::String(text)) if text.is_empty() => words::EMPTY.to_owned(),
        (_, Value::String(text)) => words::shown(text),
        (_, other) => answer.text().unwrap_or_else(|| other.to_string()),
    };
    el("span").attr("class", "answer").text(&text)
}
