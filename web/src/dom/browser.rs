//! The browser's DOM.

pub use leptos::tachys::renderer::dom::queue_microtask;
use leptos::{prelude::RenderEffect, tachys::dom::document};
use std::any::Any;
pub use wasm_bindgen::{JsCast, JsValue, closure::Closure};
use web_sys::{
    Document, DomRect, EventInit, HtmlTextAreaElement, IntersectionObserver, Performance, ResizeObserver, Window,
    window,
};
pub use web_sys::{Element, Event, HtmlElement, HtmlInputElement, KeyboardEvent, Node, ShadowRoot};

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
    // What is scrolled to may be a part of a pixel off.
    at("bottom") > -1.0 && at("top") <= height + 1.0
}

/// Scrolls to the end of an element.
pub fn scroll_to(node: &HtmlElement) {
    node.scroll_into_view_with_bool(false);
}

/// What says what is asked, or the first question of a page.
pub fn question(base: &HtmlElement) -> Option<Element> {
    base.query_selector(ASKED).ok().flatten()
}

/// What is asked: the question, or the first one of a page, with its text. It is the same where it is made anew.
pub fn asked(base: &HtmlElement) -> Option<String> {
    let question = question(base)?;
    let step = question.closest("[data-on-page], [data-question]").ok().flatten();
    let name = |name: &str| step.as_ref().and_then(|step| step.get_attribute(name));
    let id = name("data-on-page").or_else(|| name("data-question")).unwrap_or_default();
    Some(id + "\n" + &question.text_content().unwrap_or_default())
}

/// The document that an element is in.
pub fn document_of(node: &HtmlElement) -> Option<Node> {
    node.owner_document().map(Node::from)
}

/// Scrolls to an element, away from the edges of the window, where something may lie over it.
pub fn scroll_amid(node: &Element) {
    let Ok(scroll) = property(node, "scrollIntoView").dyn_into::<js_sys::Function>() else { return };
    let options = js_sys::Object::new();
    drop(js_sys::Reflect::set(&options, &"block".into(), &"center".into()));
    drop(scroll.call1(node, &options));
}

/// Listens to events of the window that an element is in, or else that of the script, as long as what is given back is kept: `before` they reach any element, or after.
pub fn listen_to_window(
    within: Option<&HtmlElement>,
    names: &'static [&'static str],
    before: bool,
    listener: impl Fn(Event) + 'static,
) -> Box<dyn Any> {
    let listener = Closure::<dyn Fn(Event)>::new(listener);
    let window = within.map_or_else(window, window_of);
    if let Some(window) = &window {
        for name in names {
            // A window takes every listener.
            drop(window.add_event_listener_with_callback_and_bool(name, listener.as_ref().unchecked_ref(), before));
        }
    }
    Box::new(Heard { window, names, before, listener })
}

struct Heard {
    window: Option<Window>,
    names: &'static [&'static str],
    before: bool,
    listener: Closure<dyn Fn(Event)>,
}

