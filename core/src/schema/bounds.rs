//! The bounds that keep checking total: no check of a value takes more than a fixed number of steps, however a schema
//! multiplies its branches.
//!
//! A validator evaluates every branch of `allOf`, `anyOf` and the like, so that a schema of a few lines can ask for 2⁶⁴
//! steps. Here they are counted before they are taken, on a plan of what applies to what, which is made once.

use super::pattern::Weight;
use crate::problem::Refusal;
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// How many steps the check of one value may take.
const STEPS: u64 = 500_000;
/// What the check of the format `regex` costs for one value, which compiles it.
const COMPILING: u64 = 20_000;
/// How deep evaluation may nest, subschemas and values together: what fits the stack of a wasm module.
const NESTING: usize = 400;

/// What applies to what, for every subschema that can be reached; the first is the schema itself.
#[derive(Debug, Default)]
pub(super) struct Plan {
    pub nodes: Vec<Node>,
    /// The dynamic anchors by name: the resource, and the node in it.
    pub anchors: BTreeMap<Box<str>, BTreeMap<usize, usize>>,
    /// For each resource its root, where it has `$recursiveAnchor`.
    pub recursive: Vec<Option<usize>>,
    /// Whether every subschema is plainly one.
    pub plain: bool,
}

/// What a subschema costs, and which others are evaluated with it.
#[derive(Debug, Default)]
pub(super) struct Node {
    pub inner: Vec<(Part, usize)>,
    /// The schema with an id, or the document, that it stands in.
    pub resource: usize,
    choices: u64,
    pattern: Option<Weight>,
    names: Vec<Weight>,
    compiles: bool,
}

/// To which part of a value a subschema applies.
#[derive(Clone, Debug)]
pub(super) enum Part {
    Same,
    /// The same value; of the resources that evaluation came through, the first with an anchor of this name has the subschema.
    Dynamic(Box<str>),
    /// The same value; the first of the resources that recur has the subschema.
    Recursive,
    Member(Box<str>),
    Members,
    MemberNames,
    Item(usize),
    Items,
}

impl Plan {
    /// Counts the steps that checking a value may take, an upper bound; refuses what takes too many.
    pub fn admit(&self, value: &Value) -> Result<(), Refusal> {
        let counted = Count { plan: self, left: STEPS, scope: Vec::new() }.spend(0, value, 0);
        counted.ok_or_else(|| Refusal::TooLarge {
            what: format!("the schema would need more than {STEPS} steps, or {NESTING} levels, to check it"),
        })
    }
}

struct Count<'p> {
    plan: &'p Plan,
    left: u64,
    /// The resources that evaluation came through, where anything depends on them.
    scope: Vec<usize>,
}

impl Count<'_> {
    /// Takes the steps of a subschema from those that are left; `None` when they do not suffice.
    fn spend(&mut self, node: usize, value: &Value, nesting: usize) -> Option<()> {
        let plan = self.plan;
        let node = plan.nodes.get(node)?;
        self.take(node.own_steps(value))?;
        if nesting > NESTING {
            return None;
        }
        let scoped = !plan.anchors.is_empty() || !plan.recursive.is_empty();
        let enters = scoped && self.scope.last() != Some(&node.resource);
        if enters {
            self.scope.push(node.resource);
        }
        let nesting = nesting.saturating_add(1);
        for (part, inner) in &node.inner {
            self.take(1)?;
            match (part, value) {
                (Part::Same, _) => self.spend(*inner, value, nesting)?,
                (Part::Dynamic(name), _) => {
                    let target = self.dynamic(name)?.unwrap_or(*inner);
                    self.spend(target, value, nesting)?;
                }
                (Part::Recursive, _) => {
                    let target = self.recursive()?.unwrap_or(*inner);
                    self.spend(target, value, nesting)?;
                }
                (Part::Member(name), Value::Object(fields)) => {
                    if let Some(value) = fields.get(&**name) {
                        self.spend(*inner, value, nesting)?;
                    }
                }
                (Part::Item(index), Value::Array(items)) => {
                    if let Some(value) = items.get(*index) {
                        self.spend(*inner, value, nesting)?;
                    }
                }
                (Part::Members, Value::Object(fields)) => {
                    fields.values().try_for_each(|value| self.spend(*inner, value, nesting))?;
                }
                (Part::Items, Value::Array(items)) => {
                    items.iter().try_for_each(|value| self.spend(*inner, value, nesting))?;
                }
                (Part::MemberNames, Value::Object(fields)) => {
                    let Some(longest) = fields.keys().max_by_key(|name| name.len()) else { continue };
                    let before = self.left;
                    self.spend(*inner, &longest.as_str().into(), nesting)?;
                    // The others cost as much at most.
                    let others = (fields.len() as u64).saturating_sub(1);
                    self.take(before.saturating_sub(self.left).saturating_mul(others))?;
                }
                _ => {}
            }
        }
        if enters {
            self.scope.pop();
        }
        Some(())
    }

    fn take(&mut self, steps: u64) -> Option<()> {
        self.left = self.left.checked_sub(steps)?;
        Some(())
    }

    /// Where a dynamic reference leads from here; looking for it takes steps, too.
    fn dynamic(&mut self, name: &str) -> Option<Option<usize>> {
        self.take(self.scope.len() as u64)?;
        let anchors = self.plan.anchors.get(name);
        Some(self.scope.iter().find_map(|resource| anchors?.get(resource).copied()))
    }

    fn recursive(&mut self) -> Option<Option<usize>> {
        self.take(self.scope.len() as u64)?;
        let recurs = |resource: &usize| self.plan.recursive.get(*resource).copied().flatten();
        Some(self.scope.iter().rev().map_while(recurs).last())
    }
}

