//! The rows of a choice, with native controls: `select` and `multi_select` differ in their kind alone. "Other" is a row with
//! a field of its own; previews stand beside the rows, and follow the focus and the pointer.

use super::{invalid, kept, property, text_in};
use crate::{
    element::{El, el},
    ui::Ui,
    words,
};
use ask_user_core::{Action, Asking, Choice, Choices, Content, Given};
use serde_json::Value;
use std::{cell::Cell, rc::Rc};
use web_sys::HtmlElement;

/// How it is noted that an option is chosen, or is not.
const CHOSEN: u8 = b'1';
const NOT_CHOSEN: u8 = b'0';

/// The controls of the options.
pub struct Rows {
    controls: Vec<(HtmlElement, Value)>,
    other: Option<Other>,
}

/// The row for a text in place of an option.
struct Other {
    control: HtmlElement,
    text: HtmlElement,
}

impl Rows {
    /// The rows of all options: `kind` is `radio` or `checkbox`, `checked` has the places of those that are chosen at first,
    /// unless others were chosen and not sent. Gives them with the element that holds them, and the previews beside them.
    pub fn new(ui: Ui, asking: &Asking, choices: &Choices, kind: &str, checked: &[usize]) -> (Rc<Self>, El) {
        let key = format!("{}.chosen", asking.question.id);
        let last = asking.draft.as_ref().map(|draft| draft.as_array().and_then(|list| list.last()).unwrap_or(draft));
        let restored = last.filter(|_| asking.draft_other).and_then(Value::as_str);
        let marks = ui.typed(&key).map_or_else(
            || {
                let mut marks = vec![NOT_CHOSEN; choices.as_slice().len()];
                for place in checked {
                    if let Some(mark) = marks.get_mut(*place) {
                        *mark = CHOSEN;
                    }
                }
                marks.extend(restored.map(|_| CHOSEN));
                marks
            },
            String::into_bytes,
        );
        let is_chosen = |place: usize| marks.get(place) == Some(&CHOSEN);
        let first = (0..choices.as_slice().len()).find(|place| is_chosen(*place)).unwrap_or(0);
        let mut list = el("div").attr("class", "options");
        let mut controls = Vec::new();
        let previews = Previews::new(choices, first);
        for (place, choice) in choices.as_slice().iter().enumerate() {
            let described = described_by(place, choice);
            let control = control(kind, &format!("option-{place}"), &described)
                .attr("data-option", &ask_user_core::json::text(&choice.value))
                .prop("checked", is_chosen(place));
            // One control stands for all: it gets the focus after a refusal.
            let control = if place == first {
                control.attr("data-field", "").attr_from("aria-invalid", invalid(ui))
            } else {
                control
            };
            controls.push((control.node(), choice.value.clone()));
            let row = row(place, choice, control);
            list = list.child(match &previews {
                Some(previews) => previews.follow(row, place),
                None => row,
            });
        }
        let place = controls.len();
        let other = choices.other().then(|| Other::new(ui, asking, kind, is_chosen(place), restored));
        let (other, other_row) = other.unzip();
        let rows = Rc::new(Self { controls, other });
        let kept = Rc::clone(&rows);
        let list = list.children(other_row).on("input", move |_| ui.keep_typed(&key, kept.marks()));
        let body = match previews {
            Some(previews) => el("div").attr("class", "beside").child(list).child(previews.body),
            None => list,
        };
        (rows, body)
    }

    /// What is chosen at the moment: a mark for each option, and for "Other".
    fn marks(&self) -> String {
        let controls =
            self.controls.iter().map(|(control, _)| control).chain(self.other.iter().map(|other| &other.control));
        controls.map(|control| char::from(if is_chosen(control) { CHOSEN } else { NOT_CHOSEN })).collect()
    }

    /// What is chosen: `one`, or as many as there are.
    pub fn read(&self, one: bool) -> Action {
        let chosen = self.controls.iter().filter(|(control, _)| is_chosen(control));
        let mut values: Vec<Value> = chosen.map(|(_, value)| value.clone()).collect();
        let other = self.other.as_ref().filter(|other| is_chosen(&other.control));
        Action::Answer(Given::new(match other {
            Some(other) => Content::Other { text: text_in(&other.text), beside: values },
            None if one => Content::Value(values.pop().unwrap_or_default()),
            None => Content::Value(Value::Array(values)),
        }))
    }
}

