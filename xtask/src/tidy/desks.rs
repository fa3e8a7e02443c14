//! Whether an answer counts is decided in the core, by a desk. A host has no rule for that: it compares no answers, reads none again, and applies none to a walk.

use super::Source;

/// Where hosts are.
const HOSTS: &[&str] = &[
    "host/src/",
    "examples/chat/",
    "examples/chats/",
    "examples/desktop/src/",
    "examples/electron/",
    "examples/mcp-app/",
    "examples/next/",
    "examples/python-host/",
    "pkg/src/hosting/",
    "pkg/src/inbox/",
    "python/ask_user/inbox.py",
    "python/ask_user/starlette.py",
];
/// What decides about an answer, as it stands in Rust, JavaScript and Python. A test in Rust may play a client.
const DECIDES: &[&str] = &[
    ".continued(",
    ".answers(",
    ".end_turn(",
    ".endTurn(",
    "Action::EndTurn",
    "Action::Answer",
    "Unresumable",
    "RefusalError",
    "Walk::resume",
    "Walk.resume",
    "[\"log\"]",
    ".log ===",
];

pub fn check(sources: &[Source]) -> Vec<String> {
    let hosts = sources.iter().filter(|source| HOSTS.iter().any(|host| source.path.starts_with(host)));
    let hosts = hosts.filter(|source| !source.path.contains("/tests"));
    hosts.flat_map(|source| faults(&source.path, &source.text)).collect()
}

fn faults(path: &str, text: &str) -> Vec<String> {
    let own = text.split("#[cfg(test)]").next().unwrap_or_default();
    let lines = own.lines().enumerate().filter(|(_, line)| !line.trim_start().starts_with("//"));
    let found = lines.filter_map(|(place, line)| Some((place, DECIDES.iter().find(|word| line.contains(**word))?)));
    found.map(|(place, word)| format!("{path}:{}: a host must not decide about answers: {word}", place + 1)).collect()
}

#[cfg(test)]
mod tests {
    use super::faults;

    #[test]
    fn a_host_that_decides_is_found() {
        assert_eq!(faults("host.js", "desk.on(input);\n// walk.continued(x)\n"), Vec::<String>::new());
        assert_eq!(faults("host.js", "const walk =\n  own.continued(response);\n").len(), 1);
        assert!(faults("host.rs", "walk.answers(given)?;").first().is_some_and(|fault| fault.contains("host.rs:1")));
        assert!(faults("host.rs", "desk.on(input);\n#[cfg(test)]\nwalk.answers(given)").is_empty());
    }
}
