//! What the model asks the validator: whether a part of the value fits a subschema, and whether a name matches a pattern. Every question
//! is answered once for each text. What is asked is charged first; what is too costly stays open.

use super::spot::Spot;
use crate::{
    budget::{Budget, Exhausted},
    schema::{
        bounds::{Plan, Purpose},
        compiled::{Compiled, options},
        pattern::Weight,
    },
};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// The cost of an answer that is known.
const KNOWN: u64 = 40;
/// The draft with the smallest metaschema.
const DRAFT: &str = "http://json-schema.org/draft-04/schema#";
/// The least cost of compiling a subschema on its own, measured as 20 µs.
const COMPILING: u64 = 8_000;

/// What is known of one schema and one text.
#[derive(Default)]
pub struct Memo {
    /// The validators of subschemas, by address. `None` if there can be none.
    validators: BTreeMap<usize, Option<jsonschema::Validator>>,
    patterns: BTreeMap<String, Option<jsonschema::Validator>>,
    /// Whether a value fits, by the addresses of the subschema and the value. `None` if it cannot be said.
    fits: BTreeMap<(usize, usize), Option<bool>>,
}

/// The state of one call.
pub struct Context<'a, 'b> {
    pub compiled: &'a Compiled,
    pub memo: &'b mut Memo,
    pub budget: &'b mut Budget,
    /// What the person chose: for each pointer, an object of groups.
    pub choices: &'b Value,
}

impl Memo {
    /// Forgets what depends on the value.
    pub fn clear(&mut self) {
        self.fits.clear();
    }
}

impl Context<'_, '_> {
    /// Whether a value fits a subschema. `None` if it would take more than half of what is left of the budget to say.
    pub fn fits(&mut self, spot: &Spot<'_>, value: &Value) -> Result<Option<bool>, Exhausted> {
        self.budget.charge(KNOWN)?;
        if let Value::Bool(all) = spot.located.schema {
            return Ok(Some(*all));
        }
        let key = (spot.located.address(), std::ptr::from_ref(value) as usize);
        if let Some(known) = self.memo.fits.get(&key) {
            return Ok(*known);
        }
        let half = self.budget.left() / 2;
        let mut part = Budget::new(half);
        let fits = self.ask(spot, value, &mut part).ok().flatten();
        self.budget.charge(half.saturating_sub(part.left()))?;
        self.memo.fits.insert(key, fits);
        Ok(fits)
    }

    fn ask(&mut self, spot: &Spot<'_>, value: &Value, budget: &mut Budget) -> Result<Option<bool>, Exhausted> {
        let address = spot.located.address();
        let plan = &self.compiled.plan;
        let Some(node) = plan.places.get(&address).copied() else { return Ok(None) };
        plan.charge_at(node, value, Purpose::Check, budget)?;
        if node == 0 {
            return Ok(Some(self.compiled.validator.is_valid(value)));
        }
        if !self.memo.validators.contains_key(&address) {
            compiling(plan, node, budget)?;
            let uri = spot.uri(budget)?;
            let compiled = uri.and_then(|uri| self.compiled.references.compile_at(&uri, options()).ok());
            self.memo.validators.insert(address, compiled);
        }
        let validator = self.memo.validators.get(&address).and_then(Option::as_ref);
        Ok(validator.map(|validator| validator.is_valid(value)))
    }

    /// Whether a name matches a pattern. A pattern that cannot be compiled matches nothing.
    pub fn matches(&mut self, pattern: &str, name: &str) -> Result<bool, Exhausted> {
        let weight = Weight::charged(pattern, self.budget)?;
        if !self.memo.patterns.contains_key(pattern) {
            self.budget.charge(weight.compiling().saturating_add(COMPILING))?;
            let compiled = options().build(&json!({ "$schema": DRAFT, "pattern": pattern })).ok();
            self.memo.patterns.insert(pattern.to_owned(), compiled);
        }
        self.budget.charge(weight.matching(name.len()))?;
        let matcher = self.memo.patterns.get(pattern).and_then(Option::as_ref);
        Ok(matcher.is_some_and(|matcher| matcher.is_valid(&name.into())))
    }
}

/// Charges the cost of compiling a subschema and all that it leads to.
fn compiling(plan: &Plan, node: usize, budget: &mut Budget) -> Result<(), Exhausted> {
    budget.charge(COMPILING)?;
    let mut seen = BTreeSet::from([node]);
    let mut open = vec![node];
    while let Some(node) = open.pop().and_then(|node| plan.nodes.get(node)) {
        budget.charge(node.compiling)?;
        open.extend(node.inner.iter().map(|inner| inner.node).filter(|inner| seen.insert(*inner)));
    }
    Ok(())
}
