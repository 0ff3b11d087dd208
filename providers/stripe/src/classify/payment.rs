//! What a `PaymentIntent` says, in a reply to a send and in a look-up.

use payonce::provider::{Call, Effect, NextAction, PendingAt, Refusal, Ruling};
use payonce::{Currency, Doubt, Money};

use super::raw;
use crate::amount::AMOUNT;
use crate::wire::{ApiError, PaymentIntent, Received};

/// Declines after which the same payment method must not be tried again, also where no
/// `advice_code` says so: <https://docs.stripe.com/declines/codes>.
const DO_NOT_RETRY: [&str; 13] = [
    "expired_card",
    "fraudulent",
    "incorrect_number",
    "invalid_account",
    "lost_card",
    "merchant_blacklist",
    "pickup_card",
    "restricted_card",
    "revocation_of_all_authorizations",
    "revocation_of_authorization",
    "security_violation",
    "stolen_card",
    "stop_payment_order",
];

/// The ruling of a `PaymentIntent`: <https://docs.stripe.com/payments/paymentintents/lifecycle>.
pub(crate) fn ruling(call: &Call<'_>, payment: &PaymentIntent, status: u16) -> Ruling {
    let (Some(id), Some(state)) = (payment.id(), payment.status.as_deref()) else {
        return unreadable(status);
    };
    if payment.is_other_object() {
        return unreadable(status);
    }
    let undocumented = || {
        Ruling::Unknown(Doubt::Undocumented {
            status,
            code: Some(raw(state)),
        })
    };
    if state == "succeeded" {
        return succeeded(call, payment, id).unwrap_or_else(|| unreadable(status));
    }
    // A payment of another amount is not the one that we asked for, whatever its state.
    if let Some(mismatch) = mismatch(call, payment) {
        return mismatch;
    }
    match state {
        "processing" => Ruling::Pending(PendingAt::new(id, state)),
        "requires_action" => action(payment, id).unwrap_or_else(|| unreadable(status)),
        // After an attempt it was declined; without one nothing was tried, or not yet.
        "requires_payment_method" => match &payment.last_payment_error {
            Some(error) if error.code.is_some() || error.kind.is_some() => {
                Ruling::Declined(refusal(error, Some(id)))
            }
            Some(_) | None => undocumented(),
        },
        "canceled" => Ruling::Canceled(
            Refusal::new(state)
                .with_reason(payment.cancellation_reason.as_deref().map(raw).as_deref())
                .with_provider_id(Some(id)),
        ),
        // `requires_capture`: a charge takes the money at once. `requires_confirmation`: it is
        // confirmed as it is made. Neither is documented for a charge, nor is any other word.
        _ => undocumented(),
    }
}

/// What is to be said of a payment that shows another amount than we asked for.
pub(super) fn mismatch(call: &Call<'_>, payment: &PaymentIntent) -> Option<Ruling> {
    let got = match shown(payment, payment.amount) {
        Shown::Money(money) if money != call.money => Some(money),
        Shown::NoMoney => None,
        Shown::Money(_) | Shown::Nothing => return None,
    };
    let provider_id = payment.id().unwrap_or_default().to_owned();
    Some(Ruling::Unknown(Doubt::Mismatch {
        sent: call.money,
        got,
        provider_id,
    }))
}

/// The reply is not what Stripe sends.
pub(crate) const fn unreadable(status: u16) -> Ruling {
    Ruling::Unknown(Doubt::Unreadable {
        status: Some(status),
    })
}

/// A refusal from an error, with the payment that it left behind.
pub(super) fn refusal(error: &ApiError, id: Option<&str>) -> Refusal {
    let codes = [error.code.as_deref(), error.decline_code.as_deref()];
    let stop = error.advice_code.as_deref() == Some("do_not_try_again")
        || codes
            .iter()
            .flatten()
            .any(|code| DO_NOT_RETRY.contains(code));
    let code = error
        .code
        .as_deref()
        .or(error.kind.as_deref())
        .unwrap_or_default();
    Refusal::new(raw(code))
        .with_reason(error.decline_code.as_deref().map(raw).as_deref())
        .with_message(error.message.as_deref())
        .with_provider_id(id)
        .with_do_not_retry(stop)
}

/// Where Stripe was asked for another amount than ours, that is what must be seen.
fn succeeded(call: &Call<'_>, payment: &PaymentIntent, id: &str) -> Option<Ruling> {
    let Shown::Money(asked) = shown(payment, payment.amount) else {
        return None;
    };
    let moved = match payment.amount_received {
        _ if asked != call.money => asked,
        Received::Unsaid => asked,
        Received::Units(units) => match shown(payment, Some(units)) {
            Shown::Money(received) => received,
            Shown::Nothing | Shown::NoMoney => return None,
        },
        Received::Odd => return None,
    };
    Some(Ruling::Succeeded(Effect::new(id, moved, "succeeded")))
}

/// The page to go to, or what Stripe's front-end code needs where there is no page.
fn action(payment: &PaymentIntent, id: &str) -> Option<Ruling> {
    let next = payment.next_action.as_ref();
    let kind = next
        .and_then(|next| next.kind.as_deref())
        .unwrap_or("requires_action");
    let page = next.and_then(|next| next.redirect_to_url.as_ref());
    let action = NextAction::new(id, raw(kind));
    let action = match page.and_then(|page| page.url.as_deref()) {
        Some(url) => action.with_url(Some(url)),
        None => action.with_client_secret(Some(payment.client_secret.as_deref()?)),
    };
    Some(Ruling::ActionRequired(action))
}

/// What an amount and the currency beside it show.
enum Shown {
    /// One of the two is not there.
    Nothing,
    /// Both are there, but they are no money.
    NoMoney,
    /// This.
    Money(Money),
}

fn shown(payment: &PaymentIntent, units: Option<i64>) -> Shown {
    let (Some(units), Some(currency)) = (units, payment.currency.as_deref()) else {
        return Shown::Nothing;
    };
    let money = currency
        .parse::<Currency>()
        .and_then(|currency| AMOUNT.money(units, currency));
    money.map_or(Shown::NoMoney, Shown::Money)
}
