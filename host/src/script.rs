//! An agent that needs no key and no network: it plays a migration, with decisions for the person, a confirmation that an
//! assistant advises against, and a secret. What it says next follows from the transcript alone, so that it survives a restart.

use crate::{
    agent::{Agent, Entry, Execution, Failed, NAME, Reply, Served, Soon},
    tools,
};
use ask_user_core::{Consultation, Outcome, Verdict, conversation::ToolCall};
use serde_json::{Value, json};
use std::time::Duration;

/// The model that advises.
const REVIEWER: &str = "small-reviewer";

/// The agent; `pace` is how long its model and its tools take.
pub struct Script {
    /// How long.
    pub pace: Duration,
}

impl Agent for Script {
    fn name(&self) -> &'static str {
        NAME
    }

    fn model(&self) -> Served {
        Served { provider: "script", model: "script".into() }
    }

    fn assistant(&self) -> Option<Served> {
        Some(Served { provider: "script", model: REVIEWER.into() })
    }

    fn tool(&self, name: &str) -> Option<&'static str> {
        tools::named(name)
    }

    fn respond(&self, transcript: Vec<Entry>) -> Soon<Result<Reply, Failed>> {
        let pace = self.pace;
        Box::pin(async move {
            tokio::time::sleep(pace).await;
            Ok(next(&transcript))
        })
    }

    fn advise(&self, consultation: Consultation) -> Soon<Option<Verdict>> {
        let pace = self.pace;
        Box::pin(async move {
            tokio::time::sleep(pace).await;
            let production = consultation.prompt.contains("production");
            let reason = if production {
                "The backfill runs in one piece and would hold its lock for about four minutes."
            } else {
                "Staging can be restored from last night's copy."
            };
            let model = Some(REVIEWER.into());
            Some(Verdict {
                record: consultation.record,
                reason: Some(reason.into()),
                answer: (!production).into(),
                model,
            })
        })
    }

    fn execute(&self, call: &ToolCall) -> Soon<Execution> {
        let (pace, execution) = (self.pace, tools::execution(call));
        Box::pin(async move {
            tokio::time::sleep(pace).await;
            execution
        })
    }

    fn answered(&self, call: &ToolCall, outcome: &Outcome) -> Value {
        tools::answered(call, outcome)
    }
}

/// What the model says after this transcript.
fn next(transcript: &[Entry]) -> Reply {
    let begins = transcript.iter().rposition(|entry| matches!(entry, Entry::User(_))).unwrap_or(0);
    let turn = transcript.get(begins..).unwrap_or_default();
    let so_far = transcript.iter().map(|entry| match entry {
        Entry::Model(reply) => reply.calls.len(),
        Entry::User(_) | Entry::Result { .. } | Entry::Answer { .. } => 0,
    });
    let first = so_far.sum::<usize>() + 1;
    let say = |text: &str, calls: &[(&str, Value)]| Reply {
        text: text.into(),
        note: None,
        calls: calls
            .iter()
            .zip(first..)
            .map(|((name, input), number)| ToolCall {
                id: format!("call_{number}"),
                name: (*name).into(),
                input: input.clone(),
            })
            .collect(),
    };
    let Some((name, result)) = last_result(turn) else {
        return say("I read the migration first.", &[("read_migration", json!({})), ("list_backups", json!({}))]);
    };
    match name {
        "list_backups" => say(
            "It adds a column to users and fills it in for 1.2 million rows. There is a backup of last night. You decide:",
            &[("ask_user", questions(&Value::Null))],
        ),
        "ask_user" => after_questions(turn, result, say),
        "run_migration" if result["ran"] == true => {
            say("The migration has run. I post it for the others.", &[("announce", json!({}))])
        }
        "run_migration" => say("The migration has not run; the database is as it was.", &[]),
        "announce" if result["posted"] == true => say("Done: migrated, and posted in #deploys.", &[]),
        "announce" => say("Done: migrated. I have posted nothing.", &[]),
        _ => say("I stop here.", &[]),
    }
}

fn after_questions(turn: &[Entry], result: &Value, say: impl Fn(&str, &[(&str, Value)]) -> Reply) -> Reply {
    let asked = turn.iter().filter(|entry| calls(entry, "ask_user")).count();
    if result["cancelled"] == true || result.get("error").is_some() || result.is_string() {
        let words = result["reply"].as_str().unwrap_or("nothing");
        if asked > 1 {
            return say("I leave it for now. Tell me when to go on.", &[]);
        }
        let text = format!("You said: {words}. I ask again, with what you had answered:");
        return say(&text, &[("ask_user", questions(&result["answered"]))]);
    }
    if result["apply"] != true {
        return say("I leave the database as it is.", &[]);
    }
    say("I ask for the go-ahead, and run it.", &[("run_migration", json!({ "environment": result["environment"] }))])
}

/// The questions of the agent, with what was answered before as defaults.
fn questions(answered: &Value) -> Value {
    let mut questions = json!([
        { "id": "apply", "text": "Apply the migration to the users table?", "context": "The table stays readable while it runs.",
          "answer_type": "boolean" },
        { "id": "environment", "text": "Which environment?", "answer_type": "select",
          "options": [{ "value": "staging", "description": "A copy of last night's data" },
                      { "value": "production", "description": "Takes about four minutes" }],
          "when": { "question_id": "apply", "equals": true } },
        { "id": "note", "text": "What should the log say?", "answer_type": "text",
          "when": { "question_id": "apply", "equals": true } },
        { "id": "reason", "text": "What should change before you would apply it?", "answer_type": "text",
          "when": { "question_id": "apply", "equals": false } }
    ]);
    for question in questions.as_array_mut().into_iter().flatten() {
        let id = question["id"].as_str().unwrap_or_default().to_owned();
        if let Some(answer) = answered.get(&id).filter(|answer| !answer.is_null()) {
            question["default"] = answer.clone();
        }
    }
    json!({ "questions": questions })
}

/// The last result of a turn, with the name of its tool.
fn last_result(turn: &[Entry]) -> Option<(&str, &Value)> {
    let (call_id, content) = turn.iter().rev().find_map(|entry| match entry {
        Entry::Result { call_id, content } => Some((call_id, content)),
        Entry::User(_) | Entry::Model(_) | Entry::Answer { .. } => None,
    })?;
    let name = turn.iter().rev().find_map(|entry| match entry {
        Entry::Model(reply) => reply.calls.iter().find(|call| call.id == *call_id).map(|call| call.name.as_str()),
        Entry::User(_) | Entry::Result { .. } | Entry::Answer { .. } => None,
    })?;
    Some((name, content))
}

fn calls(entry: &Entry, name: &str) -> bool {
    matches!(entry, Entry::Model(reply) if reply.calls.iter().any(|call| call.name == name))
}
