//! Drives conversations: brings events to the state machine of the core, stores what follows in one transaction, and only then
//! does it. Knows no HTTP.

use crate::{
    agent::{Agent, Entry, Execution, Reply},
    question::Question,
    store::{Change, Store},
};
use ask_user_core::{
    Action, Ends, Refusal, Step, Walk,
    conversation::{Conversation, Effect, Event, Notice, State, ToolCall, Unexpected},
};
use serde::Deserialize;
use serde_json::{Map, Value, json};
use std::{
    collections::HashMap,
    hash::{BuildHasher, DefaultHasher, Hash, Hasher, RandomState},
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
};
use tokio::sync::watch;

/// The host.
pub struct Host {
    pub store: Store,
    agent: Box<dyn Agent>,
    live: Mutex<HashMap<String, Arc<Live>>>,
    /// Whether the process is about to end: no stream goes on then.
    closing: watch::Sender<bool>,
    /// Makes digests of secrets that nobody can make again outside of this process.
    digests: RandomState,
}

/// How many conversations stay in memory that nobody uses at the moment.
const KEPT: usize = 64;

/// A conversation in memory.
struct Live {
    /// Held while an event is taken, stored and told: one at a time.
    conversation: tokio::sync::Mutex<Conversation>,
    /// The place of the last event.
    last: watch::Sender<i64>,
    /// Counts the requests to the model and the executions of tools, so that one that comes after the person stopped it is known.
    generation: AtomicU64,
    /// The secrets of the answers that this process took, by key, as digests.
    secrets: Mutex<HashMap<String, u64>>,
}

impl Live {
    /// Whether something is lost if it is forgotten: it is heard, or waits for the model or a tool.
    fn is_needed(&self) -> bool {
        let works = |conversation: &Conversation| {
            matches!(conversation.state(), State::RequestingModel | State::Executing { .. })
        };
        self.last.receiver_count() > 0 || self.conversation.try_lock().map_or(true, |conversation| works(&conversation))
    }
}

/// Why something was not done.
#[derive(Debug)]
pub enum Refused {
    /// There is no such conversation.
    NoConversation,
    /// Whoever asks does not know the conversation's token.
    NotYours,
    /// It cannot happen now.
    Unexpected(Unexpected),
    /// Another answer was taken under this key.
    AnsweredDifferently,
    /// The body is no JSON, or too large: the status to answer with, and why.
    Unreadable { status: u16, message: String },
    /// Another page has saved a walk since the version that this one replaces.
    Behind { version: String, walk: Option<Value> },
    /// The answer does not fit: its code, and what is wrong.
    Unfit { code: &'static str, message: String, question: Option<String> },
    /// Plain answers came, and no question is open.
    NothingOpen,
    /// Plain answers do not fit: everything that is wrong with them.
    Answers(Refusal),
    /// The store failed; nothing was changed.
    Store(rusqlite::Error),
}

impl From<rusqlite::Error> for Refused {
    fn from(error: rusqlite::Error) -> Self {
        Self::Store(error)
    }
}

impl From<Unexpected> for Refused {
    fn from(error: Unexpected) -> Self {
        Self::Unexpected(error)
    }
}

/// What came of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Taken {
    /// It was taken now.
    Now,
    /// It was taken before, under the same key.
    Before,
}

impl Host {
    /// Opens the host, and goes on with what was open when the last one ended.
    pub async fn open(store: Store, agent: Box<dyn Agent>) -> Result<Arc<Self>, Refused> {
        let (live, closing) = (Mutex::default(), watch::Sender::new(false));
        let host = Arc::new(Self { store, agent, live, closing, digests: RandomState::new() });
        for id in host.store.conversations()? {
            let state = host.store.state(&id)?.unwrap_or_default();
            if state["state"] != "idle" {
                host.happens(&id, Event::Restarted, Change::default()).await?;
            }
        }
        Ok(host)
    }

    /// Begins a conversation, and gives its id and the token that opens it.
    pub fn create(&self) -> Result<(String, String), Refused> {
        Ok(self.store.create(&json!(Conversation::new(true)))?)
    }

