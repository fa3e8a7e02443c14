//! A request that is still being written, as it changes what is shown: a question that is open stays as it is.

use super::{Delivery, Session, Ui};
use crate::{
    dom::{HtmlElement, text_node},
    words,
};
use ask_user_core::{Progress, Step, Walk, schema::SchemaChecker};
use leptos::prelude::Set;

impl Ui {
    /// Takes in what comes next; nothing, once nothing more comes. Says whether more is of use.
    pub fn write(self, piece: Option<&str>) -> bool {
        let kept = self.kept();
        match piece {
            None => self.follow(|| kept.session.borrow_mut().end()),
            // Most pieces change nothing that is shown.
            Some(piece) if kept.session.borrow_mut().write(piece) => self.follow(|| {
                for (key, left) in kept.session.borrow_mut().grow() {
                    kept.typed.borrow_mut().entry(key).or_insert(left);
                }
            }),
            Some(_) => {}
        }
        self.session(Session::takes_more)
    }

    /// The request will never be whole, and why.
    pub fn fail(self, reason: String) {
        self.follow(|| self.kept().session.borrow_mut().fail(reason));
    }

    /// Compiles the schemas of the questions that have come.
    pub(super) fn check_growing(self, checker: &dyn SchemaChecker) {
        self.follow(|| self.kept().session.borrow_mut().check_schemas(checker));
    }

    /// Does something to the session, and shows what has changed by it. What the person is at does not change, but for how many questions there are.
    fn follow(self, change: impl FnOnce()) {
        let step = |session: &Session| session.walk().map(Walk::step);
        let is_within = self.base().is_some_and(|base| base.matches(":focus-within").unwrap_or_default());
        let (before, was_held) = (self.session(step), self.session(Session::is_held));
        change();
        if self.session(Session::is_held) && !was_held {
            *self.kept().typed_before.borrow_mut() = self.kept().typed.borrow().clone();
            self.delivery.set(Delivery::Held);
        }
        match (before, self.session(step)) {
            (Some(Step::Asking(before)), Some(Step::Asking(now)))
                if before.question == now.question && before.asks == now.asks =>
            {
                if before.progress != now.progress {
                    self.count(now.progress);
                }
                self.tell();
            }
            (before, now) if before == now => self.tell(),
            _ => {
                self.show_sudden();
                if is_within {
                    self.focus_step();
                }
            }
        }
    }

    /// Says how many questions there are, now that it is known.
    fn count(self, progress: Option<Progress>) {
        // A form of one question said that more may come.
        let Progress { at, of } = progress.unwrap_or(Progress { at: 1, of: Some(1) });
        if let Some(shown) = self.found("[part=progress]") {
            self.say(&shown, &words::progress(words::PROGRESS, at, of));
        }
        if let (Some(bar), Some(of)) = (self.found("[part=bar]"), of) {
            // Every element takes an attribute of this name.
            drop(bar.set_attribute("max", &of.to_string()));
        }
        let is_reviewed = self.session(|session| session.walk().is_some_and(|walk| walk.form().review()));
        if let (Some(send), true) = (self.found(".actions [type=submit]"), of == Some(at) && !is_reviewed) {
            self.say(&send, words::SEND.0);
        }
    }
    /// Says something else in an element.
    fn say(self, element: &HtmlElement, said: &str) {
        element.set_text_content(None);
        let text = text_node("");
        // An element takes a text.
        drop(element.append_child(&text));
        self.language().say(&text, "", said);
    }
}
