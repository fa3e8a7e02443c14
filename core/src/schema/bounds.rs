//! The bounds that keep checking total: no reference leaves the schema, none runs in a circle, and no check of a value
//! takes more than a fixed number of steps, however a schema multiplies its branches.
//!
//! A validator evaluates every branch of `allOf`, `anyOf` and the like, so that a schema of a few lines can ask for 2⁶⁴
//! steps. Here they are counted before they are taken, on a plan of what applies to what, which is made once.

use super::{
    SchemaFault,
    pattern::Weight,
    references::{Located, References, fault},
    shape::is_plain,
};
use crate::problem::{Pointer, Refusal};
use jsonschema::Draft;
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// How many steps the check of one value may take.
const STEPS: u64 = 500_000;
/// How many states all patterns of a schema may have together.
const STATES: u64 = 200_000;
/// How many subschemas a schema may have, those of what it refers to included.
const SUBSCHEMAS: usize = 100_000;
/// What the check of the format `regex` costs for one value, which compiles it.
const COMPILING: u64 = 20_000;
/// How deep evaluation may nest, subschemas and values together: what fits the stack of a wasm module.
const NESTING: usize = 400;
/// How many subschemas may apply to one value in a row, each within the other.
const CHAIN: usize = 100;

/// What applies to what, for every subschema that can be reached; the first is the schema itself.
#[derive(Debug)]
pub(super) struct Plan {
    nodes: Vec<Node>,
    /// Whether every subschema is plainly one.
    pub plain: bool,
}

/// What a subschema costs, and which others are evaluated with it.
#[derive(Debug, Default)]
struct Node {
    inner: Vec<(Part, usize)>,
    choices: u64,
    pattern: Option<Weight>,
    names: Vec<Weight>,
    compiles: bool,
}

/// To which part of a value a subschema applies.
#[derive(Clone, Debug)]
enum Part {
    Same,
    Member(Box<str>),
    Members,
    MemberNames,
    Item(usize),
    Items,
}

