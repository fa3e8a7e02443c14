//! A form as HTML: a host writes it before any script runs, and the person can answer it without one. The view is the one of the page, made of the tree of
//! `dom` in place of the browser's. docs/html.md explains both uses.

mod post;
#[cfg(test)]
mod tests;
mod write;

use crate::{
    checker, dom,
    element::El,
    english::English,
    frame,
    layout::Layout,
    session::Session,
    ui::{Panel, Ui},
};
use ask_user_core::{Action, Asks, Dialect, Host, Step, Walk, json::Fingerprint};
use leptos::prelude::Owner;
use serde_json::{Map, Value};
use std::{rc::Rc, sync::OnceLock};

pub use post::Posted;

/// The looks, as the custom element has them.
const STYLE: &str = include_str!("../../pkg/src/ask-user.css");
/// What only a script makes use of keeps its place, and is not seen.
const WITHOUT_KEYS: &str =
    "[hidden]{display:none!important}kbd,.keys{visibility:hidden}[data-plain] .filter,[data-plain] .keys{display:none}";

/// A form that is written as HTML. Make one for each use: it holds no state of its own.
///
/// ```
/// use ask_user_core::{Dialect, Host};
/// use ask_user_web::html::Html;
///
/// let request = r#"{ "questions": [{ "id": "apply", "text": "Apply it?", "answer_type": "boolean" }] }"#;
/// let host = Host::default();
/// let html = Html::new(request, Dialect::Detect, &host);
/// assert!(html.shadow().contains("Apply it?"));
/// ```
#[derive(Clone, Debug)]
pub struct Html<'a> {
    request: &'a str,
    dialect: Dialect,
    host: &'a Host,
    layout: Layout,
    lang: &'a str,
    words: Value,
    saved: Option<&'a Value>,
    secrets: Map<String, Value>,
    action: Option<&'a str>,
    nonce: Option<&'a str>,
    now: Option<i64>,
}

impl<'a> Html<'a> {
    /// A form for a request, which is JSON text.
    pub fn new(request: &'a str, dialect: Dialect, host: &'a Host) -> Self {
        Self {
            request,
            dialect,
            host,
            layout: Layout::default(),
            lang: "",
            words: Value::Null,
            saved: None,
            secrets: Map::new(),
            action: None,
            nonce: None,
            now: None,
        }
    }

    /// How the questions are laid out.
    #[must_use]
    pub fn layout(self, layout: Layout) -> Self {
        Self { layout, ..self }
    }

    /// The words of the form by key, in the language `lang` (BCP 47), as in `host.words` of the custom element. Words that are wrong are not said.
    #[must_use]
    pub fn words(self, lang: &'a str, words: Value) -> Self {
        Self { lang, words, ..self }
    }

    /// The saved walk to go on with: [`Walk::save`], or what [`Posted::saved`] was. Its secrets stand in `secrets`, by the ids of their questions.
    #[must_use]
    pub fn resume(self, saved: &'a Value, secrets: Map<String, Value>) -> Self {
        Self { saved: Some(saved), secrets, ..self }
    }

    /// The address that the form posts to (`application/x-www-form-urlencoded`), so that it can be answered without a script: [`Html::post`] takes what
    /// comes. Default: the form waits for a script.
    #[must_use]
    pub fn action(self, action: &'a str) -> Self {
        Self { action: Some(action), ..self }
    }

    /// The nonce of the style element, for a content security policy (CSP Level 3, section 2.3.1).
    #[must_use]
    pub fn nonce(self, nonce: &'a str) -> Self {
        Self { nonce: Some(nonce), ..self }
    }

    /// What time it is, in milliseconds since the beginning of 1970 in UTC. Once the time for an answer is over, the form is written as expired, and what is
    /// posted counts for nothing. Default: the form does not look at the time.
    #[must_use]
    pub fn at(self, now: i64) -> Self {
        Self { now: Some(now), ..self }
    }

    /// The form as a declarative shadow root, a `<template>` to be written into `<ask-user>`. The custom element takes it over, with what was typed and the
    /// focus, once its script has run and the page has set the same request.
    pub fn shadow(&self) -> String {
        self.within(|ui| {
            self.expire(ui);
            self.written(ui, "")
        })
    }

