use http::Method;
use serde_json::{Value, json};

use super::{Fault, Matcher, PlannedFault, RateLimit, Tamper, When};
use crate::{Close, Reply, Request};

#[test]
fn every_fault_has_its_json() {
    let all = [
        json!({ "fault": "reply_lost", "when": "after" }),
        json!({ "fault": "reply_lost", "when": "before", "how": "rst" }),
        json!({ "fault": "reset_before_reading" }),
        json!({ "fault": "delay", "when": "before", "ms": 5 }),
        json!({ "fault": "hold", "ms": 5 }),
        json!({ "fault": "hold_for_ever", "execute": true }),
        json!({ "fault": "late_arrival", "ms": 5 }),
        json!({ "fault": "server_error", "status": 500, "when": "after", "stored": true }),
        json!({ "fault": "server_error", "status": 503, "when": "before", "retry_after": "1200" }),
        json!({ "fault": "key_in_use" }),
        json!({ "fault": "rate_limited" }),
        json!({ "fault": "rate_limited", "kind": "lock_timeout", "retry_after": "7" }),
        json!({ "fault": "key_reused" }),
        json!({ "fault": "unauthorized" }),
        json!({ "fault": "forbidden" }),
        json!({ "fault": "cut_body" }),
        json!({ "fault": "cut_body", "how": "clean_end", "keep": 28 }),
        json!({ "fault": "html", "status": 502, "size": 20000, "when": "before" }),
        json!({ "fault": "redirect", "status": 301, "location": "/x", "when": "after" }),
        json!({ "fault": "decline" }),
        json!({ "fault": "require_action", "kind": "use_stripe_sdk" }),
        json!({ "fault": "processing" }),
        json!({ "fault": "tamper", "set": { "/amount": 1 }, "headers": { "date": null } }),
        json!({ "fault": "raw", "status": 200, "when": "before", "headers": [["a", "b"]] }),
        json!({ "fault": "together", "faults": [{ "fault": "processing" }, { "fault": "hold", "ms": 1 }] }),
    ];
    for given in all {
        let planned =
            PlannedFault::from_json(&given).unwrap_or_else(|text| panic!("{given}: {text}"));
        let written = planned.to_json();
        assert_eq!(PlannedFault::from_json(&written).as_ref(), Ok(&planned));
        for (name, value) in given.as_object().unwrap() {
            if name != "faults" {
                assert_eq!(&written[name], value, "{name}");
            }
        }
        assert_eq!(
            written["fault"],
            planned
                .fault
                .name()
                .split('+')
                .next()
                .map_or(Value::Null, |name| {
                    if matches!(planned.fault, Fault::Together { .. }) {
                        json!("together")
                    } else {
                        json!(name)
                    }
                })
        );
    }
}

#[test]
fn a_plan_says_for_whom_and_how_often() {
    let given = json!({
        "fault": "key_in_use", "times": 3, "skip": 1,
        "match": { "path": "/v1/refunds", "contains": "order-1", "method": "*", "gateway": "stripe" },
    });
    let matcher = Matcher::any()
        .gateway("stripe")
        .path("/v1/refunds")
        .contains("order-1");
    let expected = Fault::KeyInUse.on(matcher).times(3).skip(1);
    assert_eq!(PlannedFault::from_json(&given), Ok(expected));
    let plain = PlannedFault::from_json(&json!({ "fault": "key_in_use" })).unwrap();
    assert_eq!(plain, PlannedFault::from(Fault::KeyInUse));
    assert_eq!(
        (plain.times, plain.skip, plain.on.method.as_str()),
        (1, 0, "POST")
    );
}

