//! One file for each kind of prompt, all of one shape: `view(ui, asking)` gives the field and how to read it.

mod boolean;
mod choices;
mod multi_select;
mod number;
mod schema;
mod secret;
mod select;
mod text;

use crate::ui::Ui;
use ask_user_core::{Action, AnswerType, Asking};
use leptos::prelude::*;

/// A question's field.
pub struct Prompt {
    /// The field.
    pub body: AnyView,
    /// Reads the field when the person continues; absent where the field itself answers.
    pub read: Option<Box<dyn Fn() -> Action>>,
    /// The keys that act at this step.
    pub hint: &'static str,
    /// Whether the body holds an element with the id `suggestion` that describes the question.
    pub described: bool,
}

/// The prompt for a question.
pub fn view(ui: Ui, asking: &Asking<'_>) -> Prompt {
    match &asking.question.answer_type {
        AnswerType::Boolean => boolean::view(ui, asking),
        AnswerType::Select(choices) => select::view(ui, asking, choices),
        AnswerType::MultiSelect(choices) => multi_select::view(ui, asking, choices),
        AnswerType::Text => text::view(ui, asking),
        AnswerType::Number => number::view(ui, asking),
        AnswerType::Secret => secret::view(ui, asking),
        AnswerType::Schema(schema) => schema::view(ui, asking, schema),
    }
}

/// `aria-invalid` of a field: whether its answer was refused.
fn invalid(ui: Ui) -> impl Fn() -> &'static str + Send + Clone + 'static {
    move || if ui.refusal.with(Option::is_some) { "true" } else { "false" }
}
