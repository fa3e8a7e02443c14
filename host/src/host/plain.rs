//! The open question as a form without a script: it is written as HTML, and what the browser posts is taken here. Answers go the way that those of a page
//! with a script go: each step is saved, and the end is responded.

use super::{Host, Live, Refused, Typed};
use crate::question::Question;
use ask_user_core::{
    Host as Options,
    conversation::State,
    desk::{Code, Input},
};
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

/// The open question, and what was typed for it.
struct Open {
    question: Question,
    secrets: Map<String, Value>,
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
            let asked = self.question.desk.asked();
            // We wrote them: they are right.
            let options = Options::from_json(&asked.options).unwrap_or_default();
            let html = Html::new(&asked.request, asked.dialect, &options).action(looks.action).nonce(looks.nonce);
            act(html.layout(looks.layout).resume(&self.question.desk.walk().unwrap_or_default(), self.secrets.clone()))
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
        let desk = &open.question.desk;
        let call_id = desk.asked().call.clone();
        let input = if posted.outcome.is_some() {
            let response = json!({ "walk": saved, "secrets": posted.secrets });
            Input::Responded { key: None, response, tool_call_id: None, seal: None }
        } else {
            Input::Saved { walk: saved, replaces: Some(desk.version()) }
        };
        match self.bring(id, Some(&call_id), input).await {
            // What another tab has done meanwhile is shown, and nothing of this one is taken.
            Err(Refused::Desk(reply)) if matches!(reply.code, Code::Behind | Code::SentDifferently | Code::NotOpen) => {
                return match self.form(id, looks).await? {
                    Shown::Form { shadow, .. } => Ok(Shown::Form { shadow, is_behind: true }),
                    shown => Ok(shown),
                };
            }
            Err(refused) => return Err(refused),
            Ok(_) => {}
        }
        if posted.outcome.is_none() {
            let nonce = desk.nonce().map(str::to_owned);
            let typed = Typed { call_id, nonce, secrets: posted.secrets };
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

    /// The open question, of several the oldest, or what is shown without one.
    async fn opened(&self, id: &str, live: &Live) -> Result<Result<Open, Shown>, Refused> {
        let (_, conversation) = self.read(id).await?;
        let Some(open) = conversation.open().next() else {
            return Ok(Err(if matches!(conversation.state(), State::Idle) { Shown::Idle } else { Shown::Working }));
        };
        let question = self.question(id, conversation.state(), &open.call.id).await?.ok_or_else(Refused::not_open)?;
        Ok(Ok(Open { question, secrets: live.typed(&conversation) }))
    }
}
