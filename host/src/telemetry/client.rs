//! Sends what the SDK of OpenTelemetry has collected, over a connection of its own each time. The SDK waits in threads of its own, so nobody else does.

use crate::connection::{Broken, Connector};
use async_trait::async_trait;
use http_body_util::{BodyExt, Full, Limited};
use hyper::{
    Uri,
    body::Bytes,
    client::conn::http1::handshake,
    header::{HOST, HeaderValue, USER_AGENT},
};
use opentelemetry_http::{HttpClient, HttpError, Request, Response};
use std::{
    sync::atomic::{AtomicBool, Ordering},
    time::Duration,
};
use tokio::{runtime::Handle, task::JoinSet, time::timeout};
use tracing::{info, warn};

/// Bytes of a response, which says whether everything was taken.
const LARGEST_RESPONSE: usize = 64 * 1024;

/// A client for one signal.
#[derive(Debug)]
pub struct Client {
    /// What is sent, for the log.
    what: &'static str,
    connector: Connector,
    limit: Duration,
    /// Where requests run: the SDK's threads have no runtime.
    runtime: Handle,
    /// Whether the last export failed. The log says when that changes, not each time.
    is_failing: AtomicBool,
}

impl Client {
    /// A client for an address. Called within the runtime that requests run in.
    pub fn new(what: &'static str, uri: &Uri, limit: Duration) -> Result<Self, String> {
        let (connector, runtime) = (Connector::new(uri)?, Handle::current());
        Ok(Self { what, connector, limit, runtime, is_failing: AtomicBool::new(false) })
    }

    fn note(&self, sent: &Result<Response<Bytes>, HttpError>) {
        let why = match sent {
            Ok(response) if response.status().is_success() => None,
            Ok(response) => Some(format!("the collector answered {}", response.status().as_u16())),
            Err(error) => Some(error.to_string()),
        };
        let was_failing = self.is_failing.swap(why.is_some(), Ordering::Relaxed);
        match why {
            Some(why) if !was_failing => {
                warn!(error = why, "{} cannot be exported; some are lost until they can", self.what)
            }
            None if was_failing => info!("{} are exported again", self.what),
            Some(_) | None => {}
        }
    }
}

#[async_trait]
impl HttpClient for Client {
    async fn send_bytes(&self, request: Request<Bytes>) -> Result<Response<Bytes>, HttpError> {
        let (connector, limit) = (self.connector.clone(), self.limit);
        let sending = async move {
            let late = || format!("the collector did not answer within {} ms", limit.as_millis());
            timeout(limit, send(&connector, request)).await.unwrap_or_else(|_| Err(late().into()))
        };
        let sent = self.runtime.spawn(sending).await.unwrap_or_else(|_| Err("the process ends".into()));
        self.note(&sent);
        sent
    }
}

async fn send(connector: &Connector, request: Request<Bytes>) -> Result<Response<Bytes>, HttpError> {
    let (mut head, body) = request.into_parts();
    let stream = connector.connect(&head.uri).await.map_err(|broken| match broken {
        Broken::Unreachable => "the collector cannot be reached",
        Broken::Untrusted => "the certificate of the collector is not trusted",
    })?;
    let (mut sender, connection) = handshake::<_, Full<Bytes>>(stream).await?;
    // It ends with this function.
    let mut driver = JoinSet::new();
    driver.spawn(async move { drop(connection.await) });
    if let Some(server) = head.uri.authority() {
        head.headers.insert(HOST, HeaderValue::from_str(server.as_str())?);
    }
    let agent = HeaderValue::from_static(concat!("ask-user-ask-user-host/", env!("CARGO_PKG_VERSION")));
    head.headers.insert(USER_AGENT, agent);
    head.uri = head.uri.path_and_query().map_or("/", |path| path.as_str()).parse()?;
    let response = sender.send_request(Request::from_parts(head, Full::from(body))).await;
    let (head, body) = response.map_err(|_| "the connection to the collector broke")?.into_parts();
    let body = Limited::new(body, LARGEST_RESPONSE).collect().await;
    let body = body.map_err(|_| "the response of the collector is too large, or broke")?.to_bytes();
    Ok(Response::from_parts(head, body))
}
