//! Whether an answer counts at a host: the vectors of desks, and what random clients, crashes and restarts can do.

use super::mutations::Random;
use ask_user_core::{
    Action, Dialect, Form, Given, Host, Walk,
    desk::{Asked, Code, Desk, Hand, Input, Seal, Unasked},
};
use ask_user_tests::desk;
use serde_json::{Value, json};
use std::collections::BTreeMap;

#[test]
fn every_case_of_a_desk_plays() {
    let mut played = 0;
    for folder in ask_user_tests::folders() {
        let Ok(text) = std::fs::read_to_string(folder.join(desk::FILE)) else { continue };
        let cases: Vec<Value> = serde_json::from_str(&text).unwrap();
        for case in &cases {
            desk::play(case).unwrap_or_else(|why| panic!("{}: {why}", case["name"]));
        }
        played += cases.len();
    }
    assert!(played >= 11, "only {played} cases");
}

/// Where the random cases are. The other builds play them: what they expect is what this one does.
const RANDOM: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/random/desk.json");

/// A random step of a case: any client does anything, at any time.
fn random_step(
    random: &mut Random,
    asked: &mut usize,
    clients: &mut Vec<String>,
    is_open: bool,
    versions: &[String],
) -> Value {
    if *asked == 0 || (!is_open && random.below(2) == 0) {
        *asked += 1;
        let request: Value = serde_json::from_str(REQUEST).unwrap();
        return json!({ "ask": { "call": "call_1", "request": request, "nonce": format!("n{asked}"), "dialect": "ask_user" } });
    }
    let acts = [
        json!([]),
        json!([{ "answer": true }]),
        json!([{ "answer": false }]),
        json!([{ "answer": true }, { "answer": "staging" }]),
        json!([{ "answer": true }, { "answer": "production" }, { "answer": "hunter2-one" }]),
        json!([{ "answer": true }, { "answer": "production" }, { "answer": "hunter2-two" }]),
        json!([{ "answer": true }, { "back": true }, { "answer": false }]),
        json!([{ "reply": "Wait." }]),
        json!([{ "end_turn": true }]),
    ];
    let mut by = json!({ "acts": random.of(&acts).unwrap() });
    if !clients.is_empty() && random.below(2) == 0 {
        by["client"] = json!(random.of(clients).unwrap());
    }
    let key = random.of(&[None, None, Some("k1"), Some("k2")]).copied().unwrap();
    let mut step = match random.below(12) {
        0 => {
            clients.push(format!("c{}", clients.len() + 1));
            return json!({ "client": clients.last() });
        }
        1..=4 => {
            by.as_object_mut().unwrap().extend(key.map(|key| ("key".to_owned(), key.into())));
            json!({ "respond": by })
        }
        5 | 6 => {
            let values = [
                json!({ "apply": false }),
                json!({ "apply": true, "env": "staging" }),
                json!({ "apply": true, "env": "production", "token": "hunter2-one" }),
                json!({ "apply": true, "Which token?": "hunter2-two" }),
                json!({ "apply": true }),
            ];
            let mut given = json!({ "values": random.of(&values).unwrap() });
            let fields = given.as_object_mut().unwrap();
            fields.extend(key.map(|key| ("key".to_owned(), key.into())));
            match random.below(6) {
                0 => drop(fields.insert("nonce".into(), format!("n{}", 1 + random.below(*asked)).into())),
                1 => drop(fields.insert("call".into(), "call_1".into())),
                2 => drop(fields.insert("call".into(), "call_2".into())),
                _ => {}
            }
            json!({ "answers": given })
        }
        7..=9 => {
            let replaces = match random.below(3) {
                0 => Some("*".to_owned()),
                1 => random.of(versions).cloned(),
                _ => None,
            };
            by.as_object_mut().unwrap().extend(replaces.map(|name| ("replaces".to_owned(), name.into())));
            json!({ "save": by })
        }
        _ => random
            .of(&[
                json!({ "stop": true }),
                json!({ "overtake": true }),
                json!({ "expire": true }),
                json!({ "reject": true }),
            ])
            .unwrap()
            .clone(),
    };
    match random.below(10) {
        0 => step["crash"] = "not_stored".into(),
        1 => step["crash"] = "stored".into(),
        _ => {}
    }
    step
}

