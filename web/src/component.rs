//! The form as a component of Leptos. It brings its styles in a shadow root, so that nothing of the page's style reaches it, and gives the application
//! values of the core. This file must not know how a question looks.

use crate::{
    checker,
    element::{El, el},
    english::English,
    frame,
    layout::Layout,
    notice,
    session::Session,
    ui::Ui,
};
use ask_user_core::{Asks, Dialect, Host, Misuse, Outcome, Rejection, Step, Walk, json};
use leptos::{logging, prelude::*, tachys::renderer::dom::queue_microtask};
use serde_json::Value;
use std::{cell::RefCell, rc::Rc};
use web_sys::{CssStyleSheet, ShadowRoot, ShadowRootInit, ShadowRootMode};

/// The looks, as the custom element has them.
const STYLE: &str = include_str!("../../pkg/src/ask-user.css");

/// A form for an agent's request, in the `view!` of any Leptos application.
///
/// ```ignore
/// let result = RwSignal::new(None);
/// view! {
///     <AskUser
///         request=json!({ "questions": [{ "id": "apply", "text": "Apply it?", "answer_type": "boolean" }] })
///         host=json!({ "label": "Deploy agent" })
///         on_result=move |outcome: Outcome| result.set(outcome.result)
///     />
/// }
/// ```
///
/// It ends with its owner: taken off the page, it calls nothing any more. No assistant is asked: what the host routes to one, goes on to the person.
#[component]
pub fn AskUser(
    /// The agent's request: JSON text or a [`Value`], or a signal of either. Another request starts another form; the same one again changes nothing.
    #[prop(into)]
    request: Request,
    /// The dialect that the request is in. Default: it is detected.
    #[prop(optional)]
    dialect: Dialect,
    /// The options of the host, as [`Host`] or as JSON.
    #[prop(into, optional)]
    host: Options,
    /// Whether the questions are asked one by one or on one page.
    #[prop(optional)]
    layout: Layout,
    /// What the form says instead of its English words, by key: JSON, or a signal of it. The keys, and what stands in their texts, are listed in
    /// `docs/words.md`.
    #[prop(into, optional)]
    words: Words,
    /// The language of the words (BCP 47), for numbers, dates, lists and plural forms. Default: English.
    #[prop(into, optional)]
    lang: Signal<String>,
    /// Called once, when the person has come to an end: the result for the agent and the secrets are in the outcome.
    #[prop(into, optional)]
    on_result: Option<Callback<Outcome>>,
    /// Called with each step that is shown, the first included.
    #[prop(into, optional)]
    on_step: Option<Callback<Step>>,
    /// Called where the request cannot be shown: the rejection says to the agent what to mend.
    #[prop(into, optional)]
    on_rejected: Option<Callback<Rejection>>,
) -> impl IntoView {
    let hearers = Rc::new(Hearers { on_result, on_step, on_rejected });
    let place = el("div").attr("data-ask-user", "");
    let root = with_styles(&place);
    let text = Memo::new(move |_| request.0.get());
    let mut shown: Option<El> = None;
    // The signals of a form belong to the effect, and go when another request comes.
    let form = RenderEffect::new(move |_: Option<()>| {
        let request = text.get();
        let form = untrack(|| match &host.0 {
            Ok(host) => form(&request, dialect, host, layout, &words, lang, &hearers),
            Err(misuse) => {
                let misuse = misuse.to_string();
                logging::error!("{misuse}");
                notice::alert().text(&misuse)
            }
        });
        let form = el("div").child(form);
        if let Some(root) = &root {
            drop(root.append_child(&form.node()));
        }
        if let Some(old) = shown.replace(form) {
            old.node().remove();
        }
    });
    place.holding(form)
}

/// What [`AskUser`] says instead of its English words, by key. Words that are wrong are reported, and change nothing.
#[derive(Default)]
pub struct Words(Signal<Value>);

impl<T: Into<Signal<Value>>> From<T> for Words {
    fn from(words: T) -> Self {
        Self(words.into())
    }
}

/// The request of [`AskUser`]: a text of JSON or a value, or a signal of either.
pub struct Request(Signal<String>);

/// The options of [`AskUser`]: [`Host`], or the same as JSON. Where they are wrong, the form says so in place of a question.
pub struct Options(Result<Host, Misuse>);

impl Default for Options {
    fn default() -> Self {
        Self(Ok(Host::default()))
    }
}

impl From<Host> for Options {
    fn from(host: Host) -> Self {
        Self(Ok(host))
    }
}

