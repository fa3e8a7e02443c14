//! The dialect `claude`: what the Claude Agent SDK passes to `canUseTool`, and the permission that it expects. The tool `AskUserQuestion` has the
//! questions of `ask_user_question`: its input alone looks like theirs, so a host must name this dialect. Any other tool is an approval: `tool_name` and
//! `input`, and what the options say, in the notation of the callback or of the control request. A control request may have its envelope.

use super::{
    approval::{self, Call},
    ask_user_question,
    draft::{Call as Control, Draft, Rules, Tells},
    fields::{Fields, Reader},
    near,
    near::says_nothing,
    permit::said_of,
    quoted::{as_code, fenced, in_sentence},
};
use crate::{
    answer::Decided,
    json,
    outcome::{Ended, Ending, Write},
    problem::object,
    question::{Cover, Decision, Grant, Scope, Sentence, Wording, sentence},
};
use serde_json::{Map, Value};
use std::sync::Arc;

pub(super) const RULES: Rules = Rules {
    name: "claude",
    tool: |request| match request.get("tool_name").and_then(Value::as_str) {
        Some(name) if name != QUESTIONS => "canUseTool",
        _ => QUESTIONS,
    },
    recognises,
    tells: Tells { request: &["tool_name"], ..Tells::NONE },
    read,
    unread: |request| match request.get("tool_name") {
        Some(_) => Arc::new(CanUse(None)),
        None => Arc::new(Permission { questions: Value::Null, call: None }),
    },
    own: None,
};

/// The tool whose input is a list of questions.
const QUESTIONS: &str = "AskUserQuestion";

/// The fields of an approval.
const FIELDS: &[&str] = &[
    "tool_name",
    "input",
    "title",
    "display_name",
    "description",
    "decision_reason",
    "blocked_path",
    "mcp_server",
    "suggestions",
];
/// The flag that no rule may be offered, in both notations.
const SUPPRESSED: [&str; 2] = ["suppress_always_allow_rule", "suppressAlwaysAllowRule"];
/// Whose request it is.
const BOOKKEEPING: &[&str] = &[
    "subtype",
    "type",
    "uuid",
    "tool_use_id",
    "toolUseID",
    "toolUseId",
    "agent_id",
    "agentID",
    "agentId",
    "session_id",
    "sessionId",
    "request_id",
    "requestId",
    "parent_tool_use_id",
    "suppress_always_allow_rule",
    "suppressAlwaysAllowRule",
    "decision_reason_type",
    "decisionReasonType",
    "classifier_approvable",
    "classifierApprovable",
    "default_to_no",
    "defaultToNo",
    "requires_user_interaction",
    "requiresUserInteraction",
];
/// What a server has, and what stands beside it.
const SERVER: [&str; 7] = ["name", "source", "title", "description", "decision_reason", "blocked_path", "display_name"];
/// What a control request calls the suggestions.
const SUGGESTIONS: &str = "permission_suggestions";
/// What the callback calls some of them.
const CAMEL: &[(&str, &str)] = &[
    ("display_name", "displayName"),
    ("decision_reason", "decisionReason"),
    ("blocked_path", "blockedPath"),
    ("mcp_server", "mcpServer"),
    ("suggestions", SUGGESTIONS),
];

fn recognises(request: &Value) -> bool {
    let is_one = |request: &Value| request.get("tool_name").is_some() && request.get("input").is_some();
    is_one(request) || controlled(request).is_some_and(is_one)
}

/// The request in the envelope of a control request.
fn controlled(request: &Value) -> Option<&Value> {
    request.get("request").filter(|inner| inner.get("subtype").is_some_and(|subtype| subtype == "can_use_tool"))
}

/// Whether a value can stand in a field of an approval.
fn fits(field: &str, value: &Value) -> bool {
    match field {
        "input" | "mcp_server" => value.is_object(),
        "suggestions" => value.is_array(),
        _ => value.is_string(),
    }
}

