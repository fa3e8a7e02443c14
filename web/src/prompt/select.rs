//! One of the options, as radios.

use super::{
    Prompt,
    choices::{Rows, chosen},
};
use crate::{ui::Ui, words};
use ask_user_core::{Action, Asking, Choices};

pub fn view(ui: Ui, asking: &Asking<'_>, choices: &Choices) -> Prompt {
    let draft: Vec<usize> = asking.draft.and_then(|draft| choices.place(draft)).into_iter().collect();
    let Rows { body, controls } = Rows::new(ui, choices, "radio", &draft);
    let read = move || Action::answer(chosen(&controls).pop().unwrap_or_default());
    Prompt { body, read: Some(Box::new(read)), hint: words::KEYS_CHOICE, described: false }
}
