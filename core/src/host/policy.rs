//! Who may answer: the target of a question, and what happens while no person is there.

use crate::{
    json::{FromJson, Named, ToJson, deserialize, serialize},
    problem::{collected, object},
};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::{fmt, str::FromStr};

/// Who is asked first. In JSON: `"user"`, `"assistant"`, `"assistant_with_escalation"`, or
/// `{"model": {"id": …, …}, "escalation": true}`, where `model` is any object with a string `id`, and both may be left out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
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

impl FromJson for Target {
    fn from_json(value: &Value) -> Option<Self> {
        let assistant = |model, escalation| Some(Self::Assistant { model, escalation });
        match value {
            Value::String(word) => match word.as_str() {
                "user" => Some(Self::User),
                "assistant" => assistant(None, false),
                "assistant_with_escalation" => assistant(None, true),
                _ => None,
            },
            Value::Object(fields) => {
                let (mut model, mut escalation) = (None, false);
                for (name, value) in fields {
                    match (name.as_str(), value) {
                        ("model", Value::Object(fields)) if fields.get("id").is_some_and(Value::is_string) => {
                            model = Some(fields.clone());
                        }
                        ("escalation", Value::Bool(escalates)) => escalation = *escalates,
                        _ => return None,
                    }
                }
                assistant(model, escalation)
            }
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_) => None,
        }
    }
}

impl ToJson for Target {
    fn to_json(&self) -> Value {
        match self {
            Self::User => "user".into(),
            Self::Assistant { model: None, escalation: false } => "assistant".into(),
            Self::Assistant { model: None, escalation: true } => "assistant_with_escalation".into(),
            Self::Assistant { model: Some(model), escalation } => {
                Value::Object(object([("model", Value::Object(model.clone())), ("escalation", (*escalation).into())]))
            }
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

/// There is no kind of prompt with this name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownPromptKind;

impl fmt::Display for UnknownPromptKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Give the kind as \"run\", \"deliver\" or \"tool\".")
    }
}

impl std::error::Error for UnknownPromptKind {}

impl FromStr for PromptKind {
    type Err = UnknownPromptKind;

    fn from_str(name: &str) -> Result<Self, UnknownPromptKind> {
        match name {
            "run" => Ok(Self::Run),
            "deliver" => Ok(Self::Deliver),
            "tool" => Ok(Self::Tool),
            _ => Err(UnknownPromptKind),
        }
    }
}

/// A policy for each kind of prompt. In JSON: one policy for all kinds, such as `"auto"`, or an object with policies for `run`,
/// `deliver` and `tool`, each of which may be left out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Policies {
    /// For [`PromptKind::Run`].
    pub run: Option<Policy>,
    /// For [`PromptKind::Deliver`].
    pub deliver: Option<Policy>,
    /// For [`PromptKind::Tool`].
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

impl Policy {
    fn name(self) -> &'static str {
        match self {
            Self::Deny => "deny",
            Self::Defaults => "defaults",
            Self::Auto => "auto",
        }
    }
}

impl FromJson for Policy {
    fn from_json(value: &Value) -> Option<Self> {
        [Self::Deny, Self::Defaults, Self::Auto].into_iter().find(|policy| value == policy.name())
    }
}

impl Policies {
    fn to_fields(self) -> Map<String, Value> {
        let name = |policy: Option<Policy>| policy.map(|policy| policy.name().into());
        collected(&mut [("run", name(self.run)), ("deliver", name(self.deliver)), ("tool", name(self.tool))])
    }
}

impl ToJson for Policies {
    fn to_json(&self) -> Value {
        Value::Object(self.to_fields())
    }
}

impl FromJson for Policies {
    fn from_json(value: &Value) -> Option<Self> {
        let Some(fields) = value.as_object() else { return Policy::from_json(value).map(Self::from) };
        let mut policies = Self::default();
        for (name, value) in fields {
            let kind = match name.as_str() {
                "run" => &mut policies.run,
                "deliver" => &mut policies.deliver,
                "tool" => &mut policies.tool,
                _ => return None,
            };
            *kind = Some(Policy::from_json(value)?);
        }
        Some(policies)
    }
}

/// What happens to prompts while no person is there. In JSON: like [`Policies`], and in the field `tools` policies for single tools, by
/// their names: `{"run": "auto", "tools": {"git": {"tool": "deny"}}}`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Detached {
    /// The policies for all tools. A kind of prompt without a policy is denied.
    pub all: Policies,
    /// The policies for single tools, by name. They go before `all`.
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

impl ToJson for Detached {
    fn to_json(&self) -> Value {
        let mut fields = self.all.to_fields();
        if !self.tools.is_empty() {
            fields.insert("tools".into(), self.tools.to_json());
        }
        Value::Object(fields)
    }
}

impl FromJson for Detached {
    fn from_json(value: &Value) -> Option<Self> {
        let mut tools = Named::default();
        let all = match value {
            Value::Object(fields) => {
                tools = Named::from_json(fields.get("tools").unwrap_or(&Value::Object(Map::new())))?;
                let all = fields.iter().filter(|(name, _)| *name != "tools");
                Policies::from_json(&all.map(|(name, value)| (name.clone(), value.clone())).collect())?
            }
            policy => Policies::from_json(policy)?,
        };
        Some(Self { all, tools })
    }
}

serialize!(Target, Policies, Detached);
deserialize!(
    Target: "\"user\", \"assistant\", \"assistant_with_escalation\", or an object with \"model\" and \"escalation\"",
    Policies: "a policy, or an object with policies",
    Detached: "a policy, or an object with policies"
);

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

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
    fn what_is_no_policy_is_refused() {
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
