//! One open question at a host, from asked to closed: whether an answer counts, and what follows. A state machine without I/O, clock or randomness. The host
//! brings what clients and the agent do as [`Input`]s, and carries out what the [`Reaction`] says.
//!
//! ```text
//!            saved                responded, answered,
//!           ┌─────┐               stopped, overtaken, expired
//!           │     ▼                                          handed
//!  asked ─▶ ┌──────┐ ───────────────────────▶ ┌────────┐ ───────────────▶ ┌────────┐
//!           │ open │                          │ closed │                  │ closed,│
//!           └──────┘                          └────────┘                  │ handed │
//!               ▲                                  │                      └────────┘
//!               └──────────────────────────────────┴── the agent uses the id of the call again: another question
//! ```
//!
//! The host must follow four rules:
//!
//! 1. If [`Reaction::store`] is set, store [`Desk::to_json`] before it does anything else that follows. If that fails, forget the desk and load it again.
//! 2. Give what [`Reaction::hand`] holds to the agent, and then report [`Input::Handed`]. Where both are stored in one transaction, it happens once.
//!    Elsewhere a crash between the two repeats it: [`Hand::key`] is the same then.
//! 3. After a restart, load the desk with [`Desk::from_json`] and report [`Input::Restored`].
//! 4. Report one input at a time.
//!
//! **Invariants:** a question is closed once. The same answer under the same key is one answer, and another answer under it is refused. An answer counts only
//! for the question that it was given to, also where the agent uses the id of the call again. What is stored has no secret.

mod reply;
mod stored;

pub use reply::{Code, Problem, Reply};
pub use stored::{UnreadableDesk, UnreadableInput};

use crate::{
    answer::{Content, REDACTED},
    dialect::Dialect,
    form::Form,
    host::{Detect, Host},
    json::{self, Fingerprint, ToJson},
    moment::Moment,
    outcome::{Closing, Ends, Outcome},
    problem::{Misuse, Refusal, RefusedAnswer, Rejection, Unresumable, collected},
    question::{AnswerType, Question},
    walk::{Action, Step, Walk},
};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use std::{
    collections::{BTreeSet, VecDeque},
    fmt,
    sync::Arc,
};

/// Of how many earlier questions with the same call id the answers are known.
const EARLIER: usize = 20;
/// Closing deep the options may nest, so that what is stored can be read again.
const DEEPEST: usize = 100;

/// One question at a host.
#[derive(Clone, Debug)]
pub struct Desk {
    asked: Asked,
    /// The walk as it was handed out. `None` if this version cannot read the request or the walk: the question can then only be stopped.
    own: Option<Walk>,
    /// That walk, if this version cannot read it.
    unread: Option<Value>,
    stage: Stage,
    /// What was taken for earlier questions of this call id, the oldest first.
    earlier: VecDeque<Taken>,
}

/// What is asked: everything that it takes to read it again.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Asked {
    /// The id of the call.
    pub call: String,
    /// The request as JSON text, as the agent sent it: with every digit of its numbers.
    pub request: String,
    /// The dialect that it is read with: [`Dialect::Detect`] where nobody named one.
    #[serde(default)]
    pub dialect: Dialect,
    /// The host's options, as [`Host::from_json`] reads them. `nonce` tells this question from another one of the same call id.
    #[serde(default)]
    pub options: Value,
}

/// Where a question stands.
#[derive(Clone, Debug)]
enum Stage {
    /// It waits for the person. With the walk as a client has kept it, if one has.
    Open(Option<Value>),
    /// It is closed.
    Closed(Box<Closed>),
}

/// How a question was closed.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Closed {
    how: Closing,
    /// The answer that closed it, to know it again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    taken: Option<Taken>,
    /// What the agent gets. Secrets are redacted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    hand: Option<Hand>,
    /// Whether the agent has it.
    #[serde(default)]
    handed: bool,
    /// Whether there were secrets: only who has sent them can hand them over.
    #[serde(default)]
    secrets: bool,
}

/// An answer that was taken, to know it again. It has no secrets.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Taken {
    key: String,
    /// The nonce of the question that it answered.
    nonce: Option<String>,
    /// The log of its walk, or its plain answers. Null in what an earlier version has stored: a response under the same key counts as the same then, and plain answers do not.
    #[serde(default)]
    sent: Value,
    /// The digest of its secrets, and the name of the key that made it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    seal: Option<Seal>,
}

/// A digest of secrets. Two digests are compared only if the same key has made them: otherwise nobody knows whether the secrets are the same.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Seal {
    /// The name of the key: one that all processes share, or one of this process.
    pub by: String,
    /// The digest, such as an HMAC of [`Desk::secrets_in`].
    pub digest: String,
}

