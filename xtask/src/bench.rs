//! Runs the benchmarks: how the time for each question grows with the form, when the first one is on screen, when very many options are, what
//! a key costs in the editor, what checking by a schema costs, what the fields of a schema cost, what the example host bears, what reading a request
//! while it is being written gains, what becomes of answers where everything fails, what several example hosts bear, and what hostile
//! input costs; and how the form compares with other form renderers.

use crate::{
    build,
    figures::Figures,
    serve,
    setup::{self, Chromium},
    shell::{Done, cargo, node, run, target, text},
};
use serde_json::Value;
use std::{
    path::{Path, PathBuf},
    process::Command,
};

const SIZES: [u32; 4] = [10, 100, 1_000, 10_000];
/// Where the table of hostile input stands.
const HOSTILE: Figures = Figures {
    page: "docs/hostile-input.md",
    lines: [
        "<!-- the table of hostile input: made by `cargo xtask bench hostile --write` -->\n",
        "<!-- the end of the table of hostile input -->",
    ],
};
/// Where the fields stand beside another form library.
const FIELDS: Figures = Figures {
    page: "docs/json-schema.md",
    lines: [
        "<!-- the fields beside rjsf: made by `cargo xtask bench fields --write` -->\n",
        "<!-- the end of the fields beside rjsf -->",
    ],
};

/// Where ask-user stands beside other form renderers.
const PEERS: Figures = Figures {
    page: "docs/performance.md",
    lines: [
        "<!-- ask-user beside other form renderers: made by `cargo xtask bench peers --write` -->\n",
        "<!-- the end of ask-user beside other form renderers -->",
    ],
};

/// What the agent host bears on one, two and three processes.
const SCALE: Figures = Figures {
    page: "docs/scaling.md",
    lines: [
        "<!-- the agent host on several processes: made by `cargo xtask bench scale --write` -->\n",
        "<!-- the end of the agent host on several processes -->",
    ],
};

/// Runs all benchmarks, or those whose names contain a filter. The comparison with other form renderers takes minutes: it runs only by its name.
pub fn run_all(filter: &[String]) -> Done {
    match filter.split_first().map(|(first, words)| (first.as_str(), words)) {
        Some(("hostile", words)) => return hostile(words),
        Some(("fields", words)) => return build::package().and_then(|()| fields(words)),
        Some(("faults", words)) => return build::package().and_then(|()| faults(words)),
        Some(("scale", words)) => return scale(words),
        Some(("profile", words)) => return build::package().and_then(|()| profile(words)),
        Some(("peers", words)) => return build::package().and_then(|()| peers(words)),
        _ => {}
    }
    walks(filter)?;
    if chosen("first_question", filter) {
        build::package().and_then(|()| first_question(20))?;
    }
    if chosen("options", filter) {
        build::package().and_then(|()| options(10))?;
    }
    if chosen("editor", filter) {
        build::package().and_then(|()| editor(200))?;
    }
    if chosen("schema", filter) {
        build::package().and_then(|()| schema(15))?;
    }
    if chosen("fields", filter) {
        build::package().and_then(|()| fields(&[]))?;
    }
    if chosen("agent_host", filter) {
        build::package().and_then(|()| agent_host(500, 1_000))?;
    }
    if chosen("faults", filter) {
        build::package().and_then(|()| faults(&[]))?;
    }
    if chosen("stream", filter) {
        run(&mut cargo(&["bench", "--quiet", "--package", "ask-user-tests", "--bench", "stream"]))?;
        build::package().and_then(|()| stream(5))?;
    }
    if chosen("hostile", filter) { hostile(&[]) } else { Ok(()) }
}

/// Every benchmark once and small, whatever the time it takes: it shows that they run.
pub fn run_once() -> Done {
    build::package()?;
    run(&mut cargo(&["test", "--quiet", "--package", "ask-user-tests", "--bench", "walk", "--", "--test"]))?;
    hostile(&["--short".to_owned()])?;
    first_question(1)?;
    options(1)?;
    editor(4)?;
    schema(1)?;
    stream(1)?;
    let host = serve::agent_host()?;
    run(node(&["tests/bench/agent-host.mjs"]).arg(&host).args(["20", "32"]))?;
    for words in [&["40", "2", "6"][..], &["40", "1", "0", "--lying"]] {
        faults_of(&host, &words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>())?;
    }
    Ok(())
}

