//! Requests of the dialects that ask a list of questions: long, many, alike, and wrong in every way.

use super::{FULL, Family, asks, counted, items, long, reads};
use crate::calls;

pub const FAMILIES: &[Family] = &[
    reads("a question of two million characters", FULL, |size| {
        calls::read(format!(r#"{{"question":"{}","answer_type":"text"}}"#, "q".repeat(size)))
    }),
    reads("a question of white space", FULL, |size| {
        calls::read(format!(r#"{{"question":"{}"}}"#, long("\u{2003}\u{a0} ", size)))
    }),
    reads("a thousand questions of all sorts", 1_000, |count| {
        calls::read(asks(&counted(count, |at| {
            format!(
                r#"{{"id":"{at}","text":"{}","answer_type":"{}","context":"{}","header":"h"}}"#,
                "t".repeat(1_000),
                ["boolean", "text", "number", "secret"][at % 4],
                "c".repeat(900)
            )
        })))
    }),
    reads("empty objects for questions", FULL, |size| calls::read(asks(&items(size, |_| "{}".into())))),
    reads("zeros for questions", FULL, |size| calls::read(asks(&items(size, |_| "0".into())))),
    reads("questions of a shape that no dialect has", FULL, |size| {
        calls::read(asks(&items(size, |at| format!(r#"{{"x":{at}}}"#))))
    }),
    reads("a shape that shows at the last question", FULL, |size| {
        calls::read(asks(&format!("{},{}", items(size, |_| "{}".into()), r#"{"question":"?"}"#)))
    }),
    reads("long ids", 1_000, |count| {
        calls::read(asks(&counted(count, |at| {
            format!(r#"{{"id":"{at}-{}","text":"?","answer_type":"text"}}"#, "i".repeat(2_000))
        })))
    }),
    reads("the same long id for ten thousand questions", 10_000, |count| {
        calls::read(asks(&counted(count, |_| {
            format!(r#"{{"id":"{}","text":"?","answer_type":"text"}}"#, "i".repeat(150))
        })))
    }),
    reads("long ids that cannot be ids", 1_000, |count| {
        calls::read(asks(&counted(count, |at| {
            format!(r#"{{"id":"{at}.{}","text":"?","answer_type":"text"}}"#, "i".repeat(2_000))
        })))
    }),
    reads("long names of answer types that there are not", 1_000, |count| {
        calls::read(asks(&counted(count, |at| {
            format!(r#"{{"id":"{at}","text":"?","answer_type":"{}"}}"#, "\\u0001".repeat(330))
        })))
    }),
    reads("every field of the wrong type, ten thousand times", 10_000, |count| {
        let one = r#"{"id":[],"text":{},"answer_type":0,"options":"","schema":[],"default":{},"when":[],"header":{}}"#;
        calls::read(asks(&counted(count, |_| one.into())))
    }),
    reads("a field with a name of two million characters", FULL, |size| {
        calls::read(format!(r#"{{"question":"?","{}":0}}"#, long("~/", size)))
    }),
    reads("many fields with long names that mean nothing", FULL, |size| {
        let name = long("/~", 2_000);
        let fields = items(size, |at| format!(r#""{at}{name}":0"#));
        calls::read(asks(&format!(r#"{{"id":"a","text":"?","answer_type":"text",{fields}}}"#)))
    }),
    reads("many fields with short names that mean nothing", FULL, |size| {
        let fields = items(size, |at| format!(r#""{at}":0"#));
        calls::read(asks(&format!(r#"{{"id":"a","text":"?","answer_type":"text",{fields}}}"#)))
    }),
    reads("one field in as many notations", 40_000, |count| {
        // Underscores between any of its letters.
        let notation = |at: usize| {
            let letters = "multiselection".char_indices();
            let spelt = letters.map(|(place, letter)| format!("{letter}{}", "_".repeat(at >> (place * 2) & 3)));
            format!(r#""{}":true"#, spelt.collect::<String>())
        };
        let fields = counted(count, notation);
        calls::read(asks(&format!(
            r#"{{"question":"?","header":"H","options":[{{"label":"a"}},{{"label":"b"}}],{fields}}}"#
        )))
    }),
    reads("options in as many notations", 40_000, |count| {
        let fields = counted(count, |at| format!(r#""opt{}ions_{at}":["a"]"#, "_".repeat(at % 3)));
        calls::read(asks(&format!(
            r#"{{"question":"?","header":"H","options":[{{"label":"a"}},{{"label":"b"}}],{fields}}}"#
        )))
    }),
    reads("ten thousand options with long values", 10_000, |count| {
        choice("select", &counted(count, |at| format!(r#""{at}-{}""#, "o".repeat(195))), "null")
    }),
    reads("the same long option ten thousand times", 10_000, |count| {
        choice("select", &counted(count, |_| format!("\"{}\"", "o".repeat(200))), "null")
    }),
    reads("options that differ in what nobody sees", 10_000, |count| {
        let label =
            |at: usize| format!(r#"{{"value":{at},"label":"a{}"}}"#, long("\u{200b}\u{feff}\u{ad}", 160 + at % 9));
        choice("select", &counted(count, label), "null")
    }),
    reads("a million options", FULL, |size| choice("select", &items(size, |_| "0".into()), "null")),
    reads("options that are no options", 10_000, |count| {
        choice("select", &counted(count, |_| format!(r#"{{"labels":"{}","l":1}}"#, "o".repeat(150))), "null")
    }),
    reads("options with fields that mean nothing", 10_000, |count| {
        let option = |at: usize| format!(r#"{{"value":{at},"{}":1}}"#, "o".repeat(150));
        choice("select", &counted(count, option), "null")
    }),
    reads("a default of ten thousand options", 10_000, |count| {
        let options = counted(count, |at| format!("\"{}{at}\"", "o".repeat(90)));
        choice("multi_select", &options, &format!("[{options}]"))
    }),
    reads("a default of the same option a million times", FULL, |size| {
        choice("multi_select", "\"a\"", &format!("[{}]", items(size, |_| "\"a\"".into())))
    }),
    reads("a default of two million characters that is no option", FULL, |size| {
        choice("select", "\"a\"", &format!("\"{}\"", "\\u0001".repeat(size / 6)))
    }),
    reads("headers of combining and turning characters, cut", FULL, |size| {
        let header = long("a\u{301}\u{202e}\u{200d}", size / 4);
        let one = format!(r#"{{"question":"?","header":"{header}","options":["a","b"],"multiSelect":false}}"#);
        calls::read(asks(&counted(4, |_| one.clone())))
    }),
    reads("the same question ten thousand times, for four", 10_000, |count| {
        calls::read(asks(&counted(count, |_| format!(r#"{{"question":"{}","options":["a","b"]}}"#, "q".repeat(160)))))
    }),
    reads("ten thousand questions of gemini, for four", 10_000, |count| {
        calls::read(asks(&counted(count, |_| format!(r#"{{"question":"?","type":"{}"}}"#, "t".repeat(160)))))
    }),
    reads("codex: a thousand long ids that collide once mended", 1_000, |count| {
        let id = |at: usize| format!("{}{}", "i".repeat(1_990), [".", "_", "\\u0001", "\\u0002"][at % 4]);
        calls::read(asks(&counted(count, |at| format!(r#"{{"id":"{}{at}","question":"?"}}"#, id(at)))))
    }),
    reads("opencode: ten thousand questions that lack all", 10_000, |count| {
        calls::read(asks(&counted(count, |_| r#"{"question":"","header":7,"multiple":7,"custom":7}"#.into())))
    }),
    reads("deepagents: descriptions that are none", 10_000, |count| {
        let (options, no) = (counted(count, |at| format!("\"{at}\"")), counted(count * 9, |_| "[]".into()));
        calls::read(format!(r#"{{"question":"?","options":[{options}],"descriptions":[{no}]}}"#))
    }),
    Family {
        name: "a claude request, which keeps its questions",
        call: "read",
        largest: FULL,
        make: |size| {
            let one =
                format!(r#"{{"question":"?","options":["a","b"],"x":[{}]}}"#, items(size, |_| r#"{"":0}"#.into()));
            calls::read_by(asks(&one), Some("claude"), &calls::Host::default())
        },
    },
];

fn choice(kind: &str, options: &str, default: &str) -> calls::Made {
    calls::read(asks(&format!(
        r#"{{"id":"a","text":"?","answer_type":"{kind}","options":[{options}],"default":{default}}}"#
    )))
}
