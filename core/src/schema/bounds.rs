//! Computes the cost of a check before the check runs. A validator evaluates every branch of `allOf`, `anyOf` and similar keywords, so a
//! schema of a few lines can take 2⁶⁴ steps. The cost is computed on a [`Plan`], which is made once for each schema.
//!
//! The constants are in units of the work budget, measured with jsonschema 0.60 and rounded up.

use super::pattern::{CACHE_BYTES, Weight};
use crate::budget::{Budget, Exhausted};
use serde_json::{Map, Value, map::Iter};
use std::{collections::BTreeMap, iter::Peekable};

/// The depth limit of evaluation, subschemas and values together. It fits the stack of a wasm module.
const NESTING: usize = 400;
/// The cost of evaluating a subschema, and of each of its keywords.
const SUBSCHEMA: u64 = 20;
const KEYWORD: u64 = 10;
/// The cost of one comparison between a property or an item of the value and a name in the schema.
const LOOKUP: u64 = 8;
/// The cost of `multipleOf`, which computes with fractions of any length.
const DIVISION: u64 = 2_000;
/// The cost of a violation, without the bytes of its paths.
const VIOLATION: u64 = 120;

/// Frequent keywords that report no violations of their own, or one for each name, which is counted elsewhere.
const INNOCENT: [&str; 10] =
    ["title", "description", "default", "examples", "properties", "items", "required", "allOf", "$ref", "$defs"];

/// Every reachable subschema, and which subschemas are evaluated with it. The first node is the schema itself.
#[derive(Debug, Default)]
pub(super) struct Plan {
    pub nodes: Vec<Node>,
    /// The node of each subschema, by the address of the subschema.
    pub places: BTreeMap<usize, usize>,
    /// The dynamic anchors: for each name, the node that has it in each resource.
    pub anchors: BTreeMap<Box<str>, BTreeMap<usize, usize>>,
    /// For each resource, the node with `$recursiveAnchor`.
    pub recursive: Vec<Option<usize>>,
    /// Whether `shape::is_plain` holds for every subschema.
    pub plain: bool,
}

/// The cost of a subschema, and the subschemas that are evaluated with it.
#[derive(Debug, Default)]
pub(super) struct Node {
    pub inner: Vec<Inner>,
    /// The resource that contains it: a schema with an id, or a document.
    pub resource: usize,
    /// The cost of compiling it, without its subschemas.
    pub compiling: u64,
    /// The cost of evaluating it and its keywords, without what depends on the value.
    evaluating: u64,
    /// The number of keywords that can report a violation.
    assertions: u64,
    /// The number of names in `required` and similar keywords, and their bytes.
    names: u64,
    name_bytes: u64,
    /// The number of values in `const` and `enum`, and the cost of copying them.
    choices: u64,
    choices_cost: u64,
    pattern: Option<Weight>,
    name_patterns: Vec<Weight>,
    format: Option<Format>,
    unique: bool,
    divides: bool,
    /// Whether `unevaluatedProperties` or `unevaluatedItems` is present, which evaluates the subschemas of the same value again.
    marks: bool,
}

/// A subschema that is evaluated as part of another one.
#[derive(Debug)]
pub(super) struct Inner {
    pub part: Part,
    pub node: usize,
    /// The bytes that it adds to the schema path of a violation.
    pub path: u64,
    /// Whether it is a branch, as in `anyOf`. Violations in a branch contain copies of the value.
    pub branch: bool,
}

/// The part of a value that a subschema applies to.
#[derive(Clone, Debug)]
pub(super) enum Part {
    Same,
    /// The same value, by `$dynamicRef`: the subschema is in the outermost resource of the dynamic scope that has this anchor.
    Dynamic(Box<str>),
    /// The same value, by `$recursiveRef`: the subschema is the outermost resource of the dynamic scope with `$recursiveAnchor`.
    Recursive,
    Member(Box<str>),
    Members,
    MemberNames,
    Item(usize),
    Items,
}

