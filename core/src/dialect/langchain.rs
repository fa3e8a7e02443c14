//! The dialect `langchain`: interrupts of LangChain's human-in-the-loop middleware, which deepagents use as well. Several tool calls with the
//! decisions that each allows, answered in order; or a single one (`tool_approval`). Fields are read in the notation of Python (`action_requests`) or of
//! JavaScript (`actionRequests`), and the result has the same.

use super::{
    approval::{self, Call},
    draft::{Draft, Rules, Tells},
    fields::{Fields, Places, Reader},
    permit::said_of,
};
use crate::{
    answer::{Decided, Taken},
    json::{parse, size},
    outcome::{Ended, Ending, Reply, Write},
    problem::{Pointer, ProblemKind, collected, object},
    question::Decision,
};
use serde_json::{Map, Value};
use std::sync::Arc;

pub(super) const RULES: Rules = Rules {
    name: "langchain",
    tool: |_| "human_in_the_loop",
    recognises,
    tells: Tells { request: &[PYTHON.actions], ..Tells::NONE },
    read,
    unread: |_| Arc::new(Decisions { names: PYTHON, one: false, calls: Vec::new() }),
    own: None,
};

/// The notation of the names.
#[derive(Clone, Copy)]
struct Names {
    actions: &'static str,
    configs: &'static str,
    action: &'static str,
    decisions: &'static str,
    schema: &'static str,
    edited: &'static str,
}

const PYTHON: Names = Names {
    actions: "action_requests",
    configs: "review_configs",
    action: "action_name",
    decisions: "allowed_decisions",
    schema: "args_schema",
    edited: "edited_action",
};
const JAVASCRIPT: Names = Names {
    actions: "actionRequests",
    configs: "reviewConfigs",
    action: "actionName",
    decisions: "allowedDecisions",
    schema: "argsSchema",
    edited: "editedAction",
};
/// The fields of a tool call, and of one that stands alone.
const ACTION: &[&str] = &["name", "args", "description", "response_schema"];
/// The units of work for a decision that is not known.
const WORD: usize = 1_000;
const DECISIONS: &[&str] = &["approve", "edit", "reject", "respond"];

fn recognises(request: &Value) -> bool {
    let is_one = request.get("type").and_then(Value::as_str) == Some("tool_approval");
    is_one || [PYTHON, JAVASCRIPT].iter().any(|names| request.get(names.actions).is_some())
}

fn read(reader: &mut Reader, request: &Map<String, Value>) -> Option<Draft> {
    let mut fields = Fields::root(request);
    if fields.text(reader, "type") == Some("tool_approval") {
        let schema = fields.present("response_schema");
        let decisions = schema.map_or_else(|| vec![Decision::Approve, Decision::Reject], offered);
        if let (Some(schema), []) = (schema, &decisions[..]) {
            reader.unknown_type(
                fields.path.field("response_schema"),
                "response_schema",
                &crate::json::shown(schema),
                DECISIONS,
            );
        }
        let path = fields.path.field("response_schema");
        let arguments = schema.and_then(|schema| edited(schema, &path));
        let arguments = arguments.filter(|_| decisions.contains(&Decision::Edit));
        let calls = ask(reader, &fields, decisions, arguments).into_iter().collect();
        if let Some(unchecked) = reader.schemas.last_mut() {
            unchecked.definitions = Some(path);
        }
        return Some(Draft::new(Decisions { names: PYTHON, one: true, calls }));
    }
    let names = if fields.has_any(&[JAVASCRIPT.actions]) { JAVASCRIPT } else { PYTHON };
    if fields.has_any(&[JAVASCRIPT.actions]) && fields.has_any(&[PYTHON.actions]) {
        let kind = ProblemKind::Misfit {
            field: PYTHON.actions.into(),
            dialect: RULES.name,
            meant: names.actions,
            of: RULES.name,
        };
        reader.problem(fields.path.field(PYTHON.actions), kind);
    }
    let all = [names.configs, names.decisions, names.schema, "name", "args", "description"];
    fields.read_strays(reader, &[names.configs], &all, |_, value| value.is_array());
    let actions = fields.required_list(reader, names.actions);
    let listed = fields.required_list(reader, names.configs);
    let (actions, configs) = (actions?, listed.unwrap_or_default());
    let path = fields.path.field(names.actions);
    let configs_path = fields.place(names.configs);
    // The configurations may be in the other notation.
    let is_named = |name: &&str| configs.iter().any(|config| config.get(*name).is_some_and(Value::is_string));
    let action_name =
        [names.action, PYTHON.action, JAVASCRIPT.action].into_iter().find(is_named).unwrap_or(names.action);
    let by_name = Places::of(configs, action_name);
    let items: Vec<_> = actions.iter().enumerate().collect();
    let mut calls = Vec::new();
    // What each configuration allows, once it was read: many actions may have one.
    let mut read: Vec<Option<Config>> = configs.iter().map(|_| None).collect();
    approval::each(reader, &items, &path, "an action (an object)", &mut |reader, action, place| {
        let Some(name) = action.present("name").and_then(Value::as_str).filter(|_| listed.is_some()) else {
            // Its configuration cannot be found. The rest is read for its problems.
            ask(reader, action, Vec::new(), None);
            return;
        };
        let is_for = |config: &Value| config.get(action_name).and_then(Value::as_str) == Some(name);
        // The middleware writes one for each action, at the same place.
        let at = Some(place).filter(|place| configs.get(*place).is_some_and(is_for)).or_else(|| by_name.first(name));
        let Some((config, at, known)) = at.and_then(|at| Some((configs.get(at)?, at, read.get_mut(at)?))) else {
            // Which decisions it allows is not known.
            reader.problem(configs_path.clone(), ProblemKind::MissingField { field: names.action, near: None });
            return;
        };
        if known.is_none() {
            *known = configured(reader, config, configs_path.item(at), names);
        }
        let Some(Config { decisions, schema, others }) = known else { return };
        let schema = schema.as_ref().filter(|_| decisions.contains(&Decision::Edit));
        if reader.charge(schema.map_or(0, |(schema, _)| size(schema) as usize)).is_some() {
            let before = reader.questions.len();
            calls.extend(ask(reader, action, decisions.clone(), schema.cloned()));
            approval::around_from(reader, before, others);
        }
    });
    approval::around_from(reader, 0, &said_of(&fields, &[], &[names.actions, names.configs], &["type", "id"]));
    Some(Draft::new(Decisions { names, one: false, calls }))
}

