//! The options of the host: who asks, who answers, what is answered already, and the limits. A request cannot set any of them.

mod policy;

pub use policy::{Detached, Policies, Policy, PromptKind, Target, UnknownPromptKind};

use crate::{
    json::{FromJson, Named, ToJson, deserialize, put, serialize},
    moment::Moment,
    problem::{Misuse, collected},
    question::{Calls, HostRisks, Offers},
    turn::Turn,
};
use serde::{Deserialize, Deserializer, Serialize, de::Error};
use serde_json::{Map, Value};
use std::fmt;

/// The options of the host. The defaults suit a chat with one person.
///
/// In JSON, every option may be left out; it then has its default. An unknown option is an error. The JSON holds
/// `static_answers` and `secret_answers`: store it where secrets may be stored.
///
/// ```
/// use ask_user_core::{Host, Target};
/// use serde_json::json;
///
/// let host = Host::from_json(&json!({ "label": "Deploy agent", "limits": { "questions": 5 } }))?;
/// assert_eq!((host.limits.questions, host.target), (Some(5), Target::User));
/// let error = Host::from_json(&json!({ "limits": { "depth": 500 } })).unwrap_err();
/// assert_eq!(error.to_string(), "The option \"limits.depth\" must be a whole number from 0 to 120.");
/// # Ok::<(), ask_user_core::problem::Misuse>(())
/// ```
#[derive(Clone, PartialEq, Serialize)]
pub struct Host {
    /// The id of the tool call that asks. Record ids begin with it. Default: `call_1`.
    pub tool_call_id: String,
    /// The name that the person sees above the questions, such as that of the agent. Default: none.
    pub label: Option<String>,
    /// Who asks, as the records state it. Default: the assistant.
    pub source: Source,
    /// Fixed answers, by question id. A question that has one is not asked. `Debug` shows the ids only. Default: none.
    pub static_answers: Map<String, Value>,
    /// Fixed answers for `secret` questions, by question id. A question of any other type ignores them. `Debug` shows the ids only.
    /// Default: none.
    pub secret_answers: Map<String, Value>,
    /// Whether the person may have an answer remembered for the rest of the turn. Default: decided by the dialect.
    pub reuse: Option<Reuse>,
    /// Whether the person reviews all answers before they are sent. Default: decided by the dialect.
    pub review: Option<bool>,
    /// Whether the person may choose to approve all tool calls of a form at once. Each call is shown all the same. Default: false.
    pub approve_all: bool,
    /// The tool calls that the agent made earlier in the turn: beside a rule that the person may grant, the form says how many of them it would have covered. Of more than
    /// [`Calls::MOST`], the last count. Default: none, and nothing is said.
    pub calls: Calls,
    /// Ways to decide on tool calls that the host offers beside those of the agent: approve or reject for the session, or from now on. The agent gets the decision on the call alone (`openai_agents`: that it holds for the run); the host keeps the rule, as the
    /// record of the answer has it. Default: none.
    pub grants: Offers,
    /// What the host says of tool calls: what is risky about them, and what the button that approves them says. It only adds to what [`crate::Approval::risks`] finds. Default: nothing.
    pub risks: HostRisks,
    /// Whether Ctrl+Enter (⌘+Enter) approves a single tool call, as its button does. It never approves a risky one. Default: false.
    pub approve_by_key: bool,
    /// What earlier forms of the same turn left behind: [`crate::Walk::turn`] of the last one. Default: nothing.
    pub turn: Turn,
    /// What the person answered or typed in a form that they left with Reply, or whose request was rejected, by question id:
    /// [`crate::Walk::drafts`] of it. The same questions start from it. It never answers anything. `Debug` shows the ids only. Default: none.
    pub drafts: Map<String, Value>,
    /// Whether a person is there to answer. Default: true.
    pub attached: bool,
    /// What happens to prompts while no person is there. Default: they are denied.
    pub detached: Detached,
    /// Who is asked first. Default: the person.
    pub target: Target,
    /// Who is asked first, by question id. Goes before `target`. Default: none.
    pub targets: Named<Target>,
    /// The questions that only the person may answer, never an assistant: `true` by question id, or `true` for all. Default: none.
    pub exclusive: Exclusive,
    /// What happens to a request without a named dialect that several dialects could have sent. Default: the design's own is assumed, with a warning.
    pub detect: Detect,
    /// Where the words of a Reply go. Default: into the result, where the dialect has room for them.
    pub replies: Replies,
    /// When the time for an answer is over. The core has no clock: the host says what time it is ([`crate::Walk::expire`]). Default: what the
    /// request says, if it says so.
    pub expires_at: Option<Moment>,
    /// Whether the agent waits for the answer. If it does not, the person reads that it has gone on, no answer is remembered, and the end of the turn closes this question alone. [`crate::Outline::must_block`] names what cannot be asked so.
    /// Default: true.
    pub blocking: bool,
    /// Whether the agent that asks has no user. Every form then fails at once with `sub_agent`. Default: false.
    pub sub_agent: bool,
    /// A text that differs from form to form and from browser tab to browser tab, such as a random id. It makes idempotency keys unique.
    /// Default: none; two tabs with the same tool call then have the same keys.
    pub nonce: Option<String>,
    /// How large requests, answers and saved walks may be.
    pub limits: Limits,
}

