//! Random changes to the requests of the vectors: none is shown with a part missing, and each rejection, followed to the letter, gives a form.

use ask_user_core::{Dialect, Form, Host, Rejection, When};
use ask_user_tests::{files, folders};
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};

use super::whole::{SYNONYMS, essence, notations};

/// How many changed requests are tried.
const MUTATIONS: usize = 10_000;
/// Where the random numbers begin. The same each time, so that a failure can be seen again; `SEED=…` tries others.
const SEED: u64 = 0x5eed_0fa5_c0de;
/// How often a model may correct its call.
const ROUNDS: usize = 5;
/// What a person reads or a tool gets as it is: no fields of a dialect stand within.
const OPAQUE: &[&str] = &[
    "schema",
    "default",
    "args",
    "arguments",
    "args_schema",
    "argsSchema",
    "responseSchema",
    "response_schema",
    "metadata",
    "messages",
    "_meta",
    "$defs",
    "definitions",
    "providerData",
    "action",
    "operation",
    "priority",
    "tool",
    "agent",
    "equals",
    "in",
    "contains",
    "acceptWithExecpolicyAmendment",
    "suggestions",
    "permissions",
    "scope",
    "secretStore",
    "mcpTool",
];
/// The dialects that libraries and servers write by a protocol: words of other tools have no meaning there.
const PROTOCOLS: &[&str] = &[
    "mcp",
    "ag_ui",
    "langchain",
    "ai_sdk",
    "openai_agents",
    "openai_responses",
    "adk",
    "agent_framework",
    "managed_agents",
    "pydantic_ai",
    "langgraph",
    "goose",
    "acp",
];
/// What stands in a request for other fields: the history of a thread, definitions, the names of what must be answered.
const NOT_SHOWN: &[&str] =
    &["messages", "$defs", "definitions", "required", "tool_calls", "toolCalls", "type", "$ref", "suggestions"];
/// What holds names of the request's own in place of fields.
const NAMED: &[&str] = &["properties", "inputRequests"];
/// More of what other tools call a field.
const OTHER_NAMES: &[(&str, &[&str])] = &[
    ("question", &["text", "prompt", "message", "title"]),
    ("text", &["question", "prompt", "label"]),
    ("label", &["name", "title", "text"]),
    ("value", &["id", "key", "label"]),
    ("description", &["details", "context"]),
    ("context", &["description", "details"]),
    ("id", &["name", "key"]),
    ("answer_type", &["type", "kind"]),
    ("type", &["kind", "answer_type"]),
    ("danger", &["dangerous", "irreversible", "destructive"]),
    ("minimum", &["min"]),
    ("maximum", &["max"]),
    ("min_selections", &["minItems", "min"]),
    ("max_selections", &["maxItems", "max"]),
    ("min_length", &["minLength"]),
    ("pattern", &["regex"]),
    ("schema", &["jsonSchema", "json_schema"]),
];

/// A request that is a form, as it is.
struct Sample {
    request: Value,
    /// The dialect that its case names.
    named: Dialect,
    host: Host,
    form: Form,
}

fn samples() -> Vec<Sample> {
    let mut found = Vec::new();
    for file in folders().iter().flat_map(|folder| files(folder).unwrap()) {
        let cases: Vec<Value> = serde_json::from_str(&std::fs::read_to_string(&file).unwrap()).unwrap();
        for case in cases {
            let Some(request) = case.get("request").filter(|request| request.is_object()) else { continue };
            let Ok(named) = case["dialect"].as_str().map_or(Ok(Dialect::Detect), str::parse) else { continue };
            let host = case.get("host").map_or_else(|| Ok(Host::default()), Host::from_json);
            // An agent without a user has a form whatever it asks.
            let Some(host) = host.ok().filter(|host| !host.sub_agent) else { continue };
            if let Ok(form) = Form::read(request, named, &host) {
                found.push(Sample { request: request.clone(), named, host, form });
            }
        }
    }
    found
}

/// Random numbers (xorshift).
pub(super) struct Random(pub u64);

impl Random {
    pub fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 16).unwrap() % limit
    }

    pub fn of<'a, T>(&mut self, list: &'a [T]) -> Option<&'a T> {
        if list.is_empty() { None } else { list.get(self.below(list.len())) }
    }
}

/// The pointers to the objects whose names are fields.
fn objects(value: &Value, at: String, is_named: bool, found: &mut Vec<String>) {
    match value {
        Value::Object(map) => {
            if !is_named {
                found.push(at.clone());
            }
            // What a tool gets as its input is a list of questions, or no matter of the dialect.
            let is_input = |name: &str, value: &Value| letters(name) == "input" && value.get("questions").is_none();
            for (name, value) in map {
                if !OPAQUE.iter().any(|one| letters(one) == letters(name)) && !is_input(name, value) {
                    objects(
                        value,
                        at.clone() + "/" + &escaped(name),
                        NAMED.iter().any(|one| letters(one) == letters(name)),
                        found,
                    );
                }
            }
        }
        Value::Array(list) => {
            for (place, value) in list.iter().enumerate() {
                objects(value, format!("{at}/{place}"), false, found);
            }
        }
        _ => {}
    }
}

fn escaped(name: &str) -> String {
    name.replace('~', "~0").replace('/', "~1")
}

fn map_at<'v>(request: &'v mut Value, place: &str) -> Option<&'v mut Map<String, Value>> {
    request.pointer_mut(place)?.as_object_mut()
}

/// Renames a field where it stands.
fn rename(map: &mut Map<String, Value>, from: &str, to: &str) {
    let fields: Vec<_> = std::mem::take(map).into_iter().collect();
    map.extend(fields.into_iter().map(|(name, value)| (if name == from { to.to_owned() } else { name }, value)));
}

