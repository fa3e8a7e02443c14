//! Lets the browser's own search ("find in page") find the rows of a long list that are not in the document. Their texts stand behind the
//! rows as `hidden="until-found"` (HTML Standard, "The hidden attribute"), several rows to an element. Where the browser finds one, it fires
//! `beforematch`, shows the element and scrolls to the text, which then stands where the row is. A browser without `hidden="until-found"` finds only the
//! rows in the document.

use super::{Rows, set, window};
use crate::{
    dom::{HtmlElement, JsCast, Node, has_property, later, set_style},
    element::{El, append, el},
    words::shown,
};
use std::{iter::successors, rc::Rc};

/// How many elements the texts have at most, and how many rows one has at least.
const ELEMENTS: usize = 250;
const ROWS: usize = 20;
/// When the texts are made, in milliseconds after the list is shown: the list does not wait for them.
const AFTER: i32 = 300;

/// The element that holds the texts. It is no content of the list: a screen reader reads the rows.
pub fn findable(rows: &Rc<Rows>) -> Option<El> {
    let holder = el("div").attr("class", "findable").attr("aria-hidden", "true");
    if !has_property(&holder.node(), "onbeforematch") {
        return None;
    }
    // A list has one.
    drop(rows.findable.set(holder.node()));
    rows.make_findable();
    let found = Rc::clone(rows);
    Some(holder.on("beforematch", move |event| {
        if let Some(part) = event.target().and_then(|target| target.dyn_into().ok()) {
            found.found_in(&part);
        }
    }))
}

impl Rows {
    /// Makes the texts of the rows that are listed, once there is time. Those of other rows are gone at once.
    pub(super) fn make_findable(self: &Rc<Self>) {
        let Some(holder) = self.findable.get() else { return };
        holder.set_text_content(None);
        let rows = Rc::downgrade(self);
        later(AFTER, move || {
            if let Some(rows) = rows.upgrade() {
                rows.write_findable();
            }
        });
    }

    /// Makes the texts, unless they are there.
    fn write_findable(&self) {
        let Some(holder) = self.findable.get().filter(|holder| !holder.has_child_nodes()) else { return };
        let choices = self.texts.choices();
        for places in self.listed.borrow().chunks(self.rows_of_a_part()) {
            let mut text = String::new();
            for choice in places.iter().filter_map(|place| choices.get(*place)) {
                let described = choice.description.as_deref().unwrap_or_default();
                // A row has a line.
                text.push_str(&shown(&format!("{} {described}", choice.label)).replace('\n', " "));
                text.push('\n');
            }
            let part = el("div").attr("dir", "auto").attr("hidden", "until-found").text(&text);
            append(holder, &part.node());
        }
    }

    fn rows_of_a_part(&self) -> usize {
        self.listed.borrow().len().div_ceil(ELEMENTS).max(ROWS)
    }

    fn parts(&self) -> impl Iterator<Item = HtmlElement> {
        let first = self.findable.get().and_then(|holder| holder.first_child());
        successors(first, Node::next_sibling).map(JsCast::unchecked_into)
    }

    /// Puts the texts of an element where their rows are: the browser is about to show it, and to scroll there.
    fn found_in(&self, part: &HtmlElement) {
        self.hide_found();
        let Some(number) = self.parts().position(|other| other.is_same_node(Some(part))) else { return };
        let size = self.rows_of_a_part();
        let from = number * size;
        let count = size.min(self.listed.borrow().len() - from);
        let (above, high) = self.extent(from, from + count);
        window::space(part, "insetBlockStart", above);
        window::space(part, "blockSize", high);
        set_style(part, "lineHeight", &format!("calc({high}px / {count})"));
    }

    /// Hides again what the browser has shown.
    pub fn hide_found(&self) {
        for part in self.parts().filter(|part| !part.has_attribute("hidden")) {
            set(&part, "hidden", "until-found");
        }
    }
}
