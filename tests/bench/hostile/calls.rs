//! The calls of the core that are measured, and nothing else of it: where its API changes, only this file does.

use ask_user_core::{
    Action, Budget, Content, Dialect, Form, Given, Refusal, Rejection, Unresumable, Verdict,
    conversation::{Conversation, Event, ToolCall},
    json::{Fingerprint, parse, text},
    record::{self, Record, Stream},
    schema::{Fields, SchemaFault, Validator},
};
use ask_user_web::{Layout, html::Html};
use serde_json::{Value, json};
use std::{rc::Rc, sync::Arc};

/// What a call came to.
#[derive(Debug)]
pub struct Outcome {
    /// `accepted`, or the code of the first refusal.
    pub said: String,
    /// The bytes of the rejection or refusal, as JSON; 0 where there is none.
    pub refusal: usize,
}

/// One call, ready to be measured: everything that it needs stands already.
pub type Job = Box<dyn FnOnce() -> Outcome>;

/// A call that can be measured again and again.
pub struct Task {
    /// How large the hostile input is, as JSON text.
    pub bytes: usize,
    /// Makes the call ready.
    pub fresh: Box<dyn Fn() -> Job>,
}

/// A task, or the code with which the request that it needs is refused.
pub type Made = Result<Task, String>;

fn accepted() -> Outcome {
    Outcome { said: "accepted".into(), refusal: 0 }
}

fn task(bytes: usize, fresh: impl Fn() -> Job + 'static) -> Made {
    Ok(Task { bytes, fresh: Box::new(fresh) })
}

/// A host as its JSON options say.
pub fn host(options: &Value) -> Host {
    Host::from_json(options).expect("options that the core takes")
}

fn rejected(rejection: &Rejection) -> Outcome {
    let said = rejection.problems.first().map_or("rejected", |problem| problem.code()).to_owned();
    Outcome { said, refusal: Value::Object(rejection.to_json()).to_string().len() }
}

fn refused(refusal: &Refusal) -> Outcome {
    Outcome { said: refusal.code().to_owned(), refusal: Value::Object(refusal.to_json()).to_string().len() }
}

fn unresumable(error: &Unresumable) -> Outcome {
    Outcome { said: error.code().to_owned(), refusal: error.to_string().len() }
}

/// Reading a text, and writing what a host hears of it: the rejection, or the form with its warnings.
pub fn read(text: String) -> Made {
    read_by(text, None, &Host::default())
}

/// The same with a dialect and a host.
pub fn read_by(text: String, dialect: Option<&'static str>, host: &Host) -> Made {
    let (text, host): (Rc<str>, _) = (text.into(), Rc::new(host.clone()));
    task(text.len(), move || {
        let (text, host) = (Rc::clone(&text), Rc::clone(&host));
        Box::new(move || {
            match Form::read(&*text, dialect.map_or(Dialect::Detect, |name| name.parse().expect("a dialect")), &host) {
                Ok(form) => {
                    drop(form.to_json().to_string());
                    accepted()
                }
                Err(rejection) => rejected(&rejection),
            }
        })
    })
}

/// Listing the arguments of the tool calls that a form asks about, as they are shown.
pub fn list(text: String) -> Made {
    let form = form(&text, &Host::default())?;
    task(text.len(), move || {
        let form = form.clone();
        Box::new(move || {
            let approvals = form.questions().iter().filter_map(|question| question.answer_type.approval());
            approvals.for_each(|approval| drop(approval.shown()));
            accepted()
        })
    })
}

/// Writing a form as HTML that can be answered without a script, with all its questions on one page where that may be.
pub fn html(text: String) -> Made {
    form(&text, &Host::default())?;
    let text: Rc<str> = text.into();
    task(text.len(), move || {
        let text = Rc::clone(&text);
        Box::new(move || {
            let host = Host::default();
            let html = Html::new(&text, Dialect::Detect, &host).layout(Layout::Page).action("/answer");
            drop(html.shadow());
            accepted()
        })
    })
}

