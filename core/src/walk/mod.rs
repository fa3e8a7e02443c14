//! One person's way through a form. The walk is the only thing that changes, and only through [`Walk::act`]; a refused
//! action changes nothing. It is a plain value: compare it, clone it, save it, resume it, replay it.
//! Knows no agent's JSON.

mod next;
mod saved;
mod step;

pub use step::{Asking, Asks, Progress, Review, Step};

use crate::{
    answer::{Answer, Given, typed},
    form::{Form, Question},
    host::Reuse,
    json,
    outcome::{Ending, Failure, Outcome},
    problem::{Refusal, Unresumable, object},
    record::{Cancelled, Record, Response, question_json},
    route::{Consulted, Verdict},
    turn::Turn,
};
use next::{Conclusion, memory_key};
use saved::{Entry, Script};
use serde_json::Value;
use std::sync::Arc;

/// What a person can do, and what an assistant says that is asked in their place.
#[derive(Clone, Debug, PartialEq)]
pub enum Action {
    /// Answer the question: with a value, perhaps with a text in place of an option or a note beside it, and perhaps to be
    /// remembered for the rest of the turn.
    Answer(Given),
    /// Answer with what was typed into the question's field: JSON for `schema`, a decimal number for `number`, the
    /// text itself for `text` and `secret`.
    Typed(String),
    /// Take the last answer back and be asked again.
    Back,
    /// Cancel the form, perhaps with a message; the turn goes on.
    Reply(Option<String>),
    /// End the turn.
    EndTurn,
    /// On the review page: send the answers.
    Submit,
    /// On the review page: change the answer to the question with this id.
    Change(String),
    /// The verdict of the assistant that is asked. One that does not fit the question counts as none.
    Assistant(Verdict),
    /// The assistant could not be asked, or gave no verdict.
    NoAssistant,
}

impl Action {
    /// Answers with a value.
    pub fn answer(value: impl Into<Value>) -> Self {
        Self::Answer(value.into().into())
    }
}

/// One person's way through a form.
#[derive(Clone, Debug, PartialEq)]
pub struct Walk {
    form: Arc<Form>,
    place: Place,
    // Invariant: these hold one element for each question of the form.
    answers: Vec<Option<Answer>>,
    /// Answers that were taken back. Invariant: none is a secret.
    drafts: Vec<Option<Answer>>,
    remembers: Vec<bool>,
    attempts: Vec<u64>,
    recorded: Vec<Option<Arc<Value>>>,
    /// What an assistant had to do with each question.
    consulted: Vec<Consulted>,
    /// The questions that a person answered. Invariant: ascending, and each has an answer.
    trail: Vec<usize>,
    records: Vec<Record>,
    /// Everything that happened, for saving.
    log: Vec<Entry>,
    /// The attempts that the turn had counted when the walk began.
    first_attempts: Vec<u64>,
}

/// Where the walk stands.
#[derive(Clone, Debug, PartialEq)]
enum Place {
    /// This question is open, and has a request in the records without a response.
    Asking(usize),
    /// This question is with an assistant, and has a request in the records without a response.
    Consulting(usize),
    /// An answer that needs nobody, or an assistant's, cannot be checked before the schemas are there.
    Waiting(usize),
    /// All is answered; the person looks it over.
    Review,
    Ended(Ending),
}

impl Walk {
    /// Begins at the first question that a person is to answer.
    pub fn new(form: Form) -> Self {
        let turn = &form.host().turn;
        let attempts = form
            .questions()
            .iter()
            .map(|question| turn.attempts.get(&attempt_key(&form, question)).unwrap_or_default());
        let mut walk = Self::blank(attempts.collect(), Arc::new(form));
        walk.begin(&mut Script::Live);
        walk
    }

    /// Takes up a saved walk with the same form: the same step, answers, drafts and records. Secrets are not saved: the
    /// walk stands at the first one that is missing, and what was answered after it waits there as drafts.
    ///
    /// The saved walk is a list of actions, and they are done again: whatever it holds, no walk comes of it that could
    /// not have been walked.
    pub fn resume(form: Form, saved: &Value) -> Result<Self, Unresumable> {
        if !form.is_checked() {
            return Err(Unresumable::Unchecked);
        }
        saved::resume(form, saved)
    }

    /// What a client sends to its host, which does not believe it before it has read it with [`Walk::continued`]: the saved
    /// `walk`, and apart from it the `secrets` by question id. For this one request: never stored, never logged.
    pub fn response(&self) -> Value {
        let secrets = self.form.questions.iter().zip(&self.answers);
        let secrets =
            secrets.filter_map(|(question, answer)| Some((question.id.clone(), answer.as_ref()?.secret()?.clone())));
        Value::Object(object([("walk", self.save()), ("secrets", Value::Object(secrets.collect()))]))
    }