impl Default for Host {
    fn default() -> Self {
        Self {
            tool_call_id: "call_1".into(),
            label: None,
            source: Source::Assistant,
            static_answers: Map::new(),
            secret_answers: Map::new(),
            reuse: None,
            review: None,
            approve_all: false,
            calls: Calls::default(),
            grants: Offers::default(),
            risks: HostRisks::default(),
            approve_by_key: false,
            turn: Turn::default(),
            drafts: Map::new(),
            attached: true,
            detached: Detached::default(),
            target: Target::User,
            targets: Named::default(),
            exclusive: Exclusive::default(),
            detect: Detect::default(),
            replies: Replies::default(),
            expires_at: None,
            blocking: true,
            sub_agent: false,
            nonce: None,
            limits: Limits::default(),
        }
    }
}

impl Host {
    /// Reads the options from JSON. An error names the option and never shows its value.
    ///
    /// # Errors
    /// [`Misuse`] if `options` is not an object, has an unknown option, or has an option with an invalid value.
    pub fn from_json(options: &Value) -> Result<Self, Misuse> {
        let mut host = Self::default();
        for (name, value) in options.as_object().ok_or_else(|| invalid("options", OBJECT))? {
            host.set(name, value)?;
        }
        Ok(host)
    }

    fn set(&mut self, name: &str, value: &Value) -> Result<(), Misuse> {
        let (read, expected) = match name {
            "tool_call_id" => (put(&mut self.tool_call_id, value), TEXT),
            "label" => (put(&mut self.label, value), TEXT),
            "nonce" => (put(&mut self.nonce, value), TEXT),
            _ => return self.set_other(name, value),
        };
        read.ok_or_else(|| invalid(name, expected))
    }

