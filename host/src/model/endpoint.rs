//! The address of a model's server: sends one request over a connection of its own, and gives the reply piece by piece, within time limits.
//! Follows no redirect. Dropping an [`Exchange`], or the future that makes one, closes the connection at once.

use super::failure::{Failure, Limit, Reason};
use crate::connection::{self, Broken, Connector, Stream, Wrong};
use http_body_util::{BodyExt, Full};
use hyper::{
    HeaderMap, Method, Request, Response, StatusCode, Uri,
    body::{Bytes, Incoming},
    client::conn::http1::handshake,
    header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, HOST, HeaderValue, USER_AGENT},
};
use serde_json::Value;
use std::{
    net::IpAddr,
    time::{Duration, SystemTime},
};
use tokio::{
    task::JoinSet,
    time::{Instant, timeout, timeout_at},
};

/// Where the chat completions of an API are.
const PATH: &str = "/chat/completions";
/// Bytes of the body of an error.
const LARGEST_ERROR: usize = 64 * 1024;
/// How long the body of an error may take: it is read for its code alone.
const ERROR_BODY: Duration = Duration::from_secs(2);

/// How long each part of a request may take.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Until there is a connection, with TLS.
    pub connect: Duration,
    /// From the request to the first byte of the body of the reply.
    pub first_byte: Duration,
    /// Between two pieces of the reply.
    pub chunk: Duration,
    /// For everything, with all attempts and the pauses between them.
    pub whole: Duration,
}

/// A model's server.
pub struct Endpoint {
    uri: Uri,
    /// The server's name, with its port if the address has one.
    server: String,
    /// The key, if one is sent.
    authorization: Option<HeaderValue>,
    connector: Connector,
    pub limits: Limits,
}

/// A reply that is arriving.
pub struct Exchange {
    pub is_stream: bool,
    body: Incoming,
    first_byte: Instant,
    has_begun: bool,
    limits: Limits,
    /// Drives the connection, until it is dropped.
    _connection: JoinSet<()>,
}

impl Endpoint {
    /// An endpoint at the base address of an API, such as `http://127.0.0.1:11434/v1`.
    ///
    /// # Errors
    /// What is wrong with the address or the key, in words that repeat neither.
    pub fn new(address: &str, key: Option<&str>, limits: Limits) -> Result<Self, String> {
        let uri = address_of(address)?;
        let server = uri.authority().map(ToString::to_string).unwrap_or_default();
        let authorization = match key {
            Some(key) => {
                let value = HeaderValue::from_str(&format!("Bearer {key}"));
                let mut value = value.map_err(|_| "the key has characters that no key has, such as a line break")?;
                value.set_sensitive(true);
                Some(value)
            }
            None => None,
        };
        let connector = Connector::new(&uri)?;
        Ok(Self { uri, server, authorization, connector, limits })
    }

    /// The server's name, with its port if the address has one.
    pub fn server(&self) -> &str {
        &self.server
    }

    /// Whether nobody on the way can read what is sent.
    pub fn is_private(address: &str) -> bool {
        let Ok(uri) = address.parse::<Uri>() else { return false };
        let host = uri.host().unwrap_or_default().trim_matches(['[', ']']);
        let is_loopback = || host.parse::<IpAddr>().is_ok_and(|address| address.is_loopback());
        uri.scheme_str() == Some("https") || host.eq_ignore_ascii_case("localhost") || is_loopback()
    }

    /// Whether a key is sent.
    pub fn has_key(&self) -> bool {
        self.authorization.is_some()
    }

    /// Sends a request, and gives the reply as soon as its head is there.
    ///
    /// # Errors
    /// If the server cannot be reached, is too slow, or answers with anything but a reply.
    pub async fn send(&self, body: &Value) -> Result<Exchange, Failure> {
        let limit = self.limits.connect;
        let connecting = async {
            let stream = self.connect().await?;
            handshake(stream).await.map_err(|_| Failure::Unreachable)
        };
        let slow = Failure::TimedOut(Limit::Connect(limit));
        let (mut sender, connection) = timeout(limit, connecting).await.map_err(|_| slow)??;
        let mut driver = JoinSet::new();
        driver.spawn(async move { drop(connection.await) });

        let first_byte = Instant::now() + self.limits.first_byte;
        let slow = Failure::TimedOut(Limit::FirstByte(self.limits.first_byte));
        let sent = timeout_at(first_byte, sender.send_request(self.request(body)?)).await;
        let response = sent.map_err(|_| slow)?.map_err(|_| Failure::Interrupted)?;
        let status = response.status();
        if status.is_redirection() {
            return Err(Failure::Redirected);
        }
        if status != StatusCode::OK {
            return Err(refused(response).await);
        }
        let kind = response.headers().get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
        let kind = kind.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
        let is_stream = match kind.as_str() {
            "text/event-stream" => true,
            "application/json" => false,
            _ => return Err(Failure::NoModel),
        };
        let (limits, body) = (self.limits.clone(), response.into_body());
        Ok(Exchange { is_stream, body, first_byte, has_begun: false, limits, _connection: driver })
    }

