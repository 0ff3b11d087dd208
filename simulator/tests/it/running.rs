//! Starting, stopping, the clock and the handle.

use std::io::{ErrorKind, Read, Write};
use std::net::TcpStream;
use std::sync::{Arc, Mutex};
use std::time::{Duration, SystemTime};

use payonce_simulator::{EffectKind, Options, SimClock, Simulator, stripe};

use crate::client::{charge, exchange, send, start, until};

fn at(seconds: u64) -> SystemTime {
    SystemTime::UNIX_EPOCH
        .checked_add(Duration::from_secs(seconds))
        .expect("a time")
}

#[test]
fn dropping_it_stops_the_server_and_leaves_the_records() {
    let simulator = start();
    let address = simulator.address();
    let handle = simulator.handle();
    exchange(&simulator, &charge("k"));
    let mut open = send(&simulator, b"POST /stripe");
    drop(simulator);
    // Another process may have the port by now; this simulator has not.
    if let Ok(mut stream) = TcpStream::connect(address) {
        stream
            .set_read_timeout(Some(Duration::from_secs(1)))
            .unwrap();
        drop(stream.write_all(&charge("late")));
        drop(stream.read(&mut [0]));
    }
    assert_eq!(handle.requests().len(), 1, "nobody listens");
    // In order or by a reset, if it was not accepted yet: but it ends.
    let ended = open
        .read_to_end()
        .map_or_else(|error| error.kind(), |_| ErrorKind::UnexpectedEof);
    assert!(
        [ErrorKind::UnexpectedEof, ErrorKind::ConnectionReset].contains(&ended),
        "{ended:?}"
    );
    assert_eq!(handle.effects().len(), 1);
}

#[test]
fn a_port_that_is_taken_is_an_error() {
    let simulator = start();
    let port = simulator.address().port();
    assert!(Simulator::start_blocking(Options::default().port(port)).is_err());
}

#[test]
fn a_caller_without_real_time_does_not_stop_it() {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    let simulator = runtime.block_on(async {
        tokio::time::pause();
        let simulator = Simulator::start(Options::default()).await.expect("starts");
        // The caller's only thread is blocked here, and the server answers.
        assert_eq!(exchange(&simulator, &charge("k")).status, 200);
        simulator
    });
    assert_eq!(simulator.effects().len(), 1);
}

#[test]
fn the_clock_can_stand_still_be_set_and_be_advanced() {
    let clock = SimClock::fixed(at(1_700_000_000));
    let simulator = Simulator::start_blocking(Options::default().clock(clock)).expect("starts");
    let date = |key: &str| {
        exchange(&simulator, &charge(key))
            .header("date")
            .unwrap()
            .to_owned()
    };
    assert_eq!(date("a"), "Tue, 14 Nov 2023 22:13:20 GMT");
    simulator.clock().advance(Duration::from_secs(24 * 3600));
    assert_eq!(date("a"), "Wed, 15 Nov 2023 22:13:20 GMT");
    assert_eq!(simulator.effects().len(), 2, "the key lived out");
    simulator.clock().set(at(1_600_000_000));
    assert_eq!(date("b"), "Sun, 13 Sep 2020 12:26:40 GMT");
    assert_eq!(simulator.effects()[2].at, at(1_600_000_000));
    assert_eq!(simulator.requests()[2].at, at(1_600_000_000));
}

#[test]
fn the_clock_can_be_a_callers_own() {
    let time = Arc::new(Mutex::new(at(1_700_000_000)));
    let source = Arc::clone(&time);
    let clock = SimClock::from_source(Arc::new(move || *source.lock().unwrap()));
    clock.advance(Duration::from_secs(10));
    *time.lock().unwrap() = at(1_700_000_100);
    assert_eq!(clock.now(), at(1_700_000_110));
    clock.set(at(5));
    assert_eq!(clock.now(), at(5));
}

#[test]
fn the_real_clock_goes_on_after_it_was_set() {
    let clock = SimClock::real();
    clock.set(at(1000));
    let first = clock.now();
    assert!(first >= at(1000) && first < at(1060));
    until("time passes", || clock.now() > first);
}

#[test]
fn state_is_looked_at_and_planted_in_process() {
    let config = stripe::Config::default().account("sk_test_shop", "acct_main");
    let simulator = Simulator::start_blocking(Options::default().stripe(config)).expect("starts");
    let id = exchange(&simulator, &charge("k")).json()["id"]
        .as_str()
        .unwrap()
        .to_owned();
    assert_eq!(simulator.effects()[0].account, "acct_main");
    simulator.stripe(|stripe| {
        let payment = stripe.payment_intent_mut(&id).expect("is there");
        payment.currency = "eur".to_owned();
        stripe.copy_payment_intent(&id)
    });
    let read = "GET /stripe/v1/payment_intents HTTP/1.1\r\nHost: x\r\n\
                Authorization: Bearer sk_test_shop\r\n\r\n";
    let listed = exchange(&simulator, read.as_bytes()).json();
    assert_eq!(listed["data"].as_array().map(Vec::len), Some(2));
    assert_eq!(listed["data"][1]["currency"], "eur");
    assert_eq!(simulator.effects_for("order-1").len(), 1);
    assert_eq!(simulator.posts().len(), 1);
    assert_eq!(simulator.requests().len(), 2);
}

#[test]
fn a_panic_in_a_closure_leaves_the_simulator_usable() {
    let simulator = start();
    let handle = simulator.handle();
    let panicked = std::thread::spawn(move || handle.stripe(|_| panic!("on purpose")));
    assert!(panicked.join().is_err());
    assert_eq!(exchange(&simulator, &charge("k")).status, 200);
}

#[test]
fn many_at_once_under_one_key_are_one_effect() {
    let simulator = start();
    let threads: Vec<_> = (0..24)
        .map(|index| {
            let handle = simulator.handle();
            let key = format!("k{}", index % 3);
            std::thread::spawn(move || exchange(&handle, &charge(&key)).status)
        })
        .collect();
    for thread in threads {
        assert_eq!(thread.join().unwrap(), 200);
    }
    assert_eq!(simulator.requests().len(), 24);
    let kinds: Vec<EffectKind> = simulator
        .effects()
        .iter()
        .map(|effect| effect.kind)
        .collect();
    assert_eq!(kinds, [EffectKind::Charge; 3]);
}
