//! Errors of the host's own code, and saved walks that cannot be resumed.

use crate::json::quoted;
use std::fmt;

/// The host's code uses this library wrongly. Input from an agent or a person never causes it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Misuse {
    /// There is no such option.
    UnknownOption {
        /// The name, such as `limits.deep`.
        name: String,
    },
    /// The value of an option is invalid.
    InvalidOption {
        /// The name, such as `limits.depth`.
        name: String,
        /// What the value must be.
        expected: &'static str,
    },
}

impl fmt::Display for Misuse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownOption { name } => write!(f, "There is no option {}. Check its spelling.", quoted(name)),
            Self::InvalidOption { name, expected } => write!(f, "The option {} must be {expected}.", quoted(name)),
        }
    }
}

impl std::error::Error for Misuse {}

/// Why a saved walk cannot be resumed.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Unresumable {
    /// It is not a saved walk.
    NotASavedWalk {
        /// What is missing or wrong.
        reason: String,
    },
    /// It was saved by a version of ask-user that this version cannot read.
    OtherVersion,
    /// It belongs to another request or another tool call.
    OtherForm,
    /// It was changed after it was saved.
    Tampered {
        /// What is inconsistent.
        reason: String,
    },
    /// The host's options have changed since it was saved: with them, other questions are asked or answered by the host.
    OtherOptions,
    /// The form's schemas are not compiled yet: finish reading the form first.
    Unchecked,
}

impl Unresumable {
    /// The code, which does not change between versions.
    pub fn code(&self) -> &'static str {
        match self {
            Self::NotASavedWalk { .. } => "not_a_saved_walk",
            Self::OtherVersion => "other_version",
            Self::OtherForm => "other_form",
            Self::Tampered { .. } => "tampered",
            Self::OtherOptions => "other_options",
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
                "This walk was saved from another request or another tool call. Resume it with the same request and \
                 tool call id."
            ),
            Self::Tampered { reason } => {
                write!(f, "This saved walk was changed after it was saved ({reason}). Start the form again.")
            }
            Self::OtherOptions => write!(
                f,
                "The host's options have changed since this walk was saved, so its answers lead elsewhere. Resume it with the \
                 options that it was opened with, or start the form again."
            ),
            Self::Unchecked => {
                write!(f, "The schemas of this form are not checked yet. Finish reading the form first.")
            }
        }
    }
}

impl std::error::Error for Unresumable {}
