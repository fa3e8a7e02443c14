//! Dialects that are declared. A [`Table`] says how the requests of a dialect are wrapped, which fields its questions have and how its results are
//! written. This file reads and writes by it, and knows no agent.

use super::{
    approval,
    declared::Level,
    draft::{Call, Draft, any_question_has, failed, joined, texts_of},
    fields::{Fields, Ids, QUESTIONS, Reader, is_plain},
    labelled::{self, Shape},
    near::is_one,
};
use crate::{
    answer::{Answer, REDACTED, Taken},
    json::parse,
    outcome::{Ended, Ending, Reply, Write},
    problem::{ProblemKind, object},
    question::{AnswerType, Choices, Question},
    text::shortened,
};
use serde_json::{Map, Value};
use std::sync::Arc;

/// A dialect of questions with options.
pub(super) struct Table {
    /// Where a request may stand in another object: the field that says what the object is, what it says then, and the fields that may have the request.
    pub wrap: Option<(&'static str, &'static [&'static str], &'static [&'static str])>,
    /// The fields around the questions. Without any, a request is its only question.
    pub around: &'static [&'static str],
    /// The one of them with the list of questions.
    pub list: &'static str,
    /// The one of them that is false where the agent does not wait for the answer, if there is one.
    pub blocking: &'static str,
    /// What tells of this dialect: around the questions, and in one of them.
    pub marks: &'static [&'static str],
    pub telling: &'static [&'static str],
    /// What is in no request of it that is one question.
    pub never: &'static [&'static str],
    /// The most questions, if the host sets no limit.
    pub most: usize,
    pub shape: Shape,
    /// Reads a question otherwise than by its shape.
    pub ask: Option<Ask>,
    /// What the answers are told apart by.
    pub key: Key,
    /// How an answer is written.
    pub answer: fn(&Given<'_>) -> Value,
    /// The same by a value in which some texts stand for parts of the answer ([`PARTS`]). It comes before `answer`.
    pub template: Option<&'static Value>,
    /// The result around the answers: `{"answers": …}` without one.
    pub result: Option<&'static Value>,
    /// What is written where a Reply cancels the form, where the turn ends, and where nobody was asked.
    pub replied: Said,
    pub ended: Said,
    pub failed: Said,
}

