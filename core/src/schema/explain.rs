//! Lists what is wrong with a value that its schema refuses.

use super::{
    bounds::Purpose,
    compiled::Compiled,
    sentence::{keyword, path, sentence},
};
use crate::{
    budget::{Budget, Exhausted},
    json::{ToJson, text},
    problem::Violation,
};
use jsonschema::ValidationError;
use serde_json::Value;

/// The most violations that are listed for one value, and their most bytes as JSON.
const VIOLATIONS: usize = 100;
pub(super) const VIOLATIONS_BYTES: usize = 48_000;

/// The violations of a value that was refused.
pub(super) fn violations(compiled: &Compiled, value: &Value, budget: &mut Budget) -> Vec<Violation> {
    let mut left = VIOLATIONS_BYTES;
    let listed: Vec<_> = errors(compiled, value, budget)
        .iter()
        .map(violation)
        .take_while(|violation| fits(violation, &mut left))
        .collect();
    if listed.is_empty() { vec![unlisted()] } else { listed }
}

/// Whether there is room for a violation in a list. Takes the room.
pub(super) fn fits(violation: &Violation, left: &mut usize) -> bool {
    left.checked_sub(text(&violation.to_json()).len()).map(|rest| *left = rest).is_some()
}

/// The errors of a value that was refused, at most 100. None if listing them would take too much work.
pub(super) fn errors<'v>(compiled: &'v Compiled, value: &'v Value, budget: &mut Budget) -> Vec<ValidationError<'v>> {
    // The value is refused in any case. Listing the reasons takes at most half of the rest, so that other values can still be checked.
    let half = budget.left() / 2;
    let mut listing = Budget::new(half);
    let listed = compiled.plan.charge(value, Purpose::Explain, &mut listing);
    let spent = half.saturating_sub(listing.left());
    // This cannot fail: the listing spent at most half of the rest.
    let _ = budget.charge(spent);
    match listed {
        Ok(()) => compiled.validator.iter_errors(value).take(VIOLATIONS).collect(),
        Err(Exhausted) => vec![],
    }
}

/// The only violation of the list where listing all of them would take too much work.
pub(super) fn unlisted() -> Violation {
    Violation {
        instance_path: String::new(),
        schema_path: String::new(),
        keyword: String::new(),
        message: "The value does not fit the schema. Listing every reason would take too much work.".into(),
    }
}

/// An error in words.
pub(super) fn violation(error: &ValidationError<'_>) -> Violation {
    Violation {
        instance_path: path(error.instance_path().as_str()),
        schema_path: path(error.schema_path().as_str()),
        keyword: keyword(error),
        message: sentence(error),
    }
}
