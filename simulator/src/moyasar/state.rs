//! Looking at the state and planting things in it, from a test or the control API.

use std::time::{Duration, SystemTime};

use http::StatusCode;

use super::auth::Scope;
use super::error::ApiError;
use super::payment::{Payment, PaymentStatus};
use super::tokens::Decline;
use super::{Moyasar, id};
use crate::exchange::Reply;

impl Moyasar {
    /// All payments, oldest first.
    pub fn payments(&self) -> impl Iterator<Item = &Payment> {
        self.payments.iter()
    }

    /// A payment of any account; the oldest, if two accounts use the same id.
    pub fn payment(&self, id: &str) -> Option<&Payment> {
        self.payments.get(self.payments.find_anywhere(id)?)
    }

    /// A payment to change. Changing one is planting: it makes no effect.
    pub fn payment_mut(&mut self, id: &str) -> Option<&mut Payment> {
        self.payments.get_mut(self.payments.find_anywhere(id)?)
    }

    /// Plants a paid payment in an account in test mode. It makes no effect.
    pub fn plant_payment(&mut self, account: &str, amount: i64, currency: &str) -> &mut Payment {
        let scope = Scope {
            account: account.to_owned(),
            live: false,
        };
        let (now, id) = (self.now, self.fresh_id(&scope));
        let payment = Payment {
            status: PaymentStatus::Paid,
            token: "token_visa".to_owned(),
            paid_at: Some(now),
            ..Payment::new(id, &scope, amount, currency.to_owned(), now)
        };
        self.payments.add_and_get(payment).1
    }

    /// Plants a second payment that is equal but for its id and time, as if the request had been
    /// executed twice. It makes no effect. None if there is no such payment.
    pub fn copy_payment(&mut self, id: &str) -> Option<String> {
        let original = self.payment(id)?.clone();
        let scope = Scope {
            account: original.account.clone(),
            live: original.live,
        };
        let copy = self.fresh_id(&scope);
        self.payments.add(Payment {
            id: copy.clone(),
            given_id: None,
            transaction_url: None,
            created_at: self.now,
            updated_at: self.now,
            ..original
        });
        Some(copy)
    }

    /// The customer passes or fails 3-D Secure, as on the page.
    ///
    /// # Errors
    ///
    /// The text says why this is not possible.
    pub fn complete_action(&mut self, id: &str, passed: bool) -> Result<(), String> {
        let number = self.initiated(id)?;
        let has_page = self
            .payments
            .get(number)
            .map(|payment| payment.transaction_url.is_some());
        if has_page != Some(true) {
            return Err(format!("{id} has no page; settle ends it"));
        }
        self.authenticate(number, passed);
        Ok(())
    }

    /// A payment without a result gets it.
    ///
    /// # Errors
    ///
    /// The text says why this is not possible.
    pub fn settle(&mut self, id: &str, succeeded: bool) -> Result<(), String> {
        let number = self.initiated(id)?;
        if succeeded {
            self.pay(number);
        } else {
            self.fail(number, &Decline::of("declined"));
        }
        Ok(())
    }

    pub(super) fn authenticate(&mut self, number: u64, passed: bool) {
        if passed {
            self.pay(number);
        } else {
            self.fail(number, &Decline::of("3-D Secure failed"));
        }
    }

    /// Changes a payment and notes the time.
    pub(super) fn change(&mut self, number: u64, change: impl FnOnce(&mut Payment)) {
        let now = self.now;
        if let Some(payment) = self.payments.get_mut(number) {
            change(payment);
            payment.updated_at = now;
        }
    }

    /// A payment as a reply shows it.
    pub(super) fn show(&self, number: u64, status: StatusCode) -> Result<Reply, ApiError> {
        let payment = self.payments.get(number);
        let payment = payment.ok_or_else(|| ApiError::missing("Payment"))?;
        Ok(Reply::json(status, &payment.to_json()))
    }

    /// An id that nobody gave.
    pub(super) fn fresh_id(&mut self, scope: &Scope) -> String {
        loop {
            self.last_id = self.last_id.saturating_add(1);
            let id = id::numbered(self.last_id);
            if self.payments.find(scope, &id).is_none() {
                return id;
            }
        }
    }

    /// Whether so much time has passed since then.
    pub(super) fn is_over(&self, since: SystemTime, life: Duration) -> bool {
        self.now.duration_since(since).is_ok_and(|age| age >= life)
    }

    fn initiated(&self, id: &str) -> Result<u64, String> {
        let number = self.payments.find_anywhere(id);
        let found = number.and_then(|number| Some((number, self.payments.get(number)?)));
        let Some((number, payment)) = found else {
            return Err(format!("no payment \"{id}\""));
        };
        if payment.status == PaymentStatus::Initiated {
            return Ok(number);
        }
        let status = payment.status.as_str();
        Err(format!(
            "{id} has the status {status}; it must be initiated"
        ))
    }
}
