//! Nobody is answered for: what answers without asking answers only the question that it was given for, and says who it was.

use ask_user_core::{
    Action, Answer, Asks, By, Content, Detached, Dialect, Ending, Ends, Failure, Form, Given, Host, Policy, Refusal,
    Reuse, Source, Step, Taken, Target, Turn, Unrouted, Verdict, Walk,
    problem::NotAllowed,
    record::{Cancelled, Record, Response},
};
use serde_json::{Map, Value, json};

fn walk(request: &Value, host: &Host) -> Walk {
    Walk::new(Form::read(request, Dialect::Detect, host).unwrap())
}

/// A host whose tool `git` asks.
fn git() -> Host {
    Host { source: Source::Tool { name: "git".into() }, ..Host::default() }
}

fn detached(policy: Policy) -> Host {
    Host { attached: false, detached: policy.into(), ..git() }
}

fn asked_by_an_assistant(escalation: bool) -> Host {
    Host { target: Target::Assistant { model: None, escalation }, ..git() }
}

fn static_answer(id: &str, answer: Value) -> Host {
    Host { static_answers: [(id.to_owned(), answer)].into_iter().collect(), ..git() }
}

fn verdict(walk: &Walk, answer: Value) -> Action {
    let record = walk.consultation().unwrap().record;
    Action::Assistant(Verdict { record, reason: Some("It is so".into()), answer, model: Some("small".into()) })
}

/// The answers, and who gave each.
fn authors(walk: &Walk) -> Vec<(Value, By)> {
    walk.answered()
        .filter_map(|(_, taken)| taken)
        .map(|Taken { answer, by, .. }| (answer.shown(), by.clone()))
        .collect()
}

fn asks_person(walk: &Walk) -> bool {
    matches!(walk.step(), Step::Asking(asking) if asking.asks == Asks::Person)
}

fn deploy() -> Value {
    json!({ "questions": [{
        "id": "env", "text": "Deploy where?", "context": "Version 2", "header": "Deploy", "answer_type": "select", "default": "test",
        "options": [{ "value": "test", "label": "Test", "description": "for us" }, { "value": "prod", "preview": "all users" }]
    }] })
}

/// The turn in which the person said where to deploy, and to remember it.
fn remembered(request: &Value, answer: Value) -> Turn {
    let mut walk = walk(request, &git());
    walk.act(Action::Answer(Given { remember: true, ..Given::from(answer) })).unwrap();
    walk.turn()
}

#[test]
fn a_remembered_answer_counts_for_the_question_that_the_person_saw() {
    let turn = remembered(&deploy(), json!("prod"));
    let again = walk(&deploy(), &Host { turn: turn.clone(), ..git() });
    assert_eq!(authors(&again), [(json!("prod"), By::Remembered)]);
    // The default is a draft: it changes nothing of what was asked.
    let mut without_default = deploy();
    without_default["questions"][0].as_object_mut().unwrap().shift_remove("default");
    assert_eq!(authors(&walk(&without_default, &Host { turn, ..git() })), [(json!("prod"), By::Remembered)]);
}

#[test]
fn a_remembered_answer_counts_for_no_other_text_context_or_options() {
    let host = Host { turn: remembered(&deploy(), json!("prod")), ..git() };
    for (place, other) in [
        ("/text", json!("Deploy where to?")),
        ("/context", json!("Version 3")),
        ("/context", Value::Null),
        ("/header", json!("Delete")),
        ("/answer_type", json!("multi_select")),
        ("/options/0/label", json!("test")),
        ("/options/0/description", json!("for all")),
        ("/options/1/preview", json!("nobody")),
        ("/options", json!(["prod", "test"])),
        ("/options", json!(["prod"])),
    ] {
        let mut request = deploy();
        request["questions"][0].as_object_mut().unwrap().shift_remove("default");
        *request["questions"][0].pointer_mut(place).unwrap() = other;
        let walk = walk(&request, &host);
        assert!(asks_person(&walk), "{place}");
        assert_eq!(authors(&walk), []);
    }
    let other_tool = Host { source: Source::Tool { name: "rm".into() }, ..host };
    assert!(asks_person(&walk(&deploy(), &other_tool)));
}

#[test]
fn a_remembered_answer_that_the_question_does_not_take_is_asked_again() {
    let mut turn = remembered(&deploy(), json!("prod"));
    let mut entry = turn.remembered.get("git.env").unwrap();
    entry.answer = json!("production");
    turn.remembered.set("git.env".into(), entry);
    assert!(asks_person(&walk(&deploy(), &Host { turn, ..git() })));
}

