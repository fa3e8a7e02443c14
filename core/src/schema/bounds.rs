//! The bounds that keep checking total: no reference leaves the schema, none runs in a circle, and no check of a value
//! takes more than a fixed number of steps, however a schema multiplies its branches.
//!
//! A validator evaluates every branch of `allOf`, `anyOf` and the like, so that a schema of a few lines can ask for 2⁶⁴
//! steps. Here the steps are counted before they are taken, each pair of subschema and value once.

use super::{SchemaFault, pattern::Weight};
use crate::{
    json::quoted,
    problem::{Pointer, Refusal},
};
use serde_json::{Map, Value};
use std::collections::{BTreeMap, BTreeSet};

/// How many steps the check of one value may take.
const STEPS: u64 = 500_000;
/// How many states all patterns of a schema may have together.
const STATES: u64 = 200_000;
/// What the check of the format `regex` costs for one value, which compiles it.
const COMPILING: u64 = 20_000;
/// How deep evaluation may nest, subschemas and values together: what fits the stack of a wasm module.
const NESTING: usize = 400;
/// How many subschemas may apply to one value in a row, each within the other.
const CHAIN: usize = 100;

/// A schema whose references are all found within it.
#[derive(Debug)]
pub struct Bounded<'a> {
    root: &'a Value,
    anchors: BTreeMap<&'a str, &'a Value>,
}

/// A subschema within another: where it stands, to which part of a value it applies (`None`: only when it is referred
/// to), and what it is.
type Inner<'a> = (Place<'a>, Option<Part<'a>>, &'a Value);

/// Where a subschema stands: a keyword, and the member or item under it.
#[derive(Clone, Copy)]
enum Place<'a> {
    Keyword(&'static str),
    Member(&'static str, &'a str),
    Item(&'static str, usize),
}

impl Place<'_> {
    fn within(self, path: &Pointer) -> Pointer {
        match self {
            Self::Keyword(keyword) => path.field(keyword),
            Self::Member(keyword, name) => path.field(keyword).field(name),
            Self::Item(keyword, index) => path.field(keyword).item(index),
        }
    }
}

/// To which part of a value a subschema applies.
#[derive(Clone, Copy)]
enum Part<'a> {
    Same,
    Member(&'a str),
    Members,
    MemberNames,
    Item(usize),
    Items,
}

