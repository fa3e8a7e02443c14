//! Forms as HTML, posted as a browser posts them.

use super::{Html, Posted};
use ask_user_core::{Dialect, Ends, Host};
use serde_json::{Map, Value, json};

const NONE: &str = "";

/// What a browser posts of a form when a button is pressed: its fields as they are, but for those that are filled in.
fn fields(shadow: &str, filled: &[(&str, &str)], pressed: &str) -> Vec<(String, String)> {
    let mut fields: Vec<(String, String)> = Vec::new();
    for tag in shadow.split('<').filter(|tag| tag.starts_with("input")) {
        let attribute = |name: &str| {
            let (_, rest) = tag.split_once(&format!(" {name}=\""))?;
            Some(rest.split_once('"')?.0.replace("&quot;", "\"").replace("&amp;", "&"))
        };
        let (kind, name) = (attribute("type").unwrap_or_default(), attribute("name").unwrap_or_default());
        let is_box = kind == "radio" || kind == "checkbox";
        if filled.iter().any(|(known, _)| *known == name) || (is_box && !tag.contains(" checked")) {
            continue;
        }
        fields.push((name, attribute("value").unwrap_or_default()));
    }
    fields.extend(filled.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())));
    fields.push((".press".to_owned(), pressed.to_owned()));
    fields
}

/// A person at a form, whose host keeps nothing but what it is given.
struct Person {
    request: String,
    host: Host,
    saved: Option<Value>,
    secrets: Map<String, Value>,
    shadow: String,
}

impl Person {
    fn at(request: &Value) -> Self {
        let mut person = Self {
            request: request.to_string(),
            host: Host::default(),
            saved: None,
            secrets: Map::new(),
            shadow: String::new(),
        };
        person.shadow = person.html().shadow();
        person
    }

    fn html(&self) -> Html<'_> {
        let html = Html::new(&self.request, Dialect::Detect, &self.host).action("form");
        match &self.saved {
            Some(saved) => html.resume(saved, self.secrets.clone()),
            None => html,
        }
    }

    fn press(&mut self, pressed: &str, filled: &[(&str, &str)]) -> Posted {
        let posted = self.html().post(&fields(&self.shadow, filled, pressed));
        self.saved.clone_from(&posted.saved);
        self.secrets.clone_from(&posted.secrets);
        self.shadow.clone_from(&posted.shadow);
        posted
    }
}

#[test]
fn a_question_is_answered_by_its_button() {
    let mut person = Person::at(&json!({ "questions": [
        { "id": "apply", "text": "Apply it?", "answer_type": "boolean" },
        { "id": "note", "text": "Which & \"why\"?", "answer_type": "text", "when": { "question_id": "apply", "equals": true } }
    ] }));
    let posted = person.press("data-answer=yes", &[]);
    assert!(!posted.is_behind && posted.outcome.is_none());
    assert!(person.shadow.contains("Which &amp; &quot;why&quot;?"), "{}", person.shadow);
    let posted = person.press(NONE, &[("answer", "because <b>")]);
    let outcome = posted.outcome.expect("it has ended");
    assert_eq!(
        (outcome.ends, outcome.result),
        (Ends::Completed, Some(json!({ "apply": true, "note": "because <b>" })))
    );
}
