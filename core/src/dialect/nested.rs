//! Reads a request of one dialect within one of another: a bridge carries an agent's own interrupt in its protocol. The agent's own shape is what its
//! result has, too.

use super::{
    agents, ask_user, ask_user_question, calls, deepagents,
    draft::{Draft, Rules},
    fields::Reader,
    langchain, mcp,
};
use crate::{
    outcome::{Ended, Reply, Write},
    problem::{Pointer, ProblemKind},
};
use serde_json::Value;
use std::{mem::take, ops::Range, sync::Arc};

/// The dialects that an agent's own interrupt may be in, in the order in which it is compared with them.
const ALL: [&Rules; 7] = [
    &mcp::RULES,
    &langchain::RULES,
    &calls::LANGGRAPH,
    &agents::MASTRA,
    &deepagents::RULES,
    &ask_user::RULES,
    &ask_user_question::RULES,
];

/// A request within another one: who writes its result, and which questions are its own.
#[derive(Clone)]
pub(super) struct Nested {
    writer: Arc<dyn Write>,
    questions: Range<usize>,
    /// Whether there is a review, and whether the form says who asks.
    pub review: bool,
    pub names_asker: bool,
    /// What it says where it asks nothing. Beside questions, each of them has it.
    pub message: Option<Arc<str>>,
}

impl Nested {
    /// The dialect of a request within another one. A single question without a type is a plain text for the agent that waits.
    pub fn rules(request: &Value) -> Option<&'static Rules> {
        let rules = ALL.into_iter().find(|rules| rules.recognises(request))?;
        let is_plain = rules.name == ask_user::RULES.name && request.get("questions").is_none();
        Some(rules).filter(|_| !is_plain || request.get("answer_type").is_some())
    }

    /// Reads a request at a place in another one. `whole`: whether its parts have places there, too, and not only the text that it is written in.
    /// Records its problems.
    pub fn read(reader: &mut Reader, rules: &Rules, request: &Value, path: &Pointer, whole: bool) -> Option<Self> {
        let first = reader.questions.len();
        let Value::Object(fields) = request else {
            reader.wrong_type(path.clone(), "an object", request);
            return None;
        };
        let (problems, warnings) = (take(&mut reader.problems), take(&mut reader.warnings));
        let (questions, schemas, values) =
            (take(&mut reader.questions), take(&mut reader.schemas), take(&mut reader.values));
        // The host has named the dialect around it. The agent has chosen this one.
        let (named, lenient) = (std::mem::replace(&mut reader.named, false), reader.lenient);
        // The texts of other requests' questions are none of its own.
        let places = take(&mut reader.places);
        let draft = rules.read(reader, fields);
        (reader.named, reader.lenient, reader.places) = (named, lenient, places);
        let place = |inner: &Pointer| if whole { path.join(inner.as_str()) } else { path.clone() };
        for (found, before) in [(&mut reader.problems, problems), (&mut reader.warnings, warnings)] {
            let inner = std::mem::replace(found, before).into_kept();
            inner.into_iter().for_each(|mut problem| {
                problem.path = place(&problem.path);
                found.push(problem);
            });
        }
        let asked = std::mem::replace(&mut reader.questions, questions);
        let compiled = std::mem::replace(&mut reader.schemas, schemas);
        let awaited = std::mem::replace(&mut reader.values, values);
        // What refers to questions by their places, or has them by their ids, stands alone.
        let is_bound = asked.iter().any(|question| question.when.is_some()) || rules.name == ask_user::RULES.name;
        if first > 0 && (is_bound || !awaited.is_empty()) {
            reader.problem(path.clone(), ProblemKind::MisplacedField { given: "questions".into(), meant: None });
            return None;
        }
        for mut question in asked {
            let is_taken = |one: &Arc<crate::question::Question>| one.id == question.id;
            if reader.questions.iter().any(is_taken) {
                Arc::make_mut(&mut question).id = reader.next_id();
            }
            reader.questions.push(question);
        }
        for mut unchecked in compiled {
            unchecked.question = unchecked.question.saturating_add(first);
            unchecked.schema = place(&unchecked.schema);
            unchecked.default = place(&unchecked.default);
            unchecked.definitions = unchecked.definitions.as_ref().map(place);
            unchecked.written |= !whole;
            reader.schemas.push(unchecked);
        }
        for mut value in awaited {
            value.path = place(&value.path);
            reader.values.push(value);
        }
        let Draft { message, writer, review, names_asker, .. } = draft?;
        if let Some(message) = &message {
            for question in reader.questions.iter_mut().skip(first) {
                Arc::make_mut(question).message.get_or_insert_with(|| Arc::clone(message));
            }
        }
        let questions = first..reader.questions.len();
        let message = message.filter(|_| questions.is_empty());
        Some(Self { writer, questions, review, names_asker, message })
    }

    /// Whether it asks nothing.
    pub fn is_empty(&self) -> bool {
        self.questions.is_empty()
    }

    /// A form of this request alone, with what is around it.
    pub fn draft(&self, writer: impl Write + 'static) -> Draft {
        let Self { review, names_asker, .. } = *self;
        Draft { review, names_asker, message: self.message.clone(), ..Draft::new(writer) }
    }

    /// The same where it is all that is asked, and its questions have another order.
    pub fn reordered(&self, order: &[usize]) -> Option<Self> {
        Some(Self { writer: self.writer.reordered(order)?, ..self.clone() })
    }

    pub fn reply(&self) -> Reply {
        self.writer.reply()
    }

    /// The result, of the questions that are its own.
    pub fn write(&self, ended: &Ended<'_>) -> Option<Value> {
        let questions = ended.questions.get(self.questions.clone())?;
        let answers = ended.answers.get(self.questions.clone())?;
        self.writer.write(&Ended { ending: ended.ending, questions, answers })
    }
}
