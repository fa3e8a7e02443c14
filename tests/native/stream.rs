//! Requests that are read while they are being written: whatever the pieces, what comes of them is what comes of the whole text, and what was shown of
//! them stays.

use crate::{
    journey::{Deed, Journey, deeds},
    sample::{Dice, Sample, any_json, dice, host, tries},
};
use ask_user_core::{
    Action, Dialect, Form, Host, Limits, Question, Reader, Rejection, Step, Unresumable, Walk, schema::Validator,
};
use ask_user_tests::{files, folders};
use proptest::prelude::*;
use serde::{Deserialize, Deserializer, de};
use serde_json::{Value, json};
use std::{fmt, sync::Arc};

/// What came of a text that was read in pieces.
struct Streamed {
    /// How many questions there were before the end.
    early: usize,
    /// Whether the form goes on with these.
    goes_on: bool,
    read: Result<Form, Rejection>,
}

/// Reads a text that is cut at these places, and checks at each that no question has changed.
fn streamed(text: &[u8], dialect: Dialect, host: &Host, cuts: impl IntoIterator<Item = usize>) -> Streamed {
    let mut reader = Reader::new(dialect, host);
    let mut walk = Walk::stream(reader.form());
    let (mut shown, mut begin): (Vec<Arc<Question>>, _) = (Vec::new(), 0);
    for end in cuts.into_iter().chain([text.len()]) {
        reader.write(&text[begin..end]);
        reader.check(&Validator::default());
        begin = end;
        let questions = reader.form().questions();
        assert_eq!(questions.get(..shown.len()), Some(&shown[..]), "a question has changed");
        shown = questions.to_vec();
        walk.grow(reader.form());
        assert_eq!(walk.form().questions(), shown);
        assert_eq!((walk.outcome(), walk.accepted()), (None, None), "a form counts before its end");
    }
    let read = reader.end().and_then(|reading| reading.finish(&Validator::default()));
    let goes_on = read.as_ref().is_ok_and(|form| walk.accept(form.clone()) != Err(Unresumable::OtherForm));
    if goes_on {
        assert!(walk.is_whole() && walk.accepted().as_ref() == read.as_ref().ok());
    }
    Streamed { early: shown.len(), goes_on, read }
}

/// The same for a text: what comes of it is what comes of the whole text.
fn check(text: &str, dialect: Dialect, host: &Host, cuts: impl IntoIterator<Item = usize>) -> Streamed {
    let streamed = streamed(text.as_bytes(), dialect, host, cuts);
    assert_eq!(streamed.read, Form::read(text, dialect, host), "{text}");
    if streamed.read.is_ok() {
        assert!(streamed.goes_on || goes_on_after_list(text), "the end changes what was shown: {text}");
    }
    streamed
}

/// Whether the outermost object has a member after its questions, so that its end may contradict its beginning.
fn goes_on_after_list(text: &str) -> bool {
    let members: Members = serde_json::from_str(text).unwrap();
    members.0.iter().position(|name| name == "questions").is_some_and(|place| place + 1 < members.0.len())
}

/// The names of all members of an object, repeated ones included.
struct Members(Vec<String>);

impl<'de> Deserialize<'de> for Members {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Names;
        impl<'de> de::Visitor<'de> for Names {
            type Value = Members;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: de::MapAccess<'de>>(self, mut map: A) -> Result<Members, A::Error> {
                let mut names = Vec::new();
                while let Some((name, _)) = map.next_entry::<String, de::IgnoredAny>()? {
                    names.push(name);
                }
                Ok(Members(names))
            }
        }
        deserializer.deserialize_map(Names)
    }
}

fn dialects() -> impl Iterator<Item = Dialect> {
    std::iter::once(Dialect::Detect).chain(Dialect::ALL)
}

