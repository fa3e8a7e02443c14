//! The rules that tests prove, read from the sources: the name of a test is its rule. Only tests that a command runs count.

use super::Source;
use serde_json::Value;

/// A file of tests.
pub struct Suite<'a> {
    /// The path of the file.
    pub path: &'a str,
    /// What the file is for: the first sentence of it.
    pub purpose: String,
    /// The names of its tests as they are written there, in their order. One that is not written there is empty.
    pub names: Vec<String>,
}

impl Suite<'_> {
    /// The rule that a test proves, as Markdown.
    pub fn rule(&self, name: &str) -> String {
        match self.path.rsplit_once('.') {
            Some((_, "mjs")) => escaped(&without_values(name)),
            _ => sentence(name.strip_prefix("test_").unwrap_or(name)),
        }
    }
}

/// The files of tests that a command runs, as they are ordered in `sources`.
pub fn suites(sources: &[Source]) -> Vec<Suite<'_>> {
    let suites = sources.iter().filter_map(|source| {
        let (path, text) = (source.path.as_str(), source.text.as_str());
        let names = match path.rsplit_once('.')? {
            (_, "rs") if is_compiled(path, sources) => rust_tests(text),
            (_, "mjs") => script_tests(text),
            // `cargo xtask hosts python` runs every such file of the folder.
            (_, "py") if path.starts_with("tests/python/test_") => python_tests(text),
            (_, "json") if is_played(path, sources) => cases(text),
            _ => return None,
        };
        let is_suite = !names.is_empty() && (!path.ends_with(".mjs") || is_run(path, sources));
        is_suite.then(|| Suite { path, purpose: purpose(path, text), names })
    });
    suites.collect()
}

/// The text of a source.
pub fn text_of<'a>(sources: &'a [Source], path: &str) -> Option<&'a str> {
    sources.iter().find(|source| source.path == path).map(|source| source.text.as_str())
}