#[test]
fn what_is_misspelt_is_refused_and_named() {
    let wrong = [
        (json!("key_in_use"), "JSON object"),
        (json!({}), "fault"),
        (json!({ "fault": "explode" }), "explode"),
        (json!({ "fault": "reply_lost" }), "when"),
        (json!({ "fault": "reply_lost", "when": "later" }), "later"),
        (json!({ "fault": "key_in_use", "tmies": 2 }), "tmies"),
        (json!({ "fault": "key_in_use", "times": 0 }), "times"),
        (json!({ "fault": "key_in_use", "times": -1 }), "times"),
        (
            json!({ "fault": "key_in_use", "match": { "pathh": "/" } }),
            "pathh",
        ),
        (json!({ "fault": "decline", "reason": "x" }), "reason"),
        (json!({ "fault": "tamper", "put": {} }), "put"),
        (
            json!({ "fault": "server_error", "status": 200, "when": "before" }),
            "500 to 599",
        ),
        (
            json!({ "fault": "redirect", "status": 200, "location": "/", "when": "before" }),
            "300",
        ),
        (
            json!({ "fault": "raw", "status": 100, "when": "before" }),
            "200 to 599",
        ),
        (
            json!({ "fault": "html", "status": 200, "size": 99_000_000, "when": "before" }),
            "size",
        ),
        (
            json!({ "fault": "together", "faults": [{ "fault": "hold", "ms": 1, "s": 2 }] }),
            "\"s\"",
        ),
    ];
    for (given, hint) in wrong {
        let text = PlannedFault::from_json(&given).expect_err("must be refused");
        assert!(text.contains(hint), "{given}: {text}");
    }
}

#[test]
fn a_matcher_looks_at_all_that_is_set() {
    let request = Request::new(Method::POST, "/v1/payment_intents/pi_1/capture?a=x%20y")
        .with_header("Idempotency-Key", "key-7")
        .with_body("metadata%5Border%5D=order%2F1&amount=5");
    let hits = |matcher: Matcher| matcher.matches("stripe", &request);
    let all = Matcher::post()
        .gateway("stripe")
        .path_prefix("/v1/")
        .path_contains("/capture");
    assert!(hits(all.clone().contains("key-7")));
    assert!(!hits(all.clone().contains("key-8")));
    assert!(!hits(all.clone().gateway("adyen")));
    assert!(!hits(all.clone().path("/v1/payment_intents")));
    assert!(!hits(all.clone().path_prefix("/v2/")));
    assert!(!hits(all.method("GET")));
    for text in ["order/1", "order%2F1", "metadata[order]", "x y", "amount=5"] {
        assert!(hits(Matcher::post().contains(text)), "{text}");
    }
    assert!(!hits(Matcher::get()));
    assert!(hits(Matcher::any()));
}

#[test]
fn pointers_reach_everything_and_miss_quietly() {
    let reply = Reply::json(
        http::StatusCode::OK,
        &json!({ "a": { "b/c": [1, 2] }, "d": null }),
    );
    let after = |tamper: Tamper| -> Value {
        serde_json::from_slice(&tamper.apply(reply.clone()).body).unwrap()
    };
    let changed = Tamper::set("/a/b~1c/0", 9)
        .and_set("/a/new", "x")
        .and_remove("/d");
    assert_eq!(
        after(changed),
        json!({ "a": { "b/c": [9, 2], "new": "x" } })
    );
    assert_eq!(after(Tamper::set("", json!([]))), json!([]));
    assert_eq!(after(Tamper::remove("/a/b~1c/0"))["a"]["b/c"], json!([2]));
    let misses = Tamper::set("/x/y", 1)
        .and_set("z", 1)
        .and_remove("/a/b~1c/7")
        .and_remove("q");
    assert_eq!(after(misses), json!({ "a": { "b/c": [1, 2] }, "d": null }));
    let page = Reply::html(http::StatusCode::OK, "<p>");
    assert_eq!(Tamper::set("/a", 1).apply(page.clone()), page);
}

#[test]
fn a_status_that_http_cannot_answer_becomes_500() {
    for status in [0, 99, 100, 199, 1000] {
        assert_eq!(super::status_of(status), 500, "{status}");
    }
    assert_eq!(super::status_of(299), 299);
    let limited = Fault::RateLimited {
        kind: RateLimit::Html,
        retry_after: None,
    };
    assert_eq!(limited.name(), "rate_limited");
    assert_eq!(
        Fault::ReplyLost {
            when: When::After,
            how: Close::Fin
        }
        .name(),
        "reply_lost"
    );
}
