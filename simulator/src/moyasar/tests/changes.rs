use serde_json::json;

use super::*;
use crate::EffectKind::{Authorize, Capture, Charge, Refund, Void};
use crate::{Close, Fault, Matcher, When};

fn nothing() -> Value {
    json!({})
}

#[test]
fn a_capture_takes_all_or_a_part_and_only_once() {
    for (body, amount) in [(nothing(), 10_000), (json!({ "amount": 4000 }), 4000)] {
        let mut bench = Bench::new();
        bench.authorized(ID);
        bench.wait(60);
        let captured = bench.change(ID, "capture", &body);
        assert_eq!(
            (captured.status, &captured.json["status"]),
            (200, &json!("captured"))
        );
        assert_eq!(captured.json["captured"], amount);
        assert_eq!(captured.json["captured_at"], "2027-01-15T08:01:00.000Z");
        assert_eq!(captured.json["amount"], 10_000);
        for again in [body, json!({ "amount": 100 })] {
            assert_eq!(refused(&bench.change(ID, "capture", &again)), INVALID);
        }
        assert_eq!(bench.moved(), [(Authorize, 10_000), (Capture, amount)]);
    }
}

#[test]
fn a_capture_needs_a_hold_that_is_large_and_young_enough() {
    let mut bench = Bench::new();
    bench.authorized(ID);
    let over = bench.change(ID, "capture", &json!({ "amount": 10_001 }));
    assert_eq!(refused(&over), INVALID);
    assert!(
        over.json["errors"]["amount"][0]
            .as_str()
            .unwrap()
            .contains("10000")
    );
    bench.charged(OTHER_ID);
    assert_eq!(
        refused(&bench.change(OTHER_ID, "capture", &nothing())),
        INVALID
    );
    bench.wait(7 * 24 * 3600);
    assert_eq!(refused(&bench.change(ID, "capture", &nothing())), INVALID);
    assert_eq!(
        bench.read(ID)["status"],
        "authorized",
        "it still looks as if it could"
    );
    assert_eq!(bench.moved(), [(Authorize, 10_000), (Charge, 10_000)]);
}

#[test]
fn every_refund_request_is_a_refund() {
    let mut bench = Bench::new();
    bench.charged(ID);
    for (second, refunded) in [(1, 3000), (2, 6000)] {
        bench.wait(1);
        let part = bench.change(ID, "refund", &json!({ "amount": 3000 }));
        assert_eq!((part.status, &part.json["status"]), (200, &json!("paid")));
        assert_eq!(part.json["refunded"], refunded);
        let at = format!("2027-01-15T08:00:0{second}.000Z");
        assert_eq!(part.json["refunded_at"], at);
    }
    assert_eq!(
        refused(&bench.change(ID, "refund", &json!({ "amount": 4001 }))),
        INVALID
    );
    let rest = bench.change(ID, "refund", &nothing());
    assert_eq!(
        (&rest.json["status"], &rest.json["refunded"]),
        (&json!("refunded"), &json!(10_000))
    );
    assert_eq!(refused(&bench.change(ID, "refund", &nothing())), INVALID);
    assert_eq!(
        bench.moved(),
        [
            (Charge, 10_000),
            (Refund, 3000),
            (Refund, 3000),
            (Refund, 4000)
        ]
    );
    let effect = &bench.world.effects_for("order-1")[1];
    assert_eq!(
        (effect.provider_id.as_str(), effect.key.as_deref()),
        (ID, None)
    );
    assert_eq!(effect.request, Some(2));
}

#[test]
fn a_refund_gives_back_at_most_what_was_captured() {
    let mut bench = Bench::new();
    bench.authorized(ID);
    assert_eq!(
        refused(&bench.change(ID, "refund", &nothing())),
        INVALID,
        "nothing was taken"
    );
    bench.change(ID, "capture", &json!({ "amount": 4000 }));
    assert_eq!(
        refused(&bench.change(ID, "refund", &json!({ "amount": 4001 }))),
        INVALID
    );
    let part = bench.change(ID, "refund", &json!({ "amount": 1 }));
    assert_eq!(part.json["status"], "captured");
    let rest = bench.change(ID, "refund", &nothing());
    assert_eq!(
        (&rest.json["status"], &rest.json["refunded"]),
        (&json!("refunded"), &json!(4000))
    );
}

