//! Several answers at once. Each is decided as if it were given alone; if one is refused, all are, and every refusal is reported with its
//! question. This module decides nothing about a single answer.

use super::{
    decide::{self, decide, open, take},
    event::{Action, Event},
    state::{At, State},
};
use crate::{
    answer::{Given, as_other, holds},
    budget::Budget,
    form::Outline,
    json::{self, Numbers},
    outcome::Ending,
    problem::{Refusal, RefusedAnswers},
    question::Question,
};
use serde_json::{Map, Value};

/// Returns the events of answers to questions by id, in the order of the questions.
pub(super) fn answer_all(form: &Outline, state: &State, answers: Vec<(String, Given)>) -> Result<Vec<Event>, Refusal> {
    if let At::Ended(_) = state.at {
        answers.into_iter().for_each(|(_, given)| given.dismantle());
        return Err(Refusal::Finished);
    }
    let (mut state, mut events, mut refused) = (state.clone(), Vec::new(), RefusedAnswers::default());
    // What is left of the work after each answer.
    let mut budget = Budget::new(form.host.limits.work.saturating_sub(state.work));
    let places = places_of(form);
    for (id, given) in answers {
        let asked = open(form, &state).ok().filter(|(_, question)| question.id == id);
        let decided = match asked {
            Some(_) => {
                let mut left = 0;
                let decided = decide::answer(form, &state, given, &mut left);
                budget = Budget::new(left);
                decided
            }
            // What is asked after a refused answer is not known. The answers are checked all the same, to refuse all at once.
            _ => match places.get(&id).and_then(|place| form.questions.get(place as usize)) {
                Some(question) if !refused.is_empty() => take(form, question, given, &mut budget).map(|_| Vec::new()),
                _ => {
                    given.dismantle();
                    Err(Refusal::NotAllowed { why: NOT_ASKED })
                }
            },
        };
        match decided {
            Ok(decided) => {
                decided.iter().for_each(|event| state.apply(event));
                events.extend(decided);
            }
            Err(refusal) => refused.push(&id, refusal),
        }
    }
    if refused.is_empty() { Ok(events) } else { Err(Refusal::Answers { refused }) }
}

const NOT_ASKED: &str = "This question is not asked here.";

/// Returns the events of plain answers: values by the id of the question or, where the dialect answers so, by its text. See
/// [`super::Walk::answers`].
pub(super) fn answers(form: &Outline, state: &State, answers: Map<String, Value>) -> Result<Vec<Event>, Refusal> {
    if let At::Ended(_) = state.at {
        answers.into_iter().for_each(|(_, value)| json::dismantle(value));
        return Err(Refusal::Finished);
    }
    let mut page = Page::new(form, state);
    page.assign(answers);
    page.walk();
    page.refuse_rest();
    if page.refused.is_empty() { Ok(page.events) } else { Err(Refusal::Answers { refused: page.refused }) }
}

/// The questions of a page: those that a walk with these answers asks the person, from the open one on, by their places. It ends before a tool
/// call, and where somebody else is asked.
pub(super) fn asked(form: &Outline, state: &State, answers: Vec<(String, Given)>) -> Vec<usize> {
    let mut page = Page::new(form, state);
    let ids = places_of(form);
    let (mut given, mut places) = (Vec::new(), Vec::new());
    given.resize_with(form.questions.len(), || None);
    for (id, answer) in answers {
        let slot = ids.get(&id).and_then(|place| given.get_mut(place as usize));
        match slot {
            Some(slot @ None) => *slot = Some(answer),
            _ => answer.dismantle(),
        }
    }
    while let Ok((place, question)) = open(form, &page.state) {
        if question.answer_type.approval().is_some() {
            break;
        }
        if page.depends(place) {
            page.pass(place);
            continue;
        }
        places.push(place);
        let mut left = page.left();
        let decided = given
            .get_mut(place)
            .and_then(Option::take)
            .map(|given| decide::answer(form, &page.state, given, &mut left));
        match decided {
            Some(Ok(events)) => page.go_on(events),
            _ => {
                page.spend(left);
                page.pass(place);
            }
        }
    }
    given.into_iter().flatten().for_each(Given::dismantle);
    places
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

struct Page<'f> {
    form: &'f Outline,
    /// The state after the answers so far. After the first refusal, that of a walk that goes on without the refused answers.
    state: State,
    events: Vec<Event>,
    /// The values by question that are not decided yet.
    answers: Vec<Option<Value>>,
    /// The questions whose answers are not known, since they were refused or depend on one that was.
    unknown: Vec<bool>,
    /// Of the questions before this one it has been found out whether they depend on an answer that is not known.
    looked: usize,
    refused: RefusedAnswers,
}

