//! Finds the dialect of a request by its shape, where the host names none. A request that is nearly one of another dialect is rejected: its
//! agent would not understand the result. This module does not read a request.

use super::{
    Dialect,
    draft::{Rules, Tells},
    near::is_near,
};
use crate::{
    budget::Budget,
    json,
    problem::{Findings, Pointer, Problem, ProblemKind, Rejection},
};
use serde_json::{Map, Value};

/// Which of the fields that tell of a dialect ([`Tells`]).
type Which = fn(&Tells) -> &'static [&'static str];

/// The units of work for comparing one field with the telling ones.
const FIELD: u64 = 100;

/// The rules of the dialect whose shape a request has.
///
/// # Errors
/// A [`Rejection`] with `unknown_dialect` if no dialect has this shape, and for each field that belongs to another dialect or nearly does.
pub(super) fn detect(request: &Value, budget: &mut Budget) -> Result<&'static Rules, Rejection> {
    let may_be_rare = has_unusual_fields(request);
    let among = Dialect::every().filter(|dialect| may_be_rare || !dialect.is_rare());
    let rules = among.filter_map(Dialect::rules).find(|rules| rules.recognises(request));
    let mut misfits = Misfits { rules, found: Findings::default(), budget };
    if let Some(fields) = request.as_object() {
        misfits.look(fields);
    }
    if !misfits.found.is_empty() {
        return Err(misfits.found.into_rejection(None));
    }
    rules.ok_or_else(|| {
        if let Some(text) = request.get("questions").and_then(Value::as_str)
            && text.trim_start().starts_with('[')
        {
            let kind = ProblemKind::WrongType { expected: "a list", found: ProblemKind::WRITTEN };
            return Rejection::of(None, Problem::new(Pointer::root().field("questions"), kind));
        }
        let kind = ProblemKind::UnknownDialect { named: None, known: Dialect::every().map(Dialect::name).collect() };
        Rejection::of(None, Problem::new(Pointer::root(), kind))
    })
}

/// The fields under which a call, a message or a response of a model has the arguments of a call.
const AROUND: &[&str] = &[
    "arguments",
    "args",
    "input",
    "parameters",
    "params",
    "rawInput",
    "request",
    "data",
    "function",
    "functionCall",
    "function_call",
    "toolCall",
    "tool_call",
    "tool_calls",
    "toolCalls",
    "content",
    "parts",
    "message",
    "output",
    "choices",
    "candidates",
];

/// Says where the request is within what was sent, or that this is its list of questions.
#[cold]
#[inline(never)]
pub(super) fn wrapped(request: &Value, budget: &mut Budget) -> Option<ProblemKind> {
    /// So many values are looked at, and so deep.
    const MOST: (usize, usize) = (64, 8);
    if let Some(list) = request.as_array() {
        budget.charge(json::size(request)).ok()?;
        let questions = Map::from_iter([("questions".to_owned(), Value::Array(list.clone()))]);
        if is_request(&Value::Object(questions)) {
            return Some(ProblemKind::Wrapped { path: None, several: false });
        }
    }
    let (mut left, deepest) = MOST;
    // Of a list of requests, each would be one.
    let is_one = request.as_array().is_none_or(|list| list.len() == 1);
    if !is_one {
        return None;
    }
    let mut found = Vec::new();
    requests_in(request, &Pointer::root(), deepest, &mut left, budget, &mut found);
    let several = found.len() > 1;
    found.into_iter().next().map(|path| ProblemKind::Wrapped { path: Some(path), several })
}

/// Whether any dialect has this shape.
fn is_request(value: &Value) -> bool {
    value.is_object() && Dialect::every().filter_map(Dialect::rules).any(|rules| rules.recognises(value))
}