/// Makes a random change. Gives what it was, and whether it left all that the request says in it, in words that no field of the dialect has.
fn mutate(request: &mut Value, dialect: &str, random: &mut Random) -> Option<(String, bool)> {
    // What a callback says of a call is a library's.
    let is_call =
        request.get("tool_name").is_some_and(|name| name != "AskUserQuestion") || request.get("request").is_some();
    let is_protocol = PROTOCOLS.contains(&dialect) || is_call;
    let mut places = Vec::new();
    objects(request, String::new(), false, &mut places);
    let place = random.of(&places)?.clone();
    let map = map_at(request, &place)?;
    let names: Vec<String> = map.keys().cloned().collect();
    let name = random.of(&names)?.clone();
    let value = map[&name].clone();
    let synonyms = SYNONYMS.iter().chain(OTHER_NAMES).filter(|(field, _)| *field == name);
    let synonyms: Vec<String> = synonyms.flat_map(|(_, others)| others.iter().map(|one| (*one).to_owned())).collect();
    let kind = random.below(11);
    // Absent, what a part of a message is, and a reference: another request.
    let is_other = value.is_null() || ["state", "$ref"].contains(&name.as_str());
    // A keyword of another type says nothing, and schemas have a title and a description of their own.
    let is_annotation = ["title", "description"].contains(&name.as_str());
    // What stands around the message of a protocol is not the dialect's.
    let is_envelope = dialect == "mcp" && kind == 6 && place.is_empty() && map.contains_key("params");
    let is_moved_keyword = dialect == "mcp" && (matches!(kind, 4 | 5) || kind == 3 && is_annotation);
    if is_other || is_envelope || is_moved_keyword || is_protocol && kind == 1 {
        return None;
    }
    let said = |what: &str, to: &str| format!("{what} {place}/{name} {to}");
    match kind {
        0 | 1 | 6 => {
            let is_plain = name.starts_with(|one: char| one.is_ascii_lowercase())
                && name.bytes().all(|byte| byte.is_ascii_alphabetic() || byte == b'_');
            let is_synonym = kind == 1 || kind == 6 && !is_protocol && random.below(2) == 1;
            let others = if is_synonym {
                synonyms
            } else if is_plain {
                notations(&name)
            } else {
                Vec::new()
            };
            let other = random.of(&others).filter(|other| !map.contains_key(*other))?.clone();
            if kind == 6 {
                map.insert(other.clone(), value);
                return Some((said("repeat", &other), true));
            }
            rename(map, &name, &other);
            Some((said("rename", &other), true))
        }
        2 => {
            map.shift_remove(&name);
            Some((said("drop", ""), false))
        }
        3..=5 => {
            let begin = place.clone() + "/";
            let around = places.iter().filter(|one| place.starts_with(&format!("{one}/")));
            let list = place.rsplit_once('/').map_or("", |(list, _)| list);
            let to: Vec<&String> = match kind {
                3 => around.max_by_key(|one| one.len()).into_iter().collect(),
                4 => places.iter().filter(|one| one.starts_with(&begin)).collect(),
                _ => places
                    .iter()
                    .filter(|one| **one != place && one.rsplit_once('/').map_or("", |(list, _)| list) == list)
                    .collect(),
            };
            let to = (*random.of(&to)?).clone();
            if dialect == "mcp" && to.is_empty() && map_at(request, "")?.contains_key("params") {
                return None;
            }
            // Protocols have a title and a description of their own around the questions.
            let is_around = ["", "/input"].contains(&&*to) && ["title", "description"].contains(&&*name);
            // Where it stands says which of several calls it is about.
            if is_around
                || name == "isAutomatic"
                || to.starts_with(&format!("{place}/{}", escaped(&name)))
                || map_at(request, &to)?.contains_key(&name)
            {
                return None;
            }
            map_at(request, &place)?.shift_remove(&name);
            map_at(request, &to)?.insert(name.clone(), value);
            Some((said("move", &to), false))
        }
        _ => {
            let changed = match (kind, value) {
                (7, value) => json!([value]),
                (8, Value::Array(list)) => list.first()?.clone(),
                (9, Value::Array(list)) => {
                    // One of its items.
                    let at = random.below(list.len().max(1));
                    let mut list = list;
                    let one = list.get_mut(at)?;
                    *one = if random.below(2) == 0 { json!([one.take()]) } else { Value::String(text_of(one)) };
                    Value::Array(list)
                }
                (_, Value::String(text)) => serde_json::from_str(&text).unwrap_or_else(|_| json!({ "value": text })),
                (_, value) => Value::String(text_of(&value)),
            };
            map.insert(name.clone(), changed);
            Some((said("change", ""), false))
        }
    }
}

