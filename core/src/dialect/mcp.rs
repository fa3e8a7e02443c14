//! The dialect `mcp`: elicitation of the Model Context Protocol, 2025-06-18 to 2026-07-28. A server asks for a flat object of
//! simple properties, or for a URL to be opened; on its own, as a JSON-RPC request, or in an `input_required` result.

use super::{
    Draft, Rules, ToolDefinition,
    fields::{Fields, Ids, OPTIONS, QUESTIONS, Reader},
};
use crate::{
    form::{AnswerType, Choice, Choices, Format, Link, NumberRules, Question, Selections, TextRules},
    outcome::{Ending, Outcome},
    problem::{Pointer, ProblemKind, collected, object},
    schema::Schema,
};
use serde_json::{Map, Value, json};

pub(super) const RULES: Rules = Rules { name: "mcp", tool: "elicitation/create", recognises, read, write };

const METHOD: &str = "elicitation/create";
const MODES: &[&str] = &["form", "url"];

fn recognises(request: &Value) -> bool {
    let has = |name: &str| request.get(name).is_some();
    let inner = request.get("result").is_some_and(|result| result.get("inputRequests").is_some());
    let input = has("inputRequests") || request.get("resultType").is_some_and(|kind| kind == "input_required");
    has("method") || has("requestedSchema") || input || inner || (has("mode") && has("message"))
}

/// One elicitation, as it was read: what the server says, and the names of the properties, `None` in url mode.
struct Elicitation<'a> {
    message: Option<&'a str>,
    names: Option<Vec<Value>>,
}

fn read(reader: &mut Reader, request: &Map<String, Value>) -> Option<Draft> {
    let mut fields = Fields::root(request);
    if let Some(Value::Object(result)) = fields.present("result") {
        fields = Fields::at(result, fields.path.field("result"));
    }
    if fields.has_any(&["inputRequests", "resultType"]) {
        return read_input_required(reader, &fields);
    }
    let mut ids = Ids::default();
    let elicitation = if fields.has_any(&["method", "jsonrpc"]) {
        read_call(reader, &fields, &mut ids, "url")?
    } else {
        read_params(reader, &fields, &mut ids, "url")?
    };
    let message = elicitation.message.filter(|_| elicitation.names.is_some()).map(str::to_owned);
    let mut kept = object([("asked", Value::Array(vec![asked("", elicitation)]))]);
    if fields.has_any(&["jsonrpc"]) {
        fields.required(reader, "id");
        kept.insert("id".into(), fields.scalar(reader, "id").cloned().unwrap_or_default());
    }
    Some(draft(reader, message, kept))
}

/// Several requests of a server at once: its elicitations are for the person, one after the other; others for the host.
fn read_input_required(reader: &mut Reader, fields: &Fields<'_>) -> Option<Draft> {
    let path = fields.path.field("inputRequests");
    let (mut ids, mut kept, mut bare) = (Ids::default(), Vec::new(), Vec::new());
    if let Some(requests) = fields.present("inputRequests") {
        let requests = reader.object(requests, path.clone(), "an object of requests by name")?;
        for (key, request) in requests.iter() {
            let Some(request) = reader.object(request, path.field(key), "a request (an object)") else { continue };
            if request.present("method").and_then(Value::as_str) != Some(METHOD) {
                continue;
            }
            let first = reader.questions.len();
            let Some(elicitation) = read_call(reader, &request, &mut ids, key) else { continue };
            // What a server says stands above its own questions; where it only asks for consent, above the review.
            if let (Some(message), Some(names)) = (elicitation.message, &elicitation.names) {
                if names.is_empty() {
                    bare.push(message);
                }
                for question in reader.questions.iter_mut().skip(first) {
                    question.message = Some(message.to_owned());
                }
            }
            kept.push(asked(key, elicitation));
        }
    }
    if kept.is_empty() && reader.problems.is_empty() {
        reader.problem(path, ProblemKind::EmptyQuestions);
    }
    let mut kept = object([("inputs", true.into()), ("asked", Value::Array(kept))]);
    if let Some(state) = fields.value("requestState") {
        kept.insert("state".into(), state.clone());
    }
    let message = (!bare.is_empty()).then(|| bare.join("\n\n"));
    let consent = message.is_some();
    let draft = draft(reader, message, kept);
    Some(Draft { review: draft.review || consent, ..draft })
}

