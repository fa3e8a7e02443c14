//! Every vector passes, but those of the files that are listed as pending; a runner that cannot fail proves nothing.

use ask_user_tests::{case, files, folders, pending::pending, play_file};
use serde_json::{Value, json};

#[test]
fn every_vector_passes_and_every_pending_file_does_not() {
    let mut played = 0;
    for file in folders().iter().flat_map(|folder| files(folder).unwrap()) {
        let name = file.file_name().unwrap().to_string_lossy().into_owned();
        let report = play_file(&file).unwrap();
        if pending().iter().any(|(listed, _)| *listed == name) {
            assert!(!report.failed.is_empty(), "{name} passes whole: remove it from tests/vectors.pending");
        } else {
            assert_eq!(report.failed, [], "{name}");
            played += report.played;
        }
    }
    assert!(played >= 150, "{played} cases");
}

#[test]
fn every_vector_passes_while_its_request_is_still_being_written() {
    let mut played = 0;
    for file in folders().iter().flat_map(|folder| files(folder).unwrap()) {
        let name = file.file_name().unwrap().to_string_lossy().into_owned();
        if pending().iter().any(|(listed, _)| *listed == name) {
            continue;
        }
        for case in serde_json::from_str::<Vec<Value>>(&std::fs::read_to_string(&file).unwrap()).unwrap() {
            for piece in [1, 7, 1_000] {
                assert_eq!(case::play_in(&case, piece), Ok(()), "{name}#{} by {piece}", case["name"]);
            }
            played += 1;
        }
    }
    assert!(played >= 150, "{played} cases");
}

#[test]
fn a_case_that_says_something_wrong_fails() {
    let right = json!({
        "name": "x",
        "request": { "questions": [
            { "id": "a", "text": "A?", "answer_type": "boolean" }, { "id": "b", "text": "B?", "answer_type": "text" }
        ] },
        "steps": [{ "sees": { "progress": [1, 2] }, "answer": true }, { "answer": 1, "refused": "wrong_type" }, { "answer": "x" }],
        "ends": "completed",
        "result": { "a": true, "b": "x" },
    });
    assert_eq!(case::play(&right), Ok(()));
    for (pointer, wrong) in [
        ("/result", json!({ "b": "x", "a": true })),
        ("/result/b", json!("y")),
        ("/ends", json!("replied")),
        ("/steps/0/sees/progress", json!([2, 2])),
        ("/steps/1/refused", json!("not_allowed")),
        ("/steps/2/answer", json!("y")),
        ("/steps/0/sees", json!({ "unknown": 1 })),
        ("/steps/1", json!({ "unknown": 1 })),
    ] {
        let mut case = right.clone();
        *case.pointer_mut(pointer).unwrap() = wrong;
        assert!(case::play(&case).is_err(), "{pointer}");
    }
}