fn text_of(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// What a form says: its questions as a person sees them, with what is selected, and its message.
fn shown(form: &Form) -> Value {
    // The rule of a grant is the agent's own. A person sees its sentences, and below them what else is said of it.
    let seen = |question: &ask_user_core::Question| {
        let mut json = json!(question);
        for grant in json.get_mut("grants").and_then(Value::as_array_mut).into_iter().flatten() {
            let grant = grant.as_object_mut().unwrap();
            grant.remove("rule");
            let lines = grant["shown"].as_str().unwrap().lines().map(Value::from).collect();
            grant.insert("shown".into(), lines);
        }
        // Below what the agent says stands what nobody knows, as JSON.
        if let Some(context) = question.context.as_deref() {
            let lines = ["\n", context].concat();
            json["context"] = lines
                .split("\n```json\n")
                .map(|part| Value::from(part.trim_end().trim_end_matches("\n```").trim()))
                .collect();
        }
        json
    };
    let question = |question: &ask_user_core::Question| json!({ "question": seen(question), "message": question.message.as_deref(), "default": question.suggestion(), "when": question.when.as_ref().map(condition) });
    // The messages of several requests are one text.
    let mut parts: Vec<&str> = form.message().into_iter().flat_map(|all| all.split("\n\n")).collect();
    // Who asks stands before the message of a form without questions.
    if let (true, Some((asker, _))) =
        (form.questions().is_empty(), parts.first().and_then(|part| part.split_once(": ")))
    {
        parts.push(asker);
    }
    json!({ "message": form.message(), "parts": if parts.len() > 1 { parts } else { Vec::new() }, "questions": form.questions().iter().map(|one| question(one)).collect::<Vec<_>>() })
}

/// A condition as JSON.
fn condition(when: &When) -> Value {
    use ask_user_core::Test;
    match when {
        When::Answer { is: Test::Equals(wanted) | Test::Contains(wanted), .. } => wanted.value.clone(),
        When::Answer { is: Test::In(all), .. } => all.iter().map(|wanted| wanted.value.clone()).collect(),
        When::Answer { is: Test::Answered(answered), .. } => json!({ "answered": answered }),
        When::All(all) | When::Any(all) => all.iter().map(condition).collect(),
        When::Not(when) => condition(when),
    }
}

/// The texts and numbers of a value, each with how often it is there, but for those at a place of `named`. A text with JSON in it has what that JSON has.
fn leaves(value: &Value, at: &str, named: &[String], found: &mut BTreeMap<String, usize>) {
    if named.iter().any(|place| at == place || at.starts_with(&format!("{place}/"))) {
        return;
    }
    match value {
        Value::Object(map) => {
            // The id of a message is a number.
            let is_read = |name: &str, value: &Value| match name {
                // The id of a message is a number, or stands around the questions.
                "id" => !(value.is_number() || at.is_empty()),
                // It is shown in place of a message.
                "reason" => !map.contains_key("message"),
                // One that the protocol does not define is only a hint.
                "format" => !text_of(value).starts_with(['{', '[', '"']),
                name => !NOT_SHOWN.contains(&name),
            };
            // What is said twice in other notations is said once.
            let is_again = |place: usize, name: &str, value: &Value| {
                map.iter().take(place).any(|(one, same)| same == value && letters(one) == letters(name))
            };
            let read = map.iter().enumerate();
            let read = read.filter(|(place, (name, value))| is_read(name, value) && !is_again(*place, name, value));
            let read = read.map(|(_, field)| field);
            read.for_each(|(name, value)| leaves(value, &format!("{at}/{}", escaped(name)), named, found));
        }
        Value::Array(list) => {
            list.iter().enumerate().for_each(|(place, value)| leaves(value, &format!("{at}/{place}"), named, found));
        }
        Value::String(text) => match serde_json::from_str::<Value>(unfenced(text)) {
            Ok(inner) if !inner.is_string() => leaves(&inner, at, named, found),
            _ if text.trim().is_empty() => {}
            _ => *found.entry(text.clone()).or_default() += 1,
        },
        Value::Number(number) => *found.entry(number.to_string()).or_default() += 1,
        Value::Bool(_) | Value::Null => {}
    }
}

/// What stands in a block of JSON, or the text as it is.
fn unfenced(text: &str) -> &str {
    text.strip_prefix("```json\n").and_then(|rest| rest.strip_suffix("\n```")).unwrap_or(text)
}

/// What a flag says, its names, its value, and the fields of a form that say the same.
type Flag = (&'static str, &'static str, bool, &'static [(&'static str, &'static str)]);

/// What is said with a yes or no, by any name, and how a form says it.
const FLAGS: &[Flag] = &[
    ("danger", "danger dangerous destructive irreversible", true, &[("danger", "true")]),
    ("several", "multiselect multiple allowmultiple", true, &[("type", "\"multi_select\"")]),
    ("secret", "issecret secret hidden", true, &[("type", "\"secret\"")]),
    (
        "no own words",
        "custom allowcustom isother other allowother allowfreeforminput allowfreetext",
        false,
        &[("other", "false")],
    ),
    (
        "own words",
        "custom allowcustom isother other allowother allowfreeforminput allowfreetext",
        true,
        &[("other", "true"), ("type", "\"text\""), ("type", "\"secret\"")],
    ),
    ("optional", "required isrequired", false, &[("optional", "true")]),
    ("optional", "optional", true, &[("optional", "true")]),
    ("integer", "integer", true, &[("integer", "true")]),
    ("recommended", "recommended", true, &[("recommended", "true")]),
];

fn letters(name: &str) -> String {
    name.chars().filter(char::is_ascii_alphanumeric).collect::<String>().to_lowercase()
}

/// How often a request says each of the flags.
fn said(value: &Value, at: &str, named: &[String], found: &mut BTreeMap<&'static str, usize>) {
    if named.iter().any(|place| at == place || at.starts_with(&format!("{place}/"))) {
        return;
    }
    match value {
        Value::Object(map) => {
            for (name, value) in map {
                // Of an option, they say nothing.
                let is_in_option = ["/choices/", "/options/"].iter().any(|list| at.contains(list));
                let at = format!("{at}/{}", escaped(name));
                let is_it = |value: &Value, wanted: bool| match value {
                    Value::Bool(flag) => *flag == wanted,
                    Value::String(text) => text == if wanted { "true" } else { "false" },
                    _ => false,
                };
                for (flag, names, wanted, _) in FLAGS {
                    if names.split(' ').any(|one| one == letters(name))
                        && is_it(value, *wanted)
                        && !named.contains(&at)
                        && !(is_in_option && *flag == "optional")
                    {
                        *found.entry(*flag).or_default() += 1;
                    }
                }
                if ["when", "condition", "dependson", "showif", "if"].contains(&letters(name).as_str())
                    && (value.is_object() || value.is_array())
                    && !named.contains(&at)
                {
                    *found.entry("when").or_default() += 1;
                }
                if !OPAQUE.contains(&name.as_str()) {
                    said(value, &at, named, found);
                }
            }
        }
        Value::Array(list) => {
            list.iter().enumerate().for_each(|(place, value)| said(value, &format!("{at}/{place}"), named, found));
        }
        _ => {}
    }
}

/// How often a form says each of the flags.
fn flags(shown: &Value, found: &mut BTreeMap<&'static str, usize>) {
    match shown {
        Value::Object(map) => {
            for (name, value) in map {
                let seen: BTreeSet<&str> = FLAGS
                    .iter()
                    .filter(|(.., by)| {
                        by.iter().any(|(field, wanted)| {
                            field == name && serde_json::from_str::<Value>(wanted).is_ok_and(|wanted| wanted == *value)
                        })
                    })
                    .map(|(flag, ..)| *flag)
                    .collect();
                seen.into_iter().for_each(|flag| *found.entry(flag).or_default() += 1);
                if name == "when" && !value.is_null() {
                    *found.entry("when").or_default() += 1;
                }
                if !["schema", "arguments", "when"].contains(&name.as_str()) {
                    flags(value, found);
                }
            }
        }
        Value::Array(list) => list.iter().for_each(|one| flags(one, found)),
        _ => {}
    }
}

/// The request without what it does not ask about: configurations of other tools, and what a rule has decided already.
fn of_actions(request: &Value) -> Value {
    let mut request = request.clone();
    for (actions, configs, name) in
        [("action_requests", "review_configs", "action_name"), ("actionRequests", "reviewConfigs", "actionName")]
    {
        let actions: Vec<Value> = request
            .get(actions)
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
            .map(|one| one["name"].clone())
            .collect();
        if let Some(configs) = request.get_mut(configs).and_then(Value::as_array_mut) {
            configs.retain(|config| config.get(name).is_none_or(|name| actions.contains(name)));
        }
    }
    for parts in ["parts", "content"] {
        let decided = |value: &Value| value.get("isAutomatic").is_some_and(|flag| *flag == true);
        let parts = request.get_mut(parts).and_then(Value::as_array_mut).into_iter().flatten();
        for part in parts.filter(|part| decided(part) || part.get("approval").is_some_and(decided)) {
            *part = Value::Null;
        }
    }
    request
}

/// What the form of a changed request lacks of what that request says and the form of the original showed.
fn missing(sample: &Sample, changed: &Value, form: &Form) -> Vec<String> {
    let named: Vec<String> = form
        .warnings()
        .iter()
        .filter(|warning| warning.code() != "renamed_field" && !warning.path.as_str().is_empty())
        .map(|warning| warning.path.to_string())
        .collect();
    let (was, is) = (shown(&sample.form), shown(form));
    let count = |value: &Value, named: &[String]| {
        let mut found = BTreeMap::new();
        leaves(value, "", named, &mut found);
        let mut also = BTreeMap::new();
        said(value, "", named, &mut also);
        (found, also)
    };
    let ((asked, said_first), (asks, says)) = (count(&sample.request, &[]), count(&of_actions(changed), &named));
    let (mut text_was, mut text_is) = (BTreeMap::new(), BTreeMap::new());
    leaves(&was, "", &[], &mut text_was);
    leaves(&is, "", &[], &mut text_is);
    let (mut flags_were, mut flags_are) = (BTreeMap::new(), BTreeMap::new());
    flags(&was, &mut flags_were);
    flags(&is, &mut flags_are);
    let whole = is.to_string().to_lowercase();
    let mut lost = Vec::new();
    for (text, first) in &asked {
        let now = asks.get(text).copied().unwrap_or(0);
        let had = text_was.get(text).copied().unwrap_or(0);
        // Of texts that look alike, each has more behind it.
        let apart = text_is
            .iter()
            .filter(|(shown, _)| shown.strip_prefix(text.as_str()).is_some_and(|rest| rest.starts_with(" (")));
        let has = text_is.get(text).copied().unwrap_or(0) + apart.map(|(_, count)| count).sum::<usize>();
        // A text that is a part of another one in the form, such as the name of a tool.
        if had == 0 {
            let part = json!(text).to_string();
            let part = &part[1..part.len() - 1];
            if text.len() >= 4 && was.to_string().contains(part) && now > 0 && !whole.contains(&part.to_lowercase()) {
                lost.push(format!("the text {text:?}"));
            }
        } else if has < had.min(now) {
            lost.push(format!("{text:?}: it was there {had} times for {first}, and is {has} times for {now}"));
        }
    }
    for (flag, first) in &said_first {
        let now = says.get(flag).copied().unwrap_or(0);
        let (had, has) = (flags_were.get(flag).copied().unwrap_or(0), flags_are.get(flag).copied().unwrap_or(0));
        if had > 0 && has + first.saturating_sub(now) < had.min(*first) {
            lost.push(format!("{flag}: it was said {had} times for {first}, and is {has} times for {now}"));
        }
    }
    lost
}

/// Whether a warning says that a field is not read.
fn is_named_lost(form: &Form) -> bool {
    form.warnings().iter().any(|warning| warning.code() == "unknown_field")
}

/// How a problem was followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Followed {
    /// By its hint, or with what the model wanted to say at this place.
    Hint,
    /// By guessing.
    Guess,
}

/// The texts in quotes of a hint.
fn quoted(text: &str) -> Vec<&str> {
    text.split('"').skip(1).step_by(2).collect()
}

/// What the original has at a place, whatever the fields on the way are called.
fn meant_at<'v>(original: &'v Value, path: &str) -> Option<&'v Value> {
    path.split('/').skip(1).try_fold(original, |value, name| match value {
        Value::Array(list) => list.get(name.parse::<usize>().ok()?),
        Value::Object(map) => {
            let name = unescaped(name);
            let same = |one: &&String| letters(one) == letters(&name);
            let means = |one: &&String| {
                let mut rows = SYNONYMS.iter().chain(OTHER_NAMES);
                rows.any(|(field, others)| *field == **one && others.contains(&name.as_str()))
            };
            let found = map.keys().find(same).or_else(|| map.keys().find(means));
            map.get(&name).or_else(|| map.get(found?))
        }
        _ => None,
    })
}

