//! What arrives as text: read, or told why not. Everything is weighed first, so that no text takes more memory than the component has.

use crate::bindings::exports::ask_user::core::forms;
use ask_user_core::{
    Dialect, Form, Host, PromptKind, Refusal, Rejection, UnknownDialect, Unresumable,
    conversation::{Event, UnreadableEvent},
    desk::{Desk, Input, UnreadableInput},
    json::{parse, text, weigh_text},
    record::{Record, read},
};
use serde_json::{Map, Value};

/// How much a text may take as a value, in units of the work budget. Each byte takes two, so it may have 256 MiB.
const MOST: u64 = 1 << 29;
/// The same for an event. A conversation stores up to three, and can then still be read.
const MOST_OF_EVENT: u64 = MOST >> 3;

const TOO_LARGE: &str = "it needs more memory than one value may have";

fn fits(text: &str, most: u64) -> Result<(), &'static str> {
    // The parser itself limits the depth.
    let units = weigh_text(text, usize::MAX, usize::MAX);
    if units.is_ok_and(|units| units <= most) { Ok(()) } else { Err(TOO_LARGE) }
}

/// A JSON value, or the reason why there is none.
pub fn value(text: &str) -> Result<Value, String> {
    fits(text, MOST)?;
    parse(text).map_err(|error| error.reason)
}

/// A JSON value that is a part of an action.
pub fn answer(text: &str) -> Result<Value, Refusal> {
    fits(text, MOST).map_err(|what| Refusal::TooLarge { what: what.to_owned() })?;
    parse(text).map_err(Refusal::InvalidJson)
}

/// An event of a conversation.
pub fn event(text: &str) -> Result<Event, UnreadableEvent> {
    fits(text, MOST_OF_EVENT).map_err(|reason| UnreadableEvent { reason: reason.to_owned() })?;
    Event::read(text)
}

/// An input of a desk.
pub fn input(text: &str) -> Result<Input, UnreadableInput> {
    fits(text, MOST).map_err(|reason| UnreadableInput { reason: reason.to_owned() })?;
    Desk::input(text)
}

/// A saved walk.
pub fn saved(text: &str) -> Result<Value, Unresumable> {
    value(text).map_err(|reason| Unresumable::NotASavedWalk { reason })
}

/// Secret answers by question id.
pub fn secrets(text: &str) -> Result<Map<String, Value>, forms::Unopened> {
    match value(text) {
        Ok(Value::Object(secrets)) => Ok(secrets),
        _ => Err(forms::Unopened::Misuse("Give the secrets as an object, by question id.".to_owned())),
    }
}

/// The records of one turn.
pub fn records(text: &str) -> Result<Vec<Record>, String> {
    lines(text)?;
    read(text).map_err(|error| error.to_string())
}

/// The text of stored lines, if it is not too large.
pub fn lines(text: &str) -> Result<&str, String> {
    fits(text, MOST).map_err(|reason| format!("The lines cannot be read: {reason}. Read them in parts.")).map(|()| text)
}

/// The host's options.
pub fn host(options: &str) -> Result<Host, String> {
    let options = value(options).map_err(|reason| format!("The options cannot be read: {reason}."))?;
    Host::from_json(&options).map_err(|misuse| misuse.to_string())
}

/// The dialect and the host's options.
pub fn asked(dialect: Option<String>, options: &str) -> Result<(Dialect, Host), forms::Unopened> {
    let host = host(options).map_err(forms::Unopened::Misuse)?;
    let named = dialect.as_deref().map_or(Ok(Dialect::Detect), str::parse);
    Ok((named.map_err(|unknown: UnknownDialect| rejection(&unknown.into()))?, host))
}

/// The form of a request.
pub fn form(request: &str, dialect: Option<String>, options: &str) -> Result<Form, forms::Unopened> {
    let (dialect, host) = asked(dialect, options)?;
    Form::read(request, dialect, &host).map_err(|error| rejection(&error))
}

/// A rejection as the interface has it.
pub fn rejection(error: &Rejection) -> forms::Unopened {
    forms::Unopened::Rejection(text(&error.to_json()))
}

/// The fault of a saved walk as the interface has it.
pub fn unresumable(error: &Unresumable) -> forms::Unresumable {
    forms::Unresumable { code: error.code().to_owned(), message: error.to_string() }
}

/// What a tool asks for.
pub fn prompt_kind(kind: forms::PromptKind) -> PromptKind {
    match kind {
        forms::PromptKind::Run => PromptKind::Run,
        forms::PromptKind::Deliver => PromptKind::Deliver,
        forms::PromptKind::Tool => PromptKind::Tool,
    }
}
