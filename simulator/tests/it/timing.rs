//! Faults that take time.

use std::time::{Duration, Instant};

use payonce_simulator::{Close, Fault, When};

use crate::client::{call, charge, exchange, send, start, until};

const SHORT: u64 = 40;

/// The tests measure real waiting here, so they need a real clock.
#[expect(clippy::disallowed_methods, reason = "a wait on the wire is measured")]
fn since() -> impl Fn() -> Duration {
    let start = Instant::now();
    move || start.elapsed()
}

#[test]
fn a_held_key_is_in_use_until_it_is_done() {
    let simulator = start();
    simulator.faults().push(Fault::Hold { ms: SHORT });
    let waited = since();
    let mut held = send(&simulator, &charge("k"));
    until("in progress", || simulator.requests().len() == 1);
    let busy = exchange(&simulator, &charge("k"));
    // On a machine that stood still meanwhile it may be over by now.
    if waited() < Duration::from_millis(SHORT) {
        assert_eq!(busy.status, 409);
        assert_eq!(busy.json()["error"]["code"], "idempotency_key_in_use");
    }
    assert_eq!(held.read_reply().status, 200);
    assert!(waited() >= Duration::from_millis(SHORT));
    assert_eq!(
        exchange(&simulator, &charge("k")).header("idempotent-replayed"),
        Some("true")
    );
    assert_eq!(simulator.effects().len(), 1);
}

#[test]
fn a_client_that_gives_up_does_not_stop_the_request() {
    let waits = [
        Fault::Hold { ms: SHORT },
        Fault::Delay {
            when: When::Before,
            ms: SHORT,
        },
        Fault::Delay {
            when: When::After,
            ms: SHORT,
        },
    ];
    for fault in waits {
        let simulator = start();
        simulator.faults().push(fault.clone());
        let client = send(&simulator, &charge("k"));
        until("under way", || simulator.requests().len() == 1);
        client.hang_up();
        until("executed", || simulator.effects().len() == 1);
        until("over", || simulator.in_flight() == 0);
        let again = exchange(&simulator, &charge("k"));
        assert_eq!(
            again.header("idempotent-replayed"),
            Some("true"),
            "{fault:?}"
        );
    }
}

#[test]
fn a_delayed_reply_comes_late_and_its_effect_does_not() {
    let simulator = start();
    simulator.faults().push(Fault::Delay {
        when: When::After,
        ms: SHORT,
    });
    let waited = since();
    let mut client = send(&simulator, &charge("k"));
    until("executed", || simulator.effects().len() == 1);
    assert_eq!(client.read_reply().status, 200);
    assert!(waited() >= Duration::from_millis(SHORT));
}

#[test]
fn a_late_arrival_ends_the_connection_first_and_executes_then() {
    for how in [Close::Fin, Close::Rst] {
        let simulator = start();
        simulator
            .faults()
            .push(Fault::LateArrival { ms: SHORT, how });
        let waited = since();
        let read = send(&simulator, &charge("k")).read_to_end();
        assert_eq!(read.is_ok(), how == Close::Fin);
        let (in_flight, effects) = (simulator.in_flight(), simulator.effects().len());
        if waited() < Duration::from_millis(SHORT) {
            assert_eq!((in_flight, effects), (1, 0), "it is still on the wire");
        }
        until("executed", || simulator.effects().len() == 1);
    }
}

#[test]
fn held_for_ever_ends_by_release() {
    let simulator = start();
    for (key, execute) in [("a", true), ("b", false)] {
        simulator.faults().push(Fault::HoldForEver { execute });
        let mut held = send(&simulator, &charge(key));
        until("held", || simulator.in_flight() == 1);
        assert_eq!(exchange(&simulator, &charge(key)).status, 409);
        if execute {
            assert_eq!(simulator.release(), 1);
            assert_eq!(held.read_reply().status, 200);
        } else {
            let released = call(&simulator, "POST", "/control/release", "");
            assert_eq!(released.json()["released"], 1);
            assert!(held.read_to_end().expect("an end of file").is_empty());
        }
    }
    assert_eq!(simulator.effects().len(), 1);
    assert_eq!(simulator.release(), 0);
}

#[test]
fn held_for_ever_ends_when_the_client_hangs_up() {
    for (execute, effects) in [(true, 1), (false, 0)] {
        let simulator = start();
        simulator.faults().push(Fault::HoldForEver { execute });
        let held = send(&simulator, &charge("k"));
        until("held", || simulator.in_flight() == 1);
        held.hang_up();
        until("over", || simulator.in_flight() == 0);
        assert_eq!(simulator.effects().len(), effects);
    }
}

#[test]
fn a_reset_ends_what_is_held_without_effect() {
    let simulator = start();
    simulator
        .faults()
        .push(Fault::HoldForEver { execute: true });
    let mut held = send(&simulator, &charge("k"));
    until("held", || simulator.in_flight() == 1);
    simulator.reset();
    assert!(held.read_to_end().expect("an end of file").is_empty());
    assert!(simulator.effects().is_empty());
}
