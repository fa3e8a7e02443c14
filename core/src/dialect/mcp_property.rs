//! Reads a property of an elicitation: the kinds of the protocol, what servers write in other words, and anything else as JSON.

use super::{
    declared::is_lost,
    fields::{Fields, OPTIONS, Reader},
    mending::NAME,
    near::{is_one, is_private, is_same, says_nothing},
};
use crate::{
    json,
    problem::{Pointer, ProblemKind, collected},
    question::{AnswerType, Choice, Choices, Format, NumberRules, Question, Selections, TextRules, exact},
    schema::{FORMATS, Schema},
    text::{look, shortened},
};
use serde_json::{Map, Number, Value};

/// The keywords of a property, and of an option in it.
pub(super) const PROPERTY: &[&str] = &[
    "type",
    "title",
    "description",
    "default",
    "enum",
    "enumNames",
    "oneOf",
    "anyOf",
    "items",
    "minItems",
    "maxItems",
    "minLength",
    "maxLength",
    "pattern",
    "format",
    "minimum",
    "maximum",
    "multipleOf",
    "exclusiveMinimum",
    "exclusiveMaximum",
];
const OPTION: &[&str] = &["const", "title", "description"];
/// The keywords with which an option may refuse its own value.
const RESTRICTING: &[&str] = &[
    "enum",
    "minLength",
    "maxLength",
    "pattern",
    "format",
    "minimum",
    "maximum",
    "multipleOf",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "not",
    "if",
    "allOf",
    "anyOf",
    "oneOf",
    "$ref",
];

/// Reads a property, with its name, of a schema.
pub(super) fn read(
    reader: &mut Reader,
    schema: &Fields<'_>,
    (name, property): (&str, &Value),
    path: &Pointer,
    id: String,
) -> Option<Question> {
    let sent = property;
    let unflagged = if has_flag(property) { Some(without_flags(reader, property, path)?) } else { None };
    let property = unflagged.as_ref().unwrap_or(property);
    let made = if is_plain(property) { None } else { Some(plain(reader, schema, property)?) };
    let property = made.as_ref().unwrap_or(property);
    let listed = if has_only_keywords(property) { None } else { in_keywords(reader, property, path) };
    let property = listed.as_ref().unwrap_or(property);
    let mut question = Question::new("", if look(name).is_empty() { &id } else { name }, schema_type(property));
    question.id = id;
    if !property.is_boolean() {
        let fields = reader.object(property, path.clone(), "a JSON Schema (an object)")?;
        name_lost(reader, &fields);
        if let Some(title) = fields.note(reader, "title") {
            question.text = title;
        }
        question.context = fields.note(reader, "description");
        question.answer_type = read_type(reader, &fields, property)?;
        name_formats(reader, &fields, &question.answer_type);
        reader.default(&mut question, fields.present("default"), path.field("default"));
    }
    let checked = reader.schemas.len();
    let around = definitions(schema).filter(|_| question.answer_type.awaits_schema() && refers(property));
    if let (AnswerType::Schema { .. }, Some((name, definitions)), Value::Object(fields)) =
        (&question.answer_type, around, property)
    {
        reader.charge(json::size(definitions) as usize)?;
        let mut fields = fields.clone();
        fields.insert(name.into(), definitions.clone());
        question.answer_type = schema_type(&Value::Object(fields));
    }
    reader.check_later(&question, path.clone(), path.field("default"));
    if let Some(unchecked) = reader.schemas.get_mut(checked) {
        unchecked.definitions = around.map(|_| schema.path.clone());
        // What a reference leads to has no place within the property.
        unchecked.written = refers(sent) || sent.get("allOf").is_some() || listed.is_some();
    }
    Some(question)
}

/// Whether a property, and the items of a list, have the keywords of the protocol alone. An object may have any, and is answered as JSON.
fn has_only_keywords(property: &Value) -> bool {
    let has_only = |schema: &Value| {
        let is_other = |name: &String| !PROPERTY.contains(&name.as_str());
        schema.as_object().is_none_or(|fields| kind(fields) == Some("object") || !fields.keys().any(is_other))
    };
    has_only(property) && property.get("items").is_none_or(has_only)
}

/// The type of a value, where there is one alone.
fn kind(fields: &Map<String, Value>) -> Option<&str> {
    fields.get("type").map(|kind| kind.as_str().unwrap_or("several"))
}

