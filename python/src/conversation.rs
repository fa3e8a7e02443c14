//! `Conversation`: the state machine for a host that runs tools.

use crate::{
    fault::{Fault, freely},
    values::{self, Big, MOST, Unfit, loads, written},
};
use ask_user_core::{
    conversation::{Conversation as CoreConversation, Event, UnreadableState},
    json::{parse, text},
};
use pyo3::{prelude::*, types::PyTuple};
use serde_json::Value;
use std::sync::{Mutex, PoisonError};

/// How deep an event may nest, so that the state that it is stored in can be read again.
const DEEPEST: usize = 120;

/// A conversation with an agent that calls tools.
#[pyclass(frozen, module = "ask_user")]
pub struct Conversation(Mutex<CoreConversation>);

#[pymethods]
impl Conversation {
    #[new]
    #[pyo3(signature = (*, attended = true))]
    fn new(attended: bool) -> Self {
        Self(Mutex::new(CoreConversation::new(attended)))
    }

    /// Reads a stored conversation.
    #[staticmethod]
    #[pyo3(signature = (stored, /))]
    fn from_json(py: Python<'_>, stored: &Bound<'_, PyAny>) -> PyResult<Self> {
        let unreadable = |reason: String| Fault::from(UnreadableState { reason });
        let text = values::stored(stored, Big::Marked);
        let text = text.map_err(|unfit| unreadable(unfit.message().trim_end_matches('.').to_owned()).raise(py))?;
        freely(py, || {
            let stored = parse(&text).map_err(|error| unreadable(error.reason))?;
            Ok(Self(Mutex::new(CoreConversation::from_json(&stored)?)))
        })
    }

    /// The conversation as JSON, to be stored.
    fn to_json<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let stored = self.locked(py, |conversation| Ok(text(&*conversation)))?;
        loads(py, &stored)
    }

    #[getter]
    fn state<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let state = self.locked(py, |conversation| Ok(text(conversation.state())))?;
        loads(py, &state)
    }

    #[getter]
    fn notice<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let notice = self.locked(py, |conversation| Ok(text(&conversation.notice())))?;
        loads(py, &notice)
    }

    /// Takes an event, and gives what to do.
    #[pyo3(signature = (event, /))]
    fn on<'py>(&self, py: Python<'py>, event: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let event = written(event, MOST, Big::Marked).map_err(|unfit: Unfit| Fault::from(unfit).raise(py))?;
        let effects = self.locked(py, |conversation| {
            let event = event_of(&event)?;
            Ok(text(&conversation.on(event)?))
        })?;
        loads(py, &effects)
    }

    fn __eq__(&self, py: Python<'_>, other: &Self) -> PyResult<bool> {
        // One after the other, so that two threads never wait for each other.
        let own = self.locked(py, |conversation| Ok(conversation.clone()))?;
        other.locked(py, |conversation| Ok(own == *conversation))
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        self.locked(py, |conversation| Ok(format!("<ask_user.Conversation {}>", conversation.state().name())))
    }

    fn __copy__(&self, py: Python<'_>) -> PyResult<Self> {
        self.locked(py, |conversation| Ok(Self(Mutex::new(conversation.clone()))))
    }

    fn __deepcopy__(&self, py: Python<'_>, _memo: &Bound<'_, PyAny>) -> PyResult<Self> {
        self.__copy__(py)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let stored = self.to_json(py)?;
        (py.import("ask_user._pickle")?.getattr("conversation")?, (stored,)).into_pyobject(py)
    }
}

impl Conversation {
    fn locked<T: Send>(
        &self,
        py: Python<'_>,
        act: impl FnOnce(&mut CoreConversation) -> Result<T, Fault> + Send,
    ) -> PyResult<T> {
        freely(py, || match self.0.lock() {
            Ok(mut conversation) => act(&mut conversation),
            Err(poisoned) => {
                drop(PoisonError::into_inner(poisoned));
                Err(Fault::internal("This conversation cannot be used: an earlier call failed within ask-user."))
            }
        })
    }
}

fn event_of(text: &str) -> Result<Event, Fault> {
    let no_event = |why: String| Fault::misuse(format!("This is not an event: {why}."));
    ask_user_core::json::weigh_text(text, usize::MAX, DEEPEST)
        .map_err(|_| no_event(format!("it nests deeper than {DEEPEST} levels")))?;
    let value: Value = parse(text).map_err(|error| no_event(error.reason))?;
    serde_json::from_value(value).map_err(|error| no_event(error.to_string()))
}
