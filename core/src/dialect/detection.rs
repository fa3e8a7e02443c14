//! Finds the dialect of a request by its shape, where the host names none. A request that is nearly one of another dialect is rejected: its
//! agent would not understand the result. This module does not read a request.

use super::{Dialect, draft::Rules, near::is_near};
use crate::{
    budget::Budget,
    problem::{Findings, Pointer, Problem, ProblemKind, Rejection},
};
use serde_json::{Map, Value};

/// A field by which dialects differ, and the dialects that have it.
type Telling = (&'static str, &'static [&'static str]);

/// The telling fields of a question in a list.
const OF_A_QUESTION: &[Telling] = &[
    ("answer_type", &["ask_user"]),
    ("choices", &["deepagents"]),
    ("isOther", &["codex"]),
    ("isSecret", &["codex"]),
    ("type", &["gemini", "deepagents"]),
    ("multiple", &["opencode"]),
    ("custom", &["opencode"]),
    ("multiSelect", &["ask_user_question", "gemini"]),
];
/// The telling fields of a single question.
const OF_ONE: &[Telling] = &[
    ("answer_type", &["ask_user"]),
    ("schema", &["ask_user"]),
    ("context", &["ask_user"]),
    ("options", &["deepagents"]),
    ("header", &["deepagents"]),
    ("multi_select", &["deepagents"]),
    ("allow_custom", &["deepagents"]),
    ("requestedSchema", &["mcp"]),
    ("inputRequests", &["mcp"]),
];
/// The fields without which no request is recognised.
const OF_ANY: &[Telling] = &[
    ("questions", &["ask_user"]),
    ("question", &["ask_user"]),
    ("requestedSchema", &["mcp"]),
    ("inputRequests", &["mcp"]),
    ("action_requests", &["langchain"]),
    ("interruptions", &["openai_agents"]),
    ("interrupts", &["ag_ui"]),
    ("tool_name", &["claude"]),
];
/// The units of work for comparing one field with the telling ones.
const FIELD: u64 = 100;

/// The rules of the dialect whose shape a request has.
///
/// # Errors
/// A [`Rejection`] with `unknown_dialect` if no dialect has this shape, and for each field that belongs to another dialect or nearly does.
pub(super) fn detect(request: &Value, budget: &mut Budget) -> Result<&'static Rules, Rejection> {
    let rules = Dialect::ALL.into_iter().filter_map(Dialect::rules).find(|rules| (rules.recognises)(request));
    let mut misfits = Misfits { dialect: rules.map(|rules| rules.name), found: Findings::default(), budget };
    if let Some(fields) = request.as_object() {
        misfits.look(fields);
    }
    if !misfits.found.is_empty() {
        return Err(misfits.found.into_rejection(None));
    }
    rules.ok_or_else(|| {
        let kind = ProblemKind::UnknownDialect { named: None, known: Dialect::ALL.map(Dialect::name).to_vec() };
        Rejection::of(None, Problem::new(Pointer::root(), kind))
    })
}

/// Collects the fields that fit another dialect better than the one whose shape the request has.
struct Misfits<'b> {
    dialect: Option<&'static str>,
    found: Findings,
    budget: &'b mut Budget,
}

impl Misfits<'_> {
    fn look(&mut self, fields: &Map<String, Value>) {
        let has = |name: &str| fields.get(name).is_some_and(|value| !value.is_null());
        let root = Pointer::root();
        match self.dialect {
            None => self.compare(fields, &root, OF_ANY),
            // These have said what they are, and in `ask_user` other fields are warnings.
            Some("mcp" | "langchain" | "ai_sdk" | "openai_agents" | "ag_ui" | "claude") => {}
            Some(_) if has("type") || has("action") || has("descriptions") => {}
            Some(_) if has("multi_select") || has("allow_custom") || has("answer_type") => {}
            Some(dialect) if !has("questions") => {
                // What `ask_user` has itself is no misfit there, but what it would have with an answer type is.
                let telling = if dialect == "ask_user" { OF_ONE.get(3..) } else { Some(OF_ONE) };
                self.compare(fields, &root, telling.unwrap_or_default());
            }
            Some("ask_user") => {}
            Some(_) => {
                let path = root.field("questions");
                let questions = fields.get("questions").and_then(Value::as_array);
                for (place, question) in questions.into_iter().flatten().enumerate() {
                    if let Some(fields) = question.as_object() {
                        self.compare(fields, &path.item(place), OF_A_QUESTION);
                    }
                }
            }
        }
    }

    /// Compares fields with those by which dialects differ.
    fn compare(&mut self, fields: &Map<String, Value>, path: &Pointer, telling: &[Telling]) {
        for (name, value) in fields {
            // Past the budget, reading says so.
            if value.is_null() || name.starts_with(['_', '$']) || self.budget.charge(FIELD).is_err() {
                continue;
            }
            let exact = telling.iter().find(|(meant, _)| meant == name);
            let Some((meant, dialects)) = exact.or_else(|| telling.iter().find(|(meant, _)| is_near(name, meant)))
            else {
                continue;
            };
            let dialect = self.dialect.unwrap_or("any dialect");
            // A request of no dialect with the right fields has something else wrong.
            if let (Some(of), false) =
                (dialects.first(), dialects.contains(&dialect) || exact.is_some() && self.dialect.is_none())
            {
                let kind = ProblemKind::Misfit { field: name.clone(), dialect, meant, of };
                self.found.push(Problem::new(path.field(name), kind));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{super::*, *};

    #[test]
    fn a_field_tells_of_the_dialects_that_declare_it_and_of_no_other() {
        let declared: [(&str, &[&str]); 6] = [
            ("ask_user", ask_user::LIST_FIELDS),
            ("ask_user_question", ask_user_question::FIELDS),
            ("codex", codex::FIELDS),
            ("deepagents", deepagents::LISTED),
            ("gemini", gemini::FIELDS),
            ("opencode", opencode::FIELDS),
        ];
        for (field, dialects) in OF_A_QUESTION {
            let mut told = dialects.to_vec();
            told.sort_unstable();
            let have: Vec<&str> =
                declared.iter().filter(|(_, all)| all.contains(field)).map(|(name, _)| *name).collect();
            assert_eq!(told, have, "{field}");
        }
    }
}
