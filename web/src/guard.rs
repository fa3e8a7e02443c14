//! The one rule of sight: a key or a press counts only if the person could have seen what it acts on, in that place, before it went down. What does not count
//! is stopped before any other listener hears it.
//!
//! - What is shown has been painted since, and is neither covered nor transparent; what is asked was in the window; the window is in front.
//! - What begins, moves, appears, is uncovered or gets the focus without an act of the person starts a wait: keys and pointers have to be still for [`STILL`].
//! - After the person's own step, keys count at once. What presses a button has to wait for [`AIMED`]: a second click, or a second Enter, was meant for what stood
//!   there before.
//! - A key that is held, a key or button that went down before the step, and the second click of a double click never count.

use crate::{
    dom::{
        self, Element, Event, HtmlElement, HtmlInputElement, JsCast, KeyboardEvent, Node, is_touched, later,
        next_frame, now, property, time,
    },
    element::El,
};
use std::{
    any::Any,
    cell::{Cell, RefCell},
    rc::Rc,
};

/// The longest time, in milliseconds, until a step is announced. A page that is not visible paints nothing.
const PAINTED: i32 = 100;

/// How long, in milliseconds, keys and pointers have to be still after a change that the person did not make.
const STILL: f64 = 500.0;

/// How long, in milliseconds, after a change that the person made nothing is pressed yet: nobody aims faster.
const AIMED: f64 = 300.0;

/// How often, in milliseconds, the form looks whether anything has moved.
const LOOKS: i32 = 200;

/// For how long, in milliseconds, what changes is a consequence of what the person did: until the form has looked once.
const FOLLOWS: f64 = 250.0;

/// By how many pixels a control may be elsewhere.
const NEAR: u32 = 3;

/// After how many pixels a press marks text, and is no click.
const DRAGGED: f64 = 4.0;

/// What the guard hears of in the form before any other listener: what the person does, and an event of its own where what follows from that comes later.
const HEARD: [&str; 6] = ["pointerdown", "click", "keydown", "keyup", "input", "follows"];

/// What is heard of in the window around it.
const AROUND: &[&str] = &["wheel", "touchmove", "keydown", "scroll"];

/// What is shown at the moment, and what has gone down since. Moments count from 1; 0 stands for a time before any moment, or between two.
pub struct Guard {
    base: RefCell<Option<HtmlElement>>,
    shown: Cell<usize>,
    painted: Cell<usize>,
    /// The moment in which the last key went down.
    key: Cell<usize>,
    /// The moment in which the last button of a pointer went down, and where.
    pointer: Cell<usize>,
    place: Cell<(f64, f64)>,
    /// The moment in which the first of several clicks went down.
    first_click: Cell<usize>,
    /// Until when nothing counts.
    still: Cell<f64>,
    /// Until when no key presses a button, and until when no pointer does.
    stepped: Cell<f64>,
    aimed: Cell<f64>,
    /// When the person last did something, and when something that may move the focus.
    acted: Cell<f64>,
    led: Cell<f64>,
    /// The moment in which something was typed.
    typed: Cell<usize>,
    /// What is asked, once it was in sight; and whether the last key or press that went down counts for nothing because it was not.
    asked: RefCell<Option<String>>,
    is_unread: Cell<bool>,
    /// The document that the form looks for changes in.
    document: RefCell<Option<Node>>,
    /// Whether the form looks once what follows from that is painted.
    is_due: Cell<bool>,
    /// Where the controls stood when the form last looked.
    places: RefCell<Vec<i32>>,
    /// Whether another form takes its place: nothing counts any more.
    frozen: Cell<bool>,
    /// Whether there is something to answer; and what looks again and again then.
    is_open: Cell<bool>,
    looks: RefCell<Option<Box<dyn Any>>>,
}

impl Default for Guard {
    fn default() -> Self {
        Self {
            base: RefCell::default(),
            shown: Cell::default(),
            painted: Cell::default(),
            key: Cell::default(),
            pointer: Cell::default(),
            place: Cell::default(),
            first_click: Cell::default(),
            still: Cell::default(),
            stepped: Cell::default(),
            aimed: Cell::default(),
            acted: Cell::new(f64::NEG_INFINITY),
            led: Cell::new(f64::NEG_INFINITY),
            typed: Cell::default(),
            asked: RefCell::default(),
            is_unread: Cell::default(),
            document: RefCell::default(),
            is_due: Cell::default(),
            places: RefCell::default(),
            frozen: Cell::default(),
            is_open: Cell::default(),
            looks: RefCell::default(),
        }
    }
}

