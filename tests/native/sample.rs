//! Samples for properties: any JSON, requests that are nearly right, and what people do.

use ask_user_core::{Action, AnswerType, Detached, Given, Host, Policy, Question, Step, Target, Verdict, Walk};
use proptest::prelude::*;
use serde_json::{Map, Value, json};

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

/// A request that is right: any number of questions of any type, each perhaps with a default, and perhaps asked only after
/// some answer to an earlier one.
pub fn request() -> impl Strategy<Value = Value> {
    prop::collection::vec((0..7_usize, any::<bool>(), any::<u8>(), any::<u8>(), any::<bool>()), 1..8).prop_map(|plan| {
        let mut questions: Vec<Value> = Vec::new();
        for (place, (kind, has_default, when, equals, branches)) in plan.into_iter().enumerate() {
            let mut question = json!({ "id": format!("q{place}"), "text": format!("Question {place}?") });
            let kind = KINDS[kind];
            question["answer_type"] = kind.into();
            match kind {
                "select" | "multi_select" => {
                    question["options"] = json!(["a", { "value": 2, "label": "Two" }, { "value": true }, "d"])
                }
                "schema" => {
                    question["schema"] = json!({ "type": "object", "properties": { "n": { "type": "integer" } } })
                }
                _ => {}
            }
            if has_default && kind != "secret" {
                question["default"] = answers_to(kind)[usize::from(equals) % 3].clone();
            }
            let earlier = usize::from(when) % place.max(1);
            let earlier_kind = questions.get(earlier).map(|earlier| earlier["answer_type"].clone());
            if let (true, Some(Value::String(earlier_kind))) = (branches && place > 0, earlier_kind)
                && earlier_kind != "secret"
            {
                let mut equals_one_of = answers_to(&earlier_kind);
                equals_one_of.push(Value::Null);
                let equals = equals_one_of[usize::from(equals) % equals_one_of.len()].clone();
                question["when"] = json!({ "question_id": format!("q{earlier}"), "equals": equals });
            }
            questions.push(question);
        }
        json!({ "questions": questions })
    })
}

const KINDS: [&str; 7] = ["boolean", "select", "multi_select", "text", "number", "secret", "schema"];

fn answers_to(kind: &str) -> Vec<Value> {
    match kind {
        "boolean" => vec![true.into(), false.into(), true.into()],
        "select" => vec!["a".into(), 2.into(), true.into()],
        "multi_select" => vec![json!([]), json!(["a"]), json!(["d", 2])],
        "number" => vec![0.into(), json!(-1.5), json!(1e300)],
        "schema" => vec![json!({}), json!({ "n": 1 }), json!({ "m": [null], "n": -7 })],
        _ => vec!["".into(), "x".into(), "two\nlines".into()],
    }
}

/// Something that is done without a look at the step: much of it is refused.
#[derive(Clone, Debug)]
pub enum Deed {
    /// Gives one of three answers that fit.
    Fitting(usize, bool),
    /// Gives any value.
    Any(Value, bool),
    /// Types any text.
    Typed(String),
    Back,
    Reply(Option<String>),
    EndTurn,
    Submit,
    Change(usize),
    /// What an assistant says where one is asked: one of three answers that fit, or any value.
    Verdict(usize, Option<Value>),
    NoAssistant,
}

/// What a person does, answers above all, and what an assistant says.
pub fn deeds() -> impl Strategy<Value = Vec<Deed>> {
    let deed = prop_oneof![
        20 => (0..3_usize, any::<bool>()).prop_map(|(which, remember)| Deed::Fitting(which, remember)),
        2 => (any_json(), any::<bool>()).prop_map(|(value, remember)| Deed::Any(value, remember)),
        2 => any::<String>().prop_map(Deed::Typed),
        6 => Just(Deed::Back),
        1 => prop::option::of(any::<String>()).prop_map(Deed::Reply),
        1 => Just(Deed::EndTurn),
        3 => Just(Deed::Submit),
        3 => (0..8_usize).prop_map(Deed::Change),
        8 => (0..3_usize, prop::option::weighted(0.2, any_json())).prop_map(|(which, any)| Deed::Verdict(which, any)),
        1 => Just(Deed::NoAssistant),
    ];
    prop::collection::vec(deed, 0..30)
}

impl Deed {
    /// The deed as an action at the step where the walk stands.
    pub fn at(&self, walk: &Walk) -> Action {
        match self {
            Self::Fitting(which, remember) => {
                let kind = kind_at(walk);
                let (value, remember) = (answers_to(kind)[*which].clone(), *remember && kind != "secret");
                Action::Answer(Given { remember, ..Given::from(value) })
            }
            Self::Verdict(which, any) => {
                let answer = any.clone().unwrap_or_else(|| answers_to(kind_at(walk))[*which].clone());
                Action::Assistant(Verdict { reason: "It is so.".into(), answer, model: Some("m".into()) })
            }
            Self::NoAssistant => Action::NoAssistant,
            Self::Any(value, remember) => Action::Answer(Given { remember: *remember, ..Given::from(value.clone()) }),
            Self::Typed(text) => Action::Typed(text.clone()),
            Self::Back => Action::Back,
            Self::Reply(text) => Action::Reply(text.clone()),
            Self::EndTurn => Action::EndTurn,
            Self::Submit => Action::Submit,
            Self::Change(place) => Action::Change(format!("q{place}")),
        }
    }
}

/// The type of the open question.
fn kind_at(walk: &Walk) -> &'static str {
    match walk.step() {
        Step::Asking(asking) => asking.question.answer_type.name(),
        Step::Review(_) | Step::Checking | Step::Done(_) => "text",
    }
}

/// A host: who is there, who is asked, and what is answered already.
pub fn host() -> impl Strategy<Value = Host> {
    let targets =
        ["user", "user", "assistant", "assistant_with_escalation"].map(|word| Target::from_json(&json!(word)).unwrap());
    let detached = [Policy::Deny, Policy::Defaults, Policy::Auto].map(Detached::from);
    let exclusive = prop::collection::vec((0..8_usize).prop_map(|place| format!("q{place}")), 0..2);
    let (targets, detached) = (prop::sample::select(targets.to_vec()), prop::sample::select(detached.to_vec()));
    (targets, detached, prop::bool::weighted(0.8), exclusive, static_answers(), any::<bool>()).prop_map(
        |(target, detached, attached, exclusive, static_answers, review)| Host {
            target,
            detached,
            attached,
            exclusive,
            static_answers,
            review: Some(review),
            ..Host::default()
        },
    )
}

/// Answers that the host has already, some of which do not fit.
fn static_answers() -> impl Strategy<Value = Map<String, Value>> {
    let answer = prop_oneof![any::<bool>().prop_map(Value::from), Just(Value::from("x")), Just(json!({}))];
    prop::collection::vec((0..8_usize, answer), 0..2)
        .prop_map(|answers| answers.into_iter().map(|(place, answer)| (format!("q{place}"), answer)).collect())
}

/// Whether a question is a secret.
pub fn is_secret(question: &Question) -> bool {
    matches!(question.answer_type, AnswerType::Secret)
}
