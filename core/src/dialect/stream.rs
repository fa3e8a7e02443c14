//! Reading a request while it is being written. Each question is read once, when its JSON value is closed; at the end the whole request is read
//! like any other, and that alone decides. This file does not know how a person is asked.

use super::{
    Dialect,
    draft::Rules,
    fields::Reader as Collector,
    reading::{Reading, check_schema},
};
use crate::{
    budget::Budget,
    form::Growing,
    host::{Host, Limits},
    json::{Complete, Scanner, parse, weigh_text},
    outcome::Reply,
    problem::{Pointer, Problem, ProblemKind, Rejection, object},
    schema::SchemaChecker,
};
use serde_json::{Map, Value};
use std::sync::Arc;

/// The list that can be read while it is being written.
const LIST: &str = "questions";
/// How deep the elements of that list are nested.
const LEVELS: usize = 2;

/// Reads a request while it is being written. It is fed the text in pieces of any size, and gives the questions that are complete, in order, as a
/// form that grows. No question in it ever changes.
///
/// Only a list of questions grows, and only while it is certain what its questions are. Anything else waits for the end: a single question, an
/// elicitation, an approval, and a list whose dialect the host has not named and that could still be of another one. So do all questions from one
/// on that has a problem, as the end will tell.
///
/// ```
/// use ask_user_core::{Action, Dialect, Host, Reader, Walk, schema::Validator};
///
/// let mut reader = Reader::new(Dialect::Detect, &Host::default());
/// let mut walk = Walk::stream(reader.form());
/// for piece in [r#"{"questions": [{"id": "go", "text": "Go?", "ans"#, r#"wer_type": "boolean"}, {"id": "why", "te"#] {
///     reader.write(piece);
///     walk.grow(reader.form());
/// }
/// walk.act(Action::answer(true))?;
/// assert_eq!(walk.outcome(), None);
///
/// reader.write(r#"xt": "Why?", "answer_type": "text"}]}"#);
/// walk.accept(reader.end()?.finish(&Validator::default())?)?;
/// walk.act(Action::answer("It is ready"))?;
/// assert!(walk.outcome().is_some());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Reader {
    dialect: Dialect,
    host: Arc<Host>,
    /// Invariant: at most a character longer than the limit of the host.
    text: String,
    /// The first bytes of a character whose others have not come yet.
    cut: Vec<u8>,
    /// Whether all bytes so far are UTF-8.
    is_text: bool,
    scanner: Scanner,
    /// The members of the request that stand before its questions.
    before: Map<String, Value>,
    /// The rules of its dialect, once they are certain.
    rules: Option<&'static Rules>,
    collector: Collector,
    form: Growing,
    /// How many schemas are compiled.
    checked: usize,
    /// Whether no further question can be read before the end.
    is_stopped: bool,
}

impl Reader {
    /// A reader of a request of which nothing has come yet.
    pub fn new(dialect: Dialect, host: &Host) -> Self {
        let host = Arc::new(host.clone());
        Self {
            dialect,
            text: String::new(),
            cut: Vec::new(),
            is_text: true,
            scanner: Scanner::new(LIST),
            before: Map::new(),
            rules: None,
            collector: Collector::new(&host, dialect != Dialect::Detect, Budget::new(host.limits.work)),
            form: Growing::new(
                Arc::clone(&host),
                dialect.rules().map_or(Reply::WithWords, |rules| rules.unread(&Value::Null).reply()),
            ),
            checked: 0,
            // Its form fails, whatever the request is.
            is_stopped: host.sub_agent,
            host,
        }
    }

    /// Takes in what comes next: text, or bytes of UTF-8. A character or an escape may be cut anywhere.
    pub fn write(&mut self, text: impl AsRef<[u8]>) {
        self.take(text.as_ref());
    }

    /// The questions that are complete, up to the first whose schema is not compiled. Changes after [`Reader::write`] and [`Reader::check`].
    pub fn form(&self) -> &Growing {
        &self.form
    }

