//! A stream of records as hosts have stored it, perhaps among other lines, perhaps by an older version, perhaps cut off:
//! read line by line, and mended turn by turn.

use super::{Cancelled, Record, Response, UnreadableRecord};
use crate::json::parse;
use serde_json::Value;
use std::collections::{BTreeMap, VecDeque};

/// Reads the records of a stored list, given as JSON text.
///
/// # Errors
/// A sentence that says what is no list of records, and why.
pub fn read(text: &str) -> Result<Vec<Record>, String> {
    let lines = parse(text).map_err(|error| error.reason)?;
    let Some(lines) = lines.as_array() else { return Err("The records are no list.".to_owned()) };
    lines.iter().map(|line| Record::from_json(line).map_err(|error| error.to_string())).collect()
}

/// A stream that has been read and mended.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Stream {
    /// The records of each turn; in each, every request has its response and no response is alone.
    pub turns: Vec<Vec<Record>>,
    /// The lines that claim to be records and cannot be read: their place, from 0, and why.
    pub unreadable: Vec<(usize, UnreadableRecord)>,
}

impl Stream {
    /// Reads the lines of a stream. `begins_turn` says which of them begin a turn; lines of other types are passed over.
    pub fn read<'a>(lines: impl IntoIterator<Item = &'a Value>, begins_turn: impl Fn(&Value) -> bool) -> Self {
        let mut turns = vec![Vec::new()];
        let mut unreadable = Vec::new();
        for (place, line) in lines.into_iter().enumerate() {
            if begins_turn(line) {
                turns.push(Vec::new());
            }
            match Record::from_json(line) {
                Ok(record) => turns.last_mut().into_iter().for_each(|turn| turn.push(record.clone())),
                Err(error) if claims_to_be_one(line) => unreadable.push((place, error)),
                Err(_) => {}
            }
        }
        turns.retain(|turn| !turn.is_empty());
        Self { turns: turns.into_iter().map(mend).filter(|turn| !turn.is_empty()).collect(), unreadable }
    }
}

/// Lines of other types stand in a host's stream, too; a line without a type may be a record of the oldest form.
fn claims_to_be_one(line: &Value) -> bool {
    match line.get("type") {
        Some(word) => word.as_str().is_some_and(|word| word.starts_with("inquiry_")),
        None => line.get("id").is_some() && line.get("answer").is_some(),
    }
}

/// Mends the records of one turn: a response without a request before it is dropped, a request without a response is
/// closed at the end as cancelled by `user`. Requests with the same id (older ids lack the attempt) are paired with
/// their responses in order. Call it for each turn on its own, so that no pair is made across turns.
pub fn mend(turn: Vec<Record>) -> Vec<Record> {
    let mut open: BTreeMap<String, usize> = BTreeMap::new();
    let mut order = VecDeque::new();
    let mut mended = Vec::with_capacity(turn.len());
    for record in turn {
        match &record {
            Record::Request { id, .. } => {
                let waiting = open.entry(id.clone()).or_default();
                *waiting = waiting.saturating_add(1);
                order.push_back(id.clone());
                mended.push(record);
            }
            Record::Response { id, .. } => {
                if let Some(waiting) = open.get_mut(id).filter(|waiting| **waiting > 0) {
                    *waiting = waiting.saturating_sub(1);
                    mended.push(record);
                }
            }
        }
    }
    // Of several requests with one id, the earliest have their responses: the last ones are still open.
    let mut closing = VecDeque::new();
    while let Some(id) = order.pop_back() {
        if let Some(waiting) = open.get_mut(&id).filter(|waiting| **waiting > 0) {
            *waiting = waiting.saturating_sub(1);
            closing.push_front(Record::Response { id, outcome: Response::Cancelled { reason: Cancelled::User } });
        }
    }
    mended.extend(closing);
    mended
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn read(lines: &Value) -> Vec<Record> {
        lines.as_array().unwrap().iter().map(|line| Record::from_json(line).unwrap()).collect()
    }

    fn request(id: &str) -> Value {
        json!({ "type": "inquiry_request", "id": id, "source": { "source": "assistant" },
                "question": { "text": "?", "answer_type": { "type": "from the future" } } })
    }

    #[test]
    fn older_forms_are_read() {
        let flat = Record::from_json(&json!({ "id": "call_1.a", "answer": true })).unwrap();
        assert_eq!(
            flat.to_json(),
            json!({ "type": "inquiry_response", "outcome": "answered", "id": "call_1.a", "answer": true })
        );
        let cancelled = json!({ "type": "inquiry_response", "outcome": "cancelled", "id": "x" });
        assert_eq!(Record::from_json(&cancelled).unwrap().to_json()["reason"], "user");
        let other = json!({ "type": "inquiry_response", "outcome": "cancelled", "id": "x", "reason": "timeout" });
        assert_eq!(Record::from_json(&other).unwrap().to_json(), other);
        assert_eq!(Record::from_json(&request("x")).unwrap().to_json(), request("x"));
        assert!(Record::from_json(&json!({ "id": "x" })).is_err());
        assert!(Record::from_json(&json!([])).is_err());
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
            .map(|turn| turn.iter().map(|record| record.to_json()["outcome"].clone()).collect())
            .collect();
        assert_eq!(ends, [[json!(null), json!("cancelled")], [json!(null), json!("answered")]]);
        assert_eq!(stream.unreadable.iter().map(|(place, _)| *place).collect::<Vec<_>>(), [5]);
    }

    #[test]
    fn mending_drops_orphans_and_closes_what_is_open() {
        let answer = |id: &str, answer: Value| json!({ "id": id, "answer": answer });
        let stream = json!([
            answer("a", json!("orphan")),
            request("a"),
            request("a"),
            answer("a", json!(1)),
            request("b"),
            answer("a", json!(2)),
            answer("a", json!("too many")),
        ]);
        let mended: Vec<_> = mend(read(&stream)).iter().map(Record::to_json).collect();
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
        assert_eq!(mend(read(&Value::Array(mended.clone()))).iter().map(Record::to_json).collect::<Vec<_>>(), mended);
    }
}