/// Reads a question from its fields and its place.
type Ask = fn(&mut Reader, &Fields<'_>, usize, &Shape) -> Option<Question>;

/// What the answers of a result are told apart by.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Key {
    /// Nothing: it is a list in the order of the questions.
    List,
    /// The place of the question, from 0.
    Place,
    /// The text of the question.
    Text,
    /// A field of the question, whose value no other question has.
    Field(&'static str),
    /// Nothing: the only answer is the result.
    None,
}

/// What a result says that has no answers.
pub(super) enum Said {
    /// There is no result.
    Nothing,
    /// This JSON text.
    Json(&'static str),
    /// The answers that there are.
    Answers,
    /// Of every question that it has no answer, whatever was chosen before.
    Skipped,
    /// The failure under this name.
    Under(&'static str),
    /// The words of the person as the answer, or else this sentence. Only where an answer may be any text.
    Own(&'static str),
    /// A failure as every tool says it.
    Failure,
}

/// An answer to write. `None` where the question was left empty.
pub(super) struct Given<'a> {
    pub answer: Option<&'a Answer>,
    /// What the question asks for, if this answers one.
    pub answer_type: Option<&'a AnswerType>,
    pub note: Option<&'a str>,
    /// Whether secrets are written in clear.
    pub reveals: bool,
}

/// What stands for the parts of an answer: all of it as one text, and as a list of texts; the chosen options, and the text beside them or in their place;
/// whether there is such a text; the note; and whether the question was left empty.
pub(super) const PARTS: &[&str] = &["$text", "$list", "$chosen", "$own", "$is_own", "$note", "$empty"];

impl Given<'_> {
    /// The chosen options and written texts.
    pub fn texts(&self) -> Vec<String> {
        match self.answer {
            Some(Answer::Secret(secret)) => {
                vec![secret.reveal().filter(|_| self.reveals).unwrap_or(REDACTED).to_owned()]
            }
            answer => texts_of(answer),
        }
    }

    /// The same, as JSON.
    pub fn list(&self) -> Value {
        self.texts().into_iter().map(Value::from).collect()
    }

    /// The chosen options, and the text beside them or in their place.
    pub fn parts(&self) -> (Vec<Value>, Option<String>) {
        let mut texts = self.texts();
        let free = match self.answer {
            Some(Answer::Other(_) | Answer::Text(_) | Answer::Secret(_)) => true,
            Some(Answer::MultiSelect(selection)) => selection.other.is_some(),
            _ => false,
        };
        let free = if free { texts.pop() } else { None };
        (texts.into_iter().map(Value::from).collect(), free)
    }

    /// A value with what [`PARTS`] stand for in it.
    #[cold]
    pub fn filled(&self, template: &Value) -> Value {
        let (selected, free) = self.parts();
        let part = |name: &str| {
            Some(match name {
                "$text" => self.joined(),
                "$list" => self.list(),
                "$chosen" => selected.clone().into(),
                "$own" => free.clone().map_or(Value::Null, Value::from),
                "$is_own" => free.is_some().into(),
                "$note" => self.note.map_or(Value::Null, Value::from),
                "$empty" => self.answer.is_none().into(),
                _ => return None,
            })
        };
        filled(template, &part)
    }

    /// The same as one text.
    pub fn joined(&self) -> Value {
        joined(self.answer_type, self.texts()).into()
    }
}

/// The fields that are ids of questions.
const IDS: &[&str] = &["id", "questionId"];

impl Table {
    /// One with a list of questions, whose results are lists in their order.
    pub const LIST: Self = Self {
        wrap: None,
        around: &["questions"],
        list: "questions",
        blocking: "",
        marks: &[],
        telling: &[],
        never: &[],
        most: QUESTIONS,
        shape: Shape::PLAIN,
        ask: None,
        key: Key::List,
        answer: |given| given.list(),
        template: None,
        result: None,
        replied: Said::Nothing,
        ended: Said::Nothing,
        failed: Said::Failure,
    };
    /// One whose requests are a single question.
    pub const SINGLE: Self =
        Self { around: &[], most: 1, key: Key::None, answer: |given| given.joined(), ..Self::LIST };

    /// Whether a request has the shape of this dialect.
    pub fn recognises(&self, request: &Value) -> bool {
        if request.as_object().is_some_and(|request| self.inner(request).is_some()) {
            return true;
        }
        let has = |name: &&str| request.get(*name).is_some_and(|value| !value.is_null());
        if self.around.is_empty() {
            return has(&self.shape.text) && self.telling.iter().any(&has) && !self.never.iter().any(&has);
        }
        let any = |fields: &[&str]| any_question_has(request, self.list, fields);
        any(&[self.shape.text]) && (self.marks.iter().any(&has) || any(self.telling))
    }

    /// The request in the object around it, with its name there and that of the field that tells of it.
    fn inner(&self, around: &Map<String, Value>) -> Option<[&'static str; 2]> {
        let (says, words, names) = self.wrap?;
        let said = around.get(says)?.as_str()?;
        let is_it = |name: &&&str| around.get(**name).is_some_and(Value::is_object);
        names.iter().find(is_it).filter(|_| words.contains(&said)).map(|name| [says, *name])
    }

    /// Reads a request.
    pub fn read(&'static self, reader: &mut Reader, request: &Map<String, Value>) -> Option<Draft> {
        let mut fields = Fields::root(request);
        let mut call = None;
        if let Some(names @ [_, inner]) = self.inner(request)
            && let Some(Value::Object(map)) = request.get(inner)
        {
            call = Call::of(request);
            fields.declare(reader, &names, Level::Request)?;
            fields = Fields::at(map, fields.path.field(inner));
        }
        let mut keys = Vec::new();
        let mut blocking = true;
        if self.around.is_empty() {
            fields.declare(reader, self.shape.fields, Level::Question)?;
            self.name_required(reader, &fields);
            let question = self.question(reader, &fields, 0);
            reader.may_ask(1, QUESTIONS, fields.place(self.shape.text));
            reader.ask(question?);
        } else {
            fields.declare(reader, self.around, Level::Request)?;
            blocking = self.blocking.is_empty() || fields.flag(reader, self.blocking, true);
            let list = fields.questions(reader, self.list, self.most)?;
            let by = match self.key {
                Key::Text => self.shape.text,
                Key::Field(field) => field,
                Key::List | Key::Place | Key::None => "",
            };
            let places = reader.places(list, by);
            // The keys of the result are those of the request.
            let names_it = IDS.contains(&by);
            let names = list.iter().filter_map(|question| Some(("", question.get(by)?.as_str()?)));
            let ids = Ids::of(if names_it { names.collect() } else { Vec::new() });
            reader.ask_each(list, &fields.place(self.list), &mut |reader, fields, place| {
                fields.declare(reader, self.shape.fields, Level::Question)?;
                self.name_required(reader, fields);
                // By it the questions were told apart before they were read: in another notation, two could be one.
                if !by.is_empty() && fields.sent(by) != by {
                    reader.missing(fields, by);
                }
                let key = if matches!(self.key, Key::Field(_)) { fields.required_text(reader, by) } else { None };
                let given = fields.present(by).and_then(Value::as_str);
                if let Some((given, first)) = given.and_then(|given| Some((given, places.earlier(given, place)?))) {
                    let kind = match self.key {
                        Key::Text => ProblemKind::DuplicateQuestion { first },
                        _ => ProblemKind::DuplicateId { id: given.to_owned(), first },
                    };
                    reader.problem(fields.place(by), kind);
                }
                let mut question = self.question(reader, fields, place)?;
                if matches!(self.key, Key::Field(_)) {
                    keys.push(key?.to_owned());
                }
                if names_it {
                    question.id = ids.get("", key?);
                    // A later question may have the id that is made of this one's.
                    reader.depends_on_later |= !is_plain(key?);
                }
                Some(question)
            });
        }
        // A protocol may have secrets in the result. A host that names the dialect accepts that. An agent that only uses its shape cannot.
        let reveals = reader.named && !self.shape.secret.is_empty();
        let is_open = |question: &Arc<Question>| question.answer_type.choices().is_none_or(Choices::other);
        let is_open = reader.questions.iter().all(is_open);
        Some(Draft { blocking, ..Draft::new(Answers { table: self, keys, reveals, is_open, call }) })
    }

    /// Names a field that says that a question must be answered, where each may be left empty.
    fn name_required(&self, reader: &mut Reader, fields: &Fields<'_>) {
        if self.shape.optional && !fields.has_only(self.shape.fields) {
            let must = |name: &str, value: &Value| match value {
                Value::Bool(true) => is_one(name, "required isRequired"),
                Value::Bool(false) => is_one(name, "optional"),
                _ => false,
            };
            let own = self.shape.fields;
            for (name, _) in fields.iter().filter(|(name, value)| !own.contains(&name.as_str()) && must(name, value)) {
                let field = shortened(name, 100).into_owned();
                reader.warning(fields.path.field(name), ProblemKind::UnknownField { field, near: None });
            }
        }
    }

    fn question(&self, reader: &mut Reader, fields: &Fields<'_>, place: usize) -> Option<Question> {
        match self.ask {
            Some(ask) => ask(reader, fields, place, &self.shape),
            None => labelled::question(reader, fields, place, &self.shape),
        }
    }

    /// The writer for a request that cannot be read.
    pub fn unread(&'static self, request: &Value) -> Arc<dyn Write> {
        let call = request.as_object().and_then(Call::of);
        Arc::new(Answers { table: self, keys: Vec::new(), reveals: false, is_open: true, call })
    }
}

/// Writes the answers by a table.
struct Answers {
    table: &'static Table,
    /// What the answers are told apart by, if that is a field of the questions.
    keys: Vec<String>,
    /// Whether the result has secrets in clear.
    reveals: bool,
    /// Whether every question takes the person's own words.
    is_open: bool,
    /// The call that the result answers, if the request was one.
    call: Option<Call>,
}

impl Answers {
    fn given<'a>(
        &self,
        answer_type: Option<&'a AnswerType>,
        answer: Option<&'a Answer>,
        note: Option<&'a str>,
    ) -> Value {
        let answer = answer.filter(|answer| **answer != Answer::Empty);
        let given = Given { answer, answer_type, note, reveals: self.reveals };
        match self.table.template {
            None => (self.table.answer)(&given),
            Some(template) => given.filled(template),
        }
    }

    fn answers(&self, ended: &Ended<'_>) -> Value {
        let of = |question: &Question, taken: Option<&Taken>| {
            let note = taken.and_then(|taken| taken.note.as_deref());
            self.given(Some(&question.answer_type), taken.map(|taken| &taken.answer), note)
        };
        let is_filled = matches!(self.table.replied, Said::Skipped);
        let is_skipped = *ended.ending != Ending::Completed;
        let is_left_out = |taken: Option<&Taken>| match taken {
            None => !is_filled,
            // A declaration says itself what is written for what was left empty.
            Some(taken) => {
                self.table.key == Key::Place && self.table.template.is_none() && taken.answer == Answer::Empty
            }
        };
        let (mut list, mut map) = (Vec::new(), Map::new());
        for (place, (question, taken)) in ended.answers().enumerate() {
            let taken = taken.filter(|_| !is_skipped);
            let key = match self.table.key {
                Key::None => return of(question, taken),
                Key::List => String::new(),
                Key::Place => place.to_string(),
                Key::Text => question.text.clone(),
                Key::Field(_) => self.keys.get(place).cloned().unwrap_or_default(),
            };
            if self.table.key == Key::List {
                list.push(of(question, taken));
            } else if !is_left_out(taken) {
                map.insert(key, of(question, taken));
            }
        }
        let answers = if self.table.key == Key::List { Value::Array(list) } else { Value::Object(map) };
        match self.table.result {
            None => Value::Object(object([("answers", answers)])),
            Some(template) => filled(template, &|name| (name == "$answers").then(|| answers.clone())),
        }
    }
}

/// A value with what these texts in it stand for.
#[cold]
fn filled(template: &Value, meaning: &dyn Fn(&str) -> Option<Value>) -> Value {
    match template {
        Value::String(text) => meaning(text).unwrap_or_else(|| template.clone()),
        Value::Array(list) => list.iter().map(|one| filled(one, meaning)).collect(),
        Value::Object(map) => map.iter().map(|(name, value)| (name.clone(), filled(value, meaning))).collect(),
        other => other.clone(),
    }
}

impl Write for Answers {
    fn answers_by_text(&self) -> bool {
        self.table.key == Key::Text
    }

    fn reply(&self) -> Reply {
        match self.table.replied {
            Said::Own(_) if self.is_open => Reply::WithWords,
            Said::Own(_) | Said::Nothing => Reply::No,
            _ => Reply::WithoutWords,
        }
    }

    fn write(&self, ended: &Ended<'_>) -> Option<Value> {
        let (said, words) = match ended.ending {
            Ending::Completed => (&Said::Answers, None),
            Ending::Replied { text } => (&self.table.replied, text.clone()),
            Ending::Expired if matches!(self.table.failed, Said::Under(_)) => {
                (&self.table.failed, Some(approval::LATE.to_owned()))
            }
            Ending::TurnEnded | Ending::Expired => (&self.table.ended, None),
            Ending::Failed(failure) => (&self.table.failed, Some(failure.to_string())),
        };
        let result = match said {
            Said::Nothing => return None,
            Said::Json(text) => parse(text).ok()?,
            Said::Answers | Said::Skipped => self.answers(ended),
            Said::Under(name) => Value::Object(object([(name, words?.into())])),
            Said::Own(otherwise) => {
                self.given(None, Some(&Answer::Other(words.unwrap_or_else(|| (*otherwise).to_owned()))), None)
            }
            Said::Failure => match ended.ending {
                Ending::Failed(failure) => match &self.call {
                    Some(call) => return Some(call.failed(failure)),
                    None => failed(failure),
                },
                _ => return None,
            },
        };
        Some(Call::answered(self.call.as_ref(), result))
    }

    fn reveals_secrets(&self) -> bool {
        self.reveals
    }
}
