//! The work that schemas cause: what is ordinary stays far below the budget of a call, and nothing goes past it.

use ask_user_core::{
    Budget, Refusal,
    schema::{SchemaChecker, SchemaFault, Validator},
};
use serde_json::{Map, Value, json};

/// How one call with several schemas ends, each with a value to check.
fn ending(schemas: &[(Value, Value)], budget: &mut Budget) -> &'static str {
    let mut compiled = Vec::new();
    for (schema, value) in schemas {
        let schema = match Validator::default().compile(schema, budget) {
            Ok(schema) => schema,
            Err(SchemaFault::TooLarge { .. }) => return "schema too large",
            Err(SchemaFault::Invalid { .. }) => return "invalid schema",
        };
        assert!(schema.template().is_none_or(|template| template.to_string().len() < 1_000_000));
        match schema.check(value, budget) {
            Ok(()) => compiled.push(schema),
            Err(Refusal::TooLarge { .. }) => return "value too large",
            Err(refusal) => {
                assert!(Value::Object(refusal.to_json()).to_string().len() < 64_000);
                return "mismatch";
            }
        }
    }
    "accepted"
}

/// How long that takes is measured by `cargo xtask bench hostile`.
fn ends(name: &str, schemas: &[(Value, Value)], expected: &str) {
    assert_eq!(ending(schemas, &mut Budget::default()), expected, "{name}");
}

fn object(count: usize, field: impl Fn(usize) -> (String, Value)) -> Value {
    (0..count).map(field).collect::<Map<_, _>>().into()
}

fn list(count: usize) -> Value {
    (0..count).collect()
}

/// References that each lead to the next twice.
fn doubled(links: usize, keyword: &str, last: Value) -> Value {
    let mut definitions = object(links, |link| {
        let next = json!({ "$ref": format!("#/$defs/n{}", link + 1) });
        (format!("n{link}"), json!({ keyword: [next, next] }))
    });
    definitions[format!("n{links}")] = last;
    json!({ "$defs": definitions, "$ref": "#/$defs/n0" })
}

#[test]
fn ordinary_schemas_take_less_than_a_tenth_of_the_budget() {
    let package = json!({
        "$schema": "http://json-schema.org/draft-07/schema#",
        "type": "object",
        "required": ["name", "version"],
        "properties": {
            "name": { "type": "string", "maxLength": 214, "pattern": "^(?:(?:@(?:[a-z0-9-*~][a-z0-9-*._~]*)?/[a-z0-9-._~])|[a-z0-9-~])[a-z0-9-._~]*$" },
            "version": { "type": "string" },
            "homepage": { "type": "string", "format": "uri" },
            "dependencies": { "$ref": "#/definitions/dependency" },
            "private": { "anyOf": [{ "type": "boolean" }, { "enum": ["false", "true"] }] }
        },
        "definitions": { "dependency": { "type": "object", "additionalProperties": { "type": "string" } } }
    });
    let dependencies = object(40, |place| (format!("package{place}"), json!("^1.0.0")));
    let component = |place: usize| {
        let component = json!({
            "type": "object",
            "description": "A component of an interface.",
            "required": ["id", "name"],
            "properties": {
                "id": { "type": "string", "format": "uuid" },
                "name": { "type": "string", "minLength": 1, "pattern": "^[a-z0-9-]{1,63}$" },
                "labels": { "type": "object", "additionalProperties": { "type": "string" } },
                "next": { "$ref": format!("#/$defs/c{}", (place + 1) % 50) },
                "either": { "oneOf": [{ "type": "string" }, { "type": "integer" }, { "$ref": "#/$defs/c3" }] }
            },
            "additionalProperties": false
        });
        (format!("c{place}"), component)
    };
    let id = "0e3c1b5e-1f9c-4b6c-8a7e-1c1f3a3b5d77";
    let service = json!({
        "type": "object",
        "required": ["host", "port"],
        "properties": {
            "host": { "type": "string", "format": "hostname" },
            "port": { "type": "integer", "minimum": 1, "maximum": 65535 },
            "tags": { "type": "array", "items": { "type": "string" }, "uniqueItems": true },
            "memory": { "type": "string", "pattern": "^[0-9]+(Mi|Gi)$" }
        }
    });
    let configuration = object(600, |place| {
        let service = json!({ "host": "host.example.com", "port": 8080, "tags": ["a", "b"], "memory": "512Mi" });
        (format!("service{place}"), service)
    });
    assert!(configuration.to_string().len() > 50_000);
    let patterns =
        ["^[a-z0-9-]{1,63}$", "^[\\w.+-]+@[\\w-]+\\.[\\w.]{2,}$", "^\\d{3}-\\d{4}$", "^v?\\d+(\\.\\d+){0,2}$"];
    let form = object(20, |place| {
        let pattern = patterns[place % patterns.len()].replace("63", &(40 + place).to_string());
        (format!("p{place}"), json!({ "type": "string", "pattern": pattern }))
    });
    let password = json!({ "type": "string", "pattern": "^(?=.*[A-Z])(?=.*\\d).{8,}$" });
    for (name, schema, value) in [
        ("package", package, json!({ "name": "@a/b", "version": "1.0.0", "dependencies": dependencies })),
        (
            "components",
            json!({ "$defs": object(50, component), "$ref": "#/$defs/c0" }),
            json!({ "id": id, "name": "a", "next": { "id": id, "name": "b", "either": { "id": id, "name": "c" } } }),
        ),
        ("configuration", json!({ "type": "object", "additionalProperties": service }), configuration),
        ("form", json!({ "properties": form }), json!({ "p0": "some-name", "p1": "a@example.com", "p2": "555-1234" })),
        ("password", password, json!("Abcdefgh123")),
        ("names", json!({ "pattern": "^[\\p{L}\\p{M}' -]+$" }), json!("Zoë")),
    ] {
        let budget = &mut Budget::default();
        assert_eq!(ending(&[(schema, value)], budget), "accepted", "{name}");
        let spent = Budget::DEFAULT - budget.left();
        assert!(spent < Budget::DEFAULT / 10, "{name} takes {spent}");
    }
}

