//! Reads public names out of sources, by their layout: what rustfmt and its likes write stands at known columns.

use super::{
    LANGUAGES,
    names::{JAVASCRIPT, PYTHON, PYTHON_PACKAGE, Thing, WIT},
};
use crate::tidy::{Source, rules::text_of};

/// A name, and how it is shown.
pub struct Found {
    /// As the source has it.
    pub name: String,
    /// With its type or its module, where the language names it so, and `()` where it is called.
    pub shown: String,
}

/// The names of an item: `impl Walk` has its public functions, `enum Action` its variants, `interface Walk` its members, `fn mend` itself.
pub fn every(path: &str, text: &str, item: &str) -> Vec<Found> {
    let Some((kind, name)) = item.split_once(' ') else { return Vec::new() };
    let of_type = |found: &str| Found { name: found.to_owned(), shown: format!("{name}::{found}") };
    let plain = |found: &str| Found { name: found.to_owned(), shown: found.to_owned() };
    let called = |found: &str| Found { name: found.to_owned(), shown: format!("{found}()") };
    let rust = path.ends_with(".rs");
    match kind {
        "impl" => {
            blocks(text, format!("impl {name} {{"), "}").flat_map(|line| Some(of_type(function(line)?))).collect()
        }
        "enum" => {
            blocks(text, format!("pub enum {name} {{"), "}").flat_map(|line| Some(of_type(variant(line)?))).collect()
        }
        "struct" => {
            let fields = blocks(text, format!("pub struct {name} {{"), "}");
            fields.filter_map(|line| Some(of_type(line.strip_prefix("    pub ")?.split_once(':')?.0))).collect()
        }
        "fn" => {
            let module = path.trim_start_matches("core/src/").split(['/', '.']).next().unwrap_or_default();
            let there = text.lines().any(|line| line.starts_with(&format!("pub fn {name}(")));
            there.then(|| Found { name: name.to_owned(), shown: format!("{module}::{name}") }).into_iter().collect()
        }
        "function" => {
            let start = format!("export function {name}(");
            text.lines().any(|line| line.starts_with(&start)).then(|| called(name)).into_iter().collect()
        }
        "def" => text
            .lines()
            .any(|line| line.starts_with(&format!("def {name}(")))
            .then(|| called(name))
            .into_iter()
            .collect(),
        "interface" | "class" if path == JAVASCRIPT => {
            members(blocks(text, format!("export {kind} {name} "), "}"), "  ")
        }
        "members" => members(blocks(text, format!("  readonly {name}: {{"), "  };"), "    "),
        "class" if !rust => attributes(text, name),
        "resource" => {
            let functions = blocks(text, format!("  resource {name} {{"), "  }");
            functions.filter_map(|line| Some(plain(function_of_wit(line, "    ")?))).collect()
        }
        "variant" => {
            let cases =
                blocks(text, format!("  variant {name} {{"), "  }").filter(|line| !line.trim().starts_with("//"));
            let case = |line: &str| {
                let case = word(line.strip_prefix("    ")?, "-")?;
                Some(Found { name: case.to_owned(), shown: format!("{name}.{case}") })
            };
            cases.filter_map(case).collect()
        }
        "record" => fields_of_record(text, name).into_iter().map(plain).collect(),
        "func" => {
            let functions = text.lines().filter_map(|line| function_of_wit(line, "  "));
            functions.filter(|found| *found == name).map(plain).collect()
        }
        "json" => json_of(text, name).into_iter().map(plain).collect(),
        _ => Vec::new(),
    }
}

/// What is public and stands in no part of the page.
pub fn left_out(sources: &[Source], things: &[Thing]) -> Vec<String> {
    let mut faults = Vec::new();
    let listed =
        |at: usize, item: &str| things.iter().any(|thing| thing.of(at).iter().any(|(_, listed)| *listed == item));
    let mut missing = |at: usize, path: &str, item: String| {
        if !listed(at, &item) {
            let language = LANGUAGES.get(at).copied().unwrap_or_default();
            faults.push(format!(
                "{path}: `{item}` of {language} is in no part of docs/api.md: name it in xtask/src/tidy/api/names.rs"
            ));
        }
    };
    for line in text_of(sources, JAVASCRIPT).unwrap_or_default().lines() {
        for kind in ["function", "class"] {
            if let Some(name) = line.strip_prefix(&format!("export {kind} ")).and_then(|rest| word(rest, "")) {
                missing(1, JAVASCRIPT, format!("{kind} {name}"));
            }
        }
    }
    for path in [PYTHON, PYTHON_PACKAGE] {
        for line in text_of(sources, path).unwrap_or_default().lines() {
            for kind in ["def", "class"] {
                let name = line.strip_prefix(&format!("{kind} ")).and_then(|rest| word(rest, ""));
                if let Some(name) = name.filter(|name| !name.starts_with('_')) {
                    missing(2, path, format!("{kind} {name}"));
                }
            }
        }
    }
    for line in text_of(sources, WIT).unwrap_or_default().lines() {
        if let Some(name) = line.strip_prefix("  resource ").and_then(|rest| word(rest, "-")) {
            missing(3, WIT, format!("resource {name}"));
        } else if let Some(name) = function_of_wit(line, "  ") {
            missing(3, WIT, format!("func {name}"));
        }
    }
    // A type of the core may have its functions in several files.
    for source in
        sources.iter().filter(|source| source.path.starts_with("core/src/") && source.path != "core/src/wasm.rs")
    {
        for thing in things {
            let items: Vec<&str> =
                thing.rust.iter().filter(|(_, item)| item.starts_with("impl ")).map(|(_, item)| *item).collect();
            for item in items {
                let named = thing.rust.contains(&(source.path.as_str(), item));
                if !named
                    && !every(&source.path, &source.text, item).is_empty()
                    && !thing.elsewhere.contains(&source.path.as_str())
                {
                    faults.push(format!(
                        "{}: `{item}` has public functions here, too: name the file in xtask/src/tidy/api/names.rs",
                        source.path
                    ));
                }
            }
        }
    }
    faults
}

