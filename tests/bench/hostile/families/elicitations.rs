//! Elicitations of the Model Context Protocol: many properties, long names, long messages, many requests at once.

use super::{FULL, Family, counted, elicits, items, long, reads};
use crate::calls;

pub const FAMILIES: &[Family] = &[
    reads("mcp: a thousand properties with long names", 1_000, |count| {
        calls::read(elicits(&counted(count, |at| format!(r#""{at}{}":{{"type":"string"}}"#, long("/~", 2_000)))))
    }),
    reads("mcp: a thousand names that collide once mended", 1_000, |count| {
        let stem = "n".repeat(1_900);
        let name = |at: usize| match at % 3 {
            0 => format!("{stem}_{}", at / 3),
            1 => format!("{stem}\\u{:04x}{}", at % 32, at / 96),
            _ => format!("{stem}.{}", at / 3),
        };
        calls::read(elicits(&counted(count, |at| format!(r#""{}":{{"type":"string"}}"#, name(at)))))
    }),
    reads("mcp: names whose next ids are all taken", 1_000, |count| {
        let stem = "n".repeat(1_900);
        let name = |at: usize| {
            if at < count / 2 { format!("{stem}_{}", at + 1) } else { format!("{stem}{}", ".".repeat(at - count / 2)) }
        };
        calls::read(elicits(&counted(count, |at| format!(r#""{}":{{"type":"boolean"}}"#, name(at)))))
    }),
    reads("mcp: a thousand properties, and many required names", FULL, |size| {
        let properties = counted(1_000, |at| format!(r#""p{at:05}":{{"type":"string"}}"#));
        let required = items(size - 30_000, |at| format!("\"r{:05}\"", at % 100_000));
        calls::read(format!(
            r#"{{"message":"m","requestedSchema":{{"type":"object","properties":{{{properties}}},"required":[{required}]}}}}"#
        ))
    }),
    reads("mcp: required names that are no names", FULL, |size| {
        let required = items(size, |_| "{}".into());
        calls::read(format!(
            r#"{{"message":"m","requestedSchema":{{"type":"object","properties":{{"a":true}},"required":[{required}]}}}}"#
        ))
    }),
    reads("mcp: a thousand patterns", 1_000, |count| {
        calls::read(elicits(&counted(count, |at| {
            format!(r#""{at}":{{"type":"string","pattern":"^[a-z]{{{}}}$"}}"#, 1 + at % 400)
        })))
    }),
    reads("mcp: a thousand patterns of Unicode classes", 1_000, |count| {
        calls::read(elicits(&counted(count, |at| {
            format!(r#""{at}":{{"type":"string","pattern":"\\p{{L}}{{{}}}"}}"#, 400 - at % 7)
        })))
    }),
    reads("mcp: a thousand properties that are answered as JSON", 1_000, |count| {
        calls::read(elicits(&counted(count, |at| {
            format!(r#""{at}":{{"type":"object","required":["{}"],"default":{{}}}}"#, "r".repeat(1_900))
        })))
    }),
    reads("mcp: ten thousand choices with titles", 10_000, |count| {
        let choices =
            counted(count, |at| format!(r#"{{"const":"{at}{}","title":"{}"}}"#, "c".repeat(80), "t".repeat(80)));
        calls::read(elicits(&format!(r#""a":{{"type":"string","oneOf":[{choices}]}}"#)))
    }),
    reads("mcp: properties with choices that are the same", 10_000, |count| {
        let choices = counted(count, |_| format!("\"{}\"", "c".repeat(180)));
        calls::read(elicits(&format!(r#""a":{{"type":"string","enum":[{choices}],"enumNames":["x"]}}"#)))
    }),
    reads("mcp: a million-character message over a thousand properties", 1_000, |count| {
        let properties = counted(count, |at| format!(r#""{at}":{{"type":"string"}}"#));
        calls::read(format!(
            r#"{{"message":"{}","requestedSchema":{{"type":"object","properties":{{{properties}}}}}}}"#,
            "m".repeat(count * 1_000)
        ))
    }),
    reads("mcp: that message in one of several requests", 1_000, |count| {
        let properties = counted(count, |at| format!(r#""{at}":{{"type":"string"}}"#));
        several(&request("a", &"m".repeat(count * 1_000), &properties))
    }),
    reads("mcp: seventy requests of a thousand properties each", 70, |count| {
        let properties = counted(1_000, |at| format!(r#""{at}":{{"type":"string"}}"#));
        several(&counted(count, |at| request(&format!("r{at}"), "m", &properties)))
    }),
    reads("mcp: ten thousand requests to open a page", 10_000, |count| {
        several(&counted(count, |at| {
            let params = format!(r#"{{"mode":"url","message":"{}","url":"https://example.com/{at}"}}"#, "m".repeat(60));
            format!(r#""{at}":{{"method":"elicitation/create","params":{params}}}"#)
        }))
    }),
    reads("mcp: bad properties under a name of a million characters", FULL, |size| {
        let properties = items(size / 2, |at| format!(r#""{at}":0"#));
        several(&request(&"k".repeat(size / 2), "m", &properties))
    }),
    reads("mcp: bad requests under long names", FULL, |size| {
        several(&items(size, |at| format!(r#""{at}{}":0"#, long("~/", 1_000))))
    }),
    reads("mcp: requests for somebody else", FULL, |size| {
        several(&items(size, |at| format!(r#""{at}":{{"method":"x"}}"#)))
    }),
    reads("mcp: options that differ by characters that cannot be seen", 9_000, |count| {
        let options = counted(count, |at| format!(r#""a{}""#, unseen(at, 50)));
        calls::read(elicits(&format!(r#""a":{{"type":"string","enum":[{options}]}}"#)))
    }),
    reads("mcp: options of one title and values that cannot be seen", 9_000, |count| {
        let options = counted(count, |at| format!(r#"{{"const":"{}","title":"a"}}"#, unseen(at, 40)));
        calls::read(elicits(&format!(r#""a":{{"type":"string","oneOf":[{options}]}}"#)))
    }),
    reads("mcp: options of one title, in names of each other", 9_000, |count| {
        let options = counted(count, |at| format!(r#"{{"const":"{at}","title":"a{}"}}"#, " (1) 2".repeat(at % 20)));
        calls::read(elicits(&format!(r#""a":{{"type":"string","oneOf":[{options}]}}"#)))
    }),
    reads("mcp: consents without properties", FULL, |size| {
        several(&items(size, |at| request(&at.to_string(), "m", "")))
    }),
    reads("mcp: a page with an endless address", FULL, |size| {
        calls::read(format!(r#"{{"mode":"url","message":"m","url":"https://{}example.com/"}}"#, "a.".repeat(size / 2)))
    }),
    reads("mcp: a large state to send back", FULL, |size| {
        let state = items(size, |_| r#"{"":0}"#.into());
        calls::read(format!(r#"{{"inputRequests":{{{}}},"requestState":[{state}]}}"#, request("a", "m", r#""p":true"#)))
    }),
    reads("mcp: a default that a long pattern refuses", 190_000, |size| {
        let property = format!(r#""a":{{"type":"string","pattern":"{}","default":"b"}}"#, "a".repeat(size));
        calls::read(elicits(&property))
    }),
];

/// A number in characters that cannot be seen, and as many more of them.
fn unseen(number: usize, more: usize) -> String {
    let digits = (0..14).map(|bit| if number >> bit & 1 == 1 { '\u{200b}' } else { '\u{200c}' });
    digits.chain(std::iter::repeat_n('\u{2060}', more)).collect()
}

fn several(requests: &str) -> calls::Made {
    calls::read(format!(r#"{{"inputRequests":{{{requests}}}}}"#))
}

fn request(key: &str, message: &str, properties: &str) -> String {
    let schema = format!(r#"{{"type":"object","properties":{{{properties}}}}}"#);
    let params = format!(r#"{{"message":"{message}","requestedSchema":{schema}}}"#);
    format!(r#""{key}":{{"method":"elicitation/create","params":{params}}}"#)
}
