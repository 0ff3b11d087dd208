use super::{handle, status};
use crate::testing::{Bench, CHARGE, PAYMENTS};
use crate::{Close, CutBody, Delivery, Fault, Matcher, Tamper, When};

#[test]
fn a_lost_reply_is_with_or_without_effect() {
    for how in [Close::Fin, Close::Rst] {
        for (when, effects) in [(When::Before, 0), (When::After, 1)] {
            let mut bench = Bench::new();
            bench.world.push_fault(Fault::ReplyLost { when, how });
            assert_eq!(handle(&mut bench, "k"), Delivery::Close(how));
            assert_eq!(bench.moved().len(), effects);
            let logged = &bench.world.requests()[0];
            assert_eq!(
                (logged.fault.as_deref(), logged.status),
                (Some("reply_lost"), None)
            );
            assert_eq!(logged.body, CHARGE);
        }
    }
}

#[test]
fn a_reset_before_reading_executes_nothing_and_keeps_no_body() {
    let mut bench = Bench::new();
    bench
        .world
        .push_fault(Fault::ResetBeforeReading.on(Matcher::post().contains("key-1")));
    assert!(matches!(handle(&mut bench, "key-2"), Delivery::Reply(_)));
    assert_eq!(handle(&mut bench, "key-1"), Delivery::Close(Close::Rst));
    assert_eq!(bench.moved().len(), 1);
    let logged = &bench.world.requests()[1];
    assert!(logged.body.is_empty());
    assert_eq!(logged.key.as_deref(), Some("key-1"));
    assert!(bench.world.faults().is_empty());
}

#[test]
fn answers_in_place_of_the_reply_are_with_or_without_effect() {
    for (when, effects) in [(When::Before, 0), (When::After, 1)] {
        let mut bench = Bench::new();
        let location = "http://127.0.0.1:9/x".to_owned();
        bench.world.push_fault(Fault::Html {
            status: 502,
            size: 20_000,
            when,
        });
        bench.world.push_fault(Fault::Redirect {
            status: 307,
            location,
            when,
        });
        let headers = vec![
            ("X-Own".to_owned(), "1".to_owned()),
            ("x-own".to_owned(), "2".to_owned()),
            ("Content-Length".to_owned(), "9".to_owned()),
            (
                "Date".to_owned(),
                "Mon, 01 Jan 2024 00:00:00 GMT".to_owned(),
            ),
        ];
        bench.world.push_fault(Fault::Raw {
            status: 299,
            headers,
            body: "{".to_owned(),
            when,
        });

        let html = bench.post(PAYMENTS, "a", CHARGE);
        assert_eq!((html.status, html.text.len()), (502, 20_000));
        assert_eq!(
            html.header("content-type"),
            Some("text/html; charset=utf-8")
        );
        assert!(html.header("date").is_some());
        let redirect = bench.post(PAYMENTS, "b", CHARGE);
        assert_eq!(redirect.status, 307);
        assert_eq!(redirect.header("location"), Some("http://127.0.0.1:9/x"));
        let raw = bench.post(PAYMENTS, "c", CHARGE);
        assert_eq!((raw.status, raw.text.as_str()), (299, "{"));
        assert_eq!(raw.headers.get_all("x-own").iter().count(), 2);
        assert_eq!(raw.header("content-length"), None);
        assert_eq!(raw.headers.get_all("date").iter().count(), 1);
        assert_eq!(raw.header("date"), Some("Mon, 01 Jan 2024 00:00:00 GMT"));
        assert_eq!(bench.moved().len(), effects * 3);
        assert_eq!(status(&bench, 3), Some(299));
    }
}

#[test]
fn a_tampered_reply_differs_from_what_the_gateway_keeps() {
    let mut bench = Bench::new();
    let tamper = Tamper::set("/amount", 10_000)
        .and_set("/status", "half_settled")
        .and_set("/metadata/order", "other")
        .and_remove("/latest_charge")
        .and_header("idempotency-key", None)
        .and_header("date", Some("yesterday"));
    bench.world.push_fault(Fault::Tamper(tamper));
    let answer = bench.post(PAYMENTS, "k", CHARGE);
    assert_eq!(answer.json["amount"], 10_000);
    assert_eq!(answer.json["status"], "half_settled");
    assert_eq!(answer.json["metadata"]["order"], "other");
    assert!(answer.json.get("latest_charge").is_none());
    assert_eq!(answer.header("idempotency-key"), None);
    assert_eq!(answer.header("date"), Some("yesterday"));

    let kept = bench.post(PAYMENTS, "k", CHARGE);
    assert_eq!(
        (&kept.json["amount"], &kept.json["status"]),
        (&1099.into(), &"succeeded".into())
    );
    assert_eq!(kept.json["metadata"]["order"], "order-1");
}

#[test]
fn a_cut_reply_always_misses_something() {
    let mut bench = Bench::new();
    for keep in [None, Some(5), Some(1_000_000)] {
        bench.world.push_fault(Fault::CutBody {
            how: CutBody::CleanEnd,
            keep,
        });
        let Delivery::Cut {
            reply,
            keep: kept,
            how: CutBody::CleanEnd,
        } = handle(&mut bench, "k")
        else {
            panic!("not cut");
        };
        let whole = reply.body.len();
        assert_eq!(kept, keep.unwrap_or(whole / 2).min(whole - 1));
    }
    assert_eq!(bench.moved().len(), 1);
    assert_eq!(status(&bench, 1), Some(200));
}
