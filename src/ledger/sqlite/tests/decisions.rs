use super::payments::{CAPTURE, REFUND, adopted, charged, on, payment, sar, succeeded};
use super::*;
use crate::ledger::{AlarmKind, Decided, Decision, Guarded, Resolution};
use crate::operation::{Family, Identity};
use crate::payment::Adopted;

fn resolution(id: OperationId, decision: Decision) -> Resolution {
    Resolution {
        id,
        tenant: String::new(),
        decision,
        who: "Noor".into(),
        why: "seen".into(),
    }
}

fn hold() -> Conclusion {
    Conclusion::Hold {
        doubt: Doubt::NoReply {
            problem: "x".into(),
        },
        provider_id: None,
    }
}

/// Asserts that there is not so much left of the payment.
#[track_caller]
fn assert_exceeds(claimed: &Claimed) {
    assert!(
        matches!(
            claimed,
            Claimed::Refused(Refused::Guarded(Guarded::ExceedsParent(_)))
        ),
        "{claimed:?}"
    );
}

/// A refund that a person called off and whose success came after all: the money may be gone.
#[tokio::test]
async fn what_a_contradicted_no_may_have_moved_counts_in_full() {
    let files = Files::new();
    let ledger = files.open();
    charged(&ledger).await;
    let first = ours(&ledger, on(REFUND, "r1", "pi_1", "480.00"))
        .await
        .record;
    end(&ledger, &first, hold()).await;
    ledger
        .desk()
        .resolve(resolution(first.id, Decision::NotExecuted))
        .await
        .unwrap();
    let late = Settle::new(&first, succeeded("re_1", "480.00"), Learned::default());
    ledger.settle(late).await.unwrap();
    assert_eq!(files.number("SELECT sum(frozen) FROM reference"), 1);
    assert_eq!(ledger.desk().alarms(String::new()).await.unwrap().len(), 1);
    let second = ledger
        .claim(on(REFUND, "r2", "pi_1", "480.00"))
        .await
        .unwrap();
    assert_exceeds(&second);
}

#[tokio::test]
async fn a_declined_refund_whose_success_arrives_counts_in_full() {
    let files = Files::new();
    let ledger = files.open();
    charged(&ledger).await;
    let first = ours(&ledger, on(REFUND, "r1", "pi_1", "480.00"))
        .await
        .record;
    end(&ledger, &first, declined()).await;
    let late = Settle::new(&first, succeeded("re_1", "480.00"), Learned::default());
    ledger.settle(late).await.unwrap();
    let second = ledger
        .claim(on(REFUND, "r2", "pi_1", "480.00"))
        .await
        .unwrap();
    assert_exceeds(&second);
}

#[tokio::test]
async fn what_a_person_says_moved_is_what_counts() {
    let files = Files::new();
    let ledger = files.open();
    charged(&ledger).await;
    let first = ours(&ledger, on(REFUND, "r1", "pi_1", "80.00"))
        .await
        .record;
    end(&ledger, &first, hold()).await;
    let moved = Decision::succeeded("re_1", sar("400.00"));
    ledger
        .desk()
        .resolve(resolution(first.id, moved))
        .await
        .unwrap();
    let second = ledger
        .claim(on(REFUND, "r2", "pi_1", "400.00"))
        .await
        .unwrap();
    assert_exceeds(&second);
}

/// A capture of 100 that took 40.
#[tokio::test]
async fn only_what_was_captured_can_be_refunded() {
    let files = Files::new();
    let ledger = files.open();
    ledger
        .desk()
        .adopt(
            Adopted::authorization(payment("pi_9"), sar("100.00")),
            String::new(),
        )
        .await
        .unwrap();
    let first = ours(&ledger, on(CAPTURE, "c1", "pi_9", "100.00"))
        .await
        .record;
    end(&ledger, &first, hold()).await;
    let moved = Decision::succeeded("pi_9", sar("40.00"));
    ledger
        .desk()
        .resolve(resolution(first.id, moved))
        .await
        .unwrap();
    let second = ledger
        .claim(on(REFUND, "r2", "pi_9", "100.00"))
        .await
        .unwrap();
    assert_exceeds(&second);
}

