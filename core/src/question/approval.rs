//! The approval of a tool call: which tool, with which arguments, and which decisions the person has.

use super::{Grant, Risk};
use crate::{
    json::{self, quoted, size},
    schema::Schema,
};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A tool call that a person decides on.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct Approval {
    /// The name of the tool. Empty where the agent does not name it.
    pub tool: String,
    /// The arguments, as the agent sent them. Null where the agent does not show them.
    pub arguments: Value,
    /// The decisions that the person has, without repetition. Never empty.
    pub decisions: Vec<Decision>,
    /// What edited arguments must match. `None`: an object takes the place of an object, and any value that of any other.
    #[serde(default)]
    pub schema: Option<Schema>,
    /// The ways to decide that the agent offers beside each decision itself. An answer may have one, as `grant`.
    #[serde(default)]
    pub grants: Vec<Grant>,
    /// What the host says is risky about the call. [`Approval::risks`] has it, with what the core finds.
    #[serde(skip)]
    pub stated: Vec<Risk>,
    /// What approving does, as the host calls it: `Delete 14 branches`. `None`: "Approve".
    #[serde(default)]
    pub action: Option<String>,
    /// Whether the words of a rejection reach the agent. Where they do not, none are asked for.
    #[serde(default = "yes")]
    pub reasons: bool,
    /// How many lines of changes, and how many values, may be listed of it. The calls of one form share [`ROOM`].
    #[serde(skip, default = "room")]
    room: usize,
}

fn yes() -> bool {
    true
}

fn room() -> usize {
    ROOM
}

/// What a person can decide about a tool call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Decision {
    /// The tool runs with these arguments.
    Approve,
    /// The tool runs with arguments that the person has changed.
    Edit,
    /// The tool does not run. The person may say why.
    Reject,
    /// The tool does not run. The person's text stands in place of its result.
    Respond,
}

impl Decision {
    /// All decisions, in the order in which they are offered.
    pub const ALL: [Self; 4] = [Self::Approve, Self::Edit, Self::Reject, Self::Respond];

    /// The word in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Approve => "approve",
            Self::Edit => "edit",
            Self::Reject => "reject",
            Self::Respond => "respond",
        }
    }

    /// The decision with this word.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|decision| decision.name() == name)
    }
}

impl Approval {
    pub(crate) fn new(tool: &str, arguments: Value, decisions: Vec<Decision>) -> Self {
        Self {
            tool: tool.to_owned(),
            arguments,
            decisions,
            schema: None,
            grants: Vec::new(),
            stated: Vec::new(),
            action: None,
            reasons: true,
            room: ROOM,
        }
    }

    /// Takes its part of what the calls of a form have left, and leaves the rest.
    pub(crate) fn share(&mut self, left: &mut usize) {
        self.room = (*left).max(LEAST);
        *left = left.saturating_sub(lines_in(&self.arguments));
    }

    /// Whether the person has this decision.
    pub fn allows(&self, decision: Decision) -> bool {
        self.decisions.contains(&decision)
    }

    /// The edited arguments in the JSON text of an answer, as they were given: with every digit.
    pub fn arguments_in(answer: &str) -> Option<&str> {
        answer.strip_prefix("{\"type\":\"edit\",\"arguments\":")?.strip_suffix('}')
    }

