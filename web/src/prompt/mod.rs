//! One file for each kind of prompt, all of one shape: `view(ui, asking)` gives the field and how to read it.

pub mod approval;
mod boolean;
mod choices;
mod command;
mod empty;
mod filter;
mod multi_select;
mod number;
mod schema;
mod secret;
mod select;
mod text;
mod url;

use crate::{
    dom::HtmlElement,
    element::{El, button, el, isolated, text_in},
    language::Word,
    ui::{self, Ui},
    words,
};
use ask_user_core::{Action, AnswerType, Asking, Refusal};
use leptos::prelude::With;

/// Reads what the person has put into a field.
pub type Read = Box<dyn Fn() -> Action>;

/// A question's field.
pub struct Prompt {
    /// The field.
    pub body: El,
    /// Reads the field when the person continues; absent where the field itself answers.
    pub read: Option<Read>,
    /// The keys that act at this step.
    pub keys: words::Keys,
    /// What stands beside the primary action.
    pub beside: Vec<El>,
    /// Whether the body holds an element with the id `suggestion` that describes the question.
    pub described: bool,
    /// The checkbox that makes an empty field the answer.
    empty: Option<HtmlElement>,
}

impl Prompt {
    /// A prompt whose field itself answers.
    fn answering(body: El, keys: words::Keys) -> Self {
        Self { body, read: None, keys, beside: Vec::new(), described: false, empty: None }
    }

    /// A prompt that is read when the person continues.
    fn read(body: El, keys: words::Keys, read: impl Fn() -> Action + 'static) -> Self {
        Self { body, read: Some(Box::new(read)), keys, beside: Vec::new(), described: false, empty: None }
    }
}

/// The prompt for a question.
pub fn view(ui: Ui, asking: &Asking) -> Prompt {
    let prompt = match &asking.question.answer_type {
        AnswerType::Boolean => boolean::view(ui, asking),
        AnswerType::Select(choices) => select::view(ui, asking, choices),
        AnswerType::MultiSelect { choices, .. } => multi_select::view(ui, asking, choices),
        AnswerType::Text(rules) => text::view(ui, asking, rules),
        AnswerType::Number(rules) => number::view(ui, asking, rules),
        AnswerType::Secret => secret::view(ui, asking),
        AnswerType::Url(link) => url::view(ui, link),
        AnswerType::Schema { schema } => schema::view(ui, asking, schema),
        // Tool calls have pages of their own.
        AnswerType::Approval(_) => Prompt::answering(el("div"), &[]),
    };
    let Prompt { read, empty, .. } = prompt;
    let read = read.map(|read| empty::read(&asking.question, empty, read));
    Prompt { read, empty: None, ..prompt }
}

/// A field that is typed into: `textarea` or `input`, with all that ties it to its question.
fn field(ui: Ui, tag: &str, label: Word) -> El {
    let field = el(tag);
    // Beside other questions, its own is its name.
    let field = match ui.scope {
        0 => field.attr_said("aria-label", label),
        _ => field.attr("aria-labelledby", &ui.id("legend")),
    };
    field
        .attr("part", "input")
        .attr("data-field", "")
        .attr("aria-describedby", &format!("{} {}", ui.id("context"), ui.id("error")))
        .attr_from("aria-invalid", invalid(ui))
}

/// The prompt of a field that is typed into.
fn typed(ui: Ui, asking: &Asking, field: El, draft: &str) -> Prompt {
    let field = with_placeholder(field, asking).attr_if(!asking.question.optional, "aria-required", "true");
    let (field, node) = kept(ui, field, asking.question.id.clone(), draft);
    // A field has the text as it is sent.
    if words::shown(draft) == draft {
        return prompt(field, node);
    }
    let marked = el("p").attr("class", "hint marked").attr("data-marked", "");
    let marked = marked.say_around(words::HIDDEN_CHARACTERS, isolated(draft));
    prompt(el("div").attr("class", "field").child(field).child(marked), node)
}

/// A field with an example of an answer, shown while it is empty.
fn with_placeholder(field: El, asking: &Asking) -> El {
    match &asking.question.placeholder {
        Some(text) => field.attr("placeholder", &words::shown(text)),
        None => field,
    }
}

/// A field that keeps what is typed there and not taken yet, or else begins with the draft.
pub fn kept(ui: Ui, field: El, key: String, draft: &str) -> (El, HtmlElement) {
    let start = ui.typed(&key);
    let node = field.node();
    let read = node.clone();
    let field = field
        .prop("value", start.as_deref().unwrap_or(draft))
        .on("input", move |_| ui.keep_typed(&key, text_in(&read)));
    (field, node)
}

/// The prompt of a field whose text is read when the person continues.
fn prompt(field: El, node: HtmlElement) -> Prompt {
    Prompt::read(field, words::KEYS_OF_LINE, move || Action::typed(text_in(&node)))
}

/// The button that takes back what is selected, on a page where a question may be left empty. A step has "Skip".
fn clear(ui: Ui, asking: &Asking, act: impl Fn() + 'static) -> Option<El> {
    let is_offered = ui.scope != 0 && asking.question.optional;
    let cleared = || button(words::CLEAR_SELECTION).attr("class", "quiet").attr("data-none", "").on_click(act);
    is_offered.then(cleared)
}

/// Whether the decision on a tool call was refused.
fn invalid_call(ui: Ui, id: String) -> impl Fn() -> &'static str + 'static {
    move || {
        let is_refused = |refusal: &Refusal| ui::refused(refusal, &id).is_some();
        if ui.refusal.with(|refusal| refusal.as_ref().is_some_and(is_refused)) { "true" } else { "false" }
    }
}

/// `aria-invalid` of a field: whether its answer was refused.
pub fn invalid(ui: Ui) -> impl Fn() -> &'static str + 'static {
    move || if ui.refused().is_some() { "true" } else { "false" }
}
