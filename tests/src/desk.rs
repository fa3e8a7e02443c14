//! Plays the vectors of desks (`tests/vectors/desk.json`): one open question at a host, with clients, crashes and restarts.

use crate::case;
use ask_user_core::{
    Dialect, Form, Host, Walk,
    conversation::Closing,
    desk::{Asked, Desk, Hand, Input, Reaction, Seal},
};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// The name of the files with cases of desks. The other files have cases of forms.
pub const FILE: &str = "desk.json";

const KEYS: &[&str] = &[
    "ask",
    "client",
    "save",
    "respond",
    "answers",
    "reject",
    "stop",
    "overtake",
    "expire",
    "crash",
    "restore",
    "reply",
    "problems",
    "hands",
    "ends",
    "stored_lacks",
    "version",
];

/// A host: what is in memory, and what is stored.
#[derive(Default)]
struct Playing {
    desk: Option<Desk>,
    stored: Option<Value>,
    /// Everything that was ever stored, as text.
    texts: String,
    clients: BTreeMap<String, Value>,
    versions: BTreeMap<String, String>,
}

/// Plays a case.
///
/// # Errors
/// The first step that differs, and how.
pub fn play(case: &Value) -> Result<(), String> {
    let mut playing = Playing::default();
    let steps = case.get("steps").and_then(Value::as_array).ok_or("the case has no steps")?;
    for (place, step) in steps.iter().enumerate() {
        playing.step(step).map_err(|why| format!("step {}: {why}", place + 1))?;
    }
    Ok(())
}

/// What came of a step.
#[derive(Default)]
struct Came {
    code: Option<&'static str>,
    problems: Vec<Value>,
    version: Option<String>,
    closed: Option<Closing>,
    hand: Option<Hand>,
}

impl Came {
    fn of(reaction: Reaction) -> Self {
        let Reaction { reply, closed, hand, .. } = reaction;
        let Some(reply) = reply else { return Self { closed, hand, ..Self::default() } };
        let problems = reply.problems.iter().map(|one| json!({ "question": one.question, "code": one.code }));
        Self { code: Some(reply.code.name()), problems: problems.collect(), version: reply.version, closed, hand }
    }

    /// What was handed over.
    fn result(&self) -> Value {
        self.hand.as_ref().and_then(|hand| hand.outcome.result.clone()).unwrap_or_default()
    }
}

/// Makes a case: `next` gives its steps, each with whether the question is open and which versions have a name. A step that cannot be done is left out. Each gets what is
/// expected of it: what comes of it now.
pub fn made(steps: usize, mut next: impl FnMut(bool, &[String]) -> Value) -> Vec<Value> {
    let mut playing = Playing::default();
    let mut made: Vec<Value> = Vec::new();
    while made.len() < steps {
        let is_open = playing.desk.as_ref().is_some_and(Desk::is_open);
        let names: Vec<String> = playing.versions.keys().cloned().collect();
        let has_crashed = playing.desk.is_none() && playing.stored.is_some();
        let mut step = if has_crashed { json!({ "restore": true }) } else { next(is_open, &names) };
        let Ok(came) = playing.does(&step) else { continue };
        let Some(fields) = step.as_object_mut() else { continue };
        if let Some(version) = came.version.clone().filter(|_| came.code == Some("kept")) {
            let name = format!("v{}", playing.versions.len() + 1);
            fields.insert("version".into(), name.clone().into());
            playing.versions.insert(name, version);
        }
        fields.extend(came.code.map(|code| ("reply".to_owned(), code.into())));
        fields.extend(came.closed.map(|how| ("ends".to_owned(), how.name().into())));
        let result = came.result();
        if !result.is_null() {
            fields.insert("hands".into(), result);
        }
        made.push(step);
    }
    made
}

impl Playing {
    /// Does a step, and gives what came of it.
    fn does(&mut self, step: &Value) -> Result<Came, String> {
        let fields = step.as_object().ok_or("is not an object")?;
        if let Some(unknown) = fields.keys().find(|key| !KEYS.contains(&key.as_str())) {
            return Err(format!("nobody knows the key {unknown:?}"));
        }
        match self.input(fields)? {
            Some(input) => self.react(input, fields).map(Came::of),
            None => Ok(Came::default()),
        }
    }

