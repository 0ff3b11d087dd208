//! What a payment says about the charge or authorization that made it.

use payonce::provider::{Call, Effect, NextAction, Refusal, Ruling};
use payonce::{Doubt, Money, OperationKind};

use super::{Seen, raw};

/// The ruling of a payment: <https://docs.moyasar.com/payment-status-reference>.
pub(super) fn ruling(call: &Call<'_>, seen: &Seen<'_>) -> Ruling {
    let payment = seen.payment;
    let asked = seen.money(payment.amount);
    let manual = call.kind == OperationKind::Authorize;
    match (manual, seen.state) {
        // A refund is a later fact: the money was taken, or held and then taken.
        (false, "paid" | "refunded") | (true, "authorized" | "captured" | "refunded") => {
            success(seen, asked)
        }
        (false, "captured") => success(seen, seen.money(payment.captured)),
        // A payment of another amount is not the one that we asked for, whatever its state.
        _ if asked != Some(call.money) => match asked {
            None if payment.amount.is_none() => seen.unreadable(),
            got => Ruling::Unknown(Doubt::Mismatch {
                sent: call.money,
                got,
                provider_id: seen.id.to_owned(),
            }),
        },
        (_, "initiated") => action(seen),
        (_, "failed") => declined(seen),
        // An older page shows the word `void` in its example.
        (_, "voided" | "void") => {
            Ruling::Canceled(Refusal::new(raw(seen.state)).with_provider_id(Some(seen.id)))
        }
        // `paid` of an authorization took what was only to be held, `authorized` of a charge holds
        // what was to be taken, and `verified` is about a card. `abandoned` is on no page, and so
        // nobody says that such a payment can never be paid any more.
        _ => seen.undocumented(),
    }
}

fn success(seen: &Seen<'_>, money: Option<Money>) -> Ruling {
    match money {
        Some(money) => Ruling::Succeeded(Effect::new(seen.id, money, raw(seen.state))),
        None => seen.unreadable(),
    }
}

/// The page of the bank. What a wallet by telephone has there takes a one-time password and is no
/// page; this adapter never asks for one.
fn action(seen: &Seen<'_>) -> Ruling {
    let source = seen.payment.source.as_ref();
    let wallet = source.is_some_and(|source| source.kind.as_deref() == Some("stcpay"));
    let url = source.and_then(|source| source.transaction_url.as_deref());
    let is_page = |url: &&str| url.starts_with("https://") || url.starts_with("http://");
    match url.filter(is_page).filter(|_| !wallet) {
        Some(url) => {
            Ruling::ActionRequired(NextAction::new(seen.id, raw(seen.state)).with_url(Some(url)))
        }
        // The customer has nowhere to go, and no page says what else it waits for.
        None => seen.unreadable(),
    }
}

fn declined(seen: &Seen<'_>) -> Ruling {
    let source = seen.payment.source.as_ref();
    let code = source.and_then(|source| source.response_code.as_deref());
    let message = source.and_then(|source| source.message.as_deref());
    Ruling::Declined(
        Refusal::new(raw(seen.state))
            .with_reason(code.map(raw).as_deref())
            .with_message(message)
            .with_provider_id(Some(seen.id)),
    )
}
