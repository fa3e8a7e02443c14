//! Every word that the form says of its own: visible or spoken, in one place.

use ask_user_core::{AnswerType, Format, text::is_invisible};

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
pub const ASK_END_TURN: &str = "End the turn? The agent stops, and gets none of these answers.";
pub const IS_OPEN: &str = "Did the page open? If not, open it again or copy the address.";
pub const OPENED: &str = "Yes, it opened";
pub const SKIP: &str = "Leave empty";
pub const OPTIONAL: &str = " (optional)";
pub const OTHER: &str = "Other";
pub const OTHER_LABEL: &str = "Other: your own words";
pub const NOTE: &str = "Note to the agent (optional)";
pub const OPEN: &str = "Open this address";
pub const PUNYCODE: &str =
    "The name of this site is written with letters that may look like others (Punycode). Check it well.";
pub const NOT_SECURE: &str = "The way to this address is not encrypted (http).";
pub const UNNAMED: &str = "A server without a name asks";
pub const CONSULTING: &str = "An assistant is asked in your place…";
/// Comes before a text in a field with its hidden characters marked.
pub const HIDDEN: &str = "The suggested text has hidden characters: ";
pub const LEFT_EMPTY: &str = "(left empty)";
/// Comes after the name of who asks.
pub const ASKS: &str = " asks";
/// Comes before a note.
pub const NOTED: &str = "Note: ";
/// Comes before the name of the assistant's model, if it has one.
pub const ASSISTANT: &str = "An assistant";
/// Comes after it.
pub const ADVISED: &str = " advised against it:";
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
pub const HELD: &str = "Not sent yet. It will be sent in a few seconds.";
pub const UNDO: &str = "Undo";
pub const SENDING: &str = "Sending…";
pub const RETRYING: &str = "Not sent yet; trying again soon…";
pub const SENT: &str = "Sent";
pub const NOT_SENT: &str = "Could not be sent.";
/// Why a question was closed, by the host's word for it; the first stands for any other word.
pub const CLOSED: [(&str, &str); 5] = [
    ("", "it is no longer open"),
    ("answered", "it was answered elsewhere"),
    ("declined", "it was declined elsewhere"),
    ("turn_ended", "the turn was ended elsewhere"),
    ("overtaken", "the agent went on without an answer"),
];
pub const OFFLINE: &str = "The connection to the host is lost. What you answer is kept, and sent when it is back.";
pub const KEYS_CHOICE: &str = "digits choose, Esc leads to the other ways to go on";
pub const KEYS_BOOLEAN: &str = "y yes, n no";
pub const KEYS_BOOLEAN_REMEMBER: &str = "y yes, n no, Y or N the same for the rest of the turn";
pub const KEYS_URL: &str = "Enter on the button opens";
/// Where only the ways to go on have keys.
pub const KEYS_WAYS: &str = "Esc leads to the other ways to go on";
pub const KEYS_TEXT: &str = "Ctrl+Enter or Cmd+Enter continues, Esc leads to the other ways to go on";

/// What an answer must keep to; nothing where it may be anything.
pub fn rules(answer_type: &AnswerType) -> String {
    match answer_type {
        AnswerType::Text(rules) => {
            let format = rules.format.map(|format| match format {
                Format::Email => "An email address.",
                Format::Uri => "A full address, such as https://example.com/page.",
                Format::Date => "A date, such as 2026-11-21.",
                Format::DateTime => "A date with a time, such as 2026-11-21T14:21:00Z.",
            });
            let length = between("characters", Some(rules.min_length).filter(|least| *least > 1), rules.max_length);
            join(format.unwrap_or_default(), &length)
        }
        AnswerType::Number(rules) => {
            let range = between("", rules.minimum.as_ref(), rules.maximum.as_ref());
            join(if rules.integer { "A whole number." } else { "" }, &range)
        }
        AnswerType::MultiSelect { selections, .. } => {
            between("to select", Some(selections.minimum).filter(|least| *least > 0), selections.maximum)
        }
        AnswerType::Boolean
        | AnswerType::Select(_)
        | AnswerType::Secret
        | AnswerType::Url(_)
        | AnswerType::Schema { .. } => String::new(),
    }
}

fn between(what: &str, least: Option<impl ToString>, most: Option<impl ToString>) -> String {
    let what = if what.is_empty() { String::new() } else { format!(" {what}") };
    match (least.map(|least| least.to_string()), most.map(|most| most.to_string())) {
        (None, None) => String::new(),
        (Some(least), None) => format!("At least {least}{what}."),
        (None, Some(most)) => format!("At most {most}{what}."),
        (Some(least), Some(most)) => format!("From {least} to {most}{what}."),
    }
}