/// Reading a value that was parsed already.
pub fn read_value(text: &str) -> Made {
    let value: Rc<Value> = Rc::new(serde_json::from_str(text).expect("JSON"));
    task(text.len(), move || {
        let value = Rc::clone(&value);
        Box::new(move || match Form::read(&*value, Dialect::Detect, &Host::default()) {
            Ok(form) => {
                drop(form.to_json().to_string());
                accepted()
            }
            Err(rejection) => rejected(&rejection),
        })
    })
}

/// A form, or the code of the first problem with it.
pub fn form(text: &str, host: &Host) -> Result<Form, String> {
    let read = Form::read(text, Dialect::Detect, host);
    read.map_err(|rejection| rejection.problems.first().map_or("rejected", |problem| problem.code()).to_owned())
}

/// A walk at its first step.
pub fn walk(text: &str, host: &Host) -> Result<Walk, String> {
    form(text, host).map(Walk::new)
}

/// Beginning a walk.
pub fn begin(bytes: usize, form: Form) -> Made {
    task(bytes, move || {
        let form = form.clone();
        Box::new(move || {
            drop(Walk::new(form));
            accepted()
        })
    })
}

/// What a person or an assistant does.
pub type Act = Action;

/// Answers with a value.
pub fn answer(value: Value) -> Act {
    Action::answer(value)
}

/// Answers with a value and a note beside it.
pub fn noted(value: Value, note: String) -> Act {
    Action::Answer(Given { note: Some(note), ..value.into() })
}

/// Answers with a text in place of an option.
pub fn other(value: Value) -> Act {
    let (text, beside) = match &value {
        Value::Array(list) => {
            (list.last().cloned().unwrap_or_default(), list.split_last().map(|(_, rest)| rest.to_vec()))
        }
        value => (value.clone(), None),
    };
    let text = text.as_str().unwrap_or_default().to_owned();
    Action::Answer(Given::new(Content::Other { text, beside: beside.unwrap_or_default() }))
}

/// What an assistant says.
pub fn verdict(reason: String, answer: Value) -> Act {
    Action::Assistant(Verdict { record: String::new(), reason: Some(reason), answer, model: None })
}

pub use ask_user_core::{
    Action::{Back, Change, Reply},
    Host, Walk,
};

/// Types a text.
#[allow(non_snake_case)]
pub fn Typed(text: String) -> Act {
    Action::typed(text)
}

/// Some actions, one after the other, whatever is said of them; the outcome is that of the last.
pub fn act(bytes: usize, walk: Walk, actions: Vec<Act>) -> Made {
    task(bytes, move || {
        let (mut walk, actions) = (walk.clone(), actions.clone());
        Box::new(move || {
            let mut outcome = accepted();
            for action in actions {
                outcome = match walk.act(for_walk(action, &walk)) {
                    Ok(()) => accepted(),
                    Err(refusal) => refused(&refusal),
                };
                // Each action is a call with a budget of its own: the ones after the first that is too much are not added up.
                if outcome.said == "too_large" {
                    break;
                }
            }
            outcome
        })
    })
}

/// An action at the step where a walk stands: a verdict answers the record that is open.
fn for_walk(action: Act, walk: &Walk) -> Act {
    match action {
        Action::Assistant(verdict) => {
            let record = walk.consultation().map(|asked| asked.record).unwrap_or_default();
            Action::Assistant(Verdict { record, ..verdict })
        }
        action => action,
    }
}

/// Whether what is typed would be taken.
pub fn check(walk: Walk, text: String) -> Made {
    task(text.len(), move || {
        let (walk, text) = (walk.clone(), text.clone());
        Box::new(move || match walk.check(Content::Typed(text)) {
            Ok(()) => accepted(),
            Err(refusal) => refused(&refusal),
        })
    })
}

