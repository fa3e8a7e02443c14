//! Makes fields: one for a place, and one for each of its children.

use super::{
    field::{Add, Addable, Field, Grouped, Key, Kind, Level, Limit, Named, Reason},
    memo::Context,
    parts::{Choice, Parts},
    says::{grouped, limits, says},
    shape::{self, Shape},
    spot::Spot,
    types::Type,
    within::{self, Source},
};
use crate::{budget::Exhausted, json::equal};
use serde_json::{Map, Value};
use std::{borrow::Cow, collections::BTreeSet};

/// The cost of a field, of a lookup, and of comparing two values.
const FIELD: u64 = 600;
const LOOKUP: u64 = 20;
const COMPARED: u64 = 8;

/// A place in the value: what applies there.
pub struct Place<'a> {
    pub pointer: String,
    pub key: Key<'a>,
    pub parts: Parts<'a>,
    pub value: Option<&'a Value>,
    pub source: Option<Source>,
    pub required: bool,
}

/// The children that are asked for.
#[derive(Clone, Copy)]
pub struct Window {
    pub from: usize,
    pub count: usize,
}

impl<'a> Place<'a> {
    /// The whole value.
    pub fn root(value: Option<&'a Value>, context: &mut Context<'a, '_>) -> Result<Option<Self>, Exhausted> {
        let Ok(root) = context.compiled.references.root() else { return Ok(None) };
        let parts = Parts::of([Spot::root(root)], "", value, context)?;
        let pointer = String::new();
        Ok(Some(Self { pointer, key: Key::Root, parts, value, source: None, required: false }))
    }

    /// The member with this name.
    pub fn member(&self, name: Cow<'a, str>, required: bool, context: &mut Context<'a, '_>) -> Result<Self, Exhausted> {
        let pointer = format!("{}/{}", self.pointer, name.replace('~', "~0").replace('/', "~1"));
        context.budget.charge(pointer.len() as u64)?;
        let inner = within::member(&self.parts, self.value, &name, context)?;
        let value = self.members().and_then(|members| members.get(&*name));
        let parts = Parts::of(inner.spots, &pointer, value, context)?;
        Ok(Self { pointer, key: Key::Member(name), parts, value, source: Some(inner.source), required })
    }

    /// The item with this index.
    pub fn item(&self, index: usize, context: &mut Context<'a, '_>) -> Result<Self, Exhausted> {
        let pointer = format!("{}/{index}", self.pointer);
        context.budget.charge(pointer.len() as u64)?;
        let inner = within::item(&self.parts, self.value, index, context)?;
        let value = self.value.and_then(Value::as_array).and_then(|items| items.get(index));
        let parts = Parts::of(inner.spots, &pointer, value, context)?;
        Ok(Self { pointer, key: Key::Item(index), parts, value, source: Some(inner.source), required: false })
    }

