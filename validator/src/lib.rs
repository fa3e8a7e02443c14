//! The JSON Schema validator, for the form in another module: JSON texts in, JSON texts out, and no rule of its own.

use ask_user_core::{
    Refusal,
    json::parse,
    schema::{CompiledSchema, SchemaChecker, Validator},
};
use serde_json::{Map, Value, json};
use std::sync::Arc;
use wasm_bindgen::prelude::wasm_bindgen;

/// Prepares a schema, given as JSON text; `documents`, a JSON object, holds what it may refer to, by URI. The error is a JSON
/// text: `path`, a JSON Pointer, and `reason`.
#[wasm_bindgen(js_name = compileSchema)]
pub fn compile_schema(schema: &str, documents: Option<String>) -> Result<Schema, String> {
    let fault = |path: String, reason: String| json!({ "path": path, "reason": reason }).to_string();
    let read = |text: &str| parse(text).map_err(|error| fault(String::new(), error.reason));
    let documents = match documents.as_deref().map(read).transpose()? {
        Some(Value::Object(documents)) => documents,
        _ => Map::new(),
    };
    let compiled = Validator::with_documents(documents).compile(&read(schema)?);
    Ok(Schema { compiled: compiled.map_err(|error| fault(error.path, error.reason))? })
}

/// A schema that is ready for checking.
#[wasm_bindgen]
pub struct Schema {
    compiled: Arc<dyn CompiledSchema>,
}

#[wasm_bindgen]
impl Schema {
    /// Checks a value, given as JSON text: nothing if it fits, else the refusal as JSON text.
    pub fn check(&self, value: &str) -> Option<String> {
        let checked = parse(value).map_err(Refusal::InvalidJson).and_then(|value| self.compiled.check(&value));
        checked.err().map(|refusal| Value::Object(refusal.to_json()).to_string())
    }

    /// A value to start from, as JSON text.
    pub fn template(&self) -> String {
        self.compiled.template().to_string()
    }
}
