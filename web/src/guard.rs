//! Lets a key or a click count only if it went down after what is shown was painted. What does not count is stopped before any other listener
//! hears it: a key that is held, a key or button that went down before the step, the second click of a double click.

use crate::{
    dom::{
        self, Element, Event, HtmlInputElement, JsCast, KeyboardEvent, is_touched, later, next_frame, now, property,
    },
    element::El,
};
use std::{cell::Cell, rc::Rc};

/// The longest time, in milliseconds, until what is shown counts as painted. A page that is not visible paints nothing.
const PAINTED: i32 = 100;

/// How long, in milliseconds, keys and pointers have to be still after a change that the person did not make.
const STILL: f64 = 500.0;

/// What is shown at the moment, and what has gone down since. Moments count from 1; 0 stands for a time before any moment, or between two.
#[derive(Default)]
pub struct Guard {
    shown: Cell<usize>,
    painted: Cell<usize>,
    /// The moment in which the last key went down.
    key: Cell<usize>,
    /// The moment in which the last button of a pointer went down.
    pointer: Cell<usize>,
    /// The moment in which the first of several clicks went down.
    first_click: Cell<usize>,
    /// Until when nothing counts, on the clock of events.
    still: Cell<f64>,
}

impl Guard {
    /// Begins a moment: something else is shown now, and nothing counts until it is painted. `painted` is called then.
    pub fn show(self: &Rc<Self>, painted: impl Fn() + 'static) {
        let moment = self.shown.get() + 1;
        self.shown.set(moment);
        let guard = Rc::clone(self);
        let settle = Rc::new(move || {
            if guard.shown.get() == moment && guard.painted.replace(moment) != moment {
                painted();
            }
        });
        let late = Rc::clone(&settle);
        later(PAINTED, move || late());
        // The frame after the next is drawn once the next one is on the screen.
        next_frame(move || next_frame(move || settle()));
    }

    /// Lets nothing count until keys and pointers have been still for a moment: what is shown has changed while the person did something else.
    pub fn settle(&self) {
        self.still.set(now() + STILL);
    }

    /// Whether the person has been still since the last change that was not theirs; an event that comes too soon starts the wait again.
    fn is_still(&self, event: &Event) -> bool {
        let now = event.time_stamp();
        let is_still = now >= self.still.get();
        if !is_still {
            self.still.set(now + STILL);
        }
        is_still
    }

    /// Whether the key that is down went down in this moment. It may be held since.
    pub fn counts(&self) -> bool {
        self.key.get() == self.shown.get()
    }

    /// Lets the key that is down do no more than it has done: Space would do more when it goes up.
    pub fn use_up(&self) {
        self.key.set(0);
    }

    /// Puts itself before all other listeners of an element.
    pub fn watch(self: &Rc<Self>, base: El) -> El {
        ["pointerdown", "click", "keydown", "keyup"].iter().fold(base, |base, name| {
            let guard = Rc::clone(self);
            base.before(name, move |event| {
                if guard.stops(&event) {
                    event.prevent_default();
                    event.stop_immediate_propagation();
                }
            })
        })
    }

    fn stops(&self, event: &Event) -> bool {
        let now = self.shown.get();
        let goes_down = matches!(event.type_().as_str(), "pointerdown" | "keydown");
        let counted = if self.painted.get() == now && (!goes_down || self.is_still(event)) { now } else { 0 };
        match event.type_().as_str() {
            "pointerdown" => self.pointer.set(counted),
            "click" => {
                let field = |name: &str| property(event, name);
                let count = field("detail").as_f64().unwrap_or_default();
                // Clicks of keys and of scripts have no count, those of assistive technology no type of pointer.
                if count < 1.0 || field("pointerType").as_string().is_some_and(|kind| kind.is_empty()) {
                    return false;
                }
                if count < 2.0 {
                    self.first_click.set(self.pointer.get());
                }
                return self.pointer.get() != now || self.first_click.get() != now;
            }
            kind => return self.stops_key(event.unchecked_ref(), kind == "keyup", counted, now),
        }
        false
    }

    fn stops_key(&self, event: &KeyboardEvent, up: bool, counted: usize, now: usize) -> bool {
        if composes(event) {
            return false;
        }
        let key = event.key();
        let target = event.target().and_then(|target| target.dyn_into::<Element>().ok());
        let target = target.as_ref();
        let space = key == " " && !target.is_some_and(takes_text);
        if up {
            return space && self.key.get() != now;
        }
        if !event.repeat() {
            self.key.set(counted);
        }
        let control = event.ctrl_key() || event.meta_key();
        let breaks = |target| takes_lines(target) && (event.shift_key() || !sends_by_enter(target));
        let activates = space || (key == "Enter" && (control || !target.is_some_and(breaks)));
        let is_old = self.key.get() != now;
        if event.repeat() { activates || (is_old && key.chars().count() == 1) } else { activates && is_old }
    }
}

/// Whether typing goes into the element: a text area, an editor, or an input that is no radio, checkbox or button.
pub fn takes_text(element: &Element) -> bool {
    let input = element.dyn_ref::<HtmlInputElement>().map(HtmlInputElement::type_);
    takes_lines(element)
        || input.is_some_and(|kind| !matches!(kind.as_str(), "radio" | "checkbox" | "button" | "submit"))
}

/// Whether the key belongs to an input method. In Safari the Enter that ends a composition comes after it, with a code of its own.
pub fn composes(event: &KeyboardEvent) -> bool {
    const OF_INPUT_METHOD: u32 = 229;
    event.is_composing() || event.key_code() == OF_INPUT_METHOD
}

/// Whether Enter continues from a text of many lines: not from JSON, nor on the keyboard of a touch screen, which has no other key for a line break.
pub fn sends_by_enter(element: &Element) -> bool {
    element.matches("textarea:not(.json, [data-lines])").unwrap_or_default() && !is_touched()
}

/// Whether the element holds many lines.
fn takes_lines(element: &Element) -> bool {
    dom::is_area(element) || element.closest("[contenteditable]").is_ok_and(|found| found.is_some())
}
