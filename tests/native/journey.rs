//! Journeys: what people, assistants and hosts do with a walk, and what must hold after everything that they do.

use crate::{
    condition,
    sample::{Any, Dice, SECRET, Sample, UNFIT, any_answer, fitting, host, takes},
};
use ask_user_core::{
    Action, AnswerType, Asks, By, Consultation, Content, Ending, Ends, Event, Form, Given, Host, Limits, Outcome,
    Question, Reading, Refusal, Return, Step, Taken, Turn, Verdict, Walk,
    problem::NotAllowed,
    record::{Record, Request, Response},
};
use proptest::prelude::*;
use serde::{Serialize, de::DeserializeOwned};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// Something that is done. Much of it is refused where the walk stands.
#[derive(Clone, Debug)]
pub enum Deed {
    /// Answers what is open so that it fits.
    Answer,
    Any(Any),
    /// Answers all that is left by name.
    Plain,
    /// Answers several questions at once.
    Page,
    Back,
    Reply(Option<String>),
    EndTurn,
    Submit,
    Change,
    Verdict,
    NoAssistant,
    /// Saves the walk and resumes it.
    Resume,
    /// Accepts the form, if the walk began without its schemas.
    Accept,
}

/// What is done in a walk: answers above all.
pub fn deeds() -> impl Strategy<Value = Vec<Deed>> {
    let deed = prop_oneof![
        20 => Just(Deed::Answer),
        2 => any_answer().prop_map(Deed::Any),
        3 => Just(Deed::Page),
        1 => Just(Deed::Plain),
        6 => Just(Deed::Back),
        1 => prop::option::of(any::<String>()).prop_map(Deed::Reply),
        1 => Just(Deed::EndTurn),
        3 => Just(Deed::Submit),
        3 => Just(Deed::Change),
        8 => Just(Deed::Verdict),
        1 => Just(Deed::NoAssistant),
        2 => Just(Deed::Resume),
        3 => Just(Deed::Accept),
    ];
    prop::collection::vec(deed, 0..30)
}

/// A walk, with what is known of it.
#[derive(Clone)]
pub struct Journey {
    pub sample: Sample,
    pub form: Form,
    pub walk: Walk,
    pub dice: Dice,
    /// How many answers the person gave that were taken, and the assistant.
    said: (usize, usize),
}

impl Journey {
    /// A walk at its begin, sometimes before the schemas are compiled. `None` where the request is past the host's limits.
    pub fn begin(mut dice: Dice) -> Result<Option<Self>, TestCaseError> {
        let sample = Sample::new(&mut dice);
        let host = host(&mut dice, &sample);
        let early = dice.once_in(3);
        Self::of(sample, &host, dice, early)
    }

    pub fn of(sample: Sample, host: &Host, dice: Dice, early: bool) -> Result<Option<Self>, TestCaseError> {
        let reading = match Reading::new(&sample.request, sample.dialect, host) {
            Ok(reading) => reading,
            Err(rejection) => {
                prop_assert!(rejection.problems.iter().all(|problem| problem.code() == "too_large"), "{:?}", rejection);
                return Ok(None);
            }
        };
        let provisional = reading.provisional().filter(|_| early);
        let Ok(form) = Form::read(&sample.request, sample.dialect, host) else { return Ok(None) };
        let walk = provisional.map_or_else(|| Walk::new(form.clone()), Walk::begin);
        let journey = Self { sample, form, walk, dice, said: (0, 0) };
        journey.check()?;
        Ok(Some(journey))
    }

