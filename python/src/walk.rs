//! `Walk`: one person's progress through a form.

use crate::{
    answers::{answer_text, by_question, in_order, perhaps_said, plain, said},
    fault::{Fault, freely},
    form::{Form, pickled},
    shared::Shared,
    values::{Big, MOST, Unfit, arrived, loads, written},
};
use ask_user_core::{
    Action, Content, Given, Step, Unresumable, Verdict, Walk as CoreWalk,
    json::{parse, text},
};
use pyo3::{
    exceptions::PyTypeError,
    prelude::*,
    types::{PyDict, PyList, PyString, PyTuple},
};
use serde_json::{Map, Value};
use std::sync::Arc;

/// One person's progress through a form.
#[pyclass(frozen, module = "ask_user")]
pub struct Walk(Arc<Shared>);

impl Walk {
    pub fn of(shared: Arc<Shared>) -> Self {
        Self(shared)
    }

    fn read<T: Send>(&self, py: Python<'_>, read: impl FnOnce(&CoreWalk) -> Result<T, Fault> + Send) -> PyResult<T> {
        freely(py, || read(&*self.0.lock()?))
    }

    fn json<'py>(
        &self,
        py: Python<'py>,
        read: impl FnOnce(&CoreWalk) -> Option<String> + Send,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.read(py, |walk| Ok(read(walk)))?.map(|text| loads(py, &text)).transpose()
    }

    /// What always has a value.
    fn value<'py>(
        &self,
        py: Python<'py>,
        read: impl FnOnce(&CoreWalk) -> String + Send,
    ) -> PyResult<Bound<'py, PyAny>> {
        let text = self.read(py, |walk| Ok(read(walk)))?;
        loads(py, &text)
    }

    fn does(&self, py: Python<'_>, action: impl FnOnce() -> Result<Action, Fault> + Send) -> PyResult<()> {
        freely(py, || {
            let action = action()?;
            Ok(self.0.lock()?.act(action)?)
        })
    }

    fn given(
        &self,
        py: Python<'_>,
        value: String,
        other: Option<&Bound<'_, PyString>>,
        note: Option<&Bound<'_, PyString>>,
        remember: bool,
    ) -> PyResult<()> {
        let (other, note) = (perhaps_said(other)?, perhaps_said(note)?);
        self.does(py, || Ok(Action::Answer(Given { content: Content::read(value, other)?, note, remember })))
    }
}

#[pymethods]
impl Walk {
    /// Begins at the first question that somebody is to be asked.
    #[new]
    #[pyo3(signature = (form, /))]
    fn new(py: Python<'_>, form: &Form) -> PyResult<Self> {
        freely(py, || {
            let walk = CoreWalk::new(form.form.clone());
            Ok(Self(Arc::new(Shared::new(walk, Some(Arc::clone(&form.source))))))
        })
    }

    /// Resumes a saved walk.
    #[staticmethod]
    #[pyo3(signature = (form, saved, /, *, secrets = None))]
    fn resume(
        py: Python<'_>,
        form: &Form,
        saved: &Bound<'_, PyAny>,
        secrets: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Self> {
        let saved = stored(saved)?;
        let secrets = secrets.map_or_else(|| Ok("{}".to_owned()), |secrets| stored(secrets))?;
        freely(py, || {
            let saved = saved_value(&saved)?;
            let secrets: Map<String, Value> = match parse(&secrets) {
                Ok(Value::Object(secrets)) => secrets,
                _ => Map::new(),
            };
            let walk = CoreWalk::resume_with(form.form.clone(), &saved, &secrets)?;
            Ok(Self(Arc::new(Shared::new(walk, Some(Arc::clone(&form.source))))))
        })
    }

    #[getter]
    fn form(&self, py: Python<'_>) -> PyResult<Option<Form>> {
        let form = self.read(py, |walk| Ok(walk.accepted()))?;
        Ok(form.zip(self.0.source()).map(|(form, source)| Form { form, source }))
    }

    #[getter]
    fn step<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let step = self.value(py, |walk| text(&walk.step()))?;
        exact_draft(&step)?;
        Ok(step)
    }

    #[getter]
    fn is_over(&self, py: Python<'_>) -> PyResult<bool> {
        self.read(py, |walk| Ok(walk.is_over()))
    }

