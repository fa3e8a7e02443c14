//! Stored records: reading them, perhaps among other lines and from older versions, and repairing them turn by turn.

use super::{Cancelled, Record, Request, Response};
use crate::{
    json::{ToJson, parse, serialize},
    problem::object,
};
use serde::Deserialize;
use serde_json::Value;
use std::{
    cell::Cell,
    collections::{BTreeMap, BTreeSet},
    fmt,
};

/// Reads stored records from the text of a JSON array.
///
/// # Errors
/// [`UnreadableRecord`] if the text is not a JSON array of records. The reason names the line and column.
pub fn read(text: &str) -> Result<Vec<Record>, UnreadableRecord> {
    serde_json::from_str(text).map_err(UnreadableRecord::new)
}

/// A stream of records that was read and repaired.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Stream {
    /// The records of each turn. Every request has its response, and every response its request.
    pub turns: Vec<Vec<Record>>,
    /// The lines that should be records and cannot be read, each with its index in the stream.
    pub unreadable: Vec<(usize, UnreadableRecord)>,
}

impl Stream {
    /// Reads the lines of a stream and repairs each turn with [`mend`].
    ///
    /// `begins_turn` returns true for a line that begins a turn. It is called once for each line, in order. Lines of other types are
    /// skipped.
    pub fn read<'a>(lines: impl IntoIterator<Item = &'a Value>, begins_turn: impl Fn(&Value) -> bool) -> Self {
        let (mut turn, mut unreadable) = (Vec::new(), Vec::new());
        let mut turns: Vec<Vec<Record>> = Vec::new();
        // A turn of which nothing is left keeps no memory.
        let mut end = |turn: Vec<Record>| turns.extend(Some(mend(turn)).filter(|turn| !turn.is_empty()));
        for (index, line) in lines.into_iter().enumerate() {
            if begins_turn(line) {
                end(std::mem::take(&mut turn));
            }
            if is_record(line) {
                match Record::deserialize(line) {
                    Ok(record) => turn.push(record),
                    Err(error) => unreadable.push((index, UnreadableRecord::new(error))),
                }
            }
        }
        end(turn);
        Self { turns, unreadable }
    }

    /// The same for the text of a JSON array. `turns` are the places of the lines that begin a turn.
    ///
    /// # Errors
    /// [`NotLines`] if the text is not a JSON array.
    pub fn read_text(lines: &str, turns: &BTreeSet<usize>) -> Result<Self, NotLines> {
        let Ok(Value::Array(lines)) = parse(lines) else { return Err(NotLines) };
        let place = Cell::new(0_usize);
        Ok(Self::read(&lines, |_| turns.contains(&place.replace(place.get().saturating_add(1)))))
    }
}

/// A text is not a list of lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotLines;

impl fmt::Display for NotLines {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Give the lines as a list.")
    }
}

impl std::error::Error for NotLines {}

impl ToJson for Stream {
    /// `turns`, and `unreadable`: a list of `index` and `reason`.
    fn to_json(&self) -> Value {
        let turns = self.turns.iter().map(|turn| turn.iter().map(ToJson::to_json).collect::<Value>()).collect();
        let unreadable = |(index, error): &(usize, UnreadableRecord)| {
            Value::Object(object([("index", (*index).into()), ("reason", error.reason.as_str().into())]))
        };
        let unreadable = self.unreadable.iter().map(unreadable).collect();
        Value::Object(object([("turns", turns), ("unreadable", unreadable)]))
    }
}

serialize!(Stream);

/// Whether a line should be a record. The oldest records have no type.
fn is_record(line: &Value) -> bool {
    match line.get("type") {
        Some(word) => word.as_str().is_some_and(|word| word.starts_with("inquiry_")),
        None => line.get("id").is_some() && line.get("answer").is_some(),
    }
}

/// Repairs the records of one turn. A response without an earlier request is removed. A request without a response gets one at the end:
/// cancelled by `user`.
///
/// Ids from older versions may repeat within a turn. Their requests and responses are paired in order. Repair each turn on its own, so
/// that no pair spans two turns.
pub fn mend(mut turn: Vec<Record>) -> Vec<Record> {
    // How many requests with this id have no response yet.
    let mut open: BTreeMap<&str, usize> = BTreeMap::new();
    let mut kept = Vec::with_capacity(turn.len());
    for record in &turn {
        let waiting = open.entry(record.id()).or_default();
        let (left, keeps) = match record {
            Record::Request(_) => (waiting.checked_add(1), true),
            Record::Response(_) => (waiting.checked_sub(1), *waiting > 0),
        };
        *waiting = left.unwrap_or_default();
        kept.push(keeps);
    }
    // Of several requests with one id, the earlier ones have their responses.
    let mut closing = Vec::new();
    for record in turn.iter().rev() {
        let (Record::Request(Request { id, .. }), Some(waiting)) = (record, open.get_mut(record.id())) else {
            continue;
        };
        if let Some(left) = waiting.checked_sub(1) {
            *waiting = left;
            closing.push(Record::Response(Response::Cancelled { id: id.clone(), reason: Cancelled::User }));
        }
    }
    let mut kept = kept.into_iter();
    turn.retain(|_| kept.next().unwrap_or_default());
    turn.extend(closing.into_iter().rev());
    turn
}

