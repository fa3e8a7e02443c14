//! Everything that can be wrong, by the party at fault: the agent's request ([`Rejection`]), this action now
//! ([`Refusal`]), a saved walk ([`Unresumable`]), the host's own code ([`Misuse`]). Never mixed, never a panic.
//!
//! Each carries facts and a stable code; `Display` says what to do about it. This room knows no form and no walk.

mod misuse;
mod pointer;
mod refusal;
mod rejection;

pub use misuse::{Misuse, Unresumable};
pub use pointer::Pointer;
pub use refusal::{Refusal, Violation};
pub use rejection::{Findings, MAX_PROBLEMS, Problem, ProblemKind, Rejection};

use serde_json::{Map, Value};

/// A JSON object of the given fields, in their order.
pub(crate) fn object<const N: usize>(fields: [(&str, Value); N]) -> Map<String, Value> {
    fields.into_iter().map(|(key, value)| (key.to_owned(), value)).collect()
}
