//! The saved walk: the actions in order. Every value in it is JSON text, since stores of JSON rewrite numbers and reorder keys. This module
//! decides nothing: a resumed walk decides the actions again.

use super::{
    event::{Action, Event, Return},
    state::{self, Known, Slot},
};
use crate::{
    answer::{Advice, Answer, By, Content, Given},
    form::Outline,
    host::Limits,
    json::{self, Fingerprint, parse, weigh},
    outcome::Ending,
    problem::{Unresumable, collected},
    question::Question,
    route::Verdict,
};
use serde_json::{Map, Value};
use std::borrow::Cow;

/// The version of the format.
const VERSION: u64 = 2;
/// The fields that the checksum covers: the fingerprint of the form; what makes idempotency keys unique; whether the walk began before the
/// schemas were compiled; how often the turn had asked the questions; the ids of the questions in order; what was done; how many
/// events there were, and their fingerprint.
const FIELDS: [&str; 7] = ["form", "nonce", "provisional", "attempts", "questions", "log", "events"];
/// The word for a walk that began while its request was still being written.
const GROWING: &str = "growing";
/// The word for what was done before the schemas were compiled, in the walk of a host that had compiled them.
const UNCHECKED: &str = "unchecked";
/// How deep a saved walk is nested: the fields, the log, a line.
const DEPTH: usize = 3;

/// A saved walk. Invariant: it has the version and a checksum that fits.
pub(super) struct Saved<'a> {
    fields: Cow<'a, Map<String, Value>>,
}

/// What a line says.
pub(super) enum Done {
    /// An action, and the id of the question that it answers, if it answers one.
    Acted(Action, Option<String>),
    /// The secret question with this id was answered. The value is not saved.
    Secret(String),
    /// The question with this id was asked again, since its secret was not there any more.
    Rewound(String),
    /// The form had so many questions from then on.
    Came(usize),
    /// The schemas were not compiled from then on.
    Unchecked,
    /// The whole form was there, and its schemas were compiled.
    Accepted,
}

impl<'a> Saved<'a> {
    /// The saved walk of these events.
    pub fn new(
        form: &Outline,
        nonce: Option<&str>,
        began: Known,
        slots: &[Slot],
        events: &[Event],
        drafts: Option<Value>,
    ) -> Self {
        let provisional = match began {
            Known::Whole => None,
            Known::Unchecked => Some(true.into()),
            Known::Part(_) => Some(GROWING.into()),
        };
        let mut counted = Map::new();
        for (question, slot) in form.questions.iter().zip(slots).filter(|(_, slot)| slot.before > 0) {
            counted.insert(question.id.clone(), slot.before.into());
        }
        let mut fields = collected(&mut [
            ("ask_user_walk", Some(VERSION.into())),
            ("form", Some(form.fingerprint.as_str().into())),
            ("nonce", nonce.map(Value::from)),
            ("provisional", provisional),
            ("attempts", (!counted.is_empty()).then_some(Value::Object(counted))),
            ("questions", Some(form.questions.iter().map(|question| question.id.as_str()).collect())),
            ("log", Some(events.iter().filter_map(|event| line_of(form, event)).collect())),
            ("events", Some(Value::Array(vec![events.len().into(), fingerprint(events).into()]))),
        ]);
        let sum = sum(&fields);
        fields.insert("checksum".into(), sum.into());
        fields.extend(drafts.map(|drafts| ("drafts".to_owned(), drafts)));
        Self { fields: Cow::Owned(fields) }
    }

    /// Reads a saved walk of this form.
    pub fn read(form: &Outline, saved: &'a Value) -> Result<Self, Unresumable> {
        let not_one = |reason: &str| Unresumable::NotASavedWalk { reason: reason.to_owned() };
        let fields = saved.as_object().ok_or_else(|| not_one("it is not an object"))?;
        match fields.get("ask_user_walk").ok_or_else(|| not_one("\"ask_user_walk\" is missing"))?.as_u64() {
            Some(VERSION) => {}
            Some(_) => return Err(Unresumable::OtherVersion),
            None => return Err(not_one("\"ask_user_walk\" is not a version")),
        }
        match fields.get("form").and_then(Value::as_str) {
            Some(found) if found == form.fingerprint => {}
            Some(_) => return Err(Unresumable::OtherForm),
            None => return Err(not_one("\"form\" is missing")),
        }
        let shallow =
            FIELDS.iter().filter_map(|name| fields.get(*name)).all(|field| weigh(field, usize::MAX, DEPTH).is_ok());
        if !shallow || fields.get("checksum").and_then(Value::as_str) != Some(&sum(fields)) {
            return Err(Unresumable::Tampered { reason: "its checksum does not fit".into() });
        }
        Ok(Self { fields: Cow::Borrowed(fields) })
    }

