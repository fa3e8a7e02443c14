//! The row of actions below every step: the primary one, Back, and beside them Reply and End turn; the panels that these open; and the list of keys.

use crate::{
    dom::{self, Event},
    element::{El, button, el, submit, text_in, typed_in},
    keyboard::close_panel,
    language::Word,
    ui::{Panel, Ui},
    words,
};
use ask_user_core::{Action, Reply};

/// The id of the form around a question, for its button that stands outside.
pub const FORM: &str = "question";

/// The actions of a step: `primary` ones first, then Back where it is offered, then Reply and End turn.
pub fn view(ui: Ui, primary: impl IntoIterator<Item = El>, back: bool) -> El {
    let back = back.then(|| button(words::BACK).attr("data-way", "back").attr("class", "quiet"));
    let back = back.map(|button| button.attr_said("data-key", words::KEY_BACK));
    let back = back.map(|button| button.on_click(move || ui.act(Action::Back)));
    let opens = |name: &str, way: El, panel: Panel, first: &'static [&'static str]| {
        way.attr("data-way", name)
            .attr("class", "quiet")
            .attr_from("aria-expanded", move || if ui.panel() == panel { "true" } else { "false" })
            .on_click(move || ui.open(panel, first))
    };
    let reply = reply_word(ui).map(|word| {
        let way = button(word).attr_said("data-key", words::KEY_REPLY);
        opens("reply", way, Panel::Reply, &["#reply", "[data-send-reply]"])
    });
    let end_turn = opens(
        "end-turn",
        button(words::END_TURN).attr_said("data-key", words::KEY_END_TURN),
        Panel::EndTurn,
        &["[data-end-turn]"],
    );
    let keys = el("button").attr("type", "button").attr("data-key", "?").text("?").attr_said("aria-label", words::KEYS);
    let keys = opens("keys", keys, Panel::Keys, &[]).named("quiet keys", "button keys");
    let others = el("div").attr("class", "others").attr("role", "group").attr_said("aria-label", words::MORE_ACTIONS);
    let others = others.children(reply).child(end_turn).child(keys);
    let row = el("div").named("actions", "actions").children(primary).children(back).child(others);
    el("div").attr("class", "ways").child(row).changing(move || match ui.panel() {
        Panel::Reply => Some(reply_panel(ui)),
        Panel::EndTurn => Some(end_turn_panel(ui)),
        Panel::None | Panel::Opened | Panel::Keys | Panel::Confirm => None,
    })
}

/// The button that sends the form around the question.
pub fn send(word: Word) -> El {
    submit(word).attr("form", FORM)
}

/// What a Reply can be in this form.
fn reply_of(ui: Ui) -> Reply {
    ui.session(|session| session.walk().map_or(Reply::WithWords, |walk| walk.form().reply()))
}

/// The word for it, if there is one.
fn reply_word(ui: Ui) -> Option<Word> {
    match reply_of(ui) {
        Reply::WithWords => Some(words::REPLY),
        Reply::WithoutWords => Some(words::DECLINE),
        Reply::No => None,
    }
}

fn reply_panel(ui: Ui) -> El {
    if reply_of(ui) == Reply::WithoutWords {
        let decline = submit(words::DECLINE).attr("data-send-reply", "").attr("aria-describedby", "reply-hint");
        return el("form")
            .named("reply", "reply")
            .child(el("p").attr("id", "reply-hint").say(words::DECLINE_HINT))
            .child(el("div").attr("class", "buttons").child(decline).child(cancel(ui, words::CANCEL)))
            .on("submit", move |event: Event| {
                event.prevent_default();
                ui.act(Action::Reply(None));
            });
    }
    // Only what is known to be alone is called so: further questions may follow.
    let hint = ui.session(|session| {
        let walk = session.walk()?;
        match walk.form().questions() {
            [question, ..] if question.answer_type.approval().is_some() => Some(words::REPLY_HINT_CALL),
            [_] if walk.accepted().is_some() => Some(words::REPLY_HINT_ONE),
            _ => None,
        }
    });
    let hint = hint.unwrap_or(words::REPLY_HINT);
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
        .child(el("label").attr("for", "reply").say(words::REPLY_LABEL))
        .child(area)
        .child(el("p").attr("id", "reply-hint").attr("class", "hint").say(hint))
        .child(el("div").attr("class", "buttons").child(submit).child(cancel(ui, words::CANCEL)))
        .on("submit", send)
}

/// Asks once more before the turn is ended.
fn end_turn_panel(ui: Ui) -> El {
    let end = button(words::END_TURN).named("primary", "button primary").attr("data-end-turn", "");
    let end = end.attr("aria-describedby", "end-turn-hint").on_click(move || ui.act(Action::EndTurn));
    el("div")
        .named("reply", "reply")
        .child(el("p").attr("id", "end-turn-hint").say(words::ASK_END_TURN))
        .child(el("div").attr("class", "buttons").child(end).child(cancel(ui, words::CANCEL)))
}

/// The button that closes the panel.
pub fn cancel(ui: Ui, word: Word) -> El {
    button(word).attr("data-cancel", "").on_click(move || {
        close_panel(ui);
    })
}

/// The list of keys as a dialog, while it is open. `keys` are those of the prompt; where `typed`, a field or a list takes letters itself, and Esc
/// comes before those of the actions.
pub fn keys(ui: Ui, keys: words::Keys, typed: bool, back: bool) -> impl Fn() -> Option<El> + 'static {
    move || {
        (ui.panel() == Panel::Keys).then(|| {
            let is_apple = dom::is_apple();
            let row = |(pressed, does): &(&str, Word)| key_row(pressed, *does, is_apple);
            let is_said = keys.iter().any(|(pressed, _)| *pressed == words::SEND_BY_KEY.0);
            let anywhere = (typed && !is_said).then_some(&words::SEND_BY_KEY);
            let after = typed.then(|| el("p").attr("class", "hint").say(words::AFTER_ESC));
            let reply = reply_word(ui).map(|word| ("R", word));
            let ways = back.then_some(&words::BACK_BY_KEY).into_iter().chain(&reply).chain(words::KEYS_WAYS);
            let first = keys.iter().chain(anywhere).chain([&words::LEAVE_BY_KEY]);
            let dialog = el("dialog")
                .named("dialog", "dialog")
                .attr("aria-labelledby", "keys")
                .child(el("h2").attr("id", "keys").say(words::KEYS))
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

fn key_row(pressed: &str, does: Word, is_apple: bool) -> El {
    let (control, command) = words::COMMAND;
    let key = |name: &str| match words::NAMES.iter().find(|(known, _)| *known == name) {
        Some(_) if is_apple && name == control => el("kbd").text(command),
        Some((_, word)) => el("kbd").say(*word),
        None => el("kbd").text(name),
    };
    let mut keys = el("dt");
    for (place, key_name) in pressed.split([' ', '+']).enumerate() {
        keys = (if place > 0 { keys.text(" ") } else { keys }).child(key(key_name));
    }
    el("div").child(keys).child(el("dd").say(does))
}
