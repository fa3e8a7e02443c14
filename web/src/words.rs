//! Every word that the form says of its own: visible or spoken, in one place.

use ask_user_core::{AnswerType, Format, Refusal, json, text::is_invisible};

pub const YES: &str = "Yes";
pub const NO: &str = "No";
/// Beside a yes or no.
pub const REMEMBER: &str = "Don't ask this again this turn";
pub const CONTINUE: &str = "Continue";
/// In place of "Continue" at the last question.
pub const SEND: &str = "Send";
pub const SUBMIT: &str = "Send answers";
pub const CHANGE: &str = "Change";
pub const BACK: &str = "Back";
pub const REPLY: &str = "Reply";
pub const END_TURN: &str = "End turn";
pub const OTHER_WAYS: &str = "More actions";
pub const REPLY_LABEL: &str = "Message to the agent (optional)";
pub const REPLY_HINT: &str = "Skips the remaining questions and sends your message.";
pub const SEND_REPLY: &str = "Send reply";
pub const CANCEL: &str = "Cancel";
pub const ASK_END_TURN: &str = "End the turn? The agent stops and gets none of these answers.";
pub const IS_OPEN: &str = "Did the page open? If not, open it again or copy the address.";
/// Declines to open an address.
pub const DO_NOT_OPEN: &str = "Don't open";
pub const OPENS: &str = "Opens in a new tab.";
pub const OPENED: &str = "Yes, it opened";
pub const SKIP: &str = "Skip";
pub const OPTIONAL: &str = " (optional)";
pub const OTHER: &str = "Something else";
pub const OTHER_LABEL: &str = "Something else, in your own words";
/// Describes the field of "Other".
pub const OTHER_KEYS: &str = "Arrow Up goes back to the options.";
pub const ADD_NOTE: &str = "Add a note";
pub const NOTE: &str = "Note to the agent (optional)";
pub const PUNYCODE: &str = "This domain may imitate another. Check it.";
pub const NOT_SECURE: &str = "Not secure (http)";
/// Comes before the name of who asks.
pub const ASKS: &str = "Question from ";
pub const UNNAMED: &str = "Question from an unknown server";
pub const CONSULTING: &str = "Checking with an assistant…";
/// Comes before a text in a field with its hidden characters marked.
pub const HIDDEN: &str = "The suggested text has hidden characters: ";
pub const LEFT_EMPTY: &str = "Skipped";
/// Comes before a note.
pub const NOTED: &str = "Note: ";
/// Comes below it where the assistant gave no reason.
/// Stands for the name of an assistant that has none.
pub const ASSISTANT: &str = "An assistant";
/// Comes after the name of an assistant that answered no.
pub const ADVISED: &str = " recommends No:";
pub const NO_REASON: &str = "No reason given.";
pub const ANSWER: &str = "Your answer";
pub const JSON_ANSWER: &str = "Your answer, as JSON";
pub const REVIEW: &str = "Check your answers";
pub const REVIEW_HINT: &str = "Nothing has been sent yet.";
pub const NOT_READY: &str = "Still loading…";
pub const NONE_CHOSEN: &str = "None";
pub const EMPTY: &str = "(empty)";
pub const SECRET: &str = "••••••";
pub const ARGUMENTS: &str = "Arguments";
pub const APPROVE: &str = "Approve";
pub const EDIT: &str = "Edit";
pub const REJECT: &str = "Reject";
pub const RESPOND: &str = "Answer instead";
pub const EDITED: &str = "Arguments, as JSON";
pub const REASON: &str = "Why not? (optional)";
pub const IN_PLACE: &str = "Your answer, instead of the tool's result";
pub const APPROVE_EDITED: &str = "Approve with these arguments";
pub const SEND_RESPONSE: &str = "Send answer";
pub const SEND_DECISIONS: &str = "Send decisions";
pub const APPROVE_ALL: &str = "Choose Approve for all";
pub const APPROVED: &str = "Approved";
pub const APPROVED_EDITED: &str = "Approved with other arguments:";
pub const REJECTED_CALL: &str = "Rejected";
pub const ANSWERED: &str = "Answered";
/// The receipt of a reply without words.
pub const DECLINED: &str = "You declined";
pub const NOT_ANSWERED: &str = "Not answered";
pub const REPLIED: &str = "You replied";
pub const TURN_ENDED: &str = "Turn ended";
pub const FAILED: &str = "The agent couldn't ask you this.";
pub const REJECTED: &str = "This question couldn't be displayed. The agent has been told what to fix.";
pub const LOADING: &str = "Loading the editor…";
pub const CHECKING: &str = "Loading…";
pub const LOADING_FAILED: &str = "Couldn't load the editor.";
pub const TRY_AGAIN: &str = "Try again";
pub const HELD: &str = "Not sent yet. Sending in a few seconds…";
pub const UNDO: &str = "Undo";
pub const SENDING: &str = "Sending…";
pub const RETRYING: &str = "Couldn't send. Retrying…";
pub const SENT: &str = "Sent";
pub const NOT_SENT: &str = "Couldn't send.";
/// Why a question was closed, by the host's word for it: of this question, and of the one before. The first stands for any other word.
pub const CLOSED: [(&str, &str, &str); 5] = [
    ("", "This question is no longer open.", "The previous question is no longer open."),
    ("answered", "Answered elsewhere.", "The previous question was answered elsewhere."),
    ("declined", "Declined elsewhere.", "The previous question was declined elsewhere."),
    ("turn_ended", "The turn was ended elsewhere.", "The previous turn was ended elsewhere."),
    ("overtaken", "The agent moved on.", "The agent moved on from the previous question."),
];
pub const UNSENT: &str = "Not sent:";
pub const OFFLINE: &str = "Connection lost. Your answers are kept and sent when it's back.";
/// The list of keys: its button, its heading, and the button that closes it.
pub const KEYS: &str = "Keyboard shortcuts";
pub const CLOSE: &str = "Close";

