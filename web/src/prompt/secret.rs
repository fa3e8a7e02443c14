//! A secret, in a password field: never echoed, never pre-filled, not offered to the browser's memory.

use super::{Prompt, field, prompt, with_placeholder};
use crate::{ui::Ui, words};
use ask_user_core::Asking;

pub fn view(ui: Ui, asking: &Asking) -> Prompt {
    let field = field(ui, "input", words::ANSWER).attr("type", "password").attr("autocomplete", "off");
    let field = with_placeholder(field, asking);
    let node = field.node();
    prompt(field, node)
}
