//! The signals that tell the process to end: Ctrl+C, and SIGTERM where there is one.

#[cfg(unix)]
use tokio::signal::unix::{Signal, SignalKind, signal};

/// The signals, from when this is made: one that comes before it is waited for is not missed.
pub struct Signals {
    #[cfg(unix)]
    interrupt: Signal,
    #[cfg(unix)]
    terminate: Signal,
}

impl Signals {
    /// Begins to hear them.
    ///
    /// # Errors
    /// If the system does not let this process.
    pub fn new() -> std::io::Result<Self> {
        Ok(Self {
            #[cfg(unix)]
            interrupt: signal(SignalKind::interrupt())?,
            #[cfg(unix)]
            terminate: signal(SignalKind::terminate())?,
        })
    }

    /// Waits for the next one.
    pub async fn next(&mut self) {
        #[cfg(unix)]
        let came = tokio::select! {
            came = self.interrupt.recv() => came,
            came = self.terminate.recv() => came,
        };
        #[cfg(not(unix))]
        let came = tokio::signal::ctrl_c().await.ok();
        if came.is_none() {
            // No signal can come any more.
            std::future::pending::<()>().await;
        }
    }
}
