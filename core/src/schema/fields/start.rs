//! What a place begins with: what the schema states of it, constants that must be there and defaults, and nothing else.

use super::{
    field::{Field, Key, Kind},
    level::Place,
    memo::Context,
    within,
};
use crate::{
    budget::{Budget, Exhausted},
    json::text,
    schema::bounds::copying,
};
use serde_json::{Map, Value};

/// The most levels and members of a starting value.
const DEPTH: usize = 6;
const MEMBERS: usize = 200;
/// The cost of a member.
const MEMBER: u64 = 200;

/// The starting value of a place. `None` if nothing is stated.
pub fn stated<'a>(place: &Place<'a>, context: &mut Context<'a, '_>) -> Result<Option<Value>, Exhausted> {
    let mut left = MEMBERS;
    of(place, DEPTH, &mut left, context)
}

/// As `stated`, for a place of which the person chose this field: a default that it cannot show does not count.
fn stated_of<'a>(
    place: &Place<'a>,
    field: &Field<'a>,
    context: &mut Context<'a, '_>,
) -> Result<Option<Value>, Exhausted> {
    let stated = stated(place, context)?.filter(|value| {
        let listed = || field.values.iter().any(|choice| choice.value == value);
        field.kind.takes(value) && (field.kind != Kind::Choice || listed())
    });
    match (stated, field.kind, field.constant) {
        (None, Kind::Object, _) => {
            let members = members(place, context)?;
            Ok((!members.is_empty()).then_some(Value::Object(members)))
        }
        (None, Kind::Choice, Some(only)) => copied(only, context),
        (stated, ..) => Ok(stated),
    }
}

fn of<'a>(
    place: &Place<'a>,
    depth: usize,
    left: &mut usize,
    context: &mut Context<'a, '_>,
) -> Result<Option<Value>, Exhausted> {
    if let Some(stated) = place.parts.said("default") {
        return copied(stated, context);
    }
    let shape = place.shape(context)?;
    match (shape.kind, &shape.values[..]) {
        (Kind::Choice | Kind::Null, [only]) if place.required || !matches!(place.key, Key::Member(_)) => {
            copied(only.value, context)
        }
        (Kind::Object, _) => {
            let Some(depth) = depth.checked_sub(1) else { return Ok(None) };
            let members = inner(place, depth, left, context)?;
            Ok((!members.is_empty()).then_some(Value::Object(members)))
        }
        _ => Ok(None),
    }
}

/// The members of an object that are stated.
pub fn members<'a>(place: &Place<'a>, context: &mut Context<'a, '_>) -> Result<Map<String, Value>, Exhausted> {
    let mut left = MEMBERS;
    inner(place, DEPTH, &mut left, context)
}

fn inner<'a>(
    place: &Place<'a>,
    depth: usize,
    left: &mut usize,
    context: &mut Context<'a, '_>,
) -> Result<Map<String, Value>, Exhausted> {
    let required = within::required(&place.parts, None, context)?;
    let mut members = Map::new();
    for name in within::names(&place.parts, None, &required, context)? {
        let Some(rest) = left.checked_sub(1) else { break };
        *left = rest;
        context.budget.charge(MEMBER.saturating_add(name.len() as u64))?;
        let child = place.member(name.into(), required.contains(name), context)?;
        // An object that may be left out begins with nothing, whatever is stated of its members.
        if !child.required && child.parts.said("default").is_none() {
            continue;
        }
        if let Some(value) = of(&child, depth, left, context)? {
            members.insert(name.to_owned(), value);
        }
    }
    Ok(members)
}

/// A copy of a value of the schema. `None` if it is large.
fn copied(value: &Value, context: &mut Context<'_, '_>) -> Result<Option<Value>, Exhausted> {
    // A large value takes at most half of what is left, so that there is work for the others.
    let half = context.budget.left() / 2;
    let mut part = Budget::new(half);
    let copied = copying(value, &mut part).and_then(|cost| part.charge(cost));
    context.budget.charge(half.saturating_sub(part.left()))?;
    Ok(copied.ok().map(|()| value.clone()))
}

/// What to write at a place, as JSON text: `text`, and `empty` if the text only keeps the place of an item. `chosen` is the field that the
/// person chose, if they did.
pub fn answer<'a>(
    place: &Place<'a>,
    chosen: Option<&Field<'a>>,
    context: &mut Context<'a, '_>,
) -> Result<String, Exhausted> {
    let stated = match chosen {
        Some(field) => stated_of(place, field, context)?,
        None => stated(place, context)?,
    };
    let empty = stated.is_none() && matches!(place.key, Key::Item(_));
    let mut answer = Map::new();
    let kept = if empty { Some(keeping(place.shape(context)?.kind).to_owned()) } else { None };
    if let Some(value) = stated.as_ref().map(text).or(kept) {
        answer.insert("text".into(), value.into());
    }
    if empty {
        answer.insert("empty".into(), true.into());
    }
    Ok(text(&Value::Object(answer)))
}

/// The text that keeps the place of an item of which nothing is stated.
fn keeping(kind: Kind) -> &'static str {
    match kind {
        Kind::Text => "\"\"",
        Kind::Object => "{}",
        Kind::Array | Kind::Choices => "[]",
        Kind::Number
        | Kind::Integer
        | Kind::Boolean
        | Kind::Null
        | Kind::Choice
        | Kind::Options
        | Kind::Nothing
        | Kind::Json(_) => "null",
    }
}
