//! Digests of secrets, by which this process knows whether an answer that comes again has the same secrets. Nobody can make them again outside of it.

use std::{
    collections::{HashMap, VecDeque},
    hash::{BuildHasher, RandomState},
    sync::{Mutex, PoisonError},
};

/// How many are kept. The oldest are forgotten first; an answer without one is compared without its secrets.
const KEPT: usize = 10_000;

/// The digests of the answers that this process took, by the ids of the answers.
#[derive(Default)]
pub struct Digests {
    hasher: RandomState,
    kept: Mutex<Kept>,
}

#[derive(Default)]
struct Kept {
    digests: HashMap<String, u64>,
    /// The ids, the oldest first.
    order: VecDeque<String>,
}

impl Digests {
    /// The digest of secrets, given as text.
    pub fn of(&self, secrets: &str) -> u64 {
        self.hasher.hash_one(secrets)
    }

    /// Keeps the digest of an answer. One that is not stored in the end has an id that nobody asks for.
    pub fn keep(&self, answer: &str, digest: u64) {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.digests.insert(answer.to_owned(), digest).is_none() {
            kept.order.push_back(answer.to_owned());
        }
        if kept.order.len() > KEPT
            && let Some(oldest) = kept.order.pop_front()
        {
            kept.digests.remove(&oldest);
        }
    }

    /// Whether an answer had these secrets, as far as this process knows.
    pub fn may_be(&self, answer: &str, digest: u64) -> bool {
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.digests.get(answer).is_none_or(|known| *known == digest)
    }
}

#[cfg(test)]
mod tests {
    use super::{Digests, KEPT};

    #[test]
    fn the_oldest_digests_are_forgotten() {
        let digests = Digests::default();
        let (one, other) = (digests.of("one"), digests.of("other"));
        for number in 0..=KEPT {
            digests.keep(&number.to_string(), one);
        }
        assert!(digests.may_be("0", other), "the oldest is still known");
        assert!(!digests.may_be("1", other) && digests.may_be("1", one));
    }
}
