//! Short notices that stand in place of a step or a field.

use crate::{
    element::{El, button, el, isolated},
    ui::{Again, Loading, Ui},
    words,
};
use ask_user_core::{Advice, Refusal, problem::Violation};
use leptos::prelude::{Get, Set};

/// Something that the person should know at once.
pub fn alert(text: &str) -> El {
    el("p").named("notice", "notice").attr("role", "alert").text(text)
}

/// What stands where the schemas are needed and not there yet.
pub fn loading(ui: Ui, text: &'static str) -> El {
    el("div").attr("class", "notice").attr("role", "status").changing(move || {
        Some(match ui.loading.get() {
            Loading::Running => el("p").text(text),
            Loading::Failed => el("p").text(words::LOADING_FAILED).text(" ").child(again(ui, Again::Schemas)),
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
    let name = match &advice.model {
        Some(model) => name.child(isolated(model).attr("data-model", "")),
        None => name.text(words::ASSISTANT),
    };
    el("div").named("advice", "advice").child(name.text(words::ADVISED)).child(match &advice.reason {
        Some(reason) => el("p").attr("data-reason", "").attr("dir", "auto").markdown("block", reason),
        None => el("p").text(words::NO_REASON),
    })
}

/// The question as the name of its group, with what comes before it.
pub fn legend(before: Option<El>, text: &str) -> El {
    let legend = el("legend").attr("tabindex", "-1").attr("data-question-text", "").attr("dir", "auto");
    legend.children(before).child(el("span").attr("class", "text isolated").markdown("inline", text))
}

/// Something that the agent says beside the question.
pub fn said(text: &str) -> El {
    el("p").named("context", "context").attr("dir", "auto").markdown("block", text)
}

/// Why an answer was not taken, tied to the field by `aria-describedby`. `chosen`: whether there are options to choose from.
pub fn error(refusal: &Refusal, chosen: bool) -> El {
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
            .child(isolated(&violation.message))
    };
    el("div")
        .named("error", "error")
        .attr("data-code", refusal.code())
        .child(el("p").attr("dir", "auto").text(&words::shown(&words::refused(refusal, chosen))))
        .children((!details.is_empty()).then(|| el("ul").children(details.iter().map(line))))
}

/// Why the answer to one of several questions was not taken, if it was not.
pub fn refused<'r>(refusal: &'r Refusal, question: &str) -> Option<&'r Refusal> {
    match refusal {
        Refusal::Answers { refused } => refused.iter().find(|one| one.question == question).map(|one| &one.refusal),
        _ => None,
    }
}
