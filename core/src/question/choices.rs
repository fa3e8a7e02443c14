//! The options of a choice.

use crate::{
    json::{self, Numbers, scalar_key},
    problem::collected,
    text::{is_invisible, look},
};
use serde::Deserialize;
use serde_json::{Map, Value};

/// One option of a choice.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct Choice {
    /// The answer when it is chosen. A JSON scalar, not null.
    pub value: Value,
    /// What the person reads.
    pub label: String,
    /// A line under the label.
    pub description: Option<String>,
    /// What choosing it would look like: text in a fixed-width font.
    pub preview: Option<String>,
    /// Whether the agent advises it. It is marked, and never selected for the person.
    #[serde(default)]
    pub recommended: bool,
    /// Whether choosing it cannot be undone.
    #[serde(default)]
    pub danger: bool,
}

impl Choice {
    /// An option whose value is its label.
    pub(crate) fn new(text: &str) -> Self {
        Self::of(text.into(), text.to_owned())
    }

    /// An option with a value and a label.
    pub(crate) fn of(value: Value, label: String) -> Self {
        Self { value, label, description: None, preview: None, recommended: false, danger: false }
    }

    /// How much text it holds, in bytes.
    pub(crate) fn size(&self) -> usize {
        let own = self.label.len().saturating_add(self.value.as_str().map_or(8, str::len));
        [&self.description, &self.preview].into_iter().flatten().fold(own, |sum, text| sum.saturating_add(text.len()))
    }
}

/// The options of a choice. At least one, with distinct values and labels that do not look alike.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(from = "Listed")]
pub struct Choices {
    options: Vec<Choice>,
    other: bool,
    /// The place of every option by its value. Invariant: holds every option.
    #[serde(skip)]
    places: Numbers,
    /// Whether choosing one of the options cannot be undone.
    #[serde(skip)]
    danger: bool,
}

/// The JSON form of [`Choices`].
#[derive(Deserialize)]
struct Listed {
    options: Vec<Choice>,
    #[serde(default)]
    other: bool,
}

impl From<Listed> for Choices {
    fn from(Listed { options, other }: Listed) -> Self {
        Self::new(options).0.with_other(other)
    }
}

impl Choices {
    /// Collects options, and lists those that repeat the value or the look of an earlier one.
    pub(crate) fn new(options: Vec<Choice>) -> (Self, Vec<Repeated>) {
        let (mut places, mut looks) = (Numbers::default(), Numbers::default());
        let mut repeated = Vec::new();
        for (place, option) in options.iter().enumerate() {
            let key = scalar_key(&option.value).unwrap_or_default();
            let look = look(&option.label);
            match places.get(&key).or_else(|| looks.get(&look)) {
                Some(first) => repeated.push(Repeated { place, first: first as usize }),
                None => {
                    places.set(key, place as u64);
                    looks.set(look, place as u64);
                }
            }
        }
        let danger = options.iter().any(|option| option.danger);
        (Self { options, other: false, places, danger }, repeated)
    }

    /// The same options, with its value beside each label that another one has: two people may have one name.
    #[cold]
    #[inline(never)]
    pub(crate) fn apart(mut self) -> (Self, Vec<Repeated>) {
        // A value that is there twice is one option.
        let mut values = Numbers::default();
        self.options.retain(|option| {
            let key = scalar_key(&option.value).unwrap_or_default();
            let is_new = values.get(&key).is_none();
            values.set(key, 1);
            is_new
        });
        let labels =
            apart(&self.options.iter().map(|option| (option.label.as_str(), &option.value)).collect::<Vec<_>>());
        for (option, label) in self.options.iter_mut().zip(labels) {
            option.label = label;
        }
        Self::new(self.options)
    }

    /// The same options, with or without a free text in place of one.
    pub(crate) fn with_other(self, other: bool) -> Self {
        Self { other, ..self }
    }

    /// Adds the options, and whether there is "Other", to the JSON form of a question.
    pub(super) fn add_to(&self, json: &mut Map<String, Value>) {
        let mut options = Vec::with_capacity(self.options.len());
        for Choice { value, label, description, preview, recommended, danger } in &self.options {
            options.push(Value::Object(collected(&mut [
                ("value", Some(value.clone())),
                ("value_text", json::digits::are_beyond_doubles(value).then(|| json::text(value).into())),
                ("label", Some(label.as_str().into())),
                ("description", description.as_deref().map(Value::from)),
                ("preview", preview.as_deref().map(Value::from)),
                ("recommended", recommended.then_some(true.into())),
                ("danger", danger.then_some(true.into())),
            ])));
        }
        json.insert("options".into(), Value::Array(options));
        json.insert("other".into(), self.other.into());
    }

    /// Whether any option has a preview.
    pub fn have_previews(&self) -> bool {
        self.options.iter().any(|option| option.preview.is_some())
    }

