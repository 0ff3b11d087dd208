//! The HTTP transport. The only file that knows the HTTP client.

use std::error::Error as StdError;
use std::io;
use std::sync::Arc;
use std::time::Duration;

use reqwest::redirect::Policy;
use reqwest::{Client, ClientBuilder};
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject;
use rustls::{ClientConfig, RootCertStore};

use super::{Transport, TransportError};
use crate::clock::BoxFuture;
use crate::error::Error;
use crate::provider::{Request, Response};

/// A pooled connection that idled this long is not used again. Common servers close theirs after
/// 5 seconds or more, and a request on a connection that is just being closed is in doubt.
const IDLE_MAX: Duration = Duration::from_secs(4);

/// HTTP/1.1 over TLS (rustls).
///
/// It hides nothing: no retries of its own, no redirects, no proxy unless asked for, and a limit
/// on the decompressed body. Certificates are always checked; a private authority is added with
/// [`ReqwestTransportBuilder::root_certificate_pem`].
#[derive(Debug)]
pub struct ReqwestTransport {
    client: Client,
    body_max: usize,
}

impl ReqwestTransport {
    /// A transport with the defaults.
    ///
    /// # Errors
    ///
    /// [`Error::Config`] if the HTTP client cannot be set up.
    pub fn new() -> Result<Self, Error> {
        Self::builder().build()
    }

    /// A transport with settings of its own.
    pub fn builder() -> ReqwestTransportBuilder {
        ReqwestTransportBuilder {
            connect_timeout: Duration::from_secs(10),
            body_max: 1024 * 1024,
            environment_proxy: false,
            roots: Vec::new(),
        }
    }

    async fn exchange(
        &self,
        url: String,
        request: Request,
        timeout: Duration,
    ) -> Result<Response, TransportError> {
        let sent = self
            .client
            .request(request.method, url)
            .headers(request.headers)
            .body(request.body)
            .timeout(timeout)
            .send()
            .await;
        let mut reply = sent.map_err(|error| classify(&error, None))?;
        let status = reply.status();
        let maybe = |problem: &str| TransportError::MaybeSent {
            problem: problem.to_owned(),
            status: Some(status.as_u16()),
        };
        let headers = std::mem::take(reply.headers_mut());
        let mut body: Vec<u8> = Vec::new();
        loop {
            match reply.chunk().await {
                Ok(Some(chunk)) if body.len().saturating_add(chunk.len()) > self.body_max => {
                    return Err(maybe("the reply is too large"));
                }
                Ok(Some(chunk)) => body.extend_from_slice(&chunk),
                Ok(None) => return Ok(Response::new(status, headers, body)),
                Err(error) => return Err(classify(&error, Some(status.as_u16()))),
            }
        }
    }
}

impl Transport for ReqwestTransport {
    fn send(
        &self,
        base_url: &str,
        request: Request,
        timeout: Duration,
    ) -> BoxFuture<'_, Result<Response, TransportError>> {
        let url = format!("{base_url}{}", request.path);
        Box::pin(self.exchange(url, request, timeout))
    }
}

/// Settings of a [`ReqwestTransport`].
#[derive(Debug)]
pub struct ReqwestTransportBuilder {
    connect_timeout: Duration,
    body_max: usize,
    environment_proxy: bool,
    roots: Vec<Vec<u8>>,
}

impl ReqwestTransportBuilder {
    /// How long connecting may take, TLS included. By default 10 seconds. What ends here was
    /// provably not sent.
    #[must_use]
    pub const fn connect_timeout(mut self, timeout: Duration) -> Self {
        self.connect_timeout = timeout;
        self
    }

    /// The largest reply body, in bytes after decompression. By default 1 MiB. A larger one is
    /// unknown.
    #[must_use]
    pub const fn body_max(mut self, bytes: usize) -> Self {
        self.body_max = bytes;
        self
    }

    /// Uses the proxy that the environment names (`HTTPS_PROXY` ...). By default it is ignored.
    #[must_use]
    pub const fn environment_proxy(mut self, allow: bool) -> Self {
        self.environment_proxy = allow;
        self
    }

