//! Tool calls to decide on. One call has buttons, and approving it is one click. Several stand on one page, each with its own decision, and are sent
//! together. No key approves, and nothing is chosen before the person chooses it.

use super::{command, invalid_call, kept};
use crate::{
    actions, arguments,
    dom::{HtmlElement, JsCast, KeyboardEvent},
    element::{El, button, el, isolated, submit},
    language::Word,
    notice,
    rows::check,
    sight::Sight,
    ui::{self, Ui},
    words,
};
use ask_user_core::{
    Act, Approval, Asking, Content, Covered, Decision, Given, Grant, Host, Question, Refusal, Risk, RiskKind, Scope,
    json,
};
use leptos::prelude::{Get, GetUntracked, RwSignal, Set, Track};
use serde_json::{Map, Value};
use std::{cell::RefCell, rc::Rc, sync::Arc};

/// The calls of a page.
pub struct Calls {
    ui: Ui,
    calls: Vec<Call>,
}

/// One call, while the person decides.
struct Call {
    id: String,
    /// The place of the decision among [`Decision::ALL`], from 1; 0 for none.
    chosen: RwSignal<usize>,
    reach: Reach,
    /// What the edited arguments begin with.
    arguments: String,
    /// What the words begin with.
    message: String,
    /// The control of "approve", where there are several calls.
    approve: Option<HtmlElement>,
    /// Whether Ctrl+Enter approves it.
    by_key: bool,
    unseen: Unseen,
}

/// What of a call was not in sight yet, and whether the person has been told.
#[derive(Clone)]
struct Unseen {
    sight: Sight,
    told: RwSignal<bool>,
}

/// How far each decision on a call reaches. Nothing but the call itself is chosen before the person chooses it, and nothing is kept.
#[derive(Clone)]
struct Reach {
    question: Arc<Question>,
    /// The place of the chosen way for an approval and for a rejection, from 1; 0 for none.
    chosen: [RwSignal<usize>; 2],
    /// What of each way was in sight: a rule, and a name that says more than the button.
    seen: Rc<RefCell<Vec<Sight>>>,
}

/// How agents call a decision on the call alone that says no more than the button does.
const PLAIN: [(Decision, &[&str]); 2] = [
    (
        Decision::Approve,
        &["yes", "yes, this time", "allow", "allow once", "allow this call", "approve", "accept", "ok"],
    ),
    (Decision::Reject, &["no", "reject", "reject once", "deny", "decline"]),
];

impl Reach {
    fn new(question: &Arc<Question>) -> Self {
        let plain = |decision| Some(question.answer_type.approval()?.plain_way(decision)? + 1);
        let chosen = [Decision::Approve, Decision::Reject].map(|decision| RwSignal::new(plain(decision).unwrap_or(0)));
        let ways = question.answer_type.approval().map_or(0, |approval| approval.grants.len());
        Self { question: Arc::clone(question), chosen, seen: Rc::new(RefCell::new(vec![Sight::default(); ways])) }
    }

    fn of(&self, decision: Decision) -> RwSignal<usize> {
        self.chosen[usize::from(decision == Decision::Reject)]
    }

    /// The ways to take a decision that the agent offers, each with its place.
    fn ways(&self, decision: Decision) -> impl Iterator<Item = (usize, &Grant)> {
        let approval = self.question.answer_type.approval();
        approval.into_iter().flat_map(move |approval| approval.ways(decision, self.question.danger))
    }

    /// The grant that an answer names: none where the decision is about the call alone.
    fn grant(&self, decision: Decision) -> Option<Value> {
        let place = self.of(decision).get_untracked().checked_sub(1)?;
        let approval = self.question.answer_type.approval()?;
        let way = approval.grants.get(place).filter(|_| approval.plain_way(decision) != Some(place))?;
        Some(Value::Object(way.to_json()))
    }

    /// What has to be in sight before a decision counts, as it is chosen now.
    fn sight(&self, decision: Decision) -> Option<Sight> {
        let place = self.of(decision).get_untracked().checked_sub(1)?;
        let (_, way) = self.ways(decision).find(|(one, _)| *one == place)?;
        (!is_plain(way)).then(|| self.seen.borrow().get(place).cloned()).flatten()
    }

    /// The end of what is shown of a way. It stands behind it.
    fn end(&self, place: usize) -> Option<El> {
        let sight = Sight::default();
        let end = sight.end();
        *self.seen.borrow_mut().get_mut(place)? = sight;
        Some(end)
    }

