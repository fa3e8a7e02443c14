//! What reading a request while it is being written gains and costs: when the first question can be answered, beside waiting for the whole call, for calls
//! of several sizes at the speed of a model; and what feeding a long request in pieces of 4 bytes costs, which must grow as its length does, beside reading it
//! at once.

use ask_user_core::{Dialect, Form, Host, Limits, Reader, Step, Walk};
use serde_json::{Value, json};
use std::{
    hint::black_box,
    time::{Duration, Instant},
};

/// How many bytes of JSON a token has, about.
const TOKEN: usize = 4;
/// How often each measurement is made: the fastest counts.
const TRIES: u32 = 5;

fn request(count: usize) -> String {
    let options: Vec<Value> = ["Staging", "Production", "Both, one after the other"]
        .iter()
        .map(|label| json!({ "label": label, "description": "What happens if this is chosen, in one sentence." }))
        .collect();
    let question = |place: usize| {
        json!({
            "id": format!("question_{place}"),
            "text": "Where should the new version be deployed to?",
            "answer_type": "select",
            "options": options,
        })
    };
    json!({ "questions": (0..count).map(question).collect::<Vec<_>>() }).to_string()
}

/// A host that takes long requests.
fn host() -> Host {
    let limits = Limits { bytes: 1 << 26, questions: Some(100_000), work: 1 << 40, ..Limits::default() };
    Host { limits, ..Host::default() }
}

/// How many bytes have come when the first question can be answered.
fn first(text: &str) -> usize {
    let mut reader = Reader::new(Dialect::Detect, &host());
    let mut walk = Walk::stream(reader.form());
    for (place, piece) in text.as_bytes().chunks(TOKEN).enumerate() {
        reader.write(piece);
        walk.grow(reader.form());
        if matches!(walk.step(), Step::Asking(_)) {
            return (place + 1) * TOKEN;
        }
    }
    text.len()
}

/// How long it takes to feed a text in small pieces, without what the end costs.
fn feed(text: &str) -> Duration {
    let host = host();
    let measure = |_| {
        let start = Instant::now();
        let mut reader = Reader::new(Dialect::Detect, &host);
        let mut walk = Walk::stream(reader.form());
        for piece in text.as_bytes().chunks(TOKEN) {
            reader.write(black_box(piece));
            walk.grow(reader.form());
        }
        black_box(&walk);
        start.elapsed()
    };
    (0..TRIES).map(measure).min().unwrap_or_default()
}

/// How long it takes to read a text at once.
fn at_once(text: &str) -> Duration {
    let host = host();
    let measure = |_| {
        let start = Instant::now();
        drop(black_box(Form::read(black_box(text), Dialect::Detect, &host)));
        start.elapsed()
    };
    (0..TRIES).map(measure).min().unwrap_or_default()
}

fn main() {
    // A test run only sees that it works.
    let is_short = !std::env::args().any(|argument| argument == "--bench");
    println!("| questions | bytes | tokens a second | first question | whole call | ratio |");
    println!("| --- | --- | --- | --- | --- | --- |");
    for count in [1, 4, 12] {
        let text = request(count);
        let seconds = |bytes: usize, speed: usize| bytes as f64 / TOKEN as f64 / speed as f64;
        for speed in [40, 100] {
            let (early, late) = (seconds(first(&text), speed), seconds(text.len(), speed));
            println!(
                "| {count} | {} | {speed} | {early:.1} s | {late:.1} s | {:.0} % |",
                text.len(),
                early / late * 100.0
            );
        }
    }
    println!("\n| fed in pieces of {TOKEN} bytes | time | for each byte | read at once |\n| --- | --- | --- | --- |");
    let each = request(1).len();
    for kilobytes in if is_short { &[16][..] } else { &[250, 500, 1_000, 2_000] } {
        let many = request(kilobytes * 1_000 / each);
        // One long question: nothing in it is complete before its end.
        let long =
            json!({ "questions": [{ "id": "a", "text": "x".repeat(kilobytes * 1_000), "answer_type": "text" }] });
        for (what, text) in [("many questions", many), ("one question", long.to_string())] {
            let (time, whole) = (feed(&text), at_once(&text));
            let nanoseconds = time.as_nanos() as f64 / text.len() as f64;
            let [time, whole] = [time, whole].map(|time| time.as_secs_f64() * 1e3);
            println!("| {kilobytes} kB, {what} | {time:.1} ms | {nanoseconds:.1} ns | {whole:.1} ms |");
        }
    }
}
