//! What is done in a walk: actions, several answers at once, and what would come of an answer.

use super::{
    Walk, decide,
    event::Action,
    page,
    state::{At, Slot},
};
use crate::{
    answer::{Answer, Content, Given, Taken},
    budget::Budget,
    json,
    outcome::Ending,
    problem::{NotAllowed, Refusal},
    question::Question,
};
use serde_json::{Map, Value};
use std::sync::Arc;

impl Walk {
    /// Carries out an action.
    ///
    /// # Errors
    /// A [`Refusal`] with the reason. The walk is then unchanged.
    pub fn act(&mut self, action: Action) -> Result<(), Refusal> {
        if let Action::Reply(text) = &action
            && self.ending().is_none()
        {
            self.form.may_reply(text.as_deref())?;
        }
        let events = decide::decide(&self.form, &self.state, action)?;
        self.take_in(events);
        Ok(())
    }

    /// Ends the walk as expired if the time for an answer is over ([`crate::Outline::expires_at`]). `now` is the host's clock, in milliseconds since the
    /// beginning of 1970 in UTC. Gives whether the walk has expired, now or before. What was answered and typed is in [`Walk::drafts`].
    ///
    /// ```
    /// use ask_user_core::{Dialect, Form, Host, Moment, Walk};
    /// use serde_json::json;
    ///
    /// let host = Host::from_json(&json!({ "expires_at": "2026-11-28T12:00:00Z" }))?;
    /// let request = json!({ "questions": [{ "id": "go", "text": "Go on?", "answer_type": "boolean" }] });
    /// let mut walk = Walk::new(Form::read(&request, Dialect::Detect, &host)?);
    /// let end = Moment::parse("2026-11-28T12:00:00Z").expect("a moment").millis();
    /// assert!(!walk.expire(end - 1));
    /// assert!(walk.expire(end));
    /// assert_eq!(walk.outcome().expect("it has ended").result, None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn expire(&mut self, now: i64) -> bool {
        if self.form.is_over_by(now) && !self.is_over() {
            self.take_in(decide::decide(&self.form, &self.state, Action::Expire).unwrap_or_default());
        }
        self.state.at == At::Ended(Ending::Expired)
    }

    /// Answers several questions at once, each by its id, in the order of the questions. Either every answer is taken, as if they had been
    /// given one by one, or none is.
    ///
    /// # Errors
    /// [`Refusal::Answers`] names every answer that is refused, and [`Refusal::Finished`] says that the walk has ended. The walk is then unchanged.
    pub fn answer_all(&mut self, answers: Vec<(String, Given)>) -> Result<(), Refusal> {
        let events = page::answer_all(&self.form, &self.state, answers)?;
        self.take_in(events);
        Ok(())
    }

    /// Puts answers into the order of their questions, for [`Walk::answer_all`]. Those to ids that are no question's come last.
    pub fn in_order<T>(&self, answers: Vec<(String, T)>) -> Vec<(String, T)> {
        page::in_order(&self.form, answers)
    }

    /// Answers the form with plain values, by the ids of the questions; where the dialect answers by the text of the question
    /// (`ask_user_question`, `claude`), by their texts, too. The order of the names does not matter: the answers are decided in the order of
    /// the form, as if they had been given one by one, and all are taken or none is. On a form with a review they are submitted as well.
    ///
    /// - Every question that is asked must have an answer. Null leaves an optional question empty; a missing name does not.
    /// - A question that is not asked must have none, or null.
    /// - Where a question offers "Other", a text that is no option counts as one.
    /// - If an assistant is asked on the way, the walk stops there, and nothing may be said of the questions after it.
    ///
    /// ```
    /// use ask_user_core::{Dialect, Form, Host, Walk, problem::Refusal};
    /// use serde_json::json;
    ///
    /// let request = json!({ "questions": [
    ///     { "id": "apply", "text": "Apply it?", "answer_type": "boolean" },
    ///     { "id": "env", "text": "Where?", "answer_type": "select", "options": ["staging", "production"] }
    /// ] });
    /// let mut walk = Walk::new(Form::read(&request, Dialect::Detect, &Host::default())?);
    /// let answers = |value| match value {
    ///     serde_json::Value::Object(answers) => answers,
    ///     _ => unreachable!("an object"),
    /// };
    /// let Err(Refusal::Answers { refused }) = walk.answers(answers(json!({ "env": "test" }))) else { panic!("refused") };
    /// let codes: Vec<_> = refused.iter().map(|one| (one.question.as_str(), one.refusal.code())).collect();
    /// assert_eq!(codes, [("apply", "required"), ("env", "not_an_option")]);
    ///
    /// walk.answers(answers(json!({ "env": "staging", "apply": true })))?;
    /// assert_eq!(walk.outcome().expect("it has ended").result, Some(json!({ "apply": true, "env": "staging" })));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`Refusal::Answers`] lists everything that is wrong, each with its question, or with the name that is no question.
    /// [`Refusal::Finished`]: the walk has ended. [`Refusal::NotAllowed`]: the request is still being written. The walk is then unchanged.
    pub fn answers(&mut self, answers: Map<String, Value>) -> Result<(), Refusal> {
        if !self.is_whole() {
            answers.into_iter().for_each(|(_, value)| json::dismantle(value));
            return Err(Refusal::NotAllowed(NotAllowed::BEING_WRITTEN));
        }
        let events = page::answers(&self.form, &self.state, answers)?;
        self.take_in(events);
        Ok(())
    }

    /// Checks an answer to the open question, and changes nothing.
    ///
    /// # Errors
    /// The [`Refusal`] that [`Walk::act`] would give.
    pub fn check(&self, content: Content) -> Result<(), Refusal> {
        match decide::open(&self.form, &self.state) {
            Ok((_, question)) => self.check_for(question, content),
            Err(refusal) => {
                Given::new(content).dismantle();
                Err(if self.is_over() { Refusal::Finished } else { refusal })
            }
        }
    }

    /// Whether a question would take an answer, asked now or later.
    ///
    /// # Errors
    /// The [`Refusal`] that [`Walk::act`] would give at that question.
    pub fn check_for(&self, question: &Question, content: Content) -> Result<(), Refusal> {
        if self.is_over() {
            Given::new(content).dismantle();
            return Err(Refusal::Finished);
        }
        let limits = &self.form.host.limits;
        let mut budget = Budget::new(limits.work.saturating_sub(self.state.work));
        Answer::new(question, content, limits, &mut budget).map(drop)
    }

    /// The answers that cannot be undone, among some to questions by their ids: each with its question, as it would be taken. A front end shows them and
    /// asks once more before it gives them ([`Walk::act`], [`Walk::answer_all`]), which the walk leaves to it. Empty if an answer would be refused.
    ///
    /// ```
    /// use ask_user_core::{Dialect, Form, Host, Walk};
    /// use serde_json::json;
    ///
    /// let request = json!({ "questions": [
    ///     { "id": "drop", "text": "Drop the table?", "answer_type": "boolean", "danger": true }
    /// ] });
    /// let walk = Walk::new(Form::read(&request, Dialect::Detect, &Host::default())?);
    /// let confirms = |answer: bool| walk.to_confirm(&[("drop".to_owned(), json!(answer).into())]).len();
    /// assert_eq!((confirms(true), confirms(false)), (1, 0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn to_confirm(&self, answers: &[(String, Given)]) -> Vec<(Arc<Question>, Taken)> {
        if !self.form.questions.iter().any(|question| question.has_danger()) {
            return Vec::new();
        }
        let mut walk = self.clone();
        if walk.answer_all(answers.to_vec()).is_err() {
            return Vec::new();
        }
        let given = |question: &Question| answers.iter().any(|(id, _)| *id == question.id);
        let dangerous = |(question, slot): (&Arc<Question>, &Slot)| {
            let taken = slot.answer.as_deref();
            let taken = taken.filter(|taken| given(question) && taken.answer.is_dangerous(question))?;
            Some((Arc::clone(question), taken.clone()))
        };
        self.form.questions.iter().zip(&walk.state.slots).filter_map(dangerous).collect()
    }
}
