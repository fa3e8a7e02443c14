//! The form: a validated request. It never changes. This module does not know any agent's JSON, or walks.

use crate::{
    host::{Host, Replies, Reuse, Source},
    moment::Moment,
    outcome::{Ended, Reply, Write},
    problem::{NotAllowed, Problem, Refusal, object},
    question::{AnswerType, Question, When},
};
use serde_json::Value;
use std::{fmt, ops::Deref, sync::Arc};

/// A validated request: questions that can be asked, in order. It only comes from reading: [`Form::read`] or
/// [`crate::Reading::finish`]. Cloning it is cheap.
#[derive(Clone, Debug, PartialEq)]
pub struct Form(Arc<Outline>);

/// A request that is valid apart from its schemas, which are not compiled yet. Its first questions can be asked with
/// [`crate::Walk::begin`]; no result leaves before the finished form is accepted.
#[derive(Clone, Debug, PartialEq)]
pub struct Provisional(Arc<Outline>);

/// The complete questions of a request that is still being written. It only grows. Its questions can be asked with
/// [`crate::Walk::stream`]; no result leaves before the finished form is accepted.
#[derive(Clone, Debug, PartialEq)]
pub struct Growing(Outline);

/// What a [`Form`], a [`Provisional`] and a [`Growing`] form have in common.
#[derive(Clone)]
pub struct Outline {
    pub(crate) dialect: &'static str,
    pub(crate) tool: &'static str,
    pub(crate) questions: Vec<Arc<Question>>,
    pub(crate) warnings: Vec<Problem>,
    pub(crate) host: Arc<Host>,
    pub(crate) reuse: Reuse,
    pub(crate) review: bool,
    pub(crate) message: Option<Arc<str>>,
    pub(crate) names_asker: bool,
    /// When the agent stops waiting, as its request says.
    pub(crate) expires_at: Option<Moment>,
    /// Whether the agent waits, as its request says.
    pub(crate) blocking: bool,
    /// Writes the result.
    pub(crate) writer: Arc<dyn Write>,
    /// Tells this form from others: the request, the dialect, the source and the tool call.
    pub(crate) fingerprint: String,
    /// The units of work of looking at the questions up to a place. Invariant: one more than there are questions, ascending.
    pub(crate) costs: Vec<u64>,
    /// The units of work of a record of each question. Invariant: as many as questions.
    pub(crate) sizes: Vec<u64>,
}

impl Form {
    /// Invariant: every schema of the outline is compiled, and its default accepted.
    pub(crate) fn checked(outline: Outline) -> Self {
        Self(Arc::new(outline))
    }

    /// The form of an outline that was checked before.
    pub(crate) fn again(outline: &Arc<Outline>) -> Self {
        Self(Arc::clone(outline))
    }

    pub(crate) fn outline(self) -> Arc<Outline> {
        self.0
    }

    /// The same questions in the order of these ids. `None` if these are not their ids, or if the order is the agent's own.
    pub(crate) fn in_order(self, ids: &[&str]) -> Option<Self> {
        if self.questions.iter().map(|question| question.id.as_str()).eq(ids.iter().copied()) {
            return Some(self);
        }
        let mut places = crate::json::Numbers::default();
        for (place, question) in self.questions.iter().enumerate() {
            places.set(question.id.clone(), place as u64);
        }
        let order: Option<Vec<usize>> = ids.iter().map(|id| places.get(id).map(|place| place as usize)).collect();
        let mut seen = vec![false; self.questions.len()];
        let once = |place: &usize| seen.get_mut(*place).is_some_and(|seen| !std::mem::replace(seen, true));
        let order = order.filter(|order| order.len() == self.questions.len() && order.iter().all(once))?;
        let writer = self.writer.reordered(&order)?;
        let questions: Option<Vec<_>> = order.iter().map(|place| self.questions.get(*place).cloned()).collect();
        let mut outline = Outline { questions: questions?, writer, ..Outline::clone(&self) };
        outline.costs = Outline::costs(&outline.questions, &outline.host);
        outline.sizes = Outline::sizes(&outline.questions);
        Some(Self::checked(outline))
    }
}

impl Provisional {
    pub(crate) fn new(outline: Outline) -> Self {
        Self(Arc::new(outline))
    }

    pub(crate) fn outline(self) -> Arc<Outline> {
        self.0
    }
}

