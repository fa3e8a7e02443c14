//! The dialect `ask_user`: a list of questions with ids, answer types and conditions, or one question on its own.

use super::{
    condition::{self, Earlier},
    declared::Level,
    draft::{Draft, Rules, Tells, failed},
    fields::{Fields, OPTIONS, QUESTIONS, Reader},
    mending::{HIDDEN, OPTION, QUESTION, REQUIRED, SECRET, SEVERAL},
    near::{is_same, said},
};
use crate::{
    host::{Limits, Reuse},
    outcome::{Ended, Ending, Write},
    problem::{ConditionPlace, Pointer, ProblemKind, object},
    question::{AnswerType, Choice, Format, NumberRules, Question, Selections, TextRules},
    schema::Schema,
    text::look,
};
use serde_json::{Map, Number, Value};
use std::sync::Arc;

pub(super) const RULES: Rules = Rules {
    name: "ask_user",
    tool: |_| "ask_user",
    recognises,
    tells: TELLS,
    read,
    unread: |_| Arc::new(List),
    own: None,
};

const TELLS: Tells = Tells {
    request: &["questions", "question"],
    single: &["answer_type", "schema", "context"],
    listed: &["answer_type"],
};
const ANSWER_TYPES: &[&str] = &["boolean", "select", "multi_select", "text", "schema", "number", "secret"];
/// The fields that every question of a list has, and then those that some types have.
pub(super) const LIST_FIELDS: &[&str] = &[
    "id",
    "text",
    "answer_type",
    "options",
    "schema",
    "default",
    "when",
    "header",
    "context",
    "danger",
    "optional",
    "placeholder",
    "other",
    "min_selections",
    "max_selections",
    "min_length",
    "max_length",
    "pattern",
    "format",
    "minimum",
    "maximum",
    "integer",
];
/// The fields of the single form that are none of a question in a list, and the other way round.
const SINGLE: &str = "question";
const LISTED: &[&str] = &["id", "text", "when"];
const OPTION_FIELDS: &[&str] = &["value", "label", "description", "preview", "recommended", "danger"];
/// The ids that would make a completed result look like a cancelled or a failed one.
const RESERVED: [&str; 2] = ["cancelled", "error"];

/// Whether a question of this type has a field of [`LIST_FIELDS`].
fn has(answer_type: &str, field: &str) -> bool {
    match field {
        "optional" => answer_type != "secret",
        "placeholder" => matches!(answer_type, "text" | "number" | "schema" | "secret"),
        "other" => matches!(answer_type, "select" | "multi_select"),
        "min_selections" | "max_selections" => answer_type == "multi_select",
        "min_length" | "max_length" | "pattern" | "format" => answer_type == "text",
        "minimum" | "maximum" | "integer" => answer_type == "number",
        _ => true,
    }
}

fn recognises(request: &Value) -> bool {
    let ours = |question: &Value| question.get("answer_type").is_some() || question.get("text").is_some();
    match request.get("questions") {
        Some(questions) => questions.as_array().is_some_and(|questions| questions.iter().any(ours)),
        None => request.get("question").is_some(),
    }
}

fn read(reader: &mut Reader, request: &Map<String, Value>) -> Option<Draft> {
    let fields = Fields::root(request);
    // No other dialect has `answer_type`. Without it, the host has to say that the result may have this shape.
    let is_ours = |name: Option<&Value>| name.is_some_and(|name| !name.is_null());
    let listed = request.get("questions").and_then(Value::as_array).into_iter().flatten();
    reader.mends |= reader.named
        || is_ours(request.get("answer_type"))
        || listed.into_iter().any(|question| is_ours(question.get("answer_type")));
    // One that has an answer type, and nothing that only a question of a list has, lacks its text.
    let is_list = || fields.has_any(LISTED) || fields.map().keys().any(|name| is_same(name, "questions"));
    let is_one = || fields.has_any(&["question"]) || fields.has_any(&["answer_type"]) && !is_list();
    if fields.present("questions").is_none() && is_one() {
        read_single(reader, fields)
    } else {
        read_list(reader, &fields)
    }
}

