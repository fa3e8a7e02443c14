//! Several answers at once. Each is decided as if it were given alone; if one is refused, all are, and every refusal is reported with its
//! question. This module decides nothing about a single answer.

use super::{
    decide::{self, decide, open, take},
    event::{Action, Event},
    state::{At, State},
};
use crate::{
    answer::{Content, Given, Taken, as_other, holds},
    budget::Budget,
    form::Outline,
    json::{self, Numbers},
    outcome::Ending,
    problem::{NotAllowed, Refusal, RefusedAnswers},
    question::Question,
};
use serde_json::{Map, Value};

/// Returns the events of answers to questions by id, in the order of the questions.
pub(super) fn answer_all(form: &Outline, state: &State, answers: Vec<(String, Given)>) -> Result<Vec<Event>, Refusal> {
    if let At::Ended(_) = state.at {
        answers.into_iter().for_each(|(_, given)| given.dismantle());
        return Err(Refusal::Finished);
    }
    let mut trial = Trial::new(form, state);
    let places = places_of(form);
    for (id, given) in answers {
        let asked = open(form, &trial.state).ok().filter(|(_, question)| question.id == id);
        let known = places.get(&id).and_then(|place| form.questions.get(place as usize));
        match (asked, known) {
            (Some(_), _) => {
                if let Err(refusal) = trial.answer(Some(given)) {
                    trial.refused.push(&id, refusal);
                }
            }
            // What is asked after a refused answer is not known. The answers are checked all the same, to refuse all at once.
            (None, Some(question)) if !trial.refused.is_empty() => trial.check(question, given),
            _ => {
                given.dismantle();
                trial.refused.push(&id, Refusal::NotAllowed(NotAllowed::NOT_ASKED));
            }
        }
    }
    trial.events()
}

/// Returns the events of plain answers: values by the id of the question or, where the dialect answers so, by its text. See
/// [`super::Walk::answers`].
pub(super) fn answers(form: &Outline, state: &State, answers: Map<String, Value>) -> Result<Vec<Event>, Refusal> {
    if let At::Ended(_) = state.at {
        answers.into_iter().for_each(|(_, value)| json::dismantle(value));
        return Err(Refusal::Finished);
    }
    let mut trial = Trial::new(form, state);
    trial.assign(answers);
    trial.run(false);
    if trial.state.at == At::Review && trial.refused.is_empty() {
        // Whoever sends the answers has seen them.
        let events = decide(form, &trial.state, Action::Submit)?;
        trial.go_on(events);
    }
    trial.refuse_rest();
    trial.events()
}

/// The questions of a page: those that a walk with these answers asks the person, from the open one on, by their places. It ends before a tool
/// call, and where somebody else is asked.
pub(super) fn asked(form: &Outline, state: &State, answers: Vec<(String, Given)>) -> Vec<usize> {
    let mut trial = Trial::of_page(form, state, answers);
    let asked = trial.run(true);
    trial.dismantle();
    asked
}

/// The same, each with its answer as it would be taken, or why it would be refused.
pub(super) fn tried(
    form: &Outline,
    state: &State,
    answers: Vec<(String, Given)>,
) -> Vec<(usize, Result<Taken, Refusal>)> {
    let mut trial = Trial::of_page(form, state, answers);
    trial.unanswered = Some(Vec::new());
    let asked = trial.run(true);
    trial.dismantle();
    let mut refused = trial.unanswered.take().unwrap_or_default().into_iter().peekable();
    let mut taken = |place| match refused.next_if(|(at, _)| *at == place) {
        Some((_, refusal)) => Err(refusal),
        None => trial.state.answer(place).cloned().ok_or(Refusal::Required),
    };
    asked.into_iter().map(|place| (place, taken(place))).collect()
}

/// Puts answers into the order of their questions. Those to other ids come last.
pub(super) fn in_order<T>(form: &Outline, mut answers: Vec<(String, T)>) -> Vec<(String, T)> {
    let places = places_of(form);
    answers.sort_by_key(|(id, _)| places.get(id).map_or((true, 0), |place| (false, place)));
    answers
}

/// The places of the questions by their ids.
fn places_of(form: &Outline) -> Numbers {
    let mut places = Numbers::default();
    for (place, question) in form.questions.iter().enumerate() {
        places.set(question.id.clone(), place as u64);
    }
    places
}

