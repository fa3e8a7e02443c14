//! The dialect `ag_ui`: interrupts of the AG-UI protocol, as a run that is finished has them (`outcome.interrupts`, or `interrupts`), answered by the list
//! `resume` of the next run. One that is about a tool call is an approval, unless its schema asks for something else; `messages` of the thread may have the call. One with a schema asks for JSON;
//! a confirmation is a yes-or-no question; anything else asks for text.

use super::{
    agents,
    approval::{self, Call, Ids},
    draft::{Draft, Rules, Tells},
    fields::{Fields, Reader},
    near::says_nothing,
    nested::Nested,
    permit::said_of,
    quoted::fenced,
};
use crate::{
    answer::Decided,
    json::{self, Numbers},
    moment::Moment,
    outcome::{Ended, Ending, Reply, Write},
    problem::{Pointer, ProblemKind, collected, object},
    question::{AnswerType, Decision, Question},
    schema::Schema,
};
use serde_json::{Map, Value};
use std::sync::Arc;

pub(super) const RULES: Rules = Rules {
    name: "ag_ui",
    tool: |_| "interrupt",
    recognises,
    tells: Tells { request: &[LIST], ..Tells::NONE },
    read,
    unread: |_| Arc::new(Resume { interrupts: Vec::new() }),
    own: None,
};

const LIST: &str = "interrupts";
/// The fields of the run, and those of an interrupt.
const ROOT: &[&str] = &["outcome", LIST, "messages"];
const INTERRUPT: &[&str] = &["id", "message", "reason", "toolCallId", "responseSchema", "expiresAt", "metadata"];
const ALL: &[&str] = &["outcome", LIST, "messages", "message", "reason", "toolCallId", "responseSchema"];
/// Those that are named where they stand in an interrupt and cannot be read.
const WITHIN: &[&str] =
    &["outcome", LIST, "messages", "message", "reason", "toolCallId", "responseSchema", "expiresAt", "metadata"];
/// What only names an interrupt.
const BOOKKEEPING: &[&str] = &["type", "runId", "threadId", "run_id", "thread_id", "node", "createdAt"];
/// What says nothing of a value.
const ANNOTATIONS: &[&str] = &["title", "description", "$schema", "$id", "$comment", "default", "examples"];
/// What a response may hold the words of a "no" in.
const WORDS: [&str; 4] = ["reason", "message", "feedback", "comment"];

/// The event by which the bridges send an interrupt beside the protocol's own.
const EVENT: &str = "on_interrupt";
/// What an interrupt in such an event may have.
const CARRIED: &[&str] = &[
    "value",
    "question",
    "questions",
    "prompt",
    "message",
    "options",
    "choices",
    "description",
    "suspendPayload",
    "toolName",
    "args",
    "resumeSchema",
];

fn recognises(request: &Value) -> bool {
    let is_event = request.get("type").is_some_and(|kind| kind == "CUSTOM");
    if is_event && request.get("name").is_some_and(|name| name == EVENT) {
        return true;
    }
    let is_outcome = |value: &Value| value.get(LIST).is_some_and(Value::is_array);
    is_outcome(request) || request.get("outcome").is_some_and(is_outcome)
}

