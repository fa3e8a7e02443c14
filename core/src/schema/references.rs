//! Resolves the references of a schema. They can lead to places in the schema itself, to the metaschemas, and to documents from the host.
//! Nothing is fetched.

use super::SchemaFault;
use crate::{
    budget::{Budget, Exhausted},
    json::quoted,
    problem::Pointer,
};
use jsonschema::{Draft, ReferencingError, Registry, Retrieve, Uri, ValidationError, ValidationOptions, uri};
use referencing::{Resolver, ResourceRef};
use serde_json::{Map, Value, json};
use std::{error::Error, sync::Arc};

/// The base URI of a schema without an id.
const BASE: &str = "json-schema:///";
/// The base URI of the schema that only refers to the compiled one.
const ENTRY: &str = "entry:///";

/// The cost of a value in a schema, which is read, kept and copied while the schema is compiled; and how much more each id costs than the one
/// before it.
const VALUE: u64 = 100;
const ID: u64 = 20;
/// The least cost of compiling a schema, measured as 20 µs and 3 kB.
const SCHEMA: u64 = 4_000;
/// How many copies of a value the crate makes, for each level of nesting, when a metaschema explains why the schema is invalid.
const COPIES: u64 = 8;

/// How large a schema is.
#[derive(Default)]
pub(super) struct Size {
    /// The cost of having the metaschema explain why the schema is invalid.
    pub explaining: u64,
    /// Whether a subschema has a `$schema` of its own.
    pub dialects: bool,
}

/// Charges the part of the cost of compiling a schema that depends on its size: its values, and the path and base URI of each.
///
/// # Errors
/// [`Exhausted`] if the budget does not suffice.
pub(super) fn charge_size(schema: &Value, budget: &mut Budget) -> Result<Size, Exhausted> {
    budget.charge(SCHEMA)?;
    let mut open = vec![(schema, 0_u64, 0_u64)];
    let mut ids = 0_u64;
    let mut size = Size::default();
    while let Some((value, path, depth)) = open.pop() {
        let text = value.as_str().map_or(0, str::len) as u64;
        let copies = depth.saturating_mul(COPIES).saturating_mul(36_u64.saturating_add(text / 2));
        size.explaining = size.explaining.saturating_add(copies);
        let depth = depth.saturating_add(1);
        match value {
            Value::Object(fields) => {
                let mut path = path;
                size.dialects |= depth > 1 && fields.contains_key("$schema");
                if let Some(id) = ["$id", "id"].iter().find_map(|keyword| fields.get(*keyword)?.as_str()) {
                    ids = ids.saturating_add(1);
                    budget.charge(ids.saturating_mul(ID))?;
                    path = path.saturating_add(id.len() as u64);
                }
                for (name, field) in fields {
                    let path = path.saturating_add(name.len() as u64).saturating_add(1);
                    budget.charge(path.saturating_add(VALUE))?;
                    open.push((field, path, depth));
                }
            }
            Value::Array(items) => {
                budget.charge((items.len() as u64).saturating_mul(VALUE))?;
                open.extend(items.iter().map(|item| (item, path.saturating_add(8), depth)));
            }
            Value::String(text) => budget.charge(text.len() as u64)?,
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }
    Ok(size)
}

/// Schemas from the host, by absolute URI.
#[derive(Clone, Debug, Default)]
pub(super) struct Documents(pub Arc<Map<String, Value>>);

impl Retrieve for Documents {
    fn retrieve(&self, uri: &Uri<String>) -> Result<Value, Box<dyn Error + Send + Sync>> {
        let found = self.0.get(uri.as_str().trim_end_matches('#'));
        found.cloned().ok_or_else(|| "it is not among the documents".into())
    }
}

/// A subschema and the resolver for references in it.
#[derive(Clone)]
pub(super) struct Located<'r> {
    pub schema: &'r Value,
    pub draft: Draft,
    resolver: Resolver<'r>,
    registry: &'r Registry<'r>,
}

