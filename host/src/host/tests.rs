//! What the host does with replies that come late, repeat themselves, or never come.

use super::*;
use crate::{
    agent::{Asking, Entry, Execution, Failed, Reply, Served, Soon},
    store::{Answer, Sqlite, Token},
};
use ask_user_core::{
    Consultation, Dialect, Source, Target, Verdict,
    conversation::ToolCall,
    desk::{Code, Input},
};
use serde::Deserialize;
use std::time::Duration;
use tokio::sync::mpsc;

/// An agent whose model responds as a test says, and that tells which tools have run.
struct Puppet<R> {
    respond: R,
    executed: mpsc::UnboundedSender<String>,
}

fn no_more() -> Failed {
    Failed { message: "no more".into(), kind: "no_more", may_try_again: true }
}

impl<R: Fn() -> Soon<Result<Reply, Failed>> + Send + Sync + 'static> Agent for Puppet<R> {
    fn name(&self) -> &'static str {
        "Puppet"
    }
    fn model(&self) -> Served {
        Served { provider: "puppet", model: "puppet".into() }
    }
    fn assistant(&self) -> Option<Served> {
        None
    }
    fn tool(&self, _: &str) -> Option<&'static str> {
        None
    }
    fn respond(&self, _: Vec<Entry>) -> Soon<Result<Reply, Failed>> {
        (self.respond)()
    }
    fn advise(&self, _: Consultation) -> Soon<Option<Verdict>> {
        Box::pin(async { None })
    }
    fn execute(&self, call: &ToolCall) -> Soon<Execution> {
        drop(self.executed.send(call.name.clone()));
        let asking = ["ask", "interrupt"].contains(&call.name.as_str()).then(|| Asking {
            request: call.input.clone(),
            dialect: if call.name == "ask" { Dialect::AskUser } else { Dialect::AgUi },
            source: Source::Assistant,
            target: Target::User,
            blocking: call.input["later"] != true,
        });
        Box::pin(async { asking.map_or_else(|| Execution::Done(json!("done")), Execution::Asks) })
    }
}

fn call(id: &str, name: &str) -> ToolCall {
    ToolCall { id: id.into(), name: name.into(), input: json!({}) }
}

async fn told(host: &Host, id: &str) -> Vec<String> {
    tokio::time::sleep(Duration::from_millis(150)).await;
    let messages = host.store.messages(id).await.expect("the store can be read");
    messages.iter().map(|line| line["text"].as_str().unwrap_or("result").to_owned()).collect()
}

type Says = mpsc::UnboundedSender<(Duration, Reply)>;

async fn puppet() -> (Arc<Host>, String, Says, mpsc::UnboundedReceiver<String>) {
    puppet_with(HostOptions::default()).await
}

async fn puppet_with(options: HostOptions) -> (Arc<Host>, String, Says, mpsc::UnboundedReceiver<String>) {
    let ((says, replies), (executed, ran)) = (mpsc::unbounded_channel(), mpsc::unbounded_channel());
    let replies = Arc::new(tokio::sync::Mutex::new(replies));
    let respond = move || -> Soon<Result<Reply, Failed>> {
        let replies = Arc::clone(&replies);
        Box::pin(async move {
            let (pause, reply): (Duration, Reply) = replies.lock().await.recv().await.ok_or_else(no_more)?;
            tokio::time::sleep(pause).await;
            Ok(reply)
        })
    };
    let (host, id) = hosted(Puppet { respond, executed }, options).await;
    (host, id, says, ran)
}

/// A host with a conversation of an agent.
async fn hosted(agent: impl Agent, options: HostOptions) -> (Arc<Host>, String) {
    let store = Sqlite::open(std::path::Path::new(":memory:")).expect("SQLite works in memory");
    let host = Host::open(Box::new(store), Box::new(agent), options).await.expect("an empty store opens");
    let (id, _) = host.create().await.expect("a conversation begins");
    (host, id)
}

