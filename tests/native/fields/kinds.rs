//! The kind of each place, its children, and what applies there: merged, referred to, conditional.

use super::{children, fields, kind, level, line, open};
use serde_json::json;

#[test]
fn each_type_of_json_has_a_kind_of_field() {
    for (schema, text, expected) in [
        (json!({ "type": "string" }), "", "text"),
        (json!({ "type": "number" }), "1.5", "number="),
        (json!({ "type": "integer" }), "1.5", "integer="),
        (json!({ "type": "integer" }), "\"x\"", "integer=~"),
        (json!({ "type": "boolean" }), "true", "boolean="),
        (json!({ "type": "null" }), "null", "null="),
        (json!({ "type": "object" }), "[]", "object=~"),
        (json!({ "type": "array" }), "[]", "array="),
        (json!({ "enum": ["a", 1, null] }), "1.0", "choice="),
        (json!({ "enum": ["a", 1, null] }), "2", "choice=~"),
        (json!({ "const": { "a": [1] } }), "{\"a\":[1]}", "choice="),
        (json!({ "enum": [true, false] }), "", "boolean"),
        (json!({ "type": "array", "uniqueItems": true, "items": { "enum": ["a", "b"] } }), "[]", "choices="),
        (json!({ "type": "array", "items": { "enum": ["a", "b"] } }), "[]", "array="),
        (json!({ "type": "string", "enum": ["a", 1] }), "1", "choice=~"),
        (json!({ "type": "string", "enum": [1] }), "", "json (contradiction)"),
        (json!({ "allOf": [{ "type": "string" }, { "type": "number" }] }), "", "json (contradiction)"),
        (json!({ "allOf": [{ "type": "integer" }, { "type": ["number", "string"] }] }), "", "integer"),
        (json!(true), "", "options"),
        (json!({}), "\"x\"", "text="),
        (json!(false), "", "nothing"),
        (json!(false), "1", "json (not_allowed)="),
        (json!({ "minLength": 1 }), "", "text"),
        (json!({ "properties": {} }), "", "object"),
        (json!({ "properties": {} }), "\"x\"", "text="),
        (json!({ "items": {} }), "", "array"),
        (json!({ "multipleOf": 2 }), "", "number"),
    ] {
        assert_eq!(kind(&schema, text), expected, "{schema} {text}");
    }
}

