//! The JSON Schema validator, for the form in another module: JSON texts in, JSON texts out, and no rule of its own.

use ask_user_core::{
    Budget, Refusal,
    json::parse,
    schema::{Compiled, CompiledSchema, Fields as Model, SchemaFault, Validator},
};
use serde_json::{Map, Value, json};
use std::{
    cell::{Cell, RefCell},
    sync::Arc,
};
use wasm_bindgen::{JsValue, prelude::wasm_bindgen};

/// Compiling a schema allocates many small pieces, each in constant time.
#[cfg(target_arch = "wasm32")]
#[global_allocator]
static ALLOCATOR: rlsf::SmallGlobalTlsf = rlsf::SmallGlobalTlsf::new();

/// Prepares a schema, given as JSON text; `documents`, a JSON object, holds what it may refer to, by URI. `work` is how many
/// units of the work budget there are, by default those of a whole call.
///
/// # Errors
/// A JSON text: `path`, a JSON Pointer, and `reason`; or `too_large`, what takes more work than there is. `left` is how many
/// units are left.
#[wasm_bindgen(js_name = compileSchema)]
pub fn compile_schema(schema: &str, documents: Option<String>, work: Option<f64>) -> Result<Schema, String> {
    let mut budget = budget(work);
    compile_once(schema, documents.as_deref(), &mut budget)
        .map(|compiled| Schema { compiled, left: Cell::new(budget.left()) })
        .map_err(|fault| {
            let left = budget.left();
            match fault {
                SchemaFault::Invalid { path, reason } => json!({ "path": path, "reason": reason, "left": left }),
                SchemaFault::TooLarge { what } => json!({ "too_large": what, "left": left }),
            }
            .to_string()
        })
}

/// A schema that was compiled, and what that took.
struct Known {
    schema: String,
    compiled: Arc<Compiled>,
    spent: u64,
}

thread_local! {
    /// The last schema: a form compiles it, and its fields ask for it again.
    static LAST: RefCell<Option<Known>> = const { RefCell::new(None) };
}

/// Compiles a schema, unless it was the last. The work is charged in any case, so the answer is the same.
fn compile_once(schema: &str, documents: Option<&str>, budget: &mut Budget) -> Result<Arc<Compiled>, SchemaFault> {
    let known = |last: &Option<Known>| {
        let known = last.as_ref().filter(|known| documents.is_none() && known.schema == schema)?;
        (budget.left() >= known.spent).then(|| (Arc::clone(&known.compiled), known.spent))
    };
    let found = LAST.with_borrow(known);
    if let Some((compiled, spent)) = found {
        // There is as much: it was looked at above.
        let _ = budget.charge(spent);
        return Ok(compiled);
    }
    let before = budget.left();
    let compiled = compile(schema, documents, budget)?;
    if documents.is_none() {
        let spent = before.saturating_sub(budget.left());
        LAST.replace(Some(Known { schema: schema.to_owned(), compiled: Arc::clone(&compiled), spent }));
    }
    Ok(compiled)
}

fn compile(schema: &str, documents: Option<&str>, budget: &mut Budget) -> Result<Arc<Compiled>, SchemaFault> {
    let read =
        |text: &str| parse(text).map_err(|error| SchemaFault::Invalid { path: String::new(), reason: error.reason });
    let documents = match documents.map(read).transpose()? {
        Some(Value::Object(documents)) => documents,
        _ => Map::new(),
    };
    Validator::with_documents(documents).prepare(&read(schema)?, budget)
}

fn budget(work: Option<f64>) -> Budget {
    work.map_or_else(Budget::default, |units| Budget::new(units as u64))
}

/// A schema that is ready for checking.
#[wasm_bindgen]
pub struct Schema {
    compiled: Arc<Compiled>,
    left: Cell<u64>,
}

#[wasm_bindgen]
impl Schema {
    /// Checks a value, given as JSON text: nothing if it fits, else the refusal as JSON text. `work` is as for `compileSchema`.
    pub fn check(&self, value: &str, work: Option<f64>) -> Option<String> {
        let mut budget = budget(work);
        let checked =
            parse(value).map_err(Refusal::InvalidJson).and_then(|value| self.compiled.check(&value, &mut budget));
        self.left.set(budget.left());
        checked.err().map(refused)
    }

    /// How many units of the work budget the last call has left: `check`, or `compileSchema` before any.
    #[wasm_bindgen(getter)]
    pub fn left(&self) -> f64 {
        self.left.get() as f64
    }

    /// A value to start from, as JSON text: what the schema states. Nothing if it states nothing.
    pub fn template(&self) -> Option<String> {
        self.compiled.template().map(|template| template.to_string())
    }

    /// This module, compiled: a worker starts from it, and fetches nothing.
    #[wasm_bindgen(getter)]
    pub fn module(&self) -> JsValue {
        wasm_bindgen::module()
    }

    /// The fields that a person fills in, without a value yet: see docs/fields-model.md.
    pub fn fields(&self) -> Fields {
        Fields { model: Model::new(Arc::clone(&self.compiled)), left: 0 }
    }
}

/// The fields of a schema and of the value in a text.
#[wasm_bindgen]
pub struct Fields {
    model: Model,
    left: u64,
}

#[wasm_bindgen]
impl Fields {
    /// Takes the text of the answer; a blank one means that there is no value. Nothing if it is JSON, else the refusal as JSON text.
    #[wasm_bindgen(js_name = setText)]
    pub fn set_text(&mut self, text: &str, work: Option<f64>) -> Option<String> {
        self.spend(work, |model, budget| model.set_text(text, budget)).err().map(refused)
    }

    /// The field at a place, with its children, as JSON text.
    pub fn open(&mut self, pointer: &str, options: Option<String>, work: Option<f64>) -> String {
        self.spend(work, |model, budget| model.open(pointer, options.as_deref().unwrap_or_default(), budget))
    }

    /// What a place begins with, as JSON text.
    pub fn start(&mut self, pointer: &str, options: Option<String>, work: Option<f64>) -> String {
        self.spend(work, |model, budget| model.start(pointer, options.as_deref().unwrap_or_default(), budget))
    }

    /// What another option of a group keeps of the value and drops, as JSON text.
    #[wasm_bindgen(js_name = "switch")]
    pub fn switch(
        &mut self,
        pointer: &str,
        group: &str,
        index: usize,
        options: Option<String>,
        work: Option<f64>,
    ) -> String {
        let options = options.unwrap_or_default();
        self.spend(work, |model, budget| model.switch(pointer, group, index, &options, budget))
    }

    /// What is wrong with the value, each with the place of its field, as JSON text.
    pub fn violations(&mut self, options: Option<String>, work: Option<f64>) -> String {
        self.spend(work, |model, budget| model.violations(options.as_deref().unwrap_or_default(), budget))
    }

    /// How many units of the work budget the last call has left.
    #[wasm_bindgen(getter)]
    pub fn left(&self) -> f64 {
        self.left as f64
    }

    fn spend<T>(&mut self, work: Option<f64>, call: impl FnOnce(&mut Model, &mut Budget) -> T) -> T {
        let mut budget = budget(work);
        let result = call(&mut self.model, &mut budget);
        self.left = budget.left();
        result
    }
}

/// A refusal as JSON text.
fn refused(refusal: Refusal) -> String {
    let mut json = refusal.to_json();
    if let Refusal::TooLarge { what } = refusal {
        json.insert("too_large".to_owned(), what.into());
    }
    Value::Object(json).to_string()
}
