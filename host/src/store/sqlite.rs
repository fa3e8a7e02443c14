//! The store in one SQLite file, for one process. If another process opens the file, the lease of the first ends, and it can change
//! nothing any more.

use super::{Answer, Change, Event, Fault, Phase, Store, Stored, Token, Wake, json};
use async_trait::async_trait;
use rusqlite::{Connection, OptionalExtension, Transaction, params};
use serde_json::Value;
use std::{
    path::Path,
    sync::{Mutex, MutexGuard, PoisonError},
    time::Duration,
};
use tokio::sync::mpsc;

/// The tables of version 2, from which every file begins. `events` is what clients hear, `messages` what the model sees, `questions` what was
/// put to the person and how, `responses` which answers were taken, by their idempotency keys.
const BEGIN: &str = "
    CREATE TABLE conversations (id TEXT PRIMARY KEY, state TEXT NOT NULL, turn TEXT NOT NULL, token TEXT NOT NULL);
    CREATE TABLE messages (
        place INTEGER PRIMARY KEY, conversation TEXT NOT NULL REFERENCES conversations, line TEXT NOT NULL);
    CREATE TABLE events (
        place INTEGER PRIMARY KEY, conversation TEXT NOT NULL REFERENCES conversations, kind TEXT NOT NULL,
        passing INTEGER NOT NULL, data TEXT NOT NULL);
    CREATE TABLE questions (
        conversation TEXT NOT NULL REFERENCES conversations, call TEXT NOT NULL, question TEXT NOT NULL,
        PRIMARY KEY (conversation, call));
    CREATE TABLE records (
        place INTEGER PRIMARY KEY, conversation TEXT NOT NULL REFERENCES conversations, line TEXT NOT NULL);
    CREATE TABLE responses (
        conversation TEXT NOT NULL REFERENCES conversations, key TEXT NOT NULL, log TEXT NOT NULL,
        PRIMARY KEY (conversation, key));
    CREATE INDEX messages_of ON messages (conversation, place);
    CREATE INDEX events_of ON events (conversation, place);
    CREATE INDEX records_of ON records (conversation, place);
";

/// Each step leads to a version of the tables: its number, and its statements. The number stands in the file as `user_version`.
const STEPS: [(i64, &str); 4] = [
    (2, BEGIN),
    (
        3,
        "ALTER TABLE conversations ADD COLUMN fence INTEGER NOT NULL DEFAULT 0;
         ALTER TABLE conversations ADD COLUMN phase TEXT NOT NULL DEFAULT 'idle';
         ALTER TABLE conversations ADD COLUMN driver TEXT;
         ALTER TABLE conversations ADD COLUMN changed INTEGER NOT NULL DEFAULT 0;
         UPDATE conversations SET changed = unixepoch(), phase = CASE json_extract(state, '$.state')
             WHEN 'idle' THEN 'idle' WHEN 'awaiting_user_response' THEN 'asking' ELSE 'working' END;
         CREATE INDEX conversations_at_work ON conversations (phase) WHERE phase = 'working';
         CREATE TABLE leases (id TEXT PRIMARY KEY);",
    ),
    (4, "CREATE INDEX conversations_asking ON conversations (phase) WHERE phase = 'asking';"),
    (
        5,
        "ALTER TABLE responses ADD COLUMN call TEXT NOT NULL DEFAULT '';
         ALTER TABLE responses ADD COLUMN nonce TEXT NOT NULL DEFAULT '';
         ALTER TABLE responses ADD COLUMN id TEXT NOT NULL DEFAULT '';",
    ),
];

/// The store.
pub struct Sqlite {
    connection: Mutex<Connection>,
}

impl From<rusqlite::Error> for Fault {
    fn from(error: rusqlite::Error) -> Self {
        Self::Failed(error.to_string())
    }
}