/// Whether a property says of itself, or of a part of it, that it must be there. JSON Schema says so around the property.
fn has_flag(property: &Value) -> bool {
    let Value::Object(fields) = property else { return false };
    let parts = fields.get("properties").and_then(Value::as_object);
    fields.get("required").is_some_and(Value::is_boolean)
        || fields.get("items").is_some_and(has_flag)
        || parts.is_some_and(|parts| parts.values().any(has_flag))
}

/// The property without these flags, each of which is named.
#[cold]
#[inline(never)]
fn without_flags(reader: &mut Reader, property: &Value, path: &Pointer) -> Option<Value> {
    reader.charge(json::size(property) as usize)?;
    let mut property = property.clone();
    let mut parts = vec![(&mut property, path.clone())];
    while let Some((part, path)) = parts.pop() {
        let Value::Object(fields) = part else { continue };
        if fields.get("required").is_some_and(Value::is_boolean) {
            fields.shift_remove("required");
            let kind = ProblemKind::UnknownField { field: "required".into(), near: None };
            reader.warning(path.field("required"), kind);
        }
        for (name, inner) in fields.iter_mut() {
            let place = path.field(name);
            match (name.as_str(), inner) {
                ("properties", Value::Object(all)) => {
                    parts.extend(all.iter_mut().map(|(name, part)| (part, place.field(name))));
                }
                ("items", items) => parts.push((items, place)),
                _ => {}
            }
        }
    }
    Some(property)
}

/// What other tools call the values of a choice, and a value that nobody may see.
const VALUES: &str = "options choices values";
const UNSEEN: &str = "writeOnly";
/// What the value of such an option is called, and its label.
const OF_OPTIONS: &str = "value label";
const VALUE: [&str; 4] = ["const", "value", "id", "key"];
const LABEL: [&str; 4] = ["title", "label", "name", "text"];

/// A property whose values stand where other tools have them, with these as options. Names what else another tool would read, and values that cannot be read.
#[cold]
#[inline(never)]
fn in_keywords(reader: &mut Reader, property: &Value, path: &Pointer) -> Option<Value> {
    let fields = property.as_object()?;
    let is_list = kind(fields) == Some("array");
    let items = fields.get("items").filter(|_| is_list);
    let inner = items.and_then(Value::as_object);
    let has_own =
        |fields: &Map<String, Value>| fields.iter().any(|(name, value)| has_values(name) && !says_nothing(value));
    let is_other = if is_list { items.is_some() && inner.is_none() } else { fields.contains_key("items") };
    let mut words = Words {
        kind: if is_list { inner.and_then(kind).or(Some("string")) } else { kind(fields) },
        is_list,
        may_have: !is_other && !has_own(fields) && !inner.is_some_and(has_own),
        found: None,
    };
    words.look(reader, fields, path, if is_list { ["items.enum", "items.oneOf"] } else { ONE })?;
    if let Some(inner) = inner.filter(|inner| kind(inner) != Some("object")) {
        words.look(reader, inner, &path.field("items"), ONE)?;
    }
    let (keyword, list) = words.found?;
    reader.charge(json::size(property) as usize)?;
    // A list without values says nothing.
    let others = |fields: &Map<String, Value>| -> Map<String, Value> {
        let others = fields.iter().filter(|(name, _)| !has_values(name));
        others.map(|(name, value)| (name.clone(), value.clone())).collect()
    };
    let with = |mut fields: Map<String, Value>, (name, value): (&str, Value)| {
        fields.insert(name.into(), value);
        Value::Object(fields)
    };
    let said = (keyword, list);
    Some(if is_list {
        let inner = with(inner.map(others).unwrap_or_default(), said);
        with(others(fields), ("items", inner))
    } else {
        with(others(fields), said)
    })
}

/// Whether a keyword has the values of a choice.
fn has_values(keyword: &str) -> bool {
    matches!(keyword, "enum" | "oneOf" | "anyOf")
}

/// The keywords of values alone, and of those with titles.
const ONE: [&str; 2] = ["enum", "oneOf"];

/// The words of other tools in a property.
struct Words<'a> {
    /// The type of the values that may be chosen.
    kind: Option<&'a str>,
    /// Whether several may be chosen.
    is_list: bool,
    /// Whether the protocol's own keywords have no values.
    may_have: bool,
    /// The values: their keyword, and what it holds.
    found: Option<(&'static str, Value)>,
}

