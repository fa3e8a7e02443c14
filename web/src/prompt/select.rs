//! One of the options, as radios.

use super::{Prompt, choices::Field};
use crate::ui::Ui;
use ask_user_core::{Asking, Choices};

pub fn view(ui: Ui, asking: &Asking, choices: &Choices) -> Prompt {
    let draft = asking.draft.as_ref().filter(|_| !asking.draft_other).and_then(|draft| choices.place(draft));
    let draft: Vec<usize> = draft.into_iter().collect();
    let (rows, body) = Field::new(ui, asking, choices, "radio", &draft);
    let keys = rows.keys(true);
    Prompt::read(body, keys, move || rows.read(true))
}
