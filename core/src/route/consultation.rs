//! How an assistant is asked in the person's place: the prompt, and the JSON Schema of its answer.

use crate::{
    form::Outline,
    host::{Source, Target},
    json::quoted,
    problem::object,
    question::{AnswerType, Approval, Choices, Decision, Question},
};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// What the host asks the assistant. In JSON: `record`, `prompt`, `schema`, and `model` if there is one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Consultation {
    /// The id of the record that the verdict answers. Bring it back with the verdict: [`crate::Verdict::record`].
    pub record: String,
    /// The question and all that belongs to it, in words.
    pub prompt: String,
    /// The JSON Schema of the answer: an object with `reason` and `answer`, both required. `reason` comes first, so that the answer follows
    /// from it.
    pub schema: Value,
    /// The model to ask, as the host's [`Target`] names it. `None`: the host decides.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<Map<String, Value>>,
}

impl Consultation {
    pub(crate) fn new(form: &Outline, question: &Question, record: String) -> Self {
        let model = match form.host().target_of(&question.id) {
            Target::Assistant { model, .. } => model,
            Target::User => None,
        };
        Self { record, prompt: prompt(form, question), schema: schema(question), model }
    }
}

fn prompt(form: &Outline, question: &Question) -> String {
    let mut prompt = String::from(
        "You answer one question in the user's place. Judge it by what the user asked for and by what you can see; where \
         that does not settle it, take the answer that can be undone. Give the reason first, in a sentence or two, then the \
         answer.\n\n",
    );
    let asker = match &form.host().source {
        Source::Tool { name } => format!("The tool {} asks: ", quoted(name)),
        Source::Assistant | Source::User | Source::Other { .. } => String::from("The question: "),
    };
    prompt.push_str(&asker);
    prompt.push_str(&question.text);
    let mut add = |before: &str, text: Option<&str>| {
        if let Some(text) = text {
            prompt.push_str(before);
            prompt.push_str(text);
        }
    };
    add("\n\n", form.message());
    add("\n\n", question.context.as_deref());
    if let Some(call) = question.answer_type.approval() {
        add("\n\nThe arguments of the call:\n", Some(&crate::json::text(&call.arguments)));
    }
    if let Some(choices) = question.answer_type.choices() {
        prompt.push_str("\n\nThe options:");
        for choice in choices.as_slice() {
            prompt.push_str("\n- ");
            prompt.push_str(&choice.value.to_string());
            let label = Some(&choice.label).filter(|label| choice.value.as_str() != Some(label));
            for (before, text) in [(" = ", label), (": ", choice.description.as_ref())] {
                if let Some(text) = text {
                    prompt.push_str(before);
                    prompt.push_str(text);
                }
            }
        }
        if choices.other() {
            prompt.push_str("\n- or a text of your own");
        }
    }
    prompt
}

fn schema(question: &Question) -> Value {
    let answer = Value::Object(answer_schema(&question.answer_type));
    let reason = object([("type", "string".into()), ("description", "Why, in a sentence or two.".into())]);
    Value::Object(object([
        ("type", "object".into()),
        ("properties", Value::Object(object([("reason", Value::Object(reason)), ("answer", answer)]))),
        ("required", Value::Array(vec!["reason".into(), "answer".into()])),
        ("additionalProperties", false.into()),
    ]))
}

fn answer_schema(answer_type: &AnswerType) -> Map<String, Value> {
    match answer_type {
        AnswerType::Boolean | AnswerType::Url(_) => object([("type", "boolean".into())]),
        AnswerType::Select(choices) => one_of(choices),
        AnswerType::MultiSelect { choices, selections } => {
            let mut schema = object([("type", "array".into()), ("items", Value::Object(one_of(choices)))]);
            schema.insert("uniqueItems".into(), true.into());
            schema.insert("minItems".into(), selections.minimum.into());
            schema.extend(selections.maximum.map(|maximum| ("maxItems".to_owned(), maximum.into())));
            schema
        }
        AnswerType::Text(rules) => {
            let mut schema = object([("type", "string".into()), ("minLength", rules.min_length.into())]);
            schema.extend(rules.max_length.map(|longest| ("maxLength".to_owned(), longest.into())));
            schema.extend(rules.pattern().map(|pattern| ("pattern".to_owned(), pattern.into())));
            schema.extend(rules.format.map(|format| ("format".to_owned(), format.name().into())));
            schema
        }
        AnswerType::Number(rules) => {
            let kind = if rules.integer { "integer" } else { "number" };
            let mut schema = object([("type", kind.into())]);
            schema.extend(rules.minimum.clone().map(|least| ("minimum".to_owned(), Value::Number(least))));
            schema.extend(rules.maximum.clone().map(|most| ("maximum".to_owned(), Value::Number(most))));
            schema
        }
        AnswerType::Secret => object([("type", "string".into())]),
        AnswerType::Approval(call) => decision_schema(call),
        AnswerType::Schema { schema } => match moved(schema.source()) {
            Value::Object(schema) => schema,
            // `true` and `false` are schemas, too; providers take objects alone.
            Value::Bool(false) => object([("not", Value::Object(Map::new()))]),
            _ => Map::new(),
        },
    }
}