#[test]
fn a_default_that_nobody_stated_answers_for_nobody() {
    let confirm = |default: Option<bool>| {
        let mut request = json!({ "action": "drop the table" });
        if let Some(default) = default {
            request["default"] = default.into();
        }
        walk(&request, &detached(Policy::Defaults))
    };
    let unrouted = Failure::Unrouted { question: "q1".into(), why: Unrouted::NoDefault };
    assert_eq!(confirm(None).ending(), Some(&Ending::Failed(unrouted)));
    assert_eq!(authors(&confirm(Some(true))), [(json!(true), By::Default)]);
    assert_eq!(authors(&confirm(Some(false))), [(json!(false), By::Default)]);
    // It is a draft where a person is there, and no more.
    let Step::Asking(asking) = walk(&json!({ "action": "drop the table" }), &git()).step() else { panic!() };
    assert_eq!((asking.draft, asking.asks), (Some(json!(true)), Asks::Person));
}

#[test]
fn an_agent_that_chooses_the_shape_of_codex_gets_no_secret_in_the_result() {
    let request = json!({ "questions": [{ "id": "key", "question": "Key?", "isSecret": true }] });
    for (dialect, shown, apart) in [(Dialect::Detect, "[redacted]", Some("hunter2")), (Dialect::Codex, "hunter2", None)]
    {
        let mut walk = Walk::new(Form::read(&request, dialect, &Host::default()).unwrap());
        assert_eq!(walk.form().dialect(), "codex");
        walk.act(Action::answer("hunter2")).unwrap();
        let outcome = walk.outcome().unwrap();
        assert_eq!(outcome.result, Some(json!({ "answers": { "key": { "answers": [shown] } } })));
        assert_eq!(outcome.secrets.get("key").and_then(Value::as_str), apart);
    }
}

#[test]
fn a_secret_answer_of_the_host_answers_secrets_alone() {
    let secret_answers: Map<String, Value> = [("key".to_owned(), json!("hunter2"))].into_iter().collect();
    let host = Host { secret_answers, ..git() };
    let ask = |kind: &str| walk(&json!({ "questions": [{ "id": "key", "text": "Key?", "answer_type": kind }] }), &host);
    let secret = ask("secret");
    assert_eq!(authors(&secret), [(json!("[redacted]"), By::Configuration)]);
    assert_eq!(secret.outcome().unwrap().secrets, host.secret_answers);
    assert_eq!(secret.outcome().unwrap().result, Some(json!({ "key": "[redacted]" })));
    for kind in ["text", "boolean", "number"] {
        assert!(asks_person(&ask(kind)), "{kind}");
    }
    let both = Host { static_answers: [("key".to_owned(), json!("other"))].into_iter().collect(), ..host.clone() };
    let both = walk(&json!({ "questions": [{ "id": "key", "text": "Key?", "answer_type": "secret" }] }), &both);
    assert_eq!(both.outcome().unwrap().secrets, host.secret_answers);
}

#[test]
fn a_static_answer_that_does_not_fit_is_an_error_that_does_not_show_it() {
    for (kind, value, code) in [
        ("boolean", json!("hunter2"), "wrong_type"),
        ("number", json!("hunter2"), "wrong_type"),
        ("secret", json!(["hunter2"]), "wrong_type"),
        ("secret", json!(""), "required"),
    ] {
        let request = json!({ "questions": [{ "id": "key", "text": "Key?", "answer_type": kind }] });
        let walk = walk(&request, &static_answer("key", value.clone()));
        let failure = Failure::InvalidStaticAnswer { question: "key".into(), code: code.into() };
        assert_eq!(walk.ending(), Some(&Ending::Failed(failure)));
        let outcome = walk.outcome().unwrap();
        assert_eq!(
            outcome.result,
            Some(json!({ "error": "invalid_static_answer", "message":
            format!("The host's configuration has an answer to the question \"key\" that the question does not take ({code}). Nobody \
                was asked. Do not retry: only a change of the configuration can fix this.") }))
        );
        let closed = Response::Cancelled { id: "call_1.key.1".into(), reason: Cancelled::InvalidStaticAnswer };
        assert_eq!(walk.records().last(), Some(Record::Response(closed)));
        let shown = format!("{walk:?} {:?} {} {}", outcome, json!(walk.events()), walk.save());
        assert!(!shown.contains("hunter2"), "{shown}");
    }
    let select = static_answer("env", json!("hunter2"));
    assert!(!format!("{:?}", walk(&deploy(), &select)).contains("hunter2"));
}

