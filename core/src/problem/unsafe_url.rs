//! Why a URL must not be opened.

use std::fmt;

/// Why a URL must not be opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnsafeUrl {
    /// It does not begin with `https://` or `http://`.
    Scheme,
    /// It begins with `http://`, and its host is not this machine.
    NotSecure,
    /// It has a user name or a password, which can look like the host.
    UserName,
    /// Its host or its port is invalid.
    Host,
    /// It has a character that browsers and servers read differently.
    Character {
        /// The first such character.
        character: char,
    },
}

impl UnsafeUrl {
    /// What to change.
    pub fn hint(self) -> &'static str {
        match self {
            Self::Scheme | Self::NotSecure => "Use a URL that begins with \"https://\".",
            Self::UserName => "Remove everything between \"//\" and \"@\", and the \"@\".",
            Self::Host => "Give the URL a host, such as in \"https://example.com\".",
            Self::Character { .. } => "Percent-encode the character. In the host, use Punycode.",
        }
    }
}

impl fmt::Display for UnsafeUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Scheme => write!(f, "The URL does not begin with \"https://\"."),
            Self::NotSecure => write!(f, "The URL leads to another machine without encryption (\"http://\")."),
            Self::UserName => write!(f, "The URL contains a user name or a password."),
            Self::Host => write!(f, "The URL has no valid host."),
            Self::Character { character } => {
                write!(f, "The URL contains the character {}, which is not allowed.", character.escape_unicode())
            }
        }
    }
}
