//! Consent to open a URL: the whole address, its host set apart, and what is odd about it. Once its end was in sight, it is opened by the person's own
//! click, in a place of its own that learns nothing of this page; nothing is fetched before. The answer counts once the page has lost the
//! focus to what was opened, or the person says that it opened.

use super::Prompt;
use crate::{
    dom::{has_focus, later},
    element::{button, el},
    language::{Word, text},
    sight::Sight,
    ui::{Panel, Ui},
    words,
};
use ask_user_core::{Action, Link};

pub fn view(ui: Ui, link: &Link) -> Prompt {
    let (before, host, after) = link.parts();
    let part = |text: &str| el("span").text(text);
    let address = el("p").named("address", "address").attr("dir", "ltr").attr("id", "suggestion");
    let address = address.child(part(before)).child(el("strong").attr("part", "host").text(host)).child(part(after));
    let sight = Sight::default();
    let address = address.child(sight.end());
    let warning = |is_so: bool, word: Word| is_so.then(|| el("p").named("warning", "warning").say(word));
    let open = el("a")
        .named("button primary", "button primary")
        .attr("href", link.as_str())
        .attr("target", "_blank")
        .attr("rel", "noopener noreferrer")
        .attr("referrerpolicy", "no-referrer")
        .attr("data-open", "")
        .say_value(&words::OPEN.with(&[("host", &text(host))]))
        .on("click", move |event| {
            if sight.reveal() {
                event.prevent_default();
                ui.guard().settle();
            } else {
                opening(ui);
            }
        });
    let is_open = move || {
        let opened = button(words::YES_IT_OPENED).named("primary", "button primary").attr("data-opened", "");
        (ui.panel() == Panel::Opened).then(|| opened.on_click(move || agree(ui)))
    };
    let is_asked = move || {
        let asked = || el("p").attr("class", "hint").attr("role", "status").say(words::DID_IT_OPEN);
        (ui.panel() == Panel::Opened).then(asked)
    };
    let body = el("div")
        .attr("class", "field")
        .child(address)
        .children(warning(link.has_punycode(), words::PUNYCODE))
        .children(warning(!link.is_secure(), words::NOT_SECURE))
        .child(el("p").attr("class", "hint").say(words::OPENS))
        .changing(is_asked);
    let decline = button(words::DO_NOT_OPEN).attr("data-decline", "").on_click(move || ui.act(Action::Reply(None)));
    // What comes after a click on the link stands beside it, before the way to decline.
    let buttons = el("div").attr("class", "buttons").child(open).changing(is_open).child(decline);
    Prompt { beside: vec![buttons], described: true, ..Prompt::answering(body, &[]) }
}

/// How long after the click the page may lose its focus to what was opened, in milliseconds.
const TAKEN: [i32; 3] = [150, 400, 1_000];

/// Asks whether the address was opened. A window that takes the focus says so by itself; one that a sandbox, the page or a modifier key kept
/// shut does not.
fn opening(ui: Ui) {
    ui.open(Panel::Opened, &[]);
    for wait in TAKEN {
        later(wait, move || {
            if ui.is_open(Panel::Opened) && !has_focus() {
                agree(ui);
            }
        });
    }
}

fn agree(ui: Ui) {
    ui.act(Action::answer(true));
}
