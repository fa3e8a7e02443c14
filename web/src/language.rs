//! How the form says its words. What is said is a JSON text: a text as it is, a number, `["key=English", { "name": value }]` for a word with values in place
//! of `{name}`, or `{ "list": [...] }`, `{ "between": [place, count] }`, `{ "date": text }`, `{ "digits": text }`, `{ "violation": [...] }`. Who says
//! it, and follows the language, is the script of the custom element, or else `english`.

use crate::dom::Node;
use ask_user_core::json;
use std::{cell::RefCell, rc::Rc};

/// What says a value in a node, now and whenever the language changes.
pub trait Speak {
    /// Says something at a place in a node: "" for its text, "<" and ">" for what comes before and after the value of a word, or the name of an
    /// attribute. `said` is the value as JSON text, or a word without values as its line.
    fn say(&self, node: &Node, place: &str, said: &str);
}

pub type Language = Rc<dyn Speak>;

/// The script of the custom element: a function of the same arguments.
#[cfg(page)]
pub struct Script(pub js_sys::Function);

#[cfg(page)]
impl Speak for Script {
    fn say(&self, node: &Node, place: &str, said: &str) {
        // It throws nothing.
        drop(self.0.call3(&wasm_bindgen::JsValue::UNDEFINED, node, &place.into(), &said.into()));
    }
}

/// A word of the form, as the line `key=English`.
#[derive(Clone, Copy)]
pub struct Word(pub &'static str);

/// What is said, as JSON text.
pub type Said = String;

thread_local! {
    /// The language of the form that is being made or changed.
    static CURRENT: RefCell<Option<Language>> = const { RefCell::new(None) };
}

/// The language of the form that is being made or changed.
pub fn current() -> Option<Language> {
    CURRENT.with(|current| current.borrow().clone())
}

/// Does something in a language.
pub fn within(language: Option<Language>, act: &mut dyn FnMut()) {
    let before = CURRENT.with(|current| current.replace(language));
    act();
    CURRENT.with(|current| current.replace(before));
}

/// Says something in the language of the form, as [`Speak::say`] does.
pub fn say(node: &Node, place: &str, said: &str) {
    if let Some(language) = current() {
        language.say(node, place, said);
    }
}

impl Word {
    /// The word alone, so that it can stand in another.
    pub fn alone(self) -> Said {
        self.with(&[])
    }

    /// The word with values.
    pub fn with(self, values: &[(&str, &str)]) -> Said {
        self.said_by_core("", values)
    }

    /// The word with values, and with the English of the core, which may say more.
    pub fn said_by_core(self, english: &str, values: &[(&str, &str)]) -> Said {
        sentence(&(self.0.to_owned() + english), values)
    }
}

/// A sentence as the line `key=English`, with the values in it.
pub fn sentence(line: &str, values: &[(&str, &str)]) -> Said {
    let mut said = "[".to_owned() + &text(line);
    let mut before = ",{\"";
    for (name, value) in values {
        for part in [before, name, "\":", value] {
            said.push_str(part);
        }
        before = ",\"";
    }
    said.push_str(if values.is_empty() { "]" } else { "}]" });
    said
}

/// A text that is said as it is.
pub fn text(text: &str) -> Said {
    json::text(&text)
}

/// Something of a kind that the language writes.
pub fn written(kind: &str, said: &str) -> Said {
    let mut written = "{\"".to_owned();
    for part in [kind, "\":", said, "}"] {
        written.push_str(part);
    }
    written
}

/// Several things, for one that is written of them.
pub fn several(all: impl IntoIterator<Item = Said>) -> Said {
    let mut several = String::new();
    for said in all {
        several.push(if several.is_empty() { '[' } else { ',' });
        several.push_str(&said);
    }
    several.push(']');
    several
}
