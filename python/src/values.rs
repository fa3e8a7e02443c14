//! Values of Python as JSON text, and JSON text as values of Python. No digit of an integer is lost, and keys stay in their order.

use crate::fault::Fault;
use pyo3::{
    basic::CompareOp,
    prelude::*,
    sync::PyOnceLock,
    types::{PyBool, PyBytes, PyDict, PyFloat, PyInt, PyList, PyString, PyTuple},
};

/// How deep a value may nest before it is looked at no further. The core's own limits are far below.
const DEEPEST: usize = 512;
/// How many bytes a value may have as JSON text, where no limit of the host's options counts.
pub const MOST: usize = 1 << 28;

/// What becomes of an integer that does not fit into 64 bits.
#[derive(Clone, Copy, PartialEq)]
pub enum Big {
    /// Its digits are written. The reader keeps them.
    Written,
    /// It is refused, because the reader would round it.
    Refused,
    /// It is written as an object that [`loads`] reads as this integer again.
    Marked,
}

/// Why a value is not JSON.
pub enum Unfit {
    /// JSON has no value for it, or not with all digits.
    Type(String),
    /// It cannot be written: it contains itself, nests too deep, or has half a surrogate pair.
    Broken(String),
    /// It has an integer of more than 64 bits, which would be rounded.
    Big(String),
    /// It has more bytes than allowed.
    Large,
}

impl Unfit {
    /// What is wrong, in a sentence.
    pub fn message(self) -> String {
        match self {
            Self::Type(what) => format!("JSON has no value for {what}."),
            Self::Broken(what) => format!("This value has no JSON form: {what}."),
            Self::Big(what) => {
                format!("An integer here must fit into 64 bits, and {what} does not. Give it as a text.")
            }
            Self::Large => format!("This value has more than {MOST} bytes as JSON text."),
        }
    }

    fn within(self, place: &str) -> Self {
        // The place is told from the outside in; it stays short.
        let at = |what: String| if what.len() > 300 { what } else { format!("{what} in {place}") };
        match self {
            Self::Type(what) => Self::Type(at(what)),
            Self::Broken(what) => Self::Broken(at(what)),
            Self::Big(what) => Self::Big(at(what)),
            Self::Large => Self::Large,
        }
    }
}

impl From<Unfit> for Fault {
    fn from(unfit: Unfit) -> Self {
        Self::not_json(unfit.message())
    }
}

/// A value as JSON text of at most so many bytes.
pub fn written(value: &Bound<'_, PyAny>, most: usize, big: Big) -> Result<String, Unfit> {
    let mut writer = Writer { text: Vec::new(), open: Vec::new(), most, big };
    writer.add(value)?;
    String::from_utf8(writer.text).map_err(|_| Unfit::Broken("a text in it is not Unicode".into()))
}

/// A value as JSON text, or the exception.
pub fn text_of(value: &Bound<'_, PyAny>, big: Big) -> PyResult<String> {
    written(value, MOST, big).map_err(|unfit| Fault::from(unfit).raise(value.py()))
}

/// What arrived, as JSON text: a text or UTF-8 bytes as they are, and any other value written.
pub fn arrived(value: &Bound<'_, PyAny>, most: usize, big: Big) -> Result<String, Unfit> {
    if let Ok(text) = value.cast::<PyString>() {
        return Ok(whole(text)?.to_owned());
    }
    if let Ok(bytes) = value.cast::<PyBytes>() {
        let text = std::str::from_utf8(bytes.as_bytes());
        return text.map(str::to_owned).map_err(|error| Unfit::Broken(format!("the bytes are not UTF-8: {error}")));
    }
    written(value, most, big)
}

/// What was stored, as JSON text: a text or UTF-8 bytes are read by Python, so that no digit is lost.
pub fn stored(value: &Bound<'_, PyAny>, big: Big) -> Result<String, Unfit> {
    if value.is_instance_of::<PyString>() || value.is_instance_of::<PyBytes>() {
        let text = arrived(value, MOST, big)?;
        let read = loads(value.py(), &text).map_err(|error| Unfit::Broken(error.value(value.py()).to_string()))?;
        return written(&read, MOST, big);
    }
    written(value, MOST, big)
}

/// A text without halves of surrogate pairs.
pub fn whole<'a>(text: &'a Bound<'_, PyString>) -> Result<&'a str, Unfit> {
    text.to_str().map_err(|_| Unfit::Broken("a text has half a surrogate pair".into()))
}

struct Writer {
    text: Vec<u8>,
    /// The lists and dicts that are being written: none may stand in itself.
    open: Vec<*mut pyo3::ffi::PyObject>,
    most: usize,
    big: Big,
}

