//! Every word that the form says of its own, visible or spoken: the constants are made of `web/words.txt`.

use crate::language::{Said, Word, sentence, several, text, written};
use ask_user_core::{
    Act, AnswerType, Format, Question, Refusal, Wording, json, problem::Violation, text::is_invisible,
};

include!(concat!(env!("OUT_DIR"), "/words.rs"));

/// Why a question was closed, by the host's word for it: of this question, and of the one before. The first stands for any other word.
pub const WHY_CLOSED: [(&str, Word, Word); 7] = [
    ("", CLOSED, BEFORE_CLOSED),
    ("answered", CLOSED_ANSWERED, BEFORE_ANSWERED),
    ("replied", CLOSED_DECLINED, BEFORE_DECLINED),
    ("declined", CLOSED_DECLINED, BEFORE_DECLINED),
    ("turn_ended", CLOSED_TURN_ENDED, BEFORE_TURN_ENDED),
    ("overtaken", CLOSED_OVERTAKEN, BEFORE_OVERTAKEN),
    ("expired", CLOSED_EXPIRED, BEFORE_EXPIRED),
];

/// Keys that act, several apart by blanks, and what they do.
pub type Keys = &'static [(&'static str, Word)];

pub const KEYS_SELECT: Keys = &[("1–9", KEYS_CHOOSE_NUMBER), LETTERS, ANOTHER, ENTER];
pub const KEYS_SELECT_LONG: Keys = &[NUMBER, LETTERS, ANOTHER, ENTER];
pub const KEYS_SEVERAL: Keys = &[("1–9", KEYS_TICK_NUMBER), TICK, GO_TO_LETTERS, GO_TO_ANOTHER, ENTER];
pub const KEYS_SEVERAL_LONG: Keys = &[GO_TO_NUMBER, TICK, GO_TO_LETTERS, GO_TO_ANOTHER, ENTER];
/// With a filter.
pub const KEYS_SELECT_FILTER: Keys = &[NUMBER, LETTERS, ANOTHER, TAKE, UNFILTER];
pub const KEYS_SEVERAL_FILTER: Keys = &[GO_TO_NUMBER, TICK, GO_TO_LETTERS, GO_TO_ANOTHER, GO_TO_ONE, UNFILTER];
/// With a filter, where not all rows are in the document.
pub const KEYS_SELECT_FAR: Keys = &[NUMBER, LETTERS, ANOTHER, TAKE, UNFILTER, FIND];
pub const KEYS_SEVERAL_FAR: Keys = &[GO_TO_NUMBER, TICK, GO_TO_LETTERS, GO_TO_ANOTHER, GO_TO_ONE, UNFILTER, FIND];
const NUMBER: (&str, Word) = ("1 2", KEYS_CHOOSE_LONG);
const GO_TO_NUMBER: (&str, Word) = ("1 2", KEYS_GO_NUMBER);
const LETTERS: (&str, Word) = ("A–Z", KEYS_CHOOSE_LETTERS);
const GO_TO_LETTERS: (&str, Word) = ("A–Z", KEYS_GO_LETTERS);
const ANOTHER: (&str, Word) = ("↑ ↓ Home End", KEYS_CHOOSE_OTHER);
const GO_TO_ANOTHER: (&str, Word) = ("↑ ↓ Home End", KEYS_GO);
const TICK: (&str, Word) = ("Space", KEYS_TICK);
const TAKE: (&str, Word) = ("Enter", KEYS_CHOOSE_MATCH);
const GO_TO_ONE: (&str, Word) = ("Enter", KEYS_GO_MATCH);
const UNFILTER: (&str, Word) = ("Esc", KEYS_CLEAR_FILTER);
const FIND: (&str, Word) = ("Ctrl+F", KEYS_FIND);
pub const KEYS_BOOLEAN: Keys = &[("Y", YES), ("N", NO)];
pub const KEYS_BOOLEAN_REMEMBER: Keys =
    &[("Y", YES), ("N", NO), ("Shift+Y", KEYS_YES_REMEMBER), ("Shift+N", KEYS_NO_REMEMBER)];
