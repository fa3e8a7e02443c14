//! Long walks: back and forth over skipped questions and those that the host has answered; and what clients and stores bring
//! back of them.

use super::{Family, asks, counted};
use crate::calls::{self, Act, Host, Made, Walk, Written};
use serde_json::{Map, Value, json};

/// How many actions fit a response of some 860 kB.
const ACTIONS: usize = 36_000;
/// What a request may hold by default, ten times: what is read of a saved walk.
const STORED: usize = 20 << 20;

pub const FAMILIES: &[Family] = &[
    Family {
        name: "answers and Backs in a short form",
        call: "act",
        largest: ACTIONS,
        make: |count| back_and_forth(count, calls::walk(&skipping(2), &Host::default())?),
    },
    Family {
        name: "answers and Backs over a thousand skipped questions",
        call: "act",
        largest: ACTIONS,
        make: |count| back_and_forth(count, calls::walk(&skipping(1_000), &Host::default())?),
    },
    Family {
        name: "the same under conditions on a thousand options",
        call: "act",
        largest: ACTIONS / 100,
        make: |count| {
            let options = counted(10_000, |at| format!("\"{at}\""));
            let all: Value = (0..10_000).map(|at: usize| at.to_string()).collect();
            let first = format!(r#"{{"id":"0","text":"?","answer_type":"multi_select","options":[{options}]}}"#);
            let text = asks(&format!("{first},{},{}", counted(998, |at| under(at + 1, r#"["1"]"#)), plain(999)));
            let walk = calls::walk(&text, &Host::default())?;
            calls::act(count * 25, walk, alternating(count, calls::answer(all)))
        },
    },
    Family {
        name: "the same under conditions within conditions, on long lists of values",
        call: "act",
        largest: ACTIONS / 20,
        make: |count| {
            let values = counted(200, |at| format!("\"value {at}\""));
            let one = format!(r#"{{"question_id":"0","in":[{values}]}}"#);
            let when = format!(r#"{{"any":[{one},{{"not":{{"not":{one}}}}},{{"all":[{one}]}}]}}"#);
            let under = |at| format!(r#"{{"id":"{at}","text":"?","answer_type":"text","when":{when}}}"#);
            let first = r#"{"id":"0","text":"?","answer_type":"text"}"#;
            let walk = calls::walk(
                &asks(&format!("{first},{},{}", counted(150, |at| under(at + 1)), plain(151))),
                &Host::default(),
            )?;
            calls::act(count * 25, walk, alternating(count, calls::answer("value".into())))
        },
    },
    Family {
        name: "answers and Backs over a thousand answers of the host",
        call: "act",
        largest: ACTIONS,
        make: |count| back_and_forth(count, calls::walk(&plains(1_000), &answering(1..999))?),
    },
    Family {
        name: "a review, and the first answer changed again and again",
        call: "act",
        largest: ACTIONS,
        make: |count| {
            let host = calls::host(&json!({ "review": true }));
            let walk = calls::walked(calls::walk(&skipping(1_000), &host)?, [yes(), yes()]);
            let change = [calls::Change("0".into()), yes(), yes()];
            calls::act(count * 20, walk, change.into_iter().cycle().take(count).collect())
        },
    },
    Family {
        name: "a review of a thousand answers, the last changed",
        call: "act",
        largest: ACTIONS,
        make: |count| {
            let host = calls::host(&json!({ "review": true }));
            let walk = calls::walked(calls::walk(&plains(1_000), &host)?, vec![yes(); 1_000]);
            let change = [calls::Change("999".into()), yes()];
            calls::act(count * 20, walk, change.into_iter().cycle().take(count).collect())
        },
    },
    Family {
        name: "a review of a thousand answers",
        call: "step",
        largest: 1_000,
        make: |count| {
            let host = calls::host(&json!({ "review": true }));
            let walk = calls::walked(calls::walk(&plains(count), &host)?, vec![yes(); count]);
            calls::write(count * 60, walk, Written::Step)
        },
    },
    Family {
        name: "a review of a thousand long ids that begin alike",
        call: "step",
        largest: 1_000,
        make: |count| {
            let id = |at| format!("{}{at:04}", "i".repeat(1_900));
            let question = |at| format!(r#"{{"id":"{}","text":"?","answer_type":"boolean"}}"#, id(at));
            let text = asks(&counted(count, question));
            let walk = calls::walked(calls::walk(&text, &calls::host(&json!({ "review": true })))?, vec![yes(); count]);
            calls::write(text.len(), walk, Written::Step)
        },
    },
    Family {
        name: "Back to the first of a thousand, and all again",
        call: "act",
        largest: ACTIONS,
        make: |count| {
            let once = std::iter::repeat_n(yes(), 1_000).chain(std::iter::repeat_n(calls::Back, 1_000));
            let all = once.collect::<Vec<_>>().into_iter().cycle().take(count).collect();
            calls::act(count * 20, calls::walk(&plains(1_000), &Host::default())?, all)
        },
    },
    Family {
        name: "answers and Backs in a short form",
        call: "continued",
        largest: ACTIONS,
        make: |count| calls::continued(&calls::walk(&skipping(2), &Host::default())?, Some(log(count, "true"))),
    },
    Family {
        name: "answers and Backs over a thousand skipped questions",
        call: "continued",
        largest: ACTIONS,
        make: |count| calls::continued(&calls::walk(&skipping(1_000), &Host::default())?, Some(log(count, "true"))),
    },
    Family {
        name: "the same under conditions within conditions, on long lists of values",
        call: "act",
        largest: ACTIONS / 20,
        make: |count| {
            let values = counted(200, |at| format!("\"value {at}\""));
            let one = format!(r#"{{"question_id":"0","in":[{values}]}}"#);
            let when = format!(r#"{{"any":[{one},{{"not":{{"not":{one}}}}},{{"all":[{one}]}}]}}"#);
            let under = |at| format!(r#"{{"id":"{at}","text":"?","answer_type":"text","when":{when}}}"#);
            let first = r#"{"id":"0","text":"?","answer_type":"text"}"#;
            let walk = calls::walk(
                &asks(&format!("{first},{},{}", counted(150, |at| under(at + 1)), plain(151))),
                &Host::default(),
            )?;
            calls::act(count * 25, walk, alternating(count, calls::answer("value".into())))
        },
    },
    Family {
        name: "answers and Backs over a thousand answers of the host",
        call: "continued",
        largest: ACTIONS,
        make: |count| calls::continued(&calls::walk(&plains(1_000), &answering(1..999))?, Some(log(count, "true"))),
    },
    Family {
        name: "answers and Backs over a thousand skipped questions",
        call: "resume",
        largest: 95_000,
        make: |count| calls::resume(&calls::walk(&skipping(1_000), &Host::default())?, Some(log(count, "true"))),
    },
    Family {
        name: "answers and Backs over a costly schema",
        call: "continued",
        largest: ACTIONS,
        make: |count| {
            let schema = super::conditions::doubling(13, r#"{"type":"boolean"}"#);
            let first = format!(r#"{{"id":"0","text":"?","answer_type":"schema","schema":{schema}}}"#);
            let walk = calls::walk(&asks(&format!("{first},{}", plain(1))), &Host::default())?;
            calls::continued(&walk, Some(log(count, "true")))
        },
    },
    Family {
        name: "a secret given and lost, again and again",
        call: "resume",
        largest: 95_000,
        make: |count| {
            let secret = r#"{"id":"s","text":"?","answer_type":"secret"}"#;
            let text = asks(&format!("{},{},{secret}", plain(0), counted(998, |at| under(at + 1, "false"))));
            let lost =
                [json!(["answer", "0", "true", "", ""]), json!(["answer", "s", "", "", ""]), json!(["resume", "s"])];
            let log = lost.iter().take(1).cloned().chain(lost[1..].iter().cloned().cycle().take(count)).collect();
            calls::resume(&calls::walk(&text, &Host::default())?, Some(log))
        },
    },
    Family {
        name: "a million lines that are no lines",
        call: "resume",
        largest: 1_000_000,
        make: |count| {
            calls::resume(&calls::walk(&skipping(2), &Host::default())?, Some(vec![json!("x"); count].into()))
        },
    },
    Family {
        name: "a hundred thousand lines with wrong ids",
        call: "resume",
        largest: 100_000,
        make: |count| {
            let line = json!(["automatic", "x".repeat(150), "true"]);
            calls::resume(&calls::walk(&skipping(2), &Host::default())?, Some(vec![line; count].into()))
        },
    },
    Family {
        name: "one line of twenty megabytes",
        call: "resume",
        largest: STORED - 10_000,
        make: |size| {
            let log = json!([["answer", "0", format!("[{}]", "0,".repeat(size / 2))]]);
            calls::resume(&calls::walk(&skipping(2), &Host::default())?, Some(log))
        },
    },
    Family {
        name: "an answer of two megabytes, ten times",
        call: "resume",
        largest: 2_000_000,
        make: |size| {
            let text = asks(
                r#"{"id":"0","text":"?","answer_type":"schema","schema":true},{"id":"1","text":"?","answer_type":"text"}"#,
            );
            calls::resume(
                &calls::walk(&text, &Host::default())?,
                Some(log(18, &format!("[{}0]", "0,".repeat(size / 2)))),
            )
        },
    },
    Family {
        name: "lines of many parts",
        call: "resume",
        largest: STORED / 6,
        make: |count| calls::resume(&calls::walk(&skipping(2), &Host::default())?, Some(json!([vec!["x"; count]]))),
    },
    Family {
        name: "the longest walk of short answers",
        call: "records",
        largest: ACTIONS,
        make: |count| written(count, Written::Records),
    },
    Family {
        name: "the longest walk of short answers",
        call: "save",
        largest: ACTIONS,
        make: |count| written(count, Written::Save),
    },
    Family {
        name: "the longest walk of short answers",
        call: "markdown",
        largest: ACTIONS,
        make: |count| written(count, Written::Markdown),
    },
    Family {
        name: "a request of two megabytes asked again and again",
        call: "records",
        largest: 400,
        make: |count| {
            let options = counted(10_000, |at| format!("\"{at}{}\"", "o".repeat(180)));
            let first = format!(r#"{{"id":"0","text":"?","answer_type":"select","options":[{options}]}}"#);
            let walk = calls::walk(&asks(&format!("{first},{}", plain(1))), &Host::default())?;
            let answer = calls::answer(format!("1{}", "o".repeat(180)).into());
            calls::write(count * 25, calls::walked(walk, alternating(count, answer)), Written::Records)
        },
    },
    Family {
        name: "an answer of two megabytes given again and again",
        call: "act",
        largest: 64,
        make: |count| {
            let text = asks(&format!(r#"{{"id":"0","text":"?","answer_type":"text"}},{}"#, plain(1)));
            let answer = calls::answer("x".repeat(2_000_000).into());
            calls::act(count * 1_000_000, calls::walk(&text, &Host::default())?, alternating(count, answer))
        },
    },
];

fn yes() -> Act {
    calls::answer(true.into())
}

fn plain(at: usize) -> String {
    format!(r#"{{"id":"{at}","text":"?","answer_type":"boolean"}}"#)
}

fn under(at: usize, equals: &str) -> String {
    let when = format!(r#"{{"question_id":"0","equals":{equals}}}"#);
    format!(r#"{{"id":"{at}","text":"?","answer_type":"boolean","when":{when}}}"#)
}

/// Questions that are all asked.
fn plains(count: usize) -> String {
    asks(&counted(count, plain))
}

/// Questions of which only the first and the last are asked, where the first is answered with yes.
fn skipping(count: usize) -> String {
    asks(&counted(count, |at| if at == 0 || at + 1 == count { plain(at) } else { under(at, "false") }))
}

/// A host that answers the questions of these ids.
fn answering(ids: std::ops::Range<usize>) -> Host {
    let answers: Map<String, Value> = ids.map(|id| (id.to_string(), true.into())).collect();
    calls::host(&json!({ "static_answers": answers }))
}

fn alternating(count: usize, answer: Act) -> Vec<Act> {
    [answer, calls::Back].into_iter().cycle().take(count).collect()
}

fn back_and_forth(count: usize, walk: Walk) -> Made {
    calls::act(count * 25, walk, alternating(count, yes()))
}

/// A log of answers to the first question, each taken back, and the last not.
fn log(count: usize, answer: &str) -> Value {
    let lines = [json!(["answer", "0", answer, "", ""]), json!(["back"])];
    lines.into_iter().cycle().take(count - 1 + count % 2).collect()
}

fn written(count: usize, what: Written) -> Made {
    let walk = calls::walked(calls::walk(&skipping(2), &Host::default())?, alternating(count, yes()));
    calls::write(count * 25, walk, what)
}
