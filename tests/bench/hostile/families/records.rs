//! Audit trails as hostile stores have them, rejections, and conversations with very many calls.

use super::{Family, items};
use crate::calls;
use serde_json::{Value, json};

pub const FAMILIES: &[Family] = &[
    Family {
        name: "a million lines of other types",
        call: "stream",
        largest: 1_000_000,
        make: |count| calls::stream(vec![json!({ "type": "message" }); count / 4], 0),
    },
    Family {
        name: "lines that claim to be records",
        call: "stream",
        largest: 400_000,
        make: |count| calls::stream(vec![json!({ "type": "inquiry_x", "id": "a" }); count], 0),
    },
    Family {
        name: "responses without requests",
        call: "stream",
        // About 2 MB, as a request: the records are the host's own, and the budget does not cover them.
        largest: 90_000,
        make: |count| calls::stream((0..count).map(|at| json!({ "id": at.to_string(), "answer": 0 })).collect(), 0),
    },
    Family {
        name: "a turn for every line",
        call: "stream",
        largest: 100_000,
        make: |count| {
            calls::stream((0..count).map(|at| json!({ "turn": 1, "id": at.to_string(), "answer": 0 })).collect(), 1)
        },
    },
    Family {
        name: "requests without responses",
        call: "mend",
        largest: 100_000,
        make: |count| calls::mend(&(0..count).map(|at| request(&at.to_string(), "?")).collect::<Vec<_>>()),
    },
    Family {
        name: "the same request again and again",
        call: "mend",
        largest: 100_000,
        make: |count| calls::mend(&vec![request("a", "?"); count]),
    },
    Family {
        name: "requests with long ids",
        call: "mend",
        largest: 1_000,
        make: |count| {
            calls::mend(&(0..count).map(|at| request(&format!("{}{at}", "i".repeat(2_000)), "?")).collect::<Vec<_>>())
        },
    },
    Family {
        name: "a long text of markup",
        call: "markdown",
        largest: 2_000_000,
        make: |size| calls::markdown(&[request("a", &"`*".repeat(size / 2)), answer("`\n".repeat(size / 2).into())]),
    },
    Family {
        name: "a long list in lists, as deep as may be",
        call: "markdown",
        largest: 2_000_000,
        make: |size| {
            let list: Value = serde_json::from_str(&format!("[{}]", items(size, |_| "0".into()))).expect("JSON");
            calls::markdown(&[request("a", "?"), answer((0..60).fold(list, |list, _| json!([list])))])
        },
    },
    Family {
        name: "requests with one id, and as many responses",
        call: "markdown",
        largest: 100_000,
        make: |count| {
            let mut lines = vec![request("a", "?"); count / 2];
            lines.resize(count, answer(0.into()));
            calls::markdown(&lines)
        },
    },
    Family {
        name: "a hundred thousand calls at once",
        call: "conversation",
        largest: 100_000,
        make: |count| calls::responded((0..count).map(call).collect(), false),
    },
    Family {
        name: "calls with long ids that begin alike",
        call: "conversation",
        largest: 1_000,
        make: |count| {
            let long = |at| json!({ "id": format!("{}{at:05}", "i".repeat(2_000)), "name": "t", "input": {} });
            calls::responded((0..count).map(long).collect(), false)
        },
    },
    Family {
        name: "ten thousand calls, one after the other",
        call: "conversation",
        largest: 10_000,
        make: |count| calls::responded((0..count).map(call).collect(), true),
    },
    Family {
        name: "a stored conversation of a hundred thousand calls",
        call: "conversation",
        largest: 100_000,
        make: |count| calls::conversation(&(0..count).map(call).collect::<Vec<_>>()),
    },
];

fn request(id: &str, text: &str) -> Value {
    json!({ "type": "inquiry_request", "id": id, "source": { "source": "assistant" },
        "question": { "text": text, "answer_type": { "type": "text" } } })
}

fn answer(answer: Value) -> Value {
    json!({ "type": "inquiry_response", "outcome": "answered", "id": "a", "answer": answer })
}

fn call(at: usize) -> Value {
    json!({ "id": format!("call_{at}"), "name": "tool", "input": {} })
}
