//! What the schema says of a place: its title and the like, its limits, and how the options of its groups are called.

use super::{
    decide::{constants, reach, types},
    field::{Grouped, Limit, Named, Says},
    memo::Context,
    parts::{Group, Parts, definition},
    shape,
    spot::Spot,
    types::Types,
};
use crate::{budget::Exhausted, json::compare};
use jsonschema::Draft;
use serde_json::{Map, Value};
use std::cmp::Ordering;

/// The cost of looking for a keyword, and for a property of an option.
const KEYWORD: u64 = 10;
const PROPERTY: u64 = 20;

/// Limits of which the largest holds, and those of which the smallest does.
const LEAST: [&str; 7] =
    ["minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties", "minContains", "multipleOf"];
const MOST: [&str; 6] = ["maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties", "maxContains"];

/// What the parts say.
pub fn says<'a>(parts: &Parts<'a>, context: &mut Context<'a, '_>) -> Result<Says<'a>, Exhausted> {
    context.budget.charge((parts.list.len() as u64).saturating_mul(KEYWORD * 8))?;
    let own = || parts.list.iter().filter(|part| !part.weak).map(|part| &part.spot);
    // The title of an option is that of the option, not of the place.
    let text = |keyword: &str| own().find_map(|spot| spot.get(keyword)?.as_str());
    let is = |keyword: &str| own().any(|spot| spot.get(keyword) == Some(&Value::Bool(true)));
    Ok(Says {
        title: text("title"),
        description: text("description"),
        format: parts.said("format").and_then(Value::as_str),
        encoding: parts.said("contentEncoding").and_then(Value::as_str),
        media_type: parts.said("contentMediaType").and_then(Value::as_str),
        default: parts.said("default"),
        examples: parts.said("examples").filter(|examples| examples.is_array()),
        deprecated: is("deprecated"),
        read_only: is("readOnly"),
        write_only: is("writeOnly"),
    })
}

/// The limits of the parts, each the strictest.
pub fn limits<'a>(
    parts: &Parts<'a>,
    context: &mut Context<'a, '_>,
) -> Result<Vec<(&'static str, Limit<'a>)>, Exhausted> {
    context.budget.charge((parts.list.len() as u64).saturating_mul(KEYWORD * 16))?;
    let mut limits = vec![];
    for (keywords, stricter) in [(&LEAST[..], Ordering::Greater), (&MOST[..], Ordering::Less)] {
        for keyword in keywords {
            let mut strictest: Option<&'a Value> = None;
            for (part, fields) in parts.fields() {
                let Some(value) = limit(fields, keyword, part.spot.located.draft) else { continue };
                let wins = strictest
                    .and_then(Value::as_number)
                    .is_none_or(|other| value.as_number().is_some_and(|value| compare(value, other) == stricter));
                if wins {
                    strictest = Some(value);
                }
            }
            limits.extend(strictest.map(|value| (*keyword, Limit::Value(value))));
        }
    }
    if parts.all("uniqueItems").any(|unique| unique == &Value::Bool(true)) {
        limits.push(("uniqueItems", Limit::True));
    }
    let patterns: Vec<&str> = parts.all("pattern").filter_map(Value::as_str).collect();
    if !patterns.is_empty() {
        limits.push(("patterns", Limit::Texts(patterns)));
    }
    Ok(limits)
}

/// A limit of one part. In draft 4 `exclusiveMinimum` is a flag beside `minimum`.
fn limit<'a>(fields: &'a Map<String, Value>, keyword: &str, draft: Draft) -> Option<&'a Value> {
    let flag = |keyword: &str| draft == Draft::Draft4 && fields.get(keyword) == Some(&Value::Bool(true));
    let (own, exclusive) = match keyword {
        "minimum" => ("minimum", flag("exclusiveMinimum")),
        "maximum" => ("maximum", flag("exclusiveMaximum")),
        "exclusiveMinimum" if flag(keyword) => ("minimum", false),
        "exclusiveMaximum" if flag(keyword) => ("maximum", false),
        other => (other, false),
    };
    fields.get(own).filter(|value| value.is_number() && !exclusive)
}

