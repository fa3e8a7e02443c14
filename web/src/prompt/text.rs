//! Free text, in an area that grows with it; one line where it must be short or of a format.

use super::{Prompt, empty, field, typed};
use crate::{
    dom::{has_bad_input, is_touched},
    element::{text_in, typed_in},
    ui::Ui,
    words,
};
use ask_user_core::{Action, Asking, Format, TextRules};
use serde_json::Value;

/// A text of at most so many characters has a field of one line.
const SHORT: usize = 80;

pub fn view(ui: Ui, asking: &Asking, rules: &TextRules) -> Prompt {
    let draft = asking.draft.as_ref().and_then(Value::as_str).unwrap_or_default();
    let line = |mode: &str, direction: &str| {
        let field = field(ui, "input", words::ANSWER).attr("type", "text").attr("inputmode", mode);
        field.attr("dir", direction).attr("spellcheck", "false").attr("autocapitalize", "off")
    };
    // A draft of several lines keeps them.
    let short =
        rules.format.is_none() && rules.max_length.is_some_and(|most| most <= SHORT) && !draft.contains(['\n', '\r']);
    let field = match rules.format {
        None if short => field(ui, "input", words::ANSWER).attr("type", "text").attr("dir", "auto"),
        None => {
            let area = field(ui, "textarea", words::ANSWER).attr("rows", "2").attr("dir", "auto");
            // Beside other questions, Enter breaks the line.
            area.attr("enterkeyhint", "enter").attr_if(ui.is_beside_others(), "data-lines", "")
        }
        // What the person's own browser knows of them (WCAG 2.2, 1.3.5).
        Some(Format::Email) => line("email", "ltr").attr("autocomplete", "email"),
        Some(Format::Uri) => line("url", "ltr"),
        // The browser shows it as the reader writes dates, and its value is always YYYY-MM-DD.
        Some(Format::Date) => line("text", "ltr").attr("type", "date"),
        // A script puts what picks one above it (`pkg/src/date-time.js`): the text stays what is sent.
        Some(Format::DateTime) => line("text", "ltr").attr("data-moment", ""),
    };
    let keys = match rules.format {
        _ if short => words::KEYS_OF_LINE,
        Some(_) => words::KEYS_OF_LINE,
        None if is_touched() => words::KEYS_JSON,
        None => words::KEYS_OF_LINES,
    };
    let [node, filled] = [(); 2].map(|()| field.node());
    let prompt = typed(ui, asking, field, draft);
    let untouched = ui.typed(&asking.question.id).is_none().then(|| text_in(&node));
    // A draft that nobody changed is sent with its own line breaks, of which the field makes one kind; with hidden characters, which may
    // be line breaks to some, it is sent as the field has it.
    let sent = if words::shown(draft) == draft { draft.to_owned() } else { text_in(&node) };
    let read = move || {
        // A date that is typed in part, or that does not exist, has no value. It is not empty: the core refuses what is no date.
        if has_bad_input(&node) {
            return Action::typed("?".to_owned());
        }
        Action::typed(if untouched == Some(text_in(&node)) { sent.clone() } else { typed_in(&node) })
    };
    let prompt = Prompt { keys, read: Some(Box::new(read)), ..prompt };
    empty::below(ui, asking, prompt, move || !text_in(&filled).is_empty(), || {})
}
