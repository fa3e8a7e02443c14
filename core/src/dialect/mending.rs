//! Finds the fields that a call of `ask_user` has in the words of other agents' tools, and those that are nearly spelled like one of its own. The first
//! kind is read, with a warning, if the call is certain to be of `ask_user`, so that its result has one shape. The others are named.

use super::{
    fields::{Fields, Reader},
    near::{is_near, is_private, is_same, said},
};

/// Fields with the names that other tools have for them. What differs in upper case or in signs alone is the same name.
pub(super) type Names = &'static [Called];
type Called = (&'static str, &'static [&'static str]);
/// Whether a field is one of what is read.
type Fits = fn(&Fields<'_>, &str) -> bool;

/// The fields of a question. The last three are none of its own: they say something about another field, as `said` says.
pub(super) const QUESTION: Names = &[
    ("text", &["question", "prompt", "message", "label", "title"]),
    ("question", &["prompt", "message", "label", "title"]),
    ("id", &["name", "key"]),
    ("answer_type", &["type", "kind"]),
    ("options", &["choices", "enum"]),
    ("context", &["description", "details"]),
    ("other", &["custom", "allowCustom", "isOther", "allowOther"]),
    ("minimum", &["min"]),
    ("maximum", &["max"]),
    ("min_selections", &["minItems", "min"]),
    ("max_selections", &["maxItems", "max"]),
    ("min_length", &["min"]),
    ("max_length", &["max"]),
    DANGER,
    (REQUIRED, &["required", "isRequired"]),
    (SEVERAL, &["multiSelect", "multiple", "allowMultiple"]),
    (HIDDEN, SECRET),
];
/// The fields of an option.
pub(super) const OPTION: Names = &[("label", &["name", "title", "text"]), ("value", &["id", "key", "const"]), DANGER];
/// The fields of a condition.
pub(super) const CONDITION: Names =
    &[("question_id", &["id", "question"]), ("equals", &["value", "is", "equal"]), ("in", &["oneOf"])];

const DANGER: (&str, &[&str]) = ("danger", &["dangerous", "destructive", "irreversible"]);

/// Whether an answer must be given: the opposite of `optional`.
pub(super) const REQUIRED: &str = "optional (required)";
/// Whether several options may be chosen: `answer_type` says so.
pub(super) const SEVERAL: &str = "answer_type (several)";
/// What other tools call the flag of a secret.
pub(super) const SECRET: &[&str] = &["isSecret", "secret", "sensitive", "isSensitive", "isPassword", "masked"];
/// Whether the answer is a secret: `answer_type` says so.
pub(super) const HIDDEN: &str = "answer_type (secret)";

/// The units of work for comparing the name of a field with others.
pub(super) const NAME: usize = 800;

impl<'a> Fields<'a> {
    /// Finds the fields that have another name, among those that are not `known`. Of several that a name can mean, it means one that `fits`.
    pub(super) fn mend(&mut self, reader: &mut Reader, names: Names, known: &[&'static str], fits: Fits) -> Option<()> {
        if self.has_only(known) { Some(()) } else { self.mend_others(reader, names, known, fits) }
    }

    #[cold]
    #[inline(never)]
    fn mend_others(&mut self, reader: &mut Reader, names: Names, known: &[&'static str], fits: Fits) -> Option<()> {
        for (given, value) in self.map().iter() {
            if known.contains(&given.as_str()) {
                continue;
            }
            reader.charge(NAME)?;
            if value.is_null() || is_private(given) {
                continue;
            }
            let is_free = |field: &&'static str| {
                let is_sent = self.map().get(*field).is_some_and(|value| !value.is_null());
                !is_sent && !self.renamed.iter().any(|(one, _)| *one == *field)
            };
            let may_mean = |field: &str| known.contains(&field) || field.contains(' ');
            let called = |names: &[&str]| names.iter().any(|name| is_same(given, name));
            let other = |is_wanted: &dyn Fn(&str) -> bool| {
                let is_it = |(field, names): &&Called| may_mean(field) && called(names) && is_wanted(field);
                names.iter().find(is_it).map(|(field, _)| *field)
            };
            let other = || other(&|field| fits(self, field)).or_else(|| other(&|_| true));
            let found = known.iter().copied().find(|field| is_same(given, field)).or_else(other);
            // Who says that something cannot be undone is heard, however it is spelled.
            let danger = || known.iter().copied().find(|field| *field == DANGER.0 && is_near(given, field));
            let mistyped = || known.iter().copied().find(|field| field.len() >= SHORTEST && is_near(given, field));
            match found.or_else(danger).filter(is_free) {
                // By its id, others refer to a question: it is looked for before it is read.
                Some(field) if reader.mends && field != "id" && fits(self, field) => {
                    self.rename(reader, field, said(field), given);
                }
                // It is named as one that this kind of question does not have.
                Some(field) if reader.mends && field != "id" => self.renamed.push((field, given)),
                Some(field) if !field.contains(' ') => self.near.push((field, given)),
                _ => self.near.extend(mistyped().filter(is_free).map(|field| (field, given.as_str()))),
            }
        }
        Some(())
    }
}

/// Of so many letters at least is a name that another one is mistyped from: of fewer, anything is near.
pub(super) const SHORTEST: usize = 4;