/// A choice that offers "Other".
fn color() -> Value {
    json!({ "questions": [{ "question": "Color?", "header": "H", "options": [{ "label": "Red" }, { "label": "Green" }] }] })
}

#[test]
fn a_text_that_is_no_option_is_other_whoever_gives_it() {
    let result = |walk: &Walk| walk.outcome().unwrap().result;
    let expected = Some(json!({ "answers": { "Color?": "Teal" } }));
    let fixed = walk(&color(), &static_answer("q1", json!("Teal")));
    assert_eq!((authors(&fixed), result(&fixed)), (vec![(json!("Teal"), By::Configuration)], expected.clone()));

    let mut assisted = walk(&color(), &asked_by_an_assistant(false));
    assisted.act(verdict(&assisted, json!("Teal"))).unwrap();
    assert_eq!(result(&assisted), expected);

    let reuse = Host { reuse: Some(Reuse::Turn), ..git() };
    let mut first = walk(&color(), &reuse);
    let other = Content::Other { text: "Teal".into(), beside: Vec::new() };
    first.act(Action::Answer(Given { remember: true, ..Given::new(other) })).unwrap();
    let again = walk(&color(), &Host { turn: first.turn(), ..reuse });
    assert_eq!((authors(&again), result(&again)), (vec![(json!("Teal"), By::Remembered)], expected));

    let request = json!({ "type": "user_question", "question": "Color?", "options": ["Red"], "default": "Teal", "allow_custom": true });
    let default = walk(&request, &detached(Policy::Defaults));
    assert_eq!(authors(&default), [(json!("Teal"), By::Default)]);
    // Where a person is there, it is in the field for other texts.
    let Step::Asking(asking) = walk(&request, &git()).step() else { panic!() };
    assert_eq!((asking.draft, asking.draft_other, asking.draft_answered), (Some(json!("Teal")), true, false));
}

#[test]
fn a_draft_says_whether_the_person_gave_it_and_the_question_that_was_left_open_stays_known() {
    let request = json!({ "questions": [
        { "id": "go", "text": "Go on?", "answer_type": "boolean", "default": true },
        { "id": "why", "text": "Why?", "answer_type": "text" },
    ] });
    let drafted = |walk: &Walk| {
        let Step::Asking(asking) = walk.step() else { panic!() };
        (asking.draft, asking.draft_answered)
    };
    let begun = walk(&request, &git());
    let mut walk = begun.clone();
    assert_eq!(drafted(&walk), (Some(json!(true)), false));
    // The same answer as the default is the person's own after Back.
    walk.act(Action::answer(true)).unwrap();
    assert_eq!((drafted(&walk), walk.left_open()), ((None, false), None));
    walk.act(Action::Back).unwrap();
    assert_eq!(drafted(&walk), (Some(json!(true)), true));
    walk.act(Action::answer(false)).unwrap();
    let mut replied = walk.clone();
    replied.act(Action::Reply(None)).unwrap();
    walk.act(Action::EndTurn).unwrap();
    for ended in [&replied, &walk] {
        assert_eq!(ended.left_open().map(|question| question.id.as_str()), Some("why"));
    }
    let mut completed = begun;
    completed.act(Action::answer(true)).unwrap();
    completed.act(Action::typed("so")).unwrap();
    assert_eq!(completed.left_open(), None, "a walk that was completed left nothing open");
}

#[test]
fn a_list_whose_last_item_is_no_option_is_other_beside_options() {
    let mut request = color();
    request["questions"][0]["multiSelect"] = true.into();
    let joined = |answer: Value| {
        walk(&request, &static_answer("q1", answer)).outcome().unwrap().result.unwrap()["answers"]["Color?"].clone()
    };
    assert_eq!(joined(json!(["Green", "Red", "Teal"])), "Red, Green, Teal");
    assert_eq!(joined(json!(["Teal"])), "Teal");
    let two = walk(&request, &static_answer("q1", json!(["Teal", "Navy"])));
    assert_eq!(two.outcome().unwrap().error(), Some("invalid_static_answer"));
}

