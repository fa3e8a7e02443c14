//! Samples for properties: any JSON, requests of every dialect, answers that fit and answers that do not, and hosts.

use super::agents::small;
use ask_user_core::{
    Action, Answer, AnswerType, Budget, Content, Detached, Dialect, Form, Given, Host, Limits, Outline, Policy,
    Question, Reuse, Source, Step, Target, Walk, json::FromJson,
};
use proptest::{prelude::*, test_runner::RngSeed};
use serde_json::{Map, Value, json};

/// How each property is tried: 250 cases from a fixed seed, the same in every run. `ASK_USER_CASES` (or `PROPTEST_CASES`) sets another
/// number of cases, which are new in each run unless `PROPTEST_RNG_SEED` is set.
pub fn tries() -> ProptestConfig {
    let said = ["ASK_USER_CASES", "PROPTEST_CASES"].iter().find_map(|name| std::env::var(name).ok()?.parse().ok());
    let config = ProptestConfig { cases: said.unwrap_or(250), failure_persistence: None, ..ProptestConfig::default() };
    match (said, config.rng_seed) {
        (None, RngSeed::Random) => ProptestConfig { rng_seed: RngSeed::Fixed(0xa5c_05e2), ..config },
        _ => config,
    }
}

/// Decisions, taken one after the other. Beyond the last, the first come again.
#[derive(Clone, Debug)]
pub struct Dice {
    rolls: Vec<u8>,
    next: usize,
}

impl Dice {
    /// A number below `sides`.
    pub fn roll(&mut self, sides: usize) -> usize {
        let rolled = self.rolls[self.next % self.rolls.len()] as usize + self.next / self.rolls.len();
        self.next += 1;
        rolled % sides
    }

    /// True once in so many times.
    pub fn once_in(&mut self, times: usize) -> bool {
        self.roll(times) == times - 1
    }

    /// One of these.
    pub fn pick<T: Clone>(&mut self, of: &[T]) -> T {
        of[self.roll(of.len())].clone()
    }
}

/// Dice for one request, one host, or one walk.
pub fn dice() -> impl Strategy<Value = Dice> {
    prop::collection::vec(any::<u8>(), 8..120).prop_map(|rolls| Dice { rolls, next: 0 })
}

/// Any JSON value, with the words of requests more often than chance would have them.
pub fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        any::<String>().prop_map(Value::from),
        word().prop_map(Value::from),
    ];
    leaf.prop_recursive(6, 64, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Value::Array),
            prop::collection::vec((prop_oneof![word(), any::<String>()], inner), 0..6)
                .prop_map(|fields| Value::Object(fields.into_iter().collect())),
        ]
    })
}

fn word() -> impl Strategy<Value = String> {
    prop::sample::select(vec![
        "questions",
        "question",
        "id",
        "text",
        "answer_type",
        "options",
        "schema",
        "default",
        "when",
        "question_id",
        "equals",
        "value",
        "label",
        "description",
        "preview",
        "header",
        "context",
        "boolean",
        "select",
        "multi_select",
        "number",
        "secret",
        "type",
        "$ref",
        "#",
        "properties",
        "a",
        "b",
        "",
    ])
    .prop_map(str::to_owned)
}

/// A request that is right, and the form that it is for a host without options.
#[derive(Clone, Debug)]
pub struct Sample {
    pub dialect: Dialect,
    pub request: Value,
    pub form: Form,
}

impl Sample {
    pub fn new(dice: &mut Dice) -> Self {
        let (dialect, request) = request(dice);
        let form = Form::read(&request, dialect, &Host::default()).unwrap();
        Self { dialect, request, form }
    }
}

