//! The walk behind `Walk` and `Reader`, which several threads may use.

use crate::{fault::Fault, form::Source};
use ask_user_core::{Form, Growing, Reader, Walk, schema::Validator};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A walk, and what its form was read from. It is locked only while the interpreter is not.
pub struct Shared {
    walk: Mutex<Walk>,
    /// `None` while the request is still being written.
    source: Mutex<Option<Arc<Source>>>,
    /// How many bytes an answer may have.
    pub most: usize,
}

impl Shared {
    pub fn new(walk: Walk, source: Option<Arc<Source>>) -> Self {
        let most = walk.form().host().limits.bytes;
        Self { walk: Mutex::new(walk), source: Mutex::new(source), most }
    }

    pub fn stream(form: &Growing) -> Self {
        Self::new(Walk::stream(form), None)
    }

    /// The walk, for one thread at a time.
    pub fn lock(&self) -> Result<MutexGuard<'_, Walk>, Fault> {
        let failed =
            "This walk cannot be used: an earlier call failed within ask-user. Resume it from its last saved state.";
        self.walk.lock().map_err(|_| Fault::internal(failed))
    }

    pub fn source(&self) -> Option<Arc<Source>> {
        self.source.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Takes in what comes next of the request.
    pub fn feed(&self, reader: &mut Reader, piece: &[u8]) -> Result<(), Fault> {
        reader.feed(&mut *self.lock()?, piece, &Validator::default());
        Ok(())
    }

    /// Goes on with the whole form. Says whether the walk began anew.
    pub fn accept(&self, form: Form, source: Source) -> Result<bool, Fault> {
        let mut walk = self.lock()?;
        let is_anew = walk.accept_or_anew(form);
        *self.source.lock().unwrap_or_else(PoisonError::into_inner) = Some(Arc::new(source));
        Ok(is_anew)
    }
}