#[test]
fn a_default_that_is_no_option_is_a_draft_of_other() {
    for (multiple, default, other) in [
        (false, json!(1), false),
        (false, json!("Red"), false),
        (false, json!("Teal"), true),
        (true, json!("Red"), false),
        (true, json!(["Red", "Green"]), false),
        (true, json!(["Red", "Teal"]), true),
        (true, json!([]), false),
    ] {
        let request = json!({
            "type": "user_question", "question": "Color?", "options": ["Red", "Green"], "allow_custom": true,
            "multi_select": multiple, "default": default
        });
        let Step::Asking(asking) = walk(&request, &Host::default()).step() else { panic!() };
        assert_eq!(asking.draft_other, other, "{default}");
    }
    let text = json!({ "type": "user_question", "question": "Why?", "options": [], "default": "So" });
    let Step::Asking(asking) = walk(&text, &Host::default()).step() else { panic!() };
    assert_eq!((asking.draft, asking.draft_other), (Some(json!("So")), false));
}

#[test]
fn the_person_says_what_is_other() {
    let mut walk = walk(&color(), &git());
    assert_eq!(walk.act(Action::answer("Teal")).unwrap_err().code(), "not_an_option");
    let blank = Content::Other { text: " ".into(), beside: Vec::new() };
    assert_eq!(walk.act(Action::Answer(Given::new(blank))).unwrap_err().code(), "required");
}

#[test]
fn a_late_verdict_changes_nothing() {
    let request = json!({ "questions": [
        { "id": "a", "text": "A?", "answer_type": "boolean" }, { "id": "b", "text": "B?", "answer_type": "boolean" }
    ] });
    let targets = [("b".to_owned(), Target::Assistant { model: None, escalation: false })].into_iter().collect();
    let mut walk = walk(&request, &Host { targets, ..git() });
    walk.act(Action::answer(true)).unwrap();
    let late = verdict(&walk, json!(true));
    walk.act(Action::Back).unwrap();
    assert_eq!(walk.act(late.clone()).unwrap_err().code(), "not_allowed");
    walk.act(Action::answer(false)).unwrap();
    assert_eq!(walk.consultation().unwrap().record, "call_1.b.2");
    let before = walk.clone();
    assert_eq!(walk.act(late), Err(Refusal::NotAllowed(NotAllowed::OTHER_VERDICT)));
    assert_eq!(walk, before);
    walk.act(verdict(&walk, json!(true))).unwrap();
    assert_eq!(walk.ending(), Some(&Ending::Completed));
}

#[test]
fn an_assistant_that_gives_no_answer_leaves_the_question_to_the_person_or_to_the_policy() {
    let request = json!({ "questions": [{ "id": "a", "text": "A?", "answer_type": "boolean", "default": true }] });
    for unfit in [None, Some(json!("perhaps"))] {
        let act = |host: &Host| {
            let mut walk = walk(&request, host);
            let action = unfit.clone().map_or(Action::NoAssistant, |answer| verdict(&walk, answer));
            walk.act(action).unwrap();
            let left = Response::Cancelled { id: "call_1.a.1".into(), reason: Cancelled::BackendError };
            assert_eq!(walk.records().nth(1), Some(Record::Response(left)));
            walk
        };
        assert!(asks_person(&act(&asked_by_an_assistant(true))));
        let nobody = |policy: Policy| Host { attached: false, detached: policy.into(), ..asked_by_an_assistant(false) };
        assert_eq!(authors(&act(&nobody(Policy::Defaults))), [(json!(true), By::Default)]);
        for policy in [Policy::Deny, Policy::Auto] {
            let failure = Failure::Unrouted { question: "a".into(), why: Unrouted::NoPromptBackend };
            assert_eq!(act(&nobody(policy)).ending(), Some(&Ending::Failed(failure)));
        }
    }
}

#[test]
fn the_no_of_an_assistant_goes_to_whoever_has_the_last_word() {
    let request = json!({ "questions": [{ "id": "a", "text": "A?", "answer_type": "boolean", "default": true }] });
    let mut attended = walk(&request, &asked_by_an_assistant(true));
    attended.act(verdict(&attended, json!(false))).unwrap();
    let Step::Asking(asking) = attended.step() else { panic!() };
    assert_eq!((asking.asks, asking.advice.unwrap().reason.as_deref()), (Asks::Person, Some("It is so")));

    let alone = |policy: Policy| {
        let host = Host { attached: false, detached: policy.into(), ..asked_by_an_assistant(true) };
        let mut walk = walk(&request, &host);
        walk.act(verdict(&walk, json!(false))).unwrap();
        authors(&walk)
    };
    assert_eq!(alone(Policy::Defaults), [(json!(true), By::Default)]);
    for policy in [Policy::Deny, Policy::Auto] {
        assert!(matches!(alone(policy).as_slice(), [(Value::Bool(false), By::Assistant(_))]));
    }
    // A yes needs nobody else, and neither does a no without escalation.
    for (escalation, answer) in [(true, true), (false, false)] {
        let mut walk = walk(&request, &asked_by_an_assistant(escalation));
        walk.act(verdict(&walk, answer.into())).unwrap();
        assert_eq!(walk.outcome().unwrap().result, Some(json!({ "a": answer })));
    }
}

