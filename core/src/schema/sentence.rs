//! What is wrong with a value, in a sentence that a person understands: it names the value by its place, says what it must be,
//! and repeats none of what may be large.

use jsonschema::{
    JsonType, ValidationError,
    error::{TypeKind, ValidationErrorKind as Kind},
};
use serde_json::Value;

/// How many characters of a name, and of a list of values, are shown.
const NAME: usize = 80;
const LIST: usize = 200;
/// How many branches of `anyOf` and its like are told apart.
const BRANCHES: usize = 3;

/// The sentence for a violation, with its full stop.
pub(super) fn sentence(error: &ValidationError<'_>) -> String {
    let name = name(&error.instance_path().to_string());
    format!("{name} {}.", predicate(error))
}

/// What the crate calls the keyword of a schema that is `false`.
const FALSE: &str = "falseSchema";

/// The keyword that is violated. A `false` under one that is about all properties of an object is that keyword's.
pub(super) fn keyword(error: &ValidationError<'_>) -> String {
    let keyword = error.kind().keyword();
    let path = error.schema_path().to_string();
    let last = path.rsplit('/').next().filter(|last| ["additionalProperties", "propertyNames"].contains(last));
    match last {
        Some(last) if keyword == FALSE => last.to_owned(),
        Some(_) | None => keyword.to_owned(),
    }
}

/// What is said of the value: "must be at most 65535".
fn predicate(error: &ValidationError<'_>) -> String {
    match error.kind() {
        Kind::Type { kind } => format!("must be {}, not {}", types(kind), found(error.instance())),
        Kind::Required { property } => format!("lacks the property {property}"),
        Kind::AdditionalProperties { unexpected } | Kind::UnevaluatedProperties { unexpected } => {
            let names: Vec<String> = unexpected.iter().map(|name| format!("{name:?}")).collect();
            let what = if names.len() == 1 { "property" } else { "properties" };
            format!("must not have the {what} {}", listed(&names, "and"))
        }
        Kind::Enum { options } => {
            let options: Vec<String> = options.as_array().into_iter().flatten().map(Value::to_string).collect();
            format!("must be {}", one_of(&options))
        }
        Kind::Constant { expected_value } => format!("must be {}", cut(&expected_value.to_string(), LIST)),
        Kind::Minimum { limit } => format!("must be at least {limit}"),
        Kind::Maximum { limit } => format!("must be at most {limit}"),
        Kind::ExclusiveMinimum { limit } => format!("must be more than {limit}"),
        Kind::ExclusiveMaximum { limit } => format!("must be less than {limit}"),
        Kind::MultipleOf { multiple_of } => format!("must be a multiple of {multiple_of}"),
        Kind::MinLength { limit: 1 } => "must not be empty".into(),
        Kind::MinLength { limit } => format!("must have at least {}", counted(*limit, "character", "characters")),
        Kind::MaxLength { limit } => format!("must have at most {}", counted(*limit, "character", "characters")),
        Kind::MinItems { limit: 1 } => "must have an item".into(),
        Kind::MinItems { limit } => format!("must have at least {}", counted(*limit, "item", "items")),
        Kind::MaxItems { limit } => format!("must have at most {}", counted(*limit, "item", "items")),
        Kind::AdditionalItems { limit } => {
            format!("must have at most {}", counted(*limit as u64, "item", "items"))
        }
        Kind::UnevaluatedItems { .. } => "has items that nothing allows".into(),
        Kind::MinProperties { limit } => format!("must have at least {}", counted(*limit, "property", "properties")),
        Kind::MaxProperties { limit } => format!("must have at most {}", counted(*limit, "property", "properties")),
        Kind::UniqueItems => "must not have the same item twice".into(),
        Kind::Contains => "must have an item of the kind that is asked for".into(),
        Kind::Pattern { pattern } => format!("must match the pattern {}", cut(pattern, LIST)),
        Kind::BacktrackLimitExceeded { .. } | Kind::RegexEngineFailure { .. } => {
            "takes too long to hold against its pattern".into()
        }
        Kind::Format { format } => format!("must be {}", formatted(format)),
        Kind::ContentEncoding { content_encoding } => format!("must be encoded as {content_encoding}"),
        Kind::ContentMediaType { content_media_type } => format!("must hold {content_media_type}"),
        Kind::FromUtf8 { .. } => "must be text once it is decoded".into(),
        Kind::FalseSchema if keyword(error) != FALSE => "must have no property".into(),
        Kind::FalseSchema => "must not be there".into(),
        Kind::Not { .. } => "is what it must not be".into(),
        Kind::AnyOf { context } | Kind::OneOfNotValid { context } => {
            branches(context, &error.instance_path().to_string())
        }
        Kind::OneOfMultipleValid { .. } => "fits more than one of the forms, and must fit exactly one".into(),
        Kind::PropertyNames { error } => {
            format!("has a property whose name is not allowed: it {}", predicate(error))
        }
        Kind::Custom { message, .. } => message.clone(),
        Kind::Referencing(_) => "is held against a part of the schema that is not there".into(),
    }
}

