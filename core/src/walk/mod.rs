//! One person's way through a form.
//!
//! A walk is a form and the list of what happened. Three functions make it:
//!
//! - `decide(form, state, action)` returns the events that an action leads to, or a [`Refusal`]. It makes every decision: whether an
//!   answer fits, who is asked next, what is answered without asking, how the walk ends.
//! - `State::apply(event)` updates the state. It cannot fail, and decides nothing.
//! - Projections read the form, the state and the events: [`Walk::step`], [`Walk::records`], [`Walk::outcome`], [`Walk::turn`],
//!   [`Walk::save`], [`Walk::idempotency_key`].
//!
//! Every action goes through `decide`, whether it comes from a person now, from a saved walk, or from a client's response. This
//! module does not know any agent's JSON.

mod decide;
mod drafts;
mod event;
mod page;
mod saved;
mod state;
mod step;

pub use event::{Action, Asks, Event, Return};
pub use step::{Asking, Progress, Review, Reviewed, Step};

use crate::{
    answer::{Answer, By, Content, Given, Taken},
    budget::Budget,
    form::{Form, Growing, Outline, Provisional},
    json::{self, Fingerprint, Numbers, digits, equal, parse},
    outcome::{Ended, Ending, Outcome},
    problem::{NotAllowed, Refusal, Unresumable, object},
    question::{AnswerType, Question},
    record::{Record, Request, question_json},
    route::{Consultation, Consulted, explanation},
    turn::{Remembered, Turn},
};
use saved::{Done, Saved};
use serde_json::{Map, Value};
use state::{At, Known, Slot, State};
use std::sync::Arc;

/// One person's way through a form. A plain value: it can be compared, cloned, saved and resumed. It changes only through
/// [`Walk::act`], [`Walk::answer_all`], [`Walk::answers`] and [`Walk::accept`].
#[derive(Clone, Debug, PartialEq)]
pub struct Walk {
    form: Arc<Outline>,
    began: Known,
    events: Vec<Event>,
    /// The state after the events. Invariant: it is a new state to which the events were applied in order.
    state: State,
    nonce: Option<String>,
    /// What earlier forms left for the fields of this one, and of those after it, by question id.
    drafts: Arc<Map<String, Value>>,
}

impl Walk {
    /// Begins at the first question that somebody is to be asked.
    pub fn new(form: Form) -> Self {
        Self::from_turn(form.outline(), Known::Whole)
    }

    /// Begins with a form whose schemas are not compiled yet. The step is [`Step::Checking`] where one is needed, and no result
    /// leaves the walk before [`Walk::accept`].
    pub fn begin(form: Provisional) -> Self {
        Self::from_turn(form.outline(), Known::Unchecked)
    }

    /// Begins with drafts in place of those of the host: what [`Walk::drafts_with`] has given of a walk that this one takes the place of.
    pub fn anew(form: Form, drafts: &Map<String, Value>) -> Self {
        Self::with_drafts(form.outline(), Known::Whole, drafts)
    }

    /// Begins with a request that is still being written ([`crate::Reader`]). The step is [`Step::Waiting`] where a question is needed that has not
    /// come yet, and no result leaves the walk before [`Walk::accept`]. Until then it cannot be resumed: what it would belong to is not known.
    pub fn stream(form: &Growing) -> Self {
        let nothing = Growing::new(Arc::clone(&form.host), form.reply()).outline();
        let mut walk = Self::blank(nothing, Known::Part(0), Vec::new(), &Map::new());
        walk.drafts = Arc::new(form.host.drafts.clone());
        walk.come(0);
        walk.grow(form);
        walk
    }

    /// Takes in the questions that have come since. The person may be answering one meanwhile: it does not change. Nothing happens to a walk that
    /// was not begun with [`Walk::stream`], or whose form is whole.
    pub fn grow(&mut self, form: &Growing) {
        let there = self.form.questions.len();
        if self.state.known.part().is_none() || form.questions.len() <= there {
            return;
        }
        Arc::make_mut(&mut self.form).follow(form);
        self.make_room(there);
        self.come(self.form.questions.len());
    }

    /// Resumes a walk that was saved with the same form: it has the same step, answers, drafts and records. The saved actions are decided
    /// again, so a resumed walk is one that a person could have walked. Secrets are not saved: the walk asks the first question whose
    /// secret is missing, and the answers after it become drafts.
    ///
    /// # Errors
    /// [`Unresumable`] if this is not a saved walk, if it belongs to another form, if it was changed after it was saved, or if the host's
    /// options have changed so that it leads elsewhere.
    pub fn resume(form: Form, saved: &Value) -> Result<Self, Unresumable> {
        Self::resume_with(form, saved, &Map::new())
    }