    /// Does something. What is refused has changed nothing.
    pub fn go(&mut self, deed: &Deed) -> Result<(), TestCaseError> {
        let before = self.walk.clone();
        match deed {
            Deed::Resume => return self.resume(),
            Deed::Accept => {
                prop_assert_eq!(self.walk.accept(self.form.clone()), Ok(()));
            }
            Deed::Page => return self.page(),
            Deed::Plain => return self.plain(),
            deed => {
                let action = self.action(deed);
                let (ended, shown) = (matches!(before.step(), Step::Done { .. }), format!("{action:?}"));
                prop_assert!(!shown.contains(SECRET), "an action shows a secret: {}", shown);
                match self.walk.act(action.clone()) {
                    Err(refusal) => {
                        prop_assert_eq!(&self.walk, &before, "{:?} was refused and changed the walk", &action);
                        let said = format!("{refusal:?} {refusal} {:?}", refusal.to_json());
                        prop_assert!(!said.contains(SECRET), "a refusal shows a secret: {}", said);
                        return Ok(());
                    }
                    Ok(()) => prop_assert!(!ended, "an ended walk took an action"),
                }
                prop_assert!(self.walk.events().starts_with(before.events()));
                self.count(&action, &before);
                check_back(&before, &action, &self.walk)?;
            }
        }
        self.check()
    }

    fn count(&mut self, action: &Action, before: &Walk) {
        let events = &self.walk.events()[before.events().len()..];
        match action {
            Action::Answer(_) => self.said.0 += 1,
            Action::Assistant(_) => {
                let answered = matches!(events[0], Event::Answered { .. });
                self.said.1 += usize::from(answered);
            }
            _ => {}
        }
    }

    /// A deed as an action, where the walk stands.
    pub fn action(&mut self, deed: &Deed) -> Action {
        match deed {
            Deed::Answer => Action::Answer(self.fitting()),
            Deed::Any(Any(given)) => Action::Answer(given.clone()),
            Deed::Back => Action::Back,
            Deed::Reply(text) => Action::Reply(text.clone()),
            Deed::EndTurn => Action::EndTurn,
            Deed::Submit => Action::Submit,
            Deed::Change => {
                let ids: Vec<String> = self.form.questions().iter().map(|question| question.id.clone()).collect();
                Action::Change(if ids.is_empty() { "x".into() } else { self.dice.pick(&ids) })
            }
            Deed::Verdict => Action::Assistant(self.verdict()),
            Deed::NoAssistant => Action::NoAssistant,
            Deed::Page | Deed::Plain | Deed::Resume | Deed::Accept => unreachable!("no actions"),
        }
    }

    fn fitting(&mut self) -> Given {
        let Step::Asking(asking) = self.walk.step() else { return json!(true).into() };
        let contents = fitting(&asking.question, &self.form.host().limits);
        if contents.is_empty() {
            return json!(true).into();
        }
        let note = (asking.question.notes && self.dice.once_in(2))
            .then(|| self.dice.pick(&["a note", "\n\"", "  "]).to_owned());
        Given { content: self.dice.pick(&contents), note, remember: asking.remember && self.dice.once_in(3) }
    }

    fn verdict(&mut self) -> Verdict {
        let consultation = self.walk.consultation();
        let open = match self.walk.step() {
            Step::Asking(asking) if !asking.question.answer_type.is_secret() => {
                fitting(&asking.question, &Limits::default())
            }
            _ => Vec::new(),
        };
        let mut answers: Vec<Value> = open
            .into_iter()
            .filter_map(|content| match content {
                Content::Value(value) => Some(value),
                Content::Other { text, beside } if beside.is_empty() => Some(text.into()),
                _ => None,
            })
            .collect();
        answers.extend([json!(false), json!({ "unfit": [1] })]);
        let record = match (consultation, self.dice.once_in(8)) {
            (Some(consultation), false) => consultation.record,
            (Some(consultation), true) => format!("{}0", consultation.record),
            (None, _) => "call_1.q0.1".into(),
        };
        let reason = self.dice.pick(&[Some("It is so."), None, Some(""), Some("why\n\"not\"")]).map(str::to_owned);
        Verdict {
            record,
            reason,
            answer: self.dice.pick(&answers),
            model: self.dice.pick(&[None, Some("m".into()), Some(String::new())]),
        }
    }

    /// The same form with its schemas: what a saved walk is resumed as.
    fn settled(&self) -> Walk {
        let mut walk = self.walk.clone();
        if !walk.is_checked() {
            walk.accept(self.form.clone()).unwrap();
        }
        walk
    }