/// Whole numbers.
pub const KEYS_NUMBER: Keys = &[("↑ ↓", KEYS_COUNT), ENTER];
pub const KEYS_OF_LINE: Keys = &[ENTER];
pub const KEYS_OF_LINES: Keys = &[ENTER, ("Shift+Enter", KEYS_LINE)];
pub const KEYS_JSON: Keys = &[("Ctrl+Enter", CONTINUE)];
pub const KEYS_TABS: Keys = &[("← →", KEYS_QUESTION), ("1–9", KEYS_CHOOSE_NUMBER), ENTER];
pub const KEYS_APPROVE: Keys = &[("Ctrl+Enter", APPROVE)];
const ENTER: (&str, Word) = ("Enter", CONTINUE);
/// From anywhere in the form.
pub const SEND_BY_KEY: (&str, Word) = ("Ctrl+Enter", KEYS_ANYWHERE);
pub const LEAVE_BY_KEY: (&str, Word) = ("Esc", KEYS_LEAVE);
pub const BACK_BY_KEY: (&str, Word) = ("B", BACK);
pub const KEYS_WAYS: Keys = &[("S", END_TURN), ("?", KEYS)];
/// The names on keys that languages have words for.
pub const NAMES: [(&str, Word); 11] = [
    ("Y", KEY_YES),
    ("N", KEY_NO),
    ("B", KEY_BACK),
    ("R", KEY_REPLY),
    ("S", KEY_END_TURN),
    ("Space", KEY_SPACE),
    ("Enter", KEY_ENTER),
    ("Shift", KEY_SHIFT),
    ("Ctrl", KEY_CONTROL),
    ("Home", KEY_HOME),
    ("End", KEY_END),
];
/// On a keyboard of Apple.
pub const COMMAND: (&str, &str) = ("Ctrl", "⌘");

/// What an answer must keep to; nothing where it may be anything.
pub fn rules(answer_type: &AnswerType) -> Option<Said> {
    match answer_type {
        AnswerType::Text(rules) => {
            let format = rules.format.and_then(|format| match format {
                Format::Email => Some(SUCH_AS_EMAIL),
                Format::Uri => Some(SUCH_AS_URI),
                Format::Date => None,
                Format::DateTime => Some(SUCH_AS_DATE_TIME),
            });
            let least = Some(rules.min_length).filter(|least| *least > 1);
            let words = [CHARACTERS_MIN, CHARACTERS_MAX, CHARACTERS_RANGE, CHARACTERS_EXACT];
            join(format, counted(words, least, rules.max_length))
        }
        AnswerType::Number(rules) => {
            // As they are typed.
            let typed = |limit: &Option<serde_json::Number>| limit.as_ref().map(|limit| text(&json::text(limit)));
            let range = match (typed(&rules.minimum), typed(&rules.maximum)) {
                (None, None) => None,
                (Some(least), None) => Some(NUMBER_MIN.with(&[("min", &least)])),
                (None, Some(most)) => Some(NUMBER_MAX.with(&[("max", &most)])),
                (Some(least), Some(most)) if least == most => Some(least),
                (Some(least), Some(most)) => Some(NUMBER_RANGE.with(&[("min", &least), ("max", &most)])),
            };
            join(rules.integer.then_some(WHOLE_NUMBER), range)
        }
        AnswerType::MultiSelect { selections, .. } => {
            let least = Some(selections.minimum).filter(|least| *least > 0);
            counted([CHOOSE_MIN, CHOOSE_MAX, CHOOSE_RANGE, CHOOSE_EXACT], least, selections.maximum)
        }
        AnswerType::Boolean
        | AnswerType::Select(_)
        | AnswerType::Secret
        | AnswerType::Url(_)
        | AnswerType::Schema { .. }
        | AnswerType::Approval(_) => None,
    }
}

/// The bounds of a count, by the words for the least, the most, both, and both where they are the same.
fn counted([min, max, range, exact]: [Word; 4], least: Option<usize>, most: Option<usize>) -> Option<Said> {
    let (word, count) = match (least, most) {
        (None, None) => return None,
        (Some(least), None) => (min, least),
        (None, Some(most)) => (max, most),
        (Some(least), Some(most)) => (if least == most { exact } else { range }, most),
    };
    Some(word.with(&[("count", &count.to_string()), ("min", &least.unwrap_or_default().to_string())]))
}

