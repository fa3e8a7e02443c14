//! The subschemas that apply at a place together: by references, `allOf`, the options that hold, and the conditions that the value meets.

use super::{
    decide::{constants, option},
    memo::Context,
    spot::{Spot, Step},
};
use crate::budget::Exhausted;
use jsonschema::Draft;
use serde_json::{Map, Value};
use std::{borrow::Cow, sync::LazyLock};

/// The cost of a subschema, and of each option of a group.
const PART: u64 = 200;
const OPTION: u64 = 60;
/// The most subschemas that apply at one place.
const MOST: usize = 200;
/// What an option or a choice may say without being more than a name for a value.
const LABELS: [&str; 8] = ["title", "description", "const", "enum", "type", "deprecated", "$comment", "x-"];
/// What an option may say without changing which fields there are.
const DEMANDS: [&str; 8] =
    ["required", "not", "minProperties", "maxProperties", "dependentRequired", "$comment", "minItems", "maxItems"];

/// What stands for an object that is not there yet, where a condition asks about it.
static EMPTY: LazyLock<Value> = LazyLock::new(|| Value::Object(Map::new()));

/// A subschema that applies at a place.
pub struct Part<'a> {
    pub spot: Spot<'a>,
    /// Whether it applies only because of the value or of a choice.
    pub weak: bool,
    /// Whether it may only describe, not demand: the keywords beside `$ref` up to draft 7.
    pub silent: bool,
}

/// A value that can be chosen.
#[derive(Clone, Copy)]
pub struct Choice<'a> {
    pub value: &'a Value,
    pub title: Option<&'a str>,
    pub description: Option<&'a str>,
    pub deprecated: bool,
}

/// Several options of which one holds, or at least one.
pub struct Group<'a> {
    pub id: String,
    pub by: &'static str,
    pub options: Vec<Spot<'a>>,
    pub discriminator: Option<Discriminator<'a>>,
    pub current: Option<usize>,
    pub chosen: bool,
}

/// What OpenAPI's `discriminator` says of a group.
#[derive(Clone, Copy)]
pub struct Discriminator<'a> {
    /// The property that tells the options apart.
    pub property: &'a str,
    mapping: Option<&'a Map<String, Value>>,
}

/// All that applies at a place.
#[derive(Default)]
pub struct Parts<'a> {
    pub list: Vec<Part<'a>>,
    pub groups: Vec<Group<'a>>,
    /// Lists of values with names, of which each allows what is in it.
    pub named: Vec<Vec<Choice<'a>>>,
    /// Whether the schema `false` applies.
    pub forbidden: bool,
    /// Whether there are more parts than are looked at.
    pub too_many: bool,
}

impl<'a> Parts<'a> {
    /// Everything that applies with these subschemas.
    pub fn of(
        spots: impl IntoIterator<Item = Spot<'a>>,
        pointer: &str,
        value: Option<&'a Value>,
        context: &mut Context<'a, '_>,
    ) -> Result<Self, Exhausted> {
        let mut gather = Gather { parts: Self::default(), value, chosen: context.choices.get(pointer), context };
        for (index, spot) in spots.into_iter().enumerate() {
            let prefix = if index == 0 { Cow::Borrowed("") } else { Cow::Owned(format!("{index}/")) };
            gather.add(spot, false, &prefix)?;
        }
        Ok(gather.parts)
    }

    /// The keywords of all parts that may demand something.
    pub fn fields(&self) -> impl Iterator<Item = (&Part<'a>, &'a Map<String, Value>)> {
        let parts = self.list.iter().filter(|part| !part.silent);
        parts.filter_map(|part| Some((part, part.spot.located.schema.as_object()?)))
    }

