//! How a walk ended, and what the host gets of it. A dialect writes the result: see [`Write`].

use crate::{
    answer::{Answer, Taken},
    json::{ToJson, quoted, serialize},
    problem::collected,
    question::Question,
};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value};
use std::{fmt, sync::Arc};

/// How a walk ended, as plain data. A reply or an error stands only in an outcome that ended so. `Debug` shows the ids of the secrets only.
#[derive(Clone, PartialEq, Deserialize)]
#[serde(try_from = "Stored")]
pub struct Outcome {
    ends: Ends,
    reply: Option<String>,
    error: Option<String>,
    /// The result for the agent, in its own shape. `None` where it gets none, for example when the turn ended.
    pub result: Option<Value>,
    /// The secrets that were given, by question id. For the host alone: never for a model or a log. Empty where the agent's protocol
    /// has them in the result.
    pub secrets: Map<String, Value>,
    /// What to tell the model beside the result when somebody answered no to what a tool wanted to do.
    pub explanation: Option<String>,
}

/// An outcome as JSON has it, before it is known whether it can be one.
#[derive(Deserialize)]
struct Stored {
    ends: Ends,
    #[serde(default, deserialize_with = "Outcome::some_result")]
    result: Option<Value>,
    #[serde(default)]
    secrets: Map<String, Value>,
    #[serde(default)]
    reply: Option<String>,
    #[serde(default)]
    error: Option<String>,
    #[serde(default)]
    explanation: Option<String>,
}

impl TryFrom<Stored> for Outcome {
    type Error = &'static str;

    fn try_from(stored: Stored) -> Result<Self, &'static str> {
        let Stored { ends, result, secrets, reply, error, explanation } = stored;
        if reply.is_some() && ends != Ends::Replied {
            return Err("only an outcome that ends as replied has a reply");
        }
        if error.is_some() != (ends == Ends::Failed) {
            return Err("an outcome has an error if it ends as failed, and only then");
        }
        Ok(Self { ends, reply, error, result, secrets, explanation })
    }
}

impl fmt::Debug for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Outcome")
            .field("ends", &self.ends)
            .field("result", &self.result)
            .field("secrets", &self.secrets.keys().collect::<Vec<_>>())
            .field("reply", &self.reply)
            .field("error", &self.error)
            .field("explanation", &self.explanation)
            .finish()
    }
}

impl Outcome {
    /// What belongs to an ending, without a result.
    pub(crate) fn of(ending: &Ending) -> Self {
        let (reply, error) = match ending {
            Ending::Replied { text } => (text.clone(), None),
            Ending::Failed(failure) => (None, Some(failure.code().to_owned())),
            Ending::Completed | Ending::TurnEnded | Ending::Expired => (None, None),
        };
        Self { ends: ending.ends(), reply, error, result: None, secrets: Map::new(), explanation: None }
    }

    /// How it ended.
    pub fn ends(&self) -> Ends {
        self.ends
    }

    /// The person's words, if they replied with any.
    pub fn reply(&self) -> Option<&str> {
        self.reply.as_deref()
    }

    /// The code of the failure, if the form failed.
    pub fn error(&self) -> Option<&str> {
        self.error.as_deref()
    }

    /// How a question that ends so is closed.
    pub fn closing(&self) -> Closing {
        match self.ends {
            Ends::Completed => Closing::Answered,
            Ends::Replied if self.reply.is_some() => Closing::Replied,
            Ends::Replied => Closing::Declined,
            Ends::TurnEnded => Closing::TurnEnded,
            Ends::Expired => Closing::Expired,
            Ends::Failed => Closing::Failed,
        }
    }

    /// A result may be null, which is not the same as none.
    fn some_result<'de, D: Deserializer<'de>>(result: D) -> Result<Option<Value>, D::Error> {
        Value::deserialize(result).map(Some)
    }
}

impl ToJson for Outcome {
    fn to_json(&self) -> Value {
        let text = |text: &Option<String>| text.as_deref().map(Value::from);
        let secrets = (!self.secrets.is_empty()).then(|| Value::Object(self.secrets.clone()));
        Value::Object(collected(&mut [
            ("ends", Some(self.ends.name().into())),
            ("result", self.result.clone()),
            ("secrets", secrets),
            ("reply", text(&self.reply)),
            ("error", text(&self.error)),
            ("explanation", text(&self.explanation)),
        ]))
    }
}

