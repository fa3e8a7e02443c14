//! Faults of the host's own code, and saved walks that cannot be taken up again.

use std::fmt;

/// The host's code calls this library wrongly. Nothing that came from an agent or a person can cause it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Misuse {
    /// An option that no host has.
    UnknownOption {
        /// The option's name.
        name: String,
    },
    /// An option of another type, or outside what it may be.
    InvalidOption {
        /// The option's name.
        name: String,
        /// What it may be.
        expected: &'static str,
    },
}

impl fmt::Display for Misuse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownOption { name } => write!(f, "There is no option {name:?}. Check its spelling."),
            Self::InvalidOption { name, expected } => write!(f, "The option {name:?} must be {expected}."),
        }
    }
}

impl std::error::Error for Misuse {}

/// Why a saved walk cannot be resumed. The saved walk itself is untouched.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Unresumable {
    /// It does not have the shape of a saved walk.
    NotASavedWalk {
        /// What is missing or wrong.
        reason: String,
    },
    /// It was saved by a version that this one cannot read.
    OtherVersion,
    /// It belongs to another request, or to another tool call.
    OtherForm,
    /// It was changed since it was saved: its checksum or its steps do not fit together.
    Tampered {
        /// What does not fit.
        reason: String,
    },
    /// The form's schemas have not been checked yet: finish reading the form first.
    Unchecked,
}

impl Unresumable {
    /// The stable code.
    pub fn code(&self) -> &'static str {
        match self {
            Self::NotASavedWalk { .. } => "not_a_saved_walk",
            Self::OtherVersion => "other_version",
            Self::OtherForm => "other_form",
            Self::Tampered { .. } => "tampered",
            Self::Unchecked => "unchecked",
        }
    }
}

impl fmt::Display for Unresumable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotASavedWalk { reason } => {
                write!(f, "This is not a saved walk ({reason}). Pass what `save` returned, unchanged.")
            }
            Self::OtherVersion => {
                write!(f, "This walk was saved by another version of ask-user. Start the form again.")
            }
            Self::OtherForm => write!(
                f,
                "This walk was saved from another request or another tool call. Resume it with the request and the \
                 tool call id that it was opened with."
            ),
            Self::Tampered { reason } => {
                write!(f, "This saved walk was changed after it was saved ({reason}). Start the form again.")
            }
            Self::Unchecked => {
                write!(f, "The schemas of this form are not checked yet. Finish reading the form first.")
            }
        }
    }
}

impl std::error::Error for Unresumable {}
