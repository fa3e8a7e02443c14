//! The frame around every step: who asks, the progress, the question, the error, and the ways to go on. What is asked
//! for is the prompt's to render.

#[cfg(page)]
use crate::tabs::{Parts, Tabs};
use crate::{
    actions,
    card::{Card, card},
    closed, confirm,
    dom::{Event, JsCast, KeyboardEvent},
    element::{El, button, el, isolated},
    keyboard::{keep, press},
    language::{self, Said, Word, text},
    layout,
    next::Next,
    notice::{self, again, alert, loading},
    page,
    prompt::approval,
    receipt,
    session::Session,
    ui::{Again, Delivery, Ui},
    words,
};
use ask_user_core::{Action, Asking, Asks, Ending, Host, Progress, Review, Step, Walk};
use leptos::prelude::{Get, Track};
use serde_json::Value;

/// The whole form, in its language.
pub fn view(ui: Ui) -> El {
    spoken(ui, whole)
}

/// A walk that is only shown, in the language of the form.
pub fn past(ui: Ui) -> El {
    spoken(ui, read_only)
}

fn spoken(ui: Ui, view: fn(Ui) -> El) -> El {
    let mut made = None;
    language::within(Some(ui.language()), &mut || made = Some(view(ui)));
    made.expect("it is made at once")
}

