//! Properties: of any input, and of any way through any form.

use crate::sample::{any_json, deeds, host, is_secret, request};
use ask_user_core::{
    Action, Answer, Asks, Dialect, Ending, Form, Given, Host, Limits, Step, Walk, dialect_names,
    record::{Record, Response, mend},
};
use ask_user_tests::requests;
use proptest::prelude::*;
use serde_json::Value;
use std::collections::BTreeMap;

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_json_is_a_form_or_a_rejection(request in any_json()) {
        for dialect in dialects() {
            check_reading(&request, dialect)?;
        }
    }

    #[test]
    fn any_text_is_a_form_or_a_rejection(text in any::<String>()) {
        for dialect in dialects() {
            if let Err(rejection) = Form::read(&text, dialect, &Host::default()) {
                prop_assert!(!rejection.problems.is_empty());
            }
        }
    }

    #[test]
    fn a_request_that_is_nearly_right_is_a_form_or_a_rejection(
        mut request in request(), place in any::<prop::sample::Index>(), value in any_json()
    ) {
        let pointers = pointers(&request);
        *request.pointer_mut(&pointers[place.index(pointers.len())]).unwrap() = value;
        for dialect in dialects() {
            check_reading(&request, dialect)?;
        }
    }

    #[test]
    fn a_request_of_any_dialect_that_is_nearly_right_is_a_form_or_a_rejection(
        which in any::<prop::sample::Index>(), changes in prop::collection::vec((any::<prop::sample::Index>(), change()), 0..4)
    ) {
        let requests = requests().unwrap();
        let mut request = requests[which.index(requests.len())].1.clone();
        for (place, change) in changes {
            let pointers = pointers(&request);
            let place = &pointers[place.index(pointers.len())];
            apply(&mut request, place, change);
        }
        for dialect in dialects() {
            check_reading(&request, dialect)?;
        }
    }

    #[test]
    fn a_walk_keeps_its_rules(
        request in request(), deeds in deeds(), host in host()
    ) {
        let form = Form::read(&request, Dialect::Detect, &host).unwrap();
        let mut walk = Walk::new(form.clone());
        check_walk(&walk)?;
        for deed in deeds {
            let before = walk.clone();
            let action = deed.at(&walk);
            if walk.act(action.clone()).is_err() {
                prop_assert_eq!(&walk, &before, "{:?} was refused and changed the walk", action);
                continue;
            }
            prop_assert!(!matches!(before.step(), Step::Done(_)), "a finished walk took an action");
            check_walk(&walk)?;
            check_back(&before, &action, &walk)?;
            check_saving(&form, &walk)?;
        }
    }

    #[test]
    fn a_walk_goes_on_in_a_client_and_says_nothing_for_the_host(
        request in request(), deeds in deeds(), host in host(), split in any::<prop::sample::Index>()
    ) {
        let mut own = Walk::new(Form::read(&request, Dialect::Detect, &host).unwrap());
        let first = split.index(deeds.len() + 1);
        for deed in &deeds[..first] {
            // What the host itself lets happen before it hands the walk out: an assistant's verdicts.
            if let action @ (Action::Assistant(_) | Action::NoAssistant) = deed.at(&own) {
                drop(own.act(action));
            }
        }
        let mut client = own.clone();
        let mut assisted = false;
        for deed in &deeds[first..] {
            let action = deed.at(&client);
            let verdict = matches!(action, Action::Assistant(_));
            if client.act(action).is_ok() {
                // A verdict that does not fit counts as none, and that a client may say.
                let last = client.save()["log"].as_array().unwrap().iter().rev().find_map(|line| {
                    Some(line[0].as_str()?.to_owned()).filter(|word| word != "automatic" && word != "failed")
                });
                assisted |= verdict && last.is_some_and(|word| word != "in_vain");
            }
        }
        let Step::Done(outcome) = client.step() else { return Ok(()) };
        let continued = own.continued(&client.response());
        if assisted {
            prop_assert!(continued.is_err(), "a client speaks for an assistant");
        } else {
            let continued = continued.unwrap();
            prop_assert_eq!(continued.outcome().unwrap().to_json(), outcome.to_json());
            prop_assert_eq!(continued.records(), client.records());
        }
    }

    #[test]
    fn a_saved_walk_that_was_tampered_with_is_no_other_walk(
        request in request(), deeds in deeds(), host in host(), place in any::<prop::sample::Index>(), value in any_json()
    ) {
        let form = Form::read(&request, Dialect::Detect, &host).unwrap();
        let mut walk = Walk::new(form.clone());
        for deed in deeds {
            let action = deed.at(&walk);
            drop(walk.act(action));
        }
        let saved = walk.save();
        let pointers = pointers(&saved);
        let mut tampered = saved.clone();
        *tampered.pointer_mut(&pointers[place.index(pointers.len())]).unwrap() = value;
        if let Ok(resumed) = Walk::resume(form.clone(), &tampered) {
            prop_assert_eq!(resumed, Walk::resume(form, &saved).unwrap());
        }
        drop(Walk::resume(walk.form().clone(), &tampered));
    }

    #[test]
    fn records_survive_their_json_and_mending_pairs_them(
        request in request(), deeds in deeds(), host in host(), keep in prop::collection::vec(any::<bool>(), 60)
    ) {
        let mut walk = Walk::new(Form::read(&request, Dialect::Detect, &host).unwrap());
        for deed in deeds {
            let action = deed.at(&walk);
            drop(walk.act(action));
        }
        for record in walk.records() {
            prop_assert_eq!(&Record::from_json(&record.to_json()).unwrap(), record);
        }
        let kept = walk.records().iter().zip(keep).filter(|(_, keep)| *keep).map(|(record, _)| record.clone());
        let mended = mend(kept.collect());
        check_pairs(&mended, true)?;
        prop_assert_eq!(mend(mended.clone()), mended);
    }
}

