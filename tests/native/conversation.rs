//! The state machine of a conversation: from every state, every event gives a state or says why not; no result of a tool is lost
//! or doubled, whatever comes between.

use ask_user_core::conversation::{
    Closed, Closing, Conversation, Effect, Event, LateAnswer, MOST_LATER, Notice, Open, State, ToolCall, Unexpected,
};
use proptest::prelude::*;
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// What may happen, told without a look at the state.
#[derive(Clone, Debug)]
enum Happening {
    Message,
    Responds(u8),
    Fails,
    Completes(Which),
    Asks(Which),
    AsksLater(Which),
    Saves(Which),
    Answers(Which),
    Declines(Which),
    Cancels(Which, bool),
    Stops,
    /// The process ends, and another loads what was stored.
    Crash,
}

/// Which call something is about: the open one, or any other.
#[derive(Clone, Copy, Debug)]
enum Which {
    Open,
    /// One of the questions that wait.
    Waiting(u8),
    Other(u8),
}

fn happening() -> impl Strategy<Value = Happening> {
    let which = || prop_oneof![6 => Just(Which::Open), 4 => any::<u8>().prop_map(Which::Waiting), 1 => any::<u8>().prop_map(Which::Other)];
    prop_oneof![
        3 => Just(Happening::Message),
        6 => (0..4_u8).prop_map(Happening::Responds),
        1 => Just(Happening::Fails),
        6 => which().prop_map(Happening::Completes),
        6 => which().prop_map(Happening::Asks),
        4 => which().prop_map(Happening::AsksLater),
        2 => which().prop_map(Happening::Saves),
        4 => which().prop_map(Happening::Answers),
        2 => which().prop_map(Happening::Declines),
        1 => (which(), any::<bool>()).prop_map(|(which, result)| Happening::Cancels(which, result)),
        1 => Just(Happening::Stops),
        2 => Just(Happening::Crash),
    ]
}

/// A host that keeps to the contract, with its store.
struct Store {
    conversation: Conversation,
    /// What is stored: only this is left after a crash.
    stored: Value,
    /// How many results each call has.
    results: BTreeMap<String, usize>,
    /// The calls that the model made.
    calls: usize,
    /// The calls whose questions were open while the agent went on.
    asked_later: BTreeSet<String>,
    /// How many messages each of them has, and whether the last request to the model had it.
    messages: BTreeMap<String, (usize, bool)>,
}

impl Store {
    fn event(&mut self, happening: &Happening) -> Event {
        let open = self.conversation.state().call().map(|call| call.id.clone());
        let id = |which: &Which| match which {
            Which::Open => open.clone().unwrap_or_else(|| "none".into()),
            Which::Waiting(number) => {
                let waiting = open_calls(&self.conversation);
                let place = usize::from(*number) % waiting.len().max(1);
                waiting.into_iter().nth(place).unwrap_or_else(|| "none".into())
            }
            Which::Other(number) => format!("call_{number}"),
        };
        match happening {
            Happening::Message => Event::Message,
            Happening::Responds(count) => {
                let first = self.calls;
                let calls = (first..first + usize::from(*count)).map(|number| ToolCall {
                    id: format!("call_{number}"),
                    name: "tool".into(),
                    input: json!({}),
                });
                Event::ModelResponded { calls: calls.collect() }
            }
            Happening::Fails => Event::ModelFailed,
            Happening::Completes(which) => {
                Event::ToolCompleted { call_id: id(which), content: json!("done"), is_error: false }
            }
            Happening::Asks(which) | Happening::AsksLater(which) => Event::QuestionPending {
                call_id: id(which),
                request: json!({ "questions": [1] }),
                dialect: None,
                options: matches!(happening, Happening::AsksLater(_)).then(|| json!({ "blocking": false })),
                walk: None,
            },
            Happening::Saves(which) => Event::WalkSaved { call_id: id(which), walk: json!({ "log": [] }) },
            Happening::Answers(which) => Event::Closed {
                call_id: id(which),
                how: Closing::Answered,
                result: Some(json!({ "a": 1 })),
                results: Map::new(),
            },
            Happening::Declines(which) => Event::Closed {
                call_id: id(which),
                how: Closing::Declined,
                result: Some(json!({ "cancelled": true })),
                results: Map::new(),
            },
            Happening::Cancels(which, result) => Event::Closed {
                call_id: id(which),
                how: Closing::TurnEnded,
                result: result.then(|| json!({ "action": "cancel" })),
                results: open_calls(&self.conversation).into_iter().filter(|_| *result).map(own_end).collect(),
            },
            Happening::Stops => Event::Stopped { results: Map::new() },
            Happening::Crash => Event::Restarted,
        }
    }

