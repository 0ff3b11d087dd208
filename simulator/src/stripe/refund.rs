//! `POST /v1/refunds` (REF).

use std::collections::BTreeMap;

use serde_json::Value;

use super::action::expand;
use super::error::ApiError;
use super::form::Form;
use super::objects::{Charge, PaymentIntentStatus, Refund, RefundStatus};
use super::{Cause, Stripe};
use crate::effect::{Effect, EffectKind};
use crate::fault::Steer;
use crate::gateway::Gateway;

const REASONS: [&str; 3] = ["duplicate", "fraudulent", "requested_by_customer"];

/// The parameters of a refund.
#[derive(Debug)]
pub(super) struct CreateRefund {
    payment_intent: Option<String>,
    charge: Option<String>,
    amount: Option<i64>,
    reason: Option<String>,
    metadata: BTreeMap<String, String>,
}

impl CreateRefund {
    pub(super) fn parse(mut form: Form) -> Result<Self, ApiError> {
        let refund = Self {
            payment_intent: form.text("payment_intent")?,
            charge: form.text("charge")?,
            amount: form.integer("amount", 1)?,
            reason: form.word("reason", &REASONS)?,
            metadata: form.metadata()?,
        };
        expand(&mut form, &[])?;
        form.ignore(&[
            "instructions_email",
            "reverse_transfer",
            "refund_application_fee",
        ]);
        form.finish()?;
        if refund.payment_intent.is_none() == refund.charge.is_none() {
            let message = "One of the following params should be provided for this request: \
                           payment_intent or charge.";
            return Err(ApiError::invalid(message).code("parameter_missing"));
        }
        Ok(refund)
    }
}

impl Stripe {
    pub(super) fn create_refund(
        &mut self,
        refund: CreateRefund,
        cause: Cause<'_>,
    ) -> Result<Value, ApiError> {
        let charge = self.charge_to_refund(&refund, cause)?.clone();
        let amount = self.refundable(&charge, refund.amount)?;
        let (status, failure_reason) = match cause.steer {
            Some(Steer::Decline { .. }) => (RefundStatus::Failed, Some("declined".to_owned())),
            Some(Steer::RequireAction(_)) => (RefundStatus::RequiresAction, None),
            Some(Steer::Processing) => (RefundStatus::Pending, None),
            Some(Steer::StoredError { .. }) | None => (RefundStatus::Succeeded, None),
        };
        let currency = self
            .payment(cause.scope, &charge.payment_intent)?
            .currency
            .clone();
        let now = self.now;
        let id = self.refunds.add(|id| Refund {
            id,
            account: cause.scope.account.clone(),
            livemode: cause.scope.livemode,
            payment_intent: charge.payment_intent,
            charge: charge.id,
            amount,
            currency,
            status,
            failure_reason,
            reason: refund.reason,
            metadata: refund.metadata,
            created: now,
            key: cause.key.map(str::to_owned),
        });
        let Some(made) = self.refunds.get(&id).cloned() else {
            return Err(ApiError::missing("refund", &id));
        };
        if status == RefundStatus::Succeeded {
            self.gave_back(&made);
        }
        Ok(made.to_json())
    }

    /// Records that a refund gave money back.
    pub(super) fn gave_back(&mut self, refund: &Refund) {
        self.effects.push(Effect {
            gateway: self.name().to_owned(),
            account: refund.account.clone(),
            kind: EffectKind::Refund,
            provider_id: refund.id.clone(),
            payment_id: Some(refund.payment_intent.clone()),
            amount: refund.amount,
            currency: refund.currency.clone(),
            key: refund.key.clone(),
            fields: refund.metadata.clone(),
            request: None,
            at: self.now,
        });
    }

    /// What refunds of a charge took or may still take.
    pub(super) fn refunded(&self, charge: &str) -> i64 {
        let refunds = self.refunds.iter().filter(|refund| refund.charge == charge);
        let counting = refunds.filter(|refund| refund.counts());
        counting.fold(0, |sum: i64, refund| sum.saturating_add(refund.amount))
    }

    fn charge_to_refund(
        &self,
        refund: &CreateRefund,
        cause: Cause<'_>,
    ) -> Result<&Charge, ApiError> {
        let charge = match (&refund.payment_intent, &refund.charge) {
            (Some(id), _) => {
                let payment = self.payment(cause.scope, id)?;
                let charge = payment
                    .latest_charge
                    .as_deref()
                    .and_then(|id| self.charges.get(id));
                charge.ok_or_else(|| nothing_to_refund(id))?
            }
            (None, charge) => {
                let id = charge.as_deref().unwrap_or_default();
                let found = self.charges.get(id);
                let charge = found.ok_or_else(|| ApiError::missing("charge", id))?;
                self.payment(cause.scope, &charge.payment_intent)
                    .map_err(|_| ApiError::missing("charge", id))?;
                charge
            }
        };
        let payment = self.payment(cause.scope, &charge.payment_intent)?;
        if payment.status != PaymentIntentStatus::Succeeded || charge.failure_code.is_some() {
            return Err(nothing_to_refund(&payment.id));
        }
        Ok(charge)
    }

    /// The amount to refund: what was asked for, or all that is left.
    fn refundable(&self, charge: &Charge, asked: Option<i64>) -> Result<i64, ApiError> {
        let left = charge
            .amount_captured
            .saturating_sub(self.refunded(&charge.id));
        if left <= 0 {
            let message = format!("Charge {} has already been refunded.", charge.id);
            return Err(ApiError::invalid(message).code("charge_already_refunded"));
        }
        let amount = asked.unwrap_or(left);
        if amount > left {
            let message = format!(
                "Refund amount ({amount}) is greater than unrefunded amount on charge ({left})."
            );
            return Err(ApiError::invalid(message).param("amount"));
        }
        Ok(amount)
    }
}

fn nothing_to_refund(payment: &str) -> ApiError {
    let message = format!(
        "This PaymentIntent ({payment}) does not have a successful charge to \
                           refund."
    );
    ApiError::invalid(message)
        .code("payment_intent_unexpected_state")
        .param("payment_intent")
}