    /// The saved walk as JSON.
    pub fn into_json(self) -> Value {
        Value::Object(self.fields.into_owned())
    }

    pub fn nonce(&self) -> Option<&str> {
        self.fields.get("nonce")?.as_str()
    }

    pub fn began(&self) -> Known {
        match self.fields.get("provisional") {
            Some(Value::Bool(true)) => Known::Unchecked,
            Some(Value::String(word)) if word == GROWING => Known::Part(0),
            _ => Known::Whole,
        }
    }

    /// How often the turn had asked a question.
    pub fn attempts(&self, id: &str) -> u64 {
        self.fields.get("attempts").and_then(|attempts| attempts.get(id)?.as_u64()).unwrap_or_default()
    }

    /// What earlier forms left for the fields of this one. The checksum does not cover it: it answers nothing.
    pub fn drafts(&self) -> Option<&Map<String, Value>> {
        self.fields.get("drafts")?.as_object()
    }

    /// The ids of the questions, in order.
    pub fn questions(&self) -> Vec<&str> {
        self.list("questions").iter().filter_map(Value::as_str).collect()
    }

    /// What was done: the lines of the log.
    pub fn log(&self) -> &[Value] {
        self.list("log")
    }

    /// Whether the walk has this beginning.
    pub fn begins_as(&self, events: &[Event]) -> bool {
        let [Value::Number(count), Value::String(print)] = self.list("events") else { return false };
        let count = count.as_u64().and_then(|count| usize::try_from(count).ok());
        count.and_then(|count| events.get(..count)).is_some_and(|events| fingerprint(events) == *print)
    }

    /// Whether two walks began with the same questions and attempts.
    pub fn began_as(&self, other: &Saved<'_>) -> bool {
        ["questions", "attempts"].iter().all(|name| self.fields.get(*name) == other.fields.get(*name))
    }

    fn list(&self, name: &str) -> &[Value] {
        self.fields.get(name).and_then(Value::as_array).map_or(&[], Vec::as_slice)
    }
}

/// The fields of a saved walk that say what was done.
pub(super) fn own_fields(saved: &Value) -> Map<String, Value> {
    let own = ["ask_user_walk"].into_iter().chain(FIELDS).chain(["checksum"]);
    own.filter_map(|name| Some((name.to_owned(), saved.get(name)?.clone()))).collect()
}

/// The checksum of a saved walk. It detects damage. It is not a signature: whoever can write a saved walk can compute it.
fn sum(fields: &Map<String, Value>) -> String {
    let add = |print: Fingerprint, name: &&str| print.text(name).value(fields.get(*name).unwrap_or(&Value::Null));
    FIELDS.iter().fold(Fingerprint::new(), add).to_string()
}

/// The fingerprint of events. Secrets are not in it.
pub(super) fn fingerprint(events: &[Event]) -> String {
    let add = |print: Fingerprint, event: &Event| {
        let (question, attempt) = event.place().unwrap_or_default();
        let print = print.text(&format!("{question}.{attempt}"));
        match event {
            Event::Asked { asks, .. } => print.text(match asks {
                Some(super::event::Asks::Person) => "person",
                Some(super::event::Asks::Assistant) => "assistant",
                None => "nobody",
            }),
            Event::Answered { taken, .. } => {
                let (answer, other) =
                    (taken.answer.text().unwrap_or_default(), taken.answer.other().unwrap_or_default());
                let print =
                    print.text("answered").text(&answer).text(other).text(taken.note.as_deref().unwrap_or_default());
                match &taken.by {
                    By::Person { remember } => print.text(if *remember { "remember" } else { "person" }),
                    By::Remembered => print.text("remembered"),
                    By::Configuration => print.text("configuration"),
                    By::Default => print.text("default"),
                    By::Assistant(advice) => texts_of_advice(advice).into_iter().fold(print, Fingerprint::text),
                }
            }
            Event::Advised { answer, advice, .. } => {
                let print = print.text("advised").text(&json::text(&answer.shown()));
                texts_of_advice(advice).into_iter().fold(print, Fingerprint::text)
            }
            Event::Left { why, .. } => print.text("left").text(why.as_str()),
            Event::Returned { question, .. } => print.text("returned").text(&question.to_string()),
            Event::Reviewing | Event::Unchecked | Event::Accepted | Event::Came { .. } | Event::Waiting { .. } => {
                print.text("reviewing")
            }
            Event::Ended(ending) => match ending {
                Ending::Completed => print.text("completed"),
                Ending::Replied { text } => print.text("replied").text(text.as_deref().unwrap_or_default()),
                Ending::TurnEnded => print.text("turn_ended"),
                Ending::Expired => print.text("expired"),
                Ending::Failed(failure) => print.text(&failure.to_string()),
            },
        }
    };
    // An ending has the same fingerprint before and after the form is accepted, and whenever its questions came.
    events.iter().filter(|event| !event.is_of_form()).fold(Fingerprint::new(), add).to_string()
}

