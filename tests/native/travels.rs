//! What an agent gets of each answer, Reply and End turn, in docs/dialects.md: made by reading a small request of each dialect and
//! walking it. The test fails if the page differs. `WRITE=1 cargo test --package ask-user-tests travels` writes it.

use super::agents::{call, small};
use crate::matrix::{WORDS, calling, keep_on_page};
use ask_user_core::{Action, Decision, Dialect, Ends, Form, Host, Outcome, Replies, Reply, Walk};
use serde_json::{Value, json};

const BEGIN: &str = "<!-- what travels of each dialect: made by a test -->\n";
const END: &str = "<!-- the end of what travels -->\n";
/// What a person chooses, types and puts into the arguments of a call; a result that holds it passes it on.
const CHOSEN: &str = "blue";
const TYPED: &str = "calm";
const EDITED: &str = "new.txt";

type Request = fn() -> Value;

/// A small request of a dialect, and what there is to say of it.
struct Sample {
    dialect: Dialect,
    /// How the agent's own protocol names each act, with the source.
    named: &'static str,
    request: Request,
    /// A second shape of the dialect, whose result has no place for words: what it is, and the request.
    other: Option<(&'static str, Request)>,
}

const QUESTIONS: &[Sample] = &[
    Sample {
        dialect: Dialect::Mcp,
        named: "The result has the action `accept`, `decline` or `cancel`, and no place for words (Model Context Protocol, Client Features, Elicitation, *Response Actions*).",
        request: || {
            let properties =
                json!({ "color": { "type": "string", "enum": ["blue", "red"] }, "why": { "type": "string" } });
            let schema = json!({ "type": "object", "properties": properties, "required": ["color", "why"] });
            json!({ "message": "?", "requestedSchema": schema })
        },
        other: None,
    },
    Sample {
        dialect: Dialect::AgUi,
        named: "Each entry of `resume` is `resolved` or `cancelled` (AG-UI, Concepts, *Interrupts*; `ResumeEntry` of `@ag-ui/core`).",
        request: || {
            let schema = json!({ "enum": ["blue", "red"] });
            json!({ "interrupts": [
                { "id": "a", "reason": "input", "message": "Color?", "responseSchema": schema },
                { "id": "b", "reason": "input", "message": "Why?" },
            ] })
        },
        other: None,
    },
    Sample {
        dialect: Dialect::Deepagents,
        named: "An interrupt is resumed with any value (LangGraph, `Command(resume=…)`), here with `response`, or with `cancelled` and `reply`; `ask_user` has the status `answered` or `cancelled` (deepagents, `AskUserMiddleware`).",
        request: || json!({ "type": "user_question", "question": "Color?", "options": ["blue", "red"] }),
        other: Some(("The list of `ask_user` has no place for words:", || {
            json!({ "type": "ask_user", "questions": [
                { "question": "Color?", "type": "multiple_choice", "choices": [{ "value": "blue" }, { "value": "red" }] },
                { "question": "Why?", "type": "text" },
            ] })
        })),
    },
    Sample {
        dialect: Dialect::AskUser,
        named: "The tool's result has `cancelled`, `answered` and `reply` (this project's own tool `ask_user`).",
        request: || {
            json!({ "questions": [
                { "id": "color", "text": "Color?", "answer_type": "select", "options": ["blue", "red"] },
                { "id": "why", "text": "Why?", "answer_type": "text" },
            ] })
        },
        other: None,
    },
    Sample {
        dialect: Dialect::Codex,
        named: "The response has only `answers`, and no name for a refusal (Codex app server, `item/tool/requestUserInput`, `ToolRequestUserInputResponse`).",
        request: || {
            json!({ "questions": [
                { "id": "color", "header": "Color", "question": "Color?", "options": options(["blue", "red"]) },
                { "id": "why", "header": "Why", "question": "Why?" },
            ] })
        },
        other: None,
    },
    Sample {
        dialect: Dialect::Gemini,
        named: "The tool's result has `answers`; a dialog that was cancelled (`ToolConfirmationOutcome.Cancel`) is a sentence (Gemini CLI, `packages/core/src/tools/ask-user.ts`).",
        request: || {
            json!({ "questions": [
                { "header": "Color", "question": "Color?", "type": "choice", "options": options(["blue", "red"]) },
                { "header": "Why", "question": "Why?", "type": "text" },
            ] })
        },
        other: None,
    },
    Sample {
        dialect: Dialect::Opencode,
        named: "A question is answered with `reply` or with `reject`, which has no body (opencode server, `POST /question/{requestID}/reply` and `/reject`).",
        request: || labelled(json!({ "custom": true })),
        other: None,
    },
    Sample {
        dialect: Dialect::Openclaw,
        named: "A question is answered with `question.resolve`: by answers, or by `cancel`, which has no place for words (OpenClaw gateway, `QuestionResolveParamsSchema`).",
        request: || small(Dialect::Openclaw),
        other: None,
    },
    Sample {
        dialect: Dialect::Vscode,
        named: "The result has `answers` by the header, each with `selected`, `freeText` and `skipped`; where the form is dismissed, every question is skipped (VS Code, `askQuestionsTool.ts`).",
        request: || small(Dialect::Vscode),
        other: None,
    },
    Sample {
        dialect: Dialect::Kimi,
        named: "The result has `answers`; where the questions are dismissed, it is a sentence (Kimi CLI 1.52, `tools/ask_user`).",
        request: || small(Dialect::Kimi),
        other: None,
    },
    Sample {
        dialect: Dialect::Copilot,
        named: "`UserInputResponse` has `answer` and `wasFreeform`, and no name for a refusal: words of a Reply are an answer of one's own (`@github/copilot-sdk` 1.0, `onUserInputRequest`).",
        request: || small(Dialect::Copilot),
        other: Some((
            "Where own words are not allowed,",
            || json!({ "question": "Color?", "choices": ["blue", "red"], "allowFreeform": false }),
        )),
    },
    Sample {
        dialect: Dialect::Zed,
        named: "The output is `selected`, or `error` (Zed, `ask_user_tool.rs`).",
        request: || small(Dialect::Zed),
        other: None,
    },
    Sample {
        dialect: Dialect::Mastra,
        named: "The tool is resumed with a text or a list of texts (Mastra, `ask_user`, `resumeSchema`).",
        request: || small(Dialect::Mastra),
        other: None,
    },
    Sample {
        dialect: Dialect::Roo,
        named: "The result is the message of the user (Roo Code, `AskFollowupQuestionTool.ts`).",
        request: || small(Dialect::Roo),
        other: None,
    },
    Sample {
        dialect: Dialect::Cline,
        named: "The result is the answer of the user (Cline, `AskFollowupQuestionToolHandler.ts`).",
        request: || small(Dialect::Cline),
        other: None,
    },
    Sample {
        dialect: Dialect::AskUserQuestion,
        named: "The result has `answers` and `annotations`, as the output of `AskUserQuestion` in the Claude Agent SDK; `declined` and `reply` are this project's.",
        request: || labelled(json!({ "multiSelect": false })),
        other: None,
    },
    Sample {
        dialect: Dialect::Claude,
        named: "`PermissionResult` is `allow` with `updatedInput`, or `deny` with `message` (Claude Agent SDK, *Handle approvals and user input*).",
        request: || json!({ "tool_name": "AskUserQuestion", "input": labelled(json!({ "multiSelect": false })) }),
        other: None,
    },
];

const CALLS: &[Sample] = &[
    Sample {
        dialect: Dialect::Langchain,
        named: "The decisions are `approve`, `edit`, `reject` and, in Python, `respond` (LangChain, `HumanInTheLoopMiddleware`).",
        request: || calling(Dialect::Langchain, 1),
        other: Some(("Where a call can only be approved or edited,", || {
            let mut request = calling(Dialect::Langchain, 1);
            request["review_configs"][0]["allowed_decisions"] = json!(["approve", "edit"]);
            request
        })),
    },
    Sample {
        dialect: Dialect::AiSdk,
        named: "`addToolApprovalResponse` takes `approved` and `reason` (the package `ai`, version 6).",
        request: || calling(Dialect::AiSdk, 1)["parts"][0].take(),
        other: None,
    },
    Sample {
        dialect: Dialect::OpenaiAgents,
        named: "Each decision is for `state.approve(item, { alwaysApprove: always })` or `state.reject(item, { alwaysReject: always, message })` (the package `@openai/agents`, `RunState`).",
        request: || calling(Dialect::OpenaiAgents, 1),
        other: None,
    },
    Sample {
        dialect: Dialect::AgUi,
        named: "An approval is `resolved` with `approved` and what else its `responseSchema` has, or `cancelled` (AG-UI, Concepts, *Interrupts*).",
        request: || calling(Dialect::AgUi, 1),
        other: None,
    },
    Sample {
        dialect: Dialect::OpenaiResponses,
        named: "`mcp_approval_response` takes `approve` and `reason` (OpenAI Responses API).",
        request: || call(Dialect::OpenaiResponses, 1),
        other: None,
    },
    Sample {
        dialect: Dialect::Adk,
        named: "The function response has `confirmed`, and no place for words (`google-adk` 2.13, `ToolConfirmation`).",
        request: || call(Dialect::Adk, 1),
        other: None,
    },
    Sample {
        dialect: Dialect::AgentFramework,
        named: "`function_approval_response` has `approved` and the call (`agent-framework-core` 1.23).",
        request: || call(Dialect::AgentFramework, 1),
        other: None,
    },
    Sample {
        dialect: Dialect::ManagedAgents,
        named: "`user.tool_confirmation` is `allow`, or `deny` with `deny_message` (Claude Managed Agents, *Session event stream*).",
        request: || call(Dialect::ManagedAgents, 1),
        other: None,
    },
    Sample {
        dialect: Dialect::PydanticAi,
        named: "`DeferredToolResults` has the approvals by the id of the call (`pydantic-ai-slim` 2.68).",
        request: || call(Dialect::PydanticAi, 1),
        other: None,
    },
    Sample {
        dialect: Dialect::Langgraph,
        named: "`HumanResponse` is `accept`, `edit`, `response` or `ignore`, which has no place for words (LangGraph, agent inbox).",
        request: || call(Dialect::Langgraph, 1),
        other: None,
    },
    Sample {
        dialect: Dialect::Acp,
        named: "`session/request_permission` is answered by one of its options, or `cancelled` where the turn ends; a Reply rejects the call once, if that is one of them (Agent Client Protocol, `@agentclientprotocol/sdk` 2.4, versions 1 and 2).",
        request: || call(Dialect::Acp, 1),
        other: None,
    },
    Sample {
        dialect: Dialect::Codex,
        named: "The approvals of the app server are answered by a decision; there is no place for words (`codex app-server`, `CommandExecutionRequestApprovalResponse`).",
        request: || call(Dialect::Codex, 1),
        other: None,
    },
    Sample {
        dialect: Dialect::Opencode,
        named: "A permission is answered by `once`, `always` or `reject`, which takes a message (opencode server, `POST /permission/{requestID}/reply`).",
        request: || call(Dialect::Opencode, 1),
        other: None,
    },
    Sample {
        dialect: Dialect::Openclaw,
        named: "An approval is answered with `exec.approval.resolve` or `plugin.approval.resolve` by `allow-once`, `allow-always` or `deny`; there is no place for words (OpenClaw gateway, `ExecApprovalResolveParamsSchema`).",
        request: || call(Dialect::Openclaw, 1),
        other: None,
    },
    Sample {
        dialect: Dialect::Goose,
        named: "`toolConfirmationResponse` has a permission (goose, `ActionRequiredData`).",
        request: || call(Dialect::Goose, 1),
        other: None,
    },
    Sample {
        dialect: Dialect::Claude,
        named: "`PermissionResult` as above; `deny` with `interrupt` stops the turn (Claude Agent SDK, `canUseTool`).",
        request: || calling(Dialect::Claude, 1),
        other: None,
    },
];

/// Options with labels, and with nothing to describe them.
fn options(labels: [&str; 2]) -> Value {
    labels.iter().map(|label| json!({ "label": label, "description": "" })).collect()
}

/// Two questions with labelled options, and with what else their dialect is known by.
fn labelled(own: Value) -> Value {
    let question = |header: &str, labels: [&str; 2]| {
        let mut question = json!({ "question": format!("{header}?"), "header": header, "options": options(labels) });
        question.as_object_mut().unwrap().extend(own.as_object().unwrap().clone());
        question
    };
    json!({ "questions": [question("Color", ["blue", "red"]), question("Mood", ["calm", "loud"])] })
}

/// What a person does, with its row in the table.
struct Act {
    name: String,
    actions: Vec<Action>,
}

/// How a form is completed: a row for each way.
fn completing(sample: &Sample, request: &Value) -> Vec<Act> {
    let form = read(sample, request, Replies::Result);
    let Some(call) = form.questions()[0].answer_type.approval() else {
        return vec![Act {
            name: "answer".to_owned(),
            actions: vec![Action::answer(CHOSEN), Action::answer(TYPED), Action::Submit],
        }];
    };
    let reject = if call.reasons { json!({ "type": "reject", "message": WORDS }) } else { json!({ "type": "reject" }) };
    let ways = [
        ("approve", Decision::Approve, json!({ "type": "approve" })),
        ("edit", Decision::Edit, json!({ "type": "edit", "arguments": { "file": EDITED } })),
        ("reject", Decision::Reject, reject),
        ("answer instead", Decision::Respond, json!({ "type": "respond", "message": WORDS })),
    ];
    let allowed = ways.into_iter().filter(|(_, decision, _)| call.allows(*decision));
    let plain = allowed.map(|(name, _, answer)| (name.to_owned(), answer));
    // What an agent offers beside: the first of each kind.
    let beside = call.grants.iter().enumerate().filter(|(at, way)| call.plain_way(way.decision) != Some(*at));
    let beside = beside.map(|(_, way)| {
        let name = format!("{}, {}", way.decision.name(), way.scope.name());
        (name, json!({ "type": way.decision.name(), "grant": way.to_json() }))
    });
    let act = |(name, answer)| Act { name, actions: vec![Action::answer(answer)] };
    plain.chain(beside).map(act).collect()
}

/// An act that leaves the form: after the first of several answers.
fn leaving(name: &str, form: &Form, action: Action) -> Act {
    let answered = (form.questions().len() > 1).then(|| Action::answer(CHOSEN));
    Act { name: name.to_owned(), actions: answered.into_iter().chain([action]).collect() }
}

fn read(sample: &Sample, request: &Value, replies: Replies) -> Form {
    Form::read(request, sample.dialect, &Host { replies, ..Host::default() }).unwrap()
}

/// What a walk with these actions comes to; what is left of them when it is over is not done. An error is the code of a refusal.
fn walked(form: &Form, act: &Act) -> Result<Outcome, &'static str> {
    let mut walk = Walk::new(form.clone());
    for action in &act.actions {
        if !walk.is_over() {
            walk.act(action.clone()).map_err(|refusal| refusal.code())?;
        }
    }
    Ok(walk.outcome().unwrap())
}

