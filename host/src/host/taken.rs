//! Brings what clients do to the desk of their question, and carries out what follows. The desk decides.

use super::{Held, Host, Refused, nonce_of, observed, only_question, open_question, work};
use crate::{
    question::{Question, clock},
    store::{Answer, Change, Token},
    telemetry::{Retried, meters},
};
use ask_user_core::{
    Closing,
    conversation::{Event, Open},
    desk::{Code, Hand, Input, Reaction, Reply},
};
use serde_json::Map;
use std::{
    pin::Pin,
    sync::{Arc, OnceLock, PoisonError},
    time::Duration,
};
use tracing::warn;

/// How long a timer runs at most: the clock may be put forward meanwhile.
const LOOK: Duration = Duration::from_secs(60);

impl Host {
    /// Brings what a client does to the desk of its question, and gives what the desk replies. Without `call_id`, it is about the question that is open, if one is.
    pub async fn bring(self: &Arc<Self>, id: &str, call_id: Option<&str>, input: Input) -> Result<Reply, Refused> {
        // What another process does meanwhile does not change which question it is for.
        let first = OnceLock::new();
        let (input, first) = (&input, &first);
        let key = match input {
            Input::Responded { key, .. } | Input::Answered { key, .. } => Some(key.as_deref()),
            _ => None,
        };
        let live = self.live(id);
        let at = live.clock(call_id);
        let came = self.decided(|lease| async move {
            let held = self.hold(id).await?;
            let begun = || {
                let open = match call_id {
                    Some(call) => open_question(&held.conversation, call),
                    None => only_question(&held.conversation),
                };
                let open = open.ok();
                let call = call_id.or(open.map(|open| open.call.id.as_str())).map(str::to_owned);
                (call, open.as_ref().and_then(nonce_of).map(str::to_owned))
            };
            let (meant, nonce) = first.get_or_init(begun);
            let mut question = self.question_for(id, &held, input, meant.as_deref()).await?;
            let open = meant.as_deref().and_then(|call| open_question(&held.conversation, call).ok());
            let is_other = open.is_some_and(|open| nonce_of(&open) != nonce.as_deref());
            let sealed = self.sealed(&question, input.clone(), meant.clone(), nonce.clone().filter(|_| is_other));
            let now = held.live.clock(meant.as_deref());
            let reaction = tokio::task::block_in_place(|| question.desk.on_at(now, sealed));
            self.follow(held, &lease, question, reaction).await
        });
        let came = came.await;
        if let Some(key) = key {
            live.came(call_id, key, at, !matches!(came, Err(Refused::Store(_))));
        }
        match &came {
            Ok(Reply { code: Code::TakenBefore, .. }) => meters().retried(Retried::Answer),
            Ok(_) => {}
            Err(refused) => meters().refused(refused.code()),
        }
        came
    }

    /// The question that something is for: the one that an answer under this key was taken for, or else that of the call.
    async fn question_for(
        &self,
        id: &str,
        held: &Held,
        input: &Input,
        call_id: Option<&str>,
    ) -> Result<Question, Refused> {
        let key = match input {
            Input::Responded { key, .. } | Input::Answered { key, .. } => key.as_deref(),
            _ => None,
        };
        let before = match key {
            Some(key) => self.store.response(id, key).await?,
            None => None,
        };
        let before = before.filter(|answer| !answer.call.is_empty());
        let of_key = before.as_ref().map(|answer| answer.call.as_str());
        let call = match of_key.or(call_id) {
            Some(call) => call,
            None => &only_question(&held.conversation)?.call.id,
        };
        let question = self.question(id, held.conversation.state(), call).await?.ok_or_else(Refused::not_open)?;
        match before {
            // So many questions ago that the desk of the call does not know it any more.
            Some(answer) if !question.desk.has_taken(&answer.key) => Ok(Question::answered(&answer)?),
            _ => Ok(question),
        }
    }

