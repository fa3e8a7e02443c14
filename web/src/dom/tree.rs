//! A tree in memory with the methods of the browser's DOM that the view uses, under their names. All nodes are of one type. Events reach listeners as
//! they do in a browser, capture first. Nothing is laid out: sizes and positions are 0.

use super::selector;
use std::{
    any::Any,
    cell::{Cell, RefCell},
    rc::{Rc, Weak},
};

/// Calls back at an event.
type Listener = dyn Fn(Event);

/// An element or a text.
#[derive(Clone)]
pub struct Node(Rc<Data>);

impl PartialEq for Node {
    fn eq(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }
}

pub type Element = Node;
pub type HtmlElement = Node;
pub type HtmlInputElement = Node;
pub type ShadowRoot = Node;
pub type KeyboardEvent = Event;

struct Data {
    /// Empty for a text.
    tag: String,
    text: RefCell<String>,
    attributes: RefCell<Vec<(String, String)>>,
    properties: RefCell<Vec<(String, JsValue)>>,
    children: RefCell<Vec<Node>>,
    parent: RefCell<Weak<Data>>,
    /// Who hears of an event, as long as the element is kept: its name, and whether it is heard before elements within.
    listeners: RefCell<Vec<(String, bool, Weak<Listener>)>>,
}

/// A value of a property.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum JsValue {
    #[default]
    Undefined,
    Bool(bool),
    Text(String),
}

impl JsValue {
    pub fn as_string(&self) -> Option<String> {
        match self {
            Self::Text(text) => Some(text.clone()),
            Self::Undefined | Self::Bool(_) => None,
        }
    }

    /// No property is a number.
    pub fn as_f64(&self) -> Option<f64> {
        None
    }

    pub fn is_truthy(&self) -> bool {
        match self {
            Self::Undefined => false,
            Self::Bool(value) => *value,
            Self::Text(text) => !text.is_empty(),
        }
    }
}

impl From<&str> for JsValue {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<&String> for JsValue {
    fn from(text: &String) -> Self {
        Self::Text(text.clone())
    }
}

impl From<String> for JsValue {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<bool> for JsValue {
    fn from(value: bool) -> Self {
        Self::Bool(value)
    }
}

/// Casts between the types of the browser, which are one here.
pub trait JsCast: Sized {
    fn dyn_into<T>(self) -> Result<T, Self>
    where
        Self: Into<T>,
    {
        Ok(self.into())
    }

    fn dyn_ref<T>(&self) -> Option<&T>
    where
        Self: AsRef<T>,
    {
        Some(self.as_ref())
    }

    fn unchecked_ref<T>(&self) -> &T
    where
        Self: AsRef<T>,
    {
        self.as_ref()
    }

