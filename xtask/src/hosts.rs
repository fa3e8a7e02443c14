//! Tries what is built where people embed it: what takes longer, or needs more on the machine, than the tests of every change.

use crate::{
    bench, build, component, go, python, serve,
    setup::{self, Chromium, say},
    shell::{Done, cargo, node, read, run, target},
    size, suites,
};
use std::{
    path::{Path, PathBuf},
    process::Command,
    thread,
    time::Instant,
};

/// The version of wasmtime that the component is tried in.
const WASMTIME: &str = "50.0.1";

/// Where something is tried: its name, what it needs, the engine of the browser suites, and the suites.
struct Host {
    name: &'static str,
    prepare: fn() -> Done,
    engine: Option<&'static str>,
    suites: &'static [&'static str],
}

/// The browser suites that run in every engine each time: what the engines differ in most.
const ENGINES: &[&str] = &[
    "tests/engines/vectors.test.mjs",
    "tests/js/element.test.mjs",
    "tests/js/fields.test.mjs",
    "tests/js/form.test.mjs",
    "tests/js/keys.test.mjs",
    "tests/js/page.test.mjs",
    "tests/js/prompts.test.mjs",
    "tests/js/shown.test.mjs",
    "tests/js/sight.test.mjs",
    "tests/js/untouched.test.mjs",
];

/// The other browser suites. They run in an engine that is named, and in the soak. That of the memory measures with what Chromium alone has; hostile texts
/// take minutes, and are left to the soak.
const MORE: &[&str] = &[
    "tests/js/accident.test.mjs",
    "tests/js/agent-host.test.mjs",
    "tests/js/belongs.test.mjs",
    "tests/js/channel.test.mjs",
    "tests/js/delivery.test.mjs",
    "tests/js/dialects.test.mjs",
    "tests/js/editor.test.mjs",
    "tests/js/embedding.test.mjs",
    "tests/js/fields-worker.test.mjs",
    "tests/js/hostile-page.test.mjs",
    "tests/js/mcp-app.test.mjs",
    "tests/js/readable.test.mjs",
    "tests/js/settings.test.mjs",
    "tests/js/tabs.test.mjs",
    "tests/js/undo.test.mjs",
];

/// The published package: what it is made of, and how it is packed.
const PACKAGING: &[&str] = &["tests/packaging/packaging.test.mjs"];

const FRAMEWORKS: &[&str] = &[
    "tests/frameworks/frameworks.test.mjs",
    "tests/frameworks/reload.test.mjs",
    "tests/frameworks/comparison.test.mjs",
];

const RECIPES: &[&str] = &[
    "tests/recipes/ai-sdk.test.mjs",
    "tests/recipes/assistant-ui.test.mjs",
    "tests/recipes/copilotkit.test.mjs",
    "tests/recipes/mastra.test.mjs",
    "tests/recipes/openai-agents.test.mjs",
];

const PYTHON: &[&str] =
    &["tests/python/host/fastapi.test.mjs", "tests/python/host/own.test.mjs", "tests/python/host/stranger.test.mjs"];

const SERVERS: &[&str] = &[
    "tests/servers/stores.test.mjs",
    "tests/servers/adapters.test.mjs",
    "tests/servers/next.test.mjs",
    "tests/servers/crashes.test.mjs",
    "tests/servers/inbox.test.mjs",
    "tests/servers/runtimes.test.mjs",
    "tests/servers/stranger.test.mjs",
];

/// What the agent host exports by OpenTelemetry.
const TELEMETRY: &[&str] =
    &["tests/telemetry/telemetry.test.mjs", "tests/telemetry/secrets.test.mjs", "tests/telemetry/faults.test.mjs"];

/// The agent host's suites over PostgreSQL, and several hosts over one database.
const POSTGRES: &[&str] = &[
    "tests/postgres/hosts.test.mjs",
    "tests/js/agent-host.test.mjs",
    "tests/js/agent-host-model.test.mjs",
    "tests/js/agent-host-answers.test.mjs",
    "tests/js/agent-host-operation.test.mjs",
    "tests/js/conformance.test.mjs",
    "tests/js/plain-form.test.mjs",
    "tests/telemetry/telemetry.test.mjs",
    "tests/telemetry/secrets.test.mjs",
];

const AGENTS: &[&str] = &[
    "tests/packages/packages.test.mjs",
    "tests/packages/mcp-conformance.test.mjs",
    "tests/packages/claude-hook.test.mjs",
    "tests/packages/acp-wrap.test.mjs",
];

