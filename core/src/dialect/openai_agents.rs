//! The dialect `openai_agents`: interruptions of the OpenAI Agents SDK (`needsApproval`), as JSON. A tool approval item is answered by
//! `{"approved": …, "message": …}`; a list of them (`interruptions`) by a list in the same order, each with its call id.

use super::{
    approval::{self, Call, Ids},
    draft::{Draft, Rules, Tells},
    fields::{Fields, Reader},
    near::says_nothing,
};
use crate::{
    json,
    outcome::{Ended, Write},
    problem::{ProblemKind, collected, object},
    question::Decision,
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
    let tool = match raw.note(reader, "name").or_else(|| fields.note(reader, tool_name)) {
        Some(tool) => tool,
        None => raw.shown_text(reader, "type")?.to_owned(),
    };
    // What tells two tools of one name apart: the namespace, or the server of a hosted one.
    let provider = ["providerData", "provider_data"].iter().find_map(|name| Some((*name, raw.present(name)?)));
    if let Some((name, other)) = provider.filter(|(_, provider)| !provider.is_object()) {
        reader.wrong_type(raw.path.field(name), "an object", other);
    }
    let provider = provider.map_or(&Value::Null, |(_, provider)| provider);
    let server = ["server_label", "serverLabel"].iter().find_map(|name| provider.get(*name)?.as_str());
    let owner = raw.note(reader, "namespace").or_else(|| server.map(str::to_owned));
    let tool = match owner {
        Some(owner) if !tool.starts_with(&format!("{owner}.")) => format!("{owner}.{tool}"),
        _ => tool,
    };
    let call = ["callId", "call_id", "id"].iter().find_map(|name| raw.note(reader, name));
    // A function has its arguments as text. What else says what is done, such as the action of a shell or a patch, is shown as it is.
    let mut said = raw.map().clone();
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
    let (others, grants) = (Map::new(), Vec::new());
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
            Value::Object(collected(&mut [
                ("callId", call.as_deref().filter(|_| self.list).map(Value::from)),
                ("approved", Some(no.is_none().into())),
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