/// The line of an event that somebody's action led to: a word, and texts that belong to it. What the host answers is decided again.
fn line_of(form: &Outline, event: &Event) -> Option<Value> {
    let id = |place: usize| state::question(form, place).map(|question| question.id.as_str()).unwrap_or_default();
    let line = |word: &str, texts: &[&str]| Some([word].iter().chain(texts).copied().collect::<Value>());
    let verdict = |question: usize, answer: &Answer, advice: &Advice| {
        let [reason, model] = texts_of_advice(advice);
        line("verdict", &[id(question), &json::text(&answer.shown()), reason, model])
    };
    match event {
        Event::Answered { question, taken, .. } => {
            let note = taken.note.as_deref().unwrap_or_default();
            let (answer, other) = texts_of(&taken.answer);
            match &taken.by {
                By::Person { remember } => {
                    line(if *remember { "remember" } else { "answer" }, &[id(*question), &answer, other, note])
                }
                By::Assistant(advice) => verdict(*question, &taken.answer, advice),
                By::Remembered | By::Configuration | By::Default => None,
            }
        }
        Event::Advised { question, answer, advice, .. } => verdict(*question, answer, advice),
        Event::Left { question, why: crate::record::Cancelled::BackendError, .. } => {
            line("no_assistant", &[id(*question)])
        }
        Event::Returned { question, by } => match by {
            Return::Back => line("back", &[]),
            Return::Change => line("change", &[id(*question)]),
            Return::Resume => line("resume", &[id(*question)]),
        },
        Event::Ended(Ending::Replied { text: Some(text) }) => line("reply", &[text]),
        Event::Ended(Ending::Replied { text: None }) => line("reply", &[]),
        Event::Ended(Ending::TurnEnded) => line("end_turn", &[]),
        Event::Ended(Ending::Expired) => line("expired", &[]),
        Event::Ended(Ending::Completed) if form.review => line("submit", &[]),
        Event::Unchecked => line(UNCHECKED, &[]),
        Event::Accepted => line("accept", &[]),
        Event::Came { questions } => line("came", &[&questions.to_string()]),
        Event::Ended(_) | Event::Left { .. } | Event::Asked { .. } | Event::Reviewing | Event::Waiting { .. } => None,
    }
}

/// The action of a line. `secret` is the value of the secret that it answers, `record` is the id of the record of the open question. `None` if it is
/// not a line that [`line_of`] writes.
pub(super) fn done(
    line: &Value,
    limits: &Limits,
    open: Option<&Question>,
    record: Option<String>,
    secret: Option<&str>,
) -> Option<Done> {
    const PARTS: usize = 5;
    let parts = line.as_array().filter(|parts| parts.len() <= PARTS)?;
    let texts: Option<Vec<&str>> = parts.iter().map(Value::as_str).collect();
    let owned = |text: &str| text.to_owned();
    let unless_empty = |text: &str| Some(owned(text)).filter(|text| !text.is_empty());
    Some(match *texts?.as_slice() {
        [word @ ("answer" | "remember"), id, answer, other, note] => {
            let remember = word == "remember";
            let content = match (open.filter(|open| open.answer_type.is_secret()), secret) {
                (Some(open), _) if remember || !other.is_empty() || !(open.notes || note.is_empty()) => return None,
                (Some(_), None) => return Some(Done::Secret(owned(id))),
                (Some(_), Some(secret)) => Content::Value(secret.into()),
                (None, _) => given(answer, other, limits)?,
            };
            let given = Given { content, note: unless_empty(note), remember };
            Done::Acted(Action::Answer(given), Some(owned(id)))
        }
        ["verdict", id, answer, reason, model] => {
            let (record, answer, model) = (record?, parse(answer).ok()?, unless_empty(model));
            let verdict = Verdict { record, reason: unless_empty(reason), answer, model };
            Done::Acted(Action::Assistant(verdict), Some(owned(id)))
        }
        ["no_assistant", id] => Done::Acted(Action::NoAssistant, Some(owned(id))),
        ["back"] => Done::Acted(Action::Back, None),
        ["change", id] => Done::Acted(Action::Change(owned(id)), None),
        ["resume", id] => Done::Rewound(owned(id)),
        ["reply"] => Done::Acted(Action::Reply(None), None),
        ["reply", text] => Done::Acted(Action::Reply(Some(owned(text))), None),
        ["end_turn"] => Done::Acted(Action::EndTurn, None),
        ["expired"] => Done::Acted(Action::Expire, None),
        ["submit"] => Done::Acted(Action::Submit, None),
        [UNCHECKED] => Done::Unchecked,
        ["accept"] => Done::Accepted,
        ["came", questions] => Done::Came(questions.parse().ok()?),
        _ => return None,
    })
}