    /// Whether one of the tokens opens a conversation.
    pub fn opens(&self, id: &str, tokens: &[&str]) -> Result<(), Refused> {
        let token = self.store.token(id)?.ok_or(Refused::NoConversation)?;
        let mut opens = false;
        for given in tokens {
            // As long for a token that is nearly right as for any other.
            let differs = given.bytes().zip(token.bytes()).fold(0, |differs, (one, other)| differs | (one ^ other));
            opens |= differs == 0 && given.len() == token.len();
        }
        if opens { Ok(()) } else { Err(Refused::NotYours) }
    }

    /// Ends all streams of events, for the process is about to end.
    pub fn close(&self) {
        self.closing.send_replace(true);
    }

    /// Tells when the process is about to end.
    pub fn closing(&self) -> watch::Receiver<bool> {
        self.closing.subscribe()
    }

    /// The person sends a message.
    pub async fn message(self: &Arc<Self>, id: &str, text: &str) -> Result<(), Refused> {
        let line = json!({ "role": "user", "text": text });
        let change =
            Change { messages: vec![line.clone()], events: vec![("message", false, line)], ..Change::default() };
        self.happens(id, Event::Message, change).await
    }

    /// The person has come further in a form. `replaces` are the versions that the walk may take the place of, and any without them. Gives the new version.
    pub async fn save(
        self: &Arc<Self>,
        id: &str,
        call_id: &str,
        saved: Value,
        replaces: Option<&str>,
    ) -> Result<String, Refused> {
        let live = self.live(id)?;
        let mut conversation = live.conversation.lock().await;
        let question = self.open_question(id, &conversation, call_id)?;
        if let State::AwaitingUser { walk, .. } = conversation.state() {
            let version = version(walk.as_ref());
            if replaces.is_some_and(|list| list != "*" && !list.split(',').any(|one| one.trim() == version)) {
                return Err(Refused::Behind { version, walk: walk.clone() });
            }
        }
        // What is typed and not answered yet stands beside the walk; a walk that was tampered with is not kept.
        let response = json!({ "walk": saved, "secrets": {} });
        continued(&question, &response)?;
        if let State::AwaitingUser { walk: Some(kept), .. } = conversation.state()
            && replaces.is_none()
            && is_older(&saved, kept)
        {
            // It has overtaken this one on the way, and has all that is in it.
            return Ok(version(Some(kept)));
        }
        let version = version(Some(&saved));
        let event = Event::WalkSaved { call_id: call_id.to_owned(), walk: saved };
        // Nobody is told: the page that saves knows, and others take it up when they come or save.
        let mut next = conversation.clone();
        next.on(event)?;
        self.store.commit(id, &Change { state: Some(json!(next)), ..Change::default() })?;
        *conversation = next;
        Ok(version)
    }

    /// The person has come to the end of a form: answered, replied, or ended the turn. The response is read again before it is
    /// believed; one that was taken before under the same key is acknowledged, and not taken again.
    pub async fn respond(
        self: &Arc<Self>,
        id: &str,
        key: &str,
        call_id: &str,
        response: &Value,
    ) -> Result<Taken, Refused> {
        let live = self.live(id)?;
        let mut conversation = live.conversation.lock().await;
        let (log, secrets) =
            (response["walk"]["log"].to_string(), self.digests.hash_one(response["secrets"].to_string()));
        let mut taken = live.secrets.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(before) = self.store.response(id, key)? {
            // What this process has not seen is compared without its secrets.
            let same = before == log && taken.get(key).is_none_or(|taken| *taken == secrets);
            return if same { Ok(Taken::Before) } else { Err(Refused::AnsweredDifferently) };
        }
        let question = self.open_question(id, &conversation, call_id)?;
        let walk = continued(&question, response)?;
        self.finish(id, &live, &mut conversation, &walk, Some((key.to_owned(), log)))?;
        taken.insert(key.to_owned(), secrets);
        Ok(Taken::Now)
    }

