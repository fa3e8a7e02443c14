//! Short notices that stand in place of a step or a field.

use crate::{
    element::{El, button, el, isolated},
    language::Word,
    ui::{Again, Loading, Ui},
    words,
};
use ask_user_core::{Advice, Grant, Question, Refusal, problem::Violation};
use leptos::prelude::{Get, Set};

/// Something that the person should know at once.
pub fn alert() -> El {
    el("p").named("notice", "notice").attr("role", "alert")
}

/// What stands where the schemas are needed and not there yet.
pub fn loading(ui: Ui, word: Word) -> El {
    el("div").attr("class", "notice").attr("role", "status").changing(move || {
        Some(match ui.loading.get() {
            Loading::Running => el("p").say(word),
            Loading::Failed => el("p").say(words::LOADING_FAILED).text(" ").child(again(ui, Again::Schemas)),
        })
    })
}

/// A button that tries something again.
pub fn again(ui: Ui, what: Again) -> El {
    button(words::TRY_AGAIN).attr("data-again", "").on_click(move || {
        if let Again::Schemas = what {
            ui.loading.set(Loading::Running);
        }
        ui.try_again(what);
        // The button is gone.
        ui.focus(&[".delivering:has([data-delivery])", "[data-question-text]"]);
    })
}

/// What an assistant said against it.
pub fn advice(advice: &Advice) -> El {
    let name = el("p").attr("class", "name");
    let model = match &advice.model {
        Some(model) => isolated(model).attr("data-model", ""),
        None => el("span").say(words::AN_ASSISTANT),
    };
    el("div").named("advice", "advice").child(name.say_around(words::ADVISES_NO, model)).child(match &advice.reason {
        Some(reason) => el("p").attr("data-reason", "").attr("dir", "auto").markdown("block", reason),
        None => el("p").say(words::NO_REASON),
    })
}

/// The question as the name of its group, with its heading.
pub fn legend(question: &Question) -> El {
    asked(question, None, el("span").attr("class", "text isolated").asked(question))
}

/// The same, with what stands above it, and its text.
pub fn asked(question: &Question, above: Option<El>, text: El) -> El {
    let header = question.header.as_ref();
    let header = header.map(|header| el("bdi").named("header", "header").text(&words::shown(header)));
    let legend = el("legend").attr("tabindex", "-1").attr("data-question-text", "").attr("dir", "auto");
    legend.children(header).children(above).child(text.attr("role", "heading").attr("aria-level", "2"))
}

/// Adds what a way to decide reaches: all that its rule covers.
#[cold]
#[inline(never)]
pub fn reaches(mut shown: El, way: &Grant) -> El {
    if way.wording.is_empty() {
        return shown.text(&words::shown(&way.shown));
    }
    for (place, line) in way.wording.iter().enumerate() {
        if place > 0 {
            shown = shown.text("\n");
        }
        shown = shown.say_value(&words::wording(line));
    }
    shown
}

/// Something that the agent says beside the question.
pub fn said(text: &str) -> El {
    el("p").named("context", "context").attr("dir", "auto").markdown("block", text)
}

/// Why an answer was not taken, tied to the field by `aria-describedby`. `chosen`: whether there are options to choose from. `id` is the question.
pub fn error(refusal: &Refusal, chosen: bool, id: &str) -> El {
    let details = match refusal {
        Refusal::SchemaMismatch { details } => details.as_slice(),
        _ => &[],
    };
    let line = |violation: &Violation| {
        let path = if violation.instance_path.is_empty() { "/" } else { &violation.instance_path };
        el("li")
            .attr("data-path", &violation.instance_path)
            .attr("data-keyword", &violation.keyword)
            .child(el("code").child(isolated(path)))
            .text(" ")
            .child(el("span").attr("class", "isolated").say_value(&words::violation(violation, id)))
    };
    let lines = (!details.is_empty()).then(|| el("ul").children(details.iter().map(line)));
    el("div")
        .named("error", "error")
        .attr("data-code", refusal.code())
        .child(el("p").attr("dir", "auto").say_value(&words::refused(refusal, chosen, id)))
        .children(lines)
}