/// Keys that act, several apart by blanks, and what they do.
pub type Keys = &'static [(&'static str, &'static str)];

pub const KEYS_SELECT: Keys = &[
    ("1–9", "Choose an option by its number"),
    ("A–Z", "Choose an option by its first letters"),
    ("↑ ↓ Home End", "Choose another option"),
    ENTER,
];
pub const KEYS_SELECT_LONG: Keys = &[
    ("1 2", "Choose an option by its number, such as 12"),
    ("A–Z", "Choose an option by its first letters"),
    ("↑ ↓ Home End", "Choose another option"),
    ENTER,
];
pub const KEYS_SEVERAL: Keys = &[
    ("1–9", "Tick an option by its number"),
    ("Space", "Tick the option"),
    ("A–Z", "Go to an option by its first letters"),
    ("↑ ↓ Home End", "Go to another option"),
    ENTER,
];
pub const KEYS_SEVERAL_LONG: Keys = &[
    ("1 2", "Go to an option by its number, such as 12"),
    ("Space", "Tick the option"),
    ("A–Z", "Go to an option by its first letters"),
    ("↑ ↓ Home End", "Go to another option"),
    ENTER,
];
pub const KEYS_BOOLEAN: Keys = &[("Y", "Yes"), ("N", "No")];
pub const KEYS_BOOLEAN_REMEMBER: Keys = &[
    ("Y", "Yes"),
    ("N", "No"),
    ("Shift+Y", "Yes, and don't ask this again this turn"),
    ("Shift+N", "No, and don't ask this again this turn"),
];
/// Whole numbers.
pub const KEYS_NUMBER: Keys = &[("↑ ↓", "One more, one less"), ENTER];
pub const KEYS_LINE: Keys = &[ENTER];
pub const KEYS_LINES: Keys = &[ENTER, ("Shift+Enter", "New line")];
pub const KEYS_JSON: Keys = &[("Ctrl+Enter", "Continue")];
const ENTER: (&str, &str) = ("Enter", "Continue");
/// From anywhere in the form.
pub const KEY_SEND: (&str, &str) = ("Ctrl+Enter", "Continue from anywhere");
pub const KEY_LEAVE: (&str, &str) = ("Esc", "From the question to Reply, and back");
pub const KEY_BACK: (&str, &str) = ("B", BACK);
pub const KEYS_WAYS: Keys = &[("R", REPLY), ("S", END_TURN), ("?", KEYS)];
/// Where a field or a list takes letters.
pub const AFTER_ESC: &str = "After Esc:";
/// On a keyboard of Apple.
pub const COMMAND: (&str, &str) = ("Ctrl", "⌘");

