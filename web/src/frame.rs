//! The frame around every step: who asks, the progress, the question, the error, and the ways to go on. What is asked
//! for is the prompt's to render.

use crate::{
    keys::{Key, Pressed},
    prompt::{self, Prompt},
    receipt,
    ui::{Again, Delivery, Loading, Ui},
    words,
};
use ask_user_core::{Action, Asking, Progress, Refusal, Review, Step};
use leptos::{ev, html, prelude::*};
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement, HtmlFormElement, HtmlInputElement, HtmlTextAreaElement};

/// The whole form.
pub fn view(ui: Ui) -> AnyView {
    html::div()
        .class("base")
        .attr("part", "base")
        .attr("tabindex", "-1")
        .node_ref(ui.base)
        .on(ev::keydown, move |event| press(ui, &event))
        .child((
            html::p().class("spoken").attr("role", "status").child(move || announcement(ui)),
            // Keyed by the step, so that no field keeps what was typed into another question's.
            For(ForProps::builder()
                .each(move || [ui.version.get()])
                .key(|version| *version)
                .children(move |_| step(ui))
                .build()),
            move || delivery(ui),
        ))
        .into_any()
}

fn step(ui: Ui) -> AnyView {
    ui.session.with_value(|session| match session.walk() {
        None if session.is_rejected() => {
            html::p().class("notice").attr("part", "notice").attr("role", "alert").child(words::REJECTED).into_any()
        }
        None => checking(ui),
        Some(walk) => match walk.step() {
            Step::Asking(asking) => question(ui, &asking),
            Step::Review(shown) => review(ui, &shown),
            Step::Checking => checking(ui),
            Step::Done(outcome) => receipt::view(&outcome),
        },
    })
}

fn announcement(ui: Ui) -> String {
    ui.version.track();
    ui.session.with_value(|session| match session.walk().map(ask_user_core::Walk::step) {
        Some(Step::Asking(Asking { progress: Some(Progress { at, of }), .. })) => words::spoken_progress(at, of),
        Some(Step::Review(_)) => words::REVIEW.to_owned(),
        _ => String::new(),
    })
}

fn question(ui: Ui, asking: &Asking<'_>) -> AnyView {
    let question = asking.question;
    let label = ui.session.with_value(|session| session.label().map(words::asked_by));
    let unresumable =
        ui.session.with_value(|session| session.unresumable().map(|error| words::unresumable(&error.to_string())));
    let Prompt { body, read, hint, described } = prompt::view(ui, asking);
    let sends = read.is_some();
    let read = StoredValue::new_local(read);
    let submit = move |event: ev::SubmitEvent| {
        event.prevent_default();
        if let Some(action) = read.with_value(|read| read.as_ref().map(|read| read())) {
            ui.act(action);
        }
    };
    let described = format!("context error{}", if described { " suggestion" } else { "" });
    html::div()
        .class("step")
        .attr("data-question", question.id.clone())
        .attr("data-type", question.answer_type.name())
        .child((
            unresumable.map(|text| html::p().class("notice").attr("role", "alert").child(text)),
            html::div().class("top").child((
                label.map(|label| html::p().class("label").attr("part", "label").child(words::shown(&label))),
                asking.progress.map(|Progress { at, of }| {
                    html::p()
                        .class("progress")
                        .attr("part", "progress")
                        .attr("aria-hidden", "true")
                        .child(words::progress(at, of))
                }),
            )),
            html::form().attr("novalidate", "").attr("autocomplete", "off").on(ev::submit, submit).child((
                html::fieldset().attr("part", "question").attr("aria-describedby", described).child((
                    html::legend().attr("tabindex", "-1").attr("data-question-text", "").attr("dir", "auto").child((
                        question.header.as_ref().map(|header| {
                            html::span().class("header").attr("part", "header").child(words::shown(header))
                        }),
                        html::span().class("text").child(words::shown(&question.text)),
                    )),
                    html::div().id("context").child(question.context.as_ref().map(|context| {
                        html::p()
                            .class("context")
                            .attr("part", "context")
                            .attr("dir", "auto")
                            .child(words::shown(context))
                    })),
                    html::div().class("field").child(body),
                    html::div()
                        .id("error")
                        .attr("role", "alert")
                        .child(move || ui.refusal.get().map(|refusal| error(&refusal))),
                )),
                sends.then(|| {
                    html::button()
                        .attr("type", "submit")
                        .class("primary")
                        .attr("part", "button primary")
                        .child(words::CONTINUE)
                }),
            )),
            ways(ui, asking.back),
            html::p().class("keys").attr("part", "keys").child(hint),
        ))
        .into_any()
}

