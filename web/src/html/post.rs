//! A form that is answered without a script: what the browser posts is put into the tree of the same form, whose listeners then do what they do on a
//! page. A press counts only for what the person has seen: where the form has gone on meanwhile, or what was typed brings other fields, it is shown
//! again.

use super::{
    Html, print,
    write::{attribute, tree},
};
use crate::{
    dom::{self, Node, property, set_property},
    element::{El, tell_input},
    ui::{Panel, Ui},
};
use ask_user_core::{Outcome, Walk, json::Fingerprint};
use leptos::prelude::With;
use serde_json::{Map, Value};
use std::collections::{BTreeMap, BTreeSet};

/// The names of what a form posts beside its fields. No field has such a name.
pub const PRESSED: &str = ".press";
const SHOWN_AT: &str = ".at";
const FIELDS: &str = ".fields";
const PANEL: &str = ".panel";
const LED_HERE: &str = ".led";
const MEANT: &str = ".meant";

/// What became of a posted form.
#[derive(Clone, Debug)]
pub struct Posted {
    /// The form as it is now, as [`Html::shadow`] writes it. It says why an answer was not taken, and has what was typed.
    pub shadow: String,
    /// The saved walk, with what was typed beside it: keep it, and go on with it by [`Html::resume`]. `None` where the request was rejected.
    pub saved: Option<Value>,
    /// The secrets of the walk, by the ids of their questions. They are in no saved walk: keep them in memory alone.
    pub secrets: Map<String, Value>,
    /// How the form has ended, once it has.
    pub outcome: Option<Outcome>,
    /// Whether the form had gone on since it was shown, in another tab or on another device. Nothing was taken then.
    pub is_behind: bool,
    /// Whether the form that is shown is to be seen as the answer to this very request, rather than after a redirect: an answer was refused, or a panel
    /// was opened, and neither is in the saved walk.
    pub is_answer: bool,
}