impl Words<'_> {
    /// Looks for the values in these fields, where they are read as one of two keywords, and names what is not read.
    fn look(
        &mut self,
        reader: &mut Reader,
        fields: &Map<String, Value>,
        path: &Pointer,
        read_as: [&'static str; 2],
    ) -> Option<()> {
        for (name, value) in fields {
            reader.charge(NAME)?;
            // Keywords in another notation are named with all others.
            let is_own = name == "required" || PROPERTY.iter().any(|known| is_same(name, known));
            if is_own || says_nothing(value) || is_private(name) {
                continue;
            }
            let may_be = is_one(name, VALUES);
            if !(may_be
                || is_one(name, OF_OPTIONS)
                || is_one(name, UNSEEN) && *value != Value::Bool(false)
                || is_lost(name, value, self.is_list))
            {
                continue;
            }
            let list = value.as_array().filter(|_| may_be && self.may_have && self.found.is_none());
            let given = shortened(name, 100).into_owned();
            let kind = match list.and_then(|list| Some((list, options_in(list, self.kind)?))) {
                Some((sent, (keyword, list))) => {
                    name_rest(reader, sent, &path.field(name))?;
                    self.found = Some((keyword, list));
                    let [plain, titled] = read_as;
                    ProblemKind::RenamedField { given, field: if keyword == "enum" { plain } else { titled } }
                }
                None => ProblemKind::UnknownField { field: given, near: None },
            };
            reader.warning(path.field(name), kind);
        }
        Some(())
    }
}

/// A list of values, or of objects with a value and a label, as the keyword for it and what it holds. `None` where one does not fit the type of the property.
fn options_in(list: &[Value], kind: Option<&str>) -> Option<(&'static str, Value)> {
    let fits = |value: &Value| match kind {
        None => is_scalar(value),
        Some("string") => value.is_string(),
        Some("number" | "integer") => value.is_number(),
        Some(_) => false,
    };
    if list.is_empty() || list.iter().all(fits) {
        return (!list.is_empty()).then(|| ("enum", Value::Array(list.to_vec())));
    }
    let named = |option: &Value, names| option.get(name_in(option, names)?).cloned();
    let option = |option: &Value| {
        let text = |value: Value| if value.is_string() { value } else { json::text(&value).into() };
        let (value, label) = (named(option, VALUE), named(option, LABEL).map(text));
        // A value that is no text and no number is not that of its label.
        let has_value = VALUE.iter().any(|name| option.get(*name).is_some());
        let value = value.or_else(|| label.clone().filter(|_| !has_value)).filter(fits)?;
        let description = option.get("description").filter(|text| text.is_string()).cloned();
        Some(Value::Object(collected(&mut [("const", Some(value)), ("title", label), ("description", description)])))
    };
    Some(("oneOf", list.iter().map(option).collect::<Option<_>>()?))
}

fn is_scalar(value: &Value) -> bool {
    value.is_string() || value.is_number()
}

