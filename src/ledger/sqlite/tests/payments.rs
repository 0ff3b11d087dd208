use super::*;
use crate::ledger::{Decided, Decision, Filter, Guarded, Resolution};
use crate::operation::{Family, Identity, OperationKind};
use crate::payment::{Adopted, Payment};
use crate::provider::AccountId;

pub(super) const CAPTURE: OperationKind = OperationKind::Capture;
pub(super) const REFUND: OperationKind = OperationKind::Refund;
const VOID: OperationKind = OperationKind::Void;

fn account() -> AccountId {
    claim(1).rendered.unwrap().account
}

pub(super) fn payment(id: &str) -> Payment {
    Payment::new(account(), id)
}

pub(super) fn sar(amount: &str) -> Money {
    Money::parse(amount, Currency::SAR).unwrap()
}

/// A claim for an operation on a payment, with a reference of its own.
pub(super) fn on(kind: OperationKind, reference: &str, parent: &str, amount: &str) -> Claim {
    Claim {
        identity: Identity::new("", kind.family(), reference, 1),
        kind,
        money: sar(amount),
        parent: Some(payment(parent)),
        fingerprint: fingerprint(amount),
        ..claim(1)
    }
}

pub(super) fn succeeded(id: &str, amount: &str) -> Conclusion {
    Conclusion::Succeeded {
        effect: Effect::new(id, sar(amount), "succeeded"),
        duplicates: vec![],
    }
}

/// A charge of 480.00 that succeeded as `pi_1`.
pub(super) async fn charged(ledger: &SqliteLedger) -> Record {
    let owned = ours(ledger, claim(1)).await;
    end(ledger, &owned.record, success()).await
}

pub(super) async fn adopted(ledger: &SqliteLedger, id: &str, amount: &str) {
    let adopted = Adopted::charge(payment(id), sar(amount));
    ledger.desk().adopt(adopted, String::new()).await.unwrap();
}

#[tokio::test]
async fn a_charge_can_be_refunded_under_every_name_it_has() {
    let files = Files::new();
    let ledger = files.open();
    let made = charged(&ledger).await;
    let first = ours(&ledger, on(REFUND, "r1", "pi_1", "80.00")).await;
    assert_eq!(first.record.parent.as_deref(), Some("pi_1"));
    end(&ledger, &first.record, succeeded("re_1", "80.00")).await;
    // The refund's own id is another name of the payment.
    for name in ["pi_1", "re_1"] {
        let stored = ledger.desk().payment(payment(name)).await.unwrap().unwrap();
        assert_eq!(stored.made_by.unwrap().id, made.id);
        assert_eq!(stored.operations.len(), 1);
        let claim = on(REFUND, "r2", name, "400.01");
        let left = refused(&ledger, claim).await;
        assert!(
            matches!(left, Refused::Guarded(Guarded::ExceedsParent(left)) if left == sar("400.00"))
        );
    }
    ours(&ledger, on(REFUND, "r2", "re_1", "400.00")).await;
    assert_eq!(ledger.desk().payment(payment("pi_2")).await.unwrap(), None);
    let unknown = refused(&ledger, on(REFUND, "r3", "pi_2", "1.00")).await;
    assert!(matches!(unknown, Refused::Guarded(Guarded::NoPayment)));
}

/// A charge that has not succeeded is no payment yet.
#[tokio::test]
async fn what_is_open_cannot_be_refunded() {
    let files = Files::new();
    let ledger = files.open();
    ours(&ledger, claim(1)).await;
    let none = refused(&ledger, on(REFUND, "r1", "pi_1", "1.00")).await;
    assert!(matches!(none, Refused::Guarded(Guarded::NoPayment)));
}

/// What is refused leaves nothing behind: no row, no reference, no key.
#[tokio::test]
async fn a_refused_refund_stores_nothing() {
    let files = Files::new();
    let ledger = files.open();
    adopted(&ledger, "pi_1", "100.00").await;
    refused(&ledger, on(REFUND, "r1", "pi_1", "100.01")).await;
    for table in ["operation", "reference", "step"] {
        assert_eq!(files.number(&format!("SELECT count(*) FROM {table}")), 0);
    }
}

