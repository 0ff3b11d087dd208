//! What is asked, and what is found.

use payonce::OperationKind::{self, Capture, Charge, Refund, Void};
use payonce::conformance::lines;
use payonce::provider::{Finding, LookUpStep, Provider, Query, Response};
use payonce::{Doubt, Timestamp};
use serde_json::{Value, json};

use crate::kit::{PARENT, REFUND, call, fixture, key, list, object, reply, square};

const SENT: Timestamp = Timestamp::from_millis(1_796_036_000_000);
const LIST: &str = "/v2/payments?begin_time=2026-11-30T10%3A38%3A20Z&sort_order=ASC&\
                    location_id=L88917AVBK2S5&limit=100";

fn step(kind: OperationKind, query: &Query<'_>, replies: &[Response]) -> LookUpStep {
    let (square, key) = (square(), key());
    let look_up = square.look_up().unwrap();
    look_up.next(&call(kind, &key), query, replies)
}

fn asks(kind: OperationKind, query: &Query<'_>, replies: &[Response]) -> String {
    match step(kind, query, replies) {
        LookUpStep::Ask(request) => {
            assert_eq!(request.method, http::Method::GET);
            assert_eq!(request.headers["square-version"], "2026-05-20");
            request.path
        }
        LookUpStep::Done(found) => panic!("is over: {found:?}"),
    }
}

fn finds(kind: OperationKind, query: &Query<'_>, replies: &[Response]) -> String {
    match step(kind, query, replies) {
        LookUpStep::Done(found) => lines::finding(&found)
            .replace(REFUND, "REFUND")
            .replace(PARENT, "PAYMENT"),
        LookUpStep::Ask(request) => panic!("asks for {}", request.path),
    }
}

fn query() -> Query<'static> {
    Query::new(None, SENT, SENT)
}

fn missing() -> Response {
    fixture(Charge, "404_not_found")
}

fn page(objects: &[Value], cursor: &str) -> Response {
    let body = json!({ "payments": objects, "cursor": cursor });
    reply(200, body.to_string())
}

/// A list of the main location, or of another time, would not show the payment.
#[test]
fn the_list_is_of_our_location_and_of_the_time_since_the_send() {
    assert_eq!(asks(Charge, &query(), &[]), LIST);
    assert_eq!(
        asks(Refund, &query(), &[]),
        "/v2/refunds?begin_time=2026-11-30T10%3A38%3A20Z&sort_order=ASC&limit=100"
    );
}

#[test]
fn what_a_reply_named_is_read_by_its_id_first() {
    let named = Query::new(Some(PARENT), SENT, SENT);
    assert_eq!(asks(Charge, &named, &[]), format!("/v2/payments/{PARENT}"));
    let found = "[PAYMENT: succeeded COMPLETED PAYMENT 480.00 USD; ours]";
    assert_eq!(
        finds(Charge, &named, &[fixture(Charge, "200_completed")]),
        found
    );
    // One that is not there, or is another's, does not end the search.
    assert_eq!(asks(Charge, &named, &[missing()]), LIST);
    let other = fixture(Charge, "200_completed_other_reference");
    assert_eq!(asks(Charge, &named, &[other]), LIST);
    let refund = Query::new(Some(REFUND), SENT, SENT);
    assert_eq!(asks(Refund, &refund, &[]), format!("/v2/refunds/{REFUND}"));
    // What cannot stand in a path is not put there.
    assert_eq!(
        asks(Charge, &Query::new(Some("../x"), SENT, SENT), &[]),
        LIST
    );
}

#[test]
fn every_page_is_read_and_every_match_is_shown() {
    let ours = object(Charge, "200_completed");
    let mut second = ours.clone();
    second["id"] = json!("SECOND");
    let first = page(&[ours], "next=1&x");
    let path = format!("{LIST}&cursor=next%3D1%26x");
    assert_eq!(asks(Charge, &query(), std::slice::from_ref(&first)), path);
    let found = finds(Charge, &query(), &[first, list("payments", &[second])]);
    // The engine raises an alarm for the second.
    assert_eq!(found.matches("succeeded COMPLETED").count(), 2, "{found}");
}

/// A refund of the same amount by hand is not ours.
#[test]
fn a_refund_is_known_by_its_reason_only() {
    let mut by_hand = object(Refund, "200_completed");
    by_hand["reason"] = json!("Broken cup");
    assert_eq!(
        finds(Refund, &query(), &[list("refunds", &[by_hand.clone()])]),
        "absent"
    );
    let both = list("refunds", &[by_hand, object(Refund, "200_completed")]);
    assert_eq!(
        finds(Refund, &query(), &[both]),
        "[REFUND: succeeded COMPLETED REFUND 120.00 USD; ours]"
    );
}

