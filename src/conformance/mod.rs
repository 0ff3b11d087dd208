//! A kit that checks an adapter: whether it keeps the promises that the engine relies on.
//!
//! Make it a test of the adapter's crate, with `payonce` as a dev-dependency, default features off
//! and the feature `conformance` on. Give the kit the adapter, a few inputs that are valid at the
//! gateway, and the replies that the gateway documents:
//!
//! ```
//! use payonce::conformance::{Finds, Fixture, Kit, Means, Report, Sought};
//! use payonce::provider::{Call, IdempotencyKey, Provider, Response};
//! use payonce::{Currency, Money, OperationKind, Source};
//!
//! fn check(adapter: impl Provider, paid: Response) -> Result<Report, Box<dyn std::error::Error>> {
//!     let key = IdempotencyKey::new("0190b5a0-1c2d-7e3f-8a4b-5c6d7e8f9a0b");
//!     let operation = "01KB9M7V8E2N3P4Q5R6S7T8V9W".parse()?;
//!     let money = Money::parse("480.00", Currency::SAR)?;
//!     let call = Call::new(OperationKind::Charge, operation, "order-1042", &key, money);
//!     Ok(Kit::new(adapter, "sk_test_1")
//!         .source(Source::token("tok_1"))
//!         .return_url("https://shop.example/back")
//!         .fixture(
//!             Fixture::new("200_paid", &call, paid.clone(), Means::Succeeded)
//!                 .decided_by(&["/amount"]),
//!         )
//!         .sought(Sought::new("paid", &call, [paid], Finds::One(Means::Succeeded)))
//!         .check())
//! }
//! ```
//!
//! [`Report::assert_ok`] then fails the test with one broken promise a line, each with what to do.
//! A whole adapter with its check is `examples/conformance` in the repository.
//!
//! The kit is pure, as an adapter is: nothing is sent. It reads bodies that are JSON or a form. It
//! cannot know what a gateway really does: that the facts of a rule are true, and that the fixtures
//! are what the gateway sends, remains with the author.
//!
//! - [`Recorded`] reads the replies from files, beside a table with the verdict on each.
//! - [`Fixture::decided_by`] and [`Sought`] have every field changed, one by one: a damaged reply
//!   gives the same answer, or none. Each look-up that the adapter makes needs one that finds a
//!   success.
//! - [`lines`] writes verdicts and findings in one line, for the adapter's own tests too.
//!
//! **This module is not covered by semantic versioning.** A new version may check more, so that an
//! adapter that passed does not pass any more.

mod amounts;
mod answers;
mod bytes;
mod changed;
mod closes;
mod fields;
mod fixture;
mod fixtures;
mod hygiene;
mod json;
mod keys;
pub mod lines;
mod look_ups;
mod noise;
mod proceeds;
mod recorded;
mod report;
mod requests;
mod rules;
mod run;
mod sought;

use std::fmt;

pub use self::fixture::{Fixture, Means, Shown};
pub use self::recorded::{Recorded, RecordedError};
pub use self::report::{Broken, Promise, Report};
pub use self::sought::{Finds, Sought};
use crate::intent::{Customer, Source};
use crate::money::Currency;
use crate::operation::OperationKind;
use crate::provider::{ProceedInput, Provider};

/// The check of one adapter: what it is given, and then [`check`](Self::check).
///
/// `Debug` shows no secret.
#[must_use]
pub struct Kit {
    provider: Box<dyn Provider>,
    twin: Option<Box<dyn Provider>>,
    secrets: Vec<String>,
    sources: Vec<Source>,
    return_url: Option<String>,
    customer: Option<Customer>,
    currencies: Vec<Currency>,
    amount: i64,
    parents: Vec<(Option<OperationKind>, String)>,
    fixtures: Vec<Fixture>,
    sought: Vec<Sought>,
    reads_by_post: Vec<String>,
    odd_ids: Vec<String>,
    held: Vec<OperationKind>,
    captures_whole: bool,
    told_later: Vec<OperationKind>,
    inputs: Vec<ProceedInput>,
    rounds: u16,
}

