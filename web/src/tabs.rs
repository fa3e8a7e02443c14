//! A page that shows one of its questions at a time, under tabs with their headers. The last tab lists all answers, and alone sends them. The questions stand
//! in the place of each other, so that the form is as high as the highest of them and stays so.

use crate::{
    actions,
    dom::{Element, Event, HtmlElement, JsCast, KeyboardEvent, property, queue_microtask, set_property},
    element::{El, button, el, say_anew},
    guard::{composes, takes_text},
    language::{self, Said, text},
    page::{Page, Slot},
    receipt,
    ui::Ui,
    words,
};
use ask_user_core::{Answer, By, Question, Refusal, Taken};
use leptos::prelude::{GetUntracked, RwSignal, Set, Track, Update};
use std::{
    cell::{Cell, RefCell},
    rc::Rc,
    sync::Arc,
};

/// How many characters of a question without a header its tab has, and how many of an answer.
const NAME: usize = 24;
const ANSWER: usize = 20;

/// A question of the page with its answer as it would be taken, or why it would be refused.
type Tried = (Arc<Question>, Result<Taken, Refusal>);

/// The tabs of a page. The place after the last question is the review.
pub struct Tabs {
    ui: Ui,
    page: Rc<Page>,
    /// The tab and the panel of each place.
    places: Vec<(HtmlElement, HtmlElement)>,
    /// Whether a place was shown.
    seen: Vec<Cell<bool>>,
    shown: Cell<usize>,
    /// The questions that are asked, in their order, and a count of the changes.
    tried: RefCell<Vec<Tried>>,
    changes: RwSignal<usize>,
    next: HtmlElement,
    skip: HtmlElement,
}

/// The parts of the tabs in a form.
pub struct Parts {
    pub tabs: Rc<Tabs>,
    pub list: El,
    pub panels: El,
    /// What is spoken where the review comes: the focus goes to the button below it.
    pub spoken: El,
    pub buttons: [El; 2],
}

impl Tabs {
    /// The tabs of a page, with the first question shown.
    pub fn of(ui: Ui, page: &Rc<Page>) -> Parts {
        let count = page.slots.len();
        let scope = |place: usize| page.slots.get(place).map_or(ui, |slot| slot.ui);
        let tab = |place: usize| {
            let ui = scope(place);
            let tab = el("button").attr("type", "button").attr("role", "tab").named("question-tab", "question-tab");
            tab.attr("id", &ui.id("tab")).attr("aria-controls", &ui.id("panel"))
        };
        let panel = |place: usize| {
            let ui = scope(place);
            let panel = el("div").attr("class", "sheet").attr("role", "tabpanel").attr("id", &ui.id("panel"));
            panel.attr("aria-labelledby", &ui.id("tab"))
        };
        let all: Vec<(El, El)> = (0..=count).map(|place| (tab(place), panel(place))).collect();
        let (next, skip) = (actions::send(words::CONTINUE), button(words::SKIP).attr("data-skip", ""));
        let tabs = Rc::new(Self {
            ui,
            page: Rc::clone(page),
            places: all.iter().map(|(tab, panel)| (tab.node(), panel.node())).collect(),
            seen: vec![Cell::new(false); count],
            shown: Cell::new(0),
            tried: RefCell::default(),
            changes: RwSignal::new(0),
            next: next.node(),
            skip: skip.node(),
        });
        tabs.put(0);
        let (mut list, mut panels) = (
            el("div").named("question-tabs", "question-tabs").attr("role", "tablist"),
            el("div").attr("class", "sheets"),
        );
        for (place, (tab, panel)) in all.into_iter().enumerate() {
            let clicked = Rc::clone(&tabs);
            list = list.child(tabs.named(tab, place).on_click(move || clicked.show(place)));
            let panel = if place < count { panel.child(page.slot(place)) } else { tabs.review(panel) };
            panels = panels.child(panel);
        }
        // With what was kept of an earlier form.
        let made = Rc::clone(&tabs);
        queue_microtask(move || made.changed());
        let skipped = Rc::clone(&tabs);
        let skip = skip.on_click(move || {
            skipped.show(skipped.after(skipped.shown.get()));
            skipped.lead();
        });
        let spoken = el("p").attr("class", "spoken").attr("role", "status").changing({
            let tabs = Rc::clone(&tabs);
            move || tabs.announced()
        });
        Parts { tabs, list, panels, spoken, buttons: [next, skip] }
    }