    fn resume(&mut self) -> Result<(), TestCaseError> {
        let secrets = secrets_before(&self.walk);
        self.walk = resumed(&self.form, &self.walk)?;
        if secrets {
            // What was said after the secret is a draft now.
            let by = |wanted: fn(&By) -> bool| {
                let count = |event: &&Event| matches!(event, Event::Answered { taken, .. } if wanted(&taken.by));
                self.walk.events().iter().filter(count).count()
            };
            self.said = (by(|by| matches!(by, By::Person { .. })), by(|by| matches!(by, By::Assistant(_))));
        }
        self.check()
    }

    /// Several answers at once are taken as if given one by one, or all refused.
    fn page(&mut self) -> Result<(), TestCaseError> {
        let before = self.walk.clone();
        let (mut alone, mut answers, mut refused) = (before.clone(), Vec::new(), None);
        for _ in 0..=self.dice.roll(5) {
            let mut next = Self { walk: alone.clone(), ..self.clone() };
            let Step::Asking(asking) = alone.step() else { break };
            let given = if self.dice.once_in(6) { json!({ "unfit": 1 }).into() } else { next.fitting() };
            self.dice = next.dice;
            let id = if self.dice.once_in(12) { "none".to_owned() } else { asking.question.id.clone() };
            let taken = match id == asking.question.id {
                true => alone.act(Action::Answer(given.clone())),
                false => Err(Refusal::NotAllowed(NotAllowed::NOT_ASKED)),
            };
            answers.push((id.clone(), given));
            if let Err(refusal) = taken {
                refused = Some((answers.len() - 1, refusal));
                break;
            }
        }
        if refused.is_none() {
            // A page that holds these answers asks the same questions, and the next one. It ends before a tool call.
            let shown: Vec<String> = before.page(answers.clone()).iter().map(|one| one.question.id.clone()).collect();
            let open = match alone.step() {
                Step::Asking(asking) if asking.asks == Asks::Person => Some(asking.question.id.clone()),
                _ => None,
            };
            let asked = answers.iter().map(|(id, _)| id).chain(&open);
            let is_call = |id: &&String| {
                let question = before.form().questions().iter().find(|question| question.id == **id);
                question.is_some_and(|question| question.answer_type.name() == "approval")
            };
            let asked: Vec<&String> = asked.take_while(|id| !is_call(id)).collect();
            prop_assert!(shown.len() >= asked.len() && shown.iter().zip(&asked).all(|(one, other)| one == *other));
        }
        if refused.is_some() {
            // More answers after the refused one, to questions that may or may not be asked.
            let more = before.form().questions().iter().rev().take(2);
            answers.extend(more.map(|question| (question.id.clone(), json!({ "unfit": 1 }).into())));
        }
        match (self.walk.answer_all(answers.clone()), refused) {
            (Ok(()), None) => {
                prop_assert_eq!(&self.walk, &alone);
                self.said.0 += answers.len();
            }
            (Err(Refusal::Answers { refused: named }), Some((first, refusal))) => {
                prop_assert_eq!(&self.walk, &before);
                prop_assert_eq!((&named[0].question, named[0].refusal.code()), (&answers[first].0, refusal.code()));
                let limits = &self.form.host().limits;
                let unfit = answers[first + 1..].iter().filter(|(id, given)| {
                    let question = before.form().questions().iter().find(|question| question.id == *id).unwrap();
                    !takes(question, &given.content, limits)
                });
                let unfit: Vec<&String> = unfit.map(|(id, _)| id).collect();
                // With little work left, more may be refused.
                let named: Vec<&String> = named[1..].iter().map(|one| &one.question).collect();
                let every = limits.work < Limits::default().work && unfit.iter().all(|id| named.contains(id));
                prop_assert!(every || named == unfit, "{:?} {:?}", named, unfit);
            }
            (Err(Refusal::Finished), None) => prop_assert!(answers.is_empty()),
            (taken, refused) => prop_assert!(false, "{:?} where {:?} was expected", taken, refused),
        }
        self.check()
    }

