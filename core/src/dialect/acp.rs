//! The dialect `acp`: the request `session/request_permission` of the Agent Client Protocol, versions 1 and 2, alone or as JSON-RPC. The decisions are the
//! agent's. Its elicitations are those of `mcp`.

use super::{
    approval::Ids,
    draft::{Call, Draft, Rules, Tells},
    fields::{Fields, Reader},
    permit::{Permit, Unasked, arguments, said_of, way},
    quoted::as_code,
};
use crate::{
    json,
    problem::object,
    question::{Decision, Scope, Wording},
};
use serde_json::{Map, Value};
use std::sync::Arc;

pub(super) const RULES: Rules = Rules {
    name: "acp",
    tool: |_| METHOD,
    recognises,
    tells: Tells::NONE,
    read,
    unread: |request| {
        let call = request.as_object().and_then(Call::of);
        Arc::new(Unasked { result: outcome(None), call })
    },
    own: None,
};

const METHOD: &str = "session/request_permission";
/// The fields of a request, of a tool call, and of a command.
const REQUEST: &[&str] = &["sessionId", "toolCall", "options", "title", "description", "subject"];
const CALL: &[&str] = &["toolCallId", "title", "kind", "name", "rawInput", "content", "locations"];
const SUBJECT: &[&str] = &["type", "toolCall", "command", "cwd"];
const OPTION: &[&str] = &["optionId", "name", "kind"];
const ALL: &[&str] = &[
    "params",
    "toolCall",
    "command",
    "cwd",
    "options",
    "title",
    "description",
    "subject",
    "kind",
    "name",
    "rawInput",
    "content",
    "locations",
    "optionId",
];
/// The kinds of options, and what each decides and how far it reaches.
const KINDS: &[&str] = &["allow_once", "allow_always", "reject_once", "reject_always"];
const MEANT: [(Decision, Scope); 4] = [
    (Decision::Approve, Scope::Once),
    (Decision::Approve, Scope::Always),
    (Decision::Reject, Scope::Once),
    (Decision::Reject, Scope::Always),
];

fn recognises(request: &Value) -> bool {
    let options = request.get("options").and_then(Value::as_array).into_iter().flatten();
    let is_one = |option: &Value| option.get("optionId").is_some();
    request.get("method").is_some_and(|method| method == METHOD) || options.into_iter().any(is_one)
}

fn outcome(option: Option<&str>) -> Value {
    let outcome = match option {
        Some(id) => object([("outcome", "selected".into()), ("optionId", id.into())]),
        None => object([("outcome", "cancelled".into())]),
    };
    Value::Object(object([("outcome", Value::Object(outcome))]))
}

fn read(reader: &mut Reader, request: &Map<String, Value>) -> Option<Draft> {
    let call = Call::of(request);
    let mut fields = Fields::root(request);
    if fields.has_any(&["method"]) {
        fields.name_strays(reader, &["id", "method", "params", "jsonrpc"], ALL);
        let params = fields.required(reader, "params")?;
        fields = reader.object(params, fields.path.field("params"), "the parameters (an object)")?;
    }
    fields.read_strays(reader, REQUEST, ALL, |_, _| true);
    let list = fields.required_list(reader, "options")?;
    let path = fields.place("options");
    let (mut ways, mut taken) = (Vec::with_capacity(list.len()), Ids::default());
    let mut refusal = None;
    for (place, option) in list.iter().enumerate() {
        reader.charge(json::size(option) as usize)?;
        let Some(mut option) = reader.object(option, path.item(place), "an option (an object)") else { continue };
        option.read_strays(reader, OPTION, ALL, |_, value| value.is_string());
        let more = said_of(&option, &[], OPTION, &[]);
        let (id, name) = (option.shown_text(reader, "optionId"), option.shown_text(reader, "name"));
        let given = option.required_text(reader, "kind");
        let kind = KINDS.iter().zip(MEANT).find(|(kind, _)| Some(**kind) == given);
        if let (Some(given), None) = (given, kind) {
            reader.unknown_type(option.place("kind"), "kind", given, KINDS);
        }
        if let (Some(id), Some(name), Some((_, (decision, scope)))) = (id, name, kind) {
            taken.take(reader, id, option.place("optionId"), place);
            if (decision, scope) == (Decision::Reject, Scope::Once) && refusal.is_none() {
                refusal = Some(id);
            }
            let rule = Value::Object(object([("optionId", id.into())]));
            // What is said of a choice is a part of it.
            let more = (!more.is_empty()).then(|| ["\n", &json::canonical_text(&Value::Object(more))].concat());
            let shown = [name, more.as_deref().unwrap_or_default()].concat();
            ways.push((way(id, decision, scope, rule, vec![Wording::Text(shown)]), outcome(Some(id))));
        }
    }
    let Subject { text, header, context, tool, arguments } = subject(reader, &fields)?;
    // The turn goes on where the person writes back, so the call alone is rejected, if it can be.
    Permit {
        text,
        header,
        context,
        tool: &tool,
        arguments,
        ways,
        path,
        replied: Some(outcome(refusal)),
        words: "",
        ended: Some(outcome(None)),
        call,
    }
    .ask(reader)
}

