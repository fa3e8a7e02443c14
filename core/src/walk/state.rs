//! The state of a walk after its events. This module decides nothing.

use super::event::{Asks, Event};
use crate::{
    answer::{By, Taken},
    outcome::Ending,
    record::Cancelled,
    route::Consulted,
};
use std::sync::Arc;

/// The state of a walk. Invariant: each list has one element for each question that the form has so far.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct State {
    pub at: At,
    pub known: Known,
    /// The answers that count.
    pub answers: Vec<Option<Arc<Taken>>>,
    /// Answers that were taken back. Invariant: none is a secret.
    pub drafts: Vec<Option<Arc<Taken>>>,
    /// What an assistant had to do with each question.
    pub consulted: Vec<Consulted>,
    /// How often the turn has asked each question.
    pub attempts: Vec<u64>,
    /// The questions that the person answered. Invariant: ascending, and each has an answer.
    pub trail: Vec<usize>,
    /// The units of work that the answers took.
    pub work: u64,
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
    pub fn new(attempts: Vec<u64>, known: Known) -> Self {
        let length = attempts.len();
        Self {
            at: At::Before(0),
            known,
            answers: vec![None; length],
            drafts: vec![None; length],
            consulted: vec![Consulted::Not; length],
            attempts,
            trail: Vec::new(),
            work: 0,
        }
    }

    /// Makes room for further questions: how often the turn has asked them, and what their fields begin with.
    pub fn extend(&mut self, attempts: &[u64], drafts: Vec<Option<Arc<Taken>>>) {
        let length = self.answers.len().saturating_add(attempts.len());
        self.answers.resize(length, None);
        self.consulted.resize(length, Consulted::Not);
        self.attempts.extend_from_slice(attempts);
        self.drafts.extend(drafts);
    }

    /// Whether the walk goes on as soon as another question comes.
    pub fn waits_for_more(&self) -> bool {
        self.known.part().is_some_and(|questions| self.at == At::Before(questions))
    }

    /// Applies an event.
    pub fn apply(&mut self, event: &Event) {
        match event {
            Event::Asked { question, attempt, asks } => {
                set(&mut self.attempts, *question, *attempt);
                self.at = match asks {
                    Some(asks) => At::Asking(*question, *asks),
                    None => At::Before(*question),
                };
            }
            Event::Answered { question, taken, work, .. } => {
                if let By::Person { .. } = taken.by {
                    self.trail.push(*question);
                }
                set(&mut self.answers, *question, Some(Arc::clone(taken)));
                self.work = self.work.saturating_add(*work);
                self.at = At::Before(question.saturating_add(1));
            }
            Event::Advised { question, advice, .. } => {
                set(&mut self.consulted, *question, Consulted::Advised(advice.clone()));
                self.at = At::Before(*question);
            }
            Event::Left { question, why, .. } => {
                if *why == Cancelled::BackendError {
                    set(&mut self.consulted, *question, Consulted::InVain);
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
            At::Review | At::Ended(_) => self.answers.len(),
        }
    }

    /// Takes back the answers from a question on. Those of the person become drafts.
    fn return_to(&mut self, question: usize) {
        let discarded = self.reached().saturating_sub(question);
        while let Some(last) = self.trail.pop_if(|last| *last >= question) {
            let taken = self.answers.get(last).cloned().flatten().filter(|taken| !taken.answer.is_secret());
            set(&mut self.drafts, last, taken);
        }
        for answer in self.answers.iter_mut().skip(question).take(discarded) {
            *answer = None;
        }
        // The question itself goes to the person again, with the advice that it came with. Those after it are routed anew.
        for consulted in self.consulted.iter_mut().skip(question.saturating_add(1)).take(discarded) {
            *consulted = Consulted::Not;
        }
        self.at = At::Before(question);
    }
}

fn set<T>(list: &mut [T], place: usize, value: T) {
    if let Some(slot) = list.get_mut(place) {
        *slot = value;
    }
}
