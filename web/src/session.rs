//! What stands behind one form on a page: a request that is being read, a walk, or a rejection. Plain data; the view
//! shows it.

mod writing;

use crate::{
    checker::Absent,
    layout::{self, Layout},
};
use ask_user_core::{
    Action, Dialect, Given, Host, Misuse, Outcome, Outline, Reader, Reading, Refusal, Rejection, Step, UnknownDialect,
    Unresumable, Walk,
    json::{ToJson, parse},
    problem::{NotAllowed, Problem},
    schema::SchemaChecker,
};
use serde_json::{Map, Value};

/// The state of one form.
pub struct Session {
    stage: Stage,
    /// Invariant: present until the schemas are checked, where there are any.
    reading: Option<Reading>,
    /// Reads the request while it is being written.
    reader: Option<Box<Reader>>,
    saved: Option<Value>,
    /// The secrets of the saved walk, where this page has kept them.
    secrets: Map<String, Value>,
    unresumable: Option<Unresumable>,
    resumed: bool,
    typed: Map<String, Value>,
    label: Option<String>,
    /// What a rejected request asks, as far as it can be read.
    asked: Option<String>,
    /// The walk before its ending, while the ending is held and can be undone.
    held: Option<Box<Walk>>,
    /// The walk before what was done last while the request was being written: that may be its ending.
    unended: Option<Box<Walk>>,
    /// The walk of a request that was rejected once its schemas were checked.
    left: Option<Box<Walk>>,
    /// Whether the walk is only shown: nothing is done in it, and nobody is told of it.
    is_past: bool,
    layout: Layout,
    /// Whether anything has happened since the host was told.
    moved: bool,
    told: Told,
}

/// How far the form has come.
enum Stage {
    /// Nothing can be shown before the schemas are checked.
    Waiting,
    Walking(Box<Walk>),
    Rejected(Rejection),
}

/// What the host has been told already.
#[derive(Default)]
struct Told {
    verdict: bool,
    records: usize,
    step: Option<Step>,
    outcome: bool,
}

impl Session {
    /// What the custom element asks for: a dialect by its name, the host's options as JSON text, a saved walk where there is one, and
    /// whether that is only shown.
    pub fn new(
        request: &str,
        dialect: Option<&str>,
        options: &str,
        saved: Option<&str>,
        secrets: Option<&str>,
        is_past: bool,
    ) -> Result<Self, Misuse> {
        let mut options = parse(options).unwrap_or_default();
        let layout = options.as_object_mut().and_then(|options| options.remove("layout"));
        let host = Host::from_json(&options)?;
        let dialect = dialect.map_or(Ok(Dialect::Detect), str::parse);
        let dialect = dialect.map_err(|unknown: UnknownDialect| Rejection::from(unknown));
        let layout = Layout::named(layout.as_ref().and_then(Value::as_str));
        Ok(Self::of(request, dialect, &host, saved, secrets, is_past).laid_out(layout))
    }

    /// The same form in this layout.
    pub fn laid_out(self, layout: Layout) -> Self {
        Self { layout, ..self }
    }

    /// Reads a request as far as it goes without a checker, and takes up a saved walk where there is one.
    pub fn read(
        request: &str,
        dialect: Result<Dialect, Rejection>,
        host: &Host,
        saved: Option<&str>,
        secrets: Option<&str>,
    ) -> Self {
        Self::of(request, dialect, host, saved, secrets, false)
    }

    fn of(
        request: &str,
        dialect: Result<Dialect, Rejection>,
        host: &Host,
        saved: Option<&str>,
        secrets: Option<&str>,
        is_past: bool,
    ) -> Self {
        let saved = saved.map(|saved| parse(saved).unwrap_or_default());
        let mut session = Self { is_past, ..Self::blank(Stage::Waiting, saved, secrets, host.label.clone()) };
        match dialect.and_then(|dialect| Reading::new(request, dialect, host)) {
            Err(rejection) => {
                session.asked = Dialect::asked(request);
                session.stage = Stage::Rejected(rejection);
            }
            Ok(reading) if reading.needs_schemas() => {
                if let (Some(form), None) = (reading.provisional(), &session.saved) {
                    session.stage = Stage::Walking(Box::new(Walk::begin(form)));
                }
                session.reading = Some(reading);
            }
            Ok(reading) => session.finish(reading, &Absent),
        }
        session
    }

