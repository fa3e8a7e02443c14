//! The state of a conversation with an agent that calls tools. A state machine without I/O: the host reports each [`Event`] and carries out
//! the [`Effect`]s that follow. It runs the tool calls of a response one after the other, and waits for the person when a tool asks. It does
//! not know forms or walks.
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
//!                     the person ends the turn: every call that is waited for gets a result that says so
//! ```
//!
//! If the host wants that ([`Conversation::several_open`]), the next call of a response runs while the question of an earlier one is open, so several
//! questions can wait for the person. Events about them do not end the call that runs. The model is requested once all calls have their results.
//!
//! A question can also be asked without waiting for its answer: read its form with the option `blocking: false` ([`crate::Host::blocking`]) and report [`Event::QuestionPending`]
//! with these options. The call gets a result at once that says so, and the agent goes on. The question stays open through further turns, at most [`MOST_LATER`] of them at once. When it is closed,
//! the answer is a message to the agent ([`Effect::PersistMessages`]), which is requested again unless it works already. The end of the turn, said at such a question, closes that question alone:
//! the message says so, an agent that works goes on, and one that does not is not requested. To stop the agent leaves the question open.
//!
//! A tool that was running when the process ended is not run again, because nobody knows what it did. Its result says so.
//!
//! The host must follow three rules:
//!
//! 1. Store the [`Conversation`] (as JSON, with serde), the results of [`Effect::PersistResults`] and the messages of [`Effect::PersistMessages`] in one transaction, before
//!    it carries out any other effect of the same event.
//! 2. After a restart, load it with [`Conversation::from_json`] and report [`Event::Restarted`].
//! 3. Report one event at a time.
//!
//! **Invariant:** every tool call gets exactly one result, whatever happens, and gets it before the next request to the model.

mod event;
mod state;

pub use crate::outcome::Closing;
pub use event::{Closed, Effect, Event, Notice, Unexpected, UnreadableEvent};
pub use state::{LateAnswer, Open, State, ToolCall, ToolResult, UnreadableState};

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use state::Beside;
use std::collections::{BTreeSet, VecDeque};

/// The most tool calls of one response. Each is stored with those that are left, so a host's work grows with the square of their number.
pub const MOST_CALLS: usize = 128;
/// The most bytes of a call's id.
pub const LONGEST_ID: usize = 256;
/// The most questions that are open while the agent does not wait for them. The call of a further one gets an error.
pub const MOST_LATER: usize = 32;

/// A conversation. In JSON, the version of the format is in the field `ask_user_conversation`.
///
/// ```
/// use ask_user_core::conversation::{Conversation, Effect, Event, State, ToolCall};
/// use serde_json::json;
///
/// let mut conversation = Conversation::new(true);
/// assert_eq!(conversation.on(Event::Message)?.last(), Some(&Effect::RequestModel));
/// let call = ToolCall { id: "call_1".into(), name: "ask_user".into(), input: json!({}) };
/// let effects = conversation.on(Event::ModelResponded { calls: vec![call.clone()] })?;
/// assert_eq!(effects.last(), Some(&Effect::Execute(call)));
/// let loaded = Conversation::from_json(&serde_json::to_value(&conversation)?)?;
/// assert_eq!(loaded, conversation);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Conversation {
    #[serde(rename = "ask_user_conversation")]
    version: Version,
    attended: bool,
    #[serde(default, skip_serializing_if = "is_false")]
    several_open: bool,
    /// The questions that are open beside the call of the state, the oldest first. Each is older than that call. Invariant: empty unless a call runs or waits.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    beside: Vec<Beside>,
    /// The questions that the agent does not wait for, the oldest first. Their calls have their results.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    later: Vec<Beside>,
    #[serde(flatten)]
    state: State,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_false(value: &bool) -> bool {
    !*value
}

/// The version of the JSON format.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "u64", into = "u64")]
struct Version;

impl Version {
    const NUMBER: u64 = 1;
}

impl TryFrom<u64> for Version {
    type Error = String;

    fn try_from(number: u64) -> Result<Self, String> {
        if number == Self::NUMBER { Ok(Self) } else { Err(format!("version {number} is not supported")) }
    }
}

impl From<Version> for u64 {
    fn from(_: Version) -> Self {
        Version::NUMBER
    }
}

impl Conversation {
    /// An idle conversation. `attended` says whether a person can be asked. A sub-agent has nobody to ask: a tool that asks there gets an
    /// error at once.
    pub fn new(attended: bool) -> Self {
        Self {
            version: Version,
            attended,
            several_open: false,
            beside: Vec::new(),
            later: Vec::new(),
            state: State::Idle,
        }
    }