/// People must be able to look over and change what they send; a single question is its own review.
fn draft(reader: &Reader, message: Option<String>, kept: Map<String, Value>) -> Draft {
    let review = reader.questions.len() != 1;
    Draft { review, message, names_asker: true, ..Draft::keeping(Value::Object(kept)) }
}

/// What is kept of one elicitation: the name of its request, and the names of its properties.
fn asked(key: &str, elicitation: Elicitation<'_>) -> Value {
    Value::Object(object([("key", key.into()), ("names", elicitation.names.map(Value::Array).unwrap_or_default())]))
}

/// A request with a method and its parameters.
fn read_call<'a>(reader: &mut Reader, fields: &Fields<'a>, ids: &mut Ids, id: &str) -> Option<Elicitation<'a>> {
    let method = fields.required_text(reader, "method")?;
    if method != METHOD {
        reader.unknown_type(fields.path.field("method"), method, &[METHOD]);
        return None;
    }
    let params = fields.required(reader, "params")?;
    let params = reader.object(params, fields.path.field("params"), "the parameters (an object)")?;
    read_params(reader, &params, ids, id)
}

/// The parameters; `id` is that of the question in url mode.
fn read_params<'a>(reader: &mut Reader, fields: &Fields<'a>, ids: &mut Ids, id: &str) -> Option<Elicitation<'a>> {
    let message = fields.shown_text(reader, "message");
    match fields.text(reader, "mode") {
        None | Some("form") => Some(Elicitation { message, names: Some(read_form(reader, fields, ids)?) }),
        Some("url") => {
            match Link::read(fields.required_text(reader, "url")?) {
                Ok(link) => {
                    let question = Question::new(ids.of(id), message.unwrap_or_default(), AnswerType::Url(link));
                    reader.ask(question, fields.path.clone());
                }
                Err(fault) => reader.problem(fields.path.field("url"), ProblemKind::UnsafeUrl(fault)),
            }
            Some(Elicitation { message, names: None })
        }
        Some(given) => {
            reader.unknown_type(fields.path.field("mode"), given, MODES);
            None
        }
    }
}

/// Asks for each property of a schema, and gives their names.
fn read_form(reader: &mut Reader, fields: &Fields<'_>, ids: &mut Ids) -> Option<Vec<Value>> {
    let schema = fields.required(reader, "requestedSchema")?;
    let schema = reader.object(schema, fields.path.field("requestedSchema"), "a JSON Schema (an object)")?;
    if let Some(kind) = schema.present("type").filter(|kind| *kind != "object") {
        reader.wrong_type(schema.path.field("type"), "\"object\"", kind);
    }
    let required = schema.list(reader, "required", "a list of names").unwrap_or_default();
    for (place, name) in required.iter().enumerate() {
        if !name.is_string() {
            reader.wrong_type(schema.path.field("required").item(place), "the name of a property", name);
        }
    }
    let path = schema.path.field("properties");
    let properties = schema.required(reader, "properties")?;
    let properties = reader.object(properties, path.clone(), "an object of properties by name")?;
    let (limit, found) = (reader.limits.questions.unwrap_or(QUESTIONS), properties.iter().count());
    if found > limit {
        reader.problem(path, ProblemKind::TooManyQuestions { limit, found });
        return None;
    }
    let mut names = Vec::with_capacity(found);
    for (name, property) in properties.iter() {
        let path = path.field(name);
        if let Some(mut question) = read_property(reader, name, property, &path, ids.of(name)) {
            question.optional = !required.iter().any(|required| required == name);
            reader.ask(question, path);
            names.push(name.as_str().into());
        }
    }
    Some(names)
}

fn read_property(reader: &mut Reader, name: &str, property: &Value, path: &Pointer, id: String) -> Option<Question> {
    let mut question = Question::new("", if name.trim().is_empty() { &id } else { name }, schema_type(property));
    question.id = id;
    if !property.is_boolean() {
        let fields = reader.object(property, path.clone(), "a JSON Schema (an object)")?;
        if let Some(title) = fields.note(reader, "title") {
            question.text = title;
        }
        question.context = fields.note(reader, "description");
        question.answer_type = read_type(reader, &fields, property)?;
        reader.default(&mut question, fields.present("default"), path.field("default"));
    }
    reader.check_later(&question, path.clone(), path.field("default"));
    Some(question)
}