fn read_single(reader: &mut Reader, mut fields: Fields<'_>) -> Option<Draft> {
    let known = LIST_FIELDS.iter().filter(|field| !LISTED.contains(field)).chain([&SINGLE]);
    let known: Vec<&'static str> = known.copied().collect();
    fields.mend(reader, QUESTION, &known, fits)?;
    refuse_conditions(reader, &fields, &known, ConditionPlace::Nowhere, None);
    fields.refuse_essential(reader, &known, Level::Question);
    let text = fields.shown_text(reader, "question");
    if text.is_some_and(|text| text.contains(['\n', '\r', '\u{85}', '\u{2028}', '\u{2029}'])) {
        reader.problem(fields.path.field("question"), ProblemKind::MultilineQuestion);
    }
    // One that is there and no text has been noted.
    let name = read_name(reader, &fields, false).or_else(|| fields.present("answer_type").is_none().then_some("text"));
    let question = read_question(reader, &fields, Some("answer"), text, name, &known)?;
    reader.may_ask(1, QUESTIONS, fields.path.field("question"));
    reader.ask(question);
    Some(Draft::new(Single))
}

fn read_list(reader: &mut Reader, fields: &Fields<'_>) -> Option<Draft> {
    let path = fields.path.field("questions");
    let list = fields.questions(reader, "questions", QUESTIONS)?;
    let ids = reader.places(list, "id");
    let mut places = std::mem::take(&mut reader.indexes);
    reader.ask_each(list, &path, &mut |reader, fields, place| {
        let question = read_listed(reader, fields, &Earlier { ids: &ids, place, places: &places });
        places.resize(place, None);
        places.push(question.as_ref().map(|_| reader.questions.len()));
        question
    });
    reader.indexes = places;
    refuse_conditions(reader, fields, &["questions"], ConditionPlace::InQuestion, None);
    if fields.present("answer_type").is_some() {
        // A question of its own beside the list would be lost.
        fields.refuse_for(reader, &["question", "text"], "questions");
    }
    fields.refuse_essential(reader, &["questions"], Level::Request);
    fields.warn_of_others(reader, &|name| name == "questions");
    Some(Draft { reuse: Reuse::Turn, ..Draft::new(List) })
}

/// Refuses conditions in other fields than the known ones.
fn refuse_conditions(
    reader: &mut Reader,
    fields: &Fields<'_>,
    known: &[&str],
    place: ConditionPlace,
    earlier: Option<&Earlier<'_>>,
) {
    if !fields.has_only(known) {
        condition::refuse_others(reader, fields, known, place, earlier);
    }
}

/// Whether a question can have a field, before all of its fields are found: `min` means something else of a number than of a list.
#[cold]
#[inline(never)]
fn fits(fields: &Fields<'_>, field: &str) -> bool {
    let given = |names: &[&str]| {
        let is_it = |name: &str| names.iter().any(|one| is_same(name, one));
        fields.iter().find(|(name, value)| is_it(name) && !value.is_null()).map(|(_, value)| value)
    };
    let named = given(&["answer_type", "type", "kind"]).and_then(Value::as_str);
    let kind = named.filter(|kind| ANSWER_TYPES.contains(kind)).or_else(|| {
        let several = given(&["multiSelect", "multiple", "allowMultiple"]).and_then(Value::as_bool);
        match (several, given(&["options", "choices", "enum"]), given(SECRET)) {
            (Some(true), ..) => Some("multi_select"),
            (_, Some(_), _) => Some("select"),
            (_, None, Some(Value::Bool(true))) => Some("secret"),
            // The single form is one for a text where it says nothing else.
            _ => (named.is_none() && fields.present(SINGLE).is_some()).then_some("text"),
        }
    });
    kind.is_none_or(|kind| has(kind, said(field)))
}