    /// A tab with the header of its question and the beginning of its answer.
    fn named(self: &Rc<Self>, tab: El, place: usize) -> El {
        let Some(slot) = self.page.slots.get(place) else { return tab.say(words::REVIEW_TAB) };
        let name = el("span").attr("class", "isolated").say_value(&self.name(slot));
        let (tabs, id) = (Rc::clone(self), slot.id.clone());
        tab.child(name).changing(move || {
            tabs.changes.track();
            let answered = el("span").attr("class", "given");
            let tried = tabs.tried.borrow();
            Some(match answer_to(&tried, &id) {
                Some((question, taken)) => {
                    let answered = answered.attr("data-given", "").attr("dir", "auto");
                    match receipt::given(question, &taken.answer, ANSWER) {
                        Some(said) => answered.say_value(&said),
                        None => answered,
                    }
                }
                None => answered.child(el("span").attr("class", "spoken").say(words::NOT_ANSWERED)),
            })
        })
    }

    /// All answers, each with a way to its question.
    fn review(self: &Rc<Self>, panel: El) -> El {
        let tabs = Rc::clone(self);
        let heading = el("h2").attr("tabindex", "-1").attr("data-question-text", "").say(words::REVIEW);
        let hint = el("p").attr("class", "context").say(words::REVIEW_HINT);
        panel.child(heading).child(hint).changing(move || {
            tabs.changes.track();
            let row = |(question, taken): &Tried| {
                let change = words::CHANGE_ANSWER.with(&[("question", &words::asked(question))]);
                let button = button(words::CHANGE).attr("data-change", &question.id);
                language::say(&button.node(), "aria-label", &change);
                let (tabs, id) = (Rc::clone(&tabs), question.id.clone());
                let button = button.on_click(move || {
                    if let Some(place) = tabs.place_of(&id) {
                        tabs.show(place);
                        tabs.lead();
                    }
                });
                match taken {
                    Ok(taken) => {
                        let is_remembered = matches!(taken.by, By::Person { remember: true });
                        let remembered = is_remembered.then(|| el("dd").attr("class", "context").say(words::REMEMBER));
                        receipt::row(question, taken, Some(button)).children(remembered)
                    }
                    Err(refusal) => {
                        let is_choice = question.answer_type.choices().is_some();
                        let said = words::refused(refusal, is_choice, &question.id);
                        let missing =
                            el("dd").child(el("span").attr("class", "missing").say_value(&said)).child(button);
                        receipt::asked(question).attr("data-missing", "").child(missing)
                    }
                }
            };
            Some(el("dl").children(tabs.tried.borrow().iter().map(row)))
        })
    }

    /// That the review is shown, and how many answers are missing.
    fn announced(&self) -> Option<El> {
        self.changes.track();
        let missing = self.tried.borrow().iter().filter(|(_, taken)| taken.is_err()).count();
        (self.shown.get() >= self.page.slots.len()).then(|| match missing {
            0 => el("span").say(words::REVIEW),
            _ => el("span").say_value(&words::WRONG.with(&[("count", &missing.to_string())])),
        })
    }

    /// What the fields hold has changed.
    pub fn changed(&self) {
        self.page.changed();
        self.take_in();
        self.changes.update(|count| *count += 1);
        self.label();
    }

