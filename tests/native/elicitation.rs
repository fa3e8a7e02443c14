//! What a server of the Model Context Protocol says of a property is read or named: nothing is lost in silence, and a server that cannot correct itself is refused nothing.

use ask_user_core::{Action, AnswerType, Dialect, Form, Host, Walk, text::look};
use serde_json::{Value, json};

/// A request for one property that must be answered.
fn of_one(property: &Value) -> Value {
    json!({ "message": "?", "requestedSchema": { "type": "object", "properties": { "p": property }, "required": ["p"] } })
}

fn form(property: &Value) -> Form {
    Form::read(&of_one(property), Dialect::Mcp, &Host::default())
        .unwrap_or_else(|rejection| panic!("{property}: {rejection:?}"))
}

/// The warnings of a property, each with its place in it.
fn warnings(property: &Value) -> Vec<(&'static str, String)> {
    let place = |path: String| path.trim_start_matches("/requestedSchema/properties/p").to_owned();
    form(property).warnings().iter().map(|one| (one.code(), place(one.path.to_string()))).collect()
}

/// The values and the labels of the options.
fn options(property: &Value) -> Vec<(Value, String)> {
    let form = form(property);
    let choices = form.questions()[0].answer_type.choices().unwrap_or_else(|| panic!("{property} has no options"));
    choices.as_slice().iter().map(|option| (option.value.clone(), option.label.clone())).collect()
}

fn answered(property: &Value, answer: Value) -> Option<Value> {
    let mut walk = Walk::new(form(property));
    walk.act(Action::answer(answer)).ok()?;
    walk.outcome().and_then(|outcome| outcome.result.clone())
}

#[test]
fn the_values_of_the_items_of_a_list_stand_where_other_tools_have_them() {
    for (name, place) in [("options", "/items/options"), ("choices", "/items/choices"), ("Values", "/items/Values")] {
        let property = json!({ "type": "array", "items": { "type": "string", name: ["a", "b"] } });
        assert_eq!(options(&property).len(), 2, "{property}");
        assert_eq!(warnings(&property), [("renamed_field", place.to_owned())]);
        assert_eq!(answered(&property, json!(["zz"])), None);
        assert_eq!(answered(&property, json!(["b"])).unwrap()["content"], json!({ "p": ["b"] }));
    }
    // They may stand beside items that only have a type, and have labels.
    for property in [
        json!({ "type": "array", "items": { "type": "string" }, "options": ["a", "b"] }),
        json!({ "type": "array", "items": { "options": [{ "value": "a", "label": "A" }, { "value": "b", "label": "B" }] } }),
        json!({ "type": "array", "items": { "type": "string", "enum": [] }, "options": ["a", "b"] }),
    ] {
        assert_eq!(options(&property).iter().map(|(value, _)| value).collect::<Vec<_>>(), ["a", "b"], "{property}");
        assert_eq!(answered(&property, json!(["b"])).unwrap()["content"], json!({ "p": ["b"] }));
    }
    let numbers = json!({ "type": "array", "items": { "type": "integer", "options": [1, 2] } });
    assert_eq!(answered(&numbers, json!([2])).unwrap()["content"], json!({ "p": [2] }));
    // Those of the protocol come first, and the others are named.
    let both = json!({ "type": "array", "items": { "enum": ["a"], "options": ["b"] } });
    assert_eq!(options(&both), [(json!("a"), "a".to_owned())]);
    assert_eq!(warnings(&both), [("unknown_field", "/items/options".to_owned())]);
    // Values that do not fit the type of the items are named.
    let unfit = json!({ "type": "array", "items": { "type": "string", "options": [1, 2] } });
    assert_eq!(warnings(&unfit), [("unknown_field", "/items/options".to_owned())]);
}

