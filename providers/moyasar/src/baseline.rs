//! What a payment shows before a capture, refund or void, and what changed since.

use std::time::Duration;

use payonce::provider::{Baseline, Call, Effect, Request, Response};
use payonce::{Currency, Doubt, Money, OperationKind, Timestamp};
use serde::{Deserialize, Serialize};

use crate::amount::AMOUNT;
use crate::wire::{self, Payment};
use crate::{Moyasar, encode, time};

/// What a payment shows of what was done to it. Its JSON is stored with the operation.
///
/// Here every field must be there and of its type, or the payment says nothing. The times may be
/// null, and are kept as they came.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Snapshot {
    status: String,
    amount: i64,
    currency: String,
    captured: i64,
    refunded: i64,
    captured_at: Option<String>,
    refunded_at: Option<String>,
    voided_at: Option<String>,
}

impl Baseline for Moyasar {
    fn request(&self, call: &Call<'_>) -> Request {
        // Without a parent it asks for a payment that cannot be, and nothing is sent: `encode`
        // refused such an operation before.
        encode::get(call.parent.filter(|id| wire::is_id(id)).unwrap_or("none"))
    }

    fn read(&self, call: &Call<'_>, reply: &Response) -> Result<String, Doubt> {
        // Asked for one payment, it shows another: whatever that is, it is not ours.
        let payment: Option<Payment> = wire::body(reply).filter(|_| reply.status == 200);
        if let Some(id) = payment.as_ref().and_then(Payment::id)
            && call.parent != Some(id)
        {
            return Err(Doubt::Mismatch {
                sent: call.money,
                got: None,
                provider_id: id.to_owned(),
            });
        }
        let shown = Snapshot::of(call, reply)?;
        shown.fits(call)?;
        let read_at = reply.header("date").and_then(time::of_date);
        let before = Before {
            shown,
            payonce_read_at: read_at.map(Timestamp::as_millis),
        };
        serde_json::to_string(&before).map_err(|_| unclear("the payment cannot be written down"))
    }
}

/// What a payment showed before the first send, and when that was by Moyasar's clock.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Before {
    #[serde(flatten)]
    shown: Snapshot,
    /// The second of the reply's `Date`, in milliseconds since 1970. One that was stored without it
    /// has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    payonce_read_at: Option<i64>,
}

impl Before {
    /// What was stored.
    pub(crate) fn stored(text: &str) -> Option<Self> {
        wire::read(serde_json::from_str(text).ok()?)
    }

    /// The earliest time, by Moyasar's clock, at which a change can be due to a send of ours.
    /// `first_sent` is by ours.
    ///
    /// Reads may be late, as far as anybody knows, so an earlier change may not have shown yet. If
    /// our clock is behind theirs our times do not tell it from ours; then the second in which the
    /// payment was read must be over.
    fn earliest(&self, first_sent: Timestamp) -> Timestamp {
        match self.payonce_read_at.map(Timestamp::from_millis) {
            Some(read) if first_sent < read => read.plus(Duration::from_secs(1)),
            Some(_) | None => first_sent,
        }
    }
}

impl Snapshot {
    /// What the reply shows of the parent.
    pub(crate) fn of(call: &Call<'_>, reply: &Response) -> Result<Self, Doubt> {
        let status = reply.status.as_u16();
        if status != 200 {
            return Err(unclear(&format!("the gateway answered {status}")));
        }
        let payment: Option<Payment> = wire::body(reply);
        let id = payment.as_ref().and_then(Payment::id);
        if id.is_none() || id != call.parent {
            return Err(unclear("a reply was not about the payment"));
        }
        wire::body(reply).ok_or_else(|| unclear("a reply could not be read"))
    }

    /// Whether the operation can be about this payment. The requests name no currency, so an
    /// amount would be taken for one of the payment's own; and a void is of the whole payment,
    /// whatever we think that it is.
    fn fits(&self, call: &Call<'_>) -> Result<(), Doubt> {
        let got = self.money(self.amount);
        let same_currency = got.is_some_and(|got| got.currency() == call.money.currency());
        let whole = call.kind != OperationKind::Void || got == Some(call.money);
        if same_currency && whole {
            return Ok(());
        }
        Err(Doubt::Mismatch {
            sent: call.money,
            got,
            provider_id: call.parent.unwrap_or_default().to_owned(),
        })
    }

    fn money(&self, units: i64) -> Option<Money> {
        let currency: Currency = self.currency.parse().ok()?;
        AMOUNT.money(units, currency).ok()
    }

    /// The effect of the operation, if what changed since `before` is exactly it, not before
    /// `first_sent` by Moyasar's clock.
    ///
    /// # Errors
    ///
    /// Why the change does not tell.
    pub(crate) fn effect(
        &self,
        before: &Before,
        call: &Call<'_>,
        first_sent: Timestamp,
    ) -> Result<Effect, &'static str> {
        let earliest = before.earliest(first_sent);
        let before = &before.shown;
        if self == before {
            return Err("the payment shows no change");
        }
        let (expected, changed_at) = before.after(call, self).ok_or(OTHER)?;
        if *self != expected {
            return Err(OTHER);
        }
        let changed_at = changed_at.and_then(time::parse);
        // Both are cut to milliseconds: in the same one it may have come after our send.
        if changed_at.is_none_or(|at| at < earliest) {
            return Err("the payment was changed at another time than ours");
        }
        // Of a capture or refund this is what `expected` was made of; of a void, what it released.
        let money = if call.kind == OperationKind::Void {
            self.money(self.amount).ok_or(OTHER)?
        } else {
            call.money
        };
        let id = call.parent.unwrap_or_default();
        Ok(Effect::new(id, money, self.status.clone()).inferred())
    }

    /// What this payment would show after the operation, with the time of `now`; and that time.
    fn after<'n>(&self, call: &Call<'_>, now: &'n Self) -> Option<(Self, Option<&'n str>)> {
        let same_currency = self.money(self.amount)?.currency() == call.money.currency();
        let units = AMOUNT.units(call.money).ok().filter(|_| same_currency)?;
        let mut after = self.clone();
        let (own, theirs) = match (call.kind, self.status.as_str()) {
            (OperationKind::Capture, "authorized") => {
                "captured".clone_into(&mut after.status);
                after.captured = self.captured.checked_add(units)?;
                (&mut after.captured_at, &now.captured_at)
            }
            (OperationKind::Refund, "paid" | "captured") => {
                after.refunded = self.refunded.checked_add(units)?;
                // A part leaves the status as it is.
                if after.refunded == self.taken() {
                    "refunded".clone_into(&mut after.status);
                }
                (&mut after.refunded_at, &now.refunded_at)
            }
            (OperationKind::Void, "authorized" | "paid" | "captured") => {
                let word = if now.status == "void" {
                    "void"
                } else {
                    "voided"
                };
                word.clone_into(&mut after.status);
                (&mut after.voided_at, &now.voided_at)
            }
            _ => return None,
        };
        // A time that stayed is that of an earlier change.
        if own == theirs {
            return None;
        }
        own.clone_from(theirs);
        Some((after, theirs.as_deref()))
    }

    /// How much was taken in all: a payment that took the money at once shows no capture.
    const fn taken(&self) -> i64 {
        if self.captured > 0 {
            self.captured
        } else {
            self.amount
        }
    }
}

const OTHER: &str = "the payment shows another change than ours";

/// No answer, and why.
pub(crate) fn unclear(problem: &str) -> Doubt {
    Doubt::LookUpUnclear {
        problem: problem.to_owned(),
    }
}
