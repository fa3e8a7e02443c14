//! The page of requirements: each row says what must hold and names what shows it. A row that names nothing, or a test that is not there or
//! is not run, is a fault. It does not know whether a test shows what its row says.

use super::Source;
use serde_json::Value;
use std::collections::BTreeSet;

const PAGE: &str = "docs/requirements.md";
/// The sections whose rows nothing shows yet: they say what is missing instead.
const OPEN: [&str; 2] = ["Being built", "What is open"];

/// Lists the rows that are not as they should be.
pub fn check(sources: &[Source]) -> Vec<String> {
    let Some(page) = text_of(sources, PAGE) else { return vec![format!("{PAGE} is not there")] };
    let rows = rows(page);
    if rows.is_empty() {
        return vec![format!("{PAGE} has no rows")];
    }
    let mut seen = BTreeSet::new();
    let mut faults = Vec::new();
    for row in rows {
        let mut fault = |what: String| faults.push(format!("{PAGE}:{}: {what}", row.line));
        let [what, shown_by] = &row.cells[..] else {
            fault("a row has two cells: a requirement, and what shows it".into());
            continue;
        };
        if what.is_empty() {
            fault("there is no requirement".into());
        } else if !seen.insert(what.clone()) {
            fault(format!("{what:?} stands twice"));
        }
        let (names, between) = spans(shown_by);
        if row.is_open {
            if shown_by.is_empty() {
                fault(format!("{what:?} does not say what is missing"));
            }
            continue;
        }
        if names.is_empty() {
            fault(format!("{what:?} names nothing that shows it"));
        }
        if between.iter().any(|text| text.chars().any(|letter| !letter.is_whitespace() && letter != ',')) {
            fault(format!("{what:?} has words beside the names of what shows it"));
        }
        for name in names {
            if let Err(why) = look_up(name, sources) {
                fault(format!("`{name}`: {why}"));
            }
        }
    }
    faults
}

/// A row of a table, and where it stands.
struct Row {
    line: usize,
    is_open: bool,
    cells: Vec<String>,
}

/// The rows of the tables of all sections, without their heads. A table above the first section says how to read the page.
fn rows(page: &str) -> Vec<Row> {
    let (mut in_section, mut is_open, mut in_table) = (false, false, 0);
    let mut rows = Vec::new();
    for (place, line) in page.lines().enumerate() {
        if let Some(section) = line.strip_prefix("## ") {
            (in_section, is_open) = (true, OPEN.contains(&section.trim()));
        }
        in_table = if line.starts_with('|') { in_table + 1 } else { 0 };
        // The head, and the line below it.
        if in_section && in_table > 2 {
            rows.push(Row { line: place + 1, is_open, cells: cells(line) });
        }
    }
    rows
}

/// The cells of a row. `\|` is no border.
fn cells(line: &str) -> Vec<String> {
    let line = line.trim().replace("\\|", "\0");
    let inner = line.strip_prefix('|').unwrap_or(&line);
    let inner = inner.strip_suffix('|').unwrap_or(inner);
    inner.split('|').map(|cell| cell.trim().replace('\0', "|")).collect()
}

/// What stands between backticks, and what stands around it.
fn spans(text: &str) -> (Vec<&str>, Vec<&str>) {
    let parts: Vec<&str> = text.split('`').collect();
    (parts.iter().skip(1).step_by(2).copied().collect(), parts.iter().step_by(2).copied().collect())
}

/// Whether what is named is there and is run: a command, a case of the vectors, or a test.
fn look_up(name: &str, sources: &[Source]) -> Result<(), &'static str> {
    if let Some(command) = name.strip_prefix("cargo xtask ") {
        return command_is_there(command, sources);
    }
    if let Some((file, case)) = name.split_once(".json#") {
        return case_is_there(&format!("{file}.json"), case, sources);
    }
    let Some((path, test)) = name.split_once(": ") else { return Err("this is no test, case or command") };
    let text = text_of(sources, path).ok_or("there is no such file")?;
    let tests = match path.rsplit_once('.') {
        Some((_, "rs")) => rust_tests(text),
        Some((_, "mjs")) if is_run(path, sources) => script_tests(text),
        Some((_, "mjs")) => return Err("no command runs this file"),
        // `cargo xtask hosts python` runs every such file of the folder.
        Some((_, "py")) if path.starts_with("tests/python/test_") => python_tests(text),
        _ => return Err("this is no file of tests"),
    };
    if tests.contains(test) { Ok(()) } else { Err("the file has no such test") }
}

/// A command of xtask. Words after it stand as texts in the source of that command, options in the page of help.
fn command_is_there(command: &str, sources: &[Source]) -> Result<(), &'static str> {
    let main = text_of(sources, "xtask/src/main.rs").ok_or("xtask/src/main.rs is not there")?;
    let mut words = command.split_whitespace();
    let first = words.next().unwrap_or_default();
    if !main.contains(&format!("        \"{first}\" => ")) {
        return Err("there is no such command");
    }
    let own = text_of(sources, &format!("xtask/src/{first}.rs")).unwrap_or_default();
    for word in words {
        let known = if word.starts_with('-') { main.contains(word) } else { own.contains(&format!("\"{word}\"")) };
        if !known {
            return Err("the command does not know one of the words");
        }
    }
    Ok(())
}

