//! The dialect `openclaw`: what the gateway of OpenClaw tells its clients of, as the event or as its payload alone. Questions (`question.requested`) are answered by the parameters of
//! `question.resolve`; approvals (`exec.approval.requested`, `plugin.approval.requested`) by those of `exec.approval.resolve` and
//! `plugin.approval.resolve`; a change of OpenClaw itself (`openclaw.approval.requested`) by those of `approval.resolve`.

use super::{
    approval::{around_from, beside},
    draft::{Draft, Rules, Tells, any_question_has},
    fields::{Fields, Reader},
    labelled::{self, Shape},
    near::is_same,
    permit::{Permit, Unasked, arguments, said_of, way},
    quoted::as_code,
    table::{Key, Said, Table},
};
use crate::{
    json,
    moment::Moment,
    outcome::{Ended, Ending, Reply, Write},
    problem::{Pointer, ProblemKind, object},
    question::{AnswerType, Decision, Question, Scope, Sentence, Wording, sentence},
    text::shortened,
};
use serde_json::{Map, Value};
use std::sync::Arc;

pub(super) const RULES: Rules = Rules {
    name: "openclaw",
    tool: |_| "ask_user",
    recognises: |request| request.as_object().is_some_and(may_be) && is_one(request),
    tells: Tells { listed: &["questionId", "multiSelect", "isOther", "isSecret"], ..Tells::NONE },
    read,
    unread,
    own: None,
};

pub(super) const FIELDS: &[&str] = &[
    "questionId",
    "header",
    "question",
    "url",
    "options",
    "multiSelect",
    "isOther",
    "isSecret",
    "secretStore",
    "secretStoreExisting",
    "danger",
];
/// What a record of OpenClaw has. Others may have one of them.
const TIMES: [&str; 2] = ["createdAtMs", "expiresAtMs"];
/// The field of an event that has its record.
const PAYLOAD: &[&str] = &["payload"];
const CANCEL: &str = "{\"cancel\":true}";

static TABLE: Table = Table {
    wrap: Some(("event", &["question.requested"], PAYLOAD)),
    around: &["id", "questions", "agentId", "sessionKey", "runId", "createdAtMs", "expiresAtMs", "status"],
    marks: &["questionId"],
    telling: &["questionId"],
    most: 3,
    shape: SHAPE,
    ask: Some(question),
    key: Key::Field("questionId"),
    replied: Said::Json(CANCEL),
    ended: Said::Json(CANCEL),
    failed: Said::Json(CANCEL),
    ..Table::LIST
};
const SHAPE: Shape = Shape {
    header: 12,
    options: 0..=4,
    multiple: "multiSelect",
    other: ("isOther", false),
    secret: "isSecret",
    fields: FIELDS,
    ..Shape::PLAIN
};
/// A question without options: of a text, there are not several.
static BY_TEXT: Shape = Shape { multiple: "", ..SHAPE };
/// What a question says of where its secret goes.
const STORE: &[&str] = &["secretStore", "secretStoreExisting"];

/// Whether a request has a field that few requests of other agents have.
fn may_be(request: &Map<String, Value>) -> bool {
    let mut questions = request.get("questions").and_then(Value::as_array).into_iter().flatten();
    let has = |name: &str| request.contains_key(name);
    has("payload")
        || has("questionId")
        || is_timed(request)
        || questions.any(|question| question.get("questionId").is_some())
}

fn is_timed(request: &Map<String, Value>) -> bool {
    TIMES.iter().all(|name| request.contains_key(*name))
}

#[cold]
#[inline(never)]
fn is_one(request: &Value) -> bool {
    let is_record = |map: &Map<String, Value>| {
        approval(map).is_some() || is_timed(map) && any_question_has(request, "questions", &["question"])
    };
    TABLE.recognises(request) || request.as_object().is_some_and(is_record)
}

#[cold]
#[inline(never)]
fn read(reader: &mut Reader, request: &Map<String, Value>) -> Option<Draft> {
    match approval(request) {
        Some(fields) => approve(reader, fields),
        None => ask(reader, request),
    }
}