    pub fn members(&self) -> Option<&'a Map<String, Value>> {
        self.value.and_then(Value::as_object)
    }

    /// The kind, and what goes with it.
    pub fn shape(&self, context: &mut Context<'a, '_>) -> Result<Shape<'a>, Exhausted> {
        let chosen = context.choices.get(&self.pointer).and_then(|chosen| chosen.get("type"));
        let chosen = chosen.and_then(Value::as_u64).and_then(|index| usize::try_from(index).ok());
        let mut shape = Shape::of(&self.parts, self.value, chosen, context)?;
        if shape.kind == Kind::Array
            && let Some(values) = self.several(context)?
        {
            shape = Shape { kind: Kind::Choices, values, ..shape };
        }
        if !shape::shown(&shape.values, context)? {
            shape = Shape { kind: Kind::Json(Reason::TooLarge), values: vec![], types: None };
        }
        Ok(shape)
    }

    /// The values of which an array has some, each once. `None` if it is an array of another kind.
    fn several(&self, context: &mut Context<'a, '_>) -> Result<Option<Vec<Choice<'a>>>, Exhausted> {
        let unique = self.parts.all("uniqueItems").any(|unique| unique == &Value::Bool(true));
        if !unique || within::tuple(&self.parts) > 0 {
            return Ok(None);
        }
        let inner = within::item(&self.parts, None, 0, context)?;
        let parts = Parts::of(inner.spots, &format!("{}/-", self.pointer), None, context)?;
        if !parts.groups.is_empty() {
            return Ok(None);
        }
        let shape = Shape::of(&parts, None, None, context)?;
        Ok((shape.kind == Kind::Choice).then_some(shape.values))
    }

    /// The field, without its children.
    pub fn field(&self, context: &mut Context<'a, '_>) -> Result<Field<'a>, Exhausted> {
        context.budget.charge(FIELD)?;
        let Shape { mut kind, values, types } = self.shape(context)?;
        if let (Some(Source::Unknown), Some(_)) = (self.source, self.value) {
            kind = Kind::Json(Reason::NotAllowed);
        }
        let mut groups = vec![];
        for group in &self.parts.groups {
            groups.push(grouped(group, context)?);
        }
        if let Some(types) = types {
            let options = types.types.iter().map(|one| option(*one)).collect();
            let (by, id) = ("type", "type".to_owned());
            groups.push(Grouped { id, by, options, current: types.current, chosen: types.chosen });
        }
        let mut field = Field {
            pointer: self.pointer.clone(),
            key: self.key.clone(),
            kind,
            says: says(&self.parts, context)?,
            constant: match &values[..] {
                [only] if kind != Kind::Choices => Some(only.value),
                _ => None,
            },
            source: self.source,
            required: self.required,
            present: self.value.is_some(),
            mismatch: None,
            limits: limits(&self.parts, context)?,
            groups,
            values,
            selected: vec![],
            unlisted: 0,
            add: None,
            level: None,
        };
        if let Some(value) = self.value {
            select(&mut field, value, context)?;
        }
        Ok(field)
    }

    /// The field with its children.
    pub fn opened(&self, window: Window, context: &mut Context<'a, '_>) -> Result<Field<'a>, Exhausted> {
        let mut field = self.field(context)?;
        if field.mismatch.is_some() {
            return Ok(field);
        }
        match field.kind {
            Kind::Object => {
                let (level, add) = (self.object(window, context)?, self.further_member(context)?);
                (field.level, field.add) = (Some(level), add);
            }
            Kind::Array => {
                let (level, add) = (self.array(window, context)?, self.further_item(&field, context)?);
                (field.level, field.add) = (Some(level), add);
            }
            _ => {}
        }
        Ok(field)
    }

    fn object(&self, window: Window, context: &mut Context<'a, '_>) -> Result<Level<'a>, Exhausted> {
        let members = self.members();
        let required = within::required(&self.parts, members, context)?;
        let mut names = within::names(&self.parts, members, &required, context)?;
        context
            .budget
            .charge((names.len() as u64).saturating_mul(self.parts.list.len() as u64).saturating_mul(LOOKUP))?;
        names.retain(|name| members.is_some_and(|members| members.contains_key(*name)) || self.allows(name));
        let total = names.len();
        let mut children = vec![];
        for name in names.into_iter().skip(window.from).take(window.count) {
            children.push(self.member(name.into(), required.contains(name), context)?.field(context)?);
        }
        Ok(Level { from: window.from, total, children })
    }

    /// Whether a member that is not there could be there: no part says `false` of it.
    fn allows(&self, name: &str) -> bool {
        self.parts.fields().all(|(_, fields)| {
            let own = fields.get("properties").and_then(|properties| properties.get(name));
            let rest = || {
                let patterns = fields.contains_key("patternProperties");
                fields.get("additionalProperties").filter(|_| !patterns)
            };
            own.or_else(rest) != Some(&Value::Bool(false))
        })
    }

    fn array(&self, window: Window, context: &mut Context<'a, '_>) -> Result<Level<'a>, Exhausted> {
        let present = self.value.and_then(Value::as_array).map_or(0, Vec::len);
        let total = present.max(within::tuple(&self.parts));
        let mut children = vec![];
        for index in (0..total).skip(window.from).take(window.count) {
            children.push(self.item(index, context)?.field(context)?);
        }
        Ok(Level { from: window.from, total, children })
    }

    /// What a further item is.
    fn further_item(&self, field: &Field<'a>, context: &mut Context<'a, '_>) -> Result<Option<Add<'a>>, Exhausted> {
        let index = self.value.and_then(Value::as_array).map_or(0, Vec::len);
        let full = field.limits.iter().any(|(keyword, limit)| match limit {
            Limit::Value(most) => *keyword == "maxItems" && most.as_u64().is_some_and(|most| most <= index as u64),
            Limit::True | Limit::Texts(_) => false,
        });
        let item = self.item(index, context)?;
        if full || item.source == Some(Source::Unknown) || item.parts.forbidden {
            return Ok(None);
        }
        let kind = item.shape(context)?.kind.name();
        Ok(Some(Add::Item { index, kind, title: says(&item.parts, context)?.title }))
    }

    /// What a further member may be.
    fn further_member(&self, context: &mut Context<'a, '_>) -> Result<Option<Add<'a>>, Exhausted> {
        let most = self.parts.all("maxProperties").filter_map(Value::as_u64).min();
        if most.is_some_and(|most| self.members().map_or(0, Map::len) as u64 >= most) {
            return Ok(None);
        }
        let mut of = vec![];
        let mut rest: Vec<Spot<'a>> = vec![];
        for (part, fields) in self.parts.fields() {
            rest.extend(part.spot.single("additionalProperties"));
            let patterns = fields.get("patternProperties").and_then(Value::as_object).into_iter().flatten();
            for (pattern, schema) in patterns {
                let step = super::spot::Step::Member(pattern);
                let Some(spot) = part.spot.inner("patternProperties", Some(step), schema) else { continue };
                of.extend(self.addable(vec![spot], Some(pattern), context)?);
            }
        }
        if rest.is_empty() {
            rest.extend(self.parts.fields().filter_map(|(part, _)| part.spot.single("unevaluatedProperties")));
        }
        let stated = !of.is_empty() || !rest.is_empty() || self.parts.all("propertyNames").next().is_some();
        let stated = stated || self.parts.all("properties").next().is_none();
        of.extend(self.addable(rest, None, context)?);
        if of.is_empty() {
            return Ok(None);
        }
        let spots = self.parts.fields().filter_map(|(part, _)| part.spot.single("propertyNames"));
        let named = Parts::of(spots.collect::<Vec<_>>(), "", None, context)?;
        let Shape { values, .. } = Shape::of(&named, None, None, context)?;
        if named.forbidden {
            return Ok(None);
        }
        let members = self.members();
        let free = |value: &&'a Value| {
            value.as_str().is_some_and(|name| members.is_none_or(|members| !members.contains_key(name)))
        };
        let listed = !values.is_empty();
        let values: Vec<&'a Value> = values.into_iter().map(|choice| choice.value).filter(free).collect();
        if listed && values.is_empty() {
            return Ok(None);
        }
        Ok(Some(Add::Member { stated, names: limits(&named, context)?, values, of }))
    }

    fn addable(
        &self,
        spots: Vec<Spot<'a>>,
        pattern: Option<&'a str>,
        context: &mut Context<'a, '_>,
    ) -> Result<Option<Addable<'a>>, Exhausted> {
        let parts = Parts::of(spots, "", None, context)?;
        if parts.forbidden {
            return Ok(None);
        }
        let kind = Shape::of(&parts, None, None, context)?.kind.name();
        Ok(Some(Addable { kind, title: says(&parts, context)?.title, pattern }))
    }

    /// The names of the members that must be there.
    pub fn required(&self, context: &mut Context<'a, '_>) -> Result<BTreeSet<&'a str>, Exhausted> {
        within::required(&self.parts, self.members(), context)
    }
}