/// A result as it stands in a cell. Where it repeats the questions of the request, they are left out.
fn shown(result: Option<&Value>, request: &Value) -> String {
    let Some(result) = result else { return "no result".to_owned() };
    let questions = ["/questions", "/input/questions"].into_iter().find_map(|place| request.pointer(place));
    let text = questions.map_or(result.to_string(), |list| result.to_string().replace(&list.to_string(), "[…]"));
    format!("`{}`", text.replace('|', "\\|"))
}

/// What of the person's input a result passes on.
fn travels(outcome: &Outcome, is_call: bool) -> String {
    let text = outcome.result.as_ref().map(Value::to_string).unwrap_or_default();
    let has = |part: &str| text.contains(part);
    let completed = outcome.ends() == Ends::Completed;
    let parts = [
        (completed && is_call, "the decision"),
        (completed && has(CHOSEN), "the answers"),
        (!completed && has(CHOSEN), "the answers given before"),
        (has(EDITED), "the edited arguments"),
        (has(WORDS), "the words"),
    ];
    let parts: Vec<&str> = parts.into_iter().filter(|(there, _)| *there).map(|(_, part)| part).collect();
    if parts.is_empty() { "nothing".to_owned() } else { parts.join(", ") }
}

/// Where a result has the words, such as `decisions[0].message`.
fn place(result: &Value) -> Option<String> {
    match result {
        Value::String(text) => text.contains(WORDS).then(String::new),
        Value::Array(items) => {
            items.iter().enumerate().find_map(|(at, item)| place(item).map(|rest| format!("[{at}]{rest}")))
        }
        Value::Object(fields) => {
            fields.iter().find_map(|(name, value)| place(value).map(|rest| format!(".{name}{rest}")))
        }
        _ => None,
    }
}