/// Reads a question: it has no options, or two to four.
#[cold]
#[inline(never)]
fn question(reader: &mut Reader, fields: &Fields<'_>, place: usize, shape: &Shape) -> Option<Question> {
    let options = fields.required_list(reader, "options")?;
    let found = options.len();
    // Of a text, there are not several; of an option, nothing else is known.
    if found == 0 && fields.flag(reader, "multiSelect", false) {
        unread_field(reader, fields.place("multiSelect"), "multiSelect");
    }
    for (place, option) in options.iter().enumerate() {
        for (name, _) in option
            .as_object()
            .into_iter()
            .flatten()
            .filter(|(name, _)| !SHAPE.option.iter().any(|own| is_same(name, own)))
        {
            reader.charge(100)?;
            unread_field(reader, fields.place("options").item(place).field(name), name);
        }
    }
    if found == 1 {
        reader.problem(fields.place("options"), ProblemKind::TooFewOptions { limit: 2, found });
        return None;
    }
    // As the gateway has it: what it keeps as a secret is one for the person, too.
    if fields.present("secretStore").is_some() && !fields.flag(reader, "isSecret", false) {
        fields.refuse(reader, "secretStore", Some("isSecret"));
    }
    let mut question = labelled::question(reader, fields, place, if found == 0 { &BY_TEXT } else { shape })?;
    // The gateway takes no answer without a word.
    match &mut question.answer_type {
        AnswerType::MultiSelect { selections, .. } => selections.minimum = 1,
        AnswerType::Text(rules) => (rules.min_length, rules.is_filled) = (1, true),
        _ => {}
    }
    question.context = fields.text(reader, "url").map(as_code);
    // What is not known of a question is shown, too.
    let others = said_of(fields, STORE, FIELDS, &[]);
    reader.charge(others.values().map(json::size).sum::<u64>() as usize)?;
    if !others.is_empty() {
        question.context = Some(beside(question.context.take(), others));
    }
    Some(question)
}

fn unread_field(reader: &mut Reader, place: Pointer, name: &str) {
    let field = shortened(name, 100).into_owned();
    reader.warning(place, ProblemKind::UnknownField { field, near: None });
}

/// Reads questions.
#[cold]
#[inline(never)]
fn ask(reader: &mut Reader, request: &Map<String, Value>) -> Option<Draft> {
    let record = record(request, "question.requested").unwrap_or_else(|| Fields::root(request));
    let id = record.required_text(reader, "id").map(str::to_owned);
    is_open(reader, &record);
    let expires_at = expiry(reader, &record);
    let first = reader.questions.len();
    let draft = TABLE.read(reader, request)?;
    around_from(reader, first, &said_of(&record, &[], TABLE.around, &[]))?;
    let writer = Arc::new(Resolved { id: id?, answers: draft.writer });
    Some(Draft { expires_at, writer, ..draft })
}

/// The record of an event with this name.
fn record<'a>(request: &'a Map<String, Value>, event: &str) -> Option<Fields<'a>> {
    let fields = Fields::root(request);
    let payload = request.get("payload")?.as_object()?;
    request.get("event").filter(|name| *name == event).map(|_| Fields::at(payload, fields.place("payload")))
}

/// Records a problem where the record is of a question that is not open any more.
fn is_open(reader: &mut Reader, record: &Fields<'_>) {
    if let Some(status) = record.text(reader, "status").filter(|status| *status != "pending") {
        reader.unknown_type(record.place("status"), "status", status, &["pending"]);
    }
}

fn expiry(reader: &mut Reader, record: &Fields<'_>) -> Option<Moment> {
    let given = record.present("expiresAtMs")?;
    let moment = given.as_i64().and_then(Moment::from_millis);
    if moment.is_none() {
        reader.wrong_type(record.place("expiresAtMs"), "a moment (milliseconds since the beginning of 1970)", given);
    }
    moment
}

/// Writes the parameters of `question.resolve`.
struct Resolved {
    id: String,
    /// Writes the answers by the ids of their questions.
    answers: Arc<dyn Write>,
}

impl Write for Resolved {
    fn reply(&self) -> Reply {
        self.answers.reply()
    }

    fn write(&self, ended: &Ended<'_>) -> Option<Value> {
        let mut params = object([("id", self.id.as_str().into())]);
        match (self.answers.write(ended)?, ended.ending) {
            (answers, Ending::Completed) => drop(params.insert("answers".into(), answers)),
            (Value::Object(cancelled), _) => params.extend(cancelled),
            _ => return None,
        }
        Some(Value::Object(params))
    }

