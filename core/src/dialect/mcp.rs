//! The dialect `mcp`: elicitation of the Model Context Protocol, versions 2025-06-18 to 2026-07-28. A server asks for a flat object of
//! simple properties, or asks the person to open a URL. The elicitation comes alone, as a JSON-RPC request, or in an `input_required` result.

use super::{
    approval,
    draft::{Call, Draft, Rules, Tells},
    fields::{Fields, Ids, QUESTIONS, Reader},
    mcp_property::{self, PROPERTY},
    mending::NAME,
    near::{is_private, is_same, says_nothing},
};
use crate::{
    answer::Answer,
    json::{self, Numbers},
    outcome::{Ended, Ending, Reply, Write},
    problem::{Pointer, ProblemKind, collected, object},
    question::{AnswerType, Link, Question, apart},
    text::look,
};
use serde_json::{Map, Value};
use std::sync::Arc;

pub(super) const RULES: Rules =
    Rules { name: "mcp", tool: |_| "elicitation/create", recognises, tells: TELLS, read, unread, own: None };
const TELLS: Tells = Tells {
    request: &["requestedSchema", "inputRequests"],
    single: &["requestedSchema", "inputRequests"],
    listed: &[],
};

const METHOD: &str = "elicitation/create";
/// How the methods begin by which a server asks its client for something. Only an elicitation asks the person.
const METHODS: &[&str] = &["elicit", "sampling/", "roots/"];
/// What LangChain calls the interrupt that has the elicitations of a tool, what goose calls a message that has one, and the code of the error that has
/// those which a server wants to be done first.
const INTERRUPT: &str = "mcp_elicitation";
const ACTION: &str = "actionRequired";
const URLS: i64 = -32042;
/// The schema, as agents in other languages than the protocol's call it.
const SNAKE: (&str, &str) = ("requestedSchema", "requested_schema");
/// The fields of an error.
const ERROR: &[&str] = &["code", "message", "data"];
/// What agents call the server that asks.
const ASKERS: [&str; 5] = ["mcp_server_name", "mcpServerName", "serverName", "server_name", "elicitationSource"];
/// What an interrupt of LangChain has, and the tool that asks among it.
const IN_INTERRUPT: &[&str] = &["type", TOOL_NAME, "requests"];
const TOOL_NAME: &str = "tool_name";
/// What they say of an elicitation beside its message.
const NOTES: [&str; 4] = ["title", "display_name", "displayName", "description"];
/// The fields of an elicitation.
const PARAMS: &[&str] = &["message", "mode", "url", "requestedSchema"];
/// What says which properties there are.
const LISTED: &[&str] = &["properties", "required"];
/// What may stand in an elicitation, and in its schema: servers have a title and a description of their own there.
const AROUND: &[&str] =
    &["message", "mode", "url", "requestedSchema", "title", "description", "_meta", "elicitationId"];
const IN_SCHEMA: &[&str] = &["type", "properties", "required", "title", "description"];
const MODES: &[&str] = &["form", "url"];
/// The id of the question in url mode, if the request has no name.
const URL: &str = "url";

fn recognises(request: &Value) -> bool {
    let has = |name: &str| request.get(name).is_some();
    let inner = request.get("result").is_some_and(|result| result.get("inputRequests").is_some());
    let input = has("inputRequests") || request.get("resultType").is_some_and(|kind| kind == "input_required");
    let method = request.get("method").and_then(Value::as_str);
    method.is_some_and(|method| METHODS.iter().any(|begin| method.starts_with(begin)))
        || has("requestedSchema")
        || input
        || inner
        || (has("mode") && has("message"))
        || request.as_object().and_then(Around::of).is_some()
}

/// What agents put around elicitations, where it is none of the protocol's.
enum Around<'a> {
    /// A list of elicitations under this name, each with a name of its own in this field.
    List(Pointer, &'a [Value], &'static str),
    /// One elicitation at this place.
    One(Pointer, &'a Map<String, Value>),
}

impl<'a> Around<'a> {
    fn of(request: &'a Map<String, Value>) -> Option<Self> {
        const TELLING: [&str; 4] = ["type", "error", "subtype", "request"];
        let may_be = TELLING.iter().chain(&ASKERS).any(|name| request.contains_key(*name));
        if may_be { Self::found(request) } else { None }
    }