/// A case of a file of vectors that is played.
fn case_is_there(file: &str, name: &str, sources: &[Source]) -> Result<(), &'static str> {
    let pending = text_of(sources, "tests/vectors.pending").unwrap_or_default();
    if pending.lines().any(|line| line.split_once(": ").is_some_and(|(listed, _)| listed == file)) {
        return Err("the file waits in tests/vectors.pending, and nothing sees to it that the case passes");
    }
    // A file of that name may stand in both folders.
    let texts: Vec<&str> = ["tests/vectors", "tests/cases"]
        .iter()
        .filter_map(|folder| text_of(sources, &format!("{folder}/{file}")))
        .collect();
    if texts.is_empty() {
        return Err("there is no such file of vectors");
    }
    let has = |text: &str| {
        let cases: Value = serde_json::from_str(text).unwrap_or_default();
        cases.as_array().is_some_and(|cases| cases.iter().any(|case| case["name"] == name))
    };
    if texts.into_iter().any(has) { Ok(()) } else { Err("the file has no such case") }
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

/// The tests of a file of Python: functions of the file itself whose names begin with `test_`.
fn python_tests(text: &str) -> BTreeSet<String> {
    let names = text.lines().filter_map(|line| line.strip_prefix("def ")?.split_once('('));
    names.map(|(name, _)| name.to_owned()).filter(|name| name.starts_with("test_")).collect()
}

/// The tests of a Rust file: functions below an attribute that ends with `test`.
fn rust_tests(text: &str) -> BTreeSet<String> {
    let (mut is_test, mut is_ignored) = (false, false);
    let mut tests = BTreeSet::new();
    for line in text.lines().map(str::trim_start) {
        if let Some(attribute) = line.strip_prefix("#[") {
            let name = attribute.split(['(', ']']).next().unwrap_or_default();
            is_test |= name == "test" || name.ends_with("::test") || name == "wasm_bindgen_test";
            is_ignored |= name == "ignore" || name.starts_with("ignore ");
        } else if let Some((_, function)) = line.split_once("fn ").filter(|_| is_test) {
            let name: String =
                function.chars().take_while(|letter| letter.is_alphanumeric() || *letter == '_').collect();
            if !is_ignored {
                tests.insert(name);
            }
            (is_test, is_ignored) = (false, false);
        }
    }
    tests
}

/// The tests of a suite in JavaScript: what stands in quotes as the name of each call of `test`, at the beginning of a line. A name with
/// parts that are made in the run is that of the source, `${…}` included.
fn script_tests(text: &str) -> BTreeSet<String> {
    text.lines().filter_map(|line| quoted(line.trim_start().strip_prefix("test(")?)).collect()
}

/// The first text in quotes of a call's arguments, within a call of a function that makes the name, too.
fn quoted(arguments: &str) -> Option<String> {
    let begin = arguments.find(['"', '`'])?;
    let before = arguments.get(..begin)?;
    if !before.chars().all(|letter| letter.is_alphanumeric() || "_(., ".contains(letter)) {
        return None;
    }
    let mut letters = arguments.get(begin..)?.chars();
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

fn text_of<'a>(sources: &'a [Source], path: &str) -> Option<&'a str> {
    sources.iter().find(|source| source.path == path).map(|source| source.text.as_str())
}

#[cfg(test)]
mod tests {
    use super::{PAGE, Source, check, quoted};

    /// A project with one row: a requirement, and what shows it.
    fn project(section: &str, row: &str) -> Vec<Source> {
        let page = format!(
            "# Requirements\n\n| a | b |\n| --- | --- |\n| how to read | it |\n\n## {section}\n\n| what | shown by |\n| --- | --- |\n{row}\n"
        );
        let files = [
            (PAGE, page.as_str()),
            (
                "tests/native/x.rs",
                "proptest! {\n    #[test]\n    fn of_any(x in 0..5) {}\n}\n#[test]\nfn holds() {}\nfn helper() {}\n#[test]\n#[ignore]\nfn left_out() {}\n#[tokio::test(flavor = \"multi_thread\")]\nasync fn waits() {}\n",
            ),
            (
                "tests/js/x.test.mjs",
                "test(\"a key acts\", async () => {});\n  test(`${name}: is there`, () => {});\n// test(\"gone\")\ntest(says(\"a \\\"word\\\"\"), () => {});\ntest(`${a || b} counts`, () => {});\nimport \"./shared.mjs\";\n",
            ),
            ("tests/js/shared.mjs", "test(named(app, \"in all\"), () => {});\n"),
            ("tests/js/helper.mjs", "test(\"in none\", () => {});\n"),
            ("tests/shells/y.test.mjs", "test(\"a window\", () => {});\n"),
            ("tests/shells/z.test.mjs", "test(\"a door\", () => {});\n"),
            ("tests/python/test_x.py", "def test_holds() -> None:\n    pass\n\ndef helper() -> None:\n    pass\n"),
            ("tests/vectors/walk.json", "[{ \"name\": \"one\" }]"),
            ("tests/cases/walk.json", "[{ \"name\": \"more\" }]"),
            ("tests/vectors/later.json", "[{ \"name\": \"one\" }]"),
            ("tests/vectors.pending", "# Later.\nlater.json: what it needs\n"),
            (
                "xtask/src/main.rs",
                "  bench [--short]\n        \"bench\" => bench::run_all(rest),\n        \"size\" => size::run(),\n",
            ),
            ("xtask/src/bench.rs", "Some((\"hostile\", words))"),
            ("xtask/src/hosts.rs", "suites: &[\"tests/shells/y.test.mjs\"]"),
            ("README.md", "# x"),
        ];
        files.map(|(path, text)| Source { path: path.into(), text: text.into() }).into()
    }

