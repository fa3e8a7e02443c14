//! Every word that the form says of its own: visible or spoken, in one place.

pub const YES: &str = "Yes";
pub const NO: &str = "No";
pub const YES_REMEMBER: &str = "Yes, for the rest of this turn";
pub const NO_REMEMBER: &str = "No, for the rest of this turn";
pub const CONTINUE: &str = "Continue";
pub const SUBMIT: &str = "Send answers";
pub const CHANGE: &str = "Change";
pub const BACK: &str = "Back";
pub const REPLY: &str = "Reply";
pub const END_TURN: &str = "End turn";
pub const OTHER_WAYS: &str = "Other ways to go on";
pub const REPLY_LABEL: &str = "Message to the agent (optional)";
pub const REPLY_HINT: &str = "Leaves the open questions unanswered; the agent goes on with your message.";
pub const SEND_REPLY: &str = "Send reply";
pub const CANCEL: &str = "Cancel";
pub const ANSWER: &str = "Your answer";
pub const JSON_ANSWER: &str = "Your answer, as JSON";
pub const REVIEW: &str = "Check your answers";
pub const REVIEW_HINT: &str = "Nothing has been sent yet.";
pub const NOT_READY: &str = "The form is not ready yet; try again soon.";
pub const NONE_CHOSEN: &str = "None";
pub const EMPTY: &str = "(empty)";
pub const SECRET: &str = "••••••";
pub const ANSWERED: &str = "Answered";
pub const REPLIED: &str = "You replied instead";
pub const TURN_ENDED: &str = "You ended the turn";
pub const FAILED: &str = "This question was not put to you, and the agent has been told why.";
pub const REJECTED: &str = "The agent asked in a form that cannot be shown; it is told what to mend.";
pub const LOADING: &str = "Loading the editor…";
pub const CHECKING: &str = "Checking the form…";
pub const LOADING_FAILED: &str = "The editor could not be loaded.";
pub const TRY_AGAIN: &str = "Try again";
pub const SENDING: &str = "Sending…";
pub const RETRYING: &str = "Not sent yet; trying again soon…";
pub const SENT: &str = "Sent";
pub const NOT_SENT: &str = "Could not be sent.";
pub const KEYS_CHOICE: &str = "digits choose";
pub const KEYS_BOOLEAN: &str = "y yes, n no";
pub const KEYS_BOOLEAN_REMEMBER: &str = "y yes, n no, Y or N the same for the rest of the turn";
pub const KEYS_TEXT: &str = "Ctrl+Enter or Cmd+Enter continues, Esc leads to the other ways to go on";

/// The keys that act at a step: those of the prompt, and those of the other ways to go on.
pub fn keys(prompt: &str, letters: bool, back: bool) -> String {
    let ways = match (letters, back) {
        (true, true) => ", b back, r reply, s end turn",
        (true, false) => ", r reply, s end turn",
        (false, _) => "",
    };
    format!("Keys: {prompt}{ways}")
}

/// The progress as it is shown.
pub fn progress(at: usize, of: usize) -> String {
    format!("[{at}/{of}]")
}

/// The progress as it is spoken.
pub fn spoken_progress(at: usize, of: usize) -> String {
    format!("Question {at} of {of}")
}

/// What a draft suggests, for a yes-or-no question.
pub fn suggested(answer: &str) -> String {
    format!("Suggested: {answer}")
}

/// Who asks.
pub fn asked_by(label: &str) -> String {
    format!("{label} asks")
}

/// That an earlier state could not be taken up.
pub fn unresumable(why: &str) -> String {
    format!("Your earlier answers could not be restored. {why}")
}

/// The accessible name of the button that changes one answer.
pub fn change_answer(question: &str) -> String {
    format!("Change the answer to: {question}")
}

/// A text of an agent as it is shown: control characters other than tab and line breaks become visible pictures.
pub fn shown(text: &str) -> String {
    text.chars()
        .map(|character| match character {
            '\t' | '\n' | '\r' => character,
            '\u{0}'..='\u{1f}' => char::from_u32(0x2400 + u32::from(character)).unwrap_or('\u{fffd}'),
            '\u{7f}' => '\u{2421}',
            '\u{80}'..='\u{9f}' => '\u{fffd}',
            other => other,
        })
        .collect()
}
