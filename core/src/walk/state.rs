//! The state of a walk after its events. This module decides nothing.

use super::event::{Asks, Event};
use crate::{
    answer::{By, Taken},
    form::Outline,
    outcome::Ending,
    question::Question,
    record::Cancelled,
    route::Consulted,
};
use std::sync::Arc;

/// What cannot be: the places in events, and that of the open question, are those of questions.
const NO_QUESTION: &str = "there is no question at this place";

/// The question at a place of an event, or the open one.
pub(super) fn question(form: &Outline, place: usize) -> Option<&Arc<Question>> {
    let question = form.questions.get(place);
    debug_assert!(question.is_some(), "{NO_QUESTION}");
    question
}

/// The state of a walk.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct State {
    pub at: At,
    pub known: Known,
    /// Invariant: one for each question that the form has so far, in order.
    pub slots: Vec<Slot>,
    /// The questions that the person answered. Invariant: ascending, and each has an answer.
    pub trail: Vec<usize>,
    /// The units of work that the answers took.
    pub work: u64,
}

/// What a walk has of one question.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Slot {
    /// The answer that counts.
    pub answer: Option<Arc<Taken>>,
    /// What the field begins with: an answer that was taken back, or the draft of an earlier form. Invariant: no secret.
    pub draft: Option<Arc<Taken>>,
    /// What an assistant had to do with the question.
    pub consulted: Consulted,
    /// How often the turn has asked it.
    pub attempts: u64,
    /// How often the turn had asked it when the walk began.
    pub before: u64,
}

impl Slot {
    pub fn new(before: u64, draft: Option<Arc<Taken>>) -> Self {
        Self { answer: None, draft, consulted: Consulted::Not, attempts: before, before }
    }
}

/// Where a walk stands.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum At {
    /// The next question is the one at this place, or the first one after it that is asked. A walk waits here for schemas that are not
    /// compiled.
    Before(usize),
    /// This question is open.
    Asking(usize, Asks),
    /// Everything is answered, and the person reviews it.
    Review,
    /// The walk has ended.
    Ended(Ending),
}

/// What a walk knows of its form. A result leaves the walk only once that is the whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Known {
    /// So many questions: the request is still being written.
    Part(usize),
    /// All but its compiled schemas.
    Unchecked,
    /// All of it.
    Whole,
}

impl Known {
    /// How many questions there are while the request is still being written.
    pub fn part(self) -> Option<usize> {
        match self {
            Self::Part(questions) => Some(questions),
            Self::Unchecked | Self::Whole => None,
        }
    }
}

impl State {
    pub fn new(slots: Vec<Slot>, known: Known) -> Self {
        Self { at: At::Before(0), known, slots, trail: Vec::new(), work: 0 }
    }

    /// What the walk has of a question.
    pub fn slot(&self, place: usize) -> Option<&Slot> {
        let slot = self.slots.get(place);
        debug_assert!(slot.is_some(), "{NO_QUESTION}");
        slot
    }

    /// The answer to a question, if it counts.
    pub fn answer(&self, place: usize) -> Option<&Taken> {
        self.slot(place)?.answer.as_deref()
    }

    /// How often the turn has asked a question.
    pub fn attempts(&self, place: usize) -> u64 {
        self.slot(place).map_or(0, |slot| slot.attempts)
    }

    fn update(&mut self, place: usize, update: impl FnOnce(&mut Slot)) {
        let slot = self.slots.get_mut(place);
        debug_assert!(slot.is_some(), "{NO_QUESTION}");
        slot.map(update);
    }

    /// Whether the walk goes on as soon as another question comes.
    pub fn waits_for_more(&self) -> bool {
        self.known.part().is_some_and(|questions| self.at == At::Before(questions))
    }

    /// Applies an event.
    pub fn apply(&mut self, event: &Event) {
        match event {
            Event::Asked { question, attempt, asks } => {
                self.update(*question, |slot| slot.attempts = *attempt);
                self.at = match asks {
                    Some(asks) => At::Asking(*question, *asks),
                    None => At::Before(*question),
                };
            }
            Event::Answered { question, taken, work, .. } => {
                if let By::Person { .. } = taken.by {
                    self.trail.push(*question);
                }
                self.update(*question, |slot| slot.answer = Some(Arc::clone(taken)));
                self.work = self.work.saturating_add(*work);
                self.at = At::Before(question.saturating_add(1));
            }
            Event::Advised { question, advice, .. } => {
                self.update(*question, |slot| slot.consulted = Consulted::Advised(advice.clone()));
                self.at = At::Before(*question);
            }
            Event::Left { question, why, .. } => {
                if *why == Cancelled::BackendError {
                    self.update(*question, |slot| slot.consulted = Consulted::InVain);
                }
                self.at = At::Before(*question);
            }
            Event::Returned { question, .. } => self.return_to(*question),
            Event::Reviewing => self.at = At::Review,
            // A host that has the whole form, and continues a walk that began without it, decides as that walk did.
            Event::Came { questions } => self.known = Known::Part(*questions),
            Event::Unchecked if self.known == Known::Whole => self.known = Known::Unchecked,
            Event::Unchecked => {}
            Event::Waiting { question } => self.at = At::Before(*question),
            Event::Accepted => self.known = Known::Whole,
            Event::Ended(ending) => self.at = At::Ended(ending.clone()),
        }
    }

    /// How far the walk has come: no question from there on has an answer.
    pub fn reached(&self) -> usize {
        match self.at {
            At::Before(place) | At::Asking(place, _) => place,
            At::Review | At::Ended(_) => self.slots.len(),
        }
    }

    /// Takes back the answers from a question on. Those of the person become drafts.
    fn return_to(&mut self, question: usize) {
        let reached = self.reached();
        self.trail.truncate(self.trail.partition_point(|place| *place < question));
        for (place, slot) in self.slots.iter_mut().enumerate().take(reached.saturating_add(1)).skip(question) {
            if let Some(taken) = slot.answer.take()
                && let By::Person { .. } = taken.by
            {
                slot.draft = Some(taken).filter(|taken| !taken.answer.is_secret());
            }
            // The question itself goes to the person again, with the advice that it came with. Those after it are routed anew.
            if place > question {
                slot.consulted = Consulted::Not;
            }
        }
        self.at = At::Before(question);
    }
}
