//! The dialect `ask_user`: a list of questions with ids, answer types and conditions, or one question on its own.

use super::{
    draft::{Draft, Rules, failed},
    fields::{Fields, OPTIONS, Places, QUESTIONS, Reader},
};
use crate::{
    host::Reuse,
    outcome::{Ended, Ending, Write},
    problem::{Pointer, ProblemKind, object},
    question::{AnswerType, Choice, NumberRules, Question, When},
    schema::Schema,
    text::look,
};
use serde_json::{Map, Value};
use std::sync::Arc;

pub(super) const RULES: Rules =
    Rules { name: "ask_user", tool: "ask_user", recognises, read, unread: |_| Arc::new(List) };

const ANSWER_TYPES: &[&str] = &["boolean", "select", "multi_select", "text", "schema", "number", "secret"];
const LIST_FIELDS: &[&str] =
    &["id", "text", "answer_type", "options", "schema", "default", "when", "header", "context"];
/// The ids that would make a completed result look like a cancelled or a failed one.
const RESERVED: [&str; 2] = ["cancelled", "error"];
const SINGLE_FIELDS: &[&str] = &["question", "context", "answer_type", "options", "default", "schema"];

fn recognises(request: &Value) -> bool {
    let ours = |question: &Value| question.get("answer_type").is_some() || question.get("text").is_some();
    match request.get("questions") {
        Some(questions) => questions.as_array().is_some_and(|questions| questions.iter().any(ours)),
        None => request.get("question").is_some(),
    }
}

fn read(reader: &mut Reader, request: &Map<String, Value>) -> Option<Draft> {
    let fields = Fields::root(request);
    match (fields.present("questions"), fields.present("question")) {
        (None, Some(_)) => read_single(reader, &fields),
        (Some(_) | None, _) => read_list(reader, &fields),
    }
}

fn read_single(reader: &mut Reader, fields: &Fields<'_>) -> Option<Draft> {
    fields.warn_of_others(reader, SINGLE_FIELDS);
    let text = fields.shown_text(reader, "question");
    if text.is_some_and(|text| text.contains(['\n', '\r', '\u{85}', '\u{2028}', '\u{2029}'])) {
        reader.problem(fields.path.field("question"), ProblemKind::MultilineQuestion);
    }
    // One that is there and no text has been noted.
    let name = fields.text(reader, "answer_type").or_else(|| fields.present("answer_type").is_none().then_some("text"));
    let question = read_question(reader, fields, Some("answer"), text, name)?;
    reader.may_ask(1, QUESTIONS, fields.path.field("question"));
    reader.ask(question, fields.path.clone());
    Some(Draft::new(Single))
}

fn read_list(reader: &mut Reader, fields: &Fields<'_>) -> Option<Draft> {
    let path = fields.path.field("questions");
    let list = fields.questions(reader, QUESTIONS)?;
    let ids = Places::of(list, "id");
    // The index of each question among those that could be read.
    let mut places = Vec::with_capacity(list.len());
    reader.ask_each(list, &path, &mut |reader, fields, place| {
        fields.warn_of_others(reader, LIST_FIELDS);
        let id = read_id(reader, fields, &ids, place);
        let text = fields.shown_text(reader, "text");
        let name = fields.required_text(reader, "answer_type");
        let question = read_question(reader, fields, id, text, name);
        let when = read_when(reader, fields, &ids, place, &places);
        places.resize(place, None);
        places.push(question.as_ref().map(|_| reader.questions.len()));
        let mut question = question?;
        question.when = when;
        Some(question)
    });
    fields.warn_of_others(reader, &["questions"]);
    Some(Draft { reuse: Reuse::Turn, ..Draft::new(List) })
}

fn read_id<'a>(reader: &mut Reader, fields: &Fields<'a>, ids: &Places, place: usize) -> Option<&'a str> {
    let id = fields.required_text(reader, "id")?;
    let path = fields.path.field("id");
    if id.is_empty() || id.chars().any(|character| character == '.' || character.is_control()) || RESERVED.contains(&id)
    {
        reader.problem(path, ProblemKind::InvalidId { id: id.to_owned() });
        return None;
    }
    match ids.earlier(id, place) {
        Some(first) => {
            reader.problem(path, ProblemKind::DuplicateId { id: id.to_owned(), first });
            None
        }
        None => Some(id),
    }
}

/// Reads the fields that the list and the single form have in common. `id`, `text` and `name` are `None` if they were wrong.
fn read_question(
    reader: &mut Reader,
    fields: &Fields<'_>,
    id: Option<&str>,
    text: Option<&str>,
    name: Option<&str>,
) -> Option<Question> {
    let header = fields.note(reader, "header");
    let context = fields.note(reader, "context");
    let answer_type = read_answer_type(reader, fields, name?)?;
    let mut question = Question::new(id.unwrap_or_default(), text.unwrap_or_default(), answer_type);
    question.header = header;
    question.context = context;
    let default = fields.path.field("default");
    reader.default(&mut question, fields.present("default"), default.clone());
    reader.check_later(&question, fields.path.field("schema"), default);
    Some(question)
}

