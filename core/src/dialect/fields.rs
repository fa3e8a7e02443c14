//! Reads fields, for all dialects. A wrong field is recorded as a problem with its place and then treated as absent, so that a rejection
//! lists every problem at once. A request with a problem never becomes a form.

use super::near::{nearest_kind, said};
use crate::{
    answer::Answer,
    budget::Budget,
    host::{Detect, Host, Limits},
    json::{self, Numbers, shown, type_name},
    problem::{Findings, Pointer, Problem, ProblemKind, Refusal},
    question::{AnswerType, Choice, Choices, Question, ROOM, Wanted},
    text::{look, shortened},
};
use serde_json::{Map, Number, Value};
use std::{collections::BinaryHeap, ops::RangeInclusive, sync::Arc};

/// The most questions of a form if neither the host nor the dialect sets a limit.
pub(super) const QUESTIONS: usize = 1_000;
/// The most questions that are read for their problems where there are too many questions anyway.
const READ: usize = 10_000;
/// The most options of a question if neither the host nor the dialect sets a limit.
pub(super) const OPTIONS: RangeInclusive<usize> = 1..=10_000;

/// Collects the questions and the problems of a request.
#[derive(Clone, Debug)]
pub(crate) struct Reader {
    pub(super) problems: Findings,
    pub(super) warnings: Findings,
    pub(super) questions: Vec<Arc<Question>>,
    /// The places of the schemas, which are compiled later.
    pub(super) schemas: Vec<Unchecked>,
    /// Values of conditions that can be checked only once the schema of their question is compiled.
    pub(super) values: Vec<Awaited>,
    pub(super) limits: Limits,
    /// Whether the host named the dialect. If not, the agent chose it by the shape of its request.
    pub(super) named: bool,
    /// Whether the request is of a server, which no model stands behind: what can be read without its defaults is read.
    pub(super) lenient: bool,
    /// Whether a reference within the request was followed.
    pub(super) follows: bool,
    /// What happens to a request that several dialects could have sent.
    detect: Detect,
    /// Whether fields in the words of other tools are read: the result has one shape, whatever they are called.
    pub(super) mends: bool,
    pub(super) budget: Budget,
    /// Whether the budget was exhausted, which is recorded once.
    pub(super) exceeded: bool,
    /// The number of questions that the turn asked before.
    asked: u64,
    /// The number of questions in the list before those that are read now. 0, unless the request is read while it is being written.
    pub(super) earlier: usize,
    /// The first index of each text by which [`Reader::places`] looks at questions.
    pub(super) places: Places,
    /// The index of each question of the list among those that could be read.
    pub(super) indexes: Vec<Option<usize>>,
    /// How many lines of the calls that are read may still be listed ([`Approval::share`]).
    pub(super) room: usize,
    /// Whether a question after this one may change how it is read. It then waits for the end of the request.
    pub(super) depends_on_later: bool,
}

/// A value of a condition on a question whose schema is not compiled yet.
#[derive(Clone, Debug)]
pub(crate) struct Awaited {
    /// The index of the question.
    pub question: usize,
    /// The value.
    pub wanted: Wanted,
    /// Its place in the request.
    pub path: Pointer,
}

/// A question whose schema is not compiled yet.
#[derive(Clone, Debug)]
pub(crate) struct Unchecked {
    /// The index of the question.
    pub question: usize,
    /// The place of its schema.
    pub schema: Pointer,
    /// The place of its default, if it has one.
    pub default: Pointer,
    /// Whether the schema is a text in the request, as a pattern is, and has no places of its own there.
    pub written: bool,
    /// Whether a default that the schema refuses is dropped.
    pub drops_default: bool,
    /// The place of the object whose `$defs` the schema was given, if it was taken out of it.
    pub definitions: Option<Pointer>,
}

impl Unchecked {
    /// The place in the request of a path in the schema.
    pub fn place(&self, path: &str) -> Pointer {
        match &self.definitions {
            Some(around) if path.starts_with("/$defs") || path.starts_with("/definitions") => around.join(path),
            _ if self.written => self.schema.clone(),
            _ => self.schema.join(path),
        }
    }
}

