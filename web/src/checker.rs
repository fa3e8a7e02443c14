//! The schema checker of the browser: it asks the validator, another wasm module, which is fetched when a form has
//! a schema.

use ask_user_core::{
    Refusal, json,
    problem::Violation,
    schema::{CompiledSchema, SchemaChecker, SchemaFault},
};
use js_sys::{Function, Reflect};
use send_wrapper::SendWrapper;
use serde_json::Value;
use std::sync::Arc;
use wasm_bindgen::{JsCast, JsValue};

/// The function `compileSchema` of the validator's module.
pub struct Remote {
    compile: SendWrapper<Function>,
}

/// A schema that the other module holds.
struct Compiled(SendWrapper<JsValue>);

/// The checker of forms that have no schemas.
pub struct Absent;

impl Remote {
    pub fn new(compile: Function) -> Self {
        Self { compile: SendWrapper::new(compile) }
    }
}

impl SchemaChecker for Remote {
    fn compile(&self, schema: &Value) -> Result<Arc<dyn CompiledSchema>, SchemaFault> {
        match self.compile.call1(&JsValue::UNDEFINED, &schema.to_string().into()) {
            Ok(compiled) => Ok(Arc::new(Compiled(SendWrapper::new(compiled)))),
            Err(error) => Err(fault(&error)),
        }
    }
}

impl SchemaChecker for Absent {
    fn compile(&self, _: &Value) -> Result<Arc<dyn CompiledSchema>, SchemaFault> {
        Err(unexplained())
    }
}

impl CompiledSchema for Compiled {
    fn check(&self, value: &Value) -> Result<(), Refusal> {
        match self.call("check", &value.to_string()) {
            Some(refusal) => Err(refusal_of(text_of(&refusal).unwrap_or_default())),
            None => Ok(()),
        }
    }

    fn template(&self) -> Value {
        self.call("template", "").and_then(|text| text_of(&text)).unwrap_or_default()
    }
}

impl Compiled {
    fn call(&self, method: &str, argument: &str) -> Option<JsValue> {
        let method = Reflect::get(&self.0, &method.into()).ok()?.dyn_into::<Function>().ok()?;
        let found = method.call1(&self.0, &argument.into()).ok()?;
        (!found.is_undefined()).then_some(found)
    }
}

impl Drop for Compiled {
    fn drop(&mut self) {
        self.call("free", "");
    }
}

fn fault(error: &JsValue) -> SchemaFault {
    let json = text_of(error).unwrap_or_default();
    let text = |key: &str| Some(json.get(key)?.as_str()?.to_owned());
    match (text("path"), text("reason")) {
        (Some(path), Some(reason)) => SchemaFault { path, reason },
        _ => unexplained(),
    }
}

fn unexplained() -> SchemaFault {
    SchemaFault { path: String::new(), reason: "the checker did not say why".into() }
}

fn refusal_of(json: Value) -> Refusal {
    let details = json.get("details").and_then(Value::as_array);
    match details.map(|details| details.iter().filter_map(Violation::from_json).collect()) {
        Some(details) => Refusal::SchemaMismatch { details },
        None => Refusal::TooLarge { what: json.get("message").map(json::shown).unwrap_or_default() },
    }
}

fn text_of(value: &JsValue) -> Option<Value> {
    value.as_string().and_then(|text| json::parse(&text).ok())
}
