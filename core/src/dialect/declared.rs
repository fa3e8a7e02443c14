//! Finds the fields that a dialect does not define and another one does, and those in another notation. What can mean one thing alone is read, with a
//! warning; what would be lost otherwise is a problem; the rest is named.

use super::{
    condition,
    fields::{Fields, Reader},
    mending::{NAME, SHORTEST},
    near::{is_near, is_one, is_private, is_same, nearest_kind, says_nothing},
};
use crate::{
    json,
    problem::{ConditionPlace, ProblemKind},
    text::shortened,
};
use serde_json::Value;

/// What a field says of a question: the names that tools have for it, each after a space, the value that says nothing, and the levels at which it says so.
type Saying = (&'static str, Option<bool>, &'static [Level]);

const ANYWHERE: &[Level] = &[Level::Request, Level::Question, Level::Option];
const NOT_IN_OPTIONS: &[Level] = &[Level::Request, Level::Question];
const IN_QUESTIONS: &[Level] = &[Level::Question];

/// What would be lost with a field: the options, how many may be chosen, whether own words may be given, a secret, a limit.
const ESSENTIAL: &[Saying] = &[
    ("options choices enum values suggestions", None, ANYWHERE),
    SEVERAL,
    OWN_WORDS,
    (SECRET, Some(false), ANYWHERE),
    ("required isRequired", Some(true), NOT_IN_OPTIONS),
    ("optional integer", Some(false), NOT_IN_OPTIONS),
    ("schema requestedSchema responseSchema jsonSchema", None, IN_QUESTIONS),
    ("questions fields follow_up followUps subQuestions", None, ANYWHERE),
    ("min_selections minItems minChoices", None, ANYWHERE),
    ("max_selections maxItems maxChoices", None, ANYWHERE),
    ("min_length max_length minimum min maximum max pattern regex format", None, IN_QUESTIONS),
    ("danger dangerous destructive irreversible isDangerous isDestructive", Some(false), ANYWHERE),
    TYPE,
];
/// Whether the answer is a secret.
const SECRET: &str = "isSecret secret hidden password isPassword sensitive isSensitive masked";
/// Whether several may be chosen.
const SEVERAL: Saying =
    ("multiSelect multiple multi_select allowMultiple multi isMulti isMultiple selectionMode", Some(false), ANYWHERE);
/// Whether own words may be given. What says nothing here depends on whether the dialect offers it anyway.
const OWN_WORDS: Saying = (
    "custom allow_custom isOther other allowOther allowFreeform allowFreeformInput allowFreeText freeText allowText",
    None,
    ANYWHERE,
);
/// What kind of question it is. Around questions, a field of this name says something else.
const TYPE: Saying = ("type answer_type kind inputType", None, IN_QUESTIONS);
/// What explains a question, and is named if it is left out.
const EXPLAINING: &str = "context description descriptions details default placeholder preview recommended value text label name header message title question prompt disabled isDisabled enabled readonly selected checked url children";
/// What limits an answer, and is named in an option, where it says nothing of this one alone.
const LIMITING: &str = "schema requestedSchema responseSchema jsonSchema min_length max_length minimum min maximum max pattern regex format";

/// What explains a whole request. Protocols have a title and a description of their own around questions.
const AROUND: &str = "context details message header placeholder preview recommended default question prompt text";

/// Where fields stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Level {
    /// Around the questions, where protocols have fields of their own.
    Request,
    /// In a question.
    Question,
    /// In an option.
    Option,
}

