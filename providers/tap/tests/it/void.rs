//! Voids after a lost reply: what the authorization showed before and shows now.

use payonce::OperationKind::Void;
use payonce::conformance::lines;
use payonce::provider::{LookUpStep, Provider, Query, Response};
use payonce::{Doubt, Timestamp};

use crate::kit::{AUTHORIZATION, call, fixture, key, reply, tap};

/// Half a second before the fixture says that it was voided.
const SENT: Timestamp = Timestamp::from_millis(1_764_500_000_000);
const UNCHANGED: &str = "unclear: the payment shows no change";
const OTHER: &str = "unclear: the payment shows another change than ours";
const UNTIMED: &str = "unclear: the payment does not show that it was voided after the request";

fn held() -> Response {
    fixture(Void, "200_still_authorized")
}

fn void() -> String {
    String::from_utf8(fixture(Void, "200_void").body).unwrap()
}

fn baseline(reply: &Response) -> Result<String, Doubt> {
    tap().baseline().unwrap().read(&call(Void, &key()), reply)
}

fn compared(before: Option<&str>, now: &str) -> String {
    let (tap, key) = (tap(), key());
    let query = Query::new(None, SENT, SENT).with_baseline(before);
    let step = tap
        .look_up()
        .unwrap()
        .next(&call(Void, &key), &query, &[reply(200, now)]);
    match step {
        LookUpStep::Done(found) => lines::finding(&found).replace(AUTHORIZATION, "AUTH"),
        LookUpStep::Ask(request) => panic!("asks for {}", request.path),
    }
}

#[test]
fn the_authorization_is_read_before_and_after_in_the_same_way() {
    let (tap, key) = (tap(), key());
    let call = call(Void, &key);
    let before = tap.baseline().unwrap().request(&call);
    assert_eq!(before.method, http::Method::GET);
    assert_eq!(before.path, format!("/v2/authorize/{AUTHORIZATION}"));
    let query = Query::new(Some("auth_another"), SENT, SENT);
    let step = tap.look_up().unwrap().next(&call, &query, &[]);
    assert_eq!(step, LookUpStep::Ask(before));
}

/// It is stored, and read again by a later version.
#[test]
fn the_stored_form_stays() {
    assert_eq!(baseline(&held()).as_deref(), Ok("AUTHORIZED"));
}

#[test]
fn a_void_after_our_request_is_ours() {
    let before = baseline(&held()).unwrap();
    let found = compared(Some(&before), &void());
    assert_eq!(found, "[AUTH: succeeded VOID AUTH 480.00 SAR; -]");
}

/// The request may still be on its way.
#[test]
fn no_change_proves_nothing() {
    let held = String::from_utf8(held().body).unwrap();
    assert_eq!(compared(Some("AUTHORIZED"), &held), UNCHANGED);
    assert_eq!(compared(Some("VOID"), &void()), UNCHANGED);
}

/// Somebody else voided it, or it ran out: what our request does then is not known.
#[test]
fn a_void_at_another_time_or_of_no_time_is_not_ours() {
    for (from, to) in [
        ("1764500000500", "1764499999999"),
        ("1764500000500,", "null,"),
        ("\"status\": \"VOID\",\n      \"currency\"", "\"currency\""),
        ("activities", "history"),
    ] {
        let changed = void().replace(from, to);
        assert_ne!(changed, void(), "{from}");
        assert_eq!(compared(Some("AUTHORIZED"), &changed), UNTIMED, "{from}");
    }
}

#[test]
fn another_change_is_held() {
    let captured = void().replace("\"VOID\"", "\"CAPTURED\"");
    assert_eq!(compared(Some("AUTHORIZED"), &captured), OTHER);
    assert_eq!(compared(Some("CAPTURED"), &void()), OTHER);
    let other = void().replacen("480.00", "48.00", 1);
    assert_eq!(compared(Some("AUTHORIZED"), &other), OTHER);
    let unknown = "unclear: it is not known what the payment showed before";
    assert_eq!(compared(None, &void()), unknown);
    let another = void().replace(AUTHORIZATION, "auth_TS01Another");
    let not_about = "unclear: a reply was not about the payment";
    assert_eq!(compared(Some("AUTHORIZED"), &another), not_about);
}

/// A void is of the whole payment, whatever the merchant thinks that it is.
#[test]
fn another_payment_or_amount_is_refused_before_the_send() {
    let body = String::from_utf8(held().body).unwrap();
    for (from, to) in [
        (AUTHORIZATION, "auth_TS01Another"),
        ("480.00", "480.01"),
        ("SAR", "USD"),
    ] {
        let doubt = baseline(&reply(200, body.replace(from, to))).unwrap_err();
        assert!(matches!(doubt, Doubt::Mismatch { .. }), "{from}: {doubt:?}");
    }
    for reply in [reply(500, body), reply(200, ""), reply(404, "{}")] {
        assert!(matches!(baseline(&reply), Err(Doubt::LookUpUnclear { .. })));
    }
}
