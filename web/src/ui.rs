//! What the parts of the view share: the session, and the few things that change on the page without a step.

use crate::{checker::Remote, session::Session};
use ask_user_core::{Action, Refusal};
use reactive_graph::{owner::StoredValue, prelude::*, signal::RwSignal};
use send_wrapper::SendWrapper;
use serde_json::{Map, Value};
use tachys::renderer::dom::queue_microtask;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::HtmlElement;

/// How the delivery to the host goes.
#[derive(Clone, Debug, PartialEq)]
pub enum Delivery {
    /// Nothing is delivered by the form itself.
    None,
    Sending,
    Retrying,
    Sent,
    /// With the host's words, if it had any.
    Failed(Option<String>),
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
}

/// A form on a page, as its parts see it.
#[derive(Clone, Copy)]
pub struct Ui {
    pub session: StoredValue<Session>,
    /// Counts the steps that were shown: each is rendered anew.
    pub version: RwSignal<usize>,
    pub refusal: RwSignal<Option<Refusal>>,
    pub replying: RwSignal<bool>,
    pub delivery: RwSignal<Delivery>,
    pub loading: RwSignal<Loading>,
    /// What was typed and not taken yet, by the id of the question; the message of a reply under no id. Never a secret.
    typed: StoredValue<Map<String, Value>>,
    base: StoredValue<Option<SendWrapper<HtmlElement>>>,
    again: StoredValue<Option<Again>>,
    notify: StoredValue<SendWrapper<js_sys::Function>>,
}

impl Ui {
    pub fn new(session: Session, notify: SendWrapper<js_sys::Function>) -> Self {
        Self {
            session: StoredValue::new(session),
            version: RwSignal::new(0),
            refusal: RwSignal::new(None),
            replying: RwSignal::new(false),
            delivery: RwSignal::new(Delivery::None),
            loading: RwSignal::new(Loading::Running),
            typed: StoredValue::new(Map::new()),
            base: StoredValue::new(None),
            again: StoredValue::new(None),
            notify: StoredValue::new(notify),
        }
    }

    /// Does what the person did: the next step is shown, and its question gets the focus; or the refusal is shown, and
    /// the field gets the focus.
    pub fn act(self, action: Action) {
        let answers = matches!(action, Action::Answer { .. } | Action::Typed(_));
        let open = self.session.with_value(|session| match session.walk()?.step() {
            ask_user_core::Step::Asking(asking) if answers => Some(asking.question.id.clone()),
            _ => None,
        });
        match self.session.try_update_value(|session| session.act(action)) {
            Some(Ok(())) => {
                if let Some(id) = open {
                    self.typed.update_value(|typed| drop(typed.shift_remove(&id)));
                }
                self.show_step();
                self.focus_question();
            }
            Some(Err(refusal)) => {
                self.refusal.set(Some(refusal));
                self.focus_question();
            }
            None => {}
        }
    }

    /// What was typed for a question and not taken yet.
    pub fn typed(self, id: &str) -> Option<String> {
        self.typed.with_value(|typed| Some(typed.get(id)?.as_str()?.to_owned()))
    }

    /// Keeps what was typed, until an answer to the question is taken.
    pub fn keep_typed(self, id: &str, text: String) {
        self.typed.update_value(|typed| drop(typed.insert(id.to_owned(), text.into())));
    }

    pub fn check_schemas(self, compile: js_sys::Function) {
        let was_shown = self.session.with_value(|session| session.walk().is_some_and(shows_no_schema));
        self.session.update_value(|session| session.check_schemas(&Remote::new(compile)));
        let is_shown = self.session.with_value(|session| session.walk().is_some_and(shows_no_schema));
        // A question that is open already keeps what was typed.
        if was_shown && is_shown { self.tell() } else { self.show_step() }
    }

    pub fn try_again(self, what: Again) {
        self.again.set_value(Some(what));
        self.tell();
    }

    pub fn changes(self) -> Value {
        let mut changes = self.session.try_update_value(Session::changes).unwrap_or_else(Map::new);
        let again = self.again.try_update_value(Option::take).flatten();
        if let Some(again) = again {
            let word = match again {
                Again::Delivery => "delivery",
                Again::Schemas => "schemas",
            };
            changes.insert("again".into(), word.into());
        }
        Value::Object(changes)
    }

    /// Moves the focus to the field, or else the question, once the step is rendered.
    pub fn focus_question(self) {
        self.focus("[data-field], [data-question-text]");
    }

    /// Moves the focus to the first element of the form that fits, once the step is rendered. A field comes before a
    /// heading.
    pub fn focus(self, selector: &'static str) {
        queue_microtask(move || {
            let Some(base) = self.base() else { return };
            let found = selector.split(", ").find_map(|selector| base.query_selector(selector).ok().flatten());
            if let Some(element) = found.and_then(|element| element.dyn_into::<HtmlElement>().ok()) {
                // An element that cannot take the focus leaves it where it is.
                drop(element.focus());
            }
        });
    }

    /// The element that holds the whole form; none once it is off the page.
    pub fn base(self) -> Option<HtmlElement> {
        self.base.try_get_value().flatten().map(SendWrapper::take)
    }

    /// Sets the element that holds the whole form.
    pub fn show_in(self, base: HtmlElement) {
        self.base.set_value(Some(SendWrapper::new(base)));
    }

    fn show_step(self) {
        self.refusal.set(None);
        self.replying.set(false);
        self.version.update(|version| *version += 1);
        self.tell();
    }

    fn tell(self) {
        // What the host's code throws is the host's: it must not stop the form.
        drop(self.notify.with_value(|notify| notify.call0(&JsValue::UNDEFINED)));
    }
}

fn shows_no_schema(walk: &ask_user_core::Walk) -> bool {
    match walk.step() {
        ask_user_core::Step::Asking(asking) => asking.question.answer_type.name() != "schema",
        ask_user_core::Step::Review(_) => true,
        ask_user_core::Step::Checking | ask_user_core::Step::Done(_) => false,
    }
}
