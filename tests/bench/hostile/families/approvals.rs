//! Tool calls to approve, and everything that is made to show a form: long commands, deep and wide arguments, large changes and patches, many calls.

use super::{FULL, Family, asks, asks_json, counted, items, long, reads};
use crate::calls;

/// A family whose form is written as HTML: as it begins, with all its questions in sight.
const fn writes(name: &'static str, largest: usize, make: fn(usize) -> String) -> Shown {
    Shown { name, largest, make }
}

/// What is shown of a request of any size.
struct Shown {
    name: &'static str,
    largest: usize,
    make: fn(usize) -> String,
}

/// Three families of each request: it is read, its arguments are listed, and its form is written.
macro_rules! families {
    ($($shown:expr),* $(,)?) => {
        &[$(
            {
                const SHOWN: Shown = $shown;
                reads(SHOWN.name, SHOWN.largest, |size| calls::read((SHOWN.make)(size)))
            },
            {
                const SHOWN: Shown = $shown;
                Family { name: SHOWN.name, call: "list", largest: SHOWN.largest, make: |size| calls::list((SHOWN.make)(size)) }
            },
            {
                const SHOWN: Shown = $shown;
                Family { name: SHOWN.name, call: "html", largest: SHOWN.largest, make: |size| calls::html((SHOWN.make)(size)) }
            },
        )*]
    };
}

