//! Grants that a host offers by itself, for calls of agents that have none, or fewer.

use super::{AnswerType, Approval, Decision, Grant, Question, Scope, Wording, sentence};
use crate::{
    json::{FromJson, ToJson, serialize},
    problem::collected,
};
use serde_json::Value;
use std::sync::Arc;

/// A way to decide on tool calls that the host offers beside those of the agent. In JSON: `{"tool": …, "decision": …, "scope": …, "rule": …, "shown": …}`.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Offer {
    /// The name of the tool that it is for, as the question has it. `None`: any.
    pub tool: Option<String>,
    /// The grant. Its scope is not [`Scope::Once`].
    pub grant: Grant,
}

impl Offer {
    /// An offer for the calls of any tool. `None`: it would hold once, or says nothing.
    pub fn new(decision: Decision, scope: Scope, rule: Value, shown: &str) -> Option<Self> {
        let mut grant = Grant::new(decision, scope, rule, vec![Wording::Text(shown.to_owned())]);
        grant.is_hosts = true;
        (scope != Scope::Once && !shown.trim().is_empty()).then_some(Self { tool: None, grant })
    }
}

/// The ways to decide that a host offers. At most [`Offers::MOST`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Offers(Option<Arc<[Offer]>>);

impl Offers {
    /// How many there may be: a person reads each of them.
    pub const MOST: usize = 20;

    /// The offers, in their order.
    pub fn as_slice(&self) -> &[Offer] {
        self.0.as_deref().unwrap_or_default()
    }

    /// Adds the offers to a question, beside those of the agent. None is added for a decision that the agent offers only for longer: to the agent, a grant of
    /// the host is the decision on the call alone.
    #[cold]
    #[inline(never)]
    pub(crate) fn add_to(&self, question: &mut Question) {
        let AnswerType::Approval(approval) = &mut question.answer_type else { return };
        for decision in [Decision::Approve, Decision::Reject] {
            let is_for = |offer: &&Offer| {
                offer.grant.decision == decision && offer.tool.as_ref().is_none_or(|tool| *tool == approval.tool)
            };
            let offered: Vec<Grant> = self.as_slice().iter().filter(is_for).map(|offer| offer.grant.clone()).collect();
            if !offered.is_empty() && approval.allows(decision) && !approval.needs_grant(decision) {
                approval.offer(decision, offered);
            }
        }
    }
}

impl Approval {
    /// Adds ways to take a decision. Where there was none yet, the decision on the call alone is one of them.
    fn offer(&mut self, decision: Decision, ways: Vec<Grant>) {
        if !self.grants.iter().any(|grant| grant.decision == decision) {
            let once = if decision == Decision::Approve { sentence::ALLOW_CALL } else { sentence::REJECT_CALL };
            let mut once = Grant::new(decision, Scope::Once, Value::Null, vec![once.alone()]);
            once.is_hosts = true;
            self.grants.push(once);
        }
        self.grants.extend(ways);
    }
}

impl FromIterator<Offer> for Offers {
    fn from_iter<T: IntoIterator<Item = Offer>>(offers: T) -> Self {
        let all: Vec<Offer> = offers.into_iter().take(Self::MOST).collect();
        Self((!all.is_empty()).then(|| all.into()))
    }
}

impl ToJson for Offers {
    fn to_json(&self) -> Value {
        let offer = |Offer { tool, grant }: &Offer| {
            Value::Object(collected(&mut [
                ("tool", tool.as_deref().map(Value::from)),
                ("decision", Some(grant.decision.name().into())),
                ("scope", Some(grant.scope.name().into())),
                ("rule", Some(grant.rule.clone())),
                ("shown", Some(grant.shown.as_str().into())),
            ]))
        };
        self.as_slice().iter().map(offer).collect()
    }
}

impl FromJson for Offers {
    fn from_json(value: &Value) -> Option<Self> {
        const FIELDS: &[&str] = &["tool", "decision", "scope", "rule", "shown"];
        let read = |value: &Value| {
            let fields = value.as_object()?;
            let text = |name: &str| fields.get(name)?.as_str();
            let decision = match fields.get("decision") {
                None => Decision::Approve,
                Some(given) => Decision::named(given.as_str()?)
                    .filter(|decision| matches!(decision, Decision::Approve | Decision::Reject))?,
            };
            let scope = match text("scope")? {
                "session" => Scope::Session,
                "always" => Scope::Always,
                _ => return None,
            };
            if !fields.keys().all(|name| FIELDS.contains(&name.as_str())) {
                return None;
            }
            let rule = fields.get("rule").cloned().unwrap_or_default();
            let mut offer = Offer::new(decision, scope, rule, text("shown")?)?;
            if let Some(tool) = fields.get("tool") {
                offer.tool = Some(tool.as_str()?.to_owned());
            }
            Some(offer)
        };
        let offers: Vec<Offer> = value.as_array()?.iter().map(read).collect::<Option<_>>()?;
        (offers.len() <= Self::MOST).then(|| offers.into_iter().collect())
    }
}

serialize!(Offers);
