//! Reading in two steps: everything but the schemas at once, so that a first question can be shown; the schemas and their
//! defaults as soon as there is a checker. Total: any text and any value give a form or a rejection.

use super::{
    Dialect, Draft, Rules, detect,
    fields::{Reader, Unchecked},
    names, rules,
};
use crate::{
    answer::{Answer, can_meet},
    form::{Form, Question},
    host::{Host, Limits},
    json::{self, Fingerprint, Measure, type_name},
    problem::{Findings, Pointer, Problem, ProblemKind, Rejection},
    schema::SchemaChecker,
};
use serde_json::{Map, Value};
use std::{borrow::Cow, sync::Arc};

/// What an agent sent: JSON text as it arrived, or a value.
#[derive(Clone, Copy, Debug)]
pub enum Request<'a> {
    /// JSON text. It may be no JSON.
    Text(&'a str),
    /// A JSON value.
    Json(&'a Value),
}

impl<'a> From<&'a str> for Request<'a> {
    fn from(text: &'a str) -> Self {
        Self::Text(text)
    }
}

impl<'a> From<&'a String> for Request<'a> {
    fn from(text: &'a String) -> Self {
        Self::Text(text)
    }
}

impl<'a> From<&'a Value> for Request<'a> {
    fn from(value: &'a Value) -> Self {
        Self::Json(value)
    }
}

/// A request of which everything has been read but its schemas.
#[derive(Clone, Debug)]
pub struct Reading {
    tool: &'static str,
    problems: Findings,
    warnings: Findings,
    /// What could be read. It is no form as long as there is a problem. Absent where nothing could.
    form: Option<Form>,
    /// Where each question of the form stands in the request.
    paths: Vec<Pointer>,
    /// Where the schemas stand.
    schemas: Vec<Unchecked>,
}

impl Reading {
    /// Reads all but the schemas.
    ///
    /// # Errors
    /// A [`Rejection`] where the request cannot be read at all, or has problems and no schemas; where it has both, all
    /// problems come from [`Reading::finish`] together.
    pub fn new<'a>(request: impl Into<Request<'a>>, dialect: Dialect<'_>, host: &Host) -> Result<Self, Rejection> {
        let request = value_of(request.into(), host)?;
        let rules = rules_for(&request, dialect)?;
        let Value::Object(fields) = &*request else {
            let kind = ProblemKind::WrongType { expected: "an object", found: type_name(&request) };
            return Err(Rejection::of(Some(rules.tool), Problem::new(Pointer::root(), kind)));
        };
        let reading = Self::read(rules, fields, host, fingerprint(rules, &request, host));
        if reading.needs_schemas() || reading.problems.is_empty() {
            Ok(reading)
        } else {
            Err(reading.problems.into_rejection(rules.tool))
        }
    }

    /// Whether the form has schemas that are to be checked.
    pub fn needs_schemas(&self) -> bool {
        !self.schemas.is_empty()
    }

    /// The form as far as it is known, to show its first question; `None` if there are problems already.
    /// No result leaves a walk of it before the finished form is accepted ([`crate::Walk::accept`]).
    pub fn provisional(&self) -> Option<&Form> {
        self.form.as_ref().filter(|_| self.problems.is_empty())
    }

    /// Checks the schemas and their defaults.
    ///
    /// # Errors
    /// A [`Rejection`] with every problem of the request.
    pub fn finish(mut self, checker: &dyn SchemaChecker) -> Result<Form, Rejection> {
        if let Some(form) = &mut self.form {
            for unchecked in &self.schemas {
                if let Some(question) = form.questions.get_mut(unchecked.question) {
                    check_schema(unchecked, question, &form.host.limits, checker, &mut self.problems);
                }
            }
        }
        let Some(mut form) = self.form.take().filter(|_| self.problems.is_empty()) else {
            return Err(self.problems.into_rejection(self.tool));
        };
        self.warn_of_conditions(&form, true);
        form.warnings = self.warnings.as_slice().to_vec();
        form.checked = true;
        Ok(form)
    }

    fn read(rules: &'static Rules, fields: &Map<String, Value>, host: &Host, fingerprint: String) -> Self {
        let mut reader = Reader::new(host.limits);
        let draft = (rules.read)(&mut reader, fields);
        let Reader { problems, warnings, questions, paths, schemas, .. } = reader;
        let mut reading = Self { tool: rules.tool, problems, warnings, form: None, paths, schemas };
        let Some(draft) = draft else { return reading };
        let Draft { reuse, review, message, names_asker, reveals_secrets, envelope } = draft;
        let mut form = Form {
            dialect: rules.name,
            tool: rules.tool,
            warnings: Vec::new(),
            host: Arc::new(host.clone()),
            reuse: host.reuse.unwrap_or(reuse),
            // A form without questions has nothing else to show.
            review: host.review.unwrap_or(review) || questions.is_empty(),
            questions,
            message,
            names_asker,
            reveals_secrets,
            envelope,
            fingerprint,
            checked: reading.schemas.is_empty() && reading.problems.is_empty(),
        };
        reading.warn_of_conditions(&form, false);
        form.warnings = reading.warnings.as_slice().to_vec();
        reading.form = Some(form);
        reading
    }

    /// Notes conditions that can never hold: those on schema questions once their schemas are there, the others before.
    fn warn_of_conditions(&mut self, form: &Form, schemas: bool) {
        let mut never = vec![false; form.questions.len()];
        for (place, (question, path)) in form.questions.iter().zip(&self.paths).enumerate() {
            let Some(when) = &question.when else { continue };
            let Some(earlier) = form.questions.get(when.question) else { continue };
            let never_asked = never.get(when.question).copied().unwrap_or_default();
            let possible = if when.equals.is_null() && earlier.when.is_some() {
                true
            } else {
                !never_asked && can_meet(earlier, &when.equals, &form.host.limits)
            };
            if possible {
                continue;
            }
            if let Some(never) = never.get_mut(place) {
                *never = true;
            }
            if earlier.answer_type.schema().is_some() == schemas {
                let kind = ProblemKind::WhenNeverTrue { id: earlier.id.clone() };
                self.warnings.push(Problem::new(path.field("when").field("equals"), kind));
            }
        }
    }
}

