//! A secret, in a password field: never echoed, never pre-filled, not offered to the browser's memory. Browsers fill the site's saved login into a field with
//! `autocomplete="off"`, and into none for a new password (HTML, section 4.10.18.7). Password managers have marks of their own.

use super::{Prompt, field, prompt, with_placeholder};
use crate::{ui::Ui, words};
use ask_user_core::Asking;

/// By what 1Password, Bitwarden, LastPass and Dashlane know a field that is none of theirs.
const IGNORED: [(&str, &str); 4] =
    [("data-1p-ignore", ""), ("data-bwignore", ""), ("data-lpignore", "true"), ("data-form-type", "other")];

pub fn view(ui: Ui, asking: &Asking) -> Prompt {
    let field = field(ui, "input", words::ANSWER).attr("type", "password").attr("autocomplete", "new-password");
    let field = IGNORED.iter().fold(field, |field, (name, value)| field.attr(name, value));
    let field = with_placeholder(field, asking);
    let node = field.node();
    prompt(field, node)
}
