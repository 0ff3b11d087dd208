//! Asking Stripe what became of an operation.
//!
//! Each kind leaves something else behind, so each is looked up in its own way: a charge and an
//! authorization by their payment, a refund by the list of its payment's refunds, a capture and a
//! void by the payment that they are about.

mod list;
mod parent;
mod payments;
mod refunds;

use std::slice::Iter;

use payonce::provider::{
    Call, Finding, LookUp, LookUpStep, Match, Query, Response, Ruling, Verdict,
};
use payonce::{Doubt, OperationKind};

use crate::classify::echo;
use crate::wire::{self, Envelope, PaymentIntent};
use crate::{Stripe, encode};

const PAYMENTS: &str = "/v1/payment_intents";
/// The most that one page of a list or a search holds: <https://docs.stripe.com/api/pagination>.
const PAGE_SIZE: &str = "100";

impl LookUp for Stripe {
    fn next(&self, call: &Call<'_>, query: &Query<'_>, replies: &[Response]) -> LookUpStep {
        let mut walk = Walk {
            stripe: self,
            call,
            replies: replies.iter(),
        };
        walk.run(query).map_or_else(|step| *step, LookUpStep::Done)
    }
}

/// `Err` ends a walk: with the request whose reply is not there yet, or with a finding that no
/// further reply can change.
type Walked<T> = Result<T, Box<LookUpStep>>;

/// A look-up from its start, over the replies that are there.
struct Walk<'a> {
    stripe: &'a Stripe,
    call: &'a Call<'a>,
    replies: Iter<'a, Response>,
}

impl<'a> Walk<'a> {
    fn run(&mut self, query: &Query<'_>) -> Walked<Finding> {
        match self.call.kind {
            OperationKind::Charge | OperationKind::Authorize => self.payment(query),
            OperationKind::Capture => self.capture(),
            OperationKind::Refund => self.refund(),
            OperationKind::Void => self.void(),
            _ => Err(unclear("the adapter does not know such operations")),
        }
    }

    /// The reply to a request, if it is there.
    fn ask(&mut self, path: &str) -> Walked<&'a Response> {
        self.replies
            .next()
            .ok_or_else(|| match encode::get(self.stripe, path) {
                Some(request) => Box::new(LookUpStep::Ask(request)),
                // The connected account cannot be named, and asking another account shows nothing.
                None => unclear("the connected account is no header value"),
            })
    }

    /// One payment by its id: consistent at once, the truth. `None`: Stripe has none.
    fn read(&mut self, id: &str) -> Walked<Option<PaymentIntent>> {
        let reply = self.ask(&format!("{PAYMENTS}/{id}"))?;
        if is_missing(reply) {
            return Ok(None);
        }
        match read_ok(reply) {
            Some(payment) if PaymentIntent::id(&payment) == Some(id) => Ok(Some(payment)),
            Some(_) | None => Err(unreadable(reply)),
        }
    }

    /// An object and what it says. `key`: the one that it names.
    fn matched(&self, id: &str, ruling: Ruling, key: Option<&str>) -> Match {
        let echo = echo(self.call.key, key.into_iter(), &ruling, true);
        Match::new(id, Verdict::new(ruling).with_echo(echo))
    }
}

/// The body of a 200, if it is an object of this kind.
fn read_ok<T: serde::de::DeserializeOwned>(reply: &Response) -> Option<T> {
    if reply.status.as_u16() != 200 {
        return None;
    }
    reply.json().and_then(wire::read)
}

fn is_missing(reply: &Response) -> bool {
    let envelope: Option<Envelope> = reply.json().and_then(wire::read);
    let code = envelope
        .and_then(|envelope| envelope.error)
        .and_then(|error| error.code);
    reply.status.as_u16() == 404 && code.as_deref() == Some("resource_missing")
}

fn unclear(problem: &str) -> Box<LookUpStep> {
    let doubt = Doubt::LookUpUnclear {
        problem: problem.to_owned(),
    };
    Box::new(LookUpStep::Done(Finding::Unclear(doubt)))
}

/// A reply that gives no answer.
fn unreadable(reply: &Response) -> Box<LookUpStep> {
    match reply.status.as_u16() {
        200 => unclear("a reply could not be read"),
        status => unclear(&format!("the gateway answered {status}")),
    }
}
