//! The common part of the dialects that ask for a permission with decisions of the agent's own: once, always, for the session, not at all. The call is an
//! approval, what holds for longer is a grant, and the result is what the agent has for the decision.

use super::{
    approval,
    draft::{Call, Draft},
    fields::{Fields, QUESTIONS, Reader},
    near::says_nothing,
    quoted::in_sentence,
};
use crate::{
    json::Numbers,
    outcome::{Ended, Ending, Reply, Write},
    problem::{Pointer, ProblemKind},
    question::{AnswerType, Approval, Decision, Grant, Question, Scope, Wording},
};
use serde_json::{Map, Value};
use std::sync::Arc;

/// How many ways to decide an agent may offer: a person reads each of them.
const MOST: usize = 100;

/// What is to be permitted, and the decisions on it.
pub(super) struct Permit<'a> {
    pub text: Wording,
    pub header: Option<String>,
    /// What the agent says about it.
    pub context: Option<String>,
    /// What would be done: seen to its end before it is approved.
    pub tool: &'a str,
    pub arguments: Value,
    /// The decisions that the agent offers, each with its result.
    pub ways: Vec<(Grant, Value)>,
    /// The place of the decisions in the request.
    pub path: Pointer,
    /// The result where a Reply cancels the form, and the field of it that takes the words.
    pub replied: Option<Value>,
    pub words: &'static str,
    /// The result where the turn ends, and where nobody was asked.
    pub ended: Option<Value>,
    pub call: Option<Call>,
}

impl Permit<'_> {
    /// Asks for the permission.
    #[cold]
    #[inline(never)]
    pub fn ask(self, reader: &mut Reader) -> Option<Draft> {
        let Self { text, header, context, tool, arguments, ways, path, replied, words, ended, call } = self;
        reader.may_ask(1, QUESTIONS, path.clone());
        if ways.is_empty() {
            reader.problem(path, ProblemKind::TooFewOptions { limit: 1, found: 0 });
            return None;
        }
        if ways.len() > MOST {
            reader.problem(path, ProblemKind::TooManyOptions { limit: MOST, found: ways.len() });
            return None;
        }
        let (mut grants, results): (Vec<Grant>, Vec<Value>) = ways.into_iter().unzip();
        tell_apart(&mut grants);
        let has = |decision: &Decision| grants.iter().any(|grant| grant.decision == *decision);
        let decisions = [Decision::Approve, Decision::Reject].into_iter().filter(has).collect();
        let mut approval = Approval::new(tool, arguments, decisions);
        approval.share(&mut reader.room);
        (approval.grants, approval.reasons) = (grants, !words.is_empty());
        let answer_type = AnswerType::Approval(Box::new(approval));
        let mut question = match text {
            Wording::Text(text) => Question::new("q1", text, answer_type),
            wording => Question::saying("q1", wording, answer_type),
        };
        (question.header, question.context) = (header, context);
        reader.ask(question);
        Some(Draft::of(Arc::new(Decided { results, replied, words, ended, call })))
    }
}

/// Adds the agent's own word to the sentences that several ways to decide alike have in common. Where that makes another sentence, all are numbered.
fn tell_apart(grants: &mut [Grant]) {
    let said_again = |grants: &[Grant]| -> Vec<bool> {
        let said = |grant: &Grant| [grant.decision.name(), " ", grant.scope.name(), " ", &grant.shown].concat();
        let mut seen = Numbers::default();
        for grant in grants {
            let said = said(grant);
            let before = seen.get(&said).unwrap_or_default();
            seen.set(said, before.saturating_add(1));
        }
        grants.iter().map(|grant| seen.get(&said(grant)) > Some(1)).collect()
    };
    let again = said_again(grants);
    for (grant, _) in grants.iter_mut().zip(again).filter(|(_, again)| *again) {
        grant.shown = [&grant.shown, " (", &in_sentence(&grant.word), ")"].concat();
        grant.wording.clear();
    }
    if said_again(grants).contains(&true) {
        for (place, grant) in grants.iter_mut().enumerate() {
            grant.shown = [&place.saturating_add(1).to_string(), ". ", &grant.shown].concat();
            grant.wording.clear();
        }
    }
}

/// Writes the decision.
struct Decided {
    results: Vec<Value>,
    replied: Option<Value>,
    words: &'static str,
    ended: Option<Value>,
    call: Option<Call>,
}

