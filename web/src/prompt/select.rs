//! One of the options, as radios.

use super::{Prompt, choices::Rows};
use crate::{ui::Ui, words};
use ask_user_core::{Asking, Choices};

pub fn view(ui: Ui, asking: &Asking<'_>, choices: &Choices) -> Prompt {
    let is_other = asking.restored.is_some_and(|answer| answer.other().is_some());
    let draft = asking.draft.filter(|_| !is_other).and_then(|draft| choices.place(draft));
    let draft: Vec<usize> = draft.into_iter().collect();
    let (rows, body) = Rows::new(ui, asking, choices, "radio", &draft);
    Prompt { body, read: Some(Box::new(move || rows.read(true))), hint: words::KEYS_CHOICE, described: false }
}