    /// The same conversation, with or without this option: the later calls of a response run while the question of an earlier one is open. The option is stored
    /// with the conversation.
    #[must_use]
    pub fn several_open(self, several_open: bool) -> Self {
        Self { several_open, ..self }
    }

    /// Reads a stored conversation.
    ///
    /// # Errors
    /// [`UnreadableState`] if `value` is not a conversation, or has another version.
    pub fn from_json(value: &Value) -> Result<Self, UnreadableState> {
        let fields = value.as_object().ok_or(UnreadableState { reason: "it is not an object".into() })?;
        let read = Self::deserialize(fields).map_err(|error| UnreadableState { reason: error.to_string() })?;
        if read.state.call().is_none() && !read.beside.is_empty() {
            return Err(UnreadableState { reason: "a question is open, and no call runs or waits".into() });
        }
        Ok(read)
    }

    /// The state. It changes with [`Conversation::on`].
    pub fn state(&self) -> &State {
        &self.state
    }

    /// The questions that wait for the person: first those that the agent waits for, then the others, each the oldest first. They change with [`Conversation::on`].
    pub fn open(&self) -> impl Iterator<Item = Open<'_>> {
        self.waited_for().chain(self.later.iter().map(Beside::open))
    }

    /// The questions that the agent waits for, the oldest first.
    fn waited_for(&self) -> impl Iterator<Item = Open<'_>> {
        self.beside.iter().map(Beside::open).chain(self.state.open())
    }

    /// The calls whose questions end with an event, beside the question that it is about: all that the agent waits for, if the event ends the turn. Ask before you report
    /// [`Event::Closed`] or [`Event::Stopped`], which bring the results of these calls.
    pub fn ended_by(&self, event: &Event) -> Vec<&str> {
        let about = match event {
            Event::Stopped { .. } => None,
            Event::Closed { call_id, how: Closing::TurnEnded, .. } => Some(call_id.as_str()),
            _ => return Vec::new(),
        };
        let waited: Vec<&str> = self.waited_for().map(|open| open.call.id.as_str()).collect();
        match about {
            // The end of a question that the agent does not wait for is not the end of the turn.
            Some(about) if !waited.contains(&about) => Vec::new(),
            about => waited.into_iter().filter(|call| Some(*call) != about).collect(),
        }
    }

    /// What to tell a client that connects now.
    pub fn notice(&self) -> Notice {
        let open: Vec<Open<'_>> = self.open().collect();
        let state = if open.is_empty() {
            self.state.public_json()
        } else {
            let agent = self.waited_for().next().is_none().then(|| self.state.name());
            state::waiting(&open, agent)
        };
        Notice { state, version: None, closed: Vec::new() }
    }

    /// Takes an event. Returns what to do, in this order.
    ///
    /// # Errors
    /// [`Unexpected`] if the event cannot happen in this state. The conversation is then unchanged.
    pub fn on(&mut self, mut event: Event) -> Result<Vec<Effect>, Unexpected> {
        if let (Event::Message, Some(open)) = (&event, self.waited_for().next()) {
            return Err(Unexpected::AwaitingUser { call_id: open.call.id.clone() });
        }
        if let (State::RequestingModel { .. }, Event::ModelResponded { calls }) = (&self.state, &event)
            && let Some(call) = calls.iter().find(|call| place_of(&self.later, &call.id).is_some())
        {
            return Err(Unexpected::OpenCall { call_id: call.id.clone() });
        }
        let (beside, later) = match event.call_id() {
            Some(call_id) => (place_of(&self.beside, call_id), place_of(&self.later, call_id)),
            None => (None, None),
        };
        let results = event.take_results();
        let changed = match (beside, later) {
            (Some(place), _) => self.change_other(true, place, event, &results),
            (None, Some(place)) => self.change_other(false, place, event, &results),
            (None, None) => change(std::mem::take(&mut self.state), self.rules(&results), event),
        };
        let change = match changed {
            Ok(change) => change,
            Err((state, unexpected)) => {
                self.state = *state;
                return Err(unexpected);
            }
        };
        let Change { state, results, messages, closed, asks, asks_later, then } = self.with_others(change, &results);
        self.beside.extend(asks);
        self.later.extend(asks_later);
        self.state = state;
        let mut effects = Vec::with_capacity(4);
        if !results.is_empty() {
            effects.push(Effect::PersistResults(results));
        }
        if !messages.is_empty() {
            effects.push(Effect::PersistMessages(messages));
        }
        effects.push(Effect::PersistState);
        effects.push(Effect::Notify(Notice { closed, ..self.notice() }));
        effects.extend(then);
        Ok(effects)
    }
}

