//! The interface of a dialect: its rules, and the result of reading a request by them. This module does not know any dialect.

use super::fields::Reader;
use crate::{
    answer::{Answer, Taken},
    host::Reuse,
    json::{self, field},
    moment::Moment,
    outcome::{Failure, Write},
    problem::object,
    question::AnswerType,
};
use serde_json::{Map, Value};
use std::sync::Arc;

/// The rules of a dialect.
#[derive(Debug)]
pub(crate) struct Rules {
    /// The name that hosts use.
    pub name: &'static str,
    /// The name of the tool of a request, as models know it.
    pub tool: fn(&Value) -> &'static str,
    /// Whether a request has this dialect's shape.
    pub recognises: fn(&Value) -> bool,
    /// The fields by which this dialect is told from the others.
    pub tells: Tells,
    /// Reads a request and records its problems. `None` if nothing can be read.
    pub read: fn(&mut Reader, &Map<String, Value>) -> Option<Draft>,
    /// The writer of the result for a request that cannot be read.
    pub unread: fn(&Value) -> Arc<dyn Write>,
    /// The declaration of a dialect that a host has added, which is asked in place of the functions above.
    pub own: Option<&'static dyn Declared>,
}

/// What a dialect that a host has declared does.
pub(crate) trait Declared: Sync {
    fn tool(&self) -> &'static str;
    fn recognises(&self, request: &Value) -> bool;
    fn read(&'static self, reader: &mut Reader, request: &Map<String, Value>) -> Option<Draft>;
    fn unread(&'static self, request: &Value) -> Arc<dyn Write>;
}

impl std::fmt::Debug for dyn Declared {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.tool())
    }
}

impl Rules {
    /// The name of the tool of a request, as models know it.
    pub fn tool(&self, request: &Value) -> &'static str {
        self.own.map_or_else(|| (self.tool)(request), Declared::tool)
    }

    /// Whether a request has this dialect's shape.
    pub fn recognises(&self, request: &Value) -> bool {
        self.own.map_or_else(|| (self.recognises)(request), |own| own.recognises(request))
    }

    /// Reads a request and records its problems. `None` if nothing can be read.
    pub fn read(&self, reader: &mut Reader, request: &Map<String, Value>) -> Option<Draft> {
        match self.own {
            None => (self.read)(reader, request),
            Some(own) => own.read(reader, request),
        }
    }

    /// The writer of the result for a request that cannot be read.
    pub fn unread(&self, request: &Value) -> Arc<dyn Write> {
        self.own.map_or_else(|| (self.unread)(request), |own| own.unread(request))
    }
}

/// Fields that tell of a dialect, by where they stand. Each is one of its own.
#[derive(Debug)]
pub(crate) struct Tells {
    /// Around the questions: without one of these, no request is recognised.
    pub request: &'static [&'static str],
    /// Of a single question.
    pub single: &'static [&'static str],
    /// Of a question in the list `questions`.
    pub listed: &'static [&'static str],
}

impl Tells {
    /// No field.
    pub const NONE: Self = Self { request: &[], single: &[], listed: &[] };
}

/// The parts of a form that a dialect has read, without the questions, which the reader has.
pub(crate) struct Draft {
    pub reuse: Reuse,
    pub review: bool,
    pub message: Option<Arc<str>>,
    pub names_asker: bool,
    /// When the agent stops waiting, as the request has it.
    pub expires_at: Option<Moment>,
    /// Whether the agent waits, as the request has it.
    pub blocking: bool,
    pub writer: Arc<dyn Write>,
}

impl Draft {
    /// A form with this writer and no special features.
    pub fn new(writer: impl Write + 'static) -> Self {
        Self::of(Arc::new(writer))
    }

    /// The same for a writer that is shared.
    pub fn of(writer: Arc<dyn Write>) -> Self {
        Self {
            reuse: Reuse::None,
            review: false,
            message: None,
            names_asker: false,
            expires_at: None,
            blocking: true,
            writer,
        }
    }
}