/// Reads one question of a list, after those before it.
fn read_listed(reader: &mut Reader, fields: &mut Fields<'_>, earlier: &Earlier<'_>) -> Option<Question> {
    fields.mend(reader, QUESTION, LIST_FIELDS, fits)?;
    refuse_conditions(reader, fields, LIST_FIELDS, ConditionPlace::Here, Some(earlier));
    // Without it, the question is rejected anyway, with what was probably meant.
    if fields.present("answer_type").is_some() {
        fields.refuse_essential(reader, LIST_FIELDS, Level::Question);
    }
    let id = read_id(reader, fields, earlier);
    let text = fields.shown_text(reader, "text");
    let name = read_name(reader, fields, true);
    let question = read_question(reader, fields, id, text, name, LIST_FIELDS);
    let when = fields.present("when").and_then(|when| condition::read(reader, when, fields.place("when"), earlier));
    Some(Question { when, ..question? })
}

fn read_id<'a>(reader: &mut Reader, fields: &Fields<'a>, earlier: &Earlier<'_>) -> Option<&'a str> {
    let id = fields.required_text(reader, "id")?;
    let path = fields.place("id");
    if id.is_empty() || id.chars().any(|character| character == '.' || character.is_control()) || RESERVED.contains(&id)
    {
        reader.problem(path, ProblemKind::InvalidId { id: id.to_owned() });
        return None;
    }
    match earlier.ids.earlier(id, earlier.place) {
        Some(first) => {
            reader.problem(path, ProblemKind::DuplicateId { id: id.to_owned(), first });
            None
        }
        None => Some(id),
    }
}

/// The name of the answer type. In the words of other tools, a field of its own says that several options may be chosen, or that the answer is a
/// secret: that can take the place of the name, and must not say something else.
fn read_name<'a>(reader: &mut Reader, fields: &Fields<'a>, is_required: bool) -> Option<&'a str> {
    let mut flag = |name| match fields.mended(name)? {
        Value::Bool(flag) => Some(*flag),
        other => {
            reader.wrong_type(fields.place(name), "true or false", other);
            None
        }
    };
    let several = flag(SEVERAL).map(|several| (SEVERAL, if several { "multi_select" } else { "select" }));
    let hidden = flag(HIDDEN).filter(|hidden| *hidden).map(|_| (HIDDEN, "secret"));
    let has_options = fields.present("options").is_some();
    if fields.present("answer_type").is_none() {
        match (several.filter(|_| has_options), hidden) {
            (Some((_, name)), None) => return Some(name),
            (None, Some((_, name))) if !has_options => return Some(name),
            _ => {}
        }
    }
    let name =
        if is_required { fields.required_text(reader, "answer_type") } else { fields.text(reader, "answer_type") }?;
    let is_choice = matches!(name, "select" | "multi_select");
    // A text or a number cannot be given several times.
    let several = several.filter(|(_, meant)| is_choice || *meant == "multi_select");
    for (field, meant) in several.into_iter().chain(hidden).filter(|(_, meant)| *meant != name) {
        let given = fields.sent(field).to_owned();
        reader.problem(fields.place(field), ProblemKind::AmbiguousField { given, answer_type: meant });
    }
    Some(name)
}

