//! Reads the conditions of `ask_user`: `when`, and what stands within it.

use super::{
    fields::{Fields, Places, Reader},
    mending::CONDITION,
    near::is_near,
};
use crate::{
    problem::{Pointer, ProblemKind},
    question::{AnswerType, Question, Test, Wanted, When},
    text::shortened,
};
use serde_json::Value;
use std::sync::Arc;

/// What a condition can say. One of these, and no more.
const OPERATORS: &[&str] = &["equals", "in", "contains", "answered", "all", "any", "not"];
const FIELDS: &[&str] = &["question_id", "equals", "in", "contains", "answered", "all", "any", "not"];
/// The units of work for reading a condition, for one of its values, and for comparing an id with another one.
const PART: usize = 200;
const VALUE: usize = 50;
const NEAR: usize = 50;

/// What a condition may refer to.
pub(super) struct Earlier<'a> {
    /// The ids of all questions of the list.
    pub ids: &'a Places,
    /// The place of the question that has the condition.
    pub place: usize,
    /// The index of each question before it among those that could be read.
    pub places: &'a [Option<usize>],
}

/// Reads a condition. The depth of the request bounds how deep it nests.
pub(super) fn read(reader: &mut Reader, when: &Value, path: Pointer, earlier: &Earlier<'_>) -> Option<When> {
    reader.charge(PART)?;
    let mut fields = reader.object(when, path, "a condition (an object)")?;
    fields.mend(reader, CONDITION, FIELDS)?;
    let mut operators: Vec<&'static str> =
        OPERATORS.iter().copied().filter(|name| fields.present(name).is_some()).collect();
    // Null is a value that an answer can equal; beside another operator it is an absent field.
    if operators.is_empty() && fields.value("equals").is_some() {
        operators.push("equals");
    }
    let known = |name: &str| {
        FIELDS.contains(&name) && (name != "question_id" || !matches!(operators[..], ["all" | "any" | "not"]))
    };
    fields.warn_of_others(reader, &known);
    match operators[..] {
        [name @ ("all" | "any")] => {
            let list = fields.list(reader, name, "a list of conditions")?;
            let place = fields.place(name);
            if list.is_empty() {
                reader.problem(place, ProblemKind::EmptyCondition { operator: name });
                return None;
            }
            let mut all = Vec::with_capacity(list.len());
            for (at, when) in list.iter().enumerate() {
                all.push(read(reader, when, place.item(at), earlier));
            }
            let all = all.into_iter().collect::<Option<Vec<_>>>()?;
            Some(if name == "all" { When::All(all) } else { When::Any(all) })
        }
        ["not"] => {
            let when = read(reader, fields.present("not")?, fields.place("not"), earlier)?;
            Some(When::Not(Box::new(when)))
        }
        [] => {
            target(reader, &fields, earlier);
            reader.missing(&fields, "equals");
            None
        }
        [operator] => {
            let target = target(reader, &fields, earlier);
            let test = read_test(reader, &fields, operator, target.as_ref());
            Some(When::Answer { question: target?.place, is: test? })
        }
        [..] => {
            reader.problem(fields.path.clone(), ProblemKind::SeveralConditions { operators });
            None
        }
    }
}

/// The question that a condition looks at: its place in the list, and what could be read of it.
struct Target {
    place: usize,
    question: Option<Arc<Question>>,
}

impl Target {
    fn answer_type(&self) -> Option<&AnswerType> {
        self.question.as_ref().map(|question| &question.answer_type)
    }
}

fn target(reader: &mut Reader, fields: &Fields<'_>, earlier: &Earlier<'_>) -> Option<Target> {
    let id = fields.required_text(reader, "question_id")?;
    let kind = match earlier.ids.first(id) {
        None => ProblemKind::UnknownQuestion { id: id.to_owned(), near: nearest(reader, id) },
        Some(target) if target >= earlier.place => {
            ProblemKind::ForwardReference { id: id.to_owned(), itself: target == earlier.place }
        }
        Some(place) => {
            let found = earlier.places.get(place).copied().flatten();
            let question = found.and_then(|found| reader.questions.get(found)).map(Arc::clone);
            let target = Target { place, question };
            match target.answer_type() {
                Some(AnswerType::Secret) => ProblemKind::SecretReference { id: id.to_owned() },
                _ => return Some(target),
            }
        }
    };
    reader.problem(fields.place("question_id"), kind);
    None
}

/// The id of an earlier question that was probably meant.
fn nearest(reader: &mut Reader, id: &str) -> Option<String> {
    reader.charge(reader.questions.len().saturating_mul(NEAR))?;
    let near = reader.questions.iter().map(|question| &question.id).find(|known| is_near(id, known));
    near.map(|near| shortened(near, 100).into_owned())
}

/// Reads what an answer must be. `target` is `None` if it is wrong itself.
fn read_test(reader: &mut Reader, fields: &Fields<'_>, operator: &str, target: Option<&Target>) -> Option<Test> {
    let answer_type = target.and_then(Target::answer_type);
    match operator {
        "equals" => Some(Test::Equals(wanted(reader, answer_type, fields.value("equals")?)?)),
        "in" => {
            let list = fields.list(reader, "in", "a list of values")?;
            let mut all = Vec::with_capacity(list.len());
            for value in list {
                all.push(wanted(reader, answer_type, value)?);
            }
            Some(Test::In(all))
        }
        "contains" => {
            if let Some(other) = answer_type.filter(|found| !matches!(found, AnswerType::MultiSelect { .. })) {
                let kind = ProblemKind::NotSeveral { answer_type: other.name() };
                reader.problem(fields.place("contains"), kind);
                return None;
            }
            Some(Test::Contains(Wanted::among(answer_type, fields.present("contains")?.clone())))
        }
        _ => match fields.present("answered")? {
            Value::Bool(answered) => Some(Test::Answered(*answered)),
            other => {
                reader.wrong_type(fields.place("answered"), "true or false", other);
                None
            }
        },
    }
}

fn wanted(reader: &mut Reader, answer_type: Option<&AnswerType>, value: &Value) -> Option<Wanted> {
    // A list is compared with the options.
    let options = answer_type.and_then(AnswerType::choices).filter(|_| value.is_array());
    reader.charge(VALUE.saturating_add(options.map_or(0, |choices| choices.as_slice().len() / 8)))?;
    Some(Wanted::new(answer_type, value.clone()))
}
