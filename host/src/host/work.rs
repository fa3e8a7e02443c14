//! What follows from an event: it is stored in one transaction with the state of the conversation, and then carried out. Requests to the model
//! and executions of tools run beside the conversation. What comes of them counts only if the conversation has not
//! gone on without them since.

use super::{Held, Host, Live, Refused, observed, phase, since};
use crate::{
    agent::{Entry, Execution, Failed, Reply, Soon},
    question::{self, Question},
    store::{self, Change, Fault, Phase, Stored, Token},
    telemetry::{Retried, meters, traceparent, with_current},
};
use ask_user_core::{
    Action, Ends, Form, Rejection, Walk,
    conversation::{Conversation, Effect, Event, State, ToolCall},
    desk::{Asked, Desk, Input},
};
use serde::Deserialize;
use serde_json::{Value, json};
use std::{
    collections::HashMap,
    sync::{Arc, PoisonError},
    time::Duration,
};
use tracing::{error, warn};

/// How long a store that failed is left alone.
const PAUSE: Duration = Duration::from_millis(200);

/// This process waits for the model or a tool, until this is dropped.
struct Driving {
    live: Arc<Live>,
    fence: i64,
}

impl Drop for Driving {
    fn drop(&mut self) {
        let mut driving = self.live.driving.lock().unwrap_or_else(PoisonError::into_inner);
        if *driving == Some(self.fence) {
            *driving = None;
        }
    }
}

impl Host {
    /// Takes an event: the state machine says what follows, the store keeps it, then it is done. It is done even if nobody waits for it any
    /// more, because a client that goes away must not leave a conversation without what follows.
    pub(super) fn take(
        self: &Arc<Self>,
        held: Held,
        lease: &str,
        event: Event,
        change: Change,
    ) -> Soon<Result<(), Refused>> {
        let (host, lease) = (Arc::clone(self), lease.to_owned());
        Box::pin(whole(async move { host.take_whole(held, lease, event, change).await }))
    }