#[test]
fn an_object_has_the_members_of_its_schema_then_those_of_the_value() {
    let schema = json!({
        "properties": { "b": { "type": "string" }, "a": { "type": "number" }, "never": false },
        "required": ["a", "c"],
        "patternProperties": { "^x-": { "type": "boolean" } },
        "additionalProperties": { "type": "integer" }
    });
    let text = r#"{"z":1,"x-on":true,"never":1,"a":"1"}"#;
    let expected = [
        "b: text",
        "a: number!=~",
        "never: json (not_allowed)=",
        "c: integer! [additional]",
        "z: integer= [additional]",
        "x-on: boolean= [pattern]",
    ];
    assert_eq!(children(&schema, text, ""), expected);
    let closed = json!({ "properties": { "a": { "type": "string" } }, "additionalProperties": false });
    assert_eq!(children(&closed, r#"{"b":{"c":1}}"#, ""), ["a: text", "b: json (not_allowed)= [unknown]"]);
    assert!(open(&mut fields(&closed, ""), "", &json!({})).get("add").is_none());
    let unevaluated = json!({ "allOf": [{ "properties": { "a": {} } }], "unevaluatedProperties": false });
    assert_eq!(children(&unevaluated, r#"{"a":"x","b":1}"#, ""), ["a: text=", "b: json (not_allowed)= [unknown]"]);
}

/// Several options of `anyOf` may hold. The fields are those of one; what the others speak of is not unknown.
#[test]
fn what_another_part_evaluates_is_not_unknown() {
    let schema = json!({
        "anyOf": [{ "properties": { "a": { "type": "number" } } }, { "properties": { "b": { "type": "number" } } }],
        "unevaluatedProperties": false
    });
    assert_eq!(children(&schema, r#"{"a":1,"b":2}"#, ""), ["a: number=", "b: number= [additional]"]);
    let last = "json (not_allowed)= [unknown]";
    assert_eq!(children(&schema, r#"{"a":1,"c":2}"#, ""), ["a: number=".to_owned(), format!("c: {last}")]);
    let items = json!({ "prefixItems": [true], "contains": { "type": "string" }, "unevaluatedItems": false });
    assert_eq!(children(&items, r#"[1,"x"]"#, ""), ["0: number= [prefix]", "1: text="]);
    assert_eq!(children(&items, r#"[1,2,"x"]"#, "")[1], format!("1: {last}"));
}

#[test]
fn subschemas_that_apply_together_are_merged_and_the_strictest_limit_holds() {
    let schema = json!({
        "title": "Outer",
        "allOf": [
            { "title": "Inner", "properties": { "a": { "type": "integer", "minimum": 1, "maximum": 9 } }, "required": ["a"] },
            { "$ref": "#/$defs/more" }
        ],
        "properties": { "a": { "minimum": 3, "description": "How many" } },
        "$defs": { "more": { "properties": { "a": { "maximum": 5, "multipleOf": 2 }, "b": { "type": "string", "minLength": 2, "pattern": "^a" } } } }
    });
    let field = open(&mut fields(&schema, ""), "", &json!({}));
    assert_eq!((field["title"].as_str(), level(&field)), (Some("Outer"), vec!["a: integer!".into(), "b: text".into()]));
    assert_eq!(field["children"][0]["limits"], json!({ "minimum": 3, "maximum": 5, "multipleOf": 2 }));
    assert_eq!(field["children"][0]["description"], "How many");
    assert_eq!(field["children"][1]["limits"], json!({ "minLength": 2, "patterns": ["^a"] }));
}

#[test]
fn arrays_have_items_tuples_and_what_may_be_added() {
    let tuple = json!({ "prefixItems": [{ "type": "string" }, { "type": "number" }], "items": { "type": "boolean" } });
    let mut of_tuple = fields(&tuple, r#"["a"]"#);
    let field = open(&mut of_tuple, "", &json!({}));
    assert_eq!(level(&field), ["0: text= [prefix]", "1: number [prefix]"]);
    assert_eq!(field["add"], json!({ "index": 1, "kind": "number" }));
    assert_eq!(children(&tuple, "[1,2,3]", ""), ["0: text=~ [prefix]", "1: number= [prefix]", "2: boolean=~"]);
    let old = json!({
        "$schema": "http://json-schema.org/draft-07/schema#",
        "items": [{ "type": "string" }], "additionalItems": false
    });
    assert_eq!(children(&old, "[\"a\",2]", ""), ["0: text= [prefix]", "1: json (not_allowed)= [unknown]"]);
    assert!(open(&mut fields(&old, "[\"a\"]"), "", &json!({})).get("add").is_none());
    let full = json!({ "items": { "type": "string" }, "maxItems": 1 });
    assert!(open(&mut fields(&full, "[\"a\"]"), "", &json!({})).get("add").is_none());
    let rest = json!({ "prefixItems": [{}], "unevaluatedItems": { "type": "null" } });
    assert_eq!(children(&rest, "[1,null]", ""), ["0: number= [prefix]", "1: null="]);
}

#[test]
fn a_level_is_given_in_parts() {
    let schema = json!({ "items": { "type": "integer" } });
    let text = format!("[{}]", vec!["1"; 1_000].join(","));
    let mut fields = fields(&schema, &text);
    let first = open(&mut fields, "", &json!({}));
    assert_eq!((first["total"].as_u64(), first["children"].as_array().unwrap().len()), (Some(1_000), 500));
    let last = open(&mut fields, "", &json!({ "from": 998, "count": 5 }));
    assert_eq!(level(&last), ["998: integer=", "999: integer="]);
    assert_eq!(last["from"], 998);
}

#[test]
fn recursion_opens_level_by_level() {
    let schema = json!({
        "$ref": "#/$defs/node",
        "$defs": { "node": {
            "properties": { "name": { "type": "string" }, "children": { "items": { "$ref": "#/$defs/node" } } },
            "required": ["name"]
        } }
    });
    assert_eq!(children(&schema, "", "/children/0/children/0"), ["name: text!", "children: array"]);
    let text = r#"{"children":[{"name":"a","children":[]}]}"#;
    assert_eq!(children(&schema, text, "/children"), ["0: object="]);
    assert_eq!(children(&schema, text, "/children/0"), ["name: text!=", "children: array="]);
}

#[test]
fn conditions_add_and_require_fields_as_the_value_says() {
    let schema = json!({
        "properties": { "country": { "enum": ["US", "NL"] }, "card": { "type": "string" } },
        "if": { "properties": { "country": { "const": "US" } }, "required": ["country"] },
        "then": { "properties": { "zip": { "type": "string" } }, "required": ["zip"] },
        "else": { "properties": { "postcode": { "type": "string" } } },
        "dependentRequired": { "card": ["holder"] },
        "dependentSchemas": { "card": { "properties": { "holder": { "type": "string" } } } }
    });
    assert_eq!(children(&schema, "", ""), ["country: choice", "card: text", "postcode: text"]);
    assert_eq!(children(&schema, r#"{"country":"US"}"#, ""), ["country: choice=", "card: text", "zip: text!"]);
    assert_eq!(
        children(&schema, r#"{"card":"1"}"#, ""),
        ["country: choice", "card: text=", "postcode: text", "holder: text!"]
    );
    let old = json!({
        "$schema": "http://json-schema.org/draft-04/schema#",
        "properties": { "a": { "type": "string" } },
        "dependencies": { "a": ["b"], "c": { "properties": { "d": { "type": "string" } } } }
    });
    assert_eq!(
        children(&old, r#"{"a":"","c":1}"#, ""),
        ["a: text=", "d: text", "b: options! [additional]", "c: number= [additional]"]
    );
}

#[test]
fn the_fields_follow_the_draft_of_the_schema() {
    let draft4 = json!({
        "$schema": "http://json-schema.org/draft-04/schema#", "id": "http://a/b",
        "properties": { "n": { "type": "number", "minimum": 1, "exclusiveMinimum": true, "maximum": 2, "exclusiveMaximum": false } }
    });
    let limits = &open(&mut fields(&draft4, ""), "", &json!({}))["children"][0]["limits"];
    assert_eq!(limits, &json!({ "exclusiveMinimum": 1, "maximum": 2 }));
    // Up to draft 7 the keywords beside a reference say nothing; what describes is taken all the same.
    let beside = json!({
        "$schema": "http://json-schema.org/draft-07/schema#",
        "properties": { "a": { "$ref": "#/definitions/a", "title": "Mine", "type": "string" } },
        "definitions": { "a": { "type": "integer", "title": "Theirs" } }
    });
    let child = open(&mut fields(&beside, ""), "", &json!({}))["children"][0].clone();
    assert_eq!((line(&child), child["title"].as_str()), ("a: integer".into(), Some("Mine")));
    let recursive = json!({
        "$schema": "https://json-schema.org/draft/2019-09/schema", "$id": "http://a/tree", "$recursiveAnchor": true,
        "properties": { "value": { "type": "number" }, "next": { "$recursiveRef": "#" } }
    });
    assert_eq!(children(&recursive, "", "/next/next"), ["value: number", "next: object"]);
}

#[test]
fn dynamic_references_lead_where_the_scope_says() {
    let schema = json!({
        "$id": "http://a/strict", "$dynamicAnchor": "node", "$ref": "tree", "unevaluatedProperties": false,
        "$defs": { "tree": {
            "$id": "tree", "$dynamicAnchor": "node",
            "properties": { "data": { "type": "string" }, "children": { "items": { "$dynamicRef": "#node" } } }
        } }
    });
    let text = r#"{"children":[{"daat":1}]}"#;
    assert_eq!(
        children(&schema, text, "/children/0"),
        ["data: text", "children: array", "daat: json (not_allowed)= [unknown]"]
    );
}

#[test]
fn references_lead_to_ids_anchors_and_pointers() {
    let schema = json!({
        "properties": {
            "a": { "$ref": "#there" }, "b": { "$ref": "other.json" }, "c": { "$ref": "other.json#/$defs/x" }, "d": { "$ref": "#/$defs/a%20b" }
        },
        "$id": "http://a/root.json",
        "$defs": {
            "one": { "$anchor": "there", "type": "string" },
            "two": { "$id": "other.json", "type": "integer", "$defs": { "x": { "type": "boolean" } } },
            "a b": { "type": "number" }
        }
    });
    assert_eq!(children(&schema, "", ""), ["a: text", "b: integer", "c: boolean", "d: number"]);
}