impl<'f> Page<'f> {
    fn new(form: &'f Outline, state: &State) -> Self {
        Self {
            form,
            state: state.clone(),
            events: Vec::new(),
            answers: form.questions.iter().map(|_| None).collect(),
            unknown: vec![false; form.questions.len()],
            looked: 0,
            refused: RefusedAnswers::default(),
        }
    }

    /// Finds the question of each answer.
    fn assign(&mut self, answers: Map<String, Value>) {
        let (mut ids, mut texts) = (Numbers::default(), Numbers::default());
        for (place, question) in self.form.questions.iter().enumerate() {
            ids.set(question.id.clone(), place as u64);
            if self.form.writer.answers_by_text() {
                texts.set(question.text.clone(), place as u64);
            }
        }
        for (name, value) in answers {
            let why = match (ids.get(&name), texts.get(&name)) {
                (Some(id), Some(text)) if id != text => "This is the id of one question and the text of another.",
                (Some(place), _) | (None, Some(place)) => match self.answers.get_mut(place as usize) {
                    Some(slot @ None) => {
                        *slot = Some(value);
                        continue;
                    }
                    _ => "This question is answered twice: by its id and by its text.",
                },
                (None, None) => "There is no such question.",
            };
            json::dismantle(value);
            self.refused.push(&name, Refusal::NotAllowed { why });
        }
    }

    /// Answers each question that is asked.
    fn walk(&mut self) {
        while let Ok((place, question)) = open(self.form, &self.state) {
            let value = self.answers.get_mut(place).and_then(Option::take);
            if self.depends(place) {
                self.check(question, value);
                self.pass(place);
                continue;
            }
            let mut left = self.left();
            let decided = match value {
                Some(value) => decide::answer(self.form, &self.state, plain(question, value), &mut left),
                None => Err(Refusal::Required),
            };
            match decided {
                Ok(events) => self.go_on(events),
                Err(refusal) => {
                    self.spend(left);
                    self.refused.push(&question.id, refusal);
                    self.pass(place);
                }
            }
        }
        if self.state.at == At::Review && self.refused.is_empty() {
            // Whoever sends the answers has seen them.
            let events = decide(self.form, &self.state, Action::Submit).unwrap_or_default();
            self.go_on(events);
        }
    }

    /// Refuses the answers to questions that were not asked. Null says that there is none.
    fn refuse_rest(&mut self) {
        if self.refused.is_empty() && matches!(self.state.at, At::Ended(Ending::Failed(_))) {
            // The host has nobody to ask, or a wrong answer of its own: the form has failed, whatever the rest is.
            self.answers.drain(..).flatten().for_each(json::dismantle);
            return;
        }
        let (stopped, why) = match self.state.at {
            At::Asking(place, _) => (Some(place), "An assistant is asked first."),
            At::Before(place) => (Some(place), "The form is still loading. Try again in a moment."),
            At::Review | At::Ended(_) => (None, NOT_ASKED),
        };
        // After a refusal, it is not known whether the walk would have stopped there.
        let guessed = !self.refused.is_empty();
        for (place, question) in self.form.questions.iter().enumerate() {
            let value = self.answers.get_mut(place).and_then(Option::take);
            let is_unknown = self.depends(place);
            let Some(value) = value.filter(|value| !value.is_null()) else { continue };
            let is_beyond = stopped.is_some_and(|stopped| place >= stopped);
            if is_unknown || is_beyond && guessed {
                self.check(question, Some(value));
                continue;
            }
            json::dismantle(value);
            let why = match is_beyond {
                true => why,
                false if self.state.answer(place).is_some() => "This question is answered already.",
                false => NOT_ASKED,
            };
            self.refused.push(&question.id, Refusal::NotAllowed { why });
        }
    }

    /// Checks an answer to a question of which it is not known whether it is asked.
    fn check(&mut self, question: &Question, value: Option<Value>) {
        let Some(value) = value.filter(|value| !value.is_null()) else { return };
        let mut budget = Budget::new(self.left());
        if let Err(refusal) = take(self.form, question, plain(question, value), &mut budget) {
            self.refused.push(&question.id, refusal);
        }
        self.spend(budget.left());
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
        if let Some(unknown) = self.unknown.get_mut(place) {
            *unknown = true;
        }
    }

    fn is_unknown(&self, place: usize) -> bool {
        self.unknown.get(place).copied().unwrap_or_default()
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
