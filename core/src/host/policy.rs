//! Who may answer: the target of a question, and what happens while no person is there.

use crate::json::{Named, Unfit, from_value};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

/// Who is asked first. In JSON: `"user"`, `"assistant"`, `"assistant_with_escalation"`, or
/// `{"model": {"id": …, …}, "escalation": true}`, where `model` is any object with a string `id`, and both may be left out.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Value", into = "Value")]
pub enum Target {
    /// The person.
    #[default]
    User,
    /// The assistant: another model that answers in the person's place.
    Assistant {
        /// The model to ask, with its `id`, its parameters and whatever else the host needs. It is handed back unchanged in
        /// [`crate::Consultation::model`]. `None`: the host decides.
        model: Option<Map<String, Value>>,
        /// Whether a "no" of the assistant is put to the person, who decides.
        escalation: bool,
    },
}

/// The JSON forms of [`Target`].
pub(super) const TARGETS: &str = "\"user\", \"assistant\", \"assistant_with_escalation\", or an object with \"model\" (which has a string \"id\") and \
     \"escalation\" (true or false)";

impl TryFrom<Value> for Target {
    type Error = String;

    fn try_from(value: Value) -> Result<Self, String> {
        let assistant = |model, escalation| Some(Self::Assistant { model, escalation });
        let target = match value {
            Value::String(word) => match word.as_str() {
                "user" => Some(Self::User),
                "assistant" => assistant(None, false),
                "assistant_with_escalation" => assistant(None, true),
                _ => None,
            },
            Value::Object(mut fields) => match (fields.remove("model"), fields.remove("escalation"), fields.len()) {
                (None, None | Some(Value::Bool(false)), 0) => assistant(None, false),
                (None, Some(Value::Bool(true)), 0) => assistant(None, true),
                (Some(Value::Object(model)), escalation @ (None | Some(Value::Bool(_))), 0)
                    if model.get("id").is_some_and(Value::is_string) =>
                {
                    assistant(Some(model), escalation == Some(Value::Bool(true)))
                }
                _ => None,
            },
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_) => None,
        };
        target.ok_or_else(|| format!("a target must be {TARGETS}"))
    }
}

impl From<Target> for Value {
    fn from(target: Target) -> Self {
        match target {
            Target::User => "user".into(),
            Target::Assistant { model: None, escalation: false } => "assistant".into(),
            Target::Assistant { model: None, escalation: true } => "assistant_with_escalation".into(),
            Target::Assistant { model: Some(model), escalation } => json!({ "model": model, "escalation": escalation }),
        }
    }
}

/// What happens to a prompt while no person is there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Policy {
    /// It fails, and the model is told so.
    #[default]
    Deny,
    /// A question takes its default, and fails if it has none. A permission is denied.
    Defaults,
    /// A question goes to the assistant, unless only the person may answer it. A permission is granted.
    Auto,
}

/// What the person is prompted for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PromptKind {
    /// Whether a tool may run.
    Run,
    /// Whether the model may see the result of a tool.
    Deliver,
    /// A question of a tool or of the agent itself.
    Tool,
}

/// A policy for each kind of prompt. In JSON: one policy for all kinds, such as `"auto"`, or an object with policies for `run`,
/// `deliver` and `tool`, each of which may be left out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Value")]
pub struct Policies {
    /// For [`PromptKind::Run`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub run: Option<Policy>,
    /// For [`PromptKind::Deliver`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deliver: Option<Policy>,
    /// For [`PromptKind::Tool`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool: Option<Policy>,
}

impl Policies {
    fn of(self, kind: PromptKind) -> Option<Policy> {
        match kind {
            PromptKind::Run => self.run,
            PromptKind::Deliver => self.deliver,
            PromptKind::Tool => self.tool,
        }
    }
}

impl From<Policy> for Policies {
    fn from(policy: Policy) -> Self {
        Self { run: Some(policy), deliver: Some(policy), tool: Some(policy) }
    }
}

impl TryFrom<Value> for Policies {
    type Error = Unfit;

    fn try_from(value: Value) -> Result<Self, Self::Error> {
        let Value::Object(mut fields) = value else { return from_value::<Policy>(&value).map(Self::from) };
        let mut policy = |kind: &str| fields.remove(kind).map(|policy| from_value(&policy)).transpose();
        let policies = Self { run: policy("run")?, deliver: policy("deliver")?, tool: policy("tool")? };
        if fields.is_empty() { Ok(policies) } else { Err(Unfit) }
    }
}

/// What happens to prompts while no person is there. In JSON: like [`Policies`], and in the field `tools` policies for single tools, by
/// their names: `{"run": "auto", "tools": {"git": {"tool": "deny"}}}`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Value")]
pub struct Detached {
    /// The policies for all tools. A kind of prompt without a policy is denied.
    #[serde(flatten)]
    pub all: Policies,
    /// The policies for single tools, by name. They go before `all`.
    #[serde(skip_serializing_if = "Named::is_empty")]
    pub tools: Named<Policies>,
}

impl Detached {
    /// The policy for a prompt of this tool.
    pub fn policy(&self, tool: &str, kind: PromptKind) -> Policy {
        let own = self.tools.get(tool).and_then(|policies| policies.of(kind));
        own.or(self.all.of(kind)).unwrap_or_default()
    }
}

impl From<Policy> for Detached {
    fn from(policy: Policy) -> Self {
        Self { all: policy.into(), tools: Named::default() }
    }
}

impl TryFrom<Value> for Detached {
    type Error = Unfit;

    fn try_from(mut value: Value) -> Result<Self, Self::Error> {
        let tools = value.as_object_mut().and_then(|fields| fields.remove("tools"));
        let tools = tools.map(|tools| from_value(&tools)).transpose()?.unwrap_or_default();
        Ok(Self { all: value.try_into()?, tools })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_policy_of_a_tool_goes_before_that_of_all() {
        let detached =
            json!({ "run": "auto", "tool": "defaults", "tools": { "git": { "tool": "deny" }, "cargo": "auto" } });
        let detached = Detached::deserialize(detached).unwrap();
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
        assert_eq!(Detached::deserialize(json!(detached)).unwrap(), detached);
    }

    #[test]
    fn anything_else_is_refused() {
        for wrong in [
            json!("allow"),
            json!(null),
            json!({ "run": true }),
            json!({ "all": "deny" }),
            json!({ "tools": "deny" }),
            json!({ "tools": { "git": { "tools": {} } } }),
        ] {
            assert!(Detached::deserialize(&wrong).is_err(), "{wrong}");
        }
        for wrong in [
            json!("model"),
            json!({ "escalation": 1 }),
            json!({ "model": "x" }),
            json!({ "model": { "name": "x" } }),
            json!({ "model": { "id": "x" }, "escalation": null }),
            json!({ "other": 1 }),
            json!(true),
        ] {
            assert!(Target::deserialize(&wrong).is_err(), "{wrong}");
        }
        assert_eq!(Target::deserialize(json!({})).unwrap(), Target::Assistant { model: None, escalation: false });
    }
}