    /// A client has answered the open question with plain values, by the names of the questions. They are decided on the walk as it was handed
    /// out. Without `call_id` they are for the question that is open; without `key`, the call is answered so once.
    pub async fn answer(
        self: &Arc<Self>,
        id: &str,
        key: Option<String>,
        call_id: Option<&str>,
        answers: &Map<String, Value>,
    ) -> Result<Taken, Refused> {
        let live = self.live(id)?;
        let mut conversation = live.conversation.lock().await;
        let open = conversation.state().call().map(|call| call.id.clone()).filter(|_| is_waiting(&conversation));
        let call_id = call_id.map(str::to_owned).or(open);
        let key = key.or_else(|| call_id.as_ref().map(|call_id| format!("{call_id} answers")));
        let key = key.ok_or(Refused::NothingOpen)?;
        let mut taken = live.secrets.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(before) = self.store.response(id, &key)? {
            let Some((same, secrets)) = compared(&before, answers) else { return Err(Refused::AnsweredDifferently) };
            let secrets = self.digests.hash_one(secrets);
            let same = same && taken.get(&key).is_none_or(|taken| *taken == secrets);
            return if same { Ok(Taken::Before) } else { Err(Refused::AnsweredDifferently) };
        }
        let question = self.open_question(id, &conversation, &call_id.ok_or(Refused::NothingOpen)?)?;
        let mut walk = question.walk()?;
        tokio::task::block_in_place(|| walk.answers(answers.clone())).map_err(Refused::Answers)?;
        let (log, secrets) = kept(&walk, answers);
        self.finish(id, &live, &mut conversation, &walk, Some((key.clone(), log)))?;
        taken.insert(key, self.digests.hash_one(secrets));
        Ok(Taken::Now)
    }

    /// Takes a walk that has ended: the tool that asked gets its answers, and the audit trail its records.
    fn finish(
        self: &Arc<Self>,
        id: &str,
        live: &Live,
        conversation: &mut Conversation,
        walk: &Walk,
        response: Option<(String, String)>,
    ) -> Result<(), Refused> {
        let call = conversation.state().call().cloned().ok_or(Refused::NoConversation)?;
        let Some(outcome) = walk.outcome() else {
            return Err(match walk.step() {
                Step::Asking(asking) => {
                    let id = asking.question.id.clone();
                    unfit("required", format!("The question {id:?} is not answered."), Some(id))
                }
                Step::Review(_) | Step::Checking | Step::Done { .. } => {
                    unfit("not_submitted", "The answers were not submitted on the review.".into(), None)
                }
            });
        };
        let call_id = call.id.clone();
        let event = match outcome.ends {
            Ends::Completed | Ends::Failed => {
                Event::Responded { result: self.agent.answered(&call, &outcome), call_id }
            }
            Ends::Replied => Event::Declined { result: self.agent.answered(&call, &outcome), call_id },
            Ends::TurnEnded => Event::Cancelled { call_id, result: outcome.result },
        };
        let records = walk.records().map(|record| json!(record)).collect();
        let change = Change { records, turn: Some(json!(walk.turn())), response, ..Change::default() };
        self.take(id, live, conversation, event, change)
    }

    /// The person stops the agent, whatever it does. An open question is ended as if that was said at the form.
    pub async fn stop(self: &Arc<Self>, id: &str) -> Result<(), Refused> {
        let live = self.live(id)?;
        let mut conversation = live.conversation.lock().await;
        let State::AwaitingUser { call, walk, .. } = conversation.state() else {
            return self.take(id, &live, &mut conversation, Event::Stopped, Change::default());
        };
        let own = self.open_question(id, &conversation, &call.id)?.walk()?;
        let saved = tokio::task::block_in_place(|| {
            walk.as_ref().and_then(|walk| own.continued(&json!({ "walk": walk, "secrets": {} })).ok())
        });
        let mut walk = saved.unwrap_or(own);
        // One that has ended already was on its way: that is how it ended.
        drop(walk.act(Action::EndTurn));
        self.finish(id, &live, &mut conversation, &walk, None)
    }

