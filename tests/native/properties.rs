//! Properties: of any input, and of any way through any form. `ASK_USER_CASES=100000 cargo test -p ask-user-tests properties` tries each a
//! hundred thousand times.

use crate::{
    journey::{Deed, Journey, check_pairs, deeds, resumed, secrets_before, stored},
    sample::{Sample, any_json, dice, elicitation, host, tries},
};
use ask_user_core::{
    Dialect, Ends, Form, Host, Reading, Walk,
    json::{Fingerprint, equal},
    record::{Record, mend},
};
use ask_user_tests::requests;
use proptest::{prelude::*, strategy::ValueTree as _};
use serde_json::{Value, json};
use std::{collections::BTreeMap, sync::Mutex};

proptest! {
    #![proptest_config(tries())]

    #[test]
    fn any_json_is_a_form_or_a_rejection(request in any_json()) {
        check_reading_by_all(&request)?;
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
        mut dice in dice(), changes in prop::collection::vec((any::<prop::sample::Index>(), change()), 1..4)
    ) {
        let mut request = Sample::new(&mut dice).request;
        for (place, change) in changes {
            let pointers = pointers(&request);
            apply(&mut request, &pointers[place.index(pointers.len())], change);
        }
        check_reading_by_all(&request)?;
    }

    #[test]
    fn a_vector_that_is_nearly_right_is_a_form_or_a_rejection(
        which in any::<prop::sample::Index>(), changes in prop::collection::vec((any::<prop::sample::Index>(), change()), 0..4)
    ) {
        let requests = vectors();
        let mut request = requests[which.index(requests.len())].clone();
        for (place, change) in changes {
            let pointers = pointers(&request);
            apply(&mut request, &pointers[place.index(pointers.len())], change);
        }
        check_reading_by_all(&request)?;
    }

    #[test]
    fn options_of_the_host_survive_their_json(mut dice in dice()) {
        let sample = Sample::new(&mut dice);
        let host = host(&mut dice, &sample);
        prop_assert_eq!(Host::from_json(&json!(host)), Ok(host));
    }

    /// After every deed: what is refused changes nothing, what is answered has an author, nothing leaks, and saved and resumed equals never
    /// interrupted. See [`Journey::check`].
    #[test]
    fn whatever_is_done_every_answer_has_an_author_and_a_saved_walk_resumes_as_it_was(dice in dice(), deeds in deeds()) {
        let Some(mut journey) = Journey::begin(dice)? else { return Ok(()) };
        for deed in &deeds {
            journey.go(deed)?;
        }
    }

    #[test]
    fn a_walk_goes_on_in_a_client_and_says_nothing_for_the_host(
        dice in dice(), deeds in deeds(), split in any::<prop::sample::Index>()
    ) {
        let Some(mut own) = Journey::begin(dice)? else { return Ok(()) };
        own.go(&Deed::Accept)?;
        let (first, rest) = deeds.split_at(split.index(deeds.len() + 1));
        for deed in first {
            own.go(deed)?;
        }
        let mut client = own.clone();
        for deed in rest {
            client.go(deed)?;
        }
        let client = client.walk;
        // What a client resumed without its secrets, it did not begin as the host did.
        let own_log = log(&own.walk);
        let Some(rest) = log(&client).strip_prefix(own_log.as_slice()).map(<[Value]>::to_vec) else {
            prop_assert!(own.walk.continued(&client.response()).is_err());
            return Ok(());
        };
        let response = serde_json::from_str(&stored(&client.response()).to_string()).unwrap();
        let continued = own.walk.continued(&response);
        if rest.iter().any(|line| line[0] == "verdict") {
            prop_assert!(continued.is_err(), "a client speaks for an assistant");
            return Ok(());
        }
        if own.walk.ending().is_some() && !rest.is_empty() {
            prop_assert!(continued.is_err(), "a client goes on after the end");
            return Ok(());
        }
        if rest.iter().any(|line| line[0] == "no_assistant") && !own.walk.form().host().attached {
            prop_assert!(continued.is_err(), "a client answers where no person is");
            return Ok(());
        }
        let continued = continued.map_err(|error| TestCaseError::fail(format!("{error}: {response}")))?;
        prop_assert_eq!(continued.step(), client.step());
        // The host knows secrets that a client does not after it resumed its walk. Only a completed walk needs them.
        let outcome = |walk: &Walk| walk.outcome().map(|mut outcome| {
            if outcome.ends() != Ends::Completed {
                outcome.secrets.clear();
            }
            outcome
        });
        prop_assert_eq!(outcome(&continued), outcome(&client));
        prop_assert_eq!(continued.result_text(), client.result_text());
        prop_assert_eq!(continued.records().collect::<Vec<_>>(), client.records().collect::<Vec<_>>());
        prop_assert_eq!(continued.idempotency_key(), client.idempotency_key());
    }

    /// A client can write any log with a checksum that fits. What the host takes of it, it could have been told by a person.
    #[test]
    fn a_client_says_no_more_than_a_person_could(dice in dice(), deeds in deeds(), lines in prop::collection::vec(line(), 0..6)) {
        let Some(mut own) = Journey::begin(dice)? else { return Ok(()) };
        own.go(&Deed::Accept)?;
        for deed in &deeds {
            own.go(deed)?;
        }
        let (mut forged, ids) = (own.walk.save(), own.form.questions());
        let mut log = log(&own.walk);
        for Line { word, question, texts, odd } in lines {
            let id = ids.get(question.index(ids.len().max(1))).map(|question| question.id.clone()).unwrap_or_default();
            let length = match word {
                "answer" | "remember" | "verdict" => 5,
                "no_assistant" | "change" | "resume" | "reply" => 2,
                _ => 1,
            };
            let texts = texts.into_iter().map(Value::from);
            let line = [Value::from(word), id.into()].into_iter().chain(texts).take(length);
            log.push(odd.into_iter().chain(line).collect());
        }
        forged["log"] = log.into();
        sign(&mut forged);
        let secrets: Value = ids.iter().map(|question| (question.id.clone(), Value::from("x"))).collect::<serde_json::Map<_, _>>().into();
        let Ok(continued) = own.walk.continued(&json!({ "walk": forged, "secrets": secrets })) else { return Ok(()) };
        prop_assert!(continued.events().starts_with(own.walk.events()));
        let count = |walk: &Walk, by: &str| json!(walk.events()).to_string().matches(by).count();
        prop_assert_eq!(count(&continued, "\"by\":{\"assistant\""), count(&own.walk, "\"by\":{\"assistant\""));
        check_pairs(&continued.records().collect::<Vec<_>>(), continued.ending().is_some())?;
        // Saved and resumed, it is the same: each line was a line that the host would have written.
        let again = resumed(&own.form, &continued)?;
        if !secrets_before(&continued) {
            prop_assert_eq!(again, continued);
        }
    }

    #[test]
    fn a_saved_walk_that_was_tampered_with_is_no_other_walk(
        dice in dice(), deeds in deeds(), place in any::<prop::sample::Index>(), value in any_json(), signed in any::<bool>()
    ) {
        let Some(mut journey) = Journey::begin(dice)? else { return Ok(()) };
        for deed in &deeds {
            journey.go(deed)?;
        }
        let saved = journey.walk.save();
        let pointers = pointers(&saved);
        let mut tampered = saved.clone();
        *tampered.pointer_mut(&pointers[place.index(pointers.len())]).unwrap() = value;
        if signed {
            sign(&mut tampered);
        }
        match Walk::resume(journey.form.clone(), &tampered) {
            Ok(walk) if signed => drop(resumed(&journey.form, &walk)?),
            Ok(walk) => prop_assert_eq!(walk, Walk::resume(journey.form, &saved).unwrap()),
            Err(error) => prop_assert!(!error.to_string().is_empty()),
        }
    }

    #[test]
    fn different_endings_have_different_idempotency_keys(dice in dice(), one in deeds(), other in deeds()) {
        let Some(begun) = Journey::begin(dice)? else { return Ok(()) };
        let end = |deeds: &[Deed]| {
            let mut journey = begun.clone();
            deeds.iter().try_for_each(|deed| journey.go(deed))?;
            journey.go(&Deed::Accept)?;
            Ok::<_, TestCaseError>(journey.walk)
        };
        let (one, other) = (end(&one)?, end(&other)?);
        let told = |walk: &Walk| {
            let told = walk.outcome();
            (told, walk.records().collect::<Vec<_>>())
        };
        // Where secrets were given, the endings may differ in these alone: a host that names Codex has them in the result.
        let secret = secrets_before(&one) || secrets_before(&other);
        if told(&one).1 != told(&other).1 || (!secret && told(&one) != told(&other)) || one.turn() != other.turn() {
            prop_assert_ne!(one.idempotency_key(), other.idempotency_key());
        }
        let Journey { sample, form, .. } = &begun;
        for host in [
            Host { nonce: Some("another".into()), ..form.host().clone() },
            Host { tool_call_id: "another".into(), ..form.host().clone() },
        ] {
            let elsewhere = Walk::new(Form::read(&sample.request, sample.dialect, &host).unwrap());
            prop_assert_ne!(elsewhere.idempotency_key(), Walk::new(form.clone()).idempotency_key());
        }
    }

    /// The store of a host may put the keys of the request itself into another order.
    #[test]
    fn an_elicitation_whose_keys_were_reordered_has_the_same_answers(mut dice in dice(), deeds in deeds(), several in any::<bool>()) {
        let mut request = elicitation(&mut dice);
        if several {
            let requests = ["z", "b.b", "b"].map(|key| {
                (key.to_owned(), json!({ "method": "elicitation/create", "params": elicitation(&mut dice) }))
            });
            request = json!({ "inputRequests": requests.into_iter().collect::<serde_json::Map<_, _>>() });
        }
        let form = Form::read(&request, Dialect::Mcp, &Host::default()).unwrap();
        let sample = Sample { dialect: Dialect::Mcp, request: request.clone(), form };
        let host = Host { review: None, ..host(&mut dice, &sample) };
        let Some(mut journey) = Journey::of(sample, &host, dice, false)? else { return Ok(()) };
        for deed in &deeds {
            journey.go(deed)?;
        }
        let walk = journey.walk;
        let again = Walk::resume(Form::read(&stored(&request), Dialect::Mcp, &host).unwrap(), &walk.save()).unwrap();
        let answers = |walk: &Walk| {
            walk.answered().map(|(question, taken)| (question.id.clone(), question.text.clone(), taken.cloned())).collect::<Vec<_>>()
        };
        prop_assert_eq!(answers(&again), answers(&walk));
        prop_assert_eq!(again.records().collect::<Vec<_>>(), walk.records().collect::<Vec<_>>());
        let result = |walk: &Walk| walk.outcome().map(|outcome| outcome.result.unwrap());
        match (result(&again), result(&walk)) {
            (Some(a), Some(b)) => prop_assert!(equal(&a, &b), "{} {}", a, b),
            (a, b) => prop_assert_eq!(a, b),
        }
        prop_assert_eq!(again.idempotency_key(), walk.idempotency_key());
    }

    #[test]
    fn records_survive_their_json_and_mending_pairs_them(
        dice in dice(), deeds in deeds(), keep in prop::collection::vec(any::<bool>(), 60)
    ) {
        let Some(mut journey) = Journey::begin(dice)? else { return Ok(()) };
        for deed in &deeds {
            journey.go(deed)?;
        }
        let kept = journey.walk.records().zip(keep).filter(|(_, keep)| *keep).map(|(record, _)| record);
        let mended: Vec<Record> = mend(kept.collect());
        check_pairs(&mended, true)?;
        prop_assert_eq!(mend(mended.clone()), mended);
    }
}

