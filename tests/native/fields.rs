//! The model of fields: what there is to fill in at each place of a value.

use ask_user_core::{
    Budget,
    schema::{Fields, Validator},
};
use serde_json::{Value, json};

/// The fields of a schema and a text.
fn fields(schema: &Value, text: &str) -> Fields {
    let compiled = Validator::default().prepare(schema, &mut Budget::default()).unwrap();
    let mut fields = Fields::new(compiled);
    fields.set_text(text, &mut Budget::default()).unwrap();
    fields
}

fn open(fields: &mut Fields, pointer: &str) -> Value {
    serde_json::from_str(&fields.open(pointer, "", &mut Budget::default())).unwrap()
}

#[test]
fn a_first_level() {
    let schema = json!({
        "type": "object",
        "required": ["host"],
        "properties": {
            "host": { "type": "string", "title": "Host", "minLength": 1 },
            "port": { "type": "integer", "minimum": 1, "maximum": 65535, "default": 80 },
            "mode": { "enum": ["fast", "safe"] },
            "tags": { "type": "array", "uniqueItems": true, "items": { "enum": ["a", "b"] } },
            "shape": { "oneOf": [
                { "title": "Circle", "properties": { "kind": { "const": "circle" }, "r": { "type": "number" } }, "required": ["kind", "r"] },
                { "$ref": "#/$defs/square" }
            ] },
            "note": { "type": ["string", "null"] },
            "next": { "$ref": "#" }
        },
        "additionalProperties": false,
        "$defs": { "square": { "properties": { "kind": { "const": "square" }, "a": { "type": "number" } }, "required": ["kind"] } }
    });
    let mut fields = fields(&schema, r#"{"mode":"safe","tags":["b","x"],"shape":{"kind":"square"},"extra":1}"#);
    println!("{:#}", open(&mut fields, ""));
    println!("{:#}", open(&mut fields, "/shape"));
    println!("{:#}", open(&mut fields, "/next/next/shape"));
    println!("{}", fields.start("", "", &mut Budget::default()));
    println!("{}", fields.start("/shape", r#"{"choices":{"/shape":{"oneOf":0}}}"#, &mut Budget::default()));
}