    /// What the call does, as far as its arguments say so. The name of the tool may say more.
    pub fn act(&self) -> Act<'_> {
        let text = |name: &str| self.arguments.get(name)?.as_str();
        if text(COMMAND).is_some_and(|command| !command.trim().is_empty()) {
            return Act::Command;
        }
        let file = FILES.iter().find_map(|name| text(name));
        // The last part of a path. The whole stands among the arguments.
        let name = file.and_then(|path| path.rsplit(['/', '\\']).next()).filter(|name| !name.trim().is_empty());
        let is_change = || self.shown().iter().any(|shown| matches!(shown.value, ShownValue::Diff(_)));
        match name.filter(|name| name.len() <= LONGEST_NAME && is_change()) {
            Some(name) => Act::Edit(name),
            None => Act::Other,
        }
    }

    /// The arguments as a person reads them, in their order: nested values by their paths.
    pub fn shown(&self) -> Vec<Shown> {
        let mut shown = Listing {
            lines: Vec::new(),
            work: DIFF_WORK,
            rows: self.room.min(ROWS),
            changes: self.room,
            tool_patches: names_patch(&self.tool),
        };
        match &self.arguments {
            Value::Null => {}
            arguments => shown.add("", arguments, 0),
        }
        shown.lines
    }

    /// How large it is, in units of work that keeping and comparing it takes.
    pub(super) fn size(&self) -> usize {
        let rules = self.grants.iter().map(|grant| grant.shown.len().saturating_add(size(&grant.rule) as usize));
        let call = self.tool.len().saturating_add(size(&self.arguments) as usize);
        rules.fold(call, usize::saturating_add)
    }
}

/// What a call does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Act<'a> {
    /// It runs the command in the argument [`COMMAND`].
    Command,
    /// It changes the file with this name.
    Edit(&'a str),
    /// Something else, or nobody knows.
    Other,
}

/// The argument that is a command.
pub const COMMAND: &str = "command";
/// The arguments that may be the path of a file.
const FILES: [&str; 5] = ["file_path", "filePath", "path", "file", "filename"];

/// One argument, as it is shown.
#[derive(Clone, Debug, PartialEq)]
pub struct Shown {
    /// Its path: `to`, `edits[0].path`. Empty for arguments that are no object.
    pub path: String,
    /// Its value.
    pub value: ShownValue,
}

/// The value of an argument, as it is shown.
#[derive(Clone, Debug, PartialEq)]
pub enum ShownValue {
    /// A short value on one line. A text stands without quotes unless it would read as another value.
    Short(String),
    /// A text that is long or has several lines, whole.
    Text(String),
    /// A change of a text: its lines, before and after.
    Diff(Vec<(Change, String)>),
}

/// What happens to a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// It stays.
    Same,
    /// It goes.
    Removed,
    /// It comes.
    Added,
}

/// The most characters of a value on one line.
const SHORT: usize = 80;
/// The most characters of a name beside a value on one line.
const NAME: usize = 32;
/// How deep values are listed by their paths. What is deeper is shown as JSON.
const DEEP: usize = 4;
/// The most pairs of lines that are compared for the diffs of one tool call.
const DIFF_WORK: usize = 100_000;

/// The most values that are listed for one tool call, and the most bytes of a name in a path. Beyond either, values are shown as JSON.
const ROWS: usize = 1_000;
const LONGEST_NAME: usize = 200;
/// The most values and lines of changes that are listed for all calls of a form, and the least for one of them. Beyond that, texts are shown without what changes.
pub(crate) const ROOM: usize = 15_000;
const LEAST: usize = 20;

struct Listing {
    lines: Vec<Shown>,
    /// How many pairs of lines may still be compared.
    work: usize,
    /// How many values may still be listed.
    rows: usize,
    /// How many lines of changes may still be listed.
    changes: usize,
    /// Whether the tool takes patches.
    tool_patches: bool,
}

/// Whether a name says that it is about a patch. A text is one because its tool says so, not because it looks like one.
fn names_patch(name: &str) -> bool {
    // By bytes: the search for text within text brings tables of Unicode into the form.
    let name = name.as_bytes();
    let is_between = |place: usize| match (place.checked_sub(1).and_then(|before| name.get(before)), name.get(place)) {
        (Some(before), Some(here)) => {
            !(before.is_ascii_alphabetic() && here.is_ascii_alphabetic())
                || before.is_ascii_lowercase() && here.is_ascii_uppercase()
        }
        _ => true,
    };
    let has = |word: &[u8]| {
        let is_it = |(place, part): (usize, &[u8])| {
            part.eq_ignore_ascii_case(word) && is_between(place) && is_between(place.saturating_add(word.len()))
        };
        name.windows(word.len()).enumerate().any(is_it)
    };
    ["patch", "patches", "diff", "diffs"].iter().any(|word| has(word.as_bytes()))
}

