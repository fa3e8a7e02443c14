//! The dialect `codex`: the tool `request_user_input` of Codex, whose questions have ids, and whose answers are lists; alone, or as the request
//! `item/tool/requestUserInput` of its app server. The server's requests for approvals are answered by one of its decisions. What it passes on from a server of the
//! Model Context Protocol is an elicitation of `mcp`, or asks whether a tool of that server may run. Questions that it does not wait for are in `codex_async.rs`.

use super::{
    codex_async,
    draft::{Call, Draft, Rules, Tells},
    fields::{Fields, Reader},
    labelled::Shape,
    mcp,
    near::says_nothing,
    nested::Nested,
    permit::{Permit, arguments, said_of, way},
    quoted::{as_code, in_sentence},
    table::{Given, Key, Said, Table},
};
use crate::{
    answer::Answer,
    json,
    outcome::{Ended, Reply, Write},
    problem::{ProblemKind, object},
    question::{Decision, Scope},
};
use serde_json::{Map, Value};
use std::sync::Arc;

pub(super) const RULES: Rules = Rules {
    name: "codex",
    tool: |_| "request_user_input",
    recognises: |request| {
        TABLE.recognises(request)
            || approval(request).is_some()
            || is_elicitation(request)
            || request.as_object().is_some_and(codex_async::is_it)
    },
    tells: Tells { listed: &["isOther", "isSecret"], ..Tells::NONE },
    read,
    unread: |request| match request.as_object() {
        Some(message) if codex_async::is_it(message) => Arc::new(codex_async::Message::default()),
        _ => TABLE.unread(request),
    },
    own: None,
};

pub(super) const FIELDS: &[&str] = &["id", "header", "question", "options", "isOther", "isSecret", "danger"];
/// The answer that means "Other". The text itself is a note.
const NONE_OF_THESE: &str = "None of the above";
const EMPTY: &str = "{\"answers\":{}}";