/// The first of several names under which an option has a text or a number.
fn name_in(option: &Value, names: [&'static str; 4]) -> Option<&'static str> {
    names.into_iter().find(|name| option.get(*name).is_some_and(is_scalar))
}

/// Names what such options say besides.
fn name_rest(reader: &mut Reader, list: &[Value], path: &Pointer) -> Option<()> {
    for (place, option) in list.iter().enumerate() {
        let read = [name_in(option, VALUE), name_in(option, LABEL), Some("description")];
        for (name, value) in option.as_object().into_iter().flatten() {
            let is_read = read.contains(&Some(name)) && (name != "description" || value.is_string());
            if !is_read && !says_nothing(value) && !is_private(name) {
                reader.charge(NAME)?;
                let field = shortened(name, 100).into_owned();
                reader.warning(path.item(place).field(name), ProblemKind::UnknownField { field, near: None });
            }
        }
    }
    Some(())
}

/// Names the keywords of a property that are not read: those in another notation, and names of values that do not fit the values.
fn name_lost(reader: &mut Reader, fields: &Fields<'_>) {
    // One of an object has any keyword, and is answered as JSON.
    if fields.value("type").and_then(Value::as_str) != Some("object") {
        fields.name_strays(reader, PROPERTY, PROPERTY);
    }
    let values = fields.present("enum").and_then(Value::as_array).map(Vec::len);
    let fit = |names: &Vec<Value>| names.iter().all(Value::is_string) && values == Some(names.len());
    if fields.present("enumNames").is_some_and(|names| !names.as_array().is_some_and(fit)) {
        reader.warning(
            fields.path.field("enumNames"),
            ProblemKind::UnknownField { field: "enumNames".into(), near: None },
        );
    }
}

/// Names the formats of a property and of its items that are not checked.
fn name_formats(reader: &mut Reader, fields: &Fields<'_>, answer_type: &AnswerType) {
    let items = fields.present("items").and_then(Value::as_object);
    let items = items.map(|items| Fields::at(items, fields.path.field("items")));
    for fields in [Some(fields), items.as_ref()].into_iter().flatten() {
        let is_checked = |format: &str| match answer_type {
            AnswerType::Text(rules) => rules.format.is_some(),
            AnswerType::Schema { .. } => FORMATS.contains(&format),
            // All the values are there to be seen.
            AnswerType::Select(_) | AnswerType::MultiSelect { .. } => format != "password",
            _ => false,
        };
        if let Some(format) = fields.present("format").and_then(Value::as_str).filter(|format| !is_checked(format)) {
            name_format(reader, fields, format);
        }
    }
}

#[cold]
#[inline(never)]
fn name_format(reader: &mut Reader, fields: &Fields<'_>, format: &str) {
    let field = shortened(&["format: ", format].concat(), 100).into_owned();
    reader.warning(fields.path.field("format"), ProblemKind::UnknownField { field, near: None });
}

/// The definitions that the references in a schema lead to, and their name.
fn definitions<'a>(schema: &Fields<'a>) -> Option<(&'static str, &'a Value)> {
    ["$defs", "definitions"].into_iter().find_map(|name| Some((name, schema.present(name)?)))
}

/// Whether there is a reference in a schema.
fn refers(schema: &Value) -> bool {
    json::text(schema).as_bytes().windows(6).any(|word| word == b"\"$ref\"")
}

/// How many references after one another are followed.
const REFERENCES: usize = 8;
/// What stands beside a reference without saying anything of the value. Beside anything else, a reference is left to the validator.
const ANNOTATIONS: &[&str] =
    &["title", "description", "default", "examples", "deprecated", "$comment", "readOnly", "writeOnly"];

/// The keywords whose values are lists of schemas.
const ALTERNATIVES: [&str; 2] = ["oneOf", "anyOf"];

/// Whether a property says all it says itself, and nothing else.
fn is_plain(property: &Value) -> bool {
    let is_said = |fields: &Map<String, Value>| {
        !fields.iter().any(|(name, value)| value.is_null() || matches!(&**name, "$ref" | "allOf"))
    };
    let items = property.get("items").and_then(Value::as_object);
    let options = ALTERNATIVES.iter().filter_map(|name| property.get(*name)?.as_array());
    let is_whole = |option: &Value| option.as_object().is_none_or(is_said);
    property.as_object().is_none_or(is_said) && items.is_none_or(is_said) && options.flatten().all(is_whole)
}

/// A property without what says nothing (null is absent) and with what its reference leads to: libraries write a type with a name as a reference. The same
/// for the items of a list, and no deeper.
#[cold]
#[inline(never)]
fn plain(reader: &mut Reader, schema: &Fields<'_>, property: &Value) -> Option<Value> {
    let Value::Object(fields) = property else { return Some(property.clone()) };
    let mut plain = followed(reader, schema, fields)?;
    if let Some(Value::Object(items)) = plain.get("items") {
        let items = followed(reader, schema, items)?;
        plain.insert("items".into(), Value::Object(items));
    }
    Some(Value::Object(plain))
}

fn followed(reader: &mut Reader, schema: &Fields<'_>, fields: &Map<String, Value>) -> Option<Map<String, Value>> {
    let is_said = |(name, value): &(&String, &Value)| *name == "const" || !value.is_null();
    let said = |fields: &Map<String, Value>| -> Map<String, Value> {
        fields.iter().filter(is_said).map(|(name, value)| (name.clone(), value.clone())).collect()
    };
    let cost = |fields: &Map<String, Value>| {
        fields.values().fold(0, |sum: usize, value| sum.saturating_add(json::size(value) as usize))
    };
    reader.charge(cost(fields))?;
    let mut plain = said(fields);
    for _ in 0..REFERENCES {
        let by = if plain.contains_key("$ref") { "$ref" } else { "allOf" };
        if !plain.keys().all(|name| name == by || ANNOTATIONS.contains(&name.as_str())) {
            break;
        }
        let target = match plain.get(by) {
            Some(Value::String(to)) => target(schema, to),
            Some(Value::Array(all)) if all.len() == 1 => all.first(),
            _ => None,
        };
        let Some(Value::Object(target)) = target else { break };
        reader.follows = true;
        reader.charge(cost(target))?;
        let mut merged = said(target);
        plain.shift_remove(by);
        // What the property says itself counts.
        merged.append(&mut plain);
        plain = merged;
    }
    for name in ALTERNATIVES {
        let options = plain.get_mut(name).and_then(Value::as_array_mut).into_iter().flatten();
        for option in options.filter_map(Value::as_object_mut) {
            option.retain(|name, value| is_said(&(name, value)));
        }
    }
    Some(plain)
}

/// What a reference within the schema leads to: a definition, or another property.
fn target<'a>(schema: &Fields<'a>, to: &str) -> Option<&'a Value> {
    let (around, name) = to.strip_prefix("#/")?.split_once('/')?;
    let defined = matches!(around, "$defs" | "definitions" | "properties");
    let name = Pointer::unescaped(name);
    schema.present(around).filter(|_| defined)?.as_object().and_then(|all| json::field(all, &name))
}