    /// Plain answers to all that is asked are taken as if given one by one. With one of them wrong, none is, and that one is named.
    fn plain(&mut self) -> Result<(), TestCaseError> {
        let before = self.walk.clone();
        let (mut alone, mut answers, mut last) = (before.clone(), serde_json::Map::new(), None);
        while let (Step::Asking(asking), None) = (alone.step(), alone.consultation()) {
            let limits = &self.form.host().limits;
            let values = fitting(&asking.question, limits).into_iter().filter_map(|content| match content {
                Content::Value(value) => Some(value),
                Content::Other { text, beside }
                    if beside.is_empty() && asking.question.answer_type.name() == "select" =>
                {
                    Some(text.into())
                }
                _ => None,
            });
            let values: Vec<Value> = values.collect();
            if values.is_empty() {
                break;
            }
            let value = self.dice.pick(&values);
            // A text that is an option is one, however it was meant.
            if alone.act(Action::Answer(value.clone().into())).is_err() {
                let other = Content::Other { text: value.as_str().unwrap_or_default().into(), beside: Vec::new() };
                if alone.act(Action::Answer(Given::new(other))).is_err() {
                    break;
                }
            }
            last = Some(asking.question.id.clone());
            answers.insert(asking.question.id.clone(), value);
        }
        // What is not asked may be null.
        let skipped = self.form.questions().iter().filter(|question| !answers.contains_key(&question.id));
        let skipped: Vec<String> = skipped.map(|question| question.id.clone()).collect();
        if self.dice.once_in(2) {
            let open = match alone.step() {
                Step::Asking(asking) if alone.consultation().is_none() => Some(asking.question.id.clone()),
                _ => None,
            };
            answers.extend(skipped.into_iter().filter(|id| Some(id) != open.as_ref()).map(|id| (id, Value::Null)));
        }
        if let Step::Review(_) = alone.step() {
            alone.act(Action::Submit).unwrap();
        }
        let whole = match alone.step() {
            Step::Asking(_) => alone.consultation().is_some(),
            Step::Done { .. } | Step::Checking | Step::Waiting { .. } => true,
            Step::Review(_) => false,
        };
        if let (Some(last), true) = (&last, self.dice.once_in(3)) {
            let mut wrong = answers.clone();
            wrong.insert(last.clone(), json!({ "unfit": [1] }));
            let question = self.form.questions().iter().find(|question| question.id == *last).unwrap();
            if !takes(question, &Content::Value(wrong[last].clone()), &self.form.host().limits) {
                match self.walk.answers(wrong) {
                    Err(Refusal::Answers { refused }) => {
                        prop_assert!(refused.iter().any(|one| one.question == *last), "{:?}", refused);
                    }
                    taken => prop_assert!(false, "{:?}", taken),
                }
                prop_assert_eq!(&self.walk, &before);
            }
        }
        let taken = self.walk.answers(answers.clone().into_iter().rev().collect());
        match taken {
            Ok(()) => {
                prop_assert!(whole, "a question is left");
                prop_assert_eq!(&self.walk, &alone);
                self.said.0 = self.said.0.saturating_add(alone.events().iter().skip(before.events().len()).filter(|event| {
                    matches!(event, Event::Answered { taken, .. } if matches!(taken.by, By::Person { .. }))
                }).count());
            }
            Err(Refusal::Finished) => {
                prop_assert!(matches!(before.step(), Step::Done { .. } | Step::Checking), "finished")
            }
            Err(refusal) => prop_assert!(!whole, "{:?} of {:?}", refusal, answers),
        }
        self.check()
    }

    /// What holds of a walk at every step.
    pub fn check(&self) -> Result<(), TestCaseError> {
        let walk = &self.walk;
        let records: Vec<Record> = walk.records().collect();
        check_pairs(&records, matches!(walk.step(), Step::Done { .. }))?;
        self.check_step()?;
        self.check_json()?;
        self.check_authors(&records)?;
        self.check_conditions()?;
        self.check_nothing_leaks()?;
        self.can_reopen()?;
        if !walk.is_whole() {
            return Ok(());
        }
        let settled = self.settled();
        let again = resumed(&self.form, walk)?;
        if !secrets_before(&settled) {
            prop_assert_eq!(again, settled);
        }
        Ok(())
    }