static TABLE: Table = Table {
    wrap: Some(("method", &["item/tool/requestUserInput"], &["params"])),
    around: &["questions", "isBlocking"],
    blocking: "isBlocking",
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
    ("turn", Decision::Approve, Scope::Once, "Yes, until this turn ends"),
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

/// What a server of the Model Context Protocol asks, as the app server passes it on.
const ELICITATION: &str = "mcpServer/elicitation/request";

fn is_elicitation(request: &Value) -> bool {
    request.get("method").is_some_and(|method| method == ELICITATION)
}

fn read(reader: &mut Reader, request: &Map<String, Value>) -> Option<Draft> {
    let method = request.get("method").and_then(Value::as_str);
    if method == Some(ELICITATION) {
        return elicit(reader, request);
    }
    if codex_async::is_it(request) {
        return codex_async::read(reader, request);
    }
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
    if fields.present("availableDecisions").is_none() {
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
    if all.is_empty() {
        let path = fields.place("availableDecisions");
        reader.unknown_type(path, "availableDecisions", "[]", asks.decisions);
        return None;
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

/// How long an approval of a tool may hold, by the word in `persist`, and what the person reads.
const PERSIST: [(&str, Scope, &str); 2] = [
    ("session", Scope::Session, "Run this tool without asking until this session ends"),
    ("always", Scope::Always, "Always run this tool without asking"),
];
/// Where `_meta` says what an elicitation without a form is about, and the one kind that there is.
const KIND: &str = "codex_approval_kind";
const TOOL_CALL: &str = "mcp_tool_call";
/// What of `_meta` is shown elsewhere than among the arguments.
const SHOWN: &[&str] = &[KIND, "persist", "tool_name", "tool_title", "tool_description", "tool_params"];

/// Reads what a server asks: its elicitation, or whether its tool may run.
#[cold]
#[inline(never)]
fn elicit(reader: &mut Reader, request: &Map<String, Value>) -> Option<Draft> {
    let root = Fields::root(request);
    let params = root.required(reader, "params")?;
    let path = root.path.field("params");
    reader.charge(json::size(params) as usize)?;
    let fields = reader.object(params, path.clone(), "the parameters (an object)")?;
    let server = fields.note(reader, "serverName");
    let call = Call::of(request);
    let nothing = Map::new();
    let meta = match fields.present("_meta") {
        None => Fields::at(&nothing, path.clone()),
        Some(meta) => reader.object(meta, path.field("_meta"), "metadata (an object)")?,
    };
    match meta.text(reader, KIND) {
        Some(TOOL_CALL) => return may_run(reader, &fields, &meta, server, call),
        Some(other) => {
            reader.unknown_type(meta.place(KIND), KIND, other, &[TOOL_CALL]);
            return None;
        }
        None => {}
    }
    let first = reader.questions.len();
    let mut nested = Nested::read(reader, &mcp::RULES, params, &path, true)?;
    mcp::asks_for(reader, first, server.as_deref());
    if let (Some(message), Some(server)) = (&mut nested.message, &server) {
        *message = [server, ": ", message].concat().into();
    }
    Some(nested.clone().draft(Elicited { nested, call }))
}

/// Asks whether a tool of a server may run.
fn may_run(
    reader: &mut Reader,
    fields: &Fields<'_>,
    meta: &Fields<'_>,
    server: Option<String>,
    call: Option<Call>,
) -> Option<Draft> {
    // An approval says yes or no, and nothing that a form could have.
    let schema = fields.present("requestedSchema").and_then(|schema| schema.get("properties")?.as_object());
    if schema.is_some_and(|properties| !properties.is_empty()) {
        let place = fields.path.field("requestedSchema").field("properties");
        reader.problem(place, ProblemKind::MisplacedField { given: "properties".into(), meant: None });
        return None;
    }
    let message = fields.shown_text(reader, "message")?;
    let mut tool = meta.note(reader, "tool_name").or_else(|| meta.note(reader, "tool_title")).unwrap_or_default();
    if let Some(server) = server.as_ref().filter(|_| !tool.is_empty()) {
        tool = [server, ".", &tool].concat();
    }
    let result = |action: &str, persist: Value| {
        let meta = if persist.is_null() { Value::Null } else { Value::Object(object([("persist", persist)])) };
        let content = if action == "accept" { Map::new().into() } else { Value::Null };
        Value::Object(object([("action", action.into()), ("content", content), ("_meta", meta)]))
    };
    let one =
        |word: &str, decision, shown| (way(word, decision, Scope::Once, word.into(), shown), result(word, Value::Null));
    let mut ways = vec![one("accept", Decision::Approve, "Yes, this time")];
    let words: Vec<&Value> = match meta.present("persist") {
        Some(Value::Array(words)) => words.iter().collect(),
        word => word.into_iter().collect(),
    };
    for word in words {
        match PERSIST.iter().find(|(known, ..)| word == known) {
            Some((known, scope, shown)) => {
                ways.push((way(known, Decision::Approve, *scope, word.clone(), shown), result("accept", word.clone())));
            }
            None => {
                const WORDS: &[&str] = &[PERSIST[0].0, PERSIST[1].0];
                reader.unknown_type(meta.place("persist"), "persist", &json::shown(word), WORDS);
            }
        }
    }
    ways.push(one("decline", Decision::Reject, "No"));
    ways.push(one("cancel", Decision::Reject, "No, and stop"));
    let mut given = match meta.present("tool_params") {
        Some(Value::Object(given)) => given.clone(),
        other => other.map(|given| object([("tool_params", given.clone())])).unwrap_or_default(),
    };
    let others = said_of(meta, &[], SHOWN, &[]);
    if !others.is_empty() {
        // A tool may have an argument of this name.
        let name = if given.contains_key("_meta") { "_meta of the request" } else { "_meta" };
        given.insert(name.into(), others.into());
    }
    let title = meta.note(reader, "tool_title").filter(|title| !tool.ends_with(title.as_str()));
    // The message need not say which tool that is.
    let named = (!tool.is_empty() && !message.contains(&tool)).then(|| as_code(&tool));
    let described = [named, title, meta.note(reader, "tool_description")].into_iter().flatten().collect::<Vec<_>>();
    Permit {
        text: message.to_owned(),
        header: server,
        context: (!described.is_empty()).then(|| described.join("\n\n")),
        tool: &tool,
        arguments: arguments(given),
        ways,
        path: fields.path.clone(),
        replied: Some(result("decline", Value::Null)),
        words: "",
        ended: Some(result("cancel", Value::Null)),
        call,
    }
    .ask(reader)
}

/// Writes the result of an elicitation as the app server reads it.
struct Elicited {
    nested: Nested,
    call: Option<Call>,
}

impl Write for Elicited {
    fn reply(&self) -> Reply {
        self.nested.reply()
    }

    fn reordered(&self, order: &[usize]) -> Option<Arc<dyn Write>> {
        Some(Arc::new(Self { nested: self.nested.reordered(order)?, call: self.call.clone() }))
    }

    fn write(&self, ended: &Ended<'_>) -> Option<Value> {
        let mut result = self.nested.write(ended)?;
        if let Value::Object(fields) = &mut result {
            for name in ["content", "_meta"] {
                fields.entry(name).or_insert(Value::Null);
            }
        }
        Some(Call::answered(self.call.as_ref(), result))
    }
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
