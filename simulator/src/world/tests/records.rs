use std::time::{Duration, SystemTime};

use crate::testing::{Answer, Bench, CHARGE, PAYMENTS, REFUNDS};
use crate::{Delivery, Fault, Matcher, Request, When, World};

#[test]
fn a_request_takes_the_first_fault_that_is_for_it() {
    let mut bench = Bench::new();
    bench.world.push_fault(Fault::KeyInUse.times(2));
    bench
        .world
        .push_fault(Fault::Unauthorized.on(Matcher::post().path(REFUNDS)));
    bench.world.push_fault(Fault::Forbidden.skip(2));
    let statuses: Vec<u16> = (0..6)
        .map(|_| bench.post(PAYMENTS, "k", CHARGE).status)
        .collect();
    assert_eq!(statuses, [409, 409, 200, 200, 403, 200]);
    assert_eq!(bench.post(REFUNDS, "r", "").status, 401);
    assert!(bench.world.faults().is_empty());

    bench.world.push_fault(Fault::KeyInUse.times(1).always());
    let statuses: Vec<u16> = (0..5)
        .map(|_| bench.post(PAYMENTS, "k", CHARGE).status)
        .collect();
    assert_eq!(statuses, [409; 5]);
    bench.world.clear_faults();
    assert_eq!(bench.post(PAYMENTS, "k", CHARGE).status, 200);
}

#[test]
fn a_get_is_not_hit_unless_the_matcher_says_so() {
    let mut bench = Bench::new();
    bench
        .world
        .push_fault(Fault::server_error(503, When::Before));
    let path = format!("{PAYMENTS}?limit=1");
    assert_eq!(bench.get(&path).status, 200);
    bench.world.push_fault(
        Fault::server_error(504, When::Before)
            .on(Matcher::any())
            .skip(1),
    );
    assert_eq!(bench.post(PAYMENTS, "k", CHARGE).status, 503);
    assert_eq!(bench.get(&path).status, 200);
    assert_eq!(bench.get(&path).status, 504);
}

#[test]
fn the_log_has_every_request_as_it_came() {
    let mut bench = Bench::new();
    bench.charged("k");
    bench.wait(5);
    bench.get(&format!("{PAYMENTS}?limit=3"));
    let [first, second] = bench.world.requests() else {
        panic!("not two")
    };
    assert_eq!(
        (first.number, first.method.as_str(), first.path.as_str()),
        (1, "POST", PAYMENTS)
    );
    assert_eq!(first.key.as_deref(), Some("k"));
    assert_eq!(
        first.form_value("metadata[order]").as_deref(),
        Some("order-1")
    );
    assert_eq!(first.header("Idempotency-Key"), Some("k"));
    assert_eq!(second.query.as_deref(), Some("limit=3"));
    assert_eq!(
        (second.at, second.status, second.key.as_deref()),
        (bench.now, Some(200), None)
    );
}

#[test]
fn another_gateway_is_not_found() {
    let mut world = World::new();
    let request = Request::new(http::Method::GET, "/v1");
    let delivery = world.handle("adyen", request, SystemTime::UNIX_EPOCH);
    assert!(matches!(delivery, Delivery::Reply(reply) if reply.status == 404));
    assert!(world.requests().is_empty());
}

#[test]
fn the_same_requests_at_the_same_times_give_the_same_bytes() {
    let run = || -> Vec<Answer> {
        let mut bench = Bench::new();
        bench.world.push_fault(Fault::decline("fraudulent").skip(1));
        (0..4)
            .map(|index| bench.post(PAYMENTS, &format!("k{index}"), CHARGE))
            .collect()
    };
    assert_eq!(format!("{:?}", run()), format!("{:?}", run()));
}

#[test]
fn times_that_a_date_cannot_say_do_no_harm() {
    let mut bench = Bench::new();
    let day = Duration::from_secs(86_400);
    let far = SystemTime::UNIX_EPOCH.checked_add(day * 4_000_000).unwrap();
    for now in [SystemTime::UNIX_EPOCH - day, far] {
        bench.now = now;
        assert!(bench.get(PAYMENTS).header("date").is_some());
        bench.post(PAYMENTS, "k", CHARGE);
    }
}

#[test]
fn a_world_can_move_to_another_thread() {
    fn is_send<T: Send>() {}
    is_send::<World>();
}
