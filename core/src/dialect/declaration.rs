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
use crate::json;
use serde::Deserialize;
use serde_json::Value;
use std::fmt;

/// How long a declaration may be as JSON text, and how long a name in it, in bytes.
const LONGEST: usize = 65_536;
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

/// A declaration, as JSON.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Declared {
    name: String,
    #[serde(default)]
    tool: Option<String>,
    #[serde(default)]
    envelope: Option<Envelope>,
    #[serde(default)]
    questions: Option<String>,
    #[serde(default)]
    beside: Vec<String>,
    #[serde(default)]
    tells: Vec<String>,
    #[serde(default)]
    most: Option<usize>,
    question: Asked,
    #[serde(default)]
    key: Option<Keyed>,
    answer: Value,
    #[serde(default)]
    result: Option<Value>,
    #[serde(default)]
    reply: Option<Ends>,
    #[serde(default)]
    end_turn: Option<Ends>,
    #[serde(default)]
    failed: Option<Ends>,
}

/// The object around a request.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Envelope {
    field: String,
    is: Vec<String>,
    request: String,
}

/// The fields of a question.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Asked {
    text: String,
    #[serde(default)]
    header: Option<usize>,
    #[serde(default)]
    context: Option<String>,
    #[serde(default)]
    options: Option<Options>,
    #[serde(default)]
    multiple: Option<String>,
    #[serde(default)]
    own_words: Option<OwnWords>,
    #[serde(default)]
    secret: Option<String>,
    #[serde(default)]
    optional: bool,
    #[serde(default)]
    notes: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Options {
    field: String,
    #[serde(default)]
    label: Option<String>,
    #[serde(default)]
    value: Option<String>,
    #[serde(default)]
    least: usize,
    #[serde(default)]
    most: Option<usize>,
}

/// Whether a person may answer in their own words in place of an option: always or never, or as a field says.
#[derive(Deserialize)]
#[serde(untagged)]
enum OwnWords {
    Always(bool),
    By(Flag),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Flag {
    field: String,
    default: bool,
}

#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum Keyed {
    List,
    Place,
    Text,
    Field(String),
}