    #[cold]
    #[inline(never)]
    fn found(request: &'a Map<String, Value>) -> Option<Self> {
        let says = |map: &Map<String, Value>, name: &str, word: &str| map.get(name).is_some_and(|said| said == word);
        let path = |names: &[&str]| names.iter().fold(Pointer::root(), |path, name| path.field(name));
        if says(request, "type", INTERRUPT) {
            return Some(Self::List(path(&["requests"]), request.get("requests")?.as_array()?, "key"));
        }
        if let Some(error) = request.get("error").filter(|error| error.get("code").is_some_and(|code| *code == URLS)) {
            let list = error.get("data")?.get("elicitations")?.as_array()?;
            return Some(Self::List(path(&["error", "data", "elicitations"]), list, "elicitationId"));
        }
        if says(request, "type", ACTION) {
            let data = request.get("data")?.as_object().filter(|data| says(data, "actionType", "elicitation"))?;
            return Some(Self::One(path(&["data"]), data));
        }
        if says(request, "subtype", "elicitation") {
            return Some(Self::One(Pointer::root(), request));
        }
        let inner = request.get("request").and_then(Value::as_object);
        if let Some(inner) = inner.filter(|inner| says(inner, "subtype", "elicitation")) {
            return Some(Self::One(path(&["request"]), inner));
        }
        // An elicitation that says who asks, with nothing around it.
        let is_asked = [SNAKE.0, SNAKE.1, "mode"].iter().any(|name| request.contains_key(*name));
        let says_who = ASKERS.iter().any(|name| request.contains_key(*name));
        (is_asked && says_who).then(|| Self::One(Pointer::root(), request))
    }
}

/// Writes that nobody was asked: as the result of a JSON-RPC request, if this is one.
fn unread(request: &Value) -> Arc<dyn Write> {
    let envelope = match request.get("id") {
        Some(id @ (Value::String(_) | Value::Number(_))) if request.get("jsonrpc").is_some() => {
            Envelope::Call(id.clone())
        }
        _ => Envelope::None,
    };
    Arc::new(Accepted { envelope, asked: vec![Elicitation { key: String::new(), asks: Asks::Form(Vec::new()) }] })
}

/// Writes the result of one or several elicitations, in the envelope of the request.
struct Accepted {
    envelope: Envelope,
    asked: Vec<Elicitation>,
}

/// The envelope of the elicitations.
#[derive(Clone)]
enum Envelope {
    /// None.
    None,
    /// A JSON-RPC request with this id.
    Call(Value),
    /// A control request of the Claude Agent SDK with this id.
    Control(Value),
    /// A message of goose with this id.
    Goose(Value),
    /// An interrupt of LangChain.
    Interrupt,
    /// An error of the protocol: nobody waits for a result but the host, which sends its request again.
    Urls,
    /// An `input_required` result with this state.
    Inputs(Option<Value>),
}

/// One elicitation.
#[derive(Clone)]
struct Elicitation {
    /// The name of its request among several.
    key: String,
    asks: Asks,
}

/// The subject of an elicitation.
#[derive(Clone)]
enum Asks {
    /// Properties: their names, and the indexes of their questions.
    Form(Vec<(String, usize)>),
    /// The consent to open a URL.
    Url(usize),
}

fn read(reader: &mut Reader, request: &Map<String, Value>) -> Option<Draft> {
    reader.lenient = true;
    let draft = read_request(reader, request);
    if reader.follows {
        reader.problems.lead_into(request);
        reader.warnings.lead_into(request);
    }
    draft
}

fn read_request(reader: &mut Reader, request: &Map<String, Value>) -> Option<Draft> {
    if let Some(around) = Around::of(request) {
        return read_around(reader, request, around);
    }
    let mut fields = Fields::root(request);
    if let Some(Value::Object(result)) = fields.present("result") {
        fields = Fields::at(result, fields.path.field("result"));
    }
    if fields.has_any(&["inputRequests", "resultType"]) {
        return read_input_required(reader, &fields);
    }
    let (message, asks) = if fields.has_any(&["method", "jsonrpc"]) {
        read_call(reader, &fields, &Ids::of(names(URL, fields.value("params"))), URL)?
    } else {
        read_params(reader, &fields, &Ids::of(names_in(URL, Some(fields.map()))), URL)?
    };
    let message = message.filter(|_| matches!(asks, Asks::Form(_))).map(Arc::from);
    let envelope = if fields.has_any(&["jsonrpc"]) {
        fields.required(reader, "id");
        Envelope::Call(fields.scalar(reader, "id").cloned().unwrap_or_default())
    } else {
        Envelope::None
    };
    Some(draft(reader, message, envelope, vec![Elicitation { key: String::new(), asks }]))
}