/// Where a subschema stands: a keyword, and the member or item under it.
#[derive(Clone, Copy)]
enum Place<'a> {
    Keyword(&'static str),
    Member(&'static str, &'a str),
    Item(&'static str, usize),
}

/// A subschema within another: where it stands, to which part of a value it applies (`None`: only when it is referred
/// to), and what it is.
type Inner<'a> = (Place<'a>, Option<Part>, &'a Value);

/// Keywords that hold one subschema, or for `items` of older drafts a list of them.
const SINGLE: [(&str, Part); 12] = [
    ("not", Part::Same),
    ("if", Part::Same),
    ("then", Part::Same),
    ("else", Part::Same),
    ("additionalProperties", Part::Members),
    ("unevaluatedProperties", Part::Members),
    ("propertyNames", Part::MemberNames),
    ("items", Part::Items),
    ("additionalItems", Part::Items),
    ("unevaluatedItems", Part::Items),
    ("contains", Part::Items),
    ("contentSchema", Part::Same),
];

impl Plan {
    /// Looks through a schema: refuses references that lead nowhere or in a circle, and chains without end.
    pub fn new(references: &References<'_>) -> Result<Self, SchemaFault> {
        let root = references.root();
        let scoped = depends_on_scope(root.schema);
        let mut survey = Survey {
            scoped,
            nodes: vec![],
            from: vec![],
            known: BTreeMap::new(),
            open: vec![],
            states: 0,
            plain: true,
        };
        survey.add(root, None)?;
        while let Some((node, located)) = survey.open.pop() {
            survey.look(node, located)?;
        }
        let mut heights = vec![None; survey.nodes.len()];
        for node in 0..survey.nodes.len() {
            survey.height(node, &mut heights, 0)?;
        }
        Ok(Self { nodes: survey.nodes, plain: survey.plain })
    }

    /// Counts the steps that checking a value may take, an upper bound; refuses what takes too many.
    pub fn admit(&self, value: &Value) -> Result<(), Refusal> {
        self.spend(0, value, 0, &mut { STEPS }).ok_or_else(|| Refusal::TooLarge {
            what: format!("the schema would need more than {STEPS} steps, or {NESTING} levels, to check it"),
        })
    }

    /// Takes the steps of a subschema from those that are left; `None` when they do not suffice.
    fn spend(&self, node: usize, value: &Value, nesting: usize, left: &mut u64) -> Option<()> {
        let node = self.nodes.get(node)?;
        *left = left.checked_sub(node.own_steps(value))?;
        if nesting > NESTING {
            return None;
        }
        let nesting = nesting.saturating_add(1);
        for (part, inner) in &node.inner {
            *left = left.checked_sub(1)?;
            match (part, value) {
                (Part::Same, _) => self.spend(*inner, value, nesting, left)?,
                (Part::Member(name), Value::Object(fields)) => {
                    if let Some(value) = fields.get(&**name) {
                        self.spend(*inner, value, nesting, left)?;
                    }
                }
                (Part::Item(index), Value::Array(items)) => {
                    if let Some(value) = items.get(*index) {
                        self.spend(*inner, value, nesting, left)?;
                    }
                }
                (Part::Members, Value::Object(fields)) => {
                    fields.values().try_for_each(|value| self.spend(*inner, value, nesting, left))?;
                }
                (Part::Items, Value::Array(items)) => {
                    items.iter().try_for_each(|value| self.spend(*inner, value, nesting, left))?;
                }
                (Part::MemberNames, Value::Object(fields)) => {
                    let Some(longest) = fields.keys().max_by_key(|name| name.len()) else { continue };
                    let mut rest = *left;
                    self.spend(*inner, &longest.as_str().into(), nesting, &mut rest)?;
                    let all = left.saturating_sub(rest).saturating_mul(fields.len() as u64);
                    *left = left.checked_sub(all)?;
                }
                _ => {}
            }
        }
        Some(())
    }
}

impl Node {
    /// What the keywords of one schema cost, its subschemas aside.
    fn of(fields: &Map<String, Value>) -> Self {
        let names = fields.get("patternProperties").and_then(Value::as_object);
        Self {
            inner: Vec::new(),
            choices: fields.get("enum").map_or(0, length),
            pattern: fields.get("pattern").and_then(Value::as_str).map(Weight::of),
            names: names.into_iter().flat_map(Map::keys).map(|pattern| Weight::of(pattern)).collect(),
            compiles: fields.get("format").and_then(Value::as_str) == Some("regex"),
        }
    }

    fn states(&self) -> u64 {
        self.names.iter().chain(&self.pattern).fold(0, |sum, weight| sum.saturating_add(weight.states))
    }

    /// The same, held against a value.
    fn own_steps(&self, value: &Value) -> u64 {
        let mut steps = length(value).saturating_add(self.choices).saturating_add(1);
        match value {
            Value::String(text) => {
                if let Some(pattern) = self.pattern {
                    steps = steps.saturating_add(pattern.steps(text.len()));
                }
                if self.compiles {
                    steps = steps.saturating_add(COMPILING);
                }
            }
            Value::Object(members) if !self.names.is_empty() => {
                for name in members.keys() {
                    steps = self.names.iter().fold(steps, |sum, pattern| sum.saturating_add(pattern.steps(name.len())));
                }
            }
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_) | Value::Object(_) => {}
        }
        steps
    }
}

