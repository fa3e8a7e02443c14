//! Reading in two steps: everything but the schemas at once, so that a first question can be shown; the schemas and their defaults as
//! soon as there is a checker. Any text and any value give a form or a rejection.

use super::{
    Dialect, UnknownDialect, ask_user, detection,
    draft::{Draft, Rules},
    fields::{Reader, Unchecked},
};
use crate::{
    answer::{Answer, can_meet},
    budget::{Budget, Exhausted},
    form::{Form, Outline, Provisional},
    host::{Host, Limits},
    json::{self, Fingerprint, Oversize, ToJson, type_name},
    problem::{Findings, Pointer, Problem, ProblemKind, Rejection},
    question::{AnswerType, Question, Test, When},
    schema::{SchemaChecker, SchemaFault},
};
use serde_json::{Map, Value};
use std::{borrow::Cow, sync::Arc};

impl Form {
    /// Reads a request. Without the feature `schema`, a request with a schema or a pattern is rejected with `invalid_schema`.
    ///
    /// # Errors
    /// A [`Rejection`] with every problem of the request. Nothing panics, whatever the request. What is larger than the host's limits
    /// is rejected before it is read.
    pub fn read<'a>(request: impl Into<Request<'a>>, dialect: Dialect, host: &Host) -> Result<Self, Rejection> {
        #[cfg(feature = "schema")]
        let checker = crate::schema::Validator::default();
        #[cfg(not(feature = "schema"))]
        let checker = crate::schema::NoChecker;
        Reading::new(request, dialect, host)?.finish(&checker)
    }
}

/// What an agent sent: JSON text as it arrived, or a value.
#[derive(Clone, Copy, Debug)]
pub enum Request<'a> {
    /// JSON text. It may be invalid.
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

/// A request that has been read, apart from its schemas.
#[derive(Clone, Debug)]
pub struct Reading {
    tool: &'static str,
    problems: Findings,
    warnings: Findings,
    /// What could be read. `None` where nothing could.
    outline: Option<Outline>,
    /// Where each question stands in the request.
    paths: Vec<Pointer>,
    /// Where the schemas stand.
    schemas: Vec<Unchecked>,
    /// What is left of the work of reading.
    budget: Budget,
}

