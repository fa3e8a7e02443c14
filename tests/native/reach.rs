//! What the form asks for in words reaches the agent: an answer of one's own, a note, the reason of a "no", the text in place of a result, and the words of a
//! Reply where the form says that they travel. Each is a mark of its own, in the requests of all vectors.

use crate::matrix::calling;
use ask_user_core::{
    Action, Answer, AnswerType, Budget, Content, Dialect, Ends, Form, Given, Host, Limits, Outcome, Reply, Step, Walk,
};
use ask_user_tests::requests;
use serde_json::{Value, json};

/// What a person says, beside what the question asks for.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Says {
    /// A text of their own, in a text question or in place of an option.
    Own,
    /// A note on an answer.
    Note,
    /// Why not.
    Reject,
    /// A text in place of the tool's result.
    Respond,
}

/// The marks that reach the agent are looked for in what it gets.
fn has(outcome: &Outcome, mark: &str) -> bool {
    let result = outcome.result.as_ref().map(Value::to_string).unwrap_or_default();
    result.contains(mark)
}

/// An answer to a question, with a mark in it if there is room for what is said.
fn answer(form: &Form, place: usize, says: Says, mark: &str) -> Option<(Given, bool)> {
    let question = &form.questions()[place];
    let takes =
        |content: &Content| Answer::new(question, content.clone(), &Limits::default(), &mut Budget::default()).is_ok();
    let plain = || {
        let value = match &question.answer_type {
            AnswerType::Boolean | AnswerType::Url(_) => json!(true),
            AnswerType::Number(_) => json!(1),
            AnswerType::Text(_) | AnswerType::Secret => json!("plain"),
            AnswerType::Select(choices) => choices.as_slice().first()?.value.clone(),
            AnswerType::MultiSelect { choices, .. } => json!([choices.as_slice().first()?.value]),
            AnswerType::Schema { .. } => json!({}),
            AnswerType::Approval(approval) => json!({ "type": approval.decisions.first()?.name() }),
        };
        Some(Content::Value(value)).filter(takes)
    };
    let own = match (&question.answer_type, says) {
        (AnswerType::Text(_), Says::Own) => Some(Content::Value(mark.into())),
        (AnswerType::Select(_) | AnswerType::MultiSelect { .. }, Says::Own) => {
            Some(Content::Other { text: mark.into(), beside: Vec::new() })
        }
        (AnswerType::Approval(approval), Says::Reject) if approval.reasons => {
            Some(Content::Value(json!({ "type": "reject", "message": mark })))
        }
        (AnswerType::Approval(_), Says::Respond) => Some(Content::Value(json!({ "type": "respond", "message": mark }))),
        _ => None,
    };
    if let Some(own) = own.filter(takes) {
        return Some((Given::new(own), true));
    }
    let mut given = Given::new(plain()?);
    let is_noted = says == Says::Note && question.notes;
    if is_noted {
        given.note = Some(mark.into());
    }
    Some((given, is_noted))
}

/// Walks a form with these marks, to its end or, with `leaves`, to a Reply after so many answers. Gives the marks that have to be in the result.
fn walked(form: &Form, says: Says, leaves: Option<usize>) -> Option<(Outcome, Vec<String>)> {
    let mut walk = Walk::new(form.clone());
    let mut marks = Vec::new();
    for step in 0..100 {
        match walk.step() {
            _ if walk.is_over() => break,
            _ if leaves == Some(step) => {
                let mark = "MARK-REPLY".to_owned();
                walk.act(Action::Reply(Some(mark.clone()))).ok()?;
                marks = vec![mark];
            }
            Step::Review(_) => walk.act(Action::Submit).ok().map(drop)?,
            Step::Asking(asking) => {
                let place = form.questions().iter().position(|one| one.id == asking.question.id)?;
                let mark = format!("MARK-{step}-");
                let (given, is_marked) = answer(form, place, says, &mark)?;
                walk.act(Action::Answer(given)).ok()?;
                marks.extend(is_marked.then_some(mark));
            }
            _ => return None,
        }
    }
    walk.outcome().map(|outcome| (outcome, marks))
}

#[test]
fn what_a_person_is_asked_to_say_is_in_the_result() {
    let mut said = 0;
    let mut lost = Vec::new();
    let own = requests().unwrap().into_iter();
    let own =
        own.map(|(dialect, request)| (dialect.and_then(|name| name.parse().ok()).unwrap_or(Dialect::Detect), request));
    for (dialect, request) in own.chain(calls()) {
        let Ok(form) = Form::read(&request, dialect, &Host::default()) else { continue };
        let all = [Says::Own, Says::Note, Says::Reject, Says::Respond];
        let ended = all.iter().filter_map(|says| Some((format!("{says:?}"), walked(&form, *says, None)?)));
        let left = (0..form.questions().len())
            .filter(|_| form.reply() == Reply::WithWords)
            .filter_map(|count| Some((format!("Reply after {count}"), walked(&form, Says::Own, Some(count))?)));
        for (what, (outcome, marks)) in ended.chain(left) {
            if outcome.ends() == Ends::Completed || marks == ["MARK-REPLY"] {
                said += marks.len();
                let missing: Vec<_> = marks.iter().filter(|mark| !has(&outcome, mark)).collect();
                if !missing.is_empty() {
                    lost.push(format!(
                        "{}, {what}: {missing:?} is not in {:?}, of {request}",
                        form.dialect(),
                        outcome.result
                    ));
                }
            }
        }
    }
    assert_eq!(lost, Vec::<String>::new());
    assert!(said > 600, "{said}");
}

/// A call to approve in each dialect that has some, and one where every answer of LangGraph's interrupt is allowed.
fn calls() -> Vec<(Dialect, Value)> {
    let all = json!({ "allow_accept": true, "allow_edit": true, "allow_ignore": true, "allow_respond": true });
    let request = json!({ "action_request": { "action": "deploy", "args": {} }, "config": all, "description": null });
    let small = Dialect::ALL.into_iter().map(|dialect| (dialect, calling(dialect, 1)));
    small.chain([(Dialect::Langgraph, request)]).collect()
}
