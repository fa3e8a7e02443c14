//! The rows of a list of options: which are listed, which of these are in the document, and which options are chosen. Of a long list only
//! the rows in sight and some around them are in the document; what is chosen stays chosen wherever its row is.

mod find;
mod window;

pub use find::findable;

use crate::{
    dom::{Element, HtmlElement, Node, property, set_property},
    element::El,
    fold::{Texts, fold},
};
use std::{
    cell::{Cell, OnceCell, RefCell},
    rc::Rc,
};

/// How it is noted that an option is chosen, or is not.
pub const CHOSEN: u8 = b'1';
pub const NOT_CHOSEN: u8 = b'0';

/// With more options than these, not all rows are in the document.
const SHORT: usize = 100;

/// A row in the document.
pub struct Row {
    pub place: usize,
    /// The element below that of all rows.
    pub outer: El,
    pub control: HtmlElement,
    pub preview: Option<El>,
}

/// The row for a text in place of an option.
pub struct Other {
    pub control: HtmlElement,
    pub text: HtmlElement,
}

/// All rows of a choice.
pub struct Rows {
    /// The element that scrolls, and the one that holds the rows.
    pub list: HtmlElement,
    holder: HtmlElement,
    /// Whether one option is chosen: the controls are radios, not checkboxes.
    pub one: bool,
    pub texts: Texts,
    make: Box<dyn Fn(usize, bool) -> Row>,
    pub other: Option<Other>,
    /// A mark for each option.
    marks: RefCell<Vec<u8>>,
    /// The places of the options that are listed: those that match, then those that are listed only since they are chosen.
    listed: RefCell<Vec<usize>>,
    /// How many of these match.
    matching: Cell<usize>,
    /// What the filter looks for, folded.
    sought: RefCell<String>,
    /// The rows in the document, in their order.
    made: RefCell<Vec<Row>>,
    /// The heights of the rows that were measured, or 0.
    heights: RefCell<Vec<i32>>,
    width: Cell<i32>,
    /// Whether another part of the list is shown than before.
    moved: Cell<bool>,
    /// Whether all rows are in the document, to be printed.
    printed: Cell<bool>,
    /// The place of the option that stands for all: Tab leads to it, and the focus after a refusal.
    at: Cell<usize>,
    refused: Cell<&'static str>,
    /// What the browser's own search finds of the rows that are not in the document.
    findable: OnceCell<HtmlElement>,
}

/// What a filter has found.
pub struct Found {
    pub all: usize,
    pub matching: usize,
    /// How many are listed below these only since they are chosen.
    pub beside: usize,
}

/// Whether so many options are too many to have all rows in the document.
pub fn is_long(options: usize) -> bool {
    // Nothing is seen of a list that is written as HTML: all of its rows are there.
    cfg!(page) && options > SHORT
}

impl Rows {
    /// The rows in a list, with what is chosen at first. `holder` is the list itself, or an element in it that holds no "Other".
    pub fn new(
        (list, holder): (HtmlElement, HtmlElement),
        texts: Texts,
        one: bool,
        mut marks: Vec<u8>,
        other: Option<Other>,
        make: Box<dyn Fn(usize, bool) -> Row>,
    ) -> Self {
        let count = texts.choices().len();
        let is_other = marks.get(count) == Some(&CHOSEN);
        marks.resize(count, NOT_CHOSEN);
        if one {
            // What was kept is a text from outside: one is chosen at most.
            let last = marks.iter().rposition(|mark| *mark == CHOSEN).filter(|_| !is_other);
            marks.fill(NOT_CHOSEN);
            if let Some(mark) = last.and_then(|last| marks.get_mut(last)) {
                *mark = CHOSEN;
            }
        }
        let at = marks.iter().position(|mark| *mark == CHOSEN).unwrap_or(0);
        let rows = Self {
            list,
            holder,
            one,
            texts,
            make,
            other,
            marks: RefCell::new(marks),
            listed: RefCell::new((0..count).collect()),
            matching: Cell::new(count),
            sought: RefCell::default(),
            made: RefCell::default(),
            heights: RefCell::new(if is_long(count) { vec![0; count] } else { Vec::new() }),
            width: Cell::new(0),
            moved: Cell::new(false),
            printed: Cell::new(false),
            at: Cell::new(at),
            refused: Cell::new("false"),
            findable: OnceCell::new(),
        };
        rows.render();
        rows
    }

    pub fn is_long(&self) -> bool {
        is_long(self.texts.choices().len())
    }

    /// How many options there are, "Other" among them.
    pub fn count(&self) -> usize {
        self.texts.choices().len() + usize::from(self.other.is_some())
    }