    /// Reads the fields.
    fn take_in(&self) {
        let answers = self.page.read();
        let tried = self.ui.session(|session| session.walk().map(|walk| walk.preview(answers)));
        self.tried.replace(tried.unwrap_or_default());
        for (slot, (tab, _)) in self.page.slots.iter().zip(&self.places) {
            tab.set_hidden(!slot.is_shown.get_untracked());
        }
    }

    /// Shows the question of a place, or the review.
    fn show(&self, place: usize) {
        self.ui.reconsider();
        self.put(place);
        self.changed();
        // What was pressed before does not count for what is shown now.
        let (ui, tab) = (self.ui, self.places.get(place).map(|(tab, _)| tab.clone()));
        ui.guard().show(move || {
            ui.reach_scrolling();
            tab.iter().for_each(reveal);
        });
    }

    fn put(&self, place: usize) {
        self.shown.set(place);
        if let Some(seen) = self.seen.get(place) {
            seen.set(true);
        }
        for (at, (tab, panel)) in self.places.iter().enumerate() {
            let is_shown = at == place;
            // Only a name with characters that no attribute may have could fail.
            drop(tab.set_attribute("aria-selected", if is_shown { "true" } else { "false" }));
            tab.set_tab_index(if is_shown { 0 } else { -1 });
            drop(if is_shown { panel.remove_attribute("data-away") } else { panel.set_attribute("data-away", "") });
        }
    }

    /// Moves the focus to the question that is shown, or to the button that sends.
    fn lead(&self) {
        self.ui.focus_step();
    }

    /// Says where the button leads to, and offers to skip a question that has no answer.
    fn label(&self) {
        let (shown, language) = (self.shown.get(), self.ui.language());
        let is_review = shown >= self.page.slots.len();
        let said = match is_review {
            true if self.page.sends => words::SEND_ANSWERS.alone(),
            true => words::CONTINUE.alone(),
            false => self.leads_to(self.after(shown)),
        };
        say_anew(&self.next, &language, &said);
        drop(if is_review {
            self.next.set_attribute("data-submit", "")
        } else {
            self.next.remove_attribute("data-submit")
        });
        let is_open = self.page.slots.get(shown).is_some_and(|slot| !self.is_answered(&slot.id));
        self.skip.set_hidden(!is_open);
    }

    fn leads_to(&self, place: usize) -> Said {
        let name = self.page.slots.get(place).map_or_else(|| words::REVIEW_TAB.alone(), |slot| self.name(slot));
        words::NEXT_TAB.with(&[("name", &name)])
    }

    /// What a tab is called: the header of its question, or the beginning of that.
    fn name(&self, slot: &Slot) -> Said {
        let name = self.ui.session(|session| {
            let question = session.walk()?.form().questions().get(slot.ui.scope.checked_sub(1)?)?;
            Some(match &question.header {
                Some(header) => text(&words::shown(header)),
                None => receipt::beginning(&question.text, NAME),
            })
        });
        name.unwrap_or_else(|| text(""))
    }

    /// Goes on from the question that is shown if its answer would be taken, or else says why not. From the review, sends all answers.
    pub fn go_on(&self) {
        self.changed();
        let shown = self.shown.get();
        let Some(slot) = self.page.slots.get(shown) else { return self.send() };
        let refused = self
            .tried
            .borrow()
            .iter()
            .find(|(question, _)| question.id == slot.id)
            .and_then(|(_, taken)| taken.clone().err());
        match refused {
            Some(refusal) => {
                let refused = [(slot.id.clone(), refusal)].into_iter().collect();
                self.ui.refuse(Refusal::Answers { refused });
            }
            None => {
                self.ui.refusal.set(None);
                self.show(self.after(shown));
                self.lead();
            }
        }
    }

    fn send(&self) {
        let refused =
            self.tried.borrow().iter().find(|(_, taken)| taken.is_err()).map(|(question, _)| question.id.clone());
        if let Some(place) = refused.and_then(|id| self.place_of(&id)) {
            self.show(place);
        }
        // A review of answers that were given before comes after it.
        self.ui.act_all(self.page.read(), self.page.sends);
    }