/// Even a program that skips the guards cannot write a refund of more than the payment.
#[tokio::test]
async fn the_database_itself_refuses_more_than_the_payment() {
    let files = Files::new();
    let ledger = files.open();
    adopted(&ledger, "pi_1", "100.00").await;
    ours(&ledger, on(REFUND, "r1", "pi_1", "80.00")).await;
    let sql = files.sql();
    let columns = "id, reference_rid, attempt, kind, account, idem_key, minor, currency, parent,
        root_rid, fingerprint, fingerprint_sha256, state, epoch, send_until, rule, created_at,
        updated_at";
    let copy = |id: &str, kind, minor| {
        sql.execute(
            "INSERT INTO reference (tenant, family, reference) VALUES ('', ?1, ?1)",
            [id],
        )
        .unwrap();
        let reference = sql.last_insert_rowid();
        let values = format!(
            "'{id}', {reference}, 1, '{kind}', account, '{id}', {minor}, currency, parent,
            root_rid, fingerprint, fingerprint_sha256, 'unsent', 1, 0, rule, 0, 0"
        );
        sql.execute(
            &format!("INSERT INTO operation ({columns}) SELECT {values} FROM operation LIMIT 1"),
            [],
        )
    };
    copy("x", "refund", 2001).expect_err("80.00 and 20.01 of 100.00");
    copy("y", "charge", 1).expect_err("a charge has no payment");
    copy("z", "refund", 2000).unwrap();
    for statement in [
        "UPDATE operation SET root_rid = NULL",
        "UPDATE operation SET parent = 'pi_2'",
    ] {
        sql.execute(statement, []).expect_err(statement);
    }
}

/// Two processes that both want to give back 80 of 100: one may, always.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn of_two_refunds_of_eighty_percent_one_is_admitted_a_thousand_times() {
    let files = Files::new();
    let ledgers = [files.open(), files.open()].map(Arc::new);
    let mut refunds = tokio::task::JoinSet::new();
    for n in 0..1000 {
        let (ledgers, id) = (ledgers.clone(), format!("pi_{n}"));
        refunds.spawn(async move {
            adopted(&ledgers[0], &id, "100.00").await;
            let [one, two] = [0, 1].map(|place| {
                let ledger = Arc::clone(&ledgers[place]);
                let claim = on(REFUND, &format!("{id}-{place}"), &id, "80.00");
                tokio::spawn(async move { ledger.claim(claim).await.unwrap() })
            });
            let claimed = [one.await.unwrap(), two.await.unwrap()];
            let owned = claimed.iter().filter(|c| matches!(c, Claimed::Ours(_)));
            let refused = |c: &&Claimed| {
                matches!(
                    c,
                    Claimed::Refused(Refused::Guarded(Guarded::ExceedsParent(_)))
                )
            };
            (owned.count(), claimed.iter().filter(refused).count())
        });
    }
    while let Some(of_one) = refunds.join_next().await {
        assert_eq!(of_one.unwrap(), (1, 1));
    }
}

#[tokio::test]
async fn a_baseline_is_stored_once_and_only_by_the_owner() {
    let files = Files::new();
    let ledger = files.open();
    adopted(&ledger, "pi_1", "100.00").await;
    let mut claim = on(REFUND, "r1", "pi_1", "80.00");
    claim.rendered.as_mut().unwrap().rule.baseline = true;
    let owned = ours(&ledger, claim.clone()).await.record;
    let store = |epoch, text: &str| ledger.baseline(owned.id, epoch, text.to_owned());
    assert!(!store(owned.epoch + 1, "foreign").await.unwrap());
    assert!(store(owned.epoch, "refunded 0").await.unwrap());
    assert!(!store(owned.epoch, "refunded 80").await.unwrap());
    let stored = ledger.read(owned.id).await.unwrap().unwrap();
    assert_eq!(stored.baseline.as_deref(), Some("refunded 0"));
    let sql = files.sql();
    sql.execute("UPDATE operation SET baseline = 'x'", [])
        .expect_err("it never changes");
    // The other one waits: the two could not be told apart at the gateway.
    let mut other = on(REFUND, "r2", "pi_1", "1.00");
    other.rendered.as_mut().unwrap().rule.baseline = true;
    assert!(matches!(
        refused(&ledger, other).await,
        Refused::Guarded(Guarded::ParentBusy(_))
    ));
}

/// An owner that died before it stored the baseline sent nothing; after it, it may have.
#[tokio::test]
async fn a_dead_owners_claim_counts_as_a_send_only_with_a_baseline() {
    for stored in [false, true] {
        let files = Files::new();
        let first = files.open();
        adopted(&first, "pi_1", "100.00").await;
        let mut claim = on(REFUND, "r1", "pi_1", "80.00");
        claim.rendered.as_mut().unwrap().rule.baseline = true;
        let owned = ours(&first, claim.clone()).await.record;
        if stored {
            first
                .baseline(owned.id, owned.epoch, "x".into())
                .await
                .unwrap();
        }
        drop(first);
        let taken = ours(&files.open(), claim).await.record;
        assert_eq!(taken.maybe_sent, u32::from(stored));
    }
}