/// What a client or the agent does. In JSON, the field `type` has its name. `Debug` shows nothing that a person has given.
#[derive(Clone, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Input {
    /// A client has come to the end of the form: [`Walk::response`].
    Responded {
        /// The idempotency key. Without one, it is that of the question.
        #[serde(default)]
        key: Option<String>,
        /// The response.
        response: Value,
        /// The id of the call that it answers, if the client names it.
        #[serde(default)]
        tool_call_id: Option<String>,
        /// The digest of its secrets, if it has some.
        #[serde(default)]
        seal: Option<Seal>,
    },
    /// A client has answered with plain values, by the ids or texts of the questions.
    Answered {
        /// The idempotency key. Without one, the question is answered so once.
        #[serde(default)]
        key: Option<String>,
        /// The values.
        answers: Map<String, Value>,
        /// The nonce of the question that they answer, if the client knows it.
        #[serde(default)]
        nonce: Option<String>,
        /// The id of the call that they answer, if the client names it.
        #[serde(default)]
        tool_call_id: Option<String>,
        /// The digest of the secrets among them, if there are some.
        #[serde(default)]
        seal: Option<Seal>,
    },
    /// The person has come further in the form.
    Saved {
        /// The walk: [`Walk::save`].
        walk: Value,
        /// The versions that it may replace, as `If-Match` has them; any version without it.
        #[serde(default)]
        replaces: Option<String>,
    },
    /// A client cannot read the request. The host has read it, so nothing changes.
    Rejected,
    /// The person has stopped the agent. That ends the turn, also after an answer that was kept and not sent.
    Stopped,
    /// The agent goes on without an answer.
    Overtaken,
    /// The time for an answer is over.
    Expired {
        /// What time it is, in milliseconds since the beginning of 1970 in UTC. If the time is not over by then ([`Desk::expires_at`]), nothing
        /// happens. Without it, the host says that the time is over.
        #[serde(default)]
        now: Option<i64>,
    },
    /// The agent has what was to be handed over.
    Handed,
    /// The host was restarted and has loaded the desk.
    Restored,
}

/// What follows from an input.
#[derive(Clone, Debug, Serialize)]
pub struct Reaction {
    /// Whether the desk has changed: store it first.
    pub store: bool,
    /// What the sender of the input hears, if somebody waits for a reply.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reply: Option<Reply>,
    /// How this input closed the question, if it did: tell all clients.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub closed: Option<Closing>,
    /// What to hand to the agent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hand: Option<Hand>,
}

impl Reaction {
    const NOTHING: Self = Self { store: false, reply: None, closed: None, hand: None };

    fn says(reply: Reply) -> Self {
        Self { reply: Some(reply), ..Self::NOTHING }
    }
}

/// What the agent gets when a question is closed. `Debug` shows nothing that a person has given.
#[derive(Clone, Serialize, Deserialize)]
pub struct Hand {
    /// Names the answer: the same each time it is handed over.
    pub key: String,
    /// How the form ended.
    pub outcome: Outcome,
    /// The result as JSON text, with every digit of its numbers. `None` where the outcome has no result.
    pub result: Option<String>,
    /// The audit trail.
    pub records: Vec<Value>,
    /// What the next form of the same turn begins with.
    pub turn: Value,
    /// What was typed and not answered.
    pub drafts: Map<String, Value>,
    /// Of a question that has expired: what the person had answered, as a message that the host may give to the agent. It is no answer. Never with a consent, a secret, or
    /// what cannot be undone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub late: Option<String>,
    /// The secrets that were given, by question id, also where the result has them.
    #[serde(default)]
    pub secrets: Map<String, Value>,
}

impl fmt::Debug for Input {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Responded { key, tool_call_id, seal, .. } => f
                .debug_struct("Responded")
                .field("key", key)
                .field("tool_call_id", tool_call_id)
                .field("seal", seal)
                .finish_non_exhaustive(),
            Self::Answered { key, nonce, tool_call_id, seal, .. } => f
                .debug_struct("Answered")
                .field("key", key)
                .field("nonce", nonce)
                .field("tool_call_id", tool_call_id)
                .field("seal", seal)
                .finish_non_exhaustive(),
            Self::Saved { replaces, .. } => f.debug_struct("Saved").field("replaces", replaces).finish_non_exhaustive(),
            Self::Rejected => f.write_str("Rejected"),
            Self::Stopped => f.write_str("Stopped"),
            Self::Overtaken => f.write_str("Overtaken"),
            Self::Expired { now } => f.debug_struct("Expired").field("now", now).finish(),
            Self::Handed => f.write_str("Handed"),
            Self::Restored => f.write_str("Restored"),
        }
    }
}

impl fmt::Debug for Hand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Hand").field("key", &self.key).field("ends", &self.outcome.ends()).finish_non_exhaustive()
    }
}

/// Why a question cannot be asked.
#[derive(Debug)]
pub enum Unasked {
    /// The request is no form.
    Rejected(Rejection),
    /// The options are wrong.
    Misused(Misuse),
}

impl fmt::Display for Unasked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Rejected(rejection) => rejection.fmt(f),
            Self::Misused(misuse) => misuse.fmt(f),
        }
    }
}

impl std::error::Error for Unasked {}

impl Asked {
    /// The options that the request is read with. Where the dialect is to be detected, a request that several dialects could have sent is rejected, unless the
    /// option `detect` says something else: a result in another agent's format is no answer.
    ///
    /// # Errors
    /// [`Misuse`] if an option is wrong.
    pub fn host(&self) -> Result<Host, Misuse> {
        let mut host = Host::from_json(&self.options)?;
        if self.options.get("detect").is_none() {
            host.detect = Detect::Strict;
        }
        Ok(host)
    }
}

