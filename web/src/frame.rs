//! The frame around every step: who asks, the progress, the question, the error, and the ways to go on. What is asked
//! for is the prompt's to render.

use crate::{
    element::{El, button, el, isolated},
    guard::takes_text,
    keys::{Key, Pressed, Within},
    notice::{again, alert, loading},
    prompt::{self, Prompt, Read},
    receipt,
    ui::{Again, Delivery, Panel, Ui},
    words,
};
use ask_user_core::{Action, Advice, Asking, Asks, Given, Progress, Refusal, Review, Step, Walk, problem::Violation};
use reactive_graph::traits::{Get, Track};
use serde_json::Value;
use wasm_bindgen::JsCast;
use web_sys::{
    Element, Event, EventInit, HtmlElement, HtmlInputElement, HtmlTextAreaElement, KeyboardEvent, ShadowRoot,
};

/// The whole form.
pub fn view(ui: Ui) -> El {
    let spoken = el("p").attr("class", "spoken").attr("role", "status");
    let spoken = spoken.changing(move || Some(el("span").text(&announcement(ui))));
    let base = el("div").named("base", "base").attr("tabindex", "-1").on("keydown", move |event| press(ui, &event));
    let base = ["keydown", "keypress", "keyup"].iter().fold(base, |base, name| base.on(name, |event| keep(&event)));
    let base = ui.guard().watch(base);
    let shown = move || {
        ui.version.track();
        Some(step(ui))
    };
    let base = base
        .child(spoken)
        .changing(move || before(ui))
        .changing(shown)
        // It keeps the focus when the button in it goes.
        .child(el("div").attr("class", "delivering").attr("tabindex", "-1").changing(move || delivery(ui)))
        .changing(move || connection(ui));
    ui.show_in(base.node());
    ui.changed();
    base
}

fn step(ui: Ui) -> El {
    if let Some(how) = ui.closed() {
        return closed(ui, how);
    }
    ui.session(|session| match session.walk() {
        None if session.is_rejected() => alert(words::REJECTED),
        None => checking(ui),
        Some(walk) => match walk.step() {
            Step::Asking(asking) => question(ui, &asking),
            Step::Review(shown) => review(ui, walk, &shown),
            Step::Checking => checking(ui),
            Step::Done { .. } => walk.ending().map_or_else(|| checking(ui), |ending| receipt::view(walk, ending)),
        },
    })
}

/// What is spoken once the step is painted: not all screen readers hear text that comes with its element. The focus does not move to the
/// first question by itself, so its text is spoken too.
fn announcement(ui: Ui) -> String {
    let version = ui.version.get();
    let delivery = ui.delivery.get();
    if !ui.painted.get() {
        return String::new();
    }
    if let Some((_, text)) = delivered(&delivery) {
        return text.to_owned();
    }
    ui.session(|session| match session.walk().map(Walk::step) {
        Some(Step::Asking(asking)) => {
            let progress = asking.progress.map(|Progress { at, of }| words::spoken_progress(at, of));
            let progress = progress.unwrap_or_default();
            if version > 0 {
                return progress;
            }
            let text = words::shown(&asking.question.text);
            if progress.is_empty() { text } else { format!("{progress}: {text}") }
        }
        Some(Step::Review(_)) => words::REVIEW.to_owned(),
        _ => String::new(),
    })
}

