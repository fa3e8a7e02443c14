//! The dialect `deepagents`: interrupts of LangGraph and of deepagents (`user_question`, `confirm_action`, `ask_user`), and
//! the same questions as arguments of their tools. An interrupt must be resumed, so there is always a result.

use super::{
    codex_async,
    declared::Level,
    draft::{Draft, Rules, Tells, any_question_has, texts},
    fields::{Fields, OPTIONS, QUESTIONS, Reader},
    labelled::{self, Shape},
};
use crate::{
    json,
    outcome::{Ended, Ending, Reply, Write},
    problem::{ProblemKind, Refusal, collected, object},
    question::{AnswerType, Choice, Question, Selections, TextRules},
};
use serde_json::{Map, Value};
use std::sync::Arc;

pub(super) const RULES: Rules = Rules { name: "deepagents", tool, recognises, tells: TELLS, read, unread, own: None };
const TELLS: Tells = Tells {
    request: &[],
    single: &["options", "header", "multi_select", "allow_custom"],
    listed: &["choices", "type"],
};

/// The fields of a single question, of a confirmation, and of a question in a list.
const FIELDS: &[&str] =
    &["type", "question", "options", "header", "descriptions", "multi_select", "allow_custom", "default", "danger"];
const CONFIRMATION: &[&str] = &["type", "action", "details", "default"];
pub(super) const LISTED: &[&str] = &["type", "question", "choices", "required", "header", "danger"];
const SHAPE: Shape = Shape {
    header: 12,
    options: OPTIONS,
    multiple: "multi_select",
    other: ("allow_custom", true),
    fields: FIELDS,
    ..Shape::PLAIN
};
const KINDS: &[&str] = &["user_question", "confirm_action", "ask_user"];
const TYPES: &[&str] = &["text", "multiple_choice", SEVERAL];
/// The type of a question with several answers.
const SEVERAL: &str = "multi_select";

/// The tool that sends such a request.
fn tool(request: &Value) -> &'static str {
    match request.get("type").and_then(Value::as_str) {
        Some("confirm_action") => "confirm_action",
        Some("ask_user") => "ask_user",
        None if request.get("questions").is_some() => "ask_user",
        None if request.get("action").is_some() && request.get("question").is_none() => "confirm_action",
        _ => "ask_user_question",
    }
}

/// The shape of a request, and of its result.
enum Shaped {
    /// An interrupt with one question.
    Interrupt,
    /// The arguments of a tool.
    Arguments,
    /// The interrupt `ask_user`, with several questions.
    List,
}

fn recognises(request: &Value) -> bool {
    let has = |name: &str| request.get(name).is_some();
    let kind = request.get("type").filter(|kind| !kind.is_null());
    let known = kind.and_then(Value::as_str).is_some_and(|kind| KINDS.contains(&kind));
    // Any other type is a misspelled one, unless it is that of an event or a message, or the questions have the fields of `ask_user`.
    let is_event = |kind: &str| kind.bytes().any(|letter| letter == b'.') || kind == codex_async::KIND;
    let is_event = kind.and_then(Value::as_str).is_some_and(is_event);
    let typed = kind.is_some_and(|_| !is_event)
        && (has("question") || has("questions") || has("action"))
        && !has("answer_type")
        && !any_question_has(request, "questions", &["answer_type", "text"]);
    let own = has("descriptions") || has("multi_select") || has("allow_custom");
    let plain = (has("options") || has("header")) && !has("answer_type");
    let question = has("question") && (own || plain);
    let confirms = |fields: &Map<String, Value>| {
        fields.contains_key("action") && fields.keys().all(|key| ["action", "details", "default"].contains(&&**key))
    };
    known || typed || question || lists(request) || request.as_object().is_some_and(confirms)
}

/// Whether these are the arguments of the tool `ask_user`: questions with its fields, and none of another dialect.
fn lists(request: &Value) -> bool {
    let chosen =
        |question: &Value| question.get("type").is_some_and(|kind| kind == "multiple_choice" || kind == SEVERAL);
    let questions = request.get("questions").and_then(Value::as_array);
    let own = any_question_has(request, "questions", &["choices", "required"])
        || questions.is_some_and(|questions| questions.iter().any(chosen));
    own && any_question_has(request, "questions", &["question"])
        && !any_question_has(request, "questions", &["options", "id", "answer_type", "text"])
}

/// Writes that nobody was asked.
fn unread(request: &Value) -> Arc<dyn Write> {
    Arc::new(match request.get("type").and_then(Value::as_str) {
        Some("user_question" | "confirm_action") => Shaped::Interrupt,
        Some("ask_user") => Shaped::List,
        _ => Shaped::Arguments,
    })
}

