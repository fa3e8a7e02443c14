//! The condition under which a question is asked, compiled once. The module `answer` says whether it holds.

use super::{AnswerType, Choices};
use crate::json::{Numbers, scalar_key, size};
use serde_json::Value;

/// The condition under which a question is asked. Invariant: every question that it looks at comes before the one that has it, and is no secret.
#[derive(Clone, Debug, PartialEq)]
pub enum When {
    /// The answer to an earlier question passes a test.
    Answer {
        /// The place of the question.
        question: usize,
        /// The test.
        is: Test,
    },
    /// All of these hold. Never empty.
    All(Vec<When>),
    /// One of these holds, or several. Never empty.
    Any(Vec<When>),
    /// This does not hold.
    Not(Box<When>),
}

/// What an answer must be.
#[derive(Clone, Debug, PartialEq)]
pub enum Test {
    /// It equals a value. Null: the question was skipped or left empty.
    Equals(Wanted),
    /// It equals one of these values.
    In(Vec<Wanted>),
    /// A value is among the chosen ones. Only of a multi-select.
    Contains(Wanted),
    /// There is one other than null (`true`), or there is none.
    Answered(bool),
}

/// A value that an answer is compared with.
#[derive(Clone, Debug, PartialEq)]
pub struct Wanted {
    /// The value.
    pub value: Value,
    /// The same as a selection, where the question is a multi-select. `None`: no selection equals it.
    pub(crate) selection: Option<Selected>,
}

/// A value as a selection of a multi-select.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Selected {
    /// The places of the options, ascending.
    pub places: Vec<usize>,
    /// The free text beside them.
    pub other: Option<String>,
}

impl When {
    /// Whether it looks at the answer to a question.
    pub fn looks_at(&self, place: usize) -> bool {
        match self {
            Self::Answer { question, .. } => *question == place,
            Self::All(list) | Self::Any(list) => list.iter().any(|when| when.looks_at(place)),
            Self::Not(when) => when.looks_at(place),
        }
    }

    /// How much memory it takes, in units of work.
    pub(crate) fn size(&self) -> usize {
        self.sum(&|wanted| {
            let places = wanted.selection.as_ref().map_or(0, |selection| selection.places.len());
            (size(&wanted.value) as usize).saturating_add(places.saturating_mul(4)).saturating_add(WANTED)
        })
    }

    /// The most units of work that finding out whether it holds takes.
    pub(crate) fn cost(&self) -> u64 {
        self.sum(&|wanted| size(&wanted.value) as usize / 8) as u64
    }

    /// The sum over all values, and a little for every part.
    fn sum(&self, of: &dyn Fn(&Wanted) -> usize) -> usize {
        let parts = |list: &[Self]| list.iter().fold(PART, |sum, when| sum.saturating_add(when.sum(of)));
        match self {
            Self::Answer { is: Test::Equals(wanted) | Test::Contains(wanted), .. } => of(wanted).saturating_add(PART),
            Self::Answer { is: Test::In(list), .. } => {
                list.iter().fold(PART, |sum, wanted| sum.saturating_add(of(wanted)))
            }
            Self::Answer { is: Test::Answered(_), .. } => PART,
            Self::All(list) | Self::Any(list) => parts(list),
            Self::Not(when) => parts(std::slice::from_ref(when)),
        }
    }
}

/// The units of work of a part of a condition, and of keeping a value beside its JSON.
const PART: usize = 8;
const WANTED: usize = 24;

impl Wanted {
    /// A value for the answer to a question of this type, or of one that could not be read. A list takes time in proportion to the options of a
    /// multi-select.
    pub(crate) fn new(earlier: Option<&AnswerType>, value: Value) -> Self {
        let selection = match (earlier, &value) {
            (Some(AnswerType::MultiSelect { choices, .. }), Value::Array(list)) => Selected::new(choices, list),
            _ => None,
        };
        Self { value, selection }
    }

    /// A value that one of the chosen ones must equal.
    pub(crate) fn among(earlier: Option<&AnswerType>, value: Value) -> Self {
        let selected = |choices: &Choices| match (choices.place(&value), &value) {
            (Some(place), _) => Some(Selected { places: vec![place], other: None }),
            (None, Value::String(text)) if choices.other() => {
                Some(Selected { places: Vec::new(), other: Some(text.clone()) })
            }
            _ => None,
        };
        let selection = match earlier {
            Some(AnswerType::MultiSelect { choices, .. }) => selected(choices),
            _ => None,
        };
        Self { value, selection }
    }
}

impl Selected {
    /// The values as a set: a value may be there twice. `None` if no selection has these values.
    fn new(choices: &Choices, values: &[Value]) -> Option<Self> {
        let mut options: Vec<Value> = Vec::with_capacity(values.len().min(choices.as_slice().len()));
        let (mut seen, mut other) = (Numbers::default(), None);
        for value in values {
            let key = scalar_key(value)?;
            if seen.get(&key).is_some() {
                continue;
            }
            seen.set(key, 1);
            match value {
                _ if choices.place(value).is_some() => options.push(value.clone()),
                Value::String(text) if choices.other() && other.is_none() => other = Some(text.clone()),
                _ => return None,
            }
        }
        Some(Self { places: choices.places(&options).ok()?, other })
    }
}
