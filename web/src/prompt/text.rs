//! Free text, in an area that grows with it.

use super::{Prompt, invalid};
use crate::{ui::Ui, words};
use ask_user_core::{Action, Asking};
use leptos::{html, prelude::*};
use serde_json::Value;

pub fn view(ui: Ui, asking: &Asking<'_>) -> Prompt {
    let area = NodeRef::<html::Textarea>::new();
    let body = html::textarea()
        .attr("part", "input")
        .attr("rows", "2")
        .attr("dir", "auto")
        .attr("data-field", "")
        .attr("aria-label", words::ANSWER)
        .attr("aria-describedby", "context error")
        .attr("aria-invalid", invalid(ui))
        .prop("value", asking.draft.and_then(Value::as_str).unwrap_or_default().to_owned())
        .node_ref(area);
    let read = move || Action::Typed(area.get_untracked().map(|area| area.value()).unwrap_or_default());
    Prompt { body: body.into_any(), read: Some(Box::new(read)), hint: words::KEYS_TEXT, described: false }
}
