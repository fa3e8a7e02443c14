//! The decisions: whether an answer fits, who is asked next, what is answered without asking, and how a walk ends. The functions read a
//! state and return events. No other module decides anything.

use super::{
    event::{Action, Asks, Event, Return},
    state::{self, At, Known, State},
};
use crate::{
    answer::{Answer, By, Given, Taken, holds},
    budget::{Budget, Exhausted},
    form::Outline,
    host::{Limits, Reuse},
    json::{self, equal},
    outcome::{Ending, Failure, Unrouted},
    problem::{NotAllowed, Refusal},
    question::Question,
    record::{Cancelled, asked_json},
    route::{self, Consulted, Route, Verdict},
};
use serde_json::Value;
use std::sync::Arc;

/// The least that an answer costs, in units: its events, its records and its line in the saved walk.
const ANSWER: u64 = 1_000;

/// Returns the events that an action leads to. A refused action has none, and changes nothing.
pub(super) fn decide(form: &Outline, state: &State, action: Action) -> Result<Vec<Event>, Refusal> {
    if let At::Ended(_) = state.at {
        dismantle(action);
        return Err(Refusal::Finished);
    }
    let mut course = Course::new(form, state);
    match action {
        Action::Answer(given) => course.take_answer(given)?,
        Action::Back => match state.trail.last() {
            Some(last) => course.return_to(*last, Return::Back),
            None => return Err(Refusal::NotAllowed(NotAllowed::NO_EARLIER_ANSWER)),
        },
        Action::Change(id) => {
            let answered = |place: &&usize| form.questions.get(**place).is_some_and(|question| question.id == id);
            match (&state.at, state.trail.iter().find(answered)) {
                (At::Review, Some(place)) => course.return_to(*place, Return::Change),
                (At::Review, None) => {
                    return Err(Refusal::NotAllowed(NotAllowed::NOT_ANSWERED));
                }
                _ => return Err(Refusal::NotAllowed(NotAllowed::NOT_IN_REVIEW)),
            }
        }
        Action::Reply(text) => {
            let text = text.filter(|text| !text.trim().is_empty());
            if let Some(refusal) = text.as_ref().and_then(|text| too_long("message", text, &form.host.limits)) {
                return Err(refusal);
            }
            course.end(Ending::Replied { text });
        }
        Action::EndTurn => course.end(Ending::TurnEnded),
        Action::Expire => course.end(Ending::Expired),
        Action::Submit if state.at == At::Review => course.events.push(Event::Ended(Ending::Completed)),
        Action::Submit => {
            return Err(Refusal::NotAllowed(NotAllowed::STILL_ASKING));
        }
        Action::Assistant(verdict) => {
            let (place, question) = match consulting(form, state, Some(&verdict.record)) {
                Ok(asked) => asked,
                Err(refusal) => {
                    json::dismantle(verdict.answer);
                    return Err(refusal);
                }
            };
            let next = course.conclude(place, question, verdict);
            course.go_on(next);
            course.finish()?;
        }
        Action::NoAssistant => {
            let (place, _) = consulting(form, state, None)?;
            course.fail_to_consult(place);
            course.go_on(place);
            course.finish()?;
        }
    }
    Ok(course.events)
}

/// The open question and those after it that can be decided on the same page: tool calls, all of which the person is asked.
pub(super) fn page(form: &Outline, state: &State) -> Vec<usize> {
    let At::Asking(first, Asks::Person) = state.at else { return Vec::new() };
    let mut course = Course::new(form, state);
    let mut places = Vec::new();
    for (place, question) in form.questions.iter().enumerate().skip(first) {
        let is_call = question.answer_type.approval().is_some() && (place == first || question.when.is_none());
        if !is_call || !(place == first || matches!(course.next(place, question), Next::Ask(Asks::Person))) {
            break;
        }
        places.push(place);
    }
    places
}

/// Returns the events of an answer, and sets how much work is left after it: after a refused one, too.
pub(super) fn answer(form: &Outline, state: &State, given: Given, left: &mut u64) -> Result<Vec<Event>, Refusal> {
    let mut course = Course::new(form, state);
    let taken = course.take_answer(given);
    *left = course.budget.left();
    taken.map(|()| course.events)
}