impl Reading {
    /// Reads everything but the schemas.
    ///
    /// # Errors
    /// A [`Rejection`] if the request cannot be read at all, or has problems and no schemas. If it has both, [`Reading::finish`] gives
    /// all problems together.
    pub fn new<'a>(request: impl Into<Request<'a>>, dialect: Dialect, host: &Host) -> Result<Self, Rejection> {
        let mut budget = Budget::new(host.limits.work);
        if host.sub_agent {
            return Ok(Self::of_sub_agent(request.into(), dialect, host, budget));
        }
        let given = request.into();
        let request = value_of(given, host, &mut budget)?;
        let rules = rules_for(&request, dialect, &mut budget)?;
        let Value::Object(fields) = &*request else {
            let kind = ProblemKind::WrongType { expected: "an object", found: type_name(&request) };
            return Err(Rejection::of(Some(rules.tool), Problem::new(Pointer::root(), kind)));
        };
        let reader = Reader::new(host, dialect != Dialect::Detect, budget);
        let mut reading = Self::read(rules, fields, host, fingerprint(rules, &request, host), reader);
        reading.keeps_digits(given);
        if reading.needs_schemas() || reading.problems.is_empty() {
            Ok(reading)
        } else {
            Err(reading.problems.into_rejection(Some(rules.tool)))
        }
    }

    /// Records a problem if a tool call has a number with more digits than a value holds: what is shown would not be what runs.
    fn keeps_digits(&mut self, request: Request<'_>) {
        let is_call = |question: &Arc<Question>| question.answer_type.approval().is_some();
        let asks = self.outline.as_ref().is_some_and(|outline| outline.questions.iter().any(is_call));
        if let (true, Request::Text(text)) = (asks, request)
            && json::digits::marked(text).len() > text.len()
        {
            let what = "a number in it has more digits than are kept: send it as a text".into();
            self.problems.push(Problem::new(Pointer::root(), ProblemKind::TooLarge { what }));
        }
    }

    /// Whether there are schemas to compile.
    pub fn needs_schemas(&self) -> bool {
        !self.schemas.is_empty()
    }

    /// The form as far as it is known, to show its first questions. `None` if there are problems already.
    pub fn provisional(&self) -> Option<Provisional> {
        self.outline.clone().filter(|_| self.problems.is_empty()).map(Provisional::new)
    }

    /// Compiles the schemas and checks their defaults.
    ///
    /// # Errors
    /// A [`Rejection`] with every problem of the request.
    pub fn finish(mut self, checker: &dyn SchemaChecker) -> Result<Form, Rejection> {
        if let Some(outline) = &mut self.outline {
            for unchecked in &self.schemas {
                if let Some(question) = outline.questions.get_mut(unchecked.question) {
                    let question = Arc::make_mut(question);
                    let limits = &outline.host.limits;
                    if let Err(problem) = check_schema(unchecked, question, limits, checker, &mut self.budget) {
                        self.problems.push(problem);
                    }
                }
            }
        }
        let Some(mut outline) = self.outline.take().filter(|_| self.problems.is_empty()) else {
            return Err(self.problems.into_rejection(Some(self.tool)));
        };
        outline.warnings = self.all_warnings(&outline).into_kept();
        Ok(Form::checked(outline))
    }

    fn read(
        rules: &'static Rules,
        fields: &Map<String, Value>,
        host: &Host,
        fingerprint: String,
        mut reader: Reader,
    ) -> Self {
        let draft = (rules.read)(&mut reader, fields);
        Self::of(rules, draft, host, fingerprint, reader)
    }

    /// The form of an agent that has no user. It fails at once, whatever the request is: the request only says in which shape.
    fn of_sub_agent(request: Request<'_>, dialect: Dialect, host: &Host, mut budget: Budget) -> Self {
        let request = value_of(request, host, &mut budget).unwrap_or_default();
        let rules = rules_for(&request, dialect, &mut budget).unwrap_or(&ask_user::RULES);
        let mut reader = Reader::new(host, dialect != Dialect::Detect, budget);
        let draft = request.as_object().and_then(|fields| (rules.read)(&mut reader, fields));
        let writer = draft.map_or_else(|| (rules.unread)(&request), |draft| draft.writer);
        // Nothing else of the request counts.
        let reader = Reader::new(host, reader.named, Budget::new(host.limits.work));
        Self::of(rules, Some(Draft::of(writer)), host, fingerprint(rules, &request, host), reader)
    }

    /// What a dialect has read, as a form.
    fn of(rules: &'static Rules, draft: Option<Draft>, host: &Host, fingerprint: String, reader: Reader) -> Self {
        let Reader { problems, warnings, questions, paths, schemas, budget, .. } = reader;
        let mut reading = Self { tool: rules.tool, problems, warnings, outline: None, paths, schemas, budget };
        let Some(Draft { reuse, review, message, names_asker, writer }) = draft else { return reading };
        let outline = Outline {
            dialect: rules.name,
            tool: rules.tool,
            warnings: Vec::new(),
            host: Arc::new(host.clone()),
            reuse: host.reuse.unwrap_or(reuse),
            // A form without questions has nothing else to show.
            review: host.review.unwrap_or(review) || questions.is_empty(),
            costs: Outline::costs(&questions, host),
            sizes: Outline::sizes(&questions),
            questions,
            message,
            names_asker,
            writer,
            fingerprint,
        };
        let warnings = reading.all_warnings(&outline).into_kept();
        reading.outline = Some(Outline { warnings, ..outline });
        reading
    }

    /// What was found, and the conditions that can never hold. Before the schemas are compiled, any condition on their questions can.
    fn all_warnings(&mut self, outline: &Outline) -> Findings {
        let mut warnings = self.warnings.clone();
        // Which questions are known never to be asked.
        let mut never: Vec<bool> = Vec::with_capacity(outline.questions.len());
        for (question, path) in outline.questions.iter().zip(&self.paths) {
            let mut conditions =
                Conditions { outline, never: &never, warnings: &mut warnings, budget: &mut self.budget };
            let can_be_asked = match &question.when {
                Some(when) => conditions.can_hold(when, &mut || path.field("when")),
                None => true,
            };
            never.push(!can_be_asked);
        }
        warnings
    }
}

/// Finds the conditions that can never hold.
struct Conditions<'a> {
    outline: &'a Outline,
    /// Which of the questions before are known never to be asked.
    never: &'a [bool],
    warnings: &'a mut Findings,
    budget: &'a mut Budget,
}

