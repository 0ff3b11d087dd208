use serde_json::{Value, json};

use crate::testing::{Answer, Bench, CHARGE, PAYMENTS, REFUNDS};

fn ids(answer: &Answer) -> Vec<String> {
    let data = answer.json["data"]
        .as_array()
        .unwrap_or_else(|| panic!("no list: {answer:?}"));
    data.iter()
        .map(|object| object["id"].as_str().unwrap().to_owned())
        .collect()
}

/// Five payments, ten seconds apart, oldest first.
fn five(bench: &mut Bench) -> Vec<String> {
    (0..5)
        .map(|index| {
            let id = bench.charged(&format!("k{index}"));
            bench.wait(10);
            id
        })
        .collect()
}

#[test]
fn payments_are_listed_newest_first_in_pages() {
    let mut bench = Bench::new();
    let made = five(&mut bench);
    let first = bench.get("/v1/payment_intents?limit=2");
    assert_eq!(first.json["object"], "list");
    assert_eq!(ids(&first), [&*made[4], &*made[3]]);
    assert_eq!(first.json["has_more"], true);

    let next = bench.get(&format!(
        "/v1/payment_intents?limit=2&starting_after={}",
        made[3]
    ));
    assert_eq!(ids(&next), [&*made[2], &*made[1]]);
    let last = bench.get(&format!(
        "/v1/payment_intents?limit=2&starting_after={}",
        made[1]
    ));
    assert_eq!(
        (ids(&last), &last.json["has_more"]),
        (vec![made[0].clone()], &json!(false))
    );

    let all = bench.get("/v1/payment_intents?limit=5");
    assert_eq!((ids(&all).len(), &all.json["has_more"]), (5, &json!(false)));

    let back = bench.get(&format!(
        "/v1/payment_intents?limit=2&ending_before={}",
        made[1]
    ));
    assert_eq!(ids(&back), [&*made[3], &*made[2]]);
    assert_eq!(back.json["has_more"], true);
}

#[test]
fn a_page_has_ten_unless_it_is_said_otherwise() {
    let mut bench = Bench::new();
    for index in 0..11 {
        bench.charged(&format!("k{index}"));
    }
    assert_eq!(ids(&bench.get(PAYMENTS)).len(), 10);
    assert_eq!(ids(&bench.get("/v1/payment_intents?limit=100")).len(), 11);
    for limit in ["0", "101", "-1", "x", ""] {
        let answer = bench.get(&format!("{PAYMENTS}?limit={limit}"));
        assert_eq!(answer.status, 400, "{limit}");
    }
    let unknown = bench.get(&format!("{PAYMENTS}?starting_after=pi_sim_000099"));
    assert_eq!(unknown.refused(), (400, "resource_missing"));
    assert_eq!(
        bench
            .get(&format!("{PAYMENTS}?metadata[order]=order-1"))
            .status,
        400
    );
}

#[test]
fn payments_are_filtered_by_time_and_customer() {
    let mut bench = Bench::new();
    let made = five(&mut bench);
    let since = 1_800_000_000;
    let filtered =
        |bench: &mut Bench, filter: &str| ids(&bench.get(&format!("{PAYMENTS}?{filter}")));
    let window = format!("created[gte]={}&created[lte]={}", since + 10, since + 20);
    assert_eq!(filtered(&mut bench, &window), [&*made[2], &*made[1]]);
    let window = format!("created[gt]={}&created[lt]={}", since + 10, since + 30);
    assert_eq!(filtered(&mut bench, &window), [&*made[2]]);
    assert_eq!(
        filtered(&mut bench, &format!("created={since}")),
        [&*made[0]]
    );

    let of_customer = bench
        .post(PAYMENTS, "c", &format!("{CHARGE}&customer=cus_1"))
        .id();
    assert_eq!(filtered(&mut bench, "customer=cus_1"), [of_customer]);
    assert!(filtered(&mut bench, "customer=cus_2").is_empty());
}

#[test]
fn accounts_and_modes_do_not_see_each_other() {
    let mut bench = Bench::new();
    bench.charged("a");
    bench.secret = "sk_live_shop".to_owned();
    assert!(ids(&bench.get(PAYMENTS)).is_empty());
    bench.secret = "sk_test_other".to_owned();
    assert!(ids(&bench.get(PAYMENTS)).is_empty());
    let found = bench.get("/v1/payment_intents/search?query=metadata['order']:'order-1'");
    assert!(ids(&found).is_empty());
}

#[test]
fn refunds_are_listed_by_payment() {
    let mut bench = Bench::new();
    let (one, other) = (bench.charged("a"), bench.charged("b"));
    let refund = |bench: &mut Bench, key: &str, payment: &str| {
        bench
            .post(
                REFUNDS,
                key,
                &format!("payment_intent={payment}&amount=100"),
            )
            .id()
    };
    let first = refund(&mut bench, "c", &one);
    refund(&mut bench, "d", &other);
    let second = refund(&mut bench, "e", &one);
    let listed = bench.get(&format!("{REFUNDS}?payment_intent={one}"));
    assert_eq!(ids(&listed), [second, first.clone()]);
    assert_eq!(bench.get(&format!("{REFUNDS}/{first}")).json["amount"], 100);
    assert_eq!(
        bench.get(&format!("{REFUNDS}/re_sim_000099")).refused().0,
        404
    );
}

#[test]
fn the_charge_can_be_expanded() {
    let mut bench = Bench::new();
    let id = bench.charged("a");
    bench.post(REFUNDS, "b", &format!("payment_intent={id}&amount=100"));
    let shown = bench.get(&format!("{PAYMENTS}/{id}?expand[]=latest_charge"));
    let charge = &shown.json["latest_charge"];
    assert_eq!(charge["object"], "charge");
    assert_eq!(charge["amount_captured"], 1099);
    assert_eq!(charge["amount_refunded"], 100);
    assert_eq!(charge["payment_intent"], Value::from(id.clone()));
    let listed = bench.get(&format!("{PAYMENTS}?expand[]=data.latest_charge"));
    assert_eq!(listed.json["data"][0]["latest_charge"]["object"], "charge");
    assert_eq!(
        bench
            .get(&format!("{PAYMENTS}/{id}?expand[]=everything"))
            .status,
        400
    );
}