    /// The same with secrets by question id, as [`Walk::response`] has them: for a form that was taken off a page and put back, and kept its
    /// secrets in memory meanwhile.
    ///
    /// # Errors
    /// As for [`Walk::resume`].
    pub fn resume_with(form: Form, saved: &Value, secrets: &Map<String, Value>) -> Result<Self, Unresumable> {
        let mut walk = Self::replayed(form, saved, secrets)?;
        walk.take_in(decide::accept(&walk.state));
        walk.proceed();
        walk.ask_for_missing_secrets();
        Ok(walk)
    }

    /// A saved walk as it was, to show what was asked and answered: no secret is asked for again. Only for showing: its outcome has no secrets,
    /// and a walk that had not ended does not go on.
    ///
    /// # Errors
    /// As for [`Walk::resume`].
    pub fn as_saved(form: Form, saved: &Value) -> Result<Self, Unresumable> {
        let mut walk = Self::replayed(form, saved, &Map::new())?;
        walk.take_in(decide::accept(&walk.state));
        Ok(walk)
    }

    /// A saved walk, decided again.
    fn replayed(form: Form, saved: &Value, secrets: &Map<String, Value>) -> Result<Self, Unresumable> {
        let saved = Saved::read(&form, saved)?;
        // A store of JSON may have reordered the request, and with it the questions of some dialects.
        let form = form.in_order(&saved.questions()).ok_or(Unresumable::OtherForm)?;
        let counted = |question: &Arc<Question>| saved.attempts(&question.id);
        let attempts = form.questions.iter().map(counted).collect();
        let mut drafts = form.host.drafts.clone();
        drafts.extend(saved.drafts().cloned().unwrap_or_default());
        let mut walk = Self::blank(form.outline(), saved.began(), attempts, &drafts);
        walk.nonce = saved.nonce().map(str::to_owned).or(walk.nonce);
        if walk.began != Known::Part(0) {
            walk.proceed();
        }
        walk.replay(saved.log().iter(), secrets)?;
        if !saved.begins_as(&walk.events) {
            return Err(Unresumable::OtherOptions);
        }
        Ok(walk)
    }

    /// The walk before its ending, at the last step that the person was at, for a host that refuses the ending: the person can then end it otherwise. The
    /// answer that ended it is a draft, unless it is a secret. `None` if the walk has not ended.
    #[cold]
    pub fn reopened(&self) -> Option<Self> {
        self.ending()?;
        let attempts = || self.state.slots.iter().map(|slot| slot.before).collect();
        let blank = || Self::blank(Arc::clone(&self.form), self.began, attempts(), &self.drafts);
        let mut walk = blank();
        let mut open = None;
        for (place, event) in self.events.iter().enumerate() {
            walk.state.apply(event);
            if matches!(walk.state.at, At::Asking(_, Asks::Person) | At::Review) {
                open = Some(place.saturating_add(1));
            }
        }
        let (events, rest) = self.events.split_at_checked(open?)?;
        walk = Self { nonce: self.nonce.clone(), ..blank() };
        walk.take_in(events.to_vec());
        if let Some(Event::Answered { question, taken, .. }) = rest.first()
            && let Some(slot) = walk.state.slots.get_mut(*question)
            && !taken.answer.is_secret()
        {
            slot.draft = Some(Arc::clone(taken));
        }
        Some(walk)
    }

    /// The response of a client to its host, which reads it with [`Walk::continued`]: the saved `walk`, and the `secrets` by question id. It is
    /// only for that one request: do not store or log it.
    pub fn response(&self) -> Value {
        let secrets = Value::Object(self.ended(&Ending::Completed, &self.answers_so_far()).secrets());
        // What was drafted is the person's until they send it.
        Value::Object(object([("walk", self.saved(None).into_json()), ("secrets", secrets)]))
    }

