use std::time::Duration;

use crate::EffectKind::Charge;
use crate::stripe::{Config, Stripe};
use crate::testing::{Bench, CHARGE, PAYMENTS, REFUNDS};
use crate::{Fault, Matcher, Next, When};

const DECLINED: &str = "amount=1099&currency=usd&payment_method=pm_card_chargeDeclined\
    &payment_method_types[]=card&confirm=true";

#[test]
fn the_same_key_answers_the_same_and_moves_no_more_money() {
    let mut bench = Bench::new();
    let first = bench.post(PAYMENTS, "k", CHARGE);
    bench.wait(60);
    let second = bench.post(PAYMENTS, "k", CHARGE);

    assert_eq!((first.status, second.status), (200, 200));
    assert_eq!(first.text, second.text);
    assert_eq!(bench.moved(), [(Charge, 1099)]);
    assert_eq!(first.header("idempotent-replayed"), None);
    assert_eq!(second.header("idempotent-replayed"), Some("true"));
    assert_eq!(second.header("idempotency-key"), Some("k"));
    assert_eq!(
        second.header("original-request"),
        first.header("request-id")
    );
    assert_ne!(second.header("request-id"), first.header("request-id"));
}

#[test]
fn without_a_key_and_with_another_key_it_charges_again() {
    let mut bench = Bench::new();
    for _ in 0..2 {
        let request = bench.request(http::Method::POST, PAYMENTS, CHARGE);
        assert_eq!(bench.send(request).header("idempotency-key"), None);
    }
    bench.charged("a");
    bench.charged("b");
    assert_eq!(bench.world.effects_for("order-1").len(), 4);
    assert_eq!(bench.world.effects()[3].key.as_deref(), Some("b"));
}

#[test]
fn a_decline_is_stored_and_stays_declined() {
    let mut bench = Bench::new();
    let first = bench.post(PAYMENTS, "k", DECLINED);
    let second = bench.post(PAYMENTS, "k", DECLINED);
    assert_eq!((first.status, second.status), (402, 402));
    assert_eq!(first.text, second.text);
    assert_eq!(second.header("idempotent-replayed"), Some("true"));
    assert!(bench.moved().is_empty());
    assert_eq!(bench.stripe(|stripe| stripe.payment_intents().count()), 1);
}

#[test]
fn a_server_error_of_the_gateway_is_stored_with_or_without_effect() {
    for (when, effects) in [(When::Before, 0), (When::After, 1)] {
        let mut bench = Bench::new();
        bench.world.push_fault(Fault::ServerError {
            status: 500,
            when,
            stored: true,
            should_retry: Some(false),
            retry_after: None,
        });
        let first = bench.post(PAYMENTS, "k", CHARGE);
        let second = bench.post(PAYMENTS, "k", CHARGE);
        assert_eq!((first.status, second.status), (500, 500));
        assert_eq!(first.error(), "api_error");
        assert_eq!(first.header("idempotent-replayed"), None);
        assert_eq!(second.header("idempotent-replayed"), Some("true"));
        assert_eq!(second.header("stripe-should-retry"), Some("false"));
        assert_eq!(bench.moved().len(), effects, "{when:?}");
    }
}

#[test]
fn an_error_of_a_machine_in_front_is_not_stored() {
    for (when, replayed) in [(When::Before, None), (When::After, Some("true"))] {
        let mut bench = Bench::new();
        bench.world.push_fault(Fault::server_error(503, when));
        assert_eq!(bench.post(PAYMENTS, "k", CHARGE).status, 503);
        let second = bench.post(PAYMENTS, "k", CHARGE);
        assert_eq!(second.status, 200);
        assert_eq!(second.header("idempotent-replayed"), replayed, "{when:?}");
        assert_eq!(bench.moved().len(), 1);
    }
}

#[test]
fn what_never_began_is_not_stored() {
    let mut bench = Bench::new();
    assert_eq!(
        bench.post(PAYMENTS, "k", "amount=1099").refused(),
        (400, "parameter_missing")
    );
    for fault in [
        Fault::KeyInUse,
        Fault::Unauthorized,
        Fault::KeyReused,
        Fault::Forbidden,
    ] {
        bench.world.push_fault(fault);
        let status = bench.post(PAYMENTS, "k", CHARGE).status;
        assert!([400, 401, 403, 409].contains(&status));
    }
    bench.world.push_fault(Fault::RateLimited {
        kind: crate::RateLimit::RateLimit,
        retry_after: None,
    });
    assert_eq!(
        bench.post(PAYMENTS, "k", CHARGE).refused(),
        (429, "rate_limit")
    );
    let answer = bench.post(PAYMENTS, "k", CHARGE);
    assert_eq!(
        (answer.status, answer.header("idempotent-replayed")),
        (200, None)
    );
}

