//! A field that holds nothing. It gives no answer: an empty text or an empty list is the answer only if a checkbox of its own says so.

use super::{Prompt, Read, choices::chosen_key};
use crate::{
    dom::HtmlElement,
    element::el,
    rows::{check, is_chosen},
    ui::Ui,
    words,
};
use ask_user_core::{Action, AnswerType, Asking, Content, Given, Question};
use serde_json::Value;

/// What is kept as chosen where the answer is empty.
const NONE: &str = "none";
/// The mark of a checkbox whose field holds something.
const OFF: &str = "data-off";

/// A prompt with that checkbox below its field, where a required question takes an empty answer. `is_any` tells whether the field holds something, which then is the answer; `ticked` is called when the checkbox is ticked.
pub fn below(
    ui: Ui,
    asking: &Asking,
    prompt: Prompt,
    is_any: impl Fn() -> bool + 'static,
    ticked: impl Fn() + 'static,
) -> Prompt {
    let value = empty(&asking.question);
    if asking.question.optional || !takes_nothing(&asking.question.answer_type) {
        return prompt;
    }
    let (id, key) = (ui.id("empty"), chosen_key(asking));
    let was_empty = asking.draft_answered && asking.draft.as_ref() == Some(&value);
    let is_ticked = ui.typed(&key).map_or(was_empty, |kept| kept == NONE);
    let control = el("input").attr("type", "checkbox").attr("part", "checkbox").attr("id", &id);
    let control = control.attr("aria-describedby", &ui.id("error")).attr("data-empty", "").prop("checked", is_ticked);
    let [node, ticked_node, asked_node, filled_node] = [(); 4].map(|()| control.node());
    let kept = key.clone();
    let control = control.on("input", move |_| {
        if is_chosen(&ticked_node) {
            ticked();
            ui.keep_typed(&kept, NONE.to_owned());
        } else {
            ui.keep_typed(&kept, String::new());
        }
    });
    let is_list = matches!(asking.question.answer_type, AnswerType::MultiSelect { .. });
    let (class, word) =
        if is_list { ("options", words::NONE_OF_THESE) } else { ("options empty", words::LEAVE_IT_EMPTY) };
    let row = el("div").named("option", "option").child(control).child(el("label").attr("for", &id).say(word));
    let is_missing = move || ui.refused().is_some_and(|refusal| refusal.code() == "required");
    let is_asked = move || is_missing() || is_chosen(&asked_node);
    // Beside something in the field, there is nothing to say. That an empty text is meant is asked once a text is missing.
    let row = el("div").named(class, "options").attr_if(is_any(), OFF, "").child(row);
    let row = row.attr_from("data-asked", move || if is_asked() { "true" } else { "false" });
    let shown = row.node();
    let body = el("div").attr("class", "field").child(prompt.body).child(row).on("input", move |_| {
        let is_any = is_any();
        drop(if is_any { shown.set_attribute(OFF, "") } else { shown.remove_attribute(OFF) });
        if is_any && is_chosen(&filled_node) {
            check(&filled_node, false);
            // A list keeps what is chosen under this key.
            if !is_list {
                ui.keep_typed(&key, String::new());
            }
        }
    });
    Prompt { body, empty: Some(node), ..prompt }
}

/// The reading of a field in which nothing is an answer only if the checkbox is ticked. Where an empty answer does not fit, the core says what does.
pub fn read(question: &Question, control: Option<HtmlElement>, read: Read) -> Read {
    let (value, is_number) = (empty(question), matches!(question.answer_type, AnswerType::Number(_)));
    let is_optional = question.optional;
    Box::new(move || match read() {
        Action::Answer(given) if is_nothing(&given.content, is_number) => {
            let content = match &control {
                Some(control) if is_chosen(control) => Content::Value(value.clone()),
                None if !is_optional => given.content,
                _ => Content::Value(Value::Null),
            };
            Action::Answer(Given { content, ..given })
        }
        action => action,
    })
}

/// Whether a field holds nothing. Blanks are no number. They are a text and a secret.
fn is_nothing(content: &Content, is_number: bool) -> bool {
    match content {
        Content::Typed(text) if is_number => text.trim().is_empty(),
        Content::Typed(text) => text.is_empty(),
        Content::Value(Value::Array(chosen)) => chosen.is_empty(),
        _ => false,
    }
}

/// Whether an empty answer may fit. Whether it has the pattern, the core says once it is given.
fn takes_nothing(answer_type: &AnswerType) -> bool {
    match answer_type {
        AnswerType::MultiSelect { selections, .. } => selections.minimum == 0,
        AnswerType::Text(rules) => rules.min_length == 0 && rules.format.is_none(),
        _ => false,
    }
}

/// The empty answer of a type.
fn empty(question: &Question) -> Value {
    match question.answer_type {
        AnswerType::MultiSelect { .. } => Value::Array(Vec::new()),
        _ => Value::String(String::new()),
    }
}
