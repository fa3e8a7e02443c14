//! Takes answers: of a form, as plain values, or as a page has saved them when the agent is stopped. Each counts for its own question, and once.

use super::{
    Held, Host, Refused, Taken,
    answers::{compared, kept},
    continued, is_waiting, nonce_in, observed, open_call, open_nonce, unfit, work,
};
use crate::{
    question::Question,
    store::{self, Answer, Change},
    telemetry::{Retried, meters},
};
use ask_user_core::{
    Action, Ends, Step, Walk,
    conversation::{Conversation, Event, State},
};
use serde_json::{Map, Value, json};
use std::sync::Arc;

/// An answer as its client sent it, to know it again.
struct Sent {
    key: String,
    /// The log of its walk, or its plain answers, as text.
    log: String,
    /// The digest of its secrets.
    secrets: u64,
}

impl Host {
    /// The person has come to the end of a form: answered, replied, or ended the turn. The response is read again before it is
    /// believed; one that was taken before under the same key is acknowledged, and not taken again.
    pub async fn respond(
        self: &Arc<Self>,
        id: &str,
        key: &str,
        call_id: &str,
        response: &Value,
    ) -> Result<Taken, Refused> {
        let taken = self.decided(|lease| async move {
            let held = self.hold(id).await?;
            let (log, secrets) =
                (response["walk"]["log"].to_string(), self.digests.of(&response["secrets"].to_string()));
            if let Some(before) = self.store.response(id, key).await? {
                let nonce = response["walk"]["nonce"].as_str();
                return self.again(&held.conversation, &before, call_id, nonce, before.log == log, secrets);
            }
            let question = self.open_question(id, &held.conversation, call_id).await?;
            let walk = continued(&question, response)?;
            let sent = Sent { key: key.to_owned(), log, secrets };
            self.finish(held, &lease, question, &walk, Some(sent)).await?;
            Ok(Taken::Now)
        });
        counted(taken.await)
    }

    /// An answer came under a key that was used before. It was taken before if it is the same, to the same question: a model can use the id of a call
    /// again. `nonce` is that of the question, if the answer says it. Secrets that this process has not seen are not compared.
    fn again(
        &self,
        conversation: &Conversation,
        before: &Answer,
        call_id: &str,
        nonce: Option<&str>,
        is_same: bool,
        secrets: u64,
    ) -> Result<Taken, Refused> {
        let open = open_nonce(conversation, call_id);
        // An earlier version of this program did not store which question was answered.
        let is_this = match before.call.is_empty() {
            true => open.is_none(),
            false => before.call == call_id && nonce.or(open).is_none_or(|nonce| nonce == before.nonce),
        };
        let is_taken = is_this && is_same && self.digests.may_be(&before.id, secrets);
        if is_taken { Ok(Taken::Before) } else { Err(Refused::AnsweredDifferently) }
    }

    /// A client has answered the open question with plain values, by the names of the questions. They are decided on the walk as it was handed
    /// out. Without `call_id` they are for the question that is open; without `key`, the question is answered so once.
    pub async fn answer(
        self: &Arc<Self>,
        id: &str,
        key: Option<String>,
        call_id: Option<&str>,
        answers: &Map<String, Value>,
    ) -> Result<Taken, Refused> {
        let given = &key;
        let taken = self.decided(|lease| async move {
            let held = self.hold(id).await?;
            let waits = is_waiting(&held.conversation);
            let open = held.conversation.state().call().map(|call| call.id.clone()).filter(|_| waits);
            let call_id = call_id.map(str::to_owned).or(open);
            let key = match (given, &call_id) {
                (Some(key), _) => key.clone(),
                (None, Some(call_id)) => self.key_of(id, &held.conversation, call_id).await?,
                (None, None) => return Err(Refused::NothingOpen),
            };
            if let Some(before) = self.store.response(id, &key).await? {
                let (is_same, secrets) = compared(&before.log, answers).unwrap_or_default();
                let call_id = call_id.as_ref().unwrap_or(&before.call);
                let secrets = self.digests.of(&secrets);
                return self.again(&held.conversation, &before, call_id, None, is_same, secrets);
            }
            let call_id = call_id.ok_or(Refused::NothingOpen)?;
            if given.is_none() && open_nonce(&held.conversation, &call_id).is_some() {
                // The answer to an earlier question may have come twice.
                let past = self.store.answers_to(id, &call_id).await?;
                let unclear = |before: &Answer| {
                    before.key == key_for(&call_id, &before.nonce)
                        && compared(&before.log, answers).is_some_and(|(is_same, _)| is_same)
                };
                if past.iter().any(unclear) {
                    return Err(Refused::NeedsKey);
                }
            }
            let question = self.open_question(id, &held.conversation, &call_id).await?;
            let mut walk = question.walk()?;
            tokio::task::block_in_place(|| walk.answers(answers.clone())).map_err(Refused::Answers)?;
            let (log, secrets) = kept(&walk, answers);
            let sent = Sent { key, log, secrets: self.digests.of(&secrets) };
            self.finish(held, &lease, question, &walk, Some(sent)).await?;
            Ok(Taken::Now)
        });
        counted(taken.await)
    }