    pub(crate) fn drop_previews(&mut self) {
        for option in &mut self.options {
            option.preview = None;
        }
    }

    /// The options in their order.
    pub fn as_slice(&self) -> &[Choice] {
        &self.options
    }

    /// Whether a free text can stand in place of an option ("Other").
    pub fn other(&self) -> bool {
        self.other
    }

    /// Whether choosing one of the options cannot be undone.
    pub fn have_danger(&self) -> bool {
        self.danger
    }

    /// The option with this value.
    pub fn get(&self, value: &Value) -> Option<&Choice> {
        self.options.get(self.place(value)?)
    }

    /// The places of the options with these values, ascending and each once. The error is the first value that is not an option, or that
    /// is there twice.
    pub(crate) fn places(&self, values: &[Value]) -> Result<Vec<usize>, Unselectable> {
        let mut marks = vec![false; self.options.len()];
        for (at, value) in values.iter().enumerate() {
            match self.place(value).and_then(|place| marks.get_mut(place)) {
                Some(true) => return Err(Unselectable::Repeated(at)),
                Some(mark) => *mark = true,
                None => return Err(Unselectable::Unknown(at)),
            }
        }
        Ok(marks.iter().enumerate().filter(|(_, marked)| **marked).map(|(place, _)| place).collect())
    }

    /// The place of the option with this value, from 0.
    pub fn place(&self, value: &Value) -> Option<usize> {
        self.places.get(&scalar_key(value)?).map(|place| place as usize)
    }
}

/// Why values cannot be selected together, with the place of the value.
pub(crate) enum Unselectable {
    Unknown(usize),
    Repeated(usize),
}

/// An option that repeats an earlier one.
pub(crate) struct Repeated {
    pub place: usize,
    pub first: usize,
}

/// Texts of which no two look alike. Those that do have their names beside them, or else these as JSON, or else a number.
#[cold]
#[inline(never)]
pub(crate) fn apart(named: &[(&str, &Value)]) -> Vec<String> {
    /// A text with its name, and then with that as JSON; and how often all are compared anew.
    const MOST: (usize, usize) = (2, 4);
    let said = |(text, name): &(&str, &Value), level: usize| {
        let plain = name.as_str().filter(|name| level == 1 && look(name) == **name);
        match (level, plain) {
            (0, _) => (*text).to_owned(),
            (_, Some(name)) => [text, " (", name, ")"].concat(),
            (_, None) => [text, " (", &exact(name), ")"].concat(),
        }
    };
    let (last, rounds) = MOST;
    let mut told: Vec<String> = named.iter().map(|(text, _)| (*text).to_owned()).collect();
    let mut looks: Vec<String> = told.iter().map(|text| look(text)).collect();
    let mut levels = vec![0_usize; named.len()];
    for _ in 0..rounds {
        // How many have a look, and the least that any of them says beside its text: those change. What they become may be another one's text, so
        // the next round looks again.
        let (mut seen, mut least) = (Numbers::default(), Numbers::default());
        for (look, level) in looks.iter().zip(&levels) {
            seen.set(look.clone(), seen.get(look).unwrap_or_default().saturating_add(1));
            let level = *level as u64;
            least.set(look.clone(), least.get(look).map_or(level, |other| other.min(level)));
        }
        let mut is_done = true;
        for (((one, level), text), own) in named.iter().zip(&mut levels).zip(&mut told).zip(&mut looks) {
            if *level < last && seen.get(own) > Some(1) && least.get(own) == Some(*level as u64) {
                *level = level.saturating_add(1);
                *text = said(one, *level);
                *own = look(text);
                is_done = false;
            }
        }
        if is_done {
            break;
        }
    }
    // How many texts have a look.
    let (mut all, mut before) = (Numbers::default(), Numbers::default());
    looks.iter().for_each(|look| all.set(look.clone(), 1));
    for (text, own) in told.iter_mut().zip(looks) {
        let mut number = before.get(&own).unwrap_or_default().saturating_add(1);
        if number > 1 {
            let numbered = |number: u64| [text.as_str(), " ", &number.to_string()].concat();
            while all.get(&look(&numbered(number))).is_some() {
                number = number.saturating_add(1);
            }
            *text = numbered(number);
            all.set(look(text), 1);
        }
        before.set(own, number);
    }
    told
}

/// A value as JSON text in which every character can be seen.
#[cold]
#[inline(never)]
pub(crate) fn exact(value: &Value) -> String {
    let text = crate::json::text(value);
    let mut exact = String::with_capacity(text.len());
    for character in text.chars() {
        if character != ' ' && (is_invisible(character) || character.is_whitespace()) {
            for unit in character.encode_utf16(&mut [0; 2]) {
                exact.push_str("\\u");
                exact.extend(
                    [12, 8, 4, 0].iter().filter_map(|bits| char::from_digit(u32::from(*unit >> bits & 0xf), 16)),
                );
            }
        } else {
            exact.push(character);
        }
    }
    exact
}
