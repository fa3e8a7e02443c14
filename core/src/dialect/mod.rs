//! Dialects: each agent's shape of a question call. One file a dialect; only they know what an agent's JSON looks like.
//!
//! To add one: write its file with a [`Rules`], add it to [`DIALECTS`] and [`DEFINITIONS`], add vectors.

mod ask_user;
mod fields;
mod reading;

pub use reading::{Reading, Request};

use crate::{
    form::{Form, Question},
    host::Reuse,
    outcome::{Ending, Outcome},
    problem::{Pointer, object},
};
use fields::Reader;
use serde_json::{Map, Value};

/// The dialects there are, in the order in which a request is held against them.
const DIALECTS: &[Rules] = &[ask_user::RULES];

/// What models are told of each dialect's tool: apart from the rules, so that a form does not carry it.
const DEFINITIONS: &[(&str, Definition)] = &[("ask_user", ask_user::definition)];

type Definition = fn() -> ToolDefinition;

/// Which dialect a request is read with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Dialect<'a> {
    /// The one whose shape the request has.
    #[default]
    Detect,
    /// The one with this name.
    Named(&'a str),
}

/// What makes a dialect.
pub(crate) struct Rules {
    /// The name that hosts use.
    name: &'static str,
    /// The name of the tool as models know it.
    tool: &'static str,
    /// Whether a request has this dialect's shape.
    recognises: fn(&Value) -> bool,
    /// Reads a request; `None` where it is too far off to be read on.
    read: fn(&mut Reader, &Map<String, Value>) -> Option<Draft>,
    /// Writes the result of an ended walk; `None` where the agent gets none.
    write: fn(&Outcome<'_>) -> Option<Value>,
}

/// What a dialect has read.
pub(crate) struct Draft {
    questions: Vec<Drafted>,
    reuse: Reuse,
    review: bool,
    envelope: Value,
}

/// A question that has been read, and where it stood.
pub(crate) struct Drafted {
    question: Question,
    path: Pointer,
}

/// What a model is told of a tool that asks the person.
#[derive(Clone, Debug, PartialEq)]
pub struct ToolDefinition {
    /// The tool's name.
    pub name: &'static str,
    /// When to use it, and how.
    pub description: &'static str,
    /// Its parameters, a JSON Schema in the subset that model providers take: no references, one type a field.
    pub parameters: Value,
}

impl ToolDefinition {
    /// The tool definition of a dialect; `None` where no dialect has that name.
    pub fn of(dialect: &str) -> Option<Self> {
        DEFINITIONS.iter().find(|(name, _)| *name == dialect).map(|(_, definition)| definition())
    }

    /// The JSON form: `name`, `description`, `parameters`.
    pub fn to_json(&self) -> Value {
        Value::Object(object([
            ("name", self.name.into()),
            ("description", self.description.into()),
            ("parameters", self.parameters.clone()),
        ]))
    }
}

/// The names of all dialects.
pub fn names() -> Vec<&'static str> {
    DIALECTS.iter().map(|rules| rules.name).collect()
}

impl Form {
    /// Reads a request, its schemas included.
    ///
    /// # Errors
    /// A [`crate::Rejection`] with every problem of the request. Nothing panics, whatever the request; what is larger than the
    /// host's limits is refused before it is looked at.
    #[cfg(feature = "schema")]
    pub fn read<'a>(
        request: impl Into<Request<'a>>,
        dialect: Dialect<'_>,
        host: &crate::Host,
    ) -> Result<Self, crate::Rejection> {
        Reading::new(request, dialect, host)?.finish(&crate::schema::Validator)
    }
}

impl Outcome<'_> {
    /// The result to hand back to the agent, in its dialect; `None` where it gets none, as when the turn has ended.
    pub fn result(&self) -> Option<Value> {
        rules(self.form().dialect()).and_then(|rules| (rules.write)(self))
    }

    /// The JSON form, as hosts see it: `ends`, `result` (absent when there is none), `secrets` (absent when there are
    /// none), and `reply` or `error` where they apply.
    pub fn to_json(&self) -> Value {
        let mut json = object([("ends", self.ending().name().into())]);
        if let Some(result) = self.result() {
            json.insert("result".into(), result);
        }
        let secrets = self.secrets();
        if !secrets.is_empty() {
            json.insert("secrets".into(), Value::Object(secrets));
        }
        match self.ending() {
            Ending::Replied { text: Some(text) } => {
                json.insert("reply".into(), text.as_str().into());
            }
            Ending::Failed(failure) => {
                json.insert("error".into(), failure.code().into());
            }
            Ending::Completed | Ending::Replied { text: None } | Ending::TurnEnded => {}
        }
        Value::Object(json)
    }
}

fn rules(name: &str) -> Option<&'static Rules> {
    DIALECTS.iter().find(|rules| rules.name == name)
}

fn detect(request: &Value) -> Option<&'static Rules> {
    DIALECTS.iter().find(|rules| (rules.recognises)(request))
}
