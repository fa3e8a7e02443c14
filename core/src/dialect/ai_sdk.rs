//! The dialect `ai_sdk`: tool approvals of the AI SDK. A part of a message of the user interface (`state: "approval-requested"`), answered by what
//! `addToolApprovalResponse` takes; or a part of a model's message (`type: "tool-approval-request"`), answered by the part to send back. A message with
//! several parts (`parts`, or `content`) is answered by a list.

use super::{
    approval::{self, Call, Ids},
    draft::{Draft, Rules, Tells},
    fields::{Fields, Reader},
    near::is_same,
    permit::said_of,
};
use crate::{
    json,
    outcome::{Ended, Write},
    problem::{Pointer, ProblemKind, collected},
    question::Decision,
};
use serde_json::{Map, Value};
use std::sync::Arc;

pub(super) const RULES: Rules = Rules {
    name: "ai_sdk",
    tool: |_| "tool_approval",
    recognises,
    tells: Tells::NONE,
    read,
    unread: |_| Arc::new(Responses { asked: Vec::new(), list: true }),
    own: None,
};

const REQUEST: &str = "tool-approval-request";
/// The fields that say why the agent asks: of a part of the user interface, and of a model's message.
const REASONS: [&str; 2] = ["requestReason", "reason"];

/// The fields of a part, of its approval, and of its call.
const PART: &[&str] = &[
    "type",
    "state",
    "approval",
    "approvalId",
    "toolCall",
    "toolCallId",
    "toolName",
    "input",
    "isAutomatic",
    "requestReason",
    "reason",
];
/// The fields of a message that are named like those.
const MESSAGE: &[&str] = &["parts", "content", "type", "state"];

/// The list of parts in a message.
const LISTS: [&str; 2] = ["parts", "content"];

fn text<'a>(part: &'a Value, name: &str) -> Option<&'a str> {
    part.get(name).and_then(Value::as_str)
}

/// Whether a part asks for an approval: as a part of the user interface, or of a model's message. In another notation of its field, too: a part that asks must not
/// be left out.
fn asks(part: &Value) -> bool {
    let is_it = |(name, value): (&String, &Value)| match value.as_str() {
        Some(REQUEST) => is_same(name, "type"),
        Some("approval-requested") => is_same(name, "state"),
        _ => false,
    };
    let Some(fields) = part.as_object() else { return false };
    // One without a state has not been answered if it has an approval that says nothing.
    let is_open = || {
        let is_undecided = match fields.get("approval") {
            Some(Value::Object(approval)) => !approval.contains_key("approved"),
            Some(Value::String(text)) => text.starts_with('{'),
            // Nobody knows what it says: reading it refuses it.
            Some(Value::Array(_)) => true,
            _ => false,
        };
        is_undecided && !fields.iter().any(|(name, state)| state.is_string() && is_same(name, "state"))
    };
    // One that waits under an id, whatever its type is.
    let waits = || fields.contains_key("approvalId") && fields.get("type").is_some_and(|kind| !kind.is_string());
    (fields.iter().any(is_it) || is_open() || waits()) && !is_decided(part)
}

/// Whether a rule has decided already. Such a part is for the record.
fn is_decided(part: &Value) -> bool {
    let is_automatic = |value: &Value| value.get("isAutomatic").is_some_and(|flag| *flag == true);
    is_automatic(part) || part.get("approval").is_some_and(is_automatic)
}

fn recognises(request: &Value) -> bool {
    let has = |name: &&str| request.get(*name).and_then(Value::as_array).is_some_and(|list| list.iter().any(asks));
    asks(request) || LISTS.iter().any(has)
}

fn read(reader: &mut Reader, request: &Map<String, Value>) -> Option<Draft> {
    let mut fields = Fields::root(request);
    let Some(name) = LISTS.iter().find(|name| fields.present(name).is_some()) else {
        if fields.value("isAutomatic").is_some_and(|flag| *flag == true)
            || fields.value("approval").is_some_and(is_decided)
        {
            reader.problem(Pointer::root(), ProblemKind::EmptyQuestions);
        }
        let part = part(reader, &mut fields, (&[], &Pointer::root()));
        return Some(Draft::new(Responses { asked: part.into_iter().collect(), list: false }));
    };
    fields.name_strays(reader, MESSAGE, PART);
    // One list is read. What another one asks would be open for ever.
    if let (Some(one), Some(other)) = (fields.present(LISTS[0]), fields.present(LISTS[1]))
        && other.as_array().is_some_and(|list| list.iter().any(asks))
        && !json::equal(one, other)
    {
        fields.refuse(reader, LISTS[1], Some(LISTS[0]));
    }
    let list = fields.list(reader, name, "a list of parts")?;
    let path = fields.path.field(name);
    let asked: Vec<_> = list.iter().enumerate().filter(|(_, part)| asks(part) || !part.is_object()).collect();
    let mut all = Vec::new();
    let mut taken = Ids::default();
    approval::each(reader, &asked, &path, "a part (an object)", &mut |reader, fields, place| {
        let part = part(reader, fields, (list, &path));
        if let Some(Asked { id, .. }) = &part {
            taken.take(reader, id, fields.path.clone(), place);
        }
        all.extend(part);
    });
    Some(Draft::new(Responses { asked: all, list: true }))
}

