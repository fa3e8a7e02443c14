//! A host of one's own in Rust: it asks a question in the browser, keeps everything in a file, and gives the answer to the agent. A desk decides what counts.
//! `cargo run --package own-host PORT DATA FILES`. FILES is the folder of the package, `node_modules/ask-user/dist`.

use ask_user_core::Dialect;
use ask_user_core::desk::{Asked, Desk, Input, Reply, Seal};
use axum::extract::{Path, Request, State};
use axum::http::{HeaderMap, StatusCode, Uri, header};
use axum::middleware::{Next, from_fn};
use axum::response::{Html, IntoResponse, Response, Sse, sse::Event};
use axum::routing::{get, post, put};
use axum::{Json, Router};
use serde_json::{Value, json};
use std::{error::Error, hash::BuildHasher as _, hash::RandomState, io, sync::Arc};
use tokio::sync::{Mutex, watch};
use tokio_stream::{StreamExt as _, wrappers::WatchStream};

const PAGE: &str = "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>A question</title><script type=\"module\" src=\"/ask-user/ask-user.js\"></script>
<ask-user events-url=\"/events\" respond-url=\"/respond\" cancel-url=\"/respond\" save-url=\"/walk\"></ask-user></html>";

struct Host {
    stored: Mutex<Value>,
    told: watch::Sender<Value>,
    seals: RandomState,
    data: String,
    files: String,
}

/// What a page hears: the question as it stands, or that it is closed.
fn state(desk: &Desk) -> Value {
    let mut state: Value = serde_json::from_str(&desk.request()).unwrap_or_default();
    state["type"] = json!("awaiting_user_response");
    let closed = |(how, key)| json!({ "tool_call_id": desk.asked().call, "how": how, "key": key });
    desk.closed().map(closed).map_or(state, |closed| json!({ "type": "idle", "closed": closed }))
}

/// Stores the desk before anything else is done with it: the file is whole at any moment.
fn store(desk: &Desk, data: &str) -> io::Result<Value> {
    let (stored, next) = (desk.to_json(), format!("{data}.next"));
    std::fs::write(&next, stored.to_string())?;
    std::fs::rename(&next, data).map(|()| stored)
}

/// Brings what happens to the desk, and does what follows. Gives what the sender hears.
async fn bring(host: &Host, mut input: Input) -> Result<Option<Reply>, Box<dyn Error + Send + Sync>> {
    let mut stored = host.stored.lock().await;
    let mut desk = Desk::from_json(&stored)?;
    if let (Some(secrets), Input::Responded { seal, .. }) = (desk.secrets_in(&input), &mut input) {
        *seal = Some(Seal { by: "this process".into(), digest: format!("{:x}", host.seals.hash_one(secrets)) });
    }
    let reaction = desk.on(input);
    if reaction.store {
        *stored = store(&desk, &host.data)?;
    }
    if let Some(hand) = reaction.hand {
        // Here the agent goes on. After a crash it may come once more, under the same key.
        println!("The agent gets {} ({})", hand.result.as_deref().unwrap_or("nothing"), hand.key);
        desk.on(Input::Handed);
        *stored = store(&desk, &host.data)?;
    }
    host.told.send_replace(state(&desk));
    Ok(reaction.reply)
}

/// An answer, or how far the person has come.
async fn take(State(host): State<Arc<Host>>, headers: HeaderMap, uri: Uri, Json(mut body): Json<Value>) -> Response {
    let text = |name| headers.get(name).and_then(|value| value.to_str().ok()).map(str::to_owned);
    let input = match body.get_mut("walk").filter(|_| uri.path() == "/walk") {
        Some(walk) => Input::Saved { walk: walk.take(), replaces: text("if-match") },
        None => Input::Responded { key: text("idempotency-key"), response: body, tool_call_id: None, seal: None },
    };
    let Ok(Some(reply)) = bring(&host, input).await else { return StatusCode::INTERNAL_SERVER_ERROR.into_response() };
    let status = StatusCode::from_u16(reply.status).unwrap_or_default();
    let etag = reply.version.clone().map(|version| [(header::ETAG, version)]);
    let body = (status != StatusCode::NO_CONTENT).then(|| Json(reply).into_response());
    (status, etag, body.unwrap_or_default()).into_response()
}

async fn file(State(host): State<Arc<Host>>, Path(name): Path<String>) -> Response {
    let kind = if name.ends_with(".wasm") { "application/wasm" } else { "text/javascript" };
    let read = std::fs::read(format!("{}/{name}", host.files)).ok().filter(|_| !name.contains(['/', '\\']));
    read.map_or(StatusCode::NOT_FOUND.into_response(), |bytes| ([(header::CONTENT_TYPE, kind)], bytes).into_response())
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error + Send + Sync>> {
    let [port, data, files] = std::env::args().skip(1).collect::<Vec<_>>().try_into().map_err(|_| "PORT DATA FILES")?;
    let seals = RandomState::new();
    let own = ["127.0.0.1", "localhost", "[::1]"].map(|name| format!("{name}:{port}"));
    let desk = match std::fs::read_to_string(&data) {
        Ok(text) => Desk::from_json(&serde_json::from_str(&text)?)?,
        Err(_) => {
            // The nonce tells this question from another one of the same call.
            let options = json!({ "tool_call_id": "call_1", "nonce": format!("{:x}", seals.hash_one("nonce")) });
            let (request, dialect) = (include_str!("../request.json").to_owned(), Dialect::Detect);
            Desk::ask(Asked { call: "call_1".into(), request, dialect, options }, None)?
        }
    };
    let (stored, told) = (store(&desk, &data)?.into(), watch::Sender::new(state(&desk)));
    let host = Arc::new(Host { stored, told, seals, data, files });
    bring(&host, Input::Restored).await?;
    let ours = move |request: Request, next: Next| {
        let text = |name| request.headers().get(name).and_then(|value| value.to_str().ok()).unwrap_or_default();
        let origin = text("origin").strip_prefix("http://").unwrap_or(text("origin"));
        let is_ours = own.iter().any(|own| text("host") == own && (origin.is_empty() || origin == own));
        async move { if is_ours { next.run(request).await } else { StatusCode::FORBIDDEN.into_response() } }
    };
    let events = |State(host): State<Arc<Host>>| async move {
        let told = WatchStream::new(host.told.subscribe());
        Sse::new(told.map(|state| Event::default().event("state_change").json_data(state)))
    };
    let app = Router::new().route("/respond", post(take)).route("/walk", put(take)).route("/events", get(events));
    let app = app.route("/", get(|| async { Html(PAGE) })).route("/ask-user/{name}", get(file)).layer(from_fn(ours));
    println!("http://localhost:{port}");
    let listener = tokio::net::TcpListener::bind(format!("127.0.0.1:{port}")).await?;
    Ok(axum::serve(listener, app.with_state(host)).await?)
}
