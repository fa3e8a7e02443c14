//! Builds the package for development, and serves the playground.

use crate::{
    build,
    setup::say,
    shell::{Done, become_program, built, node},
};
use std::{path::PathBuf, time::Instant};

/// The port, when none is named. The server takes the next one that is free.
const PORT: &str = "8080";

/// Serves until it is stopped.
pub fn run_until_stopped(arguments: &[String]) -> Done {
    let port = match arguments {
        [] => PORT,
        [name, port] if name == "--port" && port.parse::<u16>().is_ok() => port,
        _ => return Err("say `cargo xtask serve`, or `cargo xtask serve --port N` with N from 0 to 65535".into()),
    };
    let begun = Instant::now();
    say(
        "building what the playground needs: four to five minutes on a new machine with two processors, a second if nothing has changed",
    );
    let dist = build::playground()?;
    say(&format!("built in {} s", begun.elapsed().as_secs()));
    become_program(node(&["playground/server.mjs", port]).env("ASK_USER_DIST", dist))
}

/// Builds the example hosts, and gives the path of the agent host's program.
pub fn agent_host() -> Done<PathBuf> {
    say("building the agent host (a minute or two, if nothing of it is compiled yet)");
    built(&["ask-user-host", "agent-host", "own-host"])
}
