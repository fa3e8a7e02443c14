//! Makes the plan of a schema: visits every subschema once, and follows its references.

use super::{
    SchemaFault,
    bounds::{Inner as Evaluated, Node, Part, Plan},
    pattern::Weight,
    references::{Located, References, fault, places},
    shape::is_plain,
};
use crate::{
    budget::{Budget, Exhausted},
    json::quoted,
    problem::Pointer,
};
use jsonschema::Draft;
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// The cost of compiling a subschema, of each of its keywords, and of each of its references: measured as 5 µs and 2 kB for a subschema
/// with three keywords, and 8 µs more for a reference.
const SUBSCHEMA: u64 = 600;
const KEYWORD: u64 = 350;
const REFERENCE: u64 = 1_500;
/// The most subschemas that may apply to one value, each within the one before.
const CHAIN: usize = 100;

/// The place of a subschema: a keyword, a member under it, or an item under it.
#[derive(Clone, Copy)]
enum Place<'a> {
    Keyword(&'static str),
    Member(&'static str, &'a str),
    Item(&'static str),
}

/// A subschema within another: its place, the part of a value that it applies to, and the subschema. The part is `None` if it applies only where it
/// is referred to.
type Inner<'a> = (Place<'a>, Option<Part>, &'a Value);

/// Keywords with one subschema. In older drafts, `items` can also have a list of them.
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

impl Place<'_> {
    /// The bytes that it adds to a path.
    fn length(self) -> u64 {
        let (keyword, inner) = match self {
            Self::Keyword(keyword) => (keyword, 0),
            Self::Member(keyword, name) => (keyword, name.len()),
            Self::Item(keyword) => (keyword, 8),
        };
        keyword.len().saturating_add(inner).saturating_add(2) as u64
    }

    fn is_branch(self) -> bool {
        matches!(self, Self::Item("anyOf" | "oneOf") | Self::Keyword("propertyNames"))
    }
}

