//! The browser's DOM.

pub use leptos::tachys::renderer::dom::queue_microtask;
use leptos::{prelude::RenderEffect, tachys::dom::document};
use std::any::Any;
pub use wasm_bindgen::{JsCast, JsValue, closure::Closure};
pub use web_sys::{Element, Event, HtmlElement, HtmlInputElement, KeyboardEvent, Node, ShadowRoot};
use web_sys::{EventInit, HtmlTextAreaElement, IntersectionObserver, ResizeObserver, Window, window};

/// A new element; nothing for a tag that is no name.
pub fn create(tag: &str) -> Option<HtmlElement> {
    document().create_element(tag).ok().and_then(|node| node.dyn_into().ok())
}

/// A new, empty text.
pub fn text_node(text: &str) -> Node {
    document().create_text_node(text).into()
}

/// A property of an object.
pub fn property(object: &JsValue, name: &str) -> JsValue {
    js_sys::Reflect::get(object, &name.into()).unwrap_or_default()
}

/// Sets a property of an element, which every element of the form has.
pub fn set_property(node: &HtmlElement, name: &str, value: impl Into<JsValue>) {
    drop(js_sys::Reflect::set(node, &name.into(), &value.into()));
}

/// Whether an object has a property.
pub fn has_property(object: &JsValue, name: &str) -> bool {
    js_sys::Reflect::has(object, &name.into()).unwrap_or_default()
}

/// The form that a button sends, which may be named by its id.
pub fn form_of(button: &HtmlElement) -> Option<Node> {
    property(button, "form").dyn_into().ok()
}

/// Whether a field shows what it cannot give as a value.
pub fn has_bad_input(field: &HtmlElement) -> bool {
    property(&property(field, "validity"), "badInput").is_truthy()
}

/// Sets a property of the element's style. A policy of the page may forbid styles in attributes, and not this.
pub fn set_style(node: &HtmlElement, name: &str, value: &str) {
    drop(js_sys::Reflect::set(&property(node, "style"), &name.into(), &value.into()));
}

/// Shows a dialog over everything else, and keeps the rest from the person until it is closed.
pub fn show_modal(dialog: &HtmlElement) {
    if let Ok(show) = property(dialog, "showModal").dyn_into::<js_sys::Function>() {
        // It is on the page and not open: it can be shown.
        drop(show.call0(dialog));
    }
}

/// Whether the page has the focus.
pub fn has_focus() -> bool {
    document().has_focus().unwrap_or(true)
}

/// An event of our own.
pub fn event(name: &str, bubbles: bool) -> Option<Event> {
    let options = EventInit::new();
    options.set_bubbles(bubbles);
    options.set_cancelable(!bubbles);
    Event::new_with_event_init_dict(name, &options).ok()
}

/// Listens to an event as long as what is given back is kept: `before` it reaches any element within, or after.
pub fn listen(node: &HtmlElement, name: &str, listener: Box<dyn Fn(Event)>, before: bool) -> Box<dyn Any> {
    let closure = Closure::wrap(listener);
    let callback = closure.as_ref().unchecked_ref();
    drop(node.add_event_listener_with_callback_and_bool(name, callback, before));
    Box::new(closure)
}

/// Does something now, and again whenever what it reads changes, as long as what is given back is kept. One type for the
/// functions of all effects: each type would bring a copy of the code around it.
pub fn effect(act: Box<dyn FnMut(Option<()>)>) -> Box<dyn Any> {
    Box::new(RenderEffect::new(act))
}

/// Calls back whenever an element gets another size, as long as what is given back is kept.
pub fn observe_size(node: &HtmlElement, act: impl Fn() + 'static) -> Box<dyn Any> {
    let act = Closure::<dyn Fn()>::new(act);
    let observer = ResizeObserver::new(act.as_ref().unchecked_ref()).ok();
    if let Some(observer) = &observer {
        observer.observe(node);
    }
    observed(act, move || observer.iter().for_each(ResizeObserver::disconnect))
}