serialize!(Outcome);

/// The ways in which a walk ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ends {
    /// Every question that was asked is answered.
    Completed,
    /// The person cancelled the form. The turn goes on.
    Replied,
    /// The person ended the turn.
    TurnEnded,
    /// The time for an answer was over.
    Expired,
    /// The form could not be put to anybody.
    Failed,
}

impl Ends {
    /// The word in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Completed => "completed",
            Self::Replied => "replied",
            Self::TurnEnded => "turn_ended",
            Self::Expired => "expired",
            Self::Failed => "failed",
        }
    }
}

/// How a question was closed. In JSON, one word in snake case.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Closing {
    /// The person answered it.
    Answered,
    /// The person replied with words in place of an answer, and the turn goes on.
    Replied,
    /// The person declined to answer, without words, and the turn goes on.
    Declined,
    /// The person ended the turn.
    TurnEnded,
    /// The agent went on without an answer.
    Overtaken,
    /// The time for an answer was over.
    Expired,
    /// The form could not be put to anybody.
    Failed,
}

impl Closing {
    /// The word in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Answered => "answered",
            Self::Replied => "replied",
            Self::Declined => "declined",
            Self::TurnEnded => "turn_ended",
            Self::Overtaken => "overtaken",
            Self::Expired => "expired",
            Self::Failed => "failed",
        }
    }
}

/// What a Reply of the person can be: it cancels the form, and the turn goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reply {
    /// It may have words, which reach the agent.
    WithWords,
    /// It has none: they would not reach the agent.
    WithoutWords,
    /// There is none.
    No,
}

impl Reply {
    /// The word in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::WithWords => "with_words",
            Self::WithoutWords => "without_words",
            Self::No => "no",
        }
    }
}

/// How a walk ended, with what belongs to it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ending {
    /// Every question that was asked is answered.
    Completed,
    /// The person cancelled the form. The turn goes on.
    Replied {
        /// What the person wrote, if anything.
        text: Option<String>,
    },
    /// The person ended the turn.
    TurnEnded,
    /// The time for an answer was over before the person had sent one.
    Expired,
    /// The form could not be put to anybody.
    Failed(Failure),
}

impl Ending {
    /// The ending without what belongs to it.
    pub fn ends(&self) -> Ends {
        match self {
            Self::Completed => Ends::Completed,
            Self::Replied { .. } => Ends::Replied,
            Self::TurnEnded => Ends::TurnEnded,
            Self::Expired => Ends::Expired,
            Self::Failed(_) => Ends::Failed,
        }
    }
}

/// Why a form could not be put to anybody. `Display` tells the model what happened and whether to try again.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Failure {
    /// The host's configuration has an answer that the question does not take.
    InvalidStaticAnswer {
        /// The id of the question.
        question: String,
        /// The code of the refusal. The answer itself is never shown.
        code: String,
    },
    /// Nobody could be asked, or nobody was allowed to answer.
    Unrouted {
        /// The id of the question.
        question: String,
        /// Why.
        why: Unrouted,
    },
    /// The agent that asks has no user.
    SubAgent {
        /// The name of the tool.
        tool: String,
    },
}

/// Why nobody is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Unrouted {
    /// No person is there, and nobody else may answer.
    NoPromptBackend,
    /// The host sends the question to an assistant, and only the person may answer it.
    AssistantRoutingDenied,
    /// No person is there, and the question states no default.
    NoDefault,
}

