//! Drives conversations: reads what clients want, and brings it as events to the state machine of the core. `work.rs` carries out what
//! follows. Knows no HTTP.

mod lease;
mod observed;
mod plain;
mod refused;
mod seals;
mod taken;
mod work;

use crate::{
    agent::Agent,
    question::{Question, clock},
    store::{self, Change, Fault, Phase, Store, Stored},
};
use ask_user_core::{
    conversation::{Conversation, Event, Notice, Open, State},
    desk::{Code, Reply},
};
use lease::Lease;
pub use plain::{Looks, Shown};
pub use refused::Refused;
use seals::Seals;
use serde_json::{Map, Value, json};
use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};
use tokio::sync::{OwnedMutexGuard, watch};
use tracing::warn;

/// The host.
pub struct Host {
    pub(crate) store: Box<dyn Store>,
    agent: Box<dyn Agent>,
    /// The lease under which this process changes conversations.
    lease: watch::Sender<Lease>,
    renewing: tokio::sync::Mutex<()>,
    /// How long a lease lasts without being renewed.
    lasts: Duration,
    live: Mutex<HashMap<String, Arc<Live>>>,
    /// Whether the process is about to end: no stream goes on then.
    closing: watch::Sender<bool>,
    seals: Seals,
    several_open: bool,
}

/// The options of a host.
#[derive(Clone, Copy, Debug)]
pub struct HostOptions {
    /// How long a lease lasts without being renewed.
    pub lease: Duration,
    /// How long an idle conversation is kept; `None` for ever.
    pub keep: Option<Duration>,
    /// Whether the later calls of a response run while the question of an earlier one is open, so that several can be open at once. Holds for the conversations
    /// that begin from now on.
    pub several_open: bool,
}

impl Default for HostOptions {
    fn default() -> Self {
        Self { lease: Duration::from_secs(10), keep: None, several_open: false }
    }
}

/// The longest id of a call, and the longest idempotency key, in bytes: databases have a limit for what they find things by.
pub const LONGEST_ID: usize = 256;

/// How many conversations stay in memory that nobody uses at the moment.
const KEPT: usize = 64;

/// How long an answer that could not be stored may come again, in milliseconds.
const AGAIN: i64 = 60_000;

/// How often something is decided anew because another change came first.
const TRIES: usize = 100;

/// What this process knows of a conversation beside the store.
struct Live {
    id: String,
    /// Held while an event is decided and stored: one at a time in this process. The store sees to it that it is one at a time in all.
    turn: Arc<tokio::sync::Mutex<()>>,
    /// The newest fence that is known.
    fence: watch::Sender<i64>,
    /// The fence at which this process began the request to the model or the tool that it waits for.
    driving: Mutex<Option<i64>>,
    /// What was typed for the open question, if something was.
    typed: Mutex<Option<Typed>>,
    /// When this process looks whether an open question has expired, in milliseconds since the beginning of 1970.
    expires: Mutex<Option<i64>>,
    /// The answers that could not be stored, by the calls that they name.
    missed: Mutex<HashMap<Option<String>, Missed>>,
}

/// Of how many calls of a conversation it is known that an answer could not be stored, and how long their names and keys may be, in bytes.
const MOST_MISSED: usize = 100;
const LONGEST_NAME: usize = 1_000;

/// An answer that could not be stored: under which key and when it came, and until when it may come again, in milliseconds since the beginning of 1970.
#[derive(Clone)]
struct Missed {
    key: Option<String>,
    at: i64,
    until: i64,
}

/// The secrets that were given in a form without a script so far. They are stored nowhere.
struct Typed {
    call_id: String,
    /// The nonce of the question: the model may use the id of the call again.
    nonce: Option<String>,
    secrets: Map<String, Value>,
}

impl Live {
    fn new(id: &str) -> Self {
        Self {
            id: id.to_owned(),
            turn: Arc::default(),
            fence: watch::Sender::new(0),
            driving: Mutex::default(),
            typed: Mutex::default(),
            expires: Mutex::default(),
            missed: Mutex::default(),
        }
    }

    /// What time it is for the question of a call, in milliseconds since the beginning of 1970. Where an answer to it could not be stored, it is the moment at which
    /// that came, for a minute.
    fn clock(&self, call: Option<&str>) -> i64 {
        self.missed(call).map_or_else(clock, |missed| missed.at)
    }

