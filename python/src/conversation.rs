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
use std::sync::{Mutex, PoisonError};

/// A conversation with an agent that calls tools.
#[pyclass(frozen, module = "ask_user")]
pub struct Conversation(Mutex<CoreConversation>);

#[pymethods]
impl Conversation {
    #[new]
    #[pyo3(signature = (*, attended = true, several_open = false))]
    fn new(attended: bool, several_open: bool) -> Self {
        Self(Mutex::new(CoreConversation::new(attended).several_open(several_open)))
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
    fn open<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let open = self.locked(py, |conversation| Ok(text(&conversation.open().collect::<Vec<_>>())))?;
        loads(py, &open)
    }

    #[getter]
    fn notice<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let notice = self.locked(py, |conversation| Ok(text(&conversation.notice())))?;
        loads(py, &notice)
    }

    /// The calls whose questions end with an event, beside the question that it is about.
    #[pyo3(signature = (event, /))]
    fn ended_by(&self, py: Python<'_>, event: &Bound<'_, PyAny>) -> PyResult<Vec<String>> {
        let event = written(event, MOST, Big::Marked).map_err(|unfit: Unfit| Fault::from(unfit).raise(py))?;
        self.locked(py, |conversation| {
            let event = Event::read(&event).map_err(|error| Fault::misuse(error.to_string()))?;
            Ok(conversation.ended_by(&event).into_iter().map(str::to_owned).collect())
        })
    }

    /// Takes an event, and gives what to do.
    #[pyo3(signature = (event, /))]
    fn on<'py>(&self, py: Python<'py>, event: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let event = written(event, MOST, Big::Marked).map_err(|unfit: Unfit| Fault::from(unfit).raise(py))?;
        let effects = self.locked(py, |conversation| {
            let event = Event::read(&event).map_err(|error| Fault::misuse(error.to_string()))?;
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
