//! What the sender of an input hears: a code, problems and a version, from which a host makes its own reply.

use crate::walk::Step;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// What came of an input, for its sender. In JSON, one word in snake case.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Code {
    /// It was taken.
    Taken,
    /// The same was taken before, under the same key.
    TakenBefore,
    /// The walk is kept, or a later one is.
    Kept,
    /// Another answer was taken under this key.
    SentDifferently,
    /// The question is not open: it was answered, stopped, overtaken or never asked, or this answer belongs to another question of the same call id.
    NotOpen,
    /// Another client has kept a walk since the version that this one replaces.
    Behind,
    /// The same plain answer was taken for an earlier question of this call id, and came without a key: it may be that one once more.
    NeedsKey,
    /// Not every question is answered, or the review is not submitted.
    Incomplete,
    /// The answer does not fit, or was changed on its way.
    Refused,
    /// A client says that it cannot read a request that the host has read.
    NotRejected,
    /// This version cannot read the question that another version has stored.
    Unreadable,
}

impl Code {
    /// The word in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Taken => "taken",
            Self::TakenBefore => "taken_before",
            Self::Kept => "kept",
            Self::SentDifferently => "sent_differently",
            Self::NotOpen => "not_open",
            Self::Behind => "behind",
            Self::NeedsKey => "needs_key",
            Self::Incomplete => "incomplete",
            Self::Refused => "refused",
            Self::NotRejected => "not_rejected",
            Self::Unreadable => "unreadable",
        }
    }

    /// The HTTP status that says the same.
    pub fn status(self) -> u16 {
        match self {
            Self::Taken | Self::TakenBefore => 200,
            Self::Kept => 204,
            Self::SentDifferently | Self::NotOpen | Self::NeedsKey => 409,
            Self::Behind => 412,
            Self::Incomplete | Self::Refused | Self::NotRejected => 422,
            Self::Unreadable => 500,
        }
    }

    /// What happened and what to do, for who calls the host.
    fn message(self) -> &'static str {
        match self {
            Self::Taken => "The answer was taken.",
            Self::TakenBefore => "The same answer was taken before. Nothing was changed.",
            Self::Kept => "The answers so far are kept.",
            Self::SentDifferently => "Another answer was taken already. This one was not.",
            Self::NotOpen => {
                "This question is not open. It may have been answered, stopped or overtaken, or it has expired. Nothing was changed."
            }
            Self::Behind => "The answers were changed in another tab or on another device.",
            Self::NeedsKey => {
                "The same answer was taken for an earlier question with the same call id. Send it with an Idempotency-Key."
            }
            Self::Incomplete => "Not every question is answered.",
            Self::Refused => "The answer does not fit.",
            Self::NotRejected => "This host has read the request as a form. Reload the page, and answer there.",
            Self::Unreadable => "This question was stored by another version, which asked it. Stop the agent to go on.",
        }
    }
}

/// What the sender of an input hears.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Reply {
    /// What came of it.
    pub code: Code,
    /// The HTTP status that says the same.
    pub status: u16,
    /// What happened and what to do, in English.
    pub message: String,
    /// Everything that is wrong with the answer.
    pub problems: Vec<Problem>,
    /// The version of the walk that is kept now, as an ETag.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// With [`Code::Behind`], the walk that is kept.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub walk: Option<Value>,
}

/// What is wrong with an answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Problem {
    /// The question that it is about, or the name that is no question.
    pub question: Option<String>,
    /// The code, which does not change between versions.
    pub code: String,
    /// What is wrong and what to do.
    pub message: String,
}

impl Problem {
    pub(super) fn of(question: Option<String>, code: &str, message: String) -> Self {
        Self { question, code: code.to_owned(), message }
    }
}

impl Reply {
    /// A reply with the message of its code.
    pub fn of(code: Code) -> Self {
        Self {
            code,
            status: code.status(),
            message: code.message().to_owned(),
            problems: Vec::new(),
            version: None,
            walk: None,
        }
    }

    pub(super) fn kept(version: String) -> Self {
        Self { version: Some(version), ..Self::of(Code::Kept) }
    }

    /// One problem with the whole answer.
    pub(super) fn refused(code: &str, message: String) -> Self {
        let problem = Problem::of(None, code, message.clone());
        Self { message, problems: vec![problem], ..Self::of(Code::Refused) }
    }

    /// Problems with answers. If only answers are missing, it is incomplete.
    pub(super) fn unfit(problems: Vec<Problem>, message: String) -> Self {
        let is_incomplete = problems.iter().all(|problem| problem.code == "required");
        Self { problems, message, ..Self::of(if is_incomplete { Code::Incomplete } else { Code::Refused }) }
    }

    /// A walk that has not ended, by where it stands.
    pub(super) fn incomplete(step: &Step) -> Self {
        let problem = match step {
            Step::Asking(asking) => {
                Problem::of(Some(asking.question.id.clone()), "required", "The question is not answered.".into())
            }
            Step::Review(_) | Step::Checking | Step::Waiting { .. } | Step::Done { .. } => {
                Problem::of(None, "not_submitted", "The answers were not submitted on the review.".into())
            }
        };
        Self { problems: vec![problem], ..Self::of(Code::Incomplete) }
    }
}
