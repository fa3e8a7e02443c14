//! The store in PostgreSQL, for any number of processes. Every call is one statement, so it is done or not done. A call that fails because
//! the server cannot be reached is tried again for a time; a change carries a stamp, by which one that was stored is known.

mod migrations;
mod wakes;

use super::{Answer, Change, Event, Fault, Phase, Store, Stored, Token, Wake, json, random};
use async_trait::async_trait;
use deadpool_postgres::{Manager, ManagerConfig, Object, Pool, PoolError, RecyclingMethod, Timeouts};
use hyper_rustls::ConfigBuilderExt;
use serde_json::Value;
use std::{
    str::FromStr,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};
use tokio::sync::mpsc;
use tokio_postgres::{Config, Error, Row, config::SslMode, error::SqlState, types::ToSql};
use tokio_postgres_rustls::MakeRustlsConnect;

/// How long a call waits for a server that cannot be reached.
const PATIENCE: Duration = Duration::from_secs(5);
/// How long one attempt may take: a server behind a broken network does not say that it is gone.
const ATTEMPT: Duration = Duration::from_secs(3);
/// The pause between two attempts.
const PAUSE: Duration = Duration::from_millis(100);
/// How long the first connection is waited for: the database may be starting, too.
const START: Duration = Duration::from_secs(30);
/// How many conversations are looked at at once.
const BATCH: i64 = 100;

/// The store.
pub struct Postgres {
    pool: Pool,
    /// What others are to be told.
    told: mpsc::UnboundedSender<String>,
    /// How much of that is not told yet.
    untold: Arc<AtomicU64>,
    config: Config,
    tls: MakeRustlsConnect,
}

/// Why an attempt failed, and whether another one makes sense.
struct Trouble {
    why: String,
    may_pass: bool,
}

