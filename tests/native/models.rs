//! The definitions of `ask_user` are what each provider takes: a checker for the subset of JSON Schema that each one documents. `docs/models.md`
//! says the same in words, and has the addresses of the pages.

use ask_user_core::{Dialect, Form, Host, ToolDefinition, Walk};
use serde_json::{Value, json};

/// A schema within a schema: where, how deep in objects and lists, and what.
struct Part<'s> {
    path: String,
    depth: usize,
    schema: &'s Value,
}

fn parts<'s>(schema: &'s Value, path: &str, depth: usize, found: &mut Vec<Part<'s>>) {
    let is_level = schema.get("properties").is_some() || schema.get("items").is_some();
    let below = depth + usize::from(is_level);
    for (name, inner) in schema["properties"].as_object().into_iter().flatten() {
        parts(inner, &format!("{path}/properties/{name}"), below, found);
    }
    if let Some(inner) = schema.get("items") {
        parts(inner, &format!("{path}/items"), below, found);
    }
    for (at, inner) in schema["anyOf"].as_array().into_iter().flatten().enumerate() {
        parts(inner, &format!("{path}/anyOf/{at}"), depth, found);
    }
    found.push(Part { path: path.to_owned(), depth: below, schema });
}

/// All schemas within one, after what is true of every provider: a schema is an object, and what is required is there.
fn parts_of(schema: &Value) -> Result<Vec<Part<'_>>, String> {
    jsonschema::meta::validate(schema).map_err(|error| error.to_string())?;
    let mut found = Vec::new();
    parts(schema, "", 0, &mut found);
    for Part { path, schema, .. } in &found {
        ensure(schema.is_object(), path, "is no object")?;
        for name in schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str) {
            ensure(schema["properties"].get(name).is_some(), path, "requires what it does not describe")?;
        }
    }
    ensure(schema["type"] == "object", "", "is no object at its root")?;
    Ok(found)
}

fn ensure(holds: bool, path: &str, fault: &str) -> Result<(), String> {
    if holds { Ok(()) } else { Err(format!("{path} {fault}")) }
}

fn only(part: &Part<'_>, keywords: &[&str]) -> Result<(), String> {
    let odd = part.schema.as_object().unwrap().keys().find(|keyword| !keywords.contains(&keyword.as_str()));
    odd.map_or(Ok(()), |keyword| Err(format!("{} has {keyword}", part.path)))
}

/// Whether an object says that it has no other properties.
fn is_closed(schema: &Value) -> bool {
    schema.get("properties").is_none() || schema.get("additionalProperties") == Some(&Value::Bool(false))
}