    /// Ends the form if its time is over, and gives whether it has expired.
    fn expire(&self, ui: Ui) -> bool {
        let is_late = |walk: &Walk| !walk.is_over() && self.now.is_some_and(|now| walk.form().is_over_by(now));
        let expires = ui.session(|session| session.walk().is_some_and(is_late));
        if expires {
            ui.act(Action::Expire);
        }
        expires
    }

    /// The form in its session, while `act` runs.
    fn within<T>(&self, act: impl FnOnce(Ui) -> T) -> T {
        let owner = Owner::new();
        let done = owner.with(|| {
            dom::forget();
            let ui = self.ui();
            let done = act(ui);
            dom::forget();
            done
        });
        owner.cleanup();
        done
    }

    fn ui(&self) -> Ui {
        let saved = self.saved.map(Value::to_string);
        let secrets = Value::Object(self.secrets.clone()).to_string();
        let mut session = Session::read(self.request, Ok(self.dialect), self.host, saved.as_deref(), Some(&secrets))
            .laid_out(self.layout);
        session.check_schemas(&checker::own());
        let language = English::default();
        // Wrong words were reported where the page set them; English stands in.
        drop(language.set(self.lang, self.words.clone()));
        let ui = Ui::new(session, Rc::new(language), Box::new(|_| {}));
        // Without an assistant the question goes to the person, as in a page.
        while ui.session(|session| {
            matches!(session.walk().map(Walk::step), Some(Step::Asking(asking)) if asking.asks == Asks::Assistant)
        }) {
            ui.conclude(None);
        }
        ui
    }

    /// The view of the form. The tasks that making it has left are done.
    fn view(&self, ui: Ui) -> El {
        // Whether a link was opened, nobody can see without a script: the person says so.
        if self.action.is_some() && is_link(ui) && ui.is_open(Panel::None) {
            ui.open(Panel::Opened, &[]);
        }
        let view = frame::view(ui);
        dom::run_tasks();
        view
    }

    /// The HTML of the form as it is. `pressed`: the button that has led to the question whether an answer is meant.
    fn written(&self, ui: Ui, pressed: &str) -> String {
        let view = self.view(ui);
        let mut html = String::from("<template shadowrootmode=\"open\"><div data-rendered");
        let is_over = ui.session(|session| session.walk().is_none_or(Walk::is_over));
        let action = self.action.filter(|_| !is_over);
        if action.is_some() {
            html.push_str(" data-plain");
        }
        if self.words.get("direction").and_then(Value::as_str) == Some("rtl") {
            html.push_str(" dir=\"rtl\"");
        }
        html.push_str("><style");
        if let Some(nonce) = self.nonce {
            write::attribute(&mut html, "nonce", nonce);
        }
        html.push('>');
        html.push_str(style());
        html.push_str(WITHOUT_KEYS);
        html.push_str("</style>");
        match action {
            None => write::tree(&mut html, &view.node(), false),
            Some(action) => post::write(&mut html, ui, &view.node(), action, pressed),
        }
        html.push_str("</div></template>");
        html
    }
}

/// The style sheet without its comments and the blanks at the ends of its lines.
fn style() -> &'static str {
    static SHORT: OnceLock<String> = OnceLock::new();
    SHORT.get_or_init(|| {
        let mut parts = STYLE.split("/*");
        let first = parts.next().unwrap_or_default();
        let rest = parts.filter_map(|part| Some(part.split_once("*/")?.1));
        let text: String = std::iter::once(first).chain(rest).collect();
        text.lines().map(str::trim).filter(|line| !line.is_empty()).collect::<Vec<_>>().join("\n")
    })
}

/// Whether the open question is whether to open a link.
fn is_link(ui: Ui) -> bool {
    ui.session(|session| match session.walk().map(Walk::step) {
        Some(Step::Asking(asking)) => asking.question.answer_type.name() == "url",
        _ => false,
    })
}

/// What a form was shown at: anything else that has happened since makes another one.
fn print(ui: Ui) -> String {
    let saved = ui.session(|session| session.walk().map(Walk::save)).unwrap_or_default();
    Fingerprint::new().value(&saved).to_string()
}