fn request(dice: &mut Dice) -> (Dialect, Value) {
    match dice.roll(20) {
        18 | 19 => agent(dice),
        16 | 17 => (Dialect::Detect, approvals(dice)),
        0..8 => (Dialect::Detect, ask_user(dice)),
        8 | 9 => (Dialect::Mcp, elicitation(dice)),
        10 => (Dialect::Detect, elicitations(dice)),
        11 => (dice.pick(&[Dialect::Codex, Dialect::Detect]), codex(dice)),
        12 | 13 => labelled(dice),
        14 => (Dialect::Deepagents, interrupt(dice)),
        _ => (Dialect::Detect, single(dice)),
    }
}

/// A question list of `ask_user`: any types with any of their fields, each perhaps with a default, and perhaps asked only under some condition on
/// earlier answers.
pub fn ask_user(dice: &mut Dice) -> Value {
    let mut questions: Vec<Value> = Vec::new();
    for place in 0..=dice.roll(8) {
        let kind = dice.pick(&["boolean", "boolean", "select", "multi_select", "text", "number", "secret", "schema"]);
        let mut question =
            json!({ "id": format!("q{place}"), "text": format!("Question {place}?"), "answer_type": kind });
        match kind {
            "select" | "multi_select" => {
                let mut second = json!({ "value": 2, "label": "Two", "description": "The second" });
                for mark in ["recommended", "danger"] {
                    if dice.once_in(5) {
                        second[mark] = true.into();
                    }
                }
                question["options"] = json!(["a", second, { "value": true }, "d"]);
                question["other"] = dice.once_in(3).into();
            }
            "schema" => question["schema"] = schema(dice),
            _ => {}
        }
        if kind != "secret" && dice.once_in(4) {
            question["optional"] = true.into();
        }
        if dice.once_in(8) {
            question["danger"] = true.into();
        }
        if dice.once_in(3) {
            question["context"] = "**Read this.**".into();
        }
        if dice.once_in(2) && !["secret", "schema"].contains(&kind) {
            question["default"] = dice.pick(&answers_to(kind));
        }
        let earlier: Vec<&Value> = questions.iter().filter(|earlier| earlier["answer_type"] != "secret").collect();
        if !earlier.is_empty() && dice.once_in(2) {
            question["when"] = condition(dice, &earlier, 3);
        }
        questions.push(question);
    }
    possible(json!({ "questions": questions }))
}

/// The request without the conditions on answers that cannot be: they are rejected.
fn possible(mut request: Value) -> Value {
    loop {
        let problems = match Form::read(&request, Dialect::AskUser, &Host::default()) {
            Ok(_) => return request,
            Err(rejection) => rejection.problems,
        };
        for problem in problems {
            assert_eq!(problem.code(), "when_never_true", "{problem} {request}");
            let place: usize = problem.path.as_str().split('/').nth(2).unwrap().parse().unwrap();
            request["questions"][place].as_object_mut().unwrap().remove("when");
        }
    }
}

/// Any condition on some of these questions, nested at most so deep.
fn condition(dice: &mut Dice, earlier: &[&Value], depth: usize) -> Value {
    let roll = dice.roll(if depth == 0 { 6 } else { 10 });
    if roll >= 6 {
        let inner = |dice: &mut Dice| condition(dice, earlier, depth - 1);
        let list = |dice: &mut Dice| Value::from((0..=dice.roll(3)).map(|_| inner(dice)).collect::<Vec<_>>());
        return match roll {
            6 | 7 => json!({ "all": list(dice) }),
            8 => json!({ "any": list(dice) }),
            _ => json!({ "not": inner(dice) }),
        };
    }
    let question = earlier[dice.roll(earlier.len())];
    let kind = question["answer_type"].as_str().unwrap();
    let mut values = answers_to(kind);
    let may_be_null = question.get("when").is_some() || question["optional"] == true;
    if may_be_null {
        values.push(Value::Null);
    }
    if question["other"] == true {
        values.push(json!("mine"));
    }
    if kind == "multi_select" {
        values.extend([json!([true, "a", 2.0, "d"]), json!(["d", "mine"]), json!(["mine"]), json!(["a", "a"])]);
    }
    let mut when = json!({ "question_id": question["id"] });
    match roll {
        0 | 1 => when["equals"] = dice.pick(&values),
        2 => when["in"] = (0..=dice.roll(3)).map(|_| dice.pick(&values)).collect(),
        3 if kind == "multi_select" => {
            when["contains"] = dice.pick(&[json!("a"), json!(2), json!("mine"), json!("none")])
        }
        3 | 4 => when["answered"] = dice.once_in(2).into(),
        _ if may_be_null => when["equals"] = Value::Null,
        _ => when["equals"] = dice.pick(&values),
    }
    when
}