/// Each of them by itself moves nothing and leaves the key free: the same key and body then charge
/// once, and are replayed from then on. A fake that stored one of them would hide a client that
/// gives up, and one that executed it a client that charges twice.
#[test]
fn each_refusal_before_execution_leaves_the_key_free_and_moves_nothing() {
    let limited = |kind| Fault::RateLimited {
        kind,
        retry_after: None,
    };
    for (fault, status) in [
        (Fault::KeyInUse, 409),
        (Fault::KeyReused, 400),
        (Fault::Unauthorized, 401),
        (Fault::Forbidden, 403),
        (limited(crate::RateLimit::RateLimit), 429),
        (limited(crate::RateLimit::LockTimeout), 429),
        (limited(crate::RateLimit::Html), 429),
    ] {
        let mut bench = Bench::new();
        bench.world.push_fault(fault);
        assert_eq!(bench.post(PAYMENTS, "k", CHARGE).status, status);
        assert!(bench.moved().is_empty(), "{status}");
        for replayed in [None, Some("true")] {
            let answer = bench.post(PAYMENTS, "k", CHARGE);
            assert_eq!(answer.status, 200, "after {status}");
            assert_eq!(answer.header("idempotent-replayed"), replayed);
        }
        assert_eq!(bench.moved(), [(Charge, 1099)], "after {status}");
    }
    for wrong in [
        "amount=1099",
        "amount=-1&currency=usd",
        "amount=1099&currency=usd&colour=red",
    ] {
        let mut bench = Bench::new();
        for _ in 0..2 {
            let answer = bench.post(PAYMENTS, "k", wrong);
            assert_eq!(
                (answer.status, answer.header("idempotent-replayed")),
                (400, None)
            );
        }
        assert_eq!(bench.charged("k").get(..3), Some("pi_"), "after {wrong}");
        assert_eq!(bench.moved(), [(Charge, 1099)], "after {wrong}");
    }
}

#[test]
fn a_state_error_is_stored_because_execution_began() {
    let mut bench = Bench::new();
    let id = bench.charged("a");
    let path = format!("{PAYMENTS}/{id}/capture");
    assert_eq!(bench.post(&path, "k", "").status, 400);
    let again = bench.post(&path, "k", "");
    assert_eq!(again.error(), "payment_intent_unexpected_state");
    assert_eq!(again.header("idempotent-replayed"), Some("true"));
}

#[test]
fn other_parameters_or_another_endpoint_are_refused_and_the_first_stays() {
    let mut bench = Bench::new();
    let id = bench.charged("k");
    let other = CHARGE.replace("1099", "1100");
    let answer = bench.post(PAYMENTS, "k", &other);
    assert_eq!(answer.status, 400);
    assert_eq!(answer.json["error"]["type"], "idempotency_error");
    assert_eq!(answer.header("idempotent-replayed"), None);
    let elsewhere = bench.post(REFUNDS, "k", &format!("payment_intent={id}"));
    assert_eq!(elsewhere.json["error"]["type"], "idempotency_error");
    let confirm = bench.post(&format!("{PAYMENTS}/{id}/confirm"), "k", CHARGE);
    assert_eq!(
        confirm.json["error"]["type"], "idempotency_error",
        "the same body elsewhere"
    );
    assert_eq!(bench.charged("k"), id);
    assert_eq!(bench.moved(), [(Charge, 1099)]);
}

#[test]
fn the_order_of_fields_counts_as_other_parameters() {
    let mut bench = Bench::new();
    bench.charged("k");
    let mut fields: Vec<&str> = CHARGE.split('&').collect();
    fields.reverse();
    assert_eq!(bench.post(PAYMENTS, "k", &fields.join("&")).status, 400);
}

#[test]
fn a_key_of_24_hours_is_forgotten_and_charges_again() {
    let mut bench = Bench::new();
    bench.charged("k");
    bench.wait(24 * 3600 - 1);
    assert_eq!(
        bench
            .post(PAYMENTS, "k", CHARGE)
            .header("idempotent-replayed"),
        Some("true")
    );
    // A replay does not renew it.
    bench.wait(1);
    assert_eq!(
        bench
            .post(PAYMENTS, "k", CHARGE)
            .header("idempotent-replayed"),
        None
    );
    assert_eq!(bench.moved(), [(Charge, 1099), (Charge, 1099)]);
}

#[test]
fn the_life_of_keys_can_be_shortened_and_keys_can_be_forgotten() {
    let mut bench = Bench::with(Config::default().key_life(Duration::from_secs(60)));
    bench.charged("k");
    bench.wait(60);
    bench.charged("k");
    assert_eq!(bench.moved().len(), 2);
    bench.stripe(Stripe::forget_keys);
    bench.charged("k");
    assert_eq!(bench.moved().len(), 3);
}

