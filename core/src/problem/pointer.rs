//! JSON Pointers (RFC 6901): where in a request a problem is.

/// A JSON Pointer in its string form; the empty pointer is the whole document.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Pointer(String);

impl Pointer {
    /// The whole document.
    pub fn root() -> Self {
        Self::default()
    }

    /// The member of an object.
    #[must_use]
    pub fn field(&self, name: &str) -> Self {
        Self(format!("{}/{}", self.0, name.replace('~', "~0").replace('/', "~1")))
    }

    /// The element of an array, counted from 0.
    #[must_use]
    pub fn item(&self, index: usize) -> Self {
        Self(format!("{}/{index}", self.0))
    }

    /// A pointer within the value that this one points to, given in its string form.
    #[must_use]
    pub fn join(&self, inner: &str) -> Self {
        Self(format!("{}{inner}", self.0))
    }

    /// The string form.
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

    #[test]
    fn names_are_escaped_as_rfc_6901_section_3_says() {
        assert_eq!(Pointer::root().field("a/b~c").item(0).as_str(), "/a~1b~0c/0");
    }
}
