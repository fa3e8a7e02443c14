//! The rows of a choice, with native controls: `select` and `multi_select` differ in their kind alone. "Other" is a row with
//! a field of its own; previews stand beside the rows, and follow the focus and the pointer.

use super::{filter, invalid, kept};
use crate::{
    dom::{self, Element, Event, HtmlElement, JsCast, Node, next_frame, property},
    element::{El, el, tell_input, text_in},
    fold::Texts,
    list::is_long,
    rows::{self, CHOSEN, NOT_CHOSEN, Other, Row, Rows, is_chosen},
    ui::Ui,
    words,
};
use ask_user_core::{Action, Asking, Choice, Choices, Content, Given};
use serde_json::Value;
use std::{
    cell::{Cell, RefCell},
    rc::Rc,
    sync::Arc,
};

/// The events of the window before and after the page is printed.
const BEFORE_PRINT: &str = "beforeprint";
const AFTER_PRINT: &str = "afterprint";

/// The key under which it is kept what is chosen: a mark for each option.
pub fn chosen_key(asking: &Asking) -> String {
    format!("{}.chosen", asking.question.id)
}

/// The controls of the options.
pub struct Field(Rc<Rows>);

impl Field {
    /// The rows of all options: `kind` is `radio` or `checkbox`, `checked` has the places of those that are chosen at first,
    /// unless others were chosen and not sent. Gives them with the element that holds them, the previews beside them and the filter above.
    pub fn new(ui: Ui, asking: &Asking, choices: &Choices, kind: &'static str, checked: &[usize]) -> (Self, El) {
        let key = chosen_key(asking);
        let last = asking.draft.as_ref().map(|draft| draft.as_array().and_then(|list| list.last()).unwrap_or(draft));
        let restored = last.filter(|_| asking.draft_other).and_then(Value::as_str);
        let count = choices.as_slice().len();
        let marks = ui.typed(&key).map_or_else(
            || {
                let mut marks = vec![NOT_CHOSEN; count];
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
        let first = marks.iter().take(count).position(|mark| *mark == CHOSEN).unwrap_or(0);
        let leads_on = kind == "radio" && leads_on(ui, asking, choices);
        let mut list = el("div").attr("class", "options").attr_if(leads_on, "data-leads-on", "");
        let holder = rows::is_long(count).then(|| {
            // What an item of a list is, a checkbox is not: one of so many.
            el("div").attr("class", "rows").attr_if(kind != "radio", "role", "list")
        });
        let nodes = (list.node(), holder.as_ref().map_or_else(|| list.node(), El::node));
        let is_other = marks.get(count) == Some(&CHOSEN);
        let other = choices.other().then(|| other(ui, asking, kind, is_other, restored));
        let (other, other_row) = other.unzip();
        let previews = choices.have_previews().then(|| Previews::new(first));
        let (question, body) = (Arc::clone(&asking.question), previews.as_ref().map(|previews| previews.body.node()));
        let shown = previews.as_ref().map(|previews| Rc::clone(&previews.shown));
        let make = move |place: usize, chosen: bool| {
            let choice = question.answer_type.choices().and_then(|choices| choices.as_slice().get(place));
            let choice = choice.expect("every row is of an option");
            let control = control(ui, kind, &format!("option-{place}"), &described_by(ui, place, choice))
                .attr("data-option", &ask_user_core::json::text(&choice.value))
                .prop("checked", chosen);
            let node = control.node();
            let row = row(ui, place, choice, control);
            let clicked = node.clone();
            let row = if leads_on { row.on("click", move |event| go_on(ui, &event, &clicked)) } else { row };
            let row = match &shown {
                Some(shown) => follow(shown, row, place),
                None => row,
            };
            let outer = if rows::is_long(count) {
                el("div").attr("class", "slot").attr_if(kind != "radio", "role", "listitem").child(row)
            } else {
                row
            };
            let preview = shown.as_ref().zip(body.as_ref()).zip(choice.preview.as_ref());
            let preview = preview.map(|((shown, body), text)| shown.preview(ui, body, place, text));
            Row { place, outer, control: node, preview }
        };
        let texts = Texts::new(Arc::clone(&asking.question));
        let rows = Rc::new(Rows::new(nodes, texts, kind == "radio", marks, other, Box::new(make)));
        ui.lists(&rows);
        let (input, focused) = (Rc::clone(&rows), Rc::clone(&rows));
        if let Some(holder) = holder {
            list = in_sight(list, holder, &rows);
        }
        let refused = (Rc::clone(&rows), invalid(ui));
        let list = list
            .children(other_row)
            .attr_from("data-invalid", move || {
                let invalid = refused.1();
                refused.0.refuse(invalid);
                invalid
            })
            .on("input", move |_| ui.keep_typed(&key, input.marks()))
            .on("focusin", move |event| {
                if let Some(target) = event.target().and_then(|target| target.dyn_into::<Node>().ok()) {
                    focused.focused(&target);
                }
            });
        let body = match previews {
            Some(previews) => el("div").attr("class", "beside").child(list).child(previews.body),
            None => list,
        };
        let body = if filter::is_offered(count) { filter::above(ui, asking, &rows, body) } else { body };
        (Self(rows), body)
    }

    /// The keys that act: `one` of the options is chosen, or several.
    pub fn keys(&self, one: bool) -> words::Keys {
        let rows = &self.0;
        match (one, filter::is_offered(rows.texts.choices().len())) {
            (true, true) if rows.is_long() => words::KEYS_SELECT_FAR,
            (true, true) => words::KEYS_SELECT_FILTER,
            (false, true) if rows.is_long() => words::KEYS_SEVERAL_FAR,
            (false, true) => words::KEYS_SEVERAL_FILTER,
            (one, false) => match (one, is_long(rows.count())) {
                (true, false) => words::KEYS_SELECT,
                (true, true) => words::KEYS_SELECT_LONG,
                (false, false) => words::KEYS_SEVERAL,
                (false, true) => words::KEYS_SEVERAL_LONG,
            },
        }
    }

    /// Takes back what is chosen.
    pub fn choose_none(&self) {
        self.0.choose(false);
    }

    /// The same, and tells the form.
    pub fn clear(&self) {
        self.choose_none();
        tell_input(&self.0.list);
    }

    /// Whether anything is chosen, "Other" included.
    pub fn is_any_chosen(&self) -> bool {
        !self.0.chosen().is_empty() || self.0.chosen_other().is_some()
    }

    /// What is chosen: `one`, or as many as there are.
    pub fn read(&self, one: bool) -> Action {
        let choices = self.0.texts.choices();
        let chosen = self.0.chosen();
        let mut values: Vec<Value> =
            chosen.iter().filter_map(|place| Some(choices.get(*place)?.value.clone())).collect();
        Action::Answer(Given::new(match self.0.chosen_other() {
            Some(other) => Content::Other { text: text_in(&other.text), beside: values },
            None if one => Content::Value(values.pop().unwrap_or_default()),
            None => Content::Value(Value::Array(values)),
        }))
    }
}

/// Keeps the rows in sight in the document, whether the list is scrolled, comes on the page or gets another size. While the page is printed, all rows are there.
fn in_sight(list: El, holder: El, rows: &Rc<Rows>) -> El {
    let list = list.named("options long", "options").children(rows::findable(rows)).child(holder);
    let [scrolled, resized, printed, focused, pressed] = [(); 5].map(|()| Rc::clone(rows));
    let sized = dom::observe_size(&list.node(), move || {
        let rows = Rc::downgrade(&resized);
        // What is changed while the browser tells of sizes would be told of in the same breath.
        next_frame(None, move || {
            if let Some(rows) = rows.upgrade() {
                rows.resized();
            }
        });
    });
    let print = move |event: Event| printed.print(event.type_() == BEFORE_PRINT);
    let list = list.holding(sized).holding(dom::listen_to_window(None, &[BEFORE_PRINT, AFTER_PRINT], false, print));
    let list = list.on("focusin", move |_| focused.hide_found()).on("pointerdown", move |_| pressed.hide_found());
    list.on("scroll", move |_| scrolled.render())
}

/// The row of "Other", and what is read of it. Writing chooses it; choosing it leads to the field, from which Arrow Up leads back.
fn other(ui: Ui, asking: &Asking, kind: &str, chosen: bool, restored: Option<&str>) -> (Other, El) {
    let control = control(ui, kind, "option-other", &ui.id("error")).attr("data-other", "").prop("checked", chosen);
    let text = el("textarea")
        .attr("id", &ui.id("other"))
        .attr("data-own", "")
        .attr("rows", "1")
        .attr("part", "input")
        // Beside other questions, Enter breaks the line.
        .attr_if(ui.is_beside_others(), "data-lines", "")
        .attr("dir", "auto")
        .attr_said("aria-label", words::SOMETHING_ELSE_LABEL)
        .attr("aria-describedby", &format!("{} {}", ui.id("error"), ui.id("other-keys")));
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
    let text = text.on("input", move |_| rows::check(&node, true));
    // Arrows and Space make clicks, too.
    let control = control.on("click", move |_| {
        if is_chosen(&chosen) {
            drop(target.focus());
        }
    });
    let clicked = control.node();
    let label = el("label").attr("for", &ui.id("option-other")).say(words::SOMETHING_ELSE).on("click", move |event| {
        // By itself a label gives its control the focus, in WebKit after the click.
        event.prevent_default();
        drop(clicked.focus());
        clicked.click();
    });
    let keys = el("span").attr("id", &ui.id("other-keys")).attr("hidden", "").say(words::SOMETHING_ELSE_KEYS);
    let other = Other { control: control.node(), text: field };
    (other, el("div").named("option", "option").child(control).child(label).child(text).child(keys))
}

/// The previews of a choice, of which one is shown.
struct Previews {
    body: El,
    shown: Rc<Shown>,
}

/// Which preview is shown: that of the row with the focus, or of the row below the pointer. Only those of rows in the document are there.
struct Shown {
    nodes: RefCell<Vec<(usize, HtmlElement)>>,
    shown: Cell<usize>,
    focused: Cell<usize>,
}

impl Shown {
    fn show(&self, place: usize) {
        self.shown.set(place);
        // Those whose row was taken out are forgotten.
        self.nodes.borrow_mut().retain(|(other, preview)| {
            preview.set_hidden(*other != place);
            preview.parent_node().is_some()
        });
    }

    /// Makes the preview of a row.
    fn preview(&self, ui: Ui, body: &HtmlElement, place: usize, text: &str) -> El {
        let preview = el("pre").named("preview", "preview").attr("id", &ui.id(&format!("preview-{place}")));
        let preview = preview
            .attr("tabindex", "0")
            .attr("role", "group")
            .attr("aria-labelledby", &ui.id(&format!("name-{place}")));
        let preview = preview.attr("dir", "auto").prop("hidden", place != self.shown.get()).markdown("preview", text);
        // It was made right now, and holds nothing.
        drop(body.append_child(&preview.node()));
        self.nodes.borrow_mut().push((place, preview.node()));
        preview
    }
}

impl Previews {
    fn new(first: usize) -> Self {
        let shown = Shown { nodes: RefCell::default(), shown: Cell::new(first), focused: Cell::new(first) };
        Self { body: el("div").attr("class", "previews"), shown: Rc::new(shown) }
    }
}

/// Shows the preview of a row while it has the focus, or the pointer.
fn follow(shown: &Rc<Shown>, row: El, place: usize) -> El {
    let [focused, entered, left] = [(); 3].map(|()| Rc::clone(shown));
    row.on("focusin", move |_| {
        focused.focused.set(place);
        focused.show(place);
    })
    .on("pointerenter", move |_| entered.show(place))
    .on("pointerleave", move |_| left.show(left.focused.get()))
}

fn control(ui: Ui, kind: &str, id: &str, described: &str) -> El {
    let control =
        el("input").attr("id", &ui.id(id)).attr("type", kind).attr("name", &ui.id("option")).attr("part", kind);
    control.attr("aria-describedby", described)
}

fn described_by(ui: Ui, place: usize, choice: &Choice) -> String {
    let parts = [
        (choice.recommended || choice.danger, "marks"),
        (choice.description.is_some(), "described"),
        (choice.preview.is_some(), "preview"),
    ];
    let id = |(is_there, name): &(bool, &str)| {
        if *is_there { ui.id(&format!("{name}-{place}")) + " " } else { String::new() }
    };
    parts.iter().map(id).collect::<String>() + &ui.id("error")
}

/// What the agent says of an option beside its description: that it advises it, and that choosing it cannot be undone.
fn marks(ui: Ui, place: usize, choice: &Choice) -> Option<El> {
    let mark = |name: &str, word| el("span").attr("class", "tag").attr("data-tag", name).say(word);
    let recommended = choice.recommended.then(|| mark("recommended", words::RECOMMENDED));
    let danger = choice.danger.then(|| mark("danger", words::DANGER_OPTION));
    let marks = || el("span").attr("id", &ui.id(&format!("marks-{place}"))).attr("class", "tags");
    (choice.recommended || choice.danger).then(|| marks().children(recommended).children(danger))
}

/// A row that is one target: its label takes the clicks of all of it. The name of the control is the option's alone.
fn row(ui: Ui, place: usize, choice: &Choice, control: El) -> El {
    let (id, name) = (ui.id(&format!("option-{place}")), ui.id(&format!("name-{place}")));
    let described = choice.description.as_ref().map(|text| {
        let described = el("span").attr("id", &ui.id(&format!("described-{place}"))).attr("class", "description");
        described.attr("dir", "auto").markdown("inline", text)
    });
    let control = control.attr("aria-labelledby", &name);
    let name =
        el("span").attr("id", &name).attr("class", "name").attr("dir", "auto").text(&words::shown(&choice.label));
    let label = el("label").attr("for", &id).child(name).children(marks(ui, place, choice)).children(described);
    let row = el("div").named("option", "option").attr_if(choice.danger, "data-danger", "");
    row.child(control).child(label).child(badge(place))
}

/// The key of an option. It is shown where keys act.
fn badge(place: usize) -> El {
    el("kbd").attr("aria-hidden", "true").text(&words::digit(place))
}

/// Whether choosing an option answers the question: nothing else is asked for at this step, and after any option comes a step that leads back. Under a tab,
/// nothing is answered yet, and the next tab comes.
fn leads_on(ui: Ui, asking: &Asking, choices: &Choices) -> bool {
    let is_alone = ui.is_tabbed || (ui.scope == 0 && !choices.other());
    let is_alone = is_alone && !asking.question.notes && !asking.question.has_danger();
    let has_preview = |choice: &Choice| choice.preview.is_some();
    is_alone
        && !choices.as_slice().iter().any(has_preview)
        && choices.as_slice().len() <= ANSWERING
        && (ui.is_tabbed || ui.leads_back(asking, choices.as_slice()))
}

/// Of so many options at most, choosing one may answer.
const ANSWERING: usize = 20;

/// Chooses the option of a row that a pointer clicked, and continues. Keys and scripts make clicks, too, which have no count.
fn go_on(ui: Ui, event: &Event, control: &HtmlElement) {
    let is_pointer = property(event, "detail").as_f64() > Some(0.0);
    let target = event.target().and_then(|target| target.dyn_into::<Element>().ok());
    let opens = target.as_ref().is_some_and(|target| target.closest("a, button").is_ok_and(|found| found.is_some()));
    if !is_pointer || opens {
        return;
    }
    if !target.is_some_and(|target| dom::is_input(&target)) {
        // The label would click the control once the step is gone.
        event.prevent_default();
        control.click();
    }
    ui.send();
}
