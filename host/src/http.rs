//! The host over HTTP: conversations, messages, answers, records, and server-sent events. It has no accounts: it serves one person on
//! this machine. A request must name this host and come from its own pages, and a conversation opens with its token alone.

mod observed;
mod plain;

use crate::{
    host::{Host, LONGEST_ID, Refused},
    store,
    telemetry::meters,
};
use ask_user_core::{
    desk::{Code, Desk, Input, Reply},
    json::weigh_text,
    record::{Stream, to_markdown},
};
use axum::{
    Json, Router,
    body::to_bytes,
    extract::{
        DefaultBodyLimit, FromRequest, Path, Query, Request, State,
        rejection::{FormRejection, JsonRejection},
    },
    http::{HeaderMap, StatusCode, Uri, header},
    middleware::{Next, from_fn, from_fn_with_state},
    response::{
        IntoResponse, Response,
        sse::{Event, KeepAlive, Sse},
    },
    routing::{get, post, put},
};
use http_body_util::LengthLimitError;
use serde_json::{Value, json};
use std::{collections::HashMap, convert::Infallible, error::Error, sync::Arc, time::Duration};
use tokio::sync::{mpsc, watch};
use tokio_stream::wrappers::ReceiverStream;
use tracing::warn;

/// Bytes of a request's body.
const LARGEST_BODY: usize = 8 * 1024 * 1024;

/// How long a request's body is waited for.
const LONGEST_BODY: Duration = Duration::from_secs(30);

/// The cookie that has the token of a conversation. It is sent to that conversation alone.
const COOKIE: &str = "conversation";

/// How deep a body may nest.
const DEEPEST: usize = 120;
/// How much work it may be to read a body, in units of [`weigh_text`]: more than any answer to a form. A list of 250,000 numbers has as much.
const MOST_WORK: u64 = 40_000_000;

/// A body as JSON, and its text with every digit of its numbers.
struct Body {
    json: Value,
    text: String,
}

impl<S: Send + Sync> FromRequest<S> for Body {
    type Rejection = Refused;

    async fn from_request(request: Request, state: &S) -> Result<Self, Refused> {
        let unreadable = |message: &str| Refused::Unreadable { status: 400, message: message.to_owned() };
        let (parts, body) = request.into_parts();
        let bytes = to_bytes(body, LARGEST_BODY).await.map_err(|_| unreadable("The body did not come to its end."))?;
        let text = str::from_utf8(&bytes).map_err(|_| unreadable("The body is not UTF-8."))?.to_owned();
        // It is weighed before it is parsed.
        let work = weigh_text(&text, LARGEST_BODY, DEEPEST);
        let work = work.map_err(|_| bad(&format!("The body nests deeper than {DEEPEST} levels")))?;
        if work > MOST_WORK {
            return Err(bad("The body has more values than the answers to any form"));
        }
        let Json(json) = Json::from_request(Request::from_parts(parts, bytes.into()), state).await?;
        Ok(Self { json, text })
    }
}

type Shared = State<Arc<Host>>;

/// The routes. `names` are those that the host goes by, each with its port.
pub fn routes(host: Arc<Host>, names: Vec<String>) -> Router {
    let named = from_fn_with_state(Arc::new(names), named);
    let opened = from_fn_with_state(Arc::clone(&host), open);
    Router::new()
        .route("/conversations/{id}/messages", post(message))
        .route("/conversations/{id}/retry", post(retry))
        .route("/conversations/{id}/events", get(events))
        .route("/conversations/{id}/walk", put(save))
        .route("/conversations/{id}/respond", post(respond))
        .route("/conversations/{id}/cancel", post(cancel))
        .route("/conversations/{id}/records", get(records))
        .route("/conversations/{id}/form", get(plain::show).post(plain::take))
        .route_layer(from_fn(in_time))
        .route_layer(opened)
        .route("/conversations", post(create))
        .layer(named)
        // Whoever watches over processes knows them by their addresses, and learns nothing here.
        .route("/health", get(health))
        .route("/ready", get(ready))
        .layer(DefaultBodyLimit::max(LARGEST_BODY))
        .layer(from_fn(observed::observe))
        .with_state(host)
}

/// The process runs.
async fn health() -> Response {
    Json(json!({ "ok": true })).into_response()
}

/// The process can serve: its store works.
async fn ready(State(host): Shared) -> Response {
    match host.is_ready().await {
        Ok(()) => Json(json!({ "ready": true })).into_response(),
        Err(error) => {
            warn!(%error, "not ready");
            (StatusCode::SERVICE_UNAVAILABLE, Json(json!({ "ready": false }))).into_response()
        }
    }
}

