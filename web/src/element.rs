//! Elements of the page as views of Leptos. All are of one Rust type: the typed elements of `view!` make a type, and so a copy
//! of their code, of every combination of tag, attributes and children (docs/size.md has what that weighs). An element
//! is made once and never patched; what changes is made anew by an effect of Leptos. No markup is ever parsed.

#[cfg(page)]
mod view;

use crate::{
    dom::{self, Event, HtmlElement, JsValue, Node, text_node},
    language::{self, Language, Said, Word},
    words,
};
use ask_user_core::Question;
use send_wrapper::SendWrapper;
use std::any::Any;

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
    El(Box::new(SendWrapper::new(Made {
        node: dom::create(tag).expect("every tag of the form is an HTML element"),
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
        // The form may be named by its id.
        if let (Some(form), Some(sent)) = (dom::form_of(&node), dom::event("submit", false)) {
            // What its listeners make of it is theirs.
            drop(form.dispatch_event(&sent));
        }
    })
}

/// A text of an agent within a sentence or a list. Its direction does not change the text around it. No `bdi`, since `dir="auto"` of the
/// elements around does not look into one.
pub fn isolated(text: &str) -> El {
    el("span").attr("class", "isolated").text(&words::shown(text))
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
    pub fn prop(self, name: &str, value: impl Into<JsValue>) -> Self {
        dom::set_property(&self.0.node, name, value);
        self
    }

    /// Sets an attribute, again whenever what it is computed from changes.
    pub fn attr_from(mut self, name: &'static str, value: impl Fn() -> &'static str + 'static) -> Self {
        let node = self.0.node.clone();
        self.0.held.push(effect(Box::new(move || set(&node, name, value()))));
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
        let node = text_node("");
        append(&self.0.node, &node);
        language::say(&node, place, said);
        self
    }

    /// Adds text.
    pub fn text(self, text: &str) -> Self {
        append(&self.0.node, &text_node(text));
        self
    }

    /// Adds a text of an agent in which Markdown may be rendered: as "block", "inline", "label" or "preview".
    pub fn markdown(self, kind: &str, text: &str) -> Self {
        self.attr("data-md", kind).text(&words::shown(text))
    }

    /// Adds what a question asks: in the language of the form where it is a sentence of the core.
    pub fn asked(self, question: &Question) -> Self {
        match &question.wording {
            Some(said) => self.say_value(&words::wording(said)),
            None => self.markdown("question", &question.text),
        }
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
        let place = text_node("");
        append(&self.0.node, &place);
        let mut shown: Option<El> = None;
        self.0.held.push(effect(Box::new(move || {
            let next = child();
            if let (Some(next), Some(parent)) = (&next, place.parent_node()) {
                drop(parent.insert_before(&next.0.node, Some(&place)));
            }
            if let Some(old) = std::mem::replace(&mut shown, next) {
                old.0.node.remove();
            }
        })));
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
        let heard = dom::listen(&self.0.node, name, listener, before);
        self.0.held.push(heard);
        self
    }
}

/// Says something in place of what an element says, in a language: for a listener, which runs in none.
pub fn say_anew(node: &HtmlElement, language: &Language, said: &str) {
    // What follows the language goes with its node.
    let text = text_node("");
    node.set_text_content(None);
    append(node, &text);
    language.say(&text, "", said);
}

/// Tells the form that a script has changed a field, as the browser does when a person changes it.
pub fn tell_input(field: &HtmlElement) {
    if let Some(event) = dom::event("input", true) {
        // What its listeners make of it is theirs.
        drop(field.dispatch_event(&event));
    }
}

/// What stands in a field.
pub fn text_in(field: &HtmlElement) -> String {
    dom::property(field, "value").as_string().unwrap_or_default()
}

/// What a person typed into a field, without the line breaks that are left at its end.
pub fn typed_in(field: &HtmlElement) -> String {
    let mut text = text_in(field);
    text.truncate(text.trim_end_matches('\n').len());
    text
}

/// Does something now, and again whenever what it reads changes. It runs in the language of the form that it belongs to.
fn effect(mut act: Box<dyn FnMut()>) -> Box<dyn Any> {
    let language = language::current();
    dom::effect(Box::new(move |_| language::within(language.clone(), &mut *act)))
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