fn read(reader: &mut Reader, request: &Map<String, Value>) -> Option<Draft> {
    let mut root = Fields::root(request);
    if root.present("name").is_some_and(|name| *name == EVENT) {
        return read_event(reader, &root);
    }
    root.read_strays(reader, ROOT, ALL, |field, value| field == "messages" && value.is_array());
    root.name_strays(reader, ROOT, &["metadata"]);
    let mut outcome = match root.present("outcome") {
        Some(outcome) => Some(reader.object(outcome, root.place("outcome"), "an outcome (an object)")?),
        None => None,
    };
    if let Some(outcome) = &mut outcome {
        outcome.read_strays(reader, &[LIST], ALL, |_, _| true);
        outcome.name_strays(reader, &[LIST], &["metadata"]);
        // One list is read. Another one beside it would be open for ever.
        if let (Some(listed), Some(beside)) = (outcome.present(LIST), root.present(LIST))
            && !says_nothing(beside)
            && !json::equal(listed, beside)
        {
            root.refuse(reader, LIST, Some("outcome"));
        }
    }
    let fields = outcome.as_ref().unwrap_or(&root);
    let list = fields.required_list(reader, LIST)?;
    let path = fields.place(LIST);
    let messages = root.list(reader, "messages", "the messages of the thread (a list)")?;
    let calls = Calls::of(messages);
    let items: Vec<_> = list.iter().enumerate().collect();
    let mut interrupts = Vec::new();
    let mut taken = Ids::default();
    approval::each(reader, &items, &path, "an interrupt (an object)", &mut |reader, fields, place| {
        let interrupt = interrupt(reader, fields, &calls);
        if let Some(interrupt) = &interrupt {
            taken.take(reader, &interrupt.id, fields.place("id"), place);
        }
        interrupts.extend(interrupt);
    });
    // They are answered together, so the first that ends is the end of all.
    let expires_at = interrupts.iter().filter_map(|one| one.expires_at.clone()).min_by_key(Moment::millis);
    let nested = || interrupts.iter().filter_map(|one| one.nested.as_ref());
    let (review, names_asker) = (nested().any(|one| one.review), nested().any(|one| one.names_asker));
    let said: Vec<&str> = nested().filter_map(|one| one.message.as_deref()).collect();
    let message = (!said.is_empty()).then(|| said.join("\n\n").into());
    Some(Draft { expires_at, review, names_asker, message, ..Draft::new(Resume { interrupts }) })
}

/// Reads the event of a bridge: its value is the interrupt, perhaps as JSON text. The result is what the run is resumed with.
#[cold]
#[inline(never)]
fn read_event(reader: &mut Reader, fields: &Fields<'_>) -> Option<Draft> {
    fields.name_strays(reader, &["type", "name", "value"], CARRIED);
    let value = fields.required(reader, "value")?;
    let path = fields.place("value");
    if !(value.is_string() || value.is_object()) {
        reader.wrong_type(path, "an interrupt (a text or an object)", value);
        return None;
    }
    let written = value.as_str().and_then(|text| json::parse(text).ok()).filter(Value::is_object);
    let raw = written.as_ref().unwrap_or(value);
    reader.charge(json::size(raw) as usize)?;
    let nested = match Carried::of_event(raw) {
        Some(carried) => {
            let first = reader.questions.len();
            let nested = carried.read(reader, &path, written.is_none())?;
            let call = raw.get("toolName").and_then(Value::as_str).zip(raw.get("args"));
            about(reader, first, None, call);
            Some(nested)
        }
        None => {
            reader.ask(shown(raw, None));
            None
        }
    };
    Some(match nested {
        Some(nested) => nested.clone().draft(Event { nested: Some(nested) }),
        None => Draft::new(Event { nested: None }),
    })
}

/// A text question about an interrupt of which only its agent knows what it means: it is shown as it is.
fn shown(raw: &Value, text: Option<String>) -> Question {
    let asked = ["question", "prompt", "message"].iter().find_map(|name| raw.get(*name)?.as_str()).or(raw.as_str());
    let asked = text.or_else(|| asked.map(str::to_owned)).filter(|text| !text.trim().is_empty());
    let is_whole = says_no_more(raw, asked.as_deref());
    let asked = asked.unwrap_or_else(|| "The agent needs an answer.".to_owned());
    let mut question = Question::new("q1", asked, AnswerType::text());
    question.context = (!is_whole).then(|| fenced(raw));
    question
}

/// Whether an interrupt says nothing besides a text that is shown.
fn says_no_more(raw: &Value, text: Option<&str>) -> bool {
    let is_it = |value: &Value| says_nothing(value) || text.is_some_and(|text| value.as_str() == Some(text));
    match raw {
        Value::Object(fields) => fields.values().all(is_it),
        raw => is_it(raw),
    }
}

/// An agent's own interrupt that a bridge carries, with the dialect that it is in.
struct Carried<'a> {
    raw: &'a Value,
    rules: &'static Rules,
}

impl<'a> Carried<'a> {
    fn of(raw: &'a Value) -> Option<Self> {
        Some(Self { raw, rules: Nested::rules(raw)? })
    }

