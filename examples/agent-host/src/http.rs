//! The host over HTTP: conversations, messages, answers, records, and server-sent events. It has no accounts: it serves one
//! person on this machine, and is bound to it.

use crate::{
    host::{Host, Refused, Taken},
    store,
};
use ask_user_core::record::{Stream, to_markdown};
use axum::{
    Json, Router,
    extract::{DefaultBodyLimit, Path, Query, State},
    http::{HeaderMap, StatusCode, header},
    response::{
        IntoResponse, Response,
        sse::{Event, KeepAlive, Sse},
    },
    routing::{get, post, put},
};
use serde_json::{Value, json};
use std::{collections::HashMap, convert::Infallible, sync::Arc, time::Duration};
use tokio::sync::mpsc;
use tokio_stream::wrappers::ReceiverStream;

/// Bytes of a request's body.
const LARGEST_BODY: usize = 8 * 1024 * 1024;

type Shared = State<Arc<Host>>;

/// The routes.
pub fn routes(host: Arc<Host>) -> Router {
    Router::new()
        .route("/conversations", post(create))
        .route("/conversations/{id}/messages", post(message))
        .route("/conversations/{id}/events", get(events))
        .route("/conversations/{id}/walk", put(save))
        .route("/conversations/{id}/respond", post(respond))
        .route("/conversations/{id}/cancel", post(cancel))
        .route("/conversations/{id}/records", get(records))
        .layer(DefaultBodyLimit::max(LARGEST_BODY))
        .with_state(host)
}

async fn create(State(host): Shared) -> Result<Response, Refused> {
    let id = host.create()?;
    Ok((StatusCode::CREATED, Json(json!({ "id": id }))).into_response())
}

async fn message(State(host): Shared, Path(id): Path<String>, Json(body): Json<Value>) -> Result<Response, Refused> {
    let text = body["text"].as_str().filter(|text| !text.trim().is_empty());
    let text = text.ok_or_else(|| bad("\"text\" is missing or empty"))?;
    host.message(&id, text).await?;
    Ok((StatusCode::ACCEPTED, Json(json!({ "accepted": true }))).into_response())
}

async fn save(State(host): Shared, Path(id): Path<String>, Json(body): Json<Value>) -> Result<Response, Refused> {
    host.save(&id, call_of(&body)?, body["walk"].clone()).await?;
    Ok(StatusCode::NO_CONTENT.into_response())
}

async fn respond(
    State(host): Shared,
    Path(id): Path<String>,
    headers: HeaderMap,
    Json(body): Json<Value>,
) -> Result<Response, Refused> {
    let call = call_of(&body)?;
    // Without a key, a call is answered once.
    let key = headers.get("idempotency-key").and_then(|key| key.to_str().ok()).unwrap_or(call);
    let taken = host.respond(&id, key, call, &body).await?;
    Ok(Json(json!({ "accepted": true, "again": taken == Taken::Before })).into_response())
}

/// Ends the turn: at a form, with the walk that says so, or else whatever the agent does.
async fn cancel(
    state: Shared,
    path: Path<String>,
    headers: HeaderMap,
    Json(body): Json<Value>,
) -> Result<Response, Refused> {
    if body.get("walk").is_some() {
        return respond(state, path, headers, Json(body)).await;
    }
    state.0.stop(&path.0).await?;
    Ok(Json(json!({ "accepted": true })).into_response())
}

async fn records(
    State(host): Shared,
    Path(id): Path<String>,
    Query(query): Query<HashMap<String, String>>,
) -> Result<Response, Refused> {
    host.watch(&id)?;
    let lines = host.store.records(&id)?;
    if query.get("format").is_some_and(|format| format == "markdown") {
        let stream = Stream::read(&lines, |_| false);
        let text = to_markdown(&stream.turns.concat());
        return Ok(([(header::CONTENT_TYPE, "text/markdown; charset=utf-8")], text).into_response());
    }
    Ok(Json(lines).into_response())
}

/// Everything that happened since the event that the client heard last (`Last-Event-ID`, or `last-event-id` in the query), and
/// then what happens. Of the states of the past, only the last is told.
async fn events(
    State(host): Shared,
    Path(id): Path<String>,
    Query(query): Query<HashMap<String, String>>,
    headers: HeaderMap,
) -> Result<Response, Refused> {
    let mut watch = host.watch(&id)?;
    let named = headers.get("last-event-id").and_then(|id| id.to_str().ok());
    let named = named.or(query.get("last-event-id").map(String::as_str));
    let mut last = named.and_then(|id| id.parse().ok()).unwrap_or(0);
    let (sender, receiver) = mpsc::channel::<Result<Event, Infallible>>(16);
    tokio::spawn(async move {
        // A stream that was cut is opened again after this pause.
        let pause = Event::default().retry(Duration::from_millis(500));
        if sender.send(Ok(pause)).await.is_err() {
            return;
        }
        loop {
            let Ok(events) = host.store.events_after(&id, last) else { return };
            for event in events {
                last = event.place;
                let data = with_details(&host, &id, &event).await.unwrap_or(event.data);
                let event = Event::default().id(event.place.to_string()).event(event.kind).data(data);
                if sender.send(Ok(event)).await.is_err() {
                    return;
                }
            }
            tokio::select! {
                changed = watch.changed() => if changed.is_err() { return },
                () = sender.closed() => return,
            }
        }
    });
    let stream = Sse::new(ReceiverStream::new(receiver)).keep_alive(KeepAlive::new().interval(Duration::from_secs(15)));
    Ok(([(header::CACHE_CONTROL, "no-store")], stream).into_response())
}

/// The data of an event that a question is open, with all that a page needs to ask it, as far as it is open still.
async fn with_details(host: &Arc<Host>, id: &str, event: &store::Event) -> Option<String> {
    let mut data: Value = serde_json::from_str(&event.data).ok().filter(|_| event.kind == "state_change")?;
    if data["type"] != "awaiting_user_response" {
        return None;
    }
    let details = host.details(id, data["tool_call_id"].as_str()?).await.ok()?;
    data.as_object_mut()?.extend(details.as_object()?.clone());
    Some(data.to_string())
}

fn call_of(body: &Value) -> Result<&str, Refused> {
    body["tool_call_id"].as_str().ok_or_else(|| bad("\"tool_call_id\" is missing"))
}

fn bad(message: &str) -> Refused {
    Refused::Unfit { code: "bad_request", message: message.into(), question: None }
}

impl IntoResponse for Refused {
    fn into_response(self) -> Response {
        let (status, error, message, problems) = match self {
            Self::NoConversation => {
                (StatusCode::NOT_FOUND, "no_conversation", "There is no such conversation.".to_owned(), json!([]))
            }
            Self::Unexpected(error) => (StatusCode::CONFLICT, error.code(), error.to_string(), json!([])),
            Self::Unfit { code, message, question } => {
                let problem = json!({ "code": code, "message": message, "question": question });
                (StatusCode::UNPROCESSABLE_ENTITY, code, message, json!([problem]))
            }
            Self::Store(error) => {
                eprintln!("store: {error}");
                let message = "The host could not store this. Nothing was changed; try again.".to_owned();
                (StatusCode::INTERNAL_SERVER_ERROR, "store", message, json!([]))
            }
        };
        (status, Json(json!({ "error": error, "message": message, "problems": problems }))).into_response()
    }
}
