//! Short notices that stand in place of a step or a field.

use crate::{
    element::{El, button, el},
    ui::{Again, Loading, Ui},
    words,
};
use reactive_graph::traits::{Get, Set};

/// Something that the person should know at once.
pub fn alert(text: &str) -> El {
    el("p").named("notice", "notice").attr("role", "alert").text(text)
}

/// What stands where the schemas are needed and not there yet.
pub fn loading(ui: Ui, text: &'static str) -> El {
    el("div").attr("class", "notice").attr("role", "status").changing(move || {
        Some(match ui.loading.get() {
            Loading::Running => el("p").text(text),
            Loading::Failed => el("p").text(words::LOADING_FAILED).text(" ").child(again(ui, Again::Schemas)),
        })
    })
}

/// A button that tries something again.
pub fn again(ui: Ui, what: Again) -> El {
    button(words::TRY_AGAIN).attr("data-again", "").on_click(move || {
        if let Again::Schemas = what {
            ui.loading.set(Loading::Running);
        }
        ui.try_again(what);
        // The button is gone.
        ui.focus(&[".delivering:has([data-delivery])", "[data-question-text]"]);
    })
}
