//! The common part of the dialects that ask for a permission with decisions of the agent's own: once, always, for the session, not at all. Each decision is
//! an option, and the result is what the agent has for it.

use super::{
    declared::says_nothing,
    draft::{Call, Draft},
    fields::{Fields, QUESTIONS, Reader},
};
use crate::{
    answer::Answer,
    json,
    outcome::{Ended, Ending, Reply, Write},
    problem::Pointer,
    question::{AnswerType, Choice, Choices, Question},
};
use serde_json::{Map, Value};
use std::sync::Arc;

/// What is to be permitted, and the decisions on it.
pub(super) struct Permit {
    pub text: String,
    pub header: Option<String>,
    /// What the person should know to decide: all that the request says of it.
    pub context: Option<String>,
    /// The decisions, each with its result.
    pub decisions: Vec<(Choice, Value)>,
    /// The place of the decisions in the request.
    pub path: Pointer,
    /// The result where a Reply cancels the form, and the field of it that takes the words.
    pub replied: Option<Value>,
    pub words: &'static str,
    /// The result where the turn ends, and where nobody was asked.
    pub ended: Option<Value>,
    pub call: Option<Call>,
}

impl Permit {
    /// Asks for the permission.
    pub fn ask(self, reader: &mut Reader) -> Option<Draft> {
        let Self { text, header, context, decisions, path, replied, words, ended, call } = self;
        let (choices, results): (Vec<Choice>, Vec<Value>) = decisions.into_iter().unzip();
        let values: Vec<Value> = choices.iter().map(|choice| choice.value.clone()).collect();
        reader.may_ask(1, QUESTIONS, path.clone());
        if choices.is_empty() {
            reader.problem(path, crate::problem::ProblemKind::TooFewOptions { limit: 1, found: 0 });
            return None;
        }
        let (mut choices, repeated) = Choices::new(choices);
        if !repeated.is_empty() {
            // Two decisions of one name are told apart by what the agent calls them.
            (choices, _) = choices.apart();
        }
        let mut question = Question::new("q1", text, AnswerType::Select(choices));
        (question.header, question.context) = (header, context);
        reader.ask(question);
        Some(Draft::of(Arc::new(Decided { values, results, replied, words, ended, call })))
    }
}

/// Writes the decision.
struct Decided {
    values: Vec<Value>,
    results: Vec<Value>,
    replied: Option<Value>,
    words: &'static str,
    ended: Option<Value>,
    call: Option<Call>,
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
                let Answer::Select(value) = &ended.answer(0)?.answer else { return None };
                let place = self.values.iter().position(|one| one == value)?;
                self.results.get(place)?.clone()
            }
            Ending::Replied { text } => {
                let mut result = self.replied.clone()?;
                if let (Some(text), Value::Object(fields), false) = (text, &mut result, self.words.is_empty()) {
                    fields.insert(self.words.to_owned(), text.as_str().into());
                }
                result
            }
            Ending::TurnEnded | Ending::Failed(_) => self.ended.clone()?,
        };
        Some(Call::answered(self.call.as_ref(), result))
    }
}

/// A decision with a name for the agent, and one for the person.
pub(super) fn decision(value: &str, label: &str) -> Choice {
    Choice::of(value.into(), label.to_owned())
}

/// What a request says in these fields, for the person: texts as they are, and everything else as a block of JSON.
pub(super) fn told(fields: &Fields<'_>, names: &[&str]) -> Option<String> {
    let mut parts = Vec::new();
    let mut rest = Map::new();
    for name in names {
        match fields.present(name).filter(|value| !says_nothing(value)) {
            None => {}
            Some(Value::String(text)) if *name == "reason" || *name == "description" => parts.push(text.clone()),
            Some(Value::String(text)) if *name == "command" => parts.push(fenced_text(text)),
            Some(value) => {
                rest.insert((*name).to_owned(), value.clone());
            }
        }
    }
    if !rest.is_empty() {
        parts.push(fenced(&Value::Object(rest)));
    }
    (!parts.is_empty()).then(|| parts.join("\n\n"))
}

/// A value as a block of code.
pub(super) fn fenced(value: &Value) -> String {
    block("json", &json::pretty(&json::text(value)))
}

/// A text as a block of code.
pub(super) fn fenced_text(text: &str) -> String {
    block("", text)
}

/// A block of code. Its fence is longer than any run of its mark within.
fn block(language: &str, text: &str) -> String {
    let longest = text.split(|letter| letter != '`').map(str::len).max().unwrap_or_default();
    let fence = "`".repeat(longest.max(2).saturating_add(1));
    [&fence, language, "\n", text, "\n", &fence].concat()
}
