//! Dialects: the shapes of agents' question calls. Each has a file, and only these files know an agent's JSON.
//!
//! To add one, write its file with [`Rules`], add a variant to [`Dialect`], its tools to `tools.json`, and vectors.

mod acp;
mod ag_ui;
mod agents;
mod ai_sdk;
mod approval;
mod ask_user;
mod ask_user_question;
mod calls;
mod claude;
mod codex;
mod codex_async;
mod condition;
mod declaration;
mod declared;
mod deepagents;
mod definition;
mod detection;
mod draft;
mod fields;
mod gemini;
mod labelled;
mod langchain;
mod mcp;
mod mcp_property;
mod mending;
mod near;
mod nested;
mod new_question;
mod openai_agents;
mod openclaw;
mod opencode;
mod own;
mod permit;
mod quoted;
mod reading;
mod stream;
mod table;

pub use declaration::BadDialect;
pub use definition::ToolDefinition;
pub use new_question::{NewCondition, NewOption, NewQuestion};
pub use own::OwnDialect;
pub use reading::{Reading, Request};
pub use stream::Reader;

use crate::{
    json::parse,
    problem::{Pointer, Problem, ProblemKind, Rejection},
};
use draft::Rules;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};
use serde_json::Value;
use std::str::FromStr;

/// The shape of an agent's request, and of its result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Dialect {
    /// The dialect whose shape the request has. So the agent chooses it.
    #[default]
    Detect,
    /// jp's `ask_user`.
    AskUser,
    /// The coding agents' `ask_user_question`.
    AskUserQuestion,
    /// `canUseTool` of the Claude Agent SDK: questions, and tool calls to approve.
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
    /// Questions and approvals of OpenClaw's gateway.
    Openclaw,
    /// LangChain's human-in-the-loop middleware: tool calls to approve.
    Langchain,
    /// Tool approvals of the AI SDK.
    AiSdk,
    /// Tool approvals of the OpenAI Agents SDK.
    OpenaiAgents,
    /// Interrupts of the AG-UI protocol.
    AgUi,
    /// Calls of hosted servers that the OpenAI Responses API asks about.
    OpenaiResponses,
    /// Confirmations of tools of Google's Agent Development Kit.
    Adk,
    /// Approvals of functions of the Microsoft Agent Framework.
    AgentFramework,
    /// Confirmations of tools of Claude Managed Agents.
    ManagedAgents,
    /// Deferred tools of Pydantic AI.
    PydanticAi,
    /// `HumanInterrupt` of LangGraph's agent inbox.
    Langgraph,
    /// Confirmations of tools of goose.
    Goose,
    /// Permissions of the Agent Client Protocol.
    Acp,
    /// VS Code's `vscode_askQuestions`.
    Vscode,
    /// Kimi CLI's `AskUserQuestion`.
    Kimi,
    /// The GitHub Copilot SDK's `ask_user`.
    Copilot,
    /// Zed's `ask_user`.
    Zed,
    /// Mastra's `ask_user`.
    Mastra,
    /// Roo Code's `ask_followup_question`.
    Roo,
    /// Cline's `ask_followup_question`.
    Cline,
    /// One that the host has declared: [`Dialect::from_json`].
    Own(OwnDialect),
}

impl Dialect {
    /// Every dialect of this package, in the order in which a request is compared with them.
    pub const ALL: [Self; 28] = [
        Self::Mcp,
        Self::Langchain,
        Self::AiSdk,
        Self::OpenaiAgents,
        Self::AgUi,
        Self::OpenaiResponses,
        Self::Adk,
        Self::AgentFramework,
        Self::ManagedAgents,
        Self::PydanticAi,
        Self::Langgraph,
        Self::Goose,
        Self::Acp,
        Self::Copilot,
        Self::Zed,
        Self::Mastra,
        Self::Roo,
        Self::Cline,
        Self::Deepagents,
        Self::AskUser,
        Self::Openclaw,
        Self::Codex,
        Self::Gemini,
        Self::Opencode,
        Self::Vscode,
        Self::Kimi,
        Self::AskUserQuestion,
        Self::Claude,
    ];

