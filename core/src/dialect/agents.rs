//! The dialects of which a table says all: each is what one agent's tool sends, and what that tool gives to its model.

use super::{
    ask_user_question::DECLINED,
    calls,
    draft::{Rules, Tells},
    labelled::Shape,
    table::{Given, Key, Said, Table},
};
use crate::{answer::Answer, problem::object};
use serde_json::Value;

/// The rules of a dialect by its table.
macro_rules! rules {
    ($name:literal, $tool:literal, $tells:expr, $table:ident) => {
        Rules {
            name: $name,
            tool: |_| $tool,
            recognises: |request| $table.recognises(request),
            tells: $tells,
            read: |reader, request| $table.read(reader, request),
            unread: |request| $table.unread(request),
            own: None,
        }
    };
}

/// `vscode_askQuestions` of VS Code: answered by the header, in parts. A question may be skipped.
pub(super) const VSCODE: Rules = rules!(
    "vscode",
    "vscode_askQuestions",
    Tells { listed: &["multiSelect", "allowFreeformInput"], ..Tells::NONE },
    VSCODE_TABLE
);
static VSCODE_TABLE: Table = Table {
    telling: &["allowFreeformInput"],
    shape: Shape {
        header: 75,
        closed: 2,
        multiple: "multiSelect",
        other: ("allowFreeformInput", true),
        context: "message",
        optional: true,
        fields: VSCODE_FIELDS,
        ..Shape::PLAIN
    },
    key: Key::Field("header"),
    answer: in_parts,
    replied: Said::Skipped,
    ..Table::LIST
};
pub(super) const VSCODE_FIELDS: &[&str] =
    &["header", "question", "message", "options", "multiSelect", "allowFreeformInput", "danger"];

fn in_parts(given: &Given<'_>) -> Value {
    let (selected, free) = given.parts();
    let free = free.map_or(Value::Null, Value::from);
    let skipped = given.answer.is_none();
    Value::Object(object([("selected", selected.into()), ("freeText", free), ("skipped", skipped.into())]))
}

/// `AskUserQuestion` of Kimi CLI: that of Claude Code in another notation, and with another result where the person declines.
pub(super) const KIMI: Rules =
    rules!("kimi", "AskUserQuestion", Tells { listed: &["multi_select"], ..Tells::NONE }, KIMI_TABLE);
static KIMI_TABLE: Table = Table {
    around: &["questions", "id", "tool_call_id"],
    telling: &["multi_select"],
    most: 4,
    shape: Shape { header: 12, options: 2..=4, multiple: "multi_select", fields: KIMI_FIELDS, ..Shape::PLAIN },
    key: Key::Text,
    answer: |given| given.joined(),
    replied: Said::Json("{\"answers\":{},\"note\":\"User dismissed the question without answering.\"}"),
    ..Table::LIST
};
pub(super) const KIMI_FIELDS: &[&str] = &["question", "header", "options", "multi_select", "danger"];

/// What only interrupts of LangGraph, the tools of deepagents, and `ask_user` have in a single question.
const OTHERS: &[&str] =
    &["type", "answer_type", "questions", "multi_select", "allow_custom", "descriptions", "default", "header"];

/// `ask_user` of the GitHub Copilot SDK: choices as texts, answered by one of them or by a text.
pub(super) const COPILOT: Rules =
    rules!("copilot", "ask_user", Tells { single: &["choices", "allowFreeform"], ..Tells::NONE }, COPILOT_TABLE);
static COPILOT_TABLE: Table = Table {
    telling: &["choices", "allowFreeform"],
    never: OTHERS,
    shape: Shape {
        header: 0,
        list: "choices",
        other: ("allowFreeform", true),
        fields: &["question", "choices", "allowFreeform", "danger"],
        ..Shape::PLAIN
    },
    answer: |given| {
        let is_free = matches!(given.answer, Some(Answer::Other(_) | Answer::Text(_)));
        Value::Object(object([("answer", given.joined()), ("wasFreeform", is_free.into())]))
    },
    replied: Said::Own(DECLINED),
    ..Table::SINGLE
};