/// The kinds of formats, by what makes them costly.
#[derive(Clone, Copy, Debug)]
enum Format {
    /// A regular expression, which is compiled.
    Pattern,
    /// Encoded text, which is decoded and may be parsed.
    Content,
    Other,
}

/// Why a subschema is evaluated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Purpose {
    /// To decide whether it accepts the value.
    Check,
    /// To find the properties and items that it evaluates.
    Mark,
    /// To list every violation.
    Explain,
    /// To list every violation within a branch.
    ExplainBranch,
}

impl Plan {
    /// Charges an upper bound of the cost of evaluating a value.
    ///
    /// # Errors
    /// [`Exhausted`] if the budget does not suffice, or if evaluation would nest too deep.
    pub fn charge(&self, value: &Value, purpose: Purpose, budget: &mut Budget) -> Result<(), Exhausted> {
        self.charge_at(0, value, purpose, budget)
    }

    /// Charges an upper bound of the cost of evaluating a value by one of the subschemas.
    ///
    /// # Errors
    /// As for `charge`.
    pub fn charge_at(
        &self,
        node: usize,
        value: &Value,
        purpose: Purpose,
        budget: &mut Budget,
    ) -> Result<(), Exhausted> {
        Count { plan: self, budget, scope: Vec::new(), cached: BTreeMap::new(), path: 0 }.spend(node, value, purpose, 0)
    }
}

struct Count<'p> {
    plan: &'p Plan,
    budget: &'p mut Budget,
    /// The dynamic scope: the resources that evaluation entered. Empty if nothing depends on it.
    scope: Vec<usize>,
    /// For each node, the bytes that its patterns were matched against.
    cached: BTreeMap<usize, usize>,
    /// The bytes of the current instance path and schema path.
    path: u64,
}

/// Finds the members of an object by names that differ from each other. A map computes a hash of each name that it looks for, which takes
/// longer than the rest of the count. Most values have their members in the order of the schema, and need none.
struct Members<'v> {
    /// The members after the last one that was found in order.
    rest: Option<Peekable<Iter<'v>>>,
    /// How many members are not found yet.
    left: usize,
}

impl<'v> Members<'v> {
    fn of(value: &'v Value) -> Self {
        let fields = value.as_object();
        Self { rest: fields.map(|fields| fields.iter().peekable()), left: fields.map_or(0, Map::len) }
    }

    fn find(&mut self, name: &str, fields: &'v Map<String, Value>) -> Option<&'v Value> {
        if self.left == 0 {
            return None;
        }
        let next = self.rest.as_mut().and_then(|rest| rest.next_if(|(key, _)| *key == name));
        let found = next.map(|(_, value)| value).or_else(|| fields.get(name));
        self.left = self.left.saturating_sub(usize::from(found.is_some()));
        found
    }
}

impl Count<'_> {
    /// Charges a subschema and everything that is evaluated with it.
    fn spend(&mut self, place: usize, value: &Value, purpose: Purpose, nesting: usize) -> Result<(), Exhausted> {
        let plan = self.plan;
        let Some(node) = plan.nodes.get(place) else { return Err(Exhausted) };
        self.own(place, node, value)?;
        if let Purpose::Explain | Purpose::ExplainBranch = purpose {
            self.violations(node, value, purpose)?;
        }
        if nesting > NESTING {
            return Err(Exhausted);
        }
        let scoped = !plan.anchors.is_empty() || !plan.recursive.is_empty();
        let enters = scoped && self.scope.last() != Some(&node.resource);
        if enters {
            self.scope.push(node.resource);
        }
        let nesting = nesting.saturating_add(1);
        let mut members = Members::of(value);
        for Inner { part, node: inner, path, branch } in &node.inner {
            self.budget.charge(LOOKUP)?;
            let purpose = if *branch && purpose == Purpose::Explain { Purpose::ExplainBranch } else { purpose };
            let before = self.path;
            self.path = before.saturating_add(*path);
            match (part, value) {
                (Part::Same, _) => self.same(node, *inner, value, purpose, nesting)?,
                (Part::Dynamic(name), _) => {
                    let target = self.dynamic(name)?.unwrap_or(*inner);
                    self.same(node, target, value, purpose, nesting)?;
                }
                (Part::Recursive, _) => {
                    let target = self.recursive()?.unwrap_or(*inner);
                    self.same(node, target, value, purpose, nesting)?;
                }
                (Part::Member(name), Value::Object(fields)) => {
                    self.budget.charge(bytes_read(name.len()))?;
                    if let Some(value) = members.find(name, fields) {
                        self.member(name, *inner, value, purpose, nesting)?;
                    }
                }
                (Part::Item(index), Value::Array(items)) => {
                    if let Some(value) = items.get(*index) {
                        self.member("", *inner, value, purpose, nesting)?;
                    }
                }
                (Part::Members, Value::Object(fields)) => {
                    fields.iter().try_for_each(|(name, value)| self.member(name, *inner, value, purpose, nesting))?;
                }
                (Part::Items, Value::Array(items)) => {
                    items.iter().try_for_each(|value| self.member("", *inner, value, purpose, nesting))?;
                }
                (Part::MemberNames, Value::Object(fields)) => {
                    let Some(longest) = fields.keys().max_by_key(|name| name.len()) else { continue };
                    let before = self.budget.left();
                    self.budget.charge(bytes_read(longest.len()))?;
                    self.spend(*inner, &longest.as_str().into(), purpose, nesting)?;
                    // Each of the other values costs at most as much.
                    let others = (fields.len() as u64).saturating_sub(1);
                    self.budget.charge(before.saturating_sub(self.budget.left()).saturating_mul(others))?;
                }
                _ => {}
            }
            self.path = before;
        }
        if enters {
            self.scope.pop();
        }
        Ok(())
    }

