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
    /// Whether Shift is held; a capital letter that Caps Lock makes is no sign of it.
    pub shift: bool,
    /// What has the focus.
    pub within: Within,
    /// Whether keys without a modifier may act.
    pub shortcuts: bool,
    /// Whether an input method is composing: every key then belongs to it.
    pub composing: bool,
}

/// What has the focus, as far as keys are concerned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Within {
    /// Something that letters are typed into.
    Text,
    /// A list of options, which takes letters too, but no digits.
    List,
    /// Something that takes neither.
    Other,
}

impl Key {
    /// What a pressed key asks for, if anything.
    pub fn of(pressed: &Pressed<'_>) -> Option<Self> {
        if pressed.composing || pressed.alt {
            return None;
        }
        match (pressed.key, pressed.control, pressed.within) {
            ("Enter", true, _) => return Some(Self::Send),
            ("Escape", false, _) => return Some(Self::Leave),
            (_, true, _) | (_, _, Within::Text) => return None,
            _ if !pressed.shortcuts => return None,
            _ => {}
        }
        if let [digit @ b'1'..=b'9'] = pressed.key.as_bytes() {
            return Some(Self::Option(usize::from(digit - b'1')));
        }
        if pressed.within == Within::List {
            return None;
        }
        match (pressed.key, pressed.shift) {
            ("y" | "Y", remember) => Some(Self::Yes { remember }),
            ("n" | "N", remember) => Some(Self::No { remember }),
            ("b" | "B", false) => Some(Self::Back),
            ("r" | "R", false) => Some(Self::Reply),
            ("s" | "S", false) => Some(Self::EndTurn),
            _ => None,
        }
    }
}
