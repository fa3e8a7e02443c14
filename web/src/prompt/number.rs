//! A number, typed as text: a number field would drop what it cannot read instead of saying so.

use super::{Prompt, invalid};
use crate::{ui::Ui, words};
use ask_user_core::{Action, Asking};
use leptos::{html, prelude::*};
use serde_json::Value;

pub fn view(ui: Ui, asking: &Asking<'_>) -> Prompt {
    let input = NodeRef::<html::Input>::new();
    let body = html::input()
        .attr("type", "text")
        .attr("inputmode", "decimal")
        .attr("part", "input")
        .attr("data-field", "")
        .attr("aria-label", words::ANSWER)
        .attr("aria-describedby", "context error")
        .attr("aria-invalid", invalid(ui))
        .prop("value", asking.draft.map(Value::to_string).unwrap_or_default())
        .node_ref(input);
    let read = move || Action::Typed(input.get_untracked().map(|input| input.value()).unwrap_or_default());
    Prompt { body: body.into_any(), read: Some(Box::new(read)), hint: words::KEYS_TEXT, described: false }
}
