//! What outlives the process: one SQLite file, its tables made at the start. No secret ever comes here.

use rusqlite::{Connection, OptionalExtension, Transaction, params};
use serde_json::Value;
use std::{
    path::Path,
    sync::{Mutex, MutexGuard, PoisonError},
};

/// The tables. `events` is what clients hear, `messages` what the model sees, `questions` what was put to the person and how,
/// `responses` which answers were taken, by their idempotency keys.
const TABLES: &str = "
    PRAGMA journal_mode = WAL;
    CREATE TABLE IF NOT EXISTS conversations (id TEXT PRIMARY KEY, state TEXT NOT NULL, turn TEXT NOT NULL, token TEXT NOT NULL);
    CREATE TABLE IF NOT EXISTS messages (
        place INTEGER PRIMARY KEY, conversation TEXT NOT NULL REFERENCES conversations, line TEXT NOT NULL);
    CREATE TABLE IF NOT EXISTS events (
        place INTEGER PRIMARY KEY, conversation TEXT NOT NULL REFERENCES conversations, kind TEXT NOT NULL,
        passing INTEGER NOT NULL, data TEXT NOT NULL);
    CREATE TABLE IF NOT EXISTS questions (
        conversation TEXT NOT NULL REFERENCES conversations, call TEXT NOT NULL, question TEXT NOT NULL,
        PRIMARY KEY (conversation, call));
    CREATE TABLE IF NOT EXISTS records (
        place INTEGER PRIMARY KEY, conversation TEXT NOT NULL REFERENCES conversations, line TEXT NOT NULL);
    CREATE TABLE IF NOT EXISTS responses (
        conversation TEXT NOT NULL REFERENCES conversations, key TEXT NOT NULL, log TEXT NOT NULL,
        PRIMARY KEY (conversation, key));
    CREATE INDEX IF NOT EXISTS messages_of ON messages (conversation, place);
    CREATE INDEX IF NOT EXISTS events_of ON events (conversation, place);
    CREATE INDEX IF NOT EXISTS records_of ON records (conversation, place);
";

/// The version of the tables.
const VERSION: i64 = 2;

/// The store.
pub struct Store {
    connection: Mutex<Connection>,
}

/// What is stored in one transaction when something has happened.
#[derive(Debug, Default)]
pub struct Change {
    /// The state of the conversation.
    pub state: Option<Value>,
    /// What lasts for the turn.
    pub turn: Option<Value>,
    /// Lines of the transcript.
    pub messages: Vec<Value>,
    /// Events: their kind, whether a later one of the kind takes their place, and their data.
    pub events: Vec<(&'static str, bool, Value)>,
    /// A question that is put to the person: the id of its call, and all that it takes to read it again.
    pub question: Option<(String, Value)>,
    /// Lines of the audit trail.
    pub records: Vec<Value>,
    /// An answer that is taken: its idempotency key, and the log of its walk, as text.
    pub response: Option<(String, String)>,
}

/// An event as it was stored.
pub struct Event {
    /// Its place among all events: its id for clients.
    pub place: i64,
    /// Its kind.
    pub kind: String,
    /// Its data, as JSON text.
    pub data: String,
}

impl Store {
    /// Opens a file, and makes the tables that are not there.
    pub fn open(path: &Path) -> rusqlite::Result<Self> {
        let connection = Connection::open(path)?;
        let version: i64 = connection.query_row("PRAGMA user_version", [], |row| row.get(0))?;
        let tables: i64 = connection.query_row("SELECT count(*) FROM sqlite_master", [], |row| row.get(0))?;
        if tables > 0 && version != VERSION {
            // The text of an error that SQLite has for a file it cannot use.
            let wrong = rusqlite::ffi::Error::new(rusqlite::ffi::SQLITE_NOTADB);
            let message = format!(
                "the file has tables of version {version}, and this program needs {VERSION}: name another file"
            );
            return Err(rusqlite::Error::SqliteFailure(wrong, Some(message)));
        }
        connection.execute_batch(TABLES)?;
        connection.pragma_update(None, "user_version", VERSION)?;
        Ok(Self { connection: Mutex::new(connection) })
    }

    /// Adds a conversation, and gives its id and its token: 128 bits each that nobody can guess.
    pub fn create(&self, state: &Value) -> rusqlite::Result<(String, String)> {
        let sql = "INSERT INTO conversations (id, state, turn, token)
                   VALUES (lower(hex(randomblob(16))), ?1, '{}', lower(hex(randomblob(16)))) RETURNING id, token";
        self.lock().query_row(sql, [state.to_string()], |row| Ok((row.get(0)?, row.get(1)?)))
    }

    /// The token of a conversation, if there is such a one.
    pub fn token(&self, id: &str) -> rusqlite::Result<Option<String>> {
        self.lock().query_row("SELECT token FROM conversations WHERE id = ?1", [id], |row| row.get(0)).optional()
    }

    /// A text that is nowhere else.
    pub fn nonce(&self) -> rusqlite::Result<String> {
        self.lock().query_row("SELECT lower(hex(randomblob(16)))", [], |row| row.get(0))
    }

