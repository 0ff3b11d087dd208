//! The way between a process and the gateways: what it loses, delays and breaks.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use http::StatusCode;
use payonce::provider::{Request, Response};
use payonce::transport::{Transport, TransportError};
use payonce::{BoxFuture, OperationId};
use payonce_simulator::{Close, CutBody, Delivery, Fault, Matcher, Next, When};
use tokio::sync::oneshot;

use super::adapter::OPERATION;
use super::{Process, World};
use crate::check::Leaving;
use crate::faults::{Bytes, Kind, fault_for};
use crate::merchant::drama::REFERENCE;
use crate::plants::Plant;

/// The transport of a process.
pub(super) struct Wire {
    world: Arc<World>,
    process: Arc<Process>,
}

impl Wire {
    pub(super) fn new(world: Arc<World>, process: Arc<Process>) -> Self {
        Self { world, process }
    }
}

impl fmt::Debug for Wire {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Wire")
    }
}

impl Transport for Wire {
    fn send(
        &self,
        base_url: &str,
        request: Request,
        timeout: Duration,
    ) -> BoxFuture<'_, Result<Response, TransportError>> {
        let gateway = gateway_of(base_url);
        Box::pin(async move {
            let (world, process) = (&self.world, &self.process);
            let id = operation_of(&request);
            if id.is_none() {
                return self.ask(gateway, request, timeout).await;
            }
            world.may_crash(process, Kind::CrashBeforeSend, "before a send");
            process.pass(world).await;
            let request = self.planted(id, request);
            self.exchange(gateway, request, id, timeout).await
        })
    }
}

impl Wire {
    /// A request that only asks.
    async fn ask(
        &self,
        gateway: &'static str,
        request: Request,
        timeout: Duration,
    ) -> Result<Response, TransportError> {
        let reads = self.process.takes_baseline();
        if let Some(id) = reads
            && self.world.has(Plant::BaselineBeforeClaim)
        {
            // It was read before: what the gateway shows now is not asked for.
            if let Some(reply) = self.world.checks().read_earlier(&request.path) {
                return Ok(reply);
            }
            self.world.checks().baseline_read(id, self.world.elapsed());
        }
        let path = request.path.clone();
        let reply = self.exchange(gateway, request, None, timeout).await;
        if let (Some(id), Ok(reply)) = (reads, &reply) {
            self.world.checks().baseline_read(id, self.world.elapsed());
            self.world.checks().read_now(path, reply.clone());
        }
        reply
    }

    async fn exchange(
        &self,
        gateway: &'static str,
        request: Request,
        id: Option<OperationId>,
        timeout: Duration,
    ) -> Result<Response, TransportError> {
        let (world, process) = (&self.world, &self.process);
        let payment = id.is_some_and(|id| world.checks().makes_payment(id));
        let bytes = match id {
            Some(_) => Bytes::Send { payment },
            None => Bytes::Ask,
        };
        let about = id.map_or_else(
            || format!("ask/{gateway}{}", short(&request.path)),
            |id| world.checks().name(id),
        );
        let mut fault = fault_for(world, gateway, bytes, &format!("net/{about}"));
        if !world.is_calm() && about == format!("charge {REFERENCE}/2") {
            let error = Fault::server_error(503, When::Before);
            fault = Some((Kind::ErrorBefore, Some(error)));
        }
        if let (Some(id), Some((Kind::StoredBefore | Kind::StoredAfter, _))) = (id, &fault) {
            world.checks().stored_error(id);
        }
        if let Some((Kind::NotSent, _)) = fault {
            world.note(|| format!("{} could not connect for {about}", process.name()));
            return Err(TransportError::NotSent {
                problem: "connection refused".to_owned(),
                retry: true,
            });
        }
        let send = id.map(|id| self.leaves(id, &request));
        world.note(|| {
            let name = process.name();
            format!("{name} sends {} ({about})", request.method)
        });
        let (answer, answered) = oneshot::channel();
        let flight = Flight {
            world: Arc::clone(world),
            gateway,
            send,
            about: about.clone(),
        };
        let fault = fault.and_then(|(_, fault)| fault);
        drop(tokio::spawn(flight.carry(
            simulated(&request),
            fault,
            answer,
        )));
        if id.is_some() {
            world.may_crash(process, Kind::CrashAfterSend, "after a send");
        }
        process.may_sleep(world, "reply");
        let reply = tokio::select! {
            biased;
            reply = answered => received(reply.unwrap_or(Delivery::Close(Close::Fin))),
            () = tokio::time::sleep(timeout) => maybe_sent("no reply in time"),
        };
        process.pass(world).await;
        world.note(|| match &reply {
            Ok(reply) => format!("reply {} ({about})", reply.status.as_u16()),
            Err(error) => format!("no reply: {error} ({about})"),
        });
        reply
    }

    /// Compares a send with what may leave.
    fn leaves(&self, id: OperationId, request: &Request) -> usize {
        let (world, process) = (&self.world, &self.process);
        let body: Vec<u8> = [
            request.method.as_str().as_bytes(),
            request.path.as_bytes(),
            request
                .headers
                .get("idempotency-key")
                .map_or(&b""[..], |key| key.as_bytes()),
            &request.body,
        ]
        .join(&b' ');
        let leaving = Leaving {
            id,
            process: process.name(),
            at: world.elapsed(),
            bytes: body,
        };
        world.checks().leaves(leaving)
    }

