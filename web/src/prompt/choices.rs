//! The rows of a choice, with native controls: `select` and `multi_select` differ in their kind alone. "Other" is a row with
//! a field of its own; previews stand beside the rows, and follow the focus and the pointer.

use super::{invalid, kept};
use crate::{
    element::{El, el, property, text_in},
    list::is_long,
    ui::Ui,
    words,
};
use ask_user_core::{Action, Asking, Choice, Choices, Content, Given};
use js_sys::Reflect;
use serde_json::Value;
use std::{cell::Cell, rc::Rc};
use wasm_bindgen::JsCast;
use web_sys::{Element, Event, HtmlElement, HtmlInputElement};

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
        let leads_on = kind == "radio" && leads_on(ui, asking, choices);
        let mut list = el("div").attr("class", "options").attr_if(leads_on, "data-leads-on", "");
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
            let node = control.node();
            controls.push((node.clone(), choice.value.clone()));
            let row = row(place, choice, control);
            let row = if leads_on { row.on("click", move |event| go_on(ui, &event, &node)) } else { row };
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

    /// The keys that act: `one` of the options is chosen, or several.
    pub fn keys(&self, one: bool) -> words::Keys {
        match (one, is_long(self.controls.len() + usize::from(self.other.is_some()))) {
            (true, false) => words::KEYS_SELECT,
            (true, true) => words::KEYS_SELECT_LONG,
            (false, false) => words::KEYS_SEVERAL,
            (false, true) => words::KEYS_SEVERAL_LONG,
        }
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
    /// The row, and what is read of it. Writing chooses it; choosing it leads to the field, from which Arrow Up leads back.
    fn new(ui: Ui, asking: &Asking, kind: &str, chosen: bool, restored: Option<&str>) -> (Self, El) {
        let control = control(kind, "option-other", "error").attr("data-other", "").prop("checked", chosen);
        let text = el("input")
            .attr("id", "other")
            .attr("type", "text")
            .attr("part", "input")
            .attr("dir", "auto")
            .attr_said("aria-label", words::SOMETHING_ELSE_LABEL)
            .attr("aria-describedby", "error other-keys");
        let (text, field) = kept(ui, text, format!("{}.other", asking.question.id), restored.unwrap_or_default());
        let (node, target) = (control.node(), field.clone());
        let invalid = invalid(ui);
        let text = text.attr_from("aria-invalid", {
            let node = node.clone();
            // Asked first, so that it is asked again.
            move || match (invalid(), is_chosen(&node)) {
                (refused, true) => refused,
                (_, false) => "false",
            }
        });
        let chosen = node.clone();
        let text = text.on("input", move |_| drop(Reflect::set(&node, &"checked".into(), &true.into())));
        // Arrows and Space make clicks, too.
        let control = control.on("click", move |_| {
            if is_chosen(&chosen) {
                drop(target.focus());
            }
        });
        let clicked = control.node();
        let label = el("label").attr("for", "option-other").say(words::SOMETHING_ELSE).on("click", move |event| {
            // By itself a label gives its control the focus, in WebKit after the click.
            event.prevent_default();
            drop(clicked.focus());
            clicked.click();
        });
        let keys = el("span").attr("id", "other-keys").attr("hidden", "").say(words::SOMETHING_ELSE_KEYS);
        let other = Self { control: control.node(), text: field };
        (other, el("div").named("option", "option").child(control).child(label).child(text).child(keys))
    }
}

/// The previews of a choice, of which one is shown.
struct Previews {
    body: El,
    shown: Rc<Shown>,
}

/// Which preview is shown: that of the row with the focus, or of the row below the pointer.
struct Shown {
    nodes: Vec<Option<HtmlElement>>,
    shown: Cell<usize>,
    focused: Cell<usize>,
}

impl Shown {
    fn show(&self, place: usize) {
        for (place, hidden) in [(self.shown.replace(place), true), (place, false)] {
            if let Some(Some(preview)) = self.nodes.get(place) {
                preview.set_hidden(hidden);
            }
        }
    }
}

impl Previews {
    fn new(choices: &Choices, first: usize) -> Option<Self> {
        let (mut body, mut nodes) = (el("div").attr("class", "previews"), Vec::new());
        for (place, choice) in choices.as_slice().iter().enumerate() {
            let preview = choice.preview.as_ref().map(|text| {
                let preview = el("pre").named("preview", "preview").attr("id", &format!("preview-{place}"));
                let preview = preview
                    .attr("tabindex", "0")
                    .attr("role", "group")
                    .attr("aria-labelledby", &format!("name-{place}"));
                preview.attr("dir", "auto").prop("hidden", place != first).markdown("preview", text)
            });
            nodes.push(preview.as_ref().map(El::node));
            body = body.children(preview);
        }
        let some = nodes.iter().any(Option::is_some);
        let shown = Shown { nodes, shown: Cell::new(first), focused: Cell::new(first) };
        some.then(|| Self { body, shown: Rc::new(shown) })
    }

    /// Shows the preview of a row while it has the focus, or the pointer.
    fn follow(&self, row: El, place: usize) -> El {
        let [focused, entered, left] = [(); 3].map(|()| Rc::clone(&self.shown));
        row.on("focusin", move |_| {
            focused.focused.set(place);
            focused.show(place);
        })
        .on("pointerenter", move |_| entered.show(place))
        .on("pointerleave", move |_| left.show(left.focused.get()))
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

/// A row that is one target: its label takes the clicks of all of it. The name of the control is the option's alone.
fn row(place: usize, choice: &Choice, control: El) -> El {
    let (id, name) = (format!("option-{place}"), format!("name-{place}"));
    let described = choice.description.as_ref().map(|text| {
        let described = el("span").attr("id", &format!("described-{place}")).attr("class", "description");
        described.attr("dir", "auto").markdown("inline", text)
    });
    let control = control.attr("aria-labelledby", &name);
    let name = el("span").attr("id", &name).attr("class", "name").attr("dir", "auto").markdown("label", &choice.label);
    let label = el("label").attr("for", &id).child(name).children(described);
    el("div").named("option", "option").child(control).child(label).child(badge(place))
}

/// The key of an option. It is shown where keys act.
fn badge(place: usize) -> El {
    el("kbd").attr("aria-hidden", "true").text(&words::digit(place))
}

/// Whether choosing an option answers the question: nothing else is asked for at this step, and after any option comes a step that leads back.
fn leads_on(ui: Ui, asking: &Asking, choices: &Choices) -> bool {
    let is_alone = !choices.other() && !asking.question.notes;
    let has_preview = |choice: &Choice| choice.preview.is_some();
    is_alone
        && !choices.as_slice().iter().any(has_preview)
        && choices.as_slice().len() <= ANSWERING
        && ui.leads_back(asking, choices.as_slice())
}

/// Of so many options at most, choosing one may answer.
const ANSWERING: usize = 20;

/// Chooses the option of a row that a pointer clicked, and continues. Keys and scripts make clicks, too, which have no count.
fn go_on(ui: Ui, event: &Event, control: &HtmlElement) {
    let is_pointer = Reflect::get(event, &"detail".into()).is_ok_and(|count| count.as_f64() > Some(0.0));
    let target = event.target().and_then(|target| target.dyn_into::<Element>().ok());
    let opens = target.as_ref().is_some_and(|target| target.closest("a, button").is_ok_and(|found| found.is_some()));
    if !is_pointer || opens {
        return;
    }
    if !target.is_some_and(|target| target.is_instance_of::<HtmlInputElement>()) {
        // The label would click the control once the step is gone.
        event.prevent_default();
        control.click();
    }
    ui.send();
}