impl Desk {
    /// Asks a question. `earlier` is the desk of the same call id, if the agent has used it before.
    ///
    /// # Errors
    /// [`Unasked`] if the request is no form, or an option is wrong.
    pub fn ask(asked: Asked, earlier: Option<Self>) -> Result<Self, Unasked> {
        let host = asked.host().map_err(Unasked::Misused)?;
        let form = Form::read(&*asked.request, asked.dialect, &host).map_err(Unasked::Rejected)?;
        Self::new(asked, &Walk::new(form), earlier)
    }

    /// The same for a walk that has begun, for example because an assistant was asked before the person. If it has ended, so has the question: report
    /// [`Input::Restored`] then.
    ///
    /// # Errors
    /// [`Unasked::Misused`] if the options or the walk have secrets, if the agent would not wait for what it has to wait for ([`Outline::must_block`](crate::Outline::must_block)), or if the nonce does not tell this question from the earlier one.
    pub fn new(mut asked: Asked, walk: &Walk, earlier: Option<Self>) -> Result<Self, Unasked> {
        let misused =
            |name: &str, expected| Err(Unasked::Misused(Misuse::InvalidOption { name: name.into(), expected }));
        for name in ["secret_answers", "static_answers"] {
            let given = asked.options.get(name).and_then(Value::as_object);
            let is_secret = |id: &String| walk.form().question(id).is_some_and(|one| one.answer_type.is_secret());
            if given.is_some_and(|given| given.keys().any(is_secret)) {
                return misused(
                    name,
                    "without answers to secret questions: what is asked is stored, and clients get it",
                );
            }
        }
        if !secrets_of(walk).is_empty() {
            return misused("walk", "without secrets: what is asked is stored, and clients get it");
        }
        let form = walk.form();
        if !form.host().blocking && form.must_block().is_some() {
            return misused(
                "blocking",
                "true: an agent waits for an approval, a secret, and an answer that cannot be undone",
            );
        }
        if !form.is_blocking() {
            // The request may say so. Who reads the options need not read it.
            let mut options = asked.options.as_object().cloned().unwrap_or_default();
            options.insert("blocking".into(), false.into());
            asked.options = Value::Object(options);
        }
        if json::weigh(&asked.options, usize::MAX, DEEPEST).is_err() {
            return misused("turn", "less deeply nested: stores cannot read it again");
        }
        // In JSON they are white space. In an event stream they would end a line.
        asked.request = asked.request.replace(['\r', '\n'], " ");
        let mut past = VecDeque::new();
        if let Some(earlier) = earlier {
            let nonce = asked.options.get("nonce").and_then(Value::as_str);
            if nonce.is_none_or(|nonce| earlier.knows(nonce)) {
                return misused("nonce", "a text that no earlier question of this call has");
            }
            past = earlier.earlier;
            if let Stage::Closed(closed) = earlier.stage {
                past.extend(closed.taken);
            }
            while past.len() > EARLIER {
                past.pop_front();
            }
        }
        let mut desk = Self { asked, own: Some(walk.clone()), unread: None, stage: Stage::Open(None), earlier: past };
        if let Some(outcome) = walk.outcome() {
            desk.close(walk, &outcome, None);
        }
        Ok(desk)
    }

    /// Whether this question, or an earlier one of its call id, has this nonce.
    fn knows(&self, nonce: &str) -> bool {
        let is_it = |taken: &Taken| taken.nonce.as_deref() == Some(nonce);
        self.nonce().is_none_or(|own| own == nonce) || self.earlier.iter().any(is_it)
    }

    /// The same question with a walk of it that was saved before it was handed out: see [`Desk::new`].
    ///
    /// # Errors
    /// [`Unresumable`] if it is no walk of this question.
    pub fn begun(mut self, saved: &Value) -> Result<Self, Unresumable> {
        let form = self.own.as_ref().and_then(Walk::accepted).ok_or(Unresumable::OtherVersion)?;
        // A saved walk has no secrets.
        let walk = Walk::resume(form, saved)?;
        self.own = Some(walk.clone());
        self.stage = Stage::Open(None);
        if let Some(outcome) = walk.outcome() {
            self.close(&walk, &outcome, None);
        }
        Ok(self)
    }

    /// What was asked.
    pub fn asked(&self) -> &Asked {
        &self.asked
    }

    /// Whether the question waits for the person.
    pub fn is_open(&self) -> bool {
        matches!(self.stage, Stage::Open(_))
    }

    /// How the question was closed, and under which key. `None` while it is open.
    pub fn closed(&self) -> Option<(Closing, Option<&str>)> {
        match &self.stage {
            Stage::Open(_) => None,
            Stage::Closed(closed) => Some((closed.how, closed.taken.as_ref().map(|taken| taken.key.as_str()))),
        }
    }

    /// What the agent gets, without secrets. `None` while the question is open, and where it gets nothing.
    pub fn answer(&self) -> Option<&Hand> {
        match &self.stage {
            Stage::Open(_) => None,
            Stage::Closed(closed) => closed.hand.as_ref(),
        }
    }

    /// Tells this question from others of the same call id.
    pub fn nonce(&self) -> Option<&str> {
        self.asked.options.get("nonce")?.as_str()
    }

    /// Whether an answer was taken under this key, for this question or an earlier one of the same call id.
    pub fn has_taken(&self, key: &str) -> bool {
        self.taken(key).is_some()
    }

