//! Forms as HTML, posted as a browser posts them.

use super::{Html, Layout, Posted};
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
        (outcome.ends(), outcome.result),
        (Ends::Completed, Some(json!({ "apply": true, "note": "because <b>" })))
    );
}

/// Every request of the vectors, in every layout, as HTML and posted with each of its buttons and with fields that it does not have: nothing panics,
/// nothing is answered that was not shown, and the markup is closed.
#[test]
fn every_request_is_written_and_posted() {
    let mut count = 0;
    for file in std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/vectors")).unwrap() {
        let path = file.unwrap().path();
        if path.extension().is_none_or(|kind| kind != "json") {
            continue;
        }
        let cases: Vec<Value> = serde_json::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap_or_default();
        for case in cases.iter().filter(|case| case.get("request").is_some()) {
            let request = case["request"].to_string();
            let host = case.get("host").map_or_else(Host::default, |host| Host::from_json(host).unwrap_or_default());
            let dialect = case["dialect"].as_str().map_or(Dialect::Detect, |name| name.parse().unwrap_or_default());
            for layout in [Layout::Steps, Layout::Page, Layout::Auto] {
                let html = || Html::new(&request, dialect, &host).layout(layout);
                closed(&html().shadow());
                let shadow = html().action("form").shadow();
                closed(&shadow);
                let keys =
                    shadow.split("name=\".press\" value=\"").skip(1).filter_map(|rest| Some(rest.split_once('"')?.0));
                for key in keys.map(|key| key.replace("&quot;", "\"")) {
                    let posted = html().action("form").post(&fields(&shadow, &[], &key));
                    closed(&posted.shadow);
                    // What is posted at another moment changes nothing.
                    let mut late = fields(&shadow, &[("option", "option-0"), ("answer", "x")], &key);
                    late.retain(|(name, _)| name != ".at");
                    assert!(html().action("form").post(&late).is_behind || !shadow.contains(".at"));
                    count += 1;
                }
            }
        }
    }
    assert!(count > 1_000, "{count}");
}

/// Each element that is opened is closed, in its order.
fn closed(html: &str) {
    let mut open = Vec::new();
    let (_, markup) = html.split_once("</style>").unwrap();
    for tag in markup.split('<').skip(1).map(|tag| tag.split(['>', ' ']).next().unwrap()) {
        match tag.strip_prefix('/') {
            Some("template") => {}
            Some("div") if open.is_empty() => {}
            Some(name) => assert_eq!(open.pop(), Some(name), "{html}"),
            None if tag == "input" => {}
            None => open.push(tag),
        }
    }
    assert!(open.is_empty(), "{open:?}");
}

#[test]
fn a_text_of_an_agent_is_no_markup() {
    let text = "</textarea></style><script>alert(1)</script>\"'&<img src=x onerror=alert(1)>";
    let person = Person::at(&json!({ "questions": [
        { "id": "a", "text": text, "context": text, "header": text, "answer_type": "text", "default": text, "placeholder": text },
        { "id": "b", "text": text, "answer_type": "select", "options": [{ "value": text, "label": text, "description": text }] }
    ] }));
    let (_, markup) = person.shadow.split_once("</style>").unwrap();
    assert!(!markup.contains("<script") && !markup.contains("<img") && !markup.contains("</style"), "{markup}");
    closed(&person.shadow);
}

#[test]
fn a_form_whose_time_is_over_takes_no_answer_and_keeps_what_was_typed() {
    let host = Host::from_json(&json!({ "expires_at": "2026-11-28T12:00:00Z" })).unwrap();
    let request = json!({ "questions": [{ "id": "why", "text": "Why?", "answer_type": "text" }] }).to_string();
    let end = host.expires_at.as_ref().unwrap().millis();
    let html = Html::new(&request, Dialect::Detect, &host).action("form");
    let shown = html.clone().at(end - 1).shadow();
    let typed = fields(&shown, &[("answer", "Because")], "");
    let in_time = html.clone().at(end - 1).post(&typed);
    assert_eq!(in_time.outcome.unwrap().ends(), Ends::Completed);
    let late = html.clone().at(end).post(&typed);
    let outcome = late.outcome.unwrap();
    assert_eq!((outcome.ends(), outcome.result), (Ends::Expired, None));
    assert!(late.saved.unwrap().to_string().contains("Because"));
    let shadow = html.at(end).shadow();
    assert!(shadow.contains("This question has expired.") && !shadow.contains("<form"), "{shadow}");
}

#[test]
fn a_form_whose_agent_does_not_wait_says_so() {
    let request = json!({ "questions": [{ "id": "why", "text": "Why?", "answer_type": "text" }] }).to_string();
    for blocking in [true, false] {
        let host = Host::from_json(&json!({ "blocking": blocking })).unwrap();
        let shadow = Html::new(&request, Dialect::Detect, &host).action("form").shadow();
        assert_eq!(shadow.contains("The agent has gone on. Your answer reaches it as a message."), !blocking);
    }
}