    fn reveals_secrets(&self) -> bool {
        self.answers.reveals_secrets()
    }
}

/// The events that ask for an approval.
const APPROVALS: &[&str] = &["exec.approval.requested", "plugin.approval.requested", "openclaw.approval.requested"];
/// The kinds of approvals, of which the last has no method of its own: `approval.resolve` takes it with its kind.
const KINDS: &[&str] = &["exec", "plugin", SYSTEM];
const SYSTEM: &str = "system-agent";
/// The decisions on an approval.
const DECISIONS: &[&str] = &["allow-once", "allow-always", "deny"];
/// What would be done, and where.
const TOLD: &[&str] = &[
    "command",
    "commandPreview",
    "commandArgv",
    "cwd",
    "env",
    "envKeys",
    "host",
    "nodeId",
    "resolvedPath",
    "scope",
    "severity",
    "mcpTool",
    "pluginId",
    "agentId",
    "security",
    "ask",
    "commandAnalysis",
    "systemRunPlan",
    "systemRunBinding",
    "proposalHash",
];
/// What else a record of an approval has, and what of its request is shown elsewhere than among what would be done.
const AROUND: &[&str] = &["id", "request", "createdAtMs", "expiresAtMs", "approvalKind"];
const ELSEWHERE: &[&str] =
    &["title", "description", "detail", "toolName", "warningText", "allowedDecisions", "unavailableDecisions"];
/// Whose request it is, and where its answer goes.
const BESIDE: &[&str] = &[
    "sessionKey",
    "sessionId",
    "runId",
    "toolCallId",
    "turnSourceChannel",
    "turnSourceTo",
    "turnSourceAccountId",
    "turnSourceThreadId",
];
/// Which characters of the command are its words.
const SPANS: &str = "commandSpans";

/// The record of an approval.
#[cold]
#[inline(never)]
fn approval(request: &Map<String, Value>) -> Option<Fields<'_>> {
    let of_event = APPROVALS.iter().find_map(|event| record(request, event));
    of_event.or_else(|| {
        let asked = request.get("request")?.as_object()?;
        let is_asked = asked.contains_key("command") || asked.contains_key("title");
        (is_asked && is_timed(request)).then(|| Fields::root(request))
    })
}

/// Asks for an approval. All that the request says of it is shown.
#[cold]
#[inline(never)]
fn approve(reader: &mut Reader, mut record: Fields<'_>) -> Option<Draft> {
    record.read_strays(reader, AROUND, AROUND, |_, _| true);
    let id = record.required_text(reader, "id");
    let expires_at = expiry(reader, &record);
    let given = record.required(reader, "request")?;
    reader.charge(json::size(given) as usize)?;
    let mut fields = reader.object(given, record.place("request"), "a request (an object)")?;
    let own: Vec<_> = TOLD.iter().chain(ELSEWHERE).chain(BESIDE).copied().chain([SPANS]).collect();
    fields.read_strays(reader, &own, &own, |_, _| true);
    let is_command = fields.present("title").is_none();
    let text = match is_command {
        true => {
            fields.required_text(reader, "command")?;
            sentence::ASK_COMMAND.alone()
        }
        false => Wording::Text(fields.shown_text(reader, "title")?.to_owned()),
    };
    let parts: Vec<String> =
        ["warningText", "description", "detail"].iter().filter_map(|name| fields.note(reader, name)).collect();
    let tool = fields.note(reader, "toolName").unwrap_or_default();
    let names_tool = !tool.is_empty() || fields.present("mcpTool").is_some();
    // What is kept of a run by a timetable is for that automation alone, for some days: its scope says so among what would be done.
    let is_standing =
        fields.present("scope").is_some_and(|scope| scope.get("kind").is_some_and(|kind| kind == "standing-grant"));
    let kept = match (is_command, names_tool) {
        _ if is_standing => sentence::ALWAYS,
        (true, _) => sentence::COMMAND_ALWAYS,
        (false, true) => sentence::TOOL_ALWAYS,
        (false, false) => sentence::ALWAYS,
    };
    let id = id?;
    let kind = record.text(reader, "approvalKind");
    if let Some(given) = kind.filter(|given| !KINDS.contains(given)) {
        reader.unknown_type(record.place("approvalKind"), "approvalKind", given, KINDS);
    }
    let result = |word: &str| decided(Some(id), kind, word);
    let one = |word: &str, decision, scope, said: Sentence| {
        (way(word, decision, scope, word.into(), vec![said.alone()]), result(word))
    };
    let mut ways = Vec::new();
    for word in offered(reader, &fields)? {
        ways.push(match word {
            "allow-once" => one(word, Decision::Approve, Scope::Once, sentence::ONCE),
            "allow-always" => one(word, Decision::Approve, Scope::Always, kept),
            _ => one(word, Decision::Reject, Scope::Once, sentence::REJECT),
        });
    }
    let elsewhere: Vec<&str> = ELSEWHERE.iter().copied().chain([SPANS]).collect();
    let mut said = said_of(&fields, TOLD, &elsewhere, BESIDE);
    for (name, value) in said_of(&record, &[], AROUND, &[]) {
        let place = if said.contains_key(&name) { ["record.", &name].concat() } else { name };
        said.insert(place, value);
    }
    let draft = Permit {
        text,
        header: None,
        context: (!parts.is_empty()).then(|| parts.join("\n\n")),
        tool: &tool,
        arguments: arguments(said),
        ways,
        path: fields.place("allowedDecisions"),
        replied: Some(result("deny")),
        words: "",
        ended: Some(result("deny")),
        call: None,
    }
    .ask(reader)?;
    Some(Draft { expires_at, ..draft })
}