/// How many parameters may be of several types.
fn unions(parts: &[Part<'_>]) -> usize {
    parts.iter().filter(|part| part.schema.get("anyOf").is_some() || part.schema["type"].is_array()).count()
}

/// OpenAI, function calling with `strict: true`.
/// <https://developers.openai.com/api/docs/guides/structured-outputs#supported-schemas>
fn openai_strict(schema: &Value) -> Result<(), String> {
    const KEYWORDS: &[&str] = &[
        "type",
        "description",
        "properties",
        "required",
        "additionalProperties",
        "items",
        "anyOf",
        "enum",
        "const",
        "$ref",
        "$defs",
        "pattern",
        "format",
        "multipleOf",
        "minimum",
        "maximum",
        "exclusiveMinimum",
        "exclusiveMaximum",
        "minItems",
        "maxItems",
    ];
    let parts = parts_of(schema)?;
    ensure(schema.get("anyOf").is_none(), "", "has anyOf at its root")?;
    let (mut properties, mut values, mut letters) = (0, 0, 0);
    for part in &parts {
        only(part, KEYWORDS)?;
        let has_type = part.schema.get("type").is_some() || part.schema.get("anyOf").is_some();
        ensure(has_type, &part.path, "has no type")?;
        ensure(is_closed(part.schema), &part.path, "takes other properties")?;
        ensure(part.depth <= 10, &part.path, "is more than 10 levels deep")?;
        let names: Vec<&String> =
            part.schema["properties"].as_object().into_iter().flat_map(|all| all.keys()).collect();
        let required = part.schema["required"].as_array().map_or(0, Vec::len);
        ensure(names.len() == required, &part.path, "has a property that is not required")?;
        ensure(part.schema["type"] != "object" || !names.is_empty(), &part.path, "is an object of any shape")?;
        let listed = part.schema["enum"].as_array().map(Vec::as_slice).unwrap_or_default();
        properties += names.len();
        values += listed.len();
        letters += names.iter().map(|name| name.len()).sum::<usize>();
        letters += listed.iter().map(|value| value.to_string().len()).sum::<usize>();
    }
    ensure(properties <= 5_000 && values <= 1_000 && letters <= 120_000, "", "is too large")
}

/// Anthropic, tools with `strict: true`. <https://platform.claude.com/docs/en/build-with-claude/structured-outputs#json-schema-limitations>
fn anthropic_strict(schema: &Value) -> Result<(), String> {
    const KEYWORDS: &[&str] = &[
        "type",
        "description",
        "properties",
        "required",
        "additionalProperties",
        "items",
        "anyOf",
        "allOf",
        "enum",
        "const",
        "default",
        "$ref",
        "$defs",
        "definitions",
        "format",
        "pattern",
        "minItems",
    ];
    let parts = parts_of(schema)?;
    let mut optional = 0;
    for part in &parts {
        only(part, KEYWORDS)?;
        ensure(is_closed(part.schema), &part.path, "takes other properties")?;
        let least = part.schema.get("minItems").is_none_or(|least| *least == 0 || *least == 1);
        ensure(least, &part.path, "has minItems above 1")?;
        let listed = part.schema["enum"].as_array().into_iter().flatten();
        ensure(
            listed.into_iter().all(|value| !value.is_object() && !value.is_array()),
            &part.path,
            "lists more than scalars",
        )?;
        let properties = part.schema["properties"].as_object().map_or(0, serde_json::Map::len);
        optional += properties - part.schema["required"].as_array().map_or(0, Vec::len);
    }
    ensure(optional <= 24, "", "has more than 24 optional parameters")?;
    ensure(unions(&parts) <= 16, "", "has more than 16 parameters of several types")
}

/// Anthropic, tools without `strict`: any JSON Schema of an object. <https://platform.claude.com/docs/en/agents-and-tools/tool-use/implement-tool-use>
fn anthropic(schema: &Value) -> Result<(), String> {
    parts_of(schema).map(drop)
}

/// Gemini, `parameters` of a function declaration: the fields of its `Schema`. <https://ai.google.dev/api/caching#Schema>
fn gemini(schema: &Value) -> Result<(), String> {
    const KEYWORDS: &[&str] = &[
        "type",
        "format",
        "title",
        "description",
        "nullable",
        "enum",
        "maxItems",
        "minItems",
        "properties",
        "required",
        "minProperties",
        "maxProperties",
        "minLength",
        "maxLength",
        "pattern",
        "example",
        "anyOf",
        "propertyOrdering",
        "default",
        "items",
        "minimum",
        "maximum",
    ];
    const TYPES: [&str; 7] = ["string", "number", "integer", "boolean", "array", "object", "null"];
    for part in parts_of(schema)? {
        only(&part, KEYWORDS)?;
        let (kind, path) = (part.schema["type"].as_str().unwrap_or_default(), &part.path);
        let is_one_of_several = part.schema.get("anyOf").is_some() && part.schema.get("type").is_none();
        ensure(is_one_of_several || TYPES.contains(&kind), path, "has not one type")?;
        let is = |keyword: &str, of: &str| part.schema.get(keyword).is_none() || kind == of;
        ensure(is("properties", "object") && is("required", "object"), path, "has properties and is no object")?;
        ensure(is("items", "array") && is("enum", "string"), path, "has a keyword of another type")?;
        ensure(kind != "array" || part.schema.get("items").is_some(), path, "is a list of anything")?;
        // Not documented, and refused: <https://github.com/agno-agi/agno/issues/2112>.
        let properties = part.schema["properties"].as_object().map_or(0, serde_json::Map::len);
        ensure(kind != "object" || properties > 0, path, "is an object of any shape")?;
        let listed = part.schema["enum"].as_array().into_iter().flatten();
        ensure(listed.into_iter().all(Value::is_string), path, "lists what is no text")?;
    }
    Ok(())
}

/// llama.cpp, which makes a grammar of the parameters. <https://github.com/ggml-org/llama.cpp/blob/master/grammars/README.md>
fn llama_cpp(schema: &Value) -> Result<(), String> {
    const KEYWORDS: &[&str] = &[
        "type",
        "description",
        "properties",
        "required",
        "additionalProperties",
        "items",
        "anyOf",
        "oneOf",
        "enum",
        "const",
        "format",
        "pattern",
        "minItems",
        "maxItems",
        "minLength",
        "maxLength",
        "minimum",
        "maximum",
    ];
    for part in parts_of(schema)? {
        only(&part, KEYWORDS)?;
        let has = |keyword: &str| part.schema.get(keyword).is_some();
        ensure(!(has("properties") && (has("anyOf") || has("oneOf"))), &part.path, "mixes properties with anyOf")?;
        let is_bounded = has("minimum") || has("maximum");
        ensure(
            !is_bounded || part.schema["type"] == "integer",
            &part.path,
            "has limits of a number that is not whole",
        )?;
        let pattern = part.schema["pattern"].as_str().unwrap_or("^$");
        ensure(pattern.starts_with('^') && pattern.ends_with('$'), &part.path, "has a pattern without ends")?;
        let format = part.schema["format"].as_str().unwrap_or("date");
        ensure(["date", "time", "date-time", "uuid"].contains(&format), &part.path, "has a format without a rule")?;
    }
    Ok(())
}

fn definition(name: &str) -> ToolDefinition {
    let found = ToolDefinition::of(Dialect::AskUser).into_iter().find(|definition| definition.name == name);
    found.unwrap_or_else(|| panic!("there is no {name}"))
}

#[test]
fn both_definitions_are_what_every_provider_takes() {
    for name in ["ask_user", "ask_user_simple"] {
        let definition = definition(name);
        for (provider, check) in
            [("Anthropic", anthropic as fn(&Value) -> Result<(), String>), ("Gemini", gemini), ("llama.cpp", llama_cpp)]
        {
            assert_eq!(check(&definition.parameters), Ok(()), "{name}, {provider}");
        }
        // A limit that OpenAI had until May 2025, and that gateways still have: <https://github.com/getsentry/sentry-mcp/issues/106>.
        assert!(definition.description.chars().count() <= 1_024, "{name}");
        let is_name = |letter: char| letter.is_ascii_alphanumeric() || letter == '_' || letter == '-';
        assert!(definition.name.chars().all(is_name) && definition.name.len() <= 63, "{name}");
    }
}

#[test]
fn the_strict_variants_are_what_strict_mode_takes() {
    let (full, simple) = (definition("ask_user"), definition("ask_user_simple"));
    let [full, simple] = [full, simple].map(|definition| definition.strict_parameters.unwrap());
    for (name, schema) in [("ask_user", &full), ("ask_user_simple", &simple)] {
        assert_eq!(openai_strict(schema), Ok(()), "{name}");
        assert_eq!(llama_cpp(schema), Ok(()), "{name}");
    }
    assert_eq!(anthropic_strict(&simple), Ok(()));
    // The full tool says too much for it: docs/models.md.
    assert_eq!(anthropic_strict(&full), Err(" has more than 16 parameters of several types".into()));
    // What is not strict is not taken for it.
    assert!(openai_strict(&definition("ask_user").parameters).is_err());
    assert!(anthropic_strict(&definition("ask_user").parameters).is_err());
}

#[test]
fn the_checkers_refuse_what_the_providers_do() {
    let with = |property: Value| json!({ "type": "object", "properties": { "a": property }, "required": ["a"], "additionalProperties": false });
    let open = |property: Value| json!({ "type": "object", "properties": { "a": property }, "required": ["a"] });
    let text = json!({ "type": "string" });
    for (check, schema) in [
        (openai_strict as fn(&Value) -> Result<(), String>, open(text.clone())),
        (openai_strict, with(json!({ "description": "anything" }))),
        (openai_strict, with(json!({ "type": "string", "minLength": 1 }))),
        (openai_strict, with(json!({ "type": "object" }))),
        (
            openai_strict,
            json!({ "type": "object", "properties": { "a": text }, "required": [], "additionalProperties": false }),
        ),
        (openai_strict, (0..11).fold(text.clone(), |inner, _| with(inner))),
        (anthropic_strict, open(text.clone())),
        (anthropic_strict, with(json!({ "type": "array", "items": text, "minItems": 2 }))),
        (anthropic_strict, with(json!({ "type": "number", "minimum": 1 }))),
        (gemini, with(text.clone())),
        (gemini, open(json!({ "type": ["string", "null"] }))),
        (gemini, open(json!({ "type": "integer", "enum": [1] }))),
        (gemini, open(json!({ "description": "anything" }))),
        (gemini, open(json!({ "type": "object" }))),
        (gemini, open(json!({ "type": "array" }))),
        (gemini, open(json!({ "const": "a" }))),
        (llama_cpp, open(json!({ "properties": { "b": text }, "anyOf": [text] }))),
        (llama_cpp, open(json!({ "type": "string", "format": "uri" }))),
        (llama_cpp, open(json!({ "type": "string", "pattern": "a" }))),
        (llama_cpp, open(json!({ "not": { "type": "string" } }))),
        (anthropic, json!({ "type": "object", "properties": {}, "required": ["a"] })),
    ] {
        assert!(check(&schema).is_err(), "{schema}");
    }
    assert_eq!((openai_strict(&with(text.clone())), anthropic_strict(&with(text.clone()))), (Ok(()), Ok(())));
    assert_eq!((gemini(&open(text.clone())), llama_cpp(&with(text))), (Ok(()), Ok(())));
}

/// The example in the description of `questions`.
fn example(definition: &ToolDefinition) -> Value {
    let said = definition.parameters["properties"]["questions"]["description"].as_str().unwrap();
    let (_, example) = said.split_once("Example: ").unwrap();
    json!({ "questions": serde_json::from_str::<Value>(example).unwrap() })
}

#[test]
fn the_example_of_each_definition_is_a_call_of_it() {
    for (name, answers, result) in [
        ("ask_user", vec![json!("production"), json!(true)], json!({ "target": "production", "drop": true })),
        ("ask_user_simple", vec![json!(true), json!("staging")], json!({ "apply": true, "target": "staging" })),
    ] {
        let definition = definition(name);
        let request = example(&definition);
        assert!(jsonschema::validator_for(&definition.parameters).unwrap().is_valid(&request), "{name}");
        let form = Form::read(&request, Dialect::Detect, &Host::default()).unwrap();
        assert_eq!((form.dialect(), form.warnings()), ("ask_user", &[][..]));
        let mut walk = Walk::new(form);
        for answer in answers {
            walk.act(ask_user_core::Action::answer(answer)).unwrap();
        }
        assert_eq!(walk.outcome().unwrap().result, Some(result));
    }
}

/// A call as strict mode has it: every field is there, null where it says nothing.
fn filled(value: &Value, schema: &Value) -> Value {
    let options = schema["anyOf"].as_array().map_or(vec![schema], |list| list.iter().collect());
    let fits = |schema: &&Value| jsonschema::validator_for(&shape(schema)).unwrap().is_valid(value);
    let schema = options.iter().copied().find(fits).unwrap_or(schema);
    match value {
        Value::Object(fields) if schema.get("properties").is_some() => {
            let properties = schema["properties"].as_object().unwrap();
            let filled = |(name, schema): (&String, &Value)| {
                (name.clone(), fields.get(name).map_or(Value::Null, |value| filled(value, schema)))
            };
            Value::Object(properties.iter().map(filled).collect())
        }
        Value::Array(items) => items.iter().map(|item| filled(item, &schema["items"])).collect(),
        value => value.clone(),
    }
}

/// The type alone.
fn shape(schema: &Value) -> Value {
    schema.get("type").map_or(json!({}), |kind| json!({ "type": kind }))
}

#[test]
fn a_strict_call_is_read_as_the_same_call_without_its_nulls() {
    let schema = json!({ "type": "object", "properties": { "port": { "type": "integer" } } });
    let list = json!([
        { "id": "many", "text": "?", "answer_type": "multi_select", "options": ["a", { "label": "B", "value": 2, "danger": true }], "min_selections": 1 },
        { "id": "note", "text": "?", "answer_type": "text", "format": "date", "optional": true,
          "when": { "any": [{ "question_id": "many", "contains": "a" }, { "question_id": "many", "answered": true }] } },
        { "id": "config", "text": "?", "answer_type": "schema", "schema": schema.to_string(),
          "when": { "question_id": "note", "equals": null } },
    ]);
    let request = json!({ "questions": list });
    let definition = definition("ask_user");
    let strict = definition.strict_parameters.unwrap();
    let sent = filled(&request, &strict);
    assert!(sent["questions"][0].as_object().unwrap().len() > 20, "{sent}");
    jsonschema::validator_for(&strict).unwrap().validate(&sent).unwrap();
    let read = |request: &Value| Form::read(request, Dialect::Detect, &Host::default()).unwrap();
    let (whole, plain) = (read(&sent), read(&request));
    assert_eq!((whole.questions(), whole.warnings()), (plain.questions(), plain.warnings()));
    assert_eq!(whole.questions()[2].answer_type.schema().unwrap().source(), &schema);
}

#[test]
fn a_schema_that_was_sent_as_text_is_read_or_refused_at_its_place() {
    let refused = |schema: &str| {
        let question = json!({ "id": "a", "text": "?", "answer_type": "schema", "schema": schema });
        let read = Form::read(&json!({ "questions": [question] }), Dialect::Detect, &Host::default());
        let problems = read.unwrap_err().problems;
        problems.iter().map(|problem| (problem.code(), problem.path.as_str().to_owned())).collect::<Vec<_>>()
    };
    let place = "/questions/0/schema".to_owned();
    for (schema, code) in [
        ("no JSON", "wrong_type"),
        ("1", "wrong_type"),
        ("\"text\"", "wrong_type"),
        (r#"{"properties": {"a": {"type": "wrong"}}}"#, "invalid_schema"),
        (&format!("{}1{}", "[".repeat(70), "]".repeat(70)), "too_large"),
    ] {
        assert_eq!(refused(schema), [(code, place.clone())], "{schema}");
    }
}