/// Whether `cargo test` compiles the tests of a Rust file: those of the workspace's default members, and those of a manifest that
/// `cargo xtask hosts` names.
fn is_compiled(path: &str, sources: &[Source]) -> bool {
    let workspace = text_of(sources, "Cargo.toml").unwrap_or_default();
    let hosts = text_of(sources, "xtask/src/hosts.rs").unwrap_or_default();
    let members = workspace.lines().find_map(|line| line.strip_prefix("default-members = ")).unwrap_or_default();
    let manifests = hosts.split('"').filter_map(|text| text.strip_suffix("/Cargo.toml"));
    let mut folders = members.split('"').skip(1).step_by(2).chain(manifests);
    folders.any(|folder| path.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/')))
}

/// Whether a script is a suite that a command runs, or belongs to one.
fn is_run(path: &str, sources: &[Source]) -> bool {
    let hosts = text_of(sources, "xtask/src/hosts.rs").unwrap_or_default();
    let is_suite = |path: &str| {
        path.ends_with(".test.mjs")
            && (path.strip_prefix("tests/js/").is_some_and(|name| !name.contains('/'))
                || hosts.contains(&format!("\"{path}\"")))
    };
    let import = format!("/{}\"", path.rsplit('/').next().unwrap_or(path));
    is_suite(path) || sources.iter().any(|source| is_suite(&source.path) && source.text.contains(&import))
}

/// Whether the cases of a file of vectors are played.
fn is_played(path: &str, sources: &[Source]) -> bool {
    let Some(file) = ["tests/vectors/", "tests/cases/"].iter().find_map(|folder| path.strip_prefix(folder)) else {
        return false;
    };
    let pending = text_of(sources, "tests/vectors.pending").unwrap_or_default();
    !pending.lines().any(|line| line.split_once(": ").is_some_and(|(listed, _)| listed == file))
}

/// The names of the cases of a file of vectors.
fn cases(text: &str) -> Vec<String> {
    let cases: Value = serde_json::from_str(text).unwrap_or_default();
    let names = cases.as_array().into_iter().flatten().map(|case| case["name"].as_str().unwrap_or_default());
    names.map(str::to_owned).collect()
}

/// The tests of a file of Python: functions of the file itself whose names begin with `test_`.
fn python_tests(text: &str) -> Vec<String> {
    let functions = text.lines().filter_map(|line| line.strip_prefix("async ").unwrap_or(line).strip_prefix("def "));
    let names = functions.filter_map(|function| Some(function.split_once('(')?.0));
    names.filter(|name| name.starts_with("test_")).map(str::to_owned).collect()
}

/// The tests of a Rust file: functions below an attribute that ends with `test`, unless they are ignored.
fn rust_tests(text: &str) -> Vec<String> {
    let (mut is_test, mut is_ignored) = (false, false);
    let mut tests = Vec::new();
    for line in text.lines().map(str::trim_start) {
        if let Some(attribute) = line.strip_prefix("#[") {
            let name = attribute.split(['(', ']']).next().unwrap_or_default();
            is_test |= name == "test" || name.ends_with("::test") || name == "wasm_bindgen_test";
            is_ignored |= name == "ignore" || name.starts_with("ignore ");
        } else if let Some((_, function)) = line.split_once("fn ").filter(|_| is_test) {
            if !is_ignored {
                tests.push(function.chars().take_while(|letter| letter.is_alphanumeric() || *letter == '_').collect());
            }
            (is_test, is_ignored) = (false, false);
        }
    }
    tests
}

/// The tests of a suite in JavaScript: the title in each call of `test` at the beginning of a line, or nothing for one without a title.
fn script_tests(text: &str) -> Vec<String> {
    let calls = text.lines().filter_map(|line| line.trim_start().strip_prefix("test("));
    calls.map(|arguments| quoted(arguments).unwrap_or_default()).collect()
}

/// The first text in quotes of a call's arguments, within a call of a function that makes the title, too.
fn quoted(arguments: &str) -> Option<String> {
    let begin = arguments.find(['"', '`'])?;
    let (before, text) = arguments.split_at_checked(begin)?;
    if !before.is_empty() && !before.contains('(')
        || !before.chars().all(|letter| letter.is_alphanumeric() || "_(., ".contains(letter))
    {
        return None;
    }
    let mut letters = text.chars();
    let quote = letters.next()?;
    let mut name = String::new();
    while let Some(letter) = letters.next() {
        match letter {
            '\\' => name.extend(letters.next()),
            letter if letter == quote => return Some(name),
            letter => name.push(letter),
        }
    }
    None
}

/// What a file is for: the first sentence of the comment that it begins with.
fn purpose(path: &str, text: &str) -> String {
    let comment: Vec<&str> = if path.ends_with(".py") {
        let inner = text.strip_prefix("\"\"\"").and_then(|text| text.split("\"\"\"").next()).unwrap_or_default();
        inner.lines().map(str::trim).take_while(|line| !line.is_empty()).collect()
    } else {
        let mark = if path.ends_with(".rs") { "//! " } else { "// " };
        text.lines().map_while(|line| line.strip_prefix(mark)).collect()
    };
    let comment = comment.join(" ");
    match comment.split_once(". ") {
        Some((sentence, _)) => format!("{sentence}."),
        None => comment,
    }
}

/// A title with `…` for each value that it is made with. Values that it begins with, before a colon, are left out.
fn without_values(title: &str) -> String {
    let mut parts = title.split("${");
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        text.push('…');
        text.push_str(part.split_once('}').map_or("", |(_, rest)| rest));
    }
    match text.split_once(": ") {
        Some((values, rest)) if values.split(' ').all(|value| value == "…") => rest.to_owned(),
        _ => text,
    }
}

/// A text in which nothing but what stands in backticks is Markdown.
fn escaped(text: &str) -> String {
    let mut escaped = String::new();
    let (mut is_code, mut before) = (false, ' ');
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        is_code ^= letter == '`';
        let is_within = |letter: Option<&char>| letter.is_some_and(|letter| letter.is_alphanumeric());
        let is_markup = match letter {
            '<' | '*' | '[' | '\\' => true,
            '_' => !(is_within(Some(&before)) && is_within(letters.peek())),
            _ => false,
        };
        if is_markup && !is_code {
            escaped.push('\\');
        }
        escaped.push(letter);
        before = letter;
    }
    escaped
}

