//! Dialects as JSON: [`Dialect::from_json`] makes a table of a declaration, once it is sure that no answer is lost by it.

use super::{
    Dialect,
    draft::{Rules, Tells},
    fields::{OPTIONS, QUESTIONS},
    labelled::Shape,
    near::is_private,
    own::{self, NotAdded, Own},
    table::{Key, PARTS, Said, Table},
};
use crate::{json, text::look};
use serde_json::{Map, Value};
use std::{fmt, sync::Arc};

/// How long a declaration may be as JSON text, and how long a name in it, in bytes.
const LONGEST: usize = 65_536;
/// How deep a declaration may nest, as any JSON text.
const DEPTH: usize = 127;
const NAME: usize = 64;

/// Why a declaration is none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadDialect {
    /// What is missing or wrong, and what to do.
    pub reason: String,
}

impl fmt::Display for BadDialect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "The dialect cannot be declared: {}.", self.reason)
    }
}

impl std::error::Error for BadDialect {}

fn bad<T>(reason: impl Into<String>) -> Result<T, BadDialect> {
    Err(BadDialect { reason: reason.into() })
}

/// A declaration.
struct Declared<'a> {
    name: &'a str,
    tool: Option<&'a str>,
    envelope: Option<Envelope<'a>>,
    questions: Option<&'a str>,
    beside: Vec<&'a str>,
    tells: Vec<&'a str>,
    most: Option<usize>,
    question: Asked<'a>,
    key: Option<Keyed<'a>>,
    answer: &'a Value,
    result: Option<&'a Value>,
    reply: Option<Ends<'a>>,
    end_turn: Option<Ends<'a>>,
    failed: Option<Ends<'a>>,
}

/// The object around a request.
struct Envelope<'a> {
    field: &'a str,
    is: Vec<&'a str>,
    request: &'a str,
}

/// The fields of a question.
struct Asked<'a> {
    text: &'a str,
    header: Option<usize>,
    context: Option<&'a str>,
    options: Option<Options<'a>>,
    multiple: Option<&'a str>,
    own_words: OwnWords<'a>,
    secret: Option<&'a str>,
    optional: bool,
    notes: bool,
}

struct Options<'a> {
    field: &'a str,
    label: Option<&'a str>,
    value: Option<&'a str>,
    least: usize,
    most: Option<usize>,
}

/// Whether a person may answer in their own words in place of an option: as this field says, if there is one, or else always or never.
struct OwnWords<'a> {
    field: Option<&'a str>,
    default: bool,
}

enum Keyed<'a> {
    List,
    Place,
    Text,
    Field(&'a str),
}

/// What is written where there are no answers.
enum Ends<'a> {
    Answers,
    Failure,
    Result(&'a Value),
    Words(&'a str),
}

/// The members of an object of a declaration. Those that nobody asks for are refused.
struct Members<'a> {
    map: &'a Map<String, Value>,
    /// How messages call the object.
    of: &'static str,
    known: Vec<&'static str>,
}

impl<'a> Members<'a> {
    fn of(value: &'a Value, of: &'static str) -> Result<Self, BadDialect> {
        match value {
            Value::Object(map) => Ok(Self { map, of, known: Vec::new() }),
            _ => bad([of, " must be an object"].concat()),
        }
    }

