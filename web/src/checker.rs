//! The schema checkers of a form: the validator's module in a browser (`remote`), and those that check nothing.

#[cfg(all(page, feature = "element"))]
mod remote;

use ask_user_core::{
    Budget,
    schema::{CompiledSchema, SchemaChecker, SchemaFault},
};
use serde_json::Value;
use std::sync::Arc;

#[cfg(all(page, feature = "element"))]
pub use remote::Remote;

/// The checker of forms that have no schemas.
pub struct Absent;

/// The checker of an application that was built without one.
#[cfg(not(feature = "schema"))]
struct NotBuilt;

/// The checker that the application was built with.
#[cfg(feature = "schema")]
pub fn own() -> impl SchemaChecker {
    ask_user_core::schema::Validator::default()
}

/// The same: it was built without one.
#[cfg(not(feature = "schema"))]
pub fn own() -> impl SchemaChecker {
    NotBuilt
}

impl SchemaChecker for Absent {
    fn compile(&self, _: &Value, _: &mut Budget) -> Result<Arc<dyn CompiledSchema>, SchemaFault> {
        Err(unexplained())
    }
}

#[cfg(not(feature = "schema"))]
impl SchemaChecker for NotBuilt {
    fn compile(&self, _: &Value, _: &mut Budget) -> Result<Arc<dyn CompiledSchema>, SchemaFault> {
        let reason = "this application cannot check JSON Schemas: build ask-user-web with its feature \"schema\"";
        Err(SchemaFault::Invalid { path: String::new(), reason: reason.into() })
    }
}

fn unexplained() -> SchemaFault {
    SchemaFault::Invalid { path: String::new(), reason: "the checker did not say why".into() }
}
