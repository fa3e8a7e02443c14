//! Where the focus goes: to a question, to its field, and back from the other ways to go on.

use super::Ui;
use crate::dom::{Event, HtmlElement, JsCast, queue_microtask};

/// A selector for what is in sight. A form as HTML has no tabs.
#[cfg(page)]
macro_rules! in_sight {
    ($selector:literal) => {
        concat!($selector, ":not([data-away] *)")
    };
}
#[cfg(not(page))]
macro_rules! in_sight {
    ($selector:literal) => {
        $selector
    };
}

/// A question of a page of several.
const ON_PAGE: &str = in_sight!("[data-on-page]");
pub const FIELD: &str = in_sight!("[data-field]");
/// The text of "Other", where that alone is chosen.
const OWN_WORDS: &str = in_sight!(".options:not(:has([data-option]:checked)) [data-other]:checked ~ [data-own]");
const QUESTION: &str = in_sight!("[data-question-text]");
/// What Enter goes on from.
const LEADS_ON: &str = concat!(in_sight!("[data-field]"), ", [data-suggested], [data-submit]");

impl Ui {
    /// Moves the focus to the field, or else the question, once the step is rendered. On a page that is the first question.
    pub fn focus_question(self) {
        self.focus(&[ON_PAGE, OWN_WORDS, FIELD, QUESTION]);
    }

    /// The same where a person went to the step: a suggested answer, or the button that sends a review, gets the focus, so that Enter takes it.
    pub fn focus_step(self) {
        self.focus(&[ON_PAGE, OWN_WORDS, LEADS_ON, QUESTION]);
    }

    /// Moves the focus to the first element of the form that fits the first of the selectors that any fits, once the step is
    /// rendered; for a question of a page, to its field.
    pub fn focus(self, selectors: &'static [&'static str]) {
        queue_microtask(move || match selectors.iter().find_map(|selector| self.found(selector)) {
            Some(element) if element.has_attribute("data-on-page") => focus_in(&element),
            Some(element) => take(&element),
            None => {}
        });
    }

    /// Notes where the focus is, if that is in a question.
    pub fn note_focus(self, event: &Event) {
        let target = event.target().and_then(|target| target.dyn_into::<HtmlElement>().ok());
        let is_in_question = |node: &HtmlElement| node.closest("[part=question]").is_ok_and(|found| found.is_some());
        if let Some(field) = target.filter(is_in_question) {
            *self.kept().field.borrow_mut() = Some(field);
        }
    }

    /// Moves the focus back to where it was in a question, or else to the first one.
    pub fn return_focus(self) {
        let field = self.kept().field.borrow().clone();
        let has_it = |field: &HtmlElement| {
            // What has gone takes no focus.
            drop(field.focus());
            field.matches(":focus").unwrap_or_default()
        };
        if !field.as_ref().is_some_and(has_it) {
            self.focus_step();
        }
    }

    /// Moves the focus to the field of a question on the page.
    pub fn go_to(self, question: &str) {
        let all = self.base().and_then(|base| base.query_selector_all(ON_PAGE).ok());
        let all = all.into_iter().flat_map(|all| (0..all.length()).filter_map(move |place| all.get(place)));
        let mut asked = all.filter_map(|node| node.dyn_into::<HtmlElement>().ok());
        if let Some(found) = asked.find(|node| node.get_attribute("data-on-page").as_deref() == Some(question)) {
            focus_in(&found);
        }
    }
}

/// Moves the focus to the field of one of several questions: to the words beside a choice, to what is chosen, or to the first control.
pub(super) fn focus_in(question: &HtmlElement) {
    const FIELDS: [&str; 5] = [
        "[data-words], [data-other]:checked ~ [data-own]",
        ":checked:not([data-remember])",
        "[data-field]",
        "input, textarea",
        "legend",
    ];
    let found = FIELDS.iter().find_map(|selector| question.query_selector(selector).ok().flatten());
    if let Some(field) = found.and_then(|field| field.dyn_into::<HtmlElement>().ok()) {
        take(&field);
    }
}

fn take(element: &HtmlElement) {
    // In Firefox a legend takes no focus before it has been laid out; asking for its width lays it out.
    element.offset_width();
    // An element that cannot take the focus leaves it where it is.
    drop(element.focus());
}