#[test]
fn a_list_that_is_not_whole_proves_nothing() {
    let unreadable = "unclear: a reply could not be read";
    assert_eq!(finds(Charge, &query(), &[list("payments", &[])]), "absent");
    for body in [
        json!({}),
        json!([]),
        json!({ "payments": null }),
        json!({ "payments": [7] }),
        json!({ "payments": [{}] }),
        json!({ "payments": [{ "id": PARENT, "reference_id": 7 }] }),
        json!({ "payments": [], "cursor": 7 }),
        json!({ "payments": [], "errors": [] }),
        json!({ "refunds": [] }),
    ] {
        let found = finds(Charge, &query(), &[reply(200, body.to_string())]);
        assert_eq!(found, unreadable, "{body}");
    }
    for status in [400, 401, 404, 429, 500] {
        let found = finds(Charge, &query(), &[reply(status, "{}")]);
        assert_eq!(found, format!("unclear: the gateway answered {status}"));
    }
    // A page that leads to itself.
    let stuck = [page(&[], "a"), page(&[], "a")];
    assert_eq!(finds(Charge, &query(), &stuck), unreadable);
}

/// Beyond what is read there may be a success: a refusal does not free the way then.
#[test]
fn a_refusal_is_not_the_last_word_where_there_is_more() {
    let pages = |first: &[Value]| -> Vec<Response> {
        (0..10)
            .map(|n| page(if n == 0 { first } else { &[] }, &format!("c{n}")))
            .collect()
    };
    let more = "unclear: there is more since then than is read";
    assert_eq!(finds(Charge, &query(), &pages(&[])), more);
    let failed = pages(&[object(Charge, "200_failed")]);
    assert_eq!(finds(Charge, &query(), &failed), more);
    let paid = finds(Charge, &query(), &pages(&[object(Charge, "200_completed")]));
    assert!(paid.contains("succeeded"), "{paid}");
}

#[test]
fn a_capture_and_a_void_are_known_by_the_state_of_the_payment() {
    for (kind, done, other) in [
        (Capture, "COMPLETED", "CANCELED"),
        (Void, "CANCELED", "COMPLETED"),
    ] {
        assert_eq!(asks(kind, &query(), &[]), format!("/v2/payments/{PARENT}"));
        let shown = |state: &str| {
            let mut body = fixture(kind, "200_still_approved").json().unwrap();
            body["payment"]["status"] = json!(state);
            reply(200, body.to_string())
        };
        let after =
            |before, now: &str| finds(kind, &query().with_baseline(Some(before)), &[shown(now)]);
        let done_line = format!("[PAYMENT: succeeded {done} PAYMENT 480.00 USD; -]");
        assert_eq!(after("APPROVED", done), done_line);
        assert_eq!(after("APPROVED", "APPROVED"), "absent");
        let ended = format!("[PAYMENT: rejected {other} - PAYMENT; -]");
        assert_eq!(after("APPROVED", other), ended);
        // It was so before: somebody else did it.
        let before = format!("[PAYMENT: rejected {done} - PAYMENT; -]");
        assert_eq!(after(done, done), before);
        assert!(after("APPROVED", "PENDING").starts_with("unclear"));
        assert!(after("APPROVED", "HALF").starts_with("unclear"));
        // Without what it showed before nobody can tell.
        assert!(finds(kind, &query(), &[shown(done)]).starts_with("unclear"));
        assert!(finds(kind, &query(), &[missing()]).starts_with("unclear"));
    }
}

#[test]
fn what_a_comparison_shows_is_marked() {
    let query = query().with_baseline(Some("APPROVED"));
    let LookUpStep::Done(Finding::Found(found)) =
        step(Capture, &query, &[fixture(Capture, "200_completed")])
    else {
        panic!("nothing is found");
    };
    assert!(found[0].verdict.ruling.effect().unwrap().inferred);
}

/// Half of an authorization would be captured as the whole, since the request names no amount.
#[test]
fn a_part_is_refused_before_it_is_captured_as_the_whole() {
    let (square, key) = (square(), key());
    let baseline = square.baseline().unwrap();
    for kind in [Capture, Void] {
        let mut order = call(kind, &key);
        let path = baseline.request(&order).path;
        assert_eq!(path, format!("/v2/payments/{PARENT}"));
        let shown = fixture(kind, "200_still_approved");
        assert_eq!(baseline.read(&order, &shown), Ok("APPROVED".to_owned()));
        let other = fixture(kind, "200_other_payment");
        let refused = baseline.read(&order, &other);
        assert!(matches!(refused, Err(Doubt::Mismatch { got: None, .. })));
        let whole = order.money;
        order.money = crate::kit::money("240.00", whole.currency());
        let refused = baseline.read(&order, &shown);
        assert!(
            matches!(refused, Err(Doubt::Mismatch { got, .. }) if got == Some(whole)),
            "{refused:?}"
        );
    }
}
