//! Groups of options: how they are called, which one holds, and what stands in place of a group.

use super::{children, fields, kind, level, line, open, switched};
use serde_json::{Value, json};

#[test]
fn the_options_of_a_group_are_called_by_what_tells_them_apart() {
    let circle = json!({ "properties": { "kind": { "const": "circle" }, "radius": { "type": "number" } }, "required": ["kind"] });
    let square =
        json!({ "properties": { "kind": { "enum": ["square"] }, "side": { "type": "number" } }, "required": ["kind"] });
    let named = |schema: &Value| {
        let field = open(&mut fields(schema, ""), "", &json!({}));
        let options = field["groups"][0]["options"].as_array().unwrap().clone();
        options
            .iter()
            .map(|option| (option["title"].clone(), option["name"].clone(), option["kind"].clone()))
            .collect::<Vec<_>>()
    };
    let none = Value::Null;
    assert_eq!(
        named(&json!({ "oneOf": [circle, square] })),
        [(none.clone(), json!("circle"), json!("object")), (none.clone(), json!("square"), json!("object"))]
    );
    assert_eq!(
        named(
            &json!({ "anyOf": [{ "title": "A name", "type": "string" }, { "$ref": "#/$defs/Point" }], "$defs": { "Point": { "properties": {} } } })
        ),
        [(json!("A name"), none.clone(), json!("text")), (none.clone(), json!("Point"), json!("object"))]
    );
    assert_eq!(
        named(&json!({ "type": ["string", "null"] })),
        [(none.clone(), none.clone(), json!("text")), (none.clone(), none.clone(), json!("null"))]
    );
    let openapi = json!({
        "oneOf": [{ "$ref": "#/$defs/Cat" }, { "$ref": "#/$defs/Dog" }],
        "discriminator": { "propertyName": "type", "mapping": { "cat": "#/$defs/Cat", "dog": "Dog" } },
        "$defs": { "Cat": { "properties": { "type": { "type": "string" } } }, "Dog": { "properties": { "type": { "type": "string" }, "bark": {} } } }
    });
    assert_eq!(named(&openapi), [(none.clone(), json!("cat"), json!("object")), (none, json!("dog"), json!("object"))]);
    assert_eq!(children(&openapi, r#"{"type":"dog"}"#, ""), ["type: text=", "bark: options"]);
    assert_eq!(
        switched(&openapi, r#"{"type":"dog"}"#, "", "oneOf", 0),
        json!({ "keep": [], "drop": [], "set": [{ "key": "type", "text": "\"cat\"" }] })
    );
}

/// The current option of each group at the root.
fn current(schema: &Value, text: &str) -> Value {
    let field = open(&mut fields(schema, text), "", &json!({}));
    field["groups"]
        .as_array()
        .map_or(Value::Null, |groups| groups.iter().map(|group| group["current"].clone()).collect())
}

#[test]
fn the_value_decides_which_option_holds() {
    let shapes = json!({ "oneOf": [
        { "properties": { "kind": { "const": "circle" }, "radius": { "type": "number" } }, "required": ["kind", "radius"] },
        { "properties": { "kind": { "const": "square" }, "side": { "type": "number" } }, "required": ["kind", "side"] }
    ] });
    for (text, expected) in [
        ("", json!([null])),
        ("{}", json!([null])),
        (r#"{"kind":"square"}"#, json!([1])),
        (r#"{"kind":"square","radius":1}"#, json!([1])),
        (r#"{"radius":1}"#, json!([0])),
        (r#"{"other":1}"#, json!([0])),
        (r#"{"kind":"hexagon"}"#, json!([null])),
    ] {
        assert_eq!(current(&shapes, text), expected, "{text}");
    }
    let contact = json!({ "anyOf": [{ "type": "string", "format": "email" }, { "type": "string", "format": "uri" }, { "type": "integer" }] });
    for (text, expected) in [("\"https://a.b\"", 1), ("\"a@b.c\"", 0), ("\"neither\"", 0), ("7", 2)] {
        assert_eq!(current(&contact, text), json!([expected]), "{text}");
    }
    // What was chosen wins.
    let mut chosen = fields(&contact, "\"a@b.c\"");
    let field = open(&mut chosen, "", &json!({ "choices": { "": { "anyOf": 1 } } }));
    assert_eq!((&field["groups"][0]["current"], &field["groups"][0]["chosen"]), (&json!(1), &json!(true)));
    // Without a value, a field that may be null is still the field to fill in.
    let nullable = json!({ "anyOf": [{ "type": "null" }, { "type": "integer", "minimum": 1 }] });
    assert_eq!((current(&nullable, ""), kind(&nullable, "")), (json!([1]), "integer".into()));
    assert_eq!((current(&nullable, "null"), kind(&nullable, "null")), (json!([0]), "null=".into()));
}

#[test]
fn options_within_options_and_side_by_side() {
    let schema = json!({
        "properties": { "name": { "type": "string" } },
        "allOf": [
            { "oneOf": [{ "title": "A", "properties": { "a": { "const": 1 } }, "required": ["a"] }, { "title": "B", "properties": { "b": { "type": "string" } }, "required": ["b"] }] },
            { "anyOf": [{ "title": "C", "properties": { "c": { "anyOf": [{ "type": "number" }, { "type": "string" }] } } }, { "title": "D", "required": ["d"], "properties": { "d": {} } }] }
        ]
    });
    let field =
        open(&mut fields(&schema, r#"{"b":"x","d":1}"#), "", &json!({ "choices": { "": { "allOf/1/anyOf": 1 } } }));
    let groups: Vec<_> =
        field["groups"].as_array().unwrap().iter().map(|group| (&group["id"], &group["current"])).collect();
    assert_eq!(groups, [(&json!("allOf/0/oneOf"), &json!(1)), (&json!("allOf/1/anyOf"), &json!(1))]);
    assert_eq!(level(&field), ["name: text", "b: text!=", "d: number!="]);
    let nested =
        json!({ "oneOf": [{ "type": "string" }, { "oneOf": [{ "type": "integer" }, { "type": "boolean" }] }] });
    let field = open(&mut fields(&nested, "true"), "", &json!({}));
    let groups: Vec<_> =
        field["groups"].as_array().unwrap().iter().map(|group| (&group["id"], &group["current"])).collect();
    assert_eq!(
        (groups, line(&field)),
        (vec![(&json!("oneOf"), &json!(1)), (&json!("oneOf/1/oneOf"), &json!(1))], "boolean=".into())
    );
}

#[test]
fn options_that_are_only_constants_are_one_choice() {
    let titled = json!({ "oneOf": [{ "const": "eu", "title": "Europe" }, { "const": "us", "title": "America", "description": "Slow" }] });
    let field = open(&mut fields(&titled, "\"us\""), "", &json!({}));
    assert_eq!(
        (line(&field), &field["values"], &field["selected"]),
        (
            "choice=".into(),
            &json!([{ "value": "eu", "title": "Europe" }, { "value": "us", "title": "America", "description": "Slow" }]),
            &json!(1)
        )
    );
    let several = json!({ "type": "array", "uniqueItems": true, "items": titled });
    let field = open(&mut fields(&several, r#"["us","us","x"]"#), "", &json!({}));
    assert_eq!((line(&field), &field["selected"], &field["unlisted"]), ("choices=".into(), &json!([1]), &json!(2)));
    let names = json!({ "enum": ["a", "b"], "enumNames": ["Apple", "Pear"] });
    assert_eq!(open(&mut fields(&names, ""), "", &json!({}))["values"][1], json!({ "value": "b", "title": "Pear" }));
    // What only demands is no choice.
    let demands =
        json!({ "properties": { "a": {}, "b": {} }, "anyOf": [{ "required": ["a"] }, { "required": ["b"] }] });
    assert_eq!(current(&demands, ""), Value::Null);
}

/// Options that only the validator can tell apart, at every kind of place that a reference can lead to.
#[test]
fn the_validator_finds_every_subschema() {
    let two = json!({ "oneOf": [{ "type": "string", "maxLength": 2 }, { "type": "string", "minLength": 3 }] });
    let schema = json!({
        "$id": "http://a/root.json",
        "properties": {
            "plain": two, "~/%ü \"": two, "ref": { "$ref": "#/$defs/a~1b" }, "anchor": { "$ref": "#here" },
            "other": { "$ref": "other.json" }, "inner": { "$ref": "other.json#/$defs/x" },
            "list": { "prefixItems": [{ "allOf": [two] }] }, "free": { "additionalProperties": two },
            "pattern": { "patternProperties": { "^/": two } }
        },
        "$defs": {
            "a/b": two, "anchored": { "$anchor": "here", "oneOf": two["oneOf"] },
            "other": { "$id": "other.json", "oneOf": two["oneOf"], "$defs": { "x": two } }
        }
    });
    let text = json!({
        "plain": "long", "~/%ü \"": "long", "ref": "long", "anchor": "long", "other": "long", "inner": "long",
        "list": ["long"], "free": { "x": "long" }, "pattern": { "/": "long" }
    });
    let mut fields = fields(&schema, &text.to_string());
    for pointer in ["/plain", "/~0~1%ü \"", "/ref", "/anchor", "/other", "/inner", "/list/0", "/free/x", "/pattern/~1"]
    {
        let field = open(&mut fields, pointer, &json!({}));
        assert_eq!(field["groups"][0]["current"], 1, "{pointer}");
    }
}