    /// The answer to the question of a call that could not be stored, and may come again.
    fn missed(&self, call: Option<&str>) -> Option<Missed> {
        let now = clock();
        let missed = self.missed.lock().unwrap_or_else(PoisonError::into_inner);
        let known = [missed.get(&call.map(str::to_owned)), missed.get(&None)];
        known.into_iter().flatten().find(|missed| now < missed.until).cloned()
    }

    /// Takes note of whether the store failed for an answer that came at a moment, for a call and under its key. If it did, the answer may come again.
    fn came(&self, call: Option<&str>, key: Option<&str>, at: i64, is_heard: bool) {
        let mut missed = self.missed.lock().unwrap_or_else(PoisonError::into_inner);
        let call = call.map(str::to_owned);
        if is_heard {
            missed.retain(|known, missed| *known != call || missed.key.as_deref() != key);
            return;
        }
        missed.retain(|_, missed| clock() < missed.until);
        let is_long = [call.as_deref(), key].into_iter().flatten().any(|name| name.len() > LONGEST_NAME);
        if is_long || missed.len() >= MOST_MISSED {
            return;
        }
        let until = clock().saturating_add(AGAIN);
        missed.entry(call).or_insert_with(|| Missed { key: key.map(str::to_owned), at, until });
    }

    /// Takes note of a fence. Those who listen look for events.
    fn reaches(&self, fence: i64) {
        self.fence.send_if_modified(|known| {
            let is_new = fence > *known;
            *known = fence.max(*known);
            is_new
        });
    }

    /// Waits until a change comes after this fence, and gives the newest fence.
    async fn leaves(&self, fence: i64) -> i64 {
        let mut fences = self.fence.subscribe();
        // It fails only without a sender, which is ours.
        let now = fences.wait_for(|now| *now != fence).await.map(|now| *now);
        now.unwrap_or(fence)
    }

    /// Whether this process waits for the model or a tool since this fence.
    fn drives(&self, fence: i64) -> bool {
        *self.driving.lock().unwrap_or_else(PoisonError::into_inner) == Some(fence)
    }

    /// The secrets that were typed into the form of the oldest open question so far, which is the one that is shown without a script. Those of another question are
    /// dropped.
    fn typed(&self, conversation: &Conversation) -> Map<String, Value> {
        let mut typed = self.typed.lock().unwrap_or_else(PoisonError::into_inner);
        let open = conversation.open().next();
        let is_open = |typed: &Typed| {
            open.is_some_and(|open| open.call.id == typed.call_id && typed.nonce.as_deref() == nonce_of(&open))
        };
        *typed = typed.take().filter(is_open);
        typed.as_ref().map_or_else(Map::new, |typed| typed.secrets.clone())
    }

    /// Whether secrets were typed into a form that may be open.
    fn has_typed(&self) -> bool {
        self.typed.lock().unwrap_or_else(PoisonError::into_inner).is_some()
    }

    /// Whether this process waits for the model or a tool.
    fn is_driven(&self) -> bool {
        self.driving.lock().unwrap_or_else(PoisonError::into_inner).is_some()
    }

    /// Whether an answer that could not be stored may come again.
    fn has_missed(&self) -> bool {
        let missed = self.missed.lock().unwrap_or_else(PoisonError::into_inner);
        missed.values().any(|missed| clock() < missed.until)
    }

    /// Whether something is lost if it is forgotten.
    fn is_needed(&self) -> bool {
        self.fence.receiver_count() > 0 || self.is_driven() || self.has_typed() || self.has_missed()
    }
}

/// A conversation that this process is about to change: as it stands, and the right to change it before others in this process.
struct Held {
    live: Arc<Live>,
    turn: OwnedMutexGuard<()>,
    stored: Stored,
    conversation: Conversation,
}

impl Host {
    /// Opens the host, and goes on with what nobody drives.
    pub async fn open(
        store: Box<dyn Store>,
        agent: Box<dyn Agent>,
        HostOptions { lease: lasts, keep, several_open }: HostOptions,
    ) -> Result<Arc<Self>, Refused> {
        let host = Arc::new(Self {
            store,
            agent,
            lease: watch::Sender::new(Lease::none()),
            renewing: tokio::sync::Mutex::default(),
            lasts,
            live: Mutex::default(),
            closing: watch::Sender::new(false),
            seals: Seals::new()?,
            several_open,
        });
        if let Err(refused) = host.take_over().await {
            // What it has taken over already is free for others at once.
            host.close();
            host.end().await;
            return Err(refused);
        }
        tokio::spawn(Arc::clone(&host).keep_lease());
        tokio::spawn(Arc::clone(&host).look_around());
        tokio::spawn(Arc::clone(&host).listen());
        if let Some(keep) = keep {
            tokio::spawn(Arc::clone(&host).forget(keep));
        }
        Ok(host)
    }