/// A property proves nothing of what its samples never do.
/// Every place of every vector's request, in turn, with each of these values in it, without it, and with it twice. The random property above
/// finds the same faults, but not in every run.
#[test]
fn a_vector_with_one_change_is_a_form_or_a_rejection() {
    let values = [json!(null), json!(0), json!("x"), json!([]), json!({})];
    let changes: Vec<_> = values.into_iter().map(Change::Put).chain([Change::Remove, Change::Double]).collect();
    let seen = Mutex::new(std::collections::HashSet::new());
    // It is the longest test: each processor takes a part.
    let parts = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for part in 0..parts {
            let (seen, changes) = (&seen, &changes);
            scope.spawn(move || {
                for request in vectors().iter().skip(part).step_by(parts) {
                    for place in pointers(request) {
                        for change in changes {
                            let mut request = request.clone();
                            apply(&mut request, &place, change.clone());
                            let is_new = seen.lock().unwrap().insert(request.to_string());
                            if is_new {
                                check_reading_by_all(&request).unwrap_or_else(|error| panic!("{error}: {request}"));
                            }
                        }
                    }
                }
            });
        }
    });
    let seen = seen.into_inner().unwrap();
    assert!(seen.len() > 10_000, "{}", seen.len());
}

#[test]
fn the_samples_do_everything_that_can_be_done() {
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let (dice, deeds) = (dice(), deeds());
    let (mut done, mut ways) = (String::new(), BTreeMap::<String, usize>::new());
    for _ in 0..600 {
        let dice = dice.new_tree(&mut runner).unwrap().current();
        let deeds = deeds.new_tree(&mut runner).unwrap().current();
        let Some(mut journey) = Journey::begin(dice).unwrap() else {
            *ways.entry("rejected".into()).or_default() += 1;
            continue;
        };
        deeds.iter().for_each(|deed| journey.go(deed).unwrap());
        *ways.entry(journey.form.dialect().into()).or_default() += 1;
        if let Some(outcome) = journey.walk.outcome() {
            *ways.entry(format!("{:?}{}", outcome.ends(), outcome.error().unwrap_or_default())).or_default() += 1;
        }
        done += &json!(journey.walk.events()).to_string();
    }
    for event in [
        "\"by\":{\"person\":{\"remember\":true}}",
        "\"by\":\"remembered\"",
        "\"by\":\"configuration\"",
        "\"by\":\"default\"",
        "\"by\":{\"assistant\"",
        "\"advised\"",
        "\"why\":\"backend_error\"",
        "\"why\":\"back\"",
        "\"by\":\"change\"",
        "\"by\":\"resume\"",
        "\"accepted\"",
        "\"reviewing\"",
        "\"note\":",
        "\"other\":",
        "\"secret\"",
        "\"consent\"",
        "\"empty\"",
    ] {
        assert!(done.contains(event), "no sample has {event}");
    }
    let mut expected = vec!["rejected", "Completed", "Replied", "TurnEnded", "Failedsub_agent", "Failedno_default"];
    expected.extend(["Failedinvalid_static_answer", "Failedassistant_routing_denied", "Failedno_prompt_backend"]);
    for way in expected.into_iter().chain(Dialect::ALL.map(Dialect::name)) {
        assert!(ways.contains_key(way), "no sample has {way}: {ways:?}");
    }
    assert!(ways["rejected"] < 90 && ways["Completed"] > 100, "{ways:?}");
}

