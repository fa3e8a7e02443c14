//! Saving and resuming. A saved walk is what happened, in order; resuming does it again. Every value in it is kept as
//! JSON text, since stores of JSON (JavaScript's among them) rewrite numbers and reorder keys.

use super::{
    Action, Asks, Place, Walk,
    next::{Conclusion, Next, misfit},
};
use crate::{
    answer::{Answer, Given},
    form::{Form, Question},
    host::Limits,
    json::{self, Fingerprint, Measure},
    outcome::{Ending, Failure},
    problem::{Refusal, Unresumable, object},
    route::{Advice, Unrouted, is_personal},
};
use serde_json::{Map, Value};
use std::{collections::VecDeque, sync::Arc};

/// The version of the format.
const VERSION: u64 = 1;
/// How many things may have happened in a walk that is to be resumed.
const LENGTH: usize = 100_000;

/// Something that happened in a walk.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Entry {
    Answered {
        place: usize,
        answer: Answer,
        remember: bool,
    },
    Automatic {
        place: usize,
        answer: Answer,
    },
    /// Nobody was asked.
    Failed {
        place: usize,
        code: &'static str,
    },
    /// An assistant answered.
    Assistant {
        place: usize,
        answer: Answer,
        advice: Advice,
    },
    /// An assistant said no, and somebody else has the last word.
    Advised {
        place: usize,
        advice: Advice,
    },
    /// An assistant was asked in vain.
    InVain {
        place: usize,
    },
    Back,
    Replied {
        text: Option<String>,
    },
    EndTurn,
    Submitted,
    Changed {
        place: usize,
    },
    /// Resumed without the secret that this question was answered with.
    Rewound {
        place: usize,
    },
}

/// Where answers that need nobody come from: the host, or what was saved.
pub(super) enum Script<'a> {
    Live,
    Saved(Saved<'a>),
}

/// What was saved and is still to be done.
pub(super) struct Saved<'a> {
    lines: VecDeque<Line>,
    /// How many entries of the log are believed in what they say of the host and of assistants. What comes after was
    /// written by somebody who speaks for the person alone.
    believed: usize,
    /// Secrets, by question id: they are not in the lines.
    secrets: &'a Map<String, Value>,
}

/// An entry as it was saved.
pub(super) struct Line {
    kind: Kind,
    id: String,
    /// The answer as JSON text; none for a secret.
    value: Option<String>,
    /// Whether a text stands in place of an option.
    other: bool,
    note: Option<String>,
    /// The name of an assistant's model.
    model: Option<String>,
}

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Answered,
    Remembered,
    Automatic,
    Failed,
    Assistant,
    Advised,
    InVain,
    Back,
    Replied,
    EndTurn,
    Submitted,
    Changed,
    Rewound,
}

const KINDS: [(&str, Kind); 13] = [
    ("answered", Kind::Answered),
    ("remembered", Kind::Remembered),
    ("automatic", Kind::Automatic),
    ("failed", Kind::Failed),
    ("assistant", Kind::Assistant),
    ("advised", Kind::Advised),
    ("in_vain", Kind::InVain),
    ("back", Kind::Back),
    ("replied", Kind::Replied),
    ("end_turn", Kind::EndTurn),
    ("submitted", Kind::Submitted),
    ("changed", Kind::Changed),
    ("rewound", Kind::Rewound),
];

