//! Building a client. What is wrong with the set-up is refused here, before anything is stored.

use std::collections::HashSet;
use std::fmt;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::SystemTime;

use http::header::{HeaderMap, HeaderName, HeaderValue};

use super::{Client, Inner};
use crate::clock::{Clock, SystemClock};
use crate::engine::{
    Engine, Fresh, Jitter, KeySource, OsJitter, Policy, RetryBudget, SystemFresh, Unwritten,
};
use crate::error::Error;
use crate::intent::SHORTEST_DEADLINE;
use crate::ledger::Ledger;
use crate::operation::OperationKind;
use crate::provider::{Placement, Provider, Request};
use crate::transport::Transport;

/// Builds a [`Client`].
///
/// `Debug` shows no header value.
pub struct ClientBuilder {
    ledger: Arc<dyn Ledger>,
    providers: Vec<Arc<dyn Provider>>,
    transport: Option<Arc<dyn Transport>>,
    clock: Arc<dyn Clock>,
    jitter: Arc<dyn Jitter>,
    policy: Policy,
    key_source: KeySource,
    fresh: Arc<dyn Fresh>,
    extra_headers: Vec<(String, String)>,
}

impl fmt::Debug for ClientBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ClientBuilder")
            .field("ledger", &self.ledger)
            .field("providers", &self.providers)
            .field("policy", &self.policy)
            .finish_non_exhaustive()
    }
}

impl ClientBuilder {
    pub(super) fn new(ledger: Arc<dyn Ledger>) -> Self {
        Self {
            ledger,
            providers: Vec::new(),
            transport: None,
            clock: Arc::new(SystemClock::new()),
            jitter: Arc::new(OsJitter),
            policy: Policy::default(),
            key_source: KeySource::default(),
            fresh: Arc::new(SystemFresh),
            extra_headers: Vec::new(),
        }
    }

    /// Adds an account at a gateway.
    #[must_use]
    pub fn provider(mut self, provider: impl Provider) -> Self {
        self.providers.push(Arc::new(provider));
        self
    }

    /// Another transport than the default one.
    #[must_use]
    pub fn transport(mut self, transport: impl Transport) -> Self {
        self.transport = Some(Arc::new(transport));
        self
    }

    /// Another clock than the system's. Give the ledger the same one.
    #[must_use]
    pub fn clock(mut self, clock: impl Clock) -> Self {
        self.clock = Arc::new(clock);
        self
    }

    /// Another source of jitter than the operating system's.
    #[must_use]
    pub fn jitter(mut self, jitter: impl Jitter) -> Self {
        self.jitter = Arc::new(jitter);
        self
    }

    /// Other times and numbers than the default ones.
    #[must_use]
    pub fn policy(mut self, policy: Policy) -> Self {
        self.policy = policy;
        self
    }

    /// Where new keys come from.
    #[must_use]
    pub fn key_source(mut self, source: KeySource) -> Self {
        self.key_source = source;
        self
    }

    /// Another source of new ids and keys than the system's, so that a run can be repeated exactly.
    /// **It must never give the same twice.** Not covered by semantic versioning.
    #[doc(hidden)]
    #[must_use]
    pub fn fresh(mut self, fresh: impl Fresh) -> Self {
        self.fresh = Arc::new(fresh);
        self
    }

    /// Adds a header to every request: for a proxy or a gateway of the merchant's own. Headers
    /// that the library or a gateway needs are refused by [`Self::build`].
    #[must_use]
    pub fn extra_header(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.extra_headers.push((name.into(), value.into()));
        self
    }

    /// Builds the client. Nothing is stored or sent.
    ///
    /// # Errors
    ///
    /// [`Error::Config`], with what to do: no account, two accounts with one id, a secret that
    /// cannot be used, plain HTTP to another host, a reserved header, a policy that allows no send.
    pub fn build(self) -> Result<Client, Error> {
        let Some(transport) = self
            .transport
            .map_or_else(default_transport, |t| Ok(Some(t)))?
        else {
            return config("there is no transport: give one with .transport(..)");
        };
        if self.providers.is_empty() {
            return config("there is no account: add one with .provider(..)");
        }
        let mut ids = HashSet::new();
        for provider in &self.providers {
            check_account(provider.as_ref())?;
            let id = provider.account().id();
            if !ids.insert(id.clone()) {
                return config(format!(
                    "account {id} is there twice: give each its own label"
                ));
            }
        }
        check_policy(&self.policy)?;
        let extra_headers = extra_headers(&self.extra_headers, &self.providers)?;
        let budgets = self
            .providers
            .iter()
            .map(|provider| {
                (
                    provider.account().id(),
                    RetryBudget::new(self.policy.retry_budget),
                )
            })
            .collect();
        let engine = Engine {
            ledger: self.ledger,
            transport,
            clock: self.clock,
            jitter: self.jitter,
            policy: self.policy,
            key_source: self.key_source,
            fresh: self.fresh,
            providers: self.providers,
            extra_headers,
            budgets,
            unwritten: Unwritten::default(),
        };
        Ok(Client {
            inner: Arc::new(Inner {
                engine,
                flights: super::Flights::default(),
            }),
            tenant: Arc::from(""),
        })
    }
}

