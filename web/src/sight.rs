//! What a person has had in sight. An approval counts only after the ends of all that would run were in the window once.

use crate::{
    dom::{self, HtmlElement, JsCast, set_property},
    element::{El, el},
};
use std::{
    cell::{Cell, RefCell},
    rc::Rc,
};

/// An end, and whether it was in sight.
type End = (HtmlElement, Rc<Cell<bool>>);

/// The ends of what one call would do.
#[derive(Clone, Default)]
pub struct Sight(Rc<RefCell<Vec<End>>>);

impl Sight {
    /// The element of an end. It stands behind what has to be seen.
    pub fn end(&self) -> El {
        let end = el("span").attr("class", "end").attr("data-end", "");
        let (node, seen) = (end.node(), Rc::new(Cell::new(false)));
        self.0.borrow_mut().push((end.node(), Rc::clone(&seen)));
        let observed = dom::observe_sight(&end.node(), move || seen.set(seen.get() || fold(&node).is_none()));
        end.holding(observed)
    }

    /// Shows the first end that was not in sight yet, and says whether there is one.
    pub fn reveal(&self) -> bool {
        let ends = self.0.borrow();
        let is_seen = |end: &HtmlElement| fold(end).is_none() && dom::is_in_window(end);
        let Some((end, _)) = ends.iter().find(|(end, seen)| !seen.get() && !is_seen(end)) else { return false };
        if let Some(fold) = fold(end) {
            set_property(&fold, "open", true);
        }
        dom::scroll_to(end);
        true
    }
}

/// What an end is folded away in. A browser may give it a place in the window all the same.
fn fold(end: &HtmlElement) -> Option<HtmlElement> {
    end.closest("details:not([open])").ok().flatten()?.dyn_into().ok()
}
