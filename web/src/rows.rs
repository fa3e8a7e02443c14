//! The rows of a list of options: which are listed, which of these are in the document, and which options are chosen. Of a long list only
//! the rows in sight and some around them are in the document; what is chosen stays chosen wherever its row is.

use crate::{
    element::{El, property},
    fold::{Texts, fold},
};
use js_sys::Reflect;
use std::cell::{Cell, RefCell};
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement, Node};

/// How it is noted that an option is chosen, or is not.
pub const CHOSEN: u8 = b'1';
pub const NOT_CHOSEN: u8 = b'0';

/// With more options than these, not all rows are in the document.
const SHORT: usize = 100;
/// How many rows beyond those in sight are in the document, on either side.
const BEYOND: usize = 6;
/// How many rows are in the document at most.
const MOST: usize = 36;
/// How high a row and a list are taken to be before they are measured, in pixels.
const ROW: i32 = 48;
const LIST: i32 = 600;

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
    /// The places of the options that are listed, ascending.
    listed: RefCell<Vec<usize>>,
    /// What the filter looks for, folded; and the place of the first option that has it.
    sought: RefCell<String>,
    first: Cell<Option<usize>>,
    /// The same where no other option has it.
    only: Cell<Option<usize>>,
    /// The rows in the document, in their order.
    made: RefCell<Vec<Row>>,
    /// The heights of the rows that were measured, or 0.
    heights: RefCell<Vec<i32>>,
    width: Cell<i32>,
    /// The place of the option that stands for all: Tab leads to it, and the focus after a refusal.
    at: Cell<usize>,
    refused: Cell<&'static str>,
}

/// What a filter has found.
pub struct Found {
    pub all: usize,
    pub matching: usize,
    /// How many are listed only since they are chosen.
    pub beside: usize,
}

