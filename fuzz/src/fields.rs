//! What has to hold for the fields of any schema and any value.

use ask_user_core::{
    Budget,
    json::parse,
    schema::{CompiledSchema, Fields, Validator},
};
use serde_json::Value;

/// How many places are opened of one value.
const PLACES: usize = 200;

/// A schema in the first line, the options of a call in the second, a value in the rest: every member and item of the value is one child, and no call
/// goes past its work.
pub fn fields(text: &str) {
    let mut lines = text.splitn(3, '\n');
    let [schema, options, value] = [(); 3].map(|()| lines.next().unwrap_or_default());
    let Ok(schema) = parse(schema) else { return };
    let Ok(compiled) = Validator::default().prepare(&schema, &mut Budget::default()) else { return };
    if let Some(template) = compiled.template() {
        assert!(template.to_string().len() < 4_000_000, "a template is long");
    }
    let mut fields = Fields::new(compiled);
    drop(fields.set_text(value, &mut Budget::default()));
    drop(result(&fields.violations(options, &mut Budget::default())));
    let (mut open, mut opened) = (vec![String::new()], 0);
    while let Some(pointer) = open.pop() {
        opened += 1;
        if opened > PLACES {
            break;
        }
        let field = result(&fields.open(&pointer, "", &mut Budget::default()));
        covers(&field, parse(value).ok().as_ref().and_then(|value| value.pointer(&pointer)));
        let groups = field["groups"].as_array().into_iter().flatten();
        for (place, group) in groups.enumerate().take(3) {
            let id = group["id"].as_str().unwrap_or_default();
            drop(result(&fields.switch(&pointer, id, place, options, &mut Budget::default())));
        }
        drop(result(&fields.start(&pointer, options, &mut Budget::default())));
        drop(result(&fields.open(&pointer, options, &mut Budget::new(opened as u64 * 1_000))));
        let children = field["children"].as_array().into_iter().flatten();
        open.extend(
            children
                .filter(|child| child.get("open").is_some())
                .filter_map(|child| Some(child["pointer"].as_str()?.to_owned())),
        );
    }
}

fn result(text: &str) -> Value {
    parse(text).expect("a call gives JSON")
}

/// Every member or item of the value is one present child.
fn covers(field: &Value, value: Option<&Value>) {
    let present = || field["children"].as_array().into_iter().flatten().filter(|child| child.get("present").is_some());
    let all = field["children"].as_array().map(Vec::len)
        == field["total"].as_u64().and_then(|total| usize::try_from(total).ok());
    match (value, field["kind"].as_str()) {
        (Some(Value::Object(members)), Some("object")) if all => {
            assert_eq!(present().count(), members.len());
            assert!(present().all(|child| child["key"].as_str().is_some_and(|key| members.contains_key(key))));
        }
        (Some(Value::Array(items)), Some("array")) if all => assert_eq!(present().count(), items.len()),
        _ => {}
    }
}