fn decision_schema(call: &Approval) -> Map<String, Value> {
    let names = call.decisions.iter().map(|decision| decision.name()).collect();
    let kind = object([("type", "string".into()), ("enum", names)]);
    let mut properties = object([("type", Value::Object(kind))]);
    if call.allows(Decision::Edit) {
        let arguments =
            object([("type", "object".into()), ("description", "For \"edit\": all arguments, changed.".into())]);
        properties.insert("arguments".into(), Value::Object(arguments));
    }
    if call.allows(Decision::Reject) || call.allows(Decision::Respond) {
        let message = object([("type", "string".into()), ("description", "For \"reject\" and \"respond\".".into())]);
        properties.insert("message".into(), Value::Object(message));
    }
    object([
        ("type", "object".into()),
        ("properties", Value::Object(properties)),
        ("required", Value::Array(vec!["type".into()])),
        ("additionalProperties", false.into()),
    ])
}

fn one_of(choices: &Choices) -> Map<String, Value> {
    if choices.other() {
        return object([("type", "string".into())]);
    }
    object([("enum", choices.as_slice().iter().map(|choice| choice.value.clone()).collect())])
}

/// The schema as a subschema at `/properties/answer`: references to places in it move with it. A schema with an `$id` is the base of its
/// own references and stays as it is. So do the values of `const`, `enum`, `default` and `examples`, which are no schemas. The host's
/// limits bound the depth.
fn moved(schema: &Value) -> Value {
    let fields = match schema {
        Value::Object(fields) if !fields.contains_key("$id") => fields,
        Value::Array(list) => return list.iter().map(moved).collect(),
        other => return other.clone(),
    };
    let part = |(name, value): (&String, &Value)| {
        let value = match (name.as_str(), value) {
            ("$ref" | "$dynamicRef", Value::String(target)) => match target.strip_prefix('#') {
                Some(rest) if rest.is_empty() || rest.starts_with('/') => format!("#/properties/answer{rest}").into(),
                _ => value.clone(),
            },
            ("const" | "enum" | "default" | "examples", _) => value.clone(),
            ("properties" | "patternProperties" | "$defs" | "definitions" | "dependentSchemas" | "dependencies", _) => {
                value.as_object().map_or_else(
                    || value.clone(),
                    |schemas| {
                        Value::Object(schemas.iter().map(|(name, schema)| (name.clone(), moved(schema))).collect())
                    },
                )
            }
            _ => moved(value),
        };
        (name.clone(), value)
    };
    Value::Object(fields.iter().map(part).collect())
}

#[cfg(test)]
mod tests {
    use super::moved;
    use serde_json::json;

    #[test]
    fn references_move_with_their_schema_and_values_stay() {
        for (schema, expected) in [
            (json!({ "$ref": "#" }), json!({ "$ref": "#/properties/answer" })),
            (
                json!({ "items": { "$ref": "#/$defs/a" } }),
                json!({ "items": { "$ref": "#/properties/answer/$defs/a" } }),
            ),
            (json!({ "$ref": "#anchor" }), json!({ "$ref": "#anchor" })),
            (
                json!({ "const": { "$ref": "#/a" }, "enum": [{ "$ref": "#" }] }),
                json!({ "const": { "$ref": "#/a" }, "enum": [{ "$ref": "#" }] }),
            ),
            (
                json!({ "properties": { "const": { "$ref": "#" } } }),
                json!({ "properties": { "const": { "$ref": "#/properties/answer" } } }),
            ),
            (
                json!({ "$id": "urn:x", "items": { "$ref": "#/a" } }),
                json!({ "$id": "urn:x", "items": { "$ref": "#/a" } }),
            ),
            (
                json!({ "$ref": "urn:x", "$defs": { "x": { "$id": "urn:x", "items": { "$ref": "#" } } } }),
                json!({ "$ref": "urn:x", "$defs": { "x": { "$id": "urn:x", "items": { "$ref": "#" } } } }),
            ),
        ] {
            assert_eq!(moved(&schema), expected);
        }
    }
}
