//! One vector: a request, what a person does, and what comes of it. `tests/js/case.mjs` does the same for the builds in
//! JavaScript.

use ask_user_core::{
    Action, Content, Dialect, Form, Given, Host, Outcome, Reader, Refusal, Rejection, Step, Taken, UnknownDialect,
    Verdict, Walk, problem::Problem, schema::Validator,
};
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;

const CASE_KEYS: &[&str] = &[
    "name",
    "dialect",
    "tool_call_id",
    "host",
    "request",
    "text",
    "rejected",
    "warnings",
    "steps",
    "ends",
    "error",
    "secrets",
    "explains",
    "result",
    "records",
];
const STEP_KEYS: &[&str] = &[
    "sees",
    "answer",
    "note",
    "remember",
    "other",
    "editor",
    "back",
    "submit",
    "end_turn",
    "reply",
    "change",
    "save_and_resume",
    "assistant",
    "refused",
    "details",
];

/// Plays a case; the error says what is not as it should be.
///
/// # Errors
/// Where anything differs from what the case says, or the case has a key that nobody knows.
pub fn play(case: &Value) -> Result<(), String> {
    play_in(case, usize::MAX)
}

/// Plays a case whose request comes in pieces of so many bytes, as late as it can: each step is done as soon as its question is there. `usize::MAX`: the
/// whole request is there from the start.
///
/// # Errors
/// As for [`play`].
pub fn play_in(case: &Value, piece: usize) -> Result<(), String> {
    let fields = case.as_object().ok_or("the case is not an object")?;
    known(fields, CASE_KEYS)?;
    let (host, dialect) = (host_of(fields)?, dialect_of(fields));
    let read = dialect.clone().map_or_else(|rejection| Ok(Err(rejection)), |dialect| read(fields, dialect, &host))?;
    let form = match (read, fields.get("rejected")) {
        (Ok(_), Some(_)) => return Err("was read, but must be rejected".into()),
        (Err(rejection), None) => return Err(format!("was rejected: {:?}", places(&rejection.problems))),
        (Err(rejection), Some(expected)) => {
            let expected = expected.as_array().ok_or("\"rejected\" is not a list")?;
            same_places(&rejection.problems, expected)?;
            return match dialect {
                Ok(dialect) if piece != usize::MAX => {
                    let mut played = Played::of_pieces(&text_of(fields)?, dialect, &host, piece);
                    played.finish().map_or_else(
                        |found| if found == rejection { Ok(()) } else { Err(format!("rejected by {found:?}")) },
                        |()| Err("was read in pieces, but must be rejected".into()),
                    )
                }
                _ => Ok(()),
            };
        }
        (Ok(form), None) => form,
    };
    let none = Vec::new();
    same_places(form.warnings(), fields.get("warnings").and_then(Value::as_array).unwrap_or(&none))?;
    let mut played = match dialect {
        Ok(dialect) if piece != usize::MAX => Played::of_pieces(&text_of(fields)?, dialect, &host, piece),
        _ => Played { walk: Walk::new(form.clone()), rest: None },
    };
    for (index, step) in fields.get("steps").and_then(Value::as_array).unwrap_or(&none).iter().enumerate() {
        do_step(&mut played, &form, step).map_err(|why| format!("step {}: {why}", index + 1))?;
    }
    played.finish().map_err(|rejection| format!("was rejected at its end: {:?}", places(&rejection.problems)))?;
    if let (Some(accepted), true) = (played.walk.accepted(), piece != usize::MAX) {
        // Compiled schemas are only compared by their source.
        (accepted == form).then_some(()).ok_or("the form that came in pieces is another one")?;
    }
    let walk = &played.walk;
    check_ending(fields, walk)?;
    match fields.get("records") {
        Some(expected) => same("records", &records(walk), expected),
        None => Ok(()),
    }
}

