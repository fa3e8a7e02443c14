//! What stays after the end: what was asked and answered, read-only. Secrets are dots.

use crate::{
    arguments,
    element::{El, el, isolated},
    language::{Said, several, text, written},
    notice, words,
};
use ask_user_core::{
    Act, Answer, AnswerType, Approval, COMMAND, Choices, Decided, Ending, Format, Question, Taken, Walk, json,
};
use serde_json::Value;

/// The receipt of a walk that has ended. It folds into one line. `unsent` is the row of a question that was left, with what was entered for it, if anything
/// was. While `is_pending`, the host has not got the ending.
pub fn view(
    walk: &Walk,
    ending: &Ending,
    unsent: &dyn Fn(&Question) -> Option<El>,
    is_pending: impl Fn() -> bool + 'static,
) -> El {
    let answered: Vec<(&Question, &Taken)> =
        walk.answered().filter_map(|(question, taken)| Some((question, taken?))).collect();
    let (heading, mark) = match ending {
        Ending::Completed => verdict(&answered),
        Ending::Replied { text: Some(_) } => (words::REPLIED.alone(), "↩"),
        Ending::Replied { text: None } => (words::DECLINED.alone(), REJECTED),
        Ending::TurnEnded => (words::TURN_ENDED.alone(), "■"),
        Ending::Expired => (words::CLOSED_EXPIRED.alone(), "!"),
        Ending::Failed(_) => (words::FAILED.alone(), "!"),
    };
    let reply = match ending {
        Ending::Replied { text: Some(text) } => Some(el("blockquote").attr("dir", "auto").text(&words::shown(text))),
        _ => None,
    };
    let brief = brief(&answered);
    let brief = (!brief.is_empty()).then(|| {
        brief.iter().enumerate().fold(el("span").attr("class", "brief").attr("dir", "auto"), |line, (place, part)| {
            (if place > 0 { line.text(" · ") } else { line }).child(el("bdi").say_value(part))
        })
    });
    let ends = move || {
        let (heading, mark) = if is_pending() { (words::NOT_SENT_YET.alone(), "!") } else { (heading.clone(), mark) };
        let mark = el("span")
            .attr("class", "mark")
            .attr("aria-hidden", "true")
            .attr_if(mark == DONE, "data-done", "")
            .attr_if(mark == REJECTED, "data-rejected", "")
            .text(mark);
        let heading = el("span").attr("class", "ends").say_value(&heading);
        Some(el("span").attr("class", "verdict").child(mark).child(heading))
    };
    let line = el("summary").changing(ends).children(brief);
    let last = walk.left_open().map(|question| &question.id);
    let listed = |(question, taken): (&Question, Option<&Taken>)| match taken {
        Some(taken) => Some(row(question, taken, None)),
        None => last.and_then(|last| unsent(question).or_else(|| (question.id == *last).then(|| unanswered(question)))),
    };
    let rows: Vec<El> = walk.answered().filter_map(listed).collect();
    folding(ending.ends().name(), line, reply, rows)
}

/// The marks of what was answered or approved, and of what was rejected.
const DONE: &str = "✓";
const REJECTED: &str = "✕";

/// What the heading says of answers: of tool calls how each was decided, by its number where they differ.
fn verdict(answered: &[(&Question, &Taken)]) -> (Said, &'static str) {
    let kinds = [
        (words::APPROVED, words::NUMBER_APPROVED),
        (words::REJECTED_CALL, words::NUMBER_REJECTED),
        (words::ANSWERED, words::NUMBER_ANSWERED),
    ];
    let mut counts = [0_usize; 3];
    for (_, taken) in answered {
        counts[match taken.answer.decided() {
            Some(Decided::Approved | Decided::Edited(_)) => 0,
            Some(Decided::Rejected(_)) => 1,
            Some(Decided::Responded(_)) | None => 2,
        }] += 1;
    }
    let mark = match counts {
        [_, 0, _] => DONE,
        [0, _, 0] => REJECTED,
        _ => "✓✕",
    };
    let said = kinds.iter().zip(counts).filter(|(_, count)| *count > 0);
    let said: Vec<Said> = said.map(|((_, word), count)| word.with(&[("number", &text(&count.to_string()))])).collect();
    let alone = kinds.iter().zip(counts).find(|(_, count)| *count > 0).map_or(words::ANSWERED, |((word, _), _)| *word);
    (if said.len() > 1 { written("list", &several(said)) } else { alone.alone() }, mark)
}