/// The value by its place: `servers[0].port`; at the root "The value".
fn name(pointer: &str) -> String {
    let mut name = String::new();
    for part in pointer.split('/').skip(1) {
        let part = part.replace("~1", "/").replace("~0", "~");
        if !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit()) {
            name.push_str(&format!("[{part}]"));
        } else {
            if !name.is_empty() {
                name.push('.');
            }
            name.push_str(if part.is_empty() { "\"\"" } else { &part });
        }
    }
    if name.is_empty() {
        return "The value".into();
    }
    // Of a long place the end says most.
    let long = name.chars().count().saturating_sub(NAME);
    if long == 0 { name } else { format!("…{}", name.chars().skip(long).collect::<String>()) }
}

/// What a value must fit: one of several forms, of which the first misses are told. What is wrong within the value is named.
fn branches(context: &[Vec<ValidationError<'static>>], outer: &str) -> String {
    let mut misses: Vec<String> = Vec::new();
    for error in context.iter().filter_map(|errors| errors.first()).take(BRANCHES) {
        let place = error.instance_path().to_string();
        let miss = match place.strip_prefix(outer).filter(|inner| !inner.is_empty()) {
            Some(inner) => format!("{} {}", name(inner), predicate(error)),
            None => format!("it {}", predicate(error)),
        };
        if !misses.contains(&miss) {
            misses.push(miss);
        }
    }
    match misses.as_slice() {
        [] => "must fit one of the forms that are allowed".into(),
        several => format!("fits none of the forms that are allowed: {}", several.join(", or ")),
    }
}

fn types(kind: &TypeKind) -> String {
    let types: Vec<String> = match kind {
        TypeKind::Single(one) => vec![spoken(*one).into()],
        TypeKind::Multiple(several) => several.iter().map(|one| spoken(one).into()).collect(),
    };
    listed(&types, "or")
}

fn spoken(json_type: JsonType) -> &'static str {
    match json_type {
        JsonType::Array => "a list",
        JsonType::Boolean => "true or false",
        JsonType::Integer => "a whole number",
        JsonType::Null => "null",
        JsonType::Number => "a number",
        JsonType::Object => "an object",
        JsonType::String => "text",
    }
}

/// What was given instead: what is small as it stands.
fn found(value: &Value) -> String {
    match value {
        Value::Null | Value::Bool(_) | Value::Number(_) => value.to_string(),
        Value::String(_) => spoken(JsonType::String).into(),
        Value::Array(_) => spoken(JsonType::Array).into(),
        Value::Object(_) => spoken(JsonType::Object).into(),
    }
}

fn formatted(format: &str) -> String {
    let spoken = match format {
        "date" => "a date, such as 2026-11-21",
        "date-time" => "a date with a time, such as 2026-11-21T14:21:00Z",
        "time" => "a time, such as 14:21:00Z",
        "duration" => "a duration, such as P3DT12H",
        "email" | "idn-email" => "an email address",
        "hostname" | "idn-hostname" => "the name of a host",
        "ipv4" => "an IPv4 address, such as 192.0.2.1",
        "ipv6" => "an IPv6 address, such as 2001:db8::1",
        "uri" | "iri" => "a full address, such as https://example.com/page",
        "uri-reference" | "iri-reference" => "an address, full or relative",
        "uri-template" => "a URI template (RFC 6570)",
        "uuid" => "a UUID",
        "json-pointer" => "a JSON Pointer, such as /a/0",
        "relative-json-pointer" => "a relative JSON Pointer, such as 1/a",
        "regex" => "a regular expression",
        other => return format!("of the format {}", cut(other, NAME)),
    };
    spoken.into()
}

fn one_of(options: &[String]) -> String {
    match options {
        [one] => cut(one, LIST),
        several => format!("one of {}", listed(several, "or")),
    }
}

/// A list in words, cut where it is long.
fn listed(items: &[String], last: &str) -> String {
    match items {
        [] => "nothing".into(),
        [one] => cut(one, LIST),
        [first @ .., end] => {
            let list = format!("{} {last} {end}", first.join(", "));
            cut(&list, LIST)
        }
    }
}

fn counted(count: u64, one: &str, several: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { several })
}

fn cut(text: &str, length: usize) -> String {
    if text.chars().count() <= length {
        return text.to_owned();
    }
    text.chars().take(length).chain(['…']).collect()
}
