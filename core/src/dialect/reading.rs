//! Reading in two steps: everything but the schemas at once, so that a first question can be shown; the schemas and their defaults as
//! soon as there is a checker. Any text and any value give a form or a rejection.

use super::{
    Dialect, UnknownDialect, ask_user, condition, detection,
    draft::{Draft, Rules},
    fields::{Awaited, Reader, Unchecked},
};
use crate::{
    answer::{Answer, can_equal},
    budget::{Budget, Exhausted},
    form::{Form, Outline, Provisional},
    host::{Host, Limits},
    json::{self, Fingerprint, Oversize, ToJson, type_name},
    problem::{Findings, Pointer, Problem, ProblemKind, Refusal, Rejection},
    question::{AnswerType, Approval, Choice, Question},
    schema::{SchemaChecker, SchemaFault},
    text::shortened,
};
use serde_json::Value;
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
    /// What could be read. `None` where nothing could.
    outline: Option<Outline>,
    /// Where the schemas stand.
    schemas: Vec<Unchecked>,
    /// The values of conditions that are checked once the schemas are compiled.
    values: Vec<Awaited>,
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
            return Err(Rejection::of(Some(rules.tool(&request)), Problem::new(Pointer::root(), kind)));
        };
        let mut reader = Reader::new(host, dialect != Dialect::Detect, budget);
        let draft = rules.read(&mut reader, fields);
        if reader.problems.is_empty()
            && detection::is_mixed(&request)
            && let Some((field, of)) = detection::second_in(rules, &request, &mut reader.budget)
        {
            let given = shortened(&field, 100).into_owned();
            reader.problem(
                Pointer::root().field(&field),
                ProblemKind::SecondRequest { field: given, dialect: rules.name, of },
            );
        }
        let mut reading = Self::of(rules, &request, draft, host, reader);
        if let Request::Text(text) = given {
            reading.keeps_all(text, &request);
        }
        if reading.needs_schemas() || reading.problems.is_empty() {
            Ok(reading)
        } else {
            Err(reading.problems.into_rejection(Some(reading.tool)))
        }
    }

    /// Records a problem if what is shown would not be what runs or is sent: a number with more digits than a value holds, in a tool call or in the value of an option; or
    /// a name that stands twice in an object of a request with tool calls.
    fn keeps_all(&mut self, text: &str, request: &Value) {
        /// Beyond it, one number of a page stands for several.
        const EXACT: f64 = 9_007_199_254_740_992.0;
        let Some(outline) = &self.outline else { return };
        let is_call = |question: &Arc<Question>| question.answer_type.approval().is_some();
        let is_long = |choice: &Choice| match &choice.value {
            Value::Number(number) if !(number.is_i64() || number.is_u64()) => {
                number.as_f64().is_none_or(|number| number.abs() >= EXACT)
            }
            _ => false,
        };
        let offers = |question: &Arc<Question>| {
            question.answer_type.choices().is_some_and(|choices| choices.as_slice().iter().any(is_long))
        };
        let calls = outline.questions.iter().any(is_call);
        let counts = calls || outline.questions.iter().any(offers);
        if calls && !json::names_once(text, request) {
            self.problems.push(Problem::new(Pointer::root(), ProblemKind::NameTwice));
        }
        if counts && json::digits::marked(text).len() > text.len() {
            self.problems.push(Problem::new(Pointer::root(), ProblemKind::LongNumber));
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
                    match check_schema(unchecked, question, limits, checker, &mut self.budget) {
                        Ok(warning) => outline.warnings.extend(warning),
                        Err(problem) => self.problems.push(problem),
                    }
                }
            }
            for Awaited { question, wanted, path } in std::mem::take(&mut self.values) {
                if let Some(question) = outline.questions.get(question)
                    && !can_equal(question, &wanted, &outline.host.limits, &mut self.budget)
                {
                    self.problems.push(Problem::new(path, condition::never_true(question, &wanted.value)));
                }
            }
        }
        let Some(outline) = self.outline.take().filter(|_| self.problems.is_empty()) else {
            return Err(self.problems.into_rejection(Some(self.tool)));
        };
        Ok(Form::checked(outline))
    }

    /// The form of an agent that has no user. It fails at once, whatever the request is: the request only says in which shape.
    fn of_sub_agent(request: Request<'_>, dialect: Dialect, host: &Host, mut budget: Budget) -> Self {
        let request = value_of(request, host, &mut budget).unwrap_or_default();
        let rules = rules_for(&request, dialect, &mut budget).unwrap_or(&ask_user::RULES);
        let mut reader = Reader::new(host, dialect != Dialect::Detect, budget);
        let draft = request.as_object().and_then(|fields| rules.read(&mut reader, fields));
        let writer = draft.map_or_else(|| rules.unread(&request), |draft| draft.writer);
        // Nothing else of the request counts.
        let reader = Reader::new(host, reader.named, Budget::new(host.limits.work));
        Self::of(rules, &request, Some(Draft::of(writer)), host, reader)
    }

    /// What a dialect has read, as a form.
    fn of(rules: &'static Rules, request: &Value, draft: Option<Draft>, host: &Host, reader: Reader) -> Self {
        let tool = rules.tool(request);
        let Reader { problems, warnings, mut questions, schemas, values, budget, .. } = reader;
        let is_said =
            [host.grants.as_slice().len(), host.risks.as_slice().len(), host.calls.as_slice().len()] != [0; 3];
        if is_said {
            say_of_calls(&mut questions, host);
        }
        let mut reading = Self { tool, problems, outline: None, schemas, values, budget };
        let Some(Draft { reuse, review, message, names_asker, expires_at, blocking, writer }) = draft else {
            return reading;
        };
        let outline = Outline {
            dialect: rules.name,
            tool,
            warnings: warnings.into_kept(),
            host: Arc::new(host.clone()),
            reuse: host.reuse_or(reuse),
            // A form without questions has nothing else to show.
            review: host.review.unwrap_or(review) || questions.is_empty(),
            costs: Outline::costs(&questions, host),
            sizes: Outline::sizes(&questions),
            questions,
            message,
            names_asker,
            expires_at,
            blocking,
            writer,
            fingerprint: fingerprint(rules, request, host),
        };
        reading.outline = Some(outline);
        reading
    }
}