impl Script<'_> {
    /// What is to be done about a question whose turn it is: what was done, as far as it was saved.
    pub(super) fn next(&mut self, walk: &Walk, place: usize, question: &Question) -> Next {
        let Self::Saved(saved) = self else { return walk.next(place, question) };
        let lines = &mut saved.lines;
        if walk.log.len() >= saved.believed {
            lines.pop_front_if(|line| matches!(line.kind, Kind::Automatic | Kind::Failed) && line.id == question.id);
            return walk.next(place, question);
        }
        let Some(line) = lines.front() else { return walk.routed(place, question) };
        match line.kind {
            Kind::Assistant | Kind::Advised | Kind::InVain if line.id == question.id => {
                return Next::Ask(Asks::Assistant);
            }
            Kind::Automatic | Kind::Failed if line.id == question.id => {}
            _ => return Next::Ask(Asks::Person),
        }
        let Some(line) = lines.pop_front() else { return Next::Unchecked };
        match (line.kind, line.value) {
            (Kind::Failed, code) => failed(walk, place, question, &code.unwrap_or_default()),
            (_, Some(text)) => match saved_answer(question, &text, &walk.form.host().limits) {
                Ok(answer) => Next::Take(answer),
                Err(_) => Next::Ask(Asks::Person),
            },
            (_, None) => match walk.prepared(question) {
                Some(Next::Take(answer)) => Next::Take(answer),
                _ => Answer::missing(question).map_or(Next::Ask(Asks::Person), Next::Take),
            },
        }
    }

    /// The answer that a person gives. What was saved of a secret is that it was given.
    pub(super) fn answer(&self, question: &Question, given: Given, limits: &Limits) -> Result<Answer, Refusal> {
        match (self, Answer::missing(question)) {
            (Self::Saved(saved), Some(missing)) => match saved.secrets.get(&question.id) {
                Some(secret) => Answer::new(question, secret.clone().into(), limits),
                None => Ok(missing),
            },
            _ => Answer::new(question, given, limits),
        }
    }
}

/// The failure that was saved: as the host's options tell it now, or by its code alone.
fn failed(walk: &Walk, place: usize, question: &Question, code: &str) -> Next {
    match walk.next(place, question) {
        Next::Fail(failure) if failure.code() == code => Next::Fail(failure),
        _ => {
            let all = [Unrouted::NoPromptBackend, Unrouted::AssistantRoutingDenied, Unrouted::NoDefault];
            match all.into_iter().find(|why| why.code() == code) {
                Some(why) => Next::Fail(Failure::Unrouted { question: question.id.clone(), why }),
                None => misfit(question, Refusal::Required),
            }
        }
    }
}

pub(super) fn save(walk: &Walk) -> Value {
    let id = |place: &usize| walk.form.questions.get(*place).map_or("", |question| question.id.as_str());
    let text = Answer::text;
    let lines = walk.log.iter().map(|entry| {
        let (word, id, value) = match entry {
            Entry::Answered { place, answer, remember: false } => ("answered", id(place), text(answer)),
            Entry::Answered { place, answer, remember: true } => ("remembered", id(place), text(answer)),
            Entry::Automatic { place, answer } => ("automatic", id(place), text(answer)),
            Entry::Failed { place, code } => ("failed", id(place), Some((*code).to_owned())),
            Entry::Assistant { place, answer, .. } => ("assistant", id(place), text(answer)),
            Entry::Advised { place, .. } => ("advised", id(place), Some(String::from("false"))),
            Entry::InVain { place } => ("in_vain", id(place), None),
            Entry::Back => ("back", "", None),
            Entry::Replied { text } => ("replied", "", text.clone()),
            Entry::EndTurn => ("end_turn", "", None),
            Entry::Submitted => ("submitted", "", None),
            Entry::Changed { place } => ("changed", id(place), None),
            Entry::Rewound { place } => ("rewound", id(place), None),
        };
        let mut line: Vec<Value> = vec![word.into(), id.into()];
        line.extend(value.map(Value::from));
        match entry {
            Entry::Answered { answer, .. } => line.extend(beside(answer)),
            Entry::Assistant { advice, .. } | Entry::Advised { advice, .. } => {
                line.extend(["".into(), advice.reason.as_str().into()]);
                line.extend(advice.model.as_deref().map(Value::from));
            }
            _ => {}
        }
        Value::Array(line)
    });
    let lines = Value::Array(lines.collect());
    let attempts: Value = walk.first_attempts.iter().map(u64::to_string).collect();
    let checksum = checksum(&walk.form, &attempts, &lines);
    Value::Object(object([
        ("ask_user_walk", VERSION.into()),
        ("form", walk.form.fingerprint.as_str().into()),
        ("attempts", attempts),
        ("log", lines),
        ("checksum", checksum.into()),
    ]))
}

/// What stands beside an answer, where anything does: whether it is a text in place of an option, and the note.
fn beside(answer: &Answer) -> impl Iterator<Item = Value> {
    let other = if answer.other().is_some() { "other" } else { "" };
    let shown = !other.is_empty() || answer.note().is_some();
    shown.then(|| other.into()).into_iter().chain(answer.note().map(Value::from))
}