/// What a review configuration allows: the decisions, and the schema of edited arguments with its place.
struct Config {
    decisions: Vec<Decision>,
    schema: Option<(Value, Pointer)>,
    /// What it says in fields that are not known.
    others: Map<String, Value>,
}

fn configured(reader: &mut Reader, config: &Value, path: Pointer, names: Names) -> Option<Config> {
    let mut config = reader.object(config, path, "a review configuration (an object)")?;
    let own = [names.action, names.decisions, names.schema];
    let all = [&own[..], &[names.actions, names.configs, "name", "args", "description"]].concat();
    config.read_strays(reader, &own, &all, |_, _| true);
    let decisions = allowed(reader, &config, names);
    let schema = config.present(names.schema).map(|schema| (schema.clone(), config.place(names.schema)));
    let others = said_of(&config, &[], &own, &["type", "id"]);
    Some(Config { decisions, schema, others })
}

/// The decisions of a review configuration, in our order. Those that are not known are left out, if any is.
fn allowed(reader: &mut Reader, config: &Fields<'_>, names: Names) -> Vec<Decision> {
    let path = config.place(names.decisions);
    let list = config.required_list(reader, names.decisions).unwrap_or_default();
    for (at, word) in list.iter().enumerate().filter(|(_, word)| !word.is_string()) {
        reader.wrong_type(path.item(at), "a decision (a string)", word);
    }
    let allows = |decision: &Decision| list.iter().any(|word| word.as_str() == Some(decision.name()));
    let decisions: Vec<Decision> = Decision::ALL.into_iter().filter(allows).collect();
    if decisions.is_empty() && config.present(names.decisions).is_some_and(Value::is_array) {
        let given = list.first().map(crate::json::shown).unwrap_or_default();
        reader.unknown_type(path, "decision", &given, DECISIONS);
    } else if let Some((at, word)) = unknown_no(list, &decisions) {
        reader.unknown_type(path.item(at), "decision", word, DECISIONS);
    } else {
        let words = list.iter().enumerate().filter_map(|(at, word)| Some((at, word.as_str()?)));
        for (at, word) in words.filter(|(_, word)| Decision::named(word).is_none()) {
            if reader.charge(WORD).is_none() {
                break;
            }
            reader.warning(path.item(at), ProblemKind::UnknownField { field: word.to_owned(), near: None });
        }
    }
    decisions
}

