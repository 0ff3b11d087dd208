//! The world: all gateways with their faults, the log of requests and the ledger of effects.
//!
//! It is pure: time is an argument, and nothing here waits or touches the network. A request
//! passes through these moments, of which a fault can stretch or cut each:
//!
//! ```text
//! head ----> arrive ----travels----> begins ----in progress----> executes ----travels----> delivered
//!   \ reset     \ connection closes    \ same key: refused          \ effect               \ lost, cut
//! ```
//!
//! Without a fault all of them are one moment. With one, [`World::arrive`] answers
//! [`Next::Wait`], and whoever drives the world (the HTTP server, or a deterministic simulation
//! under a virtual clock) calls [`World::advance`] when the time has come. The effect happens at
//! "executes"; the key is taken from "begins" until then.

mod flight;
#[cfg(test)]
mod tests;

use std::any::Any;
use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, SystemTime};

use http::StatusCode;

use crate::effect::Effect;
use crate::exchange::{Close, Delivery, Reply, Request};
use crate::fault::{Course, FaultQueue, PlannedFault};
use crate::gateway::{ControlCall, ControlReply, Gateway};
use crate::log::LoggedRequest;
use flight::{Flight, Stage};

/// A request that is under way in the world.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Ticket(u64);

/// What comes next for a request.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Next {
    /// Call [`World::advance`] after this long.
    Wait {
        /// Which request.
        ticket: Ticket,
        /// How long.
        time: Duration,
        /// Close the connection now; the request goes on without it.
        hang_up: Option<Close>,
    },
    /// Call [`World::advance`] when it was released.
    Held {
        /// Which request.
        ticket: Ticket,
    },
    /// It is over; this is what the client gets.
    Deliver(Delivery),
}

/// All gateways with their faults, the log of requests and the ledger of effects.
#[derive(Debug, Default)]
pub struct World {
    gateways: BTreeMap<&'static str, Box<dyn Gateway>>,
    faults: FaultQueue,
    log: Vec<LoggedRequest>,
    effects: Vec<Effect>,
    flights: BTreeMap<Ticket, Flight>,
    /// What is in progress and may be so only once, by gateway.
    lanes: BTreeSet<(&'static str, String)>,
    last_ticket: u64,
}

impl World {
    /// A world without gateways.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a gateway, or replaces the one of the same name.
    pub fn mount(&mut self, gateway: Box<dyn Gateway>) {
        self.gateways.insert(gateway.name(), gateway);
    }

    /// The names of the gateways.
    pub fn gateways(&self) -> Vec<&'static str> {
        self.gateways.keys().copied().collect()
    }

    /// Plans a fault. Its number in the queue comes back.
    pub fn push_fault(&mut self, planned: impl Into<PlannedFault>) -> u64 {
        self.faults.push(planned.into())
    }

    /// The faults that still wait for requests, oldest first.
    pub fn faults(&self) -> &[PlannedFault] {
        self.faults.list()
    }

    /// Drops all planned faults. Requests under way keep theirs.
    pub fn clear_faults(&mut self) {
        self.faults.clear();
    }

    /// Every request that came in, oldest first.
    pub fn requests(&self) -> &[LoggedRequest] {
        &self.log
    }

    /// Every movement of money, oldest first.
    pub fn effects(&self) -> &[Effect] {
        &self.effects
    }

    /// The movements of money under a reference of the merchant.
    pub fn effects_for(&self, reference: &str) -> Vec<Effect> {
        let found = self
            .effects
            .iter()
            .filter(|effect| effect.has_reference(reference));
        found.cloned().collect()
    }

    /// How many requests may still do something: on their way to the gateway, or in progress there.
    /// One of which only the reply is under way is not among them.
    pub fn in_flight(&self) -> usize {
        let done = |flight: &&Flight| matches!(flight.stage, Stage::Answering(_));
        self.flights.values().filter(|flight| !done(flight)).count()
    }

    /// Forgets everything but the gateways' settings. Requests under way are dropped.
    pub fn reset(&mut self) {
        self.faults.clear();
        self.log.clear();
        self.effects.clear();
        self.flights.clear();
        self.lanes.clear();
        self.gateways
            .values_mut()
            .for_each(|gateway| gateway.reset());
    }

    /// Looks at the head of a request whose body was not read yet. An answer means that the body
    /// must not be read; otherwise [`World::arrive`] follows.
    pub fn head(&mut self, gateway: &str, head: &Request, now: SystemTime) -> Option<Delivery> {
        let name = self.known(gateway)?;
        let fault = self.faults.take_for_head(name, head)?;
        let number = self.note(name, head, now);
        self.amend(number, |logged| logged.fault = Some(fault.name()));
        Some(Delivery::Close(Close::Rst))
    }