/// The cells of an act: what the agent gets, what of the person's input is in it, and where it has the words.
fn cells(outcome: &Outcome, request: &Value, is_call: bool) -> [String; 3] {
    let place = outcome.result.as_ref().and_then(place);
    let place = place.map_or("–".to_owned(), |place| match place.trim_start_matches('.') {
        "" => "the result".to_owned(),
        place => format!("`{place}`"),
    });
    [shown(outcome.result.as_ref(), request), travels(outcome, is_call), place]
}

/// The cells of a Reply with words, where the form takes one: those of the result, or of what the host delivers.
fn with_words(sample: &Sample, request: &Value, is_call: bool) -> [String; 3] {
    let form = read(sample, request, Replies::Result);
    let act = leaving("", &form, Action::Reply(Some(WORDS.into())));
    if form.reply() == Reply::WithWords {
        let outcome = walked(&form, &act).unwrap();
        // A host that delivers the words has them in the result, too.
        assert_eq!(walked(&read(sample, request, Replies::Message), &act).as_ref(), Ok(&outcome), "{}", form.dialect());
        return cells(&outcome, request, is_call);
    }
    assert_eq!((form.reply(), walked(&form, &act)), (Reply::WithoutWords, Err("not_allowed")), "{}", form.dialect());
    let delivered = walked(&read(sample, request, Replies::Message), &act).unwrap();
    let without = walked(&form, &leaving("", &form, Action::Reply(None))).unwrap();
    assert_eq!((delivered.reply(), &delivered.result), (Some(WORDS), &without.result), "{}", form.dialect());
    [
        "the form offers *Decline*; with `replies: \"message\"`, the same as without words".to_owned(),
        travels(&delivered, is_call),
        "with `\"message\"`: a message of the user, which the host delivers".to_owned(),
    ]
}

