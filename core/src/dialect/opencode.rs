//! The dialect `opencode`: the tool `question` of opencode, alone or as its event, answered by position with lists of labels.

use super::{
    draft::{Rules, Tells, any_question_has},
    labelled::Shape,
    table::{Said, Table},
};
use serde_json::Value;

pub(super) const RULES: Rules = Rules {
    name: "opencode",
    tool: |_| "question",
    recognises,
    tells: Tells { listed: &["multiple", "custom"], ..Tells::NONE },
    read: |reader, request| TABLE.read(reader, request),
    unread: |request| TABLE.unread(request),
};

pub(super) const FIELDS: &[&str] = &["question", "header", "options", "multiple", "custom", "danger"];

fn recognises(request: &Value) -> bool {
    let is_called = request.get("tool").is_some_and(|tool| tool.get("callID").is_some());
    TABLE.recognises(request) || is_called && any_question_has(request, &["question"])
}

static TABLE: Table = Table {
    wrap: Some(("type", &["question.asked", "question.v2.asked"], "properties")),
    marks: &["sessionID"],
    telling: &["multiple", "custom"],
    shape: Shape { multiple: "multiple", other: ("custom", true), fields: FIELDS, ..Shape::PLAIN },
    replied: Said::Json("{\"rejected\":true}"),
    ..Table::LIST
};