/// What an answer must keep to; nothing where it may be anything.
pub fn rules(answer_type: &AnswerType) -> String {
    match answer_type {
        AnswerType::Text(rules) => {
            let format = rules.format.map(|format| match format {
                Format::Email => "Such as ada@example.com",
                Format::Uri => "Such as https://example.com/page",
                Format::Date => "",
                Format::DateTime => "Such as 2026-11-21T14:21:00Z",
            });
            let least = Some(rules.min_length).filter(|least| *least > 1);
            let length = between(least, rules.max_length).map(|length| format!("{length} characters"));
            join(format.unwrap_or_default(), length)
        }
        AnswerType::Number(rules) => {
            let range = between(rules.minimum.as_ref().map(json::text), rules.maximum.as_ref().map(json::text));
            join(if rules.integer { "Whole number" } else { "" }, range)
        }
        AnswerType::MultiSelect { selections, .. } => {
            let least = Some(selections.minimum).filter(|least| *least > 0);
            between(least, selections.maximum).map_or_else(String::new, |count| format!("Choose {count}."))
        }
        AnswerType::Boolean
        | AnswerType::Select(_)
        | AnswerType::Secret
        | AnswerType::Url(_)
        | AnswerType::Schema { .. }
        | AnswerType::Approval(_) => String::new(),
    }
}

fn between(least: Option<impl ToString>, most: Option<impl ToString>) -> Option<String> {
    match (least.map(|least| least.to_string()), most.map(|most| most.to_string())) {
        (None, None) => None,
        (Some(least), None) => Some(format!("at least {least}")),
        (None, Some(most)) => Some(format!("up to {most}")),
        (Some(least), Some(most)) if least == most => Some(least),
        (Some(least), Some(most)) => Some(format!("{least}–{most}")),
    }
}

/// Two parts of a hint, of which each may be missing. A hint begins with a capital letter.
fn join(first: &str, second: Option<String>) -> String {
    match second {
        None => first.to_owned(),
        Some(mut second) if first.is_empty() => {
            if let Some(letter) = second.get_mut(..1) {
                letter.make_ascii_uppercase();
            }
            second
        }
        Some(second) => format!("{first}, {second}"),
    }
}

/// The button that opens an address.
pub fn open(host: &str) -> String {
    format!("Open {host}")
}

/// That a question is closed: this one, or the one before.
pub fn closed(place: usize, before: bool) -> &'static str {
    CLOSED.get(place).map_or("", |(_, this, previous)| if before { previous } else { this })
}

/// That an address was opened.
pub fn opened(host: &str) -> String {
    format!("Opened {host}")
}

/// The progress as it is shown.
pub fn progress(at: usize, of: usize) -> String {
    format!("{at} of {of}")
}

/// The key of an option, from 0.
pub fn digit(place: usize) -> String {
    (place + 1).to_string()
}

/// The progress as it is spoken.
pub fn spoken_progress(at: usize, of: usize) -> String {
    format!("Question {at} of {of}")
}

