//! What follows from an event: it is stored in one transaction with the state of the conversation, and then carried out. Requests to the model
//! and executions of tools run beside the conversation. What comes of them counts only if nothing else has happened since.

use super::{Host, Live, Refused};
use crate::{
    agent::{Entry, Execution, Failed, Reply},
    question::Question,
    store::Change,
};
use ask_user_core::{
    Action, Ends, Walk,
    conversation::{Conversation, Effect, Event, ToolCall, Unexpected},
};
use serde::Deserialize;
use serde_json::{Value, json};
use std::sync::Arc;

impl Host {
    /// Takes an event: the state machine says what follows, the store keeps it, then it is done.
    pub(super) fn take(
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
        let generation = live.next_generation();
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
        if !live.is_at(generation) {
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
        let live = self.live(id)?;
        let transcript = self.store.messages(id)?.iter().filter_map(entry).collect();
        let reply = tokio::select! {
            reply = self.agent.respond(transcript) => reply,
            // The person stopped the agent. The request is dropped, and with it the connection to the model.
            () = live.leaves(generation) => return Ok(()),
        };
        let Reply { text, calls, note } = match reply {
            Ok(reply) => reply,
            Err(failed) => return self.comes(id, generation, Event::ModelFailed, lines([error(&failed)])).await,
        };
        let event = Event::ModelResponded { calls: calls.clone() };
        let note = note.map(|message| error(&Failed { message, may_try_again: false }));
        let said = lines([said(&text, &calls)].into_iter().chain(note));
        match self.comes(id, generation, event, said).await {
            // Nobody could say which of the two calls a result belongs to. None runs, and the transcript tells the model why.
            Err(Refused::Unexpected(Unexpected::DuplicateCall { call_id })) => {
                let fault = format!("Two tool calls had the id {call_id:?}. None was run; give each call its own id.");
                let text = format!("{text}\n\n{fault}");
                self.comes(id, generation, Event::ModelFailed, lines([self::said(text.trim(), &[])])).await
            }
            came => came,
        }
    }

    async fn execute(self: &Arc<Self>, id: &str, call: ToolCall, generation: u64) -> Result<(), Refused> {
        let live = self.live(id)?;
        let completed = |content, is_error| Event::ToolCompleted { call_id: call.id.clone(), content, is_error };
        let asking = match self.agent.execute(&call).await {
            Execution::Done(content) => {
                return self.comes(id, generation, completed(content, false), Change::default()).await;
            }
            Execution::Failed(content) => {
                return self.comes(id, generation, completed(content, true), Change::default()).await;
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
        tokio::select! {
            () = self.consult(&mut walk) => {}
            // As above: nobody waits for the assistant any more.
            () = live.leaves(generation) => return Ok(()),
        }
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
}

/// A line of the transcript that the model has said.
fn said(text: &str, calls: &[ToolCall]) -> Value {
    json!({ "role": "assistant", "text": text, "calls": calls })
}

/// A line of the transcript for the person alone: something went wrong. `try_again` says whether [`Host::retry`] makes sense.
fn error(Failed { message, may_try_again }: &Failed) -> Value {
    json!({ "role": "error", "text": message, "try_again": may_try_again })
}

/// New lines of the transcript, of which clients hear.
fn lines(lines: impl IntoIterator<Item = Value>) -> Change {
    let messages: Vec<Value> = lines.into_iter().collect();
    let events = messages.iter().map(|line| ("message", false, line.clone())).collect();
    Change { messages, events, ..Change::default() }
}

/// A stored line as the model sees it. It does not see the errors that the person was told.
fn entry(line: &Value) -> Option<Entry> {
    let text = |key: &str| line[key].as_str().unwrap_or_default().to_owned();
    match line["role"].as_str()? {
        "user" => Some(Entry::User(text("text"))),
        "assistant" => {
            let calls = Deserialize::deserialize(&line["calls"]).ok()?;
            Some(Entry::Model(Reply { text: text("text"), calls, note: None }))
        }
        "tool" => Some(Entry::Result { call_id: text("call_id"), content: line["content"].clone() }),
        _ => None,
    }
}