fn read(reader: &mut Reader, request: &Map<String, Value>) -> Option<Draft> {
    let mut fields = Fields::root(request);
    let mut call = None;
    if let Some(Value::Object(inner)) = fields.present("request")
        && inner.get("subtype").is_some_and(|subtype| subtype == "can_use_tool")
    {
        fields.name_strays(reader, &["type", "request", "request_id"], FIELDS);
        // The agent finds its request by this id.
        let id = fields.required_text(reader, "request_id");
        call = Some(Control::control(id.into()));
        fields = Fields::at(inner, fields.path.field("request"));
    }
    for (snake, camel) in CAMEL {
        // What would be kept is not left out because it is something else.
        let is_read = |value: &Value| fits(snake, value) || *snake == "suggestions" && !says_nothing(value);
        if fields.value(snake).is_none_or(says_nothing) && fields.value(camel).is_some_and(is_read) {
            fields.renamed.push((snake, camel));
        }
    }
    let says = |(given, value): &(&String, &Value)| near::is_same(given, SUGGESTIONS) && !says_nothing(value);
    if fields.value("suggestions").is_none_or(says_nothing)
        && let Some((given, _)) = fields.map().iter().find(says)
    {
        fields.rename(reader, "suggestions", SUGGESTIONS, given);
    }
    if fields.present("questions").is_none() {
        // Each is a text but the input and the server.
        fields.name_strays(
            reader,
            FIELDS,
            &["source", "rules", "ruleContent", "behavior", "destination", "directories"],
        );
        fields.read_strays(reader, FIELDS, FIELDS, fits);
    }
    if fields.value("tool_name").is_none() && fields.value("input").is_none() {
        return questions(reader, &mut fields, call);
    }
    let tool = fields.shown_text(reader, "tool_name");
    let input = fields.required(reader, "input");
    let mut input = reader.object(input?, fields.place("input"), "the arguments (an object)")?;
    if tool == Some(QUESTIONS) {
        fields.name_strays(reader, FIELDS, ask_user_question::FIELDS);
        return questions(reader, &mut input, call);
    }
    let arguments = Value::Object(input.map().clone());
    ask(reader, &fields, tool?, arguments)?;
    Some(Draft::new(CanUse(call)))
}

/// Asks about a tool call, with all that is said of it.
#[cold]
#[inline(never)]
fn ask(reader: &mut Reader, fields: &Fields<'_>, tool: &str, arguments: Value) -> Option<()> {
    let said = |reader: &mut Reader, name| fields.note(reader, name);
    let mut parts: Vec<String> = Vec::new();
    for name in ["title", "display_name", "description", "decision_reason", "blocked_path"] {
        parts.extend(said(reader, name).filter(|text| !parts.contains(text)));
    }
    let mut more = said_of(fields, &[], FIELDS, BOOKKEEPING);
    // Whose tool it is, and where its definition came from.
    if let Some(server) = fields.present("mcp_server") {
        reader.charge(json::size(server) as usize)?;
        let mut server = reader.object(server, fields.place("mcp_server"), "a server (an object)")?;
        server.read_strays(reader, &["name", "source"], &SERVER, |_, value| value.is_string());
        let (name, source) = (server.required_text(reader, "name"), server.required_text(reader, "source"));
        parts.push(["MCP: ", &as_code(name?), " (", &as_code(source?), ")"].concat());
        let said = said_of(&server, &[], &["name", "source"], &[]);
        if !said.is_empty() {
            more.insert(fields.sent("mcp_server").to_owned(), Value::Object(said));
        }
    }
    if !more.is_empty() {
        let more = Value::Object(more);
        reader.charge(json::size(&more) as usize)?;
        parts.push(fenced(&more));
    }
    // Nothing of Markdown goes over an empty line but a fence, which shows what is in it.
    let description = (!parts.is_empty()).then(|| parts.join("\n\n"));
    let decisions = vec![Decision::Approve, Decision::Edit, Decision::Reject];
    // The agent may want none of them to be offered.
    let is_offered = !SUPPRESSED.iter().any(|name| fields.value(name).is_some_and(|flag| *flag == true));
    let grants = match suggested(reader, fields)?.filter(|_| is_offered) {
        Some(grant) => {
            vec![Grant::new(Decision::Approve, Scope::Once, Value::Null, vec![sentence::ALLOW_CALL.alone()]), grant]
        }
        None => Vec::new(),
    };
    let others = Map::new();
    Call { tool, arguments, description, others, decisions, schema: None, grants, reasons: true }.ask(reader);
    Some(())
}

/// What the SDK suggests to allow beside the call, as one grant: an agent that names several updates needs all of them.
fn suggested(reader: &mut Reader, fields: &Fields<'_>) -> Option<Option<Grant>> {
    let updates = fields.list(reader, "suggestions", "a list of permission updates")?;
    let mut lines = Vec::with_capacity(updates.len());
    let mut scope = Scope::Session;
    for (place, update) in updates.iter().enumerate() {
        reader.charge(json::size(update) as usize)?;
        let update =
            reader.object(update, fields.place("suggestions").item(place), "a permission update (an object)")?;
        let text = |name| update.present(name).and_then(Value::as_str).unwrap_or_default();
        let destination = text("destination");
        if destination != "session" {
            scope = Scope::Always;
        }
        let kept = KEPT.iter().find(|(name, _)| *name == destination);
        let line = kept.and_then(|(_, kept)| Some(kept.around("what", updated(&update)?)));
        lines.push(line.unwrap_or_else(|| Wording::Text(json::canonical_text(&Value::Object(update.map().clone())))));
    }
    Some((!lines.is_empty()).then(|| {
        let mut grant = Grant::new(Decision::Approve, scope, updates.iter().cloned().collect(), lines);
        grant.cover = covered(updates);
        grant
    }))
}

