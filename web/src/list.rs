//! Keys at a list of options: arrows, Home and End, the first letters of a label, the digits of a place. They choose in a choice of one, and move
//! the focus in one of several, where only a digit ticks. They lead to what is listed, whether its row is in the document or not. This file does
//! not know what an answer is.

use crate::dom::Element;
use crate::{fold::Texts, keys::Move, rows::Rows};
use std::cell::{Cell, RefCell};

/// How long, in milliseconds, a key still goes on with the keys before it.
const SOON: f64 = 1_000.0;
/// How many options there may be for a digit to tick one of several: of more, it may be the first digit of two.
const DIGITS: usize = 9;

/// The letters or the digits that were typed soon after one another.
#[derive(Default)]
pub struct Typed {
    /// The list where they were typed, by its address.
    list: Cell<usize>,
    text: RefCell<String>,
    until: Cell<f64>,
}

impl Typed {
    /// Says at which list the next key is pressed. At another one than before it begins anew.
    pub fn at(&self, list: usize) {
        if self.list.replace(list) != list {
            self.forget();
        }
    }

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
    options > DIGITS
}

impl Rows {
    /// Leads from one option to another; from the text of "Other" to the option above it.
    pub fn step(&self, from: &Element, step: Move) -> bool {
        let Some(at) = self.index(from) else { return false };
        let last = self.listed() - 1;
        let index = match step {
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
        self.go(index, self.one)
    }

    /// Leads to the option with the number of the digits that follow one another, if it is listed; says whether it is.
    pub fn digit(&self, typed: &Typed, digit: &str, now: f64) -> bool {
        let (count, options) = (self.count(), self.texts.choices().len());
        let place = |text: &str| text.parse::<usize>().ok()?.checked_sub(1).filter(|place| *place < count);
        let text = typed.with(digit, now);
        let (text, place) = match place(&text) {
            Some(found) => (text, Some(found)),
            None => (digit.to_owned(), place(digit)),
        };
        typed.keep(text, now);
        let index = |place| if place < options { self.index_of(place) } else { Some(self.listed() - 1) };
        place.and_then(index).is_some_and(|index| self.go(index, count <= DIGITS || self.one))
    }

    /// Leads to the next option whose label begins with what was typed; says whether there is one. `anew`: whether the key may be the first.
    pub fn letter(&self, from: &Element, typed: &Typed, key: &str, now: f64, anew: bool) -> bool {
        let Some(at) = self.index(from) else { return false };
        let text = typed.with(key, now);
        let after_digits = text.strip_suffix(key).is_some_and(|before| before.parse::<u32>().is_ok());
        if !anew && (text == key || after_digits) {
            return false;
        }
        // The same letter again leads on, as the first one does.
        let again = text.chars().all(|letter| key.starts_with(letter));
        let found = self.find(if again { key } else { &text }, at + usize::from(again));
        let (text, found) = match found {
            None if anew && after_digits => (key.to_owned(), self.find(key, at + 1)),
            found => (text, found),
        };
        if anew || found.is_some() {
            typed.keep(text, now);
        }
        found.is_some_and(|index| self.go(index, self.one))
    }

    /// The first option, from an index on and then from the beginning, whose label begins with a text. "Other" is none of them, since the
    /// letters that follow would be typed into its field.
    fn find(&self, text: &str, from: usize) -> Option<usize> {
        let count = self.listed() - usize::from(self.other.is_some());
        let text = Texts::beginning(text);
        let begins = |index: &usize| self.listed_at(*index).is_some_and(|place| self.texts.have(place, &text));
        (from..from + count).map(|index| index % count).find(begins)
    }

    /// Whether the digit of the option that is chosen now answers the question. That of "Other" leads to its text.
    pub fn answers(&self) -> bool {
        self.count() <= DIGITS && self.list.has_attribute("data-leads-on") && self.chosen_other().is_none()
    }
}
