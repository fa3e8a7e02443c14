//! Checks of the project's own sources: first lines, files that no crate compiles, imports between modules, names in documents, the page of
//! requirements, the list of names in each language, the waits of tests, and licences.

mod api;
mod desks;
mod documents;
mod imports;
mod licences;
mod requirements;
mod rules;
mod waits;

use crate::{
    setup::say,
    shell::{Done, root, text},
};
use std::path::{Path, PathBuf};

/// A file of the project: its path from the root, with `/`, and its text.
pub struct Source {
    /// The path.
    pub path: String,
    /// The text.
    pub text: String,
}

/// Checks all; lists everything that is wrong. With `--write`, it writes the page of requirements and the list of names instead.
pub fn run_all(words: &[String]) -> Done {
    let sources = sources()?;
    match words {
        [] => {}
        [word] if word == "--write" => {
            api::write(&sources)?;
            return requirements::write(&sources);
        }
        _ => return Err(format!("tidy takes nothing but --write: {}", words.join(" "))),
    }
    let mut faults = first_lines(&sources);
    faults.extend(not_compiled(&sources));
    faults.extend(imports::check(&sources));
    faults.extend(desks::check(&sources));
    faults.extend(documents::names(&text(&root().join("ARCHITECTURE.md"))?, &sources));
    faults.extend(requirements::check(&sources));
    faults.extend(api::check(&sources));
    faults.extend(waits::check(&sources));
    faults.extend(licences::check()?);
    say(&format!(
        "{} files: first lines, modules, imports, hosts, names in ARCHITECTURE.md, requirements, API, waits, licences",
        sources.len()
    ));
    for fault in &faults {
        println!("{fault}");
    }
    if faults.is_empty() { Ok(()) } else { Err(format!("{} faults", faults.len())) }
}

/// A source begins with what it is for.
fn first_lines(sources: &[Source]) -> Vec<String> {
    let begins = |source: &Source| {
        let openings: &[&str] = match source.path.rsplit('.').next() {
            Some("py" | "pyi") => &["\"\"\""],
            Some("rs") => &["//! "],
            Some("js" | "mjs" | "ts") => &["// ", "/**\n"],
            Some("css") => &["/* "],
            _ => return true,
        };
        openings.iter().any(|opening| source.text.starts_with(opening))
    };
    let lacking = sources.iter().filter(|source| !begins(source));
    lacking.map(|source| format!("{}: the first line does not say what the file is for", source.path)).collect()
}

/// Rust files that belong to no crate. A file is compiled if it is the root of a crate or if a file beside or above it has a `mod` for it.
fn not_compiled(sources: &[Source]) -> Vec<String> {
    let named_in_manifest = |path: &str| {
        let manifests = sources.iter().filter(|source| source.path.ends_with("Cargo.toml"));
        manifests.filter_map(|manifest| Some((manifest.path.strip_suffix("Cargo.toml")?, &manifest.text))).any(
            |(folder, text)| path.strip_prefix(folder).is_some_and(|file| text.contains(&format!("path = \"{file}\""))),
        )
    };
    let has_module = |path: &str| {
        let module = path.trim_end_matches(".rs").trim_end_matches("/mod");
        let Some((folder, name)) = module.rsplit_once('/') else { return false };
        let parents = ["/mod.rs", "/lib.rs", "/main.rs", ".rs"].map(|end| format!("{folder}{end}"));
        let statement = format!("mod {name};");
        sources.iter().filter(|source| source.path != path && parents.contains(&source.path)).any(|parent| {
            parent
                .text
                .lines()
                .any(|line| line.trim_start_matches("pub ").trim_start_matches("pub(crate) ") == statement)
        })
    };
    let root = |path: &str| {
        path.ends_with("src/lib.rs")
            || path.ends_with("src/main.rs")
            || path.contains("src/bin/")
            || path.ends_with("/build.rs") && !path.contains("/src/")
    };
    let rust = sources.iter().map(|source| source.path.as_str()).filter(|path| path.ends_with(".rs"));
    let lacking = rust.filter(|path| !root(path) && !named_in_manifest(path) && !has_module(path));
    lacking.map(|path| format!("{path}: no `mod` names it, so it is not compiled")).collect()
}

