//! The matrix of dialects in docs/dialects.md, made by reading and answering: each cell is what the code does. The test fails if
//! the page differs. `WRITE=1 cargo test --package ask-user-tests matrix` writes it.

use ask_user_core::{Action, AnswerType, Approval, Decision, Dialect, Form, Host, Question, Scope, Walk};
use ask_user_tests::requests;
use serde_json::{Value, json};
use std::{collections::BTreeSet, fmt::Write, path::Path, sync::Mutex};

const PAGE: &str = "../docs/dialects.md";
const BEGIN: &str = "<!-- the matrix of dialects: made by a test -->\n";
const END: &str = "<!-- the end of the matrix -->\n";
/// What a person says; a result that holds it passes it on.
pub(crate) const WORDS: &str = "After lunch, please";

/// A column of the matrix: all forms that the vectors have of a dialect, and one of a plain call to approve.
struct Column {
    dialect: Dialect,
    forms: Vec<Form>,
}

impl Column {
    fn any(&self, holds: impl Fn(&Form) -> bool) -> String {
        mark(self.forms.iter().any(holds))
    }

    fn any_question(&self, holds: impl Fn(&Question) -> bool) -> String {
        self.any(|form| form.questions().iter().any(|question| holds(question)))
    }

    /// Whether a walk that ends this way at the first step gives the agent a result that holds `part`.
    fn tells(&self, action: &Action, part: &str) -> String {
        self.any(|form| {
            let mut walk = Walk::new(form.clone());
            walk.act(action.clone()).is_ok()
                && walk
                    .outcome()
                    .and_then(|outcome| outcome.result)
                    .is_some_and(|result| result.to_string().contains(part))
        })
    }

    /// How many there may be: the fewest and the most that are read, among those tried.
    fn range(&self, request: impl Fn(usize) -> Value) -> String {
        let read = |count: &usize| Form::read(&request(*count), self.dialect, &Host::default()).is_ok();
        let counts: Vec<usize> = (0..=20).filter(read).collect();
        match (counts.first(), counts.last()) {
            (Some(first), Some(20)) => format!("{first} or more"),
            (Some(first), Some(last)) if first == last => first.to_string(),
            (Some(first), Some(last)) => format!("{first} to {last}"),
            _ => mark(false),
        }
    }

    fn any_call(&self, holds: impl Fn(&Approval) -> bool) -> String {
        self.any_question(|question| question.answer_type.approval().is_some_and(&holds))
    }

    fn reaches(&self, decision: Decision, scope: Scope) -> String {
        self.any_call(|call| call.grants.iter().any(|way| (way.decision, way.scope) == (decision, scope)))
    }

    fn decides(&self, decision: Decision) -> String {
        self.any_call(|call| call.allows(decision))
    }

    /// How many characters of a header are shown.
    fn header(&self) -> String {
        let mut request = asking(self.dialect, 1, 2);
        let place = request.pointer_mut("/questions/0").map_or("/header", |_| "/questions/0/header");
        let (parent, key) = place.rsplit_once('/').unwrap();
        request.pointer_mut(parent).unwrap()[key] = "x".repeat(500).into();
        let form = Form::read(&request, self.dialect, &Host::default());
        match form.ok().and_then(|form| Some(form.questions()[0].header.as_ref()?.chars().count())) {
            None => mark(false),
            Some(500) => mark(true),
            Some(count) => format!("{count} characters"),
        }
    }
}

/// An answer type that is no choice, in a word.
fn word(answer_type: &AnswerType) -> Option<&'static str> {
    match answer_type {
        AnswerType::Select(_) | AnswerType::MultiSelect { .. } => None,
        AnswerType::Boolean => Some("yes or no"),
        AnswerType::Text(_) => Some("text"),
        AnswerType::Number(_) => Some("number"),
        AnswerType::Secret => Some("secret"),
        AnswerType::Url(_) => Some("URL"),
        AnswerType::Schema { .. } => Some("JSON"),
        AnswerType::Approval(_) => Some("approval"),
    }
}