    /// What is read from JSON is written as the same JSON.
    fn check_json(&self) -> Result<(), TestCaseError> {
        let walk = &self.walk;
        let step = walk.step();
        let shown = json!(step);
        check_read::<Step>(&shown)?;
        let part = match &step {
            Step::Asking(asking) => json!(asking),
            Step::Review(review) => json!(review),
            Step::Waiting { back } => json!({ "back": back }),
            Step::Checking | Step::Done { .. } => Value::Null,
        };
        for (name, value) in part.as_object().into_iter().flatten() {
            prop_assert_eq!(&shown[name], value);
        }
        prop_assert_eq!(
            part["back"].is_boolean(),
            matches!(step, Step::Asking(_) | Step::Review(_) | Step::Waiting { .. })
        );
        check_read::<Vec<Event>>(&json!(walk.events()))?;
        check_read::<Turn>(&json!(walk.turn()))?;
        check_read::<Option<Consultation>>(&json!(walk.consultation()))?;
        check_read::<Option<Outcome>>(&json!(walk.outcome()))?;
        check_read::<Host>(&json!(self.form.host()))
    }

    fn check_step(&self) -> Result<(), TestCaseError> {
        let (step, host) = (self.walk.step(), self.form.host());
        prop_assert_eq!(self.walk.accepted().is_some(), self.walk.is_checked());
        let offered = match &step {
            Step::Asking(asking) => Some(asking.back),
            Step::Review(review) => Some(review.back),
            Step::Waiting { back } => Some(*back),
            Step::Done { .. } => Some(false),
            Step::Checking => None,
        };
        if let Some(offered) = offered {
            prop_assert_eq!(self.walk.clone().act(Action::Back).is_ok(), offered);
        }
        prop_assert_eq!(self.walk.outcome().is_some(), matches!(step, Step::Done { .. }));
        let Step::Asking(asking) = step else { return Ok(()) };
        let personal = matches!(asking.question.answer_type, AnswerType::Secret | AnswerType::Url(_))
            || host.is_exclusive(&asking.question.id);
        prop_assert!(asking.asks == Asks::Person || !personal, "{} is put to an assistant", asking.question.id);
        prop_assert!(asking.asks == Asks::Assistant || host.attached, "nobody is there to answer");
        prop_assert_eq!(self.walk.consultation().is_some(), asking.asks == Asks::Assistant);
        prop_assert_eq!(
            self.walk.template().is_some(),
            (self.walk.is_checked() || !self.walk.is_whole())
                && asking.asks == Asks::Person
                && match &asking.question.answer_type {
                    // A schema that states nothing has no template.
                    AnswerType::Schema { schema } => {
                        schema.compiled().is_some_and(|compiled| compiled.template().is_some())
                    }
                    _ => false,
                }
        );
        Ok(())
    }