/// Calls back once an element is in the window, or comes there, as long as what is given back is kept.
pub fn observe_sight(node: &HtmlElement, act: impl Fn() + 'static) -> Box<dyn Any> {
    let act = Closure::<dyn Fn(js_sys::Array)>::new(move |entries: js_sys::Array| {
        if entries.iter().any(|entry| property(&entry, "isIntersecting").is_truthy()) {
            act();
        }
    });
    let observer = IntersectionObserver::new(act.as_ref().unchecked_ref()).ok();
    if let Some(observer) = &observer {
        observer.observe(node);
    }
    observed(act, move || observer.iter().for_each(IntersectionObserver::disconnect))
}

/// Keeps what an observer calls, and stops the observer before that goes.
fn observed(act: impl Any, stop: impl Fn() + 'static) -> Box<dyn Any> {
    Box::new(Observed { stop: Box::new(stop), _act: Box::new(act) })
}

struct Observed {
    stop: Box<dyn Fn()>,
    _act: Box<dyn Any>,
}

impl Drop for Observed {
    fn drop(&mut self) {
        (self.stop)();
    }
}

/// Whether the place of an element is in the window.
pub fn is_in_window(node: &HtmlElement) -> bool {
    let place = node.get_bounding_client_rect();
    let at = |name| property(&place, name).as_f64().unwrap_or_default();
    let height = window().and_then(|window| property(&window, "innerHeight").as_f64()).unwrap_or_default();
    at("bottom") > 0.0 && at("top") <= height
}

/// Scrolls to the end of an element.
pub fn scroll_to(node: &HtmlElement) {
    node.scroll_into_view_with_bool(false);
}

/// Listens to events of the window as long as what is given back is kept.
pub fn listen_to_window(names: &'static [&'static str], listener: impl Fn(Event) + 'static) -> Box<dyn Any> {
    let listener = Closure::<dyn Fn(Event)>::new(listener);
    if let Some(window) = window() {
        for name in names {
            // A window takes every listener.
            drop(window.add_event_listener_with_callback(name, listener.as_ref().unchecked_ref()));
        }
    }
    Box::new(Heard { names, listener })
}

struct Heard {
    names: &'static [&'static str],
    listener: Closure<dyn Fn(Event)>,
}

impl Drop for Heard {
    fn drop(&mut self) {
        for (name, window) in self.names.iter().filter_map(|name| Some((name, window()?))) {
            drop(window.remove_event_listener_with_callback(name, self.listener.as_ref().unchecked_ref()));
        }
    }
}

/// Whether the keyboard is one of Apple, whose key for commands is ⌘.
pub fn is_apple() -> bool {
    let platform = window().and_then(|window| property(&property(&window, "navigator"), "platform").as_string());
    platform.is_some_and(|platform| platform.starts_with("Mac") || platform.starts_with("iP"))
}

/// Whether a finger is what mostly points.
pub fn is_touched() -> bool {
    let query = |window: Window| window.match_media("(pointer: coarse)").ok().flatten();
    window().and_then(query).is_some_and(|query| query.matches())
}

/// Does something once, after so many milliseconds. Every page has a timer.
pub fn later(milliseconds: i32, act: impl FnOnce() + 'static) {
    let act: JsValue = Closure::once_into_js(act);
    if let Some(window) = window() {
        drop(window.set_timeout_with_callback_and_timeout_and_arguments_0(act.unchecked_ref(), milliseconds));
    }
}

/// Does something once, before the next frame is painted.
pub fn next_frame(act: impl FnOnce() + 'static) {
    if let Some(window) = window() {
        let act: JsValue = Closure::once_into_js(act);
        drop(window.request_animation_frame(act.unchecked_ref()));
    }
}

/// The time of the clock of events, in milliseconds.
pub fn now() -> f64 {
    window().and_then(|window| window.performance()).map_or(0.0, |clock| clock.now())
}

pub fn is_input(element: &Element) -> bool {
    element.is_instance_of::<HtmlInputElement>()
}

pub fn is_area(element: &Element) -> bool {
    element.is_instance_of::<HtmlTextAreaElement>()
}
