//! What the host knows of an agent: a model, an assistant that answers in the person's place, and tools.

use ask_user_core::{Consultation, Dialect, Outcome, Source, Target, Verdict, conversation::ToolCall};
use serde_json::{Value, json};
use std::{future::Future, pin::Pin};

/// The name of the example's agent, as the person reads it above a question.
pub const NAME: &str = "Migration agent";

/// Something that comes later. Dropping it cancels it.
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
    /// The person answered a question that the agent did not wait for.
    Answer {
        /// The call that asked.
        call_id: String,
        /// What it would have given.
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
    /// What the person should know about it, such as that it was cut off. The model does not see this.
    pub note: Option<String>,
}

/// Why there is no response.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failed {
    /// What the person reads.
    pub message: String,
    /// What is counted: one of a few words.
    pub kind: &'static str,
    /// Whether it makes sense to request the same again.
    pub may_try_again: bool,
}

/// What comes of executing a tool.
pub enum Execution {
    /// It is done.
    Done(Value),
    /// It did not run, or failed: what the model is told.
    Failed(Value),
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
    /// Whether the agent waits for the answer. If it does not, it goes on at once, and the answer is a message to it ([`Entry::Answer`]). An agent waits for an approval, a secret, and an
    /// answer that cannot be undone.
    pub blocking: bool,
}

/// Who serves a model, and what it is called there, for traces and metrics.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Served {
    /// The protocol or the product.
    pub provider: &'static str,
    /// The name of the model.
    pub model: String,
}

/// An agent.
pub trait Agent: Send + Sync + 'static {
    /// The name that the person reads above a question.
    fn name(&self) -> &'static str;

    /// The model.
    fn model(&self) -> Served;

    /// The model that answers in the person's place, if one does.
    fn assistant(&self) -> Option<Served>;

    /// The name of a tool, if there is one of this name. A model can call any other, in its own words.
    fn tool(&self, name: &str) -> Option<&'static str>;

    /// Requests the model. The host drops this when the person stops the agent.
    fn respond(&self, transcript: Vec<Entry>) -> Soon<Result<Reply, Failed>>;

    /// Asks an assistant in the person's place. `None` if it gives no verdict: then the person is asked.
    fn advise(&self, consultation: Consultation) -> Soon<Option<Verdict>>;

    /// Executes a tool.
    fn execute(&self, call: &ToolCall) -> Soon<Execution>;

    /// What a tool gives once its questions are answered. The secrets are in `outcome` alone: use them here, and put none into
    /// the result.
    ///
    /// It is called before the answer is stored. So it can be called for an answer that is then refused, because another host was faster with
    /// another one, and once more for an answer that was taken, if the store could not be reached or the process was killed in between. It
    /// must only prepare the result. What cannot be undone belongs into a tool that runs after the answer, or into a request to another
    /// service that counts once, under a key such as the id of the conversation and of the call. If it needs a secret of the answer, there is only the second way.
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