/// What a walk gives to its host as JSON text.
#[derive(Clone, Copy)]
pub enum Written {
    /// What is shown.
    Step,
    /// A value to start from.
    Template,
    /// How an assistant is asked.
    Consultation,
    /// The audit trail.
    Records,
    /// The audit trail, for people.
    Markdown,
    /// The saved walk.
    Save,
    /// The result for the agent.
    Result,
    /// The turn, for the next form.
    Turn,
}

/// Writing something of a walk.
pub fn write(bytes: usize, walk: Walk, what: Written) -> Made {
    let walk = Rc::new(walk);
    task(bytes, move || {
        let walk = Rc::clone(&walk);
        Box::new(move || {
            drop(written(&walk, what));
            accepted()
        })
    })
}

fn written(walk: &Walk, what: Written) -> Option<String> {
    match what {
        Written::Step => serde_json::to_string(&walk.step()).ok(),
        Written::Template => Some(walk.template()?.to_string()),
        Written::Consultation => Some(text(&walk.consultation()?)),
        Written::Records => Some(walk.records().map(|record| text(&record)).collect()),
        Written::Markdown => Some(record::to_markdown(&walk.records().collect::<Vec<_>>())),
        Written::Turn => Some(text(&walk.turn())),
        Written::Save => Some(walk.save().to_string()),
        Written::Result => walk.result_text(),
    }
}

/// A walk after some actions; those that are refused change nothing.
pub fn walked(mut walk: Walk, actions: impl IntoIterator<Item = Act>) -> Walk {
    for action in actions {
        drop(walk.act(for_walk(action, &walk)));
    }
    walk
}

/// What is asked of the fields of a schema.
#[derive(Clone, Copy)]
pub enum Asked {
    /// The field at a place, with its children.
    Open,
    /// What is wrong.
    Violations,
    /// What the second option of `oneOf` keeps.
    Switch,
}

