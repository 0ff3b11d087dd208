//! Bytes out, bytes in. Whether a request left is decided here and nowhere else.
//!
//! This module imports nothing from the engine or the ledger.

#[cfg(feature = "reqwest")]
mod reqwest;

use std::fmt;
use std::time::Duration;

use thiserror::Error;

#[cfg(feature = "reqwest")]
pub use self::reqwest::{ReqwestTransport, ReqwestTransportBuilder};
use crate::clock::BoxFuture;
use crate::provider::{Request, Response};

/// Carries requests to gateways.
///
/// A transport sends each request at most once: it never retries, never follows a redirect, and
/// never reads a reply as another request's.
pub trait Transport: fmt::Debug + Send + Sync + 'static {
    /// Sends a request to `base_url` (without a slash at the end) and reads the whole reply.
    ///
    /// `timeout` covers everything, from connecting to the last byte of the reply.
    ///
    /// # Errors
    ///
    /// [`TransportError::NotSent`] only if the request provably did not leave. Everything else is
    /// [`TransportError::MaybeSent`]: money may have moved.
    fn send(
        &self,
        base_url: &str,
        request: Request,
        timeout: Duration,
    ) -> BoxFuture<'_, Result<Response, TransportError>>;
}

/// Why there is no whole reply. It holds no URL query, no header and no body.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[expect(clippy::exhaustive_enums, reason = "the engine must decide about both")]
pub enum TransportError {
    /// The request provably did not leave. This call had no effect.
    #[error("{problem}")]
    NotSent {
        /// What happened.
        problem: String,
        /// Whether it may work the next time. A certificate that is not trusted does not.
        retry: bool,
    },
    /// The request may have reached the gateway. Money may have moved.
    #[error("{problem}")]
    MaybeSent {
        /// What happened.
        problem: String,
        /// The reply's status, if that much of it came.
        status: Option<u16>,
    },
}
