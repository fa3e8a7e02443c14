//! Elements of the page as views of Leptos. All are of one Rust type: the typed elements of `view!` make a type, and so a copy
//! of their code, of every combination of tag, attributes and children (docs/size.md has what that weighs). An element
//! is made once and never patched; what changes is made anew by an effect of Leptos. No markup is ever parsed.

use crate::language::{self, Language, Said, Word};
use leptos::{
    prelude::RenderEffect,
    tachys::{
        dom::document,
        html::attribute::{
            Attribute,
            any_attribute::{AnyAttribute, IntoAnyAttribute},
        },
        hydration::Cursor,
        view::{Mountable, Position, PositionState, Render, RenderHtml, add_attr::AddAnyAttr},
    },
};
use send_wrapper::SendWrapper;
use std::any::Any;
use wasm_bindgen::{JsCast, closure::Closure};
use web_sys::{Event, EventInit, HtmlElement, Node};

/// An element, and all that lives as long as it: listeners and effects, those of its children included.
/// One pointer: an element goes through many functions while it is made, and each would move all of it. Leptos wants a view to be [`Send`], and the
/// wrapper sees to it that it stays on its thread.
pub struct El(Box<SendWrapper<Made>>);

struct Made {
    node: HtmlElement,
    held: Vec<Box<dyn Any>>,
}

/// A new element.
///
/// # Panics
/// Where there is no document, or for a tag that is no name.
pub fn el(tag: &str) -> El {
    let made = document().create_element(tag).ok().and_then(|node| node.dyn_into().ok());
    El(Box::new(SendWrapper::new(Made {
        node: made.expect("every tag of the form is an HTML element"),
        held: Vec::new(),
    })))
}

/// A button that does not send its form.
pub fn button(word: Word) -> El {
    el("button").attr("type", "button").attr("part", "button").say(word)
}

/// The button that sends its form, as Enter does in a field of one line. The event of that is our own: a sandboxed frame may
/// allow no form to be sent, and then the browser makes none.
pub fn submit(word: Word) -> El {
    let button = el("button").named("primary", "button primary").attr("type", "submit").say(word);
    let node = button.node();
    button.on("click", move |event: Event| {
        event.prevent_default();
        let options = EventInit::new();
        options.set_cancelable(true);
        let sent = Event::new_with_event_init_dict("submit", &options).ok();
        // The form may be named by its id.
        let form = js_sys::Reflect::get(&node, &"form".into()).ok().and_then(|form| form.dyn_into::<Node>().ok());
        if let (Some(form), Some(sent)) = (form, sent) {
            // What its listeners make of it is theirs.
            drop(form.dispatch_event(&sent));
        }
    })
}

/// A text of an agent within a sentence or a list. Its direction does not change the text around it. No `bdi`, since `dir="auto"` of the
/// elements around does not look into one.
pub fn isolated(text: &str) -> El {
    el("span").attr("class", "isolated").text(&crate::words::shown(text))
}

impl El {
    /// Sets an attribute.
    pub fn attr(self, name: &str, value: &str) -> Self {
        set(&self.0.node, name, value);
        self
    }

    /// Sets an attribute where a condition holds.
    pub fn attr_if(self, condition: bool, name: &str, value: &str) -> Self {
        if condition { self.attr(name, value) } else { self }
    }

    /// Sets the class, and the `part` that a page can style.
    pub fn named(self, class: &str, part: &str) -> Self {
        self.attr("class", class).attr("part", part)
    }

    /// Sets a property.
    pub fn prop(self, name: &str, value: impl Into<wasm_bindgen::JsValue>) -> Self {
        // A property of an element of the form can always be set.
        drop(js_sys::Reflect::set(&self.0.node, &name.into(), &value.into()));
        self
    }

    /// Sets an attribute, again whenever what it is computed from changes.
    pub fn attr_from(mut self, name: &'static str, value: impl Fn() -> &'static str + 'static) -> Self {
        let node = self.0.node.clone();
        self.0.held.push(Box::new(RenderEffect::new(boxed(Box::new(move || set(&node, name, value()))))));
        self
    }

