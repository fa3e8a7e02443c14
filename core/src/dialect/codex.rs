//! The dialect `codex`: the tool `request_user_input` of Codex, whose questions have ids, and whose answers are lists; alone, or as the request
//! `item/tool/requestUserInput` of its app server. The server's requests for approvals are answered by one of its decisions.

use super::{
    draft::{Call, Draft, Rules, Tells},
    fields::{Fields, Reader},
    labelled::Shape,
    near::says_nothing,
    permit::{Permit, arguments, said_of, way},
    quoted::in_sentence,
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
    own: None,
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

/// A request for an approval: what it is about, its decisions, and the fields that say what would be done.
struct Asks {
    method: &'static str,
    text: &'static str,
    decisions: &'static [&'static str],
    /// Where the request does not say which of them it offers, it offers all.
    told: &'static [&'static str],
    /// The fields of which one says what would be done: without them, nobody knows.
    needs: &'static [&'static str],
    /// What holds for the session.
    session: &'static str,
}

const APPROVALS: &[Asks] = &[
    Asks {
        method: "item/commandExecution/requestApproval",
        text: "Run this command?",
        decisions: &["accept", "acceptForSession", "decline", "cancel"],
        told: &["command", "cwd", "networkApprovalContext", "additionalPermissions"],
        // A network approval has a host in place of a command.
        needs: &["command", "networkApprovalContext"],
        session: "Run the same command without asking until this session ends",
    },
    Asks {
        method: "item/fileChange/requestApproval",
        text: "Make these changes?",
        decisions: &["accept", "acceptForSession", "decline", "cancel"],
        told: &["changes", "grantRoot"],
        needs: &["changes"],
        session: "Change these files without asking until this session ends",
    },
    Asks {
        method: "item/permissions/requestApproval",
        text: "Grant these permissions?",
        decisions: &["turn", "session", "decline"],
        told: &["permissions", "cwd"],
        needs: &["permissions"],
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

/// What of a request is shown elsewhere than among what would be done.
const ELSEWHERE: &[&str] =
    &["reason", "availableDecisions", "proposedExecpolicyAmendment", "proposedNetworkPolicyAmendments"];
/// Whose request it is.
const BESIDE: &[&str] = &["threadId", "turnId", "itemId", "approvalId", "startedAtMs"];
/// The server's reading of the command.
const ACTIONS: &str = "commandActions";

/// A decision with a rule, as the person reads it: what it is, and the rule in full. A rule that has more than is known is shown as its JSON.
fn ruled(word: &str, given: &Value) -> Option<(Decision, String)> {
    // The rule itself, or an object with nothing but the rule.
    let alone = |name| given.as_object().filter(|map| map.len() == 1).and_then(|map| map.get(name));
    let whole = |what: &str| [what, &json::canonical_text(given)].concat();
    match word {
        "acceptWithExecpolicyAmendment" => {
            const BEGINS: &str = "Run commands that begin with this without asking: ";
            let words = alone("execpolicy_amendment").unwrap_or(given).as_array();
            let words: Option<Vec<&str>> = words.and_then(|words| words.iter().map(Value::as_str).collect());
            let shown = match words.as_deref() {
                Some([]) => "Run every command without asking".to_owned(),
                Some(words) => {
                    let words: Vec<String> = words.iter().map(|word| in_sentence(word)).collect();
                    [BEGINS, &words.join(" ")].concat()
                }
                None => whole(BEGINS),
            };
            Some((Decision::Approve, shown))
        }
        "applyNetworkPolicyAmendment" => {
            let rule = given.get("network_policy_amendment").unwrap_or(given);
            let text = |name| rule.get(name).and_then(Value::as_str);
            let (decision, verb) = match text("action") {
                Some("allow") => (Decision::Approve, "Allow"),
                Some("deny") => (Decision::Reject, "Refuse"),
                _ => return None,
            };
            let is_known =
                alone("network_policy_amendment").unwrap_or(given).as_object().is_some_and(|map| map.len() == 2);
            let shown = match text("host").filter(|host| is_known && !host.is_empty()) {
                Some(host) => [verb, " connections to ", &in_sentence(host), " without asking"].concat(),
                None => whole(&[verb, " connections without asking: "].concat()),
            };
            Some((decision, shown))
        }
        _ => None,
    }
}

/// What a session keeps of a command's request, by the field that the request is about.
const SESSION: &[(&str, &str)] = &[
    ("networkApprovalContext", "Allow connections to this host without asking until this session ends"),
    ("additionalPermissions", "Allow these permissions without asking until this session ends"),
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
    let own: Vec<_> = asks.told.iter().chain(ELSEWHERE).chain(BESIDE).copied().chain([ACTIONS]).collect();
    let all: Vec<_> = own.iter().copied().chain(["params"]).collect();
    root.name_strays(reader, &["id", "method", "params", "jsonrpc"], &all);
    fields.read_strays(reader, &own, &own, |_, _| true);
    let reason = fields.note(reader, "reason");
    let says = |name: &&str| fields.present(name).is_some_and(|value| !says_nothing(value));
    if !asks.needs.iter().any(says) {
        reader.missing(&fields, asks.needs.first()?);
        return None;
    }
    let is_grant = asks.decisions.contains(&"turn");
    let result = |decision: &Value| {
        Value::Object(match decision.as_str() {
            Some(scope) if is_grant => {
                let is_no = scope == "decline";
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
        for amendment in fields.list(reader, "proposedNetworkPolicyAmendments", "a list of amendments")? {
            let rule = object([("network_policy_amendment", amendment.clone())]);
            all.push(Value::Object(object([("applyNetworkPolicyAmendment", Value::Object(rule))])));
        }
    }
    // A session keeps more than a command where the request is about more.
    let has_rules = asks.needs.contains(&"command");
    let own = [(asks.needs.first().copied().unwrap_or_default(), asks.session)];
    let more = if has_rules { SESSION } else { &[] };
    let kept: Vec<&str> = own.iter().chain(more).filter(|(name, _)| says(name)).map(|(_, kept)| *kept).collect();
    let mut session = kept.join("\n");
    if let Some(root) = fields.present("grantRoot").and_then(Value::as_str).filter(|root| !root.is_empty()) {
        session = [&session, "\nWrite anywhere below ", &in_sentence(root), " until this session ends"].concat();
    }
    let elsewhere: Vec<&str> = ELSEWHERE.iter().copied().chain(is_reading(&fields).then_some(ACTIONS)).collect();
    let mut ways = Vec::with_capacity(all.len());
    for (place, given) in all.iter().enumerate() {
        // A decision with a rule is an object with its word.
        let found = match given {
            Value::Object(map) if map.len() == 1 && has_rules => map.iter().next().and_then(|(word, rule)| {
                let (decision, shown) = ruled(word, rule)?;
                Some(way(&json::text(given), decision, Scope::Always, given.clone(), &shown))
            }),
            given => {
                let meant =
                    |(word, ..): &&(&str, Decision, Scope, &str)| given == word && asks.decisions.contains(word);
                DECISIONS.iter().find(meant).map(|(word, decision, scope, shown)| {
                    let shown = if shown.is_empty() { &session } else { *shown };
                    way(word, *decision, *scope, given.clone(), shown)
                })
            }
        };
        match found {
            Some(found) => ways.push((found, result(given))),
            None => {
                let path = fields.place("availableDecisions").item(place);
                reader.unknown_type(path, "availableDecisions", &json::shown(given), asks.decisions);
            }
        }
    }
    // The first of these that the request offers, or else the server takes: it waits for a decision.
    let no = |words: [&str; 2]| {
        let offered = |word: &&&str| all.iter().any(|one| one.as_str() == Some(word));
        let taken = |word: &&&str| asks.decisions.contains(*word);
        let found = words.iter().find(offered).or_else(|| words.iter().find(taken));
        found.map(|word| result(&Value::from(*word)))
    };
    Permit {
        // A connection has a host in place of a command.
        text: if has_rules && !says(&"command") { "Allow this connection?" } else { asks.text }.to_owned(),
        header: None,
        context: reason,
        tool: "",
        arguments: arguments(said_of(&fields, asks.told, &elsewhere, BESIDE)),
        ways,
        path: root.path.field("params"),
        replied: no(["decline", "cancel"]),
        words: "",
        ended: no(["cancel", "decline"]),
        call: Call::of(request),
    }
    .ask(reader)
}

/// Whether the server's reading of the command is no more than that: which part of it reads, lists or looks for what. Nothing but the command is run.
fn is_reading(fields: &Fields<'_>) -> bool {
    let is_part = |(name, value): (&String, &Value)| {
        matches!(
            (name.as_str(), value),
            ("type" | "command" | "name" | "path" | "query", Value::String(_) | Value::Null)
        )
    };
    let is_one = |action: &Value| action.as_object().is_some_and(|action| action.iter().all(is_part));
    fields.present("command").is_some_and(|command| !says_nothing(command))
        && fields.present(ACTIONS).and_then(Value::as_array).is_some_and(|all| all.iter().all(is_one))
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