pub(super) fn resume(form: Form, saved: &Value) -> Result<Walk, Unresumable> {
    let (attempts, lines) = read(&form, saved)?;
    let secrets = Map::new();
    let saved = Saved { lines, believed: usize::MAX, secrets: &secrets };
    replay(form, attempts, saved).map_err(|reason| Unresumable::Tampered { reason })
}

pub(super) fn continued(walk: &Walk, saved: &Value, secrets: &Map<String, Value>) -> Result<Walk, Unresumable> {
    let (attempts, lines) = read(&walk.form, saved)?;
    let form = Form::clone(&walk.form);
    let replayed = if attempts == walk.first_attempts {
        replay(form, attempts, Saved { lines, believed: walk.log.len(), secrets })
    } else {
        Err("it counts other attempts".to_owned())
    };
    let replayed = replayed.map_err(|reason| Unresumable::Tampered { reason })?;
    if replayed.log.starts_with(&walk.log) {
        return Ok(replayed);
    }
    Err(Unresumable::Tampered { reason: "it does not begin as this walk does".into() })
}

/// The attempts and the lines of a saved walk that belongs to this form and is whole.
fn read(form: &Form, saved: &Value) -> Result<(Vec<u64>, VecDeque<Line>), Unresumable> {
    let not_one = |reason: &str| Unresumable::NotASavedWalk { reason: reason.to_owned() };
    let tampered = |reason: &str| Unresumable::Tampered { reason: reason.to_owned() };
    let fields = saved.as_object().ok_or_else(|| not_one("it is not an object"))?;
    match fields.get("ask_user_walk").map(Value::as_u64) {
        Some(Some(VERSION)) => {}
        Some(Some(_)) => return Err(Unresumable::OtherVersion),
        Some(None) | None => return Err(not_one("\"ask_user_walk\" is missing")),
    }
    // Ten times a request: a long walk with large answers, and an end to what is read.
    let bytes = form.host().limits.bytes.saturating_mul(10);
    if json::measure(saved, bytes, 4) != Measure::Fits {
        return Err(not_one("it is larger than any walk"));
    }
    let part = |key: &str| fields.get(key).ok_or_else(|| not_one(&format!("\"{key}\" is missing")));
    if part("form")?.as_str() != Some(&form.fingerprint) {
        return Err(Unresumable::OtherForm);
    }
    let (attempts, log) = (part("attempts")?, part("log")?);
    if part("checksum")?.as_str() != Some(&checksum(form, attempts, log)) {
        return Err(tampered("its checksum does not fit"));
    }
    let attempts: Option<Vec<u64>> =
        attempts.as_array().and_then(|list| list.iter().map(|count| count.as_str()?.parse().ok()).collect());
    let attempts = attempts.filter(|attempts| attempts.len() == form.questions.len());
    let lines = log.as_array().filter(|lines| lines.len() <= LENGTH);
    let lines: Option<VecDeque<Line>> = lines.and_then(|lines| lines.iter().map(Line::from_json).collect());
    attempts.zip(lines).ok_or_else(|| tampered("its steps cannot be read"))
}

/// Does again what was saved, then goes back to the first secret that is missing.
fn replay(form: Form, attempts: Vec<u64>, saved: Saved<'_>) -> Result<Walk, String> {
    let mut walk = Walk::blank(attempts, Arc::new(form));
    let mut script = Script::Saved(saved);
    walk.begin(&mut script);
    while let Script::Saved(saved) = &mut script {
        let believed = walk.log.len() < saved.believed;
        match saved.lines.pop_front() {
            Some(line) if line.kind == Kind::Rewound => {
                let place = walk.form.questions.iter().position(|question| question.id == line.id);
                let given = |place: &usize| {
                    let answer = walk.answers.get(*place).and_then(Option::as_ref);
                    answer.is_some_and(|answer| answer.open().is_none())
                };
                let place = place.filter(given).ok_or("it goes back to a secret that was not given")?;
                rewind(&mut walk, place, &mut script);
            }
            Some(line) if matches!(line.kind, Kind::Assistant | Kind::Advised) && !believed => {
                return Err(format!("this host asked no assistant for {:?}", line.id));
            }
            Some(line) if matches!(line.kind, Kind::Assistant | Kind::Advised | Kind::InVain) => {
                let (place, conclusion) = line.conclusion(&walk)?;
                walk.conclude(place, conclusion, &mut script);
            }
            Some(line) => {
                let action = line.action(&walk)?;
                walk.act_by(action, &mut script).map_err(|refusal| refusal.to_string())?;
            }
            None => break,
        }
    }
    // The end of a turn has no use for secrets, nor has a failure.
    let over = matches!(walk.place, Place::Ended(Ending::TurnEnded | Ending::Failed(_)));
    let missing = walk.answers.iter().position(|answer| is_missing(answer.as_ref()));
    if let (Some(place), false) = (missing, over) {
        rewind(&mut walk, place, &mut Script::Live);
    }
    Ok(walk)
}