    /// Sets an option that most hosts leave out.
    #[cold]
    #[inline(never)]
    fn set_other(&mut self, name: &str, value: &Value) -> Result<(), Misuse> {
        let (read, expected) = match name {
            "review" => (put(&mut self.review, value), FLAG),
            "approve_all" => (put(&mut self.approve_all, value), FLAG),
            "calls" => (put(&mut self.calls, value), "a list of calls, each {\"tool\": …, \"arguments\": …}"),
            "grants" => (
                put(&mut self.grants, value),
                "a list of at most 20 grants, each with \"scope\" (\"session\" or \"always\"), \"shown\" (a text), and if needed \"decision\", \"rule\" and \"tool\"",
            ),
            "risks" => (
                put(&mut self.risks, value),
                "a list of at most 100 objects, each with \"text\" (at most 500 characters) or \"action\" (at most 60, in one line) or both, and if needed \"question\" and \"tool\"",
            ),
            "approve_by_key" => (put(&mut self.approve_by_key, value), FLAG),
            "attached" => (put(&mut self.attached, value), FLAG),
            "blocking" => (put(&mut self.blocking, value), FLAG),
            "sub_agent" => (put(&mut self.sub_agent, value), FLAG),
            "static_answers" => (put(&mut self.static_answers, value), ANSWERS),
            "secret_answers" => (put(&mut self.secret_answers, value), ANSWERS),
            "drafts" => (put(&mut self.drafts, value), "an object, as `drafts` of an earlier walk gives it"),
            "exclusive" => {
                (put(&mut self.exclusive, value), "true or false, or an object with true or false for each question id")
            }
            "detect" => (put(&mut self.detect, value), "\"assume\" or \"strict\""),
            "expires_at" => (put(&mut self.expires_at, value), "a moment (RFC 3339), such as \"2026-11-28T12:00:00Z\""),
            "replies" => (put(&mut self.replies, value), "\"result\", \"message\" or \"none\""),
            "reuse" => (put(&mut self.reuse, value), "\"turn\" or \"none\""),
            "source" => (
                put(&mut self.source, value),
                "{\"source\": \"assistant\"}, {\"source\": \"user\"}, {\"source\": \"tool\", \"name\": …} or {\"source\": \
                 \"other\", \"name\": …}",
            ),
            "turn" => (
                put(&mut self.turn, value),
                "an object with \"attempts\", \"remembered\" and \"permissions\", as the last form of the turn left it",
            ),
            "detached" => (
                put(&mut self.detached, value),
                "\"deny\", \"defaults\" or \"auto\", or an object of these for \"run\", \"deliver\", \"tool\" and the names \
                 in \"tools\"",
            ),
            "target" => (
                put(&mut self.target, value),
                "\"user\", \"assistant\", \"assistant_with_escalation\", or an object with \"model\" (which has a string \"id\") \
                 and \"escalation\" (true or false)",
            ),
            "targets" => (
                put(&mut self.targets, value),
                "an object that holds for each question id \"user\", \"assistant\", \"assistant_with_escalation\" or an object \
                 with \"model\"",
            ),
            "limits" => {
                for (name, value) in value.as_object().ok_or_else(|| invalid(name, OBJECT))? {
                    self.limits.set(name, value)?;
                }
                return Ok(());
            }
            _ => return Err(Misuse::UnknownOption { name: name.to_owned() }),
        };
        read.ok_or_else(|| invalid(name, expected))
    }

    /// Whether answers may be remembered, where the dialect says this. An answer that the agent does not wait for may come in another turn: it is not remembered.
    pub(crate) fn reuse_or(&self, dialect: Reuse) -> Reuse {
        if self.blocking { self.reuse.unwrap_or(dialect) } else { Reuse::None }
    }

    /// Who is asked the question with this id first.
    pub fn target_of(&self, question: &str) -> Target {
        self.targets.get(question).unwrap_or_else(|| self.target.clone())
    }

    /// Whether only the person may answer the question with this id.
    pub fn is_exclusive(&self, question: &str) -> bool {
        match &self.exclusive {
            Exclusive::Form(all) => *all,
            Exclusive::Questions(questions) => questions.get(question).unwrap_or_default(),
        }
    }
}

impl fmt::Debug for Host {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Host")
            .field("tool_call_id", &self.tool_call_id)
            .field("label", &self.label)
            .field("source", &self.source)
            .field("static_answers", &self.static_answers.keys().collect::<Vec<_>>())
            .field("secret_answers", &self.secret_answers.keys().collect::<Vec<_>>())
            .field("reuse", &self.reuse)
            .field("review", &self.review)
            .field("approve_all", &self.approve_all)
            .field("calls", &self.calls.as_slice().len())
            .field("grants", &self.grants)
            .field("risks", &self.risks)
            .field("approve_by_key", &self.approve_by_key)
            .field("turn", &self.turn)
            .field("drafts", &self.drafts.keys().collect::<Vec<_>>())
            .field("attached", &self.attached)
            .field("detached", &self.detached)
            .field("target", &self.target)
            .field("targets", &self.targets)
            .field("exclusive", &self.exclusive)
            .field("detect", &self.detect)
            .field("replies", &self.replies)
            .field("expires_at", &self.expires_at)
            .field("blocking", &self.blocking)
            .field("sub_agent", &self.sub_agent)
            .field("nonce", &self.nonce)
            .field("limits", &self.limits)
            .finish()
    }
}

impl<'de> Deserialize<'de> for Host {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::from_json(&Value::deserialize(deserializer)?).map_err(D::Error::custom)
    }
}

const OBJECT: &str = "an object";
const TEXT: &str = "a string";
const FLAG: &str = "true or false";
const ANSWERS: &str = "an object with an answer for each question id";

fn invalid(name: &str, expected: &'static str) -> Misuse {
    Misuse::InvalidOption { name: name.to_owned(), expected }
}

