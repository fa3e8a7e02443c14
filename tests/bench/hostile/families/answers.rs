//! Answers, typed and given, of people and of assistants: large, long, of many digits.

use super::{FULL, Family, asks, asks_json, counted, items, long};
use crate::calls::{self, Act, Host, Made, Written};
use serde_json::{Value, json};

pub const FAMILIES: &[Family] = &[
    acts("ten thousand options chosen, under a thousand conditions", 999, |count| {
        let options = counted(10_000, |at| format!("\"{at}\""));
        let wanted = counted(200, |at| format!("\"{at}\""));
        let chosen: Value = (0..10_000).map(|at: usize| at.to_string()).collect();
        let later = counted(count, |at| {
            format!(
                r#"{{"id":"{at}","text":"?","answer_type":"text","when":{{"question_id":"q","equals":[{wanted}]}}}}"#
            )
        });
        let first = format!(r#"{{"id":"q","text":"?","answer_type":"multi_select","options":[{options}]}}"#);
        act(&asks(&format!("{first},{later}")), calls::answer(chosen), count * 1_500 + 130_000)
    }),
    acts("a large object given, under a thousand conditions", 999, |count| {
        let value = format!("{{{}}}", items(1_900, |at| format!(r#""{at}":[]"#)));
        let later = counted(count, |at| {
            format!(r#"{{"id":"{at}","text":"?","answer_type":"text","when":{{"question_id":"q","equals":{value}}}}}"#)
        });
        let other = value.replacen("[]", "[0]", 1);
        let text = asks(&format!(r#"{{"id":"q","text":"?","answer_type":"schema","schema":true}},{later}"#));
        act(&text, calls::answer(serde_json::from_str(&other).expect("JSON")), text.len())
    }),
    checks("typed: a list of zeros", FULL, |size| typed("{}", format!("[{}]", items(size, |_| "0".into())))),
    checks("typed: objects in a list", FULL, |size| typed("{}", format!("[{}]", items(size, |_| r#"{"":0}"#.into())))),
    checks("typed: zeros that each must be text", FULL, |size| {
        typed(r#"{"items":{"type":"string"}}"#, format!("[{}]", items(size, |_| "0".into())))
    }),
    checks("typed: a list that must not be one", FULL, |size| {
        typed(r#"{"type":"string"}"#, format!("[{}]", items(size, |_| "0".into())))
    }),
    checks("typed: one of many, each of which says why not", 1_000, |count| {
        let branches = counted(count, |at| format!(r#"{{"items":{{"minimum":{at}}}}}"#));
        typed(&format!(r#"{{"oneOf":[{branches}]}}"#), format!("[{}]", counted(400, |_| "-1".into())))
    }),
    checks("typed: a number of two million digits", FULL, |size| field("number", long("1234567890", size))),
    checks("typed: a number of two million zeros", FULL, |size| field("number", "0".repeat(size))),
    checks("typed: a number with two million digits after the point", FULL, |size| {
        field("number", format!("0.{}", long("1234567890", size)))
    }),
    checks("typed: a text beside a number", FULL, |size| field("number", "\u{1}".repeat(size))),
    acts("typed: numbers of twenty digits in a list", FULL, |size| {
        let text = format!("[{}]", items(size, |_| "12345678901234567890".into()));
        act(&asks_json("{}"), calls::Typed(text), size)
    }),
    acts("typed: white space around a value", FULL, |size| {
        act(&asks_json("{}"), calls::Typed(format!("{}12345678901234567890", " ".repeat(size))), size)
    }),
    Family {
        name: "numbers of twenty digits",
        call: "result",
        largest: FULL,
        make: |size| {
            let text = format!("[{}]", items(size, |_| "12345678901234567890".into()));
            let walk = calls::walked(calls::walk(&asks_json("{}"), &Host::default())?, [calls::Typed(text)]);
            calls::write(size, walk, Written::Result)
        },
    },
    Family {
        name: "a thousand numbers of a thousand digits",
        call: "result",
        largest: 1_000,
        make: |count| {
            let text = asks(&counted(count, |at| format!(r#"{{"id":"{at}","text":"?","answer_type":"number"}}"#)));
            let typed = vec![calls::Typed(long("1234567890", 300)); count];
            calls::write(count * 300, calls::walked(calls::walk(&text, &Host::default())?, typed), Written::Result)
        },
    },
    acts("an option chosen a million times", FULL, |size| {
        let chosen: Value = (0..size / 4).map(|_| "a").collect();
        act(&choice("multi_select", "\"a\",\"b\""), calls::answer(chosen), size)
    }),
    acts("a text of two million characters for an option", FULL, |size| {
        act(&choice("select", "\"a\",\"b\""), calls::answer("\u{1}".repeat(size).into()), size)
    }),
    acts("a long text of one's own beside ten thousand options", FULL, |size| {
        let options = counted(10_000, |at| format!("\"{at}\""));
        let text =
            format!(r#"{{"questions":[{{"question":"?","options":[{options}],"multiple":true,"custom":true}}]}}"#);
        act(&text, calls::other(json!(["1", "x".repeat(size)])), size)
    }),
    acts("a long note", FULL, |size| {
        let text = r#"{"questions":[{"id":"a","question":"?","options":["a","b"]}]}"#;
        act(text, calls::noted("a".into(), "n".repeat(size)), size)
    }),
    acts("a note of white space", FULL, |size| {
        let text = r#"{"questions":[{"id":"a","question":"?","options":["a","b"]}]}"#;
        act(text, calls::noted("a".into(), "\u{2003}".repeat(size / 3)), size)
    }),
    acts("a long reply", FULL, |size| act(&choice("select", "\"a\""), calls::Reply(Some("r".repeat(size))), size)),
    acts("a text against a pattern that goes back", FULL, |size| {
        let text = super::elicits(r#""a":{"type":"string","pattern":"(?=(x+x+)+y)z"}"#);
        act(&text, calls::answer("x".repeat(size).into()), size)
    }),
    acts("a text against a pattern of a thousand states", FULL, |size| {
        let text = super::elicits(r#""a":{"type":"string","pattern":"(x|y){1,300}z"}"#);
        act(&text, calls::answer("x".repeat(size).into()), size)
    }),
    acts("an address with a domain of a million parts", FULL, |size| {
        let text = super::elicits(r#""a":{"type":"string","format":"email","maxLength":9000000}"#);
        act(&text, calls::answer(format!("a@{}", long("a.", size)).into()), size)
    }),
    acts("a URI of percent signs", FULL, |size| {
        let text = super::elicits(r#""a":{"type":"string","format":"uri"}"#);
        act(&text, calls::answer(format!("a:{}", long("%20", size)).into()), size)
    }),
    acts("an assistant's reason of two million characters", FULL, |size| {
        let walk = calls::walk(&choice("select", "\"a\""), &calls::host(&json!({ "target": "assistant" })))?;
        calls::act(size, walk, vec![calls::verdict("r".repeat(size), "a".into())])
    }),
    acts("an assistant's answers that do not fit, a thousand times", 1_000, |count| {
        let questions = counted(count, |at| format!(r#"{{"id":"{at}","text":"?","answer_type":"boolean"}}"#));
        let walk = calls::walk(&asks(&questions), &calls::host(&json!({ "target": "assistant" })))?;
        let wrong = [calls::verdict("r".repeat(1_000), "x".repeat(1_000).into()), calls::answer(true.into())];
        calls::act(count * 2_000, walk, wrong.into_iter().cycle().take(count * 2).collect())
    }),
    acts("an assistant's noes with long reasons, a thousand times", 1_000, |count| {
        let questions = counted(count, |at| format!(r#"{{"id":"{at}","text":"?","answer_type":"boolean"}}"#));
        let host = json!({ "target": "assistant_with_escalation" });
        let walk = calls::walk(&asks(&questions), &calls::host(&host))?;
        let no = [calls::verdict("r".repeat(2_000), false.into()), calls::answer(true.into())];
        calls::act(count * 2_000, walk, no.into_iter().cycle().take(count * 2).collect())
    }),
    acts("an answer that lacks long names, a hundred times", FULL, |size| {
        let names = counted(100, |at| format!("\"{at}{}\"", "n".repeat(size / 100 - 10)));
        act(&asks_json(&format!(r#"{{"required":[{names}]}}"#)), calls::answer(json!({})), size)
    }),
    acts("an answer that a long pattern refuses", 190_000, |size| {
        let text = super::elicits(&format!(r#""a":{{"type":"string","pattern":"{}"}}"#, "a".repeat(size)));
        act(&text, calls::answer("b".into()), size)
    }),
];

/// A family of actions.
const fn acts(name: &'static str, largest: usize, make: fn(usize) -> Made) -> Family {
    Family { name, call: "act", largest, make }
}

/// A family of texts that are checked while they are typed.
const fn checks(name: &'static str, largest: usize, make: fn(usize) -> Made) -> Family {
    Family { name, call: "check", largest, make }
}

fn act(request: &str, act: Act, bytes: usize) -> Made {
    calls::act(bytes, calls::walk(request, &Host::default())?, vec![act])
}

fn typed(schema: &str, text: String) -> Made {
    calls::check(calls::walk(&asks_json(schema), &Host::default())?, text)
}

fn field(kind: &str, text: String) -> Made {
    calls::check(calls::walk(&format!(r#"{{"question":"?","answer_type":"{kind}"}}"#), &Host::default())?, text)
}

fn choice(kind: &str, options: &str) -> String {
    asks(&format!(r#"{{"id":"a","text":"?","answer_type":"{kind}","options":[{options}]}}"#))
}
