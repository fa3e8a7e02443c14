//! The table of keywords in docs/json-schema.md, made by opening fields with and without each keyword. The test fails when the page says
//! something else; `WRITE=1 cargo test --package ask-user-tests fields::table` writes it anew.

use super::{filled, level, line, open};
use ask_user_core::{
    Budget,
    schema::{CompiledSchema, Fields, Validator},
};
use serde_json::{Value, json};
use std::{collections::BTreeSet, fmt::Write, path::Path};

const PAGE: &str = "../docs/json-schema.md";
const BEGIN: &str = "<!-- the table of keywords: made by a test -->\n";
const END: &str = "<!-- the end of the table of keywords -->\n";

/// A keyword, a schema with it, and a value that is there.
struct Case {
    keyword: &'static str,
    schema: Value,
    value: Value,
}

fn case(keyword: &'static str, schema: Value) -> Case {
    Case { keyword, schema, value: Value::Null }
}

fn with(keyword: &'static str, schema: Value, value: Value) -> Case {
    Case { keyword, schema, value }
}

fn cases() -> Vec<Case> {
    let draft = |name: &str| {
        let old = format!("http://json-schema.org/draft-{name}/schema#");
        if name.len() == 2 { old } else { format!("https://json-schema.org/draft/{name}/schema") }
    };
    vec![
        case("type", json!({ "type": "integer" })),
        case("type", json!({ "type": ["string", "number", "null"] })),
        case("enum", json!({ "enum": ["a", "b", 3] })),
        case("enum", json!({ "type": "array", "uniqueItems": true, "items": { "enum": ["a", "b"] } })),
        case("const", json!({ "const": 2 })),
        case("title", json!({ "title": "Port", "type": "integer" })),
        case("description", json!({ "description": "Where it listens", "type": "integer" })),
        case("default", json!({ "default": 80, "type": "integer" })),
        case("examples", json!({ "examples": [80], "type": "integer" })),
        case("deprecated", json!({ "deprecated": true, "type": "integer" })),
        case("readOnly", json!({ "readOnly": true, "type": "integer" })),
        case("writeOnly", json!({ "writeOnly": true, "type": "string" })),
        case("$comment", json!({ "$comment": "for authors", "type": "integer" })),
        case("format", json!({ "type": "string", "format": "email" })),
        case("minLength", json!({ "type": "string", "minLength": 1 })),
        case("maxLength", json!({ "type": "string", "maxLength": 9 })),
        case("pattern", json!({ "type": "string", "pattern": "^a" })),
        case("contentEncoding", json!({ "type": "string", "contentEncoding": "base64" })),
        case("contentMediaType", json!({ "type": "string", "contentMediaType": "image/png" })),
        case(
            "contentSchema",
            json!({ "type": "string", "contentMediaType": "application/json", "contentSchema": { "type": "object" } }),
        ),
        case("minimum", json!({ "type": "integer", "minimum": 1 })),
        case("maximum", json!({ "type": "integer", "maximum": 9 })),
        case("exclusiveMinimum", json!({ "type": "number", "exclusiveMinimum": 0 })),
        case(
            "exclusiveMinimum",
            json!({ "$schema": draft("04"), "type": "number", "minimum": 0, "exclusiveMinimum": true }),
        ),
        case("exclusiveMaximum", json!({ "type": "number", "exclusiveMaximum": 1 })),
        case("multipleOf", json!({ "type": "number", "multipleOf": 0.5 })),
        case("properties", json!({ "properties": { "a": { "type": "string" } } })),
        case("required", json!({ "properties": { "a": { "type": "string" } }, "required": ["a", "b"] })),
        case("additionalProperties", json!({ "type": "object", "additionalProperties": { "type": "integer" } })),
        with(
            "additionalProperties",
            json!({ "properties": { "a": {} }, "additionalProperties": false }),
            json!({ "b": 1 }),
        ),
        with(
            "patternProperties",
            json!({ "patternProperties": { "^x-": { "type": "string" } } }),
            json!({ "x-a": "b" }),
        ),
        case("propertyNames", json!({ "type": "object", "propertyNames": { "pattern": "^[a-z]+$" } })),
        case("minProperties", json!({ "type": "object", "minProperties": 1 })),
        case("maxProperties", json!({ "type": "object", "maxProperties": 2 })),
        with(
            "unevaluatedProperties",
            json!({ "allOf": [{ "properties": { "a": {} } }], "unevaluatedProperties": false }),
            json!({ "b": 1 }),
        ),
        with(
            "dependentRequired",
            json!({ "properties": { "a": {}, "b": {} }, "dependentRequired": { "a": ["b"] } }),
            json!({ "a": 1 }),
        ),
        with(
            "dependentSchemas",
            json!({ "properties": { "a": {} }, "dependentSchemas": { "a": { "properties": { "b": { "type": "string" } } } } }),
            json!({ "a": 1 }),
        ),
        with(
            "dependencies",
            json!({ "$schema": draft("07"), "properties": { "a": {} }, "dependencies": { "a": ["b"] } }),
            json!({ "a": 1 }),
        ),
        with("items", json!({ "type": "array", "items": { "type": "integer" } }), json!([1])),
        with(
            "items",
            json!({ "$schema": draft("07"), "items": [{ "type": "integer" }, { "type": "string" }] }),
            json!([1]),
        ),
        with("prefixItems", json!({ "prefixItems": [{ "type": "integer" }, { "type": "string" }] }), json!([1])),
        with(
            "additionalItems",
            json!({ "$schema": draft("07"), "items": [{ "type": "integer" }], "additionalItems": false }),
            json!([1, 2]),
        ),
        with(
            "unevaluatedItems",
            json!({ "prefixItems": [{ "type": "integer" }], "unevaluatedItems": { "type": "string" } }),
            json!([1, "a"]),
        ),
        case("contains", json!({ "type": "array", "contains": { "const": 1 } })),
        case("minContains", json!({ "type": "array", "contains": { "const": 1 }, "minContains": 2 })),
        case("maxContains", json!({ "type": "array", "contains": { "const": 1 }, "maxContains": 2 })),
        case("minItems", json!({ "type": "array", "minItems": 1 })),
        case("maxItems", json!({ "type": "array", "maxItems": 3 })),
        case("uniqueItems", json!({ "type": "array", "items": { "type": "string" }, "uniqueItems": true })),
        case("allOf", json!({ "allOf": [{ "properties": { "a": { "type": "string" } } }, { "required": ["a"] }] })),
        case("anyOf", json!({ "anyOf": [{ "type": "string", "title": "A name" }, { "type": "integer" }] })),
        with(
            "oneOf",
            json!({ "oneOf": [{ "properties": { "kind": { "const": "a" }, "x": { "type": "string" } } }, { "properties": { "kind": { "const": "b" } } }] }),
            json!({ "kind": "a" }),
        ),
        case(
            "oneOf",
            json!({ "oneOf": [{ "const": "eu", "title": "Europe" }, { "const": "us", "title": "America" }] }),
        ),
        case(
            "anyOf",
            json!({ "properties": { "a": {}, "b": {} }, "anyOf": [{ "required": ["a"] }, { "required": ["b"] }] }),
        ),
        case("not", json!({ "type": "string", "not": { "const": "root" } })),
        with(
            "if",
            json!({ "properties": { "a": { "type": "boolean" } }, "if": { "properties": { "a": { "const": true } }, "required": ["a"] }, "then": { "properties": { "b": { "type": "string" } } } }),
            json!({ "a": true }),
        ),
        with("then", json!({ "if": true, "then": { "properties": { "b": { "type": "string" } } } }), json!({})),
        with("else", json!({ "if": false, "else": { "properties": { "b": { "type": "string" } } } }), json!({})),
        case("$ref", json!({ "$ref": "#/$defs/a", "$defs": { "a": { "type": "string" } } })),
        case("$defs", json!({ "$ref": "#/$defs/a", "$defs": { "a": { "type": "string" } } })),
        case("definitions", json!({ "$ref": "#/definitions/a", "definitions": { "a": { "type": "string" } } })),
        case(
            "$id",
            json!({ "$id": "https://example.com/a", "$ref": "a#/$defs/b", "$defs": { "b": { "type": "string" } } }),
        ),
        case(
            "id",
            json!({ "$schema": draft("04"), "id": "https://example.com/a", "properties": { "b": { "$ref": "a#/definitions/b" } }, "definitions": { "b": { "type": "string" } } }),
        ),
        case("$anchor", json!({ "$ref": "#b", "$defs": { "b": { "$anchor": "b", "type": "string" } } })),
        case("$dynamicRef", json!({ "$dynamicAnchor": "node", "properties": { "next": { "$dynamicRef": "#node" } } })),
        case(
            "$dynamicAnchor",
            json!({ "$dynamicAnchor": "node", "properties": { "next": { "$dynamicRef": "#node" } } }),
        ),
        case(
            "$recursiveRef",
            json!({ "$schema": draft("2019-09"), "properties": { "next": { "$recursiveRef": "#" } } }),
        ),
        with(
            "$recursiveAnchor",
            json!({
                "$schema": draft("2019-09"), "$id": "https://example.com/strict", "$recursiveAnchor": true, "$ref": "tree",
                "properties": { "name": { "type": "string" } },
                "$defs": { "tree": { "$id": "tree", "$recursiveAnchor": true, "properties": { "next": { "$recursiveRef": "#" } } } }
            }),
            json!({ "next": {} }),
        ),
        case("$schema", json!({ "$schema": draft("07"), "type": "array", "items": [{ "type": "integer" }] })),
        with("`true`", json!({ "properties": { "a": true } }), json!({ "a": "any" })),
        with("`false`", json!({ "properties": { "a": false, "b": {} } }), json!({ "a": 1 })),
        case("enumNames", json!({ "enum": ["eu", "us"], "enumNames": ["Europe", "America"] })),
        with(
            "discriminator",
            json!({
                "oneOf": [{ "$ref": "#/$defs/Cat" }, { "$ref": "#/$defs/Dog" }], "discriminator": { "propertyName": "type" },
                "$defs": { "Cat": { "properties": { "type": { "type": "string" } } }, "Dog": { "properties": { "type": { "type": "string" } } } }
            }),
            json!({ "type": "Dog" }),
        ),
        case("nullable", json!({ "type": "string", "nullable": true })),
    ]
}