    /// When the time for an answer is over, if it ends: see [`Outline::expires_at`](crate::Outline::expires_at).
    pub fn expires_at(&self) -> Option<&Moment> {
        self.own.as_ref()?.form().expires_at()
    }

    /// The walk as it was handed out, or as a client has kept it.
    pub fn walk(&self) -> Option<Value> {
        match &self.stage {
            Stage::Open(Some(kept)) => Some(kept.clone()),
            Stage::Open(None) => self.own.as_ref().map(Walk::save),
            Stage::Closed(_) => None,
        }
    }

    /// The version of that walk, as a strong ETag.
    pub fn version(&self) -> String {
        let kept = match &self.stage {
            Stage::Open(kept) => kept.as_ref(),
            Stage::Closed(_) => None,
        };
        version(kept)
    }

    /// What a client needs to show the question, as JSON text: the fields of a request in a `state_change` event. The request stands in it as the agent sent it.
    pub fn request(&self) -> String {
        let dialect = (self.asked.dialect != Dialect::Detect).then(|| self.asked.dialect.name().into());
        let others = json::text(&Value::Object(collected(&mut [
            ("tool_call_id", Some(self.asked.call.as_str().into())),
            ("dialect", dialect),
            ("options", Some(self.asked.options.clone()).filter(|options| !options.is_null())),
            ("walk", self.walk()),
            ("version", Some(self.version().into())),
            ("expires_at", self.expires_at().map(|end| end.as_str().into())),
        ])));
        let rest = others.get(1..).unwrap_or_default();
        format!("{{\"request\":{},{rest}", self.asked.request)
    }

    /// The secrets in an input as text, to make a [`Seal`] of them. `None` if there are none.
    pub fn secrets_in(&self, input: &Input) -> Option<String> {
        let secrets = match input {
            Input::Responded { response, .. } => response.get("secrets")?.as_object()?.clone(),
            Input::Answered { answers, .. } => {
                let secret = self.secret_names();
                let is_secret = |name: &String| secret.contains(name.as_str());
                answers
                    .iter()
                    .filter(|(name, _)| is_secret(name))
                    .map(|(name, value)| (name.clone(), value.clone()))
                    .collect()
            }
            _ => return None,
        };
        (!secrets.is_empty()).then(|| sorted(&json!([self.nonce(), secrets])))
    }

    /// Reads an input, given as JSON text.
    ///
    /// # Errors
    /// [`UnreadableInput`] if the text is not an input, or if plain answers have a number that would lose digits. A response has its numbers as text.
    pub fn input(text: &str) -> Result<Input, UnreadableInput> {
        let value = json::parse(text).map_err(|error| UnreadableInput { reason: error.reason })?;
        let input = Input::deserialize(value).map_err(|error| UnreadableInput { reason: error.to_string() })?;
        if matches!(input, Input::Answered { .. }) && json::digits::are_lost(text) {
            let reason = "a number has more digits than are kept. Send a walk, which has its numbers as text";
            return Err(UnreadableInput { reason: reason.into() });
        }
        Ok(input)
    }

    /// Takes an input, and says what follows.
    pub fn on(&mut self, input: Input) -> Reaction {
        match input {
            Input::Responded { key, response, tool_call_id, seal } => {
                self.responded(key, &response, self.is_other_call(tool_call_id.as_deref()), seal)
            }
            Input::Answered { key, answers, nonce, tool_call_id, seal } => {
                self.answered(key, answers, nonce.as_deref(), self.is_other_call(tool_call_id.as_deref()), seal)
            }
            Input::Saved { walk, replaces } => Reaction::says_and_stores(self.saved(&walk, replaces.as_deref())),
            Input::Rejected => Reaction::says(Reply::of(Code::NotRejected)),
            Input::Stopped => self.stopped(),
            Input::Overtaken => self.left(Closing::Overtaken),
            Input::Expired { now } => self.expired(now),
            Input::Handed => match &mut self.stage {
                Stage::Closed(closed) if !closed.handed => {
                    closed.handed = true;
                    Reaction { store: true, ..Reaction::NOTHING }
                }
                _ => Reaction::NOTHING,
            },
            Input::Restored => Reaction { hand: self.unhanded().filter(|_| !self.has_secrets()), ..Reaction::NOTHING },
        }
    }

    /// The same at a host that knows what time it is, in milliseconds since the beginning of 1970 in UTC: if the time for an answer is over by then, the
    /// question expires before the input is taken. What a client has answered too late is among the drafts.
    pub fn on_at(&mut self, now: i64, input: Input) -> Reaction {
        if !self.is_open() || !self.is_over_by(now) {
            return self.on(input);
        }
        let expired = self.expires_with(&input);
        // The agent does not have yet what is handed over with this.
        if matches!(input, Input::Handed | Input::Expired { .. }) {
            return expired;
        }
        // A closed question takes nothing, so nothing else follows.
        Reaction { reply: self.on(input).reply, ..expired }
    }

    /// Whether the time for an answer is over at a moment.
    fn is_over_by(&self, now: i64) -> bool {
        self.own.as_ref().is_some_and(|own| own.form().is_over_by(now))
    }

