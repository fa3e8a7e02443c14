//! Random schemas and values: every part of a value is in one field, what is valid can be shown, and no call goes past its work.

use super::{filled, line, open, parsed};
use crate::sample::{Dice, any_json, dice, tries};
use ask_user_core::{
    Budget, Refusal,
    json::equal,
    schema::{Compiled, CompiledSchema, Fields, Validator},
};
use proptest::{prelude::*, strategy::ValueTree as _};
use serde_json::{Map, Value, json};
use std::sync::Arc;

/// The keys of all objects, and the names of definitions.
const KEYS: [&str; 5] = ["a", "b", "kind", "x/y", ""];
const DEFINITIONS: [&str; 3] = ["one", "two", "three"];
/// The deepest that schemas and values nest.
const DEPTH: usize = 4;

/// A schema of every keyword that the model knows.
fn schema(dice: &mut Dice) -> Value {
    let mut root = subschema(dice, DEPTH);
    let definitions: Map<_, _> = DEFINITIONS.iter().map(|name| ((*name).into(), subschema(dice, DEPTH - 1))).collect();
    let drafts = ["04", "06", "07"].map(|draft| format!("http://json-schema.org/draft-{draft}/schema#"));
    if let Value::Object(fields) = &mut root {
        fields.insert("$defs".into(), Value::Object(definitions));
        match dice.roll(8) {
            0..3 => drop(fields.insert("$schema".into(), drafts[dice.roll(3)].as_str().into())),
            3 => drop(fields.insert("$schema".into(), "https://json-schema.org/draft/2019-09/schema".into())),
            _ => {}
        }
    }
    root
}

fn subschema(dice: &mut Dice, depth: usize) -> Value {
    if dice.once_in(12) {
        return dice.once_in(2).into();
    }
    let mut fields = Map::new();
    let mut put = |key: &str, value: Value| drop(fields.insert(key.into(), value));
    if !dice.once_in(4) {
        put("type", types(dice));
    }
    for _ in 0..dice.roll(4) {
        let Some(deeper) = depth.checked_sub(1) else { break };
        match dice.roll(22) {
            0..5 => put("properties", map(dice, deeper)),
            5 => put("required", vec![KEYS[dice.roll(5)]].into()),
            6 => put("additionalProperties", subschema(dice, deeper)),
            7 => put("patternProperties", json!({ (["^a", "", "/"][dice.roll(3)]): subschema(dice, deeper) })),
            8..11 => put("items", subschema(dice, deeper)),
            11 => put(["prefixItems", "items"][dice.roll(2)], list(dice, deeper)),
            12..14 => put("oneOf", list(dice, deeper)),
            14..16 => put("anyOf", list(dice, deeper)),
            16 => put("allOf", list(dice, deeper)),
            17 => {
                put("if", subschema(dice, deeper));
                put("then", subschema(dice, deeper));
                put("else", subschema(dice, deeper));
            }
            18 => put("$ref", format!("#/$defs/{}", DEFINITIONS[dice.roll(3)]).into()),
            19 => put(["dependentSchemas", "dependencies"][dice.roll(2)], map(dice, deeper)),
            20 => put("unevaluatedProperties", dice.once_in(2).into()),
            _ => put("additionalItems", subschema(dice, deeper)),
        }
    }
    for _ in 0..dice.roll(3) {
        match dice.roll(12) {
            0 => put("const", scalar(dice)),
            1 => put("enum", (0..3).map(|_| scalar(dice)).collect()),
            2 => put("minimum", dice.roll(3).into()),
            3 => put("maxLength", dice.roll(3).into()),
            4 => put("pattern", "^a".into()),
            5 => put("uniqueItems", true.into()),
            6 => put("default", scalar(dice)),
            7 => put("title", "Title".into()),
            8 => put("maxItems", dice.roll(3).into()),
            9 => put("dependentRequired", json!({ (KEYS[dice.roll(5)]): [KEYS[dice.roll(5)]] })),
            10 => put("propertyNames", json!({ "maxLength": dice.roll(5) })),
            _ => put("not", json!({ "const": scalar(dice) })),
        }
    }
    Value::Object(fields)
}

fn types(dice: &mut Dice) -> Value {
    let names = ["object", "array", "string", "object", "integer", "number", "boolean", "null", "object", "array"];
    let one = names[dice.roll(10)];
    let other = names[dice.roll(10)];
    if dice.once_in(4) && one != other { json!([one, other]) } else { one.into() }
}

fn map(dice: &mut Dice, depth: usize) -> Value {
    (0..=dice.roll(3)).map(|_| (KEYS[dice.roll(5)].to_owned(), subschema(dice, depth))).collect::<Map<_, _>>().into()
}

fn list(dice: &mut Dice, depth: usize) -> Value {
    (0..=dice.roll(3)).map(|_| subschema(dice, depth)).collect()
}

fn scalar(dice: &mut Dice) -> Value {
    [json!("a"), json!("bcd"), json!(1), json!(1.5), json!(true), json!(null), json!([]), json!({ "a": 1 })]
        [dice.roll(8)]
    .clone()
}

