use http::Method;

use super::{Bench, PAID, charge, payments_of, registrations};

#[test]
fn an_amount_has_two_decimals_and_is_positive() {
    let mut bench = Bench::new();
    let path = payments_of(registrations::APPROVED);
    let mut send = |amount: &str| {
        let form = charge("order-0001").replace("92.00", amount);
        let answer = bench.post(&path, &form);
        assert!(
            answer.wrong().iter().all(|name| *name == "amount"),
            "{answer:?}"
        );
        (answer.status, answer.code().to_owned())
    };
    for wrong in [
        "92",
        "92.0",
        "92.000",
        "92%2C00",
        "-1.00",
        "%2B1.00",
        "1e2.00",
        ".50",
        "",
        "1234567890123.00",
    ] {
        assert_eq!(send(wrong), (400, "200.300.404".to_owned()), "{wrong}");
    }
    assert_eq!(send("0.00"), (400, "100.550.300".to_owned()));
    for right in ["0.01", "123456789012.99"] {
        assert_eq!(send(right), (200, PAID.to_owned()), "{right}");
    }
    let amounts: Vec<i64> = bench.moved().iter().map(|(_, amount)| *amount).collect();
    assert_eq!(amounts, [1, 12_345_678_901_299]);
}

#[test]
fn all_that_is_wrong_is_named_at_once_and_nothing_happens() {
    let mut bench = Bench::new();
    let form = "amount=9&currency=sar&paymentType=CD&merchantTransactionId=short&amont=9.00\
                &standingInstruction.mode=FIRST&standingInstruction.source=WEB&testMode=LIVE";
    let answer = bench.post(&payments_of(registrations::APPROVED), form);
    assert_eq!(answer.result(), (400, "200.300.404"));
    let mut wrong = answer.wrong();
    wrong.sort_unstable();
    let expected = [
        "amont",
        "amount",
        "currency",
        "merchantTransactionId",
        "paymentType",
        "standingInstruction.mode",
        "standingInstruction.source",
        "testMode",
    ];
    assert_eq!(wrong, expected);
    let amount = &answer.json["result"]["parameterErrors"];
    let amount = amount
        .as_array()
        .unwrap()
        .iter()
        .find(|error| error["name"] == "amount");
    assert_eq!(amount.unwrap()["value"], "9");
    assert!(bench.moved().is_empty());
    assert_eq!(bench.hyperpay(|hyperpay| hyperpay.payments().count()), 0);
}

#[test]
fn what_is_needed_must_be_there() {
    let mut bench = Bench::new();
    let answer = bench.post(&payments_of(registrations::APPROVED), "");
    assert_eq!(answer.wrong(), ["paymentType", "amount", "currency"]);
    let id = bench.charged();
    let path = format!("/v1/payments/{id}");
    for kind in ["CP", "RF"] {
        let answer = bench.post(&path, &format!("paymentType={kind}"));
        assert_eq!(answer.wrong(), ["amount", "currency"], "{kind}");
    }
    let answer = bench.post(&path, "paymentType=RV&amount=92.00");
    assert_eq!(answer.wrong(), ["currency"]);
    let answer = bench.post(&path, "paymentType=DB&amount=92.00&currency=SAR");
    assert_eq!(answer.wrong(), ["paymentType"]);
    assert_eq!(bench.moved().len(), 1);
}

#[test]
fn a_reference_has_its_length_and_may_be_missing() {
    let mut bench = Bench::new();
    let path = payments_of(registrations::APPROVED);
    for (length, status) in [(7, 400), (8, 200), (255, 200), (256, 400)] {
        let answer = bench.post(&path, &charge(&"r".repeat(length)));
        assert_eq!(answer.status, status, "{length}");
    }
    let form = "amount=1.00&currency=SAR&paymentType=DB";
    let answer = bench.post(&path, form);
    assert_eq!(answer.code(), PAID);
    assert!(answer.json.get("merchantTransactionId").is_none());
    assert_eq!(bench.world.effects().last().unwrap().key, None);
}

#[test]
fn a_parameter_that_comes_twice_is_refused() {
    let mut bench = Bench::new();
    let form = charge("order-0001") + "&amount=1.00";
    let answer = bench.post(&payments_of(registrations::APPROVED), &form);
    assert_eq!(answer.result(), (400, "200.300.404"));
    assert!(answer.wrong().contains(&"amount"));
    assert!(bench.moved().is_empty());
}

#[test]
fn what_is_not_played_is_404_and_says_what_is() {
    let mut bench = Bench::new();
    for (method, path) in [
        (Method::POST, "/v1/payments"),
        (Method::POST, "/v1/checkouts"),
        (Method::POST, "/v2/payments/x"),
        (Method::DELETE, "/v1/registrations/x?entityId=e"),
        (Method::GET, "/v1/resultcodes?entityId=e"),
    ] {
        let request = bench.request(method, path, "entityId=e");
        let answer = bench.send(request);
        assert_eq!(answer.status, 404, "{path}");
        assert!(answer.text.contains("/v1/query"), "{path}");
    }
}
