//! The open question as a form without a script: it is written as HTML, and what the browser posts is taken here. Answers go the way that those of a page
//! with a script go: each step is saved, and the end is responded.

use super::{Host, Live, Refused, Typed, nonce_in, version};
use crate::question::Question;
use ask_user_core::conversation::State;
use ask_user_web::{Layout, html::Html};
use serde_json::{Map, Value, json};
use std::sync::{Arc, PoisonError};

/// What a person without a script sees.
#[derive(Debug)]
pub enum Shown {
    /// The open question, as a declarative shadow root. `is_behind`: it has changed since the form was shown, and nothing was taken.
    Form { shadow: String, is_behind: bool },
    /// The agent works.
    Working,
    /// Nothing is asked, and the agent does nothing.
    Idle,
    /// What was posted was taken: what comes next is to be fetched.
    Taken,
}

/// The open question, and how far the person has come.
struct Open {
    call_id: String,
    question: Question,
    saved: Value,
    secrets: Map<String, Value>,
    version: String,
}

/// How a form is written.
pub struct Looks<'a> {
    /// Where it is posted to.
    pub action: &'a str,
    pub layout: Layout,
    /// The nonce of its style.
    pub nonce: &'a str,
}

impl Open {
    /// Does something with the form as HTML. That may take a while: other conversations go on meanwhile.
    fn html<T>(&self, looks: &Looks<'_>, act: impl FnOnce(Html<'_>) -> T) -> T {
        tokio::task::block_in_place(|| {
            let (options, request) = (self.question.host(), self.question.request.to_string());
            let html = Html::new(&request, self.question.dialect, &options).action(looks.action).nonce(looks.nonce);
            act(html.layout(looks.layout).resume(&self.saved, self.secrets.clone()))
        })
    }
}

impl Host {
    /// What a person without a script sees of a conversation.
    pub async fn form(&self, id: &str, looks: &Looks<'_>) -> Result<Shown, Refused> {
        let live = self.live(id);
        let open = match self.opened(id, &live).await? {
            Ok(open) => open,
            Err(shown) => return Ok(shown),
        };
        let shadow = open.html(looks, |html| html.shadow());
        Ok(Shown::Form { shadow, is_behind: false })
    }

    /// Takes what the form of the open question has posted.
    pub async fn post(
        self: &Arc<Self>,
        id: &str,
        fields: &[(String, String)],
        looks: &Looks<'_>,
    ) -> Result<Shown, Refused> {
        let live = self.live(id);
        let open = match self.opened(id, &live).await? {
            Ok(open) => open,
            Err(_) => return Ok(Shown::Taken),
        };
        let posted = open.html(looks, |html| html.post(fields));
        let Some(saved) = posted.saved.filter(|_| !posted.is_behind) else {
            return Ok(Shown::Form { shadow: posted.shadow, is_behind: posted.is_behind });
        };
        let ended = if posted.outcome.is_some() {
            let response = json!({ "walk": saved, "secrets": posted.secrets });
            let key = format!("{} {}", open.call_id, saved["nonce"]);
            self.respond(id, &key, &open.call_id, &response).await.map(drop)
        } else {
            self.save(id, &open.call_id, saved, Some(&open.version)).await.map(drop)
        };
        match ended {
            // What another tab has done meanwhile is shown, and nothing of this one is taken.
            Err(Refused::Behind { .. } | Refused::AnsweredDifferently | Refused::Unexpected(_)) => {
                return match self.form(id, looks).await? {
                    Shown::Form { shadow, .. } => Ok(Shown::Form { shadow, is_behind: true }),
                    shown => Ok(shown),
                };
            }
            ended => ended?,
        }
        if posted.outcome.is_none() {
            let nonce = nonce_in(&open.question.options).map(str::to_owned);
            let typed = Typed { call_id: open.call_id, nonce, secrets: posted.secrets };
            *live.typed.lock().unwrap_or_else(PoisonError::into_inner) = Some(typed);
            // The question may have been closed since it was saved.
            self.drop_typed(&live).await?;
        }
        Ok(if posted.is_answer { Shown::Form { shadow: posted.shadow, is_behind: false } } else { Shown::Taken })
    }

    /// Drops the secrets that were typed for a question that is closed.
    pub(super) async fn drop_typed(&self, live: &Live) -> Result<(), Refused> {
        let (_, conversation) = self.read(&live.id).await?;
        drop(live.typed(&conversation));
        Ok(())
    }

    /// The open question, or what is shown without one.
    async fn opened(&self, id: &str, live: &Live) -> Result<Result<Open, Shown>, Refused> {
        let (_, conversation) = self.read(id).await?;
        let (call, walk) = match conversation.state() {
            State::AwaitingUser { call, walk, .. } => (call, walk),
            State::Idle => return Ok(Err(Shown::Idle)),
            _ => return Ok(Err(Shown::Working)),
        };
        let question = self.open_question(id, &conversation, &call.id).await?;
        let saved = walk.clone().unwrap_or_else(|| question.handed_out().clone());
        let secrets = live.typed(&conversation);
        let (call_id, version) = (call.id.clone(), version(walk.as_ref()));
        Ok(Ok(Open { call_id, question, saved, secrets, version }))
    }
}