impl Failure {
    /// The stable code.
    pub fn code(&self) -> &'static str {
        match self {
            Self::InvalidStaticAnswer { .. } => "invalid_static_answer",
            Self::Unrouted { why: Unrouted::NoPromptBackend, .. } => "no_prompt_backend",
            Self::Unrouted { why: Unrouted::AssistantRoutingDenied, .. } => "assistant_routing_denied",
            Self::Unrouted { why: Unrouted::NoDefault, .. } => "no_default",
            Self::SubAgent { .. } => "sub_agent",
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let id = match self {
            Self::InvalidStaticAnswer { question, .. } | Self::Unrouted { question, .. } => quoted(question),
            Self::SubAgent { .. } => String::new(),
        };
        match self {
            Self::InvalidStaticAnswer { code, .. } => write!(
                f,
                "The host's configuration has an answer to the question {id} that the question does not take ({code}). \
                 Nobody was asked. Do not retry: only a change of the configuration can fix this."
            ),
            Self::Unrouted { why: Unrouted::NoPromptBackend, .. } => write!(
                f,
                "The question {id} needs the user, and there is no user in this run. Nothing was answered. Do not \
                 retry. Go on without the answer if you can, or stop and say what you need."
            ),
            Self::Unrouted { why: Unrouted::AssistantRoutingDenied, .. } => write!(
                f,
                "Only the user may answer the question {id}, and the host's configuration sends it to an assistant. \
                 Nobody was asked. Do not retry: only a change of the configuration can fix this."
            ),
            Self::Unrouted { why: Unrouted::NoDefault, .. } => write!(
                f,
                "There is no user in this run, so questions take their defaults, and the question {id} has none. \
                 Ask again with a default for it, or go on without the answer."
            ),
            Self::SubAgent { tool } => write!(
                f,
                "{tool} is not available to sub-agents: there is no user to ask. Do not retry. Decide yourself, or report the \
                 open question to the agent that called you."
            ),
        }
    }
}

/// Writes the result of a form in the agent's own shape. Each dialect has one for each shape that it reads, and keeps in it what the
/// result needs of the request.
pub(crate) trait Write: Send + Sync {
    /// The result. `None` where the agent gets none.
    fn write(&self, ended: &Ended<'_>) -> Option<Value>;

    /// What the person's Reply can be.
    fn reply(&self) -> Reply {
        Reply::WithWords
    }

    /// Whether the agent has its answers by the text of the question, so that plain answers may have them so, too.
    fn answers_by_text(&self) -> bool {
        false
    }

    /// Whether the result has the secrets in clear, as the agent's protocol wants it.
    fn reveals_secrets(&self) -> bool {
        false
    }

    /// The same for a form whose questions have another order: `order` has, for each question, its earlier place. `None` where the
    /// order of the questions is the agent's own.
    fn reordered(&self, _order: &[usize]) -> Option<Arc<dyn Write>> {
        None
    }
}

/// A walk that has ended, as a dialect sees it.
#[derive(Clone, Copy)]
pub(crate) struct Ended<'a> {
    pub ending: &'a Ending,
    pub questions: &'a [Arc<Question>],
    /// Invariant: one for each question. `None` where it was skipped or not reached.
    pub answers: &'a [Option<Arc<Taken>>],
}

impl<'a> Ended<'a> {
    /// Every question with its answer, in order.
    pub fn answers(self) -> impl Iterator<Item = (&'a Question, Option<&'a Taken>)> {
        self.questions.iter().map(|question| &**question).zip(self.answers.iter().map(Option::as_deref))
    }

    /// The answer to the question at this place. `None` where it was skipped or not reached.
    pub fn answer(self, place: usize) -> Option<&'a Taken> {
        self.answers.get(place)?.as_deref()
    }

    /// Every question with its answer as JSON, in order. Secrets are redacted.
    pub fn shown(self) -> impl Iterator<Item = (&'a Question, Option<Value>)> {
        self.answers().map(|(question, taken)| (question, taken.map(|taken| taken.answer.shown())))
    }

    /// The secrets that were given, by question id.
    pub fn secrets(self) -> Map<String, Value> {
        let secret = |taken: &'a Taken| taken.answer.secret().map(Value::from);
        self.answers().filter_map(|(question, taken)| Some((question.id.clone(), secret(taken?)?))).collect()
    }

    /// Whether an answer has numbers with more digits than a value holds.
    pub fn is_exact(self) -> bool {
        self.answers().any(|(_, taken)| taken.is_some_and(|taken| Answer::exact(&taken.answer).is_some()))
    }
}
