//! The button that goes on, which says what happens then: whether anything comes after what is answered.

use crate::{
    actions,
    dom::HtmlElement,
    element::{El, say_anew},
    session::Session,
    ui::Ui,
    words,
};
use ask_user_core::{Given, Question, Walk};
use std::{cell::Cell, rc::Rc};

/// What the person has put into the fields that are shown, by the ids of their questions.
pub type Read = Rc<dyn Fn() -> Vec<(String, Given)>>;

/// The word of the button, while the fields change.
#[derive(Clone)]
pub struct Next {
    ui: Ui,
    node: HtmlElement,
    ends: Rc<Cell<bool>>,
    /// `None` where the answers make no difference.
    read: Option<Read>,
}

impl Next {
    /// The button below the questions with these ids. `is_last` says that nothing comes after them, whatever is answered.
    pub fn new(ui: Ui, shown: &[String], is_last: bool, read: Read) -> (El, Self) {
        let is_open =
            |session: &Session| !session.is_being_written() && session.walk().is_some_and(|walk| is_open(walk, shown));
        let is_conditional = !is_last && ui.session(is_open);
        let read = is_conditional.then_some(read);
        let ends = is_last || read.as_ref().is_some_and(|read| is_end(ui, read()));
        let button = actions::send(if ends { words::SEND } else { words::CONTINUE });
        let node = button.node();
        (button, Self { ui, node, ends: Rc::new(Cell::new(ends)), read })
    }

    /// Says what the answers lead to now.
    pub fn changed(&self) {
        let Some(read) = &self.read else { return };
        let ends = is_end(self.ui, read());
        if self.ends.replace(ends) != ends {
            let word = if ends { words::SEND } else { words::CONTINUE };
            say_anew(&self.node, &self.ui.language(), word.0);
        }
    }
}

/// Whether it depends on the answers to these questions if anything comes after them: each question after them has a condition.
fn is_open(walk: &Walk, shown: &[String]) -> bool {
    let questions = walk.form().questions();
    let is_shown = |question: &Question| shown.contains(&question.id);
    let last = questions.iter().rposition(|question| is_shown(question)).unwrap_or_default();
    let mut after = questions.iter().skip(last + 1).filter(|question| !is_shown(question));
    !walk.form().review() && after.all(|question| question.when.is_some())
}

/// Whether nothing is asked after these answers.
fn is_end(ui: Ui, answers: Vec<(String, Given)>) -> bool {
    let count = answers.len();
    ui.session(|session| session.walk().is_some_and(|walk| walk.page(answers).len() <= count))
}
