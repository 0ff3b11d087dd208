//! The query: by `cart_id`, by reference, and what it does not show.

use std::time::Duration;

use super::{Bench, Config, page, tokens};

#[test]
fn all_transactions_of_a_cart_id_are_listed_the_declined_ones_too() {
    let mut bench = Bench::new();
    bench.charge(tokens::DECLINED, "order1");
    bench.wait(120);
    bench.charge(tokens::APPROVED, "order1");
    assert_eq!(
        bench.query("order1").listed(),
        [("Sale", "D"), ("Sale", "A")]
    );
    assert_eq!(bench.query("order2").error(), (404, 113));
    let id = bench.authorized();
    bench.follow(&id, "capture", "50.00");
    assert_eq!(bench.query("capture50.00").listed(), [("Capture", "A")]);
    assert_eq!(bench.read(&id).result().1, "A");
    assert_eq!(bench.read("TST2633599999999").error(), (404, 113));
}

/// The documented query is for pages. What it would not find then must not be missed by a client.
#[test]
fn it_may_be_that_only_pages_are_found() {
    let mut bench = Bench::with(Config::default().find_pages_only());
    let id = bench.charge(tokens::APPROVED, "order1").id();
    assert_eq!(bench.query("order1").error(), (404, 113));
    assert_eq!(bench.read(&id).result().1, "A");
    bench.post(page("order2"));
    assert_eq!(bench.query("order2").listed(), [("Sale", "P")]);
}

#[test]
fn it_lags_behind() {
    let mut bench = Bench::with(Config::default().query_lag(Duration::from_secs(60)));
    let id = bench.charge(tokens::APPROVED, "order1").id();
    assert_eq!(bench.query("order1").error(), (404, 113));
    assert_eq!(bench.read(&id).error(), (404, 113));
    bench.wait(60);
    assert_eq!(bench.query("order1").listed(), [("Sale", "A")]);
}

#[test]
fn it_takes_exactly_one_of_its_fields_and_shows_no_other_profile() {
    let mut bench = Bench::new();
    bench.charge(tokens::APPROVED, "order1");
    for body in [
        r#"{"profile_id":987654}"#,
        r#"{"profile_id":987654,"cart_id":"order1","tran_ref":"TST1"}"#,
        r#"{"profile_id":987654,"cart_id":1}"#,
        r#"{"profile_id":"987654","cart_id":"order1"}"#,
        r#"{"profile_id":987654,"cart_id":"order1","page":2}"#,
        "cart_id=order1",
    ] {
        let request = bench.request("/payment/query", body);
        assert_eq!(bench.send(request).error(), (400, 2), "{body}");
    }
    let request = bench.request("/payment/query", r#"{"profile_id":1,"cart_id":"order1"}"#);
    assert_eq!(bench.send(request).error(), (404, 113));
}
