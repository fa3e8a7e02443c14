//! The dialect `opencode`: the tool `question` of opencode, alone or as its event, answered by position with lists of labels; and its permissions,
//! answered by `once`, `always` or `reject`.

use super::{
    draft::{Draft, Rules, Tells, any_question_has},
    fields::{Fields, Reader},
    labelled::Shape,
    permit::{Permit, arguments, said_of, way},
    quoted::in_sentence,
    table::{Said, Table},
};
use crate::{
    json,
    problem::{Pointer, object},
    question::{Cover, Decision, Scope, Sentence, Wording, sentence},
};
use serde_json::{Map, Value};

pub(super) const RULES: Rules = Rules {
    name: "opencode",
    tool: |_| "question",
    recognises,
    tells: Tells { listed: &["multiple", "custom"], ..Tells::NONE },
    read,
    unread: |request| TABLE.unread(request),
    own: None,
};

/// The most options of a question that the others of this shape take.
const MOST: usize = 4;
pub(super) const FIELDS: &[&str] = &["question", "header", "options", "multiple", "custom", "danger"];

fn recognises(request: &Value) -> bool {
    TABLE.recognises(request)
        || is_called(request)
        || has_many(request)
        || request.as_object().is_some_and(|request| permission(request).is_some())
}

/// The fields of an event that have its request: of the stream of a server, and of one that is kept.
const EVENT: &[&str] = &["properties", "data"];

/// The events that ask for a permission, and the fields of such a request: what is asked for, what it is for, and what else may be permitted with it.
const PERMISSIONS: [(&str, [&str; 3]); 2] = [
    ("permission.asked", ["permission", "patterns", "always"]),
    ("permission.v2.asked", ["action", "resources", "save"]),
];

/// A request for a permission, where it stands, and the names of its fields.
fn permission(request: &Map<String, Value>) -> Option<(Fields<'_>, [&'static str; 3])> {
    let may_be = EVENT.iter().chain(&["sessionID"]).any(|name| request.contains_key(*name));
    if may_be { permission_in(request) } else { None }
}

#[cold]
#[inline(never)]
fn permission_in(request: &Map<String, Value>) -> Option<(Fields<'_>, [&'static str; 3])> {
    let names_of = |map: &Map<String, Value>| {
        let is_it = |names: &[&str; 3]| {
            map.get(names[0]).is_some_and(Value::is_string) && map.get(names[1]).is_some_and(Value::is_array)
        };
        PERMISSIONS.iter().map(|(_, names)| *names).find(is_it)
    };
    let is_event = |kind: &str| PERMISSIONS.iter().any(|(event, _)| *event == kind);
    let inner = EVENT.iter().find_map(|name| Some((name, request.get(*name)?.as_object()?)));
    match inner {
        Some((name, inner)) if request.get("type").and_then(Value::as_str).is_some_and(is_event) => {
            Some((Fields::at(inner, Pointer::root().field(name)), names_of(inner)?))
        }
        _ => Some((Fields::root(request), names_of(request).filter(|_| request.contains_key("sessionID"))?)),
    }
}

/// What says nothing of what would be done: whose request it is.
const BESIDE: &[&str] = &["id", "sessionID", "messageID", "callID", "tool", "source", "time"];

/// The same of an event.
const AROUND: &[&str] = &["id", "type", "version", "time", "sessionID", "aggregateID", "sequence", "seq"];