/// What updates cover, where they do nothing but allow further calls.
fn covered(updates: &[Value]) -> Option<Cover> {
    let mut all = Vec::new();
    for update in updates {
        let text = |name| update.get(name).and_then(Value::as_str);
        if text("type") != Some("addRules") || text("behavior") != Some("allow") {
            return None;
        }
        for rule in update.get("rules")?.as_array()? {
            let content = rule.get("ruleContent").filter(|content| !content.is_null());
            let content = content.map(|content| content.as_str().map(str::to_owned).ok_or(()));
            all.push((rule.get("toolName")?.as_str()?.to_owned(), content.transpose().ok()?));
        }
    }
    Some(Cover::Rules(all))
}

/// What an update does with rules of a behavior: adds them, has them in place of all others, removes them.
const BEHAVIORS: &[(&str, [Sentence; 3])] = &[
    ("allow", [sentence::ALLOW, sentence::ONLY_ALLOW, sentence::STOP_ALLOWING]),
    ("deny", [sentence::REFUSE, sentence::ONLY_REFUSE, sentence::STOP_REFUSING]),
    ("ask", [sentence::ASK, sentence::ONLY_ASK, sentence::STOP_ASKING]),
];

/// Where an update is kept.
const KEPT: &[(&str, Sentence)] = &[
    ("session", sentence::IN_SESSION),
    ("projectSettings", sentence::IN_PROJECT),
    ("localSettings", sentence::IN_YOUR_PROJECT),
    ("userSettings", sentence::IN_YOUR_SETTINGS),
    ("cliArg", sentence::ON_COMMAND_LINE),
];

/// A permission update in words: none where it has more than the words would say.
fn updated(update: &Fields<'_>) -> Option<Wording> {
    let text = |name| update.present(name).and_then(Value::as_str);
    let has_only = |own: &[&str]| {
        update.map().keys().all(|name| own.contains(&name.as_str()) || name == "type" || name == "destination")
    };
    let listed = |name, each: fn(&Value) -> Option<String>| {
        let all: Option<Vec<String>> = update.present(name)?.as_array()?.iter().map(each).collect();
        all.filter(|all| !all.is_empty()).map(|all| all.join(", "))
    };
    let kind = text("type")?;
    if kind.ends_with("Rules") {
        let rules = listed("rules", rule).filter(|_| has_only(&["rules", "behavior"]))?;
        let (_, [adds, replaces, removes]) = BEHAVIORS.iter().find(|(name, _)| Some(*name) == text("behavior"))?;
        let does = match kind {
            "addRules" => adds,
            "replaceRules" => replaces,
            "removeRules" => removes,
            _ => return None,
        };
        return Some(does.of("rules", rules));
    }
    if kind == "setMode" {
        return Some(sentence::MODE.of("mode", in_sentence(text("mode").filter(|_| has_only(&["mode"]))?)));
    }
    let directories =
        listed("directories", |one| one.as_str().map(in_sentence)).filter(|_| has_only(&["directories"]))?;
    match kind {
        "addDirectories" => Some(sentence::FOLDERS.of("folders", directories)),
        "removeDirectories" => Some(sentence::NO_FOLDERS.of("folders", directories)),
        _ => None,
    }
}

/// A rule in the notation of the agent's settings, `Tool(content)`. Where that could be read as more than one rule, it is in quotes.
fn rule(rule: &Value) -> Option<String> {
    let text = |name| rule.get(name).and_then(Value::as_str);
    let is_known = rule.as_object()?.keys().all(|name| name == "toolName" || name == "ruleContent");
    let tool = text("toolName").filter(|tool| is_known && in_sentence(tool) == *tool)?;
    match (text("ruleContent"), rule.get("ruleContent")) {
        // Nobody knows what that allows.
        (Some(""), _) => None,
        (Some(content), _) if in_sentence(content) == content => Some([tool, "(", content, ")"].concat()),
        (Some(content), _) => Some(json::text(&[tool, "(", content, ")"].concat())),
        (None, None | Some(Value::Null)) => Some(tool.to_owned()),
        (None, Some(_)) => None,
    }
}

