use std::time::Duration;

use serde_json::json;

use super::*;

fn id(number: u32) -> String {
    format!("00000000-0000-4000-9000-{number:012x}")
}

/// Five payments, ten seconds apart, oldest first. The second is only authorized.
fn five(bench: &mut Bench) {
    for number in 0..5 {
        let mut body = if number == 1 {
            authorize(&id(number))
        } else {
            charge(&id(number))
        };
        body["metadata"] = json!({ "order": format!("order-{number}"), "shop": "one" });
        assert_eq!(bench.create(&body).status, 201);
        bench.wait(10);
    }
}

fn listed(bench: &mut Bench, query: &str) -> Vec<String> {
    let answer = bench.get(&format!("{PAYMENTS}?{query}"));
    let payments = answer.json["payments"].as_array();
    let payments = payments.unwrap_or_else(|| panic!("no list: {answer:?}"));
    let ids = payments.iter().map(|payment| payment["id"].as_str());
    ids.map(|id| id.unwrap().to_owned()).collect()
}

#[test]
fn an_unknown_payment_is_404() {
    let mut bench = Bench::new();
    let missing = bench.get(&format!("{PAYMENTS}/{ID}"));
    assert_eq!(refused(&missing), (404, "invalid_request_error"));
    bench.charged(ID);
    assert_eq!(
        bench
            .get(&format!("{PAYMENTS}/{}", ID.to_uppercase()))
            .status,
        404
    );
    assert_eq!(
        bench.get(&format!("{PAYMENTS}/{ID}?expand=all")).status,
        400
    );
}

#[test]
fn payments_are_listed_newest_first_in_pages() {
    let mut bench = Bench::with(Config::default().page_size(2));
    let empty = bench.get(PAYMENTS);
    assert_eq!(empty.json["payments"], json!([]));
    five(&mut bench);
    assert_eq!(listed(&mut bench, ""), [id(4), id(3)]);
    let first = bench.get(PAYMENTS).json["meta"].clone();
    let expected = json!({
        "current_page": 1, "next_page": 2, "prev_page": null, "total_pages": 3, "total_count": 5,
    });
    assert_eq!(first, expected);
    assert_eq!(listed(&mut bench, "page=2"), [id(2), id(1)]);
    let last = bench.get(&format!("{PAYMENTS}?page=3"));
    assert_eq!(last.json["payments"][0]["id"], id(0));
    assert_eq!(last.json["meta"]["prev_page"], 2);
    assert_eq!(last.json["meta"]["next_page"], Value::Null);
    assert!(listed(&mut bench, "page=4").is_empty());
}

#[test]
fn payments_are_filtered() {
    let mut bench = Bench::new();
    five(&mut bench);
    assert_eq!(listed(&mut bench, "status=authorized"), [id(1)]);
    assert_eq!(listed(&mut bench, &format!("id={}", id(3))), [id(3)]);
    assert_eq!(listed(&mut bench, "metadata[order]=order-2"), [id(2)]);
    assert_eq!(
        listed(&mut bench, "metadata%5Border%5D=order-2&metadata[shop]=one"),
        [id(2)]
    );
    assert!(listed(&mut bench, "metadata[order]=order-2&metadata[shop]=two").is_empty());
    assert!(
        listed(&mut bench, "metadata[order]=order").is_empty(),
        "a whole value"
    );
    assert_eq!(listed(&mut bench, "card_last_digits=1111").len(), 5);
    assert!(listed(&mut bench, "card_last_digits=0000").is_empty());
    let receipt = bench.read(&id(2))["source"]["reference_number"].clone();
    let found = listed(
        &mut bench,
        &format!("receipt_no={}", receipt.as_str().unwrap()),
    );
    assert_eq!(found, [id(2)]);

    let (ten, thirty) = ("2027-01-15T08:00:10Z", "2027-01-15T08:00:30.000Z");
    let between = format!("created[gt]={ten}&created[lt]={thirty}");
    assert_eq!(listed(&mut bench, &between), [id(2)]);
    assert_eq!(listed(&mut bench, "created[gt]=2027-01-15").len(), 5);
}

#[test]
fn a_filter_that_is_not_understood_is_refused() {
    let mut bench = Bench::new();
    for (query, field) in [
        ("page=0", "page"),
        ("page=x", "page"),
        ("status=half_settled", "status"),
        ("created[gt]=1800000000", "created[gt]"),
        ("created[gte]=2027-01-15", "created[gte]"),
        ("metadata=x", "metadata"),
        ("reference=x", "reference"),
        ("id=a&id=b", "id"),
    ] {
        let answer = bench.get(&format!("{PAYMENTS}?{query}"));
        assert_eq!(refused(&answer), INVALID, "{query}");
        assert!(answer.json["errors"][field][0].is_string(), "{answer:?}");
    }
}

#[test]
fn accounts_and_modes_do_not_see_each_other() {
    let mut bench = Bench::new();
    bench.charged(ID);
    for key in [OTHER, SHOP_LIVE] {
        bench.key = key;
        assert!(listed(&mut bench, "").is_empty());
        assert_eq!(bench.get(&format!("{PAYMENTS}/{ID}")).status, 404);
    }
}

#[test]
fn a_late_read_shows_what_was_before() {
    let mut bench = Bench::with(Config::default().read_lag(Duration::from_secs(30)));
    bench.charged(ID);
    bench.wait(29);
    assert_eq!(bench.get(&format!("{PAYMENTS}/{ID}")).status, 404);
    assert!(listed(&mut bench, "").is_empty());
    bench.wait(1);
    assert_eq!(bench.read(ID)["refunded"], 0);
    assert_eq!(listed(&mut bench, ""), [ID]);

    let refund = bench.change(ID, "refund", &json!({}));
    assert_eq!(refund.json["status"], "refunded", "what changes it knows");
    bench.wait(29);
    assert_eq!(bench.read(ID)["status"], "paid");
    assert_eq!(listed(&mut bench, "status=paid"), [ID]);
    bench.wait(1);
    assert_eq!(bench.read(ID)["status"], "refunded");

    bench.moyasar(|moyasar| moyasar.payment_mut(ID).unwrap().refunded = 1);
    assert_eq!(bench.read(ID)["refunded"], 10_000);
    bench.wait(30);
    assert_eq!(bench.read(ID)["refunded"], 1);
}
