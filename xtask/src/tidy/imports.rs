//! The imports between modules and files. A module may use those after it in its list, and itself. No file uses one that uses it, directly or
//! through others.

use super::Source;

/// The modules of the core, from the top down. Two of one line do not know each other.
const CORE: &[&[&str]] = &[
    &["wasm"],
    &["desk", "writing"],
    &["dialect"],
    &["walk", "conversation"],
    &["route"],
    &["form"],
    &["outcome"],
    &["record", "answer"],
    &["host"],
    &["question"],
    &["turn", "schema"],
    &["problem", "moment"],
    &["json", "budget", "seeds"],
    &["text"],
];
/// The modules of the front end, from the top down.
const WEB: &[&[&str]] = &[
    &["component", "handle", "html"],
    &["frame"],
    &["tabs"],
    &["page"],
    &["card", "closed", "confirm"],
    &["prompt", "receipt", "next"],
    &["notice", "arguments", "actions"],
    &["keyboard"],
    &["ui"],
    &["session", "guard", "list"],
    &["rows", "sight"],
    &["fold"],
    &["checker", "keys", "element", "layout"],
    &["words", "english"],
    &["language"],
    &["dom"],
];
/// The modules of the native module for Python, from the top down.
const PYTHON: &[&[&str]] =
    &[&["reader"], &["walk", "conversation", "desk"], &["answers", "shared"], &["form"], &["values"], &["fault"]];
/// The scripts of the package, from the top down.
const PACKAGE: &[&[&str]] = &[
    &["cli"],
    &["commands"],
    &["app", "asking", "hook", "install", "mcp-stdio", "opencode", "page", "wrap"],
    &["heard", "wrapped"],
    &["agents", "client", "door", "piped", "server", "stored", "work"],
    &["mcp-http"],
    &["exchange", "mcp"],
    &["away", "lines", "mcp-tools", "received"],
    &["board", "elicitation", "found", "journal", "jsonc", "notices", "notify", "openapi", "share", "shell", "toml"],
    &["devices", "grants", "listed", "lock", "webhook"],
    &["receipts"],
    &["digits", "folder", "questions", "texts"],
    &["mcp-app", "host.node", "host.load"],
    &["inline", "react", "hosting"],
    &["conversations", "inbox", "routes"],
    &["ledger", "desks", "before", "events", "memory", "question", "agent", "listener", "sqlite", "postgres"],
    &["digests", "live", "refused", "transcript"],
    &["ask-user", "channel", "core.browser", "core.node", "html.load", "html.node"],
    &["ask", "element", "html"],
    &["shown"],
    &["asked", "speech"],
    &["modules"],
    &["anywhere", "core.load", "hosted", "layers", "past", "rest.form", "rich", "warm"],
    &["kept"],
    &[
        "copy",
        "core",
        "deadline",
        "editor",
        "ending",
        "fields",
        "fold",
        "history",
        "worker",
        "here",
        "here.node",
        "keeping",
        "line",
        "markdown",
        "overrides",
        "ports",
        "preload",
        "queue",
        "rendered",
        "rpc",
        "streams",
        "validator",
        "waiting",
        "wasm",
        "writing",
    ],
    &["announced", "delivery", "keeper", "locales", "rest.validator", "tabs"],
    &["rest", "save", "values"],
    &["copied", "demand", "errors", "files", "painted", "parse", "pieces", "request", "script"],
    &["form"],
    &["changes", "checking", "crumbs", "group", "model", "problems", "unseen"],
    &["background", "items", "members", "variants"],
    &["add", "entries", "table"],
    &["brief", "icons", "leaf", "parts", "spawn", "state"],
    &["choices", "controls", "title"],
    &["date-time", "document", "exact", "pointer"],
    &["source"],
    &["dom", "phrases", "places", "schema"],
    &["words", "moment", "delayed", "keys", "ar", "de", "es", "fr", "he", "ja", "pt-BR", "zh-Hans"],
];
/// The crates that a crate may depend on.
const CRATES: &[(&str, &[&str])] = &[
    ("core", &[]),
    ("component", &["ask-user-core"]),
    ("python", &["ask-user-core"]),
    ("validator", &["ask-user-core"]),
    ("web", &["ask-user-core"]),
    ("examples", &["ask-user-core", "ask-user-host", "ask-user-web"]),
    ("fuzz", &["ask-user-core"]),
    ("host", &["ask-user-core", "ask-user-web"]),
    ("html", &["ask-user-core", "ask-user-web"]),
    // The benchmark of hostile input writes forms, too.
    ("tests", &["ask-user-core", "ask-user-web"]),
    ("xtask", &[]),
];
/// Where the types of JavaScript may be named in Rust.
const BINDINGS: &[&str] = &["core/src/wasm.rs", "html/", "validator/", "web/", "tests/everywhere/", "xtask/"];

/// Lists the imports that run the wrong way, and those that run in a circle.
pub fn check(sources: &[Source]) -> Vec<String> {
    let mut faults: Vec<String> = sources.iter().flat_map(faults).collect();
    faults.extend(circles(sources));
    faults
}