fn read(reader: &mut Reader, request: &Map<String, Value>) -> Option<Draft> {
    let mut fields = Fields::root(request);
    let has = |name: &str| request.get(name).is_some_and(|value| !value.is_null());
    let own = if has("question") || !has("action") { FIELDS } else { CONFIRMATION };
    if has("questions") {
        fields.refuse_for(reader, &["question", "options"], "questions");
        fields.declare(reader, &["type", "questions", "tool_call_id"], Level::Request)?;
    } else {
        fields.declare(reader, own, Level::Question)?;
    }
    // A confirmation beside a question would be lost.
    if !has("type") && (has("question") || has("questions")) {
        let by = if has("question") { "question" } else { "questions" };
        fields.refuse_for(reader, &["action"], by);
    }
    let (question, shape) = match fields.text(reader, "type") {
        Some("user_question") => (read_question(reader, &fields, true), Shaped::Interrupt),
        // Its tool always sends a default, whether its agent stated one or not.
        Some("confirm_action") => (read_question(reader, &fields, false).map(implied), Shaped::Interrupt),
        Some("ask_user") => return read_list(reader, &fields),
        Some(given) => {
            // What it has says which of them it can be.
            let (single, listed) = KINDS.split_at(2);
            reader.unknown_type(fields.place("type"), "type", given, if has("questions") { listed } else { single });
            return None;
        }
        None if fields.present("action").is_some() && !has("question") && !has("questions") => {
            (read_confirmation(reader, &fields), Shaped::Arguments)
        }
        // The arguments of the tool `ask_user`.
        None if fields.present("questions").is_some() => return read_list(reader, &fields),
        None => (read_question(reader, &fields, true), Shaped::Arguments),
    };
    let asked = if fields.present("question").is_some() { "question" } else { "action" };
    reader.may_ask(1, QUESTIONS, fields.path.field(asked));
    reader.ask(question?);
    Some(Draft::new(shape))
}

/// The same question with its default as no more than a draft.
fn implied(question: Question) -> Question {
    Question { implied: question.default, default: None, ..question }
}

/// Reads a question with or without options. `custom`: whether "Other" is offered if the request does not say.
fn read_question(reader: &mut Reader, fields: &Fields<'_>, custom: bool) -> Option<Question> {
    let multiple = fields.flag(reader, SHAPE.multiple, false);
    let custom = fields.flag(reader, SHAPE.other.0, custom);
    let options = fields.list(reader, "options", "a list of texts")?;
    // Of a text, there are neither several nor only some, and nothing to describe.
    if options.is_empty() {
        if multiple {
            fields.refuse(reader, fields.sent(SHAPE.multiple), Some("options"));
        }
        if fields.present(SHAPE.other.0) == Some(&Value::Bool(false)) {
            fields.refuse(reader, fields.sent(SHAPE.other.0), Some("options"));
        }
        fields.refuse_for(reader, &["descriptions"], "options");
    }
    let descriptions = if options.is_empty() { Vec::new() } else { read_descriptions(reader, fields, options.len()) };
    let answer_type = if options.is_empty() {
        Some(AnswerType::text())
    } else {
        let mut descriptions = descriptions.into_iter();
        let path = fields.place("options");
        let choices = reader.options(options, &path, &SHAPE.options, &mut |reader, option, path| {
            let description = descriptions.next().flatten();
            Some(Choice { description, ..reader.plain(option, path)? })
        });
        choices.map(|choices| AnswerType::choice(choices.with_other(custom), multiple))
    };
    let mut question = labelled::asked(reader, fields, 0, &SHAPE, answer_type)?;
    read_default(reader, fields, &mut question, options);
    Some(question)
}

/// Reads the descriptions of the options: one for each, null for an option without one.
fn read_descriptions(reader: &mut Reader, fields: &Fields<'_>, options: usize) -> Vec<Option<String>> {
    let path = fields.place("descriptions");
    let list = fields.list(reader, "descriptions", "a list of texts, null where there is none").unwrap_or_default();
    if !list.is_empty() && list.len() != options {
        reader.problem(path.clone(), ProblemKind::LengthMismatch { options, descriptions: list.len() });
    }
    let mut read = Vec::with_capacity(list.len());
    for (place, description) in list.iter().enumerate() {
        read.push(match description {
            Value::String(text) if !text.trim().is_empty() => Some(text.clone()),
            Value::String(_) | Value::Null => None,
            other => {
                reader.wrong_type(path.item(place), "a text, or null", other);
                None
            }
        });
    }
    read
}

/// Reads the default: the index of an option, from 0, or a text.
fn read_default(reader: &mut Reader, fields: &Fields<'_>, question: &mut Question, options: &[Value]) {
    let path = fields.place("default");
    let default = match fields.present("default") {
        Some(Value::Number(place)) if question.answer_type.choices().is_some() => {
            let option = place.as_u64().and_then(|place| options.get(usize::try_from(place).ok()?));
            if option.is_none() {
                let refusal = Refusal::NotAnOption { value: place.to_string() };
                reader.problem(path, ProblemKind::InvalidDefault { refusal });
                return;
            }
            option.cloned()
        }
        default => default.cloned(),
    };
    let default = match (&question.answer_type, default) {
        (AnswerType::MultiSelect { .. }, Some(Value::String(one))) => {
            Some(written(&one).unwrap_or_else(|| Value::Array(vec![one.into()])))
        }
        (_, default) => default,
    };
    reader.default(question, default.as_ref(), path);
}