    /// A whole request is there.
    pub fn arrive(&mut self, gateway: &str, mut request: Request, now: SystemTime) -> Next {
        let Some(name) = self.known(gateway) else {
            return Next::Deliver(Delivery::Reply(self.no_such_gateway(gateway, now)));
        };
        let reads = self.gateways.get(name);
        request.reads = reads.is_some_and(|gateway| gateway.reads(&request));
        let number = self.note(name, &request, now);
        let fault = self.faults.take_for(name, &request);
        self.amend(number, |logged| {
            logged.fault = fault.as_ref().map(crate::fault::Fault::name);
        });
        let course = Course::of(fault.as_ref());
        let (travel, hang_up) = (course.travel, course.hang_up);
        self.last_ticket = self.last_ticket.saturating_add(1);
        let ticket = Ticket(self.last_ticket);
        let flight = Flight::new(name, request, number, course);
        if travel.is_zero() && hang_up.is_none() {
            return self.begin(ticket, flight, now);
        }
        self.flights.insert(ticket, flight);
        Next::Wait {
            ticket,
            time: travel,
            hang_up,
        }
    }

    /// The time that [`Next`] asked for has passed. A request that is unknown, because the world
    /// was reset, ends without an answer.
    pub fn advance(&mut self, ticket: Ticket, now: SystemTime) -> Next {
        let Some(flight) = self.flights.remove(&ticket) else {
            return Next::Deliver(Delivery::Close(Close::Fin));
        };
        match flight.stage {
            Stage::Travelling => self.begin(ticket, flight, now),
            Stage::InProgress => self.finish(ticket, flight, now),
            Stage::Held => {
                self.flights.insert(ticket, flight);
                Next::Held { ticket }
            }
            Stage::Answering(delivery) => self.deliver(flight.number, delivery),
        }
    }

    /// Lets a held request go on; [`World::advance`] then ends it.
    pub fn release(&mut self, ticket: Ticket) {
        if let Some(flight) = self.flights.get_mut(&ticket)
            && flight.stage == Stage::Held
        {
            flight.stage = Stage::InProgress;
        }
    }

    /// Lets all held requests go on.
    pub fn release_all(&mut self) -> Vec<Ticket> {
        let flights = self
            .flights
            .iter()
            .filter(|(_, flight)| flight.stage == Stage::Held);
        let held: Vec<Ticket> = flights.map(|(ticket, _)| *ticket).collect();
        for ticket in &held {
            self.release(*ticket);
        }
        held
    }

    /// A request from its head to its delivery in one go. Waits pass at once: it executes at `now`
    /// plus its waits, and a held one is released.
    pub fn handle(&mut self, gateway: &str, request: Request, now: SystemTime) -> Delivery {
        let head = Request {
            body: bytes::Bytes::new(),
            ..request.clone()
        };
        if let Some(delivery) = self.head(gateway, &head, now) {
            return delivery;
        }
        let mut now = now;
        let mut next = self.arrive(gateway, request, now);
        loop {
            let ticket = match next {
                Next::Deliver(delivery) => return delivery,
                Next::Wait { ticket, time, .. } => {
                    now = now.checked_add(time).unwrap_or(now);
                    ticket
                }
                Next::Held { ticket } => {
                    self.release(ticket);
                    ticket
                }
            };
            next = self.advance(ticket, now);
        }
    }

    /// Looks at the state of a gateway, or plants something in it. None if there is no such
    /// gateway, or it is of another type.
    pub fn with_gateway<G: Gateway, R>(
        &mut self,
        name: &str,
        now: SystemTime,
        look: impl FnOnce(&mut G) -> R,
    ) -> Option<R> {
        let gateway = self.gateways.get_mut(name)?;
        gateway.tick(now);
        let any: &mut dyn Any = gateway.as_mut();
        let result = look(any.downcast_mut::<G>()?);
        self.effects.extend(gateway.take_effects());
        Some(result)
    }

    /// Answers a gateway's own part of the control API.
    pub fn control(&mut self, name: &str, call: &ControlCall, now: SystemTime) -> ControlReply {
        let Some(gateway) = self.gateways.get_mut(name) else {
            let text = format!(
                "no gateway \"{name}\"; there are: {}",
                self.gateways().join(", ")
            );
            return ControlReply::error(StatusCode::NOT_FOUND, &text);
        };
        gateway.tick(now);
        let reply = gateway.control(call);
        self.effects.extend(gateway.take_effects());
        reply
    }

    fn known(&self, gateway: &str) -> Option<&'static str> {
        self.gateways.get_key_value(gateway).map(|(name, _)| *name)
    }

    fn no_such_gateway(&self, gateway: &str, now: SystemTime) -> Reply {
        let text = format!(
            "no gateway \"{gateway}\"; there are: {}",
            self.gateways().join(", ")
        );
        Reply::json(StatusCode::NOT_FOUND, &serde_json::json!({ "error": text })).dated(now)
    }

    fn note(&mut self, gateway: &'static str, request: &Request, now: SystemTime) -> u64 {
        let number = u64::try_from(self.log.len())
            .unwrap_or(u64::MAX)
            .saturating_add(1);
        let key = self
            .gateways
            .get(gateway)
            .and_then(|gateway| gateway.key_of(request));
        self.log
            .push(LoggedRequest::of(number, gateway, request, key, now));
        number
    }

    fn amend(&mut self, number: u64, change: impl FnOnce(&mut LoggedRequest)) {
        let index = usize::try_from(number.saturating_sub(1)).ok();
        if let Some(logged) = index.and_then(|index| self.log.get_mut(index)) {
            change(logged);
        }
    }
}
