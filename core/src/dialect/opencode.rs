//! The dialect `opencode`: the tool `question` of opencode, alone or as its event, answered by position with lists of labels.

use super::{
    draft::{Draft, Rules, Tells, any_question_has},
    fields::Reader,
    labelled::Shape,
    table::{Said, Table},
};
use serde_json::{Map, Value};

pub(super) const RULES: Rules = Rules {
    name: "opencode",
    tool: |_| "question",
    recognises,
    tells: Tells { listed: &["multiple", "custom"], ..Tells::NONE },
    read,
    unread: |request| TABLE.unread(request),
};

/// The most options of a question that the others of this shape take.
const MOST: usize = 4;
pub(super) const FIELDS: &[&str] = &["question", "header", "options", "multiple", "custom", "danger"];

fn recognises(request: &Value) -> bool {
    TABLE.recognises(request) || is_called(request) || has_many(request)
}

fn is_called(request: &Value) -> bool {
    let is_called = request.get("tool").is_some_and(|tool| tool.get("callID").is_some());
    is_called && any_question_has(request, &["question"])
}

fn read(reader: &mut Reader, request: &Map<String, Value>) -> Option<Draft> {
    let has = |name: &&str| request.get(*name).is_some_and(|value| !value.is_null());
    let questions = request.get("questions").and_then(Value::as_array).into_iter().flatten();
    let tells = |question: &Value| TABLE.telling.iter().any(|name| question.get(*name).is_some());
    if !["sessionID", "tool", "properties"].iter().any(has) && !questions.into_iter().any(tells) {
        reader.assume(RULES.name, &["vscode"]);
    }
    TABLE.read(reader, request)
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
        && any_question_has(request, &["question"])
        && !any_question_has(request, OTHERS)
}

static TABLE: Table = Table {
    wrap: Some(("type", &["question.asked", "question.v2.asked"], "properties")),
    marks: &["sessionID"],
    telling: &["multiple", "custom"],
    shape: Shape { multiple: "multiple", other: ("custom", true), fields: FIELDS, ..Shape::PLAIN },
    replied: Said::Json("{\"rejected\":true}"),
    ..Table::LIST
};
