//! Writes violations as sentences for people: where the value is, and what it must be. Values, names and lists that are long are cut.

use jsonschema::{
    JsonType, ValidationError,
    error::{TypeKind, ValidationErrorKind as Kind},
};
use serde_json::Value;
use std::io::{self, Write};

/// The most characters that are shown of a name, and of a list of values.
const NAME: usize = 80;
const LIST: usize = 200;
/// The most branches of `anyOf` and similar keywords that are described, and how deep such branches may nest.
const BRANCHES: usize = 3;
const LEVELS: usize = 2;
/// The most bytes of a path that are shown.
const PATH: usize = 200;

/// A path for the list of violations. A long one is shortened in the middle and followed by its length.
pub(super) fn path(pointer: &str) -> String {
    if pointer.len() <= PATH {
        return pointer.to_owned();
    }
    let half = PATH / 2;
    let start = pointer.get(..pointer.floor_char_boundary(half)).unwrap_or_default();
    let end = ending(pointer, half);
    format!("{start}…{end} ({} bytes)", pointer.len())
}

/// The end of a text, at most this many bytes.
fn ending(text: &str, bytes: usize) -> &str {
    text.get(text.ceil_char_boundary(text.len().saturating_sub(bytes))..).unwrap_or_default()
}

/// The sentence for a violation, with a full stop.
pub(super) fn sentence(error: &ValidationError<'_>) -> String {
    let name = name(&error.instance_path().to_string());
    format!("{name} {}.", predicate(error, LEVELS))
}

/// The crate's name for the keyword of the schema `false`.
const FALSE: &str = "falseSchema";

/// The violated keyword. For the schema `false` under a keyword such as `additionalProperties`, that keyword.
pub(super) fn keyword(error: &ValidationError<'_>) -> String {
    let keyword = error.kind().keyword();
    let path = error.schema_path().to_string();
    let last = path.rsplit('/').next().filter(|last| ["additionalProperties", "propertyNames"].contains(last));
    match last {
        Some(last) if keyword == FALSE => last.to_owned(),
        Some(_) | None => keyword.to_owned(),
    }
}

/// The sentence after its subject, for example "must be at most 65535".
fn predicate(error: &ValidationError<'_>, levels: usize) -> String {
    match error.kind() {
        Kind::Type { kind } => format!("must be {}, not {}", types(kind), found(error.instance())),
        Kind::Required { property } => format!("lacks the property {}", shown(property)),
        Kind::AdditionalProperties { unexpected } | Kind::UnevaluatedProperties { unexpected } => {
            let what = if unexpected.len() == 1 { "property" } else { "properties" };
            format!(
                "must not have the {what} {}",
                listed(unexpected.iter().map(|name| format!("{:?}", cut(name, LIST))), "and")
            )
        }
        Kind::Enum { options } => {
            let options = options.as_array().map(Vec::as_slice).unwrap_or_default();
            let one_of = if options.len() == 1 { "" } else { "one of " };
            format!("must be {one_of}{}", listed(options.iter().map(shown), "or"))
        }
        Kind::Constant { expected_value } => format!("must be {}", shown(expected_value)),
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
            branches(context, &error.instance_path().to_string(), levels)
        }
        Kind::OneOfMultipleValid { .. } => "fits more than one of the forms, and must fit exactly one".into(),
        Kind::PropertyNames { error } => {
            format!("has a property whose name is not allowed: it {}", predicate(error, levels))
        }
        Kind::Custom { message, .. } => message.clone(),
        Kind::Referencing(_) => "is held against a part of the schema that is not there".into(),
    }
}

/// The subject of the sentence: the place of the value, such as `servers[0].port`, or "The value" for the root.
fn name(pointer: &str) -> String {
    let mut name = String::new();
    for part in ending(pointer, NAME.saturating_mul(8)).split('/').skip(1) {
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
    // The end of a long place says most.
    let long = name.chars().count().saturating_sub(NAME);
    if long == 0 { name } else { format!("…{}", name.chars().skip(long).collect::<String>()) }
}

/// The sentence for a value that fits none of several branches. It gives the reasons of the first branches.
fn branches(context: &[Vec<ValidationError<'static>>], outer: &str, levels: usize) -> String {
    let taken = levels.checked_sub(1).map_or(0, |_| BRANCHES);
    let levels = levels.saturating_sub(1);
    let mut misses: Vec<String> = Vec::new();
    for error in context.iter().filter_map(|errors| errors.first()).take(taken) {
        let place = error.instance_path().to_string();
        let miss = match place.strip_prefix(outer).filter(|inner| !inner.is_empty()) {
            Some(inner) => format!("{} {}", name(inner), predicate(error, levels)),
            None => format!("it {}", predicate(error, levels)),
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
    match kind {
        TypeKind::Single(one) => spoken(*one).into(),
        TypeKind::Multiple(several) => {
            let types: Vec<JsonType> = several.iter().collect();
            listed(types.iter().map(|one| spoken(*one).to_owned()), "or")
        }
    }
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

/// The value that was given instead. Small values are shown in full, others by their type.
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

/// A list in words, cut if it is long.
fn listed(items: impl ExactSizeIterator<Item = String>, last: &str) -> String {
    let end = items.len().saturating_sub(1);
    let mut list = String::new();
    for (index, item) in items.enumerate().take(LIST) {
        match index {
            0 => {}
            _ if index == end => list.push_str(&format!(" {last} ")),
            _ => list.push_str(", "),
        }
        list.push_str(&item);
    }
    if list.is_empty() { "nothing".into() } else { cut(&list, LIST) }
}

/// A value as JSON text, cut if it is long.
fn shown(value: &Value) -> String {
    /// Takes a limited number of bytes, then fails.
    struct Start(Vec<u8>);
    impl Write for Start {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            if self.0.len() > LIST.saturating_mul(4) {
                return Err(io::ErrorKind::StorageFull.into());
            }
            self.0.extend(bytes);
            Ok(bytes.len())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let mut start = Start(Vec::new());
    // An error means that there are enough bytes.
    let _ = serde_json::to_writer(&mut start, value);
    cut(&String::from_utf8_lossy(&start.0), LIST)
}

fn counted(count: u64, one: &str, several: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { several })
}

fn cut(text: &str, length: usize) -> String {
    let mut characters = text.chars();
    let mut start: String = characters.by_ref().take(length).collect();
    if characters.next().is_some() {
        start.push('…');
    }
    start
}
