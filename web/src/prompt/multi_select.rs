//! Any number of the options, as checkboxes.

use super::{
    Prompt,
    choices::{Field, chosen_key},
};
use crate::{
    dom::HtmlElement,
    element::{El, el},
    rows::{check, is_chosen},
    ui::Ui,
    words,
};
use ask_user_core::{Action, AnswerType, Asking, Choices, Content, Given};
use serde_json::Value;
use std::rc::Rc;

pub fn view(ui: Ui, asking: &Asking, choices: &Choices) -> Prompt {
    let draft = asking.draft.as_ref().and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    // A text beside the options is the last of the list, and none of them.
    let draft: Vec<usize> = draft.iter().filter_map(|value| choices.place(value)).collect();
    let (rows, body) = Field::new(ui, asking, choices, "checkbox", &draft);
    let (keys, rows) = (rows.keys(false), Rc::new(rows));
    let (body, none) = match none_of_these(ui, asking, &rows) {
        Some((row, none)) => (with_none(body, row, none.clone(), Rc::clone(&rows)), Some(none)),
        None => (body, None),
    };
    // Nothing chosen leaves the question empty where that may be, and on a page that nobody has touched.
    let is_empty = asking.question.optional || ui.scope != 0;
    let read = move || match rows.read(false) {
        Action::Answer(Given { content: Content::Value(Value::Array(chosen)), .. })
            if is_empty && chosen.is_empty() && !none.as_ref().is_some_and(is_chosen) =>
        {
            Action::answer(Value::Null)
        }
        action => action,
    };
    Prompt::read(body, keys, read)
}

/// What is kept as chosen where none of the options is.
const NONE: &str = "none";

/// The options with that checkbox below. An option that is chosen takes its place.
fn with_none(options: El, row: El, none: HtmlElement, rows: Rc<Field>) -> El {
    let field = el("div").attr("class", "field").child(options);
    field.child(el("div").named("options", "options").child(row)).on("input", move |_| {
        if rows.is_any_chosen() {
            check(&none, false);
        }
    })
}

/// A checkbox for an empty list as the answer, on a page, where nothing chosen is no answer.
fn none_of_these(ui: Ui, asking: &Asking, rows: &Rc<Field>) -> Option<(El, HtmlElement)> {
    let AnswerType::MultiSelect { selections, .. } = &asking.question.answer_type else { return None };
    if ui.scope == 0 || asking.question.optional || selections.minimum > 0 {
        return None;
    }
    let (id, key) = (ui.id(NONE), chosen_key(asking));
    let control = el("input").attr("type", "checkbox").attr("part", "checkbox").attr("id", &id);
    let control = control.attr("aria-describedby", &ui.id("error"));
    // So it was answered before.
    let is_empty =
        || asking.draft_answered && asking.draft.as_ref().is_some_and(|draft| *draft == Value::Array(Vec::new()));
    let is_none = ui.typed(&key).map_or_else(is_empty, |kept| kept == NONE);
    let control = control.prop("checked", is_none);
    let (node, rows) = (control.node(), Rc::clone(rows));
    let ticked = node.clone();
    let control = control.on("input", move |_| {
        let is_none = is_chosen(&ticked);
        if is_none {
            rows.choose_none();
        }
        ui.keep_typed(&key, if is_none { NONE.to_owned() } else { String::new() });
    });
    let label = el("label").attr("for", &id).say(words::NONE_OF_THESE);
    Some((el("div").named("option", "option").child(control).child(label), node))
}
