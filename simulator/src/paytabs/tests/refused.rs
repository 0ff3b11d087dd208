//! Who may not, and what cannot be taken.

use http::Method;
use serde_json::json;

use super::{Bench, Config, PROFILE, charge, follow, page, tokens};
use crate::Request;

#[test]
fn a_wrong_key_or_one_with_a_word_before_it_is_refused() {
    let mut bench = Bench::with(Config::default().key("mine").profile(PROFILE, "mine"));
    for (key, accepted) in [
        ("mine", true),
        ("Bearer mine", false),
        ("other", false),
        ("", false),
        ("invalid", false),
    ] {
        key.clone_into(&mut bench.key);
        let answer = bench.charge(tokens::APPROVED, &format!("order{}", key.len()));
        let expected = if accepted { (200, 0) } else { (401, 1) };
        assert_eq!(answer.error(), expected, "{key}");
        assert_eq!(bench.query("order4").error().0 == 401, !accepted, "{key}");
    }
    assert_eq!(bench.moved().len(), 1);
    // A key of another profile is none.
    let mut bench = Bench::with(
        Config::default()
            .key("mine")
            .key("theirs")
            .profile(PROFILE, "mine"),
    );
    "theirs".clone_into(&mut bench.key);
    assert_eq!(bench.charge(tokens::APPROVED, "order1").error(), (401, 1));
    assert_eq!(bench.query("order1").error(), (401, 1));
}

#[test]
fn what_is_wrong_is_refused_and_nothing_moves() {
    let good = charge(tokens::APPROVED, "order1");
    let mut bench = Bench::new();
    for (from, to, code) in [
        ("987654", "\"987654\"", 2),
        ("\"sale\"", "\"authext\"", 2),
        ("\"sale\"", "\"refund\"", 2),
        ("\"recurring\"", "\"ecom\"", 2),
        ("\"recurring\"", "\"moto\"", 2),
        ("\"recurring\"", "\"subscription\"", 2),
        ("\"order1\"", "1", 101),
        ("\"order1\"", "\"\"", 101),
        ("\"coffee\"", "\"\"", 102),
        ("\"SAR\"", "\"sar\"", 206),
        ("92.00", "\"92.00\"", 2),
        ("92.00", "0", 2),
        ("92.00", "0.00", 2),
        ("92.00", "-92.00", 2),
        ("92.00", "92.001", 2),
        ("92.00", "9.2e1", 2),
        ("92.00", "10000000000", 2),
        ("\"udf1\"", "\"udf10\"", 2),
        ("\"cart_description\"", "\"description\"", 102),
        ("\"user_defined\"", "\"userdefined\"", 2),
        ("266817A01", "266817A99", 200),
        ("{\"profile", "[\"profile", 2),
    ] {
        let body = good.replacen(from, to, 1);
        assert_ne!(body, good);
        assert_eq!(bench.post(body.clone()).error(), (400, code), "{body}");
    }
    let long = |count: usize| charge(tokens::APPROVED, &"a".repeat(count));
    assert_eq!(bench.post(long(65)).error(), (400, 101));
    let text = good.replace("coffee", &"ط".repeat(129));
    assert_eq!(bench.post(text).error(), (400, 102));
    let no_token = page("order1").replace("ecom", "recurring");
    assert_eq!(bench.post(no_token).error(), (400, 2));
    let without = follow("TST1", "refund", "1.00").replace("\"tran_ref\":\"TST1\",", "");
    assert_eq!(bench.post(without).error(), (400, 2));
    assert!(bench.moved().is_empty());
    // What was refused is not guarded against.
    assert_eq!(bench.post(good).result().1, "A");
    assert_eq!(bench.post(long(64)).result().1, "A");
}

#[test]
fn amounts_are_exact_numbers() {
    for (number, amount) in [
        ("0.01", 1),
        ("92", 9200),
        ("92.5", 9250),
        ("1.14", 114),
        ("1.15", 115),
        ("18.600", 1860),
        ("9999999999.99", 999_999_999_999),
    ] {
        let mut bench = Bench::new();
        let body = charge(tokens::APPROVED, "order1").replace("92.00", number);
        assert_eq!(bench.post(body).result().1, "A", "{number}");
        assert_eq!(bench.moved()[0].1, amount, "{number}");
    }
}

#[test]
fn there_is_nothing_else() {
    let mut bench = Bench::new();
    let get = Request::new(Method::GET, "/payment/query").with_header("authorization", "key");
    assert_eq!(bench.send(get).error(), (404, 2));
    let other = bench.request("/payment/cancel", "{}");
    assert_eq!(bench.send(other).error(), (404, 2));
}

#[test]
fn settings_and_states_over_control_calls() {
    let mut bench = Bench::new();
    let set = |bench: &mut Bench, body| bench.call(Method::POST, "settings", body);
    let (status, shown) = set(
        &mut bench,
        json!({ "query_lag_seconds": 5, "guards_all": true }),
    );
    assert_eq!((status, &shown["query_lag_seconds"]), (200, &json!(5)));
    for wrong in [json!({ "guards_all": 1 }), json!({ "lag": 1 }), json!([])] {
        assert_eq!(set(&mut bench, wrong).0, 400);
    }
    let id = bench.charge(tokens::PENDING, "order1").id();
    let settle = format!("transactions/{id}/settle");
    assert_eq!(
        bench
            .call(Method::POST, &settle, json!({ "status": "A" }))
            .0,
        200
    );
    assert_eq!(
        bench
            .call(Method::POST, &settle, json!({ "status": "D" }))
            .0,
        400
    );
    assert_eq!(bench.moved().len(), 1);
    let copy = bench.call(Method::POST, &format!("transactions/{id}/copy"), json!({}));
    assert_ne!(copy.1["tran_ref"], id.as_str());
    let all = bench.call(Method::GET, "transactions", json!(null)).1;
    assert_eq!(all.as_array().map(Vec::len), Some(2));
    assert_eq!(bench.moved().len(), 1, "planting moves nothing");
    assert_eq!(bench.call(Method::GET, "pages", json!(null)).0, 404);
}
