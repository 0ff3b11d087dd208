//! What a payment or a refund says, in a reply to a send and in a look-up.

use payonce::provider::{Call, Echo, Effect, PendingAt, Refusal, Ruling, Verdict};
use payonce::{Doubt, Money, OperationKind};

use super::{raw, undocumented, unreadable};
use crate::baseline::of_parent;
use crate::wire::{Keyed, Payment, Refund, Shown};

/// The verdict on the payment of a charge or an authorization.
pub(crate) fn of_payment(call: &Call<'_>, payment: &Payment) -> Verdict {
    marked(call, payment, payment_of_ours(call, payment))
}

/// The verdict on a refund.
pub(crate) fn of_refund(call: &Call<'_>, shown: &Refund) -> Verdict {
    marked(call, shown, refund(call, shown))
}

/// A ruling, with whose key the object names.
fn marked(call: &Call<'_>, object: &impl Keyed, ruling: Ruling) -> Verdict {
    let echo = match object.key() {
        Some(key) if key == call.key.as_str() => Echo::Ours,
        Some(_) => Echo::Foreign,
        None => Echo::Missing,
    };
    Verdict::new(ruling)
        .with_echo(echo)
        .with_provider_id(object.id())
}

/// The state in which a capture or void leaves its payment. Who canceled a payment does not show: it
/// is canceled once, and nothing can be taken any more.
pub(crate) const fn done(kind: OperationKind) -> Option<&'static str> {
    match kind {
        OperationKind::Capture => Some("COMPLETED"),
        OperationKind::Void => Some("CANCELED"),
        OperationKind::Charge | OperationKind::Authorize | OperationKind::Refund | _ => None,
    }
}

/// What the payment that a capture or void is about says of it.
pub(crate) fn payment(call: &Call<'_>, payment: &Payment) -> Ruling {
    let (Some(id), Some(state)) = (payment.id(), payment.status.as_deref()) else {
        return unreadable();
    };
    let done = Some(state) == done(call.kind);
    if of_parent(call, payment).is_none() || !done {
        return undocumented(200, Some(state));
    }
    success(id, payment.total_money, state)
}

/// <https://developer.squareup.com/reference/square/objects/Payment#definition__property-status>
fn payment_of_ours(call: &Call<'_>, payment: &Payment) -> Ruling {
    let (Some(id), Some(state)) = (payment.id(), payment.status.as_deref()) else {
        return unreadable();
    };
    let taken = call.kind == OperationKind::Charge && state == "COMPLETED";
    let held = call.kind == OperationKind::Authorize && state == "APPROVED";
    // There is no tip in what we ask for, and none but a gift card is approved for a part: all three
    // are one amount, and another than ours must be seen.
    let all = [
        payment.total_money,
        payment.amount_money,
        payment.approved_money,
    ];
    let differs = |shown: &&Shown| **shown != Shown::Nothing && shown.money() != Some(call.money);
    let shown = all.iter().find(differs).copied();
    if taken || held {
        // An amount that is approved or asked for does not say what was taken.
        return match (payment.total_money, shown) {
            (Shown::Money(_), Some(other)) => success(id, other, state),
            (total, _) => success(id, total, state),
        };
    }
    if let Some(other) = shown {
        return mismatch(call, other.money(), id);
    }
    match state {
        "PENDING" => Ruling::Pending(PendingAt::new(id, state)),
        // Both are terminal states.
        "FAILED" => Ruling::Declined(Refusal::new(raw(state)).with_provider_id(Some(id))),
        "CANCELED" => Ruling::Canceled(Refusal::new(raw(state)).with_provider_id(Some(id))),
        // `APPROVED` of a charge holds what was to be taken, `COMPLETED` of an authorization took
        // what was only to be held.
        _ => undocumented(200, Some(state)),
    }
}

/// <https://developer.squareup.com/reference/square/objects/PaymentRefund>
fn refund(call: &Call<'_>, refund: &Refund) -> Ruling {
    let (Some(id), Some(state)) = (refund.id(), refund.status.as_deref()) else {
        return unreadable();
    };
    if refund.payment_id.as_deref() != call.parent {
        return unreadable();
    }
    let given = refund.amount_money;
    if state == "COMPLETED" {
        return success(id, given, state);
    }
    if given != Shown::Nothing && given.money() != Some(call.money) {
        return mismatch(call, given.money(), id);
    }
    match state {
        "PENDING" => Ruling::Pending(PendingAt::new(id, state)),
        "REJECTED" | "FAILED" => {
            Ruling::Declined(Refusal::new(raw(state)).with_provider_id(Some(id)))
        }
        _ => undocumented(200, Some(state)),
    }
}

fn success(id: &str, shown: Shown, state: &str) -> Ruling {
    match shown {
        Shown::Money(money) => Ruling::Succeeded(Effect::new(id, money, raw(state))),
        Shown::Nothing | Shown::NoMoney => unreadable(),
    }
}

/// An object of another amount is not the one that we asked for, whatever its state.
fn mismatch(call: &Call<'_>, got: Option<Money>, id: &str) -> Ruling {
    Ruling::Unknown(Doubt::Mismatch {
        sent: call.money,
        got,
        provider_id: id.to_owned(),
    })
}
