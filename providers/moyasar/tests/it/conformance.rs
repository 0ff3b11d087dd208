//! The core's own kit: what the engine relies on, checked from outside.

use payonce::conformance::{Fixture, Kit, Means, Shown};
use payonce::provider::Provider;
use payonce::{OperationKind, Source};
use payonce_moyasar::Moyasar;

use crate::kit::{KINDS, PARENT, call, fixture, key, names};

const SECRET: &str = "sk_test_SENTINEL_1";

fn fixtures() -> Vec<Fixture> {
    let (moyasar, key) = (Moyasar::new("main", SECRET), key());
    let mut all = Vec::new();
    for kind in KINDS {
        // The reply to a refund shows what was refunded in all.
        let shown = if kind == OperationKind::Refund {
            Shown::Total
        } else {
            Shown::Amount
        };
        for name in names(kind) {
            let (call, reply) = (call(kind, &key), fixture(kind, &name));
            let means = Means::of(&call, &moyasar.classify(&call, &reply));
            all.push(Fixture::new(name, &call, reply, means).shows(shown));
        }
    }
    all
}

#[test]
fn the_adapter_keeps_the_promises_of_the_kit() {
    Kit::new(Moyasar::new("main", SECRET), SECRET)
        // As it stands in HTTP Basic.
        .secret("c2tfdGVzdF9TRU5USU5FTF8xOg==")
        .twin(Moyasar::new("main", "sk_test_another"))
        .source(Source::token("token_1"))
        .source(Source::saved("token_2", None))
        .return_url("https://shop.example/back")
        .parent(PARENT)
        .parent("7c0a1d5e-6c1f-4d57-9a55-0d9f3c1c2b7b")
        .fixtures(fixtures())
        .check()
        .assert_ok();
}