    fn unchecked_into<T>(self) -> T
    where
        Self: Into<T>,
    {
        self.into()
    }
}

impl JsCast for Node {}
impl JsCast for Event {}

impl AsRef<Node> for Node {
    fn as_ref(&self) -> &Node {
        self
    }
}

impl AsRef<Event> for Event {
    fn as_ref(&self) -> &Event {
        self
    }
}

/// Nobody waits for what comes later.
pub fn later(_: i32, _: impl FnOnce() + 'static) {}

/// Nobody waits for what comes again and again.
pub fn every(_: &Node, _: i32, _: impl Fn() + 'static) -> Box<dyn Any> {
    Box::new(())
}

/// Nothing is painted.
pub fn next_frame(_: Option<&Node>, _: impl FnOnce() + 'static) {}

pub fn now() -> f64 {
    0.0
}

/// No time passes.
pub fn time(_: &Event) -> f64 {
    0.0
}

/// No focus moves by itself.
pub fn is_from_within(_: &Event, _: &Node) -> bool {
    true
}

/// Nothing is marked.
pub fn has_selection(_: &Node) -> bool {
    false
}

/// Nothing has a place.
pub fn places(_: &Node) -> Vec<i32> {
    Vec::new()
}

pub fn is_input(element: &Node) -> bool {
    element.tag() == "input"
}

pub fn is_area(element: &Node) -> bool {
    element.tag() == "textarea"
}

pub fn is_apple() -> bool {
    false
}

pub fn is_touched() -> bool {
    false
}

pub fn set_style(_: &Node, _: &str, _: &str) {}

/// Nothing has a size that changes.
pub fn observe_size(_: &Node, _: impl Fn() + 'static) -> Box<dyn Any> {
    Box::new(())
}

/// Without a page, what is to be seen is the front end's to show.
pub fn observe_sight(_: &Node, act: impl Fn() + 'static) -> Box<dyn Any> {
    act();
    Box::new(())
}

pub fn is_in_window(_: &Node) -> bool {
    true
}

pub fn scroll_to(_: &Node) {}

pub fn question(_: &Node) -> Option<Element> {
    None
}

pub fn asked(_: &Node) -> Option<String> {
    None
}

pub fn document_of(_: &Node) -> Option<Node> {
    None
}

pub fn scroll_amid(_: &Node) {}

/// There is no window.
pub fn listen_to_window(
    _: Option<&Node>,
    _: &'static [&'static str],
    _: bool,
    _: impl Fn(Event) + 'static,
) -> Box<dyn Any> {
    Box::new(())
}

thread_local! {
    /// What is done once the listeners of an event have run.
    static TASKS: RefCell<Vec<Box<dyn FnOnce()>>> = const { RefCell::new(Vec::new()) };
    /// The element that has the focus.
    static FOCUSED: RefCell<Option<Weak<Data>>> = const { RefCell::new(None) };
}

/// Does something after what is done now.
pub fn queue_microtask(act: impl FnOnce() + 'static) {
    TASKS.with(|tasks| tasks.borrow_mut().push(Box::new(act)));
}

/// Does all that waits, and what comes of it.
pub fn run_tasks() {
    loop {
        let tasks = TASKS.with(RefCell::take);
        if tasks.is_empty() {
            return;
        }
        tasks.into_iter().for_each(|act| act());
    }
}

/// Lets no task and no focus of another form be found.
pub fn forget() {
    drop(TASKS.with(RefCell::take));
    FOCUSED.with(RefCell::take);
}

/// A new element.
pub fn create(tag: &str) -> Option<Node> {
    Some(Node::new(tag, ""))
}

pub fn text_node(text: &str) -> Node {
    Node::new("", text)
}

/// What has properties.
pub trait Object {
    fn property(&self, name: &str) -> JsValue;
}

impl Object for Node {
    fn property(&self, name: &str) -> JsValue {
        let set = self.0.properties.borrow().iter().find(|(known, _)| known == name).map(|(_, value)| value.clone());
        set.unwrap_or_else(|| match name {
            "checked" | "hidden" => self.has_attribute(name).into(),
            "value" => self.get_attribute(name).unwrap_or_default().into(),
            _ => JsValue::Undefined,
        })
    }
}

/// The events of scripts have no count of clicks, and no pointer.
impl Object for Event {
    fn property(&self, _: &str) -> JsValue {
        JsValue::Undefined
    }
}

pub fn property(object: &impl Object, name: &str) -> JsValue {
    object.property(name)
}

/// Sets a property. Of radios with one name, one is checked.
pub fn set_property(node: &Node, name: &str, value: impl Into<JsValue>) {
    let value = value.into();
    if name == "checked" && value.is_truthy() && node.get_attribute("type").as_deref() == Some("radio") {
        let group = node.get_attribute("name");
        for other in node.get_root_node().descendants() {
            if other.get_attribute("type").as_deref() == Some("radio") && other.get_attribute("name") == group {
                other.set(name, JsValue::Bool(false));
            }
        }
    }
    node.set(name, value);
}

pub fn has_property(_: &impl Object, _: &str) -> bool {
    false
}

/// The form that a button sends: the one that it names, or the one around it.
pub fn form_of(button: &Node) -> Option<Node> {
    match button.get_attribute("form") {
        Some(id) => {
            button.get_root_node().descendants().into_iter().find(|node| node.get_attribute("id").as_ref() == Some(&id))
        }
        None => button.closest("form").ok().flatten(),
    }
}

pub fn has_bad_input(_: &Node) -> bool {
    false
}

pub fn show_modal(_: &Node) {}

/// Nothing is opened beside the form by itself.
pub fn has_focus() -> bool {
    true
}

pub fn event(name: &str, bubbles: bool) -> Option<Event> {
    Some(Event::new(name, bubbles))
}

/// Listens to an event as long as what is given back is kept.
pub fn listen(node: &Node, name: &str, listener: Box<dyn Fn(Event)>, before: bool) -> Box<dyn Any> {
    let listener: Rc<Listener> = listener.into();
    node.0.listeners.borrow_mut().push((name.to_owned(), before, Rc::downgrade(&listener)));
    Box::new(listener)
}

/// Does something once: the view is made anew to be written again. What it has made is kept with what is given back.
pub fn effect(mut act: Box<dyn FnMut(Option<()>)>) -> Box<dyn Any> {
    act(None);
    Box::new(act)
}

impl Node {
    fn new(tag: &str, text: &str) -> Self {
        Self(Rc::new(Data {
            tag: tag.to_owned(),
            text: RefCell::new(text.to_owned()),
            attributes: RefCell::default(),
            properties: RefCell::default(),
            children: RefCell::default(),
            parent: RefCell::default(),
            listeners: RefCell::default(),
        }))
    }

    /// The name of the element; empty for a text.
    pub fn tag(&self) -> &str {
        &self.0.tag
    }

    /// The text itself.
    pub fn data(&self) -> String {
        self.0.text.borrow().clone()
    }

    pub fn attributes(&self) -> Vec<(String, String)> {
        self.0.attributes.borrow().clone()
    }

    pub fn children(&self) -> Vec<Self> {
        self.0.children.borrow().clone()
    }

    /// All nodes within, in the order of the document.
    pub fn descendants(&self) -> Vec<Self> {
        let mut found = Vec::new();
        let mut open: Vec<Self> = self.children();
        open.reverse();
        while let Some(node) = open.pop() {
            open.extend(node.children().into_iter().rev());
            found.push(node);
        }
        found
    }

    fn set(&self, name: &str, value: JsValue) {
        let mut properties = self.0.properties.borrow_mut();
        properties.retain(|(known, _)| known != name);
        properties.push((name.to_owned(), value));
    }

    pub fn set_attribute(&self, name: &str, value: &str) -> Result<(), JsValue> {
        let mut attributes = self.0.attributes.borrow_mut();
        match attributes.iter_mut().find(|(known, _)| known == name) {
            Some((_, known)) => value.clone_into(known),
            None => attributes.push((name.to_owned(), value.to_owned())),
        }
        Ok(())
    }

    pub fn remove_attribute(&self, name: &str) -> Result<(), JsValue> {
        self.0.attributes.borrow_mut().retain(|(known, _)| known != name);
        Ok(())
    }

    pub fn get_attribute(&self, name: &str) -> Option<String> {
        self.0.attributes.borrow().iter().find(|(known, _)| known == name).map(|(_, value)| value.clone())
    }

    pub fn has_attribute(&self, name: &str) -> bool {
        self.0.attributes.borrow().iter().any(|(known, _)| known == name)
    }

    pub fn parent_node(&self) -> Option<Self> {
        self.0.parent.borrow().upgrade().map(Self)
    }

    pub fn get_root_node(&self) -> Self {
        std::iter::successors(Some(self.clone()), Self::parent_node).last().unwrap_or_else(|| self.clone())
    }

    /// There is no shadow root to leave.
    pub fn host(&self) -> Self {
        self.clone()
    }

    pub fn is_connected(&self) -> bool {
        true
    }

    pub fn is_same_node(&self, other: Option<&Self>) -> bool {
        other == Some(self)
    }

    pub fn contains(&self, other: Option<&Self>) -> bool {
        std::iter::successors(other.cloned(), Self::parent_node).any(|node| self.is_same_node(Some(&node)))
    }

    pub fn append_child(&self, child: &Self) -> Result<(), JsValue> {
        self.insert_before(child, None)
    }

    pub fn insert_before(&self, child: &Self, next: Option<&Self>) -> Result<(), JsValue> {
        child.remove();
        let mut children = self.0.children.borrow_mut();
        let place = next.and_then(|next| children.iter().position(|child| child.is_same_node(Some(next))));
        let place = place.unwrap_or(children.len());
        children.insert(place, child.clone());
        *child.0.parent.borrow_mut() = Rc::downgrade(&self.0);
        Ok(())
    }

    pub fn remove(&self) {
        if let Some(parent) = self.parent_node() {
            parent.0.children.borrow_mut().retain(|child| !child.is_same_node(Some(self)));
        }
        *self.0.parent.borrow_mut() = Weak::new();
    }

    pub fn first_child(&self) -> Option<Self> {
        self.0.children.borrow().first().cloned()
    }

    pub fn has_child_nodes(&self) -> bool {
        !self.0.children.borrow().is_empty()
    }

    pub fn next_sibling(&self) -> Option<Self> {
        let siblings = self.parent_node()?.children();
        let place = siblings.iter().position(|sibling| sibling.is_same_node(Some(self)))?;
        siblings.into_iter().nth(place.checked_add(1)?)
    }

    pub fn set_text_content(&self, text: Option<&str>) {
        if self.0.tag.is_empty() {
            text.unwrap_or_default().clone_into(&mut self.0.text.borrow_mut());
            return;
        }
        for child in self.children() {
            child.remove();
        }
        if let Some(text) = text.filter(|text| !text.is_empty()) {
            drop(self.append_child(&text_node(text)));
        }
    }

    pub fn hidden(&self) -> bool {
        self.property("hidden").is_truthy()
    }

    pub fn set_hidden(&self, hidden: bool) {
        self.set("hidden", hidden.into());
    }

    pub fn checked(&self) -> bool {
        self.property("checked").is_truthy()
    }

    pub fn set_value(&self, value: &str) {
        self.set("value", value.into());
    }

    pub fn select(&self) {}

    pub fn type_(&self) -> String {
        self.get_attribute("type").unwrap_or_default()
    }

    pub fn focus(&self) -> Result<(), JsValue> {
        FOCUSED.with(|focused| *focused.borrow_mut() = Some(Rc::downgrade(&self.0)));
        Ok(())
    }

    pub fn has_focus(&self) -> bool {
        let focused = FOCUSED.with(|focused| focused.borrow().as_ref().and_then(Weak::upgrade));
        focused.is_some_and(|focused| Rc::ptr_eq(&focused, &self.0))
    }

    pub fn matches(&self, selector: &str) -> Result<bool, JsValue> {
        Ok(selector::matches(self, selector))
    }

    pub fn closest(&self, selector: &str) -> Result<Option<Self>, JsValue> {
        Ok(std::iter::successors(Some(self.clone()), Self::parent_node).find(|node| selector::matches(node, selector)))
    }

    pub fn query_selector(&self, selector: &str) -> Result<Option<Self>, JsValue> {
        Ok(self.descendants().into_iter().find(|node| selector::matches(node, selector)))
    }

    pub fn query_selector_all(&self, selector: &str) -> Result<NodeList, JsValue> {
        Ok(NodeList(self.descendants().into_iter().filter(|node| selector::matches(node, selector)).collect()))
    }

    /// Presses the element, as a person does.
    pub fn click(&self) {
        if !self.has_attribute("disabled") {
            drop(self.dispatch_event(&Event::new("click", true)));
        }
    }

    pub fn dispatch_event(&self, event: &Event) -> Result<bool, JsValue> {
        *event.0.target.borrow_mut() = Some(self.clone());
        let way: Vec<Self> = std::iter::successors(Some(self.clone()), Self::parent_node).collect();
        let down = way.iter().rev().map(|node| (node, true));
        let up = way.iter().take(if event.0.bubbles { usize::MAX } else { 1 }).map(|node| (node, false));
        for (node, before) in down.chain(up) {
            if event.0.stopped.get() {
                break;
            }
            let listeners: Vec<_> = node.0.listeners.borrow().clone();
            for (name, early, listener) in listeners {
                if let Some(hears) = listener.upgrade().filter(|_| name == event.0.name && early == before) {
                    hears(event.clone());
                }
            }
        }
        Ok(!event.0.prevented.get())
    }

    pub fn client_height(&self) -> i32 {
        0
    }

    pub fn client_width(&self) -> i32 {
        0
    }

    pub fn scroll_height(&self) -> i32 {
        0
    }

    pub fn scroll_top(&self) -> i32 {
        0
    }

    pub fn set_scroll_top(&self, _: i32) {}

    pub fn set_tab_index(&self, _: i32) {}

    pub fn offset_width(&self) -> i32 {
        0
    }

    pub fn offset_height(&self) -> i32 {
        0
    }

    pub fn offset_top(&self) -> i32 {
        0
    }
}

/// The elements that a selector fits.
pub struct NodeList(Vec<Node>);

impl NodeList {
    pub fn length(&self) -> u32 {
        u32::try_from(self.0.len()).unwrap_or(u32::MAX)
    }

    pub fn get(&self, place: u32) -> Option<Node> {
        self.0.get(place as usize).cloned()
    }
}

/// An event. Of a key nothing is known: none is pressed.
#[derive(Clone)]
pub struct Event(Rc<Happening>);

struct Happening {
    name: String,
    bubbles: bool,
    target: RefCell<Option<Node>>,
    prevented: Cell<bool>,
    stopped: Cell<bool>,
}

impl Event {
    fn new(name: &str, bubbles: bool) -> Self {
        let (target, prevented, stopped) = (RefCell::default(), Cell::default(), Cell::default());
        Self(Rc::new(Happening { name: name.to_owned(), bubbles, target, prevented, stopped }))
    }

    pub fn type_(&self) -> String {
        self.0.name.clone()
    }

    pub fn target(&self) -> Option<Node> {
        self.0.target.borrow().clone()
    }

    pub fn prevent_default(&self) {
        self.0.prevented.set(true);
    }

    pub fn default_prevented(&self) -> bool {
        self.0.prevented.get()
    }

    pub fn stop_propagation(&self) {
        self.0.stopped.set(true);
    }

    pub fn stop_immediate_propagation(&self) {
        self.0.stopped.set(true);
    }

    pub fn time_stamp(&self) -> f64 {
        0.0
    }

    pub fn key(&self) -> String {
        String::new()
    }

    pub fn code(&self) -> String {
        String::new()
    }

    pub fn key_code(&self) -> u32 {
        0
    }

    pub fn repeat(&self) -> bool {
        false
    }

    pub fn is_composing(&self) -> bool {
        false
    }

    pub fn ctrl_key(&self) -> bool {
        false
    }

    pub fn meta_key(&self) -> bool {
        false
    }

    pub fn alt_key(&self) -> bool {
        false
    }

    pub fn shift_key(&self) -> bool {
        false
    }

    pub fn get_modifier_state(&self, _: &str) -> bool {
        false
    }
}