    fn step(&mut self, step: &Value) -> Result<(), String> {
        let came = self.does(step)?;
        if let Some(expected) = step.get("reply") {
            same("reply", &json!(came.code), expected)?;
        }
        if let Some(expected) = step.get("problems") {
            same("problems", &json!(came.problems), expected)?;
        }
        if let Some(expected) = step.get("ends") {
            same("ends", &json!(came.closed.map(Closing::name)), expected)?;
        }
        if let Some(text) = step.get("stored_lacks").and_then(Value::as_str) {
            if self.texts.contains(text) {
                return Err(format!("{text:?} is stored"));
            }
        } else {
            same("hands", &came.result(), step.get("hands").unwrap_or(&Value::Null))?;
        }
        if let Some(name) = step.get("version").and_then(Value::as_str) {
            self.versions.insert(name.into(), came.version.ok_or("there is no version")?);
        }
        Ok(())
    }

    /// What a step brings to the desk.
    fn input(&mut self, fields: &Map<String, Value>) -> Result<Option<Input>, String> {
        let text = |value: &Value, name: &str| value.get(name).and_then(Value::as_str).map(str::to_owned);
        let has = |name: &str| fields.contains_key(name);
        if let Some(asked) = fields.get("ask") {
            self.ask(asked)?;
            return Ok(None);
        }
        if let Some(name) = fields.get("client").and_then(Value::as_str) {
            let request = self.request()?;
            self.clients.insert(name.into(), request);
            return Ok(None);
        }
        if let Some(save) = fields.get("save") {
            let replaces = match text(save, "replaces") {
                Some(name) if name != "*" => Some(self.versions.get(&name).cloned().ok_or("there is no such version")?),
                replaces => replaces,
            };
            return Ok(Some(Input::Saved { walk: self.acted(save)?.save(), replaces }));
        }
        if let Some(respond) = fields.get("respond") {
            let mut response = self.acted(respond)?.response();
            if let Some(place) = text(respond, "tamper") {
                *response.pointer_mut(&place).ok_or("there is no such place")? = json!("changed");
            }
            return Ok(Some(self.sealed(Input::Responded {
                key: text(respond, "key"),
                response,
                tool_call_id: text(respond, "call"),
                seal: None,
            })?));
        }
        if let Some(given) = fields.get("answers") {
            let answers = given.get("values").and_then(Value::as_object).cloned().ok_or("there are no values")?;
            return Ok(Some(self.sealed(Input::Answered {
                key: text(given, "key"),
                answers,
                nonce: text(given, "nonce"),
                tool_call_id: text(given, "call"),
                seal: None,
            })?));
        }
        Ok(match () {
            () if has("reject") => Some(Input::Rejected),
            () if has("stop") => Some(Input::Stopped),
            () if has("overtake") => Some(Input::Overtaken),
            () if has("expire") => Some(Input::Expired { now: fields.get("expire").and_then(Value::as_i64) }),
            () if has("restore") => {
                self.load()?;
                Some(Input::Restored)
            }
            () => None,
        })
    }

    fn ask(&mut self, asked: &Value) -> Result<(), String> {
        let text = |name: &str| asked.get(name).and_then(Value::as_str);
        let mut options = asked.get("options").and_then(Value::as_object).cloned().unwrap_or_default();
        options.insert("tool_call_id".into(), asked["call"].clone());
        options.extend(text("nonce").map(|nonce| ("nonce".to_owned(), nonce.into())));
        let dialect =
            text("dialect").map_or(Ok(Dialect::Detect), str::parse).map_err(|_| "there is no such dialect")?;
        let call = text("call").ok_or("the question has no call")?.to_owned();
        let asked = Asked { call, request: asked["request"].to_string(), dialect, options: Value::Object(options) };
        self.desk = Some(Desk::ask(asked, self.desk.take()).map_err(|error| format!("{error:?}"))?);
        self.store();
        Ok(())
    }

    fn sealed(&self, input: Input) -> Result<Input, String> {
        let secrets = self.desk()?.secrets_in(&input);
        let made = secrets.map(|text| Seal {
            by: "test".into(),
            digest: format!(
                "{:x}",
                text.bytes().fold(0_u64, |sum, byte| sum.wrapping_mul(31).wrapping_add(byte.into()))
            ),
        });
        Ok(match input {
            Input::Responded { key, response, tool_call_id, .. } => {
                Input::Responded { key, response, tool_call_id, seal: made }
            }
            Input::Answered { key, answers, nonce, tool_call_id, .. } => {
                Input::Answered { key, answers, nonce, tool_call_id, seal: made }
            }
            input => input,
        })
    }

