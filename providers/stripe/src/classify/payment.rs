//! What the `PaymentIntent` of a charge or an authorization says, in a reply to a send and in a
//! look-up.

use payonce::provider::{Call, Effect, NextAction, PendingAt, Refusal, Ruling};
use payonce::{Currency, Doubt, Money, OperationKind};

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
    let is_charge = call.kind == OperationKind::Charge;
    let is_authorization = call.kind == OperationKind::Authorize;
    match state {
        "succeeded" if is_charge => {
            return succeeded(call, payment, id).unwrap_or_else(|| unreadable(status));
        }
        "requires_capture" if is_authorization => {
            return authorized(call, payment, id).unwrap_or_else(|| unreadable(status));
        }
        _ => {}
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
        "canceled" => canceled(payment, id),
        // `requires_capture` of a charge, which takes the money at once. `succeeded` of an
        // authorization: somebody took what was to be reserved, so it is not what was asked for,
        // and not nothing either. `requires_confirmation`: both are confirmed as they are made.
        // None is documented, nor is any other word.
        _ => undocumented(),
    }
}

/// It was ended and can never take money:
/// <https://docs.stripe.com/api/payment_intents/cancel> (every operation on it fails then).
pub(super) fn canceled(payment: &PaymentIntent, id: &str) -> Ruling {
    let reason = payment.cancellation_reason.as_deref().map(raw);
    Ruling::Canceled(
        Refusal::new("canceled")
            .with_reason(reason.as_deref())
            .with_provider_id(Some(id)),
    )
}

/// What is to be said of a payment that shows another amount than we asked for.
pub(super) fn mismatch(call: &Call<'_>, payment: &PaymentIntent) -> Option<Ruling> {
    let shown = shown(payment.amount, payment.currency.as_deref());
    differs(call, &shown, payment.id().unwrap_or_default())
}

/// What is to be said of an object that shows another amount than we asked for.
pub(super) fn differs(call: &Call<'_>, shown: &Shown, id: &str) -> Option<Ruling> {
    let got = match shown {
        Shown::Money(money) if *money != call.money => Some(*money),
        Shown::NoMoney => None,
        Shown::Money(_) | Shown::Nothing => return None,
    };
    Some(Ruling::Unknown(Doubt::Mismatch {
        sent: call.money,
        got,
        provider_id: id.to_owned(),
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
    let currency = payment.currency.as_deref();
    let asked = shown(payment.amount, currency).money()?;
    let moved = match payment.amount_received {
        _ if asked != call.money => asked,
        Received::Unsaid => asked,
        Received::Units(units) => shown(Some(units), currency).money()?,
        Received::Odd => return None,
    };
    Some(Ruling::Succeeded(Effect::new(id, moved, "succeeded")))
}

/// What is reserved is what can be captured, and Stripe says how much that is:
/// <https://docs.stripe.com/payments/place-a-hold-on-a-payment-method>.
fn authorized(call: &Call<'_>, payment: &PaymentIntent, id: &str) -> Option<Ruling> {
    let currency = payment.currency.as_deref();
    let asked = shown(payment.amount, currency).money()?;
    let reserved = shown(payment.amount_capturable, currency).money()?;
    let reserved = if asked == call.money { reserved } else { asked };
    Some(Ruling::Succeeded(Effect::new(
        id,
        reserved,
        "requires_capture",
    )))
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
pub(super) enum Shown {
    /// One of the two is not there.
    Nothing,
    /// Both are there, but they are no money.
    NoMoney,
    /// This.
    Money(Money),
}

impl Shown {
    pub(super) const fn money(self) -> Option<Money> {
        match self {
            Self::Money(money) => Some(money),
            Self::Nothing | Self::NoMoney => None,
        }
    }
}

pub(super) fn shown(units: Option<i64>, currency: Option<&str>) -> Shown {
    let (Some(units), Some(currency)) = (units, currency) else {
        return Shown::Nothing;
    };
    let money = currency
        .parse::<Currency>()
        .and_then(|currency| AMOUNT.money(units, currency));
    money.map_or(Shown::NoMoney, Shown::Money)
}
