//! Captures, refunds and voids.

use super::{Bench, Config, tokens};
use crate::EffectKind::{Authorize, Capture, Charge, Refund, Void};

#[test]
fn an_authorization_is_captured_up_to_its_amount() {
    let mut bench = Bench::new();
    let id = bench.authorized();
    let capture = bench.follow(&id, "capture", "50.00");
    assert_eq!(capture.result().1, "A");
    assert_eq!(capture.json["previous_tran_ref"], id.as_str());
    assert_eq!(
        bench.follow(&id, "capture", "42.01").result(),
        (200, "E", "118")
    );
    assert_eq!(bench.follow(&id, "capture", "42.00").result().1, "A");
    // What was captured can only be refunded, and only at the capture.
    assert_eq!(bench.follow(&id, "void", "92.00").result(), (200, "E", "2"));
    assert_eq!(
        bench.follow(&id, "refund", "1.00").result(),
        (200, "E", "2")
    );
    assert_eq!(
        bench.follow(&capture.id(), "refund", "50.00").result().1,
        "A"
    );
    assert_eq!(
        bench.moved(),
        [
            (Authorize, 9200),
            (Capture, 5000),
            (Capture, 4200),
            (Refund, 5000)
        ]
    );
    let effects = bench.world.effects();
    assert!(
        effects
            .iter()
            .all(|effect| effect.payment_id.as_deref() == Some(id.as_str()))
    );
}

#[test]
fn refunds_never_exceed_the_charge() {
    let mut bench = Bench::new();
    let id = bench.charge(tokens::APPROVED, "order1").id();
    assert_eq!(bench.follow(&id, "refund", "60.00").result().1, "A");
    assert_eq!(
        bench.follow(&id, "refund", "32.01").result(),
        (200, "E", "342")
    );
    assert_eq!(bench.follow(&id, "refund", "32.00").result().1, "A");
    assert_eq!(bench.follow(&id, "void", "92.00").result(), (200, "E", "2"));
    let other = super::follow(&id, "refund", "1.00").replace("SAR", "AED");
    assert_eq!(bench.post(other).result(), (200, "E", "206"));
    assert_eq!(
        bench.moved(),
        [(Charge, 9200), (Refund, 6000), (Refund, 3200)]
    );
}

#[test]
fn a_void_is_of_the_whole_and_ends_the_authorization() {
    let mut bench = Bench::new();
    let id = bench.authorized();
    assert_eq!(bench.follow(&id, "void", "91.99").result(), (200, "E", "2"));
    assert_eq!(bench.follow(&id, "void", "92.00").result().1, "A");
    assert_eq!(bench.read(&id).result().1, "V");
    assert_eq!(
        bench.follow(&id, "capture", "1.00").result(),
        (200, "E", "2")
    );
    assert_eq!(bench.moved(), [(Authorize, 9200), (Void, 9200)]);
}

/// No page says that the guard looks at them, so a repeated refund is two.
#[test]
fn a_repeated_refund_is_another_one_unless_the_guard_is_said_to_see_it() {
    let mut bench = Bench::new();
    let id = bench.charge(tokens::APPROVED, "order1").id();
    for _ in 0..2 {
        assert_eq!(bench.follow(&id, "refund", "10.00").result().1, "A");
    }
    assert_eq!(bench.moved().len(), 3);
    let mut bench = Bench::with(Config::default().guard_all());
    let id = bench.charge(tokens::APPROVED, "order1").id();
    assert_eq!(bench.follow(&id, "refund", "10.00").result().1, "A");
    assert_eq!(bench.follow(&id, "refund", "10.00").error(), (409, 4));
    assert_eq!(bench.moved().len(), 2);
}

#[test]
fn what_is_not_there_or_belongs_to_another_profile_is_not_found() {
    let mut bench = Bench::new();
    let id = bench.charge(tokens::APPROVED, "order1").id();
    let theirs = super::follow(&id, "refund", "1.00").replace("987654", "987655");
    assert_eq!(bench.post(theirs).error(), (400, 113));
    for id in ["TST2633599999999", "x", "مدفوع"] {
        assert_eq!(bench.follow(id, "refund", "1.00").error(), (400, 113));
    }
}