fn random_cases() -> Vec<Value> {
    (1..=60)
        .map(|seed| {
            let mut random = Random(0x9e37_79b9_7f4a_7c15_u64.wrapping_mul(seed));
            let (mut asked, mut clients) = (0, Vec::new());
            let mut steps = desk::made(30, |is_open, versions| {
                random_step(&mut random, &mut asked, &mut clients, is_open, versions)
            });
            steps.push(json!({ "stored_lacks": "hunter2" }));
            json!({ "name": format!("random-{seed}"), "steps": steps })
        })
        .collect()
}

#[test]
fn the_random_cases_are_what_this_build_does() {
    let cases = random_cases();
    let text = format!("[\n{}\n]\n", cases.iter().map(Value::to_string).collect::<Vec<_>>().join(",\n"));
    if std::env::var_os("WRITE").is_some() {
        std::fs::create_dir_all(std::path::Path::new(RANDOM).parent().unwrap()).unwrap();
        std::fs::write(RANDOM, &text).unwrap();
    }
    let stored = std::fs::read_to_string(RANDOM).unwrap_or_default();
    assert!(stored == text, "they differ: look what has changed, and write them with WRITE=1");
    for case in &cases {
        desk::play(case).unwrap_or_else(|why| panic!("{}: {why}", case["name"]));
    }
    // Everything that can come of a step comes.
    for reply in [
        "taken",
        "taken_before",
        "kept",
        "sent_differently",
        "not_open",
        "behind",
        "needs_key",
        "incomplete",
        "refused",
        "not_rejected",
    ] {
        assert!(text.contains(&format!("\"reply\":\"{reply}\"")), "nothing replies {reply}");
    }
}

/// What happened to a question, as somebody knows who sees everything.
#[derive(Default)]
struct Known {
    /// What closed it: the answers with their secrets, as the person gave them.
    answered: Option<Value>,
    /// What was handed to the agent, with its key, each time.
    handed: Vec<(String, Value)>,
    /// How often a process ended between handing something over and storing that.
    crashes: usize,
}

/// A host with clients, whose process ends at any moment.
struct Everything {
    random: Random,
    desk: Desk,
    stored: Value,
    /// The questions that were shown, each with its nonce.
    shown: Vec<(String, Value)>,
    known: BTreeMap<String, Known>,
    asked: usize,
    taken: usize,
    restarts: usize,
}

const REQUEST: &str = r#"{"questions":[
    {"id":"apply","text":"Apply the migration?","answer_type":"boolean"},
    {"id":"env","text":"Where?","answer_type":"select","options":["staging","production"],"when":{"question_id":"apply","equals":true}},
    {"id":"token","text":"Which token?","answer_type":"secret","when":{"question_id":"env","equals":"production"}}]}"#;

impl Everything {
    fn new(seed: u64) -> Self {
        let desk = ask(1, None);
        let stored = desk.to_json();
        let known = BTreeMap::from([("n1".to_owned(), Known::default())]);
        Self { random: Random(seed), desk, stored, shown: Vec::new(), known, asked: 1, taken: 0, restarts: 0 }
    }

    fn nonce(&self) -> String {
        self.desk.nonce().unwrap().to_owned()
    }

    /// A random walk of a random client, and the nonce of its question.
    fn walk(&mut self) -> (String, Walk) {
        if self.shown.is_empty() || self.random.below(3) == 0 {
            self.shown.push((self.nonce(), request(&self.desk)));
        }
        let shown = self.shown.clone();
        let (nonce, request) = self.random.of(&shown).unwrap().clone();
        let host = Host::from_json(&request["options"]).unwrap();
        let form = Form::read(&request["request"], Dialect::AskUser, &host).unwrap();
        let mut walk = match request.get("walk") {
            Some(saved) if self.random.below(2) == 0 => Walk::resume(form, saved).unwrap(),
            _ => Walk::new(form),
        };
        for _ in 0..self.random.below(5) {
            let answers = [
                Action::answer(true),
                Action::answer(false),
                Action::answer("staging"),
                Action::answer("production"),
                Action::answer("hunter2-one"),
                Action::answer("hunter2-two"),
                Action::Back,
            ];
            drop(walk.act(self.random.of(&answers).unwrap().clone()));
        }
        match self.random.below(12) {
            0 => drop(walk.act(Action::Reply(Some("Wait.".into())))),
            1 => drop(walk.act(Action::EndTurn)),
            _ => {}
        }
        (nonce, walk)
    }

