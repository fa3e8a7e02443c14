//! How far a decision on a tool call reaches: once, for the session or always, with the rule that the agent would keep.

use super::{AnswerType, Approval, Called, Cover, Covered, Decision, Wording};
use crate::{json, problem::object};
use serde::Deserialize;
use serde_json::{Map, Value};

/// How far a decision reaches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Scope {
    /// This call alone.
    Once,
    /// Calls like it, until the agent's session ends.
    Session,
    /// Calls like it, until the rule is taken back.
    Always,
}

impl Scope {
    /// The word in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Once => "once",
            Self::Session => "session",
            Self::Always => "always",
        }
    }
}

/// A way to decide on a tool call that its agent offers.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct Grant {
    /// Approve or reject.
    pub decision: Decision,
    /// How far the decision reaches.
    pub scope: Scope,
    /// The rule that the agent would keep, as it sent it.
    pub rule: Value,
    /// The sentence that the person reads: all that the rule covers.
    pub shown: String,
    /// The same in parts, one for each line. A front end may say them in another language. Empty where `shown` is all that there is.
    #[serde(skip)]
    pub wording: Vec<Wording>,
    /// How many earlier calls of the turn the rule would have covered. `None`: that is not known.
    #[serde(skip)]
    pub covered: Option<Covered>,
    /// What the rule covers, where that is known.
    #[serde(skip)]
    pub(crate) cover: Option<Cover>,
    /// Whether the host offers it, and keeps its rule.
    #[serde(skip)]
    pub(crate) is_hosts: bool,
    /// The agent's own word for it, which an answer may have in place of a decision.
    #[serde(skip)]
    pub(crate) word: String,
}

impl Grant {
    pub(crate) fn new(decision: Decision, scope: Scope, rule: Value, wording: Vec<Wording>) -> Self {
        let shown: Vec<String> = wording.iter().map(Wording::english).collect();
        Self {
            decision,
            scope,
            rule,
            shown: shown.join("\n"),
            wording,
            covered: None,
            cover: None,
            is_hosts: false,
            word: String::new(),
        }
    }

    /// The grant as an answer has it, as `grant`: `{"scope", "rule", "shown"}`.
    pub fn to_json(&self) -> Map<String, Value> {
        object([
            ("scope", self.scope.name().into()),
            ("rule", self.rule.clone()),
            ("shown", self.shown.as_str().into()),
        ])
    }

    fn is(&self, given: &Value) -> bool {
        let Some(given) = given.as_object() else { return false };
        let own = self.to_json();
        // What it would have covered is said beside it, and a page writes a number as JavaScript does.
        let others = given.iter().filter(|(name, _)| *name != "covered");
        others.clone().count() == own.len()
            && others.into_iter().all(|(name, value)| own.get(name).is_some_and(|own| json::equal(value, own)))
    }
}

impl AnswerType {
    /// Says of each grant how many of these calls its rule would have covered.
    pub(crate) fn count_covered(&mut self, calls: &[Called]) {
        if let Self::Approval(approval) = self {
            for grant in &mut approval.grants {
                grant.covered = grant.cover.as_ref().and_then(|cover| cover.of(calls));
            }
        }
    }
}

impl Approval {
    /// Adds what is said beside the decisions: the grants, what is risky, what the host calls an approval, and that the words of a rejection go nowhere. What an agent does not have is left out.
    #[cold]
    #[inline(never)]
    pub(crate) fn add_to(&self, json: &mut Map<String, Value>) {
        if !self.grants.is_empty() {
            let grant = |grant: &Grant| {
                let mut json = grant.to_json();
                json.insert("decision".into(), grant.decision.name().into());
                if let Some(Covered { calls, of }) = grant.covered {
                    let covered = object([("calls", calls.into()), ("of", of.into())]);
                    json.insert("covered".into(), Value::Object(covered));
                }
                Value::Object(json)
            };
            json.insert("grants".into(), self.grants.iter().map(grant).collect());
        }
        self.add_risks(json);
        json.extend(self.action.as_deref().map(|action| ("action".to_owned(), action.into())));
        if !self.reasons {
            json.insert("reasons".into(), false.into());
        }
    }

    /// The ways to take a decision, each with its place in [`Approval::grants`]. Where a call is dangerous, only those that hold once.
    pub fn ways(&self, decision: Decision, danger: bool) -> impl Iterator<Item = (usize, &Grant)> {
        let takes = move |grant: &Grant| grant.decision == decision && (!danger || grant.scope == Scope::Once);
        self.grants.iter().enumerate().filter(move |(_, grant)| takes(grant))
    }

    /// The way that a decision without a grant takes: the one that holds once. Of several ways to reject, the first; of several to approve, none: which of
    /// them is meant, the person says.
    pub fn plain_way(&self, decision: Decision) -> Option<usize> {
        let mut ways = self.ways(decision, true).map(|(place, _)| place);
        let first = ways.next()?;
        (decision == Decision::Reject || ways.next().is_none()).then_some(first)
    }

    /// Whether a decision counts only with a grant: the agent offers none that holds once, or several to approve.
    pub fn needs_grant(&self, decision: Decision) -> bool {
        self.grants.iter().any(|grant| grant.decision == decision) && self.plain_way(decision).is_none()
    }

    /// The place of a grant that is offered with a decision.
    pub(crate) fn way(&self, decision: Decision, given: &Value) -> Option<usize> {
        self.ways(decision, false).find(|(_, grant)| grant.is(given)).map(|(place, _)| place)
    }

    /// The place of the way that an answer takes.
    pub(crate) fn way_of(&self, answer: &Value) -> Option<usize> {
        let decision = Decision::named(answer.get("type")?.as_str()?)?;
        match answer.get("grant") {
            Some(grant) => self.way(decision, grant),
            None => self.plain_way(decision),
        }
    }

    /// Whether it is known of a grant what it covers.
    pub(crate) fn has_covers(&self) -> bool {
        self.grants.iter().any(|grant| grant.cover.is_some())
    }

    /// The way that an answer takes. `None`: the answer is no decision, or takes none that is offered.
    pub fn way_taken(&self, answer: &Value) -> Option<&Grant> {
        self.grants.get(self.way_of(answer)?)
    }

    /// The answer that an agent's own word stands for.
    pub(crate) fn answer_of(&self, word: &str) -> Option<Map<String, Value>> {
        let (place, grant) =
            self.grants.iter().enumerate().find(|(_, grant)| !word.is_empty() && grant.word == word)?;
        let mut answer = object([("type", grant.decision.name().into())]);
        if self.plain_way(grant.decision) != Some(place) {
            answer.insert("grant".into(), Value::Object(grant.to_json()));
        }
        Some(answer)
    }
}