    /// What to tell a page of the question that waits for the person, as it stands now; `None` where none waits.
    pub async fn notice(self: &Arc<Self>, id: &str) -> Result<Option<Notice>, Refused> {
        let live = self.live(id)?;
        let conversation = live.conversation.lock().await;
        Ok(match conversation.state() {
            State::AwaitingUser { walk, .. } => {
                Some(Notice { version: Some(version(walk.as_ref())), ..conversation.notice() })
            }
            _ => None,
        })
    }

    /// Tells when there are new events; the value is the place of the last one.
    pub fn watch(self: &Arc<Self>, id: &str) -> Result<watch::Receiver<i64>, Refused> {
        Ok(self.live(id)?.last.subscribe())
    }

    async fn happens(self: &Arc<Self>, id: &str, event: Event, change: Change) -> Result<(), Refused> {
        let live = self.live(id)?;
        let mut conversation = live.conversation.lock().await;
        self.take(id, &live, &mut conversation, event, change)
    }

    /// Takes an event: the state machine says what follows, the store keeps it, then it is done.
    fn take(
        self: &Arc<Self>,
        id: &str,
        live: &Live,
        conversation: &mut Conversation,
        event: Event,
        mut change: Change,
    ) -> Result<(), Refused> {
        let mut next = conversation.clone();
        let mut then = None;
        for effect in next.on(event)? {
            match effect {
                Effect::PersistResults(results) => {
                    for result in results {
                        let line = json!({ "role": "tool", "call_id": result.call_id, "content": result.content,
                                           "is_error": result.is_error });
                        change.messages.push(line.clone());
                        change.events.push(("message", false, line));
                    }
                }
                Effect::PersistState => {}
                Effect::Notify(mut notice) => {
                    if let (Some((key, _)), Some(closed)) = (&change.response, &mut notice.closed) {
                        closed.key = Some(key.clone());
                    }
                    // One that closes a question is heard in any case, others only until the next.
                    change.events.push(("state_change", notice.closed.is_none(), json!(notice)));
                }
                Effect::Done => change.turn = Some(json!({})),
                Effect::Execute(_) | Effect::RequestModel => then = Some(effect),
            }
        }
        change.state = Some(json!(next));
        let last = self.store.commit(id, &change)?;
        *conversation = next;
        if let Some(last) = last {
            live.last.send_replace(last);
        }
        // Whatever was on its way belongs to a state that is past.
        let generation = live.generation.fetch_add(1, Ordering::Relaxed) + 1;
        match then {
            Some(Effect::Execute(call)) => {
                self.later(id, move |host, id| async move { host.execute(&id, call, generation).await });
            }
            Some(Effect::RequestModel) => {
                self.later(id, move |host, id| async move { host.request_model(&id, generation).await });
            }
            Some(_) | None => {}
        }
        Ok(())
    }

    /// Reports what came of a request to the model or of a tool, unless the conversation has gone another way since.
    async fn comes(self: &Arc<Self>, id: &str, generation: u64, event: Event, change: Change) -> Result<(), Refused> {
        let live = self.live(id)?;
        let mut conversation = live.conversation.lock().await;
        if live.generation.load(Ordering::Relaxed) != generation {
            return Ok(());
        }
        self.take(id, &live, &mut conversation, event, change)
    }

