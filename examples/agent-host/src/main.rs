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
use std::{net::Ipv4Addr, path::PathBuf, process::ExitCode, sync::Arc, time::Duration};
use store::Store;

const USAGE: &str = "\
agent-host [--port N] [--data FILE] [--pace MILLISECONDS] [--host NAME]...

  --port   where to listen on this machine (3000; 0 for any that is free)
  --data   the SQLite file, made if it is not there (agent-host.sqlite)
  --pace   how long the scripted model and its tools take (400)
  --host   a name and port that requests and their pages may come by, beside 127.0.0.1, localhost and [::1] with the port";

struct Settings {
    port: u16,
    data: PathBuf,
    pace: Duration,
    hosts: Vec<String>,
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
    let mut settings =
        Settings { port: 3000, data: "agent-host.sqlite".into(), pace: Duration::from_millis(400), hosts: Vec::new() };
    for pair in arguments.chunks(2) {
        let [name, value] = pair else { return None };
        match name.as_str() {
            "--port" => settings.port = value.parse().ok()?,
            "--data" => settings.data = value.into(),
            "--pace" => settings.pace = Duration::from_millis(value.parse().ok()?),
            "--host" => settings.hosts.push(value.clone()),
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
    let port = address.port();
    let names = ["127.0.0.1", "localhost", "[::1]"].map(|name| format!("{name}:{port}"));
    let names = names.into_iter().chain(settings.hosts).collect();
    println!("Listening on http://{address}");
    let serving = axum::serve(listener, http::routes(Arc::clone(&host), names));
    serving.with_graceful_shutdown(stopped(host)).await.map_err(|error| error.to_string())
}

/// Waits for Ctrl+C or SIGTERM. What is being answered is answered then, and streams end.
async fn stopped(host: Arc<Host>) {
    #[cfg(unix)]
    let terminated = async {
        match tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate()) {
            Ok(mut signal) => drop(signal.recv().await),
            Err(_) => std::future::pending().await,
        }
    };
    #[cfg(not(unix))]
    let terminated = std::future::pending::<()>();
    tokio::select! {
        _ = tokio::signal::ctrl_c() => {}
        () = terminated => {}
    }
    host.close();
}
