//! Drives conversations: reads what clients want, and brings it as events to the state machine of the core. `work.rs` carries out what
//! follows. Knows no HTTP.

mod answers;
mod plain;
mod work;

use crate::{
    agent::Agent,
    question::Question,
    store::{Change, Store},
};
use answers::{compared, is_older, kept, version};
use ask_user_core::{
    Action, Ends, Refusal, Step, Walk,
    conversation::{Conversation, Event, Notice, State, ToolCall, Unexpected},
};
pub use plain::{Looks, Shown};
use serde::Deserialize;
use serde_json::{Map, Value, json};
use std::{
    collections::HashMap,
    hash::{BuildHasher, RandomState},
    sync::{Arc, Mutex, PoisonError},
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
    generation: watch::Sender<u64>,
    /// The secrets of the answers that this process took, by key, as digests.
    secrets: Mutex<HashMap<String, u64>>,
    /// The secrets that were given in a form without a script so far, with the id of its call. They are stored nowhere.
    given: Mutex<(String, Map<String, Value>)>,
}

impl Live {
    /// Begins another generation, and gives it.
    fn next_generation(&self) -> u64 {
        self.generation.send_modify(|generation| *generation += 1);
        *self.generation.borrow()
    }

    /// Whether this generation is still the one of the conversation.
    fn is_at(&self, generation: u64) -> bool {
        *self.generation.borrow() == generation
    }

    /// Waits until another generation begins.
    async fn leaves(&self, generation: u64) {
        // It fails only without a sender, which is ours.
        drop(self.generation.subscribe().wait_for(|now| *now != generation).await);
    }

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
    /// The last request to the model did not fail, or makes no sense again.
    NothingToRetry,
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

    /// The person tries the last request to the model again, which failed.
    pub async fn retry(self: &Arc<Self>, id: &str) -> Result<(), Refused> {
        let live = self.live(id)?;
        let mut conversation = live.conversation.lock().await;
        let is_idle = matches!(conversation.state(), State::Idle);
        if is_idle && !self.store.messages(id)?.last().is_some_and(|line| line["try_again"] == true) {
            return Err(Refused::NothingToRetry);
        }
        self.take(id, &live, &mut conversation, Event::Message, Change::default())
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
                Step::Review(_) | Step::Checking | Step::Waiting { .. } | Step::Done { .. } => {
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
            generation: watch::Sender::new(0),
            secrets: Mutex::default(),
            given: Mutex::default(),
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

#[cfg(test)]
mod tests;
