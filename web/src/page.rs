//! Several questions on one page, which are answered together. A question is shown once the answers before it make it relevant; the core says which
//! are (`Walk::page`). Nothing is chosen at first that was not, and all is sent by the button alone.

use crate::{
    card::{Card, card},
    element::{El, el},
    notice,
    prompt::{Read, invalid},
    session::{Layout, Session},
    ui::Ui,
    words,
};
use ask_user_core::{Action, AnswerType, Asking, Content, Given, Question, Refusal, Walk};
use leptos::{
    prelude::{Get, GetUntracked, RwSignal, Set},
    tachys::renderer::dom::queue_microtask,
};
use serde_json::Value;
use std::{cell::RefCell, rc::Rc};

/// How many questions a page has at most: of more, each is a step.
const MOST: usize = 100;
/// How many there are on a page that the form chooses by itself.
const FEW: std::ops::RangeInclusive<usize> = 2..=8;
/// How many options a choice has there at most, and how many characters a question with its context.
const OPTIONS: usize = 10;
const CHARACTERS: usize = 300;

/// The questions that are shown on one page now. Empty where a step is shown.
pub fn places(session: &Session, walk: &Walk) -> Vec<Asking> {
    let questions = walk.form().questions();
    let is_page = match session.layout() {
        Layout::Steps => false,
        Layout::Page => questions.len() <= MOST,
        Layout::Auto => FEW.contains(&questions.len()) && questions.iter().all(|question| is_short(question)),
    };
    if !is_page {
        return Vec::new();
    }
    let page: Vec<Asking> = fitting(walk.page(Vec::new()));
    let waits = |question: &Question| question.when.is_some();
    // One question is a page where another may follow on it.
    if page.len() > 1 || (page.len() == 1 && questions.iter().any(|question| waits(question))) {
        page
    } else {
        Vec::new()
    }
}

/// The questions up to the first that has a step of its own.
fn fitting(page: Vec<Asking>) -> Vec<Asking> {
    page.into_iter().take_while(|asking| fits(&asking.question)).collect()
}

/// Whether a question can stand on a page. One that is answered elsewhere, by an editor or by a decision, cannot.
fn fits(question: &Question) -> bool {
    match question.answer_type {
        AnswerType::Schema { .. } | AnswerType::Url(_) | AnswerType::Approval(_) => false,
        AnswerType::Boolean
        | AnswerType::Select(_)
        | AnswerType::MultiSelect { .. }
        | AnswerType::Text(_)
        | AnswerType::Number(_)
        | AnswerType::Secret => true,
    }
}

/// Whether a question is short, and asked whatever was answered before.
fn is_short(question: &Question) -> bool {
    let choices = question.answer_type.choices();
    let said = question.text.len() + question.context.as_ref().map_or(0, String::len);
    fits(question)
        && question.when.is_none()
        && !question.notes
        && said <= CHARACTERS
        && choices.is_none_or(|choices| choices.as_slice().len() <= OPTIONS && !choices.have_previews())
}

/// The questions of a page, of which some are shown.
pub struct Page {
    ui: Ui,
    slots: Vec<Slot>,
}

/// One question of a page.
struct Slot {
    id: String,
    ui: Ui,
    is_shown: RwSignal<bool>,
    /// Reads the field while it is shown.
    read: Rc<RefCell<Option<Read>>>,
}

impl Page {
    /// The page of a walk; `first` are the questions that are relevant whatever is answered.
    pub fn new(ui: Ui, walk: &Walk, first: &[Asking]) -> Rc<Self> {
        let open = first.first().map(|asking| asking.question.id.as_str());
        let questions = walk.form().questions().iter().enumerate();
        let questions = questions.skip_while(|(_, question)| Some(question.id.as_str()) != open);
        let slot = |(place, question): (usize, &std::sync::Arc<Question>)| Slot {
            id: question.id.clone(),
            ui: ui.scoped(place + 1),
            is_shown: RwSignal::new(false),
            read: Rc::default(),
        };
        let slots = questions.take_while(|(_, question)| fits(question)).map(slot).collect();
        let page = Rc::new(Self { ui, slots });
        page.show(walk);
        page
    }

