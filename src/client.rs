//! The client: the public face.

mod builder;
mod customer;
mod flight;
mod people;
mod reads;

use std::fmt;
use std::sync::Arc;

use tracing::Instrument;

pub use self::builder::ClientBuilder;
use self::flight::{Flight, Flights, Joined};
pub use self::reads::Operation;
use crate::engine::{Engine, Errand, Heard, Wanted, guarded};
use crate::error::Error;
use crate::intent::{Authorize, Capture, Charge, Fields, Intent, Kind, Problem, Refund, Void};
use crate::ledger::{Claim, Guarded, Ledger};
use crate::money::Money;
use crate::outcome::Outcome;
use crate::provider::AccountId;

/// Carries out payment intents, each at most once.
///
/// A client is cheap to clone and shared by every task of a backend. Each operation runs in a
/// task of its own on the Tokio runtime that calls it: dropping the caller's future, an outer
/// timeout or a closed connection never abandons a send.
///
/// ```no_run
/// use payonce::{Client, Currency, Intent, Money, Outcome, Source, SqliteLedger};
/// use payonce_stripe::Stripe;
///
/// # async fn pay() -> Result<(), payonce::Error> {
/// let client = Client::builder(SqliteLedger::open("payments.db")?)
///     .provider(Stripe::new("main", "sk_test_..."))
///     .build()?;
///
/// let intent = Intent::charge("order-1042", Money::parse("480.00", Currency::SAR)?)
///     .source(Source::token("pm_card_visa"));
///
/// if let Outcome::Succeeded(receipt) = client.charge(intent).await? {
///     println!("paid: {}", receipt.provider_id);
/// }
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Client {
    inner: Arc<Inner>,
    /// Whose operations it sees. Empty: those of a ledger that serves one merchant.
    tenant: Arc<str>,
}

#[derive(Debug)]
struct Inner {
    engine: Engine,
    flights: Flights,
}

impl Client {
    /// Starts to build a client over a ledger.
    pub fn builder(ledger: impl Ledger) -> ClientBuilder {
        ClientBuilder::new(Arc::new(ledger))
    }

    /// The accounts of this client, for [`Intent::via`].
    pub fn accounts(&self) -> Vec<AccountId> {
        let providers = self.inner.engine.providers.iter();
        providers.map(|provider| provider.account().id()).collect()
    }

    /// Takes the money now, at most once for the intent's reference.
    ///
    /// Calling again with the same intent continues the same operation: with the same key and the
    /// same bytes where a repeat is safe, and by looking up where it is not. Callers of one
    /// intent join, in one process and across processes.
    ///
    /// # Errors
    ///
    /// An [`Error`] means that this call had no effect. Everything else is an [`Outcome`]: of
    /// [`Outcome::Unknown`], [`Outcome::Pending`] and [`Outcome::ActionRequired`] money may have
    /// moved, or may still move.
    ///
    /// # Panics
    ///
    /// Outside of a Tokio runtime with time and I/O switched on. This call had no effect then.
    pub async fn charge(&self, intent: Intent<Charge>) -> Result<Outcome, Error> {
        self.carry_out(intent).await
    }

    /// Reserves the money, at most once for the intent's reference. Capture or void it later.
    ///
    /// # Errors
    ///
    /// As [`Self::charge`].
    ///
    /// # Panics
    ///
    /// As [`Self::charge`].
    pub async fn authorize(&self, intent: Intent<Authorize>) -> Result<Outcome, Error> {
        self.carry_out(intent).await
    }

    /// Takes money that was reserved, at most once for the intent's reference.
    ///
    /// ```
    /// # async fn ship(client: payonce::Client, authorized: payonce::Receipt)
    /// #     -> Result<(), payonce::Error> {
    /// use payonce::Intent;
    ///
    /// let intent = Intent::capture("capture-1042", authorized.payment(), authorized.money);
    /// let outcome = client.capture(intent).await?;
    /// # drop(outcome);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// As [`Self::charge`]. Besides, [`Error::ExceedsParent`] and [`Error::ParentBusy`] if less is
    /// left of the payment, counting everything that may still take effect.
    ///
    /// # Panics
    ///
    /// As [`Self::charge`].
    pub async fn capture(&self, intent: Intent<Capture>) -> Result<Outcome, Error> {
        self.carry_out(intent).await
    }