fn table(sample: &Sample) -> String {
    let request = (sample.request)();
    let form = read(sample, &request, Replies::Result);
    assert_eq!(form.dialect(), sample.dialect.name());
    let is_call = form.questions()[0].answer_type.approval().is_some();
    let row = |name: &str, [gets, travels, place]: [String; 3]| format!("| {name} | {gets} | {travels} | {place} |\n");
    let of = |act: &Act| row(&act.name, cells(&walked(&form, act).unwrap(), &request, is_call));
    let other = sample.other.map(|(what, request)| format!(" {what} {}", sentence(sample, &request())));
    let mut table = format!("**`{}`** {}{}\n\n", form.dialect(), sample.named, other.unwrap_or_default());
    table += "| | the agent gets | what travels | where the words go |\n| --- | --- | --- | --- |\n";
    table.extend(completing(sample, &request).iter().map(of));
    table += &of(&leaving("Reply without words", &form, Action::Reply(None)));
    table += &row("Reply with words", with_words(sample, &request, is_call));
    table += &of(&leaving("End turn", &form, Action::EndTurn));
    table += &of(&leaving("Expired", &form, Action::Expire));
    table
}

/// What the agent gets of a second shape of its dialect, where words have no place in it.
fn sentence(sample: &Sample, request: &Value) -> String {
    let form = read(sample, request, Replies::Result);
    let gets = |action| shown(walked(&form, &leaving("", &form, action)).unwrap().result.as_ref(), request);
    let ended = gets(Action::EndTurn);
    match form.reply() {
        Reply::No => format!("there is no Reply, and *End turn* gives {ended}."),
        Reply::WithoutWords if gets(Action::Reply(None)) == ended => format!("*Decline* and *End turn* give {ended}."),
        Reply::WithoutWords => format!("*Decline* gives {}, *End turn* {ended}.", gets(Action::Reply(None))),
        Reply::WithWords => unreachable!("the table has the words"),
    }
}