impl Guard {
    /// Begins a moment: something else is shown now, and nothing counts until it is painted. `painted` is called then.
    pub fn show(self: &Rc<Self>, painted: impl Fn() + 'static) {
        let moment = self.shown.get() + 1;
        self.shown.set(moment);
        let (begun, is_own) = (now(), self.follows());
        if !is_own {
            self.settle();
        }
        let told = Rc::new(Cell::new(false));
        let tell = Rc::new(move || {
            if !told.replace(true) {
                painted();
            }
        });
        let (guard, late) = (Rc::clone(self), Rc::clone(&tell));
        later(PAINTED, move || late());
        drawn(self.base(), move || {
            if guard.shown.get() == moment {
                guard.painted.set(moment);
                guard.begins();
                guard.look(is_own);
                guard.stepped.set(now() + AIMED);
                guard.aimed.set(now() + AIMED);
                // Who waits, waits from here on.
                if guard.still.get() > begun {
                    guard.settle();
                }
            }
            tell();
        });
    }

    /// Lets nothing count until keys and pointers have been still for a moment: what is shown has changed while the person did something else.
    pub fn settle(&self) {
        self.still.set(now() + STILL);
    }

    /// Lets nothing count any more, because another form takes its place; or lets it count again.
    pub fn freeze(&self, frozen: bool) {
        self.frozen.set(frozen);
    }

    /// Looks for changes as soon as something is painted, while there is something to answer; or no more.
    pub fn asks(&self, asks: bool) {
        self.is_open.set(asks);
        if !asks {
            self.looks.replace(None);
        }
    }

    /// Begins to look for changes. Nothing can be done with a form that is still inert, and nothing is looked for.
    fn begins(self: &Rc<Self>) {
        let is_inert = self.base().is_some_and(|base| base.closest("[inert]").is_ok_and(|found| found.is_some()));
        if !is_inert && self.is_open.get() && self.looks.borrow().is_none() {
            self.start();
        }
    }

    /// Not inlined, and so not in the part of the module that shows the first question.
    #[inline(never)]
    fn start(self: &Rc<Self>) {
        let Some(base) = self.base() else { return };
        self.document.replace(dom::document_of(&base));
        let (looks, hears) = (Rc::downgrade(self), Rc::downgrade(self));
        let timer = dom::every(&base, LOOKS, move || {
            if let Some(guard) = looks.upgrade() {
                guard.look(guard.follows());
            }
        });
        let around = dom::listen_to_window(Some(&base), AROUND, true, move |event| {
            let Some(guard) = hears.upgrade() else { return };
            match event.type_().as_str() {
                "scroll" => guard.moved(),
                // Tab leads into a form; other keys are what somebody types elsewhere.
                "keydown" if event.unchecked_ref::<KeyboardEvent>().key() != "Tab" => {}
                name => guard.acts(name == "keydown"),
            }
        });
        self.looks.replace(Some(Box::new((timer, around))));
    }

    /// Looks in the window that the form is in now: it may have been moved.
    fn stays_with_window(self: &Rc<Self>) {
        let is_elsewhere = || self.base().is_some_and(|base| *self.document.borrow() != dom::document_of(&base));
        if self.looks.borrow().is_some() && is_elsewhere() {
            self.looks.replace(None);
            self.start();
        }
    }

    fn base(&self) -> Option<HtmlElement> {
        self.base.borrow().clone()
    }

    /// Whether what changes now is a consequence of what the person did.
    fn follows(&self) -> bool {
        now() < self.acted.get() + FOLLOWS
    }

    /// Looks where the controls stand now. Where they stood elsewhere before, nothing counts for a moment; after the person's own act, nothing is pressed.
    fn look(&self, is_own: bool) {
        if self.looks.borrow().is_some() {
            self.compare(is_own);
        }
    }