/// Every request of the vectors as text, with the dialect that its case names and the options of its host.
fn vectors() -> Vec<(String, Dialect, Host)> {
    let mut found = Vec::new();
    for file in folders().iter().flat_map(|folder| files(folder).unwrap()) {
        for case in serde_json::from_str::<Vec<Value>>(&std::fs::read_to_string(&file).unwrap()).unwrap() {
            let text = case["text"].as_str().map_or_else(|| case["request"].to_string(), str::to_owned);
            let dialect = case["dialect"].as_str().map_or(Ok(Dialect::Detect), str::parse);
            let host = case.get("host").map_or_else(|| Ok(Host::default()), Host::from_json).unwrap();
            found.extend(dialect.ok().map(|dialect| (text, dialect, host)));
        }
    }
    found
}

#[test]
fn every_vector_cut_at_each_byte_is_what_it_is_at_once() {
    const LONG: usize = 3_000;
    let (mut grown, mut cut) = (0, 0);
    for (text, dialect, host) in vectors() {
        // A long one is cut at some bytes of each part.
        let step = text.len() / LONG + 1;
        for at in (0..=text.len()).step_by(step) {
            check(&text, dialect, &host, [at]);
            cut += 1;
        }
        grown += usize::from(check(&text, dialect, &host, 0..text.len()).early > 0);
    }
    assert!(grown >= 100 && cut > 50_000, "{grown} grew, {cut} cuts");
}

