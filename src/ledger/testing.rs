//! Rows and claims for the tests of the ledger's rooms.

use std::time::Duration;

use http::Method;

use super::{Claim, Fingerprint, Lease, Moment, OwnerId, Record, Rendered};
use crate::clock::Timestamp;
use crate::money::{Currency, Money};
use crate::operation::{Family, Identity, OperationId, OperationKind, State};
use crate::provider::{AccountId, IdempotencyKey, OnRepeat, Request, RuleSnapshot};

pub(crate) const NOW: Timestamp = Timestamp::from_millis(1_800_000_000_000);

pub(crate) fn after(seconds: u64) -> Timestamp {
    NOW.plus(Duration::from_secs(seconds))
}

/// A moment by every clock, all right and in one boot.
pub(crate) fn moment(at: Timestamp) -> Moment {
    let booted = NOW.minus(Duration::from_secs(1_000_000));
    let up = at.since(booted).unwrap_or_default();
    Moment::new(at, up, Some("test".to_owned()), true)
}

pub(crate) fn owner() -> OwnerId {
    OwnerId::new("me")
}

fn account(name: &str) -> AccountId {
    AccountId::new(format!("stripe:test:{name}@https://api.stripe.com"))
}

/// A claim for an attempt of one order, with a key of its own.
pub(crate) fn claim(attempt: u32) -> Claim {
    let id = OperationId::generate();
    let rule = RuleSnapshot {
        on_repeat: OnRepeat::Replays,
        window: Some(Duration::from_secs(23 * 3600)),
        margin: Some(Duration::from_secs(3600)),
        look_up_reliable: false,
        settling: Duration::from_secs(60),
        baseline: false,
        one_capture: false,
    };
    let mut request = Request::new(Method::POST, "/v1/payment_intents?a=%20").with_body(
        "application/x-www-form-urlencoded",
        "amount=48000&note=%D9%82",
    );
    request
        .headers
        .insert("idempotency-key", "k".parse().unwrap());
    let key = IdempotencyKey::new(format!("key-{id}"));
    Claim {
        identity: Identity::new("", Family::Payment, "order-1042", attempt),
        kind: OperationKind::Charge,
        money: Money::parse("480.00", Currency::SAR).unwrap(),
        parent: None,
        fingerprint: fingerprint("480.00"),
        via: None,
        key: None,
        accounts: vec![account("main")],
        rendered: Some(Rendered::new(id, account("main"), key, request, rule)),
        lease: Duration::from_secs(90),
        send_until: after(360),
        renew: true,
    }
}

pub(crate) fn fingerprint(amount: &str) -> Fingerprint {
    let mut sha256 = [0; 32];
    sha256[..amount.len()].copy_from_slice(amount.as_bytes());
    Fingerprint::new(format!(r#"{{"amount":"{amount}"}}"#), sha256)
}

/// The row of an attempt in a state, without an open claim.
pub(crate) fn row(attempt: u32, state: State) -> Record {
    let claim = claim(attempt);
    let rendered = claim.rendered.as_ref().unwrap();
    let record = Record::first(&claim, rendered, &owner(), &moment(NOW));
    Record {
        state,
        lease: None,
        ..record
    }
}

/// A lease of ours.
pub(crate) fn lease(claimed: Timestamp, until: Timestamp) -> Lease {
    lease_of("me", claimed, until)
}

/// A lease of anybody.
pub(crate) fn lease_of(owner: &str, claimed: Timestamp, until: Timestamp) -> Lease {
    Lease::new(OwnerId::new(owner), moment(claimed), until)
}
