//! A number, typed as text: a number field would drop what it cannot read instead of saying so.

use super::{Prompt, field, typed};
use crate::{ui::Ui, words};
use ask_user_core::Asking;

pub fn view(ui: Ui, asking: &Asking) -> Prompt {
    let exact = asking.draft_text.clone();
    let draft = exact.or_else(|| asking.draft.as_ref().map(ask_user_core::json::text)).unwrap_or_default();
    let field = field(ui, "input", words::ANSWER).attr("type", "text").attr("inputmode", "decimal");
    typed(ui, asking, field, &draft)
}