impl Writer {
    fn add(&mut self, value: &Bound<'_, PyAny>) -> Result<(), Unfit> {
        if self.text.len() > self.most {
            return Err(Unfit::Large);
        }
        if value.is_none() {
            self.put(b"null");
        } else if let Ok(text) = value.cast::<PyString>() {
            self.string(text)?;
        } else if let Ok(flag) = value.cast::<PyBool>() {
            self.put(if flag.is_true() { b"true" } else { b"false" });
        } else if let Ok(number) = value.cast::<PyInt>() {
            self.integer(number)?;
        } else if let Ok(number) = value.cast::<PyFloat>() {
            let number = number.value();
            match serde_json::Number::from_f64(number) {
                Some(number) => self.put(number.to_string().as_bytes()),
                None => return Err(Unfit::Type(number.to_string())),
            }
        } else if let Ok(fields) = value.cast::<PyDict>() {
            self.begin(value)?;
            self.put(b"{");
            for (place, (key, field)) in fields.iter().enumerate() {
                if place > 0 {
                    self.put(b",");
                }
                let Ok(key) = key.cast::<PyString>() else {
                    return Err(Unfit::Type(format!("a key of the type {}", type_name(&key))));
                };
                self.string(key)?;
                self.put(b":");
                self.add(&field).map_err(|unfit| unfit.within(&named(key)))?;
            }
            self.put(b"}");
            self.open.pop();
        } else if let Ok(items) = value.cast::<PyList>() {
            self.items(value, items.iter())?;
        } else if let Ok(items) = value.cast::<PyTuple>() {
            self.items(value, items.iter())?;
        } else {
            return Err(Unfit::Type(format!("the type {}", type_name(value))));
        }
        Ok(())
    }

    fn items<'py>(
        &mut self,
        list: &Bound<'py, PyAny>,
        items: impl Iterator<Item = Bound<'py, PyAny>>,
    ) -> Result<(), Unfit> {
        self.begin(list)?;
        self.put(b"[");
        for (place, item) in items.enumerate() {
            if place > 0 {
                self.put(b",");
            }
            self.add(&item).map_err(|unfit| unfit.within(&place.to_string()))?;
        }
        self.put(b"]");
        self.open.pop();
        Ok(())
    }

    fn begin(&mut self, value: &Bound<'_, PyAny>) -> Result<(), Unfit> {
        let place = value.as_ptr();
        if self.open.contains(&place) {
            return Err(Unfit::Broken("a list or dict contains itself".into()));
        }
        if self.open.len() >= DEEPEST {
            return Err(Unfit::Broken(format!("it nests deeper than {DEEPEST} levels")));
        }
        self.open.push(place);
        Ok(())
    }

    fn string(&mut self, text: &Bound<'_, PyString>) -> Result<(), Unfit> {
        let text = whole(text)?;
        if text.len() > self.most.saturating_sub(self.text.len()) {
            return Err(Unfit::Large);
        }
        let written = serde_json::to_writer(&mut self.text, text);
        written.map_err(|error| Unfit::Broken(error.to_string()))
    }

    fn integer(&mut self, number: &Bound<'_, PyInt>) -> Result<(), Unfit> {
        if let Ok(small) = number.extract::<i64>() {
            self.put(small.to_string().as_bytes());
            return Ok(());
        }
        if let Ok(large) = number.extract::<u64>() {
            self.put(large.to_string().as_bytes());
            return Ok(());
        }
        // A subclass may write itself otherwise.
        let digits = number.py().get_type::<PyInt>().call_method1("__repr__", (number,));
        let digits = digits.and_then(|digits| digits.extract::<String>());
        let digits = digits.map_err(|_| {
            Unfit::Type("an integer of more digits than Python writes (sys.get_int_max_str_digits)".into())
        })?;
        match self.big {
            Big::Written => self.put(digits.as_bytes()),
            // One that is a double is not rounded.
            Big::Refused if is_double(number) => self.put(digits.as_bytes()),
            Big::Refused => return Err(Unfit::Big("an integer".into())),
            Big::Marked => {
                let mark = mark(number.py()).map_err(|error| Unfit::Broken(error.to_string()))?;
                self.put(format!("{{\"{mark}\":\"{digits}\"}}").as_bytes());
            }
        }
        Ok(())
    }

    fn put(&mut self, bytes: &[u8]) {
        self.text.extend_from_slice(bytes);
    }
}

/// Whether a double is this very integer.
fn is_double(number: &Bound<'_, PyInt>) -> bool {
    let same = |double: f64| number.rich_compare(double, CompareOp::Eq)?.is_truthy();
    number.extract::<f64>().and_then(same).unwrap_or_default()
}

fn named(key: &Bound<'_, PyString>) -> String {
    ask_user_core::json::quoted(key.to_str().unwrap_or_default())
}

fn type_name(value: &Bound<'_, PyAny>) -> String {
    value.get_type().name().map_or_else(|_| "?".into(), |name| name.to_string())
}

/// The key of a marked integer: another one in each process, so that no input can have it.
fn mark(py: Python<'_>) -> PyResult<&str> {
    static MARK: PyOnceLock<String> = PyOnceLock::new();
    MARK.get_or_try_init(py, || py.import("ask_user._json")?.getattr("MARK")?.extract()).map(String::as_str)
}

/// JSON text as a value of Python.
pub fn loads<'py>(py: Python<'py>, text: &str) -> PyResult<Bound<'py, PyAny>> {
    static LOADS: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let loads =
        LOADS.get_or_try_init(py, || Ok::<_, PyErr>(py.import("ask_user._json")?.getattr("loads")?.unbind()))?;
    loads.bind(py).call1((text,))
}
