//! Properties of the public types.

use ask_user_core::{Form, Outcome, Refusal, Rejection, Step, Walk};

#[test]
fn values_cross_threads() {
    fn crosses<T: Send + Sync>() {}
    crosses::<Form>();
    crosses::<Walk>();
    crosses::<Rejection>();
    crosses::<Refusal>();
    crosses::<Step>();
    crosses::<Outcome>();
}

#[test]
fn a_step_is_a_few_words() {
    assert!(size_of::<Step>() <= 96, "{} bytes", size_of::<Step>());
    assert!(size_of::<Refusal>() <= 64, "{} bytes", size_of::<Refusal>());
}
