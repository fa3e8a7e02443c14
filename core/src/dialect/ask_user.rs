//! The dialect `ask_user`: a list of questions with ids, answer types and conditions, or one question on its own.

use super::{
    Draft, Drafted, Rules, ToolDefinition,
    fields::{Fields, Reader},
};
use crate::{
    answer::Answer,
    form::{AnswerType, Question, When},
    host::Reuse,
    json::Numbers,
    outcome::{Ending, Outcome},
    problem::{ProblemKind, object},
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
    let name = fields.text(reader, "answer_type").map(|name| name.unwrap_or("text"));
    let question = read_question(reader, fields, Some("answer".into()), text, name)?;
    Some(Draft {
        questions: vec![Drafted { question, path: fields.path.clone() }],
        reuse: Reuse::None,
        review: false,
        envelope: json!({ "single": true }),
    })
}

fn read_list(reader: &mut Reader, fields: &Fields<'_>) -> Option<Draft> {
    let path = fields.path.field("questions");
    let list = match fields.list(reader, "questions", "a list of questions")? {
        Some(list) => list,
        None => {
            reader.problem(path, ProblemKind::MissingField { field: "questions" });
            return None;
        }
    };
    let (limit, found) = (reader.limits.questions, list.len());
    if list.is_empty() {
        reader.problem(path.clone(), ProblemKind::EmptyQuestions);
    }
    if found > limit {
        reader.problem(path.clone(), ProblemKind::TooManyQuestions { limit, found });
    }
    let ids = Ids::new(list);
    let mut questions: Vec<Option<Question>> = Vec::with_capacity(found);
    for (place, question) in list.iter().enumerate() {
        let question = reader.object(question, path.item(place), "a question (an object)").and_then(|fields| {
            fields.warn_of_others(reader, LIST_FIELDS);
            let id = read_id(reader, &fields, &ids, place);
            let text = fields.shown_text(reader, "text");
            let name = fields.required_text(reader, "answer_type");
            let question = read_question(reader, &fields, id, text, name);
            let when = read_when(reader, &fields, &ids, place, &questions);
            Some(Question { when: when?, ..question? })
        });
        questions.push(question);
    }
    fields.warn_of_others(reader, &["questions"]);
    let questions: Option<Vec<_>> = questions.into_iter().collect();
    let drafted = questions?.into_iter().enumerate().map(|(place, question)| {
        let path = path.item(place);
        Drafted { question, path }
    });
    Some(Draft { questions: drafted.collect(), reuse: Reuse::Turn, review: false, envelope: Value::Null })
}

/// The ids of a list, each with the place of the first question that has it.
struct Ids(Numbers);

impl Ids {
    fn new(list: &[Value]) -> Self {
        let mut ids = Numbers::default();
        for (place, question) in list.iter().enumerate() {
            if let Some(id) = question.get("id").and_then(Value::as_str)
                && ids.get(id).is_none()
            {
                ids.set(id.to_owned(), place as u64);
            }
        }
        Self(ids)
    }

    fn place(&self, id: &str) -> Option<usize> {
        self.0.get(id).map(|place| place as usize)
    }
}

fn read_id(reader: &mut Reader, fields: &Fields<'_>, ids: &Ids, place: usize) -> Option<String> {
    let id = fields.required_text(reader, "id")?;
    let path = fields.path.field("id");
    if id.is_empty() || id.contains('.') || id.contains(char::is_control) {
        reader.problem(path, ProblemKind::InvalidId { id: id.to_owned() });
        return None;
    }
    match ids.place(id) {
        Some(first) if first != place => {
            let first = first.saturating_add(1);
            reader.problem(path, ProblemKind::DuplicateId { id: id.to_owned(), first });
            None
        }
        Some(_) | None => Some(id.to_owned()),
    }
}

/// What the list and the single form have in common. `id`, `text` and `name` are absent where they were found wrong.
fn read_question(
    reader: &mut Reader,
    fields: &Fields<'_>,
    id: Option<String>,
    text: Option<&str>,
    name: Option<&str>,
) -> Option<Question> {
    let header = fields.note(reader, "header");
    let context = fields.note(reader, "context");
    let answer_type = name.and_then(|name| read_answer_type(reader, fields, name));
    let mut question = Question {
        id: id.clone().unwrap_or_default(),
        text: text.unwrap_or_default().to_owned(),
        header: header.clone().flatten(),
        context: context.clone().flatten(),
        answer_type: answer_type?,
        default: None,
        when: None,
    };
    let default_is_right = read_default(reader, fields, &mut question);
    if let AnswerType::Schema(_) = question.answer_type {
        reader.schemas.push((fields.path.clone(), question.clone()));
    }
    (id.is_some() && text.is_some() && header.is_some() && context.is_some() && default_is_right).then_some(question)
}

