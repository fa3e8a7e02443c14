//! Dialects that a host declares while it runs: read and written like those of this package, and refused where an answer would be lost.

use ask_user_core::{Action, Dialect, Ends, Form, Host, Walk};
use serde_json::{Map, Value, json};

/// A declaration with every field, and nothing like it in another dialect.
fn acme() -> Value {
    json!({
        "name": "acme",
        "tool": "acme_ask",
        "envelope": { "field": "acmeKind", "is": ["ask"], "request": "acmeBody" },
        "questions": "acmeItems",
        "beside": ["acmeSession"],
        "tells": ["acmeChoices"],
        "most": 3,
        "question": {
            "text": "acmePrompt",
            "header": 20,
            "context": "acmeWhy",
            "options": { "field": "acmeChoices", "label": "title", "value": "code", "least": 0, "most": 5 },
            "multiple": "acmeMany",
            "own_words": { "field": "acmeFree", "default": false },
            "secret": "acmeHidden",
            "optional": true,
            "notes": true,
        },
        "key": { "field": "acmeRef" },
        "answer": { "picked": "$chosen", "said": "$own", "free": "$is_own", "note": "$note", "left": "$empty" },
        "result": { "acme": { "version": 1, "given": "$answers" } },
        "reply": "answers",
        "end_turn": { "result": { "acme": null } },
        "failed": "failure",
    })
}

fn request() -> Value {
    json!({ "acmeSession": "s", "acmeItems": [
        { "acmeRef": "where", "acmePrompt": "Where?", "acmeWhy": "It matters.", "acmeChoices": [{ "title": "Staging", "code": "s" }, { "title": "Production", "code": "p", "danger": true }] },
        { "acmeRef": "why", "acmePrompt": "Why?" },
    ] })
}

fn declared() -> Dialect {
    Dialect::from_json(&acme()).unwrap()
}

fn codes(request: &Value, dialect: Dialect) -> Vec<(&'static str, String)> {
    let read = Form::read(request, dialect, &Host::default());
    let found = read.as_ref().map_or_else(|rejection| &rejection.problems[..], |form| form.warnings());
    found.iter().map(|one| (one.code(), one.path.to_string())).collect()
}

#[test]
fn a_declared_dialect_is_read_and_written_by_its_declaration() {
    let dialect = declared();
    assert_eq!((dialect.name(), "acme".parse()), ("acme", Ok(dialect)));
    let form = Form::read(&request(), dialect, &Host::default()).unwrap();
    let question = &form.questions()[0];
    assert_eq!((question.text.as_str(), question.context.as_deref()), ("Where?", Some("It matters.")));
    let mut walk = Walk::new(form);
    walk.act(Action::answer("s")).unwrap();
    walk.act(Action::answer("Because")).unwrap();
    let given = |picked: Value, said: Value, free: bool| json!({ "picked": picked, "said": said, "free": free, "note": null, "left": false });
    let expected =
        json!({ "where": given(json!(["s"]), Value::Null, false), "why": given(json!([]), json!("Because"), true) });
    assert_eq!(walk.outcome().unwrap().result, Some(json!({ "acme": { "version": 1, "given": expected } })));
    // The walk is saved by the name of its dialect.
    let again = Walk::resume(Form::read(&request(), dialect, &Host::default()).unwrap(), &walk.save()).unwrap();
    assert_eq!(again.outcome(), walk.outcome());
}

#[test]
fn a_declared_dialect_ends_as_it_says() {
    let ended = |action: Action| {
        let mut walk = Walk::new(Form::read(&request(), declared(), &Host::default()).unwrap());
        walk.act(action).unwrap();
        walk.outcome().unwrap()
    };
    assert_eq!(ended(Action::EndTurn).result, Some(json!({ "acme": null })));
    let replied = ended(Action::Reply(None));
    assert_eq!(replied.ends(), Ends::Replied);
    assert_eq!(replied.result.unwrap()["acme"]["given"]["why"]["left"], true);
}

#[test]
fn a_declared_dialect_is_told_by_what_it_says() {
    declared();
    let wrapped = json!({ "acmeKind": "ask", "acmeBody": request() });
    for request in [&request(), &wrapped] {
        assert_eq!(Dialect::of(request, &Host::default()), Ok(declared()));
        assert_eq!(Form::read(request, Dialect::Detect, &Host::default()).unwrap().dialect(), "acme");
    }
    // A request of another agent is that of the other agent.
    let other = json!({ "question": "Delete it?", "answer_type": "boolean" });
    assert_eq!(Dialect::of(&other, &Host::default()), Ok(Dialect::AskUser));
}

