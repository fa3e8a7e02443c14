//! The host's end of the channel that `docs/messages.md` describes: texts in, texts out. What the page says of an answer is not
//! believed: the walk is done again by its own log, through the core. Knows no window.

use ask_user_core::Walk;
use serde_json::{Value, json};

/// The longest text that is read, in bytes.
const LARGEST: usize = 8 * 1024 * 1024;

/// One question call, put to the page.
pub struct Host {
    request: Value,
    options: Value,
    walk: Walk,
    /// How far the person has come, as the page last said.
    saved: Option<Value>,
    sent: u64,
    taken: u64,
}

/// What comes of a text of the page.
#[derive(Debug, PartialEq)]
pub enum Heard {
    /// This is to be said.
    Reply(String),
    /// There is nothing to do.
    Nothing,
    /// It had no effect, and why.
    Refused(String),
    /// The question has ended: the result for the agent, if it gets one.
    Ended(Option<String>),
}

impl Host {
    /// A host that asks `request` with these options; `walk` is its own, of both.
    pub fn new(request: Value, options: Value, walk: Walk) -> Self {
        Self { request, options, walk, saved: None, sent: 0, taken: 0 }
    }

    /// Takes a text of the page.
    pub fn hear(&mut self, text: &str) -> Heard {
        let message = match self.read(text) {
            Ok(message) => message,
            Err(reason) => return Heard::Refused(reason),
        };
        match message.get("type").and_then(Value::as_str) {
            // A page that is loaded anew is asked again, from where the person was.
            Some("connected") => Heard::Reply(self.ask()),
            Some("walk") => {
                self.saved = message.pointer("/detail/walk").cloned();
                Heard::Nothing
            }
            Some("result" | "end_turn") => self.end(&message["detail"]),
            Some(kind @ ("rejected" | "misuse" | "error")) => Heard::Refused(format!("{kind}: {}", message["detail"])),
            _ => Heard::Nothing,
        }
    }

    fn read(&mut self, text: &str) -> Result<Value, String> {
        if text.len() > LARGEST {
            return Err(format!("A message of {} bytes is too large.", text.len()));
        }
        let message: Value = serde_json::from_str(text).map_err(|error| format!("This is no message: {error}"))?;
        let n = message.get("n").and_then(Value::as_u64).unwrap_or_default();
        let kind = message.get("type").and_then(Value::as_str);
        if message.get("ask_user") != Some(&json!(1)) || !message.get("detail").is_some_and(Value::is_object) {
            return Err("This is no message of the version 1.".to_owned());
        }
        // Each page that is loaded counts anew.
        if kind == Some("connected") && n == 1 {
            (self.sent, self.taken) = (0, 0);
        }
        if n != self.taken + 1 {
            return Err(format!("The message {} comes next, not {n}.", self.taken + 1));
        }
        self.taken = n;
        Ok(message)
    }

    fn ask(&mut self) -> String {
        self.sent += 1;
        let detail = json!({ "request": self.request, "options": self.options, "walk": self.saved });
        json!({ "ask_user": 1, "n": self.sent, "type": "request", "id": "q1", "detail": detail }).to_string()
    }

    fn end(&mut self, detail: &Value) -> Heard {
        let response = json!({ "walk": detail["walk"], "secrets": detail["secrets"] });
        match self.walk.continued(&response) {
            Ok(walk) => match walk.ending() {
                Some(_) => Heard::Ended(walk.result_text()),
                None => Heard::Refused("The form is not filled in yet.".to_owned()),
            },
            Err(error) => Heard::Refused(error.to_string()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Heard, Host};
    use ask_user_core::{Action, Dialect, Form, Walk};
    use serde_json::{Value, json};

    fn host() -> (Host, Walk) {
        let request = json!({ "question": "Go on?", "answer_type": "boolean" });
        let form = Form::read(&request, Dialect::Detect, &ask_user_core::Host::default()).expect("a form");
        let walk = Walk::new(form);
        (Host::new(request, json!({}), walk.clone()), walk)
    }

    fn message(n: u64, kind: &str, detail: Value) -> String {
        json!({ "ask_user": 1, "n": n, "type": kind, "id": "q1", "detail": detail }).to_string()
    }

    #[test]
    fn a_page_is_asked_and_its_answer_read_again() {
        let (mut host, mut walk) = host();
        let Heard::Reply(asked) = host.hear(&message(1, "connected", json!({}))) else { panic!("the page is asked") };
        assert!(asked.contains("Go on?"), "{asked}");
        walk.act(Action::answer(true)).expect("an answer");
        let response = walk.response();
        let end = json!({ "result": "what the page says is not believed", "walk": response["walk"], "secrets": {} });
        let ended = host.hear(&message(2, "result", end));
        assert_eq!(ended, Heard::Ended(Some(r#"{"answer_type":"boolean","answer":true}"#.to_owned())));
    }

    #[test]
    fn what_is_no_message_or_not_the_next_has_no_effect() {
        let (mut host, walk) = host();
        let connected = message(1, "connected", json!({}));
        for text in ["", "{", "[]", "{\"ask_user\":2}", &message(2, "connected", json!({})), &"x".repeat(9_000_000)] {
            assert!(matches!(host.hear(text), Heard::Refused(_)), "{:.40}", text);
        }
        assert!(matches!(host.hear(&connected), Heard::Reply(_)));
        let open = json!({ "walk": walk.response()["walk"], "secrets": {} });
        for (n, detail) in [(1, &open), (3, &open), (2, &json!({})), (3, &open)] {
            assert!(matches!(host.hear(&message(n, "result", detail.clone())), Heard::Refused(_)), "{n}");
        }
    }
}
