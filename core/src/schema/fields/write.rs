//! Writes fields as JSON text, as docs/fields-model.md describes it. Values of the schema are written from where they are.

use super::{
    field::{Add, Addable, Field, Grouped, Key, Kind, Level, Limit, Named},
    parts::Choice,
    within::Source,
};
use crate::{
    budget::{Budget, Exhausted},
    json::text,
};
use serde::Serialize;
use serde_json::Value;

/// A JSON object that is being written.
struct Object<'w> {
    out: &'w mut String,
    first: bool,
}

impl Object<'_> {
    fn key(&mut self, key: &str) -> &mut String {
        self.out.push(if self.first { '{' } else { ',' });
        self.first = false;
        self.out.push('"');
        self.out.push_str(key);
        self.out.push_str("\":");
        self.out
    }

    fn put(&mut self, key: &str, value: impl Serialize) {
        let value = text(&value);
        self.key(key).push_str(&value);
    }

    fn maybe(&mut self, key: &str, value: Option<impl Serialize>) {
        if let Some(value) = value {
            self.put(key, value);
        }
    }

    fn flag(&mut self, key: &str, value: bool) {
        if value {
            self.key(key).push_str("true");
        }
    }

    fn end(self) {
        self.out.push_str(if self.first { "{}" } else { "}" });
    }
}