fn question(ui: Ui, asking: &Asking) -> El {
    if asking.asks == Asks::Assistant {
        return consulting(ui, asking);
    }
    let question = &asking.question;
    let Prompt { body, read, hint, described } = prompt::view(ui, asking);
    let (note, read) = with_note(ui, asking, read);
    let described = if described { "context error suggestion" } else { "context error" };
    let header = question.header.as_ref();
    let header = header.map(|header| el("bdi").named("header", "header").text(&words::shown(header)));
    let legend = el("legend").attr("tabindex", "-1").attr("data-question-text", "").attr("dir", "auto");
    let legend = legend.children(header).child(isolated(&question.text).attr("class", "text isolated"));
    let legend = legend.children(question.optional.then(|| el("span").attr("class", "optional").text(words::OPTIONAL)));
    let context = question.context.as_deref().map(said);
    let rules = words::rules(&question.answer_type);
    let rules = (!rules.is_empty()).then(|| el("p").attr("class", "hint").text(&rules));
    let fieldset = el("fieldset")
        .attr("part", "question")
        .attr("aria-describedby", described)
        .child(legend)
        .child(el("div").attr("id", "context").children(context).children(rules))
        .child(body)
        .children(note)
        .child(
            el("div").attr("id", "error").attr("role", "alert").changing(move || ui.refusal.get().as_ref().map(error)),
        );
    let form = el("form").attr("novalidate", "").attr("autocomplete", "off").child(fieldset);
    let next = read.is_some().then(|| submit(words::CONTINUE));
    let skip = question
        .optional
        .then(|| button(words::SKIP).attr("data-skip", "").on_click(move || ui.act(Action::answer(Value::Null))));
    let buttons = el("div").attr("class", "buttons").children(next).children(skip);
    let form = if read.is_some() || question.optional { form.child(buttons) } else { form };
    let form = form.on("submit", move |event: Event| {
        event.prevent_default();
        if let Some(read) = &read {
            ui.act(read());
        }
    });
    el("div")
        .attr("class", "step")
        .attr("data-question", &question.id)
        .attr("data-type", question.answer_type.name())
        .children(unresumable(ui))
        .child(top(ui, asking.progress))
        .children(message(asking.message.as_deref()))
        .children(asking.advice.as_ref().map(advice))
        .child(form)
        .child(ways(ui, asking.back))
        .child(keys(hint, hint != words::KEYS_TEXT, asking.back))
}

/// The line that lists the keys.
fn keys(hint: &str, letters: bool, back: bool) -> El {
    el("p").named("keys", "keys").text(&words::keys(hint, letters, back))
}

/// A question that an assistant is asked in the person's place: it is seen, and the ways out are open.
fn consulting(ui: Ui, asking: &Asking) -> El {
    let question = &asking.question;
    el("div")
        .attr("class", "step")
        .attr("data-question", &question.id)
        .attr("data-type", question.answer_type.name())
        .attr("data-consulting", "")
        .child(top(ui, asking.progress))
        .child(
            el("h2")
                .attr("tabindex", "-1")
                .attr("data-question-text", "")
                .attr("dir", "auto")
                .text(&words::shown(&question.text)),
        )
        .child(el("p").attr("class", "hint").attr("role", "status").text(words::CONSULTING))
        .child(ways(ui, asking.back))
        .child(keys(words::KEYS_WAYS, true, asking.back))
}

/// What an assistant said against it.
fn advice(advice: &Advice) -> El {
    let name = el("p").attr("class", "name").text(words::ASSISTANT);
    let name = match &advice.model {
        Some(model) => name.text(" (").child(isolated(model)).text(")"),
        None => name,
    };
    el("div")
        .named("advice", "advice")
        .child(name.text(words::ADVISED))
        .child(el("p").attr("data-reason", "").attr("dir", "auto").text(&words::shown(&advice.reason)))
}

/// Something that the agent says beside the question.
fn said(text: &str) -> El {
    el("p").named("context", "context").attr("dir", "auto").text(&words::shown(text))
}

fn message(text: Option<&str>) -> Option<El> {
    text.map(|text| el("p").named("message", "message").attr("dir", "auto").text(&words::shown(text)))
}

/// The field for a note, where one may stand beside the answer, and the reading of the answer with it.
fn with_note(ui: Ui, asking: &Asking, read: Option<Read>) -> (Option<El>, Option<Read>) {
    let read = match read {
        Some(read) if asking.question.notes => read,
        read => return (None, read),
    };
    let area = el("textarea").attr("id", "note").attr("part", "input").attr("rows", "1").attr("dir", "auto");
    let restored = asking.draft_note.as_deref().unwrap_or_default();
    let (area, node) = prompt::kept(ui, area, format!("{}.note", asking.question.id), restored);
    let label = el("label").attr("for", "note").text(words::NOTE);
    let with_note = move || match read() {
        Action::Answer(given) => Action::Answer(Given { note: Some(prompt::text_in(&node)), ..given }),
        other => other,
    };
    (Some(el("div").attr("class", "note").child(label).child(area)), Some(Box::new(with_note)))
}

