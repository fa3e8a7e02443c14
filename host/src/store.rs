//! What outlives the process, behind a trait: conversations with their transcripts, events, questions and answers, and the leases of
//! processes. `sqlite.rs` keeps it in a file, `postgres.rs` in a database that several processes share. No secret ever comes here.

mod measured;
mod postgres;
mod sqlite;

use async_trait::async_trait;
pub use measured::Measured;
pub use postgres::Postgres;
use serde_json::Value;
pub use sqlite::Sqlite;
use std::{fmt, time::Duration};
use tokio::sync::mpsc;

/// A store. Several processes may share one, if [`Store::is_shared`] says so.
///
/// Each conversation has a **fence**: a number that grows with every change. A change names the fence that it was decided on, and the store
/// refuses it if another change came first. Each process has a **lease**. A conversation whose agent is at work belongs to one lease, and
/// the store refuses every change under a lease that has ended. So a process that was thought dead can change nothing when it wakes up.
#[async_trait]
pub trait Store: Send + Sync + 'static {
    /// What kind of database it is, as OpenTelemetry's conventions call it.
    fn system(&self) -> &'static str;

    /// Whether several processes can use it at once. Leases last only for a time then, and have to be renewed.
    fn is_shared(&self) -> bool;

    /// Adds a conversation, with its id and the token that opens it, under a lease.
    async fn create(&self, id: &str, token: &str, state: &Value, lease: &str) -> Result<(), Fault>;

    /// The token of a conversation. `None` if there is no such conversation.
    async fn token(&self, id: &str) -> Result<Option<String>, Fault>;

    /// A conversation as it stands. `None` if there is no such conversation.
    async fn load(&self, id: &str) -> Result<Option<Stored>, Fault>;

    /// Stores a change, all of it or nothing, and returns the new fence. Waits until `patience` is over if the store cannot be reached.
    async fn commit(&self, id: &str, token: &Token, change: &Change, patience: Duration) -> Result<i64, Fault>;

    /// The transcript.
    async fn messages(&self, id: &str) -> Result<Vec<Value>, Fault>;

    /// The audit trail.
    async fn records(&self, id: &str) -> Result<Vec<Value>, Fault>;

    /// The question of a call.
    async fn question(&self, id: &str, call: &str) -> Result<Option<Value>, Fault>;

    /// The answer that was taken under this key.
    async fn response(&self, id: &str, key: &str) -> Result<Option<Answer>, Fault>;

    /// The answers that were taken for a call: a model can use its id for several.
    async fn answers_to(&self, id: &str, call: &str) -> Result<Vec<Answer>, Fault>;

    /// The events after a place, without those that a later one of their kind has replaced.
    async fn events_after(&self, id: &str, place: i64) -> Result<Vec<Event>, Fault>;

    /// Whether a lease can begin without ending another one. Where a store has one process alone, the last one may have it.
    async fn is_free(&self) -> Result<bool, Fault>;

    /// Begins a lease with this name.
    async fn begin_lease(&self, lease: &str, lasts: Duration) -> Result<(), Fault>;

    /// Renews a lease. `false` if it has ended: it never comes back.
    async fn renew_lease(&self, lease: &str, lasts: Duration) -> Result<bool, Fault>;

    /// Ends a lease. What it was driving is free for others.
    async fn end_lease(&self, lease: &str) -> Result<(), Fault>;

    /// Some of the conversations that are at work, belong to no other living lease, and are not among those that this lease drives.
    async fn abandoned(&self, lease: &str, driven: &[String]) -> Result<Vec<String>, Fault>;

    /// The fences of these conversations, as far as there are any.
    async fn fences(&self, ids: &[String]) -> Result<Vec<(String, i64)>, Fault>;

    /// What other processes change, as it happens. Something may be missing: see [`Store::fences`]. `None` if there are no others.
    fn wakes(&self) -> Option<mpsc::Receiver<Wake>>;

    /// How many changes of this process the others are still to be told of.
    fn untold(&self) -> u64;

    /// How many conversations wait for the person alone.
    async fn asking(&self) -> Result<u64, Fault>;

    /// Deletes the conversations that have been idle for so long, and returns how many.
    async fn forget(&self, idle: Duration) -> Result<u64, Fault>;

    /// Whether the store can be written now, and this lease lasts. Does not wait for a store that cannot be reached.
    async fn check(&self, lease: &str) -> Result<(), Fault>;
}

