//! A host for agents that ask people: it keeps conversations, sends requests to a model, runs tools, and waits when a tool asks. It serves the element
//! `<ask-user>` over HTTP and server-sent events, and loses nothing if its process is killed.
//!
//! - The program `ask-user-host` serves a model with OpenAI's chat completions, or a scripted agent. The README lists its options.
//! - [`run`] is the same program with an [`Agent`] of your own.
//! - [`Host`] and [`routes`] put a host into an axum server of your own.
//!
//! ```no_run
//! use ask_user_host::{Host, HostOptions, Sqlite, routes};
//! # async fn serve(agent: impl ask_user_host::Agent) -> Result<(), Box<dyn std::error::Error>> {
//! let store = Sqlite::open("conversations.sqlite".as_ref())?;
//! let host = Host::open(Box::new(store), Box::new(agent), HostOptions::default()).await?;
//! let app = axum::Router::new().nest("/agent", routes(host, ["127.0.0.1:3000".into()].into()));
//! # let _ = app; Ok(()) }
//! ```

mod agent;
mod connection;
mod host;
mod http;
mod model;
mod question;
mod script;
mod settings;
mod signals;
mod store;
mod telemetry;
mod tools;

pub use agent::{Agent, Asking, Entry, Execution, Failed, Reply, Served, Soon, with_explanation};
pub use host::{Host, HostOptions};
pub use http::routes;
pub use store::{Postgres, Sqlite, Store};

use model::Model;
use script::Script;
use settings::{Kept, Log, Settings, USAGE};
use signals::Signals;
use std::{process::ExitCode, sync::Arc, time::Duration};
use store::Measured;
use telemetry::{Telemetry, Traced};
use tracing::{info, warn};
use tracing_subscriber::EnvFilter;

/// Runs the program `ask-user-host` with an agent: reads its options from the command line, the environment and a file, and serves until the process is told
/// to end. The options of a model are errors then.
pub fn run(agent: impl Agent) -> ExitCode {
    program(Some(Box::new(agent)))
}

/// The program `ask-user-host`. Without an agent, the agent is the model of `--model`, or a script.
#[doc(hidden)]
pub fn program(agent: Option<Box<dyn Agent>>) -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let names = std::env::vars_os().filter_map(|(name, _)| name.into_string().ok());
    let settings = match settings::read(&arguments, names, |name| std::env::var(name).ok()) {
        Ok(settings) => settings,
        Err(error) => {
            eprintln!("error: {error}\n\n{USAGE}");
            return ExitCode::FAILURE;
        }
    };
    let served = log(settings.log).and_then(|()| {
        if agent.is_some() && settings.model.is_some() {
            return Err("--model: this program has an agent of its own. Remove the option.".into());
        }
        let runtime = tokio::runtime::Runtime::new().map_err(|error| format!("the runtime: {error}"))?;
        runtime.block_on(serve(settings, agent))
    });
    match served {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Writes the log to the standard error output. `RUST_LOG` says what is in it; of other crates only warnings, unless it says otherwise.
///
/// # Errors
/// If `RUST_LOG` cannot be read.
fn log(format: Log) -> Result<(), String> {
    let given = std::env::var_os(EnvFilter::DEFAULT_ENV).map(|given| given.to_string_lossy().into_owned());
    let filter = match given.filter(|given| !given.trim().is_empty()) {
        Some(given) => {
            EnvFilter::try_new(given.trim()).map_err(|error| format!("{}: {error}", EnvFilter::DEFAULT_ENV))?
        }
        None => EnvFilter::new("warn,ask_user_host=info"),
    };
    let writer = tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr);
    match format {
        Log::Text => writer.with_ansi(false).init(),
        Log::Json => writer.json().flatten_event(true).map_event_format(Traced).init(),
    }
    Ok(())
}

