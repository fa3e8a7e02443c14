//! Goes to a place in the value by its pointer, one level after the other.

use super::{field::Kind, level::Place, memo::Context};
use crate::budget::Exhausted;
use serde_json::Value;

/// The cost of a byte of a pointer.
const BYTE: u64 = 4;

/// The place that a pointer leads to, whether or not there is a value.
pub fn locate<'a>(
    pointer: &str,
    value: Option<&'a Value>,
    context: &mut Context<'a, '_>,
) -> Result<Option<Place<'a>>, Exhausted> {
    context.budget.charge((pointer.len() as u64).saturating_mul(BYTE))?;
    let Some(mut place) = Place::root(value, context)? else { return Ok(None) };
    for step in pointer.split('/').skip(1) {
        let is_array = match place.value {
            Some(Value::Array(_)) => true,
            Some(_) => false,
            None => matches!(place.shape(context)?.kind, Kind::Array | Kind::Choices),
        };
        let count = place.value.and_then(Value::as_array).map_or(0, Vec::len);
        let index = if step == "-" { Some(count) } else { step.parse().ok() };
        place = match index.filter(|_| is_array) {
            Some(index) => place.item(index, context)?,
            None => {
                let name = step.replace("~1", "/").replace("~0", "~");
                let required = place.required(context)?.contains(&*name);
                place.member(name.into(), required, context)?
            }
        };
    }
    Ok(Some(place))
}
