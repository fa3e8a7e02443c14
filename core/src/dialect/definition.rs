//! What models are told of the tools that ask the person. This module does not read a request.

use super::Dialect;
use crate::{host::Host, json::parse};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

/// The definition of a tool that asks the person, to hand to a model. Its parameters are a JSON Schema in the subset that model providers
/// take: without references, and with one type for each field, or several in `anyOf`. `docs/models.md` says what each provider takes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ToolDefinition {
    /// The tool's name.
    pub name: String,
    /// When to use it, and how.
    pub description: String,
    /// Its parameters: a JSON Schema.
    pub parameters: Value,
    /// The same for providers that hold a model to a schema (`strict`): objects have no other properties, and every property is required and
    /// may be null. Only of the tools of `ask_user`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub strict_parameters: Option<Value>,
    /// When to ask and when not to, for the system prompt.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub instructions: Option<String>,
}

impl ToolDefinition {
    /// The definitions for the agent that a host serves: those of its dialect's tools, and none for an agent that has no user to ask
    /// ([`Host::sub_agent`]). Of `ask_user` the full one: the other is a choice instead of it ([`ToolDefinition::of`]).
    ///
    /// ```
    /// use ask_user_core::{Dialect, Host, ToolDefinition};
    ///
    /// let sub_agent = Host { sub_agent: true, ..Host::default() };
    /// assert_eq!(ToolDefinition::for_agent(Dialect::AskUser, &sub_agent), []);
    /// assert_eq!(ToolDefinition::for_agent(Dialect::AskUser, &Host::default()).len(), 1);
    /// ```
    pub fn for_agent(dialect: Dialect, host: &Host) -> Vec<Self> {
        let mut all = if host.sub_agent { Vec::new() } else { Self::of(dialect) };
        all.retain(|definition| definition.name != SIMPLE);
        all
    }

    /// The definitions of a dialect's tools. Empty for [`Dialect::Detect`], for dialects whose requests a framework writes instead of a model, and for
    /// agents that tell their models of their own tools.
    ///
    /// `ask_user` has two, of which an agent gets one: `ask_user` with all that a form can do, and `ask_user_simple` with less to read and
    /// less to get wrong. Calls of both are of the same dialect.
    pub fn of(dialect: Dialect) -> Vec<Self> {
        const TOOLS: &str = include_str!("tools.json");
        // Invariant: the file has the definitions of every dialect whose requests models write. A test reads them all.
        let tools = parse(TOOLS).unwrap_or_default();
        let mut all: Vec<Self> =
            tools.get(dialect.name()).and_then(|tools| Vec::deserialize(tools).ok()).unwrap_or_default();
        if dialect == Dialect::AskUser {
            for definition in &mut all {
                definition.strict_parameters = Some(strict(&definition.parameters));
            }
        }
        all
    }
}

/// The name of the tool that an agent gets in place of `ask_user`.
const SIMPLE: &str = "ask_user_simple";
/// The keywords that one provider or another does not take in a strict schema. The descriptions say the same.
const LIMITS: [&str; 5] = ["default", "maxItems", "maxLength", "minItems", "minLength"];

/// A schema for strict mode: objects have no other properties, and all properties are required. Those that were optional may be null, which counts as
/// absent. The schema is our own, so how deep it nests is known.
fn strict(schema: &Value) -> Value {
    let Value::Object(fields) = schema else { return schema.clone() };
    let is_required = |name: &str| {
        let list = fields.get("required").and_then(Value::as_array);
        list.is_some_and(|list| list.iter().any(|required| required == name))
    };
    let mut made = Map::new();
    for (keyword, value) in fields {
        let value = match (keyword.as_str(), value) {
            (limit, _) if LIMITS.contains(&limit) => continue,
            ("required", _) => continue,
            ("items", items) => strict(items),
            ("anyOf", Value::Array(list)) => list.iter().map(strict).collect(),
            ("properties", Value::Object(properties)) => {
                let property = |(name, schema): (&String, &Value)| {
                    let schema = strict(schema);
                    (name.clone(), if is_required(name) { schema } else { or_null(schema) })
                };
                Value::Object(properties.iter().map(property).collect())
            }
            (_, value) => value.clone(),
        };
        made.insert(keyword.clone(), value);
    }
    if let Some(properties) = fields.get("properties").and_then(Value::as_object) {
        made.insert("required".into(), properties.keys().map(String::as_str).collect());
        made.insert("additionalProperties".into(), false.into());
    }
    Value::Object(made)
}

/// A schema that takes null as well.
fn or_null(schema: Value) -> Value {
    let Value::Object(mut fields) = schema else { return schema };
    let null = json!({ "type": "null" });
    if let Some(Value::Array(list)) = fields.get_mut("anyOf") {
        if !list.contains(&null) {
            list.push(null);
        }
        return Value::Object(fields);
    }
    let is_plain = fields.get("type").is_some_and(|kind| kind != "object" && kind != "array");
    let is_open = is_plain && !fields.contains_key("enum");
    match fields.get_mut("type").filter(|_| is_open) {
        Some(kind) => *kind = json!([kind.take(), "null"]),
        None => {
            // What is said of the field stays with it.
            let description = fields.shift_remove("description");
            let mut whole = Map::new();
            whole.extend(description.map(|description| ("description".to_owned(), description)));
            whole.insert("anyOf".into(), Value::Array(vec![Value::Object(fields), null]));
            return Value::Object(whole);
        }
    }
    Value::Object(fields)
}
