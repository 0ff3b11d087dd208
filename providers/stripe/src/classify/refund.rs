//! What a refund says, in a reply to a send and in a look-up.

use payonce::Doubt;
use payonce::provider::{Call, Effect, PendingAt, Refusal, Ruling};

use super::payment::{differs, shown};
use super::{raw, unreadable};
use crate::wire::Refund;

/// The ruling of a refund: <https://docs.stripe.com/api/refunds/object>.
pub(crate) fn ruling(call: &Call<'_>, refund: &Refund, status: u16) -> Ruling {
    let (Some(id), Some(state)) = (refund.id(), refund.status.as_deref()) else {
        return unreadable(status);
    };
    let another = call
        .parent
        .is_none_or(|parent| refund.is_of_another(parent));
    if another || refund.is_other_object() {
        return unreadable(status);
    }
    let given = shown(refund.amount, refund.currency.as_deref());
    if state == "succeeded" {
        return given.money().map_or_else(
            || unreadable(status),
            |given| Ruling::Succeeded(Effect::new(id, given, state)),
        );
    }
    if let Some(mismatch) = differs(call, &given, id) {
        return mismatch;
    }
    match state {
        // `requires_action`: Stripe asks the customer where the money shall go, by an e-mail of
        // its own (<https://docs.stripe.com/refunds>). There is no page to hand out.
        "pending" | "requires_action" => Ruling::Pending(PendingAt::new(id, state)),
        // The bank did not take the money, and it is back in the balance:
        // <https://docs.stripe.com/refunds#failed-refunds>. Stripe sends it nowhere else.
        "failed" => Ruling::Declined(refusal(refund, id, state)),
        // Only a refund that waits for the customer can be canceled, before money moved:
        // <https://docs.stripe.com/api/refunds/cancel>.
        "canceled" => Ruling::Canceled(refusal(refund, id, state)),
        _ => Ruling::Unknown(Doubt::Undocumented {
            status,
            code: Some(raw(state)),
        }),
    }
}

fn refusal(refund: &Refund, id: &str, state: &str) -> Refusal {
    let reason = refund.failure_reason.as_deref().map(raw);
    Refusal::new(state)
        .with_reason(reason.as_deref())
        .with_provider_id(Some(id))
}