    /// Whether a decision can reach differently far.
    fn is_offered(&self, decision: Decision) -> bool {
        let mut ways = self.ways(decision);
        ways.next().is_some_and(|(_, way)| way.scope != Scope::Once || ways.next().is_some())
    }

    /// What the agent calls a decision that reaches no further than the call, where that says more than the button.
    #[cold]
    #[inline(never)]
    fn name(&self, decision: Decision) -> Option<&str> {
        self.way(decision).map(|(_, way)| way.shown.as_str())
    }

    /// The only way to take a decision, where its name says more than the button.
    fn way(&self, decision: Decision) -> Option<(usize, &Grant)> {
        self.ways(decision).next().filter(|(_, way)| !self.is_offered(decision) && !is_plain(way))
    }

    /// The same, to be shown.
    fn named(&self, decision: Decision, id: &str) -> Option<El> {
        let (place, way) = self.way(decision)?;
        let name = el("span").attr("class", "description").attr("id", &name_id(decision, id));
        Some(notice::reaches(name.attr("data-name", decision.name()), way).children(self.end(place)))
    }

    /// The ways to take a decision, to choose from: each with the agent's rule in full.
    #[cold]
    #[inline(never)]
    fn view(&self, decision: Decision, id: &str) -> Option<El> {
        if !self.is_offered(decision) {
            return None;
        }
        let group = format!("reach-{}-{id}", decision.name());
        let mut shown = el("fieldset").attr("class", "reach").attr("data-reach", decision.name());
        shown = shown.child(el("legend").say(words::REACH));
        for (place, way) in self.ways(decision) {
            let chosen = self.of(decision);
            let name = format!("{group}-{place}");
            let rule_id = format!("{name}-rule");
            let radio = el("input").attr("type", "radio").attr("part", "radio").attr("id", &name).attr("name", &group);
            let radio = radio.attr("data-grant", way.scope.name()).prop("checked", chosen.get_untracked() == place + 1);
            let radio = without_enter(radio.on("change", move |_| chosen.set(place + 1)));
            let scope = match way.scope {
                Scope::Once => words::ONCE,
                Scope::Session => words::FOR_SESSION,
                Scope::Always => words::FROM_NOW_ON,
            };
            let rule = notice::reaches(el("span").attr("id", &rule_id).attr("class", "description"), way);
            let rule = rule.children(way.covered.map(covered)).children(self.end(place));
            let label = el("label").attr("for", &name).child(el("span").say(scope)).child(rule);
            let option = el("div").named("option", "option");
            shown = shown.child(option.child(radio.attr("aria-describedby", &rule_id)).child(label));
        }
        Some(shown)
    }
}

/// Whether the name of a way says no more than the button of its decision.
fn is_plain(way: &Grant) -> bool {
    let is_it = |plain: &&str| way.shown.trim().eq_ignore_ascii_case(plain);
    way.scope == Scope::Once
        && PLAIN.iter().any(|(decision, plain)| *decision == way.decision && plain.iter().any(is_it))
}

/// How many earlier calls of the turn a rule would have covered.
#[cold]
#[inline(never)]
fn covered(covered: Covered) -> El {
    let values = [("number", &*covered.calls.to_string()), ("of", &covered.of.to_string())];
    el("span").attr("class", "covered").attr("data-covered", "").text("\n").say_value(&words::COVERED.with(&values))
}

/// The id of what an agent calls a decision.
fn name_id(decision: Decision, id: &str) -> String {
    format!("name-{}-{id}", decision.name())
}

/// A radio that sends nothing by Enter, as a browser lets it.
fn without_enter(radio: El) -> El {
    radio.on("keydown", |event| {
        if event.unchecked_ref::<KeyboardEvent>().key() == "Enter" {
            event.prevent_default();
        }
    })
}

impl Unseen {
    /// Whether a decision does not count yet. What has not been seen is shown then.
    fn stops(&self, ui: Ui, reach: &Reach, decision: Decision) -> bool {
        let runs = matches!(decision, Decision::Approve | Decision::Edit);
        let stops = runs && self.sight.reveal() || reach.sight(decision).is_some_and(|sight| sight.reveal());
        self.told.set(stops);
        if stops {
            ui.guard().settle();
        }
        stops
    }
}