    /// Trusts a private certificate authority beside the public ones: one or more certificates
    /// in PEM form.
    #[must_use]
    pub fn root_certificate_pem(mut self, pem: impl Into<Vec<u8>>) -> Self {
        self.roots.push(pem.into());
        self
    }

    /// Builds the transport.
    ///
    /// # Errors
    ///
    /// [`Error::Config`] if a certificate cannot be read or the HTTP client cannot be set up.
    pub fn build(self) -> Result<ReqwestTransport, Error> {
        let mut builder = ClientBuilder::new()
            .tls_backend_preconfigured(tls(&self.roots)?)
            .http1_only()
            .retry(reqwest::retry::never())
            .redirect(Policy::none())
            .connect_timeout(self.connect_timeout)
            .pool_idle_timeout(IDLE_MAX)
            .user_agent(concat!("payonce/", env!("CARGO_PKG_VERSION")));
        if !self.environment_proxy {
            builder = builder.no_proxy();
        }
        let client = builder.build().map_err(|error| config(&error))?;
        Ok(ReqwestTransport {
            client,
            body_max: self.body_max,
        })
    }
}

/// The public authorities and the merchant's own. There is no way to accept any other.
fn tls(extra: &[Vec<u8>]) -> Result<ClientConfig, Error> {
    let mut roots = RootCertStore {
        roots: webpki_roots::TLS_SERVER_ROOTS.to_vec(),
    };
    for pem in extra {
        let mut found = false;
        for certificate in CertificateDer::pem_slice_iter(pem) {
            let certificate = certificate.map_err(|error| config(&error))?;
            roots.add(certificate).map_err(|error| config(&error))?;
            found = true;
        }
        if !found {
            return Err(Error::Config(
                "the root certificate is not in PEM form".to_owned(),
            ));
        }
    }
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(|error| config(&error))?
        .with_root_certificates(roots)
        .with_no_client_auth();
    Ok(config)
}

fn config(error: &dyn StdError) -> Error {
    Error::Config(format!("the HTTP transport cannot be set up ({error})"))
}

/// Whether a request left. Only what the client itself reports as a failure to build the request
/// or to connect (name, socket, TLS) is "not sent"; everything else may have been.
fn classify(error: &reqwest::Error, status: Option<u16>) -> TransportError {
    let problem = describe(error);
    if error.is_builder() {
        return TransportError::NotSent {
            problem,
            retry: false,
        };
    }
    if status.is_none() && error.is_connect() {
        return TransportError::NotSent {
            problem,
            retry: !is_untrusted(error),
        };
    }
    TransportError::MaybeSent { problem, status }
}

/// What happened, in a few words. The client's own texts hold the URL and are not used.
fn describe(error: &reqwest::Error) -> String {
    let mut innermost: &dyn StdError = error;
    while let Some(source) = cause(innermost) {
        innermost = source;
    }
    let connecting = error.is_connect();
    if error.is_timeout() {
        let what = if connecting {
            "connecting timed out"
        } else {
            "the time ran out"
        };
        return what.to_owned();
    }
    let detail = if std::ptr::eq(innermost, error as &dyn StdError) {
        "the HTTP client failed".to_owned()
    } else {
        crate::provider::excerpt(&innermost.to_string(), 120)
    };
    if connecting {
        format!("connecting failed: {detail}")
    } else {
        detail
    }
}

/// Whether the server's certificate is not trusted: a matter of configuration, not of time.
fn is_untrusted(error: &reqwest::Error) -> bool {
    let mut current: Option<&dyn StdError> = Some(error);
    while let Some(error) = current {
        if let Some(rustls::Error::InvalidCertificate(_)) = error.downcast_ref() {
            return true;
        }
        current = cause(error);
    }
    false
}

/// The next error inside. An I/O error does not show the one that it wraps as its source.
fn cause<'a>(error: &'a (dyn StdError + 'static)) -> Option<&'a (dyn StdError + 'static)> {
    if let Some(io) = error.downcast_ref::<io::Error>()
        && let Some(inner) = io.get_ref()
    {
        return Some(inner);
    }
    error.source()
}

#[cfg(test)]
mod tests;