    /// Whether a question waits for its schema to be compiled.
    pub fn needs_schemas(&self) -> bool {
        self.checked < self.collector.schemas.len()
    }

    /// Compiles the schemas of the questions that wait for it. One that cannot be compiled ends the growth.
    pub fn check(&mut self, checker: &dyn SchemaChecker) {
        while let Some(unchecked) = self.collector.schemas.get(self.checked) {
            let question = self.collector.questions.get_mut(unchecked.question).map(Arc::make_mut);
            let (limits, budget) = (&self.host.limits, &mut self.collector.budget);
            let checked =
                question.is_some_and(|question| check_schema(unchecked, question, limits, checker, budget).is_ok());
            if !checked {
                self.collector.questions.truncate(unchecked.question);
                self.collector.schemas.truncate(self.checked);
                self.is_stopped = true;
                break;
            }
            self.checked = self.checked.saturating_add(1);
        }
        self.release();
    }

    /// Reads the whole request, as [`Reading::new`] does. Its questions begin with those that were complete before, unless the end of the
    /// request contradicts its beginning: by a second list of questions, or by a field that makes it a request of another kind.
    ///
    /// # Errors
    /// The [`Rejection`] of [`Reading::new`]. One says that the request is not UTF-8, if it is not.
    pub fn end(self) -> Result<Reading, Rejection> {
        if (!self.is_text || !self.cut.is_empty()) && !self.host.sub_agent {
            let reason = "it is not UTF-8".into();
            return Err(Rejection::of(None, Problem::new(Pointer::root(), ProblemKind::Unreadable { reason })));
        }
        Reading::new(&self.text, self.dialect, &self.host)
    }

    /// Whether the text is longer than the host allows, so that it will be rejected whatever follows.
    pub fn is_too_long(&self) -> bool {
        self.text.len() > self.host.limits.bytes
    }

    /// The text so far. What is longer than the host allows is not kept.
    pub fn text(&self) -> &str {
        &self.text
    }

    fn take(&mut self, bytes: &[u8]) {
        self.keep(bytes);
        while !self.is_stopped {
            let Some(complete) = self.scanner.next(&self.text) else { return };
            if self.read(complete).is_none() {
                self.is_stopped = true;
            }
        }
    }

    /// Adds bytes to the text.
    fn keep(&mut self, mut bytes: &[u8]) {
        while let (false, Some((first, rest))) = (self.cut.is_empty(), bytes.split_first()) {
            self.cut.push(*first);
            bytes = rest;
            let cut = std::mem::take(&mut self.cut);
            self.add(&cut);
        }
        self.add(bytes);
    }

    fn add(&mut self, bytes: &[u8]) {
        // What is too large already does not get larger.
        if bytes.is_empty() || !self.is_text || self.is_too_long() {
            return;
        }
        let (text, rest) = match str::from_utf8(bytes) {
            Ok(text) => (text, &[][..]),
            Err(error) => {
                self.is_text = error.error_len().is_none();
                let (valid, rest) = bytes.split_at_checked(error.valid_up_to()).unwrap_or_default();
                (str::from_utf8(valid).unwrap_or_default(), rest)
            }
        };
        let room = self.host.limits.bytes.saturating_sub(self.text.len()).saturating_add(1);
        let end = (room..text.len()).find(|end| text.is_char_boundary(*end)).unwrap_or(text.len());
        self.text.push_str(text.get(..end).unwrap_or_default());
        if self.is_text {
            self.cut = rest.to_vec();
        }
    }