/// What reads the calls of a page, their views, and the buttons that send them together.
pub fn view(ui: Ui, page: &[Asking], host: &Host) -> (Rc<Calls>, Vec<El>, Vec<El>) {
    let single = page.len() == 1;
    let mut calls = Calls { ui, calls: Vec::new() };
    let (mut shown, mut sends) = (Vec::new(), Vec::new());
    for asking in page {
        let Some(approval) = asking.question.answer_type.approval() else { continue };
        let (call, body) = call(ui, asking, approval, host, single);
        calls.calls.push(call);
        shown.push(body);
    }
    let can_approve =
        |asking: &Asking| asking.question.answer_type.approval().is_some_and(|call| call.allows(Decision::Approve));
    let calls = Rc::new(calls);
    if !single {
        sends.push(actions::send(words::SEND_DECISIONS));
        sends.extend((host.approve_all && page.iter().all(can_approve)).then(|| approving(Rc::clone(&calls))));
    }
    (calls, shown, sends)
}

/// The button that approves each call that is not decided yet, and sends all.
fn approving(calls: Rc<Calls>) -> El {
    el("span").attr("class", "contents").changing(move || {
        let open = calls.calls.iter().filter(|call| call.chosen.get() == 0).count();
        let word = match open {
            0 => return None,
            open if open == calls.calls.len() => words::APPROVE_ALL,
            _ => words::APPROVE_REST,
        };
        let label = el("span").say_value(&word.with(&[("number", &*open.to_string())]));
        let all = Rc::clone(&calls);
        let button = el("button").attr("type", "button").attr("part", "button").attr("data-approve-all", "");
        Some(button.child(label).on_click(move || all.approve_all()))
    })
}

impl Calls {
    /// Whether Ctrl+Enter approves the only call.
    pub fn is_by_key(&self) -> bool {
        self.calls.iter().any(|call| call.by_key)
    }

    /// What the person has decided so far: an answer for each call, null where there is none.
    pub fn read(&self) -> Vec<(String, Given)> {
        self.calls.iter().map(|call| (call.id.clone(), call.read(self.ui))).collect()
    }

    /// Whether a call is approved that was not seen to its end. It is shown then, and nothing is to be sent.
    pub fn are_unseen(&self) -> bool {
        let stops = |call: &Call, decision| call.unseen.stops(self.ui, &call.reach, decision);
        let is_unseen = |call: &Call| decision_at(call.chosen.get_untracked()).is_some_and(|one| stops(call, one));
        self.calls.iter().any(is_unseen)
    }

    /// Approves what is not decided yet, and sends all, if the person has seen it to its end.
    fn approve_all(&self) {
        for call in self.calls.iter().filter(|call| call.chosen.get_untracked() == 0) {
            call.choose(self.ui, Decision::Approve);
            if let Some(control) = &call.approve {
                check(control, true);
            }
        }
        self.ui.changed();
        if !self.are_unseen() {
            self.ui.act_all(self.read(), false);
        }
    }
}

impl Call {
    fn choose(&self, ui: Ui, decision: Decision) {
        choose(ui, &self.id, self.chosen, Some(decision));
    }

    fn read(&self, ui: Ui) -> Given {
        let words = || ui.typed(&key(&self.id, MESSAGE)).unwrap_or_else(|| self.message.clone());
        let Some(decision) = decision_at(self.chosen.get_untracked()) else { return Given::from(Value::Null) };
        match decision {
            Decision::Approve => given(decision, None, self.reach.grant(decision)),
            Decision::Edit => Given::new(Content::Typed(
                ui.typed(&key(&self.id, ARGUMENTS)).unwrap_or_else(|| self.arguments.clone()),
            )),
            Decision::Reject => given(decision, Some(words()), self.reach.grant(decision)),
            Decision::Respond => given(decision, Some(words()), None),
        }
    }
}

/// A decision as an answer. By hand: the macro `json!` brings the errors of serde_json into the form.
fn given(decision: Decision, message: Option<String>, grant: Option<Value>) -> Given {
    let mut fields = Map::new();
    fields.insert("type".into(), decision.name().into());
    fields.extend(message.map(|message| (MESSAGE.to_owned(), Value::from(message))));
    fields.extend(grant.map(|grant| ("grant".to_owned(), grant)));
    Given::from(Value::Object(fields))
}

/// What is kept of a call while the person decides: under its id, with a dot.
const DECISION: &str = "decision";
const ARGUMENTS: &str = "arguments";
const MESSAGE: &str = "message";

fn key(id: &str, name: &str) -> String {
    format!("{id}.{name}")
}

