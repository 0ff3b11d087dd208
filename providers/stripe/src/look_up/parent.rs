//! What became of a capture or a void: the payment that it is about is read by its id.

use payonce::provider::{Finding, Match, Refusal, Ruling, Verdict};

use super::{Walk, Walked, unclear};
use crate::classify::{
    CANCELABLE, capture_key, capture_ruling, carries_capture, never_captured, of_ours, void_ruling,
};
use crate::wire::{self, PaymentIntent};

impl Walk<'_> {
    pub(super) fn capture(&mut self) -> Walked<Finding> {
        let (id, payment) = self.parent()?;
        let ruling = capture_ruling(self.call, &payment, 200);
        let Some(ours) = carries_capture(self.call, &payment) else {
            return Err(unclear("a reply could not be read"));
        };
        if let Some(canceled) = never_captured(self.call, &payment) {
            return Ok(found_unnamed(&id, canceled));
        }
        if ours {
            return Ok(self.found(&id, ruling, capture_key(&payment)));
        }
        match (&ruling, capture_key(&payment)) {
            // Captured under another key: the engine holds it, and tells a person.
            (Ruling::Succeeded(_) | Ruling::Pending(_), Some(other)) => {
                Ok(self.found(&id, ruling, Some(other)))
            }
            // By somebody else, or by us if the field was taken away since. Nobody can tell.
            (Ruling::Succeeded(_) | Ruling::Pending(_), None) => {
                Err(unclear("the payment was captured, and no key says by whom"))
            }
            _ if payment.is_in(&["requires_capture"]) => Ok(Finding::Absent),
            _ => Err(unclear(
                "the payment is in a state that says nothing of a capture",
            )),
        }
    }

    pub(super) fn void(&mut self) -> Walked<Finding> {
        let (id, payment) = self.parent()?;
        if payment.is_in(&["canceled"]) {
            let ruling = void_ruling(self.call, &payment, 200);
            return Ok(found_unnamed(&id, ruling));
        }
        // A payment that took money cannot be canceled any more, and a canceled one takes none: no
        // void of it worked or can.
        if payment.is_in(&["succeeded"]) {
            let refusal = Refusal::new("succeeded").with_provider_id(Some(&id));
            return Ok(found_unnamed(&id, Ruling::Rejected(refusal)));
        }
        if payment.is_in(&CANCELABLE) {
            return Ok(Finding::Absent);
        }
        Err(unclear(
            "the payment is in a state that says nothing of a void",
        ))
    }

    /// The payment that is captured or voided.
    fn parent(&mut self) -> Walked<(String, PaymentIntent)> {
        let known = self.call.parent.filter(|id| wire::is_payment(id));
        let Some(id) = known else {
            return Err(unclear("the payment is not known"));
        };
        match self.read(id)? {
            Some(payment) if of_ours(self.call, &payment).is_some() => Ok((id.to_owned(), payment)),
            Some(_) => Err(unclear("a reply could not be read")),
            None => Err(unclear("the gateway does not have the payment")),
        }
    }

    fn found(&self, id: &str, ruling: Ruling, key: Option<&str>) -> Finding {
        Finding::Found(vec![self.matched(id, ruling, key)])
    }
}

/// What a payment says that names nobody's key, and need not: it is so for whoever asks.
fn found_unnamed(id: &str, ruling: Ruling) -> Finding {
    Finding::Found(vec![Match::new(id, Verdict::new(ruling))])
}
