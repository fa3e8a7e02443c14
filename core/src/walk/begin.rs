//! How a walk begins, and how one is taken up again: with more of its request, with the whole form, from a saved walk, with a client's response.

use super::{
    Walk, decide, drafts,
    event::{Asks, Event},
    saved::{self, Done, Saved},
    state::{self, At, Known, Slot, State},
};
use crate::{
    answer::By,
    form::{Form, Growing, Outline, Provisional},
    json::{self, Numbers},
    outcome::Ending,
    problem::Unresumable,
    question::Question,
};
use serde_json::{Map, Value};
use std::sync::Arc;

impl Walk {
    /// Begins at the first question that somebody is to be asked.
    pub fn new(form: Form) -> Self {
        Self::from_turn(form.outline(), Known::Whole)
    }

    /// Begins with a form whose schemas are not compiled yet. The step is [`crate::Step::Checking`] where one is needed, and no result
    /// leaves the walk before [`Walk::accept`].
    pub fn begin(form: Provisional) -> Self {
        Self::from_turn(form.outline(), Known::Unchecked)
    }

    /// Begins with drafts in place of those of the host: what [`Walk::drafts_with`] has given of a walk that this one takes the place of.
    pub fn anew(form: Form, drafts: &Map<String, Value>) -> Self {
        Self::with_drafts(form.outline(), Known::Whole, drafts)
    }

    /// Begins with a request that is still being written ([`crate::Reader`]). The step is [`crate::Step::Waiting`] where a question is needed that has not
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
        self.be_whole();
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
        walk.be_whole();
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

    /// Continues this walk with the response of a client. Only the person's actions are taken from the response, and they are decided again
    /// on this walk. A verdict of an assistant is refused, and an end of the time, which the host alone decides. A client may say that it could not ask an assistant: the question then goes to
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
        if rest.iter().any(|line| saved::is(line, "expired")) {
            return Err(tampered("it has expired by another clock than this host's"));
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
        walk.be_whole();
        walk.ask_for_missing_secrets();
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

    fn blank(form: Arc<Outline>, began: Known, attempts: Vec<u64>, drafts: &Map<String, Value>) -> Self {
        let nonce = form.host.nonce.clone();
        let (drafts, answers) = drafts::restored(&form, drafts);
        let slots = attempts.into_iter().zip(answers).map(|(before, draft)| Slot::new(before, draft)).collect();
        let state = State::new(slots, began);
        Self { form, began, events: Vec::new(), state, nonce, drafts: Arc::new(drafts) }
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

    /// Goes on with the whole form, whose schemas are compiled.
    fn be_whole(&mut self) {
        self.take_in(decide::accept(&self.state));
        self.proceed();
    }

    fn proceed(&mut self) {
        let events = decide::proceed(&self.form, &self.state);
        self.take_in(events);
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
                Done::Unchecked => Ok(vec![Event::Unchecked]),
                Done::Accepted => {
                    self.be_whole();
                    Ok(Vec::new())
                }
                Done::Rewound(id) => {
                    let is_named = |place: &usize| state::question(&self.form, *place).is_some_and(|one| one.id == id);
                    let place = self.first_secret(false).filter(is_named);
                    let place =
                        place.ok_or_else(|| tampered("it asks again for a secret that was not missing".into()))?;
                    Ok(decide::rewind(&self.form, &self.state, place))
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
            At::Ended(Ending::TurnEnded | Ending::Expired | Ending::Failed(_) | Ending::Replied { .. }) => None,
            At::Ended(Ending::Completed) | At::Before(_) | At::Asking(..) | At::Review => {
                self.state.slots.iter().position(secret)
            }
        }
    }
}

/// How often the turn has asked a question before this form.
fn attempts_of(form: &Outline, question: &Question) -> u64 {
    form.host.turn.attempts.get(&decide::attempt_key(form, question)).unwrap_or_default()
}