    /// Takes an event. Called within [`whole`].
    pub(super) async fn take_whole(
        self: &Arc<Self>,
        Held { live, turn, stored, conversation }: Held,
        lease: String,
        mut event: Event,
        mut change: Change,
    ) -> Result<(), Refused> {
        let mut next = conversation.clone();
        let mut then = None;
        for call in conversation.ended_by(&event) {
            self.ends(&live.id, &conversation, call, &mut event, &mut change).await?;
        }
        change.turn = change.turn.map(|turn| joined(&stored.turn, turn));
        if let (State::RequestingModel { unheard: 1.. }, Event::ModelResponded { .. } | Event::ModelFailed) =
            (conversation.state(), &event)
        {
            change.is_unaware(conversation.state());
        }
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
                Effect::PersistMessages(answers) => {
                    for answer in answers {
                        let line = json!({ "role": "user", "call_id": answer.call_id, "content": answer.content,
                                           "is_error": answer.is_error });
                        change.messages.push(line.clone());
                        change.events.push(("message", false, line));
                    }
                }
                Effect::PersistState => {}
                Effect::Notify(mut notice) => {
                    for closed in &mut notice.closed {
                        let answer = change.response.as_ref().filter(|answer| answer.call == closed.tool_call_id);
                        closed.key = answer.map(|answer| answer.key.clone());
                    }
                    // One that closes a question is heard in any case, others only until the next.
                    change.events.push(("state_change", notice.closed.is_empty(), json!(notice)));
                }
                Effect::Done => change.turn = Some(json!({})),
                Effect::Execute(_) | Effect::RequestModel => then = Some(effect),
            }
        }
        change.leads_to(&next, &stored, then.is_some());
        let token = Token { fence: stored.fence, lease };
        let fence = self.store.commit(&live.id, &token, &change, self.remaining(&token.lease)).await?;
        // Whatever was on its way belongs to a state that is past.
        live.reaches(fence);
        // Secrets that were typed for a question that is closed now stay no longer.
        drop(live.typed(&next));
        let token = Token { fence, ..token };
        match then {
            Some(Effect::Execute(call)) => {
                self.later(
                    &live,
                    token,
                    move |host, live, token| async move { host.execute(&live, &token, call).await },
                );
            }
            Some(Effect::RequestModel) => {
                self.later(&live, token, |host, live, token| async move { host.request_model(&live, &token).await });
            }
            Some(_) | None => {}
        }
        drop(turn);
        Ok(())
    }

    /// Closes the question of a call, because the turn ends elsewhere, and gives the event its result. One that another version has stored is left as it is.
    async fn ends(
        &self,
        id: &str,
        conversation: &Conversation,
        call_id: &str,
        event: &mut Event,
        change: &mut Change,
    ) -> Result<(), Refused> {
        let mut question = match self.question(id, conversation.state(), call_id).await {
            Ok(Some(question)) => question,
            Err(error @ Refused::Store(_)) => return Err(error),
            Ok(None) | Err(_) => return Ok(()),
        };
        let reaction = tokio::task::block_in_place(|| question.desk.on(Input::Stopped));
        change.records.extend(reaction.hand.into_iter().flat_map(|hand| hand.records));
        question.desk.on(Input::Handed);
        // As it is stored: without secrets.
        let result = question.desk.answer().and_then(|answer| answer.outcome.result.clone());
        if let (Some(result), Event::Closed { results, .. } | Event::Stopped { results }) = (result, event) {
            results.insert(call_id.to_owned(), result);
        }
        change.questions.push((call_id.to_owned(), question.to_json()));
        Ok(())
    }

    /// Reports what came of a request to the model or of a tool, unless the conversation has gone another way since. Tries for as long as
    /// the lease lasts: without this, what a tool has done would not be known.
    async fn comes(self: &Arc<Self>, live: &Live, token: &Token, event: Event, change: Change) -> Result<(), Refused> {
        loop {
            match self.comes_once(live, token, event.clone(), change.clone()).await {
                Err(Refused::Store(Fault::Failed(error))) if self.holds(&token.lease) => {
                    meters().retried(Retried::Result);
                    warn!(conversation = live.id, %error, "a result could not be stored; it is tried again");
                    tokio::time::sleep(PAUSE).await;
                }
                came => return came,
            }
        }
    }

    async fn comes_once(
        self: &Arc<Self>,
        live: &Live,
        token: &Token,
        event: Event,
        change: Change,
    ) -> Result<(), Refused> {
        let held = self.hold(&live.id).await?;
        if since(&held.stored) != token.fence {
            return Ok(());
        }
        self.take(held, &token.lease, event, change).await
    }

    /// Begins what follows from a change. Called before the turn of the conversation ends.
    fn later<F: Future<Output = Result<(), Refused>> + Send + 'static>(
        self: &Arc<Self>,
        live: &Arc<Live>,
        token: Token,
        work: impl FnOnce(Arc<Self>, Arc<Live>, Token) -> F,
    ) {
        let fence = token.fence;
        *live.driving.lock().unwrap_or_else(PoisonError::into_inner) = Some(fence);
        let driving = Driving { live: Arc::clone(live), fence };
        let work = work(Arc::clone(self), Arc::clone(live), token);
        tokio::spawn(with_current(async move {
            match work.await {
                // The person stopped the agent meanwhile, or another process has taken over: nobody waits for this.
                Ok(()) | Err(Refused::Unexpected(_) | Refused::Store(Fault::Overtaken | Fault::LeaseEnded)) => {}
                Err(error) => error!(conversation = driving.live.id, %error, "the agent could not go on"),
            }
        }));
    }

    /// Waits until a request to the model or a tool counts no more: the conversation has gone on without it, or another process may have taken over.
    async fn is_past(&self, live: &Live, token: &Token) {
        let mut fence = token.fence;
        loop {
            tokio::select! {
                now = live.leaves(fence) => fence = now,
                () = self.lease_ends(&token.lease) => return,
            }
            // Something may have happened beside it.
            tokio::select! {
                goes_on = self.goes_on(live, token) => if !goes_on { return },
                () = self.lease_ends(&token.lease) => return,
            }
        }
    }

    /// Whether a request to the model or a tool still counts.
    async fn goes_on(&self, live: &Live, token: &Token) -> bool {
        loop {
            match self.read(&live.id).await {
                Err(Refused::Store(_)) => tokio::time::sleep(PAUSE).await,
                read => return read.is_ok_and(|(stored, _)| since(&stored) == token.fence),
            }
        }
    }

    /// What the model sees: the transcript without the answers that have come since the request began, which are in the next one. `None` if the request counts no more.
    async fn transcript(&self, live: &Live, token: &Token) -> Result<Option<Vec<Entry>>, Refused> {
        loop {
            let (before, conversation) = self.read(&live.id).await?;
            let State::RequestingModel { unheard } = conversation.state() else { return Ok(None) };
            if since(&before) != token.fence {
                return Ok(None);
            }
            let lines = self.store.messages(&live.id).await?;
            let (after, _) = self.read(&live.id).await?;
            // Something may have come between the two.
            if after.fence == before.fence {
                return Ok(Some(transcript(&lines, *unheard)));
            }
        }
    }

    async fn request_model(self: &Arc<Self>, live: &Live, token: &Token) -> Result<(), Refused> {
        let Some(transcript) = self.transcript(live, token).await? else { return Ok(()) };
        let served = self.agent.model();
        let reply = tokio::select! {
            reply = observed::model(&live.id, &served, self.agent.respond(transcript)) => reply,
            // The person stopped the agent. The request is dropped, and with it the connection to the model.
            () = self.is_past(live, token) => return Ok(()),
        };
        let Reply { text, calls, note } = match reply {
            Ok(reply) => reply,
            Err(Failed { message, may_try_again, .. }) => {
                return self.comes(live, token, Event::ModelFailed, lines([error(&message, may_try_again)])).await;
            }
        };
        let event = Event::ModelResponded { calls: calls.clone() };
        let note = note.map(|message| error(&message, false));
        let said = lines([said(&text, &calls)].into_iter().chain(note));
        match self.comes(live, token, event, said).await {
            // None runs, and the transcript tells the model why.
            Err(Refused::Unexpected(fault)) if fault.is_about_calls() => {
                let text = format!("{text}\n\n{fault} None was run.");
                self.comes(live, token, Event::ModelFailed, lines([self::said(text.trim(), &[])])).await
            }
            came => came,
        }
    }

    async fn execute(self: &Arc<Self>, live: &Live, token: &Token, call: ToolCall) -> Result<(), Refused> {
        // A process that was stopped between the change and this has no right to run a tool any more.
        if !self.holds(&token.lease) {
            return Err(Fault::LeaseEnded.into());
        }
        let completed = |content, is_error| Event::ToolCompleted { call_id: call.id.clone(), content, is_error };
        let tool = observed::Tool::begin(&live.id, self.agent.tool(&call.name));
        let executed = tool.around(self.agent.execute(&call)).await;
        let trace = traceparent(tool.context());
        tool.end(&executed);
        let asking = match executed {
            Execution::Done(content) => {
                return self.comes(live, token, completed(content, false), Change::default()).await;
            }
            Execution::Failed(content) => {
                return self.comes(live, token, completed(content, true), Change::default()).await;
            }
            Execution::Asks(asking) => asking,
        };
        let (earlier, turn) = self.earlier(live, &call.id).await?;
        let asked = question::asked(&call, &asking, self.agent.name(), &turn, &store::random()?);
        let mut walk = match begun(&asked) {
            Ok(walk) => walk,
            // The model made a mistake in its call: it is told what to mend.
            Err(rejection) => {
                let content = Value::Object(rejection.to_json());
                return self.comes(live, token, completed(content, true), Change::default()).await;
            }
        };
        tokio::select! {
            () = self.consult(&live.id, &mut walk) => {}
            // As above: nobody waits for the assistant any more.
            () = self.is_past(live, token) => return Ok(()),
        }
        if let Some(outcome) = walk.outcome() {
            // Nobody has to be asked: remembered, answered by the assistant, or failed.
            let is_error = outcome.ends() == Ends::Failed;
            let content = self.agent.answered(&call, &outcome);
            let records = walk.records().map(|record| json!(record)).collect();
            let change = Change { records, turn: Some(json!(walk.turn())), ..Change::default() };
            return self.comes(live, token, completed(content, is_error), change).await;
        }
        let dialect = asked.dialect.name();
        let question = match Question::ask(asked, &walk, earlier, trace) {
            Ok(question) => question,
            Err(error) => {
                let content = json!({ "error": "invalid_request", "message": error.to_string() });
                return self.comes(live, token, completed(content, true), Change::default()).await;
            }
        };
        let event = Event::QuestionPending {
            call_id: call.id.clone(),
            request: asking.request,
            dialect: Some(dialect.to_owned()),
            options: Some(question.desk.asked().options.clone()),
            walk: Some(walk.save()),
        };
        let change = Change { questions: vec![(call.id.clone(), question.to_json())], ..Change::default() };
        self.comes(live, token, event, change).await?;
        meters().asked(dialect);
        self.expires(&live.id).await
    }

    /// The desk of the question that a call of this id has asked before, and what lasts for the turn. A desk that another version has stored is not known.
    async fn earlier(&self, live: &Live, call_id: &str) -> Result<(Option<Desk>, Value), Refused> {
        let (stored, conversation) = self.read(&live.id).await?;
        match self.question(&live.id, conversation.state(), call_id).await {
            Ok(question) => Ok((question.map(|question| question.desk), stored.turn)),
            Err(error @ Refused::Store(_)) => Err(error),
            Err(_) => Ok((None, stored.turn)),
        }
    }

    /// Asks the assistant as long as the walk wants one.
    async fn consult(&self, id: &str, walk: &mut Walk) {
        while let Some(consultation) = walk.consultation() {
            let advice = self.agent.advise(consultation);
            let verdict = match self.agent.assistant() {
                Some(assistant) => observed::assistant(id, &assistant, advice).await,
                None => advice.await,
            };
            let action = verdict.map_or(Action::NoAssistant, Action::Assistant);
            if walk.act(action).is_err() {
                return;
            }
        }
    }
}