/// Asks for a permission. All that the request says of it is shown.
#[cold]
#[inline(never)]
fn ask(
    reader: &mut Reader,
    request: &Map<String, Value>,
    mut fields: Fields<'_>,
    [asked_in, of, always]: [&'static str; 3],
) -> Option<Draft> {
    let own = [asked_in, of, always, "metadata"];
    fields.read_strays(reader, &own, &own, |_, _| true);
    let asked = fields.shown_text(reader, asked_in)?;
    texts(reader, &fields, of)?;
    let listed = texts(reader, &fields, always)?;
    let reply = |word: &str| Value::Object(object([("reply", word.into())]));
    let once = |word, decision, said: Sentence| {
        (way(word, decision, Scope::Once, word.into(), vec![said.alone()]), reply(word))
    };
    let mut ways = vec![once("once", Decision::Approve, sentence::ONCE)];
    if !listed.is_empty() {
        // What is not saved is forgotten when opencode is started again.
        let (scope, what) = match always {
            "save" => (Scope::Always, sentence::PATTERNS),
            _ => (Scope::Session, sentence::PATTERNS_FOR_NOW),
        };
        let mut said = vec![what.of("what", in_sentence(asked))];
        said.extend(listed.iter().map(|pattern| Wording::Text(in_sentence(pattern))));
        let rule = listed.iter().map(|pattern| Value::from(pattern.as_str())).collect();
        let mut always = way("always", Decision::Approve, scope, rule, said);
        always.cover = Some(Cover::Patterns(asked.to_owned(), listed));
        ways.push((always, reply("always")));
    }
    ways.push(once("reject", Decision::Reject, sentence::REJECT));
    let mut said = said_of(&fields, &[of, "metadata"], &[asked_in, always], BESIDE);
    // The event around it may say where it would be done.
    if fields.path != Pointer::root() {
        let around = said_of(&Fields::root(request), &[], EVENT, AROUND);
        if !around.is_empty() {
            reader.charge(around.values().map(json::size).sum::<u64>() as usize)?;
            let name = if said.contains_key("event") { "event of the request" } else { "event" };
            said.insert(name.to_owned(), Value::Object(around));
        }
    }
    Permit {
        text: sentence::ASK_ALLOW.of("what", in_sentence(asked)),
        header: None,
        context: None,
        tool: asked,
        arguments: arguments(said),
        ways,
        path: fields.path.clone(),
        replied: Some(reply("reject")),
        words: "message",
        ended: Some(reply("reject")),
        call: None,
    }
    .ask(reader)
}

fn is_called(request: &Value) -> bool {
    let is_called = request.get("tool").is_some_and(|tool| tool.get("callID").is_some());
    is_called && any_question_has(request, "questions", &["question"])
}

fn read(reader: &mut Reader, request: &Map<String, Value>) -> Option<Draft> {
    if let Some((fields, names)) = permission(request) {
        return ask(reader, request, fields, names);
    }
    let has = |name: &&str| request.get(*name).is_some_and(|value| !value.is_null());
    let questions = request.get("questions").and_then(Value::as_array).into_iter().flatten();
    let tells = |question: &Value| TABLE.telling.iter().any(|name| question.get(*name).is_some());
    if !["sessionID", "tool"].iter().chain(EVENT).any(has) && !questions.into_iter().any(tells) {
        reader.assume(RULES.name, &["vscode"]);
    }
    TABLE.read(reader, request)
}

/// A list of texts. Empty if it is absent.
fn texts(reader: &mut Reader, fields: &Fields<'_>, name: &'static str) -> Option<Vec<String>> {
    let list = fields.list(reader, name, "a list of texts")?;
    let mut found = Vec::with_capacity(list.len());
    for (place, one) in list.iter().enumerate() {
        match one {
            Value::String(text) => found.push(text.clone()),
            other => reader.wrong_type(fields.place(name).item(place), "a text", other),
        }
    }
    Some(found)
}

/// Whether a question has more options than the tools of other agents take, and nothing that tells of one of them.
fn has_many(request: &Value) -> bool {
    const OTHERS: &[&str] = &[
        "multiSelect",
        "multi_select",
        "allowFreeformInput",
        "isOther",
        "isSecret",
        "type",
        "id",
        "text",
        "answer_type",
    ];
    let questions = request.get("questions").and_then(Value::as_array).into_iter().flatten();
    let options = |question: &Value| question.get("options").and_then(Value::as_array).map_or(0, Vec::len);
    questions.map(options).any(|found| found > MOST)
        && any_question_has(request, "questions", &["question"])
        && !any_question_has(request, "questions", OTHERS)
}

static TABLE: Table = Table {
    wrap: Some(("type", &["question.asked", "question.v2.asked"], EVENT)),
    marks: &["sessionID"],
    telling: &["multiple", "custom"],
    shape: Shape { multiple: "multiple", other: ("custom", true), fields: FIELDS, ..Shape::PLAIN },
    replied: Said::Json("{\"rejected\":true}"),
    ..Table::LIST
};
