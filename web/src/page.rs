//! Several questions on one page, which are answered together. A question is shown once the answers before it make it relevant; the core says which
//! are (`Walk::page`). Nothing is chosen at first that was not, and all is sent by the button alone.

use crate::{
    card::{Card, card},
    dom::queue_microtask,
    element::{El, el},
    layout::{fits, fitting, is_on_page},
    notice,
    prompt::{Read, invalid},
    ui::Ui,
    words,
};
use ask_user_core::{Action, Asking, Given, Question, Refusal, Walk};
use leptos::prelude::{Get, GetUntracked, RwSignal, Set};
use std::{cell::RefCell, rc::Rc};

/// The questions of a page, of which some are shown.
pub struct Page {
    ui: Ui,
    pub slots: Vec<Slot>,
    /// Whether nothing can come after the page: no other question, and no review, since all that the person answers is in sight.
    pub sends: bool,
    /// The ids of its questions, but those that an assistant may be asked.
    pub ids: Vec<String>,
}

/// One question of a page.
pub struct Slot {
    pub id: String,
    pub ui: Ui,
    pub is_shown: RwSignal<bool>,
    /// What is to be shown, until it is.
    asking: RefCell<Option<Asking>>,
    /// Reads the field while it is shown.
    read: RefCell<Option<Read>>,
}

impl Page {
    /// The page of a walk; `first` are the questions that are relevant whatever is answered.
    pub fn new(ui: Ui, walk: &Walk, first: &[Asking]) -> Rc<Self> {
        let open = first.first().map(|asking| asking.question.id.as_str());
        let (form, questions) = (walk.form(), walk.form().questions().iter().enumerate());
        let questions = questions.skip_while(|(_, question)| Some(question.id.as_str()) != open);
        let is_new = || walk.answered().all(|(_, taken)| taken.is_none());
        let is_all = || is_new() && !is_answered_by_host(walk, first);
        let sends = questions.clone().all(|(_, question)| is_on_page(walk, question)) && (!form.review() || is_all());
        let slot = |(place, question): (usize, &std::sync::Arc<Question>)| Slot {
            id: question.id.clone(),
            ui: ui.scoped(place + 1),
            is_shown: RwSignal::new(false),
            asking: RefCell::default(),
            read: RefCell::default(),
        };
        let ids = questions.clone().filter(|(_, question)| is_on_page(walk, question));
        let ids = ids.map(|(_, question)| question.id.clone()).collect();
        let slots = questions.filter(|(_, question)| fits(question)).map(slot).collect();
        let page = Rc::new(Self { ui, slots, sends, ids });
        page.show(walk);
        page
    }

    /// The views of all questions, which come and go.
    pub fn view(self: &Rc<Self>) -> Vec<El> {
        (0..self.slots.len()).map(|place| self.slot(place)).collect()
    }

    /// The view of a question, which comes and goes.
    pub fn slot(self: &Rc<Self>, place: usize) -> El {
        let page = Rc::clone(self);
        el("div").attr("class", "asked").changing(move || {
            let slot = page.slots.get(place)?;
            slot.read.take();
            if !slot.is_shown.get() {
                return None;
            }
            let asking = slot.asking.take()?;
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

    /// Shows what the answers make relevant now, and says whether that is something else. What was pressed before does not count then.
    pub fn changed(&self) -> bool {
        let is_new = self.ui.session(|session| session.walk().is_some_and(|walk| self.show(walk)));
        if is_new {
            let ui = self.ui;
            ui.guard().show(move || ui.reach_scrolling());
        }
        is_new
    }

    fn show(&self, walk: &Walk) -> bool {
        let mut page = fitting(walk.page(self.read())).into_iter().peekable();
        let mut is_new = false;
        // Both are in the order of the form.
        for slot in &self.slots {
            let asking = page.next_if(|asking| asking.question.id == slot.id);
            let is_shown = asking.is_some();
            if slot.is_shown.try_get_untracked().is_some_and(|shown| shown != is_shown) {
                slot.asking.replace(asking);
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
            Some((slot.id.clone(), given))
        };
        self.slots.iter().filter_map(read).collect()
    }

    /// What is wrong with the questions that are shown, above the page, each with a way to its question.
    pub fn wrong(self: &Rc<Self>) -> El {
        let (ui, page) = (self.ui, Rc::clone(self));
        el("div").attr("role", "alert").changing(move || {
            let Some(Refusal::Answers { refused }) = ui.refusal.get() else { return None };
            let wrong = page.slots.iter().filter(|slot| refused.iter().any(|one| one.question == slot.id));
            // Asked of all of them, so that it is asked again when one comes or goes.
            let (shown, hidden): (Vec<&Slot>, Vec<&Slot>) = wrong.partition(|slot| slot.is_shown.get());
            let count = refused.total().saturating_sub(hidden.len());
            let line = |slot: &Slot| {
                let (id, place) = (slot.id.clone(), slot.ui.scope.checked_sub(1)?);
                let said = ui.session(|session| Some(words::asked(session.walk()?.form().questions().get(place)?)))?;
                let way = el("button").attr("type", "button").attr("class", "quiet way").attr("data-wrong", &id);
                // A button holds no link.
                let text = el("span").attr("data-md", "spoken").say_value(&said);
                Some(el("li").child(way.child(text).on_click(move || ui.go_to(&id))))
            };
            let title = words::WRONG.with(&[("count", &count.to_string())]);
            let list = el("ul").children(shown.into_iter().filter_map(line));
            let wrong = el("div").named("error wrong", "error").child(el("p").say_value(&title)).child(list);
            (count > 0).then_some(wrong)
        })
    }
}

/// Whether a question is answered without the person, or may be: it is not on the page that begins with `first`, and only a review shows its answer.
#[inline(never)]
fn is_answered_by_host(walk: &Walk, first: &[Asking]) -> bool {
    let host = walk.form().host();
    walk.form().questions().iter().any(|question| {
        let is_first = first.iter().any(|asking| asking.question.id == question.id);
        let is_given =
            || host.static_answers.contains_key(&question.id) || host.secret_answers.contains_key(&question.id);
        !is_first && (question.when.is_none() || is_given())
    })
}