/// Answers that are tried one after the other.
struct Trial<'f> {
    form: &'f Outline,
    /// The state after the answers so far. After a refusal, that of a walk that goes on without the refused answers.
    state: State,
    events: Vec<Event>,
    /// Invariant: one for each question.
    slots: Vec<Tried>,
    /// Of the questions before this one it has been found out whether they depend on an answer that is not known.
    looked: usize,
    refused: RefusedAnswers,
    /// Of a page, why the answers to its questions would be refused, by their places in order; nothing where nobody asks.
    unanswered: Option<Vec<(usize, Refusal)>>,
}

/// What is tried of one question.
#[derive(Default)]
struct Tried {
    /// The answer, as long as it is not decided.
    given: Option<Given>,
    /// Whether the answer is not known, since it was refused or depends on one that was.
    is_unknown: bool,
}

impl<'f> Trial<'f> {
    fn new(form: &'f Outline, state: &State) -> Self {
        let slots = form.questions.iter().map(|_| Tried::default()).collect();
        let refused = RefusedAnswers::default();
        Self { form, state: state.clone(), events: Vec::new(), slots, looked: 0, refused, unanswered: None }
    }

    /// What a page holds, each answer with its question.
    fn of_page(form: &'f Outline, state: &State, answers: Vec<(String, Given)>) -> Self {
        let mut trial = Self::new(form, state);
        let places = places_of(form);
        for (id, given) in answers {
            match places.get(&id).and_then(|place| trial.slots.get_mut(place as usize)) {
                Some(Tried { given: slot @ None, .. }) => *slot = Some(given),
                _ => given.dismantle(),
            }
        }
        trial
    }

    /// Finds the question of each answer.
    fn assign(&mut self, answers: Map<String, Value>) {
        let (ids, mut texts) = (places_of(self.form), Numbers::default());
        for (place, question) in self.form.questions.iter().enumerate().filter(|_| self.form.writer.answers_by_text()) {
            texts.set(question.text.clone(), place as u64);
        }
        for (name, value) in answers {
            let why = match (ids.get(&name), texts.get(&name)) {
                (Some(id), Some(text)) if id != text => NotAllowed::TWO_QUESTIONS,
                (Some(place), _) | (None, Some(place)) => {
                    let place = place as usize;
                    match (self.form.questions.get(place), self.slots.get_mut(place)) {
                        (Some(question), Some(Tried { given: slot @ None, .. })) => {
                            *slot = Some(plain(question, value));
                            continue;
                        }
                        _ => NotAllowed::ANSWERED_TWICE,
                    }
                }
                (None, None) => NotAllowed::NO_SUCH_QUESTION,
            };
            json::dismantle(value);
            self.refused.push(&name, Refusal::NotAllowed(why));
        }
    }

    /// Answers each question that is asked, and returns their places. What depends on an answer that is not known is passed over: it is no part
    /// `of_page`, which ends before a tool call, and is only checked elsewhere.
    fn run(&mut self, of_page: bool) -> Vec<usize> {
        let mut asked = Vec::new();
        while let Ok((place, question)) = open(self.form, &self.state) {
            if of_page && question.answer_type.approval().is_some() {
                break;
            }
            if self.depends(place) {
                if !of_page && let Some(given) = self.given(place).filter(is_meant) {
                    self.check(question, given);
                }
                self.pass(place);
                continue;
            }
            asked.push(place);
            let given = self.given(place);
            if let Err(refusal) = self.answer(given) {
                // A page is asked for before its questions are answered: nothing is refused yet.
                if !of_page {
                    self.refused.push(&question.id, refusal);
                } else if let Some(all) = &mut self.unanswered {
                    all.push((place, refusal));
                }
                self.pass(place);
            }
        }
        asked
    }

