//! The dialect `ask_user`: a list of questions with ids, answer types and conditions, or one question on its own.

use super::{
    Draft, Rules, ToolDefinition, failed,
    fields::{Fields, OPTIONS, Places, QUESTIONS, Reader},
};
use crate::{
    answer::Answer,
    form::{AnswerType, Choice, NumberRules, Question, When},
    host::Reuse,
    outcome::{Ending, Outcome},
    problem::{Pointer, ProblemKind, object},
    schema::Schema,
};
use serde_json::{Map, Value, json};

pub(super) const RULES: Rules = Rules { name: "ask_user", tool: "ask_user", recognises, read, write };

const ANSWER_TYPES: &[&str] = &["boolean", "select", "multi_select", "text", "schema", "number", "secret"];
const LIST_FIELDS: &[&str] =
    &["id", "text", "answer_type", "options", "schema", "default", "when", "header", "context"];
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
    reader.ask(question, fields.path.clone());
    Some(Draft::keeping(true.into()))
}

fn read_list(reader: &mut Reader, fields: &Fields<'_>) -> Option<Draft> {
    let path = fields.path.field("questions");
    let list = fields.questions(reader, QUESTIONS)?;
    let ids = Places::of(list, "id");
    // Whether each question is a secret; what is no question leaves a gap.
    let mut secrets = Vec::with_capacity(list.len());
    reader.ask_each(list, &path, &mut |reader, fields, place| {
        fields.warn_of_others(reader, LIST_FIELDS);
        let id = read_id(reader, fields, &ids, place);
        let text = fields.shown_text(reader, "text");
        let name = fields.required_text(reader, "answer_type");
        let question = read_question(reader, fields, id, text, name);
        let when = read_when(reader, fields, &ids, place, &secrets);
        secrets.resize(place, false);
        secrets.push(question.as_ref().is_some_and(|question| question.answer_type.is_secret()));
        let mut question = question?;
        question.when = when;
        Some(question)
    });
    fields.warn_of_others(reader, &["questions"]);
    Some(Draft { reuse: Reuse::Turn, ..Draft::keeping(Value::Null) })
}

