//! The checker on the crate `jsonschema`: drafts 4 to 2020-12, formats asserted, nothing ever fetched.

use super::{Bounded, CompiledSchema, SchemaChecker, SchemaFault, pattern::BACKTRACKS, template};
use crate::problem::{Refusal, Violation};
use serde_json::Value;
use std::sync::Arc;

/// How many violations are listed of one value.
const VIOLATIONS: usize = 100;

/// Checks schemas and values by JSON Schema: draft 2020-12 unless `$schema` names another (4, 6, 7 or 2019-09).
#[derive(Clone, Copy, Debug, Default)]
pub struct Validator;

struct Compiled {
    source: Value,
    validator: jsonschema::Validator,
}

impl SchemaChecker for Validator {
    fn compile(&self, schema: &Value) -> Result<Arc<dyn CompiledSchema>, SchemaFault> {
        Bounded::new(schema)?;
        let validator = jsonschema::options()
            .should_validate_formats(true)
            .with_pattern_options(jsonschema::PatternOptions::fancy_regex().backtrack_limit(BACKTRACKS as usize))
            .offline()
            .build(schema)
            .map_err(|error| SchemaFault {
                path: error.instance_path().to_string(),
                reason: error.to_string().trim_end_matches('.').chars().take(300).collect(),
            })?;
        Ok(Arc::new(Compiled { source: schema.clone(), validator }))
    }
}

impl CompiledSchema for Compiled {
    fn check(&self, value: &Value) -> Result<(), Refusal> {
        if let Ok(bounded) = Bounded::new(&self.source) {
            bounded.admit(value)?;
        }
        let details: Vec<_> =
            self.validator.iter_errors(value).take(VIOLATIONS).map(|error| violation(&error)).collect();
        if details.is_empty() { Ok(()) } else { Err(Refusal::SchemaMismatch { details }) }
    }

    fn template(&self) -> Value {
        template(&self.source)
    }
}

fn violation(error: &jsonschema::ValidationError<'_>) -> Violation {
    Violation {
        instance_path: error.instance_path().to_string(),
        schema_path: error.schema_path().to_string(),
        keyword: error.kind().keyword().to_owned(),
        // The instance may be large: the message names it by its place.
        message: error.masked_with("The value").to_string(),
    }
}