fn unescaped(name: &str) -> String {
    name.replace("~1", "/").replace("~0", "~")
}

/// What a model writes that has not wanted to say anything at this place, and is told to: what it has said elsewhere, or what the hint allows.
fn made_up(request: &Value, problem: &Value, original: &Value) -> Option<Value> {
    let text = |name: &str| problem[name].as_str().unwrap();
    let (code, path, hint) = (text("code"), text("path"), text("hint"));
    let (around, name) = path.rsplit_once('/')?;
    let here = request.pointer(around)?;
    let first = |name: &str| original.pointer("/questions/0")?.get(name).cloned();
    match (code, name) {
        ("missing_field", "question") => first("text").or_else(|| first("question")),
        ("missing_field", "id") => Some(format!("q{}", around.replace('/', "_")).into()),
        ("missing_field", "answer_type") => {
            Some(if here.get("options").is_some_and(Value::is_array) { "select" } else { "text" }.into())
        }
        ("missing_field", "question_id") => request.pointer("/questions/0/id").cloned(),
        ("schema_required", _) => first(name),
        // A text in a list, or in an object, is that text.
        ("wrong_type", _) if hint.starts_with("Put a string here") => match here.get(name)? {
            Value::Array(list) => list.first().filter(|one| one.is_string()).cloned(),
            Value::Object(map) => map.get("value").filter(|one| one.is_string()).cloned(),
            _ => None,
        },
        _ => None,
    }
}