impl Decided {
    /// A result with words in it, where it has a place for them.
    fn with(&self, mut result: Value, said: Option<&str>) -> Value {
        if let (Some(text), Value::Object(fields), false) = (said, &mut result, self.words.is_empty()) {
            fields.insert(self.words.to_owned(), text.into());
        }
        result
    }
}

impl Write for Decided {
    fn reply(&self) -> Reply {
        match (&self.replied, self.words) {
            (None, _) => Reply::No,
            (Some(_), "") => Reply::WithoutWords,
            (Some(_), _) => Reply::WithWords,
        }
    }

    fn write(&self, ended: &Ended<'_>) -> Option<Value> {
        let result = match ended.ending {
            Ending::Completed => {
                let (question, taken) = ended.answers().next()?;
                let taken = taken?;
                let approval = question.answer_type.approval()?;
                let place = approval.way_of(&taken.answer.shown())?;
                // A grant of the host is the decision on the call alone to the agent.
                let way = approval.grants.get(place).filter(|way| way.is_hosts);
                let place = way.map_or(Some(place), |way| approval.plain_way(way.decision))?;
                let said = if taken.answer.is_no() { approval::reason(taken) } else { None };
                self.with(self.results.get(place)?.clone(), said.as_deref())
            }
            Ending::Replied { text } => self.with(self.replied.clone()?, text.as_deref()),
            Ending::TurnEnded | Ending::Expired | Ending::Failed(_) => self.ended.clone()?,
        };
        Some(Call::answered(self.call.as_ref(), result))
    }
}

/// Writes that nobody was asked, whatever happened.
pub(super) struct Unasked {
    pub result: Value,
    pub call: Option<Call>,
}

impl Write for Unasked {
    fn write(&self, _: &Ended<'_>) -> Option<Value> {
        Some(Call::answered(self.call.as_ref(), self.result.clone()))
    }
}

/// A way to decide, by the agent's own word, with the sentence that the person reads.
pub(super) fn way(word: &str, decision: Decision, scope: Scope, rule: Value, wording: Vec<Wording>) -> Grant {
    let mut grant = Grant::new(decision, scope, rule, wording);
    word.clone_into(&mut grant.word);
    grant
}

/// What a request says of what would be done: these fields first, and then each other one that is not shown elsewhere and is no bookkeeping. So a field that
/// nobody knows is shown, and one that is known but has something else in it, too.
pub(super) fn said_of<'a>(
    fields: &Fields<'a>,
    first: &[&'a str],
    elsewhere: &[&str],
    bookkeeping: &[&str],
) -> Map<String, Value> {
    // A field may have been sent under another name.
    let is_one = |names: &[&str], name: &str| names.iter().any(|known| *known == name || fields.sent(known) == name);
    let known = |name: &str| {
        let is_bookkeeping = || is_one(bookkeeping, name) && fields.map().get(name).is_some_and(only_names);
        is_one(first, name) || is_one(elsewhere, name) || name == META || is_bookkeeping()
    };
    let others = fields.map().keys().map(String::as_str).filter(|name| !known(name));
    let given = |name: &'a str| {
        let value = fields.present(name).filter(|value| !says_nothing(value))?;
        Some((name.to_owned(), value.clone()))
    };
    first.iter().copied().chain(others).filter_map(given).collect()
}

/// The field that protocols leave to programs, for what nobody else has to know (Model Context Protocol, "General fields").
const META: &str = "_meta";
/// How long what only names something may be, in bytes.
const NAME: usize = 200;
/// What an object of bookkeeping has: whose request it is, and since when.
const NAMES: &[&str] = &["id", "type", "messageID", "callID", "sessionID", "created"];

/// Whether a value only names something or counts: one short line, a number, or an object with nothing but these.
fn only_names(value: &Value) -> bool {
    match value {
        Value::String(text) => text.len() <= NAME && !text.contains(char::is_control),
        Value::Object(map) => {
            map.iter().all(|(name, value)| NAMES.contains(&name.as_str()) && !value.is_object() && only_names(value))
        }
        Value::Array(_) => false,
        Value::Null | Value::Bool(_) | Value::Number(_) => true,
    }
}

/// What would be done, as the arguments of a tool.
pub(super) fn arguments(all: Map<String, Value>) -> Value {
    if all.is_empty() { Value::Null } else { Value::Object(all) }
}
