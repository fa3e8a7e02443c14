//! Who answers a question: the person, an assistant, the question's default, or nobody. How an assistant is asked is in
//! `consultation`, what the model is told of a rejection in `explanation`. Knows no walk.

mod consultation;
mod explanation;

pub use consultation::Consultation;
pub(crate) use explanation::explanation;

use crate::{
    form::{AnswerType, Form, Question},
    host::{Host, Policy, PromptKind, Target},
    problem::collected,
    turn::Turn,
};
use serde_json::Value;

/// What an assistant said to a question that was put to it.
#[derive(Clone, Debug, PartialEq)]
pub struct Verdict {
    /// Why, in a sentence or two; not empty.
    pub reason: String,
    /// The answer, of the type that the question takes.
    pub answer: Value,
    /// The name of the model, where the host knows it.
    pub model: Option<String>,
}

impl Verdict {
    /// Reads the JSON that the assistant was asked for, to which the host may have added `model`; `None` where `reason` or
    /// `answer` is missing or the reason is empty.
    pub fn from_json(value: &Value) -> Option<Self> {
        let text = |key: &str| value.get(key).and_then(Value::as_str).map(str::to_owned);
        let reason = text("reason").filter(|reason| !reason.trim().is_empty())?;
        Some(Self { reason, answer: value.get("answer")?.clone(), model: text("model") })
    }
}

/// Why an assistant answered as it did, for the person, the model and the records.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Advice {
    /// Why.
    pub reason: String,
    /// The name of the model, where the host knows it.
    pub model: Option<String>,
}

impl Advice {
    /// The JSON form: `reason`, and `model` where it is known.
    pub fn to_json(&self) -> Value {
        let model = self.model.as_deref().map(Value::from);
        Value::Object(collected(&mut [("reason", Some(self.reason.as_str().into())), ("model", model)]))
    }
}

/// What an assistant had to do with a question.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) enum Consulted {
    /// Nothing.
    #[default]
    Not,
    /// It was asked, and gave no answer that fits.
    InVain,
    /// It said no, and the person has the last word.
    Advised(Advice),
    /// Its answer counts.
    Answered(Advice),
}

/// Who answers.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Route {
    Person,
    Assistant,
    Default(Value),
    Nobody(Unrouted),
}

/// Why nobody is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unrouted {
    /// No person is there, and nobody else may answer.
    NoPromptBackend,
    /// The question is set to go to an assistant, and only the person may answer it.
    AssistantRoutingDenied,
    /// No person is there, and the question has no default that could be taken.
    NoDefault,
}

impl Unrouted {
    /// The stable code.
    pub fn code(self) -> &'static str {
        match self {
            Self::NoPromptBackend => "no_prompt_backend",
            Self::AssistantRoutingDenied => "assistant_routing_denied",
            Self::NoDefault => "no_default",
        }
    }
}

/// Who answers a question that has no answer of the host's.
pub(crate) fn route(form: &Form, question: &Question, consulted: &Consulted) -> Route {
    let host = form.host();
    let personal = is_personal(host, question);
    let fresh = *consulted == Consulted::Not;
    if fresh && matches!(host.target, Target::Assistant { .. }) {
        return if personal { Route::Nobody(Unrouted::AssistantRoutingDenied) } else { Route::Assistant };
    }
    if host.attached {
        return Route::Person;
    }
    match host.detached.policy(form.asking_tool(), PromptKind::Tool) {
        Policy::Defaults if !is_unspoken(question) => match &question.default {
            Some(default) => Route::Default(default.clone()),
            None => Route::Nobody(Unrouted::NoDefault),
        },
        Policy::Auto if fresh && !personal => Route::Assistant,
        Policy::Deny | Policy::Defaults | Policy::Auto => Route::Nobody(Unrouted::NoPromptBackend),
    }
}

/// Whether a "no" of the assistant goes on to somebody who has the last word: the person, or the default where the host
/// takes defaults while no person is there.
pub(crate) fn escalates(form: &Form, question: &Question, answer: Option<&Value>) -> bool {
    let host = form.host();
    let rejected = question.answer_type == AnswerType::Boolean && answer == Some(&Value::Bool(false));
    let heard = || match host.detached.policy(form.asking_tool(), PromptKind::Tool) {
        Policy::Defaults => question.default.is_some(),
        Policy::Deny | Policy::Auto => false,
    };
    matches!(host.target, Target::Assistant { escalation: true, .. }) && rejected && (host.attached || heard())
}

/// Whether the person alone may answer: what must not be spoken, and what the host keeps for the person.
pub(crate) fn is_personal(host: &Host, question: &Question) -> bool {
    is_unspoken(question) || host.exclusive.contains(&question.id)
}

/// A secret, or the consent to open a URL: no assistant and no default stands in for the person.
fn is_unspoken(question: &Question) -> bool {
    matches!(question.answer_type, AnswerType::Secret | AnswerType::Url(_))
}

/// Whether a tool may run, or what it gave may be delivered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Permission {
    /// It may.
    Granted,
    /// It may not, as the person said for this turn.
    Refused,
    /// The person is to be asked.
    Ask,
    /// No person is there to be asked, and the host grants nothing unasked.
    Denied,
}

/// Whether a tool may run (or deliver) where that takes a permission: what was remembered for this turn, else the person,
/// else what the host's policy says while no person is there. A remembered answer to a question is no permission.
pub fn permission(host: &Host, turn: &Turn, tool: &str, kind: PromptKind) -> Permission {
    match turn.permissions.get(tool).and_then(Value::as_bool) {
        Some(true) => Permission::Granted,
        Some(false) => Permission::Refused,
        None if host.attached && !host.sub_agent => Permission::Ask,
        None => match host.detached.policy(tool, kind) {
            Policy::Auto => Permission::Granted,
            // A permission has no default.
            Policy::Deny | Policy::Defaults => Permission::Denied,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::host::Detached;

    #[test]
    fn a_permission_is_remembered_asked_for_or_given_by_policy() {
        let mut turn = Turn::default();
        let mut host = Host::default();
        assert_eq!(permission(&host, &turn, "git", PromptKind::Run), Permission::Ask);
        host.attached = false;
        assert_eq!(permission(&host, &turn, "git", PromptKind::Run), Permission::Denied);
        host.detached = Detached::from(Policy::Auto);
        assert_eq!(permission(&host, &turn, "git", PromptKind::Run), Permission::Granted);
        turn.remember_permission("git", false);
        assert_eq!(permission(&host, &turn, "git", PromptKind::Run), Permission::Refused);
        turn.remember_permission("git", true);
        assert_eq!(permission(&Host::default(), &turn, "git", PromptKind::Deliver), Permission::Granted);
        turn.remembered.insert("rm.allow".into(), true.into());
        assert_eq!(permission(&Host::default(), &turn, "rm", PromptKind::Run), Permission::Ask);
    }
}