    fn happens(&mut self, happening: &Happening) -> Result<(), TestCaseError> {
        if matches!(happening, Happening::Crash) {
            self.conversation = Conversation::from_json(&self.stored).unwrap();
        }
        let event = self.event(happening);
        let (before, attended) = (self.conversation.clone(), json!(self.conversation)["attended"] == true);
        let effects = match self.conversation.on(event.clone()) {
            Ok(effects) => effects,
            Err(error) => {
                prop_assert_eq!(&self.conversation, &before, "{:?} was refused and changed the state", event);
                prop_assert!(!matches!(event, Event::Restarted), "a stored conversation cannot be gone on with");
                let waits = before.open().any(|open| open.is_waited_for());
                prop_assert_eq!(waits && event == Event::Message, error.code() == "awaiting_user");
                prop_assert!(!error.to_string().is_empty());
                return Ok(());
            }
        };
        if let Event::ModelResponded { calls } = &event {
            self.calls += calls.len();
        }
        let closed = effects.iter().find_map(|effect| match effect {
            Effect::Notify(notice) => Some(&notice.closed[..]),
            _ => None,
        });
        let others = closed.unwrap_or_default().iter().map(|one| one.tool_call_id.as_str());
        let others: BTreeSet<&str> = others.filter(|call| Some(*call) != event.call_id()).collect();
        prop_assert_eq!(
            before.ended_by(&event).into_iter().collect::<BTreeSet<_>>(),
            others,
            "what ends with an event is told before it"
        );
        let waiting = open_calls(&self.conversation);
        prop_assert!(attended || waiting.is_empty(), "nobody is there");
        let (waited, later): (Vec<_>, Vec<_>) = self.conversation.open().partition(|open| open.is_waited_for());
        let ids = |open: &[Open<'_>]| open.iter().map(|one| one.call.id.clone()).collect::<Vec<_>>();
        let (waited, later) = (ids(&waited), ids(&later));
        prop_assert_eq!(&waiting, &[&waited[..], &later[..]].concat(), "what the agent waits for is not the first");
        prop_assert!(waited.iter().all(|id| !self.results.contains_key(id)), "a question with a result is open");
        prop_assert!(waited.len() < 2 || json!(self.conversation)["several_open"] == true);
        prop_assert!(later.len() <= MOST_LATER);
        self.asked_later.extend(later.iter().cloned());
        if matches!(event, Event::QuestionPending { .. }) {
            let was = before.open().count();
            prop_assert!(waiting.len() <= was + 1);
        }
        let told = json!(self.conversation.notice());
        let entries = told["requests"].as_array().cloned().unwrap_or_else(|| vec![told.clone()]);
        let listed: Vec<&str> = entries
            .iter()
            .filter(|one| !one["request"].is_null())
            .filter_map(|one| one["tool_call_id"].as_str())
            .collect();
        prop_assert_eq!(listed, waiting.iter().map(String::as_str).collect::<Vec<_>>());
        prop_assert_eq!(told["requests"].is_array(), waiting.len() > 1, "one alone has no list");
        let number = |id: &String| id.strip_prefix("call_").and_then(|number| number.parse::<usize>().ok());
        prop_assert!(waited.is_sorted_by_key(number) && later.is_sorted_by_key(number), "the oldest is the first");
        prop_assert_eq!(told.get("agent").is_some(), waited.is_empty() && !later.is_empty());
        for effect in &effects {
            match effect {
                Effect::PersistResults(results) => {
                    for result in results {
                        *self.results.entry(result.call_id.clone()).or_default() += 1;
                    }
                }
                Effect::PersistMessages(messages) => {
                    for LateAnswer { call_id, .. } in messages {
                        prop_assert!(!waiting.contains(call_id), "{} has its answer and is open", call_id);
                        prop_assert!(self.asked_later.contains(call_id) && self.results.contains_key(call_id));
                        self.messages.entry(call_id.clone()).or_default().0 += 1;
                    }
                }
                Effect::PersistState => self.stored = json!(self.conversation),
                Effect::Execute(call) => {
                    prop_assert!(!self.results.contains_key(&call.id), "{} has its result and is executed", call.id);
                }
                Effect::RequestModel | Effect::Done => {
                    self.each_call_has_its_result()?;
                    if *effect == Effect::RequestModel {
                        self.messages.values_mut().for_each(|(_, is_heard)| *is_heard = true);
                    } else if matches!(event, Event::ModelResponded { .. }) {
                        let all_heard = self.messages.values().all(|(_, is_heard)| *is_heard);
                        prop_assert!(all_heard, "the turn ends, and the model has not heard an answer");
                    }
                }
                Effect::Notify(notice) => prop_assert_eq!(&notice.state, &self.conversation.notice().state),
            }
        }
        prop_assert!(effects.contains(&Effect::PersistState));
        prop_assert_eq!(&Conversation::from_json(&self.stored).unwrap(), &self.conversation);
        prop_assert!(self.results.values().all(|count| *count == 1), "a result is doubled: {:?}", self.results);
        prop_assert!(self.messages.values().all(|(count, _)| *count == 1), "an answer is doubled: {:?}", self.messages);
        for id in &self.asked_later {
            prop_assert_eq!(
                self.results.get(id),
                Some(&1),
                "the call of a question that is not waited for has its result"
            );
            prop_assert!(waiting.contains(id) != self.messages.contains_key(id), "{} is neither open nor answered", id);
        }
        Ok(())
    }

    fn each_call_has_its_result(&self) -> Result<(), TestCaseError> {
        prop_assert_eq!(self.results.len(), self.calls, "a result is lost");
        Ok(())
    }
}

proptest! {
    #![proptest_config(crate::sample::tries())]

    #[test]
    fn no_result_is_lost_or_doubled(attended in prop::bool::weighted(0.8), several: bool, happenings in prop::collection::vec(happening(), 0..60)) {
        let conversation = Conversation::new(attended).several_open(several);
        let stored = json!(conversation);
        let (results, asked_later, messages) = Default::default();
        let mut store = Store { conversation, stored, results, calls: 0, asked_later, messages };
        for happening in &happenings {
            store.happens(happening)?;
        }
        // However it stands, the person can end it.
        if !matches!(store.conversation.state(), State::Idle) {
            store.happens(&Happening::Stops)?;
        }
        prop_assert_eq!(store.conversation.state(), &State::Idle);
        store.each_call_has_its_result()?;
        // What is still open can be answered, also after a crash.
        store.happens(&Happening::Crash)?;
        while store.conversation.open().next().is_some() {
            store.happens(&Happening::Answers(Which::Waiting(0)))?;
        }
        prop_assert_eq!(store.messages.len(), store.asked_later.len());
    }

    #[test]
    fn what_is_no_stored_conversation_is_refused(value in crate::sample::any_json()) {
        prop_assert!(Conversation::from_json(&value).is_err());
    }
}

/// What a dialect may say of its question that was ended, for a call.
fn own_end(id: String) -> (String, Value) {
    let end = json!({ "cancelled": id });
    (id, end)
}

fn call(id: &str) -> ToolCall {
    ToolCall { id: id.into(), name: "ask_user".into(), input: json!({}) }
}

/// A conversation in which `a` waits for the person, and `b` is still to come.
fn waiting() -> Conversation {
    let mut conversation = Conversation::new(true);
    for event in [
        Event::Message,
        Event::ModelResponded { calls: vec![call("a"), call("b")] },
        Event::QuestionPending {
            call_id: "a".into(),
            request: json!({ "questions": [] }),
            dialect: None,
            options: None,
            walk: None,
        },
    ] {
        conversation.on(event).unwrap();
    }
    conversation
}

#[test]
fn a_message_while_the_agent_waits_says_so() {
    let error = waiting().on(Event::Message).unwrap_err();
    assert_eq!(error, Unexpected::AwaitingUser { call_id: "a".into() });
    assert!(error.to_string().contains("waits for an answer"));
}

#[test]
fn the_end_of_the_turn_gives_every_open_call_its_result() {
    let effects = waiting()
        .on(Event::Closed { call_id: "a".into(), how: Closing::TurnEnded, result: None, results: Map::new() })
        .unwrap();
    let Effect::PersistResults(results) = &effects[0] else { panic!("{effects:?}") };
    assert_eq!(results[0].content, "User cancelled the question");
    assert_eq!((results.len(), results[1].call_id.as_str(), results[1].is_error), (2, "b", true));
    let Effect::Notify(notice) = &effects[2] else { panic!("{effects:?}") };
    assert_eq!(notice.closed, [Closed { tool_call_id: "a".into(), how: Closing::TurnEnded, key: None }]);
    assert_eq!(effects[3], Effect::Done);
}

#[test]
fn an_answer_to_a_question_that_is_closed_says_so() {
    let mut conversation = waiting();
    let answer =
        || Event::Closed { call_id: "a".into(), how: Closing::Answered, result: Some(json!({})), results: Map::new() };
    conversation.on(answer()).unwrap();
    assert_eq!(conversation.on(answer()), Err(Unexpected::NotOpen { call_id: "a".into() }));
}

#[test]
fn an_agent_without_a_user_gets_an_error_at_once() {
    let mut conversation = Conversation::new(false);
    conversation.on(Event::Message).unwrap();
    conversation.on(Event::ModelResponded { calls: vec![call("a")] }).unwrap();
    let effects = conversation
        .on(Event::QuestionPending {
            call_id: "a".into(),
            request: json!({}),
            dialect: None,
            options: None,
            walk: None,
        })
        .unwrap();
    let Effect::PersistResults(results) = &effects[0] else { panic!("{effects:?}") };
    assert_eq!(
        (results[0].content.as_str(), results[0].is_error),
        (Some("ask_user is not available to sub-agents"), true)
    );
    assert_eq!(effects.last(), Some(&Effect::RequestModel));
}

#[test]
fn a_tool_that_ran_when_the_host_ended_is_not_run_twice() {
    let mut conversation = Conversation::new(true);
    conversation.on(Event::Message).unwrap();
    conversation.on(Event::ModelResponded { calls: vec![call("a"), call("b")] }).unwrap();
    let mut again = Conversation::from_json(&json!(conversation)).unwrap();
    let effects = again.on(Event::Restarted).unwrap();
    assert!(matches!(&effects[0], Effect::PersistResults(results) if results[0].call_id == "a" && results[0].is_error));
    assert_eq!(effects.last(), Some(&Effect::Execute(call("b"))));
}

#[test]
fn clients_see_the_question_and_not_the_calls_to_come() {
    let mut conversation = waiting();
    let walk = json!({ "ask_user_walk": 1 });
    conversation.on(Event::WalkSaved { call_id: "a".into(), walk: walk.clone() }).unwrap();
    let notice = json!(conversation.notice());
    assert_eq!(notice["type"], "awaiting_user_response");
    assert_eq!((&notice["questions"], &notice["walk"], &notice["tool_call_id"]), (&json!([]), &walk, &json!("a")));
    assert_eq!(notice.get("remaining"), None);
}

#[test]
fn a_notice_has_all_that_the_element_needs_as_the_event_that_it_hears() {
    let mut conversation = Conversation::new(true);
    let call = ToolCall { id: "call_7".into(), name: "ask".into(), input: json!({}) };
    conversation.on(Event::Message).unwrap();
    conversation.on(Event::ModelResponded { calls: vec![call] }).unwrap();
    let pending = Event::QuestionPending {
        call_id: "call_7".into(),
        request: json!({ "questions": [{ "id": "name", "text": "Which name?", "answer_type": "text" }] }),
        dialect: Some("ask_user".into()),
        options: Some(json!({ "label": "Planner", "nonce": "n1" })),
        walk: None,
    };
    let effects = conversation.on(pending).unwrap();
    let Some(Effect::Notify(notice)) = effects.into_iter().find(|effect| matches!(effect, Effect::Notify(_))) else {
        panic!("clients are told")
    };
    let notice = Notice { version: Some("\"1\"".into()), ..notice };
    // tests/js/queue.test.mjs gives this very text to the element.
    let told: Value = serde_json::from_str(include_str!("../js/notice.json")).unwrap();
    assert_eq!(serde_json::to_value(&notice).unwrap(), told);
    assert_eq!(serde_json::from_value::<Notice>(told).unwrap(), notice);
    assert_eq!(Conversation::from_json(&json!(conversation)).unwrap(), conversation);
}

fn asks(id: &str) -> Event {
    let request = json!({ "questions": [{ "id": id, "text": "?", "answer_type": "boolean" }] });
    Event::QuestionPending { call_id: id.into(), request, dialect: None, options: None, walk: None }
}

fn open_calls(conversation: &Conversation) -> Vec<String> {
    conversation.open().map(|one| one.call.id.clone()).collect()
}

/// A conversation in which `a` and `b` wait for the person, and `c` runs.
fn two_open() -> Conversation {
    let mut conversation = Conversation::new(true).several_open(true);
    conversation.on(Event::Message).unwrap();
    conversation.on(Event::ModelResponded { calls: vec![call("a"), call("b"), call("c")] }).unwrap();
    assert_eq!(conversation.on(asks("a")).unwrap().last(), Some(&Effect::Execute(call("b"))));
    assert_eq!(conversation.on(asks("b")).unwrap().last(), Some(&Effect::Execute(call("c"))));
    conversation
}

#[test]
fn later_calls_run_while_questions_are_open_if_the_host_wants_that() {
    let mut conversation = two_open();
    let answer = |id: &str| Event::Closed {
        call_id: id.into(),
        how: Closing::Answered,
        result: Some(json!(id)),
        results: Map::new(),
    };
    assert_eq!(open_calls(&conversation), ["a", "b"]);
    let told = json!(conversation.notice());
    assert_eq!((&told["type"], &told["requests"][1]["tool_call_id"]), (&json!("awaiting_user_response"), &json!("b")));
    // In any order; the model is requested after the last.
    let effects = conversation.on(answer("b")).unwrap();
    assert!(matches!(&effects[0], Effect::PersistResults(results) if results[0].call_id == "b"));
    assert!(!effects.iter().any(|effect| matches!(effect, Effect::RequestModel | Effect::Execute(_))));
    let done = Event::ToolCompleted { call_id: "c".into(), content: json!(1), is_error: false };
    assert!(!conversation.on(done).unwrap().contains(&Effect::RequestModel));
    assert_eq!(open_calls(&conversation), ["a"]);
    // One alone is told as ever.
    assert_eq!(json!(conversation.notice())["tool_call_id"], "a");
    assert_eq!(conversation.on(Event::Message).unwrap_err().code(), "awaiting_user");
    assert_eq!(conversation.on(answer("b")).unwrap_err().code(), "not_open");
    assert_eq!(conversation.on(answer("a")).unwrap().last(), Some(&Effect::RequestModel));
}

#[test]
fn the_end_of_the_turn_closes_every_open_question() {
    for event in [
        Event::Stopped { results: Map::new() },
        Event::Closed { call_id: "a".into(), how: Closing::TurnEnded, result: None, results: Map::new() },
        Event::Closed { call_id: "b".into(), how: Closing::TurnEnded, result: Some(json!({})), results: Map::new() },
    ] {
        let mut conversation = two_open();
        let effects = conversation.on(event.clone()).unwrap();
        let Effect::PersistResults(results) = &effects[0] else { panic!("{effects:?}") };
        let mut ids: Vec<&str> = results.iter().map(|one| one.call_id.as_str()).collect();
        ids.sort_unstable();
        assert_eq!(ids, ["a", "b", "c"], "{event:?}");
        let Effect::Notify(notice) = &effects[2] else { panic!("{effects:?}") };
        let mut closed: Vec<&str> = notice.closed.iter().map(|one| one.tool_call_id.as_str()).collect();
        closed.sort_unstable();
        assert_eq!(closed, ["a", "b"], "{event:?}");
        assert_eq!((effects.last(), conversation.state()), (Some(&Effect::Done), &State::Idle));
        // As clients read it.
        let told = json!(notice);
        assert_eq!(serde_json::from_value::<Notice>(told).unwrap(), *notice);
    }
}

#[test]
fn each_question_that_ends_with_the_turn_has_the_result_that_its_own_dialect_gives() {
    let all = || ["a", "b", "c"].map(String::from).into_iter().map(own_end).collect::<Map<_, _>>();
    let own = json!({ "action": "cancel" });
    for event in [
        Event::Stopped { results: all() },
        Event::Closed { call_id: "a".into(), how: Closing::TurnEnded, result: Some(own.clone()), results: all() },
        Event::Closed { call_id: "c".into(), how: Closing::TurnEnded, result: Some(own.clone()), results: all() },
    ] {
        // Whether the last of them is the state's question, or a call that runs.
        for all_wait in [true, false] {
            let mut conversation = two_open();
            if all_wait {
                conversation.on(asks("c")).unwrap();
            } else if event.call_id() == Some("c") {
                continue;
            }
            let effects = conversation.on(event.clone()).unwrap();
            let Effect::PersistResults(results) = &effects[0] else { panic!("{effects:?}") };
            let result = |id: &str| results.iter().find(|one| one.call_id == id).unwrap();
            for id in ["a", "b", "c"].into_iter().filter(|id| all_wait || *id != "c") {
                let expected = if event.call_id() == Some(id) { own.clone() } else { json!({ "cancelled": id }) };
                assert_eq!((&result(id).content, result(id).is_error), (&expected, false), "{event:?}");
            }
            // What ran is no question.
            assert_eq!(result("c").is_error, !all_wait);
        }
    }
}

#[test]
fn a_walk_of_one_of_several_questions_is_kept_and_a_tool_may_go_on_without_its_answer() {
    let mut conversation = two_open();
    let walk = json!({ "ask_user_walk": 1 });
    conversation.on(Event::WalkSaved { call_id: "a".into(), walk: walk.clone() }).unwrap();
    let mut conversation = Conversation::from_json(&json!(conversation)).unwrap();
    assert_eq!(conversation.open().next().unwrap().walk, Some(&walk));
    let done = Event::ToolCompleted { call_id: "a".into(), content: json!(1), is_error: false };
    let effects = conversation.on(done).unwrap();
    let Effect::Notify(notice) = &effects[2] else { panic!("{effects:?}") };
    assert_eq!(notice.closed[0].how, Closing::Overtaken);
    // A restart ends the call that ran, and no question.
    conversation.on(Event::Restarted).unwrap();
    assert_eq!(open_calls(&conversation), ["b"]);
}

fn answered(id: &str) -> Event {
    Event::Closed { call_id: id.into(), how: Closing::Answered, result: Some(json!(id)), results: Map::new() }
}

#[test]
fn one_open_question_is_told_in_the_same_way_whether_or_not_a_call_runs() {
    let told = |several: bool| {
        let mut conversation = Conversation::new(true).several_open(several);
        conversation.on(Event::Message).unwrap();
        conversation.on(Event::ModelResponded { calls: vec![call("a"), call("b")] }).unwrap();
        conversation.on(asks("a")).unwrap();
        json!(conversation.notice())
    };
    assert_eq!(told(true), told(false));
    assert_eq!((&told(true)["tool_call_id"], &told(true)["requests"]), (&json!("a"), &Value::Null));
}

#[test]
fn the_oldest_question_stays_the_first() {
    let mut conversation = two_open();
    conversation.on(asks("c")).unwrap();
    assert_eq!(open_calls(&conversation), ["a", "b", "c"]);
    conversation.on(answered("c")).unwrap();
    assert_eq!(open_calls(&conversation), ["a", "b"]);
    let refused = conversation.on(Event::Message).unwrap_err();
    assert_eq!((refused.code(), refused.call_id()), ("awaiting_user", Some("a")));
}

#[test]
fn a_message_waits_for_the_open_questions_also_while_a_call_runs() {
    let mut conversation = two_open();
    let refused = conversation.on(Event::Message).unwrap_err();
    assert_eq!((refused.code(), refused.call_id()), ("awaiting_user", Some("a")));
}

#[test]
fn a_restart_ends_the_call_that_ran_and_goes_on_beside_the_open_questions() {
    let mut conversation = Conversation::new(true).several_open(true);
    conversation.on(Event::Message).unwrap();
    conversation.on(Event::ModelResponded { calls: vec![call("a"), call("b"), call("c")] }).unwrap();
    conversation.on(asks("a")).unwrap();
    let mut conversation = Conversation::from_json(&json!(conversation)).unwrap();
    let effects = conversation.on(Event::Restarted).unwrap();
    assert!(matches!(&effects[0], Effect::PersistResults(results) if results[0].call_id == "b" && results[0].is_error));
    assert_eq!(effects.last(), Some(&Effect::Execute(call("c"))));
    conversation.on(Event::ToolCompleted { call_id: "c".into(), content: json!(1), is_error: false }).unwrap();
    // What waits goes on waiting after another restart.
    conversation.on(Event::Restarted).unwrap();
    assert_eq!(open_calls(&conversation), ["a"]);
    assert_eq!(conversation.on(answered("a")).unwrap().last(), Some(&Effect::RequestModel));
}

#[test]
fn an_event_about_an_open_question_that_cannot_happen_changes_nothing() {
    let mut conversation = two_open();
    let before = conversation.clone();
    assert_eq!(conversation.on(asks("a")).unwrap_err().code(), "out_of_place");
    assert_eq!(conversation.on(Event::ModelFailed).unwrap_err().code(), "out_of_place");
    assert_eq!(conversation, before);
}

#[test]
fn a_conversation_without_this_option_is_stored_as_before() {
    let mut conversation = Conversation::new(true);
    assert_eq!(json!(conversation), json!({ "ask_user_conversation": 1, "attended": true, "state": "idle" }));
    conversation.on(Event::Message).unwrap();
    conversation.on(Event::ModelResponded { calls: vec![call("a"), call("b")] }).unwrap();
    conversation.on(asks("a")).unwrap();
    let stored = json!(conversation);
    let names: Vec<&str> = stored.as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(names, ["ask_user_conversation", "attended", "state", "call", "remaining", "request"]);
    assert_eq!(Conversation::from_json(&stored).unwrap(), conversation);
}

#[test]
fn questions_beside_no_call_are_not_read() {
    let mut stored = json!(two_open());
    stored["state"] = json!("idle");
    let error = Conversation::from_json(&stored).unwrap_err();
    assert_eq!(error.reason, "a question is open, and no call runs or waits");
}

fn asks_later(id: &str) -> Event {
    let request = json!({ "questions": [{ "id": id, "text": "?", "answer_type": "boolean" }] });
    let options = Some(json!({ "blocking": false }));
    Event::QuestionPending { call_id: id.into(), request, dialect: None, options, walk: None }
}

/// A conversation whose agent asked `a` and does not wait for the answer: the model is requested.
fn gone_on() -> Conversation {
    let mut conversation = Conversation::new(true);
    conversation.on(Event::Message).unwrap();
    conversation.on(Event::ModelResponded { calls: vec![call("a")] }).unwrap();
    assert_eq!(conversation.on(asks_later("a")).unwrap().last(), Some(&Effect::RequestModel));
    conversation
}

/// The same after its turn.
fn idle() -> Conversation {
    let mut conversation = gone_on();
    assert_eq!(conversation.on(Event::ModelResponded { calls: Vec::new() }).unwrap().last(), Some(&Effect::Done));
    conversation
}

fn late(id: &str) -> Effect {
    Effect::PersistMessages(vec![LateAnswer { call_id: id.into(), content: json!(id), is_error: false }])
}

#[test]
fn a_call_whose_question_is_not_waited_for_has_its_result_at_once_and_its_question_stays_open() {
    let mut conversation = Conversation::new(true);
    conversation.on(Event::Message).unwrap();
    conversation.on(Event::ModelResponded { calls: vec![call("a"), call("b")] }).unwrap();
    let effects = conversation.on(asks_later("a")).unwrap();
    let Effect::PersistResults(results) = &effects[0] else { panic!("{effects:?}") };
    assert_eq!((results.len(), results[0].call_id.as_str(), results[0].is_error), (1, "a", false));
    let told = results[0].content.as_str().unwrap();
    assert!(told.contains("open") && told.contains("later, as a message"), "{told}");
    assert_eq!(effects.last(), Some(&Effect::Execute(call("b"))));
    assert_eq!(open_calls(&conversation), ["a"]);
    assert_eq!(conversation.on(asks_later("a")).unwrap_err().code(), "out_of_place");
}

#[test]
fn an_answer_that_comes_later_is_a_message_and_the_model_is_requested_again() {
    let mut conversation = Conversation::from_json(&json!(idle())).unwrap();
    let told = json!(conversation.notice());
    assert_eq!((&told["type"], &told["agent"]), (&json!("awaiting_user_response"), &json!("idle")));
    let effects = conversation.on(answered("a")).unwrap();
    assert_eq!(
        (&effects[0], &effects[1], effects.last()),
        (&late("a"), &Effect::PersistState, Some(&Effect::RequestModel))
    );
    let Effect::Notify(notice) = &effects[2] else { panic!("{effects:?}") };
    assert_eq!(notice.closed[0].how, Closing::Answered);
    assert_eq!(conversation.on(answered("a")).unwrap_err().code(), "not_open");
}

#[test]
fn a_message_does_not_wait_for_a_question_that_the_agent_does_not_wait_for() {
    let mut conversation = idle();
    assert_eq!(conversation.on(Event::Message).unwrap().last(), Some(&Effect::RequestModel));
    assert_eq!(open_calls(&conversation), ["a"]);
}

#[test]
fn the_model_is_requested_again_for_an_answer_that_came_while_it_was_requested() {
    let mut conversation = gone_on();
    assert_eq!(conversation.on(answered("a")).unwrap()[0], late("a"));
    assert_eq!(conversation.state(), &State::RequestingModel { unheard: 1 });
    let mut conversation = Conversation::from_json(&json!(conversation)).unwrap();
    let mut again = conversation.clone();
    let effects = conversation.on(Event::ModelResponded { calls: Vec::new() }).unwrap();
    assert_eq!(effects.last(), Some(&Effect::RequestModel));
    assert_eq!(conversation.state(), &State::RequestingModel { unheard: 0 });
    assert_eq!(conversation.on(Event::ModelResponded { calls: Vec::new() }).unwrap().last(), Some(&Effect::Done));
    // A request that is made anew has it.
    again.on(Event::Restarted).unwrap();
    assert_eq!(again.state(), &State::RequestingModel { unheard: 0 });
}

#[test]
fn an_answer_that_comes_while_calls_run_ends_none_of_them() {
    let mut conversation = gone_on();
    conversation.on(Event::ModelResponded { calls: vec![call("b"), call("c")] }).unwrap();
    let effects = conversation.on(answered("a")).unwrap();
    assert_eq!((&effects[0], effects.len()), (&late("a"), 3));
    conversation.on(Event::ToolCompleted { call_id: "b".into(), content: json!(1), is_error: false }).unwrap();
    assert_eq!(conversation.state().call(), Some(&call("c")));
}

fn ends(id: &str, result: Option<Value>) -> Event {
    Event::Closed { call_id: id.into(), how: Closing::TurnEnded, result, results: Map::new() }
}

#[test]
fn the_end_of_a_turn_leaves_a_question_open_that_the_agent_does_not_wait_for() {
    let mut conversation = gone_on();
    // What is said of its result counts only where it ends.
    let results = Map::from_iter([own_end("a".into())]);
    assert_eq!(conversation.on(Event::Stopped { results }).unwrap().last(), Some(&Effect::Done));
    assert_eq!(open_calls(&conversation), ["a"]);
    // Said at that question, it is a message, and an agent that is done is not requested.
    let effects = conversation.on(ends("a", None)).unwrap();
    let Effect::PersistMessages(messages) = &effects[0] else { panic!("{effects:?}") };
    assert_eq!((messages[0].content.as_str(), messages[0].is_error), (Some("User cancelled the question"), true));
    assert!(!effects.contains(&Effect::RequestModel) && !effects.contains(&Effect::Done));
    assert_eq!(conversation.state(), &State::Idle);
}

#[test]
fn the_end_of_the_turn_at_a_question_that_the_agent_does_not_wait_for_leaves_the_turn_that_runs_alone() {
    let result = || json!({ "action": "cancel" });
    let message =
        || Effect::PersistMessages(vec![LateAnswer { call_id: "a".into(), content: result(), is_error: false }]);
    // A call runs, and another one comes after it.
    let mut working = gone_on();
    working.on(Event::ModelResponded { calls: vec![call("b"), call("c")] }).unwrap();
    let effects = working.on(ends("a", Some(result()))).unwrap();
    assert_eq!((&effects[0], effects.len()), (&message(), 3), "nothing is run, stopped or requested");
    let Effect::Notify(notice) = &effects[2] else { panic!("{effects:?}") };
    assert_eq!(notice.closed, [Closed { tool_call_id: "a".into(), how: Closing::TurnEnded, key: None }]);
    assert_eq!(working.state().call(), Some(&call("b")));
    let done = |id: &str| Event::ToolCompleted { call_id: id.into(), content: json!(1), is_error: false };
    assert_eq!(working.on(done("b")).unwrap().last(), Some(&Effect::Execute(call("c"))));
    // Another question waits, which the agent waits for.
    let mut waiting = gone_on();
    waiting.on(Event::ModelResponded { calls: vec![call("b")] }).unwrap();
    waiting.on(asks("b")).unwrap();
    assert_eq!(waiting.on(ends("a", Some(result()))).unwrap()[0], message());
    assert_eq!(open_calls(&waiting), ["b"]);
    assert_eq!(waiting.on(answered("b")).unwrap().last(), Some(&Effect::RequestModel));
    // The model is requested: it hears of it in this turn.
    let mut requested = gone_on();
    assert_eq!(requested.on(ends("a", Some(result()))).unwrap()[0], message());
    assert_eq!(requested.state(), &State::RequestingModel { unheard: 1 });
    let effects = requested.on(Event::ModelResponded { calls: Vec::new() }).unwrap();
    assert_eq!(effects.last(), Some(&Effect::RequestModel));
}

#[test]
fn the_id_of_a_call_whose_question_is_open_is_refused() {
    let mut conversation = gone_on();
    let refused = conversation.on(Event::ModelResponded { calls: vec![call("b"), call("a")] }).unwrap_err();
    assert_eq!((refused.code(), refused.call_id(), refused.is_about_calls()), ("open_call", Some("a"), true));
    conversation.on(answered("a")).unwrap();
    conversation.on(Event::ModelResponded { calls: vec![call("a")] }).unwrap();
}

#[test]
fn so_many_questions_are_open_and_no_more() {
    let mut conversation = Conversation::new(true);
    conversation.on(Event::Message).unwrap();
    let ids: Vec<String> = (0..=MOST_LATER).map(|number| format!("call_{number}")).collect();
    conversation.on(Event::ModelResponded { calls: ids.iter().map(|id| call(id)).collect() }).unwrap();
    let mut is_error = Vec::new();
    for id in &ids {
        let effects = conversation.on(asks_later(id)).unwrap();
        let Effect::PersistResults(results) = &effects[0] else { panic!("{effects:?}") };
        is_error.extend(results.iter().map(|result| result.is_error));
    }
    assert_eq!(is_error.iter().position(|is_error| *is_error), Some(MOST_LATER));
    assert_eq!(conversation.open().count(), MOST_LATER);
}

#[test]
fn what_the_agent_waits_for_comes_before_what_it_does_not_wait_for() {
    let mut conversation = gone_on();
    conversation.on(Event::ModelResponded { calls: vec![call("b")] }).unwrap();
    conversation.on(asks("b")).unwrap();
    assert_eq!(open_calls(&conversation), ["b", "a"]);
    assert_eq!(json!(conversation.notice()).get("agent"), None);
    let refused = conversation.on(Event::Message).unwrap_err();
    assert_eq!((refused.code(), refused.call_id()), ("awaiting_user", Some("b")));
}