#[test]
fn only_the_person_answers_what_is_personal() {
    let ask = |kind: &str, host: &Host| {
        walk(&json!({ "questions": [{ "id": "a", "text": "A?", "answer_type": kind }] }), host)
    };
    let denied = Ending::Failed(Failure::Unrouted { question: "a".into(), why: Unrouted::AssistantRoutingDenied });
    let nobody = Ending::Failed(Failure::Unrouted { question: "a".into(), why: Unrouted::NoPromptBackend });
    let exclusive = |host: Host| Host { exclusive: [("a".to_owned(), true)].into_iter().collect(), ..host };
    assert_eq!(ask("secret", &asked_by_an_assistant(true)).ending(), Some(&denied));
    assert_eq!(ask("boolean", &exclusive(asked_by_an_assistant(true))).ending(), Some(&denied));
    assert_eq!(ask("boolean", &exclusive(detached(Policy::Auto))).ending(), Some(&nobody));
    for policy in [Policy::Deny, Policy::Defaults, Policy::Auto] {
        assert_eq!(ask("secret", &detached(policy)).ending(), Some(&nobody));
    }
    let closed = ask("secret", &asked_by_an_assistant(false)).records().last();
    let reason = Cancelled::AssistantRoutingDenied;
    assert_eq!(closed, Some(Record::Response(Response::Cancelled { id: "call_1.a.1".into(), reason })));
    assert!(ask("boolean", &detached(Policy::Auto)).consultation().is_some());
    // The policy of the tool that asks goes before that of all.
    let tools = [("git".to_owned(), Policy::Auto.into())].into_iter().collect();
    assert!(
        ask("boolean", &Host { attached: false, detached: Detached { tools, ..Detached::default() }, ..git() })
            .consultation()
            .is_some()
    );
}

/// Two questions of a tool: the first is answered with `first` by the person, the second by the host.
fn told(host: &Host, first: bool) -> String {
    let request = json!({ "questions": [
        { "id": "a", "text": "Add the file?", "answer_type": "boolean", "default": first },
        { "id": "b", "text": "Push it?", "answer_type": "boolean", "default": false }
    ] });
    let mut walk = walk(&request, host);
    // Each is asked once, and the second perhaps by an assistant first.
    for _ in 0..4 {
        let Step::Asking(asking) = walk.step() else { break };
        let answer = json!(if asking.question.id == "a" { first } else { false });
        let action = if asking.asks == Asks::Assistant { verdict(&walk, answer) } else { Action::answer(answer) };
        walk.act(action).unwrap();
    }
    assert_eq!(walk.outcome().unwrap().ends(), Ends::Completed);
    walk.outcome().unwrap().explanation.unwrap()
}

#[test]
fn a_no_after_a_yes_does_not_claim_that_nothing_was_applied() {
    let hosts = [
        git(),
        static_answer("b", json!(false)),
        asked_by_an_assistant(false),
        asked_by_an_assistant(true),
        detached(Policy::Defaults),
    ];
    for host in hosts {
        let partly = told(&host, true);
        assert!(partly.contains("This was not applied. The other answers stand."), "{partly}");
        assert!(!partly.contains("nothing was changed"), "{partly}");
        let none = told(&host, false);
        assert!(none.contains("It was not applied, and nothing was changed.") && none.contains("\n\n"), "{none}");
    }
}