    /// The input with the digest of its secrets, and the call that it is meant for; `first` is the nonce of its question, if another one is open by now.
    fn sealed(&self, question: &Question, input: Input, meant: Option<String>, first: Option<String>) -> Input {
        let made = question.desk.secrets_in(&input).map(|secrets| self.seals.seal(&secrets));
        match input {
            Input::Responded { key, response, .. } => {
                Input::Responded { key, response, tool_call_id: meant, seal: made }
            }
            Input::Answered { key, answers, nonce, .. } => {
                Input::Answered { key, answers, nonce: nonce.or(first), tool_call_id: meant, seal: made }
            }
            input => input,
        }
    }

    /// Closes the open questions of a conversation whose time is over. For the others, the same happens then.
    pub(super) fn expires<'a>(
        self: &'a Arc<Self>,
        id: &'a str,
    ) -> Pin<Box<dyn Future<Output = Result<(), Refused>> + Send + 'a>> {
        Box::pin(async move {
            let (_, conversation) = self.read(id).await?;
            let live = self.live(id);
            let mut next: Option<(i64, i64)> = None;
            for open in conversation.open() {
                let call = Some(open.call.id.as_str());
                let stored = self.store.question(id, &open.call.id).await?;
                let Some(end) = stored.and_then(|stored| stored["desk"]["expires"].as_i64()) else { continue };
                let now = live.clock(call);
                if now < end {
                    let until = live.missed(call).map_or(end, |missed| missed.until.max(end));
                    next = next.into_iter().chain([(until, end)]).min();
                    continue;
                }
                match self.bring(id, call, Input::Expired { now: Some(now) }).await {
                    // It was closed meanwhile.
                    Ok(_) | Err(Refused::Desk(_)) => {}
                    Err(error) => return Err(error),
                }
            }
            if let Some((until, end)) = next {
                self.looks_at(id, end, until - clock());
            }
            Ok(())
        })
    }

    /// Looks at a conversation when the time for an answer is over, in so many milliseconds.
    fn looks_at(self: &Arc<Self>, id: &str, end: i64, left: i64) {
        let live = self.live(id);
        if live.expires.lock().unwrap_or_else(PoisonError::into_inner).replace(end) == Some(end) {
            return;
        }
        let host = Arc::clone(self);
        tokio::spawn(async move {
            let mut closing = host.closing();
            let time = tokio::time::sleep(Duration::from_millis(u64::try_from(left).unwrap_or_default()).min(LOOK));
            tokio::select! {
                () = time => {}
                _ = closing.wait_for(|closing| *closing) => return,
            }
            live.expires.lock().unwrap_or_else(PoisonError::into_inner).take_if(|at| *at == end);
            // If its time is not over yet, this looks again.
            if let Err(error) = host.expires(&live.id).await {
                // Whatever comes next looks again.
                warn!(conversation = live.id, %error, "a question has expired and could not be closed");
            }
        });
    }

    /// Carries out what follows from an input to a desk.
    async fn follow(
        self: &Arc<Self>,
        held: Held,
        lease: &str,
        question: Question,
        Reaction { store, reply, closed, hand }: Reaction,
    ) -> Result<Reply, Refused> {
        match hand {
            Some(hand) => self.finish(held, lease, question, &hand).await?,
            None if let Some(how) = closed.filter(|_| store) => {
                let call_id = question.desk.asked().call.clone();
                let change = Change { questions: vec![(call_id.clone(), question.to_json())], ..Change::default() };
                self.take(held, lease, Event::Closed { call_id, how, result: None, results: Map::new() }, change)
                    .await?;
            }
            None if store => self.keep(held, lease, &question).await?,
            None => {}
        }
        match reply {
            Some(reply) if reply.status >= 300 => Err(Refused::Desk(Box::new(reply))),
            Some(reply) => Ok(reply),
            None => Ok(Reply::of(Code::Taken)),
        }
    }

    /// Keeps how far the person has come. Nobody is told: the page that saves knows, and others take it up when they come or save.
    async fn keep(&self, held: Held, lease: &str, question: &Question) -> Result<(), Refused> {
        let Held { live, turn, stored, conversation } = held;
        let call_id = question.desk.asked().call.clone();
        let mut next = conversation;
        if let Some(walk) = question.desk.walk() {
            next.on(Event::WalkSaved { call_id: call_id.clone(), walk })?;
        }
        let mut change = Change { questions: vec![(call_id, question.to_json())], ..Change::default() };
        change.leads_to(&next, &stored, false);
        let token = Token { fence: stored.fence, lease: lease.to_owned() };
        live.reaches(self.store.commit(&live.id, &token, &change, self.remaining(lease)).await?);
        drop(turn);
        Ok(())
    }

    /// Hands an answer to the agent: its tool makes the result, and all of it is stored in one transaction.
    async fn finish(
        self: &Arc<Self>,
        held: Held,
        lease: &str,
        mut question: Question,
        hand: &Hand,
    ) -> Result<(), Refused> {
        let open = open_question(&held.conversation, &question.desk.asked().call)?;
        let (call, is_waited_for) = (open.call.clone(), open.is_waited_for());
        question.desk.on(Input::Handed);
        let (desk, call_id) = (&question.desk, call.id.clone());
        // The result is stored and told, so it has no secret, also where the agent's own format has it there.
        let result = desk.answer().and_then(|redacted| redacted.outcome.result.clone());
        let mut outcome = hand.outcome.clone();
        outcome.result = result;
        outcome.secrets.clone_from(&hand.secrets);
        let ends = outcome.ends();
        let how = outcome.closing();
        let result = match how {
            Closing::TurnEnded | Closing::Expired => outcome.result,
            _ => Some(self.agent.answered(&call, &outcome)),
        };
        let event = Event::Closed { call_id, how, result, results: Map::new() };
        let response = desk.closed().and_then(|(_, key)| {
            Some(Answer {
                key: key?.to_owned(),
                call: call.id.clone(),
                nonce: desk.nonce().unwrap_or_default().to_owned(),
                log: String::new(),
            })
        });
        let change = Change {
            records: hand.records.clone(),
            // A question that the agent does not wait for may be of an earlier turn.
            turn: is_waited_for.then(|| hand.turn.clone()),
            questions: vec![(call.id.clone(), question.to_json())],
            response,
            ..Change::default()
        };
        let (host, lease, tool) = (Arc::clone(self), lease.to_owned(), self.agent.tool(&call.name));
        work::whole(async move {
            let id = held.live.id.clone();
            host.take_whole(held, lease, event, change).await?;
            observed::answered(&id, &question, tool, ends);
            Ok(())
        })
        .await
    }

    /// The person stops the agent, whatever it does. Open questions are ended as if that was said at a form, also after an answer that a page has saved
    /// and not sent yet: to stop is what the person did last. With `call_id`, only if that call is open. If the agent does not wait for that call, its question ends, and the agent goes on.
    pub async fn stop(self: &Arc<Self>, id: &str, call_id: Option<&str>) -> Result<(), Refused> {
        self.decided(|lease| async move {
            let held = self.hold(id).await?;
            let named = call_id.map(|call_id| open_question(&held.conversation, call_id)).transpose()?;
            let alone = named.filter(|open| !open.is_waited_for()).map(|open| open.call.id.clone());
            // The others that the agent waits for end with it.
            let ends = |open: &Open<'_>| match &alone {
                Some(alone) => open.call.id == *alone,
                None => open.is_waited_for(),
            };
            let open = held.conversation.open().filter(ends);
            let mut open: Vec<String> = open.map(|open| open.call.id.clone()).collect();
            open.sort_by_key(|call| Some(call.as_str()) != call_id);
            for call in open {
                match self.question(id, held.conversation.state(), &call).await {
                    Ok(Some(mut question)) => {
                        let reaction = tokio::task::block_in_place(|| question.desk.on(Input::Stopped));
                        return self.follow(held, &lease, question, reaction).await.map(drop);
                    }
                    Err(error @ Refused::Store(_)) => return Err(error),
                    // Another version of this program has stored it, and the person must get out of it all the same.
                    Ok(None) | Err(_) => {}
                }
            }
            let event = match alone {
                Some(call_id) => Event::Closed { call_id, how: Closing::TurnEnded, result: None, results: Map::new() },
                None => Event::Stopped { results: Map::new() },
            };
            self.take(held, &lease, event, Change::default()).await
        })
        .await
    }
}
