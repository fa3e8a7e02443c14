//! The page of requirements, made of the tests that prove them: by area, then by file, a rule for each test.

use super::{
    Source,
    rules::{Suite, suites, text_of},
};
use crate::shell::{Done, root};
use std::{collections::BTreeSet, fs};

const PAGE: &str = "docs/requirements.md";

/// The areas in the order of the page, each with how the paths of its files begin. Of several beginnings, the longest counts.
const AREAS: &[(&str, &str)] = &[
    (
        "Reading a request",
        "core/src/json core/src/problem/ core/src/question/ core/src/text.rs tests/cases/fields.json \
         tests/native/apart.rs tests/native/detection.rs tests/native/elicitation.rs tests/native/hostile.rs tests/native/mending.rs tests/native/mutations.rs \
         tests/native/public.rs tests/native/whole.rs tests/vectors/conditions.json tests/vectors/rejections.json \
         tests/vectors/truth.json",
    ),
    ("While the request is being written", "tests/js/stream tests/native/stream.rs"),
    (
        "Dialects and tool definitions",
        "core/src/dialect/ tests/cases/ tests/js/approvals tests/js/ask-user-page tests/js/dialects tests/js/own-dialect \
         tests/native/agents.rs tests/native/definition.rs tests/native/matrix.rs tests/native/models.rs tests/native/own.rs \
         tests/native/reach.rs tests/native/travels.rs tests/packages/ \
         tests/vectors/ask_user tests/vectors/deepagents.json tests/vectors/mcp.json \
         tests/vectors/other_dialects.json",
    ),
    (
        "Answers and JSON Schema",
        "core/src/answer/ core/src/moment.rs core/src/schema/ tests/cases/other.json tests/js/rest-validator tests/js/suite \
         tests/native/answers.rs tests/native/refusals.rs tests/native/schema_work.rs tests/vectors/schema.json",
    ),
    (
        "Walks",
        "tests/cases/full.json tests/native/condition.rs tests/native/danger.rs tests/native/drafts.rs tests/native/expiry.rs \
         tests/native/plain.rs tests/native/properties.rs tests/native/saved.rs tests/vectors/walk.json",
    ),
    ("Results and records", "core/src/record/ tests/vectors/records.json"),
    (
        "Who answers",
        "core/src/host/ core/src/route/ tests/cases/explanations.json tests/cases/routing.json \
         tests/native/consent.rs tests/native/grants.rs tests/native/stated.rs tests/vectors/consent.json tests/vectors/routing.json tests/vectors/seeds.json",
    ),
    ("The form for a person", "tests/js/"),
    (
        "Fields and the JSON editor",
        "tests/js/editor tests/js/fields tests/js/schemas tests/js/source tests/native/fields/",
    ),
    (
        "The element on its page",
        "tests/js/copy tests/js/element tests/js/embedding tests/js/first-question tests/js/hostile-page \
         tests/js/memory tests/js/queue tests/js/rendered tests/js/rest.test tests/js/settings web/src/html/",
    ),
    ("Frames, channels and MCP Apps", "tests/js/channel tests/js/mcp-"),
    (
        "Delivery, tabs and devices",
        "tests/js/closed tests/js/deadline tests/js/delivery tests/js/plain-form tests/js/rejection tests/js/tabs tests/js/undo",
    ),
    (
        "Hosts",
        "host/ tests/js/agent-host tests/js/conformance tests/js/conversation tests/js/inbox tests/js/js-host \
         tests/js/servers tests/native/conversation.rs tests/native/desk.rs tests/packages/acp-wrap tests/packages/claude-hook tests/packages/mcp tests/vectors/desk.json tests/cases/desk.json tests/postgres/ tests/servers/ tests/telemetry/",
    ),
    (
        "JavaScript, Python and the component",
        "tests/component/ tests/js/package tests/js/plain.test tests/js/types tests/python/",
    ),
    ("Agent frameworks", "tests/js/agents tests/js/recipes tests/recipes/"),
    (
        "Web frameworks, bundlers, engines and desktops",
        "examples/desktop/ tests/engines/ tests/frameworks/ tests/leptos/ tests/packaging/ tests/shells/",
    ),
    ("The project itself", "tests/everywhere/ tests/js/browser tests/native/vectors.rs xtask/"),
];

const HEAD: &str = "\
# Requirements

What ask-user must do, by the tests that prove it: each rule is the name of a test in the file above it, and `…` is a
value that the test is tried with. `cargo xtask tidy --write` writes this page from all tests that a command runs, and
`cargo xtask tidy` fails if it differs from them. [Testing](testing.md) describes fuzzers, faults and mutations, [hostile
input](hostile-input.md) and [size](size.md) what is measured, and [what is open](open.md) what nothing proves.
";

/// Lists the tests without a rule, and where the page differs from the tests.
pub fn check(sources: &[Source]) -> Vec<String> {
    let (page, mut faults) = page(sources);
    let written = text_of(sources, PAGE).unwrap_or_default();
    if page != written {
        let same = page.lines().zip(written.lines()).take_while(|(made, written)| made == written).count();
        faults.push(format!("{PAGE}:{}: differs from the tests: run `cargo xtask tidy --write`", same + 1));
    }
    faults
}

