//! One of the options, as radios.

use super::{Prompt, choices::row, invalid};
use crate::{ui::Ui, words};
use ask_user_core::{Action, Asking, Choices};
use leptos::{ev, html, prelude::*};
use serde_json::Value;

pub fn view(ui: Ui, asking: &Asking<'_>, choices: &Choices) -> Prompt {
    let draft = asking.draft.and_then(|draft| choices.place(draft));
    let chosen = StoredValue::new(draft);
    let rows = choices.as_slice().iter().enumerate().map(|(place, choice)| {
        let radio = html::input()
            .id(format!("option-{place}"))
            .attr("type", "radio")
            .attr("name", "option")
            .attr("part", "radio")
            .attr("data-option", choice.value.to_string())
            .attr("data-field", (place == draft.unwrap_or(0)).then_some(""))
            .attr("aria-invalid", invalid(ui))
            .attr("aria-describedby", format!("described-{place} error"))
            .prop("checked", draft == Some(place))
            .on(ev::change, move |_| chosen.set_value(Some(place)));
        row(place, choice, radio.into_any())
    });
    let body = html::div().class("options").child(rows.collect::<Vec<_>>());
    let values: Vec<Value> = choices.as_slice().iter().map(|choice| choice.value.clone()).collect();
    let read = move || {
        let value = chosen.get_value().and_then(|place| values.get(place)).cloned();
        Action::answer(value.unwrap_or_default())
    };
    Prompt { body: body.into_any(), read: Some(Box::new(read)), hint: words::KEYS_CHOICE, described: false }
}