/// The fields of a JSON object, and its place.
pub(crate) struct Fields<'a> {
    map: &'a Map<String, Value>,
    pub(super) path: Pointer,
    /// Fields that have another name in the request: the field, and its name there. Invariant: each name is in the map.
    pub(super) renamed: Vec<(&'static str, &'a str)>,
    /// Fields that are not read, and what was probably meant by each: the field, and the name in the request.
    pub(super) near: Vec<(&'static str, &'a str)>,
}

/// Reads one of several questions, from its fields and its index.
pub(super) type ReadQuestion<'f> = &'f mut dyn FnMut(&mut Reader, &mut Fields<'_>, usize) -> Option<Question>;
/// Reads one of several options, from its value and its place.
pub(super) type ReadOption<'f> = &'f mut dyn FnMut(&mut Reader, &Value, Pointer) -> Option<Choice>;

impl Reader {
    pub(super) fn new(host: &Host, named: bool, budget: Budget) -> Self {
        Self {
            problems: Findings::default(),
            warnings: Findings::default(),
            questions: Vec::new(),
            schemas: Vec::new(),
            values: Vec::new(),
            limits: host.limits,
            named,
            mends: false,
            lenient: false,
            follows: false,
            detect: host.detect,
            budget,
            exceeded: false,
            room: ROOM,
            asked: host.turn.asked(),
            earlier: 0,
            places: Places::default(),
            indexes: Vec::new(),
            depends_on_later: false,
        }
    }

    /// Charges the work of reading. When the budget is exhausted, that is recorded once, and nothing more is read.
    pub(super) fn charge(&mut self, units: usize) -> Option<()> {
        if self.budget.charge(units as u64).is_ok() {
            return Some(());
        }
        if !std::mem::replace(&mut self.exceeded, true) {
            self.problem(Pointer::root(), ProblemKind::TooLarge { what: "reading it takes too much work".into() });
        }
        None
    }

    /// Whether a form may have so many questions: the host's limit, or else the dialect's, and no more than the turn has left. Records a
    /// problem if not.
    pub(super) fn may_ask(&mut self, found: usize, dialect: usize, path: Pointer) -> bool {
        let most = self.limits.questions.unwrap_or(dialect);
        let left = |turn: usize| turn.saturating_sub(usize::try_from(self.asked).unwrap_or(usize::MAX));
        let left = self.limits.questions_per_turn.map_or(usize::MAX, left);
        let limit = most.min(left);
        if found > limit {
            self.problem(path, ProblemKind::TooManyQuestions { limit, found, in_turn: left <= most });
        }
        found <= limit
    }

    /// Checks the number of questions in a list: at least one, and no more than the form may have.
    pub(super) fn count(&mut self, found: usize, dialect: usize, path: &Pointer) {
        if found == 0 {
            self.problem(path.clone(), ProblemKind::EmptyQuestions);
        }
        self.may_ask(found, dialect, path.clone());
    }

    /// How many questions of a list are read for their problems where there are too many anyway.
    pub(super) fn most_read(&self) -> usize {
        self.limits.questions.unwrap_or_default().max(READ)
    }

    /// Whether something can be read without a problem. Nothing of it is kept but the work that it takes.
    #[cold]
    #[inline(never)]
    pub(super) fn tries(&mut self, read: &mut dyn FnMut(&mut Self) -> bool) -> bool {
        let found = (std::mem::take(&mut self.problems), std::mem::take(&mut self.warnings));
        let (values, exceeded) = (self.values.len(), self.exceeded);
        let is_read = read(self) && self.problems.is_empty();
        (self.problems, self.warnings) = found;
        self.values.truncate(values);
        // What comes next says so, since what said it here is gone.
        self.exceeded = exceeded;
        is_read
    }

    /// Records a problem.
    pub(super) fn problem(&mut self, path: Pointer, kind: ProblemKind) {
        self.problems.push(Problem::new(path, kind));
    }

    /// Records a warning.
    pub(super) fn warning(&mut self, path: Pointer, kind: ProblemKind) {
        self.warnings.push(Problem::new(path, kind));
    }

    /// Records that other dialects have the shape of this request, too, if the host did not name one.
    pub(super) fn assume(&mut self, dialect: &'static str, others: &'static [&'static str]) {
        if !self.named {
            let kind = ProblemKind::AssumedDialect { dialect, others };
            match self.detect {
                Detect::Assume => self.warning(Pointer::root(), kind),
                Detect::Strict => self.problem(Pointer::root(), kind),
            }
        }
    }

    /// Records that a field is missing.
    pub(super) fn missing(&mut self, fields: &Fields<'_>, field: &'static str) {
        self.problem(fields.path.field(field), ProblemKind::MissingField { field, near: fields.near(field) });
    }

    /// Records a value of the wrong type.
    pub(super) fn wrong_type(&mut self, path: Pointer, expected: &'static str, found: &Value) {
        let found = match found {
            Value::String(text) if text.trim_start().starts_with(['[', '{']) => ProblemKind::WRITTEN,
            found => type_name(found),
        };
        self.problem(path, ProblemKind::WrongType { expected, found });
    }

    /// Records a kind of question that the dialect does not have.
    pub(super) fn unknown_type(
        &mut self,
        path: Pointer,
        field: &'static str,
        given: &str,
        known: &'static [&'static str],
    ) {
        let near = nearest_kind(given, known).map(|near| (field, near));
        self.problem(path, ProblemKind::UnknownAnswerType { given: given.to_owned(), known, near });
    }

    /// Reads an object.
    pub(super) fn object<'a>(&mut self, value: &'a Value, path: Pointer, expected: &'static str) -> Option<Fields<'a>> {
        match value {
            Value::Object(map) => Some(Fields::at(map, path)),
            other => {
                self.wrong_type(path, expected, other);
                None
            }
        }
    }

    /// Adds a question to the form.
    pub(super) fn ask(&mut self, question: Question) {
        if self.charge(question.size().saturating_add(QUESTION)).is_some() {
            self.questions.push(Arc::new(question));
        }
    }

    /// An id for the next question that no other one has: its place, from 1 (`q1`), or a later one.
    pub(super) fn next_id(&self) -> String {
        let place = self.questions.len().saturating_add(1);
        let id = format!("q{place}");
        if !self.questions.iter().any(|question| question.id == id) {
            return id;
        }
        let mut taken = Numbers::default();
        self.questions.iter().for_each(|question| taken.set(question.id.clone(), 1));
        let mut later = (place..).map(|place| format!("q{place}"));
        later.find(|id| taken.get(id).is_none()).unwrap_or(id)
    }

    /// Reads each question of a list.
    pub(super) fn ask_each(&mut self, list: &[Value], path: &Pointer, read: ReadQuestion<'_>) {
        for (place, question) in (self.earlier..).zip(list).take(self.most_read()) {
            if self.charge(QUESTION).is_none() {
                return;
            }
            let path = path.item(place);
            if let Some(mut fields) = self.object(question, path, "a question (an object)")
                && let Some(question) = read(self, &mut fields, place)
            {
                self.ask(question);
            }
        }
    }

    /// The first index of each text in one field of the questions of a list, and of the questions before it.
    pub(super) fn places(&mut self, list: &[Value], field: &str) -> Places {
        self.places.add(list, field, self.earlier);
        self.places.clone()
    }

    /// Reads the options of a choice. Their number must be within the limits (the host's maximum has precedence), and their values distinct.
    pub(super) fn options(
        &mut self,
        list: &[Value],
        path: &Pointer,
        allowed: &RangeInclusive<usize>,
        read: ReadOption<'_>,
    ) -> Option<Choices> {
        let (least, most, found) = (*allowed.start(), self.limits.options.unwrap_or(*allowed.end()), list.len());
        if found < least {
            self.problem(path.clone(), ProblemKind::TooFewOptions { limit: least, found });
        }
        if found > most {
            self.problem(path.clone(), ProblemKind::TooManyOptions { limit: most, found });
            return None;
        }
        let mut options = Vec::with_capacity(found);
        for (place, option) in list.iter().enumerate() {
            self.charge(OPTION)?;
            let option = read(self, option, path.item(place));
            if let Some(option) = &option {
                // Twice: once to read the option, once to compare its value and its label with the others.
                self.charge(option.size().saturating_mul(2))?;
            }
            options.extend(option);
        }
        if options.is_empty() || options.len() < found {
            return None;
        }
        let (mut choices, mut repeated) = Choices::new(options);
        if self.lenient && !repeated.is_empty() {
            (choices, repeated) = choices.apart();
        }
        for repeated in repeated {
            let value = list.get(repeated.place).map(shown).unwrap_or_default();
            let first = repeated.first.saturating_add(1);
            self.problem(path.item(repeated.place), ProblemKind::DuplicateOption { value, first });
        }
        Some(choices)
    }

    /// Reads an option that is a text.
    pub(super) fn plain(&mut self, option: &Value, path: Pointer) -> Option<Choice> {
        match option {
            Value::String(text) if !look(text).is_empty() => return Some(Choice::new(text)),
            Value::String(_) => self.problem(path, ProblemKind::EmptyText),
            other => self.wrong_type(path, "a text (a string)", other),
        }
        None
    }

    /// Sets the default of a question, if it is a valid answer. The default of a schema question is checked when the schema is compiled.
    pub(super) fn default(&mut self, question: &mut Question, default: Option<&Value>, path: Pointer) {
        let Some(default) = default else { return };
        if question.answer_type.is_secret() {
            self.warning(path, ProblemKind::SecretDefault);
        } else if question.answer_type.awaits_schema() {
            question.default = Some(default.clone());
        } else {
            match Answer::implied(question, default, &self.limits, &mut self.budget) {
                // Nothing that cannot be undone is selected for the person. What is written into a field is not selected.
                Ok(answer) if answer.is_dangerous(question) && is_chosen(&question.answer_type) => {
                    self.warning(path, ProblemKind::DangerousDefault);
                }
                Ok(answer) => question.default = Some(answer.shown()),
                Err(refusal) => self.unfit_default(refusal, path),
            }
        }
    }

    /// Records a default that the question does not take. A server that no model stands behind cannot correct it.
    pub(super) fn unfit_default(&mut self, refusal: Refusal, path: Pointer) {
        match refusal {
            refusal if self.lenient && !matches!(refusal, Refusal::TooLarge { .. }) => {
                self.warning(path, ProblemKind::DefaultDropped { refusal });
            }
            refusal => self.problem(path, ProblemKind::of_default(refusal)),
        }
    }

    /// Records the place of the schema of the next question, if it has one.
    pub(super) fn check_later(&mut self, question: &Question, schema: Pointer, default: Pointer) {
        if question.answer_type.awaits_schema() {
            self.schemas.push(Unchecked {
                question: self.questions.len(),
                schema,
                default,
                written: false,
                drops_default: self.lenient,
                definitions: None,
            });
        }
    }
}

/// Null is absence, except in [`Fields::value`].
impl<'a> Fields<'a> {
    /// The fields of a request.
    pub(super) fn root(map: &'a Map<String, Value>) -> Self {
        Self::at(map, Pointer::root())
    }

    /// The fields of an object within a request.
    pub(super) fn at(map: &'a Map<String, Value>, path: Pointer) -> Self {
        Self { map, path, renamed: Vec::new(), near: Vec::new() }
    }

    /// The object itself.
    pub(super) fn map(&self) -> &'a Map<String, Value> {
        self.map
    }

    /// Every field with its name, in the order of the request.
    pub(super) fn iter(&self) -> serde_json::map::Iter<'a> {
        self.map.iter()
    }

    /// Whether there is a field of one of these names.
    pub(super) fn has_any(&self, names: &[&str]) -> bool {
        names.iter().any(|name| json::field(self.map, name).is_some())
    }

    /// Whether there is no other field than these and private ones.
    pub(super) fn has_only(&self, names: &[&str]) -> bool {
        self.map.keys().all(|name| names.contains(&name.as_str()) || matches!(name.as_bytes(), [b'_' | b'$', ..]))
    }

    /// Any value, null included.
    pub(super) fn value(&self, name: &str) -> Option<&'a Value> {
        json::field(self.map, self.sent(name))
    }

    /// Any value but null.
    pub(super) fn present(&self, name: &str) -> Option<&'a Value> {
        self.value(name).filter(|value| !value.is_null())
    }

    /// A field that has another name in the request.
    pub(super) fn mended(&self, name: &str) -> Option<&'a Value> {
        json::field(self.map, named(&self.renamed, name)?)
    }

    /// The name that a field has in the request.
    pub(super) fn sent<'n>(&self, name: &'n str) -> &'n str
    where
        'a: 'n,
    {
        named(&self.renamed, name).unwrap_or(name)
    }

    /// The place of a field in the request.
    pub(super) fn place(&self, name: &str) -> Pointer {
        self.path.field(self.sent(name))
    }

    /// Reads a field by another name, with a warning. `said`: what it is called in the warning.
    pub(super) fn rename(&mut self, reader: &mut Reader, field: &'static str, said: &'static str, given: &'a str) {
        let shown = shortened(given, 100).into_owned();
        reader.warning(self.path.field(given), ProblemKind::RenamedField { given: shown, field: said });
        self.renamed.push((field, given));
    }

    /// A field that is there, and by which this one was probably meant.
    pub(super) fn near(&self, name: &str) -> Option<String> {
        named(&self.near, name).map(|given| shortened(given, 100).into_owned())
    }

    /// Any value but null. Records a problem if there is none.
    pub(super) fn required(&self, reader: &mut Reader, name: &'static str) -> Option<&'a Value> {
        let value = self.present(name);
        if value.is_none() {
            reader.missing(self, name);
        }
        value
    }

    /// A string.
    pub(super) fn text(&self, reader: &mut Reader, name: &str) -> Option<&'a str> {
        self.text_of(reader, name, self.present(name))
    }

    /// A required string.
    pub(super) fn required_text(&self, reader: &mut Reader, name: &'static str) -> Option<&'a str> {
        let value = self.required(reader, name);
        self.text_of(reader, name, value)
    }

    fn text_of(&self, reader: &mut Reader, name: &str, value: Option<&'a Value>) -> Option<&'a str> {
        match value? {
            Value::String(text) => Some(text),
            other => {
                reader.wrong_type(self.place(name), "a string", other);
                None
            }
        }
    }

    /// A required string that is not blank.
    pub(super) fn shown_text(&self, reader: &mut Reader, name: &'static str) -> Option<&'a str> {
        let text = self.required_text(reader, name)?;
        if look(text).is_empty() {
            reader.problem(self.place(name), ProblemKind::EmptyText);
            return None;
        }
        Some(text)
    }

    /// An optional string. A blank one counts as absent.
    pub(super) fn note(&self, reader: &mut Reader, name: &str) -> Option<String> {
        self.text(reader, name).filter(|text| !text.trim().is_empty()).map(str::to_owned)
    }

    /// The field `header`, cut to the length that is shown.
    pub(super) fn header(&self, reader: &mut Reader, limit: usize) -> Option<String> {
        let mut header = self.note(reader, "header")?;
        if let Some((end, _)) = header.char_indices().nth(limit) {
            reader.warning(self.place("header"), ProblemKind::HeaderTruncated { limit });
            header.truncate(end);
        }
        Some(header)
    }

    /// A list. `None` if it is not a list, empty if it is absent.
    pub(super) fn list(&self, reader: &mut Reader, name: &str, expected: &'static str) -> Option<&'a [Value]> {
        match self.present(name) {
            None => Some(&[]),
            Some(Value::Array(list)) => Some(list),
            Some(other) => {
                reader.wrong_type(self.place(name), expected, other);
                None
            }
        }
    }

    /// A required list.
    pub(super) fn required_list(&self, reader: &mut Reader, name: &'static str) -> Option<&'a [Value]> {
        self.required(reader, name)?;
        self.list(reader, name, "a list")
    }

    /// The list of questions: at least one, at most the limit of the host or else of the dialect.
    pub(super) fn questions(&self, reader: &mut Reader, name: &'static str, most: usize) -> Option<&'a [Value]> {
        let list = self.required_list(reader, name)?;
        reader.count(list.len().saturating_add(reader.earlier), most, &self.place(name));
        Some(list)
    }

    /// A boolean, or `otherwise` if it is absent.
    pub(super) fn flag(&self, reader: &mut Reader, name: &str, otherwise: bool) -> bool {
        match self.present(name) {
            Some(Value::Bool(flag)) => return *flag,
            Some(other) => reader.wrong_type(self.place(name), "true or false", other),
            None => {}
        }
        otherwise
    }

    /// A number.
    pub(super) fn number(&self, reader: &mut Reader, name: &str) -> Option<Number> {
        match self.present(name)? {
            Value::Number(number) => return Some(number.clone()),
            other => reader.wrong_type(self.place(name), "a number", other),
        }
        None
    }

    /// A whole number from 0 on.
    pub(super) fn count(&self, reader: &mut Reader, name: &str) -> Option<usize> {
        let found = self.present(name)?;
        let whole = found.as_number().filter(|number| json::is_integer(number)).and_then(Number::as_f64);
        match whole {
            // A larger number than any length has the same meaning as the largest one.
            Some(whole) if whole >= 0.0 => return Some(whole as usize),
            _ => reader.wrong_type(self.place(name), "a whole number, not negative", found),
        }
        None
    }

    /// The two limits of a count: the least, 0 if it is absent, and the most.
    pub(super) fn counts(&self, reader: &mut Reader, least: &str, most: &str) -> (usize, Option<usize>) {
        let found = (self.count(reader, least).unwrap_or_default(), self.count(reader, most));
        self.limits(reader, most, Some(found.0.to_string()), found.1.map(|most| most.to_string()));
        found
    }

    /// Records a problem at this field if the least is above the most, so that no answer fits. Both are decimal numbers.
    pub(super) fn limits(&self, reader: &mut Reader, at: &str, least: Option<String>, most: Option<String>) {
        if let (Some(least), Some(most)) = (least, most)
            && json::decimal::compare_digits(&least, &most).is_gt()
        {
            reader.problem(self.place(at), ProblemKind::InvalidRules { least, most });
        }
    }

    /// A string, a number or a boolean.
    pub(super) fn scalar(&self, reader: &mut Reader, name: &str) -> Option<&'a Value> {
        match self.present(name)? {
            other @ (Value::Array(_) | Value::Object(_)) => {
                reader.wrong_type(self.place(name), "a string, a number or a boolean", other);
                None
            }
            value => Some(value),
        }
    }

    /// Warns of every field that is not known. Null counts as absent.
    pub(super) fn warn_of_others(&self, reader: &mut Reader, known: &dyn Fn(&str) -> bool) {
        // What says something of another field is read where that is.
        let is_renamed = |(field, given): &(&str, &str), name: &str| *given == name && known(said(field));
        let is_read = |name: &str| known(name) || self.renamed.iter().any(|renamed| is_renamed(renamed, name));
        for (name, _) in self.map.iter().filter(|(name, value)| !value.is_null() && !is_read(name)) {
            let near = self.near.iter().find(|(_, given)| given == name).map(|(meant, _)| *meant);
            let field = shortened(name, 100).into_owned();
            reader.warning(self.path.field(name), ProblemKind::UnknownField { field, near });
        }
    }
}

/// Whether an answer of this type is chosen, and not written.
fn is_chosen(answer_type: &AnswerType) -> bool {
    matches!(answer_type, AnswerType::Boolean | AnswerType::Select(_) | AnswerType::MultiSelect { .. })
}

/// The name that a field has in the request, by a list of fields with their names.
fn named<'a>(list: &[(&'static str, &'a str)], field: &str) -> Option<&'a str> {
    list.iter().find(|(known, _)| *known == field).map(|(_, given)| *given)
}

/// The units of work for reading a question and an option, without their texts.
const QUESTION: usize = 300;
const OPTION: usize = 200;

/// The first index of each of several texts. Cloning it is cheap.
#[derive(Clone, Debug, Default)]
pub(super) struct Places(Arc<Numbers>);

impl Places {
    /// The indexes of the items of a list, by one of their fields.
    pub(super) fn of(list: &[Value], field: &str) -> Self {
        let mut places = Self::default();
        places.add(list, field, 0);
        places
    }

    /// Adds the items of a list, the first of which has the index `first`.
    fn add(&mut self, list: &[Value], field: &str, first: usize) {
        let places = Arc::make_mut(&mut self.0);
        for (place, item) in (first..).zip(list) {
            if let Some(text) = item.get(field).and_then(Value::as_str)
                && places.get(text).is_none()
            {
                places.set(text.to_owned(), place as u64);
            }
        }
    }

    /// The first index of this text, from 0.
    pub(super) fn first(&self, text: &str) -> Option<usize> {
        self.0.get(text).map(|place| place as usize)
    }

    /// The place, from 1, of the first item with this text, if that is another item.
    pub(super) fn earlier(&self, text: &str, place: usize) -> Option<usize> {
        self.first(text).filter(|first| *first != place).map(|first| first.saturating_add(1))
    }
}

/// Whether a name can be an id as it is.
pub(super) fn is_plain(name: &str) -> bool {
    !name.is_empty() && !name.chars().any(|character| character == '.' || character.is_control())
}

/// Ids for questions whose names may be any text. A name that can be an id is the id, and the others are made different from those. The ids do not depend
/// on the order of the names, which a store of JSON may change.
pub(super) struct Ids<'a> {
    /// The id of each group and name. Invariant: sorted.
    ids: Vec<((&'a str, &'a str), String)>,
}

impl<'a> Ids<'a> {
    /// Makes the ids of names, each in a group.
    pub(super) fn of(names: Vec<(&'a str, &'a str)>) -> Self {
        // A heap sorts with less code than a slice does.
        let names = BinaryHeap::from(names).into_sorted_vec();
        let mut taken = Numbers::default();
        let mut ids: Vec<_> = names.into_iter().map(|name| (name, String::new())).collect();
        // First those that keep their names: no other name takes these from them.
        for ((_, name), id) in &mut ids {
            if is_plain(name) && taken.get(name).is_none() {
                id.push_str(name);
                taken.set(id.clone(), 1);
            }
        }
        for ((_, name), id) in ids.iter_mut().filter(|(_, id)| id.is_empty()) {
            let mut plain = name.replace(|character: char| character == '.' || character.is_control(), "_");
            if plain.is_empty() {
                plain.push('_');
            }
            let mut next = taken.get(&plain).unwrap_or_default();
            id.clone_from(&plain);
            while taken.get(id).is_some() {
                next = next.saturating_add(1);
                *id = format!("{plain}_{next}");
            }
            taken.set(plain, next.max(1));
            taken.set(id.clone(), 1);
        }
        Self { ids }
    }

    /// The id of a name in a group. For an unknown name, the name itself.
    pub(super) fn get(&self, group: &str, name: &str) -> String {
        let found = self.ids.binary_search_by(|((a, b), _)| (*a, *b).cmp(&(group, name)));
        found.ok().and_then(|found| self.ids.get(found)).map_or_else(|| name.to_owned(), |(_, id)| id.clone())
    }
}
