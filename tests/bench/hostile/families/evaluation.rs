//! Values that are costly to hold against a schema: a default, as a request has it, and JSON that a person types.

use super::{FULL, Family, asks_json, conditions::doubling, counted, items, long, reads, with_default};
use crate::calls::{self, Host, Written};

pub const FAMILIES: &[Family] = &[
    reads("default: a constant of 400 kB behind doubled references", 400_000, |size| {
        let constant = format!("[{}]", items(size, |_| "0".into()));
        default(&doubling(14, &format!(r#"{{"const":{constant}}}"#)), &constant)
    }),
    reads("default: a long constant in each of many branches", 200, |count| {
        let text = "x".repeat(count * 5_000);
        let branch = format!(r#"{{"const":"{}"}}"#, "x".repeat(5_000));
        default(
            &format!(r#"{{"allOf":[{}]}}"#, counted(count, |_| format!(r#"{{"not":{branch}}}"#))),
            &format!("\"{text}\""),
        )
    }),
    reads("default: two hundred branches that refuse it", 200, |count| {
        let branches = counted(count, |at| format!(r#"{{"maxItems":{}}}"#, at % 7));
        default(&format!(r#"{{"anyOf":[{branches}]}}"#), &format!("[{}]", items(1_900_000, |_| "0".into())))
    }),
    reads("default: many objects that each of many branches refuses", 400, |count| {
        let branches = counted(count, |at| format!(r#"{{"required":["{at}"]}}"#));
        let value = counted(1_000, |at| format!(r#"{{"{at}":"{}"}}"#, "v".repeat(1_500)));
        default(&format!(r#"{{"items":{{"anyOf":[{branches}]}}}}"#), &format!("[{value}]"))
    }),
    reads("default: one of many, and fits all", 100_000, |count| {
        default(&format!(r#"{{"oneOf":[{}]}}"#, counted(count, |_| "true".into())), "1")
    }),
    reads("default: items that a constant of a megabyte refuses", FULL, |size| {
        let constant = format!("\"{}\"", "x".repeat(size - 1_000));
        default(&format!(r#"{{"items":{{"const":{constant}}}}}"#), &format!("[{}]", counted(120, |_| "0".into())))
    }),
    reads("default: items that a large enum refuses", 300_000, |count| {
        let choices = counted(count, |at| at.to_string());
        default(&format!(r#"{{"items":{{"enum":[{choices}]}}}}"#), "[-1,-2,-3,-4,-5,-6,-7,-8]")
    }),
    reads("default: an enum of objects, the last of which fits", 100_000, |count| {
        let choices = counted(count, |at| format!(r#"{{"a":{at}}}"#));
        default(&format!(r#"{{"enum":[{choices}]}}"#), &format!(r#"{{"a":{}}}"#, count - 1))
    }),
    reads("default: violations under a name of a megabyte", FULL, |size| {
        let name = "n".repeat(size - 2_000);
        let schema = r#"{"additionalProperties":{"items":{"type":"string"}}}"#;
        default(schema, &format!(r#"{{"{name}":[{}]}}"#, counted(200, |_| "0".into())))
    }),
    reads("default: names that may not be there", FULL, |size| {
        let names = items(size, |at| format!(r#""{at}":0"#));
        default(r#"{"additionalProperties":false}"#, &format!("{{{names}}}"))
    }),
    reads("default: names that nothing evaluates, in branches", FULL, |size| {
        let names = items(size, |at| format!(r#""{at}":0"#));
        let branch = r#"{"properties":{"a":true}}"#;
        let schema = format!(r#"{{"anyOf":[{}],"unevaluatedProperties":false}}"#, counted(20, |_| branch.into()));
        default(&schema, &format!("{{{names}}}"))
    }),
    reads("default: unevaluated properties, in each other", 60, |count| {
        let open = r#"{"unevaluatedProperties":true,"allOf":["#;
        let schema = format!("{}true{}", open.repeat(count / 3), "]}".repeat(count / 3));
        default(&schema, &format!("{{{}}}", items(20_000, |at| format!(r#""{at}":0"#))))
    }),
    reads("default: names that each of many patterns is held against", 300, |count| {
        let patterns = counted(count, |at| format!(r#""a{{{}}}b{at}$":true"#, 1 + at % 9));
        let names = items(100_000, |at| format!(r#""{at}{}":0"#, "a".repeat(80)));
        default(&format!(r#"{{"patternProperties":{{{patterns}}}}}"#), &format!("{{{names}}}"))
    }),
    reads("default: names that must match a pattern", FULL, |size| {
        let names = items(size, |at| format!(r#""{}{at}":0"#, "a".repeat(40)));
        default(r#"{"propertyNames":{"pattern":"^(a|aa)+$"}}"#, &format!("{{{names}}}"))
    }),
    reads("default: unique numbers", FULL, |size| unique(&items(size, |at| at.to_string()))),
    reads("default: unique lists", FULL, |size| unique(&items(size, |at| format!("[{at}]")))),
    reads("default: unique objects", FULL, |size| unique(&items(size, |at| format!(r#"{{"a":{at}}}"#)))),
    reads("default: unique texts that begin alike", FULL, |size| {
        unique(&items(size, |at| format!("\"{}{at}\"", "x".repeat(1_000))))
    }),
    reads("default: many items that contain", FULL, |size| {
        let value = items(size, |_| "0".into());
        default(r#"{"contains":{"const":1},"minContains":1}"#, &format!("[{value}]"))
    }),
    reads("default: a long text, and a pattern that goes back", FULL, |size| {
        default(r#"{"pattern":"(?=(x+x+)+y)z"}"#, &format!("\"{}\"", "x".repeat(size)))
    }),
    reads("default: a long text, and a large pattern", FULL, |size| {
        default(r#"{"pattern":"(x{1,50}y?){50}z"}"#, &format!("\"{}\"", "x".repeat(size)))
    }),
    reads("default: a long text in each format", FULL, |size| {
        let formats =
            ["email", "idn-email", "hostname", "idn-hostname", "uri", "iri", "uri-template", "json-pointer", "regex"];
        let all = formats.map(|format| format!(r#"{{"format":"{format}"}}"#)).join(",");
        default(&format!(r#"{{"anyOf":[{all}]}}"#), &format!("\"a@{}\"", long("a.", size)))
    }),
    reads("default: texts that are compiled as patterns", 10_000, |count| {
        let value = counted(count, |at| format!(r#""(\\w{{100}}){{100}}{at}""#));
        default(r#"{"items":{"format":"regex"}}"#, &format!("[{value}]"))
    }),
    reads("default: JSON in a text, in a text", FULL, |size| {
        let schema =
            r#"{"contentMediaType":"application/json","contentEncoding":"base64","contentSchema":{"type":"object"}}"#;
        default(schema, &format!("\"{}\"", "W1td".repeat(size / 4)))
    }),
    reads("default: a recursive schema, as deep as may be", FULL, |size| {
        let schema =
            r##"{"$defs":{"n":{"anyOf":[{"items":{"$ref":"#/$defs/n"}},{"type":"string"}]}},"$ref":"#/$defs/n"}"##;
        let one = format!("{}0{}", "[".repeat(55), "]".repeat(55));
        default(schema, &format!("[{}]", items(size, |_| one.clone())))
    }),
    reads("default: dependent schemas, all of them", 30_000, |count| {
        let all = counted(count, |at| format!(r#""{at}":{{"required":["a"]}}"#));
        let value = counted(count, |at| format!(r#""{at}":0"#));
        default(&format!(r#"{{"dependentSchemas":{{{all}}}}}"#), &format!("{{{value}}}"))
    }),
    reads("default: a number of many digits, and multiples", FULL, |size| {
        default(r#"{"multipleOf":0.1,"maximum":1}"#, &format!("[{}]", items(size, |_| "0.30000000000000004e-7".into())))
    }),
    Family {
        name: "a template of many large defaults",
        call: "template",
        largest: 1_000_000,
        make: |size| {
            let properties = counted(190, |at| format!(r##""{at}":{{"$ref":"#/$defs/a"}}"##));
            let large = items(size, |_| "0".into());
            let schema = format!(r#"{{"$defs":{{"a":{{"default":[{large}]}}}},"properties":{{{properties}}}}}"#);
            calls::write(size, calls::walk(&asks_json(&schema), &Host::default())?, Written::Template)
        },
    },
    Family {
        name: "a template of a schema with twenty thousand references",
        call: "template",
        largest: 20_000,
        make: |count| {
            let all = counted(count, |at| format!(r##""{at}":{{"$ref":"#/$defs/a"}}"##));
            let schema = format!(r#"{{"$defs":{{"a":{{"type":"string"}}}},"properties":{{{all}}}}}"#);
            calls::write(schema.len(), calls::walk(&asks_json(&schema), &Host::default())?, Written::Template)
        },
    },
    Family {
        name: "a step with a schema of two megabytes",
        call: "step",
        largest: FULL,
        make: |size| {
            let schema = format!(r#"{{"enum":[{}]}}"#, items(size, |at| at.to_string()));
            calls::write(size, calls::walk(&asks_json(&schema), &Host::default())?, Written::Step)
        },
    },
];

fn default(schema: &str, value: &str) -> calls::Made {
    calls::read(with_default(schema, value))
}

fn unique(values: &str) -> calls::Made {
    default(r#"{"uniqueItems":true}"#, &format!("[{values}]"))
}
