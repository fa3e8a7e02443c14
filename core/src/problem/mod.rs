//! Errors, by the party at fault: the agent's request ([`Rejection`]), this action now
//! ([`Refusal`]), a saved walk ([`Unresumable`]), the host's own code ([`Misuse`]). Never mixed, never a panic.
//!
//! Each carries facts and a stable code; `Display` says what to do about it. The module knows no form and no walk.

mod misuse;
mod pointer;
mod refusal;
mod rejection;
mod unsafe_url;

pub use misuse::{Misuse, Unresumable};
pub use pointer::Pointer;
pub use refusal::{NotAllowed, Refusal, RefusedAnswer, RefusedAnswers, Violation};
pub use rejection::{ConditionPlace, Findings, MAX_BYTES, Problem, ProblemKind, Rejection};
pub use unsafe_url::UnsafeUrl;

use serde_json::{Map, Value};

/// A JSON object of the given fields, in their order.
pub(crate) fn object<const N: usize>(mut fields: [(&str, Value); N]) -> Map<String, Value> {
    // The loop stands in a function of its own, and so once in the download.
    fn collected(fields: &mut [(&str, Value)]) -> Map<String, Value> {
        let mut map = Map::new();
        for (key, value) in fields {
            map.insert((*key).to_owned(), value.take());
        }
        map
    }
    collected(&mut fields)
}

/// A JSON object of those of the given fields that are there, in their order.
pub(crate) fn collected(fields: &mut [(&str, Option<Value>)]) -> Map<String, Value> {
    let mut map = Map::new();
    for (key, value) in fields {
        if let Some(value) = value.take() {
            map.insert((*key).to_owned(), value);
        }
    }
    map
}