    /// Listens to an event.
    pub fn on(self, name: &str, listener: impl Fn(Event) + 'static) -> Self {
        self.listening(name, Box::new(listener), false)
    }

    /// Listens to an event before it reaches any element within.
    pub fn before(self, name: &str, listener: impl Fn(Event) + 'static) -> Self {
        self.listening(name, Box::new(listener), true)
    }

    /// Does something at a click.
    pub fn on_click(self, listener: impl Fn() + 'static) -> Self {
        self.listening("click", Box::new(move |_| listener()), false)
    }

    /// Adds a word of the form, which follows the language.
    pub fn say(self, word: Word) -> Self {
        self.saying("", word.0)
    }

    /// Adds what the form says.
    pub fn say_value(self, said: &Said) -> Self {
        self.saying("", said)
    }

    /// Adds a word around the element that stands for its value.
    pub fn say_around(self, word: Word, child: Self) -> Self {
        self.saying("<", word.0).child(child).saying(">", word.0)
    }

    /// Sets an attribute to a word, which follows the language.
    pub fn attr_said(self, name: &str, word: Word) -> Self {
        language::say(&self.0.node, name, word.0);
        self
    }

    fn saying(self, place: &str, said: &str) -> Self {
        let node = document().create_text_node("");
        append(&self.0.node, &node);
        language::say(&node, place, said);
        self
    }

    /// Adds text.
    pub fn text(self, text: &str) -> Self {
        append(&self.0.node, &document().create_text_node(text));
        self
    }

    /// Adds a text of an agent in which Markdown may be rendered: as "block", "inline", "label" or "preview".
    pub fn markdown(self, kind: &str, text: &str) -> Self {
        self.attr("data-md", kind).text(&crate::words::shown(text))
    }

    /// Adds a child.
    pub fn child(mut self, child: El) -> Self {
        let child = (*child.0).take();
        append(&self.0.node, &child.node);
        self.0.held.extend(child.held);
        self
    }

    /// Adds children.
    pub fn children(self, children: impl IntoIterator<Item = El>) -> Self {
        children.into_iter().fold(self, Self::child)
    }

    /// Adds a child that is made anew whenever what it is computed from changes.
    pub fn changing(mut self, child: impl Fn() -> Option<El> + 'static) -> Self {
        let place = document().create_text_node("");
        append(&self.0.node, &place);
        let mut shown: Option<El> = None;
        self.0.held.push(Box::new(RenderEffect::new(boxed(Box::new(move || {
            let next = child();
            if let (Some(next), Some(parent)) = (&next, place.parent_node()) {
                drop(parent.insert_before(&next.0.node, Some(&place)));
            }
            if let Some(old) = std::mem::replace(&mut shown, next) {
                old.0.node.remove();
            }
        })))));
        self
    }

    /// Keeps something as long as the element.
    pub fn holding(mut self, held: impl Any) -> Self {
        self.0.held.push(Box::new(held));
        self
    }

    /// The element itself.
    pub fn node(&self) -> HtmlElement {
        self.0.node.clone()
    }

    fn listening(mut self, name: &str, listener: Box<dyn Fn(Event)>, before: bool) -> Self {
        let closure = Closure::wrap(listener);
        let callback = closure.as_ref().unchecked_ref();
        drop(self.0.node.add_event_listener_with_callback_and_bool(name, callback, before));
        self.0.held.push(Box::new(closure));
        self
    }
}

/// Says something in place of what an element says, in a language: for a listener, which runs in none.
pub fn say_anew(node: &HtmlElement, language: &Language, said: &str) {
    // What follows the language goes with its node.
    let text = document().create_text_node("");
    node.set_text_content(None);
    append(node, &text);
    language.say(&text, "", said);
}

