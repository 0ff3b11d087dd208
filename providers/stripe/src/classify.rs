//! What Stripe's replies say: the general guess by status first, then the documented table.

mod contradiction;
mod parent;
mod payment;
mod refund;

use payonce::provider::{
    Advice, Call, Echo, IdempotencyKey, Refusal, Response, Ruling, Verdict, by_status, excerpt,
};
use payonce::{Doubt, OperationKind};

pub(crate) use self::parent::{
    CANCELABLE, capture as capture_ruling, capture_key, carries_capture, never_captured, of_ours,
    void as void_ruling,
};
pub(crate) use self::payment::{ruling as payment_ruling, unreadable};
pub(crate) use self::refund::ruling as refund_ruling;
use crate::rule::KEY_NAME;
use crate::wire::{self, ApiError, Envelope, Keyed, PaymentIntent};

/// The verdict on the reply to one send.
pub(crate) fn classify(call: &Call<'_>, reply: &Response) -> Verdict {
    let body = Body::of(call, reply);
    let replayed = is_true(reply.header("idempotent-replayed"));
    let advice = advice(reply);
    let ruling = by_table(call, reply, &body);
    let ruling = if contradiction::of(call, &ruling, &body, replayed, advice) {
        undocumented(reply, &body)
    } else {
        of_our_amount(ruling, call, &body)
    };
    let headers = header_keys(reply);
    let named = headers.iter().copied().chain(body.key(call));
    let echo = echo(call.key, named, &ruling, body.made(call).is_some());
    Verdict::new(ruling)
        .with_echo(echo)
        .with_kept(replayed || is_kept(reply, &body))
        .with_replayed(replayed)
        .with_advice(advice)
        .with_provider_id(body.id(call))
        .with_request_id(reply.header("request-id"))
}

/// A body as far as it can be read. The payment is the reply itself, or the one that an error
/// names.
struct Body {
    payment: Option<PaymentIntent>,
    refund: Option<wire::Refund>,
    error: Option<ApiError>,
}

impl Body {
    fn of(call: &Call<'_>, reply: &Response) -> Self {
        let value = reply.json();
        let mut body = Self {
            payment: None,
            refund: None,
            error: None,
        };
        if reply.status.as_u16() != 200 {
            let envelope: Option<Envelope> = value.and_then(wire::read);
            body.error = envelope.and_then(|envelope| envelope.error);
            let payment = body.error.as_mut();
            let payment = payment.and_then(|error| error.payment_intent.take());
            body.payment = payment.map(|payment| *payment);
        } else if call.kind == OperationKind::Refund {
            body.refund = value.and_then(wire::read);
        } else {
            body.payment = value.and_then(wire::read);
        }
        body
    }

    fn code(&self) -> Option<&str> {
        self.error.as_ref()?.code.as_deref()
    }

    fn kind(&self) -> Option<&str> {
        self.error.as_ref()?.kind.as_deref()
    }

    /// The key that the object of our request names. An error of a capture, a refund or a void
    /// shows the payment as it was before: what is written there says nothing about whose reply
    /// this is.
    fn key(&self, call: &Call<'_>) -> Option<&str> {
        let payment = self.payment.as_ref();
        match call.kind {
            OperationKind::Charge | OperationKind::Authorize => {
                payment?.metadata.as_ref()?.get(KEY_NAME)
            }
            OperationKind::Capture if self.error.is_none() => capture_key(payment?),
            OperationKind::Refund => self.refund.as_ref()?.metadata()?.get(KEY_NAME),
            OperationKind::Capture | OperationKind::Void | _ => None,
        }
    }

    /// The payment that our request made, also where it was refused. A capture, a refund and a
    /// void make none: theirs was there before.
    fn made(&self, call: &Call<'_>) -> Option<&PaymentIntent> {
        let makes = matches!(call.kind, OperationKind::Charge | OperationKind::Authorize);
        self.payment.as_ref().filter(|_| makes)
    }