    /// The views of all questions, which come and go.
    pub fn view(self: &Rc<Self>) -> Vec<El> {
        (0..self.slots.len()).map(|place| self.slot(place)).collect()
    }

    fn slot(self: &Rc<Self>, place: usize) -> El {
        let page = Rc::clone(self);
        el("div").attr("class", "asked").changing(move || {
            let slot = page.slots.get(place)?;
            slot.read.take();
            if !slot.is_shown.get() {
                return None;
            }
            let asking = page.ui.session(|session| {
                let walk = session.walk()?;
                walk.page(page.read()).into_iter().find(|asking| asking.question.id == slot.id)
            })?;
            // With what was typed there before, it may make another one relevant.
            let shown = Rc::clone(&page);
            queue_microtask(move || {
                shown.changed();
            });
            let ui = slot.ui;
            let Card { fieldset, read, .. } = card(ui, &asking);
            slot.read.replace(read);
            let fieldset = fieldset.attr("data-on-page", &slot.id).attr_from("data-refused", invalid(ui));
            Some(fieldset.children(asking.advice.as_ref().map(notice::advice)))
        })
    }

    /// Shows what the answers make relevant now, and says whether that is something else.
    pub fn changed(&self) -> bool {
        self.ui.session(|session| session.walk().is_some_and(|walk| self.show(walk)))
    }

    fn show(&self, walk: &Walk) -> bool {
        let page = fitting(walk.page(self.read()));
        let mut is_new = false;
        for slot in &self.slots {
            let is_shown = page.iter().any(|asking| asking.question.id == slot.id);
            if slot.is_shown.try_get_untracked().is_some_and(|shown| shown != is_shown) {
                slot.is_shown.set(is_shown);
                is_new = true;
            }
        }
        is_new
    }

    /// What the person has answered so far: an answer for each question that is shown, null where there is none.
    pub fn read(&self) -> Vec<(String, Given)> {
        let read = |slot: &Slot| {
            let Action::Answer(given) = slot.read.borrow().as_ref()?() else { return None };
            let is_empty = matches!(&given.content, Content::Typed(text) if text.trim().is_empty());
            // Nobody has answered what is empty beside other fields.
            let given = if is_empty { Given { content: Content::Value(Value::Null), ..given } } else { given };
            Some((slot.id.clone(), given))
        };
        self.slots.iter().filter_map(read).collect()
    }

    /// Whether no question can come after the page.
    pub fn is_last(&self, walk: &Walk) -> bool {
        walk.form().questions().last().map(|question| &question.id) == self.slots.last().map(|slot| &slot.id)
    }
}

/// What is wrong, above the page, each with a way to its question.
pub fn wrong(ui: Ui, walk: &Walk) -> El {
    // As the page has them.
    let texts: Vec<(String, String)> =
        walk.form().questions().iter().map(|question| (question.id.clone(), question.text.clone())).collect();
    el("div").attr("role", "alert").changing(move || {
        let Some(Refusal::Answers { refused }) = ui.refusal.get() else { return None };
        let is_refused = |id: &str| refused.iter().any(|one| one.question == id);
        let line = |(id, said): &(String, String)| {
            if !is_refused(id) {
                return None;
            }
            let target = id.clone();
            let way = el("button").attr("type", "button").attr("class", "quiet way").attr("data-wrong", id);
            let way = way.markdown("label", said).on_click(move || ui.go_to(&target));
            Some(el("li").child(way))
        };
        let title = words::WRONG.with(&[("count", &refused.total().to_string())]);
        let list = el("ul").children(texts.iter().filter_map(line));
        Some(el("div").named("error wrong", "error").child(el("p").say_value(&title)).child(list))
    })
}