    /// Reads a part that is complete. `None` if nothing more can be read before the end.
    fn read(&mut self, complete: Complete) -> Option<()> {
        match complete {
            Complete::Member { name, value } => {
                let (Value::String(name), value) = (parse(self.text.get(name)?).ok()?, self.value(value)?) else {
                    return None;
                };
                self.before.insert(name, value);
            }
            Complete::Element(element) => {
                let question = self.value(element)?;
                let rules = match self.rules {
                    Some(rules) => rules,
                    None => certain(self.dialect, &self.before, &question)?,
                };
                let mut list = object([(LIST, Value::Array(vec![question]))]);
                let draft = rules.read(&mut self.collector, &list)?;
                let collector = &mut self.collector;
                collector.earlier = collector.earlier.saturating_add(1);
                if collector.depends_on_later || !collector.problems.is_empty() {
                    let kept = collector.earlier.saturating_sub(1);
                    collector.questions.truncate(kept);
                    collector.schemas.retain(|unchecked| unchecked.question < kept);
                    return None;
                }
                if self.rules.replace(rules).is_none() {
                    let mut request = self.before.clone();
                    request.append(&mut list);
                    self.form.tell(rules.name, rules.tool(&Value::Object(request)), draft.reuse, draft.writer.reply());
                }
                self.release();
            }
        }
        Some(())
    }

    /// A value at some place of the text.
    fn value(&mut self, place: std::ops::Range<usize>) -> Option<Value> {
        let text = self.text.get(place)?;
        let limits = &self.host.limits;
        let depth = limits.depth.min(Limits::MAX_DEPTH).checked_sub(LEVELS)?;
        let units = weigh_text(text, limits.bytes, depth).ok()?;
        self.collector.budget.charge(units).ok()?;
        parse(text).ok()
    }

    /// Adds to the form what waits for nothing more.
    fn release(&mut self) {
        let next = self.collector.schemas.get(self.checked).map(|unchecked| unchecked.question);
        let end = next.unwrap_or(self.collector.questions.len());
        let ready = self.collector.questions.get(self.form.questions.len()..end);
        self.form.push(ready.unwrap_or_default());
    }
}

/// The rules of a list of questions with these members before it and this first question, if nothing that follows makes it a list of another
/// dialect, but for fields that no such list has.
fn certain(named: Dialect, before: &Map<String, Value>, first: &Value) -> Option<&'static Rules> {
    let is_named = named != Dialect::Detect;
    let has = |name: &str| before.get(name).is_some_and(|value| !value.is_null());
    let dialect = if is_named {
        named
    } else {
        let mut request = before.clone();
        request.insert(LIST.into(), Value::Array(vec![first.clone()]));
        let request = Value::Object(request);
        Dialect::every().find(|dialect| dialect.rules().is_some_and(|rules| rules.recognises(&request)))?
    };
    let is_certain = match dialect {
        Dialect::AskUser => is_named || first.get("answer_type").is_some_and(|given| !given.is_null()),
        // Without the host's word, what a later question has may make it another of these.
        Dialect::AskUserQuestion
        | Dialect::Codex
        | Dialect::Gemini
        | Dialect::Opencode
        | Dialect::Vscode
        | Dialect::Kimi => is_named,
        Dialect::Claude => is_named && !before.contains_key("tool_name"),
        Dialect::Deepagents => match before.get("type").and_then(Value::as_str) {
            Some(kind) => kind == "ask_user",
            None => is_named && !has("type") && !has("action"),
        },
        // Not a list of questions, or one that something after it changes.
        Dialect::Mcp
        | Dialect::Langchain
        | Dialect::AiSdk
        | Dialect::OpenaiAgents
        | Dialect::AgUi
        | Dialect::OpenaiResponses
        | Dialect::Adk
        | Dialect::AgentFramework
        | Dialect::ManagedAgents
        | Dialect::PydanticAi
        | Dialect::Langgraph
        | Dialect::Goose
        | Dialect::Acp
        | Dialect::Openclaw
        | Dialect::Copilot
        | Dialect::Zed
        | Dialect::Mastra
        | Dialect::Roo
        | Dialect::Cline
        | Dialect::Own(_)
        | Dialect::Detect => false,
    };
    dialect.rules().filter(|_| is_certain)
}
