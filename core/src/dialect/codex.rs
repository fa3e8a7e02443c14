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
    question::{Cover, Decision, Scope, Sentence, Wording, sentence},
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
    text: Sentence,
    decisions: &'static [&'static str],
    /// Where the request does not say which of them it offers, it offers all.
    told: &'static [&'static str],
    /// The fields of which one says what would be done: without them, nobody knows.
    needs: &'static [&'static str],
    /// What holds for the session.
    session: Sentence,
}

const APPROVALS: &[Asks] = &[
    Asks {
        method: "item/commandExecution/requestApproval",
        text: sentence::ASK_COMMAND,
        decisions: &["accept", "acceptForSession", "decline", "cancel"],
        told: &["command", "cwd", "networkApprovalContext", "additionalPermissions"],
        // A network approval has a host in place of a command.
        needs: &["command", "networkApprovalContext"],
        session: sentence::COMMAND,
    },
    Asks {
        method: "item/fileChange/requestApproval",
        text: sentence::ASK_CHANGES,
        decisions: &["accept", "acceptForSession", "decline", "cancel"],
        told: &["changes", "grantRoot"],
        needs: &["changes"],
        session: sentence::CHANGES,
    },
    Asks {
        method: "item/permissions/requestApproval",
        text: sentence::ASK_PERMISSIONS,
        decisions: &["turn", "session", "decline"],
        told: &["permissions", "cwd"],
        needs: &["permissions"],
        session: sentence::PERMISSIONS,
    },
];

/// What each decision means, how far it reaches, and what the person reads: nothing where that depends on what is asked.
const DECISIONS: &[(&str, Decision, Scope, Option<Sentence>)] = &[
    ("accept", Decision::Approve, Scope::Once, Some(sentence::THIS_TIME)),
    ("acceptForSession", Decision::Approve, Scope::Session, None),
    ("turn", Decision::Approve, Scope::Once, Some(sentence::THIS_TURN)),
    ("session", Decision::Approve, Scope::Session, None),
    ("decline", Decision::Reject, Scope::Once, Some(sentence::NO)),
    ("cancel", Decision::Reject, Scope::Once, Some(sentence::STOP)),
];

/// The decisions that hold once: a checkpoint has no other.
const ONCE: [&str; 3] = ["accept", "decline", "cancel"];
/// What of a request is shown elsewhere than among what would be done.
const ELSEWHERE: &[&str] =
    &["reason", "availableDecisions", "proposedExecpolicyAmendment", "proposedNetworkPolicyAmendments"];
/// Whose request it is.
const BESIDE: &[&str] = &["threadId", "turnId", "itemId", "approvalId", "startedAtMs"];
/// The server's reading of the command.
const ACTIONS: &str = "commandActions";

/// A rule: the value itself, or what an object has that has nothing but the rule.
fn alone<'a>(given: &'a Value, name: &str) -> &'a Value {
    given.as_object().filter(|map| map.len() == 1).and_then(|map| map.get(name)).unwrap_or(given)
}

/// The words that a command begins with, where a rule is about commands and has nothing else.
fn begin(rule: &Value) -> Option<Vec<String>> {
    let words = alone(rule, "execpolicy_amendment").as_array()?;
    words.iter().map(|word| word.as_str().map(str::to_owned)).collect()
}

/// A decision with a rule, as the person reads it: what it is, and the rule in full. A rule that has more than is known is shown as its JSON.
fn ruled(word: &str, given: &Value) -> Option<(Decision, Wording)> {
    let whole = |name, what: Sentence| what.of(name, json::canonical_text(given));
    match word {
        "acceptWithExecpolicyAmendment" => {
            let said = match begin(given).as_deref() {
                Some([]) => sentence::EVERY_COMMAND.alone(),
                Some(words) => {
                    let words: Vec<String> = words.iter().map(|word| in_sentence(word)).collect();
                    sentence::PREFIX.of("words", words.join(" "))
                }
                None => whole("words", sentence::PREFIX),
            };
            Some((Decision::Approve, said))
        }
        "applyNetworkPolicyAmendment" => {
            let rule = given.get("network_policy_amendment").unwrap_or(given);
            let text = |name| rule.get(name).and_then(Value::as_str);
            let (decision, to_host, to_any) = match text("action") {
                Some("allow") => (Decision::Approve, sentence::HOST, sentence::CONNECTIONS),
                Some("deny") => (Decision::Reject, sentence::REFUSE_HOST, sentence::REFUSE_CONNECTIONS),
                _ => return None,
            };
            let is_known = alone(given, "network_policy_amendment").as_object().is_some_and(|map| map.len() == 2);
            let said = match text("host").filter(|host| is_known && !host.is_empty()) {
                Some(host) => to_host.of("host", in_sentence(host)),
                None => whole("rule", to_any),
            };
            Some((decision, said))
        }
        _ => None,
    }
}

