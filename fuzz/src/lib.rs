//! What has to hold for any text from outside, one function for each kind. A panic is a fault, and so is a text that takes seconds or gigabytes.

mod fields;
mod stream;

pub use fields::fields;
pub use stream::stream;

use ask_user_core::{
    Action, By, Content, Dialect, Form, Given, Host, Refusal, Step, Verdict, Walk,
    conversation::{Conversation, Effect, Event, State},
    json::{Fingerprint, ToJson, parse},
    record,
};
use serde_json::{Value, json};
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

/// Commands on a walk, one in each line: a letter, then what belongs to it. A text that begins with `2` walks the other form.
pub fn commands(text: &str) {
    let form = walked(text).clone();
    let mut walk = Walk::new(form.clone());
    // Each action of a walk is compared with a copy that is resumed from its beginning.
    for line in text.lines().take(32) {
        let before = walk.clone();
        match command(&mut walk, line) {
            Some(Ok(())) => resumes(&walk, &form),
            Some(Err(refusal)) => {
                assert_eq!(walk, before, "a refused action changed something");
                assert!(!refusal.to_string().is_empty());
            }
            None => {}
        }
    }
}

/// The form that commands are for.
pub fn walked(text: &str) -> &'static Form {
    if text.starts_with('2') { &LABELLED } else { &FORM }
}

/// Carries out a command. `None` if it is none.
pub fn command(walk: &mut Walk, line: &str) -> Option<Result<(), Refusal>> {
    let (letter, rest) = line.split_at_checked(1)?;
    let value = || parse(rest).unwrap_or_else(|_| rest.into());
    Some(match letter {
        "a" => answer(walk, value().into()),
        "d" => answer(walk, Given { note: Some("noted".into()), ..value().into() }),
        "k" => answer(walk, Given { remember: true, ..value().into() }),
        "t" => answer(walk, Given::new(Content::Typed(rest.into()))),
        "o" => {
            let (text, beside) = rest.split_once(' ').unwrap_or((rest, "[]"));
            let beside = parse(beside).ok().and_then(|list| Some(list.as_array()?.clone())).unwrap_or_default();
            answer(walk, Given::new(Content::Other { text: text.into(), beside }))
        }
        "m" => {
            let answers = value().as_object().cloned().unwrap_or_default();
            walk.answer_all(answers.into_iter().map(|(id, value)| (id, value.into())).collect())
        }
        "p" => walk.answers(value().as_object().cloned().unwrap_or_default()),
        "b" => walk.act(Action::Back),
        "c" => walk.act(Action::Change(rest.into())),
        "r" => walk.act(Action::Reply((!rest.is_empty()).then(|| rest.into()))),
        "e" => walk.act(Action::EndTurn),
        "s" => walk.act(Action::Submit),
        "n" => walk.act(Action::NoAssistant),
        "v" => {
            let record = walk.consultation().map(|asked| asked.record).unwrap_or_default();
            walk.act(Action::Assistant(Verdict::read(&value(), record)?))
        }
        _ => return None,
    })
}

/// Answers the open question. What the check before refuses is refused for the same reason; what is taken had passed the check.
fn answer(walk: &mut Walk, given: Given) -> Result<(), Refusal> {
    let checked = walk.check(given.content.clone());
    let taken = walk.act(Action::Answer(given));
    assert!(taken.is_err() || checked.is_ok(), "an answer is taken that the check refuses: {checked:?}");
    taken
}

/// A saved walk, read with the form of [`FORM`]: as it is, and with the checksum that anybody can compute.
pub fn saved(text: &str) {
    let Ok(value) = parse(text) else { return };
    for saved in [sign(value.clone()), value] {
        match Walk::resume(FORM.clone(), &saved) {
            Ok(walk) => resumes(&walk, &FORM),
            Err(error) => assert!(!error.to_string().is_empty()),
        }
    }
}