/// Does what one problem of a rejection says, as a model does that knows what it wanted to ask: the original. `None`: there is nothing to do any more.
fn follow(request: &mut Value, problem: &Value, original: &Value) -> Option<Followed> {
    let text = |name: &str| problem[name].as_str().unwrap();
    let (code, path, message, hint) = (text("code"), text("path"), text("message"), text("hint"));
    let (around, field) = path.rsplit_once('/').unwrap_or(("", ""));
    let name = unescaped(field);
    // What the model wanted to say here, or in a field beside it.
    let wanted = meant_at(original, path).filter(|wanted| !(wanted.is_null() && code == "missing_field"));
    let beside = |name: &str| meant_at(original, &format!("{around}/{}", escaped(name))).cloned();
    let names = quoted(hint);
    let json_after = |begin: &str, end: &str| {
        let rest = hint.strip_prefix(begin)?;
        serde_json::from_str::<Value>(&rest[..rest.rfind(end)?]).ok()
    };
    if hint.starts_with("Send what is at ") {
        let inner = request.pointer(names[0])?.clone();
        *request = inner.as_str().map_or(Some(inner.clone()), |text| serde_json::from_str(text).ok())?;
        return Some(Followed::Hint);
    }
    if path.is_empty() {
        // The whole call is wrong.
        *request = original.clone();
        return Some(Followed::Guess);
    }
    if hint.starts_with("Rename ") {
        rename(map_at(request, around)?, names[0], names[1]);
        return Some(Followed::Hint);
    }
    let is_list = |value: &Value| value.is_array() || value.as_str().is_some_and(|text| text.starts_with('['));
    if code == "wrong_type" && request.pointer(path).is_some_and(is_list) && request.pointer(around)?.is_array() {
        // A list in a list: the outer one has what the inner one should have.
        *request.pointer_mut(around)? = meant_at(original, around)?.clone();
        return Some(Followed::Hint);
    }
    if let Some(condition) = json_after("Write ", ".").filter(Value::is_object) {
        *request.pointer_mut(around)? = condition;
        return Some(Followed::Hint);
    }
    if let Some(when) = json_after("Write \"when\": ", ".") {
        let map = map_at(request, around)?;
        map.shift_remove(&name);
        map.insert("when".into(), when);
        return Some(Followed::Hint);
    }
    if let Some(option) = json_after("Write \"contains\": ", ", in a condition") {
        if let Some(condition) = around.strip_suffix("/in") {
            let one = |option: &Value| json!({ "question_id": request.pointer(condition).unwrap()["question_id"], "contains": option });
            let any: Value = request.pointer(around)?.as_array()?.iter().map(one).collect();
            *request.pointer_mut(condition)? = json!({ "any": any });
            return Some(Followed::Hint);
        }
        let map = map_at(request, around)?;
        map.shift_remove(&name);
        map.insert("contains".into(), option);
        return Some(Followed::Hint);
    }
    if let Some(value) =
        json_after("Write ", ", the value of that option.").or_else(|| json_after("Did you mean the question ", "?"))
    {
        *request.pointer_mut(path)? = value;
        return Some(Followed::Hint);
    }
    if hint.ends_with("or make that question \"optional\".") && wanted == Some(&Value::Null) {
        let id = quoted(message)[0];
        let questions = request["questions"].as_array_mut()?;
        questions.iter_mut().find(|question| question["id"] == id)?["optional"] = true.into();
        return Some(Followed::Hint);
    }
    if hint.starts_with("Add \"equals\"") {
        let operators = ["equals", "in", "contains", "answered", "all", "any", "not"];
        let map = map_at(request, around)?;
        map.extend(operators.iter().filter_map(|name| Some(((*name).to_owned(), beside(name)?))));
        return Some(Followed::Hint);
    }
    if hint.ends_with("or remove \"when\".") && wanted.is_none() {
        let (question, _) = path.split_once("/when")?;
        map_at(request, question)?.shift_remove("when")?;
        return Some(Followed::Hint);
    }
    if hint == "Add \"question\"."
        && let (None, Some(action)) = (&wanted, original.get("action"))
    {
        map_at(request, around)?.insert(name, action.clone());
        return Some(Followed::Hint);
    }
    if hint.starts_with("Add \"questions\"")
        && let (None, Some(text)) = (&wanted, original.get("question"))
    {
        let mut question = original.clone();
        question.as_object_mut()?.shift_remove("question");
        question["id"] = "answer".into();
        question["text"] = text.clone();
        question.as_object_mut()?.entry("answer_type").or_insert("text".into());
        map_at(request, around)?.insert(name, json!([question]));
        return Some(Followed::Hint);
    }
    if hint.starts_with("Add \"value\"")
        && let (None, Some(label)) = (&wanted, beside("label"))
    {
        map_at(request, around)?.insert(name, label);
        return Some(Followed::Hint);
    }
    if hint.ends_with("or none.") && request.pointer(path) == wanted {
        map_at(request, around)?.shift_remove(&name);
        return Some(Followed::Hint);
    }
    if matches!(code, "duplicate_id" | "duplicate_option" | "duplicate_question")
        && (wanted.is_none() || request.pointer(path) == wanted)
    {
        // One of its own, where the model had wanted another one.
        let found = request.pointer_mut(path)?;
        let text = if found.is_object() { found.get_mut("label")? } else { found };
        *text = format!("{} 2", text_of(text)).into();
        return Some(Followed::Hint);
    }
    if code == "unknown_question"
        && let Some(id) = wanted
        && request.pointer(path) == Some(id)
    {
        // The question that it means has another id now.
        let place = original["questions"].as_array()?.iter().position(|question| question["id"] == *id)?;
        *request.pointer_mut(path)? = request["questions"][place]["id"].as_str()?.into();
        return Some(Followed::Hint);
    }
    if hint.starts_with("Use \"question_id\" with") {
        match meant_at(original, around) {
            Some(condition) => *request.pointer_mut(around)? = condition.clone(),
            None => drop(map_at(request, around)?.shift_remove(&name)?),
        }
        return Some(Followed::Hint);
    }
    if code == "misplaced_field" && hint.starts_with("Remove ") {
        map_at(request, around)?.shift_remove(names[0])?;
        return Some(Followed::Hint);
    }
    if wanted.is_none()
        && let Some(value) = made_up(request, problem, original)
    {
        match request.pointer_mut(path) {
            Some(found) => *found = value,
            None => drop(map_at(request, around)?.insert(name, value)),
        }
        return Some(Followed::Guess);
    }
    if code == "unknown_answer_type" && wanted.is_some() && request.pointer(path) == wanted {
        // The one that the hint names, or the first of those that there are.
        let first = hint.strip_prefix("Use one of: ").and_then(|all| all.split([',', '.']).next());
        *request.pointer_mut(path)? = (*names.first().or(first.as_ref())?).into();
        return Some(Followed::Hint);
    }
    if code == "when_never_true"
        && request.pointer(path) == wanted
        && let Some(values) = hint.strip_prefix("The values of its options are ")
    {
        let first: Value = serde_json::from_str(values.trim_end_matches('.').split(", ").next()?).ok()?;
        let found = request.pointer_mut(path)?;
        *found = if found.is_array() { json!([first]) } else { first };
        return Some(Followed::Hint);
    }
    if hint.starts_with("Correct or remove this field") && quoted(message).last() == Some(&name.as_str()) {
        map_at(request, around)?.shift_remove(&name)?;
        return Some(Followed::Hint);
    }
    // Another field that the hint names: the model says there what it wanted to say with it.
    let other = match code {
        "misplaced_field" if hint.starts_with("Say it with ") => Some(names[0]),
        "ambiguous_field" | "options_not_allowed" | "schema_not_allowed" => Some("answer_type"),
        "invalid_condition" if hint.starts_with("Use \"when\", such") => Some("when"),
        "unknown_dialect" => quoted(message).last().copied(),
        _ => None,
    };
    if let Some(other) = other {
        let map = map_at(request, around)?;
        match beside(other) {
            Some(value) if !value.is_null() => drop(map.insert(other.to_owned(), value)),
            _ if ["options_not_allowed", "ambiguous_field"].contains(&code) && wanted.is_some() => {
                let kind = names.iter().skip_while(|name| **name != other).nth(1)?;
                drop(map.insert(other.to_owned(), (*kind).into()));
            }
            // It wanted this one, and not the other.
            _ if wanted.is_some() => drop(map.shift_remove(other)),
            _ => {}
        }
    }
    let is_other =
        other == Some("questions") || other.is_some_and(|other| letters(other) == letters(&name) && other != name);
    let exact = original.pointer(path).is_some();
    let removes = other.is_some()
        || ["emove", "or none", "leave", "has no conditions", "into the question"]
            .iter()
            .any(|word| hint.contains(word));
    match (wanted.filter(|_| !is_other && (exact || !removes)), request.pointer_mut(path)) {
        (Some(wanted), Some(found)) => *found = wanted.clone(),
        (Some(wanted), None) => drop(map_at(request, around)?.insert(name.clone(), wanted.clone())),
        (None, _) if code == "missing_field" && name == "options" || code == "too_few_options" => {
            drop(map_at(request, around)?.insert(name.clone(), json!([])));
        }
        (None, _) => drop(map_at(request, around)?.shift_remove(&name)?),
    }
    if let (true, Some(Value::Array(list))) = (name == "options" && hint.contains("options"), request.pointer_mut(path))
    {
        // As many as are needed, if the model wanted fewer.
        let needed = if code == "too_few_options" { hint.split(' ').find_map(|word| word.parse().ok())? } else { 2 };
        while list.len() < needed {
            list.push(json!({ "label": format!("Another one ({})", list.len()) }));
        }
    }
    Some(if wanted.is_some() || removes || code == "too_few_options" { Followed::Hint } else { Followed::Guess })
}