    /// What is wrong with the transport, where that is what is planted.
    fn planted(&self, id: Option<OperationId>, mut request: Request) -> Request {
        let sent = id.is_some_and(|id| self.world.checks().was_sent(id));
        if self.world.has(Plant::NewKeyOnRetry) && sent {
            let key = format!("{:032x}", self.world.dice("plant/key").draw());
            if let Ok(value) = http::HeaderValue::from_str(&key) {
                request.headers.insert("idempotency-key", value);
            }
        }
        request
    }
}

/// A request under way. It goes on whatever becomes of the process that sent it.
struct Flight {
    world: Arc<World>,
    gateway: &'static str,
    send: Option<usize>,
    about: String,
}

impl Flight {
    async fn carry(
        self,
        request: payonce_simulator::Request,
        fault: Option<Fault>,
        answer: oneshot::Sender<Delivery>,
    ) {
        let world = &self.world;
        let mut dice = world.dice(&format!("way/{}", self.about));
        let (there, back) = (dice.between(5, 80), dice.between(5, 80));
        tokio::time::sleep(Duration::from_millis(there)).await;
        let mut answer = Some(answer);
        let mut next = world.at_gateways(|gateways, now| {
            if let Some(fault) = fault {
                gateways.push_fault(fault.on(Matcher::any()));
            }
            let head = request.clone().with_body("");
            let reset = gateways.head(self.gateway, &head, now);
            let next = if let Some(delivery) = reset {
                Next::Deliver(delivery)
            } else {
                // The books must know whose it is before its money moves.
                let number = gateways.requests().len().saturating_add(1);
                world.checks().arrives(number, self.send);
                gateways.arrive(self.gateway, request, now)
            };
            gateways.clear_faults();
            next
        });
        loop {
            let ticket = match next {
                Next::Deliver(delivery) => {
                    if let Some(send) = self.send {
                        world.checks().arrived(send);
                    }
                    tokio::time::sleep(Duration::from_millis(back)).await;
                    give(&mut answer, delivery);
                    return;
                }
                Next::Wait {
                    ticket,
                    time,
                    hang_up,
                } => {
                    if let Some(how) = hang_up {
                        give(&mut answer, Delivery::Close(how));
                    }
                    tokio::time::sleep(time).await;
                    ticket
                }
                Next::Held { ticket } => {
                    let left = async {
                        match &mut answer {
                            Some(answer) => answer.closed().await,
                            None => std::future::pending().await,
                        }
                    };
                    tokio::select! {
                        biased;
                        () = left => {}
                        () = tokio::time::sleep(Duration::from_secs(900)) => {}
                    }
                    world.at_gateways(|gateways, _| gateways.release(ticket));
                    ticket
                }
                _ => return,
            };
            next = world.at_gateways(|gateways, now| gateways.advance(ticket, now));
        }
    }
}

/// Answers once. Nobody listens if the client went away.
fn give(answer: &mut Option<oneshot::Sender<Delivery>>, delivery: Delivery) {
    if let Some(answer) = answer.take() {
        drop(answer.send(delivery));
    }
}

/// A path without what follows the question mark.
fn short(path: &str) -> &str {
    path.split('?').next().unwrap_or(path)
}

fn gateway_of(base_url: &str) -> &'static str {
    if base_url.contains("stripe") {
        "stripe"
    } else if base_url.contains("moyasar") {
        "moyasar"
    } else {
        "hyperpay"
    }
}

pub(super) fn operation_of(request: &Request) -> Option<OperationId> {
    request.headers.get(OPERATION)?.to_str().ok()?.parse().ok()
}

fn simulated(request: &Request) -> payonce_simulator::Request {
    let mut simulated = payonce_simulator::Request::new(request.method.clone(), &request.path);
    simulated.headers = request.headers.clone();
    simulated.headers.remove(OPERATION);
    simulated.with_body(request.body.clone())
}

fn maybe_sent(problem: &str) -> Result<Response, TransportError> {
    Err(TransportError::MaybeSent {
        problem: problem.to_owned(),
        status: None,
    })
}

/// What a client makes of what comes back.
fn received(delivery: Delivery) -> Result<Response, TransportError> {
    let whole = |status: StatusCode, headers, body: &[u8]| {
        Ok(Response::new(status, headers, body.to_vec()))
    };
    match delivery {
        Delivery::Reply(reply) => whole(reply.status, reply.headers, &reply.body),
        Delivery::Close(Close::Rst) => maybe_sent("connection reset"),
        Delivery::Close(_) => maybe_sent("connection closed"),
        Delivery::Cut { reply, keep, how } => {
            if how == CutBody::CleanEnd {
                let kept = reply.body.get(..keep).unwrap_or(&reply.body);
                return whole(reply.status, reply.headers, kept);
            }
            Err(TransportError::MaybeSent {
                problem: "the body was cut".to_owned(),
                status: Some(reply.status.as_u16()),
            })
        }
        _ => maybe_sent("something else"),
    }
}
