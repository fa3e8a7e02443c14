//! Connections to other servers: plain ones, and those with TLS, which trust the certificates of this machine. Knows no request.

use hyper::Uri;
use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder, MaybeHttpsStream};
use hyper_util::{client::legacy::connect::HttpConnector, rt::TokioIo};
use std::{error::Error, io};
use tokio::net::TcpStream;
use tower_service::Service;

/// What makes connections.
#[derive(Clone, Debug)]
pub enum Connector {
    Plain(HttpConnector),
    Tls(HttpsConnector<HttpConnector>),
}

/// A connection.
pub type Stream = MaybeHttpsStream<TokioIo<TcpStream>>;

/// Why there is no connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Broken {
    /// Nobody is there.
    Unreachable,
    /// The server's certificate is not trusted.
    Untrusted,
}

/// What is wrong with an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wrong {
    /// It is not an HTTP address.
    Address,
    /// It has a name and a password.
    Password,
}

impl Connector {
    /// What makes connections to the server of an address.
    ///
    /// # Errors
    /// If this machine has no certificates to trust, and the address needs some.
    pub fn new(uri: &Uri) -> Result<Self, String> {
        if uri.scheme_str() != Some("https") {
            return Ok(Self::Plain(HttpConnector::new()));
        }
        let builder = HttpsConnectorBuilder::new().with_native_roots();
        let builder = builder.map_err(|_| {
            "this machine has no certificates to trust: install them (ca-certificates), or name a file with SSL_CERT_FILE"
        })?;
        Ok(Self::Tls(builder.https_only().enable_http1().build()))
    }

    /// Connects.
    pub async fn connect(&self, uri: &Uri) -> Result<Stream, Broken> {
        // A connector is called by one at a time; a copy of it costs little.
        match self.clone() {
            Self::Plain(mut connector) => {
                let stream = connector.call(uri.clone()).await;
                stream.map(MaybeHttpsStream::Http).map_err(|_| Broken::Unreachable)
            }
            Self::Tls(mut connector) => {
                let stream = connector.call(uri.clone()).await;
                stream.map_err(|error| if is_untrusted(&*error) { Broken::Untrusted } else { Broken::Unreachable })
            }
        }
    }
}

/// Reads an address of a server: `http` or `https`, without a password.
pub fn address(text: &str) -> Result<Uri, Wrong> {
    let uri: Uri = text.parse().map_err(|_| Wrong::Address)?;
    if !matches!(uri.scheme_str(), Some("http" | "https")) || uri.host().is_none_or(str::is_empty) {
        return Err(Wrong::Address);
    }
    if uri.authority().is_some_and(|authority| authority.as_str().contains('@')) {
        return Err(Wrong::Password);
    }
    Ok(uri)
}

/// Whether a connection failed because the server's certificate is not trusted.
fn is_untrusted(error: &(dyn Error + 'static)) -> bool {
    if let Some(error) = error.downcast_ref::<rustls::Error>() {
        return matches!(error, rustls::Error::InvalidCertificate(_));
    }
    let inner = error.downcast_ref::<io::Error>().and_then(io::Error::get_ref);
    inner.is_some_and(|inner| is_untrusted(inner))
}