    fn blank(stage: Stage, saved: Option<Value>, secrets: Option<&str>, label: Option<String>) -> Self {
        let secrets = secrets.and_then(|secrets| parse(secrets).ok());
        let typed = saved.as_ref().and_then(|saved| saved.get("typed").cloned());
        Self {
            stage,
            reading: None,
            reader: None,
            typed: match typed {
                Some(Value::Object(typed)) => typed,
                _ => Map::new(),
            },
            saved,
            secrets: match secrets {
                Some(Value::Object(secrets)) => secrets,
                _ => Map::new(),
            },
            unresumable: None,
            resumed: false,
            label,
            asked: None,
            held: None,
            unended: None,
            left: None,
            is_past: false,
            layout: Layout::default(),
            moved: true,
            told: Told::default(),
        }
    }

    /// What stood in the saved walk beside it: what was typed and not taken yet.
    pub fn take_typed(&mut self) -> Map<String, Value> {
        let mut typed = std::mem::take(&mut self.typed);
        self.drop_decisions(&mut typed);
        // A walk that is resumed has kept what was typed in it.
        if let (Some(walk), false) = (self.walk(), self.resumed) {
            typed.extend(walk.typed_drafts());
        }
        typed
    }

    /// What the next form of the turn begins with, `typed` being what was typed and not taken. Nothing where there was no walk.
    pub fn drafts(&self, typed: &Map<String, Value>) -> Option<Map<String, Value>> {
        Some(self.known().or(self.left.as_deref())?.drafts_with(typed))
    }

    /// Drops what was chosen and decided where the saved walk was not taken up: it was chosen for another request. Texts are kept.
    pub fn drop_decisions(&self, typed: &mut Map<String, Value>) {
        const DECIDED: [&str; 4] = [".chosen", ".remember", ".decision", ".arguments"];
        if self.unresumable.is_some() {
            typed.retain(|key, _| !DECIDED.iter().any(|end| key.ends_with(end)));
        }
    }

    /// Whether there are schemas that nobody has checked yet.
    pub fn needs_schemas(&self) -> bool {
        self.reading.is_some() || self.reader.as_ref().is_some_and(|reader| reader.needs_schemas())
    }

    /// Checks the schemas.
    pub fn check_schemas(&mut self, checker: &dyn SchemaChecker) {
        if let Some(reading) = self.reading.take() {
            self.finish(reading, checker);
        } else {
            self.check_growing(checker);
        }
    }

    /// Does what the person did. Back leads to the page before, where there was one. With `holds`, an ending is held: the host is not told of it before [`Session::release`].
    pub fn act(&mut self, action: Action, holds: bool) -> Result<(), Refusal> {
        let layout = self.layout;
        let act = |walk: &mut Walk| match action {
            Action::Back => (0..layout::backs(layout, walk)).try_for_each(|_| walk.act(Action::Back)),
            action => walk.act(action),
        };
        self.change(act, holds)
    }

    /// Answers several questions at once, likewise: all of them, or none. With `submits`, a review that comes next is submitted, too.
    pub fn act_all(&mut self, answers: Vec<(String, Given)>, submits: bool, holds: bool) -> Result<(), Refusal> {
        let answer = |walk: &mut Walk| {
            walk.answer_all(answers)?;
            if submits && matches!(walk.step(), Step::Review(_)) { walk.act(Action::Submit) } else { Ok(()) }
        };
        self.change(answer, holds)
    }

