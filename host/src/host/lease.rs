//! The lease of this process: renewed all the time, and given up by this process's own clock before another process may take over. And
//! the conversations that nobody drives, which this process takes over.

use super::{Host, Live, Refused};
use crate::{
    store::{self, Change, Fault, Phase, Wake},
    telemetry::{Span, conversation, meters},
};
use ask_user_core::conversation::Event;
use opentelemetry::trace::SpanKind;
use std::{
    sync::{Arc, PoisonError},
    time::{Duration, Instant},
};
use tracing::{error, info, warn};

/// A lease as this process knows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lease {
    /// Its name in the store.
    pub id: String,
    /// When it may have ended for others. `None` if it ends only when another process takes the store.
    until: Option<Instant>,
}

/// How long a store that has no other processes is waited for.
const ALONE: Duration = Duration::from_secs(10);

/// How often it is looked for conversations to delete, at most and at least.
const SHORTEST: Duration = Duration::from_millis(200);
const LONGEST: Duration = Duration::from_secs(600);

impl Lease {
    /// A lease that has not begun.
    pub fn none() -> Self {
        Self { id: String::new(), until: Some(Instant::now()) }
    }

    fn is_over(&self) -> bool {
        self.until.is_some_and(|until| until <= Instant::now())
    }

    /// How long this process may count on it.
    fn remaining(&self) -> Duration {
        self.until.map_or(ALONE, |until| until.saturating_duration_since(Instant::now()))
    }
}

impl Host {
    /// A lease that lasts at the moment. Begins one if there is none.
    pub(super) async fn lease(&self) -> Result<Lease, Fault> {
        let lease = self.lease.borrow().clone();
        if lease.is_over() { self.renewed(&lease.id, false).await } else { Ok(lease) }
    }

    /// Begins another lease in place of one that has ended, unless that was done meanwhile.
    pub(super) async fn replace_lease(&self, ended: &str) -> Result<Lease, Fault> {
        self.renewed(ended, true).await
    }

    /// Whether a lease of this process still lasts.
    pub(super) fn holds(&self, lease: &str) -> bool {
        self.remaining(lease) > Duration::ZERO
    }

    /// How long this process may count on a lease.
    pub(super) fn remaining(&self, lease: &str) -> Duration {
        let now = self.lease.borrow();
        if now.id == lease { now.remaining() } else { Duration::ZERO }
    }

    /// Waits until a lease has ended.
    pub(super) async fn lease_ends(&self, lease: &str) {
        let mut now = self.lease.subscribe();
        loop {
            let held = now.borrow_and_update().clone();
            if held.id != lease || held.is_over() {
                return;
            }
            let end = async {
                match held.until {
                    Some(until) => tokio::time::sleep_until(until.into()).await,
                    None => std::future::pending().await,
                }
            };
            tokio::select! {
                changed = now.changed() => if changed.is_err() { return },
                () = end => {}
            }
        }
    }

    /// Renews the lease, or begins another one if it has ended.
    async fn renewed(&self, known: &str, has_ended: bool) -> Result<Lease, Fault> {
        let _one_at_a_time = self.renewing.lock().await;
        let held = self.lease.borrow().clone();
        if held.id != known && !held.is_over() {
            return Ok(held);
        }
        if held.id.is_empty() && *self.closing.borrow() {
            // It was given back.
            return Err(Fault::Failed("this process is about to end".into()));
        }
        let until = |begun: Instant| self.store.is_shared().then(|| begun + self.lasts);
        let begun = Instant::now();
        let id = if !has_ended && !held.id.is_empty() && self.store.renew_lease(&held.id, self.lasts).await? {
            held.id
        } else {
            if !held.id.is_empty() && !self.store.is_free().await? {
                // Two processes would take the file from each other without end.
                return Err(Fault::Failed("another process has opened the same file; stop one of the two".into()));
            }
            // Whatever ran under the old one is dropped before the new one begins.
            self.lease.send_replace(Lease::none());
            let id = store::random()?;
            self.store.begin_lease(&id, self.lasts).await?;
            if held.id.is_empty() {
                info!(lease = id, "a lease begins");
            } else {
                meters().lost_lease();
                warn!(lease = id, ended = held.id, "the lease has ended: another one begins");
            }
            id
        };
        let lease = Lease { id, until: until(begun) };
        self.lease.send_replace(lease.clone());
        Ok(lease)
    }

    /// Renews the lease until the process ends.
    pub(super) async fn keep_lease(self: Arc<Self>) {
        while self.pauses(self.lasts / 4).await {
            let lease = self.lease.borrow().id.clone();
            if let Err(error) = self.renewed(&lease, false).await {
                warn!(%error, "the lease could not be renewed");
            }
        }
    }