fn value(dice: &mut Dice, depth: usize) -> Value {
    match (dice.roll(6), depth.checked_sub(1)) {
        (0..3, Some(deeper)) => (0..dice.roll(4))
            .map(|_| (KEYS[dice.roll(5)].to_owned(), value(dice, deeper)))
            .collect::<Map<_, _>>()
            .into(),
        (3, Some(deeper)) => (0..dice.roll(4)).map(|_| value(dice, deeper)).collect(),
        _ => scalar(dice),
    }
}

/// A schema that can be used, and a value.
fn pair(dice: &mut Dice) -> Option<(Value, Value, Arc<Compiled>)> {
    let schema = schema(dice);
    let value = value(dice, DEPTH);
    let compiled = Validator::default().prepare(&schema, &mut Budget::default()).ok()?;
    Some((schema, value, compiled))
}

/// What covers each scalar and each empty container of a value: the pointers of fields. Fails where a part is in no field, or in two.
fn cover(fields: &mut Fields, pointer: &str, value: &Value, seen: &mut Vec<Value>) -> Result<(), TestCaseError> {
    let field = open(fields, pointer, &json!({}));
    seen.push(field.clone());
    let kind = field["kind"].as_str().unwrap().to_owned();
    prop_assert_eq!(field.get("present"), Some(&json!(true)), "{}", field);
    if field.get("mismatch").is_some() || kind == "json" {
        return Ok(());
    }
    let children: Vec<Value> = field["children"].as_array().cloned().unwrap_or_default();
    let total = field["total"].as_u64().unwrap_or_default();
    prop_assert_eq!(total, children.len() as u64);
    match (kind.as_str(), value) {
        ("object", Value::Object(members)) => {
            let present = children.iter().filter(|child| child.get("present").is_some());
            let mut keys: Vec<&str> = present.map(|child| child["key"].as_str().unwrap()).collect();
            keys.sort_unstable();
            let mut expected: Vec<&str> = members.keys().map(String::as_str).collect();
            expected.sort_unstable();
            prop_assert_eq!(keys, expected);
        }
        ("array", Value::Array(items)) => {
            let present = children.iter().filter(|child| child.get("present").is_some());
            let indexes: Vec<u64> = present.map(|child| child["index"].as_u64().unwrap()).collect();
            prop_assert_eq!(indexes, (0..items.len() as u64).collect::<Vec<_>>());
        }
        ("choices", Value::Array(items)) => {
            let selected = field["selected"].as_array().unwrap().len() as u64;
            prop_assert_eq!(selected + field["unlisted"].as_u64().unwrap_or_default(), items.len() as u64);
        }
        ("choice", _) => {
            let selected = field["selected"].as_u64().unwrap() as usize;
            prop_assert!(equal(&field["values"][selected]["value"], value));
        }
        ("options", Value::Object(members)) => prop_assert!(members.is_empty()),
        ("options", Value::Array(items)) => prop_assert!(items.is_empty()),
        ("text", Value::String(_)) | ("number" | "integer", Value::Number(_)) => {}
        ("boolean", Value::Bool(_)) | ("null", Value::Null) => {}
        _ => prop_assert!(false, "{} does not show {}", field, value),
    }
    for child in &children {
        let pointer = child["pointer"].as_str().unwrap();
        let Some(value) = value.pointer(pointer.strip_prefix(field["pointer"].as_str().unwrap()).unwrap()) else {
            continue;
        };
        cover(fields, pointer, value, seen)?;
        // A child is what opening it gives, but for its own children.
        let mut opened = seen.iter().find(|field| field["pointer"] == child["pointer"]).cloned().unwrap();
        for key in ["children", "from", "total", "add"] {
            opened.as_object_mut().unwrap().remove(key);
        }
        let mut child = child.clone();
        child.as_object_mut().unwrap().remove("open");
        prop_assert_eq!(child, opened);
    }
    Ok(())
}

/// Whether a value holds another, at any depth.
fn holds(value: &Value, part: &Value) -> bool {
    value == part
        || match value {
            Value::Array(items) => items.iter().any(|item| holds(item, part)),
            Value::Object(members) => members.values().any(|member| holds(member, part)),
            _ => false,
        }
}

/// The value after what `switch` says was done to the part at a pointer. `None` if it was taken out.
fn applied(value: &Value, change: &Value) -> Option<Value> {
    if change.get("same").is_some() {
        return Some(value.clone());
    }
    let Some(set) = change["set"].as_array() else {
        return change["text"].as_str().map(parsed);
    };
    let mut members = value.as_object().unwrap().clone();
    for key in change["drop"].as_array().unwrap() {
        members.remove(key.as_str().unwrap());
    }
    for member in set {
        members.insert(member["key"].as_str().unwrap().into(), parsed(member["text"].as_str().unwrap()));
    }
    Some(Value::Object(members))
}

