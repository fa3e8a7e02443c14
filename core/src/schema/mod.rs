//! JSON Schema for `schema` answers: the traits of a checker, and a checker that stays within a work budget.
//!
//! The caller passes the checker, since a validator is much larger than the rest of the core. Natively and in the headless package it is
//! `Validator` (feature `schema`). The form in the browser fetches it as a module of its own. This module does not know questions or forms.

#[cfg(feature = "schema")]
mod bounds;
#[cfg(feature = "schema")]
mod compiled;
#[cfg(feature = "schema")]
mod explain;
#[cfg(feature = "schema")]
mod fields;
#[cfg(feature = "schema")]
mod pattern;
#[cfg(feature = "schema")]
mod references;
#[cfg(feature = "schema")]
mod sentence;
#[cfg(feature = "schema")]
mod shape;
#[cfg(feature = "schema")]
mod survey;
#[cfg(feature = "schema")]
mod validator;

#[cfg(feature = "schema")]
pub use self::{compiled::Compiled, fields::Fields, validator::Validator};

use crate::{budget::Budget, problem::Refusal};
use serde::{Deserialize, Deserializer};
use serde_json::Value;
use std::{fmt, sync::Arc};

/// The formats of texts that a validator checks.
pub(crate) const FORMATS: &[&str] = &[
    "date",
    "date-time",
    "time",
    "duration",
    "email",
    "hostname",
    "ipv4",
    "ipv6",
    "uri",
    "uri-reference",
    "iri",
    "iri-reference",
    "uri-template",
    "uuid",
    "json-pointer",
    "relative-json-pointer",
    "regex",
];

/// The reason why a schema cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SchemaFault {
    /// It is not a valid JSON Schema, or one of its references cannot be resolved.
    Invalid {
        /// Where in the schema, as a JSON Pointer (RFC 6901).
        path: String,
        /// The reason, without a full stop.
        reason: String,
    },
    /// Compiling it would exceed the budget.
    TooLarge {
        /// The part that is too large, without a full stop.
        what: String,
    },
}

/// Compiles schemas.
pub trait SchemaChecker: Send + Sync {
    /// Compiles a schema. An implementation must return within bounded time for every input, must charge the budget before it does the work, and
    /// must not fetch anything.
    ///
    /// # Errors
    /// [`SchemaFault`] if the schema cannot be used.
    fn compile(&self, schema: &Value, budget: &mut Budget) -> Result<Arc<dyn CompiledSchema>, SchemaFault>;
}

/// A compiled schema.
pub trait CompiledSchema: Send + Sync {
    /// Checks a value, whose depth the caller has bounded.
    ///
    /// # Errors
    /// [`Refusal::SchemaMismatch`] with the violations (at most 100) if the schema does not accept the value; [`Refusal::TooLarge`] if the budget
    /// does not suffice.
    fn check(&self, value: &Value, budget: &mut Budget) -> Result<(), Refusal>;

    /// A draft for a question without a default. It has what the schema states and nothing else: defaults, and constants that must be there.
    /// `None` if nothing is stated. It is small, and it need not be valid.
    fn template(&self) -> Option<Value>;
}

/// The schema of a question. It is compiled, or waits for the checker.
#[derive(Clone)]
pub struct Schema {
    source: Value,
    compiled: Option<Arc<dyn CompiledSchema>>,
}

impl Schema {
    /// A schema that is not compiled yet.
    pub fn unchecked(source: Value) -> Self {
        Self { source, compiled: None }
    }

    /// The schema of a text that must contain a match of a regular expression (ECMA-262), not compiled yet.
    pub fn pattern(pattern: &str) -> Self {
        Self::unchecked(Value::Object(crate::problem::object([("type", "string".into()), ("pattern", pattern.into())])))
    }

    /// The same schema, compiled.
    ///
    /// # Errors
    /// [`SchemaFault`] if the schema cannot be used.
    pub fn checked(&self, checker: &dyn SchemaChecker, budget: &mut Budget) -> Result<Self, SchemaFault> {
        Ok(Self { source: self.source.clone(), compiled: Some(checker.compile(&self.source, budget)?) })
    }

    /// The schema from the request.
    pub fn source(&self) -> &Value {
        &self.source
    }

    /// The compiled schema. `None` until it is compiled.
    pub fn compiled(&self) -> Option<&dyn CompiledSchema> {
        self.compiled.as_deref()
    }
}

impl<'de> Deserialize<'de> for Schema {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Value::deserialize(deserializer).map(Self::unchecked)
    }
}

/// A checker that rejects every schema, for builds without the feature `schema`.
#[cfg(not(feature = "schema"))]
pub(crate) struct NoChecker;

#[cfg(not(feature = "schema"))]
impl SchemaChecker for NoChecker {
    fn compile(&self, _: &Value, _: &mut Budget) -> Result<Arc<dyn CompiledSchema>, SchemaFault> {
        let reason = "this build has no schema checker: turn on the feature \"schema\", or read with a checker".into();
        Err(SchemaFault::Invalid { path: String::new(), reason })
    }
}

impl PartialEq for Schema {
    fn eq(&self, other: &Self) -> bool {
        self.source == other.source && self.compiled.is_some() == other.compiled.is_some()
    }
}

impl fmt::Debug for Schema {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let checked = if self.compiled.is_some() { "checked" } else { "unchecked" };
        write!(f, "Schema({checked} {})", self.source)
    }
}
