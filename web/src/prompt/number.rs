//! A number, typed as text: a number field would drop what it cannot read instead of saying so.

use super::{Prompt, field, typed};
use crate::{ui::Ui, words};
use ask_user_core::{Answer, Asking};
use serde_json::Value;

pub fn view(ui: Ui, asking: &Asking<'_>) -> Prompt {
    let restored = asking.restored.and_then(Answer::text);
    let draft = restored.or_else(|| asking.draft.map(Value::to_string)).unwrap_or_default();
    let field = field(ui, "input", words::ANSWER).attr("type", "text").attr("inputmode", "decimal");
    typed(ui, asking, field, &draft)
}