    /// The walk of a client after what it does.
    fn acted(&self, by: &Value) -> Result<Walk, String> {
        let request = match by.get("client").and_then(Value::as_str) {
            Some(name) => self.clients.get(name).cloned().ok_or("there is no such client")?,
            // A new client does everything from the beginning, also where another one has kept its walk.
            None => {
                let mut request = self.request()?;
                request.as_object_mut().ok_or("a request is no object")?.shift_remove("walk");
                request
            }
        };
        let dialect = request.get("dialect").and_then(Value::as_str).map_or(Ok(Dialect::Detect), str::parse);
        let host = Host::from_json(&request["options"]).map_err(|error| error.to_string())?;
        let form = Form::read(&request["request"], dialect.map_err(|_| "there is no such dialect")?, &host);
        let form = form.map_err(|rejection| rejection.to_string())?;
        // A client that comes late shows the question anew.
        let mut walk = match request.get("walk") {
            Some(walk) => Walk::resume(form, walk).map_err(|error| error.to_string())?,
            None => Walk::new(form),
        };
        let none = Vec::new();
        for act in by.get("acts").and_then(Value::as_array).unwrap_or(&none) {
            for action in case::actions(act.as_object().ok_or("an act is no object")?, &walk) {
                walk.act(action).map_err(|refusal| format!("{act}: {refusal}"))?;
            }
        }
        Ok(walk)
    }

    /// Brings an input to the desk, and does what follows as a host does: it stores, hands over and stores that.
    fn react(&mut self, input: Input, fields: &Map<String, Value>) -> Result<Reaction, String> {
        let crash = fields.get("crash").and_then(Value::as_str);
        let reaction = self.desk.as_mut().ok_or("no question was asked")?.on(input);
        if crash == Some("not_stored") {
            self.desk = None;
            return Ok(Reaction { store: false, reply: None, closed: None, hand: None });
        }
        if reaction.store {
            self.store();
        }
        if crash.is_some() {
            self.desk = None;
            return Ok(Reaction { store: false, reply: None, closed: None, hand: None });
        }
        if reaction.hand.is_some() {
            let after = self.desk.as_mut().ok_or("no question was asked")?.on(Input::Handed);
            if after.store {
                self.store();
            }
        }
        Ok(reaction)
    }

    fn store(&mut self) {
        let stored = self.desk.as_ref().map(Desk::to_json);
        self.texts.push_str(&stored.as_ref().map(Value::to_string).unwrap_or_default());
        self.stored = stored;
    }

    fn load(&mut self) -> Result<(), String> {
        let stored = self.stored.as_ref().ok_or("nothing is stored")?;
        // As a store of JSON gives it back: as text, with the keys in another order.
        let text = serde_json::to_string(&sorted(stored)).map_err(|error| error.to_string())?;
        let value: Value = serde_json::from_str(&text).map_err(|error| error.to_string())?;
        self.desk = Some(Desk::from_json(&value).map_err(|error| error.to_string())?);
        Ok(())
    }

    /// The question as a client gets it.
    fn request(&self) -> Result<Value, String> {
        serde_json::from_str(&self.desk()?.request()).map_err(|error| error.to_string())
    }

    fn desk(&self) -> Result<&Desk, String> {
        self.desk.as_ref().ok_or_else(|| "no question was asked".to_owned())
    }
}

/// A value whose keys are in order.
fn sorted(value: &Value) -> Value {
    match value {
        Value::Object(map) => {
            let fields: BTreeMap<_, _> = map.iter().map(|(name, value)| (name.clone(), sorted(value))).collect();
            Value::Object(fields.into_iter().collect())
        }
        Value::Array(list) => list.iter().map(sorted).collect(),
        value => value.clone(),
    }
}

fn same(what: &str, found: &Value, expected: &Value) -> Result<(), String> {
    if found == expected { Ok(()) } else { Err(format!("{what}: {found} where {expected} is expected")) }
}
