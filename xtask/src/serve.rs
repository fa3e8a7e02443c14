//! Builds the package and the example host, and serves the playground with the host behind it.

use crate::{
    build,
    setup::say,
    shell::{Done, cargo, node, run, target},
};
use std::{
    io::{BufRead, BufReader},
    path::PathBuf,
    process::{Child, Command, Stdio},
};

/// The port, when none is named. The server takes the next one that is free.
const PORT: &str = "8080";

/// Serves until it is stopped.
pub fn run_until_stopped(arguments: &[String]) -> Done {
    let (arguments, for_host) = match arguments.iter().position(|word| word == "--") {
        Some(place) => (&arguments[..place], &arguments[place + 1..]),
        None => (arguments, &[][..]),
    };
    let port = match arguments {
        [] => PORT,
        [name, port] if name == "--port" && port.parse::<u16>().is_ok() => port,
        _ => {
            return Err(
                "say `cargo xtask serve`, or `cargo xtask serve --port N` with N from 0 to 65535; after `--` come \
                        options of the agent host"
                    .into(),
            );
        }
    };
    build::package()?;
    let program = agent_host()?;
    let data = target().join("agent-host.sqlite");
    say(&format!("the agent host keeps its conversations in {}", data.display()));
    let (mut host, url) = started(Command::new(program).args(["--port", "0", "--data"]).arg(data).args(for_host))?;
    let served = run(&mut node(&["playground/server.mjs", port, &url]));
    // It ends with us, also when the page's server ends by itself.
    let ended = host.kill().and_then(|()| host.wait());
    served.and(ended.map(drop).map_err(|error| error.to_string()))
}

/// Builds the example host, and gives the path of its program.
pub fn agent_host() -> Done<PathBuf> {
    say("building the agent host (its first build takes a minute or two)");
    run(&mut cargo(&["build", "--quiet", "--package", "agent-host"]))?;
    Ok(target().join("debug").join(format!("agent-host{}", std::env::consts::EXE_SUFFIX)))
}

/// Starts a host, and gives it with its address once it listens.
fn started(command: &mut Command) -> Done<(Child, String)> {
    let failed = |error: std::io::Error| format!("the agent host could not be started: {error}");
    let mut host = command.stdout(Stdio::piped()).spawn().map_err(failed)?;
    let mut line = String::new();
    if let Some(output) = host.stdout.take() {
        BufReader::new(output).read_line(&mut line).map_err(failed)?;
    }
    match line.trim().strip_prefix("Listening on ") {
        Some(url) => Ok((host, url.to_owned())),
        None => Err("the agent host ended before it listened".into()),
    }
}