    fn change(&mut self, act: impl FnOnce(&mut Walk) -> Result<(), Refusal>, holds: bool) -> Result<(), Refusal> {
        match &mut self.stage {
            Stage::Walking(walk) => {
                let before = holds.then(|| walk.clone());
                act(walk)?;
                match walk.outcome() {
                    Some(_) => self.held = before,
                    None if walk.is_whole() => self.held = None,
                    None => self.unended = before,
                }
                self.moved = true;
                Ok(())
            }
            // The view shows nothing then that could be answered.
            Stage::Waiting | Stage::Rejected(_) => Err(Refusal::NotAllowed(NotAllowed::LOADING)),
        }
    }

    /// Whether there is an ending that the host has not been told of and that can be undone.
    pub fn is_held(&self) -> bool {
        self.held.is_some()
    }

    /// Lets the host be told of the ending.
    pub fn release(&mut self) {
        self.held = None;
    }

    /// Takes back the ending, if it is held.
    pub fn undo(&mut self) -> bool {
        let held = self.held.take();
        let is_held = held.is_some();
        if let Some(mut walk) = held {
            // More of the request may have come since.
            if let Some(reader) = &self.reader {
                walk.grow(reader.form());
            }
            self.stage = Stage::Walking(walk);
        }
        is_held
    }

    /// Leads back to the step before the ending, which the host has refused. Says whether there was one.
    #[cold]
    pub fn reopen(&mut self) -> bool {
        let Some(walk) = self.walk().and_then(Walk::reopened) else { return false };
        self.told.records = self.told.records.min(walk.records().count());
        (self.told.step, self.told.outcome, self.moved) = (None, false, true);
        self.stage = Stage::Walking(Box::new(walk));
        true
    }

    /// The walk as the host may know it: without an ending that is held.
    pub fn known(&self) -> Option<&Walk> {
        self.held.as_deref().or_else(|| self.walk())
    }

    /// The walk, where there is one.
    pub fn walk(&self) -> Option<&Walk> {
        match &self.stage {
            Stage::Walking(walk) => Some(walk),
            Stage::Waiting | Stage::Rejected(_) => None,
        }
    }

    /// Whether the request was rejected.
    pub fn is_rejected(&self) -> bool {
        matches!(self.stage, Stage::Rejected(_))
    }

    /// Whether a question of the request was shown before it was rejected.
    pub fn was_shown(&self) -> bool {
        self.left.as_ref().is_some_and(|walk| !walk.form().questions().is_empty())
    }

    /// What a rejected request asks, as far as it can be read.
    pub fn asked(&self) -> Option<&str> {
        self.asked.as_deref()
    }

    /// The rejection, where the request was rejected.
    pub fn rejection(&self) -> Option<&Rejection> {
        match &self.stage {
            Stage::Rejected(rejection) => Some(rejection),
            Stage::Waiting | Stage::Walking(_) => None,
        }
    }

    /// Whether anything has happened since the last call.
    pub fn take_moved(&mut self) -> bool {
        std::mem::take(&mut self.moved)
    }

    /// How the questions are laid out.
    pub fn layout(&self) -> Layout {
        self.layout
    }

    /// Who asks.
    pub fn label(&self) -> Option<&str> {
        self.label.as_deref()
    }

    /// Says who asks; and whether that is new.
    pub fn relabel(&mut self, label: Option<String>) -> bool {
        let is_new = self.label != label;
        self.label = label;
        is_new
    }

    /// Why the saved walk was not taken up, if it was not.
    pub fn unresumable(&self) -> Option<&Unresumable> {
        self.unresumable.as_ref()
    }