/// Names and words that a name in snake case cannot write as they are. Longer ones come before their parts.
const WORDS: &[(&str, &str)] = &[
    ("ag ui", "AG-UI"),
    ("ai sdk", "AI SDK"),
    ("an assistants", "an assistant's"),
    ("another authors", "another author's"),
    ("another dialects", "another dialect's"),
    ("api", "API"),
    ("ask user question", "`ask_user_question`"),
    ("ask user", "`ask_user`"),
    ("claude", "Claude"),
    ("codex", "Codex"),
    ("gemini", "Gemini"),
    ("json rpc", "JSON-RPC"),
    ("serde json", "`serde_json`"),
    ("json", "JSON"),
    ("mcp", "MCP"),
    ("multi select", "multi-select"),
    ("ones own", "one's own"),
    ("openai agents", "OpenAI Agents"),
    ("punycode", "Punycode"),
    ("pydantic ai", "Pydantic AI"),
    ("rust", "Rust"),
    ("sdk", "SDK"),
    ("sub agent", "sub-agent"),
    ("sub agents", "sub-agents"),
    ("the callers", "the caller's"),
    ("the hosts", "the host's"),
    ("tls", "TLS"),
    ("tool call id", "`tool_call_id`"),
    ("uri", "URI"),
    ("url", "URL"),
    ("utf 8", "UTF-8"),
];