fn config<T>(text: impl Into<String>) -> Result<T, Error> {
    Err(Error::Config(text.into()))
}

#[cfg(feature = "reqwest")]
fn default_transport() -> Result<Option<Arc<dyn Transport>>, Error> {
    Ok(Some(Arc::new(crate::transport::ReqwestTransport::new()?)))
}

#[cfg(not(feature = "reqwest"))]
#[expect(
    clippy::unnecessary_wraps,
    reason = "with the other transport it can fail"
)]
fn default_transport() -> Result<Option<Arc<dyn Transport>>, Error> {
    Ok(None)
}

/// A policy under which a send can be made.
fn check_policy(policy: &Policy) -> Result<(), Error> {
    if policy.deadline < SHORTEST_DEADLINE {
        return config("the deadline is under 100 ms: give a longer one");
    }
    if policy.send_timeout < SHORTEST_DEADLINE {
        return config("the time for one send is under 100 ms: give a longer one");
    }
    if policy.sends == 0 {
        return config("the policy allows no send: give one at least");
    }
    if policy.in_flight == 0 {
        return config("the policy allows no operation in flight: give one at least");
    }
    Ok(())
}

/// A label, a secret that can be used, and a URL that does not carry it in the clear.
fn check_account(provider: &dyn Provider) -> Result<(), Error> {
    let account = provider.account();
    let name = account.provider();
    if provider.name() != name {
        return config(format!(
            "the adapter of {} gives an account of {name}: it is broken",
            provider.name()
        ));
    }
    if account.label().is_empty() || account.label().chars().any(char::is_control) {
        return config(format!(
            "an account of {name} has no usable label: give it a name"
        ));
    }
    let uri: http::Uri = match account.base_url().parse() {
        Ok(uri) => uri,
        Err(_) => return config(format!("the base URL of an account of {name} is no URL")),
    };
    let host = uri.host().unwrap_or_default();
    if uri
        .authority()
        .is_some_and(|authority| authority.as_str().contains('@'))
    {
        return config(format!(
            "the base URL of an account of {name} holds credentials: take them out"
        ));
    }
    match uri.scheme_str() {
        Some("https") if !host.is_empty() => {}
        Some("http") if is_loopback(host) => {}
        Some("http") => {
            let text = "uses plain HTTP to another host, which would show the secret: use https";
            return config(format!("account {} {text}", account.id()));
        }
        _ => {
            return config(format!(
                "the base URL of {} is not https://host",
                account.id()
            ));
        }
    }
    let mut probe = Request::new(http::Method::GET, "/");
    provider
        .authorize(&mut probe, SystemTime::UNIX_EPOCH)
        .map_err(|error| Error::Config(format!("account {}: {error}", account.id())))
}

fn is_loopback(host: &str) -> bool {
    let host = host.trim_start_matches('[').trim_end_matches(']');
    host == "localhost" || host.parse().is_ok_and(|ip: IpAddr| ip.is_loopback())
}

/// Headers that belong to the library or to HTTP, or that change what a request means.
const RESERVED: &[&str] = &[
    "accept",
    "accept-encoding",
    "authorization",
    "connection",
    "content-encoding",
    "content-length",
    "content-type",
    "cookie",
    "date",
    "expect",
    "host",
    "idempotency-key",
    "if-match",
    "if-none-match",
    "keep-alive",
    "prefer",
    "proxy-authorization",
    "range",
    "te",
    "trailer",
    "transfer-encoding",
    "upgrade",
    "x-http-method",
    "x-http-method-override",
    "x-method-override",
];

fn extra_headers(
    given: &[(String, String)],
    providers: &[Arc<dyn Provider>],
) -> Result<HeaderMap, Error> {
    let mut headers = HeaderMap::new();
    for (name, value) in given {
        let (Ok(name), Ok(mut value)) = (name.parse::<HeaderName>(), value.parse::<HeaderValue>())
        else {
            return config(format!("the extra header {name} is no header"));
        };
        let mut readers = providers.iter();
        if RESERVED.contains(&name.as_str()) || readers.any(|p| reads(p.as_ref(), name.as_str())) {
            return config(format!(
                "the extra header {name} is reserved: it would change what the gateway reads"
            ));
        }
        value.set_sensitive(true);
        if headers.insert(name.clone(), value).is_some() {
            return config(format!("the extra header {name} is given twice"));
        }
    }
    Ok(headers)
}

/// Whether a gateway reads a header: its key, or one that its adapter names.
fn reads(provider: &dyn Provider, name: &str) -> bool {
    let is_key = |kind: &OperationKind| {
        let placement = provider.rule(*kind).map(|rule| rule.placement.value);
        matches!(placement, Some(Placement::Header(key)) if key.eq_ignore_ascii_case(name))
    };
    provider.reads_header(name) || OperationKind::all().iter().any(is_key)
}

#[cfg(test)]
mod tests;