    async fn connect(&self) -> Result<Stream, Failure> {
        self.connector.connect(&self.uri).await.map_err(|broken| match broken {
            Broken::Unreachable => Failure::Unreachable,
            Broken::Untrusted => Failure::Untrusted,
        })
    }

    fn request(&self, body: &Value) -> Result<Request<Full<Bytes>>, Failure> {
        let mut request = Request::builder()
            .method(Method::POST)
            .uri(self.uri.path_and_query().map_or("/", |path| path.as_str()))
            .header(HOST, &self.server)
            .header(USER_AGENT, concat!("ask-user-ask-user-host/", env!("CARGO_PKG_VERSION")))
            .header(CONTENT_TYPE, "application/json")
            .header(ACCEPT, "text/event-stream, application/json");
        if let Some(authorization) = &self.authorization {
            request = request.header(AUTHORIZATION, authorization);
        }
        // The address was read when the host started: nothing of this can fail.
        request.body(Full::from(body.to_string())).map_err(|_| Failure::Unreachable)
    }
}

impl Exchange {
    /// The next piece of the reply; `None` at its end. Waits for `limit`; before the first piece, as long as the limits say.
    ///
    /// # Errors
    /// If the piece takes too long, or the connection ends before the reply does.
    pub async fn next(&mut self, limit: Duration) -> Result<Option<Bytes>, Failure> {
        let (until, slow) = if self.has_begun {
            (Instant::now() + limit, Limit::Chunk(limit))
        } else {
            (self.first_byte, Limit::FirstByte(self.limits.first_byte))
        };
        loop {
            let frame = timeout_at(until, self.body.frame()).await.map_err(|_| Failure::TimedOut(slow))?;
            let Some(frame) = frame else { return Ok(None) };
            // What is no data is at the end, and says nothing here.
            if let Ok(bytes) = frame.map_err(|_| Failure::Interrupted)?.into_data()
                && !bytes.is_empty()
            {
                self.has_begun = true;
                return Ok(Some(bytes));
            }
        }
    }
}

/// Why the server refused: its status, the code in its body, and how long it asks to wait.
async fn refused(response: Response<Incoming>) -> Failure {
    let (head, mut body) = response.into_parts();
    let mut text = Vec::new();
    let reading = async {
        while let Some(Ok(frame)) = body.frame().await {
            text.extend(frame.into_data().unwrap_or_default());
            if text.len() > LARGEST_ERROR {
                return;
            }
        }
    };
    // Without the body, the status has to do.
    drop(timeout(ERROR_BODY, reading).await);
    let json: Value = serde_json::from_slice(&text).unwrap_or_default();
    // Google's server puts the object into a list.
    let json = json.get(0).unwrap_or(&json);
    let reason = json.get("error").map_or(Reason::Other, Reason::of);
    Failure::Refused { status: head.status.as_u16(), reason, wait: wait(&head.headers, SystemTime::now()) }
}

/// How long a server asks to wait: in milliseconds, in seconds, or until a date.
fn wait(headers: &HeaderMap, now: SystemTime) -> Option<Duration> {
    let text = |name: &str| headers.get(name)?.to_str().ok().map(str::trim);
    let number = |text: &str, unit: f64| Duration::try_from_secs_f64(text.parse::<f64>().ok()? * unit).ok();
    let milliseconds = text("retry-after-ms").and_then(|text| number(text, 0.001));
    milliseconds.or_else(|| {
        let text = text("retry-after")?;
        let date = || Some(httpdate::parse_http_date(text).ok()?.duration_since(now).unwrap_or_default());
        number(text, 1.0).or_else(date)
    })
}