/// A group with names for its options.
pub fn grouped<'a>(group: &Group<'a>, context: &mut Context<'a, '_>) -> Result<Grouped<'a>, Exhausted> {
    let mut reached = vec![];
    for option in &group.options {
        reached.push(reach(option, context)?);
    }
    let property = telling(group.discriminator.map(|said| said.property), &reached, context)?;
    let mut options = vec![];
    for (option, reach) in group.options.iter().zip(&reached) {
        let fields = || reach.iter().filter_map(|spot| spot.located.schema.as_object());
        let own = option.located.schema.as_object();
        let text = |keyword: &str| own.into_iter().chain(fields()).find_map(|fields| fields.get(keyword)?.as_str());
        let defined = definition(option);
        let mapped = || group.discriminator?.names(option).or(defined);
        let told = property.and_then(|name| {
            let constant = reach.iter().find_map(|spot| constant(spot, name)).cloned();
            let value = constant.or_else(|| Some(mapped().filter(|_| group.discriminator.is_some())?.into()))?;
            Some((name, value))
        });
        let told_by = told.as_ref().map(|(_, value)| match value {
            Value::String(name) => name.clone(),
            other => crate::json::text(other),
        });
        context.budget.charge(told_by.as_ref().map_or(0, String::len) as u64)?;
        options.push(Named {
            kind: option_kind(option, reach),
            title: text("title"),
            description: text("description"),
            name: told_by.or_else(|| defined.or_else(|| text("format")).map(str::to_owned)),
            told,
            deprecated: own.is_some_and(|own| own.get("deprecated") == Some(&Value::Bool(true))),
        });
    }
    let Group { id, by, current, chosen, .. } = group;
    Ok(Grouped { id: id.clone(), by, options, current: *current, chosen: *chosen })
}

/// The kind of an option, as far as it can be seen from outside.
fn option_kind(option: &Spot<'_>, reach: &[Spot<'_>]) -> &'static str {
    if option.located.schema == &Value::Bool(false) {
        return "nothing";
    }
    let (stated, meant) = types(reach);
    let listed = reach
        .iter()
        .any(|spot| spot.located.schema.as_object().and_then(|fields| constants(fields, spot.located.draft)).is_some());
    let shown = if stated == Types::ALL && !meant.is_empty() { meant } else { stated };
    match shown.list().collect::<Vec<_>>()[..] {
        [only] if !listed || only == super::types::Type::Null => shape::kind(only).name(),
        _ if listed => "choice",
        _ => "options",
    }
}

/// The property whose constant tells the options apart.
fn telling<'a>(
    stated: Option<&'a str>,
    options: &[Vec<Spot<'a>>],
    context: &mut Context<'a, '_>,
) -> Result<Option<&'a str>, Exhausted> {
    if stated.is_some() {
        return Ok(stated);
    }
    let Some(first) = options.iter().find(|reach| reach.iter().any(|spot| spot.get("properties").is_some())) else {
        return Ok(None);
    };
    let properties = first.iter().filter_map(|spot| spot.get("properties")?.as_object());
    for name in properties.flat_map(Map::keys) {
        context.budget.charge(PROPERTY)?;
        if !first.iter().any(|spot| constant(spot, name).is_some()) {
            continue;
        }
        context.budget.charge((options.len() as u64).saturating_mul(PROPERTY))?;
        let mut of_options = options.iter().filter(|reach| reach.iter().any(|spot| spot.get("properties").is_some()));
        if of_options.all(|reach| reach.iter().any(|spot| constant(spot, name).is_some())) {
            return Ok(Some(name));
        }
    }
    Ok(None)
}

/// The only value of a property.
fn constant<'a>(spot: &Spot<'a>, name: &str) -> Option<&'a Value> {
    let property = spot.member("properties", name)?;
    let property = property.target("$ref").unwrap_or(property);
    match constants(property.located.schema.as_object()?, property.located.draft)? {
        [only] if !only.is_array() && !only.is_object() => Some(only),
        _ => None,
    }
}
