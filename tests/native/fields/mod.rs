//! The model of fields: what there is to fill in at each place of a value.

mod groups;
mod hostile;
mod kinds;
mod random;
mod starting;
mod table;
mod wrong;

use ask_user_core::{
    Budget,
    schema::{Compiled, Fields, Validator},
};
use serde_json::{Value, json};
use std::sync::Arc;

/// The fields of a schema and a text.
fn fields(schema: &Value, text: &str) -> Fields {
    filled(&Validator::default().prepare(schema, &mut Budget::default()).unwrap(), text)
}

fn filled(compiled: &Arc<Compiled>, text: &str) -> Fields {
    let mut fields = Fields::new(Arc::clone(compiled));
    fields.set_text(text, &mut Budget::default()).unwrap();
    fields
}

fn parsed(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

fn open(fields: &mut Fields, pointer: &str, options: &Value) -> Value {
    parsed(&fields.open(pointer, &options.to_string(), &mut Budget::default()))
}

/// A field in one line: `key: kind`, then `!` if it is required, `=` if it is there, `~` if the kind cannot show what is there, and where
/// it comes from, if not from `properties` or `items`.
fn line(field: &Value) -> String {
    let key = field.get("key").or(field.get("index")).map_or(String::new(), |key| format!("{key}: ").replace('"', ""));
    let mark = |name: &str, mark: &'static str| if field.get(name).is_some() { mark } else { "" };
    let source = field["source"].as_str().filter(|source| !["properties", "items"].contains(source));
    let reason = field["reason"].as_str().map(|reason| format!(" ({reason})")).unwrap_or_default();
    let source = source.map(|source| format!(" [{source}]")).unwrap_or_default();
    let marks = [mark("required", "!"), mark("present", "="), mark("mismatch", "~")].concat();
    format!("{key}{}{reason}{marks}{source}", field["kind"].as_str().unwrap())
}

/// The children at a place, each in one line.
fn children(schema: &Value, text: &str, pointer: &str) -> Vec<String> {
    level(&open(&mut fields(schema, text), pointer, &json!({})))
}

fn level(field: &Value) -> Vec<String> {
    field["children"].as_array().map(Vec::as_slice).unwrap_or_default().iter().map(line).collect()
}

/// The root, in one line.
fn kind(schema: &Value, text: &str) -> String {
    line(&open(&mut fields(schema, text), "", &json!({})))
}

fn start(schema: &Value, pointer: &str) -> Value {
    parsed(&fields(schema, "").start(pointer, "", &mut Budget::default()))
}

/// What a switch keeps of a text.
fn switched(schema: &Value, text: &str, pointer: &str, group: &str, index: usize) -> Value {
    parsed(&fields(schema, text).switch(pointer, group, index, "", &mut Budget::default()))
}
