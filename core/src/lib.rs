//! ask-user-core: an agent's questions, validated; a person's way through them; the result in the agent's own shape.
//!
//! The crate does no I/O. It has no clock, no randomness and no threads; the host brings the request in and takes the
//! result out:
//!
//! 1. [`Form::read`] turns a request into a form, or into a [`Rejection`] that lists every problem at once.
//! 2. [`Walk::new`] stands at the first question for the person. [`Walk::step`] says what to show.
//! 3. [`Walk::act`] does what the person does. A [`Refusal`] says why not, and the walk is as it was.
//! 4. When the step is [`Step::Done`], [`Outcome::result`] is for the agent, and [`Outcome::secrets`] for the host alone.
//! 5. [`Walk::records`] is the audit trail, [`Walk::turn`] what the next form of the turn begins with.
//! 6. [`Walk::save`] and [`Walk::resume`] carry a walk to another process.
//!
//! ```
//! use ask_user_core::{Action, Dialect, Form, Host, Step, Walk};
//! use serde_json::json;
//!
//! let request = json!({ "questions": [
//!     { "id": "apply", "text": "Apply the migration?", "answer_type": "boolean" },
//!     { "id": "env", "text": "Which environment?", "answer_type": "select",
//!       "options": ["staging", "production"], "when": { "question_id": "apply", "equals": true } }
//! ] });
//! # #[cfg(feature = "schema")] {
//! let form = Form::read(&request, Dialect::Detect, &Host::default())?;
//! let mut walk = Walk::new(form);
//! walk.act(Action::answer(true))?;
//! walk.act(Action::answer("staging"))?;
//! let Step::Done(outcome) = walk.step() else { panic!("all is answered") };
//! assert_eq!(outcome.result(), Some(json!({ "apply": true, "env": "staging" })));
//! # }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! **The one invariant:** nothing counts as answered that nobody answered. There is no way to a completed outcome in which
//! a question that was asked has no answer.
//!
//! Out of scope: showing a form (`ask-user-web`), the network, and time.

#![deny(unsafe_code)]
#![cfg_attr(not(feature = "wasm"), forbid(unsafe_code))]

mod answer;
pub mod conversation;
mod dialect;
mod form;
mod host;
pub mod json;
mod outcome;
pub mod problem;
pub mod record;
pub mod route;
pub mod schema;
mod turn;
mod walk;
#[cfg(feature = "wasm")]
pub mod wasm;

pub use answer::{Answer, Given, REDACTED};
pub use dialect::{Dialect, Reading, Request, ToolDefinition, names as dialect_names};
pub use form::{AnswerType, Choice, Choices, Form, Format, Link, NumberRules, Question, Selections, TextRules, When};
pub use host::{Detached, Host, Limits, Policy, PromptKind, Reuse, Source, Target};
pub use outcome::{Ending, Failure, Outcome};
pub use problem::{Misuse, Refusal, Rejection, Unresumable};
pub use route::{Advice, Consultation, Verdict};
pub use turn::Turn;
pub use walk::{Action, Asking, Asks, Progress, Review, Step, Walk};