/// Puts another value in a place, takes the place away, or doubles it.
#[derive(Clone, Debug)]
enum Change {
    Put(Value),
    Remove,
    Double,
}

fn change() -> impl Strategy<Value = Change> {
    prop_oneof![3 => any_json().prop_map(Change::Put), 1 => Just(Change::Remove), 1 => Just(Change::Double)]
}

fn apply(request: &mut Value, place: &str, change: Change) {
    if let Change::Put(value) = change {
        *request.pointer_mut(place).unwrap() = value;
        return;
    }
    let Some((parent, key)) = place.rsplit_once('/') else { return };
    let key = key.replace("~1", "/").replace("~0", "~");
    match (change, request.pointer_mut(parent)) {
        (Change::Remove, Some(Value::Object(map))) => drop(map.shift_remove(&key)),
        (Change::Remove, Some(Value::Array(list))) => drop(list.remove(key.parse().unwrap())),
        (Change::Double, Some(Value::Array(list))) => {
            let twin = list[key.parse::<usize>().unwrap()].clone();
            list.push(twin);
        }
        _ => {}
    }
}

fn dialects() -> Vec<Dialect<'static>> {
    let named = dialect_names().into_iter().chain(["no such dialect"]).map(Dialect::Named);
    std::iter::once(Dialect::Detect).chain(named).collect()
}

/// What is wrong because something is missing: the path is where it should be.
const MISSING: &[&str] = &["missing_field", "options_required", "schema_required", "empty_questions"];

fn check_reading(request: &Value, dialect: Dialect<'_>) -> Result<(), TestCaseError> {
    match Form::read(request, dialect, &Host::default()) {
        Ok(form) => {
            prop_assert!(!form.questions().is_empty() || form.review());
            drop(Walk::new(form));
        }
        Err(rejection) => {
            prop_assert!(!rejection.problems.is_empty());
            for problem in &rejection.problems {
                let path = problem.path.as_str();
                let parent = path.rsplit_once('/').map_or("", |(parent, _)| parent);
                let missing =
                    MISSING.contains(&problem.code()) && request.pointer(parent).is_some_and(Value::is_object);
                prop_assert!(request.pointer(path).is_some() || missing, "{path} is not there: {problem}");
                prop_assert!(!problem.to_string().is_empty() && !problem.hint().is_empty());
            }
        }
    }
    Ok(())
}

/// What holds of a walk at every step.
fn check_walk(walk: &Walk) -> Result<(), TestCaseError> {
    let step = walk.step();
    check_pairs(walk.records(), matches!(step, Step::Done(_)))?;
    if let Step::Asking(asking) = &step {
        let host = walk.form().host();
        let personal = is_secret(asking.question) || host.exclusive.contains(&asking.question.id);
        prop_assert!(asking.asks == Asks::Person || !personal, "{} is put to an assistant", asking.question.id);
        prop_assert!(asking.asks == Asks::Assistant || host.attached, "nobody is there to answer");
        prop_assert_eq!(asking.consultation().is_some(), asking.asks == Asks::Assistant);
    }
    let Step::Done(outcome) = step else { return Ok(()) };
    let answers: Vec<_> = outcome.answers().collect();
    for (question, answer) in &answers {
        let asked = question.when.as_ref().is_none_or(|when| {
            let (earlier, given) = &answers[when.question];
            holds(earlier, *given, &when.equals)
        });
        prop_assert!(asked || answer.is_none(), "{} has an answer and was not to be asked", question.id);
        if *outcome.ending() == Ending::Completed {
            prop_assert_eq!(asked, answer.is_some(), "{} was to be asked, and has no answer", question.id);
        }
        if let Some(value) = answer.and_then(|answer| answer.open().or(answer.secret())) {
            prop_assert!(Answer::new(question, value.clone().into(), &Limits::default()).is_ok());
        }
    }
    if let (Ending::Completed, Some(Value::Object(result))) = (outcome.ending(), outcome.result()) {
        let ids: Vec<_> = answers.iter().map(|(question, _)| question.id.as_str()).collect();
        prop_assert_eq!(result.keys().collect::<Vec<_>>(), ids);
        for ((question, answer), value) in answers.iter().zip(result.values()) {
            let expected = answer.map_or(Value::Null, Answer::shown);
            prop_assert_eq!(value, &expected, "{}", question.id);
        }
    }
    Ok(())
}