fn questions(reader: &mut Reader, fields: &mut Fields<'_>, call: Option<Control>) -> Option<Draft> {
    let draft = ask_user_question::read_at(reader, fields, true)?;
    let questions = fields.value("questions").cloned().unwrap_or_default();
    Some(Draft { writer: Arc::new(Permission { questions, call }), ..draft })
}

fn allow(input: Map<String, Value>) -> Value {
    Value::Object(object([("behavior", "allow".into()), ("updatedInput", Value::Object(input))]))
}

fn deny(message: String) -> Map<String, Value> {
    object([("behavior", "deny".into()), ("message", message.into())])
}

/// What a control request is told where nobody answered.
const UNANSWERED: &str = "The user has not answered. Nothing was decided.";

/// Writes the permission, with the questions of the request.
struct Permission {
    questions: Value,
    call: Option<Control>,
}

impl Write for Permission {
    fn answers_by_text(&self) -> bool {
        true
    }

    fn write(&self, ended: &Ended<'_>) -> Option<Value> {
        Some(Control::answered(self.call.as_ref(), self.result(ended)?))
    }
}

impl Permission {
    fn result(&self, ended: &Ended<'_>) -> Option<Value> {
        match ended.ending {
            Ending::Completed => {
                let mut input = object([("questions", self.questions.clone())]);
                input.extend(ask_user_question::answers(ended));
                Some(allow(input))
            }
            Ending::Replied { text } => {
                let mut message = text.clone().unwrap_or_else(|| ask_user_question::DECLINED.to_owned());
                let answered = ask_user_question::answers_by_text(ended);
                if !answered.is_empty() {
                    message.push_str("\n\nChosen before that, and not sent:");
                }
                let notes =
                    ended.answers().filter_map(|(question, taken)| Some((&question.text, taken?.note.as_deref()?)));
                let notes: Vec<_> = notes.collect();
                for (question, answer) in &answered {
                    message.push_str("\n- ");
                    message.push_str(question);
                    message.push(' ');
                    message.push_str(answer.as_str().unwrap_or_default());
                    if let Some((_, note)) = notes.iter().find(|(noted, _)| *noted == question) {
                        message.push_str("\n  Note: ");
                        message.push_str(note);
                    }
                }
                Some(Value::Object(deny(message)))
            }
            // A control request waits for an answer. The callback is left alone: who ended the turn stops it.
            Ending::TurnEnded | Ending::Expired => {
                self.call.as_ref()?;
                let mut denied = deny(UNANSWERED.to_owned());
                if *ended.ending == Ending::TurnEnded {
                    denied.insert("interrupt".into(), true.into());
                }
                Some(Value::Object(denied))
            }
            Ending::Failed(failure) => Some(Value::Object(deny(failure.to_string()))),
        }
    }
}

/// Writes the permission for a tool call. The SDK waits for one even where the turn has ended: it is told to stop.
struct CanUse(Option<Control>);

impl Write for CanUse {
    fn write(&self, ended: &Ended<'_>) -> Option<Value> {
        Some(Control::answered(self.0.as_ref(), permission(ended)?))
    }
}

/// The permission for a tool call.
fn permission(ended: &Ended<'_>) -> Option<Value> {
    const DENIED: &str =
        "The user did not allow this call. It was not run. Ask the user what they want, or propose something else.";
    let (question, taken) = ended.answers().next().unzip();
    let taken = taken.flatten();
    if let Some(no) = approval::no(taken, ended.ending) {
        let mut denied = deny(no.unwrap_or_else(|| DENIED.to_owned()));
        if *ended.ending == Ending::TurnEnded {
            denied.insert("interrupt".into(), true.into());
        }
        return Some(Value::Object(denied));
    }
    let edited = match taken.and_then(|taken| taken.answer.decided()) {
        Some(Decided::Edited(arguments)) => Some(arguments),
        _ => question.and_then(|question| Some(&question.answer_type.approval()?.arguments)),
    };
    let mut allowed = edited.and_then(Value::as_object).cloned().map(allow)?;
    let way = question.and_then(|question| question.answer_type.approval()?.way_taken(&taken?.answer.shown()));
    let granted = way.filter(|way| !way.is_hosts && way.scope != Scope::Once);
    if let (Some(grant), Value::Object(allowed)) = (granted, &mut allowed) {
        allowed.insert("updatedPermissions".into(), grant.rule.clone());
        let class = if grant.scope == Scope::Always { "user_permanent" } else { "user_temporary" };
        allowed.insert("decisionClassification".into(), class.into());
    }
    Some(allowed)
}
