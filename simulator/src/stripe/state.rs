//! Looking at the state and planting things in it, from a test or the control API.

use serde_json::Value;

use super::Stripe;
use super::auth::Scope;
use super::cards::Decline;
use super::error::ApiError;
use super::objects::{Charge, PaymentIntent, PaymentIntentStatus, Pending, Refund, RefundStatus};

impl Stripe {
    /// All payment intents, oldest first.
    pub fn payment_intents(&self) -> impl Iterator<Item = &PaymentIntent> {
        self.payments.iter()
    }

    /// A payment intent of any account.
    pub fn payment_intent(&self, id: &str) -> Option<&PaymentIntent> {
        self.payments.get(id)
    }

    /// A payment intent to change. Changing one is planting: it makes no effect.
    pub fn payment_intent_mut(&mut self, id: &str) -> Option<&mut PaymentIntent> {
        self.touched.push(id.to_owned());
        self.payments.get_mut(id)
    }

    /// Plants a paid payment intent in an account in test mode. It makes no effect.
    pub fn plant_payment_intent(
        &mut self,
        account: &str,
        amount: i64,
        currency: &str,
    ) -> &mut PaymentIntent {
        let scope = Scope {
            account: account.to_owned(),
            livemode: false,
        };
        let now = self.now;
        let (id, payment) = self.payments.add_and_get(|id| PaymentIntent {
            status: PaymentIntentStatus::Succeeded,
            amount_received: amount,
            ..PaymentIntent::new(id, &scope, amount, currency.to_owned(), now)
        });
        payment.latest_charge = Some(self.charges.add(|id| Charge {
            amount_captured: amount,
            ..Charge::new(id, payment, now)
        }));
        self.touched.push(id);
        payment
    }

    /// Plants a second payment intent that is equal but for its ids and time, as if the request
    /// had been executed twice. It makes no effect. None if there is no such payment.
    pub fn copy_payment_intent(&mut self, id: &str) -> Option<String> {
        let original = self.payments.get(id)?.clone();
        let charge = original
            .latest_charge
            .as_deref()
            .and_then(|id| self.charges.get(id))
            .cloned();
        let now = self.now;
        let (copy, payment) = self.payments.add_and_get(|id| PaymentIntent {
            id,
            created: now,
            index: Vec::new(),
            ..original
        });
        if let Some(charge) = charge {
            let payment_intent = copy.clone();
            let charge = self.charges.add(|id| Charge {
                id,
                payment_intent,
                ..charge
            });
            payment.latest_charge = Some(charge);
        }
        self.reindex(&copy);
        Some(copy)
    }

    /// The customer passes or fails 3-D Secure.
    ///
    /// # Errors
    ///
    /// The text says why this is not possible.
    pub fn complete_action(&mut self, id: &str, passed: bool) -> Result<(), String> {
        self.expect_status(id, PaymentIntentStatus::RequiresAction)?;
        if passed {
            self.pay(id);
        } else {
            self.decline(
                id,
                &Decline::new("payment_intent_authentication_failure", None),
            );
        }
        Ok(())
    }

    /// A payment in `processing` gets its result.
    ///
    /// # Errors
    ///
    /// The text says why this is not possible.
    pub fn settle(&mut self, id: &str, succeeded: bool) -> Result<(), String> {
        self.expect_status(id, PaymentIntentStatus::Processing)?;
        let pending = self.payments.get(id).and_then(|payment| payment.pending);
        match (succeeded, pending) {
            (true, Some(Pending::Capture(amount))) => self.take_reserved(id, amount),
            (true, _) => self.pay(id),
            (false, Some(Pending::Capture(_))) => self.change(id, |payment| {
                payment.status = PaymentIntentStatus::RequiresCapture;
                payment.pending = None;
            }),
            (false, _) => {
                self.decline(id, &Decline::new("card_declined", Some("generic_decline")));
            }
        }
        Ok(())
    }

    /// All refunds, oldest first.
    pub fn refunds(&self) -> impl Iterator<Item = &Refund> {
        self.refunds.iter()
    }

    /// A refund of any account.
    pub fn refund(&self, id: &str) -> Option<&Refund> {
        self.refunds.get(id)
    }

    /// A refund to change. Changing one is planting: it makes no effect.
    pub fn refund_mut(&mut self, id: &str) -> Option<&mut Refund> {
        self.refunds.get_mut(id)
    }

    /// A refund gets its result, or loses it: `succeeded` may become `failed` (REF). It makes an
    /// effect when it becomes `succeeded`.
    ///
    /// # Errors
    ///
    /// There is no such refund.
    pub fn settle_refund(&mut self, id: &str, status: RefundStatus) -> Result<(), String> {
        let Some(refund) = self.refunds.get_mut(id) else {
            return Err(format!("no refund \"{id}\""));
        };
        let before = refund.status;
        refund.status = status;
        refund.failure_reason = (status == RefundStatus::Failed).then(|| "unknown".to_owned());
        let refund = refund.clone();
        if status == RefundStatus::Succeeded && before != RefundStatus::Succeeded {
            self.gave_back(&refund);
        }
        Ok(())
    }

    /// Forgets all idempotency keys, as if they had lived out.
    pub fn forget_keys(&mut self) {
        self.keys.clear();
    }

    /// How many idempotency keys are remembered.
    pub fn remembered_keys(&self) -> usize {
        self.keys.len()
    }

    /// A payment as its account sees it.
    pub(super) fn payment(&self, scope: &Scope, id: &str) -> Result<&PaymentIntent, ApiError> {
        let found = self.payments.get(id).filter(|payment| payment.is_of(scope));
        found.ok_or_else(|| ApiError::missing("payment_intent", id))
    }

    /// Changes a payment and tells the search.
    pub(super) fn change(&mut self, id: &str, change: impl FnOnce(&mut PaymentIntent)) {
        let now = self.now;
        if let Some(payment) = self.payments.get_mut(id) {
            change(payment);
            payment.reindex(now);
        }
    }

    pub(super) fn reindex(&mut self, id: &str) {
        self.change(id, |_| {});
    }

    /// Tells the search about payments that a test may have changed.
    pub(super) fn reindex_touched(&mut self) {
        for id in std::mem::take(&mut self.touched) {
            self.reindex(&id);
        }
    }

    /// A payment as a reply shows it.
    pub(super) fn show(&self, id: &str, expand: &[String]) -> Result<Value, ApiError> {
        let payment = self.payments.get(id);
        let payment = payment.ok_or_else(|| ApiError::missing("payment_intent", id))?;
        Ok(self.render(payment, expand))
    }

    pub(super) fn render(&self, payment: &PaymentIntent, expand: &[String]) -> Value {
        let wanted = expand.iter().any(|path| path.ends_with("latest_charge"));
        let charge = payment.latest_charge.as_deref().filter(|_| wanted);
        let charge = charge.and_then(|id| self.charges.get(id));
        payment.to_json(charge.map(|charge| charge.to_json(payment, self.refunded(&charge.id))))
    }

    fn expect_status(&self, id: &str, wanted: PaymentIntentStatus) -> Result<(), String> {
        let Some(payment) = self.payments.get(id) else {
            return Err(format!("no payment intent \"{id}\""));
        };
        if payment.status == wanted {
            return Ok(());
        }
        let (is, wanted) = (payment.status.as_str(), wanted.as_str());
        Err(format!("{id} has the status {is}; it must be {wanted}"))
    }
}