impl From<Value> for Options {
    fn from(options: Value) -> Self {
        Self(Host::from_json(&options))
    }
}

impl From<&str> for Options {
    fn from(options: &str) -> Self {
        json::parse(options).unwrap_or_default().into()
    }
}

impl From<&str> for Request {
    fn from(request: &str) -> Self {
        request.to_owned().into()
    }
}

impl From<String> for Request {
    fn from(request: String) -> Self {
        Self(Signal::stored(request))
    }
}

impl From<Value> for Request {
    fn from(request: Value) -> Self {
        json::text(&request).into()
    }
}

macro_rules! from_signals {
    ($($signal:ident),*) => { $(
        impl From<$signal<String>> for Request {
            fn from(request: $signal<String>) -> Self {
                Self(request.into())
            }
        }

        impl From<$signal<Value>> for Request {
            fn from(request: $signal<Value>) -> Self {
                Self(Signal::derive(move || request.with(json::text)))
            }
        }
    )* };
}

from_signals!(Signal, RwSignal, ReadSignal, Memo);

/// Whom the form tells what happens.
struct Hearers {
    on_result: Option<Callback<Outcome>>,
    on_step: Option<Callback<Step>>,
    on_rejected: Option<Callback<Rejection>>,
}

/// What they have been told.
#[derive(Default)]
struct Told {
    step: Option<Step>,
    ended: bool,
}

fn form(
    request: &str,
    dialect: Dialect,
    host: &Host,
    layout: Layout,
    words: &Words,
    lang: Signal<String>,
    hearers: &Rc<Hearers>,
) -> El {
    let language = Rc::new(English::default());
    let (spoken, words) = (Rc::clone(&language), words.0);
    // It follows the signals.
    let speaks = RenderEffect::new(move |_: Option<()>| {
        if let Err(misuse) = spoken.set(&lang.get(), words.get()) {
            logging::error!("{misuse}");
        }
    });
    let mut session = Session::read(request, Ok(dialect), host, None, None).laid_out(layout);
    session.check_schemas(&checker::own());
    let (hearers, told) = (Rc::clone(hearers), RefCell::new(Told::default()));
    let ui = Ui::new(session, language, Box::new(move |ui| tell(ui, &hearers, &told)));
    let view = frame::view(ui).holding(speaks);
    // Not while the application's own view is being made.
    queue_microtask(move || {
        if ui.base().is_some() {
            ui.tell();
        }
    });
    view
}

/// Tells what is new. The session is not held meanwhile: what is called may do anything.
fn tell(ui: Ui, hearers: &Hearers, told: &RefCell<Told>) {
    if !ui.take_moved() {
        return;
    }
    let (step, outcome, rejection) = ui.session(|session| {
        let walk = session.walk();
        (walk.map(Walk::step), walk.and_then(Walk::outcome), session.rejection().cloned())
    });
    if let Some(Step::Asking(asking)) = &step
        && asking.asks == Asks::Assistant
    {
        return ui.conclude(None);
    }
    let (is_new, ends) = {
        let mut told = told.borrow_mut();
        let is_new = step.is_some() && told.step != step;
        let ends = (outcome.is_some() || rejection.is_some()) && !std::mem::replace(&mut told.ended, true);
        told.step.clone_from(&step);
        (is_new, ends)
    };
    if let (true, Some(call), Some(step)) = (is_new, hearers.on_step, step) {
        call.run(step);
    }
    if let (true, Some(call), Some(outcome)) = (ends, hearers.on_result, outcome) {
        call.run(outcome);
    }
    if let (true, Some(call), Some(rejection)) = (ends, hearers.on_rejected, rejection) {
        call.run(rejection);
    }
}

/// A shadow root that has the styles. A sheet that is adopted is no inline style, so a content security policy does not forbid it.
fn with_styles(place: &El) -> Option<ShadowRoot> {
    thread_local! {
        static SHEETS: js_sys::Array = sheets();
    }
    let root = place.node().attach_shadow(&ShadowRootInit::new(ShadowRootMode::Open)).ok()?;
    // A shadow root takes a list of sheets.
    drop(SHEETS.with(|sheets| js_sys::Reflect::set(&root, &"adoptedStyleSheets".into(), sheets)));
    Some(root)
}

/// One sheet for all forms of a page.
fn sheets() -> js_sys::Array {
    let sheets = js_sys::Array::new();
    if let Ok(sheet) = CssStyleSheet::new() {
        // It imports nothing, so it can be replaced at once.
        drop(sheet.replace_sync(STYLE));
        sheets.push(&sheet);
    }
    sheets
}