impl Sqlite {
    /// Opens a file, and brings its tables to the version that this program needs.
    pub fn open(path: &Path) -> Result<Self, Fault> {
        let mut connection = Connection::open(path)?;
        connection.execute_batch("PRAGMA journal_mode = WAL;")?;
        connection.busy_timeout(Duration::from_secs(5))?;
        let transaction = connection.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate)?;
        let mut version: i64 = transaction.query_row("PRAGMA user_version", [], |row| row.get(0))?;
        let tables: i64 = transaction.query_row("SELECT count(*) FROM sqlite_master", [], |row| row.get(0))?;
        let ours = if tables == 0 { version == 0 } else { STEPS.iter().any(|(step, _)| *step == version) };
        if !ours {
            let needed = STEPS.last().map_or(0, |(step, _)| *step);
            let message =
                format!("the file has tables of version {version}, and this program needs {needed}: name another file");
            return Err(Fault::Failed(message));
        }
        for (step, statements) in STEPS {
            if step > version {
                transaction.execute_batch(statements)?;
                version = step;
            }
        }
        transaction.pragma_update(None, "user_version", version)?;
        transaction.commit()?;
        Ok(Self { connection: Mutex::new(connection) })
    }

    fn lines(&self, sql: &str, id: &str) -> Result<Vec<Value>, Fault> {
        let connection = self.lock();
        let mut statement = connection.prepare_cached(sql)?;
        let lines = statement.query_map([id], |row| row.get::<_, String>(0))?;
        Ok(lines.map(|line| line.map(|line| json(&line))).collect::<Result<_, _>>()?)
    }

    fn lock(&self) -> MutexGuard<'_, Connection> {
        // Whoever panicked while holding it has not committed.
        self.connection.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A row of the answers.
fn answer(row: &rusqlite::Row<'_>) -> rusqlite::Result<Answer> {
    Ok(Answer { key: row.get(0)?, log: row.get(1)?, call: row.get(2)?, nonce: row.get(3)? })
}

