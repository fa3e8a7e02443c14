//! What the host says of a form: who asks, what is answered already, how much is allowed. A request can set none of it.

mod policy;

pub use policy::{Detached, Policy, PromptKind, Target};

use crate::{problem::Misuse, turn::Turn};
use serde_json::{Map, Value};
use std::fmt;

/// The options of the host. `Host::default()` suits a chat with a person in it.
#[derive(Clone, PartialEq)]
pub struct Host {
    /// The id of the tool call that asks; ids of records begin with it. Default `call_1`.
    pub tool_call_id: String,
    /// Who asks, as the person should read it (an agent's or a server's name).
    pub label: Option<String>,
    /// Who asks, for the records. Default: the assistant.
    pub source: Source,
    /// Answers of the host's configuration, by question id; such a question is not put to anybody. `Debug` shows ids only.
    pub static_answers: Map<String, Value>,
    /// Whether an answer may be remembered for the rest of the turn. Default: what the dialect says.
    pub reuse: Option<Reuse>,
    /// Whether all answers are shown for a last look before they are sent. Default: what the dialect says.
    pub review: Option<bool>,
    /// What earlier forms of the same turn left: attempts and remembered answers.
    pub turn: Turn,
    /// Whether a person is there to be asked. Default: yes.
    pub attached: bool,
    /// What happens to questions while no person is there. Default: they fail.
    pub detached: Detached,
    /// Who is asked first. Default: the person.
    pub target: Target,
    /// The ids of questions that the person alone may answer, never an assistant.
    pub exclusive: Vec<String>,
    /// Whether the agent that asks has no user: the form then fails at once with `sub_agent`.
    pub sub_agent: bool,
    /// The limits of a request, of its answers, and of a saved walk.
    pub limits: Limits,
}

impl Default for Host {
    fn default() -> Self {
        Self {
            tool_call_id: "call_1".into(),
            label: None,
            source: Source::Assistant,
            static_answers: Map::new(),
            reuse: None,
            review: None,
            turn: Turn::default(),
            attached: true,
            detached: Detached::default(),
            target: Target::User,
            exclusive: Vec::new(),
            sub_agent: false,
            limits: Limits::default(),
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
            .field("reuse", &self.reuse)
            .field("review", &self.review)
            .field("turn", &self.turn)
            .field("attached", &self.attached)
            .field("detached", &self.detached)
            .field("target", &self.target)
            .field("exclusive", &self.exclusive)
            .field("sub_agent", &self.sub_agent)
            .field("limits", &self.limits)
            .finish()
    }
}

/// Who asks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// A tool.
    Tool {
        /// Its name.
        name: String,
    },
    /// The assistant itself.
    Assistant,
    /// The user.
    User,
    /// Somebody else.
    Other {
        /// Their name.
        name: String,
    },
}

impl Source {
    /// The JSON form: `{"source": "tool", "name": …}` and its like.
    pub fn to_json(&self) -> Value {
        let (source, name) = match self {
            Self::Tool { name } => ("tool", Some(name)),
            Self::Assistant => ("assistant", None),
            Self::User => ("user", None),
            Self::Other { name } => ("other", Some(name)),
        };
        let mut json = Map::new();
        json.insert("source".into(), source.into());
        if let Some(name) = name {
            json.insert("name".into(), name.as_str().into());
        }
        Value::Object(json)
    }

    /// Reads the JSON form; `None` for anything else.
    pub fn from_json(value: &Value) -> Option<Self> {
        let name = || Some(value.get("name")?.as_str()?.to_owned());
        match value.get("source")?.as_str()? {
            "tool" => Some(Self::Tool { name: name()? }),
            "assistant" => Some(Self::Assistant),
            "user" => Some(Self::User),
            "other" => Some(Self::Other { name: name()? }),
            _ => None,
        }
    }
}

/// For how long an answer may be remembered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reuse {
    /// Until the turn ends, where the person says so.
    Turn,
    /// Not at all.
    None,
}

/// How much a request may ask for, and how large an answer may be. Beyond: `too_large`, `too_many_questions` or
/// `too_many_options`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of a request, or of one answer, as JSON text. Default 2 MiB.
    pub bytes: usize,
    /// Nesting of arrays and objects, in a request or an answer. Default 64; at most 120.
    pub depth: usize,
    /// Questions of a form. Default: what the dialect says; 1,000 where it says nothing.
    pub questions: Option<usize>,
    /// Options of a question. Default: what the dialect says; 10,000 where it says nothing.
    pub options: Option<usize>,
}

