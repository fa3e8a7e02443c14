//! Which subschemas apply to a member or an item of a value, and which members there may be.

use super::{
    memo::Context,
    parts::Parts,
    spot::{Spot, Step},
};
use crate::budget::Exhausted;
use jsonschema::Draft;
use serde_json::{Map, Value};
use std::collections::BTreeSet;

/// The cost of a lookup.
const LOOKUP: u64 = 20;

/// Where a member or an item comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    Properties,
    Pattern,
    Additional,
    Prefix,
    Items,
    /// The schema does not allow it.
    Unknown,
}

/// The subschemas of a member or an item.
pub struct Inner<'a> {
    pub spots: Vec<Spot<'a>>,
    pub source: Source,
}

/// The subschemas that apply to the member of a value with this name.
pub fn member<'a>(
    parts: &Parts<'a>,
    value: Option<&'a Value>,
    name: &str,
    context: &mut Context<'a, '_>,
) -> Result<Inner<'a>, Exhausted> {
    let (mut spots, mut further) = (vec![], vec![]);
    let mut source = None;
    let mut covered = false;
    for (part, fields) in parts.fields() {
        context.budget.charge(LOOKUP.saturating_add(name.len() as u64 / 8))?;
        let spot = &part.spot;
        let mut own = false;
        if let Some(property) = spot.member("properties", name) {
            spots.push(property);
            (own, source) = (true, Some(Source::Properties));
        }
        let patterns = fields.get("patternProperties").and_then(Value::as_object);
        for (pattern, schema) in patterns.into_iter().flatten() {
            if context.matches(pattern, name)? {
                spots.extend(spot.inner("patternProperties", Some(Step::Member(pattern)), schema));
                own = true;
                source = source.or(Some(Source::Pattern));
            }
        }
        covered |= own || fields.contains_key("additionalProperties");
        if !own {
            further.extend(spot.single("additionalProperties"));
        }
    }
    if !covered {
        let present = value.filter(|value| value.get(name).is_some());
        further.extend(unevaluated(parts, "unevaluatedProperties", present, context)?);
    }
    let closed = further.iter().any(is_false);
    spots.extend(further);
    let source = source.unwrap_or(if closed { Source::Unknown } else { Source::Additional });
    Ok(Inner { spots, source })
}

/// What is said of members or items of which no part speaks. Parts that do not apply here may have spoken of one that is present: the validator
/// knows.
fn unevaluated<'a>(
    parts: &Parts<'a>,
    keyword: &'static str,
    present: Option<&'a Value>,
    context: &mut Context<'a, '_>,
) -> Result<Vec<Spot<'a>>, Exhausted> {
    let mut found = vec![];
    for (part, _) in parts.fields() {
        let Some(rest) = part.spot.single(keyword) else { continue };
        let spoken = match present {
            Some(value) if is_false(&rest) => context.fits(&part.spot, value)? == Some(true),
            _ => false,
        };
        if !spoken {
            found.push(rest);
        }
    }
    Ok(found)
}

/// The subschemas that apply to the item of a value with this index.
pub fn item<'a>(
    parts: &Parts<'a>,
    value: Option<&'a Value>,
    index: usize,
    context: &mut Context<'a, '_>,
) -> Result<Inner<'a>, Exhausted> {
    let (mut spots, mut source) = (vec![], Source::Items);
    let mut covered = false;
    let mut closed = false;
    for (part, fields) in parts.fields() {
        context.budget.charge(LOOKUP)?;
        let (tuple, rest) = arrays(&part.spot, fields);
        if let Some(spot) = tuple.and_then(|keyword| {
            let schema = fields.get(keyword)?.as_array()?.get(index)?;
            part.spot.inner(keyword, Some(Step::Item(index)), schema)
        }) {
            spots.push(spot);
            (covered, source) = (true, Source::Prefix);
        } else if let Some(rest) = rest.and_then(|keyword| part.spot.single(keyword)) {
            closed |= is_false(&rest);
            spots.push(rest);
            covered = true;
        }
    }
    if !covered {
        let present = value.filter(|value| value.get(index).is_some());
        let rest = unevaluated(parts, "unevaluatedItems", present, context)?;
        closed = rest.iter().any(is_false);
        spots.extend(rest);
    }
    if closed && source == Source::Items {
        source = Source::Unknown;
    }
    Ok(Inner { spots, source })
}

/// The keyword with a list of subschemas for the first items, and the one with the subschema of the items after them.
fn arrays(spot: &Spot<'_>, fields: &Map<String, Value>) -> (Option<&'static str>, Option<&'static str>) {
    if spot.located.draft >= Draft::Draft202012 {
        (Some("prefixItems"), Some("items"))
    } else if fields.get("items").is_some_and(Value::is_array) {
        (Some("items"), Some("additionalItems"))
    } else {
        (None, Some("items"))
    }
}

/// How many first items have subschemas of their own.
pub fn tuple(parts: &Parts<'_>) -> usize {
    let of = |(part, fields): (&super::parts::Part<'_>, &Map<String, Value>)| {
        fields.get(arrays(&part.spot, fields).0?)?.as_array().map(Vec::len)
    };
    parts.fields().filter_map(of).max().unwrap_or_default()
}

/// The names of all members: those of the schema in its order, then those of the value.
pub fn names<'a>(
    parts: &Parts<'a>,
    value: Option<&'a Map<String, Value>>,
    required: &BTreeSet<&'a str>,
    context: &mut Context<'a, '_>,
) -> Result<Vec<&'a str>, Exhausted> {
    let mut seen = BTreeSet::new();
    let mut names = vec![];
    let declared = parts.all("properties").filter_map(Value::as_object).flat_map(Map::keys).map(String::as_str);
    let listed = parts.all("required").filter_map(Value::as_array).flatten().filter_map(Value::as_str);
    let present = value.into_iter().flat_map(Map::keys).map(String::as_str);
    for name in declared.chain(listed).chain(required.iter().copied()).chain(present) {
        context.budget.charge(LOOKUP.saturating_add(name.len() as u64 / 8))?;
        if seen.insert(name) {
            names.push(name);
        }
    }
    Ok(names)
}

/// The members that must be there now.
pub fn required<'a>(
    parts: &Parts<'a>,
    value: Option<&'a Map<String, Value>>,
    context: &mut Context<'a, '_>,
) -> Result<BTreeSet<&'a str>, Exhausted> {
    let mut required = BTreeSet::new();
    let demanded = parts.all("required").filter_map(Value::as_array).flatten();
    for name in demanded.filter_map(Value::as_str) {
        context.budget.charge(LOOKUP)?;
        required.insert(name);
    }
    for (part, fields) in parts.fields() {
        for keyword in ["dependentRequired", "dependencies"] {
            if keyword == "dependentRequired" && part.spot.located.draft < Draft::Draft201909 {
                continue;
            }
            for (name, demanded) in fields.get(keyword).and_then(Value::as_object).into_iter().flatten() {
                context.budget.charge(LOOKUP)?;
                if !value.is_some_and(|value| value.contains_key(name)) {
                    continue;
                }
                for name in demanded.as_array().into_iter().flatten().filter_map(Value::as_str) {
                    context.budget.charge(LOOKUP)?;
                    required.insert(name);
                }
            }
        }
    }
    Ok(required)
}

fn is_false(spot: &Spot<'_>) -> bool {
    spot.located.schema == &Value::Bool(false)
}
