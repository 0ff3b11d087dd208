//! `POST /v1/payment_intents/{id}/cancel` (PI).

use std::time::SystemTime;

use serde_json::Value;

use super::action::expand;
use super::error::ApiError;
use super::form::Form;
use super::objects::PaymentIntentStatus;
use super::{Cause, Stripe};
use crate::effect::EffectKind;

const REASONS: [&str; 4] = [
    "duplicate",
    "fraudulent",
    "requested_by_customer",
    "abandoned",
];

/// The parameters of a cancellation.
#[derive(Debug)]
pub(super) struct Cancel {
    reason: Option<String>,
    expand: Vec<String>,
}

impl Cancel {
    pub(super) fn parse(mut form: Form) -> Result<Self, ApiError> {
        let reason = form.word("cancellation_reason", &REASONS)?;
        let expand = expand(&mut form, &["latest_charge"])?;
        form.finish()?;
        Ok(Self { reason, expand })
    }
}

impl Stripe {
    pub(super) fn cancel(
        &mut self,
        id: &str,
        cancel: Cancel,
        cause: Cause<'_>,
    ) -> Result<Value, ApiError> {
        let payment = self.payment(cause.scope, id)?;
        match payment.status {
            PaymentIntentStatus::RequiresPaymentMethod
            | PaymentIntentStatus::RequiresConfirmation
            | PaymentIntentStatus::RequiresAction
            | PaymentIntentStatus::RequiresCapture => {}
            // Legal "in rare cases" while processing; here it never is.
            PaymentIntentStatus::Processing
            | PaymentIntentStatus::Succeeded
            | PaymentIntentStatus::Canceled => {
                return Err(self.unexpected_state(payment, "canceled"));
            }
        }
        let released = payment.amount_capturable;
        let now = self.now;
        self.change(id, |payment| {
            payment.key = cause.key.map(str::to_owned);
            payment.status = PaymentIntentStatus::Canceled;
            payment.amount_capturable = 0;
            payment.cancellation_reason = cancel.reason;
            payment.canceled_at = Some(now);
            payment.next_action = None;
        });
        // A payment that reserved nothing has nothing to give back.
        if released > 0
            && let Some(payment) = self.payments.get(id).cloned()
        {
            self.moved(EffectKind::Void, &payment, released);
        }
        self.show(id, &cancel.expand)
    }

    /// Authorizations that lived out are canceled by themselves (HOLD).
    pub(super) fn expire_authorizations(&mut self) {
        let (now, life) = (self.now, self.config.authorization_life);
        let lived_out = |since: SystemTime| now.duration_since(since).is_ok_and(|age| age >= life);
        for payment in self.payments.iter_mut() {
            if payment.status == PaymentIntentStatus::RequiresCapture
                && payment.authorized_at.is_some_and(lived_out)
            {
                payment.status = PaymentIntentStatus::Canceled;
                payment.amount_capturable = 0;
                payment.cancellation_reason = Some("automatic".to_owned());
                payment.canceled_at = Some(now);
                payment.reindex(now);
            }
        }
    }
}
