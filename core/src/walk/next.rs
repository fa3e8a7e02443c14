//! From one question to the next: which one's turn it is, and what is to be done about it: an answer that is there already,
//! somebody to ask, or nobody; and what the verdict of an assistant comes to.

use super::{
    Asks, Place, Walk,
    saved::{Entry, Script},
    set,
};
use crate::{
    answer::{Answer, meets},
    form::{Form, Question},
    host::Reuse,
    outcome::{Ending, Failure},
    problem::Refusal,
    record::{Cancelled, Response},
    route::{self, Advice, Consulted, Route, Unrouted, Verdict},
};
use std::sync::Arc;

/// What is to be done about a question whose turn it is.
pub(super) enum Next {
    Ask(Asks),
    Take(Answer),
    Fail(Failure),
    /// Nothing, before the schemas are there.
    Unchecked,
}

/// What an assistant's verdict comes to.
pub(super) enum Conclusion {
    Answered(Answer, Advice),
    Advised(Advice),
    InVain,
}

impl Walk {
    /// Goes on to the first question from this one on that a person is to answer. What the host has answered already is
    /// taken on the way; each question is looked at once.
    pub(super) fn ask_from(&mut self, from: usize, script: &mut Script<'_>) {
        let form = Arc::clone(&self.form);
        for (place, question) in form.questions.iter().enumerate().skip(from) {
            if !self.is_asked(question) {
                continue;
            }
            match script.next(self, place, question) {
                Next::Ask(Asks::Person) => {
                    self.request(place, question);
                    self.place = Place::Asking(place);
                    return;
                }
                Next::Ask(Asks::Assistant) => {
                    self.request(place, question);
                    self.place = Place::Consulting(place);
                    return;
                }
                Next::Unchecked => {
                    self.place = Place::Waiting(place);
                    return;
                }
                Next::Take(answer) => {
                    self.request(place, question);
                    self.log.push(Entry::Automatic { place, answer: answer.clone() });
                    self.take(place, answer, false);
                }
                Next::Fail(failure) => {
                    self.request(place, question);
                    self.log.push(Entry::Failed { place, code: failure.code() });
                    let reason = match &failure {
                        Failure::Unrouted { why: Unrouted::AssistantRoutingDenied, .. } => {
                            Cancelled::AssistantRoutingDenied
                        }
                        Failure::Unrouted { .. } | Failure::SubAgent { .. } => Cancelled::NoPromptBackend,
                        Failure::InvalidStaticAnswer { .. } => Cancelled::InvalidStaticAnswer,
                    };
                    self.respond(place, Response::Cancelled { reason });
                    self.place = Place::Ended(Ending::Failed(failure));
                    return;
                }
            }
        }
        self.place = if form.review { Place::Review } else { Place::Ended(Ending::Completed) };
    }

    fn is_asked(&self, question: &Question) -> bool {
        let Some(when) = &question.when else { return true };
        match (self.form.questions.get(when.question), self.answers.get(when.question)) {
            (Some(earlier), Some(answer)) => meets(earlier, answer.as_ref(), &when.equals),
            _ => false,
        }
    }

    /// What is to be done about a question whose turn it is: an answer that is there already, or somebody to ask.
    pub(super) fn next(&self, place: usize, question: &Question) -> Next {
        self.prepared(question).unwrap_or_else(|| self.routed(place, question))
    }

    /// An answer that the host has already: remembered in this turn, or static.
    pub(super) fn prepared(&self, question: &Question) -> Option<Next> {
        let form = &*self.form;
        let secret = question.answer_type.is_secret();
        let remembered = (form.reuse == Reuse::Turn && !secret)
            .then(|| form.host().turn.remembered.get(&memory_key(form, question)))
            .flatten();
        let fixed = form.host().static_answers.get(&question.id);
        if remembered.or(fixed).is_some() && question.answer_type.awaits_schema() {
            return Some(Next::Unchecked);
        }
        let limits = &form.host().limits;
        let fits = remembered.and_then(|value| Answer::new(question, value.clone().into(), limits).ok());
        match (fits, fixed) {
            (Some(answer), _) => Some(Next::Take(answer)),
            (None, Some(fixed)) => Some(match Answer::new(question, fixed.clone().into(), limits) {
                Ok(answer) => Next::Take(answer),
                Err(refusal) => misfit(question, refusal),
            }),
            (None, None) => None,
        }
    }

