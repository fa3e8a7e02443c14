//! Why the host did not do something.

use crate::store::Fault;
use ask_user_core::{
    conversation::Unexpected,
    desk::{Code, Reply, UnreadableDesk, UnreadableInput},
};
use std::fmt;

/// Why something was not done.
#[derive(Debug)]
pub enum Refused {
    /// There is no such conversation.
    NoConversation,
    /// Whoever asks does not know the conversation's token.
    NotYours,
    /// It cannot happen now.
    Unexpected(Unexpected),
    /// What the desk of a question replied.
    Desk(Box<Reply>),
    /// The body is no JSON, or too large: the status to answer with, and why.
    Unreadable { status: u16, message: String },
    /// The body has not what this address takes: what it lacks.
    Bad(String),
    /// The last request to the model did not fail, or makes no sense again.
    NothingToRetry,
    /// The store failed; nothing was changed.
    Store(Fault),
}

impl Refused {
    /// What clients read, and what is counted.
    pub fn code(&self) -> &'static str {
        match self {
            Self::NoConversation => "no_conversation",
            Self::NotYours => "not_yours",
            Self::Unexpected(error) => error.code(),
            Self::Desk(reply) => reply.code.name(),
            Self::Unreadable { .. } => "unreadable",
            Self::Bad(_) => "bad_request",
            Self::NothingToRetry => "nothing_to_retry",
            Self::Store(_) => "store",
        }
    }

    /// No question is open that a client could mean.
    pub fn not_open() -> Self {
        Self::Desk(Box::new(Reply::of(Code::NotOpen)))
    }
}

impl std::error::Error for Refused {}

impl fmt::Display for Refused {
    /// What the log says. It never has anything that a person has answered.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoConversation => f.write_str("no such conversation"),
            Self::NotYours => f.write_str("a wrong token"),
            Self::Unexpected(error) => f.write_str(error.code()),
            Self::Desk(reply) => f.write_str(reply.code.name()),
            Self::Unreadable { .. } => f.write_str("an unreadable body"),
            Self::Bad(_) => f.write_str("a body that lacks something"),
            Self::NothingToRetry => f.write_str("nothing to retry"),
            Self::Store(fault) => write!(f, "the store: {fault}"),
        }
    }
}

impl From<Fault> for Refused {
    fn from(error: Fault) -> Self {
        Self::Store(error)
    }
}

impl From<Unexpected> for Refused {
    fn from(error: Unexpected) -> Self {
        Self::Unexpected(error)
    }
}

impl From<UnreadableDesk> for Refused {
    fn from(_: UnreadableDesk) -> Self {
        Self::Desk(Box::new(Reply::of(Code::Unreadable)))
    }
}

impl From<UnreadableInput> for Refused {
    fn from(error: UnreadableInput) -> Self {
        Self::Bad(error.to_string())
    }
}
