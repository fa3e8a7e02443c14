//! What the parts of the view share: the session, and the few things that change on the page without a step.

mod focus;
mod writing;

pub use focus::FIELD;

use crate::{
    dom::{self, Element, HtmlElement, JsCast, queue_microtask},
    guard::Guard,
    language::Language,
    list::Typed,
    rows::Rows,
    session::{Session, of},
};
use ask_user_core::{
    Action, Asking, Asks, Choice, Given, Question, Refusal, Step, Taken, Verdict, Walk, schema::SchemaChecker,
};
use leptos::prelude::*;
use send_wrapper::SendWrapper;
use serde_json::{Map, Value};
use std::{
    cell::{Cell, RefCell},
    rc::{Rc, Weak},
    sync::Arc,
};

/// What may be higher than its place, and scrolls then.
const SCROLLING: &str = "legend, h2, .context, .message";

/// How the delivery to the host goes.
#[derive(Clone, Debug, PartialEq)]
pub enum Delivery {
    /// Nothing is delivered by the form itself.
    None,
    /// Nothing has been sent yet, and the ending can be undone.
    Held,
    Sending,
    Retrying,
    Sent,
    /// With the host's words, if it had any.
    Failed(Option<String>),
    /// The same, and trying again does not help: the person can lead back, and end the form otherwise.
    Refused(Option<String>),
}

/// How the fetching of the checker goes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Loading {
    Running,
    Failed,
}

/// Something that the person asks to be tried again.
#[derive(Clone, Copy)]
pub enum Again {
    Delivery,
    Schemas,
    /// The ending: the person leads back from one that the host has refused.
    Ending,
}

/// What is open beside the question, and has to be closed or confirmed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Panel {
    None,
    /// The message of a reply.
    Reply,
    /// Whether to end the turn.
    EndTurn,
    /// Whether the address was opened.
    Opened,
    /// The list of keys.
    Keys,
    /// Whether an answer that cannot be undone is meant.
    Confirm,
}

/// Answers that are given once the person has confirmed those that cannot be undone.
struct Pending {
    answers: Vec<(String, Given)>,
    /// Of a page: whether a review that comes next is submitted. `None` of a step.
    submits: Option<bool>,
    /// What cannot be undone.
    dangerous: Vec<(Arc<Question>, Taken)>,
}

/// A form on a page, as its parts see it.
#[derive(Clone, Copy)]
pub struct Ui {
    /// Which question of the form this is, from 1, where it stands on a page with others; or 0.
    pub scope: usize,
    /// Whether it stands there alone, under a tab.
    pub is_tabbed: bool,
    /// Counts the steps that were shown: each is rendered anew.
    pub version: RwSignal<usize>,
    pub refusal: RwSignal<Option<Refusal>>,
    panel: RwSignal<Panel>,
    /// Whether what is shown has been painted.
    pub painted: RwSignal<bool>,
    /// Counts the changes of the label.
    pub relabelled: RwSignal<usize>,
    pub delivery: RwSignal<Delivery>,
    pub loading: RwSignal<Loading>,
    /// Whether the host that the page listens to cannot be heard.
    pub offline: RwSignal<bool>,
    /// Why the question before this one was closed (its place in the words, from 1), until the person does something; or 0.
    pub before: RwSignal<usize>,
    /// One value for all that is no signal: each type that is kept apart costs the download a copy of the code around it.
    kept: StoredValue<SendWrapper<Rc<Kept>>>,
}

/// What no part of the view watches.
struct Kept {
    session: RefCell<Session>,
    /// What was typed and not taken yet, by the id of the question (with `.other` and `.note` for what stands beside the
    /// answer); the message of a reply under no id. Never a secret.
    typed: RefCell<Map<String, Value>>,
    base: RefCell<Option<HtmlElement>>,
    /// What in a question had the focus last.
    field: RefCell<Option<HtmlElement>>,
    /// Whether something was typed that the host has not been told of.
    typing: Cell<bool>,
    /// Why the form takes no more, where it was closed from outside.
    closed: Cell<Option<usize>>,
    again: Cell<Option<Again>>,
    /// Whether an ending is held, so that it can be undone.
    holds: Cell<bool>,
    /// What had been typed before the ending that is held.
    typed_before: RefCell<Map<String, Value>>,
    guard: Rc<Guard>,
    at_list: Typed,
    /// The lists of options that were made; one that is off the page is none any more.
    lists: RefCell<Vec<Weak<Rows>>>,
    pending: RefCell<Option<Pending>>,
    notify: Box<dyn Fn(Ui)>,
    language: Language,
}

