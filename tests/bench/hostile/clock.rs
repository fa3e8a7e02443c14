//! The time that this thread was at work: others use the machine, too, and theirs does not count.

use std::{
    sync::LazyLock,
    time::{Duration, Instant},
};

static BEGUN: LazyLock<Instant> = LazyLock::new(Instant::now);

/// The time at work so far, where the system tells (Linux), or else the time that has passed.
pub fn now() -> Duration {
    at_work().unwrap_or_else(|| BEGUN.elapsed())
}

/// The first number that Linux gives of a thread: the nanoseconds that it ran.
fn at_work() -> Option<Duration> {
    // The count is brought up to date when the thread leaves the processor.
    std::thread::yield_now();
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    Some(Duration::from_nanos(told.split(' ').next()?.parse().ok()?)).filter(|time| !time.is_zero())
}
