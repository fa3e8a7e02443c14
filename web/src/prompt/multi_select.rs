//! Any number of the options, as checkboxes.

use super::{Prompt, choices::row, invalid};
use crate::{ui::Ui, words};
use ask_user_core::{Action, Asking, Choices};
use leptos::{ev, html, prelude::*};
use serde_json::Value;

pub fn view(ui: Ui, asking: &Asking<'_>, choices: &Choices) -> Prompt {
    let mut draft = vec![false; choices.as_slice().len()];
    for value in asking.draft.and_then(Value::as_array).into_iter().flatten() {
        if let Some(mark) = choices.place(value).and_then(|place| draft.get_mut(place)) {
            *mark = true;
        }
    }
    let chosen = StoredValue::new(draft.clone());
    let toggle = move |place: usize| {
        chosen.update_value(|chosen| {
            if let Some(mark) = chosen.get_mut(place) {
                *mark = !*mark;
            }
        });
    };
    let rows = choices.as_slice().iter().zip(draft).enumerate().map(|(place, (choice, checked))| {
        let checkbox = html::input()
            .id(format!("option-{place}"))
            .attr("type", "checkbox")
            .attr("part", "checkbox")
            .attr("data-option", choice.value.to_string())
            .attr("data-field", (place == 0).then_some(""))
            .attr("aria-invalid", invalid(ui))
            .attr("aria-describedby", format!("described-{place} error"))
            .prop("checked", checked)
            .on(ev::change, move |_| toggle(place));
        row(place, choice, checkbox.into_any())
    });
    let body = html::div().class("options").child(rows.collect::<Vec<_>>());
    let values: Vec<Value> = choices.as_slice().iter().map(|choice| choice.value.clone()).collect();
    let read = move || {
        let marks = chosen.get_value();
        let chosen: Vec<Value> =
            values.iter().zip(marks).filter(|(_, mark)| *mark).map(|(value, _)| value.clone()).collect();
        Action::answer(chosen)
    };
    Prompt { body: body.into_any(), read: Some(Box::new(read)), hint: words::KEYS_CHOICE, described: false }
}