/// Records that the form is whole and its schemas are compiled.
pub(super) fn accept(state: &State) -> Vec<Event> {
    if state.known == Known::Whole { Vec::new() } else { vec![Event::Accepted] }
}

/// Moves a walk on from [`At::Before`]: when it begins, and once its schemas are compiled.
pub(super) fn proceed(form: &Outline, state: &State) -> Vec<Event> {
    let At::Before(place) = state.at else { return Vec::new() };
    let mut course = Course { refusable: false, ..Course::new(form, state) };
    if form.host.sub_agent && state.known.part().is_none() {
        course.events.push(Event::Ended(Ending::Failed(Failure::SubAgent { tool: form.tool.to_owned() })));
    } else {
        course.go_on(place);
    }
    course.events
}

/// Returns the events of an answer to the open secret question, whose value is not saved.
pub(super) fn answer_secret(form: &Outline, state: &State) -> Result<Vec<Event>, Refusal> {
    let (place, question) = open(form, state)?;
    let answer = Answer::missing(question).ok_or(Refusal::Required)?;
    let mut course = Course::new(form, state);
    course.charge(form.record_size(place).saturating_add(ANSWER));
    course.answer(place, Taken { answer, note: None, by: By::Person { remember: false } });
    course.go_on(place.saturating_add(1));
    course.finish()?;
    Ok(course.events)
}

/// Goes back to a question whose secret is not there any more.
pub(super) fn rewind(form: &Outline, state: &State, question: usize) -> Vec<Event> {
    let mut course = Course::new(form, state);
    course.return_to(question, Return::Resume);
    course.events
}

/// The open question, if the person is asked one.
pub(super) fn open<'f>(form: &'f Outline, state: &State) -> Result<(usize, &'f Question), Refusal> {
    match state.at {
        At::Asking(place, Asks::Person) => asked(form, place),
        At::Asking(_, Asks::Assistant) | At::Before(_) | At::Review | At::Ended(_) => {
            Err(Refusal::NotAllowed(NotAllowed::NOTHING_OPEN))
        }
    }
}

fn asked(form: &Outline, place: usize) -> Result<(usize, &Question), Refusal> {
    Ok((place, state::question(form, place).ok_or(Refusal::Internal)?))
}

/// Checks an answer of the person.
pub(super) fn take(form: &Outline, question: &Question, given: Given, budget: &mut Budget) -> Result<Taken, Refusal> {
    let limits = &form.host.limits;
    let note = given.note.as_ref().filter(|note| !note.trim().is_empty()).cloned();
    let too_long = note.as_ref().and_then(|note| too_long("note", note, limits));
    let refusal = match &note {
        _ if too_long.is_some() => too_long,
        Some(_) if !question.notes => Some(Refusal::NotAllowed(NotAllowed::NO_NOTE)),
        _ if given.remember && !remembers(form, question) => Some(Refusal::NotAllowed(NotAllowed::NOT_REMEMBERED)),
        _ => None,
    };
    if let Some(refusal) = refusal {
        given.dismantle();
        return Err(refusal);
    }
    // A saved walk has neither a secret nor the note beside it.
    let noted = note.as_ref().filter(|_| !question.answer_type.is_secret()).map_or(0, String::len) as u64;
    budget.charge(ANSWER.saturating_add(noted)).map_err(exhausted)?;
    let by = By::Person { remember: given.remember };
    Ok(Taken { answer: Answer::new(question, given.content, limits, budget)?, note, by })
}

/// Whether the answer to a question may be remembered for the rest of the turn. Never where one cannot be undone: it is asked each time.
pub(super) fn remembers(form: &Outline, question: &Question) -> bool {
    // An agent that offers grants keeps them itself.
    let has_grants = question.answer_type.approval().is_some_and(|call| !call.grants.is_empty());
    form.reuse == Reuse::Turn && !route::is_unspoken(question) && !question.has_danger() && !has_grants
}

/// What a remembered answer is bound to: the question as its record has it, without `default`, and the message above it. `None` if the message
/// is so long that many copies of it would take much memory.
pub(super) fn memory(form: &Outline, question: &Question) -> Option<Value> {
    const MESSAGE_BYTES: usize = 4_000;
    let message = question.message.as_deref().or(form.message());
    if message.is_some_and(|message| message.len() > MESSAGE_BYTES) {
        return None;
    }
    let mut json = asked_json(question);
    if let (Some(message), Value::Object(fields)) = (message, &mut json) {
        fields.insert("message".into(), message.into());
    }
    Some(json)
}

