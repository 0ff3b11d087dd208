//! Whether something else in a reply speaks against what it says.

use payonce::OperationKind;
use payonce::provider::{Advice, Call, Ruling};

use super::{Body, CANCELABLE, carries_capture, of_ours};
use crate::wire::{self, PaymentIntent};

/// Whether something else in the reply contradicts a refusal. A refusal says that nothing can
/// happen any more, so whatever speaks against it counts.
pub(super) fn of(
    call: &Call<'_>,
    ruling: &Ruling,
    body: &Body,
    replayed: bool,
    advice: Advice,
) -> bool {
    // The payment of an error; that of a 200 is the answer itself.
    let payment = body.payment.as_ref().filter(|_| body.error.is_some());
    match ruling {
        Ruling::Declined(_) => payment.is_some_and(|payment| !after_decline(call, payment)),
        // Stripe may say that the same request can still work.
        Ruling::Rejected(_) => {
            let differs = payment.is_some_and(|payment| !after_rejection(call, payment));
            advice == Advice::Retry || differs
        }
        // These never reach the layer that stores replies, nor a payment.
        Ruling::NoEffect | Ruling::Unauthorized | Ruling::InProgress => {
            replayed || payment.is_some()
        }
        Ruling::Succeeded(_)
        | Ruling::Canceled(_)
        | Ruling::ActionRequired(_)
        | Ruling::Pending(_)
        | Ruling::Repeated
        | Ruling::KeyMismatch
        | Ruling::Unknown(_) => false,
    }
}

/// Whether the payment that an error shows is one that a decline leaves.
fn after_decline(call: &Call<'_>, payment: &PaymentIntent) -> bool {
    match call.kind {
        // It waits for another method; no other state is documented.
        OperationKind::Charge | OperationKind::Authorize => {
            payment.is_in(&["requires_payment_method"])
        }
        OperationKind::Capture => {
            let not_taken = ["requires_capture", "requires_payment_method", "canceled"];
            is_not_captured(call, payment) && payment.is_in(&not_taken)
        }
        OperationKind::Refund => is_refunded(call, payment),
        OperationKind::Void => is_not_canceled(call, payment),
        _ => false,
    }
}

/// Whether the payment that an error shows is one that a refused request leaves.
fn after_rejection(call: &Call<'_>, payment: &PaymentIntent) -> bool {
    match call.kind {
        // One that only we could take further.
        OperationKind::Charge | OperationKind::Authorize => payment.is_in(&[
            "requires_payment_method",
            "requires_confirmation",
            "canceled",
        ]),
        OperationKind::Capture => is_not_captured(call, payment),
        OperationKind::Refund => is_refunded(call, payment),
        OperationKind::Void => is_not_canceled(call, payment),
        _ => false,
    }
}

/// It may be captured by somebody else, but not by what was refused. No page says that a refused
/// capture writes no metadata, so our key there counts as one that worked.
fn is_not_captured(call: &Call<'_>, payment: &PaymentIntent) -> bool {
    of_ours(call, payment).is_some() && carries_capture(call, payment) == Some(false)
}

/// In a state that is none of these it may be canceled all the same.
fn is_not_canceled(call: &Call<'_>, payment: &PaymentIntent) -> bool {
    let not_canceled = payment.is_in(&CANCELABLE) || payment.is_in(&["succeeded"]);
    of_ours(call, payment).is_some() && not_canceled
}

/// Where a refund names a charge, its payment cannot be told from another.
fn is_refunded(call: &Call<'_>, payment: &PaymentIntent) -> bool {
    of_ours(call, payment).is_some() || call.parent.is_some_and(wire::is_charge)
}