/// Who asks, and how far it is.
fn top(ui: Ui, progress: Option<Progress>) -> El {
    let label = move || {
        ui.relabelled.track();
        ui.session(|session| {
            let unnamed = session.walk().is_some_and(|walk| walk.form().names_asker());
            let label = || el("p").named("label", "label");
            let named = session.label().map(|name| label().child(isolated(name)).text(words::ASKS));
            named.or_else(|| unnamed.then(|| label().text(words::UNNAMED)))
        })
    };
    let progress = progress.map(|Progress { at, of }| {
        el("p").named("progress", "progress").attr("aria-hidden", "true").text(&words::progress(at, of))
    });
    el("div").attr("class", "top").changing(label).children(progress)
}

fn unresumable(ui: Ui) -> Option<El> {
    let why = ui.session(|session| session.unresumable().map(ToString::to_string));
    why.map(|why| alert(&words::unresumable(&why)))
}

fn review(ui: Ui, walk: &Walk, shown: &Review) -> El {
    let rows = walk.answers().zip(&shown.answers).filter_map(|((question, taken), reviewed)| {
        let change = reviewed.change.then(|| {
            let id = question.id.clone();
            button(words::CHANGE)
                .attr("data-change", &id)
                .attr("aria-label", &words::change_answer(&question.text))
                .on_click(move || ui.act(Action::Change(id.clone())))
        });
        Some(receipt::row(question, taken?, change))
    });
    el("div")
        .attr("class", "step")
        .attr("data-review", "")
        .children(unresumable(ui))
        .child(top(ui, None))
        .children(message(shown.message.as_deref()))
        .child(el("h2").attr("tabindex", "-1").attr("data-question-text", "").text(words::REVIEW))
        .child(el("p").attr("class", "context").text(words::REVIEW_HINT))
        .child(el("dl").children(rows))
        .child(
            button(words::SUBMIT)
                .named("primary", "button primary")
                .attr("data-submit", "")
                .on_click(move || ui.act(Action::Submit)),
        )
        .child(ways(ui, shown.back))
        .child(keys(words::KEYS_WAYS, true, shown.back))
}

/// The ways to go on other than an answer. They stand at every step.
fn ways(ui: Ui, back: bool) -> El {
    let way = |name: &str, text: &str| button(text).attr("data-way", name);
    let back = back.then(|| way("back", words::BACK).on_click(move || ui.act(Action::Back)));
    let opens = |name: &str, text: &str, panel: Panel, first: &'static [&'static str]| {
        way(name, text)
            .attr_from("aria-expanded", move || if ui.panel() == panel { "true" } else { "false" })
            .on_click(move || ui.open(panel, first))
    };
    let reply = opens("reply", words::REPLY, Panel::Reply, &["#reply"]);
    let end_turn = opens("end-turn", words::END_TURN, Panel::EndTurn, &["[data-end-turn]"]);
    let buttons = el("div").attr("class", "buttons").attr("role", "group").attr("aria-label", words::OTHER_WAYS);
    el("div").attr("class", "ways").child(buttons.children(back).child(reply).child(end_turn)).changing(
        move || match ui.panel() {
            Panel::Reply => Some(reply_panel(ui)),
            Panel::EndTurn => Some(end_turn_panel(ui)),
            Panel::None | Panel::Opened => None,
        },
    )
}

fn reply_panel(ui: Ui) -> El {
    let area = el("textarea")
        .attr("id", "reply")
        .attr("part", "input")
        .attr("rows", "2")
        .attr("dir", "auto")
        .attr("aria-describedby", "reply-hint")
        .prop("value", ui.typed("").unwrap_or_default());
    let node = area.node();
    let kept = node.clone();
    let value = |node: &HtmlElement| node.dyn_ref::<HtmlTextAreaElement>().map(HtmlTextAreaElement::value);
    let area = area.on("input", move |_| ui.keep_typed("", value(&kept).unwrap_or_default()));
    let send = move |event: Event| {
        event.prevent_default();
        ui.act(Action::Reply(value(&node).filter(|text| !text.is_empty())));
    };
    let submit = submit(words::SEND_REPLY).attr("data-send-reply", "");
    el("form")
        .named("reply", "reply")
        .child(el("label").attr("for", "reply").text(words::REPLY_LABEL))
        .child(area)
        .child(el("p").attr("id", "reply-hint").attr("class", "hint").text(words::REPLY_HINT))
        .child(el("div").attr("class", "buttons").child(submit).child(cancel(ui)))
        .on("submit", send)
}

