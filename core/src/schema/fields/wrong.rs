//! What is wrong with a value, each violation with the place of its field. Where a value fits none of several options, the violations of
//! the option that holds are told.

use super::{locate::locate, memo::Context};
use crate::{
    budget::Exhausted,
    json::{ToJson, text},
    problem::Violation,
    schema::{
        bounds::Purpose,
        explain::{VIOLATIONS_BYTES, errors, fits, unlisted, violation},
    },
};
use jsonschema::{ValidationError, error::ValidationErrorKind as Kind};
use serde_json::Value;

/// How deep options within options are followed, and the most violations of them.
const LEVELS: usize = 8;
const MOST: usize = 100;

/// A violation with the places that it is about.
struct Wrong {
    violation: Violation,
    pointer: String,
    others: Vec<String>,
}

struct Listing<'a, 'b, 'c> {
    value: &'a Value,
    context: &'c mut Context<'a, 'b>,
    found: Vec<Wrong>,
    left: usize,
}

/// The list of violations, as JSON text.
pub fn list<'a>(value: &'a Value, context: &mut Context<'a, '_>) -> String {
    let compiled = context.compiled;
    let charged = compiled.plan.charge(value, Purpose::Check, context.budget);
    if charged.is_ok() && compiled.validator.is_valid(value) {
        return "[]".to_owned();
    }
    let errors = if charged.is_ok() { errors(compiled, value, context.budget) } else { vec![] };
    let mut listing = Listing { value, context, found: vec![], left: VIOLATIONS_BYTES };
    for error in &errors {
        listing.add(error, LEVELS);
    }
    if listing.found.is_empty() {
        listing.found.push(Wrong { violation: unlisted(), pointer: String::new(), others: vec![] });
    }
    text(&listing.found.iter().map(Wrong::to_json).collect::<Value>())
}

impl<'a> Listing<'a, '_, '_> {
    fn add(&mut self, error: &ValidationError<'_>, levels: usize) {
        let place = error.instance_path().as_str();
        if let (Kind::AnyOf { context } | Kind::OneOfNotValid { context }, Some(levels)) =
            (error.kind(), levels.checked_sub(1))
        {
            // The only option is no choice: it always holds.
            let only = (context.len() == 1).then_some(0);
            let current = only.or_else(|| self.current(place, error.kind().keyword(), context.len()).ok().flatten());
            let own = current.and_then(|index| context.get(index)).filter(|errors| !errors.is_empty());
            if let Some(errors) = own {
                errors.iter().for_each(|error| self.add(error, levels));
                return;
            }
        }
        let inner = |name: &str| format!("{place}/{}", name.replace('~', "~0").replace('/', "~1"));
        let mut pointers = match error.kind() {
            Kind::Required { property } => vec![inner(property.as_str().unwrap_or_default())],
            Kind::AdditionalProperties { unexpected } | Kind::UnevaluatedProperties { unexpected } => {
                unexpected.iter().map(|name| inner(name)).collect()
            }
            Kind::PropertyNames { error } => vec![inner(error.instance().as_str().unwrap_or_default())],
            _ => vec![place.to_owned()],
        }
        .into_iter();
        let violation = violation(error);
        let pointer = pointers.next().unwrap_or_else(|| place.to_owned());
        let room = pointers.len() < MOST && self.found.len() < MOST;
        let others: Vec<String> = pointers.collect();
        let bytes = others.iter().chain([&pointer]).map(String::len).fold(0, usize::saturating_add);
        if let (true, Some(left)) = (room, self.left.checked_sub(bytes)) {
            self.left = left;
            if fits(&violation, &mut self.left) {
                self.found.push(Wrong { violation, pointer, others });
            }
        }
    }

    /// The option that holds at a place, of the only group there with this keyword and as many options.
    fn current(&mut self, pointer: &str, keyword: &str, count: usize) -> Result<Option<usize>, Exhausted> {
        let Some(place) = locate(pointer, Some(self.value), self.context)? else { return Ok(None) };
        let mut groups = place.parts.groups.iter().filter(|group| group.by == keyword && group.options.len() == count);
        let found = groups.next().and_then(|group| group.current);
        Ok(found.filter(|_| groups.next().is_none()))
    }
}

impl Wrong {
    fn to_json(&self) -> Value {
        let mut json = self.violation.to_json();
        if let Value::Object(fields) = &mut json {
            fields.insert("pointer".into(), self.pointer.as_str().into());
            if !self.others.is_empty() {
                fields.insert("others".into(), self.others.iter().map(String::as_str).collect());
            }
        }
        json
    }
}