async fn create(State(host): Shared) -> Result<Response, Refused> {
    let (id, token) = host.create().await?;
    let cookie = cookie(&id, &token);
    let body = Json(json!({ "id": id, "token": token }));
    Ok((StatusCode::CREATED, [(header::SET_COOKIE, cookie)], body).into_response())
}

/// The cookie that opens a conversation.
fn cookie(id: &str, token: &str) -> String {
    format!("{COOKIE}={token}; Path=/conversations/{id}; HttpOnly; SameSite=Strict")
}

/// Lets a request through that names this host, and that no page of another origin has made. A name that leads here by another's DNS is not ours.
async fn named(State(names): State<Arc<Vec<String>>>, request: Request, next: Next) -> Response {
    if is_ours(&names, request.headers()) {
        return next.run(request).await;
    }
    let message = "The request names another host, or comes from a page of another origin. --host names more.";
    (StatusCode::FORBIDDEN, Json(json!({ "error": "not_this_host", "message": message }))).into_response()
}

fn is_ours(names: &[String], headers: &HeaderMap) -> bool {
    let known = |name: &str| names.iter().any(|own| own.eq_ignore_ascii_case(name));
    let text = |name| headers.get(name).map(|value| value.to_str().unwrap_or_default());
    // A page without an origin (a sandboxed frame, a file) is no page of ours.
    let ours = |origin: &str| {
        origin.parse::<Uri>().is_ok_and(|origin| origin.authority().is_some_and(|name| known(name.as_str())))
    };
    text(header::HOST).is_some_and(known) && text(header::ORIGIN).is_none_or(ours)
}

/// Lets a request to a conversation through that has its token, in the cookie or as `Authorization: Bearer`.
async fn open(
    State(host): Shared,
    Path(parts): Path<HashMap<String, String>>,
    request: Request,
    next: Next,
) -> Result<Response, Refused> {
    let id = parts.get("id").map(String::as_str).unwrap_or_default();
    let mut tokens = tokens(request.headers());
    // A link to the form opens the conversation by itself: without a script, nothing else can.
    let linked = plain::token(request.uri());
    tokens.extend(linked.as_deref());
    host.opens(id, &tokens).await?;
    observed::of(id);
    Ok(next.run(request).await)
}

/// Lets a request through once its body is there, all of it. A client that sends half of one is not waited for without end.
async fn in_time(request: Request, next: Next) -> Result<Response, Refused> {
    let unreadable = |status: StatusCode, message: &str| {
        Err(Refused::Unreadable { status: status.as_u16(), message: message.to_owned() })
    };
    let (parts, body) = request.into_parts();
    match tokio::time::timeout(LONGEST_BODY, to_bytes(body, LARGEST_BODY)).await {
        Ok(Ok(body)) => Ok(next.run(Request::from_parts(parts, body.into())).await),
        Ok(Err(error)) if error.source().is_some_and(<dyn Error>::is::<LengthLimitError>) => {
            unreadable(StatusCode::PAYLOAD_TOO_LARGE, "The body has more than 8 MiB.")
        }
        Ok(Err(_)) => unreadable(StatusCode::BAD_REQUEST, "The body did not come to its end."),
        Err(_) => unreadable(StatusCode::REQUEST_TIMEOUT, "The body did not come within 30 seconds."),
    }
}

fn tokens(headers: &HeaderMap) -> Vec<&str> {
    let texts = |name| headers.get_all(name).iter().filter_map(|value| value.to_str().ok());
    let cookies = texts(header::COOKIE).flat_map(|cookies| cookies.split(';'));
    let cookies = cookies.filter_map(|cookie| cookie.trim().strip_prefix(COOKIE)?.strip_prefix('='));
    cookies.chain(texts(header::AUTHORIZATION).filter_map(|value| value.strip_prefix("Bearer "))).collect()
}

async fn message(State(host): Shared, Path(id): Path<String>, body: Body) -> Result<Response, Refused> {
    let text = body.json["text"].as_str().filter(|text| !text.trim().is_empty());
    let text = text.ok_or_else(|| bad("\"text\" is missing or empty"))?;
    host.message(&id, text).await?;
    Ok((StatusCode::ACCEPTED, Json(json!({ "accepted": true }))).into_response())
}

/// Requests the model again, after an error that has `try_again`.
async fn retry(State(host): Shared, Path(id): Path<String>) -> Result<Response, Refused> {
    host.retry(&id).await?;
    Ok((StatusCode::ACCEPTED, Json(json!({ "accepted": true }))).into_response())
}

