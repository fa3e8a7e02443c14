//! JSON Pointers (RFC 6901), which say where a problem is.

use crate::{json::field, text::shortened};
use serde_json::{Map, Value};

/// How many bytes of a name are kept.
const NAME: usize = 200;

/// A JSON Pointer in its string form; the empty pointer is the whole document.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Pointer(String);

impl Pointer {
    /// The empty pointer: the whole document.
    pub fn root() -> Self {
        Self::default()
    }

    /// The member of an object. A name of more than 200 bytes is shortened in the middle.
    #[must_use]
    pub fn field(&self, name: &str) -> Self {
        let name = shortened(name, NAME);
        Self(format!("{}/{}", self.0, name.replace('~', "~0").replace('/', "~1")))
    }

    /// The pointer to an item of the array at this pointer. The first item has the index 0.
    #[must_use]
    pub fn item(&self, index: usize) -> Self {
        // Made for every option of a list: without the machinery of formatting.
        Self([self.as_str(), "/", &index.to_string()].concat())
    }

    /// This pointer followed by another one, which is relative to it.
    #[must_use]
    pub fn join(&self, inner: &str) -> Self {
        Self(format!("{}{inner}", self.0))
    }

    /// A name as it was before it was written into a pointer.
    pub(crate) fn unescaped(name: &str) -> String {
        let mut key = String::with_capacity(name.len());
        let mut letters = name.chars();
        while let Some(letter) = letters.next() {
            key.push(match letter {
                '~' if letters.next() == Some('1') => '/',
                letter => letter,
            });
        }
        key
    }

    /// The part of this pointer that leads somewhere in a request.
    #[must_use]
    pub(crate) fn within(&self, request: &Map<String, Value>) -> Self {
        let (mut at, mut length) = (None::<&Value>, 0_usize);
        for name in self.0.split('/').skip(1) {
            let key = Self::unescaped(name);
            let next = match at {
                None => field(request, &key),
                Some(Value::Array(list)) => key.parse::<usize>().ok().and_then(|place| list.get(place)),
                Some(value) => value.as_object().and_then(|map| field(map, &key)),
            };
            let Some(next) = next else { break };
            at = Some(next);
            length = length.saturating_add(name.len()).saturating_add(1);
        }
        Self(self.0.get(..length).unwrap_or_default().to_owned())
    }

    /// The pointer as a string.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl std::fmt::Display for Pointer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::Pointer;

    /// RFC 6901, section 3.
    #[test]
    fn names_in_a_pointer_are_escaped() {
        assert_eq!(Pointer::root().field("a/b~c").item(0).as_str(), "/a~1b~0c/0");
    }
}