    /// What is said under a keyword that demands nothing: by the nearest part that always applies, else by one that applies now.
    pub fn said(&self, keyword: &str) -> Option<&'a Value> {
        let of = |weak: bool| {
            let mut parts = self.list.iter().filter(move |part| part.weak == weak);
            parts.find_map(|part| part.spot.get(keyword))
        };
        of(false).or_else(|| of(true))
    }

    /// What every part demands under a keyword, the nearest first.
    pub fn all(&self, keyword: &'static str) -> impl Iterator<Item = &'a Value> {
        self.fields().filter_map(move |(_, fields)| fields.get(keyword))
    }
}

struct Gather<'a, 'b, 'c> {
    parts: Parts<'a>,
    value: Option<&'a Value>,
    /// The options that were chosen here, by group.
    chosen: Option<&'c Value>,
    context: &'c mut Context<'a, 'b>,
}

impl<'a> Gather<'a, '_, '_> {
    /// Adds a subschema and what applies with it. `prefix` is the way to it from the place, for the ids of groups.
    fn add(&mut self, spot: Spot<'a>, weak: bool, prefix: &str) -> Result<(), Exhausted> {
        self.context.budget.charge(PART.saturating_add(prefix.len() as u64))?;
        let fields = match spot.located.schema {
            Value::Object(fields) => fields,
            Value::Bool(false) => {
                self.parts.forbidden = true;
                return Ok(());
            }
            _ => return Ok(()),
        };
        let address = spot.located.address();
        if self.parts.list.iter().any(|part| part.spot.located.address() == address) {
            return Ok(());
        }
        if self.parts.list.len() >= MOST {
            self.parts.too_many = true;
            return Ok(());
        }
        let silent = spot.only_refers();
        self.parts.list.push(Part { spot: spot.clone(), weak, silent });
        for target in spot.targets().collect::<Vec<_>>() {
            self.add(target, weak, &format!("{prefix}$ref/"))?;
        }
        if silent {
            return Ok(());
        }
        for (index, inner) in spot.items("allOf").enumerate() {
            self.add(inner, weak, &format!("{prefix}allOf/{index}/"))?;
        }
        if ["if", "dependentSchemas", "dependencies"].iter().any(|keyword| fields.contains_key(*keyword)) {
            self.conditions(&spot, fields, prefix)?;
        }
        for keyword in ["oneOf", "anyOf"] {
            if fields.contains_key(keyword) {
                self.group(keyword, &spot, weak, prefix)?;
            }
        }
        Ok(())
    }

    fn conditions(&mut self, spot: &Spot<'a>, fields: &'a Map<String, Value>, prefix: &str) -> Result<(), Exhausted> {
        let draft = spot.located.draft;
        if let Some(condition) = spot.single("if") {
            let value = self.value.unwrap_or(&EMPTY);
            let then = ["then", "else"].map(|keyword| spot.single(keyword));
            let [then, otherwise] = then;
            if then.is_some() || otherwise.is_some() {
                let branch = match self.context.fits(&condition, value)? {
                    Some(true) => then.map(|then| (then, "then/")),
                    Some(false) => otherwise.map(|otherwise| (otherwise, "else/")),
                    None => None,
                };
                if let Some((branch, step)) = branch {
                    self.add(branch, true, &format!("{prefix}{step}"))?;
                }
            }
        }
        let Some(Value::Object(members)) = self.value else { return Ok(()) };
        for keyword in ["dependentSchemas", "dependencies"] {
            if keyword == "dependentSchemas" && draft < Draft::Draft201909 {
                continue;
            }
            let dependent = fields.get(keyword).and_then(Value::as_object).into_iter().flatten();
            for (name, schema) in dependent {
                self.context.budget.charge(OPTION)?;
                if !members.contains_key(name) || schema.is_array() {
                    continue;
                }
                if let Some(inner) = spot.inner(keyword, Some(Step::Member(name)), schema) {
                    self.add(inner, true, &format!("{prefix}{keyword}/{name}/"))?;
                }
            }
        }
        Ok(())
    }