    /// The value of an event: that of LangGraph, or what a tool of Mastra is suspended with.
    fn of_event(value: &'a Value) -> Option<Self> {
        match value.get("suspendPayload") {
            Some(_) => Self::of_mastra(value),
            None => Self::of(value),
        }
    }

    fn of_mastra(value: &'a Value) -> Option<Self> {
        let raw = value.get("suspendPayload")?;
        if value.get("toolName").is_some_and(|name| name == "ask_user") {
            return Some(Self { raw, rules: &agents::MASTRA });
        }
        Self::of(raw)
    }

    fn read(&self, reader: &mut Reader, path: &Pointer, whole: bool) -> Option<Nested> {
        Nested::read(reader, self.rules, self.raw, path, whole)
    }
}

/// What a bridge carries in the metadata of an interrupt, and its place there.
fn carried<'a>(metadata: Option<&'a Value>) -> Option<(&'a Value, &'static [&'static str], Option<Carried<'a>>)> {
    let metadata = metadata?;
    if let Some(raw) = metadata.get("langgraph").and_then(|bridge| bridge.get("raw")) {
        return Some((raw, &["langgraph", "raw"], Carried::of(raw)));
    }
    let bridge = metadata.get("mastra")?;
    Some((bridge.get("suspendPayload")?, &["mastra", "suspendPayload"], Carried::of_mastra(bridge)))
}

/// Writes what a run is resumed with.
struct Event {
    nested: Option<Nested>,
}

impl Write for Event {
    fn reordered(&self, order: &[usize]) -> Option<Arc<dyn Write>> {
        Some(Arc::new(Self { nested: Some(self.nested.as_ref()?.reordered(order)?) }))
    }

    fn reply(&self) -> Reply {
        self.nested.as_ref().map_or(Reply::WithWords, Nested::reply)
    }

    fn write(&self, ended: &Ended<'_>) -> Option<Value> {
        match (&self.nested, ended.ending) {
            (Some(nested), _) => nested.write(ended),
            (None, Ending::Completed) => Some(ended.answer(0)?.answer.shown()),
            // Any text would be an answer to its agent, which may take it for a yes.
            (None, Ending::Replied { text }) => text.as_deref().map(Value::from),
            (None, Ending::TurnEnded | Ending::Expired | Ending::Failed(_)) => None,
        }
    }
}

/// An interrupt, as its answer needs it.
struct Interrupt {
    id: String,
    /// When its agent stops waiting for the answer.
    expires_at: Option<Moment>,
    /// The place of its question. Invariant: none where it is an agent's own.
    place: usize,
    /// The agent's own interrupt.
    nested: Option<Nested>,
    /// The name of the field for words, if the response has one, and whether there must be some.
    words: Option<(&'static str, bool)>,
    /// Whether the response to an approval is a boolean.
    is_boolean: bool,
}

/// The moment in a field. A text that is none is a problem: until when the agent waits must not be lost.
#[cold]
#[inline(never)]
fn moment(reader: &mut Reader, fields: &Fields<'_>, name: &'static str) -> Option<Moment> {
    let text = fields.text(reader, name)?;
    let moment = Moment::parse(text);
    if moment.is_none() {
        reader.wrong_type(fields.place(name), "a moment (RFC 3339), such as \"2026-11-28T12:00:00Z\"", &text.into());
    }
    moment
}

fn interrupt(reader: &mut Reader, fields: &mut Fields<'_>, calls: &Calls<'_>) -> Option<Interrupt> {
    fields.read_strays(reader, INTERRUPT, WITHIN, |field, value| match field {
        "responseSchema" => true,
        "metadata" => value.is_object(),
        _ => value.is_string(),
    });
    let id = fields.required_text(reader, "id");
    let expires_at = moment(reader, fields, "expiresAt");
    let message = fields.note(reader, "message");
    let reason = fields.text(reader, "reason");
    let (place, metadata) = (reader.questions.len(), fields.present("metadata"));
    if let Some(metadata) = metadata {
        let path = fields.place("metadata");
        let metadata = reader.object(metadata, path, "metadata (an object)")?;
        for bridge in ["langgraph", "mastra"] {
            if let Some(carried) = metadata.present(bridge) {
                reader.object(carried, metadata.path.field(bridge), "what a bridge carries (an object)")?;
            }
        }
    }
    let carried = carried(metadata);
    let is_own = |rules: &Rules| fields.present("responseSchema").is_none() || rules.name == agents::MASTRA.name;
    let own = match &carried {
        Some((_, path, Some(own))) if is_own(own.rules) => Some((*path, own)),
        _ => None,
    };
    let (nested, response) = match own {
        Some((path, own)) => (Some(agents_own(reader, fields, own, path, message, calls)?), None),
        None => (None, Some(protocols_own(reader, fields, carried, message, reason, calls)?)),
    };
    let words = response.and_then(|response| response.words);
    let is_boolean = response.is_some_and(|response| response.is_boolean && response.schema.is_some());
    Some(Interrupt { id: id?.to_owned(), expires_at, place, nested, words, is_boolean })
}

/// Reads the interrupt of an agent that a bridge carries.
fn agents_own(
    reader: &mut Reader,
    fields: &Fields<'_>,
    carried: &Carried<'_>,
    path: &[&str],
    message: Option<String>,
    calls: &Calls<'_>,
) -> Option<Nested> {
    let first = reader.questions.len();
    let path = path.iter().fold(fields.place("metadata"), |path, name| path.field(name));
    reader.charge(json::size(carried.raw) as usize)?;
    let mut nested = carried.read(reader, &path, true)?;
    let call = fields.text(reader, "toolCallId").and_then(|call| calls.get(call));
    about(reader, first, fields.present("metadata"), call);
    if let (true, Some(own)) = (nested.is_empty(), &message) {
        let inner = nested.message.as_deref().filter(|inner| *inner != own);
        nested.message =
            Some([Some(own.as_str()), inner].into_iter().flatten().collect::<Vec<_>>().join("\n\n").into());
    }
    if let Some(message) = message.filter(|text| carried.raw.get("message").and_then(Value::as_str) != Some(text)) {
        let message: Arc<str> = message.into();
        for question in reader.questions.iter_mut().skip(first) {
            Arc::make_mut(question).message.get_or_insert_with(|| Arc::clone(&message));
        }
    }
    Some(nested)
}

/// What the response to an interrupt of the protocol must be.
#[derive(Clone, Copy)]
struct Response<'a> {
    schema: Option<&'a Value>,
    /// The name of the field for words, if it has one, and whether there must be some.
    words: Option<(&'static str, bool)>,
    /// Whether it is a boolean.
    is_boolean: bool,
}

/// Whether a schema has nothing but these keywords, and what says nothing of a value.
fn is_only(schema: &Value, allowed: &[&str]) -> bool {
    let known = |name: &String| allowed.contains(&name.as_str()) || ANNOTATIONS.contains(&name.as_str());
    schema.as_object().is_some_and(|schema| schema.keys().all(known))
}

/// Whether a schema says nothing but this type.
fn is_plain(schema: &Value, kind: &str) -> bool {
    schema.get("type").is_none_or(|given| given == kind) && is_only(schema, &["type"])
}

impl<'a> Response<'a> {
    fn of(schema: Option<&'a Value>, reason: Option<&str>) -> Self {
        let is_boolean = match schema {
            Some(schema) => schema.get("type").and_then(Value::as_str) == Some("boolean"),
            None => reason == Some("confirmation"),
        };
        let response = Self { schema, words: None, is_boolean };
        let words = WORDS.into_iter().find(|name| response.property(name).is_some());
        let words = words.map(|name| (name, response.required().iter().any(|required| required == name)));
        Self { words, ..response }
    }

    fn property(self, name: &str) -> Option<&'a Value> {
        self.schema?.get("properties")?.get(name)
    }

    fn required(self) -> &'a [Value] {
        let required = self.schema.and_then(|schema| schema.get("required")?.as_array());
        required.map(Vec::as_slice).unwrap_or_default()
    }

    /// Whether an approval can give it. What asks for anything else is left to a form for it.
    fn is_approval(self) -> bool {
        let Some(schema) = self.schema else { return true };
        if self.is_boolean {
            return is_plain(schema, "boolean");
        }
        let is_words = |name: &str| self.words.is_some_and(|(words, _)| words == name);
        let is_known = |(name, schema): (&String, &Value)| match name.as_str() {
            "approved" => is_plain(schema, "boolean"),
            "editedArgs" => true,
            name => is_words(name) && is_plain(schema, "string"),
        };
        let is_given = |name: &Value| name.as_str().is_some_and(|name| name == "approved" || is_words(name));
        let properties = schema.get("properties").and_then(Value::as_object);
        properties.is_some_and(|properties| properties.contains_key("approved") && properties.iter().all(is_known))
            && is_only(schema, &["type", "properties", "required", "additionalProperties"])
            && self.required().iter().all(is_given)
    }

    /// What the schema says in words of a yes.
    fn told(self, is_approval: bool) -> Map<String, Value> {
        if !(is_approval || self.is_boolean) {
            return Map::new();
        }
        let says = |schema: Option<&Value>| {
            let schema = schema?;
            let titled = schema.get("title").filter(|_| self.is_boolean);
            let said = [("title", titled), ("description", schema.get("description"))];
            let said = said.map(|(name, said)| (name, said.filter(|said| !says_nothing(said)).cloned()));
            let said: Map<String, Value> =
                said.into_iter().filter_map(|(name, said)| Some((name.to_owned(), said?))).collect();
            (!said.is_empty()).then_some(Value::Object(said))
        };
        let approved = self.property("approved").filter(|_| is_approval);
        let told = [("responseSchema", says(self.schema)), ("approved", says(approved))];
        told.into_iter().filter_map(|(name, said)| Some((name.to_owned(), said?))).collect()
    }

    /// The schema of edited arguments, if they can be checked.
    fn edit(self) -> Option<&'a Value> {
        // A reference would lead into the schema around it, so what it refers to could not be checked.
        self.property("editedArgs").filter(|schema| {
            schema.get("type").is_none_or(|kind| kind == "object")
                && (schema.get("required").is_none() || schema.get("properties").is_some())
                && !json::text(schema).as_bytes().windows(4).any(|word| word == b"$ref")
        })
    }
}