/// Who asks. In JSON: `{"source": "tool", "name": …}`, `{"source": "assistant"}`, `{"source": "user"}` or
/// `{"source": "other", "name": …}`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// A tool.
    Tool {
        /// The name of the tool.
        name: String,
    },
    /// The assistant.
    Assistant,
    /// The user.
    User,
    /// Somebody else.
    Other {
        /// Their name.
        name: String,
    },
}

impl ToJson for Source {
    fn to_json(&self) -> Value {
        let (source, name) = match self {
            Self::Tool { name } => ("tool", Some(name)),
            Self::Assistant => ("assistant", None),
            Self::User => ("user", None),
            Self::Other { name } => ("other", Some(name)),
        };
        let name = name.map(|name| name.as_str().into());
        Value::Object(collected(&mut [("source", Some(source.into())), ("name", name)]))
    }
}

impl FromJson for Source {
    fn from_json(value: &Value) -> Option<Self> {
        let name = || String::from_json(value.get("name")?);
        match value.get("source")?.as_str()? {
            "tool" => Some(Self::Tool { name: name()? }),
            "assistant" => Some(Self::Assistant),
            "user" => Some(Self::User),
            "other" => Some(Self::Other { name: name()? }),
            _ => None,
        }
    }
}

serialize!(Source);
deserialize!(Source: "an object with \"source\" (\"assistant\", \"user\", \"tool\" or \"other\"), and \"name\" for the last two");

/// The questions that only the person may answer. In JSON: `true` or `false` for all, or an object with one for each question id.
#[derive(Clone, Debug, PartialEq)]
pub enum Exclusive {
    /// All questions, or none.
    Form(bool),
    /// Those with `true`.
    Questions(Named<bool>),
}

impl Default for Exclusive {
    fn default() -> Self {
        Self::Questions(Named::default())
    }
}

impl FromIterator<(String, bool)> for Exclusive {
    fn from_iter<T: IntoIterator<Item = (String, bool)>>(questions: T) -> Self {
        Self::Questions(questions.into_iter().collect())
    }
}

impl ToJson for Exclusive {
    fn to_json(&self) -> Value {
        match self {
            Self::Form(all) => (*all).into(),
            Self::Questions(questions) => questions.to_json(),
        }
    }
}

impl FromJson for Exclusive {
    fn from_json(value: &Value) -> Option<Self> {
        match value {
            Value::Bool(all) => Some(Self::Form(*all)),
            value => Named::from_json(value).map(Self::Questions),
        }
    }
}

serialize!(Exclusive);

/// What happens to a request without a named dialect that several dialects could have sent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Detect {
    /// It is read as the design's own, with the warning `assumed_dialect`.
    #[default]
    Assume,
    /// It is rejected with `assumed_dialect`.
    Strict,
}

impl FromJson for Detect {
    fn from_json(value: &Value) -> Option<Self> {
        match value.as_str()? {
            "assume" => Some(Self::Assume),
            "strict" => Some(Self::Strict),
            _ => None,
        }
    }
}

/// Where the words of a Reply go.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Replies {
    /// Into the result, where the dialect has room for them. Where it has none, the person can decline without words.
    #[default]
    Result,
    /// Into a message of the user: the host delivers [`crate::Outcome::reply`].
    Message,
    /// Nowhere: there is no Reply.
    None,
}

impl FromJson for Replies {
    fn from_json(value: &Value) -> Option<Self> {
        match value.as_str()? {
            "result" => Some(Self::Result),
            "message" => Some(Self::Message),
            "none" => Some(Self::None),
            _ => None,
        }
    }
}

/// How long an answer may be remembered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reuse {
    /// Until the turn ends, if the person asks for it.
    Turn,
    /// Not at all.
    None,
}

impl FromJson for Reuse {
    fn from_json(value: &Value) -> Option<Self> {
        match value.as_str()? {
            "turn" => Some(Self::Turn),
            "none" => Some(Self::None),
            _ => None,
        }
    }
}

/// How large a request and its answers may be. Beyond a limit, reading fails with `too_large`, `too_many_questions` or
/// `too_many_options`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Limits {
    /// The size of a request, and of one answer, in bytes of JSON text. Default: 2 MiB.
    pub bytes: usize,
    /// How deep arrays and objects may nest, in a request and in an answer. Default: 64. Maximum: [`Limits::MAX_DEPTH`].
    pub depth: usize,
    /// The number of questions of a form. Default: that of the dialect, or 1,000.
    pub questions: Option<usize>,
    /// The number of options of a question. Default: that of the dialect, or 10,000.
    pub options: Option<usize>,
    /// The number of questions of a turn: those asked in earlier forms, however they ended, those of forms that are still open ([`crate::Turn::open`]), and those of this form. Default: no limit.
    pub questions_per_turn: Option<usize>,
    /// The work of one call, in units of [`crate::Budget`]. Default: [`crate::Budget::DEFAULT`].
    pub work: u64,
}