/// Tells the form that a script has changed a field, as the browser does when a person changes it.
pub fn tell_input(field: &HtmlElement) {
    let options = EventInit::new();
    options.set_bubbles(true);
    if let Ok(event) = Event::new_with_event_init_dict("input", &options) {
        // What its listeners make of it is theirs.
        drop(field.dispatch_event(&event));
    }
}

/// What stands in a field.
pub fn text_in(field: &HtmlElement) -> String {
    property(field, "value").as_string().unwrap_or_default()
}

/// What a person typed into a field, without the line breaks that are left at its end.
pub fn typed_in(field: &HtmlElement) -> String {
    let mut text = text_in(field);
    text.truncate(text.trim_end_matches('\n').len());
    text
}

/// A property of an element.
pub fn property(node: &HtmlElement, name: &str) -> wasm_bindgen::JsValue {
    js_sys::Reflect::get(node, &name.into()).unwrap_or_default()
}

/// One type for the functions of all effects, for the same reason as one type for all elements. They run in the language of the form that they
/// belong to.
fn boxed(mut function: Box<dyn FnMut()>) -> Box<dyn FnMut(Option<()>)> {
    let language = language::current();
    Box::new(move |_| language::within(language.clone(), &mut *function))
}

fn set(node: &HtmlElement, name: &str, value: &str) {
    // Only a name with characters that no attribute may have could fail, and all names stand in the code.
    drop(node.set_attribute(name, value));
}

/// Adds a node to another.
pub fn append(parent: &Node, child: &Node) {
    // Only a node within itself could fail.
    drop(parent.append_child(child));
}

impl Render for El {
    type State = Self;

    fn build(self) -> Self {
        self
    }

    fn rebuild(self, state: &mut Self) {
        drop(state.0.node.replace_with_with_node_1(&self.0.node));
        *state = self;
    }
}

impl Mountable for El {
    fn unmount(&mut self) {
        self.0.node.remove();
    }

    fn mount(&mut self, parent: &web_sys::Element, marker: Option<&Node>) {
        drop(parent.insert_before(&self.0.node, marker));
    }

    fn insert_before_this(&self, child: &mut dyn Mountable) -> bool {
        let parent = self.0.node.parent_element();
        if let Some(parent) = &parent {
            child.mount(parent, Some(&self.0.node));
        }
        parent.is_some()
    }

    fn elements(&self) -> Vec<web_sys::Element> {
        vec![self.0.node.clone().into()]
    }
}

/// In `view!`, an element stands wherever one of Leptos may. There is no server side: it is made in a page.
impl RenderHtml for El {
    type AsyncOutput = Self;
    type Owned = Self;

    const MIN_LENGTH: usize = 0;

    fn dry_resolve(&mut self) {}

    async fn resolve(self) -> Self {
        self
    }

    /// The markup of the element as it is now. Its listeners are not in it.
    fn to_html_with_buf(self, html: &mut String, position: &mut Position, _: bool, _: bool, more: Vec<AnyAttribute>) {
        let element = more.into_iter().fold(self, Self::add_any_attr);
        html.push_str(&element.0.node.outer_html());
        *position = Position::NextChild;
    }

    /// Takes the place of the node that is there.
    fn hydrate<const FROM_SERVER: bool>(self, cursor: &Cursor, position: &PositionState) -> Self {
        match position.get() {
            Position::FirstChild => cursor.child(),
            Position::Current => {}
            _ => cursor.sibling(),
        }
        position.set(Position::NextChild);
        let there = cursor.current();
        if let Some(parent) = there.parent_node() {
            // It is a child of its parent.
            drop(parent.replace_child(&self.0.node, &there));
        }
        cursor.set(self.node().into());
        self
    }

    fn into_owned(self) -> Self {
        self
    }
}

impl AddAnyAttr for El {
    type Output<A: Attribute> = Self;

    fn add_any_attr<A: Attribute>(self, attribute: A) -> Self {
        let set = attribute.into_cloneable_owned().into_any_attr().build(&self.0.node);
        self.holding(set)
    }
}
