//! Agents whose requests were read as another agent's, or not at all: each is answered in its own shape, or is rejected. `tests/cases/agents.json` has
//! them with the exact result that the agent's own package reads.

use ask_user_core::Dialect;
use serde_json::{Value, json};

/// A small request of a dialect that a table declares: a choice of `blue` and `red`.
pub(crate) fn small(dialect: Dialect) -> Value {
    let labels = json!([{ "label": "blue" }, { "label": "red" }]);
    match dialect {
        Dialect::Vscode => json!({ "questions": [
            { "header": "Color", "question": "Color?", "options": labels, "allowFreeformInput": true },
            { "header": "Why", "question": "Why?" },
        ] }),
        Dialect::Kimi => json!({ "questions": [
            { "question": "Color?", "header": "Color", "options": labels, "multi_select": false },
            { "question": "Mood?", "options": [{ "label": "calm" }, { "label": "loud" }] },
        ] }),
        Dialect::Copilot => json!({ "question": "Color?", "choices": ["blue", "red"], "allowFreeform": true }),
        Dialect::Zed => json!({ "question": "Color?", "options": ["blue", "red"], "allow_free_text": true }),
        Dialect::Mastra => json!({ "question": "Color?", "options": labels, "selectionMode": "single_select" }),
        Dialect::Roo => json!({ "question": "Color?", "follow_up": [{ "text": "blue" }, { "text": "red" }] }),
        Dialect::Cline => json!({ "question": "Color?", "options": ["blue", "red"] }),
        _ => Value::Null,
    }
}
