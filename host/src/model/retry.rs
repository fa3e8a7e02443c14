//! How often a failed request is sent again, and after which pause. It knows nothing of HTTP.

use super::failure::Failure;
use std::{
    hash::{BuildHasher, RandomState},
    time::Duration,
};

/// The longest pause that grows by itself.
const LONGEST: Duration = Duration::from_secs(8);
/// The longest pause that a server may ask for. If it asks for more, the person decides when to try again.
const LONGEST_ASKED: Duration = Duration::from_secs(30);

/// The rules.
#[derive(Clone, Debug)]
pub struct Retry {
    /// How often a failed request is sent again.
    pub times: u32,
    /// The pause before the first repetition. It doubles each time.
    pub pause: Duration,
}

impl Retry {
    /// The pause after a failure, if the request is sent again. `failed` is how often it has failed, with this time.
    pub fn after(&self, failure: &Failure, failed: u32) -> Option<Duration> {
        if !failure.is_transient() || failed > self.times {
            return None;
        }
        let asked = match failure {
            Failure::Refused { wait, .. } => wait.unwrap_or_default(),
            _ => Duration::ZERO,
        };
        if asked > LONGEST_ASKED {
            return None;
        }
        let doubled = 2_u32.saturating_pow(failed.saturating_sub(1));
        let longest = self.pause.saturating_mul(doubled).min(LONGEST);
        // Many hosts that failed at the same moment should not come back at the same moment: between half of the pause and all of it.
        Some(longest.mul_f64(0.5 + random() / 2.0).max(asked))
    }
}

/// A number from 0 up to 1, which is another one each time.
fn random() -> f64 {
    // The hasher of each map of Rust's library has keys of its own, from the system's randomness.
    let bits = RandomState::new().hash_one(0_u8) >> 12;
    f64::from_bits(0x3ff0_0000_0000_0000 | bits) - 1.0
}

#[cfg(test)]
mod tests {
    use super::{Failure, Retry, random};
    use crate::model::failure::{Limit, Reason};
    use std::time::Duration;

    const RETRY: Retry = Retry { times: 6, pause: Duration::from_secs(1) };

    fn busy(wait: Option<u64>) -> Failure {
        Failure::Refused { status: 429, reason: Reason::Other, wait: wait.map(Duration::from_secs) }
    }

    #[test]
    fn pauses_double_up_to_a_bound_and_differ() {
        for (failed, longest) in [(1, 1), (2, 2), (3, 4), (4, 8), (5, 8), (6, 8)] {
            for _ in 0..50 {
                let pause = RETRY.after(&Failure::Unreachable, failed).expect("it is tried again");
                let longest = Duration::from_secs(longest);
                assert!(pause >= longest / 2 && pause <= longest, "{failed}: {pause:?}");
            }
        }
        assert_eq!(RETRY.after(&Failure::Unreachable, 7), None);
        let pauses =
            (0..20).filter_map(|_| RETRY.after(&Failure::Unreachable, 1)).collect::<std::collections::BTreeSet<_>>();
        assert!(pauses.len() > 1, "there is no jitter");
    }

    #[test]
    fn a_server_is_given_the_time_it_asks_for_within_a_bound() {
        for _ in 0..50 {
            assert_eq!(RETRY.after(&busy(Some(20)), 1), Some(Duration::from_secs(20)));
            assert!(RETRY.after(&busy(Some(0)), 1).is_some_and(|pause| pause >= Duration::from_millis(500)));
        }
        assert_eq!(RETRY.after(&busy(Some(30)), 1), Some(Duration::from_secs(30)));
        assert_eq!(RETRY.after(&busy(Some(31)), 1), None);
        assert_eq!(RETRY.after(&busy(Some(u64::MAX)), 1), None);
    }

    #[test]
    fn what_cannot_pass_by_itself_is_not_tried_again() {
        for failure in [
            Failure::Untrusted,
            Failure::Redirected,
            Failure::NoModel,
            Failure::Filtered,
            Failure::TooLarge("it is large"),
            Failure::TooManyRounds(3),
            Failure::TimedOut(Limit::Whole(Duration::ZERO)),
            Failure::Refused { status: 401, reason: Reason::Other, wait: None },
            Failure::Refused { status: 429, reason: Reason::NoCredit, wait: None },
        ] {
            assert_eq!(RETRY.after(&failure, 1), None, "{failure:?}");
        }
    }

    #[test]
    fn random_numbers_are_below_one() {
        assert!((0..1000).all(|_| (0.0..1.0).contains(&random())));
    }
}
