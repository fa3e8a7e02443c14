//! What goes wrong, as data, and as exceptions of `ask_user._errors`. A panic of the core becomes an exception, too.

use ask_user_core::{
    Misuse, Refusal, Rejection, Unresumable,
    conversation::{Unexpected, UnreadableState},
    desk::UnreadableDesk,
    json::text,
};
use pyo3::{prelude::*, sync::PyOnceLock};
use serde_json::{Map, Value};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// An object with these fields.
fn object<const N: usize>(fields: [(&str, Value); N]) -> Map<String, Value> {
    fields.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}

/// What went wrong: the kind of the exception, and the data that it is made of. It is made where the interpreter is locked.
#[derive(Clone)]
pub struct Fault {
    kind: &'static str,
    data: Map<String, Value>,
}

impl Fault {
    fn new(kind: &'static str, data: Map<String, Value>) -> Self {
        Self { kind, data }
    }

    fn said(kind: &'static str, message: impl Into<String>) -> Self {
        Self::new(kind, object([("message", message.into().into())]))
    }

    /// A value that JSON cannot say, or that is of another type than it must be.
    pub fn not_json(message: impl Into<String>) -> Self {
        Self::said("not_json", message)
    }

    /// The host calls a function with what it does not take.
    pub fn misuse(message: impl Into<String>) -> Self {
        Self::said("misuse", message)
    }

    /// A refusal by the binding itself.
    pub fn refused(code: &str, message: impl Into<String>) -> Self {
        Self::new("refusal", object([("code", code.into()), ("message", message.into().into())]))
    }

    /// The core panicked.
    pub fn internal(message: impl Into<String>) -> Self {
        Self::said("internal", message)
    }

    /// The exception.
    pub fn raise(self, py: Python<'_>) -> PyErr {
        static MADE: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
        let made =
            MADE.get_or_try_init(py, || Ok::<_, PyErr>(py.import("ask_user._errors")?.getattr("made")?.unbind()));
        match made.and_then(|made| made.bind(py).call1((self.kind, text(&self.data)))) {
            Ok(exception) => PyErr::from_value(exception),
            Err(error) => error,
        }
    }
}

impl From<Rejection> for Fault {
    fn from(rejection: Rejection) -> Self {
        Self::new("rejection", rejection.to_json())
    }
}

impl From<Refusal> for Fault {
    fn from(refusal: Refusal) -> Self {
        Self::new("refusal", refusal.to_json())
    }
}

impl From<Unresumable> for Fault {
    fn from(error: Unresumable) -> Self {
        Self::new("unresumable", object([("code", error.code().into()), ("message", error.to_string().into())]))
    }
}

impl From<Misuse> for Fault {
    fn from(misuse: Misuse) -> Self {
        Self::misuse(misuse.to_string())
    }
}

impl From<Unexpected> for Fault {
    fn from(error: Unexpected) -> Self {
        let mut data = object([("code", error.code().into()), ("message", error.to_string().into())]);
        data.extend(error.call_id().map(|call_id| ("call_id".to_owned(), Value::from(call_id))));
        Self::new("unexpected", data)
    }
}

impl From<UnreadableDesk> for Fault {
    fn from(error: UnreadableDesk) -> Self {
        Self::new(
            "unreadable_state",
            object([("message", error.to_string().into()), ("reason", error.reason.as_str().into())]),
        )
    }
}

impl From<UnreadableState> for Fault {
    fn from(error: UnreadableState) -> Self {
        Self::new(
            "unreadable_state",
            object([("message", error.to_string().into()), ("reason", error.reason.as_str().into())]),
        )
    }
}

/// Does something of the core without holding the interpreter. Other threads of Python run meanwhile. A panic becomes an exception.
pub fn freely<T: Send>(py: Python<'_>, act: impl FnOnce() -> Result<T, Fault> + Send) -> PyResult<T> {
    py.detach(|| caught(act)).map_err(|fault| fault.raise(py))
}

/// Does something, and gives a panic as a fault.
fn caught<T>(act: impl FnOnce() -> Result<T, Fault>) -> Result<T, Fault> {
    catch_unwind(AssertUnwindSafe(act)).unwrap_or_else(|panic| {
        let said = panic.downcast_ref::<&str>().map(|said| (*said).to_owned());
        let said = said.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_default();
        Err(Fault::internal(format!("ask-user failed. This is an error in ask-user itself: {said}")))
    })
}