/// What the answer to a property is. One that is not among the simple kinds is answered as JSON.
fn read_type(reader: &mut Reader, fields: &Fields<'_>, property: &Value) -> Option<AnswerType> {
    // Each kind has keywords of its own; with any other that restricts the value, it is no simple kind.
    let plain = |beyond: &[&str]| !fields.has_any(OTHER_KEYWORDS) && !fields.has_any(beyond);
    let kind = fields.value("type").and_then(Value::as_str);
    match kind {
        Some("boolean") if plain(&["enum", "oneOf"]) => Some(AnswerType::Boolean),
        Some("number" | "integer")
            if plain(&["enum", "oneOf", "multipleOf", "exclusiveMinimum", "exclusiveMaximum"]) =>
        {
            let (minimum, maximum) = (fields.number(reader, "minimum"), fields.number(reader, "maximum"));
            Some(AnswerType::Number(NumberRules { integer: kind == Some("integer"), minimum, maximum }))
        }
        Some("string") if plain(&["enum", "oneOf"]) => Some(AnswerType::Text(read_text(reader, fields))),
        Some("array")
            if plain(&["enum", "oneOf", "prefixItems", "contains", "additionalItems", "unevaluatedItems"]) =>
        {
            read_selection(reader, fields, property)
        }
        Some("string" | "number" | "integer") | None if plain(&[]) && fields.has_any(&["enum", "oneOf"]) => {
            match read_choices(reader, fields, kind) {
                Listed::Choices(choices) => choices.map(AnswerType::Select),
                Listed::Otherwise => Some(schema_type(property)),
            }
        }
        _ => Some(schema_type(property)),
    }
}

/// Keywords of JSON Schema that restrict a value of any type.
const OTHER_KEYWORDS: &[&str] =
    &["allOf", "anyOf", "not", "if", "const", "$ref", "$dynamicRef", "$recursiveRef", "$defs", "definitions"];

fn schema_type(property: &Value) -> AnswerType {
    AnswerType::Schema(Schema::unchecked(property.clone()))
}

fn read_text(reader: &mut Reader, fields: &Fields<'_>) -> TextRules {
    let pattern = fields.text(reader, "pattern").map(|pattern| {
        Schema::unchecked(Value::Object(object([("type", "string".into()), ("pattern", pattern.into())])))
    });
    TextRules {
        min_length: fields.count(reader, "minLength").unwrap_or_default(),
        max_length: fields.count(reader, "maxLength"),
        // A format that is not among those of the protocol says what is meant, and restricts nothing.
        format: fields.text(reader, "format").and_then(Format::named),
        pattern,
    }
}

fn read_selection(reader: &mut Reader, fields: &Fields<'_>, property: &Value) -> Option<AnswerType> {
    let Some(Value::Object(items)) = fields.value("items") else { return Some(schema_type(property)) };
    let items = Fields::at(items, fields.path.field("items"));
    let kind = items.value("type").and_then(Value::as_str);
    let beyond = |keyword: &&&str| **keyword != "anyOf" && items.has_any(&[**keyword]);
    if OTHER_KEYWORDS.iter().find(beyond).is_some() || !items.has_any(&["enum", "oneOf", "anyOf"]) {
        return Some(schema_type(property));
    }
    let choices = match read_choices(reader, &items, kind) {
        Listed::Choices(choices) => choices,
        Listed::Otherwise => return Some(schema_type(property)),
    };
    let minimum = fields.count(reader, "minItems").unwrap_or_default();
    let selections = Selections { minimum, maximum: fields.count(reader, "maxItems") };
    Some(AnswerType::MultiSelect(choices?, selections))
}

/// What a list of values is.
enum Listed {
    /// Options, or what is wrong with them has been noted.
    Choices(Option<Choices>),
    /// Nothing that could be chosen from.
    Otherwise,
}