/// The list that a text has as JSON.
#[cold]
fn written(text: &str) -> Option<Value> {
    if text.starts_with('[') { json::parse(text).ok().filter(Value::is_array) } else { None }
}

/// Reads the arguments of the tool `confirm_action`: a yes-or-no question.
fn read_confirmation(reader: &mut Reader, fields: &Fields<'_>) -> Option<Question> {
    let action = fields.shown_text(reader, "action");
    let details = fields.note(reader, "details");
    let stated = fields.present("default").is_some();
    let default = fields.flag(reader, "default", true);
    let mut question = Question::new("q1", format!("Confirm: {}", action?), AnswerType::Boolean);
    question.context = details;
    // A default that is not in the request is only a draft. It never approves anything.
    if stated {
        question.default = Some(default.into());
    } else {
        question.implied = Some(default.into());
    }
    Some(question)
}

/// Reads the interrupt `ask_user`: several questions, answered by position.
fn read_list(reader: &mut Reader, fields: &Fields<'_>) -> Option<Draft> {
    let list = fields.questions(reader, "questions", QUESTIONS)?;
    reader.ask_each(list, &fields.place("questions"), &mut |reader, fields, place| {
        fields.declare(reader, LISTED, Level::Question)?;
        let required = fields.flag(reader, "required", true);
        let answer_type = match fields.text(reader, "type") {
            // A text that must be given must say something.
            None | Some("text") => {
                fields.refuse_for(reader, &["choices"], "type");
                Some(AnswerType::Text(TextRules { min_length: required.into(), ..TextRules::default() }))
            }
            Some(kind @ ("multiple_choice" | SEVERAL)) => fields.required_list(reader, "choices").and_then(|list| {
                let path = fields.place("choices");
                let choices = reader.options(list, &path, &OPTIONS, &mut |reader, choice, path| {
                    let mut fields = reader.object(choice, path, "an object with \"value\"")?;
                    fields.declare(reader, &["value"], Level::Option)?;
                    fields.shown_text(reader, "value").map(Choice::new)
                });
                choices.map(|choices| {
                    let choices = choices.with_other(true);
                    match kind == SEVERAL {
                        // One that must be answered has something in it.
                        true => AnswerType::MultiSelect {
                            choices,
                            selections: Selections { minimum: required.into(), maximum: None },
                        },
                        false => AnswerType::Select(choices),
                    }
                })
            }),
            Some(given) => {
                reader.unknown_type(fields.place("type"), "type", given, TYPES);
                None
            }
        };
        let mut question = labelled::asked(reader, fields, place, &SHAPE, answer_type)?;
        question.optional = !required;
        Some(question)
    });
    Some(Draft::new(Shaped::List))
}

impl Write for Shaped {
    fn reply(&self) -> Reply {
        match self {
            Self::Interrupt => Reply::WithWords,
            Self::Arguments | Self::List => Reply::WithoutWords,
        }
    }

    fn write(&self, ended: &Ended<'_>) -> Option<Value> {
        let only = || ended.shown().next().and_then(|(_, answer)| answer).unwrap_or_default();
        Some(match (self, ended.ending) {
            (Self::List, Ending::Completed) => {
                let answer = |(question, taken): (&Question, _)| match &question.answer_type {
                    // Several are a list as JSON text: any of them may have a comma.
                    AnswerType::MultiSelect { .. } => json::text(&texts(taken)),
                    _ => texts(taken).join(", "),
                };
                let answers = ended.answers().map(|one| Value::from(answer(one))).collect();
                Value::Object(object([("status", "answered".into()), ("answers", Value::Array(answers))]))
            }
            (Self::List, _) => Value::Object(object([("status", "cancelled".into())])),
            (Self::Interrupt, Ending::Completed) => Value::Object(response(only())),
            (Self::Interrupt, ending) => {
                let reply = match ending {
                    Ending::Replied { text } => text.clone(),
                    Ending::Failed(failure) => Some(failure.to_string()),
                    Ending::TurnEnded | Ending::Expired | Ending::Completed => None,
                };
                let mut result = response(Value::Null);
                result.extend(collected(&mut [("cancelled", Some(true.into())), ("reply", reply.map(Value::from))]));
                Value::Object(result)
            }
            (Self::Arguments, Ending::Completed) => only(),
            (Self::Arguments, _) => Value::Null,
        })
    }
}

fn response(value: Value) -> Map<String, Value> {
    object([("type", "user_response".into()), ("response", value)])
}
