//! What Moyasar's replies say: the general guess by status first, then the documented table.

mod follow_up;
mod payment;

use payonce::provider::{Call, Echo, Refusal, Response, Ruling, Verdict, by_status, excerpt};
use payonce::{Currency, Doubt, Money, OperationKind};

use crate::amount::AMOUNT;
use crate::wire::{self, ApiError, Payment};

/// The verdict on the reply to one send.
///
/// It is never `kept`: no page says that a repeat gets the first reply again. The payment is under
/// our id all the same, so one look-up shows what the first send did. Nor is it ever `replayed`:
/// Moyasar has no such mark.
pub(crate) fn classify(call: &Call<'_>, reply: &Response) -> Verdict {
    match reply.status.as_u16() {
        // A payment that was refused comes with a 201 too: <https://docs.moyasar.com/api/errors>.
        status @ (200 | 201) => match wire::body::<Payment>(reply) {
            Some(payment) => of_payment(call, &payment, status),
            None => Verdict::new(unreadable(status)),
        },
        _ => Verdict::new(of_error(call, reply)),
    }
}

/// What a payment says, in a reply to a send and in a look-up.
pub(crate) fn of_payment(call: &Call<'_>, payment: &Payment, status: u16) -> Verdict {
    let ruling = match (payment.id(), payment.status.as_deref()) {
        (Some(id), Some(state)) => {
            let seen = Seen {
                payment,
                id,
                state,
                status,
            };
            if has_key(call.kind) {
                payment::ruling(call, &seen)
            } else {
                follow_up::ruling(call, &seen)
            }
        }
        _ => unreadable(status),
    };
    let echo = echo(call, payment, &ruling);
    Verdict::new(ruling)
        .with_echo(echo)
        .with_provider_id(payment.id())
}

/// A payment that has an id and a state.
struct Seen<'a> {
    payment: &'a Payment,
    id: &'a str,
    state: &'a str,
    status: u16,
}

impl Seen<'_> {
    /// What one of its amounts is. `None`: it is not there, or no money.
    fn money(&self, units: Option<i64>) -> Option<Money> {
        let currency: Currency = self.payment.currency.as_deref()?.parse().ok()?;
        AMOUNT.money(units?, currency).ok()
    }

    /// A state that Moyasar does not document for this kind.
    fn undocumented(&self) -> Ruling {
        undocumented(self.status, Some(self.state))
    }

    fn unreadable(&self) -> Ruling {
        unreadable(self.status)
    }
}

/// Whether the operation makes a payment, whose id is our key.
pub(crate) const fn has_key(kind: OperationKind) -> bool {
    matches!(kind, OperationKind::Charge | OperationKind::Authorize)
}

/// The documented table: <https://docs.moyasar.com/api/errors>. A 4xx had no effect, a 5xx may
/// have had one: <https://docs.moyasar.com/api/idempotency>. Which type comes with which status is
/// documented for 400 and 401 only, so for the others every type that speaks of the request
/// counts. A machine before Moyasar answers with none of them.
fn of_error(call: &Call<'_>, reply: &Response) -> Ruling {
    let status = reply.status.as_u16();
    let error: ApiError = wire::body(reply).unwrap_or_default();
    match (status, error.kind.as_deref()) {
        // Only the text tells, and it is known from public code, not from a page. A wrong guess
        // costs a look-up by our id, while a duplicate taken for a refusal would free the way for
        // a second payment.
        (400, _) if has_key(call.kind) && error.is_about_the_id() => Ruling::Repeated,
        (400 | 404, Some("invalid_request_error")) => Ruling::Rejected(refusal(&error)),
        (401, Some("authentication_error"))
        // The key may not do this, or the account may not go live yet.
        | (
            403 | 405,
            Some("account_inactive_error" | "authentication_error" | "invalid_request_error"),
        ) => Ruling::Unauthorized,
        (429, Some("rate_limit_error")) => Ruling::NoEffect,
        (_, kind) => {
            let guess = by_status(reply).ruling;
            if matches!(guess, Ruling::Unknown(Doubt::Undocumented { .. })) {
                undocumented(status, kind)
            } else {
                guess
            }
        }
    }
}

fn refusal(error: &ApiError) -> Refusal {
    let code = error.kind.as_deref().unwrap_or_default();
    Refusal::new(raw(code))
        .with_reason(error.fields().as_deref().map(raw).as_deref())
        .with_message(error.message.as_deref())
}

/// Whether a payment names our key: by its id, and in its metadata. What differs anywhere is
/// foreign, even if it agrees elsewhere. The id alone is not enough: somebody else may have made a
/// payment under a key that the merchant gave us.
fn echo(call: &Call<'_>, payment: &Payment, ruling: &Ruling) -> Echo {
    let id = payment.id();
    if !has_key(call.kind) {
        // It is the parent that is shown, or it is another payment.
        return match id {
            Some(id) if call.parent != Some(id) => Echo::Foreign,
            Some(_) | None => Echo::NotExpected,
        };
    }
    let key = call.key.as_str();
    let again = payment.key();
    if id.into_iter().chain(again).any(|named| named != key) {
        return Echo::Foreign;
    }
    match ruling {
        Ruling::Succeeded(_)
        | Ruling::Declined(_)
        | Ruling::Canceled(_)
        | Ruling::ActionRequired(_) => {
            if again.is_some() {
                Echo::Ours
            } else {
                Echo::Missing
            }
        }
        Ruling::Rejected(_)
        | Ruling::Pending(_)
        | Ruling::InProgress
        | Ruling::NoEffect
        | Ruling::Unauthorized
        | Ruling::Repeated
        | Ruling::KeyMismatch
        | Ruling::Unknown(_) => Echo::NotExpected,
    }
}

/// The reply is not what Moyasar sends.
const fn unreadable(status: u16) -> Ruling {
    Ruling::Unknown(Doubt::Unreadable {
        status: Some(status),
    })
}

fn undocumented(status: u16, code: Option<&str>) -> Ruling {
    Ruling::Unknown(Doubt::Undocumented {
        status,
        code: code.map(raw),
    })
}

/// A word of Moyasar's as it came, but never without end.
fn raw(text: &str) -> String {
    excerpt(text, 100)
}
