//! The actions and the events of a walk. The list of events is the one record of what happened: everything else is derived from it.

use crate::{
    answer::{Advice, Answer, Given, Taken},
    outcome::Ending,
    record::{Cancelled, Record, Response},
    route::Verdict,
};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::sync::Arc;

/// An action of the person, or of the host that brings an assistant's verdict. [`crate::Walk::act`] carries it out.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Action {
    /// Answers the open question.
    Answer(Given),
    /// Takes the person's last answer back and asks that question again.
    Back,
    /// Cancels the form, perhaps with a message. The turn goes on.
    Reply(Option<String>),
    /// Ends the turn.
    EndTurn,
    /// Says that the time for an answer is over. The host says so, by its clock: see [`crate::Walk::expire`].
    Expire,
    /// Sends the answers from the review.
    Submit,
    /// Changes the answer to the question with this id, from the review.
    Change(String),
    /// Gives the verdict of the assistant that is asked. A verdict that is not a valid answer is treated as [`Action::NoAssistant`].
    Assistant(Verdict),
    /// Says that the assistant could not be asked, or gave no verdict.
    NoAssistant,
}

impl Action {
    /// Answers the open question with a JSON value.
    pub fn answer(value: impl Into<Value>) -> Self {
        Self::Answer(value.into().into())
    }

    /// Answers the open question with the text in its field.
    pub fn typed(text: impl Into<String>) -> Self {
        Self::Answer(Given::new(crate::answer::Content::Typed(text.into())))
    }
}

/// Whom a question is put to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Asks {
    /// The person answers.
    Person,
    /// The host asks an assistant ([`crate::Walk::consultation`]) and brings its verdict: [`Action::Assistant`] or
    /// [`Action::NoAssistant`]. Meanwhile the person can go back, reply or end the turn.
    Assistant,
}

/// Something that happened in a walk. Questions are given by their places in the form, from 0; an attempt counts how often the turn has
/// asked the question, from 1.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Event {
    /// A question was put to somebody, or the host answers it and nobody is asked.
    Asked {
        /// The question.
        question: usize,
        /// Its attempt.
        attempt: u64,
        /// Whom it was put to. `None`: the host answers it.
        asks: Option<Asks>,
    },
    /// The question was answered.
    Answered {
        /// The question.
        question: usize,
        /// Its attempt.
        attempt: u64,
        /// The answer, and who gave it.
        taken: Arc<Taken>,
        /// The units of work that it took to decide what came of it, and that it takes to take it back.
        work: u64,
    },
    /// An assistant answered no, and somebody else has the last word.
    Advised {
        /// The question.
        question: usize,
        /// Its attempt.
        attempt: u64,
        /// Its "no".
        answer: Answer,
        /// Why.
        advice: Advice,
    },
    /// The question was left without an answer.
    Left {
        /// The question.
        question: usize,
        /// Its attempt.
        attempt: u64,
        /// Why.
        why: Cancelled,
    },
    /// The person's answer to this question was taken back, with everything answered after it.
    Returned {
        /// The question.
        question: usize,
        /// What led back to it.
        by: Return,
    },
    /// Everything is answered, and the person reviews it.
    Reviewing,
    /// More of the request has come: it has so many complete questions now. Only in a walk that began before the whole request was there.
    Came {
        /// How many.
        questions: usize,
    },
    /// No question up to this one, which has not come yet, is asked. Only in such a walk.
    Waiting {
        /// The question.
        question: usize,
    },
    /// What follows happened before the schemas were compiled, up to [`Event::Accepted`]. Only in the walk of a host that continues the walk of a
    /// client ([`crate::Walk::continued`]) which began without them.
    Unchecked,
    /// The whole form is there, and its schemas are compiled. Only in a walk that began without them.
    Accepted,
    /// The walk ended.
    Ended(Ending),
}

/// What leads back to a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Return {
    /// [`Action::Back`].
    Back,
    /// [`Action::Change`].
    Change,
    /// The walk was resumed without the secret that the question was answered with.
    Resume,
}

impl Event {
    /// The question and its attempt, where the event opens or closes one.
    pub(super) fn place(&self) -> Option<(usize, u64)> {
        match self {
            Self::Asked { question, attempt, .. }
            | Self::Answered { question, attempt, .. }
            | Self::Advised { question, attempt, .. }
            | Self::Left { question, attempt, .. } => Some((*question, *attempt)),
            Self::Returned { .. } | Self::Reviewing | Self::Accepted | Self::Ended(_) => None,
            Self::Came { .. } | Self::Waiting { .. } | Self::Unchecked => None,
        }
    }

    /// Whether it tells of the form, and not of what was done in it.
    pub(super) fn is_of_form(&self) -> bool {
        matches!(self, Self::Came { .. } | Self::Waiting { .. } | Self::Unchecked | Self::Accepted)
    }

    /// The response that stands in the records, where the event closes a question.
    pub(super) fn response(&self, id: String) -> Option<Record> {
        let reason = |advice: &Advice| advice.reason.clone();
        Some(Record::Response(match self {
            Self::Answered { taken, .. } if taken.answer.is_secret() => Response::Redacted { id },
            Self::Answered { taken, .. } => Response::Answered {
                id,
                answer: taken.answer.shown(),
                answer_text: taken.answer.digits(),
                note: taken.note.clone(),
                reason: match &taken.by {
                    crate::answer::By::Assistant(advice) => reason(advice),
                    _ => None,
                },
            },
            Self::Advised { answer, advice, .. } => {
                let answer_text = answer.digits();
                Response::Answered { id, answer: answer.shown(), answer_text, note: None, reason: reason(advice) }
            }
            Self::Left { why, .. } => Response::Cancelled { id, reason: why.clone() },
            Self::Asked { .. } | Self::Returned { .. } | Self::Reviewing | Self::Accepted | Self::Ended(_) => {
                return None;
            }
            Self::Came { .. } | Self::Waiting { .. } | Self::Unchecked => return None,
        }))
    }
}
