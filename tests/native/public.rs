//! Properties of the public types.

use ask_user_core::{Form, Outcome, Progress, Refusal, Rejection, Step, Walk};

#[test]
fn public_values_can_be_sent_between_threads() {
    fn crosses<T: Send + Sync>() {}
    crosses::<Form>();
    crosses::<Walk>();
    crosses::<Rejection>();
    crosses::<Refusal>();
    crosses::<Step>();
    crosses::<Outcome>();
}

#[test]
fn a_step_takes_a_few_machine_words() {
    assert!(size_of::<Step>() <= 96, "{} bytes", size_of::<Step>());
    assert!(size_of::<Refusal>() <= 64, "{} bytes", size_of::<Refusal>());
}

#[test]
fn progress_is_a_pair_in_json() {
    let progress = Progress { at: 2, of: Some(3) };
    let json = serde_json::json!([2, 3]);
    assert_eq!(serde_json::to_value(progress).unwrap(), json);
    assert_eq!(serde_json::from_value::<Progress>(json).unwrap(), progress);
}