/// Keywords that hold one subschema, or for `items` of older drafts a list of them.
const SINGLE: [(&str, Part<'static>); 12] = [
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
const REFERENCES: [&str; 3] = ["$ref", "$dynamicRef", "$recursiveRef"];

impl<'a> Bounded<'a> {
    /// Looks through a schema: refuses references out of it, references in a circle, and chains without end.
    pub fn new(root: &'a Value) -> Result<Self, SchemaFault> {
        let bounded = Self { root, anchors: anchors(root) };
        let mut heights = BTreeMap::new();
        let mut seen = BTreeSet::new();
        let mut open = vec![(root, Pointer::root())];
        let mut states = 0_u64;
        while let Some((schema, path)) = open.pop() {
            let Some(fields) = schema.as_object() else { continue };
            states = patterns(fields).fold(states, |sum, pattern| sum.saturating_add(Weight::of(pattern).states));
            if states > STATES {
                let reason =
                    format!("its patterns are too large: with repetitions written out, {STATES} states are taken");
                return Err(SchemaFault { path: path.to_string(), reason });
            }
            if !seen.insert(address(schema)) {
                continue;
            }
            if !std::ptr::eq(schema, root) {
                bounded.refuse_embedded(fields, &path)?;
            }
            for keyword in REFERENCES {
                if let Some(reference) = fields.get(keyword).and_then(Value::as_str) {
                    let path = path.field(keyword);
                    open.push((bounded.resolve(reference, &path)?, path));
                }
            }
            open.extend(structure(fields).into_iter().map(|(place, _, inner)| (inner, place.within(&path))));
            bounded.height(schema, &path, &mut heights, 0)?;
        }
        Ok(bounded)
    }

    /// Counts the steps that checking a value may take, an upper bound; refuses what takes too many.
    pub fn admit(&self, value: &Value) -> Result<(), Refusal> {
        let mut count = Count { schema: self, memo: BTreeMap::new(), weights: BTreeMap::new() };
        match count.steps(self.root, value, 0) {
            Some(steps) if steps <= STEPS => Ok(()),
            Some(_) | None => Err(Refusal::TooLarge {
                what: format!("the schema would need more than {STEPS} steps, or {NESTING} levels, to check it"),
            }),
        }
    }

    /// What `$ref` in a schema points to.
    pub(super) fn target(&self, fields: &Map<String, Value>) -> Option<&'a Value> {
        self.resolve(fields.get("$ref")?.as_str()?, &Pointer::root()).ok()
    }

    /// An `$id` below the root would move the base of every reference under it.
    fn refuse_embedded(&self, fields: &Map<String, Value>, path: &Pointer) -> Result<(), SchemaFault> {
        let draft_4 = self.root.get("$schema").and_then(Value::as_str).is_some_and(|draft| draft.contains("draft-04"));
        let keyword = if draft_4 { "id" } else { "$id" };
        match fields.get(keyword) {
            Some(Value::String(_)) => Err(SchemaFault {
                path: path.field(keyword).to_string(),
                reason: format!("\"{keyword}\" is only taken at the root of a schema; use \"$defs\" and \"#/$defs/…\""),
            }),
            _ => Ok(()),
        }
    }

    fn resolve(&self, reference: &str, path: &Pointer) -> Result<&'a Value, SchemaFault> {
        let fault = |reason: String| SchemaFault { path: path.to_string(), reason };
        let Some(fragment) = reference.strip_prefix('#') else {
            let name = quoted(reference);
            return Err(fault(format!("{name} refers to something outside the schema, and nothing is fetched")));
        };
        let found = match decoded(fragment) {
            Some(pointer) if pointer.is_empty() || pointer.starts_with('/') => self.root.pointer(&pointer),
            Some(anchor) => self.anchors.get(anchor.as_str()).copied(),
            None => None,
        };
        found.ok_or_else(|| fault(format!("{} refers to nothing in the schema", quoted(reference))))
    }

    /// How many subschemas apply to the same value, each within the other, from this one on.
    fn height(
        &self,
        schema: &'a Value,
        path: &Pointer,
        heights: &mut BTreeMap<usize, Option<usize>>,
        chain: usize,
    ) -> Result<usize, SchemaFault> {
        let fault = |reason: String| SchemaFault { path: path.to_string(), reason };
        let Some(fields) = schema.as_object() else { return Ok(0) };
        match heights.get(&address(schema)) {
            Some(Some(height)) => return Ok(*height),
            Some(None) => {
                return Err(fault(
                    "it refers to itself without going down into the value, so that it never ends".into(),
                ));
            }
            None => {}
        }
        let too_long = || fault(format!("more than {CHAIN} schemas apply to one value, each within the other"));
        if chain > CHAIN {
            return Err(too_long());
        }
        heights.insert(address(schema), None);
        let mut height = 0_usize;
        for (place, part, inner) in self.applied(fields) {
            if let Part::Same = part {
                let below = self.height(inner, &place.within(path), heights, chain.saturating_add(1))?;
                height = height.max(below.saturating_add(1));
            }
        }
        if height > CHAIN {
            return Err(too_long());
        }
        heights.insert(address(schema), Some(height));
        Ok(height)
    }

    /// Every subschema that is evaluated with this one, references followed.
    fn applied(&self, fields: &'a Map<String, Value>) -> Vec<(Place<'a>, Part<'a>, &'a Value)> {
        let references = REFERENCES.into_iter().filter_map(|keyword| {
            let target = self.resolve(fields.get(keyword)?.as_str()?, &Pointer::root()).ok()?;
            Some((Place::Keyword(keyword), Part::Same, target))
        });
        let structure = structure(fields).into_iter().filter_map(|(place, part, schema)| Some((place, part?, schema)));
        references.chain(structure).collect()
    }
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
                "properties" => Some(Part::Member(name.as_str())),
                "patternProperties" => Some(Part::Members),
                "dependentSchemas" | "dependencies" => Some(Part::Same),
                _ => None,
            };
            (Place::Member(keyword, name.as_str()), part, schema)
        }));
    }
    found
}