    /// Stores a change, all of it or nothing, and gives the place of its last event, if it has any.
    pub fn commit(&self, id: &str, change: &Change) -> rusqlite::Result<Option<i64>> {
        let mut connection = self.lock();
        let transaction = connection.transaction()?;
        for (column, value) in [("state", &change.state), ("turn", &change.turn)] {
            if let Some(value) = value {
                let sql = format!("UPDATE conversations SET {column} = ?2 WHERE id = ?1");
                transaction.execute(&sql, params![id, value.to_string()])?;
            }
        }
        for (table, lines) in [("messages", &change.messages), ("records", &change.records)] {
            append(&transaction, table, id, lines)?;
        }
        if let Some((call, question)) = &change.question {
            let sql = "INSERT OR REPLACE INTO questions (conversation, call, question) VALUES (?1, ?2, ?3)";
            transaction.execute(sql, params![id, call, question.to_string()])?;
        }
        if let Some((key, log)) = &change.response {
            let sql = "INSERT INTO responses (conversation, key, log) VALUES (?1, ?2, ?3)";
            transaction.execute(sql, params![id, key, log])?;
        }
        let mut last = None;
        for (kind, passing, data) in &change.events {
            let sql = "INSERT INTO events (conversation, kind, passing, data) VALUES (?1, ?2, ?3, ?4)";
            transaction.execute(sql, params![id, kind, passing, data.to_string()])?;
            last = Some(transaction.last_insert_rowid());
        }
        transaction.commit()?;
        Ok(last)
    }

    /// The state of a conversation, if there is such a one.
    pub fn state(&self, id: &str) -> rusqlite::Result<Option<Value>> {
        self.value("SELECT state FROM conversations WHERE id = ?1", id)
    }

    /// What lasts for the turn.
    pub fn turn(&self, id: &str) -> rusqlite::Result<Value> {
        self.value("SELECT turn FROM conversations WHERE id = ?1", id).map(Option::unwrap_or_default)
    }

    /// The ids of all conversations.
    pub fn conversations(&self) -> rusqlite::Result<Vec<String>> {
        let connection = self.lock();
        let mut statement = connection.prepare_cached("SELECT id FROM conversations")?;
        statement.query_map([], |row| row.get(0))?.collect()
    }

    /// The transcript.
    pub fn messages(&self, id: &str) -> rusqlite::Result<Vec<Value>> {
        self.lines("SELECT line FROM messages WHERE conversation = ?1 ORDER BY place", id)
    }

    /// The audit trail.
    pub fn records(&self, id: &str) -> rusqlite::Result<Vec<Value>> {
        self.lines("SELECT line FROM records WHERE conversation = ?1 ORDER BY place", id)
    }

    /// The question of a call.
    pub fn question(&self, id: &str, call: &str) -> rusqlite::Result<Option<Value>> {
        let sql = "SELECT question FROM questions WHERE conversation = ?1 AND call = ?2";
        let text: Option<String> = self.lock().query_row(sql, params![id, call], |row| row.get(0)).optional()?;
        Ok(text.map(|text| json(&text)))
    }

    /// The log of the answer that was taken under this key.
    pub fn response(&self, id: &str, key: &str) -> rusqlite::Result<Option<String>> {
        let sql = "SELECT log FROM responses WHERE conversation = ?1 AND key = ?2";
        self.lock().query_row(sql, params![id, key], |row| row.get(0)).optional()
    }

    /// The events after a place, but for those that a later one of their kind has taken the place of.
    pub fn events_after(&self, id: &str, place: i64) -> rusqlite::Result<Vec<Event>> {
        let connection = self.lock();
        let mut statement = connection.prepare_cached(
            "SELECT place, kind, data FROM events e WHERE conversation = ?1 AND place > ?2 AND (NOT passing OR NOT EXISTS (
                 SELECT 1 FROM events l WHERE l.conversation = ?1 AND l.kind = e.kind AND l.place > e.place))
             ORDER BY place",
        )?;
        let event = |row: &rusqlite::Row<'_>| Ok(Event { place: row.get(0)?, kind: row.get(1)?, data: row.get(2)? });
        statement.query_map(params![id, place], event)?.collect()
    }

    fn value(&self, sql: &str, id: &str) -> rusqlite::Result<Option<Value>> {
        let text: Option<String> = self.lock().query_row(sql, [id], |row| row.get(0)).optional()?;
        Ok(text.map(|text| json(&text)))
    }

    fn lines(&self, sql: &str, id: &str) -> rusqlite::Result<Vec<Value>> {
        let connection = self.lock();
        let mut statement = connection.prepare_cached(sql)?;
        let lines = statement.query_map([id], |row| row.get::<_, String>(0))?;
        lines.map(|line| line.map(|line| json(&line))).collect()
    }

    fn lock(&self) -> MutexGuard<'_, Connection> {
        // Whoever panicked while holding it has not committed.
        self.connection.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn append(transaction: &Transaction<'_>, table: &str, id: &str, lines: &[Value]) -> rusqlite::Result<()> {
    for line in lines {
        let sql = format!("INSERT INTO {table} (conversation, line) VALUES (?1, ?2)");
        transaction.execute(&sql, params![id, line.to_string()])?;
    }
    Ok(())
}

/// What we wrote is JSON.
fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_default()
}
