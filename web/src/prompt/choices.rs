//! What radios and checkboxes have in common: an option with its label, description and preview.

use crate::words;
use ask_user_core::Choice;
use leptos::{html, prelude::*};

/// A row for one option around its control, which must have the id `option-<place>`.
pub fn row(place: usize, choice: &Choice, control: AnyView) -> AnyView {
    let described = choice.description.as_ref().map(|text| {
        html::span().id(format!("described-{place}")).class("description").attr("dir", "auto").child(words::shown(text))
    });
    let preview = choice
        .preview
        .as_ref()
        .map(|text| html::pre().class("preview").attr("part", "preview").attr("dir", "auto").child(words::shown(text)));
    html::div()
        .class("option")
        .attr("part", "option")
        .child((
            control,
            html::label()
                .attr("for", format!("option-{place}"))
                .child((html::span().class("name").attr("dir", "auto").child(words::shown(&choice.label)), described)),
            preview,
        ))
        .into_any()
}