/// Asks once more before the turn is ended.
fn end_turn_panel(ui: Ui) -> El {
    let end = button(words::END_TURN).named("primary", "button primary").attr("data-end-turn", "");
    let end = end.attr("aria-describedby", "end-turn-hint").on_click(move || ui.act(Action::EndTurn));
    el("div")
        .named("reply", "reply")
        .child(el("p").attr("id", "end-turn-hint").text(words::ASK_END_TURN))
        .child(el("div").attr("class", "buttons").child(end).child(cancel(ui)))
}

/// The button that closes the panel.
fn cancel(ui: Ui) -> El {
    button(words::CANCEL).attr("data-cancel", "").on_click(move || {
        close_panel(ui);
    })
}

/// The button that sends its form, as Enter does in a field of one line. The event of that is our own: a sandboxed frame may
/// allow no form to be sent, and then the browser makes none.
fn submit(text: &str) -> El {
    let button = el("button").named("primary", "button primary").attr("type", "submit").text(text);
    let node = button.node();
    button.on("click", move |event: Event| {
        event.prevent_default();
        let options = EventInit::new();
        options.set_cancelable(true);
        let sent = Event::new_with_event_init_dict("submit", &options).ok();
        if let (Some(form), Some(sent)) = (node.closest("form").ok().flatten(), sent) {
            // What its listeners make of it is theirs.
            drop(form.dispatch_event(&sent));
        }
    })
}

/// Why an answer was not taken, tied to the field by `aria-describedby`.
fn error(refusal: &Refusal) -> El {
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
        .child(el("p").attr("dir", "auto").text(&words::shown(&refusal.to_string())))
        .children((!details.is_empty()).then(|| el("ul").children(details.iter().map(line))))
}

fn checking(ui: Ui) -> El {
    el("div").attr("class", "step").child(loading(ui, words::CHECKING)).child(ways(ui, false))
}

/// A question that was closed elsewhere: it is read, and looks like nothing that could be answered.
fn closed(ui: Ui, why: usize) -> El {
    let text = ui.session(|session| match session.walk()?.step() {
        Step::Asking(asking) => Some(asking.question.text.clone()),
        Step::Review(_) | Step::Checking | Step::Done { .. } => None,
    });
    let text = text.map(|text| el("p").attr("class", "context").attr("dir", "auto").text(&words::shown(&text)));
    el("div").named("closed", "closed").children(text).child(is_closed(why, false))
}

fn is_closed(why: usize, before: bool) -> El {
    el("p").attr("role", "status").attr("data-closed", "").text(&words::closed(why, before))
}

/// Why the question before this one was closed.
fn before(ui: Ui) -> Option<El> {
    let why = ui.before.get().checked_sub(1)?;
    Some(is_closed(why, true).attr("class", "closed"))
}

/// That the host cannot be heard, while there is something that it could say.
fn connection(ui: Ui) -> Option<El> {
    let shown = || el("p").named("delivery", "delivery").attr("role", "status").attr("data-offline", "");
    ui.offline.get().then(|| shown().text(words::OFFLINE))
}

fn delivery(ui: Ui) -> Option<El> {
    let delivery = ui.delivery.get();
    let (state, text) = delivered(&delivery)?;
    let said = match &delivery {
        Delivery::Failed(Some(said)) => words::shown(said),
        _ => String::new(),
    };
    let offer = match delivery {
        Delivery::Held => Some(button(words::UNDO).attr("data-undo", "").on_click(move || ui.undo())),
        Delivery::Failed(_) | Delivery::Retrying => Some(again(ui, Again::Delivery)),
        Delivery::None | Delivery::Sending | Delivery::Sent => None,
    };
    let shown = el("p").named("delivery", "delivery").attr("data-delivery", state).text(text);
    Some(shown.text(" ").text(&said).text(" ").children(offer))
}

/// The name of a state of the delivery, and the words for it.
fn delivered(delivery: &Delivery) -> Option<(&'static str, &'static str)> {
    match delivery {
        Delivery::None => None,
        Delivery::Held => Some(("held", words::HELD)),
        Delivery::Sending => Some(("sending", words::SENDING)),
        Delivery::Retrying => Some(("retrying", words::RETRYING)),
        Delivery::Sent => Some(("sent", words::SENT)),
        Delivery::Failed(_) => Some(("failed", words::NOT_SENT)),
    }
}