/// What hostile input costs: the kinds of input whose names have these words, or all. With `--short` each once and small, without
/// optimisation; with `--write` the table goes into the page about it as well. Fails where a promise is broken.
pub fn hostile(words: &[String]) -> Done {
    let bench = ["--quiet", "--package", "ask-user-tests", "--bench", "hostile", "--"];
    let is = |flag: &str| words.iter().any(|word| word == flag);
    if is("--short") {
        return run(cargo(&["test"]).args(bench).args(words));
    }
    if !is("--write") {
        return run(cargo(&["bench"]).args(bench).args(words));
    }
    let table = target().join("hostile.md");
    // One of an earlier run would pass for this one's.
    drop(std::fs::remove_file(&table));
    let others = words.iter().filter(|word| *word != "--write");
    let measured = run(cargo(&["bench"]).args(bench).args(others).arg("--markdown").arg(&table));
    // Figures that break a promise are written, too.
    let table = text(&table)?;
    HOSTILE.write(|_| table)?;
    measured
}

/// What a key costs that is typed into the JSON editor.
pub fn editor(keys: u32) -> Done {
    in_browser("editor.mjs", keys)
}

/// What checking JSON costs, beside two other validators.
pub fn schema(rounds: u32) -> Done {
    in_browser("schema.mjs", rounds)
}

/// What the fields of a schema cost: their first screen, a key that is typed, and an edit of the text; and the same schemas in another form library. With `--write`
/// that table goes into the page about schemas as well.
pub fn fields(words: &[String]) -> Done {
    in_browser("fields.mjs", 15)?;
    run(&mut node(&["tests/bench/edits.mjs"]))?;
    setup::packages("tests/bench/rjsf")?;
    table_of(&mut node(&["tests/bench/fields-rjsf.mjs", "3"]), &FIELDS, words)
}

/// The functions of the form that take most time in four scenes; a word is how many of each are printed.
fn profile(words: &[String]) -> Done {
    let mut command = node(&["tests/bench/profile.mjs"]);
    Chromium::ready()?.name_to(&mut command);
    run(command.args(words))
}

/// ask-user beside other form renderers: downloads, the first question, steps, large forms, memory; and its validator beside two others. With `--quick` a few
/// runs of each; with `--write` the tables go into the page about performance as well. Fails where an answer is wrong.
fn peers(words: &[String]) -> Done {
    setup::packages("tests/bench/peers")?;
    let mut command = node(&["tests/bench/peers.mjs"]);
    command.args(words.iter().filter(|word| *word != "--write"));
    table_of(&mut command, &PEERS, words)
}

/// Runs a script that writes a table. If `words` have `--write`, it goes into its page.
fn table_of(command: &mut Command, page: &Figures, words: &[String]) -> Done {
    let table = target().join("table.md");
    // One of an earlier run would pass for this one's.
    drop(std::fs::remove_file(&table));
    Chromium::ready()?.name_to(command);
    run(command.arg("--markdown").arg(&table))?;
    let table = text(&table)?;
    if words.iter().any(|word| word == "--write") { page.write(|_| table) } else { Ok(()) }
}

/// The example host under load: conversations, and open event streams.
pub fn agent_host(conversations: u32, streams: u32) -> Done {
    let program = measured_host()?.to_string_lossy().into_owned();
    let counts = [conversations, streams].map(|count| count.to_string());
    run(&mut node(&["tests/bench/agent-host.mjs", &program, &counts[0], &counts[1]]))
}

/// What becomes of endings where the network and the example host fail. `words` are how many endings, how many times the host is killed, and how
/// many of the endings are made in tabs; `--lying` tries the check itself. Fails where an answer is lost, doubled, or shown as sent and not there.
pub fn faults(words: &[String]) -> Done {
    faults_of(&measured_host()?, words)
}

/// The inbox under many agents, with kills, and what it needs.
pub fn inbox() -> Done {
    let mut command = node(&["tests/bench/inbox.mjs"]);
    Chromium::ready()?.name_to(&mut command);
    run(&mut command)
}