fn review(ui: Ui, shown: &Review<'_>) -> AnyView {
    let rows = shown.answers().filter_map(|(question, answer)| Some((question, answer?))).map(|(question, answer)| {
        let id = question.id.clone();
        let change = shown.may_change(&id).then(|| {
            html::button()
                .attr("type", "button")
                .attr("part", "button")
                .attr("data-change", id.clone())
                .attr("aria-label", words::change_answer(&question.text))
                .on(ev::click, move |_| ui.act(Action::Change(id.clone())))
                .child(words::CHANGE)
        });
        html::div().class("row").child((
            html::dt().attr("dir", "auto").child(words::shown(&question.text)),
            html::dd().attr("dir", "auto").child((receipt::answer(question, answer), change)),
        ))
    });
    let submit = html::button()
        .attr("type", "button")
        .class("primary")
        .attr("part", "button primary")
        .attr("data-submit", "")
        .on(ev::click, move |_| ui.act(Action::Submit))
        .child(words::SUBMIT);
    html::div()
        .class("step")
        .attr("data-review", "")
        .child((
            html::h2().attr("tabindex", "-1").attr("data-question-text", "").child(words::REVIEW),
            html::p().class("context").child(words::REVIEW_HINT),
            html::dl().child(rows.collect::<Vec<_>>()),
            submit,
            ways(ui, shown.back()),
        ))
        .into_any()
}

/// The ways to go on other than an answer. They stand at every step.
fn ways(ui: Ui, back: bool) -> AnyView {
    let way = |name: &'static str| html::button().attr("type", "button").attr("part", "button").attr("data-way", name);
    let reply = NodeRef::<html::Textarea>::new();
    let send = move || {
        let text = reply.get_untracked().map(|area| area.value());
        ui.act(Action::Reply(text.filter(|text| !text.is_empty())));
    };
    let panel = move || {
        ui.replying.get().then(|| {
            html::form()
                .class("reply")
                .attr("part", "reply")
                .on(ev::submit, move |event| {
                    event.prevent_default();
                    send();
                })
                .child((
                    html::label().attr("for", "reply").child(words::REPLY_LABEL),
                    html::textarea()
                        .id("reply")
                        .attr("part", "input")
                        .attr("rows", "2")
                        .attr("dir", "auto")
                        .attr("aria-describedby", "reply-hint")
                        .node_ref(reply),
                    html::p().id("reply-hint").class("hint").child(words::REPLY_HINT),
                    html::div().class("buttons").child((
                        html::button()
                            .attr("type", "submit")
                            .class("primary")
                            .attr("part", "button primary")
                            .attr("data-send-reply", "")
                            .child(words::SEND_REPLY),
                        html::button()
                            .attr("type", "button")
                            .attr("part", "button")
                            .on(ev::click, move |_| close_reply(ui))
                            .child(words::CANCEL),
                    )),
                ))
        })
    };
    html::div()
        .class("ways")
        .child((
            html::div().class("buttons").attr("role", "group").attr("aria-label", words::OTHER_WAYS).child((
                back.then(|| way("back").on(ev::click, move |_| ui.act(Action::Back)).child(words::BACK)),
                way("reply")
                    .attr("aria-expanded", move || if ui.replying.get() { "true" } else { "false" })
                    .on(ev::click, move |_| open_reply(ui))
                    .child(words::REPLY),
                way("end-turn").on(ev::click, move |_| ui.act(Action::EndTurn)).child(words::END_TURN),
            )),
            panel,
        ))
        .into_any()
}

/// Why an answer was not taken, tied to the field by `aria-describedby`.
fn error(refusal: &Refusal) -> AnyView {
    let details = match refusal {
        Refusal::SchemaMismatch { details } => details.as_slice(),
        _ => &[],
    };
    let list = (!details.is_empty()).then(|| {
        let lines = details.iter().map(|violation| {
            let path = if violation.instance_path.is_empty() { "/".into() } else { violation.instance_path.clone() };
            html::li()
                .attr("data-path", violation.instance_path.clone())
                .attr("data-keyword", violation.keyword.clone())
                .child((html::code().child(words::shown(&path)), " ", words::shown(&violation.message)))
        });
        html::ul().child(lines.collect::<Vec<_>>())
    });
    html::div()
        .class("error")
        .attr("part", "error")
        .attr("data-code", refusal.code())
        .child((html::p().child(words::shown(&refusal.to_string())), list))
        .into_any()
}

fn checking(ui: Ui) -> AnyView {
    html::div().class("step").child((loading(ui, words::CHECKING), ways(ui, false))).into_any()
}

/// What stands where the schemas are needed and not there yet.
pub fn loading(ui: Ui, text: &'static str) -> AnyView {
    html::div()
        .class("notice")
        .attr("role", "status")
        .child(move || match ui.loading.get() {
            Loading::Running => html::p().child(text).into_any(),
            Loading::Failed => html::p().child((words::LOADING_FAILED, " ", again(ui, Again::Schemas))).into_any(),
        })
        .into_any()
}