impl Kit {
    /// A check of an adapter at its own address. `secret` is what it was made with: it must show
    /// nowhere.
    pub fn new(provider: impl Provider, secret: impl Into<String>) -> Self {
        Self {
            provider: Box::new(provider),
            twin: None,
            secrets: vec![secret.into()],
            sources: Vec::new(),
            return_url: None,
            customer: None,
            currencies: Vec::new(),
            amount: 48_000,
            parents: Vec::new(),
            fixtures: Vec::new(),
            sought: Vec::new(),
            reads_by_post: Vec::new(),
            odd_ids: Vec::new(),
            held: Vec::new(),
            captures_whole: false,
            told_later: Vec::new(),
            inputs: Vec::new(),
            rounds: 10,
        }
    }

    /// One more text that must show nowhere: a second secret, or a form of one (in base64, say).
    pub fn secret(mut self, secret: impl Into<String>) -> Self {
        self.secrets.push(secret.into());
        self
    }

    /// The same account, made again with other secrets of the same mode. It must be the same
    /// account and render the same bytes, or a secret is in them.
    pub fn twin(mut self, provider: impl Provider) -> Self {
        self.twin = Some(Box::new(provider));
        self
    }

    /// A source that the gateway takes. Give one of each kind; two tokens show whether they differ
    /// on the wire.
    pub fn source(mut self, source: Source) -> Self {
        self.sources.push(source);
        self
    }

    /// Where the customer comes back to, with every payment.
    pub fn return_url(mut self, url: impl Into<String>) -> Self {
        self.return_url = Some(url.into());
        self
    }

    /// Who pays or paid, with every operation, where the gateway wants to know it.
    pub fn customer(mut self, customer: Customer) -> Self {
        self.customer = Some(customer);
        self
    }

    /// The currencies to try. Without this, all that the rule takes.
    pub fn currencies(mut self, currencies: impl IntoIterator<Item = Currency>) -> Self {
        self.currencies.extend(currencies);
        self
    }

    /// An amount, in minor units of ISO 4217, that the gateway takes in every one of these
    /// currencies, and twice as much too. Without this, 48000.
    pub const fn amount(mut self, minor: i64) -> Self {
        self.amount = minor;
        self
    }

    /// The gateway's id of a payment that can be captured, refunded and voided.
    pub fn parent(mut self, id: impl Into<String>) -> Self {
        self.parents.push((None, id.into()));
        self
    }

    /// The same for operations of one kind, where the gateway tells what can be captured from what can
    /// be refunded: this kind then gets none of the others.
    pub fn parent_of(mut self, kind: OperationKind, id: impl Into<String>) -> Self {
        self.parents.push((Some(kind), id.into()));
        self
    }

    /// A reply of the gateway, and what it means.
    pub fn fixture(mut self, fixture: Fixture) -> Self {
        self.fixtures.push(fixture);
        self
    }

    /// Several of them.
    pub fn fixtures(mut self, fixtures: impl IntoIterator<Item = Fixture>) -> Self {
        self.fixtures.extend(fixtures);
        self
    }

    /// A look-up as it goes, and what it finds.
    ///
    /// ```
    /// use payonce::conformance::{Finds, Kit, Sought};
    /// use payonce::provider::{Call, Response};
    ///
    /// /// The gateway says that there is nothing, and the look-up reads it so.
    /// fn with_nothing(kit: Kit, call: &Call<'_>, missing: Response) -> Kit {
    ///     kit.sought(Sought::new("nothing", call, [missing], Finds::Absent))
    /// }
    /// ```
    pub fn sought(mut self, sought: Sought) -> Self {
        self.sought.push(sought);
        self
    }

    /// Several of them.
    pub fn all_sought(mut self, sought: impl IntoIterator<Item = Sought>) -> Self {
        self.sought.extend(sought);
        self
    }

