//! The field above a list of many options that lists those that match what is typed there, and what can be done to all of them.

use crate::{
    dom::{Event, HtmlElement, HtmlInputElement, JsCast, KeyboardEvent, Node},
    element::{El, button, el, say_anew, tell_input, text_in},
    guard::composes,
    rows::Rows,
    ui::{Panel, Ui},
    words,
};
use ask_user_core::{AnswerType, Asking};
use std::rc::Rc;

/// How many options are seen at a glance.
const GLANCE: usize = 10;

/// Whether a list of so many options has a filter.
pub fn is_offered(options: usize) -> bool {
    options > GLANCE
}

/// What the filter is made of.
struct Filter {
    ui: Ui,
    rows: Rc<Rows>,
    field: HtmlElement,
    status: HtmlElement,
    /// Chooses all that match, where several may be chosen.
    all: Option<HtmlElement>,
    /// How many may be chosen.
    most: Option<usize>,
}

/// A list of options with its filter above.
pub fn above(ui: Ui, asking: &Asking, rows: &Rc<Rows>, list: El) -> El {
    let field = el("input")
        .attr("id", &ui.id("filter"))
        .attr("type", "search")
        .attr("part", "input")
        .attr("dir", "auto")
        // It belongs to no form: Enter in it sends nothing, whatever makes the Enter.
        .attr("form", "")
        .attr("autocomplete", "off")
        .attr("spellcheck", "false")
        .attr_said("placeholder", words::FILTER)
        .attr_said("aria-label", words::FILTER)
        .attr("aria-describedby", &ui.id("filter-keys"));
    let status = el("p").attr("class", "hint").attr("role", "status").attr("data-matches", "");
    let most = match &asking.question.answer_type {
        AnswerType::MultiSelect { selections, .. } => selections.maximum,
        _ => None,
    };
    let all = (!rows.one).then(|| button(words::SELECT_ALL).attr("data-all", ""));
    let filter = Rc::new(Filter {
        ui,
        rows: Rc::clone(rows),
        field: field.node(),
        status: status.node(),
        all: all.as_ref().map(El::node),
        most,
    });
    let [typed, pressed, chosen, cleared] = [(); 4].map(|()| Rc::clone(&filter));
    let field = field.on("input", move |_| typed.apply());
    let all = all.map(|all| all.on_click(move || chosen.choose_all()));
    let none = (!rows.one)
        .then(|| button(words::CLEAR_SELECTION).attr("data-none", "").on_click(move || cleared.choose(false)));
    let tools = el("div").attr("class", "found").child(status).children(all).children(none);
    let keys = el("span").attr("id", &ui.id("filter-keys")).attr("hidden", "").say(words::FILTER_KEYS);
    el("div")
        .attr("class", "filtered")
        .child(el("div").attr("class", "filter").child(field).child(keys).child(tools))
        .child(list)
        .on("keydown", move |event| {
            if pressed.press(&event) {
                event.prevent_default();
                event.stop_propagation();
            }
        })
}

impl Filter {
    /// Lists what matches, and says how much that is.
    fn apply(&self) {
        let text = text_in(&self.field);
        let found = self.rows.filter(&text);
        let is_empty = text.trim().is_empty();
        self.say(&if is_empty { String::new() } else { words::matching(found.matching, found.all, found.beside) });
        if let Some(all) = &self.all {
            let word = if is_empty { words::SELECT_ALL } else { words::SELECT_MATCHING };
            say_anew(all, &self.ui.language(), word.0);
        }
        // Where nothing is listed, the filter has the focus that an option would have.
        drop(if found.matching + found.beside == 0 {
            self.field.set_attribute("data-field", "")
        } else {
            self.field.remove_attribute("data-field")
        });
    }

    fn say(&self, said: &str) {
        say_anew(&self.status, &self.ui.language(), said);
    }

    fn clear(&self) {
        let field: &HtmlInputElement = self.field.unchecked_ref();
        field.set_value("");
        self.apply();
    }

    /// Chooses all that match, unless those would be more than may be chosen.
    fn choose_all(&self) {
        match (self.rows.with_matching(), self.most) {
            (count, Some(most)) if count > most => self.say(&words::too_many(count, most)),
            _ => self.choose(true),
        }
    }

    fn choose(&self, all: bool) {
        self.rows.choose(all);
        tell_input(&self.rows.list);
        self.say(&words::selected(self.rows.chosen().len()));
    }

    /// Does what a key asks for in the filter or the list; says whether it meant anything there.
    fn press(&self, event: &Event) -> bool {
        let event: &KeyboardEvent = event.unchecked_ref();
        let target = event.target().and_then(|target| target.dyn_into::<Node>().ok());
        let is_field = self.field.is_same_node(target.as_ref());
        let is_held = event.ctrl_key() || event.meta_key();
        if composes(event) || event.alt_key() || event.shift_key() || !self.ui.guard().counts() {
            return false;
        }
        let has_text = !text_in(&self.field).is_empty();
        match event.key().as_str() {
            // The browser finds nothing in rows that are not in the document.
            "f" if is_held && !is_field && self.rows.is_long() => {
                let field: &HtmlInputElement = self.field.unchecked_ref();
                drop(field.focus());
                field.select();
                true
            }
            _ if is_held => false,
            "Escape" if has_text && !event.repeat() && self.ui.is_open(Panel::None) => {
                self.clear();
                if !is_field {
                    // Its row may have been moved, which takes the focus away.
                    self.rows.scroll_to(self.rows.at());
                    self.rows.go(self.rows.first(), false);
                }
                true
            }
            "ArrowDown" if is_field => {
                self.rows.go(self.rows.first(), self.rows.one);
                true
            }
            "Enter" if is_field => {
                if let Some(index) = self.rows.only().filter(|_| !event.repeat()) {
                    self.rows.go(index, self.rows.one);
                }
                true
            }
            _ => false,
        }
    }
}
