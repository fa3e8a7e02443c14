//! Yes or no, as two buttons that answer at once. Where the answer can be remembered, a checkbox says so, unchecked.

use super::{Prompt, choices::chosen_key, clear, invalid};
use crate::{
    dom::{HtmlInputElement, JsCast},
    element::{self, El, el, tell_input},
    language::Word,
    rows::{check, is_chosen},
    ui::Ui,
    words,
};
use ask_user_core::{Action, Asking, Given};
use serde_json::Value;

pub fn view(ui: Ui, asking: &Asking) -> Prompt {
    let draft = asking.draft.as_ref().and_then(Value::as_bool);
    let remember = asking.remember.then(|| el("input").attr("type", "checkbox").attr("part", "checkbox"));
    let remember = remember.map(|control| remembered(ui, asking, control));
    let control = remember.as_ref().and_then(|control| control.node().dyn_into::<HtmlInputElement>().ok());
    let suggestion = draft.map(|draft| {
        let answer = if draft { words::YES } else { words::NO };
        let by = match &asking.advice {
            _ if asking.draft_answered => words::YOUR_EARLIER_ANSWER,
            // Beside the advice of an assistant, it is said whose it is.
            Some(_) => words::SUGGESTED_BY_AGENT,
            None => words::SUGGESTED,
        };
        let shown = el("p").attr("id", &ui.id("suggestion")).attr("class", "hint");
        shown.say_value(&by.with(&[("answer", &answer.alone())]))
    });
    let remember_label = |control: El| el("label").attr("class", "check").child(control).say(words::REMEMBER);
    if ui.scope != 0 {
        let selected = draft.filter(|_| is_servers_default(ui, asking));
        let (radios, read) = radios(ui, asking, control, selected);
        let suggestion = suggestion.filter(|_| selected.is_none());
        let described = suggestion.is_some();
        let body = el("div").attr("class", "field").children(suggestion).child(radios);
        let body = body.children(remember.map(remember_label));
        return Prompt { described, ..Prompt::read(body, &[], read) };
    }
    let button = |name: &str, word: Word, key: Word, value: bool| {
        // What cannot be undone is not what Enter takes.
        let danger = value && asking.question.danger;
        let suggested = draft == Some(value) && !danger;
        let button = element::button(word).attr("data-answer", name).attr_said("data-key", key);
        let button = button.child(el("kbd").attr("aria-hidden", "true").say(key));
        // What is marked so gets the focus, and Enter takes it.
        let button =
            button.attr_if(suggested, "data-suggested", "").attr_if(suggested, "aria-describedby", "suggestion");
        let button = button.attr_if(danger, "data-danger", "").attr_if(danger, "aria-describedby", "danger");
        let control = control.clone();
        button.on_click(move || {
            let remember = control.as_ref().is_some_and(HtmlInputElement::checked);
            ui.act(Action::Answer(Given { remember, ..Given::from(Value::Bool(value)) }));
        })
    };
    let pair = el("div").attr("class", "pair");
    let pair = pair.child(button("yes", words::YES, words::KEY_YES, true)).child(button(
        "no",
        words::NO,
        words::KEY_NO,
        false,
    ));
    let remember = remember.map(remember_label);
    let body = el("div").attr("class", "field").children(suggestion).child(pair).children(remember);
    let keys = if asking.remember { words::KEYS_BOOLEAN_REMEMBER } else { words::KEYS_BOOLEAN };
    Prompt { described: draft.is_some(), ..Prompt::answering(body, keys) }
}

/// The checkbox that has an answer remembered. It is kept with what is typed.
fn remembered(ui: Ui, asking: &Asking, control: El) -> El {
    let key = format!("{}.remember", asking.question.id);
    let control =
        control.attr("data-remember", "").prop("checked", ui.typed(&key).is_some_and(|kept| !kept.is_empty()));
    let node = control.node();
    control.on("change", move |_| ui.keep_typed(&key, if is_chosen(&node) { "1".to_owned() } else { String::new() }))
}

/// Whether the draft is the default of a server's field, which a page shows selected and sends, like that of any other field. An agent's suggestion is not.
fn is_servers_default(ui: Ui, asking: &Asking) -> bool {
    let is_servers = ui.session(|session| session.walk().is_some_and(|walk| walk.form().names_asker()));
    is_servers && !asking.draft_answered && !asking.question.danger
}

/// Yes and no as radios, beside other questions of a page. At first `selected` is chosen: not what the agent suggests, and not what was said before.
fn radios(
    ui: Ui,
    asking: &Asking,
    remember: Option<HtmlInputElement>,
    selected: Option<bool>,
) -> (El, impl Fn() -> Action + 'static) {
    let key = chosen_key(asking);
    let selected = selected.map(|yes| if yes { "yes" } else { "no" }.to_owned());
    let before = ui.typed(&key).or(selected);
    let radio = |name: &'static str, word: Word| {
        let (id, key) = (ui.id(name), key.clone());
        let danger = asking.question.danger && name == "yes";
        let radio =
            el("input").attr("type", "radio").attr("part", "radio").attr("id", &id).attr("name", &ui.id("boolean"));
        let radio = radio.prop("checked", before.as_deref() == Some(name)).attr("aria-describedby", &ui.id("error"));
        let radio = radio.attr_from("aria-invalid", invalid(ui));
        let radio = radio.on("change", move |_| ui.keep_typed(&key, name.to_owned()));
        let node = radio.node();
        let row = el("div").named("option", "option").attr_if(danger, "data-danger", "");
        (node, row.child(radio).child(el("label").attr("for", &id).say(word)))
    };
    let ((yes, yes_row), (no, no_row)) = (radio("yes", words::YES), radio("no", words::NO));
    let controls = [yes.clone(), no.clone()];
    let cleared = key.clone();
    let clear = clear(ui, asking, move || {
        controls.iter().for_each(|control| check(control, false));
        ui.keep_typed(&cleared, String::new());
        tell_input(&controls[0]);
    });
    let was_answered = asking.draft_answered;
    let read = move || {
        let value = if is_chosen(&yes) {
            Value::Bool(true)
        } else if is_chosen(&no) {
            Value::Bool(false)
        } else if was_answered && ui.typed(&key).is_none() {
            // The earlier answer is shown and not selected. It is neither taken again nor dropped: the core refuses an empty text.
            Value::String(String::new())
        } else {
            Value::Null
        };
        let remember = remember.as_ref().is_some_and(HtmlInputElement::checked);
        Action::Answer(Given { remember, ..Given::from(value) })
    };
    let radios = el("div").attr("class", "buttons decisions").child(yes_row).child(no_row);
    (radios.children(clear), read)
}
