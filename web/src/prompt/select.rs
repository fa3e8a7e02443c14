//! One of the options, as radios.

use super::{Prompt, choices::Field, clear};
use crate::{element::el, ui::Ui};
use ask_user_core::{Asking, Choices};
use std::rc::Rc;

pub fn view(ui: Ui, asking: &Asking, choices: &Choices) -> Prompt {
    let draft = asking.draft.as_ref().filter(|_| !asking.draft_other).and_then(|draft| choices.place(draft));
    let draft: Vec<usize> = draft.into_iter().collect();
    let (rows, body) = Field::new(ui, asking, choices, "radio", &draft);
    let keys = rows.keys(true);
    let rows = Rc::new(rows);
    let clears = Rc::clone(&rows);
    let body = match clear(ui, asking, move || clears.clear()) {
        Some(clear) => el("div").attr("class", "field").child(body).child(clear),
        None => body,
    };
    Prompt::read(body, keys, move || rows.read(true))
}
