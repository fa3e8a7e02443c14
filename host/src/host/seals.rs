//! Digests of secrets, by which a desk knows whether an answer that comes again has the same secrets. Nobody can make them again outside of this process.

use crate::store::{self, Fault};
use ask_user_core::desk::Seal;
use ring::hmac;

/// The key of this process.
pub struct Seals {
    name: String,
    key: hmac::Key,
}

impl Seals {
    /// A new key.
    pub fn new() -> Result<Self, Fault> {
        let key = hmac::Key::new(hmac::HMAC_SHA256, store::random()?.as_bytes());
        Ok(Self { name: store::random()?, key })
    }

    /// The digest of secrets, given as text.
    pub fn seal(&self, secrets: &str) -> Seal {
        let tag = hmac::sign(&self.key, secrets.as_bytes());
        Seal { by: self.name.clone(), digest: tag.as_ref().iter().map(|byte| format!("{byte:02x}")).collect() }
    }
}