/// What the permission is for: a text, a heading, what is said of it, and what would be done.
struct Subject {
    text: Wording,
    header: Option<String>,
    context: Option<String>,
    tool: String,
    arguments: Value,
}

/// All that a request says of what would be done is shown: what is not known of a subject or of a call is among the arguments.
fn subject(reader: &mut Reader, fields: &Fields<'_>) -> Option<Subject> {
    let title = fields.note(reader, "title");
    let mut parts: Vec<String> = fields.note(reader, "description").into_iter().collect();
    let mut subject = None;
    if let Some(given) = fields.present("subject") {
        let mut given = reader.object(given, fields.place("subject"), "a subject (an object)")?;
        given.read_strays(reader, SUBJECT, ALL, |_, _| true);
        subject = Some(given);
    }
    // A call beside a subject that has its own, or is another, is one more part of what would be done.
    let around = subject
        .as_ref()
        .filter(|subject| fields.present("toolCall").is_none() || subject.present("toolCall").is_some());
    let around = around.unwrap_or(fields);
    let (mut name, mut kind, mut tool, mut done) = (None, None, None, Map::new());
    if let Some(given) = around.present("toolCall") {
        let mut call = reader.object(given, around.place("toolCall"), "a tool call (an object)")?;
        call.read_strays(reader, CALL, ALL, |_, _| true);
        reader.charge(json::size(given) as usize)?;
        (tool, kind) = (call.note(reader, "name"), call.note(reader, "kind"));
        name = call.note(reader, "title").or_else(|| tool.clone());
        done = said_of(
            &call,
            &["rawInput", "content", "locations"],
            &["title", "kind", "name"],
            &["toolCallId", "status", "sessionUpdate"],
        );
    }
    let mut more = |name: &str, said: Map<String, Value>| {
        for (field, value) in said {
            let mut place = field;
            while done.contains_key(&place) {
                place = [name, ".", &place].concat();
            }
            done.insert(place, value);
        }
    };
    if let Some(subject) = &subject {
        let known =
            ["tool_call", "command"].iter().find(|kind| subject.value("type").is_some_and(|given| given == *kind));
        let is_shown = std::ptr::eq(around, subject);
        let beside = [known.map(|_| "type"), is_shown.then_some("toolCall")];
        let beside: Vec<&str> = beside.into_iter().flatten().collect();
        reader.charge(json::size(fields.present("subject")?) as usize)?;
        more("subject", said_of(subject, &["command", "cwd"], &beside, &[]));
    }
    let mut beside = vec!["options", "title", "description", "subject"];
    if std::ptr::eq(around, fields) {
        beside.push("toolCall");
    }
    more("request", said_of(fields, &[], &beside, &["sessionId", "jsonrpc", "id", "method"]));
    if let (Some(title), Some(name)) = (&title, &name)
        && title != name
    {
        parts.insert(0, name.clone());
    }
    let is_said = |tool: &&String| title.as_ref() != Some(tool) && name.as_ref() != Some(tool);
    if let Some(tool) = tool.as_ref().filter(is_said) {
        parts.insert(0, as_code(tool));
    }
    let Some(text) = title.or(name) else {
        // Nobody can permit what is not said.
        match around.present("toolCall").and_then(Value::as_object) {
            Some(call) => reader.missing(&Fields::at(call, around.place("toolCall")), "title"),
            None => reader.missing(fields, "toolCall"),
        }
        return None;
    };
    let context = (!parts.is_empty()).then(|| parts.join("\n\n"));
    Some(Subject {
        text: Wording::Text(text),
        tool: tool.or_else(|| kind.clone()).unwrap_or_default(),
        header: kind,
        context,
        arguments: match done.get("rawInput") {
            // The input of the tool alone stands for itself.
            Some(input @ Value::Object(_)) if done.len() == 1 => input.clone(),
            _ => arguments(done),
        },
    })
}