fn whole(ui: Ui) -> El {
    let spoken = el("p").attr("class", "spoken").attr("role", "status");
    let spoken = spoken.changing(move || Some(el("span").attr("data-md", "spoken").say_value(&announcement(ui))));
    let base = el("div").named("base", "base").attr("tabindex", "-1").on("keydown", move |event| press(ui, &event));
    let base = base.on("focusin", move |event| ui.note_focus(&event));
    let base = ["keydown", "keypress", "keyup"].iter().fold(base, |base, name| base.on(name, |event| keep(&event)));
    let base = ui.guard().watch(base).on("keydown", move |event| {
        // What has become narrower or wider since scrolls, or does so no more.
        if event.unchecked_ref::<KeyboardEvent>().key() == "Tab" {
            ui.reach_scrolling();
        }
    });
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

/// A walk without a key, a button or a word that is spoken.
fn read_only(ui: Ui) -> El {
    let shown = move || {
        ui.version.track();
        Some(ui.session(|session| match session.walk() {
            Some(walk) => walk.ending().map_or_else(|| receipt::unfinished(walk), |ending| receipt(ui, walk, ending)),
            None if session.is_rejected() || session.unresumable().is_some() => alert().say(words::NO_RECEIPT),
            None => el("p").attr("class", "notice").say(words::LOADING),
        }))
    };
    let base = el("div").named("base", "base").changing(shown);
    ui.show_in(base.node());
    base
}

fn step(ui: Ui) -> El {
    let is_open = ui.closed().is_none();
    let is_held = ui.session(Session::is_held);
    let ends = ui.session(|session| session.walk().is_some_and(|walk| walk.ending().is_some()));
    ui.guard().asks(is_open && (is_held || !ends));
    if let Some(how) = ui.closed() {
        return closed::view(ui, how);
    }
    let is_servers = ui.session(|session| session.walk().is_some_and(|walk| walk.form().names_asker()));
    let step = ui.session(|session| match session.walk() {
        None if session.is_rejected() => receipt::rejected(session.asked(), session.was_shown()),
        None => checking(ui),
        Some(walk) => match walk.step() {
            Step::Asking(asking) => match &walk.approvals()[..] {
                [] => match layout::places(session.layout(), walk) {
                    page if page.is_empty() => question(ui, &asking),
                    page => paged(ui, walk, page),
                },
                page => approvals(ui, page, walk.form().host()),
            },
            Step::Review(shown) => review(ui, walk, &shown),
            Step::Checking => checking(ui),
            Step::Waiting { back } => waiting(ui, back, walk.is_over()),
            Step::Done { .. } => walk.ending().map_or_else(|| checking(ui), |ending| receipt(ui, walk, ending)),
        },
    });
    // In what a server writes, nothing is a link.
    step.attr_if(is_servers, "data-server", "")
}

fn receipt(ui: Ui, walk: &Walk, ending: &Ending) -> El {
    let is_pending =
        move || matches!(ui.delivery.get(), Delivery::Retrying | Delivery::Failed(_) | Delivery::Refused(_));
    let typed = ui.all_typed();
    receipt::view(walk, ending, &|question| closed::unsent(&typed, question), is_pending)
}

/// What is spoken once the step is painted: not all screen readers hear text that comes with its element. The focus does not move to the
/// first question by itself, so its text is spoken too.
fn announcement(ui: Ui) -> Said {
    let version = ui.version.get();
    let delivery = ui.delivery.get();
    if !ui.painted.get() {
        return text("");
    }
    if let Some((_, word)) = delivered(&delivery) {
        return word.alone();
    }
    ui.session(|session| match session.walk().map(Walk::step) {
        Some(Step::Asking(asking)) => {
            let progress = asking.progress.map(|Progress { at, of }| words::progress(words::PROGRESS_SPOKEN, at, of));
            // Asked of calls alone: a first question that is none does not need it.
            let call =
                asking.question.answer_type.approval().and_then(|_| words::call(&asking.question, session.label()));
            let is_named = call.is_some();
            let question = call.map_or_else(|| words::asked(&asking.question), |(said, _)| said);
            // Who asks is said once, before all else.
            let label = session.label().filter(|_| version == 0 && !is_named);
            let question = match label {
                Some(name) => words::SPOKEN.with(&[
                    ("progress", &words::ASKS.with(&[("name", &text(&words::shown(name)))])),
                    ("question", &question),
                ]),
                None => question,
            };
            // A page has no one question.
            match progress.filter(|_| ui.found("[data-page]").is_none()) {
                None if version > 0 => text(""),
                None => question,
                Some(progress) if version > 0 => progress,
                Some(progress) => words::SPOKEN.with(&[("progress", &progress), ("question", &question)]),
            }
        }
        Some(Step::Review(_)) => words::REVIEW.alone(),
        Some(Step::Waiting { .. }) => waiting_for(session.walk().is_some_and(Walk::is_over)).alone(),
        _ => text(""),
    })
}

fn question(ui: Ui, asking: &Asking) -> El {
    if asking.asks == Asks::Assistant {
        return consulting(ui, asking);
    }
    let Card { fieldset, read, keys, beside } = card(ui, asking);
    let (typed, read) = (read.is_some(), read.map(std::rc::Rc::new));
    let next = read.clone().map(|read| {
        let id = asking.question.id.clone();
        let given = move || match read() {
            Action::Answer(given) => vec![(id.clone(), given)],
            _ => Vec::new(),
        };
        Next::new(ui, std::slice::from_ref(&asking.question.id), is_last(ui, asking), std::rc::Rc::new(given))
    });
    let (next, word) = next.unzip();
    let skip = asking
        .question
        .optional
        .then(|| button(words::SKIP).attr("data-skip", "").on_click(move || ui.act(Action::answer(Value::Null))));
    let form = form().child(fieldset).on("input", move |_| {
        ui.reconsider();
        if let Some(word) = &word {
            word.changed();
        }
    });
    let form = form.on("submit", move |event: Event| {
        event.prevent_default();
        if let Some(read) = &read {
            ui.act(read());
        }
    });
    let actions = actions::view(ui, next.into_iter().chain(beside).chain(skip), asking.back);
    stepped(ui, asking, asking.progress)
        .children(message(asking.message.as_deref()))
        .children(asking.advice.as_ref().map(notice::advice))
        .child(form)
        .child(actions)
        .changing(move || confirm::view(ui))
        .changing(actions::keys(ui, keys, typed, asking.back))
}

/// The element of a step, with who asks and how far it is.
fn stepped(ui: Ui, asking: &Asking, progress: Option<Progress>) -> El {
    el("div")
        .attr("class", "step")
        .attr("data-question", &asking.question.id)
        .attr("data-type", asking.question.answer_type.name())
        .children(unresumable(ui))
        .child(top(ui, progress))
        .children(gone_on(ui))
}

/// Where the agent does not wait for the answer, the person reads so.
fn gone_on(ui: Ui) -> Option<El> {
    let waits = ui.session(|session| session.walk().is_none_or(|walk| walk.form().is_blocking()));
    (!waits).then(|| el("p").attr("class", "hint").attr("data-gone-on", "").say(words::GONE_ON))
}

fn form() -> El {
    el("form").attr("id", actions::FORM).attr("novalidate", "").attr("autocomplete", "off")
}

/// Whether no question and no review can come after this one.
fn is_last(ui: Ui, asking: &Asking) -> bool {
    let reviewed = ui.session(|session| session.walk().is_some_and(|walk| walk.form().review()));
    !reviewed && asking.progress.is_none_or(|Progress { at, of }| of == Some(at))
}

/// The tool calls to decide on, on one page.
fn approvals(ui: Ui, page: &[Asking], host: &Host) -> El {
    let Some(asking) = page.first() else { return el("div") };
    let (calls, shown, sends) = approval::view(ui, page, host);
    let keys = if calls.is_by_key() { words::KEYS_APPROVE } else { &[] };
    let form = form().children(shown).on("submit", move |event: Event| {
        event.prevent_default();
        if !calls.are_unseen() {
            ui.act_all(calls.read(), false);
        }
    });
    stepped(ui, asking, asking.progress.filter(|_| page.len() == 1))
        .children(message(asking.message.as_deref()))
        .child(form)
        .child(actions::view(ui, sends, asking.back))
        .changing(actions::keys(ui, keys, true, asking.back))
}

/// Several questions on one page.
fn paged(ui: Ui, walk: &Walk, first: Vec<Asking>) -> El {
    let Some(asking) = first.first() else { return el("div") };
    // Without a script, nothing shows another tab.
    #[cfg(page)]
    if ui.session(|session| layout::is_tabbed(session.layout(), walk)) {
        return tabbed(ui, walk, &first, asking);
    }
    let page = page::Page::new(ui, walk, &first);
    let (shown, changed) = (page.view(), std::rc::Rc::clone(&page));
    let sends = page.sends;
    let answers = std::rc::Rc::clone(&page);
    let (send, word) = Next::new(ui, &page.ids, sends, std::rc::Rc::new(move || answers.read()));
    let form = form().child(page.wrong()).children(shown);
    let form = form.on("input", move |_| {
        ui.reconsider();
        changed.changed();
        word.changed();
    });
    let form = form.on("submit", move |event: Event| {
        event.prevent_default();
        if page.changed() {
            // The person has not seen all that would be sent.
            ui.guard().settle();
        } else {
            ui.act_all(page.read(), sends);
        }
    });
    stepped(ui, asking, None)
        .attr("data-page", "")
        .children(message(asking.message.as_deref()))
        .child(form)
        .child(actions::view(ui, [send], asking.back))
        .changing(move || confirm::view(ui))
        .changing(actions::keys(ui, &[], true, asking.back))
}

/// Several questions, of which one is shown at a time.
#[cfg(page)]
fn tabbed(ui: Ui, walk: &Walk, first: &[Asking], asking: &Asking) -> El {
    let page = page::Page::new(ui.tabbed(), walk, first);
    let Parts { tabs, list, panels, spoken, buttons } = Tabs::of(ui, &page);
    let [typed, pressed] = [(); 2].map(|()| std::rc::Rc::clone(&tabs));
    let form = form().child(panels).on("input", move |_| {
        ui.reconsider();
        typed.changed();
    });
    let form = form.on("submit", move |event: Event| {
        event.prevent_default();
        tabs.go_on();
    });
    stepped(ui, asking, None)
        .attr("data-page", "")
        .attr("data-tabs", "")
        .on("keydown", move |event| pressed.press(&event))
        .child(spoken)
        .children(message(asking.message.as_deref()))
        .child(list)
        .child(form)
        .child(actions::view(ui, buttons, asking.back))
        .changing(move || confirm::view(ui))
        .changing(actions::keys(ui, words::KEYS_TABS, true, asking.back))
}

/// A question that an assistant is asked in the person's place: it is seen, and the ways out are open.
fn consulting(ui: Ui, asking: &Asking) -> El {
    stepped(ui, asking, asking.progress)
        .attr("data-consulting", "")
        .child(heading().asked(&asking.question))
        .child(el("p").attr("class", "hint").attr("role", "status").say(words::CONSULTING))
        .child(actions::view(ui, [], asking.back))
        .changing(actions::keys(ui, &[], false, asking.back))
}

/// The heading of a step that has no field.
fn heading() -> El {
    el("h2").attr("tabindex", "-1").attr("data-question-text", "").attr("dir", "auto")
}

fn message(text: Option<&str>) -> Option<El> {
    text.map(|text| el("p").named("message", "message").attr("dir", "auto").markdown("block", text))
}

/// Who asks, and how far it is.
fn top(ui: Ui, progress: Option<Progress>) -> El {
    let label = move || {
        ui.relabelled.track();
        ui.session(|session| {
            let unnamed = session.walk().is_some_and(|walk| walk.form().names_asker());
            let label = || el("p").named("label", "label");
            let named = session
                .label()
                .map(|name| label().say_around(words::ASKS, isolated(name).attr("class", "isolated who")));
            named.or_else(|| unnamed.then(|| label().say(words::UNNAMED)))
        })
    };
    let shown = progress.map(|Progress { at, of }| {
        let shown = el("p").named("progress", "progress").attr("aria-hidden", "true");
        shown.say_value(&words::progress(words::PROGRESS, at, of))
    });
    let bar = progress.map(|Progress { at, of }| {
        let bar = el("progress")
            .attr("part", "bar")
            .attr("max", &of.unwrap_or(at + 1).to_string())
            .attr("value", &at.to_string());
        // It is spoken with the question.
        bar.attr("aria-hidden", "true")
    });
    el("div").attr("class", "top").changing(label).children(shown).children(bar)
}

fn unresumable(ui: Ui) -> Option<El> {
    ui.session(|session| session.unresumable().is_some()).then(|| alert().say(words::UNRESUMABLE))
}

fn review(ui: Ui, walk: &Walk, shown: &Review) -> El {
    let rows = walk.answered().zip(&shown.answers).filter_map(|((question, taken), reviewed)| {
        let change = reviewed.change.then(|| {
            let id = question.id.clone();
            let said = words::CHANGE_ANSWER.with(&[("question", &words::asked(question))]);
            let button = button(words::CHANGE).attr("data-change", &id);
            language::say(&button.node(), "aria-label", &said);
            button.on_click(move || ui.act(Action::Change(id.clone())))
        });
        Some(receipt::row(question, taken?, change))
    });
    let send = button(words::SEND_ANSWERS).named("primary", "button primary").attr("data-submit", "");
    el("div")
        .attr("class", "step")
        .attr("data-review", "")
        .children(unresumable(ui))
        .child(top(ui, None))
        .children(message(shown.message.as_deref()))
        .child(heading().say(words::REVIEW))
        .child(el("p").attr("class", "context").say(words::REVIEW_HINT))
        .child(el("dl").children(rows))
        .child(actions::view(ui, [send.on_click(move || ui.act(Action::Submit))], shown.back))
        .changing(actions::keys(ui, &[], false, shown.back))
}

fn checking(ui: Ui) -> El {
    el("div").attr("class", "step").child(loading(ui, words::LOADING)).child(actions::view(ui, [], false))
}

/// What stands in the place of a question that is still being written. A person who has replied has nothing left to do.
fn waiting(ui: Ui, back: bool, is_over: bool) -> El {
    let ways = (!is_over).then(|| actions::view(ui, [], back));
    el("div")
        .attr("class", "step")
        .attr("data-waiting", "")
        .child(top(ui, None))
        .child(heading().say(waiting_for(is_over)))
        .children(ways)
        .changing(actions::keys(ui, &[], false, back))
}

/// What is waited for, once the person has replied or before.
fn waiting_for(is_over: bool) -> Word {
    if is_over { words::WAITING_TO_REPLY } else { words::WAITING }
}

/// Why the question before this one was closed.
fn before(ui: Ui) -> Option<El> {
    let why = ui.before.get().checked_sub(1)?;
    Some(closed::why(why, true).attr("class", "closed"))
}

/// That the host cannot be heard, while there is something that it could say.
fn connection(ui: Ui) -> Option<El> {
    let shown = || el("p").named("delivery", "delivery").attr("role", "status").attr("data-offline", "");
    ui.offline.get().then(|| shown().say(words::OFFLINE))
}

fn delivery(ui: Ui) -> Option<El> {
    let delivery = ui.delivery.get();
    let (state, word) = delivered(&delivery)?;
    let said = match &delivery {
        Delivery::Failed(Some(said)) | Delivery::Refused(Some(said)) => text(&words::shown(said)),
        _ => text(""),
    };
    let back = || button(words::BACK).attr("data-reopen", "").on_click(move || ui.reopen());
    let back = (matches!(delivery, Delivery::Refused(_)) && ui.session(|session| session.walk().is_some())).then(back);
    let offer = match delivery {
        Delivery::Held => Some(button(words::UNDO).attr("data-undo", "").on_click(move || ui.undo())),
        Delivery::Failed(_) | Delivery::Refused(_) | Delivery::Retrying => Some(again(ui, Again::Delivery)),
        Delivery::None | Delivery::Sending | Delivery::Sent => None,
    };
    let shown = el("p").named("delivery", "delivery").attr("data-delivery", state).say(word);
    Some(shown.text(" ").say_value(&said).text(" ").children(offer).text(" ").children(back))
}

/// The name of a state of the delivery, and the words for it.
fn delivered(delivery: &Delivery) -> Option<(&'static str, Word)> {
    match delivery {
        Delivery::None => None,
        Delivery::Held => Some(("held", words::HELD)),
        Delivery::Sending => Some(("sending", words::SENDING)),
        Delivery::Retrying => Some(("retrying", words::RETRYING)),
        Delivery::Sent => Some(("sent", words::SENT)),
        Delivery::Failed(_) | Delivery::Refused(_) => Some(("failed", words::NOT_SENT)),
    }
}
