//! The arguments of a tool call, whole: short values as a table, long texts as they are, changes of texts as diffs. A text of many lines folds after its first ones.

use crate::{
    element::{El, el},
    sight::Sight,
    words,
};
use ask_user_core::{Act, Approval, COMMAND, Change, Shown, ShownValue};

/// A text of at most so many lines is shown whole. Of a longer one, so many stand above the fold.
const WHOLE: usize = 25;
const ABOVE: usize = 20;
/// How many characters a line of the form is taken to have. A text that has more lines on a narrow form is still shown whole.
const WIDTH: usize = 72;
/// So many blank lines, or spaces, in a row are shown as their number.
const BLANK_LINES: usize = 3;
const SPACES: usize = 20;

/// All arguments of a call. `None` where it has none. `sight` gets the ends of what is folded.
pub fn view(call: &Approval, sight: Option<&Sight>) -> Option<El> {
    let mut shown = call.shown();
    if shown.is_empty() {
        return None;
    }
    // A command stands first, and as a text of its own.
    if let (Act::Command, Some(place)) = (call.act(), shown.iter().position(|one| one.path == COMMAND)) {
        let Shown { path, value } = shown.remove(place);
        let value = match value {
            ShownValue::Short(text) => ShownValue::Text(text),
            value => value,
        };
        shown.insert(0, Shown { path, value });
    }
    let mut body = el("div").named("arguments", "arguments");
    let mut table: Option<El> = None;
    for Shown { path, value } in shown {
        let name = words::shown(&path);
        if let ShownValue::Short(text) = &value {
            let cell = |tag: &str| el(tag).attr("dir", "auto");
            let mut plain = String::new();
            let value = marked(cell("td"), &mut plain, text).text(&plain);
            let row = el("tr").child(cell("th").attr("scope", "row").text(&name)).child(value);
            table = Some(table.unwrap_or_else(|| el("table")).child(row));
            continue;
        }
        body = body.children(table.take());
        let lines: Vec<Line> = match value {
            ShownValue::Diff(lines) => lines.into_iter().map(|(change, line)| Line(Some(change), line)).collect(),
            ShownValue::Short(whole) | ShownValue::Text(whole) => {
                whole.split('\n').map(|line| Line(None, line.to_owned())).collect()
            }
        };
        body = body.child(el("p").attr("class", "name").attr("dir", "auto").text(&name));
        body = body.children(folded(&lines, sight));
    }
    Some(body.children(table))
}

/// A line of a text, or of a diff.
struct Line(Option<Change>, String);

impl Line {
    fn is_blank(&self) -> bool {
        self.1.chars().all(|character| character.is_whitespace() || character == '\u{2800}')
    }
}

/// What stands on a line of its own: a line, or many blank ones that share a change.
enum Row<'l> {
    Line(&'l Line),
    Blank(Option<Change>, usize),
}

impl Row<'_> {
    /// How many lines of the form it takes.
    fn height(&self) -> usize {
        match self {
            Row::Line(line) => line.1.chars().count().div_ceil(WIDTH).max(1),
            Row::Blank(..) => 1,
        }
    }
}

fn rows(mut lines: &[Line]) -> Vec<Row<'_>> {
    let mut rows = Vec::new();
    while let [line, after @ ..] = lines {
        let blank = lines.iter().take_while(|next| next.is_blank() && next.0 == line.0).count();
        if blank >= BLANK_LINES {
            rows.push(Row::Blank(line.0, blank));
            lines = lines.split_at(blank).1;
        } else {
            rows.push(Row::Line(line));
            lines = after;
        }
    }
    rows
}

/// The lines, with a fold after the first ones where there are many.
fn folded(lines: &[Line], sight: Option<&Sight>) -> Vec<El> {
    let rows = rows(lines);
    let mut heights = rows.iter().scan(0, |sum, row| {
        *sum += row.height();
        Some(*sum)
    });
    let total: usize = rows.iter().map(Row::height).sum();
    let above = heights.position(|height| height > ABOVE).unwrap_or(rows.len()).max(1);
    if total <= WHOLE || above >= rows.len() {
        return vec![text(&rows)];
    }
    let (first, rest) = rows.split_at(above);
    // A line break at the end begins no line.
    let ends = usize::from(lines.last().is_some_and(|line| line.1.is_empty()));
    // Few lines that are long are as many as the form shows.
    let number = if lines.len() > WHOLE { lines.len() - ends } else { total };
    let all = el("summary").say_value(&words::SHOW_ALL_LINES.with(&[("number", &number.to_string())]));
    // Without a script nobody knows whether the end was in sight: it is open.
    let rest = el("details").attr("class", "fold").attr_if(cfg!(not(page)), "open", "").child(all).child(text(rest));
    let rest = rest.children(sight.map(Sight::end));
    vec![text(first), rest]
}

/// Rows as one text, which can be scrolled by keys where it is wide.
fn text(rows: &[Row<'_>]) -> El {
    let mut text = el("pre").named("preview", "preview").attr("tabindex", "0").attr("dir", "auto");
    // What stands between two marks is one text: a long file has many lines.
    let mut plain = String::new();
    for (place, row) in rows.iter().enumerate() {
        let change = match row {
            Row::Blank(change, _) => *change,
            Row::Line(line) => line.0,
        };
        let Some(change) = change else {
            text = filled(text, &mut plain, row);
            plain += if place + 1 < rows.len() { "\n" } else { "" };
            continue;
        };
        let (tag, sign) = match change {
            Change::Same => ("span", "  "),
            Change::Removed => ("del", "- "),
            Change::Added => ("ins", "+ "),
        };
        plain += sign;
        let line = filled(el(tag), &mut plain, row);
        plain += "\n";
        text = text.child(line.text(&std::mem::take(&mut plain)));
    }
    text.text(&plain)
}

/// Adds what stands on a line. What ends it is left in `plain`, which is not there yet.
fn filled(element: El, plain: &mut String, row: &Row<'_>) -> El {
    match row {
        Row::Blank(_, number) => element.text(&std::mem::take(plain)).child(run(words::BLANK_LINES, *number)),
        Row::Line(line) => marked(element, plain, &line.1),
    }
}

/// The same for a text, in which many spaces in a row are shown as their number, and what looks like a space is told from one.
fn marked(mut element: El, plain: &mut String, text: &str) -> El {
    let mut rest = text;
    while !rest.is_empty() {
        let (before, after) = split_where(rest, char::is_whitespace);
        let (blank, after) = split_where(after, |next| !next.is_whitespace());
        *plain += &words::shown(before);
        let spaces = blank.chars().count();
        if spaces >= SPACES {
            element = element.text(&std::mem::take(plain)).child(run(words::SPACES, spaces));
        } else {
            *plain += &spaces_of(blank);
        }
        rest = after;
    }
    element
}

/// A text up to the first such character, and the rest.
fn split_where(text: &str, is: impl Fn(char) -> bool) -> (&str, &str) {
    // `split_at` brings the texts of its panics.
    text.find(is).and_then(|at| text.split_at_checked(at)).unwrap_or((text, ""))
}

/// White space, in which what is no plain space or tab has its name.
fn spaces_of(blank: &str) -> String {
    let named = |character: char| match character {
        ' ' | '\t' => character.to_string(),
        _ if character.is_control() => words::shown(&character.to_string()),
        _ => format!("[U+{:04X}]", u32::from(character)),
    };
    blank.chars().map(named).collect()
}

/// The mark of a run of what is not seen.
fn run(word: crate::language::Word, number: usize) -> El {
    el("span").attr("class", "run").say_value(&word.with(&[("number", &number.to_string())]))
}
