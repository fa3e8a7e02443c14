//! Any number of the options, as checkboxes.

use super::{
    Prompt,
    choices::{Rows, chosen},
};
use crate::{ui::Ui, words};
use ask_user_core::{Action, Asking, Choices};
use serde_json::Value;

pub fn view(ui: Ui, asking: &Asking<'_>, choices: &Choices) -> Prompt {
    let draft = asking.draft.and_then(Value::as_array).into_iter().flatten();
    let draft: Vec<usize> = draft.filter_map(|value| choices.place(value)).collect();
    let Rows { body, controls } = Rows::new(ui, choices, "checkbox", &draft);
    let read = move || Action::answer(chosen(&controls));
    Prompt { body, read: Some(Box::new(read)), hint: words::KEYS_CHOICE, described: false }
}
