//! `POST /v1/payment_intents/{id}/capture` (PI, HOLD).

use std::collections::BTreeMap;

use serde_json::Value;

use super::action::expand;
use super::cards::Decline;
use super::error::ApiError;
use super::form::Form;
use super::objects::{PaymentIntentStatus, Pending};
use super::{Cause, Stripe};
use crate::effect::EffectKind;
use crate::fault::Steer;

/// The parameters of a capture.
#[derive(Debug)]
pub(super) struct Capture {
    amount: Option<i64>,
    metadata: BTreeMap<String, String>,
    expand: Vec<String>,
}

impl Capture {
    pub(super) fn parse(mut form: Form) -> Result<Self, ApiError> {
        let capture = Self {
            amount: form.integer("amount_to_capture", 1)?,
            metadata: form.metadata()?,
            expand: expand(&mut form, &["latest_charge"])?,
        };
        if form.boolean("final_capture")? == Some(false) {
            let message = "final_capture=false needs multicapture, which this account has not.";
            return Err(ApiError::invalid(message).param("final_capture"));
        }
        form.ignore(&["statement_descriptor", "statement_descriptor_suffix"]);
        form.finish()?;
        Ok(capture)
    }
}

impl Stripe {
    pub(super) fn capture(
        &mut self,
        id: &str,
        capture: Capture,
        cause: Cause<'_>,
    ) -> Result<Value, ApiError> {
        let payment = self.payment(cause.scope, id)?;
        if payment.status != PaymentIntentStatus::RequiresCapture {
            return Err(self.unexpected_state(payment, "captured"));
        }
        let capturable = payment.amount_capturable;
        let amount = capture.amount.unwrap_or(capturable);
        if amount > capturable {
            let message = format!(
                "The amount to capture ({amount}) is greater than what can be captured \
                 ({capturable})."
            );
            let error = ApiError::invalid(message).code("amount_too_large");
            return Err(error.param("amount_to_capture"));
        }
        if let Some(Steer::Decline { code, decline_code }) = cause.steer {
            let charge = payment.latest_charge.clone().unwrap_or_default();
            let shown = self.render(payment, &[]);
            let decline = Decline::new(code, decline_code.as_deref());
            return Err(decline.error(&charge).with("payment_intent", shown));
        }
        self.change(id, |payment| {
            payment.key = cause.key.map(str::to_owned);
            for (name, value) in capture.metadata {
                if value.is_empty() {
                    payment.metadata.remove(&name);
                } else {
                    payment.metadata.insert(name, value);
                }
            }
        });
        if cause.steer == Some(&Steer::Processing) {
            self.change(id, |payment| {
                payment.status = PaymentIntentStatus::Processing;
                payment.pending = Some(Pending::Capture(amount));
            });
        } else {
            self.take_reserved(id, amount);
        }
        self.show(id, &capture.expand)
    }

    /// Reserved money is taken; the rest of it is released (HOLD).
    pub(super) fn take_reserved(&mut self, id: &str, amount: i64) {
        self.change(id, |payment| {
            payment.status = PaymentIntentStatus::Succeeded;
            payment.amount_received = amount;
            payment.amount_capturable = 0;
            payment.pending = None;
        });
        let Some(payment) = self.payments.get(id).cloned() else {
            return;
        };
        let charge = payment
            .latest_charge
            .as_deref()
            .and_then(|id| self.charges.get_mut(id));
        if let Some(charge) = charge {
            charge.amount_captured = amount;
            charge.capture_before = None;
        }
        self.moved(EffectKind::Capture, &payment, amount);
    }
}