/// The id of a record, and of a verdict on it.
pub(super) fn record_id(form: &Outline, question: &Question, attempt: u64) -> String {
    format!("{}.{}.{attempt}", form.host.tool_call_id, question.id)
}

/// The key of a question among the attempts of a turn.
pub(super) fn attempt_key(form: &Outline, question: &Question) -> String {
    format!("{}.{}", form.host.tool_call_id, question.id)
}

/// The key of a question among the remembered answers of a turn.
pub(super) fn memory_key(form: &Outline, question: &Question) -> String {
    format!("{}.{}", form.asking_tool(), question.id)
}

/// The refusal of a text beside an answer that has more bytes than allowed.
fn too_long(name: &str, text: &str, limits: &Limits) -> Option<Refusal> {
    (text.len() > limits.bytes)
        .then(|| Refusal::TooLarge { what: format!("the {name} has more than {} bytes", limits.bytes) })
}

fn exhausted(_: Exhausted) -> Refusal {
    Refusal::TooLarge {
        what: "with the answers before it, this form takes too much work; reply or end the turn".into(),
    }
}

fn dismantle(action: Action) {
    match action {
        Action::Answer(given) => given.dismantle(),
        Action::Assistant(verdict) => json::dismantle(verdict.answer),
        Action::Back
        | Action::Reply(_)
        | Action::EndTurn
        | Action::Expire
        | Action::Submit
        | Action::Change(_)
        | Action::NoAssistant => {}
    }
}

/// The question that an assistant is asked, if the record is that of this attempt.
fn consulting<'f>(form: &'f Outline, state: &State, record: Option<&str>) -> Result<(usize, &'f Question), Refusal> {
    let At::Asking(place, Asks::Assistant) = state.at else {
        return Err(Refusal::NotAllowed(NotAllowed::NO_ASSISTANT));
    };
    let (place, question) = asked(form, place)?;
    match record {
        Some(record) if record != record_id(form, question, state.attempts(place)) => {
            Err(Refusal::NotAllowed(NotAllowed::OTHER_VERDICT))
        }
        _ => Ok((place, question)),
    }
}

/// The events of one decision, and what they change of the state that it began with.
struct Course<'a> {
    form: &'a Outline,
    state: &'a State,
    events: Vec<Event>,
    /// From this question on, the state's answers do not count any more.
    returned: Option<usize>,
    /// The questions that are answered in the events, ascending, and their answers.
    answered: Vec<(usize, Arc<Taken>)>,
    /// What an assistant has just had to do with a question.
    consulted: Option<(usize, Consulted)>,
    budget: Budget,
    /// Whether the action can be refused for its work. What took an answer back cannot: each answer has paid for that.
    refusable: bool,
}

/// What is done about a question whose turn it is.
enum Next {
    Ask(Asks),
    Take(Taken),
    Fail(Failure),
    /// Nothing, before its schema is compiled or the whole form is there.
    Wait,
}

impl<'a> Course<'a> {
    fn new(form: &'a Outline, state: &'a State) -> Self {
        let budget = Budget::new(form.host.limits.work.saturating_sub(state.work));
        let (events, answered) = (Vec::new(), Vec::new());
        Self { form, state, events, returned: None, answered, consulted: None, budget, refusable: true }
    }

    /// Takes the person's answer to the open question.
    fn take_answer(&mut self, given: Given) -> Result<(), Refusal> {
        match open(self.form, self.state) {
            Ok((place, question)) => {
                // Taking it back asks the question again: its record is paid for here.
                self.charge(self.form.record_size(place));
                let taken = take(self.form, question, given, &mut self.budget)?;
                self.answer(place, taken);
                self.go_on(place.saturating_add(1));
                self.finish()
            }
            Err(refusal) => {
                given.dismantle();
                Err(refusal)
            }
        }
    }

    /// Refuses what takes too much work, and notes in the first answer what everything took.
    fn finish(&mut self) -> Result<(), Refusal> {
        if self.budget.left() == 0 {
            return Err(exhausted(Exhausted));
        }
        let taken = self.form.host.limits.work.saturating_sub(self.state.work).saturating_sub(self.budget.left());
        if let Some(Event::Answered { work, .. }) =
            self.events.iter_mut().find(|event| matches!(event, Event::Answered { .. }))
        {
            *work = taken;
        }
        Ok(())
    }