    /// Every answer has an author who was entitled to give it, and gave it.
    fn check_authors(&self, records: &[Record]) -> Result<(), TestCaseError> {
        let host = self.form.host();
        let (mut person, mut assistant) = (0, 0);
        let mut asked: BTreeMap<String, &Request> = BTreeMap::new();
        for record in records {
            if let Record::Request(request) = record {
                asked.insert(request.id.clone(), request);
            }
        }
        for event in self.walk.events() {
            let Event::Answered { question, attempt, taken, .. } = event else { continue };
            let question = &self.walk.form().questions()[*question];
            let value = taken.answer.shown();
            // What cannot be undone, nobody but the person does, and the host by its configuration.
            let is_personal = matches!(taken.by, By::Person { remember: false } | By::Configuration);
            prop_assert!(is_personal || !taken.answer.is_dangerous(question), "{:?}", taken);
            prop_assert!(!matches!(taken.by, By::Assistant(_)) || !question.has_danger(), "{:?}", taken);
            match &taken.by {
                By::Person { .. } => person += 1,
                By::Assistant(_) => assistant += 1,
                By::Remembered => {
                    let entry =
                        host.turn.remembered.get(&format!("{}.{}", self.form.asking_tool(), question.id)).unwrap();
                    let request = asked[&format!("{}.{}.{attempt}", host.tool_call_id, question.id)];
                    let mut seen = (*request.question).clone();
                    seen.as_object_mut().unwrap().shift_remove("default");
                    if let Some(message) = question.message.as_deref().or(self.form.message()) {
                        seen["message"] = message.into();
                    }
                    prop_assert_eq!((&entry.question, &entry.answer), (&seen, &value));
                }
                By::Configuration => match question.answer_type.is_secret() {
                    true => prop_assert!(
                        host.secret_answers.get(&question.id).or(host.static_answers.get(&question.id)).is_some()
                    ),
                    false => prop_assert!(host.static_answers.contains_key(&question.id)),
                },
                By::Default => prop_assert!(question.default.is_some() && !host.attached),
            }
        }
        prop_assert_eq!((person, assistant), self.said);
        Ok(())
    }

    /// What was answered was to be asked; and at the end, what was to be asked is answered.
    fn check_conditions(&self) -> Result<(), TestCaseError> {
        let answers: Vec<(&Question, Option<&Taken>)> = self.walk.answered().collect();
        let known = condition::answers(&self.walk);
        let when = |place: usize| self.sample.request.get("questions")?.get(place)?.get("when");
        for (place, (question, taken)) in answers.iter().enumerate() {
            prop_assert_eq!(question.when.is_some(), when(place).is_some());
            let asked = when(place).is_none_or(|when| condition::holds(when, &known));
            prop_assert!(asked || taken.is_none(), "{} has an answer and was not to be asked", question.id);
            if self.walk.ending() == Some(&Ending::Completed) {
                prop_assert_eq!(asked, taken.is_some(), "{} was to be asked, and has no answer", question.id);
            }
        }
        if let (Some(outcome), "ask_user") = (self.walk.outcome(), self.form.dialect())
            && let (Some(Ending::Completed), true) =
                (self.walk.ending(), self.sample.request.get("questions").is_some())
        {
            let expected = answers.iter().map(|(question, taken)| {
                (question.id.clone(), taken.map_or(Value::Null, |taken| taken.answer.shown()))
            });
            prop_assert_eq!(outcome.result.unwrap().to_string(), Value::Object(expected.collect()).to_string());
        }
        Ok(())
    }

    /// No secret and no static answer that does not fit is in anything that a walk gives away.
    fn check_nothing_leaks(&self) -> Result<(), TestCaseError> {
        let walk = &self.walk;
        let reveals = self.sample.dialect == ask_user_core::Dialect::Codex;
        let outcome = walk.outcome().map(|outcome| {
            let result = if reveals { Value::Null } else { json!(outcome.result) };
            format!("{result} {:?} {:?} {:?}", outcome.reply(), outcome.error(), outcome.explanation)
        });
        let seen = [
            walk.records().map(|record| json!(record).to_string()).collect(),
            walk.save().to_string(),
            json!(walk.step()).to_string(),
            json!(walk.turn()).to_string(),
            json!(walk.events()).to_string(),
            json!(walk.consultation()).to_string(),
            walk.idempotency_key(),
            format!("{walk:?}"),
            format!("{:?} {:?}", self.form, walk.events()),
            outcome.unwrap_or_default(),
        ];
        for (place, text) in seen.iter().enumerate() {
            prop_assert!(!text.contains(SECRET), "projection {} shows a secret: {}", place, text);
            // A remembered answer that does not fit is the person's own; it stands in the turn that it came in.
            let unfit = text.contains(UNFIT) && place != 3;
            prop_assert!(!unfit || self.remembers_unfit(), "projection {} shows a static answer: {}", place, text);
        }
        Ok(())
    }

    fn remembers_unfit(&self) -> bool {
        json!(self.form.host().turn).to_string().contains(UNFIT)
    }
}

