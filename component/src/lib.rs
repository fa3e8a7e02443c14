//! The core as a WebAssembly component: the interface of `wit/ask-user.wit` over the core's own types. It decides nothing.

use ask_user_core::{
    Action, Content, Dialect, Form, Given, Host, Rejection, ToolDefinition, UnknownDialect, Verdict, Walk,
    json::{parse, text},
    problem::{Misuse, Refusal, Unresumable},
    record::{Stream, mend, read, to_markdown},
};
use bindings::exports::ask_user::core::forms;
use serde_json::Value;
use std::cell::{Cell, RefCell};

mod bindings {
    //! Made of `wit/ask-user.wit`.

    wit_bindgen::generate!({ path: "../wit", world: "ask-user" });
}

struct Component;

/// A walk, which only one action at a time can be done on.
struct Forms(RefCell<Walk>);

impl forms::Guest for Component {
    type Walk = Forms;

    fn open(request: String, dialect: Option<String>, options: String) -> Result<forms::Walk, forms::Unopened> {
        Ok(handed(Walk::new(form(&request, dialect, &options)?)))
    }

    fn resume(
        request: String,
        saved: String,
        dialect: Option<String>,
        options: String,
    ) -> Result<forms::Walk, forms::Unopened> {
        let form = form(&request, dialect, &options)?;
        let saved = parse(&saved).map_err(|error| Unresumable::NotASavedWalk { reason: error.reason });
        let walk = saved.and_then(|saved| Walk::resume(form, &saved));
        walk.map(handed).map_err(|error| forms::Unopened::Unresumable(unresumable(&error)))
    }

    fn tool_definitions(dialect: String, sub_agent: bool) -> String {
        let definitions = dialect.parse().map(ToolDefinition::of).unwrap_or_default();
        text(&if sub_agent { Vec::new() } else { definitions })
    }

    fn dialects() -> Vec<String> {
        Dialect::ALL.map(|dialect| dialect.name().to_owned()).to_vec()
    }

    fn mend_records(records: String) -> Result<String, String> {
        Ok(text(&mend(read(&records).map_err(|error| error.to_string())?)))
    }

    fn read_records(lines: String, turns: Vec<u32>) -> Result<String, String> {
        let Ok(Value::Array(lines)) = parse(&lines) else { return Err("Give the lines as a list.".into()) };
        let place = Cell::new(0_u32);
        let turns: std::collections::BTreeSet<u32> = turns.into_iter().collect();
        let begins_turn = |_: &Value| turns.contains(&place.replace(place.get().saturating_add(1)));
        Ok(text(&Stream::read(&lines, begins_turn)))
    }

    fn records_markdown(records: String) -> Result<String, String> {
        Ok(to_markdown(&read(&records).map_err(|error| error.to_string())?))
    }
}

impl forms::GuestWalk for Forms {
    fn form(&self) -> String {
        text(&self.0.borrow().form().to_json())
    }

    fn step(&self) -> String {
        text(&self.0.borrow().step())
    }

    fn act(&self, action: forms::Action) -> Result<(), forms::Refusal> {
        read_action(action).and_then(|action| self.0.borrow_mut().act(action)).map_err(|error| refusal(&error))
    }

    fn answers(&self, answers: String) -> Result<(), forms::Refusal> {
        let refused = |error: Refusal| refusal(&error);
        let Value::Object(answers) = parse(&answers).map_err(Refusal::InvalidJson).map_err(refused)? else {
            return Err(refused(Refusal::NotAllowed { why: "Give the answers as an object, by question." }));
        };
        self.0.borrow_mut().answers(answers).map_err(refused)
    }

    fn consultation(&self) -> Option<String> {
        self.0.borrow().consultation().map(|asked| text(&asked))
    }

    fn template(&self) -> Option<String> {
        self.0.borrow().template().map(|template| text(&template))
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
        let response = parse(&response).unwrap_or_default();
        self.0.borrow().continued(&response).map(handed).map_err(|error| unresumable(&error))
    }
}

fn handed(walk: Walk) -> forms::Walk {
    forms::Walk::new(Forms(RefCell::new(walk)))
}

fn form(request: &str, dialect: Option<String>, options: &str) -> Result<Form, forms::Unopened> {
    let misuse = |error: Misuse| forms::Unopened::Misuse(error.to_string());
    let options = parse(options)
        .map_err(|error| forms::Unopened::Misuse(format!("The options are no JSON: {}", error.reason)))?;
    let host = Host::from_json(&options).map_err(misuse)?;
    let named = dialect.as_deref().map_or(Ok(Dialect::Detect), str::parse);
    let rejection = |error: Rejection| forms::Unopened::Rejection(text(&error.to_json()));
    let named = named.map_err(|unknown: UnknownDialect| rejection(unknown.into()))?;
    Form::read(request, named, &host).map_err(rejection)
}

fn read_action(action: forms::Action) -> Result<Action, Refusal> {
    Ok(match action {
        forms::Action::Answer(forms::Answer { value, other, note, remember }) => {
            let content = match other {
                None => Content::Json(value),
                Some(text) => match parse(&value).map_err(Refusal::InvalidJson)? {
                    Value::Array(beside) => Content::Other { text, beside },
                    Value::Null => Content::Other { text, beside: Vec::new() },
                    value => Content::Other { text, beside: vec![value] },
                },
            };
            Action::Answer(Given { content, note, remember })
        }
        forms::Action::Typed(text) => Action::typed(text),
        forms::Action::Back => Action::Back,
        forms::Action::Reply(text) => Action::Reply(text),
        forms::Action::EndTurn => Action::EndTurn,
        forms::Action::Submit => Action::Submit,
        forms::Action::Change(id) => Action::Change(id),
        forms::Action::Assistant(forms::Verdict { id, said }) => {
            let verdict = parse(&said).ok().as_ref().and_then(|said| Verdict::read(said, id));
            verdict.map_or(Action::NoAssistant, Action::Assistant)
        }
    })
}

fn refusal(error: &Refusal) -> forms::Refusal {
    let json = error.to_json();
    let details = json.get("details").or_else(|| json.get("refused")).map(Value::to_string);
    forms::Refusal { code: error.code().to_owned(), message: error.to_string(), details }
}

fn unresumable(error: &Unresumable) -> forms::Unresumable {
    forms::Unresumable { code: error.code().to_owned(), message: error.to_string() }
}

bindings::export!(Component with_types_in bindings);
