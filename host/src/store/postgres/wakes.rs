//! What other processes have changed, as PostgreSQL tells it (LISTEN and NOTIFY). A notification can be lost with its connection; after
//! every new connection, everything may have changed.
//!
//! A notification is not sent within the change that it tells of: PostgreSQL stores transactions that notify one after the other, each with its
//! own wait for the disk.

use super::{ATTEMPT, Wake, described};
use deadpool_postgres::Pool;
use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};
use tokio::sync::mpsc;
use tokio_postgres::{AsyncMessage, Config};
use tokio_postgres_rustls::MakeRustlsConnect;
use tracing::warn;

/// How many wakes wait to be read; after that, the server keeps them.
const WAITING: usize = 1_024;
/// How many changes are told at once.
const BATCH: usize = 256;
/// How often the connection is tried.
const CHECK: Duration = Duration::from_secs(5);
/// The pause before another connection.
const PAUSE: Duration = Duration::from_millis(500);

/// Listens until nobody reads any more.
pub fn listen(config: Config, tls: MakeRustlsConnect) -> mpsc::Receiver<Wake> {
    let (sender, receiver) = mpsc::channel(WAITING);
    tokio::spawn(async move {
        while !sender.is_closed() {
            let why = once(&config, tls.clone(), &sender).await;
            warn!(error = why, "the connection that listens to the database has ended; another one begins");
            tokio::time::sleep(PAUSE).await;
        }
    });
    receiver
}

/// Tells the other processes of changes, many at once if they come faster than they can be told. `untold` is how many are left.
pub async fn tell(pool: Pool, mut changes: mpsc::UnboundedReceiver<String>, untold: Arc<AtomicU64>) {
    let mut batch = Vec::new();
    while changes.recv_many(&mut batch, BATCH).await > 0 {
        let told = async {
            let client = pool.get().await.map_err(|error| error.to_string())?;
            // Nothing is stored, so nobody has to wait for the disk.
            let sql = "SELECT set_config('synchronous_commit', 'off', true), pg_notify('agent_host', change)
                       FROM unnest($1::text[]) AS change";
            let statement = client.prepare_cached(sql).await.map_err(|error| described(&error))?;
            client.query(&statement, &[&batch]).await.map_err(|error| described(&error))
        };
        match tokio::time::timeout(ATTEMPT, told).await {
            Ok(Ok(_)) => {}
            // Others look from time to time.
            Ok(Err(why)) => warn!(error = why, "other processes could not be told of changes"),
            Err(_) => warn!("other processes could not be told of changes in time"),
        }
        untold.fetch_sub(batch.len() as u64, Ordering::Relaxed);
        batch.clear();
    }
}

/// Listens on one connection, and gives why it ended.
async fn once(config: &Config, tls: MakeRustlsConnect, sender: &mpsc::Sender<Wake>) -> String {
    let (client, mut connection) = match config.connect(tls).await {
        Ok(connected) => connected,
        Err(error) => return described(&error),
    };
    let messages = async {
        loop {
            match std::future::poll_fn(|context| connection.poll_message(context)).await {
                Some(Ok(AsyncMessage::Notification(told))) => {
                    if let Some(wake) = read(told.payload())
                        && sender.send(wake).await.is_err()
                    {
                        return "nobody reads".to_owned();
                    }
                }
                Some(Ok(_)) => {}
                Some(Err(error)) => return described(&error),
                None => return "it was closed".to_owned(),
            }
        }
    };
    let checks = async {
        if let Err(error) = client.batch_execute("LISTEN agent_host").await {
            return described(&error);
        }
        // What was told before cannot be known.
        if sender.send(Wake::Anything).await.is_err() {
            return "nobody reads".to_owned();
        }
        loop {
            tokio::time::sleep(CHECK).await;
            match tokio::time::timeout(ATTEMPT, client.batch_execute("SELECT 1")).await {
                Ok(Ok(())) => {}
                Ok(Err(error)) => return described(&error),
                Err(_) => return "the database did not answer in time".to_owned(),
            }
        }
    };
    tokio::select! {
        why = messages => why,
        why = checks => why,
    }
}

/// What a notification says: that a lease was given up, or the fence of a conversation.
fn read(payload: &str) -> Option<Wake> {
    if payload == "lease" {
        return Some(Wake::Lease);
    }
    let (id, fence) = payload.split_once(' ')?;
    Some(Wake::Changed(id.to_owned(), fence.parse().ok()?))
}
