//! What Adyen's replies say: the general guess by status first, then the documented table.

mod change;
mod payment;

use payonce::provider::{
    Advice, Call, Echo, IdempotencyKey, Refusal, Response, Ruling, Verdict, by_status, excerpt,
};
use payonce::{Doubt, Money};

use crate::encode::pays;
use crate::rule::KEY_HEADER;
use crate::wire::Body;

/// Which request a reply answers, with the key of that.
#[derive(Clone, Copy)]
pub(crate) enum Step<'a> {
    /// That of the operation.
    First(&'a IdempotencyKey),
    /// `/payments/details`, after the customer acted.
    Details(&'a IdempotencyKey),
}

impl<'a> Step<'a> {
    const fn key(self) -> &'a IdempotencyKey {
        match self {
            Self::First(key) | Self::Details(key) => key,
        }
    }
}

/// The verdict on the reply to one send. It is never `replayed`: Adyen has no such mark, the key
/// comes back with the first reply too.
pub(crate) fn classify(call: &Call<'_>, step: Step<'_>, reply: &Response) -> Verdict {
    let body = Body::of(reply);
    let transient = reply
        .header("transient-error")
        .is_some_and(|value| value.eq_ignore_ascii_case("true"));
    let ruling = by_table(call, step, reply, &body, transient);
    let ruling = of_our_amount(ruling, call, &body);
    let status = reply.status.as_u16();
    let echo = echo(call, step, reply, &body);
    let advice = advice(&ruling, status, transient, &body);
    // What was processed is kept. Whether an error is, no page says.
    let kept = matches!(status, 200 | 201) && echo == Echo::Ours && !is_unreadable(&ruling);
    Verdict::new(ruling)
        .with_kept(kept)
        .with_echo(echo)
        .with_advice(advice)
        .with_provider_id(body.id().filter(|_| matches!(status, 200 | 201)))
        .with_request_id(body.id())
}

/// <https://github.com/Adyen/adyen-openapi> has the statuses and the form of an error, and
/// <https://docs.adyen.com/development-resources/api-idempotency> what `transient-error` means. A 429
/// is documented nowhere, so it is not known whether it had an effect.
fn by_table(
    call: &Call<'_>,
    step: Step<'_>,
    reply: &Response,
    body: &Body,
    transient: bool,
) -> Ruling {
    let status = reply.status.as_u16();
    match (status, body.error_code.as_deref()) {
        (200, _) if pays(call.kind) => payment::ruling(call, step, body),
        (201, _) if !pays(call.kind) => change::ruling(call, body),
        (409 | 422, Some("704")) if transient => Ruling::InProgress,
        // Processed already, or in progress: without the header nobody says which.
        (409 | 422, Some("704")) => undocumented(status, Some("704")),
        // A failure that may be over soon is no refusal, whatever else it says.
        (400 | 422, _) if !transient && body.is_error(&["validation", "configuration"]) => {
            Ruling::Rejected(rejection(body))
        }
        (401 | 403, _) if !transient && body.is_error(&["security"]) => Ruling::Unauthorized,
        (_, code) => {
            let guess = by_status(reply).ruling;
            if matches!(guess, Ruling::Unknown(Doubt::Undocumented { .. })) {
                undocumented(status, code)
            } else {
                guess
            }
        }
    }
}

/// A reply that shows another amount than ours is about something else, or about a part. Of a success
/// the engine compares it.
fn of_our_amount(ruling: Ruling, call: &Call<'_>, body: &Body) -> Ruling {
    match &ruling {
        Ruling::Declined(_)
        | Ruling::Canceled(_)
        | Ruling::ActionRequired(_)
        | Ruling::Pending(_) => {
            let got = body.money();
            if body.amount.is_none() || got == Some(call.money) {
                return ruling;
            }
            let id = body.id().unwrap_or("a payment that it did not name");
            mismatch(call, got, id)
        }
        Ruling::Succeeded(_)
        | Ruling::Rejected(_)
        | Ruling::InProgress
        | Ruling::NoEffect
        | Ruling::Unauthorized
        | Ruling::Repeated
        | Ruling::KeyMismatch
        | Ruling::Unknown(_) => ruling,
    }
}

/// Whether the reply names our key. It comes back in the header, and in the body as the reference of
/// what was made. What differs anywhere is foreign, even if it agrees elsewhere.
///
/// Without the header the request was not handled under the key, which Adyen says to take for no
/// protection at all. For these statuses the header is documented, so it must be there; a reply that
/// says "in progress" refuses this send only.
fn echo(call: &Call<'_>, step: Step<'_>, reply: &Response, body: &Body) -> Echo {
    let differs = |named: Option<&str>, ours: Option<&str>| named.is_some() && named != ours;
    let key = Some(call.key.as_str());
    let headers = reply.headers.get_all(KEY_HEADER).iter();
    let mut keys = headers
        .map(|value| value.to_str().map(str::trim).unwrap_or_default())
        .peekable();
    let named = keys.peek().is_some();
    if keys.any(|named| named != step.key().as_str())
        || differs(body.merchant_reference.as_deref(), key)
        || differs(body.reference.as_deref(), key)
        || differs(body.payment_psp_reference.as_deref(), call.parent)
    {
        return Echo::Foreign;
    }
    let in_progress = body.error_code.as_deref() == Some("704");
    match reply.status.as_u16() {
        _ if named => Echo::Ours,
        200 | 201 | 422 if !in_progress => Echo::Missing,
        _ => Echo::NotExpected,
    }
}

/// `transient-error: true`: the key is not used up, try it again. Without it nothing may be tried
/// again, and a repeat would only bring the stored reply. A 200 or 201 that cannot be read was cut on
/// its way; its repeat is whole.
fn advice(ruling: &Ruling, status: u16, transient: bool, body: &Body) -> Advice {
    let readable = body.result_code.is_some() || body.status.is_some();
    let cut = matches!(status, 200 | 201) && !readable;
    if transient {
        Advice::Retry
    } else if matches!(ruling, Ruling::Unknown(_)) && !cut {
        Advice::Stop
    } else {
        Advice::None
    }
}

const fn is_unreadable(ruling: &Ruling) -> bool {
    matches!(ruling, Ruling::Unknown(Doubt::Unreadable { .. }))
}

fn rejection(body: &Body) -> Refusal {
    let code = body.error_code.as_deref().unwrap_or_default();
    Refusal::new(raw(code)).with_message(body.message.as_deref())
}

fn mismatch(call: &Call<'_>, got: Option<Money>, id: &str) -> Ruling {
    Ruling::Unknown(Doubt::Mismatch {
        sent: call.money,
        got,
        provider_id: id.to_owned(),
    })
}

/// The reply is not what Adyen sends.
const fn unreadable(status: u16) -> Ruling {
    Ruling::Unknown(Doubt::Unreadable {
        status: Some(status),
    })
}

/// A word that does not say what happened.
fn undocumented(status: u16, code: Option<&str>) -> Ruling {
    Ruling::Unknown(Doubt::Undocumented {
        status,
        code: code.map(raw),
    })
}

/// A word of Adyen's as it came, but never without end.
fn raw(text: &str) -> String {
    excerpt(text, 100)
}