    /// Refuses the answers to questions that were not asked. Null says that there is none.
    fn refuse_rest(&mut self) {
        if self.refused.is_empty() && matches!(self.state.at, At::Ended(Ending::Failed(_))) {
            // The host has nobody to ask, or a wrong answer of its own: the form has failed, whatever the rest is.
            return self.dismantle();
        }
        let (stopped, why) = match self.state.at {
            At::Asking(place, _) => (Some(place), NotAllowed::ASSISTANT_FIRST),
            At::Before(place) => (Some(place), NotAllowed::LOADING),
            At::Review | At::Ended(_) => (None, NotAllowed::NOT_ASKED),
        };
        // After a refusal, it is not known whether the walk would have stopped there.
        let guessed = !self.refused.is_empty();
        for (place, question) in self.form.questions.iter().enumerate() {
            let is_unknown = self.depends(place);
            let Some(given) = self.given(place).filter(is_meant) else { continue };
            let is_beyond = stopped.is_some_and(|stopped| place >= stopped);
            if is_unknown || is_beyond && guessed {
                self.check(question, given);
                continue;
            }
            given.dismantle();
            let why = match is_beyond {
                true => why,
                false if self.state.answer(place).is_some() => NotAllowed::ANSWERED_ALREADY,
                false => NotAllowed::NOT_ASKED,
            };
            self.refused.push(&question.id, Refusal::NotAllowed(why));
        }
    }

    /// Decides the answer to the open question. The work of a refused one counts, too.
    fn answer(&mut self, given: Option<Given>) -> Result<(), Refusal> {
        let mut left = self.left();
        let decided = match given {
            Some(given) => decide::answer(self.form, &self.state, given, &mut left),
            None => Err(Refusal::Required),
        };
        if decided.is_err() {
            self.spend(left);
        }
        decided.map(|events| self.go_on(events))
    }

    /// Checks an answer to a question of which it is not known whether it is asked.
    fn check(&mut self, question: &Question, given: Given) {
        let mut budget = Budget::new(self.left());
        if let Err(refusal) = take(self.form, question, given, &mut budget) {
            self.refused.push(&question.id, refusal);
        }
        self.spend(budget.left());
    }

    /// The events, if no answer was refused.
    fn events(self) -> Result<Vec<Event>, Refusal> {
        if self.refused.is_empty() { Ok(self.events) } else { Err(Refusal::Answers { refused: self.refused }) }
    }

    fn given(&mut self, place: usize) -> Option<Given> {
        self.slots.get_mut(place)?.given.take()
    }

    fn dismantle(&mut self) {
        self.slots.drain(..).filter_map(|slot| slot.given).for_each(Given::dismantle);
    }

    /// The work that is left for all answers.
    fn left(&self) -> u64 {
        self.form.host.limits.work.saturating_sub(self.state.work)
    }

    /// Counts the work of an answer that is not taken.
    fn spend(&mut self, left: u64) {
        self.state.work = self.form.host.limits.work.saturating_sub(left);
    }

    fn go_on(&mut self, events: Vec<Event>) {
        events.iter().for_each(|event| self.state.apply(event));
        self.events.extend(events);
    }

    /// Goes on to the next question without an answer to this one, to find everything else that is wrong.
    fn pass(&mut self, place: usize) {
        self.know_nothing_of(place);
        self.state.at = At::Before(place.saturating_add(1));
        let events = decide::proceed(self.form, &self.state);
        events.iter().for_each(|event| self.state.apply(event));
    }

    fn know_nothing_of(&mut self, place: usize) {
        if let Some(slot) = self.slots.get_mut(place) {
            slot.is_unknown = true;
        }
    }

    fn is_unknown(&self, place: usize) -> bool {
        self.slots.get(place).is_some_and(|slot| slot.is_unknown)
    }

    /// Whether it is not known if a question is asked, since its condition looks at an answer that is not known and would matter. A question
    /// between that was passed over, and that might be asked, is one whose answer is not known.
    fn depends(&mut self, place: usize) -> bool {
        for (at, question) in self.form.questions.iter().enumerate().take(place.saturating_add(1)).skip(self.looked) {
            let mut answer =
                |place: usize| (!self.is_unknown(place)).then(|| self.state.answer(place).map(|taken| &taken.answer));
            if question.when.as_ref().is_some_and(|when| holds(when, &mut answer).is_none()) {
                self.know_nothing_of(at);
            }
        }
        self.looked = self.looked.max(place.saturating_add(1));
        self.is_unknown(place)
    }
}

/// Whether a plain answer is one: null says that there is none.
fn is_meant(given: &Given) -> bool {
    !matches!(given.content, Content::Value(Value::Null))
}

/// A plain value as an answer: where the question offers "Other", a text that is no option is one.
fn plain(question: &Question, value: Value) -> Given {
    match as_other(&question.answer_type, &value) {
        Some(content) => {
            json::dismantle(value);
            Given::new(content)
        }
        None => value.into(),
    }
}