#[test]
fn values_are_compared_by_their_whole_size() {
    let large = (0..40).fold(json!("x".repeat(5_000)), |value, _| json!([value, list(1_000)]));
    ends("doubled const", &[(doubled(12, "allOf", json!({ "const": large })), large.clone())], "value too large");
    let many: Value = (0..20).map(|_| list(40_000)).collect();
    ends("const of items", &[(json!({ "items": { "const": list(40_000) } }), many)], "value too large");
    let choices =
        |first: usize| (first..first + 3_000).map(|n| json!({ "k": n, "a": "x".repeat(50) })).collect::<Value>();
    ends("enum of objects", &[(json!({ "items": { "enum": choices(0) } }), choices(1))], "value too large");
    ends(
        "doubled uniqueItems",
        &[(doubled(10, "allOf", json!({ "uniqueItems": true })), list(10_000))],
        "value too large",
    );
}

#[test]
fn violations_are_bounded_in_number_and_size() {
    let branches: Value = (0..200).map(|n| json!({ "required": [format!("a{n}")] })).collect();
    let large = object(5_000, |place| (format!("k{place}"), json!({ "a": 1 })));
    ends("anyOf of 200 branches", &[(json!({ "anyOf": branches }), large)], "mismatch");
    let tree = (0..60).fold(json!(false), |inner, _| json!({ "anyOf": [inner, { "type": "null" }, { "const": 1 }] }));
    ends("nested anyOf", &[(tree, list(1_000))], "mismatch");
    let long = "k\u{1}".repeat(200_000);
    ends(
        "a long name",
        &[(json!({ "additionalProperties": { "type": "string" } }), json!({ long.clone(): 1 }))],
        "mismatch",
    );
    ends(
        "a long name too many",
        &[(json!({ "additionalProperties": false, "properties": {} }), json!({ long.clone(): 1 }))],
        "mismatch",
    );
    let many = json!({ "properties": { &long: { "items": { "type": "string" } } } });
    ends("many under a long name", &[(many, json!({ long: list(1_000) }))], "mismatch");
    ends("items", &[(json!({ "items": { "type": "string" } }), list(50_000))], "mismatch");
}