impl Conversation {
    fn rules<'a>(&self, results: &'a Map<String, Value>) -> Rules<'a> {
        let is_full = self.later.len() >= MOST_LATER;
        Rules { attended: self.attended, several_open: self.several_open, is_full, results }
    }

    /// The change that an event about a question makes that is not the state's: one of `beside`, or one of `later`, whose answer is a message to the agent.
    fn change_other(
        &mut self,
        is_waited_for: bool,
        place: usize,
        event: Event,
        results: &Map<String, Value>,
    ) -> Result<Change, (Box<State>, Unexpected)> {
        let rules = self.rules(results);
        let state = std::mem::take(&mut self.state);
        let all = if is_waited_for { &mut self.beside } else { &mut self.later };
        let Ended { call_id, how, result } = match ended(all, place, event, &state) {
            Ok(Some(ended)) => ended,
            Ok(None) => return Ok(Change::to(state, None)),
            Err(unexpected) => return Err((Box::new(state), unexpected)),
        };
        let ends_turn = how == Closing::TurnEnded;
        let mut change = match state {
            state if is_waited_for && ends_turn => change(state, rules, Event::Stopped { results: Map::new() })?,
            // The person who has ended the turn waits for nothing.
            State::Idle if !ends_turn => request_model(Vec::new()),
            // The request that is under way does not have it.
            State::RequestingModel { unheard } => {
                Change::to(State::RequestingModel { unheard: unheard.saturating_add(1) }, None)
            }
            State::Idle | State::Executing { .. } | State::AwaitingUser { .. } => Change::to(state, None),
        };
        all.remove(place);
        let (content, is_error) = result.unwrap_or_else(|| (without_result(how).into(), true));
        change.closed.insert(0, Closed { tool_call_id: call_id.clone(), how, key: None });
        if is_waited_for {
            change.results.insert(0, ToolResult { call_id, content, is_error });
        } else {
            change.messages.push(LateAnswer { call_id, content, is_error });
        }
        Ok(change)
    }

    /// A change with what it means for the questions that are open beside the call of the state: the turn ends with all of them, and goes on after the last.
    fn with_others(&mut self, mut change: Change, results: &Map<String, Value>) -> Change {
        match change.state {
            State::Idle => {
                for open in self.beside.drain(..) {
                    let closed = Closed { tool_call_id: open.call.id.clone(), how: Closing::TurnEnded, key: None };
                    change.closed.push(closed);
                    change.results.push(cancelled(open.call, results));
                }
                change
            }
            // The newest takes the place of the call that is done, so that the oldest stays first.
            State::RequestingModel { .. } => match self.beside.pop() {
                Some(Beside { call, request, dialect, options, walk }) => {
                    let remaining = VecDeque::new();
                    let state = State::AwaitingUser { call, remaining, request, dialect, options, walk };
                    Change { state, then: None, ..change }
                }
                None => change,
            },
            State::Executing { .. } | State::AwaitingUser { .. } => change,
        }
    }
}

/// What decides what an event changes, beside the state.
#[derive(Clone, Copy)]
struct Rules<'a> {
    attended: bool,
    several_open: bool,
    /// Whether no further question can be open that the agent does not wait for.
    is_full: bool,
    /// The results of questions that end with the turn, by the ids of their calls.
    results: &'a Map<String, Value>,
}

/// How a question ended: the content of its result, if there is one, and whether that is an error.
struct Ended {
    call_id: String,
    how: Closing,
    result: Option<(Value, bool)>,
}

/// How an event ends one of these questions. `None` if it only keeps how far the person has come.
fn ended(all: &mut [Beside], place: usize, event: Event, state: &State) -> Result<Option<Ended>, Unexpected> {
    Ok(Some(match event {
        Event::Closed { call_id, how, result, .. } => {
            Ended { call_id, how, result: result.map(|content| (content, false)) }
        }
        Event::ToolCompleted { call_id, content, is_error } => {
            Ended { call_id, how: Closing::Overtaken, result: Some((content, is_error)) }
        }
        Event::WalkSaved { walk, .. } => {
            if let Some(open) = all.get_mut(place) {
                open.walk = Some(walk);
            }
            return Ok(None);
        }
        event => return Err(Unexpected::OutOfPlace { event: event.name(), state: state.name() }),
    }))
}