#[tokio::test]
async fn an_adopted_payment_is_guarded_like_any_other_and_adopted_once() {
    let files = Files::new();
    let ledger = files.open();
    let facts = Adopted::authorization(payment("pi_1"), sar("100.00"))
        .captured(6_000)
        .refunded(1_000);
    let first = ledger.desk().adopt(facts, String::new()).await.unwrap();
    let again = Adopted::authorization(payment("pi_1"), sar("900.00"));
    assert_eq!(
        ledger.desk().adopt(again, String::new()).await.unwrap(),
        first
    );
    assert!(matches!(
        refused(&ledger, on(CAPTURE, "c1", "pi_1", "40.01")).await,
        Refused::Guarded(Guarded::ExceedsParent(_))
    ));
    assert!(matches!(
        refused(&ledger, on(REFUND, "r1", "pi_1", "50.01")).await,
        Refused::Guarded(Guarded::ExceedsParent(_))
    ));
    assert!(matches!(
        refused(&ledger, on(VOID, "v1", "pi_1", "100.00")).await,
        Refused::Guarded(Guarded::ExceedsParent(_))
    ));
    ours(&ledger, on(CAPTURE, "c1", "pi_1", "40.00")).await;
    // A charge turns out to have made it. What the gateway confirmed of that counts, and a payment
    // that the ledger made itself is not adopted anew.
    charged(&ledger).await;
    let made = ledger
        .desk()
        .adopt(Adopted::charge(payment("pi_1"), sar("1.00")), String::new());
    assert_eq!(made.await.unwrap().money, sar("480.00"));
}

#[tokio::test]
async fn a_person_ends_a_freeze_and_the_money_counts_from_then_on() {
    let files = Files::new();
    let ledger = files.open();
    let owned = ours(&ledger, claim(1)).await;
    end(&ledger, &owned.record, declined()).await;
    let late = Settle::new(&owned.record, success(), Learned::default());
    ledger.settle(late).await.unwrap();
    let alarms = ledger.desk().alarms(String::new()).await.unwrap();
    assert_eq!(alarms.len(), 1);
    assert_eq!(alarms[0].operation, owned.record.id);
    let resolution = |tenant: &str| Resolution {
        id: owned.record.id,
        tenant: tenant.to_owned(),
        decision: Decision::succeeded("pi_1", sar("480.00")),
        who: "Noor".to_owned(),
        why: "seen in the dashboard".to_owned(),
    };
    let foreign = ledger.desk().resolve(resolution("other")).await.unwrap();
    assert!(matches!(foreign, Decided::Absent));
    let Decided::Done(record) = ledger.desk().resolve(resolution("")).await.unwrap() else {
        panic!("not resolved")
    };
    assert_eq!((record.state, record.frozen), (State::Succeeded, false));
    ours(&ledger, on(REFUND, "r1", "pi_1", "480.00")).await;
    assert_eq!(
        files.number("SELECT count(*) FROM resolution WHERE who = 'Noor'"),
        1
    );
    let see = |tenant: &str| {
        ledger
            .desk()
            .acknowledge(alarms[0].number, tenant.into(), "Noor".into())
    };
    assert!(!see("other").await.unwrap());
    assert!(see("").await.unwrap());
    assert!(!see("").await.unwrap());
    assert_eq!(ledger.desk().alarms(String::new()).await.unwrap(), []);
}

/// A lease that may still send is not decided over.
#[tokio::test]
async fn nobody_resolves_or_withdraws_what_is_being_driven() {
    let files = Files::new();
    let (ledger, other) = (files.open(), files.open());
    let id = ours(&ledger, claim(1)).await.record.id;
    for ledger in [&ledger, &other] {
        let resolution = Resolution {
            id,
            tenant: String::new(),
            decision: Decision::NotExecuted,
            who: "Noor".to_owned(),
            why: "seen".to_owned(),
        };
        let decided = ledger.desk().resolve(resolution).await.unwrap();
        assert!(matches!(decided, Decided::Refused(_)));
        let decided = ledger.desk().withdraw(id, String::new()).await.unwrap();
        assert!(matches!(decided, Decided::Refused(_)));
    }
}

#[tokio::test]
async fn operations_are_listed_by_state_family_and_page() {
    let files = Files::new();
    let ledger = files.open();
    let charge = charged(&ledger).await;
    let refund = ours(&ledger, on(REFUND, "r1", "pi_1", "1.00")).await.record;
    let other = ours(&ledger, on(REFUND, "r2", "pi_1", "1.00")).await.record;
    let ids = async |filter| {
        let records = ledger.desk().list(String::new(), filter).await.unwrap();
        records.iter().map(|record| record.id).collect::<Vec<_>>()
    };
    assert_eq!(
        ids(Filter::default()).await,
        [charge.id, refund.id, other.id]
    );
    assert_eq!(ids(Filter::open()).await, [refund.id, other.id]);
    let paid = Filter::states([State::Succeeded]);
    assert_eq!(ids(paid).await, [charge.id]);
    assert_eq!(
        ids(Filter::default().family(Family::Payment)).await,
        [charge.id]
    );
    assert_eq!(ids(Filter::default().limit(1)).await, [charge.id]);
    assert_eq!(
        ids(Filter::default().after(charge.id).limit(1)).await,
        [refund.id]
    );
    let foreign = ledger
        .list("other".into(), Filter::default())
        .await
        .unwrap();
    assert_eq!(foreign, []);
}