#[async_trait]
impl Store for Sqlite {
    fn system(&self) -> &'static str {
        "sqlite"
    }

    fn is_shared(&self) -> bool {
        false
    }

    async fn create(&self, id: &str, token: &str, state: &Value, lease: &str) -> Result<(), Fault> {
        let sql = "INSERT INTO conversations (id, token, state, turn, changed)
                   SELECT ?1, ?2, ?3, '{}', unixepoch() FROM leases WHERE leases.id = ?4";
        let count = self.lock().execute(sql, params![id, token, state.to_string(), lease])?;
        if count == 0 { Err(Fault::LeaseEnded) } else { Ok(()) }
    }

    async fn token(&self, id: &str) -> Result<Option<String>, Fault> {
        let sql = "SELECT token FROM conversations WHERE id = ?1";
        Ok(self.lock().query_row(sql, [id], |row| row.get(0)).optional()?)
    }

    async fn load(&self, id: &str) -> Result<Option<Stored>, Fault> {
        let sql =
            "SELECT state, turn, fence, (SELECT id FROM leases WHERE id = driver) FROM conversations WHERE id = ?1";
        let stored = |row: &rusqlite::Row<'_>| {
            let (state, turn): (String, String) = (row.get(0)?, row.get(1)?);
            Ok(Stored { state: json(&state), turn: json(&turn), fence: row.get(2)?, driver: row.get(3)? })
        };
        Ok(self.lock().query_row(sql, [id], stored).optional()?)
    }

    async fn commit(&self, id: &str, token: &Token, change: &Change, _: Duration) -> Result<i64, Fault> {
        let mut connection = self.lock();
        let transaction = connection.transaction()?;
        let lease =
            transaction.query_row("SELECT 1 FROM leases WHERE id = ?1", [&token.lease], |_| Ok(())).optional()?;
        lease.ok_or(Fault::LeaseEnded)?;
        let driver = (change.phase == Phase::Working).then_some(&token.lease);
        let turn = change.turn.as_ref().map(Value::to_string);
        let sql = "UPDATE conversations SET state = ?3, phase = ?4, driver = CASE WHEN ?7 THEN driver ELSE ?5 END,
                       turn = coalesce(?6, turn), fence = fence + 1, changed = unixepoch()
                   WHERE id = ?1 AND fence = ?2";
        let (state, phase) = (change.state.to_string(), change.phase.name());
        if transaction.execute(sql, params![id, token.fence, state, phase, driver, turn, change.goes_on])? == 0 {
            return Err(Fault::Overtaken);
        }
        for (table, lines) in [("messages", &change.messages), ("records", &change.records)] {
            append(&transaction, table, id, lines)?;
        }
        for (call, question) in &change.questions {
            let sql = "INSERT OR REPLACE INTO questions (conversation, call, question) VALUES (?1, ?2, ?3)";
            transaction.execute(sql, params![id, call, question.to_string()])?;
        }
        if let Some(Answer { key, log, call, nonce }) = &change.response {
            let sql = "INSERT INTO responses (conversation, key, log, call, nonce) VALUES (?1, ?2, ?3, ?4, ?5)";
            transaction.execute(sql, params![id, key, log, call, nonce])?;
        }
        for (kind, passing, data) in &change.events {
            let sql = "INSERT INTO events (conversation, kind, passing, data) VALUES (?1, ?2, ?3, ?4)";
            transaction.execute(sql, params![id, kind, passing, data.to_string()])?;
        }
        transaction.commit()?;
        Ok(token.fence + 1)
    }

    async fn messages(&self, id: &str) -> Result<Vec<Value>, Fault> {
        self.lines("SELECT line FROM messages WHERE conversation = ?1 ORDER BY place", id)
    }

    async fn records(&self, id: &str) -> Result<Vec<Value>, Fault> {
        self.lines("SELECT line FROM records WHERE conversation = ?1 ORDER BY place", id)
    }

    async fn question(&self, id: &str, call: &str) -> Result<Option<Value>, Fault> {
        let sql = "SELECT question FROM questions WHERE conversation = ?1 AND call = ?2";
        let text: Option<String> = self.lock().query_row(sql, params![id, call], |row| row.get(0)).optional()?;
        Ok(text.map(|text| json(&text)))
    }

    async fn response(&self, id: &str, key: &str) -> Result<Option<Answer>, Fault> {
        let sql = "SELECT key, log, call, nonce FROM responses WHERE conversation = ?1 AND key = ?2";
        Ok(self.lock().query_row(sql, params![id, key], answer).optional()?)
    }

    async fn answers_to(&self, id: &str, call: &str) -> Result<Vec<Answer>, Fault> {
        let connection = self.lock();
        let sql = "SELECT key, log, call, nonce FROM responses WHERE conversation = ?1 AND call = ?2";
        let mut statement = connection.prepare_cached(sql)?;
        let found = statement.query_map(params![id, call], answer)?.collect::<Result<_, _>>()?;
        Ok(found)
    }

    async fn events_after(&self, id: &str, place: i64) -> Result<Vec<Event>, Fault> {
        let connection = self.lock();
        let mut statement = connection.prepare_cached(
            "SELECT place, kind, data FROM events e WHERE conversation = ?1 AND place > ?2 AND (NOT passing OR NOT EXISTS (
                 SELECT 1 FROM events l WHERE l.conversation = ?1 AND l.kind = e.kind AND l.place > e.place))
             ORDER BY place",
        )?;
        let event = |row: &rusqlite::Row<'_>| Ok(Event { place: row.get(0)?, kind: row.get(1)?, data: row.get(2)? });
        Ok(statement.query_map(params![id, place], event)?.collect::<Result<_, _>>()?)
    }

    async fn is_free(&self) -> Result<bool, Fault> {
        let lease = self.lock().query_row("SELECT 1 FROM leases", [], |_| Ok(())).optional()?;
        Ok(lease.is_none())
    }

    async fn begin_lease(&self, lease: &str, _: Duration) -> Result<(), Fault> {
        let mut connection = self.lock();
        let transaction = connection.transaction()?;
        // The file belongs to the process that opened it last.
        transaction.execute("DELETE FROM leases", [])?;
        transaction.execute("INSERT INTO leases (id) VALUES (?1)", [lease])?;
        Ok(transaction.commit()?)
    }

    async fn renew_lease(&self, lease: &str, _: Duration) -> Result<bool, Fault> {
        Ok(self.lock().query_row("SELECT 1 FROM leases WHERE id = ?1", [lease], |_| Ok(())).optional()?.is_some())
    }

    async fn end_lease(&self, lease: &str) -> Result<(), Fault> {
        self.lock().execute("DELETE FROM leases WHERE id = ?1", [lease])?;
        Ok(())
    }

    async fn abandoned(&self, lease: &str, driven: &[String]) -> Result<Vec<String>, Fault> {
        let connection = self.lock();
        let mut statement = connection.prepare_cached(
            "SELECT id FROM conversations WHERE phase = 'working' AND (driver IS NULL OR driver = ?1
                 OR driver NOT IN (SELECT id FROM leases))",
        )?;
        let ids: Vec<String> = statement.query_map([lease], |row| row.get(0))?.collect::<Result<_, _>>()?;
        Ok(ids.into_iter().filter(|id| !driven.contains(id)).collect())
    }

    async fn fences(&self, ids: &[String]) -> Result<Vec<(String, i64)>, Fault> {
        let connection = self.lock();
        let mut statement = connection.prepare_cached("SELECT fence FROM conversations WHERE id = ?1")?;
        let mut fences = Vec::with_capacity(ids.len());
        for id in ids {
            let fence: Option<i64> = statement.query_row([id], |row| row.get(0)).optional()?;
            fences.extend(fence.map(|fence| (id.clone(), fence)));
        }
        Ok(fences)
    }

    fn wakes(&self) -> Option<mpsc::Receiver<Wake>> {
        None
    }

    fn untold(&self) -> u64 {
        0
    }

    async fn asking(&self) -> Result<u64, Fault> {
        let sql = "SELECT count(*) FROM conversations WHERE phase = 'asking'";
        let count: i64 = self.lock().query_row(sql, [], |row| row.get(0))?;
        Ok(u64::try_from(count).unwrap_or_default())
    }

    async fn forget(&self, idle: Duration) -> Result<u64, Fault> {
        let mut connection = self.lock();
        let transaction = connection.transaction()?;
        let before = i64::try_from(idle.as_secs()).unwrap_or(i64::MAX);
        let gone = "SELECT id FROM conversations WHERE phase = 'idle' AND changed < unixepoch() - ?1";
        for table in ["messages", "events", "questions", "records", "responses"] {
            transaction.execute(&format!("DELETE FROM {table} WHERE conversation IN ({gone})"), [before])?;
        }
        let count = transaction.execute(&format!("DELETE FROM conversations WHERE id IN ({gone})"), [before])?;
        transaction.commit()?;
        Ok(u64::try_from(count).unwrap_or(u64::MAX))
    }

    async fn check(&self, lease: &str) -> Result<(), Fault> {
        // A disk that is full, or a file that can only be read, shows in a write alone.
        let count = self.lock().execute("UPDATE leases SET id = id WHERE id = ?1", [lease])?;
        if count == 0 { Err(Fault::LeaseEnded) } else { Ok(()) }
    }
}