fn decision_at(place: usize) -> Option<Decision> {
    Decision::ALL.get(place.checked_sub(1)?).copied()
}

fn place_of(decision: Decision) -> usize {
    1 + Decision::ALL.iter().position(|one| *one == decision).unwrap_or_default()
}

fn choose(ui: Ui, id: &str, chosen: RwSignal<usize>, decision: Option<Decision>) {
    ui.keep_typed(&key(id, DECISION), decision.map_or("", Decision::name).to_owned());
    chosen.set(decision.map_or(0, place_of));
}

/// The word for a decision.
pub fn label(decision: Decision) -> Word {
    match decision {
        Decision::Approve => words::APPROVE,
        Decision::Edit => words::EDIT,
        Decision::Reject => words::REJECT,
        Decision::Respond => words::RESPOND,
    }
}

fn call(ui: Ui, asking: &Asking, approval: &Approval, host: &Host, single: bool) -> (Call, El) {
    let question = &asking.question;
    let id = question.id.clone();
    let drafted = |name: &str| asking.draft.as_ref().and_then(|draft| draft.get(name));
    let word = ui.typed(&key(&id, DECISION)).or_else(|| drafted("type").and_then(Value::as_str).map(str::to_owned));
    let begin = word.as_deref().and_then(Decision::named).filter(|decision| approval.allows(*decision));
    // With one call, a click on "approve" sends it: it is not chosen before.
    let begin = begin.filter(|decision| !single || *decision != Decision::Approve);
    let chosen = RwSignal::new(begin.map_or(0, place_of));
    // With every digit.
    let exact = asking.draft_text.as_deref().and_then(Approval::arguments_in);
    let arguments = exact.map_or_else(|| json::text(drafted(ARGUMENTS).unwrap_or(&approval.arguments)), str::to_owned);
    let risks = approval.risks();
    let mut call = Call {
        id: id.clone(),
        chosen,
        reach: Reach::new(question),
        arguments: json::pretty(&arguments),
        message: drafted(MESSAGE).and_then(Value::as_str).unwrap_or_default().to_owned(),
        approve: None,
        by_key: single
            && host.approve_by_key
            && approval.allows(Decision::Approve)
            && risks.is_empty()
            && asking.advice.is_none()
            && !question.danger,
        unseen: Unseen { sight: Sight::default(), told: RwSignal::new(false) },
    };
    let (error_id, context_id) = (format!("error-{id}"), format!("context-{id}"));
    let context = el("div").attr("id", &context_id).attr("class", "about");
    let context = context
        .children(question.context.as_deref().map(notice::said))
        .children(arguments::view(approval, Some(&call.unseen.sight)))
        .children(risks.iter().map(risky))
        .child(call.unseen.sight.end());
    let refused = id.clone();
    let told = call.unseen.told;
    let error = move || {
        let unseen = || el("p").named("error", "error").attr("data-unseen", "").say(words::SEE_FIRST);
        let error = |refusal: &Refusal| Some(notice::error(ui::refused(refusal, &refused)?, true, &refused));
        let refusal = ui.refusal.get();
        if told.get() { Some(unseen()) } else { refusal.as_ref().and_then(error) }
    };
    let body = el("fieldset")
        .attr("part", "question")
        .attr("data-approval", &id)
        .attr("data-approval-tool", &approval.tool)
        .attr("aria-describedby", &format!("{context_id} {error_id}"))
        .attr_from("data-refused", invalid_call(ui, id.clone()))
        .child(legend(ui, question, approval))
        .children(asking.advice.as_ref().map(notice::advice))
        .child(context);
    let fields = Fields {
        ui,
        id: id.clone(),
        chosen,
        reach: call.reach.clone(),
        reasons: approval.reasons,
        arguments: call.arguments.clone(),
        is_risky: !risks.is_empty(),
        by_key: call.by_key,
        action: approval.action.clone(),
        given: approval.arguments.clone(),
        is_command: approval.act() == Act::Command && command::of(&call.arguments, &approval.arguments).is_some(),
        message: call.message.clone(),
        error: error_id.clone(),
        single,
        unseen: call.unseen.clone(),
    };
    let body = if single {
        let decisions = approval.decisions.clone();
        body.changing(move || match decision_at(chosen.get()) {
            None => Some(fields.buttons(&decisions)),
            Some(decision) => fields.below(decision),
        })
    } else {
        let mut radios = el("div").attr("class", "buttons decisions");
        for decision in &approval.decisions {
            let (radio, row) = fields.radio(*decision, begin == Some(*decision));
            if *decision == Decision::Approve {
                call.approve = Some(radio);
            }
            radios = radios.child(row);
        }
        body.child(radios).changing(move || fields.below(decision_at(chosen.get())?))
    };
    (call, body.child(el("div").attr("id", &error_id).attr("role", "alert").changing(error)))
}