struct Survey<'r, 'b> {
    budget: &'b mut Budget,
    plan: Plan,
    root: &'r Value,
    /// For each node, its schema, and the node from which it was first reached.
    found: Vec<(&'r Value, Option<usize>)>,
    open: Vec<(usize, Located<'r>)>,
    resources: Vec<Resource>,
    /// The indexes of the resources, by base URI.
    bases: BTreeMap<String, usize>,
    /// The cost of compiling each pattern, which the crate compiles once.
    patterns: BTreeMap<&'r str, u64>,
}

/// A schema with an id, or a document.
#[derive(Default)]
struct Resource {
    /// The number of its subschemas.
    size: usize,
    /// The resources that it refers to.
    refers: Vec<usize>,
}

/// Makes the plan of a schema. Charges the cost of compiling it.
///
/// # Errors
/// [`SchemaFault::Invalid`] if a reference cannot be resolved, if references form a circle, or if too many subschemas apply to one value;
/// [`SchemaFault::TooLarge`] if the budget does not suffice.
pub(super) fn plan(references: &References, budget: &mut Budget) -> Result<Plan, SchemaFault> {
    let plan = Plan { plain: true, ..Plan::default() };
    let root = references.root()?;
    let mut survey = Survey {
        budget,
        plan,
        root: root.schema,
        found: vec![],
        open: vec![],
        resources: vec![],
        bases: BTreeMap::new(),
        patterns: BTreeMap::new(),
    };
    survey.add(root, None)?;
    while let Some((node, located)) = survey.open.pop() {
        survey.look(node, &located)?;
    }
    let mut heights = vec![None; survey.plan.nodes.len()];
    for node in 0..survey.plan.nodes.len() {
        survey.height(node, &mut heights, 0)?;
    }
    if survey.resources.len() > 1 {
        survey.ways(0, &mut Vec::new()).map_err(|Exhausted| SchemaFault::TooLarge {
            what: "parts of the schema with ids refer to each other in too many ways".into(),
        })?;
    }
    Ok(survey.plan)
}

/// The fault of a schema that exhausts the budget.
pub(super) fn too_large(Exhausted: Exhausted) -> SchemaFault {
    SchemaFault::TooLarge { what: "the schema has too many parts, or too long names, ids or references".into() }
}

impl<'r> Survey<'r, '_> {
    /// The node of a subschema. A new one is queued to be visited.
    fn add(&mut self, located: Located<'r>, from: Option<usize>) -> Result<usize, SchemaFault> {
        let address = located.address();
        if let Some(node) = self.plan.places.get(&address) {
            return Ok(*node);
        }
        let node = self.plan.nodes.len();
        let keywords = located.schema.as_object().map_or(0, Map::len) as u64;
        self.budget.charge(keywords.saturating_mul(KEYWORD).saturating_add(SUBSCHEMA)).map_err(too_large)?;
        self.plan.places.insert(address, node);
        let resource = self.resource(located.base());
        self.plan.nodes.push(Node::of(located.schema, resource, self.budget).map_err(too_large)?);
        self.found.push((located.schema, from));
        self.open.push((node, located));
        Ok(node)
    }

    fn resource(&mut self, base: String) -> usize {
        let place = *self.bases.entry(base).or_insert(self.resources.len());
        if place == self.resources.len() {
            self.resources.push(Resource::default());
        }
        if let Some(resource) = self.resources.get_mut(place) {
            resource.size = resource.size.saturating_add(1);
        }
        place
    }

    /// Visits a node: adds its references and its subschemas.
    fn look(&mut self, node: usize, located: &Located<'r>) -> Result<(), SchemaFault> {
        let Some(fields) = located.schema.as_object() else { return Ok(()) };
        self.plan.plain &= is_plain(fields, located.draft, node == 0);
        let resource = self.plan.nodes.get(node).map_or(0, |node| node.resource);
        let keywords = fields.len() as u64;
        let mut compiling = keywords.saturating_mul(KEYWORD).saturating_add(SUBSCHEMA);
        let names = fields.get("patternProperties").and_then(Value::as_object).into_iter().flat_map(Map::keys);
        for pattern in names.map(String::as_str).chain(fields.get("pattern").and_then(Value::as_str)) {
            let cost = match self.patterns.get(pattern) {
                Some(cost) => *cost,
                None => self.pattern(pattern).map_err(|Exhausted| SchemaFault::TooLarge {
                    what: format!(
                        "preparing the pattern {}, and those before it, takes too much work",
                        quoted(pattern)
                    ),
                })?,
            };
            compiling = compiling.saturating_add(cost);
        }
        if let Some(name) = fields.get("$dynamicAnchor").and_then(Value::as_str) {
            self.plan.anchors.entry(name.into()).or_default().insert(resource, node);
        }
        if fields.get("$recursiveAnchor") == Some(&Value::Bool(true)) {
            self.plan.recursive.resize(self.plan.recursive.len().max(resource.saturating_add(1)), None);
            if let Some(place) = self.plan.recursive.get_mut(resource) {
                *place = Some(node);
            }
        }
        let mut inner = Vec::new();
        let references: &[&str] = match located.draft {
            Draft::Draft4 | Draft::Draft6 | Draft::Draft7 => &["$ref"],
            Draft::Draft201909 => &["$ref", "$recursiveRef"],
            _ => &["$ref", "$dynamicRef"],
        };
        for keyword in references {
            let Some(target) = located.target(keyword) else { continue };
            self.budget.charge(REFERENCE).map_err(too_large)?;
            compiling = compiling.saturating_add(REFERENCE);
            let target = target.map_err(|error| fault(&self.path(node, keyword), &error))?;
            let schema = target.schema;
            let target = self.add(target, Some(node))?;
            let path = keyword.len() as u64;
            inner.push(Evaluated { part: followed(keyword, fields, schema), node: target, path, branch: false });
            self.refer(resource, target);
        }
        // Up to draft 7, the keywords beside `$ref` are ignored.
        let alone = located.draft <= Draft::Draft7 && !inner.is_empty();
        for (place, part, schema) in structure(fields) {
            let child = located.inner(schema).map_err(|error| fault(&self.path(node, ""), &error))?;
            let child = self.add(child, Some(node))?;
            if let (Some(part), false) = (part, alone) {
                inner.push(Evaluated { part, node: child, path: place.length(), branch: place.is_branch() });
                self.refer(resource, child);
            }
        }
        if let Some(node) = self.plan.nodes.get_mut(node) {
            node.inner = inner;
            node.compiling = compiling;
        }
        Ok(())
    }

    /// Charges a pattern that was not seen before, and gives the cost of compiling it.
    fn pattern(&mut self, pattern: &'r str) -> Result<u64, Exhausted> {
        let cost = Weight::charged(pattern, self.budget)?.compiling();
        self.budget.charge(cost)?;
        self.patterns.insert(pattern, cost);
        Ok(cost)
    }

    /// Notes that one resource refers to the resource of a node.
    fn refer(&mut self, from: usize, node: usize) {
        let to = self.plan.nodes.get(node).map_or(from, |node| node.resource);
        if let (Some(resource), true) = (self.resources.get_mut(from), from != to)
            && !resource.refers.contains(&to)
        {
            resource.refers.push(to);
        }
    }

    /// Charges the subschemas on every path from a resource through others. The crate compiles a resource once for each path that leads to it.
    fn ways(&mut self, resource: usize, way: &mut Vec<usize>) -> Result<(), Exhausted> {
        let Some(here) = self.resources.get(resource) else { return Err(Exhausted) };
        let each = SUBSCHEMA.saturating_add(KEYWORD).saturating_add(way.len() as u64);
        self.budget.charge(each.saturating_mul(here.size as u64))?;
        // Real schemas are not that deep. The limit protects the stack.
        if way.len() >= CHAIN {
            return Err(Exhausted);
        }
        way.push(resource);
        for next in here.refers.clone() {
            if !way.contains(&next) {
                self.ways(next, way)?;
            }
        }
        way.pop();
        Ok(())
    }

    /// The longest chain of subschemas that apply to the same value, each within the one before, starting from this one.
    fn height(&self, node: usize, heights: &mut [Option<usize>], chain: usize) -> Result<usize, SchemaFault> {
        // Marks a node whose height is still being computed.
        const OPEN: usize = usize::MAX;
        let fault = |reason: String| Err(SchemaFault::Invalid { path: self.path(node, "").to_string(), reason });
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
            for Evaluated { part, node: inner, .. } in
                self.plan.nodes.get(node).map(|node| node.inner.as_slice()).unwrap_or_default()
            {
                if let Part::Same | Part::Dynamic(_) | Part::Recursive = part {
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

    /// The place of a keyword of a subschema, or of the subschema itself if the keyword is empty. For a subschema in another document, the place
    /// of the reference to that document.
    fn path(&self, node: usize, keyword: &str) -> Pointer {
        let (mut next, mut keyword) = (Some(node), keyword);
        while let Some((schema, from)) = next.and_then(|node| self.found.get(node)) {
            let place = places(self.root).find(|(_, value)| std::ptr::eq(*value, *schema));
            match place.map(|(path, _)| path) {
                Some(path) if keyword.is_empty() => return path,
                Some(path) => return path.field(keyword),
                None => (next, keyword) = (*from, ""),
            }
        }
        Pointer::root()
    }
}

/// The kind of a reference: to its target, or to a subschema that depends on the dynamic scope.
fn followed(keyword: &str, fields: &Map<String, Value>, target: &Value) -> Part {
    let name = |keyword: &str, value: &Value| value.get(keyword)?.as_str().map(str::to_owned);
    match (keyword, fields.get("$dynamicRef").and_then(Value::as_str), name("$dynamicAnchor", target)) {
        ("$dynamicRef", Some(reference), Some(anchor)) if reference.ends_with(&format!("#{anchor}")) => {
            Part::Dynamic(anchor.into())
        }
        ("$recursiveRef", ..) if target.get("$recursiveAnchor") == Some(&Value::Bool(true)) => Part::Recursive,
        _ => Part::Same,
    }
}

fn mark(heights: &mut [Option<usize>], node: usize, height: usize) {
    if let Some(known) = heights.get_mut(node) {
        *known = Some(height);
    }
}

/// The subschemas within a schema.
fn structure(fields: &Map<String, Value>) -> Vec<Inner<'_>> {
    let mut found = Vec::new();
    for (keyword, part) in SINGLE {
        match fields.get(keyword) {
            Some(Value::Array(list)) if keyword == "items" => {
                found.extend(
                    list.iter()
                        .enumerate()
                        .map(|(index, schema)| (Place::Item(keyword), Some(Part::Item(index)), schema)),
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
            (Place::Item(keyword), Some(part), schema)
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

#[cfg(test)]
mod tests {
    use super::{Plan, SchemaFault};
    use crate::{
        budget::Budget,
        schema::references::{Documents, References},
    };
    use serde_json::json;

    fn plan(schema: &serde_json::Value) -> Result<Plan, SchemaFault> {
        super::plan(&References::new(schema, &Documents::default())?, &mut Budget::default())
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
            assert_eq!(
                found.as_ref().map(|fault| match fault {
                    SchemaFault::Invalid { path, .. } => path.as_str(),
                    SchemaFault::TooLarge { what } => what,
                }),
                fault,
                "{schema} {found:?}"
            );
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
}