    /// Charges work that cannot be refused here: [`Course::finish`] does.
    fn charge(&mut self, units: u64) {
        let _ = self.budget.charge(units);
    }

    fn attempt(&self, place: usize) -> u64 {
        let asked = self.events.iter().rev().find_map(|event| match event {
            Event::Asked { question, attempt, .. } if *question == place => Some(*attempt),
            _ => None,
        });
        asked.unwrap_or_else(|| self.state.attempts(place))
    }

    fn answer_to(&self, place: usize) -> Option<&Taken> {
        match self.answered.binary_search_by_key(&place, |(question, _)| *question) {
            Ok(found) => self.answered.get(found).map(|(_, taken)| &**taken),
            Err(_) if self.returned.is_some_and(|from| place >= from) => None,
            Err(_) => self.state.answer(place),
        }
    }

    fn ask(&mut self, place: usize, asks: Option<Asks>) {
        let attempt = self.state.attempts(place).saturating_add(1);
        self.events.push(Event::Asked { question: place, attempt, asks });
    }

    fn answer(&mut self, place: usize, taken: Taken) {
        let (attempt, taken) = (self.attempt(place), Arc::new(taken));
        self.answered.push((place, Arc::clone(&taken)));
        self.events.push(Event::Answered { question: place, attempt, taken, work: 0 });
    }

    fn leave(&mut self, place: usize, why: Cancelled) {
        let attempt = self.attempt(place);
        self.events.push(Event::Left { question: place, attempt, why });
    }

    fn end(&mut self, ending: Ending) {
        if let At::Asking(place, _) = self.state.at {
            let why = if ending == Ending::Expired { Cancelled::Expired } else { Cancelled::User };
            self.leave(place, why);
        }
        self.events.push(Event::Ended(ending));
    }

    /// Takes the answers from a question on back and asks again. It costs nothing: each answer has paid for this.
    fn return_to(&mut self, question: usize, by: Return) {
        if let At::Asking(place, _) = self.state.at {
            self.leave(place, Cancelled::Back);
        }
        self.events.push(Event::Returned { question, by });
        self.returned = Some(question);
        self.refusable = false;
        self.go_on(question);
    }

    /// Applies an assistant's verdict and returns the question to go on from. A verdict that is not a valid answer is treated as no
    /// verdict.
    fn conclude(&mut self, place: usize, question: &Question, verdict: Verdict) -> usize {
        let Verdict { record: _, reason, answer, model } = verdict;
        let reason = reason.filter(|reason| !reason.trim().is_empty());
        let advice = crate::answer::Advice { reason, model: model.filter(|model| !model.is_empty()) };
        let before = self.budget.clone();
        self.charge(ANSWER.saturating_add(advice.reason.as_ref().map_or(0, String::len) as u64));
        let checked = Answer::implied(question, &answer, &self.form.host.limits, &mut self.budget);
        json::dismantle(answer);
        match checked {
            Err(_) => {
                // The walk keeps nothing of it.
                self.budget = before;
                self.fail_to_consult(place);
                place
            }
            Ok(answer) if route::escalates(self.form, question, &answer) => {
                let attempt = self.attempt(place);
                self.events.push(Event::Advised { question: place, attempt, answer, advice: advice.clone() });
                self.consulted = Some((place, Consulted::Advised(advice)));
                place
            }
            Ok(answer) => {
                self.answer(place, Taken { answer, note: None, by: By::Assistant(advice) });
                place.saturating_add(1)
            }
        }
    }

    /// Leaves a question that an assistant was asked and did not answer.
    fn fail_to_consult(&mut self, place: usize) {
        self.charge(ANSWER);
        self.leave(place, Cancelled::BackendError);
        self.consulted = Some((place, Consulted::InVain));
    }