/// A condition, by the contract and not by the code: skipped is null, numbers by value, selections as sets.
fn holds(question: &ask_user_core::Question, answer: Option<&Answer>, equals: &Value) -> bool {
    let Some(answer) = answer.and_then(Answer::open) else { return equals.is_null() };
    match (question.answer_type.name(), answer, equals) {
        ("multi_select", Value::Array(a), Value::Array(b)) => {
            a.iter().all(|one| b.contains(one)) && b.iter().all(|one| a.contains(one))
        }
        (_, Value::Number(a), Value::Number(b)) => a.as_f64() == b.as_f64(),
        (_, a, b) => a == b,
    }
}

/// Every request has one response after it, the open question's aside, and no response is alone.
fn check_pairs(records: &[Record], ended: bool) -> Result<(), TestCaseError> {
    let mut open = BTreeMap::new();
    for record in records {
        match record {
            Record::Request { id, .. } => prop_assert!(open.insert(id, true).is_none(), "{id} twice"),
            Record::Response { id, .. } => prop_assert_eq!(open.insert(id, false), Some(true), "{} closes nothing", id),
        }
    }
    let left = open.values().filter(|open| **open).count();
    prop_assert!(left <= usize::from(!ended), "{left} requests have no response");
    Ok(())
}

/// Back after an answer asks the same question again, with that answer as its draft.
fn check_back(before: &Walk, action: &Action, after: &Walk) -> Result<(), TestCaseError> {
    let (Step::Asking(asked), Action::Answer(_) | Action::Typed(_)) = (before.step(), action) else {
        return Ok(());
    };
    if matches!(after.step(), Step::Done(_) | Step::Checking) {
        return Ok(());
    }
    let mut again = after.clone();
    prop_assert!(again.act(Action::Back).is_ok(), "Back is not offered after an answer");
    let Step::Asking(restored) = again.step() else { return Err(TestCaseError::fail("Back leads to no question")) };
    prop_assert_eq!(restored.question, asked.question);
    prop_assert_eq!(restored.back, asked.back);
    prop_assert_eq!(restored.progress, asked.progress);
    prop_assert_eq!((restored.asks, restored.advice), (asked.asks, asked.advice));
    match action {
        _ if is_secret(asked.question) => prop_assert_eq!(restored.draft, None),
        Action::Answer(Given { value, .. }) => {
            let answer = Answer::new(asked.question, value.clone().into(), &Limits::default()).unwrap();
            prop_assert_eq!(restored.draft, answer.open());
        }
        _ => prop_assert!(restored.draft.is_some()),
    }
    Ok(())
}

/// Saved and resumed equals never interrupted; where a secret is missing, the walk stands at the first one.
fn check_saving(form: &Form, walk: &Walk) -> Result<(), TestCaseError> {
    let text = walk.save().to_string();
    let resumed = Walk::resume(form.clone(), &serde_json::from_str(&text).unwrap()).unwrap();
    let is_given = |record: &Record| matches!(record, Record::Response { outcome: Response::Redacted, .. });
    if !walk.records().iter().any(is_given) {
        prop_assert_eq!(&resumed, walk);
        return Ok(());
    }
    let kept = walk.records().len().min(resumed.records().len());
    prop_assert_eq!(&resumed.records()[..kept], &walk.records()[..kept]);
    let missing = |walk: &Walk| match walk.step() {
        Step::Done(outcome) => {
            outcome.answers().any(|(_, answer)| answer.is_some_and(|answer| answer.secret() == Some(&Value::Null)))
        }
        Step::Asking(_) | Step::Review(_) | Step::Checking => false,
    };
    let has_result = match walk.step() {
        Step::Done(outcome) => matches!(outcome.ending(), Ending::Completed | Ending::Replied { .. }),
        Step::Asking(_) | Step::Review(_) | Step::Checking => true,
    };
    prop_assert!(!has_result || !missing(&resumed), "a result without its secret");
    Ok(())
}

/// Every place of a value.
fn pointers(value: &Value) -> Vec<String> {
    let mut found = vec![String::new()];
    let mut open = vec![(String::new(), value)];
    while let Some((path, value)) = open.pop() {
        let inner: Vec<_> = match value {
            Value::Array(items) => {
                items.iter().enumerate().map(|(place, item)| (format!("{path}/{place}"), item)).collect()
            }
            Value::Object(fields) => fields
                .iter()
                .map(|(key, field)| (format!("{path}/{}", key.replace('~', "~0").replace('/', "~1")), field))
                .collect(),
            _ => Vec::new(),
        };
        found.extend(inner.iter().map(|(path, _)| path.clone()));
        open.extend(inner);
    }
    found
}