/// Reads elicitations with what an agent puts around them.
#[cold]
#[inline(never)]
fn read_around(reader: &mut Reader, request: &Map<String, Value>, around: Around<'_>) -> Option<Draft> {
    let id = |name: &str| request.get(name).cloned().unwrap_or_default();
    match around {
        Around::One(path, map) => {
            let mut fields = Fields::at(map, path);
            let given = request.get("data").and_then(|data| data.get("id")).cloned();
            let envelope = match (given, request.contains_key("request")) {
                (Some(id), _) => Envelope::Goose(id),
                (None, true) => Envelope::Control(id("request_id")),
                (None, false) => Envelope::None,
            };
            in_snake_case(&mut fields);
            let asker = asker(&fields, &ASKERS).or_else(|| asker(&Fields::root(request), &ASKERS));
            let first = reader.questions.len();
            let (message, asks) = read_params(reader, &fields, &Ids::of(names_in(URL, Some(map))), URL)?;
            let message = message.filter(|_| matches!(asks, Asks::Form(_)));
            let message = message.map(|message| match &asker {
                Some(asker) => [asker, ": ", &message].concat().into(),
                None => message.into(),
            });
            asks_for(reader, first, asker.as_deref());
            Some(draft(reader, message, envelope, vec![Elicitation { key: String::new(), asks }]))
        }
        Around::List(path, list, key) => {
            let mut all = Vec::with_capacity(list.len());
            for (place, one) in list.iter().enumerate() {
                let Some(mut fields) = reader.object(one, path.item(place), "an elicitation (an object)") else {
                    continue;
                };
                in_snake_case(&mut fields);
                if let Some(key) = fields.required_text(reader, key) {
                    all.push((key, fields));
                }
            }
            let keys: Vec<_> = all.iter().flat_map(|(key, fields)| names_in(key, Some(fields.map()))).collect();
            reader.charge(keys.iter().fold(0, |sum: usize, (key, _)| sum.saturating_add(key.len())))?;
            let ids = Ids::of(keys);
            let mut taken = approval::Ids::default();
            let envelope = if key == "key" { Envelope::Interrupt } else { Envelope::Urls };
            let mut several = Several::default();
            let first = reader.questions.len();
            for (place, (name, fields)) in all.iter().enumerate() {
                taken.take(reader, name, fields.place(key), place);
                several.read(reader, name, &mut |reader| read_params(reader, fields, &ids, name));
            }
            // The tool that asks, or why a server needs what it asks for.
            let mut root = Fields::root(request);
            if key == "key" {
                root.read_strays(reader, IN_INTERRUPT, IN_INTERRUPT, |name, _| name == TOOL_NAME);
            }
            asks_for(reader, first, named(&root, TOOL_NAME).as_deref());
            if let Some(Value::Object(error)) = root.present("error") {
                let error = Fields::at(error, root.path.field("error"));
                root.name_strays(reader, &["jsonrpc", "id", "error"], ERROR);
                error.name_strays(reader, ERROR, ERROR);
                let why = named(&error, "message").map(Arc::<str>::from);
                for question in reader.questions.iter_mut().skip(first) {
                    let question = Arc::make_mut(question);
                    question.message = question.message.take().or_else(|| why.clone());
                }
            }
            Some(several.draft(reader, path, envelope))
        }
    }
}

/// Shows who asks above each question from this place on.
fn asks_for(reader: &mut Reader, first: usize, asker: Option<&str>) {
    for question in reader.questions.iter_mut().skip(first).filter(|question| question.header.is_none()) {
        Arc::make_mut(question).header = asker.map(str::to_owned);
    }
}