    /// Begins a conversation, and gives its id and the token that opens it.
    pub async fn create(&self) -> Result<(String, String), Refused> {
        let (id, token) = (&store::random()?, &store::random()?);
        let state = &json!(Conversation::new(true).several_open(self.several_open));
        self.decided(|lease| async move { Ok(self.store.create(id, token, state, &lease).await?) }).await?;
        Ok((id.clone(), token.clone()))
    }

    /// Whether one of the tokens opens a conversation.
    pub async fn opens(&self, id: &str, tokens: &[&str]) -> Result<(), Refused> {
        let token = self.store.token(id).await?.ok_or(Refused::NoConversation)?;
        let mut opens = false;
        for given in tokens {
            // As long for a token that is nearly right as for any other.
            let differs = given.bytes().zip(token.bytes()).fold(0, |differs, (one, other)| differs | (one ^ other));
            opens |= differs == 0 && given.len() == token.len();
        }
        if opens { Ok(()) } else { Err(Refused::NotYours) }
    }

    /// Ends all streams of events, for the process is about to end.
    pub fn close(&self) {
        self.closing.send_replace(true);
    }

    /// Whether this process can serve: its store can be written, its lease lasts, and it is not about to end.
    pub async fn is_ready(&self) -> Result<(), Fault> {
        if *self.closing.borrow() {
            return Err(Fault::Failed("this process is about to end".into()));
        }
        let lease = self.lease.borrow().id.clone();
        match self.store.check(&lease).await {
            Ok(()) => self.lease().await.map(drop),
            Err(Fault::LeaseEnded) => self.replace_lease(&lease).await.map(drop),
            Err(fault) => Err(fault),
        }
    }

    /// Gives up what this process drives, once nothing comes any more.
    pub async fn end(&self) {
        let lease = self.lease.send_replace(Lease::none());
        if let Err(error) = self.store.end_lease(&lease.id).await {
            warn!(%error, "the lease could not be given up");
        }
    }

    /// Tells when the process is about to end.
    pub fn closing(&self) -> watch::Receiver<bool> {
        self.closing.subscribe()
    }

    /// The person sends a message.
    pub async fn message(self: &Arc<Self>, id: &str, text: &str) -> Result<(), Refused> {
        self.expires(id).await?;
        let line = json!({ "role": "user", "text": text });
        let change =
            Change { messages: vec![line.clone()], events: vec![("message", false, line)], ..Change::default() };
        self.happens(id, Event::Message, change).await
    }

    /// The person tries the last request to the model again, which failed.
    pub async fn retry(self: &Arc<Self>, id: &str) -> Result<(), Refused> {
        self.decided(|lease| async move {
            let held = self.hold(id).await?;
            let is_idle = matches!(held.conversation.state(), State::Idle);
            if is_idle && !self.store.messages(id).await?.last().is_some_and(|line| line["try_again"] == true) {
                return Err(Refused::NothingToRetry);
            }
            self.take(held, &lease, Event::Message, Change::default()).await
        })
        .await
    }

    /// What to tell a page of the questions that wait for the person, as they stand now; `None` where none waits.
    pub async fn notice(self: &Arc<Self>, id: &str) -> Result<Option<Notice>, Refused> {
        self.expires(id).await?;
        let (_, conversation) = self.read(id).await?;
        let mut notice = conversation.notice();
        let mut versions = HashMap::new();
        for open in conversation.open() {
            // A stream asks this for each change: what is stored says the version, and the form need not be read.
            let stored = self.store.question(id, &open.call.id).await?;
            let told = stored.and_then(|stored| stored["desk"]["version"].as_str().map(str::to_owned));
            let version = match told {
                Some(version) => Some(version),
                None => self
                    .question(id, conversation.state(), &open.call.id)
                    .await?
                    .map(|question| question.desk.version()),
            };
            versions.extend(version.map(|version| (open.call.id.as_str(), version)));
        }
        match notice.state.get_mut("requests").and_then(Value::as_array_mut) {
            Some(requests) => {
                for request in requests {
                    if let Some(version) = request["tool_call_id"].as_str().and_then(|call| versions.remove(call)) {
                        request["version"] = json!(version);
                    }
                }
            }
            None => notice.version = versions.into_values().next(),
        }
        Ok(conversation.open().next().is_some().then_some(notice))
    }