/// The options of `enum` (with the older `enumNames`), or of `oneOf` or `anyOf` with `const` and `title`.
fn read_choices(reader: &mut Reader, fields: &Fields<'_>, kind: Option<&str>) -> Listed {
    let fits = |value: &Value| match kind {
        Some("string") => value.is_string(),
        Some("number" | "integer") => value.is_number(),
        Some(_) => false,
        None => matches!(value, Value::String(_) | Value::Number(_) | Value::Bool(_)),
    };
    let mut found = None;
    for name in ["enum", "oneOf", "anyOf"] {
        match (fields.value(name), found) {
            (None, _) => {}
            (Some(Value::Array(list)), None) => found = Some((name, list)),
            (Some(_), _) => return Listed::Otherwise,
        }
    }
    let Some((name, list)) = found else { return Listed::Otherwise };
    let path = fields.path.field(name);
    let value = |option: &Value| if name == "enum" { Some(option.clone()) } else { option.get("const").cloned() };
    if !list.iter().all(|option| value(option).is_some_and(|value| fits(&value))) {
        return Listed::Otherwise;
    }
    let names = fields.list(reader, "enumNames", "a list of texts").filter(|_| name == "enum").unwrap_or_default();
    if !names.is_empty() && names.len() != list.len() {
        let kind = ProblemKind::LengthMismatch { options: list.len(), descriptions: names.len() };
        reader.problem(fields.path.field("enumNames"), kind);
    }
    let mut names = names.iter();
    Listed::Choices(reader.options(list, &path, &OPTIONS, &mut |_, option, _| {
        let value = value(option)?;
        let text = |value: Option<&Value>| match value {
            Some(Value::String(text)) if !text.trim().is_empty() => Some(text.clone()),
            _ => None,
        };
        let label = text(names.next()).or_else(|| text(option.get("title"))).or_else(|| text(Some(&value)));
        let label = label.unwrap_or_else(|| value.to_string());
        Some(Choice { value, label, description: text(option.get("description")), preview: None })
    }))
}

fn write(outcome: &Outcome<'_>) -> Option<Value> {
    let envelope = outcome.form().envelope.as_object()?;
    let asked = envelope.get("asked")?.as_array()?;
    let (mut results, mut only) = (Map::new(), None);
    let mut answers = outcome.answers();
    for asked in asked {
        let mut content = Map::new();
        let names = asked.get("names").and_then(Value::as_array);
        for name in names.map_or(&[Value::Null][..], Vec::as_slice) {
            match (name.as_str(), answers.next()) {
                (Some(name), Some((question, Some(answer)))) if !(question.optional && answer.is_empty()) => {
                    content.insert(name.to_owned(), answer.shown());
                }
                _ => {}
            }
        }
        let result = result(outcome.ending(), names.map(|_| content));
        results.insert(asked.get("key").and_then(Value::as_str).unwrap_or_default().to_owned(), result.clone());
        only = Some(result);
    }
    Some(Value::Object(match (envelope.contains_key("inputs"), envelope.get("id")) {
        (true, _) => {
            let state = envelope.get("state").cloned();
            collected(&mut [("inputResponses", Some(Value::Object(results))), ("requestState", state)])
        }
        (false, Some(id)) => object([("jsonrpc", "2.0".into()), ("id", id.clone()), ("result", only?)]),
        (false, None) => return only,
    }))
}

/// The result of one elicitation.
fn result(ending: &Ending, content: Option<Map<String, Value>>) -> Value {
    let (action, content) = match ending {
        Ending::Completed => ("accept", content.map(Value::Object)),
        Ending::Replied { .. } => ("decline", None),
        // Nobody was asked, or nobody answered: the protocol has one word for both.
        Ending::TurnEnded | Ending::Failed(_) => ("cancel", None),
    };
    Value::Object(collected(&mut [("action", Some(action.into())), ("content", content)]))
}

pub(super) fn definitions() -> Vec<ToolDefinition> {
    vec![ToolDefinition {
        name: "elicit",
        description: "Ask the user of an MCP client for information, or to open a page. The result has \"action\": accept, with \
            \"content\" for a form; decline; or cancel. Only accept is consent. Never ask for a password, a key or another \
            secret in a form: use a URL for that.",
        parameters: json!({
            "type": "object",
            "properties": {
                "mode": { "type": "string", "enum": MODES, "description": "Default: form." },
                "message": { "type": "string", "description": "What is asked for, and why, as the user reads it." },
                "requestedSchema": {
                    "type": "object",
                    "description": "For form: a flat JSON Schema of simple properties, one for each thing that is asked for.",
                    "properties": {
                        "type": { "type": "string", "enum": ["object"] },
                        "properties": {
                            "type": "object",
                            "description": "By name: string (with minLength, maxLength, pattern, format: email, uri, date or \
                                date-time, or enum, or oneOf with const and title), number, integer (with minimum, \
                                maximum), boolean, or array with items.enum (with minItems, maxItems); each with title, \
                                description and default."
                        },
                        "required": { "type": "array", "items": { "type": "string" } }
                    },
                    "required": ["type", "properties"]
                },
                "url": { "type": "string", "description": "For url: the https address to open." }
            },
            "required": ["message"]
        }),
        instructions: None,
    }]
}