type Values<'a> = &'a [&'a (dyn ToSql + Sync)];

impl Postgres {
    /// Connects, and brings the tables to the version that this program needs. `connections` is how many there are at most, beside the one
    /// that listens.
    pub async fn open(url: &str, connections: usize) -> Result<Self, Fault> {
        let mut config = Config::from_str(url).map_err(|error| {
            // The error does not repeat the password; the address would.
            Fault::Failed(format!("the address of the database cannot be read: {}", described(&error)))
        })?;
        config.application_name("ask-user-host");
        config.connect_timeout(ATTEMPT).tcp_user_timeout(ATTEMPT * 2).keepalives_idle(ATTEMPT * 5);
        let tls = tls(config.get_ssl_mode() != SslMode::Disable)?;
        let recycling = ManagerConfig { recycling_method: RecyclingMethod::Fast };
        let manager = Manager::from_config(config.clone(), tls.clone(), recycling);
        let pool = Pool::builder(manager).max_size(connections).runtime(deadpool_postgres::Runtime::Tokio1);
        let timeouts = Timeouts { wait: Some(ATTEMPT), create: Some(ATTEMPT), recycle: Some(ATTEMPT) };
        let pool = pool.timeouts(timeouts).build().map_err(|error| Fault::Failed(error.to_string()))?;
        let (told, changes) = mpsc::unbounded_channel();
        let untold = Arc::new(AtomicU64::new(0));
        let store = Self { pool: pool.clone(), told, untold: Arc::clone(&untold), config, tls };
        store.query("SELECT 1", &[], START).await?;
        migrations::run(&mut *store.connection().await.map_err(|trouble| Fault::Failed(trouble.why))?).await?;
        tokio::spawn(wakes::tell(pool, changes, untold));
        Ok(store)
    }

    /// The rows of a statement, which must do the same if it is run twice.
    async fn query(&self, sql: &str, values: Values<'_>, patience: Duration) -> Result<Vec<Row>, Fault> {
        let end = Instant::now() + patience;
        loop {
            match self.attempt(sql, values).await {
                Ok(rows) => return Ok(rows),
                Err(trouble) if trouble.may_pass && Instant::now() + PAUSE < end => tokio::time::sleep(PAUSE).await,
                Err(trouble) => return Err(Fault::Failed(trouble.why)),
            }
        }
    }

    async fn first(&self, sql: &str, values: Values<'_>) -> Result<Option<Row>, Fault> {
        Ok(self.query(sql, values, PATIENCE).await?.into_iter().next())
    }

    async fn attempt(&self, sql: &str, values: Values<'_>) -> Result<Vec<Row>, Trouble> {
        let client = self.connection().await?;
        let rows = async {
            let statement = client.prepare_cached(sql).await?;
            client.query(&statement, values).await
        };
        match tokio::time::timeout(ATTEMPT, rows).await {
            Ok(Ok(rows)) => Ok(rows),
            Ok(Err(error)) => {
                let trouble = trouble(&error);
                if trouble.may_pass {
                    drop(Object::take(client));
                }
                Err(trouble)
            }
            Err(_) => {
                // The others may be as dead as this one, and each would have to be waited for.
                drop(Object::take(client));
                self.pool.retain(|_, _| false);
                Err(Trouble { why: "the database did not answer in time".into(), may_pass: true })
            }
        }
    }

    async fn connection(&self) -> Result<Object, Trouble> {
        self.pool.get().await.map_err(|error| match error {
            PoolError::Backend(error) => trouble(&error),
            error => Trouble { why: format!("no connection to the database: {error}"), may_pass: true },
        })
    }

    /// The fence of a change that nothing was returned for: an attempt whose answer was lost may have stored it, which its stamp tells.
    async fn fence_of(&self, id: &str, token: &Token, stamp: &str, patience: Duration) -> Result<i64, Fault> {
        let sql = "SELECT fence, stamp, EXISTS (SELECT FROM agent_host.leases WHERE id = $2 AND ends > now())
                   FROM agent_host.conversations WHERE id = $1";
        let rows = self.query(sql, &[&id, &token.lease], patience.max(PATIENCE)).await?;
        let Some(row) = rows.first() else { return Err(Fault::Overtaken) };
        let (fence, stored, lasts): (i64, Option<String>, bool) = (row.get(0), row.get(1), row.get(2));
        match stored {
            Some(stored) if stored == stamp => Ok(fence),
            _ if !lasts => Err(Fault::LeaseEnded),
            _ => Err(Fault::Overtaken),
        }
    }

    async fn lines(&self, sql: &str, id: &str) -> Result<Vec<Value>, Fault> {
        if !is_id(id) {
            return Ok(Vec::new());
        }
        Ok(self.query(sql, &[&id], PATIENCE).await?.iter().map(|row| json(row.get(0))).collect())
    }
}

/// What an error of the database means. Its detail can contain values, so it is left out.
fn trouble(error: &Error) -> Trouble {
    let may_pass = error.code().is_none_or(|code| {
        let class = code.code().get(..2).unwrap_or_default();
        // Connections, resources, the operator's doing, and transactions that stood in each other's way.
        ["08", "53", "57"].contains(&class)
            || [SqlState::T_R_SERIALIZATION_FAILURE, SqlState::T_R_DEADLOCK_DETECTED].contains(code)
    });
    Trouble { why: described(error), may_pass: may_pass && !error.to_string().contains("invalid configuration") }
}

fn described(error: &Error) -> String {
    use std::error::Error as _;
    match error.as_db_error() {
        Some(error) => format!("the database says: {} ({})", error.message(), error.code().code()),
        None => match error.source() {
            Some(source) => format!("{error}: {source}"),
            None => error.to_string(),
        },
    }
}

/// Connections with TLS trust the certificates of this machine.
fn tls(is_wanted: bool) -> Result<MakeRustlsConnect, Fault> {
    let builder = rustls::ClientConfig::builder();
    let builder = match builder.clone().with_native_roots() {
        Ok(builder) => builder,
        Err(_) if !is_wanted => builder.with_root_certificates(rustls::RootCertStore::empty()),
        Err(_) => {
            let message = "this machine has no certificates to trust: install them (ca-certificates), name a file with SSL_CERT_FILE, \
                           or add sslmode=disable to the address of the database";
            return Err(Fault::Failed(message.into()));
        }
    };
    Ok(MakeRustlsConnect::new(builder.with_no_client_auth()))
}

/// Whether a text can be the id of a conversation. Others need not be looked up; some, PostgreSQL could not even read.
fn is_id(id: &str) -> bool {
    id.len() == 32 && id.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// A text as PostgreSQL can keep it, which has no character for U+0000.
fn kept(text: &str) -> String {
    Value::from(text).to_string()
}

/// A row of the answers.
fn answer(row: &Row) -> Answer {
    let text = |place: usize| json(row.get(place)).as_str().unwrap_or_default().to_owned();
    Answer { key: text(0), log: row.get(1), call: text(2), nonce: row.get(3) }
}

/// Milliseconds, as the statements want them.
fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1_000.0
}

/// One statement for a whole change. Everything depends on the row of the conversation, which is locked first: so the places of its events are
/// in the order in which they can be seen.
const COMMIT: &str = "
    WITH changed AS (
        UPDATE agent_host.conversations
        SET state = $3, phase = $4, turn = coalesce($6, turn), stamp = $7, fence = fence + 1,
            driver = CASE WHEN $19 THEN driver WHEN $4 = 'working' THEN $5 END, changed = now()
        WHERE id = $1 AND fence = $2 AND EXISTS (SELECT FROM agent_host.leases WHERE id = $5 AND ends > now())
        RETURNING id, fence),
    messages AS (
        INSERT INTO agent_host.messages (conversation, line)
        SELECT id, line FROM changed, unnest($8::text[]) WITH ORDINALITY AS new (line, number) ORDER BY number),
    records AS (
        INSERT INTO agent_host.records (conversation, line)
        SELECT id, line FROM changed, unnest($9::text[]) WITH ORDINALITY AS new (line, number) ORDER BY number),
    questions AS (
        INSERT INTO agent_host.questions (conversation, call, question)
        SELECT id, call, question FROM changed, unnest($10::text[], $11::text[]) AS new (call, question)
        ON CONFLICT (conversation, call) DO UPDATE SET question = excluded.question),
    responses AS (
        INSERT INTO agent_host.responses (conversation, key, log, call, nonce)
        SELECT id, $12::text, $13::text, $17::text, $18::text FROM changed WHERE $12::text IS NOT NULL),
    events AS (
        INSERT INTO agent_host.events (conversation, kind, passing, data)
        SELECT id, kind, passing, data FROM changed, unnest($14::text[], $15::boolean[], $16::text[])
            WITH ORDINALITY AS new (kind, passing, data, number) ORDER BY number)
    SELECT fence FROM changed";

#[async_trait]
impl Store for Postgres {
    fn system(&self) -> &'static str {
        "postgresql"
    }

    fn is_shared(&self) -> bool {
        true
    }

    async fn check(&self, lease: &str) -> Result<(), Fault> {
        // A database that can only be read shows in a write alone.
        let sql = "UPDATE agent_host.leases SET ends = ends WHERE id = $1 AND ends > now() RETURNING id";
        let rows = self.query(sql, &[&lease], Duration::ZERO).await?;
        if rows.is_empty() { Err(Fault::LeaseEnded) } else { Ok(()) }
    }

    async fn create(&self, id: &str, token: &str, state: &Value, lease: &str) -> Result<(), Fault> {
        let sql = "WITH lease AS (SELECT id FROM agent_host.leases WHERE id = $4 AND ends > now()),
                   made AS (
                       INSERT INTO agent_host.conversations (id, token, state) SELECT $1, $2, $3 FROM lease
                       ON CONFLICT DO NOTHING)
                   SELECT id FROM lease";
        let rows = self.query(sql, &[&id, &token, &state.to_string(), &lease], PATIENCE).await?;
        if rows.is_empty() { Err(Fault::LeaseEnded) } else { Ok(()) }
    }

    async fn token(&self, id: &str) -> Result<Option<String>, Fault> {
        if !is_id(id) {
            return Ok(None);
        }
        let row = self.first("SELECT token FROM agent_host.conversations WHERE id = $1", &[&id]).await?;
        Ok(row.map(|row| row.get(0)))
    }

    async fn load(&self, id: &str) -> Result<Option<Stored>, Fault> {
        if !is_id(id) {
            return Ok(None);
        }
        let sql = "SELECT state, turn, fence, (SELECT id FROM agent_host.leases WHERE id = driver AND ends > now())
                   FROM agent_host.conversations WHERE id = $1";
        let stored = |row: Row| Stored {
            state: json(row.get(0)),
            turn: json(row.get(1)),
            fence: row.get(2),
            driver: row.get(3),
        };
        Ok(self.first(sql, &[&id]).await?.map(stored))
    }

    async fn commit(&self, id: &str, token: &Token, change: &Change, patience: Duration) -> Result<i64, Fault> {
        let texts = |lines: &[Value]| lines.iter().map(Value::to_string).collect::<Vec<_>>();
        let (state, phase, stamp) = (change.state.to_string(), change.phase.name(), random()?);
        let turn = change.turn.as_ref().map(Value::to_string);
        let (messages, records) = (texts(&change.messages), texts(&change.records));
        let (calls, questions): (Vec<_>, Vec<_>) =
            change.questions.iter().map(|(call, question)| (kept(call), question.to_string())).unzip();
        let response = change.response.as_ref();
        let (key, log) = response.map(|answer| (kept(&answer.key), &answer.log)).unzip();
        let (answered, nonce) = response.map(|answer| (kept(&answer.call), &answer.nonce)).unzip();
        let kinds: Vec<&str> = change.events.iter().map(|(kind, _, _)| *kind).collect();
        let passing: Vec<bool> = change.events.iter().map(|(_, passing, _)| *passing).collect();
        let data: Vec<String> = change.events.iter().map(|(_, _, data)| data.to_string()).collect();
        let values: Values<'_> = &[
            &id,
            &token.fence,
            &state,
            &phase,
            &token.lease,
            &turn,
            &stamp,
            &messages,
            &records,
            &calls,
            &questions,
            &key,
            &log,
            &kinds,
            &passing,
            &data,
            &answered,
            &nonce,
            &change.goes_on,
        ];
        let fence = match self.query(COMMIT, values, patience).await?.first() {
            Some(row) => row.get(0),
            None => self.fence_of(id, token, &stamp, patience).await?,
        };
        if !change.events.is_empty() {
            // If nobody tells, for the process is about to end, others find out for themselves.
            self.untold.fetch_add(1, Ordering::Relaxed);
            drop(self.told.send(format!("{id} {fence}")));
        }
        Ok(fence)
    }

    async fn messages(&self, id: &str) -> Result<Vec<Value>, Fault> {
        self.lines("SELECT line FROM agent_host.messages WHERE conversation = $1 ORDER BY place", id).await
    }

    async fn records(&self, id: &str) -> Result<Vec<Value>, Fault> {
        self.lines("SELECT line FROM agent_host.records WHERE conversation = $1 ORDER BY place", id).await
    }

    async fn question(&self, id: &str, call: &str) -> Result<Option<Value>, Fault> {
        let sql = "SELECT question FROM agent_host.questions WHERE conversation = $1 AND call = $2";
        Ok(self.first(sql, &[&id, &kept(call)]).await?.map(|row| json(row.get(0))))
    }

    async fn response(&self, id: &str, key: &str) -> Result<Option<Answer>, Fault> {
        let sql = "SELECT key, log, call, nonce FROM agent_host.responses WHERE conversation = $1 AND key = $2";
        Ok(self.first(sql, &[&id, &kept(key)]).await?.map(|row| answer(&row)))
    }

    async fn answers_to(&self, id: &str, call: &str) -> Result<Vec<Answer>, Fault> {
        let sql = "SELECT key, log, call, nonce FROM agent_host.responses WHERE conversation = $1 AND call = $2";
        Ok(self.query(sql, &[&id, &kept(call)], PATIENCE).await?.iter().map(answer).collect())
    }

    async fn events_after(&self, id: &str, place: i64) -> Result<Vec<Event>, Fault> {
        let sql = "SELECT place, kind, data FROM agent_host.events e WHERE conversation = $1 AND place > $2
                       AND (NOT passing OR NOT EXISTS (SELECT FROM agent_host.events l
                           WHERE l.conversation = $1 AND l.kind = e.kind AND l.place > e.place))
                   ORDER BY place";
        if !is_id(id) {
            return Ok(Vec::new());
        }
        let rows = self.query(sql, &[&id, &place], PATIENCE).await?;
        Ok(rows.iter().map(|row| Event { place: row.get(0), kind: row.get(1), data: row.get(2) }).collect())
    }

    async fn is_free(&self) -> Result<bool, Fault> {
        Ok(true)
    }

    async fn begin_lease(&self, lease: &str, lasts: Duration) -> Result<(), Fault> {
        // Those that have ended never come back.
        let sql = "WITH ended AS (DELETE FROM agent_host.leases WHERE ends <= now())
                   INSERT INTO agent_host.leases (id, ends) VALUES ($1, now() + $2 * interval '1 millisecond')
                   ON CONFLICT DO NOTHING";
        self.query(sql, &[&lease, &milliseconds(lasts)], PATIENCE).await.map(drop)
    }

    async fn renew_lease(&self, lease: &str, lasts: Duration) -> Result<bool, Fault> {
        let sql = "UPDATE agent_host.leases SET ends = now() + $2 * interval '1 millisecond'
                   WHERE id = $1 AND ends > now() RETURNING id";
        Ok(!self.query(sql, &[&lease, &milliseconds(lasts)], lasts / 2).await?.is_empty())
    }

    async fn end_lease(&self, lease: &str) -> Result<(), Fault> {
        let sql = "WITH ended AS (DELETE FROM agent_host.leases WHERE id = $1 RETURNING id)
                   SELECT pg_notify('agent_host', 'lease')::text FROM ended";
        self.query(sql, &[&lease], PATIENCE).await.map(drop)
    }

    async fn abandoned(&self, lease: &str, driven: &[String]) -> Result<Vec<String>, Fault> {
        let sql = "SELECT id FROM agent_host.conversations WHERE phase = $3 AND id <> ALL ($2)
                       AND (driver = $1 OR NOT EXISTS (SELECT FROM agent_host.leases l WHERE l.id = driver AND ends > now()))
                   ORDER BY random() LIMIT $4";
        let rows = self.query(sql, &[&lease, &driven, &Phase::Working.name(), &BATCH], PATIENCE).await?;
        Ok(rows.iter().map(|row| row.get(0)).collect())
    }

    async fn fences(&self, ids: &[String]) -> Result<Vec<(String, i64)>, Fault> {
        let sql = "SELECT id, fence FROM agent_host.conversations WHERE id = ANY ($1)";
        let rows = self.query(sql, &[&ids], PATIENCE).await?;
        Ok(rows.iter().map(|row| (row.get(0), row.get(1))).collect())
    }

    fn wakes(&self) -> Option<mpsc::Receiver<Wake>> {
        Some(wakes::listen(self.config.clone(), self.tls.clone()))
    }

    fn untold(&self) -> u64 {
        self.untold.load(Ordering::Relaxed)
    }

    async fn asking(&self) -> Result<u64, Fault> {
        let sql = "SELECT count(*) FROM agent_host.conversations WHERE phase = 'asking'";
        let count: i64 = self.first(sql, &[]).await?.map_or(0, |row| row.get(0));
        Ok(u64::try_from(count).unwrap_or_default())
    }

    async fn forget(&self, idle: Duration) -> Result<u64, Fault> {
        let sql = "DELETE FROM agent_host.conversations WHERE id IN (
                       SELECT id FROM agent_host.conversations
                       WHERE phase = $1 AND changed < now() - $2 * interval '1 millisecond'
                       ORDER BY changed LIMIT $3 FOR UPDATE SKIP LOCKED)
                   RETURNING id";
        let mut count = 0;
        loop {
            let gone = self.query(sql, &[&Phase::Idle.name(), &milliseconds(idle), &BATCH], PATIENCE).await?.len();
            count += u64::try_from(gone).unwrap_or(u64::MAX);
            if gone < usize::try_from(BATCH).unwrap_or(usize::MAX) {
                return Ok(count);
            }
        }
    }
}