/// A list of objects.
fn list<T>(out: &mut String, items: &[T], mut write: impl FnMut(&mut Object<'_>, &T)) {
    out.push('[');
    for (index, item) in items.iter().enumerate() {
        if index > 0 {
            out.push(',');
        }
        let mut object = Object { out, first: true };
        write(&mut object, item);
        object.end();
    }
    out.push(']');
}

/// The field as JSON text. Charges the values of the schema that are in it, and every byte.
///
/// # Errors
/// [`Exhausted`] if the text takes more than there is.
pub fn write(field: &Field<'_>, budget: &mut Budget) -> Result<String, Exhausted> {
    let mut out = String::new();
    let children = field.level.iter().flat_map(|level| &level.children);
    for field in std::iter::once(field).chain(children) {
        charge(field, budget)?;
    }
    let mut object = Object { out: &mut out, first: true };
    put(&mut object, field);
    object.end();
    Ok(out)
}

/// Charges what a field has of the schema.
fn charge(field: &Field<'_>, budget: &mut Budget) -> Result<(), Exhausted> {
    let says = &field.says;
    let texts =
        [says.title, says.description, says.format, says.encoding, says.media_type].into_iter().flatten().map(str::len);
    let texts = texts.chain([field.pointer.len().saturating_mul(2)]);
    let groups = field.groups.iter().map(|group| group.id.len());
    let options = field.groups.iter().flat_map(|group| &group.options).map(|option| {
        let property = option.told.as_ref().map(|(property, _)| *property);
        let said = [option.title, option.description, option.name.as_deref(), property];
        said.into_iter().flatten().map(str::len).fold(60, usize::saturating_add)
    });
    let patterns = field.limits.iter().map(|(_, limit)| match limit {
        Limit::Texts(texts) => texts.iter().map(|text| text.len()).fold(0, usize::saturating_add),
        Limit::Value(_) | Limit::True => 0,
    });
    let bytes = texts.chain(groups).chain(options).chain(patterns).fold(200, usize::saturating_add);
    budget.charge(bytes as u64)?;
    let names = field.values.iter().flat_map(|choice| [choice.title, choice.description]).flatten();
    budget.charge(names.map(|text| text.len() as u64).fold(0, u64::saturating_add))?;
    let values = field.values.iter().map(|choice| choice.value);
    for value in values.chain(says.default).chain(says.examples).chain(field.constant) {
        let cost = crate::schema::bounds::copying(value, budget)?;
        budget.charge(cost)?;
    }
    Ok(())
}

fn put(object: &mut Object<'_>, field: &Field<'_>) {
    object.put("pointer", &field.pointer);
    match &field.key {
        Key::Root => {}
        Key::Member(key) => object.put("key", key),
        Key::Item(index) => object.put("index", index),
    }
    object.put("kind", field.kind.name());
    let says = &field.says;
    object.maybe("title", says.title);
    object.maybe("description", says.description);
    object.maybe("format", says.format);
    object.maybe("contentEncoding", says.encoding);
    object.maybe("contentMediaType", says.media_type);
    object.maybe("default", says.default);
    object.maybe("examples", says.examples);
    object.maybe("const", field.constant);
    object.flag("deprecated", says.deprecated);
    object.flag("readOnly", says.read_only);
    object.flag("writeOnly", says.write_only);
    object.maybe("source", field.source.map(source));
    object.flag("required", field.required);
    object.flag("present", field.present);
    object.maybe("mismatch", field.mismatch);
    if let Kind::Json(reason) = field.kind {
        object.put("reason", reason.name());
    }
    if !field.limits.is_empty() {
        limits(object.key("limits"), &field.limits, &[]);
    }
    if !field.groups.is_empty() {
        list(object.key("groups"), &field.groups, group);
    }
    if !field.values.is_empty() && matches!(field.kind, Kind::Choice | Kind::Choices) {
        list(object.key("values"), &field.values, choice);
    }
    match field.kind {
        Kind::Choice => object.maybe("selected", field.selected.first()),
        Kind::Choices if field.present => {
            object.put("selected", &field.selected);
            object.maybe("unlisted", Some(field.unlisted).filter(|count| *count > 0));
        }
        _ => {}
    }
    match &field.level {
        Some(Level { from, total, children }) => {
            object.put("from", from);
            object.put("total", total);
            list(object.key("children"), children, |object, child| put(object, child));
        }
        None => object.flag("open", field.kind.opens() && field.mismatch.is_none()),
    }
    match &field.add {
        Some(Add::Member { stated, names, values, of }) => {
            let out = object.key("add");
            let mut add = Object { out, first: true };
            add.flag("stated", *stated);
            if !names.is_empty() || !values.is_empty() {
                limits(add.key("names"), names, values);
            }
            list(add.key("of"), of, |object, Addable { kind, title, pattern }| {
                object.put("kind", kind);
                object.maybe("title", *title);
                object.maybe("pattern", *pattern);
            });
            add.end();
        }
        Some(Add::Item { index, kind, title }) => {
            let out = object.key("add");
            let mut add = Object { out, first: true };
            add.put("index", index);
            add.put("kind", kind);
            add.maybe("title", *title);
            add.end();
        }
        None => {}
    }
}

fn limits(out: &mut String, limits: &[(&'static str, Limit<'_>)], values: &[&Value]) {
    let mut object = Object { out, first: true };
    for (keyword, limit) in limits {
        match limit {
            Limit::Value(value) => object.put(keyword, value),
            Limit::True => object.flag(keyword, true),
            Limit::Texts(texts) => object.put(keyword, texts),
        }
    }
    if !values.is_empty() {
        object.put("values", values);
    }
    object.end();
}

fn group(object: &mut Object<'_>, group: &Grouped<'_>) {
    object.put("id", &group.id);
    object.put("by", group.by);
    object.maybe("current", group.current);
    object.flag("chosen", group.chosen);
    list(object.key("options"), &group.options, option);
}

fn option(object: &mut Object<'_>, option: &Named<'_>) {
    object.put("kind", option.kind);
    object.maybe("title", option.title);
    object.maybe("name", option.name.as_deref());
    object.maybe("property", option.told.as_ref().map(|(property, _)| *property));
    object.maybe("description", option.description);
    object.flag("deprecated", option.deprecated);
}

fn choice(object: &mut Object<'_>, choice: &Choice<'_>) {
    object.put("value", choice.value);
    object.maybe("title", choice.title);
    object.maybe("description", choice.description);
    object.flag("deprecated", choice.deprecated);
}

fn source(source: Source) -> &'static str {
    match source {
        Source::Properties => "properties",
        Source::Pattern => "pattern",
        Source::Additional => "additional",
        Source::Prefix => "prefix",
        Source::Items => "items",
        Source::Unknown => "unknown",
    }
}