/// What another process has changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Wake {
    /// A conversation has reached this fence.
    Changed(String, i64),
    /// A process has given up its lease, and with it what it drove.
    Lease,
    /// Anything: something was not heard.
    Anything,
}

/// What a change is decided on, and who makes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token {
    /// The fence of the conversation.
    pub fence: i64,
    /// The lease of the process.
    pub lease: String,
}

/// A conversation as it is stored.
#[derive(Clone, Debug)]
pub struct Stored {
    /// Its state.
    pub state: Value,
    /// What lasts for the turn.
    pub turn: Value,
    /// Grows with every change.
    pub fence: i64,
    /// The living lease that drives it, if one does.
    pub driver: Option<String>,
}

/// What a conversation is doing, as far as a store needs to know.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Phase {
    /// Nothing.
    #[default]
    Idle,
    /// It waits for the person.
    Asking,
    /// It waits for the model or a tool: a process drives it.
    Working,
}

impl Phase {
    /// Its name in a table.
    pub fn name(self) -> &'static str {
        match self {
            Self::Idle => "idle",
            Self::Asking => "asking",
            Self::Working => "working",
        }
    }
}

/// What is stored in one transaction when something has happened.
#[derive(Clone, Debug, Default)]
pub struct Change {
    /// The state of the conversation, and what that means for a store.
    pub state: Value,
    pub phase: Phase,
    /// Whether what works on the conversation goes on: it stays with the lease that drives it.
    pub goes_on: bool,
    /// What lasts for the turn.
    pub turn: Option<Value>,
    /// Lines of the transcript.
    pub messages: Vec<Value>,
    /// Events: their kind, whether a later one of the kind takes their place, and their data.
    pub events: Vec<(&'static str, bool, Value)>,
    /// Questions that are put to the person, or are changed: the id of the call, and all that it takes to read it again.
    pub questions: Vec<(String, Value)>,
    /// Lines of the audit trail.
    pub records: Vec<Value>,
    /// An answer that is taken.
    pub response: Option<Answer>,
}

/// Which question an answer was taken for, by its key.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(test, derive(serde::Deserialize))]
pub struct Answer {
    /// Its idempotency key.
    pub key: String,
    /// The call whose question it answers. It is empty, as is what follows, in an answer that version 2 of the tables has.
    pub call: String,
    /// The nonce of that question.
    pub nonce: String,
    /// The log of its walk, or its plain answers, as text: of an answer that an earlier version of this program took. The desk of the question has those of this one.
    pub log: String,
}

/// An event as it was stored.
#[derive(Debug)]
pub struct Event {
    /// Its place among all events: its id for clients.
    pub place: i64,
    /// Its kind.
    pub kind: String,
    /// Its data, as JSON text.
    pub data: String,
}

/// Why the store did not do something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// Another change came first, or the conversation is gone. Nothing was changed.
    Overtaken,
    /// The lease has ended. Nothing was changed.
    LeaseEnded,
    /// It failed: why, without anything that is stored. It is not known whether a change was made.
    Failed(String),
}

impl Fault {
    /// What is counted.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Overtaken => "overtaken",
            Self::LeaseEnded => "lease_ended",
            Self::Failed(_) => "failed",
        }
    }
}

impl std::error::Error for Fault {}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Overtaken => f.write_str("another change came first"),
            Self::LeaseEnded => f.write_str("the lease of this process has ended"),
            Self::Failed(why) => f.write_str(why),
        }
    }
}

/// A text that nobody can guess: 128 bits.
pub fn random() -> Result<String, Fault> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).map_err(|error| Fault::Failed(format!("the system has no random numbers: {error}")))?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// What we wrote is JSON.
fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_default()
}
