use std::time::Duration;

use crate::stripe::Config;
use crate::testing::{Answer, Bench, CHARGE, PAYMENTS};

fn search(bench: &mut Bench, query: &str, more: &str) -> Answer {
    let query: String = form_urlencoded::byte_serialize(query.as_bytes()).collect();
    bench.get(&format!("{PAYMENTS}/search?query={query}{more}"))
}

fn found(answer: &Answer) -> Vec<&str> {
    let data = answer.json["data"]
        .as_array()
        .unwrap_or_else(|| panic!("no list: {answer:?}"));
    data.iter()
        .map(|payment| payment["id"].as_str().unwrap())
        .collect()
}

#[test]
fn payments_are_found_by_metadata() {
    let mut bench = Bench::new();
    let one = bench.charged("a");
    let other = bench
        .post(PAYMENTS, "b", &CHARGE.replace("order-1", "order-2"))
        .id();
    let answer = search(&mut bench, "metadata['order']:'order-2'", "");
    assert_eq!(answer.json["object"], "search_result");
    assert_eq!(answer.json["has_more"], false);
    assert_eq!(found(&answer), [&*other]);
    let both = "metadata[\"order\"]:\"order-1\" AND status:'succeeded' AND currency:'usd'";
    assert_eq!(found(&search(&mut bench, both, "")), [&*one]);
    let answer = search(
        &mut bench,
        "metadata['order']:'order-1' AND status:'canceled'",
        "",
    );
    assert!(found(&answer).is_empty());
    let answer = search(&mut bench, "metadata['order']:'order'", "");
    assert!(found(&answer).is_empty(), "a part of a value is no match");
}

#[test]
fn upper_and_lower_case_are_one_so_that_a_client_must_compare_itself() {
    let mut bench = Bench::new();
    let id = bench.charged("a");
    assert_eq!(
        found(&search(&mut bench, "metadata['order']:'ORDER-1'", "")),
        [&*id]
    );
    assert!(found(&search(&mut bench, "metadata['Order']:'order-1'", "")).is_empty());
}

#[test]
fn quotes_and_backslashes_are_escaped_by_a_backslash() {
    let mut bench = Bench::new();
    let value = "it's \"5\\6\" AND more";
    let encoded: String = form_urlencoded::byte_serialize(value.as_bytes()).collect();
    let id = bench
        .post(PAYMENTS, "a", &CHARGE.replace("order-1", &encoded))
        .id();
    let query = r#"metadata['order']:'it\'s "5\\6" AND more'"#;
    assert_eq!(found(&search(&mut bench, query, "")), [&*id]);
    let query = r#"metadata["order"]:"it's \"5\\6\" AND more""#;
    assert_eq!(found(&search(&mut bench, query, "")), [&*id]);
}

#[test]
fn what_cannot_be_read_is_refused_with_a_reason() {
    let mut bench = Bench::new();
    let queries = [
        "",
        "order-1",
        "metadata['order']",
        "metadata['order']:",
        "metadata['order']:'order-1",
        "metadata['order':'order-1'",
        "metadata[order]:'order-1'",
        "metadata['order']:'a' OR metadata['order']:'b'",
        "metadata['order']:'a' AND",
        "metadata['order']:'a' 'b'",
        "metadata['order']:'\\",
        "description:'x'",
        "\u{1F980}",
    ];
    for query in queries {
        assert_eq!(search(&mut bench, query, "").status, 400, "{query}");
    }
    assert_eq!(
        bench.get(&format!("{PAYMENTS}/search")).refused(),
        (400, "parameter_missing")
    );
}

#[test]
fn a_new_or_changed_payment_is_found_only_after_the_lag() {
    let mut bench = Bench::with(Config::default().search_lag(Duration::from_secs(30)));
    let id = bench.charged("a");
    let query = "metadata['order']:'order-1'";
    assert!(found(&search(&mut bench, query, "")).is_empty());
    assert_eq!(
        bench.get(&format!("{PAYMENTS}/{id}")).status,
        200,
        "reading by id never lags"
    );
    bench.wait(29);
    assert!(found(&search(&mut bench, query, "")).is_empty());
    bench.wait(1);
    assert_eq!(found(&search(&mut bench, query, "")), [&*id]);

    bench.stripe(|stripe| {
        let payment = stripe.payment_intent_mut(&id).unwrap();
        payment
            .metadata
            .insert("order".to_owned(), "order-9".to_owned());
    });
    let stale = search(&mut bench, query, "");
    assert_eq!(found(&stale), [&*id]);
    assert_eq!(
        stale.json["data"][0]["metadata"]["order"], "order-9",
        "but it is shown fresh"
    );
    assert!(found(&search(&mut bench, "metadata['order']:'order-9'", "")).is_empty());
    bench.wait(30);
    assert!(found(&search(&mut bench, query, "")).is_empty());
    assert_eq!(
        found(&search(&mut bench, "metadata['order']:'order-9'", "")),
        [&*id]
    );
}

#[test]
fn results_come_in_pages_newest_first() {
    let mut bench = Bench::new();
    let made: Vec<String> = (0..5)
        .map(|index| bench.charged(&format!("k{index}")))
        .collect();
    let query = "metadata['order']:'order-1'";
    let mut seen = Vec::new();
    let mut page = String::new();
    loop {
        let answer = search(&mut bench, query, &format!("&limit=2{page}"));
        seen.extend(found(&answer).into_iter().map(str::to_owned));
        let Some(next) = answer.json["next_page"].as_str() else {
            break;
        };
        assert_eq!(answer.json["has_more"], true);
        page = format!("&page={next}");
    }
    seen.reverse();
    assert_eq!(seen, made);
    assert_eq!(search(&mut bench, query, "&page=2").status, 400);
    assert_eq!(search(&mut bench, query, "&limit=101").status, 400);
}

#[test]
fn two_payments_with_one_reference_are_both_found() {
    let mut bench = Bench::new();
    let id = bench.charged("a");
    let copy = bench
        .stripe(|stripe| stripe.copy_payment_intent(&id))
        .unwrap();
    assert_eq!(
        found(&search(&mut bench, "metadata['order']:'order-1'", "")),
        [&*copy, &*id]
    );
}