impl Listing {
    fn add(&mut self, path: &str, value: &Value, depth: usize) {
        match value {
            Value::Object(fields)
                if depth < DEEP
                    && !fields.is_empty()
                    && fields.keys().all(|name| name.len() <= LONGEST_NAME)
                    && self.takes(fields.len()) =>
            {
                for (name, value) in fields {
                    // A pair of an old and a new text is one change, at the place of the old one.
                    if name.strip_prefix("new").is_some_and(|rest| pair(fields, rest).is_some()) {
                        continue;
                    }
                    let inner = joined(path, name);
                    let rest = name.strip_prefix("old").unwrap_or_default();
                    match name.strip_prefix("old").and_then(|rest| pair(fields, rest)) {
                        Some((old, new)) if self.changes(&[old, new]) => {
                            let value = ShownValue::Diff(self.diff(old, new));
                            let path = format!("{inner} → new{rest}");
                            self.lines.push(Shown { path, value });
                        }
                        Some((old, new)) => {
                            for (path, text) in [(inner, old), (joined(path, &format!("new{rest}")), new)] {
                                self.lines.push(Shown { path, value: ShownValue::Text(text.to_owned()) });
                            }
                        }
                        None => self.add(&inner, value, depth.saturating_add(1)),
                    }
                }
            }
            Value::Array(items) if depth < DEEP && !items.is_empty() && self.takes(items.len()) => {
                for (place, value) in items.iter().enumerate() {
                    self.add(&format!("{path}[{place}]"), value, depth.saturating_add(1));
                }
            }
            Value::String(text)
                if (self.tool_patches || names_patch(path)) && is_patch(text) && self.changes(&[text]) =>
            {
                let value = ShownValue::Diff(patch(text));
                self.lines.push(Shown { path: path.to_owned(), value });
            }
            value => {
                let value_is_text = value.is_string();
                let value = match plain(value) {
                    // The names of a table are short, too.
                    ShownValue::Short(text) if path.chars().nth(NAME).is_some() => ShownValue::Text(text),
                    value => value,
                };
                // A long text is shown without quotes: JSON says what it is.
                let is_json = !value_is_text && matches!(value, ShownValue::Text(_));
                let path = if is_json { format!("{path} (JSON)") } else { path.to_owned() };
                self.lines.push(Shown { path, value });
            }
        }
    }

    /// Whether so many more values may be listed.
    fn takes(&mut self, count: usize) -> bool {
        let left = self.rows.checked_sub(count);
        self.rows = left.unwrap_or(self.rows);
        left.is_some()
    }

    /// Whether the lines of these texts may be listed, as those of a change.
    fn changes(&mut self, texts: &[&str]) -> bool {
        let lines: usize = texts.iter().map(|text| breaks(text).saturating_add(1)).sum();
        let left = self.changes.checked_sub(lines);
        self.changes = left.unwrap_or(self.changes);
        left.is_some()
    }

    /// The lines of two texts, each once where it is in both. Beyond the work, everything between the first and the last difference counts as changed.
    fn diff(&mut self, old: &str, new: &str) -> Vec<(Change, String)> {
        let (old, new) = (lines_of(old), lines_of(new));
        let before = old.iter().zip(&new).take_while(|(old, new)| old == new).count();
        let (old_rest, new_rest) = (old.get(before..).unwrap_or_default(), new.get(before..).unwrap_or_default());
        let after = old_rest.iter().rev().zip(new_rest.iter().rev()).take_while(|(old, new)| old == new).count();
        let split = |rest: &[&str]| rest.len().saturating_sub(after);
        let (old_rest, tail) = old_rest.split_at_checked(split(old_rest)).unwrap_or_default();
        let new_rest = new_rest.get(..split(new_rest)).unwrap_or_default();
        let line = |change: Change| move |line: &&str| (change, (*line).to_owned());
        let mut lines: Vec<_> = old.iter().take(before).map(line(Change::Same)).collect();
        let work = old_rest.len().saturating_mul(new_rest.len());
        if work > self.work {
            lines.extend(old_rest.iter().map(line(Change::Removed)));
            lines.extend(new_rest.iter().map(line(Change::Added)));
        } else {
            self.work = self.work.saturating_sub(work);
            compare(old_rest, new_rest, &mut lines);
        }
        lines.extend(tail.iter().map(line(Change::Same)));
        lines
    }
}

