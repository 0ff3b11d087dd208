//! What Square's replies say: the general guess by status first, then the documented table.

mod object;

use payonce::provider::{Call, Echo, Refusal, Response, Ruling, Verdict, by_status, excerpt};
use payonce::{Doubt, OperationKind};

pub(crate) use self::object::{done, of_payment, of_refund, payment as payment_ruling};
use crate::baseline::of_parent;
use crate::codes::{Says, says};
use crate::wire::{self, ApiError, Body, Keyed};

/// The verdict on the reply to one send.
///
/// It is never `kept`: successes are replayed, and what a repeat gets after a refusal is not
/// documented. Nor is it ever `replayed`: Square has no such mark.
pub(crate) fn classify(call: &Call<'_>, reply: &Response) -> Verdict {
    let status = reply.status.as_u16();
    let Some(body) = wire::body::<Body>(reply) else {
        return by_status(reply);
    };
    match (status, &body.errors) {
        (200, None) => of_object(call, &body),
        // A success with an error beside it is none that anybody documents.
        (200, Some(_)) => Verdict::new(undocumented(status, first(&body).code.as_deref())),
        _ => of_error(call, reply, &body),
    }
}

/// Whether the operation makes an object of its own, which names our key.
pub(crate) const fn makes(kind: OperationKind) -> bool {
    !matches!(kind, OperationKind::Capture | OperationKind::Void)
}

/// What the object of a 200 says.
fn of_object(call: &Call<'_>, body: &Body) -> Verdict {
    match (call.kind, &body.payment, &body.refund) {
        (OperationKind::Refund, None, Some(refund)) => of_refund(call, refund),
        (OperationKind::Charge | OperationKind::Authorize, Some(payment), None) => {
            of_payment(call, payment)
        }
        (OperationKind::Capture | OperationKind::Void, Some(payment), None) => {
            let ruling = payment_ruling(call, payment);
            // It is the parent that is shown, or it is another payment.
            let ours = of_parent(call, payment).is_some() || payment.id().is_none();
            let echo = if ours {
                Echo::NotExpected
            } else {
                Echo::Foreign
            };
            Verdict::new(ruling)
                .with_echo(echo)
                .with_provider_id(payment.id())
        }
        _ => Verdict::new(unreadable()),
    }
}

/// The documented table: <https://developer.squareup.com/docs/build-basics/handling-errors>. Several
/// errors speak for the request only if they agree.
fn of_error(call: &Call<'_>, reply: &Response, body: &Body) -> Verdict {
    let status = reply.status.as_u16();
    let errors = body.errors.as_deref().unwrap_or_default();
    let mut all = errors.iter().map(|value| {
        let error: ApiError = wire::read(value.clone()).unwrap_or_default();
        says(status, &error, makes(call.kind))
    });
    let error = first(body);
    let refusal = || refusal(&error);
    let said = all.next().unwrap_or(Says::Nothing);
    let agreed = if all.all(|other| other == said) {
        said
    } else {
        Says::Nothing
    };
    let ruling = match agreed {
        Says::Declined => Ruling::Declined(refusal()),
        Says::DeclinedForGood => Ruling::Declined(refusal().with_do_not_retry(true)),
        Says::Rejected => Ruling::Rejected(refusal()),
        Says::Unauthorized => Ruling::Unauthorized,
        Says::NoEffect => Ruling::NoEffect,
        Says::KeyMismatch => Ruling::KeyMismatch,
        Says::Nothing => general(reply, &error),
    };
    beside(call, body, status, ruling)
}

/// An error may come with what the request made, as `FAILED`:
/// <https://developer.squareup.com/reference/square/payments-api/create-payment>.
fn beside(call: &Call<'_>, body: &Body, status: u16, ruling: Ruling) -> Verdict {
    let shown = match (&body.payment, &body.refund) {
        (None, None) => return Verdict::new(ruling),
        (Some(payment), None) if makes(call.kind) && call.kind != OperationKind::Refund => {
            of_payment(call, payment)
        }
        (None, Some(refund)) if call.kind == OperationKind::Refund => of_refund(call, refund),
        _ => return Verdict::new(undocumented(status, None)),
    };
    let id = shown.provider_id().map(str::to_owned);
    let ruling = match (ruling, shown.ruling) {
        (Ruling::Declined(refusal), Ruling::Declined(_)) => {
            Ruling::Declined(refusal.with_provider_id(id.as_deref()))
        }
        (Ruling::Rejected(refusal), Ruling::Declined(_)) => {
            Ruling::Rejected(refusal.with_provider_id(id.as_deref()))
        }
        // A code that is not known, and a payment that is known to have failed for good.
        (Ruling::Unknown(Doubt::Undocumented { .. }), Ruling::Declined(failed)) => {
            Ruling::Declined(failed)
        }
        (_, Ruling::Unknown(doubt @ Doubt::Mismatch { .. })) | (Ruling::Unknown(doubt), _) => {
            Ruling::Unknown(doubt)
        }
        // The two do not go together.
        _ => undocumented(status, first(body).code.as_deref()),
    };
    Verdict::new(ruling)
        .with_echo(shown.echo)
        .with_provider_id(id.as_deref())
}

/// What the status alone allows one to say, with the code that came with it.
fn general(reply: &Response, error: &ApiError) -> Ruling {
    let guess = by_status(reply).ruling;
    if matches!(guess, Ruling::Unknown(Doubt::Undocumented { .. })) {
        return undocumented(reply.status.as_u16(), error.code.as_deref());
    }
    guess
}

/// The first error. The status is that of the first.
fn first(body: &Body) -> ApiError {
    let first = body.errors.as_ref().and_then(|errors| errors.first());
    first
        .and_then(|value| wire::read(value.clone()))
        .unwrap_or_default()
}

fn refusal(error: &ApiError) -> Refusal {
    Refusal::new(raw(error.code.as_deref().unwrap_or_default()))
        .with_reason(error.field.as_deref().map(raw).as_deref())
        .with_message(error.detail.as_deref())
}

/// The reply is not what Square sends.
const fn unreadable() -> Ruling {
    Ruling::Unknown(Doubt::Unreadable { status: Some(200) })
}

fn undocumented(status: u16, code: Option<&str>) -> Ruling {
    Ruling::Unknown(Doubt::Undocumented {
        status,
        code: code.map(raw),
    })
}

/// A word of Square's as it came, but never without end.
fn raw(text: &str) -> String {
    excerpt(text, 100)
}
