//! Replies as servers send them: the pieces of a stream go in, and what the host gets comes out.

use super::{Assembly, LARGEST_TEXT, MOST_CALLS};
use crate::{agent::Reply, model::failure::Failure};
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// The reply that these events make.
fn reply(events: &[Value]) -> Result<Reply, Failure> {
    let mut assembly = Assembly::default();
    for event in events {
        // Text is the data as it stands.
        let data = event.as_str().map_or_else(|| event.to_string(), str::to_owned);
        assembly.event("", &data)?;
    }
    assembly.finish(BTreeSet::from(["call_1".to_owned()]))
}

fn piece(delta: Value) -> Value {
    json!({ "choices": [{ "index": 0, "delta": delta, "finish_reason": null }] })
}

fn text(text: &str) -> Value {
    piece(json!({ "content": text }))
}

/// A fragment of a call; what is `null` is left out.
fn fragment(index: Value, id: Value, name: Value, arguments: Value) -> Value {
    let present = |fields: Value| -> Value {
        let fields = fields.as_object().cloned().unwrap_or_default();
        fields.into_iter().filter(|(_, value)| !value.is_null()).collect::<serde_json::Map<_, _>>().into()
    };
    let function = present(json!({ "name": name, "arguments": arguments }));
    piece(json!({ "tool_calls": [present(json!({ "index": index, "id": id, "function": function }))] }))
}

fn end(reason: &str) -> Value {
    json!({ "choices": [{ "index": 0, "delta": {}, "finish_reason": reason }] })
}

/// The calls of a reply: id, name and arguments.
fn calls(events: &[Value]) -> Vec<(String, String, Value)> {
    let reply = reply(events).expect("a reply");
    reply.calls.into_iter().map(|call| (call.id, call.name, call.input)).collect()
}

fn call(id: &str, name: &str, input: Value) -> (String, String, Value) {
    (id.into(), name.into(), input)
}

#[test]
fn text_is_put_together_and_what_is_no_text_is_left_out() {
    let events = [
        piece(json!({ "role": "assistant", "content": "" })),
        piece(json!({ "role": "assistant" })),
        piece(json!({ "reasoning_content": "I think.", "content": null })),
        piece(json!({ "reasoning": "I think.", "tool_calls": null })),
        piece(json!({})),
        json!({ "choices": [{ "index": 1, "delta": { "content": "of another choice" } }] }),
        text("\n One"),
        text(", "),
        piece(json!({ "content": [{ "type": "text", "text": "two" }, { "type": "thinking", "thinking": [] }] })),
        json!({ "choices": [], "usage": { "total_tokens": 7 } }),
        json!({ "object": "ping" }),
        piece(json!({ "refusal": "." })),
        json!({ "choices": [{ "delta": { "content": "" }, "finish_reason": "" }], "error": null }),
        end("stop"),
        json!({ "choices": [], "usage": null }),
        json!("[DONE]"),
    ];
    assert_eq!(reply(&events), Ok(Reply { text: "One, two.".into(), calls: vec![], note: None }));
}

#[test]
fn fragments_of_parallel_calls_are_put_together() {
    let events = [
        text("Both."),
        fragment(json!(0), json!("a"), json!("ask_user"), json!("")),
        fragment(json!(0), Value::Null, Value::Null, json!("{\"que")),
        fragment(json!(1), json!("b"), json!("read_"), Value::Null),
        fragment(json!(0), Value::Null, Value::Null, json!("stions\":[]")),
        fragment(json!(1), Value::Null, json!("migration"), json!("{")),
        fragment(json!(0), Value::Null, Value::Null, json!("}")),
        fragment(json!(1), json!(""), json!(""), json!("}")),
        end("tool_calls"),
    ];
    assert_eq!(
        calls(&events),
        [call("a", "ask_user", json!({ "questions": [] })), call("b", "read_migration", json!({}))]
    );
}