    /// The place after one that was not shown yet or has no answer; or the review.
    fn after(&self, place: usize) -> usize {
        let slots = self.page.slots.iter().zip(&self.seen).enumerate().skip(place + 1);
        let mut open = slots
            .filter(|(_, (slot, seen))| slot.is_shown.get_untracked() && !(seen.get() && self.is_answered(&slot.id)));
        open.next().map_or(self.page.slots.len(), |(place, _)| place)
    }

    /// Leads to the tab before or after by an arrow, from anywhere but a text.
    pub fn press(&self, event: &Event) {
        let key: &KeyboardEvent = event.unchecked_ref();
        let is_modified = key.ctrl_key() || key.meta_key() || key.alt_key() || key.shift_key();
        let target = event.target().and_then(|target| target.dyn_into::<Element>().ok());
        let Some(target) = target.filter(|target| !takes_text(target)) else { return };
        let is_within = |selector: &str| target.closest(selector).is_ok_and(|found| found.is_some());
        if is_modified || composes(key) || is_within("dialog, .reply, select, pre") {
            return;
        }
        let name = key.key();
        let is_arrow = matches!(name.as_str(), "ArrowLeft" | "ArrowRight");
        if is_arrow {
            // In a list of options, the browser would choose another one: a key that is held may not, either.
            event.prevent_default();
            event.stop_propagation();
        }
        let is_end = matches!(name.as_str(), "Home" | "End") && is_within("[role=tab]");
        if !(is_arrow || is_end) || key.repeat() || !self.ui.guard().counts() {
            return;
        }
        let is_shown = |place: &usize| self.page.slots.get(*place).is_none_or(|slot| slot.is_shown.get_untracked());
        let (shown, last) = (self.shown.get(), self.page.slots.len());
        let to = match name.as_str() {
            "Home" => (0..=last).find(is_shown),
            "End" => Some(last),
            _ if (name == "ArrowLeft") == self.is_rtl() => (shown + 1..=last).find(is_shown),
            _ => (0..shown).rev().find(is_shown),
        };
        event.prevent_default();
        event.stop_propagation();
        let Some(to) = to else { return };
        self.show(to);
        match self.places.get(to).filter(|_| is_within("[role=tab]")) {
            Some((tab, _)) => drop(tab.focus()),
            None => self.lead(),
        }
    }

    /// Whether the tabs are read from right to left: the review is the last.
    fn is_rtl(&self) -> bool {
        let left = |(tab, _): &(HtmlElement, HtmlElement)| tab.get_bounding_client_rect().left();
        self.places.first().map(left) > self.places.last().map(left)
    }

    fn is_answered(&self, id: &str) -> bool {
        answer_to(&self.tried.borrow(), id).is_some()
    }

    fn place_of(&self, id: &str) -> Option<usize> {
        self.page.slots.iter().position(|slot| slot.id == id)
    }
}

/// The answer to a question, where there is one. An optional question that was left blank has none.
fn answer_to<'t>(tried: &'t [Tried], id: &str) -> Option<(&'t Question, &'t Taken)> {
    let (question, taken) = tried.iter().find(|(question, _)| question.id == id)?;
    let taken = taken.as_ref().ok().filter(|taken| !matches!(taken.answer, Answer::Empty))?;
    Some((question, taken))
}

/// Scrolls the list of tabs to one of them, and nothing else.
fn reveal(tab: &HtmlElement) {
    let Some(list) = tab.parent_element().and_then(|list| list.dyn_into::<HtmlElement>().ok()) else { return };
    let (tab, around) = (tab.get_bounding_client_rect(), list.get_bounding_client_rect());
    let beyond = (tab.right() - around.right()).max(0.0) + (tab.left() - around.left()).min(0.0);
    let at = property(&list, "scrollLeft").as_f64().unwrap_or_default();
    set_property(&list, "scrollLeft", at + beyond);
}