async fn save(
    State(host): Shared,
    Path(id): Path<String>,
    headers: HeaderMap,
    body: Body,
) -> Result<Response, Refused> {
    let replaces = headers.get(header::IF_MATCH).and_then(|versions| versions.to_str().ok()).map(str::to_owned);
    let input = Input::Saved { walk: body.json["walk"].clone(), replaces };
    let version = host.bring(&id, Some(call_of(&body.json)?), input).await?.version.unwrap_or_default();
    Ok((StatusCode::NO_CONTENT, [(header::ETAG, version)]).into_response())
}

async fn respond(
    State(host): Shared,
    Path(id): Path<String>,
    headers: HeaderMap,
    Body { json: body, text }: Body,
) -> Result<Response, Refused> {
    let key = key_in(&headers)?;
    if body.get("answers").is_some() {
        if body.get("walk").is_some() {
            return Err(bad("Send either \"answers\" or \"walk\""));
        }
        let call = optional_call(&body)?;
        return Ok(acknowledged(&host.bring(&id, call, answered(&text, key)?).await?));
    }
    let call = call_of(&body)?.to_owned();
    let input = match body.get("rejected") {
        Some(_) => Input::Rejected,
        None => Input::Responded { key, response: body, tool_call_id: None, seal: None },
    };
    Ok(acknowledged(&host.bring(&id, Some(&call), input).await?))
}

/// Plain answers, from the text of their body.
fn answered(text: &str, key: Option<String>) -> Result<Input, Refused> {
    let members = text.trim_end().strip_suffix('}').unwrap_or(text);
    Ok(Desk::input(&format!("{members},\"type\":\"answered\",\"seal\":null,\"key\":{}}}", json!(key)))?)
}

fn acknowledged(reply: &Reply) -> Response {
    Json(json!({ "accepted": true, "again": reply.code == Code::TakenBefore })).into_response()
}

/// Ends the turn: at a form, with the walk that says so, or else whatever the agent does.
async fn cancel(state: Shared, path: Path<String>, headers: HeaderMap, body: Body) -> Result<Response, Refused> {
    if body.json.get("walk").is_some() {
        return respond(state, path, headers, body).await;
    }
    let call = optional_call(&body.json)?;
    state.0.stop(&path.0, call).await?;
    Ok(Json(json!({ "accepted": true })).into_response())
}

async fn records(
    State(host): Shared,
    Path(id): Path<String>,
    Query(query): Query<HashMap<String, String>>,
) -> Result<Response, Refused> {
    let lines = host.store.records(&id).await?;
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
    let mut watch = host.watch(&id);
    let named = headers.get("last-event-id").and_then(|id| id.to_str().ok());
    let named = named.or(query.get("last-event-id").map(String::as_str));
    let mut last = named.and_then(|id| id.parse().ok()).unwrap_or(0);
    let mut closing = host.closing();
    let (sender, receiver) = mpsc::channel::<Result<Event, Infallible>>(16);
    let open = meters().stream();
    tokio::spawn(async move {
        let _open = open;
        // A stream that was cut is opened again after this pause.
        let pause = Event::default().retry(Duration::from_millis(500));
        if !is_sent(&sender, &mut closing, pause).await {
            return;
        }
        loop {
            watch.mark_unchanged();
            let Ok(events) = host.store.events_after(&id, last).await else { return };
            for event in events {
                last = event.place;
                let data = as_of_now(&host, &id, &event).await.unwrap_or(event.data);
                let event = Event::default().id(event.place.to_string()).event(event.kind).data(data);
                if !is_sent(&sender, &mut closing, event).await {
                    return;
                }
            }
            tokio::select! {
                changed = watch.changed() => if changed.is_err() { return },
                () = sender.closed() => return,
                _ = closing.wait_for(|closing| *closing) => return,
            }
        }
    });
    let stream = Sse::new(ReceiverStream::new(receiver)).keep_alive(KeepAlive::new().interval(Duration::from_secs(15)));
    Ok(([(header::CACHE_CONTROL, "no-store")], stream).into_response())
}

/// Sends an event. `false` if the client has gone, or the process is about to end: a client that reads nothing is not waited for.
async fn is_sent(
    sender: &mpsc::Sender<Result<Event, Infallible>>,
    closing: &mut watch::Receiver<bool>,
    event: Event,
) -> bool {
    tokio::select! {
        sent = sender.send(Ok(event)) => sent.is_ok(),
        _ = closing.wait_for(|closing| *closing) => false,
    }
}