/// A charge that the gateway confirmed is not rewritten: it would be refunded twice.
#[tokio::test]
async fn a_confirmed_charge_gets_no_second_payment() {
    let files = Files::new();
    let ledger = files.open();
    let made = charged(&ledger).await;
    ours(&ledger, on(REFUND, "r1", "pi_1", "480.00")).await;
    let moved = Decision::succeeded("ch_1", sar("480.00"));
    let d = ledger
        .desk()
        .resolve(resolution(made.id, moved))
        .await
        .unwrap();
    assert!(matches!(d, Decided::Refused(_)), "{d:?}");
    assert_eq!(files.number("SELECT count(*) FROM payment"), 1);
    // Another charge cannot be resolved as this payment either.
    let mut other = claim(1);
    other.identity = Identity::new("", Family::Payment, "order-2", 1);
    let owned = ours(&ledger, other).await.record;
    end(&ledger, &owned, hold()).await;
    let same = Decision::succeeded("pi_1", sar("480.00"));
    let taken = ledger.desk().resolve(resolution(owned.id, same)).await;
    assert!(matches!(taken.unwrap(), Decided::Taken));
    let record = ledger.read(owned.id).await.unwrap().unwrap();
    assert_eq!(record.state, State::Unknown);
}

/// A refund that was resolved with another order's payment.
#[tokio::test]
async fn an_id_that_two_operations_claim_stops_both() {
    let files = Files::new();
    let ledger = files.open();
    charged(&ledger).await;
    let first = ours(&ledger, on(REFUND, "r1", "pi_1", "80.00"))
        .await
        .record;
    end(&ledger, &first, hold()).await;
    let moved = Decision::succeeded("pi_2", sar("80.00"));
    ledger
        .desk()
        .resolve(resolution(first.id, moved))
        .await
        .unwrap();
    // Another order of 10.00 is now paid as pi_2.
    let mut other = claim(1);
    other.identity = Identity::new("", Family::Payment, "order-2", 1);
    other.money = sar("10.00");
    let owned = ours(&ledger, other).await.record;
    let done = end(&ledger, &owned, succeeded("pi_2", "10.00")).await;
    assert!(done.frozen);
    assert_eq!(ledger.desk().alarms(String::new()).await.unwrap().len(), 1);
}

/// Two orders would be shipped for one payment.
#[tokio::test]
async fn two_charges_with_one_payment_are_not_both_paid() {
    let files = Files::new();
    let ledger = files.open();
    charged(&ledger).await;
    let mut other = claim(1);
    other.identity = Identity::new("", Family::Payment, "order-2", 1);
    let owned = ours(&ledger, other).await.record;
    let done = end(&ledger, &owned, success()).await;
    assert!(done.frozen);
    assert_eq!(ledger.desk().alarms(String::new()).await.unwrap().len(), 1);
}

#[tokio::test]
async fn an_adopted_payment_belongs_to_its_tenant() {
    let files = Files::new();
    let ledger = files.open();
    adopted(&ledger, "pi_1", "100.00").await; // by "north"
    let mut claim = on(REFUND, "r1", "pi_1", "100.00");
    claim.identity = Identity::new("south", Family::Refund, "r1", 1);
    let c = ledger.claim(claim).await.unwrap();
    assert!(
        matches!(c, Claimed::Refused(Refused::Guarded(Guarded::NoPayment))),
        "{c:?}"
    );
}

#[tokio::test]
async fn a_refund_that_happened_twice_counts_twice() {
    let files = Files::new();
    let ledger = files.open();
    charged(&ledger).await;
    let first = ours(&ledger, on(REFUND, "r1", "pi_1", "240.00"))
        .await
        .record;
    let twice = Conclusion::Succeeded {
        effect: Effect::new("re_1", sar("240.00"), "succeeded"),
        duplicates: vec!["re_2".into()],
    };
    end(&ledger, &first, twice).await;
    let c = ledger
        .claim(on(REFUND, "r2", "pi_1", "240.00"))
        .await
        .unwrap();
    assert_exceeds(&c);
    assert_eq!(ledger.desk().payment(payment("re_2")).await.unwrap(), None);
}

/// A person said that its charge was paid, and took that back meanwhile.
#[tokio::test]
async fn a_refund_that_is_claimed_again_is_guarded_again() {
    let files = Files::new();
    let ledger = files.open();
    let made = ours(&ledger, claim(1)).await.record;
    let doubt = Conclusion::Hold {
        doubt: Doubt::OwnerLost,
        provider_id: None,
    };
    end(&ledger, &made, doubt).await;
    let paid = Decision::succeeded("pi_1", made.money);
    ledger
        .desk()
        .resolve(resolution(made.id, paid))
        .await
        .unwrap();
    let refund = on(REFUND, "r1", "pi_1", "480.00");
    let first = ours(&ledger, refund.clone()).await.record;
    let why = UnsentReason::Unavailable {
        why: "x".into(),
        retry_after: None,
    };
    end(&ledger, &first, Conclusion::Unsent(why)).await;
    ledger
        .desk()
        .resolve(resolution(made.id, Decision::NotExecuted))
        .await
        .unwrap();
    let c = ledger.claim(refund).await.unwrap();
    assert!(
        matches!(
            c,
            Claimed::Refused(Refused::Guarded(Guarded::ParentBusy(_)))
        ),
        "{c:?}"
    );
}

