//! JSON that is costly as JSON: many small values, deep ones, repeated keys, endless numbers and texts.

use super::{FULL, Family, asks, items, long, reads};
use crate::calls;

pub const FAMILIES: &[Family] = &[
    reads("a list of zeros", FULL, |size| beside(&format!("[{}]", items(size, |_| "0".into())))),
    reads("a list of empty lists", FULL, |size| beside(&format!("[{}]", items(size, |_| "[]".into())))),
    reads("a list of empty objects", FULL, |size| beside(&format!("[{}]", items(size, |_| "{}".into())))),
    reads("a list of empty texts", FULL, |size| beside(&format!("[{}]", items(size, |_| "\"\"".into())))),
    reads("a list of objects with one empty name", FULL, |size| {
        beside(&format!("[{}]", items(size, |_| r#"{"":0}"#.into())))
    }),
    reads("a list of objects with two names", FULL, |size| {
        beside(&format!("[{}]", items(size, |_| r#"{"a":0,"b":0}"#.into())))
    }),
    reads("objects in objects in objects, as deep as may be", FULL, |size| {
        let one = format!("{}0{}", r#"{"":"#.repeat(61), "}".repeat(61));
        beside(&format!("[{}]", items(size, |_| one.clone())))
    }),
    reads("lists in lists, as deep as may be", FULL, |size| {
        let one = format!("{}0{}", "[".repeat(61), "]".repeat(61));
        beside(&format!("[{}]", items(size, |_| one.clone())))
    }),
    reads("an object with many names", FULL, |size| {
        beside(&format!("{{{}}}", items(size, |at| format!(r#""{at:x}":0"#))))
    }),
    reads("the same name again and again", FULL, |size| beside(&format!("{{{}}}", items(size, |_| r#""a":0"#.into())))),
    reads("the same long question again and again", FULL, |size| {
        calls::read(format!("{{{}}}", items(size, |_| format!(r#""question":"{}""#, "q".repeat(1_000)))))
    }),
    reads("a number of two million digits", FULL, |size| beside(&long("1234567890", size))),
    reads("a fraction of two million digits", FULL, |size| beside(&format!("0.{}", long("1234567890", size)))),
    reads("numbers of 800 digits, halfway between two doubles", FULL, |size| {
        // Just above the middle of two neighbours: only the last digit decides.
        let middle = format!("9007199254740993.{}1", "0".repeat(780));
        beside(&format!("[{}]", items(size, |_| middle.clone())))
    }),
    reads("numbers with endless exponents", FULL, |size| {
        let one = format!("1e-{}", "9".repeat(1_000));
        beside(&format!("[{}]", items(size, |_| one.clone())))
    }),
    reads("short numbers with large exponents", FULL, |size| {
        beside(&format!(
            "[{}]",
            items(size, |at| format!("1.7976931348623157e{}", 300 - i64::try_from(at % 600).unwrap_or_default()))
        ))
    }),
    reads("a text of escapes", FULL, |size| beside(&format!("\"{}\"", long(r"\u00e9", size / 6 * 6)))),
    reads("white space around nothing", FULL, |size| calls::read(" \n\t\r".repeat(size / 4))),
    reads("no JSON, at the very end", FULL, |size| beside(&format!("[{},}}", items(size, |_| "\n0".into())))),
    Family {
        name: "a list of objects with one empty name",
        call: "read a value",
        largest: FULL,
        make: |size| calls::read_value(&asks(&items(size / 3 * 2, |_| r#"{"":0}"#.into()))),
    },
];

/// A question with a field beside it that means nothing.
fn beside(value: &str) -> calls::Made {
    calls::read(format!(r#"{{"question":"Yes?","answer_type":"boolean","x":{value}}}"#))
}
