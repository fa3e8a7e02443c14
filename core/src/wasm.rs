//! The bindings to JavaScript, and nothing else. Everything crosses as JSON text: digits, key order and lone surrogates
//! are JavaScript's to lose, not ours, and the module imports nothing but what wasm-bindgen itself needs.
//! `pkg/src/core.js` makes plain values and errors of the texts.

use crate::{
    Action, Dialect, Form, Given, Host, Rejection, Step, ToolDefinition, Verdict, Walk as CoreWalk, dialect_names,
    json::parse,
    problem::{Misuse, Pointer, Problem, ProblemKind, Refusal, Unresumable, object},
    record::{Record, mend, read, to_markdown},
};
use serde_json::{Map, Value};
use wasm_bindgen::prelude::wasm_bindgen;

/// Reads a request, given as JSON text, and begins to walk. The error is a JSON text with `kind`: `rejection` or `misuse`.
#[wasm_bindgen]
pub fn open(request: &str, dialect: Option<String>, options: &str) -> Result<Walk, String> {
    form(request, dialect, options).map(|form| Walk { walk: CoreWalk::new(form) })
}

/// Takes up a saved walk, given as JSON text. The error is as that of [`open`], or has `kind`: `unresumable`.
#[wasm_bindgen]
pub fn resume(request: &str, saved: &str, dialect: Option<String>, options: &str) -> Result<Walk, String> {
    let form = form(request, dialect, options)?;
    let saved = parse(saved).map_err(|error| unresumable(&Unresumable::NotASavedWalk { reason: error.reason }))?;
    CoreWalk::resume(form, &saved).map(|walk| Walk { walk }).map_err(|error| unresumable(&error))
}

/// The rejection, as JSON text, of a request that JavaScript could not write as JSON.
#[wasm_bindgen]
pub fn unreadable(reason: String) -> String {
    rejection(&Rejection::of(None, Problem::new(Pointer::root(), ProblemKind::Unreadable { reason })))
}

/// The definitions of a dialect's tools, as JSON text; an empty list where there is no such dialect.
#[wasm_bindgen(js_name = toolDefinitions)]
pub fn tool_definitions(dialect: &str) -> String {
    ToolDefinition::of(dialect).iter().map(ToolDefinition::to_json).collect::<Value>().to_string()
}

/// The names of all dialects, as JSON text.
#[wasm_bindgen]
pub fn dialects() -> String {
    Value::from(dialect_names()).to_string()
}

/// Records of one turn, as JSON text, mended: every request has its response. The error is a JSON text with `kind`: `misuse`.
#[wasm_bindgen(js_name = mendRecords)]
pub fn mend_records(records: &str) -> Result<String, String> {
    Ok(mend(self::records(records)?).iter().map(Record::to_json).collect::<Value>().to_string())
}

/// Records, as JSON text, in Markdown. The error is as that of [`mend_records`].
#[wasm_bindgen(js_name = recordsMarkdown)]
pub fn records_markdown(records: &str) -> Result<String, String> {
    Ok(to_markdown(&self::records(records)?))
}

fn records(text: &str) -> Result<Vec<Record>, String> {
    read(text).map_err(|reason| tagged("misuse", object([("message", reason.into())])))
}

/// A walk. Every method that acts gives a refusal as JSON text, with `kind`: `refusal`; the walk is then as it was.
#[wasm_bindgen]
pub struct Walk {
    walk: CoreWalk,
}

#[wasm_bindgen]
impl Walk {
    /// The step, as JSON text.
    pub fn step(&self) -> String {
        self.walk.step().to_json().to_string()
    }

    /// What the form is, as JSON text: `dialect`, `warnings`, `questions`, `label`.
    pub fn form(&self) -> String {
        self.walk.form().to_json().to_string()
    }

    /// Answers with a JSON text: perhaps one in place of an option, perhaps with a note.
    pub fn answer(&mut self, value: &str, other: bool, note: Option<String>, remember: bool) -> Result<(), String> {
        let given = Given::read(value.to_owned()).map_err(|error| refusal(&error))?;
        self.act(Action::Answer(Given { other, note, remember, ..given }))
    }

    /// Answers with what was typed.
    pub fn typed(&mut self, text: String) -> Result<(), String> {
        self.act(Action::Typed(text))
    }

    /// Goes back.
    pub fn back(&mut self) -> Result<(), String> {
        self.act(Action::Back)
    }

