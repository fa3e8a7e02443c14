//! What a key means. Keys become a small closed set before anything acts on them.

/// What a key asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Key {
    Yes {
        remember: bool,
    },
    No {
        remember: bool,
    },
    Back,
    Reply,
    EndTurn,
    /// The option at this place, from 0.
    Option(usize),
    /// Send what stands in the field.
    Send,
    /// Lead from the question to the other ways to go on, or back.
    Leave,
}

/// A key as it was pressed.
pub struct Pressed<'a> {
    pub key: &'a str,
    pub control: bool,
    pub alt: bool,
    /// Whether a text field has the focus: plain letters then belong to it.
    pub in_text: bool,
    /// Whether an input method is composing: every key then belongs to it.
    pub composing: bool,
}

impl Key {
    /// What a pressed key asks for, if anything.
    pub fn of(pressed: &Pressed<'_>) -> Option<Self> {
        if pressed.composing || pressed.alt {
            return None;
        }
        match (pressed.key, pressed.control) {
            ("Enter", true) => return Some(Self::Send),
            ("Escape", false) => return Some(Self::Leave),
            _ if pressed.control || pressed.in_text => return None,
            _ => {}
        }
        match pressed.key {
            "y" => Some(Self::Yes { remember: false }),
            "Y" => Some(Self::Yes { remember: true }),
            "n" => Some(Self::No { remember: false }),
            "N" => Some(Self::No { remember: true }),
            "b" => Some(Self::Back),
            "r" => Some(Self::Reply),
            "s" => Some(Self::EndTurn),
            digit => match digit.as_bytes() {
                [digit @ b'1'..=b'9'] => Some(Self::Option(usize::from(digit - b'1'))),
                _ => None,
            },
        }
    }
}
