//! The host's end of the channel that `docs/messages.md` describes: texts in, texts out. What the page says of an answer is not
//! believed: the walk is done again by its own log, through the core. Knows no window.

use ask_user_core::desk::{Asked, Desk, Input, Seal, Unasked};
use serde_json::{Value, json};
use std::hash::{BuildHasher as _, RandomState};

/// The longest text that is read, in bytes.
const LARGEST: usize = 8 * 1024 * 1024;

/// The id of the question on the channel.
const QUESTION: &str = "q1";

/// One question call, put to the page.
pub struct Host {
    desk: Desk,
    /// Makes digests of secrets, by which an answer that comes again is known.
    seals: RandomState,
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
    /// The question has ended: what is to be said once the result is stored, and the result for the agent, if it gets one.
    Ended { reply: String, result: Option<String> },
}

impl Host {
    /// A host that asks.
    pub fn new(asked: Asked) -> Result<Self, Unasked> {
        Ok(Self { desk: Desk::ask(asked, None)?, seals: RandomState::new(), sent: 0, taken: 0 })
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
                // One that does not fit is not kept, so that it takes nothing from the next page.
                self.desk.on(Input::Saved { walk: message["detail"]["walk"].clone(), replaces: None });
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
        if !matches!(kind, Some("connected" | "size" | "error")) && message.get("id") != Some(&json!(QUESTION)) {
            return Err("This is about no question that was asked.".to_owned());
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
        let mut detail: Value = serde_json::from_str(&self.desk.request()).unwrap_or_default();
        detail["acknowledges"] = json!(true);
        self.says("request", &detail)
    }

    /// Brings an answer to the desk, which takes it once and knows it again. What the page says of the result is not believed.
    fn end(&mut self, detail: &Value) -> Heard {
        let response = json!({ "walk": detail["walk"], "secrets": detail["secrets"] });
        let mut input = Input::Responded { key: None, response, tool_call_id: None, seal: None };
        let secrets = self.desk.secrets_in(&input);
        if let (Some(secrets), Input::Responded { seal, .. }) = (secrets, &mut input) {
            let digest = format!("{:016x}", self.seals.hash_one(secrets));
            *seal = Some(Seal { by: "this process".into(), digest });
        }
        let reaction = self.desk.on(input);
        let Some(reply) = reaction.reply.filter(|reply| reply.status >= 300) else {
            let taken = self.says("taken", &json!({}));
            let Some(hand) = reaction.hand else { return Heard::Reply(taken) };
            self.desk.on(Input::Handed);
            return Heard::Ended { reply: taken, result: hand.result };
        };
        self.refuses(&reply.message)
    }

    /// Tells the person why an answer is not taken. The question stays open.
    fn refuses(&mut self, message: &str) -> Heard {
        Heard::Reply(self.says("not_taken", &json!({ "message": message })))
    }

    /// The next text for the page.
    fn says(&mut self, kind: &str, detail: &Value) -> String {
        self.sent += 1;
        json!({ "ask_user": 1, "n": self.sent, "type": kind, "id": QUESTION, "detail": detail }).to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::{Asked, Heard, Host};
    use ask_user_core::{Action, Dialect, Form, Walk};
    use serde_json::{Value, json};

    fn host() -> (Host, Walk) {
        let request = json!({ "question": "Go on?", "answer_type": "boolean" });
        let form = Form::read(&request, Dialect::Detect, &ask_user_core::Host::default()).expect("a form");
        let (dialect, options) = (Dialect::Detect, json!({}));
        let asked = Asked { call: "call_1".into(), request: request.to_string(), dialect, options };
        (Host::new(asked).expect("a form"), Walk::new(form))
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
        let Heard::Ended { reply, result } = host.hear(&message(2, "result", end)) else { panic!("it is taken") };
        assert_eq!(result.as_deref(), Some(r#"{"answer_type":"boolean","answer":true}"#));
        assert_eq!(said(&reply), (2, "taken".to_owned(), Value::Null));
    }

    #[test]
    fn the_same_answer_is_acknowledged_and_taken_once_and_another_is_refused() {
        let (mut host, walk) = host();
        host.hear(&message(1, "connected", json!({})));
        let answer = |answer: bool| {
            let mut walk = walk.clone();
            walk.act(Action::answer(answer)).expect("an answer");
            walk.response()
        };
        assert!(matches!(host.hear(&message(2, "result", answer(true))), Heard::Ended { .. }));
        let Heard::Reply(again) = host.hear(&message(3, "result", answer(true))) else { panic!("a reply") };
        assert_eq!(said(&again).1, "taken");
        let Heard::Reply(other) = host.hear(&message(4, "result", answer(false))) else { panic!("a reply") };
        assert_eq!(
            said(&other),
            (4, "not_taken".to_owned(), json!("Another answer was taken already. This one was not."))
        );
    }

    #[test]
    fn an_answer_that_does_not_fit_is_told_and_the_question_stays_open() {
        let (mut host, mut walk) = host();
        host.hear(&message(1, "connected", json!({})));
        for (n, detail) in [(2, json!({})), (3, walk.response())] {
            let Heard::Reply(reply) = host.hear(&message(n, "result", detail)) else { panic!("a reply") };
            let (_, kind, words) = said(&reply);
            assert_eq!(kind, "not_taken");
            assert!(words.as_str().is_some_and(|words| !words.is_empty()), "{words}");
        }
        walk.act(Action::answer(true)).expect("an answer");
        assert!(matches!(host.hear(&message(4, "result", walk.response())), Heard::Ended { .. }));
    }

    #[test]
    fn a_walk_that_does_not_fit_is_not_kept_for_a_page_that_is_loaded_anew() {
        let (mut host, walk) = host();
        host.hear(&message(1, "connected", json!({})));
        host.hear(&message(2, "walk", json!({ "walk": { "log": ["forged"] } })));
        let Heard::Reply(asked) = host.hear(&message(1, "connected", json!({}))) else { panic!("the page is asked") };
        assert!(!asked.contains("forged"), "{asked}");
        let mut further = walk;
        further.act(Action::answer(true)).expect("an answer");
        host.hear(&message(2, "walk", json!({ "walk": further.save() })));
        let Heard::Reply(asked) = host.hear(&message(1, "connected", json!({}))) else { panic!("the page is asked") };
        let asked: Value = serde_json::from_str(&asked).expect("JSON");
        assert_eq!(asked["detail"]["walk"]["log"].as_array().map(Vec::len), Some(1));
    }

    /// The number of a text for the page, its type, and its words.
    fn said(text: &str) -> (u64, String, Value) {
        let message: Value = serde_json::from_str(text).expect("JSON");
        let kind = message["type"].as_str().expect("a type").to_owned();
        (message["n"].as_u64().expect("a number"), kind, message["detail"]["message"].clone())
    }

    #[test]
    fn what_is_no_message_or_not_the_next_has_no_effect() {
        let (mut host, walk) = host();
        let connected = message(1, "connected", json!({}));
        for text in ["", "{", "[]", "{\"ask_user\":2}", &message(2, "connected", json!({})), &"x".repeat(9_000_000)] {
            assert!(matches!(host.hear(text), Heard::Refused(_)), "{:.40}", text);
        }
        assert!(matches!(host.hear(&connected), Heard::Reply(_)));
        let open = walk.response();
        for n in [1, 3] {
            assert!(matches!(host.hear(&message(n, "result", open.clone())), Heard::Refused(_)), "{n}");
        }
        let another = message(2, "result", open).replace("q1", "q2");
        assert!(matches!(host.hear(&another), Heard::Refused(_)));
    }
}