/// The payment of attempt 1 would never be found again.
#[tokio::test]
async fn a_freeze_ends_only_with_what_was_contradicted() {
    let files = Files::new();
    let ledger = files.open();
    let one = ours(&ledger, claim(1)).await.record;
    end(&ledger, &one, declined()).await;
    let two = ours(&ledger, claim(2)).await.record;
    end(&ledger, &two, succeeded("pi_2", "480.00")).await;
    let late = Settle::new(&one, success(), Learned::default());
    ledger.settle(late).await.unwrap();
    assert_eq!(files.number("SELECT sum(frozen) FROM reference"), 1);
    let moved = Decision::succeeded("pi_2", sar("480.00"));
    ledger
        .desk()
        .resolve(resolution(two.id, moved))
        .await
        .unwrap();
    let now = ledger.read(one.id).await.unwrap().unwrap();
    assert!(now.frozen && now.state == State::Declined);
    // The one that is contradicted ends it, and two that are paid are told.
    let paid = Decision::succeeded("pi_1", sar("480.00"));
    ledger
        .desk()
        .resolve(resolution(one.id, paid))
        .await
        .unwrap();
    assert_eq!(files.number("SELECT sum(frozen) FROM reference"), 0);
    let alarms = ledger.desk().alarms(String::new()).await.unwrap();
    let twice = |kind| alarms.iter().filter(|alarm| alarm.kind == kind).count();
    assert_eq!(twice(AlarmKind::DuplicateAtGateway), 1);
    assert!(
        ledger
            .desk()
            .payment(payment("pi_1"))
            .await
            .unwrap()
            .is_some()
    );
}

#[tokio::test]
async fn what_becomes_of_a_charge_reaches_its_adopted_payment() {
    let files = Files::new();
    let ledger = files.open();
    let owned = ours(&ledger, claim(1)).await.record;
    end(&ledger, &owned, hold()).await;
    adopted(&ledger, "pi_1", "480.00").await;
    let moved = Decision::succeeded("pi_1", sar("480.00"));
    ledger
        .desk()
        .resolve(resolution(owned.id, moved))
        .await
        .unwrap();
    ledger
        .desk()
        .resolve(resolution(owned.id, Decision::NotExecuted))
        .await
        .unwrap();
    let c = ledger
        .claim(on(REFUND, "r1", "pi_1", "480.00"))
        .await
        .unwrap();
    assert!(
        matches!(
            c,
            Claimed::Refused(Refused::Guarded(Guarded::ParentBusy(_)))
        ),
        "{c:?}"
    );
}

#[tokio::test]
async fn an_adopted_capture_closes_the_authorization() {
    let files = Files::new();
    let ledger = files.open();
    let facts = Adopted::authorization(payment("pi_1"), sar("100.00")).captured(6_000);
    ledger.desk().adopt(facts, String::new()).await.unwrap();
    let mut c = on(CAPTURE, "c1", "pi_1", "40.00");
    c.rendered.as_mut().unwrap().rule.one_capture = true;
    let c = ledger.claim(c).await.unwrap();
    assert_exceeds(&c);
}

#[tokio::test]
async fn a_contradicted_capture_counts_in_full() {
    let files = Files::new();
    let ledger = files.open();
    ledger
        .desk()
        .adopt(
            Adopted::authorization(payment("pi_9"), sar("100.00")),
            String::new(),
        )
        .await
        .unwrap();
    let first = ours(&ledger, on(CAPTURE, "c1", "pi_9", "100.00"))
        .await
        .record;
    end(&ledger, &first, declined()).await;
    let late = Settle::new(&first, succeeded("cap_1", "100.00"), Learned::default());
    ledger.settle(late).await.unwrap();
    let c = ledger
        .claim(on(CAPTURE, "c2", "pi_9", "100.00"))
        .await
        .unwrap();
    assert_exceeds(&c);
}

/// The merchant said 900 of a payment that its own charge of 480 turned out to have made.
#[tokio::test]
async fn what_the_gateway_confirmed_replaces_what_was_said_of_an_adopted_payment() {
    let files = Files::new();
    let ledger = files.open();
    adopted(&ledger, "pi_1", "900.00").await;
    charged(&ledger).await;
    let claimed = ledger.claim(on(REFUND, "r1", "pi_1", "480.01")).await;
    assert_exceeds(&claimed.unwrap());
    ours(&ledger, on(REFUND, "r1", "pi_1", "480.00")).await;
}