#[test]
fn a_no_says_whose_it_was() {
    let second = |host: &Host| told(host, true);
    assert_eq!(
        second(&git()),
        "The user answered no to \"Push it?\". This was not applied. The other answers stand. Do not propose the same again. Ask the \
         user what they want, or propose something else."
    );
    assert_eq!(
        second(&static_answer("b", json!(false))),
        "The host's configuration answers no to \"Push it?\". The user was not asked. This was not applied. The other answers stand. Do \
         not propose the same again: only a change of the configuration can allow it. Propose something else, or go on without it."
    );
    assert_eq!(
        second(&detached(Policy::Defaults)),
        "No user was there, and the default answer to \"Push it?\" is no. The user was not asked. This was not applied. The other answers \
         stand. Go on without it, or propose it again when a user is there."
    );
    assert_eq!(
        second(&asked_by_an_assistant(false)),
        "A secondary assistant (small) answered no to \"Push it?\". Reason: It is so. The user was not asked. This was not \
         applied. The other answers stand. Propose other changes that address the reason, or ask the user to review these."
    );
    assert_eq!(
        second(&asked_by_an_assistant(true)),
        "The user answered no to \"Push it?\". A secondary assistant (small) had advised against it. Reason: It is so. This was not \
         applied. The other answers stand. Do not propose the same again. Change it as the reason says, or ask the user what they want."
    );
    let request = json!({ "questions": [{ "id": "b", "text": "Push it?", "answer_type": "boolean" }] });
    let again = walk(&request, &Host { turn: remembered(&request, json!(false)), ..git() });
    assert_eq!(
        again.outcome().unwrap().explanation.unwrap(),
        "The user's answer from earlier in this turn counts for \"Push it?\" as well: no. It was not applied, and nothing was changed. Do \
         not propose the same again in this turn. Ask the user what they want, or propose something else."
    );
}

#[test]
fn a_no_to_a_question_of_the_agent_itself_needs_no_explanation() {
    let request = json!({ "question": "Push it?", "answer_type": "boolean" });
    let mut own = walk(&request, &Host::default());
    own.act(Action::answer(false)).unwrap();
    assert_eq!(own.outcome().unwrap().explanation, None);
    let mut replied = walk(&request, &git());
    replied.act(Action::Reply(None)).unwrap();
    assert_eq!(replied.outcome().unwrap().explanation, None);
}

#[test]
fn an_action_with_a_secret_does_not_show_it() {
    let given = || Given { note: Some("hunter2".into()), remember: true, ..Given::from(json!("hunter2")) };
    assert_eq!(format!("{:?}", Action::Answer(given())), "Answer(Given { remember: true, .. })");
    assert_eq!(format!("{:?}", Action::typed("hunter2")), "Answer(Given { remember: false, .. })");
    let host = Host {
        secret_answers: [("a".to_owned(), json!("hunter2"))].into_iter().collect(),
        ..static_answer("b", json!("hunter2"))
    };
    let shown = format!("{host:?}");
    assert!(shown.contains("secret_answers: [\"a\"]") && shown.contains("static_answers: [\"b\"]"), "{shown}");
    assert!(!shown.contains("hunter2"));
}

#[test]
fn a_secret_answer_is_redacted_in_json_and_has_no_value_when_read_back() {
    let mut walk = walk(&json!({ "question": "Key?", "answer_type": "secret" }), &git());
    walk.act(Action::answer("hunter2")).unwrap();
    let (_, taken) = walk.answered().next().unwrap();
    let shown = serde_json::to_value(&taken.unwrap().answer).unwrap();
    assert!(shown.to_string().contains("\"[redacted]\""), "{shown}");
    let read: Answer = serde_json::from_value(shown).unwrap();
    assert!(matches!(&read, Answer::Secret(secret) if secret.reveal().is_none()), "{read:?}");
}

#[test]
fn a_question_that_is_asked_again_in_the_same_turn_has_a_record_of_its_own() {
    let request = json!({ "questions": [
        { "id": "a", "text": "A?", "answer_type": "boolean" },
        { "id": "b", "text": "B?", "answer_type": "text", "when": { "question_id": "a", "equals": true } },
    ] });
    let ids = |walk: &Walk| -> Vec<String> {
        let requests = walk.records().filter_map(|record| match record {
            Record::Request(request) => Some(request.id),
            Record::Response(_) => None,
        });
        requests.collect()
    };
    let host = Host { tool_call_id: "call".into(), ..git() };
    let mut first = walk(&request, &host);
    first.act(Action::answer(false)).unwrap();
    assert_eq!(serde_json::to_value(first.turn().attempts).unwrap(), json!({ "call.a": 1 }), "b was not asked");
    let mut second = walk(&request, &Host { turn: first.turn(), ..host });
    second.act(Action::answer(true)).unwrap();
    assert_eq!((ids(&first), ids(&second)), (vec!["call.a.1".into()], vec!["call.a.2".into(), "call.b.1".into()]));
    assert_eq!(serde_json::to_value(second.turn().attempts).unwrap(), json!({ "call.a": 2, "call.b": 1 }));
}