/// What is written where there are no answers.
#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum Ends {
    Answers,
    Failure,
    Result(Value),
    Words(String),
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
        let source = json::canonical_text(declaration);
        if source.len() > LONGEST {
            return bad(format!("it has {} bytes; the most are {LONGEST}", source.len()));
        }
        let declared = Declared::deserialize(declaration).map_err(|error| BadDialect { reason: error.to_string() })?;
        declared.check()?;
        let name = declared.name.clone();
        match own::add(&name, source, || declared.keep()) {
            Ok(own) => Ok(Self::Own(own)),
            Err(NotAdded::Taken) => bad(format!("{name:?} is declared otherwise already")),
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

impl Declared {
    /// The fields of a question, in their order.
    fn fields(&self) -> Vec<&str> {
        let Asked { text, header, context, options, multiple, own_words, secret, .. } = &self.question;
        let own_words = match own_words {
            Some(OwnWords::By(flag)) => Some(&flag.field),
            _ => None,
        };
        let key = match &self.key {
            Some(Keyed::Field(field)) => Some(field),
            _ => None,
        };
        let named = [Some(text), options.as_ref().map(|options| &options.field), multiple.as_ref(), own_words];
        let named = named.into_iter().chain([context.as_ref(), secret.as_ref()]).flatten();
        let named: Vec<&str> = named.map(String::as_str).chain(header.map(|_| "header")).collect();
        let key = key.map(String::as_str).filter(|key| !named.contains(key));
        key.into_iter().chain(named).chain(["danger"]).collect()
    }

    fn check(&self) -> Result<(), BadDialect> {
        let is_name = |name: &str| {
            name.starts_with(|first: char| first.is_ascii_lowercase())
                && name.len() <= NAME
                && name.chars().all(|letter| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == '_')
        };
        if !is_name(&self.name) {
            return bad("`name` must be 1 to 64 lower case letters, digits and `_`, and begin with a letter");
        }
        if self.name == "detect" || Dialect::ALL.iter().any(|known| known.name() == self.name) {
            return bad(format!("{:?} is a dialect of this package: choose another `name`", self.name));
        }
        let fields = self.fields();
        let options = self.question.options.as_ref();
        let of_options = options.into_iter().flat_map(|options| options.label.iter().chain(&options.value));
        let envelope = self.envelope.iter().flat_map(|envelope| [&envelope.field, &envelope.request]);
        let others = self.questions.iter().chain(&self.beside).chain(&self.tells).chain(of_options).chain(envelope);
        let is_field = |name: &str| !name.is_empty() && name.len() <= NAME && !is_private(name);
        if let Some(name) = fields.iter().copied().chain(others.map(String::as_str)).find(|name| !is_field(name)) {
            return bad(format!(
                "{name:?} is no name of a field: it must have 1 to 64 bytes, and not begin with `_` or `$`"
            ));
        }
        if let Some(name) =
            fields.iter().enumerate().find(|(place, name)| fields.iter().take(*place).any(|one| one == *name))
        {
            return bad(format!("the field {:?} of a question means two things", name.1));
        }
        if let Some(name) = self.tells.iter().find(|name| !fields.contains(&name.as_str())) {
            return bad(format!("`tells` names {name:?}, which is no field of `question`"));
        }
        if self.most == Some(0) || options.is_some_and(|options| options.most.is_some_and(|most| most < options.least))
        {
            return bad("`most` must be at least 1, and at least `least`");
        }
        if options.is_some_and(|options| options.most.unwrap_or_default().max(options.least) > *OPTIONS.end()) {
            return bad(format!("a question can have at most {} options", OPTIONS.end()));
        }
        self.check_results()
    }

    /// Whether the results have all that a person answers.
    fn check_results(&self) -> Result<(), BadDialect> {
        let Asked { options, own_words, optional, notes, .. } = &self.question;
        let mut parts = Vec::new();
        texts(&self.answer, &mut parts);
        if let Some(other) = parts.iter().find(|text| text.starts_with('$') && !PARTS.contains(text)) {
            return bad(format!(
                "`answer` has {other:?}. What stands for a part of the answer is one of {}",
                PARTS.join(", ")
            ));
        }
        let has = |part: &str| parts.contains(&part);
        let is_closed = matches!(own_words, Some(OwnWords::Always(false)))
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
        texts(self.result.as_ref().unwrap_or(&Value::Null), &mut around);
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
        let words =
            [("reply", &self.reply, true), ("end_turn", &self.end_turn, false), ("failed", &self.failed, false)];
        for (name, ends, is_reply) in words {
            let fits = match ends {
                Some(Ends::Words(_)) => is_reply && self.questions.is_none(),
                Some(Ends::Answers) => is_reply && self.questions.is_some(),
                Some(Ends::Failure) => name == "failed",
                Some(Ends::Result(_)) | None => true,
            };
            if !fits {
                return bad(format!(
                    "`{name}` cannot be that. \"answers\" is for the `reply` of a list, {{\"words\": …}} for that of single questions, \"failure\" for `failed`"
                ));
            }
        }
        Ok(())
    }

    /// The rules by this declaration, which has been checked. They stay until the process ends.
    fn keep(self) -> &'static Rules {
        let fields = list(self.fields());
        let name = kept(self.name);
        let tool = self.tool.map_or(name, kept);
        let is_told = !self.tells.is_empty() || self.envelope.is_some();
        let telling = list(self.tells.iter().map(String::as_str).collect());
        let Asked { text, header, context, options, multiple, own_words, secret, optional, notes } = self.question;
        let named = |name: Option<String>| name.map_or("", kept);
        let plain = Shape::PLAIN;
        let shape = match options {
            None => Shape { option: &[], list: "", ..plain },
            Some(Options { field, label, value, least, most }) => {
                let label = label.map_or("label", kept);
                let value = named(value);
                let option = ["description", "preview", "recommended", "danger", label, value];
                Shape {
                    list: kept(field),
                    options: least..=most.unwrap_or(*OPTIONS.end()),
                    option: list(option.into_iter().filter(|name| !name.is_empty()).collect()),
                    label,
                    value,
                    ..plain
                }
            }
        };
        let other = match own_words {
            None => ("", true),
            Some(OwnWords::Always(always)) => ("", always),
            Some(OwnWords::By(Flag { field, default })) => (kept(field), default),
        };
        let shape = Shape {
            text: kept(text),
            header: header.unwrap_or_default(),
            multiple: named(multiple),
            other,
            context: named(context),
            secret: named(secret),
            optional,
            notes,
            fields,
            ..shape
        };
        let said = |ends: Option<Ends>, otherwise| match ends {
            None => otherwise,
            Some(Ends::Answers) => Said::Answers,
            Some(Ends::Failure) => Said::Failure,
            Some(Ends::Result(value)) => Said::Json(kept(json::text(&value))),
            Some(Ends::Words(words)) => Said::Own(kept(words)),
        };
        let base = if self.questions.is_some() { Table::LIST } else { Table::SINGLE };
        let around = self.questions.iter().chain(&self.beside).map(String::as_str).collect();
        let key = match self.key {
            Some(Keyed::Place) => Key::Place,
            Some(Keyed::Text) => Key::Text,
            Some(Keyed::Field(field)) => Key::Field(kept(field)),
            Some(Keyed::List) | None => base.key,
        };
        let table = Table {
            wrap: self.envelope.map(|Envelope { field, is, request }| {
                (kept(field), list(is.iter().map(String::as_str).collect()), kept(request))
            }),
            around: list(around),
            telling,
            most: self.most.unwrap_or(QUESTIONS).min(QUESTIONS),
            shape,
            key,
            template: Some(Box::leak(Box::new(self.answer))),
            result: self.result.map(|result| &*Box::leak(Box::new(result))),
            replied: said(self.reply, Said::Nothing),
            ended: said(self.end_turn, Said::Nothing),
            failed: said(self.failed, Said::Failure),
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
            unread: |_| std::sync::Arc::new(Nothing),
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

fn kept(text: impl Into<String>) -> &'static str {
    Box::leak(text.into().into_boxed_str())
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