impl Html<'_> {
    /// Takes what a form has posted: the names and values of its fields (URL Standard, section 5.1), in their order. Fields that the form does not have
    /// change nothing. Nothing is taken of a press that the person could not have meant.
    pub fn post(&self, fields: &[(String, String)]) -> Posted {
        self.within(|ui| {
            let fields = Fields::of(fields);
            if fields.one(SHOWN_AT) != Some(&print(ui)) {
                self.expire(ui);
                return self.posted(ui, "", true);
            }
            let led = fields.one(LED_HERE).unwrap_or_default();
            let panel = fields.one(PANEL).unwrap_or_default();
            if let Some((_, panel)) = PANELS.iter().find(|(name, _)| *name == panel) {
                ui.open(*panel, &[]);
            }
            self.fill(ui, &fields);
            if self.expire(ui) {
                return self.posted(ui, "", false);
            }
            // With what has been typed, other fields may stand there.
            let view = self.fill(ui, &fields);
            let pressed = fields.one(PRESSED).unwrap_or_default();
            let is_seen = fields.one(FIELDS) == Some(&names(&view.node()));
            let pressed = self.press(ui, view, pressed, led, is_seen, fields.one(MEANT).unwrap_or_default());
            self.posted(ui, &pressed, false)
        })
    }

    fn posted(&self, ui: Ui, pressed: &str, is_behind: bool) -> Posted {
        let outcome = ui.session(|session| session.walk().and_then(Walk::outcome));
        let is_refused = ui.refusal.with(Option::is_some);
        let response = ui.session(|session| session.walk().map(Walk::response)).unwrap_or_default();
        let secrets = response.get("secrets").and_then(Value::as_object).cloned().unwrap_or_default();
        let is_answer = is_refused || !(ui.is_open(Panel::None) || ui.is_open(Panel::Opened));
        Posted { shadow: self.written(ui, pressed), saved: ui.save(), secrets, outcome, is_behind, is_answer }
    }

    /// Makes the view, and puts what was posted into its fields. The listeners hear of each field that is another than it was.
    fn fill(&self, ui: Ui, fields: &Fields<'_>) -> El {
        let view = self.view(ui);
        let (boxes, texts): (Vec<_>, Vec<_>) =
            controls(&view.node()).into_iter().partition(|(control, _)| is_box(control));
        let (mut written, mut ticked, mut own) = (Vec::new(), Vec::new(), Vec::new());
        for (control, name) in &texts {
            // A browser sends line breaks as CR LF.
            let plain = |text: &str| text.replace("\r\n", "\n");
            let before = property(control, "value").as_string().unwrap_or_default();
            let Some(text) = fields.one(name).map(plain).filter(|text| *text != plain(&before)) else { continue };
            set_property(control, "value", text.as_str());
            written.push(control);
            if control.has_attribute("data-own") && !text.is_empty() {
                own.extend(control.parent_node().and_then(|row| row.first_child()));
            }
        }
        for (control, name) in &boxes {
            // What is written in place of an option chooses it, unless another one was chosen.
            let is_own = own.iter().any(|own| own.is_same_node(Some(control)))
                && (control.type_() == "checkbox" || fields.one(name).is_none());
            let is_checked = is_own || fields.has(name, &value(control));
            if control.checked() != is_checked {
                set_property(control, "checked", is_checked);
                // Of a radio that is chosen no more, another one tells.
                if is_checked || control.type_() == "checkbox" {
                    ticked.push(control);
                }
            }
        }
        let chosen: Vec<bool> = boxes.iter().map(|(control, _)| control.checked()).collect();
        written.into_iter().for_each(tell_input);
        for control in ticked {
            tell_input(control);
            if let Some(event) = dom::event("change", true) {
                drop(control.dispatch_event(&event));
            }
        }
        // A listener may have chosen what belongs to what was written: the person's choice is what was posted.
        for ((control, _), is_checked) in boxes.iter().zip(chosen) {
            if control.checked() != is_checked {
                set_property(control, "checked", is_checked);
                tell_input(control);
            }
        }
        dom::run_tasks();
        view
    }

    /// Presses a button, and gives the one that has led to the question whether an answer is meant. Where the focus goes by it is found in the view that is
    /// made next.
    fn press(&self, ui: Ui, view: El, pressed: &str, led: &str, is_seen: bool, meant: &str) -> String {
        let root = view.node();
        let find = |key: &str| buttons(&root).into_iter().find(|button| self::key(button) == key);
        let submit = || root.query_selector(".actions [type=submit]").ok().flatten();
        let Some(button) = (if pressed.is_empty() { submit() } else { find(pressed) }) else { return String::new() };
        if button.has_attribute("data-confirm") {
            let Some(first) = find(led) else { return String::new() };
            first.click();
            // What the person has confirmed is what was asked.
            if is_seen && ui.is_open(Panel::Confirm) && self::meant(ui) == meant {
                ui.confirm();
                return String::new();
            }
            return led.to_owned();
        }
        let sends = button.type_() == "submit" && !button.has_attribute("data-send-reply");
        if is_seen || !sends {
            button.click();
        }
        if ui.is_open(Panel::Confirm) { key(&button) } else { String::new() }
    }
}

/// The panels that stay open until something else is pressed.
const PANELS: [(&str, Panel); 4] =
    [("reply", Panel::Reply), ("end_turn", Panel::EndTurn), ("opened", Panel::Opened), ("confirm", Panel::Confirm)];