impl Change {
    /// Stores this state. What works on the conversation goes on, unless something else begins or nothing works any more.
    pub(super) fn leads_to(&mut self, next: &Conversation, stored: &Stored, begins: bool) {
        (self.state, self.phase) = (json!(next), phase(next));
        self.goes_on = self.phase == Phase::Working && !begins;
        if self.goes_on {
            self.state["since"] = json!(since(stored));
        }
    }

    /// Marks the response of the model, which does not know of the last answers: what it sees later has the order in which it came to know.
    fn is_unaware(&mut self, state: &State) {
        let State::RequestingModel { unheard } = state else { return };
        for line in self.messages.iter_mut().filter(|line| line["role"] == "assistant") {
            line["unheard"] = json!(unheard);
        }
    }
}

/// What lasts for a turn, with what came to it: other questions may have brought more since it was handed to this one.
fn joined(turn: &Value, more: Value) -> Value {
    let (Value::Object(mut all), Value::Object(more)) = (turn.clone(), more) else { return turn.clone() };
    for (name, entries) in more {
        match (all.get_mut(&name), entries) {
            (Some(Value::Object(there)), Value::Object(entries)) => there.extend(entries),
            (_, entries) => drop(all.insert(name, entries)),
        }
    }
    Value::Object(all)
}