#[test]
fn a_consultation_holds_a_schema_whose_references_still_lead_where_they_did() {
    let schema = json!({
        "$defs": { "node": { "type": "array", "items": { "$ref": "#/$defs/node" } }, "own": { "$id": "urn:own", "items": { "$ref": "#" } } },
        "properties": { "tree": { "$ref": "#/$defs/node" }, "self": { "$ref": "#" }, "own": { "$ref": "urn:own" }, "same": { "const": { "$ref": "#" } } }
    });
    let request = json!({ "question": "Tree?", "answer_type": "schema", "schema": schema });
    let walk = walk(&request, &asked_by_an_assistant(false));
    let schema = walk.consultation().unwrap().schema;
    assert_eq!(schema["properties"]["answer"]["properties"]["same"], json!({ "const": { "$ref": "#" } }));
    assert_eq!(schema["properties"]["answer"]["$defs"]["own"], json!({ "$id": "urn:own", "items": { "$ref": "#" } }));
    let validator = jsonschema::validator_for(&schema).unwrap();
    for (answer, valid) in [
        (json!({ "tree": [[], [[]]] }), true),
        (json!({ "tree": [1] }), false),
        (json!({ "self": { "tree": [] } }), true),
        (json!({ "self": { "tree": 1 } }), false),
        (json!({ "own": [[[]]] }), true),
        (json!({ "same": { "$ref": "#" } }), true),
        (json!({ "same": {} }), false),
    ] {
        assert_eq!(validator.is_valid(&json!({ "reason": "So.", "answer": answer })), valid, "{answer}");
        let mut answered = walk.clone();
        answered.act(verdict(&walk, answer.clone())).unwrap();
        assert_eq!(answered.outcome().is_some(), valid, "{answer}");
    }
}

#[test]
fn a_consultation_asks_with_the_whole_question() {
    let prompt = |request: &Value, host: &Host| {
        let walk =
            walk(request, &Host { target: Target::Assistant { model: None, escalation: false }, ..host.clone() });
        let prompt = walk.consultation().unwrap().prompt;
        let (task, question) = prompt.split_once("\n\n").unwrap();
        assert!(task.starts_with("You answer one question in the user's place."), "{task}");
        question.to_owned()
    };
    let host = Host { source: Source::Assistant, ..Host::default() };
    assert_eq!(
        prompt(&deploy(), &git()),
        "The tool \"git\" asks: Deploy where?\n\nVersion 2\n\nThe options:\n- \"test\" = Test: for us\n- \"prod\""
    );
    assert_eq!(prompt(&json!({ "question": "Why?", "answer_type": "text" }), &host), "The question: Why?");
    assert_eq!(
        prompt(&color(), &host),
        "The question: Color?\n\nThe options:\n- \"Red\"\n- \"Green\"\n- or a text of your own"
    );
    let elicitation = json!({ "message": "Two things.", "requestedSchema": { "type": "object", "properties": {
        "port": { "type": "integer", "title": "Port?", "description": "Of the server." }, "b": { "type": "string" }
    } } });
    let asked = prompt(&elicitation, &host);
    assert!(asked.contains("Port?\n\nTwo things.\n\nOf the server."), "{asked}");
}

