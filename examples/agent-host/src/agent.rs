//! The seam for a real agent: a model, an assistant that answers in the person's place, and tools. The host knows no more of
//! them than this.

use ask_user_core::{Consultation, Dialect, Outcome, Source, Target, Verdict, conversation::ToolCall};
use serde_json::{Value, json};
use std::{future::Future, pin::Pin};

/// Something that comes later.
pub type Soon<T> = Pin<Box<dyn Future<Output = T> + Send>>;

/// A line of the transcript, as the model sees it.
#[derive(Clone, Debug, PartialEq)]
pub enum Entry {
    /// The person said something.
    User(String),
    /// The model responded.
    Model(Reply),
    /// What a call gave.
    Result {
        /// The call.
        call_id: String,
        /// What it gave.
        content: Value,
    },
}

/// A response of the model.
#[derive(Clone, Debug, PartialEq)]
pub struct Reply {
    /// What it says to the person.
    pub text: String,
    /// The tools that it calls.
    pub calls: Vec<ToolCall>,
}

/// What comes of executing a tool.
pub enum Execution {
    /// It is done.
    Done(Value),
    /// It needs the person.
    Asks(Asking),
}

/// What a tool asks.
pub struct Asking {
    /// The request, in its dialect.
    pub request: Value,
    /// The dialect.
    pub dialect: Dialect,
    /// Who asks, for the records.
    pub source: Source,
    /// Who is asked first.
    pub target: Target,
}

/// An agent.
pub trait Agent: Send + Sync + 'static {
    /// The name that the person reads above a question.
    fn name(&self) -> &'static str;

    /// Requests the model.
    fn respond(&self, transcript: Vec<Entry>) -> Soon<Result<Reply, String>>;

    /// Asks an assistant in the person's place; `None` where it gives no verdict.
    fn advise(&self, consultation: Consultation) -> Soon<Option<Verdict>>;

    /// Executes a tool.
    fn execute(&self, call: &ToolCall) -> Soon<Execution>;

    /// What a tool gives once its questions are answered. The secrets are in `outcome` alone: use them here, and put none into
    /// the result.
    fn answered(&self, call: &ToolCall, outcome: &Outcome) -> Value {
        let _ = call;
        with_explanation(outcome)
    }
}

/// The result of a form for the model, with the explanation of a "no" beside it.
pub fn with_explanation(outcome: &Outcome) -> Value {
    let result = outcome.result.clone().unwrap_or_default();
    match &outcome.explanation {
        Some(explanation) => json!({ "result": result, "message": explanation }),
        None => result,
    }
}
