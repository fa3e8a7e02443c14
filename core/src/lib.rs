//! ask-user-core reads an agent's question call, takes a person through it, and writes the result in the agent's own shape.
//!
//! The crate does no I/O and has no clock, no randomness and no threads. A host brings the request in and takes the result out:
//!
//! 1. [`Form::read`] turns a request into a form, or into a [`Rejection`] that lists every problem at once.
//! 2. [`Walk::new`] begins at the first question. [`Walk::step`] says what to show.
//! 3. [`Walk::act`] does what the person did. A [`Refusal`] says why not, and changes nothing.
//! 4. When the walk has ended, [`Walk::outcome`] has the result for the agent and, for the host alone, the secrets.
//! 5. [`Walk::records`] is the audit trail. [`Walk::turn`] is what the next form of the same turn begins with.
//! 6. [`Walk::save`] and [`Walk::resume`] carry a walk to another process.
//!
//! ```
//! use ask_user_core::{Action, Dialect, Form, Host, Walk};
//! use serde_json::json;
//!
//! let request = json!({ "questions": [
//!     { "id": "apply", "text": "Apply the migration?", "answer_type": "boolean" },
//!     { "id": "env", "text": "Which environment?", "answer_type": "select",
//!       "options": ["staging", "production"], "when": { "question_id": "apply", "equals": true } }
//! ] });
//! let mut walk = Walk::new(Form::read(&request, Dialect::Detect, &Host::default())?);
//! walk.act(Action::answer(true))?;
//! walk.act(Action::answer("staging"))?;
//! let outcome = walk.outcome().expect("every question is answered");
//! assert_eq!(outcome.result, Some(json!({ "apply": true, "env": "staging" })));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! **Nobody is answered for.** An outcome is only complete when every question that was asked has an answer, and [`By`] says who gave it.
//!
//! **No input panics, hangs or exhausts memory.** Each call has a [`Budget`] of work. What would exceed it is refused with `too_large`.
//!
//! Out of scope: showing a form (the crate `ask-user-web`), the network, and time.

#![deny(unsafe_code)]
#![cfg_attr(not(any(feature = "wasm", feature = "fixed-seeds")), forbid(unsafe_code))]

mod answer;
mod budget;
pub mod conversation;
pub mod desk;
mod dialect;
mod form;
mod host;
pub mod json;
mod moment;
mod outcome;
pub mod problem;
mod question;
pub mod record;
pub mod route;
pub mod schema;
#[cfg(all(feature = "fixed-seeds", target_arch = "wasm32", target_os = "unknown"))]
mod seeds;
pub mod text;
mod turn;
mod walk;
#[cfg(feature = "wasm")]
pub mod wasm;
mod writing;

pub use answer::{Advice, Answer, By, Content, Decided, Exact, Given, REDACTED, Secret, Selection, Taken};
pub use budget::{Budget, Exhausted};
pub use dialect::{
    BadDialect, Dialect, NewCondition, NewOption, NewQuestion, OwnDialect, Reader, Reading, Request, ToolDefinition,
    UnknownDialect,
};
pub use form::{Form, Growing, Outline, Provisional};
pub use host::{
    Detached, Detect, Exclusive, Host, Limits, Policies, Policy, PromptKind, Replies, Reuse, Source, Target,
    UnknownPromptKind,
};
pub use moment::Moment;
pub use outcome::{Closing, Ending, Ends, Failure, Outcome, Reply, Unrouted};
pub use problem::{Misuse, Refusal, Rejection, Unresumable};
pub use question::{
    Act, AnswerType, Approval, COMMAND, Called, Calls, Change, Choice, Choices, Covered, Decision, Format, Grant,
    HostRisk, HostRisks, Link, NumberRules, Offer, Offers, Phrase, Question, Risk, RiskKind, SENTENCES, Scope,
    Selections, Sentence, Shown, ShownValue, Test, TextRules, Wanted, When, Wording,
};
pub use route::{Consultation, Verdict};
pub use turn::{Remembered, Turn};
pub use walk::{Action, Asking, Asks, Event, Progress, Return, Review, Reviewed, Step, Walk};