/// The address of the chat completions of an API.
fn address_of(address: &str) -> Result<Uri, String> {
    let wrong = "give the base address of an API, such as http://127.0.0.1:11434/v1";
    let uri = connection::address(address).map_err(|fault| match fault {
        Wrong::Address => wrong,
        Wrong::Password => "a name and password in the address can be read by everybody on this machine: put the key into an environment variable",
    })?;
    let authority = uri.authority().map(ToString::to_string).unwrap_or_default();
    let path = uri.path().trim_end_matches('/');
    let path = path.strip_suffix(PATH).unwrap_or(path);
    let query = uri.query().map(|query| format!("?{query}")).unwrap_or_default();
    let scheme = uri.scheme_str().unwrap_or_default();
    format!("{scheme}://{authority}{path}{PATH}{query}").parse().map_err(|_| wrong.into())
}

#[cfg(test)]
mod tests {
    use super::{Endpoint, Limits, address_of, wait};
    use hyper::{HeaderMap, header::HeaderName};
    use std::time::{Duration, SystemTime};

    #[test]
    fn the_address_of_the_api_becomes_that_of_its_chat_completions() {
        for (given, address) in [
            ("http://127.0.0.1:11434/v1", "http://127.0.0.1:11434/v1/chat/completions"),
            ("http://127.0.0.1:11434/v1/", "http://127.0.0.1:11434/v1/chat/completions"),
            ("https://example.com", "https://example.com/chat/completions"),
            ("https://example.com/v1/chat/completions", "https://example.com/v1/chat/completions"),
            ("https://example.com/x?api-version=1", "https://example.com/x/chat/completions?api-version=1"),
            ("http://[::1]:8080/v1", "http://[::1]:8080/v1/chat/completions"),
        ] {
            assert_eq!(address_of(given).map(|uri| uri.to_string()).as_deref(), Ok(address), "{given}");
        }
        for given in [
            "",
            "localhost",
            "127.0.0.1:11434/v1",
            "/v1",
            "ftp://example.com",
            "http://",
            "http:///v1",
            "file:///v1",
            "http://exa mple",
        ] {
            let error = address_of(given).expect_err(given);
            assert!(error.contains("http://127.0.0.1:11434/v1"), "{given}: {error}");
        }
    }

    #[test]
    fn a_key_is_private_on_this_machine_and_with_tls() {
        for (address, is_private) in [
            ("http://127.0.0.1:11434/v1", true),
            ("http://127.8.9.1/v1", true),
            ("http://LOCALHOST:1/v1", true),
            ("http://[::1]:1/v1", true),
            ("https://example.com/v1", true),
            ("http://example.com/v1", false),
            ("http://192.168.0.7:8000/v1", false),
            ("http://localhost.example.com/v1", false),
            ("no address", false),
        ] {
            assert_eq!(Endpoint::is_private(address), is_private, "{address}");
        }
    }

    #[test]
    fn an_error_repeats_neither_the_address_nor_the_key() {
        let limits = || {
            let time = Duration::from_secs(1);
            Limits { connect: time, first_byte: time, chunk: time, whole: time }
        };
        let endpoint = |address, key| Endpoint::new(address, key, limits()).map(drop);
        for (address, key) in [
            ("https://me:hunter2@example.com/v1", None),
            ("http://example.com/v1", Some("hunter2\n")),
            ("http://hunter2 /", None),
        ] {
            let error = endpoint(address, key).expect_err("it is refused");
            assert!(!error.contains("hunter2"), "{error}");
        }
        assert_eq!(endpoint("http://example.com/v1", Some("hunter2")), Ok(()));
    }

    #[test]
    fn a_server_asks_to_wait_in_one_of_three_ways() {
        let now = SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000_000);
        let date = |seconds| httpdate::fmt_http_date(now + Duration::from_secs(seconds));
        for (name, value, expected) in [
            ("retry-after", "7", Some(7000)),
            ("retry-after", " 1.5 ", Some(1500)),
            ("retry-after", "0", Some(0)),
            ("retry-after", &date(90), Some(90_000)),
            ("retry-after", "Sun, 06 Nov 1994 08:49:37 GMT", Some(0)),
            ("retry-after-ms", "250", Some(250)),
            ("retry-after", "-1", None),
            ("retry-after", "NaN", None),
            ("retry-after", "1e300", None),
            ("retry-after", "soon", None),
            ("retry-after", "", None),
            ("x-other", "7", None),
        ] {
            let name: HeaderName = name.parse().expect("a name");
            let headers = HeaderMap::from_iter([(name, value.parse().expect("a value"))]);
            assert_eq!(wait(&headers, now), expected.map(Duration::from_millis), "{value:?}");
        }
        assert_eq!(wait(&HeaderMap::new(), now), None);
    }
}
