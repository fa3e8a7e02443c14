//! Writes the seeds of all targets into a folder: `cargo run --example seeds -- VECTORS FOLDER`. Requests and schemas come from the vectors.

use ask_user_core::{Action, Dialect, Walk, json::ToJson};
use ask_user_fuzz::{FORM, given};
use serde_json::{Value, json};
use std::{error::Error, fs, path::Path};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [vectors, folder] = arguments.as_slice() else {
        return Err("say where the vectors are, and where the seeds go".into());
    };
    let mut seeds: Vec<(&str, String)> = Vec::new();
    for entry in fs::read_dir(vectors)? {
        let path = entry?.path();
        if path.extension().is_none_or(|extension| extension != "json") {
            continue;
        }
        let cases: Value = serde_json::from_str(&fs::read_to_string(path)?)?;
        for case in cases.as_array().into_iter().flatten() {
            let Some(request) = case.get("request") else { continue };
            let place = case["dialect"]
                .as_str()
                .and_then(|name| Dialect::ALL.iter().position(|dialect| dialect.name() == name));
            let letter = u8::try_from(place.unwrap_or(Dialect::ALL.len()))?;
            // The first character modulo the number of dialects and one.
            let count = u8::try_from(Dialect::ALL.len() + 1)?;
            let letter = (b'A'..=b'Z').find(|one| one % count == letter).unwrap_or(b'A');
            let text = request.as_str().map_or_else(|| request.to_string(), str::to_owned);
            seeds.push(("request", format!("{}{text}", char::from(letter))));
            schemas(request, &mut seeds);
        }
    }
    let mut walk = Walk::new(FORM.clone());
    let commands = [
        "atrue",
        "a\"b\"",
        "b",
        "a\"a\"",
        "a[\"x\"]",
        "ahunter2",
        "t{\"cpu\": 2}",
        "cgo",
        "afalse",
        "tbecause",
        "s",
        "rlater",
        "e",
    ];
    seeds.push(("commands", commands.join("\n")));
    for command in commands {
        let (letter, rest) = command.split_at(1);
        if let Some(action) = given(letter, rest, &walk) {
            drop(walk.act(action));
        }
        seeds.push(("saved", walk.save().to_string()));
        seeds.push(("response", walk.response().to_string()));
        let records: Value = walk.records().map(|record| record.to_json()).collect();
        seeds.push(("records", records.to_string()));
        if let (Some(_), "s") = (walk.outcome(), letter) {
            break;
        }
    }
    drop(walk.act(Action::EndTurn));
    let calls = json!([{ "id": "call_1", "name": "a", "input": {} }, { "id": "call_2", "name": "b", "input": {} }]);
    let events = [
        json!({ "type": "message" }),
        json!({ "type": "model_responded", "calls": calls }),
        json!({ "type": "tool_completed", "call_id": "call_1", "content": 1, "is_error": false }),
        json!({ "type": "question_pending", "call_id": "call_2", "request": {} }),
        json!({ "type": "walk_saved", "call_id": "call_2", "walk": {} }),
        json!({ "type": "restarted" }),
        json!({ "type": "declined", "call_id": "call_2", "result": "no" }),
        json!({ "type": "cancelled", "call_id": "call_2" }),
        json!({ "type": "responded", "call_id": "call_2", "result": {} }),
        json!({ "type": "stopped" }),
        json!({ "type": "model_failed" }),
    ];
    seeds.push(("conversation", events.map(|event| event.to_string()).join("\n")));
    for (place, (target, text)) in seeds.iter().enumerate() {
        let folder = Path::new(folder).join(target);
        fs::create_dir_all(&folder)?;
        fs::write(folder.join(format!("seed-{place}")), text)?;
    }
    println!("{} seeds", seeds.len());
    Ok(())
}

/// The schemas in a request, each with a value.
fn schemas(value: &Value, seeds: &mut Vec<(&str, String)>) {
    match value {
        Value::Object(fields) => {
            for name in ["schema", "requestedSchema"] {
                if let Some(schema) = fields.get(name) {
                    seeds.push(("schema", format!("{schema}\n{{\"a\": 1}}")));
                }
            }
            fields.values().for_each(|value| schemas(value, seeds));
        }
        Value::Array(items) => items.iter().for_each(|value| schemas(value, seeds)),
        _ => {}
    }
}
