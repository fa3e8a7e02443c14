//! Reading fields, for all dialects: each finding goes where it belongs, and the reading goes on, so that a rejection
//! lists everything at once.

use crate::{
    form::{Choice, Choices, Question},
    host::Limits,
    json::{shown, type_name},
    problem::{Findings, Pointer, Problem, ProblemKind},
};
use serde_json::{Map, Value};

/// Collects what is wrong while a request is read.
pub(crate) struct Reader {
    pub(super) problems: Findings,
    pub(super) warnings: Findings,
    /// The questions with schemas, for checking later, and where they stand.
    pub(super) schemas: Vec<(Pointer, Question)>,
    pub(super) limits: Limits,
}

/// The fields of one JSON object, and where it stands.
pub(crate) struct Fields<'a> {
    map: &'a Map<String, Value>,
    pub(super) path: Pointer,
}

impl Reader {
    pub(super) fn new(limits: Limits) -> Self {
        Self { problems: Findings::default(), warnings: Findings::default(), schemas: Vec::new(), limits }
    }

    /// Notes what is wrong at a place.
    pub(super) fn problem(&mut self, path: Pointer, kind: ProblemKind) {
        self.problems.push(Problem::new(path, kind));
    }

    /// Notes what is odd at a place.
    pub(super) fn warning(&mut self, path: Pointer, kind: ProblemKind) {
        self.warnings.push(Problem::new(path, kind));
    }

    fn wrong_type(&mut self, path: Pointer, expected: &'static str, found: &Value) {
        self.problem(path, ProblemKind::WrongType { expected, found: type_name(found) });
    }

    /// An object in the request.
    pub(super) fn object<'a>(&mut self, value: &'a Value, path: Pointer, expected: &'static str) -> Option<Fields<'a>> {
        match value {
            Value::Object(map) => Some(Fields { map, path }),
            other => {
                self.wrong_type(path, expected, other);
                None
            }
        }
    }

    /// The options of a choice, of the form `"text"` or `{value, label, description, preview}`.
    pub(super) fn options(&mut self, list: &[Value], path: &Pointer) -> Option<Choices> {
        let (found, limit) = (list.len(), self.limits.options);
        if found > limit {
            self.problem(path.clone(), ProblemKind::TooManyOptions { limit, found });
            return None;
        }
        if list.is_empty() {
            self.problem(path.clone(), ProblemKind::TooFewOptions { limit: 1, found });
            return None;
        }
        let read: Vec<_> =
            list.iter().enumerate().map(|(index, option)| self.option(option, path.item(index))).collect();
        let read: Vec<_> = read.into_iter().collect::<Option<_>>()?;
        let (choices, repeated) = Choices::new(read);
        for repeated in &repeated {
            let value = choices.as_slice().get(repeated.place).map(|choice| shown(&choice.value)).unwrap_or_default();
            let first = repeated.first.saturating_add(1);
            self.problem(path.item(repeated.place), ProblemKind::DuplicateOption { value, first });
        }
        repeated.is_empty().then_some(choices)
    }

    fn option(&mut self, option: &Value, path: Pointer) -> Option<Choice> {
        if let Value::String(text) = option {
            if text.trim().is_empty() {
                self.problem(path, ProblemKind::EmptyText);
                return None;
            }
            let value = option.clone();
            return Some(Choice { value, label: text.clone(), description: None, preview: None });
        }
        let fields = self.object(option, path, "a text, or an object with \"value\" or \"label\"")?;
        fields.warn_of_others(self, &["value", "label", "description", "preview"]);
        let value = fields.scalar(self, "value");
        let label = fields.text(self, "label");
        let description = fields.note(self, "description");
        let preview = fields.note(self, "preview");
        let (value, label) = match (value?, label?) {
            (Some(value), Some(label)) => (value.clone(), label.to_owned()),
            (Some(value), None) => (value.clone(), value.as_str().map_or_else(|| value.to_string(), str::to_owned)),
            (None, Some(label)) => (label.into(), label.to_owned()),
            (None, None) => {
                self.problem(fields.path.field("value"), ProblemKind::MissingField { field: "value" });
                return None;
            }
        };
        if label.trim().is_empty() {
            self.problem(fields.path.field("label"), ProblemKind::EmptyText);
            return None;
        }
        Some(Choice { value, label, description: description?, preview: preview? })
    }
}

/// Each reader returns `None` when the field is wrong (and has been noted), `Some(None)` when it is absent. Null is
/// absence, except in [`Fields::value`].
impl<'a> Fields<'a> {
    /// The root of a request.
    pub(super) fn root(map: &'a Map<String, Value>) -> Self {
        Self { map, path: Pointer::root() }
    }

    /// Any value, null included.
    pub(super) fn value(&self, name: &str) -> Option<&'a Value> {
        self.map.get(name)
    }

    /// Any value but null.
    pub(super) fn present(&self, name: &str) -> Option<&'a Value> {
        self.map.get(name).filter(|value| !value.is_null())
    }

    /// A string.
    pub(super) fn text(&self, reader: &mut Reader, name: &'static str) -> Option<Option<&'a str>> {
        match self.present(name) {
            None => Some(None),
            Some(Value::String(text)) => Some(Some(text)),
            Some(other) => {
                reader.wrong_type(self.path.field(name), "a string", other);
                None
            }
        }
    }

    /// A string that must be there.
    pub(super) fn required_text(&self, reader: &mut Reader, name: &'static str) -> Option<&'a str> {
        let text = self.text(reader, name)?;
        if text.is_none() {
            reader.problem(self.path.field(name), ProblemKind::MissingField { field: name });
        }
        text
    }

    /// A string that must be there and say something.
    pub(super) fn shown_text(&self, reader: &mut Reader, name: &'static str) -> Option<&'a str> {
        let text = self.required_text(reader, name)?;
        if text.trim().is_empty() {
            reader.problem(self.path.field(name), ProblemKind::EmptyText);
            return None;
        }
        Some(text)
    }

    /// A string that may be absent; one that says nothing is absent.
    pub(super) fn note(&self, reader: &mut Reader, name: &'static str) -> Option<Option<String>> {
        let text = self.text(reader, name)?;
        Some(text.filter(|text| !text.trim().is_empty()).map(str::to_owned))
    }

    /// A list.
    pub(super) fn list(
        &self,
        reader: &mut Reader,
        name: &'static str,
        expected: &'static str,
    ) -> Option<Option<&'a [Value]>> {
        match self.present(name) {
            None => Some(None),
            Some(Value::Array(list)) => Some(Some(list)),
            Some(other) => {
                reader.wrong_type(self.path.field(name), expected, other);
                None
            }
        }
    }

    fn scalar(&self, reader: &mut Reader, name: &'static str) -> Option<Option<&'a Value>> {
        match self.present(name) {
            Some(other @ (Value::Array(_) | Value::Object(_))) => {
                reader.wrong_type(self.path.field(name), "a string, a number or a boolean", other);
                None
            }
            value => Some(value),
        }
    }

    /// Notes every field that has no meaning here.
    pub(super) fn warn_of_others(&self, reader: &mut Reader, known: &[&str]) {
        for name in self.map.keys().filter(|name| !known.contains(&name.as_str())) {
            reader.warning(self.path.field(name), ProblemKind::UnknownField { field: name.clone() });
        }
    }
}