    /// Tells when there may be new events of a conversation.
    pub fn watch(&self, id: &str) -> watch::Receiver<i64> {
        self.live(id).fence.subscribe()
    }

    async fn happens(self: &Arc<Self>, id: &str, event: Event, change: Change) -> Result<(), Refused> {
        let (event, change) = (&event, &change);
        self.decided(
            |lease| async move { self.take(self.hold(id).await?, &lease, event.clone(), change.clone()).await },
        )
        .await
    }

    /// Decides something under a lease that lasts, and again if another change came first.
    async fn decided<T, F: Future<Output = Result<T, Refused>>>(
        &self,
        decide: impl Fn(String) -> F,
    ) -> Result<T, Refused> {
        let mut lease = self.lease().await?;
        let mut tries = 0;
        loop {
            tries += 1;
            match decide(lease.id.clone()).await {
                Err(Refused::Store(Fault::Overtaken)) if tries < TRIES => {}
                Err(Refused::Store(Fault::LeaseEnded)) if tries < TRIES => {
                    lease = self.replace_lease(&lease.id).await?
                }
                decided => return decided,
            }
        }
    }

    /// The last question of a call, if it has asked one.
    async fn question(&self, id: &str, state: &State, call_id: &str) -> Result<Option<Question>, Refused> {
        let Some(stored) = self.store.question(id, call_id).await? else { return Ok(None) };
        let answers = match stored.get("desk") {
            Some(_) => Vec::new(),
            None => self.store.answers_to(id, call_id).await?,
        };
        Ok(Some(tokio::task::block_in_place(|| Question::read(&stored, state, &answers))?))
    }

    /// A conversation, to change it.
    async fn hold(&self, id: &str) -> Result<Held, Refused> {
        let live = self.live(id);
        let turn = Arc::clone(&live.turn).lock_owned().await;
        let (stored, conversation) = self.read(id).await?;
        Ok(Held { live, turn, stored, conversation })
    }

    /// A conversation as it stands in the store.
    async fn read(&self, id: &str) -> Result<(Stored, Conversation), Refused> {
        let stored = self.store.load(id).await?.ok_or(Refused::NoConversation)?;
        let conversation = Conversation::from_json(&stored.state).map_err(|_| Refused::NoConversation)?;
        Ok((stored, conversation))
    }

    fn live(&self, id: &str) -> Arc<Live> {
        let mut live = self.live.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(live) = live.get(id) {
            return Arc::clone(live);
        }
        if live.len() >= KEPT {
            live.retain(|_, live| Arc::strong_count(live) > 1 || live.is_needed());
        }
        let entry = Arc::new(Live::new(id));
        live.insert(id.to_owned(), Arc::clone(&entry));
        entry
    }
}

/// What a conversation means for the store.
fn phase(conversation: &Conversation) -> Phase {
    match conversation.state() {
        State::Idle if conversation.open().next().is_none() => Phase::Idle,
        State::Idle | State::AwaitingUser { .. } => Phase::Asking,
        State::RequestingModel { .. } | State::Executing { .. } => Phase::Working,
    }
}

/// At which fence that began which works on a conversation. Its state does not say it where nothing has changed since.
fn since(stored: &Stored) -> i64 {
    stored.state["since"].as_i64().unwrap_or(stored.fence)
}

/// The question of a call, while it waits for the person.
fn open_question<'a>(conversation: &'a Conversation, call_id: &str) -> Result<Open<'a>, Refused> {
    conversation.open().find(|open| open.call.id == call_id).ok_or_else(Refused::not_open)
}

/// The question that is meant where no call is named: the only one that is open.
fn only_question(conversation: &Conversation) -> Result<Open<'_>, Refused> {
    let (mut open, count) = (conversation.open(), conversation.open().count());
    open.next().filter(|_| count == 1).ok_or_else(|| match count {
        0 => Refused::not_open(),
        _ => {
            let message =
                format!("{count} questions are open. Name the call of one in \"tool_call_id\". Nothing was changed.");
            Refused::Desk(Box::new(Reply { message, ..Reply::of(Code::NotOpen) }))
        }
    })
}

/// The nonce of an open question.
fn nonce_of<'a>(open: &Open<'a>) -> Option<&'a str> {
    open.options?["nonce"].as_str()
}

#[cfg(test)]
mod tests;
