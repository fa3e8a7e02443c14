//! `Form`: a validated request, and what it was read from.

use crate::{
    fault::{Fault, freely},
    values::{Big, MOST, Unfit, arrived, loads, text_of},
};
use ask_user_core::{
    Dialect, Form as CoreForm, Host, Moment, Rejection, UnknownDialect,
    json::{parse, text},
    problem::{Pointer, Problem, ProblemKind},
};
use pyo3::{exceptions::PyTypeError, prelude::*, types::PyTuple};
use serde_json::Value;
use std::sync::Arc;

/// What a form is read from. It is kept, so that forms and walks can be pickled.
pub struct Source {
    pub request: String,
    pub dialect: Option<String>,
    /// The host's options as JSON text.
    pub options: String,
}

/// The host's options and the dialect, before a request is read.
pub struct Asked {
    pub host: Host,
    pub dialect: Dialect,
    pub options: String,
    pub named: Option<String>,
}

impl Asked {
    pub fn read(py: Python<'_>, dialect: Option<String>, host: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        let options = host.map_or_else(|| Ok("{}".to_owned()), |host| text_of(host, Big::Refused))?;
        freely(py, || {
            let host = Host::from_json(&value(&options)?)?;
            let found = dialect.as_deref().map_or(Ok(Dialect::Detect), str::parse);
            let found = found.map_err(|unknown: UnknownDialect| Rejection::from(unknown))?;
            Ok(Self { host, dialect: found, options, named: dialect })
        })
    }

    /// The text of a request. A value that is no JSON is a rejection, as a text that is none.
    pub fn request(&self, request: &Bound<'_, PyAny>) -> Result<String, Fault> {
        let most = self.host.limits.bytes.min(MOST);
        match arrived(request, most, Big::Written) {
            Ok(text) => Ok(text),
            // The form of an agent without a user fails, whatever the request is.
            Err(_) if self.host.sub_agent => Ok("null".to_owned()),
            // The core says that it is too large, as it does of a text.
            Err(Unfit::Large) => Ok(" ".repeat(most.saturating_add(1))),
            Err(unfit) => {
                let problem = Problem::new(Pointer::root(), ProblemKind::Unreadable { reason: unfit.message() });
                Err(Rejection::of(None, problem).into())
            }
        }
    }
}

/// JSON text that this module has written itself.
fn value(text: &str) -> Result<Value, Fault> {
    parse(text).map_err(|error| Fault::not_json(format!("This value has no JSON form: {}.", error.reason)))
}

/// A validated request. It never changes.
#[pyclass(frozen, module = "ask_user")]
pub struct Form {
    pub form: CoreForm,
    pub source: Arc<Source>,
}

#[pymethods]
impl Form {
    #[new]
    #[pyo3(signature = (request, /, *, dialect = None, host = None))]
    fn new(
        py: Python<'_>,
        request: &Bound<'_, PyAny>,
        dialect: Option<String>,
        host: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        Self::read(py, request, dialect, host)
    }

    /// Reads a request.
    #[staticmethod]
    #[pyo3(signature = (request, /, dialect = None, host = None))]
    fn read(
        py: Python<'_>,
        request: &Bound<'_, PyAny>,
        dialect: Option<String>,
        host: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let asked = Asked::read(py, dialect, host)?;
        let request = asked.request(request).map_err(|fault| fault.raise(py))?;
        freely(py, || {
            let form = CoreForm::read(&request, asked.dialect, &asked.host)?;
            let source = Source { request, dialect: asked.named, options: asked.options };
            Ok(Self { form, source: Arc::new(source) })
        })
    }

    #[getter]
    fn dialect(&self) -> &'static str {
        self.form.dialect()
    }

    #[getter]
    fn label(&self) -> Option<&str> {
        self.form.host().label.as_deref()
    }

    #[getter]
    fn message(&self) -> Option<&str> {
        self.form.message()
    }

    #[getter]
    fn review(&self) -> bool {
        self.form.review()
    }

    #[getter]
    fn reply(&self) -> &'static str {
        self.form.reply().name()
    }

    #[getter]
    fn expires_at(&self) -> Option<&str> {
        self.form.expires_at().map(Moment::as_str)
    }

    #[getter]
    fn questions<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let questions = freely(py, || Ok(text(&self.form.questions())))?;
        loads(py, &questions)
    }

    #[getter]
    fn warnings<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let warnings = freely(py, || Ok(text(&self.form.warnings().iter().map(Problem::to_json).collect::<Value>())))?;
        loads(py, &warnings)
    }

    fn __len__(&self) -> usize {
        self.form.questions().len()
    }

    fn __bool__(&self) -> bool {
        true
    }

    fn __eq__(&self, py: Python<'_>, other: &Self) -> PyResult<bool> {
        freely(py, || Ok(self.form == other.form))
    }

    fn __repr__(&self) -> String {
        format!("<ask_user.Form {}, questions: {}>", self.form.dialect(), self.form.questions().len())
    }

    fn __copy__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __deepcopy__(slf: Py<Self>, _memo: &Bound<'_, PyAny>) -> Py<Self> {
        slf
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let arguments = pickled(py, &self.form, &self.source)?;
        (py.import("ask_user._pickle")?.getattr("form")?, arguments).into_pyobject(py)
    }
}

/// What a form is pickled as: the request, the dialect and the host's options.
pub fn pickled<'py>(py: Python<'py>, form: &CoreForm, source: &Source) -> PyResult<Bound<'py, PyTuple>> {
    if !form.host().secret_answers.is_empty() {
        return Err(PyTypeError::new_err(
            "A form with the option secret_answers cannot be pickled, because the secrets would be in the pickle. Store \
             the request and the result of Walk.save(), and read the form with its options again.",
        ));
    }
    (&source.request, &source.dialect, &source.options).into_pyobject(py)
}