    /// The question expires while this comes: a walk is kept as if its client had saved it, so an older one replaces nothing.
    fn expires_with(&mut self, input: &Input) -> Reaction {
        match input {
            Input::Saved { walk, replaces } => drop(self.saved(walk, replaces.as_deref())),
            Input::Responded { response, tool_call_id, .. } if !self.is_other_call(tool_call_id.as_deref()) => {
                // A response has nothing of what was typed and not answered.
                let typed = self.typed();
                if self.saved(response.get("walk").unwrap_or(&Value::Null), None).is_ok()
                    && let Some(walk) = self.now()
                {
                    self.types(self.unanswered(&walk, typed));
                }
            }
            Input::Answered { answers, nonce, tool_call_id, .. } => {
                let is_own = self.open(nonce.as_deref().or(self.nonce())).is_some();
                let now = self.now().filter(|_| is_own && !self.is_other_call(tool_call_id.as_deref()));
                if let Some(mut walk) = now {
                    let left = take_some(&mut walk, answers);
                    let mut typed = self.unanswered(&walk, self.typed());
                    typed.extend(left);
                    self.types(typed);
                    return self.end_with(walk, Action::Expire, Closing::Expired);
                }
            }
            _ => {}
        }
        self.end(Action::Expire, Closing::Expired)
    }

    /// The walk as it is now: as a client has kept it, or as it was handed out.
    fn now(&self) -> Option<Walk> {
        let Stage::Open(kept) = &self.stage else { return None };
        let own = self.own.as_ref()?;
        let kept = kept.as_ref().and_then(|walk| own.continued(&json!({ "walk": walk, "secrets": {} })).ok());
        Some(kept.unwrap_or_else(|| own.clone()))
    }

    /// What a client has kept that was typed and not answered.
    fn typed(&self) -> Map<String, Value> {
        let Stage::Open(Some(kept)) = &self.stage else { return Map::new() };
        kept.get("typed").and_then(Value::as_object).cloned().unwrap_or_default()
    }

    /// What was typed, without what belongs to a question that has another answer in a walk than the form began with.
    fn unanswered(&self, walk: &Walk, mut typed: Map<String, Value>) -> Map<String, Value> {
        let open = if walk.is_over() { walk.reopened() } else { None };
        let begun = self.own.as_ref().map(Walk::drafts).unwrap_or_default();
        for (id, draft) in open.as_ref().unwrap_or(walk).drafts() {
            if begun.get(&id) != Some(&draft) {
                typed.retain(|field, _| !is_field(field, &id));
            }
        }
        typed
    }

    /// Puts what was typed beside the walk that is kept.
    fn types(&mut self, typed: Map<String, Value>) {
        if let Some(Value::Object(mut kept)) = self.walk() {
            kept.insert("typed".into(), Value::Object(typed));
            self.stage = Stage::Open(Some(Value::Object(kept)));
        }
    }

    /// Whether a client names another call than that of this question.
    fn is_other_call(&self, named: Option<&str>) -> bool {
        named.is_some_and(|call| call != self.asked.call)
    }

    fn responded(
        &mut self,
        key: Option<String>,
        response: &Value,
        is_other_call: bool,
        seal: Option<Seal>,
    ) -> Reaction {
        let walk = response.get("walk").unwrap_or(&Value::Null);
        let nonce = walk.get("nonce").and_then(Value::as_str);
        let sent = walk.get("log").cloned().unwrap_or_default();
        let key = key.unwrap_or_else(|| format!("{} {}", self.asked.call, nonce.unwrap_or_default()));
        if let Some(before) = self.taken(&key) {
            let is_known = before.sent.is_null() || json::equal(&before.sent, &sent);
            let is_same = is_known && may_be(before.seal.as_ref(), seal.as_ref());
            // A walk says which question it answers.
            let is_of_it = before.nonce.as_deref().is_none_or(|own| nonce == Some(own)) && !is_other_call;
            if !(is_same && is_of_it) {
                return Reaction::says(Reply::of(Code::SentDifferently));
            }
            let own = self.own.as_ref().filter(|_| self.has_secrets());
            let again = own.and_then(|own| own.continued(response).ok());
            return self.again(&key, again.as_ref());
        }
        let Some(own) = self.open(nonce).filter(|_| !is_other_call) else {
            return Reaction::says(self.nameless(nonce, response).unwrap_or_else(|| self.no_question()));
        };
        match own.continued(response) {
            Ok(walk) => self.finish(&walk, Some(Taken { key, nonce: self.nonce().map(str::to_owned), sent, seal })),
            Err(error) => Reaction::says(Reply::refused(error.code(), error.to_string())),
        }
    }