    /// How many are listed, likewise.
    pub fn listed(&self) -> usize {
        self.listed.borrow().len() + usize::from(self.other.is_some())
    }

    /// Which option is listed at an index; none for "Other".
    pub fn listed_at(&self, index: usize) -> Option<usize> {
        self.listed.borrow().get(index).copied()
    }

    /// The index at which an option is listed.
    pub fn index_of(&self, place: usize) -> Option<usize> {
        self.listed.borrow().iter().position(|listed| *listed == place)
    }

    /// The index of a control. The text of "Other" stands for its radio, or comes after its checkbox.
    pub fn index(&self, element: &Element) -> Option<usize> {
        let element: &Node = element;
        if let Some(other) = &self.other {
            let last = self.listed() - 1;
            if other.control.is_same_node(Some(element)) {
                return Some(last);
            }
            if other.text.is_same_node(Some(element)) {
                return Some(if self.one { last } else { last + 1 });
            }
        }
        self.index_of(self.place_of(element)?)
    }

    /// The place of the option whose row holds an element.
    pub fn place_of(&self, element: &Node) -> Option<usize> {
        let made = self.made.borrow();
        made.iter().find(|row| row.outer.node().contains(Some(element))).map(|row| row.place)
    }

    /// A mark for each option, and for "Other".
    pub fn marks(&self) -> String {
        self.sync();
        let marks = self.marks.borrow();
        let other = self.other.as_ref().map(|other| if is_chosen(&other.control) { CHOSEN } else { NOT_CHOSEN });
        marks.iter().copied().chain(other).map(char::from).collect()
    }

    /// The places of what is chosen.
    pub fn chosen(&self) -> Vec<usize> {
        self.sync();
        let marks = self.marks.borrow();
        marks.iter().enumerate().filter(|(_, mark)| **mark == CHOSEN).map(|(place, _)| place).collect()
    }

    /// The row of "Other", where that is chosen.
    pub fn chosen_other(&self) -> Option<&Other> {
        self.other.as_ref().filter(|other| is_chosen(&other.control))
    }

    /// Chooses the options that match, beside those that are chosen; or none at all, "Other" included.
    pub fn choose(&self, all: bool) {
        for (place, mark) in self.marks.borrow_mut().iter_mut().enumerate() {
            if !all || self.matches(place) {
                *mark = if all { CHOSEN } else { NOT_CHOSEN };
            }
        }
        let marks = self.marks.borrow();
        for row in &*self.made.borrow() {
            check(&row.control, marks.get(row.place) == Some(&CHOSEN));
        }
        if let (Some(other), false) = (&self.other, all) {
            check(&other.control, false);
        }
    }

    /// How many would be chosen if those that match were, too. "Other" counts.
    pub fn with_matching(&self) -> usize {
        self.sync();
        let marks = self.marks.borrow();
        let counts = |(place, mark): &(usize, &u8)| **mark == CHOSEN || self.matches(*place);
        marks.iter().enumerate().filter(counts).count() + usize::from(self.chosen_other().is_some())
    }

    fn matches(&self, place: usize) -> bool {
        let sought = self.sought.borrow();
        sought.is_empty() || self.texts.have(place, &sought)
    }

    /// Lists the options that match a text, and those that are chosen.
    pub fn filter(self: &Rc<Self>, text: &str) -> Found {
        self.sync();
        self.sought.replace(fold(text.trim()));
        let mut found = Found { all: self.texts.choices().len(), matching: 0, beside: 0 };
        let (mut first, mut chosen) = (None, None);
        let (mut listed, mut beside) = (Vec::new(), Vec::new());
        for (place, mark) in self.marks.borrow().iter().enumerate() {
            let is_chosen = *mark == CHOSEN;
            chosen = chosen.or(Some(place).filter(|_| is_chosen));
            if self.matches(place) {
                first = first.or(Some(place));
                listed.push(place);
            } else if is_chosen {
                beside.push(place);
            }
        }
        (found.matching, found.beside) = (listed.len(), beside.len());
        self.matching.set(listed.len());
        listed.append(&mut beside);
        self.listed.replace(listed);
        let stays = if self.one { chosen } else { Some(self.at.get()).filter(|at| self.index_of(*at).is_some()) };
        self.at.set(stays.or(first).or(chosen).unwrap_or(0));
        if self.is_long() {
            self.list.set_scroll_top(0);
            self.make_findable();
        }
        self.moved.set(true);
        self.render();
        found
    }

    /// The index of the first option that matches the filter; without one, of that which stands for all.
    pub fn first(&self) -> usize {
        if self.found() > 0 { 0 } else { self.index_of(self.at.get()).unwrap_or(0) }
    }