/// The path of a field. Any name but a plain one is quoted, so that no two paths look alike.
fn joined(path: &str, name: &str) -> String {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'$') || !byte.is_ascii();
    match (name.is_empty() || !name.bytes().all(is_plain), path) {
        (true, path) => format!("{path}[{}]", quoted(name)),
        (false, "") => name.to_owned(),
        (false, path) => format!("{path}.{name}"),
    }
}

fn breaks(text: &str) -> usize {
    text.bytes().filter(|byte| *byte == b'\n').count()
}

/// How many values and lines some arguments have, names aside.
fn lines_in(value: &Value) -> usize {
    match value {
        Value::String(text) => breaks(text).saturating_add(1),
        Value::Array(items) => items.iter().map(lines_in).sum(),
        Value::Object(fields) => fields.values().map(lines_in).sum(),
        _ => 1,
    }
}

/// The lines of a text. A line break at its end leaves an empty line, so that it is seen where only one of two texts has it.
fn lines_of(text: &str) -> Vec<&str> {
    if text.is_empty() { Vec::new() } else { text.split('\n').collect() }
}

/// The old and the new text of a change: fields whose names differ in `old` and `new`, such as `old_string` and `new_string`.
fn pair<'a>(fields: &'a serde_json::Map<String, Value>, rest: &str) -> Option<(&'a str, &'a str)> {
    let text = |before: &str| fields.get(&format!("{before}{rest}")).and_then(Value::as_str);
    Some((text("old")?, text("new")?))
}

/// Adds the lines of two texts: a longest common subsequence stays, by a table of one row for each old line.
fn compare(old: &[&str], new: &[&str], lines: &mut Vec<(Change, String)>) {
    // How many lines stay in the rest of both, from each pair of places on.
    let mut rows: Vec<Vec<u32>> = vec![vec![0; new.len().saturating_add(1)]];
    for old_line in old.iter().rev() {
        let below = rows.last().map_or(&[][..], Vec::as_slice);
        let mut row = vec![0_u32; new.len().saturating_add(1)];
        let mut right = 0;
        for (place, new_line) in new.iter().enumerate().rev() {
            let at = |place: usize| below.get(place).copied().unwrap_or_default();
            right =
                if old_line == new_line { at(place.saturating_add(1)).saturating_add(1) } else { at(place).max(right) };
            if let Some(cell) = row.get_mut(place) {
                *cell = right;
            }
        }
        rows.push(row);
    }
    rows.reverse();
    let stay = |old: usize, new: usize| rows.get(old).and_then(|row| row.get(new)).copied().unwrap_or_default();
    let (mut from, mut to) = (0_usize, 0_usize);
    loop {
        let (change, line) = match (old.get(from), new.get(to)) {
            (Some(old_line), Some(new_line)) if old_line == new_line => {
                to = to.saturating_add(1);
                from = from.saturating_add(1);
                (Change::Same, old_line)
            }
            (Some(old_line), next)
                if next.is_none() || stay(from.saturating_add(1), to) >= stay(from, to.saturating_add(1)) =>
            {
                from = from.saturating_add(1);
                (Change::Removed, old_line)
            }
            (_, Some(new_line)) => {
                to = to.saturating_add(1);
                (Change::Added, new_line)
            }
            (_, None) => return,
        };
        lines.push((change, (*line).to_owned()));
    }
}