    fn answered(
        &mut self,
        key: Option<String>,
        answers: Map<String, Value>,
        nonce: Option<&str>,
        is_other_call: bool,
        seal: Option<Seal>,
    ) -> Reaction {
        let own_key = |nonce: Option<&str>| format!("{} answers {}", self.asked.call, nonce.unwrap_or_default());
        let has_key = key.is_some();
        let key = key.unwrap_or_else(|| own_key(nonce.or(self.nonce())));
        if let Some(before) = self.taken(&key) {
            let is_same = is_answered(before, &answers) && may_be(before.seal.as_ref(), seal.as_ref());
            if is_other_call || !(is_same && self.is_of(before, nonce)) {
                return Reaction::says(Reply::of(Code::SentDifferently));
            }
            let own = self.own.clone().filter(|_| self.has_secrets());
            let again = own.and_then(|mut walk| walk.answers(answers).is_ok().then_some(walk));
            return self.again(&key, again.as_ref());
        }
        // Plain answers need not name their question.
        let open = self.open(nonce.or(self.nonce())).filter(|_| !is_other_call);
        let Some(own) = open else { return self.not_open() };
        // The answer to an earlier question of this call id may have come twice.
        let unclear = |before: &Taken| is_answered(before, &answers);
        if !has_key && nonce.is_none() && self.earlier.iter().any(unclear) {
            return Reaction::says(Reply::of(Code::NeedsKey));
        }
        let names = self.secret_names();
        let (secret, open): (Map<_, _>, Map<_, _>) =
            answers.clone().into_iter().partition(|(name, _)| names.contains(name.as_str()));
        let mut walk = own.clone();
        match walk.answers(answers) {
            Ok(()) => {
                // As text: hosts store it with parsers that shorten numbers.
                let sent =
                    json!({ "answers": sorted(&Value::Object(open)), "secrets": secret.keys().collect::<Vec<_>>() });
                self.finish(&walk, Some(Taken { key, nonce: self.nonce().map(str::to_owned), sent, seal }))
            }
            Err(refusal) => {
                let Refusal::Answers { refused } = &refusal else {
                    return Reaction::says(Reply::refused(refusal.code(), refusal.to_string()));
                };
                let problem = |one: &RefusedAnswer| {
                    Problem::of(Some(one.question.clone()), one.refusal.code(), one.refusal.to_string())
                };
                Reaction::says(Reply::unfit(refused.iter().map(problem).collect(), refusal.to_string()))
            }
        }
    }

    /// Keeps a walk. An error says what its sender hears where nothing is to be stored.
    fn saved(&mut self, walk: &Value, replaces: Option<&str>) -> Result<Reply, Box<Reply>> {
        let nonce = walk.get("nonce").and_then(Value::as_str);
        let Some(own) = self.open(nonce) else {
            let response = json!({ "walk": walk, "secrets": {} });
            return Err(self.nameless(nonce, &response).unwrap_or_else(|| self.no_question()).into());
        };
        let kept = match &self.stage {
            Stage::Open(kept) => kept.as_ref(),
            Stage::Closed(_) => None,
        };
        // The same walk again, because its reply was lost.
        let own_walk = own.kept(walk);
        if kept == Some(&own_walk) {
            return Err(Reply::kept(version(kept)).into());
        }
        let version_now = version(kept);
        let names = |versions: &str| versions.trim() == "*" || versions.split(',').any(|one| one.trim() == version_now);
        if replaces.is_some_and(|versions| !names(versions)) {
            return Err(Box::new(Reply { version: Some(version_now), walk: kept.cloned(), ..Reply::of(Code::Behind) }));
        }
        let continued = own.continued(&json!({ "walk": walk, "secrets": {} }));
        continued.map_err(|error| Reply::refused(error.code(), error.to_string()))?;
        // One that comes late has been overtaken by the kept one, which has all that is in it.
        if replaces.is_none() && kept.is_some_and(|kept| is_older(walk, kept)) {
            return Err(Reply::kept(version_now).into());
        }
        let version = version(Some(&own_walk));
        self.stage = Stage::Open(Some(own_walk));
        Ok(Reply::kept(version))
    }

    fn stopped(&mut self) -> Reaction {
        self.end(Action::EndTurn, Closing::TurnEnded)
    }

    fn expired(&mut self, now: Option<i64>) -> Reaction {
        if now.is_some_and(|now| !self.is_over_by(now)) {
            return Reaction::NOTHING;
        }
        self.end(Action::Expire, Closing::Expired)
    }

    /// Ends the form with what was answered so far.
    fn end(&mut self, action: Action, how: Closing) -> Reaction {
        match self.now() {
            Some(walk) => self.end_with(walk, action, how),
            None => self.left(how),
        }
    }

    fn end_with(&mut self, walk: Walk, action: Action, how: Closing) -> Reaction {
        // What was answered and not sent counts as little as what was typed.
        let reopened = if walk.is_over() { walk.reopened() } else { Some(walk) };
        let Some(mut walk) = reopened.or_else(|| self.own.clone()) else { return self.left(how) };
        match walk.act(action) {
            Ok(()) => self.finish(&walk, None),
            Err(_) => self.left(how),
        }
    }

    /// The question is closed without an ending of its form.
    fn left(&mut self, how: Closing) -> Reaction {
        // An answer whose secrets a crash has lost counts only once its sender sends it again. Nobody has heard that it was taken.
        if !(self.is_open() || self.has_secrets() && self.unhanded().is_some()) {
            return self.not_open();
        }
        self.stage = Stage::Closed(Box::new(Closed { how, taken: None, hand: None, handed: true, secrets: false }));
        Reaction { store: true, closed: Some(how), reply: Some(Reply::of(Code::Taken)), hand: None }
    }

    /// Takes a walk that has ended.
    fn finish(&mut self, walk: &Walk, taken: Option<Taken>) -> Reaction {
        let Some(outcome) = walk.outcome() else { return Reaction::says(Reply::incomplete(&walk.step())) };
        let hand = self.close(walk, &outcome, taken);
        Reaction {
            store: true,
            reply: Some(Reply::of(Code::Taken)),
            closed: self.closed().map(|(how, _)| how),
            hand: Some(hand),
        }
    }