    /// The index of the one option that matches the filter, where one alone does.
    pub fn only(&self) -> Option<usize> {
        (self.found() == 1).then_some(0)
    }

    /// How many options a filter has found, which are listed first; none without a filter.
    fn found(&self) -> usize {
        if self.sought.borrow().is_empty() { 0 } else { self.matching.get() }
    }

    /// Leads to what is listed at an index; says whether there is something.
    pub fn go(&self, index: usize, chooses: bool) -> bool {
        let control = match self.listed_at(index) {
            Some(place) => {
                self.reveal(place);
                let made = self.made.borrow();
                made.iter().find(|row| row.place == place).map(|row| row.control.clone())
            }
            None => self.other.as_ref().filter(|_| index < self.listed()).map(|other| other.control.clone()),
        };
        let Some(control) = control else { return false };
        // An element that cannot take the focus leaves it where it is.
        drop(control.focus());
        if chooses {
            control.click();
        }
        true
    }

    /// The place of the option that stands for all.
    pub fn at(&self) -> usize {
        self.at.get()
    }

    /// Notes where the focus is: Tab leads there again.
    pub fn focused(&self, target: &Node) {
        if let Some(place) = self.place_of(target).filter(|_| self.is_long()) {
            self.at.set(place);
            self.stand_in();
        }
    }

    /// Notes whether the answer was refused.
    pub fn refuse(&self, refused: &'static str) {
        self.refused.set(refused);
        self.stand_in();
    }

    /// Takes from the document what is chosen there. Of radios, those that are not there are chosen only while none that is there is.
    pub fn sync(&self) {
        let made = self.made.borrow();
        let mut marks = self.marks.borrow_mut();
        if self.one && (self.chosen_other().is_some() || made.iter().any(|row| is_chosen(&row.control))) {
            marks.fill(NOT_CHOSEN);
        }
        for row in made.iter() {
            if let Some(mark) = marks.get_mut(row.place) {
                *mark = if is_chosen(&row.control) { CHOSEN } else { NOT_CHOSEN };
            }
        }
    }

    /// Brings the document in line with what is listed, and in a long list with what is in sight.
    pub fn render(&self) {
        if self.is_long() {
            self.sync();
            self.render_window();
        } else {
            self.render_all();
        }
        self.stand_in();
    }

    fn render_all(&self) {
        let (listed, marks, mut made) = (self.listed.borrow(), self.marks.borrow(), self.made.borrow_mut());
        if made.is_empty() {
            for place in listed.iter() {
                let row = (self.make)(*place, marks.get(*place) == Some(&CHOSEN));
                // The holder has no row yet.
                drop(self.holder.append_child(&row.outer.node()));
                made.push(row);
            }
            return;
        }
        // Those that are listed stand in their order, and before all others.
        let mut next = self.holder.first_child();
        for (index, place) in listed.iter().enumerate() {
            if let Some(row) = made.iter().find(|row| row.place == *place) {
                next = self.put(row, index, next);
            }
        }
        for row in made.iter() {
            row.outer.node().set_hidden(!listed.contains(&row.place));
        }
    }

    /// Puts a row where the next one is to stand, and gives what comes after it.
    fn put(&self, row: &Row, index: usize, next: Option<Node>) -> Option<Node> {
        let node = row.outer.node();
        set(&node, "data-beside", if index < self.matching.get() { "" } else { "true" });
        if next.as_ref().is_some_and(|next| next.is_same_node(Some(&node))) {
            return node.next_sibling();
        }
        // It is no part of itself.
        drop(self.holder.insert_before(&node, next.as_ref()));
        next
    }

    /// Lets one of the rows in the document stand for all.
    fn stand_in(&self) {
        let made = self.made.borrow();
        let is_there = made.iter().any(|row| row.place == self.at.get() && !row.outer.node().hidden());
        let at = if is_there { Some(self.at.get()) } else { self.listed_at(0) };
        for row in made.iter() {
            let stands = Some(row.place) == at;
            if self.is_long() {
                set(&row.control, "tabindex", if stands { "0" } else { "-1" });
            }
            if stands {
                set(&row.control, "data-field", "");
                set(&row.control, "aria-invalid", self.refused.get());
            } else if row.control.has_attribute("data-field") {
                for name in ["data-field", "aria-invalid"] {
                    drop(row.control.remove_attribute(name));
                }
            }
        }
    }
}

pub fn is_chosen(control: &HtmlElement) -> bool {
    property(control, "checked").is_truthy()
}

pub fn check(control: &HtmlElement, chosen: bool) {
    set_property(control, "checked", chosen);
}

fn set(node: &HtmlElement, name: &str, value: &str) {
    // All names stand in this file.
    drop(node.set_attribute(name, value));
}