#[test]
fn what_a_declared_dialect_has_no_place_for_is_named() {
    let mut renamed = request();
    renamed["acmeItems"][0]["acme_why"] = renamed["acmeItems"][0].as_object_mut().unwrap().remove("acmeWhy").unwrap();
    assert_eq!(codes(&renamed, declared()), [("renamed_field", "/acmeItems/0/acme_why".to_owned())]);
    let mut other = request();
    other["acmeItems"][1]["schema"] = json!({ "type": "string" });
    assert_eq!(codes(&other, declared())[0], ("misplaced_field", "/acmeItems/1/schema".to_owned()));
    let mut nameless = request();
    nameless["acmeItems"][1].as_object_mut().unwrap().remove("acmeRef");
    assert_eq!(codes(&nameless, declared())[0], ("missing_field", "/acmeItems/1/acmeRef".to_owned()));
    let mut twice = request();
    twice["acmeItems"][1]["acmeRef"] = json!("where");
    assert_eq!(codes(&twice, declared())[0].0, "duplicate_id");
    let many = json!({ "acmeItems": vec![json!({ "acmeRef": "a", "acmePrompt": "?" }); 4] });
    assert!(codes(&many, declared()).iter().any(|(code, _)| *code == "too_many_questions"));
}

#[test]
fn a_declaration_that_would_lose_something_is_refused_and_says_what_to_do() {
    declared();
    let changed = |path: &str, value: Value| {
        let mut changed = acme();
        changed["name"] = json!("acme_other");
        let (around, name) = path.rsplit_once('/').unwrap();
        let around = changed.pointer_mut(around).unwrap().as_object_mut().unwrap();
        match value {
            Value::Null => drop(around.remove(name)),
            value => drop(around.insert(name.to_owned(), value)),
        }
        Dialect::from_json(&changed).unwrap_err().to_string()
    };
    for (path, value, says) in [
        ("/name", json!("Acme"), "lower case"),
        ("/name", json!("codex"), "dialect of this package"),
        ("/name", json!("detect"), "dialect of this package"),
        ("/question", Value::Null, "question"),
        ("/answer", Value::Null, "answer"),
        ("/answer", json!({ "picked": "$chosen", "note": "$note", "left": "$empty" }), "would be lost"),
        ("/answer", json!("$everything"), "$everything"),
        ("/answer/note", Value::Null, "note would be lost"),
        ("/answer/left", Value::Null, "left empty"),
        ("/result", json!({ "given": "all" }), "$answers"),
        ("/result", json!(["$answers", "$answers"]), "$answers"),
        ("/tells", json!(["acmeOther"]), "acmeOther"),
        ("/question/text", json!("acmeChoices"), "means two things"),
        ("/question/text", json!(""), "no name of a field"),
        ("/question/text", json!("_private"), "no name of a field"),
        ("/question/unknown", json!(true), "unknown"),
        ("/question/options/least", json!(9), "least"),
        ("/question/options/most", json!(1_000_000), "at most"),
        ("/most", json!(0), "at least 1"),
        ("/most", json!(5_000), "at most 1000 questions"),
        ("/question/options/label", json!("danger"), "says something else"),
        ("/question/options/value", json!("recommended"), "says something else"),
        ("/envelope", json!({ "field": "type", "is": [], "request": "body" }), "fits nothing"),
        ("/reply", json!({ "result": { "all": "$answers" } }), "nothing was answered"),
        ("/end_turn", json!({ "result": ["$text"] }), "nothing was answered"),
        ("/reply", json!({ "words": "No." }), "`reply`"),
        ("/end_turn", json!("answers"), "`end_turn`"),
        ("/questions", Value::Null, "single questions"),
    ] {
        let said = changed(path, value.clone());
        assert!(said.contains(says), "{path} {value}: {said}");
    }
    assert!(Dialect::from_json(&json!([])).is_err());
    let mut other = acme();
    other["tool"] = json!("acme_asks");
    assert!(Dialect::from_json(&other).unwrap_err().to_string().contains("declared otherwise"));
    let mut long = acme();
    long["end_turn"] = json!({ "result": "x".repeat(70_000) });
    assert!(Dialect::from_json(&long).unwrap_err().to_string().contains("65536"));
}