proptest! {
    #![proptest_config(tries())]

    #[test]
    fn every_part_of_a_value_is_in_one_field(mut dice in dice()) {
        let Some((_, value, compiled)) = pair(&mut dice) else { return Ok(()) };
        let mut fields = filled(&compiled, &value.to_string());
        cover(&mut fields, "", &value, &mut vec![])?;
    }

    #[test]
    fn what_is_valid_can_be_shown(mut dice in dice()) {
        let Some((schema, value, compiled)) = pair(&mut dice) else { return Ok(()) };
        let mut fields = filled(&compiled, &value.to_string());
        let violations = parsed(&fields.violations("", &mut Budget::default()));
        let valid = compiled.check(&value, &mut Budget::default()).is_ok();
        prop_assert_eq!(valid, violations == json!([]));
        if !valid {
            return Ok(());
        }
        let mut seen = vec![];
        cover(&mut fields, "", &value, &mut seen)?;
        for field in seen {
            let shown = line(&field);
            prop_assert!(!shown.contains('~') && !shown.contains("json") && !shown.contains("unknown"), "{} of {} by {}", field, value, schema);
        }
    }

    #[test]
    fn no_call_goes_past_its_work_or_fails(
        mut dice in dice(), other in any_json(), work in prop_oneof![0..20_000_u64, 0..1_000_000_u64],
        pointer in prop::sample::select(vec!["", "/a", "/kind/0", "/0/a", "/x~1y", "/-", "/a/a/a/a/a/a", "~", "//"]),
        options in prop::sample::select(vec!["", "nothing", r#"{"choices":{"":{"oneOf":1,"type":9,"anyOf":-1},"/a":7},"from":1,"count":0}"#]),
    ) {
        let Some((_, value, compiled)) = pair(&mut dice) else { return Ok(()) };
        for text in [value.to_string(), other.to_string()] {
            let mut fields = filled(&compiled, &text);
            let mut budget = Budget::new(work);
            let field = parsed(&fields.open(pointer, options, &mut budget));
            prop_assert!(field["kind"].is_string());
            prop_assert!(budget.left() <= work);
            prop_assert!(parsed(&fields.start(pointer, options, &mut budget)).is_object());
            prop_assert!(parsed(&fields.switch(pointer, "oneOf", 1, options, &mut budget)).is_object());
            prop_assert!(parsed(&fields.violations(options, &mut budget)).is_array());
        }
    }

    #[test]
    fn a_template_has_nothing_that_the_schema_does_not_state(mut dice in dice()) {
        let Some((schema, _, compiled)) = pair(&mut dice) else { return Ok(()) };
        let Some(template) = compiled.template() else { return Ok(()) };
        let mut open = vec![&template];
        while let Some(part) = open.pop() {
            match part {
                Value::Object(members) if !holds(&schema, part) => open.extend(members.values()),
                Value::Array(items) if items.is_empty() => {}
                part => prop_assert!(holds(&schema, part), "{} is not in {}", part, schema),
            }
        }
    }

    #[test]
    fn after_a_switch_the_option_holds_and_what_is_left_fits(mut dice in dice()) {
        let Some((schema, value, compiled)) = pair(&mut dice) else { return Ok(()) };
        let mut first = filled(&compiled, &value.to_string());
        let field = open(&mut first, "", &json!({}));
        for group in field["groups"].as_array().into_iter().flatten() {
            let id = group["id"].as_str().unwrap();
            for index in 0..group["options"].as_array().unwrap().len() {
                let change = parsed(&first.switch("", id, index, "", &mut Budget::default()));
                let after = applied(&value, &change);
                let text = after.as_ref().map(Value::to_string).unwrap_or_default();
                let mut second = filled(&compiled, &text);
                let choices = json!({ "choices": { "": { id: index } } });
                let promised = open(&mut first, "", &choices);
                let field = open(&mut second, "", &choices);
                // A group of a condition goes with it, and a condition changes what types there are.
                let mut groups = field["groups"].as_array().into_iter().flatten();
                let is_same = |other: &&Value| other["id"] == id && other["options"] == group["options"];
                let Some(same) = groups.find(is_same) else { continue };
                prop_assert_eq!(&same["current"], &json!(index), "{} {} after {} by {}", field, text, change, schema);
                // The members that go can be those of a condition, which then asks for another kind of value.
                let turned = field["kind"] != promised["kind"];
                let stays = change.get("same").is_some() || field["kind"] == "json" || after.is_none() || turned;
                prop_assert!(stays || field.get("mismatch").is_none(), "{} {} after {}", field, text, change);
            }
        }
    }
}

#[test]
fn many_of_the_random_values_are_valid() {
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let mut valid = 0;
    for _ in 0..500 {
        let mut dice = dice().new_tree(&mut runner).unwrap().current();
        let Some((_, value, compiled)) = pair(&mut dice) else { continue };
        match compiled.check(&value, &mut Budget::default()) {
            Ok(()) => valid += usize::from(value.is_object() || value.is_array()),
            Err(refusal) => assert!(matches!(refusal, Refusal::SchemaMismatch { .. })),
        }
    }
    assert!(valid > 50, "{valid}");
}
