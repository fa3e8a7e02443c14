//! What a walk shows, tells and leaves: the step, the records, the outcome, the turn after it, the saved walk. Nothing here changes a walk.

use super::{
    Walk, decide, drafts,
    event::{Asks, Event},
    page,
    saved::{self, Saved},
    state::{self, At, Known},
    step::{Asking, Progress, Review, Reviewed, Step},
};
use crate::{
    answer::{Answer, By, Content, Given, Taken},
    budget::Budget,
    form::{Form, Outline},
    json::{self, Fingerprint, Numbers, digits, equal, parse},
    outcome::{Ended, Ending, Outcome},
    problem::{Refusal, object},
    question::{AnswerType, Question},
    record::{Record, Request, question_json},
    route::{Consultation, Consulted, explanation},
    turn::{Remembered, Turn},
};
use serde_json::{Map, Value};
use std::sync::Arc;

impl Walk {
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

    /// The questions of the same page, each with its answer as it would be taken, or why it would be refused: for a front end that shows what it is about to
    /// give to [`Walk::answer_all`]. A question without an answer is refused with [`Refusal::Required`].
    pub fn preview(&self, answers: Vec<(String, Given)>) -> Vec<(Arc<Question>, Result<Taken, Refusal>)> {
        let tried = page::tried(&self.form, &self.state, answers);
        tried
            .into_iter()
            .filter_map(|(place, taken)| Some((Arc::clone(state::question(&self.form, place)?), taken)))
            .collect()
    }

    /// How the walk ended. `None` before that. While its schemas are not compiled, only the end of the turn and of the time count.
    pub fn ending(&self) -> Option<&Ending> {
        match &self.state.at {
            At::Ended(ending) if self.is_checked() || matches!(ending, Ending::TurnEnded | Ending::Expired) => {
                Some(ending)
            }
            At::Ended(_) | At::Before(_) | At::Asking(..) | At::Review => None,
        }
    }