#[test]
fn what_can_be_read_before_the_end_is_what_nothing_after_it_changes() {
    let list = |question: &str| format!(r#"{{"questions":[{question},"#);
    let ask_user = r#"{"id":"a","text":"A?","answer_type":"boolean"}"#;
    let labelled =
        r#"{"question":"A?","header":"A","options":[{"label":"x","description":""},{"label":"y","description":""}]}"#;
    for (text, dialect, early) in [
        (list(ask_user), Dialect::Detect, 1),
        (list(ask_user), Dialect::AskUser, 1),
        (format!(r#"{{"note":1,"questions":[{ask_user} "#), Dialect::Detect, 1),
        (format!(r#"{{"method":"elicitation/create","questions":[{ask_user} "#), Dialect::Detect, 0),
        // Not closed yet.
        (r#"{"questions":[{"id":"a","text":"A?","answer_type":"boolean""#.into(), Dialect::AskUser, 0),
        // A later question may have a field of another dialect.
        (list(labelled), Dialect::Detect, 0),
        (list(labelled), Dialect::AskUserQuestion, 1),
        (list(labelled), Dialect::Claude, 1),
        (list(labelled), Dialect::Gemini, 1),
        (list(labelled), Dialect::Opencode, 1),
        (list(r#"{"question":"A?"}"#), Dialect::Deepagents, 1),
        (r#"{"type":"ask_user","questions":[{"question":"A?"} "#.into(), Dialect::Detect, 1),
        (r#"{"type":"user_question","questions":[{"question":"A?"} "#.into(), Dialect::Deepagents, 0),
        (list(r#"{"id":"a","question":"A?"}"#), Dialect::Codex, 1),
        // A later question may have the id "a_b".
        (list(r#"{"id":"a.b","question":"A?"}"#), Dialect::Codex, 0),
        (format!(r#"{{"tool_name":"AskUserQuestion","input":{{"questions":[{labelled}]"#), Dialect::Claude, 0),
        // Fields of one question stand in any order.
        (r#"{"question":"A?","answer_type":"boolean""#.into(), Dialect::AskUser, 0),
        (
            r#"{"message":"A","requestedSchema":{"type":"object","properties":{"a":{"type":"boolean"}}"#.into(),
            Dialect::Mcp,
            0,
        ),
        // The first is right, the second is not.
        (list(ask_user) + ask_user, Dialect::AskUser, 1),
        (
            list(ask_user) + r#"{"id":"b","text":"B?","answer_type":"text","when":{"question_id":"c","equals":1}}"#,
            Dialect::AskUser,
            1,
        ),
        (
            list(ask_user) + r#"{"id":"b","text":"B?","answer_type":"text","when":{"question_id":"a","equals":true}}"#,
            Dialect::AskUser,
            2,
        ),
        (
            list(ask_user) + r#"{"id":"b","text":"B?","answer_type":"schema","schema":{"type":"nothing"}}"#,
            Dialect::AskUser,
            1,
        ),
        (
            list(ask_user) + r#"{"id":"b","text":"B?","answer_type":"schema","schema":{"type":"integer"}}"#,
            Dialect::AskUser,
            2,
        ),
        (list(ask_user) + "7", Dialect::AskUser, 1),
    ] {
        let found = streamed(text.as_bytes(), dialect, &Host::default(), []).early;
        assert_eq!(found, early, "{dialect:?} {text}");
    }
}

#[test]
fn a_schema_holds_back_its_question_until_it_is_compiled() {
    let mut reader = Reader::new(Dialect::AskUser, &Host::default());
    reader.write(
        r#"{"questions":[{"id":"a","text":"A?","answer_type":"boolean"},
        {"id":"b","text":"B?","answer_type":"schema","schema":{"type":"integer"}},{"id":"c","text":"C?","answer_type":"text"},"#,
    );
    let mut walk = Walk::stream(reader.form());
    assert!(reader.needs_schemas() && reader.form().questions().len() == 1);
    walk.act(Action::answer(true)).unwrap();
    assert_eq!(walk.step(), Step::Waiting { back: true });
    reader.check(&Validator::default());
    walk.grow(reader.form());
    assert_eq!(open(&walk).as_deref(), Some("b"));
    assert_eq!(walk.act(Action::answer("x")).unwrap_err().code(), "schema_mismatch");
    walk.act(Action::answer(7)).unwrap();
    assert_eq!(open(&walk).as_deref(), Some("c"));
}

/// The id of the open question.
fn open(walk: &Walk) -> Option<String> {
    match walk.step() {
        Step::Asking(asking) => Some(asking.question.id.clone()),
        _ => None,
    }
}

fn two() -> Value {
    json!({ "questions": [
        { "id": "a", "text": "A?", "answer_type": "text" }, { "id": "b", "text": "B?", "answer_type": "text" },
    ] })
}

/// A walk of which the first question has come.
fn begun(request: &str, host: &Host) -> (Reader, Walk) {
    let mut reader = Reader::new(Dialect::AskUser, host);
    let first = request.find("},").unwrap() + 2;
    reader.write(&request[..first]);
    let walk = Walk::stream(reader.form());
    reader.write(&request[first..]);
    (reader, walk)
}

fn accepted(reader: &Reader) -> Form {
    reader.clone().end().unwrap().finish(&Validator::default()).unwrap()
}

#[test]
fn nobody_is_done_before_the_whole_request_is_there() {
    let text = two().to_string();
    for (action, ends) in [
        (Action::answer("1"), None),
        (Action::Reply(Some("No".into())), Some("replied")),
        (Action::EndTurn, Some("turn_ended")),
        (Action::Expire, Some("expired")),
    ] {
        let (reader, mut walk) = begun(&text, &Host::default());
        walk.act(action.clone()).unwrap();
        // The end of the turn, and that of the time, is told at once: nothing is left to be written for.
        let told = walk.outcome();
        assert_eq!(
            told.as_ref().map(|told| told.ends().name()),
            ends.filter(|ends| ["turn_ended", "expired"].contains(ends)),
            "{action:?}"
        );
        assert!(told.is_none_or(|told| told.result.is_none()));
        walk.accept(accepted(&reader)).unwrap();
        assert_eq!(walk.outcome().map(|outcome| outcome.ends().name()), ends, "{action:?}");
    }
}

#[test]
fn back_while_nothing_is_open_changes_the_last_answer() {
    let text = two().to_string();
    let (reader, mut walk) = begun(&text, &Host::default());
    walk.act(Action::answer("1")).unwrap();
    walk.act(Action::Back).unwrap();
    let Step::Asking(asking) = walk.step() else { panic!("a question") };
    assert_eq!((asking.question.id.as_str(), asking.draft), ("a", Some(json!("1"))));
    walk.act(Action::answer("2")).unwrap();
    walk.accept(accepted(&reader)).unwrap();
    assert_eq!(open(&walk).as_deref(), Some("b"));
    // The second question was not put to anybody before.
    let ids: Vec<String> = walk.records().map(|record| json!(record)["id"].as_str().unwrap().to_owned()).collect();
    assert_eq!(ids, ["call_1.a.1", "call_1.a.1", "call_1.a.2", "call_1.a.2", "call_1.b.1"]);
    assert_eq!(Walk::resume(accepted(&reader), &walk.save()), Ok(walk));
}

#[test]
fn how_many_questions_there_are_is_told_at_the_end() {
    let progress = |walk: &Walk| match walk.step() {
        Step::Asking(asking) => json!(asking)["progress"].clone(),
        _ => panic!("a question"),
    };
    let text = two().to_string();
    let (reader, mut walk) = begun(&text, &Host::default());
    assert_eq!(progress(&walk), json!([1, null]));
    walk.accept(accepted(&reader)).unwrap();
    assert_eq!(progress(&walk), json!([1, 2]));
    let one = r#"{"questions":[{"id":"a","text":"A?","answer_type":"text"}  ]}"#;
    let mut reader = Reader::new(Dialect::AskUser, &Host::default());
    reader.write(&one[..one.len() - 3]);
    let mut walk = Walk::stream(reader.form());
    assert_eq!(progress(&walk), json!([1, null]));
    reader.write(&one[one.len() - 3..]);
    walk.accept(accepted(&reader)).unwrap();
    assert_eq!(progress(&walk), Value::Null);
}

#[test]
fn a_request_whose_end_contradicts_its_beginning_begins_anew_with_what_was_answered_as_drafts() {
    let other =
        r#","questions":[{"id":"x","text":"X?","answer_type":"text"},{"id":"a","text":"A?","answer_type":"text"}]}"#;
    let text = two().to_string();
    let text = format!("{}{other}", &text[..text.len() - 1]);
    let (reader, mut walk) = begun(&text, &Host::default());
    walk.act(Action::answer("1")).unwrap();
    let before = walk.clone();
    let form = accepted(&reader);
    assert_eq!(walk.accept(form.clone()), Err(Unresumable::OtherForm));
    assert_eq!(walk, before);
    assert!(walk.accept_or_anew(form));
    assert_eq!(open(&walk).as_deref(), Some("x"));
    walk.act(Action::answer("2")).unwrap();
    let Step::Asking(asking) = walk.step() else { panic!("a question") };
    assert_eq!((asking.draft, asking.draft_answered), (Some(json!("1")), true));
    assert_eq!(walk.outcome(), None);
}

#[test]
fn what_was_answered_of_a_rejected_request_is_left_for_the_next() {
    let text =
        r#"{"questions":[{"id":"a","text":"A?","answer_type":"text"},{"id":"b","text":"B?","answer_type":"colour"}]}"#;
    let (reader, mut walk) = begun(text, &Host::default());
    walk.act(Action::answer("1")).unwrap();
    assert_eq!(walk.step(), Step::Waiting { back: true });
    let rejection = reader.end().unwrap_err();
    assert_eq!(rejection.problems[0].code(), "unknown_answer_type");
    let host = Host { drafts: walk.drafts(), ..Host::default() };
    // The next request comes in pieces as well.
    let text = two().to_string();
    let (_, walk) = begun(&text, &host);
    let Step::Asking(asking) = walk.step() else { panic!("a question") };
    assert_eq!((asking.draft, walk.is_drafted("a")), (Some(json!("1")), true));
}

#[test]
fn drafts_of_other_questions_are_passed_on_as_if_the_form_had_been_whole() {
    let request = json!({ "questions": (0..120).map(|place| json!({ "id": format!("q{place}"), "text": "?", "answer_type": "text" })).collect::<Vec<_>>() });
    let mut walk = Walk::new(Form::read(&request, Dialect::AskUser, &Host::default()).unwrap());
    (0..120).for_each(|_| walk.act(Action::answer("x")).unwrap_or_default());
    let walked = Walk::new(Form::read(&request, Dialect::AskUser, &Host::default()).unwrap());
    let typed = (0..120).map(|place| (format!("q{place}"), json!("typed"))).collect();
    let host = Host { drafts: walked.drafts_with(&typed), ..Host::default() };
    let next = json!({ "questions": [
        { "id": "q3", "text": "?", "answer_type": "text" }, { "id": "q90", "text": "Another?", "answer_type": "text" },
    ] });
    let at_once = Walk::new(Form::read(&next, Dialect::AskUser, &host).unwrap());
    let (reader, mut walk) = begun(&next.to_string(), &host);
    walk.accept(accepted(&reader)).unwrap();
    assert_eq!((walk.drafts(), walk.typed_drafts()), (at_once.drafts(), at_once.typed_drafts()));
    assert!(walk.drafts().len() > 90);
}

#[test]
fn a_character_may_be_cut_and_what_is_no_text_is_rejected() {
    let text = r#"{"questions":[{"id":"a","text":"Grüße 😀 \ud83d\ude00?","answer_type":"boolean"}]}"#;
    let found = streamed(text.as_bytes(), Dialect::Detect, &Host::default(), 0..text.len());
    assert_eq!((found.early, found.read.unwrap().questions()[0].text.as_str()), (1, "Grüße 😀 😀?"));
    for bytes in [&b"{\"question\":\"\xff\"}"[..], b"{\"question\":\"\xc3", b"{\"question\":\"\xed\xa0\x80\"}"] {
        for cuts in [vec![], (0..bytes.len()).collect()] {
            let rejection = streamed(bytes, Dialect::Detect, &Host::default(), cuts).read.unwrap_err();
            assert_eq!(rejection.problems[0].to_string(), "The request has no JSON form: it is not UTF-8.");
        }
    }
}

#[test]
fn a_form_of_an_agent_without_a_user_fails_as_it_does_at_once() {
    let host = Host { sub_agent: true, ..Host::default() };
    for text in [two().to_string(), "{".into(), String::new()] {
        let mut reader = Reader::new(Dialect::AskUser, &host);
        reader.write(&text);
        let mut walk = Walk::stream(reader.form());
        assert_eq!(walk.step(), Step::Waiting { back: false });
        walk.accept(accepted(&reader)).unwrap();
        let at_once = Walk::new(Form::read(&text, Dialect::AskUser, &host).unwrap());
        assert_eq!(walk.outcome(), at_once.outcome());
    }
}

#[test]
fn hostile_streams_are_bounded() {
    let limits = Limits { bytes: 10_000, ..Limits::default() };
    let host = Host { limits, ..Host::default() };
    let question = r#"{"id":"a","text":"A?","answer_type":"boolean"},"#;
    for (beginning, piece) in [
        (r#"{"questions":[{"id":""#, "x"),
        (r#"{"questions":["#, "["),
        (r#"{"questions":["#, r#"{"a":"#),
        (r#"{"questions":["#, question),
        (r#"{""#, "😀"),
        ("", "{"),
        ("", " "),
        (r#"{"a":1"#, r#","a":1"#),
    ] {
        let mut reader = Reader::new(Dialect::AskUser, &host);
        reader.write(beginning);
        for _ in 0..100_000 {
            reader.write(piece);
        }
        assert!(reader.text().len() <= limits.bytes + 4, "{} bytes are kept", reader.text().len());
        assert!(reader.form().questions().len() <= 1);
        let rejection = reader.end().unwrap_err();
        assert_eq!(rejection.problems[0].code(), "too_large", "{beginning}{piece}…");
        assert_eq!(
            rejection,
            Form::read(&format!("{beginning}{}", piece.repeat(10_001)), Dialect::AskUser, &host).unwrap_err()
        );
    }
}

#[test]
fn ten_megabytes_one_byte_at_a_time_are_too_large() {
    let mut reader = Reader::new(Dialect::Detect, &Host::default());
    reader.write(r#"{"questions":[{"id":"a","text":""#);
    (0..10 << 20).for_each(|_| reader.write("x"));
    reader.write(r#"","answer_type":"boolean"}]}"#);
    assert!(reader.text().len() <= (2 << 20) + 1);
    assert_eq!(reader.end().unwrap_err().problems[0].code(), "too_large");
}

#[test]
fn questions_within_the_limits_grow_until_the_work_is_used_up() {
    let question =
        |place: usize| format!(r#"{{"id":"q{place}","text":"{}","answer_type":"boolean"}},"#, "x".repeat(500));
    let grown = |host: &Host| {
        let mut reader = Reader::new(Dialect::AskUser, host);
        reader.write(r#"{"questions":["#);
        (0..1_200).for_each(|place| reader.write(question(place)));
        reader.form().questions().len()
    };
    let host = |limits| Host { limits, ..Host::default() };
    assert_eq!(grown(&Host::default()), 1_000);
    assert_eq!(grown(&host(Limits { questions: Some(7), ..Limits::default() })), 7);
    assert_eq!(grown(&host(Limits { questions_per_turn: Some(9), ..Limits::default() })), 9);
    let few = grown(&host(Limits { work: 100_000, ..Limits::default() }));
    assert!((10..100).contains(&few), "{few}");
    assert_eq!(grown(&host(Limits { depth: 2, ..Limits::default() })), 0);
}

proptest! {
    #![proptest_config(tries())]

    #[test]
    fn any_text_in_any_pieces_is_what_it_is_at_once(text in any::<String>(), cuts in cuts()) {
        for dialect in dialects() {
            streamed_or_not_json(&text, dialect, &cuts);
        }
    }

    #[test]
    fn any_json_in_any_pieces_is_what_it_is_at_once(request in any_json(), cuts in cuts()) {
        let text = request.to_string();
        for dialect in dialects() {
            streamed_or_not_json(&text, dialect, &cuts);
        }
    }

    /// A list of requests' parts, put together as text: members that stand twice, and members after the questions.
    #[test]
    fn a_request_that_contradicts_itself_is_what_it_is_at_once(
        mut dice in dice(), others in prop::collection::vec(any_json(), 0..3), cuts in cuts()
    ) {
        let one = Sample::new(&mut dice);
        let two = Sample::new(&mut dice);
        let mut members: Vec<String> = Vec::new();
        for value in [&one.request, &two.request].into_iter().chain(&others) {
            let fields = value.as_object().into_iter().flatten();
            members.extend(fields.map(|(name, value)| format!("{}:{value}", json!(name))));
        }
        let text = format!("{{{}}}", members.join(","));
        for dialect in [Dialect::Detect, one.dialect, two.dialect] {
            streamed_or_not_json(&text, dialect, &cuts);
        }
    }

    #[test]
    fn a_request_in_any_pieces_is_what_it_is_at_once(mut dice in dice(), cuts in cuts(), flip in any::<(prop::sample::Index, u8)>()) {
        let sample = Sample::new(&mut dice);
        let host = host(&mut dice, &sample);
        let text = sample.request.to_string();
        check(&text, sample.dialect, &host, places(&cuts, text.len()));
        // With one byte changed, it may be anything.
        let mut bytes = text.into_bytes();
        let place = flip.0.index(bytes.len());
        bytes[place] = flip.1 & 0x7f;
        if let Ok(text) = String::from_utf8(bytes) {
            streamed_or_not_json(&text, sample.dialect, &cuts);
        }
    }

    /// Whoever answers as soon as there is a question gives the same answers, records, results and keys as whoever waits for the whole request.
    #[test]
    fn an_answer_that_is_given_early_counts_as_one_given_late(dice in dice(), deeds in deeds(), piece in 1..200_usize) {
        let Some((mut late, mut early)) = both(dice, piece)? else { return Ok(()) };
        for deed in deeds.iter().filter(|deed| !matches!(deed, Deed::Resume | Deed::Accept | Deed::Page | Deed::Plain)) {
            early.wait();
            if matches!(late.walk.step(), Step::Done { .. }) {
                break;
            }
            let action = late.action(deed);
            let taken = late.walk.act(action.clone());
            prop_assert_eq!(early.walk.act(action.clone()), taken, "{:?}", action);
            let (soon, all): (Vec<_>, Vec<_>) = (early.walk.records().collect(), late.walk.records().collect());
            let waits = matches!(early.walk.step(), Step::Waiting { .. });
            prop_assert!(if waits { all.starts_with(&soon) } else { all == soon }, "{:?} {:?} {:?}", action, soon, all);
        }
        early.finish();
        prop_assert_eq!(json!(early.walk.step()), json!(late.walk.step()));
        prop_assert_eq!(early.walk.outcome(), late.walk.outcome());
        prop_assert_eq!(early.walk.result_text(), late.walk.result_text());
        prop_assert_eq!(early.walk.idempotency_key(), late.walk.idempotency_key());
        prop_assert_eq!(json!(early.walk.turn()), json!(late.walk.turn()));
        prop_assert_eq!(early.walk.drafts(), late.walk.drafts());
        prop_assert!(early.walk.records().eq(late.walk.records()));
    }

    /// Whatever the person does while the request is being written, the walk that comes of it is one like any other.
    #[test]
    fn a_walk_of_a_growing_form_keeps_its_rules(dice in dice(), deeds in deeds(), pieces in prop::collection::vec(0..120_usize, 1..40)) {
        let Some((mut late, mut early)) = both(dice, 0)? else { return Ok(()) };
        let mut pieces = pieces.into_iter();
        for deed in deeds.iter().filter(|deed| !matches!(deed, Deed::Resume | Deed::Accept | Deed::Plain)) {
            early.next(pieces.next().unwrap_or(50));
            late.walk = early.walk.clone();
            late.go(deed)?;
            early.walk = late.walk.clone();
        }
        early.finish();
        late.walk = early.walk;
        late.check()?;
        late.is_believed()?;
    }

    /// The same for a walk that began before its schemas were compiled.
    #[test]
    fn a_host_believes_a_client_that_had_no_schemas_at_first(dice in dice(), deeds in deeds()) {
        let Some(mut client) = Journey::begin(dice)? else { return Ok(()) };
        for deed in deeds.iter().filter(|deed| !matches!(deed, Deed::Resume)) {
            client.go(deed)?;
        }
        client.go(&Deed::Accept)?;
        client.is_believed()?;
    }
}

/// Places to cut a text at.
fn cuts() -> impl Strategy<Value = Vec<prop::sample::Index>> {
    prop::collection::vec(any::<prop::sample::Index>(), 0..12)
}

fn places(cuts: &[prop::sample::Index], length: usize) -> Vec<usize> {
    let mut places: Vec<usize> = cuts.iter().map(|cut| cut.index(length + 1)).collect();
    places.sort_unstable();
    places
}

/// Checks a text that may be no JSON.
fn streamed_or_not_json(text: &str, dialect: Dialect, cuts: &[prop::sample::Index]) {
    check(text, dialect, &Host::default(), places(cuts, text.len()));
}

/// A request that is still coming.
struct Coming {
    reader: Reader,
    bytes: Vec<u8>,
    piece: usize,
    walk: Walk,
}

impl Coming {
    fn next(&mut self, piece: usize) {
        let rest = self.bytes.split_off(piece.min(self.bytes.len()));
        let next = std::mem::replace(&mut self.bytes, rest);
        self.reader.feed(&mut self.walk, next, &Validator::default());
    }

    /// Lets more come until there is something to do.
    fn wait(&mut self) {
        while let Step::Waiting { .. } = self.walk.step() {
            if self.bytes.is_empty() {
                return self.finish();
            }
            self.next(self.piece);
        }
    }

    fn finish(&mut self) {
        self.next(usize::MAX);
        if !self.walk.is_whole() {
            self.walk.accept(accepted(&self.reader)).unwrap();
        }
    }
}

/// A walk of the whole form, and one of the same request that is still coming.
fn both(mut dice: Dice, piece: usize) -> Result<Option<(Journey, Coming)>, TestCaseError> {
    let sample = Sample::new(&mut dice);
    let host = host(&mut dice, &sample);
    // Where the work is nearly used up, it matters when it is done, and that a text takes more of it than its value.
    let host = Host { limits: Limits { work: Limits::default().work, ..host.limits }, ..host };
    let (dialect, bytes) = (sample.dialect, sample.request.to_string().into_bytes());
    // One of the text and its value may be past a limit where the other is not.
    if host.sub_agent || Form::read(str::from_utf8(&bytes).unwrap(), dialect, &host).is_err() {
        return Ok(None);
    }
    let Some(late) = Journey::of(sample, &host, dice, false)? else { return Ok(None) };
    let reader = Reader::new(dialect, &host);
    let walk = Walk::stream(reader.form());
    Ok(Some((late, Coming { reader, bytes, piece, walk })))
}
