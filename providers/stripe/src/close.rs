//! Ending a payment that the customer left open: `POST /v1/payment_intents/{id}/cancel`,
//! <https://docs.stripe.com/api/payment_intents/cancel>.
//!
//! A payment that succeeded cannot be canceled, so nothing is ever given back. What is only reserved
//! is released. It is the request of a void, with a key of its own.

use payonce::provider::{
    Call, Close, CloseReply, Closing, Details, Echo, EncodeError, Request, Response, Ruling,
};
use payonce::{Doubt, OperationKind};

use crate::{Stripe, classify, encode};

impl Close for Stripe {
    fn close_request(
        &self,
        call: &Call<'_>,
        closing: &Closing<'_>,
    ) -> Result<Request, EncodeError> {
        encode::encode(
            self,
            &cancel(call, closing),
            &Details::new(None, None, None, &[]),
        )
    }

    fn close_reply(&self, call: &Call<'_>, closing: &Closing<'_>, reply: &Response) -> CloseReply {
        let verdict = classify::classify(&cancel(call, closing), reply);
        if verdict.echo == Echo::Foreign {
            return unknown(reply, None);
        }
        match verdict.ruling {
            Ruling::Succeeded(_) | Ruling::Canceled(_) => CloseReply::Ended,
            // It says in which state the payment is, and that is none that can be canceled:
            // <https://docs.stripe.com/error-codes#payment-intent-unexpected-state>. The look-up
            // shows which.
            Ruling::Rejected(refusal) if refusal.code == "payment_intent_unexpected_state" => {
                CloseReply::Refused
            }
            Ruling::NoEffect => CloseReply::NoEffect,
            Ruling::Unauthorized => CloseReply::Unauthorized,
            Ruling::Unknown(doubt) => CloseReply::Unknown(doubt),
            Ruling::InProgress => CloseReply::Unknown(Doubt::InProgress),
            Ruling::Rejected(refusal) | Ruling::Declined(refusal) => {
                unknown(reply, Some(refusal.code))
            }
            Ruling::ActionRequired(_)
            | Ruling::Pending(_)
            | Ruling::Repeated
            | Ruling::KeyMismatch => unknown(reply, None),
        }
    }
}

/// The void that a close is: of the operation's own payment, under the step's key.
fn cancel<'a>(call: &Call<'a>, closing: &Closing<'a>) -> Call<'a> {
    let Call {
        operation,
        reference,
        money,
        ..
    } = *call;
    Call::new(
        OperationKind::Void,
        operation,
        reference,
        closing.key,
        money,
    )
    .with_parent(closing.provider_id)
}

fn unknown(reply: &Response, code: Option<String>) -> CloseReply {
    CloseReply::Unknown(Doubt::Undocumented {
        status: reply.status.as_u16(),
        code,
    })
}