impl<'a> Fields<'a> {
    /// Finds the fields that a dialect does not define, and others do. `own` are its fields at this level.
    pub(super) fn declare(&mut self, reader: &mut Reader, own: &[&'static str], level: Level) -> Option<()> {
        if self.has_only(own) {
            return Some(());
        }
        self.declare_others(reader, own, level)
    }

    /// The same where there are other fields. Few requests need it, so it is a function of its own, which the first download lacks.
    #[cold]
    #[inline(never)]
    fn declare_others(&mut self, reader: &mut Reader, own: &[&'static str], level: Level) -> Option<()> {
        let place = if level == Level::Option { ConditionPlace::InOption } else { ConditionPlace::Nowhere };
        condition::refuse_others(reader, self, own, place, None);
        for (given, value) in self.map().iter() {
            if own.contains(&given.as_str()) || says_nothing(value) || is_private(given) {
                continue;
            }
            reader.charge(NAME)?;
            let said = ESSENTIAL.iter().find(|(names, ..)| is_one(given, names));
            let said = said.filter(|(.., levels)| levels.contains(&level));
            let same = own.iter().find(|name| is_same(given, name));
            let meant = same.or_else(|| {
                own.iter().find(|name| said.is_some_and(|(names, ..)| names.split(' ').any(|one| one == **name)))
            });
            // A word in place of a yes or no says which of the two it means to whoever defined it.
            if same.is_none() && value.is_string() && said.is_some_and(|(_, nothing, _)| nothing.is_some()) {
                if !said.is_some_and(|said| is_harmless(*said, value, own, level)) {
                    self.refuse(reader, given, meant.copied());
                }
                continue;
            }
            let sent = meant.and_then(|meant| self.present(meant));
            let near = || own.iter().find(|name| name.len() >= SHORTEST && is_near(given, name));
            match (meant, sent) {
                // By these, questions are told apart: they are looked for before they are read.
                (Some(field @ &("id" | "question")), None) => self.near.push((field, given)),
                (Some(field), None) => self.rename(reader, field, field, given),
                (Some(_), Some(sent)) if json::equal(sent, value) => {}
                (Some(field), Some(_)) => self.refuse(reader, given, Some(field)),
                (None, _) if said.is_some_and(|said| is_harmless(*said, value, own, level)) => {}
                (None, _) if said.is_some() => self.refuse(reader, given, in_questions(own)),
                (None, _) => {
                    if let Some(near) = near().filter(|near| self.present(near).is_none()) {
                        self.refuse(reader, given, Some(near));
                    } else if is_one(given, if level == Level::Request { AROUND } else { EXPLAINING })
                        || level == Level::Option && is_one(given, LIMITING)
                    {
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
        if !self.has_only(known) {
            self.refuse_essential_others(reader, known, level);
        }
    }

    #[cold]
    #[inline(never)]
    fn refuse_essential_others(&self, reader: &mut Reader, known: &[&'static str], level: Level) {
        for (given, value) in self.map().iter() {
            let is_read = known.contains(&given.as_str())
                || is_private(given)
                || self.renamed.iter().any(|(_, name)| name == given);
            let is_said = |said: &&Saying| {
                // `ask_user` has no fields of a protocol around its questions.
                (said.2.contains(&level) || level == Level::Request && **said != TYPE)
                    && is_one(given, said.0)
                    && !is_harmless(**said, value, known, level)
            };
            // A list that nobody knows has the options in it, where nothing says what kind of question it is.
            let has_options = level == Level::Question
                && self.present("answer_type").is_none()
                && known.contains(&"options")
                && self.present("options").is_none()
                && value.as_array().is_some_and(|list| list.iter().any(|one| one.is_string() || one.is_object()));
            if !is_read && is_one(given, SECRET) && *value == Value::Bool(true) && known.contains(&"answer_type") {
                let kind =
                    ProblemKind::AmbiguousField { given: shortened(given, 100).into_owned(), answer_type: "secret" };
                reader.problem(self.path.field(given), kind);
            } else if !is_read && has_options {
                self.refuse(reader, given, Some("options"));
            } else if !is_read && !says_nothing(value) && ESSENTIAL.iter().any(|said| is_said(&said)) {
                let near = self.near.iter().find(|(_, name)| name == given).map(|(field, _)| *field);
                self.refuse(reader, given, near.or_else(|| in_questions(known)));
            }
        }
    }

    /// Names each field that a protocol has at another level or in another notation: it is not read. `own` are its fields at this level, `all` those at
    /// any. Other fields are left alone: a later version of the protocol can have them.
    pub(super) fn name_strays(&self, reader: &mut Reader, own: &[&str], all: &[&'static str]) {
        if !self.has_only(own) {
            self.name_others(reader, own, all);
        }
    }

    #[cold]
    #[inline(never)]
    fn name_others(&self, reader: &mut Reader, own: &[&str], all: &[&'static str]) {
        let is_read = |given: &String| {
            own.contains(&given.as_str()) || self.renamed.iter().any(|(_, name)| *name == given.as_str())
        };
        for (given, value) in self.map().iter().filter(|(given, _)| !is_read(given)) {
            if reader.charge(NAME).is_none() {
                return;
            }
            if says_nothing(value) || is_private(given) {
                continue;
            }
            if let Some(field) = all.iter().find(|field| is_same(given, field)) {
                let near = Some(*field).filter(|field| *field != given && own.contains(field));
                let field = shortened(given, 100).into_owned();
                reader.warning(self.path.field(given), ProblemKind::UnknownField { field, near });
            }
        }
    }

    /// The same, but a field of this level in another notation is read where its own says nothing and it holds what may be there.
    pub(super) fn read_strays(
        &mut self,
        reader: &mut Reader,
        own: &[&'static str],
        all: &[&'static str],
        may_be: fn(&str, &Value) -> bool,
    ) {
        if !self.has_only(own) {
            self.read_others(reader, own, all, may_be);
        }
    }

    #[cold]
    #[inline(never)]
    fn read_others(
        &mut self,
        reader: &mut Reader,
        own: &[&'static str],
        all: &[&'static str],
        may_be: fn(&str, &Value) -> bool,
    ) {
        for (given, value) in self.map().iter().filter(|(given, _)| !own.contains(&given.as_str())) {
            if reader.charge(NAME).is_none() {
                return;
            }
            if says_nothing(value) || is_private(given) {
                continue;
            }
            let is_it = |field: &&'static str| {
                is_same(given, field) && self.value(field).is_none_or(says_nothing) && may_be(field, value)
            };
            if let Some(field) = own.iter().copied().find(is_it) {
                self.rename(reader, field, field, given);
            }
        }
        self.name_others(reader, own, all);
    }

    /// Records a problem for each of these fields that says something: with what `by` says, it has no place.
    pub(super) fn refuse_for(&self, reader: &mut Reader, names: &[&str], by: &'static str) {
        for name in names {
            if self.present(name).is_some_and(|value| !says_nothing(value) && *value != Value::Bool(false)) {
                self.refuse(reader, self.sent(name), Some(by));
            }
        }
    }

    /// Records that a field says what would be lost. `meant`: what to use in its place, or to correct.
    pub(super) fn refuse(&self, reader: &mut Reader, given: &str, meant: Option<&'static str>) {
        let place = self.path.field(given);
        // An option is not secret: it is to be left out.
        let in_option = self.path.as_str().contains("/options/");
        let is_secret = meant.is_none() && !in_option && is_one(given, SECRET);
        let given = shortened(given, 100).into_owned();
        let kind = match is_secret {
            true => ProblemKind::MisplacedSecret { given },
            false => ProblemKind::MisplacedField { given, meant },
        };
        reader.problem(place, kind);
    }
}

/// Whether a protocol without such a field loses what it says of a value. `several`: whether several can be chosen.
#[cold]
#[inline(never)]
pub(super) fn is_lost(given: &str, value: &Value, several: bool) -> bool {
    let said = ESSENTIAL.iter().find(|(names, ..)| is_one(given, names));
    said.is_some_and(|said| match value {
        Value::Bool(says) => said.1 == Some(true) || *says != (several && *said == SEVERAL),
        Value::String(word) => *said != SEVERAL || (word == "single") == several,
        _ => true,
    })
}

/// Where to say what only a question can say, around questions.
fn in_questions(own: &[&'static str]) -> Option<&'static str> {
    own.iter().copied().find(|name| *name == "questions")
}

/// Whether a value says what a dialect with these fields does anyway.
fn is_harmless(said: Saying, value: &Value, own: &[&'static str], level: Level) -> bool {
    let nothing = match (said == OWN_WORDS, level) {
        (false, _) => said.1,
        // Without a field for them, own words are always offered.
        (true, Level::Question) => Some(!own.iter().any(|name| ["isOther", "other"].contains(name))),
        (true, Level::Request | Level::Option) => None,
    };
    match value.as_str() {
        // What kind of choice is asked for where there is no other.
        Some(kind) if said == TYPE => {
            own.contains(&"options") && nearest_kind(kind, &["select", "multi_select"]) == Some("select")
        }
        Some(text) => matches!(text, "single" | "markdown"),
        None => nothing.is_some() && value.as_bool() == nothing,
    }
}