/// Closes the panel beside the question, and says whether there was one.
fn close_panel(ui: Ui) -> bool {
    let way: &[&str] = if ui.is_open(Panel::Reply) {
        &["[data-way=reply]"]
    } else if ui.is_open(Panel::EndTurn) {
        &["[data-way=end-turn]"]
    } else {
        return false;
    };
    ui.open(Panel::None, way);
    true
}

fn press(ui: Ui, event: &Event) {
    // In a frame of this page, events are of another kind of the same name.
    let event: &KeyboardEvent = event.unchecked_ref();
    // What the editor has made use of is done.
    if event.default_prevented() || !ui.guard().counts(event) {
        return;
    }
    let target = event.target().and_then(|target| target.dyn_into::<Element>().ok());
    let name = event.key();
    let pressed = Pressed {
        key: &name,
        control: event.ctrl_key() || event.meta_key(),
        alt: event.alt_key(),
        shift: event.shift_key()
            || (name.as_bytes().iter().all(u8::is_ascii_uppercase) && !event.get_modifier_state("CapsLock")),
        within: within(target.as_ref()),
        shortcuts: has_shortcuts(ui),
        composing: event.is_composing(),
    };
    let acted = Key::of(&pressed).is_some_and(|key| do_key(ui, key, target.as_ref()));
    if acted {
        event.prevent_default();
    }
    if acted {
        event.stop_propagation();
    }
}

/// Keeps from the page what is typed into a field or a list. The page sees the element alone, and would take the keys for its own shortcuts.
fn keep(event: &Event) {
    let event: &KeyboardEvent = event.unchecked_ref();
    let target = event.target().and_then(|target| target.dyn_into::<Element>().ok());
    let is_modified = event.ctrl_key() || event.meta_key() || event.alt_key();
    if !is_modified && event.key().chars().count() == 1 && within(target.as_ref()) != Within::Other {
        event.stop_propagation();
    }
}

fn within(target: Option<&Element>) -> Within {
    match target {
        Some(target) if takes_text(target) => Within::Text,
        Some(target) if target.is_instance_of::<HtmlInputElement>() => Within::List,
        _ => Within::Other,
    }
}

fn is_in_dialog(ui: Ui) -> bool {
    let host = || ui.base()?.get_root_node().dyn_into::<ShadowRoot>().ok().map(|root| root.host());
    host().is_some_and(|host| host.closest("dialog, [popover]").is_ok_and(|found| found.is_some()))
}

/// Whether keys without a modifier act: not beside an open panel, nor where the line that lists them is not shown.
fn has_shortcuts(ui: Ui) -> bool {
    let listed = || ui.base()?.query_selector(".keys").ok()?;
    ui.is_open(Panel::None) && listed().is_some_and(|keys| keys.client_height() > 0)
}

/// Does what a key asks for; says whether it meant anything at this step.
fn do_key(ui: Ui, key: Key, target: Option<&Element>) -> bool {
    let Some(base) = ui.base() else { return false };
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
            match base
                .query_selector_all("[data-option], [data-other]")
                .ok()
                .and_then(|options| options.get(place as u32))
            {
                Some(option) => match option.dyn_into::<HtmlInputElement>() {
                    Ok(option) => {
                        option.click();
                        // What stands in place of an option is written next.
                        let text = option.has_attribute("data-other").then(|| find("#other")).flatten();
                        text.map_or_else(|| option.focus(), |text| text.focus()).is_ok()
                    }
                    Err(_) => false,
                },
                None => false,
            }
        }
        Key::Send => {
            let form = target.and_then(|target| target.closest("form").ok().flatten());
            let button = form.and_then(|form| form.query_selector("[type=submit]").ok().flatten());
            button.and_then(|button| button.dyn_into().ok()).inspect(HtmlElement::click).is_some()
        }
        Key::Leave => leave(ui, target),
    }
}

/// Esc leads from a field to the other ways to go on, and from there back to the field; it closes the reply first.
fn leave(ui: Ui, target: Option<&Element>) -> bool {
    if close_panel(ui) {
        return true;
    }
    let within =
        |selector: &str| target.is_some_and(|target| target.closest(selector).is_ok_and(|found| found.is_some()));
    if within(".ways") {
        // A dialog is closed from here.
        if is_in_dialog(ui) {
            return false;
        }
        ui.focus_question();
        return true;
    }
    if within(".step") {
        ui.focus(&["[data-way]"]);
        return true;
    }
    false
}