/// A walk that had not ended when it was saved: what was answered so far.
pub fn unfinished(walk: &Walk) -> El {
    let rows = walk.answered().filter_map(|(question, taken)| Some(row(question, taken?, None)));
    let line = el("summary").child(el("span").attr("class", "ends").say(words::NOT_FINISHED));
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

/// A request that became no form, though some of its questions may have been shown while it was being written.
pub fn rejected(asked: Option<&str>, was_shown: bool) -> El {
    let word = if was_shown { words::REJECTED_LATE } else { words::REJECTED };
    el("div").attr("class", "step").children(asked.map(notice::said)).child(notice::alert().say(word))
}

/// How many answers the line of a receipt names at most.
const BRIEF: usize = 6;
/// A receipt of at most so many answers is unfolded at first.
const UNFOLDED: usize = 3;
/// How many characters of an answer stand in the line.
const LONGEST: usize = 60;

/// What the line of a receipt says beside the verdict: the answers, and of a single one what it was given to, too. Of a call, what would be done, and why it was not.
fn brief(answered: &[(&Question, &Taken)]) -> Vec<Said> {
    let [(question, taken)] = answered else {
        let all = answered.iter().filter_map(|(question, taken)| given(question, &taken.answer, LONGEST)).take(BRIEF);
        let all: Vec<Said> = all.collect();
        return if all.is_empty() { all } else { vec![written("list", &several(all))] };
    };
    let after = match taken.answer.decided() {
        Some(Decided::Rejected(reason)) => reason.map(|reason| beginning(reason, LONGEST)),
        Some(_) => None,
        None => Some(beginning(&question.text, LONGEST)),
    };
    given(question, &taken.answer, LONGEST).into_iter().chain(after).collect()
}

/// An answer in the line of the receipt, or the call that was decided on: nothing for what is no short text.
pub fn given(question: &Question, answer: &Answer, most: usize) -> Option<Said> {
    match (answer, question.answer_type.approval()) {
        (_, Some(call)) => Some(acted(question, call, most)),
        (Answer::Schema(_) | Answer::Empty, _) => None,
        _ => Some(spoken(question, answer, most)),
    }
}

/// What a call would do, in few words.
fn acted(question: &Question, call: &Approval, most: usize) -> Said {
    let command = || call.arguments.get(COMMAND).and_then(Value::as_str);
    let name = match call.act() {
        Act::Command => command().unwrap_or_default(),
        Act::Edit(file) => file,
        Act::Other if question.wording.is_some() && !call.tool.is_empty() => &call.tool,
        Act::Other => &question.text,
    };
    beginning(name, most)
}

/// The beginning of a text, as it is shown.
pub fn beginning(whole: &str, most: usize) -> Said {
    let whole = words::shown(whole);
    let is_long = whole.chars().nth(most).is_some();
    text(&if is_long { whole.chars().take(most).chain(['…']).collect() } else { whole })
}

/// A question with its answer, and perhaps a button.
pub fn row(question: &Question, taken: &Taken, button: Option<El>) -> El {
    let note = taken.note.as_deref().map(noted);
    asked(question)
        .children(
            question
                .answer_type
                .approval()
                .and_then(|call| arguments::view(call, None))
                .map(|call| el("dd").child(call)),
        )
        .child(el("dd").child(answer(question, &taken.answer)).children(note).children(button))
}

/// The note beside an answer.
pub fn noted(note: &str) -> El {
    el("span").attr("class", "note").say_around(words::NOTED, isolated(note))
}

/// A question without an answer.
pub fn unanswered(question: &Question) -> El {
    asked(question).child(el("dd").say(words::NOT_ANSWERED))
}

/// A row with its question, for what became of it. Of a call it says what would be done, as the form did, and by which tool.
pub fn asked(question: &Question) -> El {
    let asked = el("dt").attr("dir", "auto");
    let asked = match (words::call(question, None), question.answer_type.approval()) {
        (Some((said, _)), Some(call)) => asked.say_value(&said).text(" · ").child(isolated(&call.tool)),
        _ => asked.asked(question),
    };
    el("div").attr("class", "row").child(asked)
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
pub fn answer(question: &Question, answer: &Answer) -> El {
    match (answer, &question.answer_type) {
        (Answer::Secret(_), _) => return el("span").say(words::SECRET),
        (Answer::Schema(exact), _) => {
            let text = exact.text.clone().unwrap_or_else(|| json::text(&exact.value));
            return lines(&words::shown(&json::pretty(&text)));
        }
        (Answer::Approval(exact), _) => {
            if let Some(Decided::Edited(arguments)) = answer.decided() {
                let exact = exact.text.as_deref().and_then(Approval::arguments_in);
                let text = exact.map_or_else(|| json::text(arguments), str::to_owned);
                let said = el("span").say(words::APPROVED_EDITED).child(lines(&words::shown(&json::pretty(&text))));
                return said.attr("class", "answer");
            }
            // What it reaches beside the call, as the person read it.
            if let Some(reach) = answer.grant().and_then(|grant| grant.get("shown")).and_then(Value::as_str) {
                let said = answered().say_value(&spoken(question, answer, usize::MAX));
                let way = question.answer_type.approval().and_then(|approval| approval.way_taken(&exact.value));
                return said.child(match way.filter(|way| !way.wording.is_empty()) {
                    Some(way) => notice::reaches(el("pre").attr("dir", "auto"), way),
                    None => lines(&words::shown(reach)),
                });
            }
        }
        (Answer::Select(value), _) => return answered().text(&words::shown(&label(question, value))),
        (Answer::MultiSelect(selection), _) if !selection.options.is_empty() || selection.other.is_some() => {
            return listed(&selected(question, answer));
        }
        _ => {}
    }
    answered().say_value(&spoken(question, answer, usize::MAX))
}

/// An answer, as it is shown.
pub fn answered() -> El {
    el("span").attr("class", "answer").attr("dir", "auto")
}

/// Texts as the language lists them.
pub fn listed(texts: &[String]) -> El {
    texts.iter().enumerate().fold(answered(), |list, (place, text)| {
        let between = || several([place.saturating_sub(1), texts.len()].map(|number| number.to_string()));
        (if place > 0 { list.say_value(&written("between", &between())) } else { list }).child(isolated(text))
    })
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

/// An answer as one text, a value of `language`. Of longer texts the beginning.
fn spoken(question: &Question, answer: &Answer, most: usize) -> Said {
    let plain = |text: &str| beginning(text, most);
    match (answer, &question.answer_type) {
        (Answer::Secret(_), _) => words::SECRET.alone(),
        (Answer::Empty, _) => words::SKIPPED.alone(),
        (Answer::Consent, AnswerType::Url(link)) => words::OPENED.with(&[("host", &text(link.host()))]),
        (Answer::Approval(_), _) => match answer.decided() {
            Some(Decided::Rejected(Some(said))) => words::REJECTED_BECAUSE.with(&[("reason", &plain(said))]),
            Some(Decided::Rejected(None)) => words::REJECTED_CALL.alone(),
            Some(Decided::Responded(said)) => plain(said),
            Some(Decided::Edited(_) | Decided::Approved) | None => words::APPROVED.alone(),
        },
        (Answer::Select(value), _) => plain(&label(question, value)),
        (Answer::Boolean(answer), _) => if *answer { words::YES } else { words::NO }.alone(),
        (Answer::MultiSelect(_), _) => match selected(question, answer) {
            none if none.is_empty() => words::NONE_CHOSEN.alone(),
            texts => written("list", &several(texts.iter().map(|text| plain(text)))),
        },
        (Answer::Text(text), _) if text.is_empty() => words::EMPTY.alone(),
        (Answer::Text(text), AnswerType::Text(rules)) if rules.format == Some(Format::Date) => {
            written("date", &plain(text))
        }
        (Answer::Text(text) | Answer::Other(text), _) => plain(text),
        (Answer::Number(_), _) => written("digits", &plain(&answer.text().unwrap_or_default())),
        (Answer::Consent | Answer::Schema(_), _) => plain(&answer.text().unwrap_or_default()),
    }
}
