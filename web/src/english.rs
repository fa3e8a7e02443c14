//! Says the words of the form without the script of the custom element: in English, or as an application says them. For the component.

#[cfg(page)]
mod intl;
#[cfg(not(page))]
mod plain;

use crate::{
    dom::{Element, JsCast, Node},
    language::Speak,
};
use ask_user_core::json;
use serde_json::{Map, Value};
use std::cell::RefCell;

#[cfg(not(page))]
use plain as intl;

/// A line for each word: `key=text`, with both forms of a plural between ` | `.
const CATALOGUE: &str = include_str!(concat!(env!("OUT_DIR"), "/catalogue.txt"));
/// The categories of plural forms, as `Intl.PluralRules` names them.
const CATEGORIES: [&str; 6] = ["zero", "one", "two", "few", "many", "other"];

/// English, with what an application says instead.
#[derive(Default)]
pub struct English(RefCell<Said>);

#[derive(Default)]
struct Said {
    /// The language (BCP 47), for `Intl`; empty for English.
    tag: String,
    /// What is said instead, by key: a text, or an object of plural forms.
    words: Map<String, Value>,
    /// What has been said, and where.
    places: Vec<(Node, String, Value)>,
}

impl English {
    /// Changes what is said: the language for numbers, dates, lists and plural forms, and words by key. What has been said is said anew.
    ///
    /// # Errors
    /// What is wrong with the words, for the developer; nothing is changed then.
    pub fn set(&self, tag: &str, words: Value) -> Result<(), String> {
        let words = match words {
            Value::Object(words) => words,
            _ => Map::new(),
        };
        check(&words)?;
        let said = &mut *self.0.borrow_mut();
        said.places.retain(|(node, ..)| node.is_connected());
        tag.clone_into(&mut said.tag);
        said.words = words;
        for (node, place, value) in &said.places {
            said.write(node, place, value);
        }
        Ok(())
    }
}

impl Speak for English {
    fn say(&self, node: &Node, place: &str, said: &str) {
        let value = json::parse(said).unwrap_or_else(|_| Value::Array(vec![said.into()]));
        let all = &mut *self.0.borrow_mut();
        all.write(node, place, &value);
        all.places.push((node.clone(), place.to_owned(), value));
    }
}

impl Said {
    fn write(&self, node: &Node, place: &str, value: &Value) {
        match (place, node.dyn_ref::<Element>()) {
            ("", _) => node.set_text_content(Some(&self.text(value))),
            ("<" | ">", _) => {
                let text = self.template(value, None).1;
                let (before, rest) = text.split_once('{').unwrap_or((&text, ""));
                let after = rest.split_once('}').map_or("", |(_, after)| after);
                node.set_text_content(Some(if place == "<" { before } else { after }));
            }
            // Every attribute of the form has a name that it may have.
            (name, Some(element)) => drop(element.set_attribute(name, &self.text(value))),
            (_, None) => {}
        }
    }

    /// A value as text.
    fn text(&self, value: &Value) -> String {
        match value {
            Value::String(text) => text.clone(),
            Value::Number(number) => {
                let plain = json::text(number);
                if self.tag.is_empty() && plain.len() < 4 {
                    return plain;
                }
                intl::number(self.tag(), &plain).unwrap_or(plain)
            }
            Value::Array(_) => {
                let count = value.get(1).and_then(|values| values.get("count")).and_then(Value::as_u64);
                self.fill(&self.template(value, count).1, value.get(1))
            }
            Value::Object(written) => {
                written.iter().next().map(|(kind, value)| self.written(kind, value)).unwrap_or_default()
            }
            Value::Null | Value::Bool(_) => String::new(),
        }
    }

    /// The key of a word and its text with placeholders, in the form for a count.
    fn template(&self, value: &Value, count: Option<u64>) -> (String, String) {
        let line = value.get(0).and_then(Value::as_str).unwrap_or_default();
        let (key, english) = line.split_once('=').unwrap_or_default();
        let form = match self.words.get(key) {
            Some(Value::Object(forms)) => {
                let category = intl::plural(self.tag(), count.unwrap_or_default()).unwrap_or_default();
                forms.get(&category).or_else(|| forms.get("other")).and_then(Value::as_str)
            }
            form => form.and_then(Value::as_str),
        };
        let plural = || match (english.split_once(" | "), count) {
            (Some((one, _)), Some(1)) => one,
            (Some((_, other)), Some(_)) => other,
            _ => english,
        };
        (key.to_owned(), form.unwrap_or_else(plural).to_owned())
    }

    /// A text with values in place of `{name}`.
    fn fill(&self, text: &str, values: Option<&Value>) -> String {
        let mut filled = String::with_capacity(text.len());
        let mut rest = text;
        while let Some((before, after)) = rest.split_once('{') {
            filled.push_str(before);
            let name = after.split('}').next().unwrap_or_default();
            match values.and_then(|values| values.get(name)) {
                Some(value) => {
                    filled.push_str(&self.text(value));
                    rest = after.get(name.len().saturating_add(1)..).unwrap_or_default();
                }
                None => {
                    filled.push('{');
                    rest = after;
                }
            }
        }
        filled + rest
    }

    fn written(&self, kind: &str, value: &Value) -> String {
        let text = || value.as_str().unwrap_or_default();
        let said = match kind {
            "hint" => {
                let mut hint = self.text(value);
                if let Some(letter) = hint.get_mut(..1) {
                    letter.make_ascii_uppercase();
                }
                return hint;
            }
            "list" => {
                let texts = value.as_array().map(Vec::as_slice).unwrap_or_default();
                let texts: Vec<String> = texts.iter().map(|text| self.text(text)).collect();
                return intl::list(self.tag(), &texts).unwrap_or(texts.join(", "));
            }
            "between" => return ", ".to_owned(),
            "date" => intl::date(self.tag(), text()),
            "digits" if is_short(text()) => intl::digits(self.tag(), text()),
            "violation" => return value.get(2).and_then(Value::as_str).unwrap_or_default().to_owned(),
            _ => None,
        };
        said.unwrap_or_else(|| text().to_owned())
    }

    fn tag(&self) -> &str {
        if self.tag.is_empty() { "en" } else { &self.tag }
    }
}

/// Whether a number has so few digits that none is lost.
fn is_short(text: &str) -> bool {
    text.len() <= 15 && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'.' | b'-'))
}

/// Checks the words of an application: a key that does not exist, a placeholder that its text does not have, a value that is no text.
fn check(words: &Map<String, Value>) -> Result<(), String> {
    for (key, value) in words {
        let line = CATALOGUE.lines().filter_map(|line| line.split_once('=')).find(|(name, _)| name == key);
        let Some((_, english)) = line else {
            return Err(format!("`words` has \"{key}\", which is no key of docs/words.md."));
        };
        let forms: Vec<&Value> = match value {
            Value::Object(forms)
                if english.contains(" | ")
                    && forms.contains_key("other")
                    && forms.keys().all(|category| CATEGORIES.contains(&category.as_str())) =>
            {
                forms.values().collect()
            }
            form => vec![form],
        };
        let known = placeholders(english);
        for form in forms {
            let Some(text) = form.as_str() else {
                return Err(format!("`words` has no text for \"{key}\"."));
            };
            if let Some(name) = placeholders(text).iter().find(|name| !known.contains(name)) {
                return Err(format!("`words` has the placeholder {{{name}}} in \"{key}\", which has no such value."));
            }
        }
    }
    Ok(())
}

fn placeholders(text: &str) -> Vec<&str> {
    text.split('{').skip(1).filter_map(|rest| Some(rest.split_once('}')?.0)).collect()
}