    /// The id of what our request made.
    fn id(&self, call: &Call<'_>) -> Option<&str> {
        let refund = self.refund.as_ref().and_then(wire::Refund::id);
        self.made(call).and_then(PaymentIntent::id).or(refund)
    }
}

/// The documented table: <https://docs.stripe.com/api/errors> and
/// <https://docs.stripe.com/error-low-level>.
fn by_table(call: &Call<'_>, reply: &Response, body: &Body) -> Ruling {
    let status = reply.status.as_u16();
    let code = body.code().unwrap_or_default();
    match status {
        200 => answer(call, body, status),
        400 => bad_request(call, reply, body, code),
        // A machine before Stripe may answer so as well, whatever became of the request behind it.
        401 | 403 if is_of_the_request(body) => Ruling::Unauthorized,
        402 if body.kind() == Some("card_error") => Ruling::Declined(refusal(call, body)),
        404 if is_of_the_request(body) && code == "resource_missing" => {
            Ruling::Rejected(refusal(call, body))
        }
        409 if code == "idempotency_key_in_use" => Ruling::InProgress,
        429 => too_many_requests(reply, body, code),
        _ => general(reply, body),
    }
}

/// What the object in a 200 says.
fn answer(call: &Call<'_>, body: &Body, status: u16) -> Ruling {
    let payment = |ruling: fn(&Call<'_>, &PaymentIntent, u16) -> Ruling| {
        let payment = body.payment.as_ref();
        payment.map(|payment| ruling(call, payment, status))
    };
    let refund = body.refund.as_ref();
    let ruling = match call.kind {
        OperationKind::Charge | OperationKind::Authorize => payment(payment_ruling),
        OperationKind::Capture => payment(capture_ruling),
        OperationKind::Void => payment(void_ruling),
        OperationKind::Refund => refund.map(|refund| refund_ruling(call, refund, status)),
        _ => None,
    };
    ruling.unwrap_or_else(|| unreadable(status))
}

/// What the status alone allows one to say, with the code that came with it.
fn general(reply: &Response, body: &Body) -> Ruling {
    let guess = by_status(reply).ruling;
    if matches!(guess, Ruling::Unknown(Doubt::Undocumented { .. })) {
        return undocumented(reply, body);
    }
    guess
}

/// Refusals of the request. What they say of the payment (it is captured, refunded or canceled
/// already, or has less left) may be due to an earlier send of ours: the engine knows of those, and
/// looks up.
fn bad_request(call: &Call<'_>, reply: &Response, body: &Body, code: &str) -> Ruling {
    match (body.kind(), code) {
        (Some("idempotency_error"), _) => Ruling::KeyMismatch,
        // These speak of another request with our key or object, so they refuse nothing.
        (_, "idempotency_key_in_use" | "lock_timeout") => undocumented(reply, body),
        _ if is_of_the_request(body) => canceled_before(call, body, code)
            .unwrap_or_else(|| Ruling::Rejected(refusal(call, body))),
        _ => undocumented(reply, body),
    }
}

/// A void of what is canceled already is refused, but what it is asked for is so. The error shows
/// the payment.
fn canceled_before(call: &Call<'_>, body: &Body, code: &str) -> Option<Ruling> {
    if call.kind != OperationKind::Void || code != "payment_intent_unexpected_state" {
        return None;
    }
    let payment = body.payment.as_ref()?;
    let ours = of_ours(call, payment).is_some() && payment.is_in(&["canceled"]);
    ours.then(|| void_ruling(call, payment, 400))
}

fn too_many_requests(reply: &Response, body: &Body, code: &str) -> Ruling {
    match (body.kind(), code) {
        // No page says that a request which did not get its lock had no effect. The same key,
        // sent again, brings the answer. A refused card is no rate limit, whatever its status.
        (_, "lock_timeout" | "idempotency_key_in_use") | (Some("card_error"), _) => {
            undocumented(reply, body)
        }
        // Stripe's rate limiter runs before the idempotency layer, and so before everything else:
        // <https://docs.stripe.com/rate-limits>. Another machine's may be behind it.
        (_, "rate_limit") => Ruling::NoEffect,
        _ if reply.header("stripe-rate-limited-reason").is_some() => Ruling::NoEffect,
        _ => undocumented(reply, body),
    }
}