const HOSTS: &[Host] = &[
    Host { name: "packaging", prepare: packaging, engine: None, suites: PACKAGING },
    Host { name: "frameworks", prepare: frameworks, engine: None, suites: FRAMEWORKS },
    Host { name: "recipes", prepare: recipes, engine: None, suites: RECIPES },
    Host { name: "leptos", prepare: leptos, engine: None, suites: &["tests/leptos/leptos.test.mjs"] },
    Host { name: "firefox", prepare: firefox, engine: Some("firefox"), suites: ENGINES },
    Host { name: "webkit", prepare: webkit, engine: Some("webkit"), suites: ENGINES },
    Host { name: "component", prepare: component, engine: None, suites: &["tests/component/component.test.mjs"] },
    Host { name: "python", prepare: python::test, engine: None, suites: PYTHON },
    Host { name: "telemetry", prepare: telemetry, engine: None, suites: TELEMETRY },
    Host { name: "postgres", prepare: postgres, engine: None, suites: POSTGRES },
    Host { name: "servers", prepare: servers, engine: None, suites: SERVERS },
    Host { name: "agents", prepare: agents, engine: None, suites: AGENTS },
    Host { name: "benchmarks", prepare: bench::run_once, engine: None, suites: &[] },
    Host { name: "electron", prepare: build::package, engine: None, suites: &["tests/shells/electron.test.mjs"] },
    Host { name: "desktop", prepare: desktop, engine: None, suites: &["tests/shells/desktop.test.mjs"] },
];

/// The hosts that take minutes and change seldom: tried when they are named, and in the soak.
const LATER: [&str; 9] =
    ["agents", "benchmarks", "recipes", "servers", "python", "postgres", "telemetry", "desktop", "component"];

/// Tries all of them but those that are left to the soak, or those that are named. After all of them the table in README.md has to be what they show.
pub fn run_all(names: &[String]) -> Done {
    if let Some(unknown) = names.iter().find(|name| !HOSTS.iter().any(|host| host.name == *name)) {
        let known: Vec<&str> = HOSTS.iter().map(|host| host.name).collect();
        return Err(format!("there is no host {unknown}: say {}", known.join(", ")));
    }
    setup::npm()?;
    let chromium = Chromium::ready()?;
    let notes = target().join("hosts");
    std::fs::create_dir_all(&notes).map_err(|error| format!("{}: {error}", notes.display()))?;
    let chosen = |host: &&Host| {
        if names.is_empty() { !LATER.contains(&host.name) } else { names.iter().any(|name| host.name == name) }
    };
    let (engines, others): (Vec<&Host>, Vec<&Host>) =
        HOSTS.iter().filter(chosen).partition(|host| host.engine.is_some());
    let tried = |host: &Host| -> Done {
        let started = Instant::now();
        say(host.name);
        (host.prepare)()?;
        if !host.suites.is_empty() {
            run(&mut suites(host, &notes, &chromium))?;
        }
        say(&format!("{}: passed in {} s", host.name, started.elapsed().as_secs()));
        Ok(())
    };
    // A host that fails keeps no other from being tried: one run says all that is wrong.
    let mut failures: Vec<String> = others
        .iter()
        .filter_map(|host| {
            let failure = format!("{}: {}", host.name, tried(host).err()?);
            say(&failure);
            Some(failure)
        })
        .collect();
    failures.extend(at_once(&engines, &notes, &chromium, if names.is_empty() { &[] } else { MORE }).err());
    match failures.is_empty() {
        false => Err(failures.join("\n")),
        true if names.is_empty() => run(node(&["tests/engines/table.mjs"]).arg(notes)),
        true => Ok(()),
    }
}

/// The suites in each of these engines, and `more` of them, all engines at once: each waits more than it works. What a suite says is printed when its
/// engine is through.
fn at_once(engines: &[&Host], notes: &Path, chromium: &Chromium, more: &[&str]) -> Done {
    if engines.is_empty() {
        return Ok(());
    }
    for host in engines {
        (host.prepare)()?;
    }
    let names: Vec<&str> = engines.iter().map(|host| host.name).collect();
    say(&names.join(" and "));
    let tried = |host: &Host| {
        let started = Instant::now();
        let said = read(suites(host, notes, chromium).args(more)).map_err(|error| format!("{}: {error}", host.name))?;
        println!("{said}");
        say(&format!("{}: passed in {} s", host.name, started.elapsed().as_secs()));
        Ok(())
    };
    let tried = &tried;
    let results: Vec<Done> = thread::scope(|scope| {
        let running: Vec<_> = engines.iter().map(|host| scope.spawn(move || tried(host))).collect();
        running.into_iter().map(|one| one.join().unwrap_or_else(|_| Err("a thread ended".to_owned()))).collect()
    });
    results.into_iter().collect()
}

