//! The arguments of a tool call, readable: short values as a table, long texts whole, changes of texts as diffs.

use crate::{
    element::{El, el},
    words,
};
use ask_user_core::{Approval, Change, Shown, ShownValue};

/// All arguments of a call. `None` where it has none.
pub fn view(call: &Approval) -> Option<El> {
    let shown = call.shown();
    if shown.is_empty() {
        return None;
    }
    let mut body = el("div").named("arguments", "arguments");
    let mut table: Option<El> = None;
    for Shown { path, value } in shown {
        let name = words::shown(&path);
        if let ShownValue::Short(text) = &value {
            let cell = |tag: &str, text: &str| el(tag).attr("dir", "auto").text(text);
            let row = el("tr").child(cell("th", &name).attr("scope", "row")).child(cell("td", &words::shown(text)));
            table = Some(table.unwrap_or_else(|| el("table")).child(row));
            continue;
        }
        body = body.children(table.take());
        let text = el("pre").named("preview", "preview").attr("tabindex", "0").attr("role", "group");
        let text = match name.as_str() {
            "" => text.attr_said("aria-label", words::ARGUMENTS),
            name => text.attr("aria-label", name),
        };
        let text = text.attr("dir", "auto");
        let text = match value {
            ShownValue::Diff(lines) => {
                lines.iter().fold(text, |text, (change, line)| text.child(changed(*change, line)))
            }
            ShownValue::Short(whole) | ShownValue::Text(whole) => text.text(&words::shown(&whole)),
        };
        body = body.child(el("p").attr("class", "name").attr("dir", "auto").text(&name)).child(text);
    }
    Some(body.children(table))
}

/// A line of a diff, with its sign.
fn changed(change: Change, line: &str) -> El {
    let (tag, sign) = match change {
        Change::Same => ("span", "  "),
        Change::Removed => ("del", "- "),
        Change::Added => ("ins", "+ "),
    };
    el(tag).text(sign).text(&words::shown(line)).text("\n")
}
