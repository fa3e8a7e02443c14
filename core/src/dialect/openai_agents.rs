//! The dialect `openai_agents`: interruptions of the OpenAI Agents SDK (`needsApproval`), as JSON. A tool approval item is answered by
//! `{"approved": …, "message": …}`; a list of them (`interruptions`) by a list in the same order, each with its call id.

use super::{
    approval::{self, Call, Ids},
    draft::{Draft, Rules, Tells},
    fields::{Fields, Reader},
    near::says_nothing,
    permit::said_of,
};
use crate::{
    json,
    outcome::{Ended, Ending, Write},
    problem::{ProblemKind, collected, object},
    question::{Decision, Scope},
    text::look,
};
use serde_json::{Map, Value};
use std::sync::Arc;

pub(super) const RULES: Rules = Rules {
    name: "openai_agents",
    tool: |_| "needs_approval",
    recognises,
    tells: Tells { request: &["interruptions"], ..Tells::NONE },
    read,
    unread: |_| Arc::new(Approvals { calls: Vec::new(), list: true }),
    own: None,
};

const ITEM: &str = "tool_approval_item";
const LIST: &str = "interruptions";
/// The fields of an item, in both notations.
const ITEM_FIELDS: &[&str] = &["rawItem", "raw_item", "toolName", "tool_name", "agent"];
/// The fields of a call that do not say what it does.
const KNOWN: &[&str] =
    &["type", "id", "name", "callId", "call_id", "status", "namespace", "providerData", "provider_data"];

/// The fields of an item that are shown elsewhere.
const OF_ITEM: &[&str] = &[
    "rawItem",
    "raw_item",
    "toolName",
    "tool_name",
    "agent",
    "tool_namespace",
    "toolNamespace",
    "tool_origin",
    "toolOrigin",
];
/// What the packages keep beside a call to know it again.
const BOOKKEEPING: &[&str] = &[
    "type",
    "id",
    "callId",
    "call_id",
    "status",
    "response_id",
    "responseId",
    "item_id",
    "itemId",
    "output_index",
    "model",
    "tool_lookup_key",
    "approval_request_id",
];

fn recognises(request: &Value) -> bool {
    request.get("type").and_then(Value::as_str) == Some(ITEM) || request.get(LIST).is_some()
}

fn read(reader: &mut Reader, request: &Map<String, Value>) -> Option<Draft> {
    let fields = Fields::root(request);
    if !fields.has_any(&[LIST]) {
        let call = item(reader, &fields);
        return Some(Draft::new(Approvals { calls: vec![call.unwrap_or_default()], list: false }));
    }
    fields.name_strays(reader, &[LIST], &[LIST, "rawItem", "toolName", "agent"]);
    let list = fields.required_list(reader, LIST)?;
    let path = fields.path.field(LIST);
    let items: Vec<_> = list.iter().enumerate().collect();
    let (mut calls, mut taken) = (Vec::new(), Ids::default());
    approval::each(reader, &items, &path, "a tool approval item (an object)", &mut |reader, fields, place| {
        let call = item(reader, fields).unwrap_or_default();
        match &call {
            Some(id) => taken.take(reader, id, fields.path.clone(), place),
            // Several without ids could not be told apart.
            None if items.len() > 1 => {
                let raw = if fields.has_any(&["raw_item"]) { "raw_item" } else { "rawItem" };
                if fields.present(raw).is_some_and(Value::is_object) {
                    let path = fields.path.field(raw).field("callId");
                    reader.problem(path, ProblemKind::MissingField { field: "callId", near: None });
                }
            }
            None => {}
        }
        calls.push(call);
    });
    approval::around_from(reader, 0, &said_of(&fields, &[], &[LIST], BOOKKEEPING))?;
    Some(Draft::new(Approvals { calls, list: true }))
}