/// Reads the schema under its name in snake case, if it is there.
fn in_snake_case(fields: &mut Fields<'_>) {
    if fields.has_any(&[SNAKE.1]) && !fields.has_any(&[SNAKE.0]) {
        fields.renamed.push(SNAKE);
    }
}

/// Several elicitations, which the person answers one after another.
#[derive(Default)]
struct Several {
    asked: Vec<Elicitation>,
    /// The messages of those without questions.
    bare: Vec<String>,
}

impl Several {
    #[cold]
    #[inline(never)]
    fn read(&mut self, reader: &mut Reader, key: &str, read: &mut dyn FnMut(&mut Reader) -> Option<Asked>) {
        let first = reader.questions.len();
        let Some((message, asks)) = read(reader) else { return };
        // A server's message is shown above its own questions, or above the review if there are none.
        if let (Some(message), Asks::Form(names)) = (message, &asks) {
            let shared: Arc<str> = message.as_str().into();
            for question in reader.questions.iter_mut().skip(first) {
                Arc::make_mut(question).message = Some(Arc::clone(&shared));
            }
            if names.is_empty() {
                self.bare.push(message);
            }
        }
        self.asked.push(Elicitation { key: key.to_owned(), asks });
    }

    #[cold]
    #[inline(never)]
    fn draft(self, reader: &mut Reader, path: Pointer, envelope: Envelope) -> Draft {
        if self.asked.is_empty() && reader.problems.is_empty() {
            reader.problem(path, ProblemKind::EmptyQuestions);
        }
        let message = (!self.bare.is_empty()).then(|| self.bare.join("\n\n").into());
        let consent = message.is_some();
        let draft = draft(reader, message, envelope, self.asked);
        Draft { review: draft.review || consent, ..draft }
    }
}

/// Reads several requests of a server. The person answers the elicitations one after another. The host answers the other requests.
#[cold]
#[inline(never)]
fn read_input_required(reader: &mut Reader, fields: &Fields<'_>) -> Option<Draft> {
    let path = fields.path.field("inputRequests");
    let mut several = Several::default();
    if let Some(requests) = fields.present("inputRequests") {
        let requests = reader.object(requests, path.clone(), "an object of requests by name")?;
        let named: Vec<_> = requests.iter().flat_map(|(key, request)| names(key, request.get("params"))).collect();
        // Making the ids compares the keys of the requests.
        reader.charge(named.iter().fold(0, |sum: usize, (key, _)| sum.saturating_add(key.len())))?;
        let ids = Ids::of(named);
        for (key, request) in requests.iter() {
            reader.charge(key.len().saturating_mul(2))?;
            let Some(request) = reader.object(request, path.field(key), "a request (an object)") else { continue };
            if request.required_text(reader, "method") == Some(METHOD) {
                several.read(reader, key, &mut |reader| read_call(reader, &request, &ids, key));
            }
        }
    }
    Some(several.draft(reader, path, Envelope::Inputs(fields.value("requestState").cloned())))
}

/// Whether there is a review. The protocol wants people to review and change what they send. A single question needs no further review.
fn draft(reader: &Reader, message: Option<Arc<str>>, envelope: Envelope, asked: Vec<Elicitation>) -> Draft {
    let review = reader.questions.len() != 1;
    Draft { review, message, names_asker: true, ..Draft::new(Accepted { envelope, asked }) }
}

/// Reads a request with a method and parameters.
fn read_call(reader: &mut Reader, fields: &Fields<'_>, ids: &Ids<'_>, key: &str) -> Option<Asked> {
    let method = fields.required_text(reader, "method")?;
    if method != METHOD {
        reader.unknown_type(fields.path.field("method"), "method", method, &[METHOD]);
        return None;
    }
    let params = fields.required(reader, "params")?;
    let params = reader.object(params, fields.path.field("params"), "the parameters (an object)")?;
    let asked = read_params(reader, &params, ids, key)?;
    if matches!(&asked.1, Asks::Form(names) if names.is_empty()) {
        refuse_empty(reader, fields, fields);
    }
    Some(asked)
}

/// Reads the message of a server and the subject of its elicitation.
type Asked = (Option<String>, Asks);