/// Whether a library writes such a request, and no model: by a protocol, or around what a model wrote.
fn is_library(sample: &Sample) -> bool {
    let around =
        ["tool_name", "params", "properties", "subtype", "request", "payload", "permission", "delivery", "item"];
    PROTOCOLS.contains(&sample.form.dialect()) || around.iter().any(|name| sample.request.get(*name).is_some())
}

/// Whether a form shows what another one does: the same, and perhaps more arguments of a call. A field that nobody knows is shown as one.
fn shows_as_much(now: &Value, was: &Value) -> bool {
    match (now, was) {
        (Value::Array(now), Value::Array(was)) => {
            now.len() == was.len() && now.iter().zip(was).all(|(now, was)| shows_as_much(now, was))
        }
        (Value::Object(now), Value::Object(was)) => {
            let has = |(name, was): (&String, &Value)| match (name.as_str(), now.get(name), was) {
                ("arguments", Some(Value::Object(now)), Value::Object(was)) => {
                    was.iter().all(|(name, was)| now.get(name) == Some(was))
                }
                (_, now, was) => now.is_some_and(|now| shows_as_much(now, was)),
            };
            now.len() == was.len() && was.iter().all(has)
        }
        (now, was) => now == was,
    }
}

/// What came of a changed request.
#[derive(Default)]
struct Tally {
    counts: BTreeMap<String, usize>,
    followed: BTreeMap<(String, Followed), usize>,
    faults: BTreeMap<String, (usize, String)>,
    /// The calls that no hint mends.
    anew: BTreeMap<String, Vec<String>>,
}

impl Tally {
    fn count(&mut self, what: impl Into<String>) {
        *self.counts.entry(what.into()).or_default() += 1;
    }

    fn fault(&mut self, kind: String, example: impl FnOnce() -> String) {
        self.faults.entry(kind).or_insert_with(|| (0, example())).0 += 1;
    }

    fn correct(&mut self, sample: &Sample, dialect: Dialect, changed: &Value, rejection: Rejection, what: &str) {
        let is_library = is_library(sample);
        self.count(if is_library { "refused a library" } else { "refused a model" });
        let mut request = changed.clone();
        let mut rejection = rejection;
        for round in 1..=ROUNDS {
            let before = request.clone();
            let said = Value::Object(rejection.to_json());
            for problem in said["problems"].as_array().unwrap() {
                let code = problem["code"].as_str().unwrap().to_owned();
                match follow(&mut request, problem, &sample.request) {
                    Some(followed) => *self.followed.entry((code, followed)).or_default() += 1,
                    // What another problem has led to is done already.
                    None => self.count("nothing to do"),
                }
            }
            match Form::read(&request, dialect, &sample.host) {
                Ok(form) => {
                    self.count(format!("mended in round {round}"));
                    self.count(if essence(&form) == essence(&sample.form) {
                        "mended as meant"
                    } else {
                        "mended otherwise"
                    });
                    let lost = missing(sample, &request, &form);
                    if !lost.is_empty() {
                        self.fault(format!("mended with a part missing: {what}"), || {
                            format!("{changed}\n  {said}\n  {request}\n  {lost:?}")
                        });
                    }
                    return;
                }
                Err(next) if request == before => {
                    // No hint says what else to do: the model writes its call anew.
                    let code = next.problems[0].code();
                    let whose = if is_library { "a library" } else { "a model" };
                    self.count(format!("written anew by {whose}"));
                    self.anew
                        .entry(format!("{code} of {whose}"))
                        .or_default()
                        .push(format!("{what}\n  {changed}\n  {request}\n  {:?}", next.to_json()));
                    return;
                }
                Err(next) => rejection = next,
            }
        }
        self.fault(format!("not mended: {what}"), || format!("{changed}\n  {:?}\n  {request}", rejection.to_json()));
    }
}