/// Serves until the process is told to end, and exports what is left then.
async fn serve(mut settings: Settings, agent: Option<Box<dyn Agent>>) -> Result<(), String> {
    let telemetry = match settings.telemetry.take() {
        Some(settings) => {
            let instance = store::random().map_err(|error| error.to_string())?;
            Some(Telemetry::begin(settings, instance).map_err(|error| format!("telemetry: {error}"))?)
        }
        None => None,
    };
    let served = serve_with(settings, agent, telemetry.as_ref()).await;
    if let Some(telemetry) = telemetry {
        telemetry.end().await;
    }
    served
}

async fn serve_with(
    settings: Settings,
    agent: Option<Box<dyn Agent>>,
    telemetry: Option<&Telemetry>,
) -> Result<(), String> {
    let Settings { listen, port, store, options, pace, hosts, model, .. } = settings;
    // From here on, a signal is not missed, also while the database is waited for.
    let mut signals = Signals::new().map_err(|error| format!("signals: {error}"))?;
    let agent = match (agent, model) {
        (Some(agent), _) => agent,
        (None, Some(settings)) => {
            let model = Model::new(settings).map_err(|error| format!("--model: {error}"))?;
            info!("{}", model.description());
            Box::new(model) as Box<dyn Agent>
        }
        (None, None) => Box::new(Script { pace }),
    };
    // Before the store: a process that cannot serve must not take the lease of one that does.
    let listener = tokio::net::TcpListener::bind((listen, port)).await;
    let listener = listener.map_err(|error| format!("port {port}: {error}"))?;
    let address = listener.local_addr().map_err(|error| error.to_string())?;
    let mut store = tokio::select! {
        store = opened(store) => store?,
        () = signals.next() => return Ok(()),
    };
    if telemetry.is_some() {
        store = Box::new(Measured(store));
    }
    let host = Host::open(store, agent, options).await.map_err(|error| format!("the store: {error}"))?;
    if let Some(telemetry) = telemetry {
        host.observe(telemetry.interval);
    }
    tokio::spawn(end_by(signals, Arc::clone(&host)));
    let port = address.port();
    let names = ["127.0.0.1", "localhost", "[::1]"].map(|name| format!("{name}:{port}"));
    let names = names.into_iter().chain(hosts).collect();
    println!("Listening on http://{address}");
    let serving = axum::serve(listener, routes(Arc::clone(&host), names));
    let serving = serving.with_graceful_shutdown(closed(Arc::clone(&host)));
    let served = tokio::select! {
        served = serving.into_future() => served,
        () = late(Arc::clone(&host)) => {
            warn!("requests were still open {} seconds after this process was told to end: they are cut", LONGEST_END.as_secs());
            Ok(())
        }
    };
    host.close();
    host.end().await;
    served.map_err(|error| error.to_string())
}

/// Opens the store, and says which kind it is.
async fn opened(store: Kept) -> Result<Box<dyn Store>, String> {
    Ok(match store {
        Kept::File(file) => {
            info!("conversations are kept in the SQLite file {}", file.display());
            Box::new(Sqlite::open(&file).map_err(|error| format!("{}: {error}", file.display()))?)
        }
        Kept::Database(url, connections) => {
            // The address has a password.
            info!("conversations are kept in a PostgreSQL database");
            Box::new(Postgres::open(&url, connections).await.map_err(|error| format!("--database: {error}"))?)
        }
    })
}

/// How long open requests are waited for when the process is told to end.
const LONGEST_END: Duration = Duration::from_secs(10);

/// Ends the host when a signal comes: what is being answered is answered then, and streams end. A second one ends the process at once.
async fn end_by(mut signals: Signals, host: Arc<Host>) {
    signals.next().await;
    host.close();
    signals.next().await;
    warn!("this process was told twice to end, and ends at once");
    std::process::exit(1);
}

/// Waits until the host ends.
async fn closed(host: Arc<Host>) {
    // It fails only without a sender, which the host has.
    drop(host.closing().wait_for(|closing| *closing).await);
}

/// Waits until the host should have ended.
async fn late(host: Arc<Host>) {
    closed(host).await;
    tokio::time::sleep(LONGEST_END).await;
}