fn mark(there: bool) -> String {
    if there { "✓" } else { "–" }.to_owned()
}

/// A plain request of a dialect: so many questions with so many options each.
fn asking(dialect: Dialect, questions: usize, options: usize) -> Value {
    let texts: Vec<String> = (0..options).map(|option| format!("option {option}")).collect();
    let labelled: Vec<Value> = texts.iter().map(|text| json!({ "label": text })).collect();
    let list =
        |question: &dyn Fn(usize) -> Value| json!({ "questions": (0..questions).map(question).collect::<Vec<_>>() });
    match dialect {
        Dialect::AskUser => {
            list(&|place| json!({ "id": format!("id{place}"), "text": "?", "answer_type": "select", "options": texts }))
        }
        Dialect::Mcp => {
            let property = json!({ "type": "string", "enum": texts });
            let properties = (0..questions).map(|place| (format!("name{place}"), property.clone()));
            json!({ "message": "?", "requestedSchema": { "type": "object", "properties": properties.collect::<serde_json::Map<_, _>>() } })
        }
        Dialect::Deepagents if questions == 1 => json!({ "type": "user_question", "question": "?", "options": texts }),
        Dialect::Deepagents => {
            let choices: Vec<Value> = texts.iter().map(|text| json!({ "value": text })).collect();
            let mut request = list(&|_| json!({ "question": "?", "type": "multiple_choice", "choices": choices }));
            request["type"] = "ask_user".into();
            request
        }
        Dialect::AgUi => {
            let schema = json!({ "enum": texts });
            let interrupt =
                |place| json!({ "id": format!("id{place}"), "reason": "x", "message": "?", "responseSchema": schema });
            json!({ "interrupts": (0..questions).map(interrupt).collect::<Vec<_>>() })
        }
        Dialect::Vscode => {
            list(&|place| json!({ "question": "?", "header": format!("h{place}"), "options": labelled }))
        }
        Dialect::Copilot => json!({ "question": "?", "choices": texts }),
        Dialect::Zed => json!({ "question": "?", "options": texts, "allow_free_text": true }),
        Dialect::Mastra => json!({ "question": "?", "options": labelled }),
        Dialect::Roo => {
            json!({ "question": "?", "follow_up": texts.iter().map(|text| json!({ "text": text })).collect::<Vec<_>>() })
        }
        Dialect::Cline => json!({ "question": "?", "options": texts }),
        Dialect::Openclaw => {
            let mut request =
                list(&|place| json!({ "questionId": format!("id{place}"), "question": "?", "options": labelled }));
            request["id"] = "id".into();
            request
        }
        Dialect::Codex => list(&|place| json!({ "id": format!("id{place}"), "question": "?", "options": labelled })),
        _ => list(&|place| json!({ "question": format!("{place}?"), "header": "h", "options": labelled })),
    }
}