fn value_of<'a>(request: Request<'a>, host: &Host) -> Result<Cow<'a, Value>, Rejection> {
    let limits = &host.limits;
    let depth = limits.depth.min(Limits::MAX_DEPTH);
    let refuse = |kind| Rejection::of(None, Problem::new(Pointer::root(), kind));
    let measured = match request {
        Request::Text(text) => json::measure_text(text, limits.bytes, depth),
        Request::Json(value) => json::measure(value, limits.bytes, depth),
    };
    match measured {
        Measure::Fits => {}
        Measure::TooManyBytes => {
            return Err(refuse(ProblemKind::TooLarge { what: format!("it has more than {} bytes", limits.bytes) }));
        }
        Measure::TooDeep => {
            let what = format!("it is nested more than {depth} levels deep");
            return Err(refuse(ProblemKind::TooLarge { what }));
        }
    }
    match request {
        Request::Text(text) => {
            json::parse(text).map(Cow::Owned).map_err(|error| refuse(ProblemKind::InvalidJson(error)))
        }
        Request::Json(value) => Ok(Cow::Borrowed(value)),
    }
}

fn rules_for(request: &Value, dialect: Dialect<'_>) -> Result<&'static Rules, Rejection> {
    let (found, named) = match dialect {
        Dialect::Detect => (detect(request), None),
        Dialect::Named(name) => (rules(name), Some(name.to_owned())),
    };
    found.ok_or_else(|| {
        let kind = ProblemKind::UnknownDialect { named, known: names() };
        Rejection::of(None, Problem::new(Pointer::root(), kind))
    })
}

fn fingerprint(rules: &Rules, request: &Value, host: &Host) -> String {
    Fingerprint::new()
        .text(rules.name)
        .text(&host.tool_call_id)
        .value(&host.source.to_json())
        .value(request)
        .to_string()
}

fn check_schema(
    unchecked: &Unchecked,
    question: &mut Question,
    limits: &Limits,
    checker: &dyn SchemaChecker,
    problems: &mut Findings,
) {
    let Some(schema) = question.answer_type.schema_mut() else { return };
    match schema.checked(checker) {
        Ok(checked) => *schema = checked,
        Err(fault) => {
            let path = unchecked.schema.join(&fault.path);
            problems.push(Problem::new(path, ProblemKind::InvalidSchema { reason: fault.reason }));
            return;
        }
    }
    if let Some(value) = &question.default
        && let Err(refusal) = Answer::new(question, value.clone().into(), limits)
    {
        problems.push(Problem::new(unchecked.default.clone(), ProblemKind::InvalidDefault { refusal }));
    }
}
