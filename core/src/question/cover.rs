//! How many earlier calls of a turn the rule of a grant would have covered. Where that cannot be said for sure of each call, nothing is said.

use super::Called;
use serde_json::Value;

/// How many earlier calls of the turn a rule would have covered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Covered {
    /// The calls that the rule covers.
    pub calls: usize,
    /// All earlier calls of the turn, as the host handed them in ([`crate::Host::calls`]).
    pub of: usize,
}

/// What a rule covers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Cover {
    /// Commands that begin with these words.
    Words(Vec<String>),
    /// Calls of a tool of which something matches a pattern: `*` stands for anything, `?` for one character.
    Patterns(String, Vec<String>),
    /// Calls that one of these rules in the notation of Claude Code covers: a tool, and what stands in brackets behind it.
    Rules(Vec<(String, Option<String>)>),
}

impl Cover {
    /// How many of these calls it covers. `None`: there are none, or it cannot be said of one.
    #[cold]
    #[inline(never)]
    pub fn of(&self, calls: &[Called]) -> Option<Covered> {
        let mut covered = 0_usize;
        for call in calls {
            covered = covered.saturating_add(usize::from(self.covers(call)?));
        }
        (!calls.is_empty()).then_some(Covered { calls: covered, of: calls.len() })
    }

    fn covers(&self, call: &Called) -> Option<bool> {
        match self {
            Self::Words(begin) => {
                let Some(command) = call.arguments.get("command") else { return Some(false) };
                let words = words_of(command)?;
                Some(words.get(..begin.len()).is_some_and(|words| words.iter().eq(begin)))
            }
            Self::Patterns(tool, patterns) => {
                if *tool != call.tool {
                    return Some(false);
                }
                if patterns.iter().any(|pattern| pattern == "*") {
                    return Some(true);
                }
                let command = call.arguments.get("command").filter(|_| tool == "bash")?.as_str()?;
                any(patterns.iter().map(|pattern| is_like(pattern, command)))
            }
            Self::Rules(rules) => any(rules.iter().map(|(tool, content)| is_ruled(tool, content.as_deref(), call))),
        }
    }
}

/// Whether one of them is. `None`: none is for sure, and of one it is not known.
fn any(all: impl Iterator<Item = Option<bool>>) -> Option<bool> {
    let mut is_known = true;
    for one in all {
        match one {
            Some(true) => return Some(true),
            Some(false) => {}
            None => is_known = false,
        }
    }
    is_known.then_some(false)
}

/// The words of a plain command. `None` for one that a shell has to read: with several commands, quotes, variables, or patterns.
fn words_of(command: &Value) -> Option<Vec<&str>> {
    match command {
        Value::String(text) => plain_words(text),
        Value::Array(words) => {
            let words: Vec<&str> = words.iter().map(Value::as_str).collect::<Option<_>>()?;
            match *words {
                // What a shell is told to run.
                [shell, "-c" | "-lc", script] if matches!(shell.rsplit('/').next(), Some("bash" | "sh" | "zsh")) => {
                    plain_words(script)
                }
                _ => Some(words),
            }
        }
        _ => None,
    }
}

fn plain_words(command: &str) -> Option<Vec<&str>> {
    is_plain(command).then(|| command.split(' ').filter(|word| !word.is_empty()).collect())
}

/// Whether a shell reads a text as one command, and its words as they are.
fn is_plain(command: &str) -> bool {
    // A letter beyond ASCII is one of a word. By bytes: no tables of Unicode.
    command.bytes().all(|letter| letter.is_ascii_alphanumeric() || b" _-./:=@,+%^".contains(&letter) || letter > 127)
}

/// Whether a text is like a pattern to its end. `None`: that would take too long.
fn is_like(pattern: &str, text: &str) -> Option<bool> {
    /// How much is compared.
    const WORK: usize = 1_000_000;
    let (pattern, text) = (pattern.as_bytes(), text.as_bytes());
    // A byte is not always a character.
    if pattern.len().saturating_mul(text.len()) > WORK || pattern.contains(&b'?') && !text.is_ascii() {
        return None;
    }
    // A pattern may end with any arguments, or none.
    let bare = pattern.strip_suffix(b" *");
    Some(matches(pattern, text) || bare.is_some_and(|bare| matches(bare, text)))
}

/// Whether a text matches a pattern. Where it does not, the last `*` takes one character more.
fn matches(mut pattern: &[u8], mut text: &[u8]) -> bool {
    let mut again = None;
    while let Some((letter, rest)) = text.split_first() {
        match pattern.split_first() {
            Some((b'*', after)) => {
                again = Some((after, text));
                pattern = after;
            }
            Some((one, after)) if *one == b'?' || one == letter => (pattern, text) = (after, rest),
            _ => {
                let Some((after, [_, longer @ ..])) = again else { return false };
                again = Some((after, longer));
                (pattern, text) = (after, longer);
            }
        }
    }
    pattern.iter().all(|rest| *rest == b'*')
}

/// Whether a rule in the notation of Claude Code covers a call (Claude Code, "Permission rule syntax").
fn is_ruled(tool: &str, content: Option<&str>, call: &Called) -> Option<bool> {
    let Some(content) = content else {
        // A server's name stands for all its tools.
        let server = tool.strip_prefix("mcp__").map(|name| name.strip_suffix("__*").unwrap_or(name));
        let of_server = server
            .filter(|name| !name.as_bytes().windows(2).any(|two| two == b"__"))
            .and_then(|name| call.tool.strip_prefix("mcp__")?.strip_prefix(name)?.strip_prefix("__"));
        return match (tool, &*call.tool) {
            _ if tool == call.tool || of_server.is_some() => Some(true),
            // The rules of these hold for further tools.
            ("Edit" | "Write" | "Read", "Edit" | "MultiEdit" | "Write" | "NotebookEdit" | "Read" | "Grep" | "Glob") => {
                None
            }
            _ => Some(false),
        };
    };
    match (tool, &*call.tool) {
        ("Bash", "Bash") => {
            let command = call.arguments.get("command")?.as_str()?;
            match content.strip_suffix(":*") {
                _ if command == content => Some(true),
                Some(begin) if !begin.contains('*') => is_plain(command)
                    .then(|| command.strip_prefix(begin).is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))),
                None if !content.contains('*') => is_plain(command).then_some(false),
                _ => None,
            }
        }
        ("Edit" | "Write" | "Read", _) => None,
        (tool, called) if tool != called => Some(false),
        _ => None,
    }
}