#[test]
fn the_schema_of_a_consultation_accepts_what_the_question_takes() {
    let property = |schema: Value| json!({ "message": "?", "requestedSchema": { "type": "object", "properties": { "p": schema }, "required": ["p"] } });
    let several = json!({ "type": "array", "items": { "enum": ["p", "q", "r"] }, "minItems": 1, "maxItems": 2 });
    let schema = |schema: Value| json!({ "question": "?", "answer_type": "schema", "schema": schema });
    for request in [
        property(json!({ "type": "boolean" })),
        property(json!({ "enum": ["p", "q"] })),
        property(several),
        property(json!({ "type": "string", "minLength": 2, "maxLength": 3 })),
        property(json!({ "type": "string", "pattern": "^p" })),
        property(json!({ "type": "string", "format": "date" })),
        property(json!({ "type": "number", "minimum": 1, "maximum": 2.5 })),
        property(json!({ "type": "integer" })),
        json!({ "question": "?", "answer_type": "select", "options": [{ "value": 1 }, { "value": true }, "p"] }),
        json!({ "question": "?", "answer_type": "multi_select", "options": [{ "value": 1 }, { "value": true }, "p"] }),
        color(),
        schema(json!({ "type": "array" })),
        schema(json!(true)),
        schema(json!(false)),
    ] {
        let walk = walk(&request, &asked_by_an_assistant(false));
        let schema = walk.consultation().unwrap().schema;
        let validator = jsonschema::options().should_validate_formats(true).build(&schema).unwrap();
        for answer in [
            json!(null),
            json!(true),
            json!(false),
            json!(0),
            json!(1),
            json!(2.5),
            json!(3),
            json!(""),
            json!("p"),
            json!("pq"),
            json!("pqrs"),
            json!("Red"),
            json!("2026-02-28"),
            json!("2026-02-30"),
            json!([]),
            json!(["p"]),
            json!(["p", "q", "r"]),
            json!(["p", "p"]),
            json!([1, true]),
            json!({}),
        ] {
            let mut answered = walk.clone();
            answered.act(verdict(&walk, answer.clone())).unwrap();
            let taken = answered.answered().any(|(_, taken)| taken.is_some());
            // A text that is blank is no "Other".
            let accepted = validator.is_valid(&json!({ "reason": "So.", "answer": answer }))
                && !(request == color() && answer == "");
            assert_eq!(accepted, taken, "{answer} to {request}");
        }
        assert!(!validator.is_valid(&json!({ "answer": true })), "without a reason");
    }
}

#[test]
fn a_remembered_answer_counts_for_no_other_message() {
    let request = |message: &str| {
        json!({ "message": message, "requestedSchema": { "type": "object",
            "properties": { "ok": { "type": "boolean", "title": "Go on?" } }, "required": ["ok"] } })
    };
    let host = Host { reuse: Some(Reuse::Turn), review: Some(false), ..git() };
    let answer = |request: &Value| {
        let mut walk = walk(request, &host);
        walk.act(Action::Answer(Given { remember: true, ..Given::from(json!(true)) })).unwrap();
        walk.turn()
    };
    let turn = answer(&request("Create a test table?"));
    assert!(!asks_person(&walk(&request("Create a test table?"), &Host { turn: turn.clone(), ..host.clone() })));
    assert!(asks_person(&walk(&request("Drop the production database?"), &Host { turn, ..host.clone() })));
    // A message that is too long to be kept for each question.
    for (length, asked_again) in [(4_000, false), (4_001, true)] {
        let long = request(&"x".repeat(length));
        assert_eq!(asks_person(&walk(&long, &Host { turn: answer(&long), ..host.clone() })), asked_again);
    }
    let url = walk(&json!({ "mode": "url", "message": "Open it?", "url": "https://example.com" }), &host);
    let opened = url.clone().act(Action::Answer(Given { remember: true, ..Given::from(json!(true)) }));
    assert_eq!(opened.unwrap_err().code(), "not_allowed", "the next URL has to be opened, too");
}

#[test]
fn an_answer_with_more_digits_than_a_value_holds_is_asked_again() {
    let request = json!({ "questions": [{ "id": "n", "text": "How many?", "answer_type": "number" }] });
    for (typed, asked_again) in [("12", false), ("12345678901234567890123", true)] {
        let mut first = walk(&request, &git());
        first.act(Action::Answer(Given { remember: true, ..Given::new(Content::Typed(typed.into())) })).unwrap();
        assert_eq!(asks_person(&walk(&request, &Host { turn: first.turn(), ..git() })), asked_again, "{typed}");
    }
}

#[test]
fn an_outcome_does_not_show_its_secrets() {
    let mut walk = walk(&json!({ "question": "Key?", "answer_type": "secret" }), &git());
    walk.act(Action::answer("hunter2")).unwrap();
    let shown = format!("{:?}", walk.outcome().unwrap());
    assert!(!shown.contains("hunter2") && shown.contains("secrets: ["), "{shown}");
}

#[test]
fn a_form_of_a_sub_agent_fails_whatever_is_in_it() {
    let host = Host { sub_agent: true, ..git() };
    for request in
        [json!({ "questions": [{ "id": 5, "text": "?", "answer_type": "x" }] }), json!({ "question": "" }), deploy()]
    {
        assert_eq!(walk(&request, &host).outcome().unwrap().error(), Some("sub_agent"), "{request}");
    }
}
