//! Drives one request through the world in real time.

use std::sync::Arc;

use tokio::sync::oneshot;

use super::handle::Shared;
use crate::exchange::{Close, Delivery, Request};
use crate::world::Next;

/// Hands a request to the world and waits for what the client gets.
///
/// The request runs in a task of its own: a client that gives up does not take back what it sent.
pub(super) async fn drive(shared: &Arc<Shared>, gateway: String, request: Request) -> Delivery {
    let (answer, answered) = oneshot::channel();
    tokio::spawn(run(Arc::clone(shared), gateway, request, answer));
    // Without an answer the task was dropped, because the server stops.
    answered.await.unwrap_or(Delivery::Close(Close::Fin))
}

async fn run(
    shared: Arc<Shared>,
    gateway: String,
    request: Request,
    answer: oneshot::Sender<Delivery>,
) {
    let mut released = shared.released.subscribe();
    let mut answer = Some(answer);
    let mut next = shared.world().arrive(&gateway, request, shared.clock.now());
    loop {
        let ticket = match next {
            Next::Deliver(delivery) => {
                send(&mut answer, delivery);
                return;
            }
            Next::Wait {
                ticket,
                time,
                hang_up,
            } => {
                if let Some(how) = hang_up {
                    send(&mut answer, Delivery::Close(how));
                }
                tokio::time::sleep(time).await;
                ticket
            }
            Next::Held { ticket } => {
                let client_gone = async {
                    match &mut answer {
                        Some(answer) => answer.closed().await,
                        None => std::future::pending().await,
                    }
                };
                tokio::select! {
                    _ = released.changed() => {}
                    () = client_gone => shared.world().release(ticket),
                }
                ticket
            }
        };
        next = shared.world().advance(ticket, shared.clock.now());
    }
}

/// Answers once. Nobody listens if the client went away; the world has it in its log.
fn send(answer: &mut Option<oneshot::Sender<Delivery>>, delivery: Delivery) {
    if let Some(answer) = answer.take() {
        drop(answer.send(delivery));
    }
}
