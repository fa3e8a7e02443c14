//! The checker over the crate `jsonschema`: drafts 4, 6, 7, 2019-09 and 2020-12. Formats are asserted, and nothing is fetched.

use super::{
    CompiledSchema, SchemaChecker, SchemaFault,
    bounds::Purpose,
    compiled::{Compiled, options},
    explain, fields,
    references::{Documents, References, charge_size},
    survey::{self, too_large},
};
use crate::{
    budget::{Budget, Exhausted},
    problem::{Pointer, Refusal},
};
use jsonschema::{ValidationError, paths::LocationSegment};
use serde_json::{Map, Value};
use std::sync::Arc;

/// Checks schemas and values by JSON Schema: draft 2020-12 unless `$schema` names another (4, 6, 7 or 2019-09).
#[derive(Clone, Debug, Default)]
pub struct Validator {
    documents: Documents,
}

impl Validator {
    /// A validator for schemas that may refer to these documents. Each is given with its absolute URI. Nothing is fetched.
    pub fn with_documents(documents: Map<String, Value>) -> Self {
        let named = |(uri, schema): (String, Value)| (uri.trim_end_matches('#').to_owned(), schema);
        Self { documents: Documents(Arc::new(documents.into_iter().map(named).collect())) }
    }

    /// Compiles a schema, as [`SchemaChecker::compile`] does.
    ///
    /// # Errors
    /// [`SchemaFault`] if the schema cannot be used.
    pub fn prepare(&self, schema: &Value, budget: &mut Budget) -> Result<Arc<Compiled>, SchemaFault> {
        let size = charge_size(schema, budget).map_err(too_large)?;
        let references = References::new(schema, &self.documents)?;
        let plan = survey::plan(&references, budget)?;
        let compiled = if plan.plain {
            references.compile(options())
        } else {
            if size.dialects || !references.accepted() {
                budget.charge(size.explaining).map_err(too_large)?;
            }
            options().with_retriever(self.documents.clone()).build(schema)
        };
        let validator = compiled.map_err(|error| fault(&error))?;
        Ok(Arc::new(Compiled { references, plan, validator }))
    }
}

impl SchemaChecker for Validator {
    fn compile(&self, schema: &Value, budget: &mut Budget) -> Result<Arc<dyn CompiledSchema>, SchemaFault> {
        Ok(self.prepare(schema, budget)?)
    }
}

impl CompiledSchema for Compiled {
    fn check(&self, value: &Value, budget: &mut Budget) -> Result<(), Refusal> {
        self.plan.charge(value, Purpose::Check, budget).map_err(|Exhausted| Refusal::TooLarge {
            what: "checking it against its schema takes too much work".into(),
        })?;
        if self.validator.is_valid(value) {
            return Ok(());
        }
        Err(Refusal::SchemaMismatch { details: explain::violations(self, value, budget) })
    }

    fn template(&self) -> Option<Value> {
        fields::template(self)
    }
}

fn fault(error: &ValidationError<'_>) -> SchemaFault {
    let reason = error.to_string().trim_end_matches('.').chars().take(300).collect();
    let steps = error.instance_path().iter();
    let path = steps.fold(Pointer::root(), |path, step| match step {
        LocationSegment::Property(name) => path.field(&name),
        LocationSegment::Index(index) => path.item(index),
    });
    SchemaFault::Invalid { path: path.to_string(), reason }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn messages(schema: &Value, value: &Value) -> Vec<String> {
        match Validator::default().compile(schema, &mut Budget::default()).unwrap().check(value, &mut Budget::default())
        {
            Err(Refusal::SchemaMismatch { details }) => {
                details.into_iter().map(|violation| violation.message).collect()
            }
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn every_violation_is_a_sentence_that_names_the_value() {
        for (schema, value, sentence) in [
            (json!({ "maximum": 65535 }), json!(70000), "port must be at most 65535."),
            (json!({ "exclusiveMinimum": 0 }), json!(0), "port must be more than 0."),
            (json!({ "type": "integer" }), json!(1.5), "port must be a whole number, not 1.5."),
            (json!({ "type": ["string", "null"] }), json!([]), "port must be null or text, not a list."),
            (json!({ "enum": ["fast", "safe", 3] }), json!("x"), "port must be one of \"fast\", \"safe\" or 3."),
            (json!({ "const": { "a": 1 } }), json!(2), "port must be {\"a\":1}."),
            (json!({ "required": ["a"] }), json!({}), "port lacks the property \"a\"."),
            (json!({ "additionalProperties": false }), json!({ "b": 1 }), "port must have no property."),
            (
                json!({ "properties": { "a": {} }, "additionalProperties": false }),
                json!({ "b": 1 }),
                "port must not have the property \"b\".",
            ),
            (json!({ "minLength": 1 }), json!(""), "port must not be empty."),
            (json!({ "maxLength": 1 }), json!("ab"), "port must have at most 1 character."),
            (json!({ "minItems": 2 }), json!([1]), "port must have at least 2 items."),
            (json!({ "uniqueItems": true }), json!([1, 1]), "port must not have the same item twice."),
            (json!({ "pattern": "^a$" }), json!("b"), "port must match the pattern ^a$."),
            (json!({ "format": "email" }), json!("b"), "port must be an email address."),
            (json!({ "multipleOf": 5 }), json!(7), "port must be a multiple of 5."),
            (json!({ "not": {} }), json!(7), "port is what it must not be."),
            (
                json!({ "propertyNames": { "maxLength": 1 } }),
                json!({ "ab": 1 }),
                "port has a property whose name is not allowed: it must have at most 1 character.",
            ),
            (
                json!({ "anyOf": [{ "type": "string" }, { "minimum": 5 }] }),
                json!(1),
                "port fits none of the forms that are allowed: it must be text, not 1, or it must be at least 5.",
            ),
            (
                json!({ "oneOf": [{}, true] }),
                json!(1),
                "port fits more than one of the forms, and must fit exactly one.",
            ),
            (json!(false), json!(1), "port must not be there."),
        ] {
            let schema = json!({ "properties": { "port": schema } });
            assert_eq!(messages(&schema, &json!({ "port": value })), [sentence], "{schema}");
        }
    }

    #[test]
    fn a_format_that_is_said_to_be_checked_is() {
        let accepts = |format: &str| {
            let compiled = Validator::default().compile(&json!({ "format": format }), &mut Budget::default()).unwrap();
            compiled.check(&json!("({[ \\% \u{1}"), &mut Budget::default()).is_ok()
        };
        let accepted: Vec<&str> = super::super::FORMATS.iter().copied().filter(|format| accepts(format)).collect();
        assert_eq!(accepted, Vec::<&str>::new());
    }

    #[test]
    fn a_value_is_named_by_its_place() {
        let port = json!({ "maximum": 1 });
        let schema = json!({ "properties": { "a/b": { "items": { "properties": { "c~d": port } } } } });
        assert_eq!(messages(&schema, &json!({ "a/b": [{}, { "c~d": 2 }] })), ["a/b[1].c~d must be at most 1."]);
        assert_eq!(messages(&port, &json!(2)), ["The value must be at most 1."]);
        let long = "x".repeat(300);
        let [message] = &messages(&json!({ "additionalProperties": port }), &json!({ long: 2 }))[..] else { panic!() };
        assert!(message.starts_with("…xxx") && message.len() < 150, "{message}");
    }
}