    /// Charges a subschema that applies to the same value as the node that contains it.
    fn same(
        &mut self,
        node: &Node,
        inner: usize,
        value: &Value,
        purpose: Purpose,
        nesting: usize,
    ) -> Result<(), Exhausted> {
        self.spend(inner, value, Purpose::Check, nesting)?;
        if purpose != Purpose::Check {
            self.spend(inner, value, purpose, nesting)?;
        }
        if node.marks && purpose != Purpose::Mark {
            self.spend(inner, value, Purpose::Mark, nesting)?;
        }
        Ok(())
    }

    /// Charges a subschema that applies to a member or an item of a value.
    fn member(
        &mut self,
        name: &str,
        inner: usize,
        value: &Value,
        purpose: Purpose,
        nesting: usize,
    ) -> Result<(), Exhausted> {
        // An index has at most eight digits.
        let path = (name.len() as u64).saturating_add(8);
        let before = self.path;
        self.path = before.saturating_add(path);
        // To mark items, `contains` and similar keywords evaluate their subschemas in full.
        let purpose = if purpose == Purpose::Mark { Purpose::Check } else { purpose };
        self.spend(inner, value, purpose, nesting)?;
        self.path = before;
        Ok(())
    }

    /// Charges the keywords of a node, without its subschemas.
    fn own(&mut self, place: usize, node: &Node, value: &Value) -> Result<(), Exhausted> {
        self.budget.charge(node.evaluating)?;
        match value {
            Value::String(text) => self.text(place, node, text)?,
            Value::Object(fields) => {
                let lookups = (fields.len() as u64).saturating_add(node.names).saturating_mul(LOOKUP);
                self.budget.charge(lookups.saturating_add(node.name_bytes / 4))?;
                for name in fields.keys().filter(|_| !node.name_patterns.is_empty()) {
                    for pattern in &node.name_patterns {
                        self.budget.charge(pattern.matching(name.len()))?;
                    }
                    self.cache(place, name.len().saturating_mul(node.name_patterns.len()), node.name_patterns.len())?;
                }
            }
            Value::Array(items) => self.budget.charge(items.len() as u64)?,
            Value::Number(_) if node.divides => self.budget.charge(DIVISION)?,
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
        if node.choices > 0 {
            let compared = self.copying(value)?.saturating_mul(node.choices).min(node.choices_cost);
            self.budget.charge(node.choices.saturating_mul(LOOKUP).saturating_add(compared))?;
        }
        if let (true, Value::Array(items)) = (node.unique, value) {
            // The crate compares up to 15 items with each other, and hashes more.
            let passes = (items.len() as u64).min(15);
            let compared = self.copying(value)?.saturating_mul(passes);
            self.budget.charge(compared)?;
        }
        Ok(())
    }

    fn text(&mut self, place: usize, node: &Node, text: &str) -> Result<(), Exhausted> {
        self.budget.charge(bytes_read(text.len()))?;
        if let Some(pattern) = &node.pattern {
            self.budget.charge(pattern.matching(text.len()))?;
            self.cache(place, text.len(), 1)?;
        }
        let bytes = text.len() as u64;
        let format = match node.format {
            Some(Format::Pattern) => Weight::charged(text, self.budget)?.compiling(),
            Some(Format::Content) => bytes.saturating_mul(35),
            Some(Format::Other) => bytes.saturating_mul(10),
            None => 0,
        };
        self.budget.charge(format)
    }

    /// Charges the memory of the matchers of a node. Each byte can add a state of 1 kB, up to a limit.
    fn cache(&mut self, place: usize, bytes: usize, patterns: usize) -> Result<(), Exhausted> {
        let kept =
            |bytes: usize| bytes.saturating_mul(1_000).min(CACHE_BYTES.saturating_mul(2).saturating_mul(patterns));
        let matched = self.cached.entry(place).or_default();
        let before = kept(*matched);
        *matched = matched.saturating_add(bytes);
        let more = kept(*matched).saturating_sub(before);
        self.budget.charge(more as u64 / 2)
    }

    /// Charges the violations that a node can report: their paths and, in a branch, a copy of the value for each.
    fn violations(&mut self, node: &Node, value: &Value, purpose: Purpose) -> Result<(), Exhausted> {
        let copied = if purpose == Purpose::ExplainBranch { self.copying(value)? } else { 0 };
        let each = copied.saturating_add(VIOLATION).saturating_add(self.path);
        let names = if value.is_object() { node.names } else { 0 };
        let violations = node.assertions.saturating_add(names).saturating_mul(each);
        self.budget.charge(violations.saturating_add(node.choices_cost))
    }

    /// The cost of copying a value. Charges the cost of walking over it, which is a part of that.
    fn copying(&mut self, value: &Value) -> Result<u64, Exhausted> {
        copying(value, self.budget)
    }

    /// The target of a dynamic reference in the current scope. Charges the search for it.
    fn dynamic(&mut self, name: &str) -> Result<Option<usize>, Exhausted> {
        self.budget.charge((self.scope.len() as u64).saturating_mul(LOOKUP))?;
        let anchors = self.plan.anchors.get(name);
        Ok(self.scope.iter().find_map(|resource| anchors?.get(resource).copied()))
    }

    fn recursive(&mut self) -> Result<Option<usize>, Exhausted> {
        self.budget.charge((self.scope.len() as u64).saturating_mul(LOOKUP))?;
        let recurs = |resource: &usize| self.plan.recursive.get(*resource).copied().flatten();
        Ok(self.scope.iter().rev().map_while(recurs).last())
    }
}

impl Node {
    /// The cost of the keywords of one schema, without its subschemas.
    ///
    /// # Errors
    /// [`Exhausted`] if the values that it compares with are too large.
    pub fn of(schema: &Value, resource: usize, budget: &mut Budget) -> Result<Self, Exhausted> {
        let evaluating = |keywords: usize| (keywords as u64).saturating_mul(KEYWORD).saturating_add(SUBSCHEMA);
        let mut node = Self { resource, evaluating: evaluating(1), assertions: 1, ..Self::default() };
        let Some(fields) = schema.as_object() else { return Ok(node) };
        node.evaluating = evaluating(fields.len());
        node.assertions = fields.keys().filter(|keyword| !INNOCENT.contains(&keyword.as_str())).count() as u64;
        let choices = [
            fields.get("const").map(std::slice::from_ref),
            fields.get("enum").and_then(Value::as_array).map(Vec::as_slice),
        ];
        for choices in choices.into_iter().flatten() {
            node.choices = node.choices.saturating_add(choices.len() as u64);
            for choice in choices {
                node.choices_cost = node.choices_cost.saturating_add(copying(choice, budget)?);
            }
        }
        let required = fields.get("required").and_then(Value::as_array).into_iter().flatten();
        let dependent =
            ["dependentRequired", "dependencies"].into_iter().filter_map(|keyword| fields.get(keyword)?.as_object());
        let dependent = dependent.flat_map(Map::values).filter_map(Value::as_array).flatten();
        for name in required.chain(dependent).filter_map(Value::as_str) {
            node.names = node.names.saturating_add(1);
            node.name_bytes = node.name_bytes.saturating_add(name.len() as u64);
        }
        let text = |keyword: &str| fields.get(keyword).and_then(Value::as_str);
        node.pattern = text("pattern").map(|pattern| Weight::charged(pattern, budget)).transpose()?;
        let patterns = fields.get("patternProperties").and_then(Value::as_object);
        for pattern in patterns.into_iter().flat_map(Map::keys) {
            node.name_patterns.push(Weight::charged(pattern, budget)?);
        }
        node.format = match text("format") {
            _ if fields.contains_key("contentMediaType") || fields.contains_key("contentEncoding") => {
                Some(Format::Content)
            }
            Some("regex") => Some(Format::Pattern),
            Some(_) => Some(Format::Other),
            None => None,
        };
        node.unique = fields.get("uniqueItems") == Some(&Value::Bool(true));
        node.divides = fields.contains_key("multipleOf");
        node.marks = fields.contains_key("unevaluatedProperties") || fields.contains_key("unevaluatedItems");
        Ok(node)
    }
}

/// The cost of copying a value: 72 bytes for each value, and 48 more for each property. Charges the cost of walking over it.
///
/// # Errors
/// [`Exhausted`] if the budget does not suffice for that.
pub(super) fn copying(value: &Value, budget: &mut Budget) -> Result<u64, Exhausted> {
    budget.charge(2)?;
    let mut sum = 36_u64;
    match value {
        Value::String(text) => sum = sum.saturating_add(text.len() as u64 / 2),
        Value::Array(items) => {
            for item in items {
                sum = sum.saturating_add(copying(item, budget)?);
            }
        }
        Value::Object(fields) => {
            for (name, field) in fields {
                let name = (name.len() as u64 / 2).saturating_add(24);
                sum = sum.saturating_add(name).saturating_add(copying(field, budget)?);
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
    Ok(sum)
}

/// The cost of reading a text.
fn bytes_read(bytes: usize) -> u64 {
    bytes as u64 / 8
}

#[cfg(test)]
mod tests {
    use super::{Plan, Purpose};
    use crate::{
        budget::Budget,
        schema::{
            references::{Documents, References},
            survey,
        },
    };
    use serde_json::{Value, json};

    fn plan(schema: &Value) -> Plan {
        let budget = &mut Budget::default();
        survey::plan(&References::new(schema, &Documents::default()).unwrap(), budget).unwrap()
    }

    fn nested(depth: usize) -> Value {
        (0..depth).fold(json!({}), |value, _| json!({ "next": value }))
    }

    #[test]
    fn doubling_branches_are_counted_before_they_are_taken() {
        let fits =
            |schema: &Value, depth| plan(schema).charge(&nested(depth), Purpose::Check, &mut Budget::default()).is_ok();
        let doubling = json!({
            "$defs": { "n": { "properties": { "next": { "allOf": [{ "$ref": "#/$defs/n" }, { "$ref": "#/$defs/n" }] } } } },
            "$ref": "#/$defs/n"
        });
        assert!(fits(&doubling, 8));
        assert!(!fits(&doubling, 60));
        assert!(fits(&json!({ "properties": { "next": { "$ref": "#" } } }), 60));
    }
}
