//! What has to hold for any text from outside, one function for each kind. A panic is a fault, and so is a text that takes seconds or gigabytes.

use ask_user_core::{
    Action, Content, Dialect, Form, Given, Host, Source, Step, Verdict, Walk,
    conversation::{Conversation, Effect, Event, State},
    json::{ToJson, parse},
    record,
};
use serde_json::{Map, Value, json};
use std::{collections::BTreeMap, sync::LazyLock};

/// A request in any dialect: the first character chooses it.
pub fn request(text: &str) {
    let dialect = usize::from(text.as_bytes().first().copied().unwrap_or_default()) % (Dialect::ALL.len() + 1);
    let dialect = Dialect::ALL.get(dialect).copied().unwrap_or(Dialect::Detect);
    let text = text.get(1..).unwrap_or_default();
    match Form::read(text, dialect, &Host::default()) {
        Err(rejection) => {
            assert!(!rejection.problems.is_empty());
            for problem in &rejection.problems {
                assert!(!problem.to_string().is_empty() && !problem.hint().is_empty());
                // What is told of a fault does not grow with the fault.
                assert!(problem.to_json().to_string().len() < 20_000);
            }
        }
        Ok(form) => {
            let walk = Walk::new(form.clone());
            resumes(&walk, &form);
            drop((walk.step().to_json(), walk.result_text(), walk.idempotency_key()));
        }
    }
}

/// Commands on a walk, one in each line: a letter, then what belongs to it.
pub fn commands(text: &str) {
    let form = FORM.clone();
    let mut walk = Walk::new(form.clone());
    for line in text.lines().take(64) {
        let (letter, rest) = line.split_at_checked(1).unwrap_or((line, ""));
        let Some(action) = given(letter, rest, &walk) else { continue };
        let before = walk.clone();
        if walk.act(action).is_err() {
            assert_eq!(walk, before, "a refused action changed something");
        }
        resumes(&walk, &form);
    }
}

/// The action of a command.
pub fn given(letter: &str, rest: &str, walk: &Walk) -> Option<Action> {
    let value = || parse(rest).unwrap_or_else(|_| rest.into());
    Some(match letter {
        "a" => Action::answer(value()),
        "t" => Action::Answer(Given::new(Content::Typed(rest.into()))),
        "o" => Action::Answer(Given::new(Content::Other { text: rest.into(), beside: Vec::new() })),
        "b" => Action::Back,
        "c" => Action::Change(rest.into()),
        "r" => Action::Reply(Some(rest.into())),
        "e" => Action::EndTurn,
        "s" => Action::Submit,
        "n" => Action::NoAssistant,
        "v" => Verdict::read(&value(), walk.consultation().map(|asked| asked.record).unwrap_or_default())
            .map_or(Action::NoAssistant, Action::Assistant),
        _ => return None,
    })
}

/// A saved walk, read with the form of [`FORM`].
pub fn saved(text: &str) {
    let Ok(value) = parse(text) else { return };
    if let Ok(walk) = Walk::resume(FORM.clone(), &value) {
        resumes(&walk, &FORM);
    }
}

/// What a client says that it has done, held against the host's own walk.
pub fn response(text: &str) {
    let Ok(value) = parse(text) else { return };
    let own = Walk::new(FORM.clone());
    if let Ok(walk) = own.continued(&value) {
        let again = own.continued(&walk.response()).expect("what was believed is believed again");
        assert_eq!(again.outcome(), walk.outcome());
        assert_eq!(again.idempotency_key(), walk.idempotency_key());
    }
}

/// Stored records, as a JSON array.
pub fn records(text: &str) {
    if let Ok(Value::Array(lines)) = parse(text) {
        let stream = record::Stream::read(&lines, |line| line["type"] == "turn_start");
        drop(record::to_markdown(&stream.turns.concat()));
    }
    let Ok(records) = record::read(text) else { return };
    let lines: Value = records.iter().map(|record| record.to_json()).collect();
    let again = record::read(&lines.to_string()).expect("what was written is read");
    assert_eq!(again, records);
    drop(record::to_markdown(&records));
    let mended = record::mend(records);
    assert_eq!(record::mend(mended.clone()), mended, "what is whole stays as it is");
}