    /// Closes the question with a walk that has ended. Gives what to hand over, secrets included.
    fn close(&mut self, walk: &Walk, outcome: &Outcome, taken: Option<Taken>) -> Hand {
        let how = outcome.closing();
        let key = taken.as_ref().map_or_else(|| walk.idempotency_key(), |taken| taken.key.clone());
        // A client that ends the form knows what was typed.
        let typed = if taken.is_none() { self.typed() } else { Map::new() };
        let hand = hand(key.clone(), walk, outcome, &typed);
        let redacted = self.redacted(walk);
        let stored = match &redacted {
            Some(walk) => walk.outcome().map(|outcome| self::hand(key, walk, &outcome, &typed)),
            None => Some(hand.clone()),
        };
        self.stage =
            Stage::Closed(Box::new(Closed { how, taken, hand: stored, handed: false, secrets: redacted.is_some() }));
        hand
    }

    /// A walk that has ended with each secret redacted. `None` if it has none.
    fn redacted(&self, walk: &Walk) -> Option<Walk> {
        let mut response = walk.response();
        let secrets = response.get_mut("secrets")?.as_object_mut().filter(|secrets| !secrets.is_empty())?;
        secrets.values_mut().for_each(|secret| *secret = REDACTED.into());
        let redacted = self.own.as_ref().and_then(|own| own.continued(&response).ok());
        debug_assert!(redacted.is_some(), "a walk goes on with its own response");
        Some(redacted.unwrap_or_else(|| walk.clone()))
    }

    /// The same answer came again. If the agent does not have it yet, it is handed over now, with the secrets that came with it.
    fn again(&self, key: &str, walk: Option<&Walk>) -> Reaction {
        let is_this = self.closed().is_some_and(|(_, taken)| taken == Some(key));
        let with_secrets = || walk.and_then(|walk| Some(hand(key.to_owned(), walk, &walk.outcome()?, &Map::new())));
        let hand = self.unhanded().filter(|_| is_this);
        let hand = hand.and_then(|hand| if self.has_secrets() { with_secrets() } else { Some(hand) });
        Reaction { hand, ..Reaction::says(Reply::of(Code::TakenBefore)) }
    }

    /// What is still to be handed over, without secrets.
    fn unhanded(&self) -> Option<Hand> {
        match &self.stage {
            Stage::Closed(closed) if !closed.handed => closed.hand.clone(),
            _ => None,
        }
    }

    fn has_secrets(&self) -> bool {
        matches!(&self.stage, Stage::Closed(closed) if closed.secrets)
    }

    /// The answer that was taken under a key, for this question or an earlier one of the same call id.
    fn taken(&self, key: &str) -> Option<&Taken> {
        let closed = match &self.stage {
            Stage::Closed(closed) => closed.taken.as_ref(),
            Stage::Open(_) => None,
        };
        closed.into_iter().chain(self.earlier.iter().rev()).find(|taken| taken.key == key)
    }

    /// Whether what comes now belongs to the question that was answered before: by the nonce that it says, or else by that of the open question.
    fn is_of(&self, before: &Taken, nonce: Option<&str>) -> bool {
        let nonce = nonce.or_else(|| self.nonce().filter(|_| self.is_open()));
        nonce.is_none_or(|nonce| before.nonce.as_deref() == Some(nonce))
    }

    /// The walk as it was handed out, if the question is open and is the one with this nonce.
    fn open(&self, nonce: Option<&str>) -> Option<&Walk> {
        let is_other = self.nonce().is_some_and(|own| nonce != Some(own));
        self.own.as_ref().filter(|_| self.is_open() && !is_other)
    }

    /// Why nothing is taken: the question is not open, or cannot be read.
    fn no_question(&self) -> Reply {
        let is_unreadable = self.is_open() && self.own.is_none();
        Reply::of(if is_unreadable { Code::Unreadable } else { Code::NotOpen })
    }

    /// Why nothing is taken of what names no question, while this one is open.
    fn nameless(&self, nonce: Option<&str>, response: &Value) -> Option<Reply> {
        let own = self.own.as_ref().filter(|_| self.is_open() && nonce.is_none())?;
        Some(match own.continued(response) {
            Err(error) => Reply::refused(error.code(), error.to_string()),
            Ok(_) => {
                Reply::refused("nonce", "The walk has no nonce, so it does not say which question it answers.".into())
            }
        })
    }

    fn not_open(&self) -> Reaction {
        Reaction::says(self.no_question())
    }

    /// The names of the secret questions in plain answers: their ids, and their texts where no question has that id.
    fn secret_names(&self) -> BTreeSet<&str> {
        let Some(own) = &self.own else { return BTreeSet::new() };
        let form = own.form();
        let secret = form.questions().iter().filter(|question| question.answer_type.is_secret());
        let names = secret.flat_map(|question| {
            let text = Some(question.text.as_str()).filter(|text| form.question(text).is_none());
            [Some(question.id.as_str()), text]
        });
        names.flatten().collect()
    }
}

