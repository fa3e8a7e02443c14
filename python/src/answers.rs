//! Answers of Python as the core takes them: as JSON text, with every digit.

use crate::{
    fault::Fault,
    values::{Big, MOST, Unfit, whole, written},
};
use ask_user_core::{Content, Given, Walk, json::parse};
use pyo3::{
    prelude::*,
    types::{PyDict, PyString},
};
use serde_json::{Map, Value};

/// An answer as JSON text. What JSON cannot say is refused.
pub fn answer_text(value: &Bound<'_, PyAny>, most: usize, big: Big) -> Result<String, Fault> {
    let most = most.min(MOST);
    written(value, most, big).or_else(|unfit| match unfit {
        // The core says that it is too large.
        Unfit::Large => Ok(" ".repeat(most.saturating_add(1))),
        Unfit::Type(_) => {
            let hint = "Give the answer as a JSON value, or None to leave an optional question empty.";
            Err(Fault::refused("wrong_type", format!("{} {hint}", unfit.message())))
        }
        Unfit::Broken(_) => Err(Fault::refused("invalid_json", unfit.message())),
        Unfit::Big(_) => Err(Fault::refused("out_of_range", unfit.message())),
    })
}

/// A text of the person.
pub fn said(text: &Bound<'_, PyString>) -> PyResult<String> {
    let refused = |unfit: Unfit| Fault::refused("wrong_type", unfit.message()).raise(text.py());
    whole(text).map(str::to_owned).map_err(refused)
}

/// A text of the person, where there is one.
pub fn perhaps_said(text: Option<&Bound<'_, PyString>>) -> PyResult<Option<String>> {
    text.map(said).transpose()
}

/// Answers by question, each as JSON text.
pub type Answers = Vec<(String, String)>;

/// Reads answers by question.
pub fn by_question(answers: &Bound<'_, PyDict>, most: usize, big: Big) -> PyResult<Answers> {
    let py = answers.py();
    let one = |(id, answer): (Bound<'_, PyAny>, Bound<'_, PyAny>)| {
        let Ok(id) = id.cast_into::<PyString>() else {
            let message = "Give the answers as a dict whose keys are the ids of questions.";
            return Err(Fault::refused("not_allowed", message).raise(py));
        };
        Ok((said(&id)?, answer_text(&answer, most, big).map_err(|fault| fault.raise(py))?))
    };
    answers.iter().map(one).collect()
}

/// The answers in the order of the questions.
pub fn in_order(walk: &Walk, answers: Answers) -> Vec<(String, Given)> {
    walk.in_order(answers).into_iter().map(|(id, text)| (id, given(text))).collect()
}

fn given(text: String) -> Given {
    Given { content: Content::Json(text), note: None, remember: false }
}

/// The answers as values.
pub fn plain(walk: &Walk, answers: Answers) -> Result<Map<String, Value>, Fault> {
    let limits = &walk.form().host().limits;
    let read = |(id, text): (String, String)| {
        let refused = |what: &str| Fault::refused("too_large", format!("The answer to {id:?} {what}."));
        ask_user_core::json::weigh_text(&text, limits.bytes, limits.depth.min(ask_user_core::Limits::MAX_DEPTH))
            .map_err(|_| refused("is larger than the limits allow, or nests deeper"))?;
        let value = parse(&text).map_err(|error| refused(&format!("cannot be read: {}", error.reason)))?;
        Ok((id, value))
    };
    answers.into_iter().map(read).collect()
}
