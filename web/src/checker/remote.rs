//! The schema checker of the browser: it asks the validator, another wasm module, which is fetched when a form has
//! a schema.

use super::unexplained;
use ask_user_core::{
    Budget, Refusal,
    json::{self, FromJson},
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

impl Remote {
    pub fn new(compile: Function) -> Self {
        Self { compile: SendWrapper::new(compile) }
    }
}

impl SchemaChecker for Remote {
    fn compile(&self, schema: &Value, budget: &mut Budget) -> Result<Arc<dyn CompiledSchema>, SchemaFault> {
        let (none, work) = (JsValue::UNDEFINED, units(budget));
        match self.compile.call3(&none, &json::text(schema).into(), &none, &work) {
            Ok(compiled) => {
                spend(budget, property(&compiled, "left").as_f64());
                Ok(Arc::new(Compiled(SendWrapper::new(compiled))))
            }
            Err(error) => {
                let json = text_of(&error).unwrap_or_default();
                spend(budget, json.get("left").and_then(Value::as_f64));
                Err(fault(&json))
            }
        }
    }
}

impl CompiledSchema for Compiled {
    fn check(&self, value: &Value, budget: &mut Budget) -> Result<(), Refusal> {
        let refusal = self.call("check", &json::text(value).into(), &units(budget));
        spend(budget, property(&self.0, "left").as_f64());
        match refusal {
            Some(refusal) => Err(refusal_of(text_of(&refusal).unwrap_or_default())),
            None => Ok(()),
        }
    }

    fn template(&self) -> Option<Value> {
        self.call("template", &JsValue::UNDEFINED, &JsValue::UNDEFINED).and_then(|text| text_of(&text))
    }
}

impl Compiled {
    fn call(&self, method: &str, argument: &JsValue, work: &JsValue) -> Option<JsValue> {
        let method = property(&self.0, method).dyn_into::<Function>().ok()?;
        let found = method.call2(&self.0, argument, work).ok()?;
        (!found.is_undefined()).then_some(found)
    }
}

impl Drop for Compiled {
    fn drop(&mut self) {
        self.call("free", &JsValue::UNDEFINED, &JsValue::UNDEFINED);
    }
}

fn property(object: &JsValue, name: &str) -> JsValue {
    Reflect::get(object, &name.into()).unwrap_or_default()
}

/// What is left of a budget, as the other module takes it.
fn units(budget: &Budget) -> JsValue {
    (budget.left() as f64).into()
}

/// Charges what the other module has spent; all of it if it does not say.
fn spend(budget: &mut Budget, left: Option<f64>) {
    let spent = budget.left().saturating_sub(left.unwrap_or_default() as u64);
    // Cannot fail: it is at most what is left.
    let _ = budget.charge(spent);
}

fn fault(json: &Value) -> SchemaFault {
    let text = |key: &str| Some(json.get(key)?.as_str()?.to_owned());
    match (text("too_large"), text("path"), text("reason")) {
        (Some(what), ..) => SchemaFault::TooLarge { what },
        (None, Some(path), Some(reason)) => SchemaFault::Invalid { path, reason },
        _ => unexplained(),
    }
}

fn refusal_of(json: Value) -> Refusal {
    let details = json.get("details").and_then(Value::as_array);
    match details.map(|details| details.iter().filter_map(Violation::from_json).collect::<Vec<_>>()) {
        Some(details) => Refusal::SchemaMismatch { details },
        None => {
            let what = json.get("too_large").or_else(|| json.get("message")).and_then(Value::as_str);
            Refusal::TooLarge { what: what.unwrap_or_default().to_owned() }
        }
    }
}

fn text_of(value: &JsValue) -> Option<Value> {
    value.as_string().and_then(|text| json::parse(&text).ok())
}
