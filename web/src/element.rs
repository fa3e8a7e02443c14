//! Elements of the page as plain values. All are of one Rust type: the typed elements of Leptos make a type, and so a copy
//! of their code, of every combination of tag, attributes and children, which more than doubles the download. An element
//! is made once and never patched; what changes is made anew by an effect of Leptos. No markup is ever parsed.

use reactive_graph::effect::RenderEffect;
use std::any::Any;
use tachys::{
    dom::document,
    view::{Mountable, Render},
};
use wasm_bindgen::{JsCast, closure::Closure};
use web_sys::{Event, HtmlElement, Node};

/// An element, and all that lives as long as it: listeners and effects, those of its children included.
pub struct El {
    node: HtmlElement,
    held: Vec<Box<dyn Any>>,
}

/// A new element.
///
/// # Panics
/// Where there is no document, or for a tag that is no name.
pub fn el(tag: &str) -> El {
    let made = document().create_element(tag).ok().and_then(|node| node.dyn_into().ok());
    El { node: made.expect("every tag of the form is an HTML element"), held: Vec::new() }
}

/// A button that does not send its form.
pub fn button(text: &str) -> El {
    el("button").attr("type", "button").attr("part", "button").text(text)
}

/// A text of an agent within a sentence or a list. Its direction does not change the text around it. No `bdi`, since `dir="auto"` of the
/// elements around does not look into one.
pub fn isolated(text: &str) -> El {
    el("span").attr("class", "isolated").text(&crate::words::shown(text))
}

impl El {
    /// Sets an attribute.
    pub fn attr(self, name: &str, value: &str) -> Self {
        set(&self.node, name, value);
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
        drop(js_sys::Reflect::set(&self.node, &name.into(), &value.into()));
        self
    }

    /// Sets an attribute, again whenever what it is computed from changes.
    pub fn attr_from(mut self, name: &'static str, value: impl Fn() -> &'static str + 'static) -> Self {
        let node = self.node.clone();
        self.held.push(Box::new(RenderEffect::new(boxed(move || set(&node, name, value())))));
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

    /// Adds text.
    pub fn text(self, text: &str) -> Self {
        append(&self.node, &document().create_text_node(text));
        self
    }

    /// Adds a child.
    pub fn child(mut self, child: El) -> Self {
        append(&self.node, &child.node);
        self.held.extend(child.held);
        self
    }

    /// Adds children.
    pub fn children(self, children: impl IntoIterator<Item = El>) -> Self {
        children.into_iter().fold(self, Self::child)
    }

    /// Adds a child that is made anew whenever what it is computed from changes.
    pub fn changing(mut self, child: impl Fn() -> Option<El> + 'static) -> Self {
        let place = document().create_text_node("");
        append(&self.node, &place);
        let mut shown: Option<El> = None;
        self.held.push(Box::new(RenderEffect::new(boxed(move || {
            let next = child();
            if let (Some(next), Some(parent)) = (&next, place.parent_node()) {
                drop(parent.insert_before(&next.node, Some(&place)));
            }
            if let Some(old) = std::mem::replace(&mut shown, next) {
                old.node.remove();
            }
        }))));
        self
    }

    /// The element itself.
    pub fn node(&self) -> HtmlElement {
        self.node.clone()
    }

    fn listening(mut self, name: &str, listener: Box<dyn Fn(Event)>, before: bool) -> Self {
        let closure = Closure::wrap(listener);
        let callback = closure.as_ref().unchecked_ref();
        drop(self.node.add_event_listener_with_callback_and_bool(name, callback, before));
        self.held.push(Box::new(closure));
        self
    }
}

/// One type for the functions of all effects, for the same reason as one type for all elements.
fn boxed(mut function: impl FnMut() + 'static) -> Box<dyn FnMut(Option<()>)> {
    Box::new(move |_| function())
}

fn set(node: &HtmlElement, name: &str, value: &str) {
    // Only a name with characters that no attribute may have could fail, and all names stand in the code.
    drop(node.set_attribute(name, value));
}

fn append(parent: &Node, child: &Node) {
    // Only a node within itself could fail.
    drop(parent.append_child(child));
}

impl Render for El {
    type State = Self;

    fn build(self) -> Self {
        self
    }

    fn rebuild(self, state: &mut Self) {
        drop(state.node.replace_with_with_node_1(&self.node));
        *state = self;
    }
}

impl Mountable for El {
    fn unmount(&mut self) {
        self.node.remove();
    }

    fn mount(&mut self, parent: &web_sys::Element, marker: Option<&Node>) {
        drop(parent.insert_before(&self.node, marker));
    }

    fn insert_before_this(&self, child: &mut dyn Mountable) -> bool {
        let parent = self.node.parent_element();
        if let Some(parent) = &parent {
            child.mount(parent, Some(&self.node));
        }
        parent.is_some()
    }

    fn elements(&self) -> Vec<web_sys::Element> {
        vec![self.node.clone().into()]
    }
}
