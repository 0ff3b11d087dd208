//! Recovery and look-ups beside other callers: they send only what somebody still wants.

use std::time::Duration;

use payonce::{
    Adopted, Client, Currency, Decision, Error, Family, Intent, Outcome, Policy, Source,
};
use payonce_moyasar::Moyasar;
use payonce_simulator::{ActionKind, Close, Fault, Matcher, RateLimit, When};
use rusqlite::Connection;

use crate::world::{World, assert_word, charge, hasty, lost_after, money};

/// A client by the system's clock, as another process.
fn real(world: &World) -> Client {
    let ledger = payonce::SqliteLedger::open(world.ledger_path()).unwrap();
    Client::builder(ledger)
        .provider(world.stripe())
        .policy(Policy::new().deadline(Duration::from_secs(5)))
        .build()
        .unwrap()
}

fn moyasar(world: &World) -> Moyasar {
    Moyasar::new("main", "sk_test_1").base_url(world.gateway.gateway_url("moyasar"))
}

async fn paid_at_moyasar(client: &Client) -> payonce::Receipt {
    let intent = Intent::charge("o1", money("100.00", Currency::SAR))
        .source(Source::saved("token_visa", None))
        .return_url("https://shop.example/back");
    match client.charge(intent).await {
        Ok(Outcome::Succeeded(receipt)) => receipt,
        other => panic!("{other:?}"),
    }
}

async fn until(reached: impl Fn() -> bool) {
    while !reached() {
        tokio::task::yield_now().await;
    }
}

/// The caller is told that nothing happened, and may have sent the customer away. A recovery that
/// waited for the same operation must not charge then.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_recovery_does_not_send_what_its_caller_was_told_is_unsent() {
    let slow = |then| Fault::Together {
        faults: vec![
            Fault::Delay {
                when: When::Before,
                ms: 400,
            },
            then,
        ],
    };
    let limited = Fault::RateLimited {
        kind: RateLimit::RateLimit,
        retry_after: Some("3".into()),
    };
    for (fault, same_process) in [(limited, true), (Fault::Unauthorized, false)] {
        let world = World::new();
        world.fault(slow(fault));
        let client = real(&world);
        let other = if same_process {
            client.clone()
        } else {
            real(&world)
        };
        let call = tokio::spawn(async move {
            let intent = charge("r1").deadline(Duration::from_millis(1500));
            client.charge(intent).await
        });
        until(|| !world.sent().is_empty()).await;
        let recovery = tokio::spawn(async move { other.recover().await });
        let told = call.await.unwrap();
        assert!(told.is_err(), "{told:?}");
        recovery.await.unwrap().unwrap();
        assert_eq!((world.sent().len(), world.effects("r1")), (1, 0));
    }
}

/// A refund whose process died while it read the payment was never sent, and nobody waits for it.
#[test]
fn a_recovery_does_not_send_what_was_never_sent() {
    let world = World::new();
    let runtime = || {
        tokio::runtime::Builder::new_multi_thread()
            .enable_all()
            .build()
            .unwrap()
    };
    let open = || {
        let ledger = payonce::SqliteLedger::open(world.ledger_path()).unwrap();
        let builder = Client::builder(ledger).provider(moyasar(&world));
        builder.build().unwrap()
    };
    let first = runtime();
    let client = open();
    let receipt = first.block_on(paid_at_moyasar(&client));
    let hold = Fault::HoldForEver { execute: false };
    world.gateway.faults().push(hold.on(Matcher::get()));
    let refund = Intent::refund("f1", receipt.payment(), money("40.00", Currency::SAR));
    first.spawn(async move { client.refund(refund).await });
    while world.gateway.in_flight() == 0 {
        std::thread::yield_now();
    }
    first.shutdown_timeout(Duration::from_secs(5));
    world.gateway.release();
    world.gateway.faults().clear();
    assert_eq!(world.state("f1"), "sending");
    let posts = world.sent().len();
    let recovered = runtime().block_on(open().recover()).unwrap();
    assert_eq!(recovered.len(), 1);
    assert_eq!(
        (world.sent().len(), world.state("f1").as_str()),
        (posts, "unsent")
    );
}

