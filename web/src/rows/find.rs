//! Lets the browser's own search ("find in page") find the rows of a long list that are not in the document. Their texts stand behind the
//! rows as `hidden="until-found"` (HTML Standard, "The hidden attribute"), several rows to an element. Where the browser finds one, it fires
//! `beforematch`, shows the element and scrolls to the text, which then stands where the row is. A browser without `hidden="until-found"` finds the rows in sight only.

use super::{Rows, set, window};
use crate::{
    element::{El, append, el},
    timer::later,
    words::shown,
};
use js_sys::Reflect;
use std::rc::Rc;
use wasm_bindgen::JsCast;
use web_sys::HtmlElement;

/// How many elements the texts have at most, and how many rows one has at least.
const ELEMENTS: usize = 250;
const ROWS: usize = 20;
/// When the texts are made, in milliseconds after the list is shown: the list does not wait for them.
const AFTER: i32 = 300;
/// The attributes that say at which index an element begins, and how many rows it has.
const FROM: &str = "data-from";
const COUNT: &str = "data-count";

/// Where the texts are, and how often it was asked for them.
pub(super) struct Findable {
    holder: HtmlElement,
    asked: u32,
}

/// The element that holds the texts. It is no content of the list: a screen reader reads the rows.
pub fn findable(rows: &Rc<Rows>) -> Option<El> {
    let holder = el("div").attr("class", "findable").attr("aria-hidden", "true");
    if !Reflect::has(&holder.node(), &"onbeforematch".into()).unwrap_or_default() {
        return None;
    }
    rows.findable.replace(Some(Findable { holder: holder.node(), asked: 0 }));
    let found = Rc::clone(rows);
    rows.make_findable();
    Some(holder.on("beforematch", move |event| {
        if let Some(target) = event.target().and_then(|target| target.dyn_into().ok()) {
            found.found_in(&target);
        }
    }))
}

impl Rows {
    /// Makes the texts of the rows that are listed, once there is time.
    pub(super) fn make_findable(self: &Rc<Self>) {
        let rows = Rc::downgrade(self);
        let Some(asked) = self.findable.borrow_mut().as_mut().map(|findable| {
            findable.asked += 1;
            findable.asked
        }) else {
            return;
        };
        later(AFTER, move || {
            if let Some(rows) = rows.upgrade() {
                rows.write_findable(asked);
            }
        });
    }

    /// Makes the texts, unless it was asked for others since.
    fn write_findable(&self, asked: u32) {
        let findable = self.findable.borrow();
        let Some(Findable { holder, .. }) = findable.as_ref().filter(|findable| findable.asked == asked) else {
            return;
        };
        holder.set_text_content(None);
        let (listed, choices) = (self.listed.borrow(), self.texts.choices());
        let size = listed.len().div_ceil(ELEMENTS).max(ROWS);
        for (number, places) in listed.chunks(size).enumerate() {
            let mut text = String::new();
            for choice in places.iter().filter_map(|place| choices.get(*place)) {
                let described = choice.description.as_deref().unwrap_or_default();
                // A row has a line.
                text.extend(shown(&choice.label).chars().map(|sign| if sign == '\n' { ' ' } else { sign }));
                text.push(' ');
                text.extend(shown(described).chars().map(|sign| if sign == '\n' { ' ' } else { sign }));
                text.push('\n');
            }
            let part = el("div").attr("dir", "auto").attr("hidden", "until-found").text(&text);
            let part = part.attr(FROM, &(number * size).to_string()).attr(COUNT, &places.len().to_string());
            append(holder, &part.node());
        }
    }

    /// Puts the texts of an element where their rows are: the browser is about to show it, and to scroll there.
    fn found_in(&self, part: &HtmlElement) {
        self.hide_found();
        let number = |name: &str| part.get_attribute(name).and_then(|number| number.parse().ok()).unwrap_or(0_usize);
        let (from, count) = (number(FROM), number(COUNT).max(1));
        let (above, high) = self.extent(from, from + count);
        window::space(part, "insetBlockStart", above);
        window::space(part, "blockSize", high);
        window::style(part, "lineHeight", &format!("calc({high}px / {count})"));
    }

    /// Hides again what the browser has shown.
    pub fn hide_found(&self) {
        let findable = self.findable.borrow();
        let mut next = findable.as_ref().and_then(|findable| findable.holder.first_child());
        while let Some(part) = next {
            next = part.next_sibling();
            let part: &HtmlElement = part.unchecked_ref();
            if !part.has_attribute("hidden") {
                set(part, "hidden", "until-found");
            }
        }
    }
}