    /// Cancels the form, perhaps with a message.
    pub fn reply(&mut self, text: Option<String>) -> Result<(), String> {
        self.act(Action::Reply(text))
    }

    /// Ends the turn.
    #[wasm_bindgen(js_name = endTurn)]
    pub fn end_turn(&mut self) -> Result<(), String> {
        self.act(Action::EndTurn)
    }

    /// Sends the answers from the review.
    pub fn submit(&mut self) -> Result<(), String> {
        self.act(Action::Submit)
    }

    /// Changes an answer from the review.
    pub fn change(&mut self, id: String) -> Result<(), String> {
        self.act(Action::Change(id))
    }

    /// How to ask the assistant, as JSON text; nothing where none is asked.
    pub fn consultation(&self) -> Option<String> {
        match self.walk.step() {
            Step::Asking(asking) => asking.consultation().map(|consultation| consultation.to_json().to_string()),
            Step::Review(_) | Step::Checking | Step::Done(_) => None,
        }
    }

    /// Brings the verdict of the assistant, as JSON text. What is no verdict counts as none.
    pub fn assistant(&mut self, verdict: &str) -> Result<(), String> {
        let verdict = parse(verdict).ok().as_ref().and_then(Verdict::from_json);
        self.act(verdict.map_or(Action::NoAssistant, Action::Assistant))
    }

    /// A value to start from for the open schema question, as JSON text; nothing for other steps.
    pub fn template(&self) -> Option<String> {
        match self.walk.step() {
            Step::Asking(asking) => asking.template().map(|template| template.to_string()),
            Step::Review(_) | Step::Checking | Step::Done(_) => None,
        }
    }

    /// How the walk ended, as JSON text; nothing while it has not.
    pub fn outcome(&self) -> Option<String> {
        self.walk.outcome().map(|outcome| outcome.to_json().to_string())
    }

    /// The result for the agent, as JSON text; nothing where there is none.
    pub fn result(&self) -> Option<String> {
        self.walk.outcome()?.result_text()
    }

    /// The records from the given one on, as JSON text.
    pub fn records(&self, from: usize) -> String {
        self.walk.records().iter().skip(from).map(Record::to_json).collect::<Value>().to_string()
    }

    /// The turn after this walk, as JSON text.
    pub fn turn(&self) -> String {
        self.walk.turn().to_json().to_string()
    }

    /// The saved walk, as JSON text.
    pub fn save(&self) -> String {
        self.walk.save().to_string()
    }

    /// What a client sends to a host that reads it again, as JSON text: the saved walk, and its secrets.
    pub fn response(&self) -> String {
        self.walk.response().to_string()
    }

    /// This walk as it went on in a client, by the client's response as JSON text. The error has `kind`: `unresumable`.
    pub fn continued(&self, response: &str) -> Result<Walk, String> {
        let response = parse(response).unwrap_or_default();
        self.walk.continued(&response).map(|walk| Walk { walk }).map_err(|error| unresumable(&error))
    }

    /// A key for sending this ending once, however often it is sent.
    #[wasm_bindgen(js_name = idempotencyKey)]
    pub fn idempotency_key(&self) -> String {
        self.walk.idempotency_key().to_owned()
    }
}

impl Walk {
    fn act(&mut self, action: Action) -> Result<(), String> {
        self.walk.act(action).map_err(|error| refusal(&error))
    }
}

fn form(request: &str, dialect: Option<String>, options: &str) -> Result<Form, String> {
    let options = parse(options).unwrap_or_default();
    let host = Host::from_json(&options).map_err(|error| misuse(&error))?;
    let dialect = dialect.as_deref().map_or(Dialect::Detect, Dialect::Named);
    Form::read(request, dialect, &host).map_err(|error| rejection(&error))
}

fn rejection(error: &Rejection) -> String {
    tagged("rejection", error.to_json())
}

fn refusal(error: &Refusal) -> String {
    tagged("refusal", error.to_json())
}

fn unresumable(error: &Unresumable) -> String {
    tagged("unresumable", object([("code", error.code().into()), ("message", error.to_string().into())]))
}

fn misuse(error: &Misuse) -> String {
    tagged("misuse", object([("message", error.to_string().into())]))
}

fn tagged(kind: &str, fields: Map<String, Value>) -> String {
    let mut json = object([("kind", kind.into())]);
    json.extend(fields);
    Value::Object(json).to_string()
}
