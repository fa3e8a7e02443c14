//! What is left of a value when the person chooses another option.

use super::{
    field::{Field, Kind},
    level::Place,
    memo::Context,
    start,
    within::Source,
};
use crate::{budget::Exhausted, json::text};
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;

/// The most items of an array that are looked at.
const ITEMS: usize = 500;

/// Adds a choice to those that were made.
pub fn choose(choices: &mut Value, pointer: &str, group: &str, index: usize) {
    let chosen = member(choices, pointer);
    *member(chosen, group) = index.into();
}

/// A member of a value, which becomes an object if it is none.
fn member<'v>(value: &'v mut Value, name: &str) -> &'v mut Value {
    if !value.is_object() {
        *value = Value::Object(Map::new());
    }
    match value {
        Value::Object(members) => members.entry(name).or_insert(Value::Null),
        other => other,
    }
}

/// The present members of which the place speaks: those that go when it no longer does.
pub fn declared<'a>(place: &Place<'a>, context: &mut Context<'a, '_>) -> Result<BTreeSet<&'a str>, Exhausted> {
    let mut declared = BTreeSet::new();
    for name in place.members().into_iter().flat_map(Map::keys) {
        let source = place.member(name.into(), false, context)?.source;
        if matches!(source, Some(Source::Properties | Source::Pattern)) {
            declared.insert(name.as_str());
        }
    }
    Ok(declared)
}

/// What to do with the text, as JSON text. `before` has the members that the place spoke of before the choice.
pub fn answer<'a>(
    mut place: Place<'a>,
    before: &BTreeSet<&'a str>,
    group: &str,
    context: &mut Context<'a, '_>,
) -> Result<String, Exhausted> {
    // The person asked for this option: a constant is what it says.
    place.required = true;
    let field = place.field(context)?;
    match (field.kind, place.value) {
        (Kind::Null, Some(Value::Null)) => Ok(same()),
        (Kind::Null, _) => Ok(text(&json!({ "text": "null" }))),
        (Kind::Object, Some(Value::Object(members))) => {
            object(&place, members, before, telling(&field, group), context)
        }
        (Kind::Array, Some(Value::Array(items))) => {
            for index in (0..items.len()).take(ITEMS) {
                if place.item(index, context)?.field(context)?.is_out_of_place() {
                    return start::answer(&place, Some(&field), context);
                }
            }
            Ok(same())
        }
        (_, Some(_)) if field.mismatch.is_none() || field.kind == Kind::Options => Ok(same()),
        (Kind::Object, _) if telling(&field, group).is_some() => {
            let mut stated = start::members(&place, context)?;
            stated.extend(telling(&field, group).map(|(name, value)| ((*name).to_owned(), value.clone())));
            Ok(text(&json!({ "text": text(&Value::Object(stated)) })))
        }
        _ => start::answer(&place, Some(&field), context),
    }
}

/// The property that tells the current option of a group from the others, and its value.
fn telling<'f, 'a>(field: &'f Field<'a>, group: &str) -> Option<&'f (&'a str, Value)> {
    let group = field.groups.iter().find(|one| one.id == group)?;
    group.options.get(group.current?)?.told.as_ref()
}

fn same() -> String {
    text(&json!({ "same": true }))
}

fn object<'a>(
    place: &Place<'a>,
    members: &'a Map<String, Value>,
    before: &BTreeSet<&'a str>,
    telling: Option<&(&'a str, Value)>,
    context: &mut Context<'a, '_>,
) -> Result<String, Exhausted> {
    let required = place.required(context)?;
    let (mut keep, mut drop) = (vec![], vec![]);
    for name in members.keys().map(String::as_str) {
        let child = place.member(name.into(), required.contains(name), context)?;
        let known = child.source != Some(Source::Additional) || !before.contains(name);
        let kept = known && !child.field(context)?.is_out_of_place();
        if kept { keep.push(name) } else { drop.push(name) }
    }
    let mut stated = start::members(place, context)?;
    if let Some((name, value)) = telling {
        keep.retain(|kept| kept != name || members.get(*name) == Some(value));
        stated.insert((*name).to_owned(), value.clone());
    }
    let set: Vec<Value> = stated
        .into_iter()
        .filter(|(name, _)| !keep.contains(&name.as_str()))
        .map(|(name, value)| json!({ "key": name, "text": text(&value) }))
        .collect();
    // What is written anew is not taken out.
    drop.retain(|name| !set.iter().any(|member| member.get("key").and_then(Value::as_str) == Some(*name)));
    Ok(text(&json!({ "keep": keep, "drop": drop, "set": set })))
}
