//! The core's own kit: what the engine relies on, checked from outside.

use payonce::Source;
use payonce::conformance::{Fixture, Kit, Means, Shown};
use payonce::provider::Provider;
use payonce_hyperpay::HyperPay;

use crate::kit::{ENTITY, PARENT, call, fixture, key, kind, names};

const TOKEN: &str = "OGFjN2E0SENTINELfHRlc3Q=";

fn fixtures() -> Vec<Fixture> {
    let (hyperpay, key) = (HyperPay::test(ENTITY, TOKEN), key());
    let told = |name: String| {
        let (call, reply) = (call(kind(&name), &key), fixture(&name));
        let means = Means::of(&call, &hyperpay.classify(&call, &reply));
        let shown = if name == "void/200_voided_no_amount" {
            Shown::Nothing
        } else {
            Shown::Amount
        };
        Fixture::new(name, &call, reply, means).shows(shown)
    };
    names().into_iter().map(told).collect()
}

#[test]
fn the_adapter_keeps_the_promises_of_the_kit() {
    Kit::new(HyperPay::test(ENTITY, TOKEN), TOKEN)
        .twin(HyperPay::test(ENTITY, "another"))
        .source(Source::token("8ac7a4a18f1d2c3b018f1d9a1b2c0a99"))
        .source(Source::saved("8ac7a4a18f1d2c3b018f1d9a1b2c0a98", None))
        .return_url("https://shop.example/back")
        .parent(PARENT)
        .parent("8ac7a4a18f1d2c3b018f1d9a1b2c0002")
        .fixtures(fixtures())
        .check()
        .assert_ok();
}
