//! Looking at the state and planting things in it, from a test or the control API.

use super::Adyen;
use super::change::Change;
use super::create::refused;
use super::payment::{Payment, PaymentState};
use crate::effect::{Effect, EffectKind};

impl Adyen {
    /// All payments, oldest first.
    pub fn payments(&self) -> impl Iterator<Item = &Payment> {
        self.payments.values()
    }

    /// A payment.
    pub fn payment(&self, id: &str) -> Option<&Payment> {
        self.payments.get(id)
    }

    /// A payment to change. Changing one is planting: it makes no effect.
    pub fn payment_mut(&mut self, id: &str) -> Option<&mut Payment> {
        self.payments.get_mut(id)
    }

    /// All captures, refunds and cancels that were received, oldest first.
    pub fn changes(&self) -> &[Change] {
        &self.changes
    }

    /// Forgets all keys, as after their life.
    pub fn forget_keys(&mut self) {
        self.keys.clear();
    }

    /// The customer passes or fails 3-D Secure. What comes back to the shop, for
    /// `/payments/details`: only that moves the money.
    ///
    /// # Errors
    ///
    /// The text says why this is not possible.
    pub fn complete_action(&mut self, id: &str, passed: bool) -> Result<String, String> {
        let payment = self.payments.get(id).ok_or_else(|| no_payment(id))?;
        if matches!(payment.state, PaymentState::Waiting { .. }) {
            Ok(payment.result(passed))
        } else {
            Err(format!("{id} does not wait for a customer"))
        }
    }

    /// A payment that is pending gets its result.
    ///
    /// # Errors
    ///
    /// The text says why this is not possible.
    pub fn settle(&mut self, id: &str, succeeded: bool) -> Result<(), String> {
        let payment = self.payments.get_mut(id).ok_or_else(|| no_payment(id))?;
        if payment.state != PaymentState::Pending {
            return Err(format!("{id} is not pending"));
        }
        if succeeded {
            payment.state = PaymentState::Authorised;
            self.move_money(id);
        } else {
            payment.state = refused("2", "Refused");
        }
        Ok(())
    }

    pub(super) fn effect(
        &mut self,
        kind: EffectKind,
        payment: &Payment,
        id: &str,
        amount: i64,
        key: Option<String>,
        reference: Option<&str>,
    ) {
        self.effects.push(Effect {
            gateway: "adyen".to_owned(),
            account: payment.merchant_account.clone(),
            kind,
            provider_id: id.to_owned(),
            payment_id: (id != payment.id).then(|| payment.id.clone()),
            amount,
            currency: payment.currency.clone(),
            key,
            fields: payment.fields(reference),
            request: None,
            at: self.now,
        });
    }
}

/// What to do about an unknown id.
pub(super) fn no_payment(id: &str) -> String {
    format!("no payment \"{id}\"; GET /control/adyen/payments lists them")
}
