//! Of a long list, the rows in sight and some around them. Rows are as high as their texts: they are measured once they have been in the document, and taken to be
//! as high as the others before.

use super::{CHOSEN, Row, Rows, set};
use crate::dom::{HtmlElement, set_style};

/// How many rows beyond those in sight are in the document, on either side.
const BEYOND: usize = 6;
/// How many rows are in the document at most.
const MOST: usize = 36;
/// How high a row and a list are taken to be before they are measured, in pixels.
const ROW: i32 = 48;
const LIST: i32 = 600;

impl Rows {
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
    pub(super) fn reveal(&self, place: usize) {
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
        let before = above_of(&self.listed.borrow(), &self.heights.borrow(), place);
        self.list.set_scroll_top(before);
        self.moved.set(true);
        self.render();
    }

    /// Puts all listed rows into the document to print them, or only those in sight again.
    pub fn print(&self, all: bool) {
        self.printed.set(all);
        self.render();
    }

    /// How high all rows above an index are, and those from there to another one, in pixels.
    pub(super) fn extent(&self, from: usize, to: usize) -> (i32, i32) {
        let (listed, heights) = (self.listed.borrow(), self.heights.borrow());
        (total(listed.iter().take(from), &heights), total(listed.iter().take(to).skip(from), &heights))
    }

    /// Brings the document in line with what is in sight.
    pub(super) fn render_window(&self) {
        let (listed, marks) = (self.listed.borrow(), self.marks.borrow());
        let (mut heights, mut made) = (self.heights.borrow_mut(), self.made.borrow_mut());
        // What is seen stays where it is, though rows may turn out higher than they were taken to be.
        let (scrolled, high) = (self.list.scroll_top(), self.list.client_height());
        let high = if high > 0 { high } else { LIST };
        let seen = made.iter().map(|row| (row.place, row.outer.node())).filter(|(place, _)| listed.contains(place));
        let mut seen = seen.map(|(place, node)| (place, node.offset_top(), node)).filter(|_| !self.moved.get());
        let anchor = seen.find(|(_, above, node)| *above < scrolled + high && above + node.offset_height() > scrolled);
        self.moved.set(false);
        for row in made.iter() {
            let measured = row.outer.node().offset_height();
            if let Some(height) = heights.get_mut(row.place).filter(|_| measured > 0) {
                *height = measured;
            }
        }
        let usual = usual(&heights);
        let shift = anchor.as_ref().map_or(0, |(place, above, _)| above_of(&listed, &heights, *place) - above);
        let (top, bottom) = (scrolled + shift, scrolled + shift + high);
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
        let (from, to) = if self.printed.get() {
            (0, listed.len())
        } else {
            let from = from.min(to).saturating_sub(BEYOND);
            (from, (to + BEYOND).min(listed.len()).min(from + MOST))
        };
        let kept = listed.iter().position(|place| *place == self.at.get());
        let wanted = |index: usize| (from..to).contains(&index) || Some(index) == kept;

        let is_wanted = |place: usize| listed.iter().position(|listed| *listed == place).is_some_and(wanted);
        let (mut old, gone): (Vec<Row>, Vec<Row>) = made.drain(..).partition(|row| is_wanted(row.place));
        for row in gone {
            row.outer.node().remove();
            if let Some(preview) = &row.preview {
                preview.node().remove();
            }
        }
        let mut next = self.holder.first_child();
        let (mut skipped, count) = (0, listed.len() + usize::from(self.other.is_some()));
        for (index, place) in listed.iter().enumerate() {
            if !wanted(index) {
                skipped += height(&heights, *place, usual);
                continue;
            }
            let row = match old.iter().position(|row| row.place == *place) {
                Some(kept) => old.remove(kept),
                None => (self.make)(*place, marks.get(*place) == Some(&CHOSEN)),
            };
            next = self.put(&row, index, next);
            let node = row.outer.node();
            space(&node, "marginBlockStart", skipped);
            skipped = 0;
            // A checkbox has no place in a set; an item of a list has.
            let counted = if self.one { &row.control } else { &node };
            set(counted, "aria-posinset", &(index + 1).to_string());
            set(counted, "aria-setsize", &count.to_string());
            made.push(row);
        }
        space(&self.holder, "paddingBlockEnd", skipped);
        if let Some((_, above, node)) = anchor {
            let moved = node.offset_top() - above;
            if scrolled + moved != self.list.scroll_top() {
                self.list.set_scroll_top(scrolled + moved);
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

/// How high all rows above one are, in pixels.
fn above_of(listed: &[usize], heights: &[i32], place: usize) -> i32 {
    total(listed.iter().take_while(|listed| **listed != place), heights)
}

fn total<'a>(places: impl Iterator<Item = &'a usize>, heights: &[i32]) -> i32 {
    let usual = usual(heights);
    places.map(|place| height(heights, *place, usual)).sum()
}

fn height(heights: &[i32], place: usize, usual: i32) -> i32 {
    heights.get(place).copied().filter(|height| *height > 0).unwrap_or(usual)
}

/// Leaves space by a property of the element's style.
pub(super) fn space(node: &HtmlElement, name: &str, pixels: i32) {
    set_style(node, name, &format!("{pixels}px"));
}