/// A plain request of a dialect to approve so many calls, in as many ways as it has. Null where it has no such request.
pub(crate) fn calling(dialect: Dialect, calls: usize) -> Value {
    let list = |call: &dyn Fn(usize) -> Value| (0..calls).map(call).collect::<Vec<_>>();
    let arguments = json!({ "file": "old.txt" });
    match dialect {
        Dialect::Langchain => json!({
            "action_requests": list(&|_| json!({ "name": "write", "args": arguments })),
            "review_configs": [
                { "action_name": "write", "allowed_decisions": ["approve", "edit", "reject", "respond"] },
            ],
        }),
        Dialect::AiSdk => json!({ "parts": list(&|place| json!({
            "type": "tool-write",
            "state": "approval-requested",
            "input": arguments,
            "approval": { "id": format!("id{place}") },
        })) }),
        Dialect::OpenaiAgents => json!({ "interruptions": list(&|place| json!({
            "type": "tool_approval_item",
            "rawItem": { "name": "write", "callId": format!("id{place}"), "arguments": arguments.to_string() },
        })) }),
        Dialect::AgUi => {
            let edited = json!({ "type": "object", "properties": { "file": { "type": "string" } } });
            let properties = json!({
                "approved": { "type": "boolean" }, "editedArgs": edited, "reason": { "type": "string" },
            });
            let schema = json!({ "type": "object", "properties": properties, "required": ["approved"] });
            let call = json!({ "id": "call", "function": { "name": "write", "arguments": arguments.to_string() } });
            let interrupts = list(&|place| {
                json!({
                    "id": format!("id{place}"), "reason": "tool_call", "toolCallId": "call", "responseSchema": schema,
                })
            });
            json!({ "interrupts": interrupts, "messages": [{ "toolCalls": [call] }] })
        }
        Dialect::Claude if calls == 1 => json!({ "tool_name": "Write", "input": arguments, "suggestions": [
            { "type": "addRules", "rules": [{ "toolName": "Write" }], "behavior": "allow", "destination": "projectSettings" },
        ] }),
        dialect => super::agents::call(dialect, calls),
    }
}

fn columns() -> Vec<Column> {
    let mut columns: Vec<Column> = Dialect::ALL.map(|dialect| Column { dialect, forms: Vec::new() }).into();
    let named = requests().unwrap().into_iter().filter_map(|(dialect, request)| {
        Some((dialect.as_deref().map_or(Ok(Dialect::Detect), str::parse).ok()?, request))
    });
    let calls = Dialect::ALL.map(|dialect| (dialect, calling(dialect, 1)));
    let small = Dialect::ALL.map(|dialect| (dialect, super::agents::small(dialect)));
    for (dialect, request) in named.chain(calls).chain(small) {
        let Ok(form) = Form::read(&request, dialect, &Host::default()) else { continue };
        columns.iter_mut().find(|column| column.dialect.name() == form.dialect()).unwrap().forms.push(form);
    }
    columns
}