/// A thousand pages that customers left open must not hide a lost charge.
#[tokio::test]
async fn a_recovery_comes_to_what_is_behind_a_thousand_open_pages() {
    let world = World::new();
    let kind = ActionKind::RedirectToUrl;
    world.fault(Fault::RequireAction { kind });
    let page = charge("page").return_url("https://shop.example/");
    assert_word(&world.client().charge(page).await, "action_required");
    copy_the_first_operation(&world, 1100);
    world.fault(lost_after());
    let lost = world.client_with(|builder| builder.policy(hasty().sends(1)));
    world.no_look_ups();
    assert_word(&lost.charge(charge("r2")).await, "unknown");
    let recovered = world.client().recover().await.unwrap();
    assert_eq!(recovered.len(), 2);
    assert!(recovered.iter().any(|o| o.summary.reference == "r2"));
}

/// Rows as those of a busy shop. Their account is another, so that nobody is asked about them.
fn copy_the_first_operation(world: &World, times: u32) {
    let sql = Connection::open(world.ledger_path()).unwrap();
    let query = "SELECT group_concat(name, ',') FROM pragma_table_info('operation')
        WHERE name NOT IN ('rid', 'id', 'reference_rid', 'account', 'idem_key')";
    let columns: String = sql.query_row(query, [], |row| row.get(0)).unwrap();
    sql.execute_batch("BEGIN").unwrap();
    for n in 0..times {
        let reference =
            "INSERT INTO reference (tenant, family, reference) VALUES ('', 'payment', ?1)";
        sql.execute(reference, [format!("p{n}")]).unwrap();
        let reference = sql.last_insert_rowid();
        let operation = format!(
            "INSERT INTO operation (id, reference_rid, account, idem_key, {columns})
             SELECT printf('%026d', {n}), {reference}, 'stripe:test:other@https://x', 'k{n}',
                {columns}
             FROM operation WHERE rid = 1"
        );
        sql.execute(&operation, []).unwrap();
    }
    sql.execute_batch("COMMIT").unwrap();
}

/// Who wants to pay does not get the answer of somebody who only asked.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_charge_that_meets_a_look_up_goes_on_itself() {
    let world = World::new();
    world.fault(lost_after());
    assert_word(&world.blind_client().charge(charge("r1")).await, "unknown");
    let client = world.client();
    let found = client.find(Family::Payment, "r1").await.unwrap().unwrap();
    world.gateway.faults().clear();
    let hold = Fault::HoldForEver { execute: false };
    world.gateway.faults().push(hold.on(Matcher::get()));
    world.no_look_ups();
    let look_up = tokio::spawn({
        let client = client.clone();
        async move { client.look_up(found.summary.id).await }
    });
    until(|| world.gateway.in_flight() > 0).await;
    let join = tokio::spawn(async move { client.charge(charge("r1")).await });
    for _ in 0..100 {
        tokio::task::yield_now().await;
    }
    world.gateway.release();
    assert_word(&look_up.await.unwrap(), "unknown");
    assert_word(&join.await.unwrap(), "succeeded");
    assert_eq!((world.sent().len(), world.effects("r1")), (2, 1));
}

