//! The dialect `codex`: the tool `request_user_input` of Codex, whose questions have ids, and whose answers are lists; alone, or as the request
//! `item/tool/requestUserInput` of its app server. The server's requests for approvals are answered by one of its decisions.

use super::{
    draft::{Call, Draft, Rules, Tells},
    fields::{Fields, Reader},
    labelled::Shape,
    permit::{Permit, arguments, way},
    table::{Given, Key, Said, Table},
};
use crate::{
    answer::Answer,
    json,
    problem::object,
    question::{Decision, Scope},
};
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
    /// What holds for the session.
    session: &'static str,
}

const APPROVALS: &[Asks] = &[
    Asks {
        method: "item/commandExecution/requestApproval",
        text: "Run this command?",
        decisions: &["accept", "acceptForSession", "decline", "cancel"],
        told: &["command", "cwd", "networkApprovalContext", "additionalPermissions"],
        needs: "command",
        session: "Run the same command without asking until this session ends",
    },
    Asks {
        method: "item/fileChange/requestApproval",
        text: "Make these changes?",
        decisions: &["accept", "acceptForSession", "decline", "cancel"],
        told: &["changes", "grantRoot"],
        needs: "changes",
        session: "Change these files without asking until this session ends",
    },
    Asks {
        method: "item/permissions/requestApproval",
        text: "Grant these permissions?",
        decisions: &["turn", "session", "decline"],
        told: &["permissions", "cwd"],
        needs: "permissions",
        session: "Grant these permissions until this session ends",
    },
];

/// What each decision means, how far it reaches, and what the person reads: nothing where that depends on what is asked.
const DECISIONS: &[(&str, Decision, Scope, &str)] = &[
    ("accept", Decision::Approve, Scope::Once, "Yes, this time"),
    ("acceptForSession", Decision::Approve, Scope::Session, ""),
    ("turn", Decision::Approve, Scope::Once, "Yes, for this turn"),
    ("session", Decision::Approve, Scope::Session, ""),
    ("decline", Decision::Reject, Scope::Once, "No"),
    ("cancel", Decision::Reject, Scope::Once, "No, and stop"),
];

/// A decision with a rule, as the person reads it: what it is, and the rule in full.
fn ruled(word: &str, rule: &Value) -> Option<(Decision, String)> {
    match word {
        "acceptWithExecpolicyAmendment" => {
            let rule = rule.get("execpolicy_amendment").unwrap_or(rule);
            let words: Option<Vec<&str>> = rule.as_array().and_then(|words| words.iter().map(Value::as_str).collect());
            let rule = words.map_or_else(|| json::text(rule), |words| words.join(" "));
            Some((Decision::Approve, ["Run commands that begin with this without asking: ", &rule].concat()))
        }
        "applyNetworkPolicyAmendment" => {
            let rule = rule.get("network_policy_amendment").unwrap_or(rule);
            let text = |name| rule.get(name).and_then(Value::as_str);
            let (decision, verb) = match text("action") {
                Some("allow") => (Decision::Approve, "Allow"),
                Some("deny") => (Decision::Reject, "Refuse"),
                _ => return None,
            };
            Some((decision, [verb, " connections to ", text("host")?, " without asking"].concat()))
        }
        _ => None,
    }
}

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
    const BESIDE: [&str; 3] = ["reason", "availableDecisions", "proposedExecpolicyAmendment"];
    let own: Vec<_> = asks.told.iter().copied().chain(BESIDE).collect();
    let all: Vec<_> = own.iter().copied().chain(["params"]).collect();
    root.name_strays(reader, &["id", "method", "params", "jsonrpc"], &all);
    fields.read_strays(reader, &own, &own, |_, _| true);
    let reason = fields.note(reader, "reason");
    // A network approval has a host in place of a command.
    if fields.present("networkApprovalContext").is_none() {
        fields.required(reader, asks.needs)?;
    }
    let is_grant = asks.decisions.contains(&"turn");
    let result = |decision: &Value| {
        Value::Object(match decision.as_str() {
            Some(scope) if is_grant => {
                let is_no = ["decline", "cancel"].contains(&scope);
                let granted = fields.present("permissions").filter(|_| !is_no).cloned();
                let scope = if is_no { "turn" } else { scope };
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
    let mut ways = Vec::with_capacity(all.len());
    for (place, given) in all.iter().enumerate() {
        // A decision with a rule is an object with its word.
        let found = match given {
            Value::Object(map) if map.len() == 1 => map.iter().next().and_then(|(word, rule)| {
                let (decision, shown) = ruled(word, rule)?;
                Some(way(&json::text(given), decision, Scope::Always, given.clone(), &shown))
            }),
            given => DECISIONS.iter().find(|(word, ..)| given == word).map(|(word, decision, scope, shown)| {
                let shown = if shown.is_empty() { asks.session } else { shown };
                way(word, *decision, *scope, given.clone(), shown)
            }),
        };
        match found {
            Some(found) => ways.push((found, result(given))),
            None => {
                let path = fields.place("availableDecisions").item(place);
                reader.unknown_type(path, "availableDecisions", &json::shown(given), asks.decisions);
            }
        }
    }
    let no = |words: &[&str]| {
        let found = words.iter().find(|word| all.iter().any(|one| one.as_str() == Some(word)));
        found.map(|word| result(&Value::from(*word)))
    };
    Permit {
        text: asks.text.to_owned(),
        header: None,
        context: reason,
        tool: "",
        arguments: arguments(&fields, asks.told),
        ways,
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