    /// Goes on to the first question from a place on that somebody is to be asked. What the host answers is taken on the way.
    fn go_on(&mut self, from: usize) {
        let (form, part) = (self.form, self.state.known.part());
        let questions = form.questions.iter().enumerate().take(part.unwrap_or(form.questions.len()));
        for (place, question) in questions.skip(from) {
            if self.refusable && self.budget.left() == 0 {
                return;
            }
            // Twice: forwards, and for taking it back.
            self.charge(form.cost(place, place.saturating_add(1)).saturating_mul(2));
            let mut answer = |place| Some(self.answer_to(place).map(|taken| &taken.answer));
            if question.when.as_ref().is_some_and(|when| holds(when, &mut answer) != Some(true)) {
                continue;
            }
            match self.next(place, question) {
                Next::Wait => {
                    // What comes next does not look at the questions before this one again.
                    if part.is_some() && place > from {
                        self.events.push(Event::Waiting { question: place });
                    }
                    return;
                }
                Next::Ask(asks) => {
                    self.ask(place, Some(asks));
                    return;
                }
                Next::Take(taken) => {
                    self.charge(form.record_size(place).saturating_mul(2).saturating_add(ANSWER));
                    self.ask(place, None);
                    self.answer(place, taken);
                }
                Next::Fail(failure) => {
                    self.ask(place, None);
                    self.leave(
                        place,
                        match &failure {
                            Failure::Unrouted { why: Unrouted::AssistantRoutingDenied, .. } => {
                                Cancelled::AssistantRoutingDenied
                            }
                            Failure::Unrouted { .. } | Failure::SubAgent { .. } => Cancelled::NoPromptBackend,
                            Failure::InvalidStaticAnswer { .. } => Cancelled::InvalidStaticAnswer,
                        },
                    );
                    self.events.push(Event::Ended(Ending::Failed(failure)));
                    return;
                }
            }
        }
        self.events.push(match part {
            Some(question) if question > from => Event::Waiting { question },
            Some(_) => return,
            None if form.review => Event::Reviewing,
            None => Event::Ended(Ending::Completed),
        });
    }

    /// What is done about a question whose turn it is: an answer that is there already, or somebody to ask.
    fn next(&mut self, place: usize, question: &Question) -> Next {
        let (form, host) = (self.form, &*self.form.host);
        let waits = self.state.known != Known::Whole && question.answer_type.schema().is_some();
        let remembered = match host.turn.remembered.get(&memory_key(form, question)) {
            Some(entry)
                if remembers(form, question)
                    && memory(form, question).is_some_and(|memory| equal(&entry.question, &memory)) =>
            {
                Some(entry.answer)
            }
            _ => None,
        };
        let remembered = remembered.as_ref();
        let secret = if question.answer_type.is_secret() { host.secret_answers.get(&question.id) } else { None };
        let fixed = secret.or_else(|| host.static_answers.get(&question.id));
        if waits && remembered.or(fixed).is_some() {
            return Next::Wait;
        }
        let mut implied = |value| Answer::implied(question, value, &host.limits, &mut self.budget);
        let taken = |answer, by| Next::Take(Taken { answer, note: None, by });
        if let Some(answer) = remembered.and_then(|value| implied(value).ok()) {
            return taken(answer, By::Remembered);
        }
        match fixed.map(implied) {
            Some(Ok(answer)) => return taken(answer, By::Configuration),
            Some(Err(refusal)) => {
                let (question, code) = (question.id.clone(), refusal.code().to_owned());
                return Next::Fail(Failure::InvalidStaticAnswer { question, code });
            }
            None => {}
        }
        let consulted = match (&self.consulted, self.state.slot(place)) {
            (Some((consulted, just)), _) if *consulted == place => just,
            // A question that was returned to keeps what an assistant said of it; those after it do not.
            (_, Some(slot)) if self.returned.is_none_or(|from| place <= from) => &slot.consulted,
            _ => &Consulted::Not,
        };
        let unrouted = |why| Next::Fail(Failure::Unrouted { question: question.id.clone(), why });
        match route::route(form, question, consulted) {
            Route::Person => Next::Ask(Asks::Person),
            Route::Assistant | Route::Default(_) if waits => Next::Wait,
            // An assistant is told of the whole form.
            Route::Assistant if self.state.known.part().is_some() => Next::Wait,
            Route::Assistant => Next::Ask(Asks::Assistant),
            Route::Default(default) => match Answer::implied(question, default, &host.limits, &mut self.budget) {
                Ok(answer) => taken(answer, By::Default),
                Err(_) => unrouted(Unrouted::NoDefault),
            },
            Route::Nobody(why) => unrouted(why),
        }
    }
}
