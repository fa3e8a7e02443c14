//! Whom a host lets answer: the target of a form's questions, and what happens while no person is there.

use crate::problem::Misuse;
use serde_json::Value;

/// Who is asked first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Target {
    /// The person.
    #[default]
    User,
    /// Another model, the assistant.
    Assistant {
        /// The id of the model to ask, as the host names it; none leaves the choice to the host.
        model: Option<String>,
        /// Whether a "no" of the assistant is put to the person, who has the last word.
        escalation: bool,
    },
}

impl Target {
    /// Reads the JSON form: `"user"`, `"assistant"`, `"assistant_with_escalation"`, or
    /// `{"model": {"id": …}, "escalation": true}`; `None` for anything else.
    pub fn from_json(value: &Value) -> Option<Self> {
        match value {
            Value::String(word) => match word.as_str() {
                "user" => Some(Self::User),
                "assistant" => Some(Self::Assistant { model: None, escalation: false }),
                "assistant_with_escalation" => Some(Self::Assistant { model: None, escalation: true }),
                _ => None,
            },
            Value::Object(fields) => {
                let known = fields.keys().all(|key| key == "model" || key == "escalation");
                let escalation = fields.get("escalation").map_or(Some(false), Value::as_bool).filter(|_| known)?;
                let model = match fields.get("model") {
                    Some(model) => Some(model.get("id")?.as_str()?.to_owned()),
                    None => None,
                };
                Some(Self::Assistant { model, escalation })
            }
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_) => None,
        }
    }
}

/// What happens to a prompt while no person is there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Policy {
    /// It fails, and the model is told.
    #[default]
    Deny,
    /// A question takes its default, and fails without one.
    Defaults,
    /// A question goes to the assistant, unless the person alone may answer it; a permission is granted.
    Auto,
}

impl Policy {
    const WORDS: [(&str, Self); 3] = [("deny", Self::Deny), ("defaults", Self::Defaults), ("auto", Self::Auto)];

    fn from_word(word: &Value) -> Option<Self> {
        let word = word.as_str()?;
        Self::WORDS.into_iter().find(|(name, _)| *name == word).map(|(_, policy)| policy)
    }

    fn word(self) -> &'static str {
        Self::WORDS.into_iter().find(|(_, policy)| *policy == self).map_or("deny", |(name, _)| name)
    }
}

/// What a person is prompted for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PromptKind {
    /// Whether a tool may run.
    Run,
    /// Whether the model gets what a tool gave.
    Deliver,
    /// What a tool, or the agent itself, asks.
    Tool,
}

impl PromptKind {
    fn name(self) -> &'static str {
        match self {
            Self::Run => "run",
            Self::Deliver => "deliver",
            Self::Tool => "tool",
        }
    }
}

/// The policies of a host for when no person is there: one for all, or one a kind of prompt, and others for single tools.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Detached {
    /// Invariant: of the JSON form that [`Detached::from_json`] takes.
    policies: Value,
}

impl Detached {
    /// Reads the JSON form: a policy (`"deny"`, `"defaults"` or `"auto"`), or an object with policies for `run`, `deliver` and
    /// `tool`, and in `tools` the same by the name of a tool: `{"run": "auto", "tools": {"git": {"tool": "deny"}}}`. `None` for
    /// anything else.
    pub fn from_json(value: &Value) -> Option<Self> {
        let kinds = |key: &str| ["run", "deliver", "tool"].contains(&key);
        let is_one = |value: &Value| match value {
            Value::Object(fields) => fields.iter().all(|(key, value)| kinds(key) && Policy::from_word(value).is_some()),
            other => Policy::from_word(other).is_some(),
        };
        let fits = match value {
            Value::Object(fields) => fields.iter().all(|(key, value)| match value {
                Value::Object(tools) if key == "tools" => tools.values().all(is_one),
                policy => kinds(key) && Policy::from_word(policy).is_some(),
            }),
            other => is_one(other),
        };
        fits.then(|| Self { policies: value.clone() })
    }

    /// The policy for a prompt. What is said of the tool counts before what is said of all; without a word it is
    /// [`Policy::Deny`].
    pub fn policy(&self, tool: &str, kind: PromptKind) -> Policy {
        let own = self.policies.get("tools").and_then(|tools| tools.get(tool));
        let of = |policies: &Value| policies.get(kind.name()).or(Some(policies)).and_then(Policy::from_word);
        own.and_then(of).or_else(|| of(&self.policies)).unwrap_or_default()
    }
}

impl From<Policy> for Detached {
    fn from(policy: Policy) -> Self {
        Self { policies: policy.word().into() }
    }
}

/// Reads the ids of questions that the person alone may answer: `{"<id>": true}`.
pub(super) fn exclusive(value: &Value) -> Result<Vec<String>, Misuse> {
    let invalid = || Misuse::InvalidOption { name: "exclusive".into(), expected: "an object of true or false by id" };
    let mut ids = Vec::new();
    for (id, flag) in value.as_object().ok_or_else(invalid)? {
        if flag.as_bool().ok_or_else(invalid)? {
            ids.push(id.clone());
        }
    }
    Ok(ids)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_is_said_of_a_tool_counts_before_what_is_said_of_all() {
        let detached =
            json!({ "run": "auto", "tool": "defaults", "tools": { "git": { "tool": "deny" }, "cargo": "auto" } });
        let detached = Detached::from_json(&detached).unwrap();
        for (tool, kind, policy) in [
            ("git", PromptKind::Tool, Policy::Deny),
            ("git", PromptKind::Run, Policy::Auto),
            ("cargo", PromptKind::Tool, Policy::Auto),
            ("cargo", PromptKind::Deliver, Policy::Auto),
            ("rm", PromptKind::Tool, Policy::Defaults),
            ("rm", PromptKind::Deliver, Policy::Deny),
            ("tools", PromptKind::Run, Policy::Auto),
        ] {
            assert_eq!(detached.policy(tool, kind), policy, "{tool} {kind:?}");
        }
        assert_eq!(Detached::default().policy("git", PromptKind::Run), Policy::Deny);
        assert_eq!(Detached::from(Policy::Auto).policy("git", PromptKind::Deliver), Policy::Auto);
    }

    #[test]
    fn what_is_no_policy_is_not_read() {
        for wrong in [
            json!("allow"),
            json!(null),
            json!({ "run": true }),
            json!({ "all": "deny" }),
            json!({ "tools": "deny" }),
            json!({ "tools": { "git": { "tools": {} } } }),
        ] {
            assert_eq!(Detached::from_json(&wrong), None, "{wrong}");
        }
        for wrong in
            [json!("model"), json!({ "escalation": 1 }), json!({ "model": "x" }), json!({ "other": 1 }), json!(true)]
        {
            assert_eq!(Target::from_json(&wrong), None, "{wrong}");
        }
    }
}