    /// The key of plain answers that came without one: it is that of the question, which is the last one of the call.
    async fn key_of(&self, id: &str, conversation: &Conversation, call_id: &str) -> Result<String, Refused> {
        let nonce = match open_nonce(conversation, call_id) {
            Some(nonce) => Some(nonce.to_owned()),
            None => self
                .store
                .question(id, call_id)
                .await?
                .and_then(|question| nonce_in(&question["options"]).map(str::to_owned)),
        };
        Ok(key_for(call_id, &nonce.unwrap_or_default()))
    }

    /// Takes a walk that has ended: the tool that asked gets its answers, and the audit trail its records.
    async fn finish(
        self: &Arc<Self>,
        held: Held,
        lease: &str,
        question: Question,
        walk: &Walk,
        sent: Option<Sent>,
    ) -> Result<(), Refused> {
        let call = held.conversation.state().call().cloned().ok_or(Refused::NoConversation)?;
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
        let response = match sent {
            Some(Sent { key, log, secrets }) => {
                let (nonce, answer) = (nonce_in(&question.options).unwrap_or_default().to_owned(), store::random()?);
                self.digests.keep(&answer, secrets);
                Some(Answer { key, log, call: call.id.clone(), nonce, id: answer })
            }
            None => None,
        };
        let (ends, call_id) = (outcome.ends, call.id.clone());
        let event = match ends {
            Ends::Completed | Ends::Failed => {
                Event::Responded { result: self.agent.answered(&call, &outcome), call_id }
            }
            Ends::Replied => Event::Declined { result: self.agent.answered(&call, &outcome), call_id },
            Ends::TurnEnded => Event::Cancelled { call_id, result: outcome.result },
        };
        let records = walk.records().map(|record| json!(record)).collect();
        let change = Change { records, turn: Some(json!(walk.turn())), response, ..Change::default() };
        let (host, lease, tool) = (Arc::clone(self), lease.to_owned(), self.agent.tool(&call.name));
        work::whole(async move {
            let id = held.live.id.clone();
            host.take_whole(held, lease, event, change).await?;
            observed::answered(&id, &question, tool, ends);
            Ok(())
        })
        .await
    }

    /// The person stops the agent, whatever it does. An open question is ended as if that was said at the form, also after an answer that a page has saved
    /// and not sent yet: to stop is what the person did last. With `call_id`, only if that call is open.
    pub async fn stop(self: &Arc<Self>, id: &str, call_id: Option<&str>) -> Result<(), Refused> {
        self.decided(|lease| async move {
            let held = self.hold(id).await?;
            if let Some(call_id) = call_id {
                open_call(&held.conversation, call_id)?;
            }
            let State::AwaitingUser { call, walk: saved, .. } = held.conversation.state() else {
                return self.take(held, &lease, Event::Stopped, Change::default()).await;
            };
            let read = match self.open_question(id, &held.conversation, &call.id).await {
                Ok(question) => question.walk().map(|walk| (question, walk)),
                Err(error) => Err(error),
            };
            let (question, own) = match read {
                Ok(read) => read,
                Err(error @ Refused::Store(_)) => return Err(error),
                // Another version of this program has stored it. The person must get out of it all the same.
                Err(_) => return self.take(held, &lease, Event::Stopped, Change::default()).await,
            };
            let continued = tokio::task::block_in_place(|| {
                saved.as_ref().and_then(|walk| own.continued(&json!({ "walk": walk, "secrets": {} })).ok())
            });
            let mut walk = continued.filter(|walk| walk.outcome().is_none()).unwrap_or(own);
            drop(walk.act(Action::EndTurn));
            self.finish(held, &lease, question, &walk, None).await
        })
        .await
    }
}

/// The key of plain answers to a question that came without one.
fn key_for(call_id: &str, nonce: &str) -> String {
    format!("{call_id} answers {nonce}")
}

/// Counts what became of an answer.
fn counted(taken: Result<Taken, Refused>) -> Result<Taken, Refused> {
    match &taken {
        Ok(Taken::Now) => {}
        Ok(Taken::Before) => meters().retried(Retried::Answer),
        Err(refused) => meters().refused(refused.code()),
    }
    taken
}