/// What a draft says, for a yes-or-no question: the person's own answer before Back, or what the agent suggests.
pub fn drafted(answer: &str, own: bool) -> String {
    let by = if own { "Your earlier answer" } else { "Suggested" };
    format!("{by}: {answer}")
}

/// Why an answer was not taken. Where none was given, `chosen` says whether there is something to choose.
pub fn refused(refusal: &Refusal, chosen: bool) -> String {
    match refusal {
        Refusal::Required if chosen => "Choose an option.".to_owned(),
        Refusal::Required => "Enter an answer.".to_owned(),
        refusal => refusal.to_string(),
    }
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

/// That an earlier state could not be taken up.
pub const UNRESUMABLE: &str = "Your earlier answers couldn't be restored. Please answer again.";
/// Comes below a field that starts from the answer to an earlier form.
pub const DRAFTED: &str = "From your earlier answer. Not sent yet.";
/// The receipt of a form that has no end.
pub const NOT_FINISHED: &str = "Not finished";
/// In place of a receipt that cannot be shown.
pub const NO_RECEIPT: &str = "These answers can't be displayed.";

// The filter above a list of many options.

pub const FILTER: &str = "Filter options";
pub const FILTER_KEYS: &str = "Arrow Down goes to the options. Escape clears the filter.";
/// Selects every option: without a filter, and with one.
pub const SELECT_ALL: &str = "Select all";
pub const SELECT_MATCHING: &str = "Select all that match";
pub const CLEAR_SELECTION: &str = "Clear selection";
const NUMBER: (&str, &str) = ("1 2", "Choose an option by its number, such as 12");
const GO_TO_NUMBER: (&str, &str) = ("1 2", "Go to an option by its number, such as 12");
const LETTERS: (&str, &str) = ("A–Z", "Choose an option by its first letters");
const GO_TO_LETTERS: (&str, &str) = ("A–Z", "Go to an option by its first letters");
const ANOTHER: (&str, &str) = ("↑ ↓ Home End", "Choose another option");
const GO_TO_ANOTHER: (&str, &str) = ("↑ ↓ Home End", "Go to another option");
const TICK: (&str, &str) = ("Space", "Tick the option");
const TAKE: (&str, &str) = ("Enter", "In the filter: choose the only match. In the list: continue");
const GO_TO_ONE: (&str, &str) = ("Enter", "In the filter: go to the only match. In the list: continue");
const UNFILTER: (&str, &str) = ("Esc", "Clear the filter");
const FIND: (&str, &str) = ("Ctrl+F", "From the list to the filter");
/// With a filter.
pub const KEYS_SELECT_FILTER: Keys = &[NUMBER, LETTERS, ANOTHER, TAKE, UNFILTER];
pub const KEYS_SEVERAL_FILTER: Keys = &[GO_TO_NUMBER, TICK, GO_TO_LETTERS, GO_TO_ANOTHER, GO_TO_ONE, UNFILTER];
/// With a filter, where not all rows are in the document.
pub const KEYS_SELECT_FAR: Keys = &[NUMBER, LETTERS, ANOTHER, TAKE, UNFILTER, FIND];
pub const KEYS_SEVERAL_FAR: Keys = &[GO_TO_NUMBER, TICK, GO_TO_LETTERS, GO_TO_ANOTHER, GO_TO_ONE, UNFILTER, FIND];

/// How many options match the filter, and how many others are listed since they are selected.
pub fn matching(count: usize, all: usize, beside: usize) -> String {
    let found = match count {
        0 => "No option matches".to_owned(),
        1 => format!("1 of {all} matches"),
        _ => format!("{count} of {all} match"),
    };
    if beside > 0 { format!("{found}. Also listed: {beside} selected") } else { found }
}

/// Why the options that match were not selected.
pub fn too_many(count: usize, most: usize) -> String {
    format!("Nothing was changed: {count} would be selected, and the limit is {most}.")
}

/// How many options are selected.
pub fn selected(count: usize) -> String {
    format!("{count} selected")
}