/// The subschemas with plain-name fragments.
fn anchors(root: &Value) -> BTreeMap<&str, &Value> {
    let mut anchors = BTreeMap::new();
    let mut open = vec![root];
    while let Some(schema) = open.pop() {
        let Some(fields) = schema.as_object() else { continue };
        for keyword in ["$anchor", "$dynamicAnchor"] {
            if let Some(name) = fields.get(keyword).and_then(Value::as_str) {
                anchors.insert(name, schema);
            }
        }
        open.extend(structure(fields).into_iter().map(|(_, _, inner)| inner));
    }
    anchors
}

/// The identity of a node: values do not move while they are borrowed.
fn address(value: &Value) -> usize {
    std::ptr::from_ref(value) as usize
}

/// Percent-decoding of a URI fragment (RFC 3986, section 2.1); `None` when it is malformed.
fn decoded(fragment: &str) -> Option<String> {
    let mut bytes = fragment.bytes();
    let mut decoded = Vec::with_capacity(fragment.len());
    while let Some(byte) = bytes.next() {
        decoded.push(match byte {
            b'%' => {
                let digits = [bytes.next()?, bytes.next()?];
                u8::from_str_radix(std::str::from_utf8(&digits).ok()?, 16).ok()?
            }
            byte => byte,
        });
    }
    String::from_utf8(decoded).ok()
}

struct Count<'s, 'a> {
    schema: &'s Bounded<'a>,
    memo: BTreeMap<(usize, usize), u64>,
    weights: BTreeMap<&'a str, Weight>,
}

impl<'a> Count<'_, 'a> {
    /// An upper bound of the steps; `None` when counting them is itself too much.
    fn steps(&mut self, schema: &'a Value, value: &Value, nesting: usize) -> Option<u64> {
        let Some(fields) = schema.as_object() else { return Some(1) };
        let pair = (address(schema), address(value));
        if let Some(steps) = self.memo.get(&pair) {
            return Some(*steps);
        }
        if nesting > NESTING {
            return None;
        }
        let mut steps = self.own_steps(fields, value);
        let nesting = nesting.saturating_add(1);
        for (_, part, inner) in self.schema.applied(fields) {
            let more = match part {
                Part::Same => self.steps(inner, value, nesting)?,
                Part::Member(name) => self.sum(inner, value.get(name), nesting)?,
                Part::Item(index) => self.sum(inner, value.as_array().and_then(|items| items.get(index)), nesting)?,
                Part::Members => self.sum(inner, value.as_object().into_iter().flat_map(Map::values), nesting)?,
                Part::Items => self.sum(inner, value.as_array().into_iter().flatten(), nesting)?,
                Part::MemberNames => {
                    let names = value.as_object().into_iter().flat_map(Map::keys);
                    let Some(longest) = names.max_by_key(|name| name.len()) else { continue };
                    let each = Count { schema: self.schema, memo: BTreeMap::new(), weights: BTreeMap::new() }.steps(
                        inner,
                        &longest.as_str().into(),
                        nesting,
                    )?;
                    each.saturating_mul(value.as_object().map_or(0, Map::len) as u64)
                }
            };
            steps = steps.saturating_add(more).saturating_add(1);
        }
        self.memo.insert(pair, steps);
        (self.memo.len() as u64 <= STEPS).then_some(steps)
    }

    fn sum<'v>(
        &mut self,
        schema: &'a Value,
        values: impl IntoIterator<Item = &'v Value>,
        nesting: usize,
    ) -> Option<u64> {
        let mut sum = 0_u64;
        for value in values {
            sum = sum.saturating_add(self.steps(schema, value, nesting)?);
        }
        Some(sum)
    }

    /// What the keywords of one schema cost for one value, its subschemas aside.
    fn own_steps(&mut self, fields: &'a Map<String, Value>, value: &Value) -> u64 {
        let mut steps = length(value).saturating_add(fields.get("enum").map_or(0, length)).saturating_add(1);
        match value {
            Value::String(text) => {
                if let Some(pattern) = fields.get("pattern").and_then(Value::as_str) {
                    steps = steps.saturating_add(self.matching(pattern, text));
                }
                if fields.get("format").and_then(Value::as_str) == Some("regex") {
                    steps = steps.saturating_add(COMPILING);
                }
            }
            Value::Object(members) => {
                let properties = fields.get("patternProperties").and_then(Value::as_object);
                for pattern in properties.into_iter().flat_map(Map::keys) {
                    for name in members.keys() {
                        steps = steps.saturating_add(self.matching(pattern, name));
                    }
                }
            }
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_) => {}
        }
        steps
    }

    fn matching(&mut self, pattern: &'a str, text: &str) -> u64 {
        let weight = *self.weights.entry(pattern).or_insert_with(|| Weight::of(pattern));
        weight.steps(text.len()).saturating_add(1)
    }
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