/// Two parts of a hint, of which each may be missing.
fn join(first: Option<Word>, second: Option<Said>) -> Option<Said> {
    let first = first.map(Word::alone);
    let hint = match (first, second) {
        (Some(first), Some(second)) => HINTS.with(&[("first", &first), ("second", &second)]),
        (first, second) => first.or(second)?,
    };
    Some(written("hint", &hint))
}

/// That a question is closed: this one, or the one before.
pub fn closed(place: usize, before: bool) -> Option<Word> {
    WHY_CLOSED.get(place).map(|(_, this, previous)| if before { *previous } else { *this })
}

/// The key of an option, from 0.
pub fn digit(place: usize) -> String {
    (place + 1).to_string()
}

/// The progress: as it is shown, or as it is spoken. How many there are is not known while they are still being written.
pub fn progress(word: Word, at: usize, of: Option<usize>) -> Said {
    word.with(&[("at", &at.to_string()), ("of", &of.map_or_else(|| text("…"), |of| of.to_string()))])
}

/// Why an answer was not taken. Where none was given, `chosen` says whether there is something to choose. `id` is the question. English is the core's.
pub fn refused(refusal: &Refusal, chosen: bool, id: &str) -> Said {
    let (mut name, mut value) = ("", String::new());
    let mut given = |word: Word, placeholder: &'static str, json: String| {
        (name, value) = (placeholder, json);
        word
    };
    let word = match refusal {
        // Where there is something to choose, only nothing chosen is of another type.
        Refusal::WrongType { .. } if chosen => return ERROR_CHOOSE.alone(),
        Refusal::Required => return if chosen { ERROR_CHOOSE } else { ERROR_ENTER }.alone(),
        Refusal::SchemaMismatch { details } => match details.as_slice() {
            [only] => return violation(only, id),
            several => given(ERROR_SCHEMA_MISMATCH, "count", several.len().to_string()),
        },
        Refusal::TooLong { maximum, found } => {
            let values = [("count", &*maximum.to_string()), ("found", &found.to_string())];
            return ERROR_TOO_LONG.said_by_core(&refusal.to_string(), &values);
        }
        Refusal::InvalidJson(json::NotJson { line, column, .. }) => {
            let values = [("line", &*line.to_string()), ("column", &column.to_string())];
            return ERROR_INVALID_JSON.said_by_core(&shown(&refusal.to_string()), &values);
        }
        Refusal::NotAnOption { value } => given(ERROR_NOT_AN_OPTION, "value", text(&shown(value))),
        Refusal::DuplicateSelection { value } => given(ERROR_DUPLICATE_SELECTION, "value", text(&shown(value))),
        Refusal::NotANumber { text: typed } => given(ERROR_NOT_A_NUMBER, "value", text(&shown(typed))),
        Refusal::TooFew { minimum } => given(ERROR_TOO_FEW, "count", minimum.to_string()),
        Refusal::TooMany { maximum } => given(ERROR_TOO_MANY, "count", maximum.to_string()),
        Refusal::TooShort { minimum: 1 } => ERROR_EMPTY_TEXT,
        Refusal::TooShort { minimum } => given(ERROR_TOO_SHORT, "count", minimum.to_string()),
        Refusal::OutOfRange { limit, below } => {
            given(if *below { ERROR_BELOW } else { ERROR_ABOVE }, "limit", text(&json::text(limit)))
        }
        Refusal::PatternMismatch { pattern } => {
            given(ERROR_PATTERN_MISMATCH, "pattern", text(&shown(&ask_user_core::text::shortened(pattern, PATTERN))))
        }
        Refusal::BadFormat { format } => match *format {
            "email" => ERROR_EMAIL,
            "uri" => ERROR_URI,
            "date" => ERROR_DATE,
            "date-time" => ERROR_DATE_TIME,
            format => given(ERROR_BAD_FORMAT, "format", text(format)),
        },
        Refusal::NotAnInteger => ERROR_NOT_AN_INTEGER,
        Refusal::Finished => ERROR_FINISHED,
        Refusal::TooLarge { .. } => ERROR_TOO_LARGE,
        Refusal::NotAllowed(_) | Refusal::Internal => ERROR_NOT_ALLOWED,
        Refusal::Answers { .. } => ERROR_REFUSED_ANSWERS,
        _ => ERROR_WRONG_TYPE,
    };
    let values = [(name, value.as_str())];
    word.said_by_core(&shown(&refusal.to_string()), if name.is_empty() { &[] } else { &values })
}