/// Reads the request of a case in two pieces, cut at each byte: they give the form or the rejection that the whole text gives, and its questions begin
/// with those that were there before. Returns at how many places there were some.
///
/// # Errors
/// Where anything differs.
pub fn cut(case: &Value) -> Result<usize, String> {
    let fields = case.as_object().ok_or("the case is not an object")?;
    let (host, text) = (host_of(fields)?, text_of(fields)?);
    let Ok(dialect) = dialect_of(fields) else { return Ok(0) };
    let at_once = Form::read(&text, dialect, &host);
    let mut grown = 0;
    for at in 0..=text.len() {
        let mut reader = Reader::new(dialect, &host);
        let mut shown = Vec::new();
        for piece in [&text.as_bytes()[..at], &text.as_bytes()[at..]] {
            reader.write(piece);
            reader.check(&Validator::default());
            let questions = reader.form().questions().to_vec();
            if !questions.starts_with(&shown) {
                return Err(format!("a question has changed, cut at {at}"));
            }
            grown += usize::from(at < text.len() && shown.is_empty() && !questions.is_empty());
            shown = questions;
        }
        let read = reader.end().and_then(|reading| reading.finish(&Validator::default()));
        let goes_on = read.as_ref().is_ok_and(|form| form.questions().starts_with(&shown));
        if read != at_once || read.is_ok() && !goes_on {
            return Err(format!("another form, cut at {at}"));
        }
    }
    Ok(grown)
}

/// A walk, and what is still to come of its request.
struct Played {
    walk: Walk,
    rest: Option<(Reader, Vec<u8>, usize)>,
}

impl Played {
    fn of_pieces(text: &str, dialect: Dialect, host: &Host, piece: usize) -> Self {
        let reader = Reader::new(dialect, host);
        let walk = Walk::stream(reader.form());
        Self { walk, rest: Some((reader, text.as_bytes().to_vec(), piece)) }
    }

    /// Lets more of the request come until there is something to do.
    fn wait(&mut self) -> Result<(), Rejection> {
        while let (Step::Waiting { .. }, Some((reader, bytes, piece))) = (self.walk.step(), &mut self.rest) {
            let rest = bytes.split_off(bytes.len().min(*piece));
            let next = std::mem::replace(bytes, rest);
            if next.is_empty() {
                self.finish()?;
                break;
            }
            reader.feed(&mut self.walk, next, &Validator::default());
        }
        Ok(())
    }

    /// Lets the rest of the request come.
    fn finish(&mut self) -> Result<(), Rejection> {
        let Some((mut reader, bytes, _)) = self.rest.take() else { return Ok(()) };
        reader.write(bytes);
        let is_anew = reader.finish(&mut self.walk, &Validator::default())?;
        assert!(!is_anew, "the end of no vector contradicts its beginning");
        Ok(())
    }
}

fn host_of(fields: &Map<String, Value>) -> Result<Host, String> {
    let mut host = Host::from_json(fields.get("host").unwrap_or(&json!({}))).map_err(|error| error.to_string())?;
    if let Some(id) = fields.get("tool_call_id").and_then(Value::as_str) {
        host.tool_call_id = id.to_owned();
    }
    Ok(host)
}

fn dialect_of(fields: &Map<String, Value>) -> Result<Dialect, Rejection> {
    let named = fields.get("dialect").and_then(Value::as_str).map_or(Ok(Dialect::Detect), str::parse);
    named.map_err(|unknown: UnknownDialect| Rejection::from(unknown))
}

/// The request as it arrives.
fn text_of(fields: &Map<String, Value>) -> Result<String, String> {
    let text = fields.get("text").and_then(Value::as_str).map(str::to_owned);
    text.or_else(|| Some(fields.get("request")?.to_string())).ok_or("the case has no request".into())
}

fn read(fields: &Map<String, Value>, dialect: Dialect, host: &Host) -> Result<Result<Form, Rejection>, String> {
    match (fields.get("request"), fields.get("text").and_then(Value::as_str)) {
        (Some(request), None) => Ok(Form::read(request, dialect, host)),
        (None, Some(text)) => Ok(Form::read(text, dialect, host)),
        _ => Err("the case needs either \"request\" or \"text\"".into()),
    }
}