/// Finds where the first two requests within a value are. A text that is JSON is looked into, too. `None` once both are found, or enough was looked at.
fn requests_in(
    around: &Value,
    path: &Pointer,
    depth: usize,
    left: &mut usize,
    budget: &mut Budget,
    found: &mut Vec<Pointer>,
) -> Option<()> {
    let Some(depth) = depth.checked_sub(1) else { return Some(()) };
    let mut look = |value: &Value, path: Pointer| {
        *left = left.checked_sub(1)?;
        let written = value.as_str().filter(|text| text.trim_start().starts_with('{'));
        let written = written.filter(|text| budget.charge(text.len() as u64).is_ok());
        let written = written.and_then(|text| json::parse(text).ok());
        let value = written.as_ref().unwrap_or(value);
        if is_request(value) {
            found.push(path);
            (found.len() < 2).then_some(())
        } else {
            requests_in(value, &path, depth, left, budget, found)
        }
    };
    match around {
        Value::Object(fields) => {
            let inner = AROUND.iter().filter_map(|name| Some((*name, fields.get(*name)?)));
            inner.filter(|(_, inner)| !inner.is_null()).try_for_each(|(name, inner)| look(inner, path.field(name)))
        }
        Value::Array(items) => items.iter().enumerate().try_for_each(|(place, item)| look(item, path.item(place))),
        _ => Some(()),
    }
}

/// What a request may need to be one of questions.
const OF_QUESTIONS: &[&str] = &["questions", "question", "type", "options", "choices", "follow_up", "header"];

/// A second request in the same object: the field that makes it one of another dialect, and that dialect. What this one needs and what the other one needs have nothing in common.
pub(super) fn second_in(rules: &Rules, request: &Value, budget: &mut Budget) -> Option<(String, &'static str)> {
    /// A request has so many fields at most. What has more is data.
    const MOST: usize = 64;
    request.as_object().filter(|fields| (2..=MOST).contains(&fields.len()))?;
    let may_be_rare = has_unusual_fields(request);
    let among = Dialect::ALL.into_iter().filter(|dialect| may_be_rare || !dialect.is_rare());
    let others = among.filter_map(Dialect::rules).filter(|other| other.name != rules.name && other.recognises(request));
    let others: Vec<&Rules> = others.collect();
    if others.is_empty() { None } else { apart_from(rules, request, &others, budget) }
}

/// What [`second_in`] finds where other dialects recognise the request, too.
#[cold]
#[inline(never)]
fn apart_from(
    rules: &Rules,
    request: &Value,
    others: &[&Rules],
    budget: &mut Budget,
) -> Option<(String, &'static str)> {
    let fields = request.as_object()?;
    budget.charge(json::size(request)).ok()?;
    let is_own = rules.recognises(request);
    let mut request = request.clone();
    let names: Vec<&String> = fields.keys().collect();
    let mut needed = |rules: &Rules| -> Vec<&String> {
        let mut is_needed = |name: &&&String| {
            let Some((key, value)) = request.as_object_mut().and_then(|fields| fields.shift_remove_entry(**name))
            else {
                return false;
            };
            let is_needed = !rules.recognises(&request);
            if let Some(fields) = request.as_object_mut() {
                fields.insert(key, value);
            }
            is_needed
        };
        names.iter().filter(|name| is_needed(name)).copied().collect()
    };
    let own = if is_own { needed(rules) } else { Vec::new() };
    others.iter().find_map(|other| {
        let theirs = needed(other);
        // Of two dialects of questions, one may have its questions where the other one has them.
        let are_questions = own.iter().chain(&theirs).all(|name| OF_QUESTIONS.contains(&name.as_str()));
        let is_apart = !own.is_empty() && !are_questions && !theirs.iter().any(|name| own.contains(name));
        theirs.first().filter(|_| is_apart).map(|name| ((*name).clone(), other.name))
    })
}

/// The fields of most requests: of a question, and of a protocol around a form.
const OF_MOST: [&[&str]; 2] = [
    &[
        "questions",
        "question",
        "options",
        "header",
        "answer_type",
        "context",
        "default",
        "schema",
        "descriptions",
        "multi_select",
        "allow_custom",
        "action",
        "details",
    ],
    &["message", "mode", "requestedSchema", "url", "jsonrpc", "id", "method", "params"],
];

/// Whether a request has a field that few requests have, or is a list, so that it may be one of a rare dialect ([`Dialect::is_rare`]). The first
/// download lacks what recognises those.
fn has_unusual_fields(request: &Value) -> bool {
    let is_usual = |name: &String| OF_MOST.iter().any(|names| names.contains(&name.as_str()));
    request.as_object().is_none_or(|fields| !fields.keys().all(is_usual))
}

