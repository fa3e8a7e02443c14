//! Writes the seeds of all targets into a folder: `cargo run --example seeds -- VECTORS FOLDER`. Requests and schemas come from the vectors.

use ask_user_core::{Dialect, Walk, json::ToJson};
use ask_user_fuzz::{command, walked};
use serde_json::{Value, json};
use std::{error::Error, fs, path::Path};

/// Commands of walks: to the end with every kind of answer; with an assistant's; with own texts and notes; and to other ends.
const WALKS: &[&[&str]] = &[
    &[
        "n",
        "atrue",
        "a\"b\"",
        "b",
        "a\"a\"",
        "n",
        "a[\"x\"]",
        "ahunter2",
        "t{\"cpu\": 2}",
        "cgo",
        "afalse",
        "n",
        "a[\"z\"]",
        "tbecause",
        "ahunter2",
        "a{\"cpu\": 1}",
        "s",
    ],
    &[
        r#"v{"reason": "Risky.", "answer": false, "model": "m"}"#,
        "atrue",
        "a\"b\"",
        r#"v{"reason": "All.", "answer": ["x", "y"]}"#,
        "thunter2",
        "t{\"cpu\": 1.0}",
        "cwhich",
        "a\"a\"",
        "r",
    ],
    &[r#"v{"reason": "Safe.", "answer": true}"#, "k\"a\"", r#"v{"reason": "So.", "answer": "x"}"#, "a[]", "rlater"],
    &["2", "oelse", "b", "d\"a\"", "oelse [\"x\"]"],
    &["2", r#"m{"q1": "b", "q2": ["y"]}"#],
    &["2", r#"p{"Which parts?": ["x", "mine"], "q1": "b"}"#],
    &["n", "afalse", "n", r#"p{"parts": ["x"], "why": "because", "key": "hunter2", "limits": {"cpu": 1}}"#],
    &["n", "afalse", "e"],
];

/// Schemas with options, conditions, references and tuples.
const SCHEMAS: [&str; 5] = [
    r##"{"oneOf":[{"properties":{"kind":{"const":"a"}}},{"properties":{"kind":{"const":"b"},"a":{"items":{"$ref":"#"}}}},{"type":"null"}]}"##,
    r##"{"$defs":{"n":{"$anchor":"n","anyOf":[{"type":["string","null"]},{"additionalProperties":{"$ref":"#n"}}]}},"$ref":"#n","default":{}}"##,
    r##"{"if":{"required":["a"]},"then":{"properties":{"b":{"enum":[1,2]}},"required":["b"]},"else":false,"dependentRequired":{"kind":["c"]}}"##,
    r##"{"prefixItems":[{"type":"integer"}],"items":{"enum":["a"]},"uniqueItems":true,"unevaluatedItems":false,"contains":true}"##,
    r##"{"$schema":"http://json-schema.org/draft-04/schema#","id":"http://a/","allOf":[{"patternProperties":{"^a":{"$ref":"#"}}}],"dependencies":{"a":{"properties":{"z":{}}}}}"##,
];

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [vectors, folder] = arguments.as_slice() else {
        return Err("say where the vectors are, and where the seeds go".into());
    };
    let mut seeds: Vec<(&str, String)> = Vec::new();
    for answers in [
        r#"{"answers": {}}"#,
        r#"{"answers": {"Which?": "mine", "q2": ["y"]}}"#,
        r#"{"answers": {"q1": 1, "x": null}}"#,
    ] {
        seeds.push(("response", answers.into()));
    }
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
            seeds.push(("stream", format!("{}z{text}", char::from(letter))));
            schemas(request, &mut seeds);
        }
    }
    for commands in WALKS {
        seeds.push(("commands", commands.join("\n")));
        let mut walk = Walk::new(walked(commands[0]).clone());
        for line in commands.iter().filter(|line| **line != "2") {
            let taken = command(&mut walk, line);
            assert!(matches!(taken, Some(Ok(()))), "{line}: {taken:?}, {}", walk.step().to_json());
            seeds.push(("saved", walk.save().to_string()));
            seeds.push(("response", walk.response().to_string()));
            let records: Value = walk.records().map(|record| record.to_json()).collect();
            seeds.push(("records", records.to_string()));
        }
    }
    let calls = json!([{ "id": "call_1", "name": "a", "input": {} }, { "id": "call_2", "name": "b", "input": {} }]);
    let events = [
        json!({ "type": "message" }),
        json!({ "type": "model_responded", "calls": calls }),
        json!({ "type": "tool_completed", "call_id": "call_1", "content": 1, "is_error": false }),
        json!({ "type": "question_pending", "call_id": "call_2", "request": {} }),
        json!({ "type": "walk_saved", "call_id": "call_2", "walk": {} }),
        json!({ "type": "restarted" }),
        json!({ "type": "closed", "how": "declined", "call_id": "call_2", "result": "no" }),
        json!({ "type": "closed", "how": "turn_ended", "call_id": "call_2" }),
        json!({ "type": "closed", "how": "answered", "call_id": "call_2", "result": {} }),
        json!({ "type": "stopped" }),
        json!({ "type": "model_failed" }),
    ];
    for schema in SCHEMAS {
        for value in ["", "{}", r#"{"kind":"b","a":[{"a":"x"}]}"#, "[1,\"a\",null]"] {
            seeds.push(("fields", format!("{schema}\n{{}}\n{value}")));
        }
    }
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
                    seeds.push(("fields", format!("{schema}\n{{\"choices\":{{\"\":{{\"oneOf\":1}}}}}}\n{{\"a\": 1}}")));
                }
            }
            fields.values().for_each(|value| schemas(value, seeds));
        }
        Value::Array(items) => items.iter().for_each(|value| schemas(value, seeds)),
        _ => {}
    }
}