/// A stored transcript without its last `unheard` answers, as the model sees it: after each response come the results of its calls, in their order, and then the answers that have come meanwhile.
fn transcript(lines: &[Value], unheard: usize) -> Vec<Entry> {
    let entries = lines.iter().filter_map(|line| {
        let unheard = line["unheard"].as_u64().and_then(|unheard| usize::try_from(unheard).ok());
        Some((entry(line)?, unheard.unwrap_or_default()))
    });
    let entries: Vec<_> = entries.collect();
    let heard =
        entries.iter().filter(|(entry, _)| matches!(entry, Entry::Answer { .. })).count().saturating_sub(unheard);
    let mut answers = 0_usize;
    let mut is_heard = |(entry, _): &(Entry, usize)| {
        answers = answers.saturating_add(usize::from(matches!(entry, Entry::Answer { .. })));
        answers <= heard || !matches!(entry, Entry::Answer { .. })
    };
    ordered(entries.into_iter().filter(&mut is_heard).collect())
}

/// The same of entries. Beside each stands how many of the answers before it it does not know of.
pub(super) fn ordered(transcript: Vec<(Entry, usize)>) -> Vec<Entry> {
    let mut places = HashMap::new();
    let mut last = None;
    let mut placed: Vec<((usize, bool), Entry)> = Vec::with_capacity(transcript.len());
    for (place, (entry, unheard)) in transcript.into_iter().enumerate() {
        let own = match &entry {
            Entry::Model(reply) => {
                places
                    .extend(reply.calls.iter().zip(place.saturating_add(1)..).map(|(call, at)| (call.id.clone(), at)));
                let end = (place.saturating_add(reply.calls.len()), true);
                let answers = placed.iter_mut().rev().filter(|(_, entry)| matches!(entry, Entry::Answer { .. }));
                answers.take(unheard).for_each(|(place, _)| *place = end);
                last = Some(end);
                (place, false)
            }
            Entry::Result { call_id, .. } => (places.get(call_id).copied().unwrap_or(place), false),
            Entry::Answer { .. } => last.filter(|(end, _)| *end >= place).unwrap_or((place, false)),
            Entry::User(_) => (place, false),
        };
        placed.push((own, entry));
    }
    placed.sort_by_key(|(place, _)| *place);
    placed.into_iter().map(|(_, entry)| entry).collect()
}