/// What is risky about a call, with the words that say so.
fn risky(risk: &Risk) -> El {
    let line = el("p").attr("class", "warned").attr("data-risk", risk.kind.name());
    let word = match risk.kind {
        RiskKind::Stated => return line.child(isolated(&risk.found)),
        RiskKind::Overwrites => words::RISK_OVERWRITES,
        RiskKind::Publishes => words::RISK_PUBLISHES,
        RiskKind::Pays => words::RISK_PAYS,
        RiskKind::Elevated => words::RISK_ELEVATED,
        RiskKind::Fetched => words::RISK_FETCHED,
        _ => words::RISK_DELETES,
    };
    let found = el("code").child(isolated(&risk.found));
    line.say_around(word, found)
}

/// What is asked about a call. Where the sentence does not name the tool, it stands above.
fn legend(ui: Ui, question: &Arc<Question>, approval: &Approval) -> El {
    let asked = Arc::clone(question);
    let said = move || ui.session(|session| words::call(&asked, session.label()));
    let Some((_, is_named)) = said() else { return notice::legend(question) };
    let tool = el("bdi").named("header", "header").attr("data-tool", "").text(&words::shown(&approval.tool));
    let text = el("span").attr("class", "text isolated").attr("data-asked", &question.text);
    let text = text.changing(move || {
        ui.relabelled.track();
        said().map(|(said, _)| el("span").say_value(&said))
    });
    notice::asked(question, (!is_named).then_some(tool), text)
}

/// The controls of a call.
#[derive(Clone)]
struct Fields {
    ui: Ui,
    id: String,
    chosen: RwSignal<usize>,
    reach: Reach,
    reasons: bool,
    arguments: String,
    is_risky: bool,
    /// Whether a key approves.
    by_key: bool,
    /// What the host calls an approval.
    action: Option<String>,
    /// The arguments of the call.
    given: Value,
    is_command: bool,
    message: String,
    error: String,
    single: bool,
    unseen: Unseen,
}

impl Fields {
    /// What a decision is called: approving it as the host says.
    fn label(&self, decision: Decision) -> El {
        match self.action.as_deref().filter(|_| decision == Decision::Approve) {
            Some(action) => isolated(action),
            None => el("span").say(label(decision)),
        }
    }

    /// The decisions of a single call. Approving it sends it at once; the others lead to their fields.
    fn buttons(&self, decisions: &[Decision]) -> El {
        let row = el("div").attr("class", "buttons decisions");
        let row = row.children(decisions.iter().map(|decision| {
            let (ui, id, chosen, decision) = (self.ui, self.id.clone(), self.chosen, *decision);
            let is_named = self.reach.name(decision).is_some();
            let made = el("button").attr("type", "button").attr("part", "button").child(self.label(decision));
            let made = made.attr("data-decision", decision.name());
            let made = made.attr_if(self.is_risky && decision == Decision::Approve, "data-danger", "");
            let made = made.attr_if(is_named, "aria-describedby", &name_id(decision, &id));
            match decision {
                Decision::Approve => {
                    let (unseen, reach) = (self.unseen.clone(), self.reach.clone());
                    let made = made.attr_if(self.by_key, "data-by-key", "");
                    let made = made.attr_if(self.by_key, "aria-keyshortcuts", "Control+Enter Meta+Enter");
                    made.named("primary", "button primary").on_click(move || {
                        if !unseen.stops(ui, &reach, decision) {
                            ui.act_all(vec![(id.clone(), given(decision, None, reach.grant(decision)))], false);
                        }
                    })
                }
                // Nothing can be added to it.
                Decision::Reject if !self.reasons && !self.reach.is_offered(decision) => {
                    made.on_click(move || ui.act_all(vec![(id.clone(), given(decision, None, None))], false))
                }
                _ => made.on_click(move || {
                    choose(ui, &id, chosen, Some(decision));
                    ui.changed();
                    ui.focus(&["[data-words], .reach input"]);
                }),
            }
        }));
        let reach =
            if decisions.contains(&Decision::Approve) { self.reach.view(Decision::Approve, &self.id) } else { None };
        let named = |decision: &Decision| {
            let name = self.reach.named(*decision, &self.id)?;
            Some(el("div").attr("class", "named").child(self.label(*decision)).child(name))
        };
        el("div").attr("class", "deciding").child(row).children(decisions.iter().filter_map(named)).children(reach)
    }