/// The possible targets of the references of one schema, and a copy of the schema.
pub(super) struct References {
    registry: Registry<'static>,
    draft: Draft,
    base: Uri<String>,
}

impl References {
    /// Finds everything that the schema refers to.
    ///
    /// # Errors
    /// [`SchemaFault::Invalid`] if an id is not a URI, or if a referenced document is unknown.
    pub fn new(root: &Value, documents: &Documents) -> Result<Self, SchemaFault> {
        let draft = Draft::default().detect(root);
        let fault = |error: ReferencingError| unresolved(root, &error);
        let base = uri::from_str(ResourceRef::new(root, draft).id().unwrap_or(BASE)).map_err(fault)?;
        let base = uri::from_str(base.as_str().trim_end_matches('#')).map_err(fault)?;
        let builder = Registry::new().draft(draft).retriever(documents.clone());
        let resource = draft.create_resource(root.clone());
        let registry = builder.add(base.as_str(), resource).and_then(|builder| builder.prepare()).map_err(fault)?;
        Ok(Self { registry, draft, base })
    }

    /// Compiles the schema without validating it against its metaschema, which the crate skips for schemas that are only referred to.
    pub fn compile(&self, options: ValidationOptions<'_>) -> Result<jsonschema::Validator, ValidationError<'static>> {
        self.compile_at(self.base.as_str(), options)
    }

    /// Compiles the subschema with this URI, which must be one of the registry.
    pub fn compile_at(
        &self,
        uri: &str,
        options: ValidationOptions<'_>,
    ) -> Result<jsonschema::Validator, ValidationError<'static>> {
        let entry = json!({ "$schema": "http://json-schema.org/draft-04/schema#", "$ref": uri });
        options.with_base_uri(ENTRY).with_registry(&self.registry).build(&entry)
    }

    /// Whether the metaschema of its draft accepts the schema. False for a schema of an unknown draft.
    pub fn accepted(&self) -> bool {
        let Ok(Located { schema, .. }) = self.root() else { return false };
        match self.draft {
            Draft::Draft4 => jsonschema::draft4::meta::is_valid(schema),
            Draft::Draft6 => jsonschema::draft6::meta::is_valid(schema),
            Draft::Draft7 => jsonschema::draft7::meta::is_valid(schema),
            Draft::Draft201909 => jsonschema::draft201909::meta::is_valid(schema),
            Draft::Draft202012 => jsonschema::draft202012::meta::is_valid(schema),
            _ => false,
        }
    }

    /// The schema itself.
    pub fn root(&self) -> Result<Located<'_>, SchemaFault> {
        let resolver = self.registry.resolver(self.base.clone());
        let root = resolver.lookup("#").map_err(|error| fault(&Pointer::root(), &error))?;
        Ok(Located { schema: root.contents(), draft: self.draft, resolver, registry: &self.registry })
    }
}

impl<'r> Located<'r> {
    /// Tells the subschema from all others, as long as the references live.
    pub fn address(&self) -> usize {
        std::ptr::from_ref(self.schema) as usize
    }

    /// A subschema of this one. If it has an id, the id is the base URI of references in it.
    pub fn inner(&self, schema: &'r Value) -> Result<Self, ReferencingError> {
        let draft = self.draft.detect(schema);
        let resolver = self.resolver.in_subresource(ResourceRef::new(schema, draft))?;
        Ok(Self { schema, draft, resolver, registry: self.registry })
    }

    /// The target of a reference keyword of this schema. `None` if it does not have the keyword. The target of a dynamic reference is where it
    /// leads without a dynamic scope.
    pub fn target(&self, keyword: &str) -> Option<Result<Self, ReferencingError>> {
        let reference = self.schema.get(keyword)?.as_str()?;
        Some(self.resolver.lookup(reference).map(|found| {
            let (schema, resolver, draft) = found.into_inner();
            // The resolver keeps no dynamic scope, so each subschema is located in the same way wherever it is referred to.
            let resolver = self.registry.resolver(Uri::clone(&resolver.base_uri()));
            Self { schema, draft, resolver, registry: self.registry }
        }))
    }

