//! What a place begins with: what the schema states of it, constants that must be there and defaults, and nothing else.

use super::{
    field::Kind,
    level::Place,
    memo::Context,
    within::{self},
};
use crate::{budget::Exhausted, json::text, schema::bounds::copying};
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

/// The text that keeps the place of an item of which nothing is stated.
pub fn keeping(place: &Place<'_>, kind: Kind) -> &'static str {
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
        | Kind::Json(_) => {
            let _ = place;
            "null"
        }
    }
}

fn of<'a>(
    place: &Place<'a>,
    depth: usize,
    left: &mut usize,
    context: &mut Context<'a, '_>,
) -> Result<Option<Value>, Exhausted> {
    let stated = place.parts.all("default").next();
    if let Some(stated) = stated {
        return copied(stated, context);
    }
    let shape = place.shape(context)?;
    match shape.kind {
        Kind::Choice | Kind::Null => match &shape.values[..] {
            [only] if place.required || !matches!(place.key, super::field::Key::Member(_)) => {
                copied(only.value, context)
            }
            _ => Ok(None),
        },
        Kind::Object => {
            let Some(depth) = depth.checked_sub(1) else { return Ok(None) };
            members(place, depth, left, context)
        }
        _ => Ok(None),
    }
}

fn members<'a>(
    place: &Place<'a>,
    depth: usize,
    left: &mut usize,
    context: &mut Context<'a, '_>,
) -> Result<Option<Value>, Exhausted> {
    let required = within::required(&place.parts, None, context)?;
    let mut members = Map::new();
    for name in within::names(&place.parts, None, &required, context)? {
        let Some(rest) = left.checked_sub(1) else { break };
        *left = rest;
        context.budget.charge(MEMBER.saturating_add(name.len() as u64))?;
        let child = place.member(name.into(), required.contains(name), context)?;
        // An object that may be left out begins with nothing, whatever is stated of its members.
        let own = child.parts.all("default").next().is_some();
        if !own && !child.required {
            continue;
        }
        if let Some(value) = of(&child, depth, left, context)? {
            members.insert(name.to_owned(), value);
        }
    }
    Ok((!members.is_empty()).then_some(Value::Object(members)))
}

/// A copy of a value of the schema. `None` if it is large.
fn copied(value: &Value, context: &mut Context<'_, '_>) -> Result<Option<Value>, Exhausted> {
    let cost = copying(value, context.budget)?;
    context.budget.charge(cost)?;
    Ok(Some(value.clone()))
}

/// The answer of `start`, as JSON text.
pub fn answer(value: Option<String>, empty: bool) -> String {
    let mut answer = Map::new();
    if let Some(value) = value {
        answer.insert("text".into(), value.into());
    }
    if empty {
        answer.insert("empty".into(), true.into());
    }
    text(&Value::Object(answer))
}