/// Whether a request has fields of more than one kind, without which there is no second one in it ([`second_in`]).
pub(super) fn is_mixed(request: &Value) -> bool {
    let has = |names: &&[&str]| {
        request.as_object().is_some_and(|fields| fields.keys().any(|name| names.contains(&name.as_str())))
    };
    has_unusual_fields(request) || OF_MOST.iter().all(has)
}

/// Collects the fields that fit another dialect better than the one whose shape the request has.
struct Misfits<'b> {
    rules: Option<&'static Rules>,
    found: Findings,
    budget: &'b mut Budget,
}

impl Misfits<'_> {
    fn look(&mut self, fields: &Map<String, Value>) {
        let has = |name: &str| fields.get(name).is_some_and(|value| !value.is_null());
        let root = Pointer::root();
        match self.rules.map(|rules| rules.name) {
            None => self.compare(fields, &root, |tells| tells.request),
            // These have said what they are, and in `ask_user` other fields are warnings.
            Some("mcp") => {}
            Some(_) if self.rules.is_some_and(|rules| rules.own.is_some()) => {}
            Some(_)
                if self.rules.is_some_and(|rules| rules.tells.single.is_empty() && rules.tells.listed.is_empty()) => {}
            Some(_) if has("type") || has("action") || has("descriptions") => {}
            Some(_) if has("multi_select") || has("allow_custom") || has("answer_type") => {}
            Some(_) if !has("questions") => self.compare(fields, &root, |tells| tells.single),
            Some("ask_user") => {}
            Some(_) => {
                let path = root.field("questions");
                let questions = fields.get("questions").and_then(Value::as_array);
                for (place, question) in questions.into_iter().flatten().enumerate() {
                    if let Some(fields) = question.as_object() {
                        self.compare(fields, &path.item(place), |tells| tells.listed);
                    }
                }
            }
        }
    }

    /// Compares fields with those by which dialects differ.
    fn compare(&mut self, fields: &Map<String, Value>, path: &Pointer, which: Which) {
        let all = || Dialect::every().filter_map(Dialect::rules);
        for (name, value) in fields {
            // Past the budget, reading says so.
            if value.is_null() || name.starts_with(['_', '$']) || self.budget.charge(FIELD).is_err() {
                continue;
            }
            let found = |is_it: &dyn Fn(&str) -> bool| {
                all().find_map(|rules| Some((rules.name, which(&rules.tells).iter().copied().find(|one| is_it(one))?)))
            };
            // What most dialects have is no misspelling.
            let is_usual = OF_MOST.iter().any(|names| names.contains(&name.as_str()));
            let near = || if is_usual { None } else { found(&|one| is_near(name, one)) };
            let Some((of, meant)) = found(&|one| one == name).or_else(near) else {
                continue;
            };
            // A request of no dialect with the right fields has something else wrong.
            let is_own = self.rules.map_or(meant == name, |rules| which(&rules.tells).contains(&meant));
            if !is_own {
                let dialect = self.rules.map_or("any dialect", |rules| rules.name);
                let kind = ProblemKind::Misfit { field: name.clone(), dialect, meant, of };
                self.found.push(Problem::new(path.field(name), kind));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::*;

    #[test]
    fn a_field_in_a_list_tells_of_each_dialect_that_declares_it() {
        let declared: [(&str, &[&str]); 9] = [
            ("ask_user", ask_user::LIST_FIELDS),
            ("ask_user_question", ask_user_question::FIELDS),
            ("codex", codex::FIELDS),
            ("deepagents", deepagents::LISTED),
            ("gemini", gemini::FIELDS),
            ("opencode", opencode::FIELDS),
            ("openclaw", openclaw::FIELDS),
            ("vscode", agents::VSCODE_FIELDS),
            ("kimi", agents::KIMI_FIELDS),
        ];
        let tells = |name: &str| Dialect::every().filter_map(Dialect::rules).find(|rules| rules.name == name);
        let all: Vec<&str> = declared.iter().flat_map(|(name, _)| tells(name).unwrap().tells.listed).copied().collect();
        for (name, fields) in declared {
            let told: Vec<&str> = fields.iter().copied().filter(|field| all.contains(field)).collect();
            let mut listed = tells(name).unwrap().tells.listed.to_vec();
            listed.sort_by_key(|field| fields.iter().position(|one| one == field));
            assert_eq!(told, listed, "{name}");
        }
    }
}