impl Journey {
    /// An ending that a host refuses can be taken back: the walk is as it was before, and can end otherwise.
    pub fn can_reopen(&self) -> Result<(), TestCaseError> {
        let Some(mut again) = self.walk.reopened() else { return Ok(()) };
        prop_assert!(again.ending().is_none());
        prop_assert!(self.walk.events().starts_with(again.events()));
        let asks = |walk: &Walk| matches!(walk.step(), Step::Asking(_) | Step::Review(_));
        prop_assert!(asks(&again), "{:?}", again.step());
        if again.accepted().is_some() {
            prop_assert!(asks(&resumed(&self.form, &again)?));
        }
        prop_assert_eq!(again.act(Action::EndTurn), Ok(()));
        let is_same = self.walk.ending() == Some(&Ending::TurnEnded);
        prop_assert!(is_same || again.idempotency_key() != self.walk.idempotency_key());
        Ok(())
    }

    /// A host that had the whole form, with its schemas, from the beginning continues the walk of a client as the client walked it.
    pub fn is_believed(&self) -> Result<(), TestCaseError> {
        let (host, client) = (Walk::new(self.form.clone()), &self.walk);
        let spoken_for = client.save()["log"].as_array().unwrap().iter().any(|line| line[0] == "verdict");
        if spoken_for || !client.form().host().attached || host.ending().is_some() {
            return Ok(());
        }
        let continued = host.continued(&client.response());
        let continued = continued.map_err(|error| TestCaseError::fail(error.to_string()))?;
        let ends = |walk: &Walk| walk.outcome().map(|outcome| outcome.ends());
        prop_assert_eq!(ends(&continued), ends(client));
        // A host may have answered the first questions itself before a client with fewer of them, or no schemas, could.
        let is_done = |event: &&Event| {
            !matches!(event, Event::Came { .. } | Event::Waiting { .. } | Event::Unchecked | Event::Accepted)
        };
        let (mut own, mut theirs) = (host.events().iter().filter(is_done), client.events().iter().filter(is_done));
        if own.all(|event| theirs.next() == Some(event)) {
            prop_assert_eq!(continued.step(), client.step());
            prop_assert_eq!(continued.outcome(), client.outcome());
            prop_assert_eq!(continued.idempotency_key(), client.idempotency_key());
            prop_assert!(continued.records().eq(client.records()));
        } else if ends(&continued) == Some(Ends::Completed) {
            prop_assert_eq!(continued.outcome(), client.outcome());
        }
        resumed(&self.form, &continued)?;
        Ok(())
    }
}

/// A walk that was saved as text, by a store that puts keys into an order of its own, and resumed.
pub fn resumed(form: &Form, walk: &Walk) -> Result<Walk, TestCaseError> {
    let saved = stored(&walk.save());
    let saved = serde_json::from_str(&saved.to_string()).unwrap();
    let resumed =
        Walk::resume(form.clone(), &saved).map_err(|error| TestCaseError::fail(format!("{error}: {saved}")))?;
    let first = walk
        .events()
        .iter()
        .position(|event| matches!(event, Event::Answered { taken, .. } if taken.answer.is_secret()));
    let kept = first.unwrap_or(walk.events().len());
    prop_assert_eq!(&resumed.events()[..kept], &walk.events()[..kept]);
    let missing = |walk: &Walk| {
        walk.answered()
            .any(|(_, taken)| taken.is_some_and(|taken| taken.answer.is_secret() && taken.answer.secret().is_none()))
    };
    let over = matches!(resumed.ending(), Some(Ending::TurnEnded | Ending::Failed(_) | Ending::Replied { .. }));
    prop_assert!(over || !missing(&resumed), "a walk goes on without its secret");
    if secrets_before(walk) && !over {
        let last =
            resumed.events().iter().rposition(|event| matches!(event, Event::Returned { by: Return::Resume, .. }));
        prop_assert!(last.is_some() || resumed == *walk || !has_secret(walk));
    }
    Ok(resumed)
}