/// Why the answer to one of several questions was not taken, if it was not.
pub fn refused<'r>(refusal: &'r Refusal, question: &str) -> Option<&'r Refusal> {
    match refusal {
        Refusal::Answers { refused } => refused.iter().find(|one| one.question == question).map(|one| &one.refusal),
        _ => None,
    }
}

impl Ui {
    pub fn new(mut session: Session, language: Language, notify: Box<dyn Fn(Self)>) -> Self {
        let typed = RefCell::new(session.take_typed());
        let (session, base) = (RefCell::new(session), RefCell::new(None));
        Self {
            scope: 0,
            is_tabbed: false,
            version: RwSignal::new(0),
            refusal: RwSignal::new(None),
            panel: RwSignal::new(Panel::None),
            painted: RwSignal::new(false),
            relabelled: RwSignal::new(0),
            delivery: RwSignal::new(Delivery::None),
            loading: RwSignal::new(Loading::Running),
            offline: RwSignal::new(false),
            before: RwSignal::new(0),
            kept: StoredValue::new(SendWrapper::new(Rc::new(Kept {
                session,
                typed,
                base,
                field: RefCell::default(),
                typing: Cell::new(false),
                closed: Cell::new(None),
                again: Cell::new(None),
                holds: Cell::new(false),
                typed_before: RefCell::default(),
                guard: Rc::default(),
                at_list: Typed::default(),
                lists: RefCell::default(),
                pending: RefCell::default(),
                notify,
                language,
            }))),
        }
    }

    /// The same form, as a question of a page sees it: `scope` is its place among those of the form, from 1.
    pub fn scoped(self, scope: usize) -> Self {
        Self { scope, ..self }
    }

    /// The same form, as a question under a tab sees it.
    pub fn tabbed(self) -> Self {
        Self { is_tabbed: true, ..self }
    }

    /// Whether other questions are in sight beside this one.
    pub fn is_beside_others(self) -> bool {
        self.scope != 0 && !self.is_tabbed
    }

    /// Why the answer to the question was refused, if it was; who asks hears of changes.
    pub fn refused(self) -> Option<Refusal> {
        let refusal = self.refusal.get()?;
        let Some(place) = self.scope.checked_sub(1) else { return Some(refusal) };
        self.session(|session| refused(&refusal, &session.walk()?.form().questions().get(place)?.id).cloned())
    }

    /// The id of an element of the question.
    pub fn id(self, name: &str) -> String {
        if self.scope == 0 { name.to_owned() } else { format!("{name}.{}", self.scope) }
    }

    /// The language of the form.
    pub fn language(self) -> Language {
        self.kept().language.clone()
    }

    /// What decides which keys and clicks count.
    pub fn guard(self) -> Rc<Guard> {
        Rc::clone(&self.kept().guard)
    }

    /// Does something with what was typed at the list of options.
    pub fn at_list<T>(self, act: impl FnOnce(&Typed) -> T) -> T {
        act(&self.kept().at_list)
    }

    /// Lets keys act at a list of options.
    pub fn lists(self, rows: &Rc<Rows>) {
        let kept = self.kept();
        let mut lists = kept.lists.borrow_mut();
        lists.retain(|list| list.strong_count() > 0);
        lists.push(Rc::downgrade(rows));
    }

    /// The list of options that an element is in, or else the one of the step. On a page of several questions, each list has keys of its own.
    pub fn list(self, element: &Element) -> Option<Rc<Rows>> {
        let kept = self.kept();
        let lists = kept.lists.borrow();
        let shown = || lists.iter().filter_map(Weak::upgrade).filter(|rows| rows.list.is_connected());
        let is_shown = |rows: &Rc<Rows>| rows.list.closest("[data-away]").is_ok_and(|found| found.is_none());
        let step = || self.found("[data-page]:not([data-tabs])").is_none().then(shown)?.find(is_shown);
        shown().find(|rows| rows.list.contains(Some(element))).or_else(step)
    }

    /// What is open beside the question.
    pub fn panel(self) -> Panel {
        self.panel.get()
    }

    /// Whether a panel is open; no part of the view watches for that.
    pub fn is_open(self, panel: Panel) -> bool {
        self.panel.try_get_untracked() == Some(panel)
    }