fn append(transaction: &Transaction<'_>, table: &str, id: &str, lines: &[Value]) -> Result<(), Fault> {
    for line in lines {
        let sql = format!("INSERT INTO {table} (conversation, line) VALUES (?1, ?2)");
        transaction.execute(&sql, params![id, line.to_string()])?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{BEGIN, Sqlite};
    use crate::store::{Change, Fault, Phase, Store, Token};
    use rusqlite::Connection;
    use serde_json::json;
    use std::{path::PathBuf, time::Duration};

    const TIME: Duration = Duration::from_secs(1);

    /// A file that is gone when this is dropped.
    struct File(PathBuf);

    impl File {
        fn new(name: &str) -> Self {
            Self(std::env::temp_dir().join(format!("ask-user-host-{name}-{}.sqlite", std::process::id())))
        }
    }

    impl Drop for File {
        fn drop(&mut self) {
            for end in ["", "-wal", "-shm"] {
                let mut path = self.0.clone().into_os_string();
                path.push(end);
                drop(std::fs::remove_file(path));
            }
        }
    }

    #[tokio::test]
    async fn a_file_of_the_version_before_is_brought_up_to_date() {
        let file = File::new("before");
        let before = Connection::open(&file.0).expect("a file opens");
        before.execute_batch(BEGIN).expect("tables are made");
        for (id, state) in [("a", "idle"), ("b", "requesting_model"), ("c", "awaiting_user_response")] {
            let state = json!({ "ask_user_conversation": 1, "state": state }).to_string();
            let sql = "INSERT INTO conversations VALUES (?1, ?2, '{}', 'token')";
            before.execute(sql, [id, &state]).expect("a row is added");
        }
        before.execute("INSERT INTO responses VALUES ('a', 'k', 'log')", []).expect("a row is added");
        before.pragma_update(None, "user_version", 2).expect("the version is set");
        drop(before);
        for _ in 0..2 {
            let store = Sqlite::open(&file.0).expect("the file opens");
            store.begin_lease("lease", TIME).await.expect("a lease begins");
            assert_eq!(store.abandoned("lease", &[]).await, Ok(vec!["b".to_owned()]));
            assert_eq!(store.token("c").await, Ok(Some("token".into())));
            let answer = store.response("a", "k").await.expect("it can be read").expect("it is there");
            assert_eq!((answer.log.as_str(), answer.call.as_str()), ("log", ""));
        }
        Connection::open(&file.0).and_then(|newer| newer.pragma_update(None, "user_version", 99)).expect("it is set");
        let refused = Sqlite::open(&file.0).map(drop);
        assert!(matches!(&refused, Err(Fault::Failed(why)) if why.contains("version 99")), "{refused:?}");
    }

    #[tokio::test]
    async fn a_change_needs_the_fence_it_was_decided_on_and_the_lease_of_the_last_process() {
        let file = File::new("fence");
        let (one, other) = (Sqlite::open(&file.0).expect("opens"), Sqlite::open(&file.0).expect("opens again"));
        one.begin_lease("one", TIME).await.expect("a lease begins");
        one.create("id", "token", &json!({}), "one").await.expect("a conversation begins");
        let change = Change { state: json!({ "state": "x" }), phase: Phase::Working, ..Change::default() };
        let token = |fence, lease: &str| Token { fence, lease: lease.into() };
        assert_eq!(one.commit("id", &token(0, "one"), &change, TIME).await, Ok(1));
        assert_eq!(one.commit("id", &token(0, "one"), &change, TIME).await, Err(Fault::Overtaken));
        assert_eq!(one.commit("none", &token(0, "one"), &change, TIME).await, Err(Fault::Overtaken));
        other.begin_lease("other", TIME).await.expect("a lease begins");
        assert_eq!(one.renew_lease("one", TIME).await, Ok(false));
        assert_eq!(one.check("one").await, Err(Fault::LeaseEnded));
        assert_eq!(one.is_free().await, Ok(false));
        assert_eq!(other.check("other").await, Ok(()));
        assert_eq!(one.create("more", "token", &json!({}), "one").await, Err(Fault::LeaseEnded));
        assert_eq!(one.commit("id", &token(1, "one"), &change, TIME).await, Err(Fault::LeaseEnded));
        assert_eq!(other.abandoned("other", &[]).await, Ok(vec!["id".to_owned()]));
        assert_eq!(other.commit("id", &token(1, "other"), &change, TIME).await, Ok(2));
        assert_eq!(
            other.load("id").await.map(|stored| stored.and_then(|stored| stored.driver)),
            Ok(Some("other".into()))
        );
        other.end_lease("other").await.expect("it ends");
        assert_eq!(one.is_free().await, Ok(true));
    }
}
