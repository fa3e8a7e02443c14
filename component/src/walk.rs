//! The resource `walk`.

use crate::{
    bindings::exports::ask_user::core::forms,
    reading::{self, unresumable},
};
use ask_user_core::{Action, Content, Given, Refusal, Verdict, Walk, json::text, problem::NotAllowed};
use serde_json::Value;
use std::{cell::RefCell, rc::Rc};

/// A walk. A reader shares the walk of its request.
pub struct Shared(Rc<RefCell<Walk>>);

impl Shared {
    pub fn new(walk: &Rc<RefCell<Walk>>) -> Self {
        Self(Rc::clone(walk))
    }
}

/// Hands a walk to the host.
pub fn handed(walk: Walk) -> forms::Walk {
    forms::Walk::new(Shared::new(&Rc::new(RefCell::new(walk))))
}

impl forms::GuestWalk for Shared {
    fn form(&self) -> String {
        text(&self.0.borrow().form().to_json())
    }

    fn step(&self) -> String {
        text(&self.0.borrow().step())
    }

    fn act(&self, action: forms::Action) -> Result<(), forms::Refusal> {
        read_action(action).and_then(|action| self.0.borrow_mut().act(action)).map_err(|error| refusal(&error))
    }

    fn expire(&self, now: i64) -> bool {
        self.0.borrow_mut().expire(now)
    }

    fn check(&self, value: String, other: Option<String>) -> Result<(), forms::Refusal> {
        content(value, other).and_then(|content| self.0.borrow().check(content)).map_err(|error| refusal(&error))
    }

    fn answer_all(&self, answers: Vec<(String, String)>) -> Result<(), forms::Refusal> {
        let mut walk = self.0.borrow_mut();
        let answers = by_id(&walk, answers);
        walk.answer_all(answers).map_err(|error| refusal(&error))
    }

    fn answers(&self, answers: String) -> Result<(), forms::Refusal> {
        let answers = match reading::answer(&answers) {
            Ok(Value::Object(answers)) => answers,
            Ok(_) => return Err(refusal(&Refusal::NotAllowed(NotAllowed::NOT_BY_QUESTION))),
            Err(error) => return Err(refusal(&error)),
        };
        self.0.borrow_mut().answers(answers).map_err(|error| refusal(&error))
    }

    fn page(&self, answers: Vec<(String, String)>) -> String {
        let walk = self.0.borrow();
        text(&walk.page(by_id(&walk, answers)))
    }

    fn to_confirm(&self, answers: Vec<(String, String)>) -> Vec<String> {
        let walk = self.0.borrow();
        let found = walk.to_confirm(&by_id(&walk, answers));
        found.into_iter().map(|(question, _)| question.id.clone()).collect()
    }

    fn approvals(&self) -> String {
        text(&self.0.borrow().approvals())
    }

    fn consultation(&self) -> Option<String> {
        self.0.borrow().consultation().map(|asked| text(&asked))
    }

    fn template(&self) -> Option<String> {
        self.0.borrow().template().map(|template| text(&template))
    }

    fn is_over(&self) -> bool {
        self.0.borrow().is_over()
    }

    fn outcome(&self) -> Option<String> {
        self.0.borrow().outcome().map(|outcome| text(&outcome))
    }

    fn result_text(&self) -> Option<String> {
        self.0.borrow().result_text()
    }

    fn records(&self, start: u32) -> String {
        let walk = self.0.borrow();
        let from = usize::try_from(start).unwrap_or(usize::MAX);
        text(&walk.records_from(from).collect::<Vec<_>>())
    }

    fn turn(&self) -> String {
        text(&self.0.borrow().turn())
    }

    fn drafts(&self) -> String {
        text(&self.0.borrow().drafts())
    }

    fn idempotency_key(&self) -> String {
        self.0.borrow().idempotency_key()
    }

    fn save(&self) -> String {
        text(&self.0.borrow().save())
    }

    fn response(&self) -> String {
        text(&self.0.borrow().response())
    }

    fn continued(&self, response: String) -> Result<forms::Walk, forms::Unresumable> {
        let response = reading::value(&response).unwrap_or_default();
        self.0.borrow().continued(&response).map(handed).map_err(|error| unresumable(&error))
    }
}

fn content(value: String, other: Option<String>) -> Result<Content, Refusal> {
    if other.is_some() {
        reading::answer(&value)?;
    }
    Content::read(value, other)
}

fn by_id(walk: &Walk, answers: Vec<(String, String)>) -> Vec<(String, Given)> {
    let given = |(id, value)| (id, Given::new(Content::Json(value)));
    walk.in_order(answers.into_iter().map(given).collect())
}

fn read_action(action: forms::Action) -> Result<Action, Refusal> {
    Ok(match action {
        forms::Action::Answer(forms::Answer { value, other, note, remember }) => {
            Action::Answer(Given { content: content(value, other)?, note, remember })
        }
        forms::Action::Typed(text) => Action::typed(text),
        forms::Action::Back => Action::Back,
        forms::Action::Reply(text) => Action::Reply(text),
        forms::Action::EndTurn => Action::EndTurn,
        forms::Action::Submit => Action::Submit,
        forms::Action::Change(id) => Action::Change(id),
        forms::Action::Assistant(forms::Verdict { id, said }) => {
            let verdict = reading::value(&said).ok().as_ref().and_then(|said| Verdict::read(said, id));
            verdict.map_or(Action::NoAssistant, Action::Assistant)
        }
    })
}

fn refusal(error: &Refusal) -> forms::Refusal {
    let json = error.to_json();
    let details = json.get("details").or_else(|| json.get("refused")).map(Value::to_string);
    forms::Refusal { code: error.code().to_owned(), message: error.to_string(), details }
}