/// The place of the question of a call.
fn place_of(all: &[Beside], call_id: &str) -> Option<usize> {
    all.iter().position(|open| open.call.id == call_id)
}

/// What an event changes.
struct Change {
    state: State,
    results: Vec<ToolResult>,
    messages: Vec<LateAnswer>,
    closed: Vec<Closed>,
    /// The question that is open from now on, while another call runs.
    asks: Option<Beside>,
    /// The question that is open from now on, and that the agent does not wait for.
    asks_later: Option<Beside>,
    then: Option<Effect>,
}

impl Change {
    fn to(state: State, then: Option<Effect>) -> Self {
        let (results, messages, closed) = (Vec::new(), Vec::new(), Vec::new());
        Self { state, results, messages, closed, asks: None, asks_later: None, then }
    }

    fn closing(self, tool_call_id: String, how: Closing) -> Self {
        Self { closed: vec![Closed { tool_call_id, how, key: None }], ..self }
    }
}

const SUB_AGENT: &str = "is not available to sub-agents";
const PENDING: &str = "The question is open. The user's answer will come later, as a message. Go on with what does not depend on it, and do not ask it again.";
const FULL: &str = "The question was not asked: too many questions are open. Wait for the answer to one of them before you ask another.";
const CANCELLED: &str = "User cancelled the question";
const STOPPED: &str = "The user ended the turn while this tool ran. It may have taken effect in part.";
const NOT_RUN: &str = "The user ended the turn before this tool ran. It was not executed.";
const INTERRUPTED: &str =
    "The host was restarted while this tool ran. It may have taken effect. Check before you call it again.";

/// The change that an event makes. An error gives the state back as it was.
fn change(state: State, rules: Rules<'_>, event: Event) -> Result<Change, (Box<State>, Unexpected)> {
    let Rules { attended, several_open, is_full, results } = rules;
    Ok(match (state, event) {
        (State::Idle, Event::Message) | (State::RequestingModel { .. }, Event::Restarted) => request_model(Vec::new()),
        (state @ (State::Idle | State::AwaitingUser { .. }), Event::Restarted) => Change::to(state, None),
        (State::RequestingModel { unheard }, Event::ModelResponded { calls }) => match unfit(&calls) {
            Some(unexpected) => return Err((Box::new(State::RequestingModel { unheard }), unexpected)),
            None => execute(Vec::new(), calls.into()).unwrap_or_else(|none| match unheard {
                0 => Change::to(State::Idle, Some(Effect::Done)),
                _ => request_model(none),
            }),
        },
        // An answer has come meanwhile that the failed request did not have.
        (State::RequestingModel { unheard: 1.. }, Event::ModelFailed) => request_model(Vec::new()),
        (State::RequestingModel { .. }, Event::ModelFailed | Event::Stopped { .. }) => {
            Change::to(State::Idle, Some(Effect::Done))
        }

        (State::Executing { call, remaining }, Event::ToolCompleted { call_id, content, is_error })
            if call.id == call_id =>
        {
            go_on(ToolResult { call_id, content, is_error }, remaining)
        }
        (State::Executing { call, remaining }, Event::QuestionPending { call_id, request, dialect, options, walk })
            if call.id == call_id =>
        {
            if !attended {
                let message = format!("{} {SUB_AGENT}", call.name);
                go_on(call.error(message), remaining)
            } else if !state::is_waited_for(options.as_ref()) {
                if is_full {
                    go_on(call.error(FULL.into()), remaining)
                } else {
                    let result = ToolResult { call_id, content: PENDING.into(), is_error: false };
                    let asks_later = Some(Beside { call, request, dialect, options, walk });
                    Change { asks_later, ..go_on(result, remaining) }
                }
            } else if several_open && !remaining.is_empty() {
                let asks = Some(Beside { call, request, dialect, options, walk });
                Change { asks, ..execute(Vec::new(), remaining).unwrap_or_else(request_model) }
            } else {
                Change::to(State::AwaitingUser { call, remaining, request, dialect, options, walk }, None)
            }
        }
        (State::Executing { call, remaining }, Event::Stopped { .. }) => {
            end_turn(call.error(STOPPED.into()), remaining)
        }
        (State::Executing { call, remaining }, Event::Restarted) => go_on(call.error(INTERRUPTED.into()), remaining),

        (State::AwaitingUser { call, remaining, .. }, Event::Closed { call_id, how, result, .. })
            if call.id == call_id =>
        {
            let result = match result {
                Some(content) => ToolResult { call_id: call_id.clone(), content, is_error: false },
                None => call.error(without_result(how).into()),
            };
            let next = if how == Closing::TurnEnded { end_turn } else { go_on };
            next(result, remaining).closing(call_id, how)
        }
        (State::AwaitingUser { call, remaining, .. }, Event::ToolCompleted { call_id, content, is_error })
            if call.id == call_id =>
        {
            go_on(ToolResult { call_id, content, is_error }, remaining).closing(call.id, Closing::Overtaken)
        }
        (
            State::AwaitingUser { call, remaining, request, dialect, options, .. },
            Event::WalkSaved { call_id, walk },
        ) if call.id == call_id => {
            let walk = Some(walk);
            Change::to(State::AwaitingUser { call, remaining, request, dialect, options, walk }, None)
        }
        (State::AwaitingUser { call, remaining, .. }, Event::Stopped { .. }) => {
            let id = call.id.clone();
            end_turn(cancelled(call, results), remaining).closing(id, Closing::TurnEnded)
        }

        (state, event) => {
            let unexpected = unexpected(&state, &event);
            return Err((Box::new(state), unexpected));
        }
    })
}