/// The keywords of all drafts, and those of others that the model reads.
const KEYWORDS: &str = "$anchor $comment $defs $dynamicAnchor $dynamicRef $id $recursiveAnchor $recursiveRef $ref $schema additionalItems \
    additionalProperties allOf anyOf const contains contentEncoding contentMediaType contentSchema default definitions dependencies dependentRequired \
    dependentSchemas deprecated description discriminator else enum enumNames examples exclusiveMaximum exclusiveMinimum format id if items maxContains \
    maxItems maxLength maxProperties maximum minContains minItems minLength minProperties minimum multipleOf not nullable oneOf pattern \
    patternProperties prefixItems properties propertyNames readOnly required then title type unevaluatedItems unevaluatedProperties \
    uniqueItems writeOnly";

/// The fields of a case. `None` if the schema cannot be used.
fn filled_in(schema: &Value, value: &Value) -> Option<Fields> {
    let compiled = Validator::default().prepare(schema, &mut Budget::default()).ok()?;
    let text = if value.is_null() { String::new() } else { value.to_string() };
    Some(filled(&compiled, &text))
}

/// Every field down to the third level.
fn all(fields: &mut Fields, pointer: &str, levels: usize) -> Vec<Value> {
    let field = open(fields, pointer, &json!({}));
    let children = field["children"].as_array().cloned().unwrap_or_default();
    let mut found = vec![field];
    for child in children.iter().filter(|_| levels > 0) {
        found.extend(all(fields, child["pointer"].as_str().unwrap(), levels - 1));
    }
    found
}

