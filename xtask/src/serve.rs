//! Builds the package and serves the playground.

use crate::{
    build,
    shell::{Done, node, run},
};

/// The port, when none is named. The server takes the next one that is free.
const PORT: &str = "8080";

/// Serves until it is stopped.
pub fn run_until_stopped(arguments: &[String]) -> Done {
    let port = match arguments {
        [] => PORT,
        [name, port] if name == "--port" && port.parse::<u16>().is_ok() => port,
        _ => return Err("say `cargo xtask serve`, or `cargo xtask serve --port N` with N from 0 to 65535".into()),
    };
    build::package()?;
    run(&mut node(&["playground/server.mjs", port]))
}
