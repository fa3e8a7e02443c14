//! Yes or no, as buttons that answer at once; where it can be remembered, both for the rest of the turn as well.

use super::Prompt;
use crate::{
    element::{self, El, el},
    ui::Ui,
    words,
};
use ask_user_core::{Action, Asking, Given};
use serde_json::Value;

pub fn view(ui: Ui, asking: &Asking) -> Prompt {
    let draft = asking.draft.as_ref().and_then(Value::as_bool);
    let button = |name: &str, text: &str, value: bool, remember: bool| {
        let pressed = if draft == Some(value) && !remember { "true" } else { "false" };
        let button = element::button(text).attr("data-answer", name).attr("aria-pressed", pressed);
        button.on_click(move || ui.act(Action::Answer(Given { remember, ..Given::from(Value::Bool(value)) })))
    };
    let buttons = |pair: [El; 2]| el("div").attr("class", "buttons").children(pair);
    let plain = buttons([button("yes", words::YES, true, false), button("no", words::NO, false, false)]);
    let remember = asking.remember.then(|| {
        let yes = button("yes-remember", words::YES_REMEMBER, true, true);
        buttons([yes, button("no-remember", words::NO_REMEMBER, false, true)])
    });
    let suggestion = draft.map(|draft| {
        let answer = if draft { words::YES } else { words::NO };
        el("p").attr("id", "suggestion").attr("class", "hint").text(&words::suggested(answer))
    });
    let body = el("div").attr("class", "field").child(plain).children(remember).children(suggestion);
    let hint = if asking.remember { words::KEYS_BOOLEAN_REMEMBER } else { words::KEYS_BOOLEAN };
    Prompt { body, read: None, hint, described: draft.is_some() }
}