    #[getter]
    fn outcome<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let both = self.read(py, |walk| Ok(walk.outcome().map(|outcome| (text(&outcome), walk.result_text()))))?;
        let Some((outcome, result)) = both else { return Ok(None) };
        let outcome = loads(py, &outcome)?;
        if let Some(result) = result {
            // With every digit, which the core keeps as text.
            outcome.set_item("result", loads(py, &result)?)?;
        }
        Ok(Some(outcome))
    }

    #[getter]
    fn result_text(&self, py: Python<'_>) -> PyResult<Option<String>> {
        self.read(py, |walk| Ok(walk.result_text()))
    }

    #[getter]
    fn records<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.records_from(py, 0)
    }

    #[pyo3(signature = (start, /))]
    fn records_from<'py>(&self, py: Python<'py>, start: usize) -> PyResult<Bound<'py, PyAny>> {
        self.value(py, |walk| text(&walk.records_from(start).collect::<Vec<_>>()))
    }

    #[getter]
    fn turn<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.value(py, |walk| text(&walk.turn()))
    }

    #[getter]
    fn drafts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.value(py, |walk| text(&walk.drafts()))
    }

    #[getter]
    fn idempotency_key(&self, py: Python<'_>) -> PyResult<String> {
        self.read(py, |walk| Ok(walk.idempotency_key()))
    }

    #[getter]
    fn consultation<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.json(py, |walk| walk.consultation().map(|asked| text(&asked)))
    }

    #[getter]
    fn template<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.json(py, |walk| walk.template().map(|template| text(&template)))
    }

    /// The saved walk and its secrets, for the host that reads them with `continued`.
    #[getter]
    fn response<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.value(py, |walk| text(&walk.response()))
    }

    #[getter]
    fn approvals<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.value(py, |walk| text(&walk.approvals()))
    }

    /// The questions to show on one page, with what the page holds now.
    #[pyo3(signature = (answers = None, /))]
    fn page<'py>(&self, py: Python<'py>, answers: Option<&Bound<'py, PyDict>>) -> PyResult<Bound<'py, PyAny>> {
        let answers = answers.map_or_else(|| Ok(Vec::new()), |given| by_question(given, self.0.most, Big::Written))?;
        self.value(py, |walk| text(&walk.page(in_order(walk, answers))))
    }

    /// The ids of the questions whose answers cannot be undone.
    #[pyo3(signature = (answers, /))]
    fn to_confirm(&self, py: Python<'_>, answers: &Bound<'_, PyDict>) -> PyResult<Vec<String>> {
        let answers = by_question(answers, self.0.most, Big::Written)?;
        self.read(py, |walk| {
            let found = walk.to_confirm(&in_order(walk, answers));
            Ok(found.into_iter().map(|(question, _)| question.id.clone()).collect())
        })
    }

    /// Whether the open question takes this answer. Nothing changes.
    #[pyo3(signature = (value, /, *, other = None))]
    fn check(&self, py: Python<'_>, value: &Bound<'_, PyAny>, other: Option<&Bound<'_, PyString>>) -> PyResult<()> {
        let value = answer_text(value, self.0.most, Big::Written).map_err(|fault| fault.raise(py))?;
        let other = perhaps_said(other)?;
        self.read(py, |walk| Ok(walk.check(Content::read(value, other)?)?))
    }

    #[pyo3(signature = (value, /, *, other = None, note = None, remember = false))]
    fn answer(
        &self,
        py: Python<'_>,
        value: &Bound<'_, PyAny>,
        other: Option<&Bound<'_, PyString>>,
        note: Option<&Bound<'_, PyString>>,
        remember: bool,
    ) -> PyResult<()> {
        let value = answer_text(value, self.0.most, Big::Written).map_err(|fault| fault.raise(py))?;
        self.given(py, value, other, note, remember)
    }

    #[pyo3(signature = (text, /, *, other = None, note = None, remember = false))]
    fn answer_text(
        &self,
        py: Python<'_>,
        text: &Bound<'_, PyString>,
        other: Option<&Bound<'_, PyString>>,
        note: Option<&Bound<'_, PyString>>,
        remember: bool,
    ) -> PyResult<()> {
        self.given(py, said(text)?, other, note, remember)
    }

    #[pyo3(signature = (answers, /))]
    fn answer_all(&self, py: Python<'_>, answers: &Bound<'_, PyDict>) -> PyResult<()> {
        let answers = by_question(answers, self.0.most, Big::Written)?;
        freely(py, || {
            let mut walk = self.0.lock()?;
            let answers = in_order(&walk, answers);
            Ok(walk.answer_all(answers)?)
        })
    }

    #[pyo3(signature = (answers, /))]
    fn answers(&self, py: Python<'_>, answers: &Bound<'_, PyDict>) -> PyResult<()> {
        let answers = by_question(answers, self.0.most, Big::Refused)?;
        freely(py, || {
            let mut walk = self.0.lock()?;
            let answers = plain(&walk, answers)?;
            Ok(walk.answers(answers)?)
        })
    }

    #[pyo3(signature = (text, /))]
    fn typed(&self, py: Python<'_>, text: &Bound<'_, PyString>) -> PyResult<()> {
        let text = said(text)?;
        self.does(py, || Ok(Action::typed(text)))
    }

    fn back(&self, py: Python<'_>) -> PyResult<()> {
        self.does(py, || Ok(Action::Back))
    }

    #[pyo3(signature = (text = None, /))]
    fn reply(&self, py: Python<'_>, text: Option<&Bound<'_, PyString>>) -> PyResult<()> {
        let text = perhaps_said(text)?;
        self.does(py, || Ok(Action::Reply(text)))
    }

    fn end_turn(&self, py: Python<'_>) -> PyResult<()> {
        self.does(py, || Ok(Action::EndTurn))
    }

    /// Ends the walk as expired if its time is over by `now`, a moment with a time zone. Gives whether it has expired.
    #[pyo3(signature = (now, /))]
    fn expire(&self, py: Python<'_>, now: &Bound<'_, PyAny>) -> PyResult<bool> {
        if now.getattr("tzinfo")?.is_none() {
            let message = "Give a moment with a time zone, such as `datetime.now(timezone.utc)`.";
            return Err(pyo3::exceptions::PyValueError::new_err(message));
        }
        let seconds: f64 = now.call_method0("timestamp")?.extract()?;
        freely(py, || Ok(self.0.lock()?.expire((seconds * 1000.0).floor() as i64)))
    }

    fn submit(&self, py: Python<'_>) -> PyResult<()> {
        self.does(py, || Ok(Action::Submit))
    }

    #[pyo3(signature = (question, /))]
    fn change(&self, py: Python<'_>, question: &Bound<'_, PyString>) -> PyResult<()> {
        let question = said(question)?;
        self.does(py, || Ok(Action::Change(question)))
    }

    /// Brings the verdict of the assistant on a record. `None`, and what is no verdict, says that there is none.
    #[pyo3(signature = (verdict, /, record = None))]
    fn assistant(
        &self,
        py: Python<'_>,
        verdict: &Bound<'_, PyAny>,
        record: Option<&Bound<'_, PyString>>,
    ) -> PyResult<()> {
        let Ok(fields) = verdict.cast::<PyDict>() else { return self.does(py, || Ok(Action::NoAssistant)) };
        let inner = fields.get_item("record")?.and_then(|record| record.cast_into::<PyString>().ok());
        let Some(record) = record.or(inner.as_ref()) else {
            let message = "Give the verdict with the record that it answers: the `record` of the consultation.";
            return Err(Fault::refused("not_allowed", message).raise(py));
        };
        let record = said(record)?;
        // Only an integer that would be rounded is refused; anything else that JSON cannot say is no verdict.
        let text = match written(verdict, self.0.most.min(MOST), Big::Refused) {
            Ok(text) => text,
            Err(unfit @ Unfit::Big(_)) => return Err(Fault::refused("out_of_range", unfit.message()).raise(py)),
            Err(_) => "null".to_owned(),
        };
        self.does(py, || {
            let verdict = parse(&text).ok().as_ref().and_then(|verdict| Verdict::read(verdict, record));
            Ok(verdict.map_or(Action::NoAssistant, Action::Assistant))
        })
    }

    /// Carries out an action that is data. It may come from a client: what is wrong with it is a refusal.
    #[pyo3(signature = (action, /))]
    fn act(slf: &Bound<'_, Self>, action: &Bound<'_, PyDict>) -> PyResult<()> {
        let py = slf.py();
        let refused = |message: &str| Fault::refused("not_allowed", message).raise(py);
        let (mut name, mut fields) = (None, Vec::new());
        for (key, value) in action.iter() {
            match key.extract::<String>() {
                Ok(key) if key == "type" => name = value.extract::<String>().ok(),
                Ok(key) => fields.push((key, value)),
                Err(_) => return Err(refused("The fields of an action have texts as names.")),
            }
        }
        let (first, named): (Option<&str>, &[&str]) = match name.as_deref() {
            Some("answer") => (Some("value"), &["other", "note", "remember"]),
            Some("typed") => (Some("text"), &[]),
            Some("reply") => (None, &["text"]),
            Some("change") => (Some("question"), &[]),
            Some("assistant") => (Some("verdict"), &["record"]),
            Some("back" | "end_turn" | "submit") => (None, &[]),
            _ => return Err(refused("There is no action of this type.")),
        };
        let (arguments, options) = (PyList::empty(py), PyDict::new(py));
        for (key, value) in fields {
            if Some(key.as_str()) == first || key == "text" && named.contains(&"text") {
                arguments.append(value)?;
            } else if named.contains(&key.as_str()) {
                options.set_item(key, value)?;
            } else {
                return Err(refused(&format!("This action has no field {key:?}.")));
            }
        }
        if first.is_some() && arguments.is_empty() {
            return Err(refused(&format!("The action lacks its field {:?}.", first.unwrap_or_default())));
        }
        let name = name.unwrap_or_default();
        let done = slf.call_method(name.as_str(), arguments.to_tuple(), Some(&options)).map(drop);
        done.map_err(|error| {
            if error.is_instance_of::<PyTypeError>(py) {
                refused("A field of the action has another type.")
            } else {
                error
            }
        })
    }

    /// The walk as JSON, without its secrets.
    fn save<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.value(py, |walk| text(&walk.save()))
    }

    /// This walk as it went on in a page, by the page's response.
    #[pyo3(signature = (response, /))]
    fn continued(&self, py: Python<'_>, response: &Bound<'_, PyAny>) -> PyResult<Self> {
        let response = stored(response)?;
        let walk = self.read(py, |walk| Ok(walk.continued(&parse(&response).unwrap_or_default())?))?;
        Ok(Self(Arc::new(Shared::new(walk, self.0.source()))))
    }

    fn __eq__(&self, py: Python<'_>, other: &Self) -> PyResult<bool> {
        // One after the other, so that two threads never wait for each other.
        let own = self.read(py, |walk| Ok(walk.clone()))?;
        other.read(py, |walk| Ok(own == *walk))
    }

    /// Where the walk is. Nothing that anybody said.
    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        self.read(py, |walk| {
            let at = match walk.step() {
                Step::Asking(asking) => format!("asking {:?}", asking.question.id),
                Step::Review(_) => "review".into(),
                Step::Checking => "checking".into(),
                Step::Waiting { .. } => "waiting".into(),
                Step::Done { ends } => ends.name().into(),
            };
            Ok(format!("<ask_user.Walk {}, {at}>", walk.form().dialect()))
        })
    }

    fn __copy__(&self, py: Python<'_>) -> PyResult<Self> {
        let walk = self.read(py, |walk| Ok(walk.clone()))?;
        Ok(Self(Arc::new(Shared::new(walk, self.0.source()))))
    }

    fn __deepcopy__(&self, py: Python<'_>, _memo: &Bound<'_, PyAny>) -> PyResult<Self> {
        self.__copy__(py)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let (form, saved) = self.read(py, |walk| Ok((walk.accepted(), text(&walk.save()))))?;
        let Some((form, source)) = form.zip(self.0.source()) else {
            return Err(PyTypeError::new_err("A walk whose request is still being written cannot be pickled."));
        };
        let arguments = pickled(py, &form, &source)?.as_sequence().concat((saved,).into_pyobject(py)?.as_sequence())?;
        (py.import("ask_user._pickle")?.getattr("walk")?, arguments).into_pyobject(py)
    }
}

/// What was stored, as JSON text. What JSON cannot say is no saved walk.
fn stored(value: &Bound<'_, PyAny>) -> PyResult<String> {
    arrived(value, MOST, Big::Written).map_err(|unfit| {
        let reason = unfit.message();
        Fault::from(Unresumable::NotASavedWalk { reason: reason.trim_end_matches('.').to_owned() }).raise(value.py())
    })
}

fn saved_value(text: &str) -> Result<Value, Fault> {
    parse(text).map_err(|error| Unresumable::NotASavedWalk { reason: error.reason }.into())
}

/// Puts the draft with every digit in place of the rounded one.
fn exact_draft(step: &Bound<'_, PyAny>) -> PyResult<()> {
    let fields = step.cast::<PyDict>()?;
    if let Some(exact) = fields.get_item("draft_text")? {
        fields.set_item("draft", loads(step.py(), &exact.extract::<String>()?)?)?;
    }
    Ok(())
}