    /// Continues this walk with the response of a client. Only the person's actions are taken from the response, and they are decided again
    /// on this walk. A verdict of an assistant is refused. A client may say that it could not ask an assistant: the question then goes to
    /// the person. Where no person is there, that is refused, too.
    ///
    /// # Errors
    /// [`Unresumable`] if this is not a response to this walk, or if it holds something that this walk does not allow.
    pub fn continued(&self, response: &Value) -> Result<Self, Unresumable> {
        let missing =
            |key: &str| Unresumable::NotASavedWalk { reason: format!("\"{key}\" is missing or of another type") };
        let secrets = response.get("secrets").and_then(Value::as_object).ok_or_else(|| missing("secrets"))?;
        if !self.is_checked() {
            return Err(Unresumable::Unchecked);
        }
        let client = Saved::read(&self.form, response.get("walk").ok_or_else(|| missing("walk"))?)?;
        let own = self.saved(None);
        let tampered = |reason: &str| Unresumable::Tampered { reason: reason.into() };
        if !client.began_as(&own) {
            return Err(tampered("it counts other attempts or questions"));
        }
        let (had, rest) =
            saved::rest_of(&client, own.log()).ok_or_else(|| tampered("it does not begin as this walk does"))?;
        if rest.iter().any(|line| saved::is(line, "verdict")) {
            return Err(tampered("it holds a verdict of an assistant that this host did not ask"));
        }
        if !self.form.host.attached && rest.iter().any(|line| saved::is(line, "no_assistant")) {
            return Err(tampered("it leaves out an assistant where no person is there"));
        }
        let is_done = rest.iter().any(|line| !saved::is_of_form(line));
        if is_done && matches!(self.state.at, At::Ended(_)) {
            return Err(tampered("it goes on after this walk has ended"));
        }
        let mut walk = self.clone();
        walk.nonce = walk.nonce.or_else(|| client.nonce().map(str::to_owned));
        if is_done {
            walk.replay(had.iter().chain(rest), secrets)?;
        }
        // The host has the whole form, whatever the client had.
        walk.take_in(decide::accept(&walk.state));
        walk.proceed();
        walk.ask_for_missing_secrets();
        Ok(walk)
    }

    /// What a host keeps of a client's saved walk that continues this one: its own fields, and what was drafted and typed for this form's questions. Anything
    /// else in it says nothing, and would only take space.
    pub fn kept(&self, client: &Value) -> Value {
        let mut kept = saved::own_fields(client);
        let given = |name: &str| client.get(name).and_then(Value::as_object);
        let drafts = given("drafts").map(|given| drafts::of_form(&self.form, given));
        let typed = given("typed").map(|given| drafts::typed_of_form(&self.form, given));
        for (name, own) in [("drafts", drafts), ("typed", typed)] {
            kept.extend(own.filter(|own| !own.is_empty()).map(|own| (name.to_owned(), Value::Object(own))));
        }
        Value::Object(kept)
    }

    /// The walk as JSON, without its secrets. It consists of texts and small integers, so no store of JSON changes it.
    pub fn save(&self) -> Value {
        self.saved(drafts::own(&self.form, &self.drafts)).into_json()
    }

