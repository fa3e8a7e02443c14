//! Why a URL must not be opened.

use std::fmt;

/// Why a URL must not be opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnsafeUrl {
    /// It does not begin with `https://`, nor with `http://`.
    Scheme,
    /// It begins with `http://` and leads to another machine.
    NotSecure,
    /// It has a user name or a password, which could be mistaken for the host.
    UserName,
    /// Its host is no name and no address, or its port is no port.
    Host,
    /// It has a character that readers of URLs disagree about.
    Character {
        /// The first such character.
        character: char,
    },
}

impl UnsafeUrl {
    /// What to do about it.
    pub fn hint(self) -> &'static str {
        match self {
            Self::Scheme | Self::NotSecure => "Use a URL that begins with \"https://\".",
            Self::UserName => "Leave out what stands before \"@\".",
            Self::Host => "Name the host as in \"https://example.com\".",
            Self::Character { .. } => "Percent-encode it, or write a host with such letters in Punycode.",
        }
    }
}

impl fmt::Display for UnsafeUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Scheme => write!(f, "This is no \"https\" URL."),
            Self::NotSecure => write!(f, "The URL leads to another machine without encryption."),
            Self::UserName => write!(f, "The URL has a user name or a password."),
            Self::Host => write!(f, "The URL names no host."),
            Self::Character { character } => write!(f, "The URL has the character {}.", character.escape_unicode()),
        }
    }
}