    /// Not inlined, as above.
    #[inline(never)]
    fn compare(&self, is_own: bool) {
        let Some(base) = self.base() else { return };
        let found = dom::places(&base);
        if found.get(1) == Some(&0) {
            self.asked.replace(dom::asked(&base));
        }
        let before = self.places.replace(found.clone());
        // Where the person has put the focus, is theirs.
        let from = usize::from(is_own);
        let near = |(one, other): (&i32, &i32)| one.abs_diff(*other) <= NEAR;
        if before.len() == found.len() && before.iter().zip(&found).skip(from).all(near) {
            return;
        }
        if is_own {
            self.aimed.set(now() + AIMED);
        } else {
            self.settle();
        }
    }

    /// Whether the form is on the screen, in a window in front.
    fn is_seen(&self) -> bool {
        self.places.borrow().iter().skip(2).any(|place| *place != i32::MIN)
    }

    /// Whether what is asked was in sight, too.
    fn is_read(&self) -> bool {
        *self.asked.borrow() == self.base().and_then(|base| dom::asked(&base))
    }

    /// Scrolls to what is asked, where the last key or press counts for nothing because that was not in sight; says whether it is so.
    fn leads_there(&self) -> bool {
        let question = self.base().and_then(|base| dom::question(&base)).filter(|_| self.is_unread.get());
        question.iter().for_each(dom::scroll_amid);
        question.is_some()
    }

    /// Whether what comes from within the form can be an act of the person: nobody acts on what they do not see.
    fn may_act(&self) -> bool {
        self.looks.borrow().is_none() || self.is_seen()
    }

    /// Whether the person has been still since the last change that was not theirs; an event that comes too soon starts the wait again.
    fn is_still(&self, event: &Event) -> bool {
        let now = time(event);
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
        self.base.replace(Some(base.node()));
        let base = HEARD.iter().fold(base, |base, name| {
            let guard = Rc::clone(self);
            base.before(name, move |event| {
                guard.stays_with_window();
                if guard.stops(&event) {
                    if !(guard.frozen.get() && leads_away(&event)) {
                        event.prevent_default();
                    }
                    event.stop_immediate_propagation();
                } else if guard.is_act(&event) {
                    guard.acts(true);
                }
            })
        });
        let guard = Rc::clone(self);
        base.on("focusin", move |event| guard.focused(&event))
    }

    /// Whether what comes from within the form is an act of the person: a press that came too soon is none.
    fn is_act(&self, event: &Event) -> bool {
        let counts = match event.type_().as_str() {
            "keyup" => false,
            "pointerdown" => self.pointer.get() == self.shown.get(),
            _ => true,
        };
        counts && self.may_act()
    }

    /// The person does something, which `leads` where it may move the focus: what has changed once that is painted is no surprise.
    fn acts(self: &Rc<Self>, leads: bool) {
        self.acted.set(now());
        if leads {
            self.led.set(now());
        }
        self.looks_soon();
    }

    /// Something may have moved. What the person has set off may move more.
    fn moved(self: &Rc<Self>) {
        let follows = self.follows();
        self.look(follows);
        if follows {
            self.looks_soon();
        }
    }

    /// Something in the form gets the focus. It may have been elsewhere only for a moment: nothing else has changed then.
    fn focused(self: &Rc<Self>, event: &Event) {
        if now() >= self.led.get() + FOLLOWS && !self.base().is_some_and(|base| dom::is_from_within(event, &base)) {
            self.settle();
        }
        self.moved();
    }

    /// Looks for what follows from what the person did, once that is painted.
    fn looks_soon(self: &Rc<Self>) {
        if self.looks.borrow().is_none() || self.is_due.replace(true) {
            return;
        }
        let guard = Rc::downgrade(self);
        drawn(self.base(), move || {
            if let Some(guard) = guard.upgrade() {
                guard.is_due.set(false);
                guard.look(true);
            }
        });
    }

