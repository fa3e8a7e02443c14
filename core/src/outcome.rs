//! How a walk ended, and what was answered. How that reads in an agent's JSON is for its dialect to say.

use crate::{
    answer::Answer,
    form::{Form, Question},
    problem::Refusal,
    route::{Consulted, Unrouted, explanation},
};
use serde_json::{Map, Value};
use std::fmt;

/// How a walk ended.
#[derive(Clone, Debug, PartialEq)]
pub enum Ending {
    /// Every question that was to be asked is answered.
    Completed,
    /// The person cancelled the form; the turn goes on.
    Replied {
        /// What the person wrote, if anything.
        text: Option<String>,
    },
    /// The person ended the turn.
    TurnEnded,
    /// The form could not be put to anybody.
    Failed(Failure),
}

impl Ending {
    /// The name of the ending: `completed`, `replied`, `turn_ended` or `failed`.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Completed => "completed",
            Self::Replied { .. } => "replied",
            Self::TurnEnded => "turn_ended",
            Self::Failed(_) => "failed",
        }
    }
}

/// Why a form could not be put to anybody. `Display` is for the model: what happened, and whether to try again.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Failure {
    /// The host's configuration answers a question with something that does not fit.
    InvalidStaticAnswer {
        /// The id of the question.
        question: String,
        /// Why the answer does not fit.
        refusal: Refusal,
    },
    /// Nobody could or would be asked.
    Unrouted {
        /// The id of the question.
        question: String,
        /// Why.
        why: Unrouted,
    },
    /// The agent that asks has no user.
    SubAgent {
        /// The tool as the model knows it.
        tool: &'static str,
    },
}

impl Failure {
    /// The stable code.
    pub fn code(&self) -> &'static str {
        match self {
            Self::InvalidStaticAnswer { .. } => "invalid_static_answer",
            Self::Unrouted { why, .. } => why.code(),
            Self::SubAgent { .. } => "sub_agent",
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::InvalidStaticAnswer { question, refusal } => write!(
                f,
                "The host's configuration has a fixed answer for the question {question:?} that does not fit it. \
                 {refusal} Nobody was asked. Do not retry: only a change of the configuration can mend this."
            ),
            Self::Unrouted { question, why: Unrouted::NoPromptBackend } => write!(
                f,
                "The question {question:?} needs the user, and no user is there in this run. Nothing was answered. Do not \
                 retry; go on without the answer if you can, or stop and say what you need."
            ),
            Self::Unrouted { question, why: Unrouted::AssistantRoutingDenied } => write!(
                f,
                "The question {question:?} may be answered by the user alone, and the configuration sends it to an \
                 assistant. Nobody was asked. Do not retry: only a change of the configuration can mend this."
            ),
            Self::Unrouted { question, why: Unrouted::NoDefault } => write!(
                f,
                "No user is there in this run, so that questions take their defaults, and {question:?} has none. You may \
                 ask again with a default for it, or go on without the answer."
            ),
            Self::SubAgent { tool } => write!(
                f,
                "{tool} is not available to sub-agents: there is no user to ask here. Do not retry; decide yourself, or \
                 report the open question to the agent that called you."
            ),
        }
    }
}

/// A walk that has ended: how, and with which answers. Its [`Outcome::result`] is what the agent gets.
#[derive(Clone, Copy, Debug)]
pub struct Outcome<'a> {
    pub(crate) form: &'a Form,
    pub(crate) ending: &'a Ending,
    /// Invariant: one for each question of the form, in its order; `None` where it was skipped or not reached.
    pub(crate) answers: &'a [Option<Answer>],
    /// Invariant: one for each question of the form, in its order.
    pub(crate) consulted: &'a [Consulted],
}

impl<'a> Outcome<'a> {
    /// How the walk ended.
    pub fn ending(&self) -> &'a Ending {
        self.ending
    }

    /// The form that was walked.
    pub fn form(&self) -> &'a Form {
        self.form
    }

    /// Every question with its answer, in the order of the request; `None` where it was skipped or not reached.
    pub fn answers(&self) -> impl Iterator<Item = (&'a Question, Option<&'a Answer>)> {
        self.form.questions().iter().zip(self.answers.iter().map(Option::as_ref))
    }

    /// What the model should be told beside the result, where somebody said no to what a tool wanted to do: who, why, that
    /// nothing was applied, and what it may do next.
    pub fn explanation(&self) -> Option<String> {
        let answered = self.answers().zip(self.consulted);
        let answered = answered.map(|((question, answer), consulted)| (question, answer, consulted));
        matches!(self.ending, Ending::Completed).then(|| explanation(self.form, answered)).flatten()
    }

    /// The secrets that were given, by question id: for the host alone, never for a model or a log. Empty where the
    /// agent's protocol wants them in the result itself.
    pub fn secrets(&self) -> Map<String, Value> {
        if self.form.reveals_secrets {
            return Map::new();
        }
        self.answers().filter_map(|(question, answer)| Some((question.id.clone(), answer?.secret()?.clone()))).collect()
    }
}
