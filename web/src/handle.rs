//! The form for the custom element: [`mount`] shows a request in an element, and the handle is pulled.

use crate::{
    checker::Remote,
    element::El,
    frame,
    language::Script,
    session::Session,
    ui::{Delivery, Loading, Ui},
    words,
};
use ask_user_core::{
    Content, Dialect, Refusal, Step, Verdict, Walk,
    json::{self, ToJson, parse},
};
use leptos::{
    mount::{UnmountHandle, mount_to_renderer},
    prelude::Set,
};
use serde_json::Value;
use std::{cell::OnceCell, rc::Rc};
use wasm_bindgen::{JsValue, prelude::wasm_bindgen};
use web_sys::HtmlElement;

/// A form on a page. Dropping it (`free` in JavaScript) takes it off the page and ends everything it does.
#[wasm_bindgen]
pub struct Handle {
    ui: Ui,
    /// Dropped, it takes the form off the page.
    _shown: UnmountHandle<El>,
}

/// Shows a request, given as JSON text, in an element; without one, a request that is still being written ([`Handle::write`]). `secrets` are those of a saved walk that this page has kept. `script` is called without arguments
/// whenever [`Handle::changes`] has something new, and with a node, a place in it and a value to say the words of the form. `past`: the saved walk is
/// only shown.
///
/// # Errors
/// The message of a misuse, where the host's options are wrong.
#[wasm_bindgen]
pub fn mount(
    parent: HtmlElement,
    request: Option<String>,
    dialect: Option<String>,
    options: &str,
    saved: Option<String>,
    secrets: Option<String>,
    script: js_sys::Function,
    past: bool,
) -> Result<Handle, String> {
    let dialect = dialect.as_deref();
    let session = match request {
        Some(request) => Session::new(&request, dialect, options, saved.as_deref(), secrets.as_deref(), past),
        None => Session::writing(dialect, options),
    };
    let session = session.map_err(|error| error.to_string())?;
    let made = Rc::new(OnceCell::new());
    let making = Rc::clone(&made);
    let shown = mount_to_renderer(&parent, move || {
        // What the host's code throws is the host's: it must not stop the form.
        let language = Rc::new(Script(script.clone()));
        let notify = move |_| drop(script.call0(&JsValue::UNDEFINED));
        let ui = *making.get_or_init(|| Ui::new(session, language, Box::new(notify)));
        if past { frame::past(ui) } else { frame::view(ui) }
    });
    let ui = *made.get().expect("the view is made at once");
    Ok(Handle { ui, _shown: shown })
}

/// Declares a dialect, given as JSON text, for all forms of the page, and gives its name.
///
/// # Errors
/// Why it is no declaration.
#[wasm_bindgen(js_name = registerDialect)]
pub fn register_dialect(declaration: &str) -> Result<String, String> {
    Dialect::from_json_text(declaration).map(|own| own.name().to_owned()).map_err(|error| error.to_string())
}

#[wasm_bindgen]
impl Handle {
    /// What the next form of the turn begins with, as JSON text; nothing where there was no walk.
    pub fn drafts(&self) -> Option<String> {
        self.ui.drafts().map(|drafts| json::text(&Value::Object(drafts)))
    }

    /// Takes in what comes next of a request that is still being written; nothing, once nothing more comes. Says whether more is of use: not once the
    /// request is longer than the host allows.
    pub fn write(&self, text: Option<String>) -> bool {
        self.ui.write(text.as_deref())
    }

    /// A request that is still being written will never be whole, and why: it is rejected.
    pub fn fail(&self, reason: String) {
        self.ui.fail(reason);
    }

    /// What is new since the last call, as JSON text: `rejected`, `ready`, `records`, `step`, `typed`, `ended` (the `outcome`, its idempotency `key`, the `result` as text and the
    /// `response`), `drafts` (what the next form of the turn begins with, of one that was rejected or has ended), `again`; of a walk that is only shown, `rejected` or `unresumable`, where it cannot be.
    pub fn changes(&self) -> String {
        json::text(&self.ui.changes())
    }

    /// Whether schemas wait for a checker: fetch it and call [`Handle::check_schemas`].
    #[wasm_bindgen(js_name = needsSchemas)]
    pub fn needs_schemas(&self) -> bool {
        self.ui.session(Session::needs_schemas)
    }

    /// Checks the schemas with the function `compileSchema` of the validator's module.
    #[wasm_bindgen(js_name = checkSchemas)]
    pub fn check_schemas(&self, compile: js_sys::Function) {
        self.ui.check_schemas(&Remote::new(compile));
    }

    /// Tells the person that the checker could not be fetched.
    #[wasm_bindgen(js_name = schemasFailed)]
    pub fn schemas_failed(&self) {
        self.ui.loading.set(Loading::Failed);
    }

