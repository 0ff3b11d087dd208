//! What a payment shows before it is completed or canceled.
//!
//! Both requests are of the whole payment and name no amount. So a part would be taken as the whole,
//! if the payment was not read before: <https://developer.squareup.com/docs/payments-api/take-payments/card-payments/delayed-capture>.

use payonce::Doubt;
use payonce::provider::{Baseline, Call, Request, Response};

use crate::wire::{self, Body, Keyed, Payment, Shown};
use crate::{Square, encode};

/// The state of a payment that can be completed or canceled.
pub(crate) const OPEN: &str = "APPROVED";

impl Baseline for Square {
    fn request(&self, call: &Call<'_>) -> Request {
        // Without a parent it asks for a payment that cannot be, and nothing is sent: `encode`
        // refused such an operation before.
        let id = call.parent.filter(|id| wire::is_id(id)).unwrap_or("none");
        encode::get(&format!("/v2/payments/{id}"))
    }

    fn read(&self, call: &Call<'_>, reply: &Response) -> Result<String, Doubt> {
        let status = reply.status.as_u16();
        if status != 200 {
            return Err(unclear(&format!("the gateway answered {status}")));
        }
        let unreadable = || unclear("a reply could not be read");
        let body: Body = wire::body(reply).ok_or_else(unreadable)?;
        let payment = body.payment.filter(|_| body.errors.is_none());
        let payment = payment.ok_or_else(unreadable)?;
        let (Some(id), Some(state)) = (payment.id(), payment.status.as_deref()) else {
            return Err(unreadable());
        };
        if payment.total_money == Shown::Nothing {
            return Err(unreadable());
        }
        let got = payment.total_money.money();
        if call.parent != Some(id) || got != Some(call.money) {
            return Err(Doubt::Mismatch {
                sent: call.money,
                got: got.filter(|_| call.parent == Some(id)),
                provider_id: id.to_owned(),
            });
        }
        Ok(state.to_owned())
    }
}

/// The payment of a reply, if it is the one that is asked about.
pub(crate) fn of_parent<'p>(call: &Call<'_>, payment: &'p Payment) -> Option<&'p str> {
    payment.id().filter(|id| call.parent == Some(*id))
}

/// No answer, and why.
pub(crate) fn unclear(problem: &str) -> Doubt {
    Doubt::LookUpUnclear {
        problem: problem.to_owned(),
    }
}