#[test]
fn keys_belong_to_an_account_and_a_mode() {
    let config = Config::default().account("sk_test_new", "acct_shop");
    let mut bench = Bench::with(config);
    bench.charged("k");
    for secret in ["rk_test_shop", "sk_test_new"] {
        bench.secret = secret.to_owned();
        let answer = bench.post(PAYMENTS, "k", CHARGE);
        assert_eq!(
            answer.header("idempotent-replayed"),
            Some("true"),
            "{secret} is the same shop"
        );
    }
    for secret in ["sk_live_shop", "sk_test_other"] {
        bench.secret = secret.to_owned();
        assert_eq!(
            bench
                .post(PAYMENTS, "k", CHARGE)
                .header("idempotent-replayed"),
            None
        );
    }
    bench.secret = "sk_test_shop".to_owned();
    let connected = bench.post_request(PAYMENTS, "k", CHARGE);
    bench.send(connected.with_header("stripe-account", "acct_connected"));
    let accounts: Vec<&str> = bench
        .world
        .effects()
        .iter()
        .map(|effect| effect.account.as_str())
        .collect();
    assert_eq!(
        accounts,
        ["acct_shop", "acct_shop", "acct_other", "acct_connected"]
    );
}

#[test]
fn a_key_in_progress_is_refused_until_it_is_done() {
    let mut bench = Bench::new();
    bench.world.push_fault(Fault::Hold { ms: 5000 });
    let request = bench.post_request(PAYMENTS, "k", CHARGE);
    let Next::Wait {
        ticket,
        time,
        hang_up: None,
    } = bench.world.arrive("stripe", request, bench.now)
    else {
        panic!("not held");
    };
    assert_eq!(time, Duration::from_secs(5));
    let busy = bench.post(PAYMENTS, "k", CHARGE);
    assert_eq!(busy.refused(), (409, "idempotency_key_in_use"));
    assert_eq!(busy.header("idempotency-key"), Some("k"));
    assert_eq!(bench.post(PAYMENTS, "other", CHARGE).status, 200);
    bench.secret = "sk_test_elsewhere".to_owned();
    assert_eq!(
        bench.post(PAYMENTS, "k", CHARGE).status,
        200,
        "another account's key"
    );
    bench.secret = "sk_test_shop".to_owned();
    assert_eq!(bench.moved().len(), 2, "the held one has not executed");

    bench.wait(5);
    let done = bench.world.advance(ticket, bench.now);
    assert!(matches!(done, Next::Deliver(crate::Delivery::Reply(_))));
    assert_eq!(bench.moved().len(), 3);
    let after = bench.post(PAYMENTS, "k", CHARGE);
    assert_eq!(after.header("idempotent-replayed"), Some("true"));
}

#[test]
fn a_key_is_no_more_than_255_characters() {
    let mut bench = Bench::new();
    assert_eq!(bench.post(PAYMENTS, &"k".repeat(255), CHARGE).status, 200);
    assert_eq!(bench.post(PAYMENTS, &"k".repeat(256), CHARGE).status, 400);
    assert_eq!(bench.post(PAYMENTS, "", CHARGE).status, 400);
    assert_eq!(bench.moved().len(), 1);
}

#[test]
fn two_key_headers_are_another_key() {
    let mut bench = Bench::new();
    bench.charged("k");
    let twice = bench
        .post_request(PAYMENTS, "k", CHARGE)
        .with_header("Idempotency-Key", "k");
    bench.send(twice);
    assert_eq!(bench.moved().len(), 2);
    let logged = &bench.world.requests()[1];
    assert_eq!(logged.header_values("idempotency-KEY"), ["k", "k"]);
    assert_eq!(logged.key.as_deref(), Some("k, k"));
}

#[test]
fn a_key_has_no_effect_on_get() {
    let mut bench = Bench::new();
    let id = bench.charged("a");
    let request = bench.request(http::Method::GET, &format!("{PAYMENTS}/{id}"), "");
    let answer = bench.send(request.with_header("idempotency-key", "a"));
    assert_eq!(answer.status, 200);
    assert_eq!(answer.header("idempotency-key"), None);
    assert_eq!(bench.world.requests()[1].key, None);

    bench.world.push_fault(Fault::Hold { ms: 1 });
    let held = bench.post_request(PAYMENTS, "held", CHARGE);
    bench.world.arrive("stripe", held, bench.now);
    let request = bench.request(http::Method::GET, &format!("{PAYMENTS}/{id}"), "");
    let answer = bench.send(request.with_header("idempotency-key", "held"));
    assert_eq!(answer.status, 200, "only a POST can be in progress");
    bench.world.push_fault(Fault::KeyInUse.on(Matcher::get()));
    assert_eq!(
        bench.get(&format!("{PAYMENTS}/{id}")).status,
        409,
        "a fault may still say so"
    );
}