/// The result of a call whose question ends with the turn: the one that the host gives, or else an error.
fn cancelled(call: ToolCall, results: &Map<String, Value>) -> ToolResult {
    match results.get(&call.id) {
        Some(content) => ToolResult { call_id: call.id, content: content.clone(), is_error: false },
        None => call.error(CANCELLED.into()),
    }
}

/// What the model is told of a question that was closed without a result.
fn without_result(how: Closing) -> &'static str {
    match how {
        Closing::TurnEnded => CANCELLED,
        Closing::Answered => "The user answered, but there is no result. Ask again if you need the answer.",
        Closing::Replied | Closing::Declined => "The user declined to answer",
        Closing::Overtaken => "The question was closed before the user answered it",
        Closing::Expired => "The question expired before the user answered it",
        Closing::Failed => "The question could not be put to the user",
    }
}

/// Why the calls of a response cannot run.
fn unfit(calls: &[ToolCall]) -> Option<Unexpected> {
    if calls.len() > MOST_CALLS {
        return Some(Unexpected::TooManyCalls { count: calls.len() });
    }
    if calls.iter().any(|call| call.id.is_empty() || call.id.len() > LONGEST_ID) {
        return Some(Unexpected::UnfitId);
    }
    let mut ids = BTreeSet::new();
    let twice = calls.iter().find(|call| !ids.insert(&call.id))?;
    Some(Unexpected::DuplicateCall { call_id: twice.id.clone() })
}

/// Begins the next call. If there is none, gives the results back.
fn execute(results: Vec<ToolResult>, mut calls: VecDeque<ToolCall>) -> Result<Change, Vec<ToolResult>> {
    let Some(call) = calls.pop_front() else { return Err(results) };
    let then = Some(Effect::Execute(call.clone()));
    Ok(Change { results, ..Change::to(State::Executing { call, remaining: calls }, then) })
}

/// Begins the next call after this result, or requests the model after the last.
fn go_on(result: ToolResult, remaining: VecDeque<ToolCall>) -> Change {
    execute(vec![result], remaining).unwrap_or_else(request_model)
}

fn request_model(results: Vec<ToolResult>) -> Change {
    Change { results, ..Change::to(State::RequestingModel { unheard: 0 }, Some(Effect::RequestModel)) }
}

/// Ends the turn. The remaining calls get a result that says that they did not run.
fn end_turn(result: ToolResult, remaining: VecDeque<ToolCall>) -> Change {
    let not_run = remaining.into_iter().map(|call| call.error(NOT_RUN.into()));
    let results = std::iter::once(result).chain(not_run).collect();
    Change { results, ..Change::to(State::Idle, Some(Effect::Done)) }
}

/// Why this event cannot happen in this state, where no question keeps a message from coming.
fn unexpected(state: &State, event: &Event) -> Unexpected {
    match (event, event.call_id(), state) {
        (Event::Message, _, _) => Unexpected::Busy,
        (_, Some(call_id), _) if state.call().is_none_or(|open| open.id != call_id) => {
            Unexpected::NotOpen { call_id: call_id.to_owned() }
        }
        _ => Unexpected::OutOfPlace { event: event.name(), state: state.name() },
    }
}
