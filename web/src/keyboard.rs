//! What keys do: they are pressed anywhere in the form, and act where they mean something. What a key means, `keys` says; whether it counts, `guard`.

use crate::{
    dom::{self, Element, Event, HtmlElement, JsCast, KeyboardEvent, ShadowRoot},
    guard::{composes, sends_by_enter, takes_text},
    keys::{Key, Pressed, Within},
    ui::{FIELD, Panel, Ui},
};
use std::rc::Rc;

/// Closes the panel beside the question, and says whether there was one.
pub fn close_panel(ui: Ui) -> bool {
    let way: &[&str] = if ui.is_open(Panel::Reply) {
        &["[data-way=reply]"]
    } else if ui.is_open(Panel::EndTurn) {
        &["[data-way=end-turn]"]
    } else if ui.is_open(Panel::Keys) {
        &["[data-way=keys]"]
    } else if ui.is_open(Panel::Confirm) {
        ui.reconsider();
        &[FIELD, "[data-submit]", "[data-question-text]"]
    } else {
        return false;
    };
    ui.open(Panel::None, way);
    true
}

/// Does what a key that went down asks for.
pub fn press(ui: Ui, event: &Event) {
    // In a frame of this page, events are of another kind of the same name.
    let event: &KeyboardEvent = event.unchecked_ref();
    // What the editor has made use of is done.
    if event.default_prevented() || !ui.guard().counts() {
        return;
    }
    let target = event.target().and_then(|target| target.dyn_into::<Element>().ok());
    let (name, letter) = (event.key(), letter_of(event));
    let pressed = Pressed {
        key: &name,
        letter: &letter,
        control: event.ctrl_key() || event.meta_key(),
        alt: event.alt_key(),
        shift: event.shift_key()
            || (name.as_bytes().iter().all(u8::is_ascii_uppercase) && !event.get_modifier_state("CapsLock")),
        within: within(target.as_ref()),
        shortcuts: has_shortcuts(ui),
        composing: composes(event),
    };
    let key = Key::of(&pressed);
    // A held key leads on through a list, and does nothing else.
    let key = key.filter(|key| !event.repeat() || matches!(key, Key::Move(_)));
    if key.is_some_and(|key| do_key(ui, key, event, target.as_ref())) {
        event.prevent_default();
        event.stop_propagation();
    }
}

/// Keeps from the page what is typed into a field or a list. The page sees the element alone, and would take the keys for its own shortcuts.
pub fn keep(event: &Event) {
    let event: &KeyboardEvent = event.unchecked_ref();
    let target = event.target().and_then(|target| target.dyn_into::<Element>().ok());
    let is_modified = event.ctrl_key() || event.meta_key() || event.alt_key();
    if !is_modified && event.key().chars().count() == 1 && within(target.as_ref()) != Within::Other {
        event.stop_propagation();
    }
}

/// The letter of a key (see [`Pressed::letter`]).
fn letter_of(event: &KeyboardEvent) -> String {
    let name = event.key();
    let place = || event.code().strip_prefix("Key").map(str::to_owned);
    if name.is_ascii() { name } else { place().unwrap_or(name) }
}

fn within(target: Option<&Element>) -> Within {
    match target {
        Some(target) if target.has_attribute("data-own") => Within::OwnWords { sends: sends_by_enter(target) },
        Some(target) if sends_by_enter(target) => Within::Lines,
        // Of several calls, nothing in the fields of one sends them.
        Some(target) if dom::is_input(target) && target.matches("[data-lines] *").unwrap_or_default() => {
            Within::Line { sends: false }
        }
        Some(target) if takes_text(target) && dom::is_input(target) => Within::Line { sends: true },
        Some(target) if takes_text(target) => Within::Text,
        Some(target) if dom::is_input(target) => Within::List,
        _ => Within::Other,
    }
}

fn is_in_dialog(ui: Ui) -> bool {
    let host = || ui.base()?.get_root_node().dyn_into::<ShadowRoot>().ok().map(|root| root.host());
    host().is_some_and(|host| host.closest("dialog, [popover]").is_ok_and(|found| found.is_some()))
}