    /// Looks for what nobody drives, and for changes that were not heard, until the process ends.
    pub(super) async fn look_around(self: Arc<Self>) {
        while self.pauses(self.lasts / 4).await {
            self.look().await;
        }
    }

    async fn look(self: &Arc<Self>) {
        if self.store.is_shared()
            && let Err(error) = self.catch_up().await
        {
            warn!(%error, "changes of other processes could not be looked for");
        }
        if let Err(error) = self.take_over().await {
            warn!(%error, "conversations without a process could not be looked for");
        }
    }

    /// Hears what other processes change, until the process ends.
    pub(super) async fn listen(self: Arc<Self>) {
        let Some(mut wakes) = self.store.wakes() else { return };
        let mut closing = self.closing();
        loop {
            let wake = tokio::select! {
                wake = wakes.recv() => wake,
                _ = closing.wait_for(|closing| *closing) => None,
            };
            match wake {
                Some(Wake::Changed(id, fence)) => self.reaches(&id, fence),
                Some(Wake::Lease | Wake::Anything) => self.look().await,
                None => return,
            }
        }
    }

    /// Deletes the conversations that have been idle for so long, until the process ends.
    pub(super) async fn forget(self: Arc<Self>, keep: Duration) {
        while self.pauses((keep / 10).clamp(SHORTEST, LONGEST)).await {
            match self.store.forget(keep).await {
                Ok(0) => {}
                Ok(count) => info!(count, "idle conversations were deleted"),
                Err(error) => warn!(%error, "idle conversations could not be deleted"),
            }
        }
    }

    /// Waits. `false` if the process is about to end.
    pub(super) async fn pauses(&self, time: Duration) -> bool {
        let mut closing = self.closing();
        tokio::select! {
            () = tokio::time::sleep(time) => true,
            _ = closing.wait_for(|closing| *closing) => false,
        }
    }

    /// Takes note of changes of other processes that were not heard.
    async fn catch_up(self: &Arc<Self>) -> Result<(), Fault> {
        let needed = self.known(|live| live.is_needed());
        for (id, fence) in self.store.fences(&needed).await? {
            self.reaches(&id, fence);
        }
        Ok(())
    }

    /// The conversations in memory for which this holds.
    pub(super) fn known(&self, holds: impl Fn(&Live) -> bool) -> Vec<String> {
        let live = self.live.lock().unwrap_or_else(PoisonError::into_inner);
        live.values().filter(|live| holds(live)).map(|live| live.id.clone()).collect()
    }

    /// A conversation has reached a fence. One that nobody here needs is not looked for.
    fn reaches(self: &Arc<Self>, id: &str, fence: i64) {
        let live = self.live.lock().unwrap_or_else(PoisonError::into_inner).get(id).cloned();
        let Some(live) = live else { return };
        live.reaches(fence);
        if live.has_typed() {
            // Another process may have closed the question.
            let host = Arc::clone(self);
            tokio::spawn(async move {
                if let Err(error) = host.drop_typed(&live).await {
                    warn!(conversation = live.id, %error, "whether secrets are still needed could not be looked for");
                }
            });
        }
    }

    /// Goes on with the conversations that nobody drives.
    pub(super) async fn take_over(self: &Arc<Self>) -> Result<(), Refused> {
        let lease = self.lease().await?;
        loop {
            let driven = self.known(Live::is_driven);
            let abandoned = self.store.abandoned(&lease.id, &driven).await?;
            let mut taken = 0;
            for id in &abandoned {
                match self.recover(id, &lease).await {
                    Ok(is_ours) => taken += usize::from(is_ours),
                    // Another process was faster, or it is gone.
                    Err(Refused::Store(Fault::Overtaken) | Refused::NoConversation) => {}
                    Err(error @ Refused::Store(_)) => return Err(error),
                    Err(error) => error!(conversation = id, %error, "the agent could not go on"),
                }
            }
            // There may be more than the store gives at once.
            if taken == 0 {
                return Ok(());
            }
        }
    }

    /// Goes on with a conversation if nobody drives it.
    async fn recover(self: &Arc<Self>, id: &str, lease: &Lease) -> Result<bool, Refused> {
        let held = self.hold(id).await?;
        let is_ours = held.stored.driver.as_ref() == Some(&lease.id);
        let is_driven =
            if is_ours { held.live.drives(super::since(&held.stored)) } else { held.stored.driver.is_some() };
        if is_driven || super::phase(&held.conversation) != Phase::Working {
            return Ok(false);
        }
        info!(conversation = id, "nobody drives this conversation: this process does");
        meters().took_over();
        let span = Span::begin("take_over", SpanKind::Internal, [conversation(id)]);
        span.around(self.take(held, &lease.id, Event::Restarted, Change::default())).await?;
        Ok(true)
    }
}
