//! Dialects: each agent's shape of a question call. One file a dialect; only they know what an agent's JSON looks like.
//!
//! To add one: write its file with [`Rules`] and definitions, add both to the lists below, add vectors.

mod ask_user;
mod ask_user_question;
mod claude;
mod codex;
mod deepagents;
mod fields;
mod gemini;
mod labelled;
mod mcp;
mod opencode;
mod reading;

pub use reading::{Reading, Request};

use crate::{
    answer::Answer,
    form::Form,
    host::Reuse,
    json::{
        digits::{MARK, unmarked},
        equal, parse,
    },
    outcome::{Ending, Failure, Outcome},
    problem::object,
};
use fields::Reader;
use serde_json::{Map, Value};

/// The dialects there are, in the order in which a request is held against them.
const DIALECTS: &[Rules] = &[
    mcp::RULES,
    deepagents::RULES,
    ask_user::RULES,
    codex::RULES,
    gemini::RULES,
    opencode::RULES,
    ask_user_question::RULES,
    claude::RULES,
];

/// What models are told of each dialect's tools: apart from the rules, so that a form does not carry it.
const DEFINITIONS: &[(&str, Definitions)] = &[
    ("ask_user", ask_user::definitions),
    ("ask_user_question", ask_user_question::definitions),
    ("claude", claude::definitions),
    ("deepagents", deepagents::definitions),
    ("mcp", mcp::definitions),
    ("gemini", gemini::definitions),
    ("codex", codex::definitions),
    ("opencode", opencode::definitions),
];

type Definitions = fn() -> Vec<ToolDefinition>;

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

/// What a dialect has read, beside the questions, which are the reader's.
pub(crate) struct Draft {
    reuse: Reuse,
    review: bool,
    message: Option<String>,
    names_asker: bool,
    reveals_secrets: bool,
    envelope: Value,
}

impl Draft {
    /// What is kept to write the result with, and nothing else.
    fn keeping(envelope: Value) -> Self {
        Self { reuse: Reuse::None, review: false, message: None, names_asker: false, reveals_secrets: false, envelope }
    }
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
    /// For the system prompt, where the framework has a place for it: when to ask, and when not to.
    pub instructions: Option<&'static str>,
}

impl ToolDefinition {
    /// The definitions of a dialect's tools; none where no dialect has that name.
    pub fn of(dialect: &str) -> Vec<Self> {
        let found = DEFINITIONS.iter().find(|(name, _)| *name == dialect);
        found.map(|(_, definitions)| definitions()).unwrap_or_default()
    }

    /// The JSON form: `name`, `description`, `parameters`, and `instructions` where there are any.
    pub fn to_json(&self) -> Value {
        let mut json = object([
            ("name", self.name.into()),
            ("description", self.description.into()),
            ("parameters", self.parameters.clone()),
        ]);
        if let Some(instructions) = self.instructions {
            json.insert("instructions".into(), instructions.into());
        }
        Value::Object(json)
    }
}

/// The names of all dialects.
pub fn names() -> Vec<&'static str> {
    DIALECTS.iter().map(|rules| rules.name).collect()
}

/// A failure as the result of a tool.
fn failed(failure: &Failure) -> Value {
    Value::Object(object([("error", failure.code().into()), ("message", failure.to_string().into())]))
}

/// What was chosen or written, each as text: none for a question that was left empty or skipped. Secrets are redacted.
fn texts(answer: Option<&Answer>) -> Vec<String> {
    let text = |value: Value| match value {
        Value::String(text) => text,
        value => value.to_string(),
    };
    match answer.map(Answer::shown) {
        None | Some(Value::Null) => Vec::new(),
        Some(Value::Array(list)) => list.into_iter().map(text).collect(),
        Some(value) => vec![text(value)],
    }
}

/// Whether a question of the list `questions` has one of these fields.
fn any_question_has(request: &Value, fields: &[&str]) -> bool {
    let has = |question: &Value| fields.iter().any(|field| question.get(field).is_some());
    request.get("questions").and_then(Value::as_array).is_some_and(|questions| questions.iter().any(has))
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
        Reading::new(request, dialect, host)?.finish(&crate::schema::Validator::default())
    }
}

impl Outcome<'_> {
    /// The result to hand back to the agent, in its dialect; `None` where it gets none, as when the turn has ended.
    pub fn result(&self) -> Option<Value> {
        rules(self.form().dialect()).and_then(|rules| (rules.write)(self))
    }

    /// The result as JSON text, in which numbers have every digit that was given: a value holds integers of 64 bits, and
    /// fractions of 15 digits.
    pub fn result_text(&self) -> Option<String> {
        let result = self.result()?;
        let text = result.to_string();
        if text.contains(MARK) || self.answers.iter().flatten().all(|answer| answer.exact().is_none()) {
            return Some(text);
        }
        let answers: Vec<_> = self.answers.iter().map(|answer| answer.as_ref().map(Answer::marked)).collect();
        let exact = unmarked(&Outcome { answers: &answers, ..*self }.result()?.to_string());
        // Where a dialect writes numbers as words, the text stays as it is.
        Some(if parse(&exact).is_ok_and(|read| equal(&read, &result)) { exact } else { text })
    }

    /// The JSON form, as hosts see it: `ends`, `result` (absent when there is none), `secrets` (absent when there are
    /// none), and `reply`, `error` or `explanation` where they apply.
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
        if let Some(explanation) = self.explanation() {
            json.insert("explanation".into(), explanation.into());
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