/// Asks about the call of an item, and gives its id, if it has one.
fn item(reader: &mut Reader, fields: &Fields<'_>) -> Option<Option<String>> {
    // Python has the names in its own notation.
    let name = if fields.has_any(&["raw_item"]) { "raw_item" } else { "rawItem" };
    fields.name_strays(
        reader,
        ITEM_FIELDS,
        &["rawItem", "toolName", "agent", "providerData", "namespace", "name", "arguments", "input"],
    );
    if let (Some(one), Some(other)) = (fields.present("raw_item"), fields.present("rawItem"))
        && !json::equal(one, other)
    {
        fields.refuse(reader, "rawItem", Some("raw_item"));
    }
    let raw = fields.required(reader, name)?;
    let raw = reader.object(raw, fields.path.field(name), "the call (an object)")?;
    let tool_name = if fields.has_any(&["tool_name"]) { "tool_name" } else { "toolName" };
    // A hosted tool has its name and its arguments in what its provider has sent.
    let nothing = Map::new();
    let provider = ["providerData", "provider_data"].iter().find_map(|name| Some((*name, raw.present(name)?)));
    let provider = match provider {
        Some((name, provider)) => reader.object(provider, raw.path.field(name), "an object")?,
        None => Fields::at(&nothing, raw.path.clone()),
    };
    let is_hosted = raw.present("type").is_some_and(|kind| kind == "hosted_tool_call");
    let hosted = provider.note(reader, "name").filter(|_| is_hosted);
    let name = hosted.or_else(|| raw.note(reader, "name"));
    // The name of the item may have the namespace.
    let may_be_whole = name.is_none();
    let item_name = fields.note(reader, tool_name);
    let tool = match name.clone().or_else(|| item_name.clone()) {
        Some(tool) => tool,
        None => raw.shown_text(reader, "type")?.to_owned(),
    };
    // What tells two tools of one name apart: the namespace, or the server that has it.
    let origin = ["tool_origin", "toolOrigin"].iter().find_map(|name| fields.present(name)?.as_object());
    let server = ["server_label", "serverLabel"].iter().find_map(|name| provider.map().get(*name)?.as_str());
    let server = server.or_else(|| {
        let names = ["mcp_server_name", "mcpServerName"];
        names.iter().find_map(|name| origin?.get(*name)?.as_str())
    });
    let namespaces = [(&raw, "namespace"), (fields, "tool_namespace"), (fields, "toolNamespace")];
    let namespace = namespaces.into_iter().find_map(|(fields, name)| fields.note(reader, name));
    let owner = namespace.or_else(|| server.map(str::to_owned));
    // As the SDK shows it: a tool that is loaded late has its own name as its namespace.
    let has_owner = |owner: &str| {
        owner == tool || may_be_whole && tool.strip_prefix(owner).is_some_and(|rest| rest.starts_with('.'))
    };
    let tool = match owner.as_ref().filter(|owner| !has_owner(owner)) {
        Some(owner) => [owner, ".", &tool].concat(),
        None => tool,
    };
    let call = ["callId", "call_id", "id"].iter().find_map(|name| raw.note(reader, name));
    // A function has its arguments as text. What else says what is done, such as the action of a shell or a patch, is shown as it is.
    let mut said = raw.map().clone();
    if let Some(arguments) = provider.present("arguments").filter(|_| raw.present("arguments").is_none()) {
        said.insert("arguments".into(), arguments.clone());
    }
    let is_known = |name: &str, value: &Value| match name {
        "providerData" | "provider_data" => true,
        // One that is no plain value is not what it is known as.
        _ => KNOWN.contains(&name) && !(value.is_object() || value.is_array()),
    };
    said.retain(|name, value| !value.is_null() && !is_known(name, value));
    let arguments = match (said.len(), said.get("arguments")) {
        (1, Some(Value::String(text))) => approval::arguments(text),
        _ => Value::Object(said),
    };
    let decisions = vec![Decision::Approve, Decision::Reject];
    // What else the item and the provider say of the call.
    let mut others = said_of(fields, &[], OF_ITEM, BOOKKEEPING);
    // An origin that is only the server in the name of the tool says no more.
    let is_plain = |origin: &Map<String, Value>| {
        origin.iter().all(|(name, value)| {
            name == "type" || value.is_null() || value.as_str().is_some_and(|said| owner.as_deref() == Some(said))
        })
    };
    if origin.is_some_and(|origin| !is_plain(origin)) {
        others.extend(
            fields
                .iter()
                .filter(|(name, _)| ["tool_origin", "toolOrigin"].contains(&name.as_str()))
                .map(|(name, value)| (name.clone(), value.clone())),
        );
    }
    let is_told = |said: &String| name.as_ref().is_none_or(|name| said == name) || *said == tool;
    others.extend(item_name.filter(|said| !is_told(said)).map(|said| (tool_name.to_owned(), said.into())));
    let mut provided = said_of(&provider, &[], &[], BOOKKEEPING);
    let is_shown = |field: &str, said: &Value| match field {
        "name" => said.as_str() == name.as_deref(),
        "server_label" | "serverLabel" => said.as_str() == owner.as_deref(),
        "arguments" => raw.present("arguments").is_none_or(|own| own == said),
        _ => false,
    };
    provided.retain(|field, said| !is_shown(field, said));
    if !provided.is_empty() {
        others.insert("providerData".into(), Value::Object(provided));
    }
    reader.charge(others.values().map(json::size).sum::<u64>() as usize)?;
    let grants = Vec::new();
    Call { tool: &tool, arguments, description: None, others, decisions, schema: None, grants, reasons: true }
        .ask(reader);
    // Two agents may have a tool of one name.
    let agent = fields.present("agent");
    match agent.and_then(|agent| agent.get("name").unwrap_or(agent).as_str()).filter(|name| !look(name).is_empty()) {
        Some(agent) => {
            if let Some(question) = reader.questions.last_mut() {
                Arc::make_mut(question).header = Some(agent.to_owned());
            }
        }
        None if agent.is_some_and(|agent| !says_nothing(agent)) => {
            reader.warning(fields.place("agent"), ProblemKind::UnknownField { field: "agent".to_owned(), near: None });
        }
        None => {}
    }
    Some(call)
}

/// Writes what to give to `approve` and `reject` of the run's state.
struct Approvals {
    calls: Vec<Option<String>>,
    list: bool,
}

impl Write for Approvals {
    /// Where the form was cancelled, nothing is approved.
    fn write(&self, ended: &Ended<'_>) -> Option<Value> {
        let decisions = self.calls.iter().enumerate().map(|(place, call)| {
            let no = approval::no(ended.answer(place), ended.ending);
            let way = ended
                .answers()
                .nth(place)
                .and_then(|(question, taken)| question.answer_type.approval()?.way_taken(&taken?.answer.shown()));
            // The SDK keeps it until the run ends.
            let holds = way.filter(|way| way.scope != Scope::Once && *ended.ending == Ending::Completed);
            Value::Object(collected(&mut [
                ("callId", call.as_deref().filter(|_| self.list).map(Value::from)),
                ("approved", Some(no.is_none().into())),
                ("always", holds.map(|_| true.into())),
                ("message", no.flatten().map(Value::from)),
            ]))
        });
        let mut decisions: Vec<Value> = decisions.collect();
        if self.list && !decisions.is_empty() {
            return Some(Value::Object(object([("decisions", Value::Array(decisions))])));
        }
        decisions.pop()
    }
}
