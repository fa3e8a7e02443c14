//! An agent host: conversations with an agent over HTTP and server-sent events, whose questions are put to the person by
//! ask-user, and which survive the end of the process at any moment. `cargo run --package agent-host`; its README.md says more.

mod agent;
mod host;
mod http;
mod model;
mod question;
mod script;
mod settings;
mod store;
mod tools;

use agent::Agent;
use host::Host;
use model::Model;
use script::Script;
use settings::{Settings, USAGE};
use std::{net::Ipv4Addr, process::ExitCode, sync::Arc, time::Duration};
use store::Sqlite;

/// How long a lease lasts without being renewed.
const LEASE: Duration = Duration::from_secs(10);

#[tokio::main]
async fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let settings = match settings::read(&arguments, |name| std::env::var(name).ok()) {
        Ok(settings) => settings,
        Err(error) => {
            eprintln!("error: {error}\n\n{USAGE}");
            return ExitCode::FAILURE;
        }
    };
    match serve(settings).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

async fn serve(Settings { port, data, pace, hosts, model }: Settings) -> Result<(), String> {
    let store = Sqlite::open(&data).map_err(|error| format!("{}: {error}", data.display()))?;
    let agent: Box<dyn Agent> = match model {
        Some(settings) => {
            let model = Model::new(settings).map_err(|error| format!("--model: {error}"))?;
            eprintln!("{}", model.description());
            Box::new(model)
        }
        None => Box::new(Script { pace }),
    };
    let host = Host::open(Box::new(store), agent, LEASE).await.map_err(|error| format!("{error:?}"))?;
    let listener = tokio::net::TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await;
    let listener = listener.map_err(|error| format!("port {port}: {error}"))?;
    let address = listener.local_addr().map_err(|error| error.to_string())?;
    let port = address.port();
    let names = ["127.0.0.1", "localhost", "[::1]"].map(|name| format!("{name}:{port}"));
    let names = names.into_iter().chain(hosts).collect();
    println!("Listening on http://{address}");
    let serving = axum::serve(listener, http::routes(Arc::clone(&host), names));
    let served = serving.with_graceful_shutdown(stopped(Arc::clone(&host))).await;
    host.end().await;
    served.map_err(|error| error.to_string())
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
