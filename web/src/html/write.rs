//! Writes the tree as HTML (HTML Standard, "Serializing HTML fragments").

use crate::dom::{Node, property};

/// Elements without content or an end tag.
const VOID: [&str; 3] = ["br", "hr", "input"];

/// Writes an element with all in it. `is_plain`: it is part of a form that is posted.
pub fn tree(html: &mut String, root: &Node, is_plain: bool) {
    // What is left to write: a node, or the end of one.
    let mut left: Vec<Result<Node, String>> = vec![Ok(root.clone())];
    while let Some(next) = left.pop() {
        let node = match next {
            Ok(node) => node,
            Err(end) => {
                html.push_str(&end);
                continue;
            }
        };
        if node.tag().is_empty() {
            escape(html, &node.data());
            continue;
        }
        if is_plain && (node.matches(".filter").unwrap_or_default() || node.matches(".keys").unwrap_or_default()) {
            continue;
        }
        // A form holds no other form.
        let tag = if is_plain && node.tag() == "form" { "div" } else { node.tag() };
        html.push('<');
        html.push_str(tag);
        attributes(html, &node, is_plain);
        html.push('>');
        if tag == "textarea" {
            // The first line break after the tag is dropped.
            html.push('\n');
            escape(html, &property(&node, "value").as_string().unwrap_or_default());
        }
        if !VOID.contains(&tag) {
            left.push(Err(format!("</{tag}>")));
            left.extend(node.children().into_iter().rev().map(Ok));
        }
    }
}

fn attributes(html: &mut String, node: &Node, is_plain: bool) {
    let is_box = matches!(node.type_().as_str(), "radio" | "checkbox");
    for (name, value) in node.attributes() {
        let is_state = matches!(name.as_str(), "checked" | "hidden" | "value");
        let is_of_form = is_plain && matches!((node.tag(), name.as_str()), (_, "form") | ("form", _));
        let is_replaced =
            is_plain && matches!((node.tag(), name.as_str()), ("button", "type") | ("input" | "textarea", "name"));
        let is_state = is_state && matches!(node.tag(), "input" | "textarea");
        let is_dropped = is_of_form && !matches!(name.as_str(), "class" | "part" | "id");
        if !(is_state || is_replaced || is_dropped) || (name == "form" && value.is_empty()) {
            attribute(html, &name, &value);
        }
    }
    if node.hidden() && !node.has_attribute("hidden") {
        attribute(html, "hidden", "");
    }
    if node.tag() == "input" {
        if node.checked() {
            attribute(html, "checked", "");
        }
        if is_box && is_plain {
            attribute(html, "value", &super::post::value(node));
        } else if !is_box && node.type_() != "password" {
            attribute(html, "value", &property(node, "value").as_string().unwrap_or_default());
        }
    }
    if is_plain {
        match node.tag() {
            "button" => {
                attribute(html, "type", "submit");
                attribute(html, "name", super::post::PRESSED);
                attribute(html, "value", &super::post::key(node));
            }
            "input" | "textarea" => attribute(html, "name", &super::post::name(node)),
            _ => {}
        }
        if node.has_focus() {
            attribute(html, "autofocus", "");
        }
    }
}

pub fn attribute(html: &mut String, name: &str, value: &str) {
    html.push(' ');
    html.push_str(name);
    if !value.is_empty() {
        html.push_str("=\"");
        escape(html, value);
        html.push('"');
    }
}

/// Writes a text so that it is no markup, in an element as in an attribute.
pub fn escape(html: &mut String, text: &str) {
    for character in text.chars() {
        match character {
            '&' => html.push_str("&amp;"),
            '<' => html.push_str("&lt;"),
            '>' => html.push_str("&gt;"),
            '"' => html.push_str("&quot;"),
            '\u{a0}' => html.push_str("&nbsp;"),
            // A parser makes one line break of it.
            '\r' => html.push_str("&#13;"),
            character => html.push(character),
        }
    }
}
