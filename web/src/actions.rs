//! The row of actions below every step: the primary one, Back, and beside them Reply and End turn; the panels that these open; and the list of keys.

use crate::{
    element::{El, button, el, submit, text_in, typed_in},
    keyboard::close_panel,
    ui::{Panel, Ui},
    words,
};
use ask_user_core::Action;
use js_sys::Reflect;
use web_sys::Event;

/// The id of the form around a question, for its button that stands outside.
pub const FORM: &str = "question";

/// The actions of a step: `primary` ones first, then Back where it is offered, then Reply and End turn.
pub fn view(ui: Ui, primary: impl IntoIterator<Item = El>, back: bool) -> El {
    let way = |name: &str, text: &str| button(text).attr("data-way", name);
    let back = back.then(|| way("back", words::BACK).attr("class", "quiet").on_click(move || ui.act(Action::Back)));
    let opens = |name: &str, text: &str, panel: Panel, first: &'static [&'static str]| {
        way(name, text)
            .attr("class", "quiet")
            .attr_from("aria-expanded", move || if ui.panel() == panel { "true" } else { "false" })
            .on_click(move || ui.open(panel, first))
    };
    let reply = opens("reply", words::REPLY, Panel::Reply, &["#reply"]);
    let end_turn = opens("end-turn", words::END_TURN, Panel::EndTurn, &["[data-end-turn]"]);
    let keys = opens("keys", "?", Panel::Keys, &[]).named("quiet keys", "button keys").attr("aria-label", words::KEYS);
    let others = el("div").attr("class", "others").attr("role", "group").attr("aria-label", words::OTHER_WAYS);
    let others = others.child(reply).child(end_turn).child(keys);
    let row = el("div").named("actions", "actions").children(primary).children(back).child(others);
    el("div").attr("class", "ways").child(row).changing(move || match ui.panel() {
        Panel::Reply => Some(reply_panel(ui)),
        Panel::EndTurn => Some(end_turn_panel(ui)),
        Panel::None | Panel::Opened | Panel::Keys => None,
    })
}

/// The button that sends the form around the question.
pub fn send(text: &str) -> El {
    submit(text).attr("form", FORM)
}

fn reply_panel(ui: Ui) -> El {
    let area = el("textarea")
        .attr("id", "reply")
        .attr("part", "input")
        .attr("rows", "2")
        .attr("dir", "auto")
        .attr("aria-describedby", "reply-hint")
        .prop("value", ui.typed("").unwrap_or_default());
    let node = area.node();
    let kept = node.clone();
    let area = area.on("input", move |_| ui.keep_typed("", text_in(&kept)));
    let send = move |event: Event| {
        event.prevent_default();
        ui.act(Action::Reply(Some(typed_in(&node)).filter(|text| !text.is_empty())));
    };
    let submit = submit(words::SEND_REPLY).attr("data-send-reply", "");
    el("form")
        .named("reply", "reply")
        .child(el("label").attr("for", "reply").text(words::REPLY_LABEL))
        .child(area)
        .child(el("p").attr("id", "reply-hint").attr("class", "hint").text(words::REPLY_HINT))
        .child(el("div").attr("class", "buttons").child(submit).child(cancel(ui, words::CANCEL)))
        .on("submit", send)
}

/// Asks once more before the turn is ended.
fn end_turn_panel(ui: Ui) -> El {
    let end = button(words::END_TURN).named("primary", "button primary").attr("data-end-turn", "");
    let end = end.attr("aria-describedby", "end-turn-hint").on_click(move || ui.act(Action::EndTurn));
    el("div")
        .named("reply", "reply")
        .child(el("p").attr("id", "end-turn-hint").text(words::ASK_END_TURN))
        .child(el("div").attr("class", "buttons").child(end).child(cancel(ui, words::CANCEL)))
}

/// The button that closes the panel.
fn cancel(ui: Ui, text: &str) -> El {
    button(text).attr("data-cancel", "").on_click(move || {
        close_panel(ui);
    })
}

/// The list of keys as a dialog, while it is open. `keys` are those of the prompt; where `typed`, a field or a list takes letters itself, and Esc
/// comes before those of the actions.
pub fn keys(ui: Ui, keys: words::Keys, typed: bool, back: bool) -> impl Fn() -> Option<El> + 'static {
    move || {
        (ui.panel() == Panel::Keys).then(|| {
            let is_apple = is_apple();
            let row = |(pressed, does): &(&str, &str)| key_row(pressed, does, is_apple);
            let anywhere = typed.then_some(&words::KEY_SEND);
            let after = typed.then(|| el("p").attr("class", "hint").text(words::AFTER_ESC));
            let ways = back.then_some(&words::KEY_BACK).into_iter().chain(words::KEYS_WAYS);
            let first = keys.iter().chain(anywhere).chain([&words::KEY_LEAVE]);
            let dialog = el("dialog")
                .named("dialog", "dialog")
                .attr("aria-labelledby", "keys")
                .child(el("h2").attr("id", "keys").text(words::KEYS))
                .child(el("dl").children(first.map(row)))
                .children(after)
                .child(el("dl").children(ways.map(row)))
                .child(cancel(ui, words::CLOSE))
                // The browser closes it by Esc and by its own gestures.
                .on("close", move |_| {
                    close_panel(ui);
                });
            ui.open_dialog(dialog.node());
            dialog
        })
    }
}

fn key_row(pressed: &str, does: &str, is_apple: bool) -> El {
    let (control, command) = words::COMMAND;
    let key = |name: &str| el("kbd").text(if is_apple && name == control { command } else { name });
    let mut keys = el("dt");
    for (place, key_name) in pressed.split([' ', '+']).enumerate() {
        keys = (if place > 0 { keys.text(" ") } else { keys }).child(key(key_name));
    }
    el("div").child(keys).child(el("dd").text(does))
}

/// Whether the keyboard is one of Apple, whose key for commands is ⌘.
fn is_apple() -> bool {
    let platform = web_sys::window().and_then(|window| {
        let navigator = Reflect::get(&window, &"navigator".into()).ok()?;
        Reflect::get(&navigator, &"platform".into()).ok()?.as_string()
    });
    platform.is_some_and(|platform| platform.starts_with("Mac") || platform.starts_with("iP"))
}
