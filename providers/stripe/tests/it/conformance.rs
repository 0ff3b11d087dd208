//! The core's own kit: what the engine relies on, checked from outside.

use payonce::Source;
use payonce::conformance::{Fixture, Kit, Means};
use payonce_stripe::Stripe;

use crate::kit::{KINDS, PARENT, call_of, fixture_of, key, names};

const SECRET: &str = "sk_test_51SENTINEL";

/// What the kit is told about a fixture. What it means in full stands in the tables of verdicts,
/// by hand; here it is read from the adapter, so that every reply is checked for all else.
fn fixtures() -> Vec<Fixture> {
    let (stripe, key) = (Stripe::new("main", SECRET), key());
    let mut all = Vec::new();
    for kind in KINDS {
        for name in names(kind) {
            let (call, reply) = (call_of(kind, &key), fixture_of(kind, &name));
            let verdict = payonce::provider::Provider::classify(&stripe, &call, &reply);
            let means = Means::of(&call, &verdict);
            all.push(Fixture::new(name, &call, reply, means));
        }
    }
    all
}

#[test]
fn the_adapter_keeps_the_promises_of_the_kit() {
    Kit::new(Stripe::new("main", SECRET), SECRET)
        .twin(Stripe::new("main", "rk_test_another"))
        .source(Source::token("pm_1Visa"))
        .source(Source::saved("pm_1Mada", Some("cus_1")))
        .return_url("https://shop.example/back")
        .parent(PARENT)
        .parent("pi_3FixtureA2")
        .fixtures(fixtures())
        .check()
        .assert_ok();
}