#[test]
fn what_is_read_under_another_name_is_not_called_ignored() {
    for (property, read_as) in [
        (json!({ "type": "string", "options": ["a", "b"] }), "enum"),
        (json!({ "type": "string", "options": [{ "value": "a", "label": "A" }] }), "oneOf"),
        (json!({ "type": "array", "choices": ["a", "b"] }), "items.enum"),
        (json!({ "type": "array", "items": { "choices": ["a", "b"] } }), "enum"),
    ] {
        let form = form(&property);
        let [warning] = form.warnings() else { panic!("{property}: {:?}", form.warnings()) };
        assert_eq!(warning.code(), "renamed_field");
        assert!(warning.to_string().ends_with(&format!("was read as \"{read_as}\".")), "{}", warning.to_string());
    }
}

#[test]
fn what_the_protocol_has_no_place_for_in_a_property_is_named() {
    for (name, value) in [
        ("multiple", json!(true)),
        ("multi", json!(true)),
        ("multiSelect", json!(true)),
        ("allow_multiple", json!(true)),
        ("selectionMode", json!("multiple")),
        ("allowOther", json!(true)),
        ("isRequired", json!(true)),
        ("max_selections", json!(2)),
        ("min", json!(3)),
        ("regex", json!("^a")),
        ("danger", json!(true)),
        ("hidden", json!(true)),
        ("suggestions", json!(["a"])),
    ] {
        for property in
            [json!({ "type": "string", "enum": ["a", "b"], name: value }), json!({ "type": "string", name: value })]
        {
            assert_eq!(warnings(&property), [("unknown_field", format!("/{name}"))], "{property}");
        }
    }
    let inner = json!({ "type": "array", "items": { "enum": ["a", "b"], "allowOther": true } });
    assert_eq!(warnings(&inner), [("unknown_field", "/items/allowOther".to_owned())]);
    let both = json!({ "type": "string", "options": ["a", "b"], "multiple": true });
    assert_eq!(warnings(&both), [("renamed_field", "/options".into()), ("unknown_field", "/multiple".to_owned())]);
    // What is done anyway needs no name.
    for property in [
        json!({ "type": "string", "enum": ["a"], "multiple": false, "hidden": false, "allowOther": false }),
        json!({ "type": "string", "enum": ["a"], "selectionMode": "single" }),
        json!({ "type": "array", "items": { "enum": ["a"] }, "multiple": true }),
        json!({ "type": "array", "items": { "enum": ["a"] }, "selectionMode": "multiple" }),
    ] {
        assert_eq!(warnings(&property), [], "{property}");
    }
    let one = json!({ "type": "array", "items": { "enum": ["a"] }, "multiple": false });
    assert_eq!(warnings(&one), [("unknown_field", "/multiple".to_owned())]);
}

#[test]
fn an_empty_list_of_values_says_nothing_beside_other_values() {
    for name in ["enum", "oneOf", "anyOf"] {
        let property = json!({ "type": "string", name: [], "options": ["a", "b"] });
        assert_eq!(options(&property).len(), 2, "{property}");
        let property = json!({ "type": "string", name: [], "choices": [{ "value": "a", "label": "A" }] });
        assert_eq!(options(&property), [(json!("a"), "A".to_owned())]);
    }
    let property = json!({ "type": "string", "enum": [], "oneOf": [{ "const": "a", "title": "A" }] });
    assert_eq!(options(&property), [(json!("a"), "A".to_owned())]);
    let property = json!({ "type": "string", "enum": ["a"], "oneOf": [] });
    assert_eq!(options(&property), [(json!("a"), "a".to_owned())]);
    // A choice of nothing has no answer.
    let request = of_one(&json!({ "type": "string", "enum": [] }));
    let rejection = Form::read(&request, Dialect::Mcp, &Host::default()).unwrap_err();
    assert_eq!(rejection.problems[0].code(), "too_few_options");
}

#[test]
fn what_an_option_under_another_name_says_besides_is_named() {
    let option = json!({ "value": "a", "LABEL": "A", "disabled": true, "_own": 1, "icon": "" });
    let property = json!({ "type": "string", "options": [option, { "value": "b", "label": { "en": "B" }, "description": ["C"] }] });
    let mut found = warnings(&property);
    found.retain(|(code, _)| *code == "unknown_field");
    let places: Vec<&str> = found.iter().map(|(_, place)| place.as_str()).collect();
    assert_eq!(places, ["/options/0/LABEL", "/options/0/disabled", "/options/1/label", "/options/1/description"]);
}