    /// Opens a panel in place of the one that is open, and moves the focus to the first of the selectors that fits anything.
    pub fn open(self, panel: Panel, selectors: &'static [&'static str]) {
        self.panel.set(panel);
        self.changed();
        self.focus(selectors);
    }

    /// Says who asks, from now on.
    pub fn relabel(self, label: Option<String>) {
        if self.kept().session.borrow_mut().relabel(label) {
            self.relabelled.update(|count| *count += 1);
        }
    }

    /// Looks at the session. Nothing may be done to it meanwhile.
    pub fn session<T>(self, look: impl FnOnce(&Session) -> T) -> T {
        look(&self.kept().session.borrow())
    }

    /// Does what the person did: the next step is shown, and its question gets the focus; or the refusal is shown, and
    /// the field gets the focus. An answer that cannot be undone is confirmed first.
    pub fn act(self, action: Action) {
        let open = match &action {
            Action::Answer(_) => self.session(|session| match session.walk()?.step() {
                Step::Asking(asking) => Some(asking.question.id.clone()),
                _ => None,
            }),
            _ => None,
        };
        match (action, open) {
            (Action::Answer(given), Some(id)) => self.answer(vec![(id, given)], None),
            (action, _) => self.act_now(action, Vec::new()),
        }
    }

    /// Answers several questions at once, likewise. If any answer is refused, all are, and the first of those gets the focus. With `submits`, a
    /// review that comes next is submitted, too.
    pub fn act_all(self, answers: Vec<(String, Given)>, submits: bool) {
        self.answer(answers, Some(submits));
    }

    /// Gives answers, or asks first whether those that cannot be undone are meant.
    fn answer(self, answers: Vec<(String, Given)>, submits: Option<bool>) {
        if self.closed().is_some() {
            return;
        }
        let dangerous =
            self.session(|session| session.walk().map(|walk| walk.to_confirm(&answers)).unwrap_or_default());
        if dangerous.is_empty() {
            return self.answer_now(answers, submits);
        }
        self.refusal.set(None);
        self.kept().pending.replace(Some(Pending { answers, submits, dangerous }));
        // Enter takes back what it has led to.
        self.open(Panel::Confirm, &["[data-confirming] [data-cancel]"]);
    }

    fn act_now(self, action: Action, answered: Vec<String>) {
        if self.closed().is_none() {
            let kept = self.kept();
            let acted = kept.session.borrow_mut().act(action, kept.holds.get());
            self.acted(acted, answered);
        }
    }

    fn answer_now(self, mut answers: Vec<(String, Given)>, submits: Option<bool>) {
        let open = answers.iter().map(|(id, _)| id.clone()).collect();
        let Some(submits) = submits else {
            let Some((_, given)) = answers.pop() else { return };
            return self.act_now(Action::Answer(given), open);
        };
        let kept = self.kept();
        let acted = kept.session.borrow_mut().act_all(answers, submits, kept.holds.get());
        let is_refused = acted.is_err();
        self.acted(acted, open);
        if is_refused {
            queue_microtask(move || self.lead_to_refused());
        }
    }

    /// What the person is asked to confirm.
    pub fn to_confirm(self) -> Vec<(Arc<Question>, Taken)> {
        self.kept().pending.borrow().as_ref().map(|pending| pending.dangerous.clone()).unwrap_or_default()
    }

    /// Gives what the person has confirmed.
    pub fn confirm(self) {
        let pending = self.kept().pending.take();
        if let Some(Pending { answers, submits, .. }) = pending.filter(|_| self.closed().is_none()) {
            self.answer_now(answers, submits);
        }
    }

    /// Asks no more whether an answer is meant that the person has changed since.
    pub fn reconsider(self) {
        if self.is_open(Panel::Confirm) {
            self.kept().pending.take();
            self.open(Panel::None, &[]);
        }
    }

    /// Shows why an answer would be refused, before it is given.
    pub fn refuse(self, refusal: Refusal) {
        self.refusal.set(Some(refusal));
        queue_microtask(move || self.lead_to_refused());
    }

    /// Moves the focus to the first question whose answer was refused.
    fn lead_to_refused(self) {
        if let Some(question) = self.found("[data-refused=true]") {
            focus::focus_in(&question);
        }
    }

    fn acted(self, acted: Result<(), Refusal>, answered: Vec<String>) {
        let kept = self.kept();
        match acted {
            Ok(()) => {
                if self.session(Session::is_held) {
                    *kept.typed_before.borrow_mut() = kept.typed.borrow().clone();
                    self.delivery.set(Delivery::Held);
                }
                if !answered.is_empty() {
                    // With what was typed beside the answer.
                    kept.typed.borrow_mut().retain(|key, _| !answered.iter().any(|id| id == of(key)));
                }
                self.before.set(0);
                self.show_step();
                self.focus_step();
            }
            Err(refusal) => {
                self.refusal.set(Some(refusal));
                self.focus_question();
            }
        }
    }

    /// Brings what an assistant said. The focus moves only where it was in the form.
    pub fn conclude(self, verdict: Option<Verdict>) {
        let within = self.base().is_some_and(|base| base.matches(":focus-within").unwrap_or_default());
        if self.closed().is_some() {
            return;
        }
        let action = verdict.map_or(Action::NoAssistant, Action::Assistant);
        // A refusal means that the person went another way meanwhile: nobody waits for the verdict.
        if self.kept().session.borrow_mut().act(action, false).is_ok() {
            self.show_sudden();
            if within {
                self.focus_question();
            }
        }
    }

    /// Holds the endings from now on, so that they can be undone; or no more.
    pub fn hold(self, holds: bool) {
        self.kept().holds.set(holds);
    }

    /// Takes back the ending that is held.
    pub fn undo(self) {
        let kept = self.kept();
        if kept.session.borrow_mut().undo() {
            *kept.typed.borrow_mut() = kept.typed_before.take();
            self.delivery.set(Delivery::None);
            self.show_step();
            self.focus_step();
        }
    }

    /// Leads back from an ending that the host has refused.
    #[cold]
    pub fn reopen(self) {
        if self.kept().session.borrow_mut().reopen() {
            self.kept().again.set(Some(Again::Ending));
            self.delivery.set(Delivery::None);
            self.show_step();
            self.focus_step();
        }
    }

    /// Lets the host be told of the ending that is held.
    pub fn release(self) {
        if self.session(Session::is_held) {
            // Undo goes, and the focus with it.
            if self.found("[data-undo]:focus").is_some() {
                self.focus(&[".delivering"]);
            }
            self.kept().session.borrow_mut().release();
            self.guard().asks(false);
            self.delivery.set(Delivery::None);
            self.tell();
        }
    }

    /// The first element of the form that fits a selector.
    pub fn found(self, selector: &str) -> Option<HtmlElement> {
        self.base()?.query_selector(selector).ok().flatten()?.dyn_into().ok()
    }

    /// What the next form of the turn begins with.
    pub fn drafts(self) -> Option<Map<String, Value>> {
        let kept = self.kept();
        let typed = kept.typed.borrow();
        self.session(|session| session.drafts(&typed))
    }

    /// Lets a question that scrolls be reached by Tab, and one that does not be passed over.
    pub fn reach_scrolling(self) {
        let Some(all) = self.base().and_then(|base| base.query_selector_all(SCROLLING).ok()) else { return };
        for place in 0..all.length() {
            let Some(node) = all.get(place).and_then(|node| node.dyn_into::<HtmlElement>().ok()) else { continue };
            node.set_tab_index(if node.scroll_height() > node.client_height() { 0 } else { -1 });
        }
    }

    /// Sends the field by its button; says whether there is one. Beside an open panel, no key approves a call.
    pub fn send(self) -> bool {
        self.found(".actions [type=submit], .step:not(:has([data-cancel])) [data-by-key]")
            .inspect(HtmlElement::click)
            .is_some()
    }

    /// Whether after any of these answers to the open question comes a step from which Back leads here again.
    pub fn leads_back(self, asking: &Asking, choices: &[Choice]) -> bool {
        let place = asking.progress.map(|progress| progress.at.saturating_sub(1));
        let after = |walk: &Walk, choice: &Choice| {
            let mut walk = walk.clone();
            walk.act(Action::answer(choice.value.clone())).is_ok()
                && match walk.step() {
                    Step::Asking(asking) => asking.back,
                    Step::Review(shown) => shown.back,
                    Step::Waiting { back } => back,
                    Step::Checking | Step::Done { .. } => false,
                }
        };
        let leads_back = |walk: &Walk| {
            let mut conditions = walk.form().questions().iter().filter_map(|question| question.when.as_ref());
            // Where no condition looks at the answer, all answers lead to the same step.
            let looks = |place| conditions.any(|when| when.looks_at(place));
            let tried = if place.is_some_and(looks) { choices.len() } else { 1 };
            choices.iter().take(tried).all(|choice| after(walk, choice))
        };
        self.session(|session| session.walk().is_some_and(leads_back))
    }

    /// Shows a dialog once it is on the page.
    pub fn open_dialog(self, dialog: HtmlElement) {
        queue_microtask(move || dom::show_modal(&dialog));
    }

    /// What was typed for a question and not taken yet.
    pub fn typed(self, id: &str) -> Option<String> {
        Some(self.kept().typed.borrow().get(id)?.as_str()?.to_owned())
    }

    /// All that was typed and chosen and not taken yet, by the keys under which it is kept.
    pub fn all_typed(self) -> Map<String, Value> {
        self.kept().typed.borrow().clone()
    }

    /// Keeps what was typed, until an answer to the question is taken.
    pub fn keep_typed(self, id: &str, text: String) {
        let kept = self.kept();
        kept.typed.borrow_mut().insert(id.to_owned(), text.into());
        kept.typing.set(true);
        self.tell();
    }

    /// The saved walk, with what was typed and not taken yet under `typed`.
    pub fn save(self) -> Option<Value> {
        let mut saved = self.session(|session| session.known().map(Walk::save))?;
        let typed = if self.session(Session::is_held) { &self.kept().typed_before } else { &self.kept().typed };
        let typed = typed.borrow().clone();
        if let (Value::Object(fields), false) = (&mut saved, typed.is_empty()) {
            fields.insert("typed".into(), Value::Object(typed));
        }
        Some(saved)
    }

    /// Closes the form: it shows why, and takes no more.
    pub fn close(self, why: usize) {
        // Nobody is told of an ending that came too late.
        self.kept().session.borrow_mut().undo();
        self.kept().closed.set(Some(why));
        self.delivery.set(Delivery::None);
        self.show_step();
    }

    /// Why the form was closed, if it was.
    pub fn closed(self) -> Option<usize> {
        self.kept().closed.get()
    }

    pub fn check_schemas(self, checker: &dyn SchemaChecker) {
        if self.session(Session::is_being_written) {
            return self.check_growing(checker);
        }
        let was_shown = self.session(|session| session.walk().is_some_and(shows_no_schema));
        let was_held = self.session(Session::is_held);
        self.kept().session.borrow_mut().check_schemas(checker);
        self.session(|session| session.drop_decisions(&mut self.kept().typed.borrow_mut()));
        if was_held && !self.session(Session::is_held) {
            self.delivery.set(Delivery::None);
        }
        let is_shown = self.session(|session| session.walk().is_some_and(shows_no_schema));
        // A question that is open already keeps what was typed.
        if was_shown && is_shown { self.tell() } else { self.show_sudden() }
    }

    /// Whether anything has happened since the last call.
    pub fn take_moved(self) -> bool {
        self.kept().session.borrow_mut().take_moved()
    }

    pub fn try_again(self, what: Again) {
        self.kept().again.set(Some(what));
        self.tell();
    }

    pub fn changes(self) -> Value {
        let kept = self.kept();
        let mut changes = kept.session.borrow_mut().changes();
        if (changes.contains_key("rejected") || changes.contains_key("ended"))
            && let Some(drafts) = self.drafts()
        {
            changes.insert("drafts".into(), Value::Object(drafts));
        }
        if kept.typing.take() {
            changes.insert("typed".into(), true.into());
        }
        if let Some(again) = kept.again.take() {
            let word = match again {
                Again::Delivery => "delivery",
                Again::Schemas => "schemas",
                Again::Ending => "ending",
            };
            changes.insert("again".into(), word.into());
        }
        Value::Object(changes)
    }

    /// The element that holds the whole form; none once it is off the page.
    pub fn base(self) -> Option<HtmlElement> {
        self.kept.try_get_value()?.base.borrow().clone()
    }

    /// Sets the element that holds the whole form.
    pub fn show_in(self, base: HtmlElement) {
        *self.kept().base.borrow_mut() = Some(base);
    }

    /// Shows a step that the person has not gone to.
    fn show_sudden(self) {
        self.show_step();
        self.guard().settle();
    }

    fn show_step(self) {
        self.refusal.set(None);
        self.kept().pending.take();
        self.panel.set(Panel::None);
        self.at_list(Typed::forget);
        self.version.update(|version| *version += 1);
        self.changed();
        self.tell();
    }

    /// Something else is shown: keys and clicks that began before do not count.
    pub fn changed(self) {
        self.painted.set(false);
        self.guard().show(move || {
            // Nobody listens once the form is off the page.
            if self.painted.try_set(true).is_none() {
                self.reach_scrolling();
            }
        });
    }

    /// Tells the host that something is new.
    pub fn tell(self) {
        (self.kept().notify)(self);
    }

    /// Invariant: no part of the view outlives the form, and so what it keeps.
    fn kept(self) -> Rc<Kept> {
        self.kept.get_value().take()
    }
}

fn shows_no_schema(walk: &Walk) -> bool {
    match walk.step() {
        Step::Asking(asking) => asking.asks == Asks::Assistant || asking.question.answer_type.name() != "schema",
        Step::Review(_) => true,
        Step::Checking | Step::Waiting { .. } | Step::Done { .. } => false,
    }
}