/// A word that nobody knows, where no known one says no: it may have been the only way to do that.
fn unknown_no<'a>(list: &'a [Value], decisions: &[Decision]) -> Option<(usize, &'a str)> {
    if decisions.iter().any(|decision| matches!(decision, Decision::Reject | Decision::Respond)) {
        return None;
    }
    let mut words = list.iter().enumerate().filter_map(|(at, word)| Some((at, word.as_str()?)));
    words.find(|(_, word)| Decision::named(word).is_none())
}

/// The decisions that the schema of a response takes: the constant `type` of each of its alternatives.
fn offered(schema: &Value) -> Vec<Decision> {
    let found: Vec<Decision> =
        alternatives(schema, &Pointer::default()).iter().flat_map(|(one, _)| constants(one)).collect();
    Decision::ALL.into_iter().filter(|decision| found.contains(decision)).collect()
}

/// The decisions of one alternative.
fn constants(alternative: &Value) -> Vec<Decision> {
    let Some(kind) = alternative.get("properties").and_then(|properties| properties.get("type")) else {
        return Vec::new();
    };
    let words = kind.get("enum").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    kind.get("const").into_iter().chain(words).filter_map(|word| Decision::named(word.as_str()?)).collect()
}

/// The alternatives of the schema of a response, and the schema itself, each with its place.
fn alternatives<'a>(schema: &'a Value, path: &Pointer) -> Vec<(&'a Value, Pointer)> {
    let listed = ["oneOf", "anyOf"].iter().filter_map(|key| Some((*key, schema.get(*key)?.as_array()?)));
    let listed = listed.flat_map(|(key, list)| {
        let path = path.field(key);
        list.iter().enumerate().map(move |(place, one)| (one, path.item(place)))
    });
    let all = listed.map(|(one, at)| referred(schema, path, one, at));
    all.chain([(schema, path.clone())]).collect()
}

/// What a part of a schema refers to, if it is a definition; else that part.
fn referred<'a>(schema: &'a Value, path: &Pointer, one: &'a Value, at: Pointer) -> (&'a Value, Pointer) {
    let name = one.get("$ref").and_then(Value::as_str).and_then(|name| name.strip_prefix("#/$defs/"));
    let found = name.and_then(|name| Some((schema.get("$defs")?.get(name)?, path.field("$defs").field(name))));
    found.unwrap_or((one, at))
}

/// The schema of edited arguments, with the definitions of the schema of a response, and its place.
fn edited<'a>(schema: &'a Value, path: &Pointer) -> Option<(Value, Pointer)> {
    let member = |(one, at): (&'a Value, Pointer), name: &str| -> Option<(&'a Value, Pointer)> {
        let found = one.get("properties")?.get(name)?;
        Some(referred(schema, path, found, at.field("properties").field(name)))
    };
    let is_edit = |(one, _): &(&Value, Pointer)| constants(one).contains(&Decision::Edit);
    let edit = alternatives(schema, path).into_iter().find(is_edit)?;
    let named = [PYTHON.edited, JAVASCRIPT.edited].into_iter();
    let action = named.filter_map(|name| member(edit.clone(), name)).next()?;
    let (arguments, at) = member(action, "args")?;
    let mut arguments = arguments.as_object()?.clone();
    if let Some(definitions) = schema.get("$defs") {
        arguments.insert("$defs".into(), definitions.clone());
    }
    Some((Value::Object(arguments), at))
}

fn ask(
    reader: &mut Reader,
    action: &Fields<'_>,
    decisions: Vec<Decision>,
    schema: Option<(Value, Pointer)>,
) -> Option<Asked> {
    action.name_strays(reader, ACTION, ACTION);
    let tool = action.shown_text(reader, "name");
    let arguments = action.required(reader, "args").cloned();
    let arguments =
        arguments.filter(|arguments| reader.object(arguments, action.path.field("args"), "an object").is_some());
    let description = action.note(reader, "description");
    let (tool, arguments) = (tool?, arguments?);
    let description = description.and_then(|text| without_call(&text, tool, &arguments));
    let asked = Asked { tool: tool.to_owned(), decisions: decisions.clone() };
    let (others, grants) = (said_of(action, &[], ACTION, &["type", "id", "tool_call_id"]), Vec::new());
    Call { tool, arguments, description, others, decisions, schema, grants, reasons: true }.ask(reader);
    Some(asked)
}

