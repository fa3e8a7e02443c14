//! What stays after the end: what was asked and answered, read-only. Secrets are dots.

use crate::{
    arguments,
    element::{El, el, isolated},
    notice, words,
};
use ask_user_core::{Answer, AnswerType, Approval, Choices, Decided, Ending, Question, Taken, Walk, json};
use serde_json::Value;

/// The receipt of a walk that has ended. It folds into one line.
pub fn view(walk: &Walk, ending: &Ending) -> El {
    let (heading, mark) = match ending {
        Ending::Completed => (words::ANSWERED, "✓"),
        Ending::Replied { text: Some(_) } => (words::REPLIED, "↩"),
        Ending::Replied { text: None } => (words::DECLINED, "✕"),
        Ending::TurnEnded => (words::TURN_ENDED, "■"),
        Ending::Failed(_) => (words::FAILED, "!"),
    };
    let reply = match ending {
        Ending::Replied { text: Some(text) } => Some(el("blockquote").attr("dir", "auto").text(&words::shown(text))),
        Ending::Replied { text: None } | Ending::Completed | Ending::TurnEnded | Ending::Failed(_) => None,
    };
    let answered: Vec<(&Question, &Taken)> =
        walk.answered().filter_map(|(question, taken)| Some((question, taken?))).collect();
    let open = walk.left_open().map(|question| asked(question).child(el("dd").text(words::NOT_ANSWERED)));
    let brief = answered.iter().filter_map(|(question, taken)| brief(question, &taken.answer)).take(BRIEF);
    let brief = Some(listed(brief)).filter(|line| !line.is_empty());
    let line = el("summary")
        .child(el("span").attr("class", "mark").attr("aria-hidden", "true").text(mark))
        .child(el("span").attr("class", "ends").text(heading))
        .children(brief.map(|brief| el("span").attr("class", "brief").attr("dir", "auto").markdown("inline", &brief)));
    let rows: Vec<El> = answered.iter().map(|(question, taken)| row(question, taken, None)).chain(open).collect();
    folding(ending.ends().name(), line, reply, rows)
}

/// A walk that had not ended when it was saved: what was answered so far.
pub fn unfinished(walk: &Walk) -> El {
    let rows = walk.answered().filter_map(|(question, taken)| Some(row(question, taken?, None)));
    let line = el("summary").child(el("span").attr("class", "ends").text(words::NOT_FINISHED));
    folding("unfinished", line, None, rows.collect())
}

/// A receipt that folds into one line. With a reply or few rows it is open at first.
fn folding(ends: &str, line: El, reply: Option<El>, rows: Vec<El>) -> El {
    el("details")
        .named("receipt", "receipt")
        .attr("data-ends", ends)
        .attr_if(reply.is_some() || rows.len() <= UNFOLDED, "open", "")
        .child(line.attr("class", "heading").attr("data-question-text", ""))
        .children(reply)
        .children((!rows.is_empty()).then(|| el("dl").children(rows)))
}

/// A request that became no form.
pub fn rejected(asked: Option<&str>) -> El {
    el("div").attr("class", "step").children(asked.map(notice::said)).child(notice::alert(words::REJECTED))
}

/// Several texts in one line, separated by commas.
fn listed(texts: impl IntoIterator<Item = String>) -> String {
    let mut all = String::new();
    for text in texts {
        if !all.is_empty() {
            all.push_str(", ");
        }
        all.push_str(&text);
    }
    all
}

/// How many answers the line of a receipt names at most.
const BRIEF: usize = 6;
/// A receipt of at most so many answers is unfolded at first.
const UNFOLDED: usize = 3;
/// How many characters of an answer stand in the line.
const LONGEST: usize = 60;

/// An answer in the line of the receipt: nothing for what is no short text.
fn brief(question: &Question, answer: &Answer) -> Option<String> {
    let text = match answer {
        Answer::Schema(_) | Answer::Approval(_) | Answer::Empty => return None,
        _ => spoken(question, answer),
    };
    Some(if text.chars().nth(LONGEST).is_some() { text.chars().take(LONGEST).chain(['…']).collect() } else { text })
}