fn is_missing(answer: Option<&Answer>) -> bool {
    answer.is_some_and(Answer::is_missing)
}

fn rewind(walk: &mut Walk, place: usize, script: &mut Script) {
    walk.log.push(Entry::Rewound { place });
    walk.return_to(place, script);
}

impl Line {
    fn from_json(line: &Value) -> Option<Self> {
        let mut parts = line.as_array()?.iter();
        let word = parts.next()?.as_str()?;
        let (_, kind) = KINDS.into_iter().find(|(name, _)| *name == word)?;
        let id = parts.next()?.as_str()?.to_owned();
        let mut text = || match parts.next() {
            Some(text) => text.as_str().map(|text| Some(text.to_owned())),
            None => Some(None),
        };
        let (value, other, note, model) = (text()?, text()?, text()?, text()?);
        Some(Self { kind, id, value, other: other.is_some_and(|other| other == "other"), note, model })
    }

    /// What an assistant said.
    fn conclusion(self, walk: &Walk) -> Result<(usize, Conclusion), String> {
        let nothing = format!("no assistant was asked for {:?} there", self.id);
        let place = walk.consulting().map_err(|_| nothing.clone())?;
        let question = walk.form.questions.get(place).filter(|question| question.id == self.id).ok_or(nothing)?;
        if is_personal(walk.form.host(), question) {
            return Err(format!("no assistant may be asked for {:?}", self.id));
        }
        let advice = Advice { reason: self.note.unwrap_or_default(), model: self.model };
        let conclusion = match (self.kind, self.value) {
            (Kind::Assistant, Some(text)) => {
                let answer = saved_answer(question, &text, &walk.form.host().limits);
                Conclusion::Answered(answer.map_err(|refusal| refusal.to_string())?, advice)
            }
            (Kind::Advised, _) => Conclusion::Advised(advice),
            _ => Conclusion::InVain,
        };
        Ok((place, conclusion))
    }

    /// What to do to make it happen again.
    fn action(self, walk: &Walk) -> Result<Action, String> {
        match self.kind {
            Kind::Answered | Kind::Remembered => {
                let (_, question) = walk.open_question().map_err(|refusal| refusal.to_string())?;
                if question.id != self.id {
                    return Err(format!("it answers {:?} where {:?} is asked", self.id, question.id));
                }
                let read = self.value.map_or_else(|| Ok(Given::default()), Given::read);
                let given = read.map_err(|refusal| refusal.to_string())?;
                let remember = self.kind == Kind::Remembered;
                Ok(Action::Answer(Given { other: self.other, note: self.note, remember, ..given }))
            }
            Kind::Back => Ok(Action::Back),
            Kind::Replied => Ok(Action::Reply(self.value)),
            Kind::EndTurn => Ok(Action::EndTurn),
            Kind::Submitted => Ok(Action::Submit),
            Kind::Changed => Ok(Action::Change(self.id)),
            Kind::Automatic | Kind::Failed | Kind::Assistant | Kind::Advised | Kind::InVain | Kind::Rewound => {
                Err(format!("nothing answers {:?} there", self.id))
            }
        }
    }
}

fn saved_answer(question: &Question, text: &str, limits: &Limits) -> Result<Answer, Refusal> {
    Answer::new(question, Given::read(text.to_owned())?, limits)
}

fn checksum(form: &Form, attempts: &Value, log: &Value) -> String {
    Fingerprint::new().text(&form.fingerprint).value(attempts).value(log).to_string()
}