/// The way through a schema on which a plan is made.
struct Survey<'r> {
    /// Whether what a reference leads to depends on how it was reached.
    scoped: bool,
    nodes: Vec<Node>,
    /// For each node, from which other it was reached first, and where it stands there.
    from: Vec<Option<(usize, Place<'r>)>>,
    known: BTreeMap<(usize, String), usize>,
    open: Vec<(usize, Located<'r>)>,
    states: u64,
    plain: bool,
}

impl<'r> Survey<'r> {
    /// The node of a subschema; one that is new is looked at later.
    fn add(&mut self, located: Located<'r>, from: Option<(usize, Place<'r>)>) -> Result<usize, SchemaFault> {
        let scope = if self.scoped { located.scope() } else { String::new() };
        let key = (std::ptr::from_ref(located.schema) as usize, scope);
        if let Some(node) = self.known.get(&key) {
            return Ok(*node);
        }
        let node = self.nodes.len();
        if node >= SUBSCHEMAS {
            let reason = format!("it has more than {SUBSCHEMAS} subschemas, those that it refers to included");
            return Err(SchemaFault { path: String::new(), reason });
        }
        self.known.insert(key, node);
        self.nodes.push(located.schema.as_object().map(Node::of).unwrap_or_default());
        self.from.push(from);
        self.open.push((node, located));
        Ok(node)
    }

    /// Adds what is evaluated with a subschema, or stands in it.
    fn look(&mut self, node: usize, located: Located<'r>) -> Result<(), SchemaFault> {
        let Some(fields) = located.schema.as_object() else { return Ok(()) };
        self.plain &= is_plain(fields, located.draft, node == 0);
        self.states = self.states.saturating_add(self.nodes.get(node).map_or(0, Node::states));
        if self.states > STATES {
            let reason = format!("its patterns are too large: with repetitions written out, {STATES} states are taken");
            return Err(SchemaFault { path: self.path(node).to_string(), reason });
        }
        let mut inner = Vec::new();
        let references: &[&str] = match located.draft {
            Draft::Draft4 | Draft::Draft6 | Draft::Draft7 => &["$ref"],
            Draft::Draft201909 => &["$ref", "$recursiveRef"],
            _ => &["$ref", "$dynamicRef"],
        };
        for keyword in references {
            let Some(target) = located.target(keyword) else { continue };
            let target = target.map_err(|error| fault(&self.path(node).field(keyword), &error))?;
            inner.push((Part::Same, self.add(target, Some((node, Place::Keyword(keyword))))?));
        }
        // Up to draft 7, what stands beside a reference is not evaluated.
        let alone = located.draft <= Draft::Draft7 && !inner.is_empty();
        for (place, part, schema) in structure(fields) {
            let child = located.inner(schema).map_err(|error| fault(&self.path(node), &error))?;
            let child = self.add(child, Some((node, place)))?;
            if let (Some(part), false) = (part, alone) {
                inner.push((part, child));
            }
        }
        if let Some(node) = self.nodes.get_mut(node) {
            node.inner = inner;
        }
        Ok(())
    }

    /// How many subschemas apply to the same value, each within the other, from this one on.
    fn height(&self, node: usize, heights: &mut [Option<usize>], chain: usize) -> Result<usize, SchemaFault> {
        // What is being counted counts as endless until it is known.
        const OPEN: usize = usize::MAX;
        let fault = |reason: String| Err(SchemaFault { path: self.path(node).to_string(), reason });
        match heights.get(node) {
            Some(Some(OPEN)) => {
                return fault("it refers to itself without going down into the value, so that it never ends".into());
            }
            Some(Some(height)) => return Ok(*height),
            Some(None) | None => {}
        }
        let mut height = 0_usize;
        if chain <= CHAIN {
            mark(heights, node, OPEN);
            for (part, inner) in self.nodes.get(node).map(|node| node.inner.as_slice()).unwrap_or_default() {
                if let Part::Same = part {
                    let below = self.height(*inner, heights, chain.saturating_add(1))?;
                    height = height.max(below.saturating_add(1));
                }
            }
            mark(heights, node, height);
        }
        if chain > CHAIN || height > CHAIN {
            return fault(format!("more than {CHAIN} schemas apply to one value, each within the other"));
        }
        Ok(height)
    }

    /// Where a subschema stands, on the way on which it was reached.
    fn path(&self, node: usize) -> Pointer {
        let mut places = Vec::new();
        let mut next = self.from.get(node).copied().flatten();
        while let Some((outer, place)) = next {
            places.push(place);
            next = self.from.get(outer).copied().flatten();
        }
        places.into_iter().rev().fold(Pointer::root(), |path, place| match place {
            Place::Keyword(keyword) => path.field(keyword),
            Place::Member(keyword, name) => path.field(keyword).field(name),
            Place::Item(keyword, index) => path.field(keyword).item(index),
        })
    }
}

fn mark(heights: &mut [Option<usize>], node: usize, height: usize) {
    if let Some(known) = heights.get_mut(node) {
        *known = Some(height);
    }
}

/// Whether a reference in a schema may lead elsewhere each time: one to a dynamic anchor, or out of the schema, where such may be.
fn depends_on_scope(schema: &Value) -> bool {
    let mut open = vec![schema];
    while let Some(value) = open.pop() {
        match value {
            Value::Object(fields) => {
                let outward = fields.get("$ref").and_then(Value::as_str).is_some_and(|name| !name.starts_with('#'));
                if outward || fields.contains_key("$dynamicRef") || fields.contains_key("$recursiveRef") {
                    return true;
                }
                open.extend(fields.values());
            }
            Value::Array(items) => open.extend(items),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
        }
    }
    false
}