impl Growing {
    /// Nothing of a request yet, and what a Reply to it can be.
    pub(crate) fn new(host: Arc<Host>, reply: Reply) -> Self {
        Self(Outline {
            dialect: "",
            tool: "",
            questions: Vec::new(),
            warnings: Vec::new(),
            reuse: Reuse::None,
            review: false,
            message: None,
            names_asker: false,
            expires_at: None,
            blocking: true,
            writer: Arc::new(Unwritten { reply }),
            fingerprint: String::new(),
            costs: Outline::costs(&[], &host),
            sizes: Vec::new(),
            host,
        })
    }

    /// The rest of the form is known: the dialect, its tool, whether answers may be remembered, and what a Reply can be.
    pub(crate) fn tell(&mut self, dialect: &'static str, tool: &'static str, reuse: Reuse, reply: Reply) {
        let reuse = self.0.host.reuse_or(reuse);
        (self.0.dialect, self.0.tool, self.0.reuse) = (dialect, tool, reuse);
        self.0.writer = Arc::new(Unwritten { reply });
    }

    /// Adds questions at the end.
    pub(crate) fn push(&mut self, questions: &[Arc<Question>]) {
        self.0.push(questions);
    }

    pub(crate) fn outline(self) -> Arc<Outline> {
        Arc::new(self.0)
    }
}

/// Writes nothing: the request may still become anything.
struct Unwritten {
    reply: Reply,
}

impl Write for Unwritten {
    fn write(&self, _: &Ended<'_>) -> Option<Value> {
        None
    }

    fn reply(&self) -> Reply {
        self.reply
    }
}

impl Deref for Growing {
    type Target = Outline;

    fn deref(&self) -> &Outline {
        &self.0
    }
}

impl Deref for Form {
    type Target = Outline;

    fn deref(&self) -> &Outline {
        &self.0
    }
}

impl Deref for Provisional {
    type Target = Outline;

    fn deref(&self) -> &Outline {
        &self.0
    }
}

impl Outline {
    /// What a host is told of the form, as JSON: `dialect`, `questions` (their number), `warnings`, `reply`, `label` and `expires_at` where there is one, and `blocking` where it is false.
    pub fn to_json(&self) -> Value {
        let warnings: Value = self.warnings.iter().map(Problem::to_json).collect();
        let mut json = object([
            ("dialect", self.dialect.into()),
            ("questions", self.questions.len().into()),
            ("warnings", warnings),
            ("reply", self.reply().name().into()),
        ]);
        if let Some(label) = &self.host.label {
            json.insert("label".into(), label.as_str().into());
        }
        if let Some(time) = self.expires_at() {
            json.insert("expires_at".into(), time.as_str().into());
        }
        if !self.is_blocking() {
            json.insert("blocking".into(), false.into());
        }
        Value::Object(json)
    }

    /// When the time for an answer is over: what the request says, or what the host says ([`Host::expires_at`]), whichever is earlier.
    pub fn expires_at(&self) -> Option<&Moment> {
        let all = [self.expires_at.as_ref(), self.host.expires_at.as_ref()];
        all.into_iter().flatten().min_by_key(|moment| moment.millis())
    }

    /// Whether the agent waits for the answer: the host ([`Host::blocking`]) or the request may say that it does not. What a request says of itself counts only where nothing has to be
    /// waited for.
    pub fn is_blocking(&self) -> bool {
        self.host.blocking && (self.blocking || self.must_block().is_some())
    }

    /// The first question that an agent has to wait for: an approval, consent to open a URL, a secret, or one with an answer that cannot be undone.
    #[cold]
    #[inline(never)]
    pub fn must_block(&self) -> Option<&Question> {
        let must = |question: &&Question| {
            let is_consent = matches!(question.answer_type, AnswerType::Approval(_) | AnswerType::Url(_));
            is_consent || question.answer_type.is_secret() || question.has_danger()
        };
        self.questions.iter().map(|question| &**question).find(must)
    }

    /// Whether the time for an answer is over at a moment, in milliseconds since the beginning of 1970 in UTC.
    pub fn is_over_by(&self, now: i64) -> bool {
        self.expires_at().is_some_and(|end| end.millis() <= now)
    }