fn answers_to(kind: &str) -> Vec<Value> {
    match kind {
        "boolean" => vec![true.into(), false.into()],
        "select" => vec!["a".into(), 2.into(), true.into()],
        "multi_select" => vec![json!([]), json!(["a"]), json!(["d", 2])],
        "number" => vec![0.into(), json!(-1.5), json!(1e300)],
        "schema" => vec![json!({}), json!({ "n": 1 })],
        _ => vec!["".into(), "x".into(), "two\nlines".into()],
    }
}

fn schema(dice: &mut Dice) -> Value {
    dice.pick(&[
        json!({ "type": "object", "properties": { "n": { "type": "integer" } } }),
        json!({ "type": "number", "maximum": 10 }),
        json!({ "$defs": { "node": { "type": "array", "items": { "$ref": "#/$defs/node" } } }, "$ref": "#/$defs/node" }),
        json!(true),
    ])
}

fn single(dice: &mut Dice) -> Value {
    match dice.roll(4) {
        0 => json!({ "question": "One?" }),
        1 => json!({ "question": "One?", "answer_type": "boolean", "default": false }),
        2 => json!({ "question": "One?", "answer_type": "secret" }),
        _ => json!({ "question": "One?", "answer_type": "schema", "schema": schema(dice) }),
    }
}

/// An elicitation of the Model Context Protocol with properties of every kind.
pub fn elicitation(dice: &mut Dice) -> Value {
    const NAMES: [&str; 8] = ["zeta", "a.b", "a_b", "a", "", "mid", "first name", "B"];
    let kinds = [
        json!({ "type": "boolean" }),
        json!({ "type": "string", "title": "A text" }),
        json!({ "type": "string", "pattern": "^[a-z]+$", "minLength": 1, "maxLength": 5 }),
        json!({ "type": "string", "format": "email" }),
        json!({ "type": "string", "format": "date-time" }),
        json!({ "type": "number", "minimum": -1, "maximum": 10 }),
        json!({ "type": "integer", "default": 3 }),
        json!({ "type": "string", "enum": ["x", "y"], "enumNames": ["The X", "The Y"], "default": "y" }),
        json!({ "type": "string", "oneOf": [{ "const": "l", "title": "Left" }, { "const": "r", "title": "Right" }] }),
        json!({ "type": "array", "items": { "enum": ["p", "q", "r"] }, "minItems": 1, "maxItems": 2 }),
        json!({ "type": "object", "properties": { "n": { "type": "integer" } }, "additionalProperties": false }),
    ];
    let (mut properties, mut required) = (Map::new(), Vec::new());
    for _ in 0..dice.roll(6) {
        let name = dice.pick(&NAMES);
        properties.insert(name.to_owned(), dice.pick(&kinds));
        if dice.once_in(2) {
            required.push(name);
        }
    }
    json!({ "message": "Please.", "requestedSchema": { "type": "object", "properties": properties, "required": required } })
}

fn elicitations(dice: &mut Dice) -> Value {
    let mut requests = Map::new();
    for name in ["z", "y", "a.a", "a"].iter().take(1 + dice.roll(4)) {
        let params = match dice.roll(4) {
            0 => json!({ "mode": "url", "message": "Sign in", "url": "https://example.com/in" }),
            _ => elicitation(dice),
        };
        requests.insert((*name).to_owned(), json!({ "method": "elicitation/create", "params": params }));
    }
    json!({ "inputRequests": requests, "requestState": "state" })
}