/// A schema in the first line, a value in the rest: the value is taken, or refused with words, and nothing is changed then.
pub fn schema(text: &str) {
    let (schema, value) = text.split_once('\n').unwrap_or((text, "null"));
    let Ok(schema) = parse(schema) else { return };
    let request = json!({ "question": "Which?", "answer_type": "schema", "schema": schema });
    let Ok(form) = Form::read(&request, Dialect::AskUser, &Host::default()) else { return };
    let mut walk = Walk::new(form);
    drop(walk.template());
    let before = walk.clone();
    if let Err(refusal) = walk.act(Action::Answer(Given::new(Content::Typed(value.into())))) {
        assert_eq!(walk, before);
        assert!(!refusal.to_string().is_empty());
    }
}

/// Events of a conversation, one in each line, as JSON: each call gets one result, before the model is asked again.
pub fn conversation(text: &str) {
    let mut conversation = Conversation::new(true);
    let mut open: BTreeMap<String, usize> = BTreeMap::new();
    for line in text.lines().take(64) {
        let Ok(event) = serde_json::from_str::<Event>(line) else { continue };
        let calls = match &event {
            Event::ModelResponded { calls } => calls.clone(),
            _ => Vec::new(),
        };
        let before = conversation.clone();
        let Ok(effects) = conversation.on(event) else {
            assert_eq!(conversation, before, "a refused event changed something");
            continue;
        };
        open.extend(calls.into_iter().map(|call| (call.id, 0)));
        for effect in effects {
            match effect {
                Effect::PersistResults(results) => {
                    for result in results {
                        let count = open.get_mut(&result.call_id).expect("a result belongs to a call");
                        *count += 1;
                        assert_eq!(*count, 1, "a call has two results");
                    }
                }
                Effect::RequestModel | Effect::Done => {
                    assert!(open.values().all(|count| *count == 1), "a call has no result");
                    open.clear();
                }
                Effect::PersistState | Effect::Notify(_) | Effect::Execute(_) => {}
            }
        }
        let stored = serde_json::to_value(&conversation).expect("it is JSON");
        assert_eq!(Conversation::from_json(&stored).expect("what was stored is read"), conversation);
        assert!(matches!(conversation.state(), State::Idle) || conversation.notice().state.is_object());
    }
}

/// A form with every kind of question, for an assistant first where it may be.
pub static FORM: LazyLock<Form> = LazyLock::new(|| {
    let request = json!({ "questions": [
        { "id": "go", "text": "Go on?", "answer_type": "boolean" },
        { "id": "which", "text": "Which?", "answer_type": "select", "options": ["a", "b"], "when": { "question_id": "go", "equals": true } },
        { "id": "parts", "text": "Which parts?", "answer_type": "multi_select", "options": ["x", "y", "z"] },
        { "id": "why", "text": "Why?", "answer_type": "text", "when": { "question_id": "go", "equals": false } },
        { "id": "key", "text": "Which key?", "answer_type": "secret" },
        { "id": "limits", "text": "Limits?", "answer_type": "schema",
          "schema": { "type": "object", "properties": { "cpu": { "type": "integer", "minimum": 1 } }, "required": ["cpu"] } },
    ] });
    let host = Host { source: Source::Tool { name: "deploy".into() }, review: Some(true), ..Host::default() };
    Form::read(&request, Dialect::AskUser, &host).expect("the form is valid")
});

/// A walk that is saved and resumed with its secrets is the same.
fn resumes(walk: &Walk, form: &Form) {
    let secrets: Map<String, Value> = walk.response()["secrets"].as_object().cloned().unwrap_or_default();
    let again = Walk::resume_with(form.clone(), &walk.save(), &secrets).expect("a walk resumes");
    assert_eq!(again.step(), walk.step());
    assert_eq!(again.save(), walk.save());
    if let Step::Done { .. } = walk.step() {
        assert_eq!(again.outcome(), walk.outcome());
    }
}
