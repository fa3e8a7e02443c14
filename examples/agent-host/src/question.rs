//! A question as the host has put it to the person: everything that it takes to read it again, in this process or the next.

use crate::{agent::Asking, host::Refused};
use ask_user_core::{Dialect, Form, Host as Options, Rejection, Walk, conversation::ToolCall};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::{
    collections::HashMap,
    time::{Duration, SystemTime, UNIX_EPOCH},
};

/// A question, as it is stored.
#[derive(Serialize, Deserialize)]
pub struct Question {
    /// What the agent or its tool asks.
    pub request: Value,
    pub dialect: Dialect,
    /// The host's options, as the core reads them.
    pub options: Value,
    /// The walk as it was handed out: what the person's answer is held against.
    walk: Value,
    /// When it was put to the person, in milliseconds since 1970. Questions of earlier versions do not say it.
    #[serde(default)]
    asked: Option<u64>,
    /// The trace that it belongs to, if there is one, as headers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trace: Option<HashMap<String, String>>,
}

impl Question {
    /// The question of a call. With the nonce, the same answer to a question that is asked again is another one.
    pub fn new(call: &ToolCall, asking: Asking, label: &str, turn: Value, nonce: String) -> Self {
        let options = json!({ "tool_call_id": call.id, "label": label, "source": asking.source, "target": asking.target,
                              "turn": turn, "nonce": nonce });
        Self { request: asking.request, dialect: asking.dialect, options, walk: Value::Null, asked: None, trace: None }
    }

    /// Reads the request, and stands before its first question.
    pub fn begin(&self) -> Result<Walk, Rejection> {
        self.form().map(Walk::new)
    }

    /// Keeps the walk as it is handed out, and when that is.
    pub fn hand_out(&mut self, walk: &Walk) {
        self.walk = walk.save();
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        self.asked = u64::try_from(now.as_millis()).ok();
    }

    /// When it was put to the person.
    pub fn asked(&self) -> Option<SystemTime> {
        UNIX_EPOCH.checked_add(Duration::from_millis(self.asked?))
    }

    /// The walk as it was handed out.
    pub fn walk(&self) -> Result<Walk, Refused> {
        let stored = |message: String| Refused::Unfit { code: "unreadable", message, question: None };
        let form = self.form().map_err(|rejection| stored(rejection.to_string()))?;
        Walk::resume(form, &self.walk).map_err(|error| stored(error.to_string()))
    }

    /// The walk as it was handed out, as it is stored.
    pub fn handed_out(&self) -> &Value {
        &self.walk
    }

    /// The options of the form.
    pub fn host(&self) -> Options {
        // We wrote them: they are right.
        Options::from_json(&self.options).unwrap_or_default()
    }

    fn form(&self) -> Result<Form, Rejection> {
        Form::read(&self.request, self.dialect, &self.host())
    }
}