impl Conditions<'_> {
    /// Whether a condition can hold. Warns of each part of it that cannot. True if that is not known.
    fn can_hold(&mut self, when: &When, path: &mut dyn FnMut() -> Pointer) -> bool {
        match when {
            When::Answer { question, is } => self.can_pass(*question, is, path),
            When::All(list) => self.count(list, "all", path) == list.len(),
            When::Any(list) => self.count(list, "any", path) > 0,
            When::Not(when) => {
                self.can_hold(when, &mut || path().field("not"));
                true
            }
        }
    }

    /// How many of several conditions can hold.
    fn count(&mut self, list: &[When], name: &str, path: &mut dyn FnMut() -> Pointer) -> usize {
        let mut count = 0_usize;
        for (at, when) in list.iter().enumerate() {
            if self.can_hold(when, &mut || path().field(name).item(at)) {
                count = count.saturating_add(1);
            }
        }
        count
    }

    fn can_pass(&mut self, place: usize, test: &Test, path: &mut dyn FnMut() -> Pointer) -> bool {
        let Some(earlier) = self.outline.questions.get(place) else { return true };
        let is_never = self.never.get(place).copied().unwrap_or_default();
        // The answer of a question that is not asked is null.
        let may_be_skipped = earlier.when.is_some();
        let (name, takes_null) = match test {
            Test::Equals(wanted) => ("equals", wanted.value.is_null()),
            Test::In(list) => ("in", list.iter().any(|wanted| wanted.value.is_null())),
            Test::Contains(_) => ("contains", false),
            Test::Answered(answered) => ("answered", !answered),
        };
        let possible = may_be_skipped && takes_null
            || !is_never && can_meet(earlier, test, &self.outline.host.limits, self.budget);
        // That a question has no answer is no value that could be wrong.
        if !possible && !matches!(test, Test::Answered(_)) {
            let kind = ProblemKind::WhenNeverTrue { id: earlier.id.clone() };
            self.warnings.push(Problem::new(path().field(name), kind));
        }
        possible
    }
}

fn value_of<'a>(request: Request<'a>, host: &Host, budget: &mut Budget) -> Result<Cow<'a, Value>, Rejection> {
    let limits = &host.limits;
    let depth = limits.depth.min(Limits::MAX_DEPTH);
    let refuse = |kind| Rejection::of(None, Problem::new(Pointer::root(), kind));
    let too_large = |what| refuse(ProblemKind::TooLarge { what });
    let weighed = match request {
        Request::Text(text) => json::weigh_text(text, limits.bytes, depth),
        Request::Json(value) => json::weigh(value, limits.bytes, depth),
    };
    let units = weighed.map_err(|oversize| match oversize {
        Oversize::Bytes => too_large(format!("it has more than {} bytes", limits.bytes)),
        Oversize::Depth => too_large(format!("it is nested more than {depth} levels deep")),
    })?;
    budget.charge(units).map_err(|Exhausted| too_large("it has too many values".into()))?;
    match request {
        Request::Text(text) => {
            json::parse(text).map(Cow::Owned).map_err(|error| refuse(ProblemKind::InvalidJson(error)))
        }
        Request::Json(value) => Ok(Cow::Borrowed(value)),
    }
}

impl Dialect {
    /// The dialect whose shape a request has: the one that [`Form::read`] reads it with when the host names none. Nothing else of the request is checked.
    ///
    /// ```
    /// use ask_user_core::{Dialect, Host};
    ///
    /// let request = r#"{ "question": "Delete it?", "answer_type": "boolean" }"#;
    /// assert_eq!(Dialect::of(request, &Host::default()), Ok(Dialect::AskUser));
    /// ```
    ///
    /// # Errors
    /// A [`Rejection`] if the request passes the host's limits, is not JSON, or has the shape of no dialect.
    pub fn of<'a>(request: impl Into<Request<'a>>, host: &Host) -> Result<Self, Rejection> {
        let mut budget = Budget::new(host.limits.work);
        let request = value_of(request.into(), host, &mut budget)?;
        let rules = detection::detect(&request, &mut budget)?;
        rules.name.parse().map_err(|unknown: UnknownDialect| unknown.into())
    }
}

fn rules_for(request: &Value, dialect: Dialect, budget: &mut Budget) -> Result<&'static Rules, Rejection> {
    dialect.rules().map_or_else(|| detection::detect(request, budget), Ok)
}

fn fingerprint(rules: &Rules, request: &Value, host: &Host) -> String {
    let source = host.source.to_json();
    Fingerprint::new().text(rules.name).text(&host.tool_call_id).value(&source).value(request).to_string()
}

pub(super) fn check_schema(
    unchecked: &Unchecked,
    question: &mut Question,
    limits: &Limits,
    checker: &dyn SchemaChecker,
    budget: &mut Budget,
) -> Result<(), Problem> {
    let is_pattern = matches!(question.answer_type, AnswerType::Text(_));
    let Some(schema) = question.answer_type.schema_mut() else { return Ok(()) };
    *schema = schema.checked(checker, budget).map_err(|fault| match fault {
        SchemaFault::Invalid { path, reason } => {
            let kind =
                if is_pattern { ProblemKind::InvalidPattern { reason } } else { ProblemKind::InvalidSchema { reason } };
            Problem::new(unchecked.place(&path), kind)
        }
        SchemaFault::TooLarge { what } => Problem::new(unchecked.schema.clone(), ProblemKind::TooLarge { what }),
    })?;
    let Some(value) = &question.default else { return Ok(()) };
    match Answer::implied(question, value, limits, budget) {
        Ok(_) => Ok(()),
        Err(refusal) => Err(Problem::new(unchecked.default.clone(), ProblemKind::of_default(refusal))),
    }
}
