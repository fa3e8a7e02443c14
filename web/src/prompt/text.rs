//! Free text, in an area that grows with it; one line where a format is asked for.

use super::{Prompt, field, typed};
use crate::{ui::Ui, words};
use ask_user_core::{Asking, Format, TextRules};
use serde_json::Value;

pub fn view(ui: Ui, asking: &Asking, rules: &TextRules) -> Prompt {
    let draft = asking.draft.as_ref().and_then(Value::as_str).unwrap_or_default();
    let line = |mode: &str, direction: &str| {
        let field = field(ui, "input", words::ANSWER).attr("type", "text").attr("inputmode", mode);
        field.attr("dir", direction).attr("spellcheck", "false").attr("autocapitalize", "off")
    };
    let field = match rules.format {
        None => field(ui, "textarea", words::ANSWER).attr("rows", "2").attr("dir", "auto"),
        Some(Format::Email) => line("email", "ltr"),
        Some(Format::Uri) => line("url", "ltr"),
        Some(Format::Date | Format::DateTime) => line("text", "ltr"),
    };
    typed(ui, asking, field, draft)
}
