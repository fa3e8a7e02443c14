//! The families of hostile input: each has a name, the call that it is aimed at, and makes input of any size.

mod answers;
mod approvals;
mod conditions;
mod elicitations;
mod evaluation;
mod fields;
mod hosts;
mod json;
mod records;
mod requests;
mod schemas;
mod walks;

use crate::calls::Made;

/// Input of one kind, in any size.
pub struct Family {
    /// What it is, in a few words.
    pub name: &'static str,
    /// The call that is measured.
    pub call: &'static str,
    /// The largest size, in a unit of the family's own: where it is bytes, those of the whole request.
    pub largest: usize,
    /// Makes the input of a size.
    pub make: fn(usize) -> Made,
}

/// A little less than a request, or an answer, may have by default.
const FULL: usize = 2_080_000;

/// Every family.
pub fn all() -> Vec<&'static Family> {
    let files = [
        json::FAMILIES,
        requests::FAMILIES,
        conditions::FAMILIES,
        elicitations::FAMILIES,
        schemas::FAMILIES,
        evaluation::FAMILIES,
        fields::FAMILIES,
        approvals::FAMILIES,
        hosts::FAMILIES,
        answers::FAMILIES,
        walks::FAMILIES,
        records::FAMILIES,
    ];
    files.into_iter().flatten().collect()
}

/// A family of requests, which are read.
const fn reads(name: &'static str, largest: usize, make: fn(usize) -> Made) -> Family {
    Family { name, call: "read", largest, make }
}

/// Items with commas between them, until all have about so many bytes.
fn items(bytes: usize, mut item: impl FnMut(usize) -> String) -> String {
    let mut all = String::with_capacity(bytes);
    let mut place = 0;
    while all.len() < bytes || place == 0 {
        let next = item(place);
        if place > 0 && all.len() + next.len() >= bytes {
            break;
        }
        if place > 0 {
            all.push(',');
        }
        all.push_str(&next);
        place += 1;
    }
    all
}

/// So many items with commas between them.
fn counted(count: usize, item: impl FnMut(usize) -> String) -> String {
    (0..count).map(item).collect::<Vec<_>>().join(",")
}

/// A text again and again, to at most so many bytes.
fn long(text: &str, bytes: usize) -> String {
    text.repeat(bytes / text.len())
}

/// A request of `ask_user` with these questions.
fn asks(questions: &str) -> String {
    format!(r#"{{"questions":[{questions}]}}"#)
}

/// A request with one question for JSON.
fn asks_json(schema: &str) -> String {
    format!(r#"{{"question":"Value?","answer_type":"schema","schema":{schema}}}"#)
}

/// The same with a default.
fn with_default(schema: &str, default: &str) -> String {
    format!(r#"{{"question":"Value?","answer_type":"schema","schema":{schema},"default":{default}}}"#)
}

/// An elicitation of these properties.
fn elicits(properties: &str) -> String {
    format!(r#"{{"message":"m","requestedSchema":{{"type":"object","properties":{{{properties}}}}}}}"#)
}