/// A line of a log that somebody made up: a word, the id of a question, and texts. Sometimes something odd comes first.
#[derive(Clone, Debug)]
struct Line {
    word: &'static str,
    question: prop::sample::Index,
    texts: [String; 3],
    odd: Option<Value>,
}

fn line() -> impl Strategy<Value = Line> {
    let words = [
        "answer",
        "remember",
        "verdict",
        "no_assistant",
        "back",
        "change",
        "resume",
        "reply",
        "end_turn",
        "submit",
        "unchecked",
        "accept",
        "other",
    ];
    let text = prop_oneof![2 => Just("true".to_owned()), 1 => Just("\"x\"".to_owned()), 4 => Just(String::new()), 1 => any::<String>()];
    let odd = prop_oneof![9 => Just(None), 1 => Just(Some(json!(0)))];
    let parts =
        (prop::sample::select(words.to_vec()), any::<prop::sample::Index>(), [text.clone(), text.clone(), text], odd);
    parts.prop_map(|(word, question, texts, odd)| Line { word, question, texts, odd })
}

/// Puts the checksum onto a saved walk that fits it. Where it is no saved walk, there is none.
pub fn sign(saved: &mut Value) {
    if !saved.is_object() {
        return;
    }
    let fields = ["form", "nonce", "provisional", "attempts", "questions", "log", "events"];
    let print = fields.iter().fold(Fingerprint::new(), |print, name| print.text(name).value(&saved[*name]));
    saved["checksum"] = print.to_string().into();
}