/// A value as a store of binary JSON gives it back: keys by length, then by their bytes.
pub fn stored(value: &Value) -> Value {
    match value {
        Value::Array(items) => items.iter().map(stored).collect(),
        Value::Object(fields) => {
            let mut fields: Vec<(String, Value)> =
                fields.iter().map(|(key, value)| (key.clone(), stored(value))).collect();
            fields.sort_by(|(a, _), (b, _)| (a.len(), a).cmp(&(b.len(), b)));
            Value::Object(fields.into_iter().collect())
        }
        scalar => scalar.clone(),
    }
}

/// Whether the person was ever asked for a secret and gave it.
pub fn secrets_before(walk: &Walk) -> bool {
    walk.events().iter().any(|event| {
        matches!(event, Event::Answered { taken, .. } if taken.answer.is_secret() && matches!(taken.by, By::Person { .. }))
    })
}

fn has_secret(walk: &Walk) -> bool {
    walk.answered()
        .any(|(_, taken)| taken.is_some_and(|taken| taken.answer.is_secret() && matches!(taken.by, By::Person { .. })))
}

/// Every request has one response after it, the open question's aside, and no response is alone.
pub fn check_pairs(records: &[Record], ended: bool) -> Result<(), TestCaseError> {
    let mut open = BTreeMap::new();
    for record in records {
        match record {
            Record::Request(_) => prop_assert!(open.insert(record.id(), true).is_none(), "{} twice", record.id()),
            Record::Response(_) => {
                prop_assert_eq!(open.insert(record.id(), false), Some(true), "{} closes nothing", record.id());
            }
        }
    }
    let left = open.values().filter(|open| **open).count();
    prop_assert!(left <= usize::from(!ended), "{left} requests have no response");
    let reads = |record: &Record| serde_json::from_value::<Record>(json!(record)).is_ok_and(|read| read == *record);
    prop_assert!(records.iter().all(reads));
    let secret = |record: &&Record| matches!(record, Record::Response(Response::Redacted { .. }));
    prop_assert!(!json!(records.iter().filter(secret).collect::<Vec<_>>()).to_string().contains("answer\""));
    Ok(())
}

fn check_read<T: Serialize + DeserializeOwned>(json: &Value) -> Result<(), TestCaseError> {
    let read = serde_json::from_value::<T>(json.clone());
    prop_assert!(read.is_ok(), "{} in {}", read.err().unwrap(), json);
    prop_assert_eq!(&json!(read.unwrap()), json);
    Ok(())
}

/// Back after an answer asks the same question again, with that answer as its draft.
fn check_back(before: &Walk, action: &Action, after: &Walk) -> Result<(), TestCaseError> {
    let (Step::Asking(asked), Action::Answer(given)) = (before.step(), action) else { return Ok(()) };
    if after.is_over() || matches!(after.step(), Step::Checking) {
        return Ok(());
    }
    let mut again = after.clone();
    prop_assert_eq!(again.act(Action::Back), Ok(()), "Back is not offered after an answer");
    let Step::Asking(restored) = again.step() else { return Err(TestCaseError::fail("Back leads to no question")) };
    prop_assert_eq!(&restored.question, &asked.question);
    prop_assert_eq!((restored.back, restored.progress), (asked.back, asked.progress));
    prop_assert_eq!((restored.asks, &restored.advice), (asked.asks, &asked.advice));
    if asked.question.answer_type.is_secret() {
        prop_assert_eq!((restored.draft, restored.draft_text, restored.draft_note), (None, None, None));
        return Ok(());
    }
    let taken = ask_user_core::Answer::new(
        &asked.question,
        given.content.clone(),
        &Limits::default(),
        &mut ask_user_core::Budget::default(),
    );
    let taken = taken.unwrap();
    prop_assert_eq!(restored.draft_other, taken.other().is_some());
    prop_assert_eq!(restored.draft_text, taken.exact_text());
    prop_assert_eq!(restored.draft.unwrap_or_default(), taken.shown());
    let note = given.note.clone().filter(|note| !note.trim().is_empty());
    prop_assert_eq!(restored.draft_note, note);
    Ok(())
}