#[test]
fn a_void_releases_a_hold_or_takes_back_what_has_not_settled() {
    let mut bench = Bench::new();
    bench.authorized(ID);
    bench.charged(OTHER_ID);
    for id in [ID, OTHER_ID] {
        let request = bench.request(Method::POST, &format!("{PAYMENTS}/{id}/void"));
        let voided = bench.send(request);
        assert_eq!(
            (voided.status, &voided.json["status"]),
            (200, &json!("voided")),
            "no body"
        );
        assert_eq!(voided.json["voided_at"], "2027-01-15T08:00:00.000Z");
        for verb in ["void", "capture", "refund"] {
            assert_eq!(
                refused(&bench.change(id, verb, &nothing())),
                INVALID,
                "{verb}"
            );
        }
    }
    assert_eq!(
        bench.moved(),
        [
            (Authorize, 10_000),
            (Charge, 10_000),
            (Void, 10_000),
            (Void, 10_000)
        ]
    );
}

#[test]
fn what_settled_or_was_refunded_cannot_be_voided() {
    let mut bench = Bench::new();
    bench.charged(ID);
    bench.change(ID, "refund", &json!({ "amount": 1 }));
    assert_eq!(refused(&bench.change(ID, "void", &nothing())), INVALID);
    bench.authorized(OTHER_ID);
    bench.wait(24 * 3600);
    bench.change(OTHER_ID, "capture", &json!({ "amount": 4000 }));
    bench.wait(2 * 3600 - 1);
    let in_time = bench
        .moyasar(|moyasar| moyasar.copy_payment(OTHER_ID))
        .unwrap();
    assert_eq!(bench.change(&in_time, "void", &nothing()).status, 200);
    bench.wait(1);
    assert_eq!(
        refused(&bench.change(OTHER_ID, "void", &nothing())),
        INVALID
    );
    assert_eq!(
        bench.moved().last(),
        Some(&(Void, 4000)),
        "what was captured"
    );
}

#[test]
fn a_failed_or_waiting_payment_has_nothing_to_change() {
    let mut bench = Bench::new();
    bench.create(&with_token(ID, "token_declined"));
    bench.create(&with_token(OTHER_ID, "token_3ds"));
    for id in [ID, OTHER_ID] {
        for verb in ["void", "capture", "refund"] {
            assert_eq!(
                refused(&bench.change(id, verb, &nothing())),
                INVALID,
                "{verb}"
            );
        }
    }
    assert!(bench.moved().is_empty());
}

#[test]
fn a_stranger_finds_nothing_to_change() {
    let mut bench = Bench::new();
    bench.authorized(ID);
    for key in [OTHER, SHOP_LIVE] {
        bench.key = key;
        for verb in ["void", "capture", "refund"] {
            assert_eq!(bench.change(ID, verb, &nothing()).status, 404, "{verb}");
        }
    }
    bench.key = SHOP_PUBLISHABLE;
    assert_eq!(bench.change(ID, "void", &nothing()).status, 403);
    bench.key = SHOP;
    assert_eq!(bench.change(OTHER_ID, "capture", &nothing()).status, 404);
    assert_eq!(bench.moved(), [(Authorize, 10_000)]);
}

#[test]
fn a_refund_whose_reply_was_lost_happens_again_if_it_is_sent_again() {
    let mut bench = Bench::new();
    bench.charged(ID);
    let lost = Fault::ReplyLost {
        when: When::After,
        how: Close::Fin,
    };
    bench
        .world
        .push_fault(lost.on(Matcher::post().path_contains("/refund")));
    let path = format!("{PAYMENTS}/{ID}/refund");
    let request = bench.post_request(&path, &json!({ "amount": 3000 }));
    bench.world.handle("moyasar", request.clone(), bench.now);
    assert_eq!(bench.read(ID)["refunded"], 3000);
    assert_eq!(bench.send(request).json["refunded"], 6000);
    assert_eq!(bench.moved().len(), 3);
}

#[test]
fn a_steered_decline_refuses_a_change_and_moves_nothing() {
    let mut bench = Bench::new();
    bench.authorized(ID);
    bench.charged(OTHER_ID);
    for (id, verb) in [(ID, "capture"), (ID, "void"), (OTHER_ID, "refund")] {
        bench.world.push_fault(Fault::decline("do_not_honor"));
        assert_eq!(
            refused(&bench.change(id, verb, &nothing())),
            INVALID,
            "{verb}"
        );
    }
    assert_eq!(bench.moved().len(), 2);
    assert_eq!(bench.read(ID)["status"], "authorized");
    assert_eq!(bench.read(OTHER_ID)["refunded"], 0);
}

#[test]
fn a_server_error_to_a_change_is_with_or_without_effect() {
    for (when, refunded) in [(When::Before, 0), (When::After, 10_000)] {
        for fault in [Fault::stored_error(when), Fault::server_error(503, when)] {
            let mut bench = Bench::new();
            bench.charged(ID);
            bench.world.push_fault(fault);
            assert!(bench.change(ID, "refund", &nothing()).status >= 500);
            assert_eq!(bench.read(ID)["refunded"], refunded);
        }
    }
}
