//! What a key means. Keys become a small closed set before anything acts on them.

/// What a key asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Key {
    /// Press the button that has this key. With Shift, the answer is also remembered.
    Button { remember: bool },
    /// The same, if the button is one of the ways to go on other than an answer.
    Way,
    /// The option at the place of a digit.
    Digit,
    /// The option whose label begins with a letter, or with any other character.
    Letter,
    /// Another option of the list.
    Move(Move),
    /// Send what stands in the field.
    Send,
    /// Lead from the question to the other ways to go on, or back.
    Leave,
    /// A line break where there is one line: it does nothing.
    Nothing,
}

/// From one option to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Move {
    Up,
    Down,
    First,
    Last,
}

/// A key as it was pressed.
pub struct Pressed<'a> {
    pub key: &'a str,
    /// The letter of the key, where Alt or the script of the keyboard makes another character of it: the key itself, or else the letter at its place on a
    /// keyboard of the United States.
    pub letter: &'a str,
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
    /// The same with one line, in which Enter `sends` or does nothing.
    Line { sends: bool },
    /// A text of many lines, in which Enter continues.
    Lines,
    /// The text of "Other", in which Enter `sends` or breaks the line.
    OwnWords { sends: bool },
    /// A list of options, which takes letters, too.
    List,
    /// Something that takes neither.
    Other,
}

impl Key {
    /// What a pressed key asks for, if anything.
    pub fn of(pressed: &Pressed<'_>) -> Option<Self> {
        if pressed.composing {
            return None;
        }
        if pressed.alt {
            // In a text, Alt writes characters on a Mac.
            let acts = pressed.shortcuts && !pressed.control && matches!(pressed.within, Within::List | Within::Other);
            return (acts && (!pressed.shift || pressed.letter == "?")).then_some(Self::Way);
        }
        match (pressed.key, pressed.control, pressed.within) {
            ("Enter", true, _) => return Some(Self::Send),
            ("Enter", false, Within::Lines | Within::OwnWords { sends: true }) if !pressed.shift => {
                return Some(Self::Send);
            }
            ("Enter", false, Within::Line { sends }) if pressed.shift || !sends => return Some(Self::Nothing),
            ("Escape", false, _) => return Some(Self::Leave),
            (_, true, _) => return None,
            ("ArrowUp", _, Within::List | Within::OwnWords { .. }) if !pressed.shift => {
                return Some(Self::Move(Move::Up));
            }
            ("ArrowDown", _, Within::List) if !pressed.shift => return Some(Self::Move(Move::Down)),
            ("Home", _, Within::List) if !pressed.shift => return Some(Self::Move(Move::First)),
            ("End", _, Within::List) if !pressed.shift => return Some(Self::Move(Move::Last)),
            (_, _, Within::Text | Within::Line { .. } | Within::Lines | Within::OwnWords { .. }) => return None,
            _ => {}
        }
        if pressed.shortcuts && matches!(pressed.key.as_bytes(), [b'0'..=b'9']) {
            return Some(Self::Digit);
        }
        // A letter at a list is never one of those below.
        if pressed.within == Within::List && pressed.key != "?" {
            return (pressed.key.chars().count() == 1).then_some(Self::Letter);
        }
        // On some keyboards "?" needs Shift.
        pressed.shortcuts.then_some(Self::Button { remember: pressed.shift && pressed.key != "?" })
    }
}