impl Node {
    /// What the keywords of one schema cost, its subschemas aside.
    pub fn of(schema: &Value, resource: usize) -> Self {
        let names = schema.get("patternProperties").and_then(Value::as_object);
        Self {
            inner: Vec::new(),
            resource,
            choices: schema.get("enum").map_or(0, length),
            pattern: schema.get("pattern").and_then(Value::as_str).map(Weight::of),
            names: names.into_iter().flat_map(Map::keys).map(|pattern| Weight::of(pattern)).collect(),
            compiles: schema.get("format").and_then(Value::as_str) == Some("regex"),
        }
    }

    /// The states of its patterns.
    pub fn states(&self) -> u64 {
        self.names.iter().chain(&self.pattern).fold(0, |sum, weight| sum.saturating_add(weight.states))
    }

    /// The same, held against a value.
    fn own_steps(&self, value: &Value) -> u64 {
        let mut steps = length(value).saturating_add(self.choices).saturating_add(1);
        match value {
            Value::String(text) => {
                if let Some(pattern) = &self.pattern {
                    steps = steps.saturating_add(matching(*pattern, text));
                }
                if self.compiles {
                    steps = steps.saturating_add(COMPILING);
                }
            }
            Value::Object(members) if !self.names.is_empty() => {
                for name in members.keys() {
                    steps = self.names.iter().fold(steps, |sum, pattern| sum.saturating_add(matching(*pattern, name)));
                }
            }
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_) | Value::Object(_) => {}
        }
        steps
    }
}

/// What it costs to hold a text against a pattern, however short both are.
fn matching(pattern: Weight, text: &str) -> u64 {
    pattern.steps(text.len()).saturating_add(1)
}

/// How much there is in a value to look at.
fn length(value: &Value) -> u64 {
    let length = match value {
        Value::Array(items) => items.len(),
        Value::Object(fields) => fields.len(),
        Value::String(text) => text.len() / 16,
        Value::Null | Value::Bool(_) | Value::Number(_) => 0,
    };
    length as u64
}

#[cfg(test)]
mod tests {
    use super::Plan;
    use crate::schema::{
        references::{Documents, References},
        survey,
    };
    use serde_json::{Value, json};

    fn plan(schema: &Value) -> Plan {
        survey::plan(&References::new(schema, &Documents::default()).unwrap()).unwrap()
    }

    fn nested(depth: usize) -> Value {
        (0..depth).fold(json!({}), |value, _| json!({ "next": value }))
    }

    #[test]
    fn doubling_branches_are_counted_before_they_are_taken() {
        let doubling = json!({
            "$defs": { "n": { "properties": { "next": { "allOf": [{ "$ref": "#/$defs/n" }, { "$ref": "#/$defs/n" }] } } } },
            "$ref": "#/$defs/n"
        });
        let doubling = plan(&doubling);
        assert!(doubling.admit(&nested(8)).is_ok());
        assert!(doubling.admit(&nested(60)).is_err());
        let plain = json!({ "properties": { "next": { "$ref": "#" } } });
        assert!(plan(&plain).admit(&nested(60)).is_ok());
    }
}