fn codex(dice: &mut Dice) -> Value {
    let question = |dice: &mut Dice, place: usize| {
        let mut question = json!({ "id": format!("c{place}"), "question": "What?", "header": "H" });
        if dice.once_in(2) {
            question["options"] = json!([{ "label": "One" }, { "label": "Two", "description": "2" }]);
            question["isOther"] = dice.once_in(2).into();
        }
        // A secret has no options.
        question["isSecret"] = (question.get("options").is_none() && dice.once_in(2)).into();
        question
    };
    json!({ "questions": (0..=dice.roll(3)).map(|place| question(dice, place)).collect::<Vec<_>>() })
}

/// A request of one of the agents that a table declares.
fn agent(dice: &mut Dice) -> (Dialect, Value) {
    let declared = Dialect::ALL.into_iter().filter(|dialect| !small(*dialect).is_null()).collect::<Vec<_>>();
    let dialect = dice.pick(&declared);
    (dialect, small(dialect))
}

fn labelled(dice: &mut Dice) -> (Dialect, Value) {
    let dialect = dice.pick(&[Dialect::AskUserQuestion, Dialect::Claude, Dialect::Opencode, Dialect::Gemini]);
    let question = |dice: &mut Dice, place: usize| {
        let options = json!([{ "label": "Red", "preview": "red" }, { "label": "Green", "description": "like grass" }, { "label": "Blue" }]);
        let mut question = json!({ "question": format!("Number {place}?"), "header": "Pick", "options": options });
        match dialect {
            Dialect::Opencode => {
                question["multiple"] = dice.once_in(2).into();
                question["custom"] = dice.once_in(2).into();
            }
            Dialect::Gemini => {
                let kind = dice.pick(&["choice", "text", "yesno"]);
                question["type"] = kind.into();
                if kind != "choice" {
                    question.as_object_mut().unwrap().shift_remove("options");
                }
            }
            _ => question["multiSelect"] = dice.once_in(2).into(),
        }
        question
    };
    (dialect, json!({ "questions": (0..=dice.roll(4)).map(|place| question(dice, place)).collect::<Vec<_>>() }))
}

fn interrupt(dice: &mut Dice) -> Value {
    match dice.roll(4) {
        0 => json!({ "action": "delete the table", "details": "All of it." }),
        1 => json!({ "action": "delete the table", "default": false }),
        2 => {
            json!({ "type": "user_question", "question": "Which?", "options": ["a", "b"], "multi_select": dice.once_in(2), "default": 1 })
        }
        _ => json!({ "type": "ask_user", "questions": [
            { "question": "Name?" }, { "question": "Nick?", "required": false },
            { "question": "Size?", "type": "multiple_choice", "choices": [{ "value": "S" }, { "value": "M" }], "required": false }
        ] }),
    }
}

/// Tool calls to approve, in the shape of several agents.
fn approvals(dice: &mut Dice) -> Value {
    let arguments = |dice: &mut Dice| {
        dice.pick(&[
            json!({}),
            json!({ "path": "a.rs", "old_string": "a\nb", "new_string": "a" }),
            json!({ "n": [1, { "m": null }] }),
        ])
    };
    let count = 1 + dice.roll(3);
    match dice.roll(4) {
        0 => {
            let parts: Vec<Value> = (0..count)
                .map(|place| {
                    let input = arguments(dice);
                    json!({ "type": "tool-a", "state": "approval-requested", "input": input, "approval": { "id": format!("a{place}") } })
                })
                .collect();
            json!({ "parts": parts })
        }
        1 => match dice.roll(3) {
            0 => json!({ "tool_name": "Bash", "input": arguments(dice) }),
            1 => json!({ "interruptions": [
                { "type": "tool_approval_item", "rawItem": { "name": "a", "callId": "c", "arguments": arguments(dice).to_string() } }
            ] }),
            _ => {
                json!({ "interrupts": [{ "id": "i", "reason": "confirmation" }, { "id": "j", "reason": "tool_call", "toolCallId": "c" }] })
            }
        },
        _ => {
            let names = ["a", "b", "c"];
            let allowed = [
                json!(["approve"]),
                json!(["approve", "reject"]),
                json!(["respond"]),
                json!(["approve", "edit", "reject", "respond"]),
            ];
            let actions: Vec<Value> =
                (0..count).map(|place| json!({ "name": names[place], "args": arguments(dice) })).collect();
            let configs: Vec<Value> = (0..count)
                .map(|place| {
                    let mut config = json!({ "action_name": names[place], "allowed_decisions": dice.pick(&allowed) });
                    if dice.once_in(3) {
                        config["args_schema"] = json!({ "type": "object" });
                    }
                    config
                })
                .collect();
            json!({ "action_requests": actions, "review_configs": configs })
        }
    }
}