/// Writes a form that is posted.
pub fn write(html: &mut String, ui: Ui, root: &Node, action: &str, pressed: &str) {
    html.push_str("<form method=\"post\" novalidate autocomplete=\"off\"");
    attribute(html, "action", action);
    html.push('>');
    let panel = PANELS.iter().find(|(_, panel)| ui.is_open(*panel)).map_or("", |(name, _)| name);
    let meant = if ui.is_open(Panel::Confirm) { meant(ui) } else { String::new() };
    let at = print(ui);
    for (name, value) in
        [(SHOWN_AT, &at[..]), (FIELDS, &names(root)), (PANEL, panel), (LED_HERE, pressed), (MEANT, &meant)]
    {
        html.push_str("<input type=\"hidden\"");
        attribute(html, "name", name);
        attribute(html, "value", value);
        html.push('>');
    }
    // Enter in a field presses the first button of a form (HTML Standard, "Implicit submission"): never one that answers.
    html.push_str("<button type=\"submit\" hidden");
    attribute(html, "name", PRESSED);
    attribute(html, "value", "");
    html.push_str("></button>");
    tree(html, root, true);
    html.push_str("</form>");
}

/// What was posted: the first value of each name, and all pairs. A form of many fields and a body of many pairs are compared in time linear in both,
/// but for a logarithm.
struct Fields<'a> {
    first: BTreeMap<&'a str, &'a str>,
    all: BTreeSet<(&'a str, &'a str)>,
}

impl<'a> Fields<'a> {
    fn of(pairs: &'a [(String, String)]) -> Self {
        let pairs = || pairs.iter().map(|(name, value)| (name.as_str(), value.as_str()));
        // Of two with one key, the last stays.
        Self { first: pairs().rev().collect(), all: pairs().collect() }
    }

    fn one(&self, name: &str) -> Option<&'a str> {
        self.first.get(name).copied()
    }

    fn has(&self, name: &str, value: &str) -> bool {
        self.all.contains(&(name, value))
    }
}

/// The fields of a form that are posted, with their names.
fn controls(root: &Node) -> Vec<(Node, String)> {
    let all = root.descendants().into_iter();
    let fields = all.filter(|node| dom::is_area(node) || dom::is_input(node)).filter(|node| !is_filter(node));
    fields.map(|node| (node.clone(), name(&node))).collect()
}

fn buttons(root: &Node) -> Vec<Node> {
    root.descendants().into_iter().filter(|node| node.tag() == "button").collect()
}

fn is_filter(node: &Node) -> bool {
    node.type_() == "search"
}

fn is_box(node: &Node) -> bool {
    matches!(node.type_().as_str(), "radio" | "checkbox")
}

/// The name that a field is posted by: what browsers send together has one name.
pub fn name(node: &Node) -> String {
    match node.get_attribute(if node.type_() == "radio" { "name" } else { "id" }) {
        Some(name) => name,
        None if node.has_attribute("data-remember") => around(node, "remember"),
        None => around(node, "answer"),
    }
}

/// The value of a box that is ticked.
pub fn value(node: &Node) -> String {
    node.get_attribute("id").unwrap_or_else(|| "on".to_owned())
}

/// A name within the question that an element belongs to.
fn around(node: &Node, name: &str) -> String {
    let on_page = node.closest("[data-on-page]").ok().flatten().and_then(|page| page.get_attribute("data-on-page"));
    let call = node.closest("[data-approval]").ok().flatten().and_then(|call| call.get_attribute("data-approval"));
    on_page.or(call).map_or_else(|| name.to_owned(), |id| format!("{name}:{id}"))
}

/// What a button is known by: what it is marked with, within its question.
pub fn key(node: &Node) -> String {
    let is_mark = |name: &str| name.starts_with("data-") && name != "data-suggested" && name != "data-danger";
    let mark = node.attributes().into_iter().find(|(name, _)| is_mark(name));
    let mark = mark.map_or_else(|| node.type_(), |(name, value)| format!("{name}={value}"));
    around(node, &mark)
}

/// A digest of the names of all fields.
fn names(root: &Node) -> String {
    controls(root)
        .iter()
        .fold(Fingerprint::new(), |print, (node, name)| print.text(name).text(&value(node)))
        .to_string()
}

/// A digest of what is to be confirmed.
fn meant(ui: Ui) -> String {
    let all = ui.to_confirm();
    let print = all
        .iter()
        .fold(Fingerprint::new(), |print, (question, taken)| print.text(&question.id).value(&taken.answer.shown()));
    print.to_string()
}