    fn later<F: Future<Output = Result<(), Refused>> + Send + 'static>(
        self: &Arc<Self>,
        id: &str,
        work: impl FnOnce(Arc<Self>, String) -> F,
    ) {
        let work = work(Arc::clone(self), id.to_owned());
        let id = id.to_owned();
        tokio::spawn(async move {
            match work.await {
                // The person stopped the agent meanwhile: nobody waits for this.
                Ok(()) | Err(Refused::Unexpected(_)) => {}
                Err(error) => eprintln!("conversation {id}: {error:?}"),
            }
        });
    }

    async fn request_model(self: &Arc<Self>, id: &str, generation: u64) -> Result<(), Refused> {
        let transcript = self.store.messages(id)?.iter().filter_map(entry).collect();
        let (text, calls) = match self.agent.respond(transcript).await {
            Ok(Reply { text, calls }) => (text, calls),
            Err(error) => {
                let text = format!("The model could not be requested: {error}");
                return self.says(id, generation, &text, &[], Event::ModelFailed).await;
            }
        };
        let event = Event::ModelResponded { calls: calls.clone() };
        match self.says(id, generation, &text, &calls, event).await {
            // Nobody could say which of the two calls a result belongs to. None runs, and the transcript tells the model why.
            Err(Refused::Unexpected(Unexpected::DuplicateCall { call_id })) => {
                let fault = format!("Two tool calls had the id {call_id:?}. None was run; give each call its own id.");
                let text = format!("{text}\n\n{fault}");
                self.says(id, generation, text.trim(), &[], Event::ModelFailed).await
            }
            said => said,
        }
    }

    /// Reports what came of a request to the model, with its line of the transcript.
    async fn says(
        self: &Arc<Self>,
        id: &str,
        generation: u64,
        text: &str,
        calls: &[ToolCall],
        event: Event,
    ) -> Result<(), Refused> {
        let line = json!({ "role": "assistant", "text": text, "calls": calls });
        let change =
            Change { messages: vec![line.clone()], events: vec![("message", false, line)], ..Change::default() };
        self.comes(id, generation, event, change).await
    }

    async fn execute(self: &Arc<Self>, id: &str, call: ToolCall, generation: u64) -> Result<(), Refused> {
        let completed = |content, is_error| Event::ToolCompleted { call_id: call.id.clone(), content, is_error };
        let asking = match self.agent.execute(&call).await {
            Execution::Done(content) => {
                return self.comes(id, generation, completed(content, false), Change::default()).await;
            }
            Execution::Asks(asking) => asking,
        };
        let turn = self.store.turn(id)?;
        let mut question = Question::new(&call, asking, self.agent.name(), turn, self.store.nonce()?);
        let mut walk = match question.begin() {
            Ok(walk) => walk,
            // The model made a mistake in its call: it is told what to mend.
            Err(rejection) => {
                let content = Value::Object(rejection.to_json());
                return self.comes(id, generation, completed(content, true), Change::default()).await;
            }
        };
        self.consult(&mut walk).await;
        if let Some(outcome) = walk.outcome() {
            // Nobody has to be asked: remembered, answered by the assistant, or failed.
            let is_error = outcome.ends == Ends::Failed;
            let content = self.agent.answered(&call, &outcome);
            let records = walk.records().map(|record| json!(record)).collect();
            let change = Change { records, turn: Some(json!(walk.turn())), ..Change::default() };
            return self.comes(id, generation, completed(content, is_error), change).await;
        }
        question.hand_out(&walk);
        let event = Event::QuestionPending {
            call_id: call.id.clone(),
            request: question.request.clone(),
            dialect: Some(question.dialect.name().to_owned()),
            options: Some(question.options.clone()),
            walk: Some(walk.save()),
        };
        let change = Change { question: Some((call.id.clone(), json!(question))), ..Change::default() };
        self.comes(id, generation, event, change).await
    }

    /// Asks the assistant as long as the walk wants one.
    async fn consult(&self, walk: &mut Walk) {
        while let Some(consultation) = walk.consultation() {
            let verdict = self.agent.advise(consultation).await;
            let action = verdict.map_or(Action::NoAssistant, Action::Assistant);
            if walk.act(action).is_err() {
                return;
            }
        }
    }

    fn open_question(&self, id: &str, conversation: &Conversation, call_id: &str) -> Result<Question, Refused> {
        open_call(conversation, call_id)?;
        let question = self.store.question(id, call_id)?.and_then(|json| Question::deserialize(json).ok());
        question.ok_or_else(|| Unexpected::NotOpen { call_id: call_id.to_owned() }.into())
    }

    fn live(&self, id: &str) -> Result<Arc<Live>, Refused> {
        let mut live = self.live.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(live) = live.get(id) {
            return Ok(Arc::clone(live));
        }
        let state = self.store.state(id)?.ok_or(Refused::NoConversation)?;
        let conversation = Conversation::from_json(&state).map_err(|_| Refused::NoConversation)?;
        if live.len() >= KEPT {
            live.retain(|_, live| Arc::strong_count(live) > 1 || live.is_needed());
        }
        let entry = Arc::new(Live {
            conversation: conversation.into(),
            last: watch::Sender::new(0),
            generation: AtomicU64::new(0),
            secrets: Mutex::default(),
        });
        live.insert(id.to_owned(), Arc::clone(&entry));
        Ok(entry)
    }
}

