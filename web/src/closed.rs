//! A question that was closed elsewhere: it looks like nothing that could be answered. What the person had entered is beside its question, to be read
//! and copied.

use crate::{
    element::{El, el},
    layout,
    prompt::approval,
    receipt,
    rows::CHOSEN,
    session::{Session, of},
    ui::Ui,
    words,
};
use ask_user_core::{Asking, Decision, Question, Step, Taken};
use serde_json::{Map, Value};

/// What stands in the place of a question that was closed.
pub fn view(ui: Ui, how: usize) -> El {
    let typed = ui.all_typed();
    let (mut questions, mut rows, mut quotes) = (Vec::new(), Vec::new(), Vec::new());
    let mut is_any = false;
    ui.session(|session| {
        let Some(walk) = session.walk() else { return };
        let open = open(session);
        for (question, taken) in walk.answered() {
            let is_open = open.iter().any(|asking| asking.question.id == question.id);
            if is_open {
                questions.push(el("p").named("context", "context").attr("dir", "auto").asked(question));
            }
            if let Some(row) = entered(&typed, question, taken.or_else(|| walk.taken_back(&question.id))) {
                rows.push(row);
                is_any = true;
            } else if is_open {
                rows.push(receipt::unanswered(question));
            }
        }
        // The message of a reply, and what was typed into another form.
        for (key, value) in &typed {
            let text = value.as_str().unwrap_or_default();
            if !text.trim().is_empty() && walk.form().question(of(key)).is_none() {
                quotes.push(el("blockquote").attr("dir", "auto").text(&words::shown(text)));
            }
        }
    });
    let closed = el("div").named("closed", "closed");
    let closed = closed.children(if is_any { Vec::new() } else { questions }).child(why(how, false));
    if !is_any && quotes.is_empty() {
        return closed;
    }
    let rows = is_any.then(|| el("dl").children(rows));
    closed.child(el("p").say(words::UNSENT)).children(rows).children(quotes)
}

/// Why a question was closed: this one, or the one `before`.
pub fn why(how: usize, before: bool) -> El {
    let said = el("p").attr("role", "status").attr("data-closed", "");
    match words::closed(how, before) {
        Some(word) => said.say(word),
        None => said,
    }
}

/// What was entered for a question that was left open, and not sent.
pub fn unsent(typed: &Map<String, Value>, question: &Question) -> Option<El> {
    let row = entered(typed, question, None)?;
    Some(row.child(el("dd").child(el("span").attr("class", "hint").say(words::NOT_SENT_WITH))))
}

/// The questions that were shown.
fn open(session: &Session) -> Vec<Asking> {
    let Some(walk) = session.walk() else { return Vec::new() };
    let Step::Asking(asking) = walk.step() else { return Vec::new() };
    let page = [walk.approvals(), layout::places(session.layout(), walk)].concat();
    if page.is_empty() { vec![*asking] } else { page }
}

/// A question with what was typed and chosen for it, or else with what it was answered `before`. None where that is nothing.
fn entered(typed: &Map<String, Value>, question: &Question, before: Option<&Taken>) -> Option<El> {
    let kept = |name: &str| typed.get(&(question.id.clone() + name)).and_then(Value::as_str);
    let (note, own) = (kept(".note"), before.filter(|_| kept(".other").is_none()));
    let (mut row, mut is_typed, mut is_any) = (receipt::asked(question), false, false);
    for name in ["", ".decision", ".chosen", ".other", ".arguments", ".message"] {
        let Some(text) = kept(name) else { continue };
        is_typed = true;
        let entered = match name {
            ".decision" => Decision::named(text).map(|decision| receipt::answered().say(approval::label(decision))),
            ".chosen" => chosen(question, text, own),
            _ if text.trim().is_empty() => None,
            _ => Some(receipt::answered().text(&words::shown(text))),
        };
        if let Some(entered) = entered {
            row = row.child(el("dd").child(entered));
            is_any = true;
        }
    }
    match before.filter(|_| !is_typed) {
        Some(before) if note.is_none() => return Some(receipt::row(question, before, None)),
        Some(before) => {
            row = row.child(el("dd").child(receipt::answer(question, &before.answer)));
            is_any = true;
        }
        None => {}
    }
    if let Some(note) = note.filter(|note| !note.trim().is_empty()) {
        row = row.child(el("dd").child(receipt::noted(note)));
        is_any = true;
    }
    is_any.then_some(row)
}

/// What was chosen, as it is kept. `before` is the answer whose text of the person's own still stands in the field.
fn chosen(question: &Question, kept: &str, before: Option<&Taken>) -> Option<El> {
    let word = match kept {
        "yes" => words::YES,
        "no" => words::NO,
        "none" if question.answer_type.choices().is_none() => words::EMPTY,
        "none" => words::NONE_CHOSEN,
        marks => {
            let mut texts = Vec::new();
            let mut marks = marks.bytes().map(|mark| mark == CHOSEN);
            for choice in question.answer_type.choices()?.as_slice() {
                if marks.next() == Some(true) {
                    texts.push(choice.label.clone());
                }
            }
            let own = before.and_then(|before| before.answer.other()).map(str::to_owned);
            texts.extend(own.filter(|_| marks.next() == Some(true)));
            return (!texts.is_empty()).then(|| receipt::listed(&texts));
        }
    };
    Some(receipt::answered().say(word))
}
