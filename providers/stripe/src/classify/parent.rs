//! What a `PaymentIntent` says of a capture or a void of it.

use payonce::Doubt;
use payonce::provider::{Call, Effect, PendingAt, Ruling};

use super::payment::{canceled, shown};
use super::{raw, unreadable};
use crate::rule::CAPTURE_KEY_NAME;
use crate::wire::PaymentIntent;

/// The states in which a payment can be canceled, and so is not canceled:
/// <https://docs.stripe.com/api/payment_intents/cancel>.
pub(crate) const CANCELABLE: [&str; 5] = [
    "requires_payment_method",
    "requires_capture",
    "requires_confirmation",
    "requires_action",
    "processing",
];

/// The ruling of the payment in the reply to a capture:
/// <https://docs.stripe.com/api/payment_intents/capture>.
pub(crate) fn capture(call: &Call<'_>, payment: &PaymentIntent, status: u16) -> Ruling {
    let (Some(id), Some(state)) = (of_ours(call, payment), payment.status.as_deref()) else {
        return unreadable(status);
    };
    match state {
        // `amount` is what was reserved, and may be more. `amount_received` counts every capture
        // of the payment: if it is not ours alone, the engine sees another amount and holds.
        "succeeded" => shown(payment.amount_received.units(), payment.currency.as_deref())
            .money()
            .map_or_else(
                || unreadable(status),
                |taken| Ruling::Succeeded(Effect::new(id, taken, state)),
            ),
        "processing" => Ruling::Pending(PendingAt::new(id, state)),
        _ => undocumented(status, state),
    }
}

/// The ruling of a payment that a capture finds canceled. Nothing was captured, and nothing can
/// be any more.
pub(crate) fn never_captured(call: &Call<'_>, payment: &PaymentIntent) -> Option<Ruling> {
    let id = of_ours(call, payment)?;
    let nothing = payment.amount_received.units() == Some(0) && payment.is_in(&["canceled"]);
    nothing.then(|| canceled(payment, id))
}

/// The ruling of the payment in the reply to a void:
/// <https://docs.stripe.com/api/payment_intents/cancel>.
///
/// A canceled payment does not say who canceled it: we did, or a person in the dashboard, or
/// Stripe when the authorization had lived out. In each case nothing can be captured any more, and
/// what was reserved is released: that is what a void is asked for. So each is a success. If it
/// was not ours, nothing was done twice, since a payment is canceled once.
pub(crate) fn void(call: &Call<'_>, payment: &PaymentIntent, status: u16) -> Ruling {
    let (Some(id), Some(state)) = (of_ours(call, payment), payment.status.as_deref()) else {
        return unreadable(status);
    };
    if state != "canceled" {
        return undocumented(status, state);
    }
    // No field shows what was released: it is what was asked for, less what was taken.
    let released = payment
        .amount
        .zip(payment.amount_received.units())
        .and_then(|(asked, taken)| asked.checked_sub(taken));
    shown(released, payment.currency.as_deref())
        .money()
        .map_or_else(
            || unreadable(status),
            |released| Ruling::Succeeded(Effect::new(id, released, state)),
        )
}

/// Whether the payment carries the key of our capture. `None`: its metadata cannot be read.
pub(crate) fn carries_capture(call: &Call<'_>, payment: &PaymentIntent) -> Option<bool> {
    payment.metadata.as_ref()?.holds(CAPTURE_KEY_NAME, call.key)
}

/// The key of the capture that the payment shows.
pub(crate) fn capture_key(payment: &PaymentIntent) -> Option<&str> {
    payment.metadata.as_ref()?.get(CAPTURE_KEY_NAME)
}

/// The id, if it is the payment that we asked about.
pub(crate) fn of_ours<'p>(call: &Call<'_>, payment: &'p PaymentIntent) -> Option<&'p str> {
    let asked = |id: &&str| call.parent == Some(*id) && !payment.is_other_object();
    payment.id().filter(asked)
}

fn undocumented(status: u16, state: &str) -> Ruling {
    Ruling::Unknown(Doubt::Undocumented {
        status,
        code: Some(raw(state)),
    })
}