    /// The target of a reference keyword of this schema, by the dynamic scope on the way here. `None` if it does not have the keyword.
    pub fn followed(&self, keyword: &str) -> Option<Result<Self, ReferencingError>> {
        let reference = self.schema.get(keyword)?.as_str()?;
        let found = match keyword {
            "$recursiveRef" => self.resolver.lookup_recursive_ref(),
            _ => self.resolver.lookup(reference),
        };
        Some(found.map(|found| {
            let (schema, resolver, draft) = found.into_inner();
            Self { schema, draft, resolver, registry: self.registry }
        }))
    }

    /// The absolute URI of a reference in this schema.
    pub fn absolute(&self, reference: &str) -> Option<String> {
        let (uri, fragment) = reference.split_once('#').unwrap_or((reference, ""));
        let base = self.resolver.resolve_uri(&self.resolver.base_uri().borrow(), uri).ok()?;
        Some(format!("{}#{fragment}", base.as_str()))
    }

    /// The schema or document that contains it, from which pointers are counted.
    pub fn resource(&self) -> Option<&'r Value> {
        self.resolver.lookup("#").ok().map(|found| found.contents())
    }

    /// Whether references in it are resolved as in another schema.
    pub fn has_base_of(&self, other: &Self) -> bool {
        self.resolver == other.resolver
    }

    /// The base URI of references in it: that of the schema with an id, or the document, that contains it.
    pub fn base(&self) -> String {
        self.resolver.base_uri().as_str().to_owned()
    }
}

/// The fault of a reference that cannot be resolved.
pub(super) fn fault(path: &Pointer, error: &ReferencingError) -> SchemaFault {
    let reason = match error {
        ReferencingError::Unretrievable { uri, .. } => {
            let name = quoted(uri.strip_prefix(BASE).unwrap_or(uri));
            format!("{name} refers to something outside the schema, and nothing is fetched")
        }
        ReferencingError::PointerToNowhere { pointer } => {
            format!("{} refers to nothing in the schema", quoted(pointer))
        }
        ReferencingError::NoSuchAnchor { anchor } | ReferencingError::InvalidAnchor { anchor } => {
            format!("{} refers to nothing in the schema", quoted(anchor))
        }
        error => error.to_string().trim_end_matches('.').chars().take(300).collect(),
    };
    SchemaFault::Invalid { path: path.to_string(), reason }
}

/// The fault of a schema with a reference that cannot be resolved. Its path is that of the first reference that names the missing document.
fn unresolved(root: &Value, error: &ReferencingError) -> SchemaFault {
    let ReferencingError::Unretrievable { uri, .. } = error else { return fault(&Pointer::root(), error) };
    let refers = |(path, value): (Pointer, &Value)| {
        let mut keywords = ["$ref", "$dynamicRef", "$recursiveRef"].into_iter();
        let document = |keyword: &&str| value.get(*keyword).and_then(Value::as_str)?.split('#').next();
        keywords
            .find(|keyword| document(keyword).is_some_and(|name| names(name, uri)))
            .map(|keyword| path.field(keyword))
    };
    fault(&places(root).find_map(refers).unwrap_or_else(Pointer::root), error)
}

/// Every value in a schema with its place. `charge_size` charges the work.
pub(super) fn places(root: &Value) -> impl Iterator<Item = (Pointer, &Value)> {
    let mut open = vec![(Pointer::root(), root)];
    std::iter::from_fn(move || {
        let (path, value) = open.pop()?;
        match value {
            Value::Object(fields) => open.extend(fields.iter().map(|(name, field)| (path.field(name), field))),
            Value::Array(items) => {
                open.extend(items.iter().enumerate().map(|(index, item)| (path.item(index), item)));
            }
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
        }
        Some((path, value))
    })
}

fn names(reference: &str, uri: &str) -> bool {
    let last = reference.rsplit("./").next().unwrap_or(reference);
    !last.is_empty() && uri.split('#').next().is_some_and(|uri| uri.ends_with(last))
}