/// The same with the example host at hand.
pub fn faults_of(host: &Path, words: &[String]) -> Done {
    // It reads what the host has stored.
    setup::needs("python3", &["-c", "import sqlite3"], "python3")?;
    let mut command = node(&["tests/bench/faults.mjs"]);
    Chromium::ready()?.name_to(&mut command);
    run(command.args(words).env("AGENT_HOST", host))
}

/// The example host on one, two and three processes, without and with faults. With `--long` more, and 10,000 with faults on three; with `--write` the table goes into the
/// page about it as well. Fails where an answer is lost, doubled or stuck.
fn scale(words: &[String]) -> Done {
    setup::debian(&["postgresql"])?;
    setup::needs("python3", &["-c", "import sqlite3"], "python3")?;
    let sizes = if words.iter().any(|word| word == "--long") { &LONG[..] } else { &SHORT };
    let mut command = node(&["tests/bench/scale.mjs"]);
    command.args(sizes).env("AGENT_HOST", measured_host()?);
    table_of(&mut command, &SCALE, words)
}

/// Conversations without faults, with faults, and how often a host is killed meanwhile.
const SHORT: [&str; 6] = ["--conversations", "200", "--faulty", "200", "--kills", "10"];
/// With 10,000 conversations where there are three hosts: with so many in each row it would take more than an hour.
const LONG: [&str; 8] = ["--conversations", "1000", "--faulty", "1000", "--most", "10000", "--kills", "20"];

/// Builds the example host as it would run, and gives the path of its program.
fn measured_host() -> Done<PathBuf> {
    run(&mut cargo(&["build", "--quiet", "--package", "ask-user-host", "--profile", "host"]))?;
    Ok(target().join("host").join(format!("ask-user-host{}", std::env::consts::EXE_SUFFIX)))
}

/// When the first question is on screen, beside a page that is written by hand.
pub fn first_question(rounds: u32) -> Done {
    in_browser("first-question.mjs", rounds)
}

/// When ten thousand options are on screen, beside a page that is written by hand.
pub fn options(rounds: u32) -> Done {
    in_browser("options.mjs", rounds)
}

/// What a request costs in the browser's form while it is being written.
pub fn stream(rounds: u32) -> Done {
    in_browser("stream.mjs", rounds)
}

fn in_browser(script: &str, count: u32) -> Done {
    let mut command = node(&[&format!("tests/bench/{script}"), &count.to_string()]);
    Chromium::ready()?.name_to(&mut command);
    run(&mut command)
}

fn walks(filter: &[String]) -> Done {
    run(cargo(&["bench", "--quiet", "--package", "ask-user-tests", "--bench", "walk", "--"]).args(filter))?;
    // Two questions are asked in any case: what they cost is no cost of those that are skipped.
    let asked = nanoseconds("skipped", 2).unwrap_or_default();
    for (group, what, fixed, questions) in
        [("all_asked", "asked question", 0.0, 0), ("skipped", "skipped question", asked, 2)]
    {
        if !chosen(group, filter) {
            continue;
        }
        let each = |size: &u32| Some((nanoseconds(group, *size)? - fixed) / f64::from(size - questions));
        let each: Vec<f64> = SIZES.iter().filter_map(each).collect();
        let (Some(least), Some(most)) = (each.iter().copied().reduce(f64::min), each.iter().copied().reduce(f64::max))
        else {
            continue;
        };
        let shown: Vec<_> = each.iter().map(|each| format!("{each:.0}")).collect();
        println!(
            "for each {what}, forms of {SIZES:?}: {} ns; the most is {:.2} times the least",
            shown.join(", "),
            most / least
        );
    }
    Ok(())
}

fn chosen(name: &str, filter: &[String]) -> bool {
    filter.iter().all(|word| name.contains(word.as_str()))
}

fn nanoseconds(group: &str, size: u32) -> Option<f64> {
    let path = target().join("criterion").join(group).join(size.to_string()).join("new/estimates.json");
    let estimates: Value = serde_json::from_str(&std::fs::read_to_string(path).ok()?).ok()?;
    estimates["median"]["point_estimate"].as_f64()
}