/// The suites of a host. Their results are noted beside what they say.
fn suites(host: &Host, notes: &Path, chromium: &Chromium) -> Command {
    let note = notes.join(format!("{}.tap", host.name));
    if let Some(engine) = host.engine {
        let mut command = suites::command(&build::published(), host.suites, chromium);
        command.args(["--at-once", "1", "--note"]).arg(note).env("ENGINE", engine);
        return command;
    }
    // Without a snapshot: some of them pack and install the package.
    let mut command = node(&["--test", "--test-concurrency=1", "--test-reporter=spec", "--test-reporter=tap"]);
    command.arg("--test-reporter-destination=stdout").arg(format!("--test-reporter-destination={}", note.display()));
    chromium.name_to(&mut command);
    command.args(host.suites);
    // The agent hosts of the suites keep their conversations there then.
    command.envs((host.name == "postgres").then_some(("DATABASE", "postgres")));
    command
}

/// The component's suite at full length.
pub fn component_at_length() -> Done {
    component()?;
    at_length("chromium", "tests/component/component.test.mjs")
}

/// Every hostile text in Chromium.
pub fn texts_at_length() -> Done {
    build::package()?;
    at_length("chromium", "tests/js/hostile-text.test.mjs")
}

/// The suite of the host in JavaScript at full length.
pub fn js_host_at_length() -> Done {
    build::package()?;
    at_length("chromium", "tests/js/js-host.test.mjs")
}

/// Every suite that an engine can run, the frameworks and all hostile texts.
pub fn engine_at_length(engine: &str) -> Done {
    setup::npm()?;
    frameworks()?;
    if engine == "firefox" {
        firefox()?
    } else {
        webkit()?
    }
    let own =
        ["tests/frameworks/frameworks.test.mjs", "tests/engines/vectors.test.mjs", "tests/js/hostile-text.test.mjs"];
    own.iter().chain(MORE).try_for_each(|name| at_length(engine, name))
}

fn at_length(engine: &str, name: &str) -> Done {
    say(&format!("{name} in {engine}"));
    run(node(&["--test", "--test-concurrency=1", "--test-reporter=spec", name]).env("ENGINE", engine).env("SOAK", "1"))
}

/// The package, its size, and the suites that test what is published.
fn packaging() -> Done {
    build::package().and_then(|()| size::run())?;
    // One of them measures memory.
    run(suites::command(&build::published(), &suites::PUBLISHED, &Chromium::ready()?).args(["--at-once", "1"]))
}

fn frameworks() -> Done {
    setup::packages("tests/frameworks")?;
    build::package()
}

fn recipes() -> Done {
    setup::packages("examples/chats")?;
    build::package()
}

/// The packages of the agents whose formats the dialects have.
fn agents() -> Done {
    setup::packages("tests/packages")
}

/// The packages of the suites, the driver for SQLite that is built here, and a server of PostgreSQL.
fn servers() -> Done {
    setup::debian(&["postgresql", "build-essential", "python3"])?;
    setup::packages("tests/servers")?;
    setup::built("tests/servers", "better-sqlite3", "build/Release/better_sqlite3.node")?;
    build::package()
}

/// The example, built as its README says, but into a folder of its own.
fn leptos() -> Done {
    setup::wasm_target()?;
    let bindgen = setup::Bindgen::ready()?;
    run(&mut cargo(&["build", "--quiet", "--release", "--target", setup::WASM, "--package", "ask-user-leptos"]))?;
    let from = target().join(setup::WASM).join("release/ask-user-leptos.wasm");
    build::bind(&bindgen, "page", &from, &target().join("leptos"), "ask-user-leptos")
}

fn firefox() -> Done {
    setup::debian(&["firefox-esr"])?;
    setup::packages("tests/engines")?;
    pages()
}

fn webkit() -> Done {
    setup::debian(&["webkit2gtk-driver", "xvfb"])?;
    pages()
}

fn telemetry() -> Done {
    setup::packages("tests/telemetry")?;
    pages()
}

fn postgres() -> Done {
    setup::debian(&["postgresql"])?;
    telemetry()
}

/// What the browser suites need: the package, and an agent host.
fn pages() -> Done {
    build::package()?;
    serve::agent_host().map(drop)
}

fn component() -> Done {
    // The tool definitions are compared with the package's.
    build::package()?;
    component::build()?;
    go::build(&wasmtime()?, WASMTIME)
}

/// The folder that has wasmtime for Python.
fn wasmtime() -> Done<PathBuf> {
    let folder = target().join("component/python");
    setup::python("wasmtime", WASMTIME, &folder)?;
    Ok(folder)
}

fn desktop() -> Done {
    setup::debian(&["libwebkit2gtk-4.1-dev", "xvfb", "xdotool", "imagemagick"])?;
    build::package()?;
    // A workspace of its own, with a folder of its own: its dependencies are those of a desktop.
    let manifest = ["--quiet", "--manifest-path", "examples/desktop/Cargo.toml", "--target-dir"];
    for command in ["clippy", "test", "build"] {
        let command = &mut cargo(&[command]);
        run(command.args(manifest).arg(target().join("desktop")))?;
    }
    Ok(())
}