impl Reaction {
    /// What follows from a walk that was to be kept.
    fn says_and_stores(saved: Result<Reply, Box<Reply>>) -> Self {
        let store = saved.is_ok();
        Self { store, ..Self::says(saved.unwrap_or_else(|reply| *reply)) }
    }
}

/// Whether a name is that of a field of a question.
fn is_field(name: &str, question: &str) -> bool {
    name.strip_prefix(question).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

/// Takes as many plain answers into a walk as it takes, and the others as drafts. Gives the texts that are left, by the ids of their questions.
fn take_some(walk: &mut Walk, answers: &Map<String, Value>) -> Map<String, Value> {
    if walk.answers(answers.clone()).is_ok() {
        return Map::new();
    }
    let mut left = answers.clone();
    while let Step::Asking(asking) = walk.step() {
        // A text is a name where no other question has it as its id.
        let is_id = |text: &str| walk.form().questions().iter().any(|question| question.id == text);
        let text = Some(&asking.question.text).filter(|text| !is_id(text));
        let Some(name) = [Some(&asking.question.id), text].into_iter().flatten().find(|name| left.contains_key(*name))
        else {
            break;
        };
        let given = left.get(name).cloned().unwrap_or_default();
        if walk.check(Content::Value(given.clone())).is_err() || walk.act(Action::answer(given)).is_err() {
            break;
        }
        left.remove(name);
    }
    // By the questions: there may be far more names than these.
    let form = walk.form();
    let is_id = |text: &str| form.questions().iter().any(|question| question.id == text);
    let by_text = |text: &str| left.get(text).filter(|_| !is_id(text));
    let given = form.questions().iter().filter_map(|question| {
        let given = left.get(&question.id).or_else(|| by_text(&question.text))?;
        Some((question, given.clone()))
    });
    let is_text = |(question, given): &(&Arc<Question>, Value)| {
        matches!(question.answer_type, AnswerType::Text(_)) && given.is_string()
    };
    let (texts, others): (Vec<_>, Vec<_>) = given.partition(is_text);
    let texts = texts.into_iter().map(|(question, text)| (question.id.clone(), text)).collect();
    let others = others.into_iter().map(|(question, given)| (question.id.clone(), given)).collect();
    walk.leave(others);
    texts
}

fn hand(key: String, walk: &Walk, outcome: &Outcome, typed: &Map<String, Value>) -> Hand {
    let drafts = walk.drafts_with(typed);
    Hand {
        late: if outcome.ends() == Ends::Expired { walk.late(&drafts) } else { None },
        key,
        outcome: outcome.clone(),
        result: walk.result_text(),
        records: walk.records().map(|record| record.to_json()).collect(),
        turn: walk.turn().to_json(),
        drafts,
        secrets: secrets_of(walk),
    }
}

/// The secrets that were given in a walk, by question id.
fn secrets_of(walk: &Walk) -> Map<String, Value> {
    match walk.response().get_mut("secrets").map(Value::take) {
        Some(Value::Object(secrets)) => secrets,
        _ => Map::new(),
    }
}

/// Whether plain answers are those that were taken, but for the secrets.
fn is_answered(before: &Taken, answers: &Map<String, Value>) -> bool {
    let (Some(open), Some(names)) = (before.sent.get("answers"), before.sent.get("secrets").and_then(Value::as_array))
    else {
        return false;
    };
    // An earlier version has stored them as they are.
    let open = open.as_str().map_or_else(|| Ok(open.clone()), json::parse);
    let names: BTreeSet<&str> = names.iter().filter_map(Value::as_str).collect();
    let is_open = |name: &String| !names.contains(name.as_str());
    let now = answers.iter().filter(|(name, _)| is_open(name));
    let now = now.map(|(name, value)| (name.clone(), value.clone())).collect();
    names.iter().all(|name| answers.contains_key(*name))
        && open.is_ok_and(|open| json::equal(&open, &Value::Object(now)))
}

/// Whether the secrets of two answers may be the same. One that has no seal has no secrets, unless its host makes none.
fn may_be(before: Option<&Seal>, now: Option<&Seal>) -> bool {
    match (before, now) {
        (Some(before), Some(now)) => before.by != now.by || before.digest == now.digest,
        (Some(_), None) | (None, Some(_)) => false,
        (None, None) => true,
    }
}

/// The version of a walk that was kept.
fn version(kept: Option<&Value>) -> String {
    format!("\"{}\"", Fingerprint::new().value(kept.unwrap_or(&Value::Null)))
}

fn log(walk: &Value) -> Option<&Vec<Value>> {
    walk.get("log")?.as_array()
}

/// Whether a saved walk is an earlier version of another one: nothing leaves the log of a walk.
fn is_older(saved: &Value, kept: &Value) -> bool {
    let (Some(saved), Some(kept)) = (log(saved), log(kept)) else { return false };
    saved.len() < kept.len() && kept.starts_with(saved)
}

/// JSON text that is the same whatever the order of the keys.
fn sorted(value: &Value) -> String {
    match value {
        Value::Array(list) => format!("[{}]", list.iter().map(sorted).collect::<Vec<_>>().join(",")),
        Value::Object(fields) => {
            let mut members: Vec<_> =
                fields.iter().map(|(name, value)| format!("{}:{}", json!(name), sorted(value))).collect();
            members.sort_unstable();
            format!("{{{}}}", members.join(","))
        }
        value => json::text(value),
    }
}
