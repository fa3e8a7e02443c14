//! JSON Schemas that are costly to read: many parts, references and ids; patterns; keywords that hold anything else.

use super::{FULL, Family, asks, asks_json, counted, items, long, reads, with_default};
use crate::calls;

pub const FAMILIES: &[Family] = &[
    reads("schema: many definitions", FULL, |size| {
        schema(&format!(r#"{{"$defs":{{{}}}}}"#, items(size, |at| format!(r#""{at}":{{}}"#))))
    }),
    reads("schema: many properties with long names", FULL, |size| {
        let name = long("~/", 1_000);
        schema(&format!(r#"{{"properties":{{{}}}}}"#, items(size, |at| format!(r#""{at}{name}":{{"type":"string"}}"#))))
    }),
    reads("schema: thirty thousand references to one place", 30_000, |count| {
        let all = counted(count, |at| format!(r##""{at}":{{"$ref":"#/$defs/a"}}"##));
        schema(&format!(r#"{{"$defs":{{"a":{{"type":"string"}}}},"properties":{{{all}}}}}"#))
    }),
    reads("schema: twenty thousand references to as many places", 20_000, |count| {
        let (names, all) = (counted(count, |at| format!(r#""{at}":{{}}"#)), counted(count, to_definition));
        schema(&format!(r#"{{"$defs":{{{names}}},"properties":{{{all}}}}}"#))
    }),
    reads("schema: references through a long list", 20_000, |count| {
        let all = counted(count, |at| format!(r##""{at}":{{"$ref":"#/prefixItems/{at}"}}"##));
        schema(&format!(r#"{{"prefixItems":[{}],"properties":{{{all}}}}}"#, counted(count, |_| "{}".into())))
    }),
    reads("schema: long references", 1_000, |count| {
        let name = "n".repeat(1_900);
        let all = counted(count, |at| format!(r##""{at}":{{"$ref":"#/$defs/{name}"}}"##));
        schema(&format!(r#"{{"$defs":{{"{name}":{{}}}},"properties":{{{all}}}}}"#))
    }),
    reads("schema: references in percent encoding", 1_000, |count| {
        let all = counted(count, |at| format!(r##""{at}":{{"$ref":"#/$defs/{}"}}"##, "%6e".repeat(600)));
        schema(&format!(r#"{{"$defs":{{"{}":{{}}}},"properties":{{{all}}}}}"#, "n".repeat(600)))
    }),
    reads("schema: a long id above many subschemas", FULL, |size| {
        let properties = items(size / 2, |at| format!(r#""{at}":{{}}"#));
        schema(&format!(r#"{{"$id":"https://example.com/{}","properties":{{{properties}}}}}"#, "i".repeat(size / 2)))
    }),
    reads("schema: a long id above many references", FULL, |size| {
        let properties = items(size / 2, |at| format!(r##""{at}":{{"$ref":"#"}}"##));
        schema(&format!(r#"{{"$id":"https://example.com/{}","properties":{{{properties}}}}}"#, "i".repeat(size / 2)))
    }),
    reads("schema: many ids", FULL, |size| {
        schema(&format!(r#"{{"$defs":{{{}}}}}"#, items(size, |at| format!(r#""{at}":{{"$id":"urn:x:{at}"}}"#))))
    }),
    reads("schema: five hundred long ids", 490, |count| {
        let definition =
            |at| format!(r#""{at}":{{"$id":"urn:x:{}:{at}","items":{{"$ref":"urn:y"}}}}"#, "i".repeat(4_000));
        let known = r#""y":{"$id":"urn:y"}"#;
        schema(&format!(r#"{{"$defs":{{{},{known}}}}}"#, counted(count, definition)))
    }),
    reads("schema: many anchors", FULL, |size| {
        schema(&format!(r#"{{"$defs":{{{}}}}}"#, items(size, |at| format!(r#""{at}":{{"$anchor":"a{at}"}}"#))))
    }),
    reads("schema: many dynamic anchors and references", FULL, |size| {
        let one = |at: usize| format!(r##""{at}":{{"$dynamicAnchor":"a{at}","items":{{"$dynamicRef":"#a{at}"}}}}"##);
        schema(&format!(r#"{{"$defs":{{{}}}}}"#, items(size, one)))
    }),
    reads("schema: ids that refer to each other", 8, |count| {
        let refers = counted(count, |to| format!(r#""{to}":{{"$ref":"urn:r{to}"}}"#));
        let part = |at| format!(r#""{at}":{{"$id":"urn:r{at}","properties":{{{refers}}}}}"#);
        schema(&format!(r#"{{"$defs":{{{}}},"$ref":"urn:r0"}}"#, counted(count, part)))
    }),
    reads("schema: a long key above a reference to nowhere", FULL, |size| {
        let inner = items(size / 2, |at| format!(r#""{at}":{{}}"#));
        let last = r#""last":{"$ref":"urn:nowhere"}"#;
        schema(&format!(r#"{{"properties":{{"{}":{{"properties":{{{last},{inner}}}}}}}}}"#, "k".repeat(size / 2)))
    }),
    reads("schema: the same with places that are not there", FULL, |size| {
        let inner = items(size / 2, |at| format!(r#""{at}":{{}}"#));
        let last = r##""last":{"$ref":"#/$defs/nowhere"}"##;
        schema(&format!(r#"{{"properties":{{"{}":{{"properties":{{{inner},{last}}}}}}}}}"#, "k".repeat(size / 2)))
    }),
    reads("schema: branches, a hundred thousand", 100_000, |count| {
        schema(&format!(r#"{{"anyOf":[{}]}}"#, counted(count, |at| format!(r#"{{"const":{at}}}"#))))
    }),
    reads("schema: if, then, else, in each other", FULL, |size| {
        let chain = format!("{}true{}", r#"{"if":{"type":"object"},"then":true,"else":"#.repeat(50), "}".repeat(50));
        schema(&format!(r#"{{"allOf":[{}]}}"#, items(size, |_| chain.clone())))
    }),
    reads("schema: an enum of a million", FULL, |size| {
        schema(&format!(r#"{{"enum":[{}]}}"#, items(size, |at| at.to_string())))
    }),
    reads("schema: an enum of many lists", FULL, |size| {
        schema(&format!(r#"{{"enum":[{}]}}"#, items(size, |at| format!("[{at}]"))))
    }),
    reads("schema: required names, many", FULL, |size| {
        schema(&format!(r#"{{"required":[{}]}}"#, items(size, |at| format!("\"{at}\""))))
    }),
    reads("schema: required names, the same", FULL, |size| {
        schema(&format!(r#"{{"required":[{}]}}"#, items(size, |_| "\"a\"".into())))
    }),
    reads("schema: junk under keywords", FULL, |size| {
        schema(&format!(r#"{{"type":[{}],"minimum":[],"properties":[]}}"#, items(size, |_| "{}".into())))
    }),
    reads("schema: junk for many subschemas", FULL, |size| {
        schema(&format!(r#"{{"properties":{{{}}}}}"#, items(size, |at| format!(r#""{at}":7"#))))
    }),
    reads("schema: draft 4, many properties", FULL, |size| {
        schema(&of_draft(
            "http://json-schema.org/draft-04/schema#",
            &items(size, |at| format!(r#""{at}":{{"minimum":1}}"#)),
        ))
    }),
    reads("schema: draft 7, many properties", FULL, |size| {
        let dependencies = items(size, |at| format!(r#""{at}":{{"dependencies":{{"a":["b"]}}}}"#));
        schema(&of_draft("http://json-schema.org/draft-07/schema#", &dependencies))
    }),
    reads("schema: draft 2019, many recursive references", FULL, |size| {
        let properties = items(size, |at| format!(r##""{at}":{{"$recursiveRef":"#"}}"##));
        schema(&of_draft("https://json-schema.org/draft/2019-09/schema", &properties))
    }),
    reads("schema: draft 2019, junk for many subschemas", FULL, |size| {
        let properties = items(size, |at| format!(r#""{at}":{{"minimum":"x"}}"#));
        schema(&of_draft("https://json-schema.org/draft/2019-09/schema", &properties))
    }),
    reads("a thousand schemas of draft 7", 1_000, |count| {
        thousand(count, |_| r#"{"$schema":"http://json-schema.org/draft-07/schema#","minimum":1}"#.into())
    }),
    reads("a thousand schemas that the metaschema is asked about", 1_000, |count| {
        thousand(count, |at| format!(r#"{{"$anchor":"a{at}"}}"#))
    }),
    reads("a thousand schemas that refer to the metaschema", 1_000, |count| {
        thousand(count, |_| r#"{"$ref":"https://json-schema.org/draft/2020-12/schema"}"#.into())
    }),
    reads("a thousand schemas that are none", 1_000, |count| {
        thousand(count, |_| format!(r#"{{"type":"{}"}}"#, "t".repeat(1_900)))
    }),
    reads("a thousand small patterns", 1_000, |count| {
        thousand(count, |at| format!(r#"{{"pattern":"^[a-z]{{1,{}}}$"}}"#, 400 + at % 9))
    }),
    reads("a thousand patterns of Unicode classes", 1_000, |count| {
        thousand(count, |at| format!(r#"{{"pattern":"\\p{{L}}{{{}}}"}}"#, 400 + at % 9))
    }),
    reads("a thousand patterns that go back", 1_000, |count| {
        thousand(count, |at| format!(r#"{{"pattern":"(?=(a|b){{{}}})c"}}"#, 1_000 + at % 9))
    }),
    reads("schema: a pattern of two million characters", FULL, |size| {
        schema(&format!(r#"{{"pattern":"{}"}}"#, "a".repeat(size)))
    }),
    reads("schema: a pattern of many groups", FULL, |size| {
        schema(&format!(r#"{{"pattern":"{}"}}"#, "(a)|".repeat(size / 4)))
    }),
    reads("schema: many patterns of Unicode classes", 450, |count| {
        schema(&format!(
            r#"{{"anyOf":[{}]}}"#,
            counted(count, |at| format!(r#"{{"pattern":"[\\p{{L}}\\P{{N}}]{at}"}}"#))
        ))
    }),
    reads("schema: names by many patterns", 9_000, |count| {
        schema(&format!(r#"{{"patternProperties":{{{}}}}}"#, counted(count, |at| format!(r#""^a{at}$":true"#))))
    }),
    reads("schema: a default of a megabyte", FULL, |size| {
        calls::read(with_default("{}", &format!("[{}]", items(size, |_| r#"{"":0}"#.into()))))
    }),
];

fn schema(schema: &str) -> calls::Made {
    calls::read(asks_json(schema))
}

fn to_definition(at: usize) -> String {
    format!(r##""{at}":{{"$ref":"#/$defs/{at}"}}"##)
}

fn of_draft(draft: &str, properties: &str) -> String {
    format!(r#"{{"$schema":"{draft}","properties":{{{properties}}}}}"#)
}

/// So many questions with a schema each.
fn thousand(count: usize, schema: impl Fn(usize) -> String) -> calls::Made {
    calls::read(asks(&counted(count, |at| {
        format!(r#"{{"id":"{at}","text":"?","answer_type":"schema","schema":{}}}"#, schema(at))
    })))
}
