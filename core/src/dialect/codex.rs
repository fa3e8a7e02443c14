//! The dialect `codex`: the tool `request_user_input` of Codex, whose questions have ids, and whose answers are lists; alone, or as the request
//! `item/tool/requestUserInput` of its app server. The server's requests for approvals are answered by one of its decisions.

use super::{
    draft::{Call, Draft, Rules, Tells},
    fields::{Fields, Reader},
    labelled::Shape,
    permit::{Permit, decision, told},
    table::{Given, Key, Said, Table},
};
use crate::{answer::Answer, json, problem::object};
use serde_json::{Map, Value};

pub(super) const RULES: Rules = Rules {
    name: "codex",
    tool: |_| "request_user_input",
    recognises: |request| TABLE.recognises(request) || approval(request).is_some(),
    tells: Tells { listed: &["isOther", "isSecret"], ..Tells::NONE },
    read,
    unread: |request| TABLE.unread(request),
};

pub(super) const FIELDS: &[&str] = &["id", "header", "question", "options", "isOther", "isSecret", "danger"];
/// The answer that means "Other". The text itself is a note.
const NONE_OF_THESE: &str = "None of the above";
const EMPTY: &str = "{\"answers\":{}}";

static TABLE: Table = Table {
    wrap: Some(("method", &["item/tool/requestUserInput"], "params")),
    telling: &["id", "isOther", "isSecret"],
    shape: Shape {
        other: ("isOther", false),
        secret: "isSecret",
        optional: true,
        notes: true,
        fields: FIELDS,
        ..Shape::PLAIN
    },
    key: Key::Field("id"),
    answer,
    replied: Said::Json(EMPTY),
    ended: Said::Json(EMPTY),
    ..Table::LIST
};

/// A request for an approval: what it is about, its decisions if it names none, and the fields that say what would be done.
struct Asks {
    method: &'static str,
    text: &'static str,
    decisions: &'static [&'static str],
    told: &'static [&'static str],
    /// The field without which nobody knows what would be done.
    needs: &'static str,
}

const APPROVALS: &[Asks] = &[
    Asks {
        method: "item/commandExecution/requestApproval",
        text: "Run this command?",
        decisions: &["accept", "acceptForSession", "decline", "cancel"],
        told: &["reason", "command", "cwd", "networkApprovalContext", "additionalPermissions"],
        needs: "command",
    },
    Asks {
        method: "item/fileChange/requestApproval",
        text: "Make these changes?",
        decisions: &["accept", "acceptForSession", "decline", "cancel"],
        told: &["reason", "changes", "grantRoot"],
        needs: "changes",
    },
    Asks {
        method: "item/permissions/requestApproval",
        text: "Grant these permissions?",
        decisions: &["turn", "session", "decline"],
        told: &["reason", "permissions", "cwd"],
        needs: "permissions",
    },
];

/// What each decision is called for the person.
const LABELS: &[(&str, &str)] = &[
    ("accept", "Yes, this time"),
    ("acceptForSession", "Yes, and for the rest of the session"),
    ("acceptWithExecpolicyAmendment", "Yes, and always by this rule"),
    ("applyNetworkPolicyAmendment", "Apply this rule"),
    ("turn", "Yes, for this turn"),
    ("session", "Yes, for the rest of the session"),
    ("decline", "No"),
    ("cancel", "No, and stop"),
];

fn approval(request: &Value) -> Option<&'static Asks> {
    let method = request.get("method")?.as_str()?;
    APPROVALS.iter().find(|asks| asks.method == method)
}

fn read(reader: &mut Reader, request: &Map<String, Value>) -> Option<Draft> {
    let method = request.get("method").and_then(Value::as_str);
    match method.and_then(|method| APPROVALS.iter().find(|asks| asks.method == method)) {
        Some(asks) => ask(reader, request, asks),
        None => TABLE.read(reader, request),
    }
}

