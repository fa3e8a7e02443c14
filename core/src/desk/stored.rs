//! A desk as JSON, to be stored.

use super::{Asked, Closed, Desk, Stage, Taken};
use crate::{form::Form, host::Host, moment::Moment, walk::Walk};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::{collections::VecDeque, fmt};

/// The version of the format.
const VERSION: u64 = 1;

/// What is stored.
#[derive(Serialize, Deserialize)]
struct Stored<'a> {
    ask_user_desk: u64,
    #[serde(flatten)]
    asked: std::borrow::Cow<'a, Asked>,
    /// The walk as it was handed out. Absent in what an earlier version has stored: it was at its beginning then.
    #[serde(default)]
    handed_out: Option<Value>,
    /// The walk as a client has kept it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    kept: Option<Value>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    closed: Option<std::borrow::Cow<'a, Closed>>,
    /// The version of the walk, for who tells clients of the question without reading the desk.
    #[serde(default)]
    version: String,
    /// When the time for an answer is over, in milliseconds since the beginning of 1970: for hosts that look without making a desk.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    expires: Option<i64>,
    #[serde(default, skip_serializing_if = "VecDeque::is_empty")]
    earlier: VecDeque<Taken>,
}

/// Why a stored desk cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnreadableDesk {
    /// What is missing or wrong.
    pub reason: String,
}

impl fmt::Display for UnreadableDesk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "The stored question cannot be read: {}.", self.reason)
    }
}

impl std::error::Error for UnreadableDesk {}

/// Why a text is not an input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnreadableInput {
    /// What is missing or wrong.
    pub reason: String,
}

impl fmt::Display for UnreadableInput {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "This is not an input of a desk: {}.", self.reason)
    }
}

impl std::error::Error for UnreadableInput {}

impl Desk {
    /// The desk as JSON. It has no secret. In it, the version of the format is in the field `ask_user_desk`.
    pub fn to_json(&self) -> Value {
        let (kept, closed) = match &self.stage {
            Stage::Open(kept) => (kept.clone(), None),
            Stage::Closed(closed) => (None, Some(std::borrow::Cow::Borrowed(&**closed))),
        };
        let stored = Stored {
            ask_user_desk: VERSION,
            asked: std::borrow::Cow::Borrowed(&self.asked),
            handed_out: self.own.as_ref().map(Walk::save).or_else(|| self.unread.clone()),
            kept,
            closed,
            version: self.version(),
            expires: self.expires_at().map(Moment::millis),
            earlier: self.earlier.clone(),
        };
        serde_json::to_value(stored).unwrap_or_default()
    }

    /// Reads a stored desk. A question whose request this version cannot read can still be stopped.
    ///
    /// # Errors
    /// [`UnreadableDesk`] if `value` is not a desk, or has another version.
    pub fn from_json(value: &Value) -> Result<Self, UnreadableDesk> {
        let unreadable = |reason: String| UnreadableDesk { reason };
        let fields = value.as_object().ok_or_else(|| unreadable("it is not an object".into()))?;
        let stored = Stored::deserialize(fields).map_err(|error| unreadable(error.to_string()))?;
        if stored.ask_user_desk != VERSION {
            return Err(unreadable(format!("version {} is not supported", stored.ask_user_desk)));
        }
        let asked = stored.asked.into_owned();
        let own = handed_out(&asked, stored.handed_out.as_ref());
        let stage = match stored.closed {
            Some(closed) => Stage::Closed(Box::new(closed.into_owned())),
            None => Stage::Open(stored.kept),
        };
        let unread = stored.handed_out.filter(|_| own.is_none());
        Ok(Self { asked, own, unread, stage, earlier: stored.earlier })
    }
}

/// The walk as it was handed out: without one, at its beginning.
fn handed_out(asked: &Asked, walk: Option<&Value>) -> Option<Walk> {
    let host = Host::from_json(&asked.options).ok()?;
    let form = Form::read(&*asked.request, asked.dialect, &host).ok()?;
    match walk {
        Some(walk) => Walk::resume(form, walk).ok(),
        None => Some(Walk::new(form)),
    }
}
