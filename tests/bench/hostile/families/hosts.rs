//! Options of a host that have grown large over a turn or a configuration, and requests that make much of them.

use super::{FULL, Family, asks, counted, items};
use crate::calls::{self, Written};
use serde_json::{Map, Value, json};

pub const FAMILIES: &[Family] = &[
    Family {
        name: "host: a hundred thousand attempts",
        call: "read",
        largest: 100_000,
        make: |count| {
            let attempts: Map<String, Value> = (0..count).map(|at| (format!("call_{at}.question"), 1.into())).collect();
            with_host(&json!({ "turn": { "attempts": attempts } }))
        },
    },
    Family {
        name: "host: remembered answers of megabytes",
        call: "read",
        largest: FULL,
        make: |size| {
            let entry = |at: usize| (at.to_string(), json!({ "question": {}, "answer": "r".repeat(1_000) }));
            let answers: Map<String, Value> = (0..size / 1_000).map(entry).collect();
            with_host(&json!({ "turn": { "remembered": answers } }))
        },
    },
    Family {
        name: "host: static answers of megabytes",
        call: "read",
        largest: FULL,
        make: |size| {
            let answers: Map<String, Value> =
                (0..size / 1_000).map(|at| (at.to_string(), "s".repeat(1_000).into())).collect();
            with_host(&json!({ "static_answers": answers }))
        },
    },
    Family {
        name: "host: a thousand questions, all answered by it",
        call: "begin",
        largest: 1_000,
        make: |count| {
            let answers: Map<String, Value> = (0..count).map(|at| (at.to_string(), "s".repeat(2_000).into())).collect();
            let host = calls::host(&json!({ "static_answers": answers }));
            let text = texts(count);
            calls::begin(text.len() + count * 2_000, calls::form(&text, &host)?)
        },
    },
    Family {
        name: "host: ten thousand options each, all chosen by it",
        call: "begin",
        largest: 28,
        make: |count| {
            let options = counted(10_000, |at| format!("\"{at}\""));
            let question =
                |at| format!(r#"{{"id":"{at}","text":"?","answer_type":"multi_select","options":[{options}]}}"#);
            let answer: Value = (0..10_000).map(|at: usize| at.to_string()).collect();
            let answers: Map<String, Value> = (0..count).map(|at| (at.to_string(), answer.clone())).collect();
            let host = calls::host(&json!({ "static_answers": answers }));
            let text = asks(&counted(count, question));
            calls::begin(text.len() * 2, calls::form(&text, &host)?)
        },
    },
    Family {
        name: "host: a hundred thousand exclusive ids",
        call: "act",
        largest: 100_000,
        make: |count| {
            let ids: Map<String, Value> = (0..count).map(|at| (format!("exclusive_{at:07}"), true.into())).collect();
            let walk = calls::walk(&texts(1_000), &calls::host(&json!({ "exclusive": ids })))?;
            calls::act(count * 20, walk, vec![calls::answer("x".into()); 1_000])
        },
    },
    Family {
        name: "host: a hundred thousand attempts, over a walk",
        call: "act",
        largest: 100_000,
        make: |count| {
            let attempts: Map<String, Value> = (0..count).map(|at| (format!("call_{at}.question"), 1.into())).collect();
            let walk = calls::walk(&texts(1_000), &calls::host(&json!({ "turn": { "attempts": attempts } })))?;
            calls::act(count * 25, walk, vec![calls::answer("x".into()); 1_000])
        },
    },
    Family {
        name: "host: a long id of the call over a thousand questions",
        call: "act",
        largest: 20_000,
        make: |size| {
            let walk = calls::walk(&texts(1_000), &calls::host(&json!({ "tool_call_id": "c".repeat(size) })))?;
            calls::act(size, walk, vec![calls::answer("x".into()); 1_000])
        },
    },
    Family {
        name: "an assistant, asked about ten thousand options",
        call: "consultation",
        largest: 10_000,
        make: |count| {
            let options = counted(count, |at| format!(r#"{{"value":"{at}","label":"{}"}}"#, "l".repeat(160)));
            let text = asks(&format!(r#"{{"id":"a","text":"?","answer_type":"select","options":[{options}]}}"#));
            let walk = calls::walk(&text, &calls::host(&json!({ "target": "assistant" })))?;
            calls::write(text.len(), walk, Written::Consultation)
        },
    },
    Family {
        name: "an assistant, asked about a large schema",
        call: "consultation",
        largest: FULL,
        make: |size| {
            let schema =
                format!(r#"{{"properties":{{{}}}}}"#, items(size, |at| format!(r#""{at}":{{"type":"string"}}"#)));
            let text = super::asks_json(&schema);
            let walk = calls::walk(&text, &calls::host(&json!({ "target": "assistant" })))?;
            calls::write(text.len(), walk, Written::Consultation)
        },
    },
    Family {
        name: "host: a hundred thousand attempts, for the next form",
        call: "turn",
        largest: 100_000,
        make: |count| {
            let attempts: Map<String, Value> = (0..count).map(|at| (format!("call_{at}.question"), 1.into())).collect();
            let walk = calls::walk(&texts(10), &calls::host(&json!({ "turn": { "attempts": attempts } })))?;
            calls::write(count * 25, walk, Written::Turn)
        },
    },
];

/// Many questions for text.
fn texts(count: usize) -> String {
    asks(&counted(count, |at| format!(r#"{{"id":"{at}","text":"?","answer_type":"text"}}"#)))
}

/// A small request, read with this host.
fn with_host(options: &Value) -> calls::Made {
    let text = asks(r#"{"id":"0","text":"?","answer_type":"text"}"#);
    let bytes = options.to_string().len();
    Ok(calls::Task { bytes, ..calls::read_by(text, None, &calls::host(options))? })
}