#[test]
fn servers_that_number_or_name_calls_in_their_own_way_are_understood() {
    let none = Value::Null;
    let (zero, args) = (json!(0), json!("{\"x\":1}"));
    for (what, events, expected) in [
        (
            "all calls have the place 0, each with its id",
            vec![
                fragment(zero.clone(), json!("a"), json!("one"), json!("{\"x\"")),
                fragment(zero.clone(), none.clone(), none.clone(), json!(":1}")),
                fragment(zero.clone(), json!("b"), json!("two"), args.clone()),
            ],
            vec![call("a", "one", json!({ "x": 1 })), call("b", "two", json!({ "x": 1 }))],
        ),
        (
            "id and name stand in each fragment",
            vec![
                fragment(zero.clone(), json!("a"), json!("one"), json!("{\"x\"")),
                fragment(zero.clone(), json!("a"), json!("one"), json!(":1}")),
            ],
            vec![call("a", "one", json!({ "x": 1 }))],
        ),
        (
            "no place, but ids",
            vec![
                fragment(none.clone(), json!("a"), json!("one"), json!("{\"x\"")),
                fragment(none.clone(), json!("b"), json!("two"), json!("{")),
                fragment(none.clone(), json!("a"), none.clone(), json!(":1}")),
                fragment(none.clone(), json!("b"), none.clone(), json!("}")),
            ],
            vec![call("a", "one", json!({ "x": 1 })), call("b", "two", json!({}))],
        ),
        (
            "neither place nor id: each gets an id that no other call has",
            vec![
                fragment(none.clone(), none.clone(), json!("one"), json!("{\"x\"")),
                fragment(none.clone(), none.clone(), none.clone(), json!(":1}")),
                fragment(none.clone(), json!("call_2"), json!("two"), none.clone()),
                fragment(none.clone(), none.clone(), json!("three"), none.clone()),
            ],
            vec![
                call("call_3", "one", json!({ "x": 1 })),
                call("call_2", "two", json!({})),
                call("call_4", "three", json!({})),
            ],
        ),
        (
            "arguments are an object, or null",
            vec![
                fragment(zero.clone(), json!("a"), json!("one"), json!({ "x": 1 })),
                fragment(json!(1), json!("b"), json!("two"), json!("null")),
            ],
            vec![call("a", "one", json!({ "x": 1 })), call("b", "two", json!({}))],
        ),
        (
            "the same call twice stays two calls with one id, which the host refuses",
            vec![
                fragment(zero.clone(), json!("a"), json!("one"), args.clone()),
                fragment(json!(1), json!("a"), json!("one"), args.clone()),
            ],
            vec![call("a", "one", json!({ "x": 1 })), call("a", "one", json!({ "x": 1 }))],
        ),
    ] {
        let events = [events, vec![end("stop")]].concat();
        assert_eq!(calls(&events), expected, "{what}");
    }
}

#[test]
fn arguments_that_are_no_object_stay_text() {
    for arguments in ["{\"x\":", "{\"x\":1}{\"x\":1}", "[]", "\"{}\"", "1e999", "{'x': 1}"] {
        let events = [fragment(json!(0), json!("a"), json!("one"), json!(arguments)), end("tool_calls")];
        assert_eq!(calls(&events), [call("a", "one", json!(arguments))]);
    }
    let deep = format!("{}{}", "{\"x\":".repeat(10_000), "}".repeat(10_000));
    let events = [fragment(json!(0), json!("a"), json!("one"), json!(deep)), end("tool_calls")];
    assert_eq!(calls(&events), [call("a", "one", json!(deep))]);
}

#[test]
fn a_reply_that_was_cut_off_says_so_and_a_call_that_was_cut_off_does_not_run() {
    let cut = reply(&[text("On and"), end("length")]).expect("a reply");
    assert_eq!(cut.text, "On and");
    assert!(cut.note.is_some_and(|note| note.contains("cut off")));
    for arguments in ["", "{\"environment\": \"sta"] {
        let events = [
            fragment(json!(0), json!("a"), json!("one"), json!("")),
            fragment(json!(1), json!("b"), json!("two"), json!(arguments)),
            end("length"),
        ];
        assert_eq!(calls(&events), [call("a", "one", json!({})), call("b", "two", json!(arguments))]);
    }
}

