//! What the checks are made of: handles, claims, and the words for what was found.

use std::fmt::Debug;
use std::future::Future;
use std::ops::Deref;
use std::sync::Arc;
use std::time::Duration;

use http::header::HeaderValue;
use http::{HeaderName, Method};
use tokio::task::JoinSet;

use super::{KitClock, Store};
use crate::clock::Timestamp;
use crate::error::LedgerError;
use crate::ledger::{
    Checked, Claim, Claimed, Conclusion, DateSeen, Exchange, Fingerprint, Learned, Ledger, Owned,
    Purpose, Record, Refused, Rendered, Settle, Settled,
};
use crate::money::{Currency, Money, MoneyError};
use crate::operation::{Family, Identity, OperationId, OperationKind};
use crate::payment::Payment;
use crate::provider::{
    AccountId, Effect, IdempotencyKey, OnRepeat, Refusal, Request, RuleSnapshot,
};

/// When every check begins.
pub(super) const START: Timestamp = Timestamp::from_millis(1_800_000_000_000);
/// How long a claim of the kit lasts.
pub(super) const LEASE: Duration = Duration::from_secs(90);
pub(super) const MS: Duration = Duration::from_millis(1);

/// What a ledger did instead of what it promised.
pub(super) struct Found(pub(super) String);

/// The result of a check.
pub(super) type Kept<T = ()> = Result<T, Found>;

impl From<LedgerError> for Found {
    fn from(error: LedgerError) -> Self {
        Self(format!("the ledger failed: {error}"))
    }
}

impl From<MoneyError> for Found {
    fn from(error: MoneyError) -> Self {
        Self(format!("the kit itself is wrong: {error}"))
    }
}

/// The promise holds, or this was found.
pub(super) fn holds(holds: bool, found: impl Into<String>) -> Kept {
    if holds {
        Ok(())
    } else {
        Err(Found(found.into()))
    }
}

/// Both are the same, or this differs.
pub(super) fn same<T: PartialEq + Debug>(what: &str, is: &T, should: &T) -> Kept {
    holds(is == should, format!("{what} is {is:?} and not {should:?}"))
}

/// A store and the clock of all its handles.
pub(super) struct Bench {
    store: Box<dyn Store>,
    pub(super) clock: KitClock,
}

impl Bench {
    pub(super) fn new(store: Box<dyn Store>) -> Self {
        let clock = KitClock::new(START);
        Self { store, clock }
    }

    pub(super) async fn open(&self) -> Handle {
        Handle(self.store.open(self.clock.clone()).await)
    }

    pub(super) async fn open_some(&self, count: usize) -> Vec<Handle> {
        let mut handles = Vec::new();
        for _ in 0..count {
            handles.push(self.open().await);
        }
        handles
    }

    /// Kills an owner. A ledger that cannot tell needs the end of its leases.
    pub(super) fn kill(&self, owner: Handle) {
        drop(owner);
        if !self.store.tells_dead_owners() {
            self.clock.pass(LEASE);
        }
    }
}

/// An open ledger. The last clone that is dropped is the death of its owner.
#[derive(Clone)]
pub(super) struct Handle(Arc<dyn Ledger>);

impl Deref for Handle {
    type Target = dyn Ledger;

    fn deref(&self) -> &Self::Target {
        &*self.0
    }
}

impl Handle {
    pub(super) async fn ours(&self, claim: Claim) -> Kept<Owned> {
        let claimed = self.claim(claim).await?;
        if let Claimed::Ours(owned) = claimed {
            return Ok(*owned);
        }
        Err(Found(format!(
            "a claim that is free was answered {claimed:?}"
        )))
    }

    pub(super) async fn refused(&self, claim: Claim) -> Kept<Refused> {
        let claimed = self.claim(claim).await?;
        if let Claimed::Refused(refused) = claimed {
            return Ok(refused);
        }
        Err(Found(format!(
            "what must be refused was answered {claimed:?}"
        )))
    }

    pub(super) async fn busy(&self, claim: Claim) -> Kept {
        let claimed = self.claim(claim).await?;
        let is_busy = matches!(claimed, Claimed::Busy(_));
        holds(
            is_busy,
            format!("a live owner's claim was answered {claimed:?}"),
        )
    }

    /// Ends a claim that is still ours.
    pub(super) async fn end(&self, record: &Record, conclusion: Conclusion) -> Kept<Record> {
        let settle = Settle::new(record, conclusion, Learned::default());
        self.applied(settle).await
    }

    pub(super) async fn applied(&self, settle: Settle) -> Kept<Record> {
        match self.settle(settle).await? {
            Settled::Applied(record) => Ok(*record),
            Settled::Fenced(record) => Err(Found(format!("its owner was fenced out: {record:?}"))),
        }
    }

    /// Reads a row that must be there.
    pub(super) async fn row(&self, id: OperationId) -> Kept<Record> {
        let record = self.read(id).await?;
        record.ok_or_else(|| Found(format!("operation {id} is not there")))
    }

    pub(super) async fn gate(&self, id: OperationId) -> Kept<Checked> {
        let checked = self.check(id).await?;
        checked.ok_or_else(|| Found(format!("operation {id} is not there")))
    }

    /// Claims an operation and ends it.
    pub(super) async fn settled(&self, claim: Claim, conclusion: Conclusion) -> Kept<Record> {
        let owned = self.ours(claim).await?;
        self.end(&owned.record, conclusion).await
    }
}

/// Lets several claims race, each on its handle, and gives their answers in order.
pub(super) async fn race(claims: impl IntoIterator<Item = (Handle, Claim)>) -> Kept<Vec<Claimed>> {
    let of_claim = |(handle, claim): (Handle, Claim)| async move { handle.claim(claim).await };
    together(claims.into_iter().map(of_claim)).await
}