    /// Whether what is typed for a question (the open one, or the one with this id) would be taken: nothing if so, else the refusal as JSON text.
    pub fn check(&self, text: String, id: Option<String>) -> Option<String> {
        let refusal = self.ui.session(|session| {
            let walk = session.walk()?;
            match id {
                Some(id) => {
                    let refusal = walk.check_for(walk.form().question(&id)?, Content::Typed(text)).err()?;
                    Some(said(&refusal, &id))
                }
                None => match (walk.check(Content::Typed(text)).err()?, walk.step()) {
                    (refusal, Step::Asking(asking)) => Some(said(&refusal, &asking.question.id)),
                    (refusal, _) => Some(said(&refusal, "")),
                },
            }
        })?;
        Some(json::text(&refusal))
    }

    /// The schema of a question, as JSON text; nothing where it has none.
    #[wasm_bindgen(js_name = schemaOf)]
    pub fn schema_of(&self, id: &str) -> Option<String> {
        let schema =
            |session: &Session| Some(json::text(session.walk()?.form().question(id)?.answer_type.schema()?.source()));
        self.ui.session(schema)
    }

    /// Brings the verdict of the assistant on a record, as JSON text. Anything else counts as no verdict.
    pub fn assistant(&self, verdict: &str, record: String) {
        self.ui.conclude(parse(verdict).ok().as_ref().and_then(|verdict| Verdict::read(verdict, record)));
    }

    /// Says who asks, from now on.
    #[wasm_bindgen(js_name = setLabel)]
    pub fn set_label(&self, label: Option<String>) {
        self.ui.relabel(label);
    }

    /// The audit trail so far, as JSON text.
    pub fn records(&self) -> String {
        let records = |walk: &Walk| walk.records().map(|record| record.to_json()).collect();
        json::text(&self.ui.session(|session| session.known().map_or_else(|| Value::Array(Vec::new()), records)))
    }

    /// The saved walk, as JSON text; nothing where there is no walk.
    pub fn save(&self) -> Option<String> {
        self.ui.save().map(|saved| json::text(&saved))
    }

    /// What a host that reads the walk again is sent, as JSON text; nothing where there is no walk.
    pub fn response(&self) -> Option<String> {
        self.ui.session(|session| session.known().map(|walk| json::text(&walk.response())))
    }

    /// Holds the endings from now on, so that the person can undo them until [`Handle::release`]; or no more.
    pub fn hold(&self, holds: bool) {
        self.ui.hold(holds);
    }

    /// Whether an ending is held: [`Handle::changes`] has nothing of it yet.
    #[wasm_bindgen(js_name = isHeld)]
    pub fn is_held(&self) -> bool {
        self.ui.session(Session::is_held)
    }

    /// Lets the ending that is held be told.
    pub fn release(&self) {
        self.ui.release();
    }

    /// Closes the form, which was closed elsewhere: a word of [`ask_user_core::Closing`], or any other.
    pub fn close(&self, how: &str) {
        self.ui.close(why(how));
    }

    /// Says why the question before this one was closed, until the person does something.
    #[wasm_bindgen(js_name = showBefore)]
    pub fn show_before(&self, how: &str) {
        self.ui.before.set(why(how).saturating_add(1));
    }

    /// Shows whether the host can be heard.
    #[wasm_bindgen(js_name = showConnection)]
    pub fn show_connection(&self, open: bool) {
        self.ui.offline.set(!open);
    }

    /// The turn after this walk, as JSON text; nothing where there is no walk.
    pub fn turn(&self) -> Option<String> {
        self.ui.session(|session| session.known().map(|walk| json::text(&walk.turn().to_json())))
    }

    /// Shows how the delivery goes: `sending`, `retrying`, `sent` or `failed`, with the host's words for the last.
    #[wasm_bindgen(js_name = showDelivery)]
    pub fn show_delivery(&self, state: &str, message: Option<String>) {
        self.ui.delivery.set(match state {
            "sending" => Delivery::Sending,
            "retrying" => Delivery::Retrying,
            "sent" => Delivery::Sent,
            "refused" => Delivery::Refused(message),
            _ => Delivery::Failed(message),
        });
    }

    /// Lets no key and no click count before the person has been still for a moment: what is shown has changed by itself.
    pub fn settle(&self) {
        self.ui.guard().settle();
    }

    /// Takes nothing more, because another form takes its place; or takes answers again.
    pub fn freeze(&self, frozen: bool) {
        self.ui.guard().freeze(frozen);
    }

    /// Moves the focus into the form: to the field, or else the question.
    pub fn focus(&self) {
        self.ui.focus_question();
    }
}

/// A refusal as JSON, whose messages are what is said (`language::Said`).
fn said(refusal: &Refusal, id: &str) -> Value {
    let mut json = refusal.to_json();
    json.insert("message".into(), words::refused(refusal, false, id).into());
    if let Some(Value::Array(details)) = json.get_mut("details")
        && let Refusal::SchemaMismatch { details: violations } = refusal
    {
        for (detail, violation) in details.iter_mut().zip(violations) {
            if let Value::Object(fields) = detail {
                fields.insert("message".into(), words::violation(violation, id).into());
            }
        }
    }
    Value::Object(json)
}

/// Why a question was closed, as a place among the reasons.
fn why(how: &str) -> usize {
    words::WHY_CLOSED.iter().position(|(word, ..)| *word == how).unwrap_or(0)
}