/// Reads what is asked, and stands before its first question.
fn begun(asked: &Asked) -> Result<Walk, Rejection> {
    let host = tokio::task::block_in_place(|| asked.host());
    // We wrote them: they are right.
    Form::read(&*asked.request, asked.dialect, &host.unwrap_or_default()).map(Walk::new)
}

/// Does something to its end, even if nobody waits for it any more.
pub(super) async fn whole(act: impl Future<Output = Result<(), Refused>> + Send + 'static) -> Result<(), Refused> {
    tokio::spawn(with_current(act)).await.map_err(|error| Fault::Failed(format!("a task ended: {error}")))?
}

/// A line of the transcript that the model has said.
fn said(text: &str, calls: &[ToolCall]) -> Value {
    json!({ "role": "assistant", "text": text, "calls": calls })
}

/// A line of the transcript for the person alone: something went wrong. `try_again` says whether [`Host::retry`] makes sense.
fn error(message: &str, may_try_again: bool) -> Value {
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
        "user" if line["call_id"].is_string() => {
            Some(Entry::Answer { call_id: text("call_id"), content: line["content"].clone() })
        }
        "user" => Some(Entry::User(text("text"))),
        "assistant" => {
            let calls = Deserialize::deserialize(&line["calls"]).ok()?;
            Some(Entry::Model(Reply { text: text("text"), calls, note: None }))
        }
        "tool" => Some(Entry::Result { call_id: text("call_id"), content: line["content"].clone() }),
        _ => None,
    }
}
