//! Why the host did not do something.

use crate::store::Fault;
use ask_user_core::{Refusal, conversation::Unexpected};
use serde_json::Value;
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
    /// Another answer was taken under this key.
    AnsweredDifferently,
    /// The same answer was taken for an earlier question of this call id, and came without a key: it may be that one once more.
    NeedsKey,
    /// The body is no JSON, or too large: the status to answer with, and why.
    Unreadable { status: u16, message: String },
    /// Another page has saved a walk since the version that this one replaces.
    Behind { version: String, walk: Option<Value> },
    /// The answer does not fit: its code, and what is wrong.
    Unfit { code: &'static str, message: String, question: Option<String> },
    /// Plain answers came, and no question is open.
    NothingOpen,
    /// The last request to the model did not fail, or makes no sense again.
    NothingToRetry,
    /// Plain answers do not fit: everything that is wrong with them.
    Answers(Refusal),
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
            Self::AnsweredDifferently => "answered_differently",
            Self::NeedsKey => "needs_key",
            Self::Unreadable { .. } => "unreadable",
            Self::Behind { .. } => "behind",
            Self::Unfit { code, .. } => code,
            Self::NothingOpen => "nothing_open",
            Self::NothingToRetry => "nothing_to_retry",
            Self::Answers(refusal) => refusal.code(),
            Self::Store(_) => "store",
        }
    }
}

impl fmt::Display for Refused {
    /// What the log says. It never has anything that a person has answered.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoConversation => f.write_str("no such conversation"),
            Self::NotYours => f.write_str("a wrong token"),
            Self::Unexpected(error) => f.write_str(error.code()),
            Self::AnsweredDifferently => f.write_str("answered differently"),
            Self::NeedsKey => f.write_str("an answer without a key that may have come twice"),
            Self::Unreadable { .. } => f.write_str("an unreadable body"),
            Self::Behind { .. } => f.write_str("a walk that is behind"),
            Self::Unfit { code, .. } => f.write_str(code),
            Self::NothingOpen => f.write_str("nothing is open"),
            Self::NothingToRetry => f.write_str("nothing to retry"),
            Self::Answers(refusal) => f.write_str(refusal.code()),
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
