//! The command of a call, changed as the text that it is. The other arguments stay as they were written, unless the person asks to change all of them as JSON.

use crate::{
    element::{El, button, el, text_in},
    ui::Ui,
    words,
};
use ask_user_core::{COMMAND, json};
use leptos::prelude::{RwSignal, Set};
use serde_json::Value;

/// The command in the JSON text of arguments, if that is all in which they differ from those of the call. `None` where other arguments were changed, too, or writing them anew would change more, such as
/// a number with many digits.
pub fn of(arguments: &str, call: &Value) -> Option<String> {
    let value = json::parse(arguments).ok()?;
    let command = value.get(COMMAND)?.as_str()?.to_owned();
    let mut same = call.clone();
    *same.get_mut(COMMAND)? = command.as_str().into();
    (json::pretty(&json::text(&same)) == json::pretty(arguments)).then_some(command)
}

/// The arguments with another command.
fn with(arguments: &str, command: &str) -> Option<String> {
    let mut value = json::parse(arguments).ok()?;
    *value.get_mut(COMMAND)? = command.into();
    Some(json::pretty(&json::text(&value)))
}

/// The field for the command, and the button that leads to all arguments, if there are others.
pub fn field(ui: Ui, key: String, arguments: &str, command: &str, all: RwSignal<bool>) -> El {
    let others = json::parse(arguments).ok().and_then(|value| value.as_object().map(|map| map.len() > 1));
    let area = el("textarea").named("command", "input").attr("id", &key).attr("data-words", "").attr("rows", "2");
    let area = area.attr("dir", "ltr").attr("spellcheck", "false").attr("autocapitalize", "off");
    let (read, start) = (area.node(), arguments.to_owned());
    let label = el("label").attr("for", &key).say(words::EDITED_ARGUMENTS);
    let area = area.prop("value", command).on("input", move |_| {
        let before = ui.typed(&key).unwrap_or_else(|| start.clone());
        if let Some(changed) = with(&before, &text_in(&read)) {
            ui.keep_typed(&key, changed);
        }
    });
    let more = || {
        button(words::ALL_ARGUMENTS).attr("class", "quiet").attr("data-all-arguments", "").on_click(move || {
            all.set(true);
            // The page puts its editor over the new field.
            ui.tell();
            ui.changed();
            ui.focus(&["[data-words]"]);
        })
    };
    // Enter breaks the line: nothing is approved by a key.
    let field = el("div").attr("class", "field").attr("data-lines", "").child(label).child(area);
    field.children(others.unwrap_or_default().then(more))
}
