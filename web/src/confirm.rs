//! Asks once more, on the same step, before an answer that cannot be undone is given. It stands below the actions, away from what led to it; the focus
//! is on "Cancel", so that the key that led here does not lead on. No key confirms by itself.

use crate::{
    actions::cancel,
    element::{El, button, el},
    receipt,
    ui::{Panel, Ui},
    words,
};

/// The question whether the answer is meant, while it is open.
pub fn view(ui: Ui) -> Option<El> {
    if ui.panel() != Panel::Confirm {
        return None;
    }
    let rows = ui.to_confirm();
    let rows = rows.iter().map(|(question, taken)| receipt::row(question, taken, None));
    let confirm = button(words::CONFIRM).named("primary danger", "button primary").attr("data-confirm", "");
    let confirm = confirm.attr("aria-describedby", "confirm").on_click(move || ui.confirm());
    Some(
        el("div")
            .named("reply danger", "reply")
            .attr("data-confirming", "")
            .attr("role", "group")
            .attr("aria-labelledby", "ask-confirm")
            .child(el("p").attr("id", "ask-confirm").attr("class", "warned").say(words::ASK_CONFIRM))
            .child(el("dl").attr("id", "confirm").children(rows))
            .child(el("div").attr("class", "buttons").child(confirm).child(cancel(ui, words::CANCEL))),
    )
}