/// Adds to each tool call what the host says of it, and to each rule that may be granted how many earlier calls it would have covered.
#[cold]
#[inline(never)]
fn say_of_calls(questions: &mut [Arc<Question>], host: &Host) {
    let calls = host.calls.as_slice();
    for question in questions.iter_mut().filter(|question| question.answer_type.approval().is_some()) {
        let question = Arc::make_mut(question);
        host.grants.add_to(question);
        host.risks.add_to(question);
        if !calls.is_empty() && question.answer_type.approval().is_some_and(Approval::has_covers) {
            question.answer_type.count_covered(calls);
        }
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
    let found = dialect.rules().map_or_else(|| detection::detect(request, budget), Ok);
    // Where a field is nearly one of a dialect, that is said.
    let is_unknown = match &found {
        Ok(rules) => !rules.recognises(request),
        Err(rejection) => {
            let kinds = rejection.problems.iter().map(|problem| &problem.kind);
            request.get("name").is_some()
                || kinds.into_iter().any(|kind| matches!(kind, ProblemKind::UnknownDialect { .. }))
        }
    };
    if is_unknown && let Some(kind) = detection::wrapped(request, budget) {
        return Err(Rejection::of(None, Problem::new(Pointer::root(), kind)));
    }
    found
}

fn fingerprint(rules: &Rules, request: &Value, host: &Host) -> String {
    let source = host.source.to_json();
    Fingerprint::new().text(rules.name).text(&host.tool_call_id).value(&source).value(request).to_string()
}

/// Compiles the schema of a question and checks its default. Gives a warning if the default is dropped.
pub(super) fn check_schema(
    unchecked: &Unchecked,
    question: &mut Question,
    limits: &Limits,
    checker: &dyn SchemaChecker,
    budget: &mut Budget,
) -> Result<Option<Problem>, Problem> {
    let is_pattern = matches!(question.answer_type, AnswerType::Text(_));
    let Some(schema) = question.answer_type.schema_mut() else { return Ok(None) };
    *schema = schema.checked(checker, budget).map_err(|fault| match fault {
        SchemaFault::Invalid { path, reason } => {
            let kind =
                if is_pattern { ProblemKind::InvalidPattern { reason } } else { ProblemKind::InvalidSchema { reason } };
            Problem::new(unchecked.place(&path), kind)
        }
        SchemaFault::TooLarge { what } => Problem::new(unchecked.schema.clone(), ProblemKind::TooLarge { what }),
    })?;
    let Some(value) = &question.default else { return Ok(None) };
    let refused = match Answer::implied(question, value, limits, budget) {
        Ok(_) => return Ok(None),
        Err(refusal) => refusal,
    };
    // A value that was sent as a text with its JSON, as a schema may be. No text of this kind is an answer here.
    if let Value::String(text) = value
        && let Ok(written) = json::parse(text)
        && (written.is_object() || written.is_array())
        && Answer::implied(question, &written, limits, budget).is_ok()
    {
        question.default = Some(written);
        return Ok(None);
    }
    match refused {
        refusal if unchecked.drops_default && !matches!(refusal, Refusal::TooLarge { .. }) => {
            question.default = None;
            Ok(Some(Problem::new(unchecked.default.clone(), ProblemKind::DefaultDropped { refusal })))
        }
        refusal => Err(Problem::new(unchecked.default.clone(), ProblemKind::of_default(refusal))),
    }
}