/// The names of the questions of an elicitation, in the group of its key: the properties, or the key itself in url mode.
fn names<'a>(key: &'a str, params: Option<&'a Value>) -> Vec<(&'a str, &'a str)> {
    names_in(key, params.and_then(Value::as_object))
}

fn names_in<'a>(key: &'a str, params: Option<&'a Map<String, Value>>) -> Vec<(&'a str, &'a str)> {
    let schema = params.and_then(|params| params.get(SNAKE.0).or_else(|| params.get(SNAKE.1))?.as_object());
    match schema.and_then(|schema| root_of(schema).unwrap_or(schema).get("properties")?.as_object()) {
        Some(properties) => properties.keys().map(|name| (key, name.as_str())).collect(),
        None => vec![(key, key)],
    }
}

/// The parameters of the request with this key.
fn read_params(reader: &mut Reader, fields: &Fields<'_>, ids: &Ids<'_>, key: &str) -> Option<Asked> {
    let message = fields.shown_text(reader, "message");
    let noted = message.and_then(|message| with_title(fields, message));
    let message = noted.as_deref().or(message);
    reader.charge(message.map_or(0, str::len))?;
    fields.name_strays(reader, AROUND, PARAMS);
    fields.name_strays(reader, AROUND, PROPERTY);
    fields.name_strays(reader, AROUND, LISTED);
    match fields.text(reader, "mode") {
        None if fields.present("url").is_some() && fields.present("requestedSchema").is_none() => {
            reader.missing(fields, "mode");
            None
        }
        None | Some("form") => {
            let names = read_form(reader, fields, ids, key)?;
            let message = message.map(|message| with_schema(reader, fields, message));
            Some((message, Asks::Form(names)))
        }
        Some("url") => read_url(reader, fields, ids.get(key, key), message),
        Some(given) => {
            reader.unknown_type(fields.path.field("mode"), "mode", given, MODES);
            None
        }
    }
}

/// An elicitation that asks the person to open an address.
#[cold]
#[inline(never)]
fn read_url(reader: &mut Reader, fields: &Fields<'_>, id: String, message: Option<&str>) -> Option<Asked> {
    let place = reader.questions.len();
    if let Some(schema) = fields.present("requestedSchema").filter(|schema| !says_nothing(schema)) {
        reader.charge(json::size(schema) as usize)?;
        let field = fields.sent("requestedSchema").to_owned();
        reader.warning(fields.place("requestedSchema"), ProblemKind::UnknownField { field, near: None });
    }
    match Link::read(fields.required_text(reader, "url")?) {
        Ok(link) => {
            reader.may_ask(place.saturating_add(1), QUESTIONS, fields.path.field("url"));
            reader.ask(Question::new(id, message.unwrap_or_default(), AnswerType::Url(link)));
        }
        Err(fault) => reader.problem(fields.path.field("url"), ProblemKind::UnsafeUrl(fault)),
    }
    Some((message.map(str::to_owned), Asks::Url(place)))
}

/// Who asks, as an agent says it: a text, or else JSON.
fn named(fields: &Fields<'_>, name: &str) -> Option<String> {
    let value = fields.present(name).filter(|value| !says_nothing(value))?;
    Some(value.as_str().map_or_else(|| json::text(value), str::to_owned))
}

/// Who asks, by the first of these fields that says so, in any notation.
fn asker(fields: &Fields<'_>, names: &[&str]) -> Option<String> {
    let like = |name: &&str| fields.map().keys().find(|given| is_same(given, name));
    let exact = names.iter().find_map(|name| named(fields, name));
    exact.or_else(|| names.iter().filter_map(like).find_map(|given| named(fields, given)))
}

/// A text that an agent need not say, if it is one that says something.
fn said<'a>(fields: &Fields<'a>, name: &str) -> Option<&'a str> {
    fields.present(name).and_then(Value::as_str).filter(|text| !text.trim().is_empty())
}

/// The message with the title and the description of the elicitation. `None` if it has neither.
fn with_title(fields: &Fields<'_>, message: &str) -> Option<String> {
    if !fields.has_any(&NOTES) {
        return None;
    }
    let mut text = message.to_owned();
    for note in NOTES.iter().filter_map(|name| said(fields, name)) {
        if !text.contains(note) {
            text.push_str(&["\n\n", note].concat());
        }
    }
    Some(text)
}