/// A description without the call that the middleware writes at its end by default: the arguments stand beside it. `None` if nothing is left.
fn without_call(description: &str, tool: &str, arguments: &Value) -> Option<String> {
    let mark = format!("\n\nTool: {tool}\nArgs: ");
    let mut marks = description.match_indices('\n').filter_map(|(at, _)| {
        let (before, rest) = description.split_at_checked(at)?;
        Some((before, rest.strip_prefix(&*mark)?))
    });
    let is_call = |rest: &str| {
        // JavaScript writes JSON, Python a dictionary.
        parse(rest).map_or_else(|_| rest == python(arguments), |read| crate::json::equal(&read, arguments))
    };
    let text = marks.next().filter(|(_, rest)| is_call(rest)).map_or(description, |(before, _)| before);
    (!text.trim().is_empty()).then(|| text.to_owned())
}

/// A value as Python writes it. What it may write otherwise, such as a character that cannot be printed, is as in JSON: the description is then shown whole.
fn python(value: &Value) -> String {
    let joined = |parts: Vec<String>| parts.join(", ");
    match value {
        Value::Null => "None".to_owned(),
        Value::Bool(true) => "True".to_owned(),
        Value::Bool(false) => "False".to_owned(),
        Value::Number(number) => number.to_string(),
        Value::String(text) => {
            let quote = if text.contains('\'') && !text.contains('"') { '"' } else { '\'' };
            let mut written = String::with_capacity(text.len().saturating_add(2));
            written.push(quote);
            for letter in text.chars() {
                match letter {
                    '\n' => written.push_str("\\n"),
                    '\r' => written.push_str("\\r"),
                    '\t' => written.push_str("\\t"),
                    '\\' => written.push_str("\\\\"),
                    letter if letter == quote => written.extend(['\\', quote]),
                    letter => written.push(letter),
                }
            }
            written.push(quote);
            written
        }
        Value::Array(list) => ["[", &joined(list.iter().map(python).collect()), "]"].concat(),
        Value::Object(map) => {
            let member =
                |(name, value): (&String, &Value)| [&python(&name.as_str().into()), ": ", &python(value)].concat();
            ["{", &joined(map.iter().map(member).collect()), "}"].concat()
        }
    }
}

/// A call that was asked about.
struct Asked {
    tool: String,
    decisions: Vec<Decision>,
}

/// Writes the decisions.
struct Decisions {
    names: Names,
    calls: Vec<Asked>,
    /// Whether the request was about a single call, and the result is its decision alone.
    one: bool,
}

impl Decisions {
    fn decision(&self, call: &Asked, taken: Option<&Taken>, ending: &Ending) -> Option<Value> {
        let with = |kind: Decision, message: Option<String>| {
            let message = message.map(Value::from);
            Some(Value::Object(collected(&mut [("type", Some(kind.name().into())), ("message", message)])))
        };
        let decided = taken.and_then(|taken| taken.answer.decided()).filter(|_| *ending == Ending::Completed);
        match decided {
            Some(Decided::Approved) => with(Decision::Approve, None),
            Some(Decided::Edited(arguments)) => {
                let action = object([("name", call.tool.as_str().into()), ("args", arguments.clone())]);
                Some(Value::Object(object([
                    ("type", Decision::Edit.name().into()),
                    (self.names.edited, Value::Object(action)),
                ])))
            }
            Some(Decided::Responded(message)) => with(Decision::Respond, Some(message.to_owned())),
            Some(Decided::Rejected(_)) => with(Decision::Reject, taken.and_then(approval::reason)),
            None if call.decisions.contains(&Decision::Reject) => with(Decision::Reject, approval::undecided(ending)),
            None if call.decisions.contains(&Decision::Respond) => {
                let message = approval::undecided(ending).unwrap_or_else(|| "The user did not answer.".into());
                with(Decision::Respond, Some(message))
            }
            // Nothing that the middleware would take says that nobody decided.
            None => None,
        }
    }
}

impl Write for Decisions {
    fn reply(&self) -> Reply {
        let says = |call: &Asked| [Decision::Reject, Decision::Respond].iter().any(|no| call.decisions.contains(no));
        if self.calls.iter().all(says) { Reply::WithWords } else { Reply::No }
    }

    /// Where the form was cancelled, no call runs, whatever was decided before. `None` where a call can only be approved or edited.
    fn write(&self, ended: &Ended<'_>) -> Option<Value> {
        let calls = self.calls.iter().enumerate();
        let decisions = calls.map(|(place, call)| self.decision(call, ended.answer(place), ended.ending));
        let decisions: Vec<Value> = decisions.collect::<Option<_>>()?;
        if decisions.is_empty() {
            return None;
        }
        if self.one {
            return decisions.into_iter().next();
        }
        Some(Value::Object(object([("decisions", Value::Array(decisions))])))
    }
}