/// Reads an interrupt of the protocol: an approval of a tool call, or a question about its response.
fn protocols_own<'a>(
    reader: &mut Reader,
    fields: &Fields<'a>,
    carried: Option<(&Value, &[&str], Option<Carried<'_>>)>,
    message: Option<String>,
    reason: Option<&str>,
    calls: &Calls<'_>,
) -> Option<Response<'a>> {
    let call = fields.text(reader, "toolCallId");
    if let Some((id, first)) = call.and_then(|id| Some((id, calls.twice.get(id)?))) {
        reader
            .problem(fields.place("toolCallId"), ProblemKind::DuplicateId { id: id.to_owned(), first: first as usize });
    }
    let response = Response::of(fields.present("responseSchema"), reason);
    let is_approval = response.is_approval();
    let schema_path = fields.place("responseSchema");
    let known = call.map(|call| {
        let known = calls.get(call).or_else(|| {
            let bridge = fields.present("metadata")?.get("mastra")?;
            Some((bridge.get("toolName")?.as_str()?, bridge.get("args")?))
        });
        known.unwrap_or(("", &Value::Null))
    });
    // Many interrupts may name one call.
    reader.charge(known.map_or(0, |(_, given)| json::size(given) as usize))?;
    let known = known.map(|(tool, given)| match given {
        Value::String(text) => (tool, approval::arguments(text)),
        given => (tool, given.clone()),
    });
    let mut told = response.told(is_approval);
    // What the interrupt says in fields that are not known, and a reason that is a sentence and no code.
    told.extend(said_of(fields, &[], INTERRUPT, BOOKKEEPING));
    let reason_said = reason.filter(|reason| message.is_some() && reason.trim().contains(char::is_whitespace));
    told.extend(reason_said.map(|reason| ("reason".to_owned(), reason.into())));
    if let Some(Value::Object(metadata)) = fields.present("metadata") {
        let said = said_of(&Fields::at(metadata, fields.place("metadata")), &[], &["langgraph", "mastra"], BOOKKEEPING);
        told.extend((!said.is_empty()).then(|| ("metadata".to_owned(), Value::Object(said))));
    }
    reader.charge(told.values().map(json::size).sum::<u64>() as usize)?;
    let known = match known {
        Some((tool, arguments)) if is_approval => {
            // What a bridge carries beside it is shown, too: what would be done may stand there alone.
            let carried = carried.filter(|(raw, ..)| !says_no_more(raw, message.as_deref()));
            let beside = carried.and_then(|(raw, path, _)| Some(((*path.last()?).to_owned(), raw.clone())));
            let others = Map::from_iter(beside);
            reader.charge(others.values().map(json::size).sum::<u64>() as usize)?;
            let others = others.into_iter().chain(told).collect();
            let edit = response.edit().filter(|_| arguments.is_object());
            let edit_path = schema_path.field("properties").field("editedArgs");
            let mut decisions = vec![Decision::Approve, Decision::Reject];
            if edit.is_some() {
                decisions.insert(1, Decision::Edit);
            }
            // One that says no more than that they are an object has nothing to check.
            let schema = edit.filter(|schema| !is_only(schema, &["type"])).map(|schema| (schema.clone(), edit_path));
            let (reasons, grants) = (response.words.is_some(), Vec::new());
            Call { tool, arguments, description: message, others, decisions, schema, grants, reasons }.ask(reader);
            return Some(response);
        }
        known => known,
    };
    let answer_type = match response.schema {
        Some(schema) if is_plain(schema, "boolean") && response.is_boolean => AnswerType::Boolean,
        None if response.is_boolean => AnswerType::Boolean,
        Some(schema) => AnswerType::Schema { schema: Schema::unchecked(schema.clone()) },
        None => AnswerType::text(),
    };
    let mut question = match carried {
        // What its agent knows is shown as it is.
        Some((raw, ..)) if !raw.is_null() => shown(raw, message),
        _ => {
            let text = message.or_else(|| reason.map(str::to_owned)).filter(|text| !text.trim().is_empty());
            let text = text.unwrap_or_else(|| "The agent needs an answer.".to_owned());
            Question::new("", text, AnswerType::Boolean)
        }
    };
    question.id = reader.next_id();
    if !told.is_empty() {
        question.context = Some(approval::beside(question.context, told));
    }
    question.answer_type = answer_type;
    // The tool call of the thread that the answer is about. What a bridge carries is shown anyway.
    if let Some((tool, arguments)) = known.filter(|_| call.is_some_and(|call| calls.get(call).is_some())) {
        question.context = Some(above(question.context.as_deref(), tool, arguments));
    }
    reader.check_later(&question, schema_path, Pointer::root());
    reader.ask(question);
    Some(response)
}