    /// The outcome for the host. `None` where [`Walk::ending`] is `None`.
    pub fn outcome(&self) -> Option<Outcome> {
        let (ending, answers) = (self.ending()?, self.answers_so_far());
        let ended = self.ended(ending, &answers);
        let writer = &self.form.writer;
        let mut outcome = Outcome::of(ending);
        // The writer of a request that is not whole writes nothing.
        outcome.result = writer.write(&ended);
        // Nothing counts of what has expired.
        if !writer.reveals_secrets() && *ending != Ending::Expired {
            outcome.secrets = ended.secrets();
        }
        outcome.explanation = explanation(&self.form, ended, self.state.slots.iter().map(|slot| &slot.consulted));
        Some(outcome)
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

    /// What the person had answered when the time was over, by the drafts that are left, in words for the agent. `None` if that is nothing.
    pub(crate) fn late(&self, drafts: &Map<String, Value>) -> Option<String> {
        drafts::told(&self.form, drafts)
    }

    /// The question that was open when the person replied or ended the turn, or when the time was over. `None` in a walk that goes on, or ended otherwise.
    pub fn left_open(&self) -> Option<&Question> {
        let At::Ended(Ending::Replied { .. } | Ending::TurnEnded | Ending::Expired) = self.state.at else {
            return None;
        };
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

    /// Keeps answers as drafts, by the ids of their questions: they came when no answer counts any more. A text in place of an option is one of the person's own
    /// words. What a question does not take is left out.
    #[cold]
    pub(crate) fn leave(&mut self, answers: Vec<(String, Value)>) {
        let limits = &self.form.host.limits;
        let mut budget = Budget::new(limits.work.saturating_sub(self.state.work));
        for (id, given) in answers {
            let Some(question) = self.form.question(&id) else { continue };
            let own = given.as_str().filter(|_| question.answer_type.choices().is_some()).map(str::to_owned);
            let own = own.map(|text| Content::Other { text, beside: Vec::new() });
            let taken = Answer::new(question, Content::Value(given), limits, &mut budget);
            let taken = taken.or_else(|refusal| Answer::new(question, own.ok_or(refusal)?, limits, &mut budget));
            if let Some(draft) = taken.ok().and_then(|answer| drafts::of(question, answer)) {
                Arc::make_mut(&mut self.drafts).insert(id, draft);
            }
        }
    }

    /// The texts that were typed and not answered before, for the fields of this form, by the names that [`Walk::drafts_with`] takes.
    pub fn typed_drafts(&self) -> Map<String, Value> {
        drafts::typed(&self.form, &self.drafts)
    }

    /// Whether a question starts from a draft of an earlier form.
    pub fn is_drafted(&self, question: &str) -> bool {
        self.drafts.contains_key(question) && self.form.question(question).is_some()
    }

    /// The turn after this walk, for the next form of the same turn. The host knows which forms are open by then.
    pub fn turn(&self) -> Turn {
        let mut turn = Turn { open: Numbers::default(), ..self.form.host.turn.clone() };
        for (question, slot) in self.form.questions.iter().zip(&self.state.slots) {
            if slot.attempts > 0 {
                turn.attempts.set(decide::attempt_key(&self.form, question), slot.attempts);
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

    /// The walk as JSON, without its secrets. It consists of texts and small integers, so no store of JSON changes it.
    pub fn save(&self) -> Value {
        self.saved(drafts::own(&self.form, &self.drafts)).into_json()
    }

    /// The response of a client to its host, which reads it with [`Walk::continued`]: the saved `walk`, and the `secrets` by question id. It is
    /// only for that one request: do not store or log it.
    pub fn response(&self) -> Value {
        let secrets = match self.ending() {
            Some(Ending::Expired) => Map::new(),
            _ => self.ended(&Ending::Completed, &self.answers_so_far()).secrets(),
        };
        // What was drafted is the person's until they send it.
        Value::Object(object([("walk", self.saved(None).into_json()), ("secrets", Value::Object(secrets))]))
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

    /// A key for sending this ending once: the same however often it is sent, and another one for every other ending, form and
    /// [`crate::Host::nonce`]. Endings that differ only in the value of a secret have the same key, since the key tells nothing about
    /// secrets.
    pub fn idempotency_key(&self) -> String {
        let nonce = self.nonce.as_deref().unwrap_or_default();
        let form = Fingerprint::new().text(&self.form.fingerprint).text(&self.form.host.tool_call_id).text(nonce);
        let form = self.form.questions.iter().fold(form, |form, question| form.text(&question.id));
        format!("{form}{}", saved::fingerprint(&self.events))
    }

    fn checking(&self) -> Step {
        if self.is_whole() {
            Step::Checking
        } else {
            Step::Waiting { back: !self.is_over() && !self.state.trail.is_empty() }
        }
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
            draft_text: restored.and_then(|taken| taken.answer.exact_text()),
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

    /// The question that an assistant is asked, and the id of its record.
    pub(super) fn consulting(&self) -> Option<(&Question, String)> {
        let At::Asking(place, Asks::Assistant) = self.state.at else { return None };
        let question = state::question(&self.form, place)?;
        Some((question, decide::record_id(&self.form, question, self.state.attempts(place))))
    }

    pub(super) fn saved(&self, drafts: Option<Value>) -> Saved<'_> {
        Saved::new(&self.form, self.nonce.as_deref(), self.began, &self.state.slots, &self.events, drafts)
    }

    fn answers_so_far(&self) -> Vec<Option<Arc<Taken>>> {
        self.state.slots.iter().map(|slot| slot.answer.clone()).collect()
    }

    fn ended<'a>(&'a self, ending: &'a Ending, answers: &'a [Option<Arc<Taken>>]) -> Ended<'a> {
        Ended { ending, questions: &self.form.questions, answers }
    }
}

/// Whether a default is a free text in place of an option, or ends with one.
fn is_other(question: &Question, draft: &Value) -> bool {
    let last = draft.as_array().map_or(Some(draft), |list| list.last());
    question.answer_type.choices().is_some_and(|choices| last.is_some_and(|last| choices.get(last).is_none()))
}
