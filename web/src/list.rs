//! Keys at a list of options: arrows, Home and End, the first letters of a label, the digits of a place. They choose in a choice of one, and move
//! the focus in one of several, where only a digit ticks. This file does not know what an answer is.

use crate::keys::Move;
use js_sys::JsString;
use std::cell::{Cell, RefCell};
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement, HtmlInputElement, NodeList};

/// How long, in milliseconds, a key still goes on with the keys before it.
const SOON: f64 = 1_000.0;
/// How many options there may be for a digit to tick one of several: of more, it may be the first digit of two.
const DIGITS: u32 = 9;

/// The letters or the digits that were typed soon after one another.
#[derive(Default)]
pub struct Typed {
    text: RefCell<String>,
    until: Cell<f64>,
}

impl Typed {
    /// Lets the next key begin anew.
    pub fn forget(&self) {
        self.until.set(0.0);
    }

    /// What the key goes on with, and the key.
    fn with(&self, key: &str, now: f64) -> String {
        let before = if now < self.until.get() { self.text.borrow().clone() } else { String::new() };
        before + key
    }

    fn keep(&self, text: String, now: f64) {
        self.text.replace(text);
        self.until.set(now + SOON);
    }
}

/// Many options, so that not each has a digit.
pub fn is_long(options: usize) -> bool {
    options > DIGITS as usize
}

/// The options of the open question, with "Other" as the last.
pub struct List {
    base: HtmlElement,
    options: NodeList,
}

impl List {
    /// The list within an element.
    pub fn within(base: HtmlElement) -> Option<Self> {
        let options = base.query_selector_all("[data-option], [data-other]").ok()?;
        (options.length() > 0).then_some(Self { base, options })
    }

    /// Leads from one option to another; from the text of "Other" to the option above it.
    pub fn step(&self, from: &Element, step: Move) -> bool {
        let Some(at) = self.place(from) else { return false };
        let last = self.options.length() - 1;
        let place = match step {
            Move::Up => at.checked_sub(1).unwrap_or(last),
            Move::Down => {
                if at < last {
                    at + 1
                } else {
                    0
                }
            }
            Move::First => 0,
            Move::Last => last,
        };
        self.go(place, self.takes_one())
    }

    /// Leads to the option at the place of the digits that follow one another, counted from 1; says whether there is one.
    pub fn digit(&self, typed: &Typed, digit: &str, now: f64) -> bool {
        let count = self.options.length();
        let place = |text: &str| text.parse::<u32>().ok()?.checked_sub(1).filter(|place| *place < count);
        let text = typed.with(digit, now);
        let (text, place) = match place(&text) {
            Some(found) => (text, Some(found)),
            None => (digit.to_owned(), place(digit)),
        };
        typed.keep(text, now);
        place.is_some_and(|place| self.go(place, count <= DIGITS || self.takes_one()))
    }

    /// Leads to the next option whose label begins with what was typed; says whether there is one. `anew`: whether the key may be the first.
    pub fn letter(&self, from: &Element, typed: &Typed, key: &str, now: f64, anew: bool) -> bool {
        let Some(at) = self.place(from) else { return false };
        let text = typed.with(key, now);
        let after_digits = text.strip_suffix(key).is_some_and(|before| before.parse::<u32>().is_ok());
        if !anew && (text == key || after_digits) {
            return false;
        }
        // The same letter again leads on, as the first one does.
        let again = text.chars().all(|letter| key.starts_with(letter));
        let found = self.find(if again { key } else { &text }, at + u32::from(again));
        let (text, found) = match found {
            None if anew && after_digits => (key.to_owned(), self.find(key, at + 1)),
            found => (text, found),
        };
        if anew || found.is_some() {
            typed.keep(text, now);
        }
        found.is_some_and(|place| self.go(place, self.takes_one()))
    }

    /// The first option, from a place on and then from the beginning, whose label begins with a text. "Other" is none of them, since the
    /// letters that follow would be typed into its field.
    fn find(&self, text: &str, from: u32) -> Option<u32> {
        let names = self.base.query_selector_all(".option .name").ok()?;
        let (count, text) = (names.length(), folded(text));
        (from..from + count).map(|place| place % count).find(|place| {
            let name = names.get(*place).and_then(|name| name.text_content());
            name.is_some_and(|name| folded(&name).starts_with(&text))
        })
    }

    /// Whether the digit of an option answers the question.
    pub fn answers(&self) -> bool {
        self.options.length() <= DIGITS
            && self.base.query_selector("[data-leads-on]").is_ok_and(|found| found.is_some())
    }

    /// Whether one option is chosen: the options are radios, not checkboxes.
    fn takes_one(&self) -> bool {
        self.option(0).is_some_and(|option| option.type_() == "radio")
    }

    fn option(&self, place: u32) -> Option<HtmlInputElement> {
        self.options.get(place).map(JsCast::unchecked_into)
    }

    /// The place of an option. The text of "Other" stands for its radio, or comes after its checkbox.
    fn place(&self, element: &Element) -> Option<u32> {
        let (id, count) = (element.id(), self.options.length());
        match id.strip_prefix("option-") {
            Some("other") => Some(count - 1),
            Some(place) => place.parse().ok(),
            None => (id == "other").then(|| count - u32::from(self.takes_one())),
        }
    }

    fn go(&self, place: u32, chooses: bool) -> bool {
        let Some(option) = self.option(place) else { return false };
        // An element that cannot take the focus leaves it where it is.
        drop(option.focus());
        if chooses {
            option.click();
        }
        true
    }
}

/// A text without the difference of capitals, and with accents after their letters: `e` begins `École`.
fn folded(text: &str) -> String {
    JsString::from(text).to_locale_lower_case(None).normalize("NFKD").into()
}