fn read_answer_type(reader: &mut Reader, fields: &Fields<'_>, name: &str) -> Option<AnswerType> {
    let Some(name) = ANSWER_TYPES.iter().find(|known| **known == name).copied() else {
        reader.unknown_type(fields.path.field("answer_type"), name, ANSWER_TYPES);
        return None;
    };
    let (choice, schema) = (matches!(name, "select" | "multi_select"), name == "schema");
    if !choice && fields.present("options").is_some() {
        reader.problem(fields.path.field("options"), ProblemKind::OptionsNotAllowed { answer_type: name });
    }
    if !schema && fields.present("schema").is_some() {
        reader.problem(fields.path.field("schema"), ProblemKind::SchemaNotAllowed { answer_type: name });
    }
    match name {
        "boolean" => Some(AnswerType::Boolean),
        "text" => Some(AnswerType::text()),
        "number" => Some(AnswerType::Number(NumberRules::default())),
        "secret" => Some(AnswerType::Secret),
        "schema" => read_schema(reader, fields),
        _ => {
            let path = fields.path.field("options");
            if fields.present("options").is_none() {
                reader.problem(path, ProblemKind::OptionsRequired { answer_type: name });
                return None;
            }
            let list = fields.list(reader, "options", "a list of options")?;
            let choices = reader.options(list, &path, &OPTIONS, &mut read_option)?;
            Some(AnswerType::choice(choices, name == "multi_select"))
        }
    }
}

/// Reads an option: a text, or an object.
fn read_option(reader: &mut Reader, option: &Value, path: Pointer) -> Option<Choice> {
    if option.is_string() {
        return reader.plain(option, path);
    }
    let fields = reader.object(option, path, "a text, or an object with \"value\" or \"label\"")?;
    fields.warn_of_others(reader, &["value", "label", "description", "preview"]);
    let value = fields.scalar(reader, "value");
    let label = fields.text(reader, "label");
    let (description, preview) = (fields.note(reader, "description"), fields.note(reader, "preview"));
    // Without a label, the value is what is shown.
    let shown = if label.is_some() { "label" } else { "value" };
    let (value, label) = match (value, label) {
        (Some(value), Some(label)) => (value.clone(), label.to_owned()),
        (Some(value), None) => (value.clone(), value.as_str().map_or_else(|| crate::json::text(value), str::to_owned)),
        (None, Some(label)) => (label.into(), label.to_owned()),
        (None, None) => {
            if !fields.has_any(&["value", "label"]) {
                reader.problem(fields.path.field("value"), ProblemKind::MissingField { field: "value" });
            }
            return None;
        }
    };
    if look(&label).is_empty() {
        reader.problem(fields.path.field(shown), ProblemKind::EmptyText);
        return None;
    }
    Some(Choice { value, label, description, preview })
}

fn read_schema(reader: &mut Reader, fields: &Fields<'_>) -> Option<AnswerType> {
    let path = fields.path.field("schema");
    match fields.present("schema") {
        Some(schema @ (Value::Object(_) | Value::Bool(_))) => {
            Some(AnswerType::Schema { schema: Schema::unchecked(schema.clone()) })
        }
        Some(other) => {
            reader.wrong_type(path, "a JSON Schema (an object)", other);
            None
        }
        None => {
            reader.problem(path, ProblemKind::SchemaRequired);
            None
        }
    }
}

fn read_when(
    reader: &mut Reader,
    fields: &Fields<'_>,
    ids: &Places,
    place: usize,
    places: &[Option<usize>],
) -> Option<When> {
    let when = fields.present("when")?;
    let when = reader.object(when, fields.path.field("when"), "an object with \"question_id\" and \"equals\"")?;
    when.warn_of_others(reader, &["question_id", "equals"]);
    let id = when.required_text(reader, "question_id");
    let equals = when.value("equals");
    if equals.is_none() {
        reader.problem(when.path.field("equals"), ProblemKind::MissingField { field: "equals" });
    }
    let id = id?;
    let kind = match ids.first(id) {
        None => ProblemKind::UnknownQuestion { id: id.to_owned() },
        Some(target) if target >= place => ProblemKind::ForwardReference { id: id.to_owned(), itself: target == place },
        Some(target) => {
            let earlier = places.get(target).copied().flatten().and_then(|place| reader.questions.get(place));
            match earlier.map(|earlier| &earlier.answer_type) {
                Some(AnswerType::Secret) => ProblemKind::SecretReference { id: id.to_owned() },
                earlier => return Some(When::new(target, earlier, equals?.clone())),
            }
        }
    };
    reader.problem(when.path.field("question_id"), kind);
    None
}

/// Writes the result of `questions`: the answers by id.
struct List;

/// Writes the result of a single `question`: its answer type and its answer.
struct Single;

impl Write for List {
    fn write(&self, ended: &Ended<'_>) -> Option<Value> {
        match ended.ending {
            Ending::Completed => {
                let mut result = Map::new();
                for (question, answer) in ended.shown() {
                    result.insert(question.id.clone(), answer.unwrap_or_default());
                }
                Some(Value::Object(result))
            }
            ending => unanswered(ended, ending),
        }
    }
}

impl Write for Single {
    fn write(&self, ended: &Ended<'_>) -> Option<Value> {
        match ended.ending {
            Ending::Completed => {
                let (question, answer) = ended.shown().next()?;
                let answer_type = question.answer_type.name().into();
                Some(Value::Object(object([("answer_type", answer_type), ("answer", answer?)])))
            }
            ending => unanswered(ended, ending),
        }
    }
}

/// The result of a form that was not completed, for the list and the single form.
fn unanswered(ended: &Ended<'_>, ending: &Ending) -> Option<Value> {
    match ending {
        Ending::Replied { text } => {
            let mut answered = Map::new();
            for (question, answer) in ended.shown() {
                answered.extend(answer.map(|answer| (question.id.clone(), answer)));
            }
            let mut result = object([("cancelled", true.into()), ("answered", Value::Object(answered))]);
            result.extend(text.as_deref().map(|text| ("reply".to_owned(), text.into())));
            Some(Value::Object(result))
        }
        Ending::Failed(failure) => Some(failed(failure)),
        Ending::Completed | Ending::TurnEnded => None,
    }
}