    fn key(&mut self) -> Option<String> {
        self.random.of(&[None, None, Some("k1"), Some("k2")]).unwrap().map(str::to_owned)
    }

    /// Brings an input to the desk. The process may end at any moment; then another one goes on. Gives what the sender hears, if it hears something.
    fn brings(&mut self, input: Input, answers: Option<&Value>) -> Option<Code> {
        let seal = |text: String| Seal { by: "key".into(), digest: text.replace("hunter2", "digest") };
        let secrets = self.desk.secrets_in(&input).map(seal);
        let input = match input {
            Input::Responded { key, response, tool_call_id, .. } => {
                Input::Responded { key, response, tool_call_id, seal: secrets }
            }
            Input::Answered { key, answers, nonce, tool_call_id, .. } => {
                Input::Answered { key, answers, nonce, tool_call_id, seal: secrets }
            }
            input => input,
        };
        let (was_open, nonce, crash) = (self.desk.is_open(), self.nonce(), self.random.below(12));
        let reaction = self.desk.on(input);
        if !was_open && reaction.closed.is_some() {
            // An answer whose secrets a crash has lost, and that nobody has heard of: the question can still be ended.
            let known = self.known.get_mut(&nonce).unwrap();
            let has_secrets = known.answered.as_ref().is_none_or(|answered| answered[2] != json!({}));
            assert!(has_secrets && known.handed.len() <= known.crashes, "a question is closed once");
            known.answered = None;
        }
        if crash == 0 {
            self.restart();
            return None;
        }
        if reaction.store {
            self.stores();
        }
        if was_open && !self.desk.is_open() {
            self.known.get_mut(&nonce).unwrap().answered = answers.cloned();
        }
        if crash == 1 {
            self.restart();
            return None;
        }
        self.hands(reaction.hand, crash == 2);
        if crash == 2 {
            return None;
        }
        reaction.reply.map(|reply| reply.code)
    }

    /// Hands something over, and notes that.
    fn hands(&mut self, hand: Option<Hand>, crash: bool) {
        let nonce = self.nonce();
        if let Some(hand) = hand {
            let given = json!([hand.outcome.result, hand.outcome.secrets]);
            let known = self.known.get_mut(&nonce).unwrap();
            known.handed.push((hand.key, given));
            known.crashes += usize::from(crash);
            if !crash {
                assert!(self.desk.on(Input::Handed).store);
                self.stores();
            }
        }
        if crash {
            self.restart();
        }
    }

    fn stores(&mut self) {
        self.stored = self.desk.to_json();
        assert!(!self.stored.to_string().contains("hunter2"), "a secret is stored: {}", self.stored);
    }

    fn restart(&mut self) {
        self.restarts += 1;
        self.desk = Desk::from_json(&self.stored).unwrap();
        let reaction = self.desk.on(Input::Restored);
        assert!(!reaction.store && reaction.closed.is_none());
        self.hands(reaction.hand, false);
    }