fn log(walk: &Walk) -> Vec<Value> {
    walk.save()["log"].as_array().unwrap().clone()
}

/// The requests of the vectors, read once.
fn vectors() -> &'static [Value] {
    static READ: std::sync::OnceLock<Vec<Value>> = std::sync::OnceLock::new();
    READ.get_or_init(|| requests().unwrap().into_iter().map(|(_, request)| request).collect())
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

fn dialects() -> impl Iterator<Item = Dialect> {
    std::iter::once(Dialect::Detect).chain(Dialect::ALL)
}

/// What is wrong because something is missing: the path is where it should be.
const MISSING: &[&str] = &["missing_field", "options_required", "schema_required", "empty_questions"];

fn check_reading_by_all(request: &Value) -> Result<(), TestCaseError> {
    dialects().try_for_each(|dialect| check_reading(request, dialect))
}

fn check_reading(request: &Value, dialect: Dialect) -> Result<(), TestCaseError> {
    let read = Form::read(request, dialect, &Host::default());
    let early = Reading::new(request, dialect, &Host::default());
    prop_assert!(read.is_err() || early.is_ok_and(|reading| reading.provisional().is_some()));
    match read {
        Ok(form) => {
            prop_assert!(!form.questions().is_empty() || form.review());
            drop(Walk::new(form));
        }
        Err(rejection) => {
            prop_assert!(!rejection.problems.is_empty());
            prop_assert!(json!(rejection.to_json()).to_string().len() <= 64_000);
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