fn read_id<'a>(reader: &mut Reader, fields: &Fields<'a>, ids: &Places, place: usize) -> Option<&'a str> {
    let id = fields.required_text(reader, "id")?;
    let path = fields.path.field("id");
    if id.is_empty() || id.contains('.') || id.contains(char::is_control) {
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

/// What the list and the single form have in common. `id`, `text` and `name` are absent where they were found wrong.
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

/// An option: a text, or an object.
fn read_option(reader: &mut Reader, option: &Value, path: Pointer) -> Option<Choice> {
    if option.is_string() {
        return reader.plain(option, path);
    }
    let fields = reader.object(option, path, "a text, or an object with \"value\" or \"label\"")?;
    fields.warn_of_others(reader, &["value", "label", "description", "preview"]);
    let value = fields.scalar(reader, "value");
    let label = fields.text(reader, "label");
    let (description, preview) = (fields.note(reader, "description"), fields.note(reader, "preview"));
    let (value, label) = match (value, label) {
        (Some(value), Some(label)) => (value.clone(), label.to_owned()),
        (Some(value), None) => (value.clone(), value.as_str().map_or_else(|| value.to_string(), str::to_owned)),
        (None, Some(label)) => (label.into(), label.to_owned()),
        (None, None) => {
            if !fields.has_any(&["value", "label"]) {
                reader.problem(fields.path.field("value"), ProblemKind::MissingField { field: "value" });
            }
            return None;
        }
    };
    if label.trim().is_empty() {
        reader.problem(fields.path.field("label"), ProblemKind::EmptyText);
        return None;
    }
    Some(Choice { value, label, description, preview })
}

fn read_schema(reader: &mut Reader, fields: &Fields<'_>) -> Option<AnswerType> {
    let path = fields.path.field("schema");
    match fields.present("schema") {
        Some(schema @ (Value::Object(_) | Value::Bool(_))) => {
            Some(AnswerType::Schema(Schema::unchecked(schema.clone())))
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

fn read_when(reader: &mut Reader, fields: &Fields<'_>, ids: &Places, place: usize, secrets: &[bool]) -> Option<When> {
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
        Some(target) if secrets.get(target) == Some(&true) => ProblemKind::SecretReference { id: id.to_owned() },
        Some(target) => return Some(When { question: target, equals: equals?.clone() }),
    };
    reader.problem(when.path.field("question_id"), kind);
    None
}

fn write(outcome: &Outcome<'_>) -> Option<Value> {
    match outcome.ending() {
        Ending::Completed if !outcome.form().envelope.is_null() => {
            let (question, answer) = outcome.answers().next()?;
            Some(Value::Object(object([
                ("answer_type", question.answer_type.name().into()),
                ("answer", answer?.shown()),
            ])))
        }
        Ending::Completed => {
            let mut result = Map::new();
            for (question, answer) in outcome.answers() {
                result.insert(question.id.clone(), answer.map(Answer::shown).unwrap_or_default());
            }
            Some(Value::Object(result))
        }
        Ending::Replied { text } => {
            let mut answered = Map::new();
            for (question, answer) in outcome.answers() {
                if let Some(answer) = answer {
                    answered.insert(question.id.clone(), answer.shown());
                }
            }
            let mut result = object([("cancelled", true.into()), ("answered", Value::Object(answered))]);
            if let Some(text) = text {
                result.insert("reply".into(), text.as_str().into());
            }
            Some(Value::Object(result))
        }
        Ending::TurnEnded => None,
        Ending::Failed(failure) => Some(failed(failure)),
    }
}

pub(super) fn definitions() -> Vec<ToolDefinition> {
    vec![ToolDefinition {
        name: RULES.tool,
        description: "Ask the user one or more questions when you need a decision, a preference or a fact that only they \
            have. Put everything you need to know now into one call: the user steps through the questions as one form and \
            can go back. A question can depend on an earlier answer with \"when\"; a skipped question has the answer null. \
            The result maps each id to its answer. If it has \"cancelled\": true, the user chose not to answer the rest: \
            read \"reply\" and \"answered\", and do not treat a missing answer as consent.",
        parameters: json!({
            "type": "object",
            "properties": {
                "questions": {
                    "type": "array",
                    "description": "The questions, in the order in which to ask them.",
                    "items": {
                        "type": "object",
                        "properties": {
                            "id": {
                                "type": "string",
                                "description": "A short unique name for the answer, such as \"target_env\". No dots."
                            },
                            "text": { "type": "string", "description": "The question, as the user reads it." },
                            "answer_type": {
                                "type": "string",
                                "enum": ["boolean", "select", "multi_select", "text", "schema"],
                                "description": "boolean: yes or no. select: one of the options. multi_select: any number of \
                                    the options. text: free text. schema: JSON that the given JSON Schema accepts."
                            },
                            "options": {
                                "type": "array",
                                "items": { "type": "string" },
                                "description": "For select and multi_select only: the options to choose from."
                            },
                            "schema": {
                                "type": "object",
                                "description": "For schema only: a self-contained JSON Schema (draft 2020-12)."
                            },
                            "default": {
                                "description": "A suggested answer that the user can take or change. Must be a possible answer."
                            },
                            "when": {
                                "type": "object",
                                "description": "Ask this question only if an earlier one has this answer.",
                                "properties": {
                                    "question_id": {
                                        "type": "string",
                                        "description": "The id of an earlier question in this list."
                                    },
                                    "equals": {
                                        "description": "The answer it must have; null if it must have been skipped."
                                    }
                                },
                                "required": ["question_id", "equals"]
                            }
                        },
                        "required": ["id", "text", "answer_type"]
                    }
                }
            },
            "required": ["questions"]
        }),
        instructions: None,
    }]
}
