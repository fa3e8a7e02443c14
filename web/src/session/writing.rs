//! A request that is still being written: its questions are asked as they come, and its end is that of any other request.

use super::{Host, Session, Stage, Told};
use crate::{checker::Absent, layout::Layout};
use ask_user_core::{
    Asking, Dialect, Form, Misuse, Reader, Rejection, Step, UnknownDialect, Walk,
    json::parse,
    problem::{Pointer, Problem, ProblemKind},
    schema::SchemaChecker,
};
use serde_json::{Map, Value};

impl Session {
    /// A form of which nothing has come yet. Each question is a step: a page would change under the person.
    pub fn writing(dialect: Option<&str>, options: &str) -> Result<Self, Misuse> {
        let mut options = parse(options).unwrap_or_default();
        if let Some(options) = options.as_object_mut() {
            options.remove("layout");
        }
        let host = Host::from_json(&options)?;
        let dialect = dialect.map_or(Ok(Dialect::Detect), str::parse);
        let dialect = match dialect.map_err(|unknown: UnknownDialect| Rejection::from(unknown)) {
            Ok(dialect) => dialect,
            Err(rejection) => return Ok(Self::blank(Stage::Rejected(rejection), None, None, host.label)),
        };
        let reader = Reader::new(dialect, &host);
        let walk = Walk::stream(reader.form());
        let session = Self::blank(Stage::Walking(Box::new(walk)), None, None, host.label);
        Ok(Self { reader: Some(Box::new(reader)), layout: Layout::Steps, ..session })
    }

    /// Whether more of the request may come.
    pub fn is_being_written(&self) -> bool {
        self.reader.is_some()
    }

    /// Whether more of the request is of use: not once it is longer than the host allows.
    pub fn takes_more(&self) -> bool {
        self.reader.as_ref().is_some_and(|reader| !reader.is_too_long())
    }

    /// Takes in what comes next. Says whether a question has come with it: [`Session::grow`].
    pub fn write(&mut self, text: &str) -> bool {
        let Some(reader) = &mut self.reader else { return false };
        reader.write(text);
        let there = |walk: &Walk| walk.form().questions().len();
        self.walk().map(there) < self.reader.as_ref().map(|reader| reader.form().questions().len())
    }

    /// Compiles the schemas of the questions that wait for it, likewise.
    pub(super) fn check_growing(&mut self, checker: &dyn SchemaChecker) {
        if let Some(reader) = &mut self.reader {
            reader.check(checker);
        }
        self.grow();
    }

    /// Asks the questions that have come. Returns what earlier forms left for their fields.
    pub fn grow(&mut self) -> Map<String, Value> {
        let (Some(reader), Stage::Walking(walk)) = (&self.reader, &mut self.stage) else { return Map::new() };
        let before = walk.form().questions().len();
        walk.grow(reader.form());
        self.moved = true;
        let come = walk.form().questions().get(before..).unwrap_or_default();
        let is_new = |key: &str| come.iter().any(|question| question.id == super::of(key));
        if come.is_empty() {
            Map::new()
        } else {
            walk.typed_drafts().into_iter().filter(|(key, _)| is_new(key)).collect()
        }
    }

    /// Reads the whole request, now that nothing more comes. Where it has schemas, it waits for them like any other.
    pub fn end(&mut self) {
        let Some(reader) = self.reader.take() else { return };
        self.moved = true;
        let text = reader.text().to_owned();
        match reader.end() {
            Err(rejection) => self.reject_written(&text, rejection),
            Ok(reading) if reading.needs_schemas() => self.reading = Some(reading),
            Ok(reading) => self.finish(reading, &Absent),
        }
    }

    /// The request will never be whole, and why.
    pub fn fail(&mut self, reason: String) {
        let Some(reader) = self.reader.take() else { return };
        self.moved = true;
        let problem = Problem::new(Pointer::root(), ProblemKind::Unreadable { reason });
        self.reject_written(reader.text(), Rejection::of(None, problem));
    }

    /// A person who has ended the turn is done with it, whatever becomes of the request.
    fn reject_written(&mut self, text: &str, rejection: Rejection) {
        if self.walk().is_some_and(|walk| walk.ending().is_some()) {
            return;
        }
        self.asked = Dialect::asked(text);
        self.reject(rejection);
    }

    /// The form is whole: the walk goes on with it, or begins anew where the end of the request contradicts its beginning.
    pub(super) fn accept(&mut self, form: Form) {
        let Stage::Walking(walk) = &mut self.stage else { return };
        // The form is that of these walks: all come from one reading.
        for before in [&mut self.held, &mut self.unended].into_iter().flatten() {
            drop(before.accept(form.clone()));
        }
        if walk.accept_or_anew(form) {
            (self.held, self.unended, self.told) = (None, None, Told::default());
            return;
        }
        if let (Some(before), true) = (self.unended.take(), walk.outcome().is_some()) {
            self.held = Some(before);
        }
        // How many questions there are is no step of its own.
        if let (Some(told), step) = (&mut self.told.step, walk.step())
            && is_same(told, &step)
        {
            *told = step;
        }
    }
}

/// Whether two steps put the same question.
fn is_same(one: &Step, other: &Step) -> bool {
    let put = |asking: &Asking| (asking.question.id.clone(), asking.asks);
    matches!((one, other), (Step::Asking(one), Step::Asking(other)) if put(one) == put(other))
}