fn do_step(played: &mut Played, form: &Form, step: &Value) -> Result<(), String> {
    let step = step.as_object().ok_or("is not an object")?;
    known(step, STEP_KEYS)?;
    if step.contains_key("save_and_resume") {
        played.finish().map_err(|rejection| format!("was rejected: {:?}", places(&rejection.problems)))?;
    }
    played.wait().map_err(|rejection| format!("was rejected: {:?}", places(&rejection.problems)))?;
    let walk = &mut played.walk;
    if let Some(sees) = step.get("sees") {
        check_sees(walk, sees.as_object().ok_or("\"sees\" is not an object")?)?;
    }
    let before = walk.clone();
    let mut refusal = None;
    for action in actions(step, walk) {
        if let Err(refused) = walk.act(action) {
            refusal = Some(refused);
        }
    }
    if step.contains_key("save_and_resume") {
        let saved = serde_json::from_str(&walk.save().to_string()).map_err(|error| error.to_string())?;
        *walk = Walk::resume(form.clone(), &saved).map_err(|error| error.to_string())?;
    }
    check_refusal(step, refusal.as_ref())?;
    if refusal.is_some() && *walk != before {
        return Err("a refused action changed the walk".into());
    }
    Ok(())
}

/// The actions of a step.
pub fn actions(step: &Map<String, Value>, walk: &Walk) -> Vec<Action> {
    let mut actions = Vec::new();
    let text = |key: &str| step.get(key).and_then(Value::as_str).map(str::to_owned);
    if let Some(value) = step.get("answer") {
        let is = |key: &str| step.get(key) == Some(&Value::Bool(true));
        let content = match (is("other"), value) {
            (false, value) => Content::Value(value.clone()),
            (true, Value::Array(list)) => {
                let (last, beside) = list.split_last().unwrap_or((&Value::Null, &[]));
                Content::Other { text: last.as_str().unwrap_or_default().into(), beside: beside.to_vec() }
            }
            (true, value) => Content::Other { text: value.as_str().unwrap_or_default().into(), beside: Vec::new() },
        };
        actions.push(Action::Answer(Given { content, note: text("note"), remember: is("remember") }));
    }
    actions.extend(text("editor").map(Action::typed));
    actions.extend(step.contains_key("back").then_some(Action::Back));
    actions.extend(step.contains_key("submit").then_some(Action::Submit));
    actions.extend(step.contains_key("end_turn").then_some(Action::EndTurn));
    actions.extend(step.contains_key("reply").then(|| Action::Reply(text("reply"))));
    actions.extend(text("change").map(Action::Change));
    actions.extend(step.get("assistant").map(|verdict| match verdict_of(verdict, walk) {
        Some(verdict) => Action::Assistant(verdict),
        None => Action::NoAssistant,
    }));
    actions
}

/// The verdict on the record that the assistant is asked for; on no record where none is asked.
fn verdict_of(verdict: &Value, walk: &Walk) -> Option<Verdict> {
    Verdict::read(verdict, walk.consultation().map(|consultation| consultation.record).unwrap_or_default())
}

fn check_sees(walk: &Walk, sees: &Map<String, Value>) -> Result<(), String> {
    let step = serde_json::to_value(walk.step()).map_err(|error| error.to_string())?;
    let question = step.get("question").cloned().unwrap_or_default();
    for (key, expected) in sees {
        // How many there are is not known before the end.
        if key == "progress" && !walk.is_whole() {
            same(key, &step["progress"][0], expected.get(0).unwrap_or(&json!(1)))?;
            continue;
        }
        let found = match key.as_str() {
            "question" => question.get("id").cloned(),
            "type" | "text" | "header" | "context" | "optional" | "other" => question.get(key).cloned(),
            "options" => question
                .get("options")
                .and_then(Value::as_array)
                .map(|options| options.iter().map(|option| option.get("value").cloned().unwrap_or_default()).collect()),
            "progress" | "draft" | "asks" | "advice" => step.get(key).cloned(),
            "back" => Some(step.get(key).cloned().unwrap_or(Value::Bool(false))),
            "review" => step.get("state").map(|state| Value::Bool(state == "review")),
            _ => return Err(format!("nobody knows the key {key:?} of \"sees\"")),
        };
        same(key, &found.unwrap_or_default(), expected)?;
    }
    Ok(())
}

fn check_refusal(step: &Map<String, Value>, refusal: Option<&Refusal>) -> Result<(), String> {
    let expected = step.get("refused").and_then(Value::as_str);
    let found = refusal.map(Refusal::code);
    if expected != found {
        let said = refusal.map(ToString::to_string).unwrap_or_default();
        return Err(format!("refused with {found:?} where {expected:?} is expected. {said}"));
    }
    let Some(details) = step.get("details").and_then(Value::as_array) else { return Ok(()) };
    let Some(Refusal::SchemaMismatch { details: found }) = refusal else { return Err("there are no details".into()) };
    let found: Vec<_> = found
        .iter()
        .map(|violation| json!({ "instance_path": violation.instance_path, "keyword": violation.keyword }).to_string())
        .collect();
    same_set("details", found, details)
}