/// The request that a result answers: one of JSON-RPC, or a control request of the Claude Agent SDK.
#[derive(Clone)]
pub(super) struct Call {
    id: Value,
    kind: Kind,
}

#[derive(Clone, Copy)]
enum Kind {
    /// One of JSON-RPC. It may leave out the name of the protocol.
    Named,
    Unnamed,
    Control,
}

impl Call {
    /// That of a request with an id and a method.
    pub fn of(request: &Map<String, Value>) -> Option<Self> {
        let id = field(request, "id").filter(|_| field(request, "method").is_some());
        let id = id.filter(|id| id.is_string() || id.is_number())?;
        let kind = if field(request, "jsonrpc").is_some() { Kind::Named } else { Kind::Unnamed };
        Some(Self { id: id.clone(), kind })
    }

    /// That of a control request with this id.
    pub fn control(id: Value) -> Self {
        Self { id, kind: Kind::Control }
    }

    /// A result as the answer to a call, if there is one.
    pub fn answered(call: Option<&Self>, result: Value) -> Value {
        let Some(Self { id, kind }) = call else { return result };
        let id = id.clone();
        Value::Object(match kind {
            Kind::Named => object([("jsonrpc", "2.0".into()), ("id", id), ("result", result)]),
            Kind::Unnamed => object([("id", id), ("result", result)]),
            Kind::Control => {
                let response = object([("subtype", "success".into()), ("request_id", id), ("response", result)]);
                object([("type", "control_response".into()), ("response", Value::Object(response))])
            }
        })
    }
}

impl Call {
    /// A failure as the error of this call (JSON-RPC 2.0, section 5.1: -32603 is an internal error).
    #[cold]
    pub fn failed(&self, failure: &Failure) -> Value {
        let error =
            object([("code", (-32603).into()), ("message", failure.to_string().into()), ("data", failed(failure))]);
        let mut all = object([("id", self.id.clone()), ("error", Value::Object(error))]);
        if matches!(self.kind, Kind::Named) {
            all.insert("jsonrpc".into(), "2.0".into());
        }
        Value::Object(all)
    }
}

/// A failure as the result of a tool.
pub(super) fn failed(failure: &Failure) -> Value {
    Value::Object(object([("error", failure.code().into()), ("message", failure.to_string().into())]))
}

/// The chosen options and written texts of an answer, as texts. Empty for a question that was skipped or left empty. Secrets are redacted.
pub(super) fn texts(taken: Option<&Taken>) -> Vec<String> {
    texts_of(taken.map(|taken| &taken.answer))
}

/// The same of an answer alone.
pub(super) fn texts_of(answer: Option<&Answer>) -> Vec<String> {
    let text = |value: Value| match value {
        Value::String(text) => text,
        value => crate::json::text(&value),
    };
    match answer.map(Answer::shown) {
        None | Some(Value::Null) => Vec::new(),
        Some(Value::Array(list)) => list.into_iter().map(text).collect(),
        Some(value) => vec![text(value)],
    }
}

/// Texts of an answer as one text. Where a label has the mark between labels in it, several are in quotes: they would read as another selection.
pub(super) fn joined(answer_type: Option<&AnswerType>, mut texts: Vec<String>) -> String {
    const BETWEEN: &str = ", ";
    let has_mark = |text: &str| text.as_bytes().windows(BETWEEN.len()).any(|two| two == BETWEEN.as_bytes());
    if let Some(AnswerType::MultiSelect { choices, .. }) = answer_type
        && choices.as_slice().iter().any(|choice| has_mark(&choice.label))
    {
        texts.iter_mut().for_each(|text| *text = json::text(text));
    }
    texts.join(BETWEEN)
}

/// Whether a question of a list has one of these fields. Null counts as absent.
pub(super) fn any_question_has(request: &Value, list: &str, fields: &[&str]) -> bool {
    let has = |question: &Map<String, Value>| {
        fields.iter().any(|name| field(question, name).is_some_and(|value| !value.is_null()))
    };
    let questions = request.get(list).and_then(Value::as_array).into_iter().flatten();
    questions.filter_map(Value::as_object).any(has)
}