#[test]
fn options_that_look_alike_have_their_values_beside_them() {
    let one_of = |options: &[(&str, &str)]| {
        let options: Vec<Value> =
            options.iter().map(|(value, title)| json!({ "const": value, "title": title })).collect();
        json!({ "type": "string", "oneOf": options })
    };
    for (property, labels) in [
        (one_of(&[("x", "A"), ("y", "A")]), vec!["A (x)", "A (y)"]),
        (one_of(&[("x", "A"), ("y", "A\u{200b}")]), vec!["A (x)", "A\u{200b} (y)"]),
        // The values look alike as well.
        (one_of(&[("x", "A"), ("x ", "A")]), vec!["A (x)", "A (\"x \")"]),
        (json!({ "type": "string", "enum": ["a", "a "] }), vec!["a (a)", "a  (\"a \")"]),
        (json!({ "type": "string", "enum": ["a", "a\u{200b}", "b"] }), vec!["a (a)", "a\u{200b} (\"a\\u200b\")", "b"]),
        (json!({ "enum": [1, "1"] }), vec!["1 (1)", "1 (\"1\")"]),
        // A label with a value behind it is the label of another one.
        (one_of(&[("x", "A"), ("y", "A"), ("z", "A (x)")]), vec!["A (x)", "A (y)", "A (x) (z)"]),
        // What cannot be seen has its value as JSON.
        (json!({ "type": "string", "enum": ["\u{200b}", "b"] }), vec!["\"\\u200b\"", "b"]),
    ] {
        let found: Vec<String> = options(&property).into_iter().map(|(_, label)| label).collect();
        assert_eq!(found, labels, "{property}");
    }
}

#[test]
fn no_two_options_of_a_server_look_alike_whatever_their_titles_and_values() {
    let titles = ["A", "A (x)", "A (x) (x)", "A (x) (x) (x)", "A\u{200b}", "A (\"x\")", "A (x", "A  (x) 2"];
    let values = ["x", "x ", "x\u{200b}", "x) (x", "y", "x\u{a0}", "\"x\"", "z"];
    for turn in 0..64_usize {
        let list: Vec<Value> = (0..8)
            .map(|place| json!({ "const": values[place], "title": titles[(place * (turn % 8) + turn / 8) % 8] }))
            .collect();
        let found = options(&json!({ "type": "string", "oneOf": list }));
        let mut looks: Vec<String> = found.iter().map(|(_, label)| look(label)).collect();
        looks.sort();
        looks.dedup();
        assert_eq!(looks.len(), 8, "{found:?}");
    }
    // The same of the titles of properties.
    let mut properties = serde_json::Map::new();
    for (name, title) in values.iter().zip(titles.iter().cycle().skip(1)).map(|(name, title)| (*name, *title)) {
        properties.insert(
            name.to_owned(),
            json!({ "type": "string", "title": if name.starts_with('x') { "A" } else { title } }),
        );
    }
    let request = json!({ "message": "?", "requestedSchema": { "type": "object", "properties": properties } });
    let form = Form::read(&request, Dialect::Mcp, &Host::default()).unwrap();
    let mut looks: Vec<String> = form.questions().iter().map(|question| look(&question.text)).collect();
    looks.sort();
    looks.dedup();
    assert_eq!(looks.len(), values.len(), "{looks:?}");
}