    /// This walk as it went on in a client that speaks for the person, by the client's [`Walk::response`]. Everything is done
    /// again through the same checks. What the client says of this host's own answers, and of assistants, is not believed
    /// beyond this walk: the one comes from the host's options, the other is refused.
    pub fn continued(&self, response: &Value) -> Result<Self, Unresumable> {
        if !self.form.is_checked() {
            return Err(Unresumable::Unchecked);
        }
        let part = |key| response.get(key).ok_or(Unresumable::NotASavedWalk { reason: format!("{key:?} is missing") });
        match part("secrets")?.as_object() {
            Some(secrets) => saved::continued(self, part("walk")?, secrets),
            None => Err(Unresumable::NotASavedWalk { reason: "\"secrets\" is no object".into() }),
        }
    }

    /// The walk as JSON, without its secrets. It consists of texts and small numbers alone, so that no store of JSON
    /// can change it.
    pub fn save(&self) -> Value {
        saved::save(self)
    }

    /// Does something. A refusal says why not, and the walk is as it was.
    pub fn act(&mut self, action: Action) -> Result<(), Refusal> {
        self.act_by(action, &mut Script::Live)
    }

    /// Takes the form over again once its schemas are checked ([`crate::Reading::finish`]): the walk goes on where it
    /// stands. Refuses another form.
    pub fn accept(&mut self, checked: Form) -> Result<(), Unresumable> {
        if checked.fingerprint != self.form.fingerprint {
            return Err(Unresumable::OtherForm);
        }
        self.form = Arc::new(checked);
        if let Place::Waiting(question) = self.place {
            self.ask_from(question, &mut Script::Live);
        }
        Ok(())
    }

    /// Whether what is typed into the open question's field would be taken; the refusal if not. Changes nothing.
    pub fn check(&self, text: String) -> Result<(), Refusal> {
        let (_, question) = self.open_question()?;
        let limits = &self.form.host().limits;
        // Nothing is kept: the digits need not be looked for.
        let given = Given { text: None, ..typed(question, text, limits)? };
        Answer::new(question, given, limits).map(drop)
    }