/// `ask_user` of Zed's agent: options as texts. Own words only where it says so.
pub(super) const ZED: Rules =
    rules!("zed", "ask_user", Tells { single: &["options", "allow_free_text"], ..Tells::NONE }, ZED_TABLE);
static ZED_TABLE: Table = Table {
    telling: &["allow_free_text"],
    never: OTHERS,
    shape: Shape {
        header: 0,
        closed: 2,
        other: ("allow_free_text", false),
        fields: &["question", "options", "allow_free_text", "danger"],
        ..Shape::PLAIN
    },
    answer: |given| Value::Object(object([("selected", given.joined())])),
    replied: Said::Json("{\"error\":\"The user declined to answer the question.\"}"),
    ended: Said::Json("{\"error\":\"The user cancelled the question without answering.\"}"),
    failed: Said::Under("error"),
    ..Table::SINGLE
};

/// `ask_user` of Mastra: answered by what a suspended tool is resumed with, a text or a list of texts.
pub(super) const MASTRA: Rules = Rules {
    recognises: |request| MASTRA_TABLE.recognises(request) || has_labels(request) || calls::MASTRA.recognises(request),
    read: |reader, request| match request.contains_key("payload") {
        true => calls::MASTRA.read(reader, request),
        false => MASTRA_TABLE.read(reader, request),
    },
    ..rules!("mastra", "ask_user", Tells { single: &["options", "selectionMode"], ..Tells::NONE }, MASTRA_TABLE)
};

/// Whether a single question has options with labels alone: others have texts, or values.
fn has_labels(request: &Value) -> bool {
    let has = |name: &&str| request.get(*name).is_some_and(|value| !value.is_null());
    let first = request.get("options").and_then(|options| options.get(0));
    let is_labelled = first.is_some_and(|option| option.get("label").is_some() && option.get("value").is_none());
    is_labelled && has(&"question") && !OTHERS.iter().any(has)
}

static MASTRA_TABLE: Table = Table {
    telling: &["selectionMode"],
    never: OTHERS,
    shape: Shape {
        header: 0,
        multiple: "selectionMode",
        several: Some(&["single_select", "multi_select"]),
        fields: &["question", "options", "selectionMode", "danger"],
        ..Shape::PLAIN
    },
    answer: |given| match given.answer {
        Some(Answer::MultiSelect(_)) => given.list(),
        _ => given.joined(),
    },
    replied: Said::Own(DECLINED),
    ..Table::SINGLE
};

/// `ask_followup_question` of Roo Code: suggestions, of which one or a text is the message of the user.
pub(super) const ROO: Rules =
    rules!("roo", "ask_followup_question", Tells { single: &["follow_up"], ..Tells::NONE }, ROO_TABLE);
static ROO_TABLE: Table = Table {
    telling: &["follow_up"],
    never: OTHERS,
    shape: Shape {
        header: 0,
        list: "follow_up",
        option: &["text"],
        label: "text",
        // It changes what the agent does, and the message of the user does not say it.
        refused: &["mode"],
        fields: &["question", "follow_up", "danger"],
        ..Shape::PLAIN
    },
    answer: |given| marked("user_message", given),
    replied: Said::Own(DECLINED),
    ..Table::SINGLE
};

/// `ask_followup_question` of Cline. Its requests tell nothing of it: a host names it.
pub(super) const CLINE: Rules = rules!("cline", "ask_followup_question", Tells::NONE, CLINE_TABLE);
static CLINE_TABLE: Table = Table {
    shape: Shape { header: 0, fields: &["question", "options", "danger"], ..Shape::PLAIN },
    answer: |given| marked("answer", given),
    replied: Said::Own(DECLINED),
    ..Table::SINGLE
};

/// An answer between marks with this name, as a model reads it.
fn marked(name: &str, given: &Given<'_>) -> Value {
    let text = given.joined();
    ["<", name, ">\n", text.as_str().unwrap_or_default(), "\n</", name, ">"].concat().into()
}
