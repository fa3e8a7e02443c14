//! Any number of the options, as checkboxes.

use super::{Prompt, choices::Field, empty};
use crate::ui::Ui;
use ask_user_core::{Asking, Choices};
use serde_json::Value;
use std::rc::Rc;

pub fn view(ui: Ui, asking: &Asking, choices: &Choices) -> Prompt {
    let draft = asking.draft.as_ref().and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    // A text beside the options is the last of the list, and none of them.
    let draft: Vec<usize> = draft.iter().filter_map(|value| choices.place(value)).collect();
    let (rows, body) = Field::new(ui, asking, choices, "checkbox", &draft);
    let keys = rows.keys(false);
    let [rows, filled, cleared] = [(); 3].map({
        let rows = Rc::new(rows);
        move |()| Rc::clone(&rows)
    });
    let prompt = Prompt::read(body, keys, move || rows.read(false));
    empty::below(ui, asking, prompt, move || filled.is_any_chosen(), move || cleared.choose_none())
}
