//! What kind of field the subschemas of a place make together: the types that all of them allow, the values that all of them list.

use super::{
    decide::constants,
    field::{Kind, Reason},
    memo::Context,
    parts::{Choice, Parts},
    types::{Type, Types},
};
use crate::{budget::Exhausted, json::equal};
use serde_json::Value;

/// The cost of comparing two values, and of showing one.
const COMPARED: u64 = 8;
const SHOWN: u64 = 40;
/// The most values that are listed, and their most bytes.
const MOST: usize = 5_000;
const BYTES: usize = 400_000;

/// The kind of a place.
pub struct Shape<'a> {
    pub kind: Kind,
    /// What can be chosen.
    pub values: Vec<Choice<'a>>,
    /// The types of a value, if there are several: the group `type`.
    pub types: Option<TypeGroup>,
}

/// The group of several types.
pub struct TypeGroup {
    pub types: Vec<Type>,
    pub current: Option<usize>,
    pub chosen: bool,
}

impl<'a> Shape<'a> {
    fn plain(kind: Kind) -> Self {
        Self { kind, values: vec![], types: None }
    }

    /// The kind that the parts make. `chosen` is the type that the person chose, of those that are offered.
    pub fn of(
        parts: &Parts<'a>,
        value: Option<&Value>,
        chosen: Option<usize>,
        context: &mut Context<'a, '_>,
    ) -> Result<Self, Exhausted> {
        if parts.forbidden {
            return Ok(Self::plain(value.map_or(Kind::Nothing, |_| Kind::Json(Reason::NotAllowed))));
        }
        if parts.too_many {
            return Ok(Self::plain(Kind::Json(Reason::TooManyParts)));
        }
        let stated = parts.fields().filter_map(|(_, fields)| Types::stated(fields)).fold(Types::ALL, Types::and);
        if let Some(values) = values(parts, stated, context)? {
            return Ok(Self::choice(values));
        }
        // A group that waits for a choice says nothing of the types yet.
        let waits = parts.groups.iter().any(|group| group.current.is_none());
        let mut meant = parts.fields().map(|(_, fields)| Types::meant(fields)).fold(Types::NONE, Types::or).and(stated);
        if stated != Types::ALL || meant.is_empty() {
            meant = stated;
        }
        let mut offered: Vec<Type> = meant.list().collect();
        // The type of a value that is there comes last, so that the others keep their places.
        offered.extend(value.filter(|value| stated.accept(value) && !meant.accept(value)).map(Type::of));
        match offered[..] {
            [] => Ok(Self::plain(Kind::Json(Reason::Contradiction))),
            [only] => Ok(Self::plain(if waits && only != Type::Object { Kind::Options } else { kind(only) })),
            _ if waits && stated == Types::ALL => Ok(Self::plain(Kind::Options)),
            _ => Ok(Self::several(offered, value, chosen)),
        }
    }

    fn several(types: Vec<Type>, value: Option<&Value>, chosen: Option<usize>) -> Self {
        let chosen = chosen.filter(|index| *index < types.len());
        let by_value = || match value {
            Some(value) => types.iter().position(|one| Types::one(*one).accept(value)),
            None => match types[..] {
                [one, Type::Null] | [Type::Null, one] => types.iter().position(|other| *other == one),
                _ => None,
            },
        };
        let current = chosen.or_else(by_value);
        let of = current.and_then(|index| types.get(index)).map_or(Kind::Options, |one| kind(*one));
        let group = TypeGroup { types, current, chosen: chosen.is_some() };
        Self { kind: of, values: vec![], types: Some(group) }
    }

    fn choice(values: Vec<Choice<'a>>) -> Self {
        let boolean = |value: bool| values.iter().any(|choice| choice.value == &Value::Bool(value));
        let plain = values.iter().all(|choice| choice.title.is_none());
        let kind = match &values[..] {
            [] => return Self::plain(Kind::Json(Reason::Contradiction)),
            [Choice { value: Value::Null, .. }] => Kind::Null,
            [_, _] if plain && boolean(true) && boolean(false) => return Self::plain(Kind::Boolean),
            _ if values.len() > MOST => return Self::plain(Kind::Json(Reason::TooLarge)),
            _ => Kind::Choice,
        };
        Self { kind, values, types: None }
    }
}

/// The kind of a field for one type.
pub fn kind(one: Type) -> Kind {
    match one {
        Type::Text => Kind::Text,
        Type::Number => Kind::Number,
        Type::Integer => Kind::Integer,
        Type::Boolean => Kind::Boolean,
        Type::Null => Kind::Null,
        Type::Object => Kind::Object,
        Type::Array => Kind::Array,
    }
}

/// The values that every list of the parts has and every type allows. `None` if there is no list.
fn values<'a>(
    parts: &Parts<'a>,
    types: Types,
    context: &mut Context<'a, '_>,
) -> Result<Option<Vec<Choice<'a>>>, Exhausted> {
    let mut lists: Vec<Vec<Choice<'a>>> = vec![];
    for named in &parts.named {
        context.budget.charge((named.len() as u64).saturating_mul(SHOWN))?;
        lists.push(named.clone());
    }
    for (part, fields) in parts.fields() {
        let Some(list) = constants(fields, part.spot.located.draft) else { continue };
        context.budget.charge((list.len() as u64).saturating_mul(SHOWN))?;
        let titles = fields.get("enumNames").and_then(Value::as_array).filter(|names| names.len() == list.len());
        let title = |index: usize| titles.and_then(|titles| titles.get(index)).and_then(Value::as_str);
        let choices = list.iter().enumerate();
        lists.push(
            choices
                .map(|(index, value)| Choice { value, title: title(index), description: None, deprecated: false })
                .collect(),
        );
    }
    let mut lists = lists.into_iter();
    let Some(mut first) = lists.next() else { return Ok(None) };
    for other in lists {
        let pairs = (first.len() as u64).saturating_mul(other.len() as u64);
        context.budget.charge(pairs.saturating_mul(COMPARED))?;
        first.retain(|choice| other.iter().any(|one| equal(one.value, choice.value)));
    }
    first.retain(|choice| types.accept(choice.value));
    Ok(Some(first))
}

/// Whether listed values are few enough to be shown. Charges the bytes.
pub fn shown(values: &[Choice<'_>], context: &mut Context<'_, '_>) -> Result<bool, Exhausted> {
    let mut bytes = 0_usize;
    for choice in values {
        let cost = crate::schema::bounds::copying(choice.value, context.budget)?;
        bytes = bytes.saturating_add(usize::try_from(cost).unwrap_or(usize::MAX));
        if bytes > BYTES {
            return Ok(false);
        }
    }
    Ok(true)
}
