//! Whether an answer counts at a host: the vectors of desks, and what random clients, crashes and restarts can do.

use ask_user_tests::desk;
use serde_json::Value;

#[test]
fn every_case_of_a_desk_plays() {
    let mut played = 0;
    for folder in ask_user_tests::folders() {
        let Ok(text) = std::fs::read_to_string(folder.join(desk::FILE)) else { continue };
        let cases: Vec<Value> = serde_json::from_str(&text).unwrap();
        for case in &cases {
            desk::play(case).unwrap_or_else(|why| panic!("{}: {why}", case["name"]));
        }
        played += cases.len();
    }
    assert!(played >= 11, "only {played} cases");
}