    /// The name of the dialect that the request was read with.
    pub fn dialect(&self) -> &'static str {
        self.dialect
    }

    /// The questions in the order of the request, skipped ones included.
    pub fn questions(&self) -> &[Arc<Question>] {
        &self.questions
    }

    /// The question with this id.
    pub fn question(&self, id: &str) -> Option<&Question> {
        self.questions.iter().map(|question| &**question).find(|question| question.id == id)
    }

    /// What is odd about the request without making it invalid.
    pub fn warnings(&self) -> &[Problem] {
        &self.warnings
    }

    /// The host's options that the request was read with.
    pub fn host(&self) -> &Host {
        &self.host
    }

    /// Whether an answer may be remembered for the rest of the turn.
    pub fn reuse(&self) -> Reuse {
        self.reuse
    }

    /// What a Reply can be: what the dialect has room for, or what the host says.
    pub fn reply(&self) -> Reply {
        match self.host.replies {
            Replies::None => Reply::No,
            // Where the agent has to get a result and no Reply has one, words alone would leave its call open.
            Replies::Message if self.writer.reply() != Reply::No => Reply::WithWords,
            Replies::Result | Replies::Message => self.writer.reply(),
        }
    }

    /// Refuses a Reply that this form does not take. What was taken once, by an earlier version or while the dialect was not known, is not asked again.
    pub(crate) fn may_reply(&self, text: Option<&str>) -> Result<(), Refusal> {
        let has_words = text.is_some_and(|text| !text.trim().is_empty());
        match self.reply() {
            Reply::WithoutWords if has_words => Err(Refusal::NotAllowed(NotAllowed::REPLY_HAS_NO_WORDS)),
            Reply::No => Err(Refusal::NotAllowed(NotAllowed::NO_REPLY)),
            Reply::WithWords | Reply::WithoutWords => Ok(()),
        }
    }

    /// Whether the answers are shown for review before they are sent.
    pub fn review(&self) -> bool {
        self.review
    }

    /// What the agent says above all questions.
    pub fn message(&self) -> Option<&str> {
        self.message.as_deref()
    }

    /// Whether the agent's protocol requires that the person sees who asks, even if the host has no name for it.
    pub fn names_asker(&self) -> bool {
        self.names_asker
    }

    /// The tool that asks: the one that the host names as the source, or else the one that the model called.
    pub fn asking_tool(&self) -> &str {
        match &self.host.source {
            Source::Tool { name } => name,
            Source::Assistant | Source::User | Source::Other { .. } => self.tool,
        }
    }

    /// The units of work of looking at the questions from one place up to another, in routing.
    pub(crate) fn cost(&self, from: usize, to: usize) -> u64 {
        let at = |place: usize| self.costs.get(place).or(self.costs.last()).copied().unwrap_or_default();
        at(to).saturating_sub(at(from))
    }

    /// The units of work of a record of a question.
    pub(crate) fn record_size(&self, place: usize) -> u64 {
        self.sizes.get(place).copied().unwrap_or_default()
    }

    /// How large each question is. See [`Outline::record_size`].
    pub(crate) fn sizes(questions: &[Arc<Question>]) -> Vec<u64> {
        questions.iter().map(|question| question.size() as u64).collect()
    }

    /// See [`Outline::cost`]: each question costs its condition, and its record where the host may have an answer to compare.
    pub(crate) fn costs(questions: &[Arc<Question>], host: &Host) -> Vec<u64> {
        let mut costs = vec![0];
        Self::add_costs(&mut costs, questions, host);
        costs
    }

    /// Adds the costs of further questions.
    fn add_costs(costs: &mut Vec<u64>, questions: &[Arc<Question>], host: &Host) {
        const LOOK: u64 = 8;
        let mut sum = costs.last().copied().unwrap_or_default();
        let compares = !host.turn.remembered.is_empty();
        for question in questions {
            let condition = question.when.as_ref().map_or(0, When::cost);
            let record = if compares { question.size() as u64 } else { 0 };
            sum = sum.saturating_add(LOOK).saturating_add(condition).saturating_add(record);
            costs.push(sum);
        }
    }

    /// Takes on what is known of a request by now, and the questions that are new in it.
    pub(crate) fn follow(&mut self, growing: &Growing) {
        (self.dialect, self.tool, self.reuse) = (growing.dialect, growing.tool, growing.reuse);
        self.push(growing.questions.get(self.questions.len()..).unwrap_or_default());
    }

    fn push(&mut self, questions: &[Arc<Question>]) {
        Self::add_costs(&mut self.costs, questions, &self.host);
        self.sizes.extend(Self::sizes(questions));
        self.questions.extend_from_slice(questions);
    }
}

impl PartialEq for Outline {
    /// Two forms are equal if they come from the same request with the same options. The writer follows from these.
    fn eq(&self, other: &Self) -> bool {
        (self.dialect, &self.fingerprint, &self.questions) == (other.dialect, &other.fingerprint, &other.questions)
            && (&self.host, &self.warnings) == (&other.host, &other.warnings)
    }
}

impl fmt::Debug for Outline {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Outline")
            .field("dialect", &self.dialect)
            .field("questions", &self.questions)
            .field("warnings", &self.warnings)
            .field("host", &self.host)
            .finish_non_exhaustive()
    }
}
