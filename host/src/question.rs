//! A question as the host has put it to the person: its desk, which decides what counts, and what the host itself has to know of it.

use crate::{agent::Asking, store::Answer};
use ask_user_core::{
    Walk,
    conversation::{State, ToolCall},
    desk::{Asked, Desk, Unasked, UnreadableDesk},
};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use std::{
    collections::HashMap,
    time::{Duration, SystemTime, UNIX_EPOCH},
};

/// A question, as it is stored.
pub struct Question {
    pub desk: Desk,
    more: More,
}

/// What stands beside the desk.
#[derive(Clone, Default, Serialize, Deserialize)]
struct More {
    /// When it was put to the person, in milliseconds since 1970. Questions of earlier versions do not say it.
    #[serde(default)]
    asked: Option<u64>,
    /// The trace that it belongs to, if there is one, as headers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    trace: Option<HashMap<String, String>>,
}

/// What time it is, in milliseconds since the beginning of 1970.
pub fn clock() -> i64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(now.as_millis()).unwrap_or(i64::MAX)
}

impl Question {
    /// Asks the question of a call with a walk that stands before its first question. `earlier` is the desk of the question that the same call asked before.
    pub fn ask(
        asked: Asked,
        walk: &Walk,
        earlier: Option<Desk>,
        trace: Option<HashMap<String, String>>,
    ) -> Result<Self, Unasked> {
        let more = More { asked: u64::try_from(clock()).ok(), trace };
        Ok(Self { desk: Desk::new(asked, walk, earlier)?, more })
    }

    /// Reads a stored question. One of an earlier version has no desk: `state` is that of its conversation, and `answers` are those that were taken for its call.
    pub fn read(stored: &Value, state: &State, answers: &[Answer]) -> Result<Self, UnreadableDesk> {
        let desk = match stored.get("desk") {
            Some(desk) => Desk::from_json(desk)?,
            None => Desk::from_json(&before(stored, state, answers))?,
        };
        Ok(Self { desk, more: More::deserialize(stored).unwrap_or_default() })
    }

    /// A question of which nothing is known but under which key it was answered.
    pub fn answered(answer: &Answer) -> Result<Self, UnreadableDesk> {
        let taken = json!({ "key": answer.key, "nonce": answer.nonce, "sent": null });
        let desk = json!({ "ask_user_desk": 1, "call": answer.call, "request": "null", "options": { "nonce": answer.nonce },
                           "closed": { "how": "answered", "taken": taken, "handed": true } });
        Ok(Self { desk: Desk::from_json(&desk)?, more: More::default() })
    }

    /// The question as it is stored.
    pub fn to_json(&self) -> Value {
        let mut stored = json!(self.more);
        stored["desk"] = self.desk.to_json();
        stored
    }

    /// When it was put to the person.
    pub fn asked(&self) -> Option<SystemTime> {
        UNIX_EPOCH.checked_add(Duration::from_millis(self.more.asked?))
    }

    /// The trace that it belongs to, as headers.
    pub fn trace(&self) -> Option<&HashMap<String, String>> {
        self.more.trace.as_ref()
    }
}

/// What a call asks. With the nonce, the same answer to a question that is asked again is another one.
pub fn asked(call: &ToolCall, asking: &Asking, label: &str, turn: &Value, nonce: &str) -> Asked {
    let options = json!({ "tool_call_id": call.id, "label": label, "source": asking.source, "target": asking.target,
                          "turn": turn, "nonce": nonce, "blocking": asking.blocking });
    Asked { call: call.id.clone(), request: asking.request.to_string(), dialect: asking.dialect, options }
}

/// The desk of a question that an earlier version has stored.
fn before(stored: &Value, state: &State, answers: &[Answer]) -> Value {
    let call = stored["options"]["tool_call_id"].as_str().unwrap_or_default();
    let nonce = &stored["options"]["nonce"];
    let (own, earlier): (Vec<_>, Vec<_>) = answers.iter().partition(|answer| *nonce == answer.nonce);
    let taken = |answer: &Answer| {
        // A key that the host had made of the call and of the nonce, as a string of JSON, has no quotes any more.
        let (made, now) = (format!("{call} {}", json!(answer.nonce)), format!("{call} {}", answer.nonce));
        let key = if answer.key == made { &now } else { &answer.key };
        let sent: Value = serde_json::from_str(&answer.log).unwrap_or_default();
        json!({ "key": key, "nonce": answer.nonce, "sent": sent })
    };
    let mut desk = Map::from_iter([
        ("ask_user_desk".to_owned(), json!(1)),
        ("call".to_owned(), json!(call)),
        ("request".to_owned(), json!(stored["request"].to_string())),
        ("dialect".to_owned(), stored["dialect"].clone()),
        ("options".to_owned(), stored["options"].clone()),
        ("handed_out".to_owned(), stored["walk"].clone()),
        ("earlier".to_owned(), earlier.into_iter().map(taken).collect()),
    ]);
    match state {
        State::AwaitingUser { call: open, walk, .. } if open.id == call => {
            desk.extend(walk.clone().map(|walk| ("kept".to_owned(), walk)));
        }
        _ => {
            let taken = own.first().map(|answer| taken(answer));
            let closed = json!({ "how": "answered", "taken": taken, "handed": true });
            desk.insert("closed".into(), closed);
        }
    }
    Value::Object(desk)
}
