//! The sentences of the core that a person reads: in English, and in parts, so that a front end can say them in another language.

/// A sentence, by its key. The values in it stand as `{name}` in the English text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Sentence {
    /// The key, such as `grant.allow`.
    pub key: &'static str,
    /// The English text.
    pub english: &'static str,
}

/// A part of what is said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Wording {
    /// A text of the agent, as it is.
    Text(String),
    /// A sentence of the core.
    Phrase(Phrase),
}

/// A sentence with its values.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Phrase {
    /// The sentence.
    pub sentence: Sentence,
    /// The value in it, under its name. No sentence has two.
    pub value: Option<(&'static str, Box<Wording>)>,
}

impl Sentence {
    /// The sentence, which has no value.
    pub(crate) fn alone(self) -> Wording {
        Wording::Phrase(Phrase { sentence: self, value: None })
    }

    /// The sentence with a text of the agent.
    pub(crate) fn of(self, name: &'static str, text: impl Into<String>) -> Wording {
        self.around(name, Wording::Text(text.into()))
    }

    /// The sentence with another in it.
    pub(crate) fn around(self, name: &'static str, said: Wording) -> Wording {
        Wording::Phrase(Phrase { sentence: self, value: Some((name, Box::new(said))) })
    }
}

impl Wording {
    /// What is said, in English.
    pub fn english(&self) -> String {
        match self {
            Self::Text(text) => text.clone(),
            Self::Phrase(Phrase { sentence, value: None }) => sentence.english.to_owned(),
            Self::Phrase(Phrase { sentence, value: Some((name, said)) }) => {
                let mut english = String::new();
                let mut rest = sentence.english;
                while let Some((before, after)) = rest.split_once('{') {
                    english.push_str(before);
                    // Every brace of a sentence belongs to its value.
                    rest = after.strip_prefix(name).and_then(|after| after.strip_prefix('}')).unwrap_or(after);
                    english.push_str(&said.english());
                }
                english + rest
            }
        }
    }
}

macro_rules! sentences {
    ($($name:ident $key:literal $english:literal;)*) => {
        $(pub(crate) const $name: Sentence = Sentence { key: $key, english: $english };)*

        /// Every sentence.
        pub const SENTENCES: &[Sentence] = &[$($name),*];
    };
}

sentences! {
    ASK_RUN "ask.run" "Run {tool}?";
    ASK_TOOL_CALL "ask.tool_call" "Run this tool call?";
    ASK_COMMAND "ask.command" "Run this command?";
    ASK_CHANGES "ask.changes" "Make these changes?";
    ASK_PERMISSIONS "ask.permissions" "Grant these permissions?";
    ASK_CONNECTION "ask.connection" "Allow this connection?";
    ASK_ALLOW "ask.allow" "Allow {what}?";
    THIS_TIME "grant.this_time" "Yes, this time";
    THIS_TURN "grant.this_turn" "Yes, until this turn ends";
    NO "grant.no" "No";
    STOP "grant.stop" "No, and stop";
    ONCE "grant.once" "Allow once";
    ALLOW_CALL "grant.allow_call" "Allow this call";
    REJECT "grant.reject" "Reject";
    REJECT_CALL "grant.reject_call" "Reject this call";
    COMMAND "grant.command" "Run the same command without asking until this session ends";
    CHANGES "grant.changes" "Change these files without asking until this session ends";
    FOLDER "grant.folder" "Write anywhere below {folder} until this session ends";
    PERMISSIONS "grant.permissions" "Grant these permissions until this session ends";
    MORE_PERMISSIONS "grant.more_permissions" "Allow these permissions without asking until this session ends";
    CONNECTION "grant.connection" "Allow connections to this host without asking until this session ends";
    PREFIX "grant.prefix" "Run commands that begin with this without asking: {words}";
    EVERY_COMMAND "grant.every_command" "Run every command without asking";
    HOST "grant.host" "Allow connections to {host} without asking";
    REFUSE_HOST "grant.refuse_host" "Refuse connections to {host} without asking";
    CONNECTIONS "grant.connections" "Allow connections without asking: {rule}";
    REFUSE_CONNECTIONS "grant.refuse_connections" "Refuse connections without asking: {rule}";
    TOOL "grant.tool" "Run this tool without asking until this session ends";
    TOOL_ALWAYS "grant.tool_always" "Always run this tool without asking";
    COMMAND_ALWAYS "grant.command_always" "Always run this command, and each of its parts, without asking";
    ALWAYS "grant.always" "Always allow this without asking";
    PATTERNS "grant.patterns" "Allow {what} without asking, for:";
    PATTERNS_FOR_NOW "grant.patterns_for_now" "Allow {what} without asking until opencode is restarted, for:";
    ALLOW "grant.allow" "Allow {rules}";
    REFUSE "grant.refuse" "Refuse {rules}";
    ASK "grant.ask" "Ask about {rules}";
    ONLY_ALLOW "grant.only_allow" "Allow {rules}, and remove every other rule that allows a call";
    ONLY_REFUSE "grant.only_refuse" "Refuse {rules}, and remove every other rule that refuses a call";
    ONLY_ASK "grant.only_ask" "Ask about {rules}, and remove every other rule that asks about a call";
    STOP_ALLOWING "grant.stop_allowing" "Stop allowing {rules}";
    STOP_REFUSING "grant.stop_refusing" "Stop refusing {rules}";
    STOP_ASKING "grant.stop_asking" "Stop asking about {rules}";
    MODE "grant.mode" "Go on in the mode {mode}";
    FOLDERS "grant.folders" "Allow work in {folders}";
    NO_FOLDERS "grant.no_folders" "Allow no more work in {folders}";
    IN_SESSION "grant.in_session" "{what} until this session ends";
    IN_PROJECT "grant.in_project" "{what}, in the settings of this project";
    IN_YOUR_PROJECT "grant.in_your_project" "{what}, in your settings of this project";
    IN_YOUR_SETTINGS "grant.in_your_settings" "{what}, in your settings, for every project";
    ON_COMMAND_LINE "grant.on_command_line" "{what}, as if given on the command line";
}