fn says(says: &Says, pause: u64, text: &str, calls: &[ToolCall]) {
    let reply = Reply { text: text.into(), calls: calls.to_vec(), note: None };
    says.send((Duration::from_millis(pause), reply)).expect("the agent listens");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_reply_to_a_request_that_was_stopped_is_dropped() {
    let (host, id, model, mut ran) = puppet().await;
    says(&model, 80, "late", &[call("call_1", "delete_everything")]);
    host.message(&id, "first").await.expect("idle");
    tokio::time::sleep(Duration::from_millis(20)).await;
    host.stop(&id, None).await.expect("it is at work");
    says(&model, 0, "in time", &[call("call_1", "look")]);
    says(&model, 0, "the end", &[]);
    host.message(&id, "second").await.expect("idle again");
    assert_eq!(told(&host, &id).await, ["first", "second", "in time", "result", "the end"]);
    assert_eq!(ran.recv().await.as_deref(), Some("look"));
    assert!(ran.try_recv().is_err(), "what a stopped request asked for has run");
}

#[tokio::test(flavor = "multi_thread")]
async fn two_calls_with_one_id_run_nothing_and_the_turn_goes_no_further() {
    let (host, id, model, mut ran) = puppet().await;
    says(&model, 0, "Both.", &[call("call_1", "one"), call("call_1", "two")]);
    host.message(&id, "go").await.expect("idle");
    let lines = told(&host, &id).await;
    assert!(
        lines.last().is_some_and(|line| line.contains("Two calls of one response have the id \"call_1\"")),
        "{lines:?}"
    );
    assert!(ran.try_recv().is_err());
    says(&model, 0, "Sorry.", &[]);
    host.message(&id, "again").await.expect("nothing is stuck");
    assert_eq!(told(&host, &id).await.last().map(String::as_str), Some("Sorry."));
}

#[tokio::test(flavor = "multi_thread")]
async fn conversations_that_nobody_uses_leave_memory() {
    let (host, id, model, _ran) = puppet().await;
    let heard = host.watch(&id);
    for _ in 0..KEPT * 3 {
        let (other, _) = host.create().await.expect("a conversation begins");
        says(&model, 0, "Hello.", &[]);
        host.message(&other, "hello").await.expect("idle");
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
    let live = host.live.lock().expect("nobody has panicked");
    assert!(live.len() <= KEPT + 1, "{} conversations are in memory", live.len());
    assert!(live.contains_key(&id), "one that is heard was forgotten");
    drop(heard);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_request_that_failed_is_sent_again_when_the_person_says_so_and_not_otherwise() {
    let (host, id, model, _ran) = puppet().await;
    assert!(matches!(host.retry(&id).await, Err(Refused::NothingToRetry)));
    says(&model, 0, "Hello.", &[]);
    host.message(&id, "hello").await.expect("idle");
    assert_eq!(told(&host, &id).await, ["hello", "Hello."]);
    assert!(matches!(host.retry(&id).await, Err(Refused::NothingToRetry)));
    drop(model);
    host.message(&id, "go").await.expect("idle");
    assert_eq!(told(&host, &id).await, ["hello", "Hello.", "go", "no more"]);
    host.retry(&id).await.expect("the last request failed");
    assert_eq!(told(&host, &id).await, ["hello", "Hello.", "go", "no more", "no more"]);
}

#[tokio::test]
async fn a_request_to_the_model_is_dropped_when_the_person_stops_it() {
    let (sender, dropped) = tokio::sync::oneshot::channel::<()>();
    let held = Mutex::new(Some(sender));
    // A model that never responds, and that knows when it is no longer waited for.
    let respond = move || -> Soon<Result<Reply, Failed>> {
        let held = held.lock().ok().and_then(|mut sender| sender.take());
        Box::pin(async move {
            let _held = held;
            std::future::pending().await
        })
    };
    let (host, id) = hosted(Puppet { respond, executed: mpsc::unbounded_channel().0 }, HostOptions::default()).await;
    host.message(&id, "go").await.expect("idle");
    tokio::task::yield_now().await;
    host.stop(&id, None).await.expect("it is at work");
    // The sender is dropped with the request; nothing is ever sent.
    assert!(dropped.await.is_err());
}

/// The open question.
async fn open(host: &Host, id: &str) -> Question {
    let (_, conversation) = host.read(id).await.expect("it can be read");
    let question = host.question(id, conversation.state(), "call_1").await.expect("the store can be read");
    question.expect("it is open")
}

/// What comes of plain answers.
async fn answer(host: &Arc<Host>, id: &str, key: Option<&str>, answers: &Map<String, Value>) -> Result<Code, Refused> {
    let key = key.map(str::to_owned);
    let input = Input::Answered { key, answers: answers.clone(), nonce: None, tool_call_id: None, seal: None };
    host.bring(id, None, input).await.map(|reply| reply.code)
}

/// A host whose model asks for a secret, until it is asked.
async fn asked_for_a_secret(host: &Host, id: &str, says: &Says) -> Question {
    let question = json!({ "questions": [{ "id": "token", "text": "Which token?", "answer_type": "secret" }, { "id": "sure", "text": "Sure?", "answer_type": "boolean" }] });
    self::says(says, 0, "", &[ToolCall { id: "call_1".into(), name: "ask".into(), input: question }]);
    for _ in 0..100 {
        tokio::time::sleep(Duration::from_millis(10)).await;
        let (_, conversation) = host.read(id).await.expect("it can be read");
        if conversation.open().next().is_some() {
            return open(host, id).await;
        }
    }
    panic!("nothing is asked");
}

#[tokio::test(flavor = "multi_thread")]
async fn secrets_that_were_typed_leave_memory_when_their_question_is_closed() {
    let (host, id, model, _ran) = puppet().await;
    let typed = |question: &Question| {
        let secrets = Map::from_iter([("token".to_owned(), json!("hunter2"))]);
        let nonce = question.desk.nonce().map(str::to_owned);
        *host.live(&id).typed.lock().expect("nobody has panicked") =
            Some(Typed { call_id: "call_1".into(), nonce, secrets });
    };
    let message = || async { host.message(&id, "go").await.expect("idle") };
    // The person stops the agent.
    message().await;
    typed(&asked_for_a_secret(&host, &id, &model).await);
    assert!(host.live(&id).has_typed());
    host.stop(&id, None).await.expect("a question is open");
    assert!(!host.live(&id).has_typed());
    // The question is answered elsewhere.
    message().await;
    typed(&asked_for_a_secret(&host, &id, &model).await);
    let answers = json!({ "token": "hunter2", "sure": true });
    let answers = answers.as_object().expect("an object");
    assert_eq!(answer(&host, &id, None, answers).await.ok(), Some(Code::Taken));
    assert!(!host.live(&id).has_typed());
    // Secrets of another question with the same call are not those of this one.
    says(&model, 0, "Done.", &[]);
    tokio::time::sleep(Duration::from_millis(50)).await;
    message().await;
    let question = asked_for_a_secret(&host, &id, &model).await;
    let (_, conversation) = host.read(&id).await.expect("it can be read");
    typed(&question);
    assert_eq!(host.live(&id).typed(&conversation).len(), 1);
    let mut another = question.to_json();
    another["desk"]["options"]["nonce"] = json!("another");
    typed(&Question::read(&another, conversation.state(), &[]).expect("it is a question"));
    assert!(host.live(&id).typed(&conversation).is_empty() && !host.live(&id).has_typed());
    // Another process has closed it, and this one only hears that something was changed.
    typed(&open(&host, &id).await);
    host.drop_typed(&host.live(&id)).await.expect("it can be read");
    assert!(host.live(&id).has_typed(), "the question is still open");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_whose_client_goes_away_while_it_is_stored_is_known_with_its_secret() {
    let (host, id, model, _ran) = puppet().await;
    host.message(&id, "go").await.expect("idle");
    asked_for_a_secret(&host, &id, &model).await;
    let answers = |token: &str| json!({ "token": token, "sure": true }).as_object().cloned().expect("an object");
    let (one, other) = (answers("hunter2"), answers("hunter3"));
    // The client waits until the answer is on its way to the store, and no longer.
    {
        let mut answer = std::pin::pin!(answer(&host, &id, Some("k"), &one));
        std::future::poll_fn(|context| {
            drop(answer.as_mut().poll(context));
            std::task::Poll::Ready(())
        })
        .await;
    }
    tokio::time::sleep(Duration::from_millis(100)).await;
    let refused = answer(&host, &id, Some("k"), &other).await.expect_err("another secret");
    assert_eq!(refused.code(), "sent_differently");
    assert_eq!(answer(&host, &id, Some("k"), &one).await.ok(), Some(Code::TakenBefore));
}

/// What the version before desks has stored, made by that version: `stored.json`.
#[derive(Deserialize)]
struct Kept {
    name: String,
    state: Value,
    questions: Vec<KeptQuestion>,
    responses: Vec<Answer>,
    /// What a page sends now, which it may have sent before, and under which key.
    sent: Value,
    key: Option<String>,
}

#[derive(Deserialize)]
struct KeptQuestion {
    call: String,
    question: Value,
}

/// A host with a conversation as it was stored.
async fn as_stored(kept: &Kept) -> (Arc<Host>, String) {
    let (host, id, ..) = puppet().await;
    let lease = host.lease().await.expect("a lease begins").id.clone();
    for (place, question) in kept.questions.iter().enumerate() {
        let change = Change {
            state: kept.state.clone(),
            phase: phase(&Conversation::from_json(&kept.state).expect("it is a conversation")),
            questions: vec![(question.call.clone(), question.question.clone())],
            response: kept.responses.get(place).cloned(),
            ..Change::default()
        };
        let fence = i64::try_from(place).expect("few");
        let token = Token { fence, lease: lease.clone() };
        host.store.commit(&id, &token, &change, Duration::from_secs(1)).await.expect("it can be stored");
    }
    (host, id)
}

/// What comes of what a page sends.
async fn sends(host: &Arc<Host>, id: &str, kept: &Kept, key: Option<&str>) -> &'static str {
    let key = key.map(str::to_owned);
    let input = match kept.sent["answers"].as_object() {
        Some(answers) => Input::Answered { key, answers: answers.clone(), nonce: None, tool_call_id: None, seal: None },
        None => Input::Responded { key, response: kept.sent.clone(), tool_call_id: None, seal: None },
    };
    let came = host.bring(id, Some("call_1"), input).await;
    came.map_or_else(|refused| refused.code(), |reply| reply.code.name())
}

#[tokio::test(flavor = "multi_thread")]
async fn what_the_version_before_desks_has_stored_is_read() {
    let all: Vec<Kept> = serde_json::from_str(include_str!("stored.json")).expect("it is JSON");
    assert_eq!(all.len(), 4);
    for kept in &all {
        let (host, id) = as_stored(kept).await;
        let sends = |key| sends(&host, &id, kept, key);
        let is_open = || async { host.read(&id).await.expect("it can be read").1.open().next().is_some() };
        match kept.name.as_str() {
            "open, with a walk that was saved" => {
                assert_eq!(
                    open(&host, &id).await.desk.walk().expect("a walk")["log"].as_array().map(Vec::len),
                    Some(1)
                );
                assert_eq!((sends(None).await, sends(None).await), ("taken", "taken_before"));
            }
            "answered by a walk, and asked again" => {
                assert_eq!((sends(None).await, is_open().await), ("taken_before", true));
            }
            "answered by a walk under a key" => {
                assert_eq!((sends(kept.key.as_deref()).await, is_open().await), ("taken_before", false));
            }
            "answered by plain answers, and asked again" => {
                assert_eq!((sends(None).await, is_open().await), ("needs_key", true));
                assert_eq!((sends(Some("k2")).await, is_open().await), ("taken", false));
            }
            name => panic!("{name} is not tested"),
        }
    }
}

/// A moment so many seconds from now, as RFC 3339 has it.
fn moment(seconds: &str) -> String {
    let database = rusqlite::Connection::open_in_memory().expect("SQLite works in memory");
    let select = "SELECT strftime('%Y-%m-%dT%H:%M:%fZ', 'now', ?1)";
    database.query_row(select, [format!("{seconds} seconds")], |row| row.get(0)).expect("it is a moment")
}

/// A host whose agent asks a question that expires.
async fn expiring(seconds: &str) -> (Arc<Host>, String) {
    let (host, id, model, _ran) = puppet().await;
    let mut asks = call("call_1", "interrupt");
    asks.input =
        json!({ "interrupts": [{ "id": "i", "reason": "input", "message": "Name?", "expiresAt": moment(seconds) }] });
    says(&model, 0, "I ask.", &[asks]);
    says(&model, 0, "the end", &[]);
    host.message(&id, "go").await.expect("idle");
    (host, id)
}

/// Waits until the agent has said its last.
async fn ended(host: &Host, id: &str) -> Vec<String> {
    for _ in 0..40 {
        let lines = told(host, id).await;
        if lines.last().is_some_and(|line| line == "the end") {
            return lines;
        }
    }
    panic!("the question is still open: {:?}", told(host, id).await)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_question_expires_though_nothing_comes() {
    for seconds in ["+1", "-1"] {
        let (host, id) = expiring(seconds).await;
        assert_eq!(ended(&host, &id).await, ["go", "I ask.", "result", "the end"]);
        let records = host.store.records(&id).await.expect("the store can be read");
        assert!(records.iter().any(|record| record.to_string().contains("expired")), "{records:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_question_that_is_open_stays_open_until_its_time_is_over() {
    let (host, id) = expiring("+3600").await;
    assert_eq!(told(&host, &id).await, ["go", "I ask."]);
    assert!(host.notice(&id).await.expect("it can be read").is_some());
    // A message has no place while a question is open.
    assert!(host.message(&id, "and?").await.is_err());
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_that_came_in_time_and_could_not_be_stored_counts_when_it_comes_again() {
    let answers = || {
        let answers = json!({ "q1": "Ada" }).as_object().expect("it is one").clone();
        Input::Answered { key: Some("k".into()), answers, nonce: None, tool_call_id: None, seal: None }
    };
    for came_again in [true, false] {
        let (host, id) = expiring("+1").await;
        host.live(&id).came(None, Some("k"), clock(), false);
        // Nothing else lets the time go on.
        host.live(&id).came(None, Some("other"), clock(), true);
        let over = clock() + 1_500;
        while clock() < over {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        assert_eq!(told(&host, &id).await, ["go", "I ask."], "its time stands still");
        if came_again {
            host.bring(&id, None, answers()).await.expect("it came in time");
            let records = host.store.records(&id).await.expect("the store can be read");
            assert!(!records.iter().any(|record| record.to_string().contains("expired")), "{records:?}");
        } else {
            // It is not stored by anybody else either: the minute is over.
            host.live(&id).came(None, Some("k"), 0, true);
            host.expires(&id).await.expect("the store can be read");
        }
        assert_eq!(ended(&host, &id).await, ["go", "I ask.", "result", "the end"]);
    }
}

/// A call of a tool that asks one question.
fn asks(id: &str) -> ToolCall {
    let input = json!({ "questions": [{ "id": "sure", "text": "Sure?", "answer_type": "boolean" }] });
    ToolCall { id: id.into(), name: "ask".into(), input }
}

/// The calls whose questions are open.
async fn open_calls(host: &Host, id: &str) -> Vec<String> {
    let (_, conversation) = host.read(id).await.expect("it can be read");
    conversation.open().map(|open| open.call.id.clone()).collect()
}

/// Waits until so many questions are open.
async fn waits_for(host: &Host, id: &str, count: usize) {
    for _ in 0..200 {
        if open_calls(host, id).await.len() == count {
            return;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("{:?} are open, not {count}", open_calls(host, id).await);
}

/// What comes of an answer to the question of a call.
async fn sure(host: &Arc<Host>, id: &str, call: Option<&str>) -> Result<Code, Refused> {
    let answers = Map::from_iter([("sure".to_owned(), json!(true))]);
    let input = Input::Answered { key: None, answers, nonce: None, tool_call_id: None, seal: None };
    host.bring(id, call, input).await.map(|reply| reply.code)
}

/// The calls that have a result, in the order of the results.
async fn results(host: &Host, id: &str) -> Vec<String> {
    let messages = host.store.messages(id).await.expect("the store can be read");
    messages.iter().filter_map(|line| line["call_id"].as_str()).map(str::to_owned).collect()
}

const SEVERAL: HostOptions = HostOptions { lease: Duration::from_secs(10), keep: None, several_open: true };

/// An agent whose tool `slow` waits for a test.
struct Slow<R> {
    puppet: Puppet<R>,
    ends: Arc<tokio::sync::Notify>,
}

impl<R: Fn() -> Soon<Result<Reply, Failed>> + Send + Sync + 'static> Agent for Slow<R> {
    fn name(&self) -> &'static str {
        self.puppet.name()
    }
    fn model(&self) -> Served {
        self.puppet.model()
    }
    fn assistant(&self) -> Option<Served> {
        None
    }
    fn tool(&self, _: &str) -> Option<&'static str> {
        None
    }
    fn respond(&self, transcript: Vec<Entry>) -> Soon<Result<Reply, Failed>> {
        self.puppet.respond(transcript)
    }
    fn advise(&self, consultation: Consultation) -> Soon<Option<Verdict>> {
        self.puppet.advise(consultation)
    }
    fn execute(&self, call: &ToolCall) -> Soon<Execution> {
        if call.name != "slow" {
            return self.puppet.execute(call);
        }
        drop(self.puppet.executed.send(call.name.clone()));
        let ends = Arc::clone(&self.ends);
        Box::pin(async move {
            ends.notified().await;
            Execution::Done(json!("slowly"))
        })
    }
}

/// A host with two open questions, `a` and `b`, while the tool `slow` runs as `c`.
async fn two_open() -> (Arc<Host>, String, Says, Arc<tokio::sync::Notify>) {
    let ((model, replies), (executed, mut ran)) = (mpsc::unbounded_channel(), mpsc::unbounded_channel());
    let replies = Arc::new(tokio::sync::Mutex::new(replies));
    let respond = move || -> Soon<Result<Reply, Failed>> {
        let replies = Arc::clone(&replies);
        Box::pin(async move {
            let (_, reply): (Duration, Reply) = replies.lock().await.recv().await.ok_or_else(no_more)?;
            Ok(reply)
        })
    };
    let ends = Arc::new(tokio::sync::Notify::new());
    let agent = Slow { puppet: Puppet { respond, executed }, ends: Arc::clone(&ends) };
    let (host, id) = hosted(agent, SEVERAL).await;
    says(&model, 0, "Look.", &[asks("a"), asks("b"), call("c", "slow")]);
    host.message(&id, "go").await.expect("idle");
    waits_for(&host, &id, 2).await;
    while ran.recv().await.is_some_and(|name| name != "slow") {}
    (host, id, model, ends)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_tool_runs_on_while_questions_beside_it_are_answered_and_saved() {
    let (host, id, model, ends) = two_open().await;
    let notice = json!(host.notice(&id).await.expect("it can be read"));
    assert_eq!(
        (&notice["requests"][0]["tool_call_id"], &notice["requests"][1]["tool_call_id"]),
        (&json!("a"), &json!("b"))
    );
    assert!(notice["requests"][1]["version"].is_string(), "{notice}");
    // Without its call, an answer has two questions that it could be for.
    let refused = sure(&host, &id, None).await.expect_err("two are open");
    assert!(matches!(&refused, Refused::Desk(reply) if reply.message.contains("2 questions are open")), "{refused:?}");
    let walk = open_question(&host.read(&id).await.expect("it can be read").1, "b").expect("it is open").walk.cloned();
    let mut walk = walk.expect("it was handed out");
    walk["typed"] = json!({ "sure": "" });
    let saved = host.bring(&id, Some("b"), Input::Saved { walk, replaces: None }).await.expect("it is kept");
    assert_eq!(sure(&host, &id, Some("a")).await.ok(), Some(Code::Taken));
    assert_eq!(open_calls(&host, &id).await, ["b"]);
    let notice = json!(host.notice(&id).await.expect("it can be read"));
    assert_eq!((&notice["tool_call_id"], &notice["version"]), (&json!("b"), &json!(saved.version)));
    assert_eq!(sure(&host, &id, None).await.ok(), Some(Code::Taken), "one is left");
    assert_eq!(sure(&host, &id, Some("a")).await.ok(), Some(Code::TakenBefore));
    assert_eq!(results(&host, &id).await, ["a", "b"]);
    // Nobody takes it for a tool without a process.
    host.take_over().await.expect("the store can be read");
    says(&model, 0, "the end", &[]);
    ends.notify_one();
    assert_eq!(ended(&host, &id).await, ["go", "Look.", "result", "result", "result", "the end"]);
    assert_eq!(results(&host, &id).await, ["a", "b", "c"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stop_closes_every_open_question_and_what_comes_of_the_tool_that_runs_does_not_count() {
    for call in [None, Some("b")] {
        let (host, id, _model, ends) = two_open().await;
        host.stop(&id, call).await.expect("questions are open");
        assert!(open_calls(&host, &id).await.is_empty());
        let mut with_result = results(&host, &id).await;
        with_result.sort_unstable();
        assert_eq!(with_result, ["a", "b", "c"]);
        let records = host.store.records(&id).await.expect("the store can be read");
        let closed = records.iter().filter(|record| record["outcome"] == "cancelled").count();
        assert_eq!((records.len(), closed), (4, 2), "{records:?}");
        for call in ["a", "b"] {
            assert_eq!(sure(&host, &id, Some(call)).await.expect_err("it is closed").code(), "not_open");
        }
        ends.notify_one();
        assert_eq!(told(&host, &id).await, ["go", "Look.", "result", "result", "result"]);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn each_question_that_ends_with_the_turn_has_the_result_that_its_own_dialect_gives() {
    for named in [None, Some("a")] {
        let (host, id, model, _ran) = puppet_with(SEVERAL).await;
        let interrupt = |id: &str| {
            let mut asks = call(id, "interrupt");
            asks.input = json!({ "interrupts": [{ "id": id, "reason": "input", "message": "Name?" }] });
            asks
        };
        says(&model, 0, "I ask.", &[interrupt("a"), interrupt("b"), asks("c")]);
        host.message(&id, "go").await.expect("idle");
        waits_for(&host, &id, 3).await;
        host.stop(&id, named).await.expect("questions are open");
        let messages = host.store.messages(&id).await.expect("the store can be read");
        let result = |id: &str| {
            let line = messages.iter().find(|line| line["role"] == "tool" && line["call_id"] == id);
            line.map(|line| (line["content"].clone(), line["is_error"].clone())).expect("it has its result")
        };
        for id in ["a", "b"] {
            assert_eq!(result(id), (json!([{ "interruptId": id, "status": "cancelled" }]), json!(false)));
        }
        assert_eq!(result("c"), (json!("User cancelled the question"), json!(true)));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn after_a_restart_the_questions_are_open_and_the_tool_that_ran_is_interrupted() {
    let (host, id, model, ends) = two_open().await;
    assert_eq!(sure(&host, &id, Some("a")).await.ok(), Some(Code::Taken));
    // The process that ran it is another one now.
    *host.live(&id).driving.lock().expect("nobody has panicked") = None;
    host.take_over().await.expect("the store can be read");
    assert_eq!(open_calls(&host, &id).await, ["b"]);
    assert_eq!(results(&host, &id).await, ["a", "c"]);
    // What comes of it counts no more.
    ends.notify_one();
    says(&model, 0, "the end", &[]);
    assert_eq!(sure(&host, &id, Some("b")).await.ok(), Some(Code::Taken));
    assert_eq!(ended(&host, &id).await.last().map(String::as_str), Some("the end"));
    assert_eq!(results(&host, &id).await, ["a", "c", "b"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn each_of_several_questions_expires_by_itself() {
    let (host, id, model, _ran) = puppet_with(SEVERAL).await;
    let expiring = |id: &str, seconds: &str| {
        let mut asks = call(id, "interrupt");
        asks.input = json!({ "interrupts": [{ "id": "i", "reason": "input", "message": "Name?", "expiresAt": moment(seconds) }] });
        asks
    };
    says(&model, 0, "I ask.", &[expiring("a", "+3600"), expiring("b", "+1"), expiring("c", "-1"), asks("d")]);
    says(&model, 0, "the end", &[]);
    host.message(&id, "go").await.expect("idle");
    waits_for(&host, &id, 2).await;
    for _ in 0..40 {
        if results(&host, &id).await.len() == 2 {
            break;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    assert_eq!(
        (results(&host, &id).await, open_calls(&host, &id).await),
        (vec!["c".to_owned(), "b".into()], vec!["a".into(), "d".into()])
    );
    host.stop(&id, None).await.expect("questions are open");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_model_gets_the_results_in_the_order_of_its_calls() {
    let calls = vec![call("a", "x"), call("b", "x")];
    let result = |id: &str| Entry::Result { call_id: id.into(), content: json!(id) };
    let model = |calls: Vec<ToolCall>| Entry::Model(Reply { text: String::new(), calls, note: None });
    let transcript = vec![model(calls.clone()), result("b"), result("a"), model(calls), result("a"), result("b")];
    let order: Vec<String> = work::ordered(transcript.into_iter().map(|entry| (entry, 0)).collect())
        .into_iter()
        .map(|entry| if let Entry::Result { call_id, .. } = entry { call_id } else { "model".into() })
        .collect();
    assert_eq!(order, ["model", "a", "b", "model", "a", "b"]);
}

/// A call of a tool that asks, and does not wait for the answer.
fn asks_later(id: &str) -> ToolCall {
    let mut call = asks(id);
    call.input["later"] = json!(true);
    call
}

/// The answers that came as messages: the calls that they answer, and their contents.
async fn late(host: &Host, id: &str) -> Vec<(String, Value)> {
    let messages = host.store.messages(id).await.expect("the store can be read");
    let late = messages.iter().filter(|line| line["role"] == "user" && line["call_id"].is_string());
    late.map(|line| (line["call_id"].as_str().unwrap_or_default().to_owned(), line["content"].clone())).collect()
}

/// Waits until a conversation has told this at last, and gives all that it has told.
async fn told_at_last(host: &Host, id: &str, text: &str) -> Vec<String> {
    for _ in 0..400 {
        let told = told(host, id).await;
        if told.last().is_some_and(|last| last == text) {
            return told;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("{text:?} was not told: {:?}", told(host, id).await);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_agent_goes_on_without_an_answer_that_reaches_it_as_a_message_later() {
    let (host, id, model, _ran) = puppet_with(HostOptions::default()).await;
    says(&model, 0, "I ask.", &[asks_later("a"), call("b", "x")]);
    says(&model, 0, "I have gone on.", &[]);
    host.message(&id, "go").await.expect("idle");
    assert_eq!(
        told_at_last(&host, &id, "I have gone on.").await,
        ["go", "I ask.", "result", "result", "I have gone on."]
    );
    assert_eq!(open_calls(&host, &id).await, ["a"]);
    let notice = json!(host.notice(&id).await.expect("it can be read"));
    assert_eq!((&notice["agent"], &notice["options"]["blocking"]), (&json!("idle"), &json!(false)));
    // It outlives further turns, and a process.
    says(&model, 0, "Hello.", &[]);
    host.message(&id, "Hello?").await.expect("the agent does not wait");
    told_at_last(&host, &id, "Hello.").await;
    host.take_over().await.expect("the store can be read");
    says(&model, 0, "Thanks.", &[]);
    assert_eq!(sure(&host, &id, Some("a")).await.ok(), Some(Code::Taken));
    told_at_last(&host, &id, "Thanks.").await;
    assert_eq!(late(&host, &id).await, [("a".to_owned(), json!({ "sure": true }))]);
    assert_eq!(sure(&host, &id, Some("a")).await.ok(), Some(Code::TakenBefore));
    assert_eq!(late(&host, &id).await.len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stop_leaves_a_question_open_that_the_agent_does_not_wait_for_unless_it_is_named() {
    let (host, id, model, _ran) = puppet_with(HostOptions::default()).await;
    says(&model, 0, "I ask.", &[asks_later("a"), asks("b")]);
    host.message(&id, "go").await.expect("idle");
    waits_for(&host, &id, 2).await;
    assert_eq!(open_calls(&host, &id).await, ["b", "a"]);
    host.stop(&id, None).await.expect("the agent waits");
    assert_eq!(open_calls(&host, &id).await, ["a"]);
    host.stop(&id, Some("a")).await.expect("it is open");
    assert!(open_calls(&host, &id).await.is_empty());
    assert_eq!(late(&host, &id).await, [("a".to_owned(), json!("User cancelled the question"))]);
    let records = host.store.records(&id).await.expect("the store can be read");
    assert_eq!(records.iter().filter(|record| record["outcome"] == "cancelled").count(), 2, "{records:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_end_of_the_turn_at_a_question_that_is_not_waited_for_leaves_the_agent_alone() {
    let (host, id, model, _ran) = puppet_with(HostOptions::default()).await;
    let mut later = call("a", "interrupt");
    later.input = json!({ "interrupts": [{ "id": "i", "reason": "input", "message": "Name?" }], "later": true });
    says(&model, 0, "I ask.", &[later, asks("b")]);
    says(&model, 0, "the end", &[]);
    host.message(&id, "go").await.expect("idle");
    waits_for(&host, &id, 2).await;
    host.stop(&id, Some("a")).await.expect("it is open");
    assert_eq!(open_calls(&host, &id).await, ["b"]);
    let message = json!([{ "interruptId": "i", "status": "cancelled" }]);
    assert_eq!(late(&host, &id).await, [("a".to_owned(), message)]);
    assert_eq!(sure(&host, &id, Some("b")).await.ok(), Some(Code::Taken));
    assert_eq!(ended(&host, &id).await.last().map(String::as_str), Some("the end"));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_agent_waits_for_a_secret_and_is_told_so() {
    let (host, id, model, _ran) = puppet_with(HostOptions::default()).await;
    let mut secret = asks_later("a");
    secret.input["questions"] = json!([{ "id": "token", "text": "Token?", "answer_type": "secret" }]);
    says(&model, 0, "I ask.", &[secret]);
    says(&model, 0, "the end", &[]);
    host.message(&id, "go").await.expect("idle");
    ended(&host, &id).await;
    let messages = host.store.messages(&id).await.expect("the store can be read");
    let result = messages.iter().find(|line| line["role"] == "tool").expect("it has its result");
    assert_eq!(result["is_error"], true);
    assert!(
        result["content"]["message"].as_str().is_some_and(|why| why.contains("\"blocking\" must be true")),
        "{result}"
    );
    assert!(open_calls(&host, &id).await.is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_that_comes_later_stands_where_the_model_came_to_know_it() {
    let result = |id: &str| (Entry::Result { call_id: id.into(), content: json!(id) }, 0);
    let answer = |id: &str| (Entry::Answer { call_id: id.into(), content: json!(id) }, 0);
    let model = |calls: &[&str], unheard| {
        let calls = calls.iter().map(|id| call(id, "x")).collect();
        (Entry::Model(Reply { text: String::new(), calls, note: None }), unheard)
    };
    let transcript = vec![
        model(&["a", "b"], 0),
        result("b"),
        answer("1"),
        result("a"),
        answer("2"),
        answer("3"),
        model(&["c"], 1),
        result("c"),
        model(&[], 0),
        answer("4"),
        model(&[], 0),
    ];
    let order: Vec<String> = work::ordered(transcript)
        .into_iter()
        .map(|entry| match entry {
            Entry::Result { call_id, .. } | Entry::Answer { call_id, .. } => call_id,
            Entry::User(_) | Entry::Model(_) => "model".into(),
        })
        .collect();
    assert_eq!(order, ["model", "a", "b", "1", "2", "model", "c", "3", "model", "4", "model"]);
}
