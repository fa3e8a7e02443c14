//! A JSON value that a schema accepts, typed as text. It starts from the draft, or from a template of the schema.

use super::{Prompt, invalid};
use crate::{frame, ui::Ui, words};
use ask_user_core::{Action, Asking, schema::Schema};
use leptos::{html, prelude::*};

pub fn view(ui: Ui, asking: &Asking<'_>, schema: &Schema) -> Prompt {
    let Some(compiled) = schema.compiled() else {
        let body = frame::loading(ui, words::LOADING);
        return Prompt { body, read: None, hint: words::KEYS_TEXT, described: false };
    };
    let start = asking.draft.cloned().unwrap_or_else(|| compiled.template());
    let area = NodeRef::<html::Textarea>::new();
    let body = html::textarea()
        .class("json")
        .attr("part", "input editor")
        .attr("rows", "8")
        .attr("dir", "ltr")
        .attr("spellcheck", "false")
        .attr("autocapitalize", "off")
        .attr("data-field", "")
        .attr("data-drafted", asking.draft.map(|_| ""))
        .attr("aria-label", words::JSON_ANSWER)
        .attr("aria-describedby", "context error")
        .attr("aria-invalid", invalid(ui))
        .prop("value", serde_json::to_string_pretty(&start).unwrap_or_default())
        .node_ref(area);
    let read = move || Action::Typed(area.get_untracked().map(|area| area.value()).unwrap_or_default());
    Prompt { body: body.into_any(), read: Some(Box::new(read)), hint: words::KEYS_TEXT, described: false }
}
