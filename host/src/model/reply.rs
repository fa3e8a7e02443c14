//! Puts the reply of a model together from the pieces that a server streams, or from one JSON body. Servers differ: they leave out ids or
//! places of tool calls, repeat names, send pieces without content, or end without saying so. A reply counts only once it is complete.

use super::failure::Failure;
use crate::agent::Reply;
use ask_user_core::conversation::{MOST_CALLS, ToolCall};
use serde_json::{Map, Value};
use std::collections::BTreeSet;

/// Bytes of the text of a reply.
const LARGEST_TEXT: usize = 1024 * 1024;
/// Bytes of the names, ids and arguments of all tool calls of a reply.
const LARGEST_CALLS: usize = 1024 * 1024;

const CUT_OFF: &str = "The reply was cut off at the length that the model's server allows.";

/// A reply in the making.
#[derive(Debug, Default)]
pub struct Assembly {
    text: String,
    calls: Vec<Call>,
    /// Bytes of the calls so far.
    bytes: usize,
    /// Whether any part of a reply came.
    has_begun: bool,
    /// Why the model stopped.
    finish: Option<String>,
    /// Whether the server said that nothing more comes.
    is_over: bool,
}

/// A call in the making.
#[derive(Debug, Default)]
struct Call {
    /// Its place in the reply, as the server numbers it.
    index: Option<u64>,
    id: String,
    name: String,
    arguments: Arguments,
}

#[derive(Debug)]
enum Arguments {
    /// JSON text, in pieces.
    Text(String),
    /// An object: some servers send no text.
    Object(Map<String, Value>),
}

impl Default for Arguments {
    fn default() -> Self {
        Self::Text(String::new())
    }
}

impl Assembly {
    /// The model has stopped, and has said why.
    pub fn is_finished(&self) -> bool {
        self.finish.is_some()
    }

    /// The server said that nothing more comes.
    pub fn is_over(&self) -> bool {
        self.is_over
    }

    /// Takes the data of an event of the stream.
    ///
    /// # Errors
    /// If the server reports an error, if this is no piece of a reply, or if there is too much of it.
    pub fn event(&mut self, name: &str, data: &str) -> Result<(), Failure> {
        let data = data.trim();
        if data == "[DONE]" {
            self.is_over = true;
            return Ok(());
        }
        let json: Value = serde_json::from_str(data).map_err(|_| Failure::Unreadable)?;
        if name == "error" && json.get("error").is_none() {
            return Err(Failure::reported(&json));
        }
        self.part(&json)
    }

    /// Takes the whole reply of a server that does not stream.
    ///
    /// # Errors
    /// As [`Assembly::event`].
    pub fn body(mut self, json: &Value) -> Result<Self, Failure> {
        self.part(json)?;
        // JSON of something else.
        if !self.has_begun {
            return Err(Failure::NoModel);
        }
        self.is_over = true;
        Ok(self)
    }

    fn part(&mut self, json: &Value) -> Result<(), Failure> {
        let fields = json.as_object().ok_or(Failure::Unreadable)?;
        if let Some(error) = fields.get("error").filter(|error| !error.is_null()) {
            return Err(Failure::reported(error));
        }
        // A piece without choices tells what was used, or keeps the connection open.
        let choices = fields.get("choices").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
        let first = choices.iter().find(|choice| choice.get("index").and_then(Value::as_u64).unwrap_or(0) == 0);
        let Some(choice) = first else { return Ok(()) };
        self.has_begun = true;
        for key in ["delta", "message"] {
            if let Some(piece) = choice.get(key).and_then(Value::as_object) {
                self.piece(piece)?;
            }
        }
        if let Some(reason) = choice.get("finish_reason").and_then(Value::as_str).filter(|reason| !reason.is_empty()) {
            self.finish = Some(reason.to_owned());
        }
        Ok(())
    }

    fn piece(&mut self, piece: &Map<String, Value>) -> Result<(), Failure> {
        // What the model thinks (`reasoning_content`, `reasoning`) is not for the person.
        for key in ["content", "refusal"] {
            self.content(piece.get(key).unwrap_or(&Value::Null))?;
        }
        for fragment in piece.get("tool_calls").and_then(Value::as_array).into_iter().flatten() {
            self.fragment(fragment)?;
        }
        Ok(())
    }

    /// Takes text: a string, or a list of parts.
    fn content(&mut self, content: &Value) -> Result<(), Failure> {
        let parts = match content {
            Value::String(text) => vec![text.as_str()],
            Value::Array(parts) => parts.iter().filter_map(|part| part.get("text")?.as_str()).collect(),
            _ => Vec::new(),
        };
        for part in parts {
            if self.text.len() + part.len() > LARGEST_TEXT {
                return Err(Failure::TooLarge("its text has more than 1 MiB"));
            }
            self.text.push_str(part);
        }
        Ok(())
    }