/// The schema without a keyword, at every depth.
fn without(schema: &Value, keyword: &str) -> Value {
    match schema {
        Value::Object(fields) => fields
            .iter()
            .filter(|(name, _)| *name != keyword)
            .map(|(name, field)| (name.clone(), without(field, keyword)))
            .collect::<serde_json::Map<_, _>>()
            .into(),
        Value::Array(items) => items.iter().map(|item| without(item, keyword)).collect(),
        other => other.clone(),
    }
}

/// Values that keywords judge.
fn probes() -> [Value; 11] {
    [
        json!(null),
        json!("a"),
        json!("root"),
        json!("%"),
        json!(1),
        json!([]),
        json!([1]),
        json!([1, 1, 1]),
        json!({}),
        json!({ "a": 1 }),
        json!({ "a": 1, "b": 2, "c": 3 }),
    ]
}

/// What the model makes of the keyword.
fn verdict(case: &Case) -> &'static str {
    let mut fields = filled_in(&case.schema, &case.value).expect(case.keyword);
    let shown = all(&mut fields, "", 2);
    if shown.iter().any(|field| field["kind"] == "json") {
        return "JSON";
    }
    let plain = without(&case.schema, case.keyword);
    let other = filled_in(&plain, &case.value).map(|mut fields| all(&mut fields, "", 2));
    if case.keyword.starts_with('`') || other.as_ref() != Some(&shown) {
        return "fields";
    }
    let [own, plain] = [&case.schema, &plain].map(|schema| {
        let compiled = Validator::default().prepare(schema, &mut Budget::default()).unwrap();
        probes().map(|value| compiled.check(&value, &mut Budget::default()).is_ok())
    });
    if own == plain { "not used" } else { "when it is sent" }
}

