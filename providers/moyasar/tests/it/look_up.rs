//! Look-ups of charges and authorizations: by the id, which is our key.

use payonce::OperationKind::{self, Authorize, Charge};
use payonce::Timestamp;
use payonce::conformance::lines;
use payonce::provider::{IdempotencyKey, LookUpStep, Provider, Query, Response};
use serde_json::{Value, json};

use crate::kit::{KEY, call, fixture, key, moyasar, reply};

const SENT: Timestamp = Timestamp::from_millis(1_764_500_000_000);

fn query() -> Query<'static> {
    Query::new(None, SENT, SENT)
}

/// What a reply to the one request of a look-up says.
fn found(kind: OperationKind, reply: Response) -> String {
    let (moyasar, key) = (moyasar(), key());
    let look_up = moyasar.look_up().unwrap();
    match look_up.next(&call(kind, &key), &query(), &[reply]) {
        LookUpStep::Done(found) => lines::finding(&found).replace(KEY, "KEY"),
        LookUpStep::Ask(request) => panic!("asks for {}", request.path),
    }
}

/// The payment of a fixture, as a look-up shows it.
fn shown(name: &str) -> Response {
    reply(200, fixture(Charge, name).body)
}

#[test]
fn the_payment_is_asked_for_by_our_key_whatever_else_is_known() {
    let (moyasar, key) = (moyasar(), key());
    for kind in [Charge, Authorize] {
        for id in [None, Some("another"), Some("../refund")] {
            let query = Query::new(id, SENT, SENT);
            let step = moyasar
                .look_up()
                .unwrap()
                .next(&call(kind, &key), &query, &[]);
            let LookUpStep::Ask(request) = step else {
                panic!("no request")
            };
            assert_eq!(request.method, http::Method::GET);
            assert_eq!(request.path, format!("/v1/payments/{KEY}"));
            assert!(request.body.is_empty());
        }
    }
}

#[test]
fn a_key_that_cannot_stand_in_a_path_is_not_put_there() {
    for bad in ["", "../refund", "a b", "a?b"] {
        let key = IdempotencyKey::new(bad);
        let step = moyasar()
            .look_up()
            .unwrap()
            .next(&call(Charge, &key), &query(), &[]);
        assert!(matches!(step, LookUpStep::Done(_)), "{bad}");
    }
}

#[test]
fn what_is_found_is_read_as_a_reply_is() {
    for (name, expected) in [
        ("201_paid", "[KEY: succeeded paid KEY 480.00 SAR; ours]"),
        (
            "200_refunded",
            "[KEY: succeeded refunded KEY 480.00 SAR; ours]",
        ),
        ("201_failed", "[KEY: declined failed 51 KEY; ours]"),
        ("200_voided", "[KEY: canceled voided - KEY; ours]"),
        (
            "200_abandoned",
            "[KEY: unknown: undocumented 200 abandoned; -]",
        ),
        (
            "201_paid_other_amount",
            "[KEY: succeeded paid KEY 48000.00 SAR; ours]",
        ),
        (
            "201_paid_no_metadata",
            "[KEY: succeeded paid KEY 480.00 SAR; missing]",
        ),
        (
            "201_paid_other_key_in_metadata",
            "[KEY: succeeded paid KEY 480.00 SAR; foreign]",
        ),
    ] {
        assert_eq!(found(Charge, shown(name)), expected, "{name}");
    }
    assert_eq!(
        found(Authorize, shown("201_authorized")),
        "[KEY: succeeded authorized KEY 480.00 SAR; ours]"
    );
}

/// Only then may the same bytes be sent again.
#[test]
fn absent_is_moyasars_own_404_only() {
    let missing =
        json!({ "type": "invalid_request_error", "message": "Not found", "errors": null });
    assert_eq!(found(Charge, reply(404, missing.to_string())), "absent");
    let pages = [
        "<html>404</html>",
        "",
        "{}",
        "[]",
        r#"{"error":"no route"}"#,
    ];
    for page in pages {
        assert_eq!(
            found(Charge, reply(404, page)),
            "unclear: the gateway answered 404",
            "{page}"
        );
    }
    for status in [400, 401, 403, 429, 500, 503] {
        let answer = reply(status, missing.to_string());
        assert_eq!(
            found(Charge, answer),
            format!("unclear: the gateway answered {status}")
        );
    }
}

#[test]
fn what_is_no_payment_of_ours_is_unclear() {
    let mut other: Value = fixture(Charge, "201_paid").json().unwrap();
    other["id"] = json!("0e8f7a6b-1c2d-4e3f-8a4b-5c6d7e8f9a0b");
    for body in [
        other.to_string(),
        String::new(),
        "<html>".to_owned(),
        "[]".to_owned(),
        "{}".to_owned(),
    ] {
        assert_eq!(
            found(Charge, reply(200, body)),
            "unclear: a reply could not be read"
        );
    }
}
