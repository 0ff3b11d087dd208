//! The world without a server: what each fault does to one request.

mod records;
mod replies;
mod timing;

use std::time::Duration;

use crate::testing::{Bench, CHARGE, PAYMENTS};
use crate::{Close, Delivery, Next, Ticket};

fn arrive(bench: &mut Bench, key: &str) -> Next {
    let request = bench.post_request(PAYMENTS, key, CHARGE);
    bench.world.arrive("stripe", request, bench.now)
}

fn handle(bench: &mut Bench, key: &str) -> Delivery {
    let request = bench.post_request(PAYMENTS, key, CHARGE);
    bench.world.handle("stripe", request, bench.now)
}

fn waiting(next: &Next) -> (Ticket, Duration, Option<Close>) {
    let Next::Wait {
        ticket,
        time,
        hang_up,
    } = next
    else {
        panic!("does not wait: {next:?}")
    };
    (*ticket, *time, *hang_up)
}

fn advance(bench: &mut Bench, ticket: Ticket) -> Next {
    bench.world.advance(ticket, bench.now)
}

fn status(bench: &Bench, number: u64) -> Option<u16> {
    bench
        .world
        .requests()
        .iter()
        .find(|logged| logged.number == number)?
        .status
}