/// Shows the tool call that an agent's own question is about: one of the thread, or what a bridge carries. An approval shows its own.
#[cold]
#[inline(never)]
fn about(reader: &mut Reader, first: usize, metadata: Option<&Value>, call: Option<(&str, &Value)>) {
    let Some(question) = reader.questions.get(first).filter(|one| one.answer_type.approval().is_none()) else { return };
    let carried = || {
        let bridge = metadata?.get("mastra")?;
        Some((bridge.get("toolName")?.as_str()?, bridge.get("args")?))
    };
    let Some((tool, arguments)) = call.or_else(carried).filter(|(tool, _)| *tool != "ask_user") else { return };
    let arguments = arguments.as_str().map_or_else(|| arguments.clone(), approval::arguments);
    let context = above(question.context.as_deref(), tool, arguments);
    if reader.charge(context.len()).is_some()
        && let Some(question) = reader.questions.get_mut(first)
    {
        Arc::make_mut(question).context = Some(context);
    }
}

/// The tool call that a question is about, as a block of code, and below it what the question says itself.
fn above(context: Option<&str>, tool: &str, arguments: Value) -> String {
    let call = fenced(&Value::Object(object([("name", tool.into()), ("arguments", arguments)])));
    match context {
        Some(context) => [&call, "\n\n", context].concat(),
        None => call,
    }
}