/// What a sample says to secret questions begins with this, and nothing else has it.
pub const SECRET: &str = "s3cret-";

/// Answers that the question takes, in every way in which an answer can be given.
pub fn fitting(question: &Question, limits: &Limits) -> Vec<Content> {
    let texts = ["", "x", "abc", "two\nlines", "\u{0}\"\\", "a@b.co", "2026-11-21T14:21:26Z", "ünï", "   "];
    let mut found: Vec<Content> = Vec::new();
    let all = |value: Value| [Content::Json(value.to_string()), Content::Value(value)];
    match &question.answer_type {
        AnswerType::Boolean => found.extend([json!(true), json!(false)].into_iter().flat_map(all)),
        AnswerType::Url(_) => found.extend(all(json!(true))),
        AnswerType::Select(choices) => {
            found.extend(choices.as_slice().iter().flat_map(|choice| all(choice.value.clone())));
            found.extend(["mine", "a"].map(|text| Content::Other { text: text.into(), beside: Vec::new() }));
        }
        AnswerType::MultiSelect { choices, .. } => {
            let values: Vec<Value> = choices.as_slice().iter().rev().map(|choice| choice.value.clone()).collect();
            found.extend((0..=values.len()).flat_map(|count| all(values[..count].to_vec().into())));
            found.extend([0, 1].map(|count| Content::Other { text: "mine".into(), beside: values[..count].to_vec() }));
        }
        AnswerType::Text(_) => found.extend(
            texts.iter().flat_map(|text| all((*text).into()).into_iter().chain([Content::Typed((*text).to_owned())])),
        ),
        AnswerType::Number(_) => {
            found.extend(
                [json!(0), json!(-0.5), json!(3), json!(1e300), json!(9_007_199_254_740_993_u64)]
                    .into_iter()
                    .flat_map(all),
            );
            let typed = ["7", "+007", ".5", "9.0000000000000000001", "1e2", " 3.0 "];
            found.extend(typed.map(|text| Content::Typed(text.into())));
            found.extend(["9.99999999999999999999", "1E1", "  8  "].map(|text| Content::Json(text.into())));
        }
        AnswerType::Secret => {
            let secrets = ["1", "a longer one", "with \"quotes\"\n"].map(|text| format!("{SECRET}{text}"));
            found.extend(secrets.iter().flat_map(|text| all(text.as_str().into())));
            found.extend(secrets.map(Content::Typed));
        }
        AnswerType::Schema { .. } => {
            let values =
                [json!({}), json!({ "n": 1 }), json!([[], []]), json!(2.5), json!({ "m": [null, "\n"], "n": -7 })];
            found.extend(values.into_iter().flat_map(all));
            let texts = [
                " { \"n\" : 2 } ",
                "9.0000000000000000001",
                "[ [ ] ]",
                "1e1",
                "{\"x\":123456789012345678901234567890}",
            ];
            found.extend(texts.iter().flat_map(|text| [Content::Typed((*text).into()), Content::Json((*text).into())]));
        }
        AnswerType::Approval(_) => {
            let decisions = [
                json!("approve"),
                json!({ "type": "approve" }),
                json!({ "type": "edit", "arguments": { "n": 1 } }),
                json!({ "type": "reject", "message": " " }),
                json!({ "type": "reject", "message": "no\n" }),
                json!({ "type": "respond", "message": "42" }),
            ];
            found.extend(decisions.into_iter().flat_map(all));
            let texts = ["{}", " { \"n\" : 123456789012345678901234567890 } "];
            found.extend(texts.map(|text| Content::Typed(text.into())));
            found.extend(texts.map(|text| Content::Json(format!("{{\"type\":\"edit\",\"arguments\":{text}}}"))));
        }
    }
    if question.optional {
        found.extend([Content::Value(Value::Null), Content::Json("null".into()), Content::Typed(" ".into())]);
    }
    found.retain(|content| takes(question, content, limits));
    found
}

