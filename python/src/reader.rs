//! `Reader`: reads a request that is still being written.

use crate::{
    fault::{Fault, freely},
    form::{Asked, Source},
    shared::Shared,
    values::whole,
    walk::Walk,
};
use ask_user_core::{
    Reader as CoreReader, Rejection,
    problem::{Pointer, Problem, ProblemKind},
    schema::Validator,
};
use pyo3::{
    exceptions::{PyTypeError, PyValueError},
    prelude::*,
    types::{PyBytes, PyString},
};
use std::sync::{Arc, Mutex, PoisonError};

/// A request that is still being written.
#[pyclass(frozen, module = "ask_user")]
pub struct Reader {
    walk: Py<Walk>,
    shared: Arc<Shared>,
    state: Mutex<State>,
}

struct State {
    /// `None` after the end.
    reader: Option<CoreReader>,
    asked: Option<(Option<String>, String)>,
    /// The bytes of a character that has not come whole.
    rest: Vec<u8>,
    /// Whether the end of the request contradicted its beginning.
    is_anew: bool,
    /// Why the request was rejected at its end.
    fault: Option<Fault>,
}

#[pymethods]
impl Reader {
    #[new]
    #[pyo3(signature = (dialect = None, host = None))]
    fn new(py: Python<'_>, dialect: Option<String>, host: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        let asked = Asked::read(py, dialect, host)?;
        let (reader, shared) = freely(py, || {
            let reader = CoreReader::new(asked.dialect, &asked.host);
            let shared = Arc::new(Shared::stream(reader.form()));
            Ok((reader, shared))
        })?;
        let walk = Py::new(py, Walk::of(Arc::clone(&shared)))?;
        let asked = Some((asked.named, asked.options));
        let state = State { reader: Some(reader), asked, rest: Vec::new(), is_anew: false, fault: None };
        Ok(Self { walk, shared, state: Mutex::new(state) })
    }

    #[getter]
    fn walk(&self, py: Python<'_>) -> Py<Walk> {
        self.walk.clone_ref(py)
    }

    #[getter]
    fn is_anew(&self, py: Python<'_>) -> PyResult<bool> {
        self.locked(py, |state| Ok(state.is_anew))
    }

    /// Takes in what comes next: text, or bytes of UTF-8.
    #[pyo3(signature = (piece, /))]
    fn write(&self, py: Python<'_>, piece: &Bound<'_, PyAny>) -> PyResult<()> {
        if let Ok(bytes) = piece.cast::<PyBytes>() {
            let bytes = bytes.as_bytes();
            return self.locked(py, |state| state.take(bytes, &self.shared));
        }
        let Ok(text) = piece.cast::<PyString>() else {
            return Err(PyTypeError::new_err("Give text, or bytes of UTF-8."));
        };
        let text = whole(text).map_err(|unfit| PyValueError::new_err(unfit.message()))?;
        self.locked(py, |state| state.take(text.as_bytes(), &self.shared))
    }

    /// Reads the whole request, now that nothing more comes.
    fn end(&self, py: Python<'_>) -> PyResult<Py<Walk>> {
        self.locked(py, |state| {
            if let Some(reader) = state.reader.take() {
                state.fault = state.end(reader, &self.shared).err();
            }
            state.fault.clone().map_or(Ok(()), Err)
        })?;
        Ok(self.walk.clone_ref(py))
    }

    fn __repr__(&self) -> &'static str {
        "<ask_user.Reader>"
    }
}

impl Reader {
    fn locked<T: Send>(&self, py: Python<'_>, act: impl FnOnce(&mut State) -> Result<T, Fault> + Send) -> PyResult<T> {
        // What is left after a panic is refused by the walk itself.
        freely(py, || act(&mut self.state.lock().unwrap_or_else(PoisonError::into_inner)))
    }
}

impl State {
    fn end(&mut self, reader: CoreReader, shared: &Shared) -> Result<(), Fault> {
        let sub_agent = reader.form().host().sub_agent;
        if !self.rest.is_empty() && !sub_agent {
            let reason = "it ends within a character".into();
            return Err(Rejection::of(None, Problem::new(Pointer::root(), ProblemKind::Unreadable { reason })).into());
        }
        let request = reader.text().to_owned();
        let form = reader.end()?.finish(&Validator::default())?;
        let (dialect, options) = self.asked.take().unwrap_or_default();
        self.is_anew = shared.accept(form, Source { request, dialect, options })?;
        Ok(())
    }

    fn take(&mut self, bytes: &[u8], shared: &Shared) -> Result<(), Fault> {
        let Some(reader) = &mut self.reader else {
            return Err(Fault::misuse("The request has ended: nothing more can be written."));
        };
        self.rest.extend_from_slice(bytes);
        let there = match std::str::from_utf8(&self.rest) {
            Ok(_) => self.rest.len(),
            Err(error) if error.error_len().is_none() => error.valid_up_to(),
            Err(error) => return Err(Fault::misuse(format!("The bytes are not UTF-8: {error}."))),
        };
        let whole: Vec<u8> = self.rest.drain(..there).collect();
        shared.feed(reader, &whole)
    }
}