/// Whether a text is a patch: a line of it begins a hunk, and every line is one of a patch.
fn is_patch(text: &str) -> bool {
    let is_hunk = |line: &str| line.starts_with("@@ -") || line.starts_with("*** Begin Patch");
    const LINES: [&str; 7] = ["+", "-", " ", "@@", "\\", "*** ", "diff "];
    let is_line =
        |line: &str| line.is_empty() || line.starts_with("index ") || LINES.iter().any(|sign| line.starts_with(sign));
    text.lines().any(is_hunk) && text.lines().all(is_line)
}

/// The lines of a patch, as they are written. Those that name files are no changes: they stand outside the lines that a hunk says it has.
fn patch(text: &str) -> Vec<(Change, String)> {
    // How many lines of each text the hunk still has.
    let (mut removes, mut adds) = (0_usize, 0_usize);
    let lines = text.strip_suffix('\n').unwrap_or(text).split('\n');
    let marked = lines.map(|line| {
        let is_name = (removes, adds) == (0, 0) && (line.starts_with("+++ ") || line.starts_with("--- "));
        if let Some(counts) = line.strip_prefix("@@ -").and_then(hunk) {
            (removes, adds) = counts;
        } else if line.starts_with("diff ") || line.starts_with("index ") {
            (removes, adds) = (0, 0);
        }
        let (change, rest) = match (is_name, line.split_at_checked(1)) {
            (false, Some(("+", rest))) => (Change::Added, rest),
            (false, Some(("-", rest))) => (Change::Removed, rest),
            (false, Some((" ", rest))) => (Change::Same, rest),
            // A line that stays, and has lost its space.
            (_, None) | (_, Some(("\r", ""))) => (Change::Same, line),
            _ => return (Change::Same, line.to_owned()),
        };
        removes = removes.saturating_sub(usize::from(change != Change::Added));
        adds = adds.saturating_sub(usize::from(change != Change::Removed));
        (change, rest.to_owned())
    });
    marked.collect()
}

/// How many lines a hunk has of the old and of the new text: `1,2 +1,3 @@`. One, where it does not say.
fn hunk(ranges: &str) -> Option<(usize, usize)> {
    let (old, rest) = ranges.split_once('+')?;
    let (new, _) = rest.split_once('@')?;
    let count = |range: &str| range.split_once(',').map_or(Some(1), |(_, count)| count.trim_end().parse().ok());
    Some((count(old)?, count(new)?))
}