/// The tool calls of the thread.
struct Calls<'a> {
    /// The name and the arguments of each.
    calls: Vec<(&'a str, &'a Value)>,
    /// The place of each by its id; of two messages with one id, that of the last.
    places: Numbers,
    /// The ids that two different calls of one message have: which of the two would run cannot be told. Each with the place of the first, from 1.
    twice: Numbers,
}

impl<'a> Calls<'a> {
    fn of(messages: &'a [Value]) -> Self {
        let (mut calls, mut places, mut twice) = (Vec::new(), Numbers::default(), Numbers::default());
        // Python has the name in its own notation, where it is not written for the protocol.
        let list = |message: &'a Value, name: &str| message.get(name)?.as_array().filter(|list| !list.is_empty());
        let of = |message: &'a Value| list(message, "toolCalls").or_else(|| list(message, "tool_calls"));
        let lists = messages.iter().filter_map(of);
        for list in lists {
            let begin = calls.len() as u64;
            for call in list {
                let text = |value: &'a Value, name: &str| value.get(name).and_then(Value::as_str);
                let Some(function) = call.get("function") else { continue };
                if let (Some(id), Some(name)) = (text(call, "id"), text(function, "name")) {
                    let call = (name, function.get("arguments").unwrap_or(&Value::Null));
                    let first = places.get(id).filter(|first| *first >= begin);
                    if let Some(first) = first.filter(|first| calls.get(*first as usize) != Some(&call)) {
                        twice.set(id.to_owned(), first.saturating_sub(begin).saturating_add(1));
                    }
                    places.set(id.to_owned(), calls.len() as u64);
                    calls.push(call);
                }
            }
        }
        Self { calls, places, twice }
    }