fn delivery(ui: Ui) -> Option<AnyView> {
    let (state, text) = match ui.delivery.get() {
        Delivery::None => return None,
        Delivery::Sending => ("sending", words::SENDING.to_owned()),
        Delivery::Retrying => ("retrying", words::RETRYING.to_owned()),
        Delivery::Sent => ("sent", words::SENT.to_owned()),
        Delivery::Failed(said) => (
            "failed",
            said.map_or_else(
                || words::NOT_SENT.to_owned(),
                |said| format!("{} {}", words::NOT_SENT, words::shown(&said)),
            ),
        ),
    };
    let offer = matches!(state, "failed" | "retrying").then(|| again(ui, Again::Delivery));
    Some(
        html::p()
            .class("delivery")
            .attr("part", "delivery")
            .attr("role", "status")
            .attr("data-delivery", state)
            .child((text, " ", offer))
            .into_any(),
    )
}

fn again(ui: Ui, what: Again) -> AnyView {
    html::button()
        .attr("type", "button")
        .attr("part", "button")
        .attr("data-again", "")
        .on(ev::click, move |_| {
            if let Again::Schemas = what {
                ui.loading.set(Loading::Running);
            }
            ui.try_again(what);
        })
        .child(words::TRY_AGAIN)
        .into_any()
}

fn open_reply(ui: Ui) {
    ui.replying.set(true);
    ui.focus("#reply");
}

fn close_reply(ui: Ui) {
    ui.replying.set(false);
    ui.focus("[data-way=reply]");
}

fn press(ui: Ui, event: &ev::KeyboardEvent) {
    let target = event.target().and_then(|target| target.dyn_into::<Element>().ok());
    let name = event.key();
    let pressed = Pressed {
        key: &name,
        control: event.ctrl_key() || event.meta_key(),
        alt: event.alt_key(),
        in_text: target.as_ref().is_some_and(takes_text),
        composing: event.is_composing(),
    };
    let Some(key) = Key::of(&pressed) else { return };
    if do_key(ui, key, target.as_ref()) {
        event.prevent_default();
    }
}

/// Does what a key asks for; says whether it meant anything at this step.
fn do_key(ui: Ui, key: Key, target: Option<&Element>) -> bool {
    let Some(base) = ui.base.get_untracked() else { return false };
    let find = |selector: &str| {
        base.query_selector(selector).ok().flatten().and_then(|found| found.dyn_into::<HtmlElement>().ok())
    };
    let click = |selector: &str| find(selector).inspect(HtmlElement::click).is_some();
    match key {
        Key::Yes { remember: false } => click("[data-answer=yes]"),
        Key::Yes { remember: true } => click("[data-answer=yes-remember]"),
        Key::No { remember: false } => click("[data-answer=no]"),
        Key::No { remember: true } => click("[data-answer=no-remember]"),
        Key::Back => click("[data-way=back]"),
        Key::Reply => click("[data-way=reply]"),
        Key::EndTurn => click("[data-way=end-turn]"),
        Key::Option(place) => {
            match base.query_selector_all("[data-option]").ok().and_then(|options| options.get(place as u32)) {
                Some(option) => match option.dyn_into::<HtmlInputElement>() {
                    Ok(option) => {
                        option.click();
                        option.focus().is_ok()
                    }
                    Err(_) => false,
                },
                None => false,
            }
        }
        Key::Send => match target.and_then(|target| target.closest("form").ok().flatten()) {
            Some(form) => form.dyn_into::<HtmlFormElement>().is_ok_and(|form| form.request_submit().is_ok()),
            None => false,
        },
        Key::Leave => leave(ui, target),
    }
}

/// Esc leads from a field to the other ways to go on, and from there back to the field; it closes the reply first.
fn leave(ui: Ui, target: Option<&Element>) -> bool {
    if ui.replying.get_untracked() {
        close_reply(ui);
        return true;
    }
    let within =
        |selector: &str| target.is_some_and(|target| target.closest(selector).is_ok_and(|found| found.is_some()));
    if within(".ways") {
        ui.focus_question();
        return true;
    }
    if within("fieldset") {
        ui.focus("[data-way]");
        return true;
    }
    false
}

/// Whether typing goes into the element: a text area, or an input that is no radio, checkbox or button.
fn takes_text(element: &Element) -> bool {
    let input = element.dyn_ref::<HtmlInputElement>().map(HtmlInputElement::type_);
    element.is_instance_of::<HtmlTextAreaElement>()
        || input.is_some_and(|kind| !matches!(kind.as_str(), "radio" | "checkbox" | "button" | "submit"))
}