fn plain(value: &Value) -> ShownValue {
    let (text, is_text) = match value {
        Value::String(text) => (text.clone(), true),
        value => (json::text(value), false),
    };
    if text.contains('\n') || text.chars().nth(SHORT).is_some() {
        return ShownValue::Text(text);
    }
    let reads_as_another = is_text && (text.trim() != text || text.is_empty() || json::parse(&text).is_ok());
    ShownValue::Short(if reads_as_another { quoted(&text) } else { text })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn shown(arguments: Value) -> Vec<(String, ShownValue)> {
        let approval = Approval::new("t", arguments, Decision::ALL.to_vec());
        approval.shown().into_iter().map(|Shown { path, value }| (path, value)).collect()
    }

    #[test]
    fn arguments_are_listed_by_their_paths() {
        let short = |path: &str, text: &str| (path.to_owned(), ShownValue::Short(text.to_owned()));
        assert_eq!(
            shown(json!({ "to": "ada@example.com", "n": 2, "tags": ["a", "b"], "opts": { "dry": true, "none": {} } })),
            [
                short("to", "ada@example.com"),
                short("n", "2"),
                short("tags[0]", "a"),
                short("tags[1]", "b"),
                short("opts.dry", "true"),
                short("opts.none", "{}"),
            ]
        );
        assert_eq!(shown(json!(["ls", "-l"])), [short("[0]", "ls"), short("[1]", "-l")]);
        assert_eq!(shown(Value::Null), []);
    }

    #[test]
    fn a_text_never_reads_as_another_value() {
        for (text, expected) in [("5", "\"5\""), ("true", "\"true\""), ("", "\"\""), (" a", "\" a\""), ("a", "a")] {
            assert_eq!(shown(json!({ "x": text })), [("x".to_owned(), ShownValue::Short(expected.to_owned()))]);
        }
    }

    #[test]
    fn long_texts_stand_whole_and_deep_values_as_json() {
        let long = "x".repeat(5_000);
        assert_eq!(shown(json!({ "code": long })), [("code".to_owned(), ShownValue::Text(long))]);
        let deep = json!({ "a": { "b": { "c": { "d": { "e": 1 } } } } });
        assert_eq!(shown(deep), [("a.b.c.d".to_owned(), ShownValue::Short("{\"e\":1}".to_owned()))]);
    }

    #[test]
    fn a_change_of_a_text_is_a_diff() {
        let lines = |value: &ShownValue| match value {
            ShownValue::Diff(lines) => lines
                .iter()
                .map(|(change, line)| {
                    format!(
                        "{}{line}",
                        match change {
                            Change::Same => ' ',
                            Change::Removed => '-',
                            Change::Added => '+',
                        }
                    )
                })
                .collect::<Vec<_>>()
                .join("\n"),
            other => panic!("{other:?}"),
        };
        let all = shown(json!({ "path": "a.rs", "old_string": "a\nb\nc\nd\ne", "new_string": "a\nB\nc\nD\nd\ne" }));
        assert_eq!(all.len(), 2);
        assert_eq!(all[1].0, "old_string → new_string");
        assert_eq!(lines(&all[1].1), " a\n-b\n+B\n c\n+D\n d\n e");
        let patch = "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-one\n+two\n three";
        assert_eq!(
            lines(&shown(json!({ "patch": patch }))[0].1),
            " --- a/x\n +++ b/x\n @@ -1 +1 @@\n-one\n+two\n three"
        );
        for (old, new, expected) in [
            ("", "a", "+a"),
            ("a", "", "-a"),
            ("a", "a", " a"),
            ("", "", ""),
            ("a\n", "a", " a\n-"),
            ("a\r\nb", "a\nb", "-a\r\n+a\n b"),
        ] {
            assert_eq!(lines(&shown(json!({ "oldText": old, "newText": new }))[0].1), expected);
        }
    }

    #[test]
    fn a_change_of_too_many_lines_is_shown_as_its_two_texts() {
        let (old, new) = ("a\n".repeat(20_000), "b\n".repeat(20_000));
        let whole = |path: &str, text: &str| (path.to_owned(), ShownValue::Text(text.to_owned()));
        assert_eq!(
            shown(json!({ "edits": [{ "old_string": old, "new_string": new }] })),
            [whole("edits[0].old_string", &old), whole("edits[0].new_string", &new)]
        );
        let patch = format!("@@ -1 +1 @@\n{}", "+a\n".repeat(40_000));
        assert_eq!(shown(json!({ "patch": patch })), [whole("patch", &patch)]);
    }

    #[test]
    fn the_calls_of_a_form_share_what_is_listed_and_each_has_a_little() {
        let change = |lines: usize| json!({ "old": "a\n".repeat(lines), "new": "b\n".repeat(lines) });
        let mut left = ROOM;
        let lists = [7_000, 7_000, 8, 100].map(|lines| {
            let mut approval = Approval::new("t", change(lines), Decision::ALL.to_vec());
            approval.share(&mut left);
            matches!(approval.shown()[0].value, ShownValue::Diff(_))
        });
        assert_eq!(lists, [true, false, true, false]);
        // A short argument is a row of the table, even where nothing is left.
        let mut approval = Approval::new("t", json!({ "to": "ada", "n": 1 }), Decision::ALL.to_vec());
        approval.share(&mut left);
        assert_eq!(approval.shown().len(), 2);
    }

    #[test]
    fn a_line_of_a_hunk_is_a_change_even_where_it_looks_like_the_name_of_a_file() {
        let lines = |patch: &str| match &shown(json!({ "patch": patch }))[0].1 {
            ShownValue::Diff(lines) => lines.clone(),
            other => panic!("{other:?}"),
        };
        let line = |change: Change, line: &str| (change, line.to_owned());
        assert_eq!(
            lines(
                "--- a/x.sql\n+++ b/x.sql\n@@ -1,3 +1,3 @@\n--- keep\n+++ keep\n\n one\n--- a/y\n+++ b/y\n@@ -1 +0,0 @@\n-y"
            ),
            [
                line(Change::Same, "--- a/x.sql"),
                line(Change::Same, "+++ b/x.sql"),
                line(Change::Same, "@@ -1,3 +1,3 @@"),
                line(Change::Removed, "-- keep"),
                line(Change::Added, "++ keep"),
                line(Change::Same, ""),
                line(Change::Same, "one"),
                line(Change::Same, "--- a/y"),
                line(Change::Same, "+++ b/y"),
                line(Change::Same, "@@ -1 +0,0 @@"),
                line(Change::Removed, "y"),
            ]
        );
        // A change of a line's ending is seen.
        assert_eq!(lines("@@ -1 +1 @@\n-a\r\n+a\n")[1..], [line(Change::Removed, "a\r"), line(Change::Added, "a")]);
    }

    #[test]
    fn no_two_paths_look_alike_and_code_is_no_patch() {
        let paths = |arguments: Value| shown(arguments).into_iter().map(|(path, _)| path).collect::<Vec<_>>();
        assert_eq!(
            paths(json!({ "": { "to": 1 }, "a.b": 1, "a": { "b": 1 }, "a[0]": 1 })),
            ["[\"\"].to", "[\"a.b\"]", "a.b", "[\"a[0]\"]"]
        );
        let code = "/*\n@@ -1 +1 @@\n*/\n-fs.rmSync('/')";
        assert_eq!(shown(json!({ "code": code })), [("code".to_owned(), ShownValue::Text(code.to_owned()))]);
    }

    #[test]
    fn a_text_is_a_patch_because_its_tool_or_its_name_says_so() {
        let text = "@@ -1 +1 @@\n-fs.rmSync(home)\n+// nothing";
        let is_diff = |tool: &str, arguments: Value| {
            let all = Approval::new(tool, arguments, Vec::new()).shown();
            matches!(all[0].value, ShownValue::Diff(_))
        };
        assert!(!is_diff("run_javascript", json!({ "code": text })));
        for tool in ["dispatch", "different_tool", "patchwork", "diffuse"] {
            assert!(!is_diff(tool, json!({ "code": text })), "{tool}");
        }
        for tool in ["apply_patch", "applyPatch", "git.diff", "PATCH", "patches2", "gitDiffs"] {
            assert!(is_diff(tool, json!({ "input": text })), "{tool}");
        }
        assert!(is_diff("edit", json!({ "unified_diff": text })));
        assert!(is_diff("edit", json!({ "changes": [{ "patch": text }] })));
    }

    #[test]
    fn many_values_and_long_names_are_shown_whole_in_linear_space() {
        let items: Vec<u8> = (0..60_000).map(|n| (n % 7) as u8).collect();
        for arguments in [json!({ "n".repeat(10_000): items }), json!({ "list": items }), json!([items, items])] {
            let all = Approval::new("t", arguments.clone(), Vec::new()).shown();
            let size: usize = all
                .iter()
                .map(|one| {
                    one.path.len()
                        + match &one.value {
                            ShownValue::Short(text) | ShownValue::Text(text) => text.len(),
                            ShownValue::Diff(_) => 0,
                        }
                })
                .sum();
            assert!(all.len() <= ROWS && size < 2 * json::text(&arguments).len() + 1_000, "{} {size}", all.len());
        }
    }

    #[test]
    fn a_large_change_is_shown_in_linear_time() {
        let text = |word: &str| (0..7_000).map(|n| format!("{word} {n}\n")).collect::<String>();
        let all = shown(json!({ "old": text("a"), "new": text("b") }));
        assert!(matches!(&all[0].1, ShownValue::Diff(lines) if lines.len() == 14_001));
    }
}