/// The lines within every block that begins with a line and ends with another.
fn blocks<'a>(text: &'a str, begin: String, end: &'static str) -> impl Iterator<Item = &'a str> {
    let mut inside = false;
    text.lines().filter(move |line| {
        let was = inside;
        inside = if inside { *line != end } else { line.starts_with(&begin) && !line.ends_with("};") };
        was && inside
    })
}

/// The word that a text begins with.
fn word<'a>(text: &'a str, more: &str) -> Option<&'a str> {
    let text = text.trim_start_matches('%');
    let end = text
        .find(|letter: char| !(letter.is_alphanumeric() || letter == '_' || more.contains(letter)))
        .unwrap_or(text.len());
    text.get(..end).filter(|word| !word.is_empty())
}

/// The name of a public function within an `impl`.
fn function(line: &str) -> Option<&str> {
    let line = line.strip_prefix("    pub ")?;
    word(line.strip_prefix("const ").unwrap_or(line).strip_prefix("fn ")?, "")
}

/// The name of a variant of an enum.
fn variant(line: &str) -> Option<&str> {
    word(line.strip_prefix("    ")?, "").filter(|name| name.starts_with(char::is_uppercase))
}

/// The members of a type of TypeScript. Those that are deprecated do not count.
fn members<'a>(lines: impl Iterator<Item = &'a str>, indent: &str) -> Vec<Found> {
    let (mut members, mut is_old): (Vec<Found>, bool) = (Vec::new(), false);
    for line in lines {
        let Some(line) = line.strip_prefix(indent).filter(|line| !line.starts_with([' ', '}'])) else { continue };
        if line.starts_with("/*") {
            is_old = line.contains("@deprecated");
            continue;
        }
        let line = ["static ", "readonly "].iter().fold(line, |line, word| line.strip_prefix(word).unwrap_or(line));
        let Some(name) = word(line, "").filter(|name| !["private", "constructor", "name"].contains(name)) else {
            continue;
        };
        let is_called = line.get(name.len()..).is_some_and(|rest| rest.starts_with(['(', '<']));
        if !is_old && !members.iter().any(|member| member.name == name) {
            members
                .push(Found { name: name.to_owned(), shown: format!("{name}{}", if is_called { "()" } else { "" }) });
        }
        is_old = false;
    }
    members
}

/// The attributes and methods of a class of Python.
fn attributes(text: &str, name: &str) -> Vec<Found> {
    let (mut found, mut inside, mut is_property) = (Vec::new(), false, false);
    for line in text.lines() {
        if !line.starts_with(' ') && !line.is_empty() {
            inside = line.strip_prefix("class ").and_then(|rest| word(rest, "")) == Some(name);
            continue;
        }
        let Some(line) = line.strip_prefix("    ").filter(|line| inside && !line.starts_with(' ')) else { continue };
        if let Some(name) = line.strip_prefix("def ").and_then(|rest| word(rest, "")) {
            if !name.starts_with('_') {
                found.push(Found {
                    name: name.to_owned(),
                    shown: format!("{name}{}", if is_property { "" } else { "()" }),
                });
            }
        } else if let Some(name) = word(line, "").filter(|name| !name.starts_with('_'))
            && line.get(name.len()..).is_some_and(|rest| rest.starts_with(": "))
        {
            found.push(Found { name: name.to_owned(), shown: name.to_owned() });
        }
        is_property = line == "@property";
    }
    found
}

/// The name of a function of WIT at a column.
fn function_of_wit<'a>(line: &'a str, indent: &str) -> Option<&'a str> {
    let line = line.strip_prefix(indent)?.trim_start_matches('%');
    let name = word(line, "-")?;
    let rest = line.get(name.len()..)?.strip_prefix(": ")?;
    rest.strip_prefix("static ").unwrap_or(rest).starts_with("func").then_some(name)
}

/// The fields of a record of WIT that stands in one line.
fn fields_of_record<'a>(text: &'a str, name: &str) -> Vec<&'a str> {
    let start = format!("  record {name} {{ ");
    let line = text.lines().find_map(|line| line.strip_prefix(&start)?.strip_suffix(" }"));
    line.map(|line| line.split(", ").filter_map(|field| Some(field.split_once(':')?.0)).collect()).unwrap_or_default()
}

/// The fields of the JSON that a function of WIT gives, as the comment above it has them: `{ dialect, questions }`.
fn json_of<'a>(text: &'a str, name: &str) -> Vec<&'a str> {
    let start = format!("    {name}: func");
    let mut comment = "";
    for line in text.lines() {
        if line.starts_with(&start) {
            let fields = comment.split_once('{').and_then(|(_, rest)| rest.split_once('}')).map(|(fields, _)| fields);
            return fields.map(|fields| fields.split(',').map(str::trim).collect()).unwrap_or_default();
        }
        comment = line.trim().strip_prefix("///").unwrap_or_default();
    }
    Vec::new()
}
