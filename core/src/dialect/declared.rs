//! Finds the fields that a dialect does not define and another one does, and those in another notation. What can mean one thing alone is read, with a
//! warning; what would be lost otherwise is a problem; the rest is named.

use super::{
    condition,
    fields::{Fields, Reader},
    mending::{DANGER, NAME, SHORTEST},
    near::{is_near, is_same},
};
use crate::{
    json,
    problem::{ConditionPlace, ProblemKind},
    text::shortened,
};
use serde_json::Value;

/// What a field says of a question, and whether it can be left out: the names that tools have for it, and the value that says nothing.
type Saying = (&'static [&'static str], Option<bool>);

/// What would be lost with a field: the options, how many may be chosen, whether own words may be given, a secret, a limit.
const ESSENTIAL: &[Saying] = &[
    (&["options", "choices", "enum"], None),
    (&["multiSelect", "multiple", "multi_select", "allowMultiple"], Some(false)),
    OWN_WORDS,
    (&["isSecret", "secret", "hidden", "password"], Some(false)),
    (&["required", "isRequired"], Some(true)),
    (&["optional"], Some(false)),
    (&["schema", "requestedSchema", "responseSchema", "jsonSchema"], None),
    (&["questions", "fields", "follow_up", "followUps", "inputs", "subQuestions"], None),
    (&["min_selections", "minItems"], None),
    (&["max_selections", "maxItems"], None),
    (&["min_length"], None),
    (&["max_length"], None),
    (&["minimum", "min"], None),
    (&["maximum", "max"], None),
    (&["pattern"], None),
    (&["format"], None),
    (&["integer"], Some(false)),
    (DANGER.1, Some(false)),
    (&[DANGER.0], Some(false)),
    TYPE,
];
/// Whether own words may be given. What says nothing here depends on whether the dialect offers it anyway.
const OWN_WORDS: Saying = (
    &[
        "custom",
        "allow_custom",
        "isOther",
        "other",
        "allowOther",
        "allowFreeform",
        "allowFreeformInput",
        "allowFreeText",
    ],
    None,
);
/// What kind of question it is. Around questions, a field of this name says something else.
const TYPE: Saying = (&["type", "answer_type", "kind"], None);
/// What explains a question, and is named if it is left out.
const EXPLAINING: &[&str] = &[
    "context",
    "description",
    "descriptions",
    "details",
    "default",
    "placeholder",
    "preview",
    "recommended",
    "value",
    "text",
    "label",
    "header",
];

/// Where fields stand.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Level {
    /// Around the questions, where protocols have fields of their own.
    Request,
    /// In a question, or in an option.
    Question,
}

impl Fields<'_> {
    /// Finds the fields that a dialect does not define, and others do. `own` are its fields at this level.
    pub(super) fn declare(&mut self, reader: &mut Reader, own: &[&'static str], level: Level) -> Option<()> {
        if self.map().keys().all(|name| own.contains(&name.as_str())) {
            return Some(());
        }
        condition::refuse_others(reader, self, ConditionPlace::Nowhere);
        for (given, value) in self.map().iter() {
            if own.contains(&given.as_str()) || says_nothing(value) {
                continue;
            }
            reader.charge(NAME)?;
            let said = ESSENTIAL.iter().find(|(names, _)| names.iter().any(|name| is_same(given, name)));
            let said = said.filter(|said| level == Level::Question || **said != TYPE);
            let same = own.iter().find(|name| is_same(given, name));
            let meant = same.or_else(|| own.iter().find(|name| said.is_some_and(|(names, _)| names.contains(name))));
            let sent = meant.and_then(|meant| self.present(meant));
            let near = || own.iter().find(|name| name.len() >= SHORTEST && is_near(given, name));
            match (meant, sent) {
                // By these, questions are told apart: they are looked for before they are read.
                (Some(field @ &("id" | "question")), None) => self.near.push((field, given)),
                (Some(field), None) => self.rename(reader, field, field, given),
                (Some(_), Some(sent)) if json::equal(sent, value) => {}
                (Some(field), Some(_)) => self.refuse(reader, given, Some(field)),
                (None, _) if said.is_some_and(|said| is_harmless(*said, value, own, level)) => {}
                (None, _) if said.is_some() => self.refuse(reader, given, None),
                (None, _) => {
                    if let Some(near) = near().filter(|near| self.present(near).is_none()) {
                        self.refuse(reader, given, Some(near));
                    } else if level == Level::Question && EXPLAINING.iter().any(|name| is_same(given, name)) {
                        let field = shortened(given, 100).into_owned();
                        reader.warning(self.path.field(given), ProblemKind::UnknownField { field, near: None });
                    }
                }
            }
        }
        Some(())
    }

    /// Records a problem for each field that `ask_user` does not have and others do, where it says something. `known` are its own.
    pub(super) fn refuse_essential(&self, reader: &mut Reader, known: &[&'static str], level: Level) {
        for (given, value) in self.map().iter() {
            let is_read = known.contains(&given.as_str()) || self.renamed.iter().any(|(_, name)| name == given);
            let is_said = |said: &&Saying| {
                (level == Level::Question || **said != TYPE)
                    && said.0.iter().any(|name| is_same(given, name))
                    && !is_harmless(**said, value, known, level)
            };
            if !is_read && !says_nothing(value) && ESSENTIAL.iter().any(|said| is_said(&said)) {
                self.refuse(reader, given, self.near.iter().find(|(_, name)| name == given).map(|(field, _)| *field));
            }
        }
    }

    fn refuse(&self, reader: &mut Reader, given: &str, meant: Option<&'static str>) {
        let kind = ProblemKind::MisplacedField { given: shortened(given, 100).into_owned(), meant };
        reader.problem(self.path.field(given), kind);
    }
}

/// Whether a value says what a dialect with these fields does anyway.
fn is_harmless(said: Saying, value: &Value, own: &[&'static str], level: Level) -> bool {
    let (_, nothing) = said;
    let nothing = match (said == OWN_WORDS, level) {
        (false, _) => nothing,
        // Without a field for them, own words are always offered.
        (true, Level::Question) => Some(!own.iter().any(|name| ["isOther", "other"].contains(name))),
        (true, Level::Request) => None,
    };
    nothing.is_some() && value.as_bool() == nothing
}

/// Whether a value says nothing, whatever its field means.
fn says_nothing(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::String(text) => text.is_empty(),
        Value::Array(list) => list.is_empty(),
        Value::Object(map) => map.is_empty(),
        Value::Bool(_) | Value::Number(_) => false,
    }
}