/// Reads the fields that the list and the single form have in common. `id`, `text` and `name` are `None` if they were wrong. `known` are all fields.
fn read_question(
    reader: &mut Reader,
    fields: &Fields<'_>,
    id: Option<&str>,
    text: Option<&str>,
    name: Option<&str>,
    known: &[&str],
) -> Option<Question> {
    let header = fields.note(reader, "header");
    let context = fields.note(reader, "context");
    let danger = fields.flag(reader, "danger", false);
    let has = |field: &str| name.is_none_or(|name| has(name, field));
    fields.warn_of_others(reader, &|field| known.contains(&field) && has(field));
    let is_not_required = match fields.mended(REQUIRED) {
        None | Some(Value::Bool(true)) => false,
        Some(Value::Bool(false)) => true,
        Some(other) => {
            reader.wrong_type(fields.place(REQUIRED), "true or false", other);
            false
        }
    };
    let optional = has("optional") && fields.flag(reader, "optional", is_not_required);
    if let (Some(Value::Bool(required)), Some(Value::Bool(given))) =
        (fields.mended(REQUIRED), fields.present("optional"))
        && required == given
    {
        fields.refuse(reader, fields.sent(REQUIRED), Some("optional"));
    }
    let placeholder = if has("placeholder") { fields.note(reader, "placeholder") } else { None };
    let answer_type = read_answer_type(reader, fields, name?)?;
    let mut question = Question::new(id.unwrap_or_default(), text.unwrap_or_default(), answer_type);
    (question.header, question.context, question.placeholder) = (header, context, placeholder);
    (question.danger, question.optional) = (danger, optional);
    let default = fields.place("default");
    reader.default(&mut question, fields.present("default"), default.clone());
    let (field, is_written) = match &question.answer_type {
        AnswerType::Schema { .. } => ("schema", fields.present("schema").is_some_and(Value::is_string)),
        _ => ("pattern", true),
    };
    let next = reader.schemas.len();
    reader.check_later(&question, fields.place(field), default);
    if let Some(unchecked) = reader.schemas.get_mut(next) {
        unchecked.written = is_written;
    }
    Some(question)
}

fn read_answer_type(reader: &mut Reader, fields: &Fields<'_>, name: &str) -> Option<AnswerType> {
    let Some(name) = ANSWER_TYPES.iter().find(|known| **known == name).copied() else {
        reader.unknown_type(fields.place("answer_type"), "answer_type", name, ANSWER_TYPES);
        return None;
    };
    let (choice, schema) = (matches!(name, "select" | "multi_select"), name == "schema");
    if !choice && fields.present("options").is_some() {
        reader.problem(fields.place("options"), ProblemKind::OptionsNotAllowed { answer_type: name });
    }
    if !schema && fields.present("schema").is_some() {
        reader.problem(fields.place("schema"), ProblemKind::SchemaNotAllowed { answer_type: name });
    }
    match name {
        "boolean" => Some(AnswerType::Boolean),
        "text" => read_text(reader, fields).map(AnswerType::Text),
        "number" => {
            let (minimum, maximum) = (fields.number(reader, "minimum"), fields.number(reader, "maximum"));
            let text = |limit: &Option<Number>| limit.as_ref().map(crate::json::text);
            fields.limits(reader, "maximum", text(&minimum), text(&maximum));
            let integer = fields.flag(reader, "integer", false);
            Some(AnswerType::Number(NumberRules { integer, minimum, maximum }))
        }
        "secret" => Some(AnswerType::Secret),
        "schema" => read_schema(reader, fields),
        _ => read_choice(reader, fields, name),
    }
}

fn read_text(reader: &mut Reader, fields: &Fields<'_>) -> Option<TextRules> {
    let (min_length, max_length) = fields.counts(reader, "min_length", "max_length");
    let pattern = fields.text(reader, "pattern").map(Schema::pattern);
    let format = match fields.text(reader, "format") {
        None => None,
        Some(name) => match Format::named(name) {
            Some(format) => Some(format),
            None => {
                const FORMATS: &str = "\"email\", \"uri\", \"date\" or \"date-time\"";
                let kind = ProblemKind::WrongType { expected: FORMATS, found: "another text" };
                reader.problem(fields.place("format"), kind);
                return None;
            }
        },
    };
    Some(TextRules { min_length, max_length, format, pattern, is_filled: false })
}

fn read_choice(reader: &mut Reader, fields: &Fields<'_>, name: &'static str) -> Option<AnswerType> {
    let path = fields.place("options");
    let other = fields.flag(reader, "other", false);
    let (minimum, maximum) = match name {
        "select" => (0, None),
        _ => fields.counts(reader, "min_selections", "max_selections"),
    };
    if fields.present("options").is_none() {
        reader.problem(path, ProblemKind::OptionsRequired { answer_type: name, near: fields.near("options") });
        return None;
    }
    let list = fields.list(reader, "options", "a list of options")?;
    let choices = reader.options(list, &path, &OPTIONS, &mut read_option)?.with_other(other);
    // "Something else" is one more.
    let most = choices.as_slice().len().saturating_add(other.into());
    fields.limits(reader, "min_selections", Some(minimum.to_string()), Some(most.to_string()));
    Some(match AnswerType::choice(choices, name == "multi_select") {
        AnswerType::MultiSelect { choices, .. } => {
            AnswerType::MultiSelect { choices, selections: Selections { minimum, maximum } }
        }
        select => select,
    })
}

