//! Yes or no, as two buttons that answer at once. Where the answer can be remembered, a checkbox says so, unchecked.

use super::Prompt;
use crate::{
    element::{self, el},
    language::Word,
    ui::Ui,
    words,
};
use ask_user_core::{Action, Asking, Given};
use serde_json::Value;
use wasm_bindgen::JsCast;
use web_sys::HtmlInputElement;

pub fn view(ui: Ui, asking: &Asking) -> Prompt {
    let draft = asking.draft.as_ref().and_then(Value::as_bool);
    let remember = asking.remember.then(|| el("input").attr("type", "checkbox").attr("part", "checkbox"));
    let remember = remember.map(|control| control.attr("data-remember", ""));
    let control = remember.as_ref().and_then(|control| control.node().dyn_into::<HtmlInputElement>().ok());
    let button = |name: &str, word: Word, key: &str, value: bool| {
        let suggested = draft == Some(value);
        let button =
            element::button(word).attr("data-answer", name).child(el("kbd").attr("aria-hidden", "true").text(key));
        // What is marked so gets the focus, and Enter takes it. An answer that cannot be taken back must not be marked.
        let button =
            button.attr_if(suggested, "data-suggested", "").attr_if(suggested, "aria-describedby", "suggestion");
        let control = control.clone();
        button.on_click(move || {
            let remember = control.as_ref().is_some_and(HtmlInputElement::checked);
            ui.act(Action::Answer(Given { remember, ..Given::from(Value::Bool(value)) }));
        })
    };
    let pair = el("div").attr("class", "pair");
    let pair = pair.child(button("yes", words::YES, "Y", true)).child(button("no", words::NO, "N", false));
    let remember = remember.map(|control| el("label").attr("class", "check").child(control).say(words::REMEMBER));
    let suggestion = draft.map(|draft| {
        let answer = if draft { words::YES } else { words::NO };
        let by = if asking.draft_answered { words::YOUR_EARLIER_ANSWER } else { words::SUGGESTED };
        let shown = el("p").attr("id", "suggestion").attr("class", "hint");
        shown.say_value(&by.with(&[("answer", &answer.alone())]))
    });
    let body = el("div").attr("class", "field").children(suggestion).child(pair).children(remember);
    let keys = if asking.remember { words::KEYS_BOOLEAN_REMEMBER } else { words::KEYS_BOOLEAN };
    Prompt { described: draft.is_some(), ..Prompt::answering(body, keys) }
}