    fn step(&mut self) {
        match self.random.below(12) {
            0..=4 => {
                let (of, walk) = self.walk();
                let (open, key) = (self.nonce(), self.key());
                let answers = answered(&walk);
                let code = self.brings(
                    Input::Responded { key, response: walk.response(), tool_call_id: None, seal: None },
                    answers.as_ref(),
                );
                self.heard(code, &of, &open, answers.as_ref());
            }
            5 | 6 => {
                let key = self.key();
                let choices = [
                    json!({ "apply": false }),
                    json!({ "apply": true, "env": "staging" }),
                    json!({ "apply": true, "env": "production", "token": "hunter2-one" }),
                    json!({ "apply": true }),
                ];
                let Value::Object(values) = self.random.of(&choices).unwrap().clone() else {
                    unreachable!("an object")
                };
                let host = Host::from_json(&request(&self.desk)["options"]).unwrap();
                let mut walk = Walk::new(Form::read(REQUEST, Dialect::AskUser, &host).unwrap());
                let answers = walk.answers(values.clone()).ok().and_then(|()| answered(&walk));
                let open = self.nonce();
                let code = self.brings(
                    Input::Answered { key, answers: values, nonce: None, tool_call_id: None, seal: None },
                    answers.as_ref(),
                );
                if code == Some(Code::Taken) {
                    self.heard(code, &open, &open, answers.as_ref());
                }
            }
            7 | 8 => {
                let (of, walk) = self.walk();
                let versions = [None, Some("*".to_owned()), Some(self.desk.version()), Some("\"other\"".to_owned())];
                let replaces = self.random.of(&versions).unwrap().clone();
                let (is_open, open) = (self.desk.is_open(), self.nonce());
                let code = self.brings(Input::Saved { walk: walk.save(), replaces }, None);
                assert!(code != Some(Code::Kept) || is_open && of == open, "a walk of another question was kept");
            }
            9 => {
                let input = self
                    .random
                    .of(&[Input::Stopped, Input::Overtaken, Input::Expired { now: None }, Input::Rejected])
                    .unwrap()
                    .clone();
                self.brings(input, None);
            }
            10 => self.restart(),
            _ => {
                if !self.desk.is_open() {
                    self.asked += 1;
                    self.desk = ask(self.asked, Some(self.desk.clone()));
                    self.stores();
                    self.known.insert(self.nonce(), Known::default());
                }
            }
        }
    }

    /// A sender heard that its answer was taken, now or before: it is what the question was closed with, or an earlier one was.
    fn heard(&mut self, code: Option<Code>, of: &str, open: &str, answers: Option<&Value>) {
        match code {
            Some(Code::Taken) => {
                assert_eq!(of, open, "an answer to another question was taken");
                self.taken += 1;
            }
            Some(Code::TakenBefore) => {}
            _ => return,
        }
        assert_eq!(self.known[of].answered.as_ref(), answers, "what was taken is another answer");
    }

    fn check(&self) {
        for (nonce, known) in &self.known {
            let mut distinct = known.handed.clone();
            distinct.dedup();
            assert!(distinct.len() <= 1, "{nonce} was handed over as {distinct:?}");
            assert!(known.handed.len() <= 1 + known.crashes, "{nonce} was handed over {} times", known.handed.len());
        }
    }
}

/// A question as a client gets it.
fn request(desk: &Desk) -> Value {
    serde_json::from_str(&desk.request()).unwrap()
}

/// What a walk that has ended gives, with its secrets.
fn answered(walk: &Walk) -> Option<Value> {
    let outcome = walk.outcome()?;
    Some(json!([outcome.ends(), outcome.result, outcome.secrets]))
}

fn ask(number: usize, earlier: Option<Desk>) -> Desk {
    let options = json!({ "tool_call_id": "call_1", "nonce": format!("n{number}") });
    Desk::ask(Asked { call: "call_1".into(), request: REQUEST.into(), dialect: Dialect::AskUser, options }, earlier)
        .unwrap()
}

#[test]
fn whatever_clients_and_crashes_do_each_question_is_answered_once_and_handed_over_once() {
    let (mut taken, mut restarts, mut handed) = (0, 0, 0);
    for seed in 1..=400 {
        let mut everything = Everything::new(0x9e37_79b9_7f4a_7c15_u64.wrapping_mul(seed));
        for _ in 0..60 {
            everything.step();
            everything.check();
        }
        // What was taken is handed over in the end, unless it had secrets that a crash has lost: their sender has heard nothing, and sends again.
        everything.restart();
        for (nonce, known) in &everything.known {
            let has_result = known.answered.as_ref().is_some_and(|answered| !answered[1].is_null());
            let has_secrets = known.answered.as_ref().is_some_and(|answered| answered[2] != json!({}));
            assert!(!has_result || has_secrets || !known.handed.is_empty(), "{nonce} was never handed over");
            handed += known.handed.len();
        }
        taken += everything.taken;
        restarts += everything.restarts;
    }
    assert!(taken > 500 && handed > 1_000 && restarts > 2_000, "{taken} {handed} {restarts}");
}