impl Limits {
    /// The deepest nesting that any host can allow: what the JSON parser takes.
    pub const MAX_DEPTH: usize = 120;
}

impl Default for Limits {
    fn default() -> Self {
        Self { bytes: 2 * 1024 * 1024, depth: 64, questions: None, options: None }
    }
}

impl Host {
    /// Reads options in their JSON form, by the names of the fields: `tool_call_id`, `label`, `source`,
    /// `static_answers`, `reuse` (`turn` or `none`), `review`, `turn`, `attached`, `detached` ([`Detached::from_json`]), `target`
    /// ([`Target::from_json`]), `exclusive` (`true` by question id), `sub_agent`, `limits` (`bytes`, `depth`, `questions`, `options`). What is absent keeps its default.
    ///
    /// # Errors
    /// [`Misuse`] for an option that does not exist or cannot have that value.
    pub fn from_json(options: &Value) -> Result<Self, Misuse> {
        let mut host = Self::default();
        let fields = options.as_object().ok_or(invalid("options", "an object"))?;
        for (name, value) in fields {
            match name.as_str() {
                "tool_call_id" => host.tool_call_id = text(name, value)?,
                "label" => host.label = Some(text(name, value)?),
                "source" => {
                    host.source =
                        Source::from_json(value).ok_or(invalid(name, "a source, such as {\"source\": \"user\"}"))?;
                }
                "static_answers" => {
                    host.static_answers = value.as_object().ok_or(invalid(name, "an object of answers by id"))?.clone();
                }
                "reuse" => {
                    host.reuse = Some(match value.as_str() {
                        Some("turn") => Reuse::Turn,
                        Some("none") => Reuse::None,
                        Some(_) | None => return Err(invalid(name, "\"turn\" or \"none\"")),
                    });
                }
                "review" => host.review = Some(flag(name, value)?),
                "turn" => {
                    host.turn =
                        Turn::from_json(value).ok_or(invalid(name, "an object with attempts and remembered"))?;
                }
                "attached" => host.attached = flag(name, value)?,
                "detached" => {
                    let expected =
                        "\"deny\", \"defaults\" or \"auto\", or an object of them by \"run\", \"deliver\", \"tool\"";
                    host.detached = Detached::from_json(value).ok_or(invalid(name, expected))?;
                }
                "target" => {
                    let expected = "\"user\", \"assistant\", \"assistant_with_escalation\" or an object with \"model\"";
                    host.target = Target::from_json(value).ok_or(invalid(name, expected))?;
                }
                "exclusive" => host.exclusive = policy::exclusive(value)?,
                "sub_agent" => host.sub_agent = flag(name, value)?,
                "limits" => host.limits = Limits::from_json(value)?,
                _ => return Err(Misuse::UnknownOption { name: name.clone() }),
            }
        }
        Ok(host)
    }
}

impl Limits {
    fn from_json(limits: &Value) -> Result<Self, Misuse> {
        let mut read = Self::default();
        for (name, value) in limits.as_object().ok_or(invalid("limits", "an object"))? {
            let number = value.as_u64().and_then(|number| usize::try_from(number).ok());
            let number = number.ok_or(invalid(name, "a whole number, not negative"))?;
            match name.as_str() {
                "bytes" => read.bytes = number,
                "depth" if number <= Self::MAX_DEPTH => read.depth = number,
                "depth" => return Err(invalid(name, "at most 120")),
                "questions" => read.questions = Some(number),
                "options" => read.options = Some(number),
                _ => return Err(Misuse::UnknownOption { name: format!("limits.{name}") }),
            }
        }
        Ok(read)
    }
}

fn invalid(name: &str, expected: &'static str) -> Misuse {
    Misuse::InvalidOption { name: name.to_owned(), expected }
}

fn text(name: &str, value: &Value) -> Result<String, Misuse> {
    value.as_str().map(str::to_owned).ok_or(invalid(name, "a string"))
}

fn flag(name: &str, value: &Value) -> Result<bool, Misuse> {
    value.as_bool().ok_or(invalid(name, "true or false"))
}