impl Drop for Heard {
    fn drop(&mut self) {
        for (name, window) in self.names.iter().filter_map(|name| Some((name, self.window.as_ref()?))) {
            let listener = self.listener.as_ref().unchecked_ref();
            drop(window.remove_event_listener_with_callback_and_bool(name, listener, self.before));
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

/// Does something again and again, after so many milliseconds each, as long as what is given back is kept: by the clock of the window that an element is in. Browsers slow down that of one behind.
pub fn every(within: &HtmlElement, milliseconds: i32, act: impl Fn() + 'static) -> Box<dyn Any> {
    let act = Closure::<dyn Fn()>::new(act);
    let timer = |window: Window| {
        window.set_interval_with_callback_and_timeout_and_arguments_0(act.as_ref().unchecked_ref(), milliseconds).ok()
    };
    let window = window_of(within);
    let timer = window.clone().and_then(timer);
    observed(act, move || {
        if let (Some(window), Some(timer)) = (&window, timer) {
            window.clear_interval_with_handle(timer);
        }
    })
}

/// Does something once, before the next frame of the window that an element is in is painted.
pub fn next_frame(within: Option<&HtmlElement>, act: impl FnOnce() + 'static) {
    if let Some(window) = within.map_or_else(window, window_of) {
        let act: JsValue = Closure::once_into_js(act);
        drop(window.request_animation_frame(act.unchecked_ref()));
    }
}

/// The window that an element is in. It may be another than that of the script.
fn window_of(node: &HtmlElement) -> Option<Window> {
    let document = node.owner_document()?;
    let view = property(&document, "defaultView");
    view.is_truthy().then(|| view.unchecked_into())
}

/// The time, in milliseconds, on the clock of [`time`].
pub fn now() -> f64 {
    window().map_or(0.0, |window| on_clock(&window, |clock| clock.now()))
}

/// When an event happened, on one clock for all windows.
pub fn time(event: &Event) -> f64 {
    let view = property(event, "view");
    let window = if view.is_truthy() { Some(view.unchecked_into()) } else { window() };
    window.map_or(0.0, |window| on_clock(&window, |_| event.time_stamp()))
}

/// A time on the clock of a window, on that of all windows.
fn on_clock(window: &Window, time: impl Fn(&Performance) -> f64) -> f64 {
    window.performance().map_or(0.0, |clock| time(&clock) + clock.time_origin())
}

/// Whether the focus that an event tells of was within an element before.
pub fn is_from_within(event: &Event, node: &HtmlElement) -> bool {
    let from = property(event, "relatedTarget");
    from.is_truthy() && node.contains(Some(from.unchecked_ref()))
}

/// Whether the person has marked text in the tree that an element is in. Chromium tells that of a shadow tree at its root alone.
pub fn has_selection(node: &HtmlElement) -> bool {
    let root: JsValue = node.get_root_node().into();
    let of = if has_property(&root, "getSelection") { root } else { window().into() };
    let selection = property(&of, "getSelection").dyn_into::<js_sys::Function>().and_then(|get| get.call0(&of));
    selection.is_ok_and(|selection| property(&selection, "isCollapsed").is_falsy())
}

/// What has a place of its own: what can be acted on, and what is asked.
const PLACES: &str = "button, input, textarea, select, summary, legend, h2, [contenteditable]";

/// How many of them are looked at: more are not in a window at the same time.
const MOST: u32 = 1_000;

/// How many of the last ones are always among them: what sends the form stands there, and may stay in the window. And how many of them may be hidden in a row.
const FEW: u32 = 20;

/// What says what is asked. The heading of a review asks nothing that was not seen before.
const ASKED: &str = "legend[data-question-text]:not([data-away] *)";

/// Whether the focus is in an element; whether what is asked is in sight; and where its controls are in its window, each by its left and top in pixels: `i32::MIN` where it is covered or out of the window.
/// Nothing of what is transparent, or in a window that is hidden, or behind another.
pub fn places(base: &HtmlElement) -> Vec<i32> {
    let Some(window) = window_of(base) else { return Vec::new() };
    let Some(document) = base.owner_document() else { return Vec::new() };
    if !is_in_front(&document, &window) || is_transparent(base) {
        return Vec::new();
    }
    // What is hit at a point is the host of a shadow tree, as the tree around it sees it.
    let root = base.get_root_node();
    let host = property(&root, "host");
    let (host, around) = if host.is_truthy() {
        let host: Node = host.unchecked_into();
        (host.clone(), host.get_root_node())
    } else {
        (base.clone().into(), root)
    };
    let length = |of: &JsValue, name| property(of, name).as_f64().unwrap_or_default();
    // Some browsers make the window smaller where a person zooms in with two fingers. Places count from the page as it is laid out.
    let page = property(&document, "documentElement");
    let (width, height) = (
        length(&window, "innerWidth").max(length(&page, "clientWidth")),
        length(&window, "innerHeight").max(length(&page, "clientHeight")),
    );
    let is_seen = |rect: &DomRect| {
        let (from, to) = (rect.left().max(0.0), rect.right().min(width));
        let (above, below) = (rect.top().max(0.0), rect.bottom().min(height));
        let hits = || {
            // Trees of both kinds have it.
            let around: &Document = around.unchecked_ref();
            let hit = around.element_from_point(f32_of((from + to) / 2.0), f32_of((above + below) / 2.0));
            hit.is_some_and(|hit| host.contains(Some(&hit)))
        };
        from < to && above < below && hits()
    };
    let rect_of = |node: Node| node.unchecked_into::<Element>().get_bounding_client_rect();
    // On a page, one question is enough.
    let is_asked = base.query_selector_all(ASKED).is_ok_and(|asked| {
        asked.length() == 0
            || (0..asked.length()).filter_map(|place| asked.get(place)).any(|one| is_seen(&rect_of(one)))
    });
    let focus = i32::from(base.matches(":focus-within").unwrap_or_default()) * 1_000;
    let mut places = vec![focus, if is_asked { 0 } else { i32::MIN }];
    let Ok(controls) = base.query_selector_all(PLACES) else { return places };
    let rect_of = |place: u32| controls.get(place).map(rect_of);
    let count = controls.length();
    let last = count.saturating_sub(FEW);
    // They stand below each other, more or less. What is hidden stands nowhere.
    let is_above = |place: u32| {
        let shown = (place..count.min(place + FEW)).filter_map(rect_of).find(|rect| rect.height() > 0.0);
        shown.is_some_and(|rect| rect.bottom() <= 0.0)
    };
    let first = if count > MOST { first_not(count, is_above).saturating_sub(FEW).min(last) } else { 0 };
    for place in (first..last.min(first + MOST)).chain(last..count) {
        let Some(rect) = rect_of(place) else { break };
        let is_seen = is_seen(&rect);
        let [left, top] = [rect.left(), rect.top()].map(|at| if is_seen { at as i32 } else { i32::MIN });
        places.extend([left, top]);
    }
    places
}

/// Whether an element, or one around it, is wholly transparent. Browsers before 2024 do not tell.
fn is_transparent(node: &HtmlElement) -> bool {
    let Ok(check) = property(node, "checkVisibility").dyn_into::<js_sys::Function>() else { return false };
    let options = js_sys::Object::new();
    drop(js_sys::Reflect::set(&options, &"opacityProperty".into(), &true.into()));
    check.call1(node, &options).is_ok_and(|visible| visible == JsValue::FALSE)
}

/// Of so many places, the first for which something does not hold that holds for those before it.
fn first_not(count: u32, holds: impl Fn(u32) -> bool) -> u32 {
    let (mut from, mut to) = (0, count);
    while from < to {
        let middle = from + (to - from) / 2;
        if holds(middle) {
            from = middle + 1;
        } else {
            to = middle;
        }
    }
    from
}

/// Coordinates in a window are small.
fn f32_of(at: f64) -> f32 {
    at as f32
}

/// Whether a window is seen, and has the focus. Of a frame, a page around it may have the focus; one of another origin does not tell.
fn is_in_front(document: &Document, window: &Window) -> bool {
    if document.hidden() {
        return false;
    }
    let top = property(window, "top");
    let is_framed = top != *AsRef::<JsValue>::as_ref(window);
    let around = property(&top, "document");
    let has_focus = |document: &Document| document.has_focus().unwrap_or(true);
    has_focus(document) || (is_framed && (around.is_undefined() || has_focus(around.unchecked_ref())))
}

pub fn is_input(element: &Element) -> bool {
    element.is_instance_of::<HtmlInputElement>()
}

pub fn is_area(element: &Element) -> bool {
    element.is_instance_of::<HtmlTextAreaElement>()
}
