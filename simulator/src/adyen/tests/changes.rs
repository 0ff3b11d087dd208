//! Captures, refunds and cancels: received, whatever becomes of them.

use serde_json::json;

use super::*;

/// Whether the last one that was received took effect.
fn done(bench: &mut Bench) -> bool {
    bench.adyen(|adyen| adyen.changes().last().expect("one").done)
}

#[test]
fn a_part_is_captured_and_the_rest_released() {
    let mut bench = Bench::new();
    let payment = bench.paid("k1", &authorize());
    let answer = bench.change(&payment, "captures", "c1", &part(700));
    assert_eq!(answer.status, 201);
    assert_eq!(answer.header("idempotency-key"), Some("c1"));
    let own = id(&answer);
    assert_eq!(
        answer.json,
        json!({
            "merchantAccount": "AcmeECOM",
            "paymentPspReference": payment,
            "pspReference": own,
            "reference": "change-1",
            "status": "received",
            "amount": { "currency": "EUR", "value": 700 },
        })
    );
    assert_eq!(
        bench.change(&payment, "captures", "c1", &part(700)).json,
        answer.json
    );
    assert!(done(&mut bench));
    // The rest is released, so a second capture is received, and fails.
    assert_eq!(
        bench.change(&payment, "captures", "c2", &part(399)).status,
        201
    );
    assert!(!done(&mut bench));
    let effects = [(EffectKind::Authorize, 1099), (EffectKind::Capture, 700)];
    assert_eq!(bench.moved(), effects);
    let effect = bench.world.effects()[1].clone();
    assert_eq!(
        (effect.provider_id, effect.payment_id),
        (own, Some(payment))
    );
}

#[test]
fn refunds_under_two_keys_are_two_and_never_more_than_was_taken() {
    let mut bench = Bench::new();
    let payment = bench.paid("k1", &charge());
    for key in ["r1", "r2", "r1", "r3"] {
        assert_eq!(
            bench.change(&payment, "refunds", key, &part(500)).status,
            201
        );
    }
    let refunds = [
        (EffectKind::Charge, 1099),
        (EffectKind::Refund, 500),
        (EffectKind::Refund, 500),
    ];
    assert_eq!(bench.moved(), refunds);
    assert_eq!(
        bench.adyen(|adyen| adyen.payment(&payment).expect("it").refunded),
        1000
    );
}

#[test]
fn a_cancel_is_of_what_was_not_captured() {
    let mut bench = Bench::new();
    let reserved = bench.paid("k1", &authorize());
    let answer = bench.change(&reserved, "cancels", "x1", &whole());
    assert_eq!((answer.status, answer.json.get("amount")), (201, None));
    assert!(done(&mut bench));
    assert_eq!(
        bench.change(&reserved, "captures", "c1", &part(1)).status,
        201
    );
    assert!(!done(&mut bench));
    let taken = bench.paid("k2", &charge());
    assert_eq!(bench.change(&taken, "cancels", "x2", &whole()).status, 201);
    assert!(!done(&mut bench));
    let kinds: Vec<_> = bench.moved().into_iter().map(|(kind, _)| kind).collect();
    assert_eq!(
        kinds,
        [EffectKind::Authorize, EffectKind::Void, EffectKind::Charge]
    );
}

#[test]
fn another_payment_account_currency_or_field_changes_nothing() {
    let mut bench = Bench::new();
    let payment = bench.paid("k1", &charge());
    let refused_of = |answer: Answer| (answer.status, answer.json["errorCode"].clone());
    let gone = bench.change("SIM0", "refunds", "r1", &part(1));
    assert_eq!(refused_of(gone), (422, json!("167")));
    let mut body = part(1);
    body["merchantAccount"] = json!("OtherECOM");
    let other = bench.change(&payment, "refunds", "r1", &body);
    assert_eq!(refused_of(other), (422, json!("167")));
    let amount = bench.change(&payment, "cancels", "r1", &part(1));
    assert_eq!(refused_of(amount), (400, json!("702")));
    let none = bench.change(&payment, "refunds", "r1", &whole());
    assert_eq!(refused_of(none), (422, json!("137")));
    let mut body = part(1);
    body["amount"]["currency"] = json!("USD");
    assert_eq!(bench.change(&payment, "refunds", "r1", &body).status, 201);
    assert!(!done(&mut bench));
    assert_eq!(bench.moved().len(), 1);
}

#[test]
fn the_control_calls_show_and_change_it() {
    let mut bench = Bench::new();
    let payment = bench.paid("k1", &charge());
    bench.change(&payment, "refunds", "r1", &part(100));
    let control = |bench: &mut Bench, method: Method, path: &str, body: Value| {
        let mut call = crate::ControlCall::new(method, path);
        call.body = body;
        bench.world.control("adyen", &call, bench.now)
    };
    let shown = control(&mut bench, Method::GET, "payments", Value::Null);
    assert_eq!(shown.body[0]["refunded"], 100);
    let shown = control(&mut bench, Method::GET, "changes", Value::Null);
    assert_eq!(shown.body[0]["done"], true);
    let off = json!({ "protects": false, "key_life_seconds": 60 });
    let shown = control(&mut bench, Method::POST, "settings", off.clone());
    assert_eq!(shown.body, off);
    for wrong in [json!({ "x": 1 }), json!({ "protects": 1 }), json!(1)] {
        assert_eq!(
            control(&mut bench, Method::POST, "settings", wrong).status,
            400
        );
    }
    let path = format!("payments/{payment}/complete_action");
    let passed = json!({ "passed": true });
    assert_eq!(control(&mut bench, Method::POST, &path, passed).status, 400);
    assert_eq!(
        control(&mut bench, Method::GET, "nothing", Value::Null).status,
        404
    );
}