/// What a client says that it has done, or its plain answers, held against the host's own walk: as it is, and with the checksum that anybody can compute.
pub fn response(text: &str) {
    let Ok(value) = parse(text) else { return };
    let own = Walk::new(FORM.clone());
    if let Some(answers) = value.get("answers").and_then(Value::as_object) {
        plain(answers);
    }
    let mut signed = value.clone();
    if let Some(walk) = signed.get_mut("walk") {
        *walk = sign(walk.take());
    }
    for response in [signed, value] {
        let Ok(walk) = own.continued(&response) else { continue };
        let mut answers = walk.answered().filter_map(|(_, taken)| taken);
        assert!(!answers.any(|taken| matches!(taken.by, By::Assistant(_))), "a client speaks for an assistant");
        let again = own.continued(&walk.response()).expect("what was believed is believed again");
        assert_eq!(again.outcome(), walk.outcome());
        assert_eq!(again.idempotency_key(), walk.idempotency_key());
    }
}

/// Plain answers of a client, to both forms: they are taken and complete the walk as far as the person is asked, or nothing is changed.
fn plain(answers: &serde_json::Map<String, Value>) {
    for form in [&FORM, &LABELLED] {
        let mut walk = Walk::new((*form).clone());
        let before = walk.clone();
        match walk.answers(answers.clone()) {
            Ok(()) => {
                resumes(&walk, form);
                assert!(walk.outcome().is_some() || walk.consultation().is_some(), "a question is left");
            }
            Err(refusal) => {
                assert_eq!(walk, before, "refused answers changed something");
                assert!(Value::Object(refusal.to_json()).to_string().len() <= 64_000, "a refusal is long");
            }
        }
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
                Effect::PersistMessages(answers) => {
                    for answer in answers {
                        let is_open =
                            |conversation: &Conversation| conversation.open().any(|one| one.call.id == answer.call_id);
                        assert!(is_open(&before), "an answer is to a question that was open");
                        assert!(!is_open(&conversation), "a question that is answered is not open");
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

/// A form with every kind of question. Two go to an assistant first, one of them with the person's last word.
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
    let host = json!({
        "source": { "source": "tool", "name": "deploy" }, "review": true, "reuse": "turn",
        "targets": { "go": "assistant_with_escalation", "parts": "assistant" },
    });
    let host = Host::from_json(&host).expect("the options are valid");
    Form::read(&request, Dialect::AskUser, &host).expect("the form is valid")
});

/// A form whose questions take an own text, alone or beside options, and a note.
static LABELLED: LazyLock<Form> = LazyLock::new(|| {
    let request = json!({ "questions": [
        { "question": "Which?", "header": "Which", "options": [{ "label": "a", "description": "A", "preview": "A" }, { "label": "b", "description": "B" }] },
        { "question": "Which parts?", "header": "Parts", "multiSelect": true,
          "options": [{ "label": "x", "description": "X" }, { "label": "y", "description": "Y" }] },
    ] });
    Form::read(&request, Dialect::Claude, &Host::default()).expect("the form is valid")
});

/// A walk that is saved and resumed with its secrets is the same.
fn resumes(walk: &Walk, form: &Form) {
    let response = walk.response();
    let secrets = response["secrets"].as_object().expect("a response has secrets");
    let again = Walk::resume_with(form.clone(), &response["walk"], secrets).expect("a walk resumes");
    assert_eq!(again.step(), walk.step());
    assert_eq!(again.save(), response["walk"]);
    if let Step::Done { .. } = walk.step() {
        assert_eq!(again.outcome(), walk.outcome());
    }
}

/// The saved walk with the checksum that fits.
fn sign(mut saved: Value) -> Value {
    let fields = ["form", "nonce", "provisional", "attempts", "questions", "log", "events"];
    if let Some(saved) = saved.as_object_mut() {
        let value = |name: &str| saved.get(name).unwrap_or(&Value::Null);
        let print = fields.iter().fold(Fingerprint::new(), |print, name| print.text(name).value(value(name)));
        saved.insert("checksum".into(), print.to_string().into());
    }
    saved
}