impl Limits {
    /// The largest `depth`. The JSON parser reads no deeper.
    pub const MAX_DEPTH: usize = 120;

    fn set(&mut self, name: &str, value: &Value) -> Result<(), Misuse> {
        let read = match name {
            "bytes" => put(&mut self.bytes, value),
            "depth" => put(&mut self.depth, value).filter(|()| self.depth <= Self::MAX_DEPTH),
            "questions" => put(&mut self.questions, value),
            "options" => put(&mut self.options, value),
            "questions_per_turn" => put(&mut self.questions_per_turn, value),
            "work" => put(&mut self.work, value),
            _ => return Err(Misuse::UnknownOption { name: format!("limits.{name}") }),
        };
        read.ok_or_else(|| Misuse::InvalidOption {
            name: format!("limits.{name}"),
            expected: match name {
                "depth" => "a whole number from 0 to 120",
                _ => "a whole number that is not negative",
            },
        })
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            bytes: 2 * 1024 * 1024,
            depth: 64,
            questions: None,
            options: None,
            questions_per_turn: None,
            work: crate::Budget::DEFAULT,
        }
    }
}

impl<'de> Deserialize<'de> for Limits {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut limits = Self::default();
        for (name, value) in Map::deserialize(deserializer)? {
            limits.set(&name, &value).map_err(D::Error::custom)?;
        }
        Ok(limits)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn an_option_that_cannot_be_read_is_named_and_its_value_not_shown() {
        for (options, message) in [
            (json!([]), "The option \"options\" must be an object."),
            (json!({ "label": "x", "lable": 1 }), "There is no option \"lable\". Check its spelling."),
            (json!({ "limits": { "deep": 1 } }), "There is no option \"limits.deep\". Check its spelling."),
            (
                json!({ "attached": true, "limits": { "bytes": 1, "depth": 121 } }),
                "The option \"limits.depth\" must be a whole number from 0 to 120.",
            ),
            (json!({ "review": "hunter2" }), "The option \"review\" must be true or false."),
            (
                json!({ "secret_answers": "hunter2" }),
                "The option \"secret_answers\" must be an object with an answer for each question id.",
            ),
            (
                json!({ "exclusive": { "a": 1 } }),
                "The option \"exclusive\" must be true or false, or an object with true or false for each question id.",
            ),
        ] {
            assert_eq!(Host::from_json(&options).unwrap_err().to_string(), message, "{options}");
        }
    }

    #[test]
    fn options_of_the_host_survive_their_json() {
        let options = json!({
            "source": { "source": "tool", "name": "git" },
            "static_answers": { "a": 1 },
            "reuse": "none",
            "turn": { "attempts": { "call_1.a": 2 }, "remembered": { "git.a": { "question": {}, "answer": null } } },
            "detached": { "run": "auto", "tools": { "git": "deny" } },
            "target": "assistant",
            "targets": { "a": { "model": { "id": "m", "temperature": 0 }, "escalation": true }, "b": "user" },
            "exclusive": { "a": true, "b": false },
            "nonce": "n",
        });
        let host = Host::from_json(&options).unwrap();
        assert!(host.is_exclusive("a") && !host.is_exclusive("b") && !host.is_exclusive("c"));
        assert_eq!((host.target_of("b"), host.target_of("c")), (Target::User, host.target.clone()));
        assert_eq!(json!(host)["targets"], options["targets"]);
        assert_eq!(json!(host)["target"], "assistant");
        let whole = Host::from_json(&json!({ "exclusive": true, "detect": "strict", "replies": "message" })).unwrap();
        assert!(whole.is_exclusive("a") && whole.detect == Detect::Strict && whole.replies == Replies::Message);
        assert_eq!(Host::from_json(&json!(whole)).unwrap(), whole);
        assert_eq!(Host::from_json(&json!(host)).unwrap(), host);
        assert!(!format!("{:?}", Host { secret_answers: host.static_answers.clone(), ..host }).contains("Number(1)"));
    }
}
