//! The state of a conversation with an agent that runs tools: it requests the model, executes tools one after the other, waits
//! for the person where a tool asks, and is idle between turns. A pure state machine: the host tells what happened
//! ([`Event`]), and carries out what follows ([`Effect`]). Knows no form and no walk.
//!
//! ```text
//!               message                    response with calls
//!    ┌──────┐ ─────────▶ ┌───────────────┐ ──────────────────▶ ┌───────────┐   a tool asks   ┌──────────────┐
//!    │ idle │            │ requesting    │                     │ executing │ ──────────────▶ │ awaiting     │
//!    │      │ ◀───────── │ the model     │ ◀────────────────── │ one call  │ ◀────────────── │ user response│
//!    └──────┘  no calls  └───────────────┘   last call is done └───────────┘  answered,      └──────────────┘
//!       ▲      or failed                                          │  ▲  │      declined or           │
//!       │                                              next call  └──┘  │      overtaken             │
//!       └───────────────────────────────────────────────────────────────┴────────────────────────────┘
//!                          the person ends the turn: every open call gets a result that says so
//! ```
//!
//! A tool that was running when the process ended is not run again, since nobody knows what it did: its result says so.
//!
//! What a host keeps to:
//!
//! 1. Store [`Conversation::to_json`] and the results of [`Effect::PersistResults`] in one transaction, before any other effect
//!    of the same event is carried out.
//! 2. After a restart, load it with [`Conversation::from_json`] and bring [`Event::Restarted`].
//! 3. Bring one event at a time, and none that the machine refuses.
//!
//! **The invariant:** every tool call of the model gets exactly one result, whatever happens, and before the model is requested
//! again.

mod event;
mod state;

pub use event::{Closed, Effect, Event, Notice, Unexpected};
pub use state::{State, ToolCall, ToolResult, UnreadableState};

use crate::problem::object;
use serde_json::Value;

/// A conversation.
#[derive(Clone, Debug, PartialEq)]
pub struct Conversation {
    state: State,
    /// Whether a person can be asked at all: a sub-agent has none.
    attended: bool,
}

impl Conversation {
    /// A conversation that has not begun. Where no person belongs to it (a sub-agent), a tool that asks gets an error at once.
    pub fn new(attended: bool) -> Self {
        Self { state: State::Idle, attended }
    }

    /// Where it stands.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// Takes up what happened, and says what is to be done, in this order. A refused event changes nothing.
    pub fn on(&mut self, event: Event) -> Result<Vec<Effect>, Unexpected> {
        let Change { state, results, closed, then } = self.change(event)?;
        let mut effects = Vec::with_capacity(4);
        if !results.is_empty() {
            effects.push(Effect::PersistResults(results));
        }
        effects.push(Effect::PersistState);
        effects.push(Effect::Notify(Notice { state: state.public_json(), closed }));
        effects.extend(then);
        self.state = state;
        Ok(effects)
    }

    /// The JSON form, for storing.
    pub fn to_json(&self) -> Value {
        let mut json = object([("ask_user_conversation", VERSION.into()), ("attended", self.attended.into())]);
        json.extend(self.state.to_json());
        Value::Object(json)
    }

    /// Reads the JSON form.
    pub fn from_json(value: &Value) -> Result<Self, UnreadableState> {
        let unreadable = |reason| UnreadableState { reason };
        if value.get("ask_user_conversation").and_then(Value::as_u64) != Some(VERSION) {
            return Err(unreadable("\"ask_user_conversation\" is missing, or of another version"));
        }
        let attended = value.get("attended").and_then(Value::as_bool).ok_or(unreadable("\"attended\" is missing"))?;
        Ok(Self { state: State::from_json(value)?, attended })
    }

    /// What clients are to be told now, as when one connects late.
    pub fn notice(&self) -> Notice {
        Notice { state: self.state.public_json(), closed: None }
    }
}

/// The version of the JSON form.
const VERSION: u64 = 1;

/// What an event comes to.
struct Change {
    state: State,
    results: Vec<ToolResult>,
    closed: Option<Closed>,
    then: Option<Effect>,
}

impl Change {
    fn to(state: State, then: Option<Effect>) -> Self {
        Self { state, results: Vec::new(), closed: None, then }
    }
}

impl Conversation {
    fn change(&self, event: Event) -> Result<Change, Unexpected> {
        match &self.state {
            State::Idle => match event {
                Event::Message => Ok(request_model(Vec::new())),
                Event::Restarted => Ok(Change::to(State::Idle, None)),
                other => Err(out_of_place(&other, &self.state)),
            },
            State::RequestingModel => match event {
                Event::ModelResponded { calls } => begin(calls),
                Event::ModelFailed | Event::Stopped => Ok(Change::to(State::Idle, Some(Effect::Done))),
                Event::Restarted => Ok(request_model(Vec::new())),
                Event::Message => Err(Unexpected::Busy),
                other => Err(out_of_place(&other, &self.state)),
            },
            State::Executing { call, remaining } => self.executing(event, call, remaining),
            State::AwaitingUser { call, remaining, request, .. } => self.awaiting(event, call, remaining, request),
        }
    }