/// Reads an answer again. That may take a while: other conversations go on meanwhile.
fn continued(question: &Question, response: &Value) -> Result<Walk, Refused> {
    tokio::task::block_in_place(|| {
        let walk = question.walk()?.continued(response);
        walk.map_err(|error| unfit(error.code(), error.to_string(), None))
    })
}

/// Whether a question waits for the person.
fn is_waiting(conversation: &Conversation) -> bool {
    matches!(conversation.state(), State::AwaitingUser { .. })
}

/// What is kept of plain answers that were taken, to know them again: all but the secrets, of which the names alone are kept. Gives the secrets apart.
fn kept(walk: &Walk, answers: &Map<String, Value>) -> (String, String) {
    let (mut open, mut names) = (answers.clone(), Vec::new());
    for question in walk.form().questions().iter().filter(|question| question.answer_type.is_secret()) {
        for name in [&question.id, &question.text] {
            names.extend(open.remove(name).map(|_| name.clone()));
        }
    }
    let secrets = secrets_of(answers, &names);
    (json!({ "answers": open, "secrets": names }).to_string(), secrets)
}

/// Whether plain answers are those that were kept, but for the secrets; and the secrets. `None` where something else was kept.
fn compared(kept: &str, answers: &Map<String, Value>) -> Option<(bool, String)> {
    let kept: Value = serde_json::from_str(kept).ok()?;
    let names: Vec<String> = Deserialize::deserialize(kept.get("secrets")?).ok()?;
    let mut open = answers.clone();
    open.retain(|name, _| !names.contains(name));
    Some((kept["answers"].as_object() == Some(&open), secrets_of(answers, &names)))
}

fn secrets_of(answers: &Map<String, Value>, names: &[String]) -> String {
    json!(names.iter().map(|name| answers.get(name)).collect::<Vec<_>>()).to_string()
}

/// The version of a saved walk, as an ETag: a hash of its text. After an update of Rust it may be another for the same walk: a page then saves once more.
fn version(walk: Option<&Value>) -> String {
    let mut hasher = DefaultHasher::new();
    walk.map(Value::to_string).hash(&mut hasher);
    format!("\"{:016x}\"", hasher.finish())
}

/// Whether a saved walk is an earlier version of another one: nothing leaves the log of a walk.
fn is_older(saved: &Value, kept: &Value) -> bool {
    let log = |walk: &Value| walk["log"].as_array().cloned().unwrap_or_default();
    let (saved, kept) = (log(saved), log(kept));
    saved.len() < kept.len() && kept.starts_with(&saved)
}

/// The call that waits for the person, if it is this one.
fn open_call<'a>(conversation: &'a Conversation, call_id: &str) -> Result<&'a ToolCall, Refused> {
    match conversation.state() {
        State::AwaitingUser { call, .. } if call.id == call_id => Ok(call),
        _ => Err(Unexpected::NotOpen { call_id: call_id.to_owned() }.into()),
    }
}

fn unfit(code: &'static str, message: String, question: Option<String>) -> Refused {
    Refused::Unfit { code, message, question }
}

