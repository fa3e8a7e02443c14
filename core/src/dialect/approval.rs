//! The common part of the dialects that ask whether a tool may run: a tool call as a question, and the words of a "no".

use super::{
    fields::{Fields, QUESTIONS, Reader},
    quoted::{fenced, in_sentence},
};
use crate::{
    answer::{By, Decided, Taken},
    json::{self, Numbers, digits, names_once, parse},
    outcome::Ending,
    problem::{Pointer, ProblemKind},
    question::{AnswerType, Approval, Decision, Grant, Question, sentence},
    route,
    schema::Schema,
};
use serde_json::{Map, Value};
use std::sync::Arc;

/// A tool call, as a request has it.
pub(super) struct Call<'a> {
    /// The name of the tool. Empty where it is not known.
    pub tool: &'a str,
    pub arguments: Value,
    /// What the agent says about it.
    pub description: Option<String>,
    /// What else the request says of the call, in fields that are not known: nothing is approved unseen.
    pub others: Map<String, Value>,
    pub decisions: Vec<Decision>,
    /// What edited arguments must match, and its place in the request.
    pub schema: Option<(Value, Pointer)>,
    /// What the agent offers to allow beside the call.
    pub grants: Vec<Grant>,
    /// Whether the words of a rejection reach the agent.
    pub reasons: bool,
}

impl Call<'_> {
    /// Asks about the call. The id of the question is its place, from 1 (`q1`), or the next that no other question has.
    pub fn ask(self, reader: &mut Reader) {
        let Self { tool, arguments, description, others, decisions, schema, grants, reasons } = self;
        let mut approval = Approval::new(tool, arguments, decisions);
        let (schema, schema_path) = schema.unzip();
        approval.schema = schema.map(Schema::unchecked);
        (approval.grants, approval.reasons) = (grants, reasons);
        approval.share(&mut reader.room);
        let (id, answer_type) = (reader.next_id(), AnswerType::Approval(Box::new(approval)));
        let (mut question, context) = match (tool, description) {
            ("", Some(description)) => (Question::new(id, description, answer_type), None),
            ("", None) => (Question::saying(id, sentence::ASK_TOOL_CALL.alone(), answer_type), None),
            (tool, description) => {
                let asked = sentence::ASK_RUN.of("tool", in_sentence(tool));
                (Question::saying(id, asked, answer_type), description)
            }
        };
        question.context = match others.is_empty() {
            true => context,
            false => Some(beside(context, others)),
        };
        reader.check_later(&question, schema_path.unwrap_or_else(Pointer::root), Pointer::root());
        reader.ask(question);
    }
}

/// What the agent says, and after it what else the request says, as a block of code.
#[cold]
#[inline(never)]
pub(super) fn beside(context: Option<String>, others: Map<String, Value>) -> String {
    let block = fenced(&Value::Object(others));
    match context {
        Some(context) => [&context, "\n\n", &block].concat(),
        None => block,
    }
}

/// Shows what a request says around its calls, in fields that are not known, beside each of those from this place on.
#[cold]
#[inline(never)]
pub(super) fn around_from(reader: &mut Reader, first: usize, said: &Map<String, Value>) -> Option<()> {
    if said.is_empty() {
        return Some(());
    }
    let size: u64 = said.values().map(json::size).sum();
    let asked = reader.questions.len().saturating_sub(first);
    reader.charge((size as usize).saturating_mul(asked))?;
    for question in reader.questions.iter_mut().skip(first) {
        let question = Arc::make_mut(question);
        question.context = Some(beside(question.context.take(), said.clone()));
    }
    Some(())
}

/// Reads the items of a list, each with its place in the list. `what` says what an item is. A form has at least one.
pub(super) fn each(
    reader: &mut Reader,
    items: &[(usize, &Value)],
    path: &Pointer,
    what: &'static str,
    read: &mut dyn FnMut(&mut Reader, &mut Fields<'_>, usize),
) {
    reader.count(items.len(), QUESTIONS, path);
    for (place, item) in items.iter().take(reader.most_read()) {
        if reader.exceeded {
            return;
        }
        if let Some(mut fields) = reader.object(item, path.item(*place), what) {
            read(reader, &mut fields, *place);
        }
    }
}

/// Arguments that stand in a text: as the text itself where it is no JSON, has numbers with more digits than a value holds, or has a name twice in an object: which of
/// the two counts, only the tool knows.
pub(super) fn arguments(text: &str) -> Value {
    let is_long = digits::marked(text).len() > text.len();
    let is_whole = |value: &Value| !is_long && names_once(text, value);
    parse(text).ok().filter(is_whole).unwrap_or_else(|| text.into())
}

/// The ids that answers are told apart by. None may be there twice.
#[derive(Default)]
pub(super) struct Ids(Numbers);

impl Ids {
    /// Takes the id of the next call, whose place is given. Records a problem if an earlier one has it.
    pub fn take(&mut self, reader: &mut Reader, id: &str, path: Pointer, place: usize) {
        match self.0.get(id) {
            Some(first) => reader.problem(path, ProblemKind::DuplicateId { id: id.to_owned(), first: first as usize }),
            None => self.0.set(id.to_owned(), (place as u64).saturating_add(1)),
        }
    }
}

/// Why a call was rejected, in words for the model: those of the person, or who else rejected it. `None` where the person said nothing.
pub(super) fn reason(taken: &Taken) -> Option<String> {
    let said = match taken.answer.decided() {
        Some(Decided::Rejected(message)) => message,
        _ => None,
    };
    let who = match &taken.by {
        By::Person { .. } | By::Remembered => return said.map(str::to_owned),
        By::Assistant(advice) => {
            let reason = advice.reason.as_deref().map(|reason| format!(" {reason}")).unwrap_or_default();
            format!("{} rejected this.{reason}", route::assistant(advice))
        }
        By::Configuration | By::Default => "The host's configuration rejects this. The user was not asked.".to_owned(),
    };
    Some(match said {
        Some(said) => format!("{who} {said}"),
        None => who,
    })
}

/// What the model is told where the time for an answer was over.
pub(super) const LATE: &str = "The user did not answer in time.";

/// The words for the model where nobody decided. `None` where the person replied without any.
pub(super) fn undecided(ending: &Ending) -> Option<String> {
    match ending {
        Ending::Replied { text } => text.clone(),
        Ending::TurnEnded => Some("The user ended the turn.".into()),
        Ending::Expired => Some(LATE.into()),
        Ending::Failed(failure) => Some(failure.to_string()),
        Ending::Completed => None,
    }
}

/// The tool's result in the person's words, or why there is none. `None` where the call runs.
pub(super) fn no(taken: Option<&Taken>, ending: &Ending) -> Option<Option<String>> {
    match (ending, taken.and_then(|taken| taken.answer.decided())) {
        (Ending::Completed, Some(Decided::Approved | Decided::Edited(_))) => None,
        (Ending::Completed, _) => Some(taken.and_then(reason)),
        (ending, _) => Some(undecided(ending)),
    }
}