#[test]
fn no_random_change_is_shown_with_a_part_missing_and_each_rejection_followed_to_the_letter_gives_a_form() {
    let samples = samples();
    let seed = std::env::var("SEED").map_or(SEED, |seed| seed.parse().unwrap());
    let mut random = Random(seed);
    let mut tally = Tally::default();
    let mut tried = 0;
    let mut dialects = BTreeMap::new();
    while tried < MUTATIONS {
        let sample = random.of(&samples).unwrap();
        let mut changed = sample.request.clone();
        let is_protocol = PROTOCOLS.contains(&sample.form.dialect());
        let mut whats = Vec::new();
        let mut keeps = true;
        for _ in 0..=random.below(2) {
            if let Some((what, kept)) = mutate(&mut changed, sample.form.dialect(), &mut random) {
                // The same change of the same place twice is another change than those that are meant here.
                if whats.contains(&what) {
                    changed = sample.request.clone();
                    whats.clear();
                    break;
                }
                whats.push(what);
                keeps &= kept;
            }
        }
        if whats.is_empty() || changed == sample.request {
            continue;
        }
        tried += 1;
        *dialects.entry(sample.form.dialect()).or_insert(0) += 1;
        let is_named = sample.named == Dialect::Detect && random.below(2) == 0;
        let dialect = if is_named { sample.form.dialect().parse().unwrap() } else { sample.named };
        let what = format!("{} as {dialect:?}: {}", sample.form.dialect(), whats.join(", "));
        match Form::read(&changed, dialect, &sample.host) {
            Ok(form) => {
                let lost = missing(sample, &changed, &form);
                let is_same = essence(&form) == essence(&sample.form);
                tally.count(if is_same { "the same" } else { "another form" });
                if !lost.is_empty() {
                    tally.fault(format!("lost: {what}"), || format!("{changed}\n  {lost:?}\n  {:?}", form.warnings()));
                } else if keeps
                    && !shows_as_much(&essence(&form), &essence(&sample.form))
                    && !is_protocol
                    && !is_named_lost(&form)
                    && form.dialect() == sample.form.dialect()
                {
                    tally.fault(format!("essence: {what}"), || {
                        format!(
                            "{changed}\n  was {}\n  now {}\n  {:?}",
                            essence(&sample.form),
                            essence(&form),
                            form.warnings()
                        )
                    });
                }
            }
            Err(rejection) => {
                tally.count("rejected");
                tally.correct(sample, dialect, &changed, rejection, &what);
            }
        }
    }
    let Tally { counts, followed, faults, anew } = &tally;
    let examples = faults.iter().take(20).map(|(kind, (count, example))| format!("{count} × {kind}\n  {example}\n"));
    assert!(faults.is_empty(), "with SEED={seed}:\n{}", examples.collect::<String>());
    // Most calls are mended, nearly all by one answer, and hardly any has to be written anew.
    let of =
        |what: &str| counts.iter().filter(|(kind, _)| kind.starts_with(what)).map(|(_, count)| count).sum::<usize>();
    let rejected = of("rejected");
    assert!(samples.len() > 250 && rejected > 5_000 && of("the same") + of("another form") > 1_500, "{counts:?}");
    assert!(of("mended in round 1") * 100 > rejected * 90 && of("mended as meant") * 100 > rejected * 95, "{counts:?}");
    assert!(of("written anew by a model") * 1_000 < rejected, "{anew:#?}");
    assert!(of("written anew by a library") * 8 < of("refused a library"), "{anew:#?}");
    assert!(dialects.len() == Dialect::ALL.len() && dialects.values().all(|tried| *tried > 10), "{dialects:?}");
    if std::env::var_os("SEED").is_some() {
        println!("{counts:?}\n{followed:?}\n{anew:#?}");
    }
    let guessed: usize = followed.iter().filter(|((_, how), _)| *how == Followed::Guess).map(|(_, count)| count).sum();
    assert!(guessed * 100 < rejected * 6, "{followed:?}");
}

/// The codes of the problems of a request, or of the warnings of its form, each with its place and its hint.
fn findings(request: &Value, dialect: Dialect) -> Vec<(&'static str, String, String)> {
    let read = Form::read(request, dialect, &Host::default());
    let found = read.as_ref().map_or_else(|rejection| &rejection.problems[..], |form| form.warnings());
    found.iter().map(|one| (one.code(), one.path.to_string(), one.hint())).collect()
}