/// Whether keys without a modifier act: not beside an open panel, nor where the line that lists them is not shown.
fn has_shortcuts(ui: Ui) -> bool {
    ui.is_open(Panel::None) && ui.found(".keys").is_some_and(|keys| keys.client_height() > 0)
}

/// Does what a key asks for; says whether it meant anything at this step.
fn do_key(ui: Ui, key: Key, event: &KeyboardEvent, target: Option<&Element>) -> bool {
    let click = |selector: &str| ui.found(selector).inspect(HtmlElement::click).is_some();
    // The letters follow the language: each button has its own.
    let has_key = |button: &str| {
        let letter = letter_of(event);
        let is_key = matches!(letter.as_bytes(), [byte] if byte.is_ascii_alphabetic() || *byte == b'?');
        is_key.then(|| format!("{button}[data-key=\"{letter}\" i]"))
    };
    // What stands in the checkbox counts: it is ticked first, so that it is seen.
    let ticks = || click("[data-remember]:not(:checked)") || ui.found("[data-remember]").is_some();
    match key {
        Key::Button { remember: false } => has_key("").is_some_and(|button| click(&button)),
        Key::Button { remember: true } => {
            has_key("[data-answer]").is_some_and(|button| ui.found(&button).is_some() && ticks() && click(&button))
        }
        Key::Way => has_key("[data-way]").is_some_and(|button| click(&button)),
        Key::Digit | Key::Letter | Key::Move(_) => at_list(ui, key, event, target),
        // Only a press of one of its buttons answers that question. Some browsers press the focused button on Ctrl+Enter.
        Key::Send if ui.is_open(Panel::Confirm) => true,
        Key::Send => {
            // The one of the form with the focus; the question's is outside of its form.
            let form = target.and_then(|target| target.closest("form").ok().flatten());
            let own = form.and_then(|form| form.query_selector("[type=submit]").ok().flatten());
            let own = own.and_then(|button| button.dyn_into().ok()).inspect(HtmlElement::click);
            own.is_some() || ui.send()
        }
        Key::Leave => leave(ui, target),
        Key::Nothing => true,
    }
}

/// Does what a key asks for at the list of options. What goes on with a label is no digit of a place, and no Space that ticks.
fn at_list(ui: Ui, key: Key, event: &KeyboardEvent, target: Option<&Element>) -> bool {
    let Some(target) = target else { return false };
    let Some(list) = ui.list(target) else { return false };
    // Below the first line of "Other", an arrow moves in the text.
    if dom::is_area(target) && !is_in_first_line(target) {
        return false;
    }
    let (name, now) = (event.key(), event.time_stamp());
    ui.at_list(|typed| typed.at(Rc::as_ptr(&list) as usize));
    ui.at_list(|typed| match key {
        Key::Move(step) => list.step(target, step),
        Key::Digit => {
            list.letter(target, typed, &name, now, false)
                || (list.digit(typed, &name, now) && (!list.answers() || ui.send()))
        }
        _ if name != " " => list.letter(target, typed, &name, now, true),
        _ => {
            let goes_on = list.letter(target, typed, &name, now, false);
            if goes_on {
                ui.guard().use_up();
            } else {
                typed.forget();
            }
            goes_on
        }
    })
}

/// Whether the caret stands in the first line of a text.
fn is_in_first_line(area: &Element) -> bool {
    let text = dom::property(area, "value").as_string().unwrap_or_default();
    let caret = dom::property(area, "selectionStart").as_f64().unwrap_or_default();
    !text.encode_utf16().take(caret as usize).any(|unit| unit == u16::from(b'\n'))
}

/// Esc leads from a field to the other ways to go on, and from there back to the field; it closes the reply first.
fn leave(ui: Ui, target: Option<&Element>) -> bool {
    if close_panel(ui) {
        return true;
    }
    let within =
        |selector: &str| target.is_some_and(|target| target.closest(selector).is_ok_and(|found| found.is_some()));
    if within("[data-way]") {
        // A dialog is closed from here.
        if is_in_dialog(ui) {
            return false;
        }
        ui.return_focus();
        return true;
    }
    if within(".step") {
        ui.focus(&["[data-way=reply]", "[data-way=end-turn]"]);
        return true;
    }
    false
}
