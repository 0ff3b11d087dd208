use std::time::Duration;

use super::{Bench, ENTITY, PAID, registrations};
use crate::hyperpay::Config;

#[test]
fn a_query_lists_what_carries_the_reference_and_nothing_else() {
    let mut bench = Bench::new();
    let id = bench.charged();
    bench.charge(registrations::DECLINED, "order-0001");
    bench.charge(registrations::APPROVED, "order-0002");
    let form = "paymentType=RF&amount=1.00&currency=SAR&merchantTransactionId=order-0001";
    bench.post(&format!("/v1/payments/{id}"), form);
    let answer = bench.query("order-0001");
    assert_eq!(answer.result(), (200, "000.000.100"));
    let expected = [("DB", PAID), ("DB", "800.100.152"), ("RF", PAID)];
    assert_eq!(answer.listed(), expected);
    assert!(answer.json["ndc"].is_string());
    let first = &answer.json["payments"][0];
    assert_eq!(first["id"], id.as_str());
    assert_eq!(first["merchantTransactionId"], "order-0001");
    assert_eq!(first["timestamp"], "2027-01-15 08:00:00.000+0000");
}

#[test]
fn nothing_found_is_404_with_its_own_code() {
    let mut bench = Bench::new();
    bench.charged();
    assert_eq!(bench.query("order-0009").result(), (404, "700.400.580"));
    for path in ["/v1/query/unknown", "/v1/payments/unknown"] {
        assert_eq!(bench.get(path).result(), (404, "700.400.580"));
    }
}

#[test]
fn another_entity_sees_nothing_of_a_payment() {
    let mut bench = Bench::new();
    let id = bench.charged();
    let paths = [format!("/v1/query/{id}"), format!("/v1/payments/{id}")];
    for path in &paths {
        assert_eq!(bench.get(path).result(), (200, PAID));
    }
    bench.entity = "another".to_owned();
    assert_eq!(bench.query("order-0001").status, 404);
    for path in &paths {
        assert_eq!(bench.get(path).result(), (404, "700.400.580"));
    }
    bench.entity = ENTITY.to_owned();
    assert_eq!(bench.query("order-0001").status, 200);
}

#[test]
fn a_declined_payment_is_found_by_its_id() {
    let mut bench = Bench::new();
    let id = bench.charge(registrations::DECLINED, "order-0001").id();
    let answer = bench.get(&format!("/v1/query/{id}"));
    assert_eq!(answer.code(), "800.100.152");
    assert_eq!(answer.json["amount"], "92.00");
}

#[test]
fn reports_can_lag_and_the_payment_itself_does_not() {
    let lag = Duration::from_secs(60);
    let mut bench = Bench::with(Config::default().query_lag(lag));
    let id = bench.charged();
    bench.wait(59);
    assert_eq!(bench.query("order-0001").code(), "700.400.580");
    assert_eq!(bench.get(&format!("/v1/query/{id}")).status, 404);
    assert_eq!(bench.get(&format!("/v1/payments/{id}")).code(), PAID);
    bench.wait(1);
    assert_eq!(bench.query("order-0001").listed(), [("DB", PAID)]);
}

#[test]
fn a_query_can_be_limited_in_time() {
    let mut bench = Bench::new();
    bench.charged();
    bench.wait(3600);
    bench.charged();
    let mut count = |limits: &str| {
        let path = format!("/v1/query?merchantTransactionId=order-0001&{limits}");
        bench.get(&path).listed().len()
    };
    assert_eq!(count("date.from=2027-01-15%2008:00:00"), 2);
    assert_eq!(count("date.from=2027-01-15%2008:00:01"), 1);
    assert_eq!(count("date.to=2027-01-15%2008:00:00"), 1);
    assert_eq!(count("date.from=2027-01-15%2009:00:01"), 0);
}

#[test]
fn what_a_query_does_not_understand_is_named() {
    let mut bench = Bench::new();
    let wrong = [
        ("/v1/query", "merchantTransactionId"),
        ("/v1/query?merchantTransactionId=", "merchantTransactionId"),
        (
            "/v1/query?merchantTransactionId=order-0001&date.from=today",
            "date.from",
        ),
        (
            "/v1/query?merchantTransactionId=order-0001&date.to=2027-13-01%2000:00:00",
            "date.to",
        ),
        (
            "/v1/query?merchantTransactionId=order-0001&merchantTxId=x",
            "merchantTxId",
        ),
        (
            "/v1/query/x?merchantTransactionId=y",
            "merchantTransactionId",
        ),
    ];
    for (path, name) in wrong {
        let answer = bench.get(path);
        assert_eq!(answer.result(), (400, "200.300.404"), "{path}");
        assert_eq!(answer.wrong(), [name], "{path}");
    }
}
