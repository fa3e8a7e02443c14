//! Schemas and values whose fields are costly to open, and an ordinary level beside them.

use super::{FULL, Family, conditions::doubling, counted, items, long};
use crate::calls::{self, Asked, Made};

pub const FAMILIES: &[Family] = &[
    opens("fields: an object of ordinary properties", 500, |count| {
        let property = |at: usize| match at % 5 {
            0 => format!(
                r#""p{at}":{{"type":"string","title":"Name {at}","description":"What it is called","minLength":1}}"#
            ),
            1 => format!(r#""p{at}":{{"type":"integer","minimum":1,"maximum":65535,"default":80}}"#),
            2 => format!(r#""p{at}":{{"enum":["fast","safe","careful"]}}"#),
            3 => format!(r#""p{at}":{{"anyOf":[{{"type":"string"}},{{"type":"null"}}]}}"#),
            _ => format!(r#""p{at}":{{"properties":{{"a":{{"type":"string"}}}}}}"#),
        };
        let value = counted(count, |at| format!(r#""p{at}":{}"#, if at % 5 == 1 { "1" } else { "\"fast\"" }));
        open(&format!(r#"{{"properties":{{{}}}}}"#, counted(count, property)), &format!("{{{value}}}"))
    }),
    opens("fields: properties that are all references", 5_000, |count| {
        let all = counted(count, |at| format!(r##""{at}":{{"$ref":"#/$defs/a"}}"##));
        open(&format!(r#"{{"$defs":{{"a":{{"type":"string"}}}},"properties":{{{all}}}}}"#), "{}")
    }),
    opens("fields: a list of a megabyte", FULL, |size| {
        open(
            r#"{"items":{"properties":{"a":{"type":"string"}}}}"#,
            &format!("[{}]", items(size, |_| r#"{"a":"x"}"#.into())),
        )
    }),
    opens("fields: an object with many names", FULL, |size| {
        open(
            r#"{"additionalProperties":{"type":"integer"}}"#,
            &format!("{{{}}}", items(size, |at| format!(r#""{at}":0"#))),
        )
    }),
    opens("fields: members of any type", FULL, |size| {
        open("{}", &format!("{{{}}}", items(size, |at| format!(r#""{at}":0"#))))
    }),
    opens("fields: a text of two megabytes", FULL, |size| {
        open(r#"{"type":"string"}"#, &format!("\"{}\"", long("x", size)))
    }),
    opens("fields: a name of a megabyte", 1_000_000, |size| {
        let name = long("n", size);
        open(&format!(r#"{{"properties":{{"{name}":{{"type":"string"}}}}}}"#), &format!(r#"{{"{name}":"x"}}"#))
    }),
    opens("fields: a long default at each of many properties", 1_500, |count| {
        let long = long("x", 500);
        open(
            &format!(
                r##"{{"$defs":{{"a":{{"default":"{long}"}}}},"properties":{{{}}}}}"##,
                counted(count, |at| format!(r##""{at}":{{"$ref":"#/$defs/a"}}"##))
            ),
            "{}",
        )
    }),
    opens("fields: a large choice", 5_000, |count| {
        open(&format!(r#"{{"enum":[{}]}}"#, counted(count, |at| at.to_string())), "1")
    }),
    opens("fields: a choice at each of many properties", 5_000, |count| {
        let choices = counted(50, |at| at.to_string());
        let all = counted(count, |at| format!(r##""{at}":{{"$ref":"#/$defs/a"}}"##));
        let value = counted(count, |at| format!(r#""{at}":{at}"#));
        open(&format!(r#"{{"$defs":{{"a":{{"enum":[{choices}]}}}},"properties":{{{all}}}}}"#), &format!("{{{value}}}"))
    }),
    opens("fields: many choices that are merged", 5_000, |count| {
        let choices = counted(count, |at| at.to_string());
        open(&format!(r#"{{"allOf":[{{"enum":[{choices}]}},{{"enum":[{choices}]}}]}}"#), "1")
    }),
    opens("fields: several of many", 3_000, |count| {
        let choices = counted(count, |at| at.to_string());
        open(&format!(r#"{{"uniqueItems":true,"items":{{"enum":[{choices}]}}}}"#), &format!("[{choices}]"))
    }),
    opens("fields: many options with a constant each", 5_000, |count| {
        let option = |at| format!(r#"{{"properties":{{"kind":{{"const":{at}}},"a":{{"type":"string"}}}}}}"#);
        open(&format!(r#"{{"oneOf":[{}]}}"#, counted(count, option)), &format!(r#"{{"kind":{}}}"#, count - 1))
    }),
    opens("fields: options that only the validator tells apart", 1_000, |count| {
        let option = |at| format!(r#"{{"items":{{"minLength":{}}}}}"#, at + 10);
        open(
            &format!(r#"{{"oneOf":[{}]}}"#, counted(count, option)),
            &format!("[{}]", items(20_000, |_| "\"x\"".into())),
        )
    }),
    opens("fields: the same at each of many members", 4_000, |count| {
        let option = |at| format!(r#"{{"items":{{"minLength":{at}}}}}"#);
        let value = counted(count, |at| format!(r#""{at}":["x","y"]"#));
        open(&format!(r#"{{"additionalProperties":{{"oneOf":[{}]}}}}"#, counted(40, option)), &format!("{{{value}}}"))
    }),
    opens("fields: options that each lead to the whole schema", 120, |count| {
        let option =
            |at| format!(r##"{{"properties":{{"a":{{"items":{{"$ref":"#"}}}},"b{at}":{{"minLength":{at}}}}}}}"##);
        open(&format!(r#"{{"anyOf":[{}]}}"#, counted(count, option)), r#"{"a":[{"a":[]},1],"c":1}"#)
    }),
    opens("fields: options in options, doubled", 90, |count| {
        let schema = doubling(count, "true").replace("allOf", "oneOf");
        open(&schema, r#"{"a":1}"#)
    }),
    opens("fields: parts of one place", 2_000, |count| {
        open(&format!(r#"{{"allOf":[{}]}}"#, counted(count, |at| format!(r#"{{"properties":{{"{at}":{{}}}}}}"#))), "{}")
    }),
    opens("fields: many parts with many properties each", 150, |count| {
        let part = |part: usize| {
            format!(
                r#"{{"properties":{{{}}}}}"#,
                counted(40, |at| format!(r#""{}":{{"minimum":{part}}}"#, (part * 7 + at) % 500))
            )
        };
        open(&format!(r#"{{"allOf":[{}]}}"#, counted(count, part)), "{}")
    }),
    opens("fields: patterns for names", 400, |count| {
        let patterns = counted(count, |at| format!(r#""^p{at}.*x$":{{}}"#));
        open(
            &format!(r#"{{"patternProperties":{{{patterns}}}}}"#),
            &format!("{{{}}}", counted(count, |at| format!(r#""p{at}":0"#))),
        )
    }),
    opens("fields: conditions", 150, |count| {
        let part = |at| {
            format!(
                r#"{{"if":{{"required":["{at}"]}},"then":{{"properties":{{"{at}":{{}}}}}},"else":{{"title":"{at}"}}}}"#
            )
        };
        open(
            &format!(r#"{{"allOf":[{}]}}"#, counted(count, part)),
            &format!("{{{}}}", items(100_000, |at| format!(r#""{at}":0"#))),
        )
    }),
    opens("fields: a subschema that only a search finds", 2_000, |count| {
        let junk = counted(count, |at| format!(r#""{at}":{{"title":"{at}"}}"#));
        let options = counted(50, |at| format!(r#"{{"minLength":{}}}"#, at + 5));
        open(
            &format!(r##"{{"$ref":"#here","$defs":{{{junk},"z":{{"$anchor":"here","anyOf":[{options}]}}}}}}"##),
            "\"x\"",
        )
    }),
    opens("fields: names that nothing evaluates, in branches", FULL / 8, |size| {
        let names = items(size, |at| format!(r#""{at}":0"#));
        let branch = r#"{"properties":{"a":true}}"#;
        open(
            &format!(r#"{{"anyOf":[{}],"unevaluatedProperties":false}}"#, counted(20, |_| branch.into())),
            &format!("{{{names}}}"),
        )
    }),
    Family {
        name: "fields: a long pointer",
        call: "open fields",
        largest: 3_000,
        make: |steps| {
            let schema = r##"{"properties":{"next":{"$ref":"#"}}}"##;
            calls::fields(schema, "", &"/next".repeat(steps), Asked::Open)
        },
    },
    Family {
        name: "fields: violations in options in options",
        call: "violations of fields",
        largest: 12,
        make: |depth| {
            let one = r#"{"properties":{"a":{"type":"string"}},"required":["b"]}"#;
            let schema = (0..depth).fold(one.to_owned(), |schema, _| {
                format!(r#"{{"oneOf":[{schema},{{"properties":{{"a":{schema}}}}}]}}"#)
            });
            calls::fields(&schema, r#"{"a":{"a":{"a":1}}}"#, "", Asked::Violations)
        },
    },
    Family {
        name: "fields: violations at many places",
        call: "violations of fields",
        largest: FULL / 4,
        make: |size| {
            let schema = r#"{"items":{"oneOf":[{"properties":{"a":{"type":"string"}}},{"properties":{"b":{"type":"string"}},"required":["b"]}]}}"#;
            calls::fields(schema, &format!("[{}]", items(size, |_| r#"{"a":1}"#.into())), "", Asked::Violations)
        },
    },
    Family {
        name: "fields: another option for an object with many names",
        call: "switch fields",
        largest: FULL,
        make: |size| {
            let schema =
                r#"{"oneOf":[{"additionalProperties":{"type":"integer"}},{"properties":{"a":{"default":1}}}]}"#;
            calls::fields(schema, &format!("{{{}}}", items(size, |at| format!(r#""{at}":0"#))), "", Asked::Switch)
        },
    },
];

/// A family of levels that are opened.
const fn opens(name: &'static str, largest: usize, make: fn(usize) -> Made) -> Family {
    Family { name, call: "open fields", largest, make }
}

fn open(schema: &str, value: &str) -> Made {
    calls::fields(schema, value, "", Asked::Open)
}
