//! Ending a payment that the customer left open. The replies are those to a void: it is the same
//! request.

use payonce::OperationKind;
use payonce::conformance::lines;
use payonce::provider::{Call, CloseReply, Closing, IdempotencyKey, Provider, Request};

use crate::kit::{PARENT, call, fixture_of, key, stripe};

const STEP: &str = "7d6f2c1e-0b4a-4f3d-9a2b-1c0d9e8f7a6b";

fn request(call: &Call<'_>, id: &str) -> Option<Request> {
    let (stripe, step) = (stripe(), IdempotencyKey::new(STEP));
    let close = stripe.close(call.kind)?;
    close.close_request(call, &Closing::new(id, &step)).ok()
}

/// The step has a key of its own: under the operation's, Stripe would answer with the payment.
#[test]
fn the_request_names_the_payment_and_the_key_of_the_step() {
    let key = key();
    let request = request(&call(&key), "pi_3Left").unwrap();
    assert_eq!(
        (request.method.as_str(), request.path.as_str()),
        ("POST", "/v1/payment_intents/pi_3Left/cancel")
    );
    assert_eq!(request.headers["idempotency-key"], STEP);
    assert!(request.body.is_empty());
}

#[test]
fn only_payments_can_be_ended_and_only_by_their_id() {
    let key = key();
    for id in ["", "re_1", "ch_1", "pi_1/../x", "pi_1?a=b"] {
        assert!(request(&call(&key), id).is_none(), "{id}");
    }
    for kind in OperationKind::all() {
        let pays = matches!(kind, OperationKind::Charge | OperationKind::Authorize);
        assert_eq!(stripe().close(*kind).is_some(), pays, "{kind}");
    }
}

/// What each documented reply to the cancellation means. One that cannot be read is asked for again.
#[test]
fn a_reply_ends_or_refuses_only_where_it_says_so() {
    let (stripe, own, step) = (stripe(), key(), key());
    let call = call(&own);
    let close = stripe.close(call.kind).unwrap();
    let said = |name: &str| {
        let reply = fixture_of(OperationKind::Void, name);
        match close.close_reply(&call, &Closing::new(PARENT, &step), &reply) {
            CloseReply::Ended => "ended".to_owned(),
            CloseReply::Refused => "refused".to_owned(),
            CloseReply::NoEffect => "no effect".to_owned(),
            CloseReply::Unauthorized => "unauthorized".to_owned(),
            CloseReply::Unknown(why) => format!("unknown: {}", lines::doubt(&why)),
        }
    };
    for (name, expected) in SAID {
        assert_eq!(said(name), expected, "{name}");
    }
}

const SAID: [(&str, &str); 33] = [
    ("200_canceled", "ended"),
    ("200_canceled_foreign_header", "unknown: undocumented 200 -"),
    ("200_canceled_no_amount", "unknown: unreadable 200"),
    ("200_canceled_no_key", "ended"),
    ("200_canceled_no_received", "unknown: unreadable 200"),
    ("200_canceled_other_currency", "ended"),
    ("200_canceled_part_taken", "ended"),
    ("200_canceled_replayed", "ended"),
    ("200_cut", "unknown: unreadable 200"),
    ("200_html", "unknown: unreadable 200"),
    ("200_other_object", "unknown: unreadable 200"),
    ("200_other_payment", "unknown: unreadable 200"),
    (
        "200_requires_capture",
        "unknown: undocumented 200 requires_capture",
    ),
    ("200_succeeded", "unknown: undocumented 200 succeeded"),
    ("400_canceled_before", "ended"),
    ("400_canceled_before_no_amount", "unknown: unreadable 400"),
    ("400_canceled_before_no_header", "ended"),
    (
        "400_canceled_other_code",
        "unknown: undocumented 400 canceled",
    ),
    (
        "400_canceled_other_payment",
        "unknown: undocumented 400 canceled",
    ),
    ("400_captured", "refused"),
    ("400_half_settled", "unknown: undocumented 400 half_settled"),
    ("400_html", "unknown: undocumented 400 -"),
    ("400_idempotency_error", "unknown: undocumented 400 -"),
    ("400_payment_not_shown", "refused"),
    ("400_should_retry", "unknown: undocumented 400 succeeded"),
    ("402_canceled", "unknown: undocumented 402 canceled"),
    ("402_declined", "unknown: undocumented 402 card_declined"),
    (
        "404_resource_missing",
        "unknown: undocumented 404 resource_missing",
    ),
    ("409_key_in_use", "unknown: InProgress"),
    ("429_lock_timeout", "unknown: undocumented 429 lock_timeout"),
    ("429_rate_limit", "no effect"),
    ("500_first", "unknown: server error 500"),
    ("500_replayed", "unknown: server error 500"),
];