/// The parameters that say how an approval was decided.
fn decided(id: Option<&str>, kind: Option<&str>, word: &str) -> Value {
    let kind = kind.filter(|kind| *kind == SYSTEM).map(|kind| ("kind", kind));
    let params = id.map(|id| ("id", id)).into_iter().chain(kind).chain([("decision", word)]);
    Value::Object(params.map(|(name, value)| (name.to_owned(), value.into())).collect())
}

/// The decisions that a request allows. Without a list, OpenClaw takes each but those that the request says are unavailable, and "always" only where not every command is asked about.
fn offered<'a>(reader: &mut Reader, fields: &Fields<'a>) -> Option<Vec<&'a str>> {
    if fields.present("allowedDecisions").is_none() {
        let unavailable = fields.list(reader, "unavailableDecisions", "a list of decisions")?;
        let asks_always = fields.present("ask").is_some_and(|ask| ask == "always");
        let is_allowed = |word: &&str| {
            *word != "allow-always" || !asks_always && !unavailable.iter().any(|one| one.as_str() == Some(word))
        };
        return Some(DECISIONS.iter().copied().filter(is_allowed).collect());
    }
    let mut words = Vec::new();
    for (place, given) in fields.list(reader, "allowedDecisions", "a list of decisions")?.iter().enumerate() {
        match given.as_str().filter(|word| DECISIONS.contains(word)) {
            Some(word) if words.contains(&word) => {}
            Some(word) => words.push(word),
            None => {
                let path = fields.place("allowedDecisions").item(place);
                reader.unknown_type(path, "allowedDecisions", &json::shown(given), DECISIONS);
            }
        }
    }
    Some(words)
}

/// The writer for a request that cannot be read: nobody was asked.
#[cold]
#[inline(never)]
fn unread(request: &Value) -> Arc<dyn Write> {
    let map = request.as_object();
    let text = |record: &Map<String, Value>, name: &str| record.get(name).and_then(Value::as_str).map(str::to_owned);
    let result = match map.and_then(approval) {
        Some(record) => {
            let (id, kind) = (text(record.map(), "id"), text(record.map(), "approvalKind"));
            decided(id.as_deref(), kind.as_deref(), "deny")
        }
        None => {
            let record = map.and_then(|map| record(map, "question.requested"));
            let id = record.as_ref().map(Fields::map).or(map).and_then(|record| text(record, "id"));
            let id = id.map(|id| ("id".to_owned(), Value::from(id)));
            Value::Object(id.into_iter().chain([("cancel".to_owned(), true.into())]).collect())
        }
    };
    Arc::new(Unasked { result, call: None })
}