/// The data of an event that questions are open, each as the conversation tells it now: the person may have come further. `None` where none of them is open any more.
async fn as_of_now(host: &Arc<Host>, id: &str, event: &store::Event) -> Option<String> {
    let mut told: Value = serde_json::from_str(&event.data).ok().filter(|_| event.kind == "state_change")?;
    let mut now = json!(host.notice(id).await.ok()??);
    let fresh = |request: &Value, now: &mut Value| {
        requests(now).into_iter().find(|one| one["tool_call_id"] == request["tool_call_id"]).cloned()
    };
    let mut is_open = false;
    for request in requests(&mut told) {
        let (kind, closed) = (request.get("type").cloned(), request.get("closed").cloned());
        let Some(mut fresh) = fresh(request, &mut now) else { continue };
        if let Some(fresh) = fresh.as_object_mut() {
            fresh.retain(|name, _| name != "type" && name != "closed");
            fresh.extend(kind.map(|kind| ("type".to_owned(), kind)));
            fresh.extend(closed.map(|closed| ("closed".to_owned(), closed)));
        }
        (*request, is_open) = (fresh, true);
    }
    is_open.then(|| told.to_string())
}

/// The questions that a notice tells of.
fn requests(notice: &mut Value) -> Vec<&mut Value> {
    if notice["requests"].is_array() {
        return notice["requests"].as_array_mut().into_iter().flatten().collect();
    }
    if notice["type"] == "awaiting_user_response" { vec![notice] } else { Vec::new() }
}

fn call_of(body: &Value) -> Result<&str, Refused> {
    body["tool_call_id"].as_str().ok_or_else(|| bad("\"tool_call_id\" is missing"))
}

/// The call that a body names, if it names one.
fn optional_call(body: &Value) -> Result<Option<&str>, Refused> {
    match &body["tool_call_id"] {
        Value::Null => Ok(None),
        Value::String(call) => Ok(Some(call)),
        _ => Err(bad("\"tool_call_id\" must be a string")),
    }
}

/// The idempotency key, if there is one.
fn key_in(headers: &HeaderMap) -> Result<Option<String>, Refused> {
    let Some(key) = headers.get("idempotency-key").filter(|key| !key.is_empty()) else { return Ok(None) };
    if key.len() > LONGEST_ID {
        return Err(bad(&format!("\"Idempotency-Key\" must have at most {LONGEST_ID} bytes")));
    }
    let text = key.to_str().map_err(|_| bad("\"Idempotency-Key\" must have only letters of ASCII"))?;
    Ok(Some(text.to_owned()))
}

fn bad(message: &str) -> Refused {
    Refused::Bad(message.into())
}

impl From<JsonRejection> for Refused {
    fn from(rejection: JsonRejection) -> Self {
        Self::Unreadable { status: rejection.status().as_u16(), message: rejection.body_text() }
    }
}

impl From<FormRejection> for Refused {
    fn from(rejection: FormRejection) -> Self {
        Self::Unreadable { status: rejection.status().as_u16(), message: rejection.body_text() }
    }
}

impl IntoResponse for Refused {
    fn into_response(self) -> Response {
        let error = self.code();
        let (status, message, problems) = match self {
            Self::NoConversation => (StatusCode::NOT_FOUND, "There is no such conversation.".to_owned(), json!([])),
            Self::Unreadable { status, message } => {
                (StatusCode::from_u16(status).unwrap_or(StatusCode::BAD_REQUEST), message, json!([]))
            }
            Self::NotYours => {
                let message = "This conversation is opened by the token that it was created with.".to_owned();
                (StatusCode::FORBIDDEN, message, json!([]))
            }
            Self::Desk(reply) => {
                let Reply { status, message, problems, version, walk, .. } = *reply;
                let status = StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
                let mut body = json!({ "error": error, "message": message, "problems": problems });
                if let Some(version) = version {
                    body["walk"] = json!(walk);
                    return (status, [(header::ETAG, version)], Json(body)).into_response();
                }
                return (status, Json(body)).into_response();
            }
            Self::Unexpected(why) => (StatusCode::CONFLICT, why.to_string(), json!([])),
            Self::NothingToRetry => {
                let message = "The last request to the model did not fail. Send a message.".to_owned();
                (StatusCode::CONFLICT, message, json!([]))
            }
            Self::Bad(message) => {
                let problem = json!({ "code": error, "message": message, "question": null });
                (StatusCode::UNPROCESSABLE_ENTITY, message, json!([problem]))
            }
            Self::Store(fault) => {
                warn!(error = %fault, "a request could not be served");
                let message = "The host could not reach its store, or could not store this. Try again.".to_owned();
                (StatusCode::SERVICE_UNAVAILABLE, message, json!([]))
            }
        };
        (status, Json(json!({ "error": error, "message": message, "problems": problems }))).into_response()
    }
}