#[test]
fn a_reply_counts_only_once_it_is_complete() {
    assert_eq!(reply(&[text("a")]), Err(Failure::Interrupted));
    assert_eq!(reply(&[]), Err(Failure::Interrupted));
    assert_eq!(reply(&[json!("[DONE]")]), Err(Failure::Interrupted));
    assert!(reply(&[text("a"), json!("[DONE]")]).is_ok());
    assert!(reply(&[text("a"), end("stop")]).is_ok());
    assert!(reply(&[end("stop")]).is_ok_and(|reply| reply.text.is_empty()));
    assert_eq!(reply(&[text("a"), end("content_filter")]), Err(Failure::Filtered));
    assert_eq!(reply(&[text("a"), end("error")]), Err(Failure::Interrupted));
    for data in ["{\"choices\":", "null", "[]", "7", "hello", ""] {
        assert_eq!(reply(&[text("a"), json!(data)]), Err(Failure::Unreadable), "{data}");
    }
}

#[test]
fn an_error_in_the_stream_is_an_error() {
    let error = json!({ "error": { "message": "overloaded", "code": 503 } });
    assert_eq!(reply(&[text("a"), error.clone()]), Err(Failure::reported(&error["error"])));
    assert_eq!(reply(&[json!({ "error": "stopped" })]), Err(Failure::reported(&json!("stopped"))));
    let beside = json!({ "error": { "code": 502 }, "choices": [{ "delta": {}, "finish_reason": "error" }] });
    assert_eq!(reply(&[text("a"), beside]), Err(Failure::reported(&json!({ "code": 502 }))));
    let named = Assembly::default().event("error", "{\"message\":\"x\",\"code\":429}");
    assert_eq!(named, Err(Failure::reported(&json!({ "code": 429 }))));
}

#[test]
fn a_reply_in_one_piece_is_read() {
    let body = json!({ "object": "chat.completion", "choices": [{ "index": 0, "finish_reason": "tool_calls", "message": {
        "role": "assistant", "content": "Both.", "tool_calls": [
            { "id": "a", "type": "function", "function": { "name": "one", "arguments": "{\"x\":1}" } },
            { "id": "b", "type": "function", "function": { "name": "two", "arguments": "{}" } },
        ] } }] });
    let reply = Assembly::default().body(&body).and_then(|assembly| assembly.finish(BTreeSet::new()));
    let reply = reply.expect("a reply");
    let names: Vec<&str> = reply.calls.iter().map(|call| call.name.as_str()).collect();
    assert_eq!((reply.text.as_str(), names), ("Both.", vec!["one", "two"]));
    for body in [json!({}), json!({ "choices": [] }), json!({ "models": [] })] {
        assert_eq!(Assembly::default().body(&body).map(drop), Err(Failure::NoModel));
    }
    assert_eq!(Assembly::default().body(&json!([])).map(drop), Err(Failure::Unreadable));
}

#[test]
fn a_reply_without_end_is_refused() {
    let large = |failure: Result<Reply, Failure>| matches!(failure, Err(Failure::TooLarge(_)));
    assert!(large(reply(&[text(&"x".repeat(LARGEST_TEXT)), text("x")])));
    let arguments = json!("x".repeat(LARGEST_TEXT / 2 + 1));
    assert!(large(reply(&[
        fragment(json!(0), json!("a"), json!("one"), arguments.clone()),
        fragment(json!(0), Value::Null, Value::Null, arguments),
    ])));
    let many: Vec<Value> =
        (0..=MOST_CALLS).map(|place| fragment(json!(place), Value::Null, json!("one"), json!("{}"))).collect();
    assert!(large(reply(&many)));
    assert!(!large(reply(&many[1..])));
}
