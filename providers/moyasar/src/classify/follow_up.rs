//! What the payment in the reply says about its capture, refund or void. They have no object of
//! their own: <https://docs.moyasar.com/guides/payment-operations>.

use payonce::provider::{Call, Effect, Ruling};
use payonce::{Money, OperationKind};

use super::{Seen, raw};

/// The ruling of the reply to a capture, refund or void.
pub(super) fn ruling(call: &Call<'_>, seen: &Seen<'_>) -> Ruling {
    let payment = seen.payment;
    match (call.kind, seen.state) {
        // There is one capture only, so the total is this one's own amount.
        (OperationKind::Capture, "captured") => success(seen, seen.money(payment.captured)),
        (OperationKind::Refund, "refunded" | "paid" | "captured") => refund(call, seen),
        // The whole payment is released. An older page shows the word `void` in its example.
        (OperationKind::Void, "voided" | "void") => success(seen, seen.money(payment.amount)),
        _ => seen.undocumented(),
    }
}

/// The reply shows what was refunded in all, not what this refund gave back.
fn refund(call: &Call<'_>, seen: &Seen<'_>) -> Ruling {
    match seen.money(seen.payment.refunded) {
        Some(total) if total.is_zero() => seen.undocumented(),
        // The total holds what was asked for, maybe beside earlier refunds: that is all there is
        // to compare.
        Some(total) if holds(total, call.money) => success(seen, Some(call.money)),
        // It is less, or other money: shown as it is.
        total => success(seen, total),
    }
}

fn holds(total: Money, part: Money) -> bool {
    total.currency() == part.currency() && total.minor() >= part.minor()
}

fn success(seen: &Seen<'_>, money: Option<Money>) -> Ruling {
    match money {
        Some(money) => Ruling::Succeeded(Effect::new(seen.id, money, raw(seen.state))),
        None => seen.unreadable(),
    }
}