    /// Carries out an action.
    ///
    /// # Errors
    /// A [`Refusal`] with the reason. The walk is then unchanged.
    pub fn act(&mut self, action: Action) -> Result<(), Refusal> {
        if let Action::Reply(text) = &action
            && self.outcome().is_none()
        {
            self.form.may_reply(text.as_deref())?;
        }
        let events = decide::decide(&self.form, &self.state, action)?;
        self.take_in(events);
        Ok(())
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
            return Err(Refusal::NotAllowed(NotAllowed::BeingWritten));
        }
        let events = page::answers(&self.form, &self.state, answers)?;
        self.take_in(events);
        Ok(())
    }

    /// Accepts the form after its schemas are compiled ([`crate::Reading::finish`]). The walk goes on at the same question.
    ///
    /// # Errors
    /// [`Unresumable::OtherForm`] for the form of another request. The walk is then unchanged. In a walk of [`Walk::stream`], that is one whose end
    /// contradicts its beginning: [`Walk::accept_or_anew`].
    pub fn accept(&mut self, form: Form) -> Result<(), Unresumable> {
        if self.state.known.part().is_some() {
            let there = self.form.questions.len();
            let goes_on = |(one, other): (&Arc<Question>, &Arc<Question>)| one.is_still(other);
            if form.questions.len() < there || !self.form.questions.iter().zip(&form.questions).all(goes_on) {
                return Err(Unresumable::OtherForm);
            }
            self.form = form.outline();
            self.make_room(there);
            self.drafts = Arc::new(drafts::kept(&self.form, &self.form.host.drafts));
        } else {
            if form.fingerprint != self.form.fingerprint {
                return Err(Unresumable::OtherForm);
            }
            let order: Vec<&str> = self.form.questions.iter().map(|question| question.id.as_str()).collect();
            self.form = form.in_order(&order).ok_or(Unresumable::OtherForm)?.outline();
        }
        self.take_in(decide::accept(&self.state));
        self.proceed();
        Ok(())
    }

    /// Goes on with the whole form, as [`Walk::accept`] does. Where the end of the request contradicts its beginning, the walk begins anew, with what was
    /// answered as drafts. Says whether it did.
    pub fn accept_or_anew(&mut self, form: Form) -> bool {
        let is_anew = self.accept(form.clone()).is_err();
        if is_anew {
            *self = Self::anew(form, &self.drafts());
        }
        is_anew
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
                Err(refusal)
            }
        }
    }

    /// Whether a question would take an answer, asked now or later.
    ///
    /// # Errors
    /// The [`Refusal`] that [`Walk::act`] would give at that question.
    pub fn check_for(&self, question: &Question, content: Content) -> Result<(), Refusal> {
        let limits = &self.form.host.limits;
        let mut budget = Budget::new(limits.work.saturating_sub(self.state.work));
        Answer::new(question, content, limits, &mut budget).map(drop)
    }

    /// What to show now. Changes after [`Walk::act`] and [`Walk::accept`].
    pub fn step(&self) -> Step {
        match &self.state.at {
            At::Before(_) => self.checking(),
            At::Asking(place, asks) => match self.asking(*place, *asks) {
                Some(asking) => Step::Asking(Box::new(asking)),
                None => self.checking(),
            },
            At::Review => Step::Review(self.review()),
            At::Ended(_) => self.ending().map_or(self.checking(), |ending| Step::Done { ends: ending.ends() }),
        }
    }

    fn checking(&self) -> Step {
        if self.is_whole() {
            Step::Checking
        } else {
            Step::Waiting { back: !self.is_over() && !self.state.trail.is_empty() }
        }
    }

    /// The tool calls to decide on one page: the open question, if it is one, and those that follow it and are put to the person as well. Answer them
    /// together with [`Walk::answer_all`], or one by one. Empty at other steps.
    pub fn approvals(&self) -> Vec<Asking> {
        self.asking_all(decide::page(&self.form, &self.state))
    }

    /// The questions to show on one page: the open one, and those after it that a walk with these answers would ask the person. Answer them
    /// together with [`Walk::answer_all`]. Empty at other steps.
    ///
    /// `answers` is what the page holds now, by the ids of the questions; what is missing or would be refused counts as not answered. A question
    /// whose condition looks at such an answer is left out until it is known whether it is asked. The page ends before a tool call
    /// ([`Walk::approvals`]), and before a question that an assistant is asked first.
    ///
    /// ```
    /// use ask_user_core::{Dialect, Form, Host, Walk};
    /// use serde_json::json;
    ///
    /// let request = json!({ "questions": [
    ///     { "id": "apply", "text": "Apply it?", "answer_type": "boolean" },
    ///     { "id": "env", "text": "Where?", "answer_type": "select", "options": ["staging", "production"],
    ///       "when": { "question_id": "apply", "equals": true } },
    ///     { "id": "why", "text": "Why?", "answer_type": "text" }
    /// ] });
    /// let walk = Walk::new(Form::read(&request, Dialect::Detect, &Host::default())?);
    /// let ids = |answers| walk.page(answers).iter().map(|asking| asking.question.id.clone()).collect::<Vec<_>>();
    /// assert_eq!(ids(vec![]), ["apply", "why"]);
    /// assert_eq!(ids(vec![("apply".to_owned(), json!(true).into())]), ["apply", "env", "why"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn page(&self, answers: Vec<(String, Given)>) -> Vec<Asking> {
        self.asking_all(page::asked(&self.form, &self.state, answers))
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

    /// How the walk ended. `None` before that. While its schemas are not compiled, only the end of the turn counts.
    pub fn ending(&self) -> Option<&Ending> {
        match &self.state.at {
            At::Ended(ending) if self.is_checked() || *ending == Ending::TurnEnded => Some(ending),
            At::Ended(_) | At::Before(_) | At::Asking(..) | At::Review => None,
        }
    }

    /// The outcome for the host. `None` where [`Walk::ending`] is `None`.
    pub fn outcome(&self) -> Option<Outcome> {
        let (ending, answers) = (self.ending()?, self.answers_so_far());
        let ended = self.ended(ending, &answers);
        let writer = &self.form.writer;
        let (reply, error) = match ending {
            Ending::Replied { text } => (text.clone(), None),
            Ending::Failed(failure) => (None, Some(failure.code().to_owned())),
            Ending::Completed | Ending::TurnEnded => (None, None),
        };
        Some(Outcome {
            ends: ending.ends(),
            // The writer of a request that is not whole writes nothing.
            result: writer.write(&ended),
            secrets: if writer.reveals_secrets() { Map::new() } else { ended.secrets() },
            reply,
            error,
            explanation: explanation(&self.form, ended, self.state.slots.iter().map(|slot| &slot.consulted)),
        })
    }

    /// The result as JSON text, with every digit of its numbers. `None` if the agent gets no result.
    pub fn result_text(&self) -> Option<String> {
        let (ending, answers) = (self.ending()?, self.answers_so_far());
        let ended = self.ended(ending, &answers);
        let result = self.form.writer.write(&ended)?;
        let text = json::text(&result);
        if !ended.is_exact() {
            return Some(text);
        }
        let marked = |taken: &Taken| Arc::new(Taken { answer: taken.answer.marked(), ..taken.clone() });
        let answers: Vec<_> = answers.iter().map(|taken| taken.as_deref().map(marked)).collect();
        let exact = digits::unmarked(&json::text(&self.form.writer.write(&Ended { answers: &answers, ..ended })?));
        // Where a dialect writes numbers as texts, or where a text has marks of its own, the result stays as it is.
        Some(if parse(&exact).is_ok_and(|read| equal(&read, &result)) { exact } else { text })
    }

    /// The form that is walked.
    pub fn form(&self) -> &Outline {
        &self.form
    }

    /// The checked form, to resume other walks with. `None` until the schemas are compiled and accepted.
    pub fn accepted(&self) -> Option<Form> {
        self.is_checked().then(|| Form::again(&self.form))
    }

    /// Whether the schemas of the form are compiled and accepted.
    pub fn is_checked(&self) -> bool {
        self.state.known == Known::Whole
    }

    /// Whether the form is known to have all its questions. False in a walk of [`Walk::stream`] until the form is accepted.
    pub fn is_whole(&self) -> bool {
        self.state.known.part().is_none()
    }

    /// Whether the person has come to an end, though nothing of it may have left the walk yet.
    pub fn is_over(&self) -> bool {
        matches!(self.state.at, At::Ended(_))
    }

    /// Every question with its answer, in the order of the form. `None` where it was skipped or is not answered.
    pub fn answered(&self) -> impl Iterator<Item = (&Question, Option<&Taken>)> {
        let slots = self.state.slots.iter().map(|slot| slot.answer.as_deref());
        self.form.questions.iter().map(|question| &**question).zip(slots)
    }

    /// The answer to a question that was taken back and is its draft now. `None` where the question has an answer, is skipped, or has no draft.
    pub fn taken_back(&self, question: &str) -> Option<&Taken> {
        let place = self.form.questions.iter().position(|one| one.id == question)?;
        self.state.slots.get(place)?.draft.as_deref().filter(|_| place >= self.state.reached())
    }

    /// The question that was open when the person replied or ended the turn. `None` in a walk that goes on, or ended otherwise.
    pub fn left_open(&self) -> Option<&Question> {
        let At::Ended(Ending::Replied { .. } | Ending::TurnEnded) = self.state.at else { return None };
        let asked = |event: &Event| matches!(event, Event::Asked { .. }).then(|| event.place()).flatten();
        let (place, _) = self.events.iter().rev().find_map(asked)?;
        self.form.questions.get(place).filter(|_| self.state.answer(place).is_none()).map(|question| &**question)
    }

    /// What happened so far. The list only grows.
    pub fn events(&self) -> &[Event] {
        &self.events
    }

    /// The audit trail so far. It only grows.
    pub fn records(&self) -> impl Iterator<Item = Record> {
        self.records_from(0)
    }

    /// The audit trail from a record on, counted from 0.
    pub fn records_from(&self, first: usize) -> impl Iterator<Item = Record> {
        // Each event that opens or closes a question is one record.
        let recorded = self.events.iter().filter_map(|event| Some((event, event.place()?)));
        recorded.skip(first).filter_map(|(event, (place, attempt))| {
            let question = state::question(&self.form, place)?;
            let id = decide::record_id(&self.form, question, attempt);
            match event {
                Event::Asked { .. } => {
                    let source = self.form.host.source.clone();
                    Some(Record::Request(Request { id, source, question: question_json(question).into() }))
                }
                event => event.response(id),
            }
        })
    }

    /// How to ask the assistant. `None` if the open question is not put to one.
    pub fn consultation(&self) -> Option<Consultation> {
        let (question, record) = self.consulting()?;
        Some(Consultation::new(&self.form, question, record))
    }

    /// A draft for the open schema question, with what its schema states: defaults, and constants that must be there. `None` if it states
    /// nothing, at other steps, and while the schema is not compiled.
    pub fn template(&self) -> Option<Value> {
        let (_, question) = decide::open(&self.form, &self.state).ok()?;
        match &question.answer_type {
            AnswerType::Schema { schema } => schema.compiled()?.template(),
            _ => None,
        }
    }

    /// The drafts for the next form of the turn ([`crate::Host::drafts`]), by question id: what the person answered, where they replied or
    /// where the walk has not ended, and the drafts of this form that were not used. Empty after the end of the turn. Plain JSON without
    /// secrets. Changes after [`Walk::act`].
    ///
    /// A question of the next form starts from a draft if it has the same id, text, type and options. Never a draft of: a yes-or-no
    /// question, a tool call, a URL, a secret, a schema with `"format": "password"` or `"writeOnly": true`, an answer that the person
    /// did not give.
    pub fn drafts(&self) -> Map<String, Value> {
        self.drafts_with(&Map::new())
    }

    /// The same, with what was typed and not answered: texts by question id, and by question id with `.other`, `.note` or `.chosen`.
    pub fn drafts_with(&self, typed: &Map<String, Value>) -> Map<String, Value> {
        drafts::left(&self.form, &self.state, &self.drafts, typed)
    }

    /// The texts that were typed and not answered before, for the fields of this form, by the names that [`Walk::drafts_with`] takes.
    pub fn typed_drafts(&self) -> Map<String, Value> {
        drafts::typed(&self.form, &self.drafts)
    }

    /// Whether a question starts from a draft of an earlier form.
    pub fn is_drafted(&self, question: &str) -> bool {
        self.drafts.contains_key(question) && self.form.question(question).is_some()
    }

    /// The turn after this walk, for the next form of the same turn.
    pub fn turn(&self) -> Turn {
        let mut turn = self.form.host.turn.clone();
        for (question, slot) in self.form.questions.iter().zip(&self.state.slots) {
            if slot.attempts > 0 {
                turn.attempts.set(attempt_key(&self.form, question), slot.attempts);
            }
            let Some(Taken { answer, by: By::Person { remember: true }, .. }) = slot.answer.as_deref() else {
                continue;
            };
            // A value that not every reader holds with all its digits would be another answer in the next form.
            if let (Some(question_json), None) = (decide::memory(&self.form, question), answer.digits()) {
                let remembered = Remembered { question: question_json, answer: answer.shown() };
                turn.remembered.set(decide::memory_key(&self.form, question), remembered);
            }
        }
        turn
    }

    /// A key for sending this ending once: the same however often it is sent, and another one for every other ending, form and
    /// [`crate::Host::nonce`]. Endings that differ only in the value of a secret have the same key, since the key tells nothing about
    /// secrets.
    pub fn idempotency_key(&self) -> String {
        let nonce = self.nonce.as_deref().unwrap_or_default();
        let form = Fingerprint::new().text(&self.form.fingerprint).text(&self.form.host.tool_call_id).text(nonce);
        let form = self.form.questions.iter().fold(form, |form, question| form.text(&question.id));
        format!("{form}{}", saved::fingerprint(&self.events))
    }

    fn from_turn(form: Arc<Outline>, began: Known) -> Self {
        let drafts = form.host.drafts.clone();
        Self::with_drafts(form, began, &drafts)
    }

    fn with_drafts(form: Arc<Outline>, began: Known, drafts: &Map<String, Value>) -> Self {
        let attempts = form.questions.iter().map(|question| attempts_of(&form, question)).collect();
        let mut walk = Self::blank(form, began, attempts, drafts);
        walk.proceed();
        walk
    }

    /// Makes room for the questions that the form has got since it had so many.
    fn make_room(&mut self, there: usize) {
        let (form, given) = (&self.form, Arc::make_mut(&mut self.drafts));
        let slot = |question: &Arc<Question>| {
            Slot::new(attempts_of(form, question), drafts::restored_later(form, question, given))
        };
        self.state.slots.extend(form.questions.iter().skip(there).map(slot));
    }

    /// Takes note that there are so many questions now, and goes on where the walk has waited for them.
    fn come(&mut self, questions: usize) {
        let waits = self.state.waits_for_more() || self.events.is_empty();
        self.take_in(vec![Event::Came { questions }]);
        if waits {
            self.proceed();
        }
    }

    /// Whether a saved walk may say that so many questions had come: each time as many as before or more, until the form was whole. A host that
    /// continues such a walk twice has the whole form before the second time.
    fn may_come(&self, questions: usize) -> bool {
        questions <= self.form.questions.len() && self.state.known.part().is_none_or(|there| questions >= there)
    }

    fn blank(form: Arc<Outline>, began: Known, attempts: Vec<u64>, drafts: &Map<String, Value>) -> Self {
        let nonce = form.host.nonce.clone();
        let (drafts, answers) = drafts::restored(&form, drafts);
        let slots = attempts.into_iter().zip(answers).map(|(before, draft)| Slot::new(before, draft)).collect();
        let state = State::new(slots, began);
        Self { form, began, events: Vec::new(), state, nonce, drafts: Arc::new(drafts) }
    }

    fn take_in(&mut self, events: Vec<Event>) {
        events.iter().for_each(|event| self.state.apply(event));
        self.events.extend(events);
    }

    fn proceed(&mut self) {
        let events = decide::proceed(&self.form, &self.state);
        self.take_in(events);
    }

    /// Carries out saved actions again.
    fn replay<'l>(
        &mut self,
        log: impl Iterator<Item = &'l Value> + Clone,
        secrets: &Map<String, Value>,
    ) -> Result<(), Unresumable> {
        let tampered = |reason: String| Unresumable::Tampered { reason };
        // A secret belongs to the last answer to its question. Those before it were taken back, and count as in a walk that was resumed.
        let mut last = Numbers::default();
        for (index, line) in log.clone().enumerate().filter(|(_, line)| saved::is(line, "answer")) {
            if let Some(id) = line.get(1).and_then(Value::as_str).filter(|id| secrets.contains_key(*id)) {
                last.set(id.to_owned(), index as u64);
            }
        }
        for (index, line) in log.enumerate() {
            let open = match self.state.at {
                At::Asking(place, _) => state::question(&self.form, place).map(Arc::clone),
                At::Before(_) | At::Review | At::Ended(_) => None,
            };
            let id = open.as_ref().map(|open| open.id.as_str());
            let secret = id.filter(|id| last.get(id) == Some(index as u64));
            let secret = secret.and_then(|id| secrets.get(id)?.as_str());
            let record = self.consulting().map(|(_, record)| record);
            let done = saved::done(line, &self.form.host.limits, open.as_deref(), record, secret);
            let done = done.ok_or_else(|| tampered("a line of its log cannot be read".into()))?;
            let events = match done {
                Done::Acted(_, Some(named)) | Done::Secret(named) if id != Some(&named) => {
                    let named = json::quoted(&named);
                    return Err(tampered(format!("it answers {named} where another question is open")));
                }
                Done::Acted(action, _) => decide::decide(&self.form, &self.state, action),
                Done::Secret(_) => decide::answer_secret(&self.form, &self.state),
                Done::Came(questions) => {
                    if !self.may_come(questions) {
                        return Err(tampered("it counts questions that cannot have come".into()));
                    }
                    self.come(questions);
                    Ok(Vec::new())
                }
                Done::Unchecked => {
                    self.take_in(vec![Event::Unchecked]);
                    Ok(Vec::new())
                }
                Done::Accepted => {
                    self.take_in(decide::accept(&self.state));
                    Ok(decide::proceed(&self.form, &self.state))
                }
                Done::Rewound(id) => {
                    let place = self.first_secret(false);
                    let question = place.and_then(|place| self.form.questions.get(place));
                    match place {
                        Some(place) if question.is_some_and(|question| question.id == id) => {
                            Ok(decide::rewind(&self.form, &self.state, place))
                        }
                        _ => return Err(tampered("it asks again for a secret that was not missing".into())),
                    }
                }
            };
            self.take_in(events.map_err(|refusal| tampered(refusal.to_string()))?);
        }
        Ok(())
    }

    /// Goes back to the first secret without a value.
    fn ask_for_missing_secrets(&mut self) {
        if let Some(place) = self.first_secret(true) {
            self.take_in(decide::rewind(&self.form, &self.state, place));
        }
    }

    /// The first secret that the person answered, or the first of those whose value is `missing`. `None` in a walk that ended without sending its
    /// answers, which needs no secrets.
    fn first_secret(&self, missing: bool) -> Option<usize> {
        let secret = |slot: &Slot| {
            slot.answer.as_ref().is_some_and(|taken| match taken.by {
                By::Person { .. } => taken.answer.is_secret() && (!missing || taken.answer.is_missing()),
                By::Remembered | By::Configuration | By::Default | By::Assistant(_) => false,
            })
        };
        match self.state.at {
            At::Ended(Ending::TurnEnded | Ending::Failed(_) | Ending::Replied { .. }) => None,
            At::Ended(Ending::Completed) | At::Before(_) | At::Asking(..) | At::Review => {
                self.state.slots.iter().position(secret)
            }
        }
    }

    /// The question that an assistant is asked, and the id of its record.
    fn consulting(&self) -> Option<(&Question, String)> {
        let At::Asking(place, Asks::Assistant) = self.state.at else { return None };
        let question = state::question(&self.form, place)?;
        Some((question, decide::record_id(&self.form, question, self.state.attempts(place))))
    }

    fn saved(&self, drafts: Option<Value>) -> Saved<'_> {
        Saved::new(&self.form, self.nonce.as_deref(), self.began, &self.state.slots, &self.events, drafts)
    }

    fn answers_so_far(&self) -> Vec<Option<Arc<Taken>>> {
        self.state.slots.iter().map(|slot| slot.answer.clone()).collect()
    }

    fn ended<'a>(&'a self, ending: &'a Ending, answers: &'a [Option<Arc<Taken>>]) -> Ended<'a> {
        Ended { ending, questions: &self.form.questions, answers }
    }

    fn asking_all(&self, places: Vec<usize>) -> Vec<Asking> {
        places.into_iter().filter_map(|place| self.asking(place, Asks::Person)).collect()
    }

    fn asking(&self, place: usize, asks: Asks) -> Option<Asking> {
        let (question, slot) = (state::question(&self.form, place)?, self.state.slot(place)?);
        let restored = slot.draft.as_deref();
        let draft = restored.map(|taken| taken.answer.shown()).or_else(|| question.suggestion().cloned());
        let draft = draft.filter(|draft| !draft.is_null());
        let other = match restored {
            Some(taken) => taken.answer.other().is_some(),
            None => draft.as_ref().is_some_and(|draft| is_other(question, draft)),
        };
        let of = self.form.questions.len();
        Some(Asking {
            asks,
            question: Arc::clone(question),
            progress: (of > 1 || !self.is_whole())
                .then_some(Progress { at: place.saturating_add(1), of: self.is_whole().then_some(of) }),
            back: !self.state.trail.is_empty(),
            draft_answered: restored.is_some() && draft.is_some(),
            draft_other: other,
            draft_note: restored.and_then(|taken| taken.note.clone()),
            draft_text: restored.and_then(|taken| taken.answer.exact()).map(str::to_owned),
            draft,
            remember: decide::remembers(&self.form, question),
            message: question.message.clone().or_else(|| self.form.message.clone()),
            advice: match &slot.consulted {
                Consulted::Advised(advice) => Some(advice.clone()),
                Consulted::Not | Consulted::InVain => None,
            },
        })
    }

    fn review(&self) -> Review {
        let reviewed = |(question, taken): (&Question, Option<&Taken>)| Reviewed {
            id: question.id.clone(),
            text: question.text.clone(),
            asked: taken.is_some(),
            answer: taken.map(|taken| taken.answer.shown()).unwrap_or_default(),
            change: taken.is_some_and(|taken| matches!(taken.by, By::Person { .. })),
            note: taken.and_then(|taken| taken.note.clone()),
        };
        Review {
            back: !self.state.trail.is_empty(),
            answers: self.answered().map(reviewed).collect(),
            message: self.form.message.clone(),
        }
    }
}

/// Whether a default is a free text in place of an option, or ends with one.
fn is_other(question: &Question, draft: &Value) -> bool {
    let last = draft.as_array().map_or(Some(draft), |list| list.last());
    question.answer_type.choices().is_some_and(|choices| last.is_some_and(|last| choices.get(last).is_none()))
}

/// How often the turn has asked a question before this form.
fn attempts_of(form: &Outline, question: &Question) -> u64 {
    form.host.turn.attempts.get(&attempt_key(form, question)).unwrap_or_default()
}

fn attempt_key(form: &Outline, question: &Question) -> String {
    format!("{}.{}", form.host.tool_call_id, question.id)
}