/// Every text file of the project that somebody wrote.
fn sources() -> Done<Vec<Source>> {
    let mut sources = Vec::new();
    let mut open = vec![root()];
    while let Some(folder) = open.pop() {
        let entries = std::fs::read_dir(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        for path in entries.filter_map(|entry| Some(entry.ok()?.path())) {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            if path.is_dir() {
                let made = ["target", "node_modules", "dist"].contains(&&*name)
                    || path.ends_with("pkg/build")
                    || name == ".git";
                if !made {
                    open.push(path);
                }
            } else if let Ok(text) = std::fs::read_to_string(&path) {
                sources.push(Source { path: relative(&path), text });
            }
        }
    }
    sources.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(sources)
}

fn relative(path: &Path) -> String {
    let path: PathBuf = path.strip_prefix(root()).unwrap_or(path).components().collect();
    path.to_string_lossy().replace('\\', "/")
}

#[cfg(test)]
mod tests {
    use super::{Source, api, documents, first_lines, imports, not_compiled, requirements, waits};

    fn source(path: &str, text: &str) -> Source {
        Source { path: path.into(), text: text.into() }
    }

    #[test]
    fn a_file_without_its_first_line_is_a_fault() {
        for (path, text, faults) in [
            ("core/src/x.rs", "//! What it is.\n", 0),
            ("core/src/x.rs", "use x;\n", 1),
            ("core/src/x.rs", "", 1),
            ("pkg/src/x.js", "// What it is.\n", 0),
            ("pkg/src/x.js", "import x;\n", 1),
            ("pkg/src/x.css", "/* What it is. */\n", 0),
            ("pkg/src/x.css", ".x {}\n", 1),
            ("python/x.py", "\"\"\"What it is.\"\"\"\n", 0),
            ("python/x.py", "import x\n", 1),
            ("README.md", "# x\n", 0),
        ] {
            assert_eq!(first_lines(&[source(path, text)]).len(), faults, "{path}: {text}");
        }
    }

    #[test]
    fn an_import_from_a_module_above_is_a_fault() {
        for (path, text, faults) in [
            ("core/src/walk/mod.rs", "//! x\nuse crate::{answer::Answer, problem::{self, Refusal}};\n", 0),
            ("core/src/form.rs", "//! x\nuse crate::walk::Walk;\n", 1),
            ("core/src/question/mod.rs", "//! x\nuse crate::{json, walk::{Step, Walk}, outcome::Outcome};\n", 2),
            ("core/src/json.rs", "//! x\nfn f(x: &crate::Rejection) {}\n", 1),
            ("core/src/json.rs", "//! Of use to [`crate::Rejection`].\n", 0),
            ("core/src/form.rs", "//! x\n#[cfg(test)]\nmod tests { use crate::walk::Walk; }\n", 0),
            ("core/src/walk/step.rs", "//! x\nuse wasm_bindgen::JsValue;\n", 1),
            ("core/src/wasm.rs", "//! x\nuse wasm_bindgen::JsValue;\n", 0),
            ("core/src/novel.rs", "//! x\n", 1),
            ("web/src/session.rs", "//! x\nuse crate::frame;\n", 1),
            ("web/src/frame.rs", "//! x\nuse crate::{prompt, ui::Ui};\n", 0),
            ("python/src/form.rs", "//! x\nuse crate::walk::Walk;\n", 1),
            ("python/src/walk.rs", "//! x\nuse crate::{fault::Fault, values::loads};\n", 0),
            ("python/Cargo.toml", "[dependencies]\nask-user-web = \"1\"\n", 1),
            ("core/Cargo.toml", "[dependencies]\nask-user-web = \"1\"\n", 1),
            ("web/Cargo.toml", "[dependencies]\nask-user-core = \"1\"\n", 0),
            ("pkg/src/x.js", "// x\nimport { start } from \"../../playground/server.mjs\";\n", 1),
            ("pkg/src/delivery.js", "// x\nimport { bind } from \"./core.js\";\n", 1),
            ("pkg/src/delivery.js", "// x\n/** @import { Walk } from \"./core.js\" */\n", 0),
            ("pkg/src/delivery.js", "// x\nf(/** @type {import(\"../types/core.js\").Step} */ (x));\n", 0),
            ("pkg/src/delivery.js", "// x\n/** @type {Walk} */ const x = await import(\"./core.js\");\n", 1),
            ("playground/x.js", "// x\nimport \"../tests/js/case.mjs\";\n", 1),
            ("examples/x.mjs", "// x\nimport { open } from \"../pkg/src/core.js\";\n", 1),
            ("examples/x.mjs", "// x\nimport { open } from \"ask-user/core\";\nimport \"./person.mjs\";\n", 0),
            ("tests/js/x.mjs", "// x\nconst x = await import(\"../../pkg/dist/core.js\");\n", 0),
        ] {
            assert_eq!(imports::check(&[source(path, text)]).len(), faults, "{path}: {text}");
        }
    }

    #[test]
    fn the_project_keeps_its_own_rules() {
        let sources = super::sources().expect("the sources can be read");
        assert_eq!(imports::check(&sources), Vec::<String>::new());
        assert_eq!(first_lines(&sources), Vec::<String>::new());
        assert_eq!(requirements::check(&sources), Vec::<String>::new());
        assert_eq!(waits::check(&sources), Vec::<String>::new());
        assert_eq!(api::check(&sources), Vec::<String>::new());
    }

    #[test]
    fn a_timer_in_a_test_is_a_fault() {
        for (path, text, faults) in [
            ("tests/js/x.test.mjs", "// x\nawait takesAnswers(page);\n", 0),
            ("tests/js/x.test.mjs", "// x\nawait page.waitForTimeout(600);\nsetTimeout(act);\n", 2),
            ("tests/js/x.js", "// x\nsetInterval(act, 50);\n", 1),
            ("tests/python/test_x.py", "\"\"\"x\"\"\"\nawait asyncio.sleep(0.1)\n", 1),
            ("tests/native/x.rs", "//! x\nfn f() { std::thread::sleep(TIME); }\n", 1),
            ("tests/js/wait.mjs", "// x\nsetTimeout(act);\n", 0),
            // It needs no exception any more.
            ("tests/js/wait.mjs", "// x\n", 1),
            ("tests/bench/x/y.mjs", "// x\nsetTimeout(act);\n", 0),
            ("tests/README.md", "No `setTimeout`.\n", 0),
            ("pkg/src/x.js", "// x\nsetTimeout(act);\n", 0),
        ] {
            assert_eq!(waits::check(&[source(path, text)]).len(), faults, "{path}: {text}");
        }
    }

    #[test]
    fn a_circle_between_files_is_a_fault() {
        let check = |files: &[(&str, &str)]| {
            let sources: Vec<_> = files.iter().map(|(path, text)| source(path, &format!("//! x\n{text}"))).collect();
            imports::check(&sources).len()
        };
        let state = ("core/src/walk/state.rs", "use super::event::Event;\n");
        let event = ("core/src/walk/event.rs", "use crate::answer::Answer;\n");
        let root =
            ("core/src/walk/mod.rs", "mod event;\npub use event::Event;\nuse state::State;\nfn f() { state::g(); }\n");
        assert_eq!(check(&[state, event, root]), 0);
        assert_eq!(check(&[state, ("core/src/walk/event.rs", "use super::{event, state::State};\n")]), 2);
        assert_eq!(check(&[root, ("core/src/walk/state.rs", "use super::Walk;\n")]), 2);
        assert_eq!(
            check(&[
                ("core/src/walk/mod.rs", "pub use step::Step;\n"),
                ("core/src/walk/step.rs", "use super::Walk;\n")
            ]),
            0
        );
    }

    #[test]
    fn a_name_in_a_document_that_is_not_there_is_a_fault() {
        let sources = [source("core/src/walk/mod.rs", "//! x\npub struct Walk;\nimpl Walk { fn act() {} }\n")];
        for (document, faults) in [
            ("The `Walk` in `core/src/walk/` has `Walk::act`.", 0),
            ("See `core/src/walk/mod.rs`.", 0),
            ("The `Stroll` is gone.", 1),
            ("See `core/src/stroll.rs` and `core/none/`.", 2),
            ("`Walk::run`", 1),
        ] {
            assert_eq!(documents::names(document, &sources).len(), faults, "{document}");
        }
    }

    #[test]
    fn a_rust_file_that_no_module_names_is_a_fault() {
        let root = ("core/src/lib.rs", "pub mod walk;\nmod json;\n");
        let walk = ("core/src/walk/mod.rs", "pub(crate) mod state;\n#[cfg(test)]\nmod tests {}\n");
        let (state, json, tests) = (("core/src/walk/state.rs", ""), ("core/src/json.rs", ""), ("tests/a/main.rs", ""));
        let manifest = ("tests/Cargo.toml", "[[test]]\npath = \"a/main.rs\"\n");
        for (files, faults) in [
            (&[root, walk, state, json][..], 0),
            (&[tests, manifest], 0),
            (&[tests], 1),
            (&[root, walk, ("core/src/walk/saved.rs", "")], 1),
            (&[root, state, ("core/src/text.rs", "mod text;")], 2),
        ] {
            let sources: Vec<_> = files.iter().map(|(path, text)| source(path, text)).collect();
            assert_eq!(not_compiled(&sources).len(), faults, "{files:?}");
        }
    }
}
