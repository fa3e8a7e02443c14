//! How answers and saved walks are compared: which were taken before, and which are older.

use ask_user_core::Walk;
use serde::Deserialize;
use serde_json::{Map, Value, json};
use std::hash::{DefaultHasher, Hash, Hasher};

/// What is kept of plain answers that were taken, to know them again: all but the secrets, of which the names alone are kept. Gives the secrets apart.
pub fn kept(walk: &Walk, answers: &Map<String, Value>) -> (String, String) {
    let (mut open, mut names) = (answers.clone(), Vec::new());
    for question in walk.form().questions().iter().filter(|question| question.answer_type.is_secret()) {
        for name in [&question.id, &question.text] {
            names.extend(open.remove(name).map(|_| name.clone()));
        }
    }
    let secrets = secrets_of(answers, &names);
    (json!({ "answers": open, "secrets": names }).to_string(), secrets)
}

/// Whether plain answers are those that were kept, but for the secrets; and the secrets. `None` where something else was kept.
pub fn compared(kept: &str, answers: &Map<String, Value>) -> Option<(bool, String)> {
    let kept: Value = serde_json::from_str(kept).ok()?;
    let names: Vec<String> = Deserialize::deserialize(kept.get("secrets")?).ok()?;
    let mut open = answers.clone();
    open.retain(|name, _| !names.contains(name));
    Some((kept["answers"].as_object() == Some(&open), secrets_of(answers, &names)))
}

fn secrets_of(answers: &Map<String, Value>, names: &[String]) -> String {
    json!(names.iter().map(|name| answers.get(name)).collect::<Vec<_>>()).to_string()
}

/// The version of a saved walk, as an ETag: a hash of its text. After an update of Rust it may be another for the same walk: a page then saves once more.
pub fn version(walk: Option<&Value>) -> String {
    let mut hasher = DefaultHasher::new();
    walk.map(Value::to_string).hash(&mut hasher);
    format!("\"{:016x}\"", hasher.finish())
}

/// Whether a saved walk is an earlier version of another one: nothing leaves the log of a walk.
pub fn is_older(saved: &Value, kept: &Value) -> bool {
    let log = |walk: &Value| walk["log"].as_array().cloned().unwrap_or_default();
    let (saved, kept) = (log(saved), log(kept));
    saved.len() < kept.len() && kept.starts_with(&saved)
}