#[test]
fn patterns_of_all_schemas_are_charged_together() {
    let each = |count: usize, pattern: &dyn Fn(usize) -> String| -> Vec<(Value, Value)> {
        (0..count).map(|place| (json!({ "pattern": pattern(place) }), json!(1))).collect()
    };
    ends("a thousand", &each(1_000, &|place| format!("^[a-z]{{1,{}}}[^a-z]?", place % 90 + 900)), "schema too large");
    ends("letters", &each(600, &|place| format!("\\p{{L}}{{400}}{place}")), "schema too large");
    let ten = object(10, |place| (format!("p{place}"), json!({ "pattern": format!("\\p{{L}}{{40{place}}}") })));
    ends("ten in one", &[(json!({ "properties": ten }), json!({}))], "schema too large");
    ends("escapes", &each(1, &|_| "\\d".repeat(3_000)), "schema too large");
    ends("braces", &each(1, &|_| "{".repeat(200_000)), "schema too large");
    ends("groups", &each(1, &|_| "(".repeat(200_000)), "schema too large");
    ends("look-around", &each(600, &|place| format!("(?=a)a|x{place}")), "schema too large");
    let format = json!({ "items": { "format": "regex" } });
    let patterns = (0..5_000).map(|place| format!("(\\p{{L}}{{1{place}}})")).collect::<Value>();
    ends("patterns as values", &[(format, patterns)], "value too large");
}

#[test]
fn long_names_and_ids_are_charged_for_everything_under_them() {
    let long = "k".repeat(1_000_000);
    let titles: Value = (0..2_000).map(|n| json!({ "title": n.to_string() })).collect();
    let schema = json!({ "properties": { &long: { "allOf": titles, "$ref": "https://example.com/" } } });
    ends("an unresolved reference", &[(schema, json!({}))], "schema too large");
    let schema = json!({ "properties": { &long: { "$ref": "https://example.com/" } } });
    ends("only that", &[(schema, json!({}))], "invalid schema");
    let refers = object(3_000, |place| (place.to_string(), json!({ "$ref": "#/properties/0" })));
    let schema = json!({ "$id": format!("https://example.com/{long}"), "properties": refers });
    ends("a long id", &[(schema, json!({}))], "schema too large");
    let ids = object(20_000, |place| (place.to_string(), json!({ "$id": format!("https://example.com/{place}") })));
    ends("many ids", &[(json!({ "$defs": ids }), json!({}))], "schema too large");
    ends("many schemas", &vec![(json!({}), json!({})); 50_000], "schema too large");
}

#[test]
fn evaluation_that_repeats_itself_is_charged_each_time() {
    let integers = object(20, |place| (place.to_string(), json!(1)));
    let nested = |depth: usize| {
        (0..depth)
            .fold(json!({}), |inner, _| json!({ "allOf": [inner], "unevaluatedProperties": { "type": "integer" } }))
    };
    ends("unevaluated", &[(nested(4), integers.clone())], "accepted");
    ends("unevaluated in unevaluated", &[(nested(24), integers)], "value too large");
    ends("doubled anyOf", &[(doubled(30, "anyOf", json!({ "not": {} })), json!(1))], "value too large");
    let content =
        json!({ "$schema": "http://json-schema.org/draft-07/schema#", "contentMediaType": "application/json" });
    ends("content", &[(content, json!(format!("[{}1]", "1,".repeat(400_000))))], "value too large");
}

#[test]
fn the_metaschema_explains_no_more_than_the_budget_allows() {
    for draft in ["http://json-schema.org/draft-07/schema#", "https://json-schema.org/draft/2019-09/schema"] {
        let junk = |title: usize| {
            let inner = (0..50).fold(json!(1), |inner, _| json!({ "items": [inner, { "title": "x".repeat(title) }] }));
            let mut schema = json!({ "dependencies": { "a": ["b"] }, "properties": { "a": inner } });
            schema["$schema"] = json!(draft);
            schema
        };
        ends("a little", &[(junk(10), json!({}))], "invalid schema");
        ends("a lot", &[(junk(20_000), json!({}))], "schema too large");
    }
}
