//! Look-ups as scripts: what is asked, what comes back, what is found.

use payonce::OperationKind::{self, Authorize, Capture, Charge, Refund};
use payonce::Timestamp;
use payonce::conformance::lines;
use payonce::provider::{LookUpStep, Provider, Query, Response};

use crate::kit::{CHARGE, PAID, call, fixture, key, reply, tap};

const FIRST: Timestamp = Timestamp::from_millis(1_764_500_000_000);
const LAST: Timestamp = Timestamp::from_millis(1_764_500_060_000);
const PERIOD: &str = r#"{"period":{"date":{"from":1764496400000,"to":1764503660000}},"#;

fn next(kind: OperationKind, id: Option<&str>, replies: &[Response]) -> LookUpStep {
    let (tap, key) = (tap(), key());
    let query = Query::new(id, FIRST, LAST);
    tap.look_up()
        .unwrap()
        .next(&call(kind, &key), &query, replies)
}

/// The request of a step, without spaces.
fn asked(step: &LookUpStep) -> String {
    let LookUpStep::Ask(request) = step else {
        panic!("{step:?}")
    };
    let body = String::from_utf8(request.body.clone()).unwrap();
    format!("{} {} {body}", request.method, request.path)
}

fn found(kind: OperationKind, id: Option<&str>, replies: &[Response]) -> String {
    match next(kind, id, replies) {
        LookUpStep::Done(finding) => lines::finding(&finding).replace(CHARGE, "CHG"),
        LookUpStep::Ask(request) => panic!("asks for {}", request.path),
    }
}

fn object(name: &str) -> String {
    String::from_utf8(fixture(Charge, name).body).unwrap()
}

/// A charge of somebody else.
fn other(id: &str) -> String {
    format!(r#"{{"id":"{id}","status":"CAPTURED","reference":{{"transaction":"txn_1"}}}}"#)
}

fn page(more: bool, charges: &[&str]) -> Response {
    let (count, charges) = (charges.len(), charges.join(","));
    reply(
        200,
        format!(r#"{{"count":{count},"has_more":{more},"charges":[{charges}]}}"#),
    )
}

#[test]
fn what_has_no_id_yet_is_sought_among_all_of_the_time() {
    for (kind, path) in [
        (Charge, "/v2/charges/list"),
        (Capture, "/v2/charges/list"),
        (Authorize, "/v2/authorize/list"),
    ] {
        let wanted = format!(
            "POST {path} {{\"limit\":50,{}",
            PERIOD.strip_prefix('{').unwrap()
        );
        let wanted = wanted.trim_end_matches(',').to_owned() + "}";
        assert_eq!(asked(&next(kind, None, &[])), wanted, "{kind}");
    }
    let refunds = format!(r#"POST /v2/refunds/list {{"charges":["{PAID}"],"limit":50}}"#);
    assert_eq!(asked(&next(Refund, None, &[])), refunds);
}

#[test]
fn what_a_reply_named_is_read_by_its_id() {
    let step = next(Charge, Some(CHARGE), &[]);
    assert_eq!(asked(&step), format!("GET /v2/charges/{CHARGE} "));
    let captured = [fixture(Charge, "200_captured")];
    let paid = "[CHG: succeeded CAPTURED CHG 480.00 SAR; ours]";
    assert_eq!(found(Charge, Some(CHARGE), &captured), paid);
    // An id that is none, or of something else, is not asked for.
    for id in ["chg_", "../x", "re_1", "chg_1/2", "", "a\r\nb"] {
        assert!(asked(&next(Charge, Some(id), &[])).starts_with("POST /v2/charges/list"));
    }
}

#[test]
fn c27_every_page_is_read() {
    let first = page(true, &[&other("chg_1"), &other("chg_2")]);
    let step = next(Charge, None, std::slice::from_ref(&first));
    assert!(asked(&step).contains(r#""starting_after":"chg_2""#));
    let captured = object("200_captured");
    let second = page(false, &[&other("chg_3"), &captured]);
    let paid = "[CHG: succeeded CAPTURED CHG 480.00 SAR; ours]";
    assert_eq!(found(Charge, None, &[first.clone(), second.clone()]), paid);
    // The same one on two pages is one.
    let overlapping = page(true, &[&captured]);
    assert_eq!(found(Charge, None, &[overlapping, second]), paid);
    assert_eq!(
        found(Charge, None, &[first, page(false, &[&other("chg_3")])]),
        "absent"
    );
}

/// Two payments under one key are two, and the engine must hear of both.
#[test]
fn every_object_with_our_key_is_found() {
    let captured = object("200_captured");
    let second = captured.replace(CHARGE, "chg_TS01Second");
    let both = page(false, &[&captured, &second]);
    let paid = found(Charge, None, &[both]);
    assert!(paid.contains("[CHG: succeeded") && paid.contains("[chg_TS01Second: succeeded"));
    let declined = object("200_declined");
    let both = page(false, &[&captured, &declined]);
    let two = "unclear: the gateway shows one payment in two states";
    assert_eq!(found(Charge, None, &[both]), two);
}

#[test]
fn a_list_that_cannot_be_read_proves_nothing() {
    let unreadable = "unclear: a reply could not be read";
    for body in [
        "",
        "[]",
        "{}",
        r#"{"charges":[]}"#,
        r#"{"count":0,"charges":[]}"#,
        r#"{"has_more":false,"charges":[]}"#,
        r#"{"count":1,"has_more":false,"charges":[]}"#,
        r#"{"count":0,"has_more":true,"charges":[]}"#,
        r#"{"count":0,"has_more":false,"charges":[],"more":[]}"#,
        r#"{"count":1,"has_more":false,"charges":[{"id":"chg_1"}]}"#,
        r#"{"count":1,"has_more":false,"charges":[{"reference":{}}]}"#,
        r#"{"count":1,"has_more":false,"charges":[{"id":"chg_1","reference":{"transaction":7}}]}"#,
        r#"{"count":1,"has_more":false,"charges":[7]}"#,
    ] {
        assert_eq!(
            found(Charge, None, &[reply(200, body)]),
            unreadable,
            "{body}"
        );
    }
    for status in [201, 302, 400, 401, 404, 429, 500, 503] {
        let reply = reply(status, r#"{"count":0,"has_more":false,"charges":[]}"#);
        let problem = format!("unclear: the gateway answered {status}");
        assert_eq!(found(Charge, None, &[reply]), problem);
    }
}

/// What a reply named is gone: that is no proof that nothing happened.
#[test]
fn a_missing_object_is_not_absent() {
    let missing = r#"{"errors":[{"code":"1144","description":"Charge id not found"}]}"#;
    let found = found(Charge, Some(CHARGE), &[reply(404, missing)]);
    assert_eq!(found, "unclear: the gateway answered 404");
}

#[test]
fn an_object_of_another_key_is_foreign() {
    let foreign = [fixture(Charge, "200_captured_foreign_key")];
    assert!(found(Charge, Some(CHARGE), &foreign).ends_with("foreign]"));
    let another = [fixture(Charge, "200_captured")];
    let unreadable = "unclear: a reply could not be read";
    assert_eq!(found(Charge, Some("chg_TS01Another"), &another), unreadable);
}

/// Right after the request a timeout is no last word; when Tap shows it later, it is.
#[test]
fn a_timeout_is_a_decline_when_it_is_read_again() {
    let timed_out = [fixture(Charge, "200_timed_out")];
    let declined = "[CHG: declined TIMEDOUT 801 CHG; ours]";
    assert_eq!(found(Charge, Some(CHARGE), &timed_out), declined);
}