    /// A decision of one of several calls.
    fn radio(&self, decision: Decision, checked: bool) -> (HtmlElement, El) {
        let (ui, id, chosen) = (self.ui, self.id.clone(), self.chosen);
        let name = format!("{}-{}", decision.name(), self.id);
        let radio = el("input").attr("type", "radio").attr("part", "radio").attr("id", &name).prop("checked", checked);
        let radio = radio.attr("name", &format!("decision-{}", self.id)).attr("data-decision", decision.name());
        let radio =
            radio.attr("aria-describedby", &self.error).on("change", move |_| choose(ui, &id, chosen, Some(decision)));
        let radio = without_enter(radio);
        let node = radio.node();
        let of = el("label").attr("for", &name).child(self.label(decision));
        let of = of.children(self.reach.named(decision, &self.id));
        (node, el("div").named("option", "option").child(radio).child(of))
    }

    /// What belongs to a decision: the arguments, or words.
    fn below(&self, decision: Decision) -> Option<El> {
        let reach = self.reach.view(decision, &self.id);
        let (name, start, label) = match decision {
            Decision::Approve => return reach,
            Decision::Reject if !self.reasons => return self.sends(reach?, decision),
            Decision::Edit => (ARGUMENTS, &self.arguments, words::EDITED_ARGUMENTS),
            Decision::Reject => (MESSAGE, &self.message, words::REASON),
            Decision::Respond => (MESSAGE, &self.message, words::RESPONSE),
        };
        if decision == Decision::Edit && self.is_command {
            return self.sends(self.command().children(reach), decision);
        }
        self.sends(self.field(decision, name, start, label).children(reach), decision)
    }

    /// The command alone, or once the person has asked for it, all arguments.
    fn command(&self) -> El {
        let (fields, all) = (self.clone(), RwSignal::new(false));
        el("div").changing(move || {
            let (key, start) = (key(&fields.id, ARGUMENTS), &fields.arguments);
            let typed = fields.ui.typed(&key).unwrap_or_else(|| start.clone());
            Some(match command::of(&typed, &fields.given).filter(|_| !all.get()) {
                Some(command) => command::field(fields.ui, key, start, &command, all),
                None => fields.field(Decision::Edit, ARGUMENTS, start, words::EDITED_ARGUMENTS),
            })
        })
    }

    /// The field of a decision.
    fn field(&self, decision: Decision, name: &str, start: &str, label: Word) -> El {
        let field_id = key(&self.id, name);
        let area = el("textarea").attr("id", &field_id).attr("data-words", "").attr("aria-describedby", &self.error);
        let area = match decision {
            Decision::Edit => area
                .named("json", "input editor")
                .attr("rows", "8")
                .attr("dir", "ltr")
                .attr("spellcheck", "false")
                .attr("autocapitalize", "off")
                .attr("data-call", &self.id),
            _ => area.attr("part", "input").attr("rows", "2").attr("dir", "auto"),
        };
        let (area, _) = kept(self.ui, area, field_id.clone(), start);
        let label = el("label").attr("for", &field_id).say(label);
        // Of several calls, no Enter sends what was decided.
        el("div").attr("class", "field").attr_if(!self.single, "data-lines", "").child(label).child(area)
    }

    /// What belongs to a decision, with the buttons of a single call.
    fn sends(&self, below: El, decision: Decision) -> Option<El> {
        if !self.single {
            return Some(below);
        }
        let (ui, id, chosen) = (self.ui, self.id.clone(), self.chosen);
        let send = match decision {
            Decision::Approve | Decision::Edit => words::APPROVE_EDITED,
            Decision::Reject => words::REJECT,
            Decision::Respond => words::SEND_RESPONSE,
        };
        let send = submit(send);
        let back = button(words::CANCEL).attr("data-undecide", "").on_click(move || {
            choose(ui, &id, chosen, None);
            ui.changed();
            ui.focus(&["[data-question-text]"]);
        });
        Some(below.child(el("div").attr("class", "buttons").child(send).child(back)))
    }
}