/// A stored line as the model sees it.
fn entry(line: &Value) -> Option<Entry> {
    let text = |key: &str| line[key].as_str().unwrap_or_default().to_owned();
    match line["role"].as_str()? {
        "user" => Some(Entry::User(text("text"))),
        "assistant" => {
            let calls = Deserialize::deserialize(&line["calls"]).ok()?;
            Some(Entry::Model(Reply { text: text("text"), calls }))
        }
        "tool" => Some(Entry::Result { call_id: text("call_id"), content: line["content"].clone() }),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agent::Soon;
    use ask_user_core::{Consultation, Verdict};
    use std::time::Duration;
    use tokio::sync::mpsc;

    /// An agent whose model says what a test says, when it says it.
    struct Puppet {
        replies: tokio::sync::Mutex<mpsc::UnboundedReceiver<(Duration, Reply)>>,
        executed: mpsc::UnboundedSender<String>,
    }

    struct Shared(Arc<Puppet>);

    impl Agent for Shared {
        fn name(&self) -> &'static str {
            "Puppet"
        }
        fn respond(&self, _: Vec<Entry>) -> Soon<Result<Reply, String>> {
            let puppet = Arc::clone(&self.0);
            Box::pin(async move {
                let (pause, reply) = puppet.replies.lock().await.recv().await.ok_or("no more")?;
                tokio::time::sleep(pause).await;
                Ok(reply)
            })
        }
        fn advise(&self, _: Consultation) -> Soon<Option<Verdict>> {
            Box::pin(async { None })
        }
        fn execute(&self, call: &ToolCall) -> Soon<Execution> {
            drop(self.0.executed.send(call.name.clone()));
            Box::pin(async { Execution::Done(json!("done")) })
        }
    }

    fn call(id: &str, name: &str) -> ToolCall {
        ToolCall { id: id.into(), name: name.into(), input: json!({}) }
    }

    async fn told(host: &Host, id: &str) -> Vec<String> {
        tokio::time::sleep(Duration::from_millis(150)).await;
        let messages = host.store.messages(id).expect("the store can be read");
        messages.iter().map(|line| line["text"].as_str().unwrap_or("result").to_owned()).collect()
    }

    type Says = mpsc::UnboundedSender<(Duration, Reply)>;

    async fn puppet() -> (Arc<Host>, String, Says, mpsc::UnboundedReceiver<String>) {
        let ((says, replies), (executed, ran)) = (mpsc::unbounded_channel(), mpsc::unbounded_channel());
        let agent = Shared(Arc::new(Puppet { replies: replies.into(), executed }));
        let store = Store::open(std::path::Path::new(":memory:")).expect("SQLite works in memory");
        let host = Host::open(store, Box::new(agent)).await.expect("an empty store opens");
        let (id, _) = host.create().expect("a conversation begins");
        (host, id, says, ran)
    }

    fn says(says: &Says, pause: u64, text: &str, calls: &[ToolCall]) {
        let reply = Reply { text: text.into(), calls: calls.to_vec() };
        says.send((Duration::from_millis(pause), reply)).expect("the agent listens");
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn a_reply_to_a_request_that_was_stopped_is_dropped() {
        let (host, id, model, mut ran) = puppet().await;
        says(&model, 80, "late", &[call("call_1", "delete_everything")]);
        host.message(&id, "first").await.expect("idle");
        tokio::time::sleep(Duration::from_millis(20)).await;
        host.stop(&id).await.expect("it is at work");
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
        assert!(lines.last().is_some_and(|line| line.contains("Two tool calls had the id \"call_1\"")), "{lines:?}");
        assert!(ran.try_recv().is_err());
        says(&model, 0, "Sorry.", &[]);
        host.message(&id, "again").await.expect("nothing is stuck");
        assert_eq!(told(&host, &id).await.last().map(String::as_str), Some("Sorry."));
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn conversations_that_nobody_uses_leave_memory() {
        let (host, id, model, _ran) = puppet().await;
        let heard = host.watch(&id).expect("it is there");
        for _ in 0..KEPT * 3 {
            let (other, _) = host.create().expect("a conversation begins");
            says(&model, 0, "Hello.", &[]);
            host.message(&other, "hello").await.expect("idle");
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
        let live = host.live.lock().expect("nobody has panicked");
        assert!(live.len() <= KEPT + 1, "{} conversations are in memory", live.len());
        assert!(live.contains_key(&id), "one that is heard was forgotten");
        drop(heard);
    }
}