    /// What the person is to be shown. Changes after [`Walk::act`] and [`Walk::accept`].
    pub fn step(&self) -> Step<'_> {
        match &self.place {
            Place::Asking(place) | Place::Consulting(place) => match self.form.questions.get(*place) {
                Some(question) => Step::Asking(self.asking(*place, question)),
                None => Step::Checking,
            },
            Place::Waiting(_) => Step::Checking,
            Place::Review => Step::Review(Review { walk: self }),
            Place::Ended(_) => self.outcome().map_or(Step::Checking, Step::Done),
        }
    }

    /// How the walk ended; `None` while it has not, or while its schemas are not checked (the end of the turn aside, no
    /// ending leaves before).
    pub fn outcome(&self) -> Option<Outcome<'_>> {
        match &self.place {
            Place::Ended(ending) if self.form.is_checked() || *ending == Ending::TurnEnded => {
                Some(Outcome { form: &self.form, ending, answers: &self.answers, consulted: &self.consulted })
            }
            Place::Ended(_) | Place::Asking(_) | Place::Consulting(_) | Place::Waiting(_) | Place::Review => None,
        }
    }

    /// The form that is walked.
    pub fn form(&self) -> &Form {
        &self.form
    }

    /// The audit trail so far; it only grows, after [`Walk::act`] and [`Walk::accept`].
    pub fn records(&self) -> &[Record] {
        &self.records
    }

    /// The turn after this walk, for the next form of the same turn.
    pub fn turn(&self) -> Turn {
        let mut turn = self.form.host().turn.clone();
        let state = self.answers.iter().zip(&self.remembers).zip(&self.attempts);
        for (question, ((answer, remember), attempts)) in self.form.questions.iter().zip(state) {
            if *attempts > 0 {
                turn.attempts.set(attempt_key(&self.form, question), *attempts);
            }
            if let (Some(answer), true) = (answer, remember) {
                turn.remembered.insert(memory_key(&self.form, question), answer.shown());
            }
        }
        turn
    }

    /// A key that tells this ending from every other one of the turn, the same however often it is sent: the id of the
    /// last record.
    pub fn idempotency_key(&self) -> &str {
        match self.records.last() {
            Some(Record::Request { id, .. } | Record::Response { id, .. }) => id,
            None => &self.form.host().tool_call_id,
        }
    }

    fn blank(attempts: Vec<u64>, form: Arc<Form>) -> Self {
        let length = form.questions.len();
        Self {
            place: Place::Review,
            answers: vec![None; length],
            drafts: vec![None; length],
            remembers: vec![false; length],
            recorded: vec![None; length],
            consulted: vec![Consulted::Not; length],
            trail: Vec::new(),
            records: Vec::new(),
            log: Vec::new(),
            first_attempts: attempts.clone(),
            attempts,
            form,
        }
    }

    fn begin(&mut self, script: &mut Script<'_>) {
        if self.form.host().sub_agent {
            self.place = Place::Ended(Ending::Failed(Failure::SubAgent { tool: self.form.tool }));
        } else {
            self.ask_from(0, script);
        }
    }

    fn act_by(&mut self, action: Action, script: &mut Script<'_>) -> Result<(), Refusal> {
        match action {
            Action::Answer(Given { value, .. }) | Action::Assistant(Verdict { answer: value, .. })
                if self.is_over() =>
            {
                json::dismantle(value);
                Err(Refusal::Finished)
            }
            _ if self.is_over() => Err(Refusal::Finished),
            Action::Answer(given) => self.answer(given, script),
            Action::Typed(text) => {
                let (_, question) = self.open_question()?;
                let given = typed(question, text, &self.form.host().limits)?;
                self.answer(given, script)
            }
            Action::Back => self.back(script),
            Action::Reply(text) => self.reply(text),
            Action::EndTurn => {
                self.log.push(Entry::EndTurn);
                self.close(Ending::TurnEnded);
                Ok(())
            }
            Action::Submit => self.submit(),
            Action::Change(id) => self.change(&id, script),
            Action::Assistant(verdict) => match self.consulting() {
                Ok(place) => {
                    let conclusion = self.conclusion(place, verdict);
                    self.conclude(place, conclusion, script);
                    Ok(())
                }
                Err(refusal) => {
                    json::dismantle(verdict.answer);
                    Err(refusal)
                }
            },
            Action::NoAssistant => {
                let place = self.consulting()?;
                self.conclude(place, Conclusion::InVain, script);
                Ok(())
            }
        }
    }

    fn is_over(&self) -> bool {
        matches!(self.place, Place::Ended(_))
    }

    fn answer(&mut self, given: Given, script: &mut Script<'_>) -> Result<(), Refusal> {
        let (place, question) = match self.open_question() {
            Ok(open) => open,
            Err(refusal) => {
                json::dismantle(given.value);
                return Err(refusal);
            }
        };
        let remember = given.remember;
        if remember && (self.form.reuse == Reuse::None || question.answer_type.is_secret()) {
            json::dismantle(given.value);
            return Err(Refusal::NotAllowed {
                why: "This answer cannot be remembered; give it for this question alone.",
            });
        }
        let answer = script.answer(question, given, &self.form.host().limits)?;
        self.log.push(Entry::Answered { place, answer: answer.clone(), remember });
        self.trail.push(place);
        self.take(place, answer, remember);
        self.ask_from(place.saturating_add(1), script);
        Ok(())
    }

    fn back(&mut self, script: &mut Script<'_>) -> Result<(), Refusal> {
        match (&self.place, self.trail.last().copied()) {
            (Place::Asking(_) | Place::Consulting(_) | Place::Review, Some(last)) => {
                self.log.push(Entry::Back);
                self.return_to(last, script);
                Ok(())
            }
            _ => Err(Refusal::NotAllowed { why: "There is no earlier answer to go back to." }),
        }
    }

    fn reply(&mut self, text: Option<String>) -> Result<(), Refusal> {
        let limit = self.form.host().limits.bytes;
        let text = text.filter(|text| !text.trim().is_empty());
        if text.as_ref().is_some_and(|text| text.len() > limit) {
            return Err(Refusal::TooLarge { what: format!("more than {limit} bytes") });
        }
        self.log.push(Entry::Replied { text: text.clone() });
        self.close(Ending::Replied { text });
        Ok(())
    }

    fn submit(&mut self) -> Result<(), Refusal> {
        if self.place != Place::Review {
            return Err(Refusal::NotAllowed {
                why: "Answer this question first; the answers are sent from the review.",
            });
        }
        self.log.push(Entry::Submitted);
        self.place = Place::Ended(Ending::Completed);
        Ok(())
    }

    fn change(&mut self, id: &str, script: &mut Script<'_>) -> Result<(), Refusal> {
        if self.place != Place::Review {
            return Err(Refusal::NotAllowed { why: "An answer is changed from the review; before it, go back." });
        }
        let questions = &self.form.questions;
        let answered = |place: &&usize| questions.get(**place).is_some_and(|question| question.id == id);
        match self.trail.iter().find(answered).copied() {
            Some(place) => {
                self.log.push(Entry::Changed { place });
                self.return_to(place, script);
                Ok(())
            }
            None => Err(Refusal::NotAllowed { why: "There is no answer of yours to a question with this id." }),
        }
    }

    fn open_question(&self) -> Result<(usize, &Question), Refusal> {
        match self.place {
            Place::Asking(place) => self.form.questions.get(place).map(|question| (place, question)),
            Place::Consulting(_) | Place::Waiting(_) | Place::Review | Place::Ended(_) => None,
        }
        .ok_or(Refusal::NotAllowed { why: "No question is open at this step." })
    }

    fn take(&mut self, place: usize, answer: Answer, remember: bool) {
        let response = match answer.open() {
            Some(value) => {
                let note = answer.note().map(str::to_owned);
                Response::Answered { answer: value.clone(), note, reason: None }
            }
            None => Response::Redacted,
        };
        self.respond(place, response);
        set(&mut self.answers, place, Some(answer));
        set(&mut self.remembers, place, remember);
    }

    /// Takes back the answer to this question and to all after it, keeps them as drafts, and asks again.
    fn return_to(&mut self, place: usize, script: &mut Script<'_>) {
        if let Place::Asking(open) | Place::Consulting(open) = self.place {
            self.respond(open, Response::Cancelled { reason: Cancelled::Back });
        }
        while let Some(last) = self.trail.pop_if(|last| *last >= place) {
            let draft =
                self.answers.get(last).and_then(Option::as_ref).filter(|answer| answer.open().is_some()).cloned();
            set(&mut self.drafts, last, draft);
        }
        // Nothing after the open question has an answer.
        let reached = match self.place {
            Place::Asking(open) | Place::Consulting(open) | Place::Waiting(open) => open,
            Place::Review | Place::Ended(_) => self.answers.len(),
        };
        // The question itself goes back to the person, with the advice it came with; those after it are routed anew.
        for consulted in self.consulted.iter_mut().take(reached.saturating_add(1)).skip(place.saturating_add(1)) {
            *consulted = Consulted::Not;
        }
        let discarded = reached.saturating_sub(place);
        for answer in self.answers.iter_mut().skip(place).take(discarded) {
            *answer = None;
        }
        for remember in self.remembers.iter_mut().skip(place).take(discarded) {
            *remember = false;
        }
        self.ask_from(place, script);
    }

    fn close(&mut self, ending: Ending) {
        if let Place::Asking(open) | Place::Consulting(open) = self.place {
            self.respond(open, Response::Cancelled { reason: Cancelled::User });
        }
        self.place = Place::Ended(ending);
    }

    fn request(&mut self, place: usize, question: &Question) {
        if let Some(attempts) = self.attempts.get_mut(place) {
            *attempts = attempts.saturating_add(1);
        }
        let Some(recorded) = self.recorded.get_mut(place) else { return };
        let question = Arc::clone(recorded.get_or_insert_with(|| Arc::new(question_json(question))));
        let source = self.form.host().source.clone();
        self.records.push(Record::Request { id: self.record_id(place), source, question });
    }

    fn respond(&mut self, place: usize, outcome: Response) {
        self.records.push(Record::Response { id: self.record_id(place), outcome });
    }

    fn record_id(&self, place: usize) -> String {
        let attempt = self.attempts.get(place).copied().unwrap_or_default();
        match self.form.questions.get(place) {
            Some(question) => format!("{}.{attempt}", attempt_key(&self.form, question)),
            None => self.form.host().tool_call_id.clone(),
        }
    }

    fn asking<'a>(&'a self, place: usize, question: &'a Question) -> Asking<'a> {
        let restored = self.drafts.get(place).and_then(Option::as_ref);
        let draft = restored.map_or(question.default.as_ref(), Answer::open).filter(|draft| !draft.is_null());
        let of = self.form.questions.len();
        let assistant = matches!(self.place, Place::Consulting(_));
        Asking {
            asks: if assistant { Asks::Assistant } else { Asks::Person },
            advice: match self.consulted.get(place) {
                Some(Consulted::Advised(advice)) => Some(advice),
                Some(Consulted::Not | Consulted::InVain | Consulted::Answered(_)) | None => None,
            },
            form: &self.form,
            question,
            progress: (of > 1).then_some(Progress { at: place.saturating_add(1), of }),
            back: !self.trail.is_empty(),
            draft,
            restored,
            message: question.message.as_deref().or(self.form.message()),
            remember: self.form.reuse == Reuse::Turn && !question.answer_type.is_secret(),
        }
    }
}

fn set<T>(list: &mut [T], place: usize, value: T) {
    if let Some(slot) = list.get_mut(place) {
        *slot = value;
    }
}

fn attempt_key(form: &Form, question: &Question) -> String {
    format!("{}.{}", form.host().tool_call_id, question.id)
}
