//! A schema that was compiled: its validator, the plan of what a check costs, and the references between its parts.

use super::{
    bounds::Plan,
    pattern::{BACKTRACKS, CACHE_BYTES, COMPILED_BYTES},
    references::References,
};
use jsonschema::ValidationOptions;

/// A schema that the crate `jsonschema` has compiled.
pub struct Compiled {
    pub(super) references: References,
    pub(super) plan: Plan,
    pub(super) validator: jsonschema::Validator,
}

/// How every validator is compiled: formats are asserted, and patterns have limits.
pub(super) fn options<'i>() -> ValidationOptions<'i> {
    let patterns = jsonschema::PatternOptions::fancy_regex()
        .backtrack_limit(BACKTRACKS as usize)
        .size_limit(COMPILED_BYTES)
        .dfa_size_limit(CACHE_BYTES);
    jsonschema::options().should_validate_formats(true).with_pattern_options(patterns)
}
