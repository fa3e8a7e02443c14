//! What radios and checkboxes have in common: a row for each option, with its label, description and preview.

use super::invalid;
use crate::{
    element::{El, el},
    ui::Ui,
    words,
};
use ask_user_core::{Choice, Choices};
use serde_json::Value;
use web_sys::HtmlElement;

/// The controls of the options, and the element around them.
pub struct Rows {
    /// All rows.
    pub body: El,
    /// The control of each option, in their order.
    pub controls: Vec<(HtmlElement, Value)>,
}

impl Rows {
    /// The rows of all options: `kind` is `radio` or `checkbox`, `checked` has the places of those that are
    /// chosen at first.
    pub fn new(ui: Ui, choices: &Choices, kind: &str, checked: &[usize]) -> Self {
        let mut rows = Self { body: el("div").attr("class", "options"), controls: Vec::new() };
        let first = checked.first().copied().unwrap_or(0);
        let mut marks = vec![false; choices.as_slice().len()];
        for place in checked {
            if let Some(mark) = marks.get_mut(*place) {
                *mark = true;
            }
        }
        for (place, (choice, checked)) in choices.as_slice().iter().zip(marks).enumerate() {
            let described =
                if choice.description.is_some() { format!("described-{place} error") } else { "error".into() };
            let control = el("input")
                .attr("id", &format!("option-{place}"))
                .attr("type", kind)
                .attr("name", "option")
                .attr("part", kind)
                .attr("data-option", &choice.value.to_string())
                .attr("aria-describedby", &described)
                .prop("checked", checked);
            // One control stands for all: it gets the focus after a refusal.
            let control = if place == first {
                control.attr("data-field", "").attr_from("aria-invalid", invalid(ui))
            } else {
                control
            };
            rows.controls.push((control.node(), choice.value.clone()));
            rows.body = rows.body.child(row(place, choice, control));
        }
        rows
    }
}

/// The values of the options that are chosen, in their order.
pub fn chosen(controls: &[(HtmlElement, Value)]) -> Vec<Value> {
    let is_chosen = |control: &HtmlElement| super::property(control, "checked").is_truthy();
    controls.iter().filter(|(control, _)| is_chosen(control)).map(|(_, value)| value.clone()).collect()
}

fn row(place: usize, choice: &Choice, control: El) -> El {
    let described = choice.description.as_ref().map(|text| {
        let described = el("span").attr("id", &format!("described-{place}")).attr("class", "description");
        described.attr("dir", "auto").text(&words::shown(text))
    });
    let preview = choice
        .preview
        .as_ref()
        .map(|text| el("pre").named("preview", "preview").attr("dir", "auto").text(&words::shown(text)));
    let name = el("span").attr("class", "name").attr("dir", "auto").text(&words::shown(&choice.label));
    let label = el("label").attr("for", &format!("option-{place}")).child(name).children(described);
    el("div").named("option", "option").child(control).child(label).children(preview)
}
