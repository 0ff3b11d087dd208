use std::time::Duration;

use super::{advance, arrive, status, waiting};
use crate::EffectKind::Charge;
use crate::testing::{Bench, CHARGE, PAYMENTS};
use crate::{Close, Delivery, Fault, Next, When};

#[test]
fn a_delayed_request_is_overtaken_by_its_own_retry() {
    let mut bench = Bench::new();
    bench.world.push_fault(Fault::Delay {
        when: When::Before,
        ms: 3000,
    });
    let (ticket, time, hang_up) = waiting(&arrive(&mut bench, "k"));
    assert_eq!((time, hang_up), (Duration::from_secs(3), None));
    // It is on the wire, not in progress: the key is free.
    assert_eq!(bench.post(PAYMENTS, "k", CHARGE).status, 200);
    bench.wait(3);
    let Next::Deliver(Delivery::Reply(reply)) = advance(&mut bench, ticket) else {
        panic!("no reply");
    };
    assert_eq!(reply.headers["idempotent-replayed"], "true");
    assert_eq!(bench.moved().len(), 1);
}

#[test]
fn a_delayed_reply_keeps_its_effect_and_date_and_is_no_longer_in_progress() {
    let mut bench = Bench::new();
    bench.world.push_fault(Fault::Delay {
        when: When::After,
        ms: 3000,
    });
    let (ticket, ..) = waiting(&arrive(&mut bench, "k"));
    assert_eq!((bench.moved().len(), status(&bench, 1)), (1, None));
    assert_eq!(bench.world.in_flight(), 0, "only its reply is under way");
    assert_eq!(
        bench
            .post(PAYMENTS, "k", CHARGE)
            .header("idempotent-replayed"),
        Some("true")
    );
    bench.wait(3);
    let Next::Deliver(Delivery::Reply(reply)) = advance(&mut bench, ticket) else {
        panic!("no reply");
    };
    assert_eq!(reply.headers["date"], "Fri, 15 Jan 2027 08:00:00 GMT");
    assert_eq!(status(&bench, 1), Some(200));
    assert_eq!(bench.world.in_flight(), 0);
}

#[test]
fn held_for_ever_ends_by_release_with_or_without_execution() {
    for (execute, effects) in [(true, 1), (false, 0)] {
        let mut bench = Bench::new();
        bench.world.push_fault(Fault::HoldForEver { execute });
        let Next::Held { ticket } = arrive(&mut bench, "k") else {
            panic!("not held")
        };
        assert_eq!(bench.post(PAYMENTS, "k", CHARGE).status, 409);
        assert_eq!(advance(&mut bench, ticket), Next::Held { ticket });
        assert_eq!(bench.world.release_all(), [ticket]);
        let Next::Deliver(delivery) = advance(&mut bench, ticket) else {
            panic!("still held")
        };
        assert_eq!(matches!(delivery, Delivery::Reply(_)), execute);
        assert_eq!(bench.moved().len(), effects);
        assert_eq!(
            bench.post(PAYMENTS, "k", CHARGE).status,
            200,
            "the key is free again"
        );
        assert!(bench.world.release_all().is_empty());
    }
}

#[test]
fn a_late_arrival_closes_now_and_executes_later() {
    let mut bench = Bench::new();
    bench.world.push_fault(Fault::LateArrival {
        ms: 60_000,
        how: Close::Rst,
    });
    let (ticket, time, hang_up) = waiting(&arrive(&mut bench, "k"));
    assert_eq!((time, hang_up), (Duration::from_secs(60), Some(Close::Rst)));
    assert!(bench.moved().is_empty());
    bench.wait(60);
    assert_eq!(
        advance(&mut bench, ticket),
        Next::Deliver(Delivery::Close(Close::Rst))
    );
    assert_eq!(bench.moved(), [(Charge, 1099)]);
    assert_eq!(bench.world.effects()[0].at, bench.now);
    assert_eq!(status(&bench, 1), None);
    assert_eq!(
        bench
            .post(PAYMENTS, "k", CHARGE)
            .header("idempotent-replayed"),
        Some("true")
    );
}

#[test]
fn a_late_arrival_after_the_key_died_charges_twice() {
    let mut bench = Bench::new();
    bench.world.push_fault(Fault::LateArrival {
        ms: 25 * 3_600_000,
        how: Close::Fin,
    });
    let (ticket, ..) = waiting(&arrive(&mut bench, "k"));
    bench.charged("k");
    bench.wait(25 * 3600);
    advance(&mut bench, ticket);
    assert_eq!(bench.moved().len(), 2);
}

#[test]
fn several_faults_at_once() {
    let mut bench = Bench::new();
    let lost = Fault::ReplyLost {
        when: When::After,
        how: Close::Fin,
    };
    let faults = vec![Fault::Hold { ms: 100 }, Fault::decline("lost_card"), lost];
    bench.world.push_fault(Fault::Together { faults });
    let (ticket, ..) = waiting(&arrive(&mut bench, "k"));
    assert_eq!(bench.post(PAYMENTS, "k", CHARGE).status, 409);
    assert_eq!(
        advance(&mut bench, ticket),
        Next::Deliver(Delivery::Close(Close::Fin))
    );
    assert_eq!(
        bench.post(PAYMENTS, "k", CHARGE).refused(),
        (402, "card_declined")
    );
    assert_eq!(
        bench.world.requests()[0].fault.as_deref(),
        Some("hold+decline+reply_lost")
    );
}

#[test]
fn a_reset_forgets_everything_and_drops_what_is_under_way() {
    let mut bench = Bench::new();
    bench.charged("k");
    bench.world.push_fault(Fault::Hold { ms: 1 });
    let (ticket, ..) = waiting(&arrive(&mut bench, "held"));
    bench.world.push_fault(Fault::KeyInUse);
    bench.world.reset();
    assert!(bench.world.requests().is_empty());
    assert!(bench.world.effects().is_empty());
    assert!(bench.world.faults().is_empty());
    assert_eq!(
        advance(&mut bench, ticket),
        Next::Deliver(Delivery::Close(Close::Fin))
    );
    assert!(bench.moved().is_empty());
    assert_eq!(bench.charged("held"), "pi_sim_000001");
}
