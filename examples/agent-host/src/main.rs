//! An agent host: conversations with an agent over HTTP and server-sent events, whose questions are put to the person by
//! ask-user, and which survive the end of the process at any moment. `cargo run --package agent-host`; its README.md says more.

mod agent;
mod host;
mod http;
mod question;
mod script;
mod store;

use host::Host;
use script::Script;
use std::{net::Ipv4Addr, path::PathBuf, process::ExitCode, time::Duration};
use store::Store;

const USAGE: &str = "\
agent-host [--port N] [--data FILE] [--pace MILLISECONDS]

  --port   where to listen on this machine (3000; 0 for any that is free)
  --data   the SQLite file, made if it is not there (agent-host.sqlite)
  --pace   how long the scripted model and its tools take (400)";

struct Settings {
    port: u16,
    data: PathBuf,
    pace: Duration,
}

#[tokio::main]
async fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let Some(settings) = settings(&arguments) else {
        eprintln!("{USAGE}");
        return ExitCode::FAILURE;
    };
    match serve(settings).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn settings(arguments: &[String]) -> Option<Settings> {
    let mut settings = Settings { port: 3000, data: "agent-host.sqlite".into(), pace: Duration::from_millis(400) };
    for pair in arguments.chunks(2) {
        let [name, value] = pair else { return None };
        match name.as_str() {
            "--port" => settings.port = value.parse().ok()?,
            "--data" => settings.data = value.into(),
            "--pace" => settings.pace = Duration::from_millis(value.parse().ok()?),
            _ => return None,
        }
    }
    Some(settings)
}

async fn serve(settings: Settings) -> Result<(), String> {
    let store = Store::open(&settings.data).map_err(|error| format!("{}: {error}", settings.data.display()))?;
    let host =
        Host::open(store, Box::new(Script { pace: settings.pace })).await.map_err(|error| format!("{error:?}"))?;
    let listener = tokio::net::TcpListener::bind((Ipv4Addr::LOCALHOST, settings.port)).await;
    let listener = listener.map_err(|error| format!("port {}: {error}", settings.port))?;
    let address = listener.local_addr().map_err(|error| error.to_string())?;
    println!("Listening on http://{address}");
    axum::serve(listener, http::routes(host)).await.map_err(|error| error.to_string())
}
