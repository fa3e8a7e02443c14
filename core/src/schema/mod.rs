//! JSON Schema for `schema` answers: the traits of a checker, and the checker itself, which stays within a work budget.
//!
//! The checker comes from outside, since a validator is ten times the size of all the rest: natively and in the
//! headless package it is the `Validator` (feature `schema`); the form in the browser fetches it in a module of its own.
//! Knows no question and no form.

#[cfg(feature = "schema")]
mod bounds;
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
mod template;
#[cfg(feature = "schema")]
mod validator;

#[cfg(feature = "schema")]
pub use validator::Validator;

use crate::{budget::Budget, problem::Refusal};
use serde::{Deserialize, Deserializer};
use serde_json::Value;
use std::{fmt, sync::Arc};

/// Why a schema cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SchemaFault {
    /// It is not a JSON Schema, or it refers to something outside itself.
    Invalid {
        /// Where in the schema, as a JSON Pointer (RFC 6901).
        path: String,
        /// What is wrong, without a full stop.
        reason: String,
    },
    /// Compiling it would take more work than the budget has left.
    TooLarge {
        /// What is too large, without a full stop.
        what: String,
    },
}

/// Makes schemas ready for checking.
pub trait SchemaChecker: Send + Sync {
    /// Checks that a value is a JSON Schema which refers to nothing outside itself, and prepares it.
    /// Must return for every input within bounded time, and fetch nothing.
    /// Charges the budget for the work before doing it.
    ///
    /// # Errors
    /// [`SchemaFault`] where the schema cannot be used.
    fn compile(&self, schema: &Value, budget: &mut Budget) -> Result<Arc<dyn CompiledSchema>, SchemaFault>;
}

/// A schema that is ready for checking.
pub trait CompiledSchema: Send + Sync {
    /// Whether the schema accepts the value; if not, [`Refusal::SchemaMismatch`] with every violation (at most 100), or
    /// [`Refusal::TooLarge`] when checking would take too long. The caller has bounded the depth of the value.
    fn check(&self, value: &Value, budget: &mut Budget) -> Result<(), Refusal>;

    /// A value to start from when there is no default: the schema's own defaults, constants and first choices, else empty
    /// values of the right types. Small, of the right shape, not necessarily valid.
    fn template(&self) -> Value;
}

/// A schema as a question holds it: checked or, while the checker is still on its way, not yet.
#[derive(Clone)]
pub struct Schema {
    source: Value,
    compiled: Option<Arc<dyn CompiledSchema>>,
}

impl Schema {
    /// A schema that no checker has seen yet.
    pub fn unchecked(source: Value) -> Self {
        Self { source, compiled: None }
    }

    /// The schema of a text that must contain a match of a regular expression (ECMA-262).
    pub fn pattern(pattern: &str) -> Self {
        Self::unchecked(Value::Object(crate::problem::object([("type", "string".into()), ("pattern", pattern.into())])))
    }

    /// The same schema, compiled.
    ///
    /// # Errors
    /// [`SchemaFault`] where the schema cannot be used.
    pub fn checked(&self, checker: &dyn SchemaChecker, budget: &mut Budget) -> Result<Self, SchemaFault> {
        Ok(Self { source: self.source.clone(), compiled: Some(checker.compile(&self.source, budget)?) })
    }

    /// The schema as it was sent.
    pub fn source(&self) -> &Value {
        &self.source
    }

    /// What checks answers; `None` until the schema itself has been checked.
    pub fn compiled(&self) -> Option<&dyn CompiledSchema> {
        self.compiled.as_deref()
    }
}

impl<'de> Deserialize<'de> for Schema {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Value::deserialize(deserializer).map(Self::unchecked)
    }
}

/// A checker that knows no schemas: every one is rejected.
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