    fn executing(&self, event: Event, call: &ToolCall, remaining: &[ToolCall]) -> Result<Change, Unexpected> {
        match event {
            Event::ToolCompleted { call_id, content, is_error } => {
                is_open(call, &call_id)?;
                Ok(go_on(ToolResult { call_id, content, is_error }, remaining))
            }
            Event::QuestionPending { call_id, request } => {
                is_open(call, &call_id)?;
                if !self.attended {
                    return Ok(go_on(call.error(&format!("{} {SUB_AGENT}", call.name)), remaining));
                }
                let (call, remaining) = (call.clone(), remaining.to_vec());
                Ok(Change::to(State::AwaitingUser { call, remaining, request, walk: None }, None))
            }
            Event::Stopped => Ok(end_turn(call.error(STOPPED), remaining, None)),
            Event::Restarted => Ok(go_on(call.error(INTERRUPTED), remaining)),
            Event::Message => Err(Unexpected::Busy),
            other => Err(out_of_place(&other, &self.state)),
        }
    }

    fn awaiting(
        &self,
        event: Event,
        call: &ToolCall,
        remaining: &[ToolCall],
        request: &Value,
    ) -> Result<Change, Unexpected> {
        let closed = |how: fn(String) -> Closed| Some(how(call.id.clone()));
        let answered = |call_id: String, content: Value, closed: Option<Closed>| {
            is_open(call, &call_id)?;
            Ok(Change { closed, ..go_on(ToolResult { call_id, content, is_error: false }, remaining) })
        };
        match event {
            Event::Responded { call_id, result } => answered(call_id, result, closed(Closed::Answered)),
            Event::Declined { call_id, result } => answered(call_id, result, closed(Closed::Declined)),
            Event::Cancelled { call_id, result } => {
                is_open(call, &call_id)?;
                let result = match result {
                    Some(content) => ToolResult { call_id, content, is_error: false },
                    None => call.error(CANCELLED),
                };
                Ok(end_turn(result, remaining, closed(Closed::TurnEnded)))
            }
            // The tool went on without an answer: the question is overtaken.
            Event::ToolCompleted { call_id, content, is_error } => {
                is_open(call, &call_id)?;
                let result = ToolResult { call_id, content, is_error };
                Ok(Change { closed: closed(Closed::Overtaken), ..go_on(result, remaining) })
            }
            Event::WalkSaved { call_id, walk } => {
                is_open(call, &call_id)?;
                let (call, remaining, request) = (call.clone(), remaining.to_vec(), request.clone());
                Ok(Change::to(State::AwaitingUser { call, remaining, request, walk: Some(walk) }, None))
            }
            Event::Stopped => Ok(end_turn(call.error(CANCELLED), remaining, closed(Closed::TurnEnded))),
            Event::Restarted => Ok(Change::to(self.state.clone(), None)),
            Event::Message => Err(Unexpected::AwaitingUser { call_id: call.id.clone() }),
            other => Err(out_of_place(&other, &self.state)),
        }
    }
}

const SUB_AGENT: &str = "is not available to sub-agents";
const CANCELLED: &str = "User cancelled the question";
const STOPPED: &str = "The user ended the turn while this tool ran; it may have taken effect in part.";
const NOT_RUN: &str = "The user ended the turn before this tool ran; it was not executed.";
const INTERRUPTED: &str =
    "The host was restarted while this tool ran; it may have taken effect. Check before you call it again.";

/// Begins with the calls of a model's response; without any, the agent is done.
fn begin(calls: Vec<ToolCall>) -> Result<Change, Unexpected> {
    for (place, call) in calls.iter().enumerate() {
        if calls.iter().take(place).any(|earlier| earlier.id == call.id) {
            return Err(Unexpected::DuplicateCall { call_id: call.id.clone() });
        }
    }
    Ok(match execute(calls) {
        Some(change) => change,
        None => Change::to(State::Idle, Some(Effect::Done)),
    })
}

fn execute(calls: Vec<ToolCall>) -> Option<Change> {
    let mut calls = calls.into_iter();
    let call = calls.next()?;
    let state = State::Executing { call: call.clone(), remaining: calls.collect() };
    Some(Change::to(state, Some(Effect::Execute(call))))
}

/// The call has its result: the next one is executed, or the model is requested.
fn go_on(result: ToolResult, remaining: &[ToolCall]) -> Change {
    let results = vec![result];
    match execute(remaining.to_vec()) {
        Some(change) => Change { results, ..change },
        None => request_model(results),
    }
}

fn request_model(results: Vec<ToolResult>) -> Change {
    Change { results, ..Change::to(State::RequestingModel, Some(Effect::RequestModel)) }
}

/// The turn is over: what was not run gets a result that says so.
fn end_turn(result: ToolResult, remaining: &[ToolCall], closed: Option<Closed>) -> Change {
    let mut results = vec![result];
    results.extend(remaining.iter().map(|call| call.error(NOT_RUN)));
    Change { results, closed, ..Change::to(State::Idle, Some(Effect::Done)) }
}

fn is_open(call: &ToolCall, call_id: &str) -> Result<(), Unexpected> {
    if call.id == call_id { Ok(()) } else { Err(Unexpected::NotOpen { call_id: call_id.to_owned() }) }
}

/// What was meant for a call that is open no more says so; anything else came at the wrong time.
fn out_of_place(event: &Event, state: &State) -> Unexpected {
    match event.call_id() {
        Some(call_id) if state.call().is_none_or(|open| open.id != call_id) => {
            Unexpected::NotOpen { call_id: call_id.to_owned() }
        }
        Some(_) | None => Unexpected::OutOfPlace { event: event.name(), state: state.name() },
    }
}
