//! One person's way through a form.
//!
//! A walk is a form and the list of what happened. Three functions make it:
//!
//! - `decide(form, state, action)` returns the events that an action leads to, or a [`crate::Refusal`]. It makes every decision: whether an
//!   answer fits, who is asked next, what is answered without asking, how the walk ends.
//! - `State::apply(event)` updates the state. It cannot fail, and decides nothing.
//! - Projections read the form, the state and the events: [`Walk::step`], [`Walk::records`], [`Walk::outcome`], [`Walk::turn`],
//!   [`Walk::save`], [`Walk::idempotency_key`].
//!
//! Every action goes through `decide`, whether it comes from a person now, from a saved walk, or from a client's response. This
//! module does not know any agent's JSON. The methods of [`Walk`] stand in three files: how it begins and is taken up again (`begin`), what is
//! done in it (`act`), and its projections (`projections`).

mod act;
mod begin;
mod decide;
mod drafts;
mod event;
mod page;
mod projections;
mod saved;
mod state;
mod step;

pub use event::{Action, Asks, Event, Return};
pub use step::{Asking, Progress, Review, Reviewed, Step};

use crate::form::Outline;
use serde_json::{Map, Value};
use state::{Known, State};
use std::sync::Arc;

/// One person's way through a form. A plain value: it can be compared, cloned, saved and resumed. It changes only through
/// [`Walk::act`], [`Walk::expire`], [`Walk::answer_all`], [`Walk::answers`] and [`Walk::accept`].
#[derive(Clone, Debug, PartialEq)]
pub struct Walk {
    form: Arc<Outline>,
    began: Known,
    events: Vec<Event>,
    /// The state after the events. Invariant: it is a new state to which the events were applied in order.
    state: State,
    nonce: Option<String>,
    /// What earlier forms left for the fields of this one, and of those after it, by question id.
    drafts: Arc<Map<String, Value>>,
}

impl Walk {
    fn take_in(&mut self, events: Vec<Event>) {
        events.iter().for_each(|event| self.state.apply(event));
        self.events.extend(events);
    }
}
