//! Replies at the edge of what Stripe documents. Each was chosen because a plain reading of it lets
//! the merchant ship unpaid, or charge again.

use http::{HeaderName, HeaderValue};
use payonce::conformance::lines;
use payonce::provider::{Provider, Response};
use serde_json::{Value, json};

use crate::kit::{KEY, call, key, reply, stripe};
use crate::script::payment;

fn verdict(reply: &Response) -> String {
    let key = key();
    lines::verdict(&stripe().classify(&call(&key), reply))
}

/// A payment in this state, with some fields changed.
fn changed(status: &str, fields: &[(&str, Value)]) -> Response {
    let mut payment = payment("pi_1", status, KEY);
    for (name, value) in fields {
        payment[*name] = value.clone();
    }
    reply(200, payment.to_string())
}

fn with_header(mut reply: Response, name: &'static str, value: &'static str) -> Response {
    let name = HeaderName::from_static(name);
    reply.headers.insert(name, HeaderValue::from_static(value));
    reply
}

/// A refused card is no rate limit, even with its status, its code or its header and without a
/// payment beside it. Taken for one, it would be "nothing was done", and the reference free.
#[test]
fn c20_a_card_error_with_status_429_is_no_rate_limit() {
    for code in ["card_declined", "rate_limit"] {
        let error = json!({ "type": "card_error", "code": code });
        let refused = reply(429, json!({ "error": error }).to_string());
        let expected = format!("unknown: undocumented 429 {code}; -");
        assert_eq!(verdict(&refused), expected);
        let limited = with_header(refused, "stripe-rate-limited-reason", "endpoint-rate");
        assert_eq!(verdict(&limited), expected);
    }
}

/// A rate limit that names a payment began to work on it: it is not without effect.
#[test]
fn c20_a_rate_limit_with_a_payment_is_not_without_effect() {
    let error = json!({
        "type": "invalid_request_error", "code": "rate_limit",
        "payment_intent": payment("pi_1", "succeeded", KEY),
    });
    let limited = reply(429, json!({ "error": error }).to_string());
    let expected = "unknown: undocumented 429 succeeded; -";
    assert_eq!(verdict(&limited), expected);
}

/// Stripe asked for the whole amount and received another, or something that is no amount. Read as
/// paid in full, the goods go out for less.
#[test]
fn c43_what_was_received_counts_and_not_what_was_asked_for() {
    for (received, expected) in [
        (
            json!(48_000),
            "succeeded succeeded pi_1 480.00 SAR; ours; kept",
        ),
        (
            json!("48000"),
            "succeeded succeeded pi_1 480.00 SAR; ours; kept",
        ),
        (
            json!(null),
            "succeeded succeeded pi_1 480.00 SAR; ours; kept",
        ),
        (json!(0), "succeeded succeeded pi_1 0.00 SAR; ours; kept"),
        (
            json!("40000"),
            "succeeded succeeded pi_1 400.00 SAR; ours; kept",
        ),
    ] {
        let paid = changed("succeeded", &[("amount_received", received)]);
        assert_eq!(verdict(&paid), expected);
    }
    for received in no_amounts() {
        let paid = changed("succeeded", &[("amount_received", received.clone())]);
        let expected = "unknown: unreadable 200; -; kept";
        assert_eq!(verdict(&paid), expected, "{received}");
    }
}

/// Only whole units are an amount. A sign, a point, an exponent or a space is read differently
/// somewhere, so nothing is made of it.
#[test]
fn c51_odd_amounts_are_no_money() {
    for amount in no_amounts().into_iter().chain([Value::Null]) {
        let fields = [("amount", amount.clone())];
        let expected = "unknown: unreadable 200; -; kept";
        assert_eq!(
            verdict(&changed("succeeded", &fields)),
            expected,
            "{amount}"
        );
    }
}

/// What is no amount of money, though some reader may take it for 480.00 SAR.
fn no_amounts() -> Vec<Value> {
    let mut all: Vec<Value> = [
        "",
        "-5",
        "-48000",
        "+48000",
        " 48000",
        "48000 ",
        "48000.0",
        "48000.00",
        "480.00",
        "4.8e4",
        "1e3",
        "48,000",
        "48_000",
        "0xBB80",
        "٤٨٠٠٠",
        "99999999999999999999",
    ]
    .map(Value::from)
    .into();
    all.extend([json!(-5), json!(-48_000), json!(480.5), json!(true)]);
    all.extend([
        json!([48_000]),
        json!({ "amount": 48_000 }),
        json!(u64::MAX),
    ]);
    let spelled: [Value; 3] =
        ["48000.0", "4.8e4", "1e3"].map(|text| serde_json::from_str(text).unwrap());
    all.extend(spelled);
    all
}

/// Stripe's own advice goes with the verdict, whatever the reply says besides: "do not retry" ends
/// the repeats, and "retry" speaks against a refusal.
#[test]
fn c23_stripes_advice_is_read_on_every_reply() {
    let refused = || {
        let error = json!({ "type": "invalid_request_error", "code": "amount_too_small" });
        reply(400, json!({ "error": error }).to_string())
    };
    for (value, expected) in [
        (
            "true",
            "unknown: undocumented 400 amount_too_small; -; retry",
        ),
        (
            "True",
            "unknown: undocumented 400 amount_too_small; -; retry",
        ),
        ("false", "rejected amount_too_small - -; -; stop"),
        ("FALSE", "rejected amount_too_small - -; -; stop"),
        ("yes", "rejected amount_too_small - -; -"),
        ("", "rejected amount_too_small - -; -"),
    ] {
        let advised = with_header(refused(), "stripe-should-retry", value);
        assert_eq!(verdict(&advised), expected, "{value:?}");
    }
}

/// Whatever its code or its status, "same key, other parameters" never refuses the first request.
#[test]
fn c19_an_idempotency_error_is_a_key_mismatch_and_no_refusal() {
    for code in [
        json!(null),
        json!("amount_too_small"),
        json!("idempotency_key_in_use"),
    ] {
        let error = json!({ "type": "idempotency_error", "code": code });
        let reused = reply(400, json!({ "error": error }).to_string());
        assert_eq!(verdict(&reused), "key mismatch; -", "{code}");
    }
}
