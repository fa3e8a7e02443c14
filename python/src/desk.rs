//! `Desk`: one open question at a host.

use crate::{
    fault::{Fault, freely},
    form::Asked,
    values::{self, Big, MOST, Unfit, loads, written},
};
use ask_user_core::{
    desk::{Asked as Question, Desk as CoreDesk, Unasked, UnreadableDesk},
    json::{parse, text},
};
use pyo3::{prelude::*, types::PyTuple};
use serde_json::json;
use std::sync::{Mutex, PoisonError};

/// One open question at a host, from asked to closed.
#[pyclass(frozen, module = "ask_user")]
pub struct Desk(Mutex<CoreDesk>);

#[pymethods]
impl Desk {
    /// Asks a question.
    #[staticmethod]
    #[pyo3(signature = (request, /, *, call_id, dialect = None, host = None, earlier = None))]
    fn ask(
        py: Python<'_>,
        request: &Bound<'_, PyAny>,
        call_id: String,
        dialect: Option<String>,
        host: Option<&Bound<'_, PyAny>>,
        earlier: Option<&Self>,
    ) -> PyResult<Self> {
        let asked = Asked::read(py, dialect, host)?;
        let request = asked.request(request).map_err(|fault| fault.raise(py))?;
        let earlier = earlier.map(|earlier| earlier.locked(py, |desk| Ok(desk.clone()))).transpose()?;
        freely(py, || {
            let options = parse(&asked.options).unwrap_or_default();
            let question = Question { call: call_id, request, dialect: asked.dialect, options };
            let desk = CoreDesk::ask(question, earlier).map_err(|error| match error {
                Unasked::Rejected(rejection) => Fault::from(rejection),
                Unasked::Misused(misuse) => misuse.into(),
            })?;
            Ok(Self(Mutex::new(desk)))
        })
    }

    /// Reads a stored desk.
    #[staticmethod]
    #[pyo3(signature = (stored, /))]
    fn from_json(py: Python<'_>, stored: &Bound<'_, PyAny>) -> PyResult<Self> {
        let unreadable = |reason: String| Fault::from(UnreadableDesk { reason });
        let text = values::stored(stored, Big::Marked);
        let text = text.map_err(|unfit| unreadable(unfit.message().trim_end_matches('.').to_owned()).raise(py))?;
        freely(py, || {
            let stored = parse(&text).map_err(|error| unreadable(error.reason))?;
            let desk = CoreDesk::from_json(&stored)?;
            Ok(Self(Mutex::new(desk)))
        })
    }

    /// The desk as JSON, to be stored.
    fn to_json<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let stored = self.locked(py, |desk| Ok(text(&desk.to_json())))?;
        loads(py, &stored)
    }

    /// What a client needs to show the question.
    #[getter]
    fn request<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let request = self.locked(py, |desk| Ok(desk.request()))?;
        loads(py, &request)
    }

    #[getter]
    fn is_open(&self, py: Python<'_>) -> PyResult<bool> {
        self.locked(py, |desk| Ok(desk.is_open()))
    }

    /// How the question was closed, and under which key.
    #[getter]
    fn closed<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let closed = self.locked(py, |desk| Ok(desk.closed().map(|(how, key)| json!({ "how": how, "key": key }))))?;
        loads(py, &text(&closed))
    }

    /// What the agent gets, without secrets.
    #[getter]
    fn answer<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let answer = self.locked(py, |desk| Ok(text(&desk.answer())))?;
        loads(py, &answer)
    }

    /// The secrets in an input as text.
    #[pyo3(signature = (input, /))]
    fn secrets_in(&self, py: Python<'_>, input: &Bound<'_, PyAny>) -> PyResult<Option<String>> {
        let input = written(input, MOST, Big::Refused).map_err(|unfit: Unfit| Fault::from(unfit).raise(py))?;
        self.locked(py, |desk| {
            let input = CoreDesk::input(&input).map_err(|error| Fault::misuse(error.to_string()))?;
            Ok(desk.secrets_in(&input))
        })
    }

    /// Takes an input, and gives what follows. With `now`, milliseconds since the beginning of 1970, the question expires before that if its time is over.
    #[pyo3(signature = (input, /, now = None))]
    fn on<'py>(&self, py: Python<'py>, input: &Bound<'_, PyAny>, now: Option<i64>) -> PyResult<Bound<'py, PyAny>> {
        let input = written(input, MOST, Big::Refused).map_err(|unfit: Unfit| Fault::from(unfit).raise(py))?;
        let reaction = self.locked(py, |desk| {
            let input = CoreDesk::input(&input).map_err(|error| Fault::misuse(error.to_string()))?;
            Ok(text(&match now {
                Some(now) => desk.on_at(now, input),
                None => desk.on(input),
            }))
        })?;
        loads(py, &reaction)
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        self.locked(py, |desk| {
            let state = desk.closed().map_or("open", |(how, _)| how.name());
            Ok(format!("<ask_user.Desk {state}>"))
        })
    }

    fn __copy__(&self, py: Python<'_>) -> PyResult<Self> {
        self.locked(py, |desk| Ok(Self(Mutex::new(desk.clone()))))
    }

    fn __deepcopy__(&self, py: Python<'_>, _memo: &Bound<'_, PyAny>) -> PyResult<Self> {
        self.__copy__(py)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let stored = self.to_json(py)?;
        (py.import("ask_user._pickle")?.getattr("desk")?, (stored,)).into_pyobject(py)
    }
}

impl Desk {
    fn locked<T: Send>(
        &self,
        py: Python<'_>,
        act: impl FnOnce(&mut CoreDesk) -> Result<T, Fault> + Send,
    ) -> PyResult<T> {
        freely(py, || match self.0.lock() {
            Ok(mut desk) => act(&mut desk),
            Err(poisoned) => {
                drop(PoisonError::into_inner(poisoned));
                Err(Fault::internal("This desk cannot be used: an earlier call failed within ask-user."))
            }
        })
    }
}