/// Between our claim and our send somebody else gave as much back. Ours was lost before it was
/// carried out, and must not be taken for done.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_change_before_our_send_is_not_ours() {
    let world = World::new();
    let open = |file: &str| {
        let path = world.ledger_path().with_file_name(file);
        let ledger = payonce::SqliteLedger::open(path).unwrap();
        let builder = Client::builder(ledger).provider(moyasar(&world));
        builder.build().unwrap()
    };
    let (ours, theirs) = (open("ours.db"), open("theirs.db"));
    let receipt = paid_at_moyasar(&ours).await;
    let adopted = Adopted::charge(receipt.payment(), receipt.money);
    theirs.adopt(adopted).await.unwrap();
    world.fault(Fault::RateLimited {
        kind: RateLimit::RateLimit,
        retry_after: Some("2".into()),
    });
    let posts = world.sent().len();
    let payment = receipt.payment();
    let refund =
        |reference: &str| Intent::refund(reference, payment.clone(), money("40.00", Currency::SAR));
    let call = tokio::spawn({
        let (client, intent) = (ours.clone(), refund("f1"));
        async move { client.refund(intent).await }
    });
    until(|| world.sent().len() > posts).await;
    // Our first request is refused by now, and waits two seconds for its repeat.
    world.clock.advance(Duration::from_secs(1));
    assert_word(&theirs.refund(refund("d1")).await, "succeeded");
    world.clock.advance(Duration::from_secs(1));
    world.fault(Fault::ReplyLost {
        when: When::Before,
        how: Close::Rst,
    });
    assert_word(&call.await.unwrap(), "unknown");
}

#[tokio::test]
async fn what_is_known_is_not_adopted_otherwise_and_belongs_to_its_tenant() {
    let world = World::new();
    let client = world.client();
    let Ok(Outcome::Succeeded(receipt)) = client.charge(charge("r1")).await else {
        panic!("not paid")
    };
    let known = || Adopted::charge(receipt.payment(), receipt.money);
    client.adopt(known()).await.unwrap();
    let other = client.adopt(known().refunded(48_000)).await;
    assert!(matches!(other, Err(Error::Invalid { .. })), "{other:?}");
    let south = client.tenant("south").unwrap();
    let foreign = south.adopt(known()).await;
    assert!(
        matches!(foreign, Err(Error::NotFound { .. })),
        "{foreign:?}"
    );
    let refund = Intent::refund("f1", receipt.payment(), receipt.money);
    let foreign = south.refund(refund).await;
    assert!(matches!(foreign, Err(Error::Invalid { .. })), "{foreign:?}");
    let mut odd = known();
    odd.kind = payonce::OperationKind::Void;
    client.adopt(odd).await.unwrap_err();
}

/// A payment that the gateway confirmed is not rewritten by hand.
#[tokio::test]
async fn a_confirmed_payment_is_not_resolved_into_another() {
    let world = World::new();
    let client = world.client();
    assert_word(&client.charge(charge("r1")).await, "succeeded");
    let id = client
        .find(Family::Payment, "r1")
        .await
        .unwrap()
        .unwrap()
        .summary
        .id;
    let other = Decision::succeeded("pi_other", money("999.00", Currency::SAR));
    let refused = client.resolve(id, other, "Noor", "a guess").await;
    assert!(
        matches!(refused, Err(Error::WrongState { .. })),
        "{refused:?}"
    );
}

/// A worker that recovers only what it knows of leaves the others' charges in doubt for ever.
#[tokio::test]
async fn a_worker_comes_to_the_open_operations_of_every_tenant() {
    let world = World::new();
    let client = world.client_with(|builder| builder.policy(hasty().sends(1)));
    let of = |name: &str| client.tenant(name).unwrap();
    for (handle, reference) in [
        (client.clone(), "r0"),
        (of("north"), "r1"),
        (of("south"), "r2"),
    ] {
        world.fault(lost_after());
        world.no_look_ups();
        assert_word(&handle.charge(charge(reference)).await, "unknown");
        world.gateway.faults().clear();
    }
    assert_word(&of("paid").charge(charge("r3")).await, "succeeded");
    world.fault(Fault::Unauthorized);
    assert_word(&of("unsent").charge(charge("r4")).await, "unauthorized");
    // Whose handle asks does not matter.
    let mut names = Vec::new();
    for tenant in of("west").tenants().await.unwrap() {
        names.push(tenant.tenant_name().map(str::to_owned));
        let recovered = tenant.recover().await.unwrap();
        assert_eq!(recovered.len(), 1);
        assert_word(&recovered[0].answer, "succeeded");
    }
    assert_eq!(
        names,
        [None, Some("north".to_owned()), Some("south".to_owned())]
    );
    assert!(client.tenants().await.unwrap().is_empty());
    assert_eq!(world.effects("r1"), 1);
}