#[test]
fn what_is_typed_after_the_first_save_is_kept_and_what_is_nobodys_is_not() {
    let mut desk = ask(1, None);
    let host = Host::from_json(&request(&desk)["options"]).unwrap();
    let walk = Walk::new(Form::read(REQUEST, Dialect::AskUser, &host).unwrap());
    let with = |typed: Value| {
        let mut saved = walk.save();
        saved["typed"] = typed;
        saved["other"] = "x".repeat(100).into();
        saved["drafts"] = json!({ "nobody": {}, "token": { "typed": { "": "hunter2" } } });
        saved
    };
    let mut versions = vec![desk.version()];
    for text in ["a", "ab", "abc"] {
        let input = Input::Saved {
            walk: with(json!({ "env.other": text, "token": "hunter2", "nobody": "x" })),
            replaces: versions.last().cloned(),
        };
        let reaction = desk.on(input.clone());
        assert!(reaction.store);
        versions.push(reaction.reply.unwrap().version.unwrap());
        assert_eq!(request(&desk)["walk"]["typed"], json!({ "env.other": text }));
        // The same once more, because its reply was lost.
        let again = desk.on(input);
        assert_eq!((again.store, again.reply.unwrap().version.as_ref()), (false, versions.last()));
    }
    let stored = desk.to_json().to_string();
    assert!(!stored.contains("hunter2") && !stored.contains("xxx") && !stored.contains("nobody"), "{stored}");
    versions.sort();
    versions.dedup();
    assert_eq!(versions.len(), 4);
}

#[test]
fn a_question_that_could_not_be_told_from_the_one_before_or_has_secrets_is_not_asked() {
    let asked =
        |options: Value| Asked { call: "call_1".into(), request: REQUEST.into(), dialect: Dialect::AskUser, options };
    for options in [json!({}), json!({ "nonce": "n1" })] {
        let refused = Desk::ask(asked(options), Some(ask(1, None))).map(drop).unwrap_err();
        assert!(format!("{refused:?}").contains("nonce"), "{refused:?}");
    }
    let mut deep = json!(1);
    for _ in 0..120 {
        deep = json!([deep]);
    }
    for options in [
        json!({ "secret_answers": { "token": "x" } }),
        json!({ "static_answers": { "token": "x" } }),
        json!({ "turn": { "remembered": { "a": { "question": {}, "answer": deep } } } }),
    ] {
        assert!(Desk::ask(asked(options.clone()), None).is_err(), "{options}");
    }
    // A walk that has secrets, because somebody has answered it.
    let request = r#"{"question":"Which?","answer_type":"secret"}"#;
    let mut walk = Walk::new(Form::read(request, Dialect::AskUser, &Host::default()).unwrap());
    walk.act(Action::answer("hunter2")).unwrap();
    let asked = Asked { call: "call_1".into(), request: request.into(), dialect: Dialect::AskUser, options: json!({}) };
    assert!(Desk::new(asked, &walk, None).is_err());
}

#[test]
fn a_response_without_the_nonce_of_its_question_is_none_to_it() {
    let mut desk = ask(1, None);
    let mut walk = Walk::new(Form::read(REQUEST, Dialect::AskUser, &Host::default()).unwrap());
    walk.act(Action::answer(false)).unwrap();
    let reaction = desk.on(Input::Responded { key: None, response: walk.response(), tool_call_id: None, seal: None });
    assert_eq!(reaction.reply.unwrap().code, Code::Refused);
    assert_eq!(desk.on(Input::Saved { walk: walk.save(), replaces: None }).reply.unwrap().code, Code::Refused);
    assert!(desk.is_open());
}

#[test]
fn what_is_written_for_developers_has_nothing_that_a_person_has_given() {
    let mut desk = ask(1, None);
    let host = Host::from_json(&request(&desk)["options"]).unwrap();
    let mut walk = Walk::new(Form::read(REQUEST, Dialect::AskUser, &host).unwrap());
    for answer in [Action::answer(true), Action::answer("production"), Action::answer("hunter2")] {
        walk.act(answer).unwrap();
    }
    let input = Input::Responded { key: Some("k".into()), response: walk.response(), tool_call_id: None, seal: None };
    let plain = json!({ "apply": true, "env": "production", "token": "hunter2" });
    let Value::Object(answers) = plain else { unreachable!("an object") };
    let others = [
        Input::Answered { key: None, answers, nonce: None, tool_call_id: None, seal: None },
        Input::Saved { walk: walk.save(), replaces: None },
    ];
    let mut written = format!("{input:?} {others:?}");
    written += &format!("{:?} {desk:?}", desk.on(input));
    assert!(written.contains("Responded") && written.contains("Completed"), "{written}");
    assert!(!written.contains("hunter2"), "{written}");
}

