//! An agent of your own on `ask-user-host`, which asks before it deletes. `cargo run --package agent-host -- --port 3000`

use ask_user_core::{Consultation, Dialect, Outcome, Source, Target, Verdict, conversation::ToolCall};
use ask_user_host::{Agent, Asking, Entry, Execution, Failed, Reply, Served, Soon, with_explanation};
use serde_json::{Value, json};

struct Cleaner;

impl Agent for Cleaner {
    fn name(&self) -> &'static str {
        "Cleaner"
    }
    fn model(&self) -> Served {
        Served { provider: "example", model: "none".into() }
    }
    fn assistant(&self) -> Option<Served> {
        None
    }
    fn tool(&self, name: &str) -> Option<&'static str> {
        (name == "delete_logs").then_some("delete_logs")
    }
    /// A model would be requested here: the transcript is all that it needs.
    fn respond(&self, transcript: Vec<Entry>) -> Soon<Result<Reply, Failed>> {
        let calls = transcript.iter().filter(|entry| matches!(entry, Entry::Model(reply) if !reply.calls.is_empty()));
        let id = format!("call_{}", calls.count().saturating_add(1));
        let reply = match transcript.last() {
            Some(Entry::Result { content, .. }) => {
                Reply { text: format!("It said {content}."), calls: vec![], note: None }
            }
            _ => Reply {
                text: String::new(),
                calls: vec![ToolCall { id, name: "delete_logs".into(), input: json!({}) }],
                note: None,
            },
        };
        Box::pin(async { Ok(reply) })
    }
    fn advise(&self, _: Consultation) -> Soon<Option<Verdict>> {
        Box::pin(async { None })
    }
    fn execute(&self, _: &ToolCall) -> Soon<Execution> {
        let request = json!({ "questions": [{ "id": "delete", "text": "Delete the logs of last week?", "answer_type": "boolean" }] });
        let (dialect, source, target) = (Dialect::AskUser, Source::Tool { name: "delete_logs".into() }, Target::User);
        Box::pin(async move { Execution::Asks(Asking { request, dialect, source, target, blocking: true }) })
    }
    fn answered(&self, _: &ToolCall, outcome: &Outcome) -> Value {
        let deletes = outcome.result.as_ref().is_some_and(|result| result["delete"] == true);
        if deletes { json!({ "deleted": 7 }) } else { with_explanation(outcome) }
    }
}

fn main() -> std::process::ExitCode {
    ask_user_host::run(Cleaner)
}
