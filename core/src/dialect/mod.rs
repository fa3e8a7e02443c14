//! Dialects: the shapes of agents' question calls. Each has a file, and only these files know an agent's JSON.
//!
//! To add one, write its file with [`Rules`], add a variant to [`Dialect`], its tools to `tools.json`, and vectors.

mod ask_user;
mod ask_user_question;
mod claude;
mod codex;
mod deepagents;
mod draft;
mod fields;
mod gemini;
mod labelled;
mod mcp;
mod opencode;
mod reading;

pub use reading::{Reading, Request};

use crate::{
    json::parse,
    problem::{Pointer, Problem, ProblemKind, Rejection},
};
use draft::Rules;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::str::FromStr;

/// The shape of an agent's request, and of its result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Dialect {
    /// The dialect whose shape the request has. So the agent chooses it.
    #[default]
    Detect,
    /// jp's `ask_user`.
    AskUser,
    /// The coding agents' `ask_user_question`.
    AskUserQuestion,
    /// `canUseTool` of the Claude Agent SDK.
    Claude,
    /// Interrupts of LangGraph and deepagents, and their tools.
    Deepagents,
    /// Elicitation of the Model Context Protocol.
    Mcp,
    /// Gemini CLI's `ask_user`.
    Gemini,
    /// Codex' `request_user_input`.
    Codex,
    /// opencode's `question`.
    Opencode,
}

impl Dialect {
    /// Every dialect that a host can name, in the order in which a request is compared with them.
    pub const ALL: [Self; 8] = [
        Self::Mcp,
        Self::Deepagents,
        Self::AskUser,
        Self::Codex,
        Self::Gemini,
        Self::Opencode,
        Self::AskUserQuestion,
        Self::Claude,
    ];

    /// The name that hosts use, such as `ask_user`.
    pub fn name(self) -> &'static str {
        self.rules().map_or("detect", |rules| rules.name)
    }

    fn rules(self) -> Option<&'static Rules> {
        Some(match self {
            Self::Detect => return None,
            Self::AskUser => &ask_user::RULES,
            Self::AskUserQuestion => &ask_user_question::RULES,
            Self::Claude => &claude::RULES,
            Self::Deepagents => &deepagents::RULES,
            Self::Mcp => &mcp::RULES,
            Self::Gemini => &gemini::RULES,
            Self::Codex => &codex::RULES,
            Self::Opencode => &opencode::RULES,
        })
    }
}

impl FromStr for Dialect {
    type Err = UnknownDialect;

    fn from_str(name: &str) -> Result<Self, UnknownDialect> {
        let found = Self::ALL.into_iter().find(|dialect| dialect.name() == name);
        found.ok_or_else(|| UnknownDialect { name: name.to_owned() })
    }
}

/// The host named a dialect that does not exist. It becomes the rejection `unknown_dialect`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownDialect {
    /// The name.
    pub name: String,
}

impl From<UnknownDialect> for Rejection {
    fn from(unknown: UnknownDialect) -> Self {
        let known = Dialect::ALL.map(Dialect::name).to_vec();
        Self::of(None, Problem::new(Pointer::root(), ProblemKind::UnknownDialect { named: Some(unknown.name), known }))
    }
}

/// The definition of a tool that asks the person, to hand to a model. Its parameters are a JSON Schema in the subset that model providers
/// take: without references, and with one type for each field.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ToolDefinition {
    /// The tool's name.
    pub name: String,
    /// When to use it, and how.
    pub description: String,
    /// Its parameters: a JSON Schema.
    pub parameters: Value,
    /// When to ask and when not to, for the system prompt.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub instructions: Option<String>,
}

impl ToolDefinition {
    /// The definitions of a dialect's tools. Empty for [`Dialect::Detect`].
    pub fn of(dialect: Dialect) -> Vec<Self> {
        const TOOLS: &str = include_str!("tools.json");
        // Invariant: the file has the definitions of every dialect. A test reads them all.
        let tools = parse(TOOLS).unwrap_or_default();
        tools.get(dialect.name()).and_then(|tools| Vec::deserialize(tools).ok()).unwrap_or_default()
    }
}
