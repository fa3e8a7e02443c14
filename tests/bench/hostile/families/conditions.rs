//! Conditions: many on one question, large ones, chains of them, and those that refer to nothing.

use super::{Family, asks, counted, items, reads};
use crate::calls;

pub const FAMILIES: &[Family] = &[
    reads("a chain of a thousand conditions", 1_000, |count| {
        calls::read(asks(&counted(count, |at| {
            let when = if at == 0 {
                String::new()
            } else {
                format!(r#","when":{{"question_id":"{}","equals":true}}"#, at - 1)
            };
            format!(r#"{{"id":"{at}","text":"?","answer_type":"boolean"{when}}}"#)
        })))
    }),
    reads("conditions on a question of ten thousand options", 999, |count| {
        let options = counted(10_000, |at| format!("\"{at}\""));
        let wanted = counted(300, |at| format!("\"{at}\""));
        calls::read(on("multi_select", &format!(r#","options":[{options}]"#), &format!("[{wanted}]"), count))
    }),
    reads("conditions that all the options must meet", 28, |count| {
        let options = counted(10_000, |at| format!("\"{at}\""));
        calls::read(on("multi_select", &format!(r#","options":[{options}]"#), &format!("[{options}]"), count))
    }),
    reads("conditions with large objects", 999, |count| {
        let equals = format!("{{{}}}", items(1_950, |at| format!(r#""{at}":[]"#)));
        calls::read(on("text", "", &equals, count))
    }),
    reads("conditions with long texts that no option is", 999, |count| {
        calls::read(on("select", r#","options":["a"]"#, &format!("\"{}\"", "x".repeat(1_950)), count))
    }),
    reads("a thousand conditions on a costly schema", 999, |count| {
        let schema = format!(r#","schema":{}"#, doubling(14, r#"{"type":"integer"}"#));
        calls::read(on("schema", &schema, "1", count))
    }),
    reads("a thousand conditions that a large enum refuses", 999, |count| {
        let choices = counted(100_000, |at| format!("{at}"));
        calls::read(on("schema", &format!(r#","schema":{{"enum":[{choices}]}}"#), "-1", count))
    }),
    reads("a thousand conditions against a large pattern", 999, |count| {
        let equals = format!("\"{}\"", "x".repeat(1_900));
        calls::read(on("schema", r#","schema":{"pattern":"(x+x+)+y{1000}"}"#, &equals, count))
    }),
    reads("conditions on long ids that there are not", 1_000, |count| {
        calls::read(asks(&counted(count, |at| {
            let when = format!(r#"{{"question_id":"{}","equals":1,"{}":1}}"#, "u".repeat(950), "f".repeat(950));
            format!(r#"{{"id":"{at}","text":"?","answer_type":"text","when":{when}}}"#)
        })))
    }),
    reads("a list of values that an answer may equal", 400_000, |count| {
        calls::read(on_one(&format!(r#""in":[{}]"#, counted(count, |at| format!("{at}")))))
    }),
    reads("lists of options that an answer may equal", 60_000, |count| {
        let options = counted(1_000, |at| format!("\"{at}\""));
        let first = format!(r#"{{"id":"q","text":"?","answer_type":"multi_select","options":[{options}]}}"#);
        let lists = counted(count, |at| format!(r#"["{}","{}"]"#, at % 999, at % 999 + 1));
        calls::read(asks(&format!("{first},{}", later(&format!(r#""in":[{lists}]"#)))))
    }),
    reads("all of many conditions", 60_000, |count| {
        let all = counted(count, |_| r#"{"question_id":"q","equals":1}"#.to_owned());
        calls::read(asks(&format!("{FIRST},{}", with(&format!(r#"{{"all":[{all}]}}"#)))))
    }),
    reads("none of conditions that never hold, within each other", 30, |count| {
        let inner = (0..count).fold(r#"{"question_id":"q","equals":1}"#.to_owned(), |inner, _| {
            format!(r#"{{"not":{{"any":[{inner}]}}}}"#)
        });
        calls::read(asks(&format!("{FIRST},{}", with(&inner))))
    }),
    reads("conditions in the words of other tools", 10_000, |count| {
        calls::read(asks(&format!(
            "{FIRST},{}",
            counted(count, |at| {
                let when = r#"{"question":"q","value":1,"equls":1}"#;
                format!(r#"{{"id":"{at}","question":"?","type":"text","answer_type":"text","when":{when}}}"#)
            })
        )))
    }),
    reads("fields that nobody knows", 20_000, |count| {
        let fields = counted(count, |at| format!(r#""f{at}":"a""#));
        calls::read(asks(&format!(r#"{{"id":"a","text":"?","answer_type":"text",{fields}}}"#)))
    }),
    reads("expressions in fields that nobody knows", 15_000, |count| {
        let fields = counted(count, |at| format!(r#""f{at}":[{{"a":"b = c d e f g h i j k l m n o p q"}}]"#));
        calls::read(asks(&format!(r#"{{"id":"a","text":"?","answer_type":"text",{fields}}}"#)))
    }),
    reads("fields that are nearly ours", 100_000, |count| {
        let fields = counted(count, |at| format!(r#""answer_typ{}":1"#, at % 10));
        let names = counted(count, |at| format!(r#""f{at}":1"#));
        calls::read(asks(&format!(r#"{{"id":"a","text":"?","answer_type":"text",{fields},{names}}}"#)))
    }),
    reads("ids that are nearly those of other questions", 1_000, |count| {
        let many = counted(count, |at| format!(r#"{{"id":"question{at}","text":"?","answer_type":"text"}}"#));
        let wrong = counted(count, |at| {
            format!(
                r#"{{"id":"w{at}","text":"?","answer_type":"text","when":{{"question_id":"qestoin{at}","equals":1}}}}"#
            )
        });
        calls::read(asks(&format!("{many},{wrong}")))
    }),
    reads("conditions that refer to what comes later", 10_000, |count| {
        calls::read(asks(&counted(count, |at| {
            format!(
                r#"{{"id":"{at}","text":"?","answer_type":"text","when":{{"question_id":"{}","equals":1}}}}"#,
                at + 1
            )
        })))
    }),
];

const FIRST: &str = r#"{"id":"q","text":"?","answer_type":"number"}"#;

/// A question under a condition.
fn with(when: &str) -> String {
    format!(r#"{{"id":"later","text":"?","answer_type":"text","when":{when}}}"#)
}

/// A question under a condition on the first one.
fn later(test: &str) -> String {
    with(&format!(r#"{{"question_id":"q",{test}}}"#))
}

/// A first question, and one after it under a condition on it.
fn on_one(test: &str) -> String {
    asks(&format!("{FIRST},{}", later(test)))
}

/// A first question, and so many after it under the same condition on it.
fn on(kind: &str, fields: &str, equals: &str, count: usize) -> String {
    let first = format!(r#"{{"id":"q","text":"?","answer_type":"{kind}"{fields}}}"#);
    let later = counted(count, |at| {
        format!(r#"{{"id":"{at}","text":"?","answer_type":"text","when":{{"question_id":"q","equals":{equals}}}}}"#)
    });
    asks(&format!("{first},{later}"))
}

/// A schema that is checked twice at each of its levels.
pub(super) fn doubling(levels: usize, last: &str) -> String {
    let links = counted(levels, |at| {
        let next = format!(r##"{{"$ref":"#/$defs/n{}"}}"##, at + 1);
        format!(r#""n{at}":{{"allOf":[{next},{next}]}}"#)
    });
    format!(r##"{{"$defs":{{{links},"n{levels}":{last}}},"$ref":"#/$defs/n0"}}"##)
}
