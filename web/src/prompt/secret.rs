//! A secret, in a password field: never echoed, never pre-filled, not offered to the browser's memory.

use super::{Prompt, invalid};
use crate::{ui::Ui, words};
use ask_user_core::{Action, Asking};
use leptos::{html, prelude::*};

pub fn view(ui: Ui, _asking: &Asking<'_>) -> Prompt {
    let input = NodeRef::<html::Input>::new();
    let body = html::input()
        .attr("type", "password")
        .attr("autocomplete", "off")
        .attr("part", "input")
        .attr("data-field", "")
        .attr("aria-label", words::ANSWER)
        .attr("aria-describedby", "context error")
        .attr("aria-invalid", invalid(ui))
        .node_ref(input);
    let read = move || Action::Typed(input.get_untracked().map(|input| input.value()).unwrap_or_default());
    Prompt { body: body.into_any(), read: Some(Box::new(read)), hint: words::KEYS_TEXT, described: false }
}
