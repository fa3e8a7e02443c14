//! Free text, in an area that grows with it.

use super::{Prompt, field, typed};
use crate::{ui::Ui, words};
use ask_user_core::Asking;
use serde_json::Value;

pub fn view(ui: Ui, asking: &Asking<'_>) -> Prompt {
    let draft = asking.draft.and_then(Value::as_str).unwrap_or_default();
    typed(ui, asking, field(ui, "textarea", words::ANSWER).attr("rows", "2").attr("dir", "auto"), draft)
}