/// Whether it is Stripe's own word that the request was wrong.
fn is_of_the_request(body: &Body) -> bool {
    body.kind() == Some("invalid_request_error")
}

/// A refusal with a payment of another amount is not about ours. A payment that was there before
/// has an amount of its own.
fn of_our_amount(ruling: Ruling, call: &Call<'_>, body: &Body) -> Ruling {
    let refusal = matches!(ruling, Ruling::Declined(_) | Ruling::Rejected(_));
    let payment = body.made(call).filter(|_| refusal);
    payment
        .and_then(|payment| payment::mismatch(call, payment))
        .unwrap_or(ruling)
}

/// Where the reply names an object, that object's state; else the error's code or type.
fn undocumented(reply: &Response, body: &Body) -> Ruling {
    let payment = body.payment.as_ref();
    let state = payment.and_then(|payment| payment.status.as_deref());
    let code = body.code().or_else(|| body.kind());
    Ruling::Unknown(Doubt::Undocumented {
        status: reply.status.as_u16(),
        code: state.or(code).map(raw),
    })
}

fn refusal(call: &Call<'_>, body: &Body) -> Refusal {
    let id = body.id(call);
    body.error
        .as_ref()
        .map(|error| payment::refusal(error, id))
        .unwrap_or_default()
}

/// A word of Stripe's as it came, but never without end.
fn raw(text: &str) -> String {
    excerpt(text, 100)
}

/// Whether Stripe documents that it stores a reply of this kind under the key. A 500 that is not
/// Stripe's own may be of something before it.
fn is_kept(reply: &Response, body: &Body) -> bool {
    match reply.status.as_u16() {
        200 => body.payment.is_some() || body.refund.is_some(),
        402 | 500 => body.error.is_some(),
        _ => false,
    }
}

/// The keys that the headers name: one, unless something in between added its own.
fn header_keys(reply: &Response) -> Vec<&str> {
    let values = reply.headers.get_all("idempotency-key").iter();
    let keys = values
        .filter_map(|value| value.to_str().ok())
        .map(str::trim);
    keys.filter(|key| !key.is_empty()).collect()
}

/// Whether the reply names our key. What differs anywhere is foreign, even if it agrees elsewhere.
/// `made`: the reply shows what our request made.
pub(crate) fn echo<'n>(
    key: &IdempotencyKey,
    named: impl Iterator<Item = &'n str>,
    ruling: &Ruling,
    made: bool,
) -> Echo {
    let mut named = named.peekable();
    let any = named.peek().is_some();
    if named.any(|name| name != key.as_str()) {
        return Echo::Foreign;
    }
    let asserts = match ruling {
        Ruling::Succeeded(_)
        | Ruling::Declined(_)
        | Ruling::Canceled(_)
        | Ruling::ActionRequired(_)
        | Ruling::Pending(_) => true,
        // Wrong parameters are refused before the layer that knows keys.
        Ruling::Rejected(_) => made,
        Ruling::InProgress
        | Ruling::NoEffect
        | Ruling::Unauthorized
        | Ruling::Repeated
        | Ruling::KeyMismatch
        | Ruling::Unknown(_) => false,
    };
    match (asserts, any) {
        (true, true) => Echo::Ours,
        (true, false) => Echo::Missing,
        (false, _) => Echo::NotExpected,
    }
}

/// `Stripe-Should-Retry`: <https://docs.stripe.com/error-low-level>.
fn advice(reply: &Response) -> Advice {
    match reply.header("stripe-should-retry") {
        value if is_true(value) => Advice::Retry,
        Some(value) if value.eq_ignore_ascii_case("false") => Advice::Stop,
        Some(_) | None => Advice::None,
    }
}

fn is_true(value: Option<&str>) -> bool {
    value.is_some_and(|value| value.eq_ignore_ascii_case("true"))
}
