//! Which of several options a value belongs to: by its type, its constants and its keys, and only where these leave several, by the
//! validator.

use super::{
    memo::Context,
    spot::Spot,
    types::{Type, Types},
};
use crate::{budget::Exhausted, json::equal};
use jsonschema::Draft;
use serde_json::{Map, Value};

/// The cost of looking at a subschema, at a property and at a value to compare with.
const LOOK: u64 = 60;
const PROPERTY: u64 = 30;
const COMPARED: u64 = 8;
/// The most subschemas of an option, and the most constants of a property, that are looked at.
const REACH: usize = 40;
const CONSTANTS: usize = 50;

/// How much a value looks like an option: first by the constants that match, then by the keys that the option knows.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Score {
    constants: u32,
    keys: i64,
}

/// A subschema and those that hold with it, by `$ref` and `allOf` alone.
pub fn reach<'a>(spot: &Spot<'a>, context: &mut Context<'a, '_>) -> Result<Vec<Spot<'a>>, Exhausted> {
    let mut found: Vec<Spot<'a>> = vec![];
    let mut open = vec![spot.clone()];
    while let Some(spot) = open.pop() {
        context.budget.charge(LOOK)?;
        if found.len() >= REACH || found.iter().any(|known| known.located.address() == spot.located.address()) {
            continue;
        }
        let targets: Vec<_> = spot.targets().collect();
        if spot.only_refers() {
            open.extend(targets);
            continue;
        }
        open.extend(spot.items("allOf"));
        open.extend(targets);
        found.push(spot);
    }
    Ok(found)
}

/// The types that an option allows, and those that its keywords speak of.
pub fn types(reach: &[Spot<'_>]) -> (Types, Types) {
    let fields = || reach.iter().filter_map(|spot| spot.located.schema.as_object());
    let all = || reach.iter().filter_map(|spot| constants(spot.located.schema.as_object()?, spot.located.draft));
    let stated = fields().filter_map(Types::stated).fold(Types::ALL, Types::and);
    let stated = all().fold(stated, |stated, list| {
        let of = list.iter().map(|value| Types::one(Type::of(value))).fold(Types::NONE, Types::or);
        stated.and(of)
    });
    (stated, fields().map(Types::meant).fold(Types::NONE, Types::or).and(stated))
}

/// The values that `const` or `enum` allow.
pub fn constants(fields: &Map<String, Value>, draft: Draft) -> Option<&[Value]> {
    let listed = || fields.get("enum").and_then(Value::as_array).map(Vec::as_slice);
    fields.get("const").filter(|_| draft > Draft::Draft4).map(std::slice::from_ref).or_else(listed)
}

/// Whether an option takes `null` alone.
pub fn is_null(spot: &Spot<'_>, reach: &[Spot<'_>]) -> bool {
    spot.located.schema.is_object() && types(reach).0 == Types::one(Type::Null)
}

/// The option that a value belongs to. `None` if the value does not say.
pub fn option<'a>(
    options: &[Spot<'a>],
    value: Option<&Value>,
    context: &mut Context<'a, '_>,
) -> Result<Option<usize>, Exhausted> {
    let mut reached = Vec::new();
    for option in options {
        reached.push(reach(option, context)?);
    }
    let Some(value) = value else {
        // Without a value, an option that may also be null is still the one to fill in.
        let null: Vec<bool> = options.iter().zip(&reached).map(|(option, reach)| is_null(option, reach)).collect();
        return Ok(match null[..] {
            [false, true] => Some(0),
            [true, false] => Some(1),
            _ => None,
        });
    };
    let mut candidates = Vec::new();
    for (index, reach) in reached.iter().enumerate() {
        let no = options.get(index).is_some_and(|option| option.located.schema == &Value::Bool(false));
        if let Some(score) = score(reach, value, context)?.filter(|_| !no) {
            candidates.push((index, score));
        }
    }
    let best = candidates.iter().map(|(_, score)| *score).max().unwrap_or_default();
    let leading = candidates.iter().filter(|(_, score)| score.constants == best.constants);
    let leading: Vec<usize> = leading.map(|(index, _)| *index).collect();
    match (&candidates[..], &leading[..]) {
        ([], _) => return Ok(None),
        ([(only, _)], _) => return Ok(Some(*only)),
        (_, [only]) if best.constants > 0 => return Ok(Some(*only)),
        _ => {}
    }
    for (index, _) in &candidates {
        let Some(option) = options.get(*index) else { continue };
        if context.fits(option, value)? == Some(true) {
            return Ok(Some(*index));
        }
    }
    let empty = match value {
        Value::Object(fields) => fields.is_empty(),
        Value::Array(items) => items.is_empty(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => false,
    };
    let first = candidates.iter().find(|(_, score)| *score == best);
    Ok(first.filter(|_| !empty).map(|(index, _)| *index))
}

/// How much a value looks like an option. `None` if it cannot be one.
fn score(reach: &[Spot<'_>], value: &Value, context: &mut Context<'_, '_>) -> Result<Option<Score>, Exhausted> {
    let mut score = Score::default();
    for spot in reach {
        let Some(fields) = spot.located.schema.as_object() else { continue };
        if Types::stated(fields).is_some_and(|types| !types.accept(value)) {
            return Ok(None);
        }
        match holds(constants(fields, spot.located.draft), value, context)? {
            Some(false) => return Ok(None),
            Some(true) => score.constants = score.constants.saturating_add(1),
            None => {}
        }
        let Value::Object(members) = value else { continue };
        let properties = fields.get("properties").and_then(Value::as_object);
        let closed = fields.get("additionalProperties") == Some(&Value::Bool(false));
        for (name, member) in members {
            context.budget.charge(PROPERTY)?;
            let Some(property) = properties.and_then(|properties| properties.get(name)) else {
                score.keys = score.keys.saturating_sub(i64::from(closed));
                continue;
            };
            score.keys = score.keys.saturating_add(2);
            let target = property.get("$ref").and_then(|_| spot.member("properties", name)?.target("$ref"));
            let property = target.map_or(property, |target| target.located.schema);
            let Some(property) = property.as_object() else { continue };
            let list = constants(property, spot.located.draft);
            // A property with one value tells options apart.
            let fixed = list.is_some_and(|list| list.len() == 1);
            match holds(list, member, context)? {
                Some(false) if fixed => return Ok(None),
                Some(true) if fixed => score.constants = score.constants.saturating_add(1),
                _ => {}
            }
            if Types::stated(property).is_some_and(|types| !types.accept(member)) {
                score.keys = score.keys.saturating_sub(3);
            }
        }
        let required = fields.get("required").and_then(Value::as_array).into_iter().flatten();
        for name in required.filter_map(Value::as_str) {
            context.budget.charge(PROPERTY)?;
            score.keys = score.keys.saturating_sub(i64::from(!members.contains_key(name)));
        }
    }
    Ok(Some(score))
}

/// Whether the value is one of the constants. `None` if there are none, or too many to look at.
fn holds(constants: Option<&[Value]>, value: &Value, context: &mut Context<'_, '_>) -> Result<Option<bool>, Exhausted> {
    let Some(list) = constants.filter(|list| list.len() <= CONSTANTS) else { return Ok(None) };
    let each = COMPARED.saturating_add(value.as_str().map_or(0, str::len) as u64 / 16);
    context.budget.charge((list.len() as u64).saturating_mul(each))?;
    let scalar = |value: &Value| !value.is_array() && !value.is_object();
    if !scalar(value) || !list.iter().all(scalar) {
        return Ok(None);
    }
    Ok(Some(list.iter().any(|one| equal(one, value))))
}