/// The message of a server with what its schema says of itself.
fn with_schema(reader: &mut Reader, fields: &Fields<'_>, message: &str) -> String {
    match fields.present("requestedSchema") {
        Some(Value::Object(schema)) if schema.contains_key("title") || schema.contains_key("description") => {
            with_notes(reader, &Fields::at(schema, fields.place("requestedSchema")), message)
        }
        _ => message.to_owned(),
    }
}

/// A message with the title and the description of a schema. A title that is one word is the name of a type.
#[cold]
#[inline(never)]
fn with_notes(reader: &mut Reader, schema: &Fields<'_>, message: &str) -> String {
    let mut text = message.to_owned();
    let is_words = |text: &String| text.trim().contains(char::is_whitespace);
    let title = schema.note(reader, "title").filter(is_words);
    for note in [title, schema.note(reader, "description")].into_iter().flatten() {
        text.push_str("\n\n");
        text.push_str(&note);
    }
    text
}

/// Adds a question for each property of a schema. Returns the names of the properties and the indexes of the questions.
fn read_form(reader: &mut Reader, fields: &Fields<'_>, ids: &Ids<'_>, key: &str) -> Option<Vec<(String, usize)>> {
    let schema = fields.required(reader, "requestedSchema")?;
    let schema = reader.object(schema, fields.place("requestedSchema"), "a JSON Schema (an object)")?;
    if let Some(kind) = schema.present("type").filter(|kind| *kind != "object") {
        reader.wrong_type(schema.path.field("type"), "\"object\"", kind);
    }
    schema.name_strays(reader, IN_SCHEMA, PROPERTY);
    schema.name_strays(reader, IN_SCHEMA, LISTED);
    name_unchecked(reader, &schema);
    let root = root_of(schema.map());
    reader.follows |= root.is_some();
    let object = Fields::at(root.unwrap_or(schema.map()), schema.path.clone());
    let required = read_required(reader, &object);
    let path = schema.path.field("properties");
    let none = Map::new();
    let properties = match object.present("properties") {
        Some(properties) => reader.object(properties, path.clone(), "an object of properties by name")?,
        None => Fields::at(&none, path.clone()),
    };
    let says_no_more = || {
        object.has_only(&["type", "properties", "title", "description"])
            && fields.has_only(AROUND)
            && !object.map().contains_key("$ref")
    };
    if properties.map().is_empty() && !says_no_more() {
        refuse_empty(reader, &object, fields);
    }
    let found = reader.questions.len().saturating_add(properties.iter().count());
    if !reader.may_ask(found, QUESTIONS, path.clone()) {
        return None;
    }
    let mut names = Vec::with_capacity(found);
    for (name, property) in properties.iter() {
        reader.charge(name.len().saturating_mul(4))?;
        let path = path.field(name);
        if let Some(mut question) = mcp_property::read(reader, &schema, (name, property), &path, ids.get(key, name)) {
            question.optional = required.get(name).is_none();
            names.push((name.clone(), reader.questions.len()));
            reader.ask(question);
        }
    }
    tell_apart(reader, &names);
    Some(names)
}

/// What the schema says that the schema of an elicitation refers to as a whole: generators write one with a name so.
fn root_of(schema: &Map<String, Value>) -> Option<&Map<String, Value>> {
    if schema.contains_key("$ref") { named_root(schema) } else { None }
}

#[cold]
#[inline(never)]
fn named_root(schema: &Map<String, Value>) -> Option<&Map<String, Value>> {
    let (around, name) = schema.get("$ref")?.as_str()?.strip_prefix("#/")?.split_once('/')?;
    let defined = matches!(around, "$defs" | "definitions") && !schema.contains_key("properties");
    json::field(schema.get(around).filter(|_| defined)?.as_object()?, &Pointer::unescaped(name))?.as_object()
}

