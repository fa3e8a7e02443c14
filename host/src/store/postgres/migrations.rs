//! The tables in PostgreSQL, and the steps that lead to them. Each step runs once, in one transaction, whatever number of processes start at
//! once.

use crate::store::Fault;
use deadpool_postgres::ClientWrapper;

/// The steps. The version of the tables is how many of them have run. A step that was released is never changed.
///
/// A program must work with the tables of the next version as well, because processes are replaced one after the other: so a step adds, and
/// what is not used any more is removed by a later one.
const STEPS: [&str; 3] = [
    "
    CREATE TABLE agent_host.leases (id text PRIMARY KEY, ends timestamptz NOT NULL);
    CREATE TABLE agent_host.conversations (
        id text PRIMARY KEY, token text NOT NULL, state text NOT NULL, turn text NOT NULL DEFAULT '{}',
        phase text NOT NULL DEFAULT 'idle', fence bigint NOT NULL DEFAULT 0, stamp text, driver text,
        changed timestamptz NOT NULL DEFAULT now());
    CREATE INDEX conversations_at_work ON agent_host.conversations (id) WHERE phase = 'working';
    CREATE INDEX conversations_idle ON agent_host.conversations (changed) WHERE phase = 'idle';
    CREATE TABLE agent_host.messages (
        place bigserial PRIMARY KEY, conversation text NOT NULL REFERENCES agent_host.conversations ON DELETE CASCADE,
        line text NOT NULL);
    CREATE TABLE agent_host.events (
        place bigserial PRIMARY KEY, conversation text NOT NULL REFERENCES agent_host.conversations ON DELETE CASCADE,
        kind text NOT NULL, passing boolean NOT NULL, data text NOT NULL);
    CREATE TABLE agent_host.questions (
        conversation text NOT NULL REFERENCES agent_host.conversations ON DELETE CASCADE, call text NOT NULL,
        question text NOT NULL, PRIMARY KEY (conversation, call));
    CREATE TABLE agent_host.records (
        place bigserial PRIMARY KEY, conversation text NOT NULL REFERENCES agent_host.conversations ON DELETE CASCADE,
        line text NOT NULL);
    CREATE TABLE agent_host.responses (
        conversation text NOT NULL REFERENCES agent_host.conversations ON DELETE CASCADE, key text NOT NULL,
        log text NOT NULL, PRIMARY KEY (conversation, key));
    CREATE INDEX messages_of ON agent_host.messages (conversation, place);
    CREATE INDEX events_of ON agent_host.events (conversation, place);
    CREATE INDEX records_of ON agent_host.records (conversation, place);
",
    "CREATE INDEX conversations_asking ON agent_host.conversations (id) WHERE phase = 'asking'",
    "
    ALTER TABLE agent_host.responses ADD COLUMN call text NOT NULL DEFAULT '';
    ALTER TABLE agent_host.responses ADD COLUMN nonce text NOT NULL DEFAULT '';
    ALTER TABLE agent_host.responses ADD COLUMN id text NOT NULL DEFAULT '';
",
];

/// The number of the lock that one process at a time holds here.
const LOCK: i64 = 0x61_67_65_6e_74;

/// Runs the steps that have not run yet.
pub async fn run(client: &mut ClientWrapper) -> Result<(), Fault> {
    let failed = |error: tokio_postgres::Error| Fault::Failed(format!("the tables: {}", super::described(&error)));
    let transaction = client.transaction().await.map_err(failed)?;
    transaction.query("SELECT pg_advisory_xact_lock($1)", &[&LOCK]).await.map_err(failed)?;
    let found = transaction.query_one("SELECT to_regclass('agent_host.versions') IS NOT NULL", &[]).await;
    if !found.map_err(failed)?.get::<_, bool>(0) {
        let first = "CREATE SCHEMA IF NOT EXISTS agent_host;
                     CREATE TABLE agent_host.versions (version bigint PRIMARY KEY, since timestamptz NOT NULL DEFAULT now())";
        transaction.batch_execute(first).await.map_err(failed)?;
    }
    let row = transaction.query_one("SELECT coalesce(max(version), 0) FROM agent_host.versions", &[]).await;
    let version: i64 = row.map_err(failed)?.get(0);
    let needed = i64::try_from(STEPS.len()).unwrap_or(i64::MAX);
    if version > needed {
        return Err(Fault::Failed(format!(
            "the database has tables of version {version}, and this program knows {needed}: update the program"
        )));
    }
    for (step, statements) in (1..).zip(STEPS).filter(|(step, _)| *step > version) {
        transaction.batch_execute(statements).await.map_err(failed)?;
        let sql = "INSERT INTO agent_host.versions (version) VALUES ($1)";
        transaction.execute(sql, &[&step]).await.map_err(failed)?;
    }
    transaction.commit().await.map_err(failed)
}