/// The dialects whose agents cannot tell a Reply without words from the end of the turn.
fn alike(samples: &[Sample]) -> String {
    let is_alike = |sample: &&Sample| {
        let form = read(sample, &(sample.request)(), Replies::Result);
        let result = |action| walked(&form, &leaving("", &form, action)).unwrap().result;
        result(Action::Reply(None)) == result(Action::EndTurn)
    };
    let names: Vec<String> = samples.iter().filter(is_alike).map(|one| format!("`{}`", one.dialect.name())).collect();
    names.join(", ")
}

#[test]
fn what_the_page_says_travels_is_what_the_core_writes() {
    let tables = |samples: &[Sample]| samples.iter().map(table).collect::<Vec<_>>().join("\n");
    let (questions, calls) = (tables(QUESTIONS), tables(CALLS));
    let alike = format!("In {}, a Reply without words and *End turn* give the same result.", alike(QUESTIONS));
    let made = format!("{alike}\n\n{questions}\nTool calls to approve:\n\n{calls}");
    keep_on_page(BEGIN, END, &made);
}

#[test]
fn every_dialect_has_a_table_of_what_travels() {
    let has = |dialect: &Dialect| QUESTIONS.iter().chain(CALLS).any(|sample| sample.dialect == *dialect);
    assert_eq!(Dialect::ALL.into_iter().find(|dialect| !has(dialect)), None);
}