    fn get(&self, id: &str) -> Option<(&'a str, &'a Value)> {
        self.calls.get(usize::try_from(self.places.get(id)?).ok()?).copied()
    }
}

/// Writes the list `resume`.
struct Resume {
    interrupts: Vec<Interrupt>,
}

impl Write for Resume {
    /// An agent's own interrupt takes words, if its dialect does. The protocol's do not.
    fn reply(&self) -> Reply {
        let takes = |one: &Interrupt| one.nested.as_ref().is_some_and(|nested| nested.reply() == Reply::WithWords);
        match self.interrupts.iter().all(takes) && !self.interrupts.is_empty() {
            true => Reply::WithWords,
            false => Reply::WithoutWords,
        }
    }

    /// Every open interrupt has an entry, as the protocol demands. Where the form was cancelled, all are cancelled. An interrupt that has expired
    /// must not be resumed.
    fn write(&self, ended: &Ended<'_>) -> Option<Value> {
        if *ended.ending == Ending::Expired {
            return None;
        }
        let entries = self.interrupts.iter().map(|interrupt| {
            let own = || {
                ended.answer(interrupt.place).filter(|_| *ended.ending == Ending::Completed).map(|taken| {
                    if taken.answer.decided().is_none() {
                        return taken.answer.shown();
                    }
                    let no = approval::no(Some(taken), ended.ending);
                    if interrupt.is_boolean {
                        return no.is_none().into();
                    }
                    let mut payload = object([("approved", no.is_none().into())]);
                    if let Some(Decided::Edited(arguments)) = taken.answer.decided() {
                        payload.insert("editedArgs".into(), arguments.clone());
                    }
                    let said = no.flatten();
                    payload.extend(interrupt.words.and_then(|(name, is_required)| {
                        let said = said.or_else(|| is_required.then(String::new))?;
                        Some((name.to_owned(), said.into()))
                    }));
                    Value::Object(payload)
                })
            };
            // What its agent reads as a refusal is an answer for the protocol.
            let payload = match &interrupt.nested {
                Some(nested) => nested.write(ended),
                None => own(),
            };
            let status = if payload.is_some() { "resolved" } else { "cancelled" };
            Value::Object(collected(&mut [
                ("interruptId", Some(interrupt.id.as_str().into())),
                ("status", Some(status.into())),
                ("payload", payload),
            ]))
        });
        Some(Value::Array(entries.collect()))
    }
}