    /// A member that is not null.
    fn get(&mut self, name: &'static str) -> Option<&'a Value> {
        self.known.push(name);
        self.map.get(name).filter(|value| !value.is_null())
    }

    fn read<T>(
        &mut self,
        name: &'static str,
        what: &str,
        read: impl FnOnce(&'a Value) -> Option<T>,
    ) -> Result<Option<T>, BadDialect> {
        let Some(value) = self.get(name) else { return Ok(None) };
        match read(value) {
            Some(read) => Ok(Some(read)),
            None => bad(["`", name, "` of ", self.of, " must be ", what].concat()),
        }
    }

    fn text(&mut self, name: &'static str) -> Result<Option<&'a str>, BadDialect> {
        self.read(name, "a text", Value::as_str)
    }

    fn number(&mut self, name: &'static str) -> Result<Option<usize>, BadDialect> {
        self.read(name, "a whole number from 0 on", |value| usize::try_from(value.as_u64()?).ok())
    }

    fn flag(&mut self, name: &'static str) -> Result<bool, BadDialect> {
        Ok(self.read(name, "true or false", Value::as_bool)?.unwrap_or_default())
    }

    fn texts(&mut self, name: &'static str) -> Result<Vec<&'a str>, BadDialect> {
        let texts =
            self.read(name, "a list of texts", |value| value.as_array()?.iter().map(Value::as_str).collect())?;
        Ok(texts.unwrap_or_default())
    }

    fn must<T>(&self, name: &str, found: Option<T>) -> Result<T, BadDialect> {
        match found {
            Some(found) => Ok(found),
            None => bad(["`", name, "` of ", self.of, " is missing"].concat()),
        }
    }

    fn end(self) -> Result<(), BadDialect> {
        match self.map.keys().find(|name| !self.known.contains(&name.as_str())) {
            Some(name) => bad(["there is no ", &json::quoted(name), " in ", self.of].concat()),
            None => Ok(()),
        }
    }
}

impl<'a> Declared<'a> {
    fn read(value: &'a Value) -> Result<Self, BadDialect> {
        let mut all = Members::of(value, "the declaration")?;
        let name = all.text("name")?;
        let question = all.get("question");
        let answer = all.get("answer");
        let declared = Self {
            name: all.must("name", name)?,
            tool: all.text("tool")?,
            envelope: all.get("envelope").map(Envelope::read).transpose()?,
            questions: all.text("questions")?,
            beside: all.texts("beside")?,
            tells: all.texts("tells")?,
            most: all.number("most")?,
            question: Asked::read(all.must("question", question)?)?,
            key: all.read("key", "\"list\", \"place\", \"text\" or { \"field\": … }", Keyed::read)?,
            answer: all.must("answer", answer)?,
            result: all.get("result"),
            reply: all.read("reply", ENDS, Ends::read)?,
            end_turn: all.read("end_turn", ENDS, Ends::read)?,
            failed: all.read("failed", ENDS, Ends::read)?,
        };
        all.end()?;
        Ok(declared)
    }
}

impl<'a> Envelope<'a> {
    fn read(value: &'a Value) -> Result<Self, BadDialect> {
        let mut all = Members::of(value, "`envelope`")?;
        let (field, request) = (all.text("field")?, all.text("request")?);
        let envelope =
            Self { field: all.must("field", field)?, is: all.texts("is")?, request: all.must("request", request)? };
        all.end()?;
        Ok(envelope)
    }
}

impl<'a> Asked<'a> {
    fn read(value: &'a Value) -> Result<Self, BadDialect> {
        let mut all = Members::of(value, "`question`")?;
        let text = all.text("text")?;
        let own_words =
            all.read("own_words", "true, false or { \"field\": …, \"default\": … }", |value| match value {
                Value::Bool(default) => Some(OwnWords { field: None, default: *default }),
                _ => {
                    let field = value.get("field")?.as_str();
                    Some(OwnWords { field, default: value.get("default")?.as_bool()? })
                        .filter(|_| is_of(value, 2) && field.is_some())
                }
            })?;
        let asked = Self {
            text: all.must("text", text)?,
            header: all.number("header")?,
            context: all.text("context")?,
            options: all.get("options").map(Options::read).transpose()?,
            multiple: all.text("multiple")?,
            own_words: own_words.unwrap_or(OwnWords { field: None, default: true }),
            secret: all.text("secret")?,
            optional: all.flag("optional")?,
            notes: all.flag("notes")?,
        };
        all.end()?;
        Ok(asked)
    }
}

impl<'a> Options<'a> {
    fn read(value: &'a Value) -> Result<Self, BadDialect> {
        let mut all = Members::of(value, "`options`")?;
        let field = all.text("field")?;
        let options = Self {
            field: all.must("field", field)?,
            label: all.text("label")?,
            value: all.text("value")?,
            least: all.number("least")?.unwrap_or_default(),
            most: all.number("most")?,
        };
        all.end()?;
        Ok(options)
    }
}

impl<'a> Keyed<'a> {
    fn read(value: &'a Value) -> Option<Self> {
        Some(match value.as_str() {
            Some("list") => Self::List,
            Some("place") => Self::Place,
            Some("text") => Self::Text,
            Some(_) => return None,
            None => Self::Field(value.get("field").filter(|_| is_of(value, 1))?.as_str()?),
        })
    }
}

const ENDS: &str = "{ \"result\": … }, { \"words\": … }, \"answers\" or \"failure\"";

impl<'a> Ends<'a> {
    fn read(value: &'a Value) -> Option<Self> {
        match value.as_str() {
            Some("answers") => return Some(Self::Answers),
            Some("failure") => return Some(Self::Failure),
            Some(_) => return None,
            None => {}
        }
        let alone = |name| value.get(name).filter(|_| is_of(value, 1));
        match alone("words") {
            Some(words) => Some(Self::Words(words.as_str()?)),
            None => alone("result").map(Self::Result),
        }
    }
}

/// Whether a value is an object with so many members.
fn is_of(value: &Value, members: usize) -> bool {
    value.as_object().is_some_and(|map| map.len() == members)
}

impl Dialect {
    /// Declares a dialect of the host's own, and gives it: from then on, hosts name it like any other, and its requests are recognised if it says by which fields.
    /// The same declaration twice is one dialect. It stays until the process ends. docs/own-dialect.md explains the fields.
    ///
    /// ```
    /// use ask_user_core::{Action, Dialect, Form, Host, Walk};
    /// use serde_json::json;
    ///
    /// let acme = Dialect::from_json(&json!({
    ///     "name": "acme",
    ///     "questions": "items",
    ///     "tells": ["choices"],
    ///     "question": { "text": "prompt", "options": { "field": "choices", "label": "title", "value": "id" } },
    ///     "key": { "field": "ref" },
    ///     "answer": { "picked": "$chosen", "text": "$own" },
    /// }))?;
    /// let request = json!({ "items": [{ "ref": "a", "prompt": "Where?", "choices": [{ "id": "s", "title": "Staging" }, { "id": "p", "title": "Production" }] }] });
    /// let mut walk = Walk::new(Form::read(&request, acme, &Host::default())?);
    /// walk.act(Action::answer("s"))?;
    /// assert_eq!(walk.outcome().unwrap().result, Some(json!({ "answers": { "a": { "picked": ["s"], "text": null } } })));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`BadDialect`] if it is no declaration, if an answer would be lost by it, if its name is taken, or if 64 are declared. A declaration has at most 65,536
    /// bytes as JSON text.
    pub fn from_json(declaration: &Value) -> Result<Self, BadDialect> {
        if json::weigh(declaration, usize::MAX, DEPTH).is_err() {
            return bad(format!("it nests deeper than {DEPTH} levels"));
        }
        let source = json::canonical_text(declaration);
        if source.len() > LONGEST {
            return bad(format!("it has {} bytes; the most are {LONGEST}", source.len()));
        }
        let declared = Declared::read(declaration)?;
        declared.check()?;
        match own::add(declared.name, source, || declared.keep()) {
            Ok(own) => Ok(Self::Own(own)),
            Err(NotAdded::Taken) => bad([&json::quoted(declared.name), " is declared otherwise already"].concat()),
            Err(NotAdded::TooMany(most)) => bad(format!("{most} are declared already")),
        }
    }
}

impl Dialect {
    /// The same for a declaration as JSON text.
    ///
    /// # Errors
    /// As [`Dialect::from_json`], and if the text is not JSON.
    pub fn from_json_text(declaration: &str) -> Result<Self, BadDialect> {
        match json::parse(declaration) {
            Ok(declaration) => Self::from_json(&declaration),
            Err(error) => bad(format!("it is not JSON: {}", error.reason)),
        }
    }
}

impl<'a> Declared<'a> {
    /// The fields of a question, in their order.
    fn fields(&self) -> Vec<&'a str> {
        let Asked { text, header, context, options, multiple, own_words, secret, .. } = &self.question;
        let key = match self.key {
            Some(Keyed::Field(field)) => Some(field),
            _ => None,
        };
        let options = options.as_ref().map(|options| options.field);
        let named = [Some(*text), options, *multiple, own_words.field, *context, *secret, header.map(|_| "header")];
        let named: Vec<&str> = named.into_iter().flatten().collect();
        let key = key.filter(|key| !named.contains(key));
        key.into_iter().chain(named).chain(["danger"]).collect()
    }

    fn check(&self) -> Result<(), BadDialect> {
        let is_name = |name: &str| {
            name.starts_with(|first: char| first.is_ascii_lowercase())
                && name.len() <= NAME
                && name.chars().all(|letter| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == '_')
        };
        if !is_name(self.name) {
            return bad("`name` must be 1 to 64 lower case letters, digits and `_`, and begin with a letter");
        }
        if self.name == "detect" || Dialect::ALL.iter().any(|known| known.name() == self.name) {
            return bad([&json::quoted(self.name), " is a dialect of this package: choose another `name`"].concat());
        }
        let fields = self.fields();
        let options = self.question.options.as_ref();
        let of_options = options.into_iter().flat_map(|options| options.label.iter().chain(&options.value));
        let envelope = self.envelope.iter().flat_map(|envelope| [&envelope.field, &envelope.request]);
        let others = self.questions.iter().chain(&self.beside).chain(&self.tells).chain(of_options).chain(envelope);
        let others = others.copied();
        let is_field = |name: &str| !name.is_empty() && name.len() <= NAME && !is_private(name);
        if let Some(name) = fields.iter().copied().chain(others).find(|name| !is_field(name)) {
            let why = " is no name of a field: it must have 1 to 64 bytes, and not begin with `_` or `$`";
            return bad([&json::quoted(name), why].concat());
        }
        if let Some((_, name)) =
            fields.iter().enumerate().find(|(place, name)| fields.iter().take(*place).any(|one| one == *name))
        {
            return bad(["the field ", &json::quoted(name), " of a question means two things"].concat());
        }
        if let Some(name) = self.tells.iter().find(|name| !fields.contains(name)) {
            return bad(["`tells` names ", &json::quoted(name), ", which is no field of `question`"].concat());
        }
        if self.most == Some(0) || options.is_some_and(|options| options.most.is_some_and(|most| most < options.least))
        {
            return bad("`most` must be at least 1, and at least `least`");
        }
        if self.most.is_some_and(|most| most > QUESTIONS) {
            return bad(format!("a form can have at most {QUESTIONS} questions"));
        }
        if let Some(Envelope { field, is, request }) = &self.envelope {
            if is.is_empty() || is.contains(&"") {
                return bad("`envelope` fits nothing: name in `is` what its `field` says");
            }
            if field == request {
                return bad(
                    "`field` and `request` of `envelope` cannot be one field: the first is a text, the second an object",
                );
            }
        }
        if self.tool.is_some_and(|tool| look(tool).is_empty()) {
            return bad("`tool` is empty: name the tool as models know it, or leave it out");
        }
        if self.questions.is_some_and(|list| self.beside.contains(&list)) {
            return bad("`beside` has the list of `questions`: leave it out there");
        }
        self.check_question()?;
        let of_option = |name: &str| matches!(name, "description" | "preview" | "recommended" | "danger");
        let given = options.into_iter().flat_map(|options| options.label.iter().chain(&options.value));
        if let Some(name) = given.copied().find(|name| of_option(name)) {
            return bad(["the field ", &json::quoted(name), " of an option says something else"].concat());
        }
        if options.is_some_and(|options| options.most.unwrap_or_default().max(options.least) > *OPTIONS.end()) {
            return bad(format!("a question can have at most {} options", OPTIONS.end()));
        }
        self.check_told()?;
        self.check_results()
    }

    /// Whether everything that is said of a question means something.
    fn check_question(&self) -> Result<(), BadDialect> {
        let Asked { header, options, multiple, own_words, secret, notes, .. } = &self.question;
        let of_options = [
            ("own_words", own_words.field.is_some() || !own_words.default),
            ("multiple", multiple.is_some()),
            ("notes", *notes),
        ];
        if let Some((name, _)) = of_options.iter().find(|(_, is_said)| *is_said && options.is_none()) {
            return bad(["`", name, "` says something of options: add `options`, or leave it out"].concat());
        }
        if *header == Some(0) {
            return bad("`header` must be at least 1: leave it out where there is no header");
        }
        let field = options.as_ref().map(|options| options.field);
        let no_texts = [field, *multiple, own_words.field, *secret];
        if let Some(Keyed::Field(field)) = &self.key
            && no_texts.contains(&Some(field))
        {
            let why = ", which has no text to tell questions apart by: name a field with a text of its own";
            return bad(["`key` names ", &json::quoted(field), why].concat());
        }
        Ok(())
    }

    /// Whether a request of this dialect, with only what the declaration says, would be taken for one of a dialect of this package.
    fn check_told(&self) -> Result<(), BadDialect> {
        let is_of = |request: Map<String, Value>| {
            let request = Value::Object(request);
            Dialect::ALL.into_iter().filter_map(Dialect::rules).find(|rules| rules.recognises(&request))
        };
        let around = |question: Map<String, Value>| match self.questions {
            Some(list) => Map::from_iter([(list.to_owned(), Value::Array(vec![question.into()]))]),
            None => question,
        };
        let asked = (self.question.text.to_owned(), Value::from("?"));
        let values = [Value::from(true), "x".into(), Value::Array(vec!["x".into()]), Map::new().into()];
        for name in &self.tells {
            for value in &values {
                let question = Map::from_iter([asked.clone(), ((*name).to_owned(), value.clone())]);
                if let Some(of) = is_of(around(question)) {
                    let why = "`: leave `tells` out, and name the dialect for each request";
                    let told = ["with ", &json::quoted(name), " of `tells`, a question is one of `"].concat();
                    return bad([&told, of.name, why].concat());
                }
            }
        }
        if let Some(Envelope { field, is, request }) = &self.envelope {
            for word in is {
                let inner = Value::Object(around(Map::from_iter([asked.clone()])));
                let said = ((*field).to_owned(), Value::from(*word));
                if let Some(of) = is_of(Map::from_iter([said, ((*request).to_owned(), inner)])) {
                    let why = "`: name in `is` what only your agent says, or leave `envelope` out";
                    let told = ["with ", &json::quoted(word), " of `envelope`, a request is one of `"].concat();
                    return bad([&told, of.name, why].concat());
                }
            }
        }
        Ok(())
    }

    /// Whether the results have all that a person answers.
    fn check_results(&self) -> Result<(), BadDialect> {
        let Asked { options, own_words, optional, notes, .. } = &self.question;
        let mut parts = Vec::new();
        texts(self.answer, &mut parts);
        if let Some(other) = parts.iter().find(|text| text.starts_with('$') && !PARTS.contains(text)) {
            let known = [". What stands for a part of the answer is one of ", &PARTS.join(", ")].concat();
            return bad(["`answer` has ", &json::quoted(other), &known].concat());
        }
        let has = |part: &str| parts.contains(&part);
        let is_closed = own_words.field.is_none()
            && !own_words.default
            && options.as_ref().is_some_and(|options| options.least > 0);
        if !(has("$text") || has("$list") || has("$chosen") && (is_closed || has("$own"))) {
            return bad(
                "an answer would be lost: `answer` must have \"$text\" or \"$list\", or both \"$chosen\" and \"$own\"",
            );
        }
        if *notes && !has("$note") {
            return bad("a note would be lost: `answer` must have \"$note\", or `notes` must not be true");
        }
        if *optional && !has("$empty") {
            return bad(
                "what was left empty could not be told from an answer: `answer` must have \"$empty\", or `optional` must not be true",
            );
        }
        let mut around = Vec::new();
        texts(self.result.unwrap_or(&Value::Null), &mut around);
        let given = around.iter().filter(|text| **text == "$answers").count();
        if self.result.is_some()
            && (given != 1 || around.iter().any(|text| text.starts_with('$') && *text != "$answers"))
        {
            return bad("`result` must have \"$answers\" once, and nothing else that begins with `$`");
        }
        if self.questions.is_none()
            && (self.result.is_some() || self.key.is_some() || self.most.is_some() || !self.beside.is_empty())
        {
            return bad(
                "a dialect of single questions has no `result`, `key`, `most` and `beside`: name the list of `questions`, or leave these out",
            );
        }
        if matches!(self.reply, Some(Ends::Answers)) && !has("$empty") {
            return bad(
                "a Reply could not be told from answers: `answer` must have \"$empty\", or `reply` must be { \"result\": … }",
            );
        }
        let words =
            [("reply", &self.reply, true), ("end_turn", &self.end_turn, false), ("failed", &self.failed, false)];
        for (name, ends, is_reply) in words {
            let mut said = Vec::new();
            if let Some(Ends::Result(value)) = ends {
                texts(value, &mut said);
            }
            if let Some(part) = said.iter().find(|text| **text == "$answers" || PARTS.contains(text)) {
                let why =
                    [" has ", &json::quoted(part), ", but nothing was answered there: write the value itself"].concat();
                return bad(["`", name, "`", &why].concat());
            }
            let fits = match ends {
                Some(Ends::Words(_)) => is_reply && self.questions.is_none(),
                Some(Ends::Answers) => is_reply && self.questions.is_some(),
                Some(Ends::Failure) => name == "failed",
                Some(Ends::Result(_)) | None => true,
            };
            if !fits {
                let why = "` cannot be that. \"answers\" is for the `reply` of a list, {\"words\": …} for that of single questions, \"failure\" for `failed`";
                return bad(["`", name, why].concat());
            }
        }
        Ok(())
    }

    /// The rules by this declaration, which has been checked. They stay until the process ends.
    fn keep(&self) -> &'static Rules {
        let fields = list(self.fields());
        let name = kept(self.name);
        let tool = self.tool.map_or(name, kept);
        let is_told = !self.tells.is_empty() || self.envelope.is_some();
        let telling = list(self.tells.clone());
        let Asked { text, header, context, options, multiple, own_words, secret, optional, notes } = &self.question;
        let named = |name: &Option<&str>| name.map_or("", kept);
        let plain = Shape::PLAIN;
        let shape = match options {
            None => Shape { option: &[], list: "", ..plain },
            Some(Options { field, label, value, least, most }) => {
                let label = label.map_or("label", kept);
                let value = named(value);
                let option = ["description", "preview", "recommended", "danger", label, value];
                Shape {
                    list: kept(field),
                    options: *least..=most.unwrap_or(*OPTIONS.end()),
                    option: list(option.into_iter().filter(|name| !name.is_empty()).collect()),
                    label,
                    value,
                    ..plain
                }
            }
        };
        let shape = Shape {
            text: kept(text),
            header: header.unwrap_or_default(),
            multiple: named(multiple),
            other: (named(&own_words.field), own_words.default),
            context: named(context),
            secret: named(secret),
            optional: *optional,
            notes: *notes,
            fields,
            ..shape
        };
        let said = |ends: &Option<Ends<'_>>, otherwise| match ends {
            None => otherwise,
            Some(Ends::Answers) => Said::Skipped,
            Some(Ends::Failure) => Said::Failure,
            Some(Ends::Result(value)) => Said::Json(kept(&json::text(value))),
            Some(Ends::Words(words)) => Said::Own(kept(words)),
        };
        let base = if self.questions.is_some() { Table::LIST } else { Table::SINGLE };
        let around = self.questions.iter().chain(&self.beside).copied().collect();
        let key = match self.key {
            Some(Keyed::Place) => Key::Place,
            Some(Keyed::Text) => Key::Text,
            Some(Keyed::Field(field)) => Key::Field(kept(field)),
            Some(Keyed::List) | None => base.key,
        };
        let table = Table {
            wrap: self
                .envelope
                .as_ref()
                .map(|Envelope { field, is, request }| (kept(field), list(is.clone()), list(vec![*request]))),
            around: list(around),
            telling,
            most: self.most.unwrap_or(QUESTIONS).min(QUESTIONS),
            shape,
            key,
            template: Some(Box::leak(Box::new(self.answer.clone()))),
            result: self.result.map(|result| &*Box::leak(Box::new(result.clone()))),
            replied: said(&self.reply, Said::Nothing),
            ended: said(&self.end_turn, Said::Nothing),
            failed: said(&self.failed, Said::Failure),
            list: self.questions.map_or(base.list, kept),
            ..base
        };
        let tells = match is_told && table.around.is_empty() {
            true => Tells { single: telling, ..Tells::NONE },
            // The list has another name, so its fields are compared with no other dialect's.
            false => Tells::NONE,
        };
        let own: &'static Own = Box::leak(Box::new(Own { tool, table, is_told }));
        Box::leak(Box::new(Rules {
            name,
            tells,
            own: Some(own),
            tool: |_| "",
            recognises: |_| false,
            read: |_, _| None,
            unread: |_| Arc::new(Nothing),
        }))
    }
}

/// Writes nothing: what a declared dialect writes, its table says.
struct Nothing;

impl crate::outcome::Write for Nothing {
    fn write(&self, _: &crate::outcome::Ended<'_>) -> Option<Value> {
        None
    }
}

fn kept(text: &str) -> &'static str {
    Box::leak(text.into())
}

fn list(names: Vec<&str>) -> &'static [&'static str] {
    Box::leak(names.into_iter().map(kept).collect::<Vec<_>>().into_boxed_slice())
}

/// The texts in a value.
fn texts<'a>(value: &'a Value, found: &mut Vec<&'a str>) {
    match value {
        Value::String(text) => found.push(text),
        Value::Array(list) => list.iter().for_each(|one| texts(one, found)),
        Value::Object(map) => map.values().for_each(|one| texts(one, found)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}
