//! Yes or no, as buttons that answer at once; where it can be remembered, both for the rest of the turn as well.

use super::Prompt;
use crate::{ui::Ui, words};
use ask_user_core::{Action, Asking};
use leptos::{ev, html, prelude::*};
use serde_json::Value;

pub fn view(ui: Ui, asking: &Asking<'_>) -> Prompt {
    let draft = asking.draft.and_then(Value::as_bool);
    let button = move |name: &'static str, text: &'static str, value: bool, remember: bool| {
        let pressed = if draft == Some(value) && !remember { "true" } else { "false" };
        html::button()
            .attr("type", "button")
            .attr("part", "button")
            .attr("data-answer", name)
            .attr("aria-pressed", pressed)
            .on(ev::click, move |_| ui.act(Action::Answer { value: value.into(), remember }))
            .child(text)
    };
    let remember = asking.remember.then(|| {
        html::div().class("buttons").child((
            button("yes-remember", words::YES_REMEMBER, true, true),
            button("no-remember", words::NO_REMEMBER, false, true),
        ))
    });
    let suggestion = draft.map(|draft| {
        let answer = if draft { words::YES } else { words::NO };
        html::p().id("suggestion").class("hint").child(words::suggested(answer))
    });
    let body = (
        html::div()
            .class("buttons")
            .child((button("yes", words::YES, true, false), button("no", words::NO, false, false))),
        remember,
        suggestion,
    );
    let hint = if asking.remember { words::KEYS_BOOLEAN_REMEMBER } else { words::KEYS_BOOLEAN };
    Prompt { body: body.into_any(), read: None, hint, described: draft.is_some() }
}