    /// Whether no request of this dialect has only the fields that most requests have ([`detection`] lists them).
    fn is_rare(self) -> bool {
        matches!(
            self,
            Self::Langchain
                | Self::AiSdk
                | Self::OpenaiAgents
                | Self::AgUi
                | Self::OpenaiResponses
                | Self::Adk
                | Self::AgentFramework
                | Self::ManagedAgents
                | Self::PydanticAi
                | Self::Langgraph
                | Self::Goose
                | Self::Roo
        )
    }

    /// The text of the first question of a request, for a person whom the request itself cannot be shown to: at most 500 characters. `None` where it
    /// is not JSON, or has no question where most agents put it. Nothing else of the request is checked.
    pub fn asked(request: &str) -> Option<String> {
        const LONGEST: usize = 500;
        let request = parse(request).ok()?;
        let first = request.get("questions").and_then(|questions| questions.get(0));
        // By name: JSON pointers bring the search for text within text into the form.
        let places = [
            request.get("question"),
            first.and_then(|first| first.get("text").or_else(|| first.get("question"))),
            request.get("message"),
        ];
        let text = places.into_iter().flatten().find_map(Value::as_str)?;
        Some(text.chars().take(LONGEST).collect())
    }

    /// The name that hosts use, such as `ask_user`.
    pub fn name(self) -> &'static str {
        self.rules().map_or("detect", |rules| rules.name)
    }

    /// [`Dialect::ALL`], and then those that the host has declared.
    pub fn every() -> impl Iterator<Item = Self> {
        Self::ALL.into_iter().chain(own::all().into_iter().map(Self::Own))
    }

    fn rules(self) -> Option<&'static Rules> {
        Some(match self {
            Self::Detect => return None,
            Self::Own(own) => own.rules(),
            Self::AskUser => &ask_user::RULES,
            Self::AskUserQuestion => &ask_user_question::RULES,
            Self::Claude => &claude::RULES,
            Self::Deepagents => &deepagents::RULES,
            Self::Mcp => &mcp::RULES,
            Self::Gemini => &gemini::RULES,
            Self::Codex => &codex::RULES,
            Self::Opencode => &opencode::RULES,
            Self::Openclaw => &openclaw::RULES,
            Self::Langchain => &langchain::RULES,
            Self::AiSdk => &ai_sdk::RULES,
            Self::OpenaiAgents => &openai_agents::RULES,
            Self::AgUi => &ag_ui::RULES,
            Self::OpenaiResponses => &calls::OPENAI_RESPONSES,
            Self::Adk => &calls::ADK,
            Self::AgentFramework => &calls::AGENT_FRAMEWORK,
            Self::ManagedAgents => &calls::MANAGED_AGENTS,
            Self::PydanticAi => &calls::PYDANTIC_AI,
            Self::Langgraph => &calls::LANGGRAPH,
            Self::Goose => &calls::GOOSE,
            Self::Acp => &acp::RULES,
            Self::Vscode => &agents::VSCODE,
            Self::Kimi => &agents::KIMI,
            Self::Copilot => &agents::COPILOT,
            Self::Zed => &agents::ZED,
            Self::Mastra => &agents::MASTRA,
            Self::Roo => &agents::ROO,
            Self::Cline => &agents::CLINE,
        })
    }
}

impl FromStr for Dialect {
    type Err = UnknownDialect;

    fn from_str(name: &str) -> Result<Self, UnknownDialect> {
        let found = Self::every().find(|dialect| dialect.name() == name);
        found.ok_or_else(|| UnknownDialect { name: name.to_owned() })
    }
}

impl Serialize for Dialect {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

impl<'de> Deserialize<'de> for Dialect {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = String::deserialize(deserializer)?;
        if name == Self::Detect.name() {
            return Ok(Self::Detect);
        }
        name.parse().map_err(|_| D::Error::custom("there is no such dialect"))
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
        let known = Dialect::every().map(Dialect::name).collect();
        Self::of(None, Problem::new(Pointer::root(), ProblemKind::UnknownDialect { named: Some(unknown.name), known }))
    }
}