/// Fields of a schema and a value, at a place.
pub fn fields(schema: &str, value: &str, pointer: &str, asked: Asked) -> Made {
    let bytes = schema.len() + value.len() + pointer.len();
    let parsed = parse(schema).expect("a schema is JSON");
    let compiled = Validator::default().prepare(&parsed, &mut Budget::default()).map_err(|fault| match fault {
        SchemaFault::Invalid { .. } => "invalid_schema".to_owned(),
        SchemaFault::TooLarge { .. } => "too_large".to_owned(),
    })?;
    let (value, pointer): (Rc<str>, Rc<str>) = (value.into(), pointer.into());
    task(bytes, move || {
        let mut fields = Fields::new(Arc::clone(&compiled));
        fields.set_text(&value, &mut Budget::default()).expect("a value is JSON");
        let pointer = Rc::clone(&pointer);
        Box::new(move || {
            let budget = &mut Budget::default();
            let said = match asked {
                Asked::Open => fields.open(&pointer, "", budget),
                Asked::Violations => fields.violations("", budget),
                Asked::Switch => fields.switch(&pointer, "oneOf", 1, "", budget),
            };
            let refused = said.contains(r#""reason":"too_much_work""#);
            if refused { Outcome { said: "too_large".into(), refusal: 0 } } else { accepted() }
        })
    })
}

/// Resuming a saved walk, whose log is replaced by another where one is given, with a checksum that fits.
pub fn resume(walk: &Walk, log: Option<Value>) -> Made {
    let saved = Rc::new(saved(walk, log));
    let form = walk.accepted().expect("a checked form");
    task(saved.to_string().len(), move || {
        let (saved, form) = (Rc::clone(&saved), form.clone());
        Box::new(move || match Walk::resume(form, &saved) {
            Ok(_) => accepted(),
            Err(error) => unresumable(&error),
        })
    })
}

/// Reading a client's response to a walk that the host has just begun.
pub fn continued(walk: &Walk, log: Option<Value>) -> Made {
    let response = Rc::new(json!({ "walk": saved(walk, log), "secrets": walk.response()["secrets"] }));
    let host = Rc::new(Walk::new(walk.accepted().expect("a checked form")));
    task(response.to_string().len(), move || {
        let (response, host) = (Rc::clone(&response), Rc::clone(&host));
        Box::new(move || match host.continued(&response) {
            Ok(_) => accepted(),
            Err(error) => unresumable(&error),
        })
    })
}

/// Knows the format of a saved walk: version 2.
fn saved(walk: &Walk, log: Option<Value>) -> Value {
    let mut saved = walk.save();
    if let Some(log) = log {
        saved["log"] = log;
        let fields = ["form", "nonce", "provisional", "attempts", "questions", "log", "events"];
        let print = fields.iter().fold(Fingerprint::new(), |print, name| print.text(name).value(&saved[*name]));
        saved["checksum"] = print.to_string().into();
    }
    saved
}

/// Reading and mending lines of an audit trail, of which every `turn`th begins a turn.
pub fn stream(lines: Vec<Value>, turn: usize) -> Made {
    let lines = Rc::new(lines);
    task(bytes(&lines), move || {
        let lines = Rc::clone(&lines);
        Box::new(move || {
            drop(Stream::read(lines.iter(), |line| turn > 0 && line["turn"] == 1));
            accepted()
        })
    })
}

/// Mending the records of one turn.
pub fn mend(lines: &[Value]) -> Made {
    let records: Vec<Record> = lines.iter().filter_map(|line| serde_json::from_value(line.clone()).ok()).collect();
    task(bytes(lines), move || {
        let records = records.clone();
        Box::new(move || {
            drop(record::mend(records));
            accepted()
        })
    })
}

/// Writing records for people.
pub fn markdown(lines: &[Value]) -> Made {
    let records: Rc<Vec<Record>> =
        Rc::new(lines.iter().filter_map(|line| serde_json::from_value(line.clone()).ok()).collect());
    task(bytes(lines), move || {
        let records = Rc::clone(&records);
        Box::new(move || {
            drop(record::to_markdown(&records));
            accepted()
        })
    })
}

fn bytes(lines: &[Value]) -> usize {
    lines.iter().map(|line| line.to_string().len()).sum()
}

fn calls(calls: &[Value]) -> Vec<ToolCall> {
    calls.iter().map(|call| serde_json::from_value(call.clone()).expect("a call")).collect()
}

/// A model's response with calls; every one is then completed where `all` is set.
pub fn responded(list: Vec<Value>, all: bool) -> Made {
    let responded = Rc::new(list);
    task(bytes(&responded), move || {
        let calls = calls(&responded);
        let list = Rc::clone(&responded);
        Box::new(move || {
            let mut conversation = Conversation::new(true);
            let begun = conversation.on(Event::Message).and(conversation.on(Event::ModelResponded { calls }));
            if let Err(error) = begun {
                return Outcome { said: "unexpected".into(), refusal: error.to_string().len() };
            }
            for call in list.iter().filter(|_| all) {
                let call_id = call["id"].as_str().unwrap_or_default().to_owned();
                let done = Event::ToolCompleted { call_id, content: Value::Null, is_error: false };
                drop(conversation.on(done));
            }
            accepted()
        })
    })
}

/// Reading a stored conversation with calls that remain.
pub fn conversation(remaining: &[Value]) -> Made {
    let state = json!({ "ask_user_conversation": 1, "attended": true, "state": "executing",
        "call": { "id": "c", "name": "t", "input": {} }, "remaining": remaining });
    let state = Rc::new(state);
    task(state.to_string().len(), move || {
        let state = Rc::clone(&state);
        Box::new(move || match Conversation::from_json(&state) {
            Ok(_) => accepted(),
            Err(error) => Outcome { said: "unreadable".into(), refusal: error.to_string().len() },
        })
    })
}