fn join(first: &str, second: &str) -> String {
    let blank = if first.is_empty() || second.is_empty() { "" } else { " " };
    format!("{first}{blank}{second}")
}

/// What opening an address does.
pub fn opens(host: &str) -> String {
    format!("It opens {host} in a new window, by your click alone. Reply or end the turn to decline.")
}

/// That a question is closed: this one, or the one before.
pub fn closed(place: usize, before: bool) -> String {
    let why = CLOSED.get(place).map_or("", |(_, why)| why);
    format!("{} is closed: {why}.", if before { "The question before this one" } else { "This question" })
}

/// That an address was opened.
pub fn opened(host: &str) -> String {
    format!("Opened {host}")
}

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

/// That an earlier state could not be taken up.
pub fn unresumable(why: &str) -> String {
    format!("Your earlier answers could not be restored. {}", shown(why))
}

/// The accessible name of the button that changes one answer.
pub fn change_answer(question: &str) -> String {
    format!("Change the answer to: {}", shown(question))
}

/// A text of an agent as it is shown. No text looks like another: control characters other than tab and line breaks are shown as their
/// pictures, and other invisible characters, such as those that change the direction, as their code points. What is seen stays: the
/// Arabic signs around numbers and verses, joiners where letters or emoji join, one selector after a sign that has variants, the
/// tags of the flags that fonts have, and blanks among Braille. `visible` of the editor does the same.
pub fn shown(text: &str) -> String {
    let braille = text.contains(|character| ('\u{2801}'..='\u{28ff}').contains(&character));
    let mut shown = String::with_capacity(text.len());
    let (mut before, mut flag) = (' ', usize::MAX);
    let mut rest = text.chars();
    while let Some(character) = rest.next() {
        let next = rest.clone().next().unwrap_or(' ');
        let is_seen = match character {
            '\t' | '\n' | '\u{600}'..='\u{605}' | '\u{6dd}' | '\u{890}'..='\u{891}' | '\u{8e2}' => true,
            '\r' => next == '\n',
            '\u{200c}' | '\u{200d}' => joins(before) && joins(next) && !is_invisible(next),
            '\u{180b}'..='\u{180d}' | '\u{180f}' | '\u{fe00}'..='\u{fe0f}' | '\u{e0100}'..='\u{e01ef}' => {
                has_variants(before) || next == '\u{20e3}'
            }
            '\u{2800}' => braille,
            '\u{1f3f4}' => {
                if rest.as_str().get(..FLAGS[0].len()).is_some_and(|tags| FLAGS.contains(&tags)) {
                    flag = rest.as_str().len().saturating_sub(FLAGS[0].len());
                }
                true
            }
            '\u{e0020}'..='\u{e007f}' => rest.as_str().len() >= flag,
            _ => !is_invisible(character),
        };
        match u32::from(character) {
            _ if is_seen => shown.push(character),
            code @ ..=0x1f => shown.extend(char::from_u32(0x2400 + code)),
            0x7f => shown.push('\u{2421}'),
            code => shown.push_str(&format!("[U+{code:04X}]")),
        }
        before = if is_seen { character } else { ']' };
    }
    shown
}

/// The tags of the flags of England, Scotland and Wales.
const FLAGS: [&str; 3] = [
    "\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}",
    "\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}",
    "\u{e0067}\u{e0062}\u{e0077}\u{e006c}\u{e0073}\u{e007f}",
];

/// Whether a character may be joined to its neighbour: it is of a script that joins, a symbol, an emoji, or the selector after one.
fn joins(character: char) -> bool {
    matches!(character, '\u{600}'..='\u{109f}' | '\u{1700}'..='\u{18af}' | '\u{1900}'..='\u{1cff}' | '\u{2190}'..='\u{27ff}'
        | '\u{2900}'..='\u{2bff}' | '\u{a800}'..='\u{abff}' | '\u{fb50}'..='\u{feff}' | '\u{10a00}'..='\u{11fff}' | '\u{1e900}'..='\u{1faff}')
}

/// Whether a selector may choose among forms of a character: a symbol, an emoji, an ideograph, or a Mongolian letter.
fn has_variants(character: char) -> bool {
    matches!(character, '\u{a9}' | '\u{ae}' | '\u{1820}'..='\u{18aa}' | '\u{203c}'..='\u{27ff}' | '\u{2900}'..='\u{2bff}' | '\u{3000}'..='\u{303f}'
        | '\u{3200}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{1f000}'..='\u{3ffff}')
}