    /// What is new since the last call, for the host.
    pub fn changes(&mut self) -> Map<String, Value> {
        let mut changes = Map::new();
        // What is typed is told of at every key: the step need not be written for that.
        if self.is_held() || !std::mem::take(&mut self.moved) {
            return changes;
        }
        match &self.stage {
            Stage::Rejected(rejection) if !self.told.verdict => {
                self.told.verdict = true;
                changes.insert("rejected".into(), Value::Object(rejection.to_json()));
            }
            Stage::Rejected(_) => {}
            Stage::Walking(_) | Stage::Waiting if self.is_past => {
                let why = self.unresumable.as_ref().map(ToString::to_string);
                changes.extend(why.map(|why| ("unresumable".to_owned(), why.into())));
            }
            Stage::Walking(walk) => {
                if !self.told.verdict && walk.is_checked() {
                    self.told.verdict = true;
                    changes.insert("ready".into(), ready(walk.form(), self.resumed, self.unresumable.as_ref()));
                }
                let records: Vec<_> = walk.records_from(self.told.records).map(|record| record.to_json()).collect();
                self.told.records += records.len();
                if !records.is_empty() {
                    changes.insert("records".into(), Value::Array(records));
                }
                let step = walk.step();
                if self.told.step.as_ref() != Some(&step) {
                    changes.insert("step".into(), step.to_json());
                    self.told.step = Some(step);
                }
                if let (Some(outcome), false) = (walk.outcome(), self.told.outcome) {
                    self.told.outcome = true;
                    changes.insert("ended".into(), ended(walk, &outcome));
                }
            }
            Stage::Waiting => {}
        }
        changes
    }

    fn finish(&mut self, reading: Reading, checker: &dyn SchemaChecker) {
        self.moved = true;
        let form = match reading.finish(checker) {
            Ok(form) => form,
            Err(rejection) => return self.reject(rejection),
        };
        match &self.stage {
            Stage::Walking(_) => self.accept(form),
            Stage::Waiting | Stage::Rejected(_) if self.is_past => {
                match Walk::as_saved(form, &self.saved.take().unwrap_or_default()) {
                    Ok(walk) => self.stage = Stage::Walking(Box::new(walk)),
                    Err(error) => self.unresumable = Some(error),
                }
            }
            Stage::Waiting | Stage::Rejected(_) => {
                let walk = match self.saved.take().map(|saved| Walk::resume_with(form.clone(), &saved, &self.secrets)) {
                    Some(Ok(walk)) => {
                        // They were told when they happened.
                        self.told.records = walk.records().count();
                        self.resumed = true;
                        walk
                    }
                    Some(Err(error)) => {
                        self.unresumable = Some(error);
                        Walk::new(form)
                    }
                    None => Walk::new(form),
                };
                self.stage = Stage::Walking(Box::new(walk));
            }
        }
    }

    fn reject(&mut self, rejection: Rejection) {
        if let Stage::Walking(walk) = std::mem::replace(&mut self.stage, Stage::Rejected(rejection)) {
            self.left = Some(walk);
        }
        (self.held, self.unended) = (None, None);
    }
}

/// The question that something was typed for, by its key: no id has a dot.
pub fn of(key: &str) -> &str {
    key.split('.').next().unwrap_or_default()
}

/// All that is told and sent of an ending: the outcome, its idempotency key, the result for the agent, and what a host reads that reads the walk again.
fn ended(walk: &Walk, outcome: &Outcome) -> Value {
    let mut ended = Map::new();
    ended.insert("outcome".into(), outcome.to_json());
    ended.insert("key".into(), walk.idempotency_key().into());
    ended.extend(walk.result_text().map(|text| ("result".to_owned(), text.into())));
    ended.insert("response".into(), walk.response());
    Value::Object(ended)
}

fn ready(form: &Outline, resumed: bool, unresumable: Option<&Unresumable>) -> Value {
    let mut ready = Map::new();
    ready.insert("dialect".into(), form.dialect().into());
    ready.insert("questions".into(), form.questions().len().into());
    ready.insert("warnings".into(), form.warnings().iter().map(Problem::to_json).collect());
    ready.insert("resumed".into(), resumed.into());
    if let Some(end) = form.expires_at() {
        ready.insert("expiresAt".into(), end.as_str().into());
    }
    if let Some(error) = unresumable {
        let said = [("code", error.code().into()), ("message", error.to_string().into())];
        let said = said.into_iter().map(|(name, value): (&str, Value)| (name.to_owned(), value)).collect();
        ready.insert("unresumable".into(), Value::Object(said));
    }
    Value::Object(ready)
}