/// The words of a name in snake case or kebab case. A date keeps its hyphens.
fn sentence(name: &str) -> String {
    let mut text = String::from(" ");
    let mut letters = name.chars().peekable();
    while let Some(letter) = letters.next() {
        let is_in_date =
            text.ends_with(|letter: char| letter.is_ascii_digit()) && letters.peek().is_some_and(char::is_ascii_digit);
        text.push(if letter == '_' || letter == '-' && !is_in_date { ' ' } else { letter });
    }
    text.push(' ');
    for (words, written) in WORDS {
        text = text.replace(&format!(" {words} "), &format!(" {written} "));
    }
    text.trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::{Source, Suite, quoted, suites};

    /// The names of the tests of a file in a project that runs some of its files.
    fn names(path: &str, text: &str) -> Vec<String> {
        let project = [
            ("Cargo.toml", "default-members = [\"core\", \"tests\"]\n"),
            ("xtask/src/hosts.rs", "&[\"tests/shells/y.test.mjs\", \"examples/desktop/Cargo.toml\"]"),
            ("tests/vectors.pending", "# Later.\nlater.json: what it needs\n"),
            ("tests/js/x.test.mjs", "import \"./shared.mjs\";\n"),
            (path, text),
        ];
        let sources = project.map(|(path, text)| Source { path: path.into(), text: text.into() });
        suites(&sources).into_iter().flat_map(|suite| suite.names).collect()
    }

    #[test]
    fn the_names_of_the_tests_of_each_language_are_read() {
        for (path, text, expected) in [
            (
                "core/src/x.rs",
                "#[test]\nfn holds() {}\nfn helper() {}\n    #[test]\n    fn of_any(x in 0..5) {}\n",
                &["holds", "of_any"][..],
            ),
            (
                "core/src/x.rs",
                "#[test]\n#[ignore]\nfn left_out() {}\n#[tokio::test(flavor = \"x\")]\nasync fn waits() {}\n",
                &["waits"],
            ),
            (
                "tests/js/z.test.mjs",
                "test(\"a key acts\", () => {});\n  test(`${name}: is there`, () => {});\n// test(\"gone\")\n",
                &["a key acts", "${name}: is there"],
            ),
            (
                "tests/js/z.test.mjs",
                "test(says(\"a \\\"word\\\"\"), () => {});\ntest(name, () => open(\"x\"));\ntest(\"\", x);\n",
                &["a \"word\"", "", ""],
            ),
            (
                "tests/python/test_x.py",
                "def test_holds() -> None:\n    pass\nasync def test_waits():\n    pass\ndef helper():\n    pass\n",
                &["test_holds", "test_waits"],
            ),
            ("tests/cases/walk.json", "[{ \"name\": \"one-more\" }, {}]", &["one-more", ""]),
        ] {
            assert_eq!(names(path, text), expected, "{path}: {text}");
        }
    }

    #[test]
    fn a_file_that_nobody_runs_gives_no_rules() {
        let (rust, script, case) =
            ("#[test]\nfn holds() {}\n", "test(\"a key acts\", x);\n", "[{ \"name\": \"one\" }]");
        for (path, text, count) in [
            ("core/src/x.rs", rust, 1),
            ("examples/desktop/src/x.rs", rust, 1),
            ("fuzz/src/x.rs", rust, 0),
            ("corer/src/x.rs", rust, 0),
            ("tests/js/z.test.mjs", script, 1),
            ("tests/js/shared.mjs", script, 1),
            ("tests/js/helper.mjs", script, 0),
            ("tests/shells/y.test.mjs", script, 1),
            ("tests/shells/z.test.mjs", script, 0),
            ("tests/vectors/walk.json", case, 1),
            ("tests/vectors/later.json", case, 0),
            ("tests/other.json", case, 0),
            ("examples/python/test_x.py", "def test_holds():\n    pass\n", 0),
            ("README.md", script, 0),
        ] {
            assert_eq!(names(path, text).len(), count, "{path}");
        }
    }

    #[test]
    fn a_name_becomes_a_sentence() {
        for (path, name, rule) in [
            ("x.rs", "what_is_no_json_is_refused", "what is no JSON is refused"),
            ("x.rs", "a_call_of_ask_user_may_be_cut", "a call of `ask_user` may be cut"),
            ("x.py", "test_bytes_that_are_not_utf_8", "bytes that are not UTF-8"),
            ("x.json", "2025-06-18-one-text", "2025-06-18 one text"),
            ("x.json", "sub-agents-cannot-ask", "sub-agents cannot ask"),
            ("x.mjs", "${name} ${other}: it is there", "it is there"),
            ("x.mjs", "draft ${draft}: every test passes", "draft …: every test passes"),
            ("x.mjs", "key order and __proto__ in <ask-user>", "key order and \\_\\_proto\\_\\_ in \\<ask-user>"),
            ("x.mjs", "a `<p>` has a save_url", "a `<p>` has a save_url"),
        ] {
            assert_eq!(Suite { path, purpose: String::new(), names: Vec::new() }.rule(name), rule);
        }
    }

    #[test]
    fn the_purpose_of_a_file_is_its_first_sentence() {
        for (path, text, purpose) in [
            ("core/src/x.rs", "//! What it\n//! is. And more.\n\n#[test]\nfn holds() {}\n", "What it is."),
            ("tests/js/z.test.mjs", "// What it is: all.\nimport x;\ntest(\"x\", x);\n", "What it is: all."),
            ("tests/python/test_x.py", "\"\"\"What it\nis.\n\nMore.\"\"\"\ndef test_x():\n", "What it is."),
            ("tests/cases/x.json", "[{ \"name\": \"x\" }]", ""),
        ] {
            let sources = [("Cargo.toml", "default-members = [\"core\"]"), (path, text)]
                .map(|(path, text)| Source { path: path.into(), text: text.into() });
            let found: Vec<String> = suites(&sources).into_iter().map(|suite| suite.purpose).collect();
            assert_eq!(found, [purpose], "{path}");
        }
    }

    #[test]
    fn a_title_is_the_first_text_in_quotes() {
        for (arguments, name) in [
            ("\"a key acts\", async () => {});", Some("a key acts")),
            ("`${name}: is there`, () => {});", Some("${name}: is there")),
            ("named(app, `by its result, ${how}`), async () => {});", Some("by its result, ${how}")),
            ("name, async () => find(\"x\"));", None),
            ("name, { skip: \"x\" });", None),
            ("\"without an end", None),
        ] {
            assert_eq!(quoted(arguments).as_deref(), name, "{arguments}");
        }
    }
}