/// A sentence of the core, or a text of the agent.
#[cold]
#[inline(never)]
pub fn wording(said: &Wording) -> Said {
    match said {
        Wording::Text(given) => text(&shown(given)),
        Wording::Phrase(phrase) => {
            let line = [phrase.sentence.key, "=", phrase.sentence.english].concat();
            match &phrase.value {
                Some((name, value)) => sentence(&line, &[(name, &wording(value))]),
                None => sentence(&line, &[]),
            }
        }
    }
}

/// What a question asks, without its Markdown.
pub fn asked(question: &Question) -> Said {
    question.wording.as_deref().map_or_else(|| text(&shown(&question.text)), wording)
}

/// The question about a call: who asks, where that is known, and what would be done; and whether the sentence names the tool. `None`: the text of the
/// question says all of that, or is the agent's own.
#[cold]
#[inline(never)]
pub fn call(question: &Question, asker: Option<&str>) -> Option<(Said, bool)> {
    let approval = question.answer_type.approval()?;
    let Some(Wording::Phrase(phrase)) = question.wording.as_deref() else { return None };
    let given = |name: &str| text(&shown(name));
    let asker = asker.map(given);
    match (phrase.sentence.key, &asker) {
        (ASKS_TO_RUN, _) => {}
        (ASKS_ABOUT_COMMAND, Some(asker)) => return Some((ALLOW_COMMAND.with(&[("name", asker)]), true)),
        _ => return None,
    }
    Some(match (approval.act(), &asker) {
        (Act::Command, Some(asker)) => (ALLOW_COMMAND.with(&[("name", asker)]), false),
        (Act::Command, None) => (RUN_COMMAND.alone(), false),
        (Act::Edit(file), Some(asker)) => (ALLOW_EDIT.with(&[("name", asker), ("file", &given(file))]), false),
        (Act::Edit(file), None) => (EDIT_FILE.with(&[("file", &given(file))]), false),
        (Act::Other, Some(asker)) => (ALLOW_TOOL.with(&[("name", asker), ("tool", &given(&approval.tool))]), true),
        (Act::Other, None) => return None,
    })
}

/// The keys of the sentences in which the core asks whether a tool may run, and a command of an agent that names no tool.
const ASKS_TO_RUN: &str = "ask.run";
const ASKS_ABOUT_COMMAND: &str = "ask.command";

/// How many bytes of a pattern are shown.
const PATTERN: usize = 200;

/// What is wrong with a value by the schema of a question. The words for it need the schema; the validator's English is there without it.
pub fn violation(violation: &Violation, id: &str) -> Said {
    let Violation { keyword, schema_path, message, .. } = violation;
    written("violation", &several([keyword.as_str(), schema_path, &shown(message), id].map(text)))
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

/// How many options match the filter, and how many others are listed since they are selected.
pub fn matching(count: usize, all: usize, beside: usize) -> Said {
    let found = match count {
        0 => NO_MATCH.alone(),
        _ => MATCHING.with(&[("count", &count.to_string()), ("all", &all.to_string())]),
    };
    if beside > 0 { ALSO_LISTED.with(&[("found", &found), ("count", &beside.to_string())]) } else { found }
}

/// Why the options that match were not selected.
pub fn too_many(count: usize, most: usize) -> Said {
    TOO_MANY.with(&[("count", &count.to_string()), ("most", &most.to_string())])
}

/// How many options are selected.
pub fn selected(count: usize) -> Said {
    SELECTED.with(&[("count", &count.to_string())])
}