/// Why a record cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnreadableRecord {
    /// What is missing or wrong.
    pub reason: String,
}

impl UnreadableRecord {
    fn new(error: serde_json::Error) -> Self {
        Self { reason: error.to_string() }
    }
}

impl fmt::Display for UnreadableRecord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "A stored record cannot be read: {}.", self.reason)
    }
}

impl std::error::Error for UnreadableRecord {}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn read(line: &Value) -> Record {
        Record::deserialize(line).unwrap()
    }

    fn request(id: &str) -> Value {
        json!({ "type": "inquiry_request", "id": id, "source": { "source": "assistant" },
                "question": { "text": "?", "answer_type": { "type": "from the future" } } })
    }

    #[test]
    fn records_in_older_forms_are_read() {
        let flat = json!({ "id": "call_1.a", "answer": null });
        let answered = r#"{"type":"inquiry_response","outcome":"answered","id":"call_1.a","answer":null}"#;
        assert_eq!(json!(read(&flat)).to_string(), answered);
        let cancelled = json!({ "type": "inquiry_response", "outcome": "cancelled", "id": "x" });
        assert_eq!(json!(read(&cancelled))["reason"], "user");
        let other = json!({ "type": "inquiry_response", "outcome": "cancelled", "id": "x", "reason": "timeout" });
        assert_eq!(json!(read(&other)).to_string(), other.to_string());
        assert_eq!(json!(read(&request("x"))).to_string(), request("x").to_string());
        for (text, reason) in [
            (r#"[{ "id": "x" }]"#, "missing field `answer`"),
            (r#"[["inquiry_request", "x"]]"#, "expected a map at line 1 column 1"),
            (r#"[{ "type": "message", "id": "x" }]"#, "`type` is neither"),
            (r#"[{ "type": "inquiry_response", "outcome": "lost", "id": "x" }]"#, "unknown variant `lost`"),
            ("{}", "expected a sequence at line 1"),
        ] {
            let error = super::read(text).unwrap_err().to_string();
            assert!(error.contains(reason), "{text}: {error}");
        }
    }

    #[test]
    fn a_stream_is_mended_turn_by_turn() {
        let answer = |id: &str| json!({ "id": id, "answer": true });
        let lines = [
            json!({ "type": "turn_start" }),
            request("call_1.a"),
            json!({ "type": "message", "id": "call_1.a", "text": "not a record" }),
            json!({ "type": "turn_start" }),
            answer("call_1.a"),
            json!({ "type": "inquiry_response", "outcome": "answered", "id": "x" }),
            request("call_1.a"),
            answer("call_1.a"),
        ];
        let stream = Stream::read(&lines, |line| line["type"] == "turn_start");
        let ends: Vec<Vec<Value>> = stream
            .turns
            .iter()
            .map(|turn| turn.iter().map(|record| json!(record)["outcome"].clone()).collect())
            .collect();
        assert_eq!(ends, [[json!(null), json!("cancelled")], [json!(null), json!("answered")]]);
        assert_eq!(stream.unreadable.iter().map(|(place, _)| *place).collect::<Vec<_>>(), [5]);
    }

    #[test]
    fn mending_drops_a_response_without_a_request_and_closes_what_is_open() {
        let answer = |id: &str, answer: Value| json!({ "id": id, "answer": answer });
        let stream = [
            answer("a", json!("orphan")),
            request("a"),
            request("a"),
            answer("a", json!(1)),
            request("b"),
            answer("a", json!(2)),
            answer("a", json!("too many")),
        ];
        let records = mend(stream.iter().map(read).collect());
        let mended: Vec<_> = records.iter().map(|record| json!(record)).collect();
        let ids: Vec<_> =
            mended.iter().map(|line| (line["type"].as_str().unwrap(), line["id"].as_str().unwrap())).collect();
        assert_eq!(
            ids,
            [
                ("inquiry_request", "a"),
                ("inquiry_request", "a"),
                ("inquiry_response", "a"),
                ("inquiry_request", "b"),
                ("inquiry_response", "a"),
                ("inquiry_response", "b"),
            ]
        );
        assert_eq!(mended[5]["reason"], "user");
        assert_eq!(mend(records.clone()), records);
    }
}
