//! Traces and measures each request of HTTP. The address is exported as its route alone, because it can contain a token.

use crate::telemetry::{Span, conversation, meters, parent_of};
use axum::{
    extract::{MatchedPath, Request},
    http::{HeaderMap, Method},
    middleware::Next,
    response::Response,
};
use opentelemetry::{
    Context, KeyValue,
    propagation::Extractor,
    trace::{SpanKind, TraceContextExt},
};
use std::time::Instant;

/// The routes that watchers over processes ask all the time: they are counted, but not traced.
const WATCHED: [&str; 2] = ["/health", "/ready"];

/// Answers a request within a span, which goes on with the trace of the client.
pub async fn observe(request: Request, next: Next) -> Response {
    let begun = Instant::now();
    let route = request.extensions().get::<MatchedPath>().map(|path| path.as_str().to_owned());
    let method = method(request.method());
    let mut attributes = vec![KeyValue::new("http.request.method", method), KeyValue::new("url.scheme", "http")];
    let name = route.as_ref().map_or_else(|| method.to_owned(), |route| format!("{method} {route}"));
    let is_watched = route.as_deref().is_some_and(|route| WATCHED.contains(&route));
    attributes.extend(route.map(|route| KeyValue::new("http.route", route)));
    let span = (!is_watched)
        .then(|| Span::below(&parent_of(&TraceParent(request.headers())), name, SpanKind::Server, attributes.clone()));
    let response = match &span {
        Some(span) => span.around(next.run(request)).await,
        None => next.run(request).await,
    };
    let status = response.status();
    let answered = KeyValue::new("http.response.status_code", i64::from(status.as_u16()));
    if let Some(span) = &span {
        span.set(answered.clone());
    }
    attributes.push(answered);
    if status.is_server_error() {
        let error = status.as_str().to_owned();
        if let Some(span) = &span {
            span.fails(error.clone());
        }
        attributes.push(KeyValue::new("error.type", error));
    }
    meters().request(&attributes, begun.elapsed());
    response
}

/// The current request is to a conversation, whose token it has.
pub fn of(id: &str) {
    Context::current().span().set_attribute(conversation(id));
}

/// The method, if it is one of HTTP's own. A client can send any other word.
fn method(method: &Method) -> &'static str {
    match *method {
        Method::GET => "GET",
        Method::HEAD => "HEAD",
        Method::POST => "POST",
        Method::PUT => "PUT",
        Method::DELETE => "DELETE",
        Method::OPTIONS => "OPTIONS",
        Method::PATCH => "PATCH",
        Method::CONNECT => "CONNECT",
        Method::TRACE => "TRACE",
        _ => "_OTHER",
    }
}

/// The trace of a client. Its `tracestate` is left out, because it can contain any text.
struct TraceParent<'a>(&'a HeaderMap);

impl TraceParent<'_> {
    const NAME: &'static str = "traceparent";
}

impl Extractor for TraceParent<'_> {
    fn get(&self, key: &str) -> Option<&str> {
        self.0.get(key).filter(|_| key == Self::NAME)?.to_str().ok()
    }

    fn keys(&self) -> Vec<&str> {
        vec![Self::NAME]
    }
}
