//! A number, typed as text: a number field would drop what it cannot read instead of saying so. Arrow keys count whole numbers up and down.

use super::{Prompt, field, typed};
use crate::{
    dom::{Event, HtmlElement, JsCast, KeyboardEvent, property, set_property},
    element::{tell_input, text_in},
    ui::Ui,
    words,
};
use ask_user_core::{Asking, NumberRules};

pub fn view(ui: Ui, asking: &Asking, rules: &NumberRules) -> Prompt {
    let exact = asking.draft_text.clone();
    let draft = exact.or_else(|| asking.draft.as_ref().map(ask_user_core::json::text)).unwrap_or_default();
    let field = field(ui, "input", words::ANSWER).attr("type", "text").attr("inputmode", "decimal");
    let (node, rules) = (field.node(), rules.clone());
    let field = field.on("keydown", move |event| count(&event, &node, &rules));
    Prompt { keys: words::KEYS_NUMBER, ..typed(ui, asking, field, &draft) }
}

/// Counts by one where an arrow key asks for it, within the limits. A text that is no whole number stays as it is.
fn count(event: &Event, field: &HtmlElement, rules: &NumberRules) {
    let key: &KeyboardEvent = event.unchecked_ref();
    let by = match key.key().as_str() {
        "ArrowUp" => 1,
        "ArrowDown" => -1,
        _ => return,
    };
    if key.ctrl_key() || key.alt_key() || key.meta_key() || key.shift_key() || property(field, "readOnly").is_truthy() {
        return;
    }
    let limit = |limit: &Option<serde_json::Number>| limit.as_ref().and_then(serde_json::Number::as_i64);
    let (least, most) = (limit(&rules.minimum), limit(&rules.maximum));
    let text = text_in(field);
    let next = match text.as_str() {
        "" => Some(least.unwrap_or_default()),
        text => text.parse::<i64>().ok().and_then(|number| number.checked_add(by)),
    };
    let Some(next) =
        next.filter(|next| least.is_none_or(|least| *next >= least) && most.is_none_or(|most| *next <= most))
    else {
        return;
    };
    event.prevent_default();
    set_property(field, "value", next.to_string());
    tell_input(field);
}