/// The subschemas that stand within a schema.
fn structure(fields: &Map<String, Value>) -> Vec<Inner<'_>> {
    let mut found = Vec::new();
    for (keyword, part) in SINGLE {
        match fields.get(keyword) {
            Some(Value::Array(list)) if keyword == "items" => {
                found.extend(
                    list.iter()
                        .enumerate()
                        .map(|(index, schema)| (Place::Item(keyword, index), Some(Part::Item(index)), schema)),
                );
            }
            Some(schema) => found.push((Place::Keyword(keyword), Some(part), schema)),
            None => {}
        }
    }
    for keyword in ["allOf", "anyOf", "oneOf", "prefixItems"] {
        let list = fields.get(keyword).and_then(Value::as_array);
        found.extend(list.into_iter().flatten().enumerate().map(|(index, schema)| {
            let part = if keyword == "prefixItems" { Part::Item(index) } else { Part::Same };
            (Place::Item(keyword, index), Some(part), schema)
        }));
    }
    for keyword in ["properties", "patternProperties", "dependentSchemas", "dependencies", "$defs", "definitions"] {
        let map = fields.get(keyword).and_then(Value::as_object);
        found.extend(map.into_iter().flatten().map(|(name, schema)| {
            let part = match keyword {
                "properties" => Some(Part::Member(name.as_str().into())),
                "patternProperties" => Some(Part::Members),
                "dependentSchemas" | "dependencies" => Some(Part::Same),
                _ => None,
            };
            (Place::Member(keyword, name.as_str()), part, schema)
        }));
    }
    found
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
    use super::{Plan, SchemaFault};
    use crate::schema::references::{Documents, References};
    use serde_json::{Value, json};

    fn plan(schema: &Value) -> Result<Plan, SchemaFault> {
        Plan::new(&References::new(schema, &Documents::default())?)
    }

    fn nested(depth: usize) -> Value {
        (0..depth).fold(json!({}), |value, _| json!({ "next": value }))
    }

    #[test]
    fn references_stay_within_the_schema() {
        for (schema, fault) in [
            (json!({ "$ref": "https://example.com/s.json" }), Some("/$ref")),
            (json!({ "properties": { "a": { "$ref": "other.json#/x" } } }), Some("/properties/a/$ref")),
            (json!({ "$ref": "#/$defs/none" }), Some("/$ref")),
            (json!({ "$defs": { "a": { "$id": "urn:x" } }, "$ref": "urn:x" }), None),
            (json!({ "$ref": "https://json-schema.org/draft/2020-12/schema" }), None),
            (json!({ "$defs": { "a b": { "type": "string" } }, "$ref": "#/$defs/a%20b" }), None),
            (json!({ "$defs": { "a": { "$anchor": "here" } }, "$ref": "#here" }), None),
            (json!({ "properties": { "$ref": { "type": "string" } }, "const": { "$ref": "x" } }), None),
        ] {
            let found = plan(&schema).err();
            assert_eq!(found.as_ref().map(|fault| fault.path.as_str()), fault, "{schema} {found:?}");
        }
    }

    #[test]
    fn a_circle_of_references_is_refused_and_recursion_into_the_value_is_not() {
        for (schema, ends) in [
            (json!({ "$ref": "#" }), false),
            (json!({ "allOf": [{ "anyOf": [{ "$ref": "#" }] }] }), false),
            (json!({ "$defs": { "a": { "$ref": "#/$defs/b" }, "b": { "not": { "$ref": "#/$defs/a" } } } }), false),
            (json!({ "items": { "$ref": "#" }, "properties": { "x": { "$ref": "#" } } }), true),
        ] {
            assert_eq!(plan(&schema).is_ok(), ends, "{schema}");
        }
    }

    #[test]
    fn a_long_chain_of_references_is_refused() {
        let links = (0..10_000).map(|link| (format!("a{link}"), json!({ "$ref": format!("#/$defs/a{}", link + 1) })));
        let mut schema = json!({ "$ref": "#/$defs/a0", "$defs": serde_json::Map::from_iter(links) });
        schema["$defs"]["a10000"] = json!({});
        assert!(plan(&schema).is_err());
    }

    #[test]
    fn doubling_branches_are_counted_before_they_are_taken() {
        let doubling = json!({
            "$defs": { "n": { "properties": { "next": { "allOf": [{ "$ref": "#/$defs/n" }, { "$ref": "#/$defs/n" }] } } } },
            "$ref": "#/$defs/n"
        });
        let doubling = plan(&doubling).unwrap();
        assert!(doubling.admit(&nested(8)).is_ok());
        assert!(doubling.admit(&nested(60)).is_err());
        let plain = json!({ "properties": { "next": { "$ref": "#" } } });
        assert!(plan(&plain).unwrap().admit(&nested(60)).is_ok());
    }
}