/// Whether a question takes this as an answer of the person.
pub fn takes(question: &Question, content: &Content, limits: &Limits) -> bool {
    Answer::new(question, content.clone(), limits, &mut Budget::default()).is_ok()
}

/// Whether a question takes this as an answer of the host.
pub fn takes_implied(question: &Question, value: &Value) -> bool {
    Answer::implied(question, value, &Limits::default(), &mut Budget::default()).is_ok()
}

/// Any answer, which fits by chance alone. Unlike `Given`, it says what it is where a test fails.
#[derive(Clone)]
pub struct Any(pub Given);

impl std::fmt::Debug for Any {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", json!(self.0))
    }
}

pub fn any_answer() -> impl Strategy<Value = Any> {
    let of = |content| Any(Given::new(content));
    let content = prop_oneof![
        2 => any_json().prop_map(move |value| of(Content::Value(value))),
        1 => any_json().prop_map(move |value| of(Content::Json(value.to_string()))),
        1 => any::<String>().prop_map(move |text| of(Content::Json(text))),
        2 => any::<String>().prop_map(move |text| of(Content::Typed(text))),
        1 => (any::<String>(), prop::collection::vec(any_json(), 0..3)).prop_map(move |(text, beside)| of(Content::Other { text, beside })),
    ];
    (content, prop::option::of(any::<String>()), any::<bool>())
        .prop_map(|(Any(given), note, remember)| Any(Given { note, remember, ..given }))
}

/// What an unfit static answer of a sample holds, and nothing else.
pub const UNFIT: &str = "f1xed-unfit";

/// A host: who is there, who is asked, what is answered already, and how large things may be.
pub fn host(dice: &mut Dice, sample: &Sample) -> Host {
    let bytes = sample.request.to_string().len();
    let targets = ["user", "user", "user", "assistant", "assistant_with_escalation"];
    let model = json!({ "model": { "id": "m", "effort": "high" }, "escalation": true });
    let target = |dice: &mut Dice| {
        let word = dice.pick(&targets);
        Target::from_json(&if dice.once_in(6) { model.clone() } else { json!(word) }).unwrap()
    };
    let policies = [Policy::Deny, Policy::Defaults, Policy::Auto];
    let source =
        dice.pick(&[Source::Assistant, Source::Tool { name: "git".into() }, Source::Other { name: "o".into() }]);
    let detached = match dice.once_in(4) {
        true => Detached {
            tools: [("git".to_owned(), dice.pick(&policies).into())].into_iter().collect(),
            ..Detached::default()
        },
        false => dice.pick(&policies).into(),
    };
    let mut host = Host {
        tool_call_id: dice.pick(&["call_1", "c.2"]).into(),
        source,
        target: target(dice),
        attached: !dice.once_in(5),
        detached,
        sub_agent: dice.once_in(40),
        review: dice.pick(&[None, None, Some(true), Some(false)]),
        reuse: dice.pick(&[None, Some(Reuse::Turn), Some(Reuse::None)]),
        nonce: dice.pick(&[None, Some("tab".into())]),
        limits: Limits {
            bytes: if dice.once_in(4) { bytes } else { Limits::default().bytes },
            work: if dice.once_in(4) { 2_000 } else { Limits::default().work },
            ..Limits::default()
        },
        ..Host::default()
    };
    host.turn = donated(dice, sample, &host);
    let mut exclusive = Vec::new();
    let mut own = Vec::new();
    for question in sample.form.questions() {
        match dice.roll(12) {
            0 => exclusive.push((question.id.clone(), true)),
            1 | 2 => own.push((question.id.clone(), target(dice))),
            3 => drop(host.static_answers.insert(question.id.clone(), static_answer(dice, question))),
            4 => drop(host.secret_answers.insert(question.id.clone(), format!("{SECRET}of the host").into())),
            _ => {}
        }
    }
    (host.exclusive, host.targets) = (exclusive.into_iter().collect(), own.into_iter().collect());
    // Little more than what it takes to read the request, so that answers come to the limit.
    for _ in 0..dice.roll(40) {
        match Form::read(&sample.request, sample.dialect, &host) {
            Ok(_) => break,
            Err(_) => (host.limits.bytes, host.limits.work) = (host.limits.bytes + 5, host.limits.work + 1_500),
        }
    }
    host
}