/// The lines of a client's log after those of the host's own, and before them the line that says what the client had of the form until then: how many
/// questions had come, or all of them without compiled schemas. That line is missing if the form was whole. `None` if the client's log does not begin as
/// the host's does. The questions may have come, and their schemas been compiled, at other moments here than there.
pub(super) fn rest_of<'l>(client: &'l Saved<'_>, own: &[Value]) -> Option<(Option<Value>, &'l [Value])> {
    let unchecked = || Value::from(vec![UNCHECKED]);
    let mut had = (client.began() == Known::Unchecked).then(unchecked);
    let mut rest = client.log();
    for line in own.iter().filter(|line| !is_of_form(line)) {
        loop {
            let (first, others) = rest.split_first()?;
            rest = others;
            if first == line {
                break;
            }
            match is_of_form(first) {
                true => had = Some(first.clone()).filter(|line| !is(line, "accept")),
                false => return None,
            }
        }
    }
    Some((had, rest))
}

/// Whether a line tells of the form, and not of what was done.
pub(super) fn is_of_form(line: &Value) -> bool {
    is(line, "came") || is(line, "accept") || is(line, UNCHECKED)
}

/// Whether a line begins with a word: `came` where the form grew, `accept` where it was whole, `verdict` where an assistant answered.
pub(super) fn is(line: &Value, word: &str) -> bool {
    line.get(0).is_some_and(|first| first == word)
}

/// What an assistant said beside its answer, and the model that said it.
fn texts_of_advice(advice: &Advice) -> [&str; 2] {
    [&advice.reason, &advice.model].map(|text| text.as_deref().unwrap_or_default())
}

/// An answer as two texts: JSON, and the free text in place of an option or beside options. Both are empty for a secret.
pub(super) fn texts_of(answer: &Answer) -> (String, &str) {
    let text = match answer {
        Answer::Other(_) => "[]".into(),
        Answer::MultiSelect(selection) => json::text(&Value::from(selection.options.clone())),
        answer => answer.text().unwrap_or_default(),
    };
    (text, answer.other().unwrap_or_default())
}

/// The answer of [`texts_of`]. `None` if that does not write it so.
pub(super) fn given(answer: &str, other: &str, limits: &Limits) -> Option<Content> {
    if other.is_empty() {
        return Some(content(answer, limits));
    }
    match parse(answer).ok()? {
        Value::Array(beside) => Some(Content::Other { text: other.to_owned(), beside }),
        _ => None,
    }
}

/// An answer as its line has it: a value, or JSON text where a value does not hold its digits.
fn content(answer: &str, limits: &Limits) -> Content {
    // Escapes make a text up to six times as long as the value. What is longer, or has more values than the work allows, was not saved.
    let weighed = json::weigh_text(answer, limits.bytes.saturating_mul(6), Limits::MAX_DEPTH);
    let values = |units: u64| units.saturating_sub((answer.len() as u64).saturating_mul(2));
    let fits = weighed.is_ok_and(|units| values(units) <= limits.work);
    let value = if fits { json::parse(answer).ok() } else { None };
    match value.map(|value| (json::text(&value), value)) {
        Some((written, value)) if written == answer => Content::Value(value),
        _ => Content::Json(answer.to_owned()),
    }
}