/// The field at the root, what it keeps to, and its children, in words.
fn outline(case: &Case) -> String {
    let field = open(&mut filled_in(&case.schema, &case.value).unwrap(), "", &json!({}));
    let mut said = line(&field).replace('=', "");
    for key in [
        "title",
        "description",
        "format",
        "default",
        "examples",
        "const",
        "deprecated",
        "readOnly",
        "writeOnly",
        "limits",
    ] {
        if let Some(value) = field.get(key) {
            let value = if value == &json!(true) { key.to_owned() } else { format!("{key} {value}") };
            write!(said, ", {}", value.replace('"', "").replace("limits ", "")).unwrap();
        }
    }
    let calls =
        |option: &Value| ["title", "name", "kind"].iter().find_map(|key| option[key].as_str()).unwrap().to_owned();
    for group in field["groups"].as_array().into_iter().flatten() {
        let options: Vec<String> = group["options"].as_array().unwrap().iter().map(calls).collect();
        write!(said, "; a choice of {}", options.join(", ")).unwrap();
    }
    let named = |choice: &Value| choice["title"].as_str().map_or_else(|| choice["value"].to_string(), str::to_owned);
    if let Some(values) = field["values"].as_array().filter(|_| field.get("const").is_none()) {
        write!(said, " of {}", values.iter().map(named).collect::<Vec<_>>().join(", ")).unwrap();
    }
    let children = level(&field);
    if !children.is_empty() {
        write!(said, "; {}", children.join(", ")).unwrap();
    }
    if let Some(add) = field.get("add").filter(|add| add.get("index").is_some() || add.get("stated").is_some()) {
        let of = add["of"].as_array().map_or_else(
            || vec![add["kind"].as_str().unwrap()],
            |of| of.iter().map(|one| one["kind"].as_str().unwrap()).collect(),
        );
        write!(said, "; more: {}", of.join(", ")).unwrap();
        if let Some(names) = add.get("names") {
            write!(said, " ({})", names.to_string().replace('"', "")).unwrap();
        }
    }
    said
}

fn table() -> String {
    let mut table = String::from("| keyword | shown as | in this schema | gives |\n| --- | --- | --- | --- |\n");
    for case in cases() {
        let schema = without(&case.schema, "$schema").to_string();
        let schema = if case.keyword == "$schema" { case.schema.to_string() } else { schema };
        let value = if case.value.is_null() { String::new() } else { format!(" and `{}`", case.value) };
        let keyword =
            if case.keyword.starts_with('`') { case.keyword.to_owned() } else { format!("`{}`", case.keyword) };
        let cells = [keyword, verdict(&case).into(), format!("`{schema}`{value}"), outline(&case)];
        writeln!(table, "| {} |", cells.map(|cell| cell.replace('|', "\\|")).join(" | ")).unwrap();
    }
    table
}

#[test]
fn the_table_of_keywords_is_that_of_the_code() {
    let tried: BTreeSet<&str> =
        cases().iter().map(|case| case.keyword).filter(|keyword| !keyword.starts_with('`')).collect();
    assert_eq!(tried, KEYWORDS.split_whitespace().collect::<BTreeSet<_>>());
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(PAGE);
    let page = std::fs::read_to_string(&path).unwrap();
    let (before, rest) = page.split_once(BEGIN).expect("the page has the place of the table");
    let (written, after) = rest.split_once(END).expect("the page has the end of the table");
    let made = table();
    if std::env::var_os("WRITE").is_some() {
        std::fs::write(&path, format!("{before}{BEGIN}{made}{END}{after}")).unwrap();
    } else {
        assert!(
            written == made,
            "docs/json-schema.md is out of date; see the first lines of this file. It should say:\n{made}"
        );
    }
}
