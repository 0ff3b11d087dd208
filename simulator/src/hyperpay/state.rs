//! Looking at the state and planting things in it, from a test or the control API.

use super::objects::{Payment, PaymentType, Registration, RegistrationResult};
use super::outcome::PlannedResult;
use super::{HyperPay, codes};

impl HyperPay {
    /// All payments, oldest first: charges, authorizations, captures, refunds and reversals.
    pub fn payments(&self) -> impl Iterator<Item = &Payment> {
        self.payments.iter()
    }

    /// A payment of any entity.
    pub fn payment(&self, id: &str) -> Option<&Payment> {
        self.payments.get(id)
    }

    /// A payment to change. Changing one is planting: it makes no effect.
    pub fn payment_mut(&mut self, id: &str) -> Option<&mut Payment> {
        self.payments.get_mut(id)
    }

    /// Plants a paid charge of an entity; the amount is in hundredths. It makes no effect.
    pub fn plant_payment(&mut self, entity: &str, amount: i64, currency: &str) -> &mut Payment {
        let code = self.config.success().to_owned();
        let currency = currency.to_owned();
        let payment = Payment::new(entity, PaymentType::Debit, amount, currency, self.now);
        self.payments.add(Payment {
            code,
            moved: true,
            ..payment
        })
    }

    /// Plants a second payment that is equal but for its id and time, as if the request had been
    /// executed twice. It makes no effect. None if there is no such payment.
    pub fn copy_payment(&mut self, id: &str) -> Option<String> {
        let copy = Payment {
            created: self.now,
            ..self.payments.get(id)?.clone()
        };
        Some(self.payments.add(copy).id.clone())
    }

    /// Adds a registration. Its id comes back.
    pub fn add_registration(&mut self, result: RegistrationResult) -> String {
        self.last_registration = self.last_registration.saturating_add(1);
        let id = format!("8ac7a4a2{:024x}", self.last_registration);
        let registration = Registration::new(&id, result);
        self.registrations.insert(id.clone(), registration);
        id
    }

    /// A registration to change, one of the ready-made ones too.
    pub fn registration_mut(&mut self, id: &str) -> Option<&mut Registration> {
        self.registrations.get_mut(id)
    }

    /// All registrations, by id.
    pub fn registrations(&self) -> impl Iterator<Item = &Registration> {
        self.registrations.values()
    }

    /// Plans the result of an execution, behind those that are planned.
    pub fn plan_result(&mut self, planned: PlannedResult) {
        self.planned.push(planned);
    }

    /// The results that still wait for their executions, oldest first.
    pub fn planned_results(&self) -> &[PlannedResult] {
        &self.planned
    }

    /// The customer passes or fails 3-D Secure. An effect, if the money moves, has the reference
    /// of the request that began it.
    ///
    /// # Errors
    ///
    /// The text says why this is not possible.
    pub fn complete_action(&mut self, id: &str, passed: bool) -> Result<(), String> {
        let payment = self.payments.get(id).ok_or_else(|| no_payment(id))?;
        if payment.redirect.is_none() {
            return Err(format!("{id} does not wait for a customer"));
        }
        let code = if passed {
            self.config.success()
        } else {
            codes::NOT_AUTHENTICATED
        };
        self.settle(id, code)
    }

    /// A payment that waits, or of which nobody knows what became of it, gets its result. If that
    /// is a success the money moves now, unless it had moved before.
    ///
    /// # Errors
    ///
    /// The text says why this is not possible.
    pub fn settle(&mut self, id: &str, code: &str) -> Result<(), String> {
        if !codes::is_code(code) {
            return Err(format!("{code} is no result code"));
        }
        let payment = self.payments.get_mut(id).ok_or_else(|| no_payment(id))?;
        if !codes::is_pending(&payment.code) && !codes::is_uncertain(&payment.code) {
            let is = &payment.code;
            return Err(format!("{id} has the final code {is}; it cannot change"));
        }
        code.clone_into(&mut payment.code);
        payment.redirect = payment.redirect.take().filter(|_| codes::is_pending(code));
        if codes::is_success(code) {
            self.move_money(id);
        }
        Ok(())
    }
}

/// What to do about an unknown id.
pub(super) fn no_payment(id: &str) -> String {
    format!("no payment \"{id}\"; GET /control/hyperpay/payments lists them")
}