/// Whether so many options are too many to have all rows in the document.
pub fn is_long(options: usize) -> bool {
    options > SHORT
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
            sought: RefCell::default(),
            first: Cell::new(None),
            only: Cell::new(None),
            made: RefCell::default(),
            heights: RefCell::new(if is_long(count) { vec![0; count] } else { Vec::new() }),
            width: Cell::new(0),
            at: Cell::new(at),
            refused: Cell::new("false"),
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
        self.listed.borrow().binary_search(&place).ok()
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
    pub fn filter(&self, text: &str) -> Found {
        self.sync();
        self.sought.replace(fold(text.trim()));
        let mut found = Found { all: self.texts.choices().len(), matching: 0, beside: 0 };
        let (mut first, mut chosen) = (None, None);
        let mut listed = Vec::new();
        for (place, mark) in self.marks.borrow().iter().enumerate() {
            let is_chosen = *mark == CHOSEN;
            if self.matches(place) {
                found.matching += 1;
                first = first.or(Some(place));
            } else if is_chosen {
                found.beside += 1;
            } else {
                continue;
            }
            chosen = chosen.or(Some(place).filter(|_| is_chosen));
            listed.push(place);
        }
        self.listed.replace(listed);
        let stays = if self.one { chosen } else { Some(self.at.get()).filter(|at| self.index_of(*at).is_some()) };
        self.at.set(stays.or(first).or(chosen).unwrap_or(0));
        let first = first.filter(|_| !self.sought.borrow().is_empty());
        self.first.set(first);
        self.only.set(first.filter(|_| found.matching == 1));
        if self.is_long() {
            self.list.set_scroll_top(0);
        }
        self.render();
        found
    }

    /// The index of the first option that matches the filter; without one, of that which stands for all.
    pub fn first(&self) -> usize {
        self.index_of(self.first.get().unwrap_or(self.at.get())).unwrap_or(0)
    }

    /// The index of the one option that matches the filter, where one alone does.
    pub fn only(&self) -> Option<usize> {
        self.index_of(self.only.get()?)
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

    /// Measures the rows anew where the list has another width, and shows the rows in sight. At first what is chosen is in sight.
    pub fn resized(&self) {
        let width = self.list.client_width();
        let before = self.width.replace(width);
        if width != before {
            self.heights.borrow_mut().fill(0);
        }
        self.render();
        if before == 0 && self.index_of(self.at.get()).is_some_and(|index| index > 0) {
            self.scroll_to(self.at.get());
        }
    }

    /// Brings the row of an option into the document.
    fn reveal(&self, place: usize) {
        if !self.is_long() {
            return;
        }
        self.at.set(place);
        let is_made = self.made.borrow().iter().any(|row| row.place == place);
        if !is_made {
            self.scroll_to(place);
        }
    }

    pub fn scroll_to(&self, place: usize) {
        let before = {
            let (listed, heights) = (self.listed.borrow(), self.heights.borrow());
            let usual = usual(&heights);
            listed.iter().take_while(|listed| **listed < place).map(|listed| height(&heights, *listed, usual)).sum()
        };
        self.list.set_scroll_top(before);
        self.render();
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
        for row in made.iter() {
            row.outer.node().set_hidden(!listed.contains(&row.place));
        }
    }

    fn render_window(&self) {
        let (listed, marks) = (self.listed.borrow(), self.marks.borrow());
        let (mut heights, mut made) = (self.heights.borrow_mut(), self.made.borrow_mut());
        for row in made.iter() {
            let measured = row.outer.node().offset_height();
            if let Some(height) = heights.get_mut(row.place).filter(|_| measured > 0) {
                *height = measured;
            }
        }
        let usual = usual(&heights);
        let (top, high) = (self.list.scroll_top(), self.list.client_height());
        let bottom = top + if high > 0 { high } else { LIST };
        let (mut below, mut from, mut to) = (0, listed.len(), 0);
        for (index, place) in listed.iter().enumerate() {
            if below < bottom {
                to = index + 1;
            }
            below += height(&heights, *place, usual);
            if below > top && from > index {
                from = index;
            }
        }
        let from = from.min(to).saturating_sub(BEYOND);
        let to = (to + BEYOND).min(listed.len()).min(from + MOST);
        let kept = listed.binary_search(&self.at.get()).ok();
        let wanted = |index: usize| (from..to).contains(&index) || Some(index) == kept;

        // What is seen stays where it is, though the rows above it may turn out higher than they were taken to be.
        let is_wanted = |place: usize| listed.binary_search(&place).is_ok_and(wanted);
        let anchor = made.iter().filter(|row| is_wanted(row.place)).map(|row| row.outer.node());
        let mut anchor = anchor.map(|node| (node.offset_top(), node)).filter(|(above, node)| above + node.offset_height() > top);
        let anchor = anchor.next();
        let (old, gone): (Vec<Row>, Vec<Row>) = made.drain(..).partition(|row| is_wanted(row.place));
        for row in gone {
            row.outer.node().remove();
            if let Some(preview) = &row.preview {
                preview.node().remove();
            }
        }
        let mut old = old.into_iter().peekable();
        let mut next = self.holder.first_child();
        let (mut skipped, count) = (0, listed.len() + usize::from(self.other.is_some()));
        for (index, place) in listed.iter().enumerate() {
            if !wanted(index) {
                skipped += height(&heights, *place, usual);
                continue;
            }
            let row = old.next_if(|row| row.place == *place);
            let row = row.unwrap_or_else(|| (self.make)(*place, marks.get(*place) == Some(&CHOSEN)));
            let node = row.outer.node();
            if next.as_ref().is_some_and(|next| next.is_same_node(Some(&node))) {
                next = node.next_sibling();
            } else {
                // It is no part of itself.
                drop(self.holder.insert_before(&node, next.as_ref()));
            }
            space(&node, "marginBlockStart", skipped);
            skipped = 0;
            // A checkbox has no place in a set; an item of a list has.
            let counted = if self.one { &row.control } else { &node };
            set(counted, "aria-posinset", &(index + 1).to_string());
            set(counted, "aria-setsize", &count.to_string());
            made.push(row);
        }
        space(&self.holder, "paddingBlockEnd", skipped);
        if let Some((above, node)) = anchor {
            let moved = node.offset_top() - above;
            if moved != 0 {
                self.list.set_scroll_top(top + moved);
            }
        }
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

/// How high the rows are that were not measured.
fn usual(heights: &[i32]) -> i32 {
    let measured = heights.iter().filter(|height| **height > 0);
    let (sum, count) = measured.fold((0, 0), |(sum, count), height| (sum + height, count + 1));
    if count > 0 { sum / count } else { ROW }
}

fn height(heights: &[i32], place: usize, usual: i32) -> i32 {
    heights.get(place).copied().filter(|height| *height > 0).unwrap_or(usual)
}

pub fn is_chosen(control: &HtmlElement) -> bool {
    property(control, "checked").is_truthy()
}

fn check(control: &HtmlElement, chosen: bool) {
    // Radios and checkboxes have it.
    drop(Reflect::set(control, &"checked".into(), &chosen.into()));
}

fn set(node: &HtmlElement, name: &str, value: &str) {
    // All names stand in this file.
    drop(node.set_attribute(name, value));
}

/// Leaves space by a property of the element's style. A policy of the page may forbid styles in attributes, and not this.
fn space(node: &HtmlElement, name: &str, pixels: i32) {
    let style = property(node, "style");
    drop(Reflect::set(style.unchecked_ref(), &name.into(), &format!("{pixels}px").into()));
}
