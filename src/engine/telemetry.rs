//! Spans and metrics, by their stable names.
//!
//! | metric | labels | what |
//! |---|---|---|
//! | `payonce_sends_total` | `account`, `class` | exchanges that were to move money |
//! | `payonce_look_ups_total` | `account`, `class` | exchanges that asked |
//! | `payonce_closes_total` | `account`, `class` | exchanges that were to end what was left open |
//! | `payonce_outcomes_total` | `account`, `state` | ended drives |
//! | `payonce_alarms_total` | `account`, `kind` | alarms raised |
//! | `payonce_unrecorded_total` | `account` | settlements that the ledger could not take |
//! | `payonce_busy_total` | | claims that found another owner |
//!
//! The span of a drive is `payonce.operation`, with `operation`, `kind`, `attempt`, `account`.
//! Neither holds a secret, a token, a URL query or a body.

use metrics::counter;

use crate::ledger::{Conclusion, Exchange, Purpose, Record};
use crate::provider::Ruling;

/// One exchange.
pub(super) fn exchange(record: &Record, exchange: &Exchange) {
    let name = match exchange.purpose {
        Purpose::Send => "payonce_sends_total",
        Purpose::LookUp => "payonce_look_ups_total",
        Purpose::Close => "payonce_closes_total",
    };
    let account = record.account.as_str().to_owned();
    counter!(name, "account" => account, "class" => exchange.class.clone()).increment(1);
    tracing::debug!(
        purpose = %exchange.purpose,
        status = exchange.status,
        class = %exchange.class,
        request_id = exchange.request_id,
        latency_ms = u64::try_from(exchange.latency.as_millis()).unwrap_or(u64::MAX),
        "exchange"
    );
}

/// The end of a drive.
pub(super) fn settled(record: &Record, conclusion: &Conclusion) {
    let account = || record.account.as_str().to_owned();
    let state = record.state.as_str();
    counter!("payonce_outcomes_total", "account" => account(), "state" => state).increment(1);
    tracing::info!(state, sends = record.sends, "settled");
    for kind in conclusion.alarms() {
        counter!("payonce_alarms_total", "account" => account(), "kind" => kind.as_str())
            .increment(1);
        tracing::error!(alarm = %kind, detail = conclusion.describe(), "alarm");
    }
    if record.frozen {
        tracing::error!("the reference is frozen: a person must resolve it");
    }
}

/// The gateway answered, and the ledger could not take it.
pub(super) fn unrecorded(record: &Record, error: &crate::error::LedgerError) {
    let account = record.account.as_str().to_owned();
    counter!("payonce_unrecorded_total", "account" => account).increment(1);
    tracing::error!(%error, "the outcome could not be recorded");
}

/// A claim found another owner.
pub(super) fn busy() {
    counter!("payonce_busy_total").increment(1);
}

/// The word for a ruling, as records and metrics have it.
pub(super) const fn class(ruling: &Ruling) -> &'static str {
    match ruling {
        Ruling::Succeeded(_) => "succeeded",
        Ruling::Declined(_) => "declined",
        Ruling::Rejected(_) => "rejected",
        Ruling::Canceled(_) => "canceled",
        Ruling::ActionRequired(_) => "action_required",
        Ruling::Pending(_) => "pending",
        Ruling::InProgress => "in_progress",
        Ruling::NoEffect => "no_effect",
        Ruling::Unauthorized => "unauthorized",
        Ruling::Repeated => "repeated",
        Ruling::KeyMismatch => "key_mismatch",
        Ruling::Unknown(_) => "unknown",
    }
}
