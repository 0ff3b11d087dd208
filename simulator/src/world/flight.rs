//! One request on its way through the world.

use std::time::SystemTime;

use super::{Next, Ticket, World};
use crate::exchange::{Close, Delivery, Reply, Request};
use crate::fault::{Course, Ending, Hold, Refusal, Rewrite, Treatment};

/// One request on its way through the world.
#[derive(Debug)]
pub(super) struct Flight {
    pub(super) gateway: &'static str,
    pub(super) request: Request,
    /// Its number in the request log.
    pub(super) number: u64,
    pub(super) course: Course,
    pub(super) stage: Stage,
    /// What it keeps busy while it is in progress.
    lane: Option<String>,
}

/// Where it is.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Stage {
    Travelling,
    InProgress,
    Held,
    Answering(Delivery),
}

impl Flight {
    pub(super) fn new(
        gateway: &'static str,
        request: Request,
        number: u64,
        course: Course,
    ) -> Self {
        Self {
            gateway,
            request,
            number,
            course,
            stage: Stage::Travelling,
            lane: None,
        }
    }
}

impl World {
    /// The request reached the gateway.
    pub(super) fn begin(&mut self, ticket: Ticket, mut flight: Flight, now: SystemTime) -> Next {
        let Some(gateway) = self.gateways.get_mut(flight.gateway) else {
            return Next::Deliver(Delivery::Close(Close::Fin));
        };
        let takes_part = flight.course.executes() || flight.course.hold != Hold::None;
        if let Some(lane) = gateway.lane(&flight.request).filter(|_| takes_part) {
            if !self.lanes.insert((flight.gateway, lane.clone())) {
                let reply = gateway.refuse(&flight.request, &Refusal::KeyInUse, now);
                return self.answer(ticket, flight, Some(reply), now);
            }
            flight.lane = Some(lane);
        }
        match flight.course.hold {
            Hold::None => self.finish(ticket, flight, now),
            Hold::For(time) => {
                flight.stage = Stage::InProgress;
                self.flights.insert(ticket, flight);
                Next::Wait {
                    ticket,
                    time,
                    hang_up: None,
                }
            }
            Hold::UntilReleased => {
                flight.stage = Stage::Held;
                self.flights.insert(ticket, flight);
                Next::Held { ticket }
            }
        }
    }

    /// The gateway is done with it.
    pub(super) fn finish(&mut self, ticket: Ticket, mut flight: Flight, now: SystemTime) -> Next {
        if let Some(lane) = flight.lane.take() {
            self.lanes.remove(&(flight.gateway, lane));
        }
        let Some(gateway) = self.gateways.get_mut(flight.gateway) else {
            return Next::Deliver(Delivery::Close(Close::Fin));
        };
        let reply = match std::mem::replace(&mut flight.course.treatment, Treatment::Nothing) {
            Treatment::Execute(steer) => {
                gateway.tick(now);
                let mut step = gateway.step(&flight.request, steer.as_ref(), now);
                step.effects
                    .iter_mut()
                    .for_each(|effect| effect.request = Some(flight.number));
                self.effects.append(&mut step.effects);
                Some(step.reply)
            }
            Treatment::Refuse(refusal) => Some(gateway.refuse(&flight.request, &refusal, now)),
            Treatment::Answer(reply) => Some(reply),
            Treatment::Nothing => None,
        };
        self.answer(ticket, flight, reply, now)
    }

    /// The reply, if there is one, leaves the gateway.
    fn answer(
        &mut self,
        ticket: Ticket,
        mut flight: Flight,
        reply: Option<Reply>,
        now: SystemTime,
    ) -> Next {
        let delivery = match (flight.course.hang_up, reply) {
            (Some(how), _) => Delivery::Close(how),
            (None, None) => Delivery::Close(lost(flight.course.ending)),
            (None, Some(reply)) => {
                let reply = self.rewrite(&flight, reply.dated(now), now);
                end(reply, flight.course.ending)
            }
        };
        let time = flight.course.reply_travel;
        if time.is_zero() || flight.course.hang_up.is_some() {
            return self.deliver(flight.number, delivery);
        }
        flight.stage = Stage::Answering(delivery);
        self.flights.insert(ticket, flight);
        Next::Wait {
            ticket,
            time,
            hang_up: None,
        }
    }

    fn rewrite(&mut self, flight: &Flight, reply: Reply, now: SystemTime) -> Reply {
        let Some(gateway) = self.gateways.get_mut(flight.gateway) else {
            return reply;
        };
        flight
            .course
            .rewrites
            .iter()
            .fold(reply, |reply, rewrite| match rewrite {
                Rewrite::Refusal(refusal) => {
                    gateway.refuse(&flight.request, refusal, now).dated(now)
                }
                Rewrite::Reply(instead) => instead.clone().dated(now),
                Rewrite::Tamper(tamper) if tamper.forges => tamper.apply(reply),
                Rewrite::Tamper(tamper) => gateway.sign(tamper.apply(reply)),
            })
    }

    pub(super) fn deliver(&mut self, number: u64, delivery: Delivery) -> Next {
        let status = match &delivery {
            Delivery::Reply(reply) | Delivery::Cut { reply, .. } => Some(reply.status.as_u16()),
            Delivery::Close(_) => None,
        };
        self.amend(number, |logged| logged.status = status);
        Next::Deliver(delivery)
    }
}

/// How the connection closes if there is no reply.
fn lost(ending: Ending) -> Close {
    match ending {
        Ending::Close(how) => how,
        Ending::Whole | Ending::Cut { .. } => Close::Fin,
    }
}

/// What the client gets of a reply.
fn end(reply: Reply, ending: Ending) -> Delivery {
    match ending {
        Ending::Whole => Delivery::Reply(reply),
        Ending::Close(how) => Delivery::Close(how),
        Ending::Cut { how, keep } => {
            // At least one byte is missing, or it would not be cut.
            let most = reply.body.len().saturating_sub(1);
            let keep = keep.unwrap_or(reply.body.len() / 2).min(most);
            Delivery::Cut { reply, keep, how }
        }
    }
}