/// A question with its answer, and perhaps a button.
pub fn row(question: &Question, taken: &Taken, button: Option<El>) -> El {
    let note =
        taken.note.as_deref().map(|note| el("span").attr("class", "note").text(words::NOTED).child(isolated(note)));
    asked(question)
        .children(question.answer_type.approval().and_then(arguments::view).map(|call| el("dd").child(call)))
        .child(el("dd").child(answer(question, &taken.answer)).children(note).children(button))
}

/// A row with its question, for what became of it.
fn asked(question: &Question) -> El {
    el("div").attr("class", "row").child(el("dt").attr("dir", "auto").markdown("inline", &question.text))
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
    let answered = || el("span").attr("class", "answer").attr("dir", "auto");
    match (answer, &question.answer_type) {
        (Answer::Secret(_), _) => return el("span").text(words::SECRET),
        (Answer::Schema(exact), _) => {
            let text = exact.text.clone().unwrap_or_else(|| json::text(&exact.value));
            return lines(&words::shown(&json::pretty(&text)));
        }
        (Answer::Approval(exact), _) => {
            if let Some(Decided::Edited(arguments)) = answer.decided() {
                let exact = exact.text.as_deref().and_then(Approval::arguments_in);
                let text = exact.map_or_else(|| json::text(arguments), str::to_owned);
                let said = el("span").text(words::APPROVED_EDITED).child(lines(&words::shown(&json::pretty(&text))));
                return said.attr("class", "answer");
            }
        }
        (Answer::Select(value), _) => return answered().markdown("inline", &label(question, value)),
        (Answer::MultiSelect(selection), _) if !selection.options.is_empty() || selection.other.is_some() => {
            let texts = selected(question, answer);
            return texts.iter().enumerate().fold(answered(), |list, (place, text)| {
                // A text of one's own comes after the options, as it was written.
                let is_option = place < selection.options.len();
                let text = isolated(text).attr_if(is_option, "data-md", "inline");
                (if place > 0 { list.text(", ") } else { list }).child(text)
            });
        }
        _ => {}
    }
    answered().text(&words::shown(&spoken(question, answer)))
}

/// The labels of the options of an answer, and the text beside them.
fn selected(question: &Question, answer: &Answer) -> Vec<String> {
    match answer {
        Answer::MultiSelect(selection) => {
            selection.options.iter().map(|value| label(question, value)).chain(selection.other.clone()).collect()
        }
        _ => Vec::new(),
    }
}

/// The label of an option.
fn label(question: &Question, value: &Value) -> String {
    match question.answer_type.choices().and_then(|choices: &Choices| choices.get(value)) {
        Some(choice) => choice.label.clone(),
        None => json::text(value),
    }
}

/// An answer as one text.
fn spoken(question: &Question, answer: &Answer) -> String {
    match (answer, &question.answer_type) {
        (Answer::Secret(_), _) => words::SECRET.to_owned(),
        (Answer::Empty, _) => words::LEFT_EMPTY.to_owned(),
        (Answer::Consent, AnswerType::Url(link)) => words::opened(link.host()),
        (Answer::Approval(_), _) => match answer.decided() {
            Some(Decided::Rejected(Some(said))) => format!("{}: {said}", words::REJECTED_CALL),
            Some(Decided::Rejected(None)) => words::REJECTED_CALL.to_owned(),
            Some(Decided::Responded(said)) => said.to_owned(),
            Some(Decided::Edited(_) | Decided::Approved) | None => words::APPROVED.to_owned(),
        },
        (Answer::Select(value), _) => label(question, value),
        (Answer::Boolean(answer), _) => if *answer { words::YES } else { words::NO }.to_owned(),
        (Answer::MultiSelect(_), _) => match selected(question, answer) {
            none if none.is_empty() => words::NONE_CHOSEN.to_owned(),
            texts => listed(texts),
        },
        (Answer::Text(text), _) if text.is_empty() => words::EMPTY.to_owned(),
        (Answer::Text(text) | Answer::Other(text), _) => text.clone(),
        (Answer::Number(_) | Answer::Consent | Answer::Schema(_), _) => answer.text().unwrap_or_default(),
    }
}
