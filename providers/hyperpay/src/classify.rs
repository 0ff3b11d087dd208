//! What HyperPay's replies say. The status decides nothing by itself, the result code does.

mod payment;

use payonce::Doubt;
use payonce::provider::{Call, Echo, Mode, Response, Ruling, Verdict, by_status, excerpt};

pub(crate) use self::payment::{Seen, ruling as payment_ruling};
use crate::wire::{self, Payment};

/// The verdict on the reply to one send. It is never kept: the platform remembers no reply.
pub(crate) fn classify(mode: Mode, call: &Call<'_>, reply: &Response) -> Verdict {
    let payment: Payment = reply.json().and_then(wire::read).unwrap_or_default();
    let ruling = by_code(mode, call, reply, &payment);
    verdict(call, &payment, ruling)
}

/// A ruling with what else the payment says.
pub(crate) fn verdict(call: &Call<'_>, payment: &Payment, ruling: Ruling) -> Verdict {
    let echo = echo(call, payment, &ruling);
    Verdict::new(ruling)
        .with_echo(echo)
        .with_provider_id(payment.id())
        .with_request_id(payment.ndc.as_deref().map(raw).as_deref())
}

/// A declined payment is answered with 200 or with 400, so the status only takes away: a reply of a
/// machine that failed, or that points elsewhere, is no answer whatever it holds.
fn by_code(mode: Mode, call: &Call<'_>, reply: &Response, payment: &Payment) -> Ruling {
    let status = reply.status.as_u16();
    match (status, payment.code()) {
        (200..=299, Some(_)) => payment::ruling(mode, call, payment, Seen::Reply { status }),
        (400..=499, Some(code)) => {
            match payment::ruling(mode, call, payment, Seen::Reply { status }) {
                // A success that comes as an error contradicts itself.
                Ruling::Succeeded(_) | Ruling::Pending(_) | Ruling::ActionRequired(_) => {
                    undocumented(status, code)
                }
                other @ (Ruling::Declined(_)
                | Ruling::Rejected(_)
                | Ruling::Canceled(_)
                | Ruling::InProgress
                | Ruling::NoEffect
                | Ruling::Unauthorized
                | Ruling::Repeated
                | Ruling::KeyMismatch
                | Ruling::Unknown(_)) => other,
            }
        }
        _ => by_status(reply).ruling,
    }
}

/// Whether the reply names our key. Another one is foreign, whatever else it says.
fn echo(call: &Call<'_>, payment: &Payment, ruling: &Ruling) -> Echo {
    match payment.merchant_transaction_id.as_deref() {
        Some(named) if named != call.key.as_str() => return Echo::Foreign,
        Some(_) | None => {}
    }
    let asserts = match ruling {
        Ruling::Succeeded(_)
        | Ruling::Declined(_)
        | Ruling::Canceled(_)
        | Ruling::ActionRequired(_)
        | Ruling::Pending(_) => true,
        // A request that was wrong makes no payment that could name it.
        Ruling::Rejected(_) => payment.id().is_some(),
        Ruling::InProgress
        | Ruling::NoEffect
        | Ruling::Unauthorized
        | Ruling::Repeated
        | Ruling::KeyMismatch
        | Ruling::Unknown(_) => false,
    };
    match (asserts, payment.merchant_transaction_id.is_some()) {
        (true, true) => Echo::Ours,
        (true, false) => Echo::Missing,
        (false, _) => Echo::NotExpected,
    }
}

/// A code that does not say what happened.
fn undocumented(status: u16, code: &str) -> Ruling {
    Ruling::Unknown(Doubt::Undocumented {
        status,
        code: Some(raw(code)),
    })
}

/// A word of the platform's as it came, but never without end.
fn raw(text: &str) -> String {
    excerpt(text, 100)
}