impl Other {
    /// The row, and what is read of it. Writing chooses it; choosing it with a pointer leads to the field.
    fn new(ui: Ui, asking: &Asking, kind: &str, chosen: bool, restored: Option<&str>) -> (Self, El) {
        let control = control(kind, "option-other", "error").attr("data-other", "").prop("checked", chosen);
        let text = el("input")
            .attr("id", "other")
            .attr("type", "text")
            .attr("part", "input")
            .attr("dir", "auto")
            .attr("aria-label", words::OTHER_LABEL)
            .attr("aria-describedby", "error");
        let (text, field) = kept(ui, text, format!("{}.other", asking.question.id), restored.unwrap_or_default());
        let (node, target) = (control.node(), field.clone());
        let text = text.on("input", move |_| drop(js_sys::Reflect::set(&node, &"checked".into(), &true.into())));
        let control = control.on("click", move |event| {
            // Keys move through radios by clicks, too: those have no count.
            if js_sys::Reflect::get(&event, &"detail".into()).is_ok_and(|count| count.as_f64() > Some(0.0)) {
                drop(target.focus());
            }
        });
        let label = el("label").attr("for", "option-other").text(words::OTHER);
        let other = Self { control: control.node(), text: field };
        (other, el("div").named("option", "option").child(control).child(label).child(text))
    }
}

/// The previews of a choice, of which one is shown.
struct Previews {
    body: El,
    nodes: Rc<Vec<Option<HtmlElement>>>,
    shown: Rc<Cell<usize>>,
}

impl Previews {
    fn new(choices: &Choices, first: usize) -> Option<Self> {
        let (mut body, mut nodes) = (el("div").attr("class", "previews"), Vec::new());
        for (place, choice) in choices.as_slice().iter().enumerate() {
            let preview = choice.preview.as_ref().map(|text| {
                let preview = el("pre").named("preview", "preview").attr("id", &format!("preview-{place}"));
                preview.attr("dir", "auto").prop("hidden", place != first).text(&words::shown(text))
            });
            nodes.push(preview.as_ref().map(El::node));
            body = body.children(preview);
        }
        let some = nodes.iter().any(Option::is_some);
        some.then(|| Self { body, nodes: Rc::new(nodes), shown: Rc::new(Cell::new(first)) })
    }

    /// Shows the preview of a row while it has the focus or the pointer.
    fn follow(&self, row: El, place: usize) -> El {
        let show = |name: &str, row: El| {
            let (nodes, shown) = (Rc::clone(&self.nodes), Rc::clone(&self.shown));
            row.on(name, move |_| {
                for (place, hidden) in [(shown.replace(place), true), (place, false)] {
                    if let Some(Some(preview)) = nodes.get(place) {
                        preview.set_hidden(hidden);
                    }
                }
            })
        };
        show("pointerenter", show("focusin", row))
    }
}

fn is_chosen(control: &HtmlElement) -> bool {
    property(control, "checked").is_truthy()
}

fn control(kind: &str, id: &str, described: &str) -> El {
    let control = el("input").attr("id", id).attr("type", kind).attr("name", "option").attr("part", kind);
    control.attr("aria-describedby", described)
}

fn described_by(place: usize, choice: &Choice) -> String {
    let description = choice.description.as_ref().map(|_| format!("described-{place} "));
    let preview = choice.preview.as_ref().map(|_| format!("preview-{place} "));
    format!("{}{}error", description.unwrap_or_default(), preview.unwrap_or_default())
}

fn row(place: usize, choice: &Choice, control: El) -> El {
    let described = choice.description.as_ref().map(|text| {
        let described = el("span").attr("id", &format!("described-{place}")).attr("class", "description");
        described.attr("dir", "auto").text(&words::shown(text))
    });
    let name = el("span").attr("class", "name").attr("dir", "auto").text(&words::shown(&choice.label));
    let label = el("label").attr("for", &format!("option-{place}")).child(name).children(described);
    el("div").named("option", "option").child(control).child(label)
}