    /// Takes a fragment of a tool call.
    fn fragment(&mut self, fragment: &Value) -> Result<(), Failure> {
        let text = |value: Option<&Value>| value.and_then(Value::as_str).unwrap_or_default().to_owned();
        let function = fragment.get("function");
        let (id, name) = (text(fragment.get("id")), text(function.and_then(|function| function.get("name"))));
        let arguments = function.and_then(|function| function.get("arguments"));
        let index = fragment.get("index").and_then(Value::as_u64);
        let object = arguments.and_then(Value::as_object);
        let arguments_text = text(arguments);
        let size = |object: &Map<String, Value>| Value::Object(object.clone()).to_string().len();
        self.bytes += id.len() + name.len() + arguments_text.len() + object.map_or(0, size);
        if self.bytes > LARGEST_CALLS {
            return Err(Failure::TooLarge("its tool calls have more than 1 MiB"));
        }
        let place = match self.belongs_to(index, &id, &name) {
            Some(place) => place,
            None => {
                if self.calls.len() == MOST_CALLS {
                    return Err(Failure::TooLarge("it has more than 128 tool calls"));
                }
                self.calls.push(Call { index, ..Call::default() });
                self.calls.len() - 1
            }
        };
        let call = &mut self.calls[place];
        if !id.is_empty() {
            call.id = id;
        }
        // A name comes whole, or in pieces; some servers repeat it in each fragment.
        if call.name != name {
            call.name.push_str(&name);
        }
        match (&mut call.arguments, object) {
            (arguments, Some(object)) => *arguments = Arguments::Object(object.clone()),
            (Arguments::Text(text), None) => text.push_str(&arguments_text),
            (Arguments::Object(_), None) => {}
        }
        Ok(())
    }

    /// The call that a fragment continues; `None` if it begins another one.
    fn belongs_to(&self, index: Option<u64>, id: &str, name: &str) -> Option<usize> {
        let at = |matches: &dyn Fn(&Call) -> bool| self.calls.iter().rposition(matches);
        let named = (!id.is_empty()).then(|| at(&|call| call.index == index && call.id == id)).flatten();
        if named.is_some() {
            return named;
        }
        match index {
            // Some servers give all calls of a reply the same place, each with its own id.
            Some(_) => at(&|call| call.index == index)
                .filter(|place| id.is_empty() || self.calls.get(*place).is_some_and(|call| call.id.is_empty())),
            None if !id.is_empty() => None,
            // Without place and id, a name begins a call.
            None if !name.is_empty() => None,
            None => self.calls.len().checked_sub(1),
        }
    }

    /// The complete reply. `taken` are the ids of earlier calls of the conversation: a call without an id gets one that is not among them.
    ///
    /// # Errors
    /// If the reply is not complete, or a filter stopped it.
    pub fn finish(self, mut taken: BTreeSet<String>) -> Result<Reply, Failure> {
        let finish = match self.finish.as_deref() {
            Some(finish) => finish,
            None if self.is_over && self.has_begun => "",
            None => return Err(Failure::Interrupted),
        };
        match finish {
            "content_filter" => return Err(Failure::Filtered),
            // Of gateways whose own connection has failed.
            "error" | "network_error" => return Err(Failure::Interrupted),
            _ => {}
        }
        let is_cut = finish == "length";
        taken.extend(self.calls.iter().map(|call| call.id.clone()));
        let mut number = 0;
        let mut new_id = || loop {
            number += 1;
            let id = format!("call_{number}");
            if taken.insert(id.clone()) {
                return id;
            }
        };
        let last = self.calls.len();
        let calls = (1..).zip(self.calls).map(|(place, Call { id, name, arguments, .. })| ToolCall {
            id: if id.is_empty() { new_id() } else { id },
            name,
            input: input(arguments, is_cut && place == last),
        });
        let calls: Vec<ToolCall> = calls.collect();
        let note = (is_cut && calls.is_empty()).then(|| CUT_OFF.to_owned());
        Ok(Reply { text: self.text.trim().to_owned(), calls, note })
    }
}

/// The arguments of a call: an object; or the text, where it is no JSON object, so that the call gets an error as its result.
fn input(arguments: Arguments, may_be_cut: bool) -> Value {
    let text = match arguments {
        Arguments::Object(object) => return Value::Object(object),
        Arguments::Text(text) => text,
    };
    // A tool without parameters is often called without arguments. Where the reply was cut off, they may be missing.
    if text.trim().is_empty() && !may_be_cut {
        return Value::Object(Map::new());
    }
    match serde_json::from_str(&text) {
        Ok(Value::Object(fields)) => Value::Object(fields),
        Ok(Value::Null) if !may_be_cut => Value::Object(Map::new()),
        _ => Value::String(text),
    }
}

#[cfg(test)]
mod tests;
