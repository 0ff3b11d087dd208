//! Asking a gateway what became of an operation.

use super::{Call, Request, Response, Verdict};
use crate::clock::Timestamp;
use crate::outcome::Doubt;

/// An adapter that can ask its gateway what became of an operation.
///
/// A look-up may take several requests (pages, a second endpoint). The adapter is still pure: it
/// gets every reply so far and says what comes next. It never moves money.
pub trait LookUp: std::fmt::Debug + Send + Sync {
    /// The next request of a look-up, or what it found.
    ///
    /// `replies` holds the answers to the requests of this look-up so far, in their order; it is
    /// empty at first. The engine ends a look-up that takes too many requests as unclear.
    fn next(&self, call: &Call<'_>, query: &Query<'_>, replies: &[Response]) -> LookUpStep;
}

/// An adapter that must read a payment before it captures, refunds or voids it, because the
/// operation leaves no trace of its own at the gateway. A look-up then compares what the payment
/// shows with what it showed before.
pub trait Baseline: std::fmt::Debug + Send + Sync {
    /// The request that reads the payment. It must be one that cannot move money.
    fn request(&self, call: &Call<'_>) -> Request;

    /// What the reply says of the payment, in words of the adapter's own: a look-up gets it back as
    /// [`Query::baseline`].
    ///
    /// # Errors
    ///
    /// Why it says nothing. Nothing is sent then. [`Doubt::Mismatch`]: it shows another payment, or
    /// another currency than the operation is about; that is told to the caller and not tried again.
    fn read(&self, call: &Call<'_>, reply: &Response) -> Result<String, Doubt>;
}

/// What is known when a look-up starts.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct Query<'a> {
    /// The gateway's id of the object, if a reply named it.
    pub provider_id: Option<&'a str>,
    /// The earliest moment at which a send of this operation may have left, by our clock.
    pub first_sent: Timestamp,
    /// The latest one. A request can travel long after it.
    pub last_sent: Timestamp,
    /// What [`Baseline::read`] said of the payment before the first send.
    pub baseline: Option<&'a str>,
}

impl<'a> Query<'a> {
    /// A query from its parts.
    pub const fn new(
        provider_id: Option<&'a str>,
        first_sent: Timestamp,
        last_sent: Timestamp,
    ) -> Self {
        Self {
            provider_id,
            first_sent,
            last_sent,
            baseline: None,
        }
    }

    /// The same query with the baseline.
    #[must_use]
    pub const fn with_baseline(mut self, baseline: Option<&'a str>) -> Self {
        self.baseline = baseline;
        self
    }
}

/// What comes next in a look-up.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(
    clippy::exhaustive_enums,
    reason = "the engine must decide about every one"
)]
pub enum LookUpStep {
    /// Ask this. It must be a request that cannot move money.
    Ask(Request),
    /// The look-up is over.
    Done(Finding),
}

/// What a look-up found.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(
    clippy::exhaustive_enums,
    reason = "the engine must decide about every one"
)]
pub enum Finding {
    /// Every object at the gateway that carries our key.
    Found(Vec<Match>),
    /// The gateway shows nothing with our key. It proves nothing by itself.
    Absent,
    /// The look-up did not come to an answer.
    Unclear(Doubt),
}

/// One object at the gateway.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Match {
    /// The gateway's id of it.
    pub provider_id: String,
    /// What it says, as a verdict: [`kept`](Verdict::kept) and [`replayed`](Verdict::replayed)
    /// have no meaning here.
    pub verdict: Verdict,
}

impl Match {
    /// A match from its parts.
    pub fn new(provider_id: impl Into<String>, verdict: Verdict) -> Self {
        Self {
            provider_id: provider_id.into(),
            verdict,
        }
    }
}