/// A row: a feature, and what a dialect has of it.
type Row = (&'static str, fn(&Column) -> String);

const ROWS: &[Row] = &[
    ("questions per request", |column| {
        column.range(|count| match asking(column.dialect, count, 2) {
            // One that is a single question.
            request if request.get("question").is_some() && count != 1 => Value::Null,
            request => request,
        })
    }),
    ("options per choice", |column| column.range(|count| asking(column.dialect, 1, count))),
    ("question ids", |column| {
        column.any_question(|question| {
            let given = question.id.trim_start_matches('q').parse::<usize>().is_ok();
            !given && !["answer", "url"].contains(&question.id.as_str())
        })
    }),
    ("headers", Column::header),
    ("option descriptions", |column| {
        column.any_question(|question| {
            let choices = question.answer_type.choices();
            choices.is_some_and(|choices| choices.as_slice().iter().any(|choice| choice.description.is_some()))
        })
    }),
    ("previews", |column| {
        column.any_question(|question| question.answer_type.choices().is_some_and(|choices| choices.have_previews()))
    }),
    ("\"Other\" with free text", |column| {
        column.any_question(|question| question.answer_type.choices().is_some_and(|choices| choices.other()))
    }),
    ("a note with an answer", |column| column.any_question(|question| question.notes)),
    ("answer types besides choices", |column| {
        let asked =
            column.forms.iter().flat_map(|form| form.questions()).filter_map(|question| word(&question.answer_type));
        let asked: BTreeSet<&str> = asked.collect();
        if asked.is_empty() { mark(false) } else { asked.into_iter().collect::<Vec<_>>().join(", ") }
    }),
    ("conditional questions", |column| column.any_question(|question| question.when.is_some())),
    ("optional questions", |column| column.any_question(|question| question.optional)),
    ("review before sending", |column| column.any(|form| form.review())),
    ("agent is told of Reply (decline)", |column| column.tells(&Action::Reply(None), "")),
    ("agent gets the text of a Reply", |column| column.tells(&Action::Reply(Some(WORDS.into())), WORDS)),
    ("agent is told of End turn (cancel)", |column| column.tells(&Action::EndTurn, "")),
];

/// The rows about tool calls.
const CALLS: &[Row] = &[
    ("calls per request", |column| column.range(|count| calling(column.dialect, count))),
    ("approve", |column| column.decides(Decision::Approve)),
    ("approve for the session", |column| column.reaches(Decision::Approve, Scope::Session)),
    ("approve from now on", |column| column.reaches(Decision::Approve, Scope::Always)),
    ("reject from now on", |column| column.reaches(Decision::Reject, Scope::Always)),
    ("edit the arguments", |column| column.decides(Decision::Edit)),
    ("check edits by the tool's schema", |column| column.any_call(|call| call.schema.is_some())),
    ("reject", |column| column.decides(Decision::Reject)),
    ("answer instead of the tool", |column| column.decides(Decision::Respond)),
    ("agent gets the text of a rejection", |column| {
        let rejected = json!({ "type": "reject", "message": WORDS });
        column.any(|form| {
            let mut walk = Walk::new(form.clone());
            while walk.act(Action::answer(rejected.clone())).is_ok() {}
            walk.outcome().and_then(|outcome| outcome.result).is_some_and(|result| result.to_string().contains(WORDS))
        })
    }),
    ("agent gets the text of a Reply", |column| column.tells(&Action::Reply(Some(WORDS.into())), WORDS)),
    ("agent is told of End turn", |column| column.tells(&Action::EndTurn, "")),
];

fn is_call(question: &Question) -> bool {
    question.answer_type.approval().is_some()
}

/// Two tables: the dialects that ask questions, and those that ask whether a tool may run.
fn matrix() -> String {
    let with = |is_asked: fn(&Question) -> bool| {
        let mut columns = columns();
        for column in &mut columns {
            column.forms.retain(|form| {
                form.questions().iter().any(|question| is_asked(question)) || form.questions().is_empty()
            });
        }
        columns.retain(|column| column.any_question(is_asked) == mark(true));
        columns
    };
    let questions = table(&with(|question| !is_call(question)), ROWS);
    format!("{questions}\nTool calls to approve:\n\n{}", table(&with(is_call), CALLS))
}

fn table(columns: &[Column], rows: &[Row]) -> String {
    let mut table = String::from("| |");
    for column in columns {
        write!(table, " {} |", column.dialect.name()).unwrap();
    }
    table.push_str("\n| --- |");
    table.push_str(&" --- |".repeat(columns.len()));
    for (feature, cell) in rows {
        write!(table, "\n| {feature} |").unwrap();
        for column in columns {
            write!(table, " {} |", cell(column)).unwrap();
        }
    }
    table.push('\n');
    table
}

/// Compares what is made with what the page has between two comments, or writes it there.
pub(crate) fn keep_on_page(begin: &str, end: &str, made: &str) {
    // Two tests write the page.
    static WRITING: Mutex<()> = Mutex::new(());
    let _writing = WRITING.lock();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(PAGE);
    let page = std::fs::read_to_string(&path).unwrap();
    let (before, rest) = page.split_once(begin).expect("docs/dialects.md has the place");
    let (written, after) = rest.split_once(end).expect("docs/dialects.md has the end of the place");
    if std::env::var_os("WRITE").is_some() {
        std::fs::write(&path, format!("{before}{begin}{made}{end}{after}")).unwrap();
    } else {
        assert!(
            written == made,
            "docs/dialects.md is out of date; see the first lines of this file. It should say:\n{made}"
        );
    }
}

#[test]
fn the_matrix_of_dialects_is_that_of_the_code() {
    keep_on_page(BEGIN, END, &matrix());
}
