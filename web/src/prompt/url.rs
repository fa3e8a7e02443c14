//! Consent to open a URL: the whole address, its host set apart, and what is odd about it. It is opened by the person's own
//! click, in a place of its own that learns nothing of this page; nothing is fetched before.

use super::Prompt;
use crate::{element::el, ui::Ui, words};
use ask_user_core::{Action, Link};

pub fn view(ui: Ui, link: &Link) -> Prompt {
    let (before, host, after) = link.parts();
    let part = |text: &str| el("span").text(text);
    let address = el("p").named("address", "address").attr("dir", "ltr").attr("id", "suggestion");
    let address = address.child(part(before)).child(el("strong").attr("part", "host").text(host)).child(part(after));
    let warning = |is_so: bool, text: &str| is_so.then(|| el("p").named("warning", "warning").text(text));
    let open = el("a")
        .named("button primary", "button primary")
        .attr("href", link.as_str())
        .attr("target", "_blank")
        .attr("rel", "noopener noreferrer")
        .attr("referrerpolicy", "no-referrer")
        .attr("data-open", "")
        .text(words::OPEN)
        .on_click(move || ui.act(Action::answer(true)));
    let body = el("div")
        .attr("class", "field")
        .child(address)
        .children(warning(link.has_punycode(), words::PUNYCODE))
        .children(warning(!link.is_secure(), words::NOT_SECURE))
        .child(el("p").attr("class", "hint").text(&words::opens(host)))
        .child(open);
    Prompt { body, read: None, hint: words::KEYS_URL, described: true }
}