/// Refuses a schema without properties that says something of them: its form would ask for nothing. They may stand at another place, or be written in
/// another notation.
#[cold]
#[inline(never)]
fn refuse_empty(reader: &mut Reader, schema: &Fields<'_>, params: &Fields<'_>) {
    for (fields, meant) in [(schema, "properties"), (params, "requestedSchema")] {
        let is_it = |name: &str| ["properties", "schema", "requestedSchema"].iter().any(|one| is_same(name, one));
        for (given, value) in fields.iter() {
            let is_own = given == fields.sent(meant) || is_private(given) || !value.is_object() || says_nothing(value);
            if !is_own && reader.charge(NAME).is_some() && is_it(given) {
                fields.refuse(reader, given, Some(meant));
            }
        }
    }
    let says = |name: &str| schema.present(name).is_some_and(|value| !says_nothing(value));
    if ["$ref", "allOf", "anyOf", "oneOf", "required", "patternProperties"].iter().any(|name| says(name)) {
        reader.missing(schema, "properties");
    }
}

/// Tells apart the titles of properties that look alike.
fn tell_apart(reader: &mut Reader, names: &[(String, usize)]) {
    let mut seen = Numbers::default();
    let mut titles = names.iter().filter_map(|(_, place)| Some(look(&reader.questions.get(*place)?.text)));
    let is_again = |title: String| {
        let is_known = seen.get(&title).is_some();
        seen.set(title, 1);
        is_known
    };
    if titles.any(is_again) {
        name_titles(reader, names);
    }
}

#[cold]
#[inline(never)]
fn name_titles(reader: &mut Reader, names: &[(String, usize)]) {
    let values: Vec<Value> = names.iter().map(|(name, _)| name.as_str().into()).collect();
    let titles = names.iter().filter_map(|(_, place)| Some(reader.questions.get(*place)?.text.as_str()));
    let told = apart(&titles.zip(&values).collect::<Vec<_>>());
    for ((_, place), title) in names.iter().zip(told) {
        if let Some(question) = reader.questions.get_mut(*place) {
            Arc::make_mut(question).text = title;
        }
    }
}

/// The names of the required properties.
fn read_required(reader: &mut Reader, schema: &Fields<'_>) -> Numbers {
    let mut required = Numbers::default();
    let properties = schema.present("properties").and_then(Value::as_object);
    let list = schema.list(reader, "required", "a list of names").unwrap_or_default();
    for (place, name) in list.iter().enumerate() {
        match name {
            Value::String(name) => {
                if !properties.is_some_and(|properties| properties.contains_key(name)) {
                    absent(reader, schema, place, name);
                }
                required.set(name.clone(), 1);
            }
            name => reader.wrong_type(schema.path.field("required").item(place), "the name of a property", name),
        }
    }
    required
}

/// Names a required property that is not among the properties: no answer has it.
#[cold]
#[inline(never)]
fn absent(reader: &mut Reader, schema: &Fields<'_>, place: usize, name: &str) {
    if reader.charge(NAME).is_some() {
        let kind = ProblemKind::UnknownField { field: name.to_owned(), near: None };
        reader.warning(schema.path.field("required").item(place), kind);
    }
}

/// Names what a schema says of the object as a whole, beside its properties: the protocol has none of it, and the form does not check it.
fn name_unchecked(reader: &mut Reader, schema: &Fields<'_>) {
    if !schema.has_only(IN_SCHEMA) {
        name_unchecked_others(reader, schema);
    }
}

#[cold]
#[inline(never)]
fn name_unchecked_others(reader: &mut Reader, schema: &Fields<'_>) {
    schema.name_strays(reader, IN_SCHEMA, &["options", "choices", "values"]);
    for (name, value) in schema.iter().filter(|(name, _)| OF_OBJECTS.contains(&name.as_str())) {
        if reader.charge(NAME).is_some() && !says_nothing(value) {
            reader.warning(schema.path.field(name), ProblemKind::UnknownField { field: name.clone(), near: None });
        }
    }
}

/// Keywords of JSON Schema that say something of an object as a whole.
const OF_OBJECTS: &[&str] = &[
    "if",
    "then",
    "else",
    "allOf",
    "not",
    "const",
    "dependentRequired",
    "dependentSchemas",
    "dependencies",
    "minProperties",
    "maxProperties",
    "patternProperties",
    "propertyNames",
];

impl Write for Accepted {
    fn reply(&self) -> Reply {
        Reply::WithoutWords
    }

