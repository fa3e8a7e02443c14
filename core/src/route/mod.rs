//! Who answers a question: the person, an assistant, the default of the question, or nobody. This module does not know walks.

mod consultation;
mod explanation;

pub use consultation::Consultation;
pub(crate) use explanation::{assistant, explanation};

use crate::{
    answer::{Advice, Answer},
    form::Outline,
    host::{Host, Policy, PromptKind, Target},
    outcome::Unrouted,
    question::{AnswerType, Question},
    turn::Turn,
};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// What an assistant said to a question that was put to it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Verdict {
    /// The id of the record that it answers: [`Consultation::record`].
    pub record: String,
    /// The reason, in a sentence or two. `None`, or a blank one: it gave none. The schema of the [`Consultation`] asks for one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The answer, of the type that the question takes.
    pub answer: Value,
    /// The name of the model, where the host knows it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
}

impl Verdict {
    /// Reads what the assistant said to a record: `answer`, and `reason`, to which the host may have added `model`. `None` if there is no
    /// answer.
    pub fn read(said: &Value, record: String) -> Option<Self> {
        let text = |key: &str| said.get(key).and_then(Value::as_str).map(str::to_owned);
        let reason = text("reason").filter(|reason| !reason.trim().is_empty());
        Some(Self { record, reason, answer: said.get("answer")?.clone(), model: text("model") })
    }
}

/// What an assistant had to do with a question that is not answered.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) enum Consulted {
    /// Nothing.
    #[default]
    Not,
    /// It was asked, and gave no answer that the question takes.
    InVain,
    /// It answered no, and the person has the last word.
    Advised(Advice),
}

/// Who answers.
pub(crate) enum Route<'a> {
    Person,
    Assistant,
    Default(&'a Value),
    Nobody(Unrouted),
}

/// Who answers a question that the host has no answer to.
pub(crate) fn route<'a>(form: &Outline, question: &'a Question, consulted: &Consulted) -> Route<'a> {
    let host = &form.host;
    let personal = is_personal(host, question);
    let fresh = *consulted == Consulted::Not;
    // No assistant does what cannot be undone.
    let may_consult = fresh && !question.has_danger();
    if fresh && matches!(host.target_of(&question.id), Target::Assistant { .. }) && (personal || may_consult) {
        return if personal { Route::Nobody(Unrouted::AssistantRoutingDenied) } else { Route::Assistant };
    }
    if host.attached {
        return Route::Person;
    }
    match host.detached.policy(form.asking_tool(), PromptKind::Tool) {
        Policy::Defaults if !is_unspoken(question) => match &question.default {
            Some(default) if question.may_default() => Route::Default(default),
            Some(_) | None => Route::Nobody(Unrouted::NoDefault),
        },
        Policy::Auto if may_consult && !personal => Route::Assistant,
        Policy::Deny | Policy::Defaults | Policy::Auto => Route::Nobody(Unrouted::NoPromptBackend),
    }
}

/// Whether the "no" of an assistant goes on to somebody who has the last word: the person, or the default where the host takes defaults
/// while no person is there.
pub(crate) fn escalates(form: &Outline, question: &Question, answer: &Answer) -> bool {
    let host = &form.host;
    let defaults = || match host.detached.policy(form.asking_tool(), PromptKind::Tool) {
        Policy::Defaults => question.default.is_some(),
        Policy::Deny | Policy::Auto => false,
    };
    matches!(host.target_of(&question.id), Target::Assistant { escalation: true, .. })
        && answer.is_no()
        && (host.attached || defaults())
}

/// Whether only the person may answer: a secret, the consent to a URL, and what the host keeps for the person.
fn is_personal(host: &Host, question: &Question) -> bool {
    is_unspoken(question) || host.is_exclusive(&question.id)
}

/// Whether no assistant, no default and no remembered answer can stand in for the person.
pub(crate) fn is_unspoken(question: &Question) -> bool {
    matches!(question.answer_type, AnswerType::Secret | AnswerType::Url(_))
}

/// Whether a tool may run, or may deliver what it gave.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Permission {
    /// It may.
    Granted,
    /// It may not: the person said so for this turn.
    Refused,
    /// The person is to be asked.
    Ask,
    /// It may not: no person is there to be asked, and the host grants nothing without asking.
    Denied,
}

/// Whether a tool may run or deliver: by what was remembered for this turn, else by asking the person, else by the host's policy for
/// when no person is there. A remembered answer to a question is never a permission.
pub fn permission(host: &Host, turn: &Turn, tool: &str, kind: PromptKind) -> Permission {
    match turn.permissions.get(tool) {
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
    use crate::{host::Detached, turn::Remembered};
    use serde_json::json;

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
        turn.remembered.set("rm.allow".into(), Remembered { question: json!({}), answer: json!(true) });
        assert_eq!(permission(&Host::default(), &turn, "rm", PromptKind::Run), Permission::Ask);
    }
}