fn check_ending(fields: &Map<String, Value>, walk: &Walk) -> Result<(), String> {
    let outcome = walk.outcome();
    let expected = fields.get("ends").and_then(Value::as_str);
    let json =
        outcome.as_ref().map(|outcome: &Outcome| serde_json::to_value(outcome).unwrap_or_default()).unwrap_or_default();
    let found = json.get("ends").and_then(Value::as_str);
    if expected != found {
        return Err(format!("ends as {found:?} where {expected:?} is expected"));
    }
    for key in ["error", "secrets"] {
        same(key, json.get(key).unwrap_or(&Value::Null), fields.get(key).unwrap_or(&Value::Null))?;
    }
    let explanation = json.get("explanation").and_then(Value::as_str).unwrap_or_default();
    for word in fields.get("explains").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str) {
        if !explanation.contains(word) {
            return Err(format!("the explanation lacks {word:?}: {explanation:?}"));
        }
    }
    let failed = expected == Some("failed");
    match (json.get("result"), fields.get("result")) {
        (Some(found), Some(expected)) => same("result", found, expected),
        (Some(_), None) if failed => Ok(()),
        (Some(found), None) => Err(format!("has the result {found} where there must be none")),
        (None, Some(_)) => Err("has no result".into()),
        (None, None) => Ok(()),
    }?;
    if outcome.is_some() { never_leaks(walk) } else { Ok(()) }
}

fn records(walk: &Walk) -> Value {
    walk.records().map(|record| serde_json::to_value(record).unwrap_or_default()).collect()
}

/// No case may show a secret in its records or in its saved walk.
fn never_leaks(walk: &Walk) -> Result<(), String> {
    let events = serde_json::to_string(walk.events()).map_err(|error| error.to_string())?;
    let seen = format!("{}{}{events}{walk:?}", records(walk), walk.save());
    let leaks = |taken: &Taken| match taken.answer.secret() {
        // A secret of a letter or two stands in many words: it leaks where it stands as a value.
        Some(secret) if secret.len() < 4 => seen.contains(&json!(secret).to_string()),
        Some(secret) => seen.contains(secret),
        None => false,
    };
    match walk.answered().filter_map(|(_, taken)| taken).any(leaks) {
        true => Err("a secret is in the records, in the saved walk or in a debug print".into()),
        false => Ok(()),
    }
}

fn known(fields: &Map<String, Value>, keys: &[&str]) -> Result<(), String> {
    match fields.keys().find(|key| !keys.contains(&key.as_str())) {
        Some(key) => Err(format!("nobody knows the key {key:?}")),
        None => Ok(()),
    }
}

fn places(problems: &[Problem]) -> Vec<String> {
    problems
        .iter()
        .map(|problem| json!({ "code": problem.code(), "path": problem.path.as_str() }).to_string())
        .collect()
}

fn same_places(problems: &[Problem], expected: &[Value]) -> Result<(), String> {
    same_set("problems", places(problems), expected)
}

fn same_set(what: &str, found: Vec<String>, expected: &[Value]) -> Result<(), String> {
    let expected: Vec<_> = expected.iter().map(Value::to_string).collect();
    let sets: (BTreeSet<_>, BTreeSet<_>) = (found.iter().collect(), expected.iter().collect());
    if found.len() == expected.len() && sets.0 == sets.1 {
        return Ok(());
    }
    Err(format!("{what} are {found:?} where {expected:?} are expected"))
}

fn same(what: &str, found: &Value, expected: &Value) -> Result<(), String> {
    if exactly(found, expected) { Ok(()) } else { Err(format!("{what} is {found} where {expected} is expected")) }
}

/// Equality with key order; numbers by value.
fn exactly(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Array(a), Value::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| exactly(a, b)),
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|((k, a), (l, b))| k == l && exactly(a, b))
        }
        _ => ask_user_core::json::equal(a, b),
    }
}