    /// A path (without its query) that a look-up or a baseline may ask by another method than GET,
    /// because the gateway documents that it only reads.
    ///
    /// ```
    /// # fn with(kit: payonce::conformance::Kit) -> payonce::conformance::Kit {
    /// kit.reads_by_post("/payment/query")
    /// # }
    /// ```
    pub fn reads_by_post(mut self, path: impl Into<String>) -> Self {
        self.reads_by_post.push(path.into());
        self
    }

    /// An id that a payment or an object of a look-up may be said to have, whatever the gateway
    /// makes of it: nothing may panic for it, and no request lead elsewhere.
    ///
    /// ```
    /// # fn with(kit: payonce::conformance::Kit) -> payonce::conformance::Kit {
    /// kit.odd_id("pi_").odd_id("pi_1/../refunds")
    /// # }
    /// ```
    pub fn odd_id(mut self, id: impl Into<String>) -> Self {
        self.odd_ids.push(id.into());
        self
    }

    /// A kind whose look-ups never find a success, since the gateway shows nothing by which one could
    /// be told: neither a reference of the operation nor the time of a change. It stays unknown until
    /// a person decides.
    pub fn never_found(mut self, kind: OperationKind) -> Self {
        self.held.push(kind);
        self
    }

    /// The gateway captures the whole payment, and its request names no amount. Then the rule of
    /// captures must ask for a baseline, and a payment of another amount must be refused there.
    pub const fn captures_whole(mut self) -> Self {
        self.captures_whole = true;
        self
    }

    /// A kind of which no reply is a success, because only a notification tells what became of it: its
    /// replies are pending at best. Without this, every kind needs a fixture of a success.
    pub fn told_later(mut self, kind: OperationKind) -> Self {
        self.told_later.push(kind);
        self
    }

    /// What a customer brings back, where the gateway needs a further request then. Two show whether
    /// they differ on the wire.
    pub fn input(mut self, input: ProceedInput) -> Self {
        self.inputs.push(input);
        self
    }

    /// How often every status is tried with noise. Without this, 10. Fewer than that also make
    /// fewer spoiled look-ups.
    ///
    /// ```
    /// # fn with(kit: payonce::conformance::Kit) -> payonce::conformance::Kit {
    /// kit.rounds(100)
    /// # }
    /// ```
    pub const fn rounds(mut self, rounds: u16) -> Self {
        self.rounds = rounds;
        self
    }

    /// The ids of payments that an operation of a kind may be about.
    fn parents(&self, kind: OperationKind) -> Vec<&String> {
        let of = |wanted: Option<OperationKind>| {
            let all = self.parents.iter();
            all.filter_map(move |(of, id)| (*of == wanted).then_some(id))
        };
        let own: Vec<_> = of(Some(kind)).collect();
        if own.is_empty() {
            of(None).collect()
        } else {
            own
        }
    }

    /// Checks every promise, for every kind of operation that the adapter has a rule for.
    pub fn check(&self) -> Report {
        let run = match run::Run::new(self) {
            Ok(run) => run,
            Err(report) => return report,
        };
        hygiene::check(&run);
        let kinds = run.kinds();
        for subject in &kinds {
            rules::check(&run, subject);
            fixtures::check(&run, subject);
            changed::check(&run, subject);
            answers::check(&run, subject);
            noise::check(&run, subject);
            if requests::check(&run, subject) {
                keys::check(&run, subject);
                amounts::check(&run, subject);
            }
            look_ups::check(&run, subject, &kinds);
            closes::check(&run, subject);
            proceeds::check(&run, subject);
        }
        run.report()
    }
}

impl fmt::Debug for Kit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Kit")
            .field("fixtures", &self.fixtures.len())
            .finish_non_exhaustive()
    }
}

impl Kit {
    /// Whether an operation of a kind is of the whole payment, so that its request names no amount.
    fn is_whole(&self, kind: OperationKind) -> bool {
        kind == OperationKind::Void || self.captures_whole && kind == OperationKind::Capture
    }
}

/// Whether an operation of a kind makes a payment, and so has a source and no parent.
const fn pays(kind: OperationKind) -> bool {
    matches!(kind, OperationKind::Charge | OperationKind::Authorize)
}
