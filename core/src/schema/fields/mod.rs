//! The model of fields: from a schema and a value to what a person can fill in, level by level. docs/fields-model.md describes what it gives.
//!
//! A place in the value is described by the subschemas that apply there (`parts`). From these come its kind (`shape`), what the
//! schema says of it (`says`) and its children (`within`). Which option of a group holds is decided by the value (`decide`), in the end
//! by the validator (`memo`).

mod decide;
mod field;
mod level;
mod locate;
mod memo;
mod parts;
mod says;
mod shape;
mod spot;
mod start;
mod switch;
mod types;
mod within;
mod write;
mod wrong;

use super::compiled::Compiled;
use crate::{
    budget::{Budget, Exhausted},
    json::{parse, text},
    problem::Refusal,
};
use field::Kind;
use level::{Place, Window};
use locate::locate;
use memo::{Context, Memo};
use serde_json::{Value, json};
use std::sync::Arc;

/// How many children are given, where nothing else is asked for.
const CHILDREN: usize = 500;
/// The cost of a byte of JSON text that is parsed.
const BYTE: u64 = 4;

/// The budget of a template, which no call charges.
const TEMPLATE: u64 = 1_000_000;

/// The fields of one question: a compiled schema, and the value that stands in the text.
pub struct Fields {
    compiled: Arc<Compiled>,
    value: Option<Value>,
    memo: Memo,
}

impl Fields {
    /// The fields of a schema, without a value.
    pub fn new(compiled: Arc<Compiled>) -> Self {
        Self { compiled, value: None, memo: Memo::default() }
    }

    /// Takes the text of the answer. A blank text means that there is no value.
    ///
    /// # Errors
    /// [`Refusal::InvalidJson`] if the text is not JSON, [`Refusal::TooLarge`] if it takes too much work. The value before stays.
    pub fn set_text(&mut self, text: &str, budget: &mut Budget) -> Result<(), Refusal> {
        let work = (text.len() as u64).saturating_mul(BYTE);
        budget.charge(work).map_err(|Exhausted| Refusal::TooLarge { what: "the text is too long".into() })?;
        let value = if text.trim().is_empty() { None } else { Some(parse(text).map_err(Refusal::InvalidJson)?) };
        self.value = value;
        self.memo.clear();
        Ok(())
    }

    /// The field at a place, as JSON text. What takes too much work is a field of the kind `json`.
    pub fn open(&mut self, pointer: &str, options: &str, budget: &mut Budget) -> String {
        self.opened(pointer, options, budget).unwrap_or_else(|Exhausted| {
            text(&json!({ "pointer": pointer, "kind": "json", "reason": "too_much_work", "present": true }))
        })
    }

    fn opened(&mut self, pointer: &str, options: &str, budget: &mut Budget) -> Result<String, Exhausted> {
        let options = read(options, budget)?;
        let number = |key: &str| options.get(key).and_then(Value::as_u64).and_then(|n| usize::try_from(n).ok());
        let window = Window {
            from: number("from").unwrap_or_default(),
            count: number("count").unwrap_or(CHILDREN).min(CHILDREN),
        };
        let Self { compiled, value, memo } = self;
        let choices = options.get("choices").unwrap_or(&Value::Null);
        let mut context = Context { compiled, memo, budget, choices };
        let Some(place) = locate(pointer, value.as_ref(), &mut context)? else { return Err(Exhausted) };
        let field = place.opened(window, &mut context)?;
        write::write(&field, budget)
    }

    /// What a place begins with, as JSON text.
    pub fn start(&mut self, pointer: &str, options: &str, budget: &mut Budget) -> String {
        self.started(pointer, options, budget).unwrap_or_else(|Exhausted| "{}".to_owned())
    }

    fn started(&mut self, pointer: &str, options: &str, budget: &mut Budget) -> Result<String, Exhausted> {
        let options = read(options, budget)?;
        let Self { compiled, value, memo } = self;
        let choices = options.get("choices").unwrap_or(&Value::Null);
        let mut context = Context { compiled, memo, budget, choices };
        let Some(place) = locate(pointer, value.as_ref(), &mut context)? else { return Err(Exhausted) };
        start::answer(&place, None, &mut context)
    }

    /// What another option of a group keeps of the value and drops, as JSON text.
    pub fn switch(&mut self, pointer: &str, group: &str, index: usize, options: &str, budget: &mut Budget) -> String {
        let switched = self.switched(pointer, group, index, options, budget);
        switched.unwrap_or_else(|Exhausted| text(&json!({ "same": true })))
    }

    fn switched(
        &mut self,
        pointer: &str,
        group: &str,
        index: usize,
        options: &str,
        budget: &mut Budget,
    ) -> Result<String, Exhausted> {
        let mut options = read(options, budget)?;
        let Self { compiled, value, memo } = self;
        let mut choices = options.get_mut("choices").map(Value::take).unwrap_or_default();
        let mut context = Context { compiled, memo, budget, choices: &choices };
        let place = locate(pointer, value.as_ref(), &mut context)?.ok_or(Exhausted)?;
        let declared = switch::declared(&place, &mut context)?;
        drop(place);
        switch::choose(&mut choices, pointer, group, index);
        let mut context = Context { compiled, memo, budget, choices: &choices };
        let place = locate(pointer, value.as_ref(), &mut context)?.ok_or(Exhausted)?;
        switch::answer(place, &declared, group, &mut context)
    }

    /// What is wrong with the value, each with the place of its field, as JSON text.
    pub fn violations(&mut self, options: &str, budget: &mut Budget) -> String {
        let options = read(options, budget).unwrap_or_default();
        let Self { compiled, value, memo } = self;
        let choices = options.get("choices").unwrap_or(&Value::Null);
        let Some(value) = value else { return "[]".to_owned() };
        let mut context = Context { compiled, memo, budget, choices };
        wrong::list(value, &mut context)
    }
}

/// What a whole value begins with. `None` if the schema states nothing, and takes no object and no list that may not be empty.
pub(super) fn template(compiled: &Compiled) -> Option<Value> {
    let (mut memo, mut budget) = (Memo::default(), Budget::new(TEMPLATE));
    let mut context = Context { compiled, memo: &mut memo, budget: &mut budget, choices: &Value::Null };
    let place = Place::root(None, &mut context).ok()??;
    let stated = start::stated(&place, &mut context).unwrap_or_default();
    stated.or_else(|| match place.shape(&mut context).ok()?.kind {
        Kind::Object => Some(json!({})),
        // Where it would be accepted, it would be an answer that nobody has given.
        Kind::Array | Kind::Choices => Some(json!([])).filter(|empty| !compiled.validator.is_valid(empty)),
        _ => None,
    })
}

/// Reads the options of a call. What is no JSON counts as none.
fn read(options: &str, budget: &mut Budget) -> Result<Value, Exhausted> {
    budget.charge((options.len() as u64).saturating_mul(BYTE))?;
    Ok(parse(options).unwrap_or_default())
}