#[test]
fn a_format_that_is_not_checked_is_named() {
    for format in ["uuid", "ipv4", "ipv6", "hostname", "time", "duration", "phone", "password", "markdown"] {
        let property = json!({ "type": "string", "format": format });
        assert_eq!(warnings(&property), [("unknown_field", "/format".to_owned())], "{property}");
        let form = form(&property);
        assert!(matches!(&form.questions()[0].answer_type, AnswerType::Text(rules) if rules.format.is_none()));
        assert!(form.warnings()[0].to_string().contains(&format!("format: {format}")), "{:?}", form.warnings());
    }
    for (property, is_named) in [
        (json!({ "type": "string", "format": "email" }), false),
        (json!({ "type": "string", "format": "uri" }), false),
        (json!({ "type": "string", "format": "date" }), false),
        (json!({ "type": "string", "format": "date-time" }), false),
        (json!({ "type": "integer", "format": "uint8" }), true),
        (json!({ "type": "boolean", "format": "yes-no" }), true),
        // All the values are there to be seen.
        (json!({ "type": "string", "format": "uuid", "enum": ["a", "b"] }), false),
        (json!({ "type": "string", "format": "password", "enum": ["a", "b"] }), true),
        // The schema is checked as a whole.
        (json!({ "type": ["string", "null"], "format": "uuid" }), false),
        (json!({ "type": ["string", "null"], "format": "phone" }), true),
        (json!({ "type": "array", "items": { "type": "string", "format": "uuid" } }), false),
        (json!({ "type": "array", "items": { "type": "string", "format": "phone" } }), true),
    ] {
        assert_eq!(warnings(&property).len(), usize::from(is_named), "{property}");
    }
    let items = json!({ "type": "array", "items": { "type": "string", "format": "uuid" } });
    assert_eq!(answered(&items, json!(["no uuid"])), None);
}

#[test]
fn a_property_that_calls_itself_required_is_shown_wherever_it_is() {
    for property in [
        json!({ "type": "object", "properties": { "a": { "type": "string", "required": true } }, "required": true }),
        json!({ "type": "object", "properties": { "a": { "type": "object", "required": false, "properties": { "b": { "required": true } } } } }),
        json!({ "type": "array", "items": { "type": "object", "required": true, "properties": { "a": { "type": "string", "required": true } } } }),
    ] {
        let found = warnings(&property);
        assert!(
            found.iter().all(|(code, place)| *code == "unknown_field" && place.ends_with("/required")),
            "{found:?}"
        );
        assert!(found.len() >= 2 || property["properties"]["a"]["properties"].is_object(), "{property}: {found:?}");
    }
    let person =
        json!({ "type": "object", "required": true, "properties": { "name": { "type": "string", "required": true } } });
    assert_eq!(answered(&person, json!({ "name": "Kim" })).unwrap()["content"], json!({ "p": { "name": "Kim" } }));
    // A property of that name is one.
    let named = json!({ "type": "object", "properties": { "required": { "type": "boolean" } }, "default": { "required": true } });
    assert_eq!(warnings(&named), []);
    assert_eq!(answered(&named, json!({ "required": true })).unwrap()["content"], json!({ "p": { "required": true } }));
}

#[test]
fn an_option_that_its_own_property_refuses_is_not_taken() {
    for (property, refused, taken) in [
        (json!({ "type": "string", "enum": ["a", "bb"], "minLength": 2 }), json!("a"), json!("bb")),
        (json!({ "type": "string", "enum": ["a", "bb"], "maxLength": 1 }), json!("bb"), json!("a")),
        (
            json!({ "type": "string", "oneOf": [{ "const": "a" }, { "const": "b" }], "pattern": "^b$" }),
            json!("a"),
            json!("b"),
        ),
        (json!({ "type": "integer", "enum": [1, 20], "minimum": 10 }), json!(1), json!(20)),
        (json!({ "type": "number", "enum": [1, 2.5], "multipleOf": 0.5, "exclusiveMinimum": 1 }), json!(1), json!(2.5)),
    ] {
        assert_eq!(answered(&property, refused), None, "{property}");
        assert_eq!(answered(&property, taken.clone()).unwrap()["content"], json!({ "p": taken }), "{property}");
    }
    // What every option keeps leaves them options.
    assert_eq!(options(&json!({ "type": "string", "enum": ["a", "bb"], "minLength": 1, "maxLength": 2 })).len(), 2);
    assert_eq!(options(&json!({ "type": "integer", "enum": [1, 2], "minimum": 0 })).len(), 2);
}