/// The option of the group `type` for one type.
fn option<'a>(one: Type) -> Named<'a> {
    let kind = shape::kind(one).name();
    Named { kind, title: None, description: None, name: None, told: None, deprecated: false }
}

/// Sets what the present value says: which of the values it is, and whether the kind can show it.
fn select(field: &mut Field<'_>, value: &Value, context: &mut Context<'_, '_>) -> Result<(), Exhausted> {
    let fits = match field.kind {
        Kind::Choice => {
            context.budget.charge((field.values.len() as u64).saturating_mul(COMPARED))?;
            field.selected.extend(field.values.iter().position(|choice| equal(choice.value, value)));
            !field.selected.is_empty()
        }
        Kind::Choices => {
            let items = value.as_array().map(Vec::as_slice).unwrap_or_default();
            let pairs = (items.len() as u64).saturating_mul(field.values.len() as u64);
            context.budget.charge(pairs.saturating_mul(COMPARED))?;
            for item in items {
                let found = field.values.iter().position(|choice| equal(choice.value, item));
                match found.filter(|found| !field.selected.contains(found)) {
                    Some(found) => field.selected.push(found),
                    None => field.unlisted = field.unlisted.saturating_add(1),
                }
            }
            value.is_array()
        }
        kind => kind.takes(value),
    };
    if !fits {
        field.mismatch = Some(Type::of(value).name());
    }
    Ok(())
}