/// The patterns that stand in a schema, not in its subschemas.
fn patterns(fields: &Map<String, Value>) -> impl Iterator<Item = &str> {
    let properties = fields.get("patternProperties").and_then(Value::as_object);
    fields
        .get("pattern")
        .and_then(Value::as_str)
        .into_iter()
        .chain(properties.into_iter().flat_map(Map::keys).map(String::as_str))
}

#[cfg(test)]
mod tests {
    use super::Bounded;
    use serde_json::{Value, json};

    fn nested(depth: usize) -> Value {
        (0..depth).fold(json!({}), |value, _| json!({ "next": value }))
    }

    #[test]
    fn references_stay_within_the_schema() {
        for (schema, fault) in [
            (json!({ "$ref": "https://example.com/s.json" }), Some("/$ref")),
            (json!({ "properties": { "a": { "$ref": "other.json#/x" } } }), Some("/properties/a/$ref")),
            (json!({ "$ref": "#/$defs/none" }), Some("/$ref")),
            (json!({ "$defs": { "a": { "$id": "urn:x" } } }), Some("/$defs/a/$id")),
            (json!({ "$defs": { "a b": { "type": "string" } }, "$ref": "#/$defs/a%20b" }), None),
            (json!({ "$defs": { "a": { "$anchor": "here" } }, "$ref": "#here" }), None),
            (json!({ "properties": { "$ref": { "type": "string" } }, "const": { "$ref": "x" } }), None),
        ] {
            assert_eq!(Bounded::new(&schema).err().map(|fault| fault.path).as_deref(), fault, "{schema}");
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
            assert_eq!(Bounded::new(&schema).is_ok(), ends, "{schema}");
        }
    }

    #[test]
    fn a_long_chain_of_references_is_refused() {
        let links = (0..10_000).map(|link| (format!("a{link}"), json!({ "$ref": format!("#/$defs/a{}", link + 1) })));
        let mut schema = json!({ "$ref": "#/$defs/a0", "$defs": serde_json::Map::from_iter(links) });
        schema["$defs"]["a10000"] = json!({});
        assert!(Bounded::new(&schema).is_err());
    }

    #[test]
    fn doubling_branches_are_counted_before_they_are_taken() {
        let doubling = json!({
            "$defs": { "n": { "properties": { "next": { "allOf": [{ "$ref": "#/$defs/n" }, { "$ref": "#/$defs/n" }] } } } },
            "$ref": "#/$defs/n"
        });
        let bounded = Bounded::new(&doubling).unwrap();
        assert!(bounded.admit(&nested(8)).is_ok());
        assert!(bounded.admit(&nested(60)).is_err());
        let plain = json!({ "properties": { "next": { "$ref": "#" } } });
        assert!(Bounded::new(&plain).unwrap().admit(&nested(60)).is_ok());
    }
}