/// Reads an option: a scalar, or an object.
fn read_option(reader: &mut Reader, option: &Value, path: Pointer) -> Option<Choice> {
    match option {
        Value::String(_) => return reader.plain(option, path),
        Value::Number(_) | Value::Bool(_) => return Some(Choice::of(option.clone(), crate::json::text(option))),
        Value::Null | Value::Array(_) | Value::Object(_) => {}
    }
    let mut fields = reader.object(option, path, "a text, a number, or an object with \"value\" or \"label\"")?;
    fields.mend(reader, OPTION, OPTION_FIELDS, |_, _| true)?;
    fields.refuse_essential(reader, OPTION_FIELDS, Level::Option);
    fields.warn_of_others(reader, &|name| OPTION_FIELDS.contains(&name));
    refuse_conditions(reader, &fields, OPTION_FIELDS, ConditionPlace::InOption, None);
    let value = fields.scalar(reader, "value");
    let label = fields.text(reader, "label");
    let (description, preview) = (fields.note(reader, "description"), fields.note(reader, "preview"));
    let (recommended, danger) = (fields.flag(reader, "recommended", false), fields.flag(reader, "danger", false));
    // Without a label, the value is what is shown.
    let shown = if label.is_some() { "label" } else { "value" };
    let (value, label) = match (value, label) {
        (Some(value), Some(label)) => (value.clone(), label.to_owned()),
        (Some(value), None) => (value.clone(), value.as_str().map_or_else(|| crate::json::text(value), str::to_owned)),
        (None, Some(label)) => (label.into(), label.to_owned()),
        (None, None) => {
            if fields.present("value").is_none() && fields.present("label").is_none() {
                reader.missing(&fields, "value");
            }
            return None;
        }
    };
    if look(&label).is_empty() {
        reader.problem(fields.place(shown), ProblemKind::EmptyText);
        return None;
    }
    Some(Choice { description, preview, recommended, danger, ..Choice::of(value, label) })
}

fn read_schema(reader: &mut Reader, fields: &Fields<'_>) -> Option<AnswerType> {
    let path = fields.place("schema");
    let schema = match fields.present("schema") {
        Some(Value::String(text)) => read_written(reader, text, &path)?,
        Some(schema) => schema.clone(),
        None => {
            reader.problem(path, ProblemKind::SchemaRequired { near: fields.near("schema") });
            return None;
        }
    };
    match schema {
        schema @ (Value::Object(_) | Value::Bool(_)) => Some(AnswerType::Schema { schema: Schema::unchecked(schema) }),
        other => {
            reader.wrong_type(path, "a JSON Schema (an object)", &other);
            None
        }
    }
}

/// Reads a schema that was sent as JSON text, as strict definitions of the tool ask for it. A text that is no JSON is a value of the wrong type.
fn read_written(reader: &mut Reader, text: &str, path: &Pointer) -> Option<Value> {
    let limits = reader.limits;
    let Ok(units) = crate::json::weigh_text(text, limits.bytes, limits.depth.min(Limits::MAX_DEPTH)) else {
        let what = format!("the schema is nested more than {} levels deep", limits.depth);
        reader.problem(path.clone(), ProblemKind::TooLarge { what });
        return None;
    };
    reader.charge(usize::try_from(units).unwrap_or(usize::MAX))?;
    Some(crate::json::parse(text).unwrap_or_else(|_| text.into()))
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
        Ending::Completed | Ending::TurnEnded | Ending::Expired => None,
    }
}
