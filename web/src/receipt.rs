//! What stays after the end: what was asked and answered, read-only. Secrets are dots.

use crate::{
    element::{El, el, isolated},
    words,
};
use ask_user_core::{Answer, AnswerType, Choices, Ending, Question, Taken, Walk, json};
use serde_json::Value;

/// The receipt of a walk that has ended.
pub fn view(walk: &Walk, ending: &Ending) -> El {
    let heading = match ending {
        Ending::Completed => words::ANSWERED,
        Ending::Replied { .. } => words::REPLIED,
        Ending::TurnEnded => words::TURN_ENDED,
        Ending::Failed(_) => words::FAILED,
    };
    let reply = match ending {
        Ending::Replied { text: Some(text) } => Some(el("blockquote").attr("dir", "auto").text(&words::shown(text))),
        Ending::Replied { text: None } | Ending::Completed | Ending::TurnEnded | Ending::Failed(_) => None,
    };
    let rows: Vec<El> = walk.answers().filter_map(|(question, taken)| Some(row(question, taken?, None))).collect();
    el("div")
        .named("receipt", "receipt")
        .attr("data-ends", ending.ends().name())
        .child(el("p").attr("class", "heading").attr("tabindex", "-1").attr("data-question-text", "").text(heading))
        .children(reply)
        .children((!rows.is_empty()).then(|| el("dl").children(rows)))
}

/// A question with its answer, and perhaps a button.
pub fn row(question: &Question, taken: &Taken, button: Option<El>) -> El {
    let note =
        taken.note.as_deref().map(|note| el("span").attr("class", "note").text(words::NOTED).child(isolated(note)));
    el("div")
        .attr("class", "row")
        .child(el("dt").attr("dir", "auto").text(&words::shown(&question.text)))
        .child(el("dd").child(answer(question, &taken.answer)).children(note).children(button))
}

/// A JSON text. Strings with letters beyond Latin, Greek and Cyrillic are isolated, so that those written from right to left do not change places with what is
/// around them.
fn lines(text: &str) -> El {
    let mut lines = el("pre").attr("dir", "ltr");
    let (mut begin, mut open, mut escaped) = (0, None, false);
    for (at, character) in text.char_indices() {
        match (character, open) {
            ('"', None) => open = Some(at),
            ('"', Some(start)) if !escaped => {
                open = None;
                let string = text.get(start..=at).unwrap_or_default();
                if string.chars().any(|letter| letter >= '\u{590}') {
                    lines = lines.text(text.get(begin..start).unwrap_or_default()).child(isolated(string));
                    begin = at.saturating_add(1);
                }
            }
            _ => {}
        }
        escaped = character == '\\' && !escaped;
    }
    lines.text(text.get(begin..).unwrap_or_default())
}

/// An answer as a person reads it.
fn answer(question: &Question, answer: &Answer) -> El {
    let label = |value: &Value| match question.answer_type.choices().and_then(|choices: &Choices| choices.get(value)) {
        Some(choice) => choice.label.clone(),
        None => json::text(value),
    };
    let answered = || el("span").attr("class", "answer").attr("dir", "auto");
    let text = match (answer, &question.answer_type) {
        (Answer::Secret(_), _) => return el("span").text(words::SECRET),
        (Answer::Empty, _) => words::LEFT_EMPTY.to_owned(),
        (Answer::Consent, AnswerType::Url(link)) => words::opened(link.host()),
        (Answer::Schema(exact), _) => {
            let text = exact.text.clone().unwrap_or_else(|| json::text(&exact.value));
            return lines(&words::shown(&json::pretty(&text)));
        }
        (Answer::Select(value), _) => label(value),
        (Answer::Boolean(answer), _) => if *answer { words::YES } else { words::NO }.to_owned(),
        (Answer::MultiSelect(selection), _) if selection.options.is_empty() && selection.other.is_none() => {
            words::NONE_CHOSEN.to_owned()
        }
        (Answer::MultiSelect(selection), _) => {
            let texts = selection.options.iter().map(label).chain(selection.other.clone());
            return texts.enumerate().fold(answered(), |list, (place, text)| {
                (if place > 0 { list.text(", ") } else { list }).child(isolated(&text))
            });
        }
        (Answer::Text(text), _) if text.is_empty() => words::EMPTY.to_owned(),
        (Answer::Text(text) | Answer::Other(text), _) => text.clone(),
        (Answer::Number(_) | Answer::Consent, _) => answer.text().unwrap_or_default(),
    };
    answered().text(&words::shown(&text))
}