pub const FAMILIES: &[Family] = families![
    writes("a command of one line of two million characters", FULL, |size| command(&long("x", size))),
    writes("a command of a million empty lines", FULL, |size| command(&long("\\n", size))),
    writes("a command of spaces and no-break spaces", FULL, |size| command(&long("  \\u00a0\\u200b ", size))),
    writes("arguments with ten thousand short names", 10_000, |count| {
        approves("run", &counted(count, |at| format!(r#""n{at}":{at}"#)))
    }),
    writes("arguments with a thousand long names", 1_000, |count| {
        approves("run", &counted(count, |at| format!(r#""{at}{}":1"#, "n".repeat(1_900))))
    }),
    writes("one long name above a list of sixty thousand items", 60_000, |count| {
        approves("run", &format!(r#""{}":[{}]"#, "n".repeat(count / 6), counted(count, |_| "1".into())))
    }),
    writes("lists of lists of lists of lists", 20, |count| {
        let row = format!("[{}]", counted(count, |_| "1".into()));
        let level = |inner: &str| format!("[{}]", counted(count, |_| inner.to_owned()));
        approves("run", &format!(r#""a":{}"#, level(&level(&row))))
    }),
    writes("arguments as deep as JSON may be", 120, |count| {
        approves("run", &format!(r#""a":{}1{}"#, r#"{"a":"#.repeat(count), "}".repeat(count)))
    }),
    writes("a change of every line of two long texts", FULL, |size| {
        let text = |word: &str| (0..size / 30).map(|at| format!("{word} {at}\\n")).collect::<String>();
        approves("edit", &format!(r#""old_string":"{}","new_string":"{}""#, text("old"), text("new")))
    }),
    writes("a change of empty lines", FULL, |size| {
        approves("edit", &format!(r#""old_string":"a{0}b","new_string":"c{0}{0}d""#, long("\\n", size / 3)))
    }),
    writes("a thousand changes of a few lines each", 400, |count| {
        let lines = |word: &str| (0..40).map(|at| format!("{word} {at}\\n")).collect::<String>();
        let changes =
            counted(count, |_| format!(r#"{{"old_string":"{}","new_string":"{}"}}"#, lines("old"), lines("new")));
        approves("edit", &format!(r#""edits":[{changes}]"#))
    }),
    writes("a patch of many hunks", FULL, |size| {
        approves("apply_patch", &format!(r#""patch":"{}""#, long("@@ -1,2 +1,2 @@\\n-a\\n+b\\n c\\n", size)))
    }),
    writes("a patch of one hunk that claims to have all lines", FULL, |size| {
        let lines = long("-- a\\n++ b\\n", size);
        approves(
            "apply_patch",
            &format!(r#""patch":"@@ -1,18446744073709551615 +1,99999999999999999999999 @@\\n{lines}""#),
        )
    }),
    writes("a thousand calls", 1_000, |count| {
        let call =
            |at: usize| format!(r#"{{"name":"t{at}","args":{{"command":"{}"}},"description":"d"}}"#, "x".repeat(1_900));
        let review = |at: usize| format!(r#"{{"action_name":"t{at}","allowed_decisions":["approve"]}}"#);
        format!(r#"{{"action_requests":[{}],"review_configs":[{}]}}"#, counted(count, call), counted(count, review))
    }),
    writes("hundreds of calls with a hundred short arguments", 300, |count| {
        calls_of(count, "run", &counted(100, |at| format!(r#""n{at}":1"#)))
    }),
    writes("a thousand calls with a change of empty lines", 1_000, |count| {
        calls_of(count, "edit", &format!(r#""old_string":"a{0}","new_string":"{0}b""#, long("\\n", 900)))
    }),
    writes("a thousand calls with a patch", 1_000, |count| {
        calls_of(count, "apply_patch", &format!(r#""patch":"@@ -1 +1 @@\n{}""#, long("+\\n-\\n", 1_800)))
    }),
    writes("descriptions of two million characters", FULL, |size| {
        format!(
            r#"{{"action_requests":[{{"name":"run","args":{{"a":1}},"description":"{}"}}],"review_configs":[{{"action_name":"run","allowed_decisions":["approve"]}}]}}"#,
            long("**a** `b`\\n", size)
        )
    }),
    writes("one argument that stands in many reviews", 10_000, |count| {
        let review = |at: usize| format!(r#"{{"action_name":"t{at}","allowed_decisions":["approve","reject"]}}"#);
        format!(
            r#"{{"action_requests":[{{"name":"t0","args":{{"a":1}},"description":"d"}}],"review_configs":[{}]}}"#,
            counted(count, review)
        )
    }),
    writes("interrupts of AG-UI with a schema each", 60, |count| {
        let properties = counted(40, |at| format!(r#""p{at}":{{"type":"string"}}"#));
        let interrupt = |at: usize| {
            format!(
                r#"{{"id":"i{at}","reason":"input_required","message":"m","responseSchema":{{"type":"object","properties":{{{properties}}}}}}}"#
            )
        };
        format!(r#"{{"interrupts":[{}]}}"#, counted(count, interrupt))
    }),
    writes("options with long previews", 2_000, |count| {
        let option = |at: usize| format!(r#"{{"value":"{at}","label":"{at}","preview":"{}"}}"#, long("| a\\n", 800));
        asks(&format!(r#"{{"id":"a","text":"?","answer_type":"select","options":[{}]}}"#, counted(count, option)))
    }),
    writes("a question of marks of Markdown", FULL, |size| {
        asks(&format!(r#"{{"id":"a","text":"?","context":"{}","answer_type":"text"}}"#, long("[*_`<", size)))
    }),
    writes("a schema of a thousand properties with defaults", 1_000, |count| {
        let property = |at: usize| format!(r#""p{at}":{{"type":"string","title":"{at}","default":"d"}}"#);
        asks_json(&format!(r#"{{"type":"object","properties":{{{}}}}}"#, counted(count, property)))
    }),
    writes("a page of a thousand short questions", 1_000, |count| {
        let question = |at: usize| format!(r#"{{"id":"q{at}","text":"?","answer_type":"boolean"}}"#);
        asks(&counted(count, question))
    }),
    writes("an address of two million characters", FULL, |size| {
        format!(
            r#"{{"mode":"url","message":"m","elicitationId":"e","url":"https://example.com/?{}"}}"#,
            long("a=%20&", size)
        )
    }),
];

/// A call of LangChain's middleware, with these arguments.
fn approves(tool: &str, arguments: &str) -> String {
    format!(
        r#"{{"action_requests":[{{"name":"{tool}","args":{{{arguments}}},"description":"d"}}],"review_configs":[{{"action_name":"{tool}","allowed_decisions":["approve","edit"]}}]}}"#
    )
}

/// So many calls of LangChain's middleware, each with these arguments.
fn calls_of(count: usize, tool: &str, arguments: &str) -> String {
    let call = |_| format!(r#"{{"name":"{tool}","args":{{{arguments}}},"description":"d"}}"#);
    let review = |_| format!(r#"{{"action_name":"{tool}","allowed_decisions":["approve"]}}"#);
    format!(r#"{{"action_requests":[{}],"review_configs":[{}]}}"#, counted(count, call), counted(count, review))
}

fn command(command: &str) -> String {
    approves("run_command", &items(1, |_| format!(r#""command":"{command}""#)))
}
