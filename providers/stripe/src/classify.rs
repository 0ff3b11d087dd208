//! What Stripe's replies say: the general guess by status first, then the documented table.

mod payment;

use payonce::Doubt;
use payonce::provider::{
    Advice, Call, Echo, IdempotencyKey, Refusal, Response, Ruling, Verdict, by_status, excerpt,
};

pub(crate) use self::payment::{ruling as payment_ruling, unreadable};
use crate::wire::{self, ApiError, Envelope, PaymentIntent};

/// The verdict on the reply to one send.
pub(crate) fn classify(call: &Call<'_>, reply: &Response) -> Verdict {
    let body = Body::of(reply);
    let replayed = is_true(reply.header("idempotent-replayed"));
    let advice = advice(reply);
    let ruling = by_table(call, reply, &body);
    let ruling = if is_contradicted(&ruling, &body, replayed, advice) {
        undocumented(reply, &body)
    } else {
        of_our_amount(ruling, call, &body)
    };
    let echo = echo(
        call.key,
        &header_keys(reply),
        body.payment.as_ref(),
        &ruling,
    );
    Verdict::new(ruling)
        .with_echo(echo)
        .with_kept(replayed || is_kept(reply, &body))
        .with_replayed(replayed)
        .with_advice(advice)
        .with_provider_id(body.payment.as_ref().and_then(PaymentIntent::id))
        .with_request_id(reply.header("request-id"))
}

/// A body as far as it can be read. The payment is the reply itself, or the one that an error
/// names.
struct Body {
    payment: Option<PaymentIntent>,
    error: Option<ApiError>,
}

impl Body {
    fn of(reply: &Response) -> Self {
        let value = reply.json();
        if reply.status.as_u16() == 200 {
            return Self {
                payment: value.and_then(wire::read),
                error: None,
            };
        }
        let envelope: Option<Envelope> = value.and_then(wire::read);
        let mut error = envelope.and_then(|envelope| envelope.error);
        let payment = error.as_mut().and_then(|error| error.payment_intent.take());
        Self {
            payment: payment.map(|payment| *payment),
            error,
        }
    }

    fn code(&self) -> Option<&str> {
        self.error.as_ref()?.code.as_deref()
    }

    fn kind(&self) -> Option<&str> {
        self.error.as_ref()?.kind.as_deref()
    }
}

/// The documented table: <https://docs.stripe.com/api/errors> and
/// <https://docs.stripe.com/error-low-level>.
fn by_table(call: &Call<'_>, reply: &Response, body: &Body) -> Ruling {
    let status = reply.status.as_u16();
    let code = body.code().unwrap_or_default();
    match status {
        200 => match &body.payment {
            Some(payment) => payment_ruling(call, payment, status),
            None => unreadable(status),
        },
        400 => bad_request(reply, body, code),
        // A machine before Stripe may answer so as well, whatever became of the request behind it.
        401 | 403 if is_of_the_request(body) => Ruling::Unauthorized,
        402 if body.kind() == Some("card_error") => Ruling::Declined(refusal(body)),
        404 if is_of_the_request(body) && code == "resource_missing" => {
            Ruling::Rejected(refusal(body))
        }
        409 if code == "idempotency_key_in_use" => Ruling::InProgress,
        429 => too_many_requests(reply, body, code),
        _ => general(reply, body),
    }
}

/// What the status alone allows one to say, with the code that came with it.
fn general(reply: &Response, body: &Body) -> Ruling {
    let guess = by_status(reply).ruling;
    if matches!(guess, Ruling::Unknown(Doubt::Undocumented { .. })) {
        return undocumented(reply, body);
    }
    guess
}

fn bad_request(reply: &Response, body: &Body, code: &str) -> Ruling {
    match (body.kind(), code) {
        (Some("idempotency_error"), _) => Ruling::KeyMismatch,
        // These speak of another request with our key or object, so they refuse nothing.
        (_, "idempotency_key_in_use" | "lock_timeout") => undocumented(reply, body),
        _ if is_of_the_request(body) => Ruling::Rejected(refusal(body)),
        _ => undocumented(reply, body),
    }
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

/// Whether something else in the reply contradicts a refusal. A refusal says that nothing can
/// happen any more, so whatever speaks against it counts.
fn is_contradicted(ruling: &Ruling, body: &Body, replayed: bool, advice: Advice) -> bool {
    // The payment of an error; that of a 200 is the answer itself.
    let payment = body.payment.as_ref().filter(|_| body.error.is_some());
    let left_in = |states: &[&str]| payment.is_none_or(|left| left.is_in(states));
    match ruling {
        // After a decline the payment waits for another method; no other state is documented.
        Ruling::Declined(_) => !left_in(&["requires_payment_method"]),
        // A refused request may leave a payment that only we could take further. And Stripe may
        // say that the same request can still work.
        Ruling::Rejected(_) => {
            let idle = [
                "requires_payment_method",
                "requires_confirmation",
                "canceled",
            ];
            advice == Advice::Retry || !left_in(&idle)
        }
        // These never reach the layer that stores replies, nor a payment.
        Ruling::NoEffect | Ruling::Unauthorized | Ruling::InProgress => {
            replayed || payment.is_some()
        }
        Ruling::Succeeded(_)
        | Ruling::Canceled(_)
        | Ruling::ActionRequired(_)
        | Ruling::Pending(_)
        | Ruling::Repeated
        | Ruling::KeyMismatch
        | Ruling::Unknown(_) => false,
    }
}

/// A refusal with a payment of another amount is not about ours.
fn of_our_amount(ruling: Ruling, call: &Call<'_>, body: &Body) -> Ruling {
    let refusal = matches!(ruling, Ruling::Declined(_) | Ruling::Rejected(_));
    let payment = body.payment.as_ref().filter(|_| refusal);
    payment
        .and_then(|payment| payment::mismatch(call, payment))
        .unwrap_or(ruling)
}

/// Where the reply names an object, that object's state; else the error's code or type.
fn undocumented(reply: &Response, body: &Body) -> Ruling {
    let state = body
        .payment
        .as_ref()
        .and_then(|payment| payment.status.as_deref());
    let code = body.code().or_else(|| body.kind());
    Ruling::Unknown(Doubt::Undocumented {
        status: reply.status.as_u16(),
        code: state.or(code).map(raw),
    })
}

fn refusal(body: &Body) -> Refusal {
    let id = body.payment.as_ref().and_then(PaymentIntent::id);
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
        200 => body.payment.is_some(),
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
pub(crate) fn echo(
    key: &IdempotencyKey,
    headers: &[&str],
    payment: Option<&PaymentIntent>,
    ruling: &Ruling,
) -> Echo {
    let in_payment = payment.and_then(PaymentIntent::key);
    let mut named = headers.iter().copied().chain(in_payment).peekable();
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
        Ruling::Rejected(_) => payment.is_some(),
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
