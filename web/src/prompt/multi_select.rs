//! Any number of the options, as checkboxes.

use super::{Prompt, choices::Field};
use crate::ui::Ui;
use ask_user_core::{Action, Asking, Choices, Content, Given};
use serde_json::Value;

pub fn view(ui: Ui, asking: &Asking, choices: &Choices) -> Prompt {
    let draft = asking.draft.as_ref().and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    // A text beside the options is the last of the list, and none of them.
    let draft: Vec<usize> = draft.iter().filter_map(|value| choices.place(value)).collect();
    let (rows, body) = Field::new(ui, asking, choices, "checkbox", &draft);
    let keys = rows.keys(false);
    let optional = asking.question.optional;
    let read = move || match rows.read(false) {
        // Where the question may be left empty, nothing chosen leaves it so.
        Action::Answer(Given { content: Content::Value(Value::Array(chosen)), .. })
            if optional && chosen.is_empty() =>
        {
            Action::answer(Value::Null)
        }
        action => action,
    };
    Prompt::read(body, keys, read)
}