#[test]
fn the_same_declaration_twice_is_one_dialect() {
    let mut sorted = acme();
    let tool = sorted.as_object_mut().unwrap().shift_remove("tool").unwrap();
    sorted["tool"] = tool;
    assert_eq!(Dialect::from_json(&sorted).unwrap(), declared());
    assert_eq!(Dialect::every().filter(|dialect| dialect.name() == "acme").count(), 1);
}

/// Dialects of this package as a host would declare them.
fn as_declared() -> [(&'static str, Value); 3] {
    let vscode = json!({
        "questions": "questions",
        "question": {
            "text": "question", "header": 75, "context": "message", "options": { "field": "options" },
            "multiple": "multiSelect", "own_words": { "field": "allowFreeformInput", "default": true }, "optional": true,
        },
        "key": { "field": "header" },
        "answer": { "selected": "$chosen", "freeText": "$own", "skipped": "$empty" },
        "reply": "answers",
    });
    let kimi = json!({
        "questions": "questions",
        "beside": ["id", "tool_call_id"],
        "most": 4,
        "question": { "text": "question", "header": 12, "options": { "field": "options", "least": 2, "most": 4 }, "multiple": "multi_select" },
        "key": "text",
        "answer": "$text",
        "reply": { "result": { "answers": {}, "note": "User dismissed the question without answering." } },
    });
    let copilot = json!({
        "question": { "text": "question", "options": { "field": "choices" }, "own_words": { "field": "allowFreeform", "default": true } },
        "answer": { "answer": "$text", "wasFreeform": "$is_own" },
        "reply": { "words": "The user declined to answer. Proceed using your own judgment." },
    });
    [("vscode", vscode), ("kimi", kimi), ("copilot", copilot)]
}

#[test]
fn a_dialect_of_this_package_that_is_declared_as_json_gives_the_same_results() {
    let cases = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/cases/agents.json")).unwrap();
    let cases: Vec<Value> = serde_json::from_str(&cases).unwrap();
    for (name, mut declaration) in as_declared() {
        declaration["name"] = json!(format!("own_{name}"));
        let own = Dialect::from_json(&declaration).unwrap();
        let known: Dialect = name.parse().unwrap();
        let mut compared = 0;
        for case in &cases {
            let is_of_it = Dialect::of(&case["request"], &Host::default()).is_ok_and(|dialect| dialect == known);
            if !(is_of_it || case["dialect"] == name) {
                continue;
            }
            let [one, other] =
                [known, own].map(|dialect| Form::read(&case["request"], dialect, &Host::default()).map(Walk::new));
            let (mut one, mut other) = match (one, other) {
                (Ok(one), Ok(other)) => (one, other),
                (one, other) => {
                    assert!(one.is_err() && other.is_err(), "{}", case["name"]);
                    continue;
                }
            };
            for step in case["steps"].as_array().into_iter().flatten() {
                for walk in [&mut one, &mut other] {
                    let action = match (step.get("answer"), step.get("reply"), step.get("end_turn")) {
                        (Some(answer), ..) => Action::answer(answer.clone()),
                        (_, Some(text), _) => Action::Reply(text.as_str().map(str::to_owned)),
                        (.., Some(_)) => Action::EndTurn,
                        _ => continue,
                    };
                    drop(walk.act(action));
                }
            }
            assert_eq!(
                one.outcome().map(|one| one.result),
                other.outcome().map(|other| other.result),
                "{}",
                case["name"]
            );
            compared += 1;
        }
        assert!(compared > 0, "no case of {name} was compared");
    }
}

#[test]
fn two_questions_whose_keys_are_in_another_notation_are_not_one() {
    let dialect = declared();
    let request = json!({ "acmeItems": [
        { "acme_ref": "a", "acmePrompt": "First?" },
        { "acme_ref": "a", "acmePrompt": "Second?" },
    ] });
    let found = codes(&request, dialect);
    assert!(found.iter().any(|(code, _)| *code == "missing_field"), "{found:?}");
}

/// The reason why a declaration is refused, with these fields in place of those of a simple one.
fn refused(changes: Value) -> String {
    let mut declaration =
        json!({ "name": "refused", "questions": "items", "question": { "text": "prompt" }, "answer": "$text" });
    for (name, value) in changes.as_object().unwrap() {
        declaration[name] = value.clone();
    }
    if declaration["questions"].is_null() {
        declaration.as_object_mut().unwrap().shift_remove("questions");
    }
    match Dialect::from_json(&declaration) {
        Err(error) => error.to_string(),
        Ok(_) => panic!("it is accepted: {declaration}"),
    }
}

#[test]
fn a_declaration_that_says_something_useless_is_refused_and_says_what_to_do() {
    let options = json!({ "field": "choices" });
    for (changes, says) in [
        (json!({ "reply": "answers" }), "$empty"),
        (json!({ "reply": "answers", "answer": { "picked": "$chosen", "said": "$own" } }), "$empty"),
        (json!({ "question": { "text": "prompt", "own_words": false } }), "`own_words`"),
        (json!({ "question": { "text": "prompt", "own_words": { "field": "free", "default": true } } }), "`own_words`"),
        (json!({ "question": { "text": "prompt", "multiple": "many" } }), "`multiple`"),
        (json!({ "question": { "text": "prompt", "notes": true }, "answer": ["$text", "$note"] }), "`notes`"),
        (json!({ "question": { "text": "prompt", "header": 0 } }), "`header`"),
        (json!({ "envelope": { "field": "kind", "is": ["acme"], "request": "kind" } }), "`request`"),
        (json!({ "envelope": { "field": "kind", "is": ["acme", ""], "request": "body" } }), "`is`"),
        (json!({ "question": { "text": "prompt", "options": options }, "key": { "field": "choices" } }), "`key`"),
        (
            json!({ "question": { "text": "prompt", "options": options, "multiple": "many" }, "key": { "field": "many" } }),
            "`key`",
        ),
        (json!({ "question": { "text": "prompt", "secret": "hidden" }, "key": { "field": "hidden" } }), "`key`"),
        (json!({ "beside": ["items"] }), "`beside`"),
        (json!({ "tool": "" }), "`tool`"),
        (json!({ "tool": " " }), "`tool`"),
    ] {
        let said = refused(changes.clone());
        assert!(said.contains(says), "{changes}: {said}");
    }
}

#[test]
fn an_answer_that_was_left_empty_keeps_its_place() {
    let declaration = json!({
        "name": "placed",
        "questions": "placedItems",
        "key": "place",
        "question": { "text": "prompt", "optional": true },
        "answer": { "text": "$text", "left": "$empty" },
        "reply": "answers",
    });
    let dialect = Dialect::from_json(&declaration).unwrap();
    let request = json!({ "placedItems": [{ "prompt": "A?" }, { "prompt": "B?" }, { "prompt": "C?" }] });
    let ended = |actions: Vec<Action>| {
        let mut walk = Walk::new(Form::read(&request, dialect, &Host::default()).unwrap());
        actions.into_iter().for_each(|action| walk.act(action).unwrap());
        walk.outcome().unwrap().result.unwrap()["answers"].clone()
    };
    let (empty, text) = (json!({ "text": "", "left": true }), |text: &str| json!({ "text": text, "left": false }));
    let none = || Action::answer(Value::Null);
    assert_eq!(ended(vec![none(), Action::answer("b"), none()]), json!({ "0": empty, "1": text("b"), "2": empty }));
    // What was chosen before a Reply is not sent as an answer.
    assert_eq!(
        ended(vec![none(), Action::answer("b"), Action::Reply(None)]),
        json!({ "0": empty, "1": empty, "2": empty })
    );
}

#[test]
fn a_declared_dialect_takes_no_request_of_another_agent() {
    let listed = |text: &str, tells: &str| json!({ "questions": "questions", "tells": [tells], "question": { "text": text, "header": 9, "context": "why", "options": { "field": tells } } });
    for changes in [
        listed("question", "options"),
        listed("question", "choices"),
        json!({ "questions": "questions", "tells": ["header"], "question": { "text": "question", "header": 9 } }),
        json!({ "questions": null, "tells": ["choices"], "question": { "text": "question", "options": { "field": "choices" } } }),
        json!({ "questions": null, "tells": ["allow_free_text"], "question": { "text": "question", "options": { "field": "o" }, "own_words": { "field": "allow_free_text", "default": true } } }),
        json!({ "questions": null, "tells": ["requestedSchema"], "question": { "text": "message", "context": "requestedSchema" } }),
    ] {
        let said = refused(changes.clone());
        assert!(said.contains("`tells`") && said.contains("name the dialect"), "{changes}: {said}");
    }
    for (field, word, request) in
        [("method", "elicitation/create", "params"), ("method", "session/request_permission", "params")]
    {
        let said = refused(json!({ "envelope": { "field": field, "is": ["acme", word], "request": request } }));
        assert!(said.contains("`envelope`") && said.contains(word), "{said}");
    }
    // A field that tells of it, too, in a request of another agent does not make it one of this dialect.
    let declaration = json!({ "name": "told", "tells": ["toldBy"], "question": { "text": "prompt", "context": "toldBy", "options": { "field": "choices" } }, "answer": "$text" });
    let told = Dialect::from_json(&declaration).unwrap();
    let mut request = json!({ "prompt": "?", "choices": ["a", "b"], "toldBy": "x" });
    assert_eq!(Dialect::of(&request, &Host::default()), Ok(told));
    request["question"] = json!("?");
    assert_ne!(Dialect::of(&request, &Host::default()), Ok(told));
    // A method of its own is no elicitation.
    let envelope = json!({ "field": "method", "is": ["told/ask"], "request": "params" });
    let declaration = json!({ "name": "told_by_method", "envelope": envelope, "question": { "text": "question" }, "answer": "$text" });
    let told = Dialect::from_json(&declaration).unwrap();
    let request = json!({ "jsonrpc": "2.0", "id": 1, "method": "told/ask", "params": { "question": "?" } });
    assert_eq!(Dialect::of(&request, &Host::default()), Ok(told));
}

/// Every declaration of a dialect that could be made of the fields of a request.
fn declarations_of(request: &Map<String, Value>) -> Vec<Value> {
    let mut declarations = Vec::new();
    for (name, value) in request {
        // An envelope of this field, around each of the others.
        if let Some(word) = value.as_str().filter(|word| !word.is_empty()) {
            for (inner, _) in request.iter().filter(|(inner, value)| value.is_object() && *inner != name) {
                let envelope = json!({ "field": name, "is": [word], "request": inner });
                declarations.push(json!({ "envelope": envelope, "question": { "text": "question" } }));
            }
        }
        // A list of questions in this field.
        for question in value.as_array().into_iter().flatten().take(1).filter_map(Value::as_object) {
            for (text, _) in question.iter().filter(|(_, value)| value.is_string()) {
                for tells in question.keys().filter(|tells| *tells != text && *tells != "danger") {
                    let question = json!({ "text": text, "context": tells });
                    declarations.push(json!({ "questions": name, "tells": [tells], "question": question }));
                }
            }
        }
        // A single question with this text.
        for tells in request.keys().filter(|tells| value.is_string() && *tells != name && *tells != "danger") {
            declarations.push(json!({ "tells": [tells], "question": { "text": name, "context": tells } }));
        }
    }
    declarations
}

#[test]
fn no_declaration_made_of_the_fields_of_another_agents_request_takes_it() {
    let cases = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/cases/agents.json")).unwrap();
    let cases: Vec<Value> = serde_json::from_str(&cases).unwrap();
    let mut read: Vec<&Value> = Vec::new();
    let mut declarations = Vec::new();
    for request in cases.iter().map(|case| &case["request"]) {
        if let Ok(Dialect::Own(_)) | Err(_) = Dialect::of(request, &Host::default()) {
            continue;
        }
        read.push(request);
        // A process declares only so many: one of each shape.
        declarations.extend(request.as_object().map(declarations_of).unwrap_or_default().pop());
    }
    let mut tried = 0;
    for (place, mut declaration) in declarations.into_iter().enumerate() {
        declaration["name"] = json!(format!("taker_{place}"));
        declaration["answer"] = json!("$text");
        if tried < 40 && Dialect::from_json(&declaration).is_ok() {
            tried += 1;
        }
    }
    assert!(tried > 20, "{tried}");
    for request in read {
        let dialect = Dialect::of(request, &Host::default());
        assert!(!matches!(dialect, Ok(Dialect::Own(_))), "{dialect:?}: {request}");
    }
}

#[test]
fn a_declaration_that_nests_without_end_is_refused() {
    let mut deep = json!("$text");
    for _ in 0..200_000 {
        deep = Value::Array(vec![deep]);
    }
    let mut declaration = json!({ "name": "deep", "question": { "text": "prompt" } });
    declaration["answer"] = deep;
    let error = Dialect::from_json(&declaration).unwrap_err();
    assert!(error.to_string().contains("nests deeper than 127"), "{error}");
    ask_user_core::json::dismantle(declaration);
}