    /// Who is asked, where there is no answer yet.
    pub(super) fn routed(&self, place: usize, question: &Question) -> Next {
        let consulted = self.consulted.get(place).unwrap_or(&Consulted::Not);
        let unrouted = |why| Next::Fail(Failure::Unrouted { question: question.id.clone(), why });
        match route::route(&self.form, question, consulted) {
            Route::Person => Next::Ask(Asks::Person),
            Route::Assistant | Route::Default(_) if question.answer_type.awaits_schema() => Next::Unchecked,
            Route::Assistant => Next::Ask(Asks::Assistant),
            Route::Default(default) => match Answer::new(question, default.into(), &self.form.host().limits) {
                Ok(answer) => Next::Take(answer),
                Err(_) => unrouted(Unrouted::NoDefault),
            },
            Route::Nobody(why) => unrouted(why),
        }
    }

    pub(super) fn consulting(&self) -> Result<usize, Refusal> {
        match self.place {
            Place::Consulting(place) => Ok(place),
            Place::Asking(_) | Place::Waiting(_) | Place::Review | Place::Ended(_) => {
                Err(Refusal::NotAllowed { why: "No assistant is asked at this step." })
            }
        }
    }

    /// What a verdict comes to: one that does not fit counts as none, and a "no" may go on to the person.
    pub(super) fn conclusion(&self, place: usize, verdict: Verdict) -> Conclusion {
        let Some(question) = self.form.questions.get(place) else { return Conclusion::InVain };
        let advice = Advice { reason: verdict.reason, model: verdict.model };
        match Answer::new(question, verdict.answer.into(), &self.form.host().limits) {
            Err(_) => Conclusion::InVain,
            Ok(answer) if route::escalates(&self.form, question, answer.open()) => Conclusion::Advised(advice),
            Ok(answer) => Conclusion::Answered(answer, advice),
        }
    }

    /// Goes on with what an assistant said: with its answer, or with the same question put to whoever is next.
    pub(super) fn conclude(&mut self, place: usize, conclusion: Conclusion, script: &mut Script<'_>) {
        let reason = |advice: &Advice| Some(advice.reason.clone());
        let (consulted, response, next) = match conclusion {
            Conclusion::Answered(answer, advice) => {
                let answered = answer.open().cloned().unwrap_or_default();
                self.log.push(Entry::Assistant { place, answer: answer.clone(), advice: advice.clone() });
                set(&mut self.answers, place, Some(answer));
                let response = Response::Answered { answer: answered, note: None, reason: reason(&advice) };
                (Consulted::Answered(advice), response, place.saturating_add(1))
            }
            Conclusion::Advised(advice) => {
                self.log.push(Entry::Advised { place, advice: advice.clone() });
                let response = Response::Answered { answer: false.into(), note: None, reason: reason(&advice) };
                (Consulted::Advised(advice), response, place)
            }
            Conclusion::InVain => {
                self.log.push(Entry::InVain { place });
                (Consulted::InVain, Response::Cancelled { reason: Cancelled::BackendError }, place)
            }
        };
        self.respond(place, response);
        set(&mut self.consulted, place, consulted);
        self.ask_from(next, script);
    }
}

pub(super) fn misfit(question: &Question, refusal: Refusal) -> Next {
    Next::Fail(Failure::InvalidStaticAnswer { question: question.id.clone(), refusal })
}

/// Remembered answers are those of a tool.
pub(super) fn memory_key(form: &Form, question: &Question) -> String {
    format!("{}.{}", form.asking_tool(), question.id)
}