    fn write(&self, ended: &Ended<'_>) -> Option<Value> {
        let (mut results, mut only) = (Map::new(), None);
        for Elicitation { key, asks } in &self.asked {
            let content = match asks {
                Asks::Url(_) => None,
                Asks::Form(names) => {
                    let mut content = Map::new();
                    for (name, place) in names {
                        let answer = ended.answers.get(*place).and_then(Option::as_deref).map(|taken| &taken.answer);
                        // An optional property that was left empty is left out.
                        let answer = answer.filter(|answer| **answer != Answer::Empty);
                        content.extend(answer.map(|answer| (name.clone(), answer.shown())));
                    }
                    Some(content)
                }
            };
            let result = result(ended.ending, content);
            results.insert(key.clone(), result.clone());
            only = Some(result);
        }
        Some(Value::Object(match &self.envelope {
            Envelope::Inputs(state) => {
                collected(&mut [("inputResponses", Some(Value::Object(results))), ("requestState", state.clone())])
            }
            Envelope::Call(id) => object([("jsonrpc", "2.0".into()), ("id", id.clone()), ("result", only?)]),
            other @ (Envelope::Control(_) | Envelope::Goose(_) | Envelope::Interrupt | Envelope::Urls) => {
                around(other, results, only?)?
            }
            Envelope::None => return only,
        }))
    }

    fn reordered(&self, order: &[usize]) -> Option<Arc<dyn Write>> {
        let mut asked: Vec<Elicitation> = Vec::with_capacity(self.asked.len());
        // The elicitations in the order of their questions, then those without questions.
        for (place, earlier) in order.iter().enumerate() {
            let (key, name) = self.asked.iter().find_map(|Elicitation { key, asks }| match asks {
                Asks::Url(at) => (at == earlier).then_some((key, None)),
                Asks::Form(names) => names.iter().find(|(_, at)| at == earlier).map(|(name, _)| (key, Some(name))),
            })?;
            match (asked.iter_mut().find(|asked| asked.key == *key), name) {
                (Some(Elicitation { asks: Asks::Form(names), .. }), Some(name)) => names.push((name.clone(), place)),
                (_, Some(name)) => {
                    asked.push(Elicitation { key: key.clone(), asks: Asks::Form(vec![(name.clone(), place)]) });
                }
                (_, None) => asked.push(Elicitation { key: key.clone(), asks: Asks::Url(place) }),
            }
        }
        asked.extend(
            self.asked.iter().filter(|one| matches!(&one.asks, Asks::Form(names) if names.is_empty())).cloned(),
        );
        Some(Arc::new(Self { envelope: self.envelope.clone(), asked }))
    }
}

/// The results of elicitations as an agent reads them that has put something around these.
#[cold]
#[inline(never)]
fn around(envelope: &Envelope, results: Map<String, Value>, only: Value) -> Option<Map<String, Value>> {
    Some(match envelope {
        Envelope::Control(id) => {
            return Call::answered(Some(&Call::control(id.clone())), only).as_object().cloned();
        }
        Envelope::Goose(id) => {
            let data = object([
                ("actionType", "elicitationResponse".into()),
                ("id", id.clone()),
                ("user_data", only.get("content").cloned().unwrap_or_default()),
                ("action", only.get("action").cloned()?),
            ]);
            object([("type", ACTION.into()), ("data", Value::Object(data))])
        }
        Envelope::Interrupt => object([("responses", Value::Object(results))]),
        Envelope::Urls => {
            let one = |(id, result): (String, Value)| {
                let action = result.get("action").cloned().unwrap_or_default();
                Value::Object(object([("elicitationId", id.into()), ("action", action)]))
            };
            object([("elicitations", results.into_iter().map(one).collect())])
        }
        Envelope::None | Envelope::Call(_) | Envelope::Inputs(_) => return None,
    })
}

/// The result of one elicitation.
fn result(ending: &Ending, content: Option<Map<String, Value>>) -> Value {
    let (action, content) = match ending {
        Ending::Completed => ("accept", content.map(Value::Object)),
        Ending::Replied { .. } => ("decline", None),
        // The protocol has one word for all: nobody was asked, and nobody answered.
        Ending::TurnEnded | Ending::Expired | Ending::Failed(_) => ("cancel", None),
    };
    Value::Object(collected(&mut [("action", Some(action.into())), ("content", content)]))
}