#[test]
fn a_desk_asks_nothing_that_another_agent_could_have_sent_unless_its_host_names_the_dialect_or_allows_it() {
    let request =
        r#"{"questions":[{"question":"Color?","header":"Color","options":[{"label":"blue"},{"label":"red"}]}]}"#;
    let ask = |dialect, options: Value| {
        let asked = Asked { call: "c".into(), request: request.into(), dialect, options };
        Desk::ask(asked, None).map(drop)
    };
    match ask(Dialect::Detect, json!({})) {
        Err(Unasked::Rejected(rejection)) => assert_eq!(rejection.problems[0].code(), "assumed_dialect"),
        other => panic!("{other:?}"),
    }
    ask(Dialect::AskUserQuestion, json!({})).unwrap();
    ask(Dialect::Detect, json!({ "detect": "assume" })).unwrap();
}

#[test]
fn an_agent_waits_for_an_approval_a_secret_and_an_answer_that_cannot_be_undone() {
    let asked = |request: Value, blocking: bool| {
        let options = json!({ "nonce": "n", "blocking": blocking });
        Desk::ask(Asked { call: "c".into(), request: request.to_string(), dialect: Dialect::Detect, options }, None)
    };
    let danger = json!({ "question": "Drop it?", "answer_type": "boolean", "danger": true });
    let option = json!({ "value": "drop", "danger": true });
    let option = json!({ "question": "What now?", "answer_type": "select", "options": [{ "value": "keep" }, option] });
    let secret = json!({ "question": "Which token?", "answer_type": "secret" });
    let approval = json!({ "action_requests": [{ "name": "rm", "args": {} }],
                           "review_configs": [{ "action_name": "rm", "allowed_decisions": ["approve", "reject"] }] });
    let url = json!({ "mode": "url", "message": "Sign in.", "url": "https://example.com/", "elicitationId": "e" });
    for request in [danger, option, secret, approval, url] {
        let error = asked(request.clone(), false).unwrap_err();
        let says = "The option \"blocking\" must be true: an agent waits for an approval, a secret, and an answer that cannot be undone.";
        assert!(matches!(error, Unasked::Misused(_)), "{request}: {error}");
        assert_eq!(error.to_string(), says);
        assert!(asked(request, true).is_ok());
    }
    let plain = json!({ "question": "Which color?", "answer_type": "text" });
    assert!(asked(plain, false).is_ok());
}

#[test]
fn a_request_may_say_by_itself_that_its_agent_does_not_wait() {
    let asked = |secret: bool, is_blocking: &str, wrapped: bool| {
        let mut request = json!({ "questions": [{ "id": "q", "header": "H", "question": "Which?", "isOther": false, "isSecret": secret, "options": null }] });
        request[is_blocking] = json!(false);
        let request = if wrapped {
            json!({ "method": "item/tool/requestUserInput", "id": 1, "params": request })
        } else {
            request
        };
        let options = json!({ "nonce": "n" });
        let desk =
            Desk::ask(Asked { call: "c".into(), request: request.to_string(), dialect: Dialect::Codex, options }, None);
        desk.unwrap().asked().options["blocking"] == false
    };
    for wrapped in [false, true] {
        assert!(asked(false, "isBlocking", wrapped) && asked(false, "is_blocking", wrapped));
        assert!(!asked(true, "isBlocking", wrapped), "a secret is waited for");
        assert!(!asked(false, "isOpen", wrapped));
    }
}

#[test]
fn an_answer_that_is_not_waited_for_is_not_remembered() {
    let request = r#"{"questions":[{"id":"a","text":"A?","answer_type":"boolean"}]}"#;
    for blocking in [true, false] {
        let host = Host::from_json(&json!({ "blocking": blocking })).unwrap();
        let form = Form::read(request, Dialect::AskUser, &host).unwrap();
        assert_eq!(form.is_blocking(), blocking);
        assert_eq!(form.to_json().get("blocking"), (!blocking).then_some(&json!(false)));
        let mut walk = Walk::new(form);
        assert_eq!(walk.act(Action::Answer(Given { remember: true, ..Given::from(json!(true)) })).is_ok(), blocking);
    }
}