/// Asks about the tool call of a part: one that it has, or one that stands beside it.
fn part(reader: &mut Reader, fields: &mut Fields<'_>, (beside, path): (&[Value], &Pointer)) -> Option<Asked> {
    fields.read_strays(reader, PART, PART, |field, value| match field {
        "approval" | "toolCall" | "input" => value.is_object(),
        "isAutomatic" => value.is_boolean(),
        _ => value.is_string(),
    });
    if fields.text(reader, "type") == Some(REQUEST) {
        let id = fields.required_text(reader, "approvalId");
        // A message that was stored has the call as a part of its own.
        let stored = fields.present("toolCallId").filter(|_| fields.present("toolCall").is_none()).and_then(|id| {
            reader.charge(beside.len())?;
            let is_it = |part: &&Value| text(part, "type") == Some("tool-call") && part.get("toolCallId") == Some(id);
            let place = beside.iter().rposition(|part| is_it(&part))?;
            let call = beside.get(place)?;
            // Which of two would run cannot be told.
            if let Some(first) = beside.iter().position(|part| is_it(&part) && !json::equal(part, call)) {
                let (id, first) = (id.as_str().unwrap_or_default().to_owned(), first.saturating_add(1));
                reader.problem(path.item(place), ProblemKind::DuplicateId { id, first });
            }
            Some((call, path.item(place)))
        });
        let (call, call_path) = match stored {
            Some(stored) => stored,
            None => (fields.required(reader, "toolCall")?, fields.path.field("toolCall")),
        };
        let call = reader.object(call, call_path, "a tool call (an object)")?;
        let tool = call.shown_text(reader, "toolName");
        let reason = reason(reader, &[fields, &call]);
        let by_provider = call.value("providerExecuted").is_some_and(|flag| *flag == true);
        ask(reader, &[fields, &call], tool?, reason);
        return Some(Asked { id: id?.to_owned(), of_model: true, by_provider });
    }
    let approval = fields.required(reader, "approval")?;
    let approval = reader.object(approval, fields.path.field("approval"), "an approval (an object)")?;
    let id = approval.required_text(reader, "id");
    let kind = fields.required_text(reader, "type");
    let tool = match kind?.strip_prefix("tool-") {
        Some(tool) if !tool.trim().is_empty() => Some(tool),
        _ => fields.shown_text(reader, "toolName"),
    };
    let reason = reason(reader, &[&approval, fields]);
    ask(reader, &[&approval, fields], tool?, reason);
    Some(Asked { id: id?.to_owned(), of_model: false, by_provider: false })
}

/// Why the agent asks, wherever it says so.
fn reason(reader: &mut Reader, places: &[&Fields<'_>]) -> Option<String> {
    let said = places.iter().flat_map(|fields| REASONS.map(|name| (fields, name)));
    let mut reasons: Vec<String> = Vec::new();
    for reason in said.filter_map(|(fields, name)| fields.note(reader, name)) {
        if !reasons.contains(&reason) {
            reasons.push(reason);
        }
    }
    (!reasons.is_empty()).then(|| reasons.join("\n\n"))
}

/// What says nothing of what would be done: what a part is, and what its provider keeps with it.
const ELSEWHERE: &[&str] = &[
    "approval",
    "toolCall",
    "toolName",
    "input",
    "requestReason",
    "reason",
    "providerMetadata",
    "callProviderMetadata",
    "providerOptions",
];
const BOOKKEEPING: &[&str] = &[
    "type",
    "state",
    "id",
    "approvalId",
    "toolCallId",
    "isAutomatic",
    "providerExecuted",
    "dynamic",
    "preliminary",
    "signature",
];

/// Asks about a call, which is the last of these objects, with what all of them say.
fn ask(reader: &mut Reader, said: &[&Fields<'_>], tool: &str, description: Option<String>) {
    let Some(arguments) = said.last().and_then(|call| call.required(reader, "input")).cloned() else { return };
    let decisions = vec![Decision::Approve, Decision::Reject];
    let (mut others, grants) = (Map::new(), Vec::new());
    for fields in said {
        for (name, value) in said_of(fields, &[], ELSEWHERE, BOOKKEEPING) {
            // The other object may have one of this name, which says something else.
            let is_other = others.get(&name).is_some_and(|other| *other != value);
            others.insert(if is_other { [fields.path.as_str(), "/", &name].concat() } else { name }, value);
        }
    }
    if reader.charge(others.values().map(json::size).sum::<u64>() as usize).is_none() {
        return;
    }
    Call { tool, arguments, description, others, decisions, schema: None, grants, reasons: true }.ask(reader);
}

/// An approval that was asked for.
struct Asked {
    id: String,
    /// Whether its part is one of a model's message.
    of_model: bool,
    /// Whether the model's provider runs the call: the response must say so, or it does not reach the provider.
    by_provider: bool,
}

/// Writes the responses.
struct Responses {
    asked: Vec<Asked>,
    list: bool,
}

impl Write for Responses {
    /// Where the form was cancelled, nothing is approved.
    fn write(&self, ended: &Ended<'_>) -> Option<Value> {
        let responses = self.asked.iter().enumerate().map(|(place, Asked { id, of_model, by_provider })| {
            let no = approval::no(ended.answer(place), ended.ending);
            let kind = of_model.then(|| "tool-approval-response".into());
            Value::Object(collected(&mut [
                ("type", kind),
                (if *of_model { "approvalId" } else { "id" }, Some(id.as_str().into())),
                ("approved", Some(no.is_none().into())),
                ("reason", no.flatten().map(Value::from)),
                ("providerExecuted", by_provider.then(|| true.into())),
            ]))
        });
        let mut responses: Vec<Value> = responses.collect();
        if self.list && !responses.is_empty() { Some(Value::Array(responses)) } else { responses.pop() }
    }
}
