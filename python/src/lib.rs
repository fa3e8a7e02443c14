//! The native module of the Python package `ask_user`: the core, over PyO3. It decides nothing. Every call of the core runs without holding the
//! interpreter, and no panic leaves it.

mod answers;
mod conversation;
mod desk;
mod fault;
mod form;
mod reader;
mod shared;
mod values;
mod walk;

/// What Python sees.
#[pyo3::pymodule(name = "_native")]
mod native {
    #[pymodule_export]
    use crate::{conversation::Conversation, desk::Desk, form::Form, reader::Reader, walk::Walk};

    use crate::{
        fault::{Fault, freely},
        form::Asked,
        values::{Big, MOST, Unfit, arrived, loads, written},
    };
    use ask_user_core::{
        Dialect, PromptKind, ToolDefinition, UnknownPromptKind,
        json::text,
        record::{NotLines, Record, Stream, mend, read, to_markdown},
        route::permission as permission_of,
    };
    use pyo3::{prelude::*, types::PyList};
    use std::collections::BTreeSet;

    /// The names of all dialects.
    #[pyfunction]
    fn dialects() -> Vec<&'static str> {
        Dialect::every().map(Dialect::name).collect()
    }

    /// Declares a dialect, and gives its name.
    #[pyfunction]
    #[pyo3(signature = (declaration, /))]
    fn register_dialect(py: Python<'_>, declaration: &Bound<'_, PyAny>) -> PyResult<&'static str> {
        let declaration =
            written(declaration, MOST, Big::Refused).map_err(|unfit: Unfit| Fault::from(unfit).raise(py))?;
        let own = Dialect::from_json_text(&declaration);
        own.map(Dialect::name).map_err(|error| Fault::misuse(error.to_string()).raise(py))
    }

    /// The dialect whose shape a request has.
    #[pyfunction]
    #[pyo3(signature = (request, /, *, host = None))]
    fn detect_dialect(
        py: Python<'_>,
        request: &Bound<'_, PyAny>,
        host: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<&'static str> {
        let asked = Asked::read(py, None, host)?;
        let request = asked.request(request).map_err(|fault| fault.raise(py))?;
        freely(py, || Ok(Dialect::of(&request, &asked.host)?.name()))
    }

    /// The definitions of a dialect's tools.
    #[pyfunction]
    #[pyo3(signature = (dialect, /, *, sub_agent = false))]
    fn tool_definitions<'py>(py: Python<'py>, dialect: &str, sub_agent: bool) -> PyResult<Bound<'py, PyAny>> {
        let definitions = freely(py, || {
            let definitions = dialect.parse().map(ToolDefinition::of).unwrap_or_default();
            Ok(text(&if sub_agent { Vec::new() } else { definitions }))
        })?;
        loads(py, &definitions)
    }

    /// Whether a tool may run, or may deliver its result.
    #[pyfunction]
    #[pyo3(signature = (tool, kind, /, *, host = None))]
    fn permission<'py>(
        py: Python<'py>,
        tool: &str,
        kind: &str,
        host: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let host = Asked::read(py, None, host)?.host;
        let permission = freely(py, || {
            let kind: PromptKind = kind.parse().map_err(|error: UnknownPromptKind| Fault::misuse(error.to_string()))?;
            Ok(text(&permission_of(&host, &host.turn, tool, kind)))
        })?;
        loads(py, &permission)
    }

    /// Repairs the records of one turn.
    #[pyfunction]
    #[pyo3(signature = (records, /))]
    fn mend_records<'py>(py: Python<'py>, records: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let records = lines(records)?;
        let mended = freely(py, || Ok(text(&mend(read_all(&records)?))))?;
        loads(py, &mended)
    }

    /// Reads stored lines of many turns, and repairs them turn by turn.
    #[pyfunction]
    #[pyo3(signature = (stored, /, begins_turn = None))]
    fn read_records<'py>(
        py: Python<'py>,
        stored: &Bound<'py, PyAny>,
        begins_turn: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let written = lines(stored)?;
        let mut turns = BTreeSet::new();
        if let Some(begins) = begins_turn {
            let given = match stored.cast::<PyList>() {
                Ok(list) => Some(list.clone()),
                Err(_) => loads(py, &written).ok().and_then(|read| read.cast_into().ok()),
            };
            let given = given.ok_or_else(|| Fault::misuse(NotLines.to_string()).raise(py))?;
            for (place, line) in given.iter().enumerate() {
                if begins.call1((line,))?.is_truthy()? {
                    turns.insert(place);
                }
            }
        }
        let stream = freely(py, || {
            let stream = Stream::read_text(&written, &turns).map_err(|error| Fault::misuse(error.to_string()))?;
            Ok(text(&stream))
        })?;
        loads(py, &stream)
    }

    /// Records as Markdown, for people to read.
    #[pyfunction]
    #[pyo3(signature = (records, /))]
    fn records_markdown(py: Python<'_>, records: &Bound<'_, PyAny>) -> PyResult<String> {
        let records = lines(records)?;
        freely(py, || Ok(to_markdown(&read_all(&records)?)))
    }

    /// Panics within the core's guard, for the test of it.
    #[pyfunction]
    fn _panic(py: Python<'_>) -> PyResult<()> {
        freely(py, || panic!("on purpose"))
    }

    fn lines(records: &Bound<'_, PyAny>) -> PyResult<String> {
        arrived(records, MOST, Big::Written).map_err(|unfit: Unfit| Fault::from(unfit).raise(records.py()))
    }

    fn read_all(records: &str) -> Result<Vec<Record>, Fault> {
        read(records).map_err(|error| Fault::misuse(error.to_string()))
    }
}