/// Runs works at once, and gives what they return in their order.
pub(super) async fn together<T, F>(works: impl IntoIterator<Item = F>) -> Kept<Vec<T>>
where
    T: Send + 'static,
    F: Future<Output = Result<T, LedgerError>> + Send + 'static,
{
    let mut running = JoinSet::new();
    for (place, work) in works.into_iter().enumerate() {
        running.spawn(async move { (place, work.await) });
    }
    let mut done = Vec::new();
    while let Some(ended) = running.join_next().await {
        let (place, answer) =
            ended.map_err(|error| Found(format!("the ledger panicked: {error}")))?;
        done.push((place, answer?));
    }
    done.sort_by_key(|(place, _)| *place);
    Ok(done.into_iter().map(|(_, answer)| answer).collect())
}

pub(super) fn ours_of(claimed: &[Claimed]) -> usize {
    let ours = |claimed: &&Claimed| matches!(claimed, Claimed::Ours(_));
    claimed.iter().filter(ours).count()
}

pub(super) fn account(label: &str) -> AccountId {
    AccountId::new(format!("kit:test:{label}@https://gateway.example"))
}

pub(super) fn sar(minor: i64) -> Result<Money, MoneyError> {
    Money::from_minor(minor, Currency::SAR)
}

pub(super) fn payment(id: &str) -> Payment {
    Payment::new(account("main"), id)
}

/// A fingerprint with one field.
pub(super) fn fingerprint(amount: i64) -> Fingerprint {
    let mut sha256 = [0; 32];
    for (place, byte) in sha256.iter_mut().zip(amount.to_be_bytes()) {
        *place = byte;
    }
    Fingerprint::new(format!(r#"{{"amount":"{amount}"}}"#), sha256)
}

/// A request with everything that a store could lose: order, case, bytes that are no text.
fn request(id: OperationId) -> Request {
    let mut request = Request::new(Method::POST, "/v1/payments?a=%20&b=قهوة&a=%2F")
        .with_header(
            HeaderName::from_static("x-empty"),
            HeaderValue::from_static(""),
        )
        .with_header(
            HeaderName::from_static("idempotency-key"),
            HeaderValue::from_static("Key \"with\" quotes; and=signs"),
        );
    for value in ["first", "second"] {
        let name = HeaderName::from_static("x-twice");
        request
            .headers
            .append(name, HeaderValue::from_static(value));
    }
    request.body = format!("{{\"id\":\"{id}\",\r\n \"note\": \"قهوة\"}}\0").into_bytes();
    request.body.extend([0xff, 0x00, 0xfe]);
    request
}

/// A charge of 480.00, rendered anew with a key of its own.
pub(super) fn charge(reference: &str, attempt: u32) -> Result<Claim, MoneyError> {
    let id = OperationId::generate();
    let rule = RuleSnapshot {
        on_repeat: OnRepeat::Replays,
        window: Some(Duration::from_secs(23 * 3600)),
        margin: Some(Duration::from_secs(3600)),
        look_up_reliable: false,
        settling: Duration::from_millis(60_001),
        baseline: false,
        one_capture: false,
    };
    let key = IdempotencyKey::new(format!("key-{id}"));
    Ok(Claim {
        identity: Identity::new("", Family::Payment, reference, attempt),
        kind: OperationKind::Charge,
        money: sar(48_000)?,
        parent: None,
        fingerprint: fingerprint(48_000),
        via: None,
        key: None,
        accounts: vec![account("main"), account("second")],
        rendered: Some(Rendered::new(id, account("main"), key, request(id), rule)),
        lease: LEASE,
        send_until: START.plus(Duration::from_secs(360)),
        renew: true,
    })
}

/// An operation on a payment, with a reference of its own.
pub(super) fn on(
    kind: OperationKind,
    reference: &str,
    parent: &str,
    minor: i64,
) -> Result<Claim, MoneyError> {
    Ok(Claim {
        identity: Identity::new("", kind.family(), reference, 1),
        kind,
        money: sar(minor)?,
        parent: Some(payment(parent)),
        fingerprint: fingerprint(minor),
        ..charge(reference, 1)?
    })
}

/// The same claim, by a gateway where the payment is read before the first send.
pub(super) fn with_baseline(mut claim: Claim) -> Claim {
    if let Some(rendered) = &mut claim.rendered {
        rendered.rule.baseline = true;
    }
    claim
}

pub(super) fn of_tenant(mut claim: Claim, tenant: &str) -> Claim {
    tenant.clone_into(&mut claim.identity.tenant);
    claim
}

pub(super) fn succeeded(id: &str, minor: i64) -> Result<Conclusion, MoneyError> {
    Ok(Conclusion::Succeeded {
        effect: Effect::new(id, sar(minor)?, "succeeded"),
        duplicates: Vec::new(),
    })
}

pub(super) fn declined() -> Conclusion {
    Conclusion::Declined(Refusal::new("card_declined"))
}

/// What a send taught.
pub(super) fn learned(number: u32, maybe_sent: u32) -> Learned {
    let mut exchange = Exchange::new(Purpose::Send, START, "unknown");
    exchange.number = number;
    exchange.status = Some(503);
    exchange.reply = Some(b"busy".to_vec());
    Learned {
        exchanges: vec![exchange],
        maybe_sent,
        ..Learned::default()
    }
}

/// What a look-up taught of the gateway's clock.
pub(super) fn dated(number: u32, date: DateSeen) -> Learned {
    let mut exchange = Exchange::new(Purpose::LookUp, START, "absent");
    exchange.number = number;
    exchange.date = date;
    Learned {
        exchanges: vec![exchange],
        ..Learned::default()
    }
}