/// The circles between the files of the core. A module's `mod.rs` that only re-exports what its files have does not use them.
fn circles(sources: &[Source]) -> Vec<String> {
    let files: Vec<(&str, Vec<String>)> = sources
        .iter()
        .filter_map(|source| Some((source.path.strip_prefix("core/src/")?.strip_suffix(".rs")?, source)))
        .map(|(path, source)| (path, used_files(path, &code(&source.text))))
        .collect();
    let uses = |file: &str| files.iter().find(|(path, _)| *path == file).map_or(&[][..], |(_, used)| used.as_slice());
    let reaches = |start: &str| {
        let (mut open, mut seen): (Vec<&str>, Vec<&str>) = (uses(start).iter().map(String::as_str).collect(), vec![]);
        while let Some(file) = open.pop() {
            if !seen.contains(&file) {
                seen.push(file);
                open.extend(uses(file).iter().map(String::as_str));
            }
        }
        seen.contains(&start)
    };
    let circular = files.iter().filter(|(path, _)| reaches(path));
    circular.map(|(path, used)| format!("core/src/{path}.rs: in a circle; it uses {}", used.join(", "))).collect()
}

/// The files of the same module that a file uses, without what it only re-exports.
fn used_files(path: &str, code: &str) -> Vec<String> {
    let Some((folder, name)) = path.rsplit_once('/') else { return Vec::new() };
    let is_use = |line: &&str| {
        !["pub use ", "pub(crate) use ", "mod ", "pub mod ", "pub(crate) mod "]
            .iter()
            .any(|word| line.starts_with(word))
    };
    let code: String = code.lines().filter(is_use).flat_map(|line| [line, "\n"]).collect();
    let mut used = Vec::new();
    // A file of the module names the files beside it after `super::`; any other name is in `mod.rs`.
    let is_file = |word: &str| word.starts_with(char::is_lowercase) && word != "fn";
    for word in named_by(&code, "super::") {
        used.push(if is_file(&word) { format!("{folder}/{word}") } else { format!("{folder}/mod") });
    }
    if name == "mod" {
        for line in code.lines().filter(|line| line.starts_with("use ") && !line.contains("crate::")) {
            let file: String =
                line.trim_start_matches("use ").chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
            used.push(format!("{folder}/{file}"));
        }
        used.extend(named_before(&code).into_iter().map(|file| format!("{folder}/{file}")));
    }
    used.sort();
    used.dedup();
    used.retain(|file| file != path);
    used
}

/// The lower-case words before `::` at places other than imports: `decide::proceed(…)`.
fn named_before(code: &str) -> Vec<String> {
    let parts: Vec<&str> = code.split("::").collect();
    let before = |part: &&str| {
        let start = part.rfind(|c: char| !(c.is_alphanumeric() || c == '_')).map_or(0, |at| at + 1);
        let word = &part[start..];
        (!word.is_empty() && word.starts_with(char::is_lowercase) && !part.ends_with("crate")).then(|| word.to_owned())
    };
    parts.iter().take(parts.len().saturating_sub(1)).filter_map(before).collect()
}

fn faults(source: &Source) -> Vec<String> {
    let path = source.path.as_str();
    let inside = |folder: &str| path.strip_prefix(folder);
    if path.ends_with(".rs") {
        let code = code(&source.text);
        let mut faults = bindings(path, &code);
        if let Some(file) = inside("core/src/") {
            faults.extend(modules(path, file, &code, CORE));
        } else if let Some(file) = inside("web/src/") {
            faults.extend(modules(path, file, &code, WEB));
        } else if let Some(file) = inside("python/src/") {
            faults.extend(modules(path, file, &code, PYTHON));
        }
        faults
    } else if path.ends_with("Cargo.toml") {
        crates(path, &source.text)
    } else if path.ends_with(".js") || path.ends_with(".mjs") {
        scripts(path, &source.text)
    } else {
        Vec::new()
    }
}

/// The code of a file without its comments and its tests.
fn code(text: &str) -> String {
    let code = text.split("#[cfg(test)]").next().unwrap_or_default();
    code.lines().filter(|line| !line.trim_start().starts_with("//")).collect::<Vec<_>>().join("\n")
}

fn bindings(path: &str, code: &str) -> Vec<String> {
    let allowed = BINDINGS.iter().any(|place| path.starts_with(place));
    let named =
        ["JsValue", "wasm_bindgen", "js_sys", "web_sys"].into_iter().find(|name| !allowed && code.contains(name));
    named.map(|name| format!("{path}: {name} belongs to the bindings")).into_iter().collect()
}

fn modules(path: &str, file: &str, code: &str, order: &[&[&str]]) -> Vec<String> {
    let own = file.split(['/', '.']).next().unwrap_or_default();
    if own == "lib" {
        return Vec::new();
    }
    let level = |module: &str| order.iter().position(|line| line.contains(&module));
    let Some(from) = level(own) else { return vec![format!("{path}: the module {own} is in no list")] };
    let mut faults = Vec::new();
    for named in named_by_crate(code) {
        let module = module_of(&named);
        if module == own {
            continue;
        }
        match level(module) {
            Some(to) if to > from => {}
            Some(_) => faults.push(format!("{path}: {own} must not know {module}")),
            None => faults.push(format!("{path}: {named} is in no module")),
        }
    }
    faults
}