    /// Gives money back, at most once for the intent's reference.
    ///
    /// # Errors
    ///
    /// As [`Self::capture`].
    ///
    /// # Panics
    ///
    /// As [`Self::charge`].
    pub async fn refund(&self, intent: Intent<Refund>) -> Result<Outcome, Error> {
        self.carry_out(intent).await
    }

    /// Releases what was reserved, or undoes a payment that is not settled yet, where the gateway
    /// can: at most once for the intent's reference.
    ///
    /// # Errors
    ///
    /// As [`Self::capture`].
    ///
    /// # Panics
    ///
    /// As [`Self::charge`].
    pub async fn void(&self, intent: Intent<Void>) -> Result<Outcome, Error> {
        self.carry_out(intent).await
    }

    async fn carry_out<K: Kind>(&self, intent: Intent<K>) -> Result<Outcome, Error> {
        intent.check()?;
        let engine = &self.inner.engine;
        let deadline = intent.fields.deadline.unwrap_or(engine.policy.deadline);
        let wanted = Wanted {
            tenant: self.tenant.to_string(),
            kind: K::KIND,
            money: self.amount(&intent.fields).await?,
            fields: intent.fields,
            deadline,
        };
        let claim = engine.claim_for(&wanted)?;
        self.drive(Errand::Intent(Box::new(wanted)), claim).await
    }

    /// How much an intent is about: what it says, or what its payment is about.
    async fn amount(&self, fields: &Fields) -> Result<Money, Error> {
        match (fields.money, &fields.parent) {
            (Some(money), _) => Ok(money),
            (None, Some(payment)) => {
                let ledger = &self.inner.engine.ledger;
                let stored = ledger.desk().payment(payment.clone()).await?;
                stored
                    .map(|stored| stored.money)
                    .ok_or_else(|| guarded(Guarded::NoPayment))
            }
            (None, None) => Err(Error::invalid("amount", Problem::Empty)),
        }
    }

    /// Drives an operation, or waits for the task that does.
    pub(super) async fn drive(&self, mut errand: Errand, claim: Claim) -> Result<Outcome, Error> {
        let inner = &self.inner;
        let clock = inner.engine.clock.as_ref();
        let deadline = errand.deadline();
        let end = clock.uptime().saturating_add(deadline);
        loop {
            // What is left of this call's time, after it waited for another.
            let left = end.saturating_sub(clock.uptime()).min(deadline);
            errand.set_deadline(left);
            match inner.flights.join(
                &claim.identity,
                errand.strength(),
                inner.engine.policy.in_flight,
            )? {
                Joined::Leader(flight) => {
                    let waiter = flight.waiter();
                    self.start(flight, errand, claim);
                    return waiter.result(clock, end).await;
                }
                Joined::Follower(waiter) => {
                    if let Some(answer) = waiter.followed(clock, end, &claim).await {
                        return answer;
                    }
                }
            }
        }
    }

    /// Starts the task that drives an operation. It goes on whatever becomes of its callers.
    fn start(&self, flight: Flight, errand: Errand, mut claim: Claim) {
        let inner = Arc::clone(&self.inner);
        let span = tracing::info_span!(
            "payonce.operation",
            kind = %claim.kind,
            attempt = claim.identity.attempt,
            operation = tracing::field::Empty,
            account = tracing::field::Empty,
        );
        let own = span.clone();
        claim.lease = errand
            .deadline()
            .saturating_add(inner.engine.policy.lease_margin);
        let task = async move {
            let heard = |heard: Heard<'_>| {
                if let Heard::Wanted(record) | Heard::Stored(record) = heard {
                    own.record("operation", tracing::field::display(record.id));
                    own.record("account", record.account.as_str());
                }
                flight.hear(heard);
            };
            let result = inner.engine.run(&errand, claim, &heard).await;
            flight.done(result);
            inner.engine.write_later().await;
        };
        drop(tokio::spawn(task.instrument(span)));
    }
}

impl fmt::Debug for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Client")
            .field("ledger", &self.inner.engine.ledger)
            .field("providers", &self.inner.engine.providers)
            .finish_non_exhaustive()
    }
}

#[cfg(feature = "sqlite")]
#[cfg(test)]
mod tests;