/// An answer of the host that fits, or one that does not.
fn static_answer(dice: &mut Dice, question: &Question) -> Value {
    let unfit = [json!(UNFIT), json!([UNFIT]), json!({ UNFIT: 1 })];
    let unfit = unfit.into_iter().find(|value| !takes_implied(question, value));
    let fits = fitting(question, &Limits::default()).into_iter().filter_map(|content| match content {
        Content::Value(value) => Some(value),
        _ => None,
    });
    let fits: Vec<Value> = fits.collect();
    match (dice.once_in(3), unfit) {
        (true, Some(unfit)) => unfit,
        _ if fits.is_empty() => Value::Null,
        _ => dice.pick(&fits),
    }
}

/// What an earlier form of the turn left behind: the same questions, or nearly the same, or answers that do not fit any more.
fn donated(dice: &mut Dice, sample: &Sample, host: &Host) -> ask_user_core::Turn {
    let mut turn = ask_user_core::Turn::default();
    if !dice.once_in(3) {
        return turn;
    }
    let earlier = remembering(dice, sample, host).remembered;
    let tool = form_tool(&sample.form, host);
    for question in sample.form.questions() {
        let key = format!("{tool}.{}", question.id);
        let Some(mut entry) = earlier.get(&key) else { continue };
        match dice.roll(6) {
            0 => entry.question["text"] = "Something else?".into(),
            1 => entry.question["context"] = "Something else.".into(),
            2 => entry.question["answer_type"] = json!({ "type": "select", "options": [{ "value": "a" }] }),
            3 => entry.answer = json!([UNFIT, 1]),
            _ => {}
        }
        turn.remembered.set(key, entry);
        turn.attempts.set(format!("{}.{}", host.tool_call_id, question.id), dice.roll(3) as u64);
    }
    turn
}

fn form_tool(form: &Outline, host: &Host) -> String {
    match &host.source {
        Source::Tool { name } => name.clone(),
        _ => form.asking_tool().to_owned(),
    }
}

/// The turn after every question of a form was answered and remembered.
fn remembering(dice: &mut Dice, sample: &Sample, host: &Host) -> ask_user_core::Turn {
    let host = Host { source: host.source.clone(), reuse: Some(Reuse::Turn), ..Host::default() };
    let mut walk = Walk::new(Form::read(&sample.request, sample.dialect, &host).unwrap());
    for _ in sample.form.questions() {
        let Step::Asking(asking) = walk.step() else { break };
        let content = dice.pick(&fitting(&asking.question, &host.limits));
        walk.act(Action::Answer(Given { remember: asking.remember, ..Given::new(content) })).unwrap();
    }
    walk.turn()
}