#[test]
fn what_the_random_changes_have_found_is_mended() {
    let action = json!({ "name": "mail", "args": {} });
    let config = |decisions: Value| json!([{ "action_name": "mail", "allowed_decisions": decisions, "argsSchema": { "type": "object" } }]);
    let elicitation = |property: Value| json!({ "message": "?", "requestedSchema": { "type": "object", "properties": { "a": property } } });
    let options = json!([{ "label": "x" }, { "label": "y" }]);
    for (dialect, request, expected) in [
        // What explains a question, around all of them.
        (
            Dialect::Codex,
            json!({ "questions": [{ "id": "a", "question": "?" }], "header": "H" }),
            vec![("unknown_field", "/header", "Check its spelling, or leave it out.")],
        ),
        // What only a question can say is said in one.
        (
            Dialect::Codex,
            json!({ "questions": [{ "id": "a", "question": "?" }], "options": options }),
            vec![("misplaced_field", "/options", "Say it with \"questions\", or remove \"options\".")],
        ),
        // A text has no options to be limited to, or to be described.
        (
            Dialect::Deepagents,
            json!({ "question": "?", "allow_custom": false, "descriptions": ["d"] }),
            vec![
                ("misplaced_field", "/allow_custom", "Say it with \"options\", or remove \"allow_custom\"."),
                ("misplaced_field", "/descriptions", "Say it with \"options\", or remove \"descriptions\"."),
            ],
        ),
        // One question without its text is no list.
        (
            Dialect::AskUser,
            json!({ "answer_type": "boolean" }),
            vec![("missing_field", "/question", "Add \"question\".")],
        ),
        // A condition of several, in another field.
        (
            Dialect::AskUser,
            json!({ "questions": [
                { "id": "a", "text": "?", "answer_type": "boolean" },
                { "id": "b", "text": "?", "answer_type": "text", "condition": { "not": { "question_id": "a", "equals": true } } },
            ] }),
            vec![(
                "invalid_condition",
                "/questions/1/condition",
                "Write \"when\": {\"not\":{\"question_id\":\"a\",\"equals\":true}}.",
            )],
        ),
        // What a protocol has in another notation or at another place.
        (
            Dialect::Claude,
            json!({ "tool_name": "Bash", "input": {}, "decision-reason": "It deletes files." }),
            vec![("renamed_field", "/decision-reason", "Write \"decision_reason\".")],
        ),
        (
            Dialect::AgUi,
            json!({ "outcome": { "interrupts": [{ "id": "i", "MESSAGE": "Go on?" }], "message": "Go on?" } }),
            vec![
                ("unknown_field", "/outcome/message", "Check its spelling, or leave it out."),
                ("renamed_field", "/outcome/interrupts/0/MESSAGE", "Write \"message\"."),
            ],
        ),
        (
            Dialect::Langchain,
            json!({ "action_requests": [action], "review_configs": config(json!(["approve"])) }),
            vec![("renamed_field", "/review_configs/0/argsSchema", "Write \"args_schema\".")],
        ),
        // The schema of a response says what is asked.
        (
            Dialect::AgUi,
            json!({ "interrupts": [{ "id": "i", "tool_call_id": "c", "response_schema": { "type": "boolean" } }], "messages": [{ "tool_calls": [{ "id": "c", "function": { "name": "send", "arguments": "{}" } }] }] }),
            vec![
                ("renamed_field", "/interrupts/0/tool_call_id", "Write \"toolCallId\"."),
                ("renamed_field", "/interrupts/0/response_schema", "Write \"responseSchema\"."),
            ],
        ),
        // The properties of an elicitation elsewhere: without them, its form would ask for nothing.
        (
            Dialect::Mcp,
            json!({ "message": "?", "requestedSchema": { "type": "object" }, "properties": { "a": { "type": "string" } } }),
            vec![("misplaced_field", "/properties", "Say it with \"requestedSchema\", or remove \"properties\".")],
        ),
        (
            Dialect::Mcp,
            json!({ "message": "?", "requestedSchema": { "type": "object", "Properties": { "a": { "type": "string" } } } }),
            vec![(
                "misplaced_field",
                "/requestedSchema/Properties",
                "Say it with \"properties\", or remove \"Properties\".",
            )],
        ),
        (
            Dialect::Mcp,
            json!({ "message": "?", "requestedSchema": { "type": "object", "properties": { "a": { "type": "string" } } }, "default": "x" }),
            vec![("unknown_field", "/default", "Check its spelling, or leave it out.")],
        ),
        (
            Dialect::Mcp,
            elicitation(json!({ "type": "string", "min_length": 3 })),
            vec![("unknown_field", "/requestedSchema/properties/a/min_length", "Did you mean \"minLength\"?")],
        ),
        (
            Dialect::Mcp,
            elicitation(json!({ "type": "string", "enum": ["a", "b"], "enumNames": ["A"] })),
            vec![("unknown_field", "/requestedSchema/properties/a/enumNames", "Check its spelling, or leave it out.")],
        ),
        (
            Dialect::Gemini,
            json!({ "questions": [{ "question": "?", "header": "H", "options": options, "placeholder": "p" }] }),
            vec![("unknown_field", "/questions/0/placeholder", "Check its spelling, or leave it out.")],
        ),
        (
            Dialect::Opencode,
            json!({ "questions": [{ "question": "?", "options": [{ "label": "x", "name": "y" }] }] }),
            vec![("unknown_field", "/questions/0/options/0/name", "Check its spelling, or leave it out.")],
        ),
        // A text that no question has, around the questions and in an option.
        (
            Dialect::Codex,
            json!({ "questions": [{ "id": "a", "question": "?" }], "question": "Why?" }),
            vec![("unknown_field", "/question", "Check its spelling, or leave it out.")],
        ),
        (
            Dialect::AskUserQuestion,
            json!({ "questions": [{ "question": "?", "options": [{ "label": "x", "question": "Why?" }, { "label": "y" }] }], "prompt": "Why?" }),
            vec![
                ("unknown_field", "/prompt", "Check its spelling, or leave it out."),
                ("unknown_field", "/questions/0/options/0/question", "Check its spelling, or leave it out."),
            ],
        ),
        // Of short ids, none is nearly another one.
        (
            Dialect::AskUser,
            json!({ "questions": [
                { "id": "a", "text": "?", "answer_type": "boolean" },
                { "id": "c", "text": "?", "answer_type": "text", "when": { "question_id": "b", "equals": true } },
            ] }),
            vec![(
                "unknown_question",
                "/questions/1/when/question_id",
                "Refer to the id of an earlier question, or remove \"when\".",
            )],
        ),
        (
            Dialect::AgUi,
            json!({ "interrupts": [{ "id": "i", "message": "Go on?" }], "OUTCOME": { "interrupts": [] } }),
            vec![("unknown_field", "/OUTCOME", "Did you mean \"outcome\"?")],
        ),
        (
            Dialect::Langchain,
            json!({ "action_requests": [action], "review_configs": [{ "action_name": "mail", "allowed_decisions": ["approve"] }], "args_schema": { "type": "object" }, "reviewconfigs": [{}], "args": { "to": "Ada" } }),
            vec![
                ("unknown_field", "/args_schema", "Check its spelling, or leave it out."),
                ("unknown_field", "/reviewconfigs", "Did you mean \"review_configs\"?"),
                ("unknown_field", "/args", "Check its spelling, or leave it out."),
            ],
        ),
        (
            Dialect::OpenaiAgents,
            json!({ "type": "tool_approval_item", "rawItem": { "type": "custom_tool_call" }, "name": "sql", "input": "DROP TABLE users" }),
            vec![
                ("unknown_field", "/name", "Check its spelling, or leave it out."),
                ("unknown_field", "/input", "Check its spelling, or leave it out."),
            ],
        ),
        // What says something of a value says nothing of all of them.
        (
            Dialect::Mcp,
            json!({ "message": "?", "requestedSchema": { "type": "object", "minLength": 3 } }),
            vec![("unknown_field", "/requestedSchema/minLength", "Check its spelling, or leave it out.")],
        ),
        // What cannot be read is not left out.
        (
            Dialect::AiSdk,
            json!({ "parts": [
                { "type": "tool-a", "state": "approval-requested", "input": {}, "approval": { "id": "1" } },
                [{ "type": "tool-b", "state": "approval-requested", "input": {}, "approval": { "id": "2" } }],
            ] }),
            vec![("wrong_type", "/parts/1", "Put a part (an object) here.")],
        ),
        (
            Dialect::OpenaiAgents,
            json!({ "type": "tool_approval_item", "rawItem": { "name": "rm", "arguments": "{}", "providerData": ["x"] } }),
            vec![("wrong_type", "/rawItem/providerData", "Put an object here.")],
        ),
        (
            Dialect::Langchain,
            json!({ "action_requests": [action], "review_configs": [{ "action_name": "mail", "allowed_decisions": ["approve", ["reject"]] }] }),
            vec![("wrong_type", "/review_configs/0/allowed_decisions/1", "Put a decision (a string) here.")],
        ),
        (
            Dialect::Langchain,
            json!({ "action_requests": [{ "args": {} }], "review_configs": config(json!(["approve"])) }),
            vec![("missing_field", "/action_requests/0/name", "Add \"name\".")],
        ),
        (
            Dialect::Mcp,
            json!({ "inputRequests": { "a": { "method": ["elicitation/create"], "params": {} } } }),
            vec![("wrong_type", "/inputRequests/a/method", "Put a string here.")],
        ),
        (
            Dialect::Mcp,
            json!({ "message": "?", "url": "https://example.com" }),
            vec![("missing_field", "/mode", "Add \"mode\".")],
        ),
    ] {
        let expected: Vec<_> =
            expected.iter().map(|(code, path, hint)| (*code, (*path).to_owned(), (*hint).to_owned())).collect();
        assert_eq!(findings(&request, dialect), expected, "{request}");
    }
    // The title of an option that is no text is not left out either.
    let titled = elicitation(json!({ "oneOf": [{ "const": "a", "title": { "en": "A" } }] }));
    let found = findings(&titled, Dialect::Mcp);
    assert_eq!((found[0].0, found[0].1.as_str()), ("invalid_schema", "/requestedSchema/properties/a/oneOf/0/title"));
}

#[test]
fn questions_in_another_notation_are_in_the_permission_too() {
    let options = json!([{ "label": "x" }, { "label": "y" }]);
    let questions = json!([{ "question": "Which?", "options": options }]);
    let request = json!({ "tool_name": "AskUserQuestion", "input": { "Questions": questions } });
    let form = Form::read(&request, Dialect::Claude, &Host::default()).unwrap();
    let mut walk = ask_user_core::Walk::new(form);
    walk.act(ask_user_core::Action::Answer(ask_user_core::Given::new(ask_user_core::Content::Json("\"x\"".into()))))
        .unwrap();
    let result = walk.outcome().and_then(|outcome| outcome.result.clone()).unwrap();
    assert_eq!(result["updatedInput"]["questions"], questions);
}