/// The answer type of a property. A property that is not of a simple kind is answered as JSON.
fn read_type(reader: &mut Reader, fields: &Fields<'_>, property: &Value) -> Option<AnswerType> {
    // Each kind has its own keywords. A property with any other keyword that restricts the value is not simple.
    let plain = |beyond: &[&str]| !fields.has_any(OTHER_KEYWORDS) && !fields.has_any(beyond);
    let kind = fields.value("type").and_then(Value::as_str);
    match kind {
        Some("boolean") if plain(&["enum", "oneOf"]) => Some(AnswerType::Boolean),
        Some("number" | "integer")
            if plain(&["enum", "oneOf", "multipleOf", "exclusiveMinimum", "exclusiveMaximum"]) =>
        {
            let (minimum, maximum) = (fields.number(reader, "minimum"), fields.number(reader, "maximum"));
            let integer = kind == Some("integer");
            // The integers next to a limit that is not whole.
            let text = |limit: &Option<Number>, next: fn(f64) -> f64| {
                let limit = limit.as_ref()?;
                let whole = limit.as_f64().filter(|_| integer && limit.is_f64()).map(next);
                Some(whole.and_then(Number::from_f64).map_or_else(|| json::text(limit), |whole| json::text(&whole)))
            };
            fields.limits(reader, "maximum", text(&minimum, f64::ceil), text(&maximum, f64::floor));
            Some(AnswerType::Number(NumberRules { integer, minimum, maximum }))
        }
        Some("string") if plain(&["enum", "oneOf"]) => Some(AnswerType::Text(read_text(reader, fields))),
        Some("array")
            if plain(&["enum", "oneOf", "prefixItems", "contains", "additionalItems", "unevaluatedItems"]) =>
        {
            read_selection(reader, fields, property)
        }
        Some("string" | "number" | "integer") | None if plain(&[]) && fields.has_any(&["enum", "oneOf"]) => {
            match read_choices(reader, fields, kind) {
                Listed::Choices(choices) => choices.map(AnswerType::Select),
                Listed::Otherwise => Some(schema_type(property)),
            }
        }
        _ => Some(schema_type(property)),
    }
}

/// Keywords of JSON Schema that restrict a value of any type.
const OTHER_KEYWORDS: &[&str] =
    &["allOf", "anyOf", "not", "if", "const", "$ref", "$dynamicRef", "$recursiveRef", "$defs", "definitions"];

fn schema_type(property: &Value) -> AnswerType {
    AnswerType::Schema { schema: Schema::unchecked(property.clone()) }
}

fn read_text(reader: &mut Reader, fields: &Fields<'_>) -> TextRules {
    let (min_length, max_length) = fields.counts(reader, "minLength", "maxLength");
    TextRules {
        min_length,
        max_length,
        // A format that the protocol does not define is only a hint.
        format: fields.text(reader, "format").and_then(Format::named),
        pattern: fields.text(reader, "pattern").map(Schema::pattern),
        is_filled: false,
    }
}

fn read_selection(reader: &mut Reader, fields: &Fields<'_>, property: &Value) -> Option<AnswerType> {
    let Some(Value::Object(items)) = fields.value("items") else { return Some(schema_type(property)) };
    let items = Fields::at(items, fields.path.field("items"));
    name_lost(reader, &items);
    let kind = items.value("type").and_then(Value::as_str);
    let beyond = |keyword: &&&str| **keyword != "anyOf" && items.has_any(&[**keyword]);
    if OTHER_KEYWORDS.iter().find(beyond).is_some() || !items.has_any(&["enum", "oneOf", "anyOf"]) {
        return Some(schema_type(property));
    }
    let choices = match read_choices(reader, &items, kind) {
        Listed::Choices(choices) => choices,
        Listed::Otherwise => return Some(schema_type(property)),
    };
    let (minimum, maximum) = fields.counts(reader, "minItems", "maxItems");
    let choices = choices?;
    fields.limits(reader, "minItems", Some(minimum.to_string()), Some(choices.as_slice().len().to_string()));
    Some(AnswerType::MultiSelect { choices, selections: Selections { minimum, maximum } })
}