fn read_answer_type(reader: &mut Reader, fields: &Fields<'_>, name: &str) -> Option<AnswerType> {
    let Some(name) = ANSWER_TYPES.iter().find(|known| **known == name).copied() else {
        let kind = ProblemKind::UnknownAnswerType { given: name.to_owned(), known: ANSWER_TYPES };
        reader.problem(fields.path.field("answer_type"), kind);
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
        "text" => Some(AnswerType::Text),
        "number" => Some(AnswerType::Number),
        "secret" => Some(AnswerType::Secret),
        "schema" => read_schema(reader, fields),
        _ => {
            let path = fields.path.field("options");
            let Some(list) = fields.list(reader, "options", "a list of options")? else {
                reader.problem(path, ProblemKind::OptionsRequired { answer_type: name });
                return None;
            };
            let choices = reader.options(list, &path)?;
            Some(if name == "select" { AnswerType::Select(choices) } else { AnswerType::MultiSelect(choices) })
        }
    }
}

fn read_schema(reader: &mut Reader, fields: &Fields<'_>) -> Option<AnswerType> {
    let path = fields.path.field("schema");
    match fields.present("schema") {
        Some(schema @ (Value::Object(_) | Value::Bool(_))) => {
            Some(AnswerType::Schema(Schema::unchecked(schema.clone())))
        }
        Some(other) => {
            let found = crate::json::type_name(other);
            reader.problem(path, ProblemKind::WrongType { expected: "a JSON Schema (an object)", found });
            None
        }
        None => {
            reader.problem(path, ProblemKind::SchemaRequired);
            None
        }
    }
}

/// Reads the default into the question; says whether it is right. That of a schema is checked with the schema.
fn read_default(reader: &mut Reader, fields: &Fields<'_>, question: &mut Question) -> bool {
    let Some(default) = fields.present("default") else { return true };
    let path = fields.path.field("default");
    match question.answer_type {
        AnswerType::Secret => {
            reader.warning(path, ProblemKind::SecretDefault);
            true
        }
        AnswerType::Schema(_) => {
            question.default = Some(default.clone());
            true
        }
        AnswerType::Boolean
        | AnswerType::Select(_)
        | AnswerType::MultiSelect(_)
        | AnswerType::Text
        | AnswerType::Number => match Answer::new(question, default.clone(), &reader.limits) {
            Ok(answer) => {
                question.default = Some(answer.shown());
                true
            }
            Err(refusal) => {
                reader.problem(path, ProblemKind::InvalidDefault { refusal });
                false
            }
        },
    }
}

fn read_when(
    reader: &mut Reader,
    fields: &Fields<'_>,
    ids: &Ids,
    place: usize,
    earlier: &[Option<Question>],
) -> Option<Option<When>> {
    let Some(when) = fields.present("when") else { return Some(None) };
    let when = reader.object(when, fields.path.field("when"), "an object with \"question_id\" and \"equals\"")?;
    when.warn_of_others(reader, &["question_id", "equals"]);
    let id = when.required_text(reader, "question_id");
    let equals = when.value("equals");
    if equals.is_none() {
        reader.problem(when.path.field("equals"), ProblemKind::MissingField { field: "equals" });
    }
    let id = id?;
    let kind = match ids.place(id) {
        None => ProblemKind::UnknownQuestion { id: id.to_owned() },
        Some(target) if target >= place => ProblemKind::ForwardReference { id: id.to_owned(), itself: target == place },
        Some(target) => match earlier.get(target).and_then(Option::as_ref) {
            Some(question) if question.answer_type.is_secret() => ProblemKind::SecretReference { id: id.to_owned() },
            Some(_) | None => return Some(Some(When { question: target, equals: equals?.clone() })),
        },
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
            let shown = |answer: Option<&Answer>| answer.map(Answer::shown).unwrap_or_default();
            Some(Value::Object(
                outcome.answers().map(|(question, answer)| (question.id.clone(), shown(answer))).collect(),
            ))
        }
        Ending::Replied { text } => {
            let answered =
                outcome.answers().filter_map(|(question, answer)| Some((question.id.clone(), answer?.shown())));
            let mut result = object([("cancelled", true.into()), ("answered", Value::Object(answered.collect()))]);
            if let Some(text) = text {
                result.insert("reply".into(), text.as_str().into());
            }
            Some(Value::Object(result))
        }
        Ending::TurnEnded => None,
        Ending::Failed(failure) => {
            Some(Value::Object(object([("error", failure.code().into()), ("message", failure.to_string().into())])))
        }
    }
}

pub(super) fn definition() -> ToolDefinition {
    ToolDefinition {
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
    }
}