    fn stops(&self, event: &Event) -> bool {
        if self.frozen.get() {
            return true;
        }
        let now = self.shown.get();
        let goes_down = matches!(event.type_().as_str(), "pointerdown" | "keydown");
        let asks = self.looks.borrow().is_some();
        if goes_down && asks {
            self.look(self.follows());
            self.is_unread.set(!leads_on(event) && !self.is_read());
        }
        // Where nothing is asked, nothing can be answered by accident.
        let counts = !goes_down || !asks || (self.is_still(event) && self.is_seen() && !self.is_unread.get());
        let is_counted = self.painted.get() == now && counts;
        let counted = if is_counted { now } else { 0 };
        let field = |name: &str| property(event, name);
        let number = |name: &str| field(name).as_f64().unwrap_or_default();
        match event.type_().as_str() {
            "pointerdown" => {
                self.place.set((number("clientX"), number("clientY")));
                // Whoever presses has had the time to aim.
                self.pointer.set(if time(event) < self.aimed.get() { 0 } else { counted });
            }
            "click" => {
                // Clicks of scripts and of keys have no count, those of assistive technology no type of pointer. Those of scripts always count.
                let count = number("detail");
                if count < 1.0 || field("pointerType").as_string().is_some_and(|kind| kind.is_empty()) {
                    let is_soon = self.painted.get() != now || time(event) < self.still.get();
                    return self.is_open.get() && field("isTrusted").is_truthy() && is_soon;
                }
                if count < 2.0 {
                    self.first_click.set(self.pointer.get());
                }
                let (left, top) = self.place.get();
                let is_dragged = (number("clientX") - left).hypot(number("clientY") - top) > DRAGGED;
                let is_marking = is_dragged && self.base().is_some_and(|base| dom::has_selection(&base));
                let stops = self.pointer.get() != now || self.first_click.get() != now || is_marking;
                if stops && !is_marking {
                    self.leads_there();
                }
                return stops;
            }
            kind @ ("keydown" | "keyup") => {
                let key: &KeyboardEvent = event.unchecked_ref();
                let is_up = kind == "keyup";
                let stops = self.stops_key(key, is_up, counted, now);
                let leads = !is_up && answers(key) && self.leads_there();
                return stops || leads;
            }
            "input" => self.typed.set(now),
            _ => {}
        }
        false
    }

    fn stops_key(&self, event: &KeyboardEvent, up: bool, counted: usize, now: usize) -> bool {
        if composes(event) {
            return false;
        }
        let key = event.key();
        let target = target_of(event);
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
        let enters = key == "Enter" && (control || !target.is_some_and(breaks));
        let activates = space || enters;
        // Enter goes on from a text that was typed, takes one that was not, and presses whatever else has the focus.
        let is_typed = self.typed.get() == now && target.is_some_and(takes_text);
        let presses = space || (enters && !is_typed);
        if presses && time(event) < self.stepped.get() {
            self.key.set(0);
        }
        let is_old = self.key.get() != now;
        if event.repeat() { activates || (is_old && key.chars().count() == 1) } else { activates && is_old }
    }
}

/// The element that an event comes from.
fn target_of(event: &Event) -> Option<Element> {
    event.target().and_then(|target| target.dyn_into().ok())
}

/// Whether what is pressed is one of the other ways to go on, which answer nothing, or stands in what they open.
fn leads_on(event: &Event) -> bool {
    const WAYS: &str = "[data-way], [data-again], dialog, .reply:not([data-confirming])";
    target_of(event).is_some_and(|target| target.closest(WAYS).is_ok_and(|found| found.is_some()))
}

/// Whether a key may answer, or change what is chosen: not one that is typed into a text, nor one that moves or modifies.
fn answers(event: &KeyboardEvent) -> bool {
    let key = event.key();
    let is_modified = event.ctrl_key() || event.meta_key() || event.alt_key();
    let is_text = target_of(event).as_ref().is_some_and(takes_text);
    let enters = key == "Enter" && !(is_text && event.shift_key());
    let chooses = !is_text && !is_modified && (key.chars().count() == 1 || key.starts_with("Arrow"));
    (enters || chooses) && !composes(event)
}

/// Whether a key leads out of a form that takes nothing, or is one of the browser's.
fn leads_away(event: &Event) -> bool {
    event
        .dyn_ref::<KeyboardEvent>()
        .is_some_and(|key| key.key() == "Tab" || key.ctrl_key() || key.meta_key() || key.alt_key())
}

/// Does something once what has been changed in an element is on the screen: the frame after the next is drawn then.
fn drawn(base: Option<HtmlElement>, act: impl FnOnce() + 'static) {
    let again = base.clone();
    next_frame(base.as_ref(), move || next_frame(again.as_ref(), act));
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
    element.matches("textarea:not(.json, [data-lines], [data-lines] *)").unwrap_or_default() && !is_touched()
}

/// Whether the element holds many lines.
fn takes_lines(element: &Element) -> bool {
    dom::is_area(element) || element.closest("[contenteditable]").is_ok_and(|found| found.is_some())
}