/// Asks for an approval, with the decisions that the request offers.
#[cold]
#[inline(never)]
fn ask(reader: &mut Reader, request: &Map<String, Value>, asks: &'static Asks) -> Option<Draft> {
    let root = Fields::root(request);
    let params = root.required(reader, "params")?;
    reader.charge(json::size(params) as usize)?;
    let mut fields = reader.object(params, root.path.field("params"), "the parameters (an object)")?;
    let own: Vec<_> = asks.told.iter().copied().chain(["availableDecisions", "proposedExecpolicyAmendment"]).collect();
    let all: Vec<_> = own.iter().copied().chain(["params"]).collect();
    root.name_strays(reader, &["id", "method", "params", "jsonrpc"], &all);
    fields.read_strays(reader, &own, &own, |_, _| true);
    fields.text(reader, "reason");
    // A network approval has a host in place of a command.
    if fields.present("networkApprovalContext").is_none() {
        fields.required(reader, asks.needs)?;
    }
    let is_grant = asks.decisions.contains(&"turn");
    let result = |decision: &Value| {
        Value::Object(match decision.as_str() {
            Some(scope) if is_grant => {
                let granted = fields.present("permissions").filter(|_| scope != "decline").cloned();
                let scope = if scope == "decline" { "turn" } else { scope };
                object([("permissions", granted.unwrap_or_else(|| Map::new().into())), ("scope", scope.into())])
            }
            _ => object([("decision", decision.clone())]),
        })
    };
    let offered = fields.list(reader, "availableDecisions", "a list of decisions")?;
    let mut all: Vec<Value> = offered.to_vec();
    if all.is_empty() {
        all.extend(asks.decisions.iter().map(|word| Value::from(*word)));
        if let Some(amendment) = fields.present("proposedExecpolicyAmendment") {
            let rule = object([("execpolicy_amendment", amendment.clone())]);
            let with = object([("acceptWithExecpolicyAmendment", Value::Object(rule))]);
            all.insert(1, Value::Object(with));
        }
    }
    let mut decisions = Vec::with_capacity(all.len());
    for (place, given) in all.iter().enumerate() {
        // A decision with a rule is an object with its word.
        let (word, rule) = match given {
            Value::Object(map) if map.len() == 1 => {
                map.iter().next().map(|(word, rule)| (word.as_str(), Some(rule)))?
            }
            given => (given.as_str().unwrap_or_default(), None),
        };
        let Some((_, label)) = LABELS.iter().find(|(known, _)| *known == word) else {
            let path = fields.place("availableDecisions").item(place);
            reader.unknown_type(path, "availableDecisions", &json::shown(given), asks.decisions);
            continue;
        };
        let mut choice = decision(word, label);
        if let Some(rule) = rule {
            choice.value = json::text(given).into();
            choice.description = Some(json::text(rule));
        }
        decisions.push((choice, result(given)));
    }
    let no = |words: &[&str]| {
        let found = words.iter().find(|word| all.iter().any(|one| one.as_str() == Some(word)));
        found.map(|word| result(&Value::from(*word)))
    };
    Permit {
        text: asks.text.to_owned(),
        header: None,
        context: told(&fields, asks.told),
        decisions,
        path: root.path.field("params"),
        replied: no(&["decline", "cancel"]),
        words: "",
        ended: no(&["cancel", "decline"]),
        call: Call::of(request),
    }
    .ask(reader)
}

/// The list of answers to a question, as the client of Codex sends it: what is no label is a note, and what was left empty is an empty list.
fn answer(given: &Given<'_>) -> Value {
    let note = |text: &str| format!("user_note: {text}");
    let mut list = match given.answer {
        Some(Answer::Other(text)) => vec![NONE_OF_THESE.to_owned(), note(text)],
        Some(Answer::Text(text)) if text.trim().is_empty() => Vec::new(),
        Some(Answer::Text(text)) => vec![note(text)],
        _ => given.texts(),
    };
    list.extend(given.note.map(note));
    Value::Object(object([("answers", list.into_iter().map(Value::from).collect())]))
}