/// What follows each `crate::`, the first name of every part of a group.
fn named_by_crate(code: &str) -> Vec<String> {
    named_by(code, "crate::")
}

/// What follows each such beginning, the first name of every part of a group.
fn named_by(code: &str, beginning: &str) -> Vec<String> {
    let mut found = Vec::new();
    for after in code.split(beginning).skip(1) {
        let Some(group) = after.strip_prefix('{') else {
            found.push(first_word(after));
            continue;
        };
        let (mut depth, mut part) = (0_usize, String::new());
        for character in group.chars() {
            match character {
                '{' => depth += 1,
                '}' if depth == 0 => break,
                '}' => depth -= 1,
                ',' if depth == 0 => {
                    found.push(first_word(&part));
                    part.clear();
                    continue;
                }
                _ => {}
            }
            part.push(character);
        }
        found.push(first_word(&part));
    }
    found.retain(|word| !word.is_empty());
    found
}

fn first_word(text: &str) -> String {
    text.trim_start().chars().take_while(|character| character.is_alphanumeric() || *character == '_').collect()
}

/// The module of a name: itself, or the one that `core/src/lib.rs` re-exports it from.
fn module_of(name: &str) -> &str {
    const RE_EXPORTS: &str = include_str!("../../../core/src/lib.rs");
    // One can have several lines.
    let line = RE_EXPORTS.split(';').filter_map(|line| line.trim().strip_prefix("pub use ")).find(|line| {
        line.split(|character: char| !character.is_alphanumeric() && character != '_').skip(1).any(|word| word == name)
    });
    line.and_then(|line| line.split("::").next()).unwrap_or(name)
}

fn crates(path: &str, manifest: &str) -> Vec<String> {
    let folder = path.split('/').next().unwrap_or_default();
    let Some((_, allowed)) = CRATES.iter().find(|(name, _)| *name == folder) else { return Vec::new() };
    let dependencies =
        manifest.split("dependencies]").skip(1).flat_map(|part| part.split("\n[").next().unwrap_or_default().lines());
    dependencies
        .map(first_dependency)
        .filter(|name| (name.starts_with("ask-user") || name == "xtask") && !allowed.contains(&name.as_str()))
        .map(|name| format!("{path}: {folder} must not depend on {name}"))
        .collect()
}

fn first_dependency(line: &str) -> String {
    line.chars().take_while(|character| character.is_alphanumeric() || "-_".contains(*character)).collect()
}

fn scripts(path: &str, text: &str) -> Vec<String> {
    let mut faults = Vec::new();
    for target in imports(text) {
        let outside = target.starts_with("../");
        let allowed = match path {
            _ if path.starts_with("tests/js/") => true,
            _ if path.starts_with("pkg/src/") => {
                // A folder of the package knows those beside it.
                let beside = path.trim_start_matches("pkg/src/").split('/').count().saturating_sub(1);
                !outside || target.contains("/build/") || ascent(&target) <= beside
            }
            // A host has the package by its name, and imports what lies in its own folder.
            _ if path.starts_with("playground/") || path.starts_with("examples/") => ascent(&target) <= depth(path),
            _ => true,
        };
        let level = |file: &str| {
            let name = file.rsplit('/').next()?.strip_suffix(".js")?;
            PACKAGE.iter().position(|line| line.contains(&name))
        };
        let upwards = path.starts_with("pkg/src/")
            && target.starts_with('.')
            && !target.contains("/build/")
            && level(path).is_none_or(|from| level(&target).is_none_or(|to| to <= from));
        if !allowed || upwards {
            faults.push(format!("{path}: must not import {target}"));
        }
    }
    faults
}

/// How many folders an import goes up.
fn ascent(target: &str) -> usize {
    target.split('/').take_while(|part| *part == "..").count()
}

/// How many folders below that of its host a script lies: `examples/next/app/page.js` lies one below.
fn depth(path: &str) -> usize {
    let own = path.strip_prefix("examples/").unwrap_or(path);
    own.split('/').count().saturating_sub(2)
}

/// The paths of the imports of a script. What its comments import are types.
fn imports(text: &str) -> Vec<String> {
    let lines = text.lines().map(str::trim_start).filter(|line| !line.starts_with("//") && !line.starts_with("* "));
    let code: Vec<String> = lines.map(without_comments).collect();
    code.iter()
        .flat_map(|line| {
            ["from \"", "import \"", "import(\""].into_iter().filter_map(move |opening| line.split_once(opening))
        })
        .filter_map(|(_, after)| after.split('"').next())
        .filter(|path| path.starts_with('.'))
        .map(str::to_owned)
        .collect()
}

/// A line of a script without the comments with types that are in it.
fn without_comments(line: &str) -> String {
    let (mut code, mut rest) = (String::new(), line);
    while let Some((before, after)) = rest.split_once("/**") {
        code.push_str(before);
        rest = after.split_once("*/").map_or("", |(_, after)| after);
    }
    code + rest
}