/// The result of reading a list of values.
enum Listed {
    /// Options. `None` if they have problems, which are recorded.
    Choices(Option<Choices>),
    /// Not a list of options.
    Otherwise,
}

/// Whether one of these values may be none that its own property takes. A pattern and the like are left to the validator.
fn breaks(fields: &Fields<'_>, kind: Option<&str>, mut values: impl Iterator<Item = Value>) -> bool {
    let limit = |name: &str| fields.present(name).and_then(Value::as_f64);
    let is_beyond = |value: f64, least: &str, most: &str| {
        limit(least).is_some_and(|least| value < least) || limit(most).is_some_and(|most| value > most)
    };
    let format = fields.present("format").and_then(Value::as_str);
    fields.has_any(&["pattern", "multipleOf", "exclusiveMinimum", "exclusiveMaximum"])
        || format.is_some_and(|format| FORMATS.contains(&format))
        || values.any(|value| match &value {
            Value::String(text) => is_beyond(text.chars().count() as f64, "minLength", "maxLength"),
            value => value.as_f64().is_some_and(|number| {
                is_beyond(number, "minimum", "maximum") || kind == Some("integer") && number.fract() != 0.0
            }),
        })
}

/// The options of `enum` (with the older `enumNames`), or of `oneOf` or `anyOf` with `const` and `title`.
fn read_choices(reader: &mut Reader, fields: &Fields<'_>, kind: Option<&str>) -> Listed {
    let fits = |value: &Value| match kind {
        Some("string") => value.is_string(),
        Some("number" | "integer") => value.is_number(),
        Some(_) => false,
        None => matches!(value, Value::String(_) | Value::Number(_) | Value::Bool(_)),
    };
    let mut found: Option<(&str, &[Value])> = None;
    for name in ["enum", "oneOf", "anyOf"] {
        match (fields.value(name), found) {
            (None, _) => {}
            (Some(Value::Array(list)), None) => found = Some((name, list)),
            // A list without values says nothing beside another one.
            (Some(Value::Array(list)), Some(_)) if list.is_empty() => {}
            (Some(Value::Array(list)), Some((_, []))) => found = Some((name, list)),
            (Some(_), _) => return Listed::Otherwise,
        }
    }
    let Some((name, list)) = found else { return Listed::Otherwise };
    let path = fields.path.field(name);
    let value = |option: &Value| if name == "enum" { Some(option.clone()) } else { option.get("const").cloned() };
    let is_text = |value: Option<&Value>| value.is_none_or(|value| value.is_string() || value.is_null());
    let is_named = |option: &Value| ["title", "description"].iter().all(|name| is_text(option.get(*name)));
    if !list.iter().all(|option| is_named(option) && value(option).is_some_and(|value| fits(&value))) {
        return Listed::Otherwise;
    }
    let has_more = |option: &Value| match option {
        Value::Object(option) if name != "enum" => option.keys().any(|name| RESTRICTING.contains(&name.as_str())),
        _ => false,
    };
    if list.iter().any(has_more) || breaks(fields, kind, list.iter().filter_map(&value)) {
        return Listed::Otherwise;
    }
    let names = fields.list(reader, "enumNames", "a list of texts").filter(|_| name == "enum").unwrap_or_default();
    let text = |value: Option<&Value>| match value {
        Some(Value::String(text)) if !look(text).is_empty() => Some(text.clone()),
        _ => None,
    };
    // A list of names that does not fit that of the values may name any of them wrong.
    let mut names = names.iter().take(if names.len() == list.len() { names.len() } else { 0 });
    Listed::Choices(reader.options(list, &path, &OPTIONS, &mut |reader, option, path| {
        if let Value::Object(option) = option {
            Fields::at(option, path).name_strays(reader, OPTION, OPTION);
        }
        let value = value(option)?;
        let label = text(names.next()).or_else(|| text(option.get("title")));
        let label = label.or_else(|| text(Some(&value))).unwrap_or_else(|| exact(&value));
        Some(Choice { description: text(option.get("description")), ..Choice::of(value, label) })
    }))
}
