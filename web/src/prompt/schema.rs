//! A JSON value that a schema accepts, typed as text. It starts from the draft, or from a template of the schema.

use super::{Prompt, field, typed};
use crate::{notice, ui::Ui, words};
use ask_user_core::{Asking, json, schema::Schema};

pub fn view(ui: Ui, asking: &Asking, schema: &Schema) -> Prompt {
    let Some(compiled) = schema.compiled() else {
        let body = notice::loading(ui, words::LOADING_EDITOR);
        return Prompt::answering(body, words::KEYS_JSON);
    };
    let start = || asking.draft.clone().or_else(|| compiled.template());
    let text = asking.draft_text.clone().or_else(|| start().map(|start| json::text(&start)));
    let start = json::pretty(&text.unwrap_or_default());
    let field = field(ui, "textarea", words::JSON_ANSWER)
        .named("json", "input editor")
        .attr("rows", "8")
        .attr("dir", "ltr")
        .attr("spellcheck", "false")
        .attr("autocapitalize", "off")
        .attr_if(asking.draft.is_some(), "data-drafted", "");
    Prompt { keys: words::KEYS_JSON, ..typed(ui, asking, field, &start) }
}
