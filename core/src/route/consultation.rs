//! How an assistant is asked in place of the person: the words, and the JSON Schema of what it has to say.

use crate::{
    form::{AnswerType, Choices, Form, Question},
    host::{Source, Target},
    problem::object,
};
use serde_json::{Map, Value};

/// What a host sends to an assistant for its verdict. The reason comes first, so that the answer follows from it.
#[derive(Clone, Debug, PartialEq)]
pub struct Consultation {
    /// The id of the model to ask, as the host's configuration names it; none leaves the choice to the host.
    pub model: Option<String>,
    /// What to ask it, in words.
    pub prompt: String,
    /// What it has to give, a JSON Schema: an object with `reason` and `answer`, in this order, both required.
    pub schema: Value,
}

impl Consultation {
    /// The consultation for a question of a form.
    pub(crate) fn new(form: &Form, question: &Question) -> Self {
        let model = match &form.host().target {
            Target::Assistant { model, .. } => model.clone(),
            Target::User => None,
        };
        Self { model, prompt: prompt(form, question), schema: schema(question) }
    }

    /// The JSON form: `prompt`, `schema`, and `model` where the configuration names one.
    pub fn to_json(&self) -> Value {
        let mut json = object([("prompt", self.prompt.as_str().into()), ("schema", self.schema.clone())]);
        if let Some(model) = &self.model {
            json.insert("model".into(), model.as_str().into());
        }
        Value::Object(json)
    }
}

fn prompt(form: &Form, question: &Question) -> String {
    let mut prompt = String::from(
        "You answer one question in the user's place. Judge it by what the user asked for and by what you can see; where \
         that does not settle it, take the answer that can be undone. Give the reason first, in a sentence or two, then the \
         answer.\n\n",
    );
    let asker = match &form.host().source {
        Source::Tool { name } => format!("The tool {name:?} asks: "),
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
        AnswerType::MultiSelect(choices, selections) => {
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
        AnswerType::Schema(schema) => match moved(schema.source()) {
            Value::Object(schema) => schema,
            // `true` and `false` are schemas, too; providers take objects alone.
            Value::Bool(false) => object([("not", Value::Object(Map::new()))]),
            _ => Map::new(),
        },
    }
}

fn one_of(choices: &Choices) -> Map<String, Value> {
    if choices.other() {
        return object([("type", "string".into())]);
    }
    object([("enum", choices.as_slice().iter().map(|choice| choice.value.clone()).collect())])
}

/// A schema one floor below: what it refers to within itself moves with it. Its depth is bounded by the host's limits.
fn moved(schema: &Value) -> Value {
    match schema {
        Value::Object(fields) => Value::Object(
            fields
                .iter()
                .map(|(key, value)| {
                    let local = value.as_str().and_then(|target| target.strip_prefix('#'));
                    match local.filter(|rest| key == "$ref" && (rest.is_empty() || rest.starts_with('/'))) {
                        Some(rest) => (key.clone(), format!("#/properties/answer{rest}").into()),
                        None => (key.clone(), moved(value)),
                    }
                })
                .collect(),
        ),
        Value::Array(list) => list.iter().map(moved).collect(),
        other => other.clone(),
    }
}