    #[test]
    fn a_row_that_names_what_is_not_there_is_a_fault() {
        for (shown_by, faults) in [
            ("`tests/native/x.rs: holds`", 0),
            ("`tests/python/test_x.py: test_holds`", 0),
            ("`tests/python/test_x.py: helper`", 1),
            ("`tests/python/test_y.py: test_holds`", 1),
            ("`tests/native/x.rs: of_any`, `tests/native/x.rs: waits`", 0),
            ("`tests/js/x.test.mjs: a key acts`", 0),
            ("`tests/js/x.test.mjs: ${name}: is there`", 0),
            ("`tests/js/x.test.mjs: a \"word\"`", 0),
            ("`tests/js/x.test.mjs: ${a \\|\\| b} counts`", 0),
            ("`tests/js/shared.mjs: in all`", 0),
            ("`tests/shells/y.test.mjs: a window`", 0),
            ("`walk.json#one`, `walk.json#more`", 0),
            ("`cargo xtask size`, `cargo xtask bench hostile --short`", 0),
            // A test, a file, a case or a command that is not there.
            ("`tests/native/x.rs: lost`", 1),
            ("`tests/native/y.rs: holds`", 1),
            ("`tests/js/x.test.mjs: a key act`", 1),
            ("`tests/js/y.test.mjs: a key acts`", 1),
            ("`walk.json#two`", 1),
            ("`stroll.json#one`", 1),
            ("`cargo xtask weigh`", 1),
            ("`cargo xtask bench hostle`", 1),
            ("`cargo xtask bench hostile --long`", 1),
            // What is there and is no test, or is not run.
            ("`tests/native/x.rs: helper`", 1),
            ("`tests/native/x.rs: left_out`", 1),
            ("`tests/js/x.test.mjs: gone`", 1),
            ("`tests/js/helper.mjs: in none`", 1),
            ("`tests/shells/z.test.mjs: a door`", 1),
            ("`later.json#one`", 1),
            ("`README.md: x`", 1),
            ("`holds`", 1),
            // No names, or more than names.
            ("", 1),
            ("``", 1),
            ("the tests", 2),
            ("`walk.json#one` and others", 1),
            ("`walk.json#one`, `walk.json#two`, `walk.json#three`", 2),
        ] {
            let found = check(&project("The walk", &format!("| It holds. | {shown_by} |")));
            assert_eq!(found.len(), faults, "{shown_by}: {found:?}");
        }
    }

    #[test]
    fn a_row_that_is_no_row_is_a_fault() {
        for (row, faults) in [
            ("|  | `walk.json#one` |", 1),
            ("| It holds. |", 1),
            ("| It holds. | `walk.json#one` | more |", 1),
            ("| It holds. | `walk.json#one` |\n| It holds. | `walk.json#one` |", 1),
            ("| It holds. | `walk.json#one` |\n| It is so. | `walk.json#one` |", 0),
            ("", 1),
        ] {
            let found = check(&project("The walk", row));
            assert_eq!(found.len(), faults, "{row}: {found:?}");
        }
        assert_eq!(check(&[]).len(), 1);
    }

    #[test]
    fn what_is_open_says_what_is_missing() {
        for section in ["Being built", "What is open"] {
            assert!(check(&project(section, "| It holds. | No test looks at it. |")).is_empty());
            assert_eq!(check(&project(section, "| It holds. |  |")).len(), 1);
        }
    }

    #[test]
    fn the_name_of_a_test_is_the_first_text_in_quotes() {
        for (arguments, name) in [
            ("\"a key acts\", async () => {});", Some("a key acts")),
            ("`${name}: is there`, () => {});", Some("${name}: is there")),
            ("named(app, `by its result, ${how}`), async () => {});", Some("by its result, ${how}")),
            ("name, async () => find(\"x\"));", None),
            ("\"without an end", None),
        ] {
            assert_eq!(quoted(arguments).as_deref(), name, "{arguments}");
        }
    }
}