/// What a session keeps of a command's request, by the field that the request is about.
const SESSION: &[(&str, Sentence)] =
    &[("networkApprovalContext", sentence::CONNECTION), ("additionalPermissions", sentence::MORE_PERMISSIONS)];

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
    // A checkpoint asks a person anew each time.
    if fields.present("kind").is_some_and(|kind| kind == "humanCommand") {
        all.retain(|given| given.as_str().is_some_and(|word| ONCE.contains(&word)));
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
    let kept = own.iter().chain(more).filter(|(name, _)| says(name));
    let mut session: Vec<Wording> = kept.map(|(_, kept)| kept.alone()).collect();
    if let Some(root) = fields.present("grantRoot").and_then(Value::as_str).filter(|root| !root.is_empty()) {
        session.push(sentence::FOLDER.of("folder", in_sentence(root)));
    }
    let elsewhere: Vec<&str> = ELSEWHERE.iter().copied().chain(is_reading(&fields).then_some(ACTIONS)).collect();
    let mut ways = Vec::with_capacity(all.len());
    for (place, given) in all.iter().enumerate() {
        // A decision with a rule is an object with its word.
        let found = match given {
            Value::Object(map) if map.len() == 1 && has_rules => map.iter().next().and_then(|(word, rule)| {
                let (decision, said) = ruled(word, rule)?;
                let mut way = way(&json::text(given), decision, Scope::Always, given.clone(), vec![said]);
                way.cover = begin(rule).map(Cover::Words);
                Some(way)
            }),
            given => {
                let mut known = DECISIONS.iter().filter(|(word, ..)| given == word && asks.decisions.contains(word));
                known.next().map(|(word, decision, scope, said)| {
                    let said = said.map_or_else(|| session.clone(), |said| vec![said.alone()]);
                    way(word, *decision, *scope, given.clone(), said)
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
        text: if has_rules && !says(&"command") { sentence::ASK_CONNECTION } else { asks.text }.alone(),
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
const PERSIST: [(&str, Scope, Sentence); 2] =
    [("session", Scope::Session, sentence::TOOL), ("always", Scope::Always, sentence::TOOL_ALWAYS)];
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
    let nested = Nested::read(reader, &mcp::RULES, params, &path, true)?;
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
    let one = |word: &str, decision, said: Sentence| {
        (way(word, decision, Scope::Once, word.into(), vec![said.alone()]), result(word, Value::Null))
    };
    let mut ways = vec![one("accept", Decision::Approve, sentence::THIS_TIME)];
    let words: Vec<&Value> = match meta.present("persist") {
        Some(Value::Array(words)) => words.iter().collect(),
        word => word.into_iter().collect(),
    };
    for word in words {
        match PERSIST.iter().find(|(known, ..)| word == known) {
            Some((known, scope, said)) => {
                let way = way(known, Decision::Approve, *scope, word.clone(), vec![said.alone()]);
                ways.push((way, result("accept", word.clone())));
            }
            None => {
                const WORDS: &[&str] = &[PERSIST[0].0, PERSIST[1].0];
                reader.unknown_type(meta.place("persist"), "persist", &json::shown(word), WORDS);
            }
        }
    }
    ways.push(one("decline", Decision::Reject, sentence::NO));
    ways.push(one("cancel", Decision::Reject, sentence::STOP));
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
        text: Wording::Text(message.to_owned()),
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