/// Writes the page.
pub fn write(sources: &[Source]) -> Done {
    let (page, faults) = page(sources);
    fs::write(root().join(PAGE), page).map_err(|error| format!("{PAGE}: {error}"))?;
    if faults.is_empty() { Ok(()) } else { Err(faults.join("\n")) }
}

/// The page, and what is wrong with the tests and the areas.
fn page(sources: &[Source]) -> (String, Vec<String>) {
    let suites = suites(sources);
    let mut faults: Vec<String> = suites.iter().flat_map(wrong_names).collect();
    let lost = suites.iter().filter(|suite| area(suite.path).is_none());
    faults.extend(lost.map(|suite| format!("{}: no area of {PAGE} has this file", suite.path)));
    let mut page = HEAD.to_owned();
    for &(heading, _) in AREAS {
        let mut files = suites.iter().filter(|suite| area(suite.path) == Some(heading)).peekable();
        if files.peek().is_some() {
            page += &format!("\n## {heading}\n");
        }
        for suite in files {
            let Suite { path, purpose, names } = suite;
            let rules: String = names.iter().map(|name| format!("- {}\n", suite.rule(name))).collect();
            let file = format!("[**{path}**](../{path}) {purpose}");
            page += &format!("\n{}\n\n{rules}", file.trim_end());
        }
    }
    (page, faults)
}

/// The heading of the area that a file belongs to.
fn area(path: &str) -> Option<&'static str> {
    let beginnings = AREAS.iter().flat_map(|(heading, paths)| paths.split(' ').map(move |begin| (begin, *heading)));
    let fitting = beginnings.filter(|(begin, _)| path.starts_with(begin));
    fitting.max_by_key(|(begin, _)| begin.len()).map(|(_, heading)| heading)
}

/// The tests of a file that have no name of their own.
fn wrong_names(suite: &Suite) -> Vec<String> {
    let mut seen = BTreeSet::new();
    let wrong = suite.names.iter().filter_map(|name| match name.trim() {
        "" => Some(format!("{}: a test has no title, or its title does not stand beside it", suite.path)),
        name if !seen.insert(name) => Some(format!("{}: two tests are called {name:?}", suite.path)),
        _ => None,
    });
    wrong.collect()
}

#[cfg(test)]
mod tests {
    use super::{AREAS, HEAD, PAGE, Source, area, check, suites};

    /// What is wrong with a project that has this page and this suite.
    fn faults(page: &str, path: &str, suite: &str) -> Vec<String> {
        let files = [(PAGE, page), ("Cargo.toml", "default-members = [\"core\", \"novel\"]"), (path, suite)];
        check(&files.map(|(path, text)| Source { path: path.into(), text: text.into() }))
    }

    #[test]
    fn a_page_that_differs_from_the_tests_is_a_fault() {
        let rules = "## The form for a person\n\n[**tests/js/x.test.mjs**](../tests/js/x.test.mjs) Keys.\n\n- a key acts\n- a click acts\n";
        let page = format!("{HEAD}\n{rules}");
        let suite = "// Keys.\ntest(\"a key acts\", x);\ntest(\"a click acts\", x);\n";
        assert_eq!(faults(&page, "tests/js/x.test.mjs", suite), Vec::<String>::new());
        for changed in [page.replace("a key acts", "a key answers"), format!("{page}- more\n"), String::new()] {
            let found = faults(&changed, "tests/js/x.test.mjs", suite);
            assert_eq!(found.len(), 1, "{changed}");
            assert!(found.concat().contains("cargo xtask tidy --write"), "{found:?}");
        }
    }

    #[test]
    fn a_test_without_a_name_of_its_own_is_a_fault() {
        for (path, suite, fault) in [
            ("tests/js/x.test.mjs", "test(\"a key acts\", x);\n  test(\"a key acts\", x);\n", "two tests are called"),
            ("tests/js/x.test.mjs", "test(\" \", x);\n", "no title"),
            ("tests/js/x.test.mjs", "test(name, x);\n", "no title"),
            ("core/src/text.rs", "#[test]\nfn holds() {}\n#[test]\nfn holds() {}\n", "two tests are called"),
            ("tests/cases/x.json", "[{ \"name\": \"one\" }, { \"name\": \"one\" }]", "two tests are called"),
            ("novel/src/lib.rs", "#[test]\nfn holds() {}\n", "no area"),
        ] {
            let found = faults("", path, suite);
            assert!(found.iter().any(|said| said.contains(fault)), "{path}: {found:?}");
        }
    }

    #[test]
    fn a_file_belongs_to_the_area_that_names_most_of_its_path() {
        assert_eq!(area("tests/js/keys.test.mjs"), Some("The form for a person"));
        assert_eq!(area("tests/js/editor.test.mjs"), Some("Fields and the JSON editor"));
        assert_eq!(area("novel/src/lib.rs"), None);
    }

    #[test]
    fn every_area_has_the_files_that_it_names() {
        let sources = crate::tidy::sources().expect("the sources can be read");
        let suites = suites(&sources);
        for begin in AREAS.iter().flat_map(|(_, paths)| paths.split(' ')) {
            assert!(suites.iter().any(|suite| suite.path.starts_with(begin)), "{begin}");
        }
    }
}
