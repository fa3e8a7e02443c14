//! The dialects that a host has declared: one table each, which reads and writes like those of this package. They stay until the process ends, so there can be
//! only so many of them.

use super::{
    draft::{Declared, Draft, Rules},
    fields::Reader,
    table::Table,
};
use crate::outcome::Write;
use serde_json::{Map, Value};
use std::{
    fmt,
    sync::{Arc, Mutex, PoisonError},
};

/// How many dialects a process can declare.
const MOST: usize = 64;

static ALL: Mutex<Vec<(OwnDialect, String)>> = Mutex::new(Vec::new());

/// A dialect that the host has declared.
#[derive(Clone, Copy)]
pub struct OwnDialect(&'static Rules);

impl OwnDialect {
    pub(super) fn rules(self) -> &'static Rules {
        self.0
    }
}

impl PartialEq for OwnDialect {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self.0, other.0)
    }
}

impl Eq for OwnDialect {}

impl fmt::Debug for OwnDialect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.name)
    }
}

/// What stands behind the rules of a declared dialect.
pub(super) struct Own {
    pub tool: &'static str,
    pub table: Table,
    /// Whether a request can be told from those of other dialects.
    pub is_told: bool,
}

impl Declared for Own {
    fn tool(&self) -> &'static str {
        self.tool
    }

    fn recognises(&self, request: &Value) -> bool {
        self.is_told && self.table.recognises(request)
    }

    fn read(&'static self, reader: &mut Reader, request: &Map<String, Value>) -> Option<Draft> {
        self.table.read(reader, request)
    }

    fn unread(&'static self, request: &Value) -> Arc<dyn Write> {
        self.table.unread(request)
    }
}

/// Why no dialect was added.
pub(super) enum NotAdded {
    /// Another one has this name.
    Taken,
    /// There are as many as there can be.
    TooMany(usize),
}

/// Adds a dialect, and gives it: the one that is there, if it has the same source.
pub(super) fn add(name: &str, source: String, make: impl FnOnce() -> &'static Rules) -> Result<OwnDialect, NotAdded> {
    let mut all = ALL.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((known, of)) = all.iter().find(|(known, _)| known.0.name == name) {
        return if *of == source { Ok(*known) } else { Err(NotAdded::Taken) };
    }
    if all.len() >= MOST {
        return Err(NotAdded::TooMany(MOST));
    }
    let own = OwnDialect(make());
    all.push((own, source));
    Ok(own)
}

/// All that were added.
pub(super) fn all() -> Vec<OwnDialect> {
    let all = ALL.lock().unwrap_or_else(PoisonError::into_inner);
    all.iter().map(|(own, _)| *own).collect()
}