    fn group(&mut self, keyword: &'static str, spot: &Spot<'a>, weak: bool, prefix: &str) -> Result<(), Exhausted> {
        let count = spot.get(keyword).and_then(Value::as_array).map_or(0, Vec::len) as u64;
        self.context.budget.charge(count.saturating_mul(OPTION))?;
        let options: Vec<Spot<'a>> = spot.items(keyword).collect();
        if let Some(named) = options.iter().map(named).collect::<Option<Vec<_>>>()
            && named.iter().flatten().any(|choice| choice.title.is_some())
        {
            self.parts.named.push(named.into_iter().flatten().collect());
            return Ok(());
        }
        if options.iter().all(demands) {
            return Ok(());
        }
        let id = format!("{prefix}{keyword}");
        if let [only] = &options[..] {
            return self.add(only.clone(), weak, &format!("{id}/0/"));
        }
        let chosen = self.chosen.and_then(|chosen| chosen.get(&id)).and_then(Value::as_u64);
        let chosen = chosen.and_then(|index| usize::try_from(index).ok()).filter(|index| *index < options.len());
        let discriminator = Discriminator::of(spot);
        let current = match chosen.or_else(|| discriminator?.option(&options, self.value?)) {
            Some(index) => Some(index),
            None => option(&options, self.value, self.context)?,
        };
        let holds = current.and_then(|index| Some((index, options.get(index)?.clone())));
        let chosen = chosen.is_some();
        self.parts.groups.push(Group { id: id.clone(), by: keyword, options, discriminator, current, chosen });
        if let Some((index, option)) = holds {
            self.add(option, true, &format!("{id}/{index}/"))?;
        }
        Ok(())
    }
}

impl<'a> Discriminator<'a> {
    fn of(spot: &Spot<'a>) -> Option<Self> {
        let said = spot.get("discriminator")?;
        let mapping = said.get("mapping").and_then(Value::as_object);
        Some(Self { property: said.get("propertyName")?.as_str()?, mapping })
    }

    /// The name that the mapping gives an option.
    pub fn names(&self, option: &Spot<'a>) -> Option<&'a str> {
        let reference = option.get("$ref")?.as_str()?;
        let is = |target: &Value| target.as_str().is_some_and(|to| to == reference || Some(to) == definition(option));
        self.mapping?.iter().find(|(_, target)| is(target)).map(|(name, _)| name.as_str())
    }

    /// The option that the value names.
    fn option(&self, options: &[Spot<'a>], value: &Value) -> Option<usize> {
        let name = value.get(self.property)?.as_str()?;
        let named = |option: &Spot<'a>| self.names(option).or_else(|| definition(option)) == Some(name);
        options.iter().position(named)
    }
}

/// The last part of the reference that an option is: the name of a definition.
pub fn definition<'a>(option: &Spot<'a>) -> Option<&'a str> {
    option.get("$ref")?.as_str()?.rsplit('/').next().filter(|name| !name.is_empty() && *name != "#")
}

/// The choices that an option is, if it does no more than to name constants.
fn named<'a>(option: &Spot<'a>) -> Option<Vec<Choice<'a>>> {
    let fields = option.located.schema.as_object()?;
    if !fields.keys().all(|keyword| LABELS.contains(&keyword.as_str()) || keyword.starts_with("x-")) {
        return None;
    }
    let values = constants(fields, option.located.draft)?;
    let said = |keyword: &str| fields.get(keyword).and_then(Value::as_str).filter(|_| values.len() == 1);
    let deprecated = fields.get("deprecated") == Some(&Value::Bool(true));
    let (title, description) = (said("title"), said("description"));
    Some(values.iter().map(|value| Choice { value, title, description, deprecated }).collect())
}

/// Whether an option says only what must be there.
fn demands(option: &Spot<'_>) -> bool {
    let fields = option.located.schema.as_object();
    fields.is_some_and(|fields| fields.keys().all(|keyword| DEMANDS.contains(&keyword.as_str())))
}
